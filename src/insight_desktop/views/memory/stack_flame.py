"""Call stacks weighted by memory: boxes as wide as the bytes of what was called, the outermost frame on top."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
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
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from insight_desktop.views.common import fonts, number_text, theme
from insight_desktop.views.common.language import tr

ROW = 20
_LEAST_PX = 0.8  # narrower boxes are left out; their parent shows the whole
_TEXT_PX = 30
_FNV, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, 2**64 - 1


class StackFlame(QAbstractScrollArea):
    """Rows of `stack_tree`. A click makes a box as wide as the picture, Esc or a click on the top row shows all again.

    Signals:
        chosen: id of a node that was clicked.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.root = 0
        self._names: list[str] = []
        self._places: list[str] = []
        self._columns: dict[str, npt.NDArray[np.int64]] = {}
        self._left: npt.NDArray[np.float64] = np.empty(0)
        self._colours: list[int] = []
        self._parent: npt.NDArray[np.int64] = np.empty(0, np.int64)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Flame graph of call stacks"))
        theme.notifier.changed.connect(self.viewport().update)

    def show_tree(self, table: pa.Table) -> None:
        """Show other stacks: rows in depth-first order with id, parent, depth, name, file, line, bytes, blocks."""
        self.root = 0
        self._columns = {n: table[n].to_numpy().astype(np.int64) for n in ("depth", "bytes", "blocks", "line")}
        self._parent = table["parent"].to_numpy()
        self._names = table["name"].to_pylist()
        self._places = [str(file).replace("\\", "/").rsplit("/", 1)[-1] for file in table["file"].to_pylist()]
        size = self._columns["bytes"]
        self._left = np.zeros(len(size))
        used: dict[int, int] = {}
        for row in range(1, len(size)):
            above = int(self._parent[row])
            self._left[row] = self._left[above] + used.get(above, 0)
            used[above] = used.get(above, 0) + int(size[row])
        self._colours = [_hash(name) % len(theme.slices()) for name in self._names]
        self._fit()

    @property
    def count(self) -> int:
        """How many nodes there are."""
        return len(self._names)

    def zoom_to(self, node: int) -> None:
        """Make a node as wide as the picture."""
        self.root = node if 0 <= node < self.count else 0
        self.viewport().update()

    # ---- geometry ----------------------------------------------------------------------------------------------------

    @property
    def _row(self) -> int:
        return fonts.scaled(ROW)

    def _fit(self) -> None:
        depth = int(self._columns["depth"].max(initial=0)) + 1 if self.count else 0
        height = depth * self._row
        bar = self.verticalScrollBar()
        bar.setPageStep(max(1, self.viewport().height()))
        bar.setSingleStep(self._row)
        bar.setRange(0, max(0, height - self.viewport().height()))
        self.viewport().update()

    def box_of(self, node: int) -> QRectF:
        """Where a node stands; nodes above the zoomed one fill the width."""
        size, left = self._columns["bytes"], self._left
        whole = max(1.0, float(size[self.root]))
        width = self.viewport().width()
        x0 = (left[node] - left[self.root]) / whole * width
        x1 = x0 + size[node] / whole * width
        x0, x1 = max(0.0, float(x0)), min(float(width), float(x1))
        return QRectF(x0, int(self._columns["depth"][node]) * self._row - self.verticalScrollBar().value(), x1 - x0, self._row - 1)  # fmt: skip

    def node_at(self, at: QPointF) -> int:
        """The node under a place, -1 for none."""
        if not self.count:
            return -1
        depth = int((at.y() + self.verticalScrollBar().value()) // self._row)
        for node in np.flatnonzero(self._columns["depth"] == depth).tolist():
            box = self.box_of(node)
            if box.width() >= _LEAST_PX and box.left() <= at.x() < box.right():
                return int(node)
        return -1

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.fillRect(self.viewport().rect(), theme.token("canvas"))
            painter.setFont(fonts.ui(fonts.SMALL))
            metrics = QFontMetricsF(painter.font())
            fills, inks = theme.slices(), theme.inks()
            height = self.viewport().height()
            for node in range(self.count):
                box = self.box_of(node)
                if box.width() < _LEAST_PX or box.bottom() < 0 or box.top() > height:
                    continue
                colour = QColor.fromRgb(int(fills[self._colours[node]]))
                ink = QColor.fromRgb(int(inks[self._colours[node]]))
                if node == 0:
                    colour, ink = theme.token("raised"), theme.token("text")
                painter.fillRect(box, colour)
                if box.width() >= _TEXT_PX:
                    painter.setPen(ink)
                    text = metrics.elidedText(self._text(node), Qt.TextElideMode.ElideRight, box.width() - 8)
                    base = box.top() + (box.height() + metrics.ascent() - metrics.descent()) / 2
                    painter.drawText(QPointF(box.left() + 4, base), text)
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def _text(self, node: int) -> str:
        size = number_text.bytes_text(int(self._columns["bytes"][node]))
        name = tr("all") if node == 0 else self._names[node]
        return f"{name} · {size}"

    def words(self, node: int) -> str:
        """The tooltip of a node."""
        size, whole = int(self._columns["bytes"][node]), max(1, int(self._columns["bytes"][0]))
        place = f"{self._places[node]}:{self._columns['line'][node]}" if self._places[node] else ""
        blocks = tr("{0} blocks").format(number_text.count(int(self._columns["blocks"][node])))
        head = tr("all") if node == 0 else self._names[node]
        return "\n".join(filter(None, (head, place, f"{number_text.bytes_text(size, decimals=3)} · {number_text.percent(size / whole)}", blocks)))  # fmt: skip

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def viewportEvent(self, event: Any) -> bool:
        if isinstance(event, QHelpEvent):
            node = self.node_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self.words(node) if node >= 0 else "", self)
            return True
        return super().viewportEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.RightButton:
            self.zoom_to(0)
        elif event.button() == Qt.MouseButton.LeftButton:
            node = self.node_at(event.position())
            if node >= 0:
                self.zoom_to(node)
                self.chosen.emit(node)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Backspace):
            self.zoom_to(0)
        elif event.key() == Qt.Key.Key_Up and self.root:
            self.zoom_to(int(self._parent[self.root]))
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(600, 220)


def _hash(name: str) -> int:
    """FNV-1a, so that equal names have equal colours."""
    value = _FNV
    for byte in name.encode():
        value = ((value ^ byte) * _PRIME) & _MASK
    return value ^ (value >> 29)
