"""Blocks over time, stacked in order of allocation: what the block chart of snapshots and MemScope dumps draws.

Geometry: a block lies on all blocks that began before it and still live; when one of them ends, it moves down by that
size. A block lives at t when start <= t < end; at equal times an end comes before a start. The chart is exact at every
column: each pixel column shows the stack at the time of the highest total inside the column, so peaks never vanish.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

Array = npt.NDArray[Any]

EMPTY, HIDDEN = -1, -2  # in an id image: above the stack; a block below the size limit


@dataclass(frozen=True)
class Blocks:
    """Lives of blocks, the data contract of the chart. Row = id; rows are sorted by (start, stacking order).

    Attributes:
        start, end: int64, time units of the caller (ns or event index); end > start; never freed: after the last time.
        size: int64 bytes, > 0 where a block is to be seen.
        hash: uint32 per block, colour = hash % number of colours (`address_hash`).
        curve_t, curve_v: int64, the total at curve_t until the next one; sorted.
        first, last: extent of the x axis.
        reserved_t, reserved_v: a second line, empty when there is none.
    """

    start: Array
    end: Array
    size: Array
    hash: Array
    curve_t: Array
    curve_v: Array
    first: int
    last: int
    reserved_t: Array = field(default_factory=lambda: np.empty(0, np.int64))
    reserved_v: Array = field(default_factory=lambda: np.empty(0, np.int64))

    def __len__(self) -> int:
        return len(self.start)

    @property
    def peak(self) -> tuple[int, int]:
        """(time, bytes) of the highest total; (first, 0) without any."""
        if not len(self.curve_v):
            return self.first, 0
        at = int(np.argmax(self.curve_v))
        return int(self.curve_t[at]), int(self.curve_v[at])


def address_hash(address: Array) -> Array:
    """djb2 (h·33 + c, 32 bits, from 5381) over the 16 lower-case hexadecimal digits of each address."""
    value = np.asarray(address).astype(np.uint64)
    out = np.full(value.shape, 5381, np.uint32)
    for shift in range(60, -4, -4):
        digit = ((value >> np.uint64(shift)) & np.uint64(15)).astype(np.uint32)
        out = out * np.uint32(33) + np.where(digit < 10, digit + np.uint32(48), digit + np.uint32(87)).astype(np.uint32)
    return out


def curve_of(start: Array, end: Array, size: Array) -> tuple[Array, Array]:
    """Total of live blocks as steps: sorted times, and the total from each on.

    At one time all ends and starts count together, as nothing lies between them.
    """
    times = np.concatenate([start, end])
    changes = np.concatenate([size, -size])
    order = np.argsort(times, kind="stable")
    times, totals = times[order], np.cumsum(changes[order])
    last = np.append(times[1:] != times[:-1], True) if len(times) else np.empty(0, bool)
    return times[last], totals[last]


def samples(blocks: Blocks, t0: float, t1: float, width: int) -> Array:
    """The time that each of `width` columns over [t0, t1] shows: its highest total, else its left edge."""
    edges = t0 + (t1 - t0) * np.arange(width + 1) / width
    out = np.empty(width, np.int64)
    _samples(np.ascontiguousarray(blocks.curve_t), np.ascontiguousarray(blocks.curve_v), edges, out)
    return out


@njit(nogil=True, cache=True)
def _samples(times, values, edges, out):  # type: ignore[no-untyped-def]
    at = np.searchsorted(times, np.int64(np.ceil(edges[0])))
    n = times.size
    for c in range(out.size):
        best = np.int64(-1)
        while at < n and times[at] < edges[c + 1]:
            if best < 0 or values[at] > values[best]:
                best = at
            at += 1
        # The value that reaches into the column counts too: it is what stands at the left edge.
        left = np.int64(np.floor(edges[c]))
        if best < 0:
            out[c] = left
            continue
        before = np.searchsorted(times, left, side="right") - 1
        out[c] = left if before >= 0 and values[before] > values[best] else times[best]


def raster(blocks: Blocks, t0: float, t1: float, width: int, height: int, top: float, *, bottom: float = 0.0, min_size: int = 0) -> Array:  # fmt: skip
    """Which block is where: int64 [height, width], row 0 on top; EMPTY above the stack.

    Args:
        blocks: what to draw.
        t0, t1: visible times.
        width, height: pixels.
        top, bottom: bytes at the upper and lower edge.
        min_size: smaller blocks appear as HIDDEN; places and peak stay exact.
    """
    out = np.full((max(1, height), max(1, width)), EMPTY, np.int64)
    if not len(blocks) or width < 1 or height < 1 or t1 <= t0 or top <= bottom:
        return out
    when = samples(blocks, t0, t1, width)
    centres = bottom + (top - bottom) * (np.arange(height) + 0.5) / height
    known = int(np.searchsorted(blocks.start, when[0], "right"))
    alive = np.flatnonzero(blocks.end[:known] > when[0])
    _raster(blocks.start, blocks.end, blocks.size, when, centres, alive, known, min_size, out)
    return out


@njit(nogil=True, cache=True)
def _raster(start, end, size, when, centres, alive, known, min_size, out):  # type: ignore[no-untyped-def]
    height = centres.size
    total = start.size
    held = np.empty(alive.size + 1024, np.int64)
    held[: alive.size] = alive
    count = alive.size
    for c in range(when.size):
        now = when[c]
        keep = 0
        for k in range(count):
            if end[held[k]] > now:
                held[keep] = held[k]
                keep += 1
        count = keep
        while known < total and start[known] <= now:
            if end[known] > now:
                if count == held.size:
                    longer = np.empty(2 * count, np.int64)
                    longer[:count] = held
                    held = longer
                held[count] = known
                count += 1
            known += 1
        y = 0
        sum_below = np.int64(0)
        for k in range(count):
            row = held[k]
            sum_below += size[row]
            shown = row if size[row] >= min_size else HIDDEN
            while y < height and centres[y] < sum_below:
                out[height - 1 - y, c] = shown
                y += 1
            if y == height:
                break


def put_inside(ids: Array, blocks: Blocks, row: int, inner: Blocks, first_id: int, span: tuple[float, float], top: float, *, min_size: int = 0) -> None:  # fmt: skip
    """Stack other blocks inside one row of an id image of `raster`, from its lower edge; what is left keeps the row's id.

    Args:
        ids: the image, changed in place; its lower edge is zero bytes.
        blocks: what the image shows.
        row: the row that is filled.
        inner: blocks inside, on the same axis.
        first_id: id of the first of them in the image.
        span: visible times.
        top: bytes at the upper edge.
        min_size: smaller blocks appear as HIDDEN.
    """
    height, width = ids.shape
    when = samples(blocks, *span, width)
    inside = np.full(ids.shape, EMPTY, np.int64)
    centres = top * (np.arange(height) + 0.5) / height
    known = int(np.searchsorted(inner.start, when[0], "right"))
    alive = np.flatnonzero(inner.end[:known] > when[0])
    _raster(inner.start, inner.end, inner.size, when, centres, alive, known, min_size, inside)
    _put_inside(ids, inside, row, first_id)


@njit(nogil=True, cache=True)
def _put_inside(ids, inside, row, first_id):  # type: ignore[no-untyped-def]
    height, width = ids.shape
    for x in range(width):
        up = height - 1
        for y in range(height - 1, -1, -1):
            if ids[y, x] == row:
                found = inside[up, x]
                if found == EMPTY:
                    break
                ids[y, x] = found if found < 0 else first_id + found
                up -= 1


def stack_at(blocks: Blocks, t: int) -> tuple[Array, Array]:
    """Ids of the blocks that live at t, lowest first, and the height of each one's lower edge."""
    known = int(np.searchsorted(blocks.start, t, "right"))
    alive = np.flatnonzero(blocks.end[:known] > t)
    return alive, np.concatenate([[0], np.cumsum(blocks.size[alive])])[: len(alive)]


