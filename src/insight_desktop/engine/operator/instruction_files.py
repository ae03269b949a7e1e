"""Instructions and source lines of a capture: Arrow files that are mapped, written at import or when first asked for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

import pyarrow as pa

from insight_desktop.ingest.formats import operator_blocks as blocks
from insight_desktop.ingest.formats.operator_blocks import Block
from insight_desktop.ingest.formats.operator_instructions import MAX_COLUMNS, Instructions, Lines
from insight_desktop.ingest.report import Report

FILES = {blocks.LINES: "operator_lines.arrow", blocks.INSTRUCTIONS: "operator_instructions.arrow"}
_AGAIN = "Collect the kernel again, or copy the file again; the other pages are whole."


@dataclass(frozen=True)
class Stored:
    """A table of instructions or lines.

    Attributes:
        table: its rows in the order of the file; values are lists over the cores.
        columns: type code by column (see ingest.formats.operator_instructions).
        cores: names of the cores.
        is_old: written without type codes.
        is_cut: more than 1,000,000 instructions; the others were left out.
    """

    table: pa.Table
    columns: dict[str, int]
    cores: list[str]
    is_old: bool
    is_cut: bool


def write(folder: Path, path: Path, block: Block, report: Report) -> None:
    """Write the table of a block; the file appears when it is whole."""
    reading = Instructions(path, block) if block.type == blocks.INSTRUCTIONS else Lines(path, block)
    shape = reading.shape
    where = f"{path.name} {block.where}"
    if not reading.is_readable:
        report.issue(
            "operator_bin.bad_json", "error", where,
            f"{path.name}: {block.where} could not be parsed: it holds no array of records. The Source page lacks them.",
            fix=_AGAIN,
        )  # fmt: skip
    if shape.left_out:
        report.issue(
            "operator_bin.columns", "warning", where,
            f"{path.name}: {block.where} has more than {MAX_COLUMNS} columns; the others are not shown.",
            count=shape.left_out,
        )  # fmt: skip
    target = folder / FILES[block.type]
    with NamedTemporaryFile(dir=folder, prefix=target.stem, delete=False) as file:
        try:
            with pa.ipc.new_file(file, shape.schema) as writer:
                for batch, behind in reading.batches():
                    writer.write_batch(batch)
                    report.checkpoint(behind, block.start + block.size, f"{path.name}, {block.name}")
                writer.close()
        except BaseException:
            file.close()
            Path(file.name).unlink()
            raise
    if shape.bad:
        report.issue(
            "operator_bin.bad_record", "warning", where,
            f"{path.name}: records of {block.where} that cannot be read were left out.", count=shape.bad, fix=_AGAIN,
        )  # fmt: skip
    if shape.cut:
        report.issue(
            "operator_bin.many_instructions", "warning", where,
            f"{path.name} has more than 1,000,000 instructions; the first 1,000,000 are kept.",
        )  # fmt: skip
    Path(file.name).replace(target)


def read(folder: Path, kind: int) -> Stored | None:
    """The mapped table of a kind (`operator_blocks.LINES` or `INSTRUCTIONS`); None when it is not written."""
    target = folder / FILES[kind]
    if not target.exists():
        return None
    with pa.memory_map(str(target)) as file:
        table = pa.ipc.open_file(file).read_all()
    facts = json.loads((table.schema.metadata or {}).get(b"shape", b"{}"))
    columns = {str(name): int(code) for name, code in facts.get("columns", [])}
    is_cut = table.num_rows >= 1_000_000
    return Stored(table, columns, list(facts.get("cores", [])), bool(facts.get("old")), is_cut)
