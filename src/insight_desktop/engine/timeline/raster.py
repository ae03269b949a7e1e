"""Painting slices into pixels and finding what lies under a pixel. Compiled, without the interpreter lock.

A window is [t0, t1) in raw ns of the capture; pixel x covers t0 + [x, x + 1) · (t1 − t0) / px. Lanes are depth rows.
"""

from __future__ import annotations

import math
import threading
import weakref
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.timeline.levels import Level, level_for, levels
from insight_desktop.engine.timeline.levels import fixed as read_only

_MIN, _MAX = -(1 << 63), (1 << 63) - 1
FAINTEST = 0.35  # coverage that a pixel with anything in it shows at least, so that lone short slices stay visible

Level4 = tuple[Array, Array, Array, Array]  # start, end, name, offset
Window = tuple[int, int, int]  # first ns, end ns, pixels

_NO_LIMITS = np.zeros((0, 1), np.int64)
_lock = threading.Lock()
_colour_index: weakref.WeakKeyDictionary[Capture, dict[int, Array]] = weakref.WeakKeyDictionary()


@dataclass(frozen=True)
class Spans:
    """Slices wide enough for a label; arrays of one length, by lane then time.

    `lane_index` counts in the lanes that were asked; `x0`, `x1` are pixels (float, may lie outside the window);
    `name` is a string id; `slice_id` the slice.
    """

    lane_index: Array
    x0: Array
    x1: Array
    name: Array
    slice_id: Array


def slice_image(
    capture: Capture,
    lanes: Array,
    t0: float | int,
    t1: float | int,
    px: int,
    palette: Array,
    *,
    fixed: Array | None = None,
    highlight: Array | None = None,
    dim: float = 0.25,
    ground: int = 0xFF000000,
    out: Array | None = None,
    index: Array | None = None,
    limits: Array | None = None,
) -> Array:
    """The lanes as rows of pixels, uint32 ARGB of shape (n, px).

    A slice of one pixel or more is painted in its colour from its first to its last pixel; shorter ones mix their
    colours with the ground by the part of the pixel that they cover. The colour is `fixed[i]` of the lane where that is
    not 0, else `palette[string_hash % len(palette)]`. With `highlight` (one truth value per string id) all other names
    are drawn with only `dim` of their colour. `out` may be given to use its memory again.
    `index` (one uint8 per string id) chooses other places in the palette than the hash. With `limits` (int64, strings × k)
    the place is the number of limits of the name below the duration; merged runs have the last colour of the palette.
    """
    lanes = np.ascontiguousarray(lanes, np.int32)
    image = out if out is not None else np.empty((len(lanes), px), np.uint32)
    first, last = _window(t0, t1)
    level = level_for(capture, _span(first, last) / max(px, 1))
    own = np.zeros(len(lanes), np.uint32) if fixed is None else np.ascontiguousarray(fixed, np.uint32)
    shown = np.ones(1, np.bool_) if highlight is None else np.ascontiguousarray(highlight, np.bool_)
    colours = np.ascontiguousarray(palette, np.uint32)
    places = _indices(capture, len(colours)) if index is None else np.ascontiguousarray(index, np.uint8)
    bounds = _NO_LIMITS if limits is None else np.ascontiguousarray(limits, np.int64)
    exact = level is levels(capture)[0]
    tints = (colours, places, own, shown, highlight is not None, float(dim), np.uint32(ground), bounds, exact)
    _paint(_arrays(level), lanes, (first, last, px), tints, image)
    return image


def spans(
    capture: Capture,
    lanes: Array,
    t0: float | int,
    t1: float | int,
    px: int,
    min_px: float = 26,
    limit: int = 4000,
) -> Spans:
    """Slices that are at least `min_px` wide (never less than one pixel), at most `limit`."""
    lanes = np.ascontiguousarray(lanes, np.int32)
    first, last = _window(t0, t1)
    level = level_for(capture, _span(first, last) / max(px, 1))
    fine = levels(capture)[0]
    rows, ids = np.empty(limit, np.int32), np.empty(limit, np.int64)
    x0, x1 = np.empty(limit, np.float64), np.empty(limit, np.float64)
    window = (first, last, px)
    count = _wide(_arrays(level), _arrays(fine), lanes, window, max(float(min_px), 1.0), (rows, x0, x1, ids))
    ids = ids[:count]
    return Spans(rows[:count], x0[:count], x1[:count], np.asarray(fine.name)[ids], ids)


