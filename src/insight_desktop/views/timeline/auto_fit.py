"""How many depth rows of a lane hold slices in the visible time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.timeline.levels import levels

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import TimelineState


def rows_in_use(capture: Capture, track: int, t0: int, t1: int) -> int:
    """Depth rows down to the deepest one that has a slice in [t0, t1) (recorded ns); at least 1.

    Runs of short slices count as a whole, so a row may be kept that has a gap of some pixels in the window.
    """
    first, last = int(capture.track_lane[track]), int(capture.track_lane[track + 1])
    finest = levels(capture)[0]
    for lane in range(last - 1, first, -1):
        a, b = int(finest.offset[lane]), int(finest.offset[lane + 1])
        # Slices of one depth row do not overlap, so their ends are in order too.
        at = a + int(np.searchsorted(finest.end[a:b], t0, "left"))
        while at < b and int(finest.end[at]) == t0 and int(finest.start[at]) < t0:
            at += 1
        if at < b and int(finest.start[at]) < t1:
            return lane - first + 1
    return 1


def used_rows(state: TimelineState) -> dict[str, int]:
    """How many depth rows every open lane needs in the visible time, by key of its unit."""
    view, found = state.viewport.view, {}
    for opened in state.cards.values():
        if opened.capture is None or not state.is_open(opened.unit):
            continue
        for unit in opened.units.values():
            drawn = state.merges.drawn(unit)
            track = 0 if drawn is not None else unit.track
            if track is not None and unit.depth_rows > 1 and (drawn is not None or state.is_open(unit)):
                shift = state.shift_ns(unit.card, unit)
                ends = view.first_ns + shift, view.last_ns + shift
                found[unit.key] = rows_in_use(drawn if drawn is not None else opened.capture, track, *ends)
    return found
