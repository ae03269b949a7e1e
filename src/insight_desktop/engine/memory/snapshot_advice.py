"""Judgements over a snapshot: leak candidates, out-of-memory verdicts, what would free the most, waiting blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.memory import snapshot_segments as sg
from insight_desktop.engine.memory.snapshot_data import Device, SizeMode
from insight_desktop.engine.memory.snapshot_pair import estimated
from insight_desktop.engine.memory.snapshot_stacks import sums
from insight_desktop.engine.memory.snapshot_state import State, fragmentation_of, state_of
from insight_desktop.schema_snapshot import NEVER_FREED, OOM, PREEXISTING

Array = npt.NDArray[Any]
Confidence = Literal["low", "medium", "high"]
_MOST = 2**63 - 1
WINDOWS = 8  # equal parts of the trace in which growth is looked at
SHORTAGE, FRAGMENTED, ELSEWHERE = "true shortage", "fragmentation", "other pool or stream"


def unreleased(device: Device, first: int, last: int) -> Array:
    """Blocks that were allocated in [first, last] and not freed by `last`; ids ascending."""
    start, end = device.column("block_start"), device.column("block_end")
    low, high = np.searchsorted(start, first, "left"), np.searchsorted(start, last, "right")
    rows = np.arange(low, high)
    before = (device.column("block_flags")[low:high] & PREEXISTING) > 0
    return rows[(end[low:high] > last) & ~before]


def overlapping(device: Device, first: int, last: int) -> Array:
    """Blocks whose life touches [first, last], both ends included."""
    start, end = device.column("block_start"), device.column("block_end")
    high = int(np.searchsorted(start, last, "right"))
    return np.flatnonzero(end[:high] >= first)


@dataclass(frozen=True)
class Leak:
    """Blocks of one stack that were not freed.

    Attributes:
        stack: id.
        blocks, bytes: unreleased in the range.
        allocations: allocations of the stack in the range.
        ratio: unreleased / allocations.
        growing: windows of the range (of WINDOWS) in which the live bytes of the stack grew.
        first, last: events of the first and last unreleased allocation.
        largest: bytes of the largest one.
        confidence: how much speaks for a leak; never a verdict.
        why: the figures in a sentence.
    """

    stack: int
    blocks: int
    bytes: int
    allocations: int
    ratio: float
    growing: int
    first: int
    last: int
    largest: int
    confidence: Confidence
    why: str


def leaks(device: Device, first: int, last: int, mode: SizeMode) -> list[Leak]:
    """Stacks with unreleased blocks, most bytes first."""
    rows = unreleased(device, first, last)
    if not len(rows):
        return []
    stacks, start = device.column("block_stack"), device.column("block_start")
    sizes = device.sizes(mode)
    count = int(stacks.max()) + 1
    blocks, total, largest = sums(stacks[rows], sizes[rows], count)
    low, high = np.searchsorted(start, first, "left"), np.searchsorted(start, last, "right")
    recorded = (device.column("block_flags")[low:high] & PREEXISTING) == 0
    made = np.bincount(stacks[low:high][recorded], minlength=count)
    found = []
    edges = np.linspace(first, last + 1, WINDOWS + 1)
    for stack in np.argsort(-total, kind="stable")[: int((total > 0).sum())].tolist():
        own = rows[stacks[rows] == stack]
        held = np.bincount(np.clip(np.searchsorted(edges, start[own], "right") - 1, 0, WINDOWS - 1), minlength=WINDOWS)
        growing = int((held > 0).sum())
        ratio = float(blocks[stack] / made[stack])
        confidence = _confidence(int(blocks[stack]), ratio, growing)
        why = f"{int(blocks[stack])} of {int(made[stack])} allocations not freed, in {growing} of {WINDOWS} parts of the range"
        found.append(
            Leak(stack, int(blocks[stack]), int(total[stack]), int(made[stack]), ratio, growing, int(start[own[0]]),
                 int(start[own[-1]]), int(largest[stack]), confidence, why)
        )  # fmt: skip
    return found


def _confidence(blocks: int, ratio: float, growing: int) -> Confidence:
    """A leak goes on: it adds blocks in many parts of the range. What is made once (weights, states) does not."""
    if blocks >= 3 and growing >= 3 and ratio >= 0.5:
        return "high"
    if blocks >= 2 and growing >= 2:
        return "medium"
    return "low"


@dataclass(frozen=True)
class OutOfMemory:
    """One out-of-memory event and why it happened."""

    event: int
    requested: int
    device_free: int
    reserved: int
    active: int
    gap_bytes: int
    reclaimable: int
    largest_gap: int
    largest_elsewhere: int
    verdict: str


def out_of_memory(device: Device, event: int, mode: SizeMode) -> OutOfMemory:
    """Judge an `oom` event by the state before it."""
    state = state_of(device, event, mode)
    requested = int(device.column("size")[event])
    stream = int(device.column("stream")[event])
    free = int(device.column("address")[event].astype(np.int64))
    needed = int(estimated(np.array([requested]), device.facts["pad"])[0])
    where, _, gap = state.gaps
    right = (state.segments[where, sg.STREAM] == stream) & (
        (state.segments[where, sg.SMALL] > 0) == (needed <= 1 << 20)
    )
    own, other = int(gap[right].max(initial=0)), int(gap[~right].max(initial=0))
    if other >= needed > own:
        verdict = ELSEWHERE
    elif free + int(gap.sum()) < needed:
        verdict = SHORTAGE
    else:
        verdict = FRAGMENTED if own < needed else ELSEWHERE
    return OutOfMemory(
        event, requested, free, state.reserved, state.active, int(gap.sum()), fragmentation_of(state).reclaimable_bytes,
        own, other, verdict,
    )  # fmt: skip


def oom_events(device: Device) -> Array:
    """Indices of the out-of-memory events."""
    return np.flatnonzero(device.action == OOM)


@dataclass(frozen=True)
class Saving:
    """Something that would give memory back.

    Attributes:
        kind: `long life`, `unused tail`, `free segments` or `fragmentation`.
        what: stack or place concerned, as text.
        stack: id of the stack, 0 none.
        block: largest block concerned, -1 none.
        bytes: what would be freed at the peak (or is lost now).
        cost: bytes × events that it is held.
        why: the figures in a sentence.
    """

    kind: str
    stack: int
    block: int
    bytes: int
    cost: int
    why: str


def savings(device: Device, mode: SizeMode, limit: int = 50) -> list[Saving]:
    """What holds the most memory for the longest time, at and around the peak; largest cost first."""
    totals = device.totals(mode)
    peak = int(totals.active.argmax()) if device.events else -1
    state = state_of(device, peak, mode)
    sizes, start, end = device.sizes(mode), device.column("block_start"), device.column("block_end")
    alive = device.alive(peak)
    found = []
    if len(alive):
        stacks = device.column("block_stack")[alive]
        life = np.minimum(end[alive], device.events) - start[alive]
        count = int(stacks.max()) + 1
        cost = np.zeros(count, np.float64)
        np.add.at(cost, stacks, sizes[alive].astype(np.float64) * life)
        blocks, total, _ = sums(stacks, sizes[alive], count)
        for stack in np.argsort(-cost, kind="stable")[:limit].tolist():
            if not blocks[stack]:
                continue
            own = alive[stacks == stack]
            longest = float(np.mean(life[stacks == stack]))
            why = f"{int(blocks[stack])} blocks live at the peak, for {longest:,.0f} events on average"
            found.append(Saving("long life", stack, int(own[np.argmax(sizes[own])]), int(total[stack]), min(int(cost[stack]), _MOST), why))  # fmt: skip
    found += _tails(device, state, sizes, limit) + _waste(device, state)
    return sorted(found, key=lambda s: -s.cost)[:limit]


def _tails(device: Device, state: State, sizes: Array, limit: int) -> list[Saving]:
    """Bytes that the allocator rounds up, by stack."""
    if not len(state.blocks):
        return []
    stacks = device.column("block_stack")[state.blocks]
    tail = np.maximum(state.size - state.requested, 0)
    count = int(stacks.max()) + 1
    blocks, total, largest = sums(stacks, tail, count)
    life = max(1, device.events)
    out = []
    for stack in np.argsort(-total, kind="stable")[: min(limit, 10)].tolist():
        if total[stack] > 0:
            own = state.blocks[stacks == stack]
            why = f"{int(blocks[stack])} blocks at the peak, up to {int(largest[stack]):,} B each beyond what was asked for"
            out.append(Saving("unused tail", stack, int(own[np.argmax(sizes[own])]), int(total[stack]), min(int(total[stack]) * life, _MOST), why))  # fmt: skip
    return out


def _waste(device: Device, state: State) -> list[Saving]:
    """Whole free segments and the gaps of the others at the peak."""
    figures = fragmentation_of(state)
    life = max(1, device.events)
    out = []
    if figures.reclaimable_bytes:
        out.append(Saving("free segments", 0, -1, figures.reclaimable_bytes, min(figures.reclaimable_bytes * life, _MOST), "wholly free at the peak: emptying the cache returns them"))  # fmt: skip
    if figures.inactive_split_bytes:
        why = f"{figures.gaps:,} gaps in segments in use, the largest {figures.largest_gap_bytes:,} B"
        out.append(
            Saving(
                "fragmentation",
                0,
                -1,
                figures.inactive_split_bytes,
                min(figures.inactive_split_bytes * life, _MOST),
                why,
            )
        )
    return out


def waiting(device: Device, mode: SizeMode, limit: int = 100) -> Array:
    """Blocks that waited longest for their streams (free requested but not completed), longest first; ids."""
    pending = device.column("block_pending")
    end = np.minimum(device.column("block_end"), device.events)
    wait = end - pending
    rows = np.flatnonzero(wait > 1)
    weight = wait[rows].astype(np.float64) * device.sizes(mode)[rows]
    return rows[np.argsort(-weight, kind="stable")[:limit]]


def never_freed(device: Device) -> Array:
    """Mask of blocks that live at the dump."""
    return (device.column("block_flags") & NEVER_FREED) > 0
