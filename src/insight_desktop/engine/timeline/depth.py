"""Depth rows: which row of its track a slice is drawn on (write side).

Slices come in (start, longer first, file order). Each takes the smallest row whose last end is at or before its start,
so nothing is dropped or cut and a zero-length slice never blocks a row. Properly nested runs cost a stack; as soon as
a slice reaches beyond an open one, rows are kept in heaps, so 100 000 slices on top of each other stay n log n.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

I64 = npt.NDArray[np.int64]
Array = npt.NDArray[Any]

# Columns of the statistics that `arrange` fills per track.
STATS = ("rows", "overlaps", "first_overlap", "sum_ns", "busy_ns", "first_ns", "last_ns", "overrun")


@njit(cache=True, nogil=True)
def is_ordered(start: I64, end: I64) -> bool:
    """True when the slices already are in (start, longer first) order."""
    for i in range(1, len(start)):
        if start[i] < start[i - 1] or (start[i] == start[i - 1] and end[i] > end[i - 1]):
            return False
    return True


def order(start: I64, end: I64) -> I64 | None:
    """Permutation into (start, longer first, file order); None when they are in that order already."""
    if is_ordered(start, end):
        return None
    by_start = np.argsort(start, kind="stable")
    longer_first(start, end, by_start)
    return by_start


@njit(cache=True, nogil=True)
def longer_first(start: I64, end: I64, by_start: I64) -> None:
    """Sort every run of equal starts by end, latest first, keeping the file order of equal ones."""
    n = len(by_start)
    low = 0
    while low < n:
        high = low + 1
        value = start[by_start[low]]
        while high < n and start[by_start[high]] == value:
            high += 1
        if high - low > 1:
            run = by_start[low:high].copy()
            key = np.empty(high - low, np.int64)
            for i in range(high - low):
                key[i] = -end[run[i]]
            by_end = np.argsort(key, kind="mergesort")
            for i in range(high - low):
                by_start[low + i] = run[by_end[i]]
        low = high


@njit(cache=True, nogil=True)
def _push(keys: I64, values: I64, size: int, key: int, value: int) -> None:
    """Add to a binary heap of `size` items, smallest key first."""
    at = size
    while at > 0:
        up = (at - 1) >> 1
        if keys[up] <= key:
            break
        keys[at] = keys[up]
        values[at] = values[up]
        at = up
    keys[at] = key
    values[at] = value


@njit(cache=True, nogil=True)
def _pop(keys: I64, values: I64, size: int) -> None:
    """Remove the smallest item of a binary heap of `size` items."""
    key = keys[size - 1]
    value = values[size - 1]
    size -= 1
    at = 0
    while True:
        down = 2 * at + 1
        if down >= size:
            break
        if down + 1 < size and keys[down + 1] < keys[down]:
            down += 1
        if keys[down] >= key:
            break
        keys[at] = keys[down]
        values[at] = values[down]
        at = down
    keys[at] = key
    values[at] = value


@njit(cache=True, nogil=True)
def _grown(values: I64) -> I64:
    out = np.empty(2 * len(values), np.int64)
    out[: len(values)] = values
    return out


@njit(cache=True, nogil=True)
def _pack(start: I64, end: I64, rows: Array, at: int, last: I64, open_rows: int) -> tuple[int, int, int]:
    """Interval packing from slice `at` until every row is free; returns (next slice, rows used, overlaps)."""
    busy_end = np.empty(max(64, 2 * open_rows), np.int64)
    busy_row = np.empty(len(busy_end), np.int64)
    free = np.empty(len(busy_end), np.int64)
    busy = 0
    for row in range(open_rows):
        _push(busy_end, busy_row, busy, last[row], row)
        busy += 1
    idle = 0
    used = open_rows
    overlaps = 0
    n = len(start)
    while at < n:
        begin = start[at]
        while busy > 0 and busy_end[0] <= begin:
            _push(free, free, idle, busy_row[0], busy_row[0])
            idle += 1
            _pop(busy_end, busy_row, busy)
            busy -= 1
        if busy == 0:
            break
        if busy_end[0] < end[at]:
            overlaps += 1
        if idle > 0:
            row = free[0]
            _pop(free, free, idle)
            idle -= 1
        else:
            row = used
            used += 1
            if used >= len(busy_end):
                busy_end = _grown(busy_end)
                busy_row = _grown(busy_row)
                free = _grown(free)
        rows[at] = row
        _push(busy_end, busy_row, busy, end[at], row)
        busy += 1
        at += 1
    return at, used, overlaps


@njit(cache=True, nogil=True)
def assign_rows(start: I64, end: I64, rows: Array) -> tuple[int, int, int]:
    """Fill the depth row of each slice of one track, given in (start, longer first, file order).

    Returns:
        Number of rows, number of slices that overlap an open one only partly, index of the first such slice or -1.
    """
    last = np.empty(64, np.int64)
    open_rows = 0
    used = 0
    overlaps = 0
    first = -1
    n = len(start)
    i = 0
    while i < n:
        while open_rows > 0 and last[open_rows - 1] <= start[i]:
            open_rows -= 1
        if open_rows > 0 and end[i] > last[open_rows - 1]:
            if first < 0:
                first = i
            i, packed, more = _pack(start, end, rows, i, last, open_rows)
            used = max(used, packed)
            overlaps += more
            open_rows = 0
            continue
        if open_rows == len(last):
            last = _grown(last)
        last[open_rows] = end[i]
        rows[i] = open_rows
        open_rows += 1
        used = max(used, open_rows)
        i += 1
    return used, overlaps, first


@njit(cache=True, nogil=True)
def union_ns(start: I64, end: I64) -> int:
    """Length of the union of intervals that are sorted by start."""
    total = 0
    if len(start) == 0:
        return total
    reach = start[0]
    for i in range(len(start)):
        begin = max(start[i], reach)
        if end[i] > begin:
            total += end[i] - begin
            reach = end[i]
    return total


@njit(cache=True, nogil=True)
def _overrun(start: I64, end: I64, rows: Array) -> int:
    """The last slice of the top row if it covers two or more later ones and nearly all of it lies behind them, else -1.

    Such a slice is over a hundred times longer than any other: a duration that went wrong, not a caller.
    """
    n = len(start)
    at = n - 1
    while at > 0 and rows[at] != 0:
        at -= 1
    if n - at < 3:
        return -1
    reach = start[at]
    longest = 0
    for i in range(n):
        if i > at:
            reach = max(reach, end[i])
        if i != at:
            longest = max(longest, end[i] - start[i])
    length = end[at] - start[at]
    if end[at] - reach > length - length // 10 and length > 100 * max(longest, 1):
        return at
    return -1


@njit(cache=True, nogil=True)
def arrange(start: I64, end: I64, offset: I64, rows: Array, stats: I64, given: Array) -> None:
    """Rows and totals of several tracks laid end to end.

    Args:
        start, end: slices, in (start, longer first, file order) inside each track.
        offset: slices of track t are [offset[t], offset[t+1]).
        rows: filled, except where `given` says that they are there already.
        stats: filled, [tracks, len(STATS)]; indices count from the first slice of the track.
        given: per track, rows that are already assigned (0: assign them).
    """
    for t in range(len(offset) - 1):
        low, high = offset[t], offset[t + 1]
        begin, finish, own = start[low:high], end[low:high], rows[low:high]
        first = -1
        if given[t] > 0:
            used, overlaps = given[t], 0
        else:
            used, overlaps, first = assign_rows(begin, finish, own)
        total = 0
        latest = np.int64(-(2**63))
        for i in range(high - low):
            total += finish[i] - begin[i]
            latest = max(latest, finish[i])
        stats[t, 0] = used
        stats[t, 1] = overlaps
        stats[t, 2] = first
        stats[t, 3] = total
        stats[t, 4] = union_ns(begin, finish)
        stats[t, 5] = begin[0] if high > low else 0
        stats[t, 6] = latest if high > low else 0
        stats[t, 7] = _overrun(begin, finish, own)


@njit(cache=True, nogil=True)
def place_by_row(rows: Array, offset: I64, lane_base: I64, lane_count: I64, place: I64) -> None:
    """Position of each slice when every track is laid out row by row, by start inside a row.

    Args:
        rows: depth row per slice.
        offset: as in `arrange`.
        lane_base: first lane of each track, [tracks + 1].
        lane_count: filled, slices per lane.
        place: filled, new position of each slice.
    """
    for t in range(len(offset) - 1):
        low, high = offset[t], offset[t + 1]
        base = lane_base[t]
        for i in range(low, high):
            lane_count[base + rows[i]] += 1
        at = np.empty(lane_base[t + 1] - base, np.int64)
        next_place = low
        for row in range(len(at)):
            at[row] = next_place
            next_place += lane_count[base + row]
        for i in range(low, high):
            place[i] = at[rows[i]]
            at[rows[i]] += 1


def rows_of_groups(start: I64, end: I64, group: Array, rows: Array) -> int:
    """Rows of one track whose slices with equal group (>= 0) share the row of their hull; returns the number of rows.

    Slices come in (start, longer first, file order); `rows` is filled.
    """
    count = len(start)
    alone = group < 0
    key = np.where(alone, np.arange(count, dtype=np.int64) + int(group.max()) + 1, group.astype(np.int64))
    _, unit = np.unique(key, return_inverse=True)
    units = int(unit.max()) + 1
    low, high = np.full(units, np.iinfo(np.int64).max), np.full(units, np.iinfo(np.int64).min)
    np.minimum.at(low, unit, start)
    np.maximum.at(high, unit, end)
    first = np.full(units, count, np.int64)
    np.minimum.at(first, unit, np.arange(count))
    by_start = np.lexsort((first, -high, low))
    unit_rows = np.empty(units, np.int32)
    ordered = np.empty(units, np.int32)
    used, _, _ = assign_rows(low[by_start], high[by_start], ordered)
    unit_rows[by_start] = ordered
    rows[:] = unit_rows[unit]
    return int(used)
