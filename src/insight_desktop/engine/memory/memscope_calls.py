"""Python functions of a MemScope dump over time: what a picture of a given width draws, and their totals."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.timeline import raster, slice_sets
from insight_desktop.errors import BadArgument

CALLS = pa.schema(
    [
        ("depth", pa.int32()), ("x0", pa.float64()), ("x1", pa.float64()), ("name", pa.large_string()),
        ("start_ns", pa.int64()), ("end_ns", pa.int64()), ("functions", pa.int64()), ("is_open", pa.bool_()),
    ]
)  # fmt: skip
FUNCTIONS = pa.schema(
    [
        ("name", pa.large_string()), ("count", pa.int64()), ("sum_ns", pa.int64()), ("self_ns", pa.int64()),
        ("max_ns", pa.int64()), ("first_ns", pa.int64()), ("last_ns", pa.int64()),
    ]
)  # fmt: skip


def calls(capture: Capture, track: int, low: int, high: int, px: int, origin: int) -> pa.Table:
    """Columns of CALLS for raw times low to high, by depth, then time; times in the table count from the origin."""
    lanes = _lanes(capture, track)
    if high <= low or not len(lanes):
        return CALLS.empty_table()
    found = raster.frame(capture, lanes, low, high, px)
    start, end = found["start"], found["end"]
    alone = np.flatnonzero(found["count"] == 1)
    is_open = np.zeros(len(start), np.bool_)
    first = np.asarray(capture.lane_offset)[lanes[found["lane_index"][alone]]]
    starts, flags = np.asarray(capture.slice_start), np.asarray(capture.slice_flags)
    stops = np.asarray(capture.lane_offset)[lanes[found["lane_index"][alone]] + 1]
    for i, a, b in zip(alone.tolist(), first.tolist(), stops.tolist(), strict=True):
        at = a + int(np.searchsorted(starts[a:b], start[i]))
        is_open[i] = at < b and bool(flags[at] & schema.UNFINISHED)
    return pa.table(
        [
            pa.array(found["lane_index"], pa.int32()), pa.array(found["x0"]), pa.array(found["x1"]),
            capture.strings.take(pa.array(found["name"])), pa.array(start - origin), pa.array(end - origin),
            pa.array(found["count"]), pa.array(is_open),
        ],
        schema=CALLS,
    )  # fmt: skip


def functions(capture: Capture, track: int, origin: int) -> pa.Table:
    """Columns of FUNCTIONS, the longest sum first."""
    if not len(_lanes(capture, track)):
        return FUNCTIONS.empty_table()
    picked = slice_sets.pick(capture, [track])
    own = slice_sets.self_times(capture, picked, None, None, whole=True)
    names, place = np.unique(picked.name, return_inverse=True)
    length = picked.length
    totals = {name: np.zeros(len(names), np.int64) for name in ("count", "sum", "self", "max")}
    np.add.at(totals["count"], place, 1)
    np.add.at(totals["sum"], place, length)
    np.add.at(totals["self"], place, own)
    np.maximum.at(totals["max"], place, length)
    first, last = np.full(len(names), slice_sets.LATEST), np.full(len(names), slice_sets.EARLIEST)
    np.minimum.at(first, place, picked.start)
    np.maximum.at(last, place, picked.start)
    order = np.lexsort((names, -totals["sum"]))
    return pa.table(
        [
            capture.strings.take(pa.array(names[order])), pa.array(totals["count"][order]), pa.array(totals["sum"][order]),
            pa.array(totals["self"][order]), pa.array(totals["max"][order]), pa.array(first[order] - origin),
            pa.array(last[order] - origin),
        ],
        schema=FUNCTIONS,
    )  # fmt: skip


def _lanes(capture: Capture, track: int) -> Array:
    """Depth rows of a thread; raises BadArgument for one that is not there."""
    count = max(len(capture.track_lane) - 1, 0)
    if not 0 <= track < count:
        raise BadArgument(
            f"There is no thread {track}.",
            fix=f"Threads are numbered 0 to {count - 1}." if count else "Collect Python traces.",
        )
    return np.arange(int(capture.track_lane[track]), int(capture.track_lane[track + 1]))
