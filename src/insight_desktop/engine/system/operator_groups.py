"""Grouping of kernels and the sums of groups, exact in ns; shown values are rounded half away from zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa

from insight_desktop.engine.system import operator_order
from insight_desktop.engine.system.operator_rows import NO_TIME, Ints, Kernels, Key

Group = Literal["type", "name", "name_shape", "type_shape", "communication", "communication_type"]
GROUPS: tuple[Group, ...] = ("type", "name", "name_shape", "type_shape", "communication", "communication_type")
KEYS: dict[Group, tuple[Key, ...]] = {
    "type": ("type", "core"),
    "name": ("name", "type", "core"),
    "name_shape": ("name", "shape", "core"),
    "type_shape": ("type", "shape", "core"),
    "communication": ("name", "type"),
    "communication_type": ("type",),
}
_DENSE = 1 << 22  # up to so many combinations of keys are counted in an array instead of sorted


@dataclass(frozen=True)
class Groups:
    """Groups of kernels, largest sum first (equal sums: as they come in the files).

    Attributes:
        keys: the columns that make a group.
        first: a kernel of each group, for its texts.
        count, total, longest, shortest: figures per group; times in ticks.
        ticks_per_us: what a tick is.
        number: group of each kernel, -1 for kernels of the other part (computing or communication).
        members: kernels in the order of their groups, by duration inside a group, longest first.
        offset: members[offset[g]:offset[g + 1]] are those of group g.
    """

    keys: tuple[Key, ...]
    first: Ints
    count: Ints
    total: Ints
    longest: Ints
    shortest: Ints
    ticks_per_us: int
    number: Ints
    members: Ints
    offset: Ints

    def __len__(self) -> int:
        return len(self.first)


def is_communication(group: Group) -> bool:
    """True for the groups of communication operators."""
    return group in ("communication", "communication_type")


def grouped(kernels: Kernels, group: Group) -> Groups:
    """The groups of a card; made once."""
    name = ("groups", group)
    if name not in kernels.made:
        kernels.made[name] = _group(kernels, group)
    found: Groups = kernels.made[name]
    return found


def longest_first(kernels: Kernels, *, communication: bool) -> Ints:
    """Positions of the computing or communication kernels, longest first, equal ones as they come in the files."""
    name = ("longest", communication)
    if name not in kernels.made:
        mine = np.flatnonzero(kernels.is_communication == communication)
        kernels.made[name] = mine[operator_order.descending(kernels.ticks[mine])]
    found: Ints = kernels.made[name]
    return found


def top_limited(order: Ints, top: int) -> Ints:
    """The first `top` of them; -1 is all."""
    return order if top < 0 else order[:top]


def texts(kernels: Kernels, groups: Groups, chosen: Ints) -> dict[str, pa.Array]:
    """The key columns of some groups."""
    return {key: kernels.text[key].at(groups.first[chosen]) for key in groups.keys}


def rounded(numerator: Ints, denominator: Ints | int) -> Ints:
    """numerator / denominator as whole numbers; half goes away from zero."""
    below: Ints = np.asarray(denominator, np.int64)
    size: Ints = (2 * np.abs(numerator) + below) // (2 * below)
    return np.where(numerator < 0, -size, size)


def hundredths(ticks: Ints, ticks_per_us: int) -> Ints:
    """Times in hundredths of a µs."""
    return rounded(ticks, ticks_per_us // 100)


def us(hundredths_us: Ints) -> pa.Array:
    """Hundredths of a µs as µs."""
    return pa.array(np.asarray(hundredths_us) / 100.0, pa.float64())


def exact_us(ns: Ints) -> pa.Array:
    """Times in µs with three decimals; null for a missing one."""
    return pa.array(ns / 1000.0, pa.float64(), mask=ns == NO_TIME)


def start_ms(start_ns: Ints, base: int) -> pa.Array:
    """Starts in ms from the base with two decimals; null for a missing one."""
    known = start_ns != NO_TIME
    shift = np.where(known, start_ns - np.int64(base), 0)
    return pa.array(rounded(shift, 10_000) / 100.0, pa.float64(), mask=~known)


def statistics(groups: Groups, chosen: Ints) -> dict[str, pa.Array]:
    """count, sum_us, avg_us, max_us, min_us of some groups, two decimals."""
    count, total = groups.count[chosen], groups.total[chosen]
    unit = groups.ticks_per_us
    return {
        "count": pa.array(count),
        "sum_us": us(hundredths(total, unit)),
        "avg_us": us(rounded(total, unit // 100 * count)),
        "max_us": us(hundredths(groups.longest[chosen], unit)),
        "min_us": us(hundredths(groups.shortest[chosen], unit)),
    }


def _group(kernels: Kernels, group: Group) -> Groups:
    keys = KEYS[group]
    mine = longest_first(kernels, communication=is_communication(group))
    number = np.full(len(kernels), -1, np.int64)
    if not len(mine):
        none = np.empty(0, np.int64)
        return Groups(keys, none, none, none, none, none, kernels.ticks_per_us, number, none, np.zeros(1, np.int64))
    numbers, count_of_groups = _numbers(kernels, keys, mine)
    # The kernels come longest first, so a stable order by group leaves them longest first inside each group.
    members = mine[operator_order.ascending(numbers)]
    count = np.bincount(numbers, minlength=count_of_groups).astype(np.int64)
    starts = np.cumsum(count) - count
    ticks = kernels.ticks[members]
    total = np.add.reduceat(ticks, starts)
    first = np.minimum.reduceat(members, starts)
    rank = np.lexsort((first, -total))
    place = np.empty(count_of_groups, np.int64)
    place[rank] = np.arange(count_of_groups)
    number[mine] = place[numbers]
    ranked = count[rank]
    new_starts = np.cumsum(ranked) - ranked
    members = members[np.arange(len(mine)) + np.repeat(starts[rank] - new_starts, ranked)]
    return Groups(
        keys, first[rank], ranked, total[rank], ticks[starts][rank], ticks[starts + count - 1][rank], kernels.ticks_per_us,
        number, members, np.concatenate(([0], np.cumsum(ranked))).astype(np.int64),
    )  # fmt: skip


def _numbers(kernels: Kernels, keys: tuple[Key, ...], mine: Ints) -> tuple[Ints, int]:
    """Running number of the combination of keys of each kernel, and how many there are."""
    combined = np.zeros(len(mine), np.int64)
    size = 1
    for key in keys:
        column = kernels.text[key]
        width = max(len(column.words), 1)
        if size * width > 1 << 62:
            combined, size = _dense(combined, size)
        combined = combined * width + column.codes[mine]
        size *= width
    return _dense(combined, size)


def _dense(combined: Ints, size: int) -> tuple[Ints, int]:
    if size > _DENSE:
        found, numbers = np.unique(combined, return_inverse=True)
        return numbers.astype(np.int64), len(found)
    used = np.zeros(size, np.bool_)
    used[combined] = True
    return (np.cumsum(used) - 1)[combined], int(used.sum())
