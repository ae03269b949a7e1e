"""Colours of the operator pages: peak of a transfer, levels of cores, boxes of the diagram."""

from __future__ import annotations

import itertools

from PySide6.QtGui import QColor

from insight_desktop.views.common import theme

# Stops of the peak colours in percent; the last one is white on dark grounds.
_PEAK = (
    (0.0, "#4C008A"), (20.0, "#C42627"), (40.0, "#FF5F03"), (60.0, "#FFC55B"), (80.0, "#FCC95E"), (100.0, "#E9E9E9"),
)  # fmt: skip
_BOXES = {
    "memory": ("#396FB5", "#0062DC"), "cube": ("#1D7E44", "#279C6E"), "vector": ("#6B7D1A", "#75A105"),
}  # fmt: skip
# Levels 1 to 10: below the average blue, near it grey, above it red.
_LEVELS_DARK = ("#1F80F0", "#2F5CAE", "#2C4371", "", "", "", "#5D3430", "#84392F", "#A8463A", "#D9503F")
_LEVELS_LIGHT = ("#2F7CE0", "#8DB9F3", "#C9DFFA", "", "", "", "#FAD6CF", "#F2A598", "#E27565", "#C8372D")


def peak(percent: float | None) -> QColor:
    """Colour of a transfer by the percent of its peak; neutral for none or beyond 0 to 100."""
    if percent is None or not 0 <= percent <= 100:
        return neutral()
    stops = (*_PEAK[:-1], (100.0, "#FFFFFF" if theme.is_dark() else "#E9E9E9"))
    for (low, first), (high, second) in itertools.pairwise(stops):
        if percent <= high:
            part = (percent - low) / (high - low)
            a, b = QColor(first), QColor(second)
            mixed = (x + (y - x) * part for x, y in zip(a.getRgb()[:3], b.getRgb()[:3], strict=True))  # type: ignore[index]
            return QColor(*(round(v) for v in mixed))
    return neutral()


def neutral() -> QColor:
    """A transfer whose peak is not known."""
    return QColor("#808080") if theme.is_dark() else QColor("#000000")


def box(kind: str) -> QColor:
    """Fill of a box of the memory diagram."""
    return QColor(_BOXES[kind][0 if theme.is_dark() else 1])


def level(value: int | None, *, low_is_bad: bool = False) -> QColor:
    """Ground of a part of a core; grey for no difference and near the average."""
    if not value or 4 <= value <= 6:
        return theme.token("hover")
    chosen = 11 - value if low_is_bad else value
    colours = _LEVELS_DARK if theme.is_dark() else _LEVELS_LIGHT
    return QColor(colours[min(max(chosen, 1), 10) - 1] or theme.hex_of("hover"))


def levels() -> list[QColor]:
    """The ten levels, for the legend."""
    return [level(i) for i in range(1, 11)]
