"""Converted ftrace: `ftrace_data*.db` with what the operating system scheduled, per CPU and per process.

Tables process, thread, slice, counter and flow; times are ns, arguments JSON text, which goes into the capture. Every
table but `slice` may be missing, and every column of it but the time.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats.profiler_db_tables import list_tables, quoted
from insight_desktop.ingest.open_files import SQLITE_ERRORS, SQLITE_MAGIC, open_sqlite
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

Stream = Iterator[tuple[str, pa.RecordBatch]]

_NAME = re.compile(r"ftrace_data[0-9]*\.db", re.IGNORECASE)
_TELLING = (b"track_id", b"process_sort_index", b"thread_sort_index")
_ROWS = 64 * 1024
_LOW, _HIGH = -(1 << 63), (1 << 63) - 1
_COLUMNS = {
    "process": ("pid", "process_name", "label", "process_sort_index"),
    "thread": ("track_id", "tid", "pid", "thread_name", "thread_sort_index"),
    "slice": ("timestamp", "duration", "end_time", "name", "track_id", "cat", "args", "group_id"),
    "counter": ("name", "pid", "timestamp", "args"),
    "flow": ("flow_id", "cat", "track_id", "timestamp", "type"),
}
_PHASES = {"s": 115, "t": 116, "f": 102}


def sniff(path: str, head: bytes) -> bool:
    """True for the converter's file names, and for SQLite files whose first page names its columns."""
    return bool(_NAME.fullmatch(Path(path).name)) or (
        head.startswith(SQLITE_MAGIC) and all(word in head for word in _TELLING)
    )


def read(source: Source, report: Report, *, threads: int = 1) -> Stream:
    """Yield the stream tables of one database (the first file of the source). `threads` is not used.

    Raises BadFile when it has no table `slice` with times.
    """
    del threads
    path = source.files[0]
    with open_sqlite(path, allow_truncated=True) as file, closing(file.connect()) as connection:
        yield from _Reading(connection, path, report).run()


