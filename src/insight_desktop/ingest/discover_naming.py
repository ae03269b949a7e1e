"""Names and order of cards: rank numbers, cluster and host levels, suffixes for ranks that come twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from insight_desktop.ingest import discover_names as names
from insight_desktop.ingest.discover_cards import Draft
from insight_desktop.ingest.discover_paths import natural_key, shown
from insight_desktop.ingest.sources import Card

_SortKey = tuple[object, ...]


def name_cards(drafts: list[Draft]) -> list[Card]:
    """Final cards in display order: cluster, host, rank by number, then those without a rank by title."""
    clusters = _clusters(drafts)
    hosts = _hosts(drafts)
    order = sorted(range(len(drafts)), key=lambda i: _order(drafts[i], clusters[i], hosts[i]))
    several_hosts = len({hosts[i] for i in order if hosts[i]}) > 1
    ranks = Counter((clusters[i], drafts[i].rank) for i in order if drafts[i].rank is not None)
    used: set[str] = set()
    cards: list[Card] = []
    for i in order:
        draft, cluster, host = drafts[i], clusters[i], hosts[i]
        label = _label(draft)
        if several_hosts and host and ranks[cluster, draft.rank] > 1:
            label = f"{host}_{label}"
        if cluster and not draft.apart:
            label = f"{cluster}_{label}"
        numbered = draft.apart and draft.sources[0].area == "service"
        name = _unused(label, used, first=0 if numbered else 2, bare=not numbered)
        cards.append(
            Card(name, draft.rank, draft.device, host, cluster, draft.folder, draft.sources, draft.device_from)
        )
    return cards


def _label(draft: Draft) -> str:
    if draft.rank is not None and not draft.apart:
        return draft.rank
    return shown(draft.title) or shown(draft.folder)


def _unused(label: str, used: set[str], *, first: int, bare: bool) -> str:
    name, k = (label, first) if bare else (f"{label}_{first}", first + 1)
    while name in used:
        name = f"{label}_{k}"
        k += 1
    used.add(name)
    return name


def _order(draft: Draft, cluster: str, host: str) -> _SortKey:
    rank = int(draft.rank) if draft.rank is not None else -1
    return (
        natural_key(cluster),
        natural_key(host),
        draft.rank is None,
        rank,
        natural_key(_label(draft)),
        natural_key(str(draft.folder)),
    )


def _clusters(drafts: list[Draft]) -> list[str]:
    """Name of the cluster level per card: the top folder when two or more levels lie above; empty for one cluster.

    Ranks beside one such folder form a second cluster only when a rank number comes in both. Folders that were chosen
    together, each with several ranks, are clusters of their own under the same condition.
    """
    tops = [_top(draft) for draft in drafts]
    if not any(tops):
        tops = _jobs_chosen(drafts)
    ranks: dict[str, set[str | None]] = {}
    for top, draft in zip(tops, drafts, strict=True):
        if not draft.apart:
            ranks.setdefault(top, set()).add(draft.rank)
    beside = ranks.pop("", set()) - {None}
    if len(ranks) > 1 or any(beside & inside for inside in ranks.values()):
        return [shown(top) for top in tops]
    return [""] * len(drafts)


def _jobs_chosen(drafts: list[Draft]) -> list[str]:
    """Names of the chosen folders when several of them hold several ranks, some with the same number; else empty texts."""
    ranks: dict[Path, set[str]] = {}
    for draft in drafts:
        if draft.root is not None and draft.rank is not None and not draft.apart:
            ranks.setdefault(draft.root, set()).add(draft.rank)
    jobs = [root for root, own in ranks.items() if len(own) > 1]
    if len(set().union(*(ranks[root] for root in jobs))) == sum(len(ranks[root]) for root in jobs):
        return [""] * len(drafts)
    alike = Counter(root.name for root in jobs)
    named = {root: root.name if alike[root.name] == 1 else f"{root.parent.name}_{root.name}" for root in jobs}
    return ["" if draft.root is None or draft.apart else named.get(draft.root, "") for draft in drafts]


def _top(draft: Draft) -> str:
    if draft.root is None or draft.apart:
        return ""
    unit = draft.folder if draft.folder.is_dir() else draft.folder.parent
    try:
        parts = unit.relative_to(draft.root).parts
    except ValueError:  # a lone file, or the output folder itself was chosen
        return ""
    if len(parts) < 2 or names.RANK_FOLDER.match(parts[0]) or names.UNIT_FOLDER.search(parts[0]):
        return ""
    return parts[0]


def _hosts(drafts: list[Draft]) -> list[str]:
    """Host labels; the same host in folders of different runs, or at different times, gets a running number."""
    runs: dict[str, list[tuple[Path, list[tuple[int, int]]]]] = {}
    places: list[int] = []
    for draft in drafts:
        known = runs.setdefault(draft.host, [])
        prefix = draft.folder.parent
        k = next((k for k, run in enumerate(known) if _same_run(run, prefix, draft.session)), len(known))
        if k == len(known):
            known.append((prefix, []))
        if draft.session:
            known[k][1].append(draft.session)
        places.append(k)
    return [
        "" if not draft.host else shown(draft.host) if len(runs[draft.host]) == 1 else f"{shown(draft.host)}_{k + 1}"
        for draft, k in zip(drafts, places, strict=True)
    ]


def _same_run(run: tuple[Path, list[tuple[int, int]]], prefix: Path, session: tuple[int, int] | None) -> bool:
    path, sessions = run
    return path == prefix and (session is None or not sessions or any(_meet(session, other) for other in sessions))


def _meet(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]
