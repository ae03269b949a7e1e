"""What does not fit together between the ranks of a job: ranks that are missing, and steps that only some have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.ingest.report import Report

_MOST = 1_000_000  # ranks of a job


def check(tables: Mapping[str, pa.Table], sizes: Mapping[str, int], report: Report) -> None:
    """Name the ranks of a job that were not collected, and those that have other steps than most."""
    steps = _steps(tables["cluster_step"])
    known = set(steps) | set(pc.unique(tables["cluster_time"]["rank"]).to_pylist())
    known.discard(None)
    _missing(known, _expected(tables["cluster_group"], sizes), report)
    for table, what in ((steps, "step times"), (_steps(tables["cluster_time"]), "communication")):
        _other_steps(table, what, report)


def runs(ranks: Iterable[int], most: int = 8) -> str:
    """`3`, `0 to 7, 12`: runs of ranks, the first few."""
    found: list[list[int]] = []
    for rank in sorted(ranks):
        if found and rank == found[-1][1] + 1:
            found[-1][1] = rank
        else:
            found.append([rank, rank])
    texts = [str(a) if a == b else f"{a}, {b}" if b == a + 1 else f"{a} to {b}" for a, b in found[:most]]
    return ", ".join(texts) + (", …" if len(found) > most else "")


def _expected(groups: pa.Table, sizes: Mapping[str, int]) -> set[int]:
    """Ranks that the size of the job or its groups tell of."""
    found = {rank for ranks in groups["ranks"].to_pylist() for rank in ranks or ()}
    return found | set(range(min(sizes.get("world_size", 0), _MOST)))


def _missing(known: set[int], expected: set[int], report: Report) -> None:
    gone = expected - known
    if gone and known:
        report.issue(
            "cluster.ranks_missing", "warning", "ranks",
            f"{len(gone)} of {len(expected | known)} ranks were not collected: {runs(gone)}. Groups keep them, without figures.",
            fix="Add their folders to the project if they were collected.",
        )  # fmt: skip


def _steps(table: pa.Table) -> dict[int, frozenset[str]]:
    """Steps by rank."""
    pairs = table.select(["rank", "step"]).filter(pc.is_valid(table["rank"])).group_by(["rank", "step"]).aggregate([])
    found: dict[int, set[str]] = {}
    for rank, step in zip(pairs["rank"].to_pylist(), pairs["step"].to_pylist(), strict=True):
        found.setdefault(rank, set()).add(step)
    return {rank: frozenset(steps) for rank, steps in found.items()}


def _other_steps(steps: Mapping[int, frozenset[str]], what: str, report: Report) -> None:
    if len(set(steps.values())) < 2:
        return
    usual = Counter(steps.values()).most_common(1)[0][0]
    others: dict[frozenset[str], list[int]] = {}
    for rank, own in steps.items():
        if own != usual:
            others.setdefault(own, []).append(rank)
    for own, ranks in list(others.items())[:8]:
        noun = "Rank" if len(ranks) == 1 else "Ranks"
        report.issue(
            "cluster.other_steps", "warning", f"{what} of {noun.lower()} {runs(ranks)}",
            f"{noun} {runs(ranks)}: {what} of step {_listed(own)}, the other ranks have step {_listed(usual)}.",
            fix="Collect the same steps on all ranks; figures of one step leave these ranks out.",
        )  # fmt: skip


def _listed(steps: Iterable[str]) -> str:
    found: Sequence[str] = sorted(steps, key=lambda s: (not s.isdigit(), int(s) if s.isdigit() else 0, s))
    return ", ".join(found[:6]) + (", …" if len(found) > 6 else "")
