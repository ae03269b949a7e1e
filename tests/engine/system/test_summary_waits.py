"""Stragglers with their evidence, and figures of every rank in every step: clocks apart from imbalance."""

from __future__ import annotations

import pytest
from tests.support.cluster_files import open_cluster, operator, write_rank

from insight_desktop.engine.system import summary
from insight_desktop.errors import NoData

GROUP = "7"
SIZES = {"tensor_model_parallel_size": 1, "data_parallel_size": 3, "world_size": 3}


def job(folder, starts, times, clocks=(0.0, 0.0, 0.0), names=("hcom_allReduce__1", "hcom_allReduce__2")):
    """Three ranks with operators that end together in true time; the clocks of the ranks are apart by µs."""
    for rank in range(3):
        operators = {
            f"{name}@{GROUP}": operator(start_us=starts[i][rank] + clocks[rank], elapse=times[i][rank])
            for i, name in enumerate(names)
        }
        cells = ("1", 1000.0 + 100 * rank, 50.0, 0.0, 50.0, 10.0, 0.0, 0.0, 50.0, 5.0)
        write_rank(folder, rank, collective=operators, steps=[cells], sizes=SIZES)
    return open_cluster(folder)


def test_rank_with_the_shortest_time_came_last_and_the_others_waited(tmp_path):
    # Ends at 10,000 and 20,000 µs; rank 2 comes 4 ms and 1 ms after the first.
    store = job(tmp_path, [(5000.0, 6000.0, 9000.0), (18000.0, 17000.0, 18500.0)], [(5.0, 4.0, 1.0), (2.0, 3.0, 1.5)])
    found = summary.stragglers(store).to_pylist()
    assert len(found) == 1
    first = found[0]
    assert (first["rank"], first["times"], first["operators"], first["share"]) == (2, 2, 2, 1.0)
    assert first["caused_ms"] == pytest.approx(4.0 + 3.0 + 0.5 + 1.5)
    assert first["cost_ms_per_step"] == pytest.approx(4.5)  # rank 0 waited 4 + 0.5, rank 1 3 + 1.5
    assert (first["worst_waiter"], first["worst_wait_ms"], first["worst_op"]) == (0, 4.0, "hcom_allReduce__1")
    assert (first["worst_step"], first["waiters"]) == ("1", 2)
    # It computes 1200 µs, the two others 1000 and 1100 with equal waits: less than a tenth of 4.5 ms.
    assert (first["cause"], first["cause_us"]) == ("", None)


def test_cause_is_what_a_straggler_has_more_of(tmp_path):
    store = job(tmp_path, [(8800.0, 8800.0, 9000.0)], [(1.2, 1.2, 1.0)], names=("hcom_allReduce__1",))
    first = summary.stragglers(store).to_pylist()[0]
    assert first["cost_ms_per_step"] == pytest.approx(0.2)
    assert (first["cause"], first["cause_us"]) == ("computing_us", pytest.approx(150.0))


def test_waits_are_listed_by_waiter(tmp_path):
    store = job(tmp_path, [(5000.0, 6000.0, 9000.0), (18000.0, 17000.0, 18500.0)], [(5.0, 4.0, 1.0), (2.0, 3.0, 1.5)])
    found = summary.straggler_waits(store, rank=2).to_pylist()
    assert [(r["waiter"], r["times"], r["longest_ms"], r["op"]) for r in found] == [
        (0, 2, 4.0, "hcom_allReduce__1"), (1, 2, 3.0, "hcom_allReduce__1"),
    ]  # fmt: skip
    assert [r["wait_ms"] for r in found] == pytest.approx([4.5, 4.5])


def test_clock_that_is_ahead_is_no_straggler(tmp_path):
    # Rank 1 shows everything 700 µs later, but takes as long as the others.
    store = job(tmp_path, [(5000.0,) * 3, (17000.0,) * 3], [(5.0,) * 3, (3.0,) * 3], clocks=(0.0, 700.0, 0.0))
    assert summary.stragglers(store).num_rows == 0
    skew = summary.step_heat(store, metric="skew_us").to_pylist()
    assert [(r["rank"], r["step"], r["value_us"], r["deviation_us"]) for r in skew] == [
        (0, "1", 0.0, 0.0), (1, "1", 700.0, 700.0), (2, "1", 0.0, 0.0),
    ]  # fmt: skip
    assert summary.step_heat(store, metric="late_us")["value_us"].to_pylist() == [0.0, 0.0, 0.0]


def test_imbalance_is_seen_through_another_clock(tmp_path):
    store = job(tmp_path, [(5000.0, 6000.0, 9000.0)] * 2, [(5.0, 4.0, 1.0)] * 2, clocks=(0.0, 0.0, -3000.0))
    assert summary.step_heat(store, metric="skew_us")["value_us"].to_pylist() == [0.0, 0.0, -3000.0]
    assert summary.step_heat(store, metric="late_us")["value_us"].to_pylist() == [0.0, 2000.0, 8000.0]
    assert summary.step_heat(store, metric="waited_us")["value_us"].to_pylist() == [8000.0, 6000.0, 0.0]
    assert summary.step_heat(store, metric="caused_us")["value_us"].to_pylist() == [0.0, 0.0, 14000.0]


def test_figures_of_a_step_stand_beside_its_median(tmp_path):
    store = job(tmp_path, [(5000.0,) * 3], [(5.0,) * 3], names=("hcom_allReduce__1",))
    found = summary.step_heat(store).to_pylist()
    assert [(r["value_us"], r["median_us"], r["deviation_us"]) for r in found] == [
        (1065.0, 1165.0, -100.0), (1165.0, 1165.0, 0.0), (1265.0, 1165.0, 100.0),
    ]  # fmt: skip


def test_operators_that_move_other_amounts_on_every_rank_tell_nothing(tmp_path):
    names = ("hcom_alltoallv__1", "hcom_send__2")
    store = job(tmp_path, [(5000.0, 6000.0, 9000.0)] * 2, [(5.0, 4.0, 1.0)] * 2, names=names)
    with pytest.raises(NoData, match="No collective operator"):
        summary.stragglers(store)


def test_four_real_ranks(real):
    store = open_cluster(real("cluster_4rank"))
    waits = {
        (r["waiter"], r["group"]): (r["times"], round(r["wait_ms"], 5))
        for r in summary.straggler_waits(store, rank=3).to_pylist()
    }
    assert waits[2, "dp:(2, 3)"] == (2, 9.68212)
    assert waits[1, "default_group:(0, 1, 2, 3)"] == (4, 2.8521)
    # Operators end 24 µs earlier by rank 2's clock: the shift of W20 is 26.48 µs for one of them.
    assert [round(v) for v in summary.step_heat(store, metric="skew_us")["value_us"].to_pylist()] == [0, 0, -24, 2]
