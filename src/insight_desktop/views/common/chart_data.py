"""What a chart shows: series, bands and reference lines; and which points of many are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from insight_desktop.views.common import theme, tokens

Array = npt.NDArray[np.float64]
Kind = Literal["line", "step", "area", "scatter", "bars"]

# Longer stretches are drawn by the peaks of as many buckets of consecutive points.
MOST_POINTS = 1000


def _none() -> Array:
    return np.empty(0, np.float64)


@dataclass(frozen=True, eq=False)
class Series:
    """One curve, cloud of points or row of bars.

    Attributes:
        key: what stays the same when the data are renewed; hidden series are remembered by it.
        name: text of the legend, in the current language.
        x: places on the axis, ascending except for scatter; for bars their left edges.
        y: values; NaN for none (lines connect over it).
        kind: line, step (holds its value until the next point), area, scatter or bars.
        colour: `#RRGGBB`, a fixed meaning such as `allocated`, `series:2` for that colour of the theme, or empty for the next.
        unit: written behind values in the readout.
        decimals: of values in the readout; None for all digits.
        dashed: a baseline beside its current.
        row: line of the legend.
        x_end: right edges of bars; None for bars as wide as the distance to the next.
        labels: texts of points for the readout, or None.
        tags: words that are written beside the points of a scatter, or None.
        gaps: lines break where values are missing, in place of going on over them.
        right: its values are those of the second axis, at the right.
    """

    key: str
    name: str
    x: Array = field(default_factory=_none)
    y: Array = field(default_factory=_none)
    kind: Kind = "line"
    colour: str = ""
    unit: str = ""
    decimals: int | None = None
    dashed: bool = False
    row: int = 0
    x_end: Array | None = None
    labels: Sequence[str] | None = None
    tags: Sequence[str] | None = None
    gaps: bool = False
    right: bool = False

    @property
    def is_line(self) -> bool:
        """Its points are in order of x and joined."""
        return self.kind in ("line", "step", "area")


@dataclass(frozen=True)
class Band:
    """A coloured stretch of the axis behind the curves, such as a marked range; `colour` as in Series."""

    low: float
    high: float
    text: str = ""
    colour: str = ""


@dataclass(frozen=True)
class RefLine:
    """A reference line with its words: at a value (`y`) or at a place of the axis (`x`); `colour` as in Series.

    Words beside a standing line may have several lines; they stand at its top, or at its foot.
    """

    value: float
    text: str = ""
    axis: Literal["x", "y"] = "y"
    colour: str = ""
    at_foot: bool = False


@dataclass(frozen=True, eq=False)
class Sample:
    """The points of a stretch that are drawn: the series thinned out, how many there are and how many are drawn."""

    series: tuple[Series, ...]
    points: int
    drawn: int

    @property
    def is_whole(self) -> bool:
        """Nothing is left out."""
        return self.drawn >= self.points


# Asked for the points of a stretch `(low, high, pixels, answer)`; calls `answer(sample)` at once or later.
Sampler = Callable[[float, float, int, Callable[[Sample], None]], None]


def ordered(x: object, y: object) -> tuple[Array, Array]:
    """Arrays of float without missing values, in order of x (stable)."""
    xs, ys = np.asarray(x, np.float64), np.asarray(y, np.float64)
    known = ~(np.isnan(xs) | np.isnan(ys))
    if not known.all():
        xs, ys = xs[known], ys[known]
    if len(xs) > 1 and (xs[1:] < xs[:-1]).any():
        order = np.argsort(xs, kind="stable")
        xs, ys = xs[order], ys[order]
    return xs, ys


def tidy(series: Series) -> Series:
    """The series with its points in order and without gaps, as lines need them; others as they are."""
    if not series.is_line or series.gaps:
        return replace(series, x=np.asarray(series.x, np.float64), y=np.asarray(series.y, np.float64))
    if series.labels is not None:
        return series
    x, y = ordered(series.x, series.y)
    return replace(series, x=x, y=y)


def extent(series: Sequence[Series]) -> tuple[float, float] | None:
    """Smallest and largest x of all series; None without points."""
    lows = [float(np.nanmin(s.x)) for s in series if len(s.x)]
    highs = [float(np.nanmax(bar_edges(s)[1] if s.kind == "bars" else s.x)) for s in series if len(s.x)]
    if not lows:
        return None
    return min(lows), max(highs)


def values_extent(series: Sequence[Series]) -> tuple[float, float] | None:
    """Smallest and largest finite value; bars and areas include zero. None without values."""
    lows, highs = [], []
    for s in series:
        finite = s.y[np.isfinite(s.y)]
        if len(finite):
            floor = [0.0] if s.kind in ("bars", "area") else []
            lows.append(min([float(finite.min()), *floor]))
            highs.append(max([float(finite.max()), *floor]))
    return (min(lows), max(highs)) if lows else None


def stretch(series: Series, low: float, high: float) -> slice:
    """Points of an ordered series from `low` to `high`, with one neighbour on each side so that lines go on."""
    first = int(np.searchsorted(series.x, low, "left"))
    last = int(np.searchsorted(series.x, high, "right"))
    return slice(max(0, first - 1), min(len(series.x), last + 1))


def peaks(y: Array, buckets: int = MOST_POINTS) -> npt.NDArray[np.int64]:
    """Positions kept of a long row of values: per bucket of consecutive values the first minimum and the first maximum.

    Up to `buckets` values are all kept.
    """
    count = len(y)
    if count <= buckets:
        return np.arange(count, dtype=np.int64)
    size = -(-count // buckets)
    whole = count // size * size
    start = np.arange(0, whole, size, dtype=np.int64)
    if np.isnan(y).any():  # argmin takes NaN for the smallest and for the largest
        y_low, y_high = np.nan_to_num(y, nan=np.inf), np.nan_to_num(y, nan=-np.inf)
    else:
        y_low = y_high = y
    inner, upper = y_low[:whole].reshape(-1, size), y_high[:whole].reshape(-1, size)
    found = [start + np.argmin(inner, axis=1), start + np.argmax(upper, axis=1)]
    if whole < count:
        low, high = int(np.argmin(y_low[whole:])), int(np.argmax(y_high[whole:]))
        found.append(np.array([whole + low, whole + high], np.int64))
    return np.unique(np.concatenate(found))


def sample(series: Sequence[Series], low: float, high: float, most: int = MOST_POINTS) -> Sample:
    """The points from `low` to `high`: all of them, or the peaks of longer series."""
    shown: list[Series] = []
    counts: dict[tuple[float, ...], tuple[int, int]] = {}  # series over the same places are counted once
    for s in series:
        if not s.is_line:
            inside = (s.x <= high) & ((bar_edges(s)[1] if s.kind == "bars" else s.x) >= low)
            counts[(len(counts), -1.0)] = (int(inside.sum()), int(inside.sum()))
            shown.append(s)
            continue
        part = stretch(s, low, high)
        x, y = s.x[part], s.y[part]
        keep = peaks(y, most)
        places = (len(x), float(x[0]), float(x[-1])) if len(x) else (0,)
        counts[places] = len(x), max(len(keep), counts.get(places, (0, 0))[1])
        thin = len(keep) < len(x)
        labels = s.labels[part] if s.labels is not None and not thin else None
        shown.append(replace(s, x=x[keep] if thin else x, y=y[keep] if thin else y, labels=labels))
    return Sample(tuple(shown), sum(c[0] for c in counts.values()), sum(c[1] for c in counts.values()))


def powers(series: Series) -> Series:
    """A series whose values are decimal logarithms, with what they stand for."""
    return replace(series, y=raised(series.y))


def raised(logarithms: Array) -> Array:
    """Powers of ten to 12 digits: the rest is what rounding of the logarithms left."""
    values = np.asarray(10.0 ** np.asarray(logarithms, np.float64))
    with np.errstate(invalid="ignore"):
        scale = 10.0 ** (11 - np.floor(logarithms))
        return np.asarray(np.round(values * scale) / scale, np.float64)


def nearest(series: Series, x: float) -> int:
    """Position of the point nearest to x in an ordered series (the earlier of two); -1 without points."""
    count = len(series.x)
    if not count:
        return -1
    at = int(np.searchsorted(series.x, x, "left"))
    if at >= count:
        at = count - 1
    elif at > 0 and x - series.x[at - 1] <= series.x[at] - x:
        at -= 1
    return int(np.searchsorted(series.x, series.x[at], "left"))


def bar_edges(series: Series) -> tuple[Array, Array]:
    """Left and right edges of bars."""
    if series.x_end is not None:
        return series.x, series.x_end
    width = float(np.min(np.diff(series.x))) if len(series.x) > 1 else 1.0
    return series.x, series.x + width


def colour_of(name: str, index: int) -> QColor:
    """The colour of a series: its own, that of its meaning, or the next one of the theme."""
    if name.startswith("#"):
        return QColor(name)
    if name in tokens.MEANINGS:
        return theme.meaning(name)
    if name.startswith("series:"):
        index, name = int(name.removeprefix("series:")), ""
    if name:
        return theme.token(name)
    colours = theme.series()
    return colours[index % len(colours)]
