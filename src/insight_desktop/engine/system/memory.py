"""Named queries of the memory of a card: curves, peaks, allocations, components, static graphs, two cards compared.

Times `*_ns` are raw; `*_ms` count from the card's base (see `facts`), three decimals. MB and KB are of 1024² and 1024 bytes.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine import tables
from insight_desktop.engine.rounding import half_away
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import (
    memory_compare,
    memory_curve,
    memory_operators,
    memory_static,
    memory_tables,
    memory_time,
    timeline,
)
from insight_desktop.engine.system.memory_curve import Notes, notes
from insight_desktop.engine.system.memory_operators import total
from insight_desktop.engine.timeline import search
from insight_desktop.errors import NoData
from insight_desktop.schema import ROLE_ASYNC, ROLE_OTHER, ROLE_PYTHON_STACK, ROLE_THREAD

__all__ = ["Notes", "notes", "peak_title", "total"]

Group = memory_curve.Group
LEAST_PEAK_MB = 100.0  # components that never reserve that much are not listed
_TABLES = ("memory_record", "operator_memory", "module_memory", "app_memory", "static_memory")
_HOST = (ROLE_THREAD, ROLE_PYTHON_STACK, ROLE_ASYNC, ROLE_OTHER)
_TEXTS = pa.list_(pa.string())
_FACTS = {
    "card": pa.string(), "memory_type": pa.string(), "resource_type": pa.string(), "device": pa.int32(),
    "device_from": pa.string(), "base_ns": pa.int64(), "base_from": pa.string(), "first_ns": pa.int64(),
    "last_ns": pa.int64(), "groups": _TEXTS, "records": pa.int64(), "operators": pa.int64(), "read": _TEXTS,
    "missing": _TEXTS, "message": pa.string(), "fix": pa.string(),
}  # fmt: skip
_COMPONENT = {"component": pa.string(), "peak_mb": pa.float64(), "t_ms": pa.float64(), "ts_ns": pa.int64()}


def facts(store: Store, *, card: str | None = None) -> pa.Table:
    """What is known of a card's memory, one row.

    memory_type is static (it has static graphs) or dynamic; resource_type MindSpore or Pytorch; device and device_from (card,
    or the table whose first row told it, and tables that tell another device and count all the same); base_ns and base_from; first_ns and last_ns of the records; groups that have a curve;
    records and operators of the device; read (files), missing (files); message and fix when there is nothing to show.
    """
    memory = memory_time.of_card(store, card)
    origins = {name: tables.sources(store, memory.card, name) for name in _TABLES}
    summary = memory_curve.summary(memory)
    static, operators = origins["static_memory"].rows, memory.rows("operator_memory", ["row"]).num_rows
    groups = memory_curve.groups(memory)
    message, fix = "", ""
    if not (static or operators or groups or memory.rows("module_memory", ["row"]).num_rows):
        message, fix = origins["memory_record"].message, origins["memory_record"].fix
        if origins["memory_record"].rows:
            message = f"The memory files of card {memory.card} have no rows of device {memory.device}."
            fix = "Choose another device for the card."
    row = {
        "card": memory.card,
        "memory_type": "static" if static else "dynamic",
        "resource_type": "MindSpore" if "MindSpore" in summary.components else "Pytorch",
        "device": memory.device,
        "device_from": _device_from(store, memory),
        "base_ns": memory.base_ns,
        "base_from": memory.base_from,
        "first_ns": summary.first_ns,
        "last_ns": summary.last_ns,
        "groups": groups,
        "records": summary.records,
        "operators": operators,
        "read": list(dict.fromkeys(name for origin in origins.values() for name in origin.read)),
        "missing": list(dict.fromkeys(name for origin in origins.values() for name in origin.missing)),
        "message": message,
        "fix": fix,
    }
    return pa.Table.from_pylist([row], pa.schema(list(_FACTS.items())))


def _device_from(store: Store, memory: memory_time.CardMemory) -> str:
    others = [
        f"{table} tells {min(memory_tables.devices(store, memory.card, table))}"
        for table in ("memory_record", "operator_memory", "module_memory")
        if memory_tables.counted(store, memory.card, table, memory.device) != memory.device
    ]
    return "; ".join([memory.device_from, *others])


def sources(store: Store, *, card: str | None = None) -> pa.Table:
    """Where the parts of the page come from: table, rows, read (files), missing (files), message and fix when it is empty."""
    name = store.card(card).name
    found = [(table, tables.sources(store, name, table)) for table in _TABLES]
    columns = ("rows", "read", "missing", "message", "fix")
    rows = [{"table": table, **{c: getattr(origin, c) for c in columns}} for table, origin in found]
    kinds = {"table": pa.string(), "rows": pa.int64(), "read": _TEXTS, "missing": _TEXTS}
    return pa.Table.from_pylist(rows, pa.schema([*kinds.items(), ("message", pa.string()), ("fix", pa.string())]))


def curve(
    store: Store,
    *,
    card: str | None = None,
    group: Group = "overall",
    from_ns: int | None = None,
    to_ns: int | None = None,
    points: int = 0,
) -> pa.Table:
    """Points of the lines, line by line in time order: series, ts_ns, value_mb, t_ms.

    from_ns and to_ns are inside the window. With points a window of more records keeps, per bucket of ceil(records / points)
    records and per line, those of the first minimum and the first maximum. `notes` tells legends and counts.
    """
    memory = memory_time.of_card(store, card)
    return memory_curve.points(memory_curve.of(memory, group), memory, from_ns, to_ns, points)


def peaks(store: Store, *, card: str | None = None, group: Group = "overall") -> pa.Table:
    """Largest value of every line over the whole card and its first time: series, peak_mb, ts_ns, t_ms."""
    memory = memory_time.of_card(store, card)
    return memory_curve.peaks(memory_curve.of(memory, group), memory)


def peak_title(found: pa.Table, group: Group) -> str:
    """The line above the chart from what `peaks` gave; empty for streams."""
    return memory_curve.title(found, group)


def operators(
    store: Store,
    *,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    only_inside: bool = False,
    name: str | None = None,
    min_kb: float | None = None,
    max_kb: float | None = None,
    ranges: str | None = None,
    group: memory_operators.Grouping = "overall",
    sort: str | None = None,
    descending: bool = False,
    limit: int | None = None,
    offset: int = 0,
) -> pa.Table:
    """Allocations: name, size_kb, alloc_ms, release_ms, … as shown, then the raw times; in file order or by a column.

    from_ns and to_ns keep what is alive in the interval, with only_inside what is allocated or released in it. name is part of
    the name, either case; min_kb and max_kb bound size_kb; ranges bounds further columns (`duration_ms=0.5..10; release_ms=..3`).
    Null in release_ms or active_release_ms: not released within the collection; it is sorted after all times and is in no range.
    group stream keeps allocations with a stream. limit and offset take a page of the rows; `total` tells how many there are.
    """
    memory = memory_time.of_card(store, card)
    found = memory_operators.of(memory)
    bounds = memory_operators.parse_ranges(ranges)
    if min_kb is not None or max_kb is not None:
        memory_operators.check_bounds(min_kb, max_kb)
        bounds["size_kb"] = (min_kb, max_kb)
    rows = memory_operators.chosen(
        found, interval_ns=(from_ns, to_ns), only_inside=only_inside, name=name, ranges=bounds, group=group
    )
    key = ("operators", *memory.key(memory_operators.TABLE))
    return memory_operators.page(found, rows, sort, descending, limit, offset, key)


def sizes(
    store: Store,
    *,
    card: str | None = None,
    what: Literal["operators", "static"] = "operators",
    graph_id: str | None = None,
    base: str | None = None,
) -> pa.Table:
    """Bounds of the sizes, to fill in a filter: min_kb, max_kb, prefill_min, prefill_max (whole numbers around them).

    what static takes the operators of a static graph, of all graphs without graph_id. With base, another card, the bounds are
    those of the differences. Null without rows.
    """
    ours = _bounds(memory_time.of_card(store, card), what, graph_id)
    if base is not None:
        ours = memory_compare.bounds(ours, _bounds(memory_time.of_card(store, base), what, graph_id))
    low, high = ours or (None, None)
    row = {
        "min_kb": low,
        "max_kb": high,
        "prefill_min": None if low is None else math.floor(low),
        "prefill_max": None if high is None else math.ceil(high),
    }
    kinds = {"min_kb": pa.float64(), "max_kb": pa.float64(), "prefill_min": pa.int64(), "prefill_max": pa.int64()}
    return pa.Table.from_pylist([row], pa.schema(list(kinds.items())))


def components(store: Store, *, card: str | None = None) -> pa.Table:
    """Modules of driver and CANN whose peak is 100 MB or more, by name: component, peak_mb, t_ms, ts_ns of its first time."""
    return _components(memory_time.of_card(store, card))


def static_graphs(store: Store, *, card: str | None = None) -> pa.Table:
    """Static graphs in file order: graph_id, model, operators, total_mb."""
    return memory_static.graphs(memory_time.of_card(store, card))


def static_graph(store: Store, *, card: str | None = None, graph_id: str | None = None) -> pa.Table:
    """Memory of a static graph by node: node, size_mb, total_mb; the first graph without graph_id.

    Raises NoData when the graph has no TOTAL row.
    """
    return memory_static.curve(memory_time.of_card(store, card), graph_id)


def static_operators(
    store: Store,
    *,
    card: str | None = None,
    graph_id: str | None = None,
    name: str | None = None,
    min_kb: float | None = None,
    max_kb: float | None = None,
    from_node: int | None = None,
    to_node: int | None = None,
    sort: str | None = None,
    descending: bool = False,
) -> pa.Table:
    """Operators of a static graph: row, device, name, start_node, end_node, size_mb, size_kb, graph_id, model.

    min_kb and max_kb bound the size as recorded; from_node and to_node keep operators that begin or end inside.
    """
    found = memory_static.operators(memory_time.of_card(store, card), graph_id)
    found = memory_static.filtered(found, name=name, min_kb=min_kb, max_kb=max_kb, from_node=from_node, to_node=to_node)
    return memory_operators.ordered(found, sort, descending)


def find_slice(store: Store, *, card: str | None = None, row: int) -> pa.Table:
    """The host slice that made an allocation, one row with the columns of `system.timeline.slices`.

    row is the number in the column row of `operators`. Of the slices with the operator's name that run at its allocation, the
    one that begins last is taken. Raises NoData when there is none.
    """
    memory = memory_time.of_card(store, card)
    found = memory_operators.of(memory)
    found = found.filter(pc.equal(found["row"], row))
    if not found.num_rows:
        raise NoData(f"Card {memory.card} has no allocation {row}.", fix="Reload the table.")
    name, at = found["name"][0].as_py(), found["alloc_ns"][0].as_py()
    if at is not None:
        slices = timeline.slices(store, card=memory.card, name=name, from_ns=at, to_ns=at)
        capture = store.capture(memory.card)
        tracks = search.tracks_of(capture, np.asarray(slices["id"]))
        roles = capture.tracks["role"].take(pa.array(tracks)).to_pylist()
        host = [i for i, role in enumerate(roles) if role in _HOST]
        if host:
            return slices.take([host[-1]])  # by start: the last one is the innermost
    raise NoData(f"No slice {name!r} of card {memory.card} runs at this allocation.", fix="Search for the name.")


def compare(
    store: Store,
    *,
    card: str,
    base: str,
    what: Literal["curve", "operators", "components", "static", "static_graph"] = "operators",
    group: Group = "overall",
    graph_id: str | None = None,
    name: str | None = None,
    min_size: float | None = None,
    max_size: float | None = None,
    start: float | None = None,
    stop: float | None = None,
    only_inside: bool = False,
    points: int = 0,
    sort: str | None = None,
    descending: bool = False,
    limit: int | None = None,
    offset: int = 0,
) -> pa.Table:
    """A card against the baseline: a difference (card − base) under the plain name, `_comparison` and `_baseline` for the sides.

    what is operators (pairs of equal names in file order), components, static (operators of a static graph, in pairs),
    static_graph (both curves by node) or curve (points of both; legends end with `in Comparison`, `in Baseline`).
    start and stop are ms of the axis, for static nodes; both sides have to meet them. min_size and max_size bound the difference
    of the sizes, in KB for operators and in MB for static. limit and offset take a page; `total` tells how many rows there are.
    """
    ours, other = memory_time.of_card(store, card), memory_time.of_card(store, base)
    if what == "curve":
        return memory_compare.curve(ours, other, group, (start, stop), points)
    if what == "static_graph":
        sides = [memory_compare.graph_or_none(memory, graph_id) for memory in (ours, other)]
        return memory_compare.static_curve(*sides)
    bounds: dict[str, Any] = {"name": name, "min_size": min_size, "max_size": max_size}
    rows = None
    if what == "components":
        found = memory_compare.components(_components(ours), _components(other))
    elif what == "static":
        found = _static_pairs(ours, other, graph_id)
        rows = memory_compare.static_chosen(found, nodes=(start, stop), **bounds)
    else:
        found = _operator_pairs(ours, other)
        rows = memory_compare.chosen(found, interval_ms=(start, stop), only_inside=only_inside, **bounds)
    table = {"components": "module_memory", "static": "static_memory"}.get(what, "operator_memory")
    key = ("pairs", what, graph_id, ours.key(table), other.key(table))
    return memory_operators.page(found, rows, sort, descending, limit, offset, key)


def _components(memory: memory_time.CardMemory) -> pa.Table:
    found = memory.rows("module_memory", ["component", "ts_ns", "reserved_mb"])
    found = found.filter(pc.and_(found["ts_ns"].is_valid(), pc.greater_equal(found["reserved_mb"], LEAST_PEAK_MB)))
    rows = []
    for name in sorted(pc.unique(found["component"].cast(pa.string())).to_pylist()):
        mine = found.filter(pc.equal(found["component"].cast(pa.string()), name))
        peak = pc.max(mine["reserved_mb"]).as_py()
        first = pc.min(mine.filter(pc.equal(mine["reserved_mb"], peak))["ts_ns"]).as_py()
        shown = float(half_away([peak], 2)[0])
        rows.append(
            {"component": name, "peak_mb": shown, "t_ms": float(memory.ms(np.array([first]))[0]), "ts_ns": first}
        )
    return pa.Table.from_pylist(rows, pa.schema(list(_COMPONENT.items())))


def _operator_pairs(ours: memory_time.CardMemory, base: memory_time.CardMemory) -> pa.Table:
    key = ("pairs", ours.key("operator_memory"), base.key("operator_memory"))
    return memory_tables.kept.get(
        key,
        lambda: memory_compare.operators(memory_operators.of(ours), memory_operators.of(base)),
        lambda found: found.nbytes,
    )


def _static_pairs(ours: memory_time.CardMemory, base: memory_time.CardMemory, graph_id: str | None) -> pa.Table:
    sides = [memory_compare.rows_or_none(memory, graph_id) for memory in (ours, base)]
    if sides[0] is None and sides[1] is None:
        raise NoData("Neither card has this static graph.", fix="Choose another graph.")
    known = [side for side in sides if side is not None]
    return memory_compare.static_operators(*(known[0].slice(0, 0) if side is None else side for side in sides))


def _bounds(memory: memory_time.CardMemory, what: str, graph_id: str | None) -> tuple[float, float] | None:
    if what == "operators":
        return memory_operators.bounds(memory_operators.of(memory))
    rows = memory_static.whole(memory)
    rows = rows.filter(pc.not_equal(rows["name"].cast(pa.string()), memory_static.TOTAL))
    if graph_id is not None:
        rows = rows.filter(pc.equal(rows["graph_id"], graph_id))
    return memory_operators.bounds(rows)
