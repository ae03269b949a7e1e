"""The level-of-detail pyramid as the painters see it: which arrays to paint at a zoom, coarse ones kept in memory."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass

import numpy as np

from insight_desktop.engine.capture import Array, Capture

RESIDENT_BYTES = (
    50 << 20
)  # coarse levels up to this sum are copied from the map, so that a frame never waits for the disk


@dataclass(frozen=True)
class Level:
    """One level: entries of lane l are [offset[l], offset[l+1]). Shift 0 are the slices themselves."""

    shift: int
    start: Array
    end: Array
    name: Array
    offset: Array


_lock = threading.Lock()
_levels: weakref.WeakKeyDictionary[Capture, tuple[Level, ...]] = weakref.WeakKeyDictionary()


def levels(capture: Capture) -> tuple[Level, ...]:
    """All levels, finest first."""
    with _lock:
        found = _levels.get(capture)
        if found is None:
            found = _levels[capture] = _load(capture)
        return found


def level_for(capture: Capture, ns_per_px: float) -> Level:
    """The coarsest level whose merged runs stay below one pixel: 2^shift ≤ ns per pixel / 2."""
    best, *coarser = levels(capture)
    for level in coarser:
        if float(1 << level.shift) * 2 <= ns_per_px:
            best = level
    return best


def _load(capture: Capture) -> tuple[Level, ...]:
    c = capture.column
    parts = [fixed(c(f"slice_{part}")) for part in ("start", "end", "name")]
    fine = Level(0, parts[0], parts[1], parts[2], _offsets(capture, "lane_offset"))
    loaded: list[Level] = []
    room = RESIDENT_BYTES
    for shift in sorted(capture.manifest.mip_shifts, reverse=True):
        parts = [fixed(c(f"mip_{shift}_{part}")) for part in ("start", "end", "name")]
        offset = _offsets(capture, f"mip_{shift}_offset")
        size = sum(part.nbytes for part in parts)
        if size <= room:
            room -= size
            parts = [fixed(np.array(part)) for part in parts]
        loaded.append(Level(shift, parts[0], parts[1], parts[2], offset))
    if sum(part.nbytes for part in (fine.start, fine.end, fine.name)) <= room:
        parts = [fixed(np.array(part)) for part in (fine.start, fine.end, fine.name)]
        fine = Level(0, parts[0], parts[1], parts[2], fine.offset)
    return (fine, *reversed(loaded))


def _offsets(capture: Capture, name: str) -> Array:
    found = np.array(capture.column(name))
    return fixed(found if len(found) else np.zeros(1, np.int64))


def fixed(values: Array) -> Array:
    """The array, read-only: kernels are compiled once for what is mapped and what is in memory."""
    view = np.asarray(values).view()
    view.flags.writeable = False
    return view
