"""Reads files of lines: `name start length`, or a command: `die`, `refuse`, `break`, `wait <file>`, `slow <batches>`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from tests.support.plain_stream import stream

from insight_desktop.errors import BadFile
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source


def read(source: Source, report: Report, *, threads: int = 1) -> Iterator[tuple[str, pa.RecordBatch]]:
    slices = []
    for at, line in enumerate(source.files[0].read_text().splitlines()):
        words = line.split()
        if words[0] == "die":
            os._exit(9)
        elif words[0] == "refuse":
            raise BadFile("The file is damaged at byte 7.", fix="Copy it again.")
        elif words[0] == "break":
            raise ValueError("unheard of")
        elif words[0] == "full":
            raise OSError(28, "No space left on device")
        elif words[0] == "wait":
            Path(words[1]).with_suffix(".begun").touch()
            while not Path(words[1]).exists():
                report.checkpoint(at, source.size_bytes, "waiting")
                time.sleep(0.01)
        elif words[0] != "#":
            start, length = int(words[1]), int(words[2])
            slices.append({"pid": 1, "tid": 1, "name": words[0], "start_ns": start, "end_ns": start + length})
            report.checkpoint(at, source.size_bytes, "lines")
    report.add("threads", threads)
    report.facts["pid"] = os.getpid()
    yield from stream(slices=slices, size=10)
