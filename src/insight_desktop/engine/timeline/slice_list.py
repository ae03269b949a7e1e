"""The Slice List: slices of a selection by name, with exact sums, busy and self time, and the slices of one name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from numba import njit

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import operator_order
from insight_desktop.engine.timeline import search as finder
from insight_desktop.engine.timeline import slice_sets
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.engine.timeline.slice_sets import I32, I64, Picked
from insight_desktop.errors import BadArgument

LIST_SCHEMA = pa.schema(
    [
        ("name", pa.large_string()), ("count", pa.int64()), ("sum_ns", pa.int64()), ("busy_ns", pa.int64()),
        ("self_ns", pa.int64()), ("avg_ns", pa.int64()), ("min_ns", pa.int64()), ("max_ns", pa.int64()),
        ("p50_ns", pa.int64()), ("p95_ns", pa.int64()),
    ]
)  # fmt: skip
DETAILS_SCHEMA = pa.schema(
    [
        ("id", pa.int64()), ("name", pa.large_string()), ("ts_ns", pa.int64()), ("dur_ns", pa.int64()),
        ("whole_ns", pa.int64()), ("track", pa.int32()), ("row", pa.int32()),
    ]
)  # fmt: skip
Moved = tuple[tuple[int, int], ...]  # (track, ns) as of Store.moved_ns
_TOP = 10_000  # pages up to here are sought without sorting all rows
_LARGE = 512  # groups above are partitioned by numpy, smaller ones sorted in compiled code


@dataclass(frozen=True)
class Figures:
    """Figures of groups of slices; arrays are of equal length, times in ns."""

    count: I64
    sum: I64
    busy: I64
    self: I64
    min: I64
    max: I64
    p50: I64
    p95: I64

    @property
    def nbytes(self) -> int:
        return sum(getattr(self, f.name).nbytes for f in fields(self))

    def columns(self, order: I64 | None = None) -> list[pa.Array]:
        """count, sum, busy, self, avg, min, max, p50, p95 as LIST_SCHEMA has them."""
        avg = self.sum // np.maximum(self.count, 1)
        found = (self.count, self.sum, self.busy, self.self, avg, self.min, self.max, self.p50, self.p95)
        return [pa.array(values if order is None else values[order], pa.int64()) for values in found]


@dataclass(frozen=True)
class Groups:
    """Slices of a selection by name: string ids and figures, largest sum first."""

    name: I32
    figures: Figures

    @property
    def nbytes(self) -> int:
        return self.name.nbytes + self.figures.nbytes


def slice_list(
    store: Store,
    *,
    card: str | None = None,
    tracks: str | Sequence[int] | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    clip: bool = True,
    row_lo: int = 0,
    row_hi: int | None = None,
    name: str | None = None,
) -> pa.Table:
    """Slices by name, largest sum first: name, count, sum_ns, busy_ns, self_ns, avg_ns, min_ns, max_ns, p50_ns, p95_ns.

    tracks are positions of lanes in the capture (`0,3`), all without them; row_lo and row_hi keep depth rows. The range is
    recorded time of the card; lanes with an offset of their own are asked at the same place of the axis. A slice counts when
    it touches [from_ns, to_ns]; its times are the part inside, or with clip false the whole. busy joins the intervals
    of the name; self leaves out the slices one row deeper that lie completely inside. avg is cut to whole ns; p50 and p95
    are the nearest-rank percentiles. name keeps names that contain it, case aside.
    """
    capture, moved = _opened(store, card)
    wanted = track_numbers(tracks)
    groups = _groups(capture, wanted, from_ns, to_ns, not clip, row_lo, row_hi, moved)
    names = capture.strings.take(pa.array(groups.name))
    table = pa.table([names, *groups.figures.columns()], schema=LIST_SCHEMA)
    return containing(table, name)


def slice_list_totals(
    store: Store,
    *,
    card: str | None = None,
    tracks: str | Sequence[int] | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    clip: bool = True,
    row_lo: int = 0,
    row_hi: int | None = None,
    name: str | None = None,
) -> pa.Table:
    """The totals row of `slice_list`, same columns; name is `Totals`.

    sum adds up all slices, so lanes that show the same time twice count twice; busy is the union of all of them.
    """
    capture, moved = _opened(store, card)
    wanted = track_numbers(tracks)
    key = ("slice_list_totals", wanted, from_ns, to_ns, clip, row_lo, row_hi, (name or "").casefold().strip(), moved)

    def make() -> Figures:
        picked, own = slice_sets.pick_with_self(
            capture, wanted, from_ns, to_ns, whole=not clip, row_lo=row_lo, row_hi=row_hi, moved=dict(moved)
        )
        if name and name.strip():
            keep = name_table(capture, name)[picked.name]
        else:
            keep = np.ones(len(picked), np.bool_)
        return _total(picked.start[keep], picked.end[keep], own[keep])

    figures = kept(capture, key, make, lambda made: made.nbytes)
    return pa.table([pa.array(["Totals"], pa.large_string()), *figures.columns()], schema=LIST_SCHEMA)


def slice_list_details(
    store: Store,
    *,
    card: str | None = None,
    tracks: str | Sequence[int] | None = None,
    name: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    clip: bool = True,
    row_lo: int = 0,
    row_hi: int | None = None,
    sort: str = "dur_ns",
    descending: bool = True,
    offset: int = 0,
    limit: int | None = None,
) -> pa.Table:
    """Single slices of a selection, longest first: id, name, ts_ns, dur_ns, whole_ns, track, row.

    name is the whole name, all without it. dur_ns is the part inside the range (all of it with clip false), whole_ns the
    duration as recorded, ts_ns the start as recorded. sort is id, name, ts_ns or dur_ns.
    """
    capture, moved = _opened(store, card)
    wanted = track_numbers(tracks)
    key = ("slice_list_details", wanted, from_ns, to_ns, clip, row_lo, row_hi, name, moved)

    def make() -> tuple[I64, I64]:
        picked, _ = slice_sets.pick_with_self(
            capture, wanted, from_ns, to_ns, whole=not clip, row_lo=row_lo, row_hi=row_hi, moved=dict(moved)
        )
        if name is None:
            return picked.ids, picked.length
        number = pc.index(capture.strings, pa.scalar(name, pa.large_string())).as_py()
        mine = picked.name == number
        return picked.ids[mine], picked.length[mine]

    ids, lengths = kept(capture, key, make, lambda made: made[0].nbytes + made[1].nbytes)
    order = sorted_page(capture, key, ids, lengths, sort, descending, offset, limit)
    return slice_rows(capture, ids, lengths, order)


def _opened(store: Store, card: str | None) -> tuple[Capture, Moved]:
    """The capture of a card, and its lanes with an offset of their own."""
    name = store.card(card).name
    return store.capture(name), tuple(sorted(store.moved_ns(name).items()))


def track_numbers(tracks: str | Sequence[int] | None) -> tuple[int, ...] | None:
    """Positions of lanes from a sequence or a text like `0,3`; None for all."""
    if tracks is None:
        return None
    if not isinstance(tracks, str):
        return tuple(sorted({int(track) for track in tracks}))
    try:
        return tuple(sorted({int(part) for part in tracks.split(",") if part.strip()}))
    except ValueError as error:
        raise BadArgument(f"tracks cannot be {tracks!r}.", fix="Give numbers of lanes with commas between.") from error


def name_table(capture: Capture, text: str) -> npt.NDArray[np.bool_]:
    """Per string id: does it contain the text, case and blanks around it aside; every character means itself."""
    wanted = text.strip().casefold()
    return kept(capture, ("name_table", wanted), lambda: finder.name_mask(capture, wanted), lambda made: made.nbytes)


def containing(table: pa.Table, text: str | None) -> pa.Table:
    """Rows whose name contains the text, case and blanks around it aside."""
    if text is None or not text.strip():
        return table
    wanted = text.strip().casefold()
    return table.filter(pa.array([wanted in word.casefold() for word in table.column("name").to_pylist()], pa.bool_()))


def sorted_table(table: pa.Table, sort: str, descending: bool) -> pa.Table:
    """Rows by a column, equal ones as they are; texts compare case aside."""
    if sort not in table.column_names:
        raise BadArgument(
            f"There is no column {sort!r} to sort by.", fix=f"Use one of {', '.join(table.column_names)}."
        )
    if sort == "name":
        words = [str(word).casefold() for word in table.column("name").to_pylist()]
        order = sorted(range(len(words)), key=words.__getitem__, reverse=descending)
    else:
        values = np.asarray(table.column(sort).fill_null(0))
        order = np.argsort(-values if descending else values, kind="stable").tolist()
    return table.take(pa.array(order, pa.int64()))


def page(order: I64, offset: int, limit: int | None) -> I64:
    """A page of positions; raises BadArgument for negative numbers."""
    if offset < 0 or (limit is not None and limit < 0):
        raise BadArgument("offset and limit cannot be negative.", fix="Use numbers from 0 on.")
    return order[offset:] if limit is None else order[offset : offset + limit]


def sorted_page(
    capture: Capture,
    key: tuple[Any, ...],
    ids: I64,
    lengths: I64,
    sort: str,
    descending: bool,
    offset: int,
    limit: int | None,
) -> I64:
    """A page of positions in the order of a column of DETAILS_SCHEMA, equal ones by start; deep pages keep the order."""
    check_column(sort)
    page(ids[:0], offset, limit)
    if limit is not None and offset + limit <= _TOP < len(ids) // 8:
        values = _sort_values(capture, ids, lengths, sort)
        return value_page(values, np.asarray(capture.slice_start)[ids], descending, offset, limit)

    def make() -> I64:
        values = _sort_values(capture, ids, lengths, sort)
        return value_page(values, np.asarray(capture.slice_start)[ids], descending, 0, None)

    return page(kept(capture, ("order", key, sort, descending), make, lambda made: made.nbytes), offset, limit)


def value_page(values: I64, start: I64, descending: bool, offset: int, limit: int | None) -> I64:
    """A page of positions in the order of values, equal ones by start; near pages are found without sorting all."""
    if limit is not None and 0 <= offset + limit <= _TOP < len(values) // 8:
        return page(_first(~values if descending else values, start, offset + limit), offset, limit)
    by_start = np.argsort(start, kind="stable")
    put = operator_order.descending if descending else operator_order.ascending
    return page(by_start[put(values[by_start])], offset, limit)


def check_column(sort: str) -> None:
    """Raises BadArgument for a column that slices cannot be sorted by."""
    if sort not in ("id", "name", "ts_ns", "dur_ns", "whole_ns"):
        raise BadArgument(f"There is no column {sort!r} to sort by.", fix="Use id, name, ts_ns, dur_ns or whole_ns.")


def _sort_values(capture: Capture, ids: I64, lengths: I64, sort: str) -> I64:
    if sort == "dur_ns":
        return lengths
    if sort == "id":
        return ids
    if sort == "name":
        return _name_ranks(capture, np.asarray(capture.slice_name)[ids])
    start = np.asarray(capture.slice_start)[ids]
    return start if sort == "ts_ns" else np.asarray(capture.slice_end)[ids] - start


def _first(values: I64, start: I64, count: int) -> I64:
    """Positions of the smallest values, in their order, equal ones by start and position."""
    if not count:
        return np.empty(0, np.int64)
    last = np.partition(values, count - 1)[count - 1]
    few = np.flatnonzero(values < last)
    ties = np.flatnonzero(values == last)
    few = few[np.lexsort((start[few], values[few]))]
    return np.concatenate((few, ties[np.argsort(start[ties], kind="stable")[: count - len(few)]]))


def slice_rows(capture: Capture, ids: I64, lengths: I64, at: I64) -> pa.Table:
    """Rows of DETAILS_SCHEMA for some positions of a selection."""
    mine = ids[at]
    start, end = np.asarray(capture.slice_start)[mine], np.asarray(capture.slice_end)[mine]
    lane = np.searchsorted(np.asarray(capture.lane_offset), mine, "right") - 1
    columns = [
        pa.array(mine),
        capture.strings.take(pa.array(np.asarray(capture.slice_name)[mine])),
        pa.array(start),
        pa.array(lengths[at]),
        pa.array(end - start),
        pa.array(np.asarray(capture.lane_track)[lane]),
        pa.array(np.asarray(capture.lane_row)[lane]),
    ]
    return pa.table(columns, schema=DETAILS_SCHEMA)


def by_name(picked: Picked, own: I64) -> Groups:
    """Figures of a selection by name, largest sum first, then by first appearance in the capture's strings."""
    if not len(picked):
        empty = np.empty(0, np.int64)
        return Groups(np.empty(0, np.int32), Figures(*[empty] * 8))
    counts = np.bincount(picked.name)
    names = np.flatnonzero(counts)
    offset = np.concatenate(([0], np.cumsum(counts[names])))
    number = np.zeros(len(counts), np.int64)
    number[names] = np.arange(len(names))
    by_start = np.argsort(picked.start, kind="stable")  # made of ordered runs, which this sort merges
    order = _counting_sort(number, picked.name, by_start, offset[:-1].copy())
    start, end = picked.start[order], picked.end[order]
    length = end - start
    at = offset[:-1]
    p50, p95 = _percentiles(length, offset)
    figures = Figures(
        counts[names], np.add.reduceat(length, at), _busy(start, end, offset), np.add.reduceat(own[order], at),
        np.minimum.reduceat(length, at), np.maximum.reduceat(length, at), p50, p95,
    )  # fmt: skip
    largest = operator_order.descending(figures.sum)
    parts = [getattr(figures, f.name)[largest] for f in fields(figures)]
    return Groups(names[largest].astype(np.int32), Figures(*parts))


