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
    intern,
    intern_key,
    nanoseconds,
    number,
    picoseconds,
    skip_blank,
    skip_value,
    string_end,
)
from insight_desktop.ingest.formats.trace_fields import (
    field_args,
    field_id,
    field_text,
    field_time,
    is_null,
    is_python_function,
    is_true,
    open_comment,
    phase_of,
    read_fields,
    take_id2,
)
from insight_desktop.ingest.formats.trace_layout import (
    ARRAY_END,
    ASYNC,
    BAD_DUR,
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
    GROW,
    I_ARGS_AT,
    I_ARGS_LEN,
    I_CATEGORY,
    I_NAME,
    I_TRACK,
    I_TS,
    ID_LOCAL,
    ID_NONE,
    ID_PLAIN,
    INCOMPLETE,
    LOST,
    M_ARGS_AT,
    M_ARGS_LEN,
    M_CATEGORY,
    M_CNAME,
    M_ID,
    M_ID_KIND,
    M_NAME,
    M_PHASE,
    M_PID,
    M_SCOPE,
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
    ROOM,
    S_ARGS_AT,
    S_ARGS_LEN,
    S_CATEGORY,
    S_CNAME,
    S_END,
    S_FLAGS,
    S_GROUP,
    S_NAME,
    S_START,
    S_TRACK,
    SERIES,
    SKIPPED,
    STOP,
    SUM_FIRST,
    TEXT_EMPTY,
    TEXT_NO_NAME,
    THREAD,
    TRUNCATED,
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
    X_AT,
    X_END,
    X_ROW,
)

_CLAMPED = 4


