"""Bars with lines: extents, scrolling, widths, overlaid narrow bars, export."""

from __future__ import annotations

import math
import time

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF

from insight_desktop.views.common import fonts
from insight_desktop.views.common.chart_axis import Axis
from insight_desktop.views.common.chart_mixed import Bars, MixedChart

pytestmark = pytest.mark.usefixtures("look")


def chart_of(qtbot, count=4, *, stacked=False):
    chart = MixedChart("Times", stacked=stacked)
    qtbot.addWidget(chart)
    chart.resize(900, 320)
    chart.show()
    chart.set_data(
        [str(i) for i in range(count)],
        [Bars("a", "A", [float(i + 1) for i in range(count)]), Bars("b", "B", [2.0] * count)],
        [Bars("r", "Ratio", [0.5] * count)],
        left=Axis("Time (ms)"), right=Axis("Ratio"), unit="ms",
    )  # fmt: skip
    return chart


def test_the_left_axis_holds_the_largest_bar_and_stacks_add_up(qtbot):
    assert chart_of(qtbot).area.extent() == (0.0, pytest.approx(4 * 1.06))
    assert chart_of(qtbot, stacked=True).area.extent() == (0.0, pytest.approx(6 * 1.06))


def test_the_right_axis_is_written_at_the_lines_of_the_left_one(qtbot):
    area = chart_of(qtbot, stacked=True).area  # stacks up to 6 on lines 2 apart, a ratio of 0.5
    places, extent = area.right_ticks(160)
    assert area.left_ticks(160)[0] == [0.0, 2.0, 4.0, 6.0]
    assert places == [0.0, pytest.approx(0.2), pytest.approx(0.4), pytest.approx(0.6)]
    assert extent == (0.0, pytest.approx(0.2 * 6 * 1.06 / 2))


def test_a_right_axis_below_zero_has_places_of_its_own(qtbot):
    chart = chart_of(qtbot)
    chart.set_data(["0", "1"], [Bars("a", "A", [-3.0, 2.0])], [Bars("r", "Ratio", [-4.0, 10.0])])
    places, extent = chart.area.right_ticks(160)
    assert places == [-5.0, 0.0, 5.0, 10.0]
    assert extent == (-5.0, pytest.approx(10 * 1.06))


def test_hidden_series_do_not_count(qtbot):
    chart = chart_of(qtbot)
    chart.legend.set_hidden(frozenset({"a"}))
    assert chart.area.extent()[1] == pytest.approx(2 * 1.06)
    assert [s.key for s in chart.area.shown_bars()] == ["b"]


def test_few_categories_fill_the_width_and_many_scroll(qtbot):
    assert not chart_of(qtbot).scroll_bar.isVisible()
    chart = chart_of(qtbot, 1000)
    first, shown, count = chart.area.in_view()
    assert (first, count) == (0.0, 1000)
    assert 20 < shown < 30  # 34 px each
    assert chart.scroll_bar.isVisible()
    chart.scroll_bar.setValue(50_000)
    assert chart.area.in_view()[0] == 500.0
    chart.set_current(3)
    assert chart.area.in_view()[0] <= 3
    chart.area.zoom(0.001, 400)
    assert chart.area.in_view()[1] == pytest.approx(1000)
    chart.restore()
    assert chart.area.in_view()[1] == shown


def test_a_click_tells_the_category_and_the_readout_all_series(qtbot):
    chart = chart_of(qtbot)
    plot = chart.area.plot(chart.area.width(), chart.area.height())
    at = QPointF(plot.left() + plot.width() * 0.6, plot.center().y())
    assert chart.area.category_at(at) == 2
    chart.area.current = 2
    lines = [(line.name, line.value) for line in chart.area.readout()]
    assert lines == [("2", ""), ("A", "3.000 ms"), ("B", "2.000 ms"), ("Ratio", "0.5000")]


def test_numbers_leave_out_hidden_series_and_keep_gaps(qtbot):
    chart = chart_of(qtbot)
    chart.set_data(["x", "y"], [Bars("a", "A", [1.0, math.nan])], [Bars("r", "R", [0.1, 0.2])])
    table, specs = chart.numbers()
    assert [s.title for s in specs] == ["Name", "A", "R"]
    assert table.to_pylist() == [{"name": "x", "y0": 1.0, "y1": 0.1}, {"name": "y", "y0": None, "y1": 0.2}]
    assert chart.summary() == "Times: x 1.000, y –"


@pytest.mark.row("system-summary-communication", 37)
def test_a_thousand_categories_are_drawn_at_once(qtbot):
    chart = chart_of(qtbot, 1024)
    chart.area.zoom(0.001, 400)  # all of them in view
    began = time.process_time()
    chart.area.grab()
    assert time.process_time() - began < 0.2


def test_numbers_of_the_right_axis_are_not_cut(qtbot):
    chart = MixedChart("Times", stacked=True)
    qtbot.addWidget(chart)
    chart.resize(900, 180)
    chart.set_data(
        ["0"],
        [Bars("a", "A", [157_500.0])],
        [Bars("r", "Ratio", [70.0])],
        left=Axis("Time (µs)"),
        right=Axis("Ratio (%)"),
    )
    area, metrics = chart.area, QFontMetricsF(fonts.ui(fonts.SMALL))
    plot = area.plot(900, 140)
    places, ends = area.right_ticks(plot.height())
    widest = max(metrics.horizontalAdvance(area.right.tick_text(v, places[1] - places[0], ends[1])) for v in places)
    assert plot.right() + 6 + widest <= 900
    assert places[-1] < 100  # not twice as high as the lines that are drawn
