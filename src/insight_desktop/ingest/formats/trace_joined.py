"""Details of slices whose begin and end events both have some: one text that holds both.

Such a text stands nowhere in the source, so it goes to the `args` stream; `place` tells it apart from places in the files.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats.trace_bytes import Array

PIECE = 4 << 20  # bytes of a batch of the stream


def place(at: int) -> int:
    """`args_at` for the byte `at` of the stream of a source whose other details stay in its files: below -1."""
    return -2 - at


def joined(first: bytes, second: bytes) -> bytes:
    """Two JSON objects as one; a key of both keeps its place, and a reader takes the value of the second.

    >>> joined(b'{"a": 1}', b'{"b": 2}')
    b'{"a": 1,"b": 2}'
    >>> joined(b'{ }', b'{"b": 2}')
    b'{"b": 2}'
    >>> joined(b'[1]', b'{"b": 2}')
    b'[1]'
    """
    one, two = first.strip(), second.strip()
    if not all(text[:1] == b"{" and text[-1:] == b"}" for text in (one, two)):
        return first
    return b"{" + b",".join(inner for text in (one, two) if (inner := text[1:-1].strip())) + b"}"


def join(
    files: Sequence[Path], slices: dict[str, Array], rows: Array, at: Array, length: Array
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Write the joined details of slices to the stream and note their places in the columns.

    Args:
        files: the source, laid end to end.
        slices: columns of schema `slice`; `args_at` and `args_len` of the rows change.
        rows: slices whose begin and end have details.
        at, length: where the details of their ends are; those of their begins stand in the columns.
    """
    with ExitStack() as held:
        views = [_View(path, held) for path in files]
        written, waiting, size = 0, [], 0
        for row, other, count in zip(rows.tolist(), at.tolist(), length.tolist(), strict=True):
            own = _read(views, int(slices["args_at"][row]), int(slices["args_len"][row]))
            text = joined(own, _read(views, other, count))
            slices["args_at"][row], slices["args_len"][row] = place(written + size), len(text)
            waiting.append(text)
            size += len(text)
            if size >= PIECE:
                yield "args", _batch(waiting)
                written, waiting, size = written + size, [], 0
        if waiting:
            yield "args", _batch(waiting)


class _View:
    """A file as bytes."""

    def __init__(self, path: Path, held: ExitStack) -> None:
        self.size = path.stat().st_size
        self.data: mmap.mmap | bytes = b""
        if self.size:
            file = held.enter_context(path.open("rb"))
            self.data = held.enter_context(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _read(views: Sequence[_View], at: int, length: int) -> bytes:
    for view in views:
        if at < view.size:
            return view.data[at : at + length]
        at -= view.size
    return b""


def _batch(texts: Sequence[bytes]) -> pa.RecordBatch:
    data = pa.array([b"".join(texts)], pa.large_binary())
    return pa.record_batch([data], schema=schema.STREAM["args"].schema)


def both(args_len: Array, begin: Array, end: Array) -> Array:
    """Which pairs of rows have details at both ends."""
    return np.flatnonzero((end >= 0) & (args_len[begin] > 0) & (args_len[np.maximum(end, 0)] > 0))
