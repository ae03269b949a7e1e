"""Columns of the tables of the Snapshot page."""

from __future__ import annotations

from insight_desktop.views.common.table_columns import ColumnSpec


def _bytes(name: str, title: str, unit: str = "KB", width: int = 0) -> ColumnSpec:
    return ColumnSpec(name, title, unit=unit, kind="bytes", decimals=3, width=width)


BLOCKS = (
    ColumnSpec("block", "Block ID", kind="id"),
    ColumnSpec("address", "Address", kind="address", width=130),
    _bytes("size_bytes", "Size"),
    _bytes("requested_bytes", "Requested Size"),
    ColumnSpec("state", "State", tooltip="State at the end of the trace."),
    ColumnSpec("alloc_event", "Alloc Event ID", kind="link"),
    ColumnSpec("free_requested_event", "Free Requested Event ID", kind="link"),
    ColumnSpec("free_completed_event", "Free Event ID", kind="link"),
    ColumnSpec("stream", "Stream", kind="id"),
    ColumnSpec("category", "Category"),
    ColumnSpec("where", "Allocated by", width=260),
)
EVENTS = (
    ColumnSpec("event", "ID", kind="id"),
    ColumnSpec("action", "Action"),
    ColumnSpec("address", "Address", kind="address", width=130),
    _bytes("size_bytes", "Size"),
    ColumnSpec("stream", "Stream", kind="id"),
    _bytes("allocated_bytes", "Allocated"),
    _bytes("active_bytes", "Active"),
    _bytes("reserved_bytes", "Reserved"),
    ColumnSpec("time_us", "Time", unit="µs", kind="number", decimals=0),
    ColumnSpec("block", "Block ID", kind="id"),
)
STACKS = (
    ColumnSpec("where", "Innermost frame", width=320),
    ColumnSpec("blocks", "Blocks", kind="count"),
    _bytes("bytes", "Size", "MiB"),
    ColumnSpec("ratio", "Share", kind="percent", bar=True),
    _bytes("largest_bytes", "Largest block", "MiB"),
    ColumnSpec("text", "Call stack", width=420),
)
TREE = (
    ColumnSpec("name", "Function", width=320),
    _bytes("bytes", "Size", "MiB"),
    _bytes("self_bytes", "Self", "MiB"),
    ColumnSpec("blocks", "Blocks", kind="count"),
    ColumnSpec("file", "File", width=260),
    ColumnSpec("line", "Line", kind="id"),
)
LEAKS = (
    ColumnSpec("where", "Innermost frame", width=280),
    ColumnSpec("confidence", "Confidence", tooltip="How much speaks for a leak: the share that stays, and how often more is added."),
    ColumnSpec("blocks", "Blocks", kind="count"),
    _bytes("bytes", "Size", "MiB"),
    ColumnSpec("unreleased_ratio", "Not freed", kind="percent", bar=True),
    ColumnSpec("growing", "Parts with growth", kind="count", tooltip="Of eight equal parts of the range, those in which blocks were added that stay."),
    ColumnSpec("first_event", "First event", kind="link"),
    ColumnSpec("last_event", "Last event", kind="link"),
    ColumnSpec("why", "Why", width=320),
    ColumnSpec("file", "File", width=220),
    ColumnSpec("line", "Line", kind="id"),
)  # fmt: skip
SAVINGS = (
    ColumnSpec("kind", "What", width=110),
    ColumnSpec("where", "Innermost frame", width=280),
    _bytes("bytes", "Size at the peak", "MiB"),
    ColumnSpec("cost", "Size × life", unit="B × events", kind="number", decimals=0, tooltip="Bytes times the events for which they are held."),
    ColumnSpec("block", "Largest block", kind="link"),
    ColumnSpec("why", "Why", width=360),
)  # fmt: skip
POOLS = (
    ColumnSpec("pool", "Memory pool"),
    ColumnSpec("stream", "Stream", kind="id"),
    ColumnSpec("kind", "Kind"),
    ColumnSpec("segments", "Segments", kind="count"),
    _bytes("reserved_bytes", "Reserved", "MiB"),
    _bytes("allocated_bytes", "Allocated", "MiB"),
    _bytes("active_bytes", "Active", "MiB"),
    ColumnSpec("gaps", "Gaps", kind="count"),
    _bytes("gap_bytes", "All gaps", "MiB"),
    _bytes("largest_gap_bytes", "Largest gap", "MiB"),
    _bytes("peak_reserved_bytes", "Peak reserved", "MiB"),
    ColumnSpec("peak_event", "Peak event", kind="link"),
)
SEGMENTS = (
    ColumnSpec("address", "Address", kind="address", width=130),
    _bytes("size_bytes", "Segment size", "MiB"),
    ColumnSpec("kind", "Kind"),
    ColumnSpec("stream", "Stream", kind="id"),
    ColumnSpec("pool", "Memory pool"),
    ColumnSpec("event", "Alloc/Map event", kind="link"),
    ColumnSpec("blocks", "Blocks", kind="count"),
    _bytes("allocated_bytes", "Allocated", "MiB"),
    ColumnSpec("gaps", "Gaps", kind="count"),
    _bytes("gap_bytes", "All gaps", "MiB"),
    _bytes("largest_gap_bytes", "Largest gap", "MiB"),
)
OOM = (
    ColumnSpec("event", "Event", kind="link"),
    ColumnSpec("verdict", "Verdict", width=160),
    _bytes("requested_bytes", "Requested", "MiB"),
    _bytes("device_free_bytes", "Device free", "MiB"),
    _bytes("reserved_bytes", "Reserved", "MiB"),
    _bytes("active_bytes", "Active", "MiB"),
    _bytes("gap_bytes", "All gaps", "MiB"),
    _bytes("largest_gap_bytes", "Largest gap", "MiB"),
    _bytes("largest_elsewhere_bytes", "Largest gap elsewhere", "MiB"),
    _bytes("reclaimable_bytes", "Reclaimable", "MiB"),
    ColumnSpec("stack", "Innermost frame", width=260),
)
WAITING = (
    ColumnSpec("block", "Block ID", kind="link"),
    ColumnSpec("address", "Address", kind="address", width=130),
    _bytes("size_bytes", "Size"),
    ColumnSpec("stream", "Stream", kind="id"),
    ColumnSpec("free_requested_event", "Free Requested Event ID", kind="link"),
    ColumnSpec("events", "Events waited", kind="count"),
    ColumnSpec("where", "Allocated by", width=260),
)
SETTINGS = (ColumnSpec("name", "Setting", width=320), ColumnSpec("value", "Value", width=360))
MARKS = (
    ColumnSpec("event", "Event", kind="link"),
    ColumnSpec("kind", "Kind"),
    ColumnSpec("text", "Text", width=420),
)
QUALITY = (
    ColumnSpec("kind", "Inconsistency", width=420),
    ColumnSpec("count", "Count", kind="count"),
    ColumnSpec("first_event", "First event", kind="link"),
    ColumnSpec("device", "Device", kind="id"),
)
COMPARE = {
    "stack": (
        ColumnSpec("where", "Innermost frame", width=320),
        _bytes("bytes_difference", "Difference", "MiB"),
        _bytes("bytes_before", "Before", "MiB"),
        _bytes("bytes_after", "After", "MiB"),
        ColumnSpec("blocks_difference", "Blocks, difference", kind="count"),
        ColumnSpec("blocks_before", "Blocks before", kind="count"),
        ColumnSpec("blocks_after", "Blocks after", kind="count"),
        ColumnSpec("text", "Call stack", width=420),
    ),
    "category": (
        ColumnSpec("category", "Category", width=200),
        _bytes("bytes_difference", "Difference", "MiB"),
        _bytes("bytes_before", "Before", "MiB"),
        _bytes("bytes_after", "After", "MiB"),
        ColumnSpec("blocks_difference", "Blocks, difference", kind="count"),
    ),
    "segment": (
        ColumnSpec("address", "Address", kind="address", width=130),
        _bytes("size_bytes", "Segment size", "MiB"),
        ColumnSpec("where", "Where"),
        _bytes("active_difference", "Active, difference", "MiB"),
        _bytes("active_before", "Active before", "MiB"),
        _bytes("active_after", "Active after", "MiB"),
    ),
    "totals": (
        ColumnSpec("name", "What", width=200),
        ColumnSpec("difference", "Difference", kind="count"),
        ColumnSpec("before", "Before", kind="count"),
        ColumnSpec("after", "After", kind="count"),
    ),
}
