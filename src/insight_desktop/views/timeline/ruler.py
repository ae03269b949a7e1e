"""The time axis above the lanes: ticks with times, the time at the mouse, and the row for markers and distances."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from insight_desktop.views.common import fonts, icons, number_text, theme
from insight_desktop.views.timeline import flag_edit, flags, folding
from insight_desktop.views.timeline.state import TimelineState

SCALE = 24  # height of the axis
MARKERS = 18  # height of the marker row
_LEAST_TICK = 110  # pixels between numbers
_INSET = 4.0  # between a number and the ends of the axis
_DRAG_FROM = 3
_APART = 10.0  # between two numbers
_BUTTON = 16  # the flag button of a range
_CHIP_FROM_NS = 30 * 60 * 10**9


def tick_step(span_ns: float, width: int) -> tuple[int, int]:
    """Distance of numbered ticks in ns and how many small steps divide it: 1, 2 or 5 times a power of ten."""
    wanted = max(1.0, span_ns * _LEAST_TICK / max(width, 1))
    power = 1
    while power * 10 <= wanted:
        power *= 10
    for factor, parts in ((1, 5), (2, 4), (5, 5), (10, 5)):
        if factor * power >= wanted:
            step = factor * power
            return step, next((p for p in (parts, 2, 1) if step % p == 0), 1)
    return 10 * power, 5


class Ruler(QWidget):
    """Axis and marker row. Dragging on it pans; a click in the marker row makes a flag or selects one.

    Signals:
        wheel_turned: a wheel event for the chart below.
    """

    wheel_turned = Signal(object)

    def __init__(self, state: TimelineState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.setAccessibleName(self.tr("Time axis"))
        self.fit()
        self.setMouseTracking(True)
        self._grabbed: float | None = None
        self._press = QPointF()
        for signal in (state.viewport.changed, state.hover_changed, state.range_changed, state.flags.changed):
            signal.connect(self.update)

    def fit(self) -> None:
        """Grow with the text size."""
        self.scale, self.markers = fonts.scaled(SCALE), fonts.scaled(MARKERS)
        self.setFixedHeight(self.scale + self.markers)

    def ticks(self) -> list[tuple[int, str]]:
        """Time and text of every numbered tick on screen."""
        if self.state.first_card is None:
            return []
        view = self.state.viewport.view
        step, _ = tick_step(view.span_ns, self.width())
        return [(t, number_text.ruler(t, round(view.span_ns))) for t in self._times(step)]

    def _times(self, step: int) -> list[int]:
        """Multiples of a step in the times on screen, both ends included; none in a folded gap."""
        return [t for a, b in self.state.viewport.view.stretches() for t in range(-(-a // step) * step, b + 1, step)]

    def labels(self, metrics: QFontMetricsF) -> list[tuple[int, str]]:
        """Left edge and text of the numbers that have room: one that would leave the axis moves inside, or gives way."""
        view, width = self.state.viewport.view, self.width()
        placed: list[tuple[int, float, str, bool]] = []
        for t, text in self.ticks():
            room = metrics.horizontalAdvance(text)
            centred = view.x_of(t, width) - room / 2
            left = min(max(centred, _INSET), width - room - _INSET)
            moved = abs(left - centred) > 0.5
            if placed and left < placed[-1][1] + _APART:
                if moved or not placed[-1][3]:
                    continue
                placed.pop()
            placed.append((round(left), left + room, text, moved))
        return [(left, text) for left, _, text, _ in placed]

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.token("surface"))
        font = fonts.ui(11)
        painter.setFont(font)
        self._axis(painter, QFontMetricsF(font))
        self._distance(painter, font)
        folding.paint(painter, self.state.viewport.view, self.width(), self.scale - 6, self.markers + 5)
        flags.paint_row(painter, self.state.flags, self.state.viewport.view, self.width(), self.scale + 1)
        self._flag_button(painter)
        self._total(painter, QFontMetricsF(font))
        self._cursor(painter, QFontMetricsF(font))
        painter.setPen(theme.token("border"))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
        painter.end()

    def _axis(self, painter: QPainter, metrics: QFontMetricsF) -> None:
        view, width = self.state.viewport.view, self.width()
        step, parts = tick_step(view.span_ns, width)
        small = max(1, step // parts)
        painter.setPen(theme.token("strong"))
        for t in self._times(small):
            at = round(view.x_of(t, width))
            painter.drawLine(at, self.scale - (7 if t % step == 0 else 4), at, self.scale - 1)
        painter.setPen(theme.token("text2"))
        for left, text in self.labels(metrics):
            painter.drawText(QPointF(left, 3 + metrics.ascent()), text)
        painter.setPen(theme.token("grid"))
        painter.drawLine(0, self.scale, width, self.scale)

    def _distance(self, painter: QPainter, font: QFont) -> None:
        found = self.state.range
        if found is None:
            return
        view, width = self.state.viewport.view, self.width()
        x0, x1 = view.x_of(found.start_ns, width), view.x_of(found.end_ns, width)
        left, right = max(x0, -10.0), min(x1, width + 10.0)
        if right < 0 or left > width:
            return
        colour, middle = theme.token("focus"), self.scale + self.markers // 2
        painter.setPen(QPen(colour, 1))
        for x in (x0, x1):
            if 0 <= x <= width:
                painter.drawLine(QPointF(round(x), self.scale + 2), QPointF(round(x), self.height() - 1))
        bold = QFont(font)
        bold.setWeight(QFont.Weight.DemiBold)
        painter.setFont(bold)
        text = number_text.duration(found.end_ns - found.start_ns)
        room = QFontMetricsF(bold).horizontalAdvance(text) + 12
        shown = (max(left, 0.0), min(right, float(width)))
        centre = min(max((shown[0] + shown[1]) / 2, room / 2), width - room / 2)
        if shown[1] - shown[0] > room:
            painter.drawLine(QPointF(shown[0], middle), QPointF(centre - room / 2, middle))
            painter.drawLine(QPointF(centre + room / 2, middle), QPointF(shown[1], middle))
        else:
            centre = shown[1] + room / 2 + 2 if shown[1] + room + 4 < width else shown[0] - room / 2 - 2
        painter.setPen(theme.token("accent"))
        painter.drawText(
            QRectF(centre - room / 2, self.scale, room, self.markers - 1), Qt.AlignmentFlag.AlignCenter, text
        )
        painter.setFont(font)

    def flag_button(self) -> QRectF | None:
        """Where the flag button of the range is: at its right end; None without a range on screen."""
        found = self.state.range
        if found is None:
            return None
        x = self.state.viewport.view.x_of(found.end_ns, self.width())
        return QRectF(x + 2, self.scale + 1, _BUTTON, _BUTTON) if -_BUTTON < x < self.width() else None

    def _flag_button(self, painter: QPainter) -> None:
        box, found = self.flag_button(), self.state.range
        if box is not None and found is not None:
            known = self.state.flags.of_span(found.start_ns, found.end_ns, found.card)
            painter.fillRect(box, theme.token("surface"))
            ratio = self.devicePixelRatioF()
            pixmap = icons.pixmap("flag-fill", "ok" if known is not None else "accent", _BUTTON - 2, ratio)
            painter.drawPixmap(round(box.left()) + 1, round(box.top()) + 1, pixmap)

    def flag_at(self, at: QPointF) -> flags.Flag | None:
        """The flag whose banner is at a place."""
        metrics = QFontMetricsF(fonts.ui(11))
        shown = flags.banners(self.state.flags, self.state.viewport.view, self.width(), self.scale + 1, metrics)
        return next((b.flag for b in reversed(shown) if b.box.adjusted(-2, -2, 2, 2).contains(at)), None)

    def _total(self, painter: QPainter, metrics: QFontMetricsF) -> None:
        total = self.state.viewport.total_ns
        if total < _CHIP_FROM_NS:
            return
        text = self.tr("Total {0}").format(number_text.chip(total))
        room = metrics.horizontalAdvance(text) + 12
        box = QRectF(self.width() - room - 4, 3, room, self.scale - 7)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.token("hover"))
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(theme.token("text2"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _cursor(self, painter: QPainter, metrics: QFontMetricsF) -> None:
        at = self.state.hover.time_ns
        if at is None:
            return
        text = number_text.ruler(at)
        room = metrics.horizontalAdvance(text) + 12
        x = self.state.viewport.view.x_of(at, self.width())
        box = QRectF(min(max(x, 0.0), self.width() - room), 2, room, self.scale - 7)
        painter.fillRect(box, theme.token("accentfill"))
        painter.setPen(QColor("#FFFFFF"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grabbed = event.position().x()
            self._press = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is not None:
            self.state.viewport.pan((self._grabbed - event.position().x()) / max(self.width(), 1))
            self._grabbed = event.position().x()
        else:
            self._show_tip(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        grabbed, self._grabbed = self._grabbed, None
        self.unsetCursor()
        if grabbed is not None and (event.position() - self._press).manhattanLength() < _DRAG_FROM:
            self._click(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        flag = self.flag_at(event.position())
        if flag is not None:
            place = QPoint(round(event.position().x()), self.height())
            flag_edit.edit(self.state.flags, flag.number, self, self.mapToGlobal(place))

    def _click(self, at: QPointF) -> None:
        if at.y() < self.scale or self.state.first_card is None:
            return
        button, flag = self.flag_button(), self.flag_at(at)
        if button is not None and button.contains(at):
            self.state.flags.toggle_range()
        elif flag is not None:
            self.state.flags.select(flag.number)
        else:
            self.state.flags.add_single(max(0, self.state.viewport.view.time_at(at.x(), self.width())))

    def _show_tip(self, at: QPointF) -> None:
        button, flag, found = self.flag_button(), self.flag_at(at), self.state.range
        text = ""
        if button is not None and button.contains(at) and found is not None:
            known = self.state.flags.of_span(found.start_ns, found.end_ns, found.card)
            text = self.tr("Remove the flag of this range") if known is not None else self.tr("Flag this range (K)")
        elif flag is not None:
            text = self.tr("{0}: double click to edit").format(flag.name)
        if text != self.toolTip():
            self.setToolTip(text)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.wheel_turned.emit(event)
