"""From a file to scanned pieces: chunks, containers, proof of the chunk borders, threads.

A chunk ends where an event seems to start. The scan of the chunk before proves it: only when that stops exactly at
the border (and the array goes on) the next chunk's rows count; otherwise they are thrown away and the bytes from the
last whole event on are scanned again. So the result does not depend on chunk size or threads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from insight_desktop.ingest.formats import trace_layout as ts
from insight_desktop.ingest.formats.trace_bytes import Array
from insight_desktop.ingest.formats.trace_feed import Feed
from insight_desktop.ingest.formats.trace_kernels import BLANK, OBJECT, OPEN_VALUE, TEXT, VALUE, last_border, structure
from insight_desktop.ingest.formats.trace_text import string_text
from insight_desktop.ingest.formats.trace_worker import Block, Piece, Tables, scan_block

CHUNK_BYTES = 8 << 20
MAX_EVENT_BYTES = 64 << 20  # larger ones count as damage: the memory stays bounded
_HEAD_BYTES = 1 << 20  # seen before an object that goes on counts as the root and not as an event

# Where in a document we are.
HEAD, EVENTS, KEYS, SKIP, END = range(5)


@dataclass
class Facts:
    """What is known of a file after reading it, for the report.

    Attributes:
        stats: counters of `trace_layout`, summed up.
        head: first bytes.
        bad_head: the file does not begin like JSON.
        bad_root: byte at which the root object's keys stopped making sense, -1 if they did.
        trailing: byte at which something follows the end of the data, -1 if nothing does.
        unclosed: the data end before their array or object does.
        total: bytes of (unpacked) data.
        damage_at: first damaged byte, -1 if there is none.
        blank: nothing but blanks.
    """

    stats: Array = field(default_factory=lambda: np.zeros(ts.STATS, np.int64))
    head: bytes = b""
    bad_head: bool = False
    bad_root: int = -1
    trailing: int = -1
    unclosed: bool = False
    total: int = 0
    damage_at: int = -1
    blank: bool = False

    @property
    def skipped(self) -> int:
        """Bytes left out because of damage."""
        return int(self.stats[ts.SKIPPED])

    def add(self, stats: Array) -> None:
        if self.damage_at < 0 and stats[ts.DAMAGED]:
            self.damage_at = int(stats[ts.DAMAGE_AT])
        self.stats += stats


class Document:
    """Follows the structure of one file and scans what the workers could not."""

    def __init__(self, tables: Tables, *, copy_args: bool, salvage: bool) -> None:
        self.tables = tables
        self.copy_args = copy_args
        self.facts = Facts()
        self.mode = EVENTS if salvage else HEAD
        self.lost = salvage
        self.closing = False  # the array has an opening bracket that wants closing
        self.in_object = False
        self.left = b""  # bytes from the last whole event (or key) on
        self.left_at = 0
        self._tried = 0
        self._object_at = 0
        self._nesting = np.zeros(3, np.int64)
        self._first = True

    @property
    def on_border(self) -> bool:
        """True when the next byte is known to stand between two events."""
        return self.mode == EVENTS and not self.lost and not self.left

    def accept(self, piece: Piece, stop: int) -> Iterator[Piece]:
        """Take a worker's piece that began on a proved border and covers block[:stop]."""
        block, base, status, at = piece.block, piece.base, piece.status, piece.stop
        self.facts.add(piece.stats)
        yield piece
        self._after_scan(status)
        if at < stop and status != ts.LOST:
            self.left, self.left_at = bytes(block.raw[at:stop]), base + at
            self._tried = stop - at if status == ts.INCOMPLETE else 0
            if status != ts.INCOMPLETE:
                yield from self.feed_left(final=False)

    def feed(self, block: Block, stop: int, base: int) -> Iterator[Piece]:
        """Scan block[:stop] here and now, behind what was left over."""
        if not self.left:
            yield from self._advance(block, stop, base, final=False, force=False)
            return
        self.left += bytes(block.raw[:stop])
        if len(self.left) >= 2 * self._tried or len(self.left) > MAX_EVENT_BYTES:
            yield from self.feed_left(final=False)

    def feed_left(self, *, final: bool) -> Iterator[Piece]:
        """Scan what was left over; `final` when no bytes follow."""
        data, base = self.left, self.left_at
        self.left = b""
        block = Block(len(data))
        block.raw[: len(data)] = data
        yield from self._advance(block, len(data), base, final=final, force=final or len(data) > MAX_EVENT_BYTES)

    def finish(self) -> Iterator[Piece]:
        """No more bytes: scan the rest, note what is open."""
        if self.left:
            yield from self.feed_left(final=True)
        self.facts.blank = self.mode == HEAD and self._first
        self.facts.unclosed = (self.mode == EVENTS and self.closing and not self.lost) or self.mode in (KEYS, SKIP)

    def _advance(self, block: Block, stop: int, base: int, *, final: bool, force: bool) -> Iterator[Piece]:
        p = 0
        while p < stop:
            if self.mode == EVENTS:
                piece = scan_block(
                    self.tables, block, p, stop, base, lost=self.lost, force=force, copy_args=self.copy_args
                )
                self.lost = False
                self.facts.add(piece.stats)
                p = piece.stop
                yield piece
                self._after_scan(piece.status)
                if piece.status == ts.INCOMPLETE:
                    break
                continue
            q = self._step(block, p, stop, base, final or force)
            if q < 0:
                break
            p = q
        if p < stop and not final:
            self.left, self.left_at, self._tried = bytes(block.raw[p:stop]), base + p, stop - p

    def _step(self, block: Block, p: int, n: int, base: int, final: bool) -> int:
        """Follow the structure outside the events; returns where it goes on, -1 when more bytes are needed."""
        if self.mode == HEAD:
            return self._head(block, p, n, base, final)
        if self.mode == KEYS:
            return self._keys(block, p, n, base, final)
        return self._skip(block, p, n) if self.mode == SKIP else self._end(block, p, n, base)

    def _find(self, what: int, block: Block, p: int, n: int) -> int:
        return int(structure(what, block.bytes, p, n, self.tables.scratch, self._nesting))

    def _after_scan(self, status: int) -> None:
        if status == ts.LOST:
            self.lost = True
        elif status == ts.ARRAY_END and self.in_object:
            self.mode = KEYS
        elif status == ts.ARRAY_END:
            self.mode = END

    def _head(self, block: Block, p: int, n: int, base: int, final: bool) -> int:
        b = block.bytes
        if self._first:
            if n - p < 3 and not final:
                return -1
            if bytes(block.raw[p : min(p + 3, n)]) == b"\xef\xbb\xbf":
                p += 3
        p = self._find(BLANK, block, p, n)
        if p >= n:
            return p
        self._first = False
        if b[p] == 91:
            self.mode, self.closing, self.in_object = EVENTS, True, False
            return p + 1
        if b[p] != 123:
            if b[p] == 47 and not final:
                return -1
            self.facts.bad_head = True
            self.mode, self.lost, self.closing, self.in_object = EVENTS, True, False, False
            return p
        end = self._find(OBJECT, block, p, n)
        if end == -1 and not final and n - p < _HEAD_BYTES:
            return -1
        self.closing = self.in_object = False
        if end >= 0 and self.tables.scratch.fields[3 * ts.F_PH + 2]:
            self.mode = EVENTS  # one event after the other, without an array
            return p
        self.mode, self._object_at = KEYS, base + p
        return p + 1

    def _keys(self, block: Block, p: int, n: int, base: int, final: bool) -> int:
        """One key of the root object with its value; -1 when the buffer does not hold it whole."""
        b = block.bytes
        while p < n and b[p] in (32, 10, 13, 9, 44):
            p += 1
        if p >= n:
            return p
        if b[p] == 125:
            self.mode = END
            return p + 1
        key_end = self._find(TEXT, block, p + 1, n) if b[p] == 34 else -2
        if key_end >= 0:
            at = self._find(BLANK, block, key_end + 1, n)
            if at < n and b[at] == 58:
                at = self._find(BLANK, block, at + 1, n)
                if at < n:
                    return self._value(block, string_text(bytes(block.raw[p + 1 : key_end])), at, n, base, final)
            key_end = -1 if at >= n else -2
        if key_end == -1 and not final:
            return -1
        if key_end == -1:
            return n
        return self._lose_root(p, base)

    def _value(self, block: Block, key: str, p: int, n: int, base: int, final: bool) -> int:
        b = block.bytes
        if key == "traceEvents" and b[p] == 91:
            self.mode, self.closing, self.in_object = EVENTS, True, True
            return p + 1
        # Behind the array this is the rest of a torn event: going back to the object's start would never end.
        if key == "ph" and b[p] == 34 and self._object_at >= base and not self.in_object:
            self.mode = EVENTS
            return self._object_at - base
        if b[p] in (91, 123):
            self.mode = SKIP
            self._nesting[:] = 0
            return p
        end = self._find(VALUE, block, p, n)
        if end == -1:
            return n if final else -1
        return end if end >= 0 else self._lose_root(p, base)

    def _lose_root(self, p: int, base: int) -> int:
        self.facts.bad_root = base + p
        self.mode, self.lost, self.closing, self.in_object = EVENTS, True, False, False
        return p

    def _skip(self, block: Block, p: int, n: int) -> int:
        end = self._find(OPEN_VALUE, block, p, n)
        if end < 0:
            return n
        self.mode = KEYS
        return end

    def _end(self, block: Block, p: int, n: int, base: int) -> int:
        p = self._find(BLANK, block, p, n)
        if p >= n:
            return p
        if self.facts.trailing < 0:
            self.facts.trailing = base + p
        c = block.bytes[p]
        if c in (91, 123):
            self.mode = HEAD
            return p
        if c in (44, 93, 125):
            return p + 1
        self.mode, self.lost, self.closing, self.in_object = EVENTS, True, False, False
        return p


