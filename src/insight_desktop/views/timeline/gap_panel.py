"""Why is this time free? The causes of an idle stretch of a device, each with the slices that prove it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QSplitter, QWidget

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.gaps import gaps, working_tracks
from insight_desktop.engine.timeline.why_free import why_free
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Jump
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.timeline.bands import fixed_colour
from insight_desktop.views.timeline.state import TimelineState
from insight_desktop.views.timeline.times import part_of, shift_of_tracks

MOST_GAPS = 1000
CAUSES = {
    "device busy": QT_TRANSLATE_NOOP("insight", "Device busy"),
    "waiting for rank": QT_TRANSLATE_NOOP("insight", "Waiting for another rank"),
    "communication": QT_TRANSLATE_NOOP("insight", "Communication"),
    "memcpy": QT_TRANSLATE_NOOP("insight", "Memory copy"),
    "gc": QT_TRANSLATE_NOOP("insight", "Garbage collector"),
    "synchronisation": QT_TRANSLATE_NOOP("insight", "Synchronisation"),
    "host busy": QT_TRANSLATE_NOOP("insight", "Host busy"),
    "queue empty": QT_TRANSLATE_NOOP("insight", "Nothing submitted"),
    "dispatch": QT_TRANSLATE_NOOP("insight", "Dispatch of the next task"),
    "unknown": QT_TRANSLATE_NOOP("insight", "Not seen"),
}
_GAP_COLUMNS = (
    ColumnSpec("start_ns", "Start Time", kind="time", width=150),
    ColumnSpec("dur_ns", "Duration", "µs", kind="duration", width=120),
)
_CAUSE_COLUMNS = (
    ColumnSpec("cause", "Cause", width=190),
    ColumnSpec("rank", "Rank", width=60),
    ColumnSpec("share_ns", "Time", "µs", kind="duration", width=110),
    ColumnSpec("share_ratio", "Share", kind="percent", width=80),
    ColumnSpec("name", "Evidence", kind="link", width=320),
    ColumnSpec("dur_ns", "Duration", "µs", kind="duration", width=110),
    ColumnSpec("card", "Card", width=90),
)


@dataclass(frozen=True)
class Gap:
    """A stretch of raw time of a card."""

    card: str
    from_ns: int
    to_ns: int


def idle(store: Store, *, card: str, from_ns: int | None, to_ns: int | None) -> pa.Table:
    """The longest stretches in which no device lane of a card works: from_ns, to_ns, dur_ns, start_ns (axis time)."""
    tracks = working_tracks(store.capture(card))
    found = gaps(store, card=card, tracks=tracks, from_ns=from_ns, to_ns=to_ns).slice(0, MOST_GAPS)
    shift = shift_of_tracks(store, card, tracks)
    return found.append_column("start_ns", pa.array(found["from_ns"].to_numpy() - shift))


def evidence(store: Store, *, gap: Gap) -> pa.Table:
    """Causes of a gap, one row per slice that proves them: cause, rank, share_ns, share_ratio, name, dur_ns, card, id.

    Of a cause with several slices, only the first row has the share; a cause without slices is one row.
    """
    rows: list[dict[str, Any]] = []
    for cause in why_free(store, card=gap.card, from_ns=gap.from_ns, to_ns=gap.to_ns).to_pylist():
        head = {key: cause[key] for key in ("cause", "rank", "share_ns", "share_ratio")}
        capture = store.capture(cause["card"])
        found = list(zip(cause["ids"], cause["names"], strict=True)) or [(None, None)]
        for number, (slice_id, name) in enumerate(found):
            shown = head if not number else {"cause": cause["cause"], "rank": cause["rank"]}
            length = None
            if slice_id is not None:
                length = int(capture.slice_end[slice_id]) - int(capture.slice_start[slice_id])
            rows.append({**shown, "name": name, "dur_ns": length, "card": cause["card"], "id": slice_id})
    schema = pa.schema(
        [
            ("cause", pa.string()), ("rank", pa.string()), ("share_ns", pa.int64()), ("share_ratio", pa.float64()),
            ("name", pa.string()), ("dur_ns", pa.int64()), ("card", pa.string()), ("id", pa.int64()),
        ]
    )  # fmt: skip
    return pa.Table.from_pylist(rows, schema)


def gap_of(state: TimelineState) -> Gap | None:
    """What is asked about: the range, a Free slice, or the idle time before the selected slice on its depth row."""
    if state.range is not None:
        part = part_of(state, state.range)
        return Gap(part.card, part.from_ns, part.to_ns)
    chosen = state.selected
    capture = state.capture(chosen.card) if chosen is not None else None
    if chosen is None or capture is None or chosen.kind != "slice":
        return None
    unit = state.unit_of_track(chosen.card, chosen.track)
    if unit is not None and unit.title == "Free" and fixed_colour(unit, capture):
        return Gap(chosen.card, chosen.start_ns, chosen.end_ns)
    lane = capture.lane_of(chosen.id)
    if chosen.id == int(capture.lane_offset[lane]):
        return None
    before = int(np.asarray(capture.slice_end)[chosen.id - 1])
    return Gap(chosen.card, before, chosen.start_ns) if before < chosen.start_ns else None


class GapPanel(QWidget):
    """Idle stretches at the left, the causes of the one in question at the right; follows the selection when shown."""

    def __init__(self, state: TimelineState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.gap: Gap | None = None
        self.card: str | None = None
        self._asker = Asker(state.context, self)
        self.title = QLabel()
        self.title.setProperty("strong", "true")
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.gaps = ArrowTable(columns=_GAP_COLUMNS, filter_row=False)
        self.causes = ArrowTable(columns=_CAUSE_COLUMNS, filter_row=False)
        self.gaps.current_row_changed.connect(self._gap_chosen)
        self.gaps.row_activated.connect(self._show_gap)
        self.causes.row_activated.connect(self._jump)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        for table in (self.gaps, self.causes):
            table.setProperty("edge", "none")
            split.addWidget(table)
        split.setSizes([320, 1000])
        head = parts.columns(margins=(12, 6, 12, 6))
        head.addWidget(self.title, 1)
        box = parts.rows(self)
        box.addLayout(head)
        box.addWidget(split, 1)
        for signal in (state.selection_changed, state.range_changed, state.context.store_changed):
            signal.connect(self._changed)
        self._translate()

    def refresh(self) -> None:
        """Ask about what is selected now."""
        asked = gap_of(self.state)
        card = asked.card if asked is not None else self.state.context.card or self.state.first_card
        if card is None or self.state.capture(card) is None:
            return
        self.card = card
        span = (asked.from_ns, asked.to_ns) if asked is not None and self.state.range is not None else (None, None)
        self._asker.ask(idle, card=card, from_ns=span[0], to_ns=span[1], then=self._show_idle, failed=self._failed)
        self.ask(asked)

    def ask(self, gap: Gap | None) -> None:
        """Ask about a stretch of time."""
        self.gap = gap
        self._translate()
        if gap is None:
            self._asker.forget(evidence)
            self.causes.show_table(self.causes.table.slice(0, 0))
        else:
            self._asker.ask(evidence, gap=gap, then=self._show, failed=self._failed)

    def copy(self) -> None:
        """Put the causes on the clipboard."""
        self.causes.copy(selected_only=False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        self._asker.forget(evidence)
        self._asker.forget(idle)
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            self.ask(self.gap)
        super().changeEvent(event)

    def _changed(self) -> None:
        if self.isVisible() and (gap_of(self.state) is not None or self.gap is None):
            self.refresh()

    def _gap_chosen(self, row: int) -> None:
        if row >= 0 and self.card is not None:
            found = self.gaps.row(row)
            self.ask(Gap(self.card, found["from_ns"], found["to_ns"]))

    def _show_idle(self, found: pa.Table) -> None:
        self.gaps.set_empty_text(tr("The device is never idle here."))
        self.gaps.show_table(found)

    def _show_gap(self, row: int) -> None:
        if self.card is not None:
            found = self.gaps.row(row)
            self.state.context.jump.emit(Jump(self.card, start_ns=found["from_ns"], end_ns=found["to_ns"]))

    def _show(self, found: pa.Table) -> None:
        texts = pa.array([tr(CAUSES.get(cause, cause)) for cause in found["cause"].to_pylist()], pa.string())
        self.causes.show_table(found.set_column(0, "cause", texts))

    def _jump(self, row: int) -> None:
        found = self.causes.row(row)
        if found["id"] is not None:
            self.state.context.jump.emit(Jump(found["card"], slice_id=found["id"]))

    def _failed(self, error: InsightError) -> None:
        self.title.setText(f"{error.message} {error.fix}".strip())

    def _translate(self) -> None:
        self.gaps.setAccessibleName(tr("Idle stretches of the device"))
        self.causes.setAccessibleName(tr("Causes and evidence"))
        self.causes.set_empty_text(tr("Choose an idle stretch, a Free slice, or a range."))
        if self.gap is None:
            self.title.setText(tr("Why is this time free?"))
            return
        store = self.state.context.store
        shift = shift_of_tracks(store, self.gap.card, working_tracks(store.capture(self.gap.card)))
        text = tr("Why are {span} free at {start} on {card}?")
        self.title.setText(
            text.format(
                span=number_text.duration(self.gap.to_ns - self.gap.from_ns),
                start=number_text.ruler(self.gap.from_ns - shift),
                card=self.state.card_title(self.gap.card),
            )
        )
