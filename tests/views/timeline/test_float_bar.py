"""The floating tools, fitted heights and the mark of moved lanes; 1 px is 1,000 ns."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


@pytest.mark.row("system-timeline", 60)
def test_the_floating_tools_switch_modes_and_fold_away(page: TimelinePage) -> None:
    bar = page.body.float_bar
    assert bar.arrow.isChecked()
    bar.hand.click()
    assert page.state.pan_mode
    bar.arrow.click()
    assert not page.state.pan_mode
    bar.levels.click()
    assert page.state.modes.depth_mode
    assert all(button.accessibleName() for button in (*bar.tools, bar.fold))
    bar.fold.click()
    assert not bar.hand.isVisible()
    bar.fold.click()
    assert bar.hand.isVisible()


@pytest.mark.row("system-timeline", 60)
def test_the_mouse_guide_has_a_line_for_each_gesture(page: TimelinePage) -> None:
    guide = page.body.float_bar.show_guide()
    assert guide.isVisible()
    assert [gesture for _, gesture, _ in guide.lines()][:4] == ["Click", "Drag", "Alt+drag", "Ctrl+drag, or pan mode"]
    guide.close()


@pytest.mark.row("system-timeline", 51)
def test_fitted_lanes_are_as_high_as_the_rows_in_use_in_the_visible_time(page: TimelinePage) -> None:
    lane = tp.unit(page, "Thread 11").key
    page.state.modes.set_auto_fit(True)
    row = page.state.rows.of(lane)
    assert row is not None
    assert row.height == 40
    page.state.viewport.show(320_000, 480_000)  # between the two inner slices
    page.state.fit_rows()
    row = page.state.rows.of(lane)
    assert row is not None
    assert row.height == 20
    page.state.modes.set_auto_fit(False)
    row = page.state.rows.of(lane)
    assert row is not None
    assert row.height == 40


@pytest.mark.row("system-timeline", 52)
def test_lanes_with_an_offset_are_marked(page: TimelinePage) -> None:
    device, host = tp.unit(page, "Ascend Hardware (2)"), tp.unit(page, "python3 (1)")
    page.state.set_lane_offset(device, -400_000)
    assert [page.state.is_moved(unit) for unit in (device, host)] == [True, False]
    assert page.state.viewport.total_ns == 1_400_000  # the axis grows by the largest relative offset


def test_the_tools_stand_below_the_lanes_or_are_faint_over_them(page: TimelinePage) -> None:
    bar, body = page.body.float_bar, page.body
    assert bar.y() > body.canvas.y() + page.state.rows.height  # 146 px of lanes leave room below them
    assert bar._effect.opacity() == 1.0
    page.resize(page.width(), 400)
    assert bar.y() < body.canvas.y() + page.state.rows.height
    assert bar._effect.opacity() < 0.5
