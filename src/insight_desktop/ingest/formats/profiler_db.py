"""Profiler databases: `ascend_pytorch_profiler*.db`, `ascend_mindspore_profiler*.db`, `msprof_*.db`, `msmonitor_*.db`.

Every table is optional and every column may be missing; times are ns of the wall clock. A slice's details are the row it
came from: args_at is the rowid, args_len is minus (1 + index in ARGS_TABLES).
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats.profiler_db_counters import COUNTER_TABLES, CounterReader
from insight_desktop.ingest.formats.profiler_db_details import details, details_many
from insight_desktop.ingest.formats.profiler_db_device import DeviceReader
from insight_desktop.ingest.formats.profiler_db_host import host_slices
from insight_desktop.ingest.formats.profiler_db_identity import facts
from insight_desktop.ingest.formats.profiler_db_ids import Names
from insight_desktop.ingest.formats.profiler_db_rows import ARGS_TABLES, Rows
from insight_desktop.ingest.formats.profiler_db_tables import Database, list_tables, open_database, quoted
from insight_desktop.ingest.formats.profiler_db_tracks import track_batches
from insight_desktop.ingest.open_files import SQLITE_ERRORS, SQLITE_MAGIC, open_sqlite, truncated
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

__all__ = ["ARGS_TABLES", "details", "details_many", "has_rows", "identity", "read", "sniff"]

_NAME = re.compile(
    r"(ascend_(pytorch|mindspore)_profiler(_\d{1,16})?|msprof_\d{1,16}|msmonitor_\d+_\d+_(-1|\d+))\.db", re.IGNORECASE
)
_OTHERS = re.compile(r"mindstudio_insight_data.*\.db|cluster\.db", re.IGNORECASE)
_TELLING = (b"STRING_IDS", b"PYTORCH_API", b"CANN_API", b"COMPUTE_TASK_INFO", b"MSTX_EVENTS")
_TIMELINE = ("TASK", "PYTORCH_API", "COMMUNICATION_OP", "CANN_API", "MSTX_EVENTS")
_READ = (
    *_TIMELINE, "COMPUTE_TASK_INFO", "COMMUNICATION_SCHEDULE_TASK_INFO", "COMMUNICATION_TASK_INFO", "CCU",
    "OVERLAP_ANALYSIS", "CONNECTION_IDS", "OSRT_API", "GC_RECORD", *(table.table for table in COUNTER_TABLES),
)  # fmt: skip


def sniff(path: str, head: bytes) -> bool:
    """True for the names of profiler databases, and for any SQLite file whose first page names their tables."""
    name = Path(path).name
    if _NAME.fullmatch(name):
        return True
    return head.startswith(SQLITE_MAGIC) and not _OTHERS.search(name) and any(word in head for word in _TELLING)


def read(source: Source, report: Report, *, threads: int = 1) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield the stream tables of one database (the first file of the source).

    Besides the issues, `report.facts` gets args_tables, overlap ("recorded" or "computed"), derived_slices (how many
    slices are computed, not rows of the file), devices_with_rows and what `identity` tells; `report.counts` gets
    table.<NAME>, counters, flow_starts (distinct sources) and flow_ends (links).

    Raises BadFile when nothing of the file can be used.
    """
    path = source.files[0]
    with open_sqlite(path, allow_truncated=True) as file:
        if file.missing_bytes:
            report.issue(
                "profiler_db.truncated", "error", path.name,
                f"The database is truncated: {file.missing_bytes:,} bytes are missing at its end. "
                "Rows on the pages that are there are kept.",
                fix="Copy the file again from where it was recorded, or export the data again.",
            )  # fmt: skip
        with closing(open_database(file, report, threads)) as database:
            yield from _read(database, report)


def _read(database: Database, report: Report) -> Iterator[tuple[str, pa.RecordBatch]]:
    known = facts(database)
    report.facts.update(known)
    report.facts["args_tables"] = list(ARGS_TABLES)
    report.facts["derived_slices"] = 0
    if not any(table in database.tables for table in (*_READ, "STRING_IDS")):
        raise BadFile(
            f"{database.file.path.name} is an SQLite database, but none of its tables is one of a profiler.",
            fix="Open a profiler database, or export the data again.",
        )
    database.plan(_READ)
    names = Names(database)
    rows = Rows(database, names, report)
    device = DeviceReader(rows, -1 if known["device"] is None else known["device"])
    yield from device.read()
    yield from device.overlap()
    yield from host_slices(rows)
    counters = CounterReader(database, names, report)
    yield from counters.read()
    yield from rows.ends.batches(names, report)
    if database.damaged and not rows.serial and not counters.series.rows:
        if database.file.missing_bytes:
            raise truncated(database.file.path, database.file.missing_bytes)
        raise BadFile(
            f"The database {database.file.path.name} is damaged: no row of {', '.join(database.damaged)} could be read.",
            fix="Copy the file again from where it was recorded, or export the data again.",
        )
    if not rows.serial and not counters.series.rows:
        report.issue(
            "profiler_db.nothing_to_show", "info", database.file.path.name,
            f"{database.file.path.name} holds no slices and no counters: its timeline is empty.",
            fix="Collect again with activities switched on, or open another file of the run.",
        )  # fmt: skip
    found = rows.devices | counters.devices
    report.facts["devices_with_rows"] = sorted(found)
    tracks, first_sort = track_batches(rows, len(found) > 1)
    if tracks is not None:
        yield "track", tracks
    yield from counters.series_batch(first_sort, len(found) > 1)
    yield from names.batches()


def has_rows(path: Path) -> bool:
    """True when a table that makes a timeline has rows; false for anything that cannot be opened."""
    try:
        with open_sqlite(path, allow_truncated=True) as file, closing(file.connect()) as connection:
            tables = list_tables(connection)
            return any(_has_row(connection, tables[name].name) for name in _TIMELINE if name in tables)
    except (BadFile, *SQLITE_ERRORS):
        return False


def _has_row(connection: sqlite3.Connection, table: str) -> bool:
    try:
        return connection.execute(f"SELECT 1 FROM {quoted(table)} LIMIT 1").fetchone() is not None
    except SQLITE_ERRORS:
        return False


def identity(path: Path) -> dict[str, Any]:
    """Ranks, devices, host and session of a file without reading its timeline (keys: see profiler_db_identity.facts).

    Raises BadFile when the file cannot be opened.
    """
    with open_sqlite(path, allow_truncated=True) as file, closing(open_database(file, Report())) as database:
        return facts(database)
