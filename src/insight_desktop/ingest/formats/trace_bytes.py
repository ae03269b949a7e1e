"""Compiled pieces of the trace scanner: skipping JSON, exact numbers, tables of texts and keys.

Positions index a byte buffer `b`, a pointer as in `trace_vector`: PADDING bytes behind the text may be read.
Functions that can run out of bytes return -1 then, and -2 - position where the grammar is violated.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from insight_desktop.ingest.formats.trace_vector import (
    are_digits,
    eight_digits,
    hash_bytes,
    quote_in,
    same_bytes,
    word_at,
    word_end_in,
)

Array = npt.NDArray[Any]

QUOTED, BARE = 1, 2  # how a value was written; 0 absent
MAX_DEPTH = 1 << 20

# Places in `Texts.used` and `Keys.used`.
COUNT, FILLED, SLOTS, ROOM, LAST_KEY = 0, 1, 2, 3, 1
_TEXT_FIELDS = 4  # numbers per text in `Texts.ids`
_KEY_PARTS = 5


class Texts(NamedTuple):
    """Interned texts of one worker: raw bytes between the quotes (or of the bare value), kept over chunks.

    Kernels get the same tuple with pointers in place of the arrays.
    """

    slots: Array  # int32, open addressing: id or -1
    ids: Array  # int64[4 * ids]: hash, place in the arena, length, QUOTED or BARE
    arena: Array  # uint8
    used: Array  # int64[4]: ids, arena bytes, slots, bytes that fit into the arena
    last: Array  # int64 by field: the id it had last


class Keys(NamedTuple):
    """Interned tuples of five numbers (lanes and counter series) of one worker."""

    slots: Array  # int32
    rows: Array  # int32[5 * ids]
    used: Array  # int64[3]: ids, the one asked for last, slots


@njit(nogil=True)
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


@njit(nogil=True)
def next_token(b, p, n):  # type: ignore[no-untyped-def]
    """`skip_blank`, quick where at most one blank comes first."""
    if p < n and b[p] == 32:
        p += 1
    if b[p] > 32 and b[p] != 47:
        return p
    return skip_blank(b, p, n)


@njit(nogil=True)
def string_end(b, p, n):  # type: ignore[no-untyped-def]
    """Index of the quote that ends a string whose first byte is p, or -1."""
    while p < n:
        k = quote_in(b, p)
        p += k
        if k == 32:
            continue
        if p >= n:
            break
        if b[p] == 34:
            return p
        p += 2
    return -1


@njit(nogil=True)
def bare_end(b, p, n):  # type: ignore[no-untyped-def]
    """First byte after a number or word."""
    while p < n:
        k = word_end_in(b, p)
        p += k
        if k != 32:
            break
    return min(p, n)


@njit(nogil=True)
def _plain_members(b, p, n):  # type: ignore[no-untyped-def]
    """Pass over members with a key and a text, number or word, written with at most one blank between tokens.

    p is where a key or the end of an object may stand. Returns (where it goes on, the state there), see skip_value;
    whatever is not that plain is left to it, and so is every error.
    """
    while b[p] == 34 and p < n:
        e = string_end(b, p + 1, n)
        if e < 0:
            return p, 1
        q = e + 1
        if b[q] != 58:
            return q, 2
        q += 1
        if b[q] == 32:
            q += 1
        c = b[q]
        if c == 34:
            e = string_end(b, q + 1, n) + 1
            if e == 0:
                return q, 0
        else:
            e = bare_end(b, q, n)
            if e <= q or e >= n:
                return q, 0
        p = e
        if b[p] != 44:
            return p, 3
        p += 1
        if b[p] == 32:
            p += 1
    return p, 1


@njit(nogil=True)
def _behind_separator(c, st, ctx, d):  # type: ignore[no-untyped-def]
    """State of `skip_value` behind a comma or colon; -1 where none may stand."""
    if c == 58:
        return 0 if st == 2 else -1
    if st != 3:
        return -1
    return 1 if ctx[d - 1] == 123 else 4


@njit(nogil=True)
def skip_value(b, p, n, ctx):  # type: ignore[no-untyped-def]
    """End of the value that starts at p; checks nesting, colons and commas so that a lost quote shows at once.

    States: 0 value, 1 key or close, 2 colon, 3 comma or close, 4 value or close. ctx: MAX_DEPTH bytes.
    """
    d = 0
    st = 0
    while True:
        p = next_token(b, p, n)
        if p >= n:
            return -1
        c = b[p]
        if c == 34:
            if st == 1:
                p, st = _plain_members(b, p, n)
                if st == 1 and p < n and b[p] == 34:
                    return -1  # the key does not end
                continue
            if st == 2 or st == 3:
                return -2 - p
            e = string_end(b, p + 1, n)
            if e < 0:
                return -1
            p = e + 1
            st = 3
            if d == 0:
                return p
        elif c == 44 or c == 58:
            st = _behind_separator(c, st, ctx, d)
            if st < 0:
                return -2 - p
            p += 1
        elif c == 123 or c == 91:
            if (st != 0 and st != 4) or d >= MAX_DEPTH:
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


@njit(nogil=True)
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


@njit(nogil=True)
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


@njit(nogil=True)
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


@njit(nogil=True)
def _plain_nanoseconds(b, p, e):  # type: ignore[no-untyped-def]
    """`nanoseconds` of digits with at most one dot and up to 16 digits before it, else -2."""
    v = np.int64(0)
    q = p
    while q + 8 <= e and q < p + 16:
        x = word_at(b, q)
        if not are_digits(x):
            break
        v = v * 100000000 + eight_digits(x)
        q += 8
    while q < e and q < p + 17 and 48 <= b[q] <= 57:
        v = v * 10 + np.int64(b[q] - 48)
        q += 1
    if q == p or q > p + 16 or v > 9223372036854774:
        return np.int64(-2)
    v *= 1000
    if q < e and b[q] == 46:
        unit = 100
        q += 1
        while q < e and unit > 0 and 48 <= b[q] <= 57:
            v += unit * np.int64(b[q] - 48)
            unit //= 10
            q += 1
        if q < e and 53 <= b[q] <= 57:
            v += 1
        while q < e and 48 <= b[q] <= 57:
            q += 1
    return v if q == e else np.int64(-2)


@njit(nogil=True)
def nanoseconds(b, p, e):  # type: ignore[no-untyped-def]
    """Microseconds as decimal text -> nanoseconds, exact, half up on the fourth decimal; -1 when unusable or negative."""
    v = _plain_nanoseconds(b, p, e)
    if v >= 0:
        return v
    while p < e and (b[p] == 32 or b[p] == 9):
        p += 1
    while e > p and (b[e - 1] == 32 or b[e - 1] == 9):
        e -= 1
    minus = p < e and b[p] == 45
    if p < e and (b[p] == 45 or b[p] == 43):
        p += 1
    m, dot, x = decimal_end(b, p, e)
    if m < 0:
        return np.int64(-1)
    v = np.int64(_shifted(b, p, m, dot, x + 3))
    if minus and v != 0:
        return np.int64(-1)
    return v


@njit(nogil=True)
def picoseconds(b, p, e):  # type: ignore[no-untyped-def]
    """Microseconds as decimal text -> picoseconds, for sums that are rounded afterwards; -1 when unusable or negative."""
    while p < e and (b[p] == 32 or b[p] == 9 or b[p] == 43):
        p += 1
    while e > p and (b[e - 1] == 32 or b[e - 1] == 9):
        e -= 1
    m, dot, x = decimal_end(b, p, e)
    return np.int64(-1) if m < 0 else np.int64(_shifted(b, p, m, dot, x + 6))


@njit(nogil=True)
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


@njit(nogil=True)
def intern(b, p, e, kind, texts):  # type: ignore[no-untyped-def]
    """Id of the text b[p:e] written in that way; -1 when the table has to grow first."""
    h = np.int64(hash_bytes(b, p, e) + np.uint64(kind))
    mask = texts.used[SLOTS] - 1
    i = h & mask
    size = e - p
    while True:
        t = np.int64(texts.slots[i])
        if t < 0:
            break
        at = _TEXT_FIELDS * t
        if (
            texts.ids[at] == h
            and texts.ids[at + 2] == size
            and texts.ids[at + 3] == kind
            and same_bytes(texts.arena, texts.ids[at + 1], b, p, size)
        ):
            return t
        i = (i + 1) & mask
    t = texts.used[COUNT]
    filled = texts.used[FILLED]
    if 2 * (t + 1) > texts.used[SLOTS] or filled + size > texts.used[ROOM]:
        return np.int64(-1)
    for k in range(size):
        texts.arena[filled + k] = b[p + k]
    at = _TEXT_FIELDS * t
    texts.ids[at] = h
    texts.ids[at + 1] = filled
    texts.ids[at + 2] = size
    texts.ids[at + 3] = kind
    texts.slots[i] = t
    texts.used[COUNT] = t + 1
    texts.used[FILLED] = filled + size
    return t


@njit(nogil=True)
def refill_texts(texts):  # type: ignore[no-untyped-def]
    """Fill empty slots with the texts of a table."""
    mask = texts.used[SLOTS] - 1
    for t in range(texts.used[COUNT]):
        at = _TEXT_FIELDS * t
        first = texts.ids[at + 1]
        h = np.int64(hash_bytes(texts.arena, first, first + texts.ids[at + 2]) + np.uint64(texts.ids[at + 3]))
        texts.ids[at] = h
        i = h & mask
        while texts.slots[i] >= 0:
            i = (i + 1) & mask
        texts.slots[i] = t


@njit(nogil=True)
def _mix(a, b, c, d, e):  # type: ignore[no-untyped-def]
    h = np.uint64(a + 2) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ np.uint64(b + 2)) * np.uint64(0xD6E8FEB86659FD93)
    h ^= h >> np.uint64(31)
    h = (h ^ np.uint64(c + 2)) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ np.uint64(d + 2)) * np.uint64(0xD6E8FEB86659FD93)
    h ^= h >> np.uint64(31)
    h = (h ^ np.uint64(e + 2)) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(h ^ (h >> np.uint64(29)))


@njit(nogil=True)
def _is_key(rows, t, a, b, c, d, e):  # type: ignore[no-untyped-def]
    at = _KEY_PARTS * t
    return rows[at] == a and rows[at + 1] == b and rows[at + 2] == c and rows[at + 3] == d and rows[at + 4] == e


@njit(nogil=True)
def intern_key(a, b, c, d, e, keys):  # type: ignore[no-untyped-def]
    """Id of the tuple; -1 when the table has to grow first."""
    count = keys.used[COUNT]
    t = keys.used[LAST_KEY]  # neighbours mostly agree
    if t < count and _is_key(keys.rows, t, a, b, c, d, e):
        return t
    mask = keys.used[SLOTS] - 1
    i = _mix(a, b, c, d, e) & mask
    while True:
        t = np.int64(keys.slots[i])
        if t < 0:
            break
        if _is_key(keys.rows, t, a, b, c, d, e):
            keys.used[LAST_KEY] = t
            return t
        i = (i + 1) & mask
    t = count
    if 2 * (t + 1) > keys.used[SLOTS]:
        return np.int64(-1)
    at = _KEY_PARTS * t
    keys.rows[at] = a
    keys.rows[at + 1] = b
    keys.rows[at + 2] = c
    keys.rows[at + 3] = d
    keys.rows[at + 4] = e
    keys.slots[i] = t
    keys.used[COUNT] = t + 1
    keys.used[LAST_KEY] = t
    return t


@njit(nogil=True)
def refill_keys(keys):  # type: ignore[no-untyped-def]
    """Fill empty slots with the tuples of a table."""
    mask = keys.used[SLOTS] - 1
    r = keys.rows
    for t in range(keys.used[COUNT]):
        at = _KEY_PARTS * t
        i = _mix(r[at], r[at + 1], r[at + 2], r[at + 3], r[at + 4]) & mask
        while keys.slots[i] >= 0:
            i = (i + 1) & mask
        keys.slots[i] = t
