"""Fields of one event: finding them in an object, and reading times, ids and texts out of them."""

from __future__ import annotations

import numpy as np
from numba import njit

from insight_desktop.ingest.formats.trace_bytes import (
    BARE,
    QUOTED,
    bare_end,
    intern,
    nanoseconds,
    same_bytes,
    skip_blank,
    skip_value,
    string_end,
)
from insight_desktop.ingest.formats.trace_layout import (
    BAD_TS,
    F_ARGS,
    F_BP,
    F_CAT,
    F_DUR,
    F_GROUP,
    F_ID,
    F_ID2,
    F_NAME,
    F_PH,
    F_PID,
    F_TID,
    F_TS,
    ID_GLOBAL,
    ID_LOCAL,
    ID_PLAIN,
    TS_ZERO,
    WIDE_NUMBER,
)


@njit(nogil=True, cache=True)
def _field(b, p, size):  # type: ignore[no-untyped-def]
    """Which field the key b[p:p+size] names, or -1."""
    c = b[p] if size > 0 else 0
    if size == 2:
        d = b[p + 1]
        if c == 112 and d == 104:
            return F_PH
        if c == 116 and d == 115:
            return F_TS
        if c == 105 and d == 100:
            return F_ID
        if c == 98 and d == 112:
            return F_BP
    elif size == 3:
        d = b[p + 1]
        e = b[p + 2]
        if c == 100 and d == 117 and e == 114:
            return F_DUR
        if c == 112 and d == 105 and e == 100:
            return F_PID
        if c == 116 and d == 105 and e == 100:
            return F_TID
        if c == 99 and d == 97 and e == 116:
            return F_CAT
        if c == 105 and d == 100 and e == 50:
            return F_ID2
    elif size == 4:
        if c == 110 and b[p + 1] == 97 and b[p + 2] == 109 and b[p + 3] == 101:
            return F_NAME
        if c == 97 and b[p + 1] == 114 and b[p + 2] == 103 and b[p + 3] == 115:
            return F_ARGS
    elif size == 8 and c == 103 and b[p + 1] == 114 and b[p + 5] == 95 and b[p + 6] == 105 and b[p + 7] == 100:
        return F_GROUP  # group_id
    return -1


@njit(nogil=True, cache=True)
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


@njit(nogil=True, cache=True)
def _escaped_field(b, p, e):  # type: ignore[no-untyped-def]
    """`_field` of a key b[p:e] that is written with escapes; -1 for one without."""
    if e - p < 7 or e - p > 48:
        return -1
    plain = True
    for k in range(p, e):
        plain = plain and b[k] != 92
    if plain:
        return -1
    key = np.zeros(8, np.uint8)
    size = 0
    while p < e:
        v = np.int64(b[p])
        if v == 92:
            v = _escaped(b, p, e)
            p += 5
        p += 1
        if v < 0 or size == 8:
            return -1
        key[size] = v
        size += 1
    return _field(key, 0, size)


@njit(nogil=True, cache=True)
def phase_of(b, f):  # type: ignore[no-untyped-def]
    """The letter of the phase; 0 when it is missing or no single letter."""
    s = f[F_PH, 0]
    e = f[F_PH, 1]
    if f[F_PH, 2] != QUOTED:
        return 0
    if e == s + 1:
        return np.int64(b[s])
    return max(0, _escaped(b, s, e)) if e == s + 6 and b[s] == 92 else 0


@njit(nogil=True, cache=True)
def read_fields(b, w, p, n, f, ctx):  # type: ignore[no-untyped-def]
    """Find the fields of the object at p; returns its end, -1 or -2 - position."""
    f[:, 2] = 0
    p += 1
    while True:
        p = skip_blank(b, p, n)
        if p >= n:
            return -1
        c = b[p]
        if c == 125:
            return p + 1
        if c != 34:
            return -1 if c == 47 and open_comment(b, p, n) else -2 - p
        ks = p + 1
        ke = string_end(b, w, ks, n)
        if ke < 0:
            return -1
        p = skip_blank(b, ke + 1, n)
        if p >= n:
            return -1
        if b[p] != 58:
            return -2 - p
        p = skip_blank(b, p + 1, n)
        if p >= n:
            return -1
        c = b[p]
        s = p
        kind = BARE
        if c == 34:
            s = p + 1
            e = string_end(b, w, s, n)
            if e < 0:
                return -1
            kind = QUOTED
            p = e + 1
        elif c == 123 or c == 91:
            e = skip_value(b, w, p, n, ctx)
            if e < 0:
                return e
            p = e
        else:
            e = bare_end(b, p, n)
            if e == p:
                return -2 - p
            p = e
        i = _field(b, ks, ke - ks)
        if i < 0:
            i = _escaped_field(b, ks, ke)
        if i >= 0:
            f[i, 0] = s
            f[i, 1] = e
            f[i, 2] = kind
        p = skip_blank(b, p, n)
        if p >= n:
            return -1
        if b[p] == 44:
            p += 1
        elif b[p] != 125:
            return -1 if b[p] == 47 and open_comment(b, p, n) else -2 - p


