"""Ranks that the others wait for, with the evidence, and one figure of every rank in every step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.cluster import Cluster
from insight_desktop.engine.rounding import half_away
from insight_desktop.engine.system import communication_groups as groups_of
from insight_desktop.errors import NoData

Metric = Literal[
    "e2e_us", "computing_us", "computing_not_overlapped_us", "communication_us", "communication_not_overlapped_us",
    "overlapped_us", "free_us", "preparing_us", "stage_us", "bubble_us",
    "communication_not_overlapped_exclude_receive_us", "late_us", "waited_us", "caused_us", "skew_us",
]  # fmt: skip
_ARRIVAL = {"late_us": "late_ms", "waited_us": "waited_ms", "caused_us": "caused_ms", "skew_us": "skew_us"}
_CAUSES = ("computing_us", "free_us", "preparing_us")
_CAUSE_SHARE = 0.1  # of the wait: less than that explains nothing
_DIGITS = 3
_F64, _I32, _TEXT = pa.float64(), pa.int32(), pa.string()
HEAT = pa.schema([("rank", _I32), ("step", _TEXT), ("value_us", _F64), ("median_us", _F64), ("deviation_us", _F64)])
STRAGGLERS = pa.schema(
    [
        ("rank", _I32), ("times", _I32), ("operators", _I32), ("share", _F64), ("caused_ms", _F64),
        ("cost_ms_per_step", _F64), ("waiters", _I32), ("worst_waiter", _I32), ("worst_wait_ms", _F64),
        ("worst_op", _TEXT), ("worst_group", _TEXT), ("worst_step", _TEXT), ("cause", _TEXT), ("cause_us", _F64),
        ("skew_us", _F64),
    ]
)  # fmt: skip
WAITS = pa.schema(
    [
        ("waiter", _I32), ("group", _TEXT), ("step", _TEXT), ("times", _I32), ("wait_ms", _F64), ("longest_ms", _F64),
        ("op", _TEXT),
    ]
)  # fmt: skip


def heat(job: Cluster, metric: Metric) -> pa.Table:
    """Rank, step, value_us, median_us (of the step) and deviation_us; by step, then rank."""
    if metric in _ARRIVAL:
        source = _ARRIVAL[metric]
        rows = job.table("cluster_arrival", columns=("rank", "step", source))
        rows = rows.filter(pc.is_valid(rows[source]))
        value = rows[source].to_numpy() * (1.0 if source == metric else 1000.0)
    else:
        rows = job.table("cluster_step", kind="rank")
        value = _step_value(rows, metric)
    if not rows.num_rows:
        raise NoData(
            f"No rank has {metric.removesuffix('_us').replace('_', ' ')} by step.",
            fix="Collect at profiler_level Level1 or above on several ranks.",
        )
    steps = pc.unique(rows["step"]).to_pylist()
    place = {step: i for i, step in enumerate(groups_of.sorted_steps(steps))}
    number = np.array([place[step] for step in rows["step"].to_pylist()])
    medians = np.array([np.median(value[number == i]) for i in range(len(place))])
    order = np.lexsort((rows["rank"].to_numpy(), number))
    value, middle = half_away(value[order], _DIGITS), half_away(medians[number[order]], _DIGITS)
    return pa.table(
        [rows["rank"].take(order), rows["step"].take(order), value, middle, half_away(value - middle, _DIGITS)],
        schema=HEAT,
    )


def stragglers(job: Cluster, step: str | None, group: str | None, top: int) -> pa.Table:
    """Ranks by what the others waited for them."""
    labels = {g.no: g.label for g in groups_of.listed(job)}
    number = groups_of.chosen(job, group).no if group is not None else None
    rows = job.table("cluster_wait", step=step, group_no=number)
    operators, steps = _operators(job, step, number), max(len(_steps(job, step)), 1)
    if not operators:
        raise NoData(
            "No collective operator is known on two ranks or more.",
            fix="Collect at profiler_level Level1 or above on all ranks of a group.",
        )
    # The rank that waited longest in a group tells how long the group was held up.
    held = rows.group_by(["rank", "step", "group_no"]).aggregate([("wait_ms", "max"), ("times", "max")])
    cost = held.group_by("rank").aggregate([("wait_ms_max", "sum"), ("times_max", "sum")])
    caused = rows.group_by("rank").aggregate([("wait_ms", "sum"), ("waiter", "count_distinct")])
    found = cost.join(caused, "rank").sort_by([("wait_ms_max_sum", "descending"), ("rank", "ascending")]).slice(0, top)
    figures, stages = _rank_figures(job, step), _stages(job)
    skews = _skews(job, step)
    out = []
    for row in found.to_pylist():
        rank = row["rank"]
        own = rows.filter(pc.equal(rows["rank"], rank))
        worst = own.sort_by([("longest_ms", "descending"), ("waiter", "ascending")]).slice(0, 1).to_pylist()[0]
        cost_ms = row["wait_ms_max_sum"] / steps
        cause, cause_us = _cause(rank, own, figures, stages, cost_ms * 1000)
        out.append(
            {
                "rank": rank, "times": row["times_max_sum"], "operators": operators.get(rank, 0),
                "share": row["times_max_sum"] / operators[rank] if operators.get(rank) else None,
                "caused_ms": row["wait_ms_sum"], "cost_ms_per_step": cost_ms,
                "waiters": row["waiter_count_distinct"], "worst_waiter": worst["waiter"],
                "worst_wait_ms": worst["longest_ms"], "worst_op": worst["name"],
                "worst_group": labels.get(worst["group_no"], ""), "worst_step": worst["step"],
                "cause": cause, "cause_us": cause_us, "skew_us": skews.get(rank),
            }
        )  # fmt: skip
    return pa.Table.from_pylist(out, STRAGGLERS)


def waits_for(job: Cluster, rank: int, step: str | None, group: str | None) -> pa.Table:
    """Who waited for a rank: one row per waiter, group and step, longest wait first."""
    labels = {g.no: g.label for g in groups_of.listed(job)}
    number = groups_of.chosen(job, group).no if group is not None else None
    rows = job.table("cluster_wait", rank=rank, step=step, group_no=number)
    rows = rows.sort_by([("wait_ms", "descending"), ("waiter", "ascending"), ("group_no", "ascending")])
    names = [labels.get(number, "") for number in rows["group_no"].to_pylist()]
    columns = [rows[n] for n in ("step", "times", "wait_ms", "longest_ms", "name")]
    return pa.table([rows["waiter"], pa.array(names, _TEXT), *columns], schema=WAITS)


def _step_value(rows: pa.Table, metric: str) -> npt.NDArray[np.float64]:
    def of(name: str) -> npt.NDArray[np.float64]:
        return np.asarray(pc.fill_null(rows[name], 0.0).to_numpy(), np.float64)

    if metric == "e2e_us":
        parts = ("computing_us", "communication_not_overlapped_us", "free_us")
        return sum((of(name) for name in parts), np.maximum(of("preparing_us"), 0.0))
    if metric == "computing_not_overlapped_us":
        return of("computing_us") - of("overlapped_us")
    return np.maximum(of(metric), 0.0)


def _steps(job: Cluster, step: str | None) -> list[str]:
    return (
        [step] if step is not None else pc.unique(job.table("cluster_arrival", columns=("step",))["step"]).to_pylist()
    )


def _operators(job: Cluster, step: str | None, group: int | None) -> dict[int, int]:
    """How many collective operators a rank shares with others; of one group: those that the group has."""
    if group is None:
        rows = job.table("cluster_arrival", columns=("rank", "operators"), step=step)
        sums = rows.group_by("rank").aggregate([("operators", "sum")])
        return dict(zip(sums["rank"].to_pylist(), sums["operators_sum"].to_pylist(), strict=True))
    rows = job.table("cluster_time", columns=("rank", "name"), step=step, group_no=group)
    sums = rows.filter(pc.not_equal(rows["name"], "Total Op Info")).group_by("rank").aggregate([("name", "count")])
    return dict(zip(sums["rank"].to_pylist(), sums["name_count"].to_pylist(), strict=True))


def _rank_figures(job: Cluster, step: str | None) -> dict[str, dict[int, float]]:
    """Mean of computing, free and preparing per rank over the steps."""
    rows = job.table("cluster_step", columns=("rank", *_CAUSES), kind="rank", step=step)
    means = rows.group_by("rank").aggregate([(name, "mean") for name in _CAUSES])
    ranks = means["rank"].to_pylist()
    return {
        name: {r: v for r, v in zip(ranks, means[f"{name}_mean"].to_pylist(), strict=True) if v is not None}
        for name in _CAUSES
    }


def _stages(job: Cluster) -> dict[int, int]:
    """Pipeline index of the ranks that have one."""
    rows = job.table("cluster_step", columns=("rank", "pp"), kind="rank")
    return {r: p for r, p in zip(rows["rank"].to_pylist(), rows["pp"].to_pylist(), strict=True) if p is not None}


def _skews(job: Cluster, step: str | None) -> dict[int, float]:
    rows = job.table("cluster_arrival", columns=("rank", "skew_us"), step=step)
    means = rows.group_by("rank").aggregate([("skew_us", "mean")])
    return dict(zip(means["rank"].to_pylist(), means["skew_us_mean"].to_pylist(), strict=True))


def _cause(
    rank: int,
    own: pa.Table,
    figures: Mapping[str, Mapping[int, float]],
    stages: Mapping[int, int],
    cost_us: float,
) -> tuple[str, float | None]:
    """The figure that a rank has most of beside its peers; empty when none explains what it costs.

    Peers are those that waited for it, weighted by their waits. Stages of a pipeline compute different things, so only peers of the same
    stage count; without any, all other ranks of the stage.
    """
    waiters = own.group_by("waiter").aggregate([("wait_ms", "sum")])
    weights = dict(zip(waiters["waiter"].to_pylist(), waiters["wait_ms_sum"].to_pylist(), strict=True))
    if rank in stages:
        same = {r for r, stage in stages.items() if stage == stages[rank] and r != rank}
        weights = {r: w for r, w in weights.items() if r in same} or dict.fromkeys(same, 1.0)
    best: tuple[str, float | None] = ("", None)
    for name, values in figures.items():
        known = {w: weight for w, weight in weights.items() if w in values}
        whole = sum(known.values())
        if rank not in values or not whole:
            continue
        excess = values[rank] - sum(values[w] * weight for w, weight in known.items()) / whole
        if excess > max(best[1] or 0.0, _CAUSE_SHARE * cost_us):
            best = name, excess
    return best


def metrics() -> tuple[Any, ...]:
    """Names of everything that `heat` knows."""
    return get_args(Metric)
