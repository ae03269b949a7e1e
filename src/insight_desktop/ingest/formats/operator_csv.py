"""Summaries that the collector writes beside the tasks: op_statistic, operator_details, api_statistic, step_trace_time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from insight_desktop.ingest.formats import table_batches
from insight_desktop.ingest.formats.csv_text import CsvFile, Field
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

ROLES = {name: name for name in ("op_statistic", "operator_details", "api_statistic", "step_trace_time")}
_MULTI_LINE = ("operator_details",)  # call stacks and shapes are quoted and go over several lines
_DEVICE = Field("device", ("Device_id", "Device ID"), "device")

_FIELDS: dict[str, tuple[Field, ...]] = {
    "op_statistic": (
        _DEVICE,
        Field("model", ("Model Name",), "id"),
        Field("type", ("OP Type",), required=True),
        Field("core", ("Core Type",), required=True),
        Field("count", ("Count",), "int", required=True),
        Field("total_us", ("Total Time(us)",), "real", required=True),
        Field("min_us", ("Min Time(us)",), "real"),
        Field("avg_us", ("Avg Time(us)",), "real"),
        Field("max_us", ("Max Time(us)",), "real"),
        Field("ratio_percent", ("Ratio(%)",), "real"),
    ),
    "operator_details": (
        Field("name", ("Name",), required=True),
        Field("input_shapes", ("Input Shapes",)),
        Field("call_stack", ("Call Stack",)),
        Field("host_self_us", ("Host Self Duration(us)",), "real", required=True),
        Field("host_total_us", ("Host Total Duration(us)",), "real", required=True),
        Field("device_self_us", ("Device Self Duration(us)",), "real"),
        Field("device_total_us", ("Device Total Duration(us)",), "real"),
        Field("device_self_aicore_us", ("Device Self Duration With AICore(us)",), "real"),
        Field("device_total_aicore_us", ("Device Total Duration With AICore(us)",), "real"),
    ),
    "api_statistic": (
        _DEVICE,
        Field("level", ("Level",), required=True),
        Field("name", ("API Name",), required=True),
        Field("total_us", ("Time(us)",), "real", required=True),
        Field("count", ("Count",), "int", required=True),
        Field("avg_us", ("Avg(us)",), "real"),
        Field("min_us", ("Min(us)",), "real"),
        Field("max_us", ("Max(us)",), "real"),
        Field("variance", ("Variance",), "real"),
    ),
    "step_trace_time": (
        _DEVICE,
        Field("step", ("Step",), "id", required=True),
        Field("computing_us", ("Computing",), "real", required=True),
        Field("communication_not_overlapped_us", ("Communication(Not Overlapped)",), "real", required=True),
        Field("overlapped_us", ("Overlapped",), "real"),
        Field("communication_us", ("Communication",), "real"),
        Field("free_us", ("Free",), "real"),
        Field("stage_us", ("Stage",), "real"),
        Field("bubble_us", ("Bubble",), "real"),
        Field(
            "communication_not_overlapped_exclude_receive_us",
            ("Communication(Not Overlapped and Exclude Receive)",),
            "real",
        ),
        Field("preparing_us", ("Preparing",), "real"),
    ),
}


def read_table(source: Source, table: str, report: Report) -> Iterator[pa.RecordBatch]:
    """Batches of one of the tables in `ROLES`; nothing when the card has no such file."""
    row = 0
    fields = _FIELDS[table]
    key = next(f.name for f in fields if f.required)
    for path in files(source, table):
        for columns in CsvFile(path, report, multi_line=table in _MULTI_LINE).blocks(fields):
            rows = len(columns[key])
            yield table_batches.make(table, columns, rows, row)
            row += rows


def files(source: Source, table: str) -> list[Path]:
    """The files that a table is read from, in their order."""
    return [path for role, path in source.extras if role == ROLES.get(table)]
