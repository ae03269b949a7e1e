"""All kernels of the project side by side, the longest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from insight_desktop.views.common import fonts
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.operator.plain_tables import Panel

Row = Mapping[str, Any]
_COLUMNS = (
    ColumnSpec("card", QT_TRANSLATE_NOOP("insight", "Kernel"), kind="link", width=150),
    ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Name"), width=220),
    ColumnSpec("duration_us", QT_TRANSLATE_NOOP("insight", "Duration"), "µs", "number", 3),
    ColumnSpec("share", QT_TRANSLATE_NOOP("insight", "Share"), kind="percent", bar=True),
    ColumnSpec("bound", QT_TRANSLATE_NOOP("insight", "Bound by")),
    ColumnSpec("roof", QT_TRANSLATE_NOOP("insight", "Of the nearest roof"), kind="percent", bar=True),
    ColumnSpec("cube", QT_TRANSLATE_NOOP("insight", "Cube active"), kind="percent", bar=True),
    ColumnSpec("vector", QT_TRANSLATE_NOOP("insight", "Vector active"), kind="percent", bar=True),
    ColumnSpec("l2", QT_TRANSLATE_NOOP("insight", "L2 hits"), kind="percent", bar=True),
    ColumnSpec("op_type", QT_TRANSLATE_NOOP("insight", "Op Type")),
    ColumnSpec("soc", QT_TRANSLATE_NOOP("insight", "Chip")),
    ColumnSpec("block_dim", QT_TRANSLATE_NOOP("insight", "Block Dim")),
)
_MOST = 8


class RankingPanel(Panel):
    """Hidden while there is one kernel.

    Signals:
        kernel_wanted: name of a kernel's card.
    """

    kernel_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = ArrowTable(columns=_COLUMNS, filter_row=False)
        self.inner.addWidget(self.table)
        self._rows: list[Row] = []
        self.table.row_activated.connect(lambda row: self.kernel_wanted.emit(str(self._rows[row]["card"])))
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.set_title(tr("Kernels side by side"), tr("{0} kernels, ranked by duration").format(len(self._rows)))
        self.show_rows(self._rows, "")

    def show_rows(self, rows: Sequence[Row], current: str) -> None:
        """Show rows of `operator.details.operators`."""
        del current
        self._rows = list(rows)
        self.setVisible(len(rows) > 1)
        if len(rows) < 2:
            return
        self.set_title(tr("Kernels side by side"), tr("{0} kernels, ranked by duration").format(len(rows)))
        words = {"memory": tr("memory"), "compute": tr("compute"), "latency": tr("latency")}
        shares = {"share": "share_percent", "roof": "roof_percent", "cube": "cube_percent", "vector": "vector_percent", "l2": "l2_hit_percent"}  # fmt: skip
        data: dict[str, Any] = {
            name: pa.array([row[name] for row in rows])
            for name in ("card", "name", "duration_us", "op_type", "soc", "block_dim")
        }
        data["bound"] = pa.array([words.get(row["bound"], "") for row in rows], pa.string())
        for name, column in shares.items():
            data[name] = pa.array([None if row[column] is None else row[column] / 100 for row in rows], pa.float64())
        self.table.show_table(pa.table(data))
        self.table.setFixedHeight(fonts.scaled(30) + min(_MOST, len(rows)) * fonts.scaled(24) + 6)
