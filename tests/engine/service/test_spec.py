from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.support.service_run import event, run_of, trace

from insight_desktop.engine.service import requests, spec
from insight_desktop.errors import NoData


@pytest.mark.row("service", 30)
@pytest.mark.example("service", 17)
def test_share_of_accepted_drafts() -> None:
    assert spec.ratios(np.array([4, 4]), np.array([2, 2]))[0] == 0.5
    whole, places = spec.ratios(np.array([3, 3, 2]), np.array([3, 1, 0]))
    assert whole == 0.5
    assert [round(p, 4) for p in places] == [0.6667, 0.3333, 0.5]


@pytest.mark.row("service", 30, 34)
def test_tokens_of_an_event_are_the_accepted_ones_and_one(tmp_path: Path) -> None:
    def step(at: float, i: int, drafted: int, accepted: int) -> list[dict[str, object]]:
        items = [{"rid": "r", "iter": i, "type": int(i > 0), "num_scheduled_tokens": 1 + drafted, "num_prompt_tokens": 8,
                  "num_computed_tokens": 8 * (i > 0), "num_spec_output_tokens": drafted, "num_spec_accepted_tokens": accepted}]  # fmt: skip
        return [
            event("batchFrameworkProcessing", at, "Schedule(2)", until=at + 0.2, res_list=items),
            event("modelExec", at + 0.3, "Execute(3)", until=at + 9, res_list=items),
            event("detokenize", at + 9.5, res_list=["r"]),
        ]

    events = [event("httpReq", 0.5, res_list="r"), *step(1, 0, 0, 0), *step(11, 1, 3, 3), *step(21, 2, 3, 1)]
    store = run_of(trace(tmp_path, [*events, event("httpRes", 31.0, res_list="r")]))
    assert [t["tokens"] for t in requests.tokens(store, rid="r").to_pylist()] == [1, 4, 2]
    row = requests.list(store).to_pylist()[0]
    assert (row["n_out"], row["tpot_ns"]) == (7, pytest.approx((31.0 - 10.5) / 6 * 1e6))
    figures = spec.summary(store).to_pylist()[0]
    assert (figures["drafted"], figures["accepted"], figures["mean_accepted_length"]) == (6, 4, 3.0)
    assert spec.positions(store)["ratio"].to_pylist() == [1.0, 0.5, 0.5]
    assert spec.by_request(store)["ratio"].to_pylist() == pytest.approx([4 / 6])
    assert spec.over_time(store)["step"].to_pylist() == [2, 3]


def test_run_without_drafts_says_so(real: Callable[[str], Path]) -> None:
    with pytest.raises(NoData, match="no speculative decoding"):
        spec.summary(run_of(real("service/g1")))
