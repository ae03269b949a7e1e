"""Two axes of values on the Curve page: by unit, by hand, exact at the crosshair, remembered."""

from __future__ import annotations

import pyarrow as pa
import pytest
from pytestqt.qtbot import QtBot

from insight_desktop.views.common import theme
from insight_desktop.views.common.chart import Axis, Chart, Series
from insight_desktop.views.service import curve_series
from insight_desktop.views.service.curve_bar import CurveBar
from insight_desktop.views.service.curve_series import Curve

pytestmark = pytest.mark.row("service", 12)


def curve(*columns: str) -> Curve:
    rows = {"x": pa.array(["a", "b", "c"]), **{name: pa.array([1.0, 2.0, 4.0]) for name in columns}}
    own = {"#x_ns": pa.nulls(3, pa.int64()), "#repeats": pa.array([False] * 3), "#row": pa.array([0, 1, 2])}
    return Curve("run", "c", "recorded", pa.table({**rows, **own}), 0)


def test_lines_of_a_second_unit_stand_at_the_right() -> None:
    assert curve_series.right_lines(curve("usage (%)", "wait (ms)", "busy (ms)")) == ["wait (ms)", "busy (ms)"]
    assert curve_series.right_lines(curve("a (ms)", "b (ms)")) == []
    assert curve_series.right_lines(curve("size", "wait (ms)")) == ["wait (ms)"]
    three = curve("a (%)", "b (ms)", "c (MB)")
    assert curve_series.right_lines(three) == ["b (ms)"]
    assert curve_series.y_axis(three, ["a (%)", "c (MB)"]).title == ""
    assert curve_series.y_axis(three, ["b (ms)"]).title == "ms"
    made = curve_series.series_of(three, "index", right=["b (ms)"])
    assert [(s.name, s.right) for s in made] == [("a (%)", False), ("b (ms)", True), ("c (MB)", False)]


@pytest.fixture
def chart(qtbot: QtBot) -> Chart:
    theme.set_theme("dark", remember=False)
    chart = Chart("c", x=Axis("x"), y=Axis("%"))
    qtbot.addWidget(chart)
    chart.resize(800, 320)
    chart.show()
    chart.set_axes(Axis("x"), Axis("%"), Axis("ms"))
    x = [0.0, 1.0, 2.0]
    left = Series("a", "usage", x, [10.0, 20.0, 30.0], unit="%")
    chart.set_series([left, Series("b", "wait", x, [1000.0, 5000.0, 3000.0], unit="ms", right=True)])
    return chart


def test_each_series_has_the_scale_of_its_axis(chart: Chart) -> None:
    frame = chart.plot.frame
    assert frame.right is not None
    a, b = frame.series
    assert frame.scale_of(a).low <= 10 and frame.scale_of(a).high < 100  # noqa: PT018
    assert frame.scale_of(b).low <= 1000 and frame.scale_of(b).high >= 5000  # noqa: PT018
    # The highest points of both stand at nearly the same height although their values differ by a factor of 170.
    assert abs(frame.scale_of(a).px(30.0) - frame.scale_of(b).px(5000.0)) < 12
    assert frame.plot.right() < 800 - 40  # room for the numbers
    assert [entry.text for entry in chart.entries()] == ["usage", "wait (right axis)"]


def test_the_crosshair_tells_exact_values_of_both(chart: Chart) -> None:
    chart.plot.move_cursor(1.0)
    assert [(line.name, line.value) for line in chart.plot.readout()][1:] == [("usage", "20 %"), ("wait", "5,000 ms")]


def test_the_right_axis_goes_with_its_series(chart: Chart) -> None:
    chart.plot.set_hidden(frozenset({"b"}))
    assert chart.plot.frame.right is None
    chart.plot.set_hidden(frozenset({"a"}))
    frame = chart.plot.frame
    assert frame.right is not None
    assert not frame.has_left
    chart.set_axes(Axis("x"), Axis("%"))
    assert chart.plot.frame.right is None
    assert chart.entries()[1].text == "wait"


def test_the_menu_puts_a_line_at_the_right_and_leaves_one_at_the_left(qtbot: QtBot) -> None:
    bar = CurveBar()
    qtbot.addWidget(bar)
    told: list[tuple[str, bool]] = []
    bar.right_changed.connect(lambda line, on: told.append((line, on)))
    bar.set_lines([("a", "a (%)"), ("b", "b (ms)")], ["b"])
    actions = bar.right_menu.actions()
    assert [(x.text(), x.isChecked(), x.isEnabled()) for x in actions] == [
        ("a (%)", False, False),
        ("b (ms)", True, True),
    ]
    actions[1].setChecked(False)
    assert told == [("b", False)]
