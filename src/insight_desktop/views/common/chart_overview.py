"""The strip below a chart: the whole data, and the visible part as a frame that can be moved and resized."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from insight_desktop.views.common import theme
from insight_desktop.views.common.ask import Background
from insight_desktop.views.common.chart_axis import Scale, padded
from insight_desktop.views.common.chart_data import Sample, Series, sample, values_extent
from insight_desktop.views.common.chart_paint import points_of, stepped
from insight_desktop.views.common.chart_plot import AT_ONCE_POINTS, ChartPlot
from insight_desktop.views.common.language import tr

HEIGHT = 34
_EDGE = 5
_BUCKETS = 300
Grab = Literal["", "move", "low", "high", "new"]


class ChartOverview(QWidget):
    """Shows the first visible curve of a plot over its whole axis. A range that is equal to the view moves with it."""

    def __init__(self, plot: ChartPlot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plot = plot
        self._curve: Series | None = None
        self._picture: QPixmap | None = None
        self._work = Background(self)
        self._grab: Grab = ""
        self._at = 0.0
        self.setFixedHeight(HEIGHT)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Overview of the whole axis"))
        plot.view_changed.connect(lambda _view: self.update())
        plot.range_changed.connect(lambda _range: self.update())
        theme.notifier.changed.connect(self._repaint)

    def renew(self) -> None:
        """The data or the visible series changed."""
        curves = [s for s in self._plot.visible_series() if s.is_line and len(s.x)]
        if not curves:
            self._take(None)
            return
        chosen, whole = curves[0], self._plot.whole
        if len(chosen.x) <= AT_ONCE_POINTS:
            self._work.drop("overview")
            self._take(sample([chosen], *whole, _BUCKETS))
            return
        self._work.run(
            "overview", lambda: sample([chosen], *whole, _BUCKETS), then=self._take, failed=lambda _error: None
        )

    def _take(self, found: Sample | None) -> None:
        self._curve = found.series[0] if found is not None else None
        self._repaint()

    def _repaint(self) -> None:
        self._picture = None
        self.update()

    # ---- geometry ----------------------------------------------------------------------------------------------------

    @property
    def scale(self) -> Scale:
        """Places of the axis under the plot above."""
        plot = self._plot.frame.plot
        return Scale(*self._plot.whole, plot.left(), plot.right())

    def window_rect(self) -> QRectF:
        """The frame of the visible part; the chosen range while everything is visible."""
        plot, scale = self._plot, self.scale
        low, high = plot.view or plot.chosen or plot.whole
        left, right = scale.px(low), scale.px(high)
        if right - left < 6:
            left, right = (left + right) / 2 - 3, (left + right) / 2 + 3
        return QRectF(left, 0.5, right - left, HEIGHT - 6)

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._picture is None:
            ratio = self.devicePixelRatioF()
            self._picture = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
            self._picture.setDevicePixelRatio(ratio)
            with QPainter(self._picture) as inner:
                self._ground(inner)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)
            if self._plot.view is None and self._plot.chosen is None:
                return
            frame = self.window_rect()
            tint = theme.token("focus")
            tint.setAlphaF(0.22)
            painter.fillRect(frame, tint)
            painter.setPen(QPen(theme.token("focus"), 1))
            painter.drawRect(QRectF(round(frame.left()) + 0.5, 0.5, round(frame.width()), frame.height()))

    def _ground(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), theme.token("canvas"))
        scale = self.scale
        box = QRectF(scale.start, 0.5, scale.end - scale.start, HEIGHT - 6)
        if self._curve is not None and len(self._curve.x):
            values = values_extent([self._curve]) or (0.0, 1.0)
            up = Scale(*padded(*values), box.bottom() - 1, box.top() + 1)
            x, y = points_of(scale, up, self._curve.x, self._curve.y)
            if self._curve.kind == "step":
                x, y = stepped(x, y)
            corners = [QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
            colour = self._plot.colours()[self._curve.key]
            fill = QColor(colour)
            fill.setAlphaF(0.16)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawPolygon(
                QPolygonF([QPointF(corners[0].x(), box.bottom()), *corners, QPointF(corners[-1].x(), box.bottom())])
            )
            painter.setPen(QPen(colour, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(corners))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(theme.token("border"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(round(box.left()) + 0.5, 0.5, round(box.width()), box.height()))

    # ---- mouse -------------------------------------------------------------------------------------------------------

    def _zone(self, x: float) -> Grab:
        frame = self.window_rect()
        if self._plot.view is None and self._plot.chosen is None:
            return "new"
        if abs(x - frame.left()) <= _EDGE and abs(x - frame.left()) <= abs(x - frame.right()):
            return "low"
        if abs(x - frame.right()) <= _EDGE:
            return "high"
        return "move" if frame.left() < x < frame.right() else "new"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.RightButton:
            self._plot.restore()
        if event.button() != Qt.MouseButton.LeftButton or self._plot.locked:
            return
        self._at = event.position().x()
        self._grab = self._zone(self._at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if not self._grab:
            zone = self._zone(x)
            self.setCursor(Qt.CursorShape.SizeHorCursor if zone in ("low", "high") else Qt.CursorShape.ArrowCursor)
            return
        plot, scale = self._plot, self.scale
        low, high = plot.view or plot.chosen or plot.whole
        place = min(max(scale.value(x), plot.whole[0]), plot.whole[1])
        if self._grab == "new":
            start = min(max(scale.value(self._at), plot.whole[0]), plot.whole[1])
            if abs(x - self._at) >= 3:
                self._show(start, place)
        elif self._grab == "move":
            by = min(max(scale.value(x) - scale.value(self._at), plot.whole[0] - low), plot.whole[1] - high)
            self._at = x
            self._show(low + by, high + by)
        else:
            self._show(place if self._grab == "low" else low, high if self._grab == "low" else place)

    def _show(self, low: float, high: float) -> None:
        """Move what the frame stands for; the range is told when the mouse is released."""
        plot = self._plot
        if plot.view is None and plot.chosen is not None:
            plot.chosen = (min(low, high), max(low, high))
            plot.update()
            self.update()
            return
        linked = plot.chosen is not None and plot.chosen == plot.view
        plot.zoom_to(low, high)
        if linked:
            plot.chosen = plot.visible
            plot.update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        grab, self._grab = self._grab, ""
        if grab and self._plot.chosen is not None:
            self._plot.range_changed.emit(self._plot.chosen)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self._plot.restore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._plot.wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._repaint()
