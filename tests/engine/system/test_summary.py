"""The named queries of the Summary page: the worked examples on four real ranks, folds with missing ranks, slow elements."""

from __future__ import annotations

import pyarrow as pa
import pytest
from tests.support.cluster_files import open_cluster, operator, write_rank

from insight_desktop.engine.cluster_groups import group_hash
from insight_desktop.engine.system import summary, summary_slow, summary_strategy
from insight_desktop.engine.system.summary_layout import (
    CP_VIEW,
    DP_VIEW,
    FULL,
    MEGATRON,
    MEGATRON_PP,
    PP_VIEW,
    Strategy,
)
from insight_desktop.errors import BadArgument, NoData

SPEC = "system-summary-communication"


@pytest.fixture
def set_a(real):
    return open_cluster(real("cluster_4rank"))


def rows(table, *columns):
    return [tuple(row[c] for c in columns) for row in table.to_pylist()]


@pytest.mark.example(SPEC, "W7")
def test_base_info_of_four_ranks(set_a):
    found = summary.base_info(set_a).to_pylist()[0]
    assert (found["devices"], found["steps"], found["duration_us"], found["duration"]) == (4, 1, 810429.09, "810.43ms")
    assert round(found["capture_ns"] / 1000) == 1764246877076690
    assert found["source"] == "ranks"


@pytest.mark.example(SPEC, "W7")
def test_span_of_communication_counts_when_it_is_longer(tmp_path):
    write_rank(tmp_path, 0, collective={"a@7": operator(1000.0, 1.0)}, steps=[("1", 1, 1, 0, 1, 1, 1, 0, 1, 0)])
    write_rank(tmp_path, 1, collective={"a@7": operator(797000.0, 0.8349)})
    found = summary.base_info(open_cluster(tmp_path)).to_pylist()[0]
    assert (found["duration_us"], found["duration"], found["capture_ns"]) == (796834.9, "796.83ms", 1_000_000)


@pytest.mark.parametrize(
    ("microseconds", "text"),
    [
        (810429.09, "810.43ms"), (173_730_000.0, "2m53.73s"), (4_000_000.0, "4s"), (12.0, "12μs"), (999.5, "999.5μs"),
        (1000.0, "1ms"), (3_723_500_000.0, "1h2m3.5s"), (3_600_000_000.0, "1h0m0s"), (1e300, "1.000e+294s"),
    ],
)  # fmt: skip
def test_durations_as_text(microseconds, text):
    assert summary.duration_text(microseconds) == text


@pytest.mark.example(SPEC, "W8")
@pytest.mark.row(SPEC, 18)
def test_overview_of_four_ranks(set_a):
    found = summary.overview(set_a)
    assert rows(found, "rank", "e2e_us", "computing_ratio", "communication_ratio") == [
        (0, 810228.61, 28.546, 51.859), (1, 809636.66, 28.519, 54.556), (2, 809992.2, 49.439, 34.278),
        (3, 810429.09, 49.496, 32.267),
    ]  # fmt: skip
    assert rows(found, "computing_us", "communication_not_overlapped_us", "overlapped_us", "free_us", "preparing_us")[3] == (
        401131.7, 261498.44, 0.0, 147520.2, 278.75,
    )  # fmt: skip
    assert "stage_us" in found.column_names
    assert "bubble_us" not in found.column_names


@pytest.mark.example(SPEC, "W8")
def test_overview_is_sorted_before_it_is_cut(set_a):
    assert rows(summary.overview(set_a, group="(1, 3)", order_by="preparing_us", top=1), "rank", "preparing_us") == [
        (3, 278.75)
    ]
    assert rows(summary.overview(set_a, order_by="free_us"), "rank") == [(0,), (3,), (1,), (2,)]
    with pytest.raises(BadArgument, match="order by"):
        summary.overview(set_a, order_by="nothing")
    with pytest.raises(BadArgument, match="list of ranks"):
        summary.overview(set_a, group="everybody")


def test_ranks_of_a_group_without_data_have_zeros(set_a):
    found = summary.overview(set_a, group="dp:(3, 9)")
    assert rows(found, "rank", "computing_us", "e2e_us") == [(3, 401131.7, 810429.09), (9, 0.0, 0.0)]


