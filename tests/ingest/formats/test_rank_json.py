import json
from pathlib import Path

import pytest

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import profiler_db_records, rank_text
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source


def read(path, *more, kind="text"):
    roles = {".json": "communication_json", ".db": "analysis_db"}
    source = Source("x", kind, (path,), tuple((roles[Path(p).suffix], p) for p in (path, *more)))
    reader = profiler_db_records if kind == "db" else rank_text
    report = Report()
    batches = list(reader.read_table(source, "communication_operator", report))
    return [row for batch in batches for row in batch.to_pylist()], [i.code for i in report.issues]


def test_real_operators(real):
    rows, issues = read(real("text_level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/communication.json"))
    assert (len(rows), issues) == (4, [])
    assert rows[0] == {
        "row": 0, "step": "50", "kind": "collective", "name": "hcom_allReduce__586_0_1", "group_hash": "17522688603477080586",
        "start_ns": 1736408883732241500, "elapse_ms": 79.08952021875, "transit_ms": 0.23918478124999998,
        "wait_ms": 5.64663284375, "synchronization_ms": 5.61569221875, "idle_ms": 73.20370259375,
    }  # fmt: skip


def test_twin_in_a_database(real):
    rows, _ = read(real("db_level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/analysis.db"), kind="db")
    assert len(rows) == 4
    first = {name: round(v, 5) if name.endswith("_ms") else v for name, v in rows[0].items()}
    assert first == {
        "row": 0, "step": "50", "kind": "collective", "name": "hcom_allReduce__210_0_1", "group_hash": "17148521525495523210",
        "start_ns": 1736410576431645200, "elapse_ms": 88.75099, "transit_ms": 0.22856, "wait_ms": 3.56889,
        "synchronization_ms": 3.51773, "idle_ms": 84.95354,
    }  # fmt: skip


def test_sums_of_older_files_are_no_operators(tmp_path):
    path = tmp_path / "communication.json"
    times = {"Start Timestamp(us)": 1.5, "Elapse Time(ms)": 2}
    operators = {"a@1": {"Communication Time Info": times}, "Total Op Info": {"Communication Time Info": times}, "b": 5}
    path.write_text(json.dumps({"step": {"p2p": operators, "collective": None}}))
    rows, issues = read(path)
    assert [
        (r["step"], r["kind"], r["name"], r["group_hash"], r["start_ns"], r["elapse_ms"], r["wait_ms"]) for r in rows
    ] == [(None, "p2p", "a", "1", 1500, 2.0, None)]
    assert issues == ["rank_json.no_times"]


def test_cut_file_is_an_error_with_its_place(tmp_path):
    path = tmp_path / "communication.json"
    path.write_text('{"step1": {')
    with pytest.raises(BadFile, match=r"communication\.json is damaged JSON"):
        read(path)
