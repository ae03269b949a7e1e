"""Static graphs: the memory plan that the compiler made, as a curve over the nodes and as rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.rounding import half_away
from insight_desktop.engine.system import memory_operators
from insight_desktop.engine.system.memory_time import CardMemory
from insight_desktop.errors import BadArgument, NoData

TABLE = "static_memory"
TOTAL = "TOTAL"
UNTIL_END = 4294967295  # as end of an operator: it is needed until the graph ends
CURVE = pa.schema([("node", pa.int64()), ("size_mb", pa.float64()), ("total_mb", pa.float64())])


def whole(memory: CardMemory) -> pa.Table:
    """All rows of the card's static graphs; the plan belongs to the host, so the device does not choose rows.

    Where models use the same graph id, that of the second and later ones has their model behind it: `1 (model)`.
    """
    return _apart(memory.rows_of_all_devices(TABLE))


def _apart(rows: pa.Table) -> pa.Table:
    """Rows with a graph id of its own for each model. A TOTAL of a model without operators stays with the plain id."""
    models: dict[str, list[str]] = {}
    columns = (rows[name].to_pylist() for name in ("graph_id", "model", "name"))
    for graph_id, model in dict.fromkeys((g, m) for g, m, name in zip(*columns, strict=True) if name != TOTAL):
        models.setdefault(graph_id, []).append(model)
    if all(len(names) == 1 for names in models.values()):
        return rows
    ids = rows["graph_id"].cast(pa.string()).combine_chunks()
    for graph_id, later in models.items():
        for model in later[1:]:
            mine = pc.and_(pc.equal(rows["graph_id"], graph_id), pc.equal(rows["model"], model)).combine_chunks()
            ids = pc.if_else(mine, f"{graph_id} ({model})", ids)
    return rows.set_column(rows.column_names.index("graph_id"), "graph_id", ids)


def graphs(memory: CardMemory) -> pa.Table:
    """Graphs in file order: graph_id, model, operators, total_mb (null when the file has no TOTAL row)."""
    found: dict[str, dict[str, object]] = {}
    counts: dict[str, int] = {}
    columns = whole(memory).select(["graph_id", "model", "name", "size_kb"])
    for graph_id, model, name, size in zip(*(columns[c].to_pylist() for c in columns.column_names), strict=True):
        graph = found.setdefault(graph_id, {"graph_id": graph_id, "model": model, "total_mb": None})
        counts[graph_id] = counts.get(graph_id, 0) + (name != TOTAL)
        if name == TOTAL and size is not None and graph["total_mb"] is None:
            graph["total_mb"] = float(half_away([size / 1024], 2)[0])
    rows = [{**graph, "operators": counts[graph_id]} for graph_id, graph in found.items()]
    kinds = {"graph_id": pa.string(), "model": pa.string(), "operators": pa.int64(), "total_mb": pa.float64()}
    return pa.Table.from_pylist(rows, pa.schema(list(kinds.items())))


def of_graph(memory: CardMemory, graph_id: str | None) -> tuple[str, pa.Table]:
    """The graph of that id, or the first one, with all its rows.

    Raises NoData when the card has no static graph, BadArgument for an unknown id.
    """
    rows = whole(memory)
    known = list(dict.fromkeys(rows["graph_id"].to_pylist()))
    if not known:
        raise NoData(f"Card {memory.card} has no static graph.", fix="Static graphs come with static_op_mem.csv.")
    chosen = known[0] if graph_id is None else graph_id
    if chosen not in known:
        raise BadArgument(f"Card {memory.card} has no graph {chosen!r}.", fix=f"Graphs: {', '.join(known)}.")
    return chosen, rows.filter(pc.equal(rows["graph_id"], chosen))


def curve(memory: CardMemory, graph_id: str | None) -> pa.Table:
    """Memory by node: node, size_mb (what the operators need from this node on), total_mb (reserved in all).

    An operator without an end is drawn to the node behind the last one. Raises NoData for a graph without a TOTAL row.
    """
    chosen, rows = of_graph(memory, graph_id)
    is_total = np.asarray(pc.equal(rows["name"].cast(pa.string()), TOTAL))
    if not is_total.any():
        raise NoData(
            f"Graph {chosen} of card {memory.card} has no TOTAL row; its operators are in the table.",
            fix="Collect again, or choose another graph.",
        )
    size = pc.fill_null(rows["size_kb"], 0.0).to_numpy()
    total = float(half_away(size[is_total][:1] / 1024, 2)[0])
    used = ~is_total & (size != 0)
    start, end = (pc.fill_null(rows[name], 0).to_numpy()[used] for name in ("start_node", "end_node"))
    size = size[used]
    if not len(size):
        return CURVE.empty_table()
    is_open = end == UNTIL_END
    last = max(int(start.max()), int(end[~is_open].max(initial=0)))
    nodes, place = np.unique(np.r_[start, np.where(is_open, last + 1, end)], return_inverse=True)
    change = np.bincount(place, np.r_[size, -size], len(nodes))
    needed = half_away(
        half_away(np.cumsum(change), 6) / 1024, 2
    )  # the sum of doubles would leave −0.0000001 at the end
    return pa.table([pa.array(nodes), pa.array(needed), pa.array(np.full(len(nodes), total))], schema=CURVE)


def operators(memory: CardMemory, graph_id: str | None) -> pa.Table:
    """Operators of a graph in file order: row, device, name, start_node, end_node, size_mb, size_kb, graph_id, model."""
    _, rows = of_graph(memory, graph_id)
    rows = rows.filter(pc.not_equal(rows["name"].cast(pa.string()), TOTAL))
    size = half_away(pc.divide(rows["size_kb"], 1024.0), 2)
    return rows.select(["row", "device", "name", "start_node", "end_node"]).append_column(
        "size_mb", pa.array(size)
    ).append_column("size_kb", rows["size_kb"]).append_column("graph_id", rows["graph_id"]).append_column("model", rows["model"])  # fmt: skip


def filtered(
    found: pa.Table,
    *,
    name: str | None = None,
    min_kb: float | None = None,
    max_kb: float | None = None,
    from_node: int | None = None,
    to_node: int | None = None,
) -> pa.Table:
    """Operators whose name holds a text, whose raw size is inside the bounds, and that begin or end inside the nodes."""
    masks = []
    if name and name.strip():
        masks.append(memory_operators.has_name(found["name"], name))
    if min_kb is not None or max_kb is not None:
        if min_kb is not None and max_kb is not None and min_kb > max_kb:
            raise BadArgument("The maximum size cannot be smaller than the minimum size.", fix="Swap them.")
        masks.append(memory_operators.in_range(found, "size_kb", min_kb, max_kb))
    if from_node is not None or to_node is not None:
        masks.append(touches(found["start_node"], found["end_node"], from_node, to_node))
    return found if not masks else found.filter(pa.array(np.logical_and.reduce(masks)))


def touches(start: pa.ChunkedArray, end: pa.ChunkedArray, low: float | None, high: float | None) -> np.ndarray:
    """Which operators begin or end inside a range of nodes; one that only spans it does not count."""
    low = -np.inf if low is None else low
    high = np.inf if high is None else high
    memory_operators.check_bounds(low, high)
    ends = [pc.fill_null(e, 0).to_numpy() for e in (start, end)]
    return np.logical_or(*((low <= e) & (e <= high) for e in ends))
