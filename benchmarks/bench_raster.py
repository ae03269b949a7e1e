"""Time of one viewport raster (image, labels, marks) at random zooms and places of a big capture."""

from __future__ import annotations

import random
import statistics
import time
from pathlib import Path

import numpy as np

from benchmarks import make_capture
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.timeline import raster

PX, FRAMES = 1_340, 400


def windows(capture: Capture, frames: int = FRAMES, seed: int = 11) -> list[tuple[int, int]]:
    """Zooms from the whole data to 2 µs, spread evenly over the logarithm, at random places."""
    rnd = random.Random(seed)
    start, span = capture.manifest.view_start_ns, capture.manifest.view_span_ns
    out = []
    for _ in range(frames):
        width = max(2_000, int(span * 10 ** (-8 * rnd.random())))
        at = start + int((span - width) * rnd.random())
        out.append((at, at + width))
    return out


def run(folder: Path, slices: int) -> dict[str, float]:
    """p50, p99 (median of three rounds) in ms over 40 lanes."""
    capture = make_capture.write(folder / f"capture_{slices}", slices)
    lanes = np.arange(len(capture.lane_offset) - 1, dtype=np.int32)
    palette = np.arange(24, dtype=np.uint32) * 0x000A0A0A | np.uint32(0xFF000000)
    image = np.empty((len(lanes), PX), np.uint32)
    halves, tails = [], []
    raster.slice_image(capture, lanes, *windows(capture)[0], PX, palette, out=image)
    raster.spans(capture, lanes, *windows(capture)[0], PX)
    for _ in range(3):
        times = []
        for t0, t1 in windows(capture):
            began = time.perf_counter()
            raster.slice_image(capture, lanes, t0, t1, PX, palette, out=image)
            raster.spans(capture, lanes, t0, t1, PX)
            raster.zero_marks(capture, lanes, t0, t1, PX)
            times.append(1e3 * (time.perf_counter() - began))
        times.sort()
        halves.append(times[len(times) // 2])
        tails.append(times[int(len(times) * 0.99)])
    return {
        "slices": capture.manifest.counts["slices"],
        "p50_ms": statistics.median(halves),
        "p99_ms": statistics.median(tails),
    }


if __name__ == "__main__":
    import sys

    print(run(Path(sys.argv[1]), int(sys.argv[2])))
