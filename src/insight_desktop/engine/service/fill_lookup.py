"""Questions of the kind "the last of this request before that time", for many at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
I64 = npt.NDArray[np.int64]
NONE = np.iinfo(np.int64).min  # no time


class Timeline:
    """Rows with a group and a time, for looking up neighbours in time inside a group.

    Args:
        group: small numbers from 0.
        time: ns.
    """

    def __init__(self, group: Array, time: I64) -> None:
        self._times = np.unique(time)
        self._width = len(self._times) + 1
        key = group.astype(np.int64) * self._width + np.searchsorted(self._times, time)
        self.order = np.argsort(key, kind="stable")
        self._key = key[self.order]
        self._group, self._time = np.asarray(group)[self.order], time[self.order]

    def last(self, group: Array, time: I64) -> I64:
        """Row of the last of each group at or before a time; -1 where there is none."""
        place = self._place(group, time, "right") - 1
        return self._row(place, group)

    def first(self, group: Array, time: I64) -> I64:
        """Row of the first of each group at or after a time; -1 where there is none."""
        return self._row(self._place(group, time, "left"), group)

    def count(self, group: Array, time: I64) -> I64:
        """How many of each group are at or before a time."""
        group = np.asarray(group).astype(np.int64)
        return self._place(group, time, "right") - np.searchsorted(self._key, group * self._width)

    def nth(self, group: Array, number: I64) -> I64:
        """Row of the n-th of each group from 0; -1 where there is none."""
        group = np.asarray(group).astype(np.int64)
        return self._row(np.where(number < 0, -1, np.searchsorted(self._key, group * self._width) + number), group)

    def _place(self, group: Array, time: I64, side: Any) -> I64:
        key = np.asarray(group).astype(np.int64) * self._width + np.searchsorted(self._times, time, side)
        return np.searchsorted(self._key, key, "left")

    def _row(self, place: I64, group: Array) -> I64:
        inside = (place >= 0) & (place < len(self._key))
        safe = np.where(inside, place, 0)
        if not len(self._key):
            return np.full(len(place), -1, np.int64)
        inside &= self._group[safe] == group
        return np.where(inside, self.order[safe], -1)


def earliest(group: Array, time: I64, count: int) -> I64:
    """The smallest time of every group, NONE where it has none."""
    out = np.full(count, np.iinfo(np.int64).max, np.int64)
    np.minimum.at(out, group, time)
    out[out == np.iinfo(np.int64).max] = NONE
    return out


def latest(group: Array, time: I64, count: int) -> I64:
    """The largest time of every group, NONE where it has none."""
    out = np.full(count, NONE, np.int64)
    np.maximum.at(out, group, time)
    return out


def either(*times: I64) -> I64:
    """The first time that is known."""
    out = times[0]
    for other in times[1:]:
        out = np.where(out == NONE, other, out)
    return out


def at(values: I64, rows: I64) -> I64:
    """values[rows], NONE where the row is -1."""
    if not len(values):
        return np.full(len(rows), NONE, np.int64)
    return np.where(rows >= 0, values[np.maximum(rows, 0)], NONE)
