"""Databases of a serving run: `profiler.db`, `ms_service_parsed.db` with its siblings, raw `ms_service_<host>-<pid>.db`.

A parsed database holds the tables slice, thread, process, counter and flow; times are ns. A parsed set keeps the events in
the databases of the processes beside it. Raw databases (`service_raw`) hold what the probes wrote. Nothing is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import decimal_text, service_raw
from insight_desktop.ingest.formats.profiler_db_tables import NULL, Database, open_database
from insight_desktop.ingest.formats.service_stream import Process, ServiceStream
from insight_desktop.ingest.open_files import SQLITE_MAGIC, decode_text, open_sqlite
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

Stream = Iterator[tuple[str, pa.RecordBatch]]

PARSED = ("profiler.db", "ms_service_parsed.db")
MOST_BYTES = 10 << 30
_HIGH = (1 << 63) - 1
_TELLING = ((b"data_table", b"slice"), (b"Meta", b"flag_id"), (b"markId", b"endTimestamp"))


def sniff(path: str, head: bytes) -> bool:
    """True for the collector's file names, and for SQLite files whose first page names its tables."""
    name = Path(path).name
    if name in PARSED or (name.startswith("ms_service_") and name.endswith(".db")):
        return True
    return head.startswith(SQLITE_MAGIC) and any(all(word in head for word in words) for words in _TELLING)


def read(source: Source, report: Report, *, threads: int = 1) -> Stream:
    """Yield the stream tables of a run.

    Raises:
        BadFile: none of the databases can be read, or none holds a table of a serving run.
    """
    large = next((path for path in source.files if path.stat().st_size > MOST_BYTES), None)
    if large is not None:
        raise BadFile(
            f"{large.name} has {large.stat().st_size / 2**30:.1f} GiB; databases above 10 GiB are not read.",
            fix="Collect a shorter run, or split it.",
        )
    with ExitStack() as stack:
        opened, failed = [], []
        for path in source.files:
            try:
                file = stack.enter_context(open_sqlite(path, allow_truncated=True))
                opened.append(stack.enter_context(closing(open_database(file, report, threads))))
            except BadFile as error:
                failed.append((path, error))
        if not opened:
            raise failed[0][1]
        for path, problem in failed:
            report.issue("service_db.bad_file", "error", path.name, problem.message, fix=problem.fix)
        yield from _Reading(opened, report).run()


def is_raw(database: Database) -> bool:
    """True for a database as a probe wrote it."""
    return database.has("MSTX", "message") or (database.has("META", "name") and database.has("SLICE", "pid", "tid"))


