"""Communication beside which nothing is computed, per group: how long it waits, how long it transmits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import layers, slice_sets
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.engine.timeline.slice_sets import I64

_WAIT, _RDMA_SEND = "Notify_Wait", "RDMASend"


@dataclass(frozen=True)
class GroupTimes:
    """A communication group.

    Attributes:
        track: its lane.
        title: what the lane shows.
        ids, inside: operators that overlap uncovered time, and how much of it they have, in ns.
        wait_ids, wait_inside: the same for the waiting tasks of the plane that waits least.
    """

    track: int
    title: str
    ids: I64
    inside: I64
    wait_ids: I64
    wait_inside: I64


def group_times(
    store: Store, card: str, from_ns: int | None, to_ns: int | None, *, whole: bool = False
) -> list[GroupTimes]:
    """The groups of a card with their uncovered time in a range, in display order."""
    capture = store.capture(card)
    _, low, high = layers.overlap_slices(store, card, from_ns, to_ns, whole=whole)[layers.UNCOVERED]
    order = np.argsort(low, kind="stable")
    uncovered = low[order], high[order]
    titles = capture.tracks.column("lane")
    out = []
    for track, planes in layers.group_planes(store, card):
        picked = slice_sets.pick(capture, (track,), from_ns, to_ns, whole=whole)
        ids, inside = _inside(picked.ids, picked.start, picked.end, uncovered)
        waits = [_waiting(capture, plane, uncovered, from_ns, to_ns, whole) for plane in planes]
        least = min(waits, key=lambda wait: int(wait[1].sum()), default=(ids[:0], inside[:0]))
        out.append(GroupTimes(track, str(titles[track].as_py()), ids, inside, *least))
    return out


def _waits(wait: npt.NDArray[np.bool_], send: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which tasks of a plane, in time order, wait for other ranks.

    A Notify_Wait that follows a pair of RDMASend, or the second one after such a pair, belongs to the handshake of RDMA.
    """
    first = _before(send, 1) & _before(send, 2)
    second = _before(wait, 2) & _before(send, 3) & _before(send, 4)
    return wait & ~first & ~second


def _before(mask: npt.NDArray[np.bool_], steps: int) -> npt.NDArray[np.bool_]:
    """The mask of the task some steps earlier; False before the first."""
    out = np.zeros(len(mask), np.bool_)
    out[steps:] = mask[: max(len(mask) - steps, 0)]
    return out


def _waiting(
    capture: Capture, plane: int, uncovered: tuple[I64, I64], from_ns: int | None, to_ns: int | None, whole: bool
) -> tuple[I64, I64]:
    """Waiting tasks of a plane with their uncovered time in the range."""

    def make() -> I64:
        every = slice_sets.pick(capture, (plane,))
        order = np.lexsort((every.end, every.start))
        wait, send = (_named(capture, every.name[order], text) for text in (_WAIT, _RDMA_SEND))
        return np.sort(every.ids[order][_waits(wait, send)])

    waiting = kept(capture, ("waiting", plane), make, lambda made: made.nbytes)
    picked = slice_sets.pick(capture, (plane,), from_ns, to_ns, whole=whole)
    mine = np.isin(picked.ids, waiting)
    return _inside(picked.ids[mine], picked.start[mine], picked.end[mine], uncovered)


def _named(capture: Capture, names: slice_sets.I32, text: str) -> npt.NDArray[np.bool_]:
    wanted = [int(i) for i in np.unique(names) if capture.text(int(i)) == text]
    return np.isin(names, wanted)


def _inside(ids: I64, start: I64, end: I64, uncovered: tuple[I64, I64]) -> tuple[I64, I64]:
    """Slices that overlap the intervals, and by how much."""
    inside = _below(end, uncovered) - _below(start, uncovered)
    some = inside > 0
    return ids[some], inside[some]


def _below(stamps: I64, intervals: tuple[I64, I64]) -> I64:
    """Length of the intervals (in order, disjoint) before each stamp."""
    low, high = intervals
    if not len(low):
        return np.zeros(len(stamps), np.int64)
    done = np.concatenate(([0], np.cumsum(high - low)))
    at = np.searchsorted(low, stamps, "right") - 1
    inside = np.minimum(stamps, high[at]) - low[at]
    return np.where(at < 0, 0, done[at] + inside)
