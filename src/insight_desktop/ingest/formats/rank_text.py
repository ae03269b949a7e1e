"""The csv files of one rank: their tables, and an empty timeline for a card that has nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pyarrow as pa

from insight_desktop.ingest.formats import Stream, kernel_csv, memory_csv, operator_csv, rank_json
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

_MODULES: dict[str, ModuleType] = {
    table: module for module in (memory_csv, kernel_csv, operator_csv, rank_json) for table in module.ROLES
}


def sniff(path: str, head: bytes) -> bool:  # noqa: ARG001
    """False: these files are found by their names."""
    return False


def read(source: Source, report: Report, *, threads: int = 1) -> Stream:  # noqa: ARG001
    """Nothing: a card without a trace has an empty timeline. Its tables are read when a page asks for them."""
    report.checkpoint(source.size_bytes, source.size_bytes)
    yield from ()


def read_table(source: Source, table: str, report: Report) -> Iterator[pa.RecordBatch]:
    """Batches of a table of `schema.TABLES`; nothing for tables that text files do not have."""
    module = _MODULES.get(table)
    if module is not None:
        yield from module.read_table(source, table, report)


def files(source: Source, table: str) -> list[Path]:
    """The files that a table is read from, in their order."""
    module = _MODULES.get(table)
    return module.files(source, table) if module is not None else []


def role(table: str) -> str:
    """Role of the files of a table; empty when text sources do not have it."""
    module = _MODULES.get(table)
    return str(module.ROLES[table]) if module is not None else ""