def frame(capture: Capture, lanes: Array, t0: float | int, t1: float | int, px: int) -> dict[str, Array]:
    """The spans that a frame draws, as arrays by lane then time: lane_index, x0, x1, name, start, end, count.

    A slice of a pixel or more stands alone; shorter neighbours whose pixels touch are one span. `count` slices are in it.
    """
    lanes = np.ascontiguousarray(lanes, np.int32)
    first, last = _window(t0, t1)
    level = level_for(capture, _span(first, last) / max(px, 1))
    window = (first, last, max(px, 1))
    dtypes = (np.int32, np.float64, np.float64, np.int32, np.int64, np.int64, np.int64)
    # A span leaves its last pixel before the next one begins, save for neighbours that touch: two per pixel at most.
    room = len(lanes) * (2 * max(px, 1) + 4)
    out = tuple(np.empty(room, dtype) for dtype in dtypes)
    count = _frame(_arrays(level), _arrays(levels(capture)[0]), lanes, window, out)
    names = ("lane_index", "x0", "x1", "name", "start", "end", "count")
    return {name: column[:count] for name, column in zip(names, out, strict=True)}


def zero_marks(capture: Capture, lanes: Array, t0: float | int, t1: float | int, px: int) -> tuple[Array, Array]:
    """Places of zero-length slices and of instants: (lane index, pixel centre as float), at most one per lane and pixel.

    Instants belong to the top row of their track. At a zoom where the pyramid merges short slices only those that are
    alone in their run are found.
    """
    lanes = np.ascontiguousarray(lanes, np.int32)
    first, last = _window(t0, t1)
    level = level_for(capture, _span(first, last) / max(px, 1))
    room = len(lanes) * max(px, 1)
    rows, x = np.empty(room, np.int32), np.empty(room, np.float64)
    tracks = np.where(capture.lane_row[lanes] == 0, capture.lane_track[lanes], -1) if len(lanes) else lanes
    instants = read_only(capture.instant_ts)
    offsets = capture.instant_offset if len(capture.instant_offset) else np.zeros(len(capture.track_lane), np.int64)
    points = (instants, read_only(offsets), tracks.astype(np.int32))
    count = _points(_arrays(level), points, lanes, (first, last, px), rows, x)
    return rows[:count], x[:count]


def instant_marks(capture: Capture, track: int, t0: float | int, t1: float | int, px: int) -> Array:
    """Pixels (float) of a track's instants, one per pixel; also for tracks without a slice."""
    first, last = _window(t0, t1)
    a, b = int(capture.instant_offset[track]), int(capture.instant_offset[track + 1])
    stamps = np.asarray(capture.instant_ts[a:b])
    stamps = stamps[np.searchsorted(stamps, first) : np.searchsorted(stamps, last)]
    x = (stamps - first).astype(np.float64) * (px / _span(first, last))
    return x[np.flatnonzero(np.diff(x.astype(np.int64), prepend=-1))] if len(x) else x


def busy_density(capture: Capture, tracks: Array, t0: float | int, t1: float | int, px: int) -> Array:
    """How much of each pixel is covered by any slice of the tracks' top rows, float32 0–1 of length px.

    The top row of a track covers what the rows below it cover, save for overlaps; levels merged below a pixel are used.
    """
    first, last = _window(t0, t1)
    level = level_for(capture, _span(first, last) / max(px, 1))
    out = np.zeros(px, np.float32)
    tracks = np.ascontiguousarray(tracks, np.int32)
    if len(tracks) and len(capture.track_lane):
        _cover(_arrays(level), read_only(capture.track_lane), tracks, (first, last, px), out)
    return out


def slice_at(capture: Capture, lane: int, t_ns: int, slack_ns: float = 0) -> int | None:
    """The slice of a lane at a time; else the nearest one within the slack; a zero-length one within it comes first."""
    a, b = int(capture.lane_offset[lane]), int(capture.lane_offset[lane + 1])
    found = _at(read_only(capture.slice_start), read_only(capture.slice_end), a, b, _clamp(t_ns), float(slack_ns))
    return None if found < 0 else int(found)


def instant_at(capture: Capture, track: int, t_ns: int, slack_ns: float = 0) -> int | None:
    """The instant of a track nearest to a time within the slack, as its position in the instant columns."""
    if len(capture.instant_offset) <= track + 1:
        return None
    a, b = int(capture.instant_offset[track]), int(capture.instant_offset[track + 1])
    found = _at(read_only(capture.instant_ts), read_only(capture.instant_ts), a, b, _clamp(t_ns), float(slack_ns))
    return None if found < 0 else int(found)


