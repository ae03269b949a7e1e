"""Links of text traces: which slice an end is bound to and which ends belong together (write side)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

START = ord("s")
STEP = ord("t")
END = ord("f")

I64 = npt.NDArray[np.int64]
Array = npt.NDArray[Any]


@njit(cache=True, nogil=True)
def bind(ts: I64, phase: Array, enclosing: Array, start: I64, end: I64, serial: Array, hit: I64) -> None:
    """Bind ends, sorted by time, to the slices of one track, sorted by (start, longer first, file order).

    A start takes the slice that begins at its time (the first in the file), else the innermost that encloses it. An
    end takes the first slice that begins at or after its time; with `enclosing` and none beginning right there, the
    innermost that encloses it. A step is one slice for both its links: begins here, else encloses, else comes next.

    Args:
        ts, phase, enclosing: the ends.
        start, end, serial: the slices; serial is the place in the file.
        hit: filled with the index of the slice, -1 where none fits.
    """
    n = len(start)
    stack = np.empty(n, np.int64)  # slices begun so far that no later one outlasts: ends fall from bottom to top
    top = 0
    i = 0
    latest = -1  # the first in the file of those that begin last
    following_at = -1
    following = -1
    for f in range(len(ts)):
        t = ts[f]
        while i < n and start[i] <= t:
            while top > 0 and end[stack[top - 1]] <= end[i]:
                top -= 1
            stack[top] = i
            top += 1
            if latest < 0 or start[i] != start[latest] or serial[i] < serial[latest]:
                latest = i
            i += 1
        hit[f] = -1
        if latest >= 0 and start[latest] == t:
            hit[f] = latest
            continue
        if phase[f] != END or enclosing[f]:
            # Later ends ask for later times, so what ended before this one is never needed again.
            while top > 0 and end[stack[top - 1]] < t:
                top -= 1
            if top > 0:
                hit[f] = stack[top - 1]
                continue
        if i < n and (phase[f] == STEP or (phase[f] == END and not enclosing[f])):
            if following_at != i:
                following_at = i
                following = i
                j = i + 1
                while j < n and start[j] == start[i]:
                    if serial[j] < serial[following]:
                        following = j
                    j += 1
            hit[f] = following


@njit(cache=True, nogil=True)
def _pair_sorted(category: Array, number: I64, phase: Array, by_key: I64, source: I64, target: I64) -> tuple[int, int]:
    """Walk the ends by (category, id, time); returns (links, ends without a partner)."""
    links = 0
    single = 0
    n = len(by_key)
    used = np.zeros(n, np.bool_)
    low = 0
    while low < n:
        a = by_key[low]
        high = low + 1
        while high < n and category[by_key[high]] == category[a] and number[by_key[high]] == number[a]:
            high += 1
        earliest = -1
        for k in range(low, high):
            if phase[by_key[k]] == START:
                earliest = by_key[k]
                break
        if earliest < 0:
            for k in range(low, high):
                if phase[by_key[k]] == STEP:
                    earliest = by_key[k]
                    break
        current = -1
        for k in range(low, high):
            f = by_key[k]
            if phase[f] != START:
                origin = current if current >= 0 else earliest
                if origin >= 0 and origin != f:
                    source[links] = origin
                    target[links] = f
                    links += 1
                    used[origin] = True
                elif phase[f] == END:
                    single += 1
            if phase[f] != END:
                current = f
        low = high
    for f in range(n):
        if phase[f] == START and not used[f]:
            single += 1
    return links, single


def pair(category: Array, number: I64, ts: I64, phase: Array) -> tuple[I64, I64, int]:
    """Pair ends of equal (category, id): an end belongs to the latest start at or before it, else to the earliest.

    Args:
        category, number, ts, phase: the ends in file order.

    Returns:
        Indices of the first and the second end of every link, and how many ends found no partner.
    """
    rank = np.where(phase == START, 0, np.where(phase == STEP, 1, 2)).astype(np.int8)
    by_key = np.lexsort((rank, ts, number, category)).astype(np.int64)
    source = np.empty(len(ts), np.int64)
    target = np.empty(len(ts), np.int64)
    links, single = _pair_sorted(category, number, phase, by_key, source, target)
    return source[:links].copy(), target[:links].copy(), int(single)