def read_pieces(
    feed: Feed,
    document: Document,
    tables: list[Tables],
    executor: ThreadPoolExecutor | None,
    base: int,
    checkpoint: Callable[[], None],
    chunk_bytes: int,
) -> Iterator[Piece]:
    """Scan a file; pieces come in order, and a piece's block may be reused once the next is asked for."""
    free = deque(Block(chunk_bytes) for _ in range(len(tables) + 2 if executor else 1))
    idle = deque(tables)
    waiting: deque[tuple[Future[Piece] | None, Block, int, int]] = deque()
    carry = b""
    at = base
    ended = False
    try:
        while waiting or not ended:
            while free and not ended:
                block = free.popleft()
                block.raw[: len(carry)] = carry
                asked = chunk_bytes - len(carry)
                got = feed.read_into(memoryview(block.raw)[len(carry) : chunk_bytes])
                n = len(carry) + got
                ended = got < asked
                if at == base:
                    document.facts.head = bytes(block.raw[: min(n, 64)])
                border = -1 if ended else int(last_border(block.bytes, n // 2, n))
                stop = border if border > 0 else n
                carry = bytes(block.raw[stop:n])
                known = bool(waiting) or document.on_border
                future = None
                if executor is not None and known and stop:
                    future = executor.submit(_scan, idle, block, stop, at, document.copy_args)
                waiting.append((future, block, stop, at))
                at += stop
                if future is None:
                    break
            future, block, stop, start = waiting.popleft()
            if future is not None and document.on_border:
                yield from document.accept(future.result(), stop)
            else:
                if future is not None:
                    future.result()
                yield from document.feed(block, stop, start)
            free.append(block)
            checkpoint()
        document.facts.total = at - base
        yield from document.finish()
    finally:
        for future, *_ in waiting:
            if future is not None and not future.cancel():
                future.exception()


def _scan(idle: deque[Tables], block: Block, stop: int, base: int, copy_args: bool) -> Piece:
    tables = idle.popleft()
    try:
        return scan_block(tables, block, 0, stop, base, copy_args=copy_args)
    finally:
        idle.append(tables)


def sizes(paths: tuple[Path, ...]) -> list[int]:
    """Bytes of each file, 0 where it cannot be told."""
    found = []
    for path in paths:
        try:
            found.append(path.stat().st_size)
        except OSError:
            found.append(0)
    return found
