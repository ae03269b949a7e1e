"""Tables on demand: csv files and database tables become Parquet files in the captures when a query first needs them.

Each `<table>.parquet` has a `<table>.issues.json` beside it: what was wrong, which files were read. Both are written under
a temporary name and renamed, so other processes see whole files only. Empty tables are written too: SQL always works.
"""

from __future__ import annotations

import importlib
import json
import os
import threading
import uuid
import weakref
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from insight_desktop import schema
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadArgument, InsightError
from insight_desktop.ingest.formats import rank_text
from insight_desktop.ingest.report import Issue, Report
from insight_desktop.ingest.sources import Source

VERSION = 2  # grows when readers give other rows: older files are then written anew
_ROW_GROUP = 256 * 1024
_KEY = b"insight_version"
_FORMATS = "insight_desktop.ingest.formats"
_READERS = {"profiler_db": "profiler_db_records", "trace_json": "rank_text", "rank_text": "rank_text"}

_guard = threading.Lock()
_locks: dict[Path, threading.Lock] = {}
_ready: dict[Path, tuple[int, bytes]] = {}  # time and version of files that were looked into
_seen: weakref.WeakKeyDictionary[Store, set[tuple[Path, int]]] = weakref.WeakKeyDictionary()


@dataclass(frozen=True)
class TableSource:
    """Where a table of a card comes from.

    Attributes:
        read: names of the files (or `file, table NAME`) that gave rows or could have.
        missing: names of the files or tables that are not there; empty when something was read.
        rows: number of rows.
        message: why the table is empty, for the page; empty when it has rows.
        fix: which switch of the collector gives it.
    """

    read: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    rows: int = 0
    message: str = ""
    fix: str = ""


def ensure(store: Store, names: str | Iterable[str], cards: Iterable[str] | None = None) -> None:
    """Make tables of `schema.TABLES` ready for `store.sql`; those that are there cost next to nothing.

    Args:
        store: the opened cards.
        names: one table or several.
        cards: names of the cards that need them; all when None. Views hold the tables of all cards that have them.

    Raises BadArgument for an unknown table or card.
    """
    wanted = [names] if isinstance(names, str) else list(names)
    for name in wanted:
        if name not in schema.TABLES:
            raise BadArgument(f"There is no table {name!r}.", fix=f"Tables: {', '.join(sorted(schema.TABLES))}.")
    chosen = store.cards_of("system") if cards is None else [store.card(card) for card in cards]
    known = _seen.setdefault(store, set())
    new = set()
    for card in chosen:
        for name in wanted:
            new.add(_make(card, name))
    if not new <= known:
        known |= new
        store.refresh_tables()


def issues(store: Store, card: str, table: str) -> list[Issue]:
    """What was wrong with the files of a table."""
    facts = _facts(store, card, table)
    return [Issue(**issue) for issue in facts.get("issues", [])]


def sources(store: Store, card: str, table: str) -> TableSource:
    """Which files a table was read from, or what is missing and how to get it."""
    facts: dict[str, Any] = _facts(store, card, table).get("source", {})
    return TableSource(**{**facts, "read": tuple(facts.get("read", ())), "missing": tuple(facts.get("missing", ()))})


