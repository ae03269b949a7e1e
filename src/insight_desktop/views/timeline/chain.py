"""The slices of a dispatch chain in the chart: framed, and joined from the Python call to the task of the device."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from insight_desktop.views.common import theme
from insight_desktop.views.timeline import links, paint
from insight_desktop.views.timeline.area import Area
from insight_desktop.views.timeline.state import Selected, TimelineState

_ALL_DRAWN, _APART = 300, 2.0  # slices that are all drawn; pixels between drawn ones of a lane
_ALL_JOINED, _JOIN_APART = 120, 12.0  # slices that are all joined; pixels between the ends of curves of more


class Chain(QObject):
    """The chain that a table shows.

    Signals:
        changed: other slices are shown, or none.
    """

    changed = Signal()

    def __init__(self, state: TimelineState) -> None:
        super().__init__(state)
        self.state = state
        self.card = ""
        self.ids: list[int] = []
        self._slices: list[Selected] | None = None
        self.pictures: dict[bool, tuple[tuple[object, ...], QPixmap]] = {}  # what was drawn last, by pinned
        state.context.chain_shown.connect(self.show)
        state.context.store_changed.connect(self._check)

    def show(self, card: str, ids: list[int]) -> None:
        """Show the slices of a card in the order of the chain; an empty list shows nothing."""
        if (card, ids) != (self.card, self.ids):
            self.card, self.ids, self._slices = card, list(ids), None
            self.changed.emit()

    def clear(self) -> None:
        self.show("", [])

    def slices(self) -> list[Selected]:
        """The slices, in order."""
        if self._slices is None:
            found = (self.state.slice(self.card, number) for number in self.ids)
            self._slices = [one for one in found if one is not None]
        return self._slices

    def seen(self, width: int) -> list[Selected]:
        """Of many slices those in sight with a neighbour on each side, one per lane and two pixels."""
        every = self.slices()
        if len(every) <= _ALL_DRAWN:
            return every
        view = self.state.viewport.view
        found: list[Selected] = []
        last: dict[tuple[int, int], float] = {}
        before: Selected | None = None
        for one in every:
            x = view.x_of(one.start_ns - self.state.shift_of(one), width)
            if x < 0:
                before = one
                continue
            if before is not None:
                found.append(before)
                before = None
            if x - last.get((one.track, one.lane), -9.0) >= _APART:
                last[one.track, one.lane] = x
                found.append(one)
            if x > width:
                break
        return found

    def _check(self) -> None:
        self._slices = None
        if self.ids and self.state.capture(self.card) is None:
            self.clear()


def draw(painter: QPainter, area: Area, chain: Chain, width: int) -> None:
    """Frames in the colour of the selection, and curves from each slice to the next one that is shown.

    The picture is kept while the view stays: hundreds of curves take longer than a move of the mouse may.
    """
    if not chain.ids:
        return
    device = painter.device()
    ratio = device.devicePixelRatio() if device is not None else 1.0
    view, every = area.state.viewport.view, chain.slices()
    key = (
        view,
        view.fold,
        area.state.modes.links_end_late,
        area.scroll,
        area.rows,
        width,
        area.height,
        ratio,
        theme.token("accent").rgba(),
        every,
    )
    kept = chain.pictures.get(area.pinned)
    if kept is None or not all(
        a is b or (not isinstance(a, list) and a == b) for a, b in zip(kept[0], key, strict=True)
    ):
        picture = QPixmap(max(1, round(width * ratio)), max(1, round(area.height * ratio)))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as inner:
            _paint(inner, area, chain, width)
        kept = chain.pictures[area.pinned] = (key, picture)
    painter.drawPixmap(0, 0, kept[1])


def _paint(painter: QPainter, area: Area, chain: Chain, width: int) -> None:
    shown = chain.seen(width)
    colour = theme.token("accent")
    if not area.pinned:
        joined = [links.Linked("chain", a, b) for a, b in pairwise(_spaced(area, shown, width))]
        can_wait = area.state.modes.links_end_late
        for late in (False, True):  # what was running already when the one before it ended was waiting for that
            part = [link for link in joined if (can_wait and link.source.end_ns > link.target.start_ns) == late]
            links.draw(painter, links.curves(area, part, width, late=late), colour, theme.token("canvas"))
    for one in shown:
        rect = paint.slice_rect(area, width, one)
        if rect is not None and -width < rect.left() < 2 * width:
            _frame(painter, rect, colour)


def _spaced(area: Area, shown: list[Selected], width: int) -> list[Selected]:
    """Of many slices those that are far enough from the one before to see a curve between them."""
    if len(shown) <= _ALL_JOINED:
        return shown
    view, found, last = area.state.viewport.view, [], -1e9
    for one in shown:
        x = view.x_of(one.start_ns - area.state.shift_of(one), width)
        if x - last >= _JOIN_APART:
            found.append(one)
            last = x
    return found


def _frame(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    pen = QPen(colour, 2)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    left = round(rect.left())
    right = max(round(rect.right()), left + 4)
    painter.drawRect(QRectF(QPointF(left, rect.top()), QPointF(right, rect.bottom())))
