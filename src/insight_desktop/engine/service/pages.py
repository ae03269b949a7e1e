"""Pages of recorded tables: filter, order, cut."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.errors import BadArgument, NoData
from insight_desktop.ingest.formats.service_rids import canonical
from insight_desktop.ingest.formats.service_values import MISSING

MOST = 500
_RANGE = re.compile(r"\s*(-?[\d.]+(?:e-?\d+)?)\s*\.\.\s*(-?[\d.]+(?:e-?\d+)?)\s*", re.IGNORECASE)
_BOUND = re.compile(r"\s*([<>]=?)\s*(-?[\d.]+(?:e-?\d+)?)\s*", re.IGNORECASE)


def check_page(page: int, size: int) -> None:
    """Raise BadArgument when a page or its size is out of range."""
    if not 0 < size <= MOST:
        raise BadArgument("Page size invalid!", fix=f"Use 1 to {MOST} rows.")
    if page < 1:
        raise BadArgument("Current page invalid!", fix="Pages count from 1.")


def page(table: pa.Table, where: str, sort: str, descending: bool, number: int, size: int) -> pa.Table:
    """One page of the rows that pass, in order."""
    check_page(number, size)
    found = ordered(filtered(table, where), sort, descending)
    return found.slice((number - 1) * size, size)


def filtered(table: pa.Table, where: str) -> pa.Table:
    """Rows that pass all of the `column=text` parts."""
    for part in filter(None, (p.strip() for p in where.split(";"))):
        name, separator, text = part.partition("=")
        if not separator:
            raise BadArgument(f"The filter {part!r} lacks a column.", fix="Write column=text; several separated by ;.")
        table = table.filter(passes(_column(table, name.strip()), text))
    return table


def _column(table: pa.Table, name: str) -> pa.ChunkedArray:
    if name not in table.column_names:
        raise BadArgument(f"There is no column {name!r}.", fix=f"Columns: {', '.join(table.column_names)}.")
    return table[name]


def passes(column: pa.ChunkedArray, text: str) -> pa.ChunkedArray:
    """Mask of the cells that contain a text, or that a comparison of numbers holds for."""
    between, bound = _RANGE.fullmatch(text), _BOUND.fullmatch(text)
    if between or bound:
        values = numbers(column)
        if between:
            low, high = sorted((float(between[1]), float(between[2])))
            mask = (values >= low) & (values <= high)
        else:
            assert bound is not None
            limit = float(bound[2])
            mask = {">": values > limit, "<": values < limit, ">=": values >= limit, "<=": values <= limit}[bound[1]]
        return pa.chunked_array([pa.array(mask)])
    return pc.match_substring(pc.fill_null(column.cast(pa.string()), ""), text, ignore_case=True)


def numbers(column: pa.ChunkedArray) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Numbers of a column; NaN where a cell holds none."""
    if pa.types.is_string(column.type):
        texts = pa.array([None if v is None or v.strip().lower() in MISSING else v.strip() for v in column.to_pylist()], pa.string())  # fmt: skip
        try:
            column = texts.cast(pa.float64())
        except pa.ArrowInvalid:
            return np.array([_number(v) for v in texts.to_pylist()], np.float64)
    return np.asarray(column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False), np.float64)


def _number(text: str | None) -> float:
    try:
        return float(text) if text is not None else float("nan")
    except ValueError:
        return float("nan")


def is_numeric(column: pa.ChunkedArray) -> bool:
    """True when a column holds numbers only (missing ones aside), and at least one."""
    if not pa.types.is_string(column.type):
        return bool(pa.types.is_integer(column.type) or pa.types.is_floating(column.type))
    texts = [v for v in column.to_pylist() if v is not None and v.strip().lower() not in MISSING]
    return bool(texts) and not np.isnan([_number(v) for v in texts]).any()


def ordered(table: pa.Table, sort: str, descending: bool) -> pa.Table:
    """Rows in the order of a column; numbers by value, missing cells last."""
    if not sort:
        return table
    column = _column(table, sort)
    way = "descending" if descending else "ascending"
    if is_numeric(column):
        values = numbers(column)
        return table.take(pc.sort_indices(pa.table({"v": pa.array(values, from_pandas=True)}), sort_keys=[("v", way)]))
    return table.take(pc.sort_indices(pa.table({"v": column.cast(pa.string())}), sort_keys=[("v", way)]))


def row_of_request(table: pa.Table | None, rid: str) -> pa.Table:
    """The row of a request, units cut off the names of the columns."""
    if table is not None and "http_rid" in table.column_names:
        wanted = canonical(rid)
        mask = pa.array([canonical(str(v)) == wanted for v in table["http_rid"].to_pylist()], pa.bool_())
        found = table.filter(mask)
        if found.num_rows:
            return found.rename_columns([name.removesuffix("(ms)") for name in found.column_names])
    raise NoData(f"Request {rid} has no recorded row.", fix="Its figures from the events are on the Overview page.")
