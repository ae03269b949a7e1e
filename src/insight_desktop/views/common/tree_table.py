"""A table whose rows stand below each other as a tree: rows open and close, sorting keeps children below their parent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.common.table_rows import rows_of, sorted_rows

_INDENT = "\u2003"  # as wide as the caret
_OPEN, _CLOSED = "▾ ", "▸ "


class TreeTable(ArrowTable):
    """An ArrowTable with a caret before the first column. Filters keep what matches with everything above it.

    Signals:
        opened_changed: a row was opened or closed.
    """

    opened_changed = Signal()

    def __init__(
        self,
        columns: Sequence[ColumnSpec] = (),
        *,
        open_levels: int = 0,
        filter_row: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        self._parents: list[int] = []
        self._levels: list[int] = []
        self._children: dict[int, list[int]] = {}
        self._keys: list[Any] = []
        self._switched: set[Any] = set()  # keys of rows that the user opened or closed against the default
        self._open_levels = open_levels
        self._is_filtered = False  # everything that is found is shown, whatever is open
        super().__init__(columns=columns, filter_row=filter_row, parent=parent)
        self._model.words = self._words
        self.clicked.connect(self._caret_clicked)

    def show_tree(self, table: pa.Table, key: str, parent: str) -> None:
        """Show rows: `parent` names the row above by its `key`; rows without a known parent stand at the top.

        What the user opened or closed stays so for equal keys.
        """
        self._keys = table.column(key).to_pylist()
        at = {value: i for i, value in enumerate(self._keys)}
        self._parents = [at.get(value, -1) for value in table.column(parent).to_pylist()]
        self._children, self._levels = {}, [0] * len(self._keys)
        for row, above in enumerate(self._parents):
            self._children.setdefault(above, []).append(row)
        waiting = list(self._children.get(-1, []))
        while waiting:
            row = waiting.pop()
            for child in self._children.get(row, []):
                self._levels[child] = self._levels[row] + 1
                waiting.append(child)
        self.show_table(table)

    def level(self, row: int) -> int:
        """How deep a row of the Arrow table stands, 0 at the top."""
        return self._levels[row]

    def has_children(self, row: int) -> bool:
        """Whether a row of the Arrow table can be opened."""
        return bool(self._children.get(row))

    def is_open(self, row: int) -> bool:
        """Whether the rows below a row are shown."""
        return (self._levels[row] < self._open_levels) != (self._keys[row] in self._switched)

    def set_open(self, row: int, is_open: bool) -> None:
        """Open or close a row of the Arrow table."""
        if self.has_children(row) and self.is_open(row) != is_open:
            self._switched ^= {self._keys[row]}
            self._arrange()
            self.select_row(row)
            self.opened_changed.emit()

    def open_all(self, is_open: bool) -> None:
        """Open or close every row."""
        self._switched = {
            self._keys[row] for row in self._children if row >= 0 and (self._levels[row] < self._open_levels) != is_open
        }
        self._arrange()
        self.opened_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.current_row()
        if row >= 0 and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._step_sideways(row, event.key() == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)

    def _step_sideways(self, row: int, is_right: bool) -> None:
        """Right opens a row; left closes it, or goes to the row above it."""
        if is_right or (self.has_children(row) and self.is_open(row)):
            self.set_open(row, is_right)
        elif self._parents[row] >= 0:
            self.select_row(self._parents[row])

    def _arrange(self) -> None:
        table, filters, sort = self._model.table, self._header.filters(), self._sort
        if len(self._parents) != table.num_rows or not table.num_rows:
            super()._arrange()
            return
        if not self._check_filters(filters):
            return
        specs = {s.name: s for s in self._model.specs}
        order: Sequence[int] | None = None
        if sort is not None:
            missing = specs[sort.column].missing_as
            order = sorted_rows(table.column(sort.column), descending=sort.descending, missing=missing).tolist()
        kept = rows_of(table, specs, filters, None) if filters else None
        mask = self._passing(table) if self._passing is not None else None
        if mask is not None:
            kept = np.flatnonzero(mask) if kept is None else kept[mask[kept]]
        self._is_filtered = kept is not None
        self._show_rows(table, np.array(self._walk(order, self._with_parents(kept)), np.int64))

    def _with_parents(self, kept: Any) -> set[int] | None:
        """Rows that pass the filters and all rows above them; None for no filter."""
        if kept is None:
            return None
        found: set[int] = set()
        for row in kept.tolist():
            while row >= 0 and row not in found:
                found.add(row)
                row = self._parents[row]
        return found

    def _walk(self, order: Sequence[int] | None, kept: set[int] | None) -> list[int]:
        """The rows that are shown, from top to bottom. A filter shows what it finds whatever is open."""
        children = self._children
        if order is not None:
            children = {}
            for row in order:
                children.setdefault(self._parents[row], []).append(row)
        out: list[int] = []
        waiting = list(reversed(children.get(-1, [])))
        while waiting:
            row = waiting.pop()
            if kept is not None and row not in kept:
                continue
            out.append(row)
            if kept is not None or self.is_open(row):
                waiting.extend(reversed(children.get(row, [])))
        return out

    def _words(self, column: str, row: int, value: Any) -> str | None:
        """The text of the first column with its indentation and caret."""
        specs = self._model.specs
        if column != specs[0].name or row >= len(self._levels):
            return None
        caret = (
            (_OPEN if self._is_filtered or self.is_open(row) else _CLOSED) if self.has_children(row) else f"{_INDENT} "
        )
        return f"{_INDENT * self._levels[row]}{caret}{specs[0].cell(value)}"

    def _caret_clicked(self, index: QModelIndex) -> None:
        row = self._model.source_row(index.row())
        if index.column() == 0 and self.has_children(row):
            self.set_open(row, not self.is_open(row))
