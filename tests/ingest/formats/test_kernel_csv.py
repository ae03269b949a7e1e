import pytest
from tests.support import csv_fixtures

from insight_desktop import schema
from insight_desktop.ingest.formats import kernel_csv, rank_text
from insight_desktop.ingest.report import Report

SPEC = "system-memory-operator-rl"


def read(source):
    report = Report()
    batches = list(rank_text.read_table(source, "kernel", report))
    return [row for batch in batches for row in batch.to_pylist()], {i.code: i.count for i in report.issues}


def pmu(row):
    return [name for name in row if name not in schema.TABLES["kernel"].schema.names]


@pytest.mark.example(SPEC, "O1")
@pytest.mark.row(SPEC, 1, 34)
def test_kernel_fixture_gives_seven_rows_and_one_skipped(tmp_path):
    rows, issues = read(csv_fixtures.write(tmp_path))
    assert (len(rows), issues) == (7, {"csv.short_rows": 1})
    assert pmu(rows[0]) == ["aicore_time(us)", "aic_mac_ratio", "cube_utilization(%)"]
    assert (rows[0]["start_ns"], rows[0]["duration_ns"], rows[1]["wait_ns"]) == (2000123, 10006, 872)
    assert [r["input_shapes"] for r in rows] == ['"16,16;16,16"'] * 2 + ['""', '"16"', '"16"', "N/A", "N/A"]
    assert [r["is_communication"] for r in rows] == [False] * 5 + [True] * 2
    assert (rows[0]["cube_utilization(%)"], rows[5]["cube_utilization(%)"], rows[5]["block_num"]) == (66.3, None, 0)


@pytest.mark.row(SPEC, 2)
def test_header_of_the_command_line_collector_gives_the_same_columns(tmp_path):
    text = (
        "Device_id,Task Type,Op Name,OP Type,Task Duration(us),Task Start Time(us),Task Wait Time(us),Block Num,Extra\n"
        '1,AI_CORE,ConvQ,Conv2D,7.5,"1761000000000300.125\t",0.5,16,zz\n'
    )
    rows, issues = read(csv_fixtures.write(tmp_path, op_summary_20260102030405=text))
    wanted = {
        "device": 1, "name": "ConvQ", "type": "Conv2D", "core": "AI_CORE", "duration_ns": 7500,
        "start_ns": 1761000000000300125, "wait_ns": 500, "block_num": 16, "input_shapes": None,
    }  # fmt: skip
    assert ({name: rows[0][name] for name in wanted}, issues) == (wanted, {})


def test_file_without_a_needed_column_is_told(tmp_path):
    rows, issues = read(csv_fixtures.write(tmp_path, kernel_details="Name,Type\na,b\n"))
    assert (rows, issues) == ([], {"csv.no_column": 1})


@pytest.mark.row(SPEC, 34)
def test_level0_texts_stay_and_start_of_zero_is_null(tmp_path):
    text = (
        "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,Task ID\n"
        "a,N/A,N/A,0,2,N/A,N/A,N/A\n"
    )
    rows, _ = read(csv_fixtures.write(tmp_path, kernel_details=text))
    assert [rows[0][n] for n in ("type", "core", "start_ns", "wait_ns", "block_num", "task_id")] == [
        "N/A", "N/A", None, None, None, None,
    ]  # fmt: skip


def test_shapes_are_used_only_with_all_six_columns(tmp_path):
    text = (
        "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,Input Shapes\n"
        'a,T,AI_CORE,1,2,0,1,"""4"""\n'
    )
    assert read(csv_fixtures.write(tmp_path, kernel_details=text))[0][0]["input_shapes"] is None


def test_shapes_get_back_the_quotes_that_a_spreadsheet_dropped(tmp_path):
    text = csv_fixtures.FILES["kernel_details.csv"].replace('"""16,16;16,16"""', '"16,16;16,16"')
    rows, _ = read(csv_fixtures.write(tmp_path, kernel_details=text))
    assert rows[0]["input_shapes"] == '"16,16;16,16"'


