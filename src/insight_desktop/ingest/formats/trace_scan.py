"""The compiled scanner of trace events: one pass over a buffer of JSON, rows into column arrays, no Python objects.

It starts at an event border and stops at the end of the buffer, at the end of the array, inside an event that the
buffer does not hold whole, or when a table is full. A damaged event is left out: the scan looks for the next whole
event behind it. The bytes looked at twice for that are limited, so that hostile input stays linear.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from insight_desktop.ingest.formats.trace_bytes import (
    BARE,
    QUOTED,
    bare_end,
    intern,
    intern_key,
    nanoseconds,
    number,
    skip_blank,
    skip_value,
    string_end,
)
from insight_desktop.ingest.formats.trace_layout import (
    ARRAY_END,
    ASYNC,
    BAD_DUR,
    BAD_TS,
    C_EMPTY,
    C_KEPT,
    C_TEXT,
    C_ZERO,
    D_ARGS_AT,
    D_ARGS_LEN,
    D_NAME,
    D_PID,
    D_TID,
    DAMAGE_AT,
    DAMAGED,
    DONE,
    EVENTS,
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
    GROW,
    I_ARGS_AT,
    I_ARGS_LEN,
    I_CATEGORY,
    I_NAME,
    I_TRACK,
    I_TS,
    ID_GLOBAL,
    ID_LOCAL,
    ID_NONE,
    ID_PLAIN,
    INCOMPLETE,
    LOST,
    M_ARGS_AT,
    M_ARGS_LEN,
    M_CATEGORY,
    M_ID,
    M_ID_KIND,
    M_NAME,
    M_PHASE,
    M_PID,
    M_TRACK,
    M_TS,
    N_FLOW,
    N_INSTANT,
    N_MARK,
    N_META,
    N_SLICE,
    N_SLOW,
    N_VALUE,
    NO_ID,
    NO_PHASE,
    NOT_OBJECT,
    PHASES,
    S_ARGS_AT,
    S_ARGS_LEN,
    S_CATEGORY,
    S_END,
    S_FLAGS,
    S_GROUP,
    S_NAME,
    S_START,
    S_TRACK,
    SERIES,
    SKIPPED,
    STOP,
    TEXT_EMPTY,
    TEXT_NO_NAME,
    THREAD,
    TRUNCATED,
    TS_ZERO,
    V_FIRST,
    V_SERIES,
    V_TS,
    V_VALUE,
    W_CATEGORY,
    W_ENCLOSING,
    W_ID,
    W_PHASE,
    W_TRACK,
    W_TS,
    WASTE,
    WIDE_NUMBER,
    X_AT,
    X_END,
    X_ROW,
)

_CLAMPED = 4


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
            return -1 if c == 47 and _open_comment(b, p, n) else -2 - p
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
            return -1 if b[p] == 47 and _open_comment(b, p, n) else -2 - p


@njit(nogil=True, cache=True)
def _open_comment(b, p, n):  # type: ignore[no-untyped-def]
    """True when a comment starts at p and the buffer ends before it does."""
    return p + 1 >= n or b[p + 1] == 47 or b[p + 1] == 42


@njit(nogil=True, cache=True)
def _is_null(b, f, i):  # type: ignore[no-untyped-def]
    return f[i, 2] == BARE and f[i, 1] - f[i, 0] == 4 and b[f[i, 0]] == 110 and b[f[i, 0] + 1] == 117


@njit(nogil=True, cache=True)
def _text(b, f, i, otherwise, texts):  # type: ignore[no-untyped-def]
    """Id of a field's text; `otherwise` when it is missing, null or empty; -2 when the table is full."""
    if f[i, 2] == 0 or f[i, 0] == f[i, 1] or _is_null(b, f, i):
        return otherwise
    t = intern(b, f[i, 0], f[i, 1], f[i, 2], texts)
    return t if t >= 0 else -2


@njit(nogil=True, cache=True)
def _id(b, f, i, texts):  # type: ignore[no-untyped-def]
    """(given, id): the number of a plain one, else -1 - text id; given -1 when the table is full."""
    if f[i, 2] == 0 or f[i, 0] == f[i, 1] or _is_null(b, f, i):
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
def _id2(b, w, n, f, ctx):  # type: ignore[no-untyped-def]
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
def _time(b, f, stats):  # type: ignore[no-untyped-def]
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
def _args(f, base):  # type: ignore[no-untyped-def]
    """(position, length) of the details as JSON text."""
    if f[F_ARGS, 2] == 0:
        return np.int64(-1), 0
    q = 1 if f[F_ARGS, 2] == QUOTED else 0
    return base + f[F_ARGS, 0] - q, f[F_ARGS, 1] - f[F_ARGS, 0] + 2 * q


