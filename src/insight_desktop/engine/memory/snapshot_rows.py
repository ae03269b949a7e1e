"""Rows of the tables that `snapshot` gives: column types, and how they are made of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.memory import snapshot_advice, snapshot_stacks
from insight_desktop.engine.memory import snapshot_segments as sg
from insight_desktop.engine.memory.snapshot_data import Device, SizeMode, Snapshot
from insight_desktop.engine.memory.snapshot_state import ALLOCATED, FREE, PENDING, State, plain
from insight_desktop.errors import BadArgument
from insight_desktop.schema_snapshot import OOM, OTHER, SNAPSHOT

Array = npt.NDArray[Any]
Columns = list[tuple[str, pa.DataType]]

_I64, _TEXT, _F64 = pa.int64(), pa.string(), pa.float64()
SUMMARY = pa.schema(
    [("card", _TEXT), ("device", pa.int32())]
    + [(name, _I64) for name in (
        "events", "segments", "reserved_bytes", "allocated_bytes", "active_bytes", "peak_active_bytes", "peak_event",
        "peak_reserved_bytes", "blocks", "preexisting", "unreleased", "pad_bytes", "oom_events", "anomalies")]
)  # fmt: skip
OOM_ROWS: Columns = [
    *((name, _I64) for name in (
        "event", "requested_bytes", "device_free_bytes", "reserved_bytes", "active_bytes", "gap_bytes", "reclaimable_bytes",
        "largest_gap_bytes", "largest_elsewhere_bytes")),
    ("verdict", _TEXT), ("stack", _TEXT),
]  # fmt: skip
LEAK_ROWS: Columns = [
    ("stack", _I64), ("where", _TEXT), ("file", _TEXT), ("line", _I64), ("blocks", _I64), ("bytes", _I64),
    ("allocations", _I64), ("unreleased_ratio", _F64), ("growing", _I64), ("first_event", _I64), ("last_event", _I64),
    ("largest_bytes", _I64), ("confidence", _TEXT), ("why", _TEXT),
]  # fmt: skip
SAVING_ROWS: Columns = [
    ("kind", _TEXT), ("where", _TEXT), ("stack", _I64), ("block", _I64), ("bytes", _I64), ("cost", _I64), ("why", _TEXT),
]  # fmt: skip
FRAME_ROWS: Columns = [
    ("depth", _I64), ("function", _TEXT), ("file", _TEXT), ("line", _I64), ("fx", _TEXT), ("repeats", _I64),
    ("interpreter", pa.bool_()),
]  # fmt: skip
ANOMALY_ROWS: Columns = [("device", _I64), ("kind", _TEXT), ("count", _I64), ("first_event", _I64)]
_MAX_MARKS = 5000


def rows_table(rows: Sequence[tuple[Any, ...]], columns: Columns) -> pa.Table:
    """A table of tuples."""
    return pa.table({name: pa.array([row[k] for row in rows], kind) for k, (name, kind) in enumerate(columns)})


def summary_row(card: str, device: Device) -> dict[str, Any]:
    """One row of `summary`."""
    f = device.facts
    return {
        "card": card, "device": device.number, "events": f["events"], "segments": f["segments"],
        "reserved_bytes": f["reserved"], "allocated_bytes": f["allocated"], "active_bytes": f["active"],
        "peak_active_bytes": f["peak_active"], "peak_event": f["peak_active_event"],
        "peak_reserved_bytes": f["peak_reserved"], "blocks": f["blocks"], "preexisting": f["preexisting"],
        "unreleased": f["unreleased"], "pad_bytes": f["pad"], "oom_events": f["oom_events"],
        "anomalies": sum(count for count, _ in f["anomalies"].values()),
    }  # fmt: skip


def range_of(count: int, first: int | None, last: int | None) -> Array:
    """Indices of a range of events, both ends included."""
    begin = max(0, first or 0)
    return np.arange(begin, max(begin, min(count, count if last is None else last + 1)))


def kilobytes(sizes: Array) -> Array:
    """KB with three decimals, halves away from zero."""
    return np.floor(sizes / 1.024 + 0.5) / 1000


def has_address(addresses: Array, wanted: str) -> Array:
    """Mask of the addresses that contain a text, in hexadecimal digits or, when it is all digits, in decimal ones."""
    needle = wanted.strip().lower()
    digits = needle.removeprefix("0x")
    if not digits or any(c not in "0123456789abcdef" for c in digits):
        raise BadArgument(f"{wanted!r} is no address.", fix="Write hexadecimal or decimal digits.")
    encoded = pc.dictionary_encode(pa.array(addresses))
    held = encoded.dictionary.to_numpy(zero_copy_only=False).tolist()
    found = np.array(
        [digits in f"{int(a):x}" or (digits == needle and digits.isdigit() and digits in str(int(a))) for a in held],
        bool,
    )
    return found[encoded.indices.to_numpy()] if len(held) else np.zeros(len(addresses), bool)


def with_stacks(stacks: Array, wanted: Array) -> Array:
    """Mask of the rows whose stack is one of the wanted ones."""
    table = np.zeros(int(max(stacks.max(initial=0), wanted.max(initial=0))) + 1, bool)
    table[wanted] = True
    return table[stacks]


def _labels(snapshot: Snapshot, stacks: Array) -> pa.Array:
    """Innermost program frame per stack id, as a dictionary column."""
    distinct, inverse = np.unique(stacks, return_inverse=True)
    names = [snapshot_stacks.label(snapshot, int(stack)) for stack in distinct]
    return pa.DictionaryArray.from_arrays(inverse.astype(np.int32), pa.array(names, _TEXT)).cast(_TEXT)


def block_categories(device: Device, rows: Array) -> Array:
    """Text row of the category of some blocks (that of their alloc event), -1 without."""
    categories = device.column("category")
    if not len(categories):
        return np.full(len(rows), -1, np.int64)
    alloc, _, _ = device.block_events(rows)
    return np.where(alloc >= 0, categories[np.maximum(alloc, 0)], -1)


def block_extras(snapshot: Snapshot, device: Device, rows: Array) -> dict[str, pa.Array]:
    """Columns state, category and where of some blocks."""
    freed = device.column("block_end")[rows] < device.events
    waits = device.column("block_pending")[rows] < device.events
    state = pa.DictionaryArray.from_arrays(
        np.where(freed, 2, np.where(waits, 1, 0)).astype(np.int8), pa.array([ALLOCATED, PENDING, "freed"], _TEXT)
    )
    found = block_categories(device, rows)
    distinct, inverse = np.unique(found, return_inverse=True)
    texts = pa.array([snapshot.text(int(t)) for t in distinct], _TEXT)
    return {
        "state": state.cast(_TEXT),
        "category": pa.DictionaryArray.from_arrays(inverse.astype(np.int32), texts).cast(_TEXT),
        "where": _labels(snapshot, device.column("block_stack")[rows]),
    }


def state_rows(snapshot: Snapshot, device: Device, state: State) -> pa.Table:
    """Blocks and gaps of a state in order of addresses."""
    where, first, gap = state.gaps
    at = np.concatenate([state.at, first])
    order = np.argsort(at, kind="stable")
    kinds = np.concatenate([np.where(state.pending, 1, 0), np.full(len(gap), 2)])[order]
    names = pa.array([ALLOCATED, PENDING, FREE], _TEXT)
    blocks = np.concatenate([state.blocks, np.full(len(gap), -1)])[order]
    segment = np.concatenate([state.segment, where])[order]
    none = blocks < 0
    stacks = np.where(none, 0, device.column("block_stack")[np.maximum(blocks, 0)] if device.blocks else 0)
    base = plain(state.base)
    streams = np.where(none, 0, device.column("block_stream")[np.maximum(blocks, 0)] if device.blocks else 0)
    owner = base[np.maximum(segment, 0)] if len(base) else np.zeros(len(segment), np.uint64)
    if len(base):
        streams = np.where(none, state.segments[np.maximum(segment, 0), sg.STREAM], streams)
    requested = np.concatenate([state.requested, np.zeros(len(gap), np.int64)])[order]
    return pa.table({
        "segment": pa.array(owner, mask=segment < 0),
        "address": plain(at[order]),
        "size_bytes": np.concatenate([state.size, gap])[order],
        "state": pa.DictionaryArray.from_arrays(kinds.astype(np.int8), names).cast(_TEXT),
        "requested_bytes": pa.array(requested, mask=none),
        "block": pa.array(blocks, mask=none),
        "stack": pc.if_else(pa.array(none), pa.scalar(None, _TEXT), _labels(snapshot, stacks)),
        "stream": streams.astype(np.int64),
    })  # fmt: skip


def segment_rows(snapshot: Snapshot, state: State) -> pa.Table:
    """Segments of a state."""
    s, figures = state.segments, state.per_segment()
    event = s[:, sg.EVENT]
    return pa.table({
        "address": plain(state.base), "size_bytes": s[:, sg.SIZE], "stream": s[:, sg.STREAM],
        "event": pa.array(event, mask=event < 0),
        "pool": pa.array([snapshot.pool_text(int(p)) for p in s[:, sg.POOL]], _TEXT),
        "kind": pa.array(["small" if x else "large" for x in s[:, sg.SMALL].tolist()], _TEXT),
        "expandable": s[:, sg.EXPANDABLE] > 0,
        "blocks": figures["blocks"], "allocated_bytes": figures["allocated"], "active_bytes": figures["active"],
        "gaps": figures["gaps"], "gap_bytes": figures["gap"], "largest_gap_bytes": figures["largest"],
    })  # fmt: skip


def chosen_blocks(device: Device, of: str, event: int | None, first: int | None, last: int | None, mode: SizeMode) -> Array:  # fmt: skip
    """Blocks that a sum over stacks is about."""
    begin, end = first or 0, device.events - 1 if last is None else last
    if of == "alive":
        return device.alive(device.events - 1 if event is None else event)
    if of == "peak":
        totals = device.totals(mode)
        later = device.events and int(totals.active.max()) > totals.active_before
        return device.alive(int(totals.active.argmax()) if later else -1)
    if of == "unreleased":
        return snapshot_advice.unreleased(device, begin, end)
    start = device.column("block_start")
    return np.arange(int(np.searchsorted(start, begin)), int(np.searchsorted(start, end, "right")))


def stack_rows(snapshot: Snapshot, device: Device, rows: Array, mode: SizeMode, search: str | None) -> pa.Table:
    """Blocks summed up by stack."""
    ids, sizes = device.column("block_stack")[rows], device.sizes(mode)[rows]
    count, total, largest = snapshot_stacks.sums(ids, sizes, snapshot.stack_count)
    used = np.flatnonzero(count)
    whole = max(1, int(total.sum()))
    if search:
        used = used[np.isin(used, snapshot_stacks.matching(snapshot, search))]
    used = used[np.argsort(-total[used], kind="stable")]
    return pa.table({
        "stack": used, "where": pa.array([snapshot_stacks.label(snapshot, int(s)) for s in used], _TEXT),
        "blocks": count[used], "bytes": total[used], "largest_bytes": largest[used], "ratio": total[used] / whole,
        "text": pa.array([snapshot_stacks.text(snapshot, int(s)) for s in used], _TEXT),
    })  # fmt: skip


def annotation_rows(snapshot: Snapshot, device: Device) -> pa.Table:
    """Annotations of a device with the first event at or after their time; none when that is not in the part that was read."""
    found = [a for a in snapshot.facts["annotations"] or [] if isinstance(a, dict)]
    time = device.column("time")
    rows = []
    for a in found:
        number = a.get("device")
        if isinstance(number, int) and number >= 0 and number != device.number:
            continue
        us = a.get("time_us")
        event = int(np.searchsorted(time, us)) if isinstance(us, int) and len(time) else None
        if event is not None and snapshot.facts.get("range") and not time[0] <= us <= time[-1]:
            event = None
        rows.append((
            str(a.get("name", "")), str(a.get("stage", "")), number if isinstance(number, int) else None,
            us if isinstance(us, int) else None, None if event is None else min(event, device.events - 1),
        ))  # fmt: skip
    return rows_table(rows, [("name", _TEXT), ("stage", _TEXT), ("device", _I64), ("time_us", _I64), ("event", _I64)])


def mark_rows(snapshot: Snapshot, device: Device) -> pa.Table:
    """Events to be marked on the axis, in order."""
    rows: list[tuple[int, str, str]] = []
    odd = np.flatnonzero((device.action == OOM) | (device.action == SNAPSHOT) | (device.action >= OTHER))
    for event in odd[:_MAX_MARKS].tolist():
        rows.append((event, snapshot.actions[int(device.action[event])], ""))
    for note in annotation_rows(snapshot, device).to_pylist()[:_MAX_MARKS]:
        if note["event"] is not None:
            rows.append((note["event"], "annotation", f"{note['name']} {note['stage']}".strip()))
    metadata = device.column("metadata")
    if len(metadata):
        changes = np.flatnonzero(np.diff(metadata, prepend=metadata[:1] - 1))
        for event in changes[:_MAX_MARKS].tolist():
            text = snapshot.text(int(metadata[event]))
            if text:
                rows.append((event, "metadata", text))
    return rows_table(sorted(rows), [("event", _I64), ("kind", _TEXT), ("text", _TEXT)])
