"""The simulated serving run: what the engine finds is what happened."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sample_data import make_service
from sample_data.serve import Load, Run, simulate
from tests.support.service_run import run_of

from insight_desktop.engine.service import kv, overview, requests, scheduler
from insight_desktop.engine.store import Store

LOAD = Load(seed=3, requests=120, rate=40, seats=10, squeeze=0.5, stragglers=0.0)


@pytest.fixture(scope="module")
def truth() -> Run:
    return simulate(LOAD)


@pytest.fixture(params=["db", "json"])
def store(request: pytest.FixtureRequest, truth: Run, tmp_path: Path) -> Store:
    folder = tmp_path / "run"
    folder.mkdir()
    if request.param == "db":
        make_service.write_db(folder / "profiler.db", truth)
    else:
        make_service.write_json(folder / "chrome_tracing.json", truth)
    return run_of(folder)


@pytest.mark.row("service", 20, 21, 26)
def test_latencies_queues_and_preemptions_are_those_of_the_simulation(store: Store, truth: Run) -> None:
    found = {row["rid"]: row for row in requests.list(store).to_pylist()}
    assert set(found) == {t.rid for t in truth.truth}
    assert sum(t.preemptions for t in truth.truth) > 5
    for t in truth.truth:
        row = found[t.rid]
        ours = [row["ttft_ns"], row["e2e_ns"], row["queue_ns"], row["stall_ns"]]
        theirs = [t.first - t.arrive, t.done - t.arrive, t.dequeue - t.enqueue, t.stall]
        assert ours == pytest.approx(theirs, abs=1000), t.rid
        assert (row["preemptions"], row["n_in"], row["n_out"], row["state"]) == (t.preemptions, t.n_in, t.n_out, "done")
        assert row["tpot_ns"] == (pytest.approx((t.last - t.first) / (t.n_out - 1), abs=1000) if t.n_out > 1 else None)


@pytest.mark.row("service", 24)
def test_parts_add_up_to_the_whole_time_of_every_request(store: Store) -> None:
    for row in requests.list(store).to_pylist():
        parts = sum(row[f"part_{p}_ns"] for p in ("frontend", "queue", "prefill", "decode", "stalled", "tail"))
        assert parts == pytest.approx(row["e2e_ns"], abs=1000)
        walls = requests.waterfall(store, rid=row["rid"]).to_pylist()
        assert sum(w["dur_ns"] for w in walls) == row["e2e_ns"]


@pytest.mark.row("service", 25)
def test_fit_finds_the_costs_that_were_simulated(store: Store, truth: Run) -> None:
    row = scheduler.fit(store).to_pylist()[0]
    assert scheduler.steps(store).num_rows == truth.steps
    assert row["per_prefill_token_ns"] == pytest.approx(45_000, rel=0.05)
    assert row["base_ns"] == pytest.approx(9_000_000, rel=0.05)


@pytest.mark.row("service", 23)
def test_littles_law_holds(store: Store) -> None:
    row = overview.kpis(store).to_pylist()[0]
    assert row["mean_concurrency"] == pytest.approx(row["requests_per_s"] * row["e2e_mean_ns"] / 1e9, rel=0.01)


@pytest.mark.row("service", 26)
def test_cache_runs_full(store: Store, truth: Run) -> None:
    peak = max(k["used"] / k["total"] for k in truth.kv if k["total"])
    rate = kv.usage(store)["rate"].to_numpy()
    assert np.max(rate) >= peak - 0.02
    assert kv.summary(store)["preemptions"].to_pylist() == [sum(t.preemptions for t in truth.truth)]


@pytest.mark.row("service", 22)
def test_recorded_values_with_the_errors_of_the_analyser_are_marked(truth: Run, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    make_service.write_db(folder / "profiler.db", truth)
    store = run_of(folder)
    thrown_out = {t.rid for t in truth.truth if t.preemptions}
    marked = {row["rid"] for row in requests.differences(store).to_pylist() if row["figure"] == "queue"}
    assert thrown_out <= marked
    assert [i.code for i in store.reports[0].issues] == ["service_db.view"]  # type: ignore[attr-defined]


def test_same_seed_gives_the_same_run(truth: Run) -> None:
    again = simulate(LOAD)
    assert again.truth == truth.truth
    assert len(again.events) == len(truth.events)
