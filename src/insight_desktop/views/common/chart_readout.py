"""The box beside the cursor of a chart: where it is, and the exact value of every visible series there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from insight_desktop.views.common import fonts, number_text, theme
from insight_desktop.views.common.chart_axis import Axis
from insight_desktop.views.common.chart_data import Series, bar_edges
from insight_desktop.views.common.language import tr

_AWAY = 12  # px from the cursor
_PAD = (10, 7)
_SWATCH = 18
_WIDEST_NAME = 260


@dataclass(frozen=True)
class ReadoutLine:
    """One line: a swatch (None for none), a name, a value."""

    colour: QColor | None
    name: str
    value: str


@dataclass(frozen=True)
class At:
    """What a series says at the cursor: the position of the point in it, the point, the height of the curve there."""

    series: Series
    index: int
    x: float
    y: float
    height: float


def value_text(series: Series, value: float) -> str:
    """A value with its unit and all the digits the series asks for."""
    return f"{number_text.number(float(value), series.decimals)} {series.unit}".strip()


def points_at(shown: Sequence[Series], x: float) -> list[At]:
    """What holds at x: the latest point of every line that has begun and not ended there, and the bar over x."""
    found = []
    for series in shown:
        if series.kind == "scatter" or not len(series.x):
            continue
        index = bar_at(series, x) if series.kind == "bars" else point_before(series, x)
        if index >= 0 and series.y[index] == series.y[index]:
            found.append(At(series, index, float(series.x[index]), float(series.y[index]), height_at(series, index, x)))
    return found


def point_before(series: Series, x: float) -> int:
    """Position of the latest point at or before x; -1 outside the curve."""
    if not series.x[0] <= x <= series.x[-1]:
        return -1
    return int(np.searchsorted(series.x, x, "right")) - 1


def height_at(series: Series, index: int, x: float) -> float:
    """Height of the drawn curve at x, from the point before it."""
    y = float(series.y[index])
    if series.kind in ("step", "bars") or index + 1 >= len(series.x) or series.x[index] == x:
        return y
    part = (x - series.x[index]) / (series.x[index + 1] - series.x[index])
    return float(y + part * (series.y[index + 1] - y))


def bar_at(series: Series, x: float) -> int:
    """Position of the bar over x, -1 for none."""
    left, right = bar_edges(series)
    over = np.flatnonzero((left <= x) & (x < right))
    return int(over[0]) if len(over) else -1


def lines_of(axis: Axis, x: float, points: Sequence[At], colours: dict[str, QColor]) -> list[ReadoutLine]:
    """The readout at a place of the axis."""
    lines = [ReadoutLine(None, axis.name or axis.title, axis.exact_text(x))]
    for at in points:
        text = value_text(at.series, at.y)
        if at.series.labels is not None:
            text = f"{at.series.labels[at.index]}  {text}"
        lines.append(ReadoutLine(colours.get(at.series.key), at.series.name, text))
    return lines


def size_of(lines: Sequence[ReadoutLine]) -> tuple[float, float, float]:
    """Width, height and height of a line of the box."""
    plain, bold = QFontMetricsF(fonts.ui(fonts.SMALL)), QFontMetricsF(fonts.ui(fonts.SMALL, bold=True))
    swatch = _SWATCH if any(line.colour is not None for line in lines) else 0
    name = max(min(_WIDEST_NAME, plain.horizontalAdvance(line.name)) for line in lines)
    value = max(bold.horizontalAdvance(line.value) for line in lines)
    line = plain.height() + 3
    return 2 * _PAD[0] + swatch + name + 18 + value, 2 * _PAD[1] + line * len(lines), line


def place(width: float, height: float, cursor: QPointF, area: QRectF) -> QRectF:
    """Beside the cursor, on the side where there is room, never outside."""
    x = cursor.x() + _AWAY
    if x + width > area.right():
        x = cursor.x() - _AWAY - width
    y = cursor.y() + _AWAY
    if y + height > area.bottom():
        y = cursor.y() - _AWAY - height
    x = min(max(x, area.left()), max(area.left(), area.right() - width))
    return QRectF(x, min(max(y, area.top()), max(area.top(), area.bottom() - height)), width, height)


def paint(painter: QPainter, lines: Sequence[ReadoutLine], cursor: QPointF, area: QRectF) -> QRectF:
    """Draw the box; returns where it is."""
    room = max(2, int((area.height() - 2 * _PAD[1]) // size_of(lines[:1])[2]))
    if len(lines) > room:
        more = tr("and {0} more").format(len(lines) - room + 1)
        lines = [*lines[: room - 1], ReadoutLine(None, more, "")]
    width, height, line_height = size_of(lines)
    box = place(round(width), round(height), cursor, area)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(QPen(theme.token("strong"), 1))
    painter.setBrush(theme.token("raised"))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    swatch = _SWATCH if any(line.colour is not None for line in lines) else 0
    plain, bold = fonts.ui(fonts.SMALL), fonts.ui(fonts.SMALL, bold=True)
    metrics = QFontMetricsF(plain)
    y = box.top() + _PAD[1]
    for i, line in enumerate(lines):
        if line.colour is not None:
            painter.fillRect(QRectF(box.left() + _PAD[0], y + line_height / 2 - 2, 12, 3), line.colour)
        name = metrics.elidedText(line.name, Qt.TextElideMode.ElideRight, _WIDEST_NAME)
        indent = swatch if line.colour is not None else 0
        painter.setFont(plain)
        painter.setPen(theme.token("text2" if i == 0 else "text"))
        painter.drawText(QPointF(box.left() + _PAD[0] + indent, y + metrics.ascent()), name)
        painter.setFont(bold if i == 0 else plain)
        painter.setPen(theme.token("text"))
        advance = QFontMetricsF(painter.font()).horizontalAdvance(line.value)
        painter.drawText(QPointF(box.right() - _PAD[0] - advance, y + metrics.ascent()), line.value)
        y += line_height
    return box