@njit(nogil=True, cache=True)
def open_comment(b, p, n):  # type: ignore[no-untyped-def]
    """True when a comment starts at p and the buffer ends before it does."""
    return p + 1 >= n or b[p + 1] == 47 or b[p + 1] == 42


@njit(nogil=True, cache=True)
def is_null(b, f, i):  # type: ignore[no-untyped-def]
    """True when the field is the bare word null."""
    return f[i, 2] == BARE and f[i, 1] - f[i, 0] == 4 and b[f[i, 0]] == 110 and b[f[i, 0] + 1] == 117


@njit(nogil=True, cache=True)
def field_text(b, f, i, otherwise, texts):  # type: ignore[no-untyped-def]
    """Id of a field's text; `otherwise` when it is missing, null or empty; -2 when the table is full."""
    s = f[i, 0]
    size = f[i, 1] - s
    kind = f[i, 2]
    if kind == 0 or size == 0 or is_null(b, f, i):
        return otherwise
    # Neighbours mostly agree in process, thread and category: look at the last text of the field first.
    ids = texts.ids
    last = texts.last
    t = last[i]
    if ids[t, 2] == size and ids[t, 3] == kind and same_bytes(texts.arena, ids[t, 1], b, s, size):
        return t
    t = intern(b, s, s + size, kind, texts)
    if t < 0:
        return -2
    last[i] = t
    return t


@njit(nogil=True, cache=True)
def field_id(b, f, i, texts):  # type: ignore[no-untyped-def]
    """(given, id): the number of a plain one, else -1 - text id; given -1 when the table is full."""
    if f[i, 2] == 0 or f[i, 0] == f[i, 1] or is_null(b, f, i):
        return 0, np.int64(0)
    s = f[i, 0]
    e = f[i, 1]
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
    t = intern(b, s, e, f[i, 2], texts)
    if t < 0:
        return -1, np.int64(0)
    return 1, np.int64(-1 - t)


@njit(nogil=True, cache=True)
def take_id2(b, w, n, f, ctx):  # type: ignore[no-untyped-def]
    """Move the value of {"local": ..} or {"global": ..} into the id field; how it was given."""
    p = f[F_ID2, 0]
    if f[F_ID2, 2] != BARE or b[p] != 123:
        return ID_PLAIN
    p = skip_blank(b, p + 1, n)
    while b[p] == 34:
        ks = p + 1
        ke = string_end(b, w, ks, n)
        p = skip_blank(b, skip_blank(b, ke + 1, n) + 1, n)
        e = skip_value(b, w, p, n, ctx)
        if e < 0:
            return ID_PLAIN
        size = ke - ks
        if (size == 5 and b[ks] == 108) or (size == 6 and b[ks] == 103):
            quoted = b[p] == 34
            f[F_ID, 0] = p + 1 if quoted else p
            f[F_ID, 1] = e - 1 if quoted else e
            f[F_ID, 2] = QUOTED if quoted else BARE
            return ID_LOCAL if size == 5 else ID_GLOBAL
        p = skip_blank(b, e, n)
        if b[p] == 44:
            p = skip_blank(b, p + 1, n)
    return ID_PLAIN


@njit(nogil=True, cache=True)
def field_time(b, f, stats):  # type: ignore[no-untyped-def]
    """Time stamp in ns, 0 when it cannot be used (counted)."""
    v = np.int64(-1)
    if f[F_TS, 2] != 0:
        v = nanoseconds(b, f[F_TS, 0], f[F_TS, 1])
        if f[F_TS, 2] == BARE and f[F_TS, 1] - f[F_TS, 0] > 18:
            stats[WIDE_NUMBER] += 1
    if v < 0:
        stats[BAD_TS] += 1
        return np.int64(0)
    if v == 0:
        stats[TS_ZERO] += 1
    return v


@njit(nogil=True, cache=True)
def field_args(f, base):  # type: ignore[no-untyped-def]
    """(position, length) of the details as JSON text."""
    if f[F_ARGS, 2] == 0:
        return np.int64(-1), 0
    q = 1 if f[F_ARGS, 2] == QUOTED else 0
    return base + f[F_ARGS, 0] - q, f[F_ARGS, 1] - f[F_ARGS, 0] + 2 * q


@njit(nogil=True, cache=True)
def is_python_function(b, f, word):  # type: ignore[no-untyped-def]
    """1 when the category is that word, else 0."""
    if f[F_CAT, 1] - f[F_CAT, 0] != len(word) or f[F_CAT, 2] != QUOTED:
        return 0
    for k in range(len(word)):
        if b[f[F_CAT, 0] + k] != word[k]:
            return 0
    return 1
