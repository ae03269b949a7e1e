"""Named queries of the timeline: cards, lanes, slices, counters, flows, search and the spans of a frame.

Times are raw int64 ns as recorded. Ids of instants go on behind the slices of their card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import details, links, raster
from insight_desktop.engine.timeline import events as events_of
from insight_desktop.engine.timeline import filter as filters
from insight_desktop.engine.timeline import search as finder
from insight_desktop.engine.timeline.advice import advice as advice
from insight_desktop.engine.timeline.align import alignment as alignment
from insight_desktop.engine.timeline.card_compare import compare as compare
from insight_desktop.engine.timeline.card_compare import matched_slices as matched_slices
from insight_desktop.engine.timeline.flame import flame_graph as flame_graph
from insight_desktop.engine.timeline.ftrace import ftrace_summary as ftrace_summary
from insight_desktop.engine.timeline.gaps import idle_gaps as idle_gaps
from insight_desktop.engine.timeline.kernel_details import kernel_count as kernel_count
from insight_desktop.engine.timeline.kernel_details import kernel_details as kernel_details
from insight_desktop.engine.timeline.kernel_details import operator_types as operator_types
from insight_desktop.engine.timeline.kernel_e2e import kernel_e2e as kernel_e2e
from insight_desktop.engine.timeline.kernel_e2e import kernel_e2e_details as kernel_e2e_details
from insight_desktop.engine.timeline.kernel_e2e import kernel_e2e_rate as kernel_e2e_rate
from insight_desktop.engine.timeline.memcpy import memcpy as memcpy
from insight_desktop.engine.timeline.memcpy import memcpy_details as memcpy_details
from insight_desktop.engine.timeline.merge import merged_streams as merged_streams
from insight_desktop.engine.timeline.names import name_histogram as name_histogram
from insight_desktop.engine.timeline.names import name_statistics as name_statistics
from insight_desktop.engine.timeline.overall import overall_details as overall_details
from insight_desktop.engine.timeline.overall import overall_metrics as overall_metrics
from insight_desktop.engine.timeline.slice_list import slice_list as slice_list
from insight_desktop.engine.timeline.slice_list import slice_list_details as slice_list_details
from insight_desktop.engine.timeline.slice_list import slice_list_totals as slice_list_totals
from insight_desktop.engine.timeline.slice_list import track_numbers
from insight_desktop.engine.timeline.steps import steps as steps
from insight_desktop.engine.timeline.system_view import summary as summary
from insight_desktop.engine.timeline.system_view import trace as trace
from insight_desktop.engine.timeline.system_view import trace_count as trace_count
from insight_desktop.engine.timeline.why_free import why_free as why_free
from insight_desktop.errors import BadArgument, NoData

__all__ = [
    "advice",
    "alignment",
    "cards",
    "compare",
    "counters",
    "events",
    "events_count",
    "filtered",
    "flame_graph",
    "flows",
    "ftrace_summary",
    "idle_gaps",
    "kernel_count",
    "kernel_details",
    "kernel_e2e",
    "kernel_e2e_details",
    "kernel_e2e_rate",
    "lanes",
    "matched_slices",
    "memcpy",
    "memcpy_details",
    "merged_streams",
    "name_histogram",
    "name_statistics",
    "operator_types",
    "overall_details",
    "overall_metrics",
    "search",
    "slice_list",
    "slice_list_details",
    "slice_list_totals",
    "slices",
    "steps",
    "summary",
    "trace",
    "trace_count",
    "viewport",
    "why_free",
]

_CARD = {
    "card": pa.string(), "rank": pa.string(), "device": pa.int32(), "host": pa.string(), "kind": pa.string(),
    "first_ns": pa.int64(), "last_ns": pa.int64(), "slices": pa.int64(), "instants": pa.int64(),
    "counters": pa.int64(), "links": pa.int64(),
}  # fmt: skip
_LANE = {
    "card": pa.string(), "process": pa.string(), "pid": pa.string(), "thread": pa.string(), "tid": pa.string(),
    "lane": pa.string(), "kind": pa.string(), "rows": pa.int64(), "slices": pa.int64(), "sum_ns": pa.int64(),
    "busy_ns": pa.int64(), "first_ns": pa.int64(), "last_ns": pa.int64(),
}  # fmt: skip
_SLICE = {
    "id": pa.int64(), "card": pa.string(), "process": pa.string(), "pid": pa.string(), "thread": pa.string(),
    "tid": pa.string(), "lane": pa.string(), "name": pa.large_string(), "ts_ns": pa.int64(), "dur_ns": pa.int64(),
    "row": pa.int32(), "unfinished": pa.bool_(), "args": pa.string(),
}  # fmt: skip
_COUNTER = {
    "card": pa.string(), "process": pa.string(), "counter": pa.string(), "series": pa.string(), "ts_ns": pa.int64(),
    "value": pa.float64(),
}  # fmt: skip
_FLOW = {
    "category": pa.string(), "id": pa.string(), "from_name": pa.large_string(), "from_ts_ns": pa.int64(),
    "to_name": pa.large_string(), "to_ts_ns": pa.int64(),
}  # fmt: skip
_MOST_PX = 1 << 20
_SPAN = {
    "card": pa.string(), "process": pa.string(), "lane": pa.string(), "row": pa.int32(), "x0": pa.float64(),
    "x1": pa.float64(), "name": pa.large_string(), "start_ns": pa.int64(), "end_ns": pa.int64(), "slices": pa.int64(),
}  # fmt: skip


def cards(store: Store) -> pa.Table:
    """The opened cards: card, rank, device, host, kind, first_ns, last_ns, slices, instants, counters, links.

    first_ns and last_ns are the whole data with outliers, raw ns; counters are counter events.
    """
    rows = []
    for card in store.cards:
        m = store.capture(card.name).manifest
        counts = {name: m.counts.get(name, 0) for name in ("slices", "instants", "counters", "links")}
        rows.append({**vars(card), **counts, "card": card.name, "first_ns": m.start_ns, "last_ns": m.end_ns})
    return pa.Table.from_pylist(rows, pa.schema(_CARD))


def lanes(store: Store, *, card: str | None = None) -> pa.Table:
    """Lanes in display order: card, process, pid, thread, tid, lane, kind, rows, slices, sum_ns, busy_ns, first_ns, last_ns.

    kind is slice or counter. sum_ns adds raw durations, busy_ns is the union of the intervals. Counter lanes stand below
    `CPU Metrics` or `NPU Metrics` (process), with their former process as thread; rows, slices and sums are 0 there.
    """
    rows: list[dict[str, Any]] = []
    for chosen in store.chosen(card):
        capture = store.capture(chosen.name)
        rows += [{**track, "card": chosen.name, "kind": "slice"} for track in capture.tracks.to_pylist()]
        rows += _counter_lanes(chosen, capture)
    return pa.Table.from_pylist(rows, pa.schema(_LANE))


def slices(
    store: Store,
    *,
    card: str | None = None,
    process: str | None = None,
    thread: str | None = None,
    name: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    limit: int | None = None,
) -> pa.Table:
    """Slices and instants by start: id, card, process, pid, thread, tid, lane, name, ts_ns, dur_ns, row, unfinished, args.

    process is a name, a pid or `name (pid)`; thread a title or a tid; name the whole name. from_ns and to_ns keep what
    overlaps them (ends at or after from_ns, starts at or before to_ns). Instants have dur_ns 0 and row 0. args is the
    JSON text of the source, null without any or when the source moved or changed.
    """
    if limit is not None and limit < 0:
        raise BadArgument(f"A limit of {limit} rows makes no sense.", fix="Leave it out to get all rows.")
    parts = []
    for chosen in store.chosen(card):
        capture = store.capture(chosen.name)
        ids = _filtered(capture, _tracks(capture, process, thread), name, from_ns, to_ns)
        parts.append((chosen, capture, _by_start(capture, ids)[:limit]))
    return _slice_rows(parts, limit)


def counters(store: Store, *, card: str | None = None, name: str | None = None) -> pa.Table:
    """Counter values in time order of each series: card, process, counter, series, ts_ns, value; gaps are left out.

    process is the one the counter was written for; name is the counter's, the series' or `counter/series`.
    """
    parts = []
    for chosen in store.chosen(card):
        capture = store.capture(chosen.name)
        for number, line in enumerate(capture.series.to_pylist()):
            if name is not None and name not in (
                line["counter"],
                line["series"],
                f"{line['counter']}/{line['series']}",
            ):
                continue
            a, b = int(capture.series_offset[number]), int(capture.series_offset[number + 1])
            values = np.asarray(capture.counter_value[a:b])
            known = ~np.isnan(values)
            count = int(known.sum())
            texts = {"card": chosen.name, **{key: line[key] for key in ("process", "counter", "series")}}
            columns = [pa.repeat(pa.scalar(text, pa.string()), count) for text in texts.values()]
            columns += [pa.array(np.asarray(capture.counter_ts[a:b])[known]), pa.array(values[known])]
            parts.append(pa.table(columns, schema=pa.schema(_COUNTER)))
    return pa.concat_tables(parts) if parts else pa.schema(_COUNTER).empty_table()


def flows(store: Store, *, card: str | None = None, category: str | None = None) -> pa.Table:
    """Links between slices: category, id, from_name, from_ts_ns, to_name, to_ts_ns; by source time, then target time."""
    parts = []
    for chosen in store.chosen(card):
        capture = store.capture(chosen.name)
        rows = links.rows_of(capture, category)
        ends = [np.asarray(column)[rows] for column in (capture.link_from, capture.link_to)]
        stamps = [np.asarray(capture.slice_start)[end] for end in ends]
        order = np.lexsort((stamps[1], stamps[0]))
        rows, ends, stamps = rows[order], [end[order] for end in ends], [stamp[order] for stamp in stamps]
        names = [capture.strings.take(pa.array(np.asarray(capture.slice_name)[end])) for end in ends]
        kind = np.asarray(capture.link_category)[rows]  # -1: the source gives none
        kinds = capture.strings.take(pa.array(kind, mask=kind < 0)).cast(pa.string()).fill_null("")
        texts = pa.array([capture.link_text(int(i)) for i in np.asarray(capture.link_id)[rows]], pa.string())
        columns = [kinds, texts, names[0], pa.array(stamps[0]), names[1], pa.array(stamps[1])]
        parts.append(pa.table(columns, schema=pa.schema(_FLOW)))
    return pa.concat_tables(parts) if parts else pa.schema(_FLOW).empty_table()


def search(
    store: Store, *, text: str, card: str | None = None, match: finder.Match = "contains", case: bool = False
) -> pa.Table:
    """Slices and instants whose name matches, by start, lane, id; columns as `slices`.

    match is contains, name (the whole name), word or regex; `%` and `_` mean themselves. case tells large from small.
    """
    parts = []
    for chosen in store.chosen(card):
        capture = store.capture(chosen.name)
        parts.append((chosen, capture, finder.hits(capture, finder.name_mask(capture, text, match, case))))
    return _slice_rows(parts, None)


def filtered(store: Store, *, text: str, card: str | None = None, limit: int | None = None) -> pa.Table:
    """Slices and instants that pass a filter, by start; columns as `slices`.

    The filter is a line of terms that must all hold: `word`, `"two words"`, `/regex/`, `args:text`, `dur>1ms`,
    `dur<=20us`, `rank:0-7`, `lane:Stream 2`, `cat:cpu_op`, and `-` in front of a term for its opposite.
    """
    parts = []
    for chosen in store.chosen(card):
        ids = filters.of_card(store, chosen.name, text).ids()
        parts.append((chosen, store.capture(chosen.name), ids[:limit]))
    return _slice_rows(parts, limit)


def viewport(store: Store, *, from_ns: int, to_ns: int, px: int = 1600, card: str | None = None) -> pa.Table:
    """What a frame draws: card, process, lane, row, x0, x1, name, start_ns, end_ns, slices.

    x0 and x1 are pixels of the window [from_ns, to_ns) of px pixels. A slice of one pixel or more is a span of its own
    (slices 1); shorter neighbours that touch one pixel are one span with the name of the longest level entry.
    """
    if to_ns <= from_ns or not 1 <= px <= _MOST_PX:
        raise BadArgument(
            f"A window from {from_ns} to {to_ns} ns on {px} pixels cannot be drawn.",
            fix=f"Give a from_ns before to_ns, and 1 to {_MOST_PX} pixels.",
        )
    parts = []
    for chosen in store.chosen(card):
        capture = store.capture(chosen.name)
        every = np.arange(len(capture.lane_track), dtype=np.int32)
        found = raster.frame(capture, every, from_ns, to_ns, px)
        lane = found["lane_index"]
        track = pa.array(np.asarray(capture.lane_track)[lane])
        columns = [
            pa.repeat(pa.scalar(chosen.name, pa.string()), len(lane)),
            *(capture.tracks.column(c).combine_chunks().take(track) for c in ("process", "lane")),
            pa.array(np.asarray(capture.lane_row)[lane]),
            pa.array(found["x0"]),
            pa.array(found["x1"]),
            capture.strings.take(pa.array(found["name"])),
            pa.array(found["start"]),
            pa.array(found["end"]),
            pa.array(found["count"]),
        ]
        parts.append(pa.table(columns, schema=pa.schema(_SPAN)))
    return pa.concat_tables(parts) if parts else pa.schema(_SPAN).empty_table()


def events(
    store: Store,
    *,
    card: str | None = None,
    tracks: str | Sequence[int] | None = None,
    process: str | None = None,
    thread: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
    name: str | None = None,
    sort: str = "dur_ns",
    descending: bool = True,
    offset: int = 0,
    limit: int | None = None,
) -> pa.Table:
    """Single slices of lanes, longest first: id, name, ts_ns, dur_ns, whole_ns, track, row and columns of the lane's kind.

    Host lanes add tid and pid; streams stream and rank; communication group and rank; the overlap analysis analysis_type
    and rank. Lanes are those of `tracks` (positions, `0,3`) and of process and thread as in `slices`. dur_ns is the part
    inside the range, with `whole` all of it; name keeps what contains it. sort is id, name, ts_ns, dur_ns or whole_ns.
    """
    chosen = store.card(card).name
    wanted = _event_tracks(store.capture(chosen), tracks, process, thread)
    return events_of.rows(
        store, chosen, wanted, from_ns, to_ns, whole=whole, name=name, sort=sort, descending=descending, offset=offset,
        limit=limit,
    )  # fmt: skip


def events_count(
    store: Store,
    *,
    card: str | None = None,
    tracks: str | Sequence[int] | None = None,
    process: str | None = None,
    thread: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
    name: str | None = None,
) -> pa.Table:
    """How many rows `events` has without a page, and their time: count, sum_ns."""
    chosen = store.card(card).name
    wanted = _event_tracks(store.capture(chosen), tracks, process, thread)
    return events_of.count(store, chosen, wanted, from_ns, to_ns, whole=whole, name=name)


def _counter_lanes(card: StoreCard, capture: Capture) -> list[dict[str, Any]]:
    lanes: dict[tuple[str, ...], dict[str, Any]] = {}
    for line in capture.series.to_pylist():
        key = (line["metrics"], line["process"], line["pid"], line["counter"])
        lane = lanes.setdefault(
            key,
            {
                "card": card.name, "process": line["metrics"], "pid": line["pid"], "thread": line["process"], "tid": "",
                "lane": line["counter"], "kind": "counter", "rows": 0, "slices": 0, "sum_ns": 0, "busy_ns": 0,
                "first_ns": line["first_ns"], "last_ns": line["last_ns"],
            },
        )  # fmt: skip
        lane["first_ns"] = min(lane["first_ns"], line["first_ns"])
        lane["last_ns"] = max(lane["last_ns"], line["last_ns"])
    return list(lanes.values())


def _tracks(capture: Capture, process: str | None, thread: str | None) -> Array | None:
    """Which tracks are wanted; None for all."""
    if process is None and thread is None:
        return None
    wanted = []
    for track in capture.tracks.select(["process", "pid", "thread", "tid", "lane"]).to_pylist():
        of_process = (track["process"], track["pid"], f"{track['process']} ({track['pid']})")
        of_thread = (track["thread"], track["tid"], track["lane"])
        wanted.append((process is None or process in of_process) and (thread is None or thread in of_thread))
    return np.array(wanted, np.bool_)


def _event_tracks(
    capture: Capture, tracks: str | Sequence[int] | None, process: str | None, thread: str | None
) -> tuple[int, ...]:
    mask = _tracks(capture, process, thread)
    mine = track_numbers(tracks)
    every = range(len(capture.track_lane) - 1)
    return tuple(t for t in every if (mask is None or mask[t]) and (mine is None or t in mine))


def _filtered(
    capture: Capture, tracks: Array | None, name: str | None, from_ns: int | None, to_ns: int | None
) -> Array:
    """Ids of the slices, then of the instants, that pass."""
    found = []
    count = len(capture.slice_start)
    mask = None if name is None else finder.name_mask(capture, name, "name", True)
    for shift, start, end, names, lane_ends, lane_tracks in (
        (0, capture.slice_start, capture.slice_end, capture.slice_name, capture.lane_offset, capture.lane_track),
        (count, capture.instant_ts, capture.instant_ts, capture.instant_name, capture.instant_offset, None),
    ):
        keep = np.ones(len(start), np.bool_)
        if tracks is not None and len(start):
            owners = np.arange(len(tracks)) if lane_tracks is None else np.asarray(lane_tracks)
            keep &= np.repeat(tracks[owners], np.diff(np.asarray(lane_ends)))
        if mask is not None:
            keep &= mask[np.asarray(names)]
        if from_ns is not None:
            keep &= np.asarray(end) >= from_ns
        if to_ns is not None:
            keep &= np.asarray(start) <= to_ns
        found.append(np.flatnonzero(keep) + shift)
    return np.concatenate(found)


def _by_start(capture: Capture, ids: Array) -> Array:
    count = len(capture.slice_start)
    point = ids >= count
    starts = np.empty(len(ids), np.int64)
    starts[~point] = np.asarray(capture.slice_start)[ids[~point]]
    starts[point] = np.asarray(capture.instant_ts)[ids[point] - count]
    return ids[np.argsort(starts, kind="stable")]


def _slice_rows(parts: list[tuple[StoreCard, Capture, Array]], limit: int | None) -> pa.Table:
    made = [_rows_of_card(*part) for part in parts if len(part[2])]
    if not made:
        return pa.schema(_SLICE).empty_table()
    whole = pa.concat_tables(made)
    if len(made) > 1:
        offsets = {card.name: card.offset_ns for card, _, _ in parts}
        shown = np.asarray(whole["ts_ns"]) - np.array([offsets[c] for c in whole["card"].to_pylist()])
        whole = whole.take(pa.array(np.argsort(shown, kind="stable")))
    return whole if limit is None else whole.slice(0, limit)


def _rows_of_card(card: StoreCard, capture: Capture, ids: Array) -> pa.Table:
    facts = finder.rows(capture, ids)
    count = len(capture.slice_start)
    slice_ids = np.minimum(ids, max(count - 1, 0))
    is_slice = ids < count
    row, flags = np.zeros(len(ids), np.int32), np.zeros(len(ids), np.uint8)
    row[is_slice] = np.asarray(capture.lane_row)[finder.lanes_of(capture, slice_ids[is_slice])]
    if len(capture.slice_flags):
        flags[is_slice] = np.asarray(capture.slice_flags)[slice_ids[is_slice]]
    lanes = {
        c: capture.tracks.column(c).combine_chunks().take(facts["track"])
        for c in ("process", "pid", "thread", "tid", "lane")
    }
    columns = {
        **lanes,
        "id": facts["id"],
        "card": pa.repeat(pa.scalar(card.name, pa.string()), len(ids)),
        "name": facts["name"],
        "ts_ns": pa.array(facts["ts_ns"]),
        "dur_ns": pa.array(facts["dur_ns"]),
        "row": pa.array(row),
        "unfinished": pc.not_equal(pa.array(flags & schema.UNFINISHED), 0),
        "args": pa.array(_args(card, capture, ids), pa.string()),
    }
    return pa.table([columns[name] for name in _SLICE], schema=pa.schema(_SLICE))


def _args(card: StoreCard, capture: Capture, ids: Array) -> list[str | None]:
    try:
        return details.args_text(card, capture, ids)
    except NoData:
        return [None] * len(ids)
