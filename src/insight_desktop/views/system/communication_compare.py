"""Questions about two jobs: groups meet by name and ranks, else by hash; a group that only the baseline has is compared with nothing."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from insight_desktop.engine import compare
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import communication as queries
from insight_desktop.views.system.communication_choice import Choice, Group, groups_of

_DIGITS = 4


def partner(groups: tuple[Group, ...], own: Group) -> Group | None:
    """The group of another job that a group is compared with."""
    same = [g for g in groups if (g.pg_name, g.ranks) == (own.pg_name, own.ranks)]
    alike = [g for g in groups if g.hash and g.hash == own.hash]
    return next(iter([*same, *alike]), None)


def baseline_of(store: Store, choice: Choice) -> Choice | None:
    """The side of the baseline alone, None when it has no such group."""
    other = choice.baseline()
    found = partner(groups_of(store, other.cluster), choice.group)
    return replace(other, group=found) if found is not None else None


def durations(store: Store, *, choice: Choice) -> pa.Table:
    """`system.communication.durations_compare` of a choice."""
    if not choice.group.base_only:
        return queries.durations_compare(store, op=choice.op, **choice.compare_arguments())
    there = queries.durations(store, op=choice.op, **choice.baseline().arguments())
    values = [name for name in there.column_names if name != "rank"]
    return compare.keyed(there.slice(0, 0), there, ["rank"], values, digits=_DIGITS)


def matrix(store: Store, *, choice: Choice) -> pa.Table:
    """`system.communication.matrix_compare` of a choice."""
    if not choice.group.base_only:
        return queries.matrix_compare(store, **choice.compare_arguments())
    there = queries.matrix(store, **choice.baseline().arguments()).drop_columns(["op_name"])
    values = ["size_mb", "transit_ms", "bandwidth_gbs"]
    found = compare.keyed(
        there.slice(0, 0), there, ["src", "dst"], values, carry=["transport"], digits=_DIGITS, nth=True
    )
    return found.append_column("is_same_transport", pa.array([False] * found.num_rows, pa.bool_()))


def rank_operators(store: Store, *, choice: Choice, rank: int, side: int) -> pa.Table:
    """Operators of a rank, of the baseline with side 1; no rows where that has no such group."""
    asked = baseline_of(store, choice) if side else choice
    if asked is None or (choice.group.base_only and not side):
        empty = queries.rank_operators(store, rank=rank, **choice.baseline().arguments())
        return empty.slice(0, 0)
    return queries.rank_operators(store, rank=rank, **asked.arguments())


def thumbnails(store: Store, *, choice: Choice) -> list[pa.Table]:
    """Bars of the job, then those of the baseline when there is one; a side without the group has none."""
    if choice.base is None:
        return [queries.thumbnails(store, op=choice.op, **choice.arguments())]
    other = baseline_of(store, choice)
    there = queries.thumbnails(store, op=choice.op, **other.arguments()) if other is not None else None
    if choice.group.base_only:
        assert there is not None
        return [there.slice(0, 0), there]
    here = queries.thumbnails(store, op=choice.op, **choice.arguments())
    return [here, there if there is not None else here.slice(0, 0)]
