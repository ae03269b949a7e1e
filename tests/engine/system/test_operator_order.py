"""Sorting 16 bits at a time against the plain sort."""

from __future__ import annotations

import numpy as np
import pytest

from insight_desktop.engine.system import operator_order


@pytest.mark.parametrize("count", [0, 1, 10, 40_000])
@pytest.mark.parametrize(("low", "high"), [(0, 3), (-70_000, 70_000), (-(2**62), 2**62), (2**40, 2**40 + 2**33)])
def test_order_is_that_of_the_plain_stable_sort(count, low, high):
    values = np.random.default_rng(3).integers(low, high, count)
    assert operator_order.ascending(values).tolist() == sorted(range(count), key=lambda i: values[i])
    assert operator_order.descending(values).tolist() == sorted(range(count), key=lambda i: -int(values[i]))


def test_whole_range_of_numbers_sorts():
    values = np.array([2**63 - 1, -(2**63), 0] * 20_000)
    ordered = values[operator_order.ascending(values)]
    assert (ordered[:-1] <= ordered[1:]).all()
    assert values[operator_order.descending(values)][[0, -1]].tolist() == [2**63 - 1, -(2**63)]
