import pytest
from tests.support import csv_fixtures

from insight_desktop import schema
from insight_desktop.ingest.formats import rank_text
from insight_desktop.ingest.report import Report


def read(source, table):
    report = Report()
    batches = list(rank_text.read_table(source, table, report))
    assert all(batch.schema.equals(schema.TABLES[table].schema) for batch in batches)
    return [row for batch in batches for row in batch.to_pylist()], [i.code for i in report.issues]


@pytest.fixture
def level1(real):
    return csv_fixtures.source(real("text_level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT"))


def test_types_summed_up_by_the_collector(level1):
    rows, issues = read(level1, "op_statistic")
    assert (len(rows), issues) == (33, [])
    assert rows[0] == {
        "row": 0, "device": None, "model": None, "type": "ForeachAddList", "core": "AI_VECTOR_CORE", "count": 3,
        "total_us": 1959.079, "min_us": 624.152, "avg_us": 653.026, "max_us": 706.614, "ratio_percent": 22.077,
    }  # fmt: skip


def test_call_stacks_are_one_cell(level1):
    rows, issues = read(level1, "operator_details")
    assert (len(rows), issues) == (859, [])
    assert rows[0]["name"] == "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
    assert len(rows[0]["call_stack"].splitlines()) == 11
    assert (rows[0]["host_self_us"], rows[0]["host_total_us"]) == (1960.1, 3332.4)


def test_calls_summed_up_by_the_collector(level1):
    rows, _ = read(level1, "api_statistic")
    assert len(rows) == 57
    assert tuple(rows[0].values())[2:] == ("hccl", "Launch_Ffts", 474.41, 4, 118.603, 89.18, 138.75, 389.155)


def test_steps_and_a_step_without_a_number(level1, tmp_path):
    rows, _ = read(level1, "step_trace_time")
    assert [(r["step"], r["stage_us"], r["preparing_us"]) for r in rows] == [("50", 136581.0, 17902.5)]
    header = "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble"
    rows, _ = read(
        csv_fixtures.write(tmp_path, step_trace_time=f"{header}\n,700.5,200,50,250,99.5,1000,0\n"), "step_trace_time"
    )
    assert (rows[0]["step"], rows[0]["computing_us"], rows[0]["preparing_us"]) == (None, 700.5, None)


def test_device_columns_of_newer_files(tmp_path):
    text = "Device_id,Model Name,OP Type,Core Type,Count,Total Time(us)\n2,net,Add,AI_CORE,5,1.5\n"
    rows, _ = read(csv_fixtures.write(tmp_path, op_statistic=text), "op_statistic")
    assert (rows[0]["device"], rows[0]["model"], rows[0]["count"], rows[0]["min_us"]) == (2, "net", 5, None)
