"""Stream tables of a serving run that is kept in databases or csv files: running numbers, lanes, counters, chains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.ingest.formats.service_chains import Chains
from insight_desktop.ingest.formats.trace_names import metrics_of

Stream = Iterator[tuple[str, pa.RecordBatch]]
Array = npt.NDArray[Any]


@dataclass
class Process:
    """What the tree shows of a process."""

    name: str = ""
    label: str = ""
    sort: float | None = None


@dataclass
class ServiceStream:
    """Collects what the stream tables need to know of each other.

    Attributes:
        processes: by pid.
        chains: the points of requests.
        lanes: (pid, title of the lane) by track id.
        sort: order of lanes by (pid, title); null sorts last.
    """

    processes: dict[str, Process] = field(default_factory=dict)
    chains: Chains = field(default_factory=Chains)
    lanes: list[tuple[str, str]] = field(default_factory=list)
    sort: dict[tuple[str, str], float | None] = field(default_factory=dict)
    strings: dict[str, int] = field(default_factory=dict)
    _tracks: dict[tuple[str, str], int] = field(default_factory=dict)
    _series: dict[tuple[str, str, str], int] = field(default_factory=dict)
    _args_at: int = 0

    def string(self, text: str) -> int:
        """Id of a text."""
        return self.strings.setdefault(text, len(self.strings))

    def track(self, pid: str, lane: str) -> int:
        """Id of a lane."""
        found = self._tracks.setdefault((pid, lane), len(self._tracks))
        if found == len(self.lanes):
            self.lanes.append((pid, lane))
        return found

    def series(self, pid: str, counter: str, key: str) -> int:
        """Id of a line of a counter."""
        return self._series.setdefault((pid, counter, key), len(self._series))

    def args(self, texts: pa.Array) -> tuple[bytes, Array, Array]:
        """Details laid end to end, and where each begins (-1 none) and how long it is."""
        length = np.asarray(pc.binary_length(texts), np.int64)
        pieces = b"".join(texts.to_pylist())
        at = self._args_at + np.cumsum(length) - length
        self._args_at += len(pieces)
        return pieces, np.where(length > 0, at, -1), length.astype(np.int32)

    def slices(self, track: Array, start: Array, end: Array, name: Array, args: pa.Array) -> Stream:
        """Stream batches of slices; args are texts as bytes."""
        if not len(track):
            return
        pieces, at, length = self.args(args)
        if pieces:
            yield "args", schema.batch("args", bytes=[pieces])
        clamped = end < start
        self.chains.add_slices(track, start)
        yield (
            "slice",
            schema.batch(
                "slice", track=track, start_ns=start, end_ns=np.maximum(start, end), name=name,
                category=np.full(len(track), -1, np.int32), flags=np.where(clamped, schema.CLAMPED, 0).astype(np.uint8),
                args_at=at, args_len=length, group=np.full(len(track), -1, np.int32),
            ),
        )  # fmt: skip

    def ends(self) -> Stream:
        """Links, tracks, series and strings."""
        links = self.chains.links()
        if links is not None:
            yield "link", links
        yield "track", self._track_batch()
        yield "series", self._series_batch()
        yield "string", schema.batch("string", value=list(self.strings))

    def _track_batch(self) -> pa.RecordBatch:
        rows = []
        for pid, lane in self.lanes:
            process = self.processes.get(pid, Process())
            rows.append(
                {
                    "pid": pid, "process": process.name or pid or "(no process)", "process_label": process.label,
                    "process_sort": process.sort, "tid": lane, "thread": lane, "thread_sort": self.sort.get((pid, lane)),
                    "group": "", "lane": lane, "lane_sort": 0, "role": schema.ROLE_THREAD, "device": -1,
                }
            )  # fmt: skip
        return pa.RecordBatch.from_pylist(rows, schema=schema.STREAM["track"].schema)

    def _series_batch(self) -> pa.RecordBatch:
        rows = []
        for order, (pid, counter, key) in enumerate(self._series):
            process = self.processes.get(pid, Process())
            rows.append(
                {
                    "pid": pid, "process": process.name or pid or "(no process)", "process_label": process.label,
                    "process_sort": process.sort, "metrics": metrics_of(process.label, counter), "counter": counter,
                    "series": key, "unit": "", "order": order, "device": -1,
                }
            )  # fmt: skip
        return pa.RecordBatch.from_pylist(rows, schema=schema.STREAM["series"].schema)
