"""Memory of two cards side by side: allocations in pairs, components, static graphs, curves. All joins are `engine.compare`."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine import compare
from insight_desktop.engine.capture import Array
from insight_desktop.engine.system import memory_curve, memory_operators, memory_static
from insight_desktop.engine.system.memory_time import CardMemory
from insight_desktop.errors import BadArgument, NoData

IN_COMPARISON, IN_BASELINE = " in Comparison", " in Baseline"
_TIMES = ("alloc_ms", "release_ms")


def operators(ours: pa.Table, base: pa.Table) -> pa.Table:
    """Allocations of equal names in pairs, the i-th with the i-th in file order, by name; `compare.keyed` tells the columns.

    A difference has no stream, so `stream` is empty.

    Args:
        ours, base: as `memory_operators.of` gives them.
    """
    found = compare.keyed(ours, base, ["name"], memory_operators.NUMBERS, carry=["row", "stream"], nth=True)
    return found.append_column("stream", pa.array([""] * found.num_rows, pa.string()))


def components(ours: pa.Table, base: pa.Table) -> pa.Table:
    """Peaks of components: component, then peak_mb and t_ms as `compare.keyed` gives them."""
    return compare.keyed(ours, base, ["component"], ["peak_mb", "t_ms"])


def static_operators(ours: pa.Table, base: pa.Table) -> pa.Table:
    """Operators of static graphs in pairs by name, with the differences of nodes and sizes."""
    values = ["start_node", "end_node", "size_mb"]
    found = compare.keyed(ours, base, ["name"], values, carry=["device"], nth=True)
    return found.append_column("device", pc.fill_null(found["device_comparison"], ""))


def static_curve(ours: pa.Table | None, base: pa.Table | None) -> pa.Table:
    """Both curves by node: node, size_mb_comparison, size_mb_baseline, total_mb_comparison, total_mb_baseline.

    None stands for a side without the graph: its columns are null at every node.
    """
    sides = [memory_static.CURVE.empty_table() if side is None else side for side in (ours, base)]
    found = compare.keyed(sides[0], sides[1], ["node"], [], carry=["size_mb", "total_mb"])
    return found.drop_columns(["in_comparison", "in_baseline"])


def curve(
    ours: CardMemory, base: CardMemory, group: memory_curve.Group, interval_ms: tuple[float | None, float | None], limit: int
) -> pa.Table:  # fmt: skip
    """Points of both cards on axes that begin at their own zero, in the columns of `memory_curve.POINT`.

    Lines of the comparison come first; every card is sampled for itself, so the peaks of both stay.
    """
    if group == "stream":
        raise BadArgument("Streams of two cards cannot be compared.", fix="Group by overall or component.")
    parts, legends, counts = [], [], [0, 0]
    for memory, word in ((ours, IN_COMPARISON), (base, IN_BASELINE)):
        start, stop = (None if ms is None else memory.base_ns + round(ms * 1e6) for ms in interval_ms)
        found = memory_curve.points(memory_curve.of(memory, group), memory, start, stop, limit)
        facts = memory_curve.notes(found)
        counts = [counts[0] + facts.rows, counts[1] + facts.shown]
        legends += [legend + word for legend in facts.legends]
        names = pa.array([legend + word for legend in facts.legends], pa.string())
        parts.append((found, names))
    return memory_curve.merged(parts, memory_curve.Notes(tuple(legends), *counts))


def chosen(
    found: pa.Table,
    *,
    name: str | None = None,
    min_size: float | None = None,
    max_size: float | None = None,
    interval_ms: tuple[float | None, float | None] = (None, None),
    only_inside: bool = False,
) -> Array | None:
    """Which pairs of allocations pass all filters, as positions in order; None for all.

    Args:
        found: what `operators` gave.
        name: part of the name, either case.
        min_size, max_size: bounds of the difference in KB.
        interval_ms: both sides are alive in it; a side that is not there is alive throughout.
        only_inside: both sides are allocated or released in it.
    """
    masks = _common(found, name, "size_kb", min_size, max_size)
    if interval_ms != (None, None):
        masks += [
            _side_in_interval(found, suffix, interval_ms, only_inside)
            for suffix in (compare.COMPARISON, compare.BASELINE)
        ]
    return np.flatnonzero(np.logical_and.reduce(masks)) if masks else None


def static_chosen(
    found: pa.Table,
    *,
    name: str | None = None,
    min_size: float | None = None,
    max_size: float | None = None,
    nodes: tuple[float | None, float | None] = (None, None),
) -> Array | None:
    """Which pairs of static operators pass, as `chosen`; the bounds hold for the difference in MB, the nodes for both sides."""
    masks = _common(found, name, "size_mb", min_size, max_size)
    if nodes != (None, None):
        for suffix in (compare.COMPARISON, compare.BASELINE):
            masks.append(memory_static.touches(found[f"start_node{suffix}"], found[f"end_node{suffix}"], *nodes))
    return np.flatnonzero(np.logical_and.reduce(masks)) if masks else None


def bounds(ours: tuple[float, float] | None, base: tuple[float, float] | None) -> tuple[float, float]:
    """Smallest and largest difference that two ranges of sizes allow; a side without rows counts as 0."""
    low, high = ours or (0.0, 0.0), base or (0.0, 0.0)
    return low[0] - high[1], low[1] - high[0]


def graph_or_none(memory: CardMemory, graph_id: str | None) -> pa.Table | None:
    """The static curve, None where the card has no such graph."""
    try:
        return memory_static.curve(memory, graph_id)
    except (NoData, BadArgument):
        return None


def rows_or_none(memory: CardMemory, graph_id: str | None) -> pa.Table | None:
    """The operators of a static graph, None where the card has no such graph."""
    try:
        return memory_static.operators(memory, graph_id)
    except (NoData, BadArgument):
        return None


def _common(found: pa.Table, name: str | None, size: str, low: float | None, high: float | None) -> list[Array]:
    masks = []
    if name and name.strip():
        masks.append(memory_operators.has_name(found["name"], name))
    if low is not None or high is not None:
        masks.append(memory_operators.in_range(found, size, low, high))
    return masks


def _side_in_interval(
    found: pa.Table, suffix: str, interval: tuple[float | None, float | None], only_inside: bool
) -> Array:
    start = -np.inf if interval[0] is None else interval[0]
    stop = np.inf if interval[1] is None else interval[1]
    memory_operators.check_bounds(start, stop)
    alloc, release = (found[f"{name}{suffix}"] for name in _TIMES)
    first, last = (np.asarray(pc.fill_null(column, 0.0)) for column in (alloc, release))
    if only_inside:
        return ((start <= first) & (first <= stop)) | ((start <= last) & (last <= stop))
    return (np.asarray(release.is_null()) | (last >= start)) & (first <= stop)
