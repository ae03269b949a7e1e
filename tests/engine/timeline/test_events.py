"""The Events View: which columns the kinds of lanes have, what a process or thread holds, sorting and names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.memory_files import open_store
from tests.support.plain_build import build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import timeline

pytestmark = pytest.mark.row("system-timeline", 85)
COMMON = ["id", "name", "ts_ns", "dur_ns", "whole_ns", "track", "row"]


def s(
    process: str, tid: str, lane: str, role: str, name: str, start_ns: int, end_ns: int, group: str = ""
) -> dict[str, Any]:
    return {
        "pid": {"Python": "5"}.get(process, process), "process": process, "tid": tid, "thread": f"Thread {tid}" if group else lane,
        "lane": lane, "group": group, "name": name, "start_ns": start_ns, "end_ns": end_ns, "role": role,
    }  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Store:
    build(
        tmp_path / "0",
        slices=[
            s("Python", "51", "Thread 51", "thread", "aten::add", 0, 30), s("Python", "51", "acl", "thread", "launch", 5, 9, "CANN"),
            s("Python", "51", "domain", "mstx", "mark", 6, 8, "MSTX"), s("Python", "52", "Thread 52", "thread", "aten::mul", 40, 90),
            s("Ascend Hardware", "2", "Stream 2", "stream", "Add", 10, 20),
            s("HCCL", "0", "Group 0", "group", "allReduce", 40, 100), s("HCCL", "1", "Plane 0", "plane", "Notify_Wait", 50, 70),
            s("CCU", "1", "CCU 1", "other", "block", 50, 70), s("Overlap Analysis", "3", "Free", "overlap", "Free", 120, 200),
        ],
    )  # fmt: skip
    return Store([StoreCard("7", "7", 0, "", "text", tmp_path / "0")])


def columns(store: Store, *further: str, **arguments: Any) -> list[tuple[Any, ...]]:
    found = timeline.events(store, **arguments)
    assert found.column_names == [*COMMON, *further]
    return [tuple(r[c] for c in ("name", "ts_ns", "dur_ns", *further)) for r in found.to_pylist()]


def test_a_thread_has_all_its_lanes_with_thread_and_process(store: Store) -> None:
    assert columns(store, "tid", "pid", process="Python", thread="51") == [
        ("aten::add", 0, 30, "51", "5"), ("launch", 5, 4, "51", "5"), ("mark", 6, 2, "51", "5"),
    ]  # fmt: skip


def test_a_process_joins_its_threads(store: Store) -> None:
    assert [r[0] for r in columns(store, "tid", "pid", process="Python")] == [
        "aten::mul",
        "aten::add",
        "launch",
        "mark",
    ]


def test_streams_have_their_name_and_rank(store: Store) -> None:
    assert columns(store, "stream", "rank", process="Ascend Hardware") == [("Add", 10, 10, "Stream 2", "7")]


def test_communication_has_its_group_and_rank(store: Store) -> None:
    assert columns(store, "group", "rank", process="HCCL") == [
        ("allReduce", 40, 60, "Group 0", "7"), ("Notify_Wait", 50, 20, "Group 0", "7"),
    ]  # fmt: skip
    assert columns(store, "group", "rank", process="CCU") == [("block", 50, 20, "CCU 1", "7")]


def test_the_overlap_analysis_has_its_kind_and_rank(store: Store) -> None:
    assert columns(store, "analysis_type", "rank", process="Overlap Analysis") == [("Free", 120, 80, "Free", "7")]


def test_lanes_by_their_numbers_with_names_sorting_and_pages(store: Store) -> None:
    lanes = [r["process"] for r in timeline.lanes(store).to_pylist()]
    tracks = [i for i, process in enumerate(lanes) if process == "Python"]
    assert [r[0] for r in columns(store, "tid", "pid", tracks=tracks, name="ATEN", sort="ts_ns", descending=False)] == [
        "aten::add", "aten::mul",
    ]  # fmt: skip
    assert [r[0] for r in columns(store, "tid", "pid", tracks=tracks, offset=1, limit=2)] == ["aten::add", "launch"]
    assert timeline.events_count(store, tracks=tracks, name="aten").to_pylist() == [{"count": 2, "sum_ns": 80}]
    assert timeline.events(store, process="nobody").num_rows == 0


@pytest.mark.row("system-timeline", 56)
def test_a_range_cuts_events(store: Store) -> None:
    found = timeline.events(store, process="Python", from_ns=7, to_ns=50).to_pylist()
    assert [(r["name"], r["dur_ns"], r["whole_ns"]) for r in found] == [
        ("aten::add", 23, 30), ("aten::mul", 10, 50), ("launch", 2, 4), ("mark", 1, 2),
    ]  # fmt: skip
    assert timeline.events_count(store, process="Python", from_ns=7, to_ns=50, whole=True).column(
        "sum_ns"
    ).to_pylist() == [86]


def test_a_real_process_of_a_database_has_all_slices_of_its_threads(real: Callable[[str], Path]) -> None:
    store = open_store(real("db_level1/rank0_ascend_pt"))
    lanes = timeline.lanes(store).to_pylist()
    mine = [lane for lane in lanes if lane["process"] == "Process 3136493"]
    found = timeline.events_count(store, process="Process 3136493").to_pylist()[0]
    assert found == {"count": sum(x["slices"] for x in mine), "sum_ns": sum(x["sum_ns"] for x in mine)}
    assert found["count"] == 2460 + 710  # rows of PYTORCH_API and CANN_API
    device = timeline.events(store, process="Ascend Hardware", limit=1).to_pylist()[0]
    assert (device["rank"], device["stream"][:7]) == ("0", "Stream ")
