"""Result csv files of a serving run without its events: batches and forward passes become the timeline.

`batch.csv` and `forward.csv` tell when something ran and for which requests; the other files have figures only
(see `service_results`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats.service_results import View, column, results_of_csv
from insight_desktop.ingest.formats.service_stream import Process, ServiceStream
from insight_desktop.ingest.formats.service_values import data_parallel, items_of, ms_to_ns
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

Stream = Iterator[tuple[str, pa.RecordBatch]]

_HEADS = (b"http_rid,", b"res_list,", b"kvcache_usage_rate", b"relative_start_time", b"relative_timestamp(ms)")
_PLANNING = ("BatchSchedule", "batchFrameworkProcessing")


def sniff(path: str, head: bytes) -> bool:
    """True for csv files whose first line has the columns of a result table."""
    return Path(path).suffix == ".csv" and any(word in head.split(b"\n", 1)[0] for word in _HEADS)


def read(source: Source, report: Report, *, threads: int = 1) -> Stream:  # noqa: ARG001  (shape of all readers)
    """Yield slices of batches and forward passes.

    Raises BadFile when none of the files can be used.
    """
    views = results_of_csv(list(source.files), Report())  # what is wrong with them is told when they are filled in
    if not any(view.table is not None for view in views):
        raise BadFile(
            f"{source.files[0].name} holds no result table of a serving run.",
            fix="Export the data again, or open profiler.db or chrome_tracing.json.",
        )
    to = ServiceStream()
    for view in views:
        if view.name in ("batch_info", "forward_info"):
            yield from _slices(view, to)
    yield from to.ends()


def _slices(view: View, to: ServiceStream) -> Stream:
    table = view.table
    if table is None or not table.num_rows:
        return
    forward = view.name == "forward_info"
    heads = ("name", "start_time", "end_time", "prof_id", "res_list", "batch_type", "dp_rank", "batch_size")
    track, start, end, names, texts = [], [], [], [], []
    for name, a, b, prof, items, kind, dp, size in zip(*(column(table, head) for head in heads), strict=True):
        began, ended = ms_to_ns(a), ms_to_ns(b)
        if began is None or ended is None:
            continue
        host, pid = _process(prof)
        rank = data_parallel(dp)
        label = host + (f",dp{rank}" if rank is not None else "")
        to.processes.setdefault(pid, Process("forward" if forward else "schedule", label, float(forward)))
        track.append(to.track(pid, "Schedule" if name in _PLANNING else "Execute"))
        start.append(began)
        end.append(ended)
        names.append(to.string(str(name or "(no name)")))
        texts.append(orjson.dumps(_details(items, kind, rank, size)))
    yield from to.slices(
        np.array(track, np.int32), np.array(start, np.int64), np.array(end, np.int64), np.array(names, np.int32),
        pa.array(texts, pa.binary()),
    )  # fmt: skip


def _process(prof: Any) -> tuple[str, str]:
    """Host and pid of a name like `ms_service_node-a-1001`."""
    host, _, pid = str(prof or "").removeprefix("ms_service_").rpartition("-")
    return host, pid or "0"


def _details(items: Any, kind: Any, rank: int | None, size: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"batch_type": kind, "batch_size": None if size is None else str(size)}
    if rank is not None:
        found["dp_rank"] = str(rank)
    if items is not None:
        keys = (
            ("rid", "rid"), ("iteration", "iter"), ("kind", "type"), ("scheduled", "num_scheduled_tokens"),
            ("prompt", "num_prompt_tokens"), ("computed", "num_computed_tokens"), ("spec", "num_spec_output_tokens"),
            ("accepted", "num_spec_accepted_tokens"),
        )  # fmt: skip
        found["res_list"] = [
            {key: value for name, key in keys if (value := getattr(item, name)) is not None} for item in items_of(items)
        ]
    return found
