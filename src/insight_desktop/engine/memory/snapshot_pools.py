"""Memory pools of a snapshot: what each pool and stream holds, and the envelopes of private pools over the trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.engine.memory import snapshot_segments as sg
from insight_desktop.engine.memory.snapshot_data import Device, Snapshot
from insight_desktop.engine.memory.snapshot_rows import rows_table
from insight_desktop.engine.memory.snapshot_state import State
from insight_desktop.schema_snapshot import SEGMENT_ALLOC, SEGMENT_MAP

Array = npt.NDArray[Any]

_I64, _TEXT = pa.int64(), pa.string()
_UNSIGNED = 2**64 - 1
_COLUMNS = [
    ("pool", _TEXT), ("private", pa.bool_()), ("stream", _I64), ("kind", _TEXT),
    *((name, _I64) for name in (
        "segments", "reserved_bytes", "allocated_bytes", "active_bytes", "gaps", "gap_bytes", "largest_gap_bytes",
        "peak_reserved_bytes", "peak_event")),
]  # fmt: skip


def table(snapshot: Snapshot, device: Device, state: State) -> pa.Table:
    """Rows of `snapshot.pools`: by (pool, stream, kind) in a state, with the peak of what each reserved."""
    figures = state.per_segment()
    s = state.segments
    peaks = _peaks(device)
    keys = sorted({(int(p), int(q), int(k)) for p, q, k in s[:, [sg.POOL, sg.STREAM, sg.SMALL]]} | peaks.keys())
    rows = []
    for pool, stream, small in keys:
        own = (s[:, sg.POOL] == pool) & (s[:, sg.STREAM] == stream) & (s[:, sg.SMALL] == small)
        rows.append((
            snapshot.pool_text(pool), snapshot.is_private(pool), stream, "small" if small else "large", int(own.sum()),
            int(s[own, sg.SIZE].sum()), int(figures["allocated"][own].sum()), int(figures["active"][own].sum()),
            int(figures["gaps"][own].sum()), int(figures["gap"][own].sum()), int(figures["largest"][own].max(initial=0)),
            *peaks.get((pool, stream, small), (0, -1)),
        ))  # fmt: skip
    return rows_table(rows, _COLUMNS)


def _changes(device: Device) -> tuple[Array, Array, Array]:
    """Per segment event: (pool, stream, small) as rows, the change of reserved bytes, its event."""
    events = device.segment_events
    action, size = device.action[events], device.column("size")[events]
    sign = np.isin(action, (SEGMENT_ALLOC, SEGMENT_MAP)) * 2 - 1
    keys = np.column_stack([
        device.segment_pools, device.column("stream")[events], (size <= sg.SMALL_SEGMENT).astype(np.int64)
    ]).astype(np.int64)  # fmt: skip
    return keys, sign * size, events


def _peaks(device: Device) -> dict[tuple[int, int, int], tuple[int, int]]:
    """Highest reserved bytes of every key and the event after which it was reached, -1 before the first."""
    keys, change, events = _changes(device)
    first = device.segments_at(-1)
    out = {}
    found = {(int(a), int(b), int(c)) for a, b, c in keys} | {
        (int(a), int(b), int(c)) for a, b, c in first[:, [sg.POOL, sg.STREAM, sg.SMALL]]
    }
    for key in found:
        own = (keys == np.array(key)).all(axis=1)
        held = (first[:, [sg.POOL, sg.STREAM, sg.SMALL]] == np.array(key)).all(axis=1)
        before = int(first[held, sg.SIZE].sum())
        curve = before + np.cumsum(change[own])
        best = int(curve.argmax()) if len(curve) and int(curve.max()) > before else -1
        out[key] = (int(curve[best]), int(events[own][best])) if best >= 0 else (before, -1)
    return out


@dataclass(frozen=True)
class Envelope:
    """A private pool on one stream over the trace.

    Attributes:
        pool, stream: which.
        start, end: first and last event at which it holds memory (end exclusive).
        events, reserved: its reserved bytes after its segment events.
        height: running maximum of what it reserved, at the end.
        blocks: ids of the blocks inside.
    """

    pool: int
    stream: int
    start: int
    end: int
    events: Array
    reserved: Array
    height: int
    blocks: Array


def envelopes(snapshot: Snapshot, device: Device) -> list[Envelope]:
    """Private pools of a device; none in most snapshots."""
    keys, change, events = _changes(device)
    first = device.segments_at(-1)
    pools = [row for row in range(len(snapshot.facts["pools"])) if snapshot.is_private(row)]
    out = []
    for pool in pools:
        streams = set(keys[keys[:, 0] == pool, 1].tolist()) | set(first[first[:, sg.POOL] == pool, sg.STREAM].tolist())
        for stream in sorted(streams):
            own = (keys[:, 0] == pool) & (keys[:, 1] == stream)
            held = (first[:, sg.POOL] == pool) & (first[:, sg.STREAM] == stream)
            before = int(first[held, sg.SIZE].sum())
            curve = before + np.cumsum(change[own])
            start = 0 if before else int(events[own][0])
            gone = len(curve) > 0 and curve[-1] == 0
            end = int(events[own][-1]) if gone else max(device.events, 1)
            out.append(Envelope(
                pool, stream, start, end, events[own], curve, int(max(before, curve.max(initial=0))),
                _inside(device, pool, stream),
            ))  # fmt: skip
    return out


def _inside(device: Device, pool: int, stream: int) -> Array:
    """Blocks of a pool and stream: by the pool of their event, else by the segment that holds them."""
    told = device.column("block_pool")
    own = (told == pool) & (device.column("block_stream") == stream)
    unknown = told < 0
    if unknown.any():
        segments = np.concatenate([device.dump, device.segments_at(-1)])
        address = device.column("block_address")
        for row in segments[(segments[:, sg.POOL] == pool) & (segments[:, sg.STREAM] == stream)]:
            own |= unknown & (address - np.uint64(int(row[sg.ADDRESS]) & _UNSIGNED) < np.uint64(row[sg.SIZE]))
    return np.flatnonzero(own)
