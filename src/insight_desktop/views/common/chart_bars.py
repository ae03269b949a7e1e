"""Bars of categories, standing or lying, one series or several stacked on each other; they scroll when there are many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from insight_desktop.views.common import chart_readout, fonts, number_text, parts, theme
from insight_desktop.views.common.chart_axis import Axis, Scale, ticks
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.chart_data import RefLine, colour_of
from insight_desktop.views.common.chart_legend import Entry, Legend
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec

_BAR = 24  # px for a lying bar with its gap
_STANDING = 34  # px for a standing bar at least
_WIDEST_NAME = 220
_AIR = 0.06


@dataclass(frozen=True)
class Bars:
    """One series: key, name, one value per category, colour as in Series."""

    key: str
    name: str
    values: Sequence[float]
    colour: str = ""


class BarArea(QWidget):
    """The bars.

    Signals: clicked with the key of a series and the position of a category.
    """

    clicked = Signal(str, int)

    def __init__(self, *, lying: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lying = lying
        self.names: tuple[str, ...] = ()
        self.series: tuple[Bars, ...] = ()
        self.hidden: frozenset[str] = frozenset()
        self.axis = Axis()
        self.unit, self.decimals = "", 3
        self.lines: tuple[RefLine, ...] = ()
        self.current = -1
        self._mouse: QPointF | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.notifier.changed.connect(self.update)

    def shown(self) -> list[Bars]:
        """Visible series."""
        return [s for s in self.series if s.key not in self.hidden]

    def colour(self, series: Bars) -> QColor:
        """Colour of a series; hidden ones keep theirs."""
        return colour_of(series.colour, self.series.index(series))

    def extent(self) -> tuple[float, float]:
        """From zero, or the lowest stack, to the highest stack or reference line."""
        ups, downs = [0.0], [0.0]
        for at in range(len(self.names)):
            values = [s.values[at] for s in self.shown()]
            ups.append(sum(v for v in values if v > 0))
            downs.append(sum(v for v in values if v < 0))
        high = max([*ups, *(line.value for line in self.lines)])
        low = min(downs)
        air = (high - low) * _AIR
        return (low - air if low < 0 else 0.0), (high + air if high > 0 else (0.0 if low < 0 else 1.0))

    def resize_to_content(self) -> None:
        """As long as all bars need; the scroll area around it scrolls."""
        count = len(self.names)
        if self.lying:
            self.setMinimumSize(160, round(count * fonts.scaled(_BAR) + 40))
        else:
            self.setMinimumSize(round(count * fonts.scaled(_STANDING) + 60), 110)

    # ---- geometry ----------------------------------------------------------------------------------------------------

    def plot(self, width: float, height: float) -> QRectF:
        """Where the bars go."""
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        line = metrics.height()
        bottom = line + 7 + (line if self.axis.title and self.lying else 0)
        if self.lying:
            names = max((metrics.horizontalAdvance(n) for n in self.names), default=20.0)
            left = min(names, min(_WIDEST_NAME, width * 0.4)) + 12
            return QRectF(left, 6, max(10.0, width - left - 64), max(10.0, height - 6 - bottom))
        low, high = self.extent()
        places, step = ticks(low, high, max(2, int(height // 48)))
        texts = [self.axis.tick_text(v, step, high - low) for v in places]
        left = max((metrics.horizontalAdvance(t) for t in texts), default=20.0) + 10
        return QRectF(left, 18, max(10.0, width - left - 8), max(10.0, height - 18 - line - 7))

    def scale(self, plot: QRectF) -> Scale:
        """From values to pixels."""
        low, high = self.extent()
        return (
            Scale(low, high, plot.left(), plot.right()) if self.lying else Scale(low, high, plot.bottom(), plot.top())
        )

    def slot(self, plot: QRectF, at: int) -> tuple[float, float]:
        """Start and length of the room of a category, across the values."""
        length = (plot.height() if self.lying else plot.width()) / max(1, len(self.names))
        start = plot.top() if self.lying else plot.left()
        return start + at * length, length

    def boxes(self, plot: QRectF, at: int) -> list[tuple[Bars, QRectF]]:
        """The stacked boxes of a category."""
        scale, (start, length) = self.scale(plot), self.slot(plot, at)
        thick = min(length * 0.7, 40.0)
        across = start + (length - thick) / 2
        up = down = 0.0
        found = []
        for series in self.shown():
            value = float(series.values[at])
            if value != value:
                continue
            base = up if value >= 0 else down
            ends = sorted((scale.px(base), scale.px(base + value)))
            size = max(1.0 if value else 0.0, ends[1] - ends[0])
            box = QRectF(ends[0], across, size, thick) if self.lying else QRectF(across, ends[0], thick, size)
            found.append((series, box))
            if value >= 0:
                up += value
            else:
                down += value
        return found

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, width: float, height: float) -> None:
        """The bars in any size."""
        painter.fillRect(QRectF(0, 0, width, height), theme.token("canvas"))
        plot = self.plot(width, height)
        painter.setFont(fonts.ui(fonts.SMALL))
        self._paint_axis(painter, plot)
        for at in range(len(self.names)):
            self._paint_category(painter, plot, at)
        self._paint_lines(painter, plot)

    def _paint_axis(self, painter: QPainter, plot: QRectF) -> None:
        scale, metrics = self.scale(plot), QFontMetricsF(painter.font())
        along = plot.width() if self.lying else plot.height()
        places, step = ticks(scale.low, scale.high, max(2, int(along // (90 if self.lying else 48))))
        for value in places:
            at = round(scale.px(value)) + 0.5
            text = self.axis.tick_text(value, step, scale.span)
            advance = metrics.horizontalAdvance(text)
            painter.setPen(QPen(theme.token("grid"), 1))
            if self.lying:
                painter.drawLine(QLineF(at, plot.top(), at, plot.bottom()))
                painter.setPen(theme.token("text2"))
                painter.drawText(QPointF(at - advance / 2, plot.bottom() + 4 + metrics.ascent()), text)
            else:
                painter.drawLine(QLineF(plot.left(), at, plot.right(), at))
                painter.setPen(theme.token("text2"))
                middle = (metrics.ascent() - metrics.descent()) / 2
                painter.drawText(QPointF(plot.left() - 6 - advance, at + middle), text)
        painter.setPen(theme.token("text2"))
        if self.axis.title and self.lying:
            at_x = plot.center().x() - metrics.horizontalAdvance(self.axis.title) / 2
            painter.drawText(QPointF(at_x, plot.bottom() + 4 + metrics.height() + metrics.ascent()), self.axis.title)
        elif self.axis.title:
            painter.drawText(QPointF(2, metrics.ascent() + 1), self.axis.title)
        painter.setPen(QPen(theme.token("strong"), 1))
        zero = round(scale.px(0.0)) + 0.5
        if self.lying:
            painter.drawLine(QLineF(zero, plot.top(), zero, plot.bottom()))
        else:
            painter.drawLine(QLineF(plot.left(), zero, plot.right(), zero))

    def _paint_category(self, painter: QPainter, plot: QRectF, at: int) -> None:
        start, length = self.slot(plot, at)
        metrics = QFontMetricsF(painter.font())
        middle = (metrics.ascent() - metrics.descent()) / 2
        if at == self.current:
            hover = theme.token("hover")
            room = (
                QRectF(0, start, plot.right() + 60, length)
                if self.lying
                else QRectF(start, plot.top(), length, plot.height())
            )
            painter.fillRect(room, hover)
        boxes = self.boxes(plot, at)
        for series, box in boxes:
            painter.fillRect(box, self.colour(series))
        painter.setPen(theme.token("text"))
        if self.lying:
            name = metrics.elidedText(self.names[at], Qt.TextElideMode.ElideRight, plot.left() - 12)
            painter.drawText(
                QPointF(plot.left() - 8 - metrics.horizontalAdvance(name), start + length / 2 + middle), name
            )
            painter.setPen(theme.token("text2"))
            total = number_text.number(self.total(at), self.decimals)
            end = max((box.right() for _, box in boxes), default=plot.left())
            painter.drawText(QPointF(end + 5, start + length / 2 + middle), total)
        else:
            name = metrics.elidedText(self.names[at], Qt.TextElideMode.ElideRight, length - 4)
            advance = metrics.horizontalAdvance(name)
            painter.drawText(QPointF(start + (length - advance) / 2, plot.bottom() + 4 + metrics.ascent()), name)

    def _paint_lines(self, painter: QPainter, plot: QRectF) -> None:
        scale = self.scale(plot)
        metrics = QFontMetricsF(painter.font())
        for line in self.lines:
            painter.setPen(QPen(colour_of(line.colour or "slo", 0), 1, Qt.PenStyle.DashLine))
            at = round(scale.px(line.value)) + 0.5
            if self.lying:
                painter.drawLine(QLineF(at, plot.top(), at, plot.bottom()))
                painter.drawText(QPointF(at + 4, plot.top() + metrics.ascent()), line.text)
            else:
                painter.drawLine(QLineF(plot.left(), at, plot.right(), at))
                advance = metrics.horizontalAdvance(line.text)
                painter.drawText(QPointF(plot.right() - advance - 4, at - 4), line.text)

    def total(self, at: int) -> float:
        """Sum of the visible series of a category."""
        return float(sum(v for v in (s.values[at] for s in self.shown()) if v == v))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter, self.width(), self.height())
            if self.current >= 0 and self._mouse is not None:
                chart_readout.paint(painter, self.readout(), self._mouse, QRectF(self.visibleRegion().boundingRect()))
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))

    def readout(self) -> list[ReadoutLine]:
        """Lines of the readout: the category, then each visible series, then their sum when there are several."""
        lines = [ReadoutLine(None, self.names[self.current], "")]
        for series in self.shown():
            text = f"{number_text.number(float(series.values[self.current]), self.decimals)} {self.unit}".strip()
            lines.append(ReadoutLine(self.colour(series), series.name, text))
        if len(self.shown()) > 1:
            text = f"{number_text.number(self.total(self.current), self.decimals)} {self.unit}".strip()
            lines.append(ReadoutLine(None, tr("Sum"), text))
        return lines

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def category_at(self, at: QPointF) -> int:
        """Position of the category at a place of the widget, -1 for none."""
        plot = self.plot(self.width(), self.height())
        along = at.y() - plot.top() if self.lying else at.x() - plot.left()
        length = self.slot(plot, 0)[1]
        found = int(along // length) if along >= 0 else -1
        return found if found < len(self.names) else -1

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
        if event.button() != Qt.MouseButton.LeftButton or at < 0:
            return
        plot = self.plot(self.width(), self.height())
        hit = next((s for s, box in self.boxes(plot, at) if box.contains(event.position())), None)
        shown = self.shown()
        if shown:
            self.clicked.emit((hit or shown[0]).key, at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}.get(
            Qt.Key(event.key())
        )
        if step and self.names:
            self.current = (self.current + step) % len(self.names) if self.current >= 0 else 0
            plot = self.plot(self.width(), self.height())
            start, length = self.slot(plot, self.current)
            middle = start + length / 2
            self._mouse = QPointF(plot.center().x(), middle) if self.lying else QPointF(middle, plot.center().y())
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current >= 0 and self.shown():
            self.clicked.emit(self.shown()[0].key, self.current)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(360, 200)


class BarChart(ChartBox):
    """Bars with legend; several series are stacked.

    Signals:
        clicked: key of a series, position of a category.
        hidden_changed: keys of the hidden series.
    """

    clicked = Signal(str, int)
    hidden_changed = Signal(object)

    def __init__(
        self, title: str = "", *, lying: bool = False, collapsible: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(title, collapsible=collapsible, parent=parent)
        self.area = BarArea(lying=lying)
        self.legend = Legend()
        self.head_row.insertWidget(self.head_row.indexOf(self.note), self.legend)
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidget(self.area)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QScrollArea.Shape.NoFrame)
        parts.rows(self.content, margins=(2, 2, 2, 2)).addWidget(self.scroll_area)
        self.area.clicked.connect(self.clicked)
        self.legend.hidden_changed.connect(self._hide)
        theme.notifier.changed.connect(self._show_legend)

    def set_bars(
        self,
        names: Sequence[str],
        series: Sequence[Bars],
        *,
        axis: Axis | None = None,
        unit: str = "",
        decimals: int = 3,
        lines: Sequence[RefLine] = (),
    ) -> None:
        """Show other bars.

        Args:
            names: categories, in order.
            series: one or several (stacked), each with a value per category.
            axis: of the values.
            unit: of the values, for the readout.
            decimals: of the values.
            lines: reference lines at values.
        """
        area = self.area
        area.names, area.series, area.axis = tuple(names), tuple(series), axis or Axis()
        area.unit, area.decimals, area.lines = unit, decimals, tuple(lines)
        area.current = -1
        area.hidden = area.hidden & {s.key for s in series}
        area.resize_to_content()
        area.update()
        self.set_empty(None)
        self._show_legend()

    def entries(self) -> list[Entry]:
        if len(self.area.series) < 2:
            return []
        return [Entry(s.key, s.name, self.area.colour(s)) for s in self.area.series]

    def _show_legend(self) -> None:
        self.legend.show_entries(self.entries(), self.area.hidden)
        self._describe()

    def _hide(self, keys: frozenset[str]) -> None:
        self.area.hidden = keys
        self.area.update()
        self._describe()
        self.hidden_changed.emit(keys)

    @property
    def picture_size(self) -> QSize:
        return QSize(max(640, self.area.width()), max(320, self.area.height()) + 40)

    def summary(self) -> str:
        """Title and the largest categories."""
        area = self.area
        largest = sorted(range(len(area.names)), key=lambda at: -area.total(at))[:3]
        texts = [f"{area.names[at]} {number_text.number(area.total(at), area.decimals)} {area.unit}" for at in largest]
        return f"{self.title}: {', '.join(t.strip() for t in texts)}"

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        self.area.paint(painter, width, height)

    def numbers(self) -> tuple[pa.Table, list[ColumnSpec]]:
        area = self.area
        columns = {"name": pa.array(area.names, pa.string())}
        specs = [ColumnSpec("name", tr("Name"))]
        for i, series in enumerate(area.shown()):
            columns[f"y{i}"] = pa.array([float(v) for v in series.values], pa.float64(), from_pandas=True)
            specs.append(ColumnSpec(f"y{i}", series.name, unit=area.unit, kind="number"))
        return pa.table(columns), specs
