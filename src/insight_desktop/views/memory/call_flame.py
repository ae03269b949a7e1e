"""Python functions over time: a row per depth, the outermost on top, in step with the other charts of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QComboBox, QToolTip, QWidget

from insight_desktop.engine.memory.memscope_calls import CALLS
from insight_desktop.views.common import fonts, number_text, parts, theme
from insight_desktop.views.common.card_selector import SearchBox
from insight_desktop.views.common.chart_axis import Scale, decimals_of, ticks
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.common.table_columns import ColumnSpec

ROW, AXIS, LEFT, RIGHT = 20, 24, 12, 12
_TEXT_PX = 40
_LEAST_SPAN = 100.0
_WAIT_MS = 40  # a wheel turns faster than questions are answered
_COLOURS = ("#8fd3e8", "#d95850", "#eb8146", "#ffb248", "#f2d643", "#ebdba4", "#fcce10", "#b5c334", "#1bca93")
_NUMBERS = (
    ColumnSpec("depth", "Depth", kind="number", decimals=0), ColumnSpec("name", "Name"),
    ColumnSpec("start_ns", "Start", unit="ns", kind="number", decimals=0),
    ColumnSpec("end_ns", "End", unit="ns", kind="number", decimals=0),
    ColumnSpec("functions", "Functions", kind="number", decimals=0),
)  # fmt: skip


class CallArea(QAbstractScrollArea):
    """The picture. Wheel zooms, drag moves, plain keys W S A D too; a click sets the time marker.

    Signals:
        view_changed: (low, high) ns of the visible stretch.
        time_chosen: ns of a click.
        wanted: (low, high, px): the page answers with `show_calls`.
    """

    view_changed = Signal(float, float)
    time_chosen = Signal(float)
    wanted = Signal(float, float, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = CALLS.empty_table()
        self.columns: dict[str, Any] = {}
        self.asked: tuple[float, float] = (0.0, 1.0)  # the stretch that the table is of
        self.whole = self.view = (0.0, 1.0)
        self.deepest = 0
        self.marker: float | None = None
        self.found: frozenset[str] = frozenset()  # names with an outline
        self._drag: tuple[QPointF, tuple[float, float]] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self._ask)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.setMinimumHeight(90)
        theme.notifier.changed.connect(self.viewport().update)

    # ---- data --------------------------------------------------------------------------------------------------------

    def show_thread(self, whole: tuple[float, float], depth: int) -> None:
        """Another thread: extent of the time axis and rows of its deepest stack."""
        if self.whole != whole:
            self.whole = self.view = whole
        self.deepest = depth
        self._fit_bar()
        self._ask()

    def show_calls(self, table: pa.Table, low: float, high: float) -> None:
        """The answer to `wanted`."""
        self.table, self.asked = table, (low, high)
        self.columns = {n: table[n].to_pylist() for n in table.schema.names}
        self.viewport().update()

    def set_view(self, low: float, high: float, *, tell: bool = True) -> None:
        """Show a stretch of time, kept inside the data."""
        span = min(max(high - low, _LEAST_SPAN), self.whole[1] - self.whole[0])
        low = min(max(low, self.whole[0]), self.whole[1] - span)
        if (low, low + span) == self.view:
            return
        self.view = (low, low + span)
        self._timer.start()
        self.viewport().update()
        if tell:
            self.view_changed.emit(*self.view)

    def set_marker(self, at: float | None) -> None:
        """The time marker that all charts of the page share."""
        self.marker = at
        self.viewport().update()

    def set_found(self, names: Sequence[str]) -> None:
        """Outline functions of these names."""
        self.found = frozenset(names)
        self.viewport().update()

    def _ask(self) -> None:
        if self.deepest:
            self.wanted.emit(*self.view, max(100, self.viewport().width() - LEFT - RIGHT))

    # ---- painting ----------------------------------------------------------------------------------------------------

    def scale(self, width: float) -> Scale:
        """ns to pixels."""
        return Scale(*self.view, LEFT, max(width - RIGHT, LEFT + 10))

    @property
    def row_height(self) -> int:
        """Height of a depth."""
        return fonts.scaled(ROW)

    def paint_into(self, painter: QPainter, width: float, height: float, *, scrolled: float = 0.0) -> None:
        """The chart in any size."""
        painter.fillRect(QRectF(0, 0, width, height), theme.token("canvas"))
        scale, bottom = self.scale(width), height - fonts.scaled(AXIS)
        self._paint_axis(painter, scale, bottom, width)
        painter.save()
        painter.setClipRect(QRectF(0, 0, width, bottom))
        painter.setFont(fonts.ui(fonts.SMALL))
        metrics = QFontMetricsF(painter.font())
        for i in range(self.table.num_rows):
            box = self._box(i, scale, -scrolled)
            if box.bottom() < 0 or box.top() > bottom or box.right() < LEFT or box.left() > scale.end:
                continue
            self._paint_call(painter, metrics, i, box, scale)
        painter.restore()
        if self.marker is not None and self.view[0] <= self.marker <= self.view[1]:
            x = scale.px(self.marker)
            painter.setPen(QPen(theme.token("accent"), 1))
            painter.drawLine(QPointF(x, 0), QPointF(x, bottom))

    def _paint_call(self, painter: QPainter, metrics: QFontMetricsF, i: int, box: QRectF, scale: Scale) -> None:
        name, many = self.columns["name"][i], self.columns["functions"][i] > 1
        fill = theme.token("strong") if many else colour_of(name)
        box = box.intersected(QRectF(scale.start, box.top(), scale.end - scale.start, box.height()))
        painter.fillRect(box, fill)
        if self.columns["is_open"][i]:
            painter.fillRect(box, QBrush(QColor(0, 0, 0, 90), Qt.BrushStyle.BDiagPattern))
        if name in self.found and not many:
            painter.setPen(QPen(theme.token("text"), 3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(1, 1, -1, -1))
        if box.width() > _TEXT_PX and not many:
            painter.setPen(theme.ink_for(fill))
            text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, box.width() - 8)
            painter.drawText(
                box.adjusted(4, 0, -4, 0), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text
            )

    def _paint_axis(self, painter: QPainter, scale: Scale, bottom: float, width: float) -> None:
        painter.setFont(fonts.ui(fonts.SMALL))
        metrics = QFontMetricsF(painter.font())
        low, high = self.view[0] / 1e6, self.view[1] / 1e6
        places, step = ticks(low, high, max(2, int(width / 110)))
        for place in places:
            x = scale.px(place * 1e6)
            painter.setPen(QPen(theme.token("grid"), 1))
            painter.drawLine(QPointF(x, 0), QPointF(x, bottom))
            painter.setPen(theme.token("text2"))
            text = f"{number_text.number(float(place), max(decimals_of(step), 0))} ms"
            left = min(max(x - metrics.horizontalAdvance(text) / 2, 2), width - metrics.horizontalAdvance(text) - 2)
            painter.drawText(
                QPointF(left, bottom + (fonts.scaled(AXIS) + metrics.ascent() - metrics.descent()) / 2), text
            )
        painter.setPen(QPen(theme.token("border"), 1))
        painter.drawLine(QPointF(0, bottom), QPointF(width, bottom))

    def _box(self, i: int, scale: Scale, down: float) -> QRectF:
        left, right = scale.px(self.columns["start_ns"][i]), scale.px(self.columns["end_ns"][i])
        top = self.columns["depth"][i] * self.row_height + down
        return QRectF(left, top, max(right - left, 1.0), self.row_height - 1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        viewport = self.viewport()
        with QPainter(viewport) as painter:
            self.paint_into(
                painter, viewport.width(), viewport.height(), scrolled=float(self.verticalScrollBar().value())
            )
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.drawRect(viewport.rect().adjusted(0, 0, -1, -1))

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def call_at(self, at: QPointF) -> int:
        """Row of the table at a point, -1 without one."""
        scale, down = self.scale(self.viewport().width()), -float(self.verticalScrollBar().value())
        near = [i for i in range(self.table.num_rows) if self._box(i, scale, down).adjusted(-2, 0, 2, 0).contains(at)]
        return min(near, key=lambda i: self.columns["end_ns"][i] - self.columns["start_ns"][i], default=-1)

    def tip(self, i: int) -> str:
        """What is said about a function."""
        start, end = self.columns["start_ns"][i], self.columns["end_ns"][i]
        lines = [self.columns["name"][i]]
        if self.columns["functions"][i] > 1:
            lines = [
                tr("{count} functions, the longest is {name}").format(count=self.columns["functions"][i], name=lines[0])
            ]
        lines += [
            f"{tr('Start')}: {number_text.number(start / 1e6, 3)} ms",
            f"{tr('Duration')}: {number_text.duration(end - start)}",
            f"{tr('Depth')}: {self.columns['depth'][i]}",
        ]
        if self.columns["is_open"][i]:
            lines.append(tr("Its start or end is not in the data."))
        return "\n".join(lines)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            i = self.call_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self.tip(i), self.viewport()) if i >= 0 else QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self.verticalScrollBar().maximum():
            super().wheelEvent(event)
            return
        self.zoom(1.2 ** (-event.angleDelta().y() / 120), event.position().x())
        event.accept()

    def zoom(self, factor: float, at_px: float | None = None) -> None:
        """Make the stretch `factor` times as long around a pixel (the middle)."""
        fixed = self.scale(self.viewport().width()).value(at_px) if at_px is not None else sum(self.view) / 2
        self.set_view(fixed - (fixed - self.view[0]) * factor, fixed + (self.view[1] - fixed) * factor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag = (event.position(), self.view)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None:
            moved = (self._drag[0].x() - event.position().x()) / self.scale(self.viewport().width()).factor
            self.set_view(self._drag[1][0] + moved, self._drag[1][1] + moved)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        drag, self._drag = self._drag, None
        if drag is not None and (event.position() - drag[0]).manhattanLength() < 4:
            at = self.scale(self.viewport().width()).value(event.position().x())
            self.set_marker(at)
            self.time_chosen.emit(at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        i = self.call_at(event.position())
        if i >= 0:
            start, end = self.columns["start_ns"][i], self.columns["end_ns"][i]
            self.set_view(start, max(end, start + 1))
        else:
            self.set_view(*self.whole)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        span = self.view[1] - self.view[0]
        key = event.key()
        if key in (Qt.Key.Key_W, Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_S, Qt.Key.Key_Minus):
            self.zoom(1.2 if key in (Qt.Key.Key_S, Qt.Key.Key_Minus) else 1 / 1.2)
        elif key in (Qt.Key.Key_A, Qt.Key.Key_Left, Qt.Key.Key_D, Qt.Key.Key_Right):
            step = span * (0.1 if key in (Qt.Key.Key_D, Qt.Key.Key_Right) else -0.1)
            self.set_view(self.view[0] + step, self.view[1] + step)
        elif key in (Qt.Key.Key_R, Qt.Key.Key_Backspace):
            self.set_view(*self.whole)
        else:
            super().keyPressEvent(event)

    def _fit_bar(self) -> None:
        room = self.viewport().height() - fonts.scaled(AXIS)
        self.verticalScrollBar().setRange(0, max(0, self.deepest * self.row_height - room))
        self.verticalScrollBar().setPageStep(max(1, room))
        self.verticalScrollBar().setSingleStep(self.row_height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_bar()
        self._timer.start()


class CallFlame(ChartBox):
    """The chart with its head: which thread, and functions to find.

    Signals:
        thread_changed: number of the chosen thread.
    """

    thread_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.area = CallArea()
        self.thread_box, self.search = Select(), SearchBox()
        self.thread_label, self.search_label = parts.label(), parts.label()
        super().__init__(collapsible=True, parent=parent)
        for at, widget in enumerate((self.thread_label, self.thread_box, self.search_label, self.search)):
            self.head_row.insertWidget(3 + at, widget)
        self.search.setMinimumWidth(200)
        self.thread_box.setMinimumWidth(150)
        self.thread_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.search.lineEdit().textChanged.connect(self._find)  # type: ignore[union-attr]
        self.reset_button = self.add_button("arrow-counter-clockwise", lambda: self.area.set_view(*self.area.whole))
        parts.rows(self.content).addWidget(self.area)
        self.thread_box.currentIndexChanged.connect(lambda _i: self.thread_changed.emit(self.track))
        self._names: list[str] = []
        self.retranslate()

    @property
    def track(self) -> int:
        """The chosen thread."""
        found = self.thread_box.currentData()
        return int(found) if found is not None else -1

    def show_threads(self, threads: list[dict[str, Any]]) -> None:
        """Rows of `memory.memscope.threads`; the chosen one stays where it is there."""
        before = self.track
        self.thread_box.blockSignals(True)
        self.thread_box.clear()
        for row in threads:
            self.thread_box.addItem(f"{row['pid']} / {row['tid']}", row["track"])
        self.thread_box.setCurrentIndex(max(0, self.thread_box.findData(before)))
        self.thread_box.blockSignals(False)
        self._describe()

    def show_functions(self, names: list[str]) -> None:
        """Names that can be searched."""
        self._names = names
        self.search.fill([("", ""), *((name, name) for name in names[:5000])], "")

    def _find(self, text: str) -> None:
        """Outline what contains the words; empty words outline nothing."""
        wanted = text.casefold().strip()
        found = [name for name in self._names if wanted in name.casefold()] if wanted else []
        self.area.set_found(found)
        self.set_note(tr("{count} functions found").format(count=len(found)) if wanted else "")

    def retranslate(self) -> None:
        super().retranslate()
        self.set_title(tr("Function Stack Flame Graph"))
        self.thread_label.setText(tr("Process / thread"))
        self.search_label.setText(tr("Search"))
        self.thread_label.setBuddy(self.thread_box)
        self.search_label.setBuddy(self.search)
        if hasattr(self, "reset_button"):
            parts.set_tip(self.reset_button, tr("Show everything"), "R")

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        self.area.paint_into(painter, width, height)

    def numbers(self) -> tuple[pa.Table, tuple[ColumnSpec, ...]]:
        return self.area.table, _NUMBERS

    def summary(self) -> str:
        return tr("{title}, {rows} rows deep").format(title=self.title, rows=self.area.deepest)

    @property
    def picture_size(self) -> QSize:
        rows = self.area.deepest * self.area.row_height + fonts.scaled(AXIS)
        return QSize(max(640, self.area.width()), min(max(160, rows), 4000) + 40)


def colour_of(name: str) -> QColor:
    """Colour of a function; numbers in its name do not count, so that versions keep one colour."""
    plain = "".join(c for c in name if not c.isdigit())
    number = 5381
    for c in plain:
        number = (number * 33 + ord(c)) % 2**32
    return QColor(_COLOURS[number % len(_COLOURS)])
