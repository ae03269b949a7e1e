"""Where cards stand on the axis when nobody has placed them, and how long the axis has to be."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import TimelineState


class Placing:
    """Default offsets of the cards of a timeline.

    Attributes:
        placed: cards whose offset the user or a session gave; it is never changed here.
        raw_time: cards that come later stay at their recorded time too.
    """

    def __init__(self, state: TimelineState) -> None:
        self.state = state
        self.placed: set[str] = set()
        self.raw_time = False
        self._given: dict[str, int] = {}

    def arrange(self, known: Collection[str]) -> None:
        """Let cards whose times do not overlap begin together, when there are others than the known ones."""
        store = self.state.context.store
        ready = [name for name, opened in self.state.cards.items() if opened.capture is not None]
        if self.raw_time or all(name in known for name in ready):
            return
        offsets = store.default_offsets()
        for name in ready:
            now = store.card(name).offset_ns
            if name not in self.placed and now == self._given.get(name, 0) and now != offsets[name]:
                self._given[name] = offsets[name]
                store.set_offset(name, offsets[name])

    def forget(self, card: str) -> None:
        """A card will not come back."""
        self.placed.discard(card)
        self._given.pop(card, None)

    def tell_store(self) -> None:
        """Let the store know the offsets of single lanes, so that tables and searches use the same times as the chart."""
        state, store = self.state, self.state.context.store
        known = {card.name: card for card in store.cards}
        for name, opened in state.cards.items():
            if opened.capture is None or name not in known:
                continue
            found: dict[int, int] = {}
            for unit in opened.units.values() if state.lane_offsets else ():
                own = state.lane_offsets.get(unit.second_key)
                if own is not None:
                    found.update(dict.fromkeys(unit.tracks, own))
            if found != known[name].lane_offsets:
                store.set_lane_offsets(name, found)

    def total_ns(self) -> int:
        """Length of the axis: to the end of the data, with room for lanes that were moved further right than their card."""
        state, more = self.state, 0
        for key, offset_ns in state.lane_offsets.items():
            unit = state.unit(key)
            if unit is not None:
                more = max(more, state.offset_ns(unit.card) - offset_ns)
        return state.context.store.range()[1] - state.base_ns + more
