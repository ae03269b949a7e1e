"""Result tables of a serving run as they were recorded: views of a database, csv files. Values are kept as written."""

from __future__ import annotations

import csv
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats.profiler_db_tables import quoted
from insight_desktop.ingest.open_files import SQLITE_ERRORS, csv_rows, decode_text, open_sqlite
from insight_desktop.ingest.report import Report

# Tables and the views that show them, in the order in which they are offered.
VIEWS = {
    "request": "request_data",
    "batch": "batch_info",
    "kvcache": "kvcache_usage",
    "forward": "forward_info",
    "pd_split_communication": "pd_communication_info",
    "pd_split_kvcache": "pd_split_pull_kvcache",
    "coordinator": "coordinator_info",
}
OTHERS = (
    "request_status", "coordinator", "ep_balance", "moe_analysis", "spec_decode", "first_token_latency", "req_latency",
    "prefill_gen_speed", "decode_gen_speed", "request_summary", "batch_summary", "service_summary",
)  # fmt: skip
_FETCH = 50_000
_MOST_CELLS = 10_000_000
_MOST_LISTED = 10_000
# Views are part of the file and may never end: what all of them together may take.
_MOST_SECONDS = 30.0
_STEP = 100_000  # steps of the database between two looks at the clock


@dataclass
class View:
    """One recorded table or curve.

    Attributes:
        kind: `data` (a table to show), `curve`, or `other`.
        table: its rows; None when it cannot be read.
        error: why it cannot be read.
        en, zh: descriptions.
    """

    name: str
    kind: str
    columns: list[str] = field(default_factory=list)
    table: pa.Table | None = None
    error: str = ""
    en: str = ""
    zh: str = ""


class Results:
    """The views of a run by name."""

    def __init__(self, views: list[View]) -> None:
        self.views = views
        self._known = {view.name: view for view in reversed(views)}

    def table(self, *names: str) -> pa.Table | None:
        """Rows of the first of these that can be read."""
        for name in names:
            view = self._known.get(name)
            if view is not None and view.table is not None:
                return view.table
        return None

    def add(self, views: list[View]) -> None:
        """Take views whose names are not there yet, or that could not be read so far."""
        for view in views:
            held = self._known.get(view.name)
            if held is None:
                self.views.append(view)
                self._known[view.name] = view
            elif held.table is None and view.table is not None:
                held.table, held.columns, held.error = view.table, view.columns, ""


def column(table: pa.Table, name: str) -> list[Any]:
    """Values of a column, with or without its unit in the heading; all None when it is not there."""
    for head in table.column_names:
        if head == name or head == f"{name}(ms)" or head == f"{name}_ms":
            found: list[Any] = table[head].to_pylist()
            return found
    return [None] * table.num_rows


def results_of_db(path: Path, report: Report) -> list[View]:
    """Views of a database: data tables in their order, curves in the order of the schema, then other tables."""
    try:
        with open_sqlite(path, allow_truncated=True) as file, closing(file.connect()) as db:
            return _views(db, path, report)
    except BadFile as error:
        report.issue("service_db.no_results", "warning", path.name, error.message, fix=error.fix)
        return []


def _views(db: sqlite3.Connection, path: Path, report: Report) -> list[View]:
    entries = _rows(db, "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')")
    kinds = {str(name): str(kind) for name, kind in entries}
    texts = {str(key): (str(en or ""), str(zh or "")) for key, en, zh in _rows(db, "SELECT key, value_en, value_zh FROM translate")}  # fmt: skip
    wanted: list[tuple[str, str, str]] = []  # shown as, read from, kind
    listed = [
        str(row[0]) for row in _rows(db, "SELECT coalesce(view_name, name) FROM data_table ORDER BY id") if row[0]
    ]
    for name in listed or [view for view in VIEWS.values() if view in kinds]:
        base = next((table for table, view in VIEWS.items() if view == name), name.removesuffix("_info"))
        wanted.append((name, name if name in kinds else base, "data"))
    known = {name for name, _, _ in wanted}
    wanted += [
        (n, n, "curve") for n, kind in kinds.items() if n.endswith("_curve") and kind == "view" and n not in known
    ]
    for table, view in VIEWS.items():
        if table in kinds and view not in known:
            wanted.append((table, table, "other" if listed or table == "coordinator" else "data"))
    wanted += [(name, name, "other") for name in OTHERS if name in kinds and name not in {w[0] for w in wanted}]
    found = []
    until = time.monotonic() + _MOST_SECONDS
    for number, (name, source, kind) in enumerate(wanted):
        report.checkpoint(number, len(wanted), name)
        read = _view(db, name, source, kind, until)
        read.en, read.zh = texts.get(name, ("", ""))
        if read.error:
            report.issue(
                "service_db.view", "info", f"{path.name}, {name}",
                f"{name} cannot be read ({read.error}); the figures that it would show are derived from the events.",
            )  # fmt: skip
        found.append(read)
    return found


