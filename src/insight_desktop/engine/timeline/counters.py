"""Counter series as steps: what a painter draws, the value under the cursor, figures of a range.

A value holds from its time to the next one of the series; NaN ends it (a gap); the last value holds on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

from insight_desktop.engine.capture import PEAK_BLOCKS, Array, Capture
from insight_desktop.engine.timeline.levels import fixed

_MIN, _MAX = -(1 << 63), (1 << 63) - 1


@dataclass(frozen=True)
class CounterStatistics:
    """Figures of a series in a range; None where the series has no value there.

    Attributes:
        min, max: smallest and largest value that holds at some time of the range.
        mean: time-weighted mean over the time that has a value.
        integral: sum of value × seconds.
        count: values recorded inside the range (gaps left out).
    """

    min: float | None
    max: float | None
    mean: float | None
    integral: float
    count: int


def extremes(capture: Capture, series: int, t0: float | int, t1: float | int, px: int) -> tuple[Array, Array, Array]:
    """Smallest, largest and last value of each of `px` pixels of [t0, t1); NaN where the series has no value.

    Peaks are exact at every zoom: blocks of values with stored extremes are used inside a pixel.
    """
    stamps, values = _series(capture, series)
    first, last = _window(t0, t1)
    fine, coarse = (_blocks(capture, series, size) for size in PEAK_BLOCKS)
    lo, hi, end = (np.full(max(px, 1), np.nan) for _ in range(3))
    edges = _edges(first, last, max(px, 1))
    # What holds at the left edge was set at or before it; values set later inside the pixel follow.
    after, before = np.searchsorted(stamps, edges[:-1], "right"), np.searchsorted(stamps, edges[1:])
    _extremes(values, after, before, fine, coarse, (*PEAK_BLOCKS,), (lo, hi, end))
    return lo, hi, end


def value_at(capture: Capture, series: int, t_ns: float | int) -> float | None:
    """The value that holds at a time; None before the first one and in a gap."""
    stamps, values = _series(capture, series)
    at = int(np.searchsorted(stamps, min(max(math.floor(t_ns), _MIN), _MAX), "right")) - 1
    if at < 0 or math.isnan(values[at]):
        return None
    return float(values[at])


def statistics(capture: Capture, series: int, t0: float | int, t1: float | int) -> CounterStatistics:
    """Figures of the range [t0, t1]."""
    stamps, values = _series(capture, series)
    first, last = _window(t0, t1)
    a, b = int(np.searchsorted(stamps, first)), int(np.searchsorted(stamps, last, "right"))
    count = int(np.count_nonzero(~np.isnan(values[a:b])))
    begin = max(a - 1, 0) if a == len(stamps) or stamps[a] > first else a
    held, times = np.asarray(values[begin:b]), np.asarray(stamps[begin:b])
    known = ~np.isnan(held)
    if not known.any():
        return CounterStatistics(None, None, None, 0.0, count)
    bounds = np.append(np.maximum(times, first), last)
    seconds = np.diff(bounds).astype(np.float64)[known] * 1e-9
    integral = float(np.dot(held[known], seconds))
    total = float(seconds.sum())
    mean = integral / total if total > 0 else float(held[known][-1])
    return CounterStatistics(float(held[known].min()), float(held[known].max()), mean, integral, count)


def warm() -> None:
    """Compile the kernel."""
    values, edges = fixed(np.zeros(1)), np.zeros(1, np.int64)
    _extremes(
        values,
        edges,
        edges,
        (values, values),
        (values, values),
        (*PEAK_BLOCKS,),
        (np.zeros(1), np.zeros(1), np.zeros(1)),
    )


def _series(capture: Capture, series: int) -> tuple[Array, Array]:
    a, b = int(capture.series_offset[series]), int(capture.series_offset[series + 1])
    return fixed(capture.counter_ts[a:b]), fixed(capture.counter_value[a:b])


def _blocks(capture: Capture, series: int, size: int) -> tuple[Array, Array]:
    offset = capture.column(f"peak_{size}_offset")
    if len(offset) <= series + 1:
        return fixed(np.empty(0)), fixed(np.empty(0))
    a, b = int(offset[series]), int(offset[series + 1])
    low, high = capture.column(f"peak_{size}_min"), capture.column(f"peak_{size}_max")
    return fixed(low[a:b]), fixed(high[a:b])


def _window(t0: float | int, t1: float | int) -> tuple[int, int]:
    first = min(max(math.floor(t0), _MIN), _MAX - 1)
    return first, max(min(math.ceil(t1), _MAX), first + 1)


def _edges(first: int, last: int, px: int) -> Array:
    """Left edges of the pixels and the right edge of the last one, exact for any int64."""
    step, rest = divmod(last - first, px)
    return np.array([first + step * x + rest * x // px for x in range(px + 1)], np.int64)


@njit(cache=True, nogil=True)
def _extremes(
    values: Array,
    after: Array,
    before: Array,
    fine: tuple[Array, Array],
    coarse: tuple[Array, Array],
    sizes: tuple[int, int],
    out: tuple[Array, Array, Array],
) -> None:
    lows, highs, lasts = out
    for x in range(len(lows)):
        i, stop = after[x], before[x]
        low = high = last = np.nan
        if i > 0:
            low = high = last = values[i - 1]
        if stop > i:
            last = values[stop - 1]
        while i < stop:
            if i % sizes[1] == 0 and i + sizes[1] <= stop and i // sizes[1] < len(coarse[0]):
                a, b = coarse[0][i // sizes[1]], coarse[1][i // sizes[1]]
                i += sizes[1]
            elif i % sizes[0] == 0 and i + sizes[0] <= stop and i // sizes[0] < len(fine[0]):
                a, b = fine[0][i // sizes[0]], fine[1][i // sizes[0]]
                i += sizes[0]
            else:
                a = b = values[i]
                i += 1
            if not np.isnan(a) and not (low <= a):
                low = a
            if not np.isnan(b) and not (high >= b):
                high = b
        lows[x], highs[x], lasts[x] = low, high, last
