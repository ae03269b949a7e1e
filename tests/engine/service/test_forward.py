from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.service_run import event, run_of, trace

from insight_desktop.engine.service import forward
from insight_desktop.engine.store import Store

GRID = 0.001  # ms: the files hold times on a grid of 0.25 µs


@pytest.fixture
def g1(real: Callable[[str], Path]) -> Store:
    return run_of(real("service/g1"))


@pytest.mark.row("service", 28)
@pytest.mark.example("service", 8)
def test_bubbles_of_the_first_example(g1: Store) -> None:
    rows = forward.passes(g1).to_pylist()
    assert [None if r["bubble_ns"] is None else r["bubble_ns"] / 1e6 for r in rows][:3] == pytest.approx(
        [3.5, 3.5, 3.5], abs=GRID
    )
    assert rows[3]["bubble_ns"] is None
    assert [r["relative_ns"] / 1e6 for r in rows] == pytest.approx([0, 11, 27, 46], abs=GRID)
    assert [r["iteration"] for r in rows] == [1, 2, 3, 4]
    assert [r["step"] for r in rows] == [1, 2, 3, 4]
    assert forward.bubbles(g1)["bubble_share"].to_pylist() == pytest.approx([0.1963], abs=0.0001)


@pytest.mark.row("service", 28)
@pytest.mark.example("service", 12)
def test_bubbles_of_three_passes(tmp_path: Path) -> None:
    events = [event("forward", a, "Execute(1)", until=a + 50, res_list=["r"]) for a in (100, 200, 300)]
    rows = forward.passes(run_of(trace(tmp_path, events))).to_pylist()
    assert [r["bubble_ns"] for r in rows] == [50_000_000, 50_000_000, None]
    assert [r["relative_ns"] for r in rows] == [0, 100_000_000, 200_000_000]


@pytest.mark.row("service", 34)
def test_overlap_counts_as_no_bubble_and_is_told(tmp_path: Path) -> None:
    events = [event("forward", a, "Execute(1)", until=a + 5, res_list=["r"]) for a in (10, 14, 25)]
    store = run_of(trace(tmp_path, events))
    assert [r["bubble_ns"] for r in forward.passes(store).to_pylist()] == [0, 6_000_000, None]
    assert forward.bubbles(store)["overlaps"].to_pylist() == [1]


@pytest.mark.row("service", 28)
def test_slowest_of_a_step_is_found(tmp_path: Path) -> None:
    items = [{"rid": "r", "iter": 0}]
    events = [
        event("batchFrameworkProcessing", 1, "Schedule(1)", until=2, res_list=items),
        event("modelExec", 3, "Execute(1)", until=14, res_list=items),
        event("forward", 4, "Execute(1)", pid=2, until=8, res_list=["r"]),
        event("forward", 4, "Execute(1)", pid=3, until=12, res_list=["r"]),
    ]
    row = forward.imbalance(run_of(trace(tmp_path, events))).to_pylist()[0]
    assert (row["steps"], row["mean"], row["slowest"]) == (1, pytest.approx(8 / 6), "3")


def test_both_cards_of_mindie_belong_to_the_same_steps(real: Callable[[str], Path]) -> None:
    rows = forward.passes(run_of(real("service/mindie_new"))).to_pylist()
    steps = {pid: [r["step"] for r in rows if r["pid"] == pid] for pid in ("2010", "2011")}
    assert steps["2010"] == steps["2011"] == list(range(1, 19))
