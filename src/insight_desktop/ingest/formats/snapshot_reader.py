"""Drives the opcode machine over one buffer: gives it room, writes chunks of events away, says why a file is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import snapshot_layout as sl
from insight_desktop.ingest.formats.snapshot_machine import rehash, run

Array = npt.NDArray[Any]

EVENT_TYPES = {
    "action": "<i4", "address": "<u8", "size": "<i8", "stream": "<i8", "stack": "<i4", "time": "<i8", "context": "<i4",
    "metadata": "<i4", "category": "<i4", "forward": "<i4", "pool": "<i4", "fields": "<i4",
}  # fmt: skip
_DEFAULTS = {"context": -1, "metadata": -1, "category": -1, "pool": -1, "action": -1}
_ALWAYS = ("action", "address", "size", "stream", "stack", "fields")
_STEP = 8 << 20  # bytes between two reports of progress

_NOT_SNAPSHOT = "Save the snapshot again with torch.cuda.memory._dump_snapshot or torch_npu.npu.memory._dump_snapshot."
_UNSAFE = "Only open snapshots that PyTorch wrote; nothing of this file was executed."
_AGAIN = "Copy the file again, or record it anew."
_REASONS = {
    sl.EARLY_END: ("the file ends early ({pos:,} of {size:,} bytes hold whole instructions)", _AGAIN),
    sl.UNKNOWN: ("unknown pickle instruction 0x{op:02x} at byte {pos:,}", _AGAIN),
    sl.BAD_PROTOCOL: ("pickle protocol {protocol} is not one of 2 to 5", _NOT_SNAPSHOT),
    sl.BAD_MEMO: ("refused: memo number out of range at byte {pos:,}", _UNSAFE),
    sl.BAD_STACK: ("refused: instruction {name} at byte {pos:,} does not fit what stands before it", _AGAIN),
    sl.TOO_DEEP: ("refused: nested too deep at byte {pos:,}", _UNSAFE),
    sl.BAD_TEXT: ("refused: a text of more than 1 MiB at byte {pos:,}", _UNSAFE),
    sl.BIG_NUMBER: ("refused: a number of more than 64 bits at byte {pos:,}", _UNSAFE),
    sl.BAD_KEY: ("refused: a key that is no text at byte {pos:,}", _UNSAFE),
    sl.BAD_TARGET: ("refused: an object is filled again after its use at byte {pos:,}", _UNSAFE),
}


class EventFiles:
    """Column files of events, written chunk by chunk; columns that hold nothing but their default are left out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[str, BinaryIO] = {}
        self.rows = 0

    def write(self, chunk: Array) -> None:
        """Append the rows of a chunk of the machine's event table."""
        for place, name in enumerate(sl.EVENT_COLUMNS):
            values = chunk[:, place]
            default = _DEFAULTS.get(name, 0)
            file = self._open.get(name)
            if file is None:
                if name not in _ALWAYS and (values == default).all():
                    continue
                file = self._open[name] = (self._folder / f"event_{name}.bin").open("wb")
                np.full(self.rows, default, EVENT_TYPES[name]).tofile(file)
            if EVENT_TYPES[name] == "<u8":
                values.copy().view("<u8").tofile(file)
            else:
                values.astype(EVENT_TYPES[name]).tofile(file)
        self.rows += len(chunk)

    def close(self) -> None:
        """Finish the files."""
        for file in self._open.values():
            file.close()


