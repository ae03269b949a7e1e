"""A short look into a SQLite file: which tables, whose rank, any rows. A few pages are read, nothing is written."""

from __future__ import annotations

import os
import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote_from_bytes

_TASK_TABLES = ("TASK", "PYTORCH_API")
_PROFILER = {"TASK", "PYTORCH_API", "CANN_API", "MSTX_EVENTS", "COMPUTE_TASK_INFO", "COMMUNICATION_OP"}
_KINDS = (
    ("cluster_db", {"ClusterStepTraceTime"}),
    ("cluster_db", {"ClusterCommAnalyzerTime"}),
    ("cluster_db", {"ClusterCommunicationTime"}),
    ("profiler_db", {"STRING_IDS", "TASK"}),
    ("profiler_db", {"STRING_IDS", "PYTORCH_API"}),
    ("profiler_db", {"STRING_IDS", "CANN_API"}),
    ("profiler_db", {"STRING_IDS", "MSTX_EVENTS"}),
    ("memscope_db", {"memscope_dump"}),
    ("memscope_db", {"leaks_dump"}),
    ("service_raw_db", {"Meta", "slice"}),
    ("service_db", {"data_table", "slice"}),
    ("service_db", {"request", "batch"}),
    ("ftrace_db", {"process", "thread", "slice", "flow"}),
    ("analysis_db", {"StepTraceTime"}),
    ("analysis_db", {"CommAnalyzerTime"}),
)


@dataclass(frozen=True)
class DbFacts:
    """What a database is.

    Attributes:
        kind: `profiler_db`, a role of discovery, or empty.
        has_rows: TASK or PYTORCH_API holds a row. True as well when that cannot be told before it is read
            (a `-wal` beside it holds the newest rows).
        rank, device, host: what the identity tables say, None or empty when they do not.
        error: why it could not be read.
    """

    tables: tuple[str, ...] = ()
    kind: str = ""
    has_rows: bool = False
    rank: str | None = None
    device: int | None = None
    host: str = ""
    session: tuple[int, int] | None = None
    error: str = ""


_SNAPSHOT = re.compile(r"trace_entry_\d{1,4}$")


def look_at_db(path: Path) -> DbFacts:
    """Facts of a SQLite file; never raises for damaged or foreign files."""
    pending = _pending_rows(path)
    try:
        if path.stat().st_size == 0 and not pending:
            return DbFacts(error="empty: it has 0 bytes")
        address = "file:" + quote_from_bytes(os.fsencode(path.absolute())) + "?mode=ro&immutable=1"
        db = sqlite3.connect(address, uri=True)
    except (OSError, sqlite3.Error) as error:
        return DbFacts(error=f"cannot be opened: {error}", has_rows=pending)
    try:
        db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
        tables = tuple(name for name in names if not name.startswith("sqlite_"))
        return DbFacts(
            tables,
            _kind(set(tables)) or ("profiler_db" if pending and not tables else ""),
            pending or any(_first(db, f'SELECT 1 FROM "{t}" LIMIT 1') for t in _TASK_TABLES if t in tables),
            _rank(db, set(tables)),
            _device(db, set(tables)),
            _host(db, set(tables)),
            _session(db, set(tables)),
        )
    except (sqlite3.Error, ValueError) as error:
        return DbFacts(error=f"a damaged SQLite database ({error})", has_rows=pending)
    finally:
        db.close()


def _pending_rows(path: Path) -> bool:
    try:
        return path.with_name(path.name + "-wal").stat().st_size > 0
    except OSError:
        return False


def _kind(tables: set[str]) -> str:
    found = next((kind for kind, needed in _KINDS if needed <= tables), "")
    if not found and any(_SNAPSHOT.match(name) for name in tables):
        return "snapshot"  # a memory snapshot that the browser viewer converted
    return found or ("profiler_db" if len(_PROFILER & tables) > 1 else "")


def _first(db: sqlite3.Connection, query: str) -> tuple[object, ...] | None:
    try:
        row: tuple[object, ...] | None = db.execute(query).fetchone()
    except sqlite3.Error:  # a column of another generation, or a damaged page: this fact stays unknown
        return None
    return row


def _known(db: sqlite3.Connection, query: str) -> list[int]:
    """Numbers of the first column, without -1 (unknown) and values that are no numbers."""
    try:
        values = [row[0] for row in db.execute(query)]
    except sqlite3.Error:  # as in _first
        return []
    numbers = [int(v) for v in values if isinstance(v, int) or (isinstance(v, str) and v.strip().lstrip("-").isdigit())]
    return [n for n in numbers if n >= 0]


def _rank(db: sqlite3.Connection, tables: set[str]) -> str | None:
    ranks = _known(db, "SELECT DISTINCT rankId FROM RANK_DEVICE_MAP LIMIT 100") if "RANK_DEVICE_MAP" in tables else []
    return str(ranks[0]) if len(ranks) == 1 else None


def _device(db: sqlite3.Connection, tables: set[str]) -> int | None:
    devices: list[int] = []
    if "RANK_DEVICE_MAP" in tables:
        devices = _known(db, "SELECT max(deviceId) FROM RANK_DEVICE_MAP")
    if not devices and "TASK" in tables:
        devices = _known(db, "SELECT deviceId FROM TASK LIMIT 1")
    if not devices and "NPU_INFO" in tables:
        listed = _known(db, "SELECT id FROM NPU_INFO LIMIT 100")
        devices = listed if len(listed) == 1 else []
    return devices[0] if devices else None


def _host(db: sqlite3.Connection, tables: set[str]) -> str:
    row = (
        _first(db, "SELECT coalesce(nullif(hostName, ''), hostUid) FROM HOST_INFO LIMIT 1")
        if "HOST_INFO" in tables
        else None
    )
    return str(row[0]) if row and row[0] is not None else ""


def _session(db: sqlite3.Connection, tables: set[str]) -> tuple[int, int] | None:
    if "SESSION_TIME_INFO" not in tables:
        return None
    row = _first(db, "SELECT startTimeNs, endTimeNs FROM SESSION_TIME_INFO LIMIT 1")
    return (row[0], row[1]) if row and isinstance(row[0], int) and isinstance(row[1], int) else None
