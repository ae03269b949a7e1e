"""Words of the Memory page: columns of its tables, help, times, the files it reads."""

from __future__ import annotations

from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec

NOT_RELEASED = "N/A"
OPERATION = "operation"

_NAME = ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Name"), width=220)
_SIZE = ColumnSpec("size_kb", QT_TRANSLATE_NOOP("insight", "Size(KB)"), kind="number", decimals=2)
_TIMES = (
    ColumnSpec(
        "alloc_ms", QT_TRANSLATE_NOOP("insight", "Allocation Time(ms)"), kind="number", decimals=3, missing=NOT_RELEASED,
        missing_as="low", tooltip=QT_TRANSLATE_NOOP("insight", "When the memory was allocated"),
    ),
    ColumnSpec(
        "release_ms", QT_TRANSLATE_NOOP("insight", "Release Time(ms)"), kind="number", decimals=3, missing=NOT_RELEASED,
        missing_as="high",
        tooltip=QT_TRANSLATE_NOOP("insight", "When it went back to the pool; N/A when it did not within the collection"),
    ),
    ColumnSpec(
        "active_release_ms", QT_TRANSLATE_NOOP("insight", "Active Release Time(ms)"), kind="number", decimals=3,
        missing=NOT_RELEASED, missing_as="high",
        tooltip=QT_TRANSLATE_NOOP("insight", "When no stream used it any more and the pool could give it away again"),
    ),
    ColumnSpec(
        "duration_ms", QT_TRANSLATE_NOOP("insight", "Duration(ms)"), kind="number", decimals=3,
        tooltip=QT_TRANSLATE_NOOP("insight", "Release minus allocation; 0 when it was not released"),
    ),
    ColumnSpec(
        "active_duration_ms", QT_TRANSLATE_NOOP("insight", "Active Duration(ms)"), kind="number", decimals=3,
        tooltip=QT_TRANSLATE_NOOP("insight", "Active release minus allocation; 0 when it was not released"),
    ),
)  # fmt: skip
_TOTALS = (
    ColumnSpec(
        "alloc_allocated_mb", QT_TRANSLATE_NOOP("insight", "Allocation Total Allocated(MB)"), kind="number", decimals=2,
        tooltip=QT_TRANSLATE_NOOP("insight", "Memory handed out to operators when this was allocated"),
    ),
    ColumnSpec(
        "alloc_reserved_mb", QT_TRANSLATE_NOOP("insight", "Allocation Total Reserved(MB)"), kind="number", decimals=2,
        tooltip=QT_TRANSLATE_NOOP("insight", "Memory held by the pools when this was allocated"),
    ),
    ColumnSpec(
        "alloc_active_mb", QT_TRANSLATE_NOOP("insight", "Allocation Total Active(MB)"), kind="number", decimals=2,
        tooltip=QT_TRANSLATE_NOOP("insight", "Memory in use by any stream when this was allocated"),
    ),
    ColumnSpec(
        "release_allocated_mb", QT_TRANSLATE_NOOP("insight", "Release Total Allocated(MB)"), kind="number", decimals=2,
        tooltip=QT_TRANSLATE_NOOP("insight", "Memory handed out to operators when this was released"),
    ),
    ColumnSpec(
        "release_reserved_mb", QT_TRANSLATE_NOOP("insight", "Release Total Reserved(MB)"), kind="number", decimals=2,
        tooltip=QT_TRANSLATE_NOOP("insight", "Memory held by the pools when this was released"),
    ),
    ColumnSpec(
        "release_active_mb", QT_TRANSLATE_NOOP("insight", "Release Total Active(MB)"), kind="number", decimals=2,
        tooltip=QT_TRANSLATE_NOOP("insight", "Memory in use by any stream when this was released"),
    ),
)  # fmt: skip
_STREAM = ColumnSpec("stream", QT_TRANSLATE_NOOP("insight", "Stream"))

