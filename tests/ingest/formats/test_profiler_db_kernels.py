import sqlite3

import pytest
from tests.ingest.formats.profiler_db_maker import NONE, T0, folder_state, make_db, task

from insight_desktop import schema
from insight_desktop.ingest.formats import profiler_db_records
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

SPEC = "system-memory-operator-rl"
RANK0 = "db_level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db"
RANK1 = "db_level1/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_1.db"


def read(path):
    batches = list(profiler_db_records.read_table(Source("profiler_db", "db", (path,)), "kernel", Report()))
    return [row for batch in batches for row in batch.to_pylist()]


def pmu(rows):
    return [name for name in rows[0] if name not in schema.TABLES["kernel"].schema.names]


def test_tasks_with_an_entry_and_communication_of_their_devices(tmp_path):
    path = make_db(
        tmp_path / "ascend_pytorch_profiler.db",
        STRING_IDS=[(1, "AI_CORE"), (3, "opA"), (4, "MatMul"), (5, "hcom_send__1_0"), (7, "aic_mac_time"), (8, "aic_mac_ratio")],
        TASK=[
            task(100, 150, 1, device=0), task(0, 40, 2, device=0), task(10, 30, 3, device=1),
            task(60, 90, 8, device=0, connection=55), task(60, 90, 9, device=1, connection=55),
        ],
        COMPUTE_TASK_INFO=[(3, 1, 24, 12, 1, 4), (3, 2, 8, 0, 1, 4), (3, 3, 8, 0, 1, 4)],
        COMMUNICATION_OP=[(5, T0 + 60, T0 + 95, 55, 0, 1, 0, 0, 0, 0, 0, None)],
        TASK_PMU_INFO=[(1, 7, 12.5), (2, 8, 0.5), (1, None, 99.0)],
    )  # fmt: skip
    rows = read(path)
    found = [
        (r["device"], r["name"], r["type"], r["core"], r["start_ns"] - T0, r["duration_ns"], r["wait_ns"]) for r in rows
    ]
    assert found == [
        (0, "opA", "MatMul", "AI_CORE", 100, 50, 5),
        (0, "opA", "MatMul", "AI_CORE", 0, 40, 0),
        (1, "opA", "MatMul", "AI_CORE", 10, 20, 0),
        (0, "hcom_send__1_0", "hcom_send", "COMMUNICATION", 60, 35, 20),
        (1, "hcom_send__1_0", "hcom_send", "COMMUNICATION", 60, 35, 30),
    ]
    assert [r["is_communication"] for r in rows] == [False] * 3 + [True] * 2
    assert (rows[0]["block_num"], rows[0]["mix_block_num"], rows[0]["task_id"], rows[0]["stream_id"]) == (
        24,
        12,
        "1",
        "2",
    )
    assert [(r.get("aic_mac_time"), r.get("aic_mac_ratio")) for r in rows] == [(12.5, None), (None, 0.5)] + [
        (None, None)
    ] * 3


def test_previous_row_counts_not_the_latest_end(tmp_path):
    path = make_db(
        tmp_path / "ascend_pytorch_profiler.db",
        TASK=[task(0, 100, 1), task(10, 20, 2), task(50, 60, 3)],
        COMPUTE_TASK_INFO=[(3, n, 1, 0, 1, 3) for n in (1, 2, 3)],
    )
    assert [r["wait_ns"] for r in read(path)] == [0, 0, 30]


def test_newer_block_columns_win_and_text_ids_are_left_alone(tmp_path):
    columns = {
        "COMPUTE_TASK_INFO": "name INTEGER, globalTaskId INTEGER PRIMARY KEY, blockNum INTEGER, mixBlockNum INTEGER, "
        "taskType INTEGER, opType INTEGER, blockDim INTEGER, waitNs INTEGER"
    }
    path = make_db(
        tmp_path / "ascend_pytorch_profiler.db",
        columns=columns,
        TASK=[task(0, 10, 1), task(30, 40, 2, stream=NONE)],
        COMPUTE_TASK_INFO=[(3, 1, 24, 1, 1, 3, 999, 7), (3, 2, 8, 1, 1, 3, 999, None)],
    )
    rows = read(path)
    assert [(r["block_num"], r["wait_ns"], r["stream_id"]) for r in rows] == [(24, 7, "2"), (8, 20, None)]


