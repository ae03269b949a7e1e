from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.service_run import event, run_of, trace

from insight_desktop.engine.service import overview


@pytest.mark.row("service", 23)
@pytest.mark.example("service", 4)
@pytest.mark.parametrize("kind", ["service_db", "service"])
def test_throughput_and_concurrency_of_the_first_example(real: Callable[[str], Path], kind: str) -> None:
    row = overview.kpis(run_of(real("service/g1"), kind)).to_pylist()[0]
    assert row["duration_ns"] == 57_500_000
    rates = [row[f"{n}_per_s"] for n in ("requests", "output_tokens", "input_tokens", "total_tokens")]
    assert rates == pytest.approx([52.174, 104.348, 1669.565, 1773.913], abs=0.001)
    assert (row["peak_concurrency"], row["mean_concurrency"]) == (3, pytest.approx(2.130, abs=0.001))
    assert (row["done"], row["running"], row["differs"], row["token_source"]) == (3, 0, 1, "detokenize")


@pytest.mark.row("service", 20)
def test_generation_and_source_of_tokens_are_told(real: Callable[[str], Path]) -> None:
    found = {n: overview.kpis(run_of(real(f"service/{n}"))).to_pylist()[0] for n in ("vllm", "sgl", "mindie_new")}
    assert {n: (r["generation"], r["token_source"]) for n, r in found.items()} == {
        "vllm": ("vllm_v1", "detokenize"), "sgl": ("sglang", "detokenize"), "mindie_new": ("mindie", "sendResponse"),
    }  # fmt: skip


def test_tabs_without_data_say_what_they_need(real: Callable[[str], Path]) -> None:
    rows = {r["tab"]: r for r in overview.tabs(run_of(real("service/g1"))).to_pylist()}
    assert [n for n, r in rows.items() if not r["available"]] == ["pd", "spec", "moe"]
    assert "ep_balance" in rows["moe"]["missing"]


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([event("httpReq", 1, res_list="r")], "None of the 1 requests ended"),
        ([event("httpRes", 1, res_list="r"), event("detokenize", 0.5, res_list=["r"])], "began before the collection"),
        ([event("modelExec", 1, "Execute(2)", until=2)], "No event of this run names a request"),
    ],
)
def test_empty_statistics_say_why(tmp_path: Path, events: list[dict[str, object]], words: str) -> None:
    row = overview.kpis(run_of(trace(tmp_path, events))).to_pylist()[0]
    assert words in row["message"]
    assert row["fix"]


def test_open_runs_are_listed(real: Callable[[str], Path]) -> None:
    store = run_of(real("service"))
    assert [(r["card"], r["requests"]) for r in overview.instances(store).to_pylist()] == [
        ("g1_0", 3), ("g2_0", 2), ("mindie_new_0", 7), ("sgl_0", 3), ("vllm_0", 12),
    ]  # fmt: skip
    assert overview.pareto(store).num_rows == 5
