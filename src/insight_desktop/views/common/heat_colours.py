"""Colours of heat maps: from a value's place between two ends to a colour, for one value or a whole matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from insight_desktop.views.common import theme

ALIKE = "#eac299"  # every cell while the smallest and the largest value are equal


@dataclass(frozen=True)
class Colours:
    """Colours at equal distances from the low end to the high end; between two of them channels run in straight lines.

    Attributes:
        stops: red, green, blue of each, 0 to 255.
        alike: colour when both ends are equal, `#RRGGBB`; the middle of the stops when empty.
    """

    stops: tuple[tuple[int, int, int], ...]
    alike: str = ""

    @classmethod
    def of(cls, *names: str, alike: str = "") -> Colours:
        """From `#RRGGBB` texts, low end first."""
        return cls(tuple((int(n[1:3], 16), int(n[3:5], 16), int(n[5:7], 16)) for n in names), alike)

    def reversed(self) -> Colours:
        """The same with the ends exchanged."""
        return Colours(self.stops[::-1], self.alike)

    def packed(self, ratios: npt.NDArray[np.float64]) -> npt.NDArray[np.uint32]:
        """0xFFRRGGBB for places 0 to 1; channels rounded half up, NaN becomes 0 (transparent)."""
        places = np.linspace(0.0, 1.0, len(self.stops))
        missing = np.isnan(ratios)
        at = np.where(missing, 0.0, ratios)
        made = np.full(ratios.shape, 0xFF, np.uint32)
        for channel in range(3):
            values = np.interp(at, places, [stop[channel] for stop in self.stops])
            made = (made << np.uint32(8)) | np.floor(values + 0.5 + 1e-9).astype(np.uint32)
        made[missing] = 0
        return made

    def at(self, ratio: float) -> QColor:
        """Colour of a place 0 to 1."""
        return QColor.fromRgb(int(self.packed(np.array([ratio]))[0]))

    def of_value(self, value: float, low: float, high: float) -> QColor | None:
        """Colour of a value between two ends; None outside them or for NaN."""
        if not low <= value <= high:
            return None
        return self.middle() if low == high else self.at((value - low) / (high - low))

    def middle(self) -> QColor:
        """Colour of all values when both ends are equal."""
        return QColor(self.alike) if self.alike else self.at(0.5)


HOT = Colours.of("#0177ff", "#c7eef5", "#eac299", "#f82d18", alike=ALIKE)  # the high end is bad
COLD = HOT.reversed()  # the low end is bad


def sequential() -> Colours:
    """From the ground of the theme (nothing unusual) to its contrast."""
    if theme.is_safe():
        return _map("cividis") if theme.is_dark() else _map("CET-CBL1").reversed()
    return _map("inferno" if theme.is_dark() else "CET-L17")


def diverging() -> Colours:
    """Blue, the ground of the theme at the reference, red."""
    if theme.is_dark():
        return _map("CET-D4")
    return _map("CET-CBD1" if theme.is_safe() else "CET-D9")


@cache
def _map(name: str) -> Colours:
    from pyqtgraph import colormap  # a large package: read when the first heat map is drawn

    table: Any = colormap.get(name).getLookupTable(nPts=256, alpha=False)
    return Colours(tuple((int(r), int(g), int(b)) for r, g, b in table))


def ratios(values: npt.NDArray[np.float64], low: float, high: float, *, clamp: bool) -> npt.NDArray[np.float64]:
    """Places of values between two ends; outside them NaN, or the nearer end with `clamp`. Equal ends give 0.5."""
    if high > low:
        found = (values - low) / (high - low)
    else:
        found = np.where(np.isnan(values), np.nan, np.where(values < low, -1.0, np.where(values > low, 2.0, 0.5)))
    if clamp:
        return np.clip(found, 0.0, 1.0)
    return np.where((found >= 0) & (found <= 1), found, np.nan)


def packed_names(colours: Sequence[QColor]) -> npt.NDArray[np.uint32]:
    """0xFFRRGGBB of colours, for values that are numbers of classes."""
    return np.array([c.rgb() & 0xFFFFFFFF for c in colours], dtype=np.uint32)
