"""Pairs MALLOC and FREE rows of a MemScope dump into blocks, sums them up to curves, and finds the accesses of each block.

A block's key is (process, device, pool, address). Of several MALLOC in a row the first counts, of several FREE too; rows that
do not count change no curve.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.memory.memscope_events import ACCESS, FREE, I64, MALLOC, NONE, Rows

Bools = npt.NDArray[np.bool_]


@dataclass
class Blocks:
    """Blocks in the order of (start, ID): positions in the rows.

    Attributes:
        malloc, free: rows of the MALLOC and of the FREE (-1: never freed).
        device: number of the device word.
        size: bytes.
        end: raw ns; the end of the data for a block that was never freed.
        first, last, gap, accesses: of the accesses inside the life; first and last are NONE without any.
    """

    malloc: I64
    free: I64
    device: I64
    size: I64
    end: I64
    first: I64
    last: I64
    gap: I64
    accesses: I64

    def __len__(self) -> int:
        return len(self.malloc)


@dataclass
class Curve:
    """Points of one pool of one device: positions in the rows, and the bytes after each."""

    device: int
    type: int
    rows: I64
    allocated: I64


@dataclass
class Paired:
    """Blocks, curves, and how many rows did not count, by (reason, device, type)."""

    blocks: Blocks
    curves: list[Curve]
    quality: Counter[tuple[str, int, int]]


def pair(rows: Rows, *, hidden: frozenset[int], unknown: frozenset[int], end_ns: int) -> Paired:
    """Blocks and curves of rows in the order of (time, ID).

    Args:
        rows: MALLOC, FREE and ACCESS rows.
        hidden: devices that are not shown (`host`).
        unknown: devices that say nothing (`N/A`, empty): a FREE there takes the device of the one live block it fits.
        end_ns: raw time of the end of the data.
    """
    quality: Counter[tuple[str, int, int]] = Counter()
    device = _devices(rows, unknown, quality)
    kind, size = rows.kind, rows.size
    in_play = (kind == MALLOC) | (kind == FREE)
    known = ~np.isin(device, list(unknown))
    # A size of zero, or none, is no block; a negative one counts as absolute.
    empty = (kind == MALLOC) & ((size == NONE) | (size == 0))
    negative = (kind == MALLOC) & (size < 0) & (size != NONE)
    shown = ~np.isin(device, list(hidden))
    _count(quality, "zero_size_malloc", rows, device, empty & known & shown)
    _count(quality, "negative_malloc", rows, device, negative & known & shown)
    _count(quality, "malloc_without_device", rows, device, (kind == MALLOC) & ~known)
    at = np.flatnonzero(in_play & known & ~empty)
    order, malloc_at, free_at, is_malloc, is_free = _runs(rows, device, at)
    double = (rows.kind[order] == MALLOC) & ~is_malloc
    orphan = (rows.kind[order] == FREE) & ~is_free
    _count(quality, "duplicate_malloc", rows, device, _mask(rows, order[double]) & shown)
    _count(quality, "orphan_free", rows, device, _mask(rows, order[orphan]) & shown)
    blocks = _blocks(rows, device, malloc_at, free_at, end_ns)
    accepted = np.zeros(len(rows), np.bool_)
    accepted[malloc_at] = True
    accepted[free_at[free_at >= 0]] = True
    curves = _curves(rows, device, accepted & shown, blocks, quality)
    blocks = _only(blocks, shown[blocks.malloc])
    _accesses(rows, device, blocks, quality)
    return Paired(blocks, curves, quality)


def _devices(rows: Rows, unknown: frozenset[int], quality: Counter[tuple[str, int, int]]) -> I64:
    """Devices of all rows; a FREE without one has that of the only live block of its (process, pool, address)."""
    device: I64 = rows.device.copy()
    lost = np.flatnonzero((rows.kind == FREE) & np.isin(device, list(unknown)))
    if not len(lost):
        return device
    keys = {(int(rows.pid[i]), int(rows.type[i]), int(rows.address[i])) for i in lost}
    addresses = np.array(sorted({key[2] for key in keys}), np.uint64)
    near = np.flatnonzero(np.isin(rows.address, addresses) & (rows.kind != ACCESS))
    live: dict[tuple[int, int, int], set[int]] = {}
    for i in near.tolist():
        key = int(rows.pid[i]), int(rows.type[i]), int(rows.address[i])
        if key not in keys:
            continue
        there, number = live.setdefault(key, set()), int(device[i])
        if rows.kind[i] == MALLOC:
            if number not in unknown and rows.size[i] not in (NONE, 0):
                there.add(number)
        elif number in unknown:
            if len(there) == 1:
                device[i] = there.pop()
            else:
                quality["free_without_device", number, int(rows.type[i])] += 1
        else:
            there.discard(number)
    return device


def _runs(rows: Rows, device: I64, at: I64) -> tuple[I64, I64, I64, Bools, Bools]:
    """Rows by key and time, the accepted MALLOC, its FREE (-1 none), and which rows of the order are accepted."""
    code = _numbered(rows.pid[at], device[at], rows.type[at])
    order = at[np.lexsort((rows.address[at], code))]  # stable: time and ID go on inside a key
    code = code[np.searchsorted(at, order)]
    kind, place = rows.kind[order], rows.address[order]
    same = np.zeros(len(order), np.bool_)
    same[1:] = (code[1:] == code[:-1]) & (place[1:] == place[:-1])
    after_malloc = np.zeros(len(order), np.bool_)
    after_malloc[1:] = same[1:] & (kind[:-1] == MALLOC)
    is_malloc = (kind == MALLOC) & ~after_malloc
    is_free = (kind == FREE) & after_malloc
    starts = np.flatnonzero(is_malloc)
    ends = np.flatnonzero(is_free)
    # Between one accepted MALLOC and the next there is at most one accepted FREE.
    owner = np.searchsorted(starts, ends, "right") - 1
    free_at = np.full(len(starts), -1, np.int64)
    free_at[owner] = order[ends]
    return order, order[starts], free_at, is_malloc, is_free


def _numbered(*columns: npt.NDArray[Any]) -> I64:
    """One small number per distinct combination."""
    out = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        distinct, inverse = np.unique(column, return_inverse=True)
        out = out * (len(distinct) + 1) + inverse
    return np.unique(out, return_inverse=True)[1].astype(np.int64)


def _blocks(rows: Rows, device: I64, malloc_at: I64, free_at: I64, end_ns: int) -> Blocks:
    order = np.argsort(malloc_at, kind="stable")
    malloc_at, free_at = malloc_at[order], free_at[order]
    count = len(malloc_at)
    # A MALLOC with a time far beyond the data begins after their end.
    never = np.maximum(end_ns, rows.t[malloc_at])
    end = np.where(free_at >= 0, rows.t[np.maximum(free_at, 0)] if len(rows) else 0, never)
    none = np.full(count, NONE, np.int64)
    return Blocks(
        malloc_at, free_at, device[malloc_at], np.abs(rows.size[malloc_at]), end.astype(np.int64), none, none.copy(),
        np.zeros(count, np.int64), np.zeros(count, np.int64),
    )  # fmt: skip


def _curves(
    rows: Rows, device: I64, accepted: Bools, blocks: Blocks, quality: Counter[tuple[str, int, int]]
) -> list[Curve]:
    """Running sums per (device, pool): a FREE takes off what its MALLOC put on, whatever size it tells itself."""
    change = np.zeros(len(rows), np.int64)
    change[blocks.malloc] = blocks.size
    freed = blocks.free >= 0
    change[blocks.free[freed]] = -blocks.size[freed]
    at = np.flatnonzero(accepted)
    codes, inverse = np.unique(device[at] * (int(rows.type.max(initial=0)) + 1) + rows.type[at], return_inverse=True)
    curves = []
    for number in range(len(codes)):
        mine = at[inverse == number]
        total = np.cumsum(change[mine])
        curve = Curve(int(device[mine[0]]), int(rows.type[mine[0]]), mine, total)
        told = rows.used[mine] != NONE
        wrong = int((rows.used[mine][told] != total[told]).sum())
        if wrong:
            quality["used_differs", curve.device, curve.type] += wrong
        curves.append(curve)
    return curves


def _only(blocks: Blocks, keep: Bools) -> Blocks:
    return Blocks(**{name: values[keep] for name, values in vars(blocks).items()})


def _accesses(rows: Rows, device: I64, blocks: Blocks, quality: Counter[tuple[str, int, int]]) -> None:
    """First and last access, longest gap and number per block.

    An access belongs to the block of its (process, device, allocation id, address) that lives at its time.
    """
    at = np.flatnonzero(rows.kind == ACCESS)
    if not len(at) or not len(blocks):
        return
    both = np.concatenate([blocks.malloc, at])
    known = np.where(rows.allocation_id[both] == NONE, 0, rows.allocation_id[both])
    key = _numbered(rows.pid[both], np.concatenate([blocks.device, device[at]]), known, rows.address[both])
    times = rows.t[both]
    is_access = np.arange(len(both)) >= len(blocks)
    order = np.lexsort((is_access, times, key))
    # The latest block of the same key that began at or before the access.
    place = np.where(is_access[order], -1, np.arange(len(order)))
    latest = np.maximum.accumulate(place)
    candidate = order[np.maximum(latest, 0)]
    fits = is_access[order] & (latest >= 0) & (key[candidate] == key[order])
    fits &= np.where(fits, times[order] <= blocks.end[np.minimum(candidate, len(blocks) - 1)], False)
    outside = at[order[is_access[order] & ~fits] - len(blocks)]
    for i in outside.tolist():
        quality["access_outside", int(device[i]), int(rows.type[i])] += 1
    block, when = candidate[fits], times[order][fits]
    ranked = np.lexsort((when, block))
    block, when = block[ranked], when[ranked]
    if not len(block):
        return
    np.add.at(blocks.accesses, block, 1)
    first = np.flatnonzero(np.concatenate([[True], block[1:] != block[:-1]]))
    blocks.first[block[first]] = when[first]
    blocks.last[block[np.concatenate([first[1:], [len(block)]]) - 1]] = when[
        np.concatenate([first[1:], [len(block)]]) - 1
    ]
    gaps = np.where(block[1:] == block[:-1], np.diff(when), 0)
    np.maximum.at(blocks.gap, block[1:], gaps)


def _mask(rows: Rows, at: I64) -> Bools:
    out = np.zeros(len(rows), np.bool_)
    out[at] = True
    return out


def _count(quality: Counter[tuple[str, int, int]], reason: str, rows: Rows, device: I64, which: Bools) -> None:
    for i in np.flatnonzero(which).tolist():
        quality[reason, int(device[i]), int(rows.type[i])] += 1
