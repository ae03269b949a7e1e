"""Bars: stacks, readout, clicks, keys, what is exported."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from insight_desktop.views.common.chart import Axis, RefLine
from insight_desktop.views.common.chart_bars import BarChart, Bars

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(params=[True, False], ids=["lying", "standing"])
def bars(qtbot: QtBot, request: pytest.FixtureRequest) -> BarChart:
    found = BarChart("Time by type", lying=request.param)
    qtbot.addWidget(found)
    found.resize(600, 300)
    found.set_bars(
        ["MatMul", "Cast"], [Bars("run", "Running", [6, 2]), Bars("wait", "Waiting", [1, 3])],
        axis=Axis("Time (µs)"), unit="µs", decimals=1, lines=[RefLine(5, "mean 5 µs")],
    )  # fmt: skip
    found.show()
    return found


def test_boxes_are_stacked_without_gaps(bars: BarChart) -> None:
    area = bars.area
    plot = area.plot(area.width(), area.height())
    (_, first), (_, second) = area.boxes(plot, 0)
    if area.lying:
        assert (first.right(), first.width() / second.width()) == (pytest.approx(second.left()), pytest.approx(6))
    else:
        assert (first.top(), first.height() / second.height()) == (pytest.approx(second.bottom()), pytest.approx(6))


def test_a_click_tells_series_and_category(qtbot: QtBot, bars: BarChart) -> None:
    area = bars.area
    box = area.boxes(area.plot(area.width(), area.height()), 1)[1][1]
    with qtbot.waitSignal(bars.clicked) as told:
        qtbot.mouseClick(area, LEFT, pos=box.center().toPoint())
    assert told.args == ["wait", 1]


def test_the_readout_tells_parts_and_sum(qtbot: QtBot, bars: BarChart) -> None:
    qtbot.keyClick(bars.area, Qt.Key.Key_Right)
    assert [(line.name, line.value) for line in bars.area.readout()] == [
        ("MatMul", ""), ("Running", "6.0 µs"), ("Waiting", "1.0 µs"), ("Sum", "7.0 µs")
    ]  # fmt: skip


def test_hidden_series_leave_the_stack(qtbot: QtBot, bars: BarChart) -> None:
    qtbot.mouseClick(bars.legend.button("run"), LEFT)
    assert [s.key for s in bars.area.shown()] == ["wait"]
    assert bars.area.total(1) == 3


def test_summary_and_numbers(bars: BarChart) -> None:
    assert bars.summary() == "Time by type: MatMul 7.0 µs, Cast 5.0 µs"
    assert bars.numbers()[0].to_pydict() == {"name": ["MatMul", "Cast"], "y0": [6, 2], "y1": [1, 3]}


def test_no_bars_paint_nothing_and_do_not_fail(bars: BarChart) -> None:
    bars.set_bars([], [])
    assert not bars.area.grab().isNull()
