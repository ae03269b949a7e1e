"""The small panels of the Details page: warp stalls, SIMT instructions per cycle, durations of the blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QWidget

from insight_desktop.views.common import parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.operator.details_load import Loaded
from insight_desktop.views.operator.plain_tables import Panel, PlainTable
from insight_desktop.views.operator.share_bars import Bar, ShareBars

Row = Mapping[str, Any]
MAX_BLOCKS = 10_000


class StallsPanel(Panel):
    """Why warps waited: bars and table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars, self.table = ShareBars(), PlainTable()
        row = parts.columns(margins=(0, 6, 10, 8), gap=10)
        row.addWidget(self.bars, 3)
        row.addWidget(self.table, 2)
        self.inner.addLayout(row)
        self._loaded: Loaded | None = None
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.set_title(tr("Top Warp Stall Reason"), tr("Stall Count"))
        if self._loaded is not None:
            self.show_loaded(self._loaded)

    def show_loaded(self, loaded: Loaded) -> None:
        """Show a kernel; hidden without stall reasons."""
        self._loaded = loaded
        rows = loaded.of("stalls")
        self.setVisible(bool(rows))
        total = sum(row["count"] for row in rows) or 1
        compared = loaded.baseline is not None
        bars = [
            Bar(row["reason"], float(row["count"]), f"{row['count']:,}", f"{100 * row['count'] / total:.1f} %",
                f"{row['reason']}: {row['count']:,}", float(row["baseline"]) if compared else None)
            for row in rows
        ]  # fmt: skip
        self.bars.show_bars(bars)
        heads = [tr("Stall Count"), *([tr("Baseline"), tr("Difference")] if compared else [])]
        cells = [
            [row["reason"], str(row["count"]), *([str(row["baseline"]), str(row["diff"])] if compared else [])]
            for row in rows
        ]
        self.table.show_cells(tr("Stall Reason"), heads, cells)


class SimtPanel(Panel):
    """Instructions per cycle of SIMT vector functions, one column per core."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = PlainTable()
        self.inner.addWidget(self.table)
        self._rows: list[Row] = []
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.set_title(tr("Instruction Per Cycle"), tr("SIMT VF Instructions"))
        self.show_rows(self._rows)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show rows of `operator.details.simt`; hidden without any."""
        self._rows = list(rows)
        self.setVisible(bool(rows))
        if not rows:
            return
        cores = sorted({row["core"] for row in rows})
        parts_of = list(dict.fromkeys(row["sub_core"] for row in rows))
        value = {(row["sub_core"], row["core"]): row["ipc"] for row in rows}
        cells: list[list[str | None]] = [[p, *(f"{value.get((p, c), 0.0):g}" for c in cores)] for p in parts_of]
        self.table.show_cells(tr("Vector"), [f"Core{c}" for c in cores], cells)


class BlocksPanel(Panel):
    """Durations of the blocks, as the collector wrote them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = PlainTable(16)
        self.inner.addWidget(self.table)
        self._rows: list[Row] = []
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.set_title(tr("Block Detail"))
        self.show_rows(self._rows)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show rows of `operator.details.block_durations`; hidden without any."""
        self._rows = list(rows)
        self.setVisible(bool(rows))
        if not rows:
            return
        heads = {row["column"]: row["head"] for row in rows}
        order = sorted(heads)
        cells: dict[int, dict[int, str]] = {}
        for row in rows:
            if row["row"] >= 0:
                cells.setdefault(row["row"], {})[row["column"]] = row["value"]
        lines = [[held.get(c) for c in order] for _, held in sorted(cells.items())]
        self.table.show_cells(heads[order[0]], [heads[c] for c in order[1:]], lines[:MAX_BLOCKS])
        cut = len(lines) > MAX_BLOCKS
        self.set_title(
            tr("Block Detail"), tr("the first {0} of {1} blocks").format(MAX_BLOCKS, len(lines)) if cut else ""
        )
