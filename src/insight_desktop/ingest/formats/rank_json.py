"""Communication operators of one rank: communication.json, or its twin CommAnalyzerTime in analysis.db."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

from insight_desktop import schema
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import table_batches
from insight_desktop.ingest.formats.profiler_db_tables import open_database
from insight_desktop.ingest.open_files import open_sqlite, parse_json
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

ROLES = {"communication_operator": "communication_json"}
_DB_ROLE = "analysis_db"
_TOTAL = "Total Op Info"  # a sum that older files keep among the operators
_TIMES = {
    "elapse_ms": "Elapse Time(ms)",
    "transit_ms": "Transit Time(ms)",
    "wait_ms": "Wait Time(ms)",
    "synchronization_ms": "Synchronization Time(ms)",
    "idle_ms": "Idle Time(ms)",
}
_DB_COLUMNS = (
    "step", "type", "hccl_op_name", "group_name", "start_timestamp", "elapse_time", "transit_time", "wait_time",
    "synchronization_time", "idle_time",
)  # fmt: skip
_NAMES = [c.name for c in schema.TABLES["communication_operator"].columns if c.name != "row"]

Row = list[Any]


def read_table(source: Source, table: str, report: Report) -> Iterator[pa.RecordBatch]:
    """The batch of the table `communication_operator`; nothing when the card has no such file.

    A database card takes analysis.db, a text card communication.json, each the other one when its own is missing.
    """
    rows: list[Row] = []
    for path in files(source, table):
        rows += _of_database(path, report) if path.suffix == ".db" else _of_json(path, report)
    if rows:
        declared = schema.TABLES[table].schema
        columns = {name: pa.array([row[i] for row in rows], declared.field(name).type) for i, name in enumerate(_NAMES)}
        yield table_batches.make(table, columns, len(rows), 0)


def files(source: Source, table: str) -> list[Path]:
    """The files that a table is read from, in their order."""
    text = [path for role, path in source.extras if role == ROLES.get(table)]
    database = [path for role, path in source.extras if role == _DB_ROLE and table in ROLES]
    return (database or text) if source.kind == "db" else (text or database)


def _of_json(path: Path, report: Report) -> list[Row]:
    try:
        steps = parse_json(path.read_bytes())
    except OSError as error:
        raise BadFile(f"{path.name} cannot be read ({error.strerror or error}).") from error
    except ValueError as error:
        raise BadFile(f"{path.name} is damaged JSON: {error}.", fix="Export the data again.") from error
    rows = []
    left_out = 0
    for step, kinds in _items(steps):
        for kind, operators in _items(kinds):
            for key, facts in _items(operators):
                times = facts.get("Communication Time Info") if isinstance(facts, dict) else None
                if key == _TOTAL:
                    continue
                if not isinstance(times, dict):
                    left_out += 1
                    continue
                name, _, group = key.rpartition("@") if "@" in key else (key, "", "")
                numbers = [_number(times.get(label)) for label in _TIMES.values()]
                rows.append([_step(step), kind, name, group, _ns(times.get("Start Timestamp(us)")), *numbers])
    if left_out:
        report.issue("rank_json.no_times", "warning", path.name, f"Operators of {path.name} without times were left out.", count=left_out)  # fmt: skip
    return rows


def _of_database(path: Path, report: Report) -> list[Row]:
    with open_sqlite(path, allow_truncated=True) as file, closing(open_database(file, report)) as database:
        found = database.rows("COMMANALYZERTIME", *_DB_COLUMNS)
    return [
        [_step(step), str(kind or ""), str(name or ""), str(group or ""), _ns(start), *map(_number, times)]
        for step, kind, name, group, start, *times in found
        if name != _TOTAL
    ]


def _items(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def _step(text: Any) -> str | None:
    """`step50` gives 50, `step` without a number none."""
    return str(text or "").removeprefix("step") or None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and value == value else None


def _ns(value: Any) -> int | None:
    """µs to ns by the decimal that the double is written as."""
    if not isinstance(value, int | float) or value != value or abs(value) > 9e15:
        return None
    return int((Decimal(repr(value)) * 1000).to_integral_value())
