"""The request behind a slice of a serving run: its recorded row, its figures, and the ways to it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from insight_desktop.engine.service import requests, tables
from insight_desktop.engine.service import timeline as queries
from insight_desktop.engine.service.model import opened
from insight_desktop.engine.store import Store
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context, RequestPlace
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.key_values import Fact, KeyValues
from insight_desktop.views.common.language import tr

_FIGURES = (("TTFT", "ttft_ns"), ("TPOT", "tpot_ns"), ("E2E", "e2e_ns"), ("Queue", "queue_ns"))


def look(store: Store, *, card: str, rid: str) -> dict[str, Any]:
    """Name, recorded row (None without one) and derived figures of a request."""
    rid = queries.name_of(opened(store, card), rid)
    try:
        recorded: dict[str, Any] | None = tables.link(store, rid=rid, card=card).to_pylist()[0]
    except InsightError:
        recorded = None  # runs without result tables have the figures of the events only
    found = [row for row in requests.list(store, card=card, rid=rid).to_pylist() if row["rid"] == rid]
    return {"rid": rid, "recorded": recorded, "derived": found[0] if found else None}


class RequestBox(QFrame):
    """Shows one request.

    Signals:
        closed: it is not wanted any longer.
    """

    closed = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.context = context
        self.place: RequestPlace | None = None
        self._found: dict[str, Any] | None = None
        self._asker = Asker(context, self)
        self.title = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.title.setProperty("strong", "true")
        self.button = parts.button("", "gauge", flat=True, click=self._show)
        self.facts = KeyValues()
        head = parts.columns(margins=(10, 3, 6, 3))
        head.addWidget(self.title, 1)
        head.addWidget(self.button)
        self.close_button = parts.icon_button("x", click=self.closed.emit)
        head.addWidget(self.close_button)
        column = parts.rows(self)
        column.addLayout(head)
        column.addWidget(parts.line())
        column.addWidget(self.facts, 1)
        self._translate()

    def show_request(self, place: RequestPlace) -> None:
        """Show a request."""
        self.place = place
        self.title.set_text(tr("Request {0}").format(place.rid))
        self._asker.ask(look, card=place.card, rid=place.rid, then=self._take, failed=self._failed)

    def _take(self, found: dict[str, Any]) -> None:
        self._found = found
        if self.place is not None:
            self.place = RequestPlace(self.place.card, found["rid"])
            self.title.set_text(tr("Request {0}").format(found["rid"]))
        facts = []
        derived, recorded = found["derived"], found["recorded"]
        if derived is not None:
            for title, key in _FIGURES:
                value = derived[key]
                text = number_text.duration(value) if value is not None else number_text.MISSING
                facts.append(Fact(tr(title), text))
        else:
            facts.append(Fact(tr("Events"), tr("No events of it are known.")))
        if recorded is None:
            facts.append(Fact(tr("Recorded"), tr("No recorded row")))
        for key, value in (recorded or {}).items():
            facts.append(Fact(key, number_text.MISSING if value in (None, "") else str(value)))
        self.facts.set_facts(facts)

    def _failed(self, error: InsightError) -> None:
        self.facts.set_facts([Fact(tr("Error"), f"{say(error.message)} {say(error.fix)}")])

    def _show(self) -> None:
        if self.place is not None:
            self.context.request_wanted.emit(self.place)

    def _translate(self) -> None:
        self.button.setText(tr("Show in Overview"))
        parts.set_tip(self.close_button, tr("Back to the linked slices"))
        self.facts.setAccessibleName(tr("Facts of the request"))
        if self.place is not None:
            self.title.set_text(tr("Request {0}").format(self.place.rid))
        if self._found is not None:
            self._take(self._found)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "facts"):
            self._translate()
        super().changeEvent(event)
