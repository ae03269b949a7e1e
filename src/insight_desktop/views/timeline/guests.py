"""What the Timeline does about cards that come and go by themselves.

A baseline goes with everything that was arranged on it. Streams of one captured graph are merged when their card opens,
once: whoever unmerges them keeps them apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from insight_desktop.engine.timeline import merge
from insight_desktop.views.common.ask import Background
from insight_desktop.views.timeline.state import TimelineState


class Guests(Background):
    """Listens for one timeline."""

    def __init__(self, state: TimelineState, parent: QWidget) -> None:
        super().__init__(parent)
        self.state = state
        self._looked: set[str] = set()  # cards whose streams were looked at
        state.context.card_forgotten.connect(self.forget)

    # ---- captured graphs ---------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Look which streams of new cards run one captured graph; they are merged when the answer is there."""
        for name, opened in self.state.cards.items():
            capture = opened.capture
            if capture is None or name in self._looked:
                continue
            self._looked.add(name)
            card = self.state.context.store.card(name)
            self.run(
                f"graphs of {name}",
                partial(merge.automatic, card, capture),
                then=partial(self._merge, name),
                failed=lambda _error: None,  # unmerged streams are right too
            )

    def _merge(self, card: str, found: Iterable[tuple[int, ...]]) -> None:
        """Merge the streams of each graph, unless the user has merged one of them already."""
        merges = self.state.merges
        taken = {key for group in merges.groups for key in group}
        new = []
        for tracks in found:
            units = [self.state.unit_of_track(card, track) for track in tracks]
            keys = tuple(unit.key for unit in units if unit is not None)
            if len(keys) == len(tracks) and not taken & set(keys):
                new.append(keys)
        if new:
            merges.groups += new
            merges.of_graphs.update(new)
            self.state.replant()

    # ---- the baseline of another project -----------------------------------------------------------------------------

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
        state.awaited.forget(card)
        self._looked.discard(card)
        lead = state.modes.lead
        if lead is not None and lead.card == card:
            state.modes.set_lead(None)
        state.lay_out()
        state.context.view_changed.emit()

    # ---- what is remembered ------------------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """JSON values for the session file."""
        groups = self.state.merges.of_graphs
        return {"looked": sorted(self._looked), "merged": sorted(list(group) for group in groups)}

    def restore(self, state: dict[str, Any]) -> None:
        """Bring back what `as_dict` gave; running looks at those cards are dropped."""
        self._looked = {str(name) for name in state.get("looked", ())}
        self.state.merges.of_graphs = {tuple(group) for group in state.get("merged", ())}
        for name in self._looked:
            self.drop(f"graphs of {name}")
