"""A part of a trace: what blocks and segments look like inside of it.

The whole trace is paired first, so that sizes, stacks and states inside the part are those of the whole file. What
lives at the first event of the part was there before it; what lives after the last one is not freed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.memory import snapshot_pair as sp
from insight_desktop.engine.memory import snapshot_segments as sg
from insight_desktop.schema_snapshot import LOST_ALLOC, LOST_FREE, NEVER_FREED, PENDING_BEFORE, PREEXISTING

Array = npt.NDArray[Any]


def cut_blocks(
    blocks: Array, sizes: Array, block_of: Array, n: int, first: int, end: int
) -> tuple[Array, Array, Array]:
    """Blocks that live in [first, end), with events counted from `first`.

    Args:
        blocks: table of `snapshot_pair.finish`.
        sizes: bytes of every block.
        block_of: block of every event of the whole trace.
        n: events of the whole trace.
        first, end: the part.

    Returns:
        Their table in its order, their sizes, and the block of every event of the part.
    """
    if (first, end) == (0, n):
        return blocks, sizes, block_of
    begin, stop = blocks[:, sp.START], blocks[:, sp.END]
    rows = np.flatnonzero((stop >= first) & (begin < end))
    part, length = blocks[rows], end - first
    flags, pending = part[:, sp.FLAGS], part[:, sp.PENDING]
    before = (part[:, sp.START] < first) | ((flags & PREEXISTING) > 0)
    waiting = before & ((pending < first) | ((flags & PENDING_BEFORE) > 0))
    lives = part[:, sp.END] >= end
    flags = np.where(before, (flags | PREEXISTING) & ~LOST_ALLOC, flags)
    flags = np.where(waiting, flags | PENDING_BEFORE, flags)
    part[:, sp.FLAGS] = np.where(lives, (flags | NEVER_FREED) & ~LOST_FREE, flags)
    part[:, sp.START] = np.where(before, 0, part[:, sp.START] - first)
    part[:, sp.END] = np.where(lives, length, part[:, sp.END] - first)
    part[:, sp.PENDING] = np.where(waiting, 0, np.where(pending >= end, length, pending - first))
    order = np.lexsort((part[:, sp.ADDRESS].view(np.uint64), ~before, part[:, sp.START]))
    place = np.full(len(blocks) + 1, -1, np.int32)  # the last place is for events without a block
    place[rows[order]] = np.arange(len(order), dtype=np.int32)
    return part[order], sizes[rows[order]], place[block_of[first:end]]


@dataclass(frozen=True)
class SegmentEvents:
    """Events that change segments, and the columns of the trace they lie in.

    Attributes:
        events: indices into the columns.
        action, address, size, stream: columns of the trace.
        pool: memory pool of each of the events.
    """

    events: Array
    action: Array
    address: Array
    size: Array
    stream: Array
    pool: Array

    def part(self, first: int, end: int) -> SegmentEvents:
        """The events of [first, end), counted from `first`."""
        low, high = np.searchsorted(self.events, (first, end))
        action, address, size, stream = (c[first:end] for c in (self.action, self.address, self.size, self.stream))
        return SegmentEvents(self.events[low:high] - first, action, address, size, stream, self.pool[low:high])

    def replay(self, table: Array, event: int) -> Array:
        """Segments before an event, from those before the first one; all count as there from the start."""
        count = int(np.searchsorted(self.events, event))
        room = np.zeros((len(table) + 2 * count + 4, sg.WIDTH), np.int64)
        room[: len(table)] = table
        held = sg.forward(
            room, len(table), self.events, self.action, self.address, self.size, self.stream, self.pool, 0, count
        )
        found = room[:held].copy()
        found[:, sg.EVENT] = -1
        return found
