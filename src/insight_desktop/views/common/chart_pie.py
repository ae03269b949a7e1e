"""Shares of a whole: a ring with percentages, a legend that scrolls, a click that leads to what is behind a piece."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from insight_desktop.views.common import chart_readout, fonts, number_text, parts, theme
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.chart_data import colour_of
from insight_desktop.views.common.chart_legend import Entry, Legend
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec

_LEAST_LABEL = 0.02  # smaller pieces have their percentage in the legend only
_HOLE = 0.56
_BRIGHTER = 1.05  # the piece under the mouse grows by this


@dataclass(frozen=True)
class Piece:
    """One piece: key, name, value, and its colour as in Series (empty for the next one)."""

    key: str
    name: str
    value: float
    colour: str = ""


class PieArea(QWidget):
    """The ring.

    Signals:
        clicked: key of a piece.
        hovered: key of the piece under the mouse, or empty.
    """

    clicked = Signal(str)
    hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pieces: tuple[Piece, ...] = ()
        self.hidden: frozenset[str] = frozenset()
        self.total: float | None = None
        self.unit, self.decimals = "", 3
        self.ring = True
        self.current = ""
        self._mouse: QPointF | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(120, 110)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.notifier.changed.connect(self.update)

    def shown(self) -> list[Piece]:
        """Visible pieces with a share."""
        return [p for p in self.pieces if p.key not in self.hidden and p.value > 0]

    def share(self, piece: Piece) -> float:
        """Share of a piece, 0–1: of the given total, else of what is visible."""
        total = self.total if self.total else sum(p.value for p in self.shown())
        return piece.value / total if total else 0.0

    def colour(self, piece: Piece) -> QColor:
        """Colour of a piece; hidden ones keep theirs."""
        return colour_of(piece.colour, self.pieces.index(piece))

    def angles(self) -> list[tuple[Piece, float, float]]:
        """Pieces with their start and length in degrees, clockwise from the top."""
        start, found = 0.0, []
        whole = sum(p.value for p in self.shown())
        for piece in self.shown():
            length = 360.0 * piece.value / whole
            found.append((piece, start, length))
            start += length
        return found

    def _circle(self, width: float, height: float) -> QRectF:
        side = max(40.0, min(width - 120, height - 44))
        return QRectF((width - side) / 2, (height - side) / 2, side, side)

    def paint(self, painter: QPainter, width: float, height: float) -> None:
        """The pie in any size."""
        painter.fillRect(QRectF(0, 0, width, height), theme.token("canvas"))
        circle = self._circle(width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for piece, start, length in self.angles():
            rect = circle
            if piece.key == self.current:
                grown = circle.width() * (_BRIGHTER - 1) / 2
                rect = circle.adjusted(-grown, -grown, grown, grown)
            painter.setPen(QPen(theme.token("canvas"), 1.5))
            painter.setBrush(self.colour(piece))
            painter.drawPath(_piece(rect, start, length, _HOLE if self.ring else 0.0))
        self._labels(painter, circle)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _labels(self, painter: QPainter, circle: QRectF) -> None:
        font = fonts.ui(fonts.SMALL)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        taken: list[QRectF] = []
        for piece, start, length in self.angles():
            if length < 360 * _LEAST_LABEL:
                continue
            text = number_text.percent(self.share(piece))
            turn = math.radians(start + length / 2)
            outward = QPointF(math.sin(turn), -math.cos(turn))
            edge = circle.center() + outward * (circle.width() / 2 + 3)
            end = circle.center() + outward * (circle.width() / 2 + 10)
            advance = metrics.horizontalAdvance(text)
            x = end.x() + 4 if outward.x() >= 0 else end.x() - 4 - advance
            box = QRectF(x, end.y() - metrics.height() / 2, advance, metrics.height())
            if any(box.intersects(other) for other in taken):
                continue
            taken.append(box)
            painter.setPen(QPen(theme.token("strong"), 1))
            painter.drawLine(edge, end)
            painter.setPen(theme.token("text2"))
            painter.drawText(QPointF(x, end.y() + (metrics.ascent() - metrics.descent()) / 2), text)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter, self.width(), self.height())
            piece = next((p for p in self.pieces if p.key == self.current), None)
            if piece is not None and self._mouse is not None:
                lines = [
                    ReadoutLine(self.colour(piece), piece.name, ""),
                    ReadoutLine(None, tr("Value"), self.value_text(piece)),
                    ReadoutLine(None, tr("Share"), number_text.percent(self.share(piece), 2)),
                ]
                chart_readout.paint(painter, lines, self._mouse, QRectF(self.rect()))
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))

    def value_text(self, piece: Piece) -> str:
        """Value with its unit."""
        return f"{number_text.number(float(piece.value), self.decimals)} {self.unit}".strip()

    def piece_at(self, at: QPointF) -> Piece | None:
        """The piece at a place of the widget."""
        circle = self._circle(self.width(), self.height())
        away = at - circle.center()
        radius = math.hypot(away.x(), away.y())
        inner = circle.width() / 2 * _HOLE if self.ring else 0.0
        if not inner <= radius <= circle.width() / 2:
            return None
        turn = math.degrees(math.atan2(away.x(), -away.y())) % 360
        return next((p for p, start, length in self.angles() if start <= turn < start + length), None)

    def set_current(self, key: str) -> None:
        """Emphasise a piece."""
        if key != self.current:
            self.current = key
            self.hovered.emit(key)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse = event.position()
        piece = self.piece_at(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if piece else Qt.CursorShape.ArrowCursor)
        self.set_current(piece.key if piece else "")
        self.update()

    def leaveEvent(self, _event: object) -> None:
        self._mouse = None
        self.set_current("")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        piece = self.piece_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and piece is not None:
            self.clicked.emit(piece.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = [p.key for p in self.shown()]
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}.get(
            Qt.Key(event.key())
        )
        if step and keys:
            at = keys.index(self.current) + step if self.current in keys else (0 if step > 0 else -1)
            self._mouse = QPointF(self.width() / 2, self.height() / 2)
            self.set_current(keys[at % len(keys)])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current:
            self.clicked.emit(self.current)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(240, 200)


def _piece(rect: QRectF, start: float, length: float, hole: float) -> QPainterPath:
    """A piece of a ring; angles in degrees clockwise from the top."""
    path = QPainterPath()
    inner = QRectF(0, 0, rect.width() * hole, rect.height() * hole)
    inner.moveCenter(rect.center())
    if length >= 360 - 1e-9:
        path.addEllipse(rect)
        if hole:
            path.addEllipse(inner)
        return path
    path.arcMoveTo(rect, 90 - start)
    path.arcTo(rect, 90 - start, -length)
    if hole:
        path.arcTo(inner, 90 - start - length, length)
    else:
        path.lineTo(rect.center())
    path.closeSubpath()
    return path


class PieChart(ChartBox):
    """A ring of shares with its legend.

    Signals:
        clicked: key of a piece.
        hidden_changed: keys of the hidden pieces.
    """

    clicked = Signal(str)
    hidden_changed = Signal(object)

    def __init__(self, title: str = "", *, collapsible: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(title, collapsible=collapsible, parent=parent)
        self.area = PieArea()
        self.legend = Legend(standing=True)
        row = parts.columns(self.content, margins=(4, 4, 4, 4), gap=8)
        row.addWidget(self.area, 3)
        row.addWidget(self.legend, 2)
        self.legend.setMinimumWidth(150)
        self.area.clicked.connect(self.clicked)
        self.legend.hidden_changed.connect(self._hide)
        theme.notifier.changed.connect(self._show_legend)

    def set_pieces(
        self,
        pieces: Sequence[Piece],
        *,
        unit: str = "",
        decimals: int = 3,
        total: float | None = None,
        ring: bool = True,
    ) -> None:
        """Show other pieces; hidden ones stay hidden by their keys.

        Args:
            pieces: in the order of the legend.
            unit: of the values.
            decimals: of the values.
            total: what 100 % is when it is not the sum of what is visible.
            ring: False for a full pie.
        """
        area = self.area
        area.pieces, area.unit, area.decimals = tuple(pieces), unit, decimals
        area.total, area.ring, area.current = total, ring, ""
        area.hidden = area.hidden & {p.key for p in pieces}
        self.set_empty(None)
        self._show_legend()
        area.update()

    def entries(self) -> list[Entry]:
        area = self.area
        return [Entry(p.key, p.name, area.colour(p), value=number_text.percent(area.share(p))) for p in area.pieces]

    def _show_legend(self) -> None:
        self.legend.show_entries(self.entries(), self.area.hidden)
        self._describe()

    def _hide(self, keys: frozenset[str]) -> None:
        self.area.hidden = keys
        self._show_legend()
        self.area.update()
        self.hidden_changed.emit(keys)

    def summary(self) -> str:
        """Title and the largest pieces."""
        largest = sorted(self.area.shown(), key=lambda p: -p.value)[:3]
        texts = [f"{p.name} {number_text.percent(self.area.share(p))}" for p in largest]
        return f"{self.title}: {', '.join(texts)}"

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        self.area.paint(painter, width, height)

    def numbers(self) -> tuple[pa.Table, list[ColumnSpec]]:
        area = self.area
        pieces = area.shown()
        table = pa.table(
            {
                "name": pa.array([p.name for p in pieces], pa.string()),
                "value": pa.array([float(p.value) for p in pieces], pa.float64()),
                "share": pa.array([area.share(p) for p in pieces], pa.float64()),
            }
        )
        return table, [
            ColumnSpec("name", tr("Name")),
            ColumnSpec("value", tr("Value"), unit=area.unit, kind="number"),
            ColumnSpec("share", tr("Share"), kind="percent"),
        ]
