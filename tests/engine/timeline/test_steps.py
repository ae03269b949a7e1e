"""Steps from their marks and from the period of the names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.plain_build import build

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.steps import step_beside, steps

T1 = {"pid": 1, "tid": 1}
T2 = {"pid": 1, "tid": 2}


def store_of(tmp_path: Path, *spans: tuple[dict[str, Any], str, int, int]) -> Store:
    slices = [{**lane, "name": name, "start_ns": start, "end_ns": end} for lane, name, start, end in spans]
    return Store([StoreCard("0", "0", 0, "", "text", build(tmp_path / "c", slices=slices).folder)])


MARKS = (
    (T1, "ProfilerStep#9", 100, 200),
    (T1, "op", 110, 120),
    (T1, "ProfilerStep#10", 200, 320),
    (T2, "ProfilerStep#10", 210, 300),
    (T1, "ProfilerStep#11", 350, 400),
    (T1, "ProfilerStep#x", 0, 50),
)


def test_marked_steps_come_in_order_once_each(tmp_path: Path) -> None:
    found = steps(store_of(tmp_path, *MARKS), card="0").to_pylist()
    assert [(r["step"], r["from_ns"], r["to_ns"], r["dur_ns"], r["source"]) for r in found] == [
        (9, 100, 200, 100, "ProfilerStep"),
        (10, 200, 320, 120, "ProfilerStep"),
        (11, 350, 400, 50, "ProfilerStep"),
    ]
    assert [r["id"] for r in found] == [1, 2, 3]  # behind ProfilerStep#x on the top row of thread 1


def test_a_jump_leads_to_the_step_before_here_and_after(tmp_path: Path) -> None:
    store = store_of(tmp_path, *MARKS)
    places = [(at, by) for at in (50, 150, 200, 330, 399, 500) for by in (-1, 0, 1)]
    assert [step_beside(store, card="0", at_ns=at, by=by) for at, by in places] == [  # type: ignore[arg-type]
        None, None, (100, 200),
        None, (100, 200), (200, 320),
        (100, 200), (200, 320), (350, 400),
        (200, 320), None, (350, 400),
        (200, 320), (350, 400), None,
        (350, 400), None, None,
    ]  # fmt: skip


def test_without_marks_the_period_of_most_names_makes_the_steps(tmp_path: Path) -> None:
    spans: list[tuple[dict[str, Any], str, int, int]] = []
    for step in range(4):
        at = 1000 * step
        spans += [
            (T1, "forward", at, at + 400),
            (T1, "zero_grad", at + 2, at + 3),
            (T1, "optimizer", at + 900, at + 950),
        ]
        spans += [(T1, "layer", at + 10 + 50 * i, at + 50 + 50 * i) for i in range(6)]  # uneven at the edges of steps
    spans += [(T2, "log", 0, 1), (T2, "log", 1500, 1501), (T2, "log", 3000, 3001)]  # even, but alone
    found = steps(store_of(tmp_path, *spans), card="0").to_pylist()
    assert [(r["step"], r["from_ns"], r["to_ns"], r["source"]) for r in found] == [
        (0, 0, 1000, "period"),
        (1, 1000, 2000, "period"),
        (2, 2000, 3000, "period"),
        (3, 3000, 3950, "period"),  # the data end before a whole period
    ]


def test_nothing_that_repeats_evenly_gives_no_steps(tmp_path: Path) -> None:
    store = store_of(tmp_path, (T1, "a", 0, 1), (T1, "a", 5, 6), (T1, "a", 50, 60), (T1, "b", 70, 99))
    assert steps(store, card="0").num_rows == 0
    assert step_beside(store, card="0", at_ns=5) is None


def test_the_step_of_a_real_trace(real: Callable[[str], Path]) -> None:
    _, imports = import_paths([real("text_level2")])
    found = steps(Store([StoreCard.of_import(imports[0])]), card="0").to_pylist()
    # In the file: ts 1736412474712651.500, dur 148786.100.
    assert [(r["step"], r["from_ns"], r["dur_ns"]) for r in found] == [(50, 1_736_412_474_712_651_500, 148_786_100)]
