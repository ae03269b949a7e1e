"""Instruction timelines of one kernel: trace blocks of a bin and the simulator's trace.json.

Events are scanned as those of any trace. What differs: B and E exist for the flags SET and WAIT only and belong together
by their id, wherever they stand; links go from `s` to `t`; slices need a pid and a tid; lanes without metadata are ordered
by what the pipe does.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import operator_sniff, trace_chunks, trace_issues, trace_json
from insight_desktop.ingest.formats import trace_layout as ts
from insight_desktop.ingest.formats.trace_bytes import Array
from insight_desktop.ingest.formats.trace_chunks import Document, Facts, read_pieces
from insight_desktop.ingest.formats.trace_feed import Feed
from insight_desktop.ingest.formats.trace_names import series_batch, track_batch
from insight_desktop.ingest.formats.trace_pairs import Marks
from insight_desktop.ingest.formats.trace_rows import Batch, Rows
from insight_desktop.ingest.formats.trace_text import without_bom
from insight_desktop.ingest.formats.trace_worker import Tables
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

details = trace_json.details

_STRING_ROWS = 1 << 16
COLOURS = "slice_colours"  # fact of the report: [colour, pid, tid, names] per colour and lane
# Order of pipes that no metadata names; the others stand first.
PIPE_ORDER = {
    "SCALAR": 1, "FLOWCTRL": 2, "MTE1": 3, "CUBE": 4, "FIXP": 5, "MTE2": 6, "VECTOR": 7, "MTE3": 8, "CACHEMISS": 9,
}  # fmt: skip
_START, _END = ord("s"), ord("t")


def sniff(path: str, head: bytes) -> bool:
    """True for a trace that names its profiling type `op` before its first array."""
    del path
    return operator_sniff.is_operator_trace(without_bom(head).decode("utf-8", "replace"))


def read(source: Source, report: Report, *, threads: int = 1) -> Iterator[Batch]:
    """Yield (table, batch) of the stream of a simulator's trace.json.

    Raises:
        BadFile: no file of the source holds a trace event.
    """
    sizes = trace_chunks.sizes(source.files)
    reading = TraceReading(report, threads, sum(sizes), source.files[0].name)
    errors: list[BadFile] = []
    try:
        for number, path in enumerate(source.files):
            try:
                with closing(Feed(path)) as feed:
                    yield from reading.document(feed, sum(sizes[:number]), path)
            except BadFile as error:
                errors.append(error)
                report.issue("operator_trace.bad_file", "error", path.name, error.message, fix=error.fix)
        if len(errors) == len(source.files):
            raise errors[0]
        yield from reading.ends()
    finally:
        reading.close()


class RangeFeed(Feed):
    """The bytes [start, start + size) of a file, as a file of their own."""

    def __init__(self, path: Path, start: int, size: int) -> None:
        super().__init__(path)
        self.packed = False
        self._file.seek(start)
        self._rest = size

    def read_into(self, target: memoryview) -> int:
        """Fill target as far as the range reaches."""
        got = super().read_into(target[: self._rest])
        self._rest -= got
        return got


class TraceReading:
    """One timeline out of one or more documents.

    Args:
        report: gets progress and issues.
        threads: workers of the scan.
        total_bytes: of all documents, for the progress.
        where: name of the file, for issues.
    """

    def __init__(self, report: Report, threads: int, total_bytes: int, where: str) -> None:
        self._report, self._total, self._where = report, total_bytes, where
        self._rows = Rows(copy_args=False, colours=True)
        self._stats = np.zeros(ts.STATS, np.int64)
        self._own = Tables(sum_first=True)
        self._tables = [Tables(sum_first=True) for _ in range(threads)] if threads > 1 else []
        self._executor = ThreadPoolExecutor(threads, "trace") if threads > 1 else None
        self._flows: list[pa.RecordBatch] = []
        self._slices = 0
        self._homeless = 0

    def close(self) -> None:
        """End the workers."""
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)

    def document(self, feed: Feed, base: int, path: Path, where: str = "") -> Iterator[Batch]:
        """Scan one document whose first byte is byte `base` of the files laid end to end.

        Raises:
            BadFile: there is no trace event in it.
        """
        document = Document(self._own, copy_args=False, salvage=False)
        pieces = read_pieces(
            feed, document, self._tables, self._executor, base,
            lambda: self._report.checkpoint(base + feed.done_bytes, self._total, where or path.name), trace_chunks.CHUNK_BYTES,
        )  # fmt: skip
        for piece in pieces:
            for table, batch in self._rows.batches(piece):
                yield from self._take(table, batch)
        facts = document.facts
        self._stats += facts.stats
        if int(facts.stats[ts.EVENTS] - facts.stats[ts.NO_PHASE]) == 0 and _is_odd(facts):
            raise trace_issues.no_trace(path, facts.head, "", facts, feed.problem)
        trace_issues.file_issues(self._report, path, facts, feed.problem, base, salvage=False)

    def _take(self, table: str, batch: pa.RecordBatch) -> Iterator[Batch]:
        if table == "flow":
            self._flows.append(batch)
            return
        if table == "slice":
            batch = self._with_home(batch)
            self._slices += batch.num_rows
        if batch.num_rows:
            yield table, batch

    def _with_home(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The slices that have a pid and a tid."""
        texts = self._rows.texts
        known = np.array([bool(texts[pid]) and bool(texts[tid]) for _, pid, tid, _ in self._rows.lanes], bool)
        keep = known[batch.column("track").to_numpy()]
        if keep.all():
            return batch
        self._homeless += int((~keep).sum())
        return batch.filter(pa.array(keep))

    def ends(self) -> Iterator[Batch]:
        """What can be told at the end: flags, links, names."""
        yield from self._flags_and_links()
        rows, report = self._rows, self._report
        trace_issues.count_events(report, self._stats, rows.meta, rows.last_ns, self._where)
        if self._homeless:
            report.issue(
                "operator_trace.no_lane", "warning", self._where, "Slices without a pid or tid were left out.",
                count=self._homeless,
            )  # fmt: skip
        for (pid, tid), order in self._default_order().items():
            rows.meta.thread_sort.setdefault((pid, tid), order)
        self._tell_colours()
        yield "track", track_batch(rows.lane_names(), rows.meta, {})
        yield "series", series_batch(rows.series_names(), rows.meta)
        for first in range(0, max(1, len(rows.texts)), _STRING_ROWS):
            yield "string", schema.batch("string", value=rows.texts[first : first + _STRING_ROWS])

    def _tell_colours(self) -> None:
        """Colours that the trace gives: per colour and lane (pid, tid) the names of its slices, as facts of the capture."""
        rows = self._rows
        found: dict[str, dict[tuple[str, str], list[str]]] = {}
        for (lane, name), colour in (rows.colours or {}).items():
            _, pid, tid, _ = rows.lanes[lane]
            of_lane = found.setdefault(rows.texts[colour], {}).setdefault((rows.texts[pid], rows.texts[tid]), [])
            of_lane.append(rows.texts[name])
        if found:
            self._report.facts[COLOURS] = [
                [colour, pid, tid, names] for colour, lanes in found.items() for (pid, tid), names in lanes.items()
            ]

    def _default_order(self) -> dict[tuple[str, str], float]:
        thread = self._rows.meta.thread
        return {
            (pid, tid): float(PIPE_ORDER.get(tid, PIPE_ORDER.get(thread(pid, tid), 0)))
            for _, pid, tid, _ in self._rows.lane_names()
        }

    def _flags_and_links(self) -> Iterator[Batch]:
        marks = self._rows.marks()
        texts = self._rows.texts
        flags = _Flags.of(marks, texts) if marks is not None else None
        if flags is not None and len(flags.begin):
            assert marks is not None
            b, e = flags.begin, flags.end
            self._rows.note_colours(marks["track"][b], marks["name"][b], marks["colour"][b])
            start = marks["ts"][b]
            stop = np.maximum(marks["ts"][e], start)
            clamped = (marks["ts"][e] < start) * schema.CLAMPED
            chosen = {name: marks[name][b] for name in ("track", "name", "category", "args_at", "args_len")}
            yield (
                "slice",
                schema.batch(
                    "slice", start_ns=start, end_ns=stop, flags=clamped.astype(np.uint8),
                    group=np.full(len(b), -1, np.int32), **chosen,
                ),
            )  # fmt: skip
        if flags is not None and flags.alone:
            self._report.issue(
                "operator_trace.flag_alone", "warning", self._where,
                "Begins or ends of SET and WAIT without their counterpart are not drawn.", count=flags.alone,
            )  # fmt: skip
        if flags is not None and flags.others:
            self._report.issue(
                "operator_trace.other_begin_end", "info", self._where,
                "Begin and end events (ph B, E) of other names than SET and WAIT are not shown.", count=flags.others,
            )  # fmt: skip
        if self._flows:
            yield from self._links(marks, flags)
            self._slices += 0 if flags is None else len(flags.begin)

    def _links(self, marks: Marks | None, flags: _Flags | None) -> Iterator[Batch]:
        """Links between the flags of one id; ends without such a flag are bound by their time, as in any trace."""
        flow = pa.Table.from_batches(self._flows)
        phase = flow["phase"].to_numpy()
        source, target = _pair_by_id(flow, np.flatnonzero(phase == _START), np.flatnonzero(phase == _END))
        ids, track = flow["id"].to_numpy(), flow["track"].to_numpy()
        category = flow["category"].to_numpy()
        a = flags.serial(marks, ids[source], track[source], wait=False) if flags and marks else np.full(len(source), -1)
        b = flags.serial(marks, ids[target], track[target], wait=True) if flags and marks else np.full(len(source), -1)
        bound = (a >= 0) & (b >= 0)
        self._report.add("flow_ends", int((phase == _END).sum()))
        if bound.any():
            yield (
                "link",
                schema.batch(
                    "link",
                    category=category[source[bound]],
                    id=ids[source[bound]],
                    from_serial=a[bound] + self._slices,
                    to_serial=b[bound] + self._slices,
                ),
            )
        done = np.concatenate([source[bound], target[bound]])
        keep = np.isin(phase, (_START, _END))
        keep[done] = False
        rest = flow.filter(pa.array(keep))
        if rest.num_rows:
            ended = pc.equal(rest["phase"], pa.scalar(_END, pa.uint8()))
            columns = {name: rest[name].combine_chunks() for name in rest.column_names}
            columns["phase"] = pc.if_else(ended, pa.scalar(ord("f"), pa.uint8()), rest["phase"]).combine_chunks()
            columns["enclosing"] = ended.combine_chunks()
            yield "flow", pa.record_batch(list(columns.values()), schema=schema.STREAM["flow"].schema)


