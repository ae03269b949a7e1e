"""The `csv` part of a case: rows of a table, asked under the headers of the file."""

from __future__ import annotations

from typing import Any

from insight_desktop.engine import tables
from insight_desktop.engine.store import Store

TABLES = {
    "kernel_details": "kernel",
    "op_summary": "kernel",
    "memory_record": "memory_record",
    "operator_memory": "operator_memory",
    "step_trace_time": "step_trace_time",
}
# Header in the file → (column of the table, what one unit of the header is in the column).
COLUMNS = {
    "Step Id": ("step", 1),
    "Step": ("step", 1),
    "Task ID": ("task_id", 1),
    "Name": ("name", 1),
    "Start Time(us)": ("start_ns", 1000),
    "Duration(us)": ("duration_ns", 1000),
    "Wait Time(us)": ("wait_ns", 1000),
    "Block Dim": ("block_num", 1),
    "Total Allocated(MB)": ("allocated_mb", 1),
    "Total Reserved(MB)": ("reserved_mb", 1),
    "Release Time(us)": ("release_ns", 1000),
    "Size(KB)": ("size_kb", 1),
    "Stream Ptr": ("stream", 1),
    "Computing": ("computing_us", 1),
}
CANONICAL = {
    "name": ("name", 1),
    "op_type": ("type", 1),
    "core": ("core", 1),
    "duration_us": ("duration_ns", 1000),
    "start_ns": ("start_ns", 1),
    "block_num": ("block_num", 1),
    "device_id": ("device", 1),
}
Row = dict[str, Any]


def failures(store: Store, value: dict[str, Any], issues: list[Row]) -> list[str]:
    """What of the expected rows does not hold; the issues of reading are added to those of the import."""
    table = TABLES[value["as"]] if "as" in value else _only_table(store)
    tables.ensure(store, table)
    for card in store.cards:
        issues += [{**issue.as_dict(), "card": card.name} for issue in tables.issues(store, card.name, table)]
    rows = store.sql(f"SELECT * FROM {table} ORDER BY row").to_pylist()
    out = []
    for key, wanted in value.items():
        if key != "as":
            out += [f"{key}: {text}" for text in _CHECKS[key](rows, wanted)]
    return out


def _only_table(store: Store) -> str:
    """The table that has rows, for alternatives that do not name it."""
    names = dict.fromkeys(TABLES.values())
    tables.ensure(store, names)
    return next(t for t in names if store.sql(f"SELECT 1 FROM {t} LIMIT 1").num_rows or t == "kernel")


def _cell(row: Row, at: tuple[str, int]) -> Any:
    value = row[at[0]]
    return value if value is None or at[1] == 1 else value / at[1]


def _same(found: Any, wanted: Any) -> bool:
    return found == wanted or (found is not None and wanted is not None and str(found) == str(wanted))


def _unequal(found: Any, wanted: Any) -> list[str]:
    return [] if _same(found, wanted) else [f"found {found!r}, expected {wanted!r}"]


def _cells(rows: list[Row], wanted: list[list[Any]]) -> list[str]:
    return [text for i, header, v in wanted for text in _unequal(_cell(rows[i], COLUMNS[header]), v)]


def _sum(rows: list[Row], wanted: dict[str, float]) -> list[str]:
    return [
        text for header, v in wanted.items() for text in _unequal(sum(_cell(r, COLUMNS[header]) or 0 for r in rows), v)
    ]


def _series(rows: list[Row], wanted: dict[str, list[float]]) -> list[str]:
    out = []
    for name, values in wanted.items():
        component, header = name.split("/", 1)
        column = COLUMNS[header]
        mine = sorted((r["ts_ns"], _cell(r, column)) for r in rows if r["component"] == component)
        out += _unequal([v for _, v in mine if v is not None], values)
    return out


def _canonical(rows: list[Row], wanted: Row) -> list[str]:
    return [text for name, v in wanted.items() for text in _unequal(_cell(rows[0], CANONICAL[name]), v)]


_CHECKS = {
    "rows": lambda rows, v: _unequal(len(rows), v),
    "rows_min": lambda rows, v: [] if len(rows) >= v else [f"{len(rows)} rows"],
    "columns": lambda rows, v: [h for h in v if _cell(rows[0], COLUMNS[h]) is None],
    "cells": _cells,
    "sum": _sum,
    "start_ns": lambda rows, v: _unequal([r["start_ns"] for r in rows], v),
    "series": _series,
    "canonical": _canonical,
}