OPERATORS = (
    _NAME, _SIZE, *_TIMES, *_TOTALS, _STREAM,
    ColumnSpec(OPERATION, QT_TRANSLATE_NOOP("insight", "Operation"), kind="link", width=132),
)  # fmt: skip
COMPARED_OPERATORS = (_NAME, _SIZE, *_TIMES, *_TOTALS, _STREAM)
TIMES = ("alloc_ms", "release_ms", "active_release_ms", "t_ms")

COMPONENTS = (
    ColumnSpec("component", QT_TRANSLATE_NOOP("insight", "Component"), width=220),
    ColumnSpec("peak_mb", QT_TRANSLATE_NOOP("insight", "Peak Memory Reserved(MB)"), kind="number", decimals=2),
    ColumnSpec("t_ms", QT_TRANSLATE_NOOP("insight", "Timestamp(ms)"), kind="number", decimals=3),
)
STATIC = (
    ColumnSpec("device", QT_TRANSLATE_NOOP("insight", "Device ID"), width=90),
    ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Name")),
    ColumnSpec("start_node", QT_TRANSLATE_NOOP("insight", "Node Index Start"), kind="id"),
    ColumnSpec("end_node", QT_TRANSLATE_NOOP("insight", "Node Index End"), kind="id"),
    ColumnSpec("size_mb", QT_TRANSLATE_NOOP("insight", "Size(MB)"), kind="number", decimals=2),
)

_MEANINGS = {"Operators Allocated": "allocated", "Operators Activated": "active", "Operators Reserved": "reserved",
             "App Reserved": "app_reserved"}  # fmt: skip

# table of `system.memory.sources` → file name, what it gives
FILES = {
    "memory_record": ("memory_record.csv", QT_TRANSLATE_NOOP("insight", "totals of the allocators over time")),
    "operator_memory": ("operator_memory.csv", QT_TRANSLATE_NOOP("insight", "allocation and release of every tensor")),
    "module_memory": ("npu_module_mem.csv", QT_TRANSLATE_NOOP("insight", "memory of driver and CANN modules")),
    "static_memory": ("static_op_mem.csv", QT_TRANSLATE_NOOP("insight", "memory plan of static graphs")),
}
NEEDED = ("memory_record", "operator_memory")
DB_TABLES = {"memory_record": "MEMORY_RECORD", "operator_memory": "OP_MEMORY", "module_memory": "NPU_MODULE_MEM"}

COLLECTOR = """with torch_npu.profiler.profile(
    activities=[torch_npu.profiler.ProfilerActivity.CPU, torch_npu.profiler.ProfilerActivity.NPU],
    profile_memory=True,
) as profiler:"""


def colour_of(legend: str) -> str:
    """Fixed colour of a curve; empty for the next one of the theme."""
    return _MEANINGS.get(legend, "")


def clock(ms: float) -> str:
    """A time of the axis as `HH:MM:SS.mmm.uuu`; hours go on after 24.

    >>> clock(3723004.567)
    '01:02:03.004.567'
    """
    us = round(ms * 1000)
    sign, us = ("\u2212" if us < 0 else ""), abs(us)
    seconds, rest = divmod(us, 1_000_000)
    return (
        f"{sign}{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{rest // 1000:03d}.{rest % 1000:03d}"
    )


def group_title(group: str) -> str:
    """Entry of Group By."""
    return {"overall": tr("Overall"), "stream": tr("Stream"), "component": tr("Component")}[group]


def group_help() -> str:
    """What each choice of Group By shows."""
    return "\n".join(
        (
            tr("Overall: reserved, allocated and active memory of all operators, and the total of the process"),
            tr("Stream: reserved, allocated and active memory of operators per stream"),
            tr("Component: reserved, allocated and active memory per component"),
        )
    )


def peak_help() -> str:
    """What the curves are."""
    return "\n".join(
        (
            tr("Allocated: memory that PTA and GE handed out to operators"),
            tr("Activated: allocated, and freed blocks that another stream still uses"),
            tr("Reserved: memory held by the pools of PTA and GE"),
            tr("APP: memory of the whole process"),
            tr("WORKSPACE: a block of the device's global memory for workspaces"),
        )
    )
