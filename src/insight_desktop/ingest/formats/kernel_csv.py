"""kernel_details and op_summary: the tasks of a device in all header variants, PMU columns under their own names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.ingest.formats import table_batches
from insight_desktop.ingest.formats.csv_text import Columns, CsvFile, Field, clean
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

ROLES = {"kernel": "kernel_csv"}
COMMUNICATION_CORES = ("HCCL", "COMMUNICATION")
_SHAPES = ("input_shapes", "output_shapes")
_PMU_BEGINS = re.compile(r"^(?:aicore_time|aiv_time|aic_|aiv_|ai_core_)", re.IGNORECASE)

_FIELDS = (
    Field("device", ("Device_id", "Device ID"), "device"),
    Field("step", ("Step Id", "Iteration ID", "Infer ID"), "id"),
    Field("task_id", ("Task ID",), "id"),
    Field("stream_id", ("Stream ID",), "id"),
    Field("name", ("Name", "Op Name"), required=True),
    Field("type", ("Type", "OP Type"), required=True),
    Field("state", ("OP State",), "id"),
    Field("core", ("Accelerator Core", "Task Type"), required=True),
    Field("start_ns", ("Start Time(us)", "Task Start Time(us)"), "ns_cut", required=True),
    Field("duration_ps", ("Duration(us)", "Task Duration(us)"), "ps", required=True),
    Field("wait_ns", ("Wait Time(us)", "Task Wait Time(us)"), "ns", required=True),
    Field("block_num", ("Block Dim", "Block Num"), "int", required=True),
    Field("mix_block_num", ("Mix Block Dim", "Mix Block Num"), "int"),
    Field("hf32", ("HF32 Eligible",), "id"),
    Field("input_shapes", ("Input Shapes",)),
    Field("input_types", ("Input Data Types",)),
    Field("input_formats", ("Input Formats",)),
    Field("output_shapes", ("Output Shapes",)),
    Field("output_types", ("Output Data Types",)),
    Field("output_formats", ("Output Formats",)),
)
_ALL_SIX = tuple(f for f in _FIELDS if f.name.startswith(("input_", "output_")))
# A spreadsheet or script may have moved these behind the first PMU column.
_NOT_PMU = {clean(header) for f in _FIELDS for header in f.headers}
_NOT_PMU |= {clean(h) for h in ("Model Name", "Model ID", "Context ID", "Batch ID", "Attr Info", "Grid Dim")}


@dataclass
class _Numbering:
    """Running number of rows over the files of a card."""

    row: int = 0


def read_table(source: Source, table: str, report: Report) -> Iterator[pa.RecordBatch]:
    """Batches of the table `kernel`; PMU columns of later batches may differ from those of the first.

    A PMU column whose cells hold other text than N/A has a twin `pmu:<header>` with these texts.
    """
    state = _Numbering()
    for path in files(source, table):
        yield from _read(path, report, state)


def files(source: Source, table: str) -> list[Path]:
    """The files that a table is read from, in their order."""
    return [path for role, path in source.extras if role == ROLES.get(table)]


def pmu_headers(header: list[str]) -> list[str]:
    """The PMU columns of a header: from the first one that is named as such to the end, without the columns of a task.

    Equal names count once.
    """
    start = next((i for i, name in enumerate(header) if _PMU_BEGINS.match(name)), len(header))
    taken = {name.casefold() for name in schema.TABLES["kernel"].schema.names}
    out = []
    for name in header[start:]:
        if name and clean(name) not in _NOT_PMU and name.casefold() not in taken:
            taken.add(name.casefold())
            out.append(name)
    return out


def _read(path: Path, report: Report, state: _Numbering) -> Iterator[pa.RecordBatch]:
    file = CsvFile(path, report)
    fields = [f for f in _FIELDS if f not in _ALL_SIX or all(file.has(*g.headers) for g in _ALL_SIX)]
    fields += [Field(name, (name,), "real", texts=f"pmu:{name}") for name in pmu_headers(file.header)]
    for columns in file.blocks(fields):
        rows = len(columns["name"])
        _finish(columns)
        batch = table_batches.make("kernel", columns, rows, state.row)
        state.row += rows
        yield batch


def _finish(columns: Columns) -> None:
    columns["start_ns"] = _no_zero(columns["start_ns"])
    _durations(columns)
    columns["is_communication"] = pc.is_in(columns["core"], pa.array(COMMUNICATION_CORES))
    for name in _SHAPES:
        if name in columns:
            columns[name] = with_quotes(columns[name])


def _durations(columns: Columns) -> None:
    """Durations in ns, and in ps where a file has more than three decimals (old collectors), so that sums stay exact."""
    ps = np.asarray(pc.fill_null(columns.pop("duration_ps"), 0), np.int64)
    size = np.abs(ps)
    columns["duration_ns"] = pa.array(np.sign(ps) * ((size + 500) // 1000))
    if (size % 1000).any():
        columns["duration_ps"] = pa.array(ps)


def _no_zero(times: pa.Array) -> pa.Array:
    return pc.if_else(pc.equal(times, 0), pa.scalar(None, pa.int64()), times)


def with_quotes(shapes: pa.Array) -> pa.Array:
    """Shape texts with exactly one pair of quotes around them; empty and N/A stay (a spreadsheet drops the quotes)."""
    encoded = pc.dictionary_encode(shapes)
    words = [_quoted(word) for word in encoded.dictionary.to_pylist()]
    return pa.array(words, pa.string()).take(encoded.indices)


def _quoted(word: str) -> str:
    inner = word.strip('"')
    if word == inner and word in ("", "N/A"):
        return word
    return f'"{inner}"'
