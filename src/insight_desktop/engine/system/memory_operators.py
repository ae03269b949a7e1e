"""Allocations of a card as its table shows them: rounded values, filters, both interval rules, order."""

from __future__ import annotations

import re
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Array
from insight_desktop.engine.rounding import half_away, ns_to_ms
from insight_desktop.engine.system import memory_tables
from insight_desktop.engine.system.memory_time import CardMemory
from insight_desktop.errors import BadArgument

TABLE = "operator_memory"
UNKNOWN = "Unknown"
TIMES = ("alloc", "release", "active_release")
TOTALS = tuple(f"{at}_{what}_mb" for at in ("alloc", "release") for what in ("allocated", "reserved", "active"))
NUMBERS = ("size_kb", *(f"{t}_ms" for t in TIMES), "duration_ms", "active_duration_ms", *TOTALS)
SHOWN = ("name", *NUMBERS, "stream")
_NS = ("alloc_ns", "release_ns", "active_release_ns", "duration_ns", "active_duration_ns")
_RANGE = re.compile(r"\s*(\w+)\s*=\s*([-+\d.eE]*)\s*\.\.\s*([-+\d.eE]*)\s*")
Grouping = Literal["overall", "stream"]


def of(memory: CardMemory) -> pa.Table:
    """All allocations of the card in file order.

    Columns: row (number in the file), name (`Unknown` for none), size_kb, alloc_ms, release_ms, active_release_ms (null: not
    within the collection, shown as N/A), duration_ms, active_duration_ms (0 when not released), the six totals in MB, stream,
    then the raw alloc_ns, release_ns, active_release_ns, duration_ns, active_duration_ns.
    """
    return memory_tables.kept.get(("operators", *memory.key(TABLE)), lambda: _make(memory), lambda found: found.nbytes)


def bounds(found: pa.Table, column: str = "size_kb") -> tuple[float, float] | None:
    """Smallest and largest value of a column; None without rows."""
    if not found.num_rows:
        return None
    ends = pc.min_max(found[column]).as_py()
    return (ends["min"], ends["max"]) if ends["min"] is not None else None


def chosen(
    found: pa.Table,
    *,
    interval_ns: tuple[int | None, int | None] = (None, None),
    only_inside: bool = False,
    name: str | None = None,
    ranges: dict[str, tuple[float | None, float | None]] | None = None,
    group: Grouping = "overall",
) -> Array | None:
    """Which rows pass all filters, as positions in order; None for all.

    Args:
        found: what `of` gave.
        interval_ns: raw times, both inside; None for no bound.
        only_inside: allocated or released inside the interval; else alive at some time of it.
        name: part of the name, either case.
        ranges: bounds by column, inclusive, compared with the shown values; null is in no range.
        group: stream keeps rows with a stream only.
    """
    masks: list[Array] = []
    if interval_ns != (None, None):
        masks.append(_in_interval(found, interval_ns, only_inside))
    if name and name.strip():
        masks.append(has_name(found["name"], name))
    for column, (low, high) in (ranges or {}).items():
        masks.append(in_range(found, column, low, high))
    if group == "stream":
        masks.append(np.asarray(pc.not_equal(found["stream"].cast(pa.string()), "")))
    return None if not masks else np.flatnonzero(np.logical_and.reduce(masks))


def ordered(found: pa.Table, sort: str | None, descending: bool) -> pa.Table:
    """The rows of a table in the order of a column; without one as they are.

    Release times that are not known are after all others, allocation times before; equal values keep their order.
    """
    return found if sort is None else found.take(pa.array(_order(found, sort, descending)))


def page(
    found: pa.Table,
    rows: Array | None,
    sort: str | None,
    descending: bool,
    limit: int | None,
    offset: int,
    key: tuple[object, ...],
) -> pa.Table:
    """Some rows of a table in an order, or a page of them; `total` tells how many there are in all.

    Args:
        found: the whole table.
        rows: positions that count, ascending; None for all.
        sort, descending: as `ordered`.
        limit, offset: which part of the ordered rows; None for all behind the offset.
        key: names the table: its order is kept, so another page or filter in the same order costs little.
    """
    if (limit is not None and limit < 0) or offset < 0:
        raise BadArgument("limit and offset cannot be negative.", fix="Leave them out to get all rows.")
    if sort is not None:
        order = memory_tables.kept.get(
            ("order", sort, descending, *key), lambda: _order(found, sort, descending), lambda made: made.nbytes
        )
        if rows is not None:
            wanted = np.zeros(found.num_rows, np.bool_)
            wanted[rows] = True
            order = order[wanted[order]]
        rows = order
    count = found.num_rows if rows is None else len(rows)
    stop = count if limit is None else offset + limit
    if rows is None:
        found = found.slice(offset, max(0, stop - offset))
    else:
        found = found.take(pa.array(rows[offset:stop]))
    return found.replace_schema_metadata({b"insight_total": str(count).encode()})


def total(found: pa.Table) -> int:
    """How many rows a paged answer has in all."""
    return int((found.schema.metadata or {}).get(b"insight_total", found.num_rows))


def _order(found: pa.Table, sort: str, descending: bool) -> Array:
    if sort not in found.column_names:
        raise BadArgument(f"There is no column {sort!r}.", fix=f"Columns: {', '.join(found.column_names)}.")
    key = sort_key(found[sort], sort)
    if descending:
        return len(key) - 1 - np.argsort(key[::-1], kind="stable")[::-1]
    return np.argsort(key, kind="stable")


