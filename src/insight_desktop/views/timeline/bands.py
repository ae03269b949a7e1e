"""From the rows on screen to the request of a frame: which lanes of which capture, in which colours."""

from __future__ import annotations

import zlib

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from insight_desktop import schema
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.timeline.filter_capture import FilteredCapture
from insight_desktop.views.common import theme
from insight_desktop.views.timeline import steps
from insight_desktop.views.timeline.area import Area
from insight_desktop.views.timeline.colouring import Colours
from insight_desktop.views.timeline.frames import Band, Request, Style
from insight_desktop.views.timeline.layout import Row, Unit, heights
from insight_desktop.views.timeline.merging import lanes_of_merged
from insight_desktop.views.timeline.state import TimelineState

HOVER_DIM = 0.55
SEARCH_DIM = 0.25
SELECTED_TINT = 0.32
_COUNTER_COLOURS = (4, 6, 5, 2, 9, 3)  # not the colours that mean computing, communication or trouble
OVERLAP_PROCESS = "Overlap Analysis"
_MEANINGS = {
    "Computing": "computing",
    "Communication": "communication",
    "Communication(Not Overlapped)": "communication",
    "Overlapped": "overlapped",
    "Free": "free",
    "Preparing": "preparing",
    "Bubble": "bubble",
}
_NO_LANES = np.zeros(0, np.int32)


def blend(ground: QColor, colour: QColor, amount: float) -> int:
    """Two colours mixed, as 0xFFRRGGBB."""
    parts = zip(ground.getRgb()[:3], colour.getRgb()[:3], strict=True)  # type: ignore[index]
    return QColor(*(round(a + (b - a) * amount) for a, b in parts)).rgb()


def style() -> Style:
    """Colours of the current theme."""
    return Style(
        ground=theme.token("canvas").rgb(),
        raised=theme.token("raised").rgb(),
        grid=theme.token("grid").rgb(),
        grey=theme.token("strong").rgb(),
        selected=blend(theme.token("canvas"), theme.token("sel"), SELECTED_TINT),
        palette=theme.slices(),
        inks=theme.inks(),
        series=tuple(theme.series()[i].rgb() for i in _COUNTER_COLOURS),
        edges=not theme.is_dark(),
    )


def fixed_colour(unit: Unit, capture: Capture) -> int:
    """Colour of a lane with a fixed meaning as 0xFFRRGGBB; 0 for all other lanes."""
    if unit.track is None:
        return 0
    tracks = capture.tracks
    is_overlap = (
        tracks["role"][unit.track].as_py() == schema.ROLE_OVERLAP
        or tracks["process"][unit.track].as_py() == OVERLAP_PROCESS
    )
    meaning = _MEANINGS.get(unit.title) if is_overlap else None
    return theme.meaning(meaning).rgb() if meaning else 0


def lanes_of(unit: Unit, capture: Capture) -> npt.NDArray[np.int32]:
    """Depth rows of a unit's track, top first."""
    if unit.track is None:
        return _NO_LANES
    return np.arange(capture.track_lane[unit.track], capture.track_lane[unit.track + 1], dtype=np.int32)


def tracks_below(unit: Unit) -> npt.NDArray[np.int32]:
    """Tracks of a unit and everything below it."""
    return np.array([track for u in unit.walk() for track in u.tracks], np.int32)


def counter_top(unit: Unit, capture: Capture) -> float:
    """Upper end of the scale of a counter lane."""
    maxima = capture.series["max"]
    return steps.scale_top([float(maxima[s].as_py() or 0.0) for s in unit.figures or unit.series])


def highlight(state: TimelineState, card: str, capture: Capture) -> tuple[npt.NDArray[np.bool_] | None, float]:
    """Which names are shown in full, and how much is left of the others: search and filter come before the mouse."""
    light = state.filter.light(card)
    if state.matches is not None or light is not None:
        shown = np.ones(len(capture.string_hash), np.bool_)
        if state.matches is not None:
            ids = np.fromiter(state.matches.get(card, ()), np.int64)
            shown[:] = False
            shown[ids[(ids >= 0) & (ids < len(shown))]] = True
        if light is not None and light.names is not None:
            shown &= light.names
        return shown, SEARCH_DIM
    name = state.hover.name_id
    if name is None or state.hover.card is None:
        return None, 1.0
    shown = np.zeros(len(capture.string_hash), np.bool_)
    if state.hover.card == card:
        shown[name] = True
    else:
        source = state.capture(state.hover.card)
        text = source.text(name) if source is not None else ""
        same = np.flatnonzero(capture.string_hash == source.string_hash[name]) if source is not None else ()
        shown[[i for i in same if capture.text(int(i)) == text]] = True
    return shown, HOVER_DIM


