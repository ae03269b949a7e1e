from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.timeline.ruler import tick_step


@pytest.mark.parametrize(
    ("span", "width", "step"),
    [
        (1_000_000, 1000, 200_000),
        (10**9, 1000, 200_000_000),
        (5.0, 1000, 1),
        (50.0, 1100, 5),
        (43_200_000, 1000, 5_000_000),
    ],
)
def test_ticks_are_one_two_or_five_times_a_power_of_ten(span: float, width: int, step: int) -> None:
    assert tick_step(span, width)[0] == step


@pytest.mark.row("system-timeline", 29)
def test_the_axis_writes_as_many_groups_as_the_zoom_needs(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path, slices=[tp.at(0, 2_736_000_000, "a", tp.S2)])
    ruler = page.body.ruler
    assert ruler.ticks()[1] == (500_000_000, "00:00.500")
    page.state.viewport.show(807_000_000, 817_000_000)
    assert ruler.ticks()[0] == (808_000_000, "00:00.808.000")
    page.state.viewport.show(807_000_000, 807_001_000)
    assert ruler.ticks()[1] == (807_000_200, "00:00.807.000.200")


def test_dragging_the_axis_pans(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path)
    page.state.viewport.show(400_000, 500_000)
    tp.drag(page.body.ruler, [(500, 10), (400, 10)])
    assert page.state.viewport.view.left_ns == 410_000