def warm() -> None:
    """Compile the kernels."""
    one = np.array([0, 1])
    picked = Picked(one, np.zeros(2, np.int32), one, one + 1, one[:1], np.array([0, 2]))
    by_name(picked, picked.length)


def _groups(
    capture: Capture, tracks: tuple[int, ...] | None, from_ns: int | None, to_ns: int | None, whole: bool, row_lo: int,
    row_hi: int | None, moved: Moved,
) -> Groups:  # fmt: skip
    def make() -> Groups:
        return by_name(
            *slice_sets.pick_with_self(
                capture, tracks, from_ns, to_ns, whole=whole, row_lo=row_lo, row_hi=row_hi, moved=dict(moved)
            )
        )

    key = ("slice_list", tracks, from_ns, to_ns, whole, row_lo, row_hi, moved)
    return kept(capture, key, make, lambda made: made.nbytes)


def _total(start: I64, end: I64, own: I64) -> Figures:
    length = end - start
    if not len(length):
        return Figures(*[np.zeros(1, np.int64)] * 8)
    order, one = np.argsort(start, kind="stable"), np.array([0, len(length)])
    busy = _busy(start[order], end[order], one)
    p50, p95 = _percentiles(length, one)
    single = (len(length), length.sum(), busy[0], own.sum(), length.min(), length.max(), p50[0], p95[0])
    return Figures(*(np.array([value], np.int64) for value in single))


