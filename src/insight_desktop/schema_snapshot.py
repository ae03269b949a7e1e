"""What a memory snapshot fills in its capture: column files per device for the pages, Parquet tables for SQL.

Column files are named `snapshot_d<device>_<name>.bin`, little-endian, `COLUMNS`. An event index counts from 0 in the
device's trace; a block lives at event e when start <= e < end. Sizes `*_exact` are known only for blocks that lived at
the dump; a freed block's size is estimated (`size_est`).
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from insight_desktop.schema import Table, _t

_I64, _I32, _TEXT, _BOOL, _U64 = pa.int64(), pa.int32(), pa.string(), pa.bool_(), pa.uint64()

# Actions by code; other texts of a file follow from OTHER on, their names are in the facts.
ACTIONS: Final = (
    "segment_map", "segment_unmap", "segment_alloc", "segment_free", "alloc", "free_requested", "free_completed",
    "workspace_snapshot", "free", "snapshot", "oom",
)  # fmt: skip
(
    SEGMENT_MAP, SEGMENT_UNMAP, SEGMENT_ALLOC, SEGMENT_FREE, ALLOC, FREE_REQUESTED, FREE_COMPLETED, WORKSPACE, FREE,
    SNAPSHOT, OOM,
) = range(11)  # fmt: skip
OTHER: Final = len(ACTIONS)

# Flags of a block.
PREEXISTING, NEVER_FREED, EXACT, PENDING_BEFORE, WORKSPACE_BLOCK, LOST_FREE, LOST_ALLOC = (1 << k for k in range(7))

# What can be wrong with a trace, in the order of the counters.
ANOMALIES: Final = (
    "alloc_without_block", "alloc_of_live_address", "free_of_unknown", "double_free", "state_differs", "survivors_unknown",
    "segment_missing", "negative_total",
)  # fmt: skip

COLUMNS: Final = {
    "action": "|u1", "address": "<u8", "size": "<i8", "stream": "<i8", "stack": "<i4", "time": "<i8", "context": "<i4",
    "metadata": "<i4", "category": "<i4", "forward": "<i4", "pool": "<i4", "block": "<i4",
    "allocated": "<i8", "active": "<i8", "reserved": "<i8",
    "block_start": "<i8", "block_pending": "<i8", "block_end": "<i8", "block_address": "<u8", "block_size": "<i8",
    "block_requested": "<i8", "block_stream": "<i8", "block_stack": "<i4", "block_flags": "|u1", "block_hash": "<u4",
    "block_pool": "<i4",
    "dump_segment": "<i8", "segment_checkpoint": "<i8",
}  # fmt: skip

SNAPSHOT_TABLES: Final[dict[str, Table]] = {
    t.name: t
    for t in (
        _t(
            "snapshot_device",
            "one device with events or segments",
            ("device", _I32, "device number"),
            ("events", _I64, "events of its trace"),
            ("segments", _I64, "segments at the dump"),
            ("blocks", _I64, "blocks in all"),
            ("preexisting", _I64, "blocks that lived before the first event"),
            ("unreleased", _I64, "recorded blocks that were never freed"),
            ("reserved_bytes", _I64, "reserved at the end"),
            ("peak_reserved_bytes", _I64, "highest reserved"),
            ("allocated_bytes", _I64, "allocated at the end"),
            ("peak_allocated_bytes", _I64, "highest allocated"),
            ("active_bytes", _I64, "active at the end"),
            ("peak_active_bytes", _I64, "highest active"),
            ("peak_active_event", _I64, "first event after which active is highest, -1 before the first event"),
            ("oom_events", _I64, "out-of-memory events"),
            ("pad_bytes", _I64, "bytes that the allocator adds to a request before it rounds up to 512"),
        ),
        _t(
            "snapshot_event",
            "one allocator event; totals are those after it",
            ("device", _I32, "device number"),
            ("event", _I64, "index in the trace"),
            ("action", _TEXT, "what happened"),
            ("address", _U64, "address; free device bytes of an oom"),
            ("size_bytes", _I64, "requested bytes of blocks, full bytes of segments"),
            ("stream", _I64, "stream as written"),
            ("time_us", _I64, "time, null when the file has none"),
            ("stack", _I32, "row of snapshot_frame, 0 none"),
            ("block", _I32, "block that the event belongs to, -1 none"),
            ("allocated_bytes", _I64, "allocated after the event"),
            ("active_bytes", _I64, "active after the event"),
            ("reserved_bytes", _I64, "reserved after the event"),
        ),
        _t(
            "snapshot_block",
            "one lifetime of an address",
            ("device", _I32, "device number"),
            ("block", _I64, "running number in order of start and address"),
            ("address", _U64, "address"),
            ("size_bytes", _I64, "bytes taken: exact for survivors, else estimated"),
            ("requested_bytes", _I64, "bytes asked for"),
            ("stream", _I64, "stream"),
            ("alloc_event", _I64, "event of its alloc, null before the first event"),
            ("free_requested_event", _I64, "event, null when it did not happen"),
            ("free_completed_event", _I64, "event, null when it did not happen"),
            ("stack", _I32, "row of snapshot_frame, 0 none"),
            ("preexisting", _BOOL, "lived before the first event"),
            ("exact", _BOOL, "the size is as in the dump"),
        ),
        _t(
            "snapshot_segment",
            "one segment at the dump",
            ("device", _I32, "device number"),
            ("address", _U64, "address"),
            ("size_bytes", _I64, "bytes"),
            ("stream", _I64, "stream"),
            ("kind", _TEXT, "small or large"),
            ("pool", _TEXT, "id of the memory pool, `0, 0` is the default"),
            ("expandable", _BOOL, "grows by mapping"),
        ),
        _t(
            "snapshot_frame",
            "one frame of one call stack, innermost first",
            ("stack", _I32, "number of the stack, from 1"),
            ("depth", _I32, "0 innermost"),
            ("file", _TEXT, "source file"),
            ("line", _I64, "line"),
            ("function", _TEXT, "function"),
            ("fx", _TEXT, "FX node, empty without"),
        ),
        _t(
            "snapshot_setting",
            "one setting of the allocator",
            ("name", _TEXT, "name, parts joined with a point"),
            ("value", _TEXT, "value as text"),
        ),
        _t(
            "snapshot_annotation",
            "one annotation of the recording",
            ("device", _I32, "device number, -1 none"),
            ("name", _TEXT, "name"),
            ("stage", _TEXT, "START, END or as written"),
            ("time_us", _I64, "time"),
        ),
        _t(
            "snapshot_anomaly",
            "one kind of inconsistency of a trace",
            ("device", _I32, "device number"),
            ("kind", _TEXT, "one of ANOMALIES"),
            ("count", _I64, "how often"),
            ("first_event", _I64, "first event concerned, -1 the dump or outside of the part that was read"),
        ),
    )
}
