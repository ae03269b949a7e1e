"""Edges of a range catch the edges of slices that are close to the mouse."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from insight_desktop.engine.capture import Array, Capture

REACH_PX = 6.0


def nearest_edge(capture: Capture, lanes: Iterable[int], time_ns: int, reach_ns: float) -> int | None:
    """The start or end of a slice of some depth rows that is closest to a time (all recorded ns), within a reach."""
    best: int | None = None
    start, end = capture.slice_start, capture.slice_end
    for lane in lanes:
        a, b = int(capture.lane_offset[lane]), int(capture.lane_offset[lane + 1])
        if a == b:
            continue
        at = a + int(np.searchsorted(start[a:b], time_ns))
        near: Array = np.arange(max(a, at - 1), min(b, at + 1))
        for edge in [int(t) for i in near for t in (start[i], end[i])]:
            if abs(edge - time_ns) <= reach_ns and (best is None or abs(edge - time_ns) < abs(best - time_ns)):
                best = edge
    return best
