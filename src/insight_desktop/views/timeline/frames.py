"""Pictures of the lanes, made off the window's thread: the newest wish is served, older ones are dropped.

A frame is one image of the rows in a window of heights, plus where its labels and marks go. The canvas blits it, moved
and stretched until the next one arrives.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from shiboken6 import isValid

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.timeline import raster
from insight_desktop.engine.timeline.filter_capture import FilteredCapture
from insight_desktop.views.common.mailbox import open_mailbox, post
from insight_desktop.views.common.pools import Pool
from insight_desktop.views.timeline import steps
from insight_desktop.views.timeline.colouring import Colours
from insight_desktop.views.timeline.labels import LEAST_WIDTH
from insight_desktop.views.timeline.layout import heights
from insight_desktop.views.timeline.viewport import View

Pixels = npt.NDArray[np.uint32]
_POOL = Pool("frame")
_GAP = 2  # between the slices of two depth rows
_EDGED_PX = 3  # slices from this width have an edge in the light theme, their fill × 0.75


def slice_height() -> int:
    """Height of a slice."""
    return heights.row - _GAP


@dataclass(frozen=True, eq=False)
class Style:
    """Colours of a frame as 0xFFRRGGBB."""

    ground: int
    raised: int
    grid: int
    grey: int
    selected: int
    palette: Pixels
    inks: Pixels
    series: tuple[int, ...]
    edges: bool


@dataclass(frozen=True, eq=False)
class Band:
    """One row to be painted, as plain data for the worker.

    Attributes:
        kind: as `layout.Row.kind`.
        y, height: place in the rows.
        shift_ns: recorded time minus axis time.
        lanes: depth rows of the capture, top first (`lane`, `folded`).
        tracks: what a preview unites (`group`, `card`).
        series: lines of a counter.
        top: value at the upper edge of a counter.
        fixed: colour of all slices, 0 for the colour of their name.
        highlight: one truth value per string id, others are painted with `dim`; None for all.
        selected: the ground of the row is tinted.
        passing: the slices that a filter lets pass; all others are painted with `dim`. None when names tell it all.
        shifts: of every track of a preview, where lanes are moved apart; None when `shift_ns` holds for all.
        colours: what slices are coloured by, other than by their name.
        outline: a counter is a line without a filled area.
    """

    kind: str
    y: int
    height: int
    card: str
    capture: Capture
    shift_ns: int
    lanes: npt.NDArray[np.int32]
    tracks: npt.NDArray[np.int32]
    series: tuple[int, ...] = ()
    top: float = 0.0
    fixed: int = 0
    highlight: npt.NDArray[np.bool_] | None = None
    dim: float = 1.0
    selected: bool = False
    passing: FilteredCapture | None = None
    shifts: npt.NDArray[np.int64] | None = None
    colours: Colours | None = None
    outline: bool = False


@dataclass(frozen=True, eq=False)
class Request:
    """A wish: which rows between two heights, at which view, how wide (device pixels)."""

    view: View
    width: int
    y0: int
    y1: int
    bands: tuple[Band, ...]
    style: Style
    ratio: float = 1.0  # device pixels per logical pixel


@dataclass(frozen=True, slots=True)
class Label:
    """A name on a slice: top of the slice in the rows, pixels of the frame, colour of the ink, whether it is dimmed."""

    y: int
    x0: float
    x1: float
    text: str
    ink: int
    dimmed: bool


@dataclass(eq=False)
class Frame:
    """A painted request. `image` covers [x_of(view.left_ns), …) with `pixels` columns; marks are (y, x, colour)."""

    request: Request
    pixels: int
    image: QImage
    array: Pixels
    labels: list[Label] = field(default_factory=list)
    marks: list[tuple[int, float, int]] = field(default_factory=list)

    def place(self, view: View, width: float) -> tuple[float, float]:
        """Left edge and length of the image in logical pixels, when it is shown at another view."""
        made = self.request.view
        left = view.x_of_place(made.left_ns, width)
        return left, (made.right_ns - made.left_ns) * width / view.span_ns


def render(request: Request) -> Frame:
    """Paint a request, in whatever thread this is called."""
    return _straight(request) if request.view.fold is None else _with_folds(request)


def _with_folds(request: Request) -> Frame:
    """Every stretch between folded gaps is painted by itself; those narrower than a pixel are left out."""
    view = request.view
    frame = _blank(request)
    for a, b in view.stretches():
        x0, x1 = (min(max(round(view.x_of(t, request.width)), 0), frame.pixels) for t in (a, b - 1))
        x1 = min(max(x1, round(view.x_of_place(_place(view, a) + b - a, request.width))), frame.pixels)
        if x1 <= x0:
            continue
        part = _straight(replace(request, view=View(a, 0.0, float(b - a)), width=x1 - x0))
        width = min(x1 - x0, part.pixels)
        frame.array[:, x0 : x0 + width] = part.array[:, :width]
        for label in part.labels:
            left, right = max(label.x0, 0.0), min(label.x1, float(width))
            frame.labels.append(replace(label, x0=left + x0, x1=right + x0))
        frame.marks += [(y, x + x0, colour) for y, x, colour in part.marks]
    return frame


def _place(view: View, time_ns: int) -> int:
    return time_ns if view.fold is None else view.fold.place(time_ns)


def _blank(request: Request) -> Frame:
    """A frame of nothing but the ground."""
    view, style = request.view, request.style
    pixels = max(1, round((view.right_ns - view.left_ns) * request.width / view.span_ns))
    array = np.full((max(1, request.y1 - request.y0), pixels), style.ground, np.uint32)
    image = QImage(array.data, pixels, array.shape[0], pixels * 4, QImage.Format.Format_RGB32)
    return Frame(request, pixels, image, array)


def _straight(request: Request) -> Frame:
    view, style = request.view, request.style
    t0, t1 = view.left_ns, view.right_ns
    frame = _blank(request)
    for band in request.bands:
        if band.kind in ("lane", "folded"):
            continue
        _grounds(frame, band)
    by_card: dict[tuple[int, int, bool, int], list[Band]] = {}
    for band in request.bands:
        if band.kind in ("lane", "folded"):
            alike = id(band.capture), band.shift_ns, band.kind == "lane", id(band.colours)
            by_card.setdefault(alike, []).append(band)
    for (_, _, is_full, _), bands in by_card.items():
        (_lanes if is_full else _folded)(frame, bands, t0, t1)
    for band in request.bands:
        if band.kind in ("group", "card"):
            _preview(frame, band, t0, t1)
        elif band.kind == "counter":
            steps.paint(frame.array, band, request.y0, t0, t1, style)
        if band.selected:
            _tint(frame, band)
        _line(frame, band.y + band.height - 1, style.grid)
    return frame


def _grounds(frame: Frame, band: Band) -> None:
    if band.kind == "card":
        a, b = band.y - frame.request.y0, band.y + band.height - frame.request.y0
        frame.array[max(a, 0) : max(b, 0)] = frame.request.style.raised


def _tint(frame: Frame, band: Band) -> None:
    """Colour what is still ground, so that the slices of a selected lane keep their colours."""
    a, b = max(band.y - frame.request.y0, 0), max(band.y + band.height - frame.request.y0, 0)
    rows, style = frame.array[a:b], frame.request.style
    rows[rows == style.ground] = style.selected
    rows[rows == style.raised] = style.selected


def _line(frame: Frame, y: int, colour: int) -> None:
    at = y - frame.request.y0
    if 0 <= at < len(frame.array):
        frame.array[at] = colour


def _visible_lanes(frame: Frame, band: Band) -> tuple[int, int]:
    """The depth rows of an open lane that lie in the frame's heights."""
    first = max(0, (frame.request.y0 - band.y) // heights.row)
    return first, min(len(band.lanes), -(-(frame.request.y1 - band.y) // heights.row))


def _lanes(frame: Frame, bands: list[Band], t0: int, t1: int) -> None:
    """Open lanes of one card: one call for all of them."""
    style, capture, shift = frame.request.style, bands[0].capture, bands[0].shift_ns
    lanes: list[int] = []
    tops: list[int] = []
    fixed: list[int] = []
    for band in bands:
        first, last = _visible_lanes(frame, band)
        lanes += band.lanes[first:last].tolist()
        tops += [band.y + row * heights.row + 1 for row in range(first, last)]
        fixed += [band.fixed] * max(0, last - first)
    if not lanes:
        return
    asked = np.array(lanes, np.int32)
    lines = _slices(frame, bands[0], asked, np.array(fixed, np.uint32), t0 + shift, t1 + shift)
    edges = _edged(frame, capture, asked, t0 + shift, t1 + shift, lines) if style.edges else lines
    height = len(frame.array)
    for row, top in enumerate(tops):
        a, b = top - frame.request.y0, top + slice_height() - frame.request.y0
        frame.array[max(a, 0) : max(min(b, height), 0)] = lines[row]
        if style.edges:
            for y in (a, b - 1):
                if 0 <= y < height:
                    frame.array[y] = edges[row]
    _labels(frame, bands[0], asked, tops, fixed, t0 + shift, t1 + shift)
    rows, xs = raster.zero_marks(capture, asked, t0 + shift, t1 + shift, frame.pixels)
    frame.marks += [(tops[r], x, fixed[r]) for r, x in zip(rows.tolist(), xs.tolist(), strict=True)]
    _instants_without_slices(frame, bands, t0, t1)


def _slices(frame: Frame, band: Band, lanes: npt.NDArray[np.int32], fixed: Pixels | None, t0: int, t1: int) -> Pixels:
    """Lines of pixels of some depth rows; what a filter lets pass is painted over the rest, which is dimmed."""
    style, light = frame.request.style, band.highlight

    own = band.colours

    def paint(capture: Capture, highlight: npt.NDArray[np.bool_] | None) -> Pixels:
        return raster.slice_image(
            capture, lanes, t0, t1, frame.pixels, style.palette if own is None else own.palette,
            fixed=fixed, highlight=highlight, dim=band.dim, ground=style.ground,
            index=None if own is None else own.index, limits=None if own is None else own.limits,
        )  # fmt: skip

    if band.passing is None:
        return paint(band.capture, light)
    below = paint(band.capture, np.zeros(len(band.capture.string_hash), np.bool_))
    above = paint(band.passing, light)
    return np.where(above == np.uint32(style.ground), below, above)


def _instants_without_slices(frame: Frame, bands: list[Band], t0: int, t1: int) -> None:
    for band in bands:
        if not len(band.lanes):
            xs = raster.instant_marks(
                band.capture, int(band.tracks[0]), t0 + band.shift_ns, t1 + band.shift_ns, frame.pixels
            )
            frame.marks += [(band.y + 1, x, 0) for x in xs.tolist()]


def _edged(frame: Frame, capture: Capture, lanes: npt.NDArray[np.int32], t0: int, t1: int, lines: Pixels) -> Pixels:
    """Upper and lower edge lines; the left and right edges are painted into `lines` itself."""
    found = raster.spans(capture, lanes, t0, t1, frame.pixels, _EDGED_PX, limit=frame.pixels * len(lanes) // 2 + 1)
    x0 = np.maximum(found.x0, 0).astype(np.int64)
    x1 = np.minimum(found.x1.astype(np.int64), frame.pixels)
    wide = x1 - x0 >= _EDGED_PX
    rows, x0, x1 = found.lane_index[wide], x0[wide], x1[wide]
    inside = np.zeros((lines.shape[0], lines.shape[1] + 1), np.int8)
    inside[rows, x0] += 1
    inside[rows, x1] -= 1
    covered = np.cumsum(inside[:, :-1], axis=1, dtype=np.int8) > 0
    dark = _darker(lines)
    edges = np.where(covered, dark, lines)
    begins, ends = found.x0[wide] >= 0, found.x1[wide] <= frame.pixels
    lines[rows[begins], x0[begins]] = dark[rows[begins], x0[begins]]
    lines[rows[ends], x1[ends] - 1] = dark[rows[ends], x1[ends] - 1]
    return edges


def _darker(lines: Pixels) -> Pixels:
    out = np.full_like(lines, 0xFF000000)
    for shift in (0, 8, 16):
        out |= ((((lines >> np.uint32(shift)) & np.uint32(255)) * np.uint32(192)) >> np.uint32(8)) << np.uint32(shift)
    return out


def _labels(
    frame: Frame, band: Band, lanes: npt.NDArray[np.int32], tops: list[int], fixed: list[int], t0: int, t1: int
) -> None:
    capture, style = band.capture, frame.request.style
    found = raster.spans(capture, lanes, t0, t1, frame.pixels, LEAST_WIDTH * frame.request.ratio)
    hashes = capture.string_hash
    texts: dict[int, str] = {}
    dim = _dimmed(band, found)
    lengths = _lengths(band, found)
    for row, x0, x1, name, dimmed, length in zip(
        found.lane_index.tolist(), found.x0.tolist(), found.x1.tolist(), found.name.tolist(), dim, lengths, strict=True
    ):
        if fixed[row]:
            continue  # the lane's name says it
        text = texts.get(name)
        if text is None:
            text = texts[name] = capture.text(name)
        own = band.colours
        if own is None:
            ink = int(style.inks[int(hashes[name]) % len(style.inks)])
        else:
            ink = int(own.inks[own.place(name, length)])
        frame.labels.append(Label(tops[row], x0, x1, text, ink, dimmed))


def _lengths(band: Band, found: raster.Spans) -> list[int]:
    """Durations of spans in ns, where colours depend on them."""
    if band.colours is None or band.colours.limits is None:
        return [0] * len(found.name)
    ids, capture = found.slice_id, band.capture
    return list((np.asarray(capture.slice_end)[ids] - np.asarray(capture.slice_start)[ids]).tolist())


def _dimmed(band: Band, found: raster.Spans) -> list[bool]:
    """Whether each of some spans is drawn with only a part of its colour."""
    dim = np.zeros(len(found.name), np.bool_)
    if band.highlight is not None:
        known = found.name < len(band.highlight)
        dim = ~(known & band.highlight[np.where(known, found.name, 0)]) if len(band.highlight) else ~dim
    if band.passing is not None:
        dim |= ~np.isin(found.slice_id, band.passing.ids, assume_unique=True)
    return list(dim.tolist())


def _folded(frame: Frame, bands: list[Band], t0: int, t1: int) -> None:
    """Closed threads: all depth rows squeezed into one row, without text."""
    height = len(frame.array)
    for band in bands:
        room = band.height - 4
        lanes = band.lanes
        if len(lanes) > room:
            lanes = lanes[np.linspace(0, len(lanes) - 1, room).astype(np.int64)]
        lines = _slices(frame, band, lanes, None, t0 + band.shift_ns, t1 + band.shift_ns)
        top = band.y + 2 - frame.request.y0
        for y in range(room):
            if 0 <= top + y < height:
                frame.array[top + y] = lines[y * len(lanes) // room]


def _preview(frame: Frame, band: Band, t0: int, t1: int) -> None:
    """A closed group: the union of its slices in grey; a closed card: when it computes."""
    if not len(band.tracks):
        return
    style = frame.request.style
    ground = style.raised if band.kind == "card" else style.ground
    cover = np.zeros(frame.pixels, np.float32)
    shifts = np.full(len(band.tracks), band.shift_ns) if band.shifts is None else band.shifts
    for shift in np.unique(shifts).tolist():
        tracks = band.tracks[shifts == shift]
        cover = np.maximum(cover, raster.busy_density(band.capture, tracks, t0 + shift, t1 + shift, frame.pixels))
    line = mixed(ground, band.fixed or style.grey, np.where(cover > 0, np.maximum(cover, raster.FAINTEST), 0))
    a, b = band.y + 5 - frame.request.y0, band.y + band.height - 5 - frame.request.y0
    frame.array[max(a, 0) : max(min(b, len(frame.array)), 0)] = line


def mixed(ground: int, colour: int, amount: npt.NDArray[Any]) -> Pixels:
    """Ground and colour mixed, 0 is the ground, 1 the colour."""
    out = np.full(amount.shape, 0xFF000000, np.uint32)
    for shift in (0, 8, 16):
        a, b = (ground >> shift) & 255, (colour >> shift) & 255
        out |= (a + (b - a) * amount + 0.5).astype(np.uint32) << np.uint32(shift)
    return out


class FrameMaker(QObject):
    """Serves the newest request on a worker thread.

    Signals:
        made: a new `Frame` is there.
        failed: what went wrong in a worker; the last frame stays.
    """

    made = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None, paint: Callable[[Request], Frame] = render) -> None:
        super().__init__(parent)
        self.frame: Frame | None = None
        self.served = 0
        self.asked = 0
        self._paint = paint
        self._lock = threading.Lock()
        self._wanted: Request | None = None
        self._busy = False
        open_mailbox()

    def ask(self, request: Request) -> None:
        """Wish for a frame; a wish that has not been begun yet is forgotten."""
        with self._lock:
            self.asked += 1
            self._wanted = request
            if self._busy:
                return
            self._busy = True
        _POOL.submit(self._work)

    def make_now(self, request: Request) -> Frame:
        """Paint at once in this thread; pending wishes are forgotten."""
        with self._lock:
            self._wanted = None
        self.frame = self._paint(request)
        return self.frame

    def _work(self) -> None:
        while True:
            with self._lock:
                request, self._wanted = self._wanted, None
                if request is None:
                    self._busy = False
                    return
            frame: Frame | None
            try:
                frame = self._paint(request)
            except Exception as error:  # a frame must not end the worker; the page shows what went wrong
                frame = None
                post(self, self._fail, f"{type(error).__name__}: {error}")
            self.served += 1
            if not isValid(self):
                return
            if frame is not None:
                post(self, self._take, frame)

    def _fail(self, text: str) -> None:
        self.failed.emit(text)

    def _take(self, frame: Frame) -> None:
        self.frame = frame
        self.made.emit()