def warm() -> None:
    """Compile the kernels, so that the first frame does not wait for it."""
    level = (*(read_only(np.zeros(1, kind)) for kind in (np.int64, np.int64, np.int32)), read_only(np.arange(2)))
    lanes, window, image = np.zeros(1, np.int32), (0, 8, 2), np.zeros((1, 2), np.uint32)
    tints = (
        image[0],
        np.zeros(1, np.uint8),
        image[0],
        np.ones(1, np.bool_),
        False,
        0.25,
        np.uint32(0),
        _NO_LIMITS,
        True,
    )
    _paint(level, lanes, window, tints, image)
    kinds = (np.int32, np.float64, np.float64, np.int32, np.int64, np.int64, np.int64)
    rows, x0, x1, _, ids, _, _ = out = tuple(np.zeros(9, kind) for kind in kinds)
    _wide(level, level, lanes, window, 1.0, (rows, x0, x1, ids))
    _frame(level, level, lanes, window, out)
    _points(level, (level[0], level[3], lanes), lanes, window, rows, x0)
    _cover(level, level[3], lanes, window, np.zeros(2, np.float32))
    _at(level[0], level[1], 0, 1, 0, 1.0)


def _clamp(t: float | int) -> int:
    return min(max(math.floor(t), _MIN), _MAX)


def _window(t0: float | int, t1: float | int) -> tuple[int, int]:
    """The window as integers of at least one ns."""
    first = min(_clamp(t0), _MAX - 1)
    return first, max(min(max(math.ceil(t1), _MIN), _MAX), first + 1)


def _span(first: int, last: int) -> float:
    return float(last - first)


def _arrays(level: Level) -> Level4:
    return level.start, level.end, level.name, level.offset


def _indices(capture: Capture, colours: int) -> Array:
    """Palette index of every string."""
    with _lock:
        held = _colour_index.setdefault(capture, {})
        if colours not in held:
            hashes = np.asarray(capture.string_hash)
            held[colours] = (
                (hashes % np.uint64(max(colours, 1))).astype(np.uint8) if len(hashes) else np.zeros(1, np.uint8)
            )
        return held[colours]


@njit(cache=True, nogil=True)
def _gap(a: int, b: int) -> float:
    """b − a for b ≥ a, also where int64 would overflow."""
    return float(np.uint64(b) - np.uint64(a))


@njit(cache=True, nogil=True)
def _first_ending(end: Array, lo: int, hi: int, t: int) -> int:
    """The first position of [lo, hi) whose end is at or after t."""
    while lo < hi:
        mid = (lo + hi) >> 1
        if end[mid] < t:
            lo = mid + 1
        else:
            hi = mid
    return lo


@njit(cache=True, nogil=True)
def _paint(level: Level4, lanes: Array, window: Window, tints: Any, image: Array) -> None:
    start, end, name, offset = level
    t0, t1, px = window
    palette, index, fixed, shown, masked, dim, ground, limits, exact = tints
    scale = px / _gap(t0, t1)
    cover, light = np.empty(px, np.float32), np.empty((px, 3), np.float32)
    for row in range(len(lanes)):
        image[row, :px] = ground
        if lanes[row] < 0 or lanes[row] + 1 >= len(offset):
            continue
        cover[:] = 0.0
        mixed = False
        hi = offset[lanes[row] + 1]
        i = _first_ending(end, offset[lanes[row]], hi, t0)
        while i < hi and start[i] < t1:
            a, b, n = start[i], end[i], name[i]
            i += 1
            if a < t0 and b == t0:
                continue
            x0 = _gap(t0, a) * scale if a > t0 else 0.0
            x1 = _gap(t0, b) * scale if b < t1 else float(px)
            place = int(index[n]) if n < len(index) else 0
            if len(limits) > 0:
                place = len(palette) - 1
                if n < len(limits) and (exact or _gap(a, b) * scale >= 1.0):
                    place = 0
                    for k in range(limits.shape[1]):
                        place += 1 if limits[n, k] < b - a else 0
            colour = np.uint32(fixed[row] if fixed[row] != 0 else palette[place])
            strength = dim if masked and not (n < len(shown) and shown[n]) else 1.0
            if _gap(a, b) * scale >= 1.0:
                solid = _mix(ground, colour, strength)
                left = int(x0)
                # A slice cut by the edge of the window still owns the pixel at the edge.
                for x in range(left, min(max(int(x1), left + 1), px)):
                    image[row, x] = solid
                    cover[x] = -1.0
            else:
                mixed = True
                _add(cover, light, x0, x1 - x0, _mix(ground, colour, strength), px)
        if mixed:
            _settle(image[row], light, cover, ground, px)


