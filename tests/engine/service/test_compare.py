from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.service_run import event, run_of, trace

from insight_desktop.engine.service import compare, requests
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument


@pytest.fixture
def both(real: Callable[[str], Path]) -> Store:
    store = Store()
    for name in ("g1", "g2"):
        for card in run_of(real(f"service/{name}")).every_card:
            store.put(card)
    return store


@pytest.mark.row("service", 31)
def test_figures_of_two_runs(both: Store) -> None:
    rows = {r["figure"]: r for r in compare.rows(both, card="g1_0", base="g2_0").to_pylist()}
    assert (rows["done"]["comparison"], rows["done"]["baseline"], rows["done"]["better"]) == (3, 2, 1)
    e2e = rows["e2e_mean"]
    assert (e2e["comparison"], e2e["baseline"]) == (pytest.approx(40.833, abs=0.001), pytest.approx(56.95, abs=0.001))
    assert (e2e["ratio_percent"], e2e["better"]) == (pytest.approx(-28.3, abs=0.01), 1)
    assert rows["preemptions"]["better"] == 1


@pytest.mark.row("service", 31)
def test_spans_of_two_runs(both: Store) -> None:
    rows = {r["name"]: r for r in compare.spans(both, card="g1_0", base="g2_0").to_pylist()}
    assert set(rows) == {"batchFrameworkProcessing", "forward", "modelExec", "sample"}
    one = rows["modelExec"]
    assert (one["input_avg"], one["golden_avg"], one["diff_avg"], one["rdiff_avg_percent"]) == (13.25, 13.0, 0.25, 1.92)
    assert (rows["forward"]["golden_avg"], rows["forward"]["rdiff_avg_percent"]) == (None, None)


@pytest.mark.row("service", 31)
def test_pooled_runs_put_their_samples_together(both: Store) -> None:
    # TTFT of g1: 11.5, 37.5, 27.5; of g2: 21.5, 21.4 ms. The median of all is not a mean of medians.
    row = requests.percentiles(both, card="*", metric="ttft").to_pylist()[0]
    assert (row["count"], row["p50_ns"] / 1e6) == (5, pytest.approx(21.5, abs=0.001))
    assert requests.list(both, card="*")["card"].to_pylist() == ["g1_0", "g2_0", "g2_0", "g1_0", "g1_0"]  # by arrival
    assert [r["part"] for r in requests.waterfall(both, card="*", rid="E").to_pylist()].count("stalled") == 1
    assert requests.batches(both, card="*", rid="E")["step"].to_pylist() == [5, 8, 9]


def test_several_runs_want_a_name(both: Store) -> None:
    with pytest.raises(BadArgument, match="Several cards"):
        requests.list(both)


def test_same_numbers_of_processes_in_two_runs_are_kept_apart(tmp_path: Path) -> None:
    store = Store()
    for name in ("a", "b"):
        events = [
            event("httpReq", 1, res_list="r"),
            event("detokenize", 5, res_list=["r"]),
            event("httpRes", 6, res_list="r"),
        ]
        for card in run_of(trace(tmp_path, events, name)).every_card:
            store.put(card)
    assert requests.list(store, card="*")["card"].to_pylist() == ["a_0", "b_0"]
