"""The names of the lanes: caret, name, quiet facts, pin; selection, keyboard focus, order of the pinned lanes."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from insight_desktop.views.common import fonts, icons, number_text, theme
from insight_desktop.views.timeline.area import Area
from insight_desktop.views.timeline.layout import INDENT, Row, Unit, heights
from insight_desktop.views.timeline.state import TimelineState

PIN = 14
_LEFT = 6
_CARET = 14  # px at 100 %
_DOT = 6  # the mark of a lane with an offset


def pinned_title(unit: Unit, state: TimelineState) -> str:
    """Name of a pinned lane: with its process and card, because it stands far from them."""
    card = state.card_title(unit.card)
    if unit.is_card:
        return card
    above = list(unit.ancestors())
    if unit.series or unit.figures:
        return f"{card}_{above[0].title}_{unit.title}"
    if unit.node is not None and unit.node.kind == "process":
        return f"{card}_{unit.title}"
    process = next((u for u in above if u.node is not None and u.node.kind == "process"), above[0])
    return f"{unit.title}_{process.title}_{card}"


def _moved(offset_ns: int) -> str:
    """How far an offset moves a card and where to; empty without one."""
    if not offset_ns:
        return ""
    return f"{'←' if offset_ns > 0 else '→'} {number_text.duration(abs(offset_ns))}"


class LaneTree(QWidget):
    """The tree column of one area.

    Signals:
        menu_wanted: context menu at a global position.
        tip_wanted: (row or None, position): facts of a row.
    """

    menu_wanted = Signal(QPoint)
    tip_wanted = Signal(object, QPoint)

    def __init__(self, area: Area, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.area = area
        self.state = area.state
        self._hot: Row | None = None
        self._pressed: Row | None = None
        self._press = QPoint()
        self._dragged = False
        self._drop: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Pinned lane names") if area.pinned else self.tr("Lane tree"))
        for signal in (self.state.rows_changed, self.state.lanes_changed, area.scrolled):
            signal.connect(self.update)

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.token("surface"))
        for row in self.area.visible():
            self._row(painter, row, row.y - self.area.scroll)
        sticky = self.area.sticky()
        if sticky is not None:
            self._row(painter, sticky, 0)
            painter.fillRect(0, heights.group - 1, self.width(), 1, theme.token("border"))
        if self._drop is not None:
            y = self._drop - self.area.scroll
            painter.fillRect(0, y - 1, self.width(), 2, theme.token("focus"))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), theme.token("border"))
        painter.end()

    def _row(self, painter: QPainter, row: Row, y: int) -> None:
        top = y
        selected = row.unit is not None and row.kind != "hidden" and row.unit.key in self.state.lanes
        ground = (
            "sel" if selected else "hover" if row is self._hot else "raised" if row.kind in ("card", "reading") else ""
        )
        if ground:
            painter.fillRect(0, y, self.width(), row.height, theme.token(ground))
        painter.fillRect(0, y + row.height - 1, self.width(), 1, theme.token("grid"))
        line = min(row.height, heights.group if row.kind in ("card", "group", "reading") else heights.row)
        if row.kind == "folded":
            line = row.height
        font = fonts.ui(12)
        if row.kind in ("card", "reading"):
            font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        left = _LEFT + row.level * INDENT
        ink = theme.token("seltext" if selected else "text")
        if row.kind == "hidden":
            painter.setPen(theme.token("text3"))
            text = (
                self.tr("{0} units hidden").format(number_text.count(row.count))
                if row.count != 1
                else self.tr("1 unit hidden")
            )
            painter.drawText(
                QRectF(left + fonts.scaled(_CARET), y, self.width() - left - fonts.scaled(_CARET) - 4, line),
                Qt.AlignmentFlag.AlignVCenter,
                text,
            )
            return
        unit = row.unit
        assert unit is not None
        if row.height > line:  # the name of a high lane stays on screen while its rows scroll
            head = heights.group if self.area.sticky() is not None else 0
            y = max(y, min(head, y + row.height - line))
        if unit.can_open:
            caret = "caret-down" if self.state.is_open(unit) else "caret-right"
            side = fonts.scaled(12)
            self._icon(painter, caret, left, y + (line - side) / 2, side, selected)
        right = self._facts(painter, row, unit, y, line, selected)
        metrics = QFontMetricsF(font)
        room = right - left - fonts.scaled(_CARET) - 4
        text = metrics.elidedText(self.title(row), Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(QRectF(left + fonts.scaled(_CARET), y, room, line), Qt.AlignmentFlag.AlignVCenter, text)
        if self.hasFocus() and unit.key == self.state.focus_lane:
            painter.setPen(QPen(theme.token("focus"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(0.5, top + 0.5, self.width() - 2, row.height - 2))

    def _facts(self, painter: QPainter, row: Row, unit: Unit, y: int, line: int, selected: bool) -> float:
        """Quiet facts and the pin at the right; returns where the name has to end."""
        right = float(self.width() - 6)
        pinned = self.state.is_pinned(unit)
        if pinned or row is self._hot:
            side = fonts.scaled(PIN)
            right -= side
            self._icon(painter, "push-pin", right, y + (line - side) / 2, side, selected, on=pinned)
            right -= 4
        if self.state.is_moved(unit):
            right -= _DOT
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.token("seltext" if selected else "accent"))
            painter.drawEllipse(QRectF(right, y + (line - _DOT) / 2, _DOT, _DOT))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            right -= 4
        font = fonts.ui(11)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        for text, boxed in self._fact_texts(unit):
            width = metrics.horizontalAdvance(text) + (10 if boxed else 0)
            if not text or right - width < self.width() * 0.45:
                continue
            rect = QRectF(right - width, y + (line - fonts.scaled(16)) / 2, width, fonts.scaled(16))
            if boxed and not selected:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.token("hover"))
                painter.drawRoundedRect(rect, 3, 3)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(theme.token("seltext" if selected else "text3"))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
            right -= width + 6
        return right

    def _fact_texts(self, unit: Unit) -> list[tuple[str, bool]]:
        """Facts from right to left, and whether they are in a chip."""
        if unit.node is None:
            return []
        if not unit.is_card:
            own = self.state.lane_offsets.get(unit.key)
            return [(unit.node.label, False), (_moved(own or 0), True)]
        card = self.state.context.store.card(unit.card)
        return [
            (card.alias, True),
            (self.tr("rank {0}").format(card.rank) if card.rank else "", True),
            (_moved(card.offset_ns), True),
            (card.host, False),
        ]

    def _icon(
        self, painter: QPainter, name: str, x: float, y: float, size: int, selected: bool, on: bool = False
    ) -> None:
        colour = "accent" if on and not selected else "seltext" if selected else "text2"
        pixmap = icons.pixmap(f"{name}-fill" if on else name, colour, size, self.devicePixelRatioF())
        painter.drawPixmap(round(x), round(y), pixmap)

    def title(self, row: Row) -> str:
        """The name of a row as it is shown."""
        if row.unit is None:
            return ""
        if row.pin_root:
            return pinned_title(row.unit, self.state)
        return self.state.card_name(row.unit.card) if row.unit.is_card else row.unit.title

    # ---- mouse -------------------------------------------------------------------------------------------------------

    def on_pin(self, at: QPoint) -> bool:
        return at.x() >= self.width() - 6 - fonts.scaled(PIN) - 4

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._press, self._dragged = event.position().toPoint(), False
        self._pressed = self.area.row_at(self._press.y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        row = self.area.row_at(at.y())
        if event.buttons() & Qt.MouseButton.LeftButton and self._pressed is not None and self._pressed.pin_root:
            if (at - self._press).manhattanLength() >= 4:
                self._dragged = True
                self._drop = self._drop_place(at.y())[1]
                self.update()
            return
        if row is not self._hot:
            self._hot = row
            self.update()
        self.tip_wanted.emit(row, at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        row, pressed = self.area.row_at(at.y()), self._pressed
        self._pressed = None
        if self._dragged and pressed is not None and pressed.unit is not None:
            self._drop = None
            self.state.move_pin(pressed.unit.key, self._drop_place(at.y(), pressed)[0])
            return
        if event.button() == Qt.MouseButton.LeftButton and row is pressed and row is not None:
            self._click(row, at, event.modifiers())

    def _click(self, row: Row, at: QPoint, keys: Qt.KeyboardModifier) -> None:
        unit = row.unit
        if row.kind == "hidden":
            self.state.show_all(unit)
            return
        if unit is None:
            return
        if self.on_pin(at):
            self.state.pin([unit], not self.state.is_pinned(unit))
        elif keys & Qt.KeyboardModifier.ControlModifier:
            self.state.select_lanes(
                [k for k in self.state.lanes if k != unit.key]
                if unit.key in self.state.lanes
                else [*self.state.lanes, unit.key],
                unit.key,
            )
        elif keys & Qt.KeyboardModifier.ShiftModifier:
            self._extend(unit)
        else:
            self.state.select_lanes([unit.key], unit.key)
            if unit.can_open:
                self.state.toggle(unit)

    def _extend(self, unit: Unit) -> None:
        """Select everything from the focused row to this one."""
        shown = [r.unit.key for r in self.area.rows.rows if r.unit is not None and r.kind != "hidden"]
        start = self.state.focus_lane if self.state.focus_lane in shown else unit.key
        a, b = sorted((shown.index(start or unit.key), shown.index(unit.key)))
        self.state.select_lanes(shown[a : b + 1], start)

    def _drop_place(self, y: int, dragged: Row | None = None) -> tuple[int, int]:
        """Position among the pinned units and height of the line for a drop at y."""
        roots = [row for row in self.area.rows.rows if row.pin_root and row is not dragged]
        ends = [*(row.y for row in roots[1:]), self.area.rows.height]
        for number, (row, end) in enumerate(zip(roots, ends, strict=True)):
            if y + self.area.scroll < (row.y + end) / 2:
                return number, row.y
        return len(roots), self.area.rows.height

    def leaveEvent(self, _event: Any) -> None:
        self._hot = None
        self.tip_wanted.emit(None, QPoint())
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        step = event.pixelDelta().y() or event.angleDelta().y() / 120 * 60
        self.area.set_scroll(self.area.scroll - round(step))
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:  # the selection stays, wherever the mouse is
            self.menu_wanted.emit(self.mapToGlobal(self.area.menu_place(self.width())))
            return
        row = self.area.row_at(event.pos().y())
        if row is not None and row.kind == "hidden":
            self.state.select_lanes([], None)
        elif row is not None and row.unit is not None and row.unit.key not in self.state.lanes:
            self.state.select_lanes([row.unit.key], row.unit.key)
        self.menu_wanted.emit(event.globalPos())

    # ---- keyboard ----------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down move the focus, left and right close and open, Enter toggles, Space selects."""
        rows = [r for r in self.area.rows.rows if r.unit is not None and r.kind != "hidden"]
        at = next((i for i, r in enumerate(rows) if r.unit is not None and r.unit.key == self.state.focus_lane), -1)
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and rows:
            new = max(0, min(len(rows) - 1, at + (1 if key == Qt.Key.Key_Down else -1)))
            unit = rows[new].unit
            assert unit is not None
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.state.select_lanes(dict.fromkeys([*self.state.lanes, unit.key]), unit.key)
            else:
                self.state.select_lanes([unit.key], unit.key)
            self.area.bring_in(rows[new].y, rows[new].height)
        elif at >= 0 and key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            unit = rows[at].unit
            assert unit is not None
            wanted = {Qt.Key.Key_Left: False, Qt.Key.Key_Right: True}.get(Qt.Key(key), not self.state.is_open(unit))
            if unit.can_open and wanted != self.state.is_open(unit):
                self.state.set_open([unit], wanted)
            elif key == Qt.Key.Key_Left and unit.parent is not None:
                self.state.select_lanes([unit.parent.key], unit.parent.key)
        else:
            super().keyPressEvent(event)
