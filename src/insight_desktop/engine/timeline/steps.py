"""Training steps of a card: from `ProfilerStep#n`, else from the period with which most names repeat."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.align_collectives import median
from insight_desktop.engine.timeline.kept import kept

SCHEMA = pa.schema(
    [
        ("step", pa.int64()),
        ("from_ns", pa.int64()),
        ("to_ns", pa.int64()),
        ("dur_ns", pa.int64()),
        ("id", pa.int64()),
        ("source", pa.string()),
    ]
)

_MARK = r"^ProfilerStep#(\d{1,18})$"
_FEWEST, _MOST = 3, 10_000  # how often a name may occur to be a candidate for the period
_EVEN = 0.1  # standard deviation / mean of the distances between starts
_COVERED = 0.5  # part of the data that the repetitions must span
_ALIKE = 1.05  # periods within this factor are the same
_TABLE = 1 << 24  # pairs of name and track up to which they are counted in a table


def steps(store: Store, *, card: str) -> pa.Table:
    """Steps in order: step, from_ns, to_ns, dur_ns (raw), id (the slice that marks it), source.

    source is `ProfilerStep` when the data mark their steps: step is then the number as written. Otherwise it is
    `period`: names that come once per step vote for their period; the longest of the most frequent period marks the
    steps, which are numbered from 0 and last until the next one. Empty when nothing repeats evenly.
    """
    capture = store.capture(card)
    return kept(capture, "steps", lambda: _steps(capture), lambda table: int(table.nbytes))


def step_beside(
    store: Store, *, card: str, at_ns: int, by: Literal[-1, 0, 1] = 1, axis: bool = False
) -> tuple[int, int] | None:
    """Where a jump from step to step leads: start and end of the step at a raw time (0), before it or after it.

    Between two steps the one before has ended and the one after comes next. None when there is no such step. With `axis`
    all times are those of the axis.
    """
    found = steps(store, card=card)
    starts, ends = found["from_ns"].to_numpy(), found["to_ns"].to_numpy()
    if axis and len(starts):
        capture = store.capture(card)
        lanes = np.searchsorted(np.asarray(capture.lane_offset), found["id"].to_numpy(), "right") - 1
        tracks = np.asarray(capture.lane_track)[lanes]
        starts, ends = store.axis_ns(card, starts, tracks), store.axis_ns(card, ends, tracks)
    at = int(np.searchsorted(starts, at_ns, "right")) - 1
    inside = at >= 0 and at_ns < ends[at]
    wanted = at + by if inside or by > 0 else at
    if by == 0 and not inside:
        return None
    return (int(starts[wanted]), int(ends[wanted])) if 0 <= wanted < len(starts) else None


def _steps(capture: Capture) -> pa.Table:
    marked = _marked(capture)
    return marked if marked is not None else _by_period(capture)


def _marked(capture: Capture) -> pa.Table | None:
    mask = np.asarray(pc.match_substring_regex(capture.strings, _MARK).to_numpy(zero_copy_only=False), np.bool_)
    if not mask.any():
        return None
    ids = np.flatnonzero(mask[np.asarray(capture.slice_name)])
    if not len(ids):
        return None
    texts = capture.strings.take(pa.array(np.asarray(capture.slice_name)[ids])).to_pylist()
    numbers = np.array([int(text.partition("#")[2]) for text in texts], np.int64)
    start = np.asarray(capture.slice_start)[ids]
    end = np.asarray(capture.slice_end)[ids]
    # Several threads may carry the mark: the longest slice of a number is the step.
    order = np.lexsort((start, start - end, numbers))
    first = order[np.unique(numbers[order], return_index=True)[1]]
    first = first[np.argsort(start[first], kind="stable")]
    return _table(numbers[first], start[first], end[first], ids[first], "ProfilerStep")


def _by_period(capture: Capture) -> pa.Table:
    ids, bounds = _by_name_and_track(capture)
    start = np.asarray(capture.slice_start)[ids]
    end = np.asarray(capture.slice_end)[ids]
    low, span = capture.manifest.view_start_ns, capture.manifest.view_span_ns
    candidates: list[tuple[int, int, int, int]] = []  # period, summed length, first position, one past the last
    for a, b in bounds:
        own = start[a:b]
        apart = np.diff(own)
        mean = float(apart.mean())
        if own[-1] - own[0] >= _COVERED * span and mean > 0 and float(apart.std()) <= _EVEN * mean:
            candidates.append((median(apart), int((end[a:b] - own).sum()), a, b))
    if not candidates:
        return SCHEMA.empty_table()
    chosen = max(_alike(candidates), key=lambda c: (c[1], -c[2]))
    period, _, a, b = chosen
    begins = start[a:b]
    last = max(int(end[b - 1]), min(int(begins[-1]) + period, low + span))
    return _table(np.arange(b - a), begins, np.append(begins[1:], last), ids[a:b], "period")


def _alike(candidates: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """The candidates with the period that most names share; of equally frequent ones the longest."""
    ordered = sorted(candidates)
    periods = np.array([c[0] for c in ordered], np.float64)
    upto = np.searchsorted(periods, periods * _ALIKE, "right")
    votes = upto - np.arange(len(ordered))
    at = max(range(len(ordered)), key=lambda i: (votes[i], periods[i]))
    return ordered[at : int(upto[at])]


def _by_name_and_track(capture: Capture) -> tuple[Array, list[tuple[int, int]]]:
    """Slices sorted by (name, track, start), and the runs of one name and track that are candidates."""
    names = np.asarray(capture.slice_name)
    tracks = np.repeat(np.asarray(capture.lane_track), np.diff(np.asarray(capture.lane_offset))).astype(np.int64)
    count = max(len(capture.track_lane) - 1, 1)
    key = names.astype(np.int64) * count + tracks
    if len(capture.strings) * count <= _TABLE:
        counts = np.bincount(key, minlength=1)
        wanted = (counts >= _FEWEST) & (counts <= _MOST)
        ids = np.flatnonzero(wanted[key])
    else:
        _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
        wanted = (counts >= _FEWEST) & (counts <= _MOST)
        ids = np.flatnonzero(wanted[inverse])
    order = np.lexsort((np.asarray(capture.slice_start)[ids], key[ids]))
    ids = ids[order]
    ends = np.cumsum(counts[wanted])
    return ids, list(zip((ends - counts[wanted]).tolist(), ends.tolist(), strict=True))


def _table(numbers: Array, start: Array, end: Array, ids: Array, source: str) -> pa.Table:
    columns = [numbers, start, end, end - start, ids, pa.repeat(pa.scalar(source), len(ids))]
    return pa.table(columns, schema=SCHEMA)
