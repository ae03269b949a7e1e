"""One module per format. Each offers SNIFF facts and a reader with the shape of `Reader`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import pyarrow as pa

from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

Stream = Iterator[tuple[str, pa.RecordBatch]]


class Reader(Protocol):
    """Shape of a format module."""

    def sniff(self, path: str, head: bytes) -> bool:
        """True when a file with this name and these first bytes is of the format."""
        ...

    def read(self, source: Source, report: Report, *, threads: int = 1) -> Stream:
        """Yield (table name of schema.STREAM, batch). Closing the iterator stops the work.

        Raises BadFile when nothing of the source can be used; smaller defects go to the report.
        """
        ...
