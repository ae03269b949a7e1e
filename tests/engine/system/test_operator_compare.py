"""Differences between two cards, by hand and on real data."""

from __future__ import annotations

import pytest
from tests.support.operator_files import HEADER, line, open_store, write

from insight_desktop.engine.compare import side
from insight_desktop.engine.system import operator

SPEC = "system-memory-operator-rl"


@pytest.fixture
def two(tmp_path):
    """Card 0 is the base."""
    texts = [
        [line("a", "Add", duration=10), line("b", "Mul", duration=5), line("hcom_x__1", "hcom_x_", "HCCL", 9, 7)],
        [line("a", "Add", duration=4), line("c", "Neg", duration=8), line("hcom_x__1", "hcom_y_", "HCCL", 8, 9.5, wait=1),
         line("hcom_x__1", "hcom_x_", "HCCL", 20, 3)],
    ]  # fmt: skip
    for rank, given in enumerate(texts):
        write(tmp_path, "\n".join([HEADER, *given]) + "\n", rank)
    return open_store(tmp_path)


@pytest.mark.row(SPEC, 38)
def test_missing_side_counts_as_zero_and_the_largest_difference_is_first(two):
    table = operator.compare(two, card="1", base="0")
    found = [(r["type"], r["count"], r["sum_us"], r["in_comparison"], r["in_baseline"]) for r in table.to_pylist()]
    assert found == [("Neg", 1, 8.0, True, False), ("Mul", -1, -5.0, False, True), ("Add", 0, -6.0, True, True)]
    add = table.to_pylist()[2]
    assert (add["sum_us_comparison"], add["sum_us_baseline"]) == (4.0, 10.0)
    assert side(table, "baseline", [1]).to_pylist()[0]["sum_us"] == 5.0


@pytest.mark.row(SPEC, 38)
def test_top_then_filter_then_sort(two):
    assert operator.compare(two, card="1", base="0", top=2)["type"].to_pylist() == ["Neg", "Mul"]
    assert operator.compare(two, card="1", base="0", top=2, type="add").num_rows == 0
    assert operator.compare(two, card="1", base="0", type="ADD")["type"].to_pylist() == ["Add"]
    by_name = operator.compare(two, card="1", base="0", sort="type", descending=False)
    assert by_name["type"].to_pylist() == ["Add", "Mul", "Neg"]


@pytest.mark.row(SPEC, 38)
def test_communication_operators_pair_by_name_and_order(two):
    table = operator.compare(two, card="1", base="0", group_by="communication")
    found = [(r["name"], r["type"], r["duration_us"], r["wait_us"], r["in_baseline"]) for r in table.to_pylist()]
    assert found == [("hcom_x__1", "hcom_x_", 3.0, 0.0, False), ("hcom_x__1", "hcom_x_->hcom_y_", 2.5, 1.0, True)] or found == [
        ("hcom_x__1", "hcom_x_", 3.0, 0.0, False), ("hcom_x__1", "hcom_y_->hcom_x_", 2.5, 1.0, True),
    ]  # fmt: skip


@pytest.mark.row(SPEC, 38)
@pytest.mark.parametrize("group", ["name", "name_shape", "type_shape", "communication_type"])
def test_every_group_compares(two, group):
    table = operator.compare(two, card="1", base="0", group_by=group, top=-1)
    ours = operator.statistics(two, card="1", group_by=group, top=-1)
    base = operator.statistics(two, card="0", group_by=group, top=-1)
    total = sum(ours["sum_us"].to_pylist()) - sum(base["sum_us"].to_pylist())
    assert sum(table["sum_us"].to_pylist()) == pytest.approx(total)
    assert sum(table["count"].to_pylist()) == sum(ours["count"].to_pylist()) - sum(base["count"].to_pylist())


@pytest.mark.example(SPEC, "OD18")
@pytest.mark.row(SPEC, 38)
def test_text_level1_cards_by_type(real):
    store = open_store(real("text_level1"))
    table = operator.compare(store, card="1", base="0", top=-1)
    assert table.num_rows == 33
    found = {
        (r["type"], r["core"]): tuple(r[f] for f in ("count", "sum_us", "avg_us", "max_us", "min_us"))
        for r in table.to_pylist()
    }
    assert found["MatMulV2", "AI_CORE"] == (0, 26.06, 3.25, 10.8, 1.32)
    assert found["Conv2DBackpropFilter", "AI_CORE"] == (0, 7.0, 1.4, 6.0, -0.58)
    assert list(found)[:2] == [("MatMulV2", "AI_CORE"), ("Conv2DBackpropFilter", "AI_CORE")]
    assert list(found.items())[-1] == (("TransData", "AI_VECTOR_CORE"), (0, -7.2, -0.13, -1.56, -0.26))
