"""Slice List: the slices of a selected range by name, their totals, and the slices of one name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import QCheckBox, QSplitter, QStackedWidget, QWidget

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import timeline
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts, theme
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.empty_text import EmptyText
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.totals_row import TotalsRow
from insight_desktop.views.timeline.range_panel import RangeChoice
from insight_desktop.views.timeline.slice_list_name import NamePane
from insight_desktop.views.timeline.state import card_text

_COLUMNS = (
    ColumnSpec("name", "Name"),
    ColumnSpec("count", "Count", kind="count", tooltip="Occurrences: slices that touch the range"),
    ColumnSpec("sum_ns", "Sum", "ms", kind="duration", tooltip="Wall Duration: nested and overlapping slices are added up"),
    ColumnSpec("self_ns", "Self", "ms", kind="duration", tooltip="Self Time: without the slices one row deeper that lie inside"),
    ColumnSpec("avg_ns", "Avg", "ms", kind="duration", tooltip="Average Wall Duration"),
    ColumnSpec("min_ns", "Min", "ms", kind="duration", tooltip="Min Wall Duration"),
    ColumnSpec("max_ns", "Max", "ms", kind="duration", tooltip="Max Wall Duration"),
    ColumnSpec("p50_ns", "P50", "ms", kind="duration", tooltip="Half of the slices are not longer"),
    ColumnSpec("p95_ns", "P95", "ms", kind="duration", tooltip="95 of 100 slices are not longer"),
    ColumnSpec("busy_ratio", "Busy", kind="percent", bar=True, tooltip="Part of the range in which at least one slice of the name runs"),
)  # fmt: skip


@dataclass(frozen=True)
class Listed:
    """Names of a range with their figures and colours, and the exact totals of all of them."""

    table: pa.Table
    totals: dict[str, Any]


def listed(store: Store, *, choice: RangeChoice, whole: bool) -> Listed:
    """The Slice List of a range: columns of `slice_list`, busy_ratio (of the range) and the colour hash of each name."""
    where = question_of(choice, whole)
    table = timeline.slice_list(store, **where)
    span = max(choice.end_ns - choice.start_ns, 1)
    table = table.append_column("busy_ratio", pc.divide(pc.cast(table.column("busy_ns"), pa.float64()), float(span)))
    total = timeline.slice_list_totals(store, **where).to_pylist()[0]
    total["busy_ratio"] = total["busy_ns"] / span
    return Listed(table.append_column("hash", _hashes(store, choice.card, table.column("name"))), total)


def question_of(choice: RangeChoice, whole: bool) -> dict[str, Any]:
    """The arguments of the Slice List queries for a range."""
    return {
        "card": choice.card, "tracks": choice.tracks, "from_ns": choice.start_ns, "to_ns": choice.end_ns,
        "clip": not whole, "row_lo": choice.row_lo, "row_hi": choice.row_hi,
    }  # fmt: skip


def _hashes(store: Store, card: str, names: pa.ChunkedArray) -> pa.Array:
    capture = store.capture(card)
    if not len(capture.string_hash):
        return pa.array(np.zeros(len(names), np.uint64))
    at = pc.index_in(names, value_set=capture.strings).combine_chunks()
    return pa.array(np.asarray(capture.string_hash)[at.to_numpy(zero_copy_only=False)])


class SliceListPanel(QWidget):
    """Names of a range at the left, slices and histogram of the current name at the right. Asks only while it is shown.

    Signals:
        whole_changed: the switch "Whole slices" was set.
    """

    whole_changed = Signal(bool)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.choice: RangeChoice | None = None
        self.found: Listed | None = None
        self._is_stale = False
        self._hash: dict[str, int] = {}
        self.colour_of: Callable[[str, str], QColor | None] | None = None  # card and name
        self._asker = Asker(context, self)
        self.title, self.summary = parts.label(strong=True), parts.label(level=2)
        for label in (self.title, self.summary):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.whole = QCheckBox()
        self.whole.toggled.connect(self._whole_toggled)
        self.table = ArrowTable(columns=_COLUMNS)
        self.table.setProperty("edge", "none")
        self.table.set_swatch(self._swatch)
        self.table.current_row_changed.connect(self._name_chosen)
        self.table.rows_changed.connect(lambda _shown, _all: self._tell_totals())
        self.totals = TotalsRow(
            self.table, {"count": "sum", "sum_ns": "sum", "self_ns": "sum", "min_ns": "min", "max_ns": "max"}, self
        )
        self.pane = NamePane(context)
        self._build()
        context.store_changed.connect(self._store_changed)
        theme.notifier.changed.connect(self.recolour)
        self._translate()

    def _build(self) -> None:
        left = QWidget()
        column = parts.rows(left)
        column.addWidget(self.table, 1)
        column.addWidget(self.totals)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.pane)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([900, 380])
        content = QWidget()
        content.setObjectName("surface")
        content.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head = parts.columns(margins=(12, 4, 12, 4), gap=16)
        head.addWidget(self.title)
        head.addWidget(self.summary, 1)
        head.addWidget(self.whole)
        inner = parts.rows(content)
        inner.addLayout(head)
        inner.addWidget(self.splitter, 1)
        self._empty = EmptyText()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(content)
        parts.rows(self).addWidget(self._stack)

    # ---- what is asked -----------------------------------------------------------------------------------------------

    def show_range(self, choice: RangeChoice) -> None:
        """Show the slices of a range of raw times."""
        if choice != self.choice:
            self.choice = choice
            self.refresh()

    def refresh(self) -> None:
        """Range, data or the switch changed: ask again, now or when the panel is shown."""
        self._is_stale = self.choice is not None
        if self._is_stale and self.isVisible():
            self._ask()

    def _ask(self) -> None:
        if self.choice is not None:
            self._is_stale = False
            whole = self.whole.isChecked()
            self._asker.ask(listed, choice=self.choice, whole=whole, then=self._show, failed=self._show_error)

    def clear(self) -> None:
        """The data of the range are gone."""
        self._asker.forget(listed)
        self.choice, self.found, self._is_stale = None, None, False
        self._stack.setCurrentIndex(0)
        self._translate()

    def set_whole(self, whole: bool) -> None:
        """Set the switch without telling."""
        if whole != self.whole.isChecked():
            blocked = self.whole.blockSignals(True)
            self.whole.setChecked(whole)
            self.whole.blockSignals(blocked)
            self.refresh()

    def copy(self) -> None:
        """Put the names as shown on the clipboard."""
        self.table.copy(selected_only=False)

    def view_state(self) -> dict[str, Any]:
        """Arrangement of the table, for the session file."""
        return {"table": self.table.view_state()}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave."""
        if isinstance(state.get("table"), dict):
            self.table.restore_state(state["table"])

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._ask()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    # ---- answers -----------------------------------------------------------------------------------------------------

    def _show(self, found: Listed) -> None:
        if self.choice is None:
            return
        self.found = found
        names = found.table.column("name").to_pylist()
        self._hash = dict(zip(names, found.table.column("hash").to_pylist(), strict=True))
        before = self.pane.name
        self.table.show_table(found.table)
        self._tell_head()
        self._tell_totals()
        self._stack.setCurrentIndex(1 if names else 0)
        self._translate_empty()
        if names:
            self.table.select_row(names.index(before) if before in self._hash else self._first_row())
            self._name_chosen(self.table.current_row())

    def _first_row(self) -> int:
        rows = self.table.shown_rows()
        return 0 if rows is None or not len(rows) else int(rows[0])

    def _name_chosen(self, row: int) -> None:
        if row < 0 or self.choice is None or self.found is None:
            return
        name = self.found.table.column("name")[row].as_py()
        self.pane.show_name(self.choice, self.whole.isChecked(), name, self._colour(name))

    def _tell_head(self) -> None:
        if self.choice is None or self.found is None:
            return
        store, choice, total = self.context.store, self.choice, self.found.totals
        card = next((c for c in store.cards if c.name == choice.card), None)
        shift = store.shift_ns(choice.card) if card is not None else store.base_ns
        start, end = (number_text.ruler(t - shift) for t in (choice.start_ns, choice.end_ns))
        self.title.setText(f"{card_text(choice.card, card.alias if card else '')} · {start} – {end}")
        busy = f"{number_text.duration(total['busy_ns'])} ({number_text.percent(total['busy_ratio'])})"
        lanes = len(choice.tracks)
        texts = [
            tr("1 lane") if lanes == 1 else tr("{n} lanes").format(n=number_text.count(lanes)),
            tr("{n} slices").format(n=number_text.count(total["count"])),
            tr("sum {value}").format(value=number_text.duration(total["sum_ns"])),
            tr("busy {value}").format(value=busy),
        ]
        self.summary.setText(" · ".join(texts))

    def _tell_totals(self) -> None:
        """Exact totals for all names; sums alone when a filter leaves some out, because busy times overlap."""
        if self.found is None or self.table.table is not self.found.table:
            return
        rows = self.table.shown_rows()
        every = self.found.table.num_rows
        if rows is None or len(rows) == every:
            total = {k: v for k, v in self.found.totals.items() if k != "name"}
            text = tr("Totals: {n} names").format(n=number_text.count(every))
            self.totals.set_values(total, text)
            return
        count, spent = (
            pc.sum(self.found.table.column(c).take(pa.array(rows))).as_py() or 0 for c in ("count", "sum_ns")
        )
        text = tr("{n} of {m} names · {k} of {l} slices").format(
            n=number_text.count(len(rows)), m=number_text.count(every), k=number_text.count(count),
            l=number_text.count(self.found.totals["count"]),
        )  # fmt: skip
        self.totals.set_values({"avg_ns": spent // count if count else None}, text)

    def _show_error(self, error: InsightError) -> None:
        self.found = None
        self._empty.set_texts(error.message, error.fix)
        self._stack.setCurrentIndex(0)

    # ---- looks -------------------------------------------------------------------------------------------------------

    def _colour(self, name: str) -> QColor:
        own = self.colour_of(self.choice.card, name) if self.colour_of is not None and self.choice is not None else None
        return own or QColor.fromRgba(int(theme.slices()[self._hash.get(name, 0) % 24]))

    def _swatch(self, column: str, value: Any) -> QColor | None:
        return self._colour(value) if column == "name" else None

    def recolour(self) -> None:
        """Names have other colours."""
        self.table.viewport().update()
        if self.pane.name is not None:
            self.pane.set_colour(self._colour(self.pane.name))

    def _whole_toggled(self, whole: bool) -> None:
        self.refresh()
        self.whole_changed.emit(whole)

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
        self.table.setAccessibleName(tr("Names of the range"))
        self.totals.setToolTip(
            tr("Lanes that show the same time twice count twice in the sum; busy joins the intervals of all slices.")
        )
        self._translate_empty()
        self._tell_head()
        self._tell_totals()

    def _translate_empty(self) -> None:
        if self.found is not None:
            self._empty.set_texts(
                tr("No slices in the range"), tr("The selected lanes have no slice between its edges.")
            )
        else:
            self._empty.set_texts(
                tr("No range selected"),
                tr("Drag over lanes in the timeline: their slices are listed here by name, with sums and percentiles."),
            )
