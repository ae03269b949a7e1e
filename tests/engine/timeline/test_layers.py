"""Which lanes make a layer, for traces and databases, with one device and several."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.support.memory_files import open_store
from tests.support.plain_build import build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import timeline
from insight_desktop.engine.timeline import layers


def s(process: str, tid: str, lane: str, role: str, name: str = "x") -> dict[str, Any]:
    return {
        "pid": process, "process": process, "tid": tid, "thread": lane, "name": name, "start_ns": 0, "end_ns": 5, "role": role,
    }  # fmt: skip


def titles(store: Store, view: layers.View) -> list[str]:
    lanes = store.capture("0").tracks.column("lane").to_pylist()
    return [lanes[t] for t in layers.tracks_of(store, "0", view)]


@pytest.mark.row("system-timeline", 68)
def test_layers_of_a_trace_are_its_processes(tmp_path: Path) -> None:
    build(
        tmp_path / "0",
        slices=[
            s("Python", "1", "T1", "thread"), s("Python", "2", "Stack", "python_stack"), s("CANN", "1", "C1", "thread"),
            s("python3", "1", "other", "thread"), s("Ascend Hardware", "2", "Stream 2", "stream"),
            s("Communication", "0", "Group 0", "group"), s("HCCL", "1", "Plane 0", "plane"),
            s("Overlap Analysis", "0", "Free", "overlap", "Free"),
        ],
    )  # fmt: skip
    store = Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])
    assert titles(store, "python_api") == ["Stack", "T1"]
    assert titles(store, "cann_api") == ["C1"]
    assert titles(store, "ascend_hw") == ["Stream 2"]
    assert titles(store, "communication") == ["Group 0", "Plane 0"]
    assert titles(store, "overlap") == ["Free"]


def test_planes_of_a_trace_follow_their_group_and_those_of_a_database_name_it(tmp_path: Path) -> None:
    build(
        tmp_path / "0",
        slices=[
            s("HCCL", "0", "A", "group"), s("HCCL", "1", "A0", "plane"), s("HCCL", "2", "A1", "plane"),
            s("HCCL", "3", "B", "group"), s("HCCL", "10", "B0", "plane"), s("Communication", "91", "C", "group"),
            s("Communication", "91_0", "C0", "plane"), s("Communication", "91_1", "C1", "plane"),
            s("Communication", "77_0", "alone", "plane"), s("Communication", "92", "D", "group"),
        ],
    )  # fmt: skip
    store = Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])
    lanes = store.capture("0").tracks.column("lane").to_pylist()
    found = {lanes[group]: [lanes[p] for p in planes] for group, planes in layers.group_planes(store, "0")}
    assert found == {"A": ["A0", "A1"], "B": ["B0"], "C": ["C0", "C1"], "D": []}


def test_kinds_of_the_overlap_analysis_are_the_names_of_its_slices(tmp_path: Path) -> None:
    build(
        tmp_path / "0",
        slices=[
            s("Overlap Analysis", "0", "0", "overlap", "Computing"), s("Overlap Analysis", "1", "1", "overlap", "Free"),
            s("Overlap Analysis", "1", "1", "overlap", "something"),
        ],
    )  # fmt: skip
    store = Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])
    found = layers.overlap_slices(store, "0", 2, 4)
    assert {kind: (end - start).tolist() for kind, (_, start, end) in found.items()} == {
        "Computing": [2], "Communication": [], "Communication(Not Overlapped)": [], "Free": [2],
    }  # fmt: skip


@pytest.fixture
def two_devices(real: Callable[[str], Path], tmp_path: Path) -> Store:
    """A database with a task of a second device, which another process owns, and host calls of both."""
    folder = tmp_path / "rank0_ascend_pt"
    shutil.copytree(real("db_level1/rank0_ascend_pt"), folder)
    path = next(folder.rglob("ascend_pytorch_profiler_0.db"))
    path.chmod(0o644)
    with closing(sqlite3.connect(path)) as database, database:
        first = "FROM TASK ORDER BY startNs LIMIT 1"
        columns = "startNs, endNs, connectionId, taskType, contextId, streamId, taskId, modelId"
        database.execute(
            f"INSERT INTO TASK ({columns}, deviceId, globalTaskId, globalPid) SELECT {columns}, 1, -5, 4242 {first}"
        )
        tid = (4242 << 32) | 7
        columns = "startNs, endNs, type, name"
        database.execute(
            f"INSERT INTO CANN_API ({columns}, globalTid, connectionId) SELECT {columns}, ?, -1 FROM CANN_API LIMIT 1",
            (tid,),
        )
    return open_store(folder)


@pytest.mark.row("system-timeline", 68)
def test_layers_of_a_database_leave_other_devices_and_their_processes_out(two_devices: Store) -> None:
    lanes = timeline.lanes(two_devices).to_pylist()
    assert "Ascend Hardware (NPU 1)" in {lane["process"] for lane in lanes}
    assert "4242" in {lane["pid"] for lane in lanes}
    counts = {
        view: timeline.summary(two_devices, view=view).column("count").to_pylist() for view in ("cann_api", "ascend_hw")
    }
    assert sum(counts["cann_api"]) == 710
    assert sum(counts["ascend_hw"]) == 2 + 232 + 6 + 312
    assert {lanes[t]["pid"] for t in layers.tracks_of(two_devices, "0", "cann_api")} == {"3136493"}


@pytest.mark.row("system-timeline", 70)
def test_overall_metrics_are_those_of_the_device(two_devices: Store) -> None:
    found = [r["total_ns"] for r in timeline.overall_metrics(two_devices).to_pylist() if not r["parent"]]
    assert found == [8_903_431, 98_071_947, 25_258_144, 132_233_522]
