"""Begins and ends that belong together: B/E on the nesting of a thread, b/n/e and S/T/p/F by category, scope and id."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from insight_desktop.ingest.formats import trace_joined
from insight_desktop.ingest.formats import trace_layout as ts
from insight_desktop.ingest.formats.trace_bytes import Array
from insight_desktop.schema import ASYNC, UNFINISHED

_B, _E = ord("B"), ord("E")
_BEGINS = (_B, ord("b"), ord("S"))
_ENDS = (_E, ord("e"), ord("F"))


@dataclass
class Marks:
    """All marks of a source in file order, ids global. Columns as trace_layout.Marks."""

    columns: dict[str, Array]

    def __len__(self) -> int:
        return len(self.columns["ts"])

    def take(self, rows: Array) -> Marks:
        return Marks({name: column[rows] for name, column in self.columns.items()})

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]


@dataclass
class Pairs:
    """What the marks amount to.

    Attributes:
        slices: columns of schema `slice` without `group`, in file order of their begins.
        points: rows of the marks that are instants (n, T, p), in file order.
        unfinished: begins without an end of their own.
        lonely_ends: ends without a begin.
        both: slices whose begin and end have details; `args_at` and `args_len` are those of the begin.
        end_args: per such slice args_at and args_len of the end.
    """

    slices: dict[str, Array]
    points: Array
    unfinished: int
    lonely_ends: int
    both: Array
    end_args: tuple[Array, Array]


@njit(nogil=True, cache=True)
def _nest(group, name, is_begin, named, last_of_name):  # type: ignore[no-untyped-def]
    """Pair begins and ends sorted by (group, time): rows of the ends, rows that cut an unfinished one; ends ignored."""
    n = len(group)
    end = np.full(n, -1, np.int64)
    cut = np.full(n, -1, np.int64)
    below = np.full(n, -1, np.int64)  # the begin of the same name before this one
    stack = np.empty(n, np.int64)
    top = 0
    lonely = 0
    for i in range(n):
        if i and group[i] != group[i - 1]:
            top = 0
        if is_begin[i]:
            below[i] = last_of_name[name[i]]
            last_of_name[name[i]] = i
            stack[top] = i
            top += 1
            continue
        if named[i]:
            j = last_of_name[name[i]]
            while j >= 0 and (end[j] >= 0 or cut[j] >= 0):
                j = below[j]
            last_of_name[name[i]] = j
            if j < 0:
                lonely += 1
                continue
        elif top == 0:
            lonely += 1
            continue
        else:
            j = stack[top - 1]
        while stack[top - 1] != j:
            top -= 1
            cut[stack[top]] = i
        top -= 1
        end[j] = i
    return end, cut, lonely


@njit(nogil=True, cache=True)
def _match(group, name, name_pid, is_begin, named, own_only, last_of_name, last_of_pid):  # type: ignore[no-untyped-def]
    """Pair asynchronous begins and ends sorted by (group, time): the latest open one of the name, its own process first."""
    n = len(group)
    end = np.full(n, -1, np.int64)
    below_name = np.full(n, -1, np.int64)
    below_pid = np.full(n, -1, np.int64)
    stack = np.empty(n, np.int64)
    top = 0
    lonely = 0
    for i in range(n):
        if i and group[i] != group[i - 1]:
            top = 0
        if is_begin[i]:
            below_name[i] = last_of_name[name[i]]
            last_of_name[name[i]] = i
            below_pid[i] = last_of_pid[name_pid[i]]
            last_of_pid[name_pid[i]] = i
            stack[top] = i
            top += 1
            continue
        if named[i]:
            j = last_of_pid[name_pid[i]]
            while j >= 0 and end[j] >= 0:
                j = below_pid[j]
            last_of_pid[name_pid[i]] = j
            if j < 0 and not own_only[i]:
                j = last_of_name[name[i]]
                while j >= 0 and end[j] >= 0:
                    j = below_name[j]
                last_of_name[name[i]] = j
        else:
            while top > 0 and end[stack[top - 1]] >= 0:
                top -= 1
            j = stack[top - 1] if top > 0 else -1
        if j < 0:
            lonely += 1
        else:
            end[j] = i
    return end, lonely


def _numbered(*columns: Array) -> Array:
    """Number of each row's combination of values."""
    order = np.lexsort(columns)
    new = np.zeros(len(order), bool)
    for column in columns:
        c = column[order]
        new[1:] |= c[1:] != c[:-1]
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.cumsum(new)
    return numbers


