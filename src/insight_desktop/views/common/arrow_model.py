"""A Qt model over an Arrow table: nothing is copied, only cells on screen become text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from insight_desktop.views.common import theme
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.common.table_rows import Rows

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class ArrowModel(QAbstractTableModel):
    """Rows of an Arrow table, through a list of row numbers when filtered or sorted."""

    def __init__(self) -> None:
        super().__init__()
        self.table: pa.Table = pa.table({})
        self.specs: Sequence[ColumnSpec] = ()
        self.rows: Rows | None = None
        self.swatch: Callable[[str, Any], QColor | None] | None = None  # (column, value) → colour of a small square
        # (column, row of the table, value) → another text, another colour; None for the usual one
        self.words: Callable[[str, int, Any], str | None] | None = None
        self.ink: Callable[[str, int, Any], QColor | None] | None = None
        self._columns: list[pa.ChunkedArray] = []

    def set_table(self, table: pa.Table, specs: Sequence[ColumnSpec], rows: Rows | None = None) -> None:
        """Show another table."""
        self.beginResetModel()
        self.table, self.specs, self.rows = table, specs, rows
        self._columns = [table.column(s.name) for s in specs]
        self.endResetModel()

    def set_rows(self, rows: Rows | None) -> None:
        """Show these rows, in this order."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def source_row(self, row: int) -> int:
        """Row of the Arrow table that is shown at `row`."""
        return row if self.rows is None else int(self.rows[row])

    def shown_row(self, source: int) -> int:
        """Where a row of the Arrow table is shown; -1 when filtered out."""
        if self.rows is None:
            return source if 0 <= source < self.table.num_rows else -1
        found = np.flatnonzero(self.rows == source)
        return int(found[0]) if len(found) else -1

    def value(self, row: int, column: int) -> Any:
        """The value behind a cell."""
        return self._columns[column][self.source_row(row)].as_py()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if parent.isValid():
            return 0
        return self.table.num_rows if self.rows is None else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.specs)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        spec = self.specs[index.column()]
        if role == Role.TextAlignmentRole:
            return _LEFT if spec.is_text else _RIGHT
        if role == Role.ForegroundRole:
            if spec.kind == "link":
                return theme.token("accent")
            return (
                self.ink(spec.name, self.source_row(index.row()), self.value(index.row(), index.column()))
                if self.ink
                else None
            )
        if role not in (Role.DisplayRole, Role.ToolTipRole, Role.UserRole, Role.DecorationRole):
            return None
        value = self.value(index.row(), index.column())
        if role == Role.DisplayRole:
            other = self.words(spec.name, self.source_row(index.row()), value) if self.words is not None else None
            return spec.cell(value) if other is None else other
        if role == Role.ToolTipRole:
            return spec.exact(value)
        if role == Role.DecorationRole:
            return self.swatch(spec.name, value) if self.swatch is not None else None
        return value

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.specs):
            return None
        spec = self.specs[section]
        if role == Role.DisplayRole:
            return spec.heading()
        if role == Role.TextAlignmentRole:
            return _LEFT if spec.is_text else _RIGHT
        if role == Role.ToolTipRole:
            return spec.help_text() or spec.heading()
        return None

    def headings_changed(self) -> None:
        """The language changed."""
        if self.specs:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.specs) - 1)
