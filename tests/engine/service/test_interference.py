from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.service_run import run_of

from insight_desktop.engine.service import interference
from insight_desktop.engine.store import Store


@pytest.fixture
def g1(real: Callable[[str], Path]) -> Store:
    return run_of(real("service/g1"))


@pytest.mark.row("service", 27)
@pytest.mark.example("service", 7)
def test_tokens_beside_prefill_are_slower(g1: Store) -> None:
    row = interference.summary(g1).to_pylist()[0]
    assert (row["mixed"], row["pure"], row["unknown"]) == (2, 1, 0)
    assert row["ratio"] == pytest.approx(1.591, abs=0.0005)
    assert row["share"] == pytest.approx(2 / 3)
    assert row["excess_ns"] == pytest.approx(13e6)


def test_steps_are_listed_by_what_they_cost_others(g1: Store) -> None:
    rows = interference.worst_steps(g1).to_pylist()
    assert [(r["step"], r["excess_ns"] / 1e6, r["delayed"]) for r in rows] == [(3, 8.0, 1), (2, 5.0, 1)]


def test_every_gap_falls_into_a_bin(g1: Store) -> None:
    bars = interference.distributions(g1, bins=4)
    assert (sum(bars["pure"].to_pylist()), sum(bars["mixed"].to_pylist())) == (1, 2)
    assert [r["itl_ns"] / 1e6 for r in interference.samples(g1).to_pylist()] == [16.0, 19.0, 11.0]
