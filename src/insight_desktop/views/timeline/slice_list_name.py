"""The right side of the Slice List: the slices of one name in the range, and how long they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import timeline
from insight_desktop.engine.timeline import names
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.chart import Axis, Chart, Series
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.range_panel import RangeChoice

MOST_ROWS = 1_000_000  # longer lists show their longest slices
_BINS = 40
_MS = 1_000_000
_COLUMNS = (
    ColumnSpec("index", "Index", kind="count", width=56),
    ColumnSpec("start_ns", "Start Time", kind="time"),
    ColumnSpec("dur_ns", "Duration", "ms", kind="duration", decimals=6),
)


@dataclass(frozen=True)
class Slices:
    """Slices of a name, longest first: index, id, start_ns (axis), ts_ns, dur_ns, track; and their histogram."""

    name: str
    table: pa.Table
    histogram: pa.Table


def slices_of(store: Store, *, choice: RangeChoice, whole: bool, name: str) -> Slices:
    """The slices of a name in a range and how often which duration occurs."""
    found = timeline.slice_list_details(
        store, card=choice.card, tracks=choice.tracks, name=name, from_ns=choice.start_ns, to_ns=choice.end_ns,
        clip=not whole, row_lo=choice.row_lo, row_hi=choice.row_hi, limit=MOST_ROWS,
    )  # fmt: skip
    lengths = found.column("dur_ns").to_numpy()
    table = pa.table(
        {
            "index": np.arange(1, found.num_rows + 1), "start_ns": store.axis_ns(choice.card, found.column("ts_ns"), found.column("track")),
            "dur_ns": lengths, "id": found.column("id"), "ts_ns": found.column("ts_ns"), "track": found.column("track"),
            "whole_ns": found.column("whole_ns"),
        }
    )  # fmt: skip
    if not len(lengths):
        return Slices(name, table, pa.table({c: pa.array([], pa.int64()) for c in ("from_ns", "to_ns", "count")}))
    return Slices(name, table, names.histogram(lengths, _BINS))


class NamePane(QWidget):
    """Histogram above, slices below. A stretch of the histogram filters the slices; a click on a slice jumps there."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.choice: RangeChoice | None = None
        self.found: Slices | None = None
        self.name: str | None = None
        self._colour = QColor()
        self._asker = Asker(context, self)
        self.chart = Chart(brush=True, legend=False)
        self.chart.range_changed.connect(self._stretch_chosen)
        self.chart.failed.connect(self._tell_error)
        self.table = ArrowTable(columns=_COLUMNS)
        self.table.setProperty("edge", "none")
        self.table.clicked.connect(lambda _index: self._jump(self.table.current_row()))
        self.table.row_activated.connect(self._jump)
        self.table.rows_changed.connect(self._tell_count)
        for widget in (self.chart, self.table):
            widget.setMinimumSize(160, 60)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.chart)
        self.splitter.addWidget(self.table)
        self.splitter.setSizes([300, 300])
        parts.rows(self).addWidget(self.splitter)
        self._translate()

    def show_name(self, choice: RangeChoice, whole: bool, name: str, colour: QColor) -> None:
        """Show the slices of a name in a range; the colour is that of its bars."""
        self.choice, self.name, self._colour = choice, name, colour
        self._asker.ask(slices_of, choice=choice, whole=whole, name=name, then=self._show, failed=self._tell_error)

    def set_colour(self, colour: QColor) -> None:
        """Another theme: the bars get another colour."""
        self._colour = colour
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow pane stacks histogram and slices."""
        super().resizeEvent(event)
        side = Qt.Orientation.Horizontal if self.width() > self.height() * 1.6 else Qt.Orientation.Vertical
        if self.splitter.orientation() != side:
            self.splitter.setOrientation(side)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _show(self, found: Slices) -> None:
        is_other = self.found is None or self.found.name != found.name
        self.found = found
        if is_other:
            self.table.set_filters({})
        self.table.show_table(found.table)
        self.chart.choose(None)
        self._draw()

    def _draw(self) -> None:
        found = self.found
        if found is None:
            return
        low, high, count = (found.histogram.column(c).to_numpy() for c in ("from_ns", "to_ns", "count"))
        if len(low) == 1 and low[0] == high[0]:  # equal durations: a bar needs a width
            low, high = low - max(int(low[0]) // 20, 1), high + max(int(high[0]) // 20, 1)
        bars = Series(
            "slices", tr("Slices"), low / _MS, count.astype(np.float64), "bars", self._colour.name(), decimals=0,
            x_end=high / _MS,
        )  # fmt: skip
        self.chart.set_series([bars])
        self._tell_count()

    def _stretch_chosen(self, found: tuple[float, float] | None) -> None:
        """A stretch of the histogram becomes the filter of the durations."""
        filters = {k: v for k, v in self.table.filters().items() if k != "dur_ns"}
        if found is not None:
            filters["dur_ns"] = f"{max(found[0], 0.0):.6f}..{found[1]:.6f}"
        if filters != self.table.filters():
            self.table.set_filters(filters)

    def _tell_count(self, *_rows: int) -> None:
        if self.found is None or self.name is None:
            return
        every, rows = self.found.table.num_rows, self.table.shown_rows()
        shown = every if rows is None else len(rows)
        text = tr("{n} slices").format(n=number_text.count(every))
        if shown != every:
            text = tr("{n} of {m} slices").format(n=number_text.count(shown), m=number_text.count(every))
        if every == MOST_ROWS:
            text = tr("the longest {n} slices").format(n=number_text.count(every))
        self.chart.set_title(self.name, text)

    def _jump(self, row: int) -> None:
        if row < 0 or self.found is None or self.choice is None:
            return
        at = self.found.table.slice(row, 1).to_pylist()[0]
        end = at["ts_ns"] + at["whole_ns"]
        self.context.jump.emit(
            Jump(self.choice.card, slice_id=at["id"], start_ns=at["ts_ns"], end_ns=end, track=at["track"])
        )

    def _tell_error(self, error: InsightError) -> None:
        self.context.message.emit("error", error.message, error.fix)

    def _translate(self) -> None:
        self.chart.set_axes(
            Axis(tr("Duration (ms) · drag to select slices"), name=tr("Duration (ms)")),
            Axis(tr("Slices"), from_zero=True, whole=True),
        )
        self.table.setAccessibleName(tr("Slices of the name"))
        self._draw()
