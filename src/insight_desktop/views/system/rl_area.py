"""The picture of a reinforcement learning run: one row per card, tasks in the colours of their roles, micro batches over them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
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
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from insight_desktop.views.common import fonts, number_text, theme
from insight_desktop.views.common.chart_axis import Scale, decimals_of, ticks
from insight_desktop.views.common.language import tr

AXIS, ROW, PAD = 26, 36, 10
_TASK_PART, _BATCH_PART, _TASK_OPACITY = 0.8, 0.6, 0.7
_LEAST_TEXT = 12  # px of height from which FP and BP are written
_LONGEST_LABEL, _HEAD, _TAIL = 18, 13, 4
_BAR_STEPS = 10_000  # of the horizontal scroll bar
_LEAST_SPAN_NS = 100.0
_WHEEL = 1.2
# Roles by first appearance; dark theme, light theme.
ROLE_COLOURS = (
    ("#0062DC", "#0062DC"), ("#FF5432", "#FF5432"), ("#2DB47C", "#279C6E"), ("#3DCFD4", "#34B1B9"), ("#EC4F83", "#D53F78"),
    ("#0077FF", "#0077FF"), ("#EC2829", "#FD2F2F"), ("#6D47F5", "#6037DB"), ("#3DB6FC", "#2F9CE0"), ("#F69226", "#EE891D"),
    ("#BD45E8", "#AA38CE"), ("#81BA06", "#75A105"),
)  # fmt: skip


def role_colour(number: int) -> QColor:
    """Colour of the role of that number, in the current theme."""
    dark, light = ROLE_COLOURS[number % len(ROLE_COLOURS)]
    return QColor(dark if theme.is_dark() else light)


def short_label(text: str) -> str:
    """The label of a row: more than 18 characters keep the first 13 and the last 4.

    >>> short_label("Host 12 Rank 123456")
    'Host 12 Rank …3456'
    """
    return text if len(text) <= _LONGEST_LABEL else f"{text[:_HEAD]}…{text[-_TAIL:]}"


@dataclass
class Nodes:
    """What is drawn: arrays of equal length, one entry per node, tasks before their micro batches.

    Attributes:
        row, role: numbers of the row and of the role.
        start, end: raw ns.
        is_batch, is_backward: whether a node is a micro batch, and a backward one.
    """

    row: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    role: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    start: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    end: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    is_batch: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    is_backward: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))

    @classmethod
    def of(cls, table: pa.Table, roles: list[str]) -> Nodes:
        """Nodes of a table of `system.rl.tasks`."""
        kinds = np.array(table["node_type"].to_pylist(), object)
        start = table["start_ns"].to_numpy()
        return cls(
            table["row"].to_numpy(),
            np.array([roles.index(role) for role in table["role"].to_pylist()], np.int64),
            start,
            start + table["dur_ns"].to_numpy(),
            kinds != "Task",
            kinds == "BP",
        )

    def __len__(self) -> int:
        return len(self.row)


class RlArea(QAbstractScrollArea):
    """The chart with its scroll bars.

    Ctrl+wheel zooms at the mouse, Ctrl+drag moves, Shift+wheel scrolls along the time, the plain wheel scrolls the rows. With
    the zoom tool a drag chooses a stretch of time. Keys: + − zoom, ← → move along the nodes of a row, ↑ ↓ between rows,
    Return shows the node in the Timeline.

    Signals:
        wanted: position of the node that is to be shown in the Timeline.
        menu_wanted: (node or -1, global position) of a right click.
        zoomed: another stretch of time is shown.
    """

    wanted = Signal(int)
    menu_wanted = Signal(int, QPoint)
    zoomed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.nodes = Nodes()
        self.table = pa.table({})
        self.labels: list[str] = []
        self.tips: list[str] = []
        self.origin_ns = 0  # what the axis counts from
        self.whole: tuple[float, float] = (0.0, 1.0)
        self.view: tuple[float, float] = (0.0, 1.0)
        self.before: list[tuple[float, float]] = []  # stretches to go back to
        self._fitting = False  # the bars follow the view, not the view the bars
        self.zoom_tool = False
        self.hidden: frozenset[int] = frozenset()  # roles that are not drawn
        self.node = -1  # chosen with mouse or keys
        self._drag: tuple[float, tuple[float, float]] | None = None
        self._brush: tuple[float, float] | None = None
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.horizontalScrollBar().valueChanged.connect(self._bar_moved)
        self.setAccessibleName(tr("Task Trace Timeline"))
        theme.notifier.changed.connect(self.viewport().update)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def show_nodes(self, table: pa.Table, roles: list[str], labels: list[str], tips: list[str]) -> None:
        """Show another table of `system.rl.tasks`; one label and tooltip per row. A zoom stays where it fits."""
        was_whole = self.view == self.whole
        self.table, self.nodes, self.labels, self.tips = table, Nodes.of(table, roles), labels, tips
        low, high = (int(self.nodes.start.min()), int(self.nodes.end.max())) if len(self.nodes) else (0, 1)
        self.whole = (float(low), float(max(high, low + 1)))
        self.node = -1
        if was_whole or self.view[0] >= self.whole[1] or self.view[1] <= self.whole[0]:
            self.view, self.before = self.whole, []
        self._fit_bars()
        self.viewport().update()

    def set_view(self, low: float, high: float, *, remember: bool = True) -> None:
        """Show a stretch of raw time, kept inside the data."""
        span = min(max(high - low, _LEAST_SPAN_NS), self.whole[1] - self.whole[0])
        low = min(max(low, self.whole[0]), self.whole[1] - span)
        if (low, low + span) == self.view:
            return
        if remember:
            self.before = [*self.before[-49:], self.view]
        self.view = (low, low + span)
        self._fit_bars()
        self.viewport().update()
        self.zoomed.emit()

    def back(self) -> None:
        """The stretch before the last zoom."""
        if self.before:
            view = self.before.pop()
            self.set_view(*view, remember=False)

    def reset(self) -> None:
        """The whole time."""
        self.set_view(*self.whole)

    @property
    def gutter(self) -> float:
        """Width of the labels in pixels."""
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        widest = max((metrics.horizontalAdvance(short_label(text)) for text in self.labels), default=60.0)
        return widest + 2 * PAD

    @property
    def row_height(self) -> int:
        """Height of a row in pixels."""
        return fonts.scaled(ROW)

    @property
    def axis_height(self) -> int:
        """Height of the axis below the rows."""
        return fonts.scaled(AXIS)

    def scale(self) -> Scale:
        """Raw ns to pixels of the viewport."""
        return Scale(*self.view, self.gutter, max(self.viewport().width() - PAD, self.gutter + 10))

    def box_of(self, node: int) -> QRectF:
        """Where a node is drawn."""
        return self._box(node, self.scale(), -float(self.verticalScrollBar().value()))

    def node_at(self, at: QPointF) -> int:
        """The uppermost node at a point of the viewport, -1 without one; near a hair-thin one it counts from 3 px."""
        if at.x() < self.gutter or at.y() > self.viewport().height() - self.axis_height:
            return -1
        row = int((at.y() + self.verticalScrollBar().value()) // self.row_height)
        scale = self.scale()
        when, near = scale.value(at.x()), 3 / scale.factor
        hit = (
            (self.nodes.row == row)
            & (self.nodes.start - near <= when)
            & (self.nodes.end + near >= when)
            & self._visible()
        )
        found = np.flatnonzero(hit)
        best = [i for i in found.tolist() if self.box_of(i).adjusted(-3, 0, 3, 0).contains(at)]
        return max(
            best,
            key=lambda i: (bool(self.nodes.is_batch[i]), -int(self.nodes.end[i] - self.nodes.start[i])),
            default=-1,
        )

    def hide_roles(self, roles: frozenset[int]) -> None:
        """Leave out the nodes of some roles."""
        self.hidden = roles
        self.viewport().update()

    def _visible(self) -> npt.NDArray[np.bool_]:
        return ~np.isin(self.nodes.role, list(self.hidden)) if self.hidden else np.ones(len(self.nodes), np.bool_)

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paint_into(self, painter: QPainter, width: float, height: float, *, scrolled: float = 0.0) -> None:
        """The chart in any size; `scrolled` pixels of the rows are above it."""
        gutter, bottom = self.gutter, height - self.axis_height
        scale = Scale(*self.view, gutter, max(width - PAD, gutter + 10))
        painter.fillRect(QRectF(0, 0, width, height), theme.token("canvas"))
        self._paint_grid(painter, scale, bottom)
        painter.save()
        painter.setClipRect(QRectF(0, 0, width, bottom))
        self._paint_labels(painter, gutter, bottom, scrolled)
        painter.setClipRect(QRectF(gutter, 0, width - gutter, bottom))
        first, last = int(scrolled // self.row_height), int((scrolled + bottom) // self.row_height)
        seen = (self.nodes.row >= first) & (self.nodes.row <= last)
        seen &= (self.nodes.end >= self.view[0]) & (self.nodes.start <= self.view[1]) & self._visible()
        for batch in (False, True):
            for node in np.flatnonzero(seen & (self.nodes.is_batch == batch)).tolist():
                self._paint_node(painter, node, self._box(node, scale, -scrolled))
        painter.restore()

    def _paint_grid(self, painter: QPainter, scale: Scale, bottom: float) -> None:
        painter.setFont(fonts.ui(fonts.SMALL))
        metrics = QFontMetricsF(painter.font())
        low, high = ((value - self.origin_ns) / 1e6 for value in self.view)
        widest = metrics.horizontalAdvance(number_text.number(high, decimals_of((high - low) / 8))) + 24
        places, step = ticks(low, high, max(2, int((scale.end - scale.start) / widest)))
        last = PAD + metrics.horizontalAdvance(tr("Time (ms)"))
        for place in places:
            x = scale.px(place * 1e6 + self.origin_ns)
            painter.setPen(QPen(theme.token("grid"), 1))
            painter.drawLine(QPointF(x, 0), QPointF(x, bottom))
            text = number_text.number(float(place), decimals_of(step))
            left = min(x - metrics.horizontalAdvance(text) / 2, scale.end + PAD - metrics.horizontalAdvance(text))
            if left > last + 8:
                painter.setPen(theme.token("text2"))
                painter.drawText(QPointF(left, bottom + (self.axis_height + metrics.ascent()) / 2), text)
                last = left + metrics.horizontalAdvance(text)
        painter.setPen(QPen(theme.token("border"), 1))
        painter.drawLine(QPointF(scale.start, bottom), QPointF(scale.end, bottom))
        painter.setPen(theme.token("text3"))
        painter.drawText(QPointF(PAD, bottom + (self.axis_height + metrics.ascent()) / 2), tr("Time (ms)"))

    def _paint_labels(self, painter: QPainter, gutter: float, bottom: float, scrolled: float) -> None:
        painter.setFont(fonts.ui(fonts.SMALL))
        for row, text in enumerate(self.labels):
            top = row * self.row_height - scrolled
            if top + self.row_height < 0 or top > bottom:
                continue
            painter.setPen(theme.token("text"))
            box = QRectF(PAD, top, gutter - 2 * PAD, self.row_height)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), short_label(text))

    def _paint_node(self, painter: QPainter, node: int, box: QRectF) -> None:
        colour = role_colour(int(self.nodes.role[node]))
        ink = theme.ink_for(colour)
        if self.nodes.is_batch[node]:
            painter.fillRect(box, colour)
            if self.nodes.is_backward[node] and box.width() >= 4:
                painter.setPen(QPen(QColor("white"), 1, Qt.PenStyle.DashLine))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
            if box.height() >= _LEAST_TEXT:
                self._write(painter, box, self.name(node), ink, cut=False)
        else:
            painter.setOpacity(_TASK_OPACITY)
            painter.fillRect(box, colour)
            painter.setOpacity(1.0)
            if not self._has_batches(node):
                self._write(painter, box, self.name(node), ink, cut=True)
        if node == self.node:
            painter.setPen(QPen(theme.token("text"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)

    def _write(self, painter: QPainter, box: QRectF, text: str, ink: QColor, *, cut: bool) -> None:
        painter.setFont(fonts.ui(fonts.SMALL))
        metrics = QFontMetricsF(painter.font())
        room = box.intersected(QRectF(self.gutter, box.y(), 1e6, box.height()))
        if metrics.horizontalAdvance(text) + 8 > room.width():
            if not cut or room.width() < 40:
                return
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width() - 8)
        painter.setPen(ink)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), text)

    def _has_batches(self, node: int) -> bool:
        return node + 1 < len(self.nodes) and bool(self.nodes.is_batch[node + 1])

    def _box(self, node: int, scale: Scale, down: float) -> QRectF:
        part = _BATCH_PART if self.nodes.is_batch[node] else _TASK_PART
        left, right = scale.px(float(self.nodes.start[node])), scale.px(float(self.nodes.end[node]))
        height = self.row_height * part
        top = self.nodes.row[node] * self.row_height + (self.row_height - height) / 2 + down
        return QRectF(left, top, max(right - left, 1.0), height)

    def name(self, node: int) -> str:
        """Name of a node: of the task, or FP, BP."""
        return str(self.table["name"][node].as_py())

    def paintEvent(self, _event: QPaintEvent) -> None:
        viewport = self.viewport()
        with QPainter(viewport) as painter:
            self.paint_into(
                painter, viewport.width(), viewport.height(), scrolled=float(self.verticalScrollBar().value())
            )
            if self._brush is not None:
                left, right = sorted(self._brush)
                fill = theme.token("accent")
                fill.setAlphaF(0.2)
                painter.fillRect(QRectF(left, 0, right - left, viewport.height() - self.axis_height), fill)
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.drawRect(viewport.rect().adjusted(0, 0, -1, -1))

    # ---- scroll bars -------------------------------------------------------------------------------------------------

    def _fit_bars(self) -> None:
        room = self.viewport().height() - self.axis_height
        upright = self.verticalScrollBar()
        upright.setRange(0, max(0, len(self.labels) * self.row_height - room))
        upright.setPageStep(max(1, room))
        upright.setSingleStep(self.row_height)
        bar, whole = self.horizontalScrollBar(), self.whole[1] - self.whole[0]
        part = (self.view[1] - self.view[0]) / whole
        page = max(1, round(_BAR_STEPS * part))
        self._fitting = True
        bar.setRange(0, max(0, _BAR_STEPS - page) if part < 0.9999 else 0)
        bar.setPageStep(page)
        bar.setSingleStep(max(1, page // 10))
        bar.setValue(round(_BAR_STEPS * (self.view[0] - self.whole[0]) / whole))
        self._fitting = False

    def _bar_moved(self, value: int) -> None:
        if self._fitting:
            return
        low = self.whole[0] + (self.whole[1] - self.whole[0]) * value / _BAR_STEPS
        self.set_view(low, low + self.view[1] - self.view[0], remember=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_bars()

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = (event.angleDelta().y() or event.angleDelta().x()) / 120
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(_WHEEL**-turn, event.position().x())
            event.accept()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pan(-turn * 0.1)
            event.accept()
        elif self.verticalScrollBar().maximum() > 0:
            super().wheelEvent(event)
        else:
            event.ignore()

    def zoom(self, factor: float, at_px: float | None = None) -> None:
        """Make the stretch `factor` times as long; the time at a pixel (the middle) stays where it is."""
        scale = self.scale()
        fixed = scale.value(at_px) if at_px is not None else sum(self.view) / 2
        self.set_view(fixed - (fixed - self.view[0]) * factor, fixed + (self.view[1] - fixed) * factor)

    def pan(self, part: float) -> None:
        """Move by a part of the stretch; positive goes to later times."""
        span = self.view[1] - self.view[0]
        self.set_view(self.view[0] + part * span, self.view[1] + part * span, remember=False)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if event.button() == Qt.MouseButton.RightButton:
            self._choose(self.node_at(at))
            self.menu_wanted.emit(self.node, event.globalPosition().toPoint())
        elif event.button() == Qt.MouseButton.LeftButton:
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._drag = (at.x(), self.view)
            elif self.zoom_tool:
                self._brush = (at.x(), at.x())
            else:
                self._choose(self.node_at(at))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._drag is not None:
            moved = (self._drag[0] - x) / self.scale().factor
            self.set_view(self._drag[1][0] + moved, self._drag[1][1] + moved, remember=False)
        elif self._brush is not None:
            self._brush = (self._brush[0], x)
            self.viewport().update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._drag = None
        if self._brush is not None:
            left, right = sorted(self._brush)
            self._brush = None
            self.viewport().update()
            if right - left >= 4:
                self.set_view(self.scale().value(left), self.scale().value(right))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        node = self.node_at(event.position())
        if node >= 0:
            self._choose(node)
            self.wanted.emit(node)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_W):
            self.zoom(1 / _WHEEL)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_S):
            self.zoom(_WHEEL)
        elif key in (Qt.Key.Key_A, Qt.Key.Key_D):
            self.pan(-0.1 if key == Qt.Key.Key_A else 0.1)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._step(-1 if key == Qt.Key.Key_Left else 1)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step_row(-1 if key == Qt.Key.Key_Up else 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.node >= 0:
            self.wanted.emit(self.node)
        elif key == Qt.Key.Key_Escape:
            self._choose(-1)
        elif key == Qt.Key.Key_Home:
            self.reset()
        else:
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        row = int(self.nodes.row[self.node]) if self.node >= 0 else 0
        mine = np.flatnonzero(self.nodes.row == row).tolist()
        if mine:
            at = mine.index(self.node) + by if self.node in mine else 0
            self._choose(mine[min(max(at, 0), len(mine) - 1)])

    def _step_row(self, by: int) -> None:
        row = (int(self.nodes.row[self.node]) + by) if self.node >= 0 else 0
        mine = np.flatnonzero(self.nodes.row == min(max(row, 0), len(self.labels) - 1)).tolist()
        if mine:
            when = int(self.nodes.start[self.node]) if self.node >= 0 else 0
            self._choose(min(mine, key=lambda i: abs(int(self.nodes.start[i]) - when)))

    def _choose(self, node: int) -> None:
        self.node = node
        if node >= 0:
            row = int(self.nodes.row[node])
            bar, room = self.verticalScrollBar(), self.viewport().height() - self.axis_height
            bar.setValue(min(max(bar.value(), (row + 1) * self.row_height - room), row * self.row_height))
            start, end = float(self.nodes.start[node]), float(self.nodes.end[node])
            if end < self.view[0] or start > self.view[1]:
                span = self.view[1] - self.view[0]
                self.set_view((start + end - span) / 2, (start + end + span) / 2)
            self.setAccessibleDescription(self.tip(node).replace("\n", ", "))
        self.viewport().update()

    # ---- words -------------------------------------------------------------------------------------------------------

    def tip(self, node: int) -> str:
        """What is said about a node: name, node type, stage type, host, rank, start and duration in ms."""
        line: dict[str, Any] = self.table.slice(node, 1).to_pylist()[0]
        facts = (
            (tr("Name"), line["name"]),
            (tr("Node Type"), line["node_type"]),
            (tr("Stage Type"), line["role"]),
            (tr("Host"), line["host"] or "—"),
            (tr("Rank"), line["rank"]),
            (tr("Start Time (ms)"), number_text.number((line["start_ns"] - self.origin_ns) / 1e6, 3)),
            (tr("Duration (ms)"), number_text.number(line["dur_ns"] / 1e6, 3)),
        )
        return "\n".join(f"{title}: {value}" for title, value in facts)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            node = self.node_at(QPointF(event.pos()))
            row = (event.pos().y() + self.verticalScrollBar().value()) // self.row_height
            if node >= 0:
                QToolTip.showText(event.globalPos(), self.tip(node), self.viewport())
            elif event.pos().x() < self.gutter and row < len(self.tips):
                QToolTip.showText(event.globalPos(), self.tips[row], self.viewport())
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)
