"""Writes a capture of millions of slices directly, without a source file: nested host threads and flat device streams."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.engine.capture import SERIES_TOTALS, TRACK_TOTALS, Capture, Manifest, write_column, write_ipc
from insight_desktop.engine.timeline import mipmap

START_NS = 1_767_254_400_000_000_000
SPAN_NS = 600_000_000_000
NAMES = 4_000
HOST_THREADS, HOST_ROWS, STREAMS = 4, 6, 16  # 40 lanes


def write(
    folder: Path, slices: int, seed: int = 3, *, host_threads: int = HOST_THREADS, streams: int = STREAMS
) -> Capture:
    """A capture of about `slices` slices in 6 lanes per host thread and one per stream over 600 s; written once."""
    if (folder / "manifest.json").exists():
        return Capture(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rnd = np.random.default_rng(seed)
    shapes = [HOST_ROWS] * host_threads + [1] * streams
    weights = np.concatenate([0.5 ** np.arange(rows)[::-1].clip(0, 3) / rows if rows > 1 else [1.0] for rows in shapes])
    counts = (slices * weights / weights.sum()).astype(np.int64)
    offset = np.concatenate(([0], np.cumsum(counts)))
    start, end = np.empty(offset[-1], np.int64), np.empty(offset[-1], np.int64)
    for lane, count in enumerate(counts):
        gap = rnd.exponential(1.0, count) * np.where(rnd.random(count) < 0.01, 200.0, 1.0)
        length = rnd.lognormal(0.0, 1.2, count)
        scale = SPAN_NS / (gap.sum() + length.sum())
        own = np.maximum((length * scale).astype(np.int64), 1)
        edge = np.cumsum(own + (gap * scale).astype(np.int64)) + START_NS
        start[offset[lane] : offset[lane + 1]], end[offset[lane] : offset[lane + 1]] = edge - own, edge
    name = rnd.integers(0, NAMES, len(start), dtype=np.int32)
    _slices(folder, start, end, name, offset, shapes)
    _small_tables(folder, start, end, offset, shapes)
    return Capture(folder)


def _slices(folder: Path, start: Any, end: Any, name: Any, offset: Any, shapes: list[int]) -> None:
    lanes = len(offset) - 1
    write_column(folder, "slice_start", start)
    write_column(folder, "slice_end", end)
    write_column(folder, "slice_name", name)
    for column, value in (("category", -1), ("flags", 0), ("args_at", -1), ("args_len", 0)):
        write_column(folder, f"slice_{column}", np.full(len(start), value))
    write_column(folder, "lane_offset", offset)
    write_column(folder, "lane_track", np.repeat(np.arange(len(shapes)), shapes))
    write_column(folder, "lane_row", np.concatenate([np.arange(rows) for rows in shapes]))
    write_column(folder, "track_lane", np.concatenate(([0], np.cumsum(shapes))))
    for level in mipmap.levels(start, end, name, offset, threads=2):
        for part in ("start", "end", "name", "offset"):
            write_column(folder, f"mip_{level.shift}_{part}", getattr(level, part))
    assert lanes == sum(shapes)


def _small_tables(folder: Path, start: Any, end: Any, offset: Any, shapes: list[int]) -> None:
    hashes = np.random.default_rng(1).integers(0, 1 << 63, NAMES, dtype=np.uint64)
    write_column(folder, "string_hash", hashes)
    write_ipc(
        folder,
        "strings",
        pa.table({"value": pa.array([f"kernel_{i}_forward" for i in range(NAMES)], pa.large_string())}),
    )
    write_column(folder, "instant_offset", np.zeros(len(shapes) + 1))
    write_column(folder, "series_offset", np.zeros(1))
    rows, lane = [], 0
    for track, depth in enumerate(shapes):
        low, high = offset[lane], offset[lane + depth]
        host = depth > 1
        process, thread = ("Python", f"Thread {track}") if host else ("Ascend Hardware", f"Stream {track}")
        rows.append({
            "pid": "1" if host else "2", "process": process, "process_label": "CPU" if host else "NPU", "process_sort": float(not host),
            "tid": str(track), "thread": thread, "thread_sort": float(track), "group": "", "lane": thread, "lane_sort": 0,
            "role": schema.ROLE_THREAD if host else schema.ROLE_STREAM, "device": -1 if host else 0, "slices": int(high - low),
            "instants": 0, "rows": depth, "sum_ns": int((end[low:high] - start[low:high]).sum()), "busy_ns": 0,
            "first_ns": int(start[low:high].min()), "last_ns": int(end[low:high].max()),
        })  # fmt: skip
        lane += depth
    fields = [*schema.STREAM["track"].schema, *(pa.field(n, pa.int64()) for n in TRACK_TOTALS)]
    write_ipc(folder, "tracks", pa.Table.from_pylist(rows, pa.schema(fields)))
    fields = [*schema.STREAM["series"].schema, *(pa.field(n, pa.float64()) for n in SERIES_TOTALS)]
    write_ipc(folder, "series", pa.Table.from_pylist([], pa.schema(fields)))
    low, high = int(start.min()), int(end.max())
    counts = {"slices": len(start), "instants": 0, "counters": 0, "flow_starts": 0, "flow_ends": 0, "links": 0}
    shifts = sorted(int(p.name.split("_")[1]) for p in folder.glob("mip_*_start.bin"))
    Manifest(
        source={"format": "generated", "kind": "text", "files": []}, counts=counts, processes=["Python", "Ascend Hardware"],
        start_ns=low, end_ns=high, view_start_ns=low, view_span_ns=high - low, mip_shifts=shifts,
    ).write(folder)  # fmt: skip
