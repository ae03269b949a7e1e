"""What one scanning thread owns, and one scanned piece of a file."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from insight_desktop.ingest.formats import trace_scan as ts
from insight_desktop.ingest.formats.trace_bytes import MAX_DEPTH, QUOTED, Array, Keys, Texts, intern, new_keys, new_texts

_NO_BYTES = np.zeros(0, np.uint8)
_TENS = np.array([10.0**i for i in range(23)])
_PYTHON_FUNCTION = ts.bytes_of("python_function")
_FIRST_TEXTS = (b"(no name)", b"")


class Block:
    """A buffer of bytes with the arrays that a scan of it fills; used again and again."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.raw = bytearray(-(-size // 8) * 8 + 8)
        self.bytes: Array = np.frombuffer(self.raw, np.uint8)
        self.words: Array = self.bytes.view(np.uint64)
        self.out = ts.new_out(size)


def _scratch(keys: Keys) -> ts.Scratch:
    return ts.Scratch(
        np.zeros((ts.FIELDS, 3), np.int64),
        np.zeros(MAX_DEPTH, np.uint8),
        np.full(len(keys.rows), -1, np.int64),
        _TENS,
        _PYTHON_FUNCTION,
    )


class Tables:
    """Interned texts and keys of one worker, and where they are known globally (-1: not yet)."""

    def __init__(self) -> None:
        self.texts: Texts = new_texts()
        self.keys: Keys = new_keys()
        self.scratch = _scratch(self.keys)
        for raw in _FIRST_TEXTS:
            view = np.frombuffer(raw + b" ", np.uint8)
            intern(view, 0, len(raw), QUOTED, self.texts)
        # Written by the thread that takes the pieces in order, never by a worker.
        self.text_ids: Array = np.full(1 << 10, -1, np.int32)
        self.link_ids: Array = np.full(1 << 10, -1, np.int64)
        self.key_ids: Array = np.full(1 << 10, -1, np.int32)
        self.known_texts = 0
        self.known_keys = 0

    def grow(self, block_size: int) -> None:
        """Make room: called when a scan could not intern a text or a key."""
        texts, keys = self.texts, self.keys
        if 2 * (int(texts.used[0]) + 64) > len(texts.slots) or int(texts.used[1]) + block_size > len(texts.arena):
            slots = 4 * len(texts.slots) if 2 * (int(texts.used[0]) + 64) > len(texts.slots) else len(texts.slots)
            self.texts = new_texts(slots, 2 * len(texts.arena) + block_size, texts)
        self.keys = new_keys(4 * len(keys.slots), keys) if 2 * (int(keys.used[0]) + 64) > len(keys.slots) else keys
        if self.texts is texts and self.keys is keys:
            self.texts = new_texts(2 * len(texts.slots), 2 * len(texts.arena) + block_size, texts)
            self.keys = new_keys(2 * len(keys.slots), keys)
        if self.keys is not keys:
            self.scratch = self.scratch._replace(seen=np.full(len(self.keys.rows), -1, np.int64))


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
    def out(self) -> ts.Out:
        return self.block.out

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
    out = block.out
    out.stats[:] = 0
    at = start
    while True:
        status = ts.scan(
            block.bytes, block.words, at, stop, base, lost, force, tables.texts, tables.keys, tables.scratch, out
        )
        at = int(out.stats[ts.STOP])
        if status != ts.GROW:
            break
        lost = False
        tables.grow(block.size)
    stats = out.stats
    for row, first, end in out.values.slow[: stats[ts.N_SLOW]].tolist():
        out.values.value[row] = float(block.raw[first:end])
    m = out.metas
    k = int(stats[ts.N_META])
    metas = [
        (pid, tid, name, bytes(block.raw[a : a + size]) if a >= 0 else b"")
        for pid, tid, name, a, size in zip(
            m.pid[:k].tolist(), m.tid[:k].tolist(), m.name[:k].tolist(), m.args_at[:k].tolist(), m.args_len[:k].tolist(),
            strict=True,
        )
    ]  # fmt: skip
    piece = Piece(
        tables, block, base, int(status), at, tables.texts, tables.keys,
        int(tables.texts.used[0]), int(tables.keys.used[0]), metas,
    )  # fmt: skip
    if copy_args:
        piece.args = _copy_args(block, out, base)
    return piece


def _copy_args(block: Block, out: ts.Out, base: int) -> Array:
    """Details of all rows one after the other; args_at becomes the place therein."""
    stats = out.stats
    groups = (
        (out.slices.args_at, out.slices.args_len, int(stats[ts.N_SLICE])),
        (out.instants.args_at, out.instants.args_len, int(stats[ts.N_INSTANT])),
        (out.marks.args_at, out.marks.args_len, int(stats[ts.N_MARK])),
    )
    target = np.empty(sum(int(size[:k][at[:k] >= 0].sum()) for at, size, k in groups), np.uint8)
    used = 0
    for at, size, k in groups:
        copied = ts.copy_ranges(block.bytes, at, size, k, base, target[used:])
        at[:k][at[:k] >= 0] += used
        used += int(copied)
    return target
