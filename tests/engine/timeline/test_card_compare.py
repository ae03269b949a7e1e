"""Two cards by name and slice by slice."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.plain_build import build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.card_compare import compare, matched_slices, partner

S2 = {"pid": 9, "process": "Ascend Hardware", "tid": 2, "thread": "Stream 2"}
S3 = {"pid": 9, "process": "Ascend Hardware", "tid": 3, "thread": "Stream 3"}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    base = [
        {**S2, "name": "add", "start_ns": 0, "end_ns": 10},
        {**S2, "name": "mul", "start_ns": 10, "end_ns": 40},
        {**S2, "name": "add", "start_ns": 50, "end_ns": 70},
        {**S3, "name": "old", "start_ns": 0, "end_ns": 5},
    ]
    # Another process id, recorded 1000 ns later.
    card = [
        {**S2, "pid": 77, "name": "add", "start_ns": 1000, "end_ns": 1016},
        {**S2, "pid": 77, "name": "mul", "start_ns": 1016, "end_ns": 1026},
        {**S3, "pid": 77, "name": "add", "start_ns": 1050, "end_ns": 1150},
    ]
    made = []
    for rank, (slices, offset) in enumerate(((base, 0), (card, 1000))):
        folder = build(tmp_path / str(rank), slices=slices).folder
        made.append(StoreCard(str(rank), str(rank), rank, "", "text", folder, offset_ns=offset))
    return Store(made)


def test_sums_per_name_stand_side_by_side_largest_difference_first(store: Store) -> None:
    assert compare(store, base="0", card="1").to_pylist() == [
        {"name": "add", "base_count": 2, "count": 2, "base_sum_ns": 30, "sum_ns": 116, "delta_ns": 86},
        {"name": "mul", "base_count": 1, "count": 1, "base_sum_ns": 30, "sum_ns": 10, "delta_ns": -20},
        {"name": "old", "base_count": 1, "count": 0, "base_sum_ns": 5, "sum_ns": 0, "delta_ns": -5},
    ]


def test_a_range_is_the_same_stretch_of_the_axis_on_both_cards(store: Store) -> None:
    clipped = compare(store, base="0", card="1", from_ns=1005, to_ns=1020)
    assert clipped.to_pylist() == [
        {"name": "add", "base_count": 1, "count": 1, "base_sum_ns": 5, "sum_ns": 11, "delta_ns": 6},
        {"name": "mul", "base_count": 1, "count": 1, "base_sum_ns": 10, "sum_ns": 4, "delta_ns": -6},
        {"name": "old", "base_count": 1, "count": 0, "base_sum_ns": 0, "sum_ns": 0, "delta_ns": 0},
    ]
    whole = compare(store, base="0", card="1", from_ns=1005, to_ns=1020, whole=True)
    assert {r["name"]: r["delta_ns"] for r in whole.to_pylist()} == {"mul": -20, "add": 6, "old": -5}


def test_the_kth_slice_of_a_lane_meets_the_kth_of_the_lane_of_that_title(store: Store) -> None:
    lane = "Ascend Hardware › Stream "
    assert matched_slices(store, base="0", card="1", name="add").to_pylist() == [
        {"lane": f"{lane}2", "ordinal": 1, "base_id": 0, "id": 0, "base_dur_ns": 10, "dur_ns": 16, "delta_ns": 6},
        {
            "lane": f"{lane}3",
            "ordinal": 1,
            "base_id": None,
            "id": 2,
            "base_dur_ns": None,
            "dur_ns": 100,
            "delta_ns": None,
        },
        {
            "lane": f"{lane}2",
            "ordinal": 2,
            "base_id": 2,
            "id": None,
            "base_dur_ns": 20,
            "dur_ns": None,
            "delta_ns": None,
        },
    ]
    assert matched_slices(store, base="0", card="1", name="none").num_rows == 0
    assert partner(store, card="1", slice_id=1, other="0") == 1
    assert partner(store, card="0", slice_id=2, other="1") is None


def test_host_threads_of_other_numbers_match_in_their_order(tmp_path: Path) -> None:
    def card(folder: Path, numbers: tuple[str, str]) -> StoreCard:
        lanes = [{"pid": 1, "process": "Python", "tid": tid, "thread": f"Thread {tid}"} for tid in numbers]
        rows = [{**lanes[0], "name": "add", "start_ns": t, "end_ns": t + 10 * (t + 1)} for t in (0, 100)]
        rows.append({**lanes[1], "name": "add", "start_ns": 50, "end_ns": 70})
        return StoreCard(folder.name, None, 0, "", "text", build(folder, slices=rows).folder)

    store = Store([card(tmp_path / "a", ("30901", "30955")), card(tmp_path / "b", ("41201", "41277"))])
    found = matched_slices(store, base="a", card="b", name="add").to_pylist()
    assert [(r["base_dur_ns"], r["dur_ns"], r["delta_ns"]) for r in found] == [
        (10, 10, 0),
        (1010, 1010, 0),
        (20, 20, 0),
    ]
    other = store.capture("a")
    place = next(r["base_id"] for r in found if r["base_dur_ns"] == 20)
    assert int(other.slice_start[place]) == 50
    assert [partner(store, card="b", slice_id=r["id"], other="a") for r in found] == [r["base_id"] for r in found]


def test_names_that_differ_in_addresses_alone_are_one_name(tmp_path: Path) -> None:
    lane = {"pid": 1, "process": "Python", "tid": 7, "thread": "Thread 7"}

    def card(folder: Path, spans: list[tuple[str, int, int]]) -> StoreCard:
        rows = [{**lane, "name": name, "start_ns": start, "end_ns": end} for name, start, end in spans]
        return StoreCard(folder.name, None, 0, "", "text", build(folder, slices=rows).folder)

    head = "torch/nn.py(9): <function f at "
    a = [(f"{head}0x7f01aa>", 0, 10), (f"{head}0x7f02BB>", 20, 50), ("relu 0xab", 60, 70)]
    b = [(f"{head}0x55aa01>", 100, 104), ("relu 0xab", 160, 165), (f"{head}0x55aa01>", 200, 260)]
    store = Store([card(tmp_path / "a", a), card(tmp_path / "b", b)])
    assert compare(store, base="a", card="b").to_pylist() == [
        {"name": f"{head}0x…>", "base_count": 2, "count": 2, "base_sum_ns": 40, "sum_ns": 64, "delta_ns": 24},
        {"name": "relu 0xab", "base_count": 1, "count": 1, "base_sum_ns": 10, "sum_ns": 5, "delta_ns": -5},
    ]  # fewer than four digits are a number, not an address
    for name in (f"{head}0x…>", f"{head}0x7f02BB>"):
        found = matched_slices(store, base="a", card="b", name=name).to_pylist()
        assert [(r["ordinal"], r["base_dur_ns"], r["dur_ns"], r["delta_ns"]) for r in found] == [
            (1, 10, 4, -6),
            (2, 30, 60, 30),
        ]
    assert [partner(store, card="a", slice_id=i, other="b") for i in range(3)] == [0, 2, 1]
    assert partner(store, card="b", slice_id=2, other="a") == 1
