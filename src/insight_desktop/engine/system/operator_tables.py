"""Result tables of the Operator queries from groups of kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.system import operator_details as details_of
from insight_desktop.engine.system import operator_groups as groups_of
from insight_desktop.engine.system import operator_insight as insight
from insight_desktop.engine.system import operator_order
from insight_desktop.engine.system.operator_details import Filter, Member
from insight_desktop.engine.system.operator_groups import Group, Groups
from insight_desktop.engine.system.operator_rows import Ints, Kernels
from insight_desktop.errors import BadArgument
from insight_desktop.ingest.formats import rank_info
from insight_desktop.ingest.sources import Source

_LIST = pa.list_(pa.string())
FACTS = pa.schema(
    [
        ("card", pa.string()), ("device", pa.int32()), ("device_from", pa.string()), ("computing", pa.int64()),
        ("communication", pa.int64()), ("groups", _LIST), ("level", pa.string()), ("pmu_columns", _LIST),
        ("pipe_columns", _LIST), ("is_db", pa.bool_()), ("base_ns", pa.int64()), ("other_devices", pa.int64()),
        ("skipped_rows", pa.int64()), ("files_read", _LIST), ("files_missing", _LIST), ("message", pa.string()),
        ("fix", pa.string()),
    ]
)  # fmt: skip


@dataclass(frozen=True)
class Page:
    """Sorting and the part of a table that is wanted: an empty sort keeps the order, limit None goes to the end."""

    sort: str = ""
    descending: bool = True
    offset: int = 0
    limit: int | None = None

    def of(self, order: Ints) -> Ints:
        """The positions of the page."""
        if self.offset < 0 or (self.limit is not None and self.limit < 0):
            raise BadArgument("offset and limit cannot be negative.", fix="Use a number from 0 on.")
        return order[self.offset :] if self.limit is None else order[self.offset : self.offset + self.limit]


WHOLE = Page()


def statistics(kernels: Kernels, group: Group, top: int, wanted: Filter, page: Page = WHOLE) -> pa.Table:
    """Groups by total time, limited, filtered, sorted, and the page of them."""
    groups = groups_of.grouped(kernels, group)
    chosen = groups_of.top_limited(np.arange(len(groups)), top)
    for key, text in wanted.items():
        if key not in groups.keys:
            raise BadArgument(f"Group {group} has no column {key!r}.", fix=f"Filter by {', '.join(groups.keys)}.")
        chosen = chosen[kernels.text[key].containing(text)[groups.first[chosen]]]
    if page.sort:
        values = _sort_values(kernels, groups, page.sort)[chosen]
        sorting = operator_order.descending if page.descending else operator_order.ascending
        chosen = chosen[sorting(values)]
    chosen = page.of(chosen)
    return pa.table({**groups_of.texts(kernels, groups, chosen), **groups_of.statistics(groups, chosen)})


def _sort_values(kernels: Kernels, groups: Groups, sort: str) -> Ints:
    """Whole numbers in the order of a column of `statistics`."""
    for key in groups.keys:
        if key == sort:
            return kernels.rank(key)[groups.first].astype(np.int64)
    figures = {"count": groups.count, "sum_us": groups.total, "max_us": groups.longest, "min_us": groups.shortest}
    if sort in figures:
        return figures[sort]
    if sort == "avg_us":
        return groups_of.rounded(groups.total, groups.count)
    known = [*groups.keys, "count", "sum_us", "avg_us", "max_us", "min_us"]
    raise BadArgument(f"There is no column {sort!r} to sort by.", fix=f"Use one of {', '.join(known)}.")


def sorted_by(table: pa.Table, sort: str, descending: bool) -> pa.Table:
    """The table sorted by a column, equal values as before; an empty name keeps the order."""
    if not sort:
        return table
    if sort not in table.column_names:
        raise BadArgument(
            f"There is no column {sort!r} to sort by.", fix=f"Use one of {', '.join(table.column_names)}."
        )
    column = table.column(sort)
    if pa.types.is_string(column.type):
        column = pc.utf8_lower(column)
    ranks = np.asarray(pc.rank(column, tiebreaker="dense"), np.int64)
    return table.take(pa.array(np.argsort(-ranks if descending else ranks, kind="stable")))


def page(table: pa.Table, offset: int, limit: int | None) -> pa.Table:
    """Rows from offset on, at most limit."""
    if offset < 0 or (limit is not None and limit < 0):
        raise BadArgument("offset and limit cannot be negative.", fix="Use a number from 0 on.")
    return table.slice(offset, limit)


def outliers(kernels: Kernels, groups: Groups, found: insight.Outliers, stop: int, base: int) -> pa.Table:
    """Rows of the costliest outliers."""
    at, number = found.position[:stop], found.group[:stop]
    median, limit = found.median_ns[:stop], found.limit_ns[:stop]
    duration = kernels.duration_ns[at]
    start = groups_of.start_ms(kernels.start_ns[at], base)
    known = pa.array(kernels.start_ns[at], mask=np.asarray(pc.is_null(start)))
    columns = {
        "row": pa.array(kernels.row[at]),
        **{str(key): kernels.text[key].at(at) for key in ("name", "type", "core", "shape")},
        "start_ns": known,
        "start_ms": start,
        "duration_us": groups_of.exact_us(duration),
        "median_us": pa.array(median / 1000.0),
        "count": pa.array(groups.count[number]),
        "limit_us": pa.array(limit / 1000.0),
        "factor": pa.array(duration / np.where(median > 0, median, np.nan), pa.float64(), from_pandas=True),
        "cost_us": pa.array((duration - median) / 1000.0),
    }
    return pa.table(columns)


def by_shape(kernels: Kernels, member: Member) -> pa.Table:
    """Figures of one operator per (shape, core), largest sum first."""
    order = details_of.chosen(kernels, "name", -1, member, Filter())
    shapes, cores = kernels.text["shape"], kernels.text["core"]
    width = max(len(cores.words), 1)
    combined = shapes.codes[order].astype(np.int64) * width + cores.codes[order]
    keys, first, number, count = np.unique(combined, return_index=True, return_inverse=True, return_counts=True)
    duration, unit = kernels.ticks[order], kernels.ticks_per_us
    total, low, high = (
        np.zeros(len(keys), np.int64),
        np.full(len(keys), np.iinfo(np.int64).max),
        np.zeros(len(keys), np.int64),
    )
    np.add.at(total, number, duration)
    np.minimum.at(low, number, duration)
    np.maximum.at(high, number, duration)
    ranked = np.lexsort((first, -total))
    at = order[first[ranked]]
    total, low, high, count = total[ranked], low[ranked], high[ranked], count[ranked].astype(np.int64)
    sizes = [insight.elements(text) for text in shapes.at(at).to_pylist()]
    cost = [
        t * 1000 / unit / c / s if s else None for t, c, s in zip(total.tolist(), count.tolist(), sizes, strict=True)
    ]
    cheapest = min((c for c in cost if c), default=None)
    columns = {
        "shape": shapes.at(at),
        "core": cores.at(at),
        "count": pa.array(count),
        "sum_us": groups_of.us(groups_of.hundredths(total, unit)),
        "avg_us": groups_of.us(groups_of.rounded(total, unit // 100 * count)),
        "min_us": groups_of.us(groups_of.hundredths(low, unit)),
        "max_us": groups_of.us(groups_of.hundredths(high, unit)),
        "elements": pa.array(sizes, pa.int64()),
        "ns_per_element": pa.array(cost, pa.float64()),
        "ratio_to_cheapest": pa.array(
            [c / cheapest if c is not None and cheapest else None for c in cost], pa.float64()
        ),
    }
    return pa.table(columns)


def pipes(kernels: Kernels, group: Group, top: int) -> pa.Table:
    """Busy shares of the pipes per group."""
    groups = groups_of.grouped(kernels, group)
    found = insight.pipe_shares(kernels, groups)
    chosen = groups_of.top_limited(np.arange(len(groups)), top)
    figures = groups_of.statistics(groups, chosen)
    columns = {
        **groups_of.texts(kernels, groups, chosen),
        "count": figures["count"],
        "sum_us": figures["sum_us"],
        "bound_by": pa.array([found.bound_by[g] for g in chosen], pa.string()),
        "bound_kind": pa.array([found.bound_kind[g] for g in chosen], pa.string()),
        "bound_ratio": pa.array(found.bound_ratio[chosen], pa.float64(), from_pandas=True),
    }
    for name in found.columns:
        columns[name] = pa.array(found.ratio[name][chosen], pa.float64(), from_pandas=True)
    return pa.table(columns)


def left_out(kernels: Kernels) -> str:
    """That the files hold kernels of other devices, which no figure counts; empty when they do not."""
    if not kernels.other_devices:
        return ""
    others = "1 kernel" if kernels.other_devices == 1 else f"{kernels.other_devices:,} kernels"
    return f"All figures are those of device {kernels.device}, without {others} of other devices in the same files."


def what_is_missing(kernels: Kernels, level: str, source: Source | None) -> tuple[str, str]:
    """Why columns are not there and which switch of the collector gives them; empty when all are."""
    if kernels.is_communication.all():
        return f"Card {kernels.card} has communication operators only.", ""
    info = source.extra("profiler_info") if source is not None else None
    used = rank_info.read_info(info) if info is not None else rank_info.ProfilerInfo()
    if level == "l0":
        was = f" (collected at {used.level})" if used.level else ""
        return (
            f"The kernels tell no shapes{was}.",
            "Collect at profiler_level Level1 or above to see operator types, shapes, data types and formats.",
        )
    if not kernels.pmu:
        was = f" (collected with aic_metrics={used.aic_metrics})" if used.aic_metrics else ""
        return (
            f"The kernels have no PMU columns{was}.",
            "Collect at profiler_level Level1 or above with aic_metrics, for example PipeUtilization.",
        )
    return "", ""
