"""The allocator at one event: segments, the blocks inside, the gaps between, and what they say about fragmentation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.memory import snapshot_segments as sg
from insight_desktop.engine.memory.snapshot_data import Device, SizeMode
from insight_desktop.schema_snapshot import PENDING_BEFORE

Array = npt.NDArray[Any]

ALLOCATED, PENDING, FREE = "allocated", "pending", "free"
_FLIP = np.int64(-(2**63))


def ordered(address: Array) -> Array:
    """Addresses as signed numbers of the same order and distance, so that those above 2^63 can be compared and subtracted."""
    return address.view(np.int64) ^ _FLIP


def plain(value: Array) -> Array:
    """Back from `ordered`."""
    return (value ^ _FLIP).view(np.uint64)


@dataclass(frozen=True)
class State:
    """The allocator after an event.

    Attributes:
        event: index, -1 before the first.
        segments: table of `snapshot_segments`, sorted by address.
        base: addresses of the segments, `ordered`.
        blocks: ids of live blocks, sorted by address.
        at, size: their addresses (`ordered`) and bytes.
        requested: bytes asked for.
        pending: which of them wait for their streams.
        segment: row of the segment that holds each, -1 none.
    """

    event: int
    segments: Array
    base: Array
    blocks: Array
    at: Array
    size: Array
    requested: Array
    pending: Array
    segment: Array

    @property
    def reserved(self) -> int:
        """Bytes of all segments."""
        return int(self.segments[:, sg.SIZE].sum())

    @property
    def active(self) -> int:
        """Bytes of all live blocks, those that wait included."""
        return int(self.size.sum())

    @property
    def allocated(self) -> int:
        """Bytes of live blocks that do not wait."""
        return int(self.size[~self.pending].sum())

    @cached_property
    def gaps(self) -> tuple[Array, Array, Array]:
        """Free ranges: segment, address (`ordered`), bytes; sorted by address."""
        inside = self.segment >= 0
        segment = self.segment[inside]
        begin, length = self.base, self.segments[:, sg.SIZE]
        at = self.at[inside]
        end = np.minimum(at + self.size[inside], (begin + length)[segment])
        reach = np.maximum.accumulate(end) if len(end) else end
        before = np.concatenate([begin[:1], reach[:-1]]) if len(end) else reach
        start = np.maximum(begin[segment], before)
        last = np.searchsorted(segment, np.arange(len(begin)), "right") - 1
        tail = begin.copy()
        held = (
            (last >= 0) & (segment[np.maximum(last, 0)] == np.arange(len(begin)))
            if len(end)
            else np.zeros(len(begin), bool)
        )
        tail[held] = np.maximum(tail[held], reach[last[held]])
        where = np.concatenate([segment, np.arange(len(begin))])
        first = np.concatenate([start, tail])
        size = np.concatenate([at - start, begin + length - tail])
        real = size > 0
        where, first, size = where[real], first[real], size[real]
        order = np.argsort(first, kind="stable")
        return where[order], first[order], size[order]

    def per_segment(self) -> dict[str, Array]:
        """Blocks, allocated and active bytes, gaps, bytes of gaps and largest gap of every segment."""
        count = len(self.segments)
        inside = self.segment >= 0
        segment, size = self.segment[inside], self.size[inside]
        where, _, gap = self.gaps
        largest = np.zeros(count, np.int64)
        np.maximum.at(largest, where, gap)
        sums = {
            "allocated": _sums(segment, np.where(self.pending[inside], 0, size), count),
            "active": _sums(segment, size, count),
            "gap": _sums(where, gap, count),
        }
        return {
            "blocks": np.bincount(segment, minlength=count),
            **sums,
            "gaps": np.bincount(where, minlength=count),
            "largest": largest,
        }


def _sums(groups: Array, values: Array, count: int) -> Array:
    out = np.zeros(count, np.int64)
    np.add.at(out, groups, values)
    return out


def state_of(device: Device, event: int, mode: SizeMode = "estimate") -> State:
    """The allocator of a device after an event; -1 asks for what was there before the first."""
    segments = device.segments_at(event)
    base = ordered(segments[:, sg.ADDRESS])
    if len(base) and (base[1:] < base[:-1]).any():
        order = np.argsort(base, kind="stable")
        segments, base = segments[order], base[order]
    blocks = device.alive(event)
    at = ordered(device.column("block_address")[blocks])
    order = np.argsort(at, kind="stable")
    blocks, at = blocks[order], at[order]
    size = device.sizes(mode)[blocks]
    waited = (device.column("block_flags")[blocks] & PENDING_BEFORE) > 0
    pending = (device.column("block_pending")[blocks] <= event) | waited
    segment = np.searchsorted(base, at, "right") - 1
    if len(base):
        outside = (segment < 0) | (at >= base[segment] + segments[segment, sg.SIZE])
        segment = np.where(outside, -1, segment)
    else:
        segment = np.full(len(at), -1)
    return State(event, segments, base, blocks, at, size, device.column("block_requested")[blocks], pending, segment)


@dataclass(frozen=True)
class Fragmentation:
    """How scattered the free memory of a state is.

    Attributes:
        external: 1 − largest gap / all gaps, 0 without gaps.
        viewer: Σ gap² / (Σ segment)², as the browser viewer gives it.
        internal_bytes: live bytes lost to rounding.
        reclaimable_bytes: wholly free segments: what emptying the cache would return.
        inactive_split_bytes: gaps of segments that are partly in use.
    """

    gaps: int
    gap_bytes: int
    largest_gap_bytes: int
    external: float
    viewer: float
    internal_bytes: int
    reclaimable_bytes: int
    inactive_split_bytes: int


def fragmentation_of(state: State) -> Fragmentation:
    """The figures of a state."""
    _, _, gap = state.gaps
    total, largest = int(gap.sum()), int(gap.max(initial=0))
    reserved = state.reserved
    used = np.bincount(state.segment[state.segment >= 0], minlength=len(state.segments)) > 0
    free = int(state.segments[~used, sg.SIZE].sum())
    squares = float((gap.astype(np.float64) ** 2).sum())
    return Fragmentation(
        len(gap),
        total,
        largest,
        1 - largest / total if total else 0.0,
        squares / float(reserved) ** 2 if reserved else 0.0,
        int(np.maximum(state.size - state.requested, 0).sum()),
        free,
        total - free,
    )
