"""Axes of charts: what they say, round places for their numbers, and the way between values and pixels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from insight_desktop.views.common import number_text

AxisKind = Literal["number", "ruler", "category", "percent", "log"]


@dataclass(frozen=True)
class Axis:
    """One axis.

    Attributes:
        title: with its unit, in the current language, e.g. `Time (ms)`.
        kind: number (grouped), ruler (ns as `00:02.736`), category (whole numbers with `labels`), percent (ratio 0–1),
            log (the places are decimal logarithms; what is written are their powers).
        labels: texts of categories 0, 1, 2, …
        exact: text of a place for the readout; None for the tick text with all digits.
        name: word before the place in the readout, e.g. `Time`; the title when empty.
        from_zero: the axis of values begins at zero.
        whole: values are counts; no tick stands between two of them.
        reaches: a value that the axis always shows, such as 100 %.
        least: shortest stretch that can be zoomed to.
    """

    title: str = ""
    kind: AxisKind = "number"
    labels: Sequence[str] = ()
    exact: Callable[[float], str] | None = None
    name: str = ""
    from_zero: bool = False
    reaches: float | None = None
    whole: bool = False
    least: float = 1e-6

    def exact_text(self, value: float) -> str:
        """A place with all its digits."""
        if self.exact is not None:
            return self.exact(value)
        if self.kind == "category":
            return self.label(value)
        if self.kind == "ruler":
            return number_text.ruler(round(value))
        if self.kind == "percent":
            return number_text.percent(value, 2)
        return number_text.number(10**value if self.kind == "log" else value)

    def label(self, value: float) -> str:
        """Text of a category."""
        at = round(value)
        return self.labels[at] if 0 <= at < len(self.labels) else ""

    def tick_text(self, value: float, step: float, span: float) -> str:
        """Text below a tick; `step` is the distance to the next."""
        if self.kind == "category":
            return self.label(value)
        if self.kind == "ruler":
            return number_text.ruler(round(value), round(span))
        if self.kind == "percent":
            return number_text.percent(value, decimals_of(step * 100))
        if self.kind == "log":
            return number_text.number(round(10**value, max(0, 1 - math.floor(value))))
        return number_text.number(float(value), decimals_of(step))

    def distance_text(self, span: float) -> str:
        """Length of a stretch, as written over a brush."""
        if self.kind == "ruler":
            return number_text.duration(span)
        unit = self.title[self.title.rfind("(") + 1 : self.title.rfind(")")] if "(" in self.title else ""
        decimals = 3 if unit in ("ms", "µs", "s") else decimals_of(span / 1000)
        return f"{number_text.number(float(span), decimals)} {unit}".strip()


def decimals_of(step: float) -> int:
    """Decimals that tell places apart that are `step` apart."""
    if not step or not math.isfinite(step):
        return 0
    return max(0, -math.floor(math.log10(abs(step)) + 1e-9))


def nice_step(span: float, count: float) -> float:
    """The smallest of 1, 2, 5 × 10ⁿ that cuts a span into at most `count` pieces.

    >>> nice_step(2700, 14)
    200.0
    """
    if not span > 0 or not math.isfinite(span):
        return 1.0
    raw = span / max(1, count)
    power = 10.0 ** math.floor(math.log10(raw))
    for factor in (1, 2, 5):
        if raw <= factor * power * (1 + 1e-9):
            return factor * power
    return 10 * power


def ticks(low: float, high: float, count: int, *, whole: bool = False) -> tuple[list[float], float]:
    """Round places from low to high, at most about `count`, and their distance."""
    step = nice_step(high - low, count)
    if whole:
        step = max(1.0, step)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [i * step for i in range(first, min(last, first + 1000) + 1)], step


def log_ticks(low: float, high: float, count: int) -> tuple[list[float], float]:
    """Powers of ten between two logarithms, with 2 and 5 times them where there is room; and the smallest distance."""
    decades = range(math.floor(low), math.ceil(high) + 1)
    for factors in ((1, 2, 5), (1, 3), (1,)):
        found = [k + math.log10(f) for k in decades for f in factors if low <= k + math.log10(f) <= high]
        if len(found) <= count:
            break
    every = -(-len(found) // max(1, count))
    return found[::every], 0.3


@dataclass(frozen=True)
class Scale:
    """Linear way from values `low … high` to pixels `start … end` (end < start for an axis that goes up)."""

    low: float
    high: float
    start: float
    end: float

    @property
    def span(self) -> float:
        return self.high - self.low

    def px(self, value: float) -> float:
        """Pixel of a value."""
        return self.start + (value - self.low) / (self.span or 1.0) * (self.end - self.start)

    def value(self, px: float) -> float:
        """Value at a pixel."""
        return self.low + (px - self.start) / ((self.end - self.start) or 1.0) * self.span

    @property
    def factor(self) -> float:
        """Pixels per unit of value."""
        return (self.end - self.start) / (self.span or 1.0)


def padded(low: float, high: float, part: float = 0.06, *, from_zero: bool = False) -> tuple[float, float]:
    """A stretch of values with some air; one of no length gets a length."""
    if from_zero:
        low, high = min(0.0, low), max(0.0, high)
    if high <= low:
        air = abs(high) * 0.05 or 1.0
        return (0.0, air) if from_zero and high == 0 else (low - air, high + air)
    air = (high - low) * part
    return (low if from_zero and low == 0 else low - air), (high if from_zero and high == 0 else high + air)