def _facts(store: Store, card: str, table: str) -> dict[str, Any]:
    ensure(store, table, [card])
    try:
        found = json.loads((store.card(card).folder / f"{table}.issues.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _make(card: StoreCard, table: str) -> tuple[Path, int]:
    """The Parquet file of a table and its time, written when it is not there."""
    path = card.folder / f"{table}.parquet"
    with _guard:
        lock = _locks.setdefault(path, threading.Lock())
    with lock:
        if not _is_ready(path, card.source is not None):
            _write(card, table, path)
        return path, path.stat().st_mtime_ns


def _is_ready(path: Path, has_source: bool) -> bool:
    try:
        time_ns = path.stat().st_mtime_ns
        held = _ready.get(path)
        if held is None or held[0] != time_ns:
            held = _ready[path] = time_ns, (pq.read_schema(path).metadata or {}).get(_KEY, b"")
    except (OSError, pa.ArrowException):
        return False
    return held[1] == str(VERSION).encode() or (held[1] == b"none" and not has_source)


def _write(card: StoreCard, table: str, path: Path) -> None:
    report = Report()
    temporary = path.with_name(f"{table}.{uuid.uuid4().hex[:8]}.tmp")
    writer = None
    try:
        writer = _Writer(temporary, table, "none" if card.source is None else str(VERSION))
        for batch in _batches(card.source, table, report):
            writer.write(batch)
        writer.close()
        facts = {
            "issues": [issue.as_dict() for issue in report.issues],
            "source": asdict(_source(card, table, writer.rows)),
        }
        notes = path.with_name(f"{table}.{uuid.uuid4().hex[:8]}.notes.tmp")
        notes.write_text(json.dumps(facts), encoding="utf-8")
        notes.replace(path.with_name(f"{table}.issues.json"))
        temporary.replace(path)
    except OSError as error:
        raise InsightError(
            f"Table {table} of card {card.name} cannot be kept in {path.parent} ({error.strerror or error}).",
            fix="Free some space on the disk of the cache, or choose another folder for it.",
        ) from error
    finally:
        if writer is not None:
            writer.abandon()
        with suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108 - gone after the rename


def _batches(source: Source | None, table: str, report: Report) -> Iterator[pa.RecordBatch]:
    reader = _reader(source)
    if source is None or reader is None:
        return
    try:
        yield from reader.read_table(source, table, report)
    except InsightError as error:  # the rows before it stay, the other tables too
        where = source.files[0].name if source.files else source.format
        report.issue("tables.unreadable", "error", where, error.message, fix=error.fix)


def _reader(source: Source | None) -> ModuleType | None:
    name = _READERS.get(source.format) if source is not None else None
    return importlib.import_module(f"{_FORMATS}.{name}") if name else None


class _Writer:
    """A Parquet file that takes batches whose further columns may differ."""

    def __init__(self, path: Path, table: str, version: str) -> None:
        self.rows = 0
        self._path, self._version = path, version
        self._writer: pq.ParquetWriter | None = None
        self._held: list[pa.Table] = []  # blocks of a csv file are smaller than a good row group
        self._open(schema.TABLES[table].schema)

    def _open(self, columns: pa.Schema) -> None:
        self._schema = columns.with_metadata({_KEY: self._version.encode()})
        # A dictionary of numbers costs time and saves nothing.
        texts = [f.name for f in columns if pa.types.is_string(f.type)]
        self._writer = pq.ParquetWriter(self._path, self._schema, compression="lz4", use_dictionary=texts or False)

    def write(self, batch: pa.RecordBatch) -> None:
        new = [f for f in batch.schema if f.name not in self._schema.names]
        if new:
            self._widen(new)
        self._held.append(self._fitted(pa.table(batch)))
        self.rows += batch.num_rows
        if sum(table.num_rows for table in self._held) >= _ROW_GROUP:
            self._flush()

    def close(self) -> None:
        """Write what is held and end the file."""
        self._flush()
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def abandon(self) -> None:
        """Let go of the file after a failure; nothing happens when it was closed."""
        self._held.clear()
        with suppress(OSError, pa.ArrowException):
            self.close()

    def _flush(self) -> None:
        if self._writer is not None and self._held:
            self._writer.write_table(pa.concat_tables(self._held), 2 * _ROW_GROUP)
        self._held.clear()

    def _widen(self, new: list[pa.Field]) -> None:
        """Write what is there anew with more columns; the first batch of a table costs nothing."""
        self.close()
        wider = pa.schema([*self._schema, *new])
        if not self.rows:
            self._open(wider)
            return
        old = self._path.with_suffix(".old")
        self._path.replace(old)
        try:
            self._open(wider)
            assert self._writer is not None
            with pq.ParquetFile(old) as file:
                for batch in file.iter_batches(_ROW_GROUP):
                    self._writer.write_table(self._fitted(pa.table(batch)), _ROW_GROUP)
        finally:
            old.unlink()

    def _fitted(self, table: pa.Table) -> pa.Table:
        columns = [
            table.column(f.name).cast(f.type) if f.name in table.schema.names else pa.nulls(table.num_rows, f.type)
            for f in self._schema
        ]
        return pa.table(columns, schema=self._schema)


# ---- what empty pages say

_SWITCH = {
    "memory_record": "Collect with profile_memory=True.",
    "operator_memory": "Collect with profile_memory=True.",
    "module_memory": "Collect with profile_memory=True, or with sys_hardware_mem of the command line collector.",
    "app_memory": "Collect with profile_memory=True.",
    "static_memory": "Only static graphs of a text export have it.",
    "kernel": "Collect at profiler_level Level0 or above with the NPU among the activities, and export the data.",
    "op_statistic": "Export the data as text.",
    "operator_details": "Collect with the CPU among the activities and export the data as text.",
    "api_statistic": "Collect at profiler_level Level1 or above and export the data as text.",
    "communication_operator": "Collect at profiler_level Level1 or above on more than one card.",
    "step_trace_time": "Collect with a schedule and export the data as text.",
}
_FILE_NAMES = {
    "memory_record": "memory_record.csv",
    "operator_memory": "operator_memory.csv",
    "module_memory": "npu_module_mem.csv",
    "static_memory": "static_op_mem.csv",
    "kernel": "kernel_details.csv or op_summary_*.csv",
    "op_statistic": "op_statistic.csv",
    "operator_details": "operator_details.csv",
    "api_statistic": "api_statistic.csv",
    "communication_operator": "communication.json",
    "step_trace_time": "step_trace_time.csv",
}


def _source(card: StoreCard, table: str, rows: int) -> TableSource:
    source, fix = card.source, _SWITCH[table]
    if source is None:
        return TableSource(message=f"The files of card {card.name} are not known.", fix="Open the data again.")
    if source.format == "profiler_db":
        db = importlib.import_module(f"{_FORMATS}.profiler_db_records")
        read, missing, message = db.origin(source, table)
        fix = "" if message else fix
    else:
        read = tuple(path.name for path in rank_text.files(source, table))
        missing = () if read or table not in _FILE_NAMES else (_FILE_NAMES[table],)
        message = "" if table in _FILE_NAMES else "Text exports have it in memory_record.csv."
    if rows:
        return TableSource(tuple(read), (), rows)
    if not message:
        if missing:
            message = f"Card {card.name} has no {' or '.join(missing)}."
        else:
            message = (
                f"{', '.join(read)} of card {card.name} {'has' if len(read) == 1 else 'have'} no rows that can be used."
            )
    return TableSource(tuple(read), tuple(missing), 0, message, fix)
