"""Overall Metrics: computing, uncovered communication and free time of a card, broken down by kind and group."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.system.operator_rows import NO_TIME
from insight_desktop.engine.timeline import layers, overall_communication, overall_kernels, slice_list, slice_sets
from insight_desktop.engine.timeline.overall_kernels import SEPARATOR, Classified
from insight_desktop.engine.timeline.slice_sets import I64
from insight_desktop.errors import BadArgument

COMPUTING, COMMUNICATION, FREE, E2E = (
    "Computing Time", "Communication(Not Overlapped) Time", "Free Time", "E2E Time",
)  # fmt: skip
OTHER, WAIT, TRANSMIT = "Other", "Wait Time", "Transmit Time"
SCHEMA = pa.schema(
    [
        ("category", pa.string()), ("parent", pa.string()), ("path", pa.string()), ("total_ns", pa.int64()),
        ("ratio", pa.float64()), ("count", pa.int64()), ("avg_ns", pa.float64()), ("max_ns", pa.int64()),
        ("min_ns", pa.int64()),
    ]
)  # fmt: skip


@dataclass
class _Node:
    """A row; a count of None leaves all figures but the total open."""

    path: str
    total: int = 0
    count: int | None = None
    longest: int = 0
    shortest: int = 0

    @classmethod
    def of(cls, path: str, lengths: I64) -> _Node:
        if not len(lengths):
            return cls(path, 0, 0)
        return cls(path, int(lengths.sum()), len(lengths), int(lengths.max()), int(lengths.min()))

    def row(self, whole_ns: int) -> dict[str, object]:
        parent, _, category = self.path.rpartition(SEPARATOR)
        known = bool(self.count)
        return {
            "category": category, "parent": parent, "path": self.path, "total_ns": self.total,
            "ratio": self.total / whole_ns if whole_ns else None, "count": self.count,
            "avg_ns": self.total / self.count if self.count else None, "max_ns": self.longest if known else None,
            "min_ns": self.shortest if known else None,
        }  # fmt: skip


def overall_metrics(
    store: Store,
    *,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
) -> pa.Table:
    """Where the time of a card goes, as a tree: category, parent, path, total_ns, ratio, count, avg_ns, max_ns, min_ns.

    Level 1 is Computing, Communication(Not Overlapped), Free and their sum E2E, from the overlap analysis; a kind that is
    missing is 0. Computing breaks down by kind of kernel where kernels have hardware counters, communication by group into
    waiting and transmitting; `Other` is what is left. ratio is of E2E (0–1). What touches [from_ns, to_ns] counts with the
    part inside, with `whole` in full. Children stand behind their parent, by name. Empty for a card without the analysis.
    """
    chosen = store.card(card).name
    if not layers.tracks_of(store, chosen, "overlap"):
        return SCHEMA.empty_table()
    found_spans = layers.overlap_slices(store, chosen, from_ns, to_ns, whole=whole)
    spans = {kind: end - start for kind, (_, start, end) in found_spans.items()}
    computing = _Node.of(COMPUTING, spans[layers.COMPUTING])
    uncovered = _Node.of(COMMUNICATION, spans[layers.UNCOVERED])
    free = _Node(FREE, int(spans[layers.FREE].sum()))
    found = overall_kernels.classified(store, chosen)
    nodes = [computing]
    if found is not None:
        nodes += _below_computing(computing, found, from_ns, to_ns, whole)
    nodes += [uncovered, *_below_communication(store, chosen, from_ns, to_ns, whole), free]
    whole_ns = computing.total + uncovered.total + free.total
    nodes.append(_Node(E2E, whole_ns))
    return pa.Table.from_pylist([node.row(whole_ns) for node in nodes], SCHEMA)


def overall_details(
    store: Store,
    *,
    path: str,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
    name: str | None = None,
    sort: str = "dur_ns",
    descending: bool = True,
    offset: int = 0,
    limit: int | None = None,
) -> pa.Table:
    """What a row of `overall_metrics` adds up, longest first: id, name, ts_ns, dur_ns, whole_ns, track, row.

    Kernels, overlap intervals, operators of a group (with their uncovered time as dur_ns) or waiting tasks. id is null for
    a kernel that the Timeline does not show. A group and its Transmit Time list the same operators. name keeps what contains
    it; sort is id, name, ts_ns, dur_ns or whole_ns. Raises BadArgument for an unknown path.
    """
    chosen = store.card(card).name
    capture = store.capture(chosen)
    top, _, rest = path.partition(SEPARATOR)
    slice_list.check_column(sort)
    if top == COMPUTING and rest:
        at, length, found = _kernels_of(store, chosen, rest, from_ns, to_ns, whole)
        keep = _named(found, name)[found.name[at]]
        at, length = at[keep], length[keep]
        values = _sort_values(found, at, length, sort)
        order = slice_list.value_page(values, found.start[at], descending, offset, limit)
        return _kernel_rows(capture, found, at[order], length[order])
    ids, length = _slices_of(store, chosen, top, rest, from_ns, to_ns, whole)
    if name is not None and name.strip():
        keep = slice_list.name_table(capture, name)[np.asarray(capture.slice_name)[ids]]
        ids, length = ids[keep], length[keep]
    key = ("overall_details", path, from_ns, to_ns, whole, name)
    order = slice_list.sorted_page(capture, key, ids, length, sort, descending, offset, limit)
    return slice_list.slice_rows(capture, ids, length, order)


def _below_computing(
    computing: _Node, found: Classified, from_ns: int | None, to_ns: int | None, whole: bool
) -> list[_Node]:
    at, length = _in_range(found, from_ns, to_ns, whole)
    leaf = found.leaf[at]
    nodes: dict[str, list[I64]] = {}
    for number, path in enumerate(found.paths):
        mine = length[leaf == number]
        if len(mine):
            for step in _steps(path):
                nodes.setdefault(step, []).append(mine)
    out = [_Node.of(f"{COMPUTING}{SEPARATOR}{p}", np.concatenate(parts)) for p, parts in _in_order(nodes)]
    rest = computing.total - int(length[leaf >= 0].sum())
    if rest > 0:
        out.append(_Node(f"{COMPUTING}{SEPARATOR}{OTHER}", rest))
    return out


def _below_communication(store: Store, card: str, from_ns: int | None, to_ns: int | None, whole: bool) -> list[_Node]:
    out = []
    groups = overall_communication.group_times(store, card, from_ns, to_ns, whole=whole)
    for path, group in _titled(groups):
        own = _Node.of(f"{COMMUNICATION}{SEPARATOR}{path}", group.inside)
        wait = _Node.of(f"{own.path}{SEPARATOR}{WAIT}", group.wait_inside)
        out += [own, _Node(f"{own.path}{SEPARATOR}{TRANSMIT}", own.total - wait.total), wait]
    return out


def _titled(
    groups: list[overall_communication.GroupTimes],
) -> list[tuple[str, overall_communication.GroupTimes]]:
    """Groups by title; equal titles get #2, #3, …"""
    seen: dict[str, int] = {}
    out = []
    for group in groups:
        seen[group.title] = number = seen.get(group.title, 0) + 1
        out.append((group.title if number == 1 else f"{group.title} #{number}", group))
    return sorted(out, key=lambda found: found[0])


