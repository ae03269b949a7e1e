"""What a search asks and gets: hits in the order of the axis, and the names that match for dimming the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import search
from insight_desktop.engine.timeline.search import MATCHES, Match

__all__ = ["MATCHES", "MAX_LENGTH", "Answer", "Match", "Question", "answer"]

MAX_LENGTH = 200


@dataclass(frozen=True)
class Within:
    """A locked selection: only slices that lie fully inside [start, end] (recorded ns) on these tracks are found."""

    card: str
    tracks: tuple[int, ...]
    start_ns: int
    end_ns: int


@dataclass(frozen=True)
class Question:
    """A search: text, card (None for all), match mode, whether large and small letters differ, and where to search."""

    text: str
    card: str | None = None
    match: Match = "contains"
    case: bool = False
    within: Within | None = None


@dataclass(frozen=True)
class Answer:
    """Hits of a question.

    Attributes:
        question: what was asked.
        table: one row per hit by shown start, track, id: card, id, track, lane, name, ts_ns (raw), start_ns (axis),
            dur_ns; ids from the number of slices on are instants.
        matches: string ids of matching names per card, for all cards.
    """

    question: Question
    table: pa.Table
    matches: dict[str, set[int]]


def answer(store: Store, *, question: Question) -> Answer:
    """Search the names; raises BadArgument for an expression that cannot be read."""
    found = search.find(store, question.text, card=question.card, match=question.match, case=question.case)
    if question.within is not None:
        found = _inside(found, question.within)
    matches = {}
    for card in store.cards:
        capture = store.capture(card.name)
        mask = search.name_mask(capture, question.text, question.match, question.case)
        matches[card.name] = set(np.flatnonzero(mask).tolist())
    return Answer(question, _with_places(store, found), matches)


def _inside(found: pa.Table, within: Within) -> pa.Table:
    """The hits that lie fully inside a locked selection."""
    ends = pc.add(found.column("ts_ns"), found.column("dur_ns"))
    tests = (
        pc.equal(found.column("card"), within.card),
        pc.is_in(found.column("track"), pa.array(within.tracks, found.column("track").type)),
        pc.greater_equal(found.column("ts_ns"), within.start_ns),
        pc.less_equal(ends, within.end_ns),
    )
    return found.filter(pc.and_(pc.and_(tests[0], tests[1]), pc.and_(tests[2], tests[3])))


def _with_places(store: Store, found: pa.Table) -> pa.Table:
    """Adds the lane and the axis time of every hit."""
    if not found.num_rows:
        empty = found.append_column("lane", pa.array([], pa.string()))
        return empty.append_column("start_ns", pa.array([], pa.int64()))
    cards = found.column("card").combine_chunks().dictionary_encode()
    codes = np.asarray(cards.indices)
    tracks, stamps = np.asarray(found.column("track")), np.asarray(found.column("ts_ns")).copy()
    starts = stamps.copy()
    names: list[str] = []
    places = np.empty(found.num_rows, np.int64)
    for code, card in enumerate(cards.dictionary.to_pylist()):
        mine = codes == code
        places[mine] = tracks[mine] + len(names)
        names += _lanes(store, card)
        starts[mine] = store.axis_ns(card, stamps[mine], tracks[mine])
    lanes = pc.take(pa.array(names, pa.string()), pa.array(places))
    return found.append_column("lane", lanes).append_column("start_ns", pa.array(starts))


def _lanes(store: Store, card: str) -> list[str]:
    rows = store.capture(card).tracks.select(["thread", "group", "lane"]).to_pylist()
    return [" › ".join(dict.fromkeys(t for t in (r["thread"], r["group"], r["lane"]) if t)) for r in rows]
