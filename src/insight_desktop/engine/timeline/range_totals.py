"""Figures of a selected range: per lane count, sum, busy time and longest gap; per counter extremes, mean and integral."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import counters

LANE_SCHEMA = pa.schema(
    [
        ("lane", pa.string()),
        ("track", pa.int32()),  # -1 for all lanes together
        ("slices", pa.int64()),
        ("sum_ns", pa.int64()),
        ("busy_ns", pa.int64()),
        ("busy_ratio", pa.float64()),
        ("gap_ns", pa.int64()),
    ]
)
COUNTER_SCHEMA = pa.schema(
    [
        ("counter", pa.string()),
        ("series", pa.string()),
        ("unit", pa.string()),
        ("values", pa.int64()),
        ("min", pa.float64()),
        ("max", pa.float64()),
        ("mean", pa.float64()),
        ("delta", pa.float64()),
        ("integral", pa.float64()),
    ]
)


def lane_totals(
    store: Store, *, card: str, tracks: Sequence[int], from_ns: int, to_ns: int, whole: bool = False
) -> pa.Table:
    """Slices that overlap [from_ns, to_ns] (raw), one row per lane and one for all: columns of LANE_SCHEMA.

    The range is recorded time of the card; lanes with an offset of their own are asked at the same place of the axis.
    A slice that is partly inside counts as one; sum and busy use the part inside, or with `whole` its full length.
    busy is the union over all depth rows, the gap the longest idle stretch inside the range (its edges included),
    busy_ratio is busy / range, null for a range without length. The last row joins all lanes.
    """
    capture = store.capture(card)
    rows, every = [], []
    moved = store.moved_ns(card)
    for track in tracks:
        by_ns = moved.get(track, 0)
        starts, ends = (times - by_ns for times in overlapping(capture, track, from_ns + by_ns, to_ns + by_ns))
        every.append((starts, ends))
        rows.append({"lane": _lane(capture, track), "track": track, **_figures(starts, ends, from_ns, to_ns, whole)})
    starts = np.concatenate([s for s, _ in every]) if every else np.empty(0, np.int64)
    ends = np.concatenate([e for _, e in every]) if every else np.empty(0, np.int64)
    rows.append({"lane": "", "track": -1, **_figures(starts, ends, from_ns, to_ns, whole)})
    return pa.Table.from_pylist(rows, LANE_SCHEMA)


def counter_totals(store: Store, *, card: str, series: Sequence[int], from_ns: int, to_ns: int) -> pa.Table:
    """Figures of counter series in [from_ns, to_ns] (raw): columns of COUNTER_SCHEMA.

    min, max and mean are of the value that holds over time, delta is the value at the end minus that at the start, the
    integral is value × seconds; all null where the series has no value.
    """
    capture = store.capture(card)
    rows = []
    for number in series:
        line = capture.series.slice(number, 1).to_pylist()[0]
        found = counters.statistics(capture, number, from_ns, to_ns)
        first, last = (counters.value_at(capture, number, t) for t in (from_ns, to_ns))
        rows.append(
            {
                "counter": line["counter"],
                "series": line["series"],
                "unit": line["unit"],
                "values": found.count,
                "min": found.min,
                "max": found.max,
                "mean": found.mean,
                "delta": last - first if first is not None and last is not None else None,
                "integral": found.integral if found.mean is not None else None,
            }
        )
    return pa.Table.from_pylist(rows, COUNTER_SCHEMA)


def overlapping(capture: Capture, track: int, from_ns: int, to_ns: int) -> tuple[Array, Array]:
    """Starts and ends of the slices of all depth rows of a track that touch the range."""
    starts, ends = [], []
    for lane in range(int(capture.track_lane[track]), int(capture.track_lane[track + 1])):
        a, b = int(capture.lane_offset[lane]), int(capture.lane_offset[lane + 1])
        # Slices of one row do not overlap, so both their starts and their ends go up.
        first = a + int(np.searchsorted(capture.slice_end[a:b], from_ns))
        last = a + int(np.searchsorted(capture.slice_start[a:b], to_ns, "right"))
        if last > first:
            starts.append(np.asarray(capture.slice_start[first:last]))
            ends.append(np.asarray(capture.slice_end[first:last]))
    if not starts:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    return np.concatenate(starts), np.concatenate(ends)


def union_ns(starts: Array, ends: Array) -> tuple[int, Array, Array]:
    """Length of the union of intervals, and its pieces as starts and ends in order."""
    if not len(starts):
        return 0, starts, ends
    order = np.argsort(starts, kind="stable")
    begin, reach = starts[order], np.maximum.accumulate(ends[order])
    new = np.concatenate([[True], begin[1:] > reach[:-1]])
    at = np.flatnonzero(new)
    lows, highs = begin[at], reach[np.append(at[1:] - 1, len(reach) - 1)]
    return int((highs - lows).sum()), lows, highs


def _figures(starts: Array, ends: Array, from_ns: int, to_ns: int, whole: bool) -> dict[str, int | float | None]:
    inside = np.maximum(starts, from_ns), np.minimum(ends, to_ns)
    busy_inside, lows, highs = union_ns(*inside)
    busy = union_ns(starts, ends)[0] if whole else busy_inside
    lengths = ends - starts if whole else inside[1] - inside[0]
    gaps = np.append(lows, to_ns) - np.concatenate([[from_ns], highs])
    span = to_ns - from_ns
    return {
        "slices": len(starts),
        "sum_ns": int(lengths.sum()),
        "busy_ns": busy,
        "busy_ratio": busy / span if span > 0 else None,
        "gap_ns": int(gaps.max()),
    }


def _lane(capture: Capture, track: int) -> str:
    row = capture.tracks.slice(track, 1).to_pylist()[0]
    return " › ".join(dict.fromkeys(t for t in (row["thread"], row["group"], row["lane"]) if t))