@njit(cache=True, nogil=True)
def _add(cover: Array, light: Array, x0: float, width: float, colour: int, px: int) -> None:
    """Add something narrower than a pixel to the one or two pixels that it touches; negative cover: taken."""
    rest = max(width, 1e-6)
    x = min(int(x0), px - 1)
    while rest > 0.0 and x < px:
        part = min(rest, max(x + 1.0 - x0, 1e-9))
        if cover[x] >= 0.0:
            if cover[x] == 0.0:
                light[x, :] = 0.0
            share = np.float32(part)
            cover[x] += share
            light[x, 0] += share * ((colour >> 16) & 255)
            light[x, 1] += share * ((colour >> 8) & 255)
            light[x, 2] += share * (colour & 255)
        rest -= part
        x += 1
        x0 = float(x)


@njit(cache=True, nogil=True)
def _settle(line: Array, light: Array, cover: Array, ground: int, px: int) -> None:
    """Turn sums into colours: the mean colour of what is there, over the ground by its cover."""
    for x in range(px):
        c = cover[x]
        if c > 0.0:
            amount = min(max(c, FAINTEST), 1.0)
            gain, rest = amount / c, 1.0 - amount
            r = int(light[x, 0] * gain + ((ground >> 16) & 255) * rest + 0.5)
            g = int(light[x, 1] * gain + ((ground >> 8) & 255) * rest + 0.5)
            b = int(light[x, 2] * gain + (ground & 255) * rest + 0.5)
            line[x] = np.uint32(0xFF000000 | (min(r, 255) << 16) | (min(g, 255) << 8) | min(b, 255))


@njit(cache=True, nogil=True)
def _mix(ground: Any, colour: Any, amount: float) -> Any:
    """A colour over the ground; opaque."""
    if amount >= 1.0:
        return np.uint32(colour | 0xFF000000)
    out = 0xFF000000
    for shift in (16, 8, 0):
        low, high = (ground >> shift) & 255, (colour >> shift) & 255
        out |= int(float(low) + (float(high) - float(low)) * amount + 0.5) << shift
    return np.uint32(out)


@njit(cache=True, nogil=True)
def _wide(level: Level4, fine: Level4, lanes: Array, window: Window, min_px: float, out: Level4) -> int:
    start, end, _, offset = level
    fine_start, fine_end, _, fine_offset = fine
    t0, t1, px = window
    rows, x0s, x1s, ids = out
    scale = px / _gap(t0, t1)
    count = 0
    for row in range(len(lanes)):
        lane = lanes[row]
        if lane < 0 or lane + 1 >= len(offset):
            continue
        hi, fine_hi = offset[lane + 1], fine_offset[lane + 1]
        i = _first_ending(end, offset[lane], hi, t0)
        at = fine_offset[lane]
        while i < hi and start[i] < t1:
            a, b = start[i], end[i]
            i += 1
            if _gap(a, b) * scale < min_px or b <= t0:
                continue
            if count == len(rows):
                return count
            # The pyramid keeps wide slices single: the slice is the one that ends there (marks may end there too).
            at = _first_ending(fine_end, at, fine_hi, b)
            while at + 1 < fine_hi and fine_start[at] != a and fine_end[at + 1] == b:
                at += 1
            rows[count], ids[count] = row, at
            x0s[count] = _gap(t0, a) * scale if a >= t0 else -_gap(a, t0) * scale
            x1s[count] = _gap(t0, b) * scale
            count += 1
    return count


