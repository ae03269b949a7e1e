import pytest
from tests.support import csv_fixtures

from insight_desktop import schema
from insight_desktop.ingest.formats import rank_text
from insight_desktop.ingest.report import Report

SPEC = "system-memory-operator-rl"


def read(source, table):
    report = Report()
    batches = list(rank_text.read_table(source, table, report))
    assert all(batch.schema.equals(schema.TABLES[table].schema) for batch in batches)
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert [row["row"] for row in rows] == list(range(len(rows)))
    return rows, {issue.code: issue.count for issue in report.issues}


@pytest.mark.example(SPEC, "M1")
@pytest.mark.row(SPEC, 1, 2, 7)
def test_record_fixture_gives_ten_rows_and_one_skipped(tmp_path):
    rows, issues = read(csv_fixtures.write(tmp_path), "memory_record")
    assert (len(rows), issues) == (10, {"csv.short_rows": 1})
    assert [row["device"] for row in rows] == [0] * 9 + [1]
    assert rows[4] == {
        "row": 4, "device": 0, "component": "PTA+GE", "ts_ns": 1000150000, "allocated_mb": 11.256, "reserved_mb": 22.0,
        "active_mb": 10.0, "stream": "",
    }  # fmt: skip
    assert [row["stream"] for row in rows[:4]] == ["", "777", "777", ""]


@pytest.mark.row(SPEC, 18)
def test_operators_keep_empty_names_and_unreleased_blocks_are_null(tmp_path):
    rows, issues = read(csv_fixtures.write(tmp_path), "operator_memory")
    assert (len(rows), issues) == (6, {})
    assert rows[0] == {
        "row": 0, "device": 0, "name": "aten::empty", "size_kb": 512.5, "alloc_ns": 1000020000, "release_ns": 1000120000,
        "active_release_ns": 1000121000, "duration_ns": 100000, "active_duration_ns": 101000,
        "alloc_allocated_mb": 10.5, "alloc_reserved_mb": 20.0, "alloc_active_mb": 10.5, "release_allocated_mb": 10.0,
        "release_reserved_mb": 20.0, "release_active_mb": 10.0, "stream": "777",
    }  # fmt: skip
    unreleased = ("release_ns", "active_release_ns", "duration_ns", "active_duration_ns", "release_allocated_mb")
    assert [rows[1][name] for name in unreleased] == [None] * 5
    assert (rows[2]["active_duration_ns"], rows[3]["active_release_ns"], rows[3]["stream"]) == (14750, None, "")
    assert (rows[4]["name"], rows[4]["size_kb"], rows[5]["device"]) == ("", 0.5, 1)


@pytest.mark.row(SPEC, 2)
def test_module_file_in_kb_becomes_mb(tmp_path):
    rows, _ = read(csv_fixtures.write(tmp_path), "module_memory")
    assert [(r["component"], r["ts_ns"], r["reserved_mb"]) for r in rows[1:4]] == [
        ("HCCL", 1000020000, 300.0),
        ("HCCL", 1000030000, 300.0),
        ("APP", 1000015000, 100.0),
    ]
    assert rows[4]["reserved_mb"] == 102399.9 / 1024


def test_static_fixture(tmp_path):
    rows, _ = read(csv_fixtures.write(tmp_path), "static_memory")
    assert [tuple(r.values())[1:] for r in rows[:2]] == [
        ("host", "TOTAL", "0", "7", 0, 4294967295, 10240.0),
        ("host", "weight", "0", "7", 0, 4294967295, 2048.0),
    ]
    assert len(rows) == 7


@pytest.mark.row(SPEC, 2, 3)
def test_files_of_the_command_line_collector_are_in_kb_and_without_release(tmp_path):
    source = csv_fixtures.write(
        tmp_path,
        memory_record="Device_id,Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),Device\n"
        "3,GE,1000.5,2048,4096,NPU:3\n",
        operator_memory="Device_id,Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total Allocated(KB),"
        "Allocation Total Reserved(KB),Release Total Allocated(KB),Release Total Reserved(KB),Device\n"
        "3,MatMul,64,1000.25,10.5,512,1024,256,1024,NPU:3\n3,Add,64,1001,,512,1024,,,NPU:3\n",
    )
    record, _ = read(source, "memory_record")
    assert record == [
        {"row": 0, "device": 3, "component": "GE", "ts_ns": 1000500, "allocated_mb": 2.0, "reserved_mb": 4.0, "active_mb": None, "stream": ""}
    ]  # fmt: skip
    rows, _ = read(source, "operator_memory")
    assert [(r["release_ns"], r["alloc_allocated_mb"], r["release_allocated_mb"]) for r in rows] == [
        (1010750, 0.5, 0.25),
        (None, 0.5, None),
    ]


