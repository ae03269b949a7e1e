"""The cards that share a communication group: which of them are still to be read."""

from __future__ import annotations

from dataclasses import dataclass

from insight_desktop.engine.timeline import groups
from insight_desktop.views.timeline.layout import Unit
from insight_desktop.views.timeline.state import TimelineState


@dataclass(frozen=True)
class Related:
    """Ranks of a group.

    Attributes:
        unread: names of the cards that are not read yet, by rank.
        busy: some of its cards are being read.
    """

    unread: tuple[str, ...]
    busy: bool


def is_group(unit: Unit) -> bool:
    """Whether a lane shows the operators of a communication group."""
    return unit.node is not None and unit.track is not None and "Group " in unit.title and "Communication" in unit.title


def related(state: TimelineState, unit: Unit) -> Related | None:
    """The cards of the group that a lane shows; None for other lanes and for groups whose ranks are unknown."""
    store = state.context.store
    if not is_group(unit) or not store.members:
        return None
    card = store.card(unit.card)
    ranks = groups.group_ranks(card.source, unit.title)
    if card.guest or not ranks:
        return None
    read = {each.name for each in store.cards}
    of_group = {
        int(m.rank): m.name
        for m in store.members
        if m.rank is not None and m.rank.isdigit() and int(m.rank) in ranks and m.cluster == card.cluster
    }
    waiting = {name for name, item in state.context.reading.items() if item.status in ("waiting", "reading")}
    unread = [of_group[rank] for rank in sorted(of_group) if of_group[rank] not in read]
    return Related(tuple(n for n in unread if n not in waiting), any(n in waiting for n in unread))
