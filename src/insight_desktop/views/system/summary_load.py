"""What the Summary page asks in one go: facts, layout, and figures of a job and of its baseline."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from insight_desktop.engine import cluster as jobs
from insight_desktop.engine import compare
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import summary as queries
from insight_desktop.engine.system import summary_pipeline, summary_rows
from insight_desktop.engine.system.summary_layout import DP_VIEW, FULL, Strategy
from insight_desktop.errors import InsightError
from insight_desktop.views.system.summary_words import arguments

_WORDS = ("name", "ranks")


@dataclass(frozen=True)
class First:
    """What is known before anything is shown: strategy of the data, its origin, number of ranks, steps of both jobs."""

    collected: Strategy
    origin: str
    devices: int
    steps: list[str]
    base_steps: list[str] | None


@dataclass(frozen=True)
class Figures:
    """Figures of all elements of a view: of the job, of the baseline, and their differences."""

    found: pa.Table
    times: pa.Table
    base: pa.Table | None = None
    base_times: pa.Table | None = None
    pairs: pa.Table | None = None
    advice: list[dict[str, Any]] = field(default_factory=list)


def first(store: Store, *, cluster: str | None, base: str | None) -> First:
    """Strategy and steps; in a comparison the larger number of ranks counts."""
    row = queries.strategy(store, cluster=cluster).to_pylist()[0]
    collected = Strategy(row["algorithm"], row["tp"], row["pp"], row["dp"], row["cp"], row["ep"], row["moe_tp"])
    devices, base_steps = row["devices"], None
    if base is not None:
        devices = max(devices, queries.strategy(store, cluster=base).to_pylist()[0]["devices"])
        base_steps = queries.steps(store, cluster=base)["step"].to_pylist()
    steps = queries.steps(store, cluster=cluster)["step"].to_pylist()
    return First(collected, row["origin"], devices, steps, base_steps)


def key_of(store: Store, *, cluster: str | None) -> str:
    """What sizes are remembered under: the folders of the ranks, so that the same data have the same key anywhere."""
    folders = sorted(str(m.folder) for m in store.members if cluster is None or m.cluster == cluster)
    folders = folders or sorted(str(c.source_folder) for c in store.cards_of("system") if cluster in (None, c.cluster))
    return f"{cluster or ''}|{folders[0] if folders else ''}|{len(folders)}"


def info(store: Store, *, cluster: str | None, base: str | None) -> list[dict[str, Any]]:
    """Rows of `base_info`: the job, then the baseline."""
    names = [cluster] if base is None else [cluster, base]
    return [queries.base_info(store, cluster=name).to_pylist()[0] for name in names]


@dataclass(frozen=True)
class Layout:
    """Elements and groups of a view, and the place of every rank by its number such as `dp1-pp0-tp3`."""

    elements: pa.Table
    groups: pa.Table
    places: list[str]


def layout(store: Store, *, strategy: Strategy, dimension: Any, cluster: str | None) -> Layout:
    """Elements and groups of a view."""
    given = arguments(strategy)
    found = queries.parallel_layout(store, dimension=dimension, cluster=cluster, **given)
    groups = queries.parallel_groups(store, dimension=dimension, cluster=cluster, **given)
    if dimension == FULL:
        places = found["name"].to_pylist()
    else:
        places = queries.parallel_layout(store, dimension=FULL, cluster=cluster, **given)["name"].to_pylist()
    return Layout(found, groups, places)


def figures(
    store: Store, *, strategy: Strategy | None, dimension: Any, cluster: str | None, step: str | None,
    base: str | None, base_step: str | None,
) -> Figures:  # fmt: skip
    """Figures of a view; the baseline is cut by the same strategy."""
    found, times = _side(store, strategy, dimension, cluster, step)
    if base is None:
        advice = queries.overview_advice(store, step=step, cluster=cluster).to_pylist() if dimension == FULL else []
        return Figures(found, times, advice=advice)
    other, other_times = _side(store, strategy, dimension, base, base_step)
    if dimension == FULL:
        pairs = queries.overview_compare(store, baseline=base, step=step, baseline_step=base_step, cluster=cluster)
    else:
        names = [n for n in found.column_names if n not in ("index", *_WORDS)]
        ours, theirs = (t.select(["index", *names]) if t.num_rows else _empty(names) for t in (found, other))
        pairs = compare.keyed(ours, theirs, ["index"], names, digits=summary_rows.DIGITS)
    return Figures(found, times, other, other_times, pairs)


def _side(
    store: Store, strategy: Strategy | None, dimension: Any, cluster: str | None, step: str | None
) -> tuple[pa.Table, pa.Table]:
    if dimension == FULL:
        return queries.overview(store, step=step, cluster=cluster), _times(store, step, cluster)
    given = arguments(strategy)
    found = queries.folded_overview(store, dimension=dimension, step=step, cluster=cluster, **given)
    times = _NO_TIMES
    if dimension != DP_VIEW:
        times = queries.folded_group_times(store, dimension=dimension, step=step, cluster=cluster, **given)
    return found, times


def _times(store: Store, step: str | None, cluster: str | None) -> pa.Table:
    """Communication by group; without communication files the other figures still stand."""
    try:
        return queries.group_times(store, step=step, cluster=cluster)
    except InsightError:
        return _NO_TIMES


_NO_TIMES = pa.table(
    {"rank": pa.array([], pa.int32()), "pg_name": pa.array([], pa.string()), "time_us": pa.array([], pa.float64())}
)


def _empty(names: list[str]) -> pa.Table:
    return pa.table({"index": pa.array([], pa.int32()), **{n: pa.array([], pa.float64()) for n in names}})


def card_of(store: Store, rank: int, cluster: str | None) -> StoreCard | None:
    """The opened card of a rank."""
    name = jobs.names(store)[0] if cluster is None else cluster
    cards = (c for c in store.cards_of("system") if not c.guest and c.cluster == name)
    return next((c for c in cards if c.rank == str(rank)), None)


def step_window(store: Store, *, card: str, step: str) -> tuple[int, int] | None:
    """Start and end of a step in the timeline of a card, None where it is not marked."""
    return summary_pipeline.window(store, store.card(card), step)


def member_of(store: Store, rank: int, cluster: str | None) -> str | None:
    """Name of the card of a rank that is known but not read."""
    name = jobs.names(store)[0] if cluster is None else cluster
    return next((m.name for m in store.members if m.rank == str(rank) and m.cluster == name), None)
