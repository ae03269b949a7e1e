"""Who is slow in a group, and what the whole job's communication suffers from; every rule with its threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.cluster import Cluster
from insight_desktop.engine.cluster_derive import rank_set
from insight_desktop.engine.rounding import half_away
from insight_desktop.engine.system.communication_groups import Listed
from insight_desktop.errors import NoData
from insight_desktop.ingest.formats.cluster_rank import TOTAL

SLOW_SHARE = 0.1  # of the fastest rank's time
SLOW_RANKS, SLOW_OPERATORS = 3, 3
EFFICIENT = 0.8  # average against the best bandwidth
SMALL_MB = {"SDMA": 16.0, "RDMA": 1.0}
SMALL_SHARE = 0.2
RETRANSMISSION_MS = 4000.0
CONTENTION_GBS = 14.4
_UNRANKED = ("send", "receive", "recv", "all2allv", "alltoallv")
_DIGITS = 6


def slow_ranks(rows: pa.Table, group: Listed) -> pa.Table:
    """Ranks that the fastest one waited for, shortest time first: rank, difference_ms, elapse_ms, fastest_rank, fastest_ms.

    Args:
        rows: durations of the group's sum and of its operators (rank, name, elapse_ms).
        group: which group.

    Raises NoData for pipelines and for traffic whose ranks do different things.
    """
    names = [str(name).lower() for name in pc.unique(rows["name"]).to_pylist()]
    if group.pg_name == "pp" or any(word in name for name in names for word in _UNRANKED):
        raise NoData(
            f"Ranks of {group.label} are not compared: they do different things.", fix="Choose a collective group."
        )
    times = _sums(rows)
    found: list[dict[str, Any]] = []
    fastest = _fastest(times)
    if fastest is not None:
        most = times[fastest]
        for rank in sorted(times, key=lambda r: (times[r], r))[:SLOW_RANKS]:
            if len(times) > 1 and most - times[rank] >= SLOW_SHARE * most and most > times[rank]:
                found.append(
                    {
                        "rank": rank, "difference_ms": _ms(most - times[rank]), "elapse_ms": _ms(times[rank]),
                        "fastest_rank": fastest, "fastest_ms": _ms(most),
                    }
                )  # fmt: skip
    return pa.Table.from_pylist(found, _SLOW)


def slow_operators(rows: pa.Table, rank: int) -> pa.Table:
    """Operators in which a rank was shortest against the fastest: index, name, difference_ms, elapse_ms, fastest_ms."""
    fastest = _fastest(_sums(rows))
    own, best = _operators(rows, rank), _operators(rows, fastest)
    differences = sorted(
        ((_us(best[name]) - _us(own[name]), name) for name in own if name in best), key=lambda d: (-d[0], d[1])
    )
    found = [
        {"index": k, "name": name, "difference_ms": _ms(difference / 1000), "elapse_ms": _ms(own[name]), "fastest_ms": _ms(best[name])}
        for k, (difference, name) in enumerate(differences[:SLOW_OPERATORS], 1)
        if difference > 0
    ]  # fmt: skip
    return pa.Table.from_pylist(found, _OPERATORS)


def bandwidths(rows: pa.Table) -> pa.Table:
    """Bandwidth of SDMA and RDMA over the ranks: transport, ranks, time_ms, avg, max, min, diff (GB/s), is_efficient, is_main.

    A transport without traffic is left out. `is_efficient`: the average is at least EFFICIENT of the best, so the links are the limit;
    `is_main`: more time goes there than over the other (a tie goes to SDMA).
    """
    found: list[dict[str, Any]] = []
    for transport in ("SDMA", "RDMA"):
        speeds = rows[f"{transport.lower()}_gbs"].to_numpy()
        speeds = half_away(speeds, 4)
        if not len(speeds) or not speeds.sum():
            continue
        most, least = float(speeds.max()), float(speeds.min())
        average = float(half_away(float(speeds.sum()) / len(speeds), 4))
        found.append(
            {
                "transport": transport, "ranks": len(speeds),
                "time_ms": float(half_away(float(rows[f"{transport.lower()}_ms"].to_numpy().sum()), 4)),
                "avg_gbs": average, "max_gbs": most, "min_gbs": least, "diff_gbs": float(half_away(most - least, 4)),
                "is_efficient": average >= EFFICIENT * most,
            }
        )  # fmt: skip
    main = max(found, key=lambda row: row["time_ms"])["transport"] if found else ""
    return pa.Table.from_pylist([{**row, "is_main": row["transport"] == main} for row in found], _BANDWIDTHS)


def small_packets(links: pa.Table) -> pa.Table:
    """Share of operators that move little at once: category, is_issue, small_ms, standard_share, share, standard_mb, counts.

    Args:
        links: rows of cluster_bandwidth; an operator of a rank counts once per transport.
    """
    found = []
    for category, limit in SMALL_MB.items():
        of = links.filter(
            pc.and_(
                pc.and_(pc.equal(links["transport"], category), pc.greater(links["size_mb"], 0.0)),
                pc.not_equal(links["name"], TOTAL),
            )
        )
        size, time = of["size_mb"].to_numpy(), pc.fill_null(of["time_ms"], 0.0).to_numpy()
        small = size < limit
        share = float(small.mean()) if len(small) else 0.0
        found.append(
            {
                "category": category, "is_issue": share > SMALL_SHARE, "small_ms": float(time[small].sum()),
                "standard_share": SMALL_SHARE, "share": share, "standard_mb": limit, "small": int(small.sum()),
                "operators": len(small),
            }
        )  # fmt: skip
    return pa.Table.from_pylist(found, _PACKETS)


def retransmissions(times: pa.Table, links: pa.Table, ranks: dict[int, Sequence[int]]) -> pa.Table:
    """Operators that took so long on every rank, and on the network, that packets were sent again: step, name, group."""
    rdma = links.filter(pc.and_(pc.equal(links["transport"], "RDMA"), pc.not_equal(links["name"], TOTAL)))
    keys = ["step", "group_no", "name"]
    both = rdma.select([*keys, "rank", "time_ms"]).join(
        times.select([*keys, "rank", "elapse_ms"]), [*keys, "rank"], join_type="inner"
    )
    sums = both.group_by(keys).aggregate([("elapse_ms", "min"), ("time_ms", "max")])
    wanted = sums.filter(
        pc.and_(
            pc.greater_equal(sums["elapse_ms_min"], RETRANSMISSION_MS),
            pc.greater(sums["time_ms_max"], RETRANSMISSION_MS),
        )
    )
    rows = [
        {
            "step": r["step"], "name": r["name"], "group": rank_set(ranks.get(r["group_no"], ())),
            "min_elapse_ms": r["elapse_ms_min"], "max_rdma_ms": r["time_ms_max"],
        }
        for r in wanted.sort_by([(k, "ascending") for k in keys]).to_pylist()
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, _RETRANSMISSIONS)


def contentions(
    operators: Sequence[tuple[str, int, int, float]], kernels: Sequence[tuple[int, int]]
) -> list[tuple[str, int, float]]:
    """Operators that share the memory with a matrix multiplication and are slow: name, duration in ns, bandwidth.

    Args:
        operators: (name, start, duration, SDMA bandwidth in GB/s), by start; times in ns.
        kernels: (start, duration), by start.
    """
    found = []
    i = k = 0
    while i < len(operators) and k < len(kernels):
        name, start, length, speed = operators[i]
        kernel, kernel_length = kernels[k]
        if start + length < kernel:
            i += 1
        elif kernel + kernel_length < start:
            k += 1
        else:
            if speed < CONTENTION_GBS:
                found.append((name, length, speed))
            i += 1
    return found


def group_ranks(cluster: Cluster) -> dict[int, Sequence[int]]:
    """Members of each group by its number."""
    return {g["group_no"]: g["ranks"] for g in cluster.table("cluster_group").to_pylist()}


def _sums(rows: pa.Table) -> dict[int, float]:
    total = rows.filter(pc.equal(rows["name"], TOTAL))
    return dict(zip(total["rank"].to_pylist(), total["elapse_ms"].to_pylist(), strict=True))


def _fastest(times: dict[int, float]) -> int | None:
    """The rank with the longest time: it arrived first and waited. A tie goes to the smaller rank text."""
    return min(times, key=lambda rank: (-times[rank], str(rank))) if times else None


def _operators(rows: pa.Table, rank: int | None) -> dict[str, float]:
    if rank is None:
        return {}
    own = rows.filter(pc.and_(pc.equal(rows["rank"], rank), pc.not_equal(rows["name"], TOTAL)))
    return dict(zip(own["name"].to_pylist(), own["elapse_ms"].to_pylist(), strict=True))


def _us(milliseconds: float) -> float:
    return float(half_away(milliseconds * 1000, 3))


def _ms(milliseconds: float) -> float:
    return float(half_away(milliseconds, _DIGITS))


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema(list(columns.items()))


_I32, _I64, _F64, _TEXT, _BOOL = pa.int32(), pa.int64(), pa.float64(), pa.string(), pa.bool_()
_SLOW = _schema(rank=_I32, difference_ms=_F64, elapse_ms=_F64, fastest_rank=_I32, fastest_ms=_F64)
_OPERATORS = _schema(index=_I32, name=_TEXT, difference_ms=_F64, elapse_ms=_F64, fastest_ms=_F64)
_BANDWIDTHS = _schema(
    transport=_TEXT, ranks=_I32, time_ms=_F64, avg_gbs=_F64, max_gbs=_F64, min_gbs=_F64, diff_gbs=_F64,
    is_efficient=_BOOL, is_main=_BOOL,
)  # fmt: skip
_PACKETS = _schema(
    category=_TEXT, is_issue=_BOOL, small_ms=_F64, standard_share=_F64, share=_F64, standard_mb=_F64, small=_I64,
    operators=_I64,
)  # fmt: skip
_RETRANSMISSIONS = _schema(step=_TEXT, name=_TEXT, group=_TEXT, min_elapse_ms=_F64, max_rdma_ms=_F64)
CONTENTIONS = _schema(rank=_I32, step=_TEXT, name=_TEXT, duration_us=_F64, bandwidth_gbs=_F64)
