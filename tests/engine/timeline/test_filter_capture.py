"""A filtered capture looks like one that never had the other slices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.support.plain_build import build

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import filter as filters
from insight_desktop.engine.timeline import raster
from insight_desktop.engine.timeline.filter_capture import filtered
from insight_desktop.engine.timeline.levels import levels

PALETTE = np.array([0xFF112233, 0xFF445566, 0xFF778899], np.uint32)
LANE = {"pid": 1, "tid": 1}
# 6000 slices of 100 ns and, between them, 6000 of 1, 2, 3, … ns; all in one row.
LONG = [{**LANE, "name": f"long {i % 3}", "start_ns": 10_000 * i, "end_ns": 10_000 * i + 100} for i in range(6000)]
SHORT = [
    {**LANE, "name": "short", "start_ns": 10_000 * i + 200, "end_ns": 10_000 * i + 201 + i % 50} for i in range(6000)
]


def store_of(capture: Capture) -> Store:
    return Store([StoreCard("0", "0", 0, "", "text", capture.folder)])


def test_it_is_painted_as_if_the_other_slices_were_not_there(tmp_path: Path) -> None:
    store = store_of(build(tmp_path / "both", slices=[*LONG, *SHORT]))
    found = filtered(filters.of_card(store, "0", "dur>=100"))
    alone = build(tmp_path / "long", slices=LONG)
    assert len(found.ids) == 6000
    assert found.ids[:4].tolist() == [0, 2, 4, 6]
    assert found.lane_offset.tolist() == [0, 6000]
    assert [level.shift for level in levels(found)][:2] == [0, 16]  # 2^14 ns hold fewer than two slices
    for t0, t1 in ((5_000, 400_000), (20_000, 30_500)):
        images = [raster.slice_image(c, np.array([0]), t0, t1, 300, PALETTE) for c in (found, alone)]
        assert images[0].tolist() == images[1].tolist()
    # From afar the merged runs are those of the long slices alone: seven begin in the first 2^16 ns.
    coarse = levels(found)[1]
    assert (int(coarse.start[0]), int(coarse.end[0])) == (0, 60_100)
    assert (int(coarse.start[1]), int(coarse.end[1])) == (70_000, 130_100)


def test_the_same_filter_is_made_once_and_other_columns_follow(tmp_path: Path) -> None:
    slices = [{**LONG[0], "cat": "x"}, {**LONG[1], "cat": "y"}, {**LONG[2], "cat": "x"}]
    store = store_of(build(tmp_path / "c", slices=slices, links=[(0, 1, "flow")]))
    found = filtered(filters.of_card(store, "0", "cat:x"))
    assert found is filtered(filters.of_card(store, "0", "cat:x"))
    assert [found.text(int(i)) for i in found.slice_category] == ["x", "x"]
    assert (len(found.link_from), found.tracks.num_rows, found.slice_start.tolist()) == (0, 1, [0, 20_000])
