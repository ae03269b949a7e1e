"""Counters: step areas stacked on each other, drawn from the smallest and largest value of every pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.timeline import counters

if TYPE_CHECKING:
    from insight_desktop.views.timeline.frames import Band, Pixels, Style

HEADROOM = 1.2  # the scale ends this much above the largest value
_FILL = 0.28


def scale_top(maxima: list[float]) -> float:
    """Upper end of the scale of stacked series with these largest values."""
    return HEADROOM * sum(m for m in maxima if m == m and m > 0) or 1.0


def paint(array: Pixels, band: Band, y0: int, t0: int, t1: int, style: Style) -> None:
    """Paint the series of a counter band into the rows of the frame."""
    from insight_desktop.views.timeline.frames import mixed

    pixels, room = array.shape[1], band.height - 2
    base = np.zeros(pixels)
    for at, series in enumerate(band.series):
        low, high, _ = counters.extremes(band.capture, series, t0 + band.shift_ns, t1 + band.shift_ns, pixels)
        colour = style.series[(band.fixed + at) % len(style.series)]
        known = ~np.isnan(high)
        low, high = np.maximum(np.nan_to_num(low), 0), np.maximum(np.nan_to_num(high), 0)
        bottom, top, least = (np.round(v * room / band.top) for v in (base, base + high, base + low))
        first, last = (np.maximum(v - 1, bottom) for v in _stroke(least, top, known))
        body = int(mixed(style.ground, colour, np.array([_FILL]))[0])
        for level in range(room):
            y = band.y + band.height - 2 - level - y0
            if not 0 <= y < len(array):
                continue
            if not band.outline:
                array[y, known & (level >= bottom) & (level < top)] = body
            array[y, known & (level >= first) & (level <= last)] = colour
        base = base + np.where(known, high, 0)


def _stroke(
    low: npt.NDArray[Any], high: npt.NDArray[Any], known: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """First and last level of the outline in every pixel: the values of the pixel and the way from the one before."""
    before_low, before_high = np.roll(low, 1), np.roll(high, 1)
    joined = known & np.roll(known, 1)
    joined[0] = False
    first = np.where(joined, np.minimum(low, before_high), low)
    last = np.where(joined, np.maximum(high, before_low), high)
    return np.minimum(first, last), last
