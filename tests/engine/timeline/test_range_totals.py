"""Figures of ranges, worked out by hand, and against plain loops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support import plain_build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.range_totals import counter_totals, lane_totals, union_ns
from insight_desktop.engine.timeline.slice_list import slice_list, slice_list_details, slice_list_totals

MS = 1_000_000
LANE: dict[str, Any] = {"pid": 1, "tid": 1, "thread": "A"}
OTHER: dict[str, Any] = {"pid": 1, "tid": 2, "thread": "B"}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    slices = [
        {**LANE, "name": "x", "start_ns": 0, "end_ns": 10 * MS},
        {**LANE, "name": "y", "start_ns": 6 * MS, "end_ns": 8 * MS},
        {**LANE, "name": "z", "start_ns": 15 * MS, "end_ns": 15 * MS},
        {**OTHER, "name": "x", "start_ns": 9 * MS, "end_ns": 12 * MS},
        {**OTHER, "name": "far", "start_ns": 30 * MS, "end_ns": 40 * MS},
    ]
    counters = [
        {"process": "HBM", "counter": "Read", "series": "GB/s", "ts_ns": t * MS, "value": v}
        for t, v in ((0, 2.0), (10, 4.0), (16, None), (18, 1.0))
    ]
    capture = plain_build.build(tmp_path / "c", slices=slices, counters=counters)
    return Store([StoreCard("0", "0", 0, "", "text", capture.folder)])


def test_parts_inside_the_range_count_by_default(store: Store) -> None:
    # [5, 20] ms: x 5 ms, y 2 ms, z 0; busy 5; idle 10..15 and 15..20. Lane B: 9..12, idle 12..20.
    found = lane_totals(store, card="0", tracks=[0, 1], from_ns=5 * MS, to_ns=20 * MS).to_pylist()
    assert [(r["lane"], r["slices"], r["sum_ns"], r["busy_ns"], r["gap_ns"]) for r in found] == [
        ("A", 3, 7 * MS, 5 * MS, 5 * MS),
        ("B", 1, 3 * MS, 3 * MS, 8 * MS),
        ("", 4, 10 * MS, 7 * MS, 5 * MS),
    ]
    assert found[0]["busy_ratio"] == pytest.approx(1 / 3)


def test_whole_slices_count_in_full_on_demand(store: Store) -> None:
    found = lane_totals(store, card="0", tracks=[0], from_ns=5 * MS, to_ns=20 * MS, whole=True).to_pylist()
    assert (found[0]["slices"], found[0]["sum_ns"], found[0]["busy_ns"]) == (3, 12 * MS, 10 * MS)
    assert found[0]["gap_ns"] == 5 * MS


def test_an_idle_range_is_one_gap(store: Store) -> None:
    found = lane_totals(store, card="0", tracks=[1], from_ns=13 * MS, to_ns=20 * MS).to_pylist()[0]
    assert (found["slices"], found["sum_ns"], found["busy_ns"], found["gap_ns"]) == (0, 0, 0, 7 * MS)


def test_no_lanes_give_a_total_of_nothing(store: Store) -> None:
    found = lane_totals(store, card="0", tracks=[], from_ns=0, to_ns=0).to_pylist()
    assert [(r["slices"], r["busy_ratio"], r["gap_ns"]) for r in found] == [(0, None, 0)]


@pytest.mark.row("system-timeline", 102)
def test_counter_figures_are_weighted_by_time_and_leave_gaps_out(store: Store) -> None:
    # [5, 20] ms: 2 for 5 ms, 4 for 6 ms, a gap of 2 ms, 1 for 2 ms: 36 per 13 ms.
    found = counter_totals(store, card="0", series=[0], from_ns=5 * MS, to_ns=20 * MS).to_pylist()[0]
    assert (found["counter"], found["series"], found["values"]) == ("Read", "GB/s", 2)
    assert (found["min"], found["max"], found["delta"]) == (1.0, 4.0, -1.0)
    assert found["mean"] == pytest.approx(36 / 13)
    assert found["integral"] == pytest.approx(0.036)


@pytest.mark.row("system-timeline", 102)
def test_a_counter_without_a_value_has_no_figures(store: Store) -> None:
    found = counter_totals(store, card="0", series=[0], from_ns=16 * MS + 1, to_ns=17 * MS).to_pylist()[0]
    assert (found["values"], found["min"], found["mean"], found["delta"], found["integral"]) == (
        0,
        None,
        None,
        None,
        None,
    )


@pytest.mark.parametrize("seed", range(20))
def test_the_union_equals_that_of_a_plain_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    starts = rng.integers(0, 100, 30)
    ends = starts + rng.integers(0, 12, 30)
    plain = plain_build.union([(int(a), int(b)) for a, b in zip(starts, ends, strict=True)])
    assert union_ns(starts, ends)[0] == plain


def test_lanes_with_an_offset_of_their_own_are_asked_where_they_are_drawn(store: Store) -> None:
    store.set_lane_offsets("0", {1: 4 * MS})
    # Lane B stands 4 ms further left: its x is drawn at 5..8, so [5, 20] ms of the card hold all of it.
    found = lane_totals(store, card="0", tracks=[0, 1], from_ns=5 * MS, to_ns=20 * MS).to_pylist()
    assert [(r["lane"], r["slices"], r["sum_ns"], r["busy_ns"], r["gap_ns"]) for r in found] == [
        ("A", 3, 7 * MS, 5 * MS, 5 * MS),
        ("B", 1, 3 * MS, 3 * MS, 12 * MS),
        ("", 4, 10 * MS, 5 * MS, 5 * MS),
    ]


def test_the_slice_list_joins_lanes_as_they_are_drawn(store: Store) -> None:
    where = {"card": "0", "tracks": (0, 1), "from_ns": 5 * MS, "to_ns": 20 * MS}
    store.set_lane_offsets("0", {1: 4 * MS})
    rows = slice_list(store, **where).to_pylist()
    found = [(r["name"], r["count"], r["sum_ns"], r["busy_ns"], r["self_ns"]) for r in rows]
    # x: 5..10 on A (2 ms of it in y), 5..8 on B.
    assert found == [("x", 2, 8 * MS, 5 * MS, 6 * MS), ("y", 1, 2 * MS, 2 * MS, 2 * MS), ("z", 1, 0, 0, 0)]
    total = slice_list_totals(store, **where).to_pylist()[0]
    assert (total["count"], total["sum_ns"], total["busy_ns"], total["self_ns"]) == (4, 10 * MS, 5 * MS, 8 * MS)
    details = slice_list_details(store, **where, name="x").to_pylist()
    assert [(r["ts_ns"], r["dur_ns"], r["whole_ns"], r["track"]) for r in details] == [
        (0, 5 * MS, 10 * MS, 0),
        (9 * MS, 3 * MS, 3 * MS, 1),
    ]
    store.set_lane_offsets("0", {})
    assert slice_list_totals(store, **where).to_pylist()[0]["busy_ns"] == 7 * MS
