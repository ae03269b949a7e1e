"""Thresholds that tag a MemScope block as inefficient: allocated early, freed late, idle for long."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

EARLY, LATE, IDLE = "early-alloc", "late-free", "idle"
MOST_NS = 10**12

I64 = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Threshold:
    """A time in ns and a percentage of the block's life; what is longer than either is tagged.

    Zero switches a part off, and 100 % too.
    """

    ns: int = 0
    percent: int = 0

    def exceeded(self, time: I64, life: I64) -> Bools:
        """Where a time is positive and beyond the threshold; comparisons are strict."""
        out = np.zeros(len(time), np.bool_)
        if self.ns > 0:
            out |= time > self.ns
        if 0 < self.percent < 100:
            # In whole numbers: 0.40 is not above 40 %.
            out |= (life > 0) & (time.astype(object) * 100 > life.astype(object) * self.percent).astype(np.bool_)
        return out & (time > 0)


def tags(
    start: I64,
    end: I64,
    first: I64,
    last: I64,
    gap: I64,
    *,
    none: int,
    recorded: Bools,
    early: Threshold,
    late: Threshold,
    idle: Threshold,
) -> dict[str, Bools]:
    """Which blocks carry which tag.

    Args:
        start, end: life of the blocks in ns.
        first, last: first and last access, `none` without one.
        gap: longest time between two accesses that follow each other.
        none: stands for no access.
        recorded: the start is that of the block; others began before tracing, and may have been accessed then.
        early, late, idle: the thresholds.
    """
    life = end - start
    accessed = first != none
    return {
        EARLY: recorded & accessed & early.exceeded(np.where(accessed, first - start, 0), life),
        LATE: accessed & (last > start) & late.exceeded(np.where(accessed, end - last, 0), life),
        IDLE: idle.exceeded(gap, life),
    }
