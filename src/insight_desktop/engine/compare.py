"""Two tables side by side: a full join over keys with differences, the same for every tab.

Each row holds three rows of the source: a number's difference (comparison − baseline) under its own name, and both sides under
the name with `_comparison` and `_baseline` behind. `side` takes one of the three apart again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.rounding import half_away
from insight_desktop.errors import BadArgument

COMPARISON, BASELINE = "_comparison", "_baseline"
Side = Literal["difference", "comparison", "baseline"]
_Array = npt.NDArray[Any]


def keyed(
    comparison: pa.Table,
    baseline: pa.Table,
    keys: Sequence[str],
    values: Sequence[str],
    *,
    carry: Sequence[str] = (),
    digits: int | Mapping[str, int] = 3,
    nth: bool = False,
    sort: bool = True,
) -> pa.Table:
    """Full join of two tables with the differences of their numbers.

    Args:
        comparison: the rows under test.
        baseline: the rows they are compared with; same columns.
        keys: columns that name a row; nulls equal each other.
        values: numeric columns to subtract; a missing side and null count as 0.
        carry: columns that are kept of both sides without a difference.
        digits: decimals of the differences, one number for all or by column; whole numbers stay whole.
        nth: equal keys are several things: pair the i-th with the i-th in row order. Without it keys must be unique.
        sort: rows in ascending order of the keys; else those of the comparison in their order, then the surplus of the baseline.

    Returns:
        keys, then per value `<v>` (difference), `<v>_comparison`, `<v>_baseline` (null where that side has no row), then per carried
        column `<c>_comparison`, `<c>_baseline`, then `in_comparison` and `in_baseline` (bool).

    Raises BadArgument when keys repeat and `nth` is not asked for.
    """
    group, distinct = _groups(comparison, baseline, keys)
    mine, theirs = group[: comparison.num_rows], group[comparison.num_rows :]
    count = distinct.num_rows
    if not nth and max(np.bincount(part, minlength=1).max() for part in (mine, theirs)) > 1:
        raise BadArgument(f"Rows repeat for equal {', '.join(keys)}.", fix="Group them, or pair them by their order.")
    left, right = _partners(mine, theirs, count)
    if sort and count:
        rank = np.empty(count, np.int64)
        rank[pc.sort_indices(distinct, sort_keys=[(k, "ascending") for k in keys]).to_numpy()] = np.arange(count)
        of_row = np.r_[mine, theirs[right[len(mine) :]]]
        order = _order(rank[of_row], count)
        left, right = left[order], right[order]
    return _joined(comparison, baseline, keys, (left, right), (tuple(values), tuple(carry)), digits)


def side(compared: pa.Table, which: Side, rows: Sequence[int] | None = None) -> pa.Table:
    """One of the three tables in a result of `keyed`, under the plain column names.

    Args:
        compared: what `keyed` gave.
        which: difference, comparison or baseline. Carried columns of a difference are those of the comparison, else of the baseline.
        rows: positions; all when None. Rows that a side does not have stay, with nulls.
    """
    found = compared if rows is None else compared.take(pa.array(list(rows), pa.int64()))
    names = set(found.column_names)
    columns: dict[str, pa.ChunkedArray] = {}
    for name in [n for n in found.column_names if n not in ("in_comparison", "in_baseline")]:
        plain = name.removesuffix(COMPARISON)
        if plain != name and plain + BASELINE in names and plain not in columns:
            ours, other = found[name], found[plain + BASELINE]
            chosen = {"comparison": ours, "baseline": other}.get(which)
            columns[plain] = pc.coalesce(ours, other) if chosen is None else chosen
        elif not _is_side(name, names):
            if which == "difference" or name + COMPARISON not in names:
                columns[name] = found[name]
            else:
                columns[name] = found[name + (COMPARISON if which == "comparison" else BASELINE)]
    return pa.table(columns)


def _is_side(name: str, names: set[str]) -> bool:
    plain = name.removesuffix(COMPARISON).removesuffix(BASELINE)
    return plain != name and {plain + COMPARISON, plain + BASELINE} <= names


def _groups(comparison: pa.Table, baseline: pa.Table, keys: Sequence[str]) -> tuple[_Array, pa.Table]:
    """A number per row of both tables, equal for equal keys, and the keys of every number."""
    total = comparison.num_rows + baseline.num_rows
    group, count = np.zeros(total, np.int64), min(1, total)
    columns: dict[str, pa.Array] = {}
    for key in keys:
        parts = [pa.table({"k": _plain(t[key])}) for t in (comparison, baseline)]
        both = pa.concat_tables(parts, promote_options="permissive")["k"].combine_chunks()
        both = pa.concat_arrays(both.chunks) if isinstance(both, pa.ChunkedArray) else both
        columns[key] = both
        codes = both.dictionary_encode("encode")
        numbers = codes.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        if len(columns) == 1:
            group, count = numbers, len(codes.dictionary)
        else:
            known, group = np.unique(group * len(codes.dictionary) + numbers, return_inverse=True)
            group, count = group.astype(np.int64), len(known)
    first = np.full(count, total, np.int64)
    np.minimum.at(first, group, np.arange(total))
    return group, pa.table({key: column.take(pa.array(first)) for key, column in columns.items()})


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    return column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column


def _order(numbers: _Array, count: int) -> _Array:
    """Stable order of numbers below `count`; few of them are sorted in one pass."""
    return np.argsort(numbers.astype(np.uint16) if count <= 1 << 16 else numbers, kind="stable")


def _partners(mine: _Array, theirs: _Array, count: int) -> tuple[_Array, _Array]:
    """Row numbers of both sides per joined row, -1 for none: all of the comparison, then the surplus of the baseline.

    The i-th row of a group meets the i-th row of the same group on the other side.
    """
    sizes, orders, numbers = [], [], []
    for part in (mine, theirs):
        size = np.bincount(part, minlength=count)
        start = np.cumsum(size) - size
        order = _order(part, count)
        number = np.empty(len(part), np.int64)
        number[order] = np.arange(len(part)) - np.repeat(start, size)
        sizes.append(size)
        orders.append((start, order))
        numbers.append(number)
    found = np.full(len(mine), -1, np.int64)
    paired = numbers[0] < sizes[1][mine]
    start, order = orders[1]
    found[paired] = order[start[mine[paired]] + numbers[0][paired]]
    surplus = np.flatnonzero(numbers[1] >= sizes[0][theirs])
    return np.r_[np.arange(len(mine)), np.full(len(surplus), -1)], np.r_[found, surplus]


def _joined(
    comparison: pa.Table,
    baseline: pa.Table,
    keys: Sequence[str],
    rows: tuple[_Array, _Array],
    columns: tuple[Sequence[str], Sequence[str]],
    digits: int | Mapping[str, int],
) -> pa.Table:
    takes = [pa.array(r, mask=r < 0) for r in rows]
    sides = [_taken(table, take) for table, take in zip((comparison, baseline), takes, strict=True)]
    out: dict[str, Any] = {}
    for key in keys:
        out[key] = pc.coalesce(*(_plain(s[key]) for s in sides))
    for name in columns[0]:
        decimals = digits if isinstance(digits, int) else digits.get(name, 3)
        out[name] = _difference(sides[0][name], sides[1][name], decimals)
        out[name + COMPARISON], out[name + BASELINE] = sides[0][name], sides[1][name]
    for name in columns[1]:
        out[name + COMPARISON], out[name + BASELINE] = (_plain(s[name]) for s in sides)
    for name, r in zip(("in_comparison", "in_baseline"), rows, strict=True):
        out[name] = pa.array(r >= 0)
    return pa.table(out)


def _taken(table: pa.Table, rows: pa.Array) -> pa.Table:
    if not table.num_rows:
        return pa.table({f.name: pa.nulls(len(rows), f.type) for f in table.schema}, schema=table.schema)
    return table.take(rows)


def _difference(ours: pa.ChunkedArray, other: pa.ChunkedArray, digits: int) -> pa.Array:
    ours, other = pc.fill_null(ours, 0), pc.fill_null(other, 0)
    difference = pc.subtract(ours, other)
    if pa.types.is_integer(difference.type):
        return difference
    return pa.array(half_away(difference.to_numpy(), digits))
