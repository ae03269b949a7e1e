"""Slices of chosen lanes in a range: which they are, how much of them is inside, their self time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from numba import njit

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.errors import BadArgument

I64 = npt.NDArray[np.int64]
I32 = npt.NDArray[np.int32]
EARLIEST, LATEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


@dataclass(frozen=True)
class Picked:
    """Slices in the order of their lanes, by start inside a lane; arrays are of equal length.

    Attributes:
        ids: slice ids.
        name: string ids.
        start, end: as counted: cut to the range, or raw for whole slices.
        lanes: the lanes they come from, only those that have some.
        offset: slices of lanes[i] are [offset[i], offset[i + 1]).
    """

    ids: I64
    name: I32
    start: I64
    end: I64
    lanes: I64
    offset: I64

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def length(self) -> I64:
        """Counted durations in ns."""
        return self.end - self.start

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a in (self.ids, self.name, self.start, self.end, self.lanes, self.offset))


def pick(
    capture: Capture,
    tracks: Sequence[int] | None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    *,
    whole: bool = False,
    row_lo: int = 0,
    row_hi: int | None = None,
) -> Picked:
    """Slices of some tracks (all with None) that touch [from_ns, to_ns], in depth rows row_lo to row_hi."""
    low, high = bounds(from_ns, to_ns)
    lanes = lanes_of(capture, tracks, row_lo, row_hi)
    start, end = _ram(capture.slice_start), _ram(capture.slice_end)
    first, last = _first_last(_ram(capture.lane_offset), start, end, lanes, low, high)
    some = last > first
    lanes, first, last = lanes[some], first[some], last[some]
    offset = np.concatenate(([0], np.cumsum(last - first)))
    cut = (EARLIEST, LATEST) if whole else (low, high)
    ids, names, begins, stops = _copied(first, offset, start, end, _ram(capture.slice_name), *cut)
    return Picked(ids, names, begins, stops, lanes, offset)


def pick_with_self(
    capture: Capture,
    tracks: Sequence[int] | None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    *,
    whole: bool = False,
    row_lo: int = 0,
    row_hi: int | None = None,
    moved: Mapping[int, int] | None = None,
) -> tuple[Picked, I64]:
    """The slices of `pick` with their self times. Tracks in `moved` have recorded times that are later by some ns than those
    of the range; their slices come behind the others, with the times of the range."""
    every = range(len(capture.track_lane) - 1) if tracks is None else tracks
    groups: dict[int, list[int]] = {}
    for track in every if moved else ():
        groups.setdefault((moved or {}).get(track, 0), []).append(track)
    parts = []
    for by_ns, mine in sorted(groups.items(), key=lambda item: item[0] != 0) if groups else [(0, tracks)]:
        low, high = (None if t is None else t + by_ns for t in (from_ns, to_ns))
        found = pick(capture, mine, low, high, whole=whole, row_lo=row_lo, row_hi=row_hi)
        own = self_times(capture, found, low, high, whole=whole)
        if by_ns:
            found = replace(found, start=found.start - by_ns, end=found.end - by_ns)
        parts.append((found, own))
    if len(parts) == 1:
        return parts[0]
    offsets = [0, *np.cumsum([len(found) for found, _ in parts])]
    joined = {
        name: np.concatenate([getattr(found, name) for found, _ in parts])
        for name in ("ids", "name", "start", "end", "lanes")
    }
    ends = [found.offset[1:] + at for (found, _), at in zip(parts, offsets, strict=False)]
    offset = np.concatenate([np.zeros(1, np.int64), *ends])
    return Picked(**joined, offset=offset), np.concatenate([own for _, own in parts])


def bounds(from_ns: int | None, to_ns: int | None) -> tuple[int, int]:
    """The range as two numbers; raises BadArgument when it ends before it starts."""
    low, high = EARLIEST if from_ns is None else from_ns, LATEST if to_ns is None else to_ns
    if high < low:
        raise BadArgument(f"The range ends ({to_ns}) before it starts ({from_ns}).", fix="Exchange the two times.")
    return low, high


def lanes_of(capture: Capture, tracks: Sequence[int] | None, row_lo: int = 0, row_hi: int | None = None) -> I64:
    """Lanes (depth rows) of some tracks, all with None; raises BadArgument for a track that is not there."""
    rows = _ram(capture.lane_row)
    keep = rows >= row_lo
    if row_hi is not None:
        keep &= rows <= row_hi
    if tracks is not None:
        count = len(capture.track_lane) - 1
        for track in tracks:
            if not 0 <= track < count:
                raise BadArgument(f"There is no lane {track}.", fix=f"Lanes are numbered 0 to {count - 1}.")
        wanted = np.zeros(max(count, 0), np.bool_)
        wanted[list(tracks)] = True
        keep &= wanted[_ram(capture.lane_track)]
    return np.flatnonzero(keep)


def self_times(capture: Capture, picked: Picked, from_ns: int | None, to_ns: int | None, *, whole: bool) -> I64:
    """Counted duration of each slice minus that of the slices one row deeper on its track that lie completely inside it.

    Children are looked up on the whole lane; of those beyond the range nothing is counted unless slices are whole.
    """
    low, high = (EARLIEST, LATEST) if whole else bounds(from_ns, to_ns)
    lane_track = _ram(capture.lane_track)
    below = picked.lanes + 1
    has_child = below < len(lane_track)
    has_child[has_child] = lane_track[below[has_child]] == lane_track[picked.lanes[has_child]]
    out = picked.length
    _subtract_children(
        out, picked.ids, picked.offset, picked.lanes, has_child, _ram(capture.lane_offset), _ram(capture.slice_start),
        _ram(capture.slice_end), low, high,
    )  # fmt: skip
    return out


def warm() -> None:
    """Compile the kernels for mapped columns, which cannot be written to."""
    mapped = [np.array(values) for values in ([0, 2, 3], [0, 5, 1], [4, 9, 2])]
    names = np.zeros(3, np.int32)
    for array in (*mapped, names):
        array.setflags(write=False)
    lane_offset, start, end = mapped
    lanes = np.arange(2)
    first, last = _first_last(lane_offset, start, end, lanes, EARLIEST, LATEST)
    offset = np.concatenate(([0], np.cumsum(last - first)))
    ids, _, begins, stops = _copied(first, offset, start, end, names, EARLIEST, LATEST)
    below = np.array([True, False])
    _subtract_children(stops - begins, ids, offset, lanes, below, lane_offset, start, end, EARLIEST, LATEST)


def _ram(column: Array) -> Array:
    """The mapped column as a plain array, which compiled code and indexing take without detours."""
    return np.asarray(column)


@njit(cache=True, nogil=True)
def _first_last(lane_offset: I64, start: I64, end: I64, lanes: I64, low: int, high: int) -> tuple[I64, I64]:
    """Per lane the slices [first, last) that touch [low, high]; starts and ends of a row both go up."""
    first, last = np.empty(len(lanes), np.int64), np.empty(len(lanes), np.int64)
    for i in range(len(lanes)):
        a, b = lane_offset[lanes[i]], lane_offset[lanes[i] + 1]
        first[i] = a + np.searchsorted(end[a:b], low)
        last[i] = a + np.searchsorted(start[a:b], high, side="right")
    return first, last


@njit(cache=True, nogil=True)
def _copied(first: I64, offset: I64, start: I64, end: I64, name: I32, low: int, high: int) -> tuple[I64, I32, I64, I64]:
    """Ids, names, starts and ends of runs of slices, the times cut to [low, high]."""
    count = offset[-1]
    ids, names = np.empty(count, np.int64), np.empty(count, np.int32)
    starts, ends = np.empty(count, np.int64), np.empty(count, np.int64)
    for i in range(len(first)):
        for k in range(offset[i + 1] - offset[i]):
            at, to = first[i] + k, offset[i] + k
            ids[to] = at
            names[to] = name[at]
            starts[to] = max(start[at], low)
            ends[to] = min(end[at], high)
    return ids, names, starts, ends


@njit(cache=True, nogil=True)
def _subtract_children(
    out: I64, ids: I64, offset: I64, lanes: I64, has_child: npt.NDArray[np.bool_], lane_offset: I64, start: I64,
    end: I64, low: int, high: int,
) -> None:  # fmt: skip
    for i in range(len(lanes)):
        if not has_child[i]:
            continue
        at, stop = lane_offset[lanes[i] + 1], lane_offset[lanes[i] + 2]
        at += np.searchsorted(start[at:stop], start[ids[offset[i]]])
        for k in range(offset[i], offset[i + 1]):
            begin, finish = start[ids[k]], end[ids[k]]
            while at < stop and start[at] < begin:
                at += 1
            child = at
            while child < stop and start[child] < finish:
                if end[child] <= finish:
                    out[k] -= max(min(end[child], high) - max(start[child], low), 0)
                child += 1
            at = child  # slices of one row do not overlap: the next one begins behind all of these
