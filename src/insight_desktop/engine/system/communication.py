"""The named queries `system.communication.*`: groups, durations, links and bandwidths of a job, and what is slow in it.

`step` is a step as text, `group` a label of `groups` or a hash, `op` an operator (or `<type>-<sort>` for the matrix). Without
them: the first step, the first group, the sum `Total Op Info`. `cluster` names a job when several are open; without it the first.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine import cluster as cluster_of
from insight_desktop.engine import compare, tables
from insight_desktop.engine.cluster import Cluster
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import communication_advice as advice_of
from insight_desktop.engine.system import communication_groups as groups_of
from insight_desktop.engine.system import communication_jumps as jumps
from insight_desktop.engine.system import communication_links as links_of
from insight_desktop.engine.system import communication_rows as rows_of
from insight_desktop.engine.system import communication_tasks as tasks_of
from insight_desktop.engine.system.communication_groups import Listed
from insight_desktop.errors import NoData
from insight_desktop.ingest.formats.cluster_rank import TOTAL

_TEXT, _I32 = pa.string(), pa.int32()
_LINK_TIMES = ("step", "rank", "group_no", "name", "transport", "time_ms")
_GROUPS = pa.schema(
    [
        ("group", _TEXT), ("hash", _TEXT), ("type", _TEXT), ("pg_name", _TEXT), ("group_id", _TEXT),
        ("ranks", pa.list_(_I32)),
    ]
)  # fmt: skip


def groups(store: Store, *, cluster: str | None = None) -> pa.Table:
    """Groups in the order of the selector: group (label), hash, type, pg_name, group_id, ranks."""
    rows = [
        {
            "group": g.label, "hash": g.hash, "type": g.kind, "pg_name": g.pg_name, "group_id": g.group_id,
            "ranks": list(g.ranks),
        }
        for g in groups_of.listed(cluster_of.opened(store, cluster))
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, _GROUPS)


def steps(store: Store, *, cluster: str | None = None) -> pa.Table:
    """Steps of the communication data: step."""
    return pa.table({"step": pa.array(groups_of.steps(cluster_of.opened(store, cluster)), _TEXT)})


def operators(
    store: Store, *, step: str | None = None, group: str | None = None, matrix: bool = False, cluster: str | None = None
) -> pa.Table:
    """Operators of a step and group in byte order: name. With matrix the names of the links, `<type>-<sort>`."""
    job, at, of = _asked(store, cluster, step, group)
    table = "cluster_matrix" if matrix else "cluster_time"
    found = pc.unique(job.table(table, columns=("name",), step=at, group_no=of.no)["name"]).to_pylist()
    return pa.table({"name": pa.array(sorted(found, key=str.encode), _TEXT)})


def durations(
    store: Store, *, step: str | None = None, group: str | None = None, op: str = TOTAL, cluster: str | None = None
) -> pa.Table:
    """Times of an operator per rank, longest first, four decimals.

    Columns: rank, elapse_ms, transit_ms, sync_ms, wait_ms, idle_ms, sync_ratio and wait_ratio (of sync or wait + transit; 0 to 1),
    sdma_gbs, rdma_gbs, sdma_ms, rdma_ms (0 without traffic).
    """
    job, at, of = _asked(store, cluster, step, group)
    found = rows_of.durations(job, at, of, name=op)
    return rows_of.rounded(found.drop_columns(["name", "start_ns"]))


def durations_compare(
    store: Store,
    *,
    baseline: str,
    step: str | None = None,
    baseline_step: str | None = None,
    group: str | None = None,
    op: str = TOTAL,
    cluster: str | None = None,
) -> pa.Table:
    """`durations` of two jobs by rank: each figure as difference (job − baseline), with `_comparison` and `_baseline` behind for the sides.

    The group of the baseline is the one with the same name and ranks, else with the same hash. Largest difference first.
    """
    sides = [rows_of.rounded(found) for found in _both(store, cluster, baseline, step, baseline_step, group, op)]
    values = [n for n in sides[0].column_names if n not in ("rank", "name", "start_ns")]
    kept = [side.select(["rank", *values]) for side in sides]
    found = compare.keyed(kept[0], kept[1], ["rank"], values, digits=rows_of.DIGITS)
    return found.sort_by([("elapse_ms", "descending"), ("rank", "ascending")])


def matrix_compare(
    store: Store,
    *,
    baseline: str,
    step: str | None = None,
    baseline_step: str | None = None,
    group: str | None = None,
    op: str = TOTAL,
    cluster: str | None = None,
) -> pa.Table:
    """`matrix` of two jobs by link: differences of size_mb, transit_ms and bandwidth_gbs with both sides, transport of both, is_same_transport.

    Groups meet as in `durations_compare`. Four decimals.
    """
    job, at, of = _asked(store, cluster, step, group, "cluster_matrix")
    sides = [rows_of.links(job, at, of, op)]
    other = cluster_of.opened(store, baseline)
    partner = groups_of.partner(other, of)
    then = groups_of.step_of(other, baseline_step, "cluster_matrix")
    sides.append(rows_of.links(other, then, partner, op) if partner else sides[0].slice(0, 0))
    values = ["size_mb", "transit_ms", "bandwidth_gbs"]
    kept = [side.select(["src", "dst", "transport", *values]) for side in sides]
    found = compare.keyed(
        kept[0], kept[1], ["src", "dst"], values, carry=["transport"], digits=rows_of.DIGITS, nth=True
    )
    same = pc.fill_null(pc.equal(found["transport_comparison"], found["transport_baseline"]), False)
    return found.append_column("is_same_transport", same)


def rank_operators(
    store: Store, *, rank: int, step: str | None = None, group: str | None = None, cluster: str | None = None
) -> pa.Table:
    """Operators of a rank in a step and group, longest first: name, start_ns, and the columns of `durations` without rank."""
    job, at, of = _asked(store, cluster, step, group)
    return rows_of.rounded(rows_of.durations(job, at, of, rank=rank).drop_columns(["rank"]))


def thumbnails(
    store: Store,
    *,
    step: str | None = None,
    group: str | None = None,
    op: str = TOTAL,
    align: str | None = None,
    cluster: str | None = None,
) -> pa.Table:
    """Bars of the operators, one row of bars per rank: rank, name, start_ns, duration_ns, shift_ns (part of start_ns).

    Ranks that were recorded at other times are moved to end with the latest. align names an operator whose first occurrence is
    then moved to end at the same time on all ranks.
    """
    job, at, of = _asked(store, cluster, step, group)
    return rows_of.bars(job, at, of, op, align)


def matrix(
    store: Store,
    *,
    step: str | None = None,
    group: str | None = None,
    op: str = TOTAL,
    inner: bool = True,
    cluster: str | None = None,
) -> pa.Table:
    """Links between ranks, four decimals: src, dst, transport, size_mb, transit_ms, bandwidth_gbs, op_name.

    Without inner the links of a rank to itself are left out.
    """
    job, at, of = _asked(store, cluster, step, group, "cluster_matrix")
    found = rows_of.links(job, at, of, op)
    return found if inner else found.filter(pc.not_equal(found["src"], found["dst"]))


def bandwidth(
    store: Store,
    *,
    rank: int,
    step: str | None = None,
    group: str | None = None,
    op: str = TOTAL,
    cluster: str | None = None,
) -> pa.Table:
    """Transports of an operator of a rank, four decimals: transport, parent, size_mb, transit_ms, bandwidth_gbs, large_packet_ratio.

    SDMA comes before the transports that it sums up, then RDMA; its packet ratio is null.
    """
    job, at, of = _asked(store, cluster, step, group)
    return rows_of.transports(job, at, of, op, rank)


def packets(
    store: Store,
    *,
    rank: int,
    step: str | None = None,
    group: str | None = None,
    op: str = TOTAL,
    cluster: str | None = None,
) -> pa.Table:
    """Packets of an operator of a rank by size: transport, packet_mb, count, duration_ms, bandwidth_gbs (four decimals)."""
    job, at, of = _asked(store, cluster, step, group)
    return rows_of.packets(job, at, of, op, rank)


def link_health(
    store: Store, *, step: str | None = None, group: str | None = None, cluster: str | None = None
) -> pa.Table:
    """Effective bandwidth of every link beside the others of its transport, slowest first; all steps and groups unless they are given.

    Columns: src, dst, transport, size_mb, transit_ms, bandwidth_gbs (size / time), median_gbs (of the transport), ratio (bandwidth / median),
    peer_ratio (time that links of the same transport in groups of the same name would need / its own time), is_slow (peer_ratio below
    0.8 and at least 1 MB moved). Links inside a rank are left out.
    """
    job = cluster_of.opened(store, cluster)
    number = groups_of.chosen(job, group).no if group is not None else None
    return job.kept(("links", step, number), lambda: links_of.health(job, step, number))


def slow_ranks(
    store: Store, *, step: str | None = None, group: str | None = None, cluster: str | None = None
) -> pa.Table:
    """Up to three ranks that the others waited for: rank, difference_ms, elapse_ms, fastest_rank, fastest_ms (six decimals).

    The rank with the longest time arrived first. Listed are ranks that were at least 10 % shorter; none means balanced.
    Raises NoData for pipelines and for traffic whose ranks do different things.
    """
    job, at, of = _asked(store, cluster, step, group)
    return advice_of.slow_ranks(_times(job, at, of), of)


def slow_operators(
    store: Store, *, rank: int, step: str | None = None, group: str | None = None, cluster: str | None = None
) -> pa.Table:
    """Up to three operators in which a rank differs most from the fastest: index, name, difference_ms, elapse_ms, fastest_ms."""
    job, at, of = _asked(store, cluster, step, group)
    return advice_of.slow_operators(_times(job, at, of), rank)


def advice(
    store: Store, *, step: str | None = None, group: str | None = None, op: str = TOTAL, cluster: str | None = None
) -> pa.Table:
    """Bandwidths of the ranks of `durations`: transport, ranks, time_ms, avg_gbs, max_gbs, min_gbs, diff_gbs, is_efficient, is_main.

    is_efficient: the average reaches 80 % of the best, so the links are the limit, not the use of them. is_main: most time goes
    there. A transport without traffic is left out.
    """
    job, at, of = _asked(store, cluster, step, group)
    return advice_of.bandwidths(rows_of.durations(job, at, of, name=op))


def small_packets(store: Store, *, cluster: str | None = None) -> pa.Table:
    """Operators of the whole job that move little at once: category, is_issue, small_ms, standard_share, share, standard_mb, small, operators.

    Small is below 16 MB over SDMA and 1 MB over RDMA; more than 20 % of them is an issue.
    """
    job = cluster_of.opened(store, cluster)
    columns = ("name", "transport", "size_mb", "time_ms")
    return job.kept("small packets", lambda: advice_of.small_packets(job.table("cluster_bandwidth", columns=columns)))


def retransmissions(store: Store, *, cluster: str | None = None) -> pa.Table:
    """Operators of the whole job in which packets were sent again: step, name, group (ranks), min_elapse_ms, max_rdma_ms.

    They took at least 4000 ms on every rank and over 4000 ms on the network of one.
    """
    job = cluster_of.opened(store, cluster)
    return job.kept("retransmissions", lambda: _retransmissions(job))


def _retransmissions(job: Cluster) -> pa.Table:
    links = job.table("cluster_bandwidth", columns=_LINK_TIMES, transport="RDMA")
    long = links.filter(pc.greater(links["time_ms"], advice_of.RETRANSMISSION_MS))
    if not long.num_rows:  # the usual case, told without reading all operators
        return advice_of.retransmissions(job.table("cluster_time", group_no=-1), long, {})
    return advice_of.retransmissions(job.table("cluster_time"), links, advice_of.group_ranks(job))


def alignments(store: Store, *, cluster: str | None = None) -> pa.Table:
    """Operators with copies that do not fit the hardware: rank, name, tasks (how many), size_bytes (of the first).

    A copy over SDMA to another card above 512 B should be a multiple of 512 B. Only ranks whose timelines are open can be looked at.
    """
    return tasks_of.alignments(store, _open_ranks(store, cluster).items())


def contentions(store: Store, *, cluster: str | None = None) -> pa.Table:
    """Operators below 14.4 GB/s over SDMA beside a matrix multiplication: rank, step, name, duration_us, bandwidth_gbs.

    Only ranks whose kernels are open can be looked at.
    """
    job = cluster_of.opened(store, cluster)
    cards = _open_ranks(store, cluster)
    tables.ensure(store, "kernel", cards.values())
    found = []
    for rank, card in cards.items():
        kernels = store.sql(
            "SELECT start_ns, duration_ns FROM kernel WHERE card = $card AND name ILIKE '%matmul%' "
            "AND start_ns IS NOT NULL ORDER BY start_ns",
            card=card,
        )
        if not kernels.num_rows:
            continue
        links = job.table("cluster_bandwidth", transport="SDMA", rank=rank)
        links = links.filter(pc.and_(pc.greater(links["size_mb"], 0.0), pc.not_equal(links["name"], TOTAL)))
        keys = ["step", "group_no", "name"]
        times = job.table("cluster_time", columns=(*keys, "start_ns", "elapse_ms"), rank=rank)
        rows = links.select([*keys, "bandwidth_gbs"]).join(times, keys, join_type="inner")
        rows = rows.filter(pc.is_valid(rows["start_ns"]))
        by_step: dict[str, list[tuple[str, int, int, float]]] = {}
        for r in rows.sort_by("start_ns").to_pylist():
            operator = (r["name"], r["start_ns"], rows_of.whole_ns(r["elapse_ms"]), r["bandwidth_gbs"])
            by_step.setdefault(r["step"], []).append(operator)
        spans = list(zip(kernels["start_ns"].to_pylist(), kernels["duration_ns"].to_pylist(), strict=True))
        for at, of_step in by_step.items():
            for name, length, speed in advice_of.contentions(of_step, spans):
                found.append(
                    {"rank": rank, "step": at, "name": name, "duration_us": length / 1000, "bandwidth_gbs": speed}
                )
    return pa.Table.from_pylist(found, advice_of.CONTENTIONS)


def operator(store: Store, *, card: str, slice_id: int) -> pa.Table:
    """The operator of the job that a slice of the Timeline shows: cluster, step, group, rank, name, start_ns.

    Raises NoData when the card is no rank of a job or the job has no such operator.
    """
    return jumps.place_table(jumps.operator_of(store, card, slice_id))


def slices(store: Store, *, rank: int, name: str, start_ns: int | None = None, cluster: str | None = None) -> pa.Table:
    """The slice of the Timeline that shows an operator of a rank: card, slice_id.

    Of several with its name it is the one that starts nearest to start_ns. Raises NoData without a timeline of the rank.
    """
    card, slice_id = jumps.slice_of(store, rank, name, start_ns, cluster)
    return pa.table({"card": [card], "slice_id": pa.array([slice_id], pa.int64())})


def _open_ranks(store: Store, cluster: str | None) -> dict[int, str]:
    """Names of the open cards of a job by rank."""
    name = cluster_of.names(store)[0] if cluster is None else cluster
    return {
        int(c.rank): c.name
        for c in store.cards_of("system")
        if c.cluster == name and not c.guest and c.rank is not None and c.rank.isdigit()
    }


def _asked(
    store: Store, cluster: str | None, step: str | None, group: str | None, table: str = "cluster_time"
) -> tuple[Cluster, str, Listed]:
    job = cluster_of.opened(store, cluster)
    return job, groups_of.step_of(job, step, table), groups_of.chosen(job, group)


def _both(
    store: Store,
    cluster: str | None,
    baseline: str,
    step: str | None,
    baseline_step: str | None,
    group: str | None,
    op: str,
) -> tuple[pa.Table, pa.Table]:
    """Durations of a group in a job and in the baseline; no rows where the baseline has no such group."""
    job, at, of = _asked(store, cluster, step, group)
    ours = rows_of.durations(job, at, of, name=op)
    other = cluster_of.opened(store, baseline)
    partner = groups_of.partner(other, of)
    if partner is None:
        return ours, ours.slice(0, 0)
    return ours, rows_of.durations(other, groups_of.step_of(other, baseline_step), partner, name=op)


def _times(job: Cluster, step: str, group: Listed) -> pa.Table:
    """Rank, name and elapse_ms of a group's operators and of their sum."""
    rows = job.table("cluster_time", columns=("rank", "name", "elapse_ms"), step=step, group_no=group.no)
    if not rows.num_rows:
        raise NoData(f"Group {group.label} has no operators in step {step}.", fix="Choose another step or group.")
    at = rows.schema.get_field_index("elapse_ms")
    return rows.set_column(at, "elapse_ms", pc.fill_null(rows["elapse_ms"], 0.0))
