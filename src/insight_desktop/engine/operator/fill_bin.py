"""Writes what the pages of a kernel need into its capture: one Parquet table per kind of fact, instructions as Arrow files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from insight_desktop.engine.operator import cache_files, instruction_files
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import operator_blocks as blocks
from insight_desktop.ingest.formats import operator_details
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source
from insight_desktop.schema_operator import TABLES

EAGER_BYTES = 24 << 20  # larger blocks of instructions are read when the Source page asks for them
_AGAIN = "Collect the kernel again, or copy the file again; the other pages are whole."


def fill(folder: Path, source: Source, report: Report) -> None:
    """Write the tables of `schema_operator` and, if they are small, the instructions.

    What cannot be read is reported and costs the page that needs it.
    """
    path = source.files[0]
    index = blocks.read_index(path)
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    problems: dict[int, str] = {block.number: reason for block, reason in index.bad}
    for kind in operator_details.PAGES:
        block = index.first(kind)
        if block is None:
            continue
        report.checkpoint(block.start, index.size, f"{path.name}, {block.name}")
        if kind == blocks.CACHE_LINES and block.size > cache_files.EAGER_BYTES:
            continue  # read when the Cache page asks for it
        if block.is_cut:
            problems[block.number] = "the file ends inside it"
            continue
        try:
            found = operator_details.read_block(kind, blocks.payload(path, block))
        except (BadFile, OSError) as error:
            reason = error.message if isinstance(error, BadFile) else str(error)
            problems[block.number] = reason
            report.issue(
                "operator_bin.bad_json", "error", f"{path.name} {block.where}",
                f"{path.name}: {block.where} could not be parsed: {reason}. What it feeds is empty, everything else works.",
                fix=_AGAIN,
            )  # fmt: skip
            continue
        for name, table in found.items():
            rows[name] += table
    rows["operator_container"] = [_described(block, problems) for block in (*index.blocks, *(b for b, _ in index.bad))]
    for name, table in rows.items():
        if table:
            schema = TABLES[name].schema
            columns = [pa.array([row.get(f.name) for row in table], f.type) for f in schema]
            pq.write_table(pa.table(columns, schema=schema), folder / f"{name}.parquet")
    _facts(index, rows, report)
    for kind in (blocks.LINES, blocks.INSTRUCTIONS):
        block = index.first(kind)
        if block is not None and block.size <= EAGER_BYTES:
            report.checkpoint(block.start, index.size, f"{path.name}, {block.name}")
            instruction_files.write(folder, path, block, report)


def _described(block: blocks.Block, problems: dict[int, str]) -> dict[str, Any]:
    cut = "the file ends inside it" if block.is_cut else ""
    return {
        "number": block.number,
        "type": block.type,
        "name": block.name,
        "at_bytes": block.start,
        "size_bytes": block.size,
        "version": block.version,
        "path": block.path,
        "problem": problems.get(block.number, cut),
    }


def _facts(index: blocks.Index, rows: dict[str, list[dict[str, Any]]], report: Report) -> None:
    """What the window and the pages have to know before they ask for rows."""
    report.facts["operator"] = {
        "instruction_version": index.instruction_version,
        "blocks": len(index.types),
        "types": sorted(set(index.types)),
        "deferred_trace": bool(report.facts.get("deferred_trace")),
    }
    if index.first(blocks.CACHE_LINES) is not None:
        report.facts["tabs"] = ["operator.cache"]
    for name, table in rows.items():
        if table and name != "operator_container":
            report.add(f"table.{name}", len(table))
