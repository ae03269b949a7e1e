from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.service_run import T0, event, run_of, trace

from insight_desktop.engine.service import kv
from insight_desktop.engine.store import Store
from insight_desktop.errors import NoData


@pytest.fixture
def g1(real: Callable[[str], Path]) -> Store:
    return run_of(real("service/g1"))


@pytest.mark.row("service", 26)
@pytest.mark.example("service", 7)
@pytest.mark.parametrize("place", ["g1", "g1/raw"])
def test_usage_of_the_first_example(real: Callable[[str], Path], place: str) -> None:
    store = run_of(real(f"service/{place}"))
    assert kv.usage(store)["rate"].to_pylist() == pytest.approx([0.2, 0.5, 0.7, 0.4])
    row = kv.summary(store).to_pylist()[0]
    assert row["peak"] == pytest.approx(0.7)
    assert row["mean"] == pytest.approx(0.4906, abs=0.00005)
    assert (row["preemptions"], row["above_90"]) == (0, 0.0)


@pytest.mark.row("service", 26)
@pytest.mark.example("service", 10)
def test_preemption_of_the_second_example(real: Callable[[str], Path]) -> None:
    rows = kv.preemptions(run_of(real("service/g2"))).to_pylist()
    assert [(r["rid"], (r["start_ns"] - T0) / 1e6, (r["end_ns"] - T0) / 1e6, r["stall_ns"] / 1e6, r["recomputed"], r["step"]) for r in rows] == [
        ("E", 23.17, 45.17, 22.0, 33, 1)
    ]  # fmt: skip


@pytest.mark.row("service", 34)
def test_capacity_of_sglang_is_the_highest_number_of_free_blocks_and_says_so(real: Callable[[str], Path]) -> None:
    rows = kv.usage(run_of(real("service/sgl")))
    assert set(rows["estimated"].to_pylist()) == {True}
    assert min(rows["used"].to_pylist()) == 0
    assert all(0 <= r <= 1 for r in rows["rate"].to_pylist())


def test_figures_of_mindie_come_from_the_table_not_from_the_counter(real: Callable[[str], Path]) -> None:
    rows = kv.usage(run_of(real("service/mindie_new"))).to_pylist()
    assert (rows[0]["total"], rows[0]["used"], rows[0]["rate"]) == (200.0, 4.0, 0.02)


@pytest.mark.row("service", 34)
def test_zeros_outside_of_a_scheduling_carry_no_figure(tmp_path: Path) -> None:
    def sample(at: float, free: float) -> dict[str, object]:
        return {"name": "Schedule.KVCache-dp0", "ph": "C", "ts": T0 // 1000 + at * 1000, "pid": 1, "tid": "Schedule.KVCache", "args": {"Device Block": free}}  # fmt: skip

    plan = [event("batchFrameworkProcessing", 1.0, "Schedule(2)", until=2.0, res_list=["a"])]
    store = run_of(trace(tmp_path, [*plan, sample(1.5, 8.0), sample(1.9, 0.0), sample(3.0, 0.0), sample(4.0, 2.0)]))
    rows = kv.usage(store)
    assert rows["free"].to_pylist() == [8.0, 0.0, 2.0]
    assert set(rows["estimated"].to_pylist()) == {True}


def test_hit_rate_is_the_share_that_requests_tell(real: Callable[[str], Path], g1: Store) -> None:
    row = kv.summary(run_of(real("service/sgl"))).to_pylist()[0]
    assert row["hit_rate"] == pytest.approx(0.25)
    assert sum(kv.hit_rates(run_of(real("service/sgl")))["count"].to_pylist()) == 3
    with pytest.raises(NoData, match="cached"):
        kv.hit_rates(g1)


def test_usage_meets_the_waiting_queue(g1: Store) -> None:
    rows = kv.against_waiting(g1).to_pylist()
    assert [(r["rate"], r["waiting"]) for r in rows] == [(0.2, 0.0), (0.5, 0.0), (0.7, 0.0), (0.4, 0.0)]
