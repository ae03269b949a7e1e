"""Groups of a job as the pages list them: labels, order, and how a group, step or operator is chosen by its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow.compute as pc

from insight_desktop.engine.cluster import Cluster
from insight_desktop.engine.cluster_derive import rank_set
from insight_desktop.errors import BadArgument, NoData
from insight_desktop.ingest.formats.cluster_text import P2P

_NO_COMMUNICATION = "Collect at profiler_level Level1 or above on more than one card."


@dataclass(frozen=True)
class Listed:
    """One group with its label; `no` is its number in the tables of the cluster."""

    no: int
    label: str
    hash: str
    kind: str
    pg_name: str
    group_id: str
    ranks: tuple[int, ...]


def listed(cluster: Cluster) -> list[Listed]:
    """Groups in the order of the selector: named ones by name, then more ranks first, then by rank numbers.

    The literal group that older exports keep all point-to-point traffic in is not listed.
    """
    rows = [g for g in cluster.table("cluster_group").to_pylist() if g["hash"] != P2P]
    rows.sort(key=lambda g: (not g["pg_name"], g["pg_name"], -len(g["ranks"]), g["ranks"]))
    labels: Counter[str] = Counter()
    found = []
    for k, g in enumerate(rows, 1):
        ranks = rank_set(g["ranks"])
        if g["pg_name"]:
            label = f"{g['pg_name']}:{ranks}"
        else:
            label = f"{ranks}:{g['hash'] if len(rows) == 1 else f'unknown_{k}'}"
        labels[label] += 1
        if labels[label] > 1:
            label = f"{label} #{labels[label]}"
        found.append(Listed(g["group_no"], label, g["hash"], g["kind"], g["pg_name"], g["group_id"], tuple(g["ranks"])))
    return found


def chosen(cluster: Cluster, text: str | None) -> Listed:
    """The group of a label or hash; the first of the list without one.

    Raises NoData without groups, BadArgument for a text that is neither.
    """
    groups = listed(cluster)
    if not groups:
        raise NoData("The job has no communication groups.", fix=_NO_COMMUNICATION)
    if text is None:
        return groups[0]
    for group in groups:
        if text in (group.label, group.hash):
            return group
    raise BadArgument(
        f"There is no communication group {text!r}.", fix=f"Use one of {', '.join(g.label for g in groups[:12])}."
    )


def partner(cluster: Cluster, group: Listed) -> Listed | None:
    """The group of another job that a group is compared with: same name and ranks, else same hash, else none."""
    groups = listed(cluster)
    same = [g for g in groups if g.pg_name == group.pg_name and g.ranks == group.ranks]
    same.sort(key=lambda g: g.hash != group.hash)  # of several with these ranks the one with the same hash
    alike = [g for g in groups if g.hash and g.hash == group.hash]
    return next(iter([*same, *alike]), None)


def steps(cluster: Cluster, table: str = "cluster_time") -> list[str]:
    """Distinct steps of a table by number; those that are no number last."""
    return sorted_steps(pc.unique(cluster.table(table, columns=("step",))["step"]).to_pylist())


def sorted_steps(found: Iterable[str]) -> list[str]:
    """Steps by number, then those that are no number."""
    return sorted(found, key=lambda s: (not s.isdigit(), int(s) if s.isdigit() else 0, s))


def step_of(cluster: Cluster, text: str | None, table: str = "cluster_time") -> str:
    """The step of this text; the first one without a text. An unknown step is taken as it is: it has no rows.

    Raises NoData when the table is empty.
    """
    if text is not None:
        return text
    found = steps(cluster, table)
    if not found:
        raise NoData("The ranks have no communication data.", fix=_NO_COMMUNICATION)
    return found[0]
