"""One filter for drawing and for tables: the terms of `filter_text` become masks over strings and tracks of a card.

Drawing asks `CardFilter.names`, `tracks` and the bounds of the duration, which fit merged spans as well; tables ask
`ids`, `keep` or, for rows that are no slices, `table_mask`. Terms over categories and arguments need the slice itself.
"""

from __future__ import annotations

import re
import threading
import weakref
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import args_search
from insight_desktop.engine.timeline.filter_text import Filter, Term
from insight_desktop.engine.timeline.filter_text import parse as parse
from insight_desktop.engine.timeline.lane_kinds import title
from insight_desktop.engine.timeline.search import hits, lanes_of
from insight_desktop.errors import BadArgument, NoData

__all__ = ["CardFilter", "Filter", "Term", "lanes_named", "of_card", "parse", "table_mask"]

_KEPT = 8  # filters of a capture that are remembered
_DURATIONS = ("dur_ns", "duration_ns")


@dataclass(frozen=True, eq=False)
class CardFilter:
    """A filter made ready for one card.

    Attributes:
        filter: what the user wrote.
        empty: nothing of the card passes (another rank is wanted).
        names: one truth value per string id: does the name pass; None when all do.
        tracks: one truth value per track; None when all pass.
        categories: one truth value per string id; None when all pass.
        uncategorised: slices without a category pass.
        min_ns, max_ns: durations that pass, None for open.
    """

    filter: Filter
    card: StoreCard
    capture: Capture
    empty: bool
    names: Array | None
    tracks: Array | None
    categories: Array | None
    uncategorised: bool
    min_ns: int | None
    max_ns: int | None

    @property
    def exact_spans(self) -> bool:
        """Names, tracks and durations tell everything; otherwise a slice must be asked with `keep`."""
        return self.categories is None and not self.filter.of("args")

    def spans(self, name: Array, start: Array, end: Array) -> Array:
        """One truth value per span of a frame (string id, start, end): name and duration pass."""
        found = np.full(len(name), not self.empty, np.bool_)
        if self.names is not None:
            found &= self.names[name]
        return found & self._duration(end - start)

    def keep(self, ids: Array) -> Array:
        """One truth value per slice or instant (ids from the number of slices on)."""
        capture, count = self.capture, len(self.capture.slice_start)
        found = np.full(len(ids), not self.empty, np.bool_)
        for point in (False, True):
            mine = np.flatnonzero((ids >= count) == point)
            if not len(mine) or self.empty:
                continue
            rows = ids[mine] - count if point else ids[mine]
            kind = "instant" if point else "slice"
            passed = np.ones(len(rows), np.bool_)
            if self.names is not None:
                passed &= self.names[np.asarray(capture.column(f"{kind}_name"))[rows]]
            if self.min_ns is not None or self.max_ns is not None:
                lengths = np.zeros(len(rows), np.int64) if point else _lengths(capture, rows)
                passed &= self._duration(lengths)
            if self.tracks is not None:
                passed &= self.tracks[_tracks(capture, rows, point)]
            if self.categories is not None:
                passed &= self._category(np.asarray(capture.column(f"{kind}_category")), rows)
            found[mine] = passed
        return self._args(ids, found)

    def slice_mask(self) -> Array:
        """One truth value per slice of the card."""
        return self.keep(np.arange(len(self.capture.slice_start)))

    def ids(self) -> Array:
        """Ids of the slices and instants that pass, by start, track, id."""
        names = self.names if self.names is not None else np.ones(len(self.capture.strings), np.bool_)
        found = hits(self.capture, names) if not self.empty else np.empty(0, np.int64)
        return found[self.keep(found)]

    def _duration(self, lengths: Array) -> Array:
        found = np.ones(len(lengths), np.bool_)
        if self.min_ns is not None:
            found &= lengths >= self.min_ns
        if self.max_ns is not None:
            found &= lengths <= self.max_ns
        return found

    def _category(self, column: Array, rows: Array) -> Array:
        if not len(column) or self.categories is None or not len(self.categories):
            return np.full(len(rows), self.uncategorised, np.bool_)
        kinds = column[rows]
        return np.where(kinds >= 0, self.categories[np.maximum(kinds, 0)], self.uncategorised)

    def _args(self, ids: Array, found: Array) -> Array:
        for term in self.filter.of("args"):
            left = np.flatnonzero(found)
            held = args_search.contains(self.card, self.capture, ids[left], term.text)
            found[left[held == term.negated]] = False
        return found


_lock = threading.Lock()
_made: weakref.WeakKeyDictionary[Capture, OrderedDict[tuple[str, str, str], CardFilter]] = weakref.WeakKeyDictionary()


def of_card(store: Store, card: str, text: str | Filter) -> CardFilter:
    """The filter made ready for a card. Raises BadArgument that names the character which cannot be read."""
    chosen, capture = store.card(card), store.capture(card)
    asked = parse(text) if isinstance(text, str) else text
    key = (chosen.name, chosen.rank or "", asked.text)
    with _lock:
        known = _made.setdefault(capture, OrderedDict())
        if key in known:
            known.move_to_end(key)
            return known[key]
    found = _make(chosen, capture, asked)
    with _lock:
        known[key] = found
        while len(known) > _KEPT:
            known.popitem(last=False)
    return found


