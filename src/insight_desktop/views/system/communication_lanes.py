"""The painted timelines of a group's operators: one row per rank, all rows with the same time axis."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from insight_desktop.views.common import chart_readout, fonts, number_text, theme
from insight_desktop.views.common.chart_axis import decimals_of, ticks
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.heat_area import label_step
from insight_desktop.views.common.language import tr
from insight_desktop.views.system.communication_bars import MOST_ROWS, OperatorBars, ms_text, no_bars

COLOURS = 12  # operators get them in order of their first appearance
_ROW = 30.0  # px at most
_LEAST_HEIGHT = 300.0  # px of all rows, where there is room
_LEAST_ROWS = 2
_LABEL_ROOM = 46.0
_MOST_LABELS = 400
_SHOWN_MS = 5000  # how long a bar that was looked for is marked


class LanesArea(QWidget):
    """The bars.

    Signals:
        bar_clicked, bar_activated: position of a bar (-1 for none) that was clicked, double-clicked or entered.
        menu_wanted: position of a bar (-1 for none), global place.
        window_changed: another part is shown.
    """

    bar_clicked = Signal(int)
    bar_activated = Signal(int)
    menu_wanted = Signal(int, QPoint)
    window_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars: OperatorBars = no_bars()
        self.left_ns, self.span_ns = 0.0, 1.0
        self.top, self.rows = 0.0, 1.0
        self.selected = self.hovered = self.marked = -1
        self._mouse: QPointF | None = None
        self._dragged: tuple[QPointF, float, float] | None = None
        self._moved = False
        self._kept: tuple[tuple[object, ...], QImage] | None = None
        self._unmark = QTimer(self)
        self._unmark.setSingleShot(True)
        self._unmark.setInterval(_SHOWN_MS)
        self._unmark.timeout.connect(lambda: self.mark(-1))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 120)
        theme.notifier.changed.connect(self._renew)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def show_bars(self, bars: OperatorBars, *, keep_window: bool = False) -> None:
        """Other bars; the window goes back to the beginning unless it is kept."""
        before = self.selected_key()
        self.bars = bars
        self.hovered = self.marked = -1
        self.selected = bars.find(*before) if before is not None else -1
        if not keep_window:
            self.restore()
        self._renew()

    def selected_key(self) -> tuple[int, str, int] | None:
        """Rank, operator and side of the selected bar."""
        if self.selected < 0:
            return None
        return self.bars.rank_of(self.selected), self.bars.name_of(self.selected), int(self.bars.side[self.selected])

    def restore(self) -> None:
        """The window as at first: all of the time and of the ranks, less of them when there are very many."""
        first, last = self.bars.first_window()
        self.show_window(first, last, 0.0, min(len(self.bars.ranks), MOST_ROWS))

    def show_window(self, first_ns: float, last_ns: float, top: float, rows: float) -> None:
        """Another part of time and ranks, kept inside the data."""
        begin, end = self.bars.span
        count = max(1, len(self.bars.ranks))
        span = min(max(last_ns - first_ns, 1.0), float(end - begin))
        self.left_ns = min(max(first_ns, begin), end - span)
        self.span_ns = span
        self.rows = min(max(rows, min(_LEAST_ROWS, count)), count)
        self.top = min(max(top, 0.0), count - self.rows)
        self._renew()
        self.window_changed.emit()

    def select(self, bar: int) -> None:
        """Frame a bar; says nothing."""
        self.selected = bar
        if bar >= 0:
            b = self.bars
            self.setAccessibleDescription(
                f"{b.name_of(bar)}, {ms_text(int(b.length_ns[bar]))} ms, {tr('Rank ID')} {b.rank_of(bar)}"
            )
        self.update()

    def mark(self, bar: int) -> None:
        """Mark a bar for some seconds; -1 takes the mark away."""
        self.marked = bar
        if bar >= 0:
            self._unmark.start()
        self.update()

    def bring(self, bar: int, stretch: int | None = None) -> None:
        """Mark a bar and zoom to it in whole ms around it (or around another one); with many ranks to those near its own."""
        of = bar if stretch is None else stretch
        start, length = int(self.bars.start_ns[of]), int(self.bars.length_ns[of])
        first = math.floor(start / 1e6) * 1e6
        last = math.ceil((start + length) / 1e6) * 1e6
        top, rows = self.top, self.rows
        row = int(self.bars.row[bar])
        if len(self.bars.ranks) >= 20:
            top, rows = row - 10.0, 21.0
        self.show_window(first, max(last, first + 1), top, rows)
        self.select(bar)
        self.mark(bar)

    # ---- geometry ----------------------------------------------------------------------------------------------------

    def plot(self) -> QRectF:
        """Where the bars are; rows are never taller than 30 px."""
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        widest = max((metrics.horizontalAdvance(str(r)) for r in self.bars.ranks[-1:]), default=10.0)
        left = widest + 14 + metrics.height()
        height = self.height() - 2 * metrics.height() - 14
        tallest = max(_ROW * self.bars.sides, _LEAST_HEIGHT / max(1, len(self.bars.ranks)))
        return QRectF(
            left,
            6,
            max(10.0, self.width() - left - 10),
            max(10.0, min(height, self.rows * fonts.scaled(round(tallest)))),
        )

    def x_of(self, ns: float, plot: QRectF) -> float:
        return plot.left() + (ns - self.left_ns) / self.span_ns * plot.width()

    def box_of(self, bar: int, plot: QRectF | None = None) -> QRectF:
        """Where a bar is on the widget."""
        area = plot or self.plot()
        b = self.bars
        tall = area.height() / self.rows
        top = area.top() + (float(b.row[bar]) - self.top) * tall + float(b.side[bar]) * tall / b.sides
        left = self.x_of(float(b.start_ns[bar]), area)
        right = self.x_of(float(b.start_ns[bar] + b.length_ns[bar]), area)
        gap = self._gap(tall / b.sides)
        return QRectF(left, top, max(1.0, right - left), max(1.0, tall / b.sides - gap))

    @staticmethod
    def _gap(tall: float) -> float:
        return 3.0 if tall >= 14 else 1.0 if tall >= 4 else 0.0

    def bar_at(self, at: QPointF) -> int:
        """The bar at a place of the widget (2 px of slack), -1 for none."""
        plot = self.plot()
        b = self.bars
        if not b.count or not plot.contains(at):
            return -1
        line = self.top + (at.y() - plot.top()) / plot.height() * self.rows
        row, side = int(line), int((line - int(line)) * b.sides)
        first, last = np.searchsorted(b.row, [row, row + 1])
        here = np.arange(first, last)
        here = here[b.side[here] == side]
        if not len(here):
            return -1
        ns = self.left_ns + (at.x() - plot.left()) / plot.width() * self.span_ns
        slack = 2 * self.span_ns / plot.width()
        away = np.maximum(np.maximum(b.start_ns[here] - ns, ns - b.start_ns[here] - b.length_ns[here]), 0)
        near = int(np.argmin(away))
        return int(here[near]) if away[near] <= slack else -1

    # ---- painting ----------------------------------------------------------------------------------------------------

    def colour_of(self, name: int) -> QColor:
        """Colour of an operator by its number."""
        return QColor.fromRgb(int(theme.slices()[name % COLOURS]))

    def _renew(self) -> None:
        self._kept = None
        self.update()

    def raster(self, wide: int, tall: int) -> npt.NDArray[np.uint32]:
        """The bars in view as pixels, one line per row and side (fewer when there are more than pixels); 0 is the ground."""
        b = self.bars
        first_row, last_row = int(self.top), min(len(b.ranks), math.ceil(self.top + self.rows - 1e-9))
        lines = max(1, (last_row - first_row) * b.sides)
        out = np.zeros((min(lines, max(1, tall)), wide), np.uint32)
        here = slice(*np.searchsorted(b.row, [first_row, last_row]))
        start = (b.start_ns[here] - self.left_ns) / self.span_ns * wide
        end = start + b.length_ns[here] / self.span_ns * wide
        seen = (end >= 0) & (start < wide)
        if not seen.any():
            return out
        x0 = np.clip(np.floor(start[seen]), 0, wide - 1).astype(np.int64)
        x1 = np.clip(np.round(end[seen]), 1, wide).astype(np.int64)
        x1 -= x1 - x0 >= 4  # a pixel of ground parts neighbours
        count = np.maximum(x1 - x0, 1)
        line = (b.row[here][seen] - first_row) * b.sides + b.side[here][seen]
        line = line * out.shape[0] // lines
        colours = theme.slices()[b.name[here][seen] % COLOURS].astype(np.uint32)
        if b.sides > 1:
            colours = np.where(b.side[here][seen] == 1, faded(colours), colours)
        base = np.repeat(line * wide + x0, count)
        offset = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        out.reshape(-1)[base + offset] = np.repeat(colours, count)
        return out

    def _image(self, plot: QRectF) -> QImage:
        key = (
            id(self.bars),
            self.left_ns,
            self.span_ns,
            self.top,
            self.rows,
            plot.width(),
            plot.height(),
            theme.is_dark(),
            theme.is_safe(),
        )
        if self._kept is None or self._kept[0] != key:
            pixels = np.ascontiguousarray(self.raster(max(1, round(plot.width())), max(1, int(plot.height()))))
            height, width = pixels.shape
            image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32).copy()
            self._kept = key, image
        return self._kept[1]

    def paint(self, painter: QPainter) -> None:
        """Everything that does not depend on the mouse."""
        painter.fillRect(self.rect(), theme.token("canvas"))
        painter.setFont(fonts.ui(fonts.SMALL))
        if not self.bars.count:
            return
        plot = self.plot()
        self._paint_axis(painter, plot)
        first_row, last_row = int(self.top), min(len(self.bars.ranks), math.ceil(self.top + self.rows - 1e-9))
        tall = plot.height() / self.rows
        target = QRectF(
            plot.left(), plot.top() + (first_row - self.top) * tall, plot.width(), (last_row - first_row) * tall
        )
        painter.save()
        painter.setClipRect(plot)
        painter.drawImage(target, self._image(plot))
        self._paint_gaps(painter, plot, first_row, last_row)
        self._paint_labels(painter, plot)
        painter.restore()
        self._paint_ranks(painter, plot, first_row, last_row)

    def _paint_gaps(self, painter: QPainter, plot: QRectF, first: int, last: int) -> None:
        sides = self.bars.sides
        tall = plot.height() / self.rows / sides
        gap = self._gap(tall)
        if not gap:
            return
        ground = theme.token("canvas")
        for line in range((last - first) * sides):
            bottom = plot.top() + (first - self.top) * tall * sides + (line + 1) * tall
            painter.fillRect(QRectF(plot.left(), bottom - gap, plot.width(), gap), ground)

    def _paint_axis(self, painter: QPainter, plot: QRectF) -> None:
        metrics = QFontMetricsF(painter.font())
        low, high = self.left_ns / 1e6, (self.left_ns + self.span_ns) / 1e6
        widest = metrics.horizontalAdvance(number_text.number(high, 3)) + 24
        places, step = ticks(low, high, max(2, int(plot.width() // widest)))
        base = plot.bottom() + 4 + metrics.ascent()
        for value in places:
            x = round(self.x_of(value * 1e6, plot)) + 0.5
            painter.setPen(QPen(theme.token("grid"), 1))
            painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
            text = number_text.number(value, decimals_of(step))
            painter.setPen(theme.token("text2"))
            half = metrics.horizontalAdvance(text) / 2
            painter.drawText(QPointF(min(max(x - half, plot.left() - 8), self.width() - 2 * half - 4), base), text)
        title = tr("Time (ms)")
        painter.drawText(
            QPointF(plot.center().x() - metrics.horizontalAdvance(title) / 2, base + metrics.height() + 1), title
        )
        painter.setPen(QPen(theme.token("strong"), 1))
        painter.drawLine(QLineF(plot.left(), plot.bottom() + 0.5, plot.right(), plot.bottom() + 0.5))
        painter.drawLine(QLineF(plot.left() - 0.5, plot.top(), plot.left() - 0.5, plot.bottom()))

    def _paint_ranks(self, painter: QPainter, plot: QRectF, first: int, last: int) -> None:
        metrics = QFontMetricsF(painter.font())
        tall = plot.height() / self.rows
        every = label_step(tall, metrics.height() + 2)
        chosen = int(self.bars.row[self.selected]) if self.selected >= 0 else -1
        for row in range(first, last):
            at = plot.top() + (row + 0.5 - self.top) * tall
            near = chosen >= 0 and row != chosen and abs(row - chosen) * tall < metrics.height()
            if (row % every and row != chosen) or near or not plot.top() <= at <= plot.bottom():
                continue
            painter.setFont(fonts.ui(fonts.SMALL, bold=row == chosen))
            painter.setPen(theme.token("text" if row == chosen else "text2"))
            text = str(self.bars.ranks[row])
            x = plot.left() - 6 - metrics.horizontalAdvance(text)
            painter.drawText(QPointF(x, at + (metrics.ascent() - metrics.descent()) / 2), text)
        painter.setFont(fonts.ui(fonts.SMALL))
        painter.setPen(theme.token("text2"))
        painter.save()
        title = tr("Rank ID")
        painter.translate(metrics.ascent() + 2, plot.center().y() + metrics.horizontalAdvance(title) / 2)
        painter.rotate(-90)
        painter.drawText(QPointF(0, 0), title)
        painter.restore()

    def _paint_labels(self, painter: QPainter, plot: QRectF) -> None:
        """Names in bars that have room for them."""
        b = self.bars
        metrics = QFontMetricsF(painter.font())
        tall = plot.height() / self.rows / b.sides
        if tall < metrics.height() + 2:
            return
        first, last = np.searchsorted(b.row, [int(self.top), math.ceil(self.top + self.rows)])
        wide = b.length_ns[first:last] / self.span_ns * plot.width()
        seen = (b.start_ns[first:last] < self.left_ns + self.span_ns) & (
            b.start_ns[first:last] + b.length_ns[first:last] > self.left_ns
        )
        found = np.flatnonzero((wide >= _LABEL_ROOM) & seen) + first
        if len(found) > _MOST_LABELS:
            return
        for bar in found:
            box = self.box_of(int(bar), plot).intersected(plot)
            if box.width() < _LABEL_ROOM:
                continue
            painter.setPen(theme.ink_for(self.colour_of(int(b.name[bar]))))
            text = metrics.elidedText(b.name_of(int(bar)), Qt.TextElideMode.ElideRight, box.width() - 8)
            painter.drawText(
                QPointF(box.left() + 4, box.center().y() + (metrics.ascent() - metrics.descent()) / 2), text
            )

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter)
            plot = self.plot()
            painter.setBrush(Qt.BrushStyle.NoBrush)
            frames = ((self.marked, "warn", 3), (self.selected, "text", 2), (self.hovered, "text2", 1))
            painter.save()
            painter.setClipRect(plot.adjusted(-2, -2, 2, 2))
            for bar, colour, thick in frames:
                if bar >= 0:
                    painter.setPen(QPen(theme.token(colour), thick))
                    painter.drawRect(self.box_of(bar, plot).adjusted(-0.5, -0.5, 0.5, 0.5))
            painter.restore()
            if self.hovered >= 0 and self._mouse is not None and self._dragged is None:
                chart_readout.paint(painter, self.readout(self.hovered), self._mouse, QRectF(self.rect()))
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))

    def readout(self, bar: int) -> list[ReadoutLine]:
        """What is said about a bar."""
        b = self.bars
        lines = [
            ReadoutLine(self.colour_of(int(b.name[bar])), b.name_of(bar), ""),
            ReadoutLine(None, tr("Rank ID"), str(b.rank_of(bar))),
            ReadoutLine(None, tr("Start Time"), f"{ms_text(int(b.start_ns[bar]))} ms"),
            ReadoutLine(None, tr("Elapsed Time"), f"{ms_text(int(b.length_ns[bar]))} ms"),
        ]
        if b.sides > 1:
            lines.insert(1, ReadoutLine(None, tr("Source"), tr("Baseline") if b.side[bar] else tr("Comparison")))
        if b.shift_ns[bar]:
            lines.append(ReadoutLine(None, tr("Moved by"), f"{ms_text(int(b.shift_ns[bar]))} ms"))
        return lines

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def zoom(self, factor: float, at: QPointF | None = None, *, rows: bool = True) -> None:
        """Show 1 / factor of the time (and of the ranks) around a place."""
        plot = self.plot()
        place = at if at is not None and plot.contains(at) else plot.center()
        part_x = (place.x() - plot.left()) / plot.width()
        part_y = (place.y() - plot.top()) / plot.height()
        span, height = self.span_ns / factor, self.rows / factor if rows else self.rows
        least = max(_LEAST_ROWS, (self.height() - 40) / fonts.scaled(int(_ROW)) / self.bars.sides)
        height = min(max(height, least), max(1, len(self.bars.ranks)))
        left = self.left_ns + part_x * (self.span_ns - span)
        top = self.top + part_y * (self.rows - height)
        self.show_window(left, left + span, top, height)

    def pan(self, time: float, rows: float) -> None:
        """Move by parts of the window."""
        left = self.left_ns + time * self.span_ns
        self.show_window(left, left + self.span_ns, self.top + rows * self.rows, self.rows)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turns = (event.angleDelta().y() or event.angleDelta().x()) / 120
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1.25**turns, event.position())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or event.angleDelta().x():
            self.pan(-turns * 0.1, 0)
        elif self.rows < len(self.bars.ranks):
            self.pan(0, -turns * 0.1)
        else:
            event.ignore()
            return
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._dragged, self._moved = (event.position(), self.left_ns, self.top), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse = event.position()
        if self._dragged is not None:
            start, left, top = self._dragged
            moved, plot = event.position() - start, self.plot()
            if self._moved or moved.manhattanLength() > 4:
                self._moved = True
                first = left - moved.x() / plot.width() * self.span_ns
                self.show_window(first, first + self.span_ns, top - moved.y() / plot.height() * self.rows, self.rows)
            return
        found = self.bar_at(event.position())
        if found != self.hovered:
            self.setCursor(Qt.CursorShape.PointingHandCursor if found >= 0 else Qt.CursorShape.ArrowCursor)
        self.hovered = found
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragged, self._dragged = self._dragged, None
        if dragged is None or self._moved or event.button() != Qt.MouseButton.LeftButton:
            return
        self.select(self.bar_at(event.position()))
        self.bar_clicked.emit(self.selected)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        found = self.bar_at(event.position())
        if found >= 0:
            self.bar_activated.emit(found)

    def leaveEvent(self, _event: object) -> None:
        self._mouse, self.hovered = None, -1
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        found = self.bar_at(QPointF(event.pos()))
        if found >= 0:
            self.select(found)
            self.bar_clicked.emit(found)
        self.menu_wanted.emit(self.selected, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        pans = {Qt.Key.Key_A: (-0.1, 0.0), Qt.Key.Key_D: (0.1, 0.0)}
        if key in pans:
            self.pan(*pans[key])
        elif key in (Qt.Key.Key_W, Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1.25, rows=False)
        elif key in (Qt.Key.Key_S, Qt.Key.Key_Minus):
            self.zoom(0.8, rows=False)
        elif key in (Qt.Key.Key_Backspace, Qt.Key.Key_0):
            self.restore()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down) and self.bars.count:
            self._step(key)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.selected >= 0:
            self.bar_activated.emit(self.selected)
        else:
            super().keyPressEvent(event)

    def _step(self, key: Qt.Key) -> None:
        """The next bar of the rank, or the same operator on the next rank."""
        b, at = self.bars, max(self.selected, 0)
        found = at
        if self.selected >= 0 and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            near = at + (1 if key == Qt.Key.Key_Right else -1)
            if 0 <= near < b.count and b.row[near] == b.row[at]:
                found = near
        elif self.selected >= 0:
            row = int(b.row[at]) + (1 if key == Qt.Key.Key_Down else -1)
            if 0 <= row < len(b.ranks):
                found = max(b.find(b.ranks[row], b.name_of(at), int(b.side[at])), -1)
                found = at if found < 0 else found
        self.select(found)
        row = int(b.row[found])
        start = float(b.start_ns[found])
        if not self.left_ns <= start <= self.left_ns + self.span_ns or not self.top <= row < self.top + self.rows:
            self.show_window(start - self.span_ns / 2, start + self.span_ns / 2, row - self.rows / 2, self.rows)
        self.bar_clicked.emit(found)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._kept = None
        self.window_changed.emit()

    def sizeHint(self) -> QSize:
        return QSize(520, 300)


def faded(colours: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Half way to the ground: the bars of the baseline."""
    ground = np.uint32(theme.token("canvas").rgb() & 0xFFFFFFFF)
    half = np.uint32(0x7F7F7F)
    return np.asarray(((colours >> np.uint32(1)) & half) + ((ground >> np.uint32(1)) & half) | np.uint32(0xFF000000))