@pytest.mark.example(SPEC, "W8")
@pytest.mark.row(SPEC, 21)
def test_figures_that_differ_much_between_ranks(set_a):
    found = summary.overview_advice(set_a)
    assert [(metric, f"{us:.6f}", f"{share:.1%}") for metric, us, share in rows(found, "metric", "difference_us", "share")] == [
        ("computing_us", "170227.980000", "21.0%"), ("communication_not_overlapped_us", "180209.940000", "22.2%"),
    ]  # fmt: skip


def test_all_steps_are_added_up_and_an_unknown_one_is_empty(tmp_path):
    write_rank(tmp_path, 0, steps=[("1", 10, 2, 1, 3, 4, 5, 0, 1, 1.5), ("2", 20, 2, 1, 3, 4, 5, 7, 1, "")])
    store = open_cluster(tmp_path)
    assert rows(summary.overview(store), "computing_us", "bubble_us", "preparing_us", "e2e_us") == [
        (30.0, 7.0, 1.5, 43.5)
    ]
    assert rows(summary.overview(store, step="2"), "computing_us", "preparing_us", "e2e_us") == [(20.0, 0.0, 26.0)]
    assert summary.overview(store, step="9").num_rows == 0
    assert summary.overview_advice(store, step="9").num_rows == 0
    assert rows(summary.steps(store), "step") == [("1",), ("2",)]


@pytest.mark.example(SPEC, "W9")
@pytest.mark.row(SPEC, 19, 22)
@pytest.mark.parametrize("view", [FULL, PP_VIEW])
def test_slow_element_of_four_ranks(set_a, view):
    assert rows(summary.slow_ranks(set_a, dimension=view), "index", "name", "dp_us", "cp_us", "tp_us") == [
        (3, "dp1-pp1", 9682.12, None, None)
    ]
    times = {(r, n): t for r, n, t in rows(summary.group_times(set_a), "rank", "pg_name", "time_us")}
    assert (times[2, "dp"], times[3, "dp"], times[2, "tp"], times[3, "tp"]) == (9715.42, 33.3, 15.2, 15.14)
    assert (0, "dp") not in times


@pytest.mark.row(SPEC, 22)
def test_data_of_another_strategy_are_told(set_a):
    with pytest.raises(NoData, match="do not match"):
        summary.slow_ranks(set_a, dp=1, pp=1, cp=4, tp=1)


SEVEN = dict.fromkeys(range(7), 123.45) | {7: 0.01}
OUTER = {0: 0.01, 1: 0.01, 8: 100.01, 9: 100.01}


@pytest.mark.example(SPEC, "W10")
@pytest.mark.row(SPEC, 22)
@pytest.mark.parametrize("name", ["dp", "cp", "tp"])
def test_slowest_of_eight(name):
    found = summary_slow.slow(Strategy(**{name: 8}), {name: SEVEN})
    assert [(s.element.index, s.element.name, s.waits) for s in found] == [(7, f"{name}7", {name: 123.44})]


@pytest.mark.example(SPEC, "W10")
@pytest.mark.row(SPEC, 22)
@pytest.mark.parametrize(("outer", "inner"), [("cp", "tp"), ("dp", "tp"), ("dp", "cp")])
def test_inner_level_inherits_the_wait_of_the_outer_one(outer, inner):
    found = summary_slow.slow(Strategy(**{outer: 2, inner: 8}), {outer: OUTER, inner: SEVEN})
    assert (found[0].element.index, found[0].element.name) == (7, f"{outer}0-{inner}7")
    assert found[0].waits == {outer: 100.0, inner: 123.44}
    assert [s.waits for s in found[1:]] == [{outer: 100.0, inner: 0.0}] * 2


@pytest.mark.row(SPEC, 22)
def test_balanced_groups_have_no_slow_element():
    assert summary_slow.slow(Strategy(dp=2), {"dp": {0: 100.0, 1: 96.0}}) == []
    assert summary_slow.slow(Strategy(dp=2), {"dp": {0: 0.0, 1: 0.0}}) == []
    assert summary_slow.slow(Strategy(dp=2), {"tp": {0: 1.0}}) is None


