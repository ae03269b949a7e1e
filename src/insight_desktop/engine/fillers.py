"""What is written into a capture beside its timeline: tables and columns for the pages of one area.

A filler is a module with `fill(folder, source, report)`. It runs where the import runs (in a worker), when the timeline
is built and before the capture gets its name in the cache: `Capture(folder)` can be read, and half a capture is never seen.
It may raise like a reader. What it reports joins the issues of the capture, `report.add("table.<NAME>", rows)` its tables;
`report.facts["tabs"]` names tabs that only the content calls for.
"""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Protocol, cast

from insight_desktop.engine.build_source import plain_facts
from insight_desktop.engine.capture import Manifest
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

_ENGINE = "insight_desktop.engine"

# format, or (format, kind) → module; a format without a filler has a timeline only.
FILLERS: dict[str | tuple[str, str], str] = {
    "operator_bin": f"{_ENGINE}.operator.fill_bin",
    "on_chip_json": f"{_ENGINE}.operator.fill_on_chip",
    "snapshot_pickle": f"{_ENGINE}.memory.fill_snapshot",
    "memscope": f"{_ENGINE}.memory.fill_memscope",
    "service_db": f"{_ENGINE}.service.fill_service",
    "service_csv": f"{_ENGINE}.service.fill_service",
    ("trace_json", "service"): f"{_ENGINE}.service.fill_service",
}
# Grows when the same files of a format give other tables: older captures are then written anew.
VERSION: dict[str | tuple[str, str], int] = {
    "trace_json": 1, "operator_bin": 2, "operator_trace": 1, "snapshot_pickle": 1, "memscope": 2, "service_db": 2, "service_csv": 2, ("trace_json", "service"): 3,
}  # fmt: skip


class Filler(Protocol):
    """Shape of a module that fills a capture."""

    def fill(self, folder: Path, source: Source, report: Report) -> None:
        """Write tables into the folder of a capture; raises as a reader does."""
        ...


def filler(source: Source) -> Filler | None:
    """The module that fills captures of a source; None when its timeline is all there is."""
    name = FILLERS.get((source.format, source.kind)) or FILLERS.get(source.format)
    if name is None or not _exists(name):
        return None
    return cast("Filler", importlib.import_module(name))


def fill(folder: Path, source: Source, report: Report) -> None:
    """Fill a capture whose timeline is whole; sources without a filler cost nothing."""
    module = filler(source)
    if module is None:
        return
    module.fill(folder, source, report)
    tables = {k.removeprefix("table."): n for k, n in report.counts.items() if k.startswith("table.")}
    held = Manifest.read(folder)
    issues = [issue.as_dict() for issue in report.issues]
    replace(held, issues=issues, tables={**held.tables, **tables}, extra=plain_facts(report.facts)).write(folder)


def version(source: Source) -> int:
    """Version of the tables that a source gives."""
    return VERSION.get((source.format, source.kind), VERSION.get(source.format, 0))


def _exists(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # the package above it
        return False