def _name_ranks(capture: Capture, names: I32) -> I64:
    """Place of each name in the order of the names, case aside."""
    distinct = np.flatnonzero(np.bincount(names))
    words = [str(w) for w in capture.strings.take(pa.array(distinct)).to_pylist()]
    rank = np.empty(len(words), np.int64)
    rank[sorted(range(len(words)), key=lambda i: (words[i].casefold(), words[i]))] = np.arange(len(words))
    table = np.zeros(int(distinct.max(initial=0)) + 1, np.int64)
    table[distinct] = rank
    return table[names]


def _percentiles(length: I64, offset: I64) -> tuple[I64, I64]:
    """Nearest-rank 50th and 95th percentile of each group."""
    p50, p95 = np.zeros(len(offset) - 1, np.int64), np.zeros(len(offset) - 1, np.int64)
    _small_percentiles(length, offset, p50, p95, _LARGE)
    for group in np.flatnonzero(np.diff(offset) > _LARGE):
        values = length[offset[group] : offset[group + 1]]
        at50, at95 = (len(values) * 50 + 99) // 100 - 1, (len(values) * 95 + 99) // 100 - 1
        parted = np.partition(values, (at50, at95))
        p50[group], p95[group] = parted[at50], parted[at95]
    return p50, p95


@njit(cache=True, nogil=True)
def _small_percentiles(length: I64, offset: I64, p50: I64, p95: I64, large: int) -> None:
    for group in range(len(offset) - 1):
        count = offset[group + 1] - offset[group]
        if 0 < count <= large:
            values = np.sort(length[offset[group] : offset[group + 1]])
            p50[group] = values[(count * 50 + 99) // 100 - 1]
            p95[group] = values[(count * 95 + 99) // 100 - 1]


@njit(cache=True, nogil=True)
def _counting_sort(number: I64, names: I32, order: I64, place: I64) -> I64:
    """Positions by group, in `order` inside a group; `place` holds the first place of each group and is used up."""
    out = np.empty(len(names), np.int64)
    for i in order:
        group = number[names[i]]
        out[place[group]] = i
        place[group] += 1
    return out


@njit(cache=True, nogil=True)
def _busy(start: I64, end: I64, offset: I64) -> I64:
    """Length of the union of the intervals of each group; starts go up inside a group."""
    out = np.zeros(len(offset) - 1, np.int64)
    for group in range(len(offset) - 1):
        if offset[group] == offset[group + 1]:
            continue
        reach = start[offset[group]]
        for i in range(offset[group], offset[group + 1]):
            if end[i] > reach:
                out[group] += end[i] - max(start[i], reach)
                reach = end[i]
    return out
