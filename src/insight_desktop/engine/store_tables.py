"""Arrow tables over the memory maps of captures: what SQL sees. Nothing big is copied."""

from __future__ import annotations

import tempfile
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.engine.capture import Capture

_BATCH = 1 << 20  # rows per batch: one batch is the unit that a thread of the database takes
_Array = npt.NDArray[Any]
_made_lock = threading.Lock()
_made: weakref.WeakKeyDictionary[Capture, dict[str, dict[str, pa.Table]]] = weakref.WeakKeyDictionary()
_ids_lock = threading.Lock()
_ids: _Array = np.empty(0, np.int64)


def parquet_files(cards: list[tuple[str, Path]]) -> dict[str, list[tuple[str, Path]]]:
    """Parquet tables of captures: name → (card, file) in the order of the cards."""
    found: dict[str, list[tuple[str, Path]]] = {}
    for card, folder in cards:
        for path in sorted(folder.glob("*.parquet")):
            if path.stem not in ("slice", *_EMPTY):
                found.setdefault(path.stem, []).append((card, path))
    return found


def tables(cards: list[tuple[dict[str, Any], Capture]]) -> dict[str, pa.Table]:
    """The tables slice_columns, instant, counter, link, lane and card of captures with the facts of their cards."""
    made: dict[str, list[pa.Table]] = {name: [] for name in _EMPTY}
    for facts, capture in cards:
        for name, table in _of_capture(str(facts["name"]), capture).items():
            made[name].append(table)
        made["card"].append(_card(facts, capture))
    return {name: _joined(parts, _EMPTY[name]) for name, parts in made.items()}


def _of_capture(card: str, capture: Capture) -> dict[str, pa.Table]:
    """The tables of one capture; kept, because finding the nulls of a big one takes a moment."""
    with _made_lock:
        held = _made.setdefault(capture, {})
        if card not in held:
            strings = capture.strings if len(capture.strings) else pa.array([""], pa.large_string())
            held[card] = {
                "slice_columns": _slices(card, capture, strings),
                "instant": _instants(card, capture, strings),
                "counter": _counters(card, capture),
                "link": _links(card, capture, strings),
                "lane": _lanes(card, capture),
            }
        return held[card]


def _joined(parts: list[pa.Table], empty: pa.Schema) -> pa.Table:
    whole = pa.concat_tables(parts) if parts else empty.empty_table()
    batches = [b for start in range(0, whole.num_rows, _BATCH) for b in whole.slice(start, _BATCH).to_batches()]
    return pa.Table.from_batches(batches, whole.schema)


def _slices(card: str, capture: Capture, strings: pa.Array) -> pa.Table:
    start, end = capture.slice_start, capture.slice_end
    count = len(start)
    lane_ends = capture.lane_offset[1:]
    return pa.table(
        {
            "card": _constant(card, count),
            "id": _wrap(running_numbers(count)),
            "track": _runs(lane_ends, capture.lane_track),
            "row": _runs(lane_ends, capture.lane_row),
            "name": _named(capture.slice_name, strings),
            "category": _named(_full(capture.slice_category, count, -1), strings),
            "ts_ns": _wrap(start),
            "end_ns": _wrap(end),
            "flags": _wrap(_full(capture.slice_flags, count, 0)),
        },
        schema=_EMPTY["slice_columns"],
    )


def _instants(card: str, capture: Capture, strings: pa.Array) -> pa.Table:
    stamps = capture.instant_ts
    count, slices = len(stamps), len(capture.slice_start)
    offsets = capture.instant_offset[1:]
    return pa.table(
        {
            "card": _constant(card, count),
            "id": pa.array(np.arange(slices, slices + count)),
            "track": _runs(offsets, np.arange(len(offsets), dtype=np.int32)),
            "name": _named(capture.instant_name, strings),
            "category": _named(capture.instant_category, strings),
            "ts_ns": _wrap(stamps),
        },
        schema=_EMPTY["instant"],
    )


def _counters(card: str, capture: Capture) -> pa.Table:
    offsets = capture.series_offset[1:]
    return pa.table(
        {
            "card": _constant(card, len(capture.counter_ts)),
            "series_id": _runs(offsets, np.arange(len(offsets), dtype=np.int32)),
            "ts_ns": _wrap(capture.counter_ts),
            "value": _wrap(capture.counter_value),
        },
        schema=_EMPTY["counter"],
    )


def _links(card: str, capture: Capture, strings: pa.Array) -> pa.Table:
    return pa.table(
        {
            "card": _constant(card, len(capture.link_from)),
            "category": _named(capture.link_category, strings),
            "link_id": _wrap(capture.link_id),
            "from_id": _wrap(capture.link_from),
            "to_id": _wrap(capture.link_to),
        },
        schema=_EMPTY["link"],
    )


