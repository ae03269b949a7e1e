"""Named queries of the Operator page: where the device time goes, by type, operator, shape and communication.

Groups (`group_by`): `type` (type, core), `name` (computing operators by name, type, core), `name_shape` (name, input
shapes, core), `type_shape` (type, input shapes, core), `communication` (name, type), `communication_type` (type).
A kernel is communication when its core is HCCL or COMMUNICATION, or when it comes from the table of communication
operators. Only kernels of the card's device count.

Order of work: group, largest sum first → `top` (-1 all) → text filters → sort → page (`offset`, `limit`). Text filters
keep what contains the text, case aside. Group times are rounded to 0.01 µs, half away from zero; durations are exact.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa

from insight_desktop.engine import tables
from insight_desktop.engine.compare import side
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import (
    operator_compare,
    operator_export,
    operator_order,
    operator_shares,
    operator_slices,
    operator_tables,
)
from insight_desktop.engine.system import operator_details as details_of
from insight_desktop.engine.system import operator_groups as groups_of
from insight_desktop.engine.system import operator_insight as insight
from insight_desktop.engine.system.operator_details import Filter, Member
from insight_desktop.engine.system.operator_groups import Group
from insight_desktop.engine.system.operator_rows import Ints, Kernels, base_ns, kernels
from insight_desktop.errors import BadArgument, NoData

Rows = Literal["name", "communication"]
Scale = Literal["linear", "log"]


def statistics(
    store: Store,
    *,
    card: str | None = None,
    group_by: Group = "type",
    top: int = -1,
    name: str | None = None,
    type: str | None = None,
    core: str | None = None,
    shape: str | None = None,
    sort: str = "",
    descending: bool = True,
    offset: int = 0,
    limit: int | None = None,
) -> pa.Table:
    """Groups by total time: the columns of the group (name, type, shape, core), count, sum_us, avg_us, max_us, min_us.

    sort is a column of the result; empty keeps the largest sum first.
    """
    loaded = kernels(store, card)
    page = operator_tables.Page(sort, descending, offset, limit)
    return operator_tables.statistics(loaded, group_by, _top(top), Filter(name, type, core, shape), page)


def share(store: Store, *, card: str | None = None, group_by: Group = "type", top: int = -1) -> pa.Table:
    """The pies: pie (`items`, `cores`), label, value_us, share_ratio (0–1), items, name, type, shape, core, row.

    Items of `name` and `communication` are single kernels (row tells which), else groups. With more than 50 items the last
    one is `Others`; items tells how many it holds. The cores (none for communication) add up the values of the same items.
    """
    return operator_shares.pies(kernels(store, card), group_by, _top(top))


def details(
    store: Store,
    *,
    card: str | None = None,
    group_by: Rows = "name",
    top: int = -1,
    of_name: str | None = None,
    of_type: str | None = None,
    of_core: str | None = None,
    of_shape: str | None = None,
    name: str | None = None,
    type: str | None = None,
    core: str | None = None,
    sort: str = "",
    descending: bool = True,
    offset: int = 0,
    limit: int | None = None,
) -> pa.Table:
    """Single kernels, longest first: row, name, type, core, start_ms, duration_us, wait_us, start_ns, duration_ns, wait_ns.

    Where the data have shapes (level l1) block_num, input_shapes, input_types, input_formats, output_shapes, output_types,
    output_formats and the PMU columns in alphabetical order follow, under their names and in the units of the source.
    Communication has no core and no further columns. start_ms counts from the base of the Timeline. Any of of_name,
    of_type, of_core, of_shape (exact texts) asks for all kernels of a group; `top` does not limit them.
    """
    loaded = kernels(store, card)
    order = details_of.chosen(
        loaded, group_by, _top(top), Member(of_name, of_type, of_core, of_shape), Filter(name, type, core)
    )
    if sort:
        order = details_of.ordered(loaded, order, sort, descending)
    order = order[_start(offset) :] if limit is None else order[_start(offset) : _start(offset) + _start(limit)]
    communication = groups_of.is_communication(group_by)
    return details_of.rows(store, loaded, order, base_ns(store, loaded), communication=communication)


def count(
    store: Store,
    *,
    card: str | None = None,
    group_by: Rows = "name",
    top: int = -1,
    of_name: str | None = None,
    of_type: str | None = None,
    of_core: str | None = None,
    of_shape: str | None = None,
    name: str | None = None,
    type: str | None = None,
    core: str | None = None,
) -> pa.Table:
    """How many rows `details` has without a page, and their time: count, sum_us."""
    loaded = kernels(store, card)
    order = details_of.chosen(
        loaded, group_by, _top(top), Member(of_name, of_type, of_core, of_shape), Filter(name, type, core)
    )
    total = groups_of.hundredths(loaded.ticks[order].sum(keepdims=True), loaded.ticks_per_us)
    return pa.table({"count": pa.array([len(order)], pa.int64()), "sum_us": groups_of.us(total)})


def facts(store: Store, *, card: str | None = None) -> pa.Table:
    """What the card has, one row: card, device, device_from, computing, communication, groups, level, pmu_columns, …

    Further columns: pipe_columns (ratios that `pipe_ratios` uses), is_db (PMU values are raw: ns, bytes, Byte/s, MHz),
    base_ns, other_devices and skipped_rows (kernels that were left out), files_read, files_missing, message and fix (why
    there is nothing and which switch of the collector gives it, that other devices are left out, or why columns are
    missing; empty when all is there).
    """
    loaded = kernels(store, card)
    chosen = store.card(loaded.card)
    source = tables.sources(store, loaded.card, "kernel")
    skipped = sum(i.count for i in tables.issues(store, loaded.card, "kernel") if i.code == "csv.short_rows")
    communication = int(loaded.is_communication.sum())
    computing = len(loaded) - communication
    level = details_of.level(loaded)
    message, fix = source.message, source.fix
    if not message:
        message, fix = operator_tables.what_is_missing(loaded, level, chosen.source)
        message = " ".join(filter(None, (operator_tables.left_out(loaded), message)))
    row = {
        "card": loaded.card, "device": loaded.device, "device_from": loaded.device_from, "computing": computing,
        "communication": communication, "groups": _groups(computing, communication, level), "level": level,
        "pmu_columns": list(loaded.pmu), "pipe_columns": list(insight.pipes(loaded)),
        "is_db": chosen.source is not None and chosen.source.format == "profiler_db",
        "base_ns": base_ns(store, loaded), "other_devices": loaded.other_devices, "skipped_rows": skipped,
        "files_read": list(source.read), "files_missing": list(source.missing), "message": message, "fix": fix,
    }  # fmt: skip
    return pa.Table.from_pylist([row], operator_tables.FACTS)


def compare(
    store: Store,
    *,
    base: str,
    card: str | None = None,
    group_by: Group = "type",
    top: int = -1,
    name: str | None = None,
    type: str | None = None,
    core: str | None = None,
    shape: str | None = None,
    sort: str = "",
    descending: bool = True,
    offset: int = 0,
    limit: int | None = None,
) -> pa.Table:
    """Card minus base card: columns of the group, then per figure `x` (difference), `x_comparison`, `x_baseline`.

    Figures are count, sum_us, avg_us, max_us, min_us; a missing side counts as 0. `communication` pairs the i-th operator of
    a name with the i-th (by start) and has start_ms, duration_us, wait_us; a type that differs is `a->b`. in_comparison
    and in_baseline tell which side has the row. Order: largest difference first → top → filters → sort → page.
    """
    ours, other = kernels(store, card), kernels(store, base)
    table = operator_compare.joined(store, ours, other, group_by)
    limited = table if _top(top) < 0 else table.slice(0, top)
    table = operator_compare.filtered(limited, Filter(name, type, core, shape))
    return operator_tables.page(operator_tables.sorted_by(table, sort, descending), offset, limit)


def export(
    store: Store,
    *,
    card: str | None = None,
    group_by: Group = "type",
    top: int = -1,
    base: str | None = None,
    name: str | None = None,
    type: str | None = None,
    core: str | None = None,
    shape: str | None = None,
    sort: str = "",
    descending: bool = True,
) -> pa.Table:
    """The main table of a group as its csv file has it: all rows, under the column names of the file.

    `name` and `communication` give single kernels, the others groups; with a base card the differences. Filters and sorting
    (by the names of the other queries) are those of the page. `operator_export.write_csv` makes the file.
    """
    chosen = {
        "card": card,
        "top": top,
        "name": name,
        "type": type,
        "core": core,
        "sort": sort,
        "descending": descending,
    }
    if base is not None:
        table = compare(store, base=base, group_by=group_by, shape=shape, **chosen)  # type: ignore[arg-type]
        difference = side(table, "difference")
        return operator_export.renamed(difference, group_by, single=group_by == "communication")
    if group_by in ("name", "communication"):
        table = details(store, group_by=group_by, **chosen)  # type: ignore[arg-type]
        return operator_export.renamed(table, group_by, single=True)
    table = statistics(store, group_by=group_by, shape=shape, **chosen)  # type: ignore[arg-type]
    return operator_export.renamed(table, group_by, single=False)


def pareto(store: Store, *, card: str | None = None, group_by: Group = "type", limit: int | None = None) -> pa.Table:
    """All groups by total time: their columns, count, sum_us, share_ratio, cumulative_ratio (0–1), class.

    Class A are the largest groups that are needed to reach 80 % of the time, B the next ones until 95 %, C the rest.
    """
    loaded = kernels(store, card)
    groups = groups_of.grouped(loaded, group_by)
    every = np.arange(len(groups))
    share, cumulative, names = insight.classes(groups.total)
    figures = groups_of.statistics(groups, every)
    columns = {
        **groups_of.texts(loaded, groups, every),
        "count": figures["count"],
        "sum_us": figures["sum_us"],
        "share_ratio": pa.array(share, pa.float64()),
        "cumulative_ratio": pa.array(cumulative, pa.float64()),
        "class": names,
    }
    return operator_tables.page(pa.table(columns), 0, limit)


def durations(
    store: Store,
    *,
    card: str | None = None,
    name: str | None = None,
    type: str | None = None,
    core: str | None = None,
    shape: str | None = None,
    limit: int = 20_000,
) -> pa.Table:
    """Points of a scatter chart by start: row, start_ns, start_ms, duration_us, name, type, core, shape.

    name, type, core and shape are whole texts. Above `limit` kernels every stretch keeps its shortest and its longest.
    """
    loaded = kernels(store, card)
    order = insight.by_start(loaded, _members(loaded, Member(name, type, core, shape)))
    order = order[insight.thinned(loaded.duration_ns[order], limit)]
    start = loaded.start_ns[order]
    columns = {
        "row": pa.array(loaded.row[order]),
        "start_ns": pa.array(start),
        "start_ms": groups_of.start_ms(start, base_ns(store, loaded)),
        "duration_us": groups_of.exact_us(loaded.duration_ns[order]),
        **{str(key): loaded.text[key].at(order) for key in ("name", "type", "core", "shape")},
    }
    return pa.table(columns)


def duration_histogram(
    store: Store,
    *,
    card: str | None = None,
    name: str | None = None,
    type: str | None = None,
    core: str | None = None,
    shape: str | None = None,
    bins: int = 40,
    scale: Scale = "linear",
) -> pa.Table:
    """How the durations of an operator are spread: from_us, to_us, count; to_us belongs to the last bin only."""
    if bins < 1:
        raise BadArgument("bins must be 1 or more.")
    loaded = kernels(store, card)
    order = _members(loaded, Member(name, type, core, shape))
    edges, counts = insight.bins(loaded.duration_ns[order], bins, scale == "log")
    return pa.table(
        {"from_us": pa.array(edges[:-1]), "to_us": pa.array(edges[1:]), "count": pa.array(counts, pa.int64())}
    )


def outliers(
    store: Store, *, card: str | None = None, group_by: Group = "type_shape", limit: int | None = None
) -> pa.Table:
    """Kernels that took far longer than their like, costliest first: row, name, type, core, shape, start_ns, start_ms, …

    Further columns: duration_us, median_us and count of the group, limit_us, factor (duration / median), cost_us
    (duration − median). Far longer is above median + 3 · 1.4826 · MAD (median absolute deviation) and at least
    1.5 times the median, in groups of 8 or more.
    """
    loaded = kernels(store, card)
    groups = groups_of.grouped(loaded, group_by)
    found = insight.outliers(loaded, groups)
    stop = len(found.position) if limit is None else _start(limit)
    return operator_tables.outliers(loaded, groups, found, stop, base_ns(store, loaded))


def shape_sensitivity(
    store: Store, *, card: str | None = None, name: str | None = None, type: str | None = None
) -> pa.Table:
    """An operator by input shape: shape, core, count, sum_us, avg_us, min_us, max_us, elements, ns_per_element, ratio.

    name or type is the whole text. elements are those of all input tensors, null where the text tells no sizes;
    ratio_to_cheapest is the cost per element against the cheapest shape (1 or more).
    """
    if name is None and type is None:
        raise BadArgument("shape_sensitivity needs a name or a type.", fix="Give name or type.")
    return operator_tables.by_shape(kernels(store, card), Member(name, type))


def pipe_ratios(store: Store, *, card: str | None = None, group_by: Group = "type", top: int = -1) -> pa.Table:
    """How busy the pipes are: columns of the group, count, sum_us, bound_by, bound_kind, bound_ratio, a column per pipe.

    Ratios are 0–1, means over the kernels weighted by duration, null where none has a value. bound_by is the busiest pipe,
    bound_kind `compute` (mac, cube, vec), `memory` (mte, fixpipe) or `scalar`. Raises NoData without such PMU columns.
    """
    loaded = kernels(store, card)
    if not insight.pipes(loaded):
        raise NoData(
            f"The kernels of card {loaded.card} tell no shares of pipes.",
            fix="Collect at profiler_level Level1 or above with aic_metrics=PipeUtilization.",
        )
    return operator_tables.pipes(loaded, group_by, _top(top))


def slices_of(
    store: Store,
    *,
    card: str | None = None,
    row: int | None = None,
    group_by: Rows | None = None,
    name: str | None = None,
    type: str | None = None,
    core: str | None = None,
    shape: str | None = None,
    limit: int = 1000,
) -> pa.Table:
    """Slices of kernels in the Timeline, longest kernel first: row, slice_id, card, process, lane, name, ts_ns, dur_ns.

    row chooses one kernel; name, type, core and shape (whole texts) a group; group_by `name` keeps computing kernels,
    `communication` the others. A slice is the one of a device lane with the same name and the same start (the files of
    one collector may differ by 2 ns); kernels without one are left out.
    """
    loaded = kernels(store, card)
    order = _members(loaded, Member(name, type, core, shape))
    if group_by is not None:
        order = order[loaded.is_communication[order] == groups_of.is_communication(group_by)]
    if row is not None:
        order = order[loaded.row[order] == row]
    order = order[operator_order.descending(loaded.duration_ns[order])]
    return operator_slices.find(store.capture(loaded.card), loaded, order[: _start(limit)])


def _members(loaded: Kernels, member: Member) -> Ints:
    """Positions of the kernels with these texts, computing and communication, as they come in the files."""
    keep = np.ones(len(loaded), np.bool_)
    for key, text in member.items():
        keep &= loaded.text[key].equal(text)
    return np.flatnonzero(keep)


def _groups(computing: int, communication: int, level: str) -> list[str]:
    """The groups that have rows."""
    shapes = ("name_shape", "type_shape") if level == "l1" else ()
    return [
        *(("type", "name", *shapes) if computing else ()),
        *(("communication", "communication_type") if communication else ()),
    ]


def _top(top: int) -> int:
    if top < -1:
        raise BadArgument(f"top cannot be {top}.", fix="Use -1 for all, or a number from 0 on.")
    return top


def _start(number: int) -> int:
    if number < 0:
        raise BadArgument(f"offset and limit cannot be {number}.", fix="Use a number from 0 on.")
    return number
