"""Which rows of long curves are drawn: the first smallest and the first largest value of every bucket, so peaks stay."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit

from insight_desktop.engine.capture import Array

POINTS = 1000  # a window with more rows is sampled
Series = tuple[Array, Array]


def keep(start: int, stop: int, series: Sequence[Series], points: int = POINTS) -> Array:
    """Positions of the rows to draw, in order.

    Args:
        start, stop: the window of rows, end excluded.
        series: per line the positions of its rows (int64, ascending) and their values (float64, no gaps).
        points: with more rows than this, buckets of ceil(rows / points) consecutive rows keep extremes only; 0 keeps all.

    Returns:
        int64 positions in [start, stop) of rows that hold a value, or of all rows when nothing has to be left out.
    """
    count = max(0, stop - start)
    if points <= 0 or count <= points:
        return np.arange(start, start + count, dtype=np.int64)
    bucket = -(-count // points)
    kept = np.zeros(count, np.bool_)
    for rows, values in series:
        first, last = np.searchsorted(rows, (start, stop))
        _mark(rows[first:last], values[first:last], start, bucket, kept)
    return np.flatnonzero(kept) + start


@njit(cache=True, nogil=True)
def _mark(rows, values, start, bucket, kept):  # type: ignore[no-untyped-def] # pragma: no cover - compiled
    i, n = 0, len(rows)
    while i < n:
        end = start + ((rows[i] - start) // bucket + 1) * bucket
        low = high = i
        i += 1
        while i < n and rows[i] < end:
            if values[i] < values[low]:
                low = i
            if values[i] > values[high]:
                high = i
            i += 1
        kept[rows[low] - start] = True
        kept[rows[high] - start] = True


def warm() -> None:
    """Compile the kernel."""
    rows = np.arange(3, dtype=np.int64)
    keep(0, 3, [(rows, rows.astype(np.float64))], 1)
