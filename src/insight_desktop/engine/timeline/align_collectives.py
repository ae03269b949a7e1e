"""Alignment by collectives: an operator of a communication group cannot end on one rank long before it ends on another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store

Row = tuple[str, int, int | None, int | None, str]

_LAGS = 64  # how many operators one card may have recorded more than another at the beginning
_POINT_TO_POINT = ("send", "recv", "receive")


@dataclass(frozen=True)
class _Operators:
    """Operators of one group by start: their names, ends and slice ids."""

    names: Array
    end_ns: Array
    ids: Array


@dataclass(frozen=True)
class Match:
    """Operators that two cards share: median of the end differences, median distance from it, how many."""

    gap_ns: int
    residual_ns: int
    matches: int


def offsets(store: Store, base: str | None, default: dict[str, int]) -> list[Row]:
    """One row per card: card, offset_ns, residual_ns, matches, reason. Meaning as in `align.alignment`."""
    cards = store.cards
    if not cards:
        return []
    first = store.card(base) if base is not None else cards[0]
    operators = {card.name: collectives(store.capture(card.name)) for card in cards}
    done: dict[str, Row] = {first.name: (first.name, first.offset_ns, 0, None, "base")}
    waiting = [card.name for card in cards if card.name != first.name]
    fresh = [first.name]
    while fresh and waiting:
        found = {name: _best(operators, name, fresh) for name in waiting}
        fresh = []
        for name, best in found.items():
            if best is not None:
                anchor, match = best
                reason = f"ends of collectives shared with {anchor}"
                done[name] = (name, done[anchor][1] + match.gap_ns, match.residual_ns, match.matches, reason)
                fresh.append(name)
        waiting = [name for name in waiting if name not in done]
    shift = first.offset_ns - default[first.name]
    for name in waiting:
        why = "no collective in common with another card" if operators[name] else "no collective recorded"
        done[name] = (name, default[name] + shift, None, 0, f"{why}: default offset")
    return [done[card.name] for card in cards]


def collectives(capture: Capture) -> dict[str, _Operators]:
    """Collective operators of every communication group by the title of its lane."""
    return {group: made for group, ids in _slices(capture).items() if len((made := _operators(capture, ids)).names)}


def _slices(capture: Capture) -> dict[str, Array]:
    """Ids of all slices of every communication group by the title of its lane."""
    found: dict[str, list[Array]] = {}
    for track, row in enumerate(capture.tracks.select(["role", "lane"]).to_pylist()):
        if row["role"] == schema.ROLE_GROUP:
            lanes = capture.track_lane[track : track + 2]
            a, b = (int(capture.lane_offset[int(lane)]) for lane in lanes)
            found.setdefault(row["lane"], []).append(np.arange(a, b))
    return {group: np.concatenate(ids) for group, ids in found.items()}


def same_collective(store: Store, *, card: str, slice_id: int, others: list[str]) -> tuple[str, int] | None:
    """Where other cards recorded the collective that a slice of a communication lane is.

    The k-th occurrence of a name in the group matches the k-th, beginning where both cards had begun to record.

    Returns:
        Name of the first of `others` that has it, and the id of its slice; None when the slice is no collective or no
        card has it.
    """
    ours = store.capture(card)
    found = next(((title, ids) for title, ids in _slices(ours).items() if slice_id in ids), None)
    if found is None:
        return None
    group, mine = found[0], _operators(ours, found[1])
    at = np.flatnonzero(mine.ids == slice_id)
    for other in others if len(at) else ():
        capture = store.capture(other)
        ids = _slices(capture).get(group)
        if ids is None:
            continue
        theirs = _operators(capture, ids)
        pairs = _pairs(mine, theirs)
        hit = pairs[pairs[:, 0] == at[0], 1]
        if len(hit):
            return other, int(theirs.ids[hit[0]])
    return None


def matched(ours: dict[str, _Operators], base: dict[str, _Operators]) -> Match | None:
    """How the ends of the operators of one card lie against those of the other; None when they share none."""
    gaps = [_gaps(ours[group], base[group]) for group in ours.keys() & base.keys()]
    every = np.concatenate(gaps) if gaps else np.empty(0, np.int64)
    if not len(every):
        return None
    middle = median(every)
    return Match(middle, median(np.abs(every - middle)), len(every))


def median(values: Array) -> int:
    """Median of whole numbers, exact; of two middle ones the mean, rounded down."""
    half = len(values) // 2
    if len(values) % 2:
        return int(np.partition(values, half)[half])
    low, high = np.partition(values, [half - 1, half])[half - 1 : half + 1]
    return (int(low) + int(high)) // 2


def _best(operators: dict[str, dict[str, _Operators]], name: str, anchors: list[str]) -> tuple[str, Match] | None:
    found = [(anchor, matched(operators[name], operators[anchor])) for anchor in anchors]
    known = [(anchor, match) for anchor, match in found if match is not None]
    return max(known, key=lambda pair: pair[1].matches) if known else None


def _operators(capture: Capture, ids: Array) -> _Operators:
    texts = capture.strings.take(pa.array(np.asarray(capture.slice_name)[ids]))
    start, end = np.asarray(capture.slice_start)[ids], np.asarray(capture.slice_end)[ids]
    keep = end > start
    for word in _POINT_TO_POINT:  # a sender may end before its receiver
        keep &= ~np.asarray(pc.match_substring(texts, word, ignore_case=True).to_numpy(zero_copy_only=False), np.bool_)
    order = np.flatnonzero(keep)[np.argsort(start[keep], kind="stable")]
    return _Operators(np.array(texts.take(pa.array(order)).to_pylist(), object), end[order], ids[order])


def _gaps(ours: _Operators, base: _Operators) -> Array:
    """Differences of the ends (ours − base) of matching operators."""
    pairs = _pairs(ours, base)
    return np.asarray(ours.end_ns[pairs[:, 0]] - base.end_ns[pairs[:, 1]])


def _pairs(ours: _Operators, base: _Operators) -> Array:
    """Positions of matching operators, shape (count, 2).

    Names that count the operators of a group match by themselves. Otherwise one card may have begun to record earlier:
    the lag with most equal names wins, then the one with the most even differences.
    """
    if len(set(ours.names)) == len(ours.names) and len(set(base.names)) == len(base.names):
        place = {name: i for i, name in enumerate(base.names)}
        pairs = [(i, place[name]) for i, name in enumerate(ours.names) if name in place]
        return np.array(pairs, np.int64).reshape(-1, 2)
    words = {name: i for i, name in enumerate(dict.fromkeys([*ours.names, *base.names]))}
    mine, theirs = (np.array([words[name] for name in side.names]) for side in (ours, base))
    spare = abs(len(mine) - len(theirs)) + _LAGS
    best: tuple[int, int, int] | None = None
    chosen: Array = np.empty((0, 2), np.int64)
    for lag in sorted(range(-min(spare, len(mine)), min(spare, len(theirs)) + 1), key=abs):
        a, b = max(0, -lag), max(0, lag)
        count = min(len(mine) - a, len(theirs) - b)
        equal = np.flatnonzero(mine[a : a + count] == theirs[b : b + count]) if count > 0 else np.empty(0, np.int64)
        if not len(equal) or (best is not None and len(equal) < -best[0]):
            continue
        gaps = ours.end_ns[equal + a] - base.end_ns[equal + b]
        key = (-len(equal), median(np.abs(gaps - median(gaps))), abs(lag))
        if best is None or key < best:
            best, chosen = key, np.stack([equal + a, equal + b], axis=1)
    return chosen
