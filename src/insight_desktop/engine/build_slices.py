"""Slices of a capture: order by (track, depth row, start), totals per track, slices that links are bound to."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop import schema
from insight_desktop.engine.build_ranges import Bursts, bursts_of
from insight_desktop.engine.build_spool import Spool, create, gather, groups_of, order_by_key, scatter, write_at
from insight_desktop.engine.capture import DTYPES, write_column
from insight_desktop.engine.timeline import depth, flows

I64 = npt.NDArray[np.int64]
Array = npt.NDArray[Any]

GROUP_ROWS = 500_000  # slices that one worker holds in memory at a time; a longer track is taken alone
_COPIED = {"name": "slice_name", "category": "slice_category", "flags": "slice_flags", "args_at": "slice_args_at", "args_len": "slice_args_len"}  # fmt: skip


@dataclass
class ThreadFlows:
    """Ends of links that were written on one (pid, tid), sorted by time."""

    ts: I64
    phase: Array
    enclosing: Array


@dataclass
class Defect:
    """Something to tell about slices: how many and one of them."""

    count: int = 0
    name: int = -1
    track: int = -1
    start_ns: int = 0


@dataclass
class Slices:
    """What ordering the slices brought to light.

    Attributes:
        stats: per track in display order, columns depth.STATS.
        lane_offset: slices of lane l.
        track_lane: lanes of track t.
        row_to_id: new id per serial; empty unless it was asked for.
        hits: per track, the slice id of every end of its thread or -1.
        bursts: where in time slices begin.
        overlaps, overruns: defects to report.
    """

    stats: I64
    lane_offset: I64
    track_lane: I64
    row_to_id: Array
    hits: dict[int, I64] = field(default_factory=dict)
    bursts: list[Bursts] = field(default_factory=list)
    overlaps: Defect = field(default_factory=Defect)
    overruns: Defect = field(default_factory=Defect)


@dataclass
class _Part:
    """Result of one group of tracks."""

    low: int
    high: int
    stats: I64
    lane_count: I64
    hits: dict[int, I64]
    bursts: Bursts
    overlaps: Defect
    overruns: Defect


class SliceWriter:
    """Writes all slice_* and lane_* files from the spooled stream.

    Args:
        folder: the capture.
        spool: slices in the order of the stream.
        rank: display place of each track id.
        tracks: rows of the track table in display order.
        flows_of: ends per track in display order, where there are any.
        keep_ids: also return the new id of every serial (for links of databases).
    """

    def __init__(
        self,
        folder: Path,
        spool: Spool,
        rank: I64,
        tracks: list[dict[str, Any]],
        flows_of: dict[int, ThreadFlows],
        *,
        keep_ids: bool,
    ) -> None:
        self._folder, self._spool, self._tracks, self._flows_of = folder, spool, tracks, flows_of
        self._offset = np.zeros(len(tracks) + 1, np.int64)
        self._order = np.empty(spool.rows, np.uint32 if spool.rows < 2**32 else np.int64)
        order_by_key(spool.column("track"), rank, self._offset, self._order)
        self._row_to_id = np.empty(spool.rows if keep_ids else 0, np.int64)
        self._keep_ids = keep_ids
        self._has_groups = bool(spool.rows) and bool((spool.column("group") >= 0).any())

    def write(self, threads: int) -> Slices:
        """Order everything; `threads` groups of tracks at a time."""
        for name in ("slice_start", "slice_end"):
            create(self._folder, name, DTYPES[name], self._spool.rows)
        with ThreadPoolExecutor(max(1, threads)) as pool:
            # The two maps stay for all groups: a map made anew would meet every page of the file again.
            order = partial(self._group, self._spool.column("start_ns"), self._spool.column("end_ns"))
            parts = list(pool.map(order, groups_of(self._offset, GROUP_ROWS)))
            del order
            list(pool.map(self._copy, _COPIED.items()))
        if parts:
            names = self._spool.column("name")
            for part in parts:
                part.bursts.name = names[part.bursts.name].astype(np.int64)
        stats = np.concatenate([p.stats for p in parts]) if parts else np.zeros((0, len(depth.STATS)), np.int64)
        counts = np.concatenate([p.lane_count for p in parts]) if parts else np.empty(0, np.int64)
        result = Slices(
            stats=stats,
            lane_offset=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
            track_lane=np.concatenate(([0], np.cumsum(stats[:, 0]))).astype(np.int64),
            row_to_id=self._row_to_id,
            bursts=[p.bursts for p in parts],
            overlaps=_sum([p.overlaps for p in parts]),
            overruns=_sum([p.overruns for p in parts]),
        )
        for part in parts:
            result.hits.update(part.hits)
        self._write_lanes(result)
        return result

    def _write_lanes(self, result: Slices) -> None:
        rows = result.stats[:, 0]
        lane_track = np.repeat(np.arange(len(rows)), rows)
        write_column(self._folder, "lane_offset", result.lane_offset)
        write_column(self._folder, "track_lane", result.track_lane)
        write_column(self._folder, "lane_track", lane_track)
        write_column(self._folder, "lane_row", np.arange(len(lane_track)) - result.track_lane[lane_track])

    def _group(self, all_starts: I64, all_ends: I64, bounds: tuple[int, int]) -> _Part:
        """Order the slices of tracks [low, high) and write their times; `_order` then says which row goes where."""
        low, high = bounds
        base, stop = int(self._offset[low]), int(self._offset[high])
        offset = self._offset[low : high + 1] - base
        index = self._order[base:stop]
        start, end = np.empty(len(index), np.int64), np.empty(len(index), np.int64)
        gather(all_starts, index, start)
        gather(all_ends, index, end)
        for t in range(high - low):
            self._sort_track(index, start, end, int(offset[t]), int(offset[t + 1]))
        rows = np.zeros(stop - base, np.int32)
        given = np.zeros(high - low, np.int64)
        if self._has_groups:
            self._group_rows(index, start, end, offset, rows, given)
        stats = np.zeros((high - low, len(depth.STATS)), np.int64)
        depth.arrange(start, end, offset, rows, stats, given)
        lane_base = np.concatenate(([0], np.cumsum(stats[:, 0]))).astype(np.int64)
        lane_count = np.zeros(int(lane_base[-1]), np.int64)
        place = np.empty(stop - base, np.int64)
        depth.place_by_row(rows, offset, lane_base, lane_count, place)
        part = _Part(
            low, high, stats, lane_count,
            hits=self._bind(low, high, offset, start, end, index, place + base),
            bursts=bursts_of(start, end, offset, index),  # rows for now, names at the end
            overlaps=Defect(), overruns=Defect(),
        )  # fmt: skip
        self._defects(part, offset, start, index)
        self._write(base, index, start, end, place)
        return part

    def _column(self, name: str, index: Array) -> Array:
        source = self._spool.column(name)
        out = np.empty(len(index), source.dtype)
        gather(source, index, out)
        return out

    def _sort_track(self, index: Array, start: I64, end: I64, low: int, high: int) -> None:
        order = depth.order(start[low:high], end[low:high])
        if order is not None:
            for values in (index, start, end):
                values[low:high] = values[low:high][order]

    def _group_rows(self, index: Array, start: I64, end: I64, offset: I64, rows: Array, given: I64) -> None:
        group = self._column("group", index)
        for t in range(len(given)):
            low, high = int(offset[t]), int(offset[t + 1])
            if (group[low:high] >= 0).any():
                given[t] = depth.rows_of_groups(start[low:high], end[low:high], group[low:high], rows[low:high])

    def _bind(self, low: int, high: int, offset: I64, start: I64, end: I64, index: Array, ids: I64) -> dict[int, I64]:
        hits = {}
        for t in range(low, high):
            ends = self._flows_of.get(t)
            if ends is None:
                continue
            a, b = int(offset[t - low]), int(offset[t - low + 1])
            hit = np.empty(len(ends.ts), np.int64)
            flows.bind(ends.ts, ends.phase, ends.enclosing, start[a:b], end[a:b], index[a:b], hit)
            found = hit >= 0
            hit[found] = ids[a:b][hit[found]]
            hits[t] = hit
        return hits

    def _defects(self, part: _Part, offset: I64, start: I64, index: Array) -> None:
        names, flags = self._spool.column("name"), self._spool.column("flags")
        for column, defect in (("first_overlap", part.overlaps), ("overrun", part.overruns)):
            at = part.stats[:, depth.STATS.index(column)]
            for t in np.flatnonzero(at >= 0).tolist():
                if self._tracks[part.low + t]["role"] == schema.ROLE_ASYNC:
                    continue  # asynchronous work overlaps by nature
                row = int(offset[t] + at[t])
                if column == "overrun" and flags[index[row]] & (schema.UNFINISHED | schema.ASYNC):
                    continue
                defect.count += int(part.stats[t, 1]) if column == "first_overlap" else 1
                if defect.name < 0:
                    defect.name, defect.track, defect.start_ns = int(names[index[row]]), part.low + t, int(start[row])

    def _write(self, base: int, index: Array, start: I64, end: I64, place: I64) -> None:
        final = np.empty_like(index)
        scatter(index, place, final)
        index[:] = final
        buffer = np.empty(len(place), np.int64)
        for name, values in (("slice_start", start), ("slice_end", end)):
            scatter(values, place, buffer)
            write_at(self._folder, name, base, buffer)
        if self._keep_ids:
            self._row_to_id[final] = np.arange(base, base + len(final))

    def _copy(self, names: tuple[str, str]) -> None:
        """Bring one of the other columns into the final order."""
        source = self._spool.column(names[0])
        buffer = np.empty(min(GROUP_ROWS, len(source)), source.dtype)
        with (self._folder / f"{names[1]}.bin").open("wb") as file:
            for at in range(0, len(source), GROUP_ROWS):
                part = self._order[at : at + GROUP_ROWS]
                gather(source, part, buffer[: len(part)])
                file.write(buffer[: len(part)].data)


def _sum(defects: list[Defect]) -> Defect:
    first = next((d for d in defects if d.count), Defect())
    return Defect(sum(d.count for d in defects), first.name, first.track, first.start_ns)
