"""Where in time the data are, and which part the first view shows.

Events are summed up in bursts (those of a track that begin in the same second), so this costs little for any size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

I64 = npt.NDArray[np.int64]
Array = npt.NDArray[Any]

_BUCKET = 30  # bursts are 2^30 ns long, about a second
YEAR_2000 = 946_684_800_000_000_000
ABSURD = 9_000_000_000_000_000_000  # ns; the year 2255, close to the end of int64
FAR = 200  # a gap this many times the length of the bulk separates outliers from it
FAR_NS = 10_000_000_000  # and no gap below ten seconds does


@dataclass
class Bursts:
    """Groups of events that begin close together; equal lengths. `name` is a string id or -(series + 2)."""

    start: I64
    end: I64
    count: I64
    name: I64

    @classmethod
    def joined(cls, parts: list[Bursts]) -> Bursts:
        columns = ("start", "end", "count", "name")
        empty = np.empty(0, np.int64)
        return cls(*(np.concatenate([empty, *(getattr(p, c) for p in parts)]) for c in columns))


@njit(cache=True, nogil=True)
def _count_bursts(start: I64, offset: I64) -> int:
    total = 0
    for t in range(len(offset) - 1):
        bucket = np.int64(0)
        for i in range(offset[t], offset[t + 1]):
            here = start[i] >> _BUCKET
            if i == offset[t] or here != bucket:
                total += 1
            bucket = here
    return total


@njit(cache=True, nogil=True)
def _fill_bursts(start: I64, end: I64, offset: I64, name: Array, out: I64) -> None:
    k = -1
    for t in range(len(offset) - 1):
        bucket = np.int64(0)
        for i in range(offset[t], offset[t + 1]):
            here = start[i] >> _BUCKET
            if i == offset[t] or here != bucket:
                k += 1
                out[0, k] = start[i]
                out[1, k] = end[i]
                out[2, k] = 0
                out[3, k] = name[i]
            out[1, k] = max(out[1, k], end[i])
            out[2, k] += 1
            bucket = here


def bursts_of(start: I64, end: I64, offset: I64, name: Array) -> Bursts:
    """Bursts of events that are sorted by start inside each [offset[t], offset[t+1])."""
    out = np.empty((4, _count_bursts(start, offset)), np.int64)
    _fill_bursts(start, end, offset, name, out)
    return Bursts(out[0], out[1], out[2], out[3])


@dataclass(frozen=True)
class Range:
    """Raw extent of all data, the part for the first view, and what was left out of that.

    Attributes:
        outliers: number of events outside the view.
        outlier_ns, outlier_name: one of them; name as in `Bursts`.
    """

    start_ns: int
    end_ns: int
    view_start_ns: int
    view_end_ns: int
    outliers: int = 0
    outlier_ns: int = 0
    outlier_name: int = -1


def find_range(bursts: Bursts) -> Range:
    """Extent of the data and of its bulk.

    Left out of the view are, beside normal epoch stamps, those before the year 2000 and absurdly late ones; and
    minorities behind a gap hundreds of times longer than the bulk (at least ten seconds).
    """
    if not len(bursts.start):
        return Range(0, 0, 0, 0)
    order = np.argsort(bursts.start, kind="stable")
    start, end, count = bursts.start[order], bursts.end[order], bursts.count[order]
    keep = np.ones(len(start), bool)
    total = int(count.sum())
    middle = int(start[np.searchsorted(np.cumsum(count), (total + 1) // 2)])
    if middle >= YEAR_2000:
        keep &= start >= YEAR_2000
    if middle < ABSURD:
        keep &= start < ABSURD
    # An end that was clamped to the end of time says nothing about where the data are.
    reach = np.where((end >= ABSURD) & (start < ABSURD), start, end)
    low, high = _bulk(start[keep], reach[keep], count[keep])
    inside = keep & (start >= low) & (start <= high)
    left = Range(int(start[0]), int(end.max()), int(low), int(high))
    if inside.all():
        return left
    first = int(np.flatnonzero(~inside)[0])
    return Range(
        left.start_ns, left.end_ns, left.view_start_ns, left.view_end_ns, int(count[~inside].sum()), int(start[first]), int(bursts.name[order][first])
    )  # fmt: skip


def _bulk(start: I64, end: I64, count: I64) -> tuple[int, int]:
    """Extent of the bulk: minorities behind huge gaps are cut off one after the other. `start` is sorted."""
    a, b = 0, len(start)
    while b - a > 1:
        reach = np.maximum.accumulate(end[a:b])
        gap = start[a + 1 : b] - reach[:-1]
        cut = int(np.argmax(gap)) + 1
        left, right = int(count[a : a + cut].sum()), int(count[a + cut : b].sum())
        if left >= right:
            span, keep, minority = int(reach[cut - 1]) - int(start[a]), (a, a + cut), right
        else:
            span, keep, minority = int(reach[-1]) - int(start[a + cut]), (a + cut, b), left
        if gap[cut - 1] < max(FAR * span, FAR_NS) or 2 * minority > max(left, right):
            break
        a, b = keep
    return int(start[a]), int(end[a:b].max())
