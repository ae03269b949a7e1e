"""The ranks of a job as discovery found them: a job is analysed from small files, whether or not its cards are read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from insight_desktop.ingest.sources import Card, Source


@dataclass(frozen=True)
class Member:
    """One card of a project, opened or not.

    Attributes:
        name: as the card is called in the store.
        rank: rank number as text, None when unknown.
        cluster: name of the job, empty when there is one only.
        source: the files in the kind that is in use.
        folder: where the data lie.
    """

    name: str
    rank: str | None
    cluster: str
    source: Source
    folder: Path


def member(card: Card, *, name: str | None = None, kind: str | None = None) -> Member:
    """The member that a card is; under another name or in another kind when these are given."""
    return Member(name or card.name, card.rank, card.cluster, card.source(kind), card.folder)


def members(cards: Iterable[Card]) -> tuple[Member, ...]:
    """Members of the area system, all in their preferred kind."""
    return tuple(member(card) for card in cards if card.area == "system")
