"""Paints a chart: ground, bands, grid, curves, axes, lines; and over it range, crosshair and readout.

Everything goes through a plain QPainter, so that the screen, a PNG and an SVG are the same picture. Curves are painted
segment by segment: Qt's stroker is a hundred times slower on one long path than on its pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from insight_desktop.views.common import fonts, theme
from insight_desktop.views.common.chart_axis import Axis, Scale, log_ticks, ticks
from insight_desktop.views.common.chart_data import MOST_POINTS, Array, Band, RefLine, Series, bar_edges, colour_of

HANDLE = (6, 28)
HEAD = 20  # room above the plot for the length of the range and names of bands
_DOT = 3.5
_AREA_OPACITY = 0.8
_BAND_OPACITY = 0.3
_BAND_TEXT_FROM = 30  # px
_NOISE = 40  # heights of the plot that a curve may go up and down before it is drawn as noise


@dataclass(frozen=True, eq=False)
class Frame:
    """All that a picture needs: sizes, scales, what is drawn."""

    width: float
    height: float
    plot: QRectF
    x: Scale
    y: Scale
    x_axis: Axis
    y_axis: Axis
    series: Sequence[Series] = ()
    colours: Mapping[str, QColor] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    bands: Sequence[Band] = ()
    lines: Sequence[RefLine] = ()
    dots: bool = False
    right: Scale | None = None  # of the series at the right
    right_axis: Axis | None = None
    has_left: bool = True

    def scale_of(self, series: Series) -> Scale:
        """The axis of values of a series."""
        return self.right if series.right and self.right is not None else self.y

    def scale_of_key(self, key: str) -> Scale:
        """The axis of values of a series by its key."""
        return next((self.scale_of(s) for s in self.series if s.key == key), self.y)

    @property
    def shown(self) -> list[Series]:
        """The series that are not hidden."""
        return [s for s in self.series if s.key not in self.hidden]


def small_font() -> QFont:
    """Font of axis numbers."""
    return fonts.ui(fonts.SMALL)


def plot_rect(width: float, height: float, y_texts: Sequence[str], *, has_x: bool, has_y: bool) -> QRectF:
    """Where the curves go: room for numbers and titles is left around."""
    metrics = QFontMetricsF(small_font())
    line = metrics.height()
    left = max((metrics.horizontalAdvance(t) for t in y_texts), default=24.0) + 10 + (line + 2 if has_y else 0)
    bottom = line + 7 + (line if has_x else 0)
    return QRectF(left, HEAD, max(10.0, width - left - 12), max(10.0, height - HEAD - bottom))


def with_right(plot: QRectF, axis: Axis, low: float, high: float, height: float) -> QRectF:
    """The place of the curves, with room at the right for the numbers and the title of a second axis."""
    metrics = QFontMetricsF(small_font())
    widest = max((metrics.horizontalAdvance(t) for t in y_texts(axis, low, high, height)), default=24.0)
    room = widest + 10 + (metrics.height() + 2 if axis.title else 0)
    return QRectF(plot.left(), plot.top(), max(10.0, plot.width() + 12 - room), plot.height())


def y_texts(axis: Axis, low: float, high: float, height: float) -> list[str]:
    """Numbers of the axis of values."""
    places, step = value_ticks(axis, low, high, height)
    return [axis.tick_text(v, step, high - low) for v in places]


def value_ticks(axis: Axis, low: float, high: float, height: float) -> tuple[list[float], float]:
    """Places of the numbers of the axis of values, and their distance."""
    count = max(2, int(height // 44))
    if axis.kind == "log":
        return log_ticks(low, high, count)
    whole = axis.whole or axis.kind == "category"
    found = ticks(low, high, count, whole=whole)
    if len(found[0]) < 2:  # one number says nothing of the scale; in a low plot two of them have to do
        found = ticks(low, high, 2 * count, whole=whole)
    return found


# ---- the picture that stays ------------------------------------------------------------------------------------------


def ground(painter: QPainter, frame: Frame, under: Callable[[], None] | None = None) -> None:
    """Everything that does not move with the mouse; `under` paints between grid and curves, clipped to the plot."""
    painter.fillRect(QRectF(0, 0, frame.width, frame.height), theme.token("canvas"))
    _grid(painter, frame)
    painter.save()
    painter.setClipRect(frame.plot.adjusted(0, -HEAD, 1, 1))
    for band in frame.bands:
        _band(painter, frame, band)
    painter.setClipRect(frame.plot.adjusted(-1, -1, 1, 1))
    if under is not None:
        under()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for series in frame.shown:
        _series(painter, frame, series)
    painter.restore()
    for band in frame.bands:
        _band_name(painter, frame, band)
    _axes(painter, frame)
    for line in frame.lines:
        _reference(painter, frame, line)


def _grid(painter: QPainter, frame: Frame) -> None:
    painter.setPen(QPen(theme.token("grid"), 1))
    ticks_of_grid, scale = (_y_ticks(frame)[0], frame.y) if frame.has_left else (_right_ticks(frame)[0], frame.right)
    for value in ticks_of_grid:
        y = round((scale or frame.y).px(value)) + 0.5
        painter.drawLine(QLineF(frame.plot.left(), y, frame.plot.right(), y))
    if frame.x_axis.kind != "category":
        for value in _x_ticks(frame)[0]:
            x = round(frame.x.px(value)) + 0.5
            painter.drawLine(QLineF(x, frame.plot.top(), x, frame.plot.bottom()))


def _x_ticks(frame: Frame) -> tuple[list[float], float]:
    metrics = QFontMetricsF(small_font())
    axis, scale = frame.x_axis, frame.x
    widest = max(
        metrics.horizontalAdvance(axis.tick_text(v, scale.span / 10, scale.span)) for v in (scale.low, scale.high)
    )
    room = max(64.0, widest + 26)
    return ticks(scale.low, scale.high, max(1, int(frame.plot.width() // room)), whole=axis.kind == "category")


def _y_ticks(frame: Frame) -> tuple[list[float], float]:
    return value_ticks(frame.y_axis, frame.y.low, frame.y.high, frame.plot.height())


def _right_ticks(frame: Frame) -> tuple[list[float], float]:
    if frame.right is None or frame.right_axis is None:
        return [], 1.0
    return value_ticks(frame.right_axis, frame.right.low, frame.right.high, frame.plot.height())


def _axes(painter: QPainter, frame: Frame) -> None:
    plot = frame.plot
    painter.setPen(QPen(theme.token("strong"), 1))
    painter.drawLine(QLineF(plot.left() + 0.5, plot.top(), plot.left() + 0.5, plot.bottom()))
    painter.drawLine(QLineF(plot.left(), plot.bottom() + 0.5, plot.right(), plot.bottom() + 0.5))
    font = small_font()
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    middle = (metrics.ascent() - metrics.descent()) / 2
    painter.setPen(theme.token("text2"))
    places, step = _y_ticks(frame)
    for value in places if frame.has_left else ():
        text = frame.y_axis.tick_text(value, step, frame.y.span)
        y = frame.y.px(value)
        painter.drawText(QPointF(plot.left() - 6 - metrics.horizontalAdvance(text), y + middle), text)
    places, step = _x_ticks(frame)
    taken = -1e9
    for value in places:
        x, text = frame.x.px(value), frame.x_axis.tick_text(value, step, frame.x.span)
        width = metrics.horizontalAdvance(text)
        left = min(max(x - width / 2, 0.0), frame.width - width)
        if text and left > taken:
            painter.drawText(QPointF(left, plot.bottom() + 4 + metrics.ascent()), text)
            painter.drawLine(QLineF(round(x) + 0.5, plot.bottom(), round(x) + 0.5, plot.bottom() + 3))
            taken = left + width + 8
    if frame.x_axis.title:
        title = metrics.elidedText(frame.x_axis.title, Qt.TextElideMode.ElideRight, frame.width - 8)
        width = metrics.horizontalAdvance(title)
        left = min(max(plot.center().x() - width / 2, 4.0), frame.width - width - 4)
        painter.drawText(QPointF(left, plot.bottom() + 4 + metrics.height() + metrics.ascent()), title)
    _right_numbers(painter, frame)
    if frame.y_axis.title and frame.has_left:
        title = metrics.elidedText(frame.y_axis.title, Qt.TextElideMode.ElideRight, plot.height() + HEAD)
        painter.save()
        painter.translate(metrics.ascent() + 1, plot.center().y() + metrics.horizontalAdvance(title) / 2)
        painter.rotate(-90)
        painter.drawText(QPointF(0, 0), title)
        painter.restore()


def _right_numbers(painter: QPainter, frame: Frame) -> None:
    """The second axis of values: its line with short ticks, numbers and title at the right."""
    scale, axis, plot = frame.right, frame.right_axis, frame.plot
    if scale is None or axis is None:
        return
    metrics = QFontMetricsF(small_font())
    painter.save()
    painter.setPen(QPen(theme.token("strong"), 1))
    painter.drawLine(QLineF(plot.right() + 0.5, plot.top(), plot.right() + 0.5, plot.bottom()))
    painter.setPen(theme.token("text2"))
    places, step = _right_ticks(frame)
    for value in places:
        y = scale.px(value)
        painter.drawLine(QLineF(plot.right(), round(y) + 0.5, plot.right() + 3, round(y) + 0.5))
        at = QPointF(plot.right() + 6, y + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(at, axis.tick_text(value, step, scale.span))
    if axis.title:
        title = metrics.elidedText(axis.title, Qt.TextElideMode.ElideRight, plot.height() + HEAD)
        painter.translate(frame.width - metrics.ascent() - 1, plot.center().y() - metrics.horizontalAdvance(title) / 2)
        painter.rotate(90)
        painter.drawText(QPointF(0, 0), title)
    painter.restore()


def _band_ends(frame: Frame, band: Band) -> tuple[float, float] | None:
    """Left and right of a band on the plot in px; None when it is outside."""
    left, right = frame.x.px(band.low), frame.x.px(band.high)
    plot = frame.plot
    if right < plot.left() or left > plot.right():
        return None
    return max(left, plot.left()), min(right, plot.right())


def _band(painter: QPainter, frame: Frame, band: Band) -> None:
    ends = _band_ends(frame, band)
    if ends is not None:
        left, right = ends
        fill = QColor(colour_of(band.colour or "accent", 0))
        fill.setAlphaF(_BAND_OPACITY)
        painter.fillRect(QRectF(left, frame.plot.top(), max(1.0, right - left), frame.plot.height()), fill)


def _band_name(painter: QPainter, frame: Frame, band: Band) -> None:
    """The name stands over the curves: one that runs along the top would cross it out."""
    ends = _band_ends(frame, band)
    if ends is None or not band.text or ends[1] - ends[0] <= _BAND_TEXT_FROM:
        return
    left, right = ends
    colour, top = colour_of(band.colour or "accent", 0), frame.plot.top()
    font = small_font()
    metrics = QFontMetricsF(font)
    text = metrics.elidedText(band.text, Qt.TextElideMode.ElideRight, right - left - 8)
    painter.fillRect(QRectF(left, top, metrics.horizontalAdvance(text) + 8, metrics.height() + 2), colour)
    painter.setFont(font)
    painter.setPen(theme.ink_for(colour))
    painter.drawText(QPointF(left + 4, top + 1 + metrics.ascent()), text)


def _reference(painter: QPainter, frame: Frame, line: RefLine) -> None:
    colour = colour_of(line.colour or "slo", 0)
    plot = frame.plot
    painter.setPen(QPen(colour, 1, Qt.PenStyle.DashLine))
    metrics = QFontMetricsF(small_font())
    if line.axis == "y":
        y = round(frame.y.px(line.value)) + 0.5
        if not plot.top() <= y <= plot.bottom():
            return
        painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
        at = QPointF(plot.right() - metrics.horizontalAdvance(line.text) - 4, y - 4)
        if at.y() - metrics.ascent() < plot.top():
            at.setY(y + metrics.ascent() + 2)
    else:
        x = round(frame.x.px(line.value)) + 0.5
        if not plot.left() <= x <= plot.right():
            return
        painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
        words = line.text.split("\n")
        width = max(metrics.horizontalAdvance(text) for text in words)
        at = QPointF(x + 4 if x + 4 + width < plot.right() else x - 4 - width, plot.top() + metrics.ascent() + 2)
        if line.at_foot:
            at.setY(plot.bottom() - metrics.height() * (len(words) - 1) - metrics.descent() - 3)
        painter.setFont(small_font())
        for i, text in enumerate(words):
            painter.drawText(at + QPointF(0, i * metrics.height()), text)
        return
    painter.setFont(small_font())
    painter.drawText(at, line.text)


# ---- series ----------------------------------------------------------------------------------------------------------


def points_of(scale_x: Scale, scale_y: Scale, x: Array, y: Array) -> tuple[Array, Array]:
    """Pixels of points; far outside ones are pulled near, so that nothing overflows."""
    px = np.clip(scale_x.start + (x - scale_x.low) * scale_x.factor, -2e4, 2e4)
    py = np.clip(scale_y.start + (y - scale_y.low) * scale_y.factor, -2e4, 2e4)
    return px, py


def _series(painter: QPainter, frame: Frame, series: Series) -> None:
    if not len(series.x):
        return
    colour = frame.colours.get(series.key, theme.token("accent"))
    if series.kind == "bars":
        _bars(painter, frame, series, colour)
        return
    scale = frame.scale_of(series)
    px, py = points_of(frame.x, scale, series.x, series.y)
    if series.kind == "scatter":
        _cloud(painter, px, py, colour)
        _tags(painter, frame, px, py, series.tags or ())
        return
    if series.kind == "step":
        px, py = stepped(px, py)
    if series.kind == "area":
        _area(painter, frame, scale, px, py, colour)
    # A band of noise is a full area whatever the edges look like, and smooth edges cost ten times as much.
    steps = np.abs(np.diff(np.clip(py, frame.plot.top(), frame.plot.bottom())))
    is_noise = float(np.nansum(steps)) > _NOISE * frame.plot.height()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not is_noise)
    pen = QPen(
        colour,
        1.0 if is_noise else 1.5,
        Qt.PenStyle.DashLine if series.dashed else Qt.PenStyle.SolidLine,
        Qt.PenCapStyle.RoundCap,
    )
    painter.setPen(pen)
    if len(px) > 1:
        corners = [QPointF(a, b) for a, b in zip(px.tolist(), py.tolist(), strict=True)]
        if series.gaps:
            joined = np.flatnonzero(~np.isnan(py[:-1]) & ~np.isnan(py[1:])).tolist()
            painter.drawLines([QLineF(corners[i], corners[i + 1]) for i in joined])
        elif series.dashed and len(corners) <= MOST_POINTS:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(corners))
        else:
            painter.drawLines([QLineF(corners[i], corners[i + 1]) for i in range(len(corners) - 1)])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    if frame.dots or len(px) == 1:
        px, py = points_of(frame.x, scale, series.x, series.y)
        _dots(painter, px, py, colour, 1.75)


def stepped(x: Array, y: Array) -> tuple[Array, Array]:
    """Corners of a curve that holds each value until the next point."""
    if len(x) < 2:
        return x, y
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def _area(painter: QPainter, frame: Frame, scale: Scale, px: Array, py: Array, colour: QColor) -> None:
    base = min(max(scale.px(0.0), frame.plot.top()), frame.plot.bottom())
    corners = [QPointF(a, b) for a, b in zip(px.tolist(), py.tolist(), strict=True)]
    shape = QPolygonF([QPointF(px[0], base), *corners, QPointF(px[-1], base)])
    fill = QColor(colour)
    fill.setAlphaF(_AREA_OPACITY)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawPolygon(shape)


def _bars(painter: QPainter, frame: Frame, series: Series, colour: QColor) -> None:
    left, right = bar_edges(series)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    scale = frame.scale_of(series)
    base = scale.px(0.0)
    for a, b, value in zip(left.tolist(), right.tolist(), series.y.tolist(), strict=True):
        if value != value or b < frame.x.low or a > frame.x.high:
            continue
        x0, x1, y = frame.x.px(a), frame.x.px(b), scale.px(value)
        gap = 1.0 if x1 - x0 > 3 else 0.0
        top, bottom = min(y, base), max(y, base)
        painter.fillRect(QRectF(x0 + gap, top, max(1.0, x1 - x0 - gap), max(1.0, bottom - top)), colour)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def _cloud(painter: QPainter, px: Array, py: Array, colour: QColor) -> None:
    """Points of a scatter; those that fall on the same pixel are drawn once."""
    inside = (px > -9) & (px < 2e4 - 9) & (py > -2e4 + 9) & (py < 2e4 - 9)
    places = np.unique(np.stack([np.round(px[inside]), np.round(py[inside])], axis=1), axis=0)
    fill = QColor(colour)
    fill.setAlphaF(0.75)
    if len(places) > 20_000:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(fill, 3))
        painter.drawPoints(QPolygonF([QPointF(a, b) for a, b in places.tolist()]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        return
    _dots(painter, places[:, 0], places[:, 1], fill, 3.0)


def _tags(painter: QPainter, frame: Frame, px: Array, py: Array, tags: Sequence[str]) -> None:
    """Words to the right below their points, to the left where there is no room."""
    painter.setFont(small_font())
    painter.setPen(theme.token("text2"))
    metrics = QFontMetricsF(small_font())
    for x, y, text in zip(px.tolist(), py.tolist(), tags, strict=False):
        width = metrics.horizontalAdvance(text)
        left = x + 6 if x + 6 + width < frame.plot.right() else x - 6 - width
        painter.drawText(QPointF(left, min(y + metrics.ascent() + 1, frame.plot.bottom() - 2)), text)


def _dots(painter: QPainter, px: Array, py: Array, colour: QColor, radius: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for a, b in zip(px.tolist(), py.tolist(), strict=True):
        if b == b:
            painter.drawEllipse(QPointF(a, b), radius, radius)


# ---- what moves ------------------------------------------------------------------------------------------------------


def brush(painter: QPainter, frame: Frame, low: float, high: float) -> None:
    """A chosen range: outside dimmed, edges with handles, its length above."""
    plot = frame.plot
    x0 = min(max(frame.x.px(low), plot.left()), plot.right())
    x1 = min(max(frame.x.px(high), plot.left()), plot.right())
    shade = QColor(0, 0, 0, 107) if theme.is_dark() else QColor(255, 255, 255, 140)
    painter.fillRect(QRectF(plot.left() + 1, plot.top(), max(0.0, x0 - plot.left() - 1), plot.height()), shade)
    painter.fillRect(QRectF(x1, plot.top(), max(0.0, plot.right() - x1), plot.height()), shade)
    colour = theme.token("focus")
    for value in (low, high):
        x = frame.x.px(value)
        if not plot.left() - 1 <= x <= plot.right() + 1:
            continue
        painter.fillRect(QRectF(round(x), plot.top() - 4, 1, plot.height() + 4), colour)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        box = QRectF(round(x) + 0.5 - HANDLE[0] / 2, plot.center().y() - HANDLE[1] / 2, *HANDLE)
        painter.drawRoundedRect(box, 2, 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    font = fonts.ui(fonts.SMALL, bold=True)
    metrics = QFontMetricsF(font)
    text = frame.x_axis.distance_text(high - low)
    width = metrics.horizontalAdvance(text)
    at = min(max((x0 + x1 - width) / 2, plot.left()), plot.right() - width)
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QPointF(at, plot.top() - 7), text)


def crosshair(painter: QPainter, frame: Frame, x: float) -> None:
    """A dashed line at a place of the axis."""
    at = round(frame.x.px(x)) + 0.5
    pen = QPen(theme.token("strong"), 1)
    pen.setDashPattern([3, 3])
    painter.setPen(pen)
    painter.drawLine(QLineF(at, frame.plot.top(), at, frame.plot.bottom()))


def spots(painter: QPainter, frame: Frame, points: Sequence[tuple[str, float, float]], *, ring: bool = False) -> None:
    """Dots on curves: (key of the series, x, y); as rings when they are emphasised by something else than the mouse."""
    painter.save()
    painter.setClipRect(frame.plot.adjusted(-5, -5, 5, 5))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for key, x, y in points:
        colour = frame.colours.get(key, theme.token("accent"))
        painter.setPen(QPen(colour if ring else theme.token("canvas"), 2 if ring else 1))
        painter.setBrush(theme.token("canvas") if ring else colour)
        radius = _DOT + (1.0 if ring else 0.0)
        painter.drawEllipse(QPointF(frame.x.px(x), frame.scale_of_key(key).px(y)), radius, radius)
    painter.restore()
