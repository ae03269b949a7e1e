"""Columns of the tables of the MemScope page."""

from __future__ import annotations

from insight_desktop.views.common.table_columns import ColumnSpec

BLOCKS = (
    ColumnSpec("block_id", "ID", kind="number", decimals=0),
    ColumnSpec("tags", "Tags", tooltip="early-alloc: long before the first access; late-free: long after the last one; idle: long between two"),
    ColumnSpec("ptr", "Addr"),
    ColumnSpec("size_bytes", "Size", unit="bytes", kind="number", decimals=0),
    ColumnSpec("alloc_ns", "Malloc Timestamp", unit="ns", kind="number", decimals=0, missing="before tracing", missing_as="low"),
    ColumnSpec("free_ns", "Free Timestamp", unit="ns", kind="number", decimals=0, missing="never freed", missing_as="high"),
    ColumnSpec("life_ns", "Life", unit="ms", kind="duration"),
    ColumnSpec("owner", "Owner"),
    ColumnSpec("pid", "Process ID", kind="number", decimals=0),
    ColumnSpec("tid", "Thread ID", kind="number", decimals=0),
    ColumnSpec("first_access_ns", "First Access Timestamp", unit="ns", kind="number", decimals=0),
    ColumnSpec("last_access_ns", "Last Access Timestamp", unit="ns", kind="number", decimals=0),
    ColumnSpec("max_gap_ns", "Max Access Interval", unit="ns", kind="number", decimals=0),
    ColumnSpec("accesses", "Accesses", kind="number", decimals=0),
    ColumnSpec("collector_tags", "Collector tags", tooltip="What the collector found by the order of calls"),
    ColumnSpec("attr", "Attr"),
)  # fmt: skip
EVENTS = (
    ColumnSpec("id", "ID", kind="number", decimals=0),
    ColumnSpec("event", "Event"),
    ColumnSpec("type", "Event Type"),
    ColumnSpec("name", "Name"),
    ColumnSpec("t_ns", "Timestamp", unit="ns", kind="number", decimals=0),
    ColumnSpec("device", "Device ID"),
    ColumnSpec("pid", "Process ID", kind="number", decimals=0),
    ColumnSpec("tid", "Thread ID", kind="number", decimals=0),
    ColumnSpec("ptr", "Addr"),
    ColumnSpec("size_bytes", "Size", unit="bytes", kind="number", decimals=0),
    ColumnSpec("attr", "Attr"),
    ColumnSpec("call_stack_python", "Call Stack(Python)"),
    ColumnSpec("call_stack_c", "Call Stack(C)"),
)
LEAKS = (
    ColumnSpec("rule", "Rule", tooltip="step: outlives the next step; three marks: HAL memory between marks; growth: more at the end of every step; unreleased: allocated in the range, not freed in it"),
    ColumnSpec("type", "Type"),
    ColumnSpec("group", "Allocated by"),
    ColumnSpec("blocks", "Blocks", kind="count"),
    ColumnSpec("size_bytes", "Size", unit="MiB", kind="bytes", decimals=3, tooltip="For growth: per step"),
    ColumnSpec("largest_bytes", "Largest block", unit="MiB", kind="bytes", decimals=3),
    ColumnSpec("blocks_per_step", "Blocks per step", kind="number", decimals=1),
    ColumnSpec("first_alloc_ns", "First allocation", unit="ms", kind="duration"),
    ColumnSpec("last_alloc_ns", "Last allocation", unit="ms", kind="duration"),
)  # fmt: skip
OWNERS = (
    ColumnSpec("name", "Owner"),
    ColumnSpec("size_bytes", "Size", unit="MiB", kind="bytes", decimals=3),
    ColumnSpec("ratio", "Share of parent", kind="percent", bar=True),
    ColumnSpec("blocks", "Blocks", kind="count"),
    ColumnSpec("largest_bytes", "Largest block", unit="MiB", kind="bytes", decimals=3),
    ColumnSpec("delta_bytes", "Δ to A", unit="MiB", kind="bytes", decimals=3, tooltip="Against the pinned time A"),
    ColumnSpec("owner", "Path"),
)
STACKS = (
    ColumnSpec("name", "Function"),
    ColumnSpec("size_bytes", "Size", unit="MiB", kind="bytes", decimals=3),
    ColumnSpec("ratio", "Share", kind="percent", bar=True),
    ColumnSpec("self_bytes", "Own", unit="MiB", kind="bytes", decimals=3, tooltip="Blocks whose stack ends here"),
    ColumnSpec("blocks", "Blocks", kind="count"),
)
COMPARED = (
    ColumnSpec("group", "Group"),
    ColumnSpec("device", "Device ID"),
    ColumnSpec("type", "Type"),
    ColumnSpec("delta_bytes", "Δ Size", unit="MiB", kind="bytes", decimals=3),
    ColumnSpec("size_bytes", "Size", unit="MiB", kind="bytes", decimals=3),
    ColumnSpec("base_bytes", "Size in the baseline", unit="MiB", kind="bytes", decimals=3),
    ColumnSpec("delta_blocks", "Δ Blocks", kind="number", decimals=0),
    ColumnSpec("blocks", "Blocks", kind="count"),
    ColumnSpec("base_blocks", "Blocks in the baseline", kind="count"),
)
COLLECTOR = (
    ColumnSpec("name", "Name"),
    ColumnSpec("event", "Event"),
    ColumnSpec("device", "Device ID"),
    ColumnSpec("base_bytes", "Base", unit="bytes", kind="number", decimals=0, tooltip="Change of the memory by this call; empty where it was not called"),
    ColumnSpec("compare_bytes", "Compare", unit="bytes", kind="number", decimals=0, tooltip="Change of the memory by this call; empty where it was not called"),
    ColumnSpec("allocated_bytes", "Allocated Memory", unit="bytes", kind="number", decimals=0),
    ColumnSpec("diff_bytes", "Diff Memory", unit="bytes", kind="number", decimals=0),
    ColumnSpec("file", "File"),
)  # fmt: skip
QUALITY = (
    ColumnSpec("text", "What was met"),
    ColumnSpec("device", "Device ID"),
    ColumnSpec("type", "Type"),
    ColumnSpec("rows", "Rows", kind="count"),
    ColumnSpec("of", "Of", kind="count"),
    ColumnSpec("effect", "Effect"),
)
