"""What the Communication page shows: job, baseline, step, group and operator; and where these choices come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from insight_desktop.engine import cluster as cluster_of
from insight_desktop.engine.cluster import Cluster
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import communication as queries
from insight_desktop.engine.system import communication_groups as group_queries
from insight_desktop.errors import NoData
from insight_desktop.ingest.formats.cluster_rank import TOTAL
from insight_desktop.views.common.context import CommunicationPlace

_SHOWN_RANKS = 4  # of a group whose ranks do not all fit into its label


@dataclass(frozen=True)
class Group:
    """One group as the selector lists it; `label` is its unique text, `base_only` says that only the baseline has it."""

    label: str
    hash: str = ""
    kind: str = ""
    pg_name: str = ""
    ranks: tuple[int, ...] = ()
    base_only: bool = False

    @property
    def short(self) -> str:
        """The label with few ranks: `tp:(0, 1, … 7)`."""
        whole = ", ".join(map(str, self.ranks))
        if len(self.ranks) <= _SHOWN_RANKS + 1 or whole not in self.label:
            return self.label
        head = ", ".join(map(str, self.ranks[: _SHOWN_RANKS - 2]))
        return self.label.replace(whole, f"{head}, … {self.ranks[-1]}", 1)


@dataclass(frozen=True)
class Choice:
    """What is shown. `base` is the job that `cluster` is compared with, None for none."""

    cluster: str
    step: str
    group: Group
    op: str = TOTAL
    base: str | None = None
    base_step: str | None = None

    @property
    def is_compared(self) -> bool:
        return self.base is not None

    @property
    def is_total(self) -> bool:
        """All operators of the group together."""
        return self.op == TOTAL

    def arguments(self) -> dict[str, Any]:
        """For queries of one job."""
        return {"cluster": self.cluster, "step": self.step, "group": self.group.label}

    def compare_arguments(self) -> dict[str, Any]:
        """For queries of two jobs."""
        return {**self.arguments(), "baseline": self.base, "baseline_step": self.base_step}

    def baseline(self) -> Choice:
        """The side of the baseline alone: its group goes by the same hash, its step is that of the baseline."""
        assert self.base is not None
        return replace(self, cluster=self.base, step=self.base_step or self.step, base=None, base_step=None)

    @property
    def text(self) -> str:
        """Group and operator, for the quiet words behind titles."""
        return f"{self.group.short} · {self.op}"


@dataclass(frozen=True)
class Offers:
    """What the selectors offer; `key` is another one when the data of the job are."""

    clusters: tuple[str, ...]
    cluster: str
    base: str | None
    steps: tuple[str, ...]
    base_steps: tuple[str, ...]
    groups: tuple[Group, ...]
    issues: tuple[Any, ...] = ()
    source: str = ""
    key: str = ""


def offers(store: Store, *, cluster: str | None, base: str | None) -> Offers:
    """Jobs, steps and groups that can be chosen.

    Raises NoData when the job has no communication data.
    """
    names = tuple(cluster_of.names(store))
    chosen = cluster if cluster in names else names[0]
    other = base if base in names and base != chosen else None
    job = cluster_of.opened(store, chosen)
    steps = steps_of(job)
    groups = groups_of(store, chosen)
    if not steps or not groups:
        raise NoData(
            "The ranks have no communication data.",
            fix="Collect at profiler_level Level1 or above on more than one card.",
        )
    if other is not None:
        known = {(g.pg_name, g.ranks) for g in groups} | {(g.hash,) for g in groups if g.hash}
        labels = {g.label for g in groups}
        for group in groups_of(store, other):
            if (group.pg_name, group.ranks) in known or (group.hash,) in known or group.label in labels:
                continue
            groups += (replace(group, base_only=True),)
    base_steps = steps_of(cluster_of.opened(store, other)) if other is not None else ()
    return Offers(names, chosen, other, steps, base_steps, groups, tuple(job.issues), job.source, job.key)


def steps_of(job: Cluster) -> tuple[str, ...]:
    """Steps of the operators and of the links: a job may have only one of both."""
    return tuple(group_queries.sorted_steps({*group_queries.steps(job), *group_queries.steps(job, "cluster_matrix")}))


def groups_of(store: Store, cluster: str) -> tuple[Group, ...]:
    """Groups of a job in the order of the selector."""
    rows = queries.groups(store, cluster=cluster).to_pylist()
    return tuple(Group(r["group"], r["hash"], r["type"], r["pg_name"], tuple(r["ranks"])) for r in rows)


def operators(store: Store, *, choice: Choice) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the operators of a step and group, and of its links."""
    arguments = (choice.baseline() if choice.group.base_only and choice.is_compared else choice).arguments()
    names = queries.operators(store, **arguments)["name"].to_pylist()
    links = queries.operators(store, matrix=True, **arguments)["name"].to_pylist()
    return tuple(names), tuple(links)


def matching(groups: Sequence[Group], place: CommunicationPlace) -> Group | None:
    """The group of a place: same label or hash, else same name and ranks, else same ranks; None without one."""
    wanted, ranks = place.group or "", tuple(sorted(place.ranks))
    rules = (
        lambda g: bool(wanted) and wanted in (g.label, g.hash),
        lambda g: bool(ranks) and (g.pg_name, g.ranks) == (wanted, ranks),
        lambda g: bool(ranks) and g.ranks == ranks,
        lambda g: bool(wanted) and not ranks and g.pg_name == wanted,
    )
    return next((g for rule in rules for g in groups if rule(g)), None)
