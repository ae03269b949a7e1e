"""From the axis to recorded time: what a selected stretch means on the lanes that it covers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from insight_desktop.engine.store import Store
from insight_desktop.views.timeline.layout import Unit

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import TimelineState, TimeRange


@dataclass(frozen=True)
class Part:
    """A stretch of recorded time on lanes that have one offset.

    Attributes:
        card: name of the card.
        from_ns, to_ns: recorded ns.
        tracks, series: lanes and counters.
        rows: first and last depth row, when only a part of one lane is meant.
        left_out: lanes of the stretch that have another offset, so that other recorded times hold for them.
    """

    card: str
    from_ns: int
    to_ns: int
    tracks: tuple[int, ...]
    series: tuple[int, ...]
    rows: tuple[int, int] | None = None
    left_out: int = 0


def part_of(state: TimelineState, found: TimeRange) -> Part:
    """What a range means in recorded time.

    Where its lanes were moved against each other no single stretch of recorded time says it: those of the most frequent
    offset are taken, the others are counted.
    """
    units = [unit for unit in (state.unit(key) for key in found.keys) if unit is not None]
    groups: dict[int, list[Unit]] = {}
    for unit in units:
        groups.setdefault(state.shift_ns(found.card, unit), []).append(unit)
    shift = max(groups, key=lambda at: len(groups[at])) if groups else state.shift_ns(found.card)
    mine = groups.get(shift, [])
    tracks = tuple(dict.fromkeys(track for unit in mine for track in unit.tracks))
    series = tuple(dict.fromkeys(number for unit in mine for number in unit.series))
    left_out = len(units) - len(mine)
    return Part(found.card, found.start_ns + shift, found.end_ns + shift, tracks, series, found.rows, left_out)


def shift_of_tracks(store: Store, card: str, tracks: Iterable[int]) -> int:
    """Recorded time minus axis time of lanes: that of the first one; the card's without lanes or for an unknown card."""
    if all(known.name != card for known in store.cards):
        return store.base_ns
    return store.shift_ns(card, next(iter(tracks), None))
