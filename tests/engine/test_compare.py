"""Two tables side by side."""

from __future__ import annotations

import pyarrow as pa
import pytest

from insight_desktop.engine import compare
from insight_desktop.errors import BadArgument

NEW = pa.table({"type": ["MatMul", "Cast", "Add"], "count": [3, 1, 2], "sum_us": [10.3, 5.0, 1.0]})
OLD = pa.table({"type": ["Cast", "MatMul", "Relu"], "count": [4, 3, 7], "sum_us": [4.5, 10.0, 2.25]})


def test_rows_of_both_tables_meet_by_their_keys() -> None:
    found = compare.keyed(NEW, OLD, ["type"], ["count", "sum_us"])
    assert found["type"].to_pylist() == ["Add", "Cast", "MatMul", "Relu"]
    assert found["count"].to_pylist() == [2, -3, 0, -7]
    assert found["sum_us"].to_pylist() == [1.0, 0.5, 0.3, -2.25]
    assert found["count_comparison"].to_pylist() == [2, 1, 3, None]
    assert found["sum_us_baseline"].to_pylist() == [None, 4.5, 10.0, 2.25]
    assert found["in_comparison"].to_pylist() == [True, True, True, False]
    assert found["in_baseline"].to_pylist() == [False, True, True, True]


def test_without_sorting_the_comparison_comes_first_in_its_order() -> None:
    found = compare.keyed(NEW, OLD, ["type"], ["count"], sort=False)
    assert found["type"].to_pylist() == ["MatMul", "Cast", "Add", "Relu"]


def test_equal_keys_are_pairs_in_their_order() -> None:
    ours = pa.table({"name": ["b", "a", "b", "b"], "size": [1.0, 2.0, 3.0, 4.0]})
    base = pa.table({"name": ["a", "b", "a"], "size": [0.5, 0.25, 9.0]})
    found = compare.keyed(ours, base, ["name"], ["size"], nth=True)
    assert found["name"].to_pylist() == ["a", "a", "b", "b", "b"]
    assert found["size_comparison"].to_pylist() == [2.0, None, 1.0, 3.0, 4.0]
    assert found["size_baseline"].to_pylist() == [0.5, 9.0, 0.25, None, None]
    assert found["size"].to_pylist() == [1.5, -9.0, 0.75, 3.0, 4.0]


def test_equal_keys_without_pairing_are_an_error() -> None:
    twice = pa.table({"type": ["a", "a"], "count": [1, 2]})
    with pytest.raises(BadArgument, match="Rows repeat for equal type"):
        compare.keyed(twice, NEW, ["type"], ["count"])


def test_several_keys_nulls_and_dictionaries_match() -> None:
    ours = pa.table({"name": pa.array(["a", "a", None]).dictionary_encode(), "shape": ["x", "y", "x"], "n": [1, 2, 3]})
    base = pa.table({"name": ["a", None], "shape": ["y", "x"], "n": [5, 7]})
    found = compare.keyed(ours, base, ["name", "shape"], ["n"])
    assert found.select(["name", "shape", "n"]).to_pylist() == [
        {"name": "a", "shape": "x", "n": 1},
        {"name": "a", "shape": "y", "n": -3},
        {"name": None, "shape": "x", "n": -4},
    ]


def test_differences_have_no_noise_of_doubles() -> None:
    ours = pa.table({"k": ["a"], "ms": [16.031], "mb": [1.2]})
    base = pa.table({"k": ["a"], "ms": [15.0], "mb": [0.1]})
    found = compare.keyed(ours, base, ["k"], ["ms", "mb"], digits={"ms": 3, "mb": 2})
    assert found["ms"].to_pylist() == [1.031]
    assert found["mb"].to_pylist() == [1.1]


def test_a_side_can_be_empty() -> None:
    found = compare.keyed(NEW.slice(0, 0), OLD, ["type"], ["count"], carry=["sum_us"])
    assert found["count"].to_pylist() == [-4, -3, -7]
    assert found["sum_us_comparison"].to_pylist() == [None, None, None]
    assert compare.keyed(NEW.slice(0, 0), OLD.slice(0, 0), ["type"], ["count"]).num_rows == 0
    assert compare.keyed(NEW, OLD.slice(0, 0), ["type"], ["count"])["count"].to_pylist() == [2, 1, 3]


def test_a_side_comes_out_under_the_plain_names() -> None:
    found = compare.keyed(NEW, OLD, ["type"], ["count"], carry=["sum_us"])
    base = compare.side(found, "baseline", [1, 3])
    assert base.to_pylist() == [
        {"type": "Cast", "count": 4, "sum_us": 4.5},
        {"type": "Relu", "count": 7, "sum_us": 2.25},
    ]
    ours = compare.side(found, "comparison")
    assert ours["count"].to_pylist() == [2, 1, 3, None]
    difference = compare.side(found, "difference")
    assert difference.column_names == ["type", "count", "sum_us"]
    assert difference["count"].to_pylist() == [2, -3, 0, -7]
    assert difference["sum_us"].to_pylist() == [1.0, 5.0, 10.3, 2.25]