def _is_odd(facts: Facts) -> bool:
    """True for a document that is no trace at all; an empty list of events is one."""
    return facts.blank or facts.bad_head or facts.bad_root >= 0 or bool(facts.stats[ts.NOT_OBJECT]) or facts.unclosed


def _pair_by_id(flow: pa.Table, starts: Array, ends: Array) -> tuple[Array, Array]:
    """Rows of starts and ends of one id, the first with the first, the second with the second, in order of time."""
    stamps, ids = flow["ts_ns"].to_numpy(), flow["id"].to_numpy()
    return _pair(ids, stamps, starts, ends)


def _pair(key: Array, stamp: Array, first: Array, second: Array) -> tuple[Array, Array]:
    a = first[np.lexsort((stamp[first], key[first]))]
    b = second[np.lexsort((stamp[second], key[second]))]
    turn = np.concatenate([_turn(key[a]), _turn(key[b])])
    _, number = np.unique(np.concatenate([key[a], key[b]]), return_inverse=True)
    place = number.astype(np.int64) * (int(turn.max()) + 1 if len(turn) else 1) + turn
    _, in_a, in_b = np.intersect1d(place[: len(a)], place[len(a) :], assume_unique=True, return_indices=True)
    order = np.argsort(a[in_a], kind="stable")
    return a[in_a][order], b[in_b][order]


