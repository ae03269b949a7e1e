"""Round places of axes, their texts, and the way between values and pixels."""

from __future__ import annotations

import pytest

from insight_desktop.views.common import chart_paint
from insight_desktop.views.common.chart_axis import Axis, Scale, decimals_of, log_ticks, nice_step, padded, ticks


@pytest.mark.parametrize(
    ("span", "count", "step"), [(2700, 14, 200), (1, 10, 0.1), (0.9, 2, 0.5), (10, 1, 10), (0, 5, 1), (7, 3, 5)]
)
def test_steps_are_one_two_or_five_times_a_power_of_ten(span: float, count: int, step: float) -> None:
    assert nice_step(span, count) == pytest.approx(step)


def test_ticks_lie_inside() -> None:
    assert ticks(31_000, 61_000, 4) == ([40_000.0, 50_000.0, 60_000.0], 10_000.0)


def test_categories_have_ticks_at_whole_numbers() -> None:
    assert ticks(-0.5, 2.5, 30, whole=True)[0] == [0.0, 1.0, 2.0]


@pytest.mark.parametrize(("step", "decimals"), [(200, 0), (1, 0), (0.5, 1), (0.02, 2), (0.001, 3)])
def test_ticks_have_the_decimals_that_tell_them_apart(step: float, decimals: int) -> None:
    assert decimals_of(step) == decimals


def test_texts_of_numbers_categories_ratios_and_times() -> None:
    assert Axis("Time (ms)").tick_text(1200, 200, 2700) == "1,200"
    assert Axis(kind="category", labels=("a", "b")).tick_text(1, 1, 2) == "b"
    assert Axis(kind="percent").tick_text(0.25, 0.05, 1) == "25 %"
    assert Axis(kind="ruler").tick_text(2_736_000_000, 1e8, 1e9) == "00:02.736"


def test_the_length_of_a_range_has_the_unit_of_the_axis() -> None:
    assert Axis("Time (ms)").distance_text(148) == "148.000 ms"
    assert Axis(kind="ruler").distance_text(148_577_009) == "148.577 ms"


def test_scale_goes_both_ways() -> None:
    scale = Scale(100, 200, 50, 250)
    assert (scale.px(150), scale.value(150)) == (150, 150)
    assert (scale.px(100), scale.px(200), scale.factor) == (50, 250, 2)


def test_a_scale_without_length_does_not_divide_by_zero() -> None:
    assert Scale(5, 5, 0, 100).px(5) == 0


def test_air_is_left_around_values_but_not_below_zero_when_it_is_the_floor() -> None:
    assert padded(0, 100, 0.1) == (-10, 110)
    assert padded(20, 100, 0.1, from_zero=True) == (0, 110)
    assert padded(5, 5) == (4.75, 5.25)


def test_an_axis_of_logarithms_tells_powers_at_1_2_and_5() -> None:
    axis = Axis("ms", kind="log")
    places, step = log_ticks(0.0, 1.0, 6)
    assert [axis.tick_text(p, step, 1.0) for p in places] == ["1", "2", "5", "10"]
    assert [axis.tick_text(p, step, 6.0) for p in log_ticks(-1.0, 3.0, 5)[0]] == ["0.1", "1", "10", "100", "1,000"]
    assert axis.exact_text(2.0) == "100"


def test_a_low_plot_still_has_two_numbers_and_counts_have_no_halves() -> None:
    places, _ = chart_paint.value_ticks(Axis("Requests", whole=True), 0.0, 4.24, 75.0)
    assert len(places) >= 2
    assert all(place == int(place) for place in places)
    assert chart_paint.value_ticks(Axis("Calls", whole=True), 0.0, 1.06, 190.0)[0] == [0.0, 1.0]
