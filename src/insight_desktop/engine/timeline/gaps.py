"""Idle gaps: of lanes, between two slices, and of all devices together, which can be folded out of the axis."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.filter import lanes_named
from insight_desktop.engine.timeline.lane_kinds import tracks_of_kind
from insight_desktop.engine.timeline.range_totals import union_ns
from insight_desktop.engine.timeline.slice_sets import Picked, pick

SCHEMA = pa.schema(
    [("from_ns", pa.int64()), ("to_ns", pa.int64()), ("dur_ns", pa.int64()), ("before_id", pa.int64()), ("after_id", pa.int64())]
)  # fmt: skip
_WORKING = (schema.ROLE_STREAM, schema.ROLE_GROUP, schema.ROLE_PLANE)
_NO_WORK = (schema.ROLE_OVERLAP, schema.ROLE_MSTX)  # lanes that tell about other lanes


@dataclass(frozen=True)
class AxisFold:
    """An axis from which idle gaps are taken: each is drawn with a small width instead of its length.

    Attributes:
        from_ns, to_ns: the folded gaps in order, in shown time (raw time minus the offset of the card).
        keep_ns: width that a folded gap has on the axis.
    """

    from_ns: Array
    to_ns: Array
    keep_ns: int

    @property
    def saved_ns(self) -> int:
        """How much shorter the axis is."""
        return int((self.to_ns - self.from_ns - self.keep_ns).sum())

    def to_axis(self, times: Array) -> Array:
        """Places on the folded axis of shown times; times inside a folded gap are spread evenly over its width."""
        times = np.asarray(times, np.int64)
        if not len(self.from_ns):
            return times.copy()
        before, at, inside = self._gap(times, self.from_ns, self.to_ns)
        length = (self.to_ns - self.from_ns)[at]
        part = ((times - self.from_ns[at]).astype(np.float64) / length * self.keep_ns).astype(np.int64)
        return np.where(inside, self.from_ns[at] + part, times) - np.where(
            inside, before[at], before[at] + (times >= self.to_ns[at]) * (length - self.keep_ns)
        )

    def to_time(self, places: Array) -> Array:
        """Shown times of places on the folded axis, the opposite of `to_axis`."""
        places = np.asarray(places, np.int64)
        if not len(self.from_ns):
            return places.copy()
        saved = np.cumsum(self.to_ns - self.from_ns - self.keep_ns)
        starts = self.from_ns - np.append(0, saved[:-1])
        before, at, inside = self._gap(places, starts, starts + self.keep_ns)
        del before
        length = (self.to_ns - self.from_ns)[at]
        part = ((places - starts[at]).astype(np.float64) / max(self.keep_ns, 1) * length).astype(np.int64)
        shift = np.where(places >= starts[at] + self.keep_ns, saved[at], np.append(0, saved[:-1])[at])
        return np.where(inside, self.from_ns[at] + part, places + shift)

    def place(self, time: int) -> int:
        """Place on the folded axis of one shown time."""
        at = bisect_right(self._low, time) - 1
        if at < 0:
            return time
        if time >= self._high[at]:
            return time - self._saved[at + 1]
        inside = (time - self._low[at]) * self.keep_ns // (self._high[at] - self._low[at])
        return self._low[at] + inside - self._saved[at]

    def time(self, place: int) -> int:
        """Shown time of one place on the folded axis."""
        at = bisect_right(self._begin, place) - 1
        if at < 0:
            return place
        inside = place - self._begin[at]
        if inside >= self.keep_ns:
            return place + self._saved[at + 1]
        return self._low[at] + inside * (self._high[at] - self._low[at]) // self.keep_ns

    @cached_property
    def _low(self) -> list[int]:
        return list(self.from_ns.tolist())

    @cached_property
    def _high(self) -> list[int]:
        return list(self.to_ns.tolist())

    @cached_property
    def _saved(self) -> list[int]:
        """Savings before each gap, and at the end those of all."""
        return [0, *np.cumsum(self.to_ns - self.from_ns - self.keep_ns).tolist()]

    @cached_property
    def _begin(self) -> list[int]:
        return [low - saved for low, saved in zip(self._low, self._saved, strict=False)]

    def _gap(self, values: Array, low: Array, high: Array) -> tuple[Array, Array, Array]:
        """Savings before each gap, the last gap that begins at or before each value (else the first), inside it or not."""
        before = np.append(0, np.cumsum(self.to_ns - self.from_ns - self.keep_ns)[:-1])
        at = np.maximum(np.searchsorted(low, values, "right") - 1, 0)
        return before, at, (values >= low[at]) & (values < high[at])


def gaps(
    store: Store,
    *,
    card: str,
    tracks: Sequence[int],
    longer_than_ns: int = 0,
    from_ns: int | None = None,
    to_ns: int | None = None,
) -> pa.Table:
    """Times in which none of some lanes is busy, longest first: from_ns, to_ns, dur_ns, before_id, after_id (raw ns).

    before_id is the slice whose end begins the gap, after_id the one that ends it; null where the edge of the range does.
    Without a range only gaps between slices count. A slice without length does not end a gap.
    """
    capture = store.capture(card)
    picked = pick(capture, tracks, from_ns, to_ns)
    long = picked.end > picked.start
    ids, start, end = picked.ids[long], picked.start[long], picked.end[long]
    order = np.argsort(start, kind="stable")
    ids, start, end = ids[order], start[order], end[order]
    if len(ids):
        reach = np.maximum.accumulate(end)
        latest = np.maximum.accumulate(np.where(end == reach, np.arange(len(end)), 0))
        at = np.flatnonzero(start[1:] > reach[:-1])
        rows = [reach[at], start[at + 1], ids[latest[at]], ids[at + 1]]
        if from_ns is not None and start[0] > from_ns:
            rows = [np.append(v, column) for v, column in zip((from_ns, start[0], -1, ids[0]), rows, strict=True)]
        if to_ns is not None and reach[-1] < to_ns:
            rows = [
                np.append(column, v) for v, column in zip((reach[-1], to_ns, ids[latest[-1]], -1), rows, strict=True)
            ]
    else:
        known = from_ns is not None and to_ns is not None and to_ns > from_ns
        rows = [np.array([v] if known else [], np.int64) for v in (from_ns, to_ns, -1, -1)]
    low, high, before, after = (np.asarray(column, np.int64) for column in rows)
    keep = np.flatnonzero(high - low > longer_than_ns)
    keep = keep[np.argsort(low[keep] - high[keep], kind="stable")]
    low, high, before, after = low[keep], high[keep], before[keep], after[keep]
    ends = [pa.array(column, mask=column < 0) for column in (before, after)]
    return pa.table([low, high, high - low, *ends], schema=SCHEMA)


def idle_gaps(
    store: Store,
    *,
    card: str,
    lane: str | None = None,
    longer_than_ns: int = 0,
    from_ns: int | None = None,
    to_ns: int | None = None,
) -> pa.Table:
    """Times in which no device lane of a card works, longest first: from_ns, to_ns, dur_ns, before_id, after_id.

    With lane, only lanes whose title contains the text count. Times are raw ns; before_id and after_id are the slices at
    both sides, null at the edges of the range.
    """
    capture = store.capture(card)
    tracks = lanes_named(store, card, lane) or working_tracks(capture)
    return gaps(store, card=card, tracks=tracks, longer_than_ns=longer_than_ns, from_ns=from_ns, to_ns=to_ns)


def between(store: Store, *, first: tuple[str, int], second: tuple[str, int]) -> int:
    """Shown time in ns from the end of the earlier of two slices (card, id) to the start of the later; negative: overlap."""
    spans = []
    for card, slice_id in (first, second):
        capture = store.capture(card)
        offset = store.shift_ns(card, int(capture.lane_track[capture.lane_of(slice_id)]))
        spans.append((int(capture.slice_start[slice_id]) - offset, int(capture.slice_end[slice_id]) - offset))
    (_, end), (start, _) = sorted(spans)
    return start - end


def working_tracks(capture: Capture) -> list[int]:
    """Device lanes that show work: streams, groups and planes; without such all device lanes but those about others."""
    roles = capture.tracks.column("role").to_pylist()
    found = [i for i, role in enumerate(roles) if role in _WORKING]
    device = tracks_of_kind(capture, "device")
    return found or [i for i, role in enumerate(roles) if device[i] and role not in _NO_WORK]


def fold(
    store: Store, *, cards: Sequence[str] | None = None, longer_than_ns: int, keep_ns: int = 0, most: int | None = None
) -> AxisFold:
    """Gaps in which no device of the cards works, longer than a limit, to be folded out of the axis.

    Args:
        store: the cards with their offsets.
        cards: names; all cards when None. Cards without device lanes do not count.
        longer_than_ns: shorter gaps stay.
        keep_ns: width of a folded gap; smaller than the limit.
        most: only so many gaps, the longest ones.
    """
    starts, ends = [], []
    for chosen in store.cards if cards is None else [store.card(name) for name in cards]:
        capture = store.capture(chosen.name)
        tracks = working_tracks(capture)
        if tracks:
            picked = pick(capture, tracks)
            moved = _offsets(capture, chosen, picked)
            starts.append(picked.start - moved)
            ends.append(picked.end - moved)
    if not starts:
        return AxisFold(np.empty(0, np.int64), np.empty(0, np.int64), keep_ns)
    _, lows, highs = union_ns(np.concatenate(starts), np.concatenate(ends))
    wide = np.flatnonzero(lows[1:] - highs[:-1] > max(longer_than_ns, keep_ns))
    if most is not None and len(wide) > most:
        wide = np.sort(wide[np.argsort(highs[wide] - lows[wide + 1], kind="stable")[:most]])
    return AxisFold(highs[wide], lows[wide + 1], keep_ns)


def _offsets(capture: Capture, card: StoreCard, picked: Picked) -> Array | int:
    """Offset of every slice: that of its lane, where the lane has one of its own."""
    if not card.lane_offsets:
        return card.offset_ns
    of_track = np.full(capture.tracks.num_rows, card.offset_ns, np.int64)
    for track, offset_ns in card.lane_offsets.items():
        of_track[track] = offset_ns
    return np.repeat(of_track[np.asarray(capture.lane_track)[picked.lanes]], np.diff(picked.offset))
