"""Which rows a table shows and in which order: filters and sorting on Arrow columns, without Qt."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.errors import BadArgument
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.common.text_order import text_order

Rows = npt.NDArray[np.int64]

# Up to here names sort as people read them (Stream 2 before Stream 10); more distinct names sort by their characters.
_NATURAL_LIMIT = 20_000
_COMPARISON = re.compile(r"\s*(>=|<=|=|>|<|≥|≤)?\s*(.+?)\s*")
_RANGE = re.compile(r"\s*(.+?)\s*\.\.\s*(.+?)\s*")


@dataclass(frozen=True)
class Sort:
    """Sort by one column; missing values come last both ways, equal ones keep their order."""

    column: str
    descending: bool = False


def rows_of(
    table: pa.Table, specs: Mapping[str, ColumnSpec], filters: Mapping[str, str], sort: Sort | None
) -> Rows | None:
    """Row numbers to show, in order; None for all rows in their own order.

    Args:
        table: the whole table.
        specs: columns by name.
        filters: what is typed per column; empty texts do not filter. All of them must hold.
        sort: order, or None for that of the table.

    Raises:
        BadArgument: a filter cannot be read.
    """
    keep: Any = None
    for name, text in filters.items():
        if text.strip():
            found = filter_mask(table.column(name), specs[name], text)
            keep = found if keep is None else pc.and_(keep, found)
    rows: Rows | None = None
    if keep is not None:
        rows = np.flatnonzero(keep.to_numpy()).astype(np.int64)
    if sort is None:
        return rows
    column, missing = table.column(sort.column), specs[sort.column].missing_as
    if rows is None:
        return sorted_rows(column, descending=sort.descending, missing=missing)
    return rows[sorted_rows(column.take(pa.array(rows)), descending=sort.descending, missing=missing)]


def _has_digits(column: pa.ChunkedArray, text: str) -> pa.ChunkedArray:
    """True for addresses that contain these digits, hexadecimal or (all digits, no 0x) decimal."""
    wanted = text.strip().lower()
    digits = wanted.removeprefix("0x")
    encoded = pc.dictionary_encode(column).combine_chunks()
    held = encoded.dictionary.to_pylist()
    fits = [digits in f"{value:x}" or (wanted.isdigit() and digits in str(value)) for value in held]
    found = pc.take(pa.array(fits, pa.bool_()), encoded.indices)
    return pa.chunked_array([pc.fill_null(found, False)])


def filter_mask(column: pa.ChunkedArray, spec: ColumnSpec, text: str) -> pa.ChunkedArray:
    """True where a value passes: texts contain it in any case, numbers obey `> 5`, `<= 5`, `5` or `1..5`.

    Texts also take `=whole text`, `/regular expression/`, and `!` before any of them for all others; in any case too.
    The word for missing values (`NA`) finds those.
    """
    if (
        spec.kind == "address"
        and _is_numeric(column.type)
        and not text.strip().startswith((">", "<", "="))
        and ".." not in text
    ):
        return _has_digits(column, text)
    if spec.is_text or not _is_numeric(column.type):
        if not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
            column = pc.cast(column, pa.string())
        return _passes(column, text.strip())
    if spec.missing and text.strip().lower() == spec.missing.lower():
        return pc.is_null(column, nan_is_null=True)
    low, high, low_open, high_open = bounds(spec, text)
    mask: Any = None
    for bound, is_open, strict, loose in (
        (low, low_open, pc.greater, pc.greater_equal),
        (high, high_open, pc.less, pc.less_equal),
    ):
        if bound is not None:
            found = (strict if is_open else loose)(column, _scalar(bound, column.type))
            mask = found if mask is None else pc.and_(mask, found)
    return pc.fill_null(mask, False)


def bounds(spec: ColumnSpec, text: str) -> tuple[float | int | None, float | int | None, bool, bool]:
    """Lower and upper bound of a typed comparison, and whether each is excluded. None is unbounded."""
    between = _RANGE.fullmatch(text)
    if between:
        low, high = spec.typed(between[1]), spec.typed(between[2])
        if low > high:
            raise BadArgument("The minimum value cannot exceed the maximum value.", fix="Write the smaller one first.")
        return low, high, False, False
    found = _COMPARISON.fullmatch(text)
    if not found:
        raise BadArgument(f"“{text.strip()}” is not a comparison.", fix="Write > 5, < 5, = 5 or 1..5.")
    sign, value = found[1], spec.typed(found[2])
    if sign in (">", ">=", "≥"):
        return value, None, sign == ">", False
    if sign in ("<", "<=", "≤"):
        return None, value, False, sign == "<"
    # Equal means equal to what the cell shows, so half of its last decimal is allowed on both sides.
    decimals = spec.shown_decimals
    slack = 0 if decimals is None or spec.kind in ("count", "id", "stamp") else 0.5 * 10**-decimals * spec.scale
    if not slack:
        return value, value, False, False
    return value - slack, value + slack, False, True


def sorted_rows(
    column: pa.ChunkedArray, *, descending: bool = False, missing: Literal["last", "high", "low"] = "last"
) -> Rows:
    """Positions that put a column in order; stable. Missing values come last, or where a highest or lowest value would."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):  # texts too long for one array
        array = pc.cast(array, pa.large_string()).combine_chunks()
    is_missing = pc.is_null(array, nan_is_null=True).to_numpy(zero_copy_only=False)
    if not is_missing.any():
        return _order(array, descending)
    have, without = np.flatnonzero(~is_missing), np.flatnonzero(is_missing)
    ordered = have[_order(array.take(pa.array(have)), descending)]
    at_front = (missing == "high" and descending) or (missing == "low" and not descending)
    return np.concatenate([without, ordered] if at_front else [ordered, without])


