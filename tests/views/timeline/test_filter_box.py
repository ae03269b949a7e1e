"""The filter of the toolbar: what it dims, what it leaves in the tables, and how it says what it cannot read."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.common import theme
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.filter_box import history


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


def filtered(qtbot: QtBot, page: TimelinePage, text: str) -> None:
    with qtbot.waitSignal(page.state.filter_changed):
        page.filter_box.set_text(text)


def colour(page: TimelinePage, x: int, y: int) -> int:
    """Colour of a pixel of the painted frame; 1,000 px show 1 ms."""
    page.body.canvas.renew()
    frame = page.body.canvas.maker.frame
    assert frame is not None
    return int(frame.array[y - frame.request.y0, x])


def test_names_that_do_not_pass_are_dimmed_and_come_back(qtbot: QtBot, page: TimelinePage) -> None:
    outer, inner = colour(page, 50, tp.Y["outer"]), colour(page, 200, tp.Y["inner"])
    filtered(qtbot, page, "inner")
    assert colour(page, 200, tp.Y["inner"]) == inner
    assert colour(page, 50, tp.Y["outer"]) != outer
    found = page.state.filter.found
    assert found is not None
    assert (found.slices, found.all_slices, page.filter_box.note.text()) == (2, 6, "2")
    filtered(qtbot, page, "")
    assert colour(page, 50, tp.Y["outer"]) == outer


def test_durations_and_lanes_are_told_slice_by_slice(qtbot: QtBot, page: TimelinePage) -> None:
    long, short = colour(page, 200, tp.Y["inner"]), colour(page, 550, tp.Y["inner"])
    assert long == short  # the same name
    filtered(qtbot, page, "dur>150us")  # inner is 200 µs long, then 100 µs
    assert (colour(page, 200, tp.Y["inner"]), colour(page, 550, tp.Y["inner"]) == short) == (long, False)
    host, device = page.state.filter.found, colour(page, 700, tp.Y["Stream 2"])
    assert host is not None
    assert host.slices == 4
    filtered(qtbot, page, "outer lane:Stream")
    assert colour(page, 700, tp.Y["Stream 2"]) == device
    assert page.state.filter.found is not None
    assert page.state.filter.found.slices == 1
    frame = page.body.canvas.maker.frame
    assert frame is not None
    assert {(label.text, label.y, label.dimmed) for label in frame.labels if label.text == "outer"} == {
        ("outer", 45, True),
        ("outer", 127, False),
    }


def test_of_a_hidden_rank_everything_is_dimmed(qtbot: QtBot, page: TimelinePage) -> None:
    before = colour(page, 50, tp.Y["outer"])
    filtered(qtbot, page, "rank:1-7")
    assert page.state.filter.found is not None
    assert page.state.filter.found.slices == 0
    assert colour(page, 50, tp.Y["outer"]) != before
    assert colour(page, 50, tp.Y["outer"]) != theme.token("canvas").rgb()


def test_an_error_is_underlined_where_it_is_and_the_old_filter_holds(qtbot: QtBot, page: TimelinePage) -> None:
    filtered(qtbot, page, "inner")
    box = page.filter_box
    box.set_text("inner dur>1lightyear")
    assert box.field.wrong == 11
    assert box.bubble is not None
    assert box.bubble.text().startswith("The filter cannot be read at character 12: 'lightyear' is not a unit of time")
    assert box.bubble.isVisibleTo(page)
    assert page.state.filter.found is not None
    assert page.state.filter.found.filter.text == "inner"
    box.field.setText("inner")
    assert (box.field.wrong, box.bubble.isVisibleTo(page)) == (None, False)


def test_entered_filters_are_in_the_history_wrong_ones_are_not(qtbot: QtBot, page: TimelinePage) -> None:
    filtered(qtbot, page, "inner")
    filtered(qtbot, page, "outer")
    page.filter_box.set_text("/open")
    filtered(qtbot, page, "inner")
    assert history() == ["inner", "outer"]
    actions = {a.text(): a for a in page.filter_box.menu().actions()}
    with qtbot.waitSignal(page.state.filter_changed):
        actions["outer"].trigger()
    assert page.filter_box.field.text() == "outer"
    with qtbot.waitSignal(page.state.filter_changed):
        qtbot.keyClick(page.filter_box.field, Qt.Key.Key_Escape)
    assert (page.filter_box.field.text(), page.state.filter.is_on) == ("", False)


def test_tables_of_the_panel_are_filtered_with_the_drawing(qtbot: QtBot, page: TimelinePage) -> None:
    with qtbot.waitSignal(page.search.answer_changed):
        page.search.search("e")  # outer, inner twice, zero, outer
    assert page.search.answer is not None
    page.panel.show_answer(page.search.answer)
    table = page.panel.find_panel.table
    assert table.shown_table().num_rows == 5
    filtered(qtbot, page, "dur>150us")
    assert sorted(table.shown_table()["dur_ns"].to_pylist()) == [200_000, 200_000, 1_000_000]
    table.set_filters({"name": "inner"})
    assert table.shown_table().num_rows == 1
    table.set_filters({})
    filtered(qtbot, page, "")
    assert table.shown_table().num_rows == 5


def test_the_filter_is_part_of_the_session(qtbot: QtBot, page: TimelinePage) -> None:
    filtered(qtbot, page, "inner")
    state = page.view_state()
    filtered(qtbot, page, "")
    with qtbot.waitSignal(page.state.filter_changed):
        page.restore_state(state)
    assert page.filter_box.field.text() == "inner"