@pytest.mark.row(SPEC, 2)
def test_old_framework_files_have_no_active_columns(tmp_path):
    header, *lines = csv_fixtures.FILES["memory_record.csv"].splitlines()
    cut = [header.split(","), *(line.split(",") for line in lines)]
    text = "\n".join(",".join(row[:4] + row[6:]) for row in cut if len(row) == 7)
    rows, _ = read(csv_fixtures.write(tmp_path, memory_record=text), "memory_record")
    assert (rows[1]["allocated_mb"], rows[1]["active_mb"], rows[1]["stream"]) == (10.0, None, "")


@pytest.mark.row(SPEC, 4)
def test_slices_of_a_file_are_one_table(tmp_path):
    header, *lines = csv_fixtures.FILES["operator_memory.csv"].splitlines(keepends=True)
    whole, _ = read(csv_fixtures.write(tmp_path / "one"), "operator_memory")
    source = csv_fixtures.write(
        tmp_path / "two",
        operator_memory_slice_0_20260101="".join([header, *lines[:2]]),
        operator_memory_slice_1_20260101="".join([header, *lines[2:]]),
    )
    assert read(source, "operator_memory")[0] == whole


def test_empty_cells_are_gaps_not_zeros(tmp_path):
    text = "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\nAPP,1,,2048.5,NPU:0\n"
    rows, _ = read(csv_fixtures.write(tmp_path, memory_record=text), "memory_record")
    assert (rows[0]["allocated_mb"], rows[0]["reserved_mb"]) == (None, 2048.5)


def test_time_of_zero_is_an_allocation_before_the_collection(tmp_path):
    text = "Name,Size(KB),Allocation Time(us),Release Time(us),Duration(us),Device Type\na,-8,0,5,0,NPU:0\n"
    rows, _ = read(csv_fixtures.write(tmp_path, operator_memory=text), "operator_memory")
    assert (rows[0]["alloc_ns"], rows[0]["release_ns"], rows[0]["size_kb"]) == (None, 5000, -8.0)


@pytest.mark.example(SPEC, "MD3")
def test_real_operators_of_2023(real):
    source = csv_fixtures.source(real("upstream_unit/test_rank_0/ASCEND_PROFILER_OUTPUT"))
    rows, issues = read(source, "operator_memory")
    assert (len(rows), issues) == (28, {})
    assert [(r["name"], r["size_kb"]) for r in rows[:3]] == [
        ("cann::Graph_70", 192.0),
        ("cann::Graph_89", 64.0),
        ("cann::Graph_22", 1344.0),
    ]
    base = 1695115378653323500
    assert (rows[0]["alloc_ns"] - base, rows[0]["release_ns"] - base) == (70579000, 70615700)


@pytest.mark.example(SPEC, "MD11")
def test_real_records_by_component(real):
    source = csv_fixtures.source(real("text_level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT"))
    rows, issues = read(source, "memory_record")
    counts = {}
    for row in rows:
        counts[row["component"]] = counts.get(row["component"], 0) + 1
    assert (counts, issues) == ({"APP": 14, "GE": 114, "PTA": 381, "PTA+GE": 495}, {})
    assert min(r["ts_ns"] for r in rows) == 1736408883573957920


@pytest.mark.example(SPEC, "MD15")
def test_real_operators_of_2024(real):
    source = csv_fixtures.source(real("text_level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT"))
    rows, _ = read(source, "operator_memory")
    sizes = [r["size_kb"] for r in rows]
    assert (len(rows), min(sizes), max(sizes)) == (184, 0.5, 147456.5)
    assert sum(r["release_ns"] is None for r in rows) == 24
    assert sum(r["stream"] == "" for r in rows) == 57


def test_records_at_time_zero_have_no_time_and_files_without_devices_are_read(tmp_path):
    text = "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB)\nAPP,0,,9\nAPP,2,,8\n"
    rows, issues = read(csv_fixtures.write(tmp_path, memory_record=text), "memory_record")
    assert [(r["ts_ns"], r["reserved_mb"], r["device"]) for r in rows] == [(None, 9.0, None), (2000, 8.0, None)]
    assert issues == {"memory.no_time": 1}
