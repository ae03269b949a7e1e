"""What a session says of cards that are not read yet: each card takes its part when it comes.

Whatever the user does meanwhile wins: a mask, a base slice or a selection of their own ends the wait for that of the session.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from insight_desktop.views.timeline import remembered

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import TimelineState
    from insight_desktop.views.timeline.viewport import View

MASK, LEAD, CHOSEN, RANGE, ANALYSIS = "mask", "base_slice", "selection", "range", "analysis"
_SLICES = (MASK, LEAD, CHOSEN)
_THINGS = (*_SLICES, RANGE, ANALYSIS)


class Awaited:
    """Parts of one session for one timeline.

    Attributes:
        returning: while things come back by themselves; no panel opens for them.
    """

    def __init__(self, state: TimelineState) -> None:
        self.state = state
        self.returning = False
        self._cards: dict[str, tuple[int, str]] = {}  # card → its offset and its alias
        self._things: dict[str, dict[str, Any]] = {}  # as `remembered.as_dict` gives them
        self._lanes: list[str] = []  # selected lanes of the session, when some of them are missing
        self._locked = False
        self._base_ns: int | None = None
        self._view: dict[str, Any] | None = None  # of the session
        self._shown: View | None = None  # what could be shown of it
        self._view_returns = False
        state.selection_changed.connect(self._chosen)
        state.range_changed.connect(self._chosen)
        state.modes.changed.connect(self._modes_changed)

    def keep(self, given: dict[str, Any]) -> None:
        """Keep what a session says of cards that are not here; what waited before is dropped."""
        offsets, aliases = given.get("offsets", {}), given.get("aliases", {})
        names = dict.fromkeys([*offsets, *given.get("placed", ()), *aliases])
        self._cards = {
            name: (int(offsets.get(name, 0)), str(aliases.get(name, ""))) for name in names if not self._is_here(name)
        }
        self._things = {
            name: given[name] for name in _THINGS if given.get(name) and not self._is_here(given[name]["card"])
        }
        lanes = [str(key) for key in given.get("lanes", ())]
        self._lanes = lanes if any(not self._is_here(key.split("/", 1)[0]) for key in lanes) else []
        self._locked = bool(given.get("locked")) and RANGE in self._things
        self._base_ns = given.get("base_ns")
        self._view, self._shown = (given.get("view"), None) if self._cards else (None, None)

    def shown(self) -> None:
        """The view of the session is shown as far as the cards that are here allow."""
        self._shown = self.state.viewport.view

    def by_ns(self) -> int:
        """How far axis times of the session are moved, as the first event of all cards may be another one now."""
        return self._base_ns - self.state.base_ns if self._base_ns is not None else 0

    def view_of(self, kept: dict[str, Any]) -> dict[str, Any]:
        """The view of the session on the axis of now."""
        return {**kept, "left_ns": int(kept["left_ns"]) + self.by_ns()}

    def is_awaited(self, key: str) -> bool:
        """Whether the card of a lane may still come."""
        return key.split("/", 1)[0] in self._cards

    def place(self) -> None:
        """Give cards that have come their offsets and aliases."""
        store = self.state.context.store
        self._view_returns = self._view is not None and self.state.viewport.view == self._shown
        for name in [name for name in self._cards if self._is_here(name)]:
            offset, alias = self._cards.pop(name)
            self.state.placing.placed.add(name)
            if store.card(name).offset_ns != offset:
                store.set_offset(name, offset)
            if alias:
                store.card(name).alias = alias

    def arrive(self) -> None:
        """Give cards that have come what was marked and selected on them."""
        here = {name: thing for name, thing in self._things.items() if self._is_here(thing["card"])}
        lanes = self._lanes
        if self._view is not None:
            self._bring_view_back(self._view)
        if here:
            self._bring_back(here)
        if lanes:
            self._select_lanes(lanes)

    def _bring_view_back(self, kept: dict[str, Any]) -> None:
        """The view of the session again, now that there is more to show, unless the user has moved on."""
        if self._view_returns:
            self.state.viewport.restore(self.view_of(kept))
            self.shown()
        if not self._view_returns or not self._cards:
            self._view = None

    def _bring_back(self, here: dict[str, dict[str, Any]]) -> None:
        state, modes = self.state, self.state.modes
        for name in here:
            del self._things[name]
        mask, lead = (remembered.kept_slice(state, here.get(name)) for name in (MASK, LEAD))
        chosen_range, analysis = (remembered.kept_range(state, here.get(name)) for name in (RANGE, ANALYSIS))
        self.returning = True
        try:
            modes.take(mask, lead)
            if chosen_range is not None:
                locked = self._locked
                state.set_range(chosen_range)
                if locked:
                    modes.lock()
            elif here.get(CHOSEN):
                state.select(remembered.kept_slice(state, here[CHOSEN]))
            modes.analyse(analysis)
        finally:
            self.returning = False

    def completed(self, values: dict[str, Any]) -> dict[str, Any]:
        """Values for the session file with the parts that still wait."""
        offsets = {name: offset for name, (offset, _) in self._cards.items() if offset}
        aliases = {name: alias for name, (_, alias) in self._cards.items() if alias}
        if self._view is not None and self.state.viewport.view == self._shown:
            values = {**values, "view": self._back(self._view, "left_ns")}
        waits = {name: thing for name, thing in self._things.items() if not values.get(name)}
        return {
            **values,
            **{
                name: thing if name in _SLICES else self._back(thing, "start_ns", "end_ns")
                for name, thing in waits.items()
            },
            "offsets": {**offsets, **values["offsets"]},
            "aliases": {**aliases, **values["aliases"]},
            "placed": sorted({*values["placed"], *self._cards}),
            "lanes": self._lanes if set(values["lanes"]) <= set(self._lanes) else values["lanes"],
            "locked": values["locked"] or (self._locked and RANGE in waits),
        }

    def forget(self, card: str) -> None:
        """A card will not come back."""
        self._cards.pop(card, None)
        self._drop(name for name, thing in self._things.items() if thing["card"] == card)

    def forget_times(self) -> None:
        """All cards stand at their recorded time again, without a base slice."""
        self._cards = {name: (0, alias) for name, (_, alias) in self._cards.items()}
        self._drop([LEAD])

    def _select_lanes(self, keys: list[str]) -> None:
        """Select the lanes of the session that are here, unless other ones were chosen; the current card stays."""
        state = self.state
        if not set(state.lanes) <= set(keys):
            self._lanes = []
            return
        found = [key for key in keys if state.unit(key) is not None]
        self._lanes = keys if any(not self._is_here(key.split("/", 1)[0]) for key in keys) else []
        if found != state.lanes:
            state.lanes, state.focus_lane = found, found[-1]
            state.lanes_changed.emit()

    def _is_here(self, card: str) -> bool:
        return self.state.capture(card) is not None

    def _chosen(self) -> None:
        """A slice or a range excludes the other one, and those of the session."""
        if self.state.selected is not None or self.state.range is not None:
            self._drop([CHOSEN, RANGE])
            self._lanes, self._locked = [], False

    def _modes_changed(self) -> None:
        modes = self.state.modes
        self._drop([MASK] if modes.mask is not None else [])
        self._drop([LEAD] if modes.lead is not None else [])
        self._drop([ANALYSIS, MASK] if modes.analysis is not None else [])

    def _back(self, thing: dict[str, Any], *times: str) -> dict[str, Any]:
        """A thing of the session with its axis times counted from the base of now."""
        return {**thing, **{name: int(thing[name]) + self.by_ns() for name in times}}

    def _drop(self, names: Iterable[str]) -> None:
        for name in list(names):
            self._things.pop(name, None)
