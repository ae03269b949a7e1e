"""Selection: figures of the selected range, per lane and per counter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.range_totals import COUNTER_SCHEMA, counter_totals, lane_totals
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.empty_text import EmptyText
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_text import as_text
from insight_desktop.views.timeline.state import TimelineState, TimeRange, card_text

_LANE_COLUMNS = (
    ColumnSpec("lane", "Lane"),
    ColumnSpec("slices", "Count", kind="count"),
    ColumnSpec("sum_ns", "Sum", "ms", kind="duration", tooltip="Nested and overlapping slices are added up"),
    ColumnSpec("busy_ns", "Busy", "ms", kind="duration", tooltip="Time in which at least one slice runs"),
    ColumnSpec("busy_ratio", "Busy", kind="percent"),
    ColumnSpec("gap_ns", "Longest gap", "ms", kind="duration", tooltip="Longest idle stretch inside the range"),
)
_COUNTER_COLUMNS = (
    ColumnSpec("counter", "Counter"),
    ColumnSpec("series", "Series"),
    ColumnSpec("unit", "Unit", width=56),
    ColumnSpec("values", "Values", kind="count"),
    ColumnSpec("min", "Min", kind="number", decimals=3),
    ColumnSpec("max", "Max", kind="number", decimals=3),
    ColumnSpec("mean", "Mean", kind="number", decimals=3, tooltip="Weighted by the time each value holds"),
    ColumnSpec("delta", "Delta", kind="number", decimals=3, tooltip="Value at the end minus value at the start"),
    ColumnSpec("integral", "Integral", kind="number", decimals=6, tooltip="Value × seconds"),
)


@dataclass(frozen=True)
class RangeChoice:
    """What is selected: recorded times of a card, lanes, counter series and (of a rectangle) depth rows.

    `series_ns` says for each counter how much later its recorded time is than that of the card; lanes are known to the store.
    """

    card: str
    start_ns: int
    end_ns: int
    tracks: tuple[int, ...] = ()
    series: tuple[int, ...] = ()
    row_lo: int = 0
    row_hi: int | None = None
    series_ns: tuple[int, ...] = ()


def choice_of(state: TimelineState, found: TimeRange) -> RangeChoice:
    """What a range of the axis means: recorded time of its card; lanes that were moved on their own go with the axis."""
    units = [unit for unit in (state.unit(key) for key in found.keys) if unit is not None]
    shift = state.shift_ns(found.card)
    tracks = tuple(dict.fromkeys(track for unit in units for track in unit.tracks))
    series = {number: state.shift_ns(found.card, unit) - shift for unit in units for number in unit.series}
    row_lo, row_hi = found.rows or (0, None)
    return RangeChoice(
        found.card, found.start_ns + shift, found.end_ns + shift, tracks, tuple(series), row_lo, row_hi,
        tuple(series.values()),
    )  # fmt: skip


def range_figures(store: Store, *, choice: RangeChoice, whole: bool) -> tuple[pa.Table, pa.Table]:
    """Lane and counter figures of a range; the last lane row is that of all lanes."""
    card, first, last = choice.card, choice.start_ns, choice.end_ns
    lanes = lane_totals(store, card=card, tracks=choice.tracks, from_ns=first, to_ns=last, whole=whole)
    moved = choice.series_ns or (0,) * len(choice.series)
    counters = [
        counter_totals(store, card=card, series=(number,), from_ns=first + by_ns, to_ns=last + by_ns)
        for number, by_ns in zip(choice.series, moved, strict=True)
    ]
    return lanes, pa.concat_tables(counters) if counters else COUNTER_SCHEMA.empty_table()


class RangePanel(QWidget):
    """Shows the figures of a range; follows the switch "Whole slices".

    Signals:
        summary_changed: texts for the status bar, the first one bold; empty without a range.
        whole_changed: the switch "Whole slices" was set.
    """

    summary_changed = Signal(list)
    whole_changed = Signal(bool)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.choice: RangeChoice | None = None
        self._total: dict[str, Any] | None = None
        self._asker = Asker(context, self)
        self.title, self.summary = QLabel(), QLabel()
        self.title.setProperty("strong", "true")
        self.summary.setProperty("level", "2")
        for label in (self.title, self.summary):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.whole = QCheckBox()
        self.whole.toggled.connect(lambda _on: self.refresh())
        self.whole.toggled.connect(self.whole_changed)
        self.lanes = ArrowTable(columns=_LANE_COLUMNS, filter_row=False)
        self.counters = ArrowTable(columns=_COUNTER_COLUMNS, filter_row=False)
        self._tables = QSplitter(Qt.Orientation.Horizontal)
        self._tables.setHandleWidth(1)
        for table in (self.lanes, self.counters):
            table.setProperty("edge", "none")
            self._tables.addWidget(table)
        self._empty = EmptyText()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._content())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        context.store_changed.connect(self._store_changed)
        self._translate()

    def _content(self) -> QWidget:
        content = QWidget()
        content.setObjectName("surface")
        content.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head = QHBoxLayout()
        head.setContentsMargins(12, 6, 12, 6)
        head.setSpacing(16)
        head.addWidget(self.title)
        head.addWidget(self.summary, 1)
        head.addWidget(self.whole)
        box = QVBoxLayout(content)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(head)
        box.addWidget(self._tables, 1)
        return content

    def show_range(self, card: str, tracks: Sequence[int], series: Sequence[int], start_ns: int, end_ns: int) -> None:
        """Show a range of raw times (ns) on lanes (tracks) and counter series of one card."""
        first, last = min(start_ns, end_ns), max(start_ns, end_ns)
        self.show_choice(RangeChoice(card, first, last, tuple(tracks), tuple(series)))

    def show_choice(self, choice: RangeChoice) -> None:
        """Show a range."""
        self.choice = choice
        self.refresh()

    def clear(self) -> None:
        """No range is selected."""
        self._asker.forget(range_figures)
        self.choice, self._total = None, None
        self._translate()
        self._stack.setCurrentIndex(0)
        self.summary_changed.emit([])

    def refresh(self) -> None:
        """Offsets, data or the switch changed: ask again."""
        if self.choice is not None:
            whole = self.whole.isChecked()
            self._asker.ask(range_figures, choice=self.choice, whole=whole, then=self._show, failed=self._show_error)

    def copy(self) -> None:
        """Put title, lane and counter figures on the clipboard as text."""
        if self._total is None:
            return
        parts = [f"{self.title.text()}\t{self.summary.text()}\n"]
        for table in (self.lanes, self.counters):
            if table.table.num_rows:
                parts.append(as_text(table.shown_table(), table.shown_columns()))
        QGuiApplication.clipboard().setText("\n".join(parts))

    def summary_texts(self) -> list[str]:
        """Range, lanes, count, sum, busy with share, longest gap."""
        if self.choice is None or self._total is None:
            return []
        span, total = self.choice.end_ns - self.choice.start_ns, self._total
        lanes = len(self.choice.tracks)
        texts = [tr("Range {span}").format(span=number_text.duration(span))]
        if lanes:
            busy = f"{number_text.duration(total['busy_ns'])} ({number_text.percent(total['busy_ratio'])})"
            texts += [
                tr("1 lane") if lanes == 1 else tr("{n} lanes").format(n=number_text.count(lanes)),
                tr("{n} slices").format(n=number_text.count(total["slices"])),
                tr("sum {value}").format(value=number_text.duration(total["sum_ns"])),
                tr("busy {value}").format(value=busy),
                tr("longest gap {value}").format(value=number_text.duration(total["gap_ns"])),
            ]
        if self.choice.series:
            texts.append(tr("{n} counter series").format(n=len(self.choice.series)))
        return texts

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _show(self, found: tuple[pa.Table, pa.Table]) -> None:
        lanes, counters = found
        self._total = lanes.slice(lanes.num_rows - 1).to_pylist()[0]
        # All lanes together stand last; with one lane its own row says the same.
        several = lanes.num_rows > 2
        names = lanes.column("lane").to_pylist()
        names[-1] = tr("All lanes")
        lanes = lanes.set_column(0, "lane", pa.array(names))
        self.lanes.show_table(lanes if several else lanes.slice(0, lanes.num_rows - 1))
        self.counters.show_table(counters)
        self.lanes.setVisible(lanes.num_rows > 1)
        self.counters.setVisible(counters.num_rows > 0)
        self._stack.setCurrentIndex(1)
        self._draw_head()
        self.summary_changed.emit(self.summary_texts())

    def _draw_head(self) -> None:
        if self.choice is None or self._total is None:
            return
        store = self.context.store
        found = next((c for c in store.cards if c.name == self.choice.card), None)
        shift = store.shift_ns(self.choice.card) if found is not None else store.base_ns
        start, end = (number_text.ruler(t - shift) for t in (self.choice.start_ns, self.choice.end_ns))
        card = card_text(self.choice.card, found.alias if found else "")
        self.title.setText(f"{start} – {end} · {card}")
        self.summary.setText(" · ".join(self.summary_texts()))

    def _show_error(self, error: InsightError) -> None:
        self._total = None
        self._empty.set_texts(error.message, error.fix)
        self._stack.setCurrentIndex(0)
        self.summary_changed.emit([])

    def _store_changed(self) -> None:
        if self.choice is None:
            return
        if any(card.name == self.choice.card for card in self.context.store.cards):
            self.refresh()
        else:
            self.clear()

    def _translate(self) -> None:
        self.whole.setText(tr("Whole slices"))
        self.whole.setToolTip(tr("Slices that are partly inside count with their full length"))
        self.lanes.setAccessibleName(tr("Lanes of the range"))
        self.counters.setAccessibleName(tr("Counters of the range"))
        self.lanes.set_empty_text(tr("The range holds no lane with slices."))
        self._empty.set_texts(
            tr("No range selected"),
            tr("Drag over lanes in the timeline: count, sum, busy time and gaps of what lies inside are shown here."),
        )
        if self._total is not None:
            self.refresh()
