"""Debug file of a captured graph (ACLGraph): tasks per stream with made-up times, records and waits of events.

The file is trace JSON. Its times only tell the order in a stream, so every wait is lengthened until its record ends and
what follows on its stream moves back; waits are taken in the order in which they depend on each other. Each record is
linked to its waits (category `record_wait`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats import trace_json
from insight_desktop.ingest.formats.trace_json import details
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

__all__ = ["details", "read", "sniff"]

CATEGORY = "record_wait"
I64 = npt.NDArray[np.int64]
_ACLGRAPH = re.compile(rb'^\s*\[\s*\{[^{}]*"pid"\s*:\s*"[^"]*aclGraph')
_RECORD, _WAIT = re.compile(r"EVENT_RECORD_(\w+)"), re.compile(r"EVENT_WAIT_(\w+)")


def sniff(path: str, head: bytes) -> bool:
    """True for a list whose first event belongs to a process `… aclGraph`."""
    del path
    return bool(_ACLGRAPH.match(head))


def read(source: Source, report: Report, *, threads: int = 1) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield the stream tables of the trace with waits fitted to their records, and the links between them.

    Raises BadFile as the reader of trace JSON.
    """
    slices: list[pa.RecordBatch] = []
    strings: list[pa.RecordBatch] = []
    tracks: list[pa.RecordBatch] = []
    for table, batch in trace_json.read(source, report, threads=threads):
        held = {"slice": slices, "string": strings, "track": tracks}.get(table)
        if held is None:
            yield table, batch
        else:
            held.append(batch)
    names = [text for batch in strings for text in batch.column("value").to_pylist()]
    whole = pa.Table.from_batches(slices, schema.STREAM["slice"].schema).combine_chunks()
    pids = [pid for batch in tracks for pid in batch.column("pid").to_pylist()]
    track = np.asarray(whole["track"], np.int64)
    start, end = (np.asarray(whole[name], np.int64).copy() for name in ("start_ns", "end_ns"))
    pairs = pair(track, start, [names[i] for i in whole["name"].to_pylist()], pids)
    left = fit(track, start, end, pairs)
    _tell(report, source.files[0].name, len(pairs), left)
    columns = {f.name: whole.column(f.name).combine_chunks() for f in whole.schema} | {"start_ns": start, "end_ns": end}
    yield "slice", schema.batch("slice", **columns)
    if pairs:
        count, category = len(pairs), len(names)
        records, waits = zip(*pairs, strict=True)
        yield (
            "link",
            schema.batch(
                "link", category=[category] * count, id=list(range(count)), from_serial=records, to_serial=waits
            ),
        )
        strings.append(schema.batch("string", value=[CATEGORY]))
    for table, batches in (("track", tracks), ("string", strings)):
        for batch in batches:
            yield table, batch


def _tell(report: Report, where: str, pairs: int, left: int) -> None:
    if pairs:
        report.issue(
            "aclgraph_json.waits_fitted", "info", where,
            "Times of a captured graph only tell an order: waits were lengthened to the end of their record, "
            "and what follows them was moved.",
            count=pairs,
        )  # fmt: skip
    if left:
        report.issue(
            "aclgraph_json.waits_in_a_ring", "warning", where,
            "Waits that wait for each other keep their times: no order of them is possible.",
            count=left,
        )  # fmt: skip


def pair(track: I64, start: I64, names: list[str], pids: list[str]) -> list[tuple[int, int]]:
    """Records and waits of one event of one process, as serials.

    The only record of an event belongs to all its waits; of several the k-th one belongs to the k-th wait.
    """
    records: dict[tuple[str, str], list[int]] = defaultdict(list)
    waits: dict[tuple[str, str], list[int]] = defaultdict(list)
    for serial in np.lexsort((np.arange(len(start)), start)).tolist():
        name = names[serial]
        for pattern, held in ((_RECORD, records), (_WAIT, waits)):
            found = pattern.fullmatch(name)
            if found:
                held[pids[track[serial]], found[1]].append(serial)
    pairs = []
    for key, of_event in waits.items():
        known = records.get(key, [])
        for k, wait in enumerate(of_event):
            if known and (len(known) == 1 or k < len(known)):
                pairs.append((known[0] if len(known) == 1 else known[k], wait))
    return sorted(pairs)


@dataclass
class _Stream:
    """Slices of a track in their order, and by how much those from a position on were moved."""

    serials: list[int]
    moved_from: list[int] = field(default_factory=list)
    moved_by: list[int] = field(default_factory=list)

    def shift(self, position: int) -> int:
        """How far the slice at a position was moved: by all waits before it."""
        k = bisect_left(self.moved_from, position)
        return self.moved_by[k - 1] if k else 0


def fit(track: I64, start: I64, end: I64, pairs: list[tuple[int, int]]) -> int:
    """Lengthen each wait to the end of its record and move what follows it, in place.

    Returns:
        How many waits were left, because they wait for each other.
    """
    streams: dict[int, _Stream] = {}
    position = np.zeros(len(track), np.int64)
    for number in np.unique(track).tolist():
        mine = np.flatnonzero(track == number)
        mine = mine[np.lexsort((mine, start[mine]))]
        position[mine] = np.arange(len(mine))
        streams[number] = _Stream(mine.tolist())
    order, left = _order(track, position, pairs)
    for record, wait in order:
        own, other = streams[int(track[wait])], streams[int(track[record])]
        at = int(position[wait])
        before = own.shift(at)
        late = int(end[record]) + other.shift(int(position[record])) - int(end[wait]) - before
        if late > 0:
            end[wait] += late
            own.moved_from.append(at)
            own.moved_by.append(before + late)
    for stream in streams.values():
        serials = np.array(stream.serials, np.int64)
        moves = np.array([0, *stream.moved_by], np.int64)
        moved = moves[np.searchsorted(np.array(stream.moved_from, np.int64), np.arange(len(serials)), "left")]
        start[serials] += moved
        end[serials] += moved
    return left


def _order(track: I64, position: I64, pairs: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], int]:
    """Pairs so that each comes after the waits in front of it and in front of its record; how many are in rings."""
    by_track: dict[int, list[tuple[int, int]]] = defaultdict(list)  # (position of the wait, pair)
    for number, (_, wait) in enumerate(pairs):
        by_track[int(track[wait])].append((int(position[wait]), number))
    for waits in by_track.values():
        waits.sort()
    after: dict[int, list[int]] = defaultdict(list)
    missing = [0] * len(pairs)
    for number, (record, wait) in enumerate(pairs):
        for slice_id in {record, wait}:
            waits = by_track.get(int(track[slice_id]), [])
            k = bisect_left(waits, (int(position[slice_id]), -1))
            if k:
                after[waits[k - 1][1]].append(number)
                missing[number] += 1
    ready = [number for number, count in enumerate(missing) if not count]
    heapify(ready)
    order = []
    while ready:
        number = heappop(ready)
        order.append(pairs[number])
        for follower in after[number]:
            missing[follower] -= 1
            if not missing[follower]:
                heappush(ready, follower)
    return order, len(pairs) - len(order)