@pytest.fixture
def fourteen(tmp_path):
    """tp2 cp2 dp2 pp2 without ranks 4 and 5."""
    sizes = {
        "tensor_model_parallel_size": 2, "pipeline_model_parallel_size": 2, "data_parallel_size": 2,
        "context_parallel_size": 2, "expert_model_parallel_size": 1, "world_size": 16,
    }  # fmt: skip
    times = {0: 10.0, 1: 12.0, 2: 13.0, 3: 14.0}
    for rank in set(range(16)) - {4, 5}:
        groups = {"t": {"group_name": "tp", "global_ranks": [0, 1, 2, 3]}}
        own = {f"a@{group_hash('t')}": operator(elapse=times[rank] / 1000)} if rank in times else None
        step = ("1", 90, 60, 20, 80, 50, 0, 0, 60, 10)
        write_rank(tmp_path, rank, collective=own, steps=[step], groups=groups, sizes=sizes)
    return open_cluster(tmp_path)


@pytest.mark.example(SPEC, "W14")
@pytest.mark.row(SPEC, 18)
def test_folds_skip_missing_ranks(fourteen):
    full = summary.overview(fourteen)
    figures = ("computing_not_overlapped_us", "e2e_us", "computing_ratio", "communication_ratio")
    assert (full.num_rows, set(rows(full, *figures))) == (14, {(70.0, 210.0, 42.857, 38.095)})
    without_tp = summary.folded_overview(fourteen, dimension=CP_VIEW)
    assert rows(without_tp, "index") == [(0,), (1,), (3,), (4,), (5,), (6,), (7,)]
    without_cp = summary.folded_overview(fourteen, dimension=PP_VIEW)
    assert (
        rows(without_cp, "max_computing_us", "min_computing_us", "range_computing_us", "max_e2e_us")
        == [(90.0, 90.0, 0.0, 210.0)] * 4
    )
    of_dp = summary.folded_overview(fourteen, dimension=DP_VIEW)
    assert rows(of_dp, "name", "ranks", "sum_of_max_computing_us", "sum_of_max_free_us") == [
        ("dp0", "0-3,8-11", 180.0, 100.0), ("dp1", "4-7,12-15", 180.0, 100.0),
    ]  # fmt: skip
    with pytest.raises(BadArgument, match="not folded"):
        summary.folded_overview(fourteen, dimension=FULL)


@pytest.mark.example(SPEC, "W14")
@pytest.mark.row(SPEC, 19)
def test_group_times_of_folded_elements_are_means(fourteen):
    def of(view):
        return rows(summary.folded_group_times(fourteen, dimension=view), "index", "pg_name", "time_us")

    assert of(CP_VIEW) == [(0, "tp", 11.0), (1, "tp", 13.5)]
    assert of(PP_VIEW) == [(0, "tp", 12.25)]
    assert of(DP_VIEW) == []


@pytest.mark.row(SPEC, 19)
def test_groups_of_one_name_on_one_rank_are_added_up(tmp_path):
    groups = {i: {"group_name": "tp", "global_ranks": [0]} for i in "ab"}
    own = {f"x@{group_hash(i)}": operator(elapse=1.25) for i in "ab"}
    write_rank(tmp_path, 0, collective=own, groups=groups)
    assert rows(summary.group_times(open_cluster(tmp_path)), "rank", "pg_name", "time_us") == [(0, "tp", 2500.0)]


def test_strategy_of_the_metadata(set_a):
    names = ("algorithm", "pp", "tp", "cp", "dp", "ep", "origin", "devices")
    assert rows(summary.strategy(set_a), *names) == [(MEGATRON, 2, 1, 1, 2, 1, "collected", 4)]


