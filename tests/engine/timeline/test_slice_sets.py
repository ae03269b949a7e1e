"""Selections of slices and self times against a plain double loop."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
from tests.support.plain_build import build

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.timeline import slice_sets


def random_capture(folder: Path, seed: int) -> Capture:
    """Two lanes of slices on a coarse grid: touching, equal, zero-length, nested and crossing ones."""
    chance = random.Random(seed)
    slices: list[dict[str, Any]] = []
    for i in range(120):
        start = chance.randrange(60)
        slices.append(
            {
                "pid": 1,
                "tid": i % 2,
                "name": f"n{i % 5}",
                "start_ns": start,
                "end_ns": start + chance.choice((0, 0, 1, 3, 9, 25)),
            }
        )
    return build(folder, slices=slices)


def test_self_times_leave_out_what_lies_inside_on_the_next_row(tmp_path: Path) -> None:
    for seed in range(8):
        capture = random_capture(tmp_path / str(seed), seed)
        start, end = np.asarray(capture.slice_start), np.asarray(capture.slice_end)
        lane = np.repeat(np.arange(len(capture.lane_track)), np.diff(capture.lane_offset))
        for low, high, whole in ((None, None, False), (10, 40, False), (10, 40, True), (25, 25, False)):
            a, b = (low, high) if low is not None and high is not None and not whole else (-1000, 1000)
            picked = slice_sets.pick(capture, None, low, high, whole=whole)
            found = slice_sets.self_times(capture, picked, low, high, whole=whole)
            touching = [i for i in range(len(start)) if low is None or (end[i] >= low and start[i] <= high)]
            assert picked.ids.tolist() == touching
            expected = []
            for i in touching:
                own = min(end[i], b) - max(start[i], a)
                for k in range(len(start)):
                    below = lane[k] == lane[i] + 1 and capture.lane_track[lane[k]] == capture.lane_track[lane[i]]
                    if below and start[k] >= start[i] and end[k] <= end[i]:
                        own -= max(min(end[k], b) - max(start[k], a), 0)
                expected.append(int(own))
            assert found.tolist() == expected


def test_nothing_is_picked_from_an_empty_capture(tmp_path: Path) -> None:
    capture = build(tmp_path / "0", slices=[])
    assert len(slice_sets.pick(capture, None)) == 0
    assert len(slice_sets.pick(capture, ())) == 0


def test_compiling_ahead_runs() -> None:
    slice_sets.warm()
