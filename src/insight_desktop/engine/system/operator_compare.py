"""Two cards side by side: differences of groups, and of communication operators paired by their order."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine import compare
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import operator_details, operator_groups, operator_tables
from insight_desktop.engine.system.operator_details import Filter
from insight_desktop.engine.system.operator_groups import Group
from insight_desktop.engine.system.operator_rows import Ints, Kernels, base_ns

FIGURES = ("count", "sum_us", "avg_us", "max_us", "min_us")
TIMES = ("start_ms", "duration_us", "wait_us")


def joined(opened: Store, comparison: Kernels, baseline: Kernels, group: Group) -> pa.Table:
    """Both cards side by side, largest difference first; the last answer of a card is kept."""
    base = base_ns(opened, comparison)
    last = comparison.made.get(("compare",))
    if last is not None and last[0] is baseline and last[1:3] == (group, base):
        return last[3]
    if group == "communication":
        table = communication(opened, comparison, baseline, base)
    else:
        table = groups(comparison, baseline, group)
    comparison.made["compare",] = baseline, group, base, table
    return table


def groups(comparison: Kernels, baseline: Kernels, group: Group) -> pa.Table:
    """Groups of two cards with the differences of their figures (see `compare.keyed`), largest difference of sums first."""
    sides = [operator_tables.statistics(kernels, group, -1, Filter()) for kernels in (comparison, baseline)]
    keys = operator_groups.KEYS[group]
    return _falling(compare.keyed(sides[0], sides[1], keys, FIGURES, sort=True), "sum_us")


def communication(opened: Store, comparison: Kernels, baseline: Kernels, base: int) -> pa.Table:
    """Communication operators of two cards, the i-th of a name with the i-th, by (name, start); texts that differ are `a->b`.

    Columns: name, type, then start_ms, duration_us, wait_us each as difference, `_comparison` and `_baseline`, then
    in_comparison, in_baseline; largest difference of durations first.
    """
    sides = [_by_name(opened, kernels, base) for kernels in (comparison, baseline)]
    paired = compare.keyed(sides[0], sides[1], ["name"], TIMES, carry=["type"], nth=True, sort=True)
    ours, other = paired["type_comparison"], paired["type_baseline"]
    both = pc.coalesce(pc.equal(ours, other), True)  # a missing side changes nothing
    changed = pc.binary_join_element_wise(ours, other, "->", null_handling="replace", null_replacement="")
    paired = paired.add_column(1, "type", pc.if_else(both, pc.coalesce(ours, other), changed))
    paired = paired.drop_columns(["type_comparison", "type_baseline"])
    return _falling(paired, "duration_us")


def filtered(table: pa.Table, wanted: Filter) -> pa.Table:
    """Rows whose texts contain those of the filter, case aside; columns that are not there do not filter."""
    for key, text in wanted.items():
        if key in table.column_names:
            table = table.filter(pc.match_substring(table.column(key), text.strip(), ignore_case=True))
    return table


def _falling(table: pa.Table, column: str) -> pa.Table:
    values = np.asarray(table.column(column), np.float64)
    return table.take(pa.array(np.argsort(-values, kind="stable")))


def _by_name(opened: Store, kernels: Kernels, base: int) -> pa.Table:
    at: Ints = np.flatnonzero(kernels.is_communication)
    names = kernels.rank("name")[at]
    at = at[np.lexsort((at, kernels.start_ns[at], names))]
    return operator_details.rows(opened, kernels, at, base, communication=True).select(["name", "type", *TIMES])
