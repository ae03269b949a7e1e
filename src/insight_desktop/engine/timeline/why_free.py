"""Why a device did nothing: the time is divided among causes, each with the slices that prove it.

Every ns of the range gets the first cause that fits:

| cause | when |
|---|---|
| device busy | the device computes (the range was no gap): its lane Computing, else tasks that do not copy or communicate |
| waiting for rank | a collective runs, and the rank that joins it last has not begun it yet |
| communication | a collective runs on all ranks, or the other ranks are not open |
| memcpy | a copy runs on the host or is waited for |
| gc | the garbage collector runs |
| synchronisation | a thread waits for the device, or the device for an event |
| host busy | the thread that submits the next task is busy until it does |
| queue empty | that thread runs nothing until it submits the next task |
| dispatch | the next task is submitted and has not begun |
| unknown | nothing of this is seen |
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.card_compare import partner
from insight_desktop.engine.timeline.gaps import working_tracks
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.engine.timeline.lane_kinds import track_kinds
from insight_desktop.engine.timeline.range_totals import union_ns
from insight_desktop.engine.timeline.slice_sets import pick
from insight_desktop.errors import BadArgument

SCHEMA = pa.schema(
    [
        ("cause", pa.string()),
        ("rank", pa.string()),
        ("share_ns", pa.int64()),
        ("share_ratio", pa.float64()),
        ("slices", pa.int64()),
        ("card", pa.string()),
        ("ids", pa.list_(pa.int64())),
        ("names", pa.list_(pa.large_string())),
    ]
)

_COPY = r"(?i)(memcpy|copy_?d2h|copy_?h2d|copy_async)"
_GC = r"(?i)(\bgc\b|garbage.?collect)"
_SYNC = r"(?i)(synchroni[sz]e|event[_ ]?wait|notify[_ ]?wait|stream[_ ]?wait|_local_scalar_dense|\bitem\b|barrier)"
_TRANSPORT = (
    r"(?i)^(notify[_ ]|rdma|reduce[_ ]?inline|sdma|write[_ ]?value|hccl|hcom)"  # what a collective does on its streams
)
_FRAME = r"^ProfilerStep#"  # encloses everything, so it proves nothing
_PROOF = 20  # slices named per cause, longest part first
_PIECES = 500  # idle pieces of the range whose next task is looked at, longest first
_OPERATORS = 100  # collectives whose other ranks are looked at, longest first

_Key = tuple[str, str | None, str]


@dataclass(frozen=True)
class _Peer:
    """The rank that joins a collective last: its slice, and when that begins in raw time of the card that asks."""

    card: str
    rank: str
    slice_id: int
    begins_ns: int


class _Shares:
    """What is still without a cause, and what was given to each (cause, rank, card)."""

    def __init__(self, from_ns: int, to_ns: int) -> None:
        self._range = from_ns, to_ns
        self._taken = np.empty(0, np.int64), np.empty(0, np.int64)
        self.given: dict[_Key, int] = {}
        self.proof: dict[_Key, dict[int, int]] = {}

    def open(self) -> tuple[Array, Array]:
        """Starts and ends of the pieces that have no cause yet."""
        low, high = np.append(self._range[0], self._taken[1]), np.append(self._taken[0], self._range[1])
        some = high > low
        return low[some], high[some]

    def take(self, cause: str, card: str, spans: _Spans, rank: str | None = None, proof: _Spans | None = None) -> None:
        """Give a cause what is still open of its spans; the part of each slice (of `proof`, if given) is remembered."""
        start, end = (np.clip(edge, *self._range) for edge in (spans.start, spans.end))
        low, high = self.open()
        _, begins, stops = union_ns(start, end)
        share = int((_length_upto(low, high, stops) - _length_upto(low, high, begins)).sum())
        if not share:
            return
        key = (cause, rank, card)
        self.given[key] = self.given.get(key, 0) + share
        mine = self.proof.setdefault(key, {})
        shown, pieces = (spans, (low, high)) if proof is None else (proof, (begins, stops))
        parts = _length_upto(*pieces, np.clip(shown.end, *self._range)) - _length_upto(
            *pieces, np.clip(shown.start, *self._range)
        )
        for slice_id, part in zip(shown.ids.tolist(), parts.tolist(), strict=True):
            if slice_id >= 0 and part > 0:
                mine[slice_id] = mine.get(slice_id, 0) + part
        _, *taken = union_ns(np.append(self._taken[0], begins), np.append(self._taken[1], stops))
        self._taken = taken[0], taken[1]


@dataclass(frozen=True)
class _Spans:
    """Intervals and the slices that they stand for (-1 for none)."""

    start: Array
    end: Array
    ids: Array

    @classmethod
    def one(cls, start: int, end: int, slice_id: int = -1) -> _Spans:
        return cls(*(np.array([value], np.int64) for value in (start, end, slice_id)))

    @classmethod
    def joined(cls, parts: list[_Spans]) -> _Spans:
        """All of them in one."""
        none = [np.empty(0, np.int64)]
        columns = ([getattr(part, name) for part in parts] or none for name in ("start", "end", "ids"))
        return cls(*(np.concatenate(column) for column in columns))


def why_free(store: Store, *, card: str, from_ns: int, to_ns: int) -> pa.Table:
    """Why the device of a card did nothing: cause, rank, share_ns, share_ratio, slices, card, ids, names; largest first.

    The shares add up to the range [from_ns, to_ns] (raw ns). rank is the one that was waited for. ids are the slices that
    prove the cause, on the card of the row, those with the largest part first; slices is how many there are. The causes
    are told at the head of this module: device busy, waiting for rank, communication, memcpy, gc, synchronisation, host
    busy, queue empty, dispatch, unknown.
    """
    if to_ns <= from_ns:
        raise BadArgument(f"The range from {from_ns} to {to_ns} has no length.", fix="Choose an idle gap of a device.")
    capture = store.capture(card)
    roles = capture.tracks.column("role").to_pylist()
    kinds = track_kinds(capture)
    working = [t for t in working_tracks(capture) if roles[t] not in (schema.ROLE_GROUP, schema.ROLE_PLANE)]
    groups = [t for t, role in enumerate(roles) if role == schema.ROLE_GROUP]
    host = [t for t, kind in enumerate(kinds) if kind == "host"]
    shares = _Shares(from_ns, to_ns)
    waits, copies, collector, transport, frames = (
        _mask(capture, pattern) for pattern in (_SYNC, _COPY, _GC, _TRANSPORT, _FRAME)
    )
    tasks = _spans(capture, working, from_ns, to_ns, ~(waits | copies | transport))
    computing = _computing(capture)
    busy = tasks if not computing else _spans(capture, computing, from_ns, to_ns)
    shares.take("device busy", card, busy, proof=tasks)
    operators = _spans(capture, groups, from_ns, to_ns)
    for at in np.argsort(operators.start - operators.end, kind="stable")[:_OPERATORS]:
        start, end, slice_id = (int(column[at]) for column in (operators.start, operators.end, operators.ids))
        peer = _last_to_join(store, card, slice_id)
        if peer is not None and peer.begins_ns > start:
            joined = _Spans.one(start, min(end, peer.begins_ns), peer.slice_id)
            shares.take("waiting for rank", peer.card, joined, peer.rank)
    shares.take("communication", card, operators)
    shares.take("memcpy", card, _spans(capture, host + working, from_ns, to_ns, copies))
    shares.take("gc", card, _spans(capture, host, from_ns, to_ns, collector))
    shares.take("synchronisation", card, _spans(capture, host + working, from_ns, to_ns, waits))
    low, high = shares.open()
    longest = np.argsort(low - high, kind="stable")[:_PIECES]
    parts = [
        _submission(capture, working + groups, (int(a), int(b)), ~frames)
        for a, b in zip(low[longest], high[longest], strict=True)
    ]
    for number, cause in enumerate(("host busy", "queue empty", "dispatch")):
        shares.take(cause, card, _Spans.joined([part[number] for part in parts if part is not None]))
    shares.take("unknown", card, _Spans.one(from_ns, to_ns))
    return _table(store, shares, to_ns - from_ns)


def _computing(capture: Capture) -> list[int]:
    """The lane that tells when the device computes: tasks of collectives stand on streams too, under many names."""
    rows = capture.tracks.select(["role", "thread"]).to_pylist()
    return [i for i, r in enumerate(rows) if r["role"] == schema.ROLE_OVERLAP and r["thread"] == "Computing"]


def _submission(
    capture: Capture, device: list[int], piece: tuple[int, int], names: Array
) -> tuple[_Spans, _Spans, _Spans] | None:
    """How the call that submits the task behind an idle piece divides it: host busy, queue empty, dispatch."""
    low, high = piece
    task = _next_task(capture, device, high)
    calls = _callers(capture, task) if task is not None else []
    if task is None or not calls:
        return None
    submitted = int(capture.slice_end[calls[0]])
    until = max(low, min(submitted, high))
    tracks = sorted({int(capture.lane_track[capture.lane_of(call)]) for call in calls})
    busy = _spans(capture, tracks, low, until, names)
    return busy, _Spans.one(low, until, calls[0]), _Spans.one(until, high, task)


def _last_to_join(store: Store, card: str, slice_id: int) -> _Peer | None:
    """The other open rank that begins the collective last; None when no other one has it."""
    own = store.card(card)
    found = []
    for other in store.cards:
        at = partner(store, card=card, slice_id=slice_id, other=other.name) if other.name != card else None
        if at is not None:
            begins = int(store.capture(other.name).slice_start[at]) - other.offset_ns + own.offset_ns
            found.append(_Peer(other.name, other.rank if other.rank is not None else other.name, at, begins))
    return max(found, key=lambda peer: peer.begins_ns, default=None)


def _next_task(capture: Capture, tracks: list[int], at_ns: int) -> int | None:
    """The task with a known submission that begins first at or after a time; without one the first of all."""
    first: list[tuple[int, int]] = []
    for track in tracks:
        for lane in range(int(capture.track_lane[track]), int(capture.track_lane[track + 1])):
            a, b = int(capture.lane_offset[lane]), int(capture.lane_offset[lane + 1])
            at = a + int(np.searchsorted(capture.slice_start[a:b], at_ns))
            if at < b:
                first.append((int(capture.slice_start[at]), at))
    # Planes and streams may begin together; the one that the host submitted tells more.
    first.sort()
    return next((at for _, at in first[:8] if _callers(capture, at)), first[0][1] if first else None)


def _callers(capture: Capture, task: int) -> list[int]:
    """Slices of the host that led to a task, the submitting call first, then those that it came from."""
    found: list[int] = []
    step = [task]
    targets = np.asarray(capture.link_to)
    by_to = kept(capture, "links by target", lambda: targets[np.asarray(capture.link_by_to)], lambda a: int(a.nbytes))
    while step and len(found) < 8:
        a, b = np.searchsorted(by_to, step[0]), np.searchsorted(by_to, step[0], "right")
        rows = np.asarray(capture.link_by_to)[a:b]
        sources = sorted(
            (int(s) for s in np.asarray(capture.link_from)[rows]), key=lambda s: -int(capture.slice_start[s])
        )
        fresh = [s for s in sources if s not in found and s != task]
        found += fresh
        step = fresh[:1]
    return found


def _spans(capture: Capture, tracks: list[int], from_ns: int, to_ns: int, names: Array | None = None) -> _Spans:
    """The slices of some lanes, cut to the range; of chosen names only."""
    picked = pick(capture, tracks, from_ns, to_ns)
    keep = picked.end > picked.start
    if names is not None:
        keep &= names[picked.name]
    return _Spans(picked.start[keep], picked.end[keep], picked.ids[keep])


def _length_upto(low: Array, high: Array, times: Array) -> Array:
    """How much of the pieces lies before each time."""
    if not len(low):
        return np.zeros(len(times), np.int64)
    before = np.append(0, np.cumsum(high - low))
    at = np.searchsorted(low, times, "right") - 1
    inside = np.minimum(times, high[at]) - low[at]
    return np.where(at < 0, 0, before[at] + inside)


def _mask(capture: Capture, pattern: str) -> Array:
    """Which names match, one truth value per string id."""

    def make() -> Array:
        found = pc.match_substring_regex(capture.strings, pattern)
        return np.asarray(found.to_numpy(zero_copy_only=False), np.bool_)

    return kept(capture, ("names", pattern), make, lambda mask: int(mask.nbytes))


def _table(store: Store, shares: _Shares, whole_ns: int) -> pa.Table:
    rows = []
    for key, share in sorted(shares.given.items(), key=lambda item: -item[1]):
        cause, rank, card = key
        proof = shares.proof.get(key, {})
        ids = sorted(proof, key=lambda i: -proof[i])[:_PROOF]
        capture = store.capture(card)
        names = [capture.text(int(capture.slice_name[i])) for i in ids]
        rows.append(
            {
                "cause": cause, "rank": rank, "share_ns": share, "share_ratio": share / whole_ns, "slices": len(proof),
                "card": card, "ids": ids, "names": names,
            }
        )  # fmt: skip
    return pa.Table.from_pylist(rows, SCHEMA)