class Machine:
    """The tables of the machine, and the loop around it.

    Args:
        data: the pickle, bytes of uint8.
        folder: where the event columns go.
        progress: called with bytes done.
    """

    def __init__(self, data: Array, folder: Path, progress: Callable[[int], None] = lambda _: None) -> None:
        self.data = data
        self._progress = progress
        self.events = EventFiles(folder)
        self.st = np.zeros(sl.STATE_LENGTH, np.int64)
        self.stack = np.zeros((4096, 2), np.int64)
        self.marks = np.zeros(sl.MAX_MARKS, np.int64)
        self.memo = np.zeros(4096, np.int64)
        self.nodes = np.zeros((4096, 4), np.int32)
        self.runs = np.zeros((4096, 3), np.int64)
        self.pool = np.zeros((4096, 2), np.int64)
        self.ev = np.zeros((min(sl.EVENT_ROOM, max(1024, data.size // 16)), len(sl.EVENT_COLUMNS)), np.int64)
        self.strs = np.zeros((1024, 4), np.int64)
        self.frames = np.zeros((1024, 8), np.int64)
        self.stacks = np.zeros((1024, 3), np.int64)
        self.sframes = np.zeros(4096, np.int32)
        self.hstr = np.full(4096, -1, np.int32)
        self.hframe = np.full(4096, -1, np.int32)
        self.hstack = np.full(4096, -1, np.int32)
        self.pairs = np.zeros((1024, 2), np.int64)
        self.keys = np.frombuffer("".join(sl.KEYS).encode(), np.uint8)
        self.key_ends = np.cumsum([len(key) for key in sl.KEYS]).astype(np.int64)
        self.st[sl.STACKS] = 1  # stack 0: no frames

    def load(self) -> tuple[int, int]:
        """Interpret the whole pickle; returns tag and payload of its root.

        Raises:
            BadFile: an instruction is refused, or the file ends early.
        """
        try:
            while True:
                result = self._step()
                if result == sl.DONE:
                    break
                if result == sl.CONTINUE:
                    self._progress(int(self.st[sl.POS]))
                elif result == sl.FLUSH:
                    self._flush()
                elif result < sl.EARLY_END:
                    self._grow(result)
                else:
                    raise self._refusal(result)
            self._flush()
        finally:
            self.events.close()
        return int(self.st[sl.RESULT_TAG]), int(self.st[sl.RESULT])

    def _step(self) -> int:
        limit = int(self.st[sl.POS]) + _STEP
        return int(
            run(
                self.data, limit, self.st, self.stack, self.marks, self.memo, self.nodes, self.runs, self.pool, self.ev,
                self.strs, self.frames, self.stacks, self.sframes, self.hstr, self.hframe, self.hstack, self.pairs,
                self.keys, self.key_ends,
            )
        )  # fmt: skip

    def _flush(self) -> None:
        rows = int(self.st[sl.EVENTS] - self.st[sl.BASE])
        if rows:
            self.events.write(self.ev[:rows])
        self.st[sl.BASE] = self.st[sl.EVENTS]

    def _grow(self, what: int) -> None:
        if what == sl.GROW_STACK:
            self.stack = _longer(self.stack)
        elif what == sl.GROW_MEMO:
            self.memo = _longer(self.memo)
        elif what == sl.GROW_NODES:
            self.nodes, self.runs = _room(self.nodes, int(self.st[sl.NODES])), _room(self.runs, int(self.st[sl.RUNS]))
        elif what == sl.GROW_POOL:
            self.pool = _longer(self.pool)
        elif what == sl.GROW_STRS:
            self.strs = _longer(self.strs)
            self.hstr = _rehashed(self.strs[: self.st[sl.STRS], sl.S_HASH], 4 * len(self.strs))
        elif what == sl.GROW_FRAMES:
            self.frames = _longer(self.frames)
            self.hframe = _rehashed(self.frames[: self.st[sl.FRAMES], sl.F_HASH], 4 * len(self.frames))
        elif what == sl.GROW_STACKS:
            self.stacks = _longer(self.stacks)
            self.hstack = _rehashed(self.stacks[1 : self.st[sl.STACKS], sl.K_HASH], 4 * len(self.stacks), 1)
        elif what == sl.GROW_SFRAMES:
            self.sframes = _longer(self.sframes)

    def _refusal(self, result: int) -> BadFile:
        pos, size = int(self.st[sl.POS]), int(self.data.size)
        op = int(self.data[min(pos, size - 1)]) if size else 0
        name = sl.FORBIDDEN_NAMES.get(op)
        if result == sl.UNKNOWN and name is not None:
            return BadFile(f"refused: contains executable pickle instruction {name} at byte {pos:,}.", fix=_UNSAFE)
        text, fix = _REASONS[result]
        protocol = int(self.data[min(pos + 1, size - 1)]) if size else 0
        return BadFile(
            text.format(pos=pos, size=size, op=op, name=name or f"0x{op:02x}", protocol=protocol) + ".", fix=fix
        )

    def text(self, row: int) -> str:
        """An interned text; damaged bytes are replaced."""
        at, length = int(self.strs[row, sl.S_AT]), int(self.strs[row, sl.S_LEN])
        return self.data[at : at + length].tobytes().decode("utf-8", "replace")

    def items(self, node: int) -> list[tuple[int, int]]:
        """(tag, payload) of everything in a list, tuple or dictionary (keys and values in turn); events are left out."""
        out: list[tuple[int, int]] = []
        run_row = int(self.nodes[node, sl.N_FIRST])
        while run_row >= 0:
            at, length, following = (int(x) for x in self.runs[run_row])
            if at >= 0:
                out += [(int(tag), int(value)) for tag, value in self.pool[at : at + length]]
            run_row = following
        return out

    def event_runs(self, node: int) -> tuple[list[tuple[int, int]], int]:
        """(first row, count) of the events in a list, in order; and how many other things it holds."""
        out: list[tuple[int, int]] = []
        other = 0
        run_row = int(self.nodes[node, sl.N_FIRST])
        while run_row >= 0:
            at, length, following = (int(x) for x in self.runs[run_row])
            if at < 0:
                out.append((-1 - at, length))
            else:
                for tag, value in self.pool[at : at + length]:
                    if tag == sl.DICT and self.nodes[value, sl.N_KIND] == sl.IS_EVENT:
                        out.append((int(self.nodes[value, sl.N_FIRST]), 1))
                    else:
                        other += 1
            run_row = following
        return _joined(out), other

    def mapping(self, tag: int, node: int) -> dict[str, tuple[int, int]]:
        """A dictionary by its text keys; empty for anything else."""
        if tag != sl.DICT or self.nodes[node, sl.N_KIND] != sl.IS_DICT:
            return {}
        flat = self.items(node)
        return {self.text(k): v for (kt, k), v in zip(flat[::2], flat[1::2], strict=True) if kt == sl.STR}

    def plain(self, tag: int, value: int, depth: int = 8) -> Any:
        """A value as plain Python; deeper parts, events and frames are left out as None."""
        if tag in (sl.INT, sl.UINT):
            return value if tag == sl.INT else value & (2**64 - 1)
        if tag == sl.STR:
            return self.text(value)
        if tag in (sl.TRUE, sl.FALSE):
            return tag == sl.TRUE
        if tag == sl.FLOAT:
            return float(np.int64(value).view(np.float64))
        if tag == sl.PAIR:
            return [int(x) for x in self.pairs[value]]
        if depth and tag in (sl.LIST, sl.TUPLE) and self.nodes[value, sl.N_KIND] in (sl.IS_LIST, sl.IS_TUPLE):
            return [self.plain(*item, depth - 1) for item in self.items(value)[:10_000]]
        if depth and tag == sl.DICT and self.nodes[value, sl.N_KIND] == sl.IS_DICT:
            found = list(self.mapping(tag, value).items())[:10_000]
            return {key: self.plain(*item, depth - 1) for key, item in found}
        return None


def _joined(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for first, count in runs:
        if out and sum(out[-1]) == first:
            out[-1] = (out[-1][0], out[-1][1] + count)
        else:
            out.append((first, count))
    return out


def _longer(table: Array) -> Array:
    """Twice as long; the rest is zero."""
    out = np.zeros((2 * len(table), *table.shape[1:]), table.dtype)
    out[: len(table)] = table
    return out


def _room(table: Array, used: int) -> Array:
    return _longer(table) if 2 * (used + 4) > len(table) else table


def _rehashed(hashes: Array, size: int, first: int = 0) -> Array:
    """A hash table of at least `size` places for rows with these hashes, in the machine's order of probing."""
    size = 1 << max(12, (size - 1).bit_length())
    table = np.full(size, -1, np.int32)
    rehash(table, np.ascontiguousarray(hashes), first)
    return table