def _rows(db: sqlite3.Connection, sql: str) -> list[tuple[Any, ...]]:
    try:
        return db.execute(sql).fetchmany(_MOST_LISTED)
    except SQLITE_ERRORS:  # the table is not there, or of another generation
        return []


def _view(db: sqlite3.Connection, name: str, source: str, kind: str, until: float) -> View:
    db.set_progress_handler(lambda: time.monotonic() > until, _STEP)
    try:
        cursor = db.execute(f"SELECT * FROM {quoted(source)}")
        heads = [str(c[0]) for c in cursor.description]
        columns: list[list[Any]] = [[] for _ in heads]
        while rows := cursor.fetchmany(_FETCH):
            for values, part in zip(columns, zip(*rows, strict=True), strict=True):
                values += part
            if len(columns) * len(columns[0]) > _MOST_CELLS:
                return View(name, kind, error="it has too many rows")
    except SQLITE_ERRORS as error:
        return View(name, kind, error="it takes too long" if str(error) == "interrupted" else str(error))
    finally:
        db.set_progress_handler(None, 0)
    return View(name, kind, heads, table_of(heads, columns))


def table_of(heads: list[str], columns: list[list[Any]]) -> pa.Table:
    """A table of values as written: whole numbers, numbers, else text; heads that come twice get a number."""
    seen: dict[str, int] = {}
    names = []
    for head in heads:
        seen[head] = seen.get(head, 0) + 1
        names.append(head if seen[head] == 1 else f"{head} #{seen[head]}")
    return pa.table([_array(values) for values in columns], names=names)


def _array(values: list[Any]) -> pa.Array:
    kinds = {type(value) for value in values} - {type(None)}
    if kinds <= {int}:
        try:
            return pa.array(values, pa.int64())
        except (pa.ArrowInvalid, OverflowError):
            kinds = {int, str}
    if kinds <= {int, float}:
        return pa.array([None if v is None else float(v) for v in values], pa.float64())
    return pa.array([v if v is None or isinstance(v, str) else _text(v) for v in values], pa.string())


def _text(value: Any) -> str:
    return decode_text(value) if isinstance(value, bytes) else str(value)


def results_of_csv(paths: list[Path], report: Report) -> list[View]:
    """Views of result files, under the names that the database has for them."""
    found = []
    order = list(VIEWS)
    for path in sorted(paths, key=lambda p: (order.index(p.stem) if p.stem in order else len(order), p.name)):
        spans = path.parent.name == "span_info"
        name = f"span_info/{path.stem}" if spans else VIEWS.get(path.stem, path.stem)
        kind = "data" if path.stem in VIEWS and not spans else "other"
        view = _csv_view(path, name, kind)
        if view.error:
            report.issue("service_csv.bad_file", "error", path.name, f"{path.name} cannot be used: {view.error}.")
        found.append(view)
    return found


def _csv_view(path: Path, name: str, kind: str) -> View:
    try:
        rows = csv_rows(path)
    except (OSError, csv.Error) as error:
        return View(name, kind, error=str(error))
    if not rows:
        return View(name, kind, error="it is empty")
    heads = [head.strip() for head in rows[0]]
    whole = [row[: len(heads)] for row in rows[1:] if len(row) >= len(heads)]
    columns = [[_cell(v) for v in values] for values in zip(*whole, strict=True)] if whole else [[] for _ in heads]
    return View(name, kind, heads, table_of(heads, _numbers(columns)))


def _cell(text: str) -> str | None:
    return text if text != "" else None


def _numbers(columns: list[list[str | None]]) -> list[list[Any]]:
    """Columns whose cells are all numbers as such."""
    out: list[list[Any]] = []
    for values in columns:
        try:
            out.append([None if v is None else (float(v) if any(c in v for c in ".eE") else int(v)) for v in values])
        except ValueError:
            out.append(list(values))
    return out
