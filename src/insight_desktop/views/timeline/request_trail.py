"""The request of a serving run that the Timeline follows: its events are framed and joined, everything else is dimmed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from insight_desktop.engine.service import timeline as queries
from insight_desktop.engine.service.model import opened
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.filter_capture import FilteredCapture
from insight_desktop.errors import InsightError
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import RequestPlace
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.timeline.filter_state import Light

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import TimelineState


@dataclass(frozen=True, eq=False)
class Trail:
    """Name of a request, ids of its events in order of time, and its slices as all that is lit on their card."""

    rid: str
    ids: list[int]
    light: Light


def look(store: Store, *, card: str, rid: str) -> Trail:
    """The events of a request."""
    rid = queries.name_of(opened(store, card), rid)
    ids = queries.events(store, rid=rid, card=card)["id"].to_pylist()
    capture = store.capture(card)
    mask = np.zeros(len(capture.slice_start), np.bool_)
    mask[ids] = True
    return Trail(rid, ids, Light(None, FilteredCapture(capture, mask)))


class RequestTrail(QObject):
    """The followed request of one timeline.

    Signals:
        changed: another request is followed, or none.
    """

    changed = Signal()

    def __init__(self, state: TimelineState) -> None:
        super().__init__(state)
        self.state = state
        self.place: RequestPlace | None = None
        self.ids: list[int] = []
        self._asker = Asker(state.context, self)
        state.context.request_chosen.connect(self.follow)
        state.context.store_changed.connect(self._check)

    def follow(self, place: RequestPlace | None) -> None:
        """Follow a request, or none."""
        if place == self.place:
            return
        self.place = place
        if place is None:
            self._asker.forget(look)
            self._take(None)
        else:
            self._asker.ask(look, card=place.card, rid=place.rid, then=self._take, failed=self._failed)

    def _take(self, found: Trail | None) -> None:
        if found is not None and self.place is not None:
            self.place = RequestPlace(self.place.card, found.rid)
        place = self.place
        self.ids = found.ids if found is not None else []
        lights = {place.card: found.light} if found is not None and place is not None and found.ids else {}
        self.state.filter.set_focus(lights)
        self.state.context.chain_shown.emit(place.card if place is not None and self.ids else "", self.ids)
        self.changed.emit()

    def _failed(self, error: InsightError) -> None:
        self.place = None
        self._take(None)
        self.state.context.message.emit("warning", say(error.message), say(error.fix))

    def step(self, by: int) -> int | None:
        """The request's next or previous event: after the selected slice, else its first or last one; None at the end."""
        if self.place is None or not self.ids:
            return None
        chosen = self.state.selected
        if chosen is None or chosen.card != self.place.card:
            return self.ids[0 if by > 0 else -1]
        if chosen.id in self.ids:
            at = self.ids.index(chosen.id) + by
            return self.ids[at] if 0 <= at < len(self.ids) else None
        capture = self.state.capture(chosen.card)
        if capture is None:
            return None
        stamps = np.asarray(capture.slice_start)[self.ids]
        at = int(np.searchsorted(stamps, chosen.start_ns, "right" if by > 0 else "left")) - (by < 0)
        return self.ids[at] if 0 <= at < len(self.ids) else None

    def _check(self) -> None:
        if self.place is not None and self.state.capture(self.place.card) is None:
            self.follow(None)
