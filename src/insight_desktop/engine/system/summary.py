"""The named queries `system.summary.*`: what a job is, how its ranks spend their time, and which of them the others wait for.

`step` is a step as text; without it all steps of a rank are added up. The sizes of the parallel dimensions are those of the data
unless they are given. `cluster` names a job when several are open; without it the first.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine import cluster as cluster_of
from insight_desktop.engine import compare, tables
from insight_desktop.engine.cluster import Cluster
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import communication_groups as groups_of
from insight_desktop.engine.system import (
    communication_rows,
    summary_experts,
    summary_pipeline,
    summary_rows,
    summary_slow,
    summary_strategy,
    summary_waits,
)
from insight_desktop.engine.system.summary_experts import Stage, Version
from insight_desktop.engine.system.summary_layout import DP_VIEW, FULL, MINDIE, VLLM, Algorithm, Dimension, Strategy
from insight_desktop.engine.system.summary_layout import elements as layout_elements
from insight_desktop.engine.system.summary_layout import groups as layout_groups
from insight_desktop.engine.system.summary_waits import Metric
from insight_desktop.engine.timeline import layers
from insight_desktop.errors import BadArgument, NoData
from insight_desktop.ingest.formats.cluster_rank import TOTAL

_LATEST = 64  # operators among which the last end is looked for exactly
_CORES = ("AI_CPU", "AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV", "FFTS_PLUS")
_ABSURD_US = 1e18  # longer than any run: damaged data
_I32, _I64, _F64, _TEXT = pa.int32(), pa.int64(), pa.float64(), pa.string()


def base_info(store: Store, *, cluster: str | None = None) -> pa.Table:
    """One row about the job: source, folder, size_mb, capture_ns, devices, steps, duration_us, duration (text).

    source tells what the figures were made of, folder and size_mb where they are kept. capture_ns is the earliest start of a communication
    operator (null without any); duration is the longer of the span of communication and the longest rank, all steps together.
    """
    job = cluster_of.opened(store, cluster)
    times = job.table("cluster_time", columns=("name", "start_ns", "elapse_ms"))
    times = times.filter(pc.and_(pc.not_equal(times["name"], TOTAL), pc.is_valid(times["start_ns"])))
    first, span_ns = None, 0
    if times.num_rows:
        start = times["start_ns"].to_numpy()
        first = int(start.min())
        length = np.nan_to_num(np.asarray(times["elapse_ms"].to_numpy(), np.float64)) * 1e6
        latest = np.argsort((start - first).astype(np.float64) + length)[-_LATEST:]
        ends = zip(start[latest].tolist(), times["elapse_ms"].take(latest).to_pylist(), strict=True)
        span_ns = max(begin + communication_rows.whole_ns(elapse) for begin, elapse in ends) - first
    ranks = summary_rows.per_rank(job, None)
    longest = float(np.max(ranks["e2e_us"].to_numpy(), initial=0.0))
    duration = max(span_ns / 1000, longest)
    size = sum(path.stat().st_size for path in job.folder.iterdir())
    row = {
        "source": job.source, "folder": str(job.folder), "size_mb": size / 1e6, "capture_ns": first,
        "devices": ranks.num_rows, "steps": len(groups_of.steps(job, "cluster_step")), "duration_us": duration,
        "duration": duration_text(duration),
    }  # fmt: skip
    kinds = [("source", _TEXT), ("folder", _TEXT), ("size_mb", _F64), ("capture_ns", _I64), ("devices", _I32)]
    more = [("steps", _I32), ("duration_us", _F64), ("duration", _TEXT)]
    return pa.Table.from_pylist([row], pa.schema([*kinds, *more]))


def duration_text(microseconds: float) -> str:
    """`1h2m3.5s`, `2m53.73s`, `4s`, `810.43ms`, `12μs`: at most two decimals, without zeros at the end."""
    if microseconds >= _ABSURD_US:
        return f"{microseconds / 1e6:.3e}s"
    seconds = Decimal(repr(microseconds)) / 1_000_000
    if seconds < Decimal("0.001"):
        return f"{_short(seconds * 1_000_000)}μs"
    if seconds < 1:
        return f"{_short(seconds * 1000)}ms"
    hours, minutes = divmod(int(seconds // 60), 60)
    rest = seconds % 60
    text = f"{_short(rest)}s"
    if hours or minutes:
        text = f"{minutes}m{text}"
    return f"{hours}h{text}" if hours else text


def issues(store: Store, *, cluster: str | None = None) -> pa.Table:
    """What was wrong with single ranks or left out: code, severity, where, message, count, fix."""
    names = ("code", "severity", "where", "message", "count", "fix")
    found = [issue.as_dict() for issue in cluster_of.opened(store, cluster).issues]
    return pa.Table.from_pylist(found, pa.schema([(n, _I64 if n == "count" else _TEXT) for n in names]))


def steps(store: Store, *, cluster: str | None = None) -> pa.Table:
    """Steps of the step table: step."""
    return pa.table({"step": pa.array(groups_of.steps(cluster_of.opened(store, cluster), "cluster_step"), _TEXT)})


def step_rows(store: Store, *, cluster: str | None = None) -> pa.Table:
    """The step table as it is, ranks and stages: step, kind, index, rank, times in µs, dp, pp, tp."""
    return cluster_of.opened(store, cluster).table("cluster_step")


def strategy(store: Store, *, cluster: str | None = None) -> pa.Table:
    """The parallel strategy that the data tell: algorithm, pp, tp, cp, dp, ep, moe_tp, origin (collected or undefined), devices."""
    job = cluster_of.opened(store, cluster)
    found, origin = summary_strategy.collected(job)
    names = ("pp", "tp", "cp", "dp", "ep", "moe_tp")
    row = {
        "algorithm": found.algorithm, **{n: found.size(n) for n in names}, "origin": origin, "devices": _devices(job),
    }  # fmt: skip
    schema = [("algorithm", _TEXT), *((n, _I32) for n in names), ("origin", _TEXT), ("devices", _I32)]
    return pa.Table.from_pylist([row], pa.schema(schema))


def parallel_layout(
    store: Store,
    *,
    dimension: Dimension = "ep-dp-pp-cp-tp",
    algorithm: Algorithm | None = None,
    tp: int | None = None,
    pp: int | None = None,
    dp: int | None = None,
    cp: int | None = None,
    ep: int | None = None,
    moe_tp: int | None = None,
    cluster: str | None = None,
) -> pa.Table:
    """Elements of a view: index, name, ranks (text), dp, pp, cp, tp, ep (null where the view has none), x, y.

    Raises BadArgument for sizes that break a rule, or with fewer ranks than there are devices.
    """
    given = _strategy(cluster_of.opened(store, cluster), algorithm, tp=tp, pp=pp, dp=dp, cp=cp, ep=ep, moe_tp=moe_tp)
    rows = [
        {
            "index": e.index, "name": e.name, "ranks": e.ranks_text, **{d: e.at[d] for d in ("dp", "pp", "cp", "tp")},
            "ep": e.ep, "x": e.x, "y": e.y,
        }
        for e in layout_elements(given, dimension)
    ]  # fmt: skip
    numbers = [(n, _I32) for n in ("dp", "pp", "cp", "tp", "ep", "x", "y")]
    return pa.Table.from_pylist(rows, pa.schema([("index", _I32), ("name", _TEXT), ("ranks", _TEXT), *numbers]))


def parallel_groups(
    store: Store,
    *,
    dimension: Dimension = "ep-dp-pp-cp-tp",
    algorithm: Algorithm | None = None,
    tp: int | None = None,
    pp: int | None = None,
    dp: int | None = None,
    cp: int | None = None,
    ep: int | None = None,
    moe_tp: int | None = None,
    cluster: str | None = None,
) -> pa.Table:
    """Communication groups that a strategy makes: dimension (dp, tp, exp, …), group (number inside it), ranks.

    In folded views the members are indices of elements. Raises as `parallel_layout`.
    """
    given = _strategy(cluster_of.opened(store, cluster), algorithm, tp=tp, pp=pp, dp=dp, cp=cp, ep=ep, moe_tp=moe_tp)
    counts: dict[str, int] = {}
    rows = []
    for name, members in layout_groups(given, dimension):
        counts[name] = counts.get(name, -1) + 1
        rows.append({"dimension": name, "group": counts[name], "ranks": list(members)})
    return pa.Table.from_pylist(rows, pa.schema([("dimension", _TEXT), ("group", _I32), ("ranks", pa.list_(_I32))]))


def overview(
    store: Store,
    *,
    step: str | None = None,
    group: str | None = None,
    order_by: str = "rank",
    top: int | None = None,
    cluster: str | None = None,
) -> pa.Table:
    """How every rank spends its time, in µs with three decimals; sorted first, then cut to top.

    Columns: rank, computing_us, communication_not_overlapped_us, overlapped_us, communication_us, free_us, stage_us and bubble_us (only with
    values), communication_not_overlapped_exclude_receive_us, preparing_us, computing_not_overlapped_us, e2e_us, computing_ratio and
    communication_ratio (percent). group is a list of ranks such as `(0, 1)`: exactly these, zeros for those without data. order_by rank goes
    upwards, everything else from the largest down.
    """
    found = summary_rows.per_rank(cluster_of.opened(store, cluster), step)
    if group is not None:
        found = summary_rows.with_members(found, summary_rows.members_of(group))
    return summary_rows.ordered(found, order_by, top)


def overview_compare(
    store: Store,
    *,
    baseline: str,
    step: str | None = None,
    baseline_step: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
) -> pa.Table:
    """`overview` of two jobs by rank: each figure as difference (job − baseline), with `_comparison` and `_baseline` behind for the sides.

    A rank that one side does not have counts as 0 there; in_comparison and in_baseline tell. Three decimals.
    """
    sides = [
        overview(store, step=at, group=group, cluster=name) for name, at in ((cluster, step), (baseline, baseline_step))
    ]
    names = [n for n in dict.fromkeys(n for side in sides for n in side.column_names) if n != "rank"]
    ours, theirs = (_with_columns(side, names) for side in sides)
    return compare.keyed(ours, theirs, ["rank"], names, digits=summary_rows.DIGITS)


def folded_overview(
    store: Store,
    *,
    dimension: Dimension,
    step: str | None = None,
    algorithm: Algorithm | None = None,
    tp: int | None = None,
    pp: int | None = None,
    dp: int | None = None,
    cp: int | None = None,
    ep: int | None = None,
    moe_tp: int | None = None,
    cluster: str | None = None,
) -> pa.Table:
    """Extremes of the elements of a folded view: index, name, ranks, max_, min_ and range_ of the figures of `overview` in µs.

    The view of dp alone has sum_of_max_ instead: the maxima of its stages added up. Elements without data are left out.
    """
    job = cluster_of.opened(store, cluster)
    given = _strategy(job, algorithm, tp=tp, pp=pp, dp=dp, cp=cp, ep=ep, moe_tp=moe_tp)
    if dimension == FULL:
        raise BadArgument("This view is not folded.", fix="Ask overview, or choose another dimension.")
    return summary_rows.folded(summary_rows.per_rank(job, step), given, dimension)


def overview_advice(store: Store, *, step: str | None = None, cluster: str | None = None) -> pa.Table:
    """Figures that differ by more than 5 % of the mean step time between the ranks: metric, difference_us, share (0 to 1)."""
    rows = summary_rows.spreads(summary_rows.per_rank(cluster_of.opened(store, cluster), step))
    return pa.Table.from_pylist(rows, pa.schema([("metric", _TEXT), ("difference_us", _F64), ("share", _F64)]))


def group_times(store: Store, *, step: str | None = None, cluster: str | None = None) -> pa.Table:
    """Communication time of every rank by name of its groups, those of one name added up: rank, pg_name, time_us."""
    return summary_rows.group_times(cluster_of.opened(store, cluster), step)


def folded_group_times(
    store: Store,
    *,
    dimension: Dimension,
    step: str | None = None,
    algorithm: Algorithm | None = None,
    tp: int | None = None,
    pp: int | None = None,
    dp: int | None = None,
    cp: int | None = None,
    ep: int | None = None,
    moe_tp: int | None = None,
    cluster: str | None = None,
) -> pa.Table:
    """`group_times` as mean over the ranks of each element of a view that have the group: index, name, pg_name, time_us.

    The view of dp alone has none.
    """
    job = cluster_of.opened(store, cluster)
    given = _strategy(job, algorithm, tp=tp, pp=pp, dp=dp, cp=cp, ep=ep, moe_tp=moe_tp)
    hidden = {MINDIE: ("moeTp", "exp"), VLLM: ("exp",)}.get(given.algorithm, ()) if dimension != FULL else ()
    times = summary_rows.by_name(summary_rows.group_times(job, step))
    rows = [
        {"index": e.index, "name": e.name, "pg_name": name, "time_us": mean}
        for e in (layout_elements(given, dimension) if dimension != DP_VIEW else ())
        for name, values in sorted(times.items())
        if name not in hidden and (mean := summary_slow.folded(e, values)) is not None
    ]
    return pa.Table.from_pylist(
        rows, pa.schema([("index", _I32), ("name", _TEXT), ("pg_name", _TEXT), ("time_us", _F64)])
    )


def slow_ranks(
    store: Store,
    *,
    step: str | None = None,
    dimension: Dimension = "ep-dp-pp-cp-tp",
    algorithm: Algorithm | None = None,
    tp: int | None = None,
    pp: int | None = None,
    dp: int | None = None,
    cp: int | None = None,
    ep: int | None = None,
    moe_tp: int | None = None,
    cluster: str | None = None,
) -> pa.Table:
    """Up to three elements of a view that the others wait for: index, name, ranks, dp_us, cp_us, tp_us, total_us.

    The µs are by how much their communication is shorter than the longest of their dp, cp and tp groups; null where a level was not looked at.
    No rows: nothing is slow. Raises NoData when the groups of the data are not those of the strategy.
    """
    job = cluster_of.opened(store, cluster)
    given = _strategy(job, algorithm, tp=tp, pp=pp, dp=dp, cp=cp, ep=ep, moe_tp=moe_tp)
    times = summary_rows.by_name(summary_rows.group_times(job, step))
    found = summary_slow.slow(given, times, dimension)
    if found is None:
        raise NoData(
            "The communication groups of the data do not match the parallel strategy.",
            fix="Check the sizes of the parallel dimensions; the data need groups named dp, cp or tp.",
        )
    rows = [
        {
            "index": s.element.index, "name": s.element.name, "ranks": s.element.ranks_text,
            **{f"{d}_us": s.waits.get(d) for d in ("dp", "cp", "tp")}, "total_us": s.total,
        }
        for s in found
    ]  # fmt: skip
    figures = [(n, _F64) for n in ("dp_us", "cp_us", "tp_us", "total_us")]
    return pa.Table.from_pylist(rows, pa.schema([("index", _I32), ("name", _TEXT), ("ranks", _TEXT), *figures]))


def step_heat(store: Store, *, metric: Metric = "e2e_us", cluster: str | None = None) -> pa.Table:
    """One figure of every rank in every step: rank, step, value_us, median_us (of the step), deviation_us (value − median).

    late_us: how much later than the first rank it came to the collective operators; waited_us: how much earlier than the last; caused_us: what
    all others waited for it. These come from the operators' durations and need no common clock. skew_us is how far its clock is ahead of the
    others, told by the ends of the operators: a rank whose starts look late but whose late_us is small has another clock, not more work.
    """
    return summary_waits.heat(cluster_of.opened(store, cluster), metric)


def stragglers(
    store: Store, *, step: str | None = None, group: str | None = None, top: int = 20, cluster: str | None = None
) -> pa.Table:
    """Ranks that the others wait for in collective operators, the costliest first.

    Columns: rank, times (came last), operators (shared with others), share (times / operators), caused_ms (all waits for it together),
    cost_ms_per_step (what the rank that waited longest in each group waited), waiters (number of ranks), worst_waiter, worst_wait_ms, worst_op,
    worst_group, worst_step, cause (computing_us, free_us or preparing_us: what it has more of than those that waited; empty when nothing
    explains it), cause_us (by how much, per step), skew_us (its clock beside the median). Waits below a tenth of the operator do not count.
    """
    return summary_waits.stragglers(cluster_of.opened(store, cluster), step, group, top)


def straggler_waits(
    store: Store, *, rank: int, step: str | None = None, group: str | None = None, cluster: str | None = None
) -> pa.Table:
    """Who waited for a rank, longest first: waiter, group, step, times, wait_ms, longest_ms, op (of the longest wait)."""
    return summary_waits.waits_for(cluster_of.opened(store, cluster), rank, step, group)


def computing_detail(store: Store, *, rank: int, step: str | None = None, cluster: str | None = None) -> pa.Table:
    """Time of a rank's kernels by accelerator core, whole µs cut off: core, duration_us, kernels.

    Raises NoData when the kernels of the rank are not open.
    """
    card = _card(store, rank, cluster)
    tables.ensure(store, "kernel", [card.name])
    found = store.sql(
        "SELECT core, (sum(duration_ns) // 1000)::BIGINT AS duration_us, count(*) AS kernels FROM kernel WHERE card = $card "
        "AND list_contains($cores, core) AND ($step IS NULL OR step IS NULL OR step = $step) GROUP BY core "
        "ORDER BY list_position($cores, core)",
        card=card.name,
        cores=list(_CORES),
        step=step,
    )
    if not found.num_rows:
        origin = tables.sources(store, card.name, "kernel")
        raise NoData(origin.message or f"Rank {rank} has no kernels in step {step}.", fix=origin.fix)
    return found


def communication_detail(store: Store, *, rank: int, step: str | None = None, cluster: str | None = None) -> pa.Table:
    """Communication of a rank by what runs beside it, from its timeline, whole µs cut off: not_overlapped_us, overlapped_us.

    A step counts with what lies inside its mark. Raises NoData when the timeline of the rank is not open or has no overlap analysis.
    """
    card = _card(store, rank, cluster)
    at = summary_pipeline.window(store, card, step) or (None, None)
    spans = layers.overlap_slices(store, card.name, *at)
    whole, uncovered = (
        int((end - start).sum()) for _, start, end in (spans[layers.COMMUNICATION], spans[layers.UNCOVERED])
    )
    if not whole and not len(spans[layers.COMPUTING][0]):
        raise NoData(f"Rank {rank} has no overlap analysis.", fix="It comes with traces of framework profilers.")
    row = {"not_overlapped_us": uncovered // 1000, "overlapped_us": (whole - uncovered) // 1000}
    return pa.Table.from_pylist([row], pa.schema([("not_overlapped_us", _I64), ("overlapped_us", _I64)]))


def pipeline(
    store: Store, *, ranks: str | None = None, step: str | None = None, cluster: str | None = None
) -> pa.Table:
    """Passes and point-to-point operators of ranks whose timelines are open, by rank and start.

    Columns: rank, card, lane (`fp_bp` or `p2p`), name, kind (FP, BP or `type <n>`; SEND, RECV, BATCH_SEND_RECV), start_ns (recorded time),
    duration_ns, connection (equal on the two ends of a transfer, null without exactly two). ranks is a list such as `(0, 2)`; all without it.
    Passes come from the tasks that a database holds, else from the flows between forward and backward operators.
    """
    name = cluster_of.names(store)[0] if cluster is None else cluster
    wanted = summary_rows.members_of(ranks) if ranks is not None else None
    rows = []
    for card in store.cards_of("system"):
        mine = card.cluster == name and not card.guest and card.rank is not None and card.rank.isdigit()
        if mine and (wanted is None or int(card.rank or 0) in wanted):
            rows += summary_pipeline.of_card(store, card, step)
    if not rows:
        raise NoData(
            "No open rank has passes of a pipeline.",
            fix="Read the cards of these ranks; they need framework operators.",
        )
    return pa.Table.from_pylist(summary_pipeline.paired(rows), summary_pipeline.SCHEMA)


def expert_load(
    store: Store,
    *,
    stage: Stage = "decode",
    version: Version = "profiling",
    path: str | None = None,
    layers: int | None = None,
    dense: str = "",
    experts: int | None = None,
    cluster: str | None = None,
) -> pa.Table:
    """Load of the experts of a mixture-of-experts model, a row per layer and expert: layer, expert_index, expert_id, rank, visits.

    profiling takes the ns in the experts' kernels of the open ranks, one column per rank; unbalanced and balanced take the counts of a dump whose
    folder is path. layers is the number of layers with those that have no experts, which dense lists (`0,2` or `0-2`). expert_id is -1 where
    nothing is known. Raises BadArgument for figures that do not fit the data, NoData without any.
    """
    name = cluster_of.names(store)[0] if cluster is None else cluster
    found = summary_experts.model(store, name, path, stage, version, layers, dense, experts)
    return summary_experts.grid(found, experts)


def expert_model(
    store: Store,
    *,
    stage: Stage = "decode",
    version: Version = "profiling",
    path: str | None = None,
    cluster: str | None = None,
) -> pa.Table:
    """One row of what the data tell of the model: ranks, experts_per_rank, experts, moe_layers, layers, dense (list), has_visits, has_places."""
    name = cluster_of.names(store)[0] if cluster is None else cluster
    found = summary_experts.model(store, name, path, stage, version, None, "", None)
    row = {
        "ranks": found.data.ranks, "experts_per_rank": found.data.experts_per_rank, "experts": found.columns,
        "moe_layers": found.data.moe_layers, "layers": found.layers, "dense": found.dense,
        "has_visits": bool(found.data.visits), "has_places": bool(found.data.experts),
    }  # fmt: skip
    numbers = [(n, _I32) for n in ("ranks", "experts_per_rank", "experts", "moe_layers", "layers")]
    more = [("dense", pa.list_(_I32)), ("has_visits", pa.bool_()), ("has_places", pa.bool_())]
    return pa.Table.from_pylist([row], pa.schema([*numbers, *more]))


def _card(store: Store, rank: int, cluster: str | None) -> StoreCard:
    """The open card of a rank. Raises NoData without one."""
    name = cluster_of.names(store)[0] if cluster is None else cluster
    for card in store.cards_of("system"):
        if card.rank == str(rank) and card.cluster == name and not card.guest:
            return card
    raise NoData(f"Rank {rank} is not open.", fix="Open its data beside the analysis of the job.")


def _strategy(job: Cluster, algorithm: str | None, **sizes: int | None) -> Strategy:
    """The strategy of the data with what is given instead, checked; given sizes must have room for all devices."""
    found, _ = summary_strategy.collected(job)
    given: dict[str, Any] = {name: size for name, size in sizes.items() if size is not None}
    if algorithm is not None:
        given["algorithm"] = algorithm
    made = replace(found, **given).checked()
    devices = _devices(job)
    if given and made.ranks < devices:
        raise BadArgument(
            f"PP · TP · CP · DP is {made.ranks}, fewer than the {devices} devices.", fix="Enlarge one of the sizes."
        )
    return made


def _with_columns(table: pa.Table, names: list[str]) -> pa.Table:
    """The table with these columns behind rank; stage and bubble are there on one side only sometimes."""
    zeros = np.zeros(table.num_rows)
    return pa.table({"rank": table["rank"], **{n: table[n] if n in table.column_names else zeros for n in names}})


def _devices(job: Cluster) -> int:
    return len(pc.unique(job.table("cluster_step", columns=("rank",), kind="rank")["rank"]))


def _short(value: Decimal) -> str:
    text = f"{value.quantize(Decimal('0.01'), ROUND_HALF_UP):f}"
    return text.rstrip("0").rstrip(".")