def _order(array: pa.Array, descending: bool) -> Rows:
    if _is_numeric(array.type):
        return _argsort(array.to_numpy(zero_copy_only=False), descending)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if not pa.types.is_string(array.type) and not pa.types.is_large_string(array.type):
        array = pc.cast(array, pa.string())
    # A sample tells whether names repeat; then ranks of the distinct names are sorted instead of the names.
    sample = array.slice(0, 10_000)
    if pc.count_distinct(sample).as_py() > 0.5 * len(sample) and len(array) > _NATURAL_LIMIT:
        return text_order(array, descending=descending)
    encoded = array.dictionary_encode()
    by_name = _names_in_order(encoded.dictionary)
    rank = np.empty(len(by_name), np.uint16 if len(by_name) <= 1 << 16 else np.uint32)
    rank[by_name] = np.arange(len(by_name), dtype=rank.dtype)
    return _argsort(rank[encoded.indices.to_numpy()], descending)


def _argsort(values: npt.NDArray[Any], descending: bool) -> Rows:
    if not descending:
        return np.argsort(values, kind="stable")
    # Sorting the reversed values keeps equal ones in their order after the final reversal.
    return len(values) - 1 - np.argsort(values[::-1], kind="stable")[::-1]


def _names_in_order(names: pa.Array) -> npt.NDArray[np.int64]:
    if len(names) > _NATURAL_LIMIT:
        return text_order(names)
    texts = names.to_pylist()
    return np.array(sorted(range(len(texts)), key=lambda i: natural_key(texts[i])), np.int64)


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that reads digits as numbers and ignores case, with the text itself to decide ties."""
    parts = re.split(r"([0-9]+)", text.lower())
    folded = tuple((0, int(p), "") if i % 2 else (1, 0, p) for i, p in enumerate(parts) if p)
    return (*folded, (2, 0, text))


def _passes(column: pa.ChunkedArray, text: str) -> pa.ChunkedArray:
    """What a typed text means for cells of text; missing cells pass only what is asked for with `!`."""
    if len(text) > 1 and text.startswith("!"):
        return pc.invert(_passes(column, text[1:].strip()))
    if len(text) > 1 and text.startswith("="):
        found = pc.equal(pc.utf8_lower(column), text[1:].strip().lower())
    elif len(text) > 2 and text.startswith("/") and text.endswith("/"):
        try:
            found = pc.match_substring_regex(column, text[1:-1], ignore_case=True)
        except pa.ArrowException as error:
            raise BadArgument(
                f"“{text}” is not a regular expression.", fix="Leave out the / to find the text as it is."
            ) from error
    else:
        found = _contains(column, text)
    return pc.fill_null(found, False)


def _contains(column: pa.ChunkedArray, text: str) -> pa.ChunkedArray:
    if text.isascii():
        return pc.match_substring(column, text, ignore_case=True)
    return pc.match_substring(pc.utf8_lower(column), text.lower())


def _is_numeric(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)


def _scalar(value: float | int, kind: pa.DataType) -> pa.Scalar:
    if pa.types.is_integer(kind) and isinstance(value, int):
        return pa.scalar(value, pa.uint64() if value > 2**63 - 1 else pa.int64())
    return pa.scalar(float(value), pa.float64())