def _kernels_of(
    store: Store, card: str, path: str, from_ns: int | None, to_ns: int | None, whole: bool
) -> tuple[I64, I64, Classified]:
    """Kernels below a path, the time of each that counts, and all kernels."""
    found = overall_kernels.classified(store, card)
    if found is None:
        raise _unknown(f"{COMPUTING}{SEPARATOR}{path}")
    wanted = [i for i, p in enumerate(found.paths) if path in _steps(p)]
    if path == OTHER:
        wanted = [-1]
    elif not wanted:
        raise _unknown(f"{COMPUTING}{SEPARATOR}{path}")
    at, length = _in_range(found, from_ns, to_ns, whole)
    keep = np.isin(found.leaf[at], wanted)
    return at[keep], length[keep], found


def _named(found: Classified, name: str | None) -> npt.NDArray[np.bool_]:
    """Per number of a name: does it contain the text?"""
    wanted = (name or "").strip().casefold()
    return np.array([wanted in word.casefold() for word in found.names] or [False], np.bool_)


def _sort_values(found: Classified, at: I64, length: I64, sort: str) -> I64:
    if sort == "id":
        return found.slice_id[at]
    if sort == "name":
        order = sorted(range(len(found.names)), key=lambda i: (found.names[i].casefold(), found.names[i]))
        rank = np.empty(max(len(order), 1), np.int64)
        rank[order] = np.arange(len(order))
        return rank[found.name[at]]
    if sort == "ts_ns":
        return found.start[at]
    return found.end[at] - found.start[at] if sort == "whole_ns" else length


