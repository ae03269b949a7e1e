"""Pairs allocator events into blocks, and settles what the trace and the dump disagree about.

The dump is the truth about the end, the trace about the order. A block whose free was lost ends where its address is
taken again, or with its segment, or with the trace; a block that was freed but lives in the dump begins after that free.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from insight_desktop.schema_snapshot import (
    ALLOC,
    EXACT,
    FREE,
    FREE_COMPLETED,
    FREE_REQUESTED,
    LOST_ALLOC,
    LOST_FREE,
    NEVER_FREED,
    PENDING_BEFORE,
    PREEXISTING,
    SEGMENT_ALLOC,
    WORKSPACE,
    WORKSPACE_BLOCK,
)

Array = npt.NDArray[Any]

# Columns of the block table while pairing.
START, PENDING, END, ADDRESS, SIZE, REQUESTED, STREAM, STACK, FLAGS, POOL = range(10)
_FIRST_ROOM = 1 << 12
(ALLOC_WITHOUT_BLOCK, ALLOC_OF_LIVE, FREE_OF_UNKNOWN, DOUBLE_FREE, STATE_DIFFERS, SURVIVORS_UNKNOWN, SEGMENT_MISSING, NEGATIVE) = range(8)  # fmt: skip


@njit(nogil=True, cache=True)
def _place(keys, used, address):  # type: ignore[no-untyped-def]
    """Place of an address in the table: where it is, or where it may go."""
    mask = keys.size - 1
    h = address * np.uint64(0x9E3779B97F4A7C15)
    place = np.int64((h ^ (h >> np.uint64(29))) & np.uint64(mask))
    while used[place] != 0 and keys[place] != address:
        place = (place + 1) & mask
    return place


@njit(nogil=True, cache=True)
def _rehash(keys, used, values):  # type: ignore[no-untyped-def]
    more_keys = np.zeros(2 * keys.size, np.uint64)
    more_used = np.zeros(2 * keys.size, np.uint8)
    more_values = np.zeros(2 * keys.size, np.int64)
    for k in range(keys.size):
        if used[k]:
            place = _place(more_keys, more_used, keys[k])
            more_keys[place], more_used[place], more_values[place] = keys[k], 1, values[k]
    return more_keys, more_used, more_values


@njit(nogil=True, cache=True)
def _note(kind, event, anomalies):  # type: ignore[no-untyped-def]
    if anomalies[kind, 0] == 0:
        anomalies[kind, 1] = event
    anomalies[kind, 0] += 1


@njit(nogil=True, cache=True)
def _block(table, count, start, address, requested, stream, stack, flags, pool, never):  # type: ignore[no-untyped-def]
    table[count, START] = start
    table[count, PENDING] = never
    table[count, END] = never
    table[count, ADDRESS] = np.int64(address)
    table[count, SIZE] = -1
    table[count, REQUESTED] = requested
    table[count, STREAM] = stream
    table[count, STACK] = stack
    table[count, FLAGS] = flags
    table[count, POOL] = pool


@njit(nogil=True, cache=True)
def _free(table, count, i, action, value, seen, address, size, stream, never, anomalies):  # type: ignore[no-untyped-def]
    """One free event: returns (block it belongs to, value of the address from now on, is the block new).

    Values: a block's row while it lives; -2 - event of the free afterwards.
    """
    fresh = False
    if value < 0:
        if seen:
            _note(DOUBLE_FREE if action == FREE_REQUESTED else FREE_OF_UNKNOWN, i, anomalies)
            return np.int64(-1), value, fresh
        # A block from before the recording; when only its completion is seen, it was waiting already.
        before = PENDING_BEFORE if action == FREE_COMPLETED else 0
        _block(table, count, 0, address, size, stream, 0, PREEXISTING | before, -1, never)
        if before:
            table[count, PENDING] = 0
        value = count
        fresh = True
    row = value
    if action == FREE_REQUESTED:
        if table[row, PENDING] != never:
            _note(DOUBLE_FREE, i, anomalies)
        else:
            table[row, PENDING] = i
        return row, row, fresh
    if table[row, PENDING] == never:
        table[row, PENDING] = i
    table[row, END] = i
    return row, np.int64(-2 - i), fresh


@njit(nogil=True, cache=True)
def pair(action, address, size, stream, stack, pool, block_of, anomalies):  # type: ignore[no-untyped-def]
    """Blocks of a trace, in the order in which they are met; the address table to match the dump with.

    Args:
        action, address, size, stream, stack, pool: columns of the events; pool may be empty.
        block_of: int32 per event, filled with the row of its block, -1 none.
        anomalies: int64 [kinds, 2], count and first event.
    """
    n = action.size
    keys = np.zeros(_FIRST_ROOM, np.uint64)
    used = np.zeros(_FIRST_ROOM, np.uint8)
    values = np.zeros(_FIRST_ROOM, np.int64)
    table = np.zeros((max(16, n // 3), 10), np.int64)
    held = 0
    count = np.int64(0)
    workspace_size = np.int64(-1)
    for i in range(n):
        code = action[i]
        block_of[i] = -1
        if code == WORKSPACE:
            workspace_size = size[i]
        if code not in (ALLOC, FREE, FREE_REQUESTED, FREE_COMPLETED):
            if code not in (WORKSPACE, SEGMENT_ALLOC):
                workspace_size = np.int64(-1)
            continue
        if 2 * (held + 1) > keys.size:
            keys, used, values = _rehash(keys, used, values)
        if count == table.shape[0]:
            longer = np.zeros((2 * count, 10), np.int64)
            longer[:count] = table
            table = longer
        place = _place(keys, used, address[i])
        seen = used[place] != 0
        value = values[place] if seen else np.int64(-1)
        if not seen:
            keys[place], used[place] = address[i], 1
            held += 1
        if code == ALLOC:
            if value >= 0:
                _note(ALLOC_OF_LIVE, i, anomalies)
                table[value, END] = i
                table[value, PENDING] = min(table[value, PENDING], i)
                table[value, FLAGS] |= LOST_FREE
            flags = WORKSPACE_BLOCK if workspace_size == size[i] else 0
            _block(table, count, i, address[i], size[i], stream[i], stack[i], flags, pool[i] if pool.size else -1, n)
            block_of[i] = values[place] = count
            count += 1
        else:
            row, value, fresh = _free(table, count, i, code, value, seen, address[i], size[i], stream[i], n, anomalies)
            block_of[i], values[place] = row, value
            count += fresh
        workspace_size = np.int64(-1)
    return table[:count], keys, used, values


@njit(nogil=True, cache=True)
def match_dump(table, keys, used, values, dump, n, matched, anomalies):  # type: ignore[no-untyped-def]
    """Compare live blocks with the dump.

    Args:
        table: blocks of `pair`.
        keys, used, values: its address table.
        dump: int64 [blocks, 6]: address, size, requested, state (1 allocated, 0 pending), stack, stream.
        n: events.
        matched: uint8 per block of the table, set where the dump knows it.
        anomalies: as in `pair`.

    Returns:
        Blocks that only the dump knows.
    """
    extra = np.zeros((dump.shape[0], 10), np.int64)
    count = 0
    for k in range(dump.shape[0]):
        address = np.uint64(dump[k, 0])
        place = _place(keys, used, address)
        value = values[place] if used[place] else np.int64(-1)
        pending = dump[k, 3] == 0
        if value >= 0:
            matched[value] = 1
            table[value, SIZE] = dump[k, 1]
            table[value, FLAGS] |= EXACT
            if table[value, STACK] == 0:
                table[value, STACK] = dump[k, 4]
            if pending != (table[value, PENDING] < n):
                _note(STATE_DIFFERS, -1, anomalies)
                table[value, PENDING] = n - 1 if pending else n
            continue
        flags = EXACT
        start = np.int64(0)
        if value < -1 and -2 - value + 1 < n:
            _note(FREE_OF_UNKNOWN, -2 - value, anomalies)
            start, flags = -2 - value + 1, EXACT | LOST_ALLOC
        else:
            flags |= PREEXISTING
        if pending:
            flags |= PENDING_BEFORE
        _block(extra, count, start, address, dump[k, 2], dump[k, 5], dump[k, 4], flags, -1, n)
        extra[count, SIZE] = dump[k, 1]
        if pending:
            extra[count, PENDING] = start
        count += 1
    return extra[:count]


def close_lost(table: Array, matched: Array, segment_ends: Array, has_dump: bool, n: int, anomalies: Array) -> None:
    """End the blocks that the trace never frees but the dump does not know.

    Args:
        table: blocks of the trace.
        matched: which of them live in the dump.
        segment_ends: int64 [events, 3]: event, first and last byte + 1 of memory that went back to the device.
        has_dump: false when the file tells nothing of this device's end: then they are survivors.
        n: events.
        anomalies: as in `pair`.
    """
    open_rows = np.flatnonzero((table[:, END] == n) & (matched == 0))
    if not len(open_rows):
        return
    if not has_dump:
        _count(anomalies, SURVIVORS_UNKNOWN, len(open_rows), int(table[open_rows[0], START]))
        return
    lost = open_rows[(table[open_rows, FLAGS] & WORKSPACE_BLOCK) == 0]
    if not len(lost):
        return
    _count(anomalies, ALLOC_WITHOUT_BLOCK, len(lost), int(table[lost[0], START]))
    for row in lost[:10_000].tolist():
        address, start = int(table[row, ADDRESS]), int(table[row, START])
        gone = segment_ends[
            (segment_ends[:, 0] > start) & (segment_ends[:, 1] <= address) & (segment_ends[:, 2] > address), 0
        ]
        table[row, END] = int(gone[0]) if len(gone) else max(n - 1, start)
    table[lost[10_000:], END] = n - 1
    table[lost, END] = np.maximum(table[lost, END], table[lost, START])
    table[lost, PENDING] = np.minimum(table[lost, PENDING], table[lost, END])
    table[lost, FLAGS] |= LOST_FREE


def _count(anomalies: Array, kind: int, amount: int, event: int) -> None:
    if anomalies[kind, 0] == 0:
        anomalies[kind, 1] = event
    anomalies[kind, 0] += amount


def finish(table: Array, extra: Array, block_of: Array, n: int) -> Array:
    """All blocks in order of (start, from before first, address); `block_of` gets the new rows."""
    whole = np.concatenate([table, extra])
    whole[whole[:, END] == n, FLAGS] |= NEVER_FREED
    before = (whole[:, FLAGS] & PREEXISTING) == 0
    order = np.lexsort((whole[:, ADDRESS].view(np.uint64), before, whole[:, START]))
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    known = block_of >= 0
    block_of[known] = rank[block_of[known]]
    return whole[order]


def estimated(requested: Array, pad: int) -> Array:
    """Bytes that the allocator takes for a request: pad added, rounded up to 512, at least 512."""
    return np.maximum(512, (requested + pad + 511) // 512 * 512)


_PROOFS = 1_000_000  # blocks that are looked at for the pad


def detect_pad(address: Array, sizes: Array, requested: Array, exact: Array) -> int:
    """Bytes that the allocator adds to a request: 32 (torch_npu) or 0.

    Survivors tell it by their sizes. Without a majority of them, neighbours do: blocks are placed tightly, so the end of
    a block is often the address of another one.

    Args:
        address, sizes, requested: of all blocks; sizes count where `exact`.
        exact: whether a size is known from the dump.
    """
    known, asked = sizes[exact], requested[exact]
    votes = int((known == estimated(asked, 32)).sum()) - int((known == estimated(asked, 0)).sum())
    if votes:
        return 32 if votes > 0 else 0
    address, requested = address[:_PROOFS], requested[:_PROOFS]
    padded, plain = estimated(requested, 32), estimated(requested, 0)
    differs = padded != plain
    places = np.unique(address)
    votes = int(np.isin(address[differs] + padded[differs], places).sum())
    votes -= int(np.isin(address[differs] + plain[differs], places).sum())
    return 32 if votes > 0 else 0


@njit(nogil=True, cache=True)
def totals(start, pending, end, size, n, allocated, active):  # type: ignore[no-untyped-def]
    """Allocated and active bytes after every event; returns both before the first event.

    A block that was there before counts from before event 0; one that ends at event e counts up to the event before.
    """
    first_allocated = np.int64(0)
    first_active = np.int64(0)
    for k in range(start.size):
        s = start[k]
        if s < 0:
            first_active += size[k]
            if pending[k] > -1:
                first_allocated += size[k]
        else:
            active[s] += size[k]
            if pending[k] > s:
                allocated[s] += size[k]
        if end[k] < n and end[k] >= 0:
            active[end[k]] -= size[k]
        if pending[k] < n and pending[k] > s and pending[k] >= 0:
            allocated[pending[k]] -= size[k]
    a, b = first_allocated, first_active
    for i in range(n):
        a += allocated[i]
        b += active[i]
        allocated[i] = a
        active[i] = b
    return first_allocated, first_active
