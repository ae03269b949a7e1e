"""The picture of a flame graph: boxes as wide as their share, one row per level; a click makes one as wide as the picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from insight_desktop.engine.timeline.flame import SCHEMA
from insight_desktop.views.common import fonts, number_text, theme
from insight_desktop.views.common.language import tr

_ROW = 20  # px at 100 %
_LEAST_PX = 0.7  # narrower boxes are left out; their parents show the whole share
_DIM = 0.25
_TEXT_PX = 24


def row_height() -> int:
    """Height of a depth of the chart at the user's text size."""
    return fonts.scaled(_ROW)


class FlameChart(QWidget):
    """Boxes of `engine.timeline.flame`.

    Signals:
        zoomed: another node fills the width, -1 for all.
        slice_wanted: node whose longest slice is to be shown.
        menu_wanted: (node, global position) of a right click.
    """

    zoomed = Signal(int)
    slice_wanted = Signal(int)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = SCHEMA.empty_table()
        self.root = -1
        self.node = -1  # where the keyboard is
        self.light: npt.NDArray[np.bool_] | None = None
        self.hashes: npt.NDArray[Any] = np.zeros(0, np.uint32)
        self._columns: dict[str, npt.NDArray[Any]] = {}
        self._names: list[str] = []
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        self.setAccessibleName(tr("Flame graph"))
        theme.notifier.changed.connect(self.update)
        self.show_table(self.table, self.hashes)

    def show_table(self, table: pa.Table, hashes: npt.NDArray[Any]) -> None:
        """Show another tree; `hashes` are the colour hashes of the names of its nodes."""
        self.table, self.hashes, self.root, self.node, self.light = table, hashes, -1, -1, None
        self._columns = {n: table[n].to_numpy() for n in ("parent", "depth", "x0", "x1", "sum_ns", "self_ns", "count")}
        self._names = table["name"].to_pylist()
        self.updateGeometry()
        self.setMinimumHeight(self.sizeHint().height())
        self.update()

    def set_light(self, light: npt.NDArray[np.bool_] | None) -> None:
        """Nodes that are shown in full; the others are dimmed. None for all."""
        self.light = light
        self.update()

    def zoom(self, node: int) -> None:
        """Make a node as wide as the picture; -1 shows everything."""
        if node != self.root:
            self.root = self.node = node
            self.update()
            self.zoomed.emit(node)

    def above(self, node: int) -> list[int]:
        """A node and those above it, the top one first."""
        found = []
        while node >= 0:
            found.append(node)
            node = int(self._columns["parent"][node])
        return found[::-1]

    def stack(self, node: int) -> str:
        """Names from the top to a node."""
        return ";".join(self._names[n].replace(";", ",") for n in self.above(node))

    def folded(self) -> str:
        """The tree as folded stacks: names joined by semicolons, and the self time in ns."""
        own = self._columns["self_ns"]
        return "".join(f"{self.stack(n)} {own[n]}\n" for n in np.flatnonzero(own).tolist())

    def node_at(self, at: QPoint) -> int:
        """The node below a point, -1 for none."""
        depth = at.y() // row_height()
        chain = self.above(self.root)
        if depth < len(chain):
            return chain[depth]
        left, scale = self._window()
        x = left + at.x() / scale
        c = self._columns
        found: npt.NDArray[Any] = np.zeros(0, np.int64)
        if len(self._names):
            found = np.flatnonzero((c["depth"] == depth) & (c["x0"] <= x) & (c["x1"] > x))
        return int(found[0]) if len(found) else -1

    def text_of(self, node: int) -> str:
        """What the tooltip says: name, sum, self, count, share of all and of the node above."""
        c = self._columns
        share = float(c["x1"][node] - c["x0"][node])
        above = int(c["parent"][node])
        lines = [
            self._names[node],
            tr("Sum {value}").format(value=number_text.duration(int(c["sum_ns"][node]))),
            tr("Self {value}").format(value=number_text.duration(int(c["self_ns"][node]))),
            tr("{n} slices").format(n=number_text.count(int(c["count"][node]))),
            tr("{share} of all").format(share=number_text.percent(share)),
        ]
        if above >= 0:
            part = share / max(float(c["x1"][above] - c["x0"][above]), 1e-12)
            lines.append(
                tr("{share} of {name}").format(share=number_text.percent(part), name=_short(self._names[above]))
            )
        return "\n".join(lines)

    def paint(self, painter: QPainter, width: float, height: float) -> None:
        """Draw the picture into any painter, from the top left."""
        painter.fillRect(QRectF(0, 0, width, height), theme.token("canvas"))
        if not self._names:
            return
        left, scale = self._window(width)
        c = self._columns
        base = self.above(self.root)
        x0, x1 = (c["x0"] - left) * scale, (c["x1"] - left) * scale
        shown = (x1 > 0) & (x0 < width) & (x1 - x0 >= _LEAST_PX) & (c["depth"] >= len(base))
        painter.setFont(fonts.ui(fonts.SMALL))
        for node in base:
            self._box(painter, node, 0.0, width)
        for node in np.flatnonzero(shown).tolist():
            self._box(painter, node, max(float(x0[node]), 0.0), min(float(x1[node]), width))

    def _box(self, painter: QPainter, node: int, left: float, right: float) -> None:
        palette, inks = theme.slices(), theme.inks()
        place = int(self.hashes[node]) % len(palette)
        fill, ground = QColor.fromRgb(int(palette[place])), theme.token("canvas")
        dimmed = self.light is not None and not self.light[node]
        if dimmed:
            parts = zip(ground.getRgb()[:3], fill.getRgb()[:3], strict=True)  # type: ignore[index]
            fill = QColor(*(round(a + (b - a) * _DIM) for a, b in parts))
        y = int(self._columns["depth"][node]) * row_height()
        rect = QRectF(left, y, max(right - left - 1, 0.7), row_height() - 1)
        painter.fillRect(rect, fill)
        if node == self.node and self.hasFocus():
            painter.setPen(theme.token("text"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        if right - left >= _TEXT_PX:
            painter.setPen(theme.token("text2") if dimmed else QColor.fromRgb(int(inks[place % len(inks)])))
            text = painter.fontMetrics().elidedText(
                self._names[node], Qt.TextElideMode.ElideRight, int(right - left - 8)
            )
            painter.drawText(rect.adjusted(4, 0, -3, 0), Qt.AlignmentFlag.AlignVCenter, text)

    def sizeHint(self) -> QSize:
        depth = int(self._columns["depth"].max()) + 1 if self._names else 1
        return QSize(600, depth * row_height() + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint(painter, self.width(), self.height())
        painter.end()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        node = self.node_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and node >= 0:
            self.node = node
            self.zoom(-1 if node == self.root else node)
            self.update()
        elif event.button() == Qt.MouseButton.RightButton and node >= 0:
            self.node = node
            self.menu_wanted.emit(node, event.globalPosition().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        node = self.node_at(event.position().toPoint())
        if node >= 0:
            self.slice_wanted.emit(node)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            node = self.node_at(event.pos())
            QToolTip.showText(event.globalPos(), self.text_of(node) if node >= 0 else "", self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys walk the tree, Enter zooms, Backspace goes one up, Space shows the longest slice."""
        verbs: dict[int, Callable[[], None]] = {
            Qt.Key.Key_Up: lambda: self._walk("up"),
            Qt.Key.Key_Down: lambda: self._walk("down"),
            Qt.Key.Key_Left: lambda: self._walk("left"),
            Qt.Key.Key_Right: lambda: self._walk("right"),
            Qt.Key.Key_Return: lambda: self.zoom(self.node),
            Qt.Key.Key_Enter: lambda: self.zoom(self.node),
            Qt.Key.Key_Backspace: lambda: self.zoom(int(self._columns["parent"][self.root]) if self.root >= 0 else -1),
            Qt.Key.Key_Space: lambda: self.slice_wanted.emit(self.node) if self.node >= 0 else None,
        }
        verb = verbs.get(event.key())
        if verb is None or not self._names:
            super().keyPressEvent(event)
            return
        verb()
        if self.node >= 0:
            self.setAccessibleDescription(self.text_of(self.node).replace("\n", ", "))
        self.update()

    def _walk(self, way: str) -> None:
        c, node = self._columns, self.node
        if node < 0:
            self.node = 0
        elif way == "up":
            self.node = int(c["parent"][node]) if c["parent"][node] >= 0 else node
        elif way == "down":
            below = np.flatnonzero(c["parent"] == node)
            self.node = int(below[0]) if len(below) else node
        else:
            row = np.flatnonzero(c["depth"] == c["depth"][node])
            at = int(np.flatnonzero(row == node)[0]) + (1 if way == "right" else -1)
            self.node = int(row[min(max(at, 0), len(row) - 1)])

    def _window(self, width: float | None = None) -> tuple[float, float]:
        """Left edge of what is shown, and pixels per unit of share."""
        wide = self.width() if width is None else width
        if self.root < 0:
            return 0.0, float(wide)
        low, high = float(self._columns["x0"][self.root]), float(self._columns["x1"][self.root])
        return low, wide / max(high - low, 1e-12)


def _short(name: str) -> str:
    return name if len(name) <= 40 else f"{name[:39]}…"
