"""Which slice encloses which: the shortest one of the same thread, both ends included."""

from __future__ import annotations

import numpy as np
from numba import njit

from insight_desktop.engine.capture import Array


def shortest(starts: Array, ends: Array, threads: Array, inner: tuple[Array, Array, Array]) -> Array:
    """For each inner slice the position of the shortest outer slice of its thread that contains it; -1 for none.

    Args:
        starts, ends: times of the outer slices in ns.
        threads: number of the thread of each outer slice.
        inner: starts, ends and threads of the inner slices.

    Of outer slices of one length the later one in (start, longer first, given order) is taken: it is drawn deeper.
    """
    outer_order = np.lexsort((-ends, starts, threads))
    inner_order = np.lexsort((inner[0], inner[2]))
    out = np.full(len(inner_order), -1, np.int64)
    _sweep(
        starts[outer_order], ends[outer_order], threads[outer_order], outer_order.astype(np.int64),
        inner[0][inner_order], inner[1][inner_order], inner[2][inner_order], inner_order.astype(np.int64), out,
    )  # fmt: skip
    return out


@njit(cache=True, nogil=True)
def _sweep(
    start: Array, end: Array, thread: Array, place: Array,
    inner_start: Array, inner_end: Array, inner_thread: Array, inner_place: Array, out: Array,
) -> None:  # fmt: skip
    """Outer slices that are open at the start of the inner one are kept in a list; those that ended are dropped."""
    held = np.empty(64, np.int64)
    size = 0
    at = 0
    for k in range(len(inner_start)):
        own, begin, finish = inner_thread[k], inner_start[k], inner_end[k]
        if size > 0 and thread[held[size - 1]] != own:
            size = 0
        while at < len(start) and (thread[at] < own or (thread[at] == own and start[at] <= begin)):
            if thread[at] == own and end[at] >= begin:
                if size == len(held):
                    more = np.empty(2 * size, np.int64)
                    more[:size] = held
                    held = more
                held[size] = at
                size += 1
            at += 1
        left = 0
        best = -1
        length = np.int64(0)
        for i in range(size):
            one = held[i]
            if end[one] < begin:
                continue
            held[left] = one
            left += 1
            if end[one] >= finish and (best < 0 or end[one] - start[one] <= length):
                best, length = one, end[one] - start[one]
        size = left
        if best >= 0:
            out[inner_place[k]] = place[best]


def warm() -> None:
    """Compile the kernel."""
    one = np.zeros(1, np.int64)
    shortest(one, one, one, (one, one, one))
