"""MemScope dumps: the event table of a database or csv file, and the Python traces that belong to it.

A database holds `memscope_dump` (older: `leaks_dump`) and any number of `python_trace_<pid>`; a csv has its traces in files
`python_trace_<tid>_<time>.csv` beside it. `read` gives the Python traces as lanes; `events` the rows of the event table,
which are turned into blocks and curves elsewhere. Columns are found by name, in any order.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import adbc_driver_manager
import adbc_driver_sqlite.dbapi
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import Stream
from insight_desktop.ingest.formats.csv_text import CsvFile, Field
from insight_desktop.ingest.formats.memscope_attr import nanoseconds, whole
from insight_desktop.ingest.formats.memscope_times import BURST_BITS, DAY_NS, Bursts, TimeRange
from insight_desktop.ingest.open_files import SQLITE_ERRORS, SqliteFile, decode_text, explain_sqlite, open_sqlite
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

NAME = re.compile(r"^(?:memscope|leaks)_dump_\d+\.(?:db|csv)$")
TABLES = ("memscope_dump", "leaks_dump")
BIG_BYTES = 2 << 30
_BATCH = 50_000
_BULK_ERRORS = (adbc_driver_manager.Error, pa.ArrowException, OSError, *SQLITE_ERRORS)
_TRACE = re.compile(r"^python_trace_.*$", re.IGNORECASE)
_COLUMNS = {
    "id": "ID", "event": "Event", "type": "Event Type", "name": "Name", "ts": "Timestamp(ns)", "pid": "Process Id",
    "tid": "Thread Id", "device": "Device Id", "ptr": "Ptr", "attr": "Attr", "stack_py": "Call Stack(Python)",
    "stack_c": "Call Stack(C)",
}  # fmt: skip
_NEEDED = ("event", "type", "ts", "device", "ptr", "attr")
_TRACE_COLUMNS = {
    "name": "FuncInfo", "start": "StartTime(ns)", "end": "EndTime(ns)", "tid": "Thread Id", "pid": "Process Id",
}  # fmt: skip
_AGAIN = "Collect the data again, or copy the file again from where it was recorded."

Columns = dict[str, "Sequence[Any] | pa.Array"]


@dataclass(frozen=True)
class Call:
    """One function of a Python trace; a time is None where the trace does not know it."""

    name: str
    start_ns: int | None
    end_ns: int | None
    pid: int
    tid: int


@dataclass
class Events:
    """Rows of the event table as they come.

    Attributes:
        columns: names of the optional columns that are there.
        batches: columns of equal length: id, event, type, name, ts, pid, tid, device, ptr, attr, stack_py, stack_c.
        table: where they come from, for messages.
    """

    table: str
    columns: frozenset[str]
    batches: Iterator[Columns] = field(default_factory=lambda: iter(()))


def sniff(path: str, head: bytes) -> bool:
    """True for a file with the name of a dump."""
    return bool(NAME.match(Path(path).name)) or head.startswith(b"ID,Event,Event Type,")


def read(source: Source, report: Report, *, threads: int = 1) -> Stream:  # noqa: ARG001 - one file, one thread
    """The Python traces as lanes, one track per thread.

    Functions that were still open when the trace ended reach to the end of the data and carry UNFINISHED; those entered
    before it begin with the data.

    Raises BadFile when the file is no dump.
    """
    path = source.files[0]
    if path.stat().st_size > BIG_BYTES:
        report.issue("memscope.big", "info", path.name, f"{path.name} is larger than 2 GB; reading it takes a while.")
    calls, low, high = [], None, None
    for call in traces(source, report):
        for stamp in (call.start_ns, call.end_ns):
            if stamp is not None:
                low, high = min(stamp, low or stamp), max(stamp, high or stamp)
        calls.append(call)
    if not calls:
        return
    found = time_range(source, report)
    ends = [stamp for stamp in (low, high, found.first, found.last) if stamp is not None]
    yield from _lanes(calls, min(ends), max(ends), report, path.name)


def _lanes(calls: list[Call], low: int, high: int, report: Report, where: str) -> Stream:
    strings: dict[str, int] = {}
    tracks: dict[tuple[int, int], int] = {}
    columns: dict[str, list[int]] = {n: [] for n in ("track", "start_ns", "end_ns", "name", "flags")}
    dropped = 0
    for call in calls:
        start = low if call.start_ns is None else call.start_ns
        end = high if call.end_ns is None else call.end_ns
        if end < start:
            dropped += 1
            continue
        columns["track"].append(tracks.setdefault((call.pid, call.tid), len(tracks)))
        columns["start_ns"].append(start)
        columns["end_ns"].append(end)
        columns["name"].append(strings.setdefault(call.name, len(strings)))
        columns["flags"].append(schema.UNFINISHED if call.start_ns is None or call.end_ns is None else 0)
    if dropped:
        report.issue("memscope.trace_order", "warning", where, "Functions that end before they start were left out.", count=dropped)  # fmt: skip
    count = len(columns["track"])
    empty = {"category": [-1] * count, "args_at": [-1] * count, "args_len": [0] * count, "group": [-1] * count}
    yield "slice", schema.batch("slice", **columns, **empty)
    yield (
        "track",
        schema.batch(
            "track",
            pid=[str(pid) for pid, _ in tracks],
            process=[f"Process {pid}" for pid, _ in tracks],
            process_label=["CPU"] * len(tracks),
            process_sort=[0.0] * len(tracks),
            tid=[str(tid) for _, tid in tracks],
            thread=[f"Thread {tid}" for _, tid in tracks],
            thread_sort=[0.0] * len(tracks),
            group=[""] * len(tracks),
            lane=[f"Thread {tid}" for _, tid in tracks],
            lane_sort=[0] * len(tracks),
            role=[schema.ROLE_PYTHON_STACK] * len(tracks),
            device=[-1] * len(tracks),
        ),
    )
    yield "string", schema.batch("string", value=list(strings))


# ---- events


def events(source: Source, report: Report) -> Iterator[Events]:
    """The event table; one item, so that the file stays open while its batches are read.

    Raises BadFile when there is no event table, or when a column that is needed is missing.
    """
    path = source.files[0]
    if path.suffix.lower() == ".csv":
        yield _csv_events(path, report)
        return
    with open_sqlite(path, allow_truncated=True) as file, closing(file.connect()) as connection:
        yield _db_events(file, connection, report)


def time_range(source: Source, report: Report) -> TimeRange:
    """Where in time the event table is; without bounds when it has no valid time."""
    path = source.files[0]
    if path.suffix.lower() != ".csv":
        with open_sqlite(path, allow_truncated=True) as file, closing(file.connect()) as connection:
            try:
                return _range_by_sql(connection)
            except SQLITE_ERRORS:  # a damaged page: the rows before it are asked one by one
                pass
    bursts = Bursts()
    quiet = Report(None, lambda: _asks(report))
    for found in events(source, quiet):
        for batch in found.batches:
            bursts.add([stamp for stamp in map(nanoseconds, _listed(batch["ts"])) if stamp is not None])
    return bursts.range()


def _event_table(connection: sqlite3.Connection) -> str | None:
    """Name of the event table; a view of that name is none, as it may never end."""
    names = {str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return next((name for name in TABLES if name in names), None)


def _range_by_sql(connection: sqlite3.Connection) -> TimeRange:
    table = _event_table(connection)
    stamp = _column_names(connection, table).get(_COLUMNS["ts"].casefold()) if table is not None else None
    if table is None or stamp is None:
        return TimeRange()
    valid = (
        f"FROM (SELECT CAST({_quoted(stamp)} AS INTEGER) AS t FROM {_quoted(table)}) WHERE t > 0 AND t < {2**63 - 1}"
    )
    first, last = connection.execute(f"SELECT min(t), max(t) {valid}").fetchone()
    if first is None or last - first <= DAY_NS:  # grouping takes several times longer
        return TimeRange(first, last)
    bursts = Bursts()
    for group in connection.execute(f"SELECT t >> {BURST_BITS}, min(t), max(t), count(*) {valid} GROUP BY 1"):
        bursts.put(*group)
    return bursts.range()


def _asks(report: Report) -> bool:
    report.checkpoint(0, 1, "times")  # raises when the user stopped the import
    return False


def _db_events(file: SqliteFile, connection: sqlite3.Connection, report: Report) -> Events:
    path, table = file.path, _event_table(connection)
    if table is None:
        raise BadFile(
            f"{path.name} has no event table (memscope_dump or leaks_dump).",
            fix="Open the database that MemScope wrote below dump/.",
        )
    there = _column_names(connection, table)
    _check_columns(
        path, [_COLUMNS[key] for key in _NEEDED if _COLUMNS[key].casefold() not in there], list(there.values())
    )
    wanted = {key: there.get(title.casefold()) for key, title in _COLUMNS.items()}
    return Events(
        f"{path.name}, table {table}",
        frozenset(key for key, name in wanted.items() if name is not None),
        _rows(file, connection, table, wanted, report),
    )


def _column_names(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    return {str(row[1]).casefold(): str(row[1]) for row in connection.execute(f"PRAGMA table_info({_quoted(table)})")}


def _check_columns(path: Path, missing: list[str], there: list[str]) -> None:
    if missing:
        raise BadFile(
            f"{path.name} cannot be used: it has no column {', '.join(missing)}. Its columns are: {', '.join(there[:14])}.",
            fix=_AGAIN,
        )


def _rows(
    file: SqliteFile, connection: sqlite3.Connection, table: str, wanted: dict[str, str | None], report: Report
) -> Iterator[Columns]:
    """All rows in the order of the table; what comes before a damaged page is kept."""
    path, size = file.path, file.path.stat().st_size
    done = 0
    try:
        total = connection.execute(f"SELECT max(_rowid_) FROM {_quoted(table)}").fetchone()[0] or 1
    except SQLITE_ERRORS:
        total = 1

    def told(rows: int) -> int:
        report.checkpoint(min(size, size * (done + rows) // max(total, done + rows)), size, table)
        return done + rows

    try:
        for batch in _bulk_rows(file, connection, table, wanted):
            done = told(batch.num_rows)
            yield dict(zip(wanted, batch.columns, strict=True))
        return
    except _BULK_ERRORS:
        pass  # a cell that is not of its column's type, or damage: the rest is read cell by cell
    chosen = ", ".join("NULL" if name is None else _quoted(name) for name in wanted.values())
    connection.text_factory = bytes  # decoding a column at once is many times faster
    try:
        cursor = connection.execute(f"SELECT {chosen} FROM {_quoted(table)} LIMIT -1 OFFSET {done}")
        while rows := cursor.fetchmany(_BATCH):
            done = told(len(rows))
            yield dict(zip(wanted, map(_cells, zip(*rows, strict=True)), strict=True))
    except SQLITE_ERRORS as error:
        if not done:
            raise explain_sqlite(error, path) from error
        report.issue(
            "memscope.damaged", "error", f"{path.name}, table {table}",
            f"{path.name} is damaged ({error}); the {done:,} rows before are kept.", fix=_AGAIN,
        )  # fmt: skip


def _bulk_rows(
    file: SqliteFile, connection: sqlite3.Connection, table: str, wanted: dict[str, str | None]
) -> Iterator[pa.RecordBatch]:
    """Rows as Arrow, several times faster than cell by cell; texts are empty instead of null.

    Raises one of _BULK_ERRORS at the first batch that holds anything but whole numbers and valid texts where they belong.
    """
    affinity = {str(row[1]): str(row[2]).upper() for row in connection.execute(f"PRAGMA table_info({_quoted(table)})")}
    chosen, types = [], []
    for name in wanted.values():
        declared = "INT" if name is None else affinity[name]
        is_text = "INT" not in declared
        if file.missing_bytes or (is_text and not any(word in declared for word in ("CHAR", "CLOB", "TEXT"))):
            raise pa.ArrowTypeError("columns may hold anything")
        chosen.append("NULL" if name is None else f"coalesce({_quoted(name)}, '')" if is_text else _quoted(name))
        types.append(pa.string() if is_text else pa.int64())
    with adbc_driver_sqlite.dbapi.connect(file.uri) as bulk, bulk.cursor() as cursor:
        cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": str(_BATCH)})
        cursor.execute(f"SELECT {', '.join(chosen)} FROM {_quoted(table)}")
        for batch in cursor.fetch_record_batch():
            if batch.schema.types != types:
                raise pa.ArrowTypeError("cells are not of the type of their column")
            batch.validate(full=True)  # texts are UTF-8
            if batch.num_rows:
                yield batch


def _cells(values: Sequence[Any]) -> Sequence[Any] | pa.Array:
    """Cells of a column; one of texts becomes an Arrow array of strings."""
    try:
        return pa.array(values, pa.binary()).cast(pa.string())
    except (pa.ArrowException, TypeError):
        return [decode_text(value) if isinstance(value, bytes) else value for value in values]


def _csv_events(path: Path, report: Report) -> Events:
    file = CsvFile(path, report, multi_line=True)
    if file.is_empty:
        raise BadFile(f"{path.name} is empty.", fix=_AGAIN)
    _check_columns(path, [_COLUMNS[key] for key in _NEEDED if not file.has(_COLUMNS[key])], file.header)
    fields = [Field(key, (title,)) for key, title in _COLUMNS.items() if file.has(title)]
    return Events(path.name, frozenset(f.name for f in fields), _csv_rows(file, fields, list(_COLUMNS)))


def _csv_rows(file: CsvFile, fields: list[Field], keys: list[str]) -> Iterator[Columns]:
    for block in file.blocks(fields):
        count = len(next(iter(block.values())))
        yield {key: block[key] if key in block else (None,) * count for key in keys}


# ---- Python traces


def traces(source: Source, report: Report) -> Iterator[Call]:
    """Functions of all Python traces in the order of their tables or files; rows without any time are counted, not given."""
    path = source.files[0]
    if path.suffix.lower() == ".csv":
        for role, file in source.extras:
            if role == "memscope_python_trace":
                yield from _csv_calls(file, report)
        return
    with open_sqlite(path, allow_truncated=True) as opened, closing(opened.connect()) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall()
        for (table,) in found:
            if _TRACE.match(str(table)):
                yield from _db_calls(opened, connection, str(table), report)


def _db_calls(file: SqliteFile, connection: sqlite3.Connection, table: str, report: Report) -> Iterator[Call]:
    there = _column_names(connection, table)
    wanted = {key: there.get(title.casefold()) for key, title in _TRACE_COLUMNS.items()}
    where = f"{file.path.name}, table {table}"
    if wanted["name"] is None or wanted["start"] is None or wanted["end"] is None:
        report.issue(
            "memscope.trace_columns", "warning", where, f"{table} lacks a column and was left out.", fix=_AGAIN
        )
        return
    for batch in _rows(file, connection, table, wanted, report):
        yield from _calls(batch, where, report)


def _csv_calls(path: Path, report: Report) -> Iterator[Call]:
    file = CsvFile(path, report, multi_line=True)
    if not all(file.has(_TRACE_COLUMNS[key]) for key in ("name", "start", "end")):
        report.issue(
            "memscope.trace_columns", "warning", path.name, f"{path.name} lacks a column and was left out.", fix=_AGAIN
        )
        return
    fields = [Field(key, (title,)) for key, title in _TRACE_COLUMNS.items() if file.has(title)]
    for batch in _csv_rows(file, fields, list(_TRACE_COLUMNS)):
        yield from _calls(batch, path.name, report)


def _calls(batch: Columns, where: str, report: Report) -> Iterator[Call]:
    timeless = 0
    rows = zip(*(_listed(batch[key]) for key in _TRACE_COLUMNS), strict=True)
    for name, start, end, tid, pid in rows:
        first, last = nanoseconds(start), nanoseconds(end)
        if first is None and last is None:
            timeless += 1
            continue
        yield Call(str(name or "(no name)"), first, last, whole(pid) or 0, whole(tid) or 0)
    if timeless:
        report.issue(
            "memscope.trace_times", "warning", where, "Functions without any time were left out.", count=timeless
        )


def _listed(values: Sequence[Any] | pa.Array) -> Sequence[Any]:
    return values.to_pylist() if isinstance(values, pa.Array) else values


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
