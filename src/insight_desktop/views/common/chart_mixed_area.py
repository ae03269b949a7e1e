"""The painted part of a chart of bars and lines: only the categories in view are drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from insight_desktop.views.common import chart_readout, fonts, number_text, theme
from insight_desktop.views.common.chart_axis import Axis, Scale, nice_step, ticks
from insight_desktop.views.common.chart_bars import Bars
from insight_desktop.views.common.chart_data import colour_of
from insight_desktop.views.common.chart_readout import ReadoutLine

_LEAST_SLOT = 34.0  # px of a category at first, if they do not all fit
_WIDEST_SLOT = 160.0
_WIDEST_STACK, _WIDEST_BAR = 56.0, 26.0
_ROUND = 14.0  # px that the mark of a category is wider than its bars
_AIR = 1.06
_DOT = 2.5
_HALVED = 50.0  # distances of numbers from which their halves are whole
_Values = npt.NDArray[np.float64]


def _pieces(height: float) -> int:
    """Into how many pieces an axis is cut: 40 px each, but five as long as their numbers have room."""
    return max(2, int(height // 40), min(5, int(height // 20)))


class MixedArea(QWidget):
    """Bars and lines.

    Signals:
        clicked: key of a series, position of a category.
        window_changed: other categories are in view.
    """

    clicked = Signal(str, int)
    window_changed = Signal()

    def __init__(self, *, stacked: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stacked = stacked
        self.names: tuple[str, ...] = ()
        self.bars: tuple[Bars, ...] = ()
        self.lines: tuple[Bars, ...] = ()
        self.left, self.right = Axis(), Axis()
        self.units: tuple[tuple[str, int], tuple[str, int]] = ("", 3), ("", 4)
        self.hidden: frozenset[str] = frozenset()
        self.current = self.marked = -1
        self._slot = 0.0  # px of a category; 0 for the default
        self._first = 0.0
        self._values: dict[str, _Values] = {}
        self._mouse: QPointF | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 110)
        theme.notifier.changed.connect(self.update)

    # ---- data --------------------------------------------------------------------------------------------------------

    def set_data(
        self, names: Sequence[str], bars: Sequence[Bars], lines: Sequence[Bars], left: Axis, right: Axis
    ) -> None:
        """Other categories; widths stay, the place goes to the first category when their number changes."""
        if len(names) != len(self.names):
            self._slot = self._first = 0.0
        self.names, self.bars, self.lines, self.left, self.right = tuple(names), tuple(bars), tuple(lines), left, right
        self._values = {s.key: np.asarray(s.values, np.float64) for s in (*bars, *lines)}
        self.hidden &= set(self._values)
        self.current = self.marked = -1
        self.scroll_to(self._first)

    def set_hidden(self, keys: frozenset[str]) -> None:
        self.hidden = keys
        self.update()

    def set_marked(self, at: int) -> None:
        """Mark a category and bring it into view."""
        self.marked = at
        first, shown, _ = self.in_view()
        if at >= 0 and not first <= at <= first + shown - 1:
            self.scroll_to(at - shown / 2 + 0.5)
        self.update()

    def shown_bars(self) -> list[Bars]:
        return [s for s in self.bars if s.key not in self.hidden]

    def shown_lines(self) -> list[Bars]:
        return [s for s in self.lines if s.key not in self.hidden]

    def colour(self, series: Bars) -> QColor:
        """Colour of a series; hidden ones keep theirs."""
        return colour_of(series.colour, (*self.bars, *self.lines).index(series))

    # ---- geometry ----------------------------------------------------------------------------------------------------

    def extent(self) -> tuple[float, float]:
        """From zero or the lowest bar to the highest."""
        found = [self._values[s.key] for s in self.shown_bars()]
        if not found or not len(self.names):
            return 0.0, 1.0
        whole = np.nan_to_num(np.array(found))
        if self.stacked:
            whole = np.array([np.where(whole > 0, whole, 0).sum(0), np.where(whole < 0, whole, 0).sum(0)])
        low, high = min(0.0, float(whole.min())), max(0.0, float(whole.max()))
        return low * _AIR, (high * _AIR if high > 0 else (0.0 if low < 0 else 1.0))

    def line_extent(self) -> tuple[float, float]:
        """From zero or the lowest point to the highest."""
        found = [self._values[s.key] for s in self.shown_lines()]
        values = np.concatenate([v[~np.isnan(v)] for v in found]) if found else np.empty(0)
        low, high = (min(0.0, float(values.min())), float(values.max())) if len(values) else (0.0, 1.0)
        if low < 0 and high <= 0:
            return low * _AIR, 0.0
        return low * _AIR, high * _AIR if high > 0 else 1.0

    def left_ticks(self, height: float) -> tuple[list[float], float]:
        """Places of the left axis, and their distance, on so many pixels."""
        return ticks(*self.extent(), _pieces(height), whole=self.units[0][1] == 0)

    def right_ticks(self, height: float) -> tuple[list[float], tuple[float, float]]:
        """Places and ends of the right axis: at the lines of the left one, unless something lies below zero."""
        low, high = self.line_extent()
        least, most = self.extent()
        places, step = self.left_ticks(height)
        if low < 0 or least < 0 or len(places) < 2:
            step = ticks(low, high, _pieces(height))[1]
            low = math.floor(low / step) * step
            return ticks(low, high, _pieces(height))[0], (low, high)
        lines = most / step
        distance = nice_step(high, lines)
        if distance >= _HALVED and high <= distance / 2 * lines:
            distance /= 2  # 25 for 50: else the lines would lie in the lower half
        return [i * distance for i in range(len(places))], (0.0, distance * lines)

    def plot(self, width: float, height: float) -> QRectF:
        """Where the bars go."""
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        line = metrics.height()
        least, most = self.extent()
        left = self._widest(metrics, self.left, ticks(least, most, _pieces(height))[0], most - least) + 10
        tall = max(10.0, height - 2 * line - 15)
        right = 10.0
        if self.shown_lines():
            places, ends = self.right_ticks(tall)
            right += self._widest(metrics, self.right, places, ends[1] - ends[0])
        return QRectF(left, line + 8, max(10.0, width - left - right), tall)

    @staticmethod
    def _widest(metrics: QFontMetricsF, axis: Axis, places: Sequence[float], span: float) -> float:
        step = places[1] - places[0] if len(places) > 1 else span
        return max((metrics.horizontalAdvance(axis.tick_text(v, step, span)) for v in places), default=20.0)

    def slot(self, plot: QRectF) -> float:
        """Pixels of a category."""
        fitting = plot.width() / max(1, len(self.names))
        return max(fitting, self._slot or _LEAST_SLOT)

    def in_view(self) -> tuple[float, float, int]:
        """First category in view, how many are in view, how many there are."""
        plot = self.plot(self.width(), self.height())
        return self._first, plot.width() / self.slot(plot), len(self.names)

    def scroll_to(self, first: float) -> None:
        """Bring a category to the left edge."""
        _, shown, count = self.in_view()
        self._first = min(max(first, 0.0), max(0.0, count - shown))
        self.window_changed.emit()
        self.update()

    def restore(self) -> None:
        """Widths and place as at first."""
        self._slot = 0.0
        self.scroll_to(0.0)

    def zoom(self, factor: float, at: float) -> None:
        """Make categories wider or narrower around a place of the widget."""
        plot = self.plot(self.width(), self.height())
        under = self._first + (at - plot.left()) / self.slot(plot)
        fitting = plot.width() / max(1, len(self.names))
        self._slot = min(max(self.slot(plot) * factor, fitting), max(_WIDEST_SLOT, fitting))
        self.scroll_to(under - (at - plot.left()) / self.slot(plot))

    def category_at(self, at: QPointF) -> int:
        """Position of the category at a place of the widget, -1 for none."""
        plot = self.plot(self.width(), self.height())
        if not plot.left() <= at.x() < plot.right():
            return -1
        found = int(self._first + (at.x() - plot.left()) / self.slot(plot))
        return found if found < len(self.names) else -1

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, width: float, height: float) -> None:
        """Bars, lines and axes in any size."""
        painter.fillRect(QRectF(0, 0, width, height), theme.token("canvas"))
        plot = self.plot(width, height)
        painter.setFont(fonts.ui(fonts.SMALL))
        left = Scale(*self.extent(), plot.bottom(), plot.top())
        self._paint_axis(painter, plot, left, self.left)
        slot = self.slot(plot)
        first = int(self._first)
        last = min(len(self.names), math.ceil(self._first + plot.width() / slot) + 1)
        painter.save()
        painter.setClipRect(plot.adjusted(0, 0, 1, height - plot.bottom()))
        if first <= self.current < last:
            painter.fillRect(self._place(plot, self.current, slot), theme.token("hover"))
        self._paint_bars(painter, plot, left, range(first, last))
        if first <= self.marked < last:
            painter.setPen(QPen(theme.token("text"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(
                self._place(plot, self.marked, min(slot, self._thick(slot) + _ROUND)).adjusted(1, 1, -1, -1)
            )
        self._paint_names(painter, plot, range(first, last))
        painter.restore()
        if self.shown_lines():
            places, extent = self.right_ticks(plot.height())
            right = Scale(*extent, plot.bottom(), plot.top())
            self._paint_right(painter, plot, right, places)
            painter.save()
            painter.setClipRect(plot.adjusted(0, -4, 1, 4))
            self._paint_lines(painter, plot, right, range(max(0, first - 1), min(len(self.names), last + 1)))
            painter.restore()

    def _place(self, plot: QRectF, at: int, width: float) -> QRectF:
        """A column in the middle of a category."""
        middle = plot.left() + (at - self._first + 0.5) * self.slot(plot)
        return QRectF(middle - width / 2, plot.top(), width, plot.height())

    def _thick(self, slot: float) -> float:
        """Width of the bars of a category together."""
        if self.stacked:
            return min(slot * 0.76, _WIDEST_STACK)
        beside = max(1, len(self.shown_bars()))
        return min(slot * 0.76, beside * _WIDEST_BAR)

    def _paint_axis(self, painter: QPainter, plot: QRectF, scale: Scale, axis: Axis) -> None:
        metrics = QFontMetricsF(painter.font())
        middle = (metrics.ascent() - metrics.descent()) / 2
        places, step = self.left_ticks(plot.height())
        for value in places:
            y = round(scale.px(value)) + 0.5
            painter.setPen(QPen(theme.token("grid"), 1))
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
            text = axis.tick_text(value, step, scale.span)
            painter.setPen(theme.token("text2"))
            painter.drawText(QPointF(plot.left() - 6 - metrics.horizontalAdvance(text), y + middle), text)
        painter.drawText(QPointF(4, metrics.ascent() + 2), axis.title)
        painter.setPen(QPen(theme.token("strong"), 1))
        zero = round(scale.px(0.0)) + 0.5
        painter.drawLine(QLineF(plot.left(), zero, plot.right(), zero))

    def _paint_right(self, painter: QPainter, plot: QRectF, scale: Scale, places: Sequence[float]) -> None:
        metrics = QFontMetricsF(painter.font())
        middle = (metrics.ascent() - metrics.descent()) / 2
        step = places[1] - places[0] if len(places) > 1 else scale.span
        painter.setPen(theme.token("text2"))
        for value in places:
            text = self.right.tick_text(value, step, scale.span)
            painter.drawText(QPointF(plot.right() + 6, round(scale.px(value)) + 0.5 + middle), text)
        advance = metrics.horizontalAdvance(self.right.title)
        painter.drawText(QPointF(self.width() - advance - 4, metrics.ascent() + 2), self.right.title)

    def _paint_bars(self, painter: QPainter, plot: QRectF, scale: Scale, shown: range) -> None:
        series = self.shown_bars()
        slot = self.slot(plot)
        beside = 1 if self.stacked else max(1, len(series))
        thick = self._thick(slot) / beside
        overlaid = not self.stacked and thick < 1.5  # too narrow for bars beside each other: the longest stands behind
        if overlaid:
            thick = max(1.0, slot * 0.9)
        colours = [self.colour(s) for s in series]
        values = [self._values[s.key] for s in series]
        zero = scale.px(0.0)
        for at in shown:
            x = plot.left() + (at - self._first) * slot
            up = down = 0.0
            order = sorted(range(len(series)), key=lambda i: -values[i][at]) if overlaid else range(len(series))
            for i in order:
                value = float(values[i][at])
                if value != value or value == 0:
                    continue
                base = (up if value > 0 else down) if self.stacked else 0.0
                top, bottom = sorted((scale.px(base + value), scale.px(base) if base else zero))
                left = x + (slot - thick * (1 if overlaid else beside)) / 2
                if not (overlaid or self.stacked):
                    left += i * thick
                painter.fillRect(
                    QRectF(left, top, max(1.0, thick - (1 if thick > 4 else 0)), max(1.0, bottom - top)), colours[i]
                )
                if value > 0:
                    up += value
                else:
                    down += value

    def _paint_names(self, painter: QPainter, plot: QRectF, shown: range) -> None:
        metrics = QFontMetricsF(painter.font())
        slot = self.slot(plot)
        widest = max((metrics.horizontalAdvance(self.names[at]) for at in shown), default=0.0)
        every = max(1, math.ceil((min(widest, 160.0) + 8) / slot))
        painter.setPen(theme.token("text2"))
        for at in shown:
            if at % every:
                continue
            room = slot * every - 4
            text = metrics.elidedText(self.names[at], Qt.TextElideMode.ElideRight, room)
            x = plot.left() + (at - self._first + 0.5) * slot - metrics.horizontalAdvance(text) / 2
            painter.drawText(QPointF(x, plot.bottom() + 4 + metrics.ascent()), text)

    def _paint_lines(self, painter: QPainter, plot: QRectF, scale: Scale, shown: range) -> None:
        slot = self.slot(plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for series in self.shown_lines():
            values, colour = self._values[series.key], self.colour(series)
            points = [
                QPointF(plot.left() + (at - self._first + 0.5) * slot, scale.px(float(values[at])))
                for at in shown
                if values[at] == values[at]
            ]
            painter.setPen(QPen(colour, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(points))
            if slot >= 12:
                painter.setBrush(theme.token("canvas"))
                for point in points:
                    painter.drawEllipse(point, _DOT, _DOT)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter, self.width(), self.height())
            if self.current >= 0 and self._mouse is not None:
                chart_readout.paint(painter, self.readout(), self._mouse, QRectF(self.rect()))
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))

    def readout(self) -> list[ReadoutLine]:
        """The category under the mouse, then every visible series."""
        found = [ReadoutLine(None, self.names[self.current], "")]
        for part, units in ((self.shown_bars(), self.units[0]), (self.shown_lines(), self.units[1])):
            for series in part:
                value = float(self._values[series.key][self.current])
                text = f"{number_text.number(value, units[1])} {units[0]}".strip()
                found.append(ReadoutLine(self.colour(series), series.name, text))
        return found

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scroll_to(self._first)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.angleDelta().x()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1.2 ** (turned / 120), event.position().x())
            event.accept()
            return
        _, shown, count = self.in_view()
        if shown >= count:
            event.ignore()  # nothing to scroll here: the page scrolls
            return
        self.scroll_to(self._first - turned / 120 * max(1.0, shown / 10))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse = event.position()
        self.current = self.category_at(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if self.current >= 0 else Qt.CursorShape.ArrowCursor)
        self.update()

    def leaveEvent(self, _event: object) -> None:
        self._mouse, self.current = None, -1
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = self.category_at(event.position())
        shown = (*self.shown_bars(), *self.shown_lines())
        if event.button() == Qt.MouseButton.LeftButton and at >= 0 and shown:
            self.clicked.emit(shown[0].key, at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        shown = (*self.shown_bars(), *self.shown_lines())
        if step and self.names:
            self.current = (self.current + step) % len(self.names) if self.current >= 0 else 0
            first, in_view, _ = self.in_view()
            if not first <= self.current <= first + in_view - 1:
                self.scroll_to(self.current - in_view / 2)
            plot = self.plot(self.width(), self.height())
            x = plot.left() + (self.current - self._first + 0.5) * self.slot(plot)
            self._mouse = QPointF(x, plot.center().y())
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current >= 0 and shown:
            self.clicked.emit(shown[0].key, self.current)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(420, 220)