def test_task_without_an_end_lasts_no_time(tmp_path):
    path = make_db(
        tmp_path / "ascend_pytorch_profiler.db",
        TASK=[task(5, None, 1), task(20, 10, 2)],
        COMPUTE_TASK_INFO=[(3, n, 1, 0, 1, 3) for n in (1, 2)],
    )
    assert [r["duration_ns"] for r in read(path)] == [0, 0]


@pytest.mark.example(SPEC, "OD15")
@pytest.mark.row(SPEC, 35)
def test_communication_of_a_real_database(real):
    found = sorted(
        (r["start_ns"], r["name"][-5:], r["type"], r["duration_ns"], r["wait_ns"])
        for r in read(real(RANK0))
        if r["is_communication"]
    )
    assert [row[1:] for row in found] == [
        ("0_0_1", "hcom_allReduce_", 88750993, 693394),
        ("0_1_1", "hcom_allReduce_", 2180324, 0),
        ("0_2_1", "hcom_allReduce_", 2412628, 0),
        ("0_3_1", "hcom_allReduce_", 8764155, 0),
    ]


@pytest.mark.row(SPEC, 34)
def test_pmu_of_a_real_database(real):
    rows = read(real(RANK0))
    assert (len(rows), len(pmu(rows))) == (191, 28)
    assert sum(r.get("aic_mac_time") is not None for r in rows) == 185
    conv = next(r for r in rows if r["name"] == "Conv2D1")
    assert (round(conv["aic_mac_time"], 2), round(conv["aic_mac_ratio"], 4)) == (162227.78, 0.5207)
    longest = sorted(rows, key=lambda r: (r["is_communication"], -r["duration_ns"]))[:4]
    assert [(r["duration_ns"], r["wait_ns"], r["block_num"]) for r in longest] == [
        (695074, 95122, 48), (628032, 90602, 48), (624512, 98542, 48), (358247, 1102583, 16),
    ]  # fmt: skip
    assert next(r for r in rows if r["name"] == "trans_TransData_0")["input_shapes"] == '"32,3,224,224"'


@pytest.mark.example(SPEC, "OD17")
@pytest.mark.row(SPEC, 35)
def test_computed_waits_equal_the_stored_ones(real, tmp_path):
    path = tmp_path / "ascend_pytorch_profiler_0.db"
    path.write_bytes(real(RANK0).read_bytes())
    with sqlite3.connect(path) as db:
        db.execute("UPDATE COMPUTE_TASK_INFO SET waitNs = NULL")
        db.execute("ALTER TABLE COMMUNICATION_OP DROP COLUMN waitNs")
    stored, computed = ([r["wait_ns"] for r in read(p)] for p in (real(RANK0), path))
    assert len(stored) == 191
    assert computed == stored


@pytest.mark.example(SPEC, "OD19")
@pytest.mark.row(SPEC, 35)
def test_waits_of_a_pristine_database(real):
    path = real(RANK1)
    before = folder_state(path.parent)
    rows = sorted(read(path), key=lambda r: r["start_ns"])
    assert len(rows) == 191
    assert [(r["name"], r["wait_ns"]) for r in rows[:3]] == [
        ("trans_TransData_0", 0),
        ("trans_TransData_1", 95782),
        ("Conv2D1", 94822),
    ]
    longest = max(rows, key=lambda r: r["wait_ns"])
    assert (longest["name"], longest["wait_ns"]) == ("aclnnInplaceCopy_TensorMoveAiCore_TensorMove", 71761574)
    assert (sum(r["wait_ns"] == 0 for r in rows), sum(r["wait_ns"] for r in rows)) == (5, 107357948)
    assert {r["device"] for r in rows} == {1}
    assert folder_state(path.parent) == before