@njit(cache=True, nogil=True)
def _frame(level: Level4, fine: Level4, lanes: Array, window: Window, out: Any) -> int:
    start, end, name, offset = level
    rows, x0s, x1s, names, starts, ends, counts = out
    t0, t1, px = window
    scale = px / _gap(t0, t1)
    plain = len(start) == len(fine[0])
    count = 0
    for row in range(len(lanes)):
        lane = lanes[row]
        hi = offset[lane + 1]
        i = _first_ending(end, offset[lane], hi, t0)
        open_pixel, longest = -1, 0.0  # last pixel of a span that shorter neighbours may join
        while i < hi and start[i] < t1:
            a, b, n = start[i], end[i], name[i]
            i += 1
            if a < t0 and b == t0:
                continue
            x0 = _gap(t0, a) * scale if a > t0 else 0.0
            x1 = _gap(t0, b) * scale if b < t1 else float(px)
            small = _gap(a, b) * scale < 1.0
            if small and int(x0) <= open_pixel:
                x1s[count - 1], ends[count - 1] = x1, b
                if _gap(a, b) > longest:
                    longest, names[count - 1] = _gap(a, b), n
            else:
                rows[count], x0s[count], x1s[count], names[count] = row, x0, x1, n
                starts[count], ends[count], counts[count] = a, b, 0
                longest = _gap(a, b)
                count += 1
            # An entry of a level stands for the slices that begin before the next entry does.
            low = i - 1 if plain else _first_ending(fine[0], fine[3][lane], fine[3][lane + 1], a)
            high = fine[3][lane + 1]
            if plain:
                high = i
            elif i < hi:
                high = _first_ending(fine[0], low, high, start[i])
            counts[count - 1] += max(high - low, 1)
            open_pixel = int(x1) if small else -1
    return count


@njit(cache=True, nogil=True)
def _points(level: Level4, points: Any, lanes: Array, window: Window, rows: Array, xs: Array) -> int:
    start, end, _, offset = level
    instants, instant_offset, tracks = points
    t0, t1, px = window
    scale = px / _gap(t0, t1)
    count = 0
    taken = np.empty(px, np.bool_)
    for row in range(len(lanes)):
        lane, track = lanes[row], tracks[row]
        if lane < 0 or lane + 1 >= len(offset):
            continue
        taken[:] = False
        i = _first_ending(end, offset[lane], offset[lane + 1], t0)
        while i < offset[lane + 1] and start[i] < t1:
            if end[i] == start[i]:
                count = _mark(taken, _gap(t0, start[i]) * scale, row, rows, xs, count, px)
            i += 1
        if track < 0 or track + 1 >= len(instant_offset):
            continue
        i = _first_ending(instants, instant_offset[track], instant_offset[track + 1], t0)
        while i < instant_offset[track + 1] and instants[i] < t1:
            count = _mark(taken, _gap(t0, instants[i]) * scale, row, rows, xs, count, px)
            i += 1
    return count


@njit(cache=True, nogil=True)
def _mark(taken: Array, x: float, row: int, rows: Array, xs: Array, count: int, px: int) -> int:
    pixel = min(int(x), px - 1)
    if taken[pixel]:
        return count
    taken[pixel] = True
    rows[count], xs[count] = row, x
    return count + 1


@njit(cache=True, nogil=True)
def _cover(level: Level4, track_lane: Array, tracks: Array, window: Window, out: Array) -> None:
    start, end, _, offset = level
    t0, t1, px = window
    scale = px / _gap(t0, t1)
    line = np.empty(px, np.float32)
    for track in tracks:
        if track < 0 or track + 1 >= len(track_lane) or track_lane[track] == track_lane[track + 1]:
            continue
        line[:] = 0.0
        lane = track_lane[track]
        hi = offset[lane + 1]
        i = _first_ending(end, offset[lane], hi, t0)
        while i < hi and start[i] < t1:
            x0 = _gap(t0, start[i]) * scale if start[i] > t0 else 0.0
            x1 = _gap(t0, end[i]) * scale if end[i] < t1 else float(px)
            i += 1
            x = min(int(x0), px - 1)
            while x < px and x < x1:
                line[x] += np.float32(min(x1, x + 1.0) - max(x0, float(x)))
                x += 1
        for x in range(px):
            out[x] = max(out[x], min(line[x], np.float32(1.0)))


@njit(cache=True, nogil=True)
def _at(start: Array, end: Array, lo: int, hi: int, t: int, slack: float) -> int:
    i = _first_ending(end, lo, hi, t)
    best, distance, found_zero = -1, np.inf, False
    for k in range(max(lo, i - 2), min(hi, i + 3)):
        a, b = start[k], end[k]
        away = 0.0
        if t < a:
            away = _gap(t, a)
        elif t > b or (t == b and b > a):
            away = max(_gap(b, t), 0.5)  # the end is not part of a slice
        if away > slack and away > 0.0:
            continue
        zero = a == b
        if (zero and not found_zero) or (zero == found_zero and away < distance):
            best, distance, found_zero = k, away, zero
    return best
