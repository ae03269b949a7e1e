"""Order of many distinct texts, several times faster than comparing them one by one.

Eight bytes of every text become one number, and numbers are sorted; only texts that are equal so far take part in the next
round, with the bytes behind. What is still equal after a few rounds is left to Arrow.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Rows = npt.NDArray[np.int64]
_Words = npt.NDArray[np.uint64]

_WORD = 8  # bytes of a round
_ROUNDS = 8


def text_order(texts: pa.Array, *, descending: bool = False) -> Rows:
    """Positions that put texts without nulls in the order of their UTF-8 bytes; equal ones keep their order."""
    if len(texts) < 2:
        return np.arange(len(texts), dtype=np.int64)
    work = _Texts(texts, descending)
    key = work.words(None, 0)
    order = np.argsort(key)
    group = _numbered(key[order])  # equal so far: the same number
    depth = _WORD
    for _ in range(_ROUNDS):
        tied = _tied(group)
        if not len(tied):
            return order
        rows = order[tied]
        if int(work.length[rows].max()) <= depth:  # nothing is left to compare but trailing NUL characters
            length = -work.length[rows] if descending else work.length[rows]
            order[tied] = rows[np.lexsort((rows, length, group[tied]))]
            return order
        number = _numbered(group[tied])
        bits = np.uint64(int(number[-1]).bit_length())
        step = (64 - int(bits)) // 8  # bytes that fit beside the number of the group
        key = (number << (np.uint64(64) - bits)) | (work.words(rows, depth, step) >> bits)
        inner = np.argsort(key)
        order[tied] = rows[inner]
        group = _split(group, tied, key[inner])
        depth += step
    found: Rows = pc.array_sort_indices(texts, order="descending" if descending else "ascending").to_numpy()
    return found.astype(np.int64)


class _Texts:
    """Bytes of texts behind what all of them begin with.

    Attributes:
        length: bytes of each text behind the common beginning.
    """

    def __init__(self, texts: pa.Array, descending: bool) -> None:
        texts = texts.cast(pa.large_string())
        ends = pc.min_max(texts)
        common = _common(ends["min"].as_py().encode(), ends["max"].as_py().encode())
        offsets = np.frombuffer(texts.buffers()[1], np.int64)[texts.offset : texts.offset + len(texts) + 1]
        first, last = int(offsets[0]), int(offsets[-1])
        held = texts.buffers()[2]
        raw = np.frombuffer(held, np.uint8)[first:last] if held is not None else np.empty(0, np.uint8)
        padded = np.concatenate([raw, np.zeros(_WORD, np.uint8)])
        self._at = np.lib.stride_tricks.as_strided(padded, (len(raw) + 1, _WORD), (1, 1))
        self._start = offsets[:-1] - first + common
        self.length: Rows = np.diff(offsets) - common
        self._descending = descending

    def words(self, rows: Rows | None, depth: int, count: int = _WORD) -> _Words:
        """The `count` bytes at a depth as numbers that sort like them; texts that end before have zeros there."""
        start, length = (self._start, self.length) if rows is None else (self._start[rows], self.length[rows])
        left = np.clip(length - depth, 0, count)
        begin = np.minimum(start + depth, len(self._at) - 1)
        found = self._at[begin].view(">u8").ravel().astype(np.uint64)
        shift = np.minimum(64 - 8 * left, 63).astype(np.uint64)
        found = np.where(left > 0, found >> shift << shift, np.uint64(0))
        return ~found if self._descending else found


def _common(first: bytes, last: bytes) -> int:
    """Bytes with which both begin; so do all texts between them."""
    least = min(len(first), len(last))
    return next((i for i in range(least) if first[i] != last[i]), least)


def _numbered(values: npt.NDArray[np.uint64]) -> _Words:
    """Running numbers of sorted values from 0, equal ones the same."""
    return np.concatenate([np.zeros(1, np.uint64), np.cumsum(values[1:] != values[:-1], dtype=np.uint64)])


def _tied(group: _Words) -> Rows:
    """Positions whose group has more than one member."""
    same = np.zeros(len(group), np.bool_)
    same[1:] = group[1:] == group[:-1]
    same[:-1] |= group[1:] == group[:-1]
    return np.flatnonzero(same)


def _split(group: _Words, tied: Rows, key: _Words) -> _Words:
    """Groups when those at `tied` fall apart by their sorted keys."""
    begins = np.ones(len(group), np.bool_)
    begins[1:] = group[1:] != group[:-1]
    begins[tied[1:]] = key[1:] != key[:-1]
    return _numbered(np.cumsum(begins, dtype=np.uint64))
