"""What all timeline tables of a profiler database share: cleaning of times, serials, slice batches, tracks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats.profiler_db_ids import Names, Numbers, Registry
from insight_desktop.ingest.formats.profiler_db_links import LinkEnds
from insight_desktop.ingest.formats.profiler_db_tables import NONE32, NULL, Columns, Database, Ints
from insight_desktop.ingest.report import Report

TIMES = ("startNs", "endNs")
NO_END = 2**63 - 1  # int64 maximum: "no value"

# Tables whose rows have details; a slice names one by its position here.
ARGS_TABLES = (
    "TASK", "COMMUNICATION_TASK_INFO", "COMMUNICATION_OP", "CCU", "PYTORCH_API", "CANN_API", "MSTX_EVENTS", "OSRT_API",
    "GC_RECORD",
)  # fmt: skip


class Rows:
    """State of one reading that the parts share.

    Attributes:
        database, names, report: where rows come from, how they are named, what was wrong.
        tracks: rows of the `track` table; `kind` and `order` in them are settled at the end.
        ends: what can be linked.
        serial: number of slices sent so far.
        devices: devices that have rows.
    """

    def __init__(self, database: Database, names: Names, report: Report) -> None:
        self.database = database
        self.names = names
        self.report = report
        self.tracks = Registry()
        self.ends = LinkEnds()
        self.serial = 0
        self.devices: set[int] = set()

    def clean(self, table: str, found: Columns) -> tuple[Columns, npt.NDArray[np.uint8]]:
        """Rows with a start; the end is never before it. The second result are the flags of the slices."""
        start, end = found["startNs"], found["endNs"]
        if (start == NULL).any():
            keep = start != NULL
            self._issue(table, "no_start", "Rows of {} without a start were left out.", int((~keep).sum()))
            found = {name: values[keep] for name, values in found.items()}
            start, end = found["startNs"], found["endNs"]
        flags = np.zeros(len(start), np.uint8)
        none = (end == NULL) | (end == NO_END)
        bad = none | (end < start)
        if bad.any() or (len(start) and start.min() < 0):
            bad |= end.astype(np.float64) - start > 2.0**63 - 2048  # no int64 holds such a duration
            self._issue(table, "no_end", "Rows of {} without an end are shown with zero length.", int(none.sum()))
            self._issue(
                table,
                "end_before_start",
                "Rows of {} that end before they start are shown with zero length.",
                int((bad & ~none).sum()),
            )
            flags[bad] = schema.CLAMPED
            found = {**found, "endNs": np.where(bad, start, end)}
        return found, flags

    def _issue(self, table: str, code: str, message: str, count: int) -> None:
        if count:
            where = f"{self.database.file.path.name}, table {table}"
            self.report.issue(f"profiler_db.{code}", "warning", where, message.format(table), count=count)

    def readable(self, table: str) -> bool:
        """True when the table is there and has times; a table without them is reported."""
        info = self.database.tables.get(table)
        if info is None:
            return False
        if "startns" not in info.columns:
            self._issue(table, "no_start_column", "Table {} has no column startNs and is not shown.", 1)
            return False
        return True

    def slices(
        self, table: str, track: Numbers, found: Columns, flags: npt.NDArray[np.uint8], name: Numbers
    ) -> tuple[Ints, tuple[str, pa.RecordBatch]]:
        """A `slice` batch and the serials of its rows; `table` is empty for slices without details."""
        rows = len(track)
        serial = np.arange(self.serial, self.serial + rows, dtype=np.int64)
        self.serial += rows
        none = np.full(rows, -1, np.int32)
        number = -1 - ARGS_TABLES.index(table) if table else 0
        batch = schema.batch(
            "slice", track=track, start_ns=found["startNs"], end_ns=found["endNs"], name=name, category=none, flags=flags,
            args_at=found["at"] if table else none.astype(np.int64), args_len=np.full(rows, number, np.int32), group=none,
        )  # fmt: skip
        return serial, ("slice", batch)

    def device_track(self, kind: str, device: int, sub: tuple[Any, ...], **columns: Any) -> int:
        """A track below Ascend Hardware, Communication, CCU or Overlap Analysis."""
        if 0 <= device < NONE32:
            self.devices.add(device)
        return self.tracks.number(
            (kind, device, sub), kind=kind, sub=sub, device=device, group="", lane_sort=0, **columns
        )

    def host_track(self, global_tid: int, lane: str, lane_sort: int, group: str, role: str) -> int:
        """A track below `Process <pid>` and `Thread <tid>`."""
        return self.tracks.number(
            ("host", global_tid, lane, group, lane_sort),
            kind="host", global_tid=global_tid, lane=lane, lane_sort=lane_sort, group=group, role=role, device=-1,
        )  # fmt: skip


def pid_tid(global_tid: int) -> tuple[str, str]:
    """Process and thread id as text."""
    if global_tid == NULL:
        return "(none)", "(none)"
    return str((global_tid >> 32) & NONE32), str(global_tid & NONE32)


def devices_of(column: Ints) -> Ints:
    """Device numbers with -1 for unknown."""
    return np.where((column < 0) | (column >= NONE32), -1, column)
