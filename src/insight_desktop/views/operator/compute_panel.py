"""Compute workload: pipe utilisation of a block as bars, its counters as tables, the advice between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from insight_desktop.engine.operator import numbers
from insight_desktop.views.common import parts
from insight_desktop.views.common.empty_text import EmptyText
from insight_desktop.views.common.language import tr
from insight_desktop.views.operator.details_load import Loaded, Row
from insight_desktop.views.operator.findings_panel import AdviceLines
from insight_desktop.views.operator.plain_tables import Panel, TablesGrid
from insight_desktop.views.operator.share_bars import Bar, ShareBars

NOT_TOLD = "NA"


class BlockBox(QComboBox):
    """Which block of the kernel; NA stands for the average of the cores."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    @property
    def block(self) -> str | None:
        """The chosen block."""
        found = self.currentData()
        return None if found is None else str(found)

    def fill(self, blocks: Sequence[str]) -> None:
        """Offer blocks; the chosen one stays when it is there."""
        current = self.block
        self.blockSignals(True)
        self.clear()
        for block in blocks:
            self.addItem(tr("Block {0}").format(block), block)
        if current is not None and current in blocks:
            self.setCurrentIndex(list(blocks).index(current))
        self.blockSignals(False)
        tip = tr("NA : displays the multi-core average.") if NOT_TOLD in blocks else ""
        self.setToolTip(tip)
        self.setAccessibleName(tr("Block ID"))
        self.setVisible(bool(blocks))

    def choose(self, block: str) -> None:
        """Choose a block if it is offered."""
        at = self.findData(block)
        if at >= 0:
            self.setCurrentIndex(at)


class ComputePanel(Panel):
    """Bars, advice, tables.

    Signals:
        block_changed: another block is shown.
        block_wanted: a block whose figures are not here was chosen.
    """

    block_changed = Signal()
    block_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._loaded: Loaded | None = None
        self.block_box = BlockBox()
        self.head_row.addWidget(self.block_box)
        self.bars = ShareBars()
        self.advice = AdviceLines()
        self.grid = TablesGrid(360)
        self.empty = EmptyText()
        inside = QWidget()
        inside.setObjectName("surface")
        column = parts.rows(inside)
        for widget in (self.bars, self.advice, self.grid, self.empty):
            column.addWidget(widget)
        column.addStretch(1)
        self.scroll_area = parts.scrolling(inside)
        self.inner.addWidget(self.scroll_area)
        self.block_box.currentIndexChanged.connect(lambda _i: self._block_chosen())
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.set_title(tr("Compute Workload Analysis"), tr("Pipe Utilization"))
        if self._loaded is not None:
            self.show_loaded(self._loaded)

    def show_loaded(self, loaded: Loaded) -> None:
        """Show a kernel."""
        self._loaded = loaded
        self.block_box.fill(loaded.blocks("compute"))
        if not loaded.lacks(self.block_box.block):
            self._show()
        elif self.block_box.block is not None:
            self.block_wanted.emit(self.block_box.block)

    def _block_chosen(self) -> None:
        if self._loaded is not None and self.block_box.block is not None and self._loaded.lacks(self.block_box.block):
            self.block_wanted.emit(self.block_box.block)
            return
        self._show()
        self.block_changed.emit()

    def _show(self) -> None:
        loaded = self._loaded
        if loaded is None:
            return
        block = self.block_box.block
        has_data = block is not None
        for widget in (self.bars, self.grid):
            widget.setVisible(has_data)
        self.empty.setVisible(not has_data)
        if block is None:
            error = loaded.missing.get("compute")
            self.empty.set_texts(tr("No compute workload"), str(error) if error is not None else "")
            self.advice.show_texts(())
            return
        rows = loaded.of("compute", block_id=block)
        charted = [row for row in rows if row["kind"] == "chart"]
        self.bars.show_bars([bar_of(row, compared=loaded.baseline is not None) for row in charted], top=100.0)
        compared = loaded.baseline is not None
        advice = [] if compared else loaded.of("advice", section="memory_graph", block_id=block)
        advice += [row for row in loaded.of("advice", section="compute") if row["block_id"] in ("", block)]
        self.advice.show_texts([row["text"] for row in advice])
        self.grid.set_least(560 if compared else 360)
        self.grid.show_tables(tables_of([row for row in rows if row["kind"] == "table"], compared=compared))


def bar_of(row: Row, *, compared: bool) -> Bar:
    """A bar of the pipe utilisation."""
    value = numbers.to_number(row["value"]) or 0.0
    cycles = _count(row["cycles"])
    if not compared:
        title = tr("Cycles")
        tip = f"{row['name']}\n{title}:{cycles}"
        return Bar(row["name"], value, f"{value:.4g} %", tr("{0} cycles").format(cycles) if row["cycles"] else "", tip)
    other = numbers.to_number(row["baseline"])
    first, second = tr("Cycles Compare"), tr("Cycles Baseline")
    tip = f"{row['name']}\n{first}:{cycles}\n{second}:{_count(row['baseline_cycles'])}"
    shown = "–" if other is None else f"{other:.4g} %"
    return Bar(row["name"], value, f"{value:.4g} %", f"({shown})", tip, baseline=other or 0.0)


def tables_of(rows: Sequence[Row], *, compared: bool) -> list[tuple[str, list[str], list[list[str | None]]]]:
    """One table per kind of block: a row fills only the column of its own unit."""
    found = []
    for kind in dict.fromkeys(str(row["block_type"]) for row in rows):
        own = [row for row in rows if row["block_type"] == kind]
        units = list(dict.fromkeys(str(row["unit"]) for row in own))
        heads = [head for unit in units for head in _heads(unit, compared=compared)]
        cells: list[list[str | None]] = []
        for row in own:
            line: list[str | None] = [row["name"]]
            for unit in units:
                line += _cells(row, compared=compared) if row["unit"] == unit else [None] * (3 if compared else 1)
            cells.append(line)
        found.append((kind.upper(), heads, cells))
    return found


def _heads(unit: str, *, compared: bool) -> list[str]:
    title = {
        "Duration(μs)": tr("Duration(μs)"), "Instructions": tr("Instructions"), "Data Volume(byte)": tr("Data Volume(byte)"),
    }.get(unit, unit)  # fmt: skip
    return [title, tr("Baseline"), tr("Difference")] if compared else [title]


def _cells(row: Row, *, compared: bool) -> list[str | None]:
    return [row["value"], row["baseline"] or "-", row["diff"] or "-"] if compared else [row["value"]]


def _count(text: Any) -> str:
    value = numbers.to_number(text)
    return "-" if value is None else f"{value:,.0f}"
