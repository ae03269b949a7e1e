"""Segments of the allocator over the events of a trace: replayed from checkpoints, exact at every event.

A table of segments has the columns SEGMENT; rows are sorted by address. Mapping merges with neighbours of the same
stream (the left part keeps its event), unmapping cuts a range out, which may leave two parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from insight_desktop.schema_snapshot import SEGMENT_ALLOC, SEGMENT_FREE, SEGMENT_MAP, SEGMENT_UNMAP

Array = npt.NDArray[Any]

# Columns of a table of segments; EVENT is -1 when the segment was there before the first event.
ADDRESS, SIZE, STREAM, EVENT, POOL, SMALL, EXPANDABLE = range(7)
WIDTH = 7
STEP = 1000  # segment events between two checkpoints, at least
_LEAST_CHECKPOINTS = 200
_BYTES = 96 << 20
SMALL_SEGMENT = 2 << 20


@njit(nogil=True, cache=True)
def _find(table, count, address):  # type: ignore[no-untyped-def]
    """First row whose address is not below the given one (addresses compare without sign)."""
    low, high = 0, count
    wanted = np.uint64(address)
    while low < high:
        middle = (low + high) // 2
        if np.uint64(table[middle, ADDRESS]) < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@njit(nogil=True, cache=True)
def _insert(table, count, row, values):  # type: ignore[no-untyped-def]
    for k in range(count, row, -1):
        for c in range(WIDTH):
            table[k, c] = table[k - 1, c]
    for c in range(WIDTH):
        table[row, c] = values[c]
    return count + 1


@njit(nogil=True, cache=True)
def _delete(table, count, row):  # type: ignore[no-untyped-def]
    for k in range(row, count - 1):
        for c in range(WIDTH):
            table[k, c] = table[k + 1, c]
    return count - 1


@njit(nogil=True, cache=True)
def add(table, count, values, merge):  # type: ignore[no-untyped-def]
    """Put a segment in; with `merge` it grows together with neighbours of its stream. Returns the new count."""
    row = _find(table, count, values[ADDRESS])
    if row < count and table[row, ADDRESS] == values[ADDRESS]:
        for c in range(WIDTH):
            table[row, c] = values[c]
        return count
    end = values[ADDRESS] + values[SIZE]
    left = (
        merge
        and row > 0
        and table[row - 1, ADDRESS] + table[row - 1, SIZE] == values[ADDRESS]
        and table[row - 1, STREAM] == values[STREAM]
    )
    right = merge and row < count and table[row, ADDRESS] == end and table[row, STREAM] == values[STREAM]
    if left and right:
        table[row - 1, SIZE] += values[SIZE] + table[row, SIZE]
        return _delete(table, count, row)
    if left:
        table[row - 1, SIZE] += values[SIZE]
        return count
    if right:
        size = table[row, SIZE]
        for c in range(WIDTH):
            table[row, c] = values[c]
        table[row, SIZE] += size
        return count
    return _insert(table, count, row, values)


@njit(nogil=True, cache=True)
def remove(table, count, address):  # type: ignore[no-untyped-def]
    """Take the segment at an address out; the count stays the same when there is none."""
    row = _find(table, count, address)
    if row < count and table[row, ADDRESS] == address:
        return _delete(table, count, row)
    return count


@njit(nogil=True, cache=True)
def cut(table, count, address, size):  # type: ignore[no-untyped-def]
    """Take a range out of the segment that holds it: returns the new count, or -1 when none holds it."""
    row = _find(table, count, address)
    if row == count or table[row, ADDRESS] != address:
        row -= 1
    if row < 0 or np.uint64(table[row, ADDRESS] + table[row, SIZE]) < np.uint64(address + size):
        return -1
    begin, end = table[row, ADDRESS], table[row, ADDRESS] + table[row, SIZE]
    if begin == address and end == address + size:
        return _delete(table, count, row)
    if begin == address:
        table[row, ADDRESS] = address + size
        table[row, SIZE] = end - address - size
        return count
    table[row, SIZE] = address - begin
    if end == address + size:
        return count
    values = table[row].copy()
    values[ADDRESS] = address + size
    values[SIZE] = end - address - size
    return _insert(table, count, row + 1, values)


@njit(nogil=True, cache=True)
def forward(table, count, events, action, address, size, stream, pool, begin, end):  # type: ignore[no-untyped-def]
    """Apply the segment events [begin, end) of `events` (indices into the trace). Returns the new count."""
    values = np.zeros(WIDTH, np.int64)
    for k in range(begin, end):
        i = events[k]
        at = np.int64(address[i])
        if action[i] == SEGMENT_ALLOC or action[i] == SEGMENT_MAP:
            values[ADDRESS], values[SIZE], values[STREAM], values[EVENT] = at, size[i], stream[i], i
            values[POOL] = pool[k]
            values[SMALL] = 1 if size[i] <= SMALL_SEGMENT else 0
            values[EXPANDABLE] = 1 if action[i] == SEGMENT_MAP else 0
            count = add(table, count, values, action[i] == SEGMENT_MAP)
        elif action[i] == SEGMENT_FREE:
            count = remove(table, count, at)
        else:
            found = cut(table, count, at, size[i])
            count = found if found >= 0 else count
    return count


@njit(nogil=True, cache=True)
def backward(table, count, events, action, address, size, stream, pool, missing):  # type: ignore[no-untyped-def]
    """Undo all segment events, newest first: from the dump to what was there before. Returns the new count.

    `missing` int64 [2]: how many segments were not there to be undone, and the first such event.
    """
    values = np.zeros(WIDTH, np.int64)
    for k in range(events.size - 1, -1, -1):
        i = events[k]
        at = np.int64(address[i])
        before = count
        if action[i] == SEGMENT_FREE or action[i] == SEGMENT_UNMAP:
            values[ADDRESS], values[SIZE], values[STREAM], values[EVENT] = at, size[i], stream[i], -1
            values[POOL] = pool[k]
            values[SMALL] = 1 if size[i] <= SMALL_SEGMENT else 0
            values[EXPANDABLE] = 1 if action[i] == SEGMENT_UNMAP else 0
            count = add(table, count, values, action[i] == SEGMENT_UNMAP)
            continue
        if action[i] == SEGMENT_ALLOC:
            count = remove(table, count, at)
            lost = count == before
        else:
            found = cut(table, count, at, size[i])
            lost = found < 0
            count = before if lost else found
        if lost:
            missing[0] += 1
            missing[1] = i
    return count


def is_segment_event(action: Array) -> Array:
    """Mask of the events that change segments."""
    return action <= SEGMENT_FREE


def before_first(dump: Array, events: Array, action: Array, address: Array, size: Array, stream: Array, pool: Array) -> tuple[Array, Array]:  # fmt: skip
    """Segments before the first event, from those at the dump; and what was missing (count, event).

    Args:
        dump: table of segments at the dump.
        events: indices of the segment events.
        action, address, size, stream: columns of the trace.
        pool: memory pool of each segment event.
    """
    table = np.zeros((len(dump) + 2 * len(events) + 4, WIDTH), np.int64)
    table[: len(dump)] = dump
    table[: len(dump), EVENT] = -1
    missing = np.zeros(2, np.int64)
    count = backward(table, len(dump), events, action, address, size, stream, pool, missing)
    return table[:count].copy(), missing


def checkpoints(first: Array, events: Array, action: Array, address: Array, size: Array, stream: Array, pool: Array, dump_size: int = 0) -> Array:  # fmt: skip
    """Tables of segments at regular places of the trace, flat: int64 [rows, 8], first column = segment events before it.

    A row of SIZE 0 stands for a checkpoint without any segment.
    """
    # As many as fit into a modest file: what lies between two is replayed for every question.
    most = max(_LEAST_CHECKPOINTS, min(len(events) // STEP, _BYTES // (64 * max(1, len(first), dump_size))))
    step = max(STEP, -(-len(events) // max(1, most)))
    table = np.zeros((len(first) + 2 * len(events) + 4, WIDTH), np.int64)
    table[: len(first)] = first
    count = len(first)
    parts = []
    for done in range(0, len(events) + 1, step):
        rows = table[:count] if count else np.zeros((1, WIDTH), np.int64)
        parts.append(np.column_stack([np.full(len(rows), done), rows]))
        count = forward(table, count, events, action, address, size, stream, pool, done, min(done + step, len(events)))
    return np.concatenate(parts)


@dataclass(frozen=True)
class Checkpoints:
    """Flat tables of `checkpoints`, found by the number of segment events before them."""

    rows: Array
    starts: Array
    offsets: Array

    @classmethod
    def of(cls, points: Array) -> Checkpoints:
        """Index the tables once."""
        first = np.flatnonzero(np.diff(points[:, 0], prepend=-1)) if len(points) else np.zeros(0, np.int64)
        return cls(points[:, 1:], points[first, 0], np.append(first, len(points)))


def state_at(points: Checkpoints, events: Array, action: Array, address: Array, size: Array, stream: Array, pool: Array, event: int) -> Array:  # fmt: skip
    """Table of segments after an event (-1: before the first), from `checkpoints`."""
    wanted = int(np.searchsorted(events, event, "right"))
    k = int(np.searchsorted(points.starts, wanted, "right")) - 1
    done = int(points.starts[k])
    rows = points.rows[points.offsets[k] : points.offsets[k + 1]]
    rows = rows[rows[:, SIZE] > 0]
    table = np.zeros((len(rows) + 2 * (wanted - done) + 4, WIDTH), np.int64)
    table[: len(rows)] = rows
    count = forward(table, len(rows), events, action, address, size, stream, pool, done, wanted)
    return table[:count]
