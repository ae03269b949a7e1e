"""Small databases with one thing each: which lane, which name, which link."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.ingest.formats.profiler_db_maker import NONE, T0, TID, Got, make_db, task

S = {
    1: "AI_CORE",
    3: "opA",
    4: "opB",
    5: "Enqueue",
    6: "Dequeue",
    7: "forward",
    8: "backward",
    9: "comm",
    10: "hcom",
    20: "g0",
    21: "g1",
    30: "dom",
    31: "mark",
}
STRINGS = list(S.items())


def api(
    start: int, end: int, name: int, connection: int | None, kind: int = 50001, tid: int = TID
) -> tuple[object, ...]:
    return (str(T0 + start), str(T0 + end), tid, connection, name, None, None, None, None, None, kind)


def mark(start: int, end: int, domain: int, connection: int = NONE) -> tuple[object, ...]:
    return (T0 + start, T0 + end, 2, 0, 0, 31, TID, TID, domain, connection)


@pytest.mark.row("system-timeline", 19)
@pytest.mark.row("system-timeline", 21)
def test_lanes_of_a_host_thread_come_in_order(tmp_path: Path) -> None:
    got = Got(
        make_db(
            tmp_path / "a.db", STRING_IDS=STRINGS,
            PYTORCH_API=[api(0, 9, 3, None), api(1, 5, 4, None, 50003)],
            OSRT_API=[(3, TID, T0, T0 + 1)], GC_RECORD=[(T0 + 2, T0 + 4, TID)],
            CANN_API=[(T0, T0 + 1, kind, TID, n, 3) for n, kind in enumerate((5000, 5500, 10000, 15000, 20000, 30000))],
            MSTX_EVENTS=[mark(0, 3, NONE), mark(1, 1, 30)],
        )
    )  # fmt: skip
    assert [(group, lane) for _, _, group, lane in got.display()] == [
        ("", "PyTorch"), ("", "OS Runtime API"), ("", "Python GC"), ("", "pytorch"), ("CANN", "acl"), ("CANN", "model"),
        ("CANN", "node"), ("CANN", "communication"), ("CANN", "runtime"), ("MSTX", "MSTX"), ("MSTX", "dom"),
        ("", "Python Stack 78"),
    ]  # fmt: skip
    assert {(p, t) for p, t, _, _ in got.display()} == {("Process 77", "Thread 78")}
    assert got.named("Python GC") == [("Python GC", 2, 2)]
    assert got.named("dom") == [("mark", 1, 0)]
    assert [track["role"] for track in got.tracks if track["lane"] == "Python Stack 78"] == ["python_stack"]


def test_host_threads_are_ordered_by_the_text_of_their_id(tmp_path: Path) -> None:
    tids = [(9 << 32) | 5, (77 << 32) | 1000, (77 << 32) | 78]
    got = Got(make_db(tmp_path / "a.db", PYTORCH_API=[api(0, 1, 3, None, tid=tid) for tid in tids]))
    # As texts: 330712481800 < 330712482... < 38654705669
    assert [(p, t) for p, t, _, _ in got.display()] == [
        ("Process 77", "Thread 78"),
        ("Process 77", "Thread 1000"),
        ("Process 9", "Thread 5"),
    ]


def test_tasks_are_named_by_operator_then_schedule_then_type(tmp_path: Path) -> None:
    got = Got(
        make_db(
            tmp_path / "a.db", STRING_IDS=STRINGS, TASK=[task(0, 5, 1), task(6, 7, 2), task(8, 9, 3)],
            COMPUTE_TASK_INFO=[(3, 1, 8, 0, 1, 3)], COMMUNICATION_SCHEDULE_TASK_INFO=[(9, 2, 1, 3)],
        )
    )  # fmt: skip
    assert got.named("Stream 2") == [("opA", 0, 5), ("comm", 6, 1), ("AI_CORE", 8, 1)]


def test_marked_tasks_get_lanes_before_their_stream(tmp_path: Path) -> None:
    got = Got(
        make_db(
            tmp_path / "a.db", STRING_IDS=STRINGS,
            TASK=[task(0, 1, 1, connection=900), task(2, 3, 2, connection=901), task(4, 5, 3), task(6, 7, 4, stream=1)],
            MSTX_EVENTS=[mark(-5, -1, NONE, 900), mark(-4, -1, 30, 901), mark(-3, -3, 30)],
        )
    )  # fmt: skip
    hardware = [lane for process, _, _, lane in got.display() if process == "Ascend Hardware"]
    assert hardware == ["Stream 1", "Stream 2 MSTX domain dom", "Stream 2 MSTX", "Stream 2"]
    assert got.named("Stream 2 MSTX") == [("mark", 0, 1)]
    assert got.links("MsTx") == [("mark", "mark", 900), ("mark", "mark", 901)]


COMM = [(10, T0, T0 + 50, 70, 21, 1, 0, 0, 4, 1, 8, 1), (10, T0 + 60, T0 + 90, 71, 20, 2, 0, 0, 4, 1, 8, 1)]


def small(number: int, group: int, plane: int) -> tuple[int, ...]:
    return (10, number, 9, plane, group, 0, 65535, 0, 1, 0, 1024, 4, 1, 1)


def communication(tmp_path: Path, version: str | None, groups: object = None) -> list[str]:
    meta = ([("SCHEMA_VERSION", version)] if version else []) + (
        [("parallel_group_info", json.dumps(groups))] if groups else []
    )
    got = Got(
        make_db(
            tmp_path / "a.db", STRING_IDS=STRINGS, TASK=[task(0, 10, 1), task(20, 30, 2), task(60, 70, 3)],
            COMMUNICATION_OP=COMM, META_DATA=meta,
            COMMUNICATION_TASK_INFO=[small(1, 21, 1), small(2, 21, 0), small(3, 20, NONE)],
        )
    )  # fmt: skip
    assert got.named("Plane 0") == [("comm", 20, 10)]
    assert [(row["text"]) for row in got.slices if row["role"] == "group"] == ["hcom", "hcom"]
    return [lane for process, _, _, lane in got.display() if process == "Communication"]


@pytest.mark.row("system-timeline", 19)
def test_groups_of_schema_1_0_are_numbered_and_invalid_planes_hidden(tmp_path: Path) -> None:
    assert communication(tmp_path, "1.0.0") == ["Group 0 Communication", "Group 1 Communication", "Plane 0", "Plane 1"]


def test_groups_without_a_version_are_numbered(tmp_path: Path) -> None:
    assert communication(tmp_path, None)[0] == "Group 0 Communication"


def test_groups_of_later_schemas_are_named_with_their_parallel_group(tmp_path: Path) -> None:
    lanes = communication(tmp_path, "1.1.0", {"g1": {"group_name": "tp", "group_rank": 0, "global_ranks": [4, 5]}})
    assert lanes == ["Group g0 Communication", "tp:Group g1 Communication", "Plane 0", "Plane 1"]


def test_operators_without_tasks_are_shown(tmp_path: Path) -> None:
    got = Got(make_db(tmp_path / "a.db", STRING_IDS=STRINGS, COMMUNICATION_OP=COMM))
    assert [row["text"] for row in got.slices if row["role"] == "group"] == ["hcom", "hcom"]


def test_overlap_is_computed_from_tasks_and_operators(tmp_path: Path) -> None:
    # Computing 0-10, 20-30, 25-40; communication 5-22, 50-60.
    got = Got(
        make_db(
            tmp_path / "a.db", STRING_IDS=STRINGS, TASK=[task(0, 10, 1), task(20, 30, 2), task(25, 40, 3, stream=3), task(-50, 99, 4)],
            COMPUTE_TASK_INFO=[(3, n, 8, 0, 1, 3) for n in (1, 2, 3)],
            COMMUNICATION_OP=[(10, T0 + 5, T0 + 22, 70, 20, 1, 0, 0, 4, 1, 8, 1), (10, T0 + 50, T0 + 60, 71, 20, 2, 0, 0, 4, 1, 8, 1)],
        )
    )  # fmt: skip
    assert got.named("Computing") == [("Computing", 0, 10), ("Computing", 20, 20)]
    assert got.named("Communication") == [("Communication", 5, 17), ("Communication", 50, 10)]
    assert got.named("Communication(Not Overlapped)") == [
        ("Communication(Not Overlapped)", 10, 10),
        ("Communication(Not Overlapped)", 50, 10),
    ]
    assert got.named("Free") == [("Free", 40, 10)]


@pytest.mark.row("system-timeline", 89)
def test_links_follow_the_connections(tmp_path: Path) -> None:
    got = Got(
        make_db(
            tmp_path / "a.db", STRING_IDS=STRINGS,
            PYTORCH_API=[
                api(0, 5, 7, 0), api(50, 55, 8, 1), api(1, 2, 5, 2, 50002), api(3, 4, 6, 2, 50002), api(6, 7, 3, None),
            ],
            CONNECTION_IDS=[(0, 500), (0, 501), (0, 9000), (1, 9000), (2, 9001)],
            CANN_API=[(T0 + 2, T0 + 3, 10000, TID, 500, 3), (T0 + 4, T0 + 5, 10000, TID, 501, 3), (T0, T0 + 1, 20000, TID, 502, 3)],
            TASK=[task(10, 20, 1, connection=500), task(21, 22, 2, connection=500), task(25, 30, 3, connection=502), task(31, 40, 4, connection=501)],
            COMPUTE_TASK_INFO=[(3, 1, 8, 0, 1, 3), (4, 2, 8, 0, 1, 3), (4, 4, 8, 0, 1, 3)],
            COMMUNICATION_OP=[(10, T0 + 31, T0 + 50, 501, 20, 1, 0, 0, 4, 1, 8, 1)],
        )
    )  # fmt: skip
    # 500 reaches two kernels; 501 reaches the operator, which stands for its kernel; 502 no computing task.
    assert sorted(got.links("HostToDevice")) == [("opA", "hcom", 501), ("opA", "opA", 500), ("opA", "opB", 500)]
    assert sorted(got.links("async_npu")) == [
        ("forward", "hcom", 501),
        ("forward", "opA", 500),
        ("forward", "opB", 500),
    ]
    assert got.links("async_task_queue") == [("Enqueue", "Dequeue", 9001)]
    assert got.links("fwdbwd") == [("forward", "backward", 9000)]
    assert got.report.counts["flow_ends"] == 8
    assert got.report.counts["flow_starts"] == 5


def test_devices_get_rows_of_their_own_when_there_are_several(tmp_path: Path) -> None:
    got = Got(
        make_db(
            tmp_path / "a.db", STRING_IDS=STRINGS,
            TASK=[task(0, 5, 1, device=1, connection=70), task(6, 9, 2, device=0, connection=71)],
            COMPUTE_TASK_INFO=[(3, 1, 8, 0, 1, 3), (4, 2, 8, 0, 1, 3)], COMMUNICATION_OP=COMM,
        )
    )  # fmt: skip
    lanes = [(process, lane) for process, _, _, lane in got.display() if process[:3] in ("Asc", "Com")]
    assert lanes == [
        ("Ascend Hardware (NPU 0)", "Stream 2"), ("Communication (NPU 0)", "Group 0 Communication"),
        ("Ascend Hardware (NPU 1)", "Stream 2"), ("Communication (NPU 1)", "Group 1 Communication"),
    ]  # fmt: skip
    assert {t["process"]: t["device"] for t in got.tracks if t["role"] == "group"} == {
        "Communication (NPU 0)": 0,
        "Communication (NPU 1)": 1,
    }


def test_ccu_rows_have_a_lane(tmp_path: Path) -> None:
    got = Got(make_db(tmp_path / "a.db", CCU=[(0, 1, 3, T0, T0 + 5, 4)]))
    assert got.display() == [("CCU", "communication", "", "communication")]
    assert got.named("communication") == [("opA", 0, 5)]


def test_only_used_names_are_sent(tmp_path: Path) -> None:
    got = Got(make_db(tmp_path / "a.db", STRING_IDS=[(n, f"s{n}") for n in range(1000)], TASK=[task(0, 5, 1, kind=7)]))
    assert got.strings == ["s7"]


def test_equal_texts_of_two_ids_are_one_name(tmp_path: Path) -> None:
    got = Got(
        make_db(
            tmp_path / "a.db",
            STRING_IDS=[(1, "x"), (268435456, "x")],
            TASK=[task(0, 5, 1)],
            PYTORCH_API=[api(0, 1, 268435456, None)],
        )
    )
    assert got.strings == ["x"]


def test_depth_of_another_viewer_is_not_used(tmp_path: Path) -> None:
    columns = {
        "TASK": "depth INTEGER, startNs INTEGER, endNs INTEGER, streamId INTEGER, deviceId INTEGER, taskType INTEGER"
    }
    got = Got(make_db(tmp_path / "a.db", columns=columns, TASK=[(7, T0, T0 + 4, 2, 0, 3)]))
    assert got.named("Stream 2") == [("opA", 0, 4)]
