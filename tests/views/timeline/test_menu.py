from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline import menu


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


def items(page: TimelinePage) -> list[str]:
    return [a.text().split("\t")[0] for a in menu.build(page.body.verbs, page.body).actions() if not a.isSeparator()]


ALWAYS = ["Undo zoom", "Redo zoom", "Reset zoom"]


def test_only_what_can_be_done_is_listed(page: TimelinePage) -> None:
    assert items(page) == ALWAYS
    tp.click(page.body.canvas, 300, tp.Y["Stream 2"])
    assert items(page) == ["Fit to screen", *ALWAYS, "Pin", "Hide", "Copy name"]
    tp.drag(page.body.canvas, [(200, tp.Y["inner"]), (300, tp.Y["inner"]), (400, tp.Y["inner"])])
    assert items(page) == ["Zoom into selection", *ALWAYS, "Pin", "Collapse all", "Hide", "Copy name"]
    page.state.select_lanes(["0"])
    assert items(page)[0] == "Set alias…"


def test_undo_shows_how_often_and_is_grey_without_history(page: TimelinePage) -> None:
    made = menu.build(page.body.verbs, page.body)
    assert not made.actions()[0].isEnabled()
    page.state.viewport.show(1, 100)
    page.state.viewport.settle()
    page.state.viewport.show(1, 50)
    assert items(page)[0] == "Undo zoom (2)"


def test_copy_name_puts_the_name_on_the_clipboard(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 300, tp.Y["Stream 2"])
    page.body.verbs.copy_name()
    assert QGuiApplication.clipboard().text() == "MatMul"


def test_a_right_click_selects_the_lane_and_keeps_a_range(page: TimelinePage) -> None:
    page.body.canvas.gestures.right_click(tp.QPoint(300, tp.Y["zero"]))
    assert page.state.lanes == [tp.unit(page, "Thread 12").key]
    tp.drag(page.body.canvas, [(200, tp.Y["inner"]), (300, tp.Y["inner"]), (400, tp.Y["inner"])])
    page.body.canvas.gestures.right_click(tp.QPoint(300, tp.Y["Stream 2"]))
    assert page.state.range is not None
    assert page.state.lanes == [tp.unit(page, "Thread 11").key]
