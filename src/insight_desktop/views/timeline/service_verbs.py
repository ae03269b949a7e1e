"""What the menu of a timeline does on slices of serving runs: curves of slices, kernels below, requests as lanes."""

from __future__ import annotations

from insight_desktop import schema
from insight_desktop.engine.service import timeline as queries
from insight_desktop.views.common.context import CurvePlace, Jump
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.state import TimelineState


class ServiceVerbs:
    """They look at what is selected themselves."""

    def __init__(self, state: TimelineState) -> None:
        self.state = state

    @property
    def card(self) -> str | None:
        """The serving run that the selection is on."""
        state = self.state
        unit = state.unit(state.lanes[0]) if state.lanes else None
        chosen = state.selected or state.range or unit
        if chosen is None or state.capture(chosen.card) is None:
            return None
        return chosen.card if state.context.store.card(chosen.card).area == "service" else None

    def show_curve(self, kind: str) -> None:
        """Durations of all slices of the selected one's name and lane (or the gaps between them) on the Curve page."""
        chosen = self.state.selected
        if chosen is not None and chosen.kind == "slice":
            self.state.context.curve_wanted.emit(CurvePlace(chosen.card, slice_id=chosen.id, kind=kind))

    def has_kernels(self) -> bool:
        """Whether a device trace of the time of the selected slice is in the project."""
        chosen = self.state.selected
        if chosen is None or chosen.end_ns <= chosen.start_ns:
            return False
        captures = [self.state.capture(card.name) for card in self.state.context.store.cards_of("system")]
        found = [c.manifest for c in captures if c is not None]
        return any(m.start_ns < chosen.end_ns and chosen.start_ns < m.end_ns for m in found)

    def show_kernels(self) -> None:
        """Go to what the device did during the selected slice: on the card of its process, else on the first one."""
        chosen = self.state.selected
        if chosen is None:
            return
        store = self.state.context.store
        rows = queries.kernels(store, slice=chosen.id, card=chosen.card).to_pylist()
        if not rows:
            text = tr("No device trace of this time is open.")
            self.state.context.message.emit("warning", text, tr("Add the trace of the device to the project."))
            return
        row = rows[0]
        roles = store.capture(row["card"]).tracks["role"].to_pylist()
        track = roles.index(schema.ROLE_STREAM) if schema.ROLE_STREAM in roles else None
        self.state.context.jump.emit(Jump(row["card"], start_ns=row["start_ns"], end_ns=row["end_ns"], track=track))

    def shows_requests(self) -> bool:
        """Whether the requests of the run are shown as lanes."""
        return self.card is not None and self.state.request_lanes.is_shown(self.card)

    def sort_requests(self, sort: str) -> None:
        """Show the requests of all runs in another order."""
        self.state.request_lanes.set_sort(sort)

    def toggle_requests(self) -> None:
        """Show the requests of the run as lanes, or no longer."""
        if self.card is not None:
            self.state.request_lanes.show(self.card, not self.shows_requests())