class BandMaker:
    """Makes requests; what depends only on the data and the theme is computed once per unit."""

    def __init__(self, state: TimelineState) -> None:
        self.state = state
        self._style: Style | None = None
        self._fixed: dict[str, int] = {}
        self._tops: dict[str, float] = {}
        self._tracks: dict[str, npt.NDArray[np.int32]] = {}

    def forget(self) -> None:
        """The data or the theme changed."""
        self._style = None
        self._fixed.clear()
        self._tops.clear()
        self._tracks.clear()

    def known_tops(self) -> dict[str, float]:
        """Upper ends of the scales of the counters drawn so far, by key of the unit."""
        return self._tops

    def request(self, area: Area, width: int, ratio: float, margin: int) -> Request:
        """What is to be painted now, with `margin` pixels more at the top and bottom for scrolling."""
        if self._style is None:
            self._style = style()
        y0 = max(0, area.scroll - margin)
        y1 = min(area.rows.height, area.scroll + area.height + margin)
        lights: dict[str, tuple[npt.NDArray[np.bool_] | None, float]] = {}
        bands = [b for b in (self._band(row, lights) for row in area.rows.window(y0, y1)) if b is not None]
        return Request(
            self.state.viewport.view,
            max(1, round(width * ratio)),
            y0,
            max(y1, y0 + 1),
            tuple(bands),
            self._style,
            ratio,
        )

    def _computing(self, unit: Unit, capture: Capture) -> tuple[npt.NDArray[np.int32], int]:
        """The lanes of a card that tell when it computes, and their colour: a host is never idle, so it tells nothing."""
        key = f"{unit.key}\0computing"
        if key not in self._tracks:
            below = [u for u in unit.walk() if u.track is not None and u.title == "Computing"]
            self._tracks[key] = np.array([u.track for u in below if fixed_colour(u, capture)], np.int32)
        return self._tracks[key], theme.meaning("computing").rgb() if len(self._tracks[key]) else 0

    def _band(self, row: Row, lights: dict[str, tuple[npt.NDArray[np.bool_] | None, float]]) -> Band | None:
        unit = row.unit
        capture = self.state.capture(unit.card) if unit is not None else None
        if unit is None or capture is None or row.kind in ("hidden", "reading"):
            return None
        if unit.card not in lights:
            lights[unit.card] = highlight(self.state, unit.card, capture)
        light, dim = lights[unit.card]
        top, fixed, tracks = 0.0, 0, _NO_LANES
        if row.kind == "counter":
            capture = unit.own if unit.figures else capture
            top = self._tops.setdefault(unit.key, 0.0) or counter_top(unit, capture)
            self._tops[unit.key] = top
            fixed = zlib.crc32(unit.title.encode()) % len(_COUNTER_COLOURS)
        elif row.height == heights.group and row.kind in ("group", "card"):
            if not self.state.is_open(unit):
                tracks, fixed = self._computing(unit, capture) if unit.is_card else (_NO_LANES, 0)
                if not len(tracks):
                    tracks = self._below(unit)
        else:
            if unit.key not in self._fixed:
                self._fixed[unit.key] = fixed_colour(unit, capture)
            fixed = self._fixed[unit.key]
            tracks = np.array([unit.track or 0], np.int32)
        lanes = lanes_of(unit, capture) if row.kind in ("lane", "folded") else _NO_LANES
        if unit.own is not None:
            light = None  # the numbers of its names are its own
        merged: Capture | None = self.state.merges.drawn(unit)
        passing = self._passing(unit, merged)
        alone = self.state.filter.drawn_alone(unit.card) if unit.own is None and merged is None else None
        if alone is not None:  # the rest is not even dimmed
            capture, passing = alone, None
        if merged is not None:
            capture, lanes = merged, lanes_of_merged(merged)
        if row.kind == "lane":
            lanes = lanes[: max(1, row.height // heights.row)]  # a lane may be cut to the rows in use
        return Band(
            row.kind, row.y, row.height, unit.card, capture, self.state.shift_ns(unit.card, unit), lanes, tracks, unit.figures or unit.series,
            top, fixed, light, dim, unit.key in self.state.lanes, passing,
            self._shifts(unit, tracks), self._colours(unit), self._is_service(unit.card) if row.kind == "counter" else False,
        )  # fmt: skip

    def _is_service(self, card: str) -> bool:
        return self.state.context.store.card(card).area == "service"

    def _colours(self, unit: Unit) -> Colours | None:
        """What the slices of a lane are coloured by; a lane of its own may bring its colours."""
        return (
            self.state.colouring.of(unit.card, unit.track) if unit.own is None else getattr(unit.own, "colours", None)
        )

    def _passing(self, unit: Unit, merged: Capture | None) -> FilteredCapture | None:
        """What a filter lets pass on the lane; of a merged lane its own slices, of the requests the followed one."""
        if unit.own is not None and self.state.sql_lanes.has_requests(unit):
            return self.state.request_lanes.passing(unit.card)
        light = self.state.filter.light(unit.card)
        passing = light.passing if light is not None and unit.own is None else None
        if passing is None or merged is None:
            return passing
        return self.state.merges.passing(unit, passing)

    def _shifts(self, unit: Unit, tracks: npt.NDArray[np.int32]) -> npt.NDArray[np.int64] | None:
        """Shift of every track of a preview of a card; below it all lanes move together."""
        if not unit.is_card or not self.state.lane_offsets:
            return None
        return self.state.context.store.shifts_ns(unit.card)[tracks]

    def _below(self, unit: Unit) -> npt.NDArray[np.int32]:
        found = self._tracks.get(unit.key)
        if found is None:
            found = self._tracks[unit.key] = tracks_below(unit)
        return found
