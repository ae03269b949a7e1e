"""Titles, order, roles and devices of lanes; where counters go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.formats.trace_help import Read, read_bytes, read_files

from insight_desktop.ingest.formats.trace_names import group_title, metrics_of, role_of


def meta(name: str, pid: object, args: Any, tid: object = 0) -> dict[str, Any]:
    return {"ph": "M", "name": name, "pid": pid, "tid": tid, "args": args}


def x(pid: object = 1, tid: object = 1, **more: Any) -> dict[str, Any]:
    return {"ph": "X", "name": "op", "pid": pid, "tid": tid, "ts": 1, "dur": 1, **more}


def read(folder: Path, *events: dict[str, Any]) -> Read:
    return read_bytes(folder, json.dumps(events))


def test_metadata_behind_the_events_counts_and_the_last_one_wins(tmp_path: Path) -> None:
    r = read(
        tmp_path, x(), meta("process_name", 1, {"name": "old"}), meta("process_name", "1", {"name": "new"}),
        meta("thread_name", 1, {"name": "main"}, 1), meta("process_labels", 1, {"labels": "CPU"}),
        meta("process_sort_index", 1, {"sort_index": "-5"}), meta("thread_sort_index", 1, {"sort_index": 2.5}, 1),
    )  # fmt: skip
    (track,) = r.tracks
    assert (track["process"], track["thread"], track["lane"], track["process_label"]) == ("new", "main", "main", "CPU")
    assert (track["process_sort"], track["thread_sort"], track["lane_sort"]) == (-5.0, 2.5, 0)


def test_without_metadata_the_ids_are_the_titles(tmp_path: Path) -> None:
    (track,) = read(tmp_path, x(7, 9)).tracks
    assert (track["process"], track["thread"], track["process_sort"], track["thread_sort"]) == ("7", "9", None, None)


def test_threads_named_by_metadata_only_are_no_tracks(tmp_path: Path) -> None:
    r = read(tmp_path, x(), meta("thread_name", 1, {"name": "idle"}, 2), meta("process_name", 5, {"name": "idle"}))
    assert [t["tid"] for t in r.tracks] == ["1"]


@pytest.mark.parametrize("args", [None, {}, {"name": None}, [1], "x"])
def test_metadata_without_a_usable_value_is_counted(tmp_path: Path, args: Any) -> None:
    r = read(tmp_path, x(), meta("process_name", 1, args))
    assert r.tracks[0]["process"] == "1"
    assert r.codes == {"bad_metadata": 1}


def test_a_sort_index_that_is_no_number_sorts_last(tmp_path: Path) -> None:
    r = read(tmp_path, x(), meta("process_sort_index", 1, {"sort_index": "first"}))
    assert r.tracks[0]["process_sort"] is None


def test_python_functions_have_a_lane_below_their_thread(tmp_path: Path) -> None:
    r = read(tmp_path, x(cat="python_function"), x(cat="cpu_op"), meta("thread_name", 1, {"name": "Thread 1"}, 1))
    lanes = {t["lane"]: t for t in r.tracks}
    assert set(lanes) == {"Thread 1", "Python Stack 1"}
    assert (lanes["Python Stack 1"]["role"], lanes["Python Stack 1"]["thread"]) == ("python_stack", "Thread 1")
    assert lanes["Python Stack 1"]["lane_sort"] > lanes["Thread 1"]["lane_sort"]


@pytest.mark.parametrize(
    ("process", "title", "role"),
    [
        ("Ascend Hardware", "Stream 12", "stream"),
        ("Ascend Hardware", "odd", "other"),
        ("Communication", "Group 3 Communication", "group"),
        ("HCCL", "Communication", "group"),
        ("Communication", "Plane 0", "plane"),
        ("Communication", "odd", "other"),
        ("Overlap Analysis", "Computing", "overlap"),
        ("Python", "Thread 7", "thread"),
        ("python3", "stream 7 ", "stream"),
        ("1993459 aclGraph", "stream165", "stream"),
        ("CANN", "Thread 5", "thread"),
    ],
)
def test_roles_go_by_name(process: str, title: str, role: str) -> None:
    assert role_of(process, title) == role


@pytest.mark.parametrize(
    ("pid", "name", "label", "device"),
    [
        ((4242 << 10) | (13 << 5) | 3, "Ascend Hardware", "NPU", 3),
        ((4242 << 10) | (14 << 5) | 31, "CANN", "CPU", -1),
        ((4242 << 10) | (14 << 5) | 2, "Python", "CPU", -1),
        (5, "Ascend Hardware", "NPU 6", 6),
        ("device", "Ascend Hardware", "NPU", -1),
        (0, "python", "GPU 1", 1),
    ],
)
def test_devices_come_from_packed_ids_or_labels(
    tmp_path: Path, pid: object, name: str, label: str, device: int
) -> None:
    r = read(
        tmp_path, x(pid), meta("process_name", pid, {"name": name}), meta("process_labels", pid, {"labels": label})
    )
    assert r.tracks[0]["device"] == device


def test_group_names_stand_before_the_titles_of_their_lanes(tmp_path: Path) -> None:
    info = tmp_path / "profiler_metadata.json"
    info.write_text(json.dumps({"parallel_group_info": {"g_13": {"group_name": "tp", "group_rank": 0}}}))
    trace = tmp_path / "trace_view.json"
    events = [
        x(1, 1), x(1, 2), x(1, 3), meta("process_name", 1, {"name": "Communication"}),
        meta("thread_name", 1, {"name": "Group g_13 Communication"}, 1),
        meta("thread_name", 1, {"name": "Group other Communication"}, 2),
        meta("thread_name", 1, {"name": "Plane 0"}, 3),
    ]  # fmt: skip
    trace.write_text(json.dumps(events))
    r = read_files(trace, extras=(("profiler_metadata", info),))
    assert [t["lane"] for t in r.tracks] == ["tp:Group g_13 Communication", "Group other Communication", "Plane 0"]


def test_a_group_key_with_an_aicpu_part_is_found() -> None:
    assert group_title("Group g_1 Aicpu Communication", {"g_1": "dp"}) == "dp:Group g_1 Aicpu Communication"


@pytest.mark.parametrize(
    ("label", "counter", "metrics"),
    [
        ("CPU", "HBM 0/Read", "CPU Metrics"),
        ("host", "x", "CPU Metrics"),
        ("NPU 3", "CPU usage", "NPU Metrics"),
        ("", "HBM 0/Read", "NPU Metrics"),
        ("", "CPU Avg Usage", "CPU Metrics"),
        ("", "Disk Usage", "CPU Metrics"),
        ("", "Memory Usage", "CPU Metrics"),
        ("", "Network Usage", "CPU Metrics"),
        ("", "NPU Memory Usage", "NPU Metrics"),
        ("", "anything", "NPU Metrics"),
    ],
)
def test_counters_go_to_cpu_or_npu_metrics(label: str, counter: str, metrics: str) -> None:
    assert metrics_of(label, counter) == metrics


def test_series_carry_process_unit_and_order(tmp_path: Path) -> None:
    c = {"ph": "C", "name": "HBM 0/Read", "pid": 8, "ts": 1, "args": {"Read(MB/s)": 1}}
    r = read(
        tmp_path, c, {**c, "name": "HBM 0/Write", "args": {"plain": 2}}, meta("process_name", 8, {"name": "HBM"}),
        meta("process_sort_index", 8, {"sort_index": 17}),
    )  # fmt: skip
    found = [
        (s["process"], s["counter"], s["series"], s["unit"], s["order"], s["process_sort"]) for s in r.tables["series"]
    ]
    assert found == [
        ("HBM", "HBM 0/Read", "Read(MB/s)", "MB/s", 0, 17.0), ("HBM", "HBM 0/Write", "plain", "", 1, 17.0),
    ]  # fmt: skip


def test_titles_of_blanks_only_are_no_titles(tmp_path: Path) -> None:
    lane = [
        {"ph": "X", "name": "a", "ts": 1, "dur": 1, "pid": 1, "tid": 5},
        {"ph": "X", "name": "b", "ts": 1, "pid": " ", "tid": "\t"},
    ]
    names = [("process_name", "\n"), ("thread_name", "  ")]
    titles = [{"ph": "M", "name": name, "pid": 1, "tid": 5, "args": {"name": title}} for name, title in names]
    tracks = read_bytes(tmp_path, json.dumps([*lane, *titles])).tracks
    assert [(t["process"], t["lane"]) for t in tracks] == [("1", "5"), ("(no process)", "(no thread)")]