@njit(nogil=True)
def _sum_of(b, f, ts, d):  # type: ignore[no-untyped-def]
    """Distance from the rounded start to the rounded sum of start and duration; d where the sum is too large."""
    start = picoseconds(b, f[3 * F_TS], f[3 * F_TS + 1])
    lasts = picoseconds(b, f[3 * F_DUR], f[3 * F_DUR + 1])
    if start < 0 or lasts < 0 or start > 4611686018427387903 or lasts > 4611686018427387903:
        return d
    return max(np.int64(0), (start + lasts + 500) // 1000 - ts)


@njit(nogil=True)
def _put_slice(b, f, base, track, ts, name, category, group, rows, stats):  # type: ignore[no-untyped-def]
    room = stats[ROOM]
    k = stats[N_SLICE]
    d = np.int64(-1)
    if f[3 * F_DUR + 2] != 0:
        d = nanoseconds(b, f[3 * F_DUR], f[3 * F_DUR + 1])
        if d > 9223372036854775807 - ts:
            d = np.int64(-1)
        elif f[SUM_FIRST] and d >= 0:
            d = _sum_of(b, f, ts, d)
    rows[S_FLAGS * room + k] = 0
    if d < 0:
        stats[BAD_DUR] += 1
        rows[S_FLAGS * room + k] = _CLAMPED
        d = np.int64(0)
    rows[S_TRACK * room + k] = track
    rows[S_START * room + k] = ts
    rows[S_END * room + k] = ts + d
    rows[S_NAME * room + k] = name
    rows[S_CATEGORY * room + k] = category
    rows[S_GROUP * room + k] = group
    rows[S_ARGS_AT * room + k], rows[S_ARGS_LEN * room + k] = field_args(f, base)
    stats[N_SLICE] = k + 1


@njit(nogil=True)
def _put_mark(b, n, f, base, ph, pid, tid, texts, keys, ctx, rows, stats):  # type: ignore[no-untyped-def]
    named = ph != 69 and ph != 101 and ph != 70  # E e F may lack a name
    name = field_text(b, f, F_NAME, TEXT_NO_NAME if named else -1, texts)
    category = field_text(b, f, F_CAT, -1, texts)
    given = ID_PLAIN
    if f[3 * F_ID2 + 2] != 0:
        given = take_id2(b, n, f, ctx)
    ok, ident = field_id(b, f, F_ID, texts)
    scope = field_text(b, f, F_SCOPE, -1, texts)
    if ok == 0:
        given = ID_NONE
    track = 0
    if ph == 66 or ph == 69:
        track = intern_key(THREAD, pid, tid, 0, 0, keys)
    elif named:
        track = intern_key(ASYNC, pid, tid, category, 0, keys)
    colour = field_text(b, f, F_CNAME, -1, texts) if f[SUM_FIRST] else np.int64(-1)
    if name == -2 or category == -2 or scope == -2 or colour == -2 or ok < 0 or track < 0:
        return False
    room = stats[ROOM]
    k = stats[N_MARK]
    rows[M_CNAME * room + k] = colour
    rows[M_PHASE * room + k] = ph
    rows[M_TS * room + k] = field_time(b, f, stats)
    rows[M_TRACK * room + k] = track
    rows[M_PID * room + k] = pid
    rows[M_NAME * room + k] = name
    rows[M_CATEGORY * room + k] = category
    rows[M_ID * room + k] = ident
    rows[M_ID_KIND * room + k] = given
    rows[M_SCOPE * room + k] = scope
    rows[M_ARGS_AT * room + k], rows[M_ARGS_LEN * room + k] = field_args(f, base)
    stats[N_MARK] = k + 1
    return True


@njit(nogil=True)
def _put_flow(b, n, f, ph, pid, tid, texts, keys, ctx, rows, stats):  # type: ignore[no-untyped-def]
    category = field_text(b, f, F_CAT, -1, texts)
    if f[3 * F_ID2 + 2] != 0 and take_id2(b, n, f, ctx) == ID_LOCAL:
        f[3 * F_ID + 2] = 0  # good in its process only, which the pairing of links does not know
    ok, ident = field_id(b, f, F_ID, texts)
    track = intern_key(THREAD, pid, tid, 0, 0, keys)
    if category == -2 or ok < 0 or track < 0:
        return False
    if ok == 0:
        stats[NO_ID] += 1
        return True
    room = stats[ROOM]
    k = stats[N_FLOW]
    rows[W_TRACK * room + k] = track
    rows[W_TS * room + k] = field_time(b, f, stats)
    rows[W_PHASE * room + k] = ph
    rows[W_CATEGORY * room + k] = category
    rows[W_ID * room + k] = ident
    bp = f[3 * F_BP]
    rows[W_ENCLOSING * room + k] = 1 if f[3 * F_BP + 2] == QUOTED and f[3 * F_BP + 1] - bp == 1 and b[bp] == 101 else 0
    stats[N_FLOW] = k + 1
    return True


@njit(nogil=True)
def _bind_slice(b, f, track, ts, ident, rows, stats):  # type: ignore[no-untyped-def]
    """The end of a link that a slice itself is: bind_id with flow_out (start), flow_in (end) or both (step)."""
    comes, goes = is_true(b, f, F_FLOW_IN), is_true(b, f, F_FLOW_OUT)
    if not comes and not goes:
        return
    room = stats[ROOM]
    k = stats[N_FLOW]
    rows[W_TRACK * room + k] = track
    rows[W_TS * room + k] = ts
    rows[W_PHASE * room + k] = 116 if comes and goes else (102 if comes else 115)
    rows[W_CATEGORY * room + k] = -1  # these ids hold across categories
    rows[W_ID * room + k] = ident
    rows[W_ENCLOSING * room + k] = 1
    stats[N_FLOW] = k + 1


@njit(nogil=True)
def _counter_texts(b, p, n, k, ctx, tens, texts, rows, floats, stats):  # type: ignore[no-untyped-def]
    """Read the numbers of a counter's args into rows from k on (series = text id); (next row, slow rows, split text).

    The next row is -1 when a table is full.
    """
    room = stats[ROOM]
    slow = stats[N_SLOW]
    split = np.int64(-1)
    p = skip_blank(b, p + 1, n)
    while b[p] == 34:
        ks = p + 1
        ke = string_end(b, ks, n)
        p = skip_blank(b, skip_blank(b, ke + 1, n) + 1, n)
        e = skip_value(b, p, n, ctx)
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
                rows[V_SERIES * room + k] = t
                floats[V_VALUE * room + k] = x
                if bad == 2:
                    rows[X_ROW * room + slow] = k
                    rows[X_AT * room + slow] = vs
                    rows[X_END * room + slow] = ve
                    slow += 1
                k += 1
        p = skip_blank(b, e, n)
        if b[p] == 44:
            p = skip_blank(b, p + 1, n)
    return k, slow, split


@njit(nogil=True)
def _is_gap(b, s, e):  # type: ignore[no-untyped-def]
    """True for quoted null, nan, inf, N/A: values that were not measured."""
    c = b[s] | 32
    if c == 45 or c == 43:
        c = b[s + 1] | 32 if s + 1 < e else 0
    return e - s <= 9 and (c == 110 or c == 105)


@njit(nogil=True)
def _put_counter(b, n, f, pid, texts, keys, scratch, rows, floats, stats):  # type: ignore[no-untyped-def]
    if f[3 * F_ARGS + 2] != BARE or b[f[3 * F_ARGS]] != 123:
        stats[C_EMPTY] += 1
        return True
    first = stats[N_VALUE]
    words = stats[C_TEXT]
    seen = scratch.seen
    room = stats[ROOM]
    stop, slow, split = _counter_texts(
        b, f[3 * F_ARGS], n, first, scratch.nesting, scratch.tens, texts, rows, floats, stats
    )
    name = field_text(b, f, F_NAME, TEXT_NO_NAME, texts)
    if split == -1 and stop >= 0 and f[3 * F_ID + 2] != 0 and not is_null(b, f, F_ID):
        split = np.int64(intern(b, f[3 * F_ID], f[3 * F_ID + 1], QUOTED, texts))
        stop = -1 if split < 0 else stop
    if stop < 0 or name == -2:
        stats[C_TEXT] = words
        return False
    k = first
    q = stats[N_SLOW]
    for r in range(first, stop):
        key = intern_key(SERIES, pid, name, split, rows[V_SERIES * room + r], keys)
        if key < 0:
            stats[C_TEXT] = words
            return False
        at = seen[key]
        if not (first <= at < k and rows[V_SERIES * room + at] == key):
            at = k
            k += 1
        seen[key] = at
        rows[V_SERIES * room + at] = key
        floats[V_VALUE * room + at] = floats[V_VALUE * room + r]
        while q < slow and rows[X_ROW * room + q] < r:
            q += 1
        if q < slow and rows[X_ROW * room + q] == r:
            rows[X_ROW * room + q] = at
            q += 1
    if k == first:
        stats[C_EMPTY] += 1
        return True
    ts = field_time(b, f, stats)
    if ts == 0:
        stats[C_ZERO] += 1
        return True
    for r in range(first, k):
        rows[V_TS * room + r] = ts
        rows[V_FIRST * room + r] = 1 if r == first else 0
    stats[N_VALUE] = k
    stats[N_SLOW] = slow
    stats[C_KEPT] += 1
    return True


@njit(nogil=True)
def _put_event(b, n, f, base, ph, texts, keys, scratch, rows, floats, stats):  # type: ignore[no-untyped-def]
    """Write the rows of one event; False when a table has to grow first."""
    room = stats[ROOM]
    pid = field_text(b, f, F_PID, TEXT_EMPTY, texts)
    tid = field_text(b, f, F_TID, TEXT_EMPTY, texts)
    if pid == -2 or tid == -2:
        return False
    if ph == 67:  # C
        return _put_counter(b, n, f, pid, texts, keys, scratch, rows, floats, stats)
    if ph == 115 or ph == 116 or ph == 102:  # s t f
        return _put_flow(b, n, f, ph, pid, tid, texts, keys, scratch.nesting, rows, stats)
    if ph == 77:  # M
        name = field_text(b, f, F_NAME, TEXT_NO_NAME, texts)
        k = stats[N_META]
        rows[D_PID * room + k] = pid
        rows[D_TID * room + k] = tid
        rows[D_NAME * room + k] = name
        rows[D_ARGS_AT * room + k], rows[D_ARGS_LEN * room + k] = field_args(f, 0)
        stats[N_META] = k + 1 if name != -2 else k
        return name != -2
    if ph != 88 and ph != 73 and ph != 105:
        return _put_mark(b, n, f, base, ph, pid, tid, texts, keys, scratch.nesting, rows, stats)
    name = field_text(b, f, F_NAME, TEXT_NO_NAME, texts)
    category = field_text(b, f, F_CAT, -1, texts)
    group = field_text(b, f, F_GROUP, -1, texts)
    track = intern_key(THREAD, pid, tid, is_python_function(b, f), 0, keys)
    bound, ident = field_id(b, f, F_BIND, texts)
    if name == -2 or category == -2 or group == -2 or track < 0 or bound < 0:
        return False
    ts = field_time(b, f, stats)
    # A capital I is an instant, unless it lasts.
    if ph == 88 or (ph == 73 and f[3 * F_DUR + 2] != 0 and nanoseconds(b, f[3 * F_DUR], f[3 * F_DUR + 1]) > 0):
        if f[SUM_FIRST]:
            colour = field_text(b, f, F_CNAME, -1, texts)
            if colour == -2:
                return False
            rows[S_CNAME * room + stats[N_SLICE]] = colour
        if bound:
            _bind_slice(b, f, track, ts, ident, rows, stats)
        _put_slice(b, f, base, track, ts, name, category, group, rows, stats)
        return True
    k = stats[N_INSTANT]
    rows[I_TRACK * room + k] = track
    rows[I_TS * room + k] = ts
    rows[I_NAME * room + k] = name
    rows[I_CATEGORY * room + k] = category
    rows[I_ARGS_AT * room + k], rows[I_ARGS_LEN * room + k] = field_args(f, base)
    stats[N_INSTANT] = k + 1
    return True


@njit(nogil=True)
def _is_shown(ph):  # type: ignore[no-untyped-def]
    """True for the phases that become rows: X I i C s t f M B E b n e S T p F."""
    return (
        ph == 88 or ph == 67 or ph == 115 or ph == 102 or ph == 116 or ph == 77 or ph == 105 or ph == 73 or ph == 66
        or ph == 69 or ph == 98 or ph == 101 or ph == 110 or ph == 83 or ph == 84 or ph == 112 or ph == 70
    )  # fmt: skip


@njit(nogil=True)
def _find_event(b, p, n, f, ctx, stats, force):  # type: ignore[no-untyped-def]
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
        e = read_fields(b, p, n, f, ctx)
        if e >= 0 and phase_of(b, f) != 0:
            return p
        if e == -1 and not force:
            return -2 - p
        stop = n if e == -1 else (e if e >= 0 else -2 - e)
        stats[WASTE] += stop - p
        p = max(stop, p + 1) if stats[WASTE] > 8 * stop + 1048576 else p + 1
    return -1


@njit(nogil=True)
def _mend(b, s, q, n, base, f, ctx, stats, force):  # type: ignore[no-untyped-def]
    """Note damage of the event at s (seen at q) and look for the next one; as _find_event."""
    if stats[DAMAGED] == 0:
        stats[DAMAGE_AT] = base + q
    stats[DAMAGED] += 1
    stats[WASTE] += q - s
    p = _find_event(b, s + 1, n, f, ctx, stats, force)
    stop = p if p >= 0 else (n if p == -1 else -2 - p)
    stats[SKIPPED] += stop - s
    return p


@njit(nogil=True)
def _take_event(b, n, f, base, texts, keys, scratch, rows, floats, stats):  # type: ignore[no-untyped-def]
    """Count the event whose fields were found and write its rows; False when a table has to grow first."""
    ph = phase_of(b, f)
    if _is_shown(ph) and not _put_event(b, n, f, base, ph, texts, keys, scratch, rows, floats, stats):
        return False
    stats[EVENTS] += 1
    if f[3 * F_PH + 2] == 0:
        stats[NO_PHASE] += 1
    else:
        stats[PHASES + ph] += 1
    return True


@njit(nogil=True)
def _skip_other(b, p, n, ctx, stats):  # type: ignore[no-untyped-def]
    """End of a comment or of an element that is no object (counted), -1 or -2 - position."""
    if b[p] == 47:
        q = skip_blank(b, p, n)
        if q > p:
            return q
        return -1 if open_comment(b, p, n) else -2 - p
    e = skip_value(b, p, n, ctx)
    if e >= 0:
        stats[NOT_OBJECT] += 1
    return e


@njit(nogil=True)
def scan(b, p, n, base, lost, force, texts, keys, scratch, rows, floats, stats):  # type: ignore[no-untyped-def]
    """Read events from p on; returns why it stopped, stats[STOP] says where. All arrays are given as pointers.

    b[p:n] is read, b[0] is byte `base` of the source. With `lost` p is somewhere behind damage;
    with `force` no more bytes will come, so an event that is not whole is damaged. Rows are appended.
    """
    f = scratch.fields
    ctx = scratch.nesting
    room = stats[ROOM]
    while True:
        if lost:
            c = _find_event(b, p, n, f, ctx, stats, force)
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
            e = read_fields(b, p, n, f, ctx)
            if e >= 0 and stats[EVENTS] >= room:
                stats[STOP] = s
                return GROW
            if e >= 0:
                if not _take_event(b, n, f, base, texts, keys, scratch, rows, floats, stats):
                    stats[STOP] = s
                    return GROW
                p = e
                continue
        elif b[p] == 93:
            stats[STOP] = p + 1
            return ARRAY_END
        else:
            e = _skip_other(b, p, n, ctx, stats)
            if e >= 0:
                p = e
                continue
        if e == -1 and not force:
            stats[STOP] = s
            return INCOMPLETE
        if e == -1:
            stats[TRUNCATED] += 1
            stats[WASTE] += n - s
        p = _mend(b, s, s if e == -1 else -2 - e, n, base, f, ctx, stats, force)
        if p == -1:
            stats[STOP] = n
            return LOST
        if p < -1:
            stats[STOP] = -2 - p
            return INCOMPLETE
