from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import service_csv
from insight_desktop.ingest.formats.service_results import column, results_of_csv
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source


@pytest.mark.row("service", 32)
def test_batches_and_passes_become_lanes(real: Callable[[str], Path]) -> None:
    files = tuple(sorted(real("service/g1").glob("*.csv")))
    rows: dict[str, int] = {}
    for table, batch in service_csv.read(Source("service_csv", "service_csv", files), Report()):
        rows[table] = rows.get(table, 0) + batch.num_rows
        if table == "track":
            assert [(t["pid"], t["process"], t["thread"], t["process_label"]) for t in batch.to_pylist()] == [
                ("1001", "schedule", "Schedule", "node-a,dp0"), ("1001", "schedule", "Execute", "node-a,dp0"),
                ("1002", "forward", "Execute", "node-a"),
            ]  # fmt: skip
    assert rows["slice"] == 12


@pytest.mark.row("service", 32)
@pytest.mark.parametrize("name", ["g1", "g2", "vllm", "sgl", "mindie_new"])
def test_every_result_file_is_read_under_the_name_of_its_view(real: Callable[[str], Path], name: str) -> None:
    report = Report()
    views = results_of_csv(sorted(real(f"service/{name}").glob("*.csv")), report)
    known = {"request_data", "batch_info", "kvcache_usage", "forward_info", "request_status"}
    assert {v.name for v in views} <= known
    assert all(v.table is not None and v.table.num_rows for v in views)
    assert report.issues == []


def test_damaged_rows_are_left_out_and_empty_files_told(tmp_path: Path) -> None:
    (tmp_path / "request.csv").write_text("http_rid,execution_time(ms)\na,1.5\nb\nc,2,9\n", encoding="utf-8")
    (tmp_path / "batch.csv").write_text("", encoding="utf-8")
    report = Report()
    found = {v.name: v for v in results_of_csv(sorted(tmp_path.glob("*.csv")), report)}
    table = found["request_data"].table
    assert table is not None
    assert (column(table, "http_rid"), column(table, "execution_time"), column(table, "gone")) == (["a", "c"], [1.5, 2.0], [None, None])  # fmt: skip
    assert [i.code for i in report.issues] == ["service_csv.bad_file"]
    with pytest.raises(BadFile, match="no result table"):
        list(service_csv.read(Source("service_csv", "service_csv", (tmp_path / "batch.csv",)), Report()))


def test_files_are_known_by_their_first_line() -> None:
    assert service_csv.sniff("request.csv", b"http_rid,start_datetime\n1,2")
    assert not service_csv.sniff("x.csv", b"Name,Type\n")
