"""Groups and ranks that the others wait for: at three levels, by the time that each spends in its dp, cp and tp groups."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from insight_desktop.engine.rounding import half_away
from insight_desktop.engine.system.summary_layout import CP_VIEW, FULL, PP_VIEW, Element, Strategy, elements

SHARE = 0.05  # of the longest time in the domain
TOP, _KEPT = 3, 10
_LEVELS = (("dp", PP_VIEW), ("cp", CP_VIEW), ("tp", FULL))
Times = Mapping[str, Mapping[int, float]]  # name of the group → rank → µs


@dataclass(frozen=True)
class Slow:
    """One element that the others wait for; `waits` are the µs by which it is shorter, by name of the group."""

    element: Element
    waits: dict[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """All waits together."""
        return sum(self.waits.values())


def slow(strategy: Strategy, times: Times, view: str = FULL) -> list[Slow] | None:
    """Up to three elements by their waits, largest first; None when the groups of the data do not match the strategy.

    Args:
        strategy: sizes and algorithm.
        times: communication time of every rank by name of the group.
        view: the last level that is looked at: without tp and cp, without tp, or full.
    """
    found: list[Slow] = []
    for dimension, level in _LEVELS:
        if strategy.size(dimension) > 1:
            at_level = _level(strategy, times.get(dimension, {}), dimension, level, found)
            if at_level is None:
                return None
            found = at_level
        if level == view:
            break
    return found


def folded(of: Element, values: Mapping[int, float]) -> float | None:
    """Mean over the ranks of an element that have a value, three decimals; None without any."""
    own = [values[rank] for rank in of.ranks if rank in values]
    return float(half_away(sum(own) / len(own), 3)) if own else None


def _level(
    strategy: Strategy, values: Mapping[int, float], dimension: str, level: str, before: list[Slow]
) -> list[Slow] | None:
    """The slowest elements of one level; those of the level before, if any, limit it and hand their waits on."""
    squares = elements(strategy, level)
    known = {e.index: time for e in squares if (time := folded(e, values)) is not None}
    if not known:
        return None
    domains: dict[tuple[int, ...], list[Element]] = {}
    key = _domain(dimension)
    for e in squares:
        if e.index in known:
            domains.setdefault(key(e), []).append(e)
    parents = {rank: parent for parent in before for rank in parent.element.ranks}
    candidates: list[Slow] = []
    for members in domains.values():
        longest = max(known[e.index] for e in members)
        if longest <= 0:
            continue
        for e in members:
            wait = float(half_away(longest - known[e.index], 3))
            parent = parents.get(e.ranks[0])
            if parent is not None:
                candidates.append(Slow(e, {**parent.waits, dimension: wait}))
            elif not before and wait / longest > SHARE:
                candidates.append(Slow(e, {dimension: wait}))
    kept = heapq.nlargest(_KEPT, candidates, key=lambda s: (s.total, -s.element.index))
    return [replace(s) for s in kept[:TOP]]


def _domain(dimension: str) -> Callable[[Element], tuple[int, ...]]:
    """Elements with the same place in the other dimensions are compared."""
    others = [d for d in ("dp", "pp", "cp", "tp") if d != dimension]
    return lambda e: tuple(e.at[d] for d in others)
