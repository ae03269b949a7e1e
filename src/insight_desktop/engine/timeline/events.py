"""The Events View: single slices of lanes with columns that fit the kind of the lanes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import layers, slice_list, slice_sets
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.engine.timeline.slice_sets import I64

_COLUMNS = {
    "host": ("tid", "pid"), "device": ("stream", "rank"), "communication": ("group", "rank"),
    "overlap": ("analysis_type", "rank"),
}  # fmt: skip


def rows(
    store: Store, card: str, tracks: Sequence[int], from_ns: int | None, to_ns: int | None, *, whole: bool, name: str | None,
    sort: str, descending: bool, offset: int, limit: int | None,
) -> pa.Table:  # fmt: skip
    """Slices of some lanes: columns of slice_list.DETAILS_SCHEMA, then those of the kinds of the lanes.

    Host lanes add tid and pid; streams add stream and rank; communication adds group and rank; the overlap analysis adds
    analysis_type and rank. Columns of one kind are null in rows of another.
    """
    capture = store.capture(card)
    key, ids, lengths = _slices(capture, tuple(tracks), from_ns, to_ns, whole, name)
    order = slice_list.sorted_page(capture, key, ids, lengths, sort, descending, offset, limit)
    table = slice_list.slice_rows(capture, ids, lengths, order)
    texts = _texts(store, store.card(card), tracks)
    shown = table.column("track")
    for column in dict.fromkeys(c for kind in texts["kind"] if kind for c in _COLUMNS[kind]):
        table = table.append_column(column, pa.array(texts[column], pa.string()).take(shown))
    return table


def count(
    store: Store, card: str, tracks: Sequence[int], from_ns: int | None, to_ns: int | None, *, whole: bool, name: str | None
) -> pa.Table:  # fmt: skip
    """How many rows there are without a page, and their time: count, sum_ns."""
    _, ids, lengths = _slices(store.capture(card), tuple(tracks), from_ns, to_ns, whole, name)
    return pa.table({"count": pa.array([len(ids)], pa.int64()), "sum_ns": pa.array([int(lengths.sum())], pa.int64())})


def _slices(
    capture: Capture, tracks: tuple[int, ...], from_ns: int | None, to_ns: int | None, whole: bool, name: str | None
) -> tuple[tuple[Any, ...], I64, I64]:
    wanted = (name or "").strip().casefold()
    key = ("events", tracks, from_ns, to_ns, whole, wanted)

    def make() -> tuple[I64, I64]:
        picked = slice_sets.pick(capture, tracks, from_ns, to_ns, whole=whole)
        keep: npt.NDArray[np.bool_] | slice = slice(None)
        if wanted:
            keep = slice_list.name_table(capture, wanted)[picked.name]
        return picked.ids[keep], picked.length[keep]

    ids, lengths = kept(capture, key, make, lambda made: made[0].nbytes + made[1].nbytes)
    return key, ids, lengths


def _texts(store: Store, card: StoreCard, tracks: Sequence[int]) -> dict[str, list[str | None]]:
    """Per lane of the capture: its kind (only of the lanes asked for) and the texts of the further columns."""
    lines = store.capture(card.name).tracks.select(["pid", "process", "tid", "lane", "role"]).to_pylist()
    group_of = {
        plane: lines[group]["lane"] for group, planes in layers.group_planes(store, card.name) for plane in planes
    }
    out: dict[str, list[str | None]] = {
        c: [None] * len(lines) for c in ("kind", *{name for names in _COLUMNS.values() for name in names})
    }
    for track in tracks:
        line = lines[track]
        kind = _kind(line)
        out["kind"][track] = kind
        texts = {
            "tid": line["tid"], "pid": line["pid"], "stream": line["lane"], "rank": card.rank or card.name,
            "group": group_of.get(track, line["lane"]), "analysis_type": line["lane"],
        }  # fmt: skip
        for column in _COLUMNS[kind]:
            out[column][track] = texts[column]
    return out


def _kind(line: dict[str, Any]) -> str:
    layer = layers.layer_name(line["process"])
    if line["role"] == schema.ROLE_OVERLAP:
        return "overlap"
    if line["role"] in (schema.ROLE_GROUP, schema.ROLE_PLANE) or layer in ("CCU", "HCCL", "Communication"):
        return "communication"
    if line["role"] == schema.ROLE_STREAM or layer == "Ascend Hardware":
        return "device"
    return "host"
