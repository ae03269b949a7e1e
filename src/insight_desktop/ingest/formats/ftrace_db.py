"""Converted ftrace: `ftrace_data*.db` with what the operating system scheduled, per CPU and per process.

Tables process, thread, slice, counter and flow; times are ns, arguments JSON text, which goes into the capture. Every
table but `slice` may be missing, and every column of it but the time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import decimal_text
from insight_desktop.ingest.formats.profiler_db_tables import NULL, Database, open_database
from insight_desktop.ingest.open_files import SQLITE_MAGIC, decode_text, open_sqlite
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

Stream = Iterator[tuple[str, pa.RecordBatch]]

_NAME = re.compile(r"ftrace_data[0-9]*\.db", re.IGNORECASE)
_TELLING = (b"track_id", b"process_sort_index", b"thread_sort_index")
_HIGH = (1 << 63) - 1
_COLUMNS = {
    "process": ("pid", "process_name", "label", "process_sort_index"),
    "thread": ("track_id", "tid", "pid", "thread_name", "thread_sort_index"),
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
    """Yield the stream tables of one database (the first file of the source).

    Raises BadFile when it has no table `slice` with times.
    """
    path = source.files[0]
    with (
        open_sqlite(path, allow_truncated=True) as file,
        closing(open_database(file, report, threads)) as database,
    ):
        yield from _Reading(database, report).run()


class _Reading:
    """One run over a database."""

    def __init__(self, database: Database, report: Report) -> None:
        self._database, self._path, self._report = database, database.file.path, report
        self._strings: dict[str, int] = {}
        self._tracks: dict[str, int] = {}  # track_id as text → running number
        self._series: dict[tuple[str, str, str], int] = {}
        self._args_at = 0

    def run(self) -> Stream:
        if not self._database.has("SLICE", "timestamp"):
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

    def _string(self, text: str) -> int:
        return self._strings.setdefault(text, len(self._strings)) if text else -1

    def _numbers(self, column: pa.Array, give: Callable[[str], int]) -> Any:
        """A number per text: each different text is asked for once."""
        coded = column.dictionary_encode()
        known = np.array([give(decode_text(raw)) for raw in coded.dictionary.to_pylist()] or [0], np.int32)
        return known[np.asarray(coded.indices)]

    def _slices(self) -> Stream:
        for batch in self._database.records(
            "SLICE", ("timestamp", "duration", "end_time"), ("name", "track_id", "cat", "group_id", "args")
        ):
            start, duration, end = (np.asarray(batch.column(i), np.int64) for i in range(3))
            known = start != NULL
            fits = (duration != NULL) & (duration <= _HIGH - np.maximum(start, 0))
            end = np.where(fits, start + np.where(fits, duration, 0), end)
            bad = (end == NULL) | (end < start)
            self._told(int((~known).sum()), "no_start", "Slices without a start were left out.")
            self._told(
                int((bad & known).sum()), "no_end", "Slices that end before they start, or nowhere, have no length."
            )
            pieces, at, length = self._args(batch.column(7))
            if pieces:
                yield "args", schema.batch("args", bytes=[pieces])
            columns = {
                "track": self._numbers(batch.column(4), lambda t: self._tracks.setdefault(t, len(self._tracks))),
                "start_ns": start,
                "end_ns": np.where(bad, start, end),
                "name": self._numbers(batch.column(3), lambda t: self._string(t or "(no name)")),
                "category": self._numbers(batch.column(5), self._string),
                "flags": np.where(bad, schema.CLAMPED, 0).astype(np.uint8),
                "args_at": at,
                "args_len": length,
                "group": self._numbers(batch.column(6), self._string),
            }
            yield "slice", schema.batch("slice", **{key: values[known] for key, values in columns.items()})

    def _args(self, texts: pa.Array) -> tuple[bytes, Any, Any]:
        """Arguments laid end to end, and where each begins in the stream of all of them."""
        length = np.asarray(pc.binary_length(texts), np.int64)
        pieces = b"".join(texts.to_pylist())
        at = self._args_at + np.cumsum(length) - length
        self._args_at += len(pieces)
        return pieces, np.where(length > 0, at, -1), length.astype(np.int32)

    def _rows(self, table: str) -> list[tuple[Any, ...]]:
        found = self._database.rows(table.upper(), *_COLUMNS[table])
        self._report.add(f"table.{table}", len(found))
        return found

    def _counters(self) -> Stream:
        rows = self._rows("counter")
        series: list[int] = []
        times: list[int] = []
        values: list[float] = []
        for name, pid, stamp, text in rows:
            for key, value in _values(text) if isinstance(stamp, int) else ():
                series.append(
                    self._series.setdefault((str(pid or ""), str(name or "(no name)"), key), len(self._series))
                )
                times.append(stamp)
                values.append(value)
        self._report.add("counters", len(rows))
        if series:
            yield "counter", schema.batch("counter", series=series, ts_ns=times, value=values)

    def _flows(self) -> Stream:
        rows = [row for row in self._rows("flow") if row[4] in _PHASES and isinstance(row[3], int)]
        self._report.add("flow_starts", sum(row[4] == "s" for row in rows))
        self._report.add("flow_ends", sum(row[4] == "f" for row in rows))
        if rows:
            yield (
                "flow",
                schema.batch(
                    "flow",
                    track=[self._tracks.setdefault(str(row[2]), len(self._tracks)) for row in rows],
                    ts_ns=[row[3] for row in rows],
                    phase=[_PHASES[row[4]] for row in rows],
                    category=[self._string(str(row[1] or "")) for row in rows],
                    id=[self._flow_id(row[0]) for row in rows],
                    enclosing=[False] * len(rows),
                ),
            )

    def _flow_id(self, text: Any) -> int:
        plain = str(text)
        if plain.isascii() and plain.isdigit() and len(plain) < 19 and str(int(plain)) == plain:
            return int(plain)
        return -1 - max(self._string(plain), 0)

    def _track_batch(self) -> pa.RecordBatch:
        processes = {row[0]: row for row in self._rows("process")}
        threads = {str(row[0]): row for row in self._rows("thread")}
        rows = []
        for track in self._tracks:
            _, tid, pid, title, order = threads.get(track, (track, track, "", None, None))
            _, process, label, process_order = processes.get(pid, (pid, None, None, None))
            name = str(title or tid or "(no thread)")
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


def _real(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _values(text: Any) -> list[tuple[str, float]]:
    """Series of a counter event; a value that is no number ends the step."""
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return []
    if not isinstance(found, dict):
        return []
    return [(str(key), decimal_text.finite(value)) for key, value in sorted(found.items())]
