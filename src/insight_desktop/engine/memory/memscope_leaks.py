"""Blocks of a MemScope dump that should have been freed, by four rules, grouped by where they were allocated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

STEP, MARKS, GROWTH, UNRELEASED = "step", "three marks", "growth", "unreleased"
_SKIPPED = 1  # the first step warms up
_LEAST_STEPS, _LEAST_GROWTH = 4, 0.01

I64 = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Step:
    """A step of the training: start and end in ns."""

    start_ns: int
    end_ns: int


def steps(markers: list[dict[str, Any]]) -> list[Step]:
    """Steps from marked ranges named `step start`: each lasts until its end, else until the next one.

    Args:
        markers: MSTX rows by time: type, name, t_ns, pid, tid.
    """
    starts = [m for m in markers if m["type"] == "Range_start" and m["name"] == "step start"]
    ends = [m["t_ns"] for m in markers if m["type"] == "Range_end"]
    found = []
    for i, start in enumerate(starts):
        after = starts[i + 1]["t_ns"] if i + 1 < len(starts) else None
        own = next((t for t in ends if t >= start["t_ns"] and (after is None or t <= after)), after)
        if own is not None:
            found.append(Step(start["t_ns"], own))
    return found


def step_leaks(start: I64, end: I64, never: Bools, found: list[Step], duration: int = 1) -> Bools:
    """Blocks allocated in a step (the first one does not count) that still live when the step `duration` later ends."""
    out = np.zeros(len(start), np.bool_)
    for k in range(_SKIPPED, len(found) - duration):
        inside = (start >= found[k].start_ns) & (start < found[k].end_ns)
        out |= inside & (never | (end > found[k + duration].end_ns))
    return out


def mark_leaks(start: I64, end: I64, never: Bools, is_hal: Bools, marks: list[int]) -> Bools:
    """With three marks m0 < m1 < m2: HAL blocks allocated in [m0, m1) and not freed before m2."""
    if len(marks) < 3:
        return np.zeros(len(start), np.bool_)
    first, second, third = marks[:3]
    return is_hal & (start >= first) & (start < second) & (never | (end >= third))


def unreleased(start: I64, end: I64, never: Bools, from_ns: int, to_ns: int) -> Bools:
    """Blocks allocated in [from_ns, to_ns] that were never freed, or later."""
    return (start >= from_ns) & (start <= to_ns) & (never | (end > to_ns))


def growth(at_ends: list[int]) -> float | None:
    """Bytes per step (Theil–Sen) when what is allocated at the ends of the steps grows by more than 1 %; else None."""
    if len(at_ends) < _LEAST_STEPS or at_ends[-1] <= at_ends[0] * (1 + _LEAST_GROWTH):
        return None
    values = np.array(at_ends, np.float64)
    i, j = np.triu_indices(len(values), 1)
    slope = float(np.median((values[j] - values[i]) / (j - i)))
    return slope if slope > 0 else None
