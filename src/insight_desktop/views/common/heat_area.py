"""The painted part of a heat map: cells, thinned labels, frame of the selection, readout; zoom and movement."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, QSize, Qt, Signal
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
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from insight_desktop.views.common import chart_readout, fonts, theme
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.heat_colours import HOT, Colours, packed_names, ratios
from insight_desktop.views.common.heat_data import NO_CELLS, Cells

_LEAST_CELLS = 2.0  # cells across when zoomed in as far as it goes
_GAP_FROM = 7.0  # px; smaller cells touch
_LINE_STEPS = (1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 512, 1000, 1024, 2000, 5000, 10000)


@dataclass
class Window:
    """The part of the matrix that is shown, in cells."""

    left: float = 0.0
    top: float = 0.0
    columns: float = 1.0
    rows: float = 1.0


class HeatArea(QWidget):
    """The cells.

    Signals:
        cell_clicked, cell_activated: row and column that were clicked, double-clicked or entered.
        row_clicked, column_clicked: a label was clicked.
        menu_wanted: row, column, global position of a right click.
        window_changed: another part is shown.
    """

    cell_clicked = Signal(int, int)
    cell_activated = Signal(int, int)
    row_clicked = Signal(int)
    column_clicked = Signal(int)
    menu_wanted = Signal(int, int, QPoint)
    window_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cells: Cells = NO_CELLS
        self.colours: Colours = HOT
        self.low = self.high = 0.0
        self.window_ = Window()
        self.selected: tuple[int, int] = (-1, -1)  # row, column; -1 for all of them
        self.wheel_zooms = False
        self.hover: tuple[int, int] | None = None
        self._mouse: QPointF | None = None
        self._dragged: tuple[QPointF, Window] | None = None
        self._kept: QPixmap | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 90)
        theme.notifier.changed.connect(self.renew)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def show_cells(self, cells: Cells, colours: Colours, low: float, high: float, *, keep_window: bool = False) -> None:
        """Another matrix with its colours."""
        is_alike = cells.values.shape == self.cells.values.shape
        self.cells, self.colours, self.low, self.high = cells, colours, low, high
        if not (keep_window and is_alike):
            self.fit()
        rows, columns = cells.values.shape
        if self.selected[0] >= rows or self.selected[1] >= columns:
            self.selected = (-1, -1)
        self.renew()

    def set_range(self, low: float, high: float) -> None:
        """Other ends of the colours."""
        self.low, self.high = low, high
        self.renew()

    def select(self, row: int, column: int = -1) -> None:
        """Frame a cell, a row (column -1) or a column (row -1) and bring it into view."""
        self.selected = (row, column)
        self._bring(row, column)
        self.renew()

    def fit(self) -> None:
        """Show everything."""
        rows, columns = self.cells.values.shape
        self.window_ = Window(0.0, 0.0, max(1.0, float(columns)), max(1.0, float(rows)))
        self.renew()
        self.window_changed.emit()

    @property
    def is_fitted(self) -> bool:
        """Everything is shown."""
        rows, columns = self.cells.values.shape
        return self.window_.columns >= columns and self.window_.rows >= rows

    def renew(self) -> None:
        """Paint anew."""
        self._kept = None
        self.update()

    def show_window(self, window: Window) -> None:
        """Another part, kept inside the matrix."""
        rows, columns = self.cells.values.shape
        wide = min(max(window.columns, min(_LEAST_CELLS, columns)), max(1.0, columns))
        tall = min(max(window.rows, min(_LEAST_CELLS, rows)), max(1.0, rows))
        left = min(max(window.left, 0.0), max(0.0, columns - wide))
        top = min(max(window.top, 0.0), max(0.0, rows - tall))
        self.window_ = Window(left, top, wide, tall)
        self.hover = None
        self.renew()
        self.window_changed.emit()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Show 1 / factor of the cells around a place."""
        plot = self.plot()
        place = at if at is not None and plot.contains(at) else plot.center()
        x, y = self._cell_x(place.x(), plot), self._cell_y(place.y(), plot)
        w = self.window_
        columns, rows = w.columns / factor, w.rows / factor
        self.show_window(Window(x - (x - w.left) / w.columns * columns, y - (y - w.top) / w.rows * rows, columns, rows))

    def _bring(self, row: int, column: int) -> None:
        w = replace(self.window_)
        if row >= 0 and self.cells.rows_up:
            row = self.cells.values.shape[0] - 1 - row
        if row >= 0 and not w.top <= row <= w.top + w.rows - 1:
            w.top = row + 0.5 - w.rows / 2
        if column >= 0 and not w.left <= column <= w.left + w.columns - 1:
            w.left = column + 0.5 - w.columns / 2
        if w != self.window_:
            self.show_window(w)

    # ---- geometry ----------------------------------------------------------------------------------------------------

    def plot(self, size: QSize | None = None) -> QRectF:
        """Where the cells are."""
        box = size or self.size()
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        line = metrics.height()
        names = self.cells.row_names
        step = max(1, len(names) // 200)
        widest = max((metrics.horizontalAdvance(n) for n in names[::step]), default=10.0)
        left = min(widest, box.width() * 0.3) + 12 + (line + 2 if self.cells.row_title else 0)
        bottom = line + 6 + (line + 2 if self.cells.column_title else 0)
        return QRectF(left, 6, max(10.0, box.width() - left - 10), max(10.0, box.height() - 6 - bottom))

    def _cell_x(self, px: float, plot: QRectF) -> float:
        return self.window_.left + (px - plot.left()) / plot.width() * self.window_.columns

    def _cell_y(self, px: float, plot: QRectF) -> float:
        """Line of cells from the top, whatever way the rows go."""
        return self.window_.top + (px - plot.top()) / plot.height() * self.window_.rows

    def _x(self, column: float, plot: QRectF) -> float:
        return plot.left() + (column - self.window_.left) / self.window_.columns * plot.width()

    def _y(self, line: float, plot: QRectF) -> float:
        return plot.top() + (line - self.window_.top) / self.window_.rows * plot.height()

    def _line(self, row: int) -> int:
        """Where a row stands, from the top."""
        return self.cells.values.shape[0] - 1 - row if self.cells.rows_up else row

    def cell_at(self, at: QPointF) -> tuple[int, int] | None:
        """Row and column at a place of the widget."""
        plot = self.plot()
        if not plot.contains(at):
            return None
        return self._row_at(at, plot), min(int(self._cell_x(at.x(), plot)), self.cells.values.shape[1] - 1)

    def _row_at(self, at: QPointF, plot: QRectF) -> int:
        line = min(max(int(self._cell_y(at.y(), plot)), 0), self.cells.values.shape[0] - 1)
        return self._line(line)

    def cell_box(self, row: int, column: int, plot: QRectF | None = None) -> QRectF:
        """Where a cell is on the widget; -1 for a whole row or column."""
        area = plot or self.plot()
        left, right = (0.0, float(self.cells.values.shape[1])) if column < 0 else (float(column), column + 1.0)
        line = self._line(row)
        top, bottom = (0.0, float(self.cells.values.shape[0])) if row < 0 else (float(line), line + 1.0)
        box = QRectF(
            QPointF(self._x(left, area), self._y(top, area)), QPointF(self._x(right, area), self._y(bottom, area))
        )
        return box.intersected(area)

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, size: QSize) -> None:
        """The map in any size, without what depends on the mouse."""
        painter.fillRect(QRectF(0, 0, size.width(), size.height()), theme.token("canvas"))
        painter.setFont(fonts.ui(fonts.SMALL))
        if not self.cells.values.size:
            return
        plot = self.plot(size)
        painter.fillRect(plot, theme.token("raised"))
        self._paint_cells(painter, plot)
        self._paint_lines(painter, plot)
        self._paint_labels(painter, plot)
        self._paint_texts(painter, plot)

    def _shown(self) -> tuple[int, int, int, int]:
        """First and last + 1 column, first and last + 1 line from the top."""
        w = self.window_
        rows, columns = self.cells.values.shape
        return (
            int(w.left), min(columns, math.ceil(w.left + w.columns - 1e-9)),
            int(w.top), min(rows, math.ceil(w.top + w.rows - 1e-9)),
        )  # fmt: skip

    def _paint_cells(self, painter: QPainter, plot: QRectF) -> None:
        first, last, top, bottom = self._shown()
        values = self.cells.values[::-1] if self.cells.rows_up else self.cells.values
        block = pooled(
            values[top:bottom, first:last], plot.width(), plot.height(), self.cells.strong, self.cells.centre
        )
        packed = np.ascontiguousarray(self._colours_of(block))
        height, width = packed.shape
        image = QImage(packed.data, width, height, width * 4, QImage.Format.Format_ARGB32)
        target = QRectF(
            QPointF(self._x(first, plot), self._y(top, plot)), QPointF(self._x(last, plot), self._y(bottom, plot))
        )
        painter.save()
        painter.setClipRect(plot)
        painter.drawImage(target, image)
        painter.restore()

    def _colours_of(self, block: npt.NDArray[np.float64]) -> npt.NDArray[np.uint32]:
        classes = self.cells.classes
        if classes:
            table = packed_names([colour for _, colour in classes])
            missing = np.isnan(block)
            found = table[np.where(missing, 0, block).astype(np.intp) % len(table)]
            found[missing] = 0
            return found
        places = ratios(block, self.low, self.high, clamp=self.cells.clamp)
        if self.low < self.high:
            return self.colours.packed(places)
        alike = np.full(block.shape, self.colours.middle().rgb() & 0xFFFFFFFF, dtype=np.uint32)
        alike[np.isnan(places)] = 0
        return alike

    def _paint_lines(self, painter: QPainter, plot: QRectF) -> None:
        """Gaps between large cells, and the lines that part groups of rows."""
        first, last, top, bottom = self._shown()
        wide, tall = plot.width() / self.window_.columns, plot.height() / self.window_.rows
        painter.setPen(QPen(theme.token("canvas"), 1))
        if wide >= _GAP_FROM:
            for column in range(first + 1, last):
                at = round(self._x(column, plot)) + 0.5
                painter.drawLine(QLineF(at, plot.top(), at, plot.bottom()))
        if tall >= _GAP_FROM:
            for line in range(top + 1, bottom):
                at = round(self._y(line, plot)) + 0.5
                painter.drawLine(QLineF(plot.left(), at, plot.right(), at))
        painter.setPen(QPen(theme.token("border"), 1))
        for row in self.cells.row_lines:
            line = self._line(row) + (1 if self.cells.rows_up else 0)
            if top < line < bottom:
                at = round(self._y(line, plot)) + 0.5
                painter.drawLine(QLineF(plot.left(), at, plot.right(), at))

    def _paint_labels(self, painter: QPainter, plot: QRectF) -> None:
        first, last, top, bottom = self._shown()
        metrics = QFontMetricsF(painter.font())
        middle = (metrics.ascent() - metrics.descent()) / 2
        wide, tall = plot.width() / self.window_.columns, plot.height() / self.window_.rows
        cells = self.cells
        indent = metrics.height() + 2 if cells.row_title else 0
        step = label_step(tall, metrics.height() + 4)
        chosen_row, chosen_column = self.selected
        taken = self._y(self._line(chosen_row) + 0.5, plot) if chosen_row >= 0 else None
        for line in range(top, bottom):
            row = self._line(line)
            at = self._y(line + 0.5, plot)
            if row % step and row != chosen_row:
                continue
            if row != chosen_row and taken is not None and abs(at - taken) < metrics.height():
                continue  # the selected one is never covered
            if not plot.top() - 1 <= at <= plot.bottom() + 1:
                continue
            self._label(painter, cells.row_names[row], plot.left() - 6, at + middle, plot.left() - 8 - indent,
                        strong=row == chosen_row, right=True)  # fmt: skip
        names = cells.column_names
        widest = max(
            (metrics.horizontalAdvance(n) for n in names[first : last : max(1, (last - first) // 200)]), default=10.0
        )
        step = label_step(wide, min(widest, 120.0) + 10)
        taken = self._x(chosen_column + 0.5, plot) if chosen_column >= 0 else None
        base = plot.bottom() + 4 + metrics.ascent()
        for column in range(first, last):
            at = self._x(column + 0.5, plot)
            if column % step and column != chosen_column:
                continue
            if column != chosen_column and taken is not None and abs(at - taken) < widest + 6:
                continue
            if plot.left() - 1 <= at <= plot.right() + 1:
                self._label(
                    painter, names[column], at, base, max(wide * step - 4, 12.0), strong=column == chosen_column
                )
        self._paint_titles(painter, plot, metrics)

    def _label(
        self, painter: QPainter, text: str, x: float, y: float, room: float, *, strong: bool, right: bool = False
    ) -> None:
        painter.setFont(fonts.ui(fonts.SMALL, bold=strong))
        painter.setPen(theme.token("text" if strong else "text2"))
        metrics = QFontMetricsF(painter.font())
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        advance = metrics.horizontalAdvance(shown)
        painter.drawText(QPointF(x - (advance if right else advance / 2), y), shown)

    def _paint_titles(self, painter: QPainter, plot: QRectF, metrics: QFontMetricsF) -> None:
        painter.setFont(fonts.ui(fonts.SMALL))
        painter.setPen(theme.token("text2"))
        title = self.cells.column_title
        if title:
            at = plot.center().x() - metrics.horizontalAdvance(title) / 2
            painter.drawText(QPointF(at, plot.bottom() + 6 + metrics.height() + metrics.ascent()), title)
        if self.cells.row_title:
            painter.save()
            painter.translate(
                metrics.ascent() + 2, plot.center().y() + metrics.horizontalAdvance(self.cells.row_title) / 2
            )
            painter.rotate(-90)
            painter.drawText(QPointF(0, 0), self.cells.row_title)
            painter.restore()

    def _paint_texts(self, painter: QPainter, plot: QRectF) -> None:
        """Values in the cells, where they fit and are not too many."""
        first, last, top, bottom = self._shown()
        wide, tall = plot.width() / self.window_.columns, plot.height() / self.window_.rows
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        if last - first > self.cells.most_labels or tall < metrics.height() or wide < 24:
            return
        painter.setFont(fonts.ui(fonts.SMALL))
        middle = (metrics.ascent() - metrics.descent()) / 2
        for line in range(top, bottom):
            row = self._line(line)
            for column in range(first, last):
                colour = self.colour_of(row, column)
                if colour is None:
                    continue
                text = self.cells.text_of(row, column)
                advance = metrics.horizontalAdvance(text)
                if advance > wide - 4:
                    continue
                painter.setPen(theme.ink_for(colour))
                at = QPointF(self._x(column + 0.5, plot) - advance / 2, self._y(line + 0.5, plot) + middle)
                painter.drawText(at, text)

    def colour_of(self, row: int, column: int) -> QColor | None:
        """Colour of a cell; None where it has none."""
        found = int(self._colours_of(self.cells.values[row : row + 1, column : column + 1])[0, 0])
        return QColor.fromRgb(found) if found else None

    def paintEvent(self, _event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        if self._kept is None or self._kept.size() != self.size() * ratio:
            self._kept = QPixmap(self.size() * ratio)
            self._kept.setDevicePixelRatio(ratio)
            with QPainter(self._kept) as painter:
                self.paint(painter, self.size())
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._kept)
            self._paint_frames(painter)
            if self.hover is not None and self._mouse is not None and self._dragged is None:
                lines = self.readout(*self.hover)
                if lines:
                    chart_readout.paint(painter, lines, self._mouse, QRectF(self.rect()))
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))

    def _paint_frames(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        frames = [(self.selected, 2)] if self.selected != (-1, -1) else []
        if self.hover is not None and self.hover != self.selected:
            frames.append((self.hover, 1))
        for (row, column), thick in frames:
            box = self.cell_box(row, column)
            if not box.isEmpty():
                painter.setPen(QPen(theme.token("text"), thick))
                painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5))

    def readout(self, row: int, column: int) -> list[ReadoutLine]:
        """What is said about a cell."""
        if self.cells.tip is not None:
            return list(self.cells.tip(row, column))
        cells = self.cells
        head = f"{cells.row_title} {cells.row_names[row]} · {cells.column_title} {cells.column_names[column]}"
        value = cells.values[row, column]
        text = "–" if math.isnan(value) else f"{cells.text_of(row, column)} {cells.unit}".strip()
        return [ReadoutLine(None, head, ""), ReadoutLine(self.colour_of(row, column), cells.title, text)]

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse = event.position()
        if self._dragged is not None:
            start, window = self._dragged
            plot, moved = self.plot(), event.position() - start
            self.show_window(
                replace(window, left=window.left - moved.x() / plot.width() * window.columns,
                        top=window.top - moved.y() / plot.height() * window.rows)
            )  # fmt: skip
            return
        found = self.cell_at(event.position()) if self.cells.values.size else None
        self.hover = found
        self.setCursor(Qt.CursorShape.PointingHandCursor if found else Qt.CursorShape.ArrowCursor)
        self.update()

    def leaveEvent(self, _event: QEvent) -> None:
        self._mouse = self.hover = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        is_move = event.button() == Qt.MouseButton.MiddleButton or (
            event.button() == Qt.MouseButton.LeftButton and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        )
        if is_move and not self.is_fitted:
            self._dragged = (event.position(), replace(self.window_))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None:
            self._dragged = None
            return
        if event.button() != Qt.MouseButton.LeftButton or not self.cells.values.size:
            return
        plot, at = self.plot(), event.position()
        found = self.cell_at(at)
        if found is not None:
            self.select(*found)
            self.cell_clicked.emit(*found)
        elif plot.top() <= at.y() <= plot.bottom() and at.x() < plot.left():
            self.select(self._row_at(at, plot))
            self.row_clicked.emit(self.selected[0])
        elif plot.left() <= at.x() <= plot.right() and at.y() > plot.bottom():
            column = min(int(self._cell_x(at.x(), plot)), self.cells.values.shape[1] - 1)
            self.select(-1, column)
            self.column_clicked.emit(column)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        found = self.cell_at(event.position()) if self.cells.values.size else None
        if found is not None:
            self.cell_activated.emit(*found)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        found = self.cell_at(QPointF(event.pos())) if self.cells.values.size else None
        if found is not None:
            self.menu_wanted.emit(*found, event.globalPos())

    def wheelEvent(self, event: QWheelEvent) -> None:
        turns = (event.angleDelta().y() or event.angleDelta().x()) / 120
        keys = event.modifiers()
        if keys & Qt.KeyboardModifier.ControlModifier or (self.wheel_zooms and not keys):
            self.zoom(1.25**turns, event.position())
        elif self.is_fitted:
            event.ignore()
            return
        else:
            w = replace(self.window_)
            if keys & Qt.KeyboardModifier.ShiftModifier or event.angleDelta().x():
                w.left -= turns * w.columns / 8
            else:
                w.top -= turns * w.rows / 8
            self.show_window(w)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        rows, columns = self.cells.values.shape
        down, right = {
            Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1),
        }.get(Qt.Key(event.key()), (0, 0))  # fmt: skip
        if (down or right) and rows and columns:
            row, column = (max(0, v) for v in self.selected)
            step = -down if self.cells.rows_up else down
            self.select(min(max(row + step, 0), rows - 1), min(max(column + right, 0), columns - 1))
            self.setAccessibleDescription(" ".join(f"{x.name} {x.value}".strip() for x in self.readout(*self.selected)))
            self.cell_clicked.emit(*self.selected)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and min(self.selected) >= 0:
            self.cell_activated.emit(*self.selected)
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1.25)
        elif event.key() == Qt.Key.Key_Minus:
            self.zoom(0.8)
        elif event.key() in (Qt.Key.Key_0, Qt.Key.Key_Backspace):
            self.fit()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(420, 300)


def label_step(cell: float, room: float) -> int:
    """Every how many cells a label stands when it needs that much room.

    >>> label_step(4.0, 18.0)
    5
    """
    needed = room / cell if cell > 0 else 1.0
    return next((s for s in _LINE_STEPS if s >= needed), max(1, math.ceil(needed)))


def pooled(
    block: npt.NDArray[np.float64], width: float, height: float, strong: Literal["high", "low", "far"], centre: float
) -> npt.NDArray[np.float64]:
    """At most one value per pixel: of the cells that share one, the strongest stays, so that nothing unusual is lost."""
    for axis, room in ((0, height), (1, width)):
        count, most = block.shape[axis], max(1, int(room))
        if count <= most:
            continue
        starts = (np.arange(most, dtype=np.int64) * count) // most
        if strong == "far":
            low = np.fmin.reduceat(block, starts, axis=axis)
            high = np.fmax.reduceat(block, starts, axis=axis)
            block = np.where(centre - low > high - centre, low, high)
        else:
            pool = np.fmin if strong == "low" else np.fmax
            block = pool.reduceat(block, starts, axis=axis)
    return block
