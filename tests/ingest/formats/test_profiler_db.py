"""Real databases against the oracles of their recording."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.ingest.formats.profiler_db_maker import Got, folder_state, make_db, task

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import profiler_db

Real = Callable[[str], Path]


def database(real: Real, level: int, rank: int) -> Path:
    return real(f"db_level{level}/rank{rank}_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_{rank}.db")


def overlap(got: Got) -> list[int]:
    lanes = ("Computing", "Communication", "Communication(Not Overlapped)", "Free")
    return [
        sum(row["end_ns"] - row["start_ns"] for row in got.lane(lane) if row["role"] == "overlap") for lane in lanes
    ]


@pytest.mark.parametrize(
    ("level", "rank", "sums", "how"),
    [
        (0, 0, [8843910, 89880576, 85881122, 25900158], "computed"),
        (1, 0, [8903431, 102108100, 98071947, 25258144], "recorded"),
        (1, 1, [8915634, 98590190, 94556050, 25840499], "computed"),
        (2, 0, [8900456, 94107521, 90080699, 25238587], "computed"),
    ],
)
def test_overlap_analysis_equals_the_step_times_of_the_collector(
    real: Real, level: int, rank: int, sums: list[int], how: str
) -> None:
    got = Got(database(real, level, rank))
    assert overlap(got) == sums
    assert got.report.facts["overlap"] == how


def test_computed_overlap_has_the_segments_that_were_recorded(real: Real, tmp_path: Path) -> None:
    import sqlite3

    path = Path(shutil.copy(database(real, 1, 0), tmp_path / "a.db"))
    recorded = Got(path)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA journal_mode=delete")
        db.execute("DROP TABLE OVERLAP_ANALYSIS")
    db.close()
    computed = Got(path)
    for lane, rows in (("Computing", 187), ("Communication", 4), ("Communication(Not Overlapped)", 101), ("Free", 90)):
        spans = [sorted((r["start_ns"], r["end_ns"]) for r in got.lane(lane)) for got in (recorded, computed)]
        assert len(spans[0]) == rows
        assert spans[0] == spans[1]
    assert computed.report.facts["derived_slices"] == 382
    assert recorded.report.facts["derived_slices"] == 0


@pytest.mark.row("system-timeline", 89)
@pytest.mark.parametrize("level", [1, 2])
def test_links_of_each_category_are_found(real: Real, level: int) -> None:
    got = Got(database(real, level, 0))
    counts = {
        category: len(got.links(category))
        for category in ("HostToDevice", "async_npu", "async_task_queue", "fwdbwd", "MsTx")
    }
    assert counts == {"HostToDevice": 191, "async_npu": 191, "async_task_queue": 159, "fwdbwd": 27, "MsTx": 0}
    assert got.report.counts["flow_ends"] == 568
    queue = got.links("async_task_queue")
    assert all(source.startswith("Enqueue") and target.startswith("Dequeue") for source, target, _ in queue)
    for link in got.tables["link"]:
        source, target = got.slices[link["from_serial"]], got.slices[link["to_serial"]]
        if got.strings[link["category"]] in ("HostToDevice", "async_npu"):
            assert target["role"] in ("stream", "group")
        else:
            assert source["start_ns"] <= target["start_ns"]


@pytest.mark.row("system-timeline", 19)
@pytest.mark.row("system-timeline", 21)
def test_lanes_of_a_card_come_in_the_order_of_the_tree(real: Real) -> None:
    got = Got(database(real, 2, 0))
    host = [(t, g, lane) for p, t, g, lane in got.display() if p == "Process 3217657"]
    assert host == [
        ("Thread 3217657", "", "PyTorch"), ("Thread 3217657", "CANN", "acl"), ("Thread 3217657", "CANN", "runtime"),
        ("Thread 3217657", "", "Python Stack 3217657"),
        ("Thread 3221195", "", "PyTorch"), ("Thread 3221195", "CANN", "acl"), ("Thread 3221195", "CANN", "node"),
        ("Thread 3221195", "CANN", "hccl"), ("Thread 3221195", "CANN", "runtime"),
        ("Thread 3221196", "CANN", "acl"),
        ("Thread 3227164", "", "PyTorch"), ("Thread 3227164", "CANN", "acl"), ("Thread 3227164", "CANN", "runtime"),
    ]  # fmt: skip
    assert [lane for p, _, _, lane in got.display() if p == "Ascend Hardware"] == [
        "Stream 0",
        "Stream 2",
        "Stream 3",
        "Stream 4",
    ]
    assert [lane for p, _, _, lane in got.display() if p == "Communication"] == [
        "Group 0 Communication",
        *(f"Plane {n}" for n in range(8)),
    ]
    assert [lane for p, _, _, lane in got.display() if p == "Overlap Analysis"] == [
        "Computing",
        "Communication",
        "Communication(Not Overlapped)",
        "Free",
    ]
    processes = list(dict.fromkeys(p for p, _, _, _ in got.display()))
    assert processes == ["Process 3217657", "Ascend Hardware", "Communication", "Overlap Analysis"]
    assert len(got.lane("Python Stack 3217657")) == 1282


def test_every_row_of_the_timeline_tables_becomes_a_slice(real: Real) -> None:
    got = Got(database(real, 2, 0))
    tables = {
        name.removeprefix("table."): rows for name, rows in got.report.counts.items() if name.startswith("table.")
    }
    assert {n: tables[n] for n in ("TASK", "COMPUTE_TASK_INFO", "COMMUNICATION_OP", "CANN_API", "PYTORCH_API")} == {
        "TASK": 552, "COMPUTE_TASK_INFO": 187, "COMMUNICATION_OP": 4, "CANN_API": 1133, "PYTORCH_API": 2460,
    }  # fmt: skip
    roles = [row["role"] for row in got.slices]
    assert [roles.count(role) for role in ("stream", "group", "plane", "overlap")] == [552, 4, 296, 382]
    first = next(row for row in got.slices if row["role"] == "stream" and row["text"] == "trans_TransData_0")
    assert (first["lane"], first["device"]) == ("Stream 2", 0)
    op = min(got.lane("Group 0 Communication"), key=lambda row: row["start_ns"])
    names = [row["text"] for row in got.lane("Group 0 Communication")]
    assert "hcom_allReduce__865_0_1" in names
    assert op["end_ns"] > op["start_ns"]
    enqueue = next(row for row in got.lane("PyTorch") if row["start_ns"] == 1736414119641640110)
    assert (enqueue["text"], enqueue["end_ns"]) == ("Enqueue", 1736414119641654790)


def test_no_row_is_clamped_and_no_issue_is_raised_for_good_data(real: Real) -> None:
    got = Got(database(real, 1, 1))
    assert got.codes == []
    assert {row["flags"] for row in got.slices} == {0}


@pytest.mark.row("system-timeline", 20)
def test_counters_of_a_real_card_have_their_values(real: Real) -> None:
    found = Got(database(real, 2, 0)).counters()
    assert found["HBM", "HBM 0 read/Bandwidth", "Bandwidth(Byte/s)", "Byte/s"][0] == (1736414119520623360, 0.0)
    assert found["LLC", "LLC 0 read/Hit Rate", "Hit Rate(%)", "%"][0] == (1736414119530693360, 85.1)
    assert (1736414119520552360, 2212081664.0) in found["NPU MEM", "app/HBM", "Byte", "Byte"]
    assert (1736414119518476000, 1800.0) in found["AI Core Freq", "AI Core Freq", "Frequency(Mhz)", "MHz"]
    assert found["Stars Soc", "L2 Buffer Bw Level", "Level", "Level"][0] == (1736414119599206992, 0.0)
    assert len(found["ACC PMU", "Accelerator 0/readBwLevel", "Level", "Level"]) == 64
    assert list(dict.fromkeys(key[0] for key in found)) == [
        "HBM",
        "LLC",
        "AI Core Freq",
        "ACC PMU",
        "Stars Soc",
        "NPU MEM",
    ]


@pytest.mark.parametrize(("level", "rank"), [(1, 0), (1, 1)])
def test_reading_leaves_the_folder_byte_identical(real: Real, tmp_path: Path, level: int, rank: int) -> None:
    folder = tmp_path / "ASCEND_PROFILER_OUTPUT"
    shutil.copytree(database(real, level, rank).parent, folder)
    path = folder / f"ascend_pytorch_profiler_{rank}.db"
    before = folder_state(folder)
    Got(path)
    profiler_db.has_rows(path)
    profiler_db.identity(path)
    profiler_db.details_many([path], "TASK", [1])
    assert folder_state(folder) == before


def test_marks_of_another_year_lie_beside_the_tasks(real: Real) -> None:
    got = Got(real("upstream_unit/full_db/msprof_0.db"))
    marks = [row for row in got.slices if row["process"].startswith("Process") and row["role"] == "mstx"]
    assert len(marks) == 13
    assert {row["start_ns"] // 31_556_952_000_000_000 + 1970 for row in marks} == {2025}
    tasks = [row for row in got.slices if row["process"] == "Ascend Hardware"]
    assert len(tasks) == 24
    assert {row["start_ns"] // 31_556_952_000_000_000 + 1970 for row in tasks} == {2023}
    assert {row["device"] for row in tasks} == {2}
    assert got.report.facts["devices_with_rows"] == [2]


def test_identity_tells_rank_device_host_and_session(real: Real) -> None:
    assert profiler_db.identity(database(real, 1, 1)) == {
        "ranks": [1], "devices": [1], "rank": 1, "device": 1, "host": "ubuntu", "host_uid": "3538958389648580163",
        "chip": "Ascend910B", "schema_version": "1.0.0", "session_start_ns": 1736410576286992000,
        "session_end_ns": 1736410576683455000,
    }  # fmt: skip


def test_rank_minus_one_falls_back_to_the_chip(tmp_path: Path) -> None:
    path = make_db(tmp_path / "msprof_1.db", TASK=[], RANK_DEVICE_MAP=[(-1, 3)], NPU_INFO=[(3, "Ascend910B")])
    assert (profiler_db.identity(path)["rank"], profiler_db.identity(path)["device"]) == (3, 3)


def test_rank_and_device_may_differ(tmp_path: Path) -> None:
    path = make_db(tmp_path / "a.db", TASK=[], RANK_DEVICE_MAP=[(2, 4)], NPU_INFO=[(4, "Ascend910B")])
    assert (profiler_db.identity(path)["rank"], profiler_db.identity(path)["device"]) == (2, 4)


def test_rank_in_the_file_name_is_the_last_resort(tmp_path: Path) -> None:
    assert profiler_db.identity(make_db(tmp_path / "ascend_pytorch_profiler_5.db", TASK=[]))["rank"] == 5


def test_has_rows_looks_into_the_timeline_tables(tmp_path: Path) -> None:
    assert not profiler_db.has_rows(make_db(tmp_path / "a.db", TASK=[], PYTORCH_API=[]))
    assert profiler_db.has_rows(make_db(tmp_path / "b.db", TASK=[task(0, 1, 1)]))
    (tmp_path / "c.db").touch()
    assert not profiler_db.has_rows(tmp_path / "c.db")
    assert not profiler_db.has_rows(tmp_path / "none.db")


@pytest.mark.parametrize(
    "name",
    [
        "ascend_pytorch_profiler.db",
        "ascend_pytorch_profiler_12.db",
        "ascend_mindspore_profiler_0.db",
        "msprof_20260101000000.db",
        "msmonitor_12_34_-1.db",
    ],
)
def test_sniff_knows_the_names(name: str) -> None:
    assert profiler_db.sniff(f"/data/{name}", b"")


def test_sniff_knows_a_renamed_database_by_its_tables(tmp_path: Path) -> None:
    head = make_db(tmp_path / "x.db", TASK=[]).read_bytes()[:4096]
    assert profiler_db.sniff("x.sqlite", head)
    assert not profiler_db.sniff("mindstudio_insight_data.db", head)
    assert not profiler_db.sniff("analysis.db", b"SQLite format 3\x00" + b"StepTraceTime" * 20)
    assert not profiler_db.sniff("x.db", b"{")


def test_a_renamed_database_reads_the_same(real: Real, tmp_path: Path) -> None:
    path = Path(shutil.copy(database(real, 1, 1), tmp_path / "renamed.bin"))
    assert len(Got(path).slices) == len(Got(database(real, 1, 1)).slices)


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    path = make_db(tmp_path / "a.db", columns={"notes": "x"}, notes=[(1,)], STRING_IDS=[])
    import sqlite3

    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE STRING_IDS")
    db.close()
    with pytest.raises(BadFile, match="none of its tables"):
        Got(path)