def _kernel_rows(capture: Capture, found: Classified, at: I64, length: I64) -> pa.Table:
    ids = found.slice_id[at]
    lost, no_time = ids < 0, found.start[at] == NO_TIME
    track, row = np.zeros(len(at), np.int32), np.zeros(len(at), np.int32)
    lane = np.searchsorted(np.asarray(capture.lane_offset), ids[~lost], "right") - 1
    track[~lost], row[~lost] = np.asarray(capture.lane_track)[lane], np.asarray(capture.lane_row)[lane]
    columns = [
        pa.array(ids, mask=lost),
        pa.array(found.names, pa.large_string()).take(pa.array(found.name[at])),
        pa.array(found.start[at], mask=no_time),
        pa.array(length),
        pa.array(found.end[at] - found.start[at]),
        pa.array(track, mask=lost),
        pa.array(row, mask=lost),
    ]
    return pa.table(columns, schema=slice_list.DETAILS_SCHEMA)


def _slices_of(
    store: Store, card: str, top: str, rest: str, from_ns: int | None, to_ns: int | None, whole: bool
) -> tuple[I64, I64]:
    """Slices of a row that is no kind of kernel, and the time of each that counts."""
    if top == COMMUNICATION and rest:
        for title, group in _titled(overall_communication.group_times(store, card, from_ns, to_ns, whole=whole)):
            if rest in (title, f"{title}{SEPARATOR}{TRANSMIT}"):
                return group.ids, group.inside
            if rest == f"{title}{SEPARATOR}{WAIT}":
                return group.wait_ids, group.wait_inside
        raise _unknown(f"{top}{SEPARATOR}{rest}")
    kinds = {COMPUTING: layers.COMPUTING, COMMUNICATION: layers.UNCOVERED, FREE: layers.FREE}
    if rest or top not in (*kinds, E2E):
        raise _unknown(f"{top}{SEPARATOR}{rest}" if rest else top)
    spans = layers.overlap_slices(store, card, from_ns, to_ns, whole=whole)
    wanted = [spans[kind] for key, kind in kinds.items() if top in (key, E2E)]
    ids, start, end = (np.concatenate(column) for column in zip(*wanted, strict=True))
    return ids, end - start


def _in_range(found: Classified, from_ns: int | None, to_ns: int | None, whole: bool) -> tuple[I64, I64]:
    """Kernels that touch the range, and how much of them counts; without a range all of them."""
    if from_ns is None and to_ns is None:
        return np.arange(len(found.start)), found.end - found.start
    low, high = slice_sets.bounds(from_ns, to_ns)
    at = np.flatnonzero((found.start != NO_TIME) & (found.end >= low) & (found.start <= high))
    start, end = found.start[at], found.end[at]
    return at, end - start if whole else np.minimum(end, high) - np.maximum(start, low)


def _steps(path: str) -> list[str]:
    """A path and all above it."""
    parts = path.split(SEPARATOR)
    return [SEPARATOR.join(parts[: i + 1]) for i in range(len(parts))]


def _in_order(nodes: dict[str, list[I64]]) -> Iterable[tuple[str, list[I64]]]:
    return sorted(nodes.items(), key=lambda item: item[0].split(SEPARATOR))


def _unknown(path: str) -> BadArgument:
    return BadArgument(f"There is no row {path!r}.", fix="Use a path of overall_metrics.")
