"""Requests: the worked examples of the specification, ns unless a name says ms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.service_run import T0, event, run_of, trace

from insight_desktop.engine.service import requests
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, NoData

US = 1_000


@pytest.fixture(params=[None, "service"], ids=["db", "json"])
def kind(request: pytest.FixtureRequest) -> str | None:
    """Each run as database and as JSON trace: both give the same figures."""
    return request.param


@pytest.fixture
def g1(real: Callable[[str], Path], kind: str | None) -> Store:
    return run_of(real("service/g1"), kind)


@pytest.fixture
def g2(real: Callable[[str], Path], kind: str | None) -> Store:
    return run_of(real("service/g2"), kind)


def ms(value: float | None) -> float | None:
    return None if value is None else value / 1e6


def row(store: Store, metric: Any) -> dict[str, Any]:
    return requests.percentiles(store, metric=metric).to_pylist()[0]


def by_rid(store: Store) -> dict[str, dict[str, Any]]:
    return {one["rid"]: one for one in requests.list(store).to_pylist()}


@pytest.mark.row("service", 21)
@pytest.mark.example("service", 2)
def test_time_to_first_token_is_that_of_the_trace(g1: Store) -> None:
    found = by_rid(g1)
    assert [ms(found[r]["ttft_ns"]) for r in "ABC"] == pytest.approx([11.5, 37.5, 27.5], abs=0.001)
    figures = row(g1, "ttft")
    shown = [ms(figures[f"{n}_ns"]) for n in ("mean", "std", "p50", "p90", "p95", "p99")]
    assert shown == pytest.approx([25.5, 10.708, 27.5, 35.5, 36.5, 37.3], abs=0.001)


@pytest.mark.row("service", 22)
@pytest.mark.example("service", 1, 2)
def test_recorded_value_that_differs_is_marked(g1: Store) -> None:
    assert requests.differences(g1).select(["rid", "figure", "recorded_ns"]).to_pylist() == [
        {"rid": "B", "figure": "ttft", "recorded_ns": 48_500_250}
    ]
    found = by_rid(g1)
    assert [ms(found[r]["recorded_e2e_ns"]) for r in "ABC"] == [46.0, 49.0, 27.0]
    assert [ms(found[r]["recorded_queue_ns"]) for r in "ABC"] == [0.67, 2.67, 8.67]
    assert [ms(found[r]["recorded_ttft_ns"]) for r in "ABC"] == [11.5, 48.50025, 27.3]
    assert [found[r]["differs"] for r in "ABC"] == [[], ["ttft"], []]


@pytest.mark.row("service", 21)
@pytest.mark.example("service", 3)
def test_whole_time_gaps_between_tokens_and_queue_of_the_first_example(g1: Store) -> None:
    found = by_rid(g1)
    assert [ms(found[r]["e2e_ns"]) for r in "ABC"] == pytest.approx([46.5, 48.5, 27.5], abs=0.001)
    assert [ms(found[r]["tpot_ns"]) for r in "ABC"] == [17.5, 11.0, None]
    shown = {
        m: [ms(row(g1, m)[f"{n}_ns"]) for n in ("mean", "p50", "p90", "p99")] for m in ("e2e", "itl", "tpot", "queue")
    }
    assert shown["e2e"] == pytest.approx([40.833, 46.5, 48.1, 48.46], abs=0.001)
    assert shown["itl"] == pytest.approx([15.333, 16, 18.4, 18.94], abs=0.001)
    assert shown["tpot"] == pytest.approx([14.25, 14.25, 16.85, 17.435], abs=0.001)
    assert shown["queue"] == pytest.approx([4.003, 2.67, 7.47, 8.55], abs=0.001)


@pytest.mark.row("service", 23)
@pytest.mark.example("service", 4)
def test_goodput_counts_what_meets_all_limits(g1: Store) -> None:
    both = requests.goodput(g1, ttft_ms=30, tpot_ms=20).to_pylist()[0]
    assert (both["met"], both["done"]) == (2, 3)
    assert both["per_second"] == pytest.approx(34.783, abs=0.001)
    assert both["share"] == pytest.approx(0.6667, abs=0.0001)
    missed = {one["rid"]: one["missed"] for one in requests.list(g1, ttft_ms=30, tpot_ms=20).to_pylist()}
    assert missed == {"A": [], "B": ["ttft"], "C": []}


@pytest.mark.row("service", 24)
@pytest.mark.example("service", 5)
@pytest.mark.parametrize(
    ("rid", "parts"),
    [
        ("A", {"frontend": 0.5, "queue": 0.67, "prefill": 10.33, "decode": 35.0, "tail": 0.0}),
        ("B", {"frontend": 0.5, "queue": 2.67, "prefill": 34.33, "decode": 11.0, "tail": 0.0}),
        ("C", {"frontend": 0.5, "queue": 8.67, "prefill": 18.33, "decode": 0.0, "tail": 0.0}),
    ],
)
def test_waterfall_of_the_first_example(g1: Store, rid: str, parts: dict[str, float]) -> None:
    rows = requests.waterfall(g1, rid=rid).to_pylist()
    assert [one["part"] for one in rows] == list(parts)
    assert [ms(one["dur_ns"]) for one in rows] == pytest.approx(list(parts.values()), abs=0.001)
    assert sum(one["dur_ns"] for one in rows) == pytest.approx(by_rid(g1)[rid]["e2e_ns"], abs=US)


@pytest.mark.row("service", 21, 22, 26)
@pytest.mark.example("service", 10)
def test_preemption_of_the_second_example(g2: Store) -> None:
    found = by_rid(g2)
    assert [ms(found[r]["ttft_ns"]) for r in "DE"] == pytest.approx([21.5, 21.4], abs=0.001)
    assert [ms(found[r]["tpot_ns"]) for r in "DE"] == pytest.approx([11.0, 24.5], abs=0.001)
    assert [ms(found[r]["e2e_ns"]) for r in "DE"] == pytest.approx([43.5, 70.4], abs=0.001)
    assert [ms(found[r]["queue_ns"]) for r in "DE"] == pytest.approx([0.67, 0.57], abs=0.001)
    assert [(found[r]["preemptions"], ms(found[r]["stall_ns"]), found[r]["recomputed"]) for r in "DE"] == [(0, 0.0, 0), (1, 22.0, 33)]  # fmt: skip
    gaps = {r: [ms(t["gap_ns"]) for t in requests.tokens(g2, rid=r).to_pylist()[1:]] for r in "DE"}
    assert gaps == {"D": [11.0, 11.0], "E": [38.0, 11.0]}
    assert [found[r]["differs"] for r in "DE"] == [["ttft"], ["ttft", "queue"]]
    assert [ms(found[r]["recorded_ttft_ns"]) for r in "DE"] == [32.5, 59.4]
    assert [ms(found[r]["recorded_queue_ns"]) for r in "DE"] == [0.67, 43.57]


@pytest.mark.row("service", 24)
@pytest.mark.example("service", 10)
def test_waterfall_cuts_the_stall_out_of_decode(g2: Store) -> None:
    first = [(one["part"], ms(one["dur_ns"])) for one in requests.waterfall(g2, rid="D").to_pylist()]
    assert first == [
        ("frontend", 0.5), ("queue", pytest.approx(0.67)), ("prefill", pytest.approx(20.33)), ("decode", 22.0), ("tail", 0.0),
    ]  # fmt: skip
    rows = [(one["part"], round((one["start_ns"] - T0) / 1e6, 3), ms(one["dur_ns"])) for one in requests.waterfall(g2, rid="E").to_pylist()]  # fmt: skip
    assert rows == [
        ("frontend", 1.1, 0.5), ("queue", 1.6, pytest.approx(0.57)), ("prefill", 2.17, pytest.approx(20.33)),
        ("decode", 22.5, pytest.approx(0.67)), ("stalled", 23.17, 22.0), ("decode", 45.17, pytest.approx(26.33)),
        ("tail", 71.5, 0.0),
    ]  # fmt: skip


@pytest.mark.row("service", 20)
@pytest.mark.parametrize("name", ["g1", "g2", "vllm", "sgl", "mindie_new"])
def test_database_and_trace_of_one_run_give_the_same_figures(real: Callable[[str], Path], name: str) -> None:
    db, json = (requests.list(run_of(real(f"service/{name}"), kind)) for kind in ("service_db", "service"))
    assert db.num_rows > 1
    assert db.equals(json)


@pytest.mark.row("service", 20, 33)
@pytest.mark.parametrize("name", ["g1", "g2", "vllm", "sgl", "mindie_new"])
def test_raw_databases_give_the_figures_of_the_analysed_run(real: Callable[[str], Path], name: str) -> None:
    raw, parsed = (requests.list(run_of(real(f"service/{place}"))) for place in (f"{name}/raw", name))
    assert raw["rid"].to_pylist() == parsed["rid"].to_pylist()
    for figure in ("ttft_ns", "e2e_ns", "queue_ns", "stall_ns"):
        for ours, theirs in zip(raw[figure].to_pylist(), parsed[figure].to_pylist(), strict=True):
            assert (ours is None and theirs is None) or abs(ours - theirs) <= US, figure
    for figure in ("n_in", "n_out", "preemptions", "state"):
        assert raw[figure].to_pylist() == parsed[figure].to_pylist(), figure


@pytest.mark.row("service", 22)
def test_recorded_first_token_is_wrong_both_ways(real: Callable[[str], Path]) -> None:
    found = by_rid(run_of(real("service/vllm")))
    early, late = found["req-003"], found["req-011"]
    assert [ms(early["ttft_ns"]), ms(early["recorded_ttft_ns"])] == pytest.approx([88.571, 55.162], abs=0.001)
    assert [ms(late["ttft_ns"]), ms(late["recorded_ttft_ns"])] == pytest.approx([54.593, 547.821], abs=0.001)
    assert "ttft" in early["differs"]
    assert "ttft" in late["differs"]


@pytest.mark.row("service", 34)
def test_request_that_only_arrived_is_running_and_outside_of_statistics(real: Callable[[str], Path]) -> None:
    store = run_of(real("service/mindie_new"))
    lost = by_rid(store)["900"]
    assert (lost["state"], lost["e2e_ns"], lost["n_out"], lost["recorded_ttft_ns"], lost["recorded_queue_ns"]) == (
        "running", None, None, None, None,
    )  # fmt: skip
    assert row(store, "ttft")["count"] == 6


@pytest.mark.example("service", 11)
@pytest.mark.row("service", 21)
@pytest.mark.parametrize(
    ("values", "expected"),
    [([10, 20, 30, 40, 50], (30, 30, 46, 49.6)), (list(range(10, 101, 10)), (55, 55, 91, 99.1))],
)
def test_percentiles_interpolate_linearly(
    tmp_path: Path, values: list[int], expected: tuple[float, float, float, float]
) -> None:
    events = []
    for i, value in enumerate(values):
        events += [
            event("httpReq", i * 1000, res_list=f"r{i}"),
            event("detokenize", i * 1000 + value, res_list=[f"r{i}"]),
        ]
        events.append(event("httpRes", i * 1000 + value, res_list=f"r{i}"))
    figures = row(run_of(trace(tmp_path, events)), "ttft")
    assert [ms(figures[f"{n}_ns"]) for n in ("mean", "p50", "p90", "p99")] == pytest.approx(list(expected), abs=0.001)


@pytest.mark.row("service", 36)
def test_percentile_leads_to_the_nearest_request(g1: Store) -> None:
    found = requests.nearest(g1, metric="ttft", percentile=99).to_pylist()[0]
    assert (found["rid"], found["rank"], found["of"]) == ("B", 3, 3)
    assert requests.nearest(g1, metric="ttft", percentile=50)["rid"].to_pylist() == ["C"]
    gap = requests.nearest(g1, metric="itl", percentile=100).to_pylist()[0]
    assert (gap["rid"], (gap["at_ns"] - T0) / 1e6) == ("A", 47.5)
    with pytest.raises(BadArgument, match="between 0 and 100"):
        requests.nearest(g1, metric="ttft", percentile=101)


def test_batches_of_a_request_are_the_steps_that_list_it(g1: Store) -> None:
    rows = requests.batches(g1, rid="B").to_pylist()
    assert [(b["step"], b["kind"], b["tokens"], b["batch_size"]) for b in rows] == [
        (2, "prefill", 32, 2), (3, "prefill", 16, 3), (4, "decode", 1, 1),
    ]  # fmt: skip


@pytest.mark.parametrize("rid", ["A", "B", "C"])
def test_causes_of_a_slow_request_add_up_to_its_time(g1: Store, rid: str) -> None:
    rows = requests.reasons(g1, rid=rid).to_pylist()
    assert sum(one["ms"] for one in rows) == pytest.approx(by_rid(g1)[rid]["e2e_ns"] / 1e6, abs=0.001)
    assert all(one["ms"] >= 0 for one in rows)


def test_stall_and_decode_interference_are_told_as_causes(g1: Store, g2: Store) -> None:
    stalled = {one["cause"]: one["ms"] for one in requests.reasons(g2, rid="E").to_pylist()}
    assert stalled["preemption"] == pytest.approx(22.0)
    # A's two gaps of 16 and 19 ms came from steps with prefill; without prefill a gap takes 11 ms: 5 + 8 ms.
    held = {one["cause"]: one["ms"] for one in requests.reasons(g1, rid="A").to_pylist()}
    assert held["decode_interference"] == pytest.approx(13.0)


def test_window_limits_the_statistics_to_arrivals_inside(g1: Store) -> None:
    inside = requests.percentiles(g1, metric="ttft", start_ns=T0 + 5_000_000, end_ns=T0 + 25_000_000).to_pylist()[0]
    assert inside["count"] == 2
    assert requests.list(g1, start_ns=T0 + 5_000_000, end_ns=T0 + 25_000_000)["rid"].to_pylist() == ["B", "C"]


def test_list_is_filtered_sorted_and_cut(g1: Store) -> None:
    assert requests.list(g1, sort="ttft_ns", descending=True)["rid"].to_pylist() == ["B", "C", "A"]
    assert requests.list(g1, sort="tpot_ns")["rid"].to_pylist() == ["B", "A", "C"]  # undefined comes last
    assert requests.list(g1, sort="rid", descending=True, limit=1, offset=1)["rid"].to_pylist() == ["B"]
    assert requests.list(g1, rid="b")["rid"].to_pylist() == ["B"]
    with pytest.raises(BadArgument, match="cannot be sorted"):
        requests.list(g1, sort="colour")


def test_unknown_request_is_named_with_some_that_are_there(g1: Store) -> None:
    with pytest.raises(BadArgument, match="no request 'X'") as error:
        requests.waterfall(g1, rid="X")
    assert "A, B, C" in error.value.fix


def test_distribution_reaches_both_ends(g1: Store) -> None:
    curve = requests.cdf(g1, metric="e2e")
    assert [ms(v) for v in curve["value_ns"].to_pylist()] == pytest.approx([27.5, 46.5, 48.5], abs=0.001)
    assert curve["share"].to_pylist() == pytest.approx([1 / 3, 2 / 3, 1.0])
    bars = requests.histogram(g1, metric="e2e", bins=3)
    assert bars["count"].to_pylist() == [1, 0, 2]
    assert sum(requests.heat(g1)["count"].to_pylist()) == 3
    assert requests.scatter(g1, metric="ttft")["x"].to_pylist() == [32, 48, 16]


def test_run_without_requests_says_so(tmp_path: Path) -> None:
    store = run_of(
        trace(tmp_path, [event("httpReq", 1.0, res_list="a"), event("Enqueue", 1.5, "Schedule(2)", res_list="a")])
    )
    assert requests.percentiles(store, metric="e2e")["count"].to_pylist() == [0]
    with pytest.raises(NoData, match="No request has a value"):
        requests.nearest(store, metric="e2e", percentile=50)
