"""Tables that a MemScope dump fills in its capture: events, blocks, curves, stacks, and what was wrong.

Times are int64 ns since the first valid time of the file, `memscope_fact.start_ns`. Devices are texts as written (`0`, `cpu`).
"""

from __future__ import annotations

import pyarrow as pa

from insight_desktop.schema import Table, _t

_I64, _I32, _TEXT, _BOOL, _U64 = pa.int64(), pa.int32(), pa.string(), pa.bool_(), pa.uint64()

MEMSCOPE: dict[str, Table] = {
    t.name: t
    for t in (
        _t(
            "memscope_event",
            "one row of the event table",
            ("id", _I64, "ID as written, else the running number"),
            ("event", _TEXT, "MALLOC, FREE, ACCESS, OP_LAUNCH, …"),
            ("type", _TEXT, "pool of a MALLOC or FREE, kind of any other event"),
            ("name", _TEXT, "operator, kernel or marker; empty for N/A"),
            ("t_ns", _I64, "time"),
            ("pid", _I64, "process"),
            ("tid", _I64, "thread"),
            ("device", _TEXT, "device as written"),
            ("ptr", _TEXT, "address as written"),
            ("address", _U64, "address as a number; null without one"),
            ("size_bytes", _I64, "size, absolute; null without one"),
            ("attr", _TEXT, "attributes as written"),
            ("stack_py", _I32, "row of memscope_stack, -1 none"),
            ("stack_c", _I32, "row of memscope_stack, -1 none"),
        ),
        _t(
            "memscope_block",
            "one lifetime of an address range, in the order of their starts",
            ("block_id", _I64, "running number from 0"),
            ("device", _TEXT, "device"),
            ("type", _TEXT, "pool"),
            ("address", _U64, "address"),
            ("size_bytes", _I64, "size"),
            ("alloc_ns", _I64, "time of the MALLOC; the start of the data for a block from before tracing"),
            (
                "free_ns",
                _I64,
                "time of the FREE, or of the MALLOC that ended it; the end of the data for a block that was never freed",
            ),
            ("never_freed", _BOOL, "nothing in the data ended it"),
            ("owner", _TEXT, "owner path A@B@C, empty for none"),
            ("pid", _I64, "process of the FREE, of the MALLOC for a block without one"),
            ("tid", _I64, "thread, as pid"),
            (
                "allocation_id",
                _I64,
                "allocation_id of the MALLOC, of the FREE for a block from before tracing; 0 for none",
            ),
            ("first_access_ns", _I64, "first access inside the life; null for none"),
            ("last_access_ns", _I64, "last access inside the life; null for none"),
            ("accesses", _I64, "accesses inside the life"),
            ("max_gap_ns", _I64, "longest time between two accesses that follow each other, 0 with fewer than two"),
            ("collector_tags", _TEXT, "inefficient_type of the collector"),
            ("attr", _TEXT, "attributes of the MALLOC, of the FREE for a block from before tracing"),
            ("alloc_event", _I64, "row of memscope_event, -1 for a block from before tracing"),
            ("free_event", _I64, "row of memscope_event, -1 for a block without a FREE"),
            ("stack_py", _I32, "Python stack of the MALLOC"),
            ("stack_c", _I32, "C stack of the MALLOC"),
        ),
        _t(
            "memscope_curve",
            "one point per accepted MALLOC or FREE, and one for the sum of blocks from before tracing, in order of (device, type, time, ID); the value holds until the next one",
            ("device", _TEXT, "device"),
            ("type", _TEXT, "pool"),
            ("t_ns", _I64, "time"),
            ("id", _I64, "ID of the event; below all others for the sum of blocks from before tracing"),
            ("allocated_bytes", _I64, "running sum of the pool"),
            ("reserved_bytes", _I64, "total of the pool; null where it is not told"),
            ("process_used_bytes", _I64, "null where it is not told"),
            ("device_used_bytes", _I64, "null where it is not told"),
        ),
        _t(
            "memscope_stack",
            "one distinct call stack",
            ("stack", _I32, "running number from 0"),
            ("text", _TEXT, "lines, innermost first"),
        ),
        _t(
            "memscope_compare",
            "one operator or kernel of a comparison that the collector wrote",
            ("file", _TEXT, "name of the file"),
            ("event", _TEXT, "OP_LAUNCH or KERNEL_LAUNCH; empty in older files"),
            ("name", _TEXT, "operator or kernel"),
            ("device", _TEXT, "device as written"),
            ("base_bytes", _I64, "change of the memory in the base; null where it was not called"),
            ("compare_bytes", _I64, "the same in the data that are compared"),
            ("allocated_bytes", _I64, "change of the memory in files that tell one; null in others"),
            ("diff_bytes", _I64, "difference of the two as written"),
        ),
        _t(
            "memscope_fact",
            "one row: the whole file",
            ("start_ns", _I64, "first valid time, ns since 1970 as recorded"),
            ("span_ns", _I64, "last valid time − first, at least 1"),
            ("events", _I64, "rows of the event table with a valid time"),
            ("has_owners", _BOOL, "blocks have owner paths"),
            ("has_stacks", _BOOL, "call stacks were collected"),
            ("threads", _I64, "threads of the Python traces"),
        ),
        _t(
            "memscope_quality",
            "one kind of defect per device and pool",
            ("reason", _TEXT, "stable name"),
            ("device", _TEXT, "device, empty for the file"),
            ("type", _TEXT, "pool, empty for all"),
            ("rows", _I64, "how many"),
            ("of", _I64, "of how many"),
            ("ignored", _BOOL, "the rows are in no curve"),
        ),
    )
}