def _blank(numbers: Array) -> Array:
    return np.full(int(numbers.max()) + 1 if len(numbers) else 0, -1, np.int64)


def _pair_nested(marks: Marks) -> tuple[Array, Array, Array, int]:
    """Of B and E rows in file order: (begin rows, end rows or -1, cut rows or -1, ends ignored)."""
    order = np.lexsort((marks["ts"], marks["track"]))
    m = marks.take(order)
    name = _numbered(m["name"], m["track"])
    is_begin = m["phase"] == _B
    end, cut, lonely = _nest(m["track"], name, is_begin, m["name"] >= 0, _blank(name))
    begins = np.flatnonzero(is_begin)
    return order[begins], _back(order, end[begins]), _back(order, cut[begins]), int(lonely)


def _pair_async(marks: Marks) -> tuple[Array, Array, int]:
    """Of asynchronous begins and ends in file order: (begin rows, end rows or -1, ends ignored)."""
    legacy = np.isin(marks["phase"], (ord("S"), ord("F")))
    local = marks["id_kind"] == ts.ID_LOCAL
    owner = np.where(local | (marks["id_kind"] == ts.ID_NONE), marks["pid"], -1)
    group = _numbered(legacy, marks["category"], marks["scope"], marks["id_kind"], marks["id"], owner)
    order = np.lexsort((marks["ts"], group))
    m, group = marks.take(order), group[order]
    name = _numbered(m["name"], group)
    name_pid = _numbered(name, m["pid"])
    is_begin = np.isin(m["phase"], _BEGINS)
    own_only = np.isin(m["id_kind"], (ts.ID_LOCAL, ts.ID_NONE))
    end, lonely = _match(group, name, name_pid, is_begin, m["name"] >= 0, own_only, _blank(name), _blank(name_pid))
    begins = np.flatnonzero(is_begin)
    return order[begins], _back(order, end[begins]), int(lonely)


def _back(order: Array, rows: Array) -> Array:
    """Rows of the sorted table as rows of the unsorted one; -1 stays."""
    return np.where(rows >= 0, order[np.maximum(rows, 0)], -1) if len(order) else rows


def pair_marks(marks: Marks, data_end_ns: int) -> Pairs:
    """Slices and points of all marks. A begin without an end lasts to the end of the data and is flagged."""
    phase = marks["phase"]
    nested = np.flatnonzero((phase == _B) | (phase == _E))
    spread = np.flatnonzero(np.isin(phase, _BEGINS + _ENDS) & (phase != _B) & (phase != _E))
    points = np.flatnonzero(np.isin(phase, (ord("n"), ord("T"), ord("p"))))
    begin, end, cut, lonely = _pair_nested(marks.take(nested))
    begin2, end2, lonely2 = _pair_async(marks.take(spread))
    begin = np.concatenate([nested[begin], spread[begin2]])
    end = np.concatenate([_back(nested, end), _back(spread, end2)])
    cut = np.concatenate([_back(nested, cut), np.full(len(begin2), -1)])
    order = np.argsort(begin, kind="stable")
    begin, end, cut = begin[order], end[order], cut[order]
    stamps = marks["ts"]
    start = stamps[begin]
    until = np.where(end >= 0, end, cut)
    stop = np.where(until >= 0, stamps[np.maximum(until, 0)], np.maximum(data_end_ns, start))
    flags = np.where(end >= 0, 0, UNFINISHED) | np.where(phase[begin] == _B, 0, ASYNC)
    # Many writers put the details on the end event only.
    donor = np.where((marks["args_len"][begin] == 0) & (end >= 0), end, begin)
    slices = {
        "track": marks["track"][begin],
        "start_ns": start,
        "end_ns": stop,
        "name": marks["name"][begin],
        "category": marks["category"][begin],
        "flags": flags.astype(np.uint8),
        "args_at": marks["args_at"][donor],
        "args_len": marks["args_len"][donor],
    }
    both = trace_joined.both(marks["args_len"], begin, end)
    end_args = (marks["args_at"][end[both]], marks["args_len"][end[both]])
    return Pairs(slices, points, int((end < 0).sum()), lonely + lonely2, both, end_args)
