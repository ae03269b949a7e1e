"""All links of chosen categories: thinned and painted off the window's thread, below the links of the selected slice."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.timeline import links
from insight_desktop.engine.timeline.merge import MergedLanes
from insight_desktop.views.common import theme
from insight_desktop.views.common.ask import Background
from insight_desktop.views.timeline.area import Area
from insight_desktop.views.timeline.layout import heights
from insight_desktop.views.timeline.viewport import View

MOST_CATEGORIES = 10
MOST_LINES = 1500  # of one category and card; more than that is a grey cloud
_ARROW = 7.0
_FAR = 4000.0


def colour_of(category: str) -> QColor:
    """The colour of a category, the same in every run."""
    palette = theme.slices()
    return QColor.fromRgb(int(palette[zlib.crc32(category.encode()) % len(palette)]))


@dataclass(frozen=True, eq=False)
class Places:
    """Where the lanes of one card are drawn; arrays by track.

    Attributes:
        top: y of the first depth row in the rows, NaN where nothing is shown.
        step: distance of depth rows, 0 for previews of closed units.
        own: whether the lane itself is shown (not the preview of what holds it).
        shift_ns: recorded minus axis time.
        merged: tracks drawn as one lane, and that lane.
    """

    capture: Capture
    top: Array
    step: Array
    own: Array
    shift_ns: Array
    merged: tuple[tuple[frozenset[int], MergedLanes], ...]


@dataclass(frozen=True, eq=False)
class Wish:
    """What is to be painted: a view, its size in logical pixels, the scroll position, categories with colours."""

    view: View
    width: int
    height: int
    scroll: int
    ratio: float
    cards: tuple[Places, ...]
    categories: tuple[tuple[str, QColor], ...]
    either: tuple[int, int] | None  # axis time in which one end must lie
    late: bool = False  # lines lead from the end of the source to the end of the target


@dataclass(frozen=True, eq=False)
class Layer:
    """A painted wish and how many lines it has."""

    wish: Wish
    image: QImage
    lines: int


def places_of(area: Area, card: str) -> Places | None:
    """Where the lanes of a card are in an area; None while the card is closed or being read."""
    state = area.state
    opened = state.cards.get(card)
    if opened is None or opened.capture is None or not state.is_open(opened.unit):
        return None
    count = opened.capture.tracks.num_rows
    top, step = np.full(count, np.nan), np.zeros(count)
    own, shift = np.zeros(count, np.bool_), np.zeros(count, np.int64)
    merged = []
    for unit in opened.units.values():
        row = state.shown_row(area.rows, unit.key) if unit.tracks else None
        if row is None or row.unit is None:
            continue
        found = state.merges.of(unit)
        if found is not None:
            merged.append((frozenset(unit.tracks), found))
        for track in unit.tracks:
            own[track] = row.unit is unit
            shift[track] = state.shift_ns(card, unit)
            if not own[track]:
                top[track] = row.y + heights.group / 2
            elif row.kind == "lane":
                top[track], step[track] = row.y + heights.row / 2, heights.row
            else:
                step[track] = (row.height - 4) / max(unit.depth_rows, 1)
                top[track] = row.y + 2 + step[track] / 2
    return Places(opened.capture, top, step, own, shift, tuple(merged))


def points(wish: Wish, places: Places, ids: Array, stamps: Array) -> tuple[Array, Array, Array]:
    """Pixels (x, y) of slices at recorded times, and whether their own lane is shown."""
    capture = places.capture
    lanes = np.searchsorted(np.asarray(capture.lane_offset), ids, "right") - 1
    track, depth = np.asarray(capture.lane_track)[lanes], np.asarray(capture.lane_row)[lanes].astype(np.int64)
    for tracks, found in places.merged:
        mine = np.isin(track, list(tracks))
        at = found.from_base(ids[mine])
        rows = np.searchsorted(np.asarray(found.column("lane_offset")), at, "right") - 1
        depth[mine] = np.maximum(rows, 0)
    x = np.clip(wish.view.xs_of(stamps - places.shift_ns[track], wish.width), -_FAR, wish.width + _FAR)
    return x, places.top[track] + depth * places.step[track] - wish.scroll, places.own[track]


def curves(wish: Wish, places: Places, category: str) -> Array:
    """The lines of a category on a card as rows (x0, y0, x1, y1)."""
    source, target = links.in_window(
        places.capture, category, wish.view.first_ns, wish.view.last_ns, limit=MOST_LINES, either_end=wish.either,
        shifts=places.shift_ns,
    )  # fmt: skip
    if not len(source):
        return np.empty((0, 4))
    start, end = np.asarray(places.capture.slice_start), np.asarray(places.capture.slice_end)
    leave = end[source] if wish.late else np.where(end[source] <= start[target], end[source], start[source])
    x0, y0, own0 = points(wish, places, source, leave)
    x1, y1, own1 = points(wish, places, target, end[target] if wish.late else start[target])
    found = np.stack([x0, y0, x1, y1], axis=1)
    seen = (own0 | own1) & ~np.isnan(found).any(axis=1)
    seen &= (np.maximum(y0, y1) >= 0) & (np.minimum(y0, y1) <= wish.height)
    return found[seen]


def render(wish: Wish) -> Layer:
    """Paint a wish, in whatever thread this is called."""
    ratio = wish.ratio
    image = QImage(
        max(1, round(wish.width * ratio)), max(1, round(wish.height * ratio)), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    lines = 0
    for category, colour in wish.categories:
        for places in wish.cards:
            found = curves(wish, places, category)
            lines += len(found)
            _paint(painter, found, colour)
    painter.end()
    return Layer(wish, image, lines)


def _paint(painter: QPainter, found: Array, colour: QColor) -> None:
    path = QPainterPath()
    half = _ARROW * math.tan(math.radians(30))
    heads = []
    for x0, y0, x1, y1 in found.tolist():
        reach = min(max(abs(x1 - x0) / 2, 16.0), 120.0)
        path.moveTo(x0, y0)
        path.cubicTo(x0 + reach, y0, x1 - reach, y1, x1, y1)
        heads.append(QPolygonF([QPointF(x1, y1), QPointF(x1 - _ARROW, y1 - half), QPointF(x1 - _ARROW, y1 + half)]))
    painter.setPen(QPen(colour, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for head in heads:
        painter.drawPolygon(head)


class FlowLayer(QObject):
    """The newest painted layer of one chart.

    Signals:
        made: another layer is there.
    """

    made = Signal()

    def __init__(self, area: Area, parent: QObject) -> None:
        super().__init__(parent)
        self.area = area
        self.layer: Layer | None = None
        self._background = Background(self)

    def wish(self, width: int, height: int, ratio: float) -> Wish | None:
        """What is to be painted now; None when no category is chosen."""
        state = self.area.state
        chosen = state.modes.flow_categories
        if not chosen or self.area.pinned:
            return None
        cards = tuple(p for p in (places_of(self.area, name) for name in state.cards) if p is not None)
        locked = state.modes.locked
        either = None if locked is None else (locked.start_ns, locked.end_ns)
        categories = tuple((name, colour_of(name)) for name in chosen)
        late = state.modes.links_end_late
        return Wish(state.viewport.view, width, height, self.area.scroll, ratio, cards, categories, either, late)

    def renew(self, width: int, height: int, ratio: float, *, now: bool = False) -> None:
        """Ask for a new layer; the old one is shown, moved and stretched, until it is there."""
        wish = self.wish(width, height, ratio)
        if wish is None:
            self._background.drop("flows")
            self.layer = None
        elif now:
            self.layer = render(wish)
        else:
            self._background.run("flows", lambda: render(wish), then=self._take, failed=lambda _error: None)

    def _take(self, layer: Layer) -> None:
        self.layer = layer
        self.made.emit()

    def paint(self, painter: QPainter, width: int) -> None:
        """Blit the layer where the view of now has it."""
        layer = self.layer
        if layer is None:
            return
        made, view = layer.wish.view, self.area.state.viewport.view
        left, length = view.x_of_place(made.left_ns, width), made.span_ns * width / view.span_ns
        if length <= 20 * width and made.fold is view.fold:
            painter.drawImage(
                QRectF(left, layer.wish.scroll - self.area.scroll, length, layer.wish.height), layer.image
            )
