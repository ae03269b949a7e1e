"""The four memory files of a card: memory_record, operator_memory, npu_module_mem, static_op_mem, in all header variants.

PyTorch and MindSpore write MB, the command line collector KB; both become MB. Several files of a role are slices of one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.ingest.formats import table_batches
from insight_desktop.ingest.formats.csv_text import Columns, CsvFile, Field
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

ROLES = {
    "memory_record": "memory_record",
    "operator_memory": "operator_memory",
    "module_memory": "npu_module_mem",
    "static_memory": "static_op_mem",
}
_KB_PER_MB = 1024.0
# Rows of a file that does not tell the device are those of the card.
_DEVICE = Field("device", ("Device Type", "Device_id", "Device", "Device ID"), "device")


_RECORD = (
    Field("component", ("Component",), required=True),
    Field("ts_ns", ("Timestamp(us)",), "ns", required=True),
    Field("allocated_mb", ("Total Allocated(MB)", "Total Allocated(KB)"), "real", required=True),
    Field("reserved_mb", ("Total Reserved(MB)", "Total Reserved(KB)"), "real", required=True),
    Field("active_mb", ("Total Active(MB)", "Total Active(KB)"), "real"),
    Field("stream", ("Stream Ptr",)),
    _DEVICE,
)
_OPERATOR = (
    Field("name", ("Name",), required=True),
    Field("size_kb", ("Size(KB)",), "real", required=True),
    Field("alloc_ns", ("Allocation Time(us)",), "ns", required=True),
    Field("release_ns", ("Release Time(us)",), "ns"),
    Field("active_release_ns", ("Active Release Time(us)",), "ns"),
    Field("duration_ns", ("Duration(us)",), "ns", required=True),
    Field("active_duration_ns", ("Active Duration(us)",), "ns"),
    *(
        Field(f"{target}_{name.lower()}_mb", (f"{word} Total {name}(MB)", f"{word} Total {name}(KB)"), "real")
        for target, word in (("alloc", "Allocation"), ("release", "Release"))
        for name in ("Allocated", "Reserved", "Active")
    ),
    Field("stream", ("Stream Ptr",)),
    _DEVICE,
)
_MODULE = (
    Field("component", ("Component",), required=True),
    Field("ts_ns", ("Timestamp(us)",), "ns", required=True),
    Field("reserved_mb", ("Total Reserved(MB)", "Total Reserved(KB)"), "real", required=True),
    _DEVICE,
)
_STATIC = (
    Field("device", ("Device_id",), required=True),
    Field("name", ("Op Name",), required=True),
    Field("model", ("Model Name",), required=True),
    Field("graph_id", ("Graph ID",), required=True),
    Field("start_node", ("Node Index Start",), "int", required=True),
    Field("end_node", ("Node Index End",), "int", required=True),
    Field("size_kb", ("Size(KB)",), "real", required=True),
)
_FIELDS = {
    "memory_record": _RECORD,
    "operator_memory": _OPERATOR,
    "module_memory": _MODULE,
    "static_memory": _STATIC,
}


def read_table(source: Source, table: str, report: Report) -> Iterator[pa.RecordBatch]:
    """Batches of one of the tables in `ROLES`; nothing when the card has no such file."""
    row = 0
    for path in files(source, table):
        for batch in _read(path, table, report, row):
            row += batch.num_rows
            yield batch


def files(source: Source, table: str) -> list[Path]:
    """The files that a table is read from, in their order."""
    return [path for role, path in source.extras if role == ROLES.get(table)]


def _read(path: Path, table: str, report: Report, row: int) -> Iterator[pa.RecordBatch]:
    file = CsvFile(path, report)
    fields = _FIELDS[table]
    in_kb = [f.name for f in fields if f.name.endswith("_mb") and not file.has(f.headers[0]) and file.has(f.headers[1])]
    computes_release = table == "operator_memory" and not file.has("Release Time(us)")
    untimed = 0
    for columns in file.blocks(fields):
        rows = len(columns["name" if "name" in columns else "component"])
        for name in in_kb:
            columns[name] = pc.divide(columns[name], _KB_PER_MB)
        if table == "operator_memory":
            _finish_operators(columns, computes_release)
        elif "ts_ns" in columns:
            columns["ts_ns"], zeros = _no_zero(columns["ts_ns"])
            untimed += zeros
        if table in ("memory_record", "operator_memory"):
            stream = columns.get("stream")
            columns["stream"] = table_batches.empty_text(rows) if stream is None else _no_missing(stream)
        batch = table_batches.make(table, columns, rows, row)
        row += rows
        yield batch
    if untimed:
        tell_untimed(report, path.name, untimed)


def tell_untimed(report: Report, where: str, count: int) -> None:
    """Say that records at time 0 have no place on the axis."""
    report.issue(
        "memory.no_time",
        "warning",
        where,
        "Records without a time (or at time 0) are in no curve and no peak.",
        count=count,
    )


def _finish_operators(columns: Columns, computes_release: bool) -> None:
    """Times of 0 are no times; files of the command line collector tell the release by the duration only."""
    if computes_release:
        columns["release_ns"] = pc.add(columns["alloc_ns"], columns["duration_ns"])
    for name in ("alloc_ns", "release_ns", "active_release_ns"):
        if name in columns:
            columns[name], _ = _no_zero(columns[name])


def _no_zero(times: pa.Int64Array) -> tuple[pa.Int64Array, int]:
    """Times without those of 0, which are no times, and how many these were."""
    is_zero = pc.fill_null(pc.equal(times, 0), False)
    return pc.if_else(is_zero, pa.scalar(None, pa.int64()), times), pc.sum(is_zero).as_py() or 0


def _no_missing(stream: pa.Array) -> pa.Array:
    return pc.if_else(pc.equal(stream, "N/A"), "", stream)
