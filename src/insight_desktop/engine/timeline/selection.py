"""Figures of what is selected: a slice among those of its name, a stretch of time on some lanes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store


@dataclass(frozen=True)
class SliceFacts:
    """A slice among the slices of its name on its card.

    Attributes:
        same: how many slices have the name, this one included.
        same_ns: their durations added up.
        shorter: part (0–1) of the others that are shorter; None when there are no others.
        gap_ns: time since the slice before it on its depth row ended; None for the first one.
    """

    same: int
    same_ns: int
    shorter: float | None
    gap_ns: int | None


@dataclass(frozen=True)
class RangeFacts:
    """Slices in a stretch of time.

    Attributes:
        count: slices that overlap it.
        sum_ns: their parts inside it, added up.
        busy_ns: union of these parts.
        gap_ns: longest time between two busy parts; 0 without a gap.
    """

    count: int
    sum_ns: int
    busy_ns: int
    gap_ns: int


def slice_facts(store: Store, *, card: str, slice_id: int) -> SliceFacts:
    """Facts of a slice (not of an instant)."""
    capture = store.capture(card)
    same = np.flatnonzero(np.asarray(capture.slice_name) == capture.slice_name[slice_id])
    lengths = np.asarray(capture.slice_end)[same] - np.asarray(capture.slice_start)[same]
    own = int(capture.slice_end[slice_id]) - int(capture.slice_start[slice_id])
    shorter = int((lengths < own).sum()) / (len(same) - 1) if len(same) > 1 else None
    lane = capture.lane_of(slice_id)
    is_first = slice_id == int(capture.lane_offset[lane])
    gap = None if is_first else int(capture.slice_start[slice_id]) - int(capture.slice_end[slice_id - 1])
    return SliceFacts(len(same), int(lengths.sum()), shorter, gap)


def range_facts(store: Store, *, card: str, tracks: tuple[int, ...], from_ns: int, to_ns: int) -> RangeFacts:
    """Facts of [from_ns, to_ns] (raw ns) over all depth rows of some tracks of a card."""
    capture = store.capture(card)
    starts, ends = _parts(capture, tracks, from_ns, to_ns)
    if not len(starts):
        return RangeFacts(0, 0, 0, 0)
    order = np.argsort(starts, kind="stable")
    starts, ends = starts[order], ends[order]
    reach = np.maximum.accumulate(ends)
    gaps = np.maximum(starts[1:] - reach[:-1], 0)
    busy = int(reach[-1] - starts[0] - gaps.sum())
    return RangeFacts(len(starts), int((ends - starts).sum()), busy, int(gaps.max(initial=0)))


def _parts(capture: Capture, tracks: tuple[int, ...], from_ns: int, to_ns: int) -> tuple[np.ndarray, np.ndarray]:
    """Starts and ends of the parts inside the range; every depth row is sorted by both."""
    starts, ends = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for track in tracks:
        for lane in range(int(capture.track_lane[track]), int(capture.track_lane[track + 1])):
            a, b = int(capture.lane_offset[lane]), int(capture.lane_offset[lane + 1])
            first = a + int(np.searchsorted(capture.slice_end[a:b], from_ns))
            last = a + int(np.searchsorted(capture.slice_start[a:b], to_ns, "right"))
            starts.append(np.maximum(capture.slice_start[first:last], from_ns))
            ends.append(np.minimum(capture.slice_end[first:last], to_ns))
    return np.concatenate(starts), np.concatenate(ends)
