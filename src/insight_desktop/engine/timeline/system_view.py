"""Summary and trace tables of a layer of a card."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import layers, slice_list, slice_sets
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.engine.timeline.layers import View
from insight_desktop.engine.timeline.slice_sets import I64

SUMMARY_SCHEMA = pa.schema(
    [
        ("name", pa.large_string()), ("ratio", pa.float64()), ("total_ns", pa.int64()), ("count", pa.int64()),
        ("avg_ns", pa.float64()), ("min_ns", pa.int64()), ("max_ns", pa.int64()),
    ]
)  # fmt: skip
Column = Literal["name", "ratio", "total_ns", "count", "avg_ns", "min_ns", "max_ns"]


def summary(
    store: Store,
    *,
    view: View,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
    name: str | None = None,
    sort: Column = "total_ns",
    descending: bool = True,
) -> pa.Table:
    """A layer by name, largest total first: name, ratio (0–1), total_ns, count, avg_ns, min_ns, max_ns.

    Slices that touch [from_ns, to_ns] count with the part inside, with `whole` in full. ratio is of all slices of the layer,
    whatever `name` (contains, case aside) leaves; of the overlap analysis it is of Computing + Communication(Not Overlapped)
    + Free. null for a layer without time. avg_ns is exact.
    """
    chosen = store.card(card).name
    capture = store.capture(chosen)
    tracks = layers.tracks_of(store, chosen, view)

    def make() -> slice_list.Groups:
        picked = slice_sets.pick(capture, tracks, from_ns, to_ns, whole=whole)
        return slice_list.by_name(picked, picked.length)

    groups = kept(capture, ("summary", view, tracks, from_ns, to_ns, whole), make, lambda made: made.nbytes)
    names = capture.strings.take(pa.array(groups.name))
    total, count = groups.figures.sum, groups.figures.count
    base = total
    if view == "overlap":
        base = total[[word.as_py() != layers.COMMUNICATION for word in names]]
    whole_ns = int(base.sum())
    columns = [
        names,
        pa.array(total / max(whole_ns, 1), pa.float64(), mask=np.full(len(total), whole_ns == 0)),
        pa.array(total),
        pa.array(count),
        pa.array(total / np.maximum(count, 1), pa.float64()),
        pa.array(groups.figures.min),
        pa.array(groups.figures.max),
    ]
    return slice_list.sorted_table(
        slice_list.containing(pa.table(columns, schema=SUMMARY_SCHEMA), name), sort, descending
    )


def trace(
    store: Store,
    *,
    view: View,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
    name: str | None = None,
    sort: str = "dur_ns",
    descending: bool = True,
    offset: int = 0,
    limit: int | None = None,
) -> pa.Table:
    """Single slices of a layer, longest first: id, name, ts_ns, dur_ns, whole_ns, track, row.

    dur_ns is the part inside [from_ns, to_ns], with `whole` all of it as whole_ns. name keeps names that contain it. sort is
    id, name, ts_ns, dur_ns or whole_ns; equal ones stand by start.
    """
    chosen = store.card(card).name
    capture = store.capture(chosen)
    key, ids, lengths = _slices(store, chosen, view, from_ns, to_ns, whole, name)
    order = slice_list.sorted_page(capture, key, ids, lengths, sort, descending, offset, limit)
    return slice_list.slice_rows(capture, ids, lengths, order)


def trace_count(
    store: Store,
    *,
    view: View,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
    name: str | None = None,
) -> pa.Table:
    """How many rows `trace` has without a page, and their time: count, sum_ns."""
    _, ids, lengths = _slices(store, store.card(card).name, view, from_ns, to_ns, whole, name)
    return pa.table({"count": pa.array([len(ids)], pa.int64()), "sum_ns": pa.array([int(lengths.sum())], pa.int64())})


def _slices(
    store: Store, card: str, view: View, from_ns: int | None, to_ns: int | None, whole: bool, name: str | None
) -> tuple[tuple[object, ...], I64, I64]:
    capture = store.capture(card)
    tracks = layers.tracks_of(store, card, view)
    wanted = (name or "").strip().casefold()
    key = ("trace", view, tracks, from_ns, to_ns, whole, wanted)

    def make() -> tuple[I64, I64]:
        picked = slice_sets.pick(capture, tracks, from_ns, to_ns, whole=whole)
        if not wanted:
            return picked.ids, picked.length
        keep = slice_list.name_table(capture, wanted)[picked.name]
        return picked.ids[keep], picked.length[keep]

    ids, lengths = kept(capture, key, make, lambda made: made[0].nbytes + made[1].nbytes)
    return key, ids, lengths
