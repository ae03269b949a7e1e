"""Runs every kernel of snapshots once on a few events, so that the first real file does not wait for the compiler."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from insight_desktop.engine.memory import blocks as bl
from insight_desktop.engine.memory import fill_snapshot
from insight_desktop.engine.memory.snapshot_data import Snapshot
from insight_desktop.engine.memory.snapshot_state import fragmentation_of, state_of
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source


def _content() -> dict[str, Any]:
    frames = [{"filename": "warm.py", "line": 1, "name": "warm"}]
    actions = (("segment_alloc", 0), ("segment_map", 4096), ("segment_unmap", 4096), ("alloc", 0), ("alloc", 512),
               ("free_requested", 0), ("free_completed", 0))  # fmt: skip
    trace = [
        {"action": a, "addr": at, "size": 512, "stream": 0, "frames": list(frames), "time_us": 1} for a, at in actions
    ]
    block = {"address": 512, "size": 512, "requested_size": 480, "state": "active_allocated", "frames": frames}
    segment = {"device": 0, "address": 0, "total_size": 4096, "stream": 0, "segment_pool_id": (0, 0), "blocks": [block]}
    return {"segments": [segment], "device_traces": [trace]}


def warm() -> None:
    """Read, pair, replay, raster and paint a small snapshot."""
    with tempfile.TemporaryDirectory() as folder:
        path, capture = Path(folder) / "warm.pickle", Path(folder) / "capture"
        path.write_bytes(pickle.dumps(_content(), protocol=4))
        capture.mkdir()
        fill_snapshot.fill(capture, Source("snapshot_pickle", "snapshot", (path,)), Report())
        device = Snapshot(capture).device()
        device.totals("requested")
        fragmentation_of(state_of(device, device.events - 1))
        chart = device.chart()
        ids = bl.raster(chart, 0.0, float(chart.last), 8, 8, float(chart.peak[1]))
        bl.put_inside(ids, chart, 0, chart, len(chart), (0.0, float(chart.last)), float(chart.peak[1]))
        bl.paint(ids, np.concatenate([chart.hash, chart.hash]), np.zeros(24, np.uint32), 0)
        del device, chart  # memory maps are closed before the folder goes
