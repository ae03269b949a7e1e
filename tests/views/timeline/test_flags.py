"""Flags on the basic capture: 1 px is 1,000 ns; ids and rows as in tests.support.timeline_page."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system import memory_marks
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.flag_edit import FlagEdit
from insight_desktop.views.timeline.flags import Flag
from insight_desktop.views.timeline.marker_list import MarkerList

ROW = 33  # y of the marker row in the ruler


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


def shown(page: TimelinePage) -> list[tuple[str, tuple[int, int | None], str]]:
    flags = page.state.flags
    return [(flag.name, flags.span(flag), flag.colour) for flag in flags.shown()]


def drag_range(page: TimelinePage) -> None:
    tp.drag(page.body.canvas, [(200, tp.Y["inner"]), (300, tp.Y["inner"]), (450, tp.Y["inner"])])


@pytest.mark.row("system-timeline", 42)
def test_k_with_nothing_selected_flags_the_time_at_the_mouse(page: TimelinePage) -> None:
    tp.move(page.body.canvas, 250, 50)
    tp.key(page.body.canvas, Qt.Key.Key_K)
    assert shown(page) == [("default-1", (250_000, None), "#D92C21")]


@pytest.mark.row("system-timeline", 42)
def test_k_with_a_range_flags_the_range_once(page: TimelinePage) -> None:
    drag_range(page)
    tp.key(page.body.canvas, Qt.Key.Key_K)
    tp.key(page.body.canvas, Qt.Key.Key_K)
    assert shown(page) == [("range-1", (200_000, 450_000), "#D92C21")]


@pytest.mark.row("system-timeline", 42)
def test_k_with_a_slice_makes_a_range_flag_named_after_it(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 300, tp.Y["Stream 2"])
    tp.key(page.body.canvas, Qt.Key.Key_K)
    assert shown(page) == [("MatMul", (200_000, 400_000), "#D92C21")]


@pytest.mark.row("system-timeline", 42)
def test_clicks_in_the_marker_row_make_flags_in_three_colours_in_turn(page: TimelinePage) -> None:
    for x in (100, 300, 500, 700):
        tp.click(page.body.ruler, x, ROW)
    assert shown(page) == [
        ("default-1", (100_000, None), "#D92C21"),
        ("default-2", (300_000, None), "#6456E6"),
        ("default-3", (500_000, None), "#1D978A"),
        ("default-4", (700_000, None), "#D92C21"),
    ]
    tp.click(page.body.ruler, 110, ROW)  # on the banner of the first one
    assert len(page.state.flags.all) == 4
    assert page.state.flags.selected == 0


@pytest.mark.row("system-timeline", 42)
def test_the_flag_button_of_a_range_toggles(page: TimelinePage) -> None:
    drag_range(page)
    tp.click(page.body.ruler, 455, ROW)
    assert [name for name, _, _ in shown(page)] == ["range-1"]
    tp.click(page.body.ruler, 455, ROW)
    assert shown(page) == []


@pytest.mark.row("system-timeline", 42)
def test_a_range_flag_restores_its_range_and_moves_with_its_edge(page: TimelinePage) -> None:
    drag_range(page)
    tp.key(page.body.canvas, Qt.Key.Key_K)
    page.body.clear()
    page.state.flags.select(0)
    found = page.state.range
    assert found is not None
    assert (found.start_ns, found.end_ns, found.keys) == (200_000, 450_000, (tp.unit(page, "Thread 11").key,))
    tp.drag(page.body.canvas, [(450, 300), (500, 300), (750, 300)])
    assert shown(page)[0][1] == (200_000, 750_000)


@pytest.mark.row("system-timeline", 42)
def test_a_double_click_edits_name_and_colour_and_deletes(page: TimelinePage, qtbot: QtBot) -> None:
    tp.click(page.body.ruler, 300, ROW)
    left = Qt.MouseButton.LeftButton
    tp.send_mouse(page.body.ruler, QEvent.Type.MouseButtonDblClick, 310, ROW, button=left, held=left)
    box = page.body.ruler.findChild(FlagEdit)
    assert box is not None
    assert box.field.maxLength() == 256
    box.field.setText("warm up ends")
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert page.state.flags.all[0].name == "warm up ends"
    page.state.flags.change(0, colour="#ABCDEF")
    assert page.state.flags.all[0].colour == "#ABCDEF"
    assert page.state.flags.own_colours == ["#ABCDEF"]
    page.state.flags.remove(0)
    assert page.state.flags.all == []


def test_at_most_23_own_colours_are_remembered(page: TimelinePage) -> None:
    page.state.flags.add_single(5)
    for value in range(30):
        page.state.flags.change(0, colour=f"#0000{value:02X}")
    assert len(page.state.flags.own_colours) == 23
    assert page.state.flags.own_colours[0] == "#00001D"


@pytest.mark.row("system-timeline", 43)
def test_the_marker_list_is_sorted_and_tells_the_time_between_two(page: TimelinePage) -> None:
    for at in (700_000, 100_000):
        page.state.flags.add_single(at)
    page.state.flags.add_range(200_000, 450_000, "0", (tp.unit(page, "Thread 11").key,))
    listed = MarkerList(page.state.flags, page, confirm=lambda: True)
    assert [row.name.text() for row in listed.rows] == ["default-2", "range-1", "default-1"]
    assert [row.time.text().count("\n") for row in listed.rows] == [0, 1, 0]
    page.state.flags.select(1)
    assert listed.windowTitle() == "default-2"
    listed.tell_difference(page.state.flags.get(0))
    assert listed.difference.text() == "Time difference 600.000 µs"


@pytest.mark.row("system-timeline", 43)
def test_the_marker_list_jumps_deletes_and_clears_after_a_question(page: TimelinePage) -> None:
    for at in (700_000, 100_000):
        page.state.flags.add_single(at)
    answers = [False, True]
    listed = MarkerList(page.state.flags, page, confirm=lambda: answers.pop(0))
    page.state.viewport.show(0, 100)
    listed.rows[1].jump.click()
    assert page.state.viewport.view.left_ns == 699_950
    listed.rows[0].trash.click()
    assert [name for name, _, _ in shown(page)] == ["default-1"]
    listed.clear_all()
    assert len(page.state.flags.all) == 1
    listed.clear_all()
    assert page.state.flags.all == []


@pytest.mark.row("system-timeline", 62)
def test_flags_survive_a_restart(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path)
    page.state.flags.add_single(100_000)
    page.state.flags.add_range(200_000, 450_000, "0", (tp.unit(page, "Thread 11").key,), "mine")
    kept = page.view_state()
    again = tp.make(qtbot, [tp.card(tmp_path / "c0")])
    again.restore_state(kept)
    assert shown(again) == [
        ("default-1", (100_000, None), "#D92C21"),
        ("mine", (200_000, 450_000), "#6456E6"),
    ]


@pytest.mark.row("system-timeline", 93)
def test_other_pages_get_the_flags_in_recorded_time(page: TimelinePage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.context.flags_changed):
        page.state.flags.add_range(200_000, 450_000, "0", ())
    assert page.context.flags == [Flag(0, "range-1", tp.T0 + 200_000, tp.T0 + 450_000, "#D92C21", "0", ())]
    found = memory_marks.marks_of(page.context, "0", tp.T0)
    assert [(m.name, m.low, m.high) for m in found] == [("range-1", 0.2, 0.45)]


def test_a_flag_of_a_card_moves_with_its_offset(page: TimelinePage) -> None:
    page.state.flags.add_range(200_000, 450_000, "0", ())
    page.state.flags.add_single(300_000)
    page.state.set_offset("0", 100_000)
    page.refresh()
    assert [span for _, span, _ in shown(page)] == [(100_000, 350_000), (300_000, None)]


def test_the_lines_of_the_flags_are_painted_over_the_lanes(page: TimelinePage) -> None:
    page.state.flags.add_single(900_000)
    QApplication.processEvents()
    picture = page.body.canvas.render_now()
    assert any(picture.pixelColor(900, y).name() == "#d92c21" for y in range(200, 210))
    assert page.body.ruler.flag_at(QPointF(905, ROW)) is not None


def test_flags_of_the_list_are_worked_with_keys(page: TimelinePage) -> None:
    state = page.state
    first, second = state.flags.add_single(100_000), state.flags.add_single(700_000)
    page.body.verbs.show_markers()
    found = page.body.verbs._markers
    assert found is not None
    state.viewport.show(600_000, 800_000)
    tp.key(found.rows[0], Qt.Key.Key_Return)
    assert state.flags.selected == first.number
    assert state.viewport.view.left_ns < 100_000  # the flag is on screen now
    tp.key(found.rows[1], Qt.Key.Key_Space)
    assert state.flags.selected == second.number
    tp.key(found.rows[0], Qt.Key.Key_Delete)
    assert state.flags.all == [second]
    found.close()


@pytest.mark.row("system-timeline", 43)
def test_escape_in_the_chart_closes_the_marker_list_and_then_drops_the_selection(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 150, tp.Y["inner"])
    tp.key(page.body, Qt.Key.Key_K, Qt.KeyboardModifier.ShiftModifier)
    found = page.body.verbs._markers
    assert found is not None
    assert found.isVisible()
    tp.key(page.body, Qt.Key.Key_Escape)
    assert not found.isVisible()
    assert page.state.selected is not None
    tp.key(page.body, Qt.Key.Key_Escape)
    assert page.state.selected is None