def test_strategy_without_metadata_is_undefined(real):
    store = open_cluster(real("upstream_unit/cluster_analysis_output"))
    assert rows(summary.strategy(store), "pp", "tp", "dp", "origin", "devices") == [(1, 1, 1, "undefined", 16)]


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], Strategy(MEGATRON, dp=2, pp=2)),
        ([(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)], Strategy(MEGATRON_PP, dp=2, pp=2)),
        ([(0, 0, 0), (0, 0, 1), (1, 1, 0), (1, 1, 1)], Strategy(MEGATRON, dp=2, pp=2, tp=2)),
        ([(0, 0, 0), (0, 0, 0)], None),
        ([(None, None, None)], None),
    ],
)
def test_strategy_of_the_parallel_indices(places, expected):
    table = pa.Table.from_pylist([{"rank": r, "dp": d, "pp": p, "tp": t} for r, (d, p, t) in enumerate(places)])
    assert summary_strategy.of_indices(table) == expected


@pytest.mark.example(SPEC, "W12")
@pytest.mark.row(SPEC, 14)
def test_layout_and_groups_of_the_data_and_of_given_sizes(set_a):
    assert rows(summary.parallel_layout(set_a), "index", "name", "ranks", "x", "y") == [
        (0, "dp0-pp0", "0", 0, 0), (1, "dp1-pp0", "1", 1, 0), (2, "dp0-pp1", "2", 0, 1), (3, "dp1-pp1", "3", 1, 1),
    ]  # fmt: skip
    assert rows(summary.parallel_groups(set_a), "dimension", "group", "ranks") == [
        ("dp", 0, [0, 1]), ("dp", 1, [2, 3]), ("pp", 0, [0, 2]), ("pp", 1, [1, 3]),
    ]  # fmt: skip
    assert rows(summary.parallel_groups(set_a, tp=4, dp=1, pp=1), "dimension", "ranks") == [("tp", [0, 1, 2, 3])]
    with pytest.raises(BadArgument, match="fewer than the 4 devices"):
        summary.parallel_layout(set_a, pp=1)


@pytest.mark.example(SPEC, "W22")
def test_kernels_of_a_rank_by_accelerator_core(set_a):
    expected = [("AI_CORE", 84415), ("AI_VECTOR_CORE", 168357), ("MIX_AIC", 124287), ("MIX_AIV", 23387)]
    assert rows(summary.computing_detail(set_a, rank=2), "core", "duration_us") == expected
    assert rows(summary.computing_detail(set_a, rank=2, step="13"), "core", "duration_us") == expected
    with pytest.raises(NoData, match="not open"):
        summary.computing_detail(set_a, rank=77)
    with pytest.raises(NoData, match="kernel_details"):
        summary.computing_detail(set_a, rank=1)


@pytest.mark.example(SPEC, "W24")
@pytest.mark.row(SPEC, 9)
def test_overview_of_a_finished_analysis_without_preparing(real):
    store = open_cluster(real("upstream_unit/cluster_analysis_output"))
    found = summary.overview(store)
    assert (found.num_rows, rows(found, "rank", "free_us", "preparing_us")[0]) == (16, (0, 69909.504, 0.0))
    assert summary.overview(store, step="3").num_rows == 0
    assert rows(summary.steps(store), "step") == [("2",)]


def test_rank_that_cannot_be_read_is_listed(tmp_path):
    write_rank(tmp_path, 0, collective={"a@7": operator()})
    card = write_rank(tmp_path, 1, collective={"a@7": operator()})
    (card / "ASCEND_PROFILER_OUTPUT" / "communication.json").write_text("[")
    store = open_cluster(tmp_path)
    assert rows(summary.issues(store), "code", "severity", "where") == [
        ("cluster.rank_file", "error", "rank 1, communication.json")
    ]


@pytest.mark.example(SPEC, "W25")
def test_overview_against_a_baseline(tmp_path):
    for job, ranks, computing, bubble in (("a", (0,), 10.1234, 0), ("b", (0, 1), 30, 7)):
        for rank in ranks:
            step = ("1", computing, 2, 1, 3, 4, 5, bubble, 1, 1)
            write_rank(tmp_path / "jobs" / job / "ranks", rank, steps=[step])
    found = summary.overview_compare(open_cluster(tmp_path / "jobs"), cluster="b", baseline="a")
    names = ("rank", "computing_us", "computing_us_baseline", "bubble_us", "free_us", "e2e_us", "in_baseline")
    assert rows(found, *names) == [(0, 19.877, 10.123, 7.0, 0.0, 19.877, True), (1, 30.0, None, 7.0, 4.0, 37.0, False)]
