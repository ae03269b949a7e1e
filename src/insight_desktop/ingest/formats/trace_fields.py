"""Fields of one event: finding them in an object, and reading times, ids and texts out of them."""

from __future__ import annotations

import numpy as np
from numba import njit

from insight_desktop.ingest.formats.trace_bytes import (
    BARE,
    QUOTED,
    Array,
    bare_end,
    intern,
    nanoseconds,
    next_token,
    skip_blank,
    skip_value,
    string_end,
)
from insight_desktop.ingest.formats.trace_layout import (
    BAD_TS,
    F_ARGS,
    F_BIND,
    F_BP,
    F_CAT,
    F_CNAME,
    F_DUR,
    F_FLOW_IN,
    F_FLOW_OUT,
    F_GROUP,
    F_ID,
    F_ID2,
    F_NAME,
    F_PH,
    F_PID,
    F_SCOPE,
    F_TID,
    F_TS,
    FIELDS,
    ID_GLOBAL,
    ID_LOCAL,
    ID_PLAIN,
    TS_ZERO,
    WIDE_NUMBER,
)
from insight_desktop.ingest.formats.trace_vector import quote_in_word, same_bytes, word_at

_NAMES = {
    "ph": F_PH, "ts": F_TS, "dur": F_DUR, "pid": F_PID, "tid": F_TID, "name": F_NAME, "cat": F_CAT, "id": F_ID,
    "args": F_ARGS, "bp": F_BP, "group_id": F_GROUP, "id2": F_ID2, "cname": F_CNAME, "scope": F_SCOPE,
    "bind_id": F_BIND, "flow_in": F_FLOW_IN, "flow_out": F_FLOW_OUT,
}  # fmt: skip
_HASH_BITS = 6
_QUOTE, _ALL = np.uint64(34), np.uint64(2**64 - 1)
_PYTHON_F = np.uint64(int.from_bytes(b"python_f", "little"))
_FUNCTION = np.uint64(int.from_bytes(b"function", "little"))


def _key_table() -> tuple[int, Array, Array]:
    """(factor, keys, fields): a key with its quote as a word, times the factor, has its place in its highest bits."""
    words = {int.from_bytes(f'{name}"'.encode()[:8], "little"): field for name, field in _NAMES.items()}
    factor = 0x9E3779B97F4A7C15
    while len({(word * factor % 2**64) >> (64 - _HASH_BITS) for word in words}) < len(words):
        factor = (factor * 0xD6E8FEB86659FD93 + 2) % 2**64 | 1
    keys, fields = np.zeros(1 << _HASH_BITS, np.uint64), np.full(1 << _HASH_BITS, FIELDS)
    for word, field in words.items():
        at = (word * factor % 2**64) >> (64 - _HASH_BITS)
        keys[at], fields[at] = word, field
    return factor, keys, fields


_FACTOR, _KEYS, _FIELD_OF = _key_table()
_HASH_FACTOR, _HASH_SHIFT = np.uint64(_FACTOR), np.uint64(64 - _HASH_BITS)


@njit(nogil=True)
def _field(word):  # type: ignore[no-untyped-def]
    """Which field the key names whose first eight bytes, up to its closing quote, are that word, else FIELDS."""
    at = (word * _HASH_FACTOR) >> _HASH_SHIFT
    return _FIELD_OF[at] if _KEYS[at] == word else FIELDS


@njit(nogil=True)
def _escaped(b, p, e):  # type: ignore[no-untyped-def]
    """The ASCII character that the six bytes of a \\uXXXX escape at p stand for, or -1."""
    if p + 6 > e or b[p + 1] != 117:
        return -1
    v = 0
    for k in range(p + 2, p + 6):
        c = b[k] | 32
        if 48 <= b[k] <= 57:
            v = 16 * v + b[k] - 48
        elif 97 <= c <= 102:
            v = 16 * v + c - 87
        else:
            return -1
    return v if v < 128 else -1


