"""Writes operator profiles (visualize_data.bin) of two small kernels: an addition and a matrix product with activation.

Both are simulated: pipes run in parallel, flags order them, and every figure of the pages follows from what ran.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

from sample_data import simulate_kernel
from sample_data.simulate_kernel import Kernel

(SOURCE, TRACE, LINES, INSTRUCTIONS, BASE, LOAD_GRAPH, LOAD_TABLE, MEMORY_GRAPH, MEMORY_TABLE) = range(1, 10)
CORE_LOAD, ROOFLINE, CACHE_LINES, STALLS = 12, 13, 14, 15
HEADER = struct.Struct("<QBBBB")
PATH_BYTES = 4096
MARK = 0x5A
Block = tuple[int, int, str, bytes]  # type, version, path, payload


def encode(payload: Any) -> bytes:
    """JSON as the collector writes it: sorted keys, no blanks, UTF-8."""
    return json.dumps(payload, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def block(kind: int, payload: Any, path: str = "", version: int = MARK) -> bytes:
    """One block with its header and padding."""
    body = payload if isinstance(payload, bytes) else encode(payload)
    padding = -len(body) % 4
    head = HEADER.pack(len(body) + padding, kind, padding, version, MARK)
    if kind == SOURCE:
        raw = path.encode()
        if len(raw) >= PATH_BYTES:
            raise ValueError(f"a path of {len(raw)} bytes does not fit into a block")
        head += raw.ljust(PATH_BYTES, b"\0")
    return head + body + b"\0" * padding


def split(data: bytes) -> list[Block]:
    """The blocks of a whole file; what `join` puts together again."""
    at, found = 0, []
    while at + HEADER.size <= len(data):
        size, kind, padding, version, _ = HEADER.unpack_from(data, at)
        start, path = at + HEADER.size, ""
        if kind == SOURCE:
            path = data[start : start + PATH_BYTES].split(b"\0", 1)[0].decode()
            start += PATH_BYTES
        if start + size > len(data) or padding > size:
            raise ValueError(f"the block at byte {at} does not fit into the file")
        found.append((kind, version, path, data[start : start + size - padding]))
        at = start + size
    return found


def join(blocks: list[Block]) -> bytes:
    """A file out of blocks."""
    return b"".join(block(kind, payload, path, version) for kind, version, path, payload in blocks)


def blocks_of(kernel: Kernel) -> list[Block]:
    """Every block of a kernel's file, in the order in which collectors write them."""
    from sample_data import kernel_figures as figures

    pages: list[tuple[int, Any]] = [
        (LINES, figures.lines(kernel)),
        (INSTRUCTIONS, figures.instructions(kernel)),
        (STALLS, figures.stalls(kernel)),
        (BASE, figures.base_info(kernel)),
        (LOAD_GRAPH, figures.load_graph(kernel)),
        (LOAD_TABLE, figures.load_table(kernel)),
        (MEMORY_GRAPH, figures.memory_graph(kernel)),
        (MEMORY_TABLE, figures.memory_table(kernel)),
        (CORE_LOAD, figures.core_load(kernel)),
        (ROOFLINE, figures.roofline(kernel)),
        (TRACE, figures.trace(kernel)),
        (CACHE_LINES, figures.cache_lines(kernel)),
    ]
    sources: list[Block] = [(SOURCE, MARK, path, text.encode()) for path, text in kernel.sources.items()]
    return sources + [(kind, 0 if kind == INSTRUCTIONS else MARK, "", encode(page)) for kind, page in pages]


def write(folder: Path) -> None:
    """Write one folder per kernel."""
    for kernel in (simulate_kernel.add(), simulate_kernel.matmul()):
        (folder / kernel.short).mkdir(parents=True, exist_ok=True)
        (folder / kernel.short / "visualize_data.bin").write_bytes(join(blocks_of(kernel)))
