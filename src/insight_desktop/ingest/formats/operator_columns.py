"""Columns of many equal JSON records, read straight from the bytes: most of an instruction block is arrays of numbers.

A column that holds anything unusual is read by the general parser, value by value; the result is the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
from numba import njit

from insight_desktop.ingest.formats.operator_records import _blank, _value_end
from insight_desktop.ingest.formats.trace_bytes import Array

MISSING = -1
_TENS = 10.0 ** np.arange(23)
_ODD = "odd"


@njit(nogil=True, cache=True)
def locate(b, spans, keys, key_at, out):  # type: ignore[no-untyped-def]
    """Byte ranges of the values of each record: out[record, column] = start, end; −1 without such a member.

    False when a record is no object, breaks, or has a key with an escape.
    """
    columns = len(key_at) - 1
    for r in range(len(spans)):
        p, n = spans[r, 0], spans[r, 1]
        if b[p] != 123:
            return False
        p += 1
        guess = 0
        while True:
            p = _blank(b, p, n)
            if p >= n:
                return False
            if b[p] == 125:
                break
            if b[p] != 34:
                return False
            start = p + 1
            p = start
            while p < n and b[p] != 34:
                if b[p] == 92:
                    return False
                p += 1
            if p >= n:
                return False
            size = p - start
            found = -1
            for turn in range(columns):
                c = (guess + turn) % columns
                at = key_at[c]
                if key_at[c + 1] - at != size:
                    continue
                k = 0
                while k < size and keys[at + k] == b[start + k]:
                    k += 1
                if k == size:
                    found = c
                    break
            p += 1
            while p < n and (b[p] == 32 or b[p] == 10 or b[p] == 13 or b[p] == 9 or b[p] == 58):
                p += 1
            if p >= n:
                return False
            end = _value_end(b, p, n)
            if end <= p:
                return False
            if found >= 0:
                out[r, found, 0], out[r, found, 1] = p, end
                guess = found + 1
            p = end
    return True


@njit(nogil=True, cache=True)
def _number(b, p, n, tens):  # type: ignore[no-untyped-def]
    """A plain decimal number at p: (value, whole part, digits behind the dot, byte behind it); byte −1 when it is none."""
    minus = p < n and b[p] == 45
    if minus:
        p += 1
    v = np.int64(0)
    digits = 0
    behind = 0
    dot = False
    while p < n:
        c = b[p]
        if 48 <= c <= 57:
            v = v * 10 + np.int64(c - 48)
            digits += 1
            behind += 1 if dot else 0
        elif c == 46 and not dot:
            dot = True
        else:
            break
        p += 1
    if digits == 0 or digits > 15 or (p < n and (b[p] == 101 or b[p] == 69 or b[p] == 43 or b[p] == 45)):
        return 0.0, np.int64(0), 0, -1
    f = np.float64(v) / tens[behind]
    return (-f if minus else f), (-v if minus else v), behind, p


@njit(nogil=True, cache=True)
def numbers(b, ranges, room, tens, whole, real, counts, is_whole):  # type: ignore[no-untyped-def]
    """Flat values of a column of numbers or arrays of them; how many, −1 for anything unusual, −2 for too little room.

    counts[record] is the number of values, −1 without a value. Whole columns take a fraction as 0.
    """
    used = 0
    for r in range(len(ranges)):
        p, n = ranges[r, 0], ranges[r, 1]
        counts[r] = -1
        if p < 0:
            continue
        counts[r] = 0
        many = b[p] == 91
        if many:
            p = _blank(b, p + 1, n)
        while p < n and b[p] != 93:
            f, v, behind, end = _number(b, p, n, tens)
            if end < 0:
                return -1
            if used >= room:
                return -2
            if is_whole:
                whole[used] = v if behind == 0 else (np.int64(f) if f == np.floor(f) else 0)
            else:
                real[used] = f
            used += 1
            counts[r] += 1
            p = end
            if not many:
                break
            p = _blank(b, p, n)
    return used


@njit(nogil=True, cache=True)
def plain_texts(b, ranges, lengths):  # type: ignore[no-untyped-def]
    """Bytes of each plain string (−1 without a value); −1 as result when one is no string or has an escape."""
    total = 0
    for r in range(len(ranges)):
        p, n = ranges[r, 0], ranges[r, 1]
        lengths[r] = -1
        if p < 0:
            continue
        if b[p] != 34 or n - p < 2 or b[n - 1] != 34:
            return -1
        for i in range(p + 1, n - 1):
            if b[i] == 92 or b[i] < 32:
                return -1
        lengths[r] = n - p - 2
        total += n - p - 2
    return total


@njit(nogil=True, cache=True)
def gather(b, ranges, lengths, skip, out):  # type: ignore[no-untyped-def]
    """Lay the bytes of the values one after the other; `skip` bytes at their beginning are left out."""
    at = 0
    for r in range(len(ranges)):
        p = ranges[r, 0] + skip
        for i in range(lengths[r]):
            out[at + i] = b[p + i]
        at += max(0, lengths[r])


@njit(nogil=True, cache=True)
def hex_values(b, ranges, out, known):  # type: ignore[no-untyped-def]
    """Addresses written in base 16 with or without 0x; False when one is written in another way."""
    for r in range(len(ranges)):
        p, n = ranges[r, 0] + 1, ranges[r, 1] - 1
        known[r] = False
        out[r] = 0
        if ranges[r, 0] < 0:
            continue
        if n - p >= 2 and b[p] == 48 and (b[p + 1] == 120 or b[p + 1] == 88):
            p += 2
        if n - p < 1 or n - p > 16:
            return False
        v = np.uint64(0)
        for i in range(p, n):
            c = b[i]
            if 48 <= c <= 57:
                d = c - 48
            elif 97 <= c <= 102:
                d = c - 87
            elif 65 <= c <= 70:
                d = c - 55
            else:
                return False
            v = v * np.uint64(16) + np.uint64(d)
        out[r], known[r] = v, True
    return True


@njit(nogil=True, cache=True)
def hex_pairs(b, ranges, out, counts):  # type: ignore[no-untyped-def]
    """Addresses of arrays of pairs of texts, flat; how many, −1 when one is anything else. `out` has to be large enough."""
    used = 0
    for r in range(len(ranges)):
        p, n = ranges[r, 0], ranges[r, 1]
        counts[r] = 0
        if p < 0:
            continue
        depth = 0
        inside = 0
        while p < n:
            c = b[p]
            if c == 91:
                depth += 1
                inside = 0
            elif c == 93:
                if depth == 2 and inside != 2:
                    return -1
                depth -= 1
            elif c == 34:
                if depth != 2:
                    return -1
                p += 1
                if p + 1 < n and b[p] == 48 and (b[p + 1] == 120 or b[p + 1] == 88):
                    p += 2
                v = np.uint64(0)
                digits = 0
                while p < n and b[p] != 34:
                    c = b[p]
                    if 48 <= c <= 57:
                        d = c - 48
                    elif 97 <= c <= 102:
                        d = c - 87
                    elif 65 <= c <= 70:
                        d = c - 55
                    else:
                        return -1
                    v = v * np.uint64(16) + np.uint64(d)
                    digits += 1
                    p += 1
                if digits < 1 or digits > 16:
                    return -1
                out[used] = v
                used += 1
                inside += 1
                counts[r] += 1
            elif c != 44 and c != 32 and c != 10 and c != 13 and c != 9:
                return -1
            if depth > 2:
                return -1
            p += 1
    return used


class Group:
    """The records of a group by column; None from `of` when they have to be parsed one by one."""

    def __init__(self, data: Array, ranges: Array, names: Sequence[str]) -> None:
        self._data, self._ranges = data, ranges
        self._place = {name: i for i, name in enumerate(names)}

    @classmethod
    def of(cls, data: Array, spans: Array, names: Sequence[str]) -> Group | None:
        """Find the values of all columns."""
        raw = [name.encode("utf-8", "replace") for name in names]
        keys = np.frombuffer(b"".join(raw) or b"\0", np.uint8)
        at = np.concatenate([[0], np.cumsum([len(r) for r in raw])]).astype(np.int64)
        ranges = np.full((len(spans), max(1, len(names)), 2), MISSING, np.int64)
        return cls(data, ranges, names) if names and locate(data, spans, keys, at, ranges) else None

    def _of(self, name: str) -> Array:
        return np.ascontiguousarray(self._ranges[:, self._place[name], :])

    def values(self, name: str) -> list[Any]:
        """The values of a column as Python objects; None without one. Raises ValueError where one is no JSON."""
        return [None if a < 0 else _parse(self._data[a:b].tobytes()) for a, b in self._of(name).tolist()]

    def numbers(self, name: str, *, whole: bool) -> pa.Array | None:
        """A column of lists of numbers; None when it holds anything else."""
        ranges = self._of(name)
        room = int(np.maximum(ranges[:, 1] - ranges[:, 0], 0).sum()) // 2 + len(ranges) + 1
        ints = np.empty(room if whole else 0, np.int64)
        reals = np.empty(0 if whole else room, np.float64)
        counts = np.empty(len(ranges), np.int64)
        used = int(numbers(self._data, ranges, room, _TENS, ints, reals, counts, whole))
        if used < 0:
            return None
        flat = pa.array((ints if whole else reals)[:used])
        offsets = np.concatenate([[0], np.cumsum(np.maximum(counts, 0))]).astype(np.int32)
        missing = counts < 0
        mask = pa.array(missing) if missing.any() else None
        return pa.ListArray.from_arrays(pa.array(offsets), flat, mask=mask)

    def texts(self, name: str) -> pa.Array | None:
        """A column of strings; None when one is no string, has an escape, or is no UTF-8."""
        ranges = self._of(name)
        lengths = np.empty(len(ranges), np.int64)
        total = int(plain_texts(self._data, ranges, lengths))
        return self._strings(ranges, lengths, total, 1) if total >= 0 else None

    def raw(self, name: str) -> pa.Array | None:
        """A column of JSON values as they are written; None when one is no UTF-8."""
        ranges = self._of(name)
        lengths = np.where(ranges[:, 0] < 0, -1, ranges[:, 1] - ranges[:, 0])
        return self._strings(ranges, lengths, int(np.maximum(lengths, 0).sum()), 0)

    def _strings(self, ranges: Array, lengths: Array, total: int, skip: int) -> pa.Array | None:
        if total >= 1 << 31:
            return None
        out = np.empty(total, np.uint8)
        gather(self._data, ranges, lengths, skip, out)
        offsets = np.concatenate([[0], np.cumsum(np.maximum(lengths, 0))]).astype(np.int32)
        missing = lengths < 0
        bitmap = None
        if missing.any():
            bitmap = pa.py_buffer(np.packbits(~missing, bitorder="little").tobytes())
        found = pa.StringArray.from_buffers(
            len(ranges), pa.py_buffer(offsets), pa.py_buffer(out), bitmap, int(missing.sum())
        )
        try:
            found.validate(full=True)
        except pa.ArrowInvalid:
            return None
        return found

    def inside(self, name: str, names: Sequence[str]) -> Group | None:
        """The members of a column of objects; None when a record lacks it or it is none."""
        ranges = self._of(name)
        return None if (ranges[:, 0] < 0).any() else Group.of(self._data, ranges, names)

    def pairs(self, name: str) -> pa.Array | None:
        """A column of arrays of pairs of addresses, flat; None when it holds anything else."""
        ranges = self._of(name)
        room = int(np.maximum(ranges[:, 1] - ranges[:, 0], 0).sum()) // 3 + 1
        out, counts = np.empty(room, np.uint64), np.empty(len(ranges), np.int64)
        used = int(hex_pairs(self._data, ranges, out, counts))
        if used < 0:
            return None
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        return pa.ListArray.from_arrays(pa.array(offsets), pa.array(out[:used]))

    def addresses(self, name: str) -> pa.Array | None:
        """A column of addresses; None when one is written in an unusual way."""
        ranges = self._of(name)
        lengths = np.empty(len(ranges), np.int64)
        if plain_texts(self._data, ranges, lengths) < 0:
            return None
        out, known = np.empty(len(ranges), np.uint64), np.empty(len(ranges), bool)
        if not hex_values(self._data, ranges, out, known):
            return None
        return pa.array(out, mask=~known)


def _parse(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return json.loads(raw.decode("utf-8", "replace"), strict=False)