@njit(nogil=True, cache=True)
def _is_python_function(b, f, word):  # type: ignore[no-untyped-def]
    if f[F_CAT, 1] - f[F_CAT, 0] != len(word) or f[F_CAT, 2] != QUOTED:
        return 0
    for k in range(len(word)):
        if b[f[F_CAT, 0] + k] != word[k]:
            return 0
    return 1


@njit(nogil=True, cache=True)
def _put_slice(b, f, base, track, ts, name, category, group, rows, stats):  # type: ignore[no-untyped-def]
    k = stats[N_SLICE]
    d = np.int64(-1)
    if f[F_DUR, 2] != 0:
        d = nanoseconds(b, f[F_DUR, 0], f[F_DUR, 1])
        if d > 9223372036854775807 - ts:
            d = np.int64(-1)
    rows[S_FLAGS, k] = 0
    if d < 0:
        stats[BAD_DUR] += 1
        rows[S_FLAGS, k] = _CLAMPED
        d = np.int64(0)
    rows[S_TRACK, k] = track
    rows[S_START, k] = ts
    rows[S_END, k] = ts + d
    rows[S_NAME, k] = name
    rows[S_CATEGORY, k] = category
    rows[S_GROUP, k] = group
    rows[S_ARGS_AT, k], rows[S_ARGS_LEN, k] = _args(f, base)
    stats[N_SLICE] = k + 1


@njit(nogil=True, cache=True)
def _put_mark(b, w, n, f, base, ph, pid, tid, texts, keys, ctx, rows, stats):  # type: ignore[no-untyped-def]
    named = ph != 69 and ph != 101 and ph != 70  # E e F may lack a name
    name = _text(b, f, F_NAME, TEXT_NO_NAME if named else -1, texts)
    category = _text(b, f, F_CAT, -1, texts)
    given = ID_PLAIN
    if f[F_ID2, 2] != 0:
        given = _id2(b, w, n, f, ctx)
    ok, ident = _id(b, f, F_ID, texts)
    if ok == 0:
        given = ID_NONE
    track = 0
    if ph == 66 or ph == 69:
        track = intern_key(THREAD, pid, tid, 0, 0, keys)
    elif named:
        track = intern_key(ASYNC, pid, tid, category, 0, keys)
    if name == -2 or category == -2 or ok < 0 or track < 0:
        return False
    k = stats[N_MARK]
    rows[M_PHASE, k] = ph
    rows[M_TS, k] = _time(b, f, stats)
    rows[M_TRACK, k] = track
    rows[M_PID, k] = pid
    rows[M_NAME, k] = name
    rows[M_CATEGORY, k] = category
    rows[M_ID, k] = ident
    rows[M_ID_KIND, k] = given
    rows[M_ARGS_AT, k], rows[M_ARGS_LEN, k] = _args(f, base)
    stats[N_MARK] = k + 1
    return True


@njit(nogil=True, cache=True)
def _put_flow(b, f, ph, pid, tid, texts, keys, rows, stats):  # type: ignore[no-untyped-def]
    category = _text(b, f, F_CAT, -1, texts)
    ok, ident = _id(b, f, F_ID, texts)
    track = intern_key(THREAD, pid, tid, 0, 0, keys)
    if category == -2 or ok < 0 or track < 0:
        return False
    if ok == 0:
        stats[NO_ID] += 1
        return True
    k = stats[N_FLOW]
    rows[W_TRACK, k] = track
    rows[W_TS, k] = _time(b, f, stats)
    rows[W_PHASE, k] = ph
    rows[W_CATEGORY, k] = category
    rows[W_ID, k] = ident
    bp = f[F_BP, 0]
    rows[W_ENCLOSING, k] = 1 if f[F_BP, 2] == QUOTED and f[F_BP, 1] - bp == 1 and b[bp] == 101 else 0
    stats[N_FLOW] = k + 1
    return True