@njit(nogil=True)
def _escaped_field(b, p, e):  # type: ignore[no-untyped-def]
    """`_field` of a key b[p:e] that may be written with escapes."""
    if e - p > 48:
        return FIELDS
    word = np.uint64(0)
    size = 0
    while p < e:
        v = np.int64(b[p])
        if v == 92:
            v = _escaped(b, p, e)
            p += 5
        p += 1
        if v <= 0 or size == 8:
            return FIELDS
        word |= np.uint64(v) << np.uint64(8 * size)
        size += 1
    return _field(word if size == 8 else word | _QUOTE << np.uint64(8 * size))


@njit(nogil=True)
def phase_of(b, f):  # type: ignore[no-untyped-def]
    """The letter of the phase; 0 when it is missing or no single letter."""
    s = f[3 * F_PH]
    e = f[3 * F_PH + 1]
    if f[3 * F_PH + 2] != QUOTED:
        return 0
    if e == s + 1:
        return np.int64(b[s])
    return max(0, _escaped(b, s, e)) if e == s + 6 and b[s] == 92 else 0


@njit(nogil=True)
def _key(b, p, n):  # type: ignore[no-untyped-def]
    """(field, end) of the key that begins at p; end -1 when the buffer ends first."""
    x = word_at(b, p)
    size = quote_in_word(x)
    if size < 8:
        i = _field(x & (_ALL >> np.uint64(56 - 8 * size)))
        if i != FIELDS:
            return i, (p + size if p + size < n else -1)
    elif b[p + 8] == 34:
        i = _field(x)
        if i != FIELDS:
            return i, (p + 8 if p + 8 < n else -1)
    e = string_end(b, p, n)
    return (_escaped_field(b, p, e) if e >= 0 else FIELDS), e


@njit(nogil=True)
def read_fields(b, p, n, f, ctx):  # type: ignore[no-untyped-def]
    """Find the fields of the object at p; returns its end, -1 or -2 - position."""
    for i in range(FIELDS):
        f[3 * i + 2] = 0
    p += 1
    while True:
        p = next_token(b, p, n)
        if p >= n:
            return -1
        c = b[p]
        if c == 125:
            return p + 1
        if c != 34:
            return -1 if c == 47 and open_comment(b, p, n) else -2 - p
        i, ke = _key(b, p + 1, n)
        if ke < 0:
            return -1
        p = next_token(b, ke + 1, n)
        if p >= n:
            return -1
        if b[p] != 58:
            return -2 - p
        p = next_token(b, p + 1, n)
        if p >= n:
            return -1
        c = b[p]
        s = p
        kind = BARE
        if c == 34:
            s = p + 1
            e = string_end(b, s, n)
            if e < 0:
                return -1
            kind = QUOTED
            p = e + 1
        elif c == 123 or c == 91:
            e = skip_value(b, p, n, ctx)
            if e < 0:
                return e
            p = e
        else:
            e = bare_end(b, p, n)
            if e == p:
                return -2 - p
            p = e
        f[3 * i] = s
        f[3 * i + 1] = e
        f[3 * i + 2] = kind
        p = next_token(b, p, n)
        if p >= n:
            return -1
        if b[p] == 44:
            p += 1
        elif b[p] != 125:
            return -1 if b[p] == 47 and open_comment(b, p, n) else -2 - p


@njit(nogil=True)
def open_comment(b, p, n):  # type: ignore[no-untyped-def]
    """True when a comment starts at p and the buffer ends before it does."""
    return p + 1 >= n or b[p + 1] == 47 or b[p + 1] == 42


@njit(nogil=True)
def is_null(b, f, i):  # type: ignore[no-untyped-def]
    """True when the field is the bare word null."""
    return f[3 * i + 2] == BARE and f[3 * i + 1] - f[3 * i] == 4 and b[f[3 * i]] == 110 and b[f[3 * i] + 1] == 117


@njit(nogil=True)
def is_true(b, f, i):  # type: ignore[no-untyped-def]
    """True when the field is the bare word true."""
    return f[3 * i + 2] == BARE and f[3 * i + 1] - f[3 * i] == 4 and b[f[3 * i]] == 116


