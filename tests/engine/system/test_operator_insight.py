"""Shares, spread, outliers, cost per element, pipes and jumps, against figures worked out by hand."""

from __future__ import annotations

import json
import statistics
from collections import defaultdict

import numpy as np
import pytest
from tests.support.operator_files import fixture_store, kernel_store, line, open_store

from insight_desktop.engine.system import operator, operator_insight
from insight_desktop.errors import NoData

SPEC = "system-memory-operator-rl"


def test_pareto_classes_split_at_80_and_95_percent(tmp_path):
    durations = {"a": 50, "b": 30, "c": 10, "d": 5, "e": 4, "f": 1}
    store = kernel_store(tmp_path, [line(type=t, duration=d) for t, d in durations.items()])
    table = operator.pareto(store)
    assert table["cumulative_ratio"].to_pylist() == [0.5, 0.8, 0.9, 0.95, 0.99, 1.0]
    assert table["share_ratio"].to_pylist() == [0.5, 0.3, 0.1, 0.05, 0.04, 0.01]
    assert table["class"].to_pylist() == ["A", "A", "B", "B", "C", "C"]


def test_pareto_of_one_giant_is_class_a(tmp_path):
    store = kernel_store(tmp_path, [line(type="big", duration=97), line(type="small", duration=3)])
    assert operator.pareto(store)["class"].to_pylist() == ["A", "C"]


def test_durations_of_an_operator_by_start(tmp_path):
    store = kernel_store(
        tmp_path, [line("x", start=30, duration=2), line("x", start=10, duration=3), line("y", start=1)]
    )
    table = operator.durations(store, name="x")
    assert list(zip(table["start_ns"].to_pylist(), table["duration_us"].to_pylist(), strict=True)) == [
        (10000, 3.0), (30000, 2.0),
    ]  # fmt: skip
    assert operator.durations(store, type="Add", shape='"16"').num_rows == 3
    assert operator.durations(store, type="add").num_rows == 0


def test_thinned_points_keep_the_extremes(tmp_path):
    given = [line("x", start=i, duration=5) for i in range(1, 2001)]
    given[777] = line("x", start=778, duration=99)
    given[1234] = line("x", start=1235, duration=0.5)
    table = operator.durations(kernel_store(tmp_path, given), name="x", limit=100)
    assert table.num_rows <= 100
    assert {99.0, 0.5} <= set(table["duration_us"].to_pylist())


def test_histogram_counts_every_duration_once(tmp_path):
    store = kernel_store(tmp_path, [line("x", duration=d) for d in (1, 2, 3, 4, 10, 10)])
    table = operator.duration_histogram(store, name="x", bins=3)
    assert table.to_pylist() == [
        {"from_us": 1.0, "to_us": 4.0, "count": 3}, {"from_us": 4.0, "to_us": 7.0, "count": 1},
        {"from_us": 7.0, "to_us": 10.0, "count": 2},
    ]  # fmt: skip
    log = operator.duration_histogram(store, name="x", bins=2, scale="log")
    assert [round(v, 3) for v in log["to_us"].to_pylist()] == [3.162, 10.0]
    assert log["count"].to_pylist() == [3, 3]
    assert operator.duration_histogram(store, name="x", bins=5).num_rows == 5
    same = kernel_store(tmp_path / "same", [line("x", duration=7)] * 3)
    assert operator.duration_histogram(same, name="x").to_pylist() == [{"from_us": 7.0, "to_us": 7.0, "count": 3}]


def test_outliers_by_hand(tmp_path):
    # Median 10, deviations 0 0 0 1 1 1 1 2 20 → MAD 1, limit max(10 + 4.4478, 15) = 15.
    durations = [10, 10, 10, 9, 11, 11, 9, 12, 30]
    given = [line("x", duration=d, start=i + 1) for i, d in enumerate(durations)]
    given += [line("seven", "Seven", duration=d) for d in (1, 1, 1, 1, 1, 1, 99)]  # too few
    found = operator.outliers(kernel_store(tmp_path, given)).to_pylist()
    assert [
        (r["row"], r["duration_us"], r["median_us"], r["limit_us"], r["factor"], r["cost_us"], r["count"])
        for r in found
    ] == [(8, 30.0, 10.0, 15.0, 3.0, 20.0, 9)]


def test_wide_spread_raises_the_limit_of_outliers(tmp_path):
    # Median 10, MAD 5: limit 10 + 3 · 1.4826 · 5 = 32.239, so 32 is none and 33 is one.
    for last, count in ((32, 0), (33, 1)):
        durations = [1, 5, 5, 10, 10, 15, 15, 20, last]
        store = kernel_store(tmp_path / str(last), [line("x", duration=d) for d in durations])
        assert operator.outliers(store).num_rows == count


def test_outliers_agree_with_the_plain_rule_on_random_durations(tmp_path):
    random = np.random.default_rng(7)
    given = [(f"t{random.integers(4)}", int(random.lognormal(3, 1) * 1000) + 1) for _ in range(400)]
    store = kernel_store(tmp_path, [line("x", t, duration=d / 1000) for t, d in given])
    groups = defaultdict(list)
    for row, (kind, duration) in enumerate(given):
        groups[kind].append((row, duration))
    wanted = set()
    for members in groups.values():
        values = [d for _, d in members]
        median = statistics.median(values)
        spread = statistics.median(abs(v - median) for v in values)
        wanted |= {r for r, d in members if d > median + 3 * 1.4826 * spread and d >= 1.5 * median and len(values) >= 8}
    table = operator.outliers(store)
    assert set(table["row"].to_pylist()) == wanted != set()
    assert table["cost_us"].to_pylist() == sorted(table["cost_us"].to_pylist(), reverse=True)
    assert operator.outliers(store, limit=2).num_rows == 2


