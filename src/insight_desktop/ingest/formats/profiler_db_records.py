"""Memory tables of a profiler database, and where each table of `schema.TABLES` comes from in one.

Summaries that only text exports have (op_statistic, …) are read from the csv files beside the database.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import operator_csv, profiler_db_kernels, rank_json, table_batches
from insight_desktop.ingest.formats.memory_csv import tell_untimed
from insight_desktop.ingest.formats.profiler_db_identity import enumeration
from insight_desktop.ingest.formats.profiler_db_tables import Columns, Database, list_tables, open_database
from insight_desktop.ingest.formats.profiler_db_texts import Texts, reals, whole
from insight_desktop.ingest.open_files import SQLITE_ERRORS, open_sqlite
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

_KB, _MB = 1024.0, 1048576.0
_MSPROF = re.compile(r"^msprof_\d+\.db$", re.IGNORECASE)
_NO_MSPROF = "The Memory page does not support msprof databases: they hold no allocations of a framework."
_DB_TABLES = {
    "memory_record": ("MEMORY_RECORD",),
    "operator_memory": ("OP_MEMORY",),
    "module_memory": ("NPU_MODULE_MEM",),
    "app_memory": ("NPU_MEM",),
    "kernel": ("COMPUTE_TASK_INFO", "TASK", "COMMUNICATION_OP"),
}
MEMORY_TABLES = ("memory_record", "operator_memory", "module_memory", "app_memory", "static_memory")


def read_table(source: Source, table: str, report: Report) -> Iterator[pa.RecordBatch]:
    """Batches of a table of `schema.TABLES`; nothing where the database has no such rows.

    Raises BadFile when the database cannot be opened.
    """
    if table in operator_csv.ROLES:
        yield from operator_csv.read_table(source, table, report)
        return
    if table in rank_json.ROLES:
        yield from rank_json.read_table(source, table, report)
        return
    if table not in _DB_TABLES:
        return
    if table in MEMORY_TABLES and is_msprof(source):
        report.issue("profiler_db.no_memory", "info", source.files[0].name, _NO_MSPROF, fix=_msprof_fix())
        return
    with (
        open_sqlite(source.files[0], allow_truncated=True) as file,
        closing(open_database(file, report)) as database,
    ):
        database.plan(_DB_TABLES[table])
        if table == "kernel":
            yield from profiler_db_kernels.read(database)
        else:
            yield from _memory(database, table)


def is_msprof(source: Source) -> bool:
    """True for a database of the command line collector."""
    return bool(source.files and _MSPROF.match(source.files[0].name))


def _msprof_fix() -> str:
    return "Collect with the framework's profiler and profile_memory=True, or open the text export."


def origin(source: Source, table: str) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """(what a table is read from, what is missing, a message where that does not say it)."""
    if table in operator_csv.ROLES:
        names = tuple(path.name for path in operator_csv.files(source, table))
        return names, () if names else (f"{operator_csv.ROLES[table]}.csv",), ""
    if table in rank_json.ROLES:
        names = tuple(path.name for path in rank_json.files(source, table))
        return names, () if names else ("analysis.db or communication.json",), ""
    if table in MEMORY_TABLES and is_msprof(source):
        return (), (), _NO_MSPROF
    if table not in _DB_TABLES:
        return (), (), "Databases hold no static graphs; text exports have them in static_op_mem.csv."
    name = source.files[0].name
    present = _present(source)
    found = tuple(f"{name}, table {t}" for t in _DB_TABLES[table] if t in present)
    return found, tuple(f"table {t}" for t in _DB_TABLES[table] if t not in present), ""


def _present(source: Source) -> set[str]:
    try:
        with open_sqlite(source.files[0], allow_truncated=True) as file, closing(file.connect()) as connection:
            return set(list_tables(connection))
    except (BadFile, sqlite3.Error, *SQLITE_ERRORS):
        return set()


# ---- memory


def _memory(database: Database, table: str) -> Iterator[pa.RecordBatch]:
    name = _DB_TABLES[table][0]
    if name not in database.tables:
        return
    make = {"memory_record": _records, "operator_memory": _operators, "module_memory": _modules, "app_memory": _app}
    row = untimed = 0
    for columns, rows in make[table](database):
        untimed += columns["ts_ns"].null_count if "ts_ns" in columns else 0
        yield table_batches.make(table, columns, rows, row)
        row += rows
    if untimed:
        tell_untimed(database.report, f"{database.file.path.name}, table {name}", untimed)


Made = Iterator[tuple[dict[str, pa.Array], int]]


def _records(database: Database) -> Made:
    texts = Texts(database)
    totals = ("totalAllocated", "totalReserved", "totalActive")
    for found in database.batches("MEMORY_RECORD", ("component", "timestamp", "streamPtr", "deviceId"), totals):
        columns = {
            "device": _device(found),
            "component": texts.of(found["component"]),
            "ts_ns": whole(found["timestamp"], zero_is_null=True),
            "allocated_mb": reals(found["totalAllocated"] / _MB),
            "reserved_mb": reals(found["totalReserved"] / _MB),
            "active_mb": reals(found["totalActive"] / _MB),
            "stream": _stream(found),
        }
        yield columns, len(found["at"])


def _operators(database: Database) -> Made:
    texts = Texts(database)
    times = ("allocationTime", "releaseTime", "activeReleaseTime", "duration", "activeDuration")
    sizes = tuple(f"{when}Total{what}" for when in ("allocation", "release") for what in ("Allocated", "Reserved", "Active"))  # fmt: skip
    for found in database.batches("OP_MEMORY", ("name", *times, "streamPtr", "deviceId"), ("size", *sizes)):
        columns = {
            "device": _device(found),
            "name": texts.of(found["name"]),
            "size_kb": reals(found["size"] / _KB),
            "alloc_ns": whole(found["allocationTime"], zero_is_null=True),
            "release_ns": whole(found["releaseTime"], zero_is_null=True),
            "active_release_ns": whole(found["activeReleaseTime"], zero_is_null=True),
            "duration_ns": whole(found["duration"]),
            "active_duration_ns": whole(found["activeDuration"]),
            "stream": _stream(found),
        }
        for when, prefix in (("alloc", "allocation"), ("release", "release")):
            for what in ("Allocated", "Reserved", "Active"):
                columns[f"{when}_{what.lower()}_mb"] = reals(found[f"{prefix}Total{what}"] / _MB)
        yield columns, len(found["at"])


def _modules(database: Database) -> Made:
    names = enumeration(database, "ENUM_MODULE")
    for found in database.batches("NPU_MODULE_MEM", ("moduleId", "timestampNs", "deviceId"), ("totalReserved",)):
        ids, inverse = np.unique(found["moduleId"], return_inverse=True)
        words = pa.array([names.get(int(i), str(int(i))) for i in ids], pa.string())
        columns = {
            "device": _device(found),
            "component": words.take(pa.array(inverse)),
            "ts_ns": whole(found["timestampNs"], zero_is_null=True),
            "reserved_mb": reals(found["totalReserved"] / _MB),
        }
        yield columns, len(found["at"])


def _app(database: Database) -> Made:
    texts = Texts(database)
    for found in database.batches("NPU_MEM", ("type", "timestampNs", "deviceId"), ("ddr", "hbm")):
        is_app = pc.fill_null(pc.equal(texts.of(found["type"]), "app"), False).to_numpy(zero_copy_only=False)
        kept = {name: values[is_app] for name, values in found.items()}
        total = np.where(np.isnan(kept["ddr"]), 0, kept["ddr"]) + np.where(np.isnan(kept["hbm"]), 0, kept["hbm"])
        nothing = np.isnan(kept["ddr"]) & np.isnan(kept["hbm"])
        columns = {
            "device": _device(kept),
            "ts_ns": whole(kept["timestampNs"], zero_is_null=True),
            "reserved_mb": reals(np.where(nothing, np.nan, total) / _MB),
        }
        yield columns, int(is_app.sum())


def _device(found: Columns) -> pa.Array:
    return profiler_db_kernels.device(found["deviceId"])


def _stream(found: Columns) -> pa.Array:
    return pc.fill_null(whole(found["streamPtr"]).cast(pa.string()), "")
