import sqlite3

import pytest
from tests.ingest.formats.profiler_db_maker import folder_state, make_db

from insight_desktop import schema
from insight_desktop.ingest.formats import profiler_db_records
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

SPEC = "system-memory-operator-rl"
COLUMNS = {
    "MEMORY_RECORD": "component INTEGER, timestamp INTEGER, totalAllocated INTEGER, totalReserved INTEGER, "
    "totalActive INTEGER, streamPtr INTEGER, deviceId INTEGER",
    "OP_MEMORY": "name INTEGER, size INTEGER, allocationTime INTEGER, releaseTime INTEGER, activeReleaseTime INTEGER, "
    "duration INTEGER, activeDuration INTEGER, allocationTotalAllocated INTEGER, allocationTotalReserved INTEGER, "
    "allocationTotalActive INTEGER, releaseTotalAllocated INTEGER, releaseTotalReserved INTEGER, "
    "releaseTotalActive INTEGER, streamPtr INTEGER, deviceId INTEGER",
    "NPU_MEM": "type INTEGER, ddr NUMERIC, hbm NUMERIC, timestampNs INTEGER, deviceId INTEGER",
    "NPU_MODULE_MEM": "moduleId INTEGER, timestampNs INTEGER, totalReserved NUMERIC, deviceId INTEGER",
    "ENUM_MODULE": "id INTEGER, name TEXT",
}
MB = 1048576


def source(path):
    return Source("profiler_db", "db", (path,))


def read(path, table):
    report = Report()
    batches = list(profiler_db_records.read_table(source(path), table, report))
    assert all(batch.schema.equals(schema.TABLES[table].schema) for batch in batches if table != "kernel")
    return [row for batch in batches for row in batch.to_pylist()], {i.code: i.count for i in report.issues}


def test_records_are_mb_and_missing_values_null(tmp_path):
    path = make_db(
        tmp_path / "ascend_pytorch_profiler.db",
        columns=COLUMNS,
        STRING_IDS=[(1, "PTA"), (2, "GE")],
        MEMORY_RECORD=[(1, 1000, 3 * MB, 4 * MB, MB // 2, 77, 0), (2, 2000, None, MB, None, None, 1), (9, 3000, 0, 0, 0, 0, None)],
    )  # fmt: skip
    rows, issues = read(path, "memory_record")
    assert [tuple(row.values()) for row in rows] == [
        (0, 0, "PTA", 1000, 3.0, 4.0, 0.5, "77"),
        (1, 1, "GE", 2000, None, 1.0, None, ""),
        (2, None, "9", 3000, 0.0, 0.0, 0.0, "0"),
    ]
    assert issues == {}


def test_record_at_time_zero_has_no_time(tmp_path):
    records = [(1, 0, MB, MB, MB, 77, 0), (1, 5, MB, MB, MB, 77, 0)]
    path = make_db(tmp_path / "ascend_pytorch_profiler.db", columns=COLUMNS, MEMORY_RECORD=records)
    rows, issues = read(path, "memory_record")
    assert ([row["ts_ns"] for row in rows], issues) == ([None, 5], {"memory.no_time": 1})


def test_operators_that_were_not_released(tmp_path):
    path = make_db(
        tmp_path / "ascend_pytorch_profiler.db",
        columns=COLUMNS,
        STRING_IDS=[(1, "aten::mm")],
        OP_MEMORY=[
            (1, 1536, 1000, None, None, None, None, MB, 2 * MB, MB, None, None, None, 5, 0),
            (1, -512, None, 3000, 0, 10, 20, None, None, None, MB, MB, MB, None, 0),
        ],
    )
    rows, _ = read(path, "operator_memory")
    assert [(r["name"], r["size_kb"], r["alloc_ns"], r["release_ns"], r["active_release_ns"], r["stream"]) for r in rows] == [
        ("aten::mm", 1.5, 1000, None, None, "5"),
        ("aten::mm", -0.5, None, 3000, None, ""),
    ]  # fmt: skip
    assert (rows[0]["alloc_reserved_mb"], rows[0]["release_active_mb"], rows[1]["release_active_mb"]) == (
        2.0,
        None,
        1.0,
    )


def test_modules_by_name_and_memory_of_the_process(tmp_path):
    path = make_db(
        tmp_path / "ascend_pytorch_profiler.db",
        columns=COLUMNS,
        STRING_IDS=[(1, "app"), (2, "device")],
        ENUM_MODULE=[(0, "SLOG"), (6, "HCCL")],
        NPU_MODULE_MEM=[(6, 10, 100 * MB, 0), (0, 20, 0, 0), (99, 30, MB, 0)],
        NPU_MEM=[(1, MB, 2 * MB, 10, 0), (2, MB, MB, 20, 0)],
    )
    modules, _ = read(path, "module_memory")
    assert [(r["component"], r["reserved_mb"]) for r in modules] == [("HCCL", 100.0), ("SLOG", 0.0), ("99", 1.0)]
    app, _ = read(path, "app_memory")
    assert [tuple(r.values()) for r in app] == [(0, 0, 10, 3.0)]


@pytest.mark.row(SPEC, 5)
@pytest.mark.parametrize("table", sorted(schema.TABLES))
def test_missing_table_is_an_empty_one(tmp_path, table):
    path = make_db(tmp_path / "ascend_pytorch_profiler.db")
    assert read(path, table) == ([], {})
    found, missing, _ = profiler_db_records.origin(source(path), table)
    assert found == ()
    assert bool(missing) == (table != "static_memory")


@pytest.mark.row(SPEC, 5)
def test_dropped_table_of_a_real_file_leaves_the_others(real, tmp_path):
    path = tmp_path / "ascend_pytorch_profiler_0.db"
    path.write_bytes(real("db_level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db").read_bytes())
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE OP_MEMORY")
    assert read(path, "operator_memory") == ([], {})
    assert len(read(path, "memory_record")[0]) == 990


@pytest.mark.row(SPEC, 6)
def test_msprof_database_has_no_memory_and_says_so(real):
    path = real("upstream_unit/full_db/msprof_0.db")
    rows, issues = read(path, "memory_record")
    assert (rows, issues) == ([], {"profiler_db.no_memory": 1})
    assert "does not support msprof" in profiler_db_records.origin(source(path), "operator_memory")[2]


@pytest.mark.example(SPEC, "MD20")
def test_real_memory_of_a_database(real):
    path = real("db_level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db")
    before = folder_state(path.parent)
    base = 1736410576284680000
    records, _ = read(path, "memory_record")
    both = [r for r in records if r["component"] == "PTA+GE"]
    assert len(both) == 495
    assert [round((t - base) / 1e6, 3) for t in (both[0]["ts_ns"], both[-1]["ts_ns"])] == [109.903, 167.959]
    app, _ = read(path, "app_memory")
    assert (len(app), round(app[0]["reserved_mb"], 2), round(app[-1]["reserved_mb"], 2)) == (14, 2109.6, 2113.73)
    operators, _ = read(path, "operator_memory")
    assert (len(operators), sum(r["release_ns"] is None for r in operators)) == (184, 24)
    assert sum(r["stream"] != "" for r in operators) == 127
    assert (operators[0]["name"], operators[0]["size_kb"], operators[0]["alloc_ns"] - base) == ("aten::empty_strided", 18816.5, 110331090)  # fmt: skip
    modules, _ = read(path, "module_memory")
    assert round(max(r["reserved_mb"] for r in modules if r["component"] == "HCCL"), 2) == 404.06
    assert folder_state(path.parent) == before
