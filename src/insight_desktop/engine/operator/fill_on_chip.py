"""Writes the blocks of a plan of on-chip memory, with simulated addresses, into its capture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from insight_desktop.engine.operator.allocator import replay
from insight_desktop.ingest.formats.on_chip_json import read_plan
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source
from insight_desktop.schema_operator import ON_CHIP


def fill(folder: Path, source: Source, report: Report) -> None:
    """Write the tables of `schema_operator.ON_CHIP`."""
    kernel, scopes = read_plan(source.files[0])
    heads: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for i, scope in enumerate(scopes):
        report.checkpoint(i, len(scopes), scope.name)
        heads.append({"row": i, "kernel": kernel, "scope": scope.name, "status": scope.status, "error": scope.error})
        addresses = replay([(b.start, b.end, b.size_bytes) for b in scope.buffers])
        rows += [
            {
                "row": len(rows) + k,
                "scope": scope.name,
                "id": f"{address}{b.start}",
                "buffer": b.name,
                "address_bytes": address,
                "size_bytes": b.size_bytes,
                "start_line": b.start,
                "end_line": b.end,
                "alloc_line": b.alloc,
                "is_tmpbuf": b.is_tmpbuf,
                "offset_bytes": b.offset,
                "source_location": b.source_location,
            }
            for k, (b, address) in enumerate(zip(scope.buffers, addresses, strict=True))
        ]
    for name, table in (("operator_on_chip_scope", heads), ("operator_on_chip_block", rows)):
        pq.write_table(pa.Table.from_pylist(table, ON_CHIP[name].schema), folder / f"{name}.parquet")
        report.add(f"table.{name}", len(table))
