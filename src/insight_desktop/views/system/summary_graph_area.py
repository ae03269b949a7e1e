"""The canvas of the parallel layout: squares with their colours, frames, lines; only what is visible is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from insight_desktop.views.common import chart_readout, fonts, theme
from insight_desktop.views.common.chart_data import colour_of
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.system.summary_graph_layout import SIDE, Frame, Graph, Group, distance
from insight_desktop.views.system.summary_words import LEGEND, line_colour

_REACH = 5.0  # px from a line that still hit it
_LABELS_FROM = 20.0  # px of a square that carries its number
_SMALLEST, _READABLE, _LARGEST = 0.08, 0.5, 2.0
_FLASHES, _FLASH_MS = 6, 160
_FRAMED = ("dp", "ep", "cp")
_JOINED = ("tp", "pp")


class GraphArea(QAbstractScrollArea):
    """The squares.

    Signals:
        element_clicked: index of an element; -1 when blank was clicked.
        group_clicked: name and members of the group whose line or frame was clicked.
        element_menu: index and global position of a right click.
        group_menu: name, members and global position.
    """

    element_clicked = Signal(int)
    group_clicked = Signal(str, tuple)
    element_menu = Signal(int, QPoint)
    group_menu = Signal(str, tuple, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.graph = Graph()
        self.colours: list[QColor | None] = []
        self.tip: Callable[[int], Sequence[ReadoutLine]] | None = None
        self.shown: frozenset[str] = frozenset({"dp"})  # dimensions with frames or lines
        self.without_lines: frozenset[str] = frozenset()  # groups that a click does not draw
        self.selected = self.hover = -1
        self.chosen: Group | None = None  # the line or frame that was clicked
        self.scale = 1.0
        self._mouse: QPointF | None = None
        self._flash = 0
        self._frames: dict[str, list[Frame]] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(_FLASH_MS)
        self._timer.timeout.connect(self._next_flash)
        self.viewport().setMouseTracking(True)
        self.setMouseTracking(True)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(200, 120)
        self.horizontalScrollBar().valueChanged.connect(lambda _at: self.viewport().update())
        self.verticalScrollBar().valueChanged.connect(lambda _at: self.viewport().update())
        theme.notifier.changed.connect(self.viewport().update)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def show_graph(self, graph: Graph, *, keep: bool = False) -> None:
        """Other squares; the selection and the place go unless they are kept."""
        self.graph, self._frames = graph, {}
        if not keep or self.selected >= len(graph):
            self.selected, self.chosen = -1, None
            self.fit()
        self.hover = -1
        self.colours = [None] * len(graph)
        self._arrange()

    def set_colours(self, colours: Sequence[QColor | None]) -> None:
        """Colour of each square, None for plain ones."""
        self.colours = list(colours)
        self.viewport().update()

    def set_shown(self, kinds: frozenset[str]) -> None:
        """Dimensions whose frames or lines are drawn."""
        self.shown = kinds
        self.viewport().update()

    def select(self, index: int) -> None:
        """Select an element and draw its lines; says nothing."""
        self.selected, self.chosen = index, None
        self.setAccessibleDescription(self.graph.names[index] if 0 <= index < len(self.graph) else "")
        self.viewport().update()

    def reveal(self, index: int) -> bool:
        """Bring an element into view and let it flash; False when there is none of that index."""
        if not 0 <= index < len(self.graph):
            return False
        self.select(index)
        self._bring(index)
        self._flash = _FLASHES
        self._timer.start()
        return True

    def _bring(self, index: int) -> None:
        box, port = self.graph.box(index), self.viewport().size()
        self.horizontalScrollBar().setValue(round(box.center().x() * self.scale - port.width() / 2))
        self.verticalScrollBar().setValue(round(box.center().y() * self.scale - port.height() / 2))

    def _next_flash(self) -> None:
        self._flash -= 1
        if self._flash <= 0:
            self._timer.stop()
        self.viewport().update()

    def fit(self) -> None:
        """As much as the height allows and a readable width, not above the natural size."""
        whole, port = self.graph.size, self.viewport().size()
        if whole.isEmpty():
            self.scale = 1.0
        else:
            wide = max(_READABLE, port.width() / whole.width())
            self.scale = min(1.0, max(_SMALLEST, min(port.height() / whole.height(), wide)))
        self._arrange()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Larger or smaller around a place of the viewport."""
        place = at or QPointF(self.viewport().rect().center())
        under = self._inside(place)
        self.scale = min(max(self.scale * factor, _SMALLEST), _LARGEST)
        self._arrange()
        self.horizontalScrollBar().setValue(round(under.x() * self.scale - place.x()))
        self.verticalScrollBar().setValue(round(under.y() * self.scale - place.y()))

    def _arrange(self) -> None:
        size, port = self.graph.size, self.viewport().size()
        bars = (
            (self.horizontalScrollBar(), size.width(), port.width()),
            (self.verticalScrollBar(), size.height(), port.height()),
        )
        for bar, whole, room in bars:
            bar.setRange(0, max(0, round(whole * self.scale) - room))
            bar.setPageStep(room)
            bar.setSingleStep(40)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def sizeHint(self) -> QSize:
        return QSize(480, 300)

    # ---- geometry ----------------------------------------------------------------------------------------------------

    def _origin(self) -> QPointF:
        """Where the graph's zero is on the viewport; small graphs stand in the middle."""
        size, port = self.graph.size * self.scale, self.viewport().size()
        return QPointF(
            max(0.0, (port.width() - size.width()) / 2) - self.horizontalScrollBar().value(),
            max(0.0, (port.height() - size.height()) / 2) - self.verticalScrollBar().value(),
        )

    def _inside(self, at: QPointF) -> QPointF:
        return (at - self._origin()) / self.scale

    def on_screen(self, index: int) -> QRectF:
        """Square of an element on the viewport."""
        box = self.graph.box(index)
        return QRectF(box.topLeft() * self.scale + self._origin(), box.size() * self.scale)

    def frames(self) -> list[Frame]:
        """Frames that are drawn."""
        found = []
        for kind in _FRAMED:
            if kind in self.shown:
                if kind not in self._frames:
                    self._frames[kind] = self.graph.frames(kind)
                found += self._frames[kind]
        return found

    def lines(self) -> list[tuple[Group, list[QLineF]]]:
        """Lines that are drawn: of shown dimensions, and those of the selected element."""
        found = [(g, self.graph.direct(g)) for kind in _JOINED if kind in self.shown for g in self.graph.named(kind)]
        own = self.graph.groups_of(self.selected, self.without_lines) if self.selected >= 0 else []
        if self.chosen is not None and self.chosen not in own and self.selected < 0 and self.chosen.name not in _FRAMED:
            own = [self.chosen]
        return found + [(g, self.graph.route(g, lane)) for lane, g in enumerate(own)]

    def group_at(self, at: QPointF) -> Group | None:
        """The group whose line, else whose frame, is at a place of the viewport."""
        place, reach = self._inside(at), _REACH / self.scale
        for group, lines in reversed(self.lines()):
            if any(distance(line, place) <= reach for line in lines):
                return group
        for frame in reversed(self.frames()):
            for box in frame.boxes:
                edge = box.adjusted(-reach, -reach, reach, reach).contains(place)
                if edge and not box.adjusted(reach, reach, -reach, -reach).contains(place):
                    return Group(frame.kind, frame.members)
        return None

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.fillRect(self.viewport().rect(), theme.token("canvas"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.save()
            painter.translate(self._origin())
            painter.scale(self.scale, self.scale)
            area = QRectF(
                self._inside(QPointF(0, 0)), self._inside(QPointF(self.viewport().width(), self.viewport().height()))
            )
            self._paint_graph(painter, area, self.scale)
            painter.restore()
            if self.hover >= 0 and self._mouse is not None and self.tip is not None:
                chart_readout.paint(painter, list(self.tip(self.hover)), self._mouse, QRectF(self.viewport().rect()))
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(self.viewport().rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def paint_whole(self, painter: QPainter, width: float, height: float) -> None:
        """All squares in any size, for a picture."""
        whole = self.graph.size
        scale = min(width / whole.width(), height / whole.height()) if not whole.isEmpty() else 1.0
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.scale(scale, scale)
        self._paint_graph(painter, QRectF(QPointF(0, 0), whole), scale)
        painter.restore()

    def _paint_graph(self, painter: QPainter, area: QRectF, scale: float) -> None:
        self._paint_frames(painter, area)
        lines = self.lines()
        direct = [(g, pieces) for g, pieces in lines if g.name in self.shown and g.name in _JOINED]
        self._paint_lines(painter, direct, area)
        self._paint_squares(painter, area, scale)
        self._paint_lines(painter, lines[len(direct) :], area)

    def _paint_frames(self, painter: QPainter, area: QRectF) -> None:
        for frame in self.frames():
            is_chosen = self.chosen is not None and (self.chosen.name, self.chosen.members) == (
                frame.kind,
                frame.members,
            )
            pen = QPen(QColor(LEGEND[frame.kind][1]), 3.0 if is_chosen else 1.5)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for box in frame.boxes:
                if box.intersects(area):
                    painter.drawRoundedRect(box, 4, 4)

    def _paint_lines(self, painter: QPainter, lines: Sequence[tuple[Group, list[QLineF]]], area: QRectF) -> None:
        for number, (group, pieces) in enumerate(lines):
            colour = QColor(line_colour(group.name)) if line_colour(group.name) else colour_of("", number)
            pen = QPen(colour, 3.5 if group == self.chosen else 2.0)
            pen.setCosmetic(True)
            painter.setPen(pen)
            shown = [p for p in pieces if _touches(p, area)]
            if shown:
                painter.drawLines(shown)

    def _paint_squares(self, painter: QPainter, area: QRectF, scale: float) -> None:
        font = fonts.ui(fonts.BODY)
        font.setPixelSize(max(8, round(fonts.scaled(13))))
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        middle = (metrics.ascent() - metrics.descent()) / 2
        has_labels = SIDE * scale >= _LABELS_FROM
        plain, edge, text = theme.token("raised"), theme.token("strong"), theme.token("text")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, scale >= 0.4)
        for index in self.graph.visible(area).tolist():
            box = self.graph.box(index)
            fill = self.colours[index] if index < len(self.colours) else None
            is_strong = index == self.selected or index == self.hover
            pen = QPen(theme.token("focus") if index == self.selected else edge, 2.5 if is_strong else 1)
            pen.setCosmetic(True)
            if index == self.selected and self._flash % 2:
                fill = theme.token("accentfill")
            painter.setPen(pen)
            painter.setBrush(fill or plain)
            painter.drawRoundedRect(box, 3, 3)
            if has_labels:
                painter.setPen(theme.ink_for(fill) if fill is not None else text)
                label = str(index)
                at = QPointF(box.center().x() - metrics.horizontalAdvance(label) / 2, box.center().y() + middle)
                painter.drawText(at, label)

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse = event.position()
        self.hover = self.graph.element_at(self._inside(event.position())) if len(self.graph) else -1
        is_hand = self.hover >= 0 or self.group_at(event.position()) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_hand else Qt.CursorShape.ArrowCursor)
        self.viewport().update()

    def leaveEvent(self, _event: QEvent) -> None:
        self._mouse, self.hover = None, -1
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        index = self.graph.element_at(self._inside(event.position())) if len(self.graph) else -1
        if index >= 0:
            self.select(index)
            self.element_clicked.emit(index)
            return
        group = self.group_at(event.position())
        if group is not None:
            self.chosen = group
            self.viewport().update()
            self.group_clicked.emit(group.name, group.members)
        else:
            self.select(-1)
            self.element_clicked.emit(-1)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = QPointF(event.pos())
        index = self.graph.element_at(self._inside(at)) if len(self.graph) else -1
        if index >= 0:
            self.element_menu.emit(index, event.globalPos())
            return
        group = self.group_at(at)
        if group is not None:
            self.group_menu.emit(group.name, group.members, event.globalPos())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1.2 ** (event.angleDelta().y() / 120), event.position())
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step and len(self.graph):
            index = min(max(self.selected + step, 0), len(self.graph) - 1)
            self.select(index)
            if not self.viewport().rect().contains(self.on_screen(index).toRect()):
                self._bring(index)
            self.element_clicked.emit(index)
        elif event.key() == Qt.Key.Key_Escape:
            self.select(-1)
            self.element_clicked.emit(-1)
        else:
            super().keyPressEvent(event)


def _touches(line: QLineF, area: QRectF) -> bool:
    left, right = sorted((line.x1(), line.x2()))
    top, bottom = sorted((line.y1(), line.y2()))
    return left <= area.right() and right >= area.left() and top <= area.bottom() and bottom >= area.top()
