"""Figures of one name, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.support.plain_build import build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import names
from insight_desktop.errors import BadArgument, NoData

LANE = {"pid": 1, "tid": 1}


def store_of(tmp_path: Path, lengths: list[int]) -> Store:
    slices = [{**LANE, "name": "op", "start_ns": 1000 * i, "end_ns": 1000 * i + n} for i, n in enumerate(lengths)]
    slices.append({**LANE, "tid": 2, "name": "other", "start_ns": 0, "end_ns": 7})
    return Store([StoreCard("0", "0", 0, "", "text", build(tmp_path / "c", slices=slices).folder)])


def test_percentiles_are_durations_that_occur_and_outliers_stand_out(tmp_path: Path) -> None:
    # Ten of 10 .. 19 and one of 900: sorted, the 6th of 11 is 15, the 11th is the 95th and 99th percentile.
    found = names.name_figures(store_of(tmp_path, [10, 11, 12, 13, 14, 900, 15, 16, 17, 18, 19]), card="0", name="op")
    assert (found.count, found.sum_ns, found.min_ns, found.max_ns) == (11, 1045, 10, 900)
    assert (found.p50_ns, found.p95_ns, found.p99_ns) == (15, 900, 900)
    assert found.mad_ns == 3  # distances 0 1 1 2 2 3 3 4 4 5 885
    assert found.outliers.tolist() == [5]


def test_percentiles_of_a_hundred(tmp_path: Path) -> None:
    table = names.name_statistics(store_of(tmp_path, list(range(100, 0, -1))), card="0", name="op").to_pylist()[0]
    assert (table["p50_ns"], table["p95_ns"], table["p99_ns"], table["outliers"]) == (50, 95, 99, [])


def test_equal_durations_with_few_exceptions_still_show_them(tmp_path: Path) -> None:
    found = names.name_figures(store_of(tmp_path, [5] * 40 + [500, 5]), card="0", name="op")
    assert (found.mad_ns, found.outliers.tolist()) == (0, [40])
    assert names.name_figures(store_of(tmp_path / "same", [5, 5]), card="0", name="op").outliers.tolist() == []


def test_a_histogram_counts_every_slice(tmp_path: Path) -> None:
    store = store_of(tmp_path, [0, 5, 9, 10, 19, 20, 40])
    assert names.name_histogram(store, card="0", name="op", bins=4).to_pydict() == {
        "from_ns": [0, 10, 20, 30],
        "to_ns": [10, 20, 30, 40],
        "count": [3, 2, 1, 1],
    }
    assert names.name_histogram(store, card="0", name="other", bins=9).to_pydict() == {
        "from_ns": [7], "to_ns": [7], "count": [1]
    }  # fmt: skip
    steps = names.name_histogram(
        store_of(tmp_path / "log", [1, 9, 10, 99, 100, 1000]), card="0", name="op", bins=3, log=True
    )
    assert steps.to_pydict() == {"from_ns": [1, 10, 100], "to_ns": [10, 100, 1000], "count": [2, 2, 2]}


def test_wrong_questions_are_told(tmp_path: Path) -> None:
    store = store_of(tmp_path, [1])
    with pytest.raises(NoData, match="no slice with the name 'x'"):
        names.name_histogram(store, card="0", name="x")
    with pytest.raises(BadArgument, match="0 bins"):
        names.name_histogram(store, card="0", name="op", bins=0)


def test_all_of_a_name_come_in_order_with_previous_and_next(tmp_path: Path) -> None:
    slices = [
        {**LANE, "tid": 2, "name": "a", "start_ns": 5, "end_ns": 6},
        {**LANE, "name": "a", "start_ns": 0, "end_ns": 9},
        {**LANE, "name": "b", "start_ns": 1, "end_ns": 3},
        {**LANE, "name": "a", "start_ns": 4, "end_ns": 8},
    ]
    capture = build(tmp_path / "c", slices=slices)  # ids: thread 1 row 0 a(0), row 1 b(1) a(2); thread 2 a(3)
    store = Store([StoreCard("0", "0", 0, "", "text", capture.folder)])
    assert names.same_name(store, card="0", name="a").tolist() == [0, 2, 3]
    assert [names.neighbour(capture, 2, by) for by in (-2, -1, 1, 2)] == [None, 0, 3, None]


def test_sums_per_name_are_clipped_to_the_range(tmp_path: Path) -> None:
    slices = [
        {**LANE, "name": "a", "start_ns": 0, "end_ns": 100},
        {**LANE, "name": "b", "start_ns": 20, "end_ns": 60},
        {**LANE, "tid": 2, "name": "a", "start_ns": 90, "end_ns": 130},
    ]
    capture = build(tmp_path / "c", slices=slices)
    assert names.name_totals(capture).to_pydict() == {"name": ["a", "b"], "count": [2, 1], "sum_ns": [140, 40]}
    inside = names.name_totals(capture, None, 50, 100).to_pydict()
    assert inside == {"name": ["a", "b"], "count": [2, 1], "sum_ns": [60, 10]}
    whole = names.name_totals(capture, np.array([False, True]), 50, 100, True).to_pydict()
    assert whole == {"name": ["a"], "count": [1], "sum_ns": [40]}
