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
    group, count = _groups(comparison, baseline, keys)
    mine, theirs = group[: comparison.num_rows], group[comparison.num_rows :]
    if nth:
        number = [_occurrence(part) for part in (mine, theirs)]
        most = 1 + max((int(n.max()) for n in number if len(n)), default=0)
        mine, theirs = mine * most + number[0], theirs * most + number[1]
    elif len(np.unique(mine)) < len(mine) or len(np.unique(theirs)) < len(theirs):
        raise BadArgument(
            f"Rows repeat for equal {', '.join(keys)}.", fix="Group them first, or pair them by their order."
        )
    left, right = _partners(mine, theirs)
    joined = _joined(comparison, baseline, keys, (left, right), (tuple(values), tuple(carry)), digits)
    if not sort or not count:
        return joined
    return joined.take(pc.sort_indices(joined, sort_keys=[(k, "ascending") for k in keys]))


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


def _groups(comparison: pa.Table, baseline: pa.Table, keys: Sequence[str]) -> tuple[_Array, int]:
    """A number per row of both tables, equal for equal keys."""
    total = comparison.num_rows + baseline.num_rows
    group = np.zeros(total, np.int64)
    count = 1 if total else 0
    for key in keys:
        both = pa.concat_tables(
            [pa.table({"k": _plain(t[key])}) for t in (comparison, baseline)], promote_options="permissive"
        )["k"].combine_chunks()
        codes = pc.dictionary_encode(both, null_encoding="encode")
        codes = codes.combine_chunks() if isinstance(codes, pa.ChunkedArray) else codes
        numbers = codes.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        _, group = np.unique(group * max(1, len(codes.dictionary)) + numbers, return_inverse=True)
        count = int(group.max()) + 1 if total else 0
    return group.astype(np.int64), count


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    return column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column


def _occurrence(group: _Array) -> _Array:
    """How many equal numbers stand before each."""
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(ordered) else np.empty(0, np.int64)
    first = np.repeat(starts, np.diff(np.r_[starts, len(ordered)]))
    out = np.empty(len(group), np.int64)
    out[order] = np.arange(len(group)) - first
    return out


def _partners(mine: _Array, theirs: _Array) -> tuple[_Array, _Array]:
    """Row numbers of both sides per joined row, -1 for none: all of the comparison, then the surplus of the baseline."""
    order = np.argsort(theirs, kind="stable")
    at = np.searchsorted(theirs, mine, sorter=order)
    inside = np.minimum(at, max(0, len(theirs) - 1))
    found = np.full(len(mine), -1, np.int64)
    if len(theirs):
        candidate = order[inside]
        hit = (at < len(theirs)) & (theirs[candidate] == mine)
        found[hit] = candidate[hit]
    surplus = np.setdiff1d(np.arange(len(theirs)), found[found >= 0])
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
