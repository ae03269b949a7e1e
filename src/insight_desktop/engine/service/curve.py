"""Named queries of the Curve page: recorded curves, curves derived from the events, curves generated from slices.

The first column of a curve is its x, the others are lines. Recorded curves are drawn in the order of x; rows equal to the one
before are left out; of more than `most` rows each bucket keeps the lowest and the highest value of every line.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pyarrow as pa

from insight_desktop.engine.service import curve_derived, curve_rows, pages, recorded
from insight_desktop.engine.service.model import opened
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument

Generated = Literal["duration", "bubble"]
_LIST = [
    ("name", pa.string()), ("section", pa.string()), ("rows", pa.int64()), ("columns", pa.list_(pa.string())),
    ("x", pa.string()), ("error", pa.string()), ("drawable", pa.bool_()), ("first", pa.bool_()),
    ("description_en", pa.string()), ("description_zh", pa.string()),
]  # fmt: skip


def list(store: Store, *, card: str | None = None) -> pa.Table:
    """All curves of a run: recorded ones in the order of the database, then derived ones.

    Columns: name, section (recorded, derived), rows, columns, x (time, batch_id, index), error (why it cannot be read),
    drawable, first (the one that opens: the first that can be drawn), description_en, description_zh.
    """
    rows: Any = []
    for view in recorded.views(store, card, "curve"):
        drawable = not view.error and view.rows > 0 and len(view.columns) > 1
        rows.append(
            {
                "name": view.name, "section": "recorded", "rows": view.rows, "columns": view.columns,
                "x": curve_rows.kind_of_x(view.columns), "error": view.error, "drawable": drawable, "first": False,
                "description_en": view.description_en, "description_zh": view.description_zh,
            }
        )  # fmt: skip
    run = opened(store, card)
    for name, (en, zh) in curve_derived.TITLES.items():
        table = curve_derived.curve(run, name)
        rows.append(
            {
                "name": name, "section": "derived", "rows": table.num_rows, "columns": table.column_names, "x": "time",
                "error": "", "drawable": table.num_rows > 0, "first": False, "description_en": en, "description_zh": zh,
            }
        )  # fmt: skip
    first = next((row for row in rows if row["drawable"]), None)
    if first is not None:
        first["first"] = True
    return pa.Table.from_pylist(rows, pa.schema(_LIST))


def data(
    store: Store,
    *,
    name: str,
    card: str | None = None,
    most: int = 1000,
    missing_as_zero: bool = False,
    start: str = "",
    end: str = "",
) -> pa.Table:
    """Points of a curve: row (place in the order of x), x (text), x_ns (time where x tells one, else null), then its lines as
    numbers (null where missing).

    Args:
        start, end: first and last x that are shown.

    Raises:
        BadArgument: there is no such curve.
        NoData: it cannot be read.
    """
    table = curve_rows.distinct(curve_rows.in_order(_curve(store, card, name)))
    table = curve_rows.between(table, start, end)
    found = curve_rows.thinned(table, most)
    run = opened(store, card)
    lines = {}
    for line in found.column_names[2:]:
        values = pages.numbers(found[line])
        lines[line] = np.nan_to_num(values) if missing_as_zero else pa.array(values, from_pandas=True)
    x = found[found.column_names[1]]
    shift = curve_rows.shift_of(name, run.facts)
    return pa.table(
        {"row": found["#row"], "x": x.cast(pa.string()), "x_ns": curve_rows.x_times(x, run, shift), **lines}
    )


def rows(
    store: Store,
    *,
    name: str,
    card: str | None = None,
    start: str = "",
    end: str = "",
    where: str = "",
    sort: str = "",
    descending: bool = False,
    page: int = 1,
    size: int = 10,
) -> pa.Table:
    """One page of a curve's rows as they were written, in the order of x unless `sort` names a column; see
    `service.tables.rows` for where, page and size."""
    table = curve_rows.between(curve_rows.in_order(_curve(store, card, name)), start, end)
    return pages.page(table.select(table.column_names[1:]), where, sort, descending, page, size)


def count(
    store: Store, *, name: str, card: str | None = None, start: str = "", end: str = "", where: str = ""
) -> pa.Table:
    """How many rows `service.curve.rows` has in all: rows."""
    table = curve_rows.between(curve_rows.in_order(_curve(store, card, name)), start, end)
    return pa.table({"rows": [pages.filtered(table, where).num_rows]})


def statistics(store: Store, *, name: str, card: str | None = None, start: str = "", end: str = "") -> pa.Table:
    """By line: line, count, min, mean, p50, p90, p99, max of what is shown."""
    table = curve_rows.between(curve_rows.in_order(_curve(store, card, name)), start, end)
    out: Any = []
    for line in table.column_names[2:]:
        values = pages.numbers(table[line])
        values = values[~np.isnan(values)]
        row: dict[str, Any] = {"line": line, "count": len(values)}
        if len(values):
            p50, p90, p99 = np.quantile(values, (0.5, 0.9, 0.99)).tolist()
            row |= {"min": values.min(), "mean": values.mean(), "p50": p50, "p90": p90, "p99": p99, "max": values.max()}
        out.append(row)
    figures = [(n, pa.float64()) for n in ("min", "mean", "p50", "p90", "p99", "max")]
    return pa.Table.from_pylist(out, pa.schema([("line", pa.string()), ("count", pa.int64()), *figures]))


def generated(store: Store, *, slice: int, kind: Generated = "duration", card: str | None = None) -> pa.Table:
    """A curve of all slices of one name on one lane: startTime (ns since the start of the trace), avg_duration (ns, of all
    rows), duration (ns), slice_id (of the slice; for bubbles of the one behind the gap).

    Args:
        slice: id of one of the slices.
        kind: their durations, or the gaps between them (only those above 0, at the end of the slice before).
    """
    name = store.card(card, "service").name
    capture = store.capture(name)
    if not 0 <= slice < len(capture.slice_start):
        raise BadArgument(f"There is no slice {slice}.", fix="Select a slice of the Timeline.")
    return curve_rows.generated(capture, slice, kind, store.base_ns)


def _curve(store: Store, card: str | None, name: str) -> pa.Table:
    """Rows of a curve with its x in front."""
    if name in curve_derived.TITLES:
        return curve_derived.curve(opened(store, card), name)
    return recorded.view(store, card, name, "curve")[1]