@pytest.mark.row(SPEC, 4)
def test_slices_with_other_pmu_columns_are_one_table(tmp_path):
    head = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,aicore_time(us)"
    source = csv_fixtures.write(
        tmp_path,
        op_summary_slice_0_20260101=f"{head},aic_mac_ratio\na,T,AI_CORE,1,2,0,1,1.5,0.5\n",
        op_summary_slice_1_20260101=f"{head},aic_mte1_ratio\nb,T,AI_CORE,3,2,0,1,2.5,0.25\n",
    )
    rows, _ = read(source)
    assert [(r["row"], r["name"], pmu(r)[1]) for r in rows] == [(0, "a", "aic_mac_ratio"), (1, "b", "aic_mte1_ratio")]


def test_text_in_a_pmu_column_is_kept_in_a_column_of_its_own(tmp_path):
    head = (
        "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,aicore_time(us),aic_mac_ratio"
    )
    text = f"{head}\na,T,AI_CORE,1,2,0,1,1.5,low\nb,T,AI_CORE,1,2,0,1,N/A,0.5\n"
    rows, issues = read(csv_fixtures.write(tmp_path, kernel_details=text))
    assert [(r["aicore_time(us)"], r["aic_mac_ratio"], r["pmu:aic_mac_ratio"]) for r in rows] == [
        (1.5, None, "low"),
        (None, 0.5, None),
    ]
    assert ("pmu:aicore_time(us)" in rows[0], issues) == (False, {})


def test_pmu_columns_go_from_the_first_one_to_the_end():
    header = ["Name", "Context ID", "aiv_time(us)", "aiv_vec_ratio", "AIV_VEC_RATIO", "", "name", "write_cache_hit"]
    assert kernel_csv.pmu_headers(header) == ["aiv_time(us)", "aiv_vec_ratio", "write_cache_hit"]
    assert kernel_csv.pmu_headers(["Name", "Duration(us)"]) == []


@pytest.mark.example(SPEC, "OD1")
@pytest.mark.row(SPEC, 1)
def test_real_kernels_of_2023(real):
    rows, issues = read(csv_fixtures.source(real("upstream_unit/test_rank_0/ASCEND_PROFILER_OUTPUT")))
    assert (len(rows), issues) == (20, {"csv.short_rows": 1})
    assert sum(r["is_communication"] for r in rows) == 4
    assert len(pmu(rows[0])) == 12


@pytest.mark.example(SPEC, "OD6")
def test_real_kernels_of_2024(real):
    rows, issues = read(csv_fixtures.source(real("text_level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT")))
    found = {}
    for row in rows:
        count, total = found.get(row["core"], (0, 0))
        found[row["core"]] = (count + 1, total + row["duration_ns"])
    assert (len(rows), issues) == (191, {})
    assert found == {
        "AI_CORE": (23, 2805855), "AI_VECTOR_CORE": (149, 5823400), "DSA_SQE": (2, 5520), "MIX_AIV": (13, 238962),
        "HCCL": (4, 105991876),
    }  # fmt: skip
    compute = [r for r in rows if not r["is_communication"]]
    assert len({r["type"] for r in compute}) == 33
    assert len({(r["name"], r["input_shapes"]) for r in compute}) == 156
    assert len(pmu(rows[0])) == 25


def test_columns_of_a_task_behind_the_first_pmu_column_are_no_pmu_columns(tmp_path):
    text = (
        "aicore_time(us),Name,Type,Accelerator Core,aic_mac_ratio,Start Time(us),Duration(us),Wait Time(us),Block Dim,"
        "Model ID,Context ID,Duration(us)\n"
        "3.25,a,T,AI_CORE,0.5,1,2.125,0,1,7,8,99\n"
    )
    rows, issues = read(csv_fixtures.write(tmp_path, kernel_details=text))
    assert pmu(rows[0]) == ["aicore_time(us)", "aic_mac_ratio"]
    assert (rows[0]["duration_ns"], rows[0]["aicore_time(us)"], issues) == (2125, 3.25, {"csv.duplicate_header": 1})
