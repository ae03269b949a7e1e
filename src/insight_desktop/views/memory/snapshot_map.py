"""The allocator map: segments as bars, blocks inside them, pending frees hatched red, gaps empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
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
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from insight_desktop.engine.memory import snapshot_segments as sg
from insight_desktop.engine.memory.blocks import address_hash
from insight_desktop.engine.memory.snapshot_state import State, ordered, plain
from insight_desktop.views.common import fonts, parts, theme, tokens
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.language import tr
from insight_desktop.views.memory import snapshot_texts as texts

BAR, TALLEST, GAP = 24, 40, 8
_MARGIN = 6
_MOST_ZOOM = 4096.0
_KEYS_FROM = 460
_LEAST_EDGE = 4  # px: narrower blocks get no border


@dataclass(frozen=True)
class Placed:
    """A segment in the picture: row of the table of segments, line, first unit in the line."""

    segment: int
    line: int
    x: int


def packed(sizes: Sequence[int], order: Sequence[int]) -> tuple[list[Placed], int, int]:
    """Segments side by side in lines as wide as the largest one.

    Args:
        sizes: bytes of the segments.
        order: rows in order of drawing (small ones first).

    Returns:
        places, units of a line, number of lines.
    """
    largest = max((int(s) for s in sizes), default=0)
    gap = max(int(largest / 100 + 0.5), 20)
    width = largest + 2 * gap
    out: list[Placed] = []
    x, line = gap, 0
    for row in order:
        size = int(sizes[row])
        if x != gap and x + size + gap > width:
            x, line = gap, line + 1
        out.append(Placed(int(row), line, x))
        x += size + gap
    return out, width, line + 1 if out else 0


class MapArea(QAbstractScrollArea):
    """The picture. Wheel scrolls, Ctrl+wheel zooms into the bars, drag moves, a click chooses.

    Signals:
        block_chosen: id of a block.
        segment_chosen: address of a segment (`ordered`).
        hovered: words for the status bar.
    """

    block_chosen = Signal(int)
    segment_chosen = Signal(object)
    cleared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state: State | None = None
        self.block = -1
        self.segment: int | None = None  # address, `ordered`
        self.zoom, self._offset = 1.0, 0.0
        self._places: list[Placed] = []
        self._units, self._lines = 1, 0
        self._hash: npt.NDArray[np.uint32] = np.empty(0, np.uint32)
        self._first: npt.NDArray[np.int64] = np.empty(0, np.int64)
        self._pressed: QPointF | None = None
        self._dragged = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Allocator map"))
        theme.notifier.changed.connect(self.viewport().update)

    def show_state(self, state: State) -> None:
        """Another moment."""
        self.state = state
        size, base = state.segments[:, sg.SIZE], state.base
        order = np.lexsort((base, size))
        self._places, self._units, self._lines = packed(size.tolist(), order.tolist())
        self._hash = address_hash(plain(state.at))
        inside = state.segment
        self._first = np.searchsorted(inside, np.arange(len(size) + 1), "left") if len(inside) else np.zeros(len(size) + 1, np.int64)  # fmt: skip
        self._fit()

    # ---- geometry ----------------------------------------------------------------------------------------------------

    @property
    def bar_height(self) -> int:
        """Height of a segment: taller when there are few."""
        room = (self.viewport().height() - 2 * _MARGIN) // max(1, self._lines) - GAP
        return min(max(fonts.scaled(BAR), room), fonts.scaled(TALLEST))

    @property
    def _step(self) -> int:
        return self.bar_height + GAP

    def _fit(self) -> None:
        height = self._lines * self._step + 2 * _MARGIN - GAP
        bar = self.verticalScrollBar()
        bar.setPageStep(max(1, self.viewport().height()))
        bar.setSingleStep(self._step)
        bar.setRange(0, max(0, height - self.viewport().height()))
        self.viewport().update()

    @property
    def _scale(self) -> float:
        """Pixels per byte."""
        return (self.viewport().width() - 2 * _MARGIN) / max(1, self._units) * self.zoom

    def _left(self, unit: float) -> float:
        return _MARGIN + unit * self._scale - self._offset

    def _top(self, line: int) -> float:
        return _MARGIN + line * self._step - self.verticalScrollBar().value()

    def set_zoom(self, zoom: float, at: float | None = None) -> None:
        """Zoom into the bars, keeping the place under a pixel."""
        x = self.viewport().width() / 2 if at is None else at
        unit = (x - _MARGIN + self._offset) / self._scale
        self.zoom = min(max(zoom, 1.0), _MOST_ZOOM)
        self._offset = unit * self._scale - (x - _MARGIN)
        self._clamp()

    def _clamp(self) -> None:
        most = (self.viewport().width() - 2 * _MARGIN) * (self.zoom - 1)
        self._offset = min(max(self._offset, 0.0), max(0.0, most))
        self.viewport().update()

    def reset(self) -> None:
        """Everything is visible."""
        self.zoom, self._offset = 1.0, 0.0
        self.viewport().update()

    def choose(self, block: int) -> None:
        """Frame a block and scroll to its segment."""
        self.block, self.segment = block, None
        state = self.state
        if state is not None and block >= 0:
            row = np.flatnonzero(state.blocks == block)
            if len(row) and state.segment[row[0]] >= 0:
                self._reveal(int(state.segment[row[0]]))
        self.viewport().update()

    def choose_segment(self, base: int | None) -> None:
        """Frame a segment."""
        self.block, self.segment = -1, base
        if self.state is not None and base is not None:
            rows = np.flatnonzero(self.state.base == base)
            if len(rows):
                self._reveal(int(rows[0]))
        self.viewport().update()

    def _reveal(self, segment: int) -> None:
        line = next((p.line for p in self._places if p.segment == segment), None)
        if line is None:
            return
        top, bar = line * self._step, self.verticalScrollBar()
        if not bar.value() <= top <= bar.value() + self.viewport().height() - self._step:
            bar.setValue(top - self.viewport().height() // 3)

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.fillRect(self.viewport().rect(), theme.token("canvas"))
            self.paint(painter, 0.0, float(self.viewport().height()))

    def paint(self, painter: QPainter, top: float, bottom: float) -> None:
        """The lines between two heights."""
        if self.state is None:
            return
        height = self.bar_height
        palette = [QColor.fromRgb(int(c)) for c in theme.slices()]
        for place in self._places:
            y = self._top(place.line)
            if y + height < top or y > bottom:
                continue
            self._paint_segment(painter, place, y, height, palette)
        if self.hasFocus():
            painter.setPen(QPen(theme.token("focus"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def _paint_segment(self, painter: QPainter, place: Placed, y: float, height: int, palette: list[QColor]) -> None:
        state = self.state
        assert state is not None
        size = int(state.segments[place.segment, sg.SIZE])
        left, width = self._left(place.x), max(1.0, size * self._scale)
        right_edge = self.viewport().width()
        if left > right_edge or left + width < 0:
            return
        box = QRectF(left, y, width, height)
        painter.fillRect(box, theme.token("raised"))
        base, scale = int(state.base[place.segment]), self._scale
        first, last = int(self._first[place.segment]), int(self._first[place.segment + 1])
        taken = -1e9
        for k in range(first, last):
            x0 = left + (int(state.at[k]) - base) * scale
            x1 = min(x0 + max(1.0, int(state.size[k]) * scale), left + width)
            if x1 < 0 or x0 > right_edge or (x1 <= taken and x1 - x0 <= 1.0):
                continue
            taken = x1
            self._paint_block(painter, k, QRectF(x0, y, x1 - x0, height), palette)
        chosen = self.segment is not None and self.segment == base
        painter.setPen(QPen(_frame() if chosen else theme.token("strong"), 2 if chosen else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        row = np.flatnonzero(state.blocks[first:last] == self.block) if self.block >= 0 else np.empty(0, np.int64)
        if len(row):
            k = first + int(row[0])
            x0 = left + (int(state.at[k]) - base) * scale
            painter.setPen(QPen(_frame(), 2))
            painter.drawRect(QRectF(x0, y, max(2.0, int(state.size[k]) * scale), height).adjusted(1, 1, -1, -1))

    def _paint_block(self, painter: QPainter, k: int, box: QRectF, palette: list[QColor]) -> None:
        state = self.state
        assert state is not None
        if state.pending[k]:
            painter.fillRect(box, theme.token("errbg"))
            painter.fillRect(box, QBrush(theme.meaning("oom"), Qt.BrushStyle.BDiagPattern))
        else:
            painter.fillRect(box, palette[int(self._hash[k]) % len(palette)])
        lost = max(0, int(state.size[k] - state.requested[k])) * self._scale
        if lost >= 1.5 and box.width() > lost:
            painter.fillRect(QRectF(box.right() - lost, box.top(), lost, box.height()), theme.meaning("oom"))
        if box.width() >= _LEAST_EDGE:
            painter.setPen(QPen(theme.token("canvas"), 1))
            painter.drawLine(QPointF(box.right() - 0.5, box.top()), QPointF(box.right() - 0.5, box.bottom()))

    # ---- what is where -----------------------------------------------------------------------------------------------

    def hit(self, at: QPointF) -> tuple[int, int, int] | None:
        """(row of the segment, position of the block or -1, offset in the segment) at a place of the picture."""
        state, height = self.state, self.bar_height
        if state is None:
            return None
        line = int((at.y() + self.verticalScrollBar().value() - _MARGIN) // self._step)
        for place in self._places:
            y = self._top(place.line)
            if place.line != line or not y <= at.y() <= y + height:
                continue
            offset = int((at.x() - self._left(place.x)) / self._scale)
            if not 0 <= offset < int(state.segments[place.segment, sg.SIZE]):
                continue
            address = int(state.base[place.segment]) + offset
            first, last = int(self._first[place.segment]), int(self._first[place.segment + 1])
            k = first + int(np.searchsorted(state.at[first:last], address, "right")) - 1
            inside = k >= first and address < int(state.at[k]) + max(int(state.size[k]), int(1 / self._scale))
            return place.segment, k if inside else -1, offset
        return None

    def words(self, at: QPointF) -> str:
        """The tooltip at a place."""
        found, state = self.hit(at), self.state
        if found is None or state is None:
            return ""
        segment, block, offset = found
        address = int(plain(state.base[segment : segment + 1])[0])
        if block >= 0:
            kind = tr("Pending free") if state.pending[block] else tr("Allocated")
            where, size = int(plain(state.at[block : block + 1])[0]), int(state.size[block])
            rows = [(tr("Type"), kind), (tr("Address"), texts.address(where)), (tr("Size"), texts.exact(size)),
                    (tr("Requested"), texts.exact(int(state.requested[block])))]  # fmt: skip
        else:
            rows = [(tr("Type"), tr("Free")), (tr("Address"), texts.address(address + offset)), (tr("Size"), texts.exact(self._gap(segment, offset)))]  # fmt: skip
        rows += [
            (tr("Segment"), f"{texts.address(address)} · {texts.size(int(state.segments[segment, sg.SIZE]))}"),
            (tr("Stream"), str(int(state.segments[segment, sg.STREAM]))),
            (tr("Offset"), texts.size(offset)),
        ]
        return "".join(f"<tr><td>{a}&nbsp;&nbsp;</td><td align='right'><b>{b}</b></td></tr>" for a, b in rows)

    def _gap(self, segment: int, offset: int) -> int | None:
        assert self.state is not None
        where, first, size = self.state.gaps
        at = int(self.state.base[segment]) + offset
        k = int(np.searchsorted(first, at, "right")) - 1
        return int(size[k]) if k >= 0 and where[k] == segment and at < first[k] + size[k] else None

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def viewportEvent(self, event: Any) -> bool:
        if isinstance(event, QHelpEvent):
            words = self.words(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), f"<table>{words}</table>" if words else "", self)
            return True
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        by = event.position() - self._pressed
        if self._dragged or by.manhattanLength() > 4:
            self._dragged, self._pressed = True, event.position()
            self._offset -= by.x()
            self.verticalScrollBar().setValue(round(self.verticalScrollBar().value() - by.y()))
            self._clamp()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self.reset()
        if event.button() != Qt.MouseButton.LeftButton or self._dragged or self.state is None:
            return
        found = self.hit(event.position())
        if found is None:
            self.choose(-1)
            self.cleared.emit()
        elif found[1] >= 0:
            self.choose(int(self.state.blocks[found[1]]))
            self.block_chosen.emit(self.block)
        else:
            self.choose_segment(int(self.state.base[found[0]]))
            self.segment_chosen.emit(self.segment)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_zoom(self.zoom * 1.25 ** (event.angleDelta().y() / 120), event.position().x())
            event.accept()
            return
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        span = self.viewport().width() / 8
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_W, Qt.Key.Key_Plus):
            self.set_zoom(self.zoom * 1.5)
        elif key in (Qt.Key.Key_S, Qt.Key.Key_Minus):
            self.set_zoom(self.zoom / 1.5)
        elif key in (Qt.Key.Key_A, Qt.Key.Key_D):
            self._offset += span if key == Qt.Key.Key_D else -span
            self._clamp()
        elif key in (Qt.Key.Key_R, Qt.Key.Key_Backspace):
            self.reset()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self._clamp()

    def sizeHint(self) -> QSize:
        return QSize(520, 320)


def _frame() -> QColor:
    return QColor(tokens.INK_WHITE if theme.is_dark() else tokens.INK_DARK)


class Keys(QWidget):
    """What the fills of the map mean."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.notifier.changed.connect(self.update)

    def _entries(self) -> list[tuple[str, str]]:
        return [("allocated", tr("allocated")), ("pending", tr("pending free")), ("free", tr("free"))]

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        width = sum(metrics.horizontalAdvance(text) + 32 for _, text in self._entries())
        return QSize(round(width), round(metrics.height()) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        with QPainter(self) as painter:
            painter.setFont(fonts.ui(fonts.SMALL))
            x, middle = 4.0, self.height() / 2
            for kind, text in self._entries():
                box = QRectF(x, middle - 5, 14, 10)
                if kind == "allocated":
                    for k, colour in enumerate((0, 1, 2)):
                        painter.fillRect(QRectF(x + k * 14 / 3, middle - 5, 14 / 3, 10), QColor.fromRgb(int(theme.slices()[colour])))  # fmt: skip
                elif kind == "pending":
                    painter.fillRect(box, theme.token("errbg"))
                    painter.fillRect(box, QBrush(theme.meaning("oom"), Qt.BrushStyle.BDiagPattern))
                else:
                    painter.fillRect(box, theme.token("raised"))
                painter.setPen(QPen(theme.token("strong"), 1))
                painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
                painter.setPen(theme.token("text2"))
                painter.drawText(QPointF(x + 20, middle + (metrics.ascent() - metrics.descent()) / 2), text)
                x += metrics.horizontalAdvance(text) + 32


class StateMap(ChartBox):
    """The allocator map with its head and export."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.area = MapArea()
        self.keys = Keys()
        self.head_row.insertWidget(self.head_row.indexOf(self.note), self.keys)
        self.reset_button = self.add_button("arrow-counter-clockwise", self.area.reset)
        parts.rows(self.content).addWidget(self.area)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.keys.setVisible(self.width() > fonts.scaled(_KEYS_FROM))

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        painter.fillRect(QRectF(0, 0, width, height), theme.token("canvas"))
        self.area.paint(painter, 0.0, height)

    def segment_base(self, address: int) -> int:
        """An address as `choose_segment` takes it."""
        return int(ordered(np.array([address], np.uint64))[0])
