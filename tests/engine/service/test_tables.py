from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.service_run import run_of

from insight_desktop.engine.service import tables
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, NoData


@pytest.fixture
def g1(real: Callable[[str], Path]) -> Store:
    return run_of(real("service/g1"))


@pytest.mark.row("service", 10, 17)
def test_tables_come_in_the_order_of_the_run_with_their_descriptions(g1: Store) -> None:
    rows = tables.list(g1).to_pylist()
    assert [(r["name"], r["rows"]) for r in rows] == [("request_data", 3), ("batch_info", 8), ("kvcache_usage", 7), ("forward_info", 4)]  # fmt: skip
    assert rows[2]["description_en"] == "NPU memory usage during servitized inference"
    assert rows[2]["description_zh"] == "推理过程的显存使用情况"


@pytest.mark.row("service", 10)
@pytest.mark.example("service", 1)
def test_rows_are_shown_as_written(g1: Store) -> None:
    rows = tables.rows(g1, table="request_data").to_pylist()
    assert [(r["http_rid"], r["execution_time(ms)"], r["queue_wait_time(ms)"], r["first_token_latency(ms)"]) for r in rows] == [
        ("A", 46.0, 0.67, 11.5), ("B", 49.0, 2.67, 48.50025), ("C", 27.0, 8.67, 27.3),
    ]  # fmt: skip


@pytest.mark.row("service", 10)
def test_rows_are_filtered_and_sorted_by_value(g1: Store) -> None:
    found = tables.rows(g1, table="batch_info", where="name=MODEL;batch_size=>1", sort="batch_size", descending=True)
    assert found["batch_size"].to_pylist() == [3.0, 2.0]
    assert tables.rows(g1, table="request_data", where="execution_time(ms)=40..48")["http_rid"].to_pylist() == ["A"]
    assert tables.rows(g1, table="request_data", sort="http_rid", descending=True, page=2, size=2)["http_rid"].to_pylist() == ["A"]  # fmt: skip


@pytest.mark.row("service", 14)
@pytest.mark.example("service", 25)
def test_page_out_of_range_is_refused(g1: Store) -> None:
    with pytest.raises(BadArgument, match="Page size invalid!"):
        tables.rows(g1, table="request_data", size=0)
    with pytest.raises(BadArgument, match="Current page invalid!"):
        tables.rows(g1, table="request_data", size=50, page=0)
    assert tables.rows(g1, table="request_data", size=50, page=3).num_rows == 0


@pytest.mark.row("service", 9)
def test_request_leads_to_its_recorded_row(g1: Store) -> None:
    row = tables.link(g1, rid="B").to_pylist()[0]
    assert (row["http_rid"], row["execution_time"]) == ("B", 49.0)
    with pytest.raises(NoData, match="no recorded row"):
        tables.link(g1, rid="Z")


def test_unknown_table_and_column_are_named(g1: Store) -> None:
    with pytest.raises(BadArgument, match="no table 'x'") as error:
        tables.rows(g1, table="x")
    assert "request_data" in error.value.fix
    with pytest.raises(BadArgument, match="no column 'x'"):
        tables.rows(g1, table="request_data", sort="x")