@njit(nogil=True, cache=True)
def _counter_texts(b, w, p, n, k, ctx, tens, texts, rows, floats, stats):  # type: ignore[no-untyped-def]
    """Read the numbers of a counter's args into rows from k on (series = text id); (next row, slow rows, split text).

    The next row is -1 when a table is full.
    """
    room = rows.shape[1]
    slow = stats[N_SLOW]
    split = np.int64(-1)
    p = skip_blank(b, p + 1, n)
    while b[p] == 34:
        ks = p + 1
        ke = string_end(b, w, ks, n)
        p = skip_blank(b, skip_blank(b, ke + 1, n) + 1, n)
        e = skip_value(b, w, p, n, ctx)
        vs, ve = (p + 1, e - 1) if b[p] == 34 else (p, e)
        if (
            ke - ks == 6
            and b[ks] == 97
            and b[ks + 1] == 99
            and b[ks + 2] == 99
            and b[ks + 3] == 95
            and b[ks + 4] == 105
        ):
            split = intern(b, vs, ve, QUOTED, texts)  # acc_id names a unit, it is no measured value
            if split < 0:
                return -1, slow, split
        elif b[p] != 123 and b[p] != 91:
            x, bad = number(b, vs, ve, tens)
            c = b[vs] if vs < ve else 0
            if (bad == 1 and b[p] == 34 and ve > vs and not _is_gap(b, vs, ve)) or (
                bad == 1 and b[p] != 34 and (c == 116 or c == 102)
            ):
                stats[C_TEXT] += 1
            else:
                t = intern(b, ks, ke, QUOTED, texts)
                if t < 0 or k >= room:
                    return -1, slow, split
                rows[V_SERIES, k] = t
                floats[V_VALUE, k] = x
                if bad == 2:
                    rows[X_ROW, slow] = k
                    rows[X_AT, slow] = vs
                    rows[X_END, slow] = ve
                    slow += 1
                k += 1
        p = skip_blank(b, e, n)
        if b[p] == 44:
            p = skip_blank(b, p + 1, n)
    return k, slow, split


@njit(nogil=True, cache=True)
def _is_gap(b, s, e):  # type: ignore[no-untyped-def]
    """True for quoted null, nan, inf, N/A: values that were not measured."""
    c = b[s] | 32
    if c == 45 or c == 43:
        c = b[s + 1] | 32 if s + 1 < e else 0
    return e - s <= 9 and (c == 110 or c == 105)


@njit(nogil=True, cache=True)
def _put_counter(b, w, n, f, pid, texts, keys, scratch, rows, floats, stats):  # type: ignore[no-untyped-def]
    if f[F_ARGS, 2] != BARE or b[f[F_ARGS, 0]] != 123:
        stats[C_EMPTY] += 1
        return True
    first = stats[N_VALUE]
    words = stats[C_TEXT]
    seen = scratch.seen
    stop, slow, split = _counter_texts(
        b, w, f[F_ARGS, 0], n, first, scratch.nesting, scratch.tens, texts, rows, floats, stats
    )
    name = _text(b, f, F_NAME, TEXT_NO_NAME, texts)
    if split == -1 and stop >= 0 and f[F_ID, 2] != 0 and not _is_null(b, f, F_ID):
        split = np.int64(intern(b, f[F_ID, 0], f[F_ID, 1], QUOTED, texts))
        stop = -1 if split < 0 else stop
    if stop < 0 or name == -2:
        stats[C_TEXT] = words
        return False
    k = first
    q = stats[N_SLOW]
    for r in range(first, stop):
        key = intern_key(SERIES, pid, name, split, rows[V_SERIES, r], keys)
        if key < 0:
            stats[C_TEXT] = words
            return False
        at = seen[key]
        if not (first <= at < k and rows[V_SERIES, at] == key):
            at = k
            k += 1
        seen[key] = at
        rows[V_SERIES, at] = key
        floats[V_VALUE, at] = floats[V_VALUE, r]
        while q < slow and rows[X_ROW, q] < r:
            q += 1
        if q < slow and rows[X_ROW, q] == r:
            rows[X_ROW, q] = at
            q += 1
    if k == first:
        stats[C_EMPTY] += 1
        return True
    ts = _time(b, f, stats)
    if ts == 0:
        stats[C_ZERO] += 1
        return True
    for r in range(first, k):
        rows[V_TS, r] = ts
        rows[V_FIRST, r] = 1 if r == first else 0
    stats[N_VALUE] = k
    stats[N_SLOW] = slow
    stats[C_KEPT] += 1
    return True


