"""Level of detail: the mip pyramid of the lanes and the peaks of the counters (write side).

Level k merges runs of neighbours in a lane that are shorter than 2^k ns and begin in the same 2^k bucket; a slice of
2^k ns or more stays alone, so whatever is a pixel wide is drawn at every zoom. A level is kept only when it has at
most half the entries of the one before: it would save nothing otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

FIRST_SHIFT = 10
LAST_SHIFT = 48
STEP = 2
SMALL = 2000  # entries below which a level is not worth a file

I64 = npt.NDArray[np.int64]
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Level:
    """Entries of one level: [start, end) per run, name of its longest slice, offsets per lane."""

    shift: int
    start: I64
    end: I64
    name: Array
    longest: I64  # duration of the longest slice of each run; empty at level 0
    offset: I64


@njit(cache=True, nogil=True)
def count_runs(start: I64, end: I64, longest: I64, offset: I64, low: int, high: int, shift: int, count: I64) -> int:
    """Number of entries that lanes [low, high) have at level `shift`; `count` is filled per lane."""
    whole = len(longest) == 0
    limit = np.int64(1) << shift
    total = 0
    for lane in range(low, high):
        runs = 0
        bucket = np.int64(0)
        alone = True
        for i in range(offset[lane], offset[lane + 1]):
            length = end[i] - start[i] if whole else longest[i]
            begin = start[i] >> shift
            long = length >= limit
            if alone or long or begin != bucket:
                runs += 1
            bucket = begin
            alone = long
        count[lane] = runs
        total += runs
    return total


@njit(cache=True, nogil=True)
def fill_runs(
    start: I64, end: I64, name: Array, longest: I64, offset: I64, low: int, high: int, shift: int,
    to: I64, out_start: I64, out_end: I64, out_name: Array, out_longest: I64,
) -> None:  # fmt: skip
    """Write the entries of lanes [low, high) at level `shift`; those of a lane begin at to[lane]."""
    whole = len(longest) == 0
    limit = np.int64(1) << shift
    for lane in range(low, high):
        k = to[lane] - 1
        bucket = np.int64(0)
        alone = True
        for i in range(offset[lane], offset[lane + 1]):
            length = end[i] - start[i] if whole else longest[i]
            begin = start[i] >> shift
            long = length >= limit
            if alone or long or begin != bucket:
                k += 1
                out_start[k] = start[i]
                out_end[k] = end[i]
                out_name[k] = name[i]
                out_longest[k] = length
            else:
                out_end[k] = max(out_end[k], end[i])
                if length > out_longest[k]:
                    out_longest[k] = length
                    out_name[k] = name[i]
            bucket = begin
            alone = long


def levels(start: I64, end: I64, name: Array, offset: I64, *, threads: int = 1) -> Iterator[Level]:
    """The levels worth keeping, finest first; level 0 (the slices) is not among them.

    Args:
        start, end, name: slices by (lane, start).
        offset: slices of lane l are [offset[l], offset[l+1]).
        threads: workers; each takes a share of the lanes.
    """
    below = Level(0, start, end, name, np.empty(0, np.int64), offset)
    lanes = len(offset) - 1
    with ThreadPoolExecutor(max(1, threads)) as pool:
        for shift in range(FIRST_SHIFT, LAST_SHIFT + 1, STEP):
            size = len(below.start)
            if size < SMALL:
                return
            shares = _shares(below.offset, threads)
            count = np.zeros(lanes, np.int64)
            total = sum(
                pool.map(
                    lambda s, b=below, k=shift, c=count: count_runs(
                        b.start, b.end, b.longest, b.offset, s[0], s[1], k, c
                    ),
                    shares,
                )
            )
            if 2 * total > size:
                continue
            above = _filled(below, shift, count, shares, pool)
            yield above
            below = above


def _filled(below: Level, shift: int, count: I64, shares: list[tuple[int, int]], pool: ThreadPoolExecutor) -> Level:
    offset = np.zeros(len(count) + 1, np.int64)
    np.cumsum(count, out=offset[1:])
    total = int(offset[-1])
    above = Level(shift, np.empty(total, np.int64), np.empty(total, np.int64), np.empty(total, np.int32), np.empty(total, np.int64), offset)  # fmt: skip

    def fill(share: tuple[int, int]) -> None:
        fill_runs(
            below.start, below.end, below.name, below.longest, below.offset, share[0], share[1], shift,
            offset, above.start, above.end, above.name, above.longest,
        )  # fmt: skip

    list(pool.map(fill, shares))
    return above


def _shares(offset: I64, threads: int) -> list[tuple[int, int]]:
    """Ranges of lanes with about equally many entries."""
    lanes = len(offset) - 1
    cuts = np.searchsorted(offset, np.linspace(0, offset[-1], max(1, threads) + 1)[1:-1])
    edges = sorted({0, lanes, *(min(int(c), lanes) for c in cuts)})
    return list(pairwise(edges))


@njit(cache=True, nogil=True)
def peaks(value: npt.NDArray[np.float64], offset: I64, block: int, to: I64, low: Array, high: Array) -> None:
    """Minimum and maximum of each `block` values of a series; NaN only where a whole block is a gap.

    Args:
        value: values by (series, time).
        offset: values of series s are [offset[s], offset[s+1]).
        to: blocks of series s begin at to[s].
        low, high: filled.
    """
    for s in range(len(offset) - 1):
        k = to[s]
        for begin in range(offset[s], offset[s + 1], block):
            least = np.nan
            most = np.nan
            for i in range(begin, min(begin + block, offset[s + 1])):
                v = value[i]
                if not (v >= least):
                    least = v if v == v else least
                if not (v <= most):
                    most = v if v == v else most
            low[k] = least
            high[k] = most
            k += 1
