"""The painted lanes of a pipeline: forward and backward passes of every rank above its transfers, curves between their ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from insight_desktop.views.common import chart_readout, fonts, number_text, theme
from insight_desktop.views.common.chart_axis import decimals_of, ticks
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.language import tr

LANE, GAP = 18, 5  # px
_FIXED = {"FP": "computing", "BP": "decode"}
_CURVES = 2000  # more of them at once would be a carpet
_LABEL = 26.0  # px of a bar that carries its name
_Ints = npt.NDArray[np.int64]


@dataclass
class Lanes:
    """Rows of `pipeline` as arrays; times begin at the earliest start.

    Attributes:
        base_ns: recorded time of the zero.
        row: number of the rank from the top.
        lane: 0 for passes, 1 for transfers.
        pairs: positions of both ends of a transfer.
    """

    ranks: list[int] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    base_ns: int = 0
    span_ns: int = 1
    row: _Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    lane: _Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    kind: _Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    start: _Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    length: _Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    names: list[str] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def of(cls, found: pa.Table) -> Lanes:
        """From the rows of `pipeline`."""
        rows = found.to_pylist()
        ranks = sorted({r["rank"] for r in rows})
        cards = {r["rank"]: r["card"] for r in rows}
        kinds = list(dict.fromkeys(r["kind"] for r in rows))
        base = min(r["start_ns"] for r in rows)
        ends: dict[str, list[int]] = {}
        for i, r in enumerate(rows):
            if r["connection"] is not None:
                ends.setdefault(r["connection"], []).append(i)

        def ints(values: Any) -> _Ints:
            return np.array(list(values), np.int64)

        made = cls(
            ranks, [cards[r] for r in ranks], kinds, base, 1,
            ints(ranks.index(r["rank"]) for r in rows), ints(r["lane"] != "fp_bp" for r in rows),
            ints(kinds.index(r["kind"]) for r in rows), ints(r["start_ns"] - base for r in rows),
            ints(r["duration_ns"] for r in rows), [r["name"] for r in rows],
            [(a, b) for a, b in (e for e in ends.values() if len(e) == 2)],
        )  # fmt: skip
        made.span_ns = max(1, int((made.start + made.length).max()))
        return made

    def colour(self, kind: int) -> QColor:
        """Colour of a class, in order of first appearance where it has no fixed one."""
        name = self.kinds[kind]
        if name in _FIXED:
            return theme.meaning(_FIXED[name])
        colours = theme.series()
        return colours[(kind + 1) % len(colours)]


class PipelineArea(QWidget):
    """The bars.

    Signals: bar_activated with the position of a bar that was double-clicked.
    """

    bar_activated = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lanes = Lanes()
        self.left, self.span = 0.0, 1.0  # ns
        self.hover = self.selected = -1
        self._mouse: QPointF | None = None
        self._dragged: tuple[float, float] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.notifier.changed.connect(self.update)

    def show_lanes(self, lanes: Lanes) -> None:
        """Other lanes; everything is shown."""
        self.lanes = lanes
        self.hover = self.selected = -1
        self.setMinimumHeight(round(self._row_height() * len(lanes.ranks) + 40))
        self.restore()

    def restore(self) -> None:
        """Show the whole time."""
        self.show_window(0.0, float(self.lanes.span_ns))

    def show_window(self, left: float, span: float) -> None:
        """Another stretch of time, kept inside the data."""
        whole = float(self.lanes.span_ns)
        self.span = min(max(span, 100.0), whole)
        self.left = min(max(left, 0.0), whole - self.span)
        self.update()

    def zoom(self, factor: float, px: float) -> None:
        """Show 1 / factor of the time around a place."""
        plot = self.plot()
        at = self.left + (px - plot.left()) / plot.width() * self.span
        span = self.span / factor
        self.show_window(at - (at - self.left) / self.span * span, span)

    # ---- geometry ----------------------------------------------------------------------------------------------------

    @staticmethod
    def _row_height() -> float:
        return 2.0 * fonts.scaled(LANE) + 3 * GAP

    def plot(self) -> QRectF:
        """Where the bars are."""
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        widest = max((metrics.horizontalAdvance(tr("Rank {0}").format(r)) for r in self.lanes.ranks), default=30.0)
        left = widest + 12 + metrics.horizontalAdvance("FP/BP ")
        return QRectF(
            left, 4, max(10.0, self.width() - left - 12), max(10.0, self.height() - 2 * metrics.height() - 12)
        )

    def box(self, bar: int, plot: QRectF | None = None) -> QRectF:
        """Place of a bar, not cut by the edges."""
        area = plot or self.plot()
        scale = area.width() / self.span
        x = area.left() + (float(self.lanes.start[bar]) - self.left) * scale
        y = area.top() + float(self.lanes.row[bar]) * self._row_height() + GAP
        y += float(self.lanes.lane[bar]) * (fonts.scaled(LANE) + GAP)
        return QRectF(x, y, max(1.0, float(self.lanes.length[bar]) * scale), float(fonts.scaled(LANE)))

    def visible(self) -> _Ints:
        """Bars in the window."""
        lanes = self.lanes
        return np.flatnonzero((lanes.start <= self.left + self.span) & (lanes.start + lanes.length >= self.left))

    def bar_at(self, at: QPointF) -> int:
        """Bar at a place, the shortest of several; -1 for none."""
        plot = self.plot()
        found = [int(b) for b in self.visible() if self.box(int(b), plot).adjusted(-2, 0, 2, 0).contains(at)]
        return min(found, key=lambda b: int(self.lanes.length[b])) if found and plot.contains(at) else -1

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter) -> None:
        """Lanes, bars, curves and axis."""
        painter.fillRect(self.rect(), theme.token("canvas"))
        painter.setFont(fonts.ui(fonts.SMALL))
        if not self.lanes.ranks:
            return
        plot = self.plot()
        self._paint_axis(painter, plot)
        self._paint_heads(painter, plot)
        painter.save()
        painter.setClipRect(plot)
        metrics = QFontMetricsF(painter.font())
        middle = (metrics.ascent() - metrics.descent()) / 2
        for bar in self.visible().tolist():
            box, colour = self.box(bar, plot), self.lanes.colour(int(self.lanes.kind[bar]))
            painter.fillRect(box, colour)
            seen = box.intersected(plot)
            if seen.width() >= _LABEL:
                painter.setPen(theme.ink_for(colour))
                text = metrics.elidedText(self.lanes.names[bar], Qt.TextElideMode.ElideRight, seen.width() - 8)
                painter.drawText(QPointF(seen.left() + 4, seen.center().y() + middle), text)
            if bar == self.selected:
                painter.setPen(QPen(theme.token("text"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(box)
        self._paint_curves(painter, plot)
        painter.restore()

    def _paint_axis(self, painter: QPainter, plot: QRectF) -> None:
        metrics = QFontMetricsF(painter.font())
        low, high = self.left / 1e6, (self.left + self.span) / 1e6
        places, step = ticks(low, high, max(2, int(plot.width() // 110)))
        for value in places:
            x = plot.left() + (value - low) / ((high - low) or 1.0) * plot.width()
            painter.setPen(QPen(theme.token("grid"), 1))
            painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
            text = number_text.number(float(value), decimals_of(step))
            painter.setPen(theme.token("text2"))
            painter.drawText(
                QPointF(x - metrics.horizontalAdvance(text) / 2, plot.bottom() + 3 + metrics.ascent()), text
            )
        title = tr("Time (ms)")
        at = QPointF(
            plot.center().x() - metrics.horizontalAdvance(title) / 2,
            plot.bottom() + 4 + metrics.height() + metrics.ascent(),
        )
        painter.drawText(at, title)

    def _paint_heads(self, painter: QPainter, plot: QRectF) -> None:
        metrics = QFontMetricsF(painter.font())
        middle = (metrics.ascent() - metrics.descent()) / 2
        for row, rank in enumerate(self.lanes.ranks):
            top = plot.top() + row * self._row_height()
            painter.setPen(QPen(theme.token("border"), 1))
            painter.drawLine(QLineF(0, top, plot.right(), top))
            painter.setPen(theme.token("text"))
            painter.drawText(QPointF(4, top + self._row_height() / 2 + middle), tr("Rank {0}").format(rank))
            painter.setPen(theme.token("text2"))
            for lane, name in enumerate(("FP/BP", "P2P")):
                y = top + GAP + lane * (fonts.scaled(LANE) + GAP) + fonts.scaled(LANE) / 2 + middle
                painter.drawText(QPointF(plot.left() - 6 - metrics.horizontalAdvance(name), y), name)

    def _paint_curves(self, painter: QPainter, plot: QRectF) -> None:
        first, last = self.left, self.left + self.span
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        drawn = 0
        for one, other in self.lanes.pairs:
            ends = sorted((int(self.lanes.start[one]), int(self.lanes.start[other])))
            if ends[1] < first or ends[0] > last or drawn >= _CURVES:
                continue
            a, b = self.box(one, plot), self.box(other, plot)
            start, end = QPointF(a.left(), a.center().y()), QPointF(b.right(), b.center().y())
            path = QPainterPath(start)
            bend = max(20.0, abs(end.x() - start.x()) / 2)
            path.cubicTo(QPointF(start.x() + bend, start.y()), QPointF(end.x() - bend, end.y()), end)
            painter.setPen(QPen(theme.token("canvas"), 4))
            painter.drawPath(path)
            painter.setPen(QPen(theme.token("accent"), 1.5))
            painter.drawPath(path)
            drawn += 1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter)
            if self.hover >= 0 and self._mouse is not None:
                chart_readout.paint(
                    painter, self.readout(self.hover), self._mouse, QRectF(self.visibleRegion().boundingRect())
                )
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))

    def readout(self, bar: int) -> list[ReadoutLine]:
        """Name, rank, start and duration of a bar in ms."""
        lanes = self.lanes
        return [
            ReadoutLine(lanes.colour(int(lanes.kind[bar])), lanes.names[bar], ""),
            ReadoutLine(None, tr("Rank ID"), str(lanes.ranks[int(lanes.row[bar])])),
            ReadoutLine(None, tr("Start Time"), f"{number_text.in_unit(int(lanes.start[bar]), 'ms')} ms"),
            ReadoutLine(None, tr("Duration"), f"{number_text.in_unit(int(lanes.length[bar]), 'ms')} ms"),
        ]

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse = event.position()
        if self._dragged is not None:
            at, left = self._dragged
            self.show_window(left - (event.position().x() - at) / self.plot().width() * self.span, self.span)
            return
        self.hover = self.bar_at(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if self.hover >= 0 else Qt.CursorShape.ArrowCursor)
        self.update()

    def leaveEvent(self, _event: QEvent) -> None:
        self._mouse, self.hover = None, -1
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier or event.button() == Qt.MouseButton.MiddleButton:
            self._dragged = event.position().x(), self.left
        elif event.button() == Qt.MouseButton.LeftButton:
            self.selected = self.bar_at(event.position())
            self.update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._dragged = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        bar = self.bar_at(event.position())
        if bar >= 0:
            self.bar_activated.emit(bar)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turns = (event.angleDelta().y() or event.angleDelta().x()) / 120
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1.25**turns, event.position().x())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.show_window(self.left - turns * self.span / 8, self.span)
        else:
            event.ignore()
            return
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.show_window(self.left + step * self.span / 8, self.span)
        elif step and len(self.lanes.names):
            self.selected = min(max(self.selected + step, 0), len(self.lanes.names) - 1)
            self.setAccessibleDescription(" ".join(f"{x.name} {x.value}".strip() for x in self.readout(self.selected)))
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.selected >= 0:
            self.bar_activated.emit(self.selected)
        elif event.key() == Qt.Key.Key_Backspace:
            self.restore()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(600, 240)
