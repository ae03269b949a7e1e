"""What a timeline is busy with beside the selection: mask, locked selection, time-range analysis, depth selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import Selected, TimelineState, TimeRange

AROUND = 0.05  # part of the range that is shown on either side of an analysed range


class Modes(QObject):
    """Switches of one timeline; each excludes what the spec says it excludes.

    Signals:
        changed: any of them.
        analysis_changed: `analysis` is another range or none.
        flows_changed: links of other categories are all drawn.
    """

    changed = Signal()
    analysis_changed = Signal()
    flows_changed = Signal()

    def __init__(self, state: TimelineState) -> None:
        super().__init__(state)
        self.state = state
        self.mask: Selected | None = None
        self.locked: TimeRange | None = None
        self.analysis: TimeRange | None = None  # on the axis, of one card
        self.depth_mode = False  # a drag in one open lane takes only the depth rows it covers
        self.auto_fit = False  # open lanes are as high as the rows in use in the visible time
        self.flow_categories: list[str] = []  # categories whose links are all drawn
        self.links_end_late = False  # a link leads to the end of its target: a WAIT is released then
        self.any_categories = False  # more than MOST_CATEGORIES of them may be drawn, with a warning
        self.lead: Selected | None = None  # the benchmark slice

    # ---- mask --------------------------------------------------------------------------------------------------------

    def toggle_mask(self) -> None:
        """Dim everything outside the selected slice; again: off; another slice: move; no slice: off."""
        if self.locked is not None or self.analysis is not None:
            return
        chosen = self.state.selected
        self.mask = None if chosen is None or chosen == self.mask else chosen
        self.changed.emit()
        self.state.context.view_changed.emit()

    def mask_span(self) -> tuple[int, int] | None:
        """The stretch of axis time that is not dimmed; None without a mask."""
        if self.analysis is not None:
            return self.analysis.start_ns, self.analysis.end_ns
        chosen = self.mask
        if chosen is None or self.state.capture(chosen.card) is None:
            return None
        shift = self.state.shift_of(chosen)
        return chosen.start_ns - shift, chosen.end_ns - shift

    # ---- lock --------------------------------------------------------------------------------------------------------

    def can_lock(self) -> bool:
        return self.state.range is not None and self.analysis is None and self.locked is None

    def lock(self) -> None:
        """Keep the range and its lanes until they are unlocked."""
        if self.can_lock():
            self.locked = self.state.range
            self.changed.emit()
            self.state.context.view_changed.emit()

    def unlock(self) -> None:
        if self.locked is not None:
            self.locked = None
            self.changed.emit()
            self.state.context.view_changed.emit()

    # ---- analysis ----------------------------------------------------------------------------------------------------

    def can_analyse(self) -> bool:
        """Whether an analysis of the range, or of the selected slice, may begin."""
        return self.locked is None and self.analysis is None and not self.depth_mode

    def analyse(self, found: TimeRange | None, *, zoom: bool = False) -> None:
        """Begin the analysis of a range; `zoom` shows it with 5 % around it."""
        if found is None or not self.can_analyse():
            return
        self.analysis, self.mask = found, None
        if zoom:
            around = max(1, round((found.end_ns - found.start_ns) * AROUND))
            self.state.viewport.settle()
            self.state.viewport.show(max(0, found.start_ns - around), found.end_ns + around)
        self._analysis_changed()

    def analyse_slice(self) -> None:
        """Begin the analysis of the selected slice's time."""
        found = self.state.range_of_selected()
        if found is not None:
            self.analyse(found, zoom=True)

    def end_analysis(self) -> None:
        if self.analysis is not None:
            self.analysis = None
            self._analysis_changed()

    def _analysis_changed(self) -> None:
        self.changed.emit()
        self.analysis_changed.emit()
        self.state.context.view_changed.emit()

    # ---- switches ----------------------------------------------------------------------------------------------------

    def set_depth_mode(self, on: bool) -> None:
        """Slice selection mode; not during an analysis."""
        if self.analysis is None and on != self.depth_mode:
            self.depth_mode = on
            self.changed.emit()
            self.state.context.view_changed.emit()

    def set_auto_fit(self, on: bool) -> None:
        if on != self.auto_fit:
            self.auto_fit = on
            self.state.lay_out()
            self.changed.emit()
            self.state.context.view_changed.emit()

    def set_flow_categories(self, names: list[str]) -> None:
        """Draw all links of these categories."""
        if names != self.flow_categories:
            self.flow_categories = list(names)
            self.flows_changed.emit()
            self.state.context.view_changed.emit()

    def set_lead(self, chosen: Selected | None) -> None:
        """Make a slice the benchmark slice, or none."""
        self.lead = chosen
        self.changed.emit()
        self.state.context.view_changed.emit()

    def restore(self, mask: Selected | None, lead: Selected | None) -> None:
        """Take over the mask and the benchmark slice of a session; slice selection mode ends."""
        self.mask, self.lead, self.depth_mode = mask, lead, False
        self.changed.emit()

    def take(self, mask: Selected | None, lead: Selected | None) -> None:
        """Take over a mask and a benchmark slice where there is none."""
        if (mask is not None and self.mask is None) or (lead is not None and self.lead is None):
            self.mask, self.lead = self.mask or mask, self.lead or lead
            self.changed.emit()

    def drop_what_is_gone(self) -> None:
        """After cards were removed: forget what belonged to them."""

        def gone(thing: Any) -> bool:
            return thing is not None and self.state.capture(thing.card) is None

        if gone(self.mask):
            self.mask = None
        if gone(self.lead):
            self.lead = None
        if gone(self.locked):
            self.locked = None
        if gone(self.analysis):
            self.end_analysis()


def range_dict(found: TimeRange | None) -> dict[str, Any] | None:
    """JSON values of a range."""
    if found is None:
        return None
    ends = {"start_ns": found.start_ns, "end_ns": found.end_ns, "card": found.card, "keys": list(found.keys)}
    return {**ends, "rows": list(found.rows)} if found.rows is not None else ends
