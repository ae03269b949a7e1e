from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.service_run import event, run_of, trace

from insight_desktop.engine.service import moe
from insight_desktop.errors import NoData


@pytest.mark.row("service", 30)
@pytest.mark.example("service", 20)
def test_load_of_layers_and_spread(tmp_path: Path) -> None:
    folder = trace(tmp_path, [event("httpReq", 1.0, res_list="r")])
    # 58 layers with 2 kernels each, 20 tokens of 10 ns over 2 processes: 200 ns in every cell.
    (folder / "ep_balance.csv").write_text("101,102\n" + "200,200\n" * 57 + "300,100\n", encoding="utf-8")
    (folder / "moe_analysis.csv").write_text("Dataset,Mean,CI_Lower,CI_Upper\n101,1000,900,1100\n", encoding="utf-8")
    store = run_of(folder)
    rows = moe.balance(store).to_pylist()
    assert len(rows) == 116
    assert {(r["time_ns"], r["over_mean"]) for r in rows[:114]} == {(200.0, 1.0)}
    assert [(r["process"], r["layer"], r["over_mean"]) for r in rows[114:]] == [("101", 57, 1.5), ("102", 57, 0.5)]
    assert moe.spread(store).to_pylist() == [{"process": "101", "mean_ns": 1000, "low_ns": 900, "high_ns": 1100}]


def test_run_without_experts_says_so(real: Callable[[str], Path]) -> None:
    store = run_of(real("service/g1"))
    for query in (moe.balance, moe.spread):
        with pytest.raises(NoData, match="no table"):
            query(store)
