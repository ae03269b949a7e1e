"""What the Timeline does about cards that come by themselves: the baseline of another project, and captured graphs.

A baseline goes with everything that was arranged on it. Streams of one captured graph are merged when their card opens.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from insight_desktop.views.timeline.state import TimelineState


class Guests(QObject):
    """Listens for one timeline."""

    def __init__(self, state: TimelineState) -> None:
        super().__init__(state)
        self.state = state
        state.context.card_forgotten.connect(self.forget)

    def forget(self, card: str) -> None:
        """A card will not come back: its pins, hidden and open lanes, offsets, merged lanes and flags go."""
        state, arrangement = self.state, self.state.arrangement

        def other(key: str) -> bool:
            return key != card and not key.startswith(f"{card}/")

        arrangement.pinned = [key for key in arrangement.pinned if other(key)]
        arrangement.hidden = set(filter(other, arrangement.hidden))
        arrangement.opened = set(filter(other, arrangement.opened))
        arrangement.closed = set(filter(other, arrangement.closed))
        state.lane_offsets = {key: ns for key, ns in state.lane_offsets.items() if other(key)}
        state.merges.groups = [group for group in state.merges.groups if all(map(other, group))]
        state.shown_cards.discard(card)
        state.placing.forget(card)
        state.flags.forget_card(card)
        lead = state.modes.lead
        if lead is not None and lead.card == card:
            state.modes.set_lead(None)
        state.lay_out()
        state.context.view_changed.emit()
