"""Offsets that put cards side by side: by one slice, by the k-th slice of a name, by the collectives they share.

Shown time = recorded time − base − offset, so a positive offset moves a card to the left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import align_collectives
from insight_desktop.engine.timeline.lane_kinds import (
    LaneKind,
    moving_together,
    named,
    track_kinds,
    track_of,
    tracks_of_kind,
)
from insight_desktop.errors import BadArgument

Edge = Literal["start", "end"]
Method = Literal["collectives", "default", "raw"]
Status = Literal["base", "moved", "missing", "too_few"]

SCHEMA = pa.schema(
    [
        ("card", pa.string()),
        ("offset_ns", pa.int64()),
        ("residual_ns", pa.int64()),
        ("matches", pa.int64()),
        ("reason", pa.string()),
    ]
)


@dataclass(frozen=True)
class Move:
    """New offset of lanes of a card.

    Attributes:
        card: name of the card.
        status: base (has the slice), moved, missing (no slice of the name) or too_few (fewer than k).
        offset_ns: offset that the lanes get; None when they stay.
        tracks: lanes that move, as track numbers.
        slice_id: the slice that was put in place; None when there is none.
        occurrences: how many slices of the name there are on lanes of the kind.
    """

    card: str
    status: Status
    offset_ns: int | None
    tracks: tuple[int, ...]
    slice_id: int | None
    occurrences: int


@dataclass(frozen=True)
class Alignment:
    """What the time alignment by a slice found: the slice is the `ordinal`-th (from 1) of `name` on lanes of `kind`."""

    name: str
    ordinal: int
    kind: LaneKind
    moves: tuple[Move, ...]

    @property
    def unmoved(self) -> tuple[Move, ...]:
        """Cards that stay where they are, because the slice is not there often enough."""
        return tuple(move for move in self.moves if move.offset_ns is None)


def benchmark(
    store: Store,
    *,
    base: tuple[str, int],
    target: tuple[str, int],
    edge: Edge = "start",
    base_offset_ns: int | None = None,
) -> Move:
    """Put the start (or end) of a slice below that of the base slice.

    Args:
        store: the cards.
        base: card and id of the slice that stays.
        target: card and id of the slice that moves, with all lanes that move together with its own.
        edge: which edges become equal on the axis.
        base_offset_ns: offset of the base slice's lane now; that of its card when None.
    """
    offset = store.card(base[0]).offset_ns if base_offset_ns is None else base_offset_ns
    capture = store.capture(target[0])
    gap = _anchor(capture, target[1], edge) - _anchor(store.capture(base[0]), base[1], edge)
    lanes = tuple(moving_together(capture, track_of(capture, _slice(capture, target[1]))))
    return Move(target[0], "moved", gap + offset, lanes, target[1], 1)


def by_slice(
    store: Store, *, card: str, slice_id: int, edge: Edge = "start", base_offset_ns: int | None = None
) -> Alignment:
    """Put the k-th slice of a name of every card below the chosen one, which is the k-th of its card.

    Only lanes of the same kind (device or host) are counted and moved. Cards without the name, or with fewer than k
    slices of it, stay and are told.

    Args:
        store: the cards.
        card: card of the chosen slice.
        slice_id: the chosen slice; its own lanes keep their offset.
        edge: which edges become equal on the axis.
        base_offset_ns: offset of the chosen slice's lane now; that of its card when None.
    """
    capture = store.capture(card)
    kind = track_kinds(capture)[track_of(capture, _slice(capture, slice_id))]
    name = capture.text(int(capture.slice_name[slice_id]))
    same = named(capture, name, tracks_of_kind(capture, kind))
    ordinal = int(np.flatnonzero(same == slice_id)[0]) + 1
    offset = store.card(card).offset_ns if base_offset_ns is None else base_offset_ns
    anchor = _anchor(capture, slice_id, edge)
    moves = []
    for other in store.cards:
        if other.name == card:
            moves.append(Move(card, "base", offset, _tracks(capture, kind), slice_id, len(same)))
            continue
        theirs = store.capture(other.name)
        found = named(theirs, name, tracks_of_kind(theirs, kind))
        if len(found) < ordinal:
            status: Status = "too_few" if len(found) else "missing"
            moves.append(Move(other.name, status, None, (), None, len(found)))
            continue
        at = int(found[ordinal - 1])
        gap = _anchor(theirs, at, edge) - anchor
        moves.append(Move(other.name, "moved", gap + offset, _tracks(theirs, kind), at, len(found)))
    return Alignment(name, ordinal, kind, tuple(moves))


def alignment(store: Store, *, method: Method = "collectives", base: str | None = None) -> pa.Table:
    """Offsets that align the cards: card, offset_ns, residual_ns, matches, reason.

    collectives: operators of the groups that two cards share end together on all ranks; the offset is the median of the
    differences of their ends, residual_ns the median distance from it, matches their number. The base card (the first
    without a name) keeps its offset. A card that shares no operator with the others keeps the default offset beside the
    base; reason tells so. default: groups of cards whose ranges do not overlap begin together. raw: all 0.
    residual_ns and matches are null where they have no meaning.
    """
    names = [card.name for card in store.cards]
    rows: list[align_collectives.Row]
    if method == "raw":
        rows = [(name, 0, None, None, "as recorded") for name in names]
    elif method == "default":
        rows = [(name, ns, None, None, "start of the data") for name, ns in _default(store, names)]
    elif method == "collectives":
        rows = align_collectives.offsets(store, base, dict(_default(store, names)))
    else:
        raise BadArgument(f"There is no alignment {method!r}.", fix="Use one of collectives, default, raw.")
    return pa.Table.from_pylist([dict(zip(SCHEMA.names, row, strict=True)) for row in rows], SCHEMA)


def _default(store: Store, names: list[str]) -> list[tuple[str, int]]:
    found = store.default_offsets()
    return [(name, found[name]) for name in names]


def _tracks(capture: Capture, kind: LaneKind) -> tuple[int, ...]:
    found: Array = np.flatnonzero(tracks_of_kind(capture, kind))
    return tuple(found.tolist())


def _slice(capture: Capture, slice_id: int) -> int:
    if not 0 <= slice_id < len(capture.slice_start):
        raise BadArgument(f"There is no slice {slice_id} on this card.", fix="Choose a slice that has a duration.")
    return slice_id


def _anchor(capture: Capture, slice_id: int, edge: Edge) -> int:
    column = capture.slice_start if edge == "start" else capture.slice_end
    return int(column[_slice(capture, slice_id)])
