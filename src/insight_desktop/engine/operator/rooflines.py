"""Rooflines: which chart stands on which tab, axes, roofs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

TABS: dict[str, tuple[str, ...]] = {
    "Memory Unit": ("Memory Unit", "HBM/L2", "GM/L2", "Memory Unit(Cube)", "Memory Unit(Vector)"),
    "Memory Transfer": (
        "Memory Pipe Cube", "Memory Pipe Vector", "Memory Transfer(Cube)", "Memory Transfer(Vector)",
    ),
    "Pipeline": ("Pipe Line Cube", "Pipe Line Vector", "Pipeline(Cube)", "Pipeline(Vector)"),
}  # fmt: skip
MAX_ENTRIES = 100


@dataclass(frozen=True)
class Roof:
    """One roof with its point; all four numbers are above 0.

    Attributes:
        bandwidth: TB/s.
        peak: TOps/s.
        x, y: operations per byte and TOps/s that were reached.
    """

    bandwidth: float
    peak: float
    x: float
    y: float

    @property
    def turning(self) -> tuple[float, float]:
        """Where the slope meets the flat part."""
        return self.peak / self.bandwidth, self.peak

    def line(self, low: float, max_x: float) -> list[tuple[float, float]]:
        """Start, turning point and end of the roof inside the axes."""
        start = (low, self.bandwidth * low) if self.bandwidth > 1 else (low / self.bandwidth, low)
        return [start, self.turning, (max_x, self.peak)]

    @property
    def is_memory_side(self) -> bool:
        """True left of the turning point: more bytes per operation than the peak needs."""
        return self.x <= self.turning[0]


def tab_of(title: str) -> str:
    """The tab that shows a chart of that title; the first one for titles that are not known."""
    return next((tab for tab, titles in TABS.items() if title in titles), "Memory Unit")


def order_of(title: str) -> int:
    """Place of a chart on its tab; unknown titles stand last."""
    titles = TABS[tab_of(title)]
    return titles.index(title) if title in titles else len(titles)


def axes(roofs: Sequence[Roof]) -> tuple[float, float]:
    """(low end of both axes, high end of x): powers of ten around all points and turning points."""
    points = [(roof.x, roof.y) for roof in roofs] + [roof.turning for roof in roofs]
    if not points:
        return 0.1, 100.0
    max_x = 10.0 ** (math.floor(math.log10(max(x for x, _ in points))) + 2)
    least = min(min(x for x, _ in points), min(y for _, y in points), 1.0)
    return 10.0 ** (math.floor(math.log10(least)) - 1), max_x
