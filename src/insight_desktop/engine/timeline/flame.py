"""Flame graph of a selection: slices merged by the names above them, over all chosen lanes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Literal

import numpy as np
import pyarrow as pa
from numba import njit

from insight_desktop import schema
from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.filter import lanes_named
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.engine.timeline.slice_sets import Picked, pick

Order = Literal["sum", "name", "first"]

SCHEMA = pa.schema(
    [
        ("node", pa.int64()),
        ("parent", pa.int64()),
        ("depth", pa.int32()),
        ("name", pa.large_string()),
        ("x0", pa.float64()),
        ("x1", pa.float64()),
        ("sum_ns", pa.int64()),
        ("self_ns", pa.int64()),
        ("count", pa.int64()),
        ("longest_id", pa.int64()),
    ]
)


def flame(
    store: Store,
    *,
    card: str,
    tracks: Sequence[int] | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
    order: Order = "sum",
    python: bool = False,
    rows: tuple[int, int] | None = None,
) -> pa.Table:
    """Merged tree of the slices in a range: columns of SCHEMA, by depth, then from left to right.

    A slice lies below the slice of the nearest shallower depth row that runs at its start. Slices of one name with equal
    names above them are one node, also on different lanes. x0 and x1 (0–1) are shares of all top slices together; a child
    is never wider than its part inside its parent. sum_ns adds durations, self_ns what no child covers.

    Args:
        store: the cards.
        card: name of the card.
        tracks: lanes, as track numbers; all when None.
        from_ns: start of the range in raw ns, None for the start of the data.
        to_ns: end of the range.
        whole: count raw durations instead of the parts inside.
        order: neighbours by largest sum, by name, or as they come first in the data.
        python: use the Python stacks of the threads of the lanes.
        rows: first and last depth row that count; all when None, and always all of Python stacks.
    """
    capture = store.capture(card)
    if python:
        tracks, rows = python_tracks(capture, tracks), None
    low, high = rows or (0, None)
    key = ("flame", None if tracks is None else tuple(tracks), from_ns, to_ns, whole, order, rows)

    def make() -> pa.Table:
        picked = pick(capture, tracks, from_ns, to_ns, whole=whole, row_lo=low, row_hi=high)
        return _flame(capture, picked, order)

    return kept(capture, key, make, _bytes)


def flame_graph(
    store: Store,
    *,
    card: str,
    lane: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
    order: Order = "sum",
    python: bool = False,
) -> pa.Table:
    """Flame graph of a range: node, parent, depth, name, x0, x1, sum_ns, self_ns, count, longest_id; by depth, then x0.

    Slices of one name below equal names are one node. x0 and x1 (0–1) are shares of all top slices together, sum_ns adds
    the parts inside the range (whole: raw durations), self_ns is what no child covers, longest_id the longest slice of
    the node. With lane, only lanes whose title contains the text count; python takes the Python stacks of their threads.
    """
    tracks = lanes_named(store, card, lane)
    return flame(store, card=card, tracks=tracks, from_ns=from_ns, to_ns=to_ns, whole=whole, order=order, python=python)


def python_tracks(capture: Capture, tracks: Sequence[int] | None) -> list[int]:
    """The Python stack lanes of the threads that some lanes belong to; all of the card without lanes."""
    rows = capture.tracks.select(["pid", "tid", "role"]).to_pylist()
    wanted = {(rows[t]["pid"], rows[t]["tid"]) for t in (range(len(rows)) if tracks is None else tracks)}
    return [
        i
        for i, row in enumerate(rows)
        if row["role"] == schema.ROLE_PYTHON_STACK and (row["pid"], row["tid"]) in wanted
    ]


def warm() -> None:
    """Compile the kernel."""
    one = np.zeros(1, np.int64)
    _merge(one, one, one.astype(np.int32), np.array([0, 1]), one, 1, 2)


def _bytes(table: pa.Table) -> int:
    return int(table.nbytes)


def _flame(capture: Capture, picked: Picked, order: Order) -> pa.Table:
    if not len(picked):
        return SCHEMA.empty_table()
    lanes = picked.lanes
    track = np.asarray(capture.lane_track)[lanes].astype(np.int64)
    size = 1 << max(4, int(2 * len(picked)).bit_length())
    strings = max(len(capture.strings), 1)
    nodes, used = _merge(picked.start, picked.end, picked.name, picked.offset, track, strings, size)
    parent, name, depth, count, total, width, covered, longest = nodes[:, :used]
    texts = capture.strings.take(pa.array(name))
    x0, x1 = _places(parent, depth, width, _keys(order, texts, total))
    at = np.lexsort((x0, depth))
    number = np.empty(len(at), np.int64)
    number[at] = np.arange(len(at))
    above = parent[at]
    columns = [
        np.arange(len(at)),
        np.where(above < 0, -1, number[np.maximum(above, 0)]),
        depth[at].astype(np.int32),
        texts.take(pa.array(at)),
        x0[at],
        x1[at],
        total[at],
        np.maximum(total - covered, 0)[at],
        count[at],
        picked.ids[longest[at]],
    ]
    return pa.table(columns, schema=SCHEMA)


def _keys(order: Order, texts: pa.Array, total: Array) -> Array:
    """What neighbours are sorted by, ascending."""
    if order == "sum":
        return -total
    if order == "name":
        ranks = np.empty(len(texts), np.int64)
        ranks[np.asarray(texts.to_numpy(zero_copy_only=False), object).argsort(kind="stable")] = np.arange(len(texts))
        return ranks
    return np.arange(len(total))


def _places(parent: Array, depth: Array, width: Array, key: Array) -> tuple[Array, Array]:
    """Left and right edge of each node: children side by side from the left edge of their parent.

    Where a range cuts off what stood between a slice and the one above, children may run at the same time; they share
    the width of their parent then.
    """
    share = width / max(int(width[parent < 0].sum()), 1)
    x0 = np.zeros(len(parent))
    levels = np.argsort(depth, kind="stable")
    edges = np.searchsorted(depth[levels], np.arange(int(depth.max()) + 2))
    for a, b in itertools.pairwise(edges):
        nodes = levels[a:b]
        nodes = nodes[np.lexsort((key[nodes], parent[nodes]))]
        above = parent[nodes]
        new = np.append(True, above[1:] != above[:-1])
        group = np.cumsum(new) - 1
        if above[0] >= 0:
            total = np.bincount(group, share[nodes])
            room = share[above[new]]
            share[nodes] *= np.where(total > room, room / np.maximum(total, 1e-300), 1.0)[group]
        before = np.append(0.0, np.cumsum(share[nodes])[:-1])
        left = np.where(above < 0, 0.0, x0[np.maximum(above, 0)])
        x0[nodes] = left + before - before[new][group]
    return x0, x0 + share


@njit(cache=True, nogil=True)
def _merge(
    start: Array, end: Array, name: Array, offset: Array, track: Array, strings: int, size: int
) -> tuple[Array, int]:
    """Nodes of the tree, parents before children; columns parent, name, depth, count, sum, width, covered, longest.

    Nodes are found by an open hash of (parent, name) with `size` places, a power of two.
    """
    keys = np.full(size, -1, np.int64)
    values = np.zeros(size, np.int64)
    node = np.empty(len(start), np.int64)
    reach = np.empty(len(start), np.int64)  # end inside all slices above
    nodes = np.zeros((8, len(start)), np.int64)
    used = 0
    first_lane = 0
    for lane in range(len(track)):
        if track[first_lane] != track[lane]:
            first_lane = lane
        at = offset[lane - 1] if lane > first_lane else 0
        for i in range(offset[lane], offset[lane + 1]):
            s, e = start[i], end[i]
            above = -1
            if lane > first_lane:
                while at + 1 < offset[lane] and start[at + 1] <= s:
                    at += 1
                above = at if _runs_at(start, end, at, s, e) else _higher(start, end, offset, first_lane, lane - 2, i)
            up = np.int64(node[above]) if above >= 0 else np.int64(-1)
            reach[i] = min(e, max(reach[above], s)) if above >= 0 else e
            key = (up + 1) * strings + name[i]
            slot = ((key * 0x9E3779B97F4A7C1) ^ (key >> 17)) & (size - 1)
            while keys[slot] >= 0 and keys[slot] != key:
                slot = (slot + 1) & (size - 1)
            if keys[slot] < 0:
                keys[slot], values[slot] = key, used
                nodes[0, used], nodes[1, used], nodes[7, used] = up, name[i], i
                nodes[2, used] = nodes[2, up] + 1 if up >= 0 else 0
                used += 1
            mine = values[slot]
            node[i] = mine
            nodes[3, mine] += 1
            nodes[4, mine] += e - s
            nodes[5, mine] += reach[i] - s
            if up >= 0:
                nodes[6, up] += reach[i] - s
            longest = nodes[7, mine]
            if e - s > end[longest] - start[longest]:
                nodes[7, mine] = i
    return nodes, used


@njit(cache=True, nogil=True)
def _runs_at(start: Array, end: Array, at: int, s: int, e: int) -> bool:
    """Whether slice `at` runs when a slice from s to e begins."""
    return start[at] <= s and (end[at] > s or (end[at] == s and e == s))


@njit(cache=True, nogil=True)
def _higher(start: Array, end: Array, offset: Array, first_lane: int, lane: int, i: int) -> int:
    """The slice of the nearest row from `lane` upwards that runs when slice i begins; -1 for none."""
    while lane >= first_lane:
        low, high = offset[lane], offset[lane + 1]
        while low < high:
            middle = (low + high) // 2
            if start[middle] <= start[i]:
                low = middle + 1
            else:
                high = middle
        if low > offset[lane] and _runs_at(start, end, low - 1, start[i], end[i]):
            return low - 1
        lane -= 1
    return -1