class _Reading:
    """One run over a database."""

    def __init__(self, connection: sqlite3.Connection, path: Path, report: Report) -> None:
        self._connection, self._path, self._report = connection, path, report
        self._tables = list_tables(connection)
        self._strings: dict[str, int] = {}
        self._tracks: dict[Any, int] = {}  # track_id as stored → running number
        self._series: dict[tuple[str, str, str], int] = {}
        self._args_at = 0
        self._seen = 0

    def run(self) -> Stream:
        if "timestamp" not in self._columns("slice"):
            raise BadFile(
                f"{self._path.name} is an SQLite database, but it has no table slice with times as the ftrace converter writes it.",
                fix="Convert the trace again, or open another file.",
            )
        yield from self._slices()
        yield from self._counters()
        yield from self._flows()
        yield "track", self._track_batch()
        yield "series", self._series_batch()
        yield "string", schema.batch("string", value=list(self._strings))

    def _columns(self, table: str) -> dict[str, str]:
        info = self._tables.get(table.upper())
        return info.columns if info is not None else {}

    def _batches(self, table: str) -> Iterator[list[tuple[Any, ...]]]:
        """Rows of a table as lists of columns, piece by piece; damage is told, rows before it are kept."""
        known = self._columns(table)
        if not known:
            return
        names = ", ".join(quoted(known[c]) if c in known else "NULL" for c in _COLUMNS[table])
        try:
            cursor = self._connection.execute(f"SELECT {names} FROM {self._tables[table.upper()].quoted}")
            while rows := cursor.fetchmany(_ROWS):
                self._seen += len(rows)
                self._report.add(f"table.{table}", len(rows))
                self._report.checkpoint(0, 0, f"{self._path.name}: {self._seen:,} rows")
                yield list(zip(*rows, strict=True))
        except SQLITE_ERRORS as error:
            self._report.issue(
                "ftrace_db.damaged_table", "error", f"{self._path.name}, table {table}",
                f"Table {table} is damaged ({error}); its rows before the damage and the other tables are kept.",
                fix="Copy the file again from where it was converted, or convert the trace again.",
            )  # fmt: skip

    def _string(self, text: Any) -> int:
        return self._strings.setdefault(str(text), len(self._strings)) if text not in (None, "") else -1

    def _slices(self) -> Stream:
        for start, duration, end, name, track, category, args, group in self._batches("slice"):
            starts, known = _numbers(start)
            lengths, has_length = _numbers(duration)
            ends, has_end = _numbers(end)
            ends = np.where(has_length & (lengths <= _HIGH - np.maximum(starts, 0)), starts + lengths, ends)
            bad = ~(has_length | has_end) | (ends < starts)
            self._told(int((~known).sum()), "no_start", "Slices without a start were left out.")
            self._told(
                int((bad & known).sum()), "no_end", "Slices that end before they start, or nowhere, have no length."
            )
            pieces, at, length = self._args(args)
            if pieces:
                yield "args", schema.batch("args", bytes=[b"".join(pieces)])
            tracks, track_of = self._tracks, track
            columns = {
                "track": np.fromiter((tracks.setdefault(t, len(tracks)) for t in track_of), np.int32, len(track_of)),
                "start_ns": starts,
                "end_ns": np.where(bad, starts, ends),
                "name": np.array([max(self._string(n if n else "(no name)"), 0) for n in name], np.int32),
                "category": np.array([self._string(c) for c in category], np.int32),
                "flags": np.where(bad, schema.CLAMPED, 0).astype(np.uint8),
                "args_at": at,
                "args_len": length,
                "group": np.array([self._string(g) for g in group], np.int32),
            }
            yield "slice", schema.batch("slice", **{key: values[known] for key, values in columns.items()})

    def _args(self, texts: tuple[Any, ...]) -> tuple[list[bytes], Any, Any]:
        """Arguments as bytes, and where each begins in the stream of all of them."""
        pieces = [t.encode("utf-8", "replace") if isinstance(t, str) else b"" for t in texts]
        length = np.fromiter(map(len, pieces), np.int64, len(pieces))
        at = self._args_at + np.cumsum(length) - length
        self._args_at += int(length.sum())
        return [p for p in pieces if p], np.where(length > 0, at, -1), length.astype(np.int32)

    def _counters(self) -> Stream:
        for names, pids, stamps, args in self._batches("counter"):
            series: list[int] = []
            times: list[int] = []
            values: list[float] = []
            for name, pid, stamp, text in zip(names, pids, stamps, args, strict=True):
                for key, value in _values(text):
                    number = self._series.setdefault((str(pid or ""), str(name or "(no name)"), key), len(self._series))
                    if isinstance(stamp, int):
                        series.append(number)
                        times.append(stamp)
                        values.append(value)
            self._report.add("counters", len(names))
            if series:
                yield "counter", schema.batch("counter", series=series, ts_ns=times, value=values)

    def _flows(self) -> Stream:
        for ids, categories, tracks, stamps, kinds in self._batches("flow"):
            keep = [i for i in range(len(ids)) if kinds[i] in _PHASES and isinstance(stamps[i], int)]
            self._report.add("flow_starts", sum(kinds[i] == "s" for i in keep))
            self._report.add("flow_ends", sum(kinds[i] == "f" for i in keep))
            yield (
                "flow",
                schema.batch(
                    "flow",
                    track=[self._tracks.setdefault(tracks[i], len(self._tracks)) for i in keep],
                    ts_ns=[stamps[i] for i in keep],
                    phase=[_PHASES[kinds[i]] for i in keep],
                    category=[self._string(categories[i]) for i in keep],
                    id=[self._flow_id(ids[i]) for i in keep],
                    enclosing=[False] * len(keep),
                ),
            )

    def _flow_id(self, text: Any) -> int:
        plain = str(text)
        if plain.isascii() and plain.isdigit() and len(plain) < 19 and str(int(plain)) == plain:
            return int(plain)
        return -1 - max(self._string(plain), 0)

    def _track_batch(self) -> pa.RecordBatch:
        processes = {row[0]: row for batch in self._batches("process") for row in zip(*batch, strict=True)}
        threads = {row[0]: row for batch in self._batches("thread") for row in zip(*batch, strict=True)}
        rows = []
        for track in self._tracks:
            _, tid, pid, title, order = threads.get(track, (track, track, "", None, None))
            _, process, label, process_order = processes.get(pid, (pid, None, None, None))
            name = str(title or tid)
            rows.append(
                {
                    "pid": str(pid), "process": str(process or pid or "(no process)"), "process_label": str(label or ""),
                    "process_sort": _real(process_order), "tid": str(tid), "thread": name, "thread_sort": _real(order),
                    "group": "", "lane": name, "lane_sort": 0, "role": schema.ROLE_THREAD, "device": -1,
                }
            )  # fmt: skip
        return pa.RecordBatch.from_pylist(rows, schema=schema.STREAM["track"].schema)

    def _series_batch(self) -> pa.RecordBatch:
        rows = [
            {
                "pid": pid, "process": pid or "(no process)", "process_label": "CPU", "process_sort": None,
                "metrics": "CPU Metrics", "counter": counter, "series": key, "unit": "", "order": order, "device": -1,
            }
            for order, (pid, counter, key) in enumerate(self._series)
        ]  # fmt: skip
        return pa.RecordBatch.from_pylist(rows, schema=schema.STREAM["series"].schema)

    def _told(self, count: int, code: str, message: str) -> None:
        if count:
            where = f"{self._path.name}, table slice"
            self._report.issue(f"ftrace_db.{code}", "warning", where, message, count=count)


def _numbers(values: tuple[Any, ...]) -> tuple[Any, Any]:
    """Whole numbers and which of them are given; texts of digits count."""
    try:
        return np.array(values, np.int64), np.ones(len(values), np.bool_)
    except (TypeError, ValueError, OverflowError):
        found = [_number(value) for value in values]
        known = np.array([value is not None for value in found], np.bool_)
        return np.array([value or 0 for value in found], np.int64), known


def _number(value: Any) -> int | None:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if _LOW <= number <= _HIGH else None


def _real(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _values(text: Any) -> list[tuple[str, float]]:
    """Series of a counter event; a value that is no number ends the step."""
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return []
    if not isinstance(found, dict):
        return []
    return [
        (str(key), float(value) if isinstance(value, int | float) else float("nan"))
        for key, value in sorted(found.items())
    ]
