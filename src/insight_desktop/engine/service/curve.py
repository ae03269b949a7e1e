"""Named queries of the Curve page: recorded curves, curves derived from the events, curves generated from slices.

A generated curve is called `generated:<slice>_<track>_curve`, that of the gaps `generated:<slice>_bubble_<track>_curve`.

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
from insight_desktop.errors import BadArgument, NoData

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
    lines = {}
    for line in found.column_names[2:]:
        values = pages.numbers(found[line])
        lines[line] = np.nan_to_num(values) if missing_as_zero else pa.array(values, from_pandas=True)
    x = found[found.column_names[1]]
    return pa.table({"row": found["#row"], "x": x.cast(pa.string()), "x_ns": _times(store, card, name, x), **lines})


def whole(store: Store, *, name: str, card: str | None = None) -> pa.Table:
    """All rows of a curve in the order of x: #row, #x_ns (time where x tells one, else null), #repeats (equal to the row
    before), then its columns: numbers where a column holds only such, else texts as written. The metadata hold first_ns (the
    start of the run) and shift_ns (how far the times of x were from those of the events).

    Raises:
        BadArgument: there is no such curve.
        NoData: it cannot be read.
    """
    table = curve_rows.in_order(_curve(store, card, name))
    x = table[table.column_names[1]]
    found = {"#row": table["#row"], "#x_ns": _times(store, card, name, x), "#repeats": curve_rows.repeats(table)}
    for column in table.column_names[1:]:
        found[column] = curve_rows.typed(table[column])
    run = opened(store, card)
    shift = 0 if curve_rows.is_generated(name) else curve_rows.shift_of(name, run.facts)
    return pa.table(found).replace_schema_metadata({"first_ns": str(run.first_ns), "shift_ns": str(shift)})


def place(store: Store, *, name: str, row: int, card: str | None = None) -> pa.Table:
    """Where a row of a curve lies in the Timeline: slice (id, null when there is none), start_ns, end_ns.

    A generated curve leads to its own slice (that of a gap to the one behind it); a number of a batch or a time to the step.

    Args:
        row: place in the order of x, as `service.curve.whole` tells it.

    Raises:
        BadArgument: there is no such curve or row.
        NoData: its x is neither a time nor a batch.
    """
    table = curve_rows.in_order(_curve(store, card, name, with_slices=True))
    if not 0 <= row < table.num_rows:
        raise BadArgument(f"There is no row {row}.", fix=f"The curve has {table.num_rows} rows, counted from 0.")
    capture = store.capture(store.card(card, "service").name)
    if curve_rows.is_generated(name):
        number: int | None = table["slice_id"][row].as_py()
    else:
        at = _times(store, card, name, table[table.column_names[1]])[row].as_py()
        if at is None:
            raise NoData("This row has no time.", fix="Its x is neither a time nor the number of a batch.")
        number = curve_rows.slice_of_step(opened(store, card), at)
        if number is None:
            return pa.table({"slice": pa.array([None], pa.int64()), "start_ns": [at], "end_ns": [at]})
    start, end = int(capture.slice_start[number]), int(capture.slice_end[number])
    return pa.table({"slice": pa.array([number], pa.int64()), "start_ns": [start], "end_ns": [end]})


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
    return curve_rows.figures({line: pages.numbers(table[line]) for line in table.column_names[2:]})


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


def _curve(store: Store, card: str | None, name: str, *, with_slices: bool = False) -> pa.Table:
    """Rows of a curve with its x in front."""
    if curve_rows.is_generated(name):
        capture = store.capture(store.card(card, "service").name)
        number, kind = curve_rows.generated_from(capture, name)
        found = curve_rows.generated(capture, number, kind, store.base_ns)
        return found if with_slices else found.drop_columns(["slice_id"])
    if name in curve_derived.TITLES:
        return curve_derived.curve(opened(store, card), name)
    return recorded.view(store, card, name, "curve")[1]


def _times(store: Store, card: str | None, name: str, x: pa.ChunkedArray) -> pa.Array:
    """Times of x, null where it tells none."""
    if curve_rows.is_generated(name):
        return pa.array(x.to_numpy() + store.base_ns, pa.int64())
    run = opened(store, card)
    return curve_rows.x_times(x, run, curve_rows.shift_of(name, run.facts))