@njit(nogil=True, cache=True)
def _put_event(b, w, n, f, base, ph, texts, keys, scratch, rows, floats, stats):  # type: ignore[no-untyped-def]
    """Write the rows of one event; False when a table has to grow first."""
    pid = _text(b, f, F_PID, TEXT_EMPTY, texts)
    tid = _text(b, f, F_TID, TEXT_EMPTY, texts)
    if pid == -2 or tid == -2:
        return False
    if ph == 67:  # C
        return _put_counter(b, w, n, f, pid, texts, keys, scratch, rows, floats, stats)
    if ph == 115 or ph == 116 or ph == 102:  # s t f
        return _put_flow(b, f, ph, pid, tid, texts, keys, rows, stats)
    if ph == 77:  # M
        name = _text(b, f, F_NAME, TEXT_NO_NAME, texts)
        k = stats[N_META]
        rows[D_PID, k] = pid
        rows[D_TID, k] = tid
        rows[D_NAME, k] = name
        rows[D_ARGS_AT, k], rows[D_ARGS_LEN, k] = _args(f, 0)
        stats[N_META] = k + 1 if name != -2 else k
        return name != -2
    if ph != 88 and ph != 73 and ph != 105:
        return _put_mark(b, w, n, f, base, ph, pid, tid, texts, keys, scratch.nesting, rows, stats)
    name = _text(b, f, F_NAME, TEXT_NO_NAME, texts)
    category = _text(b, f, F_CAT, -1, texts)
    group = _text(b, f, F_GROUP, -1, texts)
    track = intern_key(THREAD, pid, tid, _is_python_function(b, f, scratch.python_function), 0, keys)
    if name == -2 or category == -2 or group == -2 or track < 0:
        return False
    ts = _time(b, f, stats)
    # A capital I is an instant, unless it lasts.
    if ph == 88 or (ph == 73 and f[F_DUR, 2] != 0 and nanoseconds(b, f[F_DUR, 0], f[F_DUR, 1]) > 0):
        _put_slice(b, f, base, track, ts, name, category, group, rows, stats)
        return True
    k = stats[N_INSTANT]
    rows[I_TRACK, k] = track
    rows[I_TS, k] = ts
    rows[I_NAME, k] = name
    rows[I_CATEGORY, k] = category
    rows[I_ARGS_AT, k], rows[I_ARGS_LEN, k] = _args(f, base)
    stats[N_INSTANT] = k + 1
    return True


@njit(nogil=True, cache=True)
def _is_shown(ph):  # type: ignore[no-untyped-def]
    """True for the phases that become rows: X I i C s t f M B E b n e S T p F."""
    return (
        ph == 88 or ph == 67 or ph == 115 or ph == 102 or ph == 116 or ph == 77 or ph == 105 or ph == 73 or ph == 66
        or ph == 69 or ph == 98 or ph == 101 or ph == 110 or ph == 83 or ph == 84 or ph == 112 or ph == 70
    )  # fmt: skip


@njit(nogil=True, cache=True)
def _find_event(b, w, p, n, f, ctx, stats, force):  # type: ignore[no-untyped-def]
    """First whole event with a phase at or behind p: its position, -1 when there is none.

    -2 - position: an event may start there but the buffer ends inside it (never with `force`).
    Each failed try costs bytes; when they outweigh what was read, the bytes tried are given up.
    """
    while p < n:
        if b[p] != 123:
            p += 1
            continue
        q = p - 1
        while q >= 0 and (b[q] == 32 or b[q] == 10 or b[q] == 13 or b[q] == 9):
            q -= 1
        if q >= 0 and b[q] == 58:  # the value of a key, not an element
            p += 1
            continue
        e = read_fields(b, w, p, n, f, ctx)
        if e >= 0 and f[F_PH, 2] == QUOTED and f[F_PH, 1] == f[F_PH, 0] + 1:
            return p
        if e == -1 and not force:
            return -2 - p
        stop = n if e == -1 else (e if e >= 0 else -2 - e)
        stats[WASTE] += stop - p
        p = max(stop, p + 1) if stats[WASTE] > 8 * stop + 1048576 else p + 1
    return -1


