"""The time range of a MemScope dump: from the first to the last stamp, without those that cannot belong to it.

Stamps are summed up in bursts of about a second. Left out are what the first view of the timeline leaves out (stamps before
the year 2000 beside later ones, absurdly late ones, minorities far away), but only when more than a day lies between: the
axis of a dump cannot be left, so a long pause must stay on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

BURST_BITS = 30  # bursts are 2^30 ns long
DAY_NS = 86_400_000_000_000
YEAR_2000 = 946_684_800_000_000_000
_ABSURD = 9_000_000_000_000_000_000  # the year 2255, close to the end of 64 bits
_FAR = 200  # a gap this many times the length of the bulk separates outliers from it

I64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TimeRange:
    """Bounds in ns as recorded, None without a stamp; how many stamps lie outside, and one of them."""

    first: int | None = None
    last: int | None = None
    outliers: int = 0
    outlier_ns: int = 0


@dataclass
class Bursts:
    """Groups of stamps that lie close together: bucket → [first, last, count]."""

    held: dict[int, list[int]] = field(default_factory=dict)

    def add(self, stamps: Sequence[int]) -> None:
        """Take valid stamps in any order."""
        if not stamps:
            return
        sorted_ = np.sort(np.array(stamps, np.int64))
        buckets, at, counts = np.unique(sorted_ >> BURST_BITS, return_index=True, return_counts=True)
        for bucket, i, count in zip(buckets.tolist(), at.tolist(), counts.tolist(), strict=True):
            self.put(bucket, int(sorted_[i]), int(sorted_[i + count - 1]), count)

    def put(self, bucket: int, first: int, last: int, count: int) -> None:
        """Take a group of one bucket."""
        known = self.held.setdefault(bucket, [first, last, 0])
        known[0], known[1], known[2] = min(known[0], first), max(known[1], last), known[2] + count

    def range(self) -> TimeRange:
        """From the first to the last stamp of the bulk."""
        if not self.held:
            return TimeRange()
        start, end, count = np.array([self.held[bucket] for bucket in sorted(self.held)], np.int64).T
        middle = int(start[np.searchsorted(np.cumsum(count), (int(count.sum()) + 1) // 2)])
        keep = np.ones(len(start), np.bool_)
        if middle >= YEAR_2000:
            keep &= start >= YEAR_2000
        if middle < _ABSURD:
            keep &= start < _ABSURD
        kept = np.flatnonzero(keep)
        a, b = _bulk(start[kept], end[kept], count[kept])
        inside = np.zeros(len(start), np.bool_)
        inside[kept[a:b]] = True
        outside = np.flatnonzero(~inside)
        first, last = int(start[inside].min()), int(end[inside].max())
        if not len(outside):
            return TimeRange(first, last)
        return TimeRange(first, last, int(count[outside].sum()), int(start[outside[0]]))


def _bulk(start: I64, end: I64, count: I64) -> tuple[int, int]:
    """First burst of the bulk and the one behind it: minorities behind huge gaps are cut off one after the other."""
    a, b = 0, len(start)
    while b - a > 1:
        gaps = start[a + 1 : b] - end[a : b - 1]
        cut = a + int(np.argmax(gaps)) + 1
        left, right = int(count[a:cut].sum()), int(count[cut:b].sum())
        low, high = (a, cut) if left >= right else (cut, b)
        span = int(end[high - 1] - start[low])
        if int(gaps.max()) < max(_FAR * span, DAY_NS) or 2 * min(left, right) > max(left, right):
            break
        a, b = low, high
    return a, b