@pytest.mark.parametrize(
    ("text", "count"),
    [('"32,3,4;10"', 394), ('"16"', 16), ('""', None), ("N/A", None), ('"-1,4"', None), ('"2,3;"', 6), ("[2,3]", 6), ("", None)],
)  # fmt: skip
def test_elements_of_shape_texts(text, count):
    assert operator_insight.elements(text) == count


def test_cost_per_element_shows_the_expensive_shape(tmp_path):
    given = [
        line("mm", shape="100", duration=1), line("mm", shape="100", duration=3), line("mm", shape="1000", duration=10),
        line("mm", shape="10", duration=2), line("mm", shape="", duration=5), line("other", shape="1"),
    ]  # fmt: skip
    table = operator.shape_sensitivity(kernel_store(tmp_path, given), name="mm")
    found = [
        (r["shape"], r["count"], r["sum_us"], r["avg_us"], r["elements"], r["ratio_to_cheapest"])
        for r in table.to_pylist()
    ]
    # ns per element: 10 for 1000, 20 for 100, 200 for 10.
    assert found == [
        ('"1000"', 1, 10.0, 10.0, 1000, 1.0), ('""', 1, 5.0, 5.0, None, None), ('"100"', 2, 4.0, 2.0, 100, 2.0),
        ('"10"', 1, 2.0, 2.0, 10, 20.0),
    ]  # fmt: skip
    assert table["ns_per_element"].to_pylist() == [10.0, None, 20.0, 200.0]


def test_pipes_are_weighted_by_duration(tmp_path):
    header = ("aicore_time(us)", "aic_mac_ratio", "aic_mte2_ratio", "aiv_vec_ratio", "aic_mac_fp16_ratio")
    given = [
        line("a", "Mat", duration=30, pmu=(1, 0.8, 0.1, "N/A", 1)), line("b", "Mat", duration=10, pmu=(1, 0.4, 0.9, "N/A", 1)),
        line("c", "Vec", "AI_VECTOR_CORE", duration=5, pmu=(1, 0, 0.5, 0.25, 1)),
        line("d", "None", "AI_CPU", duration=1, pmu=("N/A",) * 5),
    ]  # fmt: skip
    store = kernel_store(tmp_path, given, pmu=header)
    found = operator.pipe_ratios(store).to_pylist()
    assert [(r["type"], r["bound_by"], r["bound_kind"], r["bound_ratio"]) for r in found] == [
        ("Mat", "aic_mac_ratio", "compute", pytest.approx(0.7)), ("Vec", "aic_mte2_ratio", "memory", 0.5), ("None", None, None, None),
    ]  # fmt: skip
    assert (found[0]["aic_mte2_ratio"], found[0]["aiv_vec_ratio"]) == (pytest.approx(0.3), None)
    assert "aic_mac_fp16_ratio" not in found[0]
    with pytest.raises(NoData, match="pipes"):
        operator.pipe_ratios(kernel_store(tmp_path / "none", [line()]))


def test_kernels_without_a_timeline_have_no_slices(tmp_path):
    assert operator.slices_of(fixture_store(tmp_path)).num_rows == 0


@pytest.mark.parametrize(
    "folder", ["text_level1/rank0_ascend_pt", "db_level1/rank0_ascend_pt", "db_level1/rank1_ascend_pt"]
)
def test_every_real_kernel_is_found_in_the_timeline(real, folder):
    store = open_store(real(folder))
    found = operator.slices_of(store)
    assert found.num_rows == 191
    assert len(set(found["slice_id"].to_pylist())) == 191
    capture = store.capture(store.cards[0].name)
    for row in found.to_pylist():
        at = row["slice_id"]
        assert (capture.text(int(capture.slice_name[at])), int(capture.slice_start[at])) == (row["name"], row["ts_ns"])


def test_jump_from_one_kernel_and_from_a_group(real):
    store = open_store(real("text_level1/rank0_ascend_pt"))
    conv = operator.slices_of(store, name="Conv2D1").to_pylist()
    # 131.016 µs after the base: the slice `Conv2D1` of the trace file begins at 1736408883704903.918 µs.
    assert [(r["ts_ns"], r["dur_ns"], r["process"]) for r in conv] == [(1736408883704903918, 313886, "Ascend Hardware")]
    assert operator.slices_of(store, row=conv[0]["row"]).to_pylist() == conv
    assert operator.slices_of(store, type="TransData", core="AI_VECTOR_CORE").num_rows == 57
    assert operator.slices_of(store, group_by="communication").num_rows == 4
    assert operator.slices_of(store, type="TransData", limit=5).num_rows == 5


def test_slices_that_share_a_start_are_told_apart_by_name(tmp_path):
    folder = tmp_path / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    head = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim"
    kernel_store(tmp_path, [])
    (folder / "kernel_details.csv").write_text(
        f"{head}\nb,T,AI_CORE,10,0,0,1\na,T,AI_CORE,10,0,0,1\nc,T,AI_CORE,11,4,0,1\n"
    )
    events = [
        {"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "Ascend Hardware"}},
        {"ph": "M", "name": "thread_name", "pid": 9, "tid": 2, "args": {"name": "Stream 2"}},
        *(
            {"ph": "X", "name": n, "pid": 9, "tid": 2, "ts": str(ts), "dur": d, "args": {}}
            for n, ts, d in (("a", 10, 0), ("b", 10, 0), ("c", 12, 4))
        ),
    ]
    (folder / "trace_view.json").write_text(json.dumps(events))
    found = operator.slices_of(open_store(tmp_path)).to_pylist()
    assert sorted((r["name"], r["ts_ns"]) for r in found) == [("a", 10000), ("b", 10000)]
    assert len({r["slice_id"] for r in found}) == 2
