"""Memory snapshots: import, the state map at random events, frames of the block chart."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass
class SnapshotFigures:
    """Seconds and peak memory of an import; processor milliseconds of a state and of frames."""

    events: int
    seconds: float
    peak_rss_mb: float
    state_ms: float
    first_frame_ms: float
    pan_ms: float


def run(path: Path) -> SnapshotFigures:
    """Import a snapshot into a fresh cache, then ask and paint as the page does."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "insight_desktop", "--cache", folder, "import", str(path)],
            check=True,
            capture_output=True,
            text=True,
        )
        report = json.loads(done.stdout)
        capture = next(p.parent for p in Path(folder).rglob("snapshot.json"))
        return _asked(capture, float(report["cards"][0]["seconds"]), float(report["peak_rss_mb"]))


def _asked(capture: Path, seconds: float, rss: float) -> SnapshotFigures:
    from insight_desktop.engine.memory import blocks as bl
    from insight_desktop.engine.memory.snapshot_data import Snapshot
    from insight_desktop.engine.memory.snapshot_state import fragmentation_of, state_of

    device = Snapshot(capture).device()
    choose = random.Random(3)
    fragmentation_of(state_of(device, 0))

    def moment() -> None:
        fragmentation_of(state_of(device, choose.randrange(device.events)))

    states = [_ms(moment) for _ in range(21)]
    chart = device.chart()
    palette = np.arange(24, dtype=np.uint32) + np.uint32(0xFF000000)
    top, span = float(chart.peak[1]), float(chart.last)

    def frame(low: float, high: float) -> float:
        return _ms(lambda: bl.paint(bl.raster(chart, low, high, 1500, 530, top), chart.hash, palette, 0))

    frame(0.0, 10.0)
    pans = [frame(span * (0.3 + k / 100), span * (0.5 + k / 100)) for k in range(21)]
    return SnapshotFigures(device.events, seconds, rss, _middle(states), frame(0.0, span), _middle(pans))


def _ms(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000


def _middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]
