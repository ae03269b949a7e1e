from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline import menu


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


def items(page: TimelinePage) -> list[str]:
    """Texts of what is listed; `Analyse` has tests of its own."""
    shown = [a for a in menu.build(page.body.verbs, page.body).actions() if not a.isSeparator()]
    return [a.text().split("\t")[0] for a in shown if a.text() != "Analyse"]


def ids(page: TimelinePage) -> list[str]:
    """Ids of what is listed, in order, submenus opened."""
    found = []
    for action in menu.build(page.body.verbs, page.body).actions():
        if action.text() == "Analyse":
            continue  # has tests of its own
        inner = action.menu()
        found += [a.objectName() for a in inner.actions()] if isinstance(inner, QMenu) else [action.objectName()]
    return [name for name in found if name]


def enabled(page: TimelinePage, item: str) -> bool:
    found = menu.build(page.body.verbs, page.body).findChild(QAction, item)
    assert isinstance(found, QAction)
    return found.isEnabled()


ZOOM = ["undo", "redo", "reset"]
LAST = ["auto_fit", "depth_mode"]


def nothing(page: TimelinePage) -> None:
    page.body.clear()


def a_slice(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 300, tp.Y["Stream 2"])


def a_point(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 250, tp.Y["zero"])


def a_range(page: TimelinePage) -> None:
    tp.drag(page.body.canvas, [(200, tp.Y["inner"]), (300, tp.Y["inner"]), (400, tp.Y["inner"])])


def locked(page: TimelinePage) -> None:
    a_range(page)
    page.state.modes.lock()


def analysis(page: TimelinePage) -> None:
    a_range(page)
    page.body.verbs.analyse(False)


def depth_mode(page: TimelinePage) -> None:
    page.state.modes.set_depth_mode(True)
    a_range(page)


def a_card(page: TimelinePage) -> None:
    page.state.select_lanes(["0"])


def a_process(page: TimelinePage) -> None:
    page.state.select_lanes([tp.unit(page, "python3 (1)").key])


def a_pinned_lane(page: TimelinePage) -> None:
    key = tp.unit(page, "Stream 2").key
    page.state.pin([tp.unit(page, "Stream 2")], True)
    page.state.select_lanes([key])


def two_lanes(page: TimelinePage) -> None:
    page.state.select_lanes([tp.unit(page, name).key for name in ("Thread 12", "Stream 2")])


def hidden(page: TimelinePage) -> None:
    page.state.hide([tp.unit(page, "Thread 12")])


def a_base(page: TimelinePage) -> None:
    a_slice(page)
    page.body.verbs.set_base_slice()


LANE = ["pin", "pin_same"]
SLICE = ["base", "align_left", "align_right", "recover"]
STATES = [
    (nothing, [*ZOOM, "recover", *LAST]),
    (a_slice, ["analyse_slice", "fit", *ZOOM, *LANE, *SLICE, "hide", "auto_fit", "events", "depth_mode", "copy"]),
    (a_point, ["fit", *ZOOM, *LANE, *SLICE, "hide", "auto_fit", "events", "depth_mode", "copy"]),
    (a_range, ["analyse", "analyse_zoom", "zoom_in", "lock", *ZOOM, *LANE, "recover", "collapse", "hide", "auto_fit", "events", "depth_mode", "copy"]),
    (locked, ["zoom_in", "unlock", *ZOOM, *LANE, "recover", "collapse", "hide", "auto_fit", "events", "depth_mode", "copy"]),
    (analysis, ["end_analysis", "zoom_in", *ZOOM, *LANE, "recover", "collapse", "hide", "auto_fit", "events", "copy"]),
    (depth_mode, ["zoom_in", "lock", *ZOOM, *LANE, "recover", "collapse", "hide", "auto_fit", "events", "depth_mode", "copy"]),
    (a_card, ["alias", "offset", *ZOOM, "pin", "recover", "collapse", "hide", *LAST, "copy"]),
    (a_process, ["offset", *ZOOM, "pin", "recover", "collapse", "hide", "auto_fit", "events", "depth_mode", "copy"]),
    (a_pinned_lane, [*ZOOM, "unpin", "unpin_all", "unpin_same", "recover", "hide", "auto_fit", "events", "depth_mode", "copy"]),
    (two_lanes, [*ZOOM, "pin", "recover", "merge", "hide", *LAST, "copy"]),
    (hidden, [*ZOOM, "recover", "show", *LAST]),
    (a_base, ["analyse_slice", "fit", *ZOOM, *LANE, "no_base", "align_left", "align_right", "recover", "hide", "auto_fit", "events", "depth_mode", "copy"]),
]  # fmt: skip


@pytest.mark.row("system-timeline", 44)
@pytest.mark.parametrize(("arrange", "wanted"), STATES, ids=[state.__name__ for state, _ in STATES])
def test_the_menu_lists_what_can_be_done_in_each_state(
    page: TimelinePage, arrange: Callable[[TimelinePage], None], wanted: list[str]
) -> None:
    arrange(page)
    assert ids(page) == wanted


@pytest.mark.row("system-timeline", 44)
def test_hide_is_grey_while_locked_or_analysing_and_zoom_for_a_slice_without_length(page: TimelinePage) -> None:
    a_range(page)
    assert enabled(page, "hide")
    page.state.modes.lock()
    assert not enabled(page, "hide")
    tp.click(page.body.canvas, 250, tp.Y["zero"])
    assert not enabled(page, "zoom_in")


@pytest.mark.row("system-timeline", 44)
def test_no_entry_is_listed_twice_and_groups_are_apart(page: TimelinePage) -> None:
    names = [item.id for group in menu.GROUPS for item in group]
    assert len(names) == len(set(names))
    a_slice(page)
    actions = menu.build(page.body.verbs, page.body).actions()
    apart = [action.isSeparator() for action in actions]
    assert not apart[0]
    assert not apart[-1]
    assert not any(one and other for one, other in pairwise(apart))


def test_undo_shows_how_often_and_is_grey_without_history(page: TimelinePage) -> None:
    assert not enabled(page, "undo")
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


def test_a_menu_asked_for_with_a_key_keeps_the_selection_wherever_the_mouse_is(page: TimelinePage) -> None:
    stream = tp.unit(page, "Stream 2").key
    for widget in (page.body.canvas, page.body.trees[False]):
        page.state.select_lanes([stream], stream)
        asked: list[tp.QPoint] = []
        widget.menu_wanted.disconnect()
        widget.menu_wanted.connect(asked.append)
        place = tp.QPoint(300, tp.Y["zero"])
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, widget.mapToGlobal(place))
        QApplication.sendEvent(widget, event)
        assert page.state.lanes == [stream]
        assert [widget.mapFromGlobal(at).y() for at in asked] == [tp.Y["Stream 2"]]  # it opens on the lane
