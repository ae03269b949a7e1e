"""Mixture of experts: load of the layers per process, spread of dispatch and combine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.service import moe
from insight_desktop.views.common.arrow_table import ColumnSpec
from insight_desktop.views.common.heat_colours import sequential
from insight_desktop.views.common.heat_data import Cells
from insight_desktop.views.common.heat_map import HeatMap
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.service.overview_part import Part, Shown, TablePanel, grid

_COLUMNS = (
    ColumnSpec("process", QT_TRANSLATE_NOOP("insight", "Process"), width=110),
    ColumnSpec("mean_ns", QT_TRANSLATE_NOOP("insight", "Mean"), unit="µs", kind="duration"),
    ColumnSpec("low_ns", QT_TRANSLATE_NOOP("insight", "Lower bound"), unit="µs", kind="duration"),
    ColumnSpec("high_ns", QT_TRANSLATE_NOOP("insight", "Upper bound"), unit="µs", kind="duration"),
)


class Experts(Part):
    """A matrix of layers and processes, and a table."""

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.heat = HeatMap()
        self.heat.setMinimumHeight(240)
        self.spread = TablePanel(_COLUMNS)
        grid(self, [[self.heat], [self.spread]])
        self.retranslate()

    def retranslate(self) -> None:
        if not hasattr(self, "heat"):
            return
        self.heat.set_title(tr("Time of GroupedMatmul per layer"))
        self.spread.set_title(tr("Dispatch and combine"), tr("95 % interval of the mean"))

    def load(self, shown: Shown) -> None:
        self.ask(moe.balance, self._balance, card=shown.card, failed=self.empties(self.heat))
        self.ask(moe.spread, self.spread.show_table, card=shown.card, failed=lambda _e: self.spread.show_table(_no_rows(), tr("The run has no table moe_analysis.")))  # fmt: skip

    def _balance(self, table: pa.Table) -> None:
        processes = list(dict.fromkeys(table["process"].to_pylist()))
        layers = int(max(table["layer"].to_pylist(), default=-1)) + 1
        values = np.full((layers, len(processes)), np.nan)
        for row in table.to_pylist():
            if row["time_ns"] is not None:
                values[row["layer"], processes.index(row["process"])] = row["time_ns"] / 1000
        cells = Cells(values, [str(i) for i in range(layers)], processes, title=tr("GroupedMatmul"), unit="µs", decimals=1,
                      row_title=tr("Layer"), column_title=tr("Process"))  # fmt: skip
        self.heat.set_cells(cells, colours=sequential)


def _no_rows() -> pa.Table:
    kinds = [("process", pa.string()), *((n, pa.float64()) for n in ("mean_ns", "low_ns", "high_ns"))]
    return pa.schema(kinds).empty_table()
