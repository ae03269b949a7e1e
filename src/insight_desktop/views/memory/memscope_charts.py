"""The upper charts of the MemScope page: blocks over time and the curve of the pool, in step with each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from insight_desktop.engine.memory.blocks import EMPTY, Blocks
from insight_desktop.engine.memory.memscope_look import Look
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.chart import Axis, Chart, Series
from insight_desktop.views.common.chart_axis import decimals_of
from insight_desktop.views.common.chart_data import Band, RefLine
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.memory.block_chart import RESERVED, BlockChart, Mark
from insight_desktop.views.memory.memscope_bar import MemscopeBar, word_of
from insight_desktop.views.memory.memscope_panels import clock

MB = 1 << 20
_MOST_MARKS = 200
_FAR_ABOVE = 2.5
_TITLES = (
    QT_TRANSLATE_NOOP("insight", "Active Memory Block Timeline Graph"),
    QT_TRANSLATE_NOOP("insight", "Memory usage"),
)
_LOUD = ("OOM_DETAIL", "SNAPSHOT")


@dataclass(frozen=True)
class NsAxis(Axis):
    """An axis of ns that is written in ms."""

    def tick_text(self, value: float, step: float, span: float) -> str:  # noqa: ARG002 - of every axis
        return number_text.number(value / 1e6, decimals_of(step / 1e6))

    def exact_text(self, value: float) -> str:
        return clock(int(value))

    def distance_text(self, span: float) -> str:
        return f"{number_text.number(span / 1e6, 3)} ms"


def time_axis() -> NsAxis:
    """Time since the start of the file."""
    return NsAxis(tr("Time (ms)"), name=tr("Time"), least=100.0)


class MemscopeCharts(QWidget):
    """Two charts of one pool behind tabs; both show the same stretch and mark the same time (ns).

    Signals:
        view_changed: (low, high) in ns, None for everything.
        time_chosen: ns of a click.
        block_chosen: block_id of a clicked block, -1 for none.
        menu_wanted: (block_id, global position).
        cursor_moved: ns under the mouse, None for none.
    """

    view_changed = Signal(object)
    time_chosen = Signal(float)
    block_chosen = Signal(int)
    cursor_moved = Signal(object)
    menu_wanted = Signal(int, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.blocks = BlockChart(x=time_axis(), y=Axis("", from_zero=True))
        self.curve = Chart(x=time_axis(), y=Axis("", from_zero=True), overview=True)
        self.ids: npt.NDArray[Any] = np.zeros(0, np.int64)  # block_id by row of the chart
        self.owners: Sequence[str] = ()
        self._following = False
        self._marks: list[Mark] = []
        self._look: Look | None = None
        self.choices = MemscopeBar()
        self.bar = QTabBar()
        self.bar.setObjectName("panel")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.stack = QStackedWidget()
        for chart in (self.blocks, self.curve):
            self.bar.addTab("")
            self.stack.addWidget(chart)
            chart.view_changed.connect(lambda view, chart=chart: self._moved(chart, view))
            chart.cursor_moved.connect(self.cursor_moved)
        head = parts.columns(gap=8)
        head.addWidget(self.bar)
        head.addWidget(self.choices, 1)
        column = parts.rows(self)
        column.addLayout(head)
        column.addWidget(self.stack, 1)
        self.bar.currentChanged.connect(self.stack.setCurrentIndex)
        self.bar.currentChanged.connect(lambda at: self.choices.setVisible(at == 0))
        self.blocks.block_clicked.connect(self._clicked)
        self.blocks.block_menu.connect(self._menu)
        self.curve.plot.place_clicked.connect(self.time_chosen)
        self.blocks.block_plot.facts = self._facts
        self.retranslate()

    @property
    def charts(self) -> tuple[Chart, Chart]:
        """Both."""
        return self.blocks, self.curve

    def retranslate(self) -> None:
        """Texts in the current language."""
        for at, title in enumerate(_TITLES):
            self.bar.setTabText(at, (tr("Block chart"), tr("Curve"))[at])
            self.bar.setTabToolTip(at, tr(title))
        for chart in self.charts:
            chart.set_axes(time_axis(), Axis(tr("Memory usage (MB)"), from_zero=True))
        self.blocks.set_title(tr(_TITLES[0]), tr("a block lies on those allocated before it; a click marks a time"))
        self.curve.set_title(tr(_TITLES[1]), tr("steps at every malloc and free; a click marks a time"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "stack"):
            self.retranslate()
        super().changeEvent(event)

    # ---- data --------------------------------------------------------------------------------------------------------

    def show_blocks(self, blocks: Blocks, ids: npt.NDArray[Any]) -> None:
        """Blocks of a pool, and their block_id by row."""
        self.ids, self._look = ids, None
        self.blocks.block_plot.choose_block(EMPTY)
        self.choices.show_chosen(chosen=False)
        self.blocks.show_blocks(blocks, (tr("Allocated"), tr("Reserved")))
        reserved = int(blocks.reserved_v.max()) if len(blocks.reserved_v) else 0
        # A pool that is nearly empty would be a thin line: its reserved size is then shown on demand.
        self.blocks.set_hidden(frozenset({RESERVED}) if reserved > _FAR_ABOVE * blocks.peak[1] else frozenset())

    def show_look(self, look: Look) -> None:
        """Colours of the blocks, and which are inefficient."""
        self._look = look
        self.apply_choices()

    def apply_choices(self) -> None:
        """Show what the bar asks for: colours, sizes, inefficient blocks alone."""
        plot, look = self.blocks.block_plot, self._look
        if plot.blocks is None or look is None or len(look.numbers) != len(plot.blocks):
            return
        least, most = self.choices.sizes
        passing = np.ones(len(plot.blocks), np.bool_)
        if least is not None:
            passing &= plot.blocks.size >= least
        if most is not None:
            passing &= plot.blocks.size <= most
        if self.choices.only_tagged:
            passing &= look.tagged
        plot.set_hashes(look.numbers)
        plot.set_passing(None if passing.all() else passing)
        self.blocks.show_colours([(word_of(name), number) for name, number in look.legend])

    def show_curve(self, found: pa.Table, span_ns: int, peak_bytes: int, markers: list[dict[str, Any]]) -> None:
        """Rows of `memory.memscope.curve`, the height of its peak, and what marks times."""
        names = {
            "allocated_bytes": (tr("Allocated"), "allocated"), "reserved_bytes": (tr("Reserved"), "reserved"),
            "process_used_bytes": (tr("Used by the process"), ""), "device_used_bytes": (tr("Used on the device"), ""),
        }  # fmt: skip
        # A time or a sum that damage made too large for an exact real number is drawn where it is about.
        x = found["t_ns"].cast(pa.float64(), safe=False).to_numpy()
        series = []
        for column, (name, colour) in names.items():
            if found[column].null_count < found.num_rows:
                y = found[column].cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False) / MB
                known = ~np.isnan(y)
                series.append(Series(column, name, x[known], y[known], "step", colour, "MB", 3))
        self.curve.set_series(series, limits=(0.0, float(span_ns)))
        peak = number_text.bytes_text(peak_bytes, decimals=3)
        self.curve.set_lines([RefLine(peak_bytes / MB, tr("Peak {size}").format(size=peak))])
        self.curve.set_bands(ranges(markers))
        self.blocks.set_bands(ranges(markers))
        self._marks = moments(markers)
        self.blocks.block_plot.set_marks(self._marks)

    def set_view(self, low: float, high: float) -> None:
        """Show a stretch in both charts."""
        for chart in self.charts:
            chart.zoom_to(low, high)

    def restore(self) -> None:
        """Show everything."""
        for chart in self.charts:
            chart.restore()

    def show_marks(self, marks: list[Mark]) -> None:
        """Flags beside those of the data."""
        self.blocks.block_plot.set_marks([*self._marks, *marks])

    def set_marker(self, ns: float) -> None:
        """Mark a time."""
        self.blocks.block_plot.set_marker(Mark(ns, clock(int(ns))))
        self.curve.plot.move_cursor(ns)

    def choose_block(self, block_id: int) -> None:
        """Make a block stand out."""
        at = int(np.searchsorted(self.ids, block_id))
        known = at < len(self.ids) and int(self.ids[at]) == block_id
        self.blocks.block_plot.choose_block(at if known else EMPTY)
        self.choices.show_chosen(chosen=known)
        if known and self.blocks.block_plot.blocks is not None:
            found = self.blocks.block_plot.blocks
            self.curve.emphasise("allocated_bytes", [float(found.start[at]), float(min(found.end[at], found.last))])

    def locate(self, block_id: int) -> None:
        """Zoom to the life of a block."""
        at = int(np.searchsorted(self.ids, block_id))
        if at < len(self.ids) and int(self.ids[at]) == block_id:
            self.bar.setCurrentIndex(0)
            self.blocks.locate(at)

    # ---- reactions ---------------------------------------------------------------------------------------------------

    def _moved(self, chart: Chart, view: tuple[float, float] | None) -> None:
        if self._following:
            return
        self._following = True
        other = self.curve if chart is self.blocks else self.blocks
        if view is None:
            other.restore()
        else:
            other.zoom_to(*view)
        self._following = False
        self.view_changed.emit(view)

    def _clicked(self, row: int, at: float) -> None:
        self.blocks.block_plot.choose_block(row)
        self.choices.show_chosen(chosen=0 <= row < len(self.ids))
        self.block_chosen.emit(int(self.ids[row]) if 0 <= row < len(self.ids) else -1)
        self.time_chosen.emit(at)

    def _menu(self, row: int, at: object) -> None:
        if 0 <= row < len(self.ids):
            self.menu_wanted.emit(int(self.ids[row]), at)

    @property
    def chosen_id(self) -> int:
        """block_id of the chosen block, -1 for none."""
        row = self.blocks.block_plot.chosen_block
        return int(self.ids[row]) if 0 <= row < len(self.ids) else -1

    def _facts(self, row: int) -> Sequence[ReadoutLine]:
        blocks = self.blocks.block_plot.blocks
        if blocks is None or not 0 <= row < len(self.ids):
            return ()
        never = int(blocks.end[row]) > blocks.last
        life = int(min(blocks.end[row], blocks.last) - blocks.start[row])
        owner = self.owners[row] if row < len(self.owners) else ""
        lines = [
            ReadoutLine(None, tr("Block"), f"#{int(self.ids[row])}"),
            ReadoutLine(None, tr("Size"), number_text.bytes_text(int(blocks.size[row]), decimals=3)),
            ReadoutLine(None, tr("Life"), number_text.duration(life) + (f" · {tr('never freed')}" if never else "")),
        ]
        return [*lines, ReadoutLine(None, tr("Owner"), owner)] if owner else lines


def ranges(markers: list[dict[str, Any]]) -> list[Band]:
    """Marked ranges of the program, behind the charts."""
    bands, starts = [], []
    for row in markers:
        if row["type"] == "Range_start":
            starts.append((float(row["t_ns"]), row["name"]))
        elif row["type"] == "Range_end" and starts:
            low, name = starts.pop()
            bands.append(Band(low, float(row["t_ns"]), name))
    return bands[:_MOST_MARKS]


def moments(markers: list[dict[str, Any]]) -> list[Mark]:
    """Single marks, states of the process, snapshots and out-of-memory reports."""
    found = [
        Mark(float(row["t_ns"]), row["name"] or row["type"], is_bad=row["event"] == "OOM_DETAIL")
        for row in markers
        if row["event"] in _LOUD or row["type"] == "Mark" or row["event"] in ("SYSTEM", "CLEAN_UP")
    ]
    return found[:_MOST_MARKS]
