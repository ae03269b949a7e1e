"""Kernel Details and Operator Details: single kernels with the slices to jump to, and their sums by type."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import operator_details, operator_order, operator_slices
from insight_desktop.engine.system.operator_rows import NO_TIME, Kernels, Key, kernels, read
from insight_desktop.engine.timeline import slice_list, slice_sets
from insight_desktop.engine.timeline.slice_sets import I64

TEXT_COLUMNS = (
    "task_id", "input_shapes", "input_types", "input_formats", "output_shapes", "output_types", "output_formats",
)  # fmt: skip
_MORE = ("task_id", "block_num", *TEXT_COLUMNS[1:])
_HELD: dict[str, Key] = {"name": "name", "type": "type", "core": "core", "input_shapes": "shape"}
_SORT = {"ts_ns": "start_ns", "whole_ns": "duration_ns"}
_KEPT_TEXTS = 4
TYPES_SCHEMA = pa.schema(
    [
        ("type", pa.string()), ("core", pa.string()), ("count", pa.int64()), ("total_ns", pa.int64()),
        ("avg_ns", pa.float64()), ("max_ns", pa.int64()), ("min_ns", pa.int64()),
    ]
)  # fmt: skip


def kernel_details(
    store: Store,
    *,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
    name: str | None = None,
    type: str | None = None,
    core: str | None = None,
    task_id: str | None = None,
    input_shapes: str | None = None,
    input_types: str | None = None,
    input_formats: str | None = None,
    output_shapes: str | None = None,
    output_types: str | None = None,
    output_formats: str | None = None,
    of_type: str | None = None,
    of_core: str | None = None,
    sort: str = "dur_ns",
    descending: bool = True,
    offset: int = 0,
    limit: int | None = None,
) -> pa.Table:
    """Kernels of the device, longest first: id, name, type, core, ts_ns, dur_ns, whole_ns, wait_ns, task_id, block_num, …

    Further columns: input_shapes, input_types, input_formats, output_shapes, output_types, output_formats; a column is there
    when some kernel of the card has it. Communication operators are among them. id is the slice of the Timeline, null
    without one. Filters keep what contains the text, case aside; of_type and of_core are whole texts. dur_ns is the part
    inside [from_ns, to_ns], with `whole` all of it. wait_ns is the gap after the previous task of the device. sort is a
    column of the result but id.
    """
    loaded = kernels(store, card)
    filters = {
        "name": name, "type": type, "core": core, "task_id": task_id, "input_shapes": input_shapes,
        "input_types": input_types, "input_formats": input_formats, "output_shapes": output_shapes,
        "output_types": output_types, "output_formats": output_formats,
    }  # fmt: skip
    at, length = _chosen(loaded, from_ns, to_ns, whole, filters, {"type": of_type, "core": of_core})
    order = slice_list.page(_ordered(loaded, at, length, sort, descending), offset, limit)
    return _rows(store, loaded, at[order], length[order])


def kernel_count(
    store: Store,
    *,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
    name: str | None = None,
    type: str | None = None,
    core: str | None = None,
    task_id: str | None = None,
    input_shapes: str | None = None,
    input_types: str | None = None,
    input_formats: str | None = None,
    output_shapes: str | None = None,
    output_types: str | None = None,
    output_formats: str | None = None,
    of_type: str | None = None,
    of_core: str | None = None,
) -> pa.Table:
    """How many rows `kernel_details` has without a page, and their time: count, sum_ns."""
    filters = {
        "name": name, "type": type, "core": core, "task_id": task_id, "input_shapes": input_shapes,
        "input_types": input_types, "input_formats": input_formats, "output_shapes": output_shapes,
        "output_types": output_types, "output_formats": output_formats,
    }  # fmt: skip
    loaded = kernels(store, card)
    at, length = _chosen(loaded, from_ns, to_ns, whole, filters, {"type": of_type, "core": of_core})
    return pa.table({"count": pa.array([len(at)], pa.int64()), "sum_ns": pa.array([int(length.sum())], pa.int64())})


def operator_types(
    store: Store,
    *,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
    type: str | None = None,
    core: str | None = None,
    sort: str = "total_ns",
    descending: bool = True,
) -> pa.Table:
    """Kernels by type and core, largest total first: type, core, count, total_ns, avg_ns, max_ns, min_ns.

    Communication operators are among them. Filters and range as in `kernel_details`, whose of_type and of_core list a group.
    """
    loaded = kernels(store, card)
    at, length = _chosen(loaded, from_ns, to_ns, whole, {"type": type, "core": core}, {})
    types, cores = loaded.text["type"], loaded.text["core"]
    key = types.codes[at].astype(np.int64) * len(cores.words) + cores.codes[at]
    groups, first, of = np.unique(key, return_index=True, return_inverse=True)
    count = np.bincount(of, minlength=len(groups)) if len(at) else np.empty(0, np.int64)
    total, longest = np.zeros(len(groups), np.int64), np.zeros(len(groups), np.int64)
    shortest = np.full(len(groups), np.iinfo(np.int64).max)
    np.add.at(total, of, length)
    np.maximum.at(longest, of, length)
    np.minimum.at(shortest, of, length)
    columns = [
        types.at(at[first]), cores.at(at[first]), pa.array(count, pa.int64()), pa.array(total),
        pa.array(total / np.maximum(count, 1), pa.float64()), pa.array(longest), pa.array(shortest),
    ]  # fmt: skip
    return slice_list.sorted_table(pa.table(columns, schema=TYPES_SCHEMA), sort, descending)


def _chosen(
    loaded: Kernels, from_ns: int | None, to_ns: int | None, whole: bool, filters: Mapping[str, str | None],
    exact: Mapping[str, str | None],
) -> tuple[I64, I64]:  # fmt: skip
    """Positions of the kernels that pass, as they come in the files, and the time of each that counts."""
    low, high = slice_sets.bounds(from_ns, to_ns)
    start, length = loaded.start_ns, loaded.duration_ns
    keep = np.ones(len(loaded), np.bool_)
    if from_ns is not None or to_ns is not None:
        keep &= (start != NO_TIME) & (start + length >= low) & (start <= high)
    for column, text in filters.items():
        if text is not None and text.strip():
            keep &= _containing(loaded, column, text)
    for column, text in exact.items():
        if text is not None:
            keep &= loaded.text[_HELD[column]].equal(text)
    at = np.flatnonzero(keep)
    if whole or (from_ns is None and to_ns is None):
        return at, length[at]
    return at, np.minimum(start[at] + length[at], high) - np.maximum(start[at], low)


def _containing(loaded: Kernels, column: str, text: str) -> npt.NDArray[np.bool_]:
    if column in _HELD:
        return loaded.text[_HELD[column]].containing(text)
    encoded = _encoded(loaded, column)
    wanted = text.strip().casefold()
    hits = np.array([wanted in word.casefold() for word in encoded.dictionary.to_pylist()] or [False], np.bool_)
    found: npt.NDArray[np.bool_] = hits[np.asarray(encoded.indices)]
    return found


def _encoded(loaded: Kernels, column: str) -> pa.DictionaryArray:
    """A text column as numbered words; the last few are kept."""
    name = ("texts", column)
    if name not in loaded.made:
        for old in [key for key in list(loaded.made) if key[0] == "texts"][: -_KEPT_TEXTS + 1 or None]:
            loaded.made.pop(old, None)
        loaded.made[name] = pc.dictionary_encode(pc.fill_null(loaded.column(column), ""))
    return loaded.made[name]


def _task_ranks(loaded: Kernels) -> I64:
    """Place of each task id in the order of the ids, numbers by value and before other texts; -1 without one."""
    if ("task_ranks",) not in loaded.made:
        encoded = _encoded(loaded, "task_id")
        words = encoded.dictionary.to_pylist()
        keys = [(not w.isdecimal(), int(w) if w.isdecimal() else 0, w) for w in words]
        rank = np.empty(max(len(words), 1), np.int64)
        rank[sorted(range(len(words)), key=keys.__getitem__)] = np.arange(len(words))
        rank[[i for i, word in enumerate(words) if not word]] = -1
        loaded.made[("task_ranks",)] = rank[np.asarray(encoded.indices)]
    found: I64 = loaded.made[("task_ranks",)]
    return found


def _ordered(loaded: Kernels, at: I64, length: I64, sort: str, descending: bool) -> I64:
    """Places in `at` in the order of a column; equal ones as they come in the files, missing ones last."""
    if sort == "dur_ns":
        put = operator_order.descending if descending else operator_order.ascending
        return put(length)
    if sort == "task_id":
        rank = _task_ranks(loaded)[at]
        known, unknown = np.flatnonzero(rank >= 0), np.flatnonzero(rank < 0)
        put = operator_order.descending if descending else operator_order.ascending
        return np.concatenate((known[put(rank[known])], unknown))
    sorted_at = operator_details.ordered(loaded, at, _SORT.get(sort, sort), descending)
    place = np.empty(len(loaded), np.int64)
    place[at] = np.arange(len(at))
    return place[sorted_at]


def _rows(store: Store, loaded: Kernels, at: I64, length: I64) -> pa.Table:
    found = operator_slices.find(store.capture(loaded.card), loaded, at)
    where = pc.index_in(pa.array(loaded.row[at]), found.column("row").combine_chunks())
    start, wait = loaded.start_ns[at], loaded.wait_ns[at]
    columns: dict[str, pa.Array | pa.ChunkedArray] = {
        "id": found.column("slice_id").take(where),
        "name": loaded.text["name"].at(at),
        "type": loaded.text["type"].at(at),
        "core": loaded.text["core"].at(at),
        "ts_ns": pa.array(start, mask=start == NO_TIME),
        "dur_ns": pa.array(length),
        "whole_ns": pa.array(loaded.duration_ns[at]),
        "wait_ns": pa.array(wait, mask=wait == NO_TIME),
    }
    wanted = _available(loaded)
    more = read(store, loaded, wanted, at)
    return pa.table({**columns, **{name: more.column(name) for name in wanted if name in more.column_names}})


def _available(loaded: Kernels) -> list[str]:
    """Further columns that some kernel of the table has a value in."""
    name = ("available",)
    if name not in loaded.made:
        loaded.made[name] = [c for c in _MORE if (held := loaded.column(c)).null_count < len(held)]
    found: list[str] = loaded.made[name]
    return found
