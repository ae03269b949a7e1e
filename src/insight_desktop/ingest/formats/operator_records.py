"""Finds members and items in large JSON without building it: byte ranges first, values in small groups afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import orjson
from numba import njit

from insight_desktop.ingest.formats.trace_bytes import Array

GROUP_BYTES = 2 << 20
GROUP_ITEMS = 8192
_MAX_MEMBERS = 64
_TAIL = 1 << 20  # bytes at both ends of a large object in which its small members are looked for


@njit(nogil=True, cache=True)
def _blank(b, p, n):  # type: ignore[no-untyped-def]
    while p < n and (b[p] == 32 or b[p] == 10 or b[p] == 13 or b[p] == 9 or b[p] == 44):
        p += 1
    return p


@njit(nogil=True, cache=True)
def _value_end(b, p, n):  # type: ignore[no-untyped-def]
    """Byte behind the value at b[p]; -1 when the data end inside it."""
    depth = 0
    while p < n:
        c = b[p]
        if c == 34:
            p += 1
            while p < n and b[p] != 34:
                p += 2 if b[p] == 92 else 1
            if p >= n:
                return -1
            if depth == 0:
                return p + 1
        elif c == 123 or c == 91:
            depth += 1
        elif c == 125 or c == 93:
            if depth == 0:
                return p
            depth -= 1
            if depth == 0:
                return p + 1
        elif depth == 0 and (c == 44 or c == 32 or c == 10 or c == 13 or c == 9):
            return p
        p += 1
    return -1


@njit(nogil=True, cache=True)
def _members(b, p, n, out):  # type: ignore[no-untyped-def]
    """Fill out[k] with key start, key end, value start, value end of the object at b[p]; the number of members.

    The value that the data end in is kept up to the end.
    """
    count = 0
    p = _blank(b, p, n)
    if p >= n or b[p] != 123:
        return -1
    p += 1
    while count < len(out):
        p = _blank(b, p, n)
        if p >= n or b[p] != 34:
            break
        end = _value_end(b, p, n)
        if end < 0:
            break
        out[count, 0], out[count, 1] = p, end
        p = end
        while p < n and (b[p] == 32 or b[p] == 10 or b[p] == 13 or b[p] == 9 or b[p] == 58):
            p += 1
        if p >= n:
            break
        out[count, 2] = p
        end = _value_end(b, p, n)
        out[count, 3] = n if end < 0 else end
        count += 1
        if end < 0 or end == p:
            break
        p = end
    return count


@njit(nogil=True, cache=True)
def _items(b, p, n, budget, out):  # type: ignore[no-untyped-def]
    """Fill out[k] with start and end of the next array items; (number, where to go on, or -1 when the array is over)."""
    count = 0
    first = p
    while count < len(out) and p - first < budget:
        p = _blank(b, p, n)
        if p >= n or b[p] == 93:
            return count, -1
        end = _value_end(b, p, n)
        if end <= p:
            return count, -1
        out[count, 0], out[count, 1] = p, end
        count += 1
        p = end
    return count, p


def members(data: Array, start: int, end: int) -> dict[str, tuple[int, int]]:
    """Byte ranges of the values of the object in data[start:end]; the first 64 members, of equal names the last."""
    out = np.zeros((_MAX_MEMBERS, 4), np.int64)
    count = _members(data, start, end, out)
    found = {}
    for a, b, c, d in out[: max(0, count)].tolist():
        try:
            name = json.loads(data[a:b].tobytes().decode("utf-8", "replace"), strict=False)
        except ValueError:
            continue
        found[str(name)] = (c, d)
    return found


def around(data: Array, start: int, end: int, large: str, behind: str) -> dict[str, tuple[int, int]]:
    """As `members` for an object whose member `large` is most of it: its value is not walked through when the member
    `behind` can be found near the end. The range of `large` then reaches to the end of the data."""
    out = np.zeros((_MAX_MEMBERS, 4), np.int64)
    head = data[start : min(end, start + _TAIL)]
    count = _members(head, 0, len(head), out)
    tail_at = max(start, end - _TAIL)
    tail = data[tail_at:end].tobytes()
    at = tail.rfind(json.dumps(behind).encode())
    names = [_name(head, *span) for span in out[: max(0, count), :2].tolist()]
    if end - start <= 2 * _TAIL or at < 0 or large not in names:
        return members(data, start, end)
    colon = tail.find(b":", at + len(behind) + 2)
    closed = tail.rfind(b"}")
    found = {name: (start + c, start + d) for name, (_, _, c, d) in zip(names, out.tolist(), strict=False) if name}
    found[large] = (found[large][0], end)
    found[behind] = (tail_at + colon + 1, tail_at + closed)
    if colon < 0 or not isinstance(value(data, found[behind]), dict):
        return members(data, start, end)
    return found


def _name(data: Array, start: int, end: int) -> str:
    try:
        return str(json.loads(data[start:end].tobytes().decode("utf-8", "replace"), strict=False))
    except ValueError:
        return ""


def value(data: Array, place: tuple[int, int] | None) -> Any:
    """A small value; None when it is missing or no JSON."""
    if place is None:
        return None
    return _parse(data[place[0] : place[1]].tobytes())


def item_groups(data: Array, place: tuple[int, int] | None) -> Iterator[tuple[Array, int]]:
    """Groups of items of an array: start and end of each, and the byte behind the group."""
    if place is None or place[0] >= place[1] or data[place[0]] != 91:
        return
    p, end = place[0] + 1, place[1]
    out = np.zeros((GROUP_ITEMS, 2), np.int64)
    while p >= 0:
        count, p = _items(data, p, end, GROUP_BYTES, out)
        if count:
            yield out[:count].copy(), int(out[count - 1, 1])


def parse_items(data: Array, spans: Array) -> tuple[list[dict[str, Any]], int]:
    """The objects of a group, and how many of its items are none or cannot be read."""
    whole = b"[" + data[int(spans[0, 0]) : int(spans[-1, 1])].tobytes() + b"]"
    try:
        found = orjson.loads(whole)
    except orjson.JSONDecodeError:
        found = [_parse(data[a:b].tobytes()) for a, b in spans.tolist()]
    kept = [item for item in found if isinstance(item, dict)]
    return kept, len(spans) - len(kept)


def _parse(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        try:
            return json.loads(raw.decode("utf-8", "replace"), strict=False)
        except (ValueError, RecursionError):
            return None