def block_at(blocks: Blocks, t: int, height: float) -> int:
    """The block that covers a height at a time; EMPTY above the stack."""
    alive, below = stack_at(blocks, t)
    if not len(alive) or height < 0:
        return EMPTY
    place = int(np.searchsorted(below, height, "right")) - 1
    return int(alive[place]) if height < below[place] + blocks.size[alive[place]] else EMPTY


def path_of(blocks: Blocks, row: int) -> tuple[Array, Array]:
    """Lower edge of one block over its life: times at which it changes (the first is its start) and heights from there."""
    start, end = int(blocks.start[row]), int(blocks.end[row])
    below = np.flatnonzero(blocks.end[:row] > start)
    ends, sizes = blocks.end[below], blocks.size[below]
    height = int(sizes.sum())
    inside = ends < end
    order = np.argsort(ends[inside], kind="stable")
    times, drops = ends[inside][order], sizes[inside][order]
    last = np.append(times[1:] != times[:-1], True) if len(times) else np.empty(0, bool)
    heights = height - np.cumsum(drops)
    return np.concatenate([[start], times[last]]).astype(np.int64), np.concatenate([[height], heights[last]]).astype(
        np.int64
    )


def paint(ids: Array, hashes: Array, palette: Array, hidden: int, *, edge: float = 0.72, selected: int = EMPTY, dimmed: Array | None = None) -> Array:  # fmt: skip
    """An id image as ARGB32 (uint32): colours by hash, block borders darker where blocks are large enough to show them.

    Args:
        ids: from `raster`.
        hashes: of all blocks.
        palette: uint32 ARGB colours.
        hidden: ARGB of blocks below the size limit.
        edge: brightness of a border against its block.
        selected: when a block is chosen, all others take the colours of `dimmed`.
        dimmed: palette of blocks that are not chosen.
    """
    out = np.zeros(ids.shape, np.uint32)
    faint = palette if dimmed is None else dimmed
    _paint(ids, hashes, palette, faint, np.uint32(hidden), edge, selected, out)
    return out


@njit(nogil=True, cache=True)
def _darker(colour, part):  # type: ignore[no-untyped-def]
    red = np.uint32(((colour >> np.uint32(16)) & np.uint32(255)) * part)
    green = np.uint32(((colour >> np.uint32(8)) & np.uint32(255)) * part)
    blue = np.uint32((colour & np.uint32(255)) * part)
    return (colour & np.uint32(0xFF000000)) | (red << np.uint32(16)) | (green << np.uint32(8)) | blue


@njit(nogil=True, cache=True)
def _paint(ids, hashes, palette, faint, hidden, edge, selected, out):  # type: ignore[no-untyped-def]
    height, width = ids.shape
    colours = np.uint32(palette.size)
    for x in range(width):
        # A border takes a pixel: only where blocks are four pixels high on average in this column.
        runs = 0
        filled = 0
        for y in range(height):
            if ids[y, x] != EMPTY:
                filled += 1
                if y == 0 or ids[y - 1, x] != ids[y, x]:
                    runs += 1
        with_edges = runs > 0 and filled >= 4 * runs
        for y in range(height):
            row = ids[y, x]
            if row == EMPTY:
                continue
            if row == HIDDEN:
                out[y, x] = hidden
                continue
            place = hashes[row] % colours
            colour = palette[place] if selected in (EMPTY, row) else faint[place]
            if with_edges and (y == 0 or ids[y - 1, x] != row or (x > 0 and ids[y, x - 1] != row)):
                colour = _darker(colour, edge)
            out[y, x] = colour