def lanes_named(store: Store, card: str, lane: str | None) -> list[int] | None:
    """Tracks whose title contains the text, as the filter term `lane:` takes it; None (all) without one.

    Raises NoData when there is no such lane.
    """
    if lane is None:
        return None
    quoted = lane.replace('"', "")
    found = of_card(store, card, f'lane:"{quoted}"').tracks
    tracks = np.flatnonzero(found).tolist() if found is not None else []
    if not tracks:
        raise NoData(f"Card {card} has no lane {lane!r}.", fix="Ask system.timeline.lanes for their names.")
    return [int(track) for track in tracks]


def table_mask(
    asked: Filter | str, table: pa.Table, *, name: str = "name", lane: str = "lane"
) -> tuple[Array, tuple[Term, ...]]:
    """Rows of any table that pass, by its own columns: one truth value per row, and the terms it has no column for.

    Args:
        asked: the filter.
        table: names in the column `name`, durations in `dur_ns` or `duration_ns`, ranks in `rank` or `card`, lanes in
            `lane`, categories in `category`, arguments in `args`; what is missing is not asked.
        name: column of the names.
        lane: column of the lanes.
    """
    asked = parse(asked) if isinstance(asked, str) else asked
    columns = set(table.column_names)
    found, unasked = np.ones(table.num_rows, np.bool_), []
    places = {"name": name, "regex": name, "lane": lane, "cat": "category", "args": "args"}
    places["rank"] = "rank" if "rank" in columns else "card"
    places["dur"] = next((c for c in _DURATIONS if c in columns), _DURATIONS[0])
    for term in asked.terms:
        place = places[term.kind]
        if place not in columns:
            unasked.append(term)
        elif term.kind == "dur":
            low, high = term.bounds
            lengths = table[place].fill_null(0).to_numpy()
            found &= (lengths >= low if low is not None else True) & (lengths <= high if high is not None else True)
        else:
            texts = table[place].combine_chunks()
            texts = texts.dictionary_decode() if pa.types.is_dictionary(texts.type) else texts
            found &= _texts(term, texts.cast(pa.large_string())) != term.negated
    return found, tuple(unasked)


def _make(card: StoreCard, capture: Capture, asked: Filter) -> CardFilter:
    ranked = [rank_passes(term, card.rank, card.name) != term.negated for term in asked.of("rank")]
    low, high = asked.bounds
    kinds = asked.of("cat")
    lanes = asked.of("lane")
    tracks = None
    if lanes:
        columns = ["process", "thread", "group", "lane"]
        titles = pa.array([title(row) for row in capture.tracks.select(columns).to_pylist()], pa.large_string())
        tracks = _all(lanes, titles)
    names = asked.of("name", "regex")
    return CardFilter(
        asked,
        card,
        capture,
        not all(ranked),
        _all(names, capture.strings) if names else None,
        tracks,
        _all(kinds, capture.strings) if kinds else None,
        all(term.negated for term in kinds),
        low,
        high,
    )


def rank_passes(term: Term, rank: str | None, card: str) -> bool:
    """Whether a card is of the ranks that the term names."""
    for wanted in term.ranks:
        if isinstance(wanted, str):
            if wanted.lower() in (card.lower(), (rank or "").lower()):
                return True
        elif any(
            t is not None and re.fullmatch(r"\d{1,18}", t) and wanted[0] <= int(t) <= wanted[1] for t in (rank, card)
        ):
            return True
    return False


def _all(terms: tuple[Term, ...], texts: pa.Array) -> Array:
    found = np.ones(len(texts), np.bool_)
    for term in terms:
        found &= _texts(term, texts) != term.negated
    return found


def _texts(term: Term, texts: pa.Array) -> Array:
    """Which texts fulfil a term, negation apart; null does not."""
    if term.kind == "rank":
        return np.array([rank_passes(term, None, text or "") for text in texts.to_pylist()], np.bool_)
    if term.kind in ("name", "args"):
        found = pc.match_substring(texts, term.text, ignore_case=True)
    elif term.kind == "cat":
        found = pc.match_substring_regex(texts, rf"\A(?:{re.escape(term.text)})\z", ignore_case=True)
    elif term.kind == "lane":
        found = pc.match_substring_regex(texts, _uncut(term.text), ignore_case=True)
    else:
        found = _regex(term, texts)
    return np.asarray(pc.fill_null(found, False).to_numpy(zero_copy_only=False), np.bool_)


def _uncut(text: str) -> str:
    """An expression for the text, whose numbers at the edges are whole."""
    before = r"(?:\A|[^0-9])" if text[:1].isdigit() else ""
    after = r"(?:\z|[^0-9])" if text[-1:].isdigit() else ""
    return f"{before}{re.escape(text)}{after}"


def _regex(term: Term, texts: pa.Array) -> pa.Array:
    try:
        return pc.match_substring_regex(texts, term.text, ignore_case=True)
    except pa.ArrowInvalid:
        pass  # look-around and back references are known to Python only
    try:
        compiled = re.compile(term.text, re.IGNORECASE)
    except re.error as error:
        raise BadArgument(f"The expression {term.text!r} cannot be read: {error.msg}.") from error
    return pa.array([text is not None and compiled.search(text) is not None for text in texts.to_pylist()], pa.bool_())


def _lengths(capture: Capture, rows: Array) -> Array:
    return np.asarray(capture.slice_end)[rows] - np.asarray(capture.slice_start)[rows]


def _tracks(capture: Capture, rows: Array, point: bool) -> Array:
    if point:
        return np.searchsorted(np.asarray(capture.instant_offset), rows, "right") - 1
    return np.asarray(capture.lane_track)[lanes_of(capture, rows)]
