"""The compiled functions that Python calls; they get arrays and hand pointers on.

Only these are kept compiled, all else is part of them. A cached function is found by its file, its types and what it
closes over: the stamp of all source files, so that none of them can change unnoticed.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

from numba import njit

from insight_desktop.ingest.formats import trace_bytes, trace_fields, trace_layout, trace_scan, trace_vector
from insight_desktop.ingest.formats.trace_bytes import Keys, Texts
from insight_desktop.ingest.formats.trace_layout import Scratch
from insight_desktop.ingest.formats.trace_vector import pointer

# What `structure` looks for.
BLANK, TEXT, VALUE, OPEN_VALUE, OBJECT = range(5)

_SOURCES = (trace_vector, trace_bytes, trace_layout, trace_fields, trace_scan)


def _stamp() -> int:
    return zlib.crc32(b"".join(Path(str(module.__file__)).read_bytes() for module in _SOURCES))


def _kernels(stamp: int) -> tuple[Any, ...]:
    @njit(nogil=True, cache=True)
    def scan(b, p, n, base, lost, force, texts, keys, scratch, rows, floats, stats):  # type: ignore[no-untyped-def]
        """`trace_scan.scan` with arrays."""
        stats[trace_layout.ROOM] = rows.shape[1] if stamp >= 0 else 0
        return trace_scan.scan(
            pointer(b), p, n, base, lost, force,
            Texts(pointer(texts.slots), pointer(texts.ids), pointer(texts.arena), pointer(texts.used), pointer(texts.last)),
            Keys(pointer(keys.slots), pointer(keys.rows), pointer(keys.used)),
            Scratch(pointer(scratch.fields), pointer(scratch.nesting), pointer(scratch.seen), pointer(scratch.tens)),
            pointer(rows), pointer(floats), pointer(stats),
        )  # fmt: skip

    @njit(nogil=True, cache=True)
    def structure(what, b, p, n, scratch, state):  # type: ignore[no-untyped-def]
        """Where something in b[p:n] ends, see the function of `trace_bytes` or `trace_fields` that is called."""
        if what == BLANK:
            return trace_bytes.skip_blank(pointer(b), p, n)
        if what == TEXT:
            return trace_bytes.string_end(pointer(b), p, n)
        if what == VALUE:
            return trace_bytes.skip_value(pointer(b), p, n, pointer(scratch.nesting))
        if what == OPEN_VALUE:
            return trace_bytes.skip_open(pointer(b), p, n, pointer(state))
        return trace_fields.read_fields(pointer(b), p, n, pointer(scratch.fields), pointer(scratch.nesting)) + (
            0 if stamp >= 0 else 1
        )

    @njit(nogil=True, cache=True)
    def refill(texts, keys):  # type: ignore[no-untyped-def]
        """Fill the slots of both tables anew."""
        texts.slots[:] = -1
        keys.slots[:] = -1 if stamp >= 0 else 0
        trace_bytes.refill_texts(
            Texts(
                pointer(texts.slots), pointer(texts.ids), pointer(texts.arena), pointer(texts.used), pointer(texts.last)
            )
        )
        trace_bytes.refill_keys(Keys(pointer(keys.slots), pointer(keys.rows), pointer(keys.used)))

    return scan, structure, refill


scan, structure, refill = _kernels(_stamp())


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
