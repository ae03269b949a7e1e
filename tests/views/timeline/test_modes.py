"""Mask, lock, analysis, depth selection, snapping: 1 px is 1,000 ns, rows as in tests.support.timeline_page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.state import TimeRange
from insight_desktop.views.timeline.viewport import View


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


def drag(page: TimelinePage, x0: float, x1: float, row: str = "inner") -> None:
    y = tp.Y[row]
    tp.drag(page.body.canvas, [(x0, y), ((x0 + x1) / 2, y), (x1, y)])


@pytest.mark.row("system-timeline", 41)
def test_m_masks_the_slice_moves_with_another_one_and_goes_off(page: TimelinePage) -> None:
    modes, chart = page.state.modes, page.body.canvas
    tp.key(chart, Qt.Key.Key_M)
    assert modes.mask_span() is None
    tp.click(chart, 300, tp.Y["Stream 2"])
    tp.key(chart, Qt.Key.Key_M)
    assert modes.mask_span() == (200_000, 400_000)
    tp.click(chart, 700, tp.Y["Stream 2"])
    tp.key(chart, Qt.Key.Key_M)
    assert modes.mask_span() == (600_000, 800_000)
    tp.key(chart, Qt.Key.Key_M)
    assert modes.mask_span() is None


@pytest.mark.row("system-timeline", 41)
def test_m_without_a_slice_ends_the_mask_and_does_nothing_while_locked(page: TimelinePage) -> None:
    modes, chart = page.state.modes, page.body.canvas
    tp.click(chart, 300, tp.Y["Stream 2"])
    tp.key(chart, Qt.Key.Key_M)
    page.state.select(None)
    tp.key(chart, Qt.Key.Key_M)
    assert modes.mask is None
    drag(page, 200, 400)
    modes.lock()
    tp.click(chart, 300, tp.Y["Stream 2"])
    tp.key(chart, Qt.Key.Key_M)
    assert modes.mask is None


@pytest.mark.row("system-timeline", 57)
def test_a_locked_selection_stays_while_slices_are_clicked(page: TimelinePage) -> None:
    drag(page, 200, 400)
    kept = page.state.range
    page.state.modes.lock()
    tp.click(page.body.canvas, 300, tp.Y["Stream 2"])
    drag(page, 600, 900)
    assert page.state.range == kept
    assert page.state.selected is not None
    page.state.modes.unlock()
    page.body.clear()
    assert page.state.range is None


@pytest.mark.row("system-timeline", 56)
def test_an_analysis_keeps_its_range_and_excludes_lock_and_depth_mode(page: TimelinePage, qtbot: QtBot) -> None:
    drag(page, 200, 400)
    with qtbot.waitSignal(page.state.modes.analysis_changed):
        page.body.verbs.analyse(True)
    found = page.state.modes.analysis
    assert found == TimeRange(200_000, 400_000, "0", (tp.unit(page, "Thread 11").key,))
    assert page.state.viewport.view == View(190_000, 0.0, 220_000.0)  # 5 % on either side
    assert page.state.modes.mask_span() == (200_000, 400_000)
    page.state.modes.lock()
    page.state.modes.set_depth_mode(True)
    assert page.state.modes.locked is None
    assert not page.state.modes.depth_mode
    page.state.modes.end_analysis()
    assert page.state.modes.mask_span() is None


@pytest.mark.row("system-timeline", 56)
def test_the_analysis_of_a_slice_takes_its_interval(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 300, tp.Y["Stream 2"])
    page.state.modes.analyse_slice()
    assert page.state.modes.mask_span() == (200_000, 400_000)


@pytest.mark.row("system-timeline", 58)
def test_a_rectangle_in_slice_selection_mode_takes_the_depth_rows_it_covers(page: TimelinePage) -> None:
    page.state.modes.set_depth_mode(True)
    drag(page, 150, 350, "inner")
    assert page.state.range is not None
    assert page.state.range.rows == (1, 1)
    tp.drag(page.body.canvas, [(170, tp.Y["outer"]), (300, tp.Y["inner"]), (350, tp.Y["inner"])])
    assert page.state.range.rows == (0, 1)
    page.state.modes.set_depth_mode(False)
    drag(page, 150, 350, "inner")
    assert page.state.range.rows is None


def test_edges_of_a_range_catch_close_edges_of_slices_unless_alt_is_held(page: TimelinePage) -> None:
    drag(page, 103, 296)  # the slice "inner" is [100, 300) µs
    assert page.state.range is not None
    assert (page.state.range.start_ns, page.state.range.end_ns) == (100_000, 300_000)
    drag(page, 120, 280)
    assert (page.state.range.start_ns, page.state.range.end_ns) == (120_000, 280_000)
    y = tp.Y["inner"]
    left = Qt.MouseButton.LeftButton
    alt = Qt.KeyboardModifier.AltModifier
    chart = page.body.canvas
    tp.send_mouse(chart, tp.QEvent.Type.MouseButtonPress, 120, y, button=left, held=left)
    tp.send_mouse(chart, tp.QEvent.Type.MouseMove, 200, y, held=left)
    tp.send_mouse(chart, tp.QEvent.Type.MouseMove, 298, y, held=left, keys=alt)
    tp.send_mouse(chart, tp.QEvent.Type.MouseButtonRelease, 298, y, button=left, keys=alt)
    assert page.state.range.end_ns == 298_000


def test_the_status_bar_tells_the_gap_between_two_slices(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 300, tp.Y["Stream 2"])
    first = page.state.selected
    tp.click(page.body.canvas, 700, tp.Y["Stream 2"])
    now = page.state.selected
    assert now is not None
    assert page.body.verbs.gap_text(first, now) == "gap to MatMul: 200.000 µs"
    tp.click(page.body.canvas, 300, tp.Y["outer"])
    over = page.state.selected
    assert over is not None
    assert page.body.verbs.gap_text(now, over) == ""


@pytest.mark.row("system-timeline", 62)
def test_lock_and_analysis_survive_a_restart(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path)
    drag(page, 200, 400)
    page.state.modes.lock()
    again = tp.make(qtbot, [tp.card(tmp_path / "c0")])
    again.restore_state(page.view_state())
    assert again.state.modes.locked == page.state.modes.locked
    assert again.state.modes.locked is not None
    page.state.modes.unlock()
    page.body.verbs.analyse(False)
    third = tp.make(qtbot, [tp.card(tmp_path / "c0")])
    third.restore_state(page.view_state())
    assert third.state.modes.mask_span() == (200_000, 400_000)


@pytest.mark.row("system-timeline", 57)
def test_a_locked_selection_limits_search_and_links(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path, links=[(1, 4, "async_npu"), (1, 5, "async_npu")])
    page.search.search("inner", card="0")
    qtbot.waitUntil(lambda: page.search.answer is not None and page.search.answer.table.num_rows == 2)
    page.body.clear()
    drag(page, 50, 350)  # holds inner [100, 300) whole, not inner [500, 600)
    page.state.modes.lock()
    qtbot.waitUntil(lambda: page.search.answer is not None and page.search.answer.table.num_rows == 1)
    tp.click(page.body.canvas, 200, tp.Y["inner"])
    assert len(page.body.canvas.linked) == 2  # the source lies inside
    page.state.modes.unlock()
    page.body.clear()
    drag(page, 450, 700)
    page.state.modes.lock()
    qtbot.waitUntil(lambda: page.search.answer is not None and page.search.answer.table.num_rows == 1)
    tp.click(page.body.canvas, 200, tp.Y["inner"])
    assert [link.target.start_ns - tp.T0 for link in page.body.canvas.linked] == [600_000]
    page.state.modes.unlock()
    assert len(page.body.canvas.linked) == 2


@pytest.mark.row("system-timeline", 62)
def test_mask_base_slice_slice_mode_and_pan_mode_survive_a_restart(
    page: TimelinePage, qtbot: QtBot, tmp_path: Path
) -> None:
    state = page.state
    state.select(state.slice("0", 4))
    state.modes.toggle_mask()
    state.modes.set_lead(state.slice("0", 1))
    state.modes.set_depth_mode(True)
    with qtbot.waitSignal(page.context.view_changed):
        state.set_pan_mode(True)
    kept = json.loads(json.dumps(page.view_state()))
    (tmp_path / "again").mkdir()
    again = tp.basic_page(qtbot, tmp_path / "again")
    again.restore_state(kept)
    modes = again.state.modes
    assert modes.mask_span() == (200_000, 400_000)
    assert modes.mask is not None
    assert modes.mask.name == "MatMul"
    assert modes.lead is not None
    assert (modes.lead.id, modes.lead.name) == (1, "inner")
    assert modes.depth_mode
    assert again.state.pan_mode
    again.restore_state({"mask": {"card": "7", "kind": "slice", "id": 4, "track": 0}})
    assert (modes.mask, modes.lead, modes.depth_mode, again.state.pan_mode) == (None, None, False, False)


@pytest.mark.row("system-timeline", 62)
def test_an_analysis_of_the_session_ends_the_slice_mode_that_was_on(page: TimelinePage) -> None:
    page.state.select(page.state.slice("0", 4))
    page.state.modes.analyse_slice()
    kept = page.view_state()
    page.state.modes.end_analysis()
    page.state.modes.set_depth_mode(True)
    page.restore_state(kept)
    assert page.state.modes.mask_span() == (200_000, 400_000)
    assert not page.state.modes.depth_mode
