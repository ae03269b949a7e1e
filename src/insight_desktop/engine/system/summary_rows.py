"""Figures per rank and per folded element of the Summary page, from the step table of a cluster. All times in µs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.cluster import Cluster
from insight_desktop.engine.rounding import half_away
from insight_desktop.engine.system.summary_layout import DP_VIEW, Strategy, elements
from insight_desktop.errors import BadArgument, NoData
from insight_desktop.ingest.formats.cluster_rank import TOTAL

DIGITS = 3
SPREAD = 0.05  # of the mean step time
_SUMMED = (
    "computing_us", "communication_not_overlapped_us", "overlapped_us", "communication_us", "free_us", "stage_us",
    "bubble_us", "communication_not_overlapped_exclude_receive_us", "preparing_us",
)  # fmt: skip
_OPTIONAL = ("stage_us", "bubble_us")
_FOLDED = ("computing_us", "communication_us", "communication_not_overlapped_us", "free_us", "e2e_us")
_SPREAD_OF = ("computing_us", "communication_not_overlapped_us", "free_us")
_Numbers = npt.NDArray[np.float64]


def per_rank(cluster: Cluster, step: str | None) -> pa.Table:
    """Figures of every rank in rank order: of one step, or summed over all when None.

    Columns: rank, the times of the step table (stage_us and bubble_us only when they have a value), e2e_us, computing_not_overlapped_us,
    computing_ratio and communication_ratio in percent (0 without time); three decimals.
    """
    rows = cluster.table("cluster_step", kind="rank", step=step)
    sums = rows.group_by("rank", use_threads=False).aggregate([(name, "sum") for name in _SUMMED]).sort_by("rank")
    values = {name: half_away(pc.fill_null(sums[f"{name}_sum"], 0.0), DIGITS) for name in _SUMMED}
    values["preparing_us"] = np.maximum(values["preparing_us"], 0.0)
    values |= _made(values)
    kept = [n for n in values if n not in _OPTIONAL or values[n].any()]
    return pa.table({"rank": sums["rank"], **{n: values[n] for n in kept}})


def with_members(found: pa.Table, ranks: Sequence[int]) -> pa.Table:
    """The rows of exactly these ranks; those without data have zeros."""
    index = {rank: i for i, rank in enumerate(found["rank"].to_pylist())}
    rows = [index.get(rank) for rank in ranks]
    taken = found.take(pa.array(rows, pa.int64()))
    columns = {n: pc.fill_null(taken[n], 0.0) for n in found.column_names if n != "rank"}
    return pa.table({"rank": pa.array(ranks, pa.int32()), **columns})


def ordered(found: pa.Table, by: str, top: int | None) -> pa.Table:
    """Sorted first, then cut: a figure from the largest down (ties by rank), ranks upwards.

    Raises BadArgument for an unknown column or a top below 1.
    """
    key = found.column_names[0]
    if by not in found.column_names or pa.types.is_string(found.schema.field(by).type):
        raise BadArgument(f"There is no column {by!r} to order by.", fix=f"Use one of {', '.join(found.column_names)}.")
    if top is not None and top < 1:
        raise BadArgument(f"top is {top}.", fix="Use 1 or more, or leave it out.")
    keys = [(key, "ascending")] if by == key else [(by, "descending"), (key, "ascending")]
    return found.sort_by(keys).slice(0, top)


def members_of(text: str) -> tuple[int, ...]:
    """Ranks of `(0, 1)`, `dp:(0, 1)` or `0,1`. Raises BadArgument for anything else."""
    found = re.fullmatch(r"(?:.*:)?\s*\(?\s*(\d+(?:\s*,\s*\d+)*)\s*,?\s*\)?(?: #\d+)?", text.strip())
    if found is None:
        raise BadArgument(f"{text!r} is no list of ranks.", fix="Write it as (0, 1).")
    return tuple(sorted({int(digits) for digits in re.findall(r"\d+", found[1])}))


def spreads(found: pa.Table) -> list[dict[str, Any]]:
    """Figures that differ by more than 5 % of the mean step time between the ranks: metric, difference_us, share."""
    if not found.num_rows:
        return []
    mean = float(np.mean(found["e2e_us"].to_numpy()))
    rows = []
    for name in _SPREAD_OF:
        values = found[name].to_numpy()
        difference = float(half_away(float(values.max() - values.min()), DIGITS))
        if mean > 0 and difference / mean > SPREAD:
            rows.append({"metric": name, "difference_us": difference, "share": difference / mean})
    return rows


def folded(found: pa.Table, strategy: Strategy, dimension: str) -> pa.Table:
    """Extremes of the elements of a folded view that have data.

    Columns: index, name, ranks (text), then max_, min_ and range_ of computing, communication, communication_not_overlapped (without
    range), free and e2e; in the view of dp alone sum_of_max_ instead, over the stages.
    """
    if dimension == DP_VIEW:
        return _sums_of_stages(found, strategy)
    values = {n: dict(zip(found["rank"].to_pylist(), found[n].to_pylist(), strict=True)) for n in _FOLDED}
    rows: list[dict[str, Any]] = []
    for e in elements(strategy, dimension):
        ranks = [rank for rank in e.ranks if rank in values["computing_us"]]
        if not ranks or max(values["computing_us"][rank] for rank in ranks) == 0:
            continue
        row: dict[str, Any] = {"index": e.index, "name": e.name, "ranks": e.ranks_text}
        for n in _FOLDED:
            own = [values[n][rank] for rank in ranks]
            row[f"max_{n}"], row[f"min_{n}"] = _three(max(own)), _three(min(own))
            if n != "communication_not_overlapped_us":
                row[f"range_{n}"] = _three(max(own) - min(own))
        rows.append(row)
    return _element_table(rows)


def group_times(cluster: Cluster, step: str | None) -> pa.Table:
    """Communication time of every rank by name of its groups, those of one name added up: rank, pg_name, time_us."""
    names = {g["group_no"]: g["pg_name"] for g in cluster.table("cluster_group").to_pylist() if g["pg_name"]}
    rows = cluster.table("cluster_time", columns=("rank", "group_no", "elapse_ms"), step=step, name=TOTAL)
    sums: dict[tuple[int, str], float] = {}
    for rank, number, elapse in zip(*(rows[n].to_pylist() for n in ("rank", "group_no", "elapse_ms")), strict=True):
        if number in names:
            key = rank, names[number]
            sums[key] = sums.get(key, 0.0) + (elapse or 0.0)
    keys = sorted(sums)
    times = half_away(np.array([sums[key] for key in keys]) * 1000, DIGITS)
    return pa.table(
        {
            "rank": pa.array([rank for rank, _ in keys], pa.int32()),
            "pg_name": pa.array([name for _, name in keys], pa.string()),
            "time_us": pa.array(times, pa.float64()),
        }
    )


def by_name(times: pa.Table) -> dict[str, dict[int, float]]:
    """`group_times` as name → rank → µs."""
    found: dict[str, dict[int, float]] = {}
    for row in times.to_pylist():
        found.setdefault(row["pg_name"], {})[row["rank"]] = row["time_us"]
    return found


def need_rows(found: pa.Table, step: str | None) -> pa.Table:
    """The table itself. Raises NoData when it is empty."""
    if not found.num_rows:
        where = "" if step is None else f" in step {step}"
        raise NoData(f"No rank has step times{where}.", fix="Collect with a schedule, or choose another step.")
    return found


def _made(values: Mapping[str, _Numbers]) -> dict[str, _Numbers]:
    computing, communication = values["computing_us"], values["communication_us"]
    whole = half_away(
        computing + values["communication_not_overlapped_us"] + values["free_us"] + values["preparing_us"], DIGITS
    )
    return {
        "computing_not_overlapped_us": half_away(computing - values["overlapped_us"], DIGITS),
        "e2e_us": whole,
        "computing_ratio": _percent(computing, whole),
        "communication_ratio": _percent(communication, whole),
    }


def _percent(part: _Numbers, whole: _Numbers) -> _Numbers:
    return half_away(np.divide(100 * part, whole, out=np.zeros_like(whole), where=whole != 0), DIGITS)


def _sums_of_stages(found: pa.Table, strategy: Strategy) -> pa.Table:
    """Per data parallel index: the maxima of its pipeline stages added up."""
    by_stage = folded(found, strategy, "ep-dp-pp").to_pylist()
    stages = {e.index: e for e in elements(strategy, "ep-dp-pp")}
    rows = []
    for e in elements(strategy, DP_VIEW):
        own = [row for row in by_stage if stages[row["index"]].at["dp"] == e.at["dp"]]
        if own:
            sums = {f"sum_of_max_{n}": _three(sum(row[f"max_{n}"] for row in own)) for n in _FOLDED if n != "e2e_us"}
            rows.append({"index": e.index, "name": e.name, "ranks": e.ranks_text, **sums})
    return _element_table(rows)


def _element_table(rows: list[dict[str, Any]]) -> pa.Table:
    figures = [n for n in (rows[0] if rows else ()) if n not in ("index", "name", "ranks")]
    kinds = [("index", pa.int32()), ("name", pa.string()), ("ranks", pa.string())]
    return pa.Table.from_pylist(rows, pa.schema([*kinds, *((n, pa.float64()) for n in figures)]))


def _three(value: float) -> float:
    return float(half_away(value, DIGITS))
