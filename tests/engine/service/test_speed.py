"""Speeds as the collector defines them, and the speed of the queries themselves."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.support.service_run import event, run_of, trace

from insight_desktop.engine.service import curve, metrics, requests, speed
from insight_desktop.engine.service.model import NONE, Columns, Instance
from insight_desktop.schema_service import TABLES


@pytest.mark.row("service", 11)
@pytest.mark.example("service", 13)
def test_speeds_count_requests_of_the_batch(tmp_path: Path) -> None:
    def step(start: float, end: float, iteration: int) -> list[dict[str, object]]:
        items = [{"rid": f"r{i}", "iter": iteration if i == 0 else 99 + i} for i in range(10)]
        return [
            event("batchFrameworkProcessing", start, "Schedule(2)", until=start + 0.1, res_list=items),
            event("modelExec", start + 0.2, "Execute(3)", until=end, res_list=items),
        ]

    # Scheduling starts at 1.0 ms, the execution of iteration 0 ends at 2.5 ms: 10 / 1.5 ms.
    first = run_of(trace(tmp_path, step(1.0, 2.5, 0), "first"))
    assert speed.prefill(first)["per_s"].to_pylist() == pytest.approx([6666.67], abs=0.01)
    # Executions end at 1.5, 2.5 and 3.5 ms: 10 / 1 ms twice; iterations that do not follow give none.
    later = run_of(
        trace(tmp_path, [*step(1.0, 1.5, 0), *step(2.0, 2.5, 1), *step(3.0, 3.5, 2), *step(5.0, 5.5, 4)], "later")
    )
    assert speed.decode(later)["per_s"].to_pylist() == pytest.approx([10_000, 10_000])


@pytest.mark.example("service", 8)
def test_speeds_of_the_first_example_are_those_recorded(real: Callable[[str], Path]) -> None:
    store = run_of(real("service/g1"))
    assert np.median(speed.prefill(store)["per_s"].to_numpy()) == pytest.approx(130.719, abs=0.01)
    found = sorted(speed.decode(store)["per_s"].to_pylist())
    assert found == pytest.approx([90.9091, 125, 157.8947, 157.8947], abs=0.01)
    assert (np.mean(found), np.median(found)) == pytest.approx((132.9246, 141.4474), abs=0.01)
    assert curve.data(store, name="Decode speed")["requests per s"].to_pylist() == pytest.approx(
        [125, 157.8947, 90.9091], abs=0.01
    )


def empty(table: str) -> Columns:
    kinds = {f.name: np.empty(0, np.int64 if str(f.type).startswith("int") else np.float64 if str(f.type) == "double" else object) for f in TABLES[table].schema}  # fmt: skip
    return Columns(kinds)


@pytest.mark.row("service", 35)
def test_a_hundred_thousand_requests_are_measured_while_one_waits() -> None:
    count = 100_000
    rnd = np.random.default_rng(1)
    arrive = np.cumsum(rnd.integers(1, 2_000_000, count))
    first = arrive + rnd.integers(1_000_000, 500_000_000, count)
    last = first + rnd.integers(0, 5_000_000_000, count)
    request = empty("service_request").all | {
        "request": np.arange(count), "arrive_ns": arrive, "enqueue_ns": arrive, "dequeue_ns": (arrive + first) // 2, "first_token_ns": first,
        "last_token_ns": last, "done_ns": last, "first_event_ns": arrive, "last_event_ns": last,
        "n_in": np.full(count, 100), "n_out": np.full(count, 20), "state": np.full(count, "done", object),
        "rid": np.array([f"r{i}" for i in range(count)], object), "flags": np.zeros(count, np.int64),
        **{f"recorded_{f}_ns": np.full(count, NONE) for f in ("ttft", "e2e", "queue")},
    }  # fmt: skip
    tables = {name: empty(f"service_{name}") for name in ("step", "step_request", "stall", "kv", "queue", "forward", "pd", "pull", "process")}  # fmt: skip
    at = np.sort(rnd.integers(0, int(last[-1]), 20 * count))
    token = Columns({"request": np.repeat(np.arange(count), 20), "ts_ns": at, "tokens": np.ones(20 * count, np.int64), "step": np.zeros(20 * count, np.int64)})  # fmt: skip
    run = Instance(
        "r", ["r"], {}, Columns(request), token, **tables, request_run=np.zeros(count, np.int32), folders=[],
        first_ns=0, last_ns=int(last[-1]),
    )  # fmt: skip
    began = time.perf_counter()
    for metric in metrics.METRICS:
        assert len(metrics.sorted_samples(run, metric)) >= count
    metrics.mismatches(run)
    assert requests.count_by_state(run)["done"] == count
    assert time.perf_counter() - began < 3.0  # 0.5 s on a free machine, for two million tokens
