"""Parquet tables of a snapshot from its column files: what SQL and exports see."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from insight_desktop.engine.memory.snapshot_data import Device, Snapshot
from insight_desktop.ingest.report import Report
from insight_desktop.schema_snapshot import ANOMALIES, EXACT, PREEXISTING, SNAPSHOT_TABLES

Array = npt.NDArray[Any]
_ROWS = 1 << 20


def write_tables(folder: Path, facts: dict[str, Any], report: Report) -> None:
    """Write every table of SNAPSHOT_TABLES that has rows, and count them in the report."""
    snapshot = Snapshot(folder)
    makers = {
        "snapshot_device": _devices,
        "snapshot_event": _events,
        "snapshot_block": _blocks,
        "snapshot_segment": _segments,
        "snapshot_frame": _frames,
        "snapshot_setting": lambda _: _settings(facts["settings"]),
        "snapshot_annotation": lambda _: _annotations(facts["annotations"]),
        "snapshot_anomaly": _anomalies,
    }
    for name, make in makers.items():
        schema = SNAPSHOT_TABLES[name].schema
        rows = 0
        with pq.ParquetWriter(
            folder / f"{name}.parquet", schema, compression="lz4", use_dictionary=["action"]
        ) as writer:
            for columns in make(snapshot):
                table = pa.Table.from_arrays(
                    [_cast(columns[field.name], field.type) for field in schema], schema=schema
                )
                rows += table.num_rows
                writer.write_table(table)
        report.add(f"table.{name}", rows)


def _cast(values: Any, to: pa.DataType) -> pa.Array:
    array = values if isinstance(values, pa.Array | pa.ChunkedArray) else pa.array(values)
    return array if array.type == to else array.cast(to)


def _devices(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    facts = [d.facts for d in snapshot.devices.values()]
    names = {
        "device": "device", "events": "events", "segments": "segments", "blocks": "blocks", "preexisting": "preexisting",
        "unreleased": "unreleased", "reserved_bytes": "reserved", "peak_reserved_bytes": "peak_reserved",
        "allocated_bytes": "allocated", "peak_allocated_bytes": "peak_allocated", "active_bytes": "active",
        "peak_active_bytes": "peak_active", "peak_active_event": "peak_active_event", "oom_events": "oom_events",
        "pad_bytes": "pad",
    }  # fmt: skip
    yield {column: [f[key] for f in facts] for column, key in names.items()}


def _events(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    for device in snapshot.devices.values():
        for first in range(0, device.events, _ROWS):
            part = slice(first, min(first + _ROWS, device.events))
            yield event_columns(device, snapshot, np.arange(part.start, part.stop))


def event_columns(device: Device, snapshot: Snapshot, rows: Array) -> dict[str, Any]:
    """Columns of `snapshot_event` for some events of a device."""
    action = pa.DictionaryArray.from_arrays(pa.array(device.action[rows].astype(np.int16)), pa.array(snapshot.actions))
    time = device.column("time")
    return {
        "device": np.full(len(rows), device.number, np.int32),
        "event": rows,
        "action": action.cast(pa.string()),
        "address": device.column("address")[rows],
        "size_bytes": device.column("size")[rows],
        "stream": device.column("stream")[rows],
        "time_us": time[rows] if len(time) else pa.nulls(len(rows), pa.int64()),
        "stack": device.column("stack")[rows],
        "block": device.column("block")[rows],
        "allocated_bytes": device.column("allocated")[rows],
        "active_bytes": device.column("active")[rows],
        "reserved_bytes": device.column("reserved")[rows],
    }


def _blocks(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    for device in snapshot.devices.values():
        for first in range(0, device.blocks, _ROWS):
            yield block_columns(device, np.arange(first, min(first + _ROWS, device.blocks)))


def block_columns(device: Device, rows: Array) -> dict[str, Any]:
    """Columns of `snapshot_block` for some blocks of a device."""
    flags = device.column("block_flags")[rows]
    before = (flags & PREEXISTING) > 0
    alloc, requested, completed = device.block_events(rows)
    return {
        "device": np.full(len(rows), device.number, np.int32),
        "block": rows,
        "address": device.column("block_address")[rows],
        "size_bytes": device.column("block_size")[rows],
        "requested_bytes": device.column("block_requested")[rows],
        "stream": device.column("block_stream")[rows],
        "alloc_event": pa.array(alloc, mask=alloc < 0),
        "free_requested_event": pa.array(requested, mask=requested < 0),
        "free_completed_event": pa.array(completed, mask=completed < 0),
        "stack": device.column("block_stack")[rows],
        "preexisting": before,
        "exact": (flags & EXACT) > 0,
    }


def _segments(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    for device in snapshot.devices.values():
        table = device.dump
        yield {
            "device": np.full(len(table), device.number, np.int32),
            "address": table[:, 0].view(np.uint64) if len(table) else np.empty(0, np.uint64),
            "size_bytes": table[:, 1],
            "stream": table[:, 2],
            "kind": pa.array(["small" if small else "large" for small in table[:, 5].tolist()], pa.string()),
            "pool": pa.array([snapshot.pool_text(int(p)) for p in table[:, 4]], pa.string()),
            "expandable": table[:, 6] > 0,
        }


def _frames(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    names = ("stack", "depth", "file", "line", "function", "fx")
    rows: dict[str, list[Any]] = {name: [] for name in names}
    for stack in range(1, snapshot.stack_count):
        for depth, frame in enumerate(snapshot.frames(stack)):
            for name, value in zip(
                names, (stack, depth, frame.file, frame.line, frame.function, frame.fx), strict=True
            ):
                rows[name].append(value)
            if len(rows["stack"]) >= _ROWS:
                yield rows
                rows = {name: [] for name in names}
    yield {k: pa.array(v, SNAPSHOT_TABLES["snapshot_frame"].schema.field(k).type) for k, v in rows.items()}


def flat_settings(value: Any, name: str = "") -> list[tuple[str, str]]:
    """(name, text) of nested settings."""
    if isinstance(value, dict):
        return [row for key, inner in value.items() for row in flat_settings(inner, f"{name}.{key}" if name else key)]
    if isinstance(value, list):
        return [(name, ", ".join(str(x) for x in value))]
    return [(name, "" if value is None else str(value))]


def _settings(settings: Any) -> Iterator[dict[str, Any]]:
    rows = flat_settings(settings) if settings else []
    yield {"name": pa.array([r[0] for r in rows], pa.string()), "value": pa.array([r[1] for r in rows], pa.string())}


def _annotations(found: Any) -> Iterator[dict[str, Any]]:
    rows = [r for r in found if isinstance(r, dict)] if isinstance(found, list) else []
    number = [(_int(r.get("device"), -1), _int(r.get("time_us"), None)) for r in rows]
    yield {
        "device": pa.array([n[0] for n in number], pa.int32()),
        "name": pa.array([str(r.get("name", "")) for r in rows], pa.string()),
        "stage": pa.array([str(r.get("stage", "")) for r in rows], pa.string()),
        "time_us": pa.array([n[1] for n in number], pa.int64()),
    }


def _int(value: Any, default: Any) -> Any:
    return value if isinstance(value, int) and -(2**31) <= value < 2**62 else default


def _anomalies(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    rows = [
        (device.number, kind, *device.facts["anomalies"][kind])
        for device in snapshot.devices.values()
        for kind in ANOMALIES
        if kind in device.facts["anomalies"]
    ]
    schema = SNAPSHOT_TABLES["snapshot_anomaly"].schema
    yield {f.name: pa.array([row[k] for row in rows], f.type) for k, f in enumerate(schema)}
