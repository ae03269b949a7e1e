"""Slices of one name and sums per name: totals, histogram, percentiles, outliers, the next of the same name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.lane_kinds import named
from insight_desktop.errors import BadArgument, NoData

OUTLIER = 3.5  # modified z-score from which a duration is an outlier
_TO_SIGMA = 1.4826  # median absolute deviation of a normal distribution × this = standard deviation
_MEAN_TO_SIGMA = 1.2533  # the same for the mean absolute deviation


@dataclass(frozen=True)
class NameFigures:
    """Durations of the slices of one name in ns.

    Percentiles are durations that occur: the smallest for which at least that part is not longer. `mad_ns` is the median
    distance from the median. `outliers` are ids of slices that lie far from the median, farthest first.
    """

    count: int
    sum_ns: int
    min_ns: int
    max_ns: int
    p50_ns: int
    p95_ns: int
    p99_ns: int
    mad_ns: int
    outliers: Array


def same_name(store: Store, *, card: str, name: str) -> Array:
    """Ids of all slices of a name on a card, by start, then id."""
    return named(store.capture(card), name)


def neighbour(capture: Capture, slice_id: int, by: int) -> int | None:
    """The slice of the same name that comes `by` places later (earlier when negative); None beyond the ends."""
    ids = named(capture, capture.text(int(capture.slice_name[slice_id])))
    at = int(np.flatnonzero(ids == slice_id)[0]) + by
    return int(ids[at]) if 0 <= at < len(ids) else None


def name_figures(store: Store, *, card: str, name: str) -> NameFigures:
    """Figures of all slices of a name. Raises NoData when there is none."""
    capture = store.capture(card)
    ids = _found(capture, card, name)
    lengths = _lengths(capture, ids)
    ordered = np.sort(lengths)
    middle = _percentile(ordered, 50)
    distance = np.abs(lengths - middle)
    mad = _percentile(np.sort(distance), 50)
    sigma = mad * _TO_SIGMA if mad else float(distance.mean()) * _MEAN_TO_SIGMA
    far = np.flatnonzero(distance > OUTLIER * sigma) if sigma else np.empty(0, np.int64)
    outliers = ids[far[np.argsort(-distance[far], kind="stable")]]
    return NameFigures(
        len(ids),
        int(lengths.sum()),
        int(ordered[0]),
        int(ordered[-1]),
        middle,
        _percentile(ordered, 95),
        _percentile(ordered, 99),
        mad,
        outliers,
    )


def name_statistics(store: Store, *, card: str, name: str) -> pa.Table:
    """Durations of a name: count, sum_ns, min_ns, max_ns, p50_ns, p95_ns, p99_ns, mad_ns, outliers (ids, farthest first).

    Percentiles are durations that occur; an outlier is more than 3.5 robust standard deviations from the median.
    """
    found = name_figures(store, card=card, name=name)
    columns = {key: pa.array([value], pa.int64()) for key, value in vars(found).items() if key != "outliers"}
    return pa.table({**columns, "outliers": pa.array([found.outliers.tolist()], pa.list_(pa.int64()))})


def name_histogram(store: Store, *, card: str, name: str, bins: int = 50, log: bool = False) -> pa.Table:
    """How often durations of a name occur: from_ns (included), to_ns (excluded, but included in the last bin), count.

    Bins divide the span from the shortest to the longest evenly, with `log` by equal factors (zero counts as 1 ns); edges
    are whole ns, so there are fewer bins when the span is short. Raises NoData without such a slice.
    """
    capture = store.capture(card)
    return histogram(_lengths(capture, _found(capture, card, name)), bins, log)


def histogram(lengths: Array, bins: int = 50, log: bool = False) -> pa.Table:
    """How often durations occur, one of them at least; columns and bins as in `name_histogram`."""
    if bins < 1:
        raise BadArgument(f"A histogram of {bins} bins cannot be made.", fix="Ask for one bin or more.")
    low, high = int(lengths.min()), int(lengths.max())
    if log:
        edges = np.rint(np.geomspace(max(low, 1), max(high, 1), bins + 1)).astype(np.int64)
        edges[0], edges[-1] = low, high
    else:
        edges = np.array([low + (high - low) * i // bins for i in range(bins + 1)], np.int64)
    edges = np.unique(edges)
    if len(edges) == 1:
        edges = np.repeat(edges, 2)
        counts = np.array([len(lengths)])
    else:
        counts = np.histogram(lengths, edges)[0]
    return pa.table({"from_ns": edges[:-1], "to_ns": edges[1:], "count": counts.astype(np.int64)})


def name_totals(
    capture: Capture,
    tracks: Array | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
) -> pa.Table:
    """Slices that overlap a range added up by name: name, count, sum_ns; in the order of the string ids.

    Args:
        capture: the card.
        tracks: one truth value per track; all when None.
        from_ns: start of the range in raw ns, None for the start of the data.
        to_ns: end of the range.
        whole: add raw durations, not the parts inside.
    """
    start, end, names = (np.asarray(c) for c in (capture.slice_start, capture.slice_end, capture.slice_name))
    keep = None
    if tracks is not None:
        keep = np.repeat(tracks[np.asarray(capture.lane_track)], np.diff(np.asarray(capture.lane_offset)))
    for mask in (end >= from_ns if from_ns is not None else None, start <= to_ns if to_ns is not None else None):
        if mask is not None:
            keep = mask if keep is None else keep & mask
    if keep is not None:
        start, end, names = start[keep], end[keep], names[keep]
    if not whole:
        start = start if from_ns is None else np.maximum(start, from_ns)
        end = end if to_ns is None else np.minimum(end, to_ns)
    count = np.bincount(names, minlength=len(capture.strings))
    total = np.zeros(len(count), np.int64)
    np.add.at(total, names, end - start)
    used = np.flatnonzero(count)
    texts = capture.strings.take(pa.array(used))
    return pa.table({"name": texts, "count": count[used].astype(np.int64), "sum_ns": total[used]})


def _found(capture: Capture, card: str, name: str) -> Array:
    ids = named(capture, name)
    if not len(ids):
        raise NoData(f"Card {card} has no slice with the name {name!r}.", fix="Search for a part of the name.")
    return ids


def _lengths(capture: Capture, ids: Array) -> Array:
    return np.asarray(capture.slice_end)[ids] - np.asarray(capture.slice_start)[ids]


def _percentile(ordered: Array, percent: int) -> int:
    """The smallest value for which at least `percent` % of all are not larger."""
    return int(ordered[max(0, -(-len(ordered) * percent // 100) - 1)])