class _Reading:
    """One run over the databases of a card."""

    def __init__(self, databases: list[Database], report: Report) -> None:
        self._report = report
        raw = [d for d in databases if is_raw(d)]
        parsed = [d for d in databases if d not in raw]
        events = [d for d in parsed if d.has("SLICE", "timestamp")]
        siblings = [d for d in events if d.file.path.name not in PARSED]
        # A set that another viewer opened holds copies of its siblings' rows: these come from where they were written.
        if siblings or (raw and any(d.file.path.name == PARSED[1] for d in events)):
            events = siblings
        self._all, self._raw, self._events = databases, raw, events
        self._to = ServiceStream()
        self._threads: dict[int, tuple[str, str]] = {}
        self._unknown = 0

    def run(self) -> Stream:
        known = any(d.has("REQUEST") or d.has("BATCH") or d.has("DATA_TABLE") for d in self._all)
        if not self._events and not self._raw and not known:
            first = self._all[0]
            raise BadFile(
                f"{first.file.path.name} is an SQLite database, but it has none of the tables of a serving run "
                f"(slice, request, batch). It has: {', '.join(sorted(t.name for t in first.tables.values())[:8]) or 'none'}.",
                fix="Open profiler.db, ms_service_parsed.db or an ms_service_*.db as the collector wrote it.",
            )
        for database in self._all:
            self._names(database)
        for database in self._events:
            yield from self._slices(database)
            yield from self._counters(database)
            self._points(database)
        if self._raw:
            yield from service_raw.read(self._raw, self._to, self._report)
        if not self._events and not self._raw:
            self._report.issue(
                "service_db.no_events", "warning", self._all[0].file.path.name,
                "The database holds result tables only, no events: the timeline is empty.",
            )  # fmt: skip
        yield from self._to.ends()

    def _names(self, database: Database) -> None:
        if is_raw(database):
            return
        for pid, name, label, order in database.rows("PROCESS", "pid", "process_name", "label", "process_sort_index"):
            if pid is not None:
                self._to.processes[str(pid)] = Process(str(name or pid), str(label or ""), _real(order))
        for track, tid, pid, title, order in database.rows(
            "THREAD", "track_id", "tid", "pid", "thread_name", "thread_sort_index"
        ):
            if pid is None or not isinstance(track, int):
                continue  # lanes that exist as an order only
            lane = str(title or tid or "(no thread)")
            self._threads[track] = str(pid), lane
            self._to.sort[str(pid), lane] = _real(order)

    def _track(self, text: str) -> int:
        number = int(text) if text.lstrip("-").isdigit() else -1
        found = self._threads.get(number)
        if found is None:
            self._unknown += 1
            found = "", f"Track {text or '?'}"
        return self._to.track(*found)

    def _numbers(self, column: pa.Array, give: Callable[[str], int]) -> Any:
        """A number per text: each different text is asked for once."""
        coded = column.dictionary_encode()
        known = np.array([give(decode_text(raw)) for raw in coded.dictionary.to_pylist()] or [0], np.int32)
        return known[np.asarray(coded.indices)]

    def _slices(self, database: Database) -> Stream:
        where = f"{database.file.path.name}, table slice"
        for batch in database.records("SLICE", ("timestamp", "duration", "end_time"), ("name", "track_id", "args")):
            start, duration, end = (np.asarray(batch.column(i), np.int64) for i in range(3))
            known = start != NULL
            fits = (duration != NULL) & (duration <= _HIGH - np.maximum(start, 0))
            end = np.where(fits, start + np.where(fits, duration, 0), np.where(end == NULL, start, end))
            self._told(int((~known).sum()), where, "no_start", "Slices without a start were left out.")
            self._told(
                int(((end < start) & known).sum()),
                where,
                "negative",
                "Slices that end before they start have no length.",
            )
            track = self._numbers(batch.column(4), self._track)
            name = self._numbers(batch.column(3), lambda t: self._to.string(t or "(no name)"))
            args = batch.column(5)
            if not known.all():
                keep = pa.array(known)
                args = args.filter(keep)
            yield from self._to.slices(track[known], start[known], end[known], name[known], args)
        self._told(self._unknown, where, "no_thread", "Slices of lanes that the table thread does not name are shown on lanes of their own.")  # fmt: skip
        self._unknown = 0

    def _counters(self, database: Database) -> Stream:
        series: list[int] = []
        times: list[int] = []
        values: list[float] = []
        count = 0
        for batch in database.records("COUNTER", ("timestamp",), ("name", "pid", "args")):
            stamps = batch.column(0).to_pylist()
            names, pids, args = (batch.column(i).to_pylist() for i in (1, 2, 3))
            count += batch.num_rows
            for stamp, name, pid, text in zip(stamps, names, pids, args, strict=True):
                if stamp == NULL:
                    continue
                for key, value in counter_values(text):
                    series.append(self._to.series(decode_text(pid), decode_text(name) or "(no name)", key))
                    times.append(stamp)
                    values.append(value)
        self._report.add("counters", count)
        if series:
            yield "counter", schema.batch("counter", series=series, ts_ns=times, value=values)

    def _points(self, database: Database) -> None:
        """The points of requests; their marks for begin and end do not matter."""
        for batch in database.records("FLOW", ("timestamp",), ("flow_id", "track_id")):
            stamps = np.asarray(batch.column(0), np.int64)
            known = stamps != NULL
            request = self._numbers(batch.column(1), lambda t: self._to.string(t))
            track = self._numbers(batch.column(2), self._track)
            self._report.add("flow_points", int(known.sum()))
            self._to.chains.add_points(track[known], stamps[known], request[known])

    def _told(self, count: int, where: str, code: str, message: str) -> None:
        if count:
            self._report.issue(f"service_db.{code}", "warning", where, message, count=count)


def counter_values(text: bytes | str) -> list[tuple[str, float]]:
    """Lines of a counter event; a value that is no number ends the step."""
    try:
        found = json.loads(text) if text else None
    except (ValueError, RecursionError):
        return []
    if not isinstance(found, dict):
        return []
    return [(str(key), decimal_text.finite(value)) for key, value in found.items()]


def _real(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None
