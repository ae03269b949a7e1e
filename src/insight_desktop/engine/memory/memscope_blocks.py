"""Pairs MALLOC and FREE rows of a MemScope dump into blocks, sums them up to curves, and finds the accesses of each block.

A block's key is (process, device, pool, address). Of several MALLOC in a row the first counts, of several FREE too; rows that
do not count change no curve. A `Pairing` lets more rows count: FREE rows on addresses that no row used before end blocks from
before tracing, which live since the origin; and every MALLOC of a block that lives ends it and begins another one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.load_options import Pairing
from insight_desktop.engine.memory.memscope_events import ACCESS, FREE, I64, MALLOC, NONE, Rows

Bools = npt.NDArray[np.bool_]
Quality = Counter[tuple[str, int, int]]


@dataclass
class Blocks:
    """Blocks in the order of (start, ID): positions in the rows, -1 for none.

    Attributes:
        row: the row that tells of the block: its MALLOC, the FREE of a block from before tracing.
        malloc: its MALLOC; none for a block from before tracing.
        free: its FREE; none for one that was never freed or ended by a MALLOC.
        ender: the MALLOC on its address that ended it.
        device: number of the device word.
        size: bytes.
        start, end: raw ns; from the origin for a block from before tracing, to the end of the data for one never freed.
        first, last, gap, accesses: of the accesses inside the life; first and last are NONE without any.
    """

    row: I64
    malloc: I64
    free: I64
    ender: I64
    device: I64
    size: I64
    start: I64
    end: I64
    first: I64
    last: I64
    gap: I64
    accesses: I64

    def __len__(self) -> int:
        return len(self.row)

    @property
    def never_freed(self) -> Bools:
        """Neither a FREE nor a MALLOC ended it."""
        return np.asarray((self.free < 0) & (self.ender < 0))


@dataclass
class Curve:
    """Points of one pool of one device, and the bytes after each.

    Attributes:
        rows: positions in the rows; -1 for the sum of the blocks from before tracing.
        t: raw ns.
    """

    device: int
    type: int
    rows: I64
    t: I64
    allocated: I64


@dataclass
class Paired:
    """Blocks, curves, and how many rows did not count or count in another way, by (reason, device, type)."""

    blocks: Blocks
    curves: list[Curve]
    quality: Quality


def pair(
    rows: Rows,
    *,
    hidden: frozenset[int],
    unknown: frozenset[int],
    origin_ns: int,
    end_ns: int,
    pairing: Pairing | None = None,
) -> Paired:
    """Blocks and curves of rows in the order of (time, ID).

    Args:
        rows: MALLOC, FREE and ACCESS rows.
        hidden: devices that are not shown (`host`).
        unknown: devices that say nothing (`N/A`, empty): a FREE there takes the device of the one live block it fits.
        origin_ns, end_ns: raw times of the start and the end of the data.
        pairing: which rows without a partner count; none when not given.
    """
    quality: Quality = Counter()
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
    usable = np.flatnonzero(in_play & known & ~empty)
    runs = _runs(rows, device, usable, np.flatnonzero(empty), pairing or Pairing())
    for reason, at in runs.told.items():
        _count(quality, reason, rows, device, _mask(rows, at) & shown)
    blocks = _blocks(rows, device, runs, origin_ns, end_ns)
    blocks = _only(blocks, shown[blocks.row])
    curves = _curves(rows, device, blocks, quality)
    _accesses(rows, device, blocks, quality)
    return Paired(blocks, curves, quality)


def _devices(rows: Rows, unknown: frozenset[int], quality: Quality) -> I64:
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


@dataclass
class _Runs:
    """Rows that count, as positions: the MALLOC of each block with its FREE and the MALLOC that ended it (-1 none).

    Attributes:
        before: FREE rows of blocks from before tracing.
        told: rows that do not count, or count in another way, by reason.
    """

    malloc: I64
    free: I64
    ender: I64
    before: I64
    told: dict[str, I64]


def _runs(rows: Rows, device: I64, at: I64, empty: I64, pairing: Pairing) -> _Runs:
    """Which of some MALLOC and FREE rows count: those of a key follow one another in time.

    Args:
        at: the rows.
        empty: MALLOC rows without a size, which do not count.
    """
    code = _numbered(rows.pid[at], device[at], rows.type[at])
    order = at[np.lexsort((rows.address[at], code))]  # stable: time and ID go on inside a key
    code = code[np.searchsorted(at, order)]
    kind, place = rows.kind[order], rows.address[order]
    same = np.zeros(len(order), np.bool_)
    same[1:] = (code[1:] == code[:-1]) & (place[1:] == place[:-1])
    after_malloc = np.zeros(len(order), np.bool_)
    after_malloc[1:] = same[1:] & (kind[:-1] == MALLOC)
    again = (kind == MALLOC) & after_malloc
    is_malloc = (kind == MALLOC) if pairing.implicit_free else (kind == MALLOC) & ~after_malloc
    is_free = (kind == FREE) & after_malloc
    orphan = (kind == FREE) & ~after_malloc
    before = np.zeros(len(order), np.bool_)
    if pairing.before_tracing:  # a FREE after any other row of its address is of no such block
        size = rows.size[order]
        before = orphan & ~same & (size != NONE) & (size != 0)
        before[before] = ~_follows(rows, device, order[before], empty)
    starts, ends = np.flatnonzero(is_malloc), np.flatnonzero(is_free)
    # Between one accepted MALLOC and the next there is at most one accepted FREE.
    owner = np.searchsorted(starts, ends, "right") - 1
    free_at, ender = np.full(len(starts), -1, np.int64), np.full(len(starts), -1, np.int64)
    free_at[owner] = order[ends]
    if pairing.implicit_free:
        enders = np.flatnonzero(again)
        ender[np.searchsorted(starts, enders) - 1] = order[enders]
    told = {
        "implicit_free" if pairing.implicit_free else "duplicate_malloc": order[again],
        "orphan_free": order[orphan & ~before], "block_before_tracing": order[before],
    }  # fmt: skip
    return _Runs(order[starts], free_at, ender, order[before], told)


def _follows(rows: Rows, device: I64, at: I64, others: I64) -> Bools:
    """Which rows have one of the others with the same key before them."""
    both = np.concatenate([others, at])
    key = _numbered(rows.pid[both], device[both], rows.type[both], rows.address[both])
    earliest = np.full(len(both), len(rows), np.int64)
    np.minimum.at(earliest, key[: len(others)], others)
    return np.asarray(earliest[key[len(others) :]] < at)


def _numbered(*columns: npt.NDArray[Any]) -> I64:
    """One small number per distinct combination."""
    out = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        distinct, inverse = np.unique(column, return_inverse=True)
        out = out * (len(distinct) + 1) + inverse
    return np.unique(out, return_inverse=True)[1].astype(np.int64)


def _blocks(rows: Rows, device: I64, runs: _Runs, origin_ns: int, end_ns: int) -> Blocks:
    order = np.argsort(runs.malloc, kind="stable")
    malloc, free, ender = runs.malloc[order], runs.free[order], runs.ender[order]
    row, start = malloc, rows.t[malloc]
    if len(runs.before):
        before = np.sort(runs.before)
        none = np.full(len(before), -1, np.int64)
        row, free = np.concatenate([before, malloc]), np.concatenate([before, free])
        malloc, ender = np.concatenate([none, malloc]), np.concatenate([none, ender])
        # A FREE far before all other rows lies before the origin.
        start = np.concatenate([np.minimum(origin_ns, rows.t[before]), start])
        order = np.argsort(start, kind="stable")
        row, malloc, free, ender, start = row[order], malloc[order], free[order], ender[order], start[order]
    last = np.where(free >= 0, free, ender)
    # A MALLOC with a time far beyond the data begins after their end.
    never = np.maximum(end_ns, start)
    end = np.where(last >= 0, rows.t[np.maximum(last, 0)] if len(rows) else 0, never)
    count = len(row)
    unset = np.full(count, NONE, np.int64)
    return Blocks(
        row, malloc, free, ender, device[row], np.abs(rows.size[row]), start, end.astype(np.int64), unset, unset.copy(),
        np.zeros(count, np.int64), np.zeros(count, np.int64),
    )  # fmt: skip


def _curves(rows: Rows, device: I64, blocks: Blocks, quality: Quality) -> list[Curve]:
    """Running sums per (device, pool): a FREE takes off what its MALLOC put on, whatever size it tells itself."""
    change = np.zeros(len(rows), np.int64)
    accepted = np.zeros(len(rows), np.bool_)
    for at, sign in ((blocks.malloc, 1), (blocks.free, -1), (blocks.ender, -1)):
        there = at >= 0
        change[at[there]] += sign * blocks.size[there]  # each row is there once: it begins one block, and ends one
        accepted[at[there]] = True
    at = np.flatnonzero(accepted)
    codes, inverse = np.unique(device[at] * (int(rows.type.max(initial=0)) + 1) + rows.type[at], return_inverse=True)
    before = np.flatnonzero(blocks.malloc < 0)
    curves = []
    for number in range(len(codes)):
        mine = at[inverse == number]
        of, kind = int(device[mine[0]]), int(rows.type[mine[0]])
        t, changes = rows.t[mine], change[mine]
        told = rows.used[mine]
        own = before[(blocks.device[before] == of) & (rows.type[blocks.row[before]] == kind)]
        if len(own):
            began, which = np.unique(blocks.start[own], return_inverse=True)
            sums = np.zeros(len(began), np.int64)
            np.add.at(sums, which, blocks.size[own])
            place = np.searchsorted(t, began)
            t, changes = np.insert(t, place, began), np.insert(changes, place, sums)
            mine, told = np.insert(mine, place, -1), np.insert(told, place, NONE)
        total = np.cumsum(changes)
        curves.append(Curve(of, kind, mine, t, total))
        wrong = int(((told != NONE) & (told != total)).sum())
        if wrong:
            quality["used_differs", of, kind] += wrong
    return curves


def _only(blocks: Blocks, keep: Bools) -> Blocks:
    return Blocks(**{name: values[keep] for name, values in vars(blocks).items()})


def _accesses(rows: Rows, device: I64, blocks: Blocks, quality: Quality) -> None:
    """First and last access, longest gap and number per block.

    An access belongs to the block of its (process, device, allocation id, address) that lives at its time. A FREE may tell no
    allocation id: to a block from before tracing that only such a FREE tells of, all accesses of its address belong.
    """
    at = np.flatnonzero(rows.kind == ACCESS)
    if not len(at) or not len(blocks):
        return
    block = _owner(rows, device, blocks, np.arange(len(blocks)), at, by_id=True)
    nameless = np.flatnonzero((blocks.malloc < 0) & (rows.allocation_id[blocks.row] == NONE))
    if len(nameless):
        left = np.flatnonzero(block < 0)
        block[left] = _owner(rows, device, blocks, nameless, at[left], by_id=False)
    _count(quality, "access_outside", rows, device, _mask(rows, at[block < 0]))
    at, block = at[block >= 0], block[block >= 0]
    when = rows.t[at]
    ranked = np.lexsort((when, block))
    block, when = block[ranked], when[ranked]
    if not len(block):
        return
    np.add.at(blocks.accesses, block, 1)
    first = np.flatnonzero(np.concatenate([[True], block[1:] != block[:-1]]))
    last = np.concatenate([first[1:], [len(block)]]) - 1
    blocks.first[block[first]] = when[first]
    blocks.last[block[last]] = when[last]
    gaps = np.where(block[1:] == block[:-1], np.diff(when), 0)
    np.maximum.at(blocks.gap, block[1:], gaps)


def _owner(rows: Rows, device: I64, blocks: Blocks, some: I64, at: I64, *, by_id: bool) -> I64:
    """The block of each access, -1 for none: of some blocks, the latest of the same key that lives at its time."""
    both = np.concatenate([blocks.row[some], at])
    known = np.where((rows.allocation_id[both] == NONE) | (not by_id), 0, rows.allocation_id[both])
    key = _numbered(rows.pid[both], np.concatenate([blocks.device[some], device[at]]), known, rows.address[both])
    times = np.concatenate([blocks.start[some], rows.t[at]])
    is_access = np.arange(len(both)) >= len(some)
    order = np.lexsort((is_access, times, key))
    # The latest block of the same key that began at or before the access.
    place = np.where(is_access[order], -1, np.arange(len(order)))
    latest = np.maximum.accumulate(place)
    candidate = order[np.maximum(latest, 0)]
    fits = is_access[order] & (latest >= 0) & (key[candidate] == key[order])
    ends = blocks.end[some]
    fits &= np.where(fits, times[order] <= ends[np.minimum(candidate, len(some) - 1)], False)
    found = np.full(len(at), -1, np.int64)
    found[order[fits] - len(some)] = some[candidate[fits]]
    return found


def _mask(rows: Rows, at: I64) -> Bools:
    out = np.zeros(len(rows), np.bool_)
    out[at] = True
    return out


def _count(quality: Quality, reason: str, rows: Rows, device: I64, which: Bools) -> None:
    at = np.flatnonzero(which)
    types = int(rows.type.max(initial=0)) + 1
    pools, counts = np.unique(device[at] * types + rows.type[at], return_counts=True)
    for pool, count in zip(pools.tolist(), counts.tolist(), strict=True):
        quality[reason, pool // types, pool % types] += count
