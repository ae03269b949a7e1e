"""Compiled pieces of the trace scanner: skipping JSON, exact numbers, tables of texts and keys.

Positions index a byte buffer `b`; `w` is the same memory as 64-bit words (so `b` starts aligned).
Functions that can run out of bytes return -1 then, and -2 - position where the grammar is violated.

Compiled code is cached per file by its date: after a change here touch trace_scan.py as well, or its old code stays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

Array = npt.NDArray[Any]

QUOTED, BARE = 1, 2  # how a value was written; 0 absent
MAX_DEPTH = 1 << 20

_ONES = np.uint64(0x0101010101010101)
_HIGH = np.uint64(0x8080808080808080)
_QUOTES = np.uint64(0x2222222222222222)
_SLASHES = np.uint64(0x5C5C5C5C5C5C5C5C)


class Texts(NamedTuple):
    """Interned texts of one worker: raw bytes between the quotes (or of the bare value), kept over chunks."""

    slots: Array  # int32, open addressing: id or -1
    ids: Array  # int64[ids, 4]: hash, place in the arena, length, QUOTED or BARE
    arena: Array  # uint8
    used: Array  # int64[2]: ids, arena bytes
    last: Array  # int64 by field: the id it had last


class Keys(NamedTuple):
    """Interned tuples of five numbers (lanes and counter series) of one worker."""

    slots: Array  # int32
    rows: Array  # int32[ids, 5]
    used: Array  # int64[1]


@njit(nogil=True, cache=True)
def skip_blank(b, p, n):  # type: ignore[no-untyped-def]
    """Next byte that is neither blank nor comment; stays on the slash of a comment that does not end."""
    while p < n:
        c = b[p]
        if c == 32 or c == 10 or c == 13 or c == 9:
            p += 1
        elif c == 47:
            q = p + 2
            if q > n:
                return p
            if b[p + 1] == 47:
                while q < n and b[q] != 10:
                    q += 1
            elif b[p + 1] == 42:
                while q + 1 < n and not (b[q] == 42 and b[q + 1] == 47):
                    q += 1
                q += 2
            else:
                return p
            if q > n or (q == n and b[p + 1] == 47):
                return p
            p = q
        else:
            return p
    return p


@njit(nogil=True, cache=True)
def string_end(b, w, p, n):  # type: ignore[no-untyped-def]
    """Index of the quote that ends a string whose first byte is p, or -1."""
    q = np.uint64(p)
    stop = np.uint64(n)
    while q < stop:
        if q & np.uint64(7) == np.uint64(0) and q + np.uint64(8) <= stop:
            x = w[q >> np.uint64(3)]
            y = x ^ _QUOTES
            z = x ^ _SLASHES
            if (((y - _ONES) & ~y) | ((z - _ONES) & ~z)) & _HIGH == np.uint64(0):
                q += np.uint64(8)
                continue
        c = b[q]
        if c == 34:
            return np.int64(q)
        q += np.uint64(2) if c == 92 else np.uint64(1)
    return np.int64(-1)


@njit(nogil=True, cache=True)
def bare_end(b, p, n):  # type: ignore[no-untyped-def]
    """First byte after a number or word."""
    q = np.uint64(p)
    stop = np.uint64(n)
    while q < stop:
        c = b[q]
        if (48 <= c <= 57) or (97 <= c <= 122) or (65 <= c <= 90) or c == 45 or c == 43 or c == 46 or c == 95:
            q += np.uint64(1)
        else:
            break
    return np.int64(q)


@njit(nogil=True, cache=True)
def skip_value(b, w, p, n, ctx):  # type: ignore[no-untyped-def]
    """End of the value that starts at p; checks nesting, colons and commas so that a lost quote shows at once.

    States: 0 value, 1 key or close, 2 colon, 3 comma or close, 4 value or close.
    """
    d = 0
    st = 0
    while True:
        p = skip_blank(b, p, n)
        if p >= n:
            return -1
        c = b[p]
        if c == 34:
            if st == 2 or st == 3:
                return -2 - p
            e = string_end(b, w, p + 1, n)
            if e < 0:
                return -1
            p = e + 1
            st = 2 if st == 1 else 3
            if d == 0:
                return p
        elif c == 44:
            if st != 3:
                return -2 - p
            p += 1
            st = 1 if ctx[d - 1] == 123 else 4
        elif c == 58:
            if st != 2:
                return -2 - p
            p += 1
            st = 0
        elif c == 123 or c == 91:
            if (st != 0 and st != 4) or d >= len(ctx):
                return -2 - p
            ctx[d] = c
            d += 1
            p += 1
            st = 1 if c == 123 else 4
        elif c == 125 or c == 93:
            if st == 0 or st == 2 or d == 0 or ctx[d - 1] != c - 2:
                return -2 - p
            d -= 1
            p += 1
            if d == 0:
                return p
            st = 3
        else:
            if st != 0 and st != 4:
                return -2 - p
            e = bare_end(b, p, n)
            if e == p:
                return -1 if c == 47 and p + 1 >= n else -2 - p
            if e >= n:
                return -1
            p = e
            st = 3
            if d == 0:
                return p


@njit(nogil=True, cache=True)
def skip_open(b, p, n, state):  # type: ignore[no-untyped-def]
    """Pass over a value that may span buffers. state: depth, inside a string, after a backslash.

    Returns the position behind it, or -1 when the buffer ended first (state says where we are).
    """
    depth, inside, escaped = state[0], state[1], state[2]
    while p < n:
        c = b[p]
        p += 1
        if escaped:
            escaped = 0
        elif inside:
            if c == 92:
                escaped = 1
            elif c == 34:
                inside = 0
        elif c == 34:
            inside = 1
        elif c == 123 or c == 91:
            depth += 1
        elif c == 125 or c == 93:
            depth -= 1
            if depth <= 0:
                return p
    state[0], state[1], state[2] = depth, inside, escaped
    return -1


@njit(nogil=True, cache=True)
def _shifted(b, p, e, dot, scale):  # type: ignore[no-untyped-def]
    """Digits of b[p:e] (one dot at most) read with the decimal point moved by scale; -1 on overflow."""
    keep = dot + scale  # how many digits belong to the result
    if keep < 0:
        return np.int64(0)
    v = np.int64(0)
    seen = 0
    up = False
    for i in range(p, e):
        c = b[i]
        if c == 46:
            continue
        if seen < keep:
            if v > 922337203685477580 or (v == 922337203685477580 and c > 55):
                return -1
            v = v * 10 + np.int64(c - 48)
        elif seen == keep:
            up = c >= 53
            break
        seen += 1
    while seen < keep:
        if v == 0:
            break
        if v > 922337203685477580:
            return -1
        v *= 10
        seen += 1
    if up and v == 9223372036854775807:
        return -1
    return v + 1 if up else v


@njit(nogil=True, cache=True)
def decimal_end(b, p, e):  # type: ignore[no-untyped-def]
    """Shape of a decimal text: (end of mantissa, digits before the point, exponent); end -1 when it is no number."""
    digits = 0
    dot = -1
    m = p
    while m < e and ((48 <= b[m] <= 57) or (b[m] == 46 and dot < 0)):
        if b[m] == 46:
            dot = digits
        else:
            digits += 1
        m += 1
    if digits == 0:
        return -1, 0, 0
    if dot < 0:
        dot = digits
    if m == e:
        return m, dot, 0
    if b[m] != 101 and b[m] != 69:
        return -1, 0, 0
    q = m + 1
    minus = q < e and b[q] == 45
    if q < e and (b[q] == 45 or b[q] == 43):
        q += 1
    if q >= e:
        return -1, 0, 0
    x = np.int64(0)
    while q < e:
        if not 48 <= b[q] <= 57:
            return -1, 0, 0
        if x < 100000:
            x = x * 10 + np.int64(b[q] - 48)
        q += 1
    return m, dot, -x if minus else x


@njit(nogil=True, cache=True)
def nanoseconds(b, p, e):  # type: ignore[no-untyped-def]
    """Microseconds as decimal text -> nanoseconds, exact, half up on the fourth decimal; -1 when unusable or negative."""
    while p < e and (b[p] == 32 or b[p] == 9):
        p += 1
    while e > p and (b[e - 1] == 32 or b[e - 1] == 9):
        e -= 1
    minus = p < e and b[p] == 45
    if p < e and (b[p] == 45 or b[p] == 43):
        p += 1
    v = np.int64(0)
    i = p
    while i < e and i - p < 15 and 48 <= b[i] <= 57:
        v = v * 10 + np.int64(b[i] - 48)
        i += 1
    if i == e and i > p:
        v *= 1000
    else:
        m, dot, x = decimal_end(b, p, e)
        if m < 0:
            return np.int64(-1)
        v = np.int64(_shifted(b, p, m, dot, x + 3))
    if minus and v != 0:
        return np.int64(-1)
    return v


_TENS = np.array([10.0**i for i in range(23)])


@njit(nogil=True, cache=True)
def number(b, p, e, tens):  # type: ignore[no-untyped-def]
    """Double of a decimal text: (value, 0), (nan, 1) when it is no number, (nan, 2) when exact reading needs more."""
    while p < e and b[p] == 32:
        p += 1
    while e > p and b[e - 1] == 32:
        e -= 1
    minus = p < e and b[p] == 45
    if p < e and (b[p] == 45 or b[p] == 43):
        p += 1
    m, dot, x = decimal_end(b, p, e)
    if m < 0:
        return np.nan, 1
    v = np.int64(0)
    digits = 0
    for i in range(p, m):
        if b[i] != 46:
            if v > 900719925474098:
                return np.nan, 2
            v = v * 10 + np.int64(b[i] - 48)
            digits += 1
    shift = x - (digits - dot)
    if shift > 22 or shift < -22:
        return np.nan, 2
    f = np.float64(v)
    f = f * tens[shift] if shift >= 0 else f / tens[-shift]
    return (-f if minus else f), 0


@njit(nogil=True, cache=True)
def hash_bytes(b, p, e):  # type: ignore[no-untyped-def]
    """64-bit hash of b[p:e]."""
    # Unsigned positions spare the check for negative ones, so that eight bytes become one load.
    h = np.uint64(14695981039346656037)
    q = np.uint64(p)
    stop = np.uint64(e)
    while q + np.uint64(8) <= stop:
        x = (
            np.uint64(b[q])
            | np.uint64(b[q + np.uint64(1)]) << np.uint64(8)
            | np.uint64(b[q + np.uint64(2)]) << np.uint64(16)
            | np.uint64(b[q + np.uint64(3)]) << np.uint64(24)
            | np.uint64(b[q + np.uint64(4)]) << np.uint64(32)
            | np.uint64(b[q + np.uint64(5)]) << np.uint64(40)
            | np.uint64(b[q + np.uint64(6)]) << np.uint64(48)
            | np.uint64(b[q + np.uint64(7)]) << np.uint64(56)
        )
        h = (h ^ x) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
        q += np.uint64(8)
    while q < stop:
        h = (h ^ np.uint64(b[q])) * np.uint64(1099511628211)
        q += np.uint64(1)
    h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> np.uint64(32))


@njit(nogil=True, cache=True)
def same_bytes(a, i, b, j, size):  # type: ignore[no-untyped-def]
    """True when a[i:i + size] equals b[j:j + size]."""
    x = np.uint64(i)
    y = np.uint64(j)
    stop = x + np.uint64(size)
    while x < stop:
        if a[x] != b[y]:
            return False
        x += np.uint64(1)
        y += np.uint64(1)
    return True


@njit(nogil=True, cache=True)
def intern(b, p, e, kind, texts):  # type: ignore[no-untyped-def]
    """Id of the text b[p:e] written in that way; -1 when the table has to grow first."""
    slots, ids, arena, used = texts.slots, texts.ids, texts.arena, texts.used
    h = np.int64(hash_bytes(b, p, e) + np.uint64(kind))
    mask = len(slots) - 1
    i = h & mask
    size = e - p
    while True:
        t = slots[i]
        if t < 0:
            break
        if ids[t, 0] == h and ids[t, 2] == size and ids[t, 3] == kind and same_bytes(arena, ids[t, 1], b, p, size):
            return t
        i = (i + 1) & mask
    t = used[0]
    at = used[1]
    if 2 * (t + 1) > len(slots) or at + size > len(arena):
        return -1
    for k in range(size):
        arena[at + k] = b[p + k]
    ids[t, 0] = h
    ids[t, 1] = at
    ids[t, 2] = size
    ids[t, 3] = kind
    slots[i] = t
    used[0] = t + 1
    used[1] = at + size
    return t


@njit(nogil=True, cache=True)
def _mix(a, b, c, d, e):  # type: ignore[no-untyped-def]
    h = np.uint64(a + 2) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ np.uint64(b + 2)) * np.uint64(0xD6E8FEB86659FD93)
    h ^= h >> np.uint64(31)
    h = (h ^ np.uint64(c + 2)) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ np.uint64(d + 2)) * np.uint64(0xD6E8FEB86659FD93)
    h ^= h >> np.uint64(31)
    h = (h ^ np.uint64(e + 2)) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(h ^ (h >> np.uint64(29)))


@njit(nogil=True, cache=True)
def intern_key(a, b, c, d, e, keys):  # type: ignore[no-untyped-def]
    """Id of the tuple; -1 when the table has to grow first."""
    slots, rows, used = keys.slots, keys.rows, keys.used
    mask = len(slots) - 1
    i = _mix(a, b, c, d, e) & mask
    while True:
        t = slots[i]
        if t < 0:
            break
        if rows[t, 0] == a and rows[t, 1] == b and rows[t, 2] == c and rows[t, 3] == d and rows[t, 4] == e:
            return t
        i = (i + 1) & mask
    t = used[0]
    if 2 * (t + 1) > len(slots):
        return -1
    rows[t, 0] = a
    rows[t, 1] = b
    rows[t, 2] = c
    rows[t, 3] = d
    rows[t, 4] = e
    slots[i] = t
    used[0] = t + 1
    return t


@njit(nogil=True, cache=True)
def _refill_texts(texts):  # type: ignore[no-untyped-def]
    mask = len(texts.slots) - 1
    for t in range(texts.used[0]):
        i = texts.ids[t, 0] & mask
        while texts.slots[i] >= 0:
            i = (i + 1) & mask
        texts.slots[i] = t


@njit(nogil=True, cache=True)
def _refill_keys(keys):  # type: ignore[no-untyped-def]
    mask = len(keys.slots) - 1
    r = keys.rows
    for t in range(keys.used[0]):
        i = _mix(r[t, 0], r[t, 1], r[t, 2], r[t, 3], r[t, 4]) & mask
        while keys.slots[i] >= 0:
            i = (i + 1) & mask
        keys.slots[i] = t


def new_texts(slots: int = 1 << 12, arena: int = 1 << 18, old: Texts | None = None) -> Texts:
    """An empty table, or a larger copy of `old`."""
    texts = Texts(
        np.full(slots, -1, np.int32),
        np.empty((slots // 2, 4), np.int64),
        np.empty(arena, np.uint8),
        np.zeros(2, np.int64),
        np.zeros(16, np.int64),
    )
    if old is not None:
        ids, filled = int(old.used[0]), int(old.used[1])
        texts.ids[:ids] = old.ids[:ids]
        texts.arena[:filled] = old.arena[:filled]
        texts.used[:] = old.used
        _refill_texts(texts)
    return texts


def new_keys(slots: int = 1 << 10, old: Keys | None = None) -> Keys:
    """An empty table, or a larger copy of `old`."""
    keys = Keys(np.full(slots, -1, np.int32), np.empty((slots // 2, 5), np.int32), np.zeros(1, np.int64))
    if old is not None:
        ids = int(old.used[0])
        keys.rows[:ids] = old.rows[:ids]
        keys.used[:] = old.used
        _refill_keys(keys)
    return keys
