"""Going from step to step, from one slice of a name to the next, and to the matching slice of another card."""

from __future__ import annotations

from typing import Literal

import numpy as np
from PySide6.QtCore import QObject

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.card_compare import partner
from insight_desktop.engine.timeline.lane_kinds import named
from insight_desktop.engine.timeline.steps import step_beside
from insight_desktop.views.common import number_text
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Jump
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.state import TimelineState


def beside(store: Store, *, card: str, slice_id: int, by: Literal[-1, 1]) -> tuple[int | None, int, int]:
    """The next (1) or previous (-1) slice of the name of a slice, by start; its place from 1, and how many there are."""
    capture = store.capture(card)
    same = named(capture, capture.text(int(capture.slice_name[slice_id])))
    at = int(np.flatnonzero(same == slice_id)[0]) + by
    found = int(same[at]) if 0 <= at < len(same) else None
    return found, at + 1, len(same)


def other_side(store: Store, *, card: str, slice_id: int) -> tuple[str, int] | None:
    """The slice of the next card that matches one: same lane, same name, same place; None without one."""
    names = [c.name for c in store.cards]
    at = names.index(card)
    for name in names[at + 1 :] + names[:at]:
        found = partner(store, card=card, slice_id=slice_id, other=name)
        if found is not None:
            return name, found
    return None


def card_of_steps(state: TimelineState) -> str | None:
    """The card whose steps are meant: that of the selected slice, else the current one, else the first."""
    card = state.selected.card if state.selected is not None else state.context.card or state.first_card
    if card is not None and state.capture(card) is None:
        card = state.first_card
    return card


class Steps(QObject):
    """The jumps, asked off the window's thread."""

    def __init__(self, state: TimelineState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self._asker = Asker(state.context, self)

    def go_step(self, by: Literal[-1, 1]) -> None:
        """Show the next or previous step of the current card, from the middle of the view; of all time the first or last."""
        card, viewport = card_of_steps(self.state), self.state.viewport
        if card is not None:
            is_whole = viewport.span_ns >= viewport.total_ns
            at = viewport.view.time_at(0.5, 1) if not is_whole else -1 if by > 0 else round(viewport.total_ns) + 1
            self._asker.ask(step_beside, card=card, at_ns=at, by=by, axis=True, then=self._show_step)

    def go_name(self, by: Literal[-1, 1]) -> None:
        """Select the next or previous slice of the name of the selected one."""
        chosen = self.state.selected
        if chosen is not None and chosen.kind == "slice":
            self._asker.ask(
                beside,
                card=chosen.card,
                slice_id=chosen.id,
                by=by,
                then=lambda found: self._show_name(chosen.card, found),
            )

    def go_other(self) -> None:
        """Select the matching slice of the next card."""
        chosen = self.state.selected
        if chosen is not None and chosen.kind == "slice":
            self._asker.ask(other_side, card=chosen.card, slice_id=chosen.id, then=self._show_other)

    def _show_step(self, found: tuple[int, int] | None) -> None:
        if found is None:
            self.state.context.status.emit([tr("There is no further step.")])
            return
        self.state.viewport.settle()
        self.state.viewport.show(*found)
        self.state.context.status.emit([tr("Training step"), number_text.duration(found[1] - found[0])])

    def _show_name(self, card: str, found: tuple[int | None, int, int]) -> None:
        slice_id, place, count = found
        if slice_id is None:
            self.state.context.status.emit([tr("There is no further slice of this name.")])
            return
        self.state.context.jump.emit(Jump(card, slice_id=slice_id))
        text = tr("{at} of {n} of this name").format(at=number_text.count(place), n=number_text.count(count))
        self.state.context.status.emit([text])

    def _show_other(self, found: tuple[str, int] | None) -> None:
        if found is None:
            self.state.context.status.emit([tr("No other card has a matching slice.")])
        else:
            self.state.context.jump.emit(Jump(found[0], slice_id=found[1]))
