"""Where a chain of links ends at a collective of one card, it goes on at the same collective of the next open card."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from insight_desktop import schema
from insight_desktop.engine.timeline.align_collectives import same_collective
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.state import Selected, TimelineState


class Hops(QObject):
    """The way over the cards: forward by their order, back to where it came from.

    Signals:
        arrived: the same collective on another card.
    """

    arrived = Signal(object)

    def __init__(self, state: TimelineState) -> None:
        super().__init__(state)
        self.state = state
        self._way: list[tuple[str, int]] = []  # card and slice of every stop, the last one where the way has come to
        self._asker = Asker(state.context, self)

    def back(self, chosen: Selected) -> bool:
        """Go back to the card from which the selected slice was reached; whether there is such a card."""
        if self._way and self._way[-1] != (chosen.card, chosen.id):
            self._way.clear()
        if len(self._way) < 2:
            return False
        self._way.pop()
        found = self.state.slice(*self._way[-1])
        if found is None:
            self._way.clear()
            return False
        self._asker.forget(same_collective)
        self._go(found)
        return True

    def hop(self, chosen: Selected, by: int) -> None:
        """From a collective at the end of its chain go to the next card (1) or the one before (-1) that has it too."""
        names = [name for name, opened in self.state.cards.items() if opened.capture is not None]
        at = names.index(chosen.card) if chosen.card in names else len(names)
        others = names[at + 1 :] if by > 0 else names[:at][::-1]
        if not others or not self._is_communication(chosen):
            self._end()
            return
        self._asker.ask(
            same_collective, card=chosen.card, slice_id=chosen.id, others=others,
            then=lambda found: self._found(chosen, by, found),
        )  # fmt: skip

    def _found(self, chosen: Selected, by: int, place: tuple[str, int] | None) -> None:
        if self.state.selected != chosen:
            return  # the user went elsewhere meanwhile
        found = self.state.slice(*place) if place is not None else None
        if found is None:
            self._end()
            return
        here = (chosen.card, chosen.id)
        if by > 0:
            before = self._way if self._way and self._way[-1] == here else [here]
            self._way = [*before, (found.card, found.id)]
        else:
            self._way = []
        self._go(found)

    def _go(self, found: Selected) -> None:
        self.arrived.emit(found)
        text = tr("The same collective on {card}: {name}")
        self.state.context.status.emit([text.format(card=self.state.card_title(found.card), name=found.name)])

    def _end(self) -> None:
        self.state.context.status.emit([tr("There is no further link.")])

    def _is_communication(self, chosen: Selected) -> bool:
        capture = self.state.capture(chosen.card)
        if capture is None or chosen.kind != "slice":
            return False
        return bool(capture.tracks["role"][chosen.track].as_py() == schema.ROLE_GROUP)
