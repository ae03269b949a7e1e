"""Which points of a curve are drawn: everything up to a thousand, else the peaks of a thousand buckets."""

from __future__ import annotations

import numpy as np
import pytest

from insight_desktop.views.common.chart_data import (
    Series,
    extent,
    nearest,
    ordered,
    peaks,
    powers,
    sample,
    tidy,
    values_extent,
)

SPEC = "system-memory-operator-rl"


def line(x: list[float], y: list[float]) -> Series:
    return Series("s", "S", np.array(x), np.array(y))


@pytest.mark.row(SPEC, 13)
def test_buckets_of_three_keep_their_first_and_last_of_rising_values() -> None:
    kept = peaks(np.arange(2500.0))
    assert (len(kept), kept[:6].tolist(), kept[-3:].tolist()) == (1667, [0, 2, 3, 5, 6, 8], [2496, 2498, 2499])


@pytest.mark.row(SPEC, 13)
def test_one_spike_in_ten_thousand_values_survives() -> None:
    values = np.zeros(10_000)
    values[5555] = 9
    kept = peaks(values)
    assert (len(kept), 5555 in kept.tolist()) == (1001, True)


@pytest.mark.row(SPEC, 13)
def test_up_to_a_thousand_values_are_all_kept() -> None:
    assert [len(peaks(np.arange(float(n)))) for n in (0, 500, 1000)] == [0, 500, 1000]


@pytest.mark.row(SPEC, 13)
def test_the_first_of_equal_extremes_is_kept() -> None:
    kept = peaks(np.array([(7 * i) % 10 for i in range(3000)], float))
    assert (len(kept), kept[:8].tolist()) == (2000, [0, 1, 3, 4, 6, 7, 10, 11])


@pytest.mark.row(SPEC, 13)
def test_a_window_takes_its_points_and_one_neighbour_on_each_side() -> None:
    found = sample([line(list(range(100)), list(range(100)))], 20, 30)
    assert found.series[0].x.tolist() == [float(t) for t in range(19, 32)]
    assert found.is_whole


@pytest.mark.row(SPEC, 13)
def test_zooming_in_brings_back_every_point() -> None:
    curve = line(list(range(5000)), [float(i % 7) for i in range(5000)])
    whole, part = sample([curve], 0, 4999), sample([curve], 100, 200)
    assert (whole.points, whole.is_whole, part.points, part.is_whole) == (5000, False, 103, True)


def test_missing_values_are_left_out_and_places_put_in_order() -> None:
    x, y = ordered([3, 1, 2, 4], [30, 10, float("nan"), 40])
    assert (x.tolist(), y.tolist()) == ([1, 3, 4], [10, 30, 40])


def test_equal_places_keep_their_order() -> None:
    assert ordered([2, 1, 1], [0, 5, 6])[1].tolist() == [5, 6, 0]


def test_the_nearest_point_is_the_earlier_of_two() -> None:
    curve = line([0, 10, 20], [1, 2, 3])
    assert [nearest(curve, x) for x in (-5, 4, 5, 6, 15, 99)] == [0, 0, 0, 1, 1, 2]


def test_extents_are_those_of_all_series() -> None:
    both = [line([1, 2], [5, 9]), line([0, 7], [-3, 4])]
    assert (extent(both), values_extent(both)) == ((0, 7), (-3, 9))
    assert (extent([]), values_extent([])) == (None, None)


def test_bars_begin_at_zero() -> None:
    bars = Series("b", "B", np.array([0.0, 1.0]), np.array([4.0, 6.0]), "bars")
    assert values_extent([bars]) == (0, 6)


def test_a_line_with_gaps_keeps_its_missing_values_and_others_go_on_over_them() -> None:
    curve = line([1, 2, 3], [10, float("nan"), 30])
    assert tidy(curve).x.tolist() == [1, 3]
    broken = Series("s", "S", curve.x, curve.y, gaps=True)
    assert tidy(broken).x.tolist() == [1, 2, 3]


def test_missing_values_are_no_peaks() -> None:
    values = np.full(3000, np.nan)
    values[1500], values[1501] = 4, 2
    assert {1500, 1501} <= set(peaks(values).tolist())


def test_logarithms_stand_for_their_powers() -> None:
    assert powers(line([1, 2], [0, 2])).y.tolist() == [1, 100]
