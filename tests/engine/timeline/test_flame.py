"""Flame graphs whose boxes were added up by hand."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from tests.support import plain_build
from tests.support.plain_build import build

from insight_desktop import schema
from insight_desktop.engine import queries
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.flame import flame

T1 = {"pid": 1, "tid": 1}
T2 = {"pid": 1, "tid": 2}


def store_of(tmp_path: Path, *spans: tuple[dict[str, Any], str, int, int]) -> Store:
    slices = [{**lane, "name": name, "start_ns": start, "end_ns": end} for lane, name, start, end in spans]
    return Store([StoreCard("0", "0", 0, "", "text", build(tmp_path / "c", slices=slices).folder)])


CALLS = (
    (T1, "step", 0, 100),
    (T1, "add", 10, 30),
    (T1, "mul", 40, 90),
    (T1, "add", 50, 60),
    (T1, "step", 100, 160),
    (T1, "add", 120, 160),
    (T2, "step", 0, 40),
    (T2, "mul", 0, 40),
)


def boxes(found: Any) -> list[tuple[Any, ...]]:
    return [
        tuple(row[c] for c in ("depth", "name", "x0", "x1", "sum_ns", "self_ns", "count")) for row in found.to_pylist()
    ]


def test_equal_names_below_equal_names_are_one_box_over_all_lanes(tmp_path: Path) -> None:
    found = flame(store_of(tmp_path, *CALLS), card="0")
    # 200 ns of steps in all; mul 50 + 40, add 20 + 40, add below mul 10.
    assert boxes(found) == [
        (0, "step", 0.0, 1.0, 200, 50, 3),
        (1, "mul", 0.0, 0.45, 90, 80, 2),
        (1, "add", 0.45, 0.75, 60, 60, 2),
        (2, "add", 0.0, 0.05, 10, 10, 1),
    ]
    assert found.column("node").to_pylist() == [0, 1, 2, 3]
    assert found.column("parent").to_pylist() == [-1, 0, 0, 1]
    # Ids: thread 1 row 0 step step, row 1 add mul add, row 2 add; thread 2 step, mul.
    assert found.column("longest_id").to_pylist() == [0, 3, 4, 5]


def test_a_range_cuts_and_lanes_can_be_chosen(tmp_path: Path) -> None:
    store = store_of(tmp_path, *CALLS)
    # Inside [50, 130]: step 50 + 30, mul 40, add 10 below mul, add 10 below step.
    assert boxes(flame(store, card="0", tracks=[0], from_ns=50, to_ns=130)) == [
        (0, "step", 0.0, 1.0, 80, 30, 2),
        (1, "mul", 0.0, 0.5, 40, 30, 1),
        (1, "add", 0.5, 0.625, 10, 10, 1),
        (2, "add", 0.0, 0.125, 10, 10, 1),
    ]
    whole = flame(store, card="0", tracks=[0], from_ns=50, to_ns=130, whole=True)
    assert boxes(whole)[0] == (
        0,
        "step",
        0.0,
        1.0,
        160,
        70,
        2,
    )  # mul 50 and add 40 below; the add of 10 .. 30 is outside
    assert flame(store, card="0", from_ns=1000, to_ns=2000).num_rows == 0


def test_neighbours_by_name_or_as_they_come(tmp_path: Path) -> None:
    store = store_of(tmp_path, (T1, "b", 0, 10), (T1, "c", 10, 40), (T1, "a", 40, 60))
    assert [row[1:4] for row in boxes(flame(store, card="0", order="name"))] == [
        ("a", 0.0, pytest.approx(20 / 60)),
        ("b", pytest.approx(20 / 60), pytest.approx(30 / 60)),
        ("c", pytest.approx(30 / 60), pytest.approx(1.0)),
    ]
    assert flame(store, card="0", order="first").column("name").to_pylist() == ["b", "c", "a"]


def test_a_slice_that_outlasts_its_parent_is_no_wider_than_its_part_inside(tmp_path: Path) -> None:
    store = store_of(tmp_path, (T1, "a", 0, 50), (T1, "late", 40, 100), (T1, "point", 45, 45))
    assert boxes(flame(store, card="0")) == [
        (0, "a", 0.0, 1.0, 50, 40, 1),
        (1, "late", 0.0, 0.2, 60, 60, 1),
        (2, "point", 0.0, 0.0, 0, 0, 1),
    ]
    # Where the slice above is out of the range, the one over it is taken, or the bottom.
    assert boxes(flame(store, card="0", from_ns=60, to_ns=80)) == [(0, "late", 0.0, 1.0, 20, 20, 1)]


def test_the_python_stack_of_the_chosen_threads(tmp_path: Path) -> None:
    stack = {**T1, "lane": "Python Stack 1", "role": schema.ROLE_PYTHON_STACK}
    other = {**T2, "lane": "Python Stack 2", "role": schema.ROLE_PYTHON_STACK}
    store = store_of(tmp_path, (T1, "op", 0, 9), (stack, "main", 0, 10), (stack, "f", 0, 4), (other, "g", 0, 5))
    tracks = store.capture("0").tracks.column("lane").to_pylist()
    chosen = [tracks.index("1")]
    assert flame(store, card="0", tracks=chosen, python=True).column("name").to_pylist() == ["main", "f"]
    assert flame(store, card="0", python=True).column("name").to_pylist() == ["main", "g", "f"]


def test_the_query_takes_lanes_by_their_title(tmp_path: Path) -> None:
    store = store_of(tmp_path, *CALLS)
    found = queries.run(
        store, "system.timeline.flame_graph", {"card": "0", "lane": "2", "from_ns": "10", "to_ns": "30"}
    )
    assert boxes(found) == [(0, "step", 0.0, 1.0, 20, 0, 1), (1, "mul", 0.0, 1.0, 20, 20, 1)]


@pytest.mark.parametrize("seed", range(8))
def test_random_slices_give_the_tree_of_a_plain_walk(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    spans = []
    for _ in range(120):
        start = rng.randrange(200)
        spans.append((rng.choice([T1, T2]), rng.choice("abc"), start, start + rng.randrange(1, 40)))
    low, high = (None, None) if seed % 2 else (40, 150)
    found = flame(store_of(tmp_path, *spans), card="0", from_ns=low, to_ns=high)
    expected: dict[tuple[str, ...], list[int]] = {}
    for lane in (T1, T2):
        mine = sorted((s for s in spans if s[0] is lane), key=lambda s: (s[2], -s[3]))
        depth = plain_build.rows_of([(s[2], s[3]) for s in mine])
        cut = [(d, s[1], max(s[2], low or 0), min(s[3], high or 999)) for s, d in zip(mine, depth, strict=True)]
        cut = sorted(c for c in cut if c[3] >= c[2])
        paths: list[tuple[str, ...]] = []
        for row, name, start, end in cut:
            above = [
                (r, p) for (r, _, a, b), p in zip(cut, paths, strict=False)
                if r < row and a <= start and (b > start or (b == start == end))
            ]  # fmt: skip
            paths.append((*(max(above)[1] if above else ()), name))
            count = expected.setdefault(paths[-1], [0, 0])
            count[0] += 1
            count[1] += end - start
    names: dict[int, tuple[str, ...]] = {-1: ()}
    got = {}
    for row in found.to_pylist():
        names[row["node"]] = (*names[row["parent"]], row["name"])
        got[names[row["node"]]] = [row["count"], row["sum_ns"]]
        assert row["depth"] == len(names[row["node"]]) - 1
    assert got == expected
    for row in found.to_pylist():  # every box lies inside its parent
        if row["parent"] >= 0:
            parent = found.slice(row["parent"], 1).to_pylist()[0]
            assert parent["x0"] - 1e-9 <= row["x0"] <= row["x1"] <= parent["x1"] + 1e-9