def sort_key(column: pa.ChunkedArray, name: str) -> Array:
    """Numbers whose order is the order of a column."""
    kind = column.type
    if pa.types.is_dictionary(kind) or pa.types.is_string(kind):
        column = column if pa.types.is_dictionary(kind) else column.dictionary_encode()
        chunks = column.unify_dictionaries().chunks
        texts = chunks[0].dictionary.to_pylist() if chunks else []
        if not texts:
            return np.zeros(len(column), np.int64)
        rank = np.empty(len(texts), np.uint16 if len(texts) <= 1 << 16 else np.int64)
        rank[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
        return rank[np.concatenate([c.indices.to_numpy(zero_copy_only=False) for c in chunks])]
    values = column.to_numpy()
    unknown = np.asarray(column.is_null())
    if not unknown.any():
        return values
    late = name.startswith(("release", "active_release"))
    return np.where(unknown, np.inf if late else -np.inf, np.nan_to_num(values.astype(np.float64)))


def has_name(column: pa.ChunkedArray, text: str) -> Array:
    """Which names hold a text, either case; every different name is looked at once."""
    part = text.strip()
    if not pa.types.is_dictionary(column.type):
        return np.asarray(pc.match_substring(column, part, ignore_case=True), np.bool_)
    found = [
        pc.match_substring(chunk.dictionary, part, ignore_case=True).take(chunk.indices).to_numpy(zero_copy_only=False)
        for chunk in column.chunks
    ]
    return np.concatenate(found).astype(np.bool_) if found else np.empty(0, np.bool_)


def in_range(found: pa.Table, column: str, low: float | None, high: float | None) -> Array:
    """Which values of a column are inside two bounds; raises BadArgument for a text column or bounds in disorder."""
    if column not in found.column_names or not pa.types.is_floating(found[column].type):
        numeric = [f.name for f in found.schema if pa.types.is_floating(f.type)]
        raise BadArgument(f"Column {column!r} has no range.", fix=f"Columns with numbers: {', '.join(numeric)}.")
    check_bounds(low, high)
    values = pc.fill_null(found[column], float("nan")).to_numpy()
    mask = ~np.isnan(values)
    if low is not None:
        mask &= values >= low
    if high is not None:
        mask &= values <= high
    return mask


def check_bounds(low: float | None, high: float | None) -> None:
    """Raise BadArgument when the bounds are in disorder."""
    if low is not None and high is not None and low > high:
        raise BadArgument("The minimum value cannot exceed the maximum value.", fix="Swap them, or clear one of them.")


def parse_ranges(text: str | None) -> dict[str, tuple[float | None, float | None]]:
    """Bounds by column from `duration_ms=0.5..10; release_ms=..3`; an end that is left out has no bound."""
    out: dict[str, tuple[float | None, float | None]] = {}
    for part in (text or "").split(";"):
        if not part.strip():
            continue
        found = _RANGE.fullmatch(part)
        try:
            if found is None:
                raise ValueError(part)
            low, high = (float(end) if end else None for end in found.groups()[1:])
        except ValueError as error:
            raise BadArgument(f"{part.strip()!r} is no range.", fix="Write column=min..max, several with ;.") from error
        out[found[1]] = low, high
    return out


def _in_interval(found: pa.Table, interval: tuple[int | None, int | None], only_inside: bool) -> Array:
    start = np.iinfo(np.int64).min if interval[0] is None else interval[0]
    stop = np.iinfo(np.int64).max if interval[1] is None else interval[1]
    check_bounds(start, stop)
    alloc, release = (found[name] for name in ("alloc_ns", "release_ns"))
    if only_inside:
        inside = [
            np.asarray(pc.fill_null(pc.and_(pc.greater_equal(ends, start), pc.less_equal(ends, stop)), False))
            for ends in (alloc, release)
        ]
        return np.logical_or(*inside)
    return np.logical_and(
        np.asarray(pc.fill_null(pc.greater_equal(release, start), True)),
        np.asarray(pc.fill_null(pc.less_equal(alloc, stop), True)),
    )


def _make(memory: CardMemory) -> pa.Table:
    raw = memory.rows(TABLE).combine_chunks()
    columns: dict[str, Any] = {"name": _names(raw["name"])}
    columns["size_kb"] = half_away(raw["size_kb"], 2) if _is_db(memory) else raw["size_kb"].combine_chunks()
    columns |= {name: raw[name] for name in _NS}
    for time in TIMES:
        shown = memory.ms(raw[f"{time}_ns"])
        # A time before the axis begins is as unknown to the reader as one that was not recorded.
        columns[f"{time}_ms"] = pa.array(shown, mask=~(shown >= 0))
    for length in ("duration", "active_duration"):
        columns[f"{length}_ms"] = ns_to_ms(pc.fill_null(raw[f"{length}_ns"], 0))
    for total in TOTALS:
        columns[total] = half_away(pc.fill_null(raw[total], 0.0), 2)
    columns["stream"], columns["row"] = raw["stream"], raw["row"]
    return pa.table(columns).combine_chunks()


def _is_db(memory: CardMemory) -> bool:
    return memory.project.card(memory.card).kind == "db"


def _names(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Names as a dictionary column, `Unknown` for empty ones."""
    texts = column.cast(pa.string())
    blank = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(texts), ""), True)
    return pc.if_else(blank, UNKNOWN, texts).dictionary_encode()
