"""Links between slices: those of one slice, and all of a category in a window, thinned for drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from insight_desktop import schema
from insight_desktop.engine.capture import Array, Capture

HOST_ROLES = (schema.ROLE_THREAD, schema.ROLE_PYTHON_STACK, schema.ROLE_OTHER)
BUCKETS = 500  # pieces of a window; one link per pair of pieces and lanes is drawn


@dataclass(frozen=True)
class Link:
    """A directed link: category, id as written in the source, slice ids of both ends."""

    category: str
    id: str
    from_id: int
    to_id: int


def of_slice(
    capture: Capture, slice_id: int, *, most: int | None = None, window: tuple[int, int] | None = None
) -> list[Link]:
    """Links that start or end at a slice, outgoing first, in the order of the other end.

    All of them, or with `most` about as many in each direction, spread evenly over the time of the other ends: the first
    and the last are among them. With a window (recorded ns) mostly those whose other end begins in it.
    """
    going, coming = _rows_of(capture, slice_id)
    if most is not None:
        going = _thinned(capture, going, np.asarray(capture.link_to)[going], most, window)
        coming = _thinned(capture, coming, np.asarray(capture.link_from)[coming], most, window)
    return [_link(capture, row) for row in dict.fromkeys([*going.tolist(), *coming.tolist()])]


def counts_of(capture: Capture, slice_id: int) -> tuple[int, int]:
    """How many links start, and how many end, at a slice."""
    going, coming = _rows_of(capture, slice_id)
    return len(going), len(coming)


def _rows_of(capture: Capture, slice_id: int) -> tuple[Array, Array]:
    """Positions of the links that start, and that end, at a slice."""
    a, b = _search_by(np.asarray(capture.link_to), capture.link_by_to, slice_id)
    return np.arange(*_rows(capture.link_from, slice_id)), np.asarray(capture.link_by_to[a:b])


def _thinned(capture: Capture, rows: Array, others: Array, most: int, window: tuple[int, int] | None) -> Array:
    if len(rows) <= most:
        return rows
    start = np.asarray(capture.slice_start)[others]
    order = np.argsort(start, kind="stable")
    kept = order[np.linspace(0, len(order) - 1, most).astype(np.int64)]
    if window is not None:
        inside = order[(start[order] >= window[0]) & (start[order] <= window[1])]
        if len(inside):
            # A few of the others stay, so that one sees where the rest leads.
            ends = [
                inside[np.linspace(0, len(inside) - 1, min(most, len(inside))).astype(np.int64)],
                kept[:: most // 8 or 1],
            ]
            kept = np.concatenate([*ends, kept[-1:]])
    return np.asarray(rows[np.unique(kept)])


def passed_through(capture: Capture, slice_id: int, by: Literal[-1, 1]) -> int | None:
    """Where a chain of links goes on from a slice that has no link in this direction: a slice of the same thread.

    Forward the first slice inside it from which a link goes (a dequeued operator launches its kernels there), back the
    shortest one around it at which a link arrives; None without one.
    """
    return _inside(capture, slice_id) if by > 0 else _around(capture, slice_id)


def _inside(capture: Capture, slice_id: int) -> int | None:
    """The earliest slice within a slice, on its thread, from which a link goes."""
    begin, end = int(capture.slice_start[slice_id]), int(capture.slice_end[slice_id])
    best: tuple[int, int] | None = None
    for first, last in _thread_lanes(capture, slice_id):
        starts = capture.slice_start[first:last]
        low = first + int(np.searchsorted(starts, begin))
        high = first + int(np.searchsorted(starts, end, "right"))
        rows = slice(int(np.searchsorted(capture.link_from, low)), int(np.searchsorted(capture.link_from, high)))
        sources = np.asarray(capture.link_from[rows])
        sources = sources[(sources != slice_id) & (np.asarray(capture.slice_end)[sources] <= end)]
        if len(sources):
            found = int(sources[0])  # ids of a lane are in the order of time
            best = min(best or (int(capture.slice_start[found]), found), (int(capture.slice_start[found]), found))
    return best[1] if best is not None else None


def _around(capture: Capture, slice_id: int) -> int | None:
    """The shortest slice around a slice, on its thread, at which a link arrives."""
    begin, end = int(capture.slice_start[slice_id]), int(capture.slice_end[slice_id])
    found: list[tuple[int, int]] = []
    for first, last in _thread_lanes(capture, slice_id):
        at = first + int(np.searchsorted(capture.slice_start[first:last], begin, "right")) - 1
        if at < first or at == slice_id or int(capture.slice_end[at]) < end:
            continue
        low, high = _search_by(np.asarray(capture.link_to), capture.link_by_to, at)
        if high > low:
            found.append((int(capture.slice_end[at]) - int(capture.slice_start[at]), at))
    return min(found)[1] if found else None


def _thread_lanes(capture: Capture, slice_id: int) -> list[tuple[int, int]]:
    """First slice and end of every depth row of the thread of a slice.

    Host threads are told by their thread id alone: exports pack the process id of CANN threads with other numbers.
    """
    tracks = capture.tracks.select(["tid", "role"]).to_pylist()
    own = int(capture.lane_track[capture.lane_of(slice_id)])
    is_host = tracks[own]["role"] in HOST_ROLES
    mine = {
        n
        for n, t in enumerate(tracks)
        if n == own or (is_host and t["role"] in HOST_ROLES and t["tid"] == tracks[own]["tid"])
    }
    offsets = capture.lane_offset
    return [(int(offsets[n]), int(offsets[n + 1])) for n, track in enumerate(capture.lane_track) if int(track) in mine]


def categories(capture: Capture) -> dict[str, int]:
    """Categories of the capture with the number of their links, in order of their names."""
    ids, counts = np.unique(np.asarray(capture.link_category), return_counts=True)
    return dict(sorted((capture.text(int(i)), int(n)) for i, n in zip(ids, counts, strict=True)))


def rows_of(capture: Capture, category: str | None = None) -> Array:
    """Positions of the links of a category (all without one), by source slice."""
    kinds = np.asarray(capture.link_category)
    if category is None:
        return np.arange(len(kinds))
    wanted = [int(i) for i in np.unique(kinds) if capture.text(int(i)) == category]
    return np.flatnonzero(np.isin(kinds, wanted))


def in_window(
    capture: Capture,
    category: str,
    t0: int,
    t1: int,
    *,
    limit: int = 5000,
    either_end: tuple[int, int] | None = None,
    shifts: Array | None = None,
) -> tuple[Array, Array]:
    """Links of a category that touch the window, thinned: slice ids (from, to).

    Of all links that join the same two lanes and the same 1/500 pieces of the window one is kept; links inside one
    lane shorter than 1/1000 of the window are dropped. With `either_end` = (t0, t1) only links with an end in it.
    With `shifts` (ns per track) all times are those of the axis: recorded times minus the shift of their lane.
    """
    rows = rows_of(capture, category)
    source, target = np.asarray(capture.link_from)[rows], np.asarray(capture.link_to)[rows]
    begin, arrive = np.asarray(capture.slice_start)[source], np.asarray(capture.slice_start)[target]
    if shifts is not None:
        begin, arrive = begin - _shifts(capture, shifts, source), arrive - _shifts(capture, shifts, target)
    keep = (np.maximum(begin, arrive) >= t0) & (np.minimum(begin, arrive) <= t1)
    if either_end is not None:
        a, b = either_end
        keep &= ((begin >= a) & (begin <= b)) | ((arrive >= a) & (arrive <= b))
    source, target, begin, arrive = source[keep], target[keep], begin[keep], arrive[keep]
    lanes = [np.searchsorted(np.asarray(capture.lane_offset), ids, "right") - 1 for ids in (source, target)]
    track = [np.asarray(capture.lane_track)[lane] for lane in lanes]
    span = max(float(t1) - float(t0), 1.0)
    long = (track[0] != track[1]) | (np.abs(arrive.astype(np.float64) - begin.astype(np.float64)) >= span / 1000)
    pieces = [
        np.clip((np.clip(stamps, t0, t1) - t0).astype(np.float64) / span * BUCKETS, 0, BUCKETS - 1).astype(np.int64)
        for stamps in (begin, arrive)
    ]
    key = np.stack([lanes[0], lanes[1], *pieces], axis=1)[long]
    _, first = np.unique(key, axis=0, return_index=True) if len(key) else (key, np.empty(0, np.int64))
    chosen = np.flatnonzero(long)[np.sort(first)][:limit]
    return source[chosen], target[chosen]


def _shifts(capture: Capture, shifts: Array, ids: Array) -> Array | int:
    """Shift of every slice; one number where all lanes have the same."""
    if len(shifts) and (shifts == shifts[0]).all():
        return int(shifts[0])
    lanes = np.searchsorted(np.asarray(capture.lane_offset), ids, "right") - 1
    return np.asarray(shifts[np.asarray(capture.lane_track)[lanes]])


def _rows(column: Array, value: int) -> tuple[int, int]:
    return int(np.searchsorted(column, value)), int(np.searchsorted(column, value, "right"))


def _search_by(values: Array, order: Array, value: int) -> tuple[int, int]:
    """The rows of `order` whose value is `value`, by binary search."""
    found = []
    for right in (False, True):
        low, high = 0, len(order)
        while low < high:
            middle = (low + high) // 2
            at = int(values[int(order[middle])])
            if at < value or (right and at == value):
                low = middle + 1
            else:
                high = middle
        found.append(low)
    return found[0], found[1]


def _link(capture: Capture, row: int) -> Link:
    category = capture.text(int(capture.link_category[row]))
    link_id = capture.link_text(int(capture.link_id[row]))
    return Link(category, link_id, int(capture.link_from[row]), int(capture.link_to[row]))