@njit(nogil=True, cache=True)
def _mend(b, w, s, q, n, base, f, ctx, stats, force):  # type: ignore[no-untyped-def]
    """Note damage of the event at s (seen at q) and look for the next one; as _find_event."""
    if stats[DAMAGED] == 0:
        stats[DAMAGE_AT] = base + q
    stats[DAMAGED] += 1
    stats[WASTE] += q - s
    p = _find_event(b, w, s + 1, n, f, ctx, stats, force)
    stop = p if p >= 0 else (n if p == -1 else -2 - p)
    stats[SKIPPED] += stop - s
    return p


@njit(nogil=True, cache=True)
def scan(b, w, p, n, base, lost, force, texts, keys, scratch, rows, floats, stats):  # type: ignore[no-untyped-def]
    """Read events from p on; returns why it stopped, stats[STOP] says where.

    Args:
        b, w: the buffer as bytes and as words.
        p, n: first byte to read and end of the data in the buffer.
        base: position of the buffer's first byte in the source.
        lost: p is somewhere behind damage, look for an event first.
        force: no more bytes will come: an event that is not whole is damaged.
        texts, keys, scratch: tables of the worker.
        rows, floats, stats: where the rows go; appended to from stats[N_...] on.
    """
    f = scratch.fields
    ctx = scratch.nesting
    room = rows.shape[1]
    while True:
        if lost:
            c = _find_event(b, w, p, n, f, ctx, stats, force)
            stop = c if c >= 0 else (n if c == -1 else -2 - c)
            stats[SKIPPED] += stop - p
            p = stop
            if c == -1:
                stats[STOP] = n
                return LOST
            if c < -1:
                stats[STOP] = p
                return INCOMPLETE
            lost = False
        while p < n and (b[p] == 44 or b[p] == 32 or b[p] == 10 or b[p] == 13 or b[p] == 9):
            p += 1
        s = p
        if p >= n:
            stats[STOP] = n
            return DONE
        if b[p] == 123:
            e = read_fields(b, w, p, n, f, ctx)
            if e >= 0 and stats[EVENTS] >= room:
                stats[STOP] = s
                return GROW
            if e >= 0:
                stats[EVENTS] += 1
                ph = 0
                if f[F_PH, 2] == 0:
                    stats[NO_PHASE] += 1
                else:
                    if f[F_PH, 2] == QUOTED and f[F_PH, 1] == f[F_PH, 0] + 1:
                        ph = b[f[F_PH, 0]]
                    if _is_shown(ph) and not _put_event(
                        b, w, n, f, base, ph, texts, keys, scratch, rows, floats, stats
                    ):
                        stats[EVENTS] -= 1
                        stats[STOP] = s
                        return GROW
                    stats[PHASES + ph] += 1
                p = e
                continue
        elif b[p] == 93:
            stats[STOP] = p + 1
            return ARRAY_END
        elif b[p] == 47:
            p = skip_blank(b, p, n)
            if p > s:
                continue
            e = -1 if _open_comment(b, p, n) else -2 - p
        else:
            e = skip_value(b, w, p, n, ctx)
            if e >= 0:
                stats[NOT_OBJECT] += 1
                p = e
                continue
        if e == -1 and not force:
            stats[STOP] = s
            return INCOMPLETE
        if e == -1:
            stats[TRUNCATED] += 1
            stats[WASTE] += n - s
        p = _mend(b, w, s, s if e == -1 else -2 - e, n, base, f, ctx, stats, force)
        if p == -1:
            stats[STOP] = n
            return LOST
        if p < -1:
            stats[STOP] = -2 - p
            return INCOMPLETE


@njit(nogil=True, cache=True)
def last_border(b, lo, n):  # type: ignore[no-untyped-def]
    """Last place in b[lo:n] that looks like the start of an event behind another one; -1 when there is none."""
    p = n - 1
    while p > lo:
        if b[p] == 123:
            q = p - 1
            while q > lo and (b[q] == 32 or b[q] == 10 or b[q] == 13 or b[q] == 9 or b[q] == 44):
                q -= 1
            if b[q] == 125 and q < p - 1:
                return p
        p -= 1
    return -1


@njit(nogil=True, cache=True)
def copy_ranges(b, at, size, base, target, used):  # type: ignore[no-untyped-def]
    """Copy details one after the other into target from `used` on; at[] becomes the place there. Returns the new end."""
    for i in range(len(at)):
        if at[i] < 0:
            continue
        s = at[i] - base
        for k in range(size[i]):
            target[used + k] = b[s + k]
        at[i] = used
        used += size[i]
    return used
