"""The Slice List on a small run worked out by hand, and against plain sums over real lanes."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support import plain_trace
from tests.support.memory_files import open_store
from tests.support.plain_build import build, union

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import timeline
from insight_desktop.errors import BadArgument

MS = 1_000_000


def row(*numbers: int) -> pytest.MarkDecorator:
    return pytest.mark.row("system-timeline", *numbers)


def s(tid: int, name: str, start_ns: int, end_ns: int) -> dict[str, Any]:
    return {"pid": 5, "process": "Python", "tid": tid, "name": name, "start_ns": start_ns, "end_ns": end_ns}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    # Thread 1: a [0, 100] > b [10, 40], b [50, 120] (reaches beyond a, so it is no child) ; b > c [15, 25], c [15, 15]
    # Thread 2: a [80, 180], b [200, 200]
    build(
        tmp_path / "0",
        slices=[
            s(1, "a", 0, 100), s(1, "b", 10, 40), s(1, "b", 50, 120), s(1, "c", 15, 25), s(1, "c", 30, 30),
            s(2, "a", 80, 180), s(2, "b", 200, 200),
        ],
    )  # fmt: skip
    return Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])


def by_name(store: Store, **arguments: Any) -> dict[str, list[int]]:
    found = timeline.slice_list(store, **arguments).to_pylist()
    return {str(r.pop("name")): list(r.values()) for r in found}


@row(65)
def test_sums_busy_and_self_times_of_whole_data(store: Store) -> None:
    # count, sum, busy, self, avg, min, max, p50, p95
    assert by_name(store) == {
        "a": [2, 200, 180, 170, 100, 100, 100, 100, 100],
        "b": [3, 100, 100, 90, 33, 0, 70, 30, 70],
        "c": [2, 10, 10, 10, 5, 0, 10, 0, 10],
    }


@row(65)
def test_totals_add_up_slices_and_join_intervals(store: Store) -> None:
    found = timeline.slice_list_totals(store).to_pylist()[0]
    assert found == {
        "name": "Totals", "count": 7, "sum_ns": 310, "busy_ns": 180, "self_ns": 270, "avg_ns": 44, "min_ns": 0,
        "max_ns": 100, "p50_ns": 30, "p95_ns": 100,
    }  # fmt: skip


@row(65, 56)
def test_a_range_cuts_slices_and_children(store: Store) -> None:
    # [20, 90]: a 70 (child b 20: 20) + a 10; b [20, 40] (child c 5) + [50, 90]; c 5 + 0
    assert by_name(store, from_ns=20, to_ns=90) == {
        "a": [2, 80, 70, 60, 40, 10, 70, 10, 70],
        "b": [2, 60, 60, 55, 30, 20, 40, 20, 40],
        "c": [2, 5, 5, 5, 2, 0, 5, 0, 5],
    }


@row(65, 56)
def test_whole_slices_keep_their_durations_and_all_their_children(store: Store) -> None:
    # [28, 90]: c [15, 25] lies before the range, but is still a child of b [10, 40]
    assert by_name(store, from_ns=28, to_ns=90, clip=False) == {
        "a": [2, 200, 180, 170, 100, 100, 100, 100, 100],
        "b": [2, 100, 100, 90, 50, 30, 70, 30, 70],
        "c": [1, 0, 0, 0, 0, 0, 0, 0, 0],
    }


@row(65, 56)
def test_a_slice_half_inside_counts_half_unless_whole_slices_are_asked(tmp_path: Path) -> None:
    build(tmp_path / "0", slices=[s(1, "a", 0, 10 * MS)])
    store = Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])
    assert by_name(store, from_ns=5 * MS, to_ns=20 * MS)["a"][:2] == [1, 5 * MS]
    assert by_name(store, from_ns=5 * MS, to_ns=20 * MS, clip=False)["a"][:2] == [1, 10 * MS]


@row(65)
def test_lanes_and_depth_rows_are_chosen(store: Store) -> None:
    assert set(by_name(store, tracks="1")) == {"a", "b"}
    assert by_name(store, tracks=[0], row_lo=1, row_hi=1)["b"][0] == 2
    assert by_name(store, tracks=[0], row_lo=2) == {"c": [2, 10, 10, 10, 5, 0, 10, 0, 10]}
    assert by_name(store, name="B").keys() == {"b"}
    assert by_name(store, tracks="") == {}


def test_what_is_not_there_is_told(store: Store) -> None:
    with pytest.raises(BadArgument, match="no lane 7"):
        timeline.slice_list(store, tracks="7")
    with pytest.raises(BadArgument, match="tracks cannot be"):
        timeline.slice_list(store, tracks="x")
    with pytest.raises(BadArgument, match="ends"):
        timeline.slice_list(store, from_ns=2, to_ns=1)
    with pytest.raises(BadArgument, match="no column"):
        timeline.slice_list_details(store, sort="colour")


@row(66)
def test_details_of_a_name_are_sorted_and_paged(store: Store) -> None:
    found = timeline.slice_list_details(store, name="b").to_pylist()
    assert [(r["ts_ns"], r["dur_ns"]) for r in found] == [(50, 70), (10, 30), (200, 0)]
    found = timeline.slice_list_details(
        store, name="b", from_ns=100, to_ns=300, sort="ts_ns", descending=False
    ).to_pylist()
    assert [(r["ts_ns"], r["dur_ns"], r["whole_ns"]) for r in found] == [(50, 20, 70), (200, 0, 0)]
    found = timeline.slice_list_details(store, sort="ts_ns", descending=False, offset=1, limit=2).to_pylist()
    assert [(r["name"], r["ts_ns"], r["track"], r["row"]) for r in found] == [("b", 10, 0, 1), ("c", 15, 0, 2)]
    assert timeline.slice_list_details(store, name="nobody").num_rows == 0


@row(66)
def test_the_first_pages_of_many_slices_are_those_of_the_full_order(tmp_path: Path) -> None:
    slices = [s(1, f"n{i % 7}", i * 10, i * 10 + (i * 37) % 9) for i in range(100_000)]
    store = _columns_only(tmp_path, slices)
    expected = sorted(((x["end_ns"] - x["start_ns"], -x["start_ns"]) for x in slices), reverse=True)
    first = timeline.slice_list_details(store, offset=20, limit=30).to_pylist()
    assert [(r["dur_ns"], -r["ts_ns"]) for r in first] == expected[20:50]
    deep = timeline.slice_list_details(store, offset=60_000, limit=5).to_pylist()
    assert [(r["dur_ns"], -r["ts_ns"]) for r in deep] == expected[60_000:60_005]
    lengths = sorted(x["end_ns"] - x["start_ns"] for x in slices if x["name"] == "n0")
    figures = by_name(store)["n0"]
    assert figures[7:] == [lengths[(len(lengths) * 50 + 99) // 100 - 1], lengths[(len(lengths) * 95 + 99) // 100 - 1]]


def _columns_only(tmp_path: Path, slices: list[dict[str, Any]]) -> Store:
    build(tmp_path / "0", slices=slices)
    return Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])


@row(65)
def test_real_lanes_agree_with_plain_sums(real: Callable[[str], Path]) -> None:
    store = open_store(real("text_level2/rank0_ascend_pt"))
    events = plain_trace.slices(plain_trace.events(next(real("text_level2").rglob("trace_view.json"))))
    mine = [e for e in events if e["pid"] == "3254508960" and e["tid"] == "2"]
    lanes = timeline.lanes(store).to_pylist()
    track = next(i for i, lane in enumerate(lanes) if lane["lane"] == "Stream 2")
    found = by_name(store, tracks=[track])
    low, high = 1736412474760000000, 1736412474790000000
    clipped = by_name(store, tracks=[track], from_ns=low, to_ns=high)
    for name in {e["name"] for e in mine}:
        spans = [(e["start_ns"], e["end_ns"]) for e in mine if e["name"] == name]
        lengths = [b - a for a, b in spans]
        assert found[name][:3] == [len(spans), sum(lengths), union(spans)]
        assert found[name][7] == statistics.median_low(lengths)
        inside = [(max(a, low), min(b, high)) for a, b in spans if b >= low and a <= high]
        assert clipped.get(name, [0, 0])[:2] == [len(inside), sum(b - a for a, b in inside)]