@njit(nogil=True)
def field_text(b, f, i, otherwise, texts):  # type: ignore[no-untyped-def]
    """Id of a field's text; `otherwise` when it is missing, null or empty; -2 when the table is full."""
    s = f[3 * i]
    size = f[3 * i + 1] - s
    kind = f[3 * i + 2]
    if kind == 0 or size == 0 or is_null(b, f, i):
        return otherwise
    # Neighbours mostly agree in process, thread and category: look at the last text of the field first.
    ids = texts.ids
    last = texts.last
    t = last[i]
    if ids[4 * t + 2] == size and ids[4 * t + 3] == kind and same_bytes(texts.arena, ids[4 * t + 1], b, s, size):
        return t
    t = intern(b, s, s + size, kind, texts)
    if t < 0:
        return np.int64(-2)
    last[i] = t
    return t


@njit(nogil=True)
def field_id(b, f, i, texts):  # type: ignore[no-untyped-def]
    """(given, id): the number of a plain one, else -1 - text id; given -1 when the table is full."""
    if f[3 * i + 2] == 0 or f[3 * i] == f[3 * i + 1] or is_null(b, f, i):
        return 0, np.int64(0)
    s = f[3 * i]
    e = f[3 * i + 1]
    v = np.int64(0)
    if e - s <= 19 and (b[s] != 48 or e - s == 1):
        p = s
        while p < e and 48 <= b[p] <= 57:
            d = np.int64(b[p] - 48)
            if v > 922337203685477580 or (v == 922337203685477580 and d > 7):
                break
            v = v * 10 + d
            p += 1
        if p == e:
            return 1, v
    t = intern(b, s, e, f[3 * i + 2], texts)
    if t < 0:
        return -1, np.int64(0)
    return 1, np.int64(-1 - t)


@njit(nogil=True)
def take_id2(b, n, f, ctx):  # type: ignore[no-untyped-def]
    """Move the value of {"local": ..} or {"global": ..} into the id field; how it was given."""
    p = f[3 * F_ID2]
    if f[3 * F_ID2 + 2] != BARE or b[p] != 123:
        return ID_PLAIN
    p = skip_blank(b, p + 1, n)
    while b[p] == 34:
        ks = p + 1
        ke = string_end(b, ks, n)
        p = skip_blank(b, skip_blank(b, ke + 1, n) + 1, n)
        e = skip_value(b, p, n, ctx)
        if e < 0:
            return ID_PLAIN
        size = ke - ks
        if (size == 5 and b[ks] == 108) or (size == 6 and b[ks] == 103):
            quoted = b[p] == 34
            f[3 * F_ID] = p + 1 if quoted else p
            f[3 * F_ID + 1] = e - 1 if quoted else e
            f[3 * F_ID + 2] = QUOTED if quoted else BARE
            return ID_LOCAL if size == 5 else ID_GLOBAL
        p = skip_blank(b, e, n)
        if b[p] == 44:
            p = skip_blank(b, p + 1, n)
    return ID_PLAIN


@njit(nogil=True)
def field_time(b, f, stats):  # type: ignore[no-untyped-def]
    """Time stamp in ns, 0 when it cannot be used (counted)."""
    v = np.int64(-1)
    if f[3 * F_TS + 2] != 0:
        v = nanoseconds(b, f[3 * F_TS], f[3 * F_TS + 1])
        if f[3 * F_TS + 2] == BARE and f[3 * F_TS + 1] - f[3 * F_TS] > 18:
            stats[WIDE_NUMBER] += 1
    if v < 0:
        stats[BAD_TS] += 1
        return np.int64(0)
    if v == 0:
        stats[TS_ZERO] += 1
    return v


@njit(nogil=True)
def field_args(f, base):  # type: ignore[no-untyped-def]
    """(position, length) of the details as JSON text."""
    if f[3 * F_ARGS + 2] == 0:
        return np.int64(-1), 0
    q = 1 if f[3 * F_ARGS + 2] == QUOTED else 0
    return base + f[3 * F_ARGS] - q, f[3 * F_ARGS + 1] - f[3 * F_ARGS] + 2 * q


@njit(nogil=True)
def is_python_function(b, f):  # type: ignore[no-untyped-def]
    """1 when the category is "python_function", else 0."""
    s = f[3 * F_CAT]
    if f[3 * F_CAT + 1] - s != 15 or f[3 * F_CAT + 2] != QUOTED:
        return 0
    return 1 if word_at(b, s) == _PYTHON_F and word_at(b, s + 7) == _FUNCTION else 0
