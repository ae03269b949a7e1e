"""Steps of the scheduler: the worked examples, ns unless a name says ms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support.service_run import T0, event, run_of, trace

from insight_desktop.engine.service import scheduler
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, NoData


@pytest.fixture
def g1(real: Callable[[str], Path]) -> Store:
    return run_of(real("service/g1"))


@pytest.mark.row("service", 25)
@pytest.mark.example("service", 6)
def test_steps_of_the_first_example(g1: Store) -> None:
    found = scheduler.steps(g1)
    assert found["batch_size"].to_pylist() == [1, 2, 3, 1]
    assert found["prefill_tokens"].to_pylist() == [32, 32, 32, 0]
    assert [p + d for p, d in zip(found["prefill_tokens"].to_pylist(), found["decode_tokens"].to_pylist(), strict=True)] == [32, 33, 33, 1]  # fmt: skip
    assert [ns / 1e6 for ns in found["execute_ns"].to_pylist()] == [10, 15, 18, 10]
    assert found["gap_ns"].to_pylist() == [1_000_000, 1_000_000, 1_000_000, None]
    assert found["type"].to_pylist() == ["prefill", "mixed", "mixed", "decode"]
    assert found["kv_used"].to_pylist() == [2, 5, 7, 4]


@pytest.mark.row("service", 25)
@pytest.mark.example("service", 6)
def test_figures_of_all_steps(g1: Store) -> None:
    row = scheduler.summary(g1).to_pylist()[0]
    assert row["mean_batch_size"] == 1.75
    assert row["weighted_batch_size"] == pytest.approx(104 / 53)
    assert row["busy"] == pytest.approx(53 / 56)
    assert row["prefill_tokens_per_s"] == pytest.approx(2232.6, abs=0.05)
    assert row["decode_tokens_per_s"] == pytest.approx(69.8, abs=0.05)


@pytest.mark.row("service", 23)
@pytest.mark.example("service", 4)
def test_requests_under_way(g1: Store) -> None:
    rows = [((r["ts_ns"] - T0) / 1e6, r["requests"]) for r in scheduler.concurrency(g1).to_pylist()]
    assert rows == [(1.0, 1), (pytest.approx(10.0, abs=0.001), 2), (20.0, 3), (47.5, 1), (58.5, 0)]


def test_tokens_fall_into_bins(g1: Store) -> None:
    rows = scheduler.throughput(g1, bin_ms=20).to_pylist()
    # Tokens leave at 12.5, 28.5, 47.5 (three) and 58.5 ms; bins begin with the first event at 1 ms.
    assert [round(r["output_tokens_per_s"] * 0.02) for r in rows] == [1, 1, 4]
    with pytest.raises(BadArgument, match="bin"):
        scheduler.throughput(g1, bin_ms=0)


def steps_of(model: Callable[[int, int], float], count: int) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    now = 0.0
    for i in range(count):
        prefill, decode = (i * 37) % 200, 1 + (i * 7) % 16
        items = [{"rid": f"p{i}", "iter": 0, "type": 0, "num_scheduled_tokens": prefill}] if prefill else []
        items += [{"rid": f"d{k}", "iter": i + 1, "type": 1, "num_scheduled_tokens": 1} for k in range(decode)]
        length = model(prefill, decode)
        events.append(event("batchFrameworkProcessing", now, "Schedule(2)", until=now + 0.2, res_list=items))
        events.append(event("modelExec", now + 0.3, "Execute(3)", until=now + 0.3 + length, res_list=items))
        now += length + 1
    return events


@pytest.mark.row("service", 25)
def test_fit_finds_the_cost_of_tokens_again(tmp_path: Path) -> None:
    noise = np.random.default_rng(3)
    run = steps_of(lambda p, d: (9 + 0.045 * p + 0.25 * d) * (1 + noise.normal(0, 0.01)), 300)
    row = scheduler.fit(run_of(trace(tmp_path, run))).to_pylist()[0]
    assert row["steps"] == 300
    assert row["base_ns"] == pytest.approx(9e6, rel=0.05)
    assert row["per_prefill_token_ns"] == pytest.approx(45_000, rel=0.05)
    assert row["per_decode_ns"] == pytest.approx(250_000, rel=0.05)
    assert row["r2"] > 0.95


def test_fit_wants_eight_steps(g1: Store) -> None:
    with pytest.raises(NoData, match="8 executed steps"):
        scheduler.fit(g1)


def test_advice_needs_two_batch_sizes_and_says_how_many_steps_it_saw(g1: Store, tmp_path: Path) -> None:
    assert "6" not in scheduler.advice(g1)["finding"][0].as_py()
    assert "4 steps" in scheduler.advice(g1)["detail"][0].as_py()
    one = [event("modelExec", 1.0, "Execute(3)", until=2.0, res_list=["a"])]
    assert scheduler.advice(run_of(trace(tmp_path, one))).num_rows == 0


def test_queue_samples_carry_queue_and_size(g1: Store) -> None:
    rows = scheduler.queues(g1).to_pylist()
    assert [(r["queue"], r["size"]) for r in rows[:3]] == [("WAITING", 1), ("RUNNING", 1), ("WAITING", 0)]


@pytest.mark.row("service", 25)
def test_replay_gives_a_row_per_batch_size(tmp_path: Path) -> None:
    run = steps_of(lambda p, d: 9 + 0.045 * p + 0.25 * d, 40)
    for k in range(10):
        at = float(k * 20)
        run += [event("httpReq", at, res_list=f"q{k}"), event("detokenize", at + 30, res_list=[f"q{k}"])]
        run += [event("detokenize", at + 60, res_list=[f"q{k}"])]
        run.append(event("httpRes", at + 60.1, res_list=f"q{k}", **{"recvTokenSize=": 100, "replyTokenSize=": 2}))
    table = scheduler.what_if(run_of(trace(tmp_path, run)), ttft_ms=1000).to_pylist()
    assert [row["max_batch_size"] for row in table][:4] == [1, 2, 4, 8]
    assert all(row["requests"] == 10 for row in table)
    assert table[0]["ttft_p90_ns"] >= table[-1]["ttft_p90_ns"]
    assert sum(row["current"] for row in table) == 1


@pytest.mark.example("service", 19)
def test_times_of_queue_samples_begin_with_their_process(tmp_path: Path) -> None:
    events = [
        event("Queue", at, "Schedule(1)", pid, status="waiting", **{"QueueSize=": 1})
        for pid, at in ((101, 1.0), (101, 1.01), (102, 1.02))
    ]
    found = scheduler.queues(run_of(trace(tmp_path, events)))
    assert [round(v / 1e6, 4) for v in found["relative_ns"].to_pylist()] == [0, 0.01, 0]
