"""Communication groups of a job: hash of a group's id, names and members from the metadata, pipelines and stages, indices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from insight_desktop.ingest.formats.cluster_profiler import group_hash
from insight_desktop.ingest.formats.rank_info import ProfilerMetadata

__all__ = ["Declared", "Group", "declared", "group_hash", "joined", "parallel_index", "stages"]


@dataclass(frozen=True)
class Group:
    """One communication group; `local` maps the local number of a member to its global rank, empty when unknown."""

    hash: str
    kind: str
    ranks: tuple[int, ...]
    group_id: str = ""
    pg_name: str = ""
    local: tuple[int, ...] = ()


@dataclass(frozen=True)
class Declared:
    """What the metadata of a rank tells of a group."""

    group_id: str
    pg_name: str
    ranks: tuple[int, ...]


def declared(metadata: Iterable[ProfilerMetadata]) -> dict[str, Declared]:
    """Groups that the ranks declare, by hash; the first rank that declares a group wins."""
    found: dict[str, Declared] = {}
    hashes: dict[str, str] = {}  # thousands of ranks declare the same ids
    for rank in metadata:
        for group in rank.groups:
            key = hashes.get(group.id)
            if key is None:
                key = hashes[group.id] = group_hash(group.id)
            found.setdefault(key, Declared(group.id, group.name, group.ranks))
    return found


def joined(observed: Iterable[tuple[str, str, int]], known: Mapping[str, Declared]) -> list[Group]:
    """The groups of a job in order of first appearance, collective ones first.

    Args:
        observed: kind, hash and rank of everything that was seen, in reading order.
        known: what the metadata tell.

    Returns:
        One group per hash: used by both kinds it is p2p with all ranks of both. Members that were not collected are kept when the
        metadata name them.
    """
    ranks: dict[str, dict[str, set[int]]] = {"collective": {}, "p2p": {}}
    for kind, key, rank in observed:
        ranks[kind if kind in ranks else "collective"].setdefault(key, set()).add(rank)
    groups = []
    for key in [*ranks["collective"], *(k for k in ranks["p2p"] if k not in ranks["collective"])]:
        seen = ranks["collective"].get(key, set()) | ranks["p2p"].get(key, set())
        facts = known.get(key, Declared("", "", ()))
        members = tuple(sorted(facts.ranks or seen))
        kind = "p2p" if key in ranks["p2p"] else "collective"
        groups.append(Group(key, kind, members, facts.group_id, facts.pg_name, facts.ranks))
    return groups


def stages(groups: Iterable[Group]) -> list[tuple[int, ...]]:
    """Pipeline stages by smallest rank; none without p2p groups whose name begins with pp."""
    groups = list(groups)
    pipelines = _united(g.ranks for g in groups if g.kind == "p2p" and g.pg_name.lower().startswith("pp"))
    if not pipelines:
        return []
    return _united(
        g.ranks
        for g in groups
        if g.kind == "collective" and all(len(pipeline & set(g.ranks)) <= 1 for pipeline in map(set, pipelines))
    )


def parallel_index(sizes: Mapping[str, int], ranks: int) -> dict[int, tuple[int, int, int]]:
    """Data, pipeline and tensor parallel index per rank; empty when the sizes do not fit together or to the ranks.

    Args:
        sizes: `distributed_args` of the metadata.
        ranks: number of ranks that have step data.
    """
    if not sizes:
        return {}
    tp, pp, dp, cp, ep = (
        max(sizes.get(f"{name}_size", 1), 1)
        for name in (
            "tensor_model_parallel", "pipeline_model_parallel", "data_parallel", "context_parallel", "expert_model_parallel",
        )
    )  # fmt: skip
    world = sizes.get("world_size", 0)
    # The context size is not part of the product: what the collector's own analysis demands.
    if world != tp * pp * dp or dp % ep or dp * cp % ep:
        return {}
    block, width = world // pp, tp * cp
    lists = [
        range(begin + k, begin + block, width) for begin in range(0, world, block) for k in range(min(width, block))
    ]
    found: dict[int, tuple[int, int, int]] = {}
    for i in range(max(map(len, lists), default=0)):
        for position, rank in enumerate(one[i] for one in lists if i < len(one)):
            found[rank] = (i, position // tp, position % tp)
    return found if len(found) >= ranks else {}


def _united(sets: Iterable[Iterable[int]]) -> list[tuple[int, ...]]:
    """Sets that share a member become one; by smallest member."""
    parent: dict[int, int] = {}

    def root(rank: int) -> int:
        parent.setdefault(rank, rank)
        while parent[rank] != rank:
            parent[rank] = parent[parent[rank]]
            rank = parent[rank]
        return rank

    for members in sets:
        first: int | None = None
        for rank in members:
            first = rank if first is None else first
            a, b = root(first), root(rank)
            parent[max(a, b)] = min(a, b)
    found: dict[int, list[int]] = {}
    for rank in sorted(parent):
        found.setdefault(root(rank), []).append(rank)
    return [tuple(ranks) for _, ranks in sorted(found.items())]
