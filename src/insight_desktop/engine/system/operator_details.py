"""Single kernels as a table: which ones, in which order, and their columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import operator_groups as groups_of
from insight_desktop.engine.system import operator_order
from insight_desktop.engine.system.operator_groups import Group
from insight_desktop.engine.system.operator_rows import NO_TIME, Flags, Ints, Kernels, Key, read
from insight_desktop.errors import BadArgument

SHAPE_COLUMNS = (
    "block_num", "input_shapes", "input_types", "input_formats", "output_shapes", "output_types", "output_formats",
)  # fmt: skip
_KEPT_RANKS = 4
_HELD_TEXT: dict[str, Key] = {"name": "name", "type": "type", "core": "core", "shape": "shape", "input_shapes": "shape"}


@dataclass(frozen=True)
class Filter:
    """Texts that columns must contain, case aside; None does not filter."""

    name: str | None = None
    type: str | None = None
    core: str | None = None
    shape: str | None = None

    def items(self) -> list[tuple[Key, str]]:
        """The columns that are filtered."""
        pairs: list[tuple[Key, str | None]] = [
            ("name", self.name), ("type", self.type), ("core", self.core), ("shape", self.shape),
        ]  # fmt: skip
        return [(key, text) for key, text in pairs if text is not None and text.strip()]


@dataclass(frozen=True)
class Member:
    """Exact texts of the group whose kernels are wanted; None leaves a column open."""

    name: str | None = None
    type: str | None = None
    core: str | None = None
    shape: str | None = None

    def items(self) -> list[tuple[Key, str]]:
        """The columns that are given."""
        pairs: list[tuple[Key, str | None]] = [
            ("name", self.name), ("type", self.type), ("core", self.core), ("shape", self.shape),
        ]  # fmt: skip
        return [(key, text) for key, text in pairs if text is not None]


def chosen(kernels: Kernels, group: Group, top: int, member: Member, wanted: Filter) -> Ints:
    """Positions of kernels, longest first: the members of a group, or the Top ones; then the filter."""
    communication = groups_of.is_communication(group)
    order = groups_of.longest_first(kernels, communication=communication)
    if member.items():
        order = order[_all([kernels.text[key].equal(text) for key, text in member.items()])[order]]
    else:
        order = groups_of.top_limited(order, top)
    if wanted.items():
        order = order[_all([kernels.text[key].containing(text) for key, text in wanted.items()])[order]]
    return order


def ordered(kernels: Kernels, order: Ints, sort: str, descending: bool) -> Ints:
    """The positions sorted by a column; equal values stay as they are, missing ones are last.

    Raises BadArgument for an unknown column.
    """
    values, missing = _sort_values(kernels, order, sort)
    known, unknown = order[~missing], order[missing]
    sort_order = operator_order.descending if descending else operator_order.ascending
    return np.concatenate((known[sort_order(values[~missing])], unknown))


def rows(opened: Store, kernels: Kernels, order: Ints, base: int, *, communication: bool) -> pa.Table:
    """The table of some kernels in this order.

    Columns: row, name, type, (core,) start_ms, duration_us, wait_us, start_ns, duration_ns, wait_ns; for computing kernels
    of level l1 also block_num, the six of shapes, types and formats, and the PMU columns in alphabetical order.
    """
    wait = kernels.wait_ns[order]
    start = kernels.start_ns[order]
    columns: dict[str, pa.Array | pa.ChunkedArray] = {
        "row": pa.array(kernels.row[order]),
        "name": kernels.text["name"].at(order),
        "type": kernels.text["type"].at(order),
    }
    if not communication:
        columns["core"] = kernels.text["core"].at(order)
    columns |= {
        "start_ms": groups_of.start_ms(start, base),
        "duration_us": groups_of.exact_us(kernels.duration_ns[order]),
        "wait_us": groups_of.exact_us(wait),
        "start_ns": pa.array(start, mask=start == NO_TIME),
        "duration_ns": pa.array(kernels.duration_ns[order]),
        "wait_ns": pa.array(wait, mask=wait == NO_TIME),
    }
    if not communication and kernels.has_shapes:
        more = read(opened, kernels, [*SHAPE_COLUMNS, *kernels.pmu, *_texts_of_pmu(kernels)], order)
        for name in (*SHAPE_COLUMNS, *kernels.pmu):
            columns[name] = _with_texts(more, name)
    return pa.table(columns)


def level(kernels: Kernels) -> str:
    """`l1` when shapes are there, else `l0`."""
    return "l1" if kernels.has_shapes else "l0"


def _texts_of_pmu(kernels: Kernels) -> list[str]:
    return [f"pmu:{name}" for name in kernels.pmu]


def _with_texts(table: pa.Table, name: str) -> pa.ChunkedArray:
    """A PMU column; as text throughout where some cells hold text other than N/A."""
    if name not in table.schema.names:
        return pa.chunked_array([pa.nulls(table.num_rows, pa.string())])
    column = table.column(name)
    text = f"pmu:{name}"
    if text not in table.schema.names or table.column(text).null_count == table.num_rows:
        return column
    return pc.coalesce(table.column(text), column.cast(pa.string()))


def _all(masks: list[Flags]) -> Flags:
    out = masks[0]
    for mask in masks[1:]:
        out = out & mask
    return out


def _sort_values(kernels: Kernels, order: Ints, sort: str) -> tuple[Ints, Flags]:
    """Values to sort by, small first, and which are missing."""
    numbers = {
        "row": kernels.row, "start_ms": kernels.start_ns, "start_ns": kernels.start_ns, "wait_us": kernels.wait_ns,
        "wait_ns": kernels.wait_ns, "duration_us": kernels.ticks, "duration_ns": kernels.ticks,
    }  # fmt: skip
    if sort in numbers:
        values = numbers[sort][order]
        missing = values == NO_TIME
        return np.where(missing, 0, values), missing
    if sort in _HELD_TEXT:
        ranks = kernels.rank(_HELD_TEXT[sort])[order].astype(np.int64)
        return ranks, np.zeros(len(order), np.bool_)
    if sort not in (*SHAPE_COLUMNS, *kernels.pmu):
        known = [*numbers, "name", "type", "core", *SHAPE_COLUMNS, *kernels.pmu]
        raise BadArgument(f"There is no column {sort!r} to sort by.", fix=f"Use one of {', '.join(known)}.")
    ranks, nulls = _ranks(kernels, sort)
    return ranks[order], nulls[order]


def _ranks(kernels: Kernels, column: str) -> tuple[Ints, Flags]:
    """Place of each kernel in the order of a column that is not held, and where it is null; the last few are kept."""
    name = ("ranks", column)
    if name not in kernels.made:
        values = kernels.column(column)
        for old in [key for key in list(kernels.made) if key[0] == "ranks"][: -_KEPT_RANKS + 1 or None]:
            kernels.made.pop(old, None)
        ranks = np.asarray(pc.rank(values, tiebreaker="dense"), np.int64)
        kernels.made[name] = ranks, np.asarray(pc.is_null(values))
    found: tuple[Ints, Flags] = kernels.made[name]
    return found
