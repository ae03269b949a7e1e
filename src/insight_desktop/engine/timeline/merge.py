"""Merged lanes: several streams of one card drawn as one, with depth rows of their own.

A merged lane is a capture in memory with one track: whatever draws, searches or measures a capture does the same with it.
Its slices are numbered anew; `to_base` and `from_base` lead to the ids of the card and back. Unmerging is forgetting it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.engine.capture import SERIES_TOTALS, Array, Capture, dtype_of
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import depth, mipmap
from insight_desktop.engine.timeline.details import args_text
from insight_desktop.engine.timeline.lanes import Node
from insight_desktop.errors import BadArgument, InsightError
from insight_desktop.ingest.formats.profiler_db_tables import list_tables
from insight_desktop.ingest.open_files import SQLITE_ERRORS, open_sqlite

Ints = npt.NDArray[np.int64]

NO_MODEL = 4294967295
SAMPLE = 200_000  # slices of a stream that are asked for their model; of longer ones every k-th
_MODEL = re.compile(r'"[Mm]odel [Ii]d"\s*:\s*"?(\d{1,19})')
_STREAM = re.compile(r"stream\s*", re.IGNORECASE)
_GATHERED = ("slice_category", "slice_flags", "slice_args_at", "slice_args_len")
_STREAMS = pa.schema(
    [("card", pa.string()), ("merged", pa.string()), ("track", pa.int64()), ("lane", pa.string()), ("rows", pa.int64())]
)
_INSTANTS = ("instant_ts", "instant_name", "instant_category", "instant_args_at", "instant_args_len")


class MergedLanes(Capture):
    """Several tracks of a capture as one track. Made by `merged`.

    Attributes:
        base: the capture of the card.
        tracks_of_base: its tracks in display order.
        title: `Stream Merged (a, b, …)`.
        ids: per slice its id in the base, in the order of the merged lane.
    """

    def __init__(self, base: Capture, tracks: tuple[int, ...]) -> None:
        # A capture opens a folder; this one has its columns in memory.
        self.base, self.tracks_of_base = base, tracks
        self.folder = base.folder
        names = [str(base.tracks.column("lane")[t].as_py()) for t in tracks]
        self.title = f"Stream Merged ({', '.join(_STREAM.sub('', name, count=1) for name in names)})"
        self.ids, lane_offset = _arranged(base, tracks)
        self._back = np.argsort(self.ids, kind="stable")
        lanes = len(lane_offset) - 1
        self._columns: dict[str, Array] = {
            "slice_start": np.asarray(base.slice_start)[self.ids],
            "slice_end": np.asarray(base.slice_end)[self.ids],
            "slice_name": np.asarray(base.slice_name)[self.ids],
            "lane_offset": lane_offset,
            "lane_track": np.zeros(lanes, np.int32),
            "lane_row": np.arange(lanes, dtype=np.int32),
            "track_lane": np.array([0, lanes], np.int64),
        }
        self._points = _instants(base, tracks)
        self._columns["instant_offset"] = np.array([0, len(self._points)], np.int64)
        self.manifest = replace(base.manifest, mip_shifts=self._levels())
        self.__dict__["strings"] = base.strings
        self.__dict__["tracks"] = self._track()
        self.__dict__["series"] = _no_series()

    def column(self, name: str) -> Array:
        """A column as of `Capture.column`; the rarer ones are gathered when they are first asked for."""
        if name not in self._columns:
            if name == "string_hash":
                found = self.base.column(name)
            elif name in _GATHERED or name in _INSTANTS:
                whole = np.asarray(self.base.column(name))
                rows = self.ids if name in _GATHERED else self._points
                found = whole[rows] if len(whole) else whole
            else:
                found = np.empty(0, dtype_of(name))
            self._columns[name] = found
        return self._columns[name]

    def to_base(self, ids: Array | Sequence[int]) -> Ints:
        """Ids of the card for ids of the merged lane; instants behind the slices included."""
        given, count = np.asarray(ids, np.int64), len(self.ids)
        out = np.empty(len(given), np.int64)
        point = given >= count
        out[~point] = self.ids[given[~point]]
        out[point] = self._points[given[point] - count] + len(self.base.slice_start)
        return out

    def from_base(self, ids: Array | Sequence[int]) -> Ints:
        """Ids of the merged lane for ids of the card, -1 for those that are not on it."""
        given = np.asarray(ids, np.int64)
        slices = len(self.base.slice_start)
        out = _found(self.ids[self._back], self._back, given)
        at = _found(self._points, np.arange(len(self._points)), given - slices)
        return np.where((given >= slices) & (at >= 0), at + len(self.ids), out)

    def stream_of(self, slice_id: int) -> str:
        """Title of the stream that a slice of the merged lane is on."""
        lane = self.base.lane_of(int(self.ids[slice_id]))
        return str(self.base.tracks.column("lane")[int(self.base.lane_track[lane])].as_py())

    @property
    def size_bytes(self) -> int:
        return sum(column.nbytes for column in self._columns.values())

    def _levels(self) -> list[int]:
        shifts = []
        start, end, name = (self._columns[f"slice_{part}"] for part in ("start", "end", "name"))
        if len(start):
            for level in mipmap.levels(start, end, name, self._columns["lane_offset"]):
                shifts.append(level.shift)
                for part in ("start", "end", "name", "offset"):
                    self._columns[f"mip_{level.shift}_{part}"] = np.array(getattr(level, part))
        return shifts

    def _track(self) -> pa.Table:
        """The one row of its track table."""
        rows = [self.base.tracks.slice(t, 1).to_pylist()[0] for t in self.tracks_of_base]
        start, end = self._columns["slice_start"], self._columns["slice_end"]
        order = np.argsort(start, kind="stable")
        row = {
            **rows[0],
            **{name: sum(r[name] for r in rows) for name in ("slices", "instants", "sum_ns")},
            "thread": self.title, "lane": self.title, "rows": len(self._columns["lane_row"]),
            "busy_ns": int(depth.union_ns(start[order], end[order])),
            "first_ns": min(r["first_ns"] for r in rows), "last_ns": max(r["last_ns"] for r in rows),
        }  # fmt: skip
        return pa.Table.from_pylist([row], self.base.tracks.schema)


def merged(capture: Capture, tracks: Iterable[int]) -> MergedLanes:
    """Several stream lanes of a card as one, at the place of the first.

    Args:
        capture: the card's capture.
        tracks: its tracks; those of lanes that are merged already may be given together with others.

    Raises BadArgument for fewer than two lanes, unknown tracks, and lanes that are no streams.
    """
    if isinstance(capture, MergedLanes):
        raise BadArgument("A merged lane cannot be merged by itself.", fix="Merge the streams of its card again.")
    wanted = tuple(sorted(set(tracks)))
    if len(wanted) < 2:
        raise BadArgument("Merging needs two streams or more.", fix="Select more stream lanes of one card.")
    if wanted[0] < 0 or wanted[-1] >= capture.tracks.num_rows:
        raise BadArgument(f"The card has no lane {wanted[-1]}.", fix="Select lanes of one card.")
    roles = capture.tracks.column("role").to_pylist()
    other = [t for t in wanted if roles[t] != schema.ROLE_STREAM]
    if other:
        lane = capture.tracks.column("lane")[other[0]].as_py()
        raise BadArgument(f"Only streams can be merged; {lane} is none.", fix="Select stream lanes only.")
    return MergedLanes(capture, wanted)


def automatic(card: StoreCard, capture: Capture) -> list[tuple[int, ...]]:
    """Streams that run one captured graph and are merged when a card opens: groups of tracks, two or more in each.

    Streams with tasks of the same model belong together; a missing model and 4294967295 are none. Empty when the source
    moved or changed.
    """
    try:
        models = _models_of_db(card, capture) if card.kind == "db" else _models_of_args(card, capture)
    except (InsightError, OSError):  # the tasks themselves stay visible, only their models are unknown
        return []
    group: dict[int, int] = {}

    def root(track: int) -> int:
        while group.setdefault(track, track) != track:
            track = group[track]
        return track

    for tracks in models.values():
        first, *others = sorted(tracks)
        for track in others:
            group[root(track)] = root(first)
    found: dict[int, list[int]] = defaultdict(list)
    for track in sorted(group):
        found[root(track)].append(track)
    return sorted(tuple(sorted(tracks)) for tracks in found.values() if len(tracks) > 1)


def merged_streams(store: Store, *, card: str | None = None) -> pa.Table:
    """Streams of captured graphs that are merged when a card opens: card, merged, track, lane, rows.

    One row per stream; merged is the title of the merged lane, rows its depth rows.
    """
    rows = []
    for chosen in store.chosen(card):
        capture = store.capture(chosen.name)
        for tracks in automatic(chosen, capture):
            lane = merged(capture, tracks)
            titles = [capture.tracks.column("lane")[t].as_py() for t in tracks]
            rows += [
                {"card": chosen.name, "merged": lane.title, "track": t, "lane": title, "rows": len(lane.lane_row)}
                for t, title in zip(tracks, titles, strict=True)
            ]
    return pa.Table.from_pylist(rows, _STREAMS)


def with_merged(tree: Node, lanes: Iterable[MergedLanes]) -> Node:
    """The tree of a card with merged lanes: each stands in the place of its first member, the others are gone.

    The row of a merged lane has the tracks in `merged` and no `track`; nothing is below it.
    """
    first: dict[int, MergedLanes] = {}
    gone: set[int] = set()
    for lane in lanes:
        first[lane.tracks_of_base[0]] = lane
        gone.update(lane.tracks_of_base[1:])
    return _replaced(tree, first, gone)


def _replaced(node: Node, first: dict[int, MergedLanes], gone: set[int]) -> Node:
    children = []
    for child in node.children:
        if child.track in first:
            lane = first[child.track]
            rows = len(lane.lane_row)
            key = f"{child.key}/merged"
            children.append(Node(key, lane.title, "lane", child.label, rows=rows, merged=lane.tracks_of_base))
        elif child.track is None or child.track not in gone:
            children.append(_replaced(child, first, gone))
    return replace(node, children=tuple(children))


def _streams(capture: Capture) -> list[int]:
    return [t for t, role in enumerate(capture.tracks.column("role").to_pylist()) if role == schema.ROLE_STREAM]


def _models_of_args(card: StoreCard, capture: Capture) -> dict[tuple[int, int], set[int]]:
    """Streams by (device, model), from the arguments of their tasks."""
    found: dict[tuple[int, int], set[int]] = defaultdict(set)
    devices = capture.tracks.column("device").to_pylist()
    for track in _streams(capture):
        first, last = (int(capture.lane_offset[capture.track_lane[t]]) for t in (track, track + 1))
        ids = np.arange(first, last, max(1, -(-(last - first) // SAMPLE)))
        for text in set(args_text(card, capture, ids)):
            model = _model(text)
            if model is not None:
                found[devices[track], model].add(track)
    return found


def _model(text: str | None) -> int | None:
    found = _MODEL.search(text) if text else None
    model = int(found[1]) if found else NO_MODEL
    return None if model == NO_MODEL else model


def _models_of_db(card: StoreCard, capture: Capture) -> dict[tuple[int, int], set[int]]:
    """Streams by (device, model), from the table of tasks."""
    rows = capture.tracks.select(["device", "lane"]).to_pylist()
    lanes = {(rows[t]["device"], rows[t]["lane"]): t for t in _streams(capture)}
    found: dict[tuple[int, int], set[int]] = defaultdict(set)
    if card.source is None:
        return found
    with open_sqlite(card.source.files[0], allow_truncated=True) as file, closing(file.connect()) as connection:
        info = list_tables(connection).get("TASK")
        if info is None or not {"streamid", "modelid"} <= info.columns.keys():
            return found
        device = "deviceId" if "deviceid" in info.columns else "-1"
        sql = f"SELECT DISTINCT {device}, streamId, modelId FROM {info.quoted} WHERE modelId NOT IN ({NO_MODEL}, -1)"
        try:
            for of_device, stream, model in connection.execute(sql):
                track = lanes.get((of_device, f"Stream {stream}"))
                if track is not None:
                    found[of_device, model].add(track)
        except SQLITE_ERRORS:  # the import has told of the damage
            return found
    return found


def _arranged(base: Capture, tracks: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Base ids in the order (depth row, start) of the merged lane, and the offsets of its depth rows."""
    ranges = [
        np.arange(int(base.lane_offset[base.track_lane[t]]), int(base.lane_offset[base.track_lane[t + 1]]))
        for t in tracks
    ]
    ids = np.concatenate(ranges).astype(np.int64)
    start, end = np.asarray(base.slice_start)[ids], np.asarray(base.slice_end)[ids]
    order = depth.order(start, end)
    if order is not None:
        ids, start, end = ids[order], start[order], end[order]
    rows = np.empty(len(ids), np.int32)
    used, _, _ = depth.assign_rows(start, end, rows)
    by_row = np.argsort(rows, kind="stable")
    offset = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=used))]).astype(np.int64)
    return ids[by_row], offset


def _instants(base: Capture, tracks: tuple[int, ...]) -> Ints:
    """Positions of the instants of the tracks, by time."""
    if not len(base.instant_ts):
        return np.empty(0, np.int64)
    ranges = [np.arange(int(base.instant_offset[t]), int(base.instant_offset[t + 1])) for t in tracks]
    at = np.concatenate(ranges).astype(np.int64)
    return at[np.argsort(np.asarray(base.instant_ts)[at], kind="stable")]


def _found(keys: Ints, values: Ints, wanted: Ints) -> Ints:
    """The value of each wanted key, -1 for unknown ones; keys are sorted."""
    if not len(keys):
        return np.full(len(wanted), -1, np.int64)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, values[at], -1)


def _no_series() -> pa.Table:
    fields: list[Any] = [*schema.STREAM["series"].schema]
    fields += [pa.field(n, pa.float64() if n in ("min", "max") else pa.int64()) for n in SERIES_TOTALS]
    return pa.schema(fields).empty_table()
