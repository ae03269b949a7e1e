"""A treemap: areas are shares of a whole, boxes inside boxes; a click goes down, the path above leads up again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from insight_desktop.views.common import fonts, parts, theme
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec

LEAST_AREA = 300.0  # px²; smaller boxes are not drawn
_STRIP = 22
_GAP = 2.0
_HUES = (210, 0, 30, 120)  # of the levels below the shown node


@dataclass(frozen=True)
class Box:
    """One node: number, number of its parent (-1 for the root), name, value, tooltip."""

    node: int
    parent: int
    name: str
    value: float
    tip: str = ""


def squares(values: Sequence[float], area: QRectF) -> list[QRectF]:
    """Rectangles for values in falling order that fill an area, as near to squares as can be.

    Each has a share of the area equal to its share of the sum; values of 0 get an empty rectangle.
    """
    total = sum(v for v in values if v > 0)
    out = [QRectF(area.topLeft(), area.topLeft())] * len(values)
    if total <= 0 or area.width() <= 0 or area.height() <= 0:
        return out
    scale = area.width() * area.height() / total
    sizes = [max(v, 0.0) * scale for v in values]
    left, at = QRectF(area), 0
    while at < len(sizes) and sizes[at] > 0:
        side = min(left.width(), left.height())
        end = at + 1
        while end < len(sizes) and sizes[end] > 0 and _worst(sizes[at : end + 1], side) <= _worst(sizes[at:end], side):
            end += 1
        left = _row(sizes, at, end, left, out)
        at = end
    return out


def _worst(row: Sequence[float], side: float) -> float:
    """Largest ratio of sides of a row of areas along a side."""
    total = sum(row)
    return max(side * side * max(row) / (total * total), total * total / (side * side * min(row)))


def _row(sizes: Sequence[float], at: int, end: int, left: QRectF, out: list[QRectF]) -> QRectF:
    total = sum(sizes[at:end])
    upright = left.width() >= left.height()
    thick = total / (left.height() if upright else left.width()) if total else 0.0
    place = left.top() if upright else left.left()
    for i in range(at, end):
        long = sizes[i] / thick if thick else 0.0
        out[i] = QRectF(left.left(), place, thick, long) if upright else QRectF(place, left.top(), long, thick)
        place += long
    if upright:
        return QRectF(left.left() + thick, left.top(), max(0.0, left.width() - thick), left.height())
    return QRectF(left.left(), left.top() + thick, left.width(), max(0.0, left.height() - thick))


class TreemapArea(QWidget):
    """The boxes. Keys: arrows go along the boxes of a level, Return down, Backspace up.

    Signals:
        shown_changed: number of the node that fills the area.
        chosen: number of the box that was clicked last.
    """

    shown_changed = Signal(int)
    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: dict[int, Box] = {}
        self.below: dict[int, list[int]] = {}
        self.root = self.shown = self.current = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.notifier.changed.connect(self.update)

    def show_boxes(self, boxes: Sequence[Box]) -> None:
        """Show another tree; the node that filled the area stays where a node of its name and depth is there."""
        path = [self.boxes[n].name for n in self.path()] if self.shown in self.boxes else []
        self.boxes = {box.node: box for box in boxes}
        self.below = {}
        for box in boxes:
            self.below.setdefault(box.parent, []).append(box.node)
        for nodes in self.below.values():
            nodes.sort(key=lambda n: -self.boxes[n].value)
        self.root = next((box.node for box in boxes if box.parent not in self.boxes), -1)
        self.shown, self.current = self.root, -1
        for name in path[1:]:
            inside = next((n for n in self.below.get(self.shown, ()) if self.boxes[n].name == name), None)
            if inside is None or not self.below.get(inside):
                break
            self.shown = inside
        self.shown_changed.emit(self.shown)
        self.update()

    def path(self) -> list[int]:
        """Nodes from the root to the one that fills the area."""
        found, at = [], self.shown
        while at in self.boxes:
            found.append(at)
            at = self.boxes[at].parent
        return found[::-1]

    def go_to(self, node: int) -> None:
        """Let a node fill the area; one without children stays a box."""
        if node in self.boxes and (self.below.get(node) or node == self.root) and node != self.shown:
            self.shown, self.current = node, -1
            self.shown_changed.emit(node)
            self.update()

    def places(self, width: float, height: float) -> list[tuple[int, int, QRectF]]:
        """(node, level below the shown one, rectangle) of all boxes that are large enough, parents first."""
        found: list[tuple[int, int, QRectF]] = []
        self._place(self.shown, 0, QRectF(0, 0, width, height), found)
        return found

    def _place(self, node: int, level: int, area: QRectF, found: list[tuple[int, int, QRectF]]) -> None:
        nodes = self.below.get(node, [])
        rest = self.boxes[node].value - sum(self.boxes[n].value for n in nodes) if node in self.boxes else 0.0
        values = [self.boxes[n].value for n in nodes] + ([rest] if rest > 0 else [])
        order = sorted(range(len(values)), key=lambda i: -values[i])
        for i, rect in zip(order, squares([values[i] for i in order], area), strict=True):
            box = rect.adjusted(_GAP / 2, _GAP / 2, -_GAP / 2, -_GAP / 2)
            if i >= len(nodes) or box.width() <= 0 or box.height() <= 0 or box.width() * box.height() < LEAST_AREA:
                continue
            found.append((nodes[i], level, box))
            if self.below.get(nodes[i]):
                inner = box.adjusted(_GAP, fonts.scaled(_STRIP), -_GAP, -_GAP)
                if inner.height() > 12 and inner.width() > 24:
                    self._place(nodes[i], level + 1, inner, found)

    def node_at(self, at: QPointF) -> int:
        """The smallest box at a point, -1 without one."""
        return next((n for n, _, rect in reversed(self.places(self.width(), self.height())) if rect.contains(at)), -1)

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, width: float, height: float) -> None:
        """The treemap in any size."""
        painter.fillRect(QRectF(0, 0, width, height), theme.token("canvas"))
        painter.setFont(fonts.ui(fonts.SMALL))
        metrics = QFontMetricsF(painter.font())
        for node, level, rect in self.places(width, height):
            fill = _fill(level)
            painter.fillRect(rect, fill)
            text = metrics.elidedText(self.boxes[node].name, Qt.TextElideMode.ElideRight, rect.width() - 10)
            if rect.width() > 30 and rect.height() >= metrics.height():
                painter.setPen(theme.ink_for(fill))
                line = QRectF(rect.left() + 5, rect.top(), rect.width() - 10, min(rect.height(), fonts.scaled(_STRIP)))
                painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
            if node == self.current:
                painter.setPen(QPen(theme.token("text"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(rect.adjusted(1, 1, -1, -1))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter, self.width(), self.height())
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        node = self.node_at(event.position())
        if node < 0:
            return
        self.current = node
        self.chosen.emit(node)
        self.go_to(node if self.below.get(node) else self.boxes[node].parent)
        self.current = node
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        level = self.below.get(self.shown, [])
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}.get(
            Qt.Key(event.key())
        )
        if step is not None and level:
            at = level.index(self.current) + step if self.current in level else 0
            self.current = level[min(max(at, 0), len(level) - 1)]
            self.chosen.emit(self.current)
            self.setAccessibleDescription(self.boxes[self.current].name)
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current >= 0:
            self.go_to(self.current)
        elif event.key() == Qt.Key.Key_Backspace and self.shown != self.root:
            self.go_to(self.boxes[self.shown].parent)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            node = self.node_at(QPointF(event.pos()))
            QToolTip.showText(
                event.globalPos(), self.boxes[node].tip or self.boxes[node].name, self
            ) if node >= 0 else QToolTip.hideText()
            return True
        return super().event(event)


class Treemap(ChartBox):
    """A treemap with its head: the path to the shown node, export and copy.

    Args:
        numbers: gives the table behind the picture, for copies and exports.
    """

    chosen = Signal(int)

    def __init__(
        self, title: str = "", *, numbers: Callable[[], tuple[pa.Table, Sequence[ColumnSpec]]] | None = None,
        collapsible: bool = False, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        self.area = TreemapArea()
        self._numbers = numbers
        super().__init__(title, collapsible=collapsible, parent=parent)
        self.path_row = parts.columns(gap=0)
        self.head_row.insertLayout(3, self.path_row)
        parts.rows(self.content, margins=(4, 4, 4, 4)).addWidget(self.area)
        self.area.shown_changed.connect(lambda _node: self._show_path())
        self.area.chosen.connect(self.chosen)

    def show_boxes(self, boxes: Sequence[Box]) -> None:
        """Show another tree."""
        self.area.show_boxes(boxes)
        self.set_empty(None)
        self._describe()

    def _show_path(self) -> None:
        parts.clear(self.path_row)
        for i, node in enumerate(self.area.path()):
            if i:
                self.path_row.addWidget(parts.label("›", level=3))
            name = self.area.boxes[node].name
            button = parts.button(name, flat=True, click=partial(self.area.go_to, node))
            button.setEnabled(node != self.area.shown)
            self.path_row.addWidget(button)

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        self.area.paint(painter, width, height)

    def numbers(self) -> tuple[pa.Table, Sequence[ColumnSpec]]:
        if self._numbers is not None:
            return self._numbers()
        boxes = list(self.area.boxes.values())
        table = pa.table({"name": [b.name for b in boxes], "value": [b.value for b in boxes]})
        return table, (ColumnSpec("name", "Name"), ColumnSpec("value", "Value", kind="number"))

    def summary(self) -> str:
        if self.area.shown not in self.area.boxes:
            return self.title
        return tr("{title}: {name}").format(title=self.title, name=self.area.boxes[self.area.shown].name)

    @property
    def picture_size(self) -> QSize:
        return QSize(max(640, self.area.width()), max(360, self.area.height()) + 40)


def _fill(level: int) -> QColor:
    """Colour of a level: hue by depth, saturation 80 %, darker in the dark theme."""
    hue = _HUES[level % len(_HUES)]
    return QColor.fromHslF(hue / 360, 0.55 if theme.is_dark() else 0.8, 0.34 if theme.is_dark() else 0.8)
