"""The container `visualize_data.bin`: blocks one after the other, without header, index or trailer.

A block is u64 content size, u8 type, u8 padding, u8 version, u8 reserved (0x5A), for sources a path of 4096 bytes,
then the content with its padding. Only headers are read here; every size is checked against the file before it is used.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from insight_desktop.errors import BadFile
from insight_desktop.ingest.report import Report

HEADER = struct.Struct("<QBBBB")
PATH_BYTES = 4096
MAX_BLOCKS = 500_000  # a kernel has some hundred sources; more headers are no operator data
NO_VERSION = 90  # what counts as the version of the instructions when there are none

(SOURCE, TRACE, LINES, INSTRUCTIONS, BASE_INFO, COMPUTE_GRAPH, COMPUTE_TABLE, MEMORY_GRAPH, MEMORY_TABLE) = range(1, 10)
CORE_LOAD, ROOFLINE, CACHE_LINES, STALLS = 12, 13, 14, 15

NAMES = {
    SOURCE: "source text",
    TRACE: "trace",
    LINES: "source lines",
    INSTRUCTIONS: "instructions",
    BASE_INFO: "base info",
    COMPUTE_GRAPH: "compute load chart",
    COMPUTE_TABLE: "compute load table",
    MEMORY_GRAPH: "memory diagram",
    MEMORY_TABLE: "memory tables",
    10: "memory sequence (prototype)",
    11: "L2 cache (prototype)",
    CORE_LOAD: "core load",
    ROOFLINE: "roofline",
    CACHE_LINES: "cache lines",
    STALLS: "warp stall reasons",
}
_ONLY_FIRST = frozenset({*range(3, 10), CORE_LOAD, ROOFLINE, CACHE_LINES, STALLS})
_AGAIN = "Copy the file again from where it was collected."


@dataclass(frozen=True)
class Block:
    """One block.

    Attributes:
        number: running number, 1 first.
        at: byte of its header.
        type: one of the constants of this module, or a number that is not known.
        version: as written, 0 to 255.
        start: first byte of the payload.
        size: bytes of the payload that are in the file, without padding.
        path: path of a source, as recorded.
        is_cut: the file ends inside it.
    """

    number: int
    at: int
    type: int
    version: int
    start: int
    size: int
    path: str = ""
    is_cut: bool = False

    @property
    def name(self) -> str:
        return NAMES.get(self.type, f"type {self.type}")

    @property
    def where(self) -> str:
        return f"block {self.number} ({self.name}) at byte {self.at}"


@dataclass
class Index:
    """The blocks that are used, and the types of all blocks in order.

    Attributes:
        blocks: every source and trace block; of the other known types the first one.
        types: type of every block in file order.
        instruction_version: version byte of the last instruction block, as signed number; 90 without one.
        bad: blocks that are skipped, with the reason.
        stray: bytes behind the last block that are too few for a header.
        size: bytes of the file.
    """

    blocks: list[Block] = field(default_factory=list)
    types: bytearray = field(default_factory=bytearray)
    instruction_version: int = NO_VERSION
    bad: list[tuple[Block, str]] = field(default_factory=list)
    stray: int = 0
    size: int = 0
    firsts: dict[int, Block] = field(default_factory=dict)

    def first(self, kind: int) -> Block | None:
        """The block of a type that is used."""
        return self.firsts.get(kind)

    def all(self, kind: int) -> list[Block]:
        return [block for block in self.blocks if block.type == kind]

    def sources(self) -> dict[str, Block]:
        """The sources by path, ascending; of two with one path the later."""
        found = {block.path: block for block in self.all(SOURCE)}
        return {path: found[path] for path in sorted(found)}


def is_head(head: bytes) -> bool:
    """True when a file begins like a block: its size is not 0 and the marks are there.

    Instruction blocks of newer collectors carry version 0 instead of the mark.
    """
    if len(head) < HEADER.size:
        return False
    size, kind, padding, version, reserved = HEADER.unpack_from(head)
    marked = version == 0x5A or (version == 0 and kind == INSTRUCTIONS)
    return size != 0 and reserved == 0x5A and marked and padding <= size


def head_problem(head: bytes) -> str:
    """Why a file does not begin like a block; empty when it does."""
    if is_head(head):
        return ""
    if not head:
        return "it is empty (0 bytes)"
    if len(head) < HEADER.size:
        return f"it has {len(head)} bytes, fewer than the header of a block"
    marks = head[10:12].hex(" ").upper()
    size, _, padding, _, _ = HEADER.unpack_from(head)
    if size == 0:
        return "its first block has the size 0"
    if head[10:12] == b"ZZ" or (head[10] == 0 and head[8] == INSTRUCTIONS and head[11] == 0x5A):
        return f"the padding of its first block ({padding}) is larger than the block ({size} bytes)"
    return f"bytes 10 and 11 are {marks}, the magic of operator data is 5A 5A"


def read_index(path: Path, report: Report | None = None) -> Index:
    """Read the headers of all blocks.

    Raises:
        BadFile: the file cannot be read, does not begin like a block, or a block claims more bytes than the file has.
    """
    try:
        size = path.stat().st_size
        with path.open("rb", buffering=1 << 16) as file:
            head = file.read(HEADER.size)
            problem = head_problem(head)
            if problem:
                raise BadFile(
                    f"{path.name} is not an operator file: {problem}.",
                    fix="Open the visualize_data.bin that msprof op or msopprof wrote.",
                )
            index = Index(size=size)
            at = 0
            while at + HEADER.size <= size:
                file.seek(at)
                header = file.read(HEADER.size)
                if len(header) < HEADER.size:
                    break
                at = _take(index, file.read(PATH_BYTES) if header[8] == SOURCE else b"", header, at, path)
                if report is not None and len(index.types) % 1024 == 0:
                    report.checkpoint(at, size, path.name)
            index.stray = max(0, size - at)
    except OSError as error:
        raise BadFile(
            f"{path.name} cannot be read: {error.strerror or error}.",
            fix="Check the path and your permission to read it.",
        ) from error
    return index


def _take(index: Index, raw_path: bytes, header: bytes, at: int, path: Path) -> int:
    """Add the block whose header was read; returns the byte behind it."""
    content, kind, padding, version, _ = HEADER.unpack(header)
    number = len(index.types) + 1
    start = at + HEADER.size + (PATH_BYTES if kind == SOURCE else 0)
    there = max(0, min(content, index.size - start))
    name = raw_path.split(b"\0", 1)[0].decode("utf-8", "replace") if kind == SOURCE else ""
    whole = there == content
    block = Block(number, at, kind, version, start, max(0, there - padding if whole else there), name, not whole)
    if content > index.size:
        raise BadFile(
            f"{path.name}: {block.where} claims {content:,} bytes, the file has {index.size:,}. "
            f"{number - 1} blocks before it are whole, but what follows cannot be told apart.",
            fix=_AGAIN,
        )
    if number > MAX_BLOCKS:
        raise BadFile(f"{path.name} has more than {MAX_BLOCKS:,} blocks; that is not an operator file.", fix=_AGAIN)
    index.types.append(kind)
    if kind == INSTRUCTIONS:
        index.instruction_version = version - 256 if version > 127 else version
    if padding > content:
        index.bad.append((block, f"its padding ({padding}) is larger than its content ({content} bytes)"))
    elif content == 0 and kind in _ONLY_FIRST | {TRACE}:
        index.bad.append((block, "it is empty"))
    elif kind in (SOURCE, TRACE) or (kind in _ONLY_FIRST and kind not in index.firsts):
        index.blocks.append(block)
        index.firsts.setdefault(kind, block)
    return start + content


@contextmanager
def mapped(path: Path) -> Iterator[memoryview]:
    """The bytes of a file, mapped and not copied; no slice of them may outlive the block. Raises OSError."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as pages:
        view = memoryview(pages)
        try:
            yield view
        finally:
            view.release()


def payload(path: Path, block: Block) -> bytes:
    """The payload of a block, as far as it is in the file. Raises OSError."""
    with path.open("rb") as file:
        file.seek(block.start)
        return file.read(block.size)
