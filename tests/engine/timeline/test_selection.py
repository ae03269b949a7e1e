from __future__ import annotations

from pathlib import Path

from tests.support import plain_build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.selection import SliceFacts, slice_facts

LANE = {"pid": 1, "tid": 1}


def test_a_slice_is_told_among_the_slices_of_its_name(tmp_path: Path) -> None:
    slices = [
        {**LANE, "name": "a", "start_ns": 0, "end_ns": 100},
        {**LANE, "name": "b", "start_ns": 130, "end_ns": 140},
        {**LANE, "name": "a", "start_ns": 200, "end_ns": 230},
        {**LANE, "name": "a", "start_ns": 300, "end_ns": 350},
    ]
    store = Store([StoreCard("0", "0", 0, "", "text", plain_build.build(tmp_path / "c", slices=slices).folder)])
    assert slice_facts(store, card="0", slice_id=0) == SliceFacts(3, 180, 1.0, None)
    assert slice_facts(store, card="0", slice_id=1) == SliceFacts(1, 10, None, 30)
    assert slice_facts(store, card="0", slice_id=3) == SliceFacts(3, 180, 0.5, 70)