def _turn(key: Array) -> Array:
    """How often a key stood before, of sorted keys."""
    place = np.arange(len(key))
    new = np.ones(len(key), bool)
    new[1:] = key[1:] != key[:-1]
    return place - np.maximum.accumulate(np.where(new, place, 0)) if len(key) else place


class _Flags:
    """The pairs of B and E of the families SET and WAIT; `begin` and `end` are rows of the marks in file order."""

    def __init__(self, begin: Array, end: Array, is_wait: Array, alone: int, others: int) -> None:
        self.begin, self.end, self.is_wait, self.alone, self.others = begin, end, is_wait, alone, others

    @classmethod
    def of(cls, marks: Marks, texts: list[str]) -> _Flags:
        """Find the pairs."""
        family = np.array([_family(text) for text in texts] + [-1], np.int64)[marks["name"]]
        phase = marks["phase"]
        nested = (phase == ord("B")) | (phase == ord("E"))
        known = nested & (family >= 0) & (marks["id_kind"] != ts.ID_NONE)
        key = marks["id"] * 2 + np.maximum(family, 0)
        begins, ends = np.flatnonzero(known & (phase == ord("B"))), np.flatnonzero(known & (phase == ord("E")))
        b, e = _pair(key, np.arange(len(key)), begins, ends)
        alone = len(begins) + len(ends) - 2 * len(b)
        return cls(b, e, family[b] == 1, alone, int((nested & ~known).sum()))

    def serial(self, marks: Marks, ids: Array, tracks: Array, *, wait: bool) -> Array:
        """Place among the pairs of the flag with an id, on the lane where the flow was written if it is there; else -1."""
        chosen = np.flatnonzero(self.is_wait == wait)
        rows = self.begin[chosen]
        if not len(rows) or not len(ids):
            return np.full(len(ids), -1, np.int64)
        lanes = int(max(marks["track"].max(), tracks.max())) + 1
        _, number = np.unique(np.concatenate([marks["id"][rows], ids]), return_inverse=True)
        own = number[: len(rows)].astype(np.int64) * lanes + marks["track"][rows]
        order = np.argsort(own, kind="stable")
        sorted_own = own[order]
        asked = number[len(rows) :].astype(np.int64)
        found = np.full(len(ids), -1, np.int64)
        for key, of_lane in (
            (asked * lanes, False),
            (asked * lanes + tracks, True),
        ):  # of any lane, then of the flow's own
            at = np.minimum(np.searchsorted(sorted_own, key), len(order) - 1)
            hit = sorted_own[at] == key if of_lane else sorted_own[at] // lanes == asked
            found = np.where(hit, chosen[order[at]], found)
        return found


def _family(name: str) -> int:
    """0 for SET, 1 for WAIT, -1 for other names."""
    upper = name[:5].upper()
    return 0 if upper.startswith("SET_") else 1 if upper == "WAIT_" else -1
