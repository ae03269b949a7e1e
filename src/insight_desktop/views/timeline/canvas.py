"""The chart of the lanes: blits the newest frame and paints on it what moves with the mouse and the selection."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from insight_desktop.views.common import number_text, theme
from insight_desktop.views.timeline import chain, flags, folding, links, paint
from insight_desktop.views.timeline.area import Area
from insight_desktop.views.timeline.bands import BandMaker
from insight_desktop.views.timeline.flow_lines import FlowLayer
from insight_desktop.views.timeline.frames import Frame, FrameMaker, slice_height
from insight_desktop.views.timeline.interaction import Gestures
from insight_desktop.views.timeline.labels import Labels
from insight_desktop.views.timeline.tooltip import lane_name

_LOOK_MS = 60  # links of a hub are chosen anew this long after the view came to rest
_MARGIN = 120  # pixels of rows above and below the visible ones that are painted ahead


class Canvas(QWidget):
    """One chart area (pinned or main).

    Signals:
        menu_wanted: context menu at a global position.
        tip_wanted: something is under the mouse: (`Hit`, position in the canvas); None takes the tooltip away.
    """

    menu_wanted = Signal(QPoint)
    tip_wanted = Signal(object, QPoint)

    def __init__(self, area: Area, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.area = area
        self.state = area.state
        self.labels = Labels()
        self.maker = FrameMaker(self)
        self.bands = BandMaker(self.state)
        self.gestures = Gestures(self)
        self.linked: list[links.Linked] = []
        self.flows = FlowLayer(area, self)
        self.chain: chain.Chain | None = None  # of the page, when it has tables of chains
        self.synchronous = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(self.tr("Pinned lanes") if area.pinned else self.tr("Timeline chart"))
        state = self.state
        for signal in (
            state.viewport.changed,
            state.rows_changed,
            state.highlight_changed,
            state.filter_changed,
            state.lanes_changed,
            state.colouring.changed,
            area.scrolled,
        ):
            signal.connect(self.renew)
        for signal in (state.range_changed, state.flags.changed, state.modes.changed):
            signal.connect(self.update)
        for signal in (
            state.modes.flows_changed,
            state.modes.changed,
            state.viewport.changed,
            state.rows_changed,
            area.scrolled,
        ):
            signal.connect(self.renew_flows)
        self.flows.made.connect(self.update)
        self._look = QTimer(self, singleShot=True, interval=_LOOK_MS)
        self._look.timeout.connect(self._seen)
        state.viewport.changed.connect(self._look.start)
        state.hover_changed.connect(self._hovered)
        state.selection_changed.connect(self._selected)
        state.modes.changed.connect(self._selected)
        self.maker.made.connect(self.update)
        self.maker.failed.connect(lambda text: state.context.message.emit("error", text, ""))
        self._lit: tuple[str | None, int | None] = (None, None)

    # ---- frames ------------------------------------------------------------------------------------------------------

    def restyle(self) -> None:
        """Theme, text size or data changed."""
        self.labels.clear()
        self.bands.forget()
        self.renew()

    def renew(self) -> None:
        """Ask for a new frame; until it is there the old one is shown, moved and stretched."""
        if self.width() > 0 and self.area.height > 0 and self.isVisibleTo(self.window()):
            request = self.bands.request(self.area, self.width(), self.devicePixelRatioF(), _MARGIN)
            if self.synchronous:
                self.maker.make_now(request)
            else:
                self.maker.ask(request)
        self.update()

    def renew_flows(self) -> None:
        """The links of whole categories have to be painted anew."""
        if self.state.modes.flow_categories or self.flows.layer is not None:
            self.flows.renew(self.width(), self.height(), self.devicePixelRatioF(), now=self.synchronous)
            self.update()

    def render_now(self) -> QImage:
        """A whole frame, painted at once in this thread: for exports, tests and benchmarks."""
        ratio = self.devicePixelRatioF()
        self.maker.make_now(self.bands.request(self.area, self.width(), ratio, 0))
        image = QImage(round(self.width() * ratio), round(self.height() * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        painter = QPainter(image)
        self._paint(painter)
        painter.end()
        return image

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self.area.set_height(self.height())
        self.renew_flows()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._paint(painter)
        painter.end()

    def _paint(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), theme.token("canvas"))
        area, view, width = self.area, self.state.viewport.view, self.width()
        paint.row_grounds(painter, area, width)
        frame = self.maker.frame
        if frame is not None and area.rows.rows and frame.request.view.fold is view.fold:
            left, length = frame.place(view, width)
            height = len(frame.array)
            painter.drawImage(QRectF(left, frame.request.y0 - area.scroll, length, height), frame.image)
            self._labels(painter, frame, left, length)
        paint.counter_tops(painter, area, width, self.bands.known_tops(), self.labels)
        paint.reading(painter, area, width, self.labels)
        paint.after_data(painter, self.state, width, self.height())
        self.flows.paint(painter, width)
        folding.paint(painter, view, width, 0, self.height())
        paint.mask(painter, self.state, width, self.height())
        paint.range_shade(painter, area, width, self.height())
        flags.paint_lines(painter, self.state.flags, width, self.height())
        paint.selected_slice(painter, area, width)
        if self.linked:
            links.draw(painter, links.curves(area, self.linked, width), theme.token("text"), theme.token("canvas"))
        if self.chain is not None:
            chain.draw(painter, area, self.chain, width)
        paint.sticky_card(painter, area, width, frame)
        paint.box(painter, self.gestures.box, self.height())
        paint.cursor_line(painter, self.state, width, self.height())

    def _labels(self, painter: QPainter, frame: Frame, left: float, length: float) -> None:
        scale, width, top, bottom = (
            length / frame.pixels,
            self.width(),
            self.area.scroll - 20,
            self.area.scroll + self.height(),
        )
        for label in frame.labels:
            if not top < label.y < bottom:
                continue
            x0, x1 = max(left + label.x0 * scale, 0.0), min(left + label.x1 * scale, float(width))
            if x1 - x0 >= 26:
                painter.setOpacity(0.45 if label.dimmed else 1.0)
                self.labels.draw(
                    painter, x0, label.y - self.area.scroll, x1 - x0, slice_height(), label.text, label.ink
                )
        painter.setOpacity(1.0)
        style = frame.request.style
        ink, last = theme.token("text2").rgb(), (-1, -100.0)
        for y, x, fixed in frame.marks:
            at = left + x * scale
            if not (top < y < bottom and -8 < at < width + 8) or (last[0] == y and at - last[1] < paint.CHEVRON / 2):
                continue  # chevrons that would cover each other say no more than one
            paint.chevron(painter, at, y - self.area.scroll, fixed or ink, style.ground)
            last = (y, at)

    # ---- what changed ------------------------------------------------------------------------------------------------

    def _hovered(self) -> None:
        lit = (self.state.hover.card, self.state.hover.name_id)
        if lit != self._lit:
            self._lit = lit
            self.renew()
        self.update()

    def _seen(self) -> None:
        """Another stretch of time is seen: of a slice with very many links others are drawn."""
        if self.linked and links.is_hub(self.state):
            self.linked = links.of_selection(self.state)
            self.update()

    def _selected(self) -> None:
        self.linked = [] if self.area.pinned else links.of_selection(self.state)
        chosen = self.state.selected
        if chosen is not None:
            lane = lane_name(self.state, self.state.unit_of_track(chosen.card, chosen.track))
            text = f"{chosen.name}, {number_text.duration(chosen.end_ns - chosen.start_ns)}, {lane}"
            self.setAccessibleDescription(text)
        else:
            self.setAccessibleDescription("")
        self.update()

    # ---- events, all of them handled by the gestures -----------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.gestures.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.gestures.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.gestures.release(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.gestures.wheel(event)

    def enterEvent(self, _event: QEnterEvent) -> None:
        self.gestures.inside = True

    def leaveEvent(self, _event: Any) -> None:
        self.gestures.leave()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:  # the selection stays, wherever the mouse is
            self.menu_wanted.emit(self.mapToGlobal(self.area.menu_place(self.width())))
            return
        self.gestures.right_click(event.pos())
        self.menu_wanted.emit(event.globalPos())
