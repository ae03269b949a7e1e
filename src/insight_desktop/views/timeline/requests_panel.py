"""The requests of a serving run below the Timeline: a list to search; choosing one follows it through the chart."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from insight_desktop.engine.service import requests
from insight_desktop.engine.store import Store
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.card_selector import fill_cards
from insight_desktop.views.common.context import RequestPlace
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP as text
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.timeline.state import TimelineState

COLUMNS = (
    ColumnSpec("rid", text("insight", "Request"), width=180),
    ColumnSpec("arrive_at", text("insight", "Arrival"), kind="time", width=160),
    ColumnSpec("e2e_ns", "E2E", unit="ms", kind="duration", width=110),
    ColumnSpec("queue_ns", text("insight", "Queue"), unit="ms", kind="duration", width=110),
    ColumnSpec("ttft_ns", "TTFT", unit="ms", kind="duration", width=110),
    ColumnSpec("tpot_ns", "TPOT", unit="ms", kind="duration", width=110),
    ColumnSpec("n_in", text("insight", "In"), kind="count", width=80),
    ColumnSpec("n_out", text("insight", "Out"), kind="count", width=80),
    ColumnSpec("preemptions", text("insight", "Preemptions"), kind="count", width=110),
    ColumnSpec("state", text("insight", "State"), width=110),
)


def listed(store: Store, *, card: str) -> pa.Table:
    """The requests of a run by arrival, with their arrival on the axis."""
    found = requests.list(store, card=card)
    begin = pc.coalesce(found["arrive_ns"], found["start_ns"])
    found = found.append_column("arrive_at", pc.subtract(begin, store.base_ns + store.card(card).offset_ns))
    return found.select([spec.name for spec in COLUMNS])


class RequestsPanel(QWidget):
    """Run, search field, table, and what can be done with the chosen request."""

    def __init__(self, state: TimelineState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.cards = Select()
        self.cards.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.field = QLineEdit()
        self.field.setClearButtonEnabled(True)
        self.field.setMaximumWidth(300)
        self.words = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.words.setProperty("level", "2")
        self.overview_button = parts.button("", "gauge", flat=True, click=self.show_overview)
        self.clear_button = parts.button("", "x", flat=True, click=lambda: state.trail.follow(None))
        self.table = ArrowTable(columns=COLUMNS, filter_row=False)
        self.table.setProperty("edge", "none")
        self._asker = Asker(state.context, self)
        self._shown: str | None = None
        row = parts.columns(margins=(10, 4, 6, 4), gap=8)
        row.addWidget(self.cards)
        row.addWidget(self.field)
        row.addWidget(self.words, 1)
        row.addWidget(self.overview_button)
        row.addWidget(self.clear_button)
        column = parts.rows(self)
        column.addLayout(row)
        column.addWidget(parts.line())
        column.addWidget(self.table, 1)
        self.cards.currentIndexChanged.connect(lambda _at: self._ask())
        self.field.textChanged.connect(lambda _text: self._search())
        self.field.returnPressed.connect(self._first)
        self.table.current_row_changed.connect(self._chosen)
        self.table.row_activated.connect(lambda _row: self.show_overview())
        self.table.rows_changed.connect(lambda _shown, _all: self._tell())
        state.trail.changed.connect(self._followed)
        state.context.store_changed.connect(self.refresh)
        self.retranslate()
        self.refresh()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.cards.setAccessibleName(tr("Instance"))
        self.field.setPlaceholderText(tr("Search requests"))
        self.field.setAccessibleName(tr("Search requests"))
        self.overview_button.setText(tr("Show in Overview"))
        self.clear_button.setText(tr("Follow none"))
        self.table.setAccessibleName(tr("Request List"))
        self.table.set_empty_text(tr("This run has no requests."))
        self._tell()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    # ---- what is listed ----------------------------------------------------------------------------------------------

    @property
    def card(self) -> str | None:
        """The run whose requests are listed."""
        found = self.cards.currentData()
        return str(found) if found is not None else None

    def refresh(self) -> None:
        """The runs there are now."""
        context = self.state.context
        fill_cards(self.cards, context.store.cards_of("service"), self.card or context.card)
        self._shown = None
        if self.isVisible():
            self._ask()

    def _ask(self) -> None:
        card = self.card
        if card is None:
            self.table.show_table(self.table.table.slice(0, 0))
        elif card != self._shown:
            self._shown = card
            self._asker.ask(listed, card=card, then=self._take, failed=self._failed)

    def _take(self, found: pa.Table) -> None:
        self.table.show_table(found)
        self._followed()

    def _failed(self, error: InsightError) -> None:
        self.table.set_empty_text(f"{say(error.message)} {say(error.fix)}")
        self.table.show_table(self.table.table.slice(0, 0))

    def _search(self) -> None:
        words = self.field.text().strip()
        if not words:
            self.table.set_passing(None)
            return
        self.table.set_passing(lambda table: pc.match_substring(table["rid"], words, ignore_case=True).to_numpy())

    def _first(self) -> None:
        """Enter in the field: the first one found."""
        rows = self.table.shown_rows()
        if self.table.model().rowCount():
            self.table.select_row(int(rows[0]) if rows is not None else 0)
            self.table.setFocus()

    def _tell(self) -> None:
        shown, every = self.table.model().rowCount(), self.table.table.num_rows
        place = self.state.trail.place
        counted = tr("{0} of {1} requests").format(number_text.count(shown), number_text.count(every))
        if place is not None:
            events = number_text.count(len(self.state.trail.ids))
            counted += "  ·  " + tr("following {0}: {1} events, [ and ] go through them").format(place.rid, events)
        self.words.set_text(counted)
        for button in (self.overview_button, self.clear_button):
            button.setEnabled(place is not None)

    # ---- the chosen request ------------------------------------------------------------------------------------------

    def _chosen(self, row: int) -> None:
        if row >= 0 and self.card is not None:
            self.state.trail.follow(RequestPlace(self.card, str(self.table.table["rid"][row].as_py())))

    def _followed(self) -> None:
        """Another request is followed: its row becomes current."""
        place = self.state.trail.place
        if place is not None and place.card == self.card and self.table.table.num_rows:
            row = pc.index(self.table.table["rid"], pa.scalar(place.rid)).as_py()
            if row != self.table.current_row():
                with QSignalBlocker(self.table):
                    self.table.select_row(row)
        elif place is None:
            with QSignalBlocker(self.table):
                self.table.select_row(-1)
        self._tell()

    def show_overview(self) -> None:
        """The followed request on the Overview."""
        if self.state.trail.place is not None:
            self.state.context.request_wanted.emit(self.state.trail.place)

    # ---- session -----------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Search and order, for the session file."""
        return {"search": self.field.text(), "table": self.table.view_state()}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave."""
        self.field.setText(str(state.get("search") or ""))
        if isinstance(state.get("table"), dict):
            self.table.restore_state(state["table"])
