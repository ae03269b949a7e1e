"""Details of one row of each table."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.formats.profiler_db_maker import COLUMNS, NONE, T0, TID, Got, make_db, task

from insight_desktop.errors import BadArgument
from insight_desktop.ingest.formats import profiler_db

STRINGS = {
    1: "AI_CORE",
    2: "KERNEL_SIMT",
    3: "opA",
    5: "MatMul",
    6: "aic_total_time",
    7: "ratio",
    8: "g1",
    9: "MESH",
    10: "1,2,3",
    11: "4,5,6",
    12: "a.py(1): f",
    13: "b.py(2): g",
    14: '[{"key": "rank", "value": 3}, {"key": "size", "value": 8}]',
    15: "dom",
}


def one(path: Path, table: str, row: int = 1) -> dict[str, Any]:
    return profiler_db.details_many([path], table, [row])[0]


def test_a_task_shows_its_operator_and_counters(tmp_path: Path) -> None:
    path = make_db(
        tmp_path / "a.db", STRING_IDS=list(STRINGS.items()), TASK=[task(0, 500, 7, connection=88)], COMPUTE_TASK_INFO=[(3, 7, 24, 0, 1, 5)],
        TASK_PMU_INFO=[(7, 6, 123.5), (8, 6, 1), (7, 7, NONE)], MEMCPY_INFO=[(7, 4000, 1)],
    )  # fmt: skip
    assert one(path, "TASK") == {
        "modelId": "N/A", "taskType": "AI_CORE", "streamId": 2, "taskId": 7, "contextId": "N/A", "connectionId": 88,
        "Accelerator Core": "AI_CORE", "Block Num": 24, "Mix Block Num": 0, "OP Type": "MatMul", "aic_total_time": 123.5, "ratio": NONE,
        "operation": "host to device", "size(B)": 4000, "bandwidth(GB/s)": 8.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (
            "name INTEGER, globalTaskId INTEGER, block_dim INTEGER, mixBlockDim INTEGER",
            {"Block Num": 10, "Mix Block Num": 11},
        ),
        (
            "name INTEGER, globalTaskId INTEGER, blockDim INTEGER, mixBlockDim INTEGER",
            {"Block Num": 10, "Mix Block Num": 11},
        ),
        (
            "name INTEGER, globalTaskId INTEGER, blockNum INTEGER, mixBlockNum INTEGER",
            {"Block Num": 10, "Mix Block Num": 11},
        ),
    ],
)
def test_the_block_count_has_three_names(tmp_path: Path, columns: str, expected: dict[str, int]) -> None:
    path = make_db(
        tmp_path / "a.db",
        columns={"COMPUTE_TASK_INFO": columns},
        TASK=[task(0, 5, 7)],
        COMPUTE_TASK_INFO=[(3, 7, 10, 11)],
    )
    found = one(path, "TASK")
    assert {key: found[key] for key in expected} == expected


def test_beside_a_block_count_block_dim_is_a_text_of_simt_kernels(tmp_path: Path) -> None:
    columns = {
        "COMPUTE_TASK_INFO": "name INTEGER, globalTaskId INTEGER, blockNum INTEGER, taskType INTEGER, gridDim INTEGER, blockDim INTEGER"
    }
    rows = [(3, 7, 48, 2, 10, 11), (3, 8, 48, 1, 10, 11)]
    path = make_db(
        tmp_path / "a.db",
        columns=columns,
        STRING_IDS=list(STRINGS.items()),
        TASK=[task(0, 5, 7), task(6, 7, 8)],
        COMPUTE_TASK_INFO=rows,
    )
    found = one(path, "TASK")
    assert (found["Block Num"], found["gridDim"], found["blockDim"]) == (48, "1,2,3", "4,5,6")
    assert "gridDim" not in one(path, "TASK", 2)


def test_a_plane_row_shows_global_ranks_and_names_of_enumerations(tmp_path: Path) -> None:
    groups = json.dumps({"g1": {"group_name": "tp", "global_ranks": [4, 5]}})
    path = make_db(
        tmp_path / "a.db", STRING_IDS=list(STRINGS.items()), TASK=[task(0, 5, 7)], META_DATA=[("parallel_group_info", groups)],
        COMMUNICATION_TASK_INFO=[(3, 7, 5, 0, 8, 2**63 - 1, 65535, 0, 1, 0, 1024, 4, 1, 1), (3, 9, 5, 0, 8, 6, 0, NONE, 7, 77, 1, 1, 1, 1)],
    )  # fmt: skip
    assert one(path, "COMMUNICATION_TASK_INFO") == {
        "notifyId": "N/A", "streamId": 2, "taskId": 7, "contextId": "N/A", "taskType": "MatMul", "srcRank": 0, "dstRank": 1,
        "globalSrcRank": 4, "globalDstRank": 5, "transportType": "SDMA", "size(Byte)": 1024, "dataType": "FP32", "linkType": "HCCS",
        "bandwidth(B/s)": "N/A", "rdmaType": "INVALID_TYPE",
    }  # fmt: skip
    second = one(path, "COMMUNICATION_TASK_INFO", 2)
    assert (second["srcRank"], second["globalDstRank"], second["transportType"], second["streamId"]) == (
        "N/A",
        "N/A",
        77,
        "N/A",
    )


def test_an_operator_row_says_yes_and_no(tmp_path: Path) -> None:
    path = make_db(
        tmp_path / "a.db",
        STRING_IDS=list(STRINGS.items()),
        COMMUNICATION_OP=[(3, T0, T0 + 9, 70, 8, 1, 0, 1, 3, 9, 4097000, 1)],
    )
    assert one(path, "COMMUNICATION_OP") == {
        "connectionId": 70, "dataType": "FP16", "algType": "MESH", "count": 4097000, "relay": "no", "retry": "yes", "groupName": "g1",
    }  # fmt: skip


def test_a_python_row_shows_its_call_stack_by_depth(tmp_path: Path) -> None:
    path = make_db(
        tmp_path / "a.db", STRING_IDS=list(STRINGS.items()), PYTORCH_API=[(str(T0), str(T0 + 5), TID, 0, 3, -1, None, None, 10, 0, 50001)],
        PYTORCH_CALLCHAINS=[(0, 13, 1), (1, 12, 0), (0, 12, 0)],
    )  # fmt: skip
    assert one(path, "PYTORCH_API") == {
        "sequenceNumber": -1, "fwdThreadId": "N/A", "connectionId": 0, "inputShapes": "1,2,3", "inputDtypes": "N/A",
        "Call stack": "a.py(1): f;\nb.py(2): g",
    }  # fmt: skip


def test_rows_of_the_other_tables(tmp_path: Path) -> None:
    path = make_db(
        tmp_path / "a.db", STRING_IDS=list(STRINGS.items()), CANN_API=[(T0, T0 + 1, 10000, TID, 1, 3)], CCU=[(0, 7, 3, T0, T0 + 5, 14)],
        MSTX_EVENTS=[(T0, T0, 0, 5, 6, 3, TID, TID, NONE, NONE), (T0, T0, 2, 5, 6, 3, TID, TID, 15, 9)],
        OSRT_API=[(3, TID, T0, T0 + 1)],
        GC_RECORD=[(T0 + 2, T0 + 7, TID)],
    )  # fmt: skip
    assert one(path, "GC_RECORD") == {"globalTid": TID, "start(ns)": T0 + 2, "duration(ns)": 5}
    assert one(path, "CANN_API") == {"globalTid": TID, "type": "node", "name": "opA", "connectionId": 1}
    assert one(path, "CCU") == {"deviceId": 0, "globalTaskId": 7, "rank": 3, "size": 8}
    assert one(path, "MSTX_EVENTS") == {
        "eventType": "marker",
        "domain": "default",
        "rangeId": 5,
        "category": 6,
        "connectionId": "N/A",
    }
    assert one(path, "MSTX_EVENTS", 2)["domain"] == "dom"
    assert one(path, "OSRT_API") == {"globalTid": TID}


def test_slices_lead_to_their_details(tmp_path: Path) -> None:
    path = make_db(tmp_path / "a.db", TASK=[task(0, 5, 7), task(6, 9, 8)], CANN_API=[(T0, T0 + 1, 10000, TID, 31, 3)])
    got = Got(path)
    tables = got.report.facts["args_tables"]
    assert isinstance(tables, list)
    found = {row["text"]: profiler_db.details([path], row["args_at"], row["args_len"], tables) for row in got.slices}
    assert (found["AI_CORE"]["taskId"], found["opA"]["connectionId"]) == (8, 31)
    assert got.lane("Stream 2")[0]["args_len"] == -1 - tables.index("TASK")


def test_many_rows_come_in_the_order_asked(tmp_path: Path) -> None:
    path = make_db(tmp_path / "a.db", TASK=[task(n, n + 1, n) for n in range(1, 6)])
    assert [row["taskId"] for row in profiler_db.details_many([path], "TASK", [4, 2, 2, 5])] == [4, 2, 2, 5]


def test_a_row_that_is_not_there_is_an_argument_error(tmp_path: Path) -> None:
    path = make_db(tmp_path / "a.db", TASK=[task(0, 5, 7)])
    for call in (
        lambda: one(path, "TASK", 99),
        lambda: one(path, "CCU"),
        lambda: one(path, "sqlite_master"),
        lambda: profiler_db.details([path], 1, 0),
    ):
        with pytest.raises(BadArgument):
            call()


def test_details_of_a_real_kernel(real: Callable[[str], Path]) -> None:
    path = real("db_level2/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db")
    row = next(r for r in Got(path).lane("Stream 2") if r["start_ns"] == 1736414119651037828)
    found = profiler_db.details([path], row["args_at"], row["args_len"])
    assert row["end_ns"] == 1736414119651089469
    assert (found["connectionId"], found["streamId"], found["taskId"]) == (990, 2, 11049)
    assert (found["Block Num"], found["OP Type"], found["Input Shapes"]) == (32, "TransData", '"32,3,224,224"')


@pytest.mark.parametrize("kind", [1, "1"])
def test_ids_that_are_stored_as_text_have_their_names(tmp_path: Path, kind: Any) -> None:
    columns = {
        "STRING_IDS": "id TEXT, value TEXT",
        "TASK": COLUMNS["TASK"].replace("taskType INTEGER", "taskType TEXT"),
    }
    path = make_db(tmp_path / "a.db", columns=columns, TASK=[task(0, 500, 7, kind=kind)])
    assert one(path, "TASK")["taskType"] == "AI_CORE"
