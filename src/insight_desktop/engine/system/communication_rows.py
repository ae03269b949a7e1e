"""Rows of the Communication page from the tables of a cluster: durations, bars of the thumbnails, links, bandwidths."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.cluster import Cluster
from insight_desktop.engine.rounding import half_away
from insight_desktop.engine.system.communication_groups import Listed
from insight_desktop.ingest.formats.cluster_rank import TOTAL

DIGITS = 4
_TIMES = {
    "elapse_ms": "elapse_ms", "transit_ms": "transit_ms", "sync_ms": "synchronization_ms", "wait_ms": "wait_ms",
    "idle_ms": "idle_ms",
}  # fmt: skip
_CHILDREN = ("HCCS", "PCIE", "SIO")
_Numbers = npt.NDArray[np.float64]


def durations(
    cluster: Cluster, step: str, group: Listed, *, rank: int | None = None, name: str | None = None
) -> pa.Table:
    """Operators with their times, ratios and the bandwidths of SDMA and RDMA, longest first; all numbers as stored.

    Args:
        cluster: the job.
        step: step as text.
        group: which group.
        rank: one rank; all when None.
        name: one operator; all but the sum when None.
    """
    wanted: dict[str, Any] = {"step": step, "group_no": group.no, "rank": rank, "name": name}
    rows = cluster.table("cluster_time", **wanted)
    if name is None:
        rows = rows.filter(pc.not_equal(rows["name"], TOTAL))
    links = cluster.table("cluster_bandwidth", **wanted)
    columns: dict[str, Any] = {"rank": rows["rank"], "name": rows["name"], "start_ns": rows["start_ns"]}
    values = {key: _filled(rows[source]) for key, source in _TIMES.items()}
    columns |= values
    columns["sync_ratio"] = ratio(values["sync_ms"], values["transit_ms"])
    columns["wait_ratio"] = ratio(values["wait_ms"], values["transit_ms"])
    for transport in ("SDMA", "RDMA"):
        of_key = _largest(links.filter(pc.equal(links["transport"], transport)))
        pairs = [
            of_key.get(key, (0.0, 0.0)) for key in zip(rows["rank"].to_pylist(), rows["name"].to_pylist(), strict=True)
        ]
        columns[f"{transport.lower()}_gbs"] = np.array([p[0] for p in pairs], np.float64)
        columns[f"{transport.lower()}_ms"] = np.array([p[1] for p in pairs], np.float64)
    found = pa.table(columns)
    return found.sort_by([("elapse_ms", "descending"), ("rank", "ascending"), ("start_ns", "ascending")])


def rounded(table: pa.Table, digits: int = DIGITS) -> pa.Table:
    """All real columns rounded half away from zero."""
    columns = {
        f.name: pa.array(half_away(table[f.name], digits), from_pandas=True)
        if pa.types.is_floating(f.type)
        else table[f.name]
        for f in table.schema
    }
    return pa.table(columns)


def ratio(part: _Numbers, transit: _Numbers) -> _Numbers:
    """part / (part + transit); 0 where both are 0."""
    whole = part + transit
    return np.divide(part, whole, out=np.zeros_like(whole), where=np.abs(whole) >= 1e-15)


def bars(cluster: Cluster, step: str, group: Listed, name: str, align: str | None) -> pa.Table:
    """Bars of the thumbnails: rank, name, start_ns, duration_ns, shift_ns (already inside start_ns).

    Ranks whose data do not overlap in time are moved together; `align` then moves each rank so that the first operator of that name
    ends on all of them with the latest.
    """
    rows = cluster.table("cluster_time", step=step, group_no=group.no, name=None if name == TOTAL else name)
    rows = rows.filter(pc.and_(pc.not_equal(rows["name"], TOTAL), pc.is_valid(rows["start_ns"])))
    ranks = rows["rank"].to_numpy()
    start = rows["start_ns"].to_numpy().astype(np.int64)
    length = np.array([whole_ns(value) for value in rows["elapse_ms"].to_pylist()], np.int64)
    shift = np.zeros(len(start), np.int64)
    shifts = overlap_shifts({int(r): _span(start, length, ranks == r) for r in np.unique(ranks)})
    for rank, amount in shifts.items():
        shift[ranks == rank] = amount
    if align is not None:
        shift += _aligned(rows["name"].to_pylist(), ranks, start + shift, length, align)
    found = pa.table(
        {
            "rank": rows["rank"],
            "name": rows["name"],
            "start_ns": start + shift,
            "duration_ns": length,
            "shift_ns": shift,
        }
    )
    return found.sort_by([("rank", "ascending"), ("start_ns", "ascending")])


def whole_ns(milliseconds: float | None) -> int:
    """ms to ns by the decimal that the double is written as, truncated."""
    return int(Decimal(repr(milliseconds or 0.0)) * 1_000_000)


def overlap_shifts(spans: dict[int, tuple[int, int]]) -> dict[int, int]:
    """How far each rank is moved right, so that clusters of overlapping or touching spans end together."""
    clusters: list[tuple[int, list[int]]] = []
    for rank, (begin, end) in sorted(spans.items(), key=lambda item: item[1]):
        if clusters and begin <= clusters[-1][0]:
            clusters[-1] = (max(clusters[-1][0], end), [*clusters[-1][1], rank])
        else:
            clusters.append((end, [rank]))
    last = max((end for end, _ in clusters), default=0)
    return {rank: last - end for end, members in clusters for rank in members}


def links(cluster: Cluster, step: str, group: Listed, name: str) -> pa.Table:
    """Links of the matrix between members of the group: src, dst, transport, size_mb, transit_ms, bandwidth_gbs, op_name."""
    rows = cluster.table("cluster_matrix", step=step, group_no=group.no, name=name)
    members = pa.array(group.ranks, pa.int32())
    if len(members):
        rows = rows.filter(pc.and_(pc.is_in(rows["src"], members), pc.is_in(rows["dst"], members)))
    names = ("src", "dst", "transport", "size_mb", "time_ms", "bandwidth_gbs", "op_name")
    found = rows.select(list(names)).rename_columns(["transit_ms" if n == "time_ms" else n for n in names])
    return rounded(found)


def transports(cluster: Cluster, step: str, group: Listed, name: str, rank: int) -> pa.Table:
    """Transports of an operator of a rank: SDMA, its parts, then RDMA; transport, parent, size_mb, transit_ms, and so on."""
    found = {
        row["transport"]: row
        for row in cluster.table("cluster_bandwidth", step=step, group_no=group.no, name=name, rank=rank).to_pylist()
    }
    order = [t for t in ("SDMA", *_CHILDREN, "RDMA") if t in found]
    rows = [
        {
            "transport": t,
            "parent": "SDMA" if t in _CHILDREN else "",
            "size_mb": found[t]["size_mb"],
            "transit_ms": found[t]["time_ms"],
            "bandwidth_gbs": found[t]["bandwidth_gbs"],
            "large_packet_ratio": None if t == "SDMA" else found[t]["large_packet_ratio"],
        }
        for t in order
    ]
    kinds = [("transport", pa.string()), ("parent", pa.string())]
    figures = [(n, pa.float64()) for n in ("size_mb", "transit_ms", "bandwidth_gbs", "large_packet_ratio")]
    return rounded(pa.Table.from_pylist(rows, pa.schema([*kinds, *figures])))


def packets(cluster: Cluster, step: str, group: Listed, name: str, rank: int) -> pa.Table:
    """Packets of an operator of a rank by transport and size: transport, packet_mb, count, duration_ms, bandwidth_gbs."""
    rows = cluster.table("cluster_packet", step=step, group_no=group.no, name=name, rank=rank)
    rows = rows.select(["transport", "packet_mb", "count", "duration_ms"])
    rows = rows.sort_by([("transport", "ascending"), ("packet_mb", "ascending")])
    moved = _filled(rows["packet_mb"]) * rows["count"].to_numpy()
    time = _filled(rows["duration_ms"])
    speed = np.divide(moved, time, out=np.zeros_like(moved), where=time != 0)
    return rows.append_column("bandwidth_gbs", pa.array(half_away(speed, DIGITS)))


def _largest(links_of: pa.Table) -> dict[tuple[int, str], tuple[float, float]]:
    """Bandwidth and time by rank and operator: the largest of several rows."""
    found: dict[tuple[int, str], tuple[float, float]] = {}
    for row in links_of.select(["rank", "name", "bandwidth_gbs", "time_ms"]).to_pylist():
        key = (row["rank"], row["name"])
        old = found.get(key, (0.0, 0.0))
        found[key] = max(old[0], row["bandwidth_gbs"] or 0.0), max(old[1], row["time_ms"] or 0.0)
    return found


def _filled(column: pa.ChunkedArray) -> _Numbers:
    return np.asarray(pc.fill_null(column, 0.0).to_numpy(), np.float64)


def _span(start: npt.NDArray[np.int64], length: npt.NDArray[np.int64], of: npt.NDArray[np.bool_]) -> tuple[int, int]:
    return int(start[of].min()), int((start[of] + length[of]).max())


def _aligned(
    names: Iterable[str],
    ranks: npt.NDArray[Any],
    start: npt.NDArray[np.int64],
    length: npt.NDArray[np.int64],
    name: str,
) -> npt.NDArray[np.int64]:
    """How far each bar moves so that the first operator of this name ends together on all ranks that have it."""
    first: dict[int, int] = {}
    for i, found in enumerate(names):
        if found == name:
            rank = int(ranks[i])
            if rank not in first or start[i] < start[first[rank]]:
                first[rank] = i
    ends = {rank: int(start[i] + length[i]) for rank, i in first.items()}
    last = max(ends.values(), default=0)
    moved = np.zeros(len(start), np.int64)
    for rank, end in ends.items():
        moved[ranks == rank] = last - end
    return moved
