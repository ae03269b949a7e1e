from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage

STEPS = [
    tp.at(0, 300_000, "ProfilerStep#7", tp.T11),
    tp.at(300_000, 700_000, "ProfilerStep#8", tp.T11),
    tp.at(700_000, 1_000_000, "ProfilerStep#9", tp.T11),
    tp.at(100_000, 200_000, "MatMul", tp.S2),
]


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    made = tp.basic_page(qtbot, tmp_path, slices=STEPS)
    made.body.steps.renew(at_once=True)
    return made


def test_steps_stand_between_axis_and_lanes_at_their_pixels(page: TimelinePage) -> None:
    band = page.body.steps
    assert [(round(x0), round(x1), n) for x0, x1, _, n in band.blocks()] == [(0, 300, 1), (300, 700, 1), (700, 1000, 1)]
    assert [band.title(at) for at in range(3)] == ["Step 7", "Step 8", "Step 9"]
    assert band.y() == page.body.ruler.y() + page.body.ruler.height()
    assert page.body.canvas.y() == band.y() + band.height() > band.y()


def test_a_click_shows_one_step_and_its_tip_tells_length_and_source(page: TimelinePage) -> None:
    band = page.body.steps
    assert "Step 8 · 400.000 µs" in band.tip(1)
    assert "marked by ProfilerStep" in band.tip(1)
    tp.click(band, 500, 5)
    view = page.state.viewport.view
    assert (view.left_ns, view.span_ns) == (300_000, 400_000)


def test_steps_follow_the_offset_of_their_lane(page: TimelinePage) -> None:
    page.state.set_lane_offset(tp.unit(page, "python3 (1)"), 100_000)
    page.body.steps.renew(at_once=True)
    marks = page.body.steps.marks
    assert marks is not None
    assert marks.start.tolist() == [-100_000, 200_000, 600_000]


def test_keys_go_from_step_to_step(page: TimelinePage, qtbot: QtBot) -> None:
    page.state.viewport.show(0, 300_000)
    page.body.tap("Ctrl+Right")
    qtbot.waitUntil(lambda: page.state.viewport.view.left_ns == 300_000)
    assert page.state.viewport.span_ns == 400_000
    page.body.tap("Ctrl+Left")
    qtbot.waitUntil(lambda: page.state.viewport.view.left_ns == 0)


def test_a_found_period_is_marked_as_such(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [tp.at(i * 100_000, i * 100_000 + 60_000, "forward", tp.T11) for i in range(10)]
    made = tp.basic_page(qtbot, tmp_path, slices=slices)
    made.body.steps.renew(at_once=True)
    assert made.body.steps.title(3) == "≈ Step 3"
    assert "period found in the data" in made.body.steps.tip(3)


def test_without_steps_there_is_no_band(qtbot: QtBot, tmp_path: Path) -> None:
    made = tp.basic_page(qtbot, tmp_path)
    made.body.steps.renew(at_once=True)
    assert made.body.steps.isHidden()
    assert made.body.canvas.y() == made.body.ruler.y() + made.body.ruler.height()
