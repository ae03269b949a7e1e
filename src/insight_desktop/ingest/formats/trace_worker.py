"""What one scanning thread owns, and one scanned piece of a file."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from insight_desktop.ingest.formats import trace_layout as ts
from insight_desktop.ingest.formats.trace_bytes import (
    MAX_DEPTH,
    QUOTED,
    Array,
    Keys,
    Texts,
)
from insight_desktop.ingest.formats.trace_kernels import copy_ranges, refill, scan
from insight_desktop.ingest.formats.trace_vector import PADDING

_NO_BYTES = np.zeros(0, np.uint8)
_TENS = np.array([10.0**i for i in range(23)])
_NO_NAME = b"(no name)"


class Block:
    """A buffer of bytes with the arrays that a scan of it fills; used again and again."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.raw = bytearray(size + PADDING)
        self.bytes: Array = np.frombuffer(self.raw, np.uint8)
        self.out = ts.new_out(size // 96 + 64)

    def column(self, column: int, count: int) -> Array:
        """The first `count` rows of a column of the rows."""
        return self.out.rows[column, : int(self.out.stats[count])]

    def grow(self) -> None:
        """Make room for more rows."""
        self.out = ts.new_out(2 * self.out.rows.shape[1], self.out)


def _new_texts(slots: int, arena: int, old: Texts | None = None) -> Texts:
    """An empty table, or a larger copy of `old`; `refill` makes it whole."""
    texts = Texts(
        np.empty(slots, np.int32),
        np.empty(4 * (slots // 2), np.int64),
        np.empty(arena + PADDING, np.uint8),
        np.array([0, 0, slots, arena], np.int64),
        np.zeros(ts.FIELDS, np.int64),
    )
    if old is not None:
        ids, filled = int(old.used[0]), int(old.used[1])
        texts.ids[: 4 * ids] = old.ids[: 4 * ids]
        texts.arena[:filled] = old.arena[:filled]
        texts.used[:2] = ids, filled
    else:  # the missing name and the missing id, see trace_layout
        texts.arena[: len(_NO_NAME)] = np.frombuffer(_NO_NAME, np.uint8)
        texts.ids[:8] = 0, 0, len(_NO_NAME), QUOTED, 0, len(_NO_NAME), 0, QUOTED
        texts.used[:2] = 2, len(_NO_NAME)
    return texts


def _new_keys(slots: int, old: Keys | None = None) -> Keys:
    """An empty table, or a larger copy of `old`; `refill` makes it whole."""
    keys = Keys(np.empty(slots, np.int32), np.empty(5 * (slots // 2), np.int32), np.array([0, 0, slots], np.int64))
    if old is not None:
        ids = int(old.used[0])
        keys.rows[: 5 * ids] = old.rows[: 5 * ids]
        keys.used[0] = ids
    return keys


def _scratch(keys: Keys) -> ts.Scratch:
    return ts.Scratch(
        np.zeros(3 * (ts.FIELDS + 1) + 1, np.int64),
        np.zeros(MAX_DEPTH, np.uint8),
        np.full(len(keys.rows) // 5, -1, np.int64),
        _TENS,
    )


class Tables:
    """Interned texts and keys of one worker, and where they are known globally (-1: not yet).

    With `sum_first` a slice ends at the rounded sum of ts and dur: clocks of cycles have steps of less than 1 ns.
    """

    def __init__(self, *, sum_first: bool = False) -> None:
        self.texts: Texts = _new_texts(1 << 12, 1 << 18)
        self.keys: Keys = _new_keys(1 << 10)
        self.scratch = _scratch(self.keys)
        self.scratch.fields[ts.SUM_FIRST] = int(sum_first)
        refill(self.texts, self.keys)
        # Written by the thread that takes the pieces in order, never by a worker.
        self.text_ids: Array = np.full(1 << 10, -1, np.int32)
        self.link_ids: Array = np.full(1 << 10, -1, np.int64)
        self.key_ids: Array = np.full(1 << 10, -1, np.int32)
        self.known_texts = 0
        self.known_keys = 0

    def grow(self, block_size: int) -> bool:
        """Make room in tables that are nearly full; False when none is."""
        texts, keys = self.texts, self.keys
        ids, filled, slots, room = texts.used.tolist()
        if 2 * (ids + 64) > slots or filled + block_size > room:
            self.texts = _new_texts(4 * slots if 2 * (ids + 64) > slots else slots, 2 * room + block_size, texts)
        if 2 * (int(keys.used[0]) + 64) > len(keys.slots):
            self.keys = _new_keys(4 * len(keys.slots), keys)
            self.scratch = self.scratch._replace(seen=np.full(len(self.keys.rows) // 5, -1, np.int64))
        if self.texts is not texts or self.keys is not keys:
            refill(self.texts, self.keys)
        return self.texts is not texts or self.keys is not keys


@dataclass
class Piece:
    """Rows of one scan, still with the ids of its worker, and a view of the tables as they were then."""

    tables: Tables
    block: Block
    base: int
    status: int
    stop: int
    texts: Texts
    keys: Keys
    text_count: int
    key_count: int
    metas: list[tuple[int, int, int, bytes]] = field(default_factory=list)
    args: Array = field(default_factory=lambda: _NO_BYTES)

    @property
    def stats(self) -> Array:
        return self.block.out.stats


def scan_block(
    tables: Tables,
    block: Block,
    start: int,
    stop: int,
    base: int,
    *,
    lost: bool = False,
    force: bool = False,
    copy_args: bool = False,
) -> Piece:
    """Scan block[start:stop], whose first byte is byte `base` of the source. Safe to run in any one thread."""
    block.out.stats[:] = 0
    at = start
    while True:
        status = scan(
            block.bytes, at, stop, base, lost, force,
            tables.texts, tables.keys, tables.scratch, *block.out,
        )  # fmt: skip
        at = int(block.out.stats[ts.STOP])
        if status != ts.GROW:
            break
        lost = False
        if not tables.grow(block.size) or block.out.stats[ts.EVENTS] >= block.out.rows.shape[1]:
            block.grow()
    slow = zip(*(block.column(c, ts.N_SLOW).tolist() for c in (ts.X_ROW, ts.X_AT, ts.X_END)), strict=True)
    for row, first, end in slow:
        value = float(block.raw[first:end])
        block.out.floats[ts.V_VALUE, row] = value if math.isfinite(value) else math.nan  # beyond a double: a gap
    columns = (ts.D_PID, ts.D_TID, ts.D_NAME, ts.D_ARGS_AT, ts.D_ARGS_LEN)
    metas = [
        (pid, tid, name, bytes(block.raw[a : a + size]) if a >= 0 else b"")
        for pid, tid, name, a, size in zip(*(block.column(c, ts.N_META).tolist() for c in columns), strict=True)
    ]
    piece = Piece(
        tables, block, base, int(status), at, tables.texts, tables.keys,
        int(tables.texts.used[0]), int(tables.keys.used[0]), metas,
    )  # fmt: skip
    if copy_args:
        piece.args = _copy_args(block, base)
    return piece


def _copy_args(block: Block, base: int) -> Array:
    """Details of all rows one after the other; args_at becomes the place therein."""
    groups = [
        (block.column(ts.S_ARGS_AT, ts.N_SLICE), block.column(ts.S_ARGS_LEN, ts.N_SLICE)),
        (block.column(ts.I_ARGS_AT, ts.N_INSTANT), block.column(ts.I_ARGS_LEN, ts.N_INSTANT)),
        (block.column(ts.M_ARGS_AT, ts.N_MARK), block.column(ts.M_ARGS_LEN, ts.N_MARK)),
    ]
    target = np.empty(sum(int(size.sum()) for _, size in groups), np.uint8)
    used = 0
    for at, size in groups:
        used = int(copy_ranges(block.bytes, at, size, base, target, used))
    return target