def _lanes(card: str, capture: Capture) -> pa.Table:
    rows = []
    for track, t in enumerate(capture.tracks.to_pylist()):
        rows.append({**t, "card": card, "kind": "slice", "track": track, "series_id": None, "unit": ""})
    for series, s in enumerate(capture.series.to_pylist()):
        rows.append(
            {
                **s, "card": card, "kind": "counter", "track": None, "series_id": series, "thread": s["process"],
                "process": s["metrics"], "tid": "", "lane": f"{s['counter']}/{s['series']}", "role": "", "rows": 0,
            }
        )  # fmt: skip
    return pa.Table.from_pylist(rows, _EMPTY["lane"])


def _card(facts: dict[str, Any], capture: Capture) -> pa.Table:
    m = capture.manifest
    row = {**facts, "card": facts["name"], "first_ns": m.start_ns, "last_ns": m.end_ns}
    return pa.Table.from_pylist([row], _EMPTY["card"])


def _constant(text: str, count: int) -> pa.Array:
    if count == 0:
        return pa.array([], _EMPTY["slice_columns"].field("card").type)
    return pa.RunEndEncodedArray.from_arrays(pa.array([count], pa.int64()), pa.array([text], pa.string()))


def _runs(ends: _Array, values: _Array) -> pa.Array:
    """Run-end encoded values; empty runs, which the encoding forbids, are left out."""
    ends = np.asarray(ends, np.int64)
    keep = np.diff(ends, prepend=0) > 0
    return pa.RunEndEncodedArray.from_arrays(
        pa.array(ends[keep], pa.int64()), pa.array(np.asarray(values)[keep], pa.int32())
    )


def _named(ids: _Array, strings: pa.Array) -> pa.Array:
    """String ids as a dictionary column; -1 is null."""
    indices = _wrap(ids)
    if len(ids) and int(ids.min()) < 0:
        known = np.packbits(np.asarray(ids) >= 0, bitorder="little")
        indices = pa.Array.from_buffers(
            pa.int32(), len(ids), [pa.py_buffer(known), pa.py_buffer(np.ascontiguousarray(ids))]
        )
    return pa.DictionaryArray.from_arrays(indices, strings, safe=False)


def _full(values: _Array, count: int, missing: int) -> _Array:
    """The column, or `missing` throughout where the capture has no such file."""
    return values if len(values) == count else np.full(count, missing, values.dtype)


def _wrap(values: _Array) -> pa.Array:
    """An Arrow array over the memory of a numpy array."""
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def running_numbers(count: int) -> _Array:
    """0, 1, 2, … as int64, shared by all captures; big ones live in an unlinked file, so that memory can be taken back."""
    global _ids
    with _ids_lock:
        if len(_ids) < count:
            if count < _BATCH:
                made: _Array = np.arange(_BATCH, dtype=np.int64)
            else:
                with tempfile.TemporaryFile() as file:
                    for start in range(0, count, _BATCH):
                        np.arange(start, min(start + _BATCH, count), dtype=np.int64).tofile(file)
                    file.flush()
                    made = np.memmap(file, np.int64, "r")
            _ids = made
        return _ids[:count]


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema(list(columns.items()))


_TEXT, _NAME = pa.run_end_encoded(pa.int64(), pa.string()), pa.dictionary(pa.int32(), pa.large_string())
_RUN, _I64 = pa.run_end_encoded(pa.int64(), pa.int32()), pa.int64()
_EMPTY: dict[str, pa.Schema] = {
    "slice_columns": _schema(card=_TEXT, id=_I64, track=_RUN, row=_RUN, name=_NAME, category=_NAME, ts_ns=_I64, end_ns=_I64, flags=pa.uint8()),
    "instant": _schema(card=_TEXT, id=_I64, track=_RUN, name=_NAME, category=_NAME, ts_ns=_I64),
    "counter": _schema(card=_TEXT, series_id=_RUN, ts_ns=_I64, value=pa.float64()),
    "link": _schema(card=_TEXT, category=_NAME, link_id=_I64, from_id=_I64, to_id=_I64),
    "lane": _schema(
        card=pa.string(), kind=pa.string(), track=pa.int32(), series_id=pa.int32(), process=pa.string(), pid=pa.string(),
        thread=pa.string(), tid=pa.string(), lane=pa.string(), unit=pa.string(), role=pa.string(), rows=_I64,
    ),
    "card": _schema(
        card=pa.string(), rank=pa.string(), device=pa.int32(), host=pa.string(), kind=pa.string(), first_ns=_I64,
        last_ns=_I64, offset_ns=_I64,
    ),
}  # fmt: skip
