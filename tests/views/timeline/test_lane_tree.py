"""Names of the lanes: opening, selecting, hiding, pinning with mouse and keys."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support import timeline_page as tp

from insight_desktop.ingest.sources import Source
from insight_desktop.views.system.timeline import TimelinePage

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PIN_X = 250 - 6 - 7


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


@pytest.fixture
def tree(page: TimelinePage) -> QWidget:
    return page.body.tree


def titles(page: TimelinePage) -> list[str]:
    return [page.body.tree.title(r) if r.kind != "hidden" else f"hidden {r.count}" for r in page.state.rows.rows]


def selected(page: TimelinePage) -> list[str]:
    return [u.title for u in page.body.verbs.selected_units()]


def test_a_click_opens_and_closes(page: TimelinePage, tree: QWidget) -> None:
    assert titles(page) == ["Card 0", "python3 (1)", "Thread 11", "Thread 12", "Ascend Hardware (2)", "Stream 2"]
    tp.click(tree, 60, tp.Y["python3"])
    assert titles(page) == ["Card 0", "python3 (1)", "Ascend Hardware (2)", "Stream 2"]
    tp.click(tree, 60, tp.Y["python3"])
    tp.click(tree, 60, tp.Y["outer"])
    row = tp.row(page, "Thread 11")
    assert row is not None
    assert (row.kind, row.height) == ("folded", 25)


def test_ctrl_and_shift_select_several(page: TimelinePage, tree: QWidget) -> None:
    tp.click(tree, 60, tp.Y["zero"])
    tp.click(tree, 60, tp.Y["Stream 2"], CTRL)
    assert selected(page) == ["Thread 12", "Stream 2"]
    tp.click(tree, 60, tp.Y["Stream 2"], CTRL)
    assert selected(page) == ["Thread 12"]
    tp.click(tree, 60, tp.Y["zero"])
    tp.click(tree, 60, tp.Y["Stream 2"], SHIFT)
    assert selected(page) == ["Thread 12", "Ascend Hardware (2)", "Stream 2"]


def test_the_tree_can_be_walked_with_the_keyboard(page: TimelinePage, tree: QWidget) -> None:
    tp.click(tree, 60, tp.Y["zero"])
    tp.key(tree, Qt.Key.Key_Down)
    assert selected(page) == ["Ascend Hardware (2)"]
    tp.key(tree, Qt.Key.Key_Left)
    assert titles(page)[-1] == "Ascend Hardware (2)"
    tp.key(tree, Qt.Key.Key_Right)
    tp.key(tree, Qt.Key.Key_Down)
    assert selected(page) == ["Stream 2"]
    tp.key(tree, Qt.Key.Key_Left)
    assert selected(page) == ["Ascend Hardware (2)"]


@pytest.mark.row("system-timeline", 46)
def test_hidden_lanes_leave_a_placeholder_that_brings_them_back(page: TimelinePage, tree: QWidget) -> None:
    tp.click(tree, 60, tp.Y["outer"])
    tp.click(tree, 60, tp.Y["outer"])
    page.state.select_lanes([tp.unit(page, "Thread 11").key, tp.unit(page, "Thread 12").key])
    page.body.verbs.hide()
    assert titles(page) == ["Card 0", "python3 (1)", "hidden 2", "Ascend Hardware (2)", "Stream 2"]
    tp.click(tree, 60, 54)
    assert titles(page) == ["Card 0", "python3 (1)", "Thread 11", "Thread 12", "Ascend Hardware (2)", "Stream 2"]


@pytest.mark.row("system-timeline", 46)
def test_show_all_at_the_card_restores_lanes_hidden_below_a_hidden_process(page: TimelinePage) -> None:
    page.state.hide([tp.unit(page, "Thread 12")])
    page.state.hide([tp.unit(page, "python3 (1)")])
    assert titles(page) == ["Card 0", "hidden 1", "Ascend Hardware (2)", "Stream 2"]
    tp.click(page.body.tree, 60, 32)
    assert titles(page) == ["Card 0", "python3 (1)", "Thread 11", "Thread 12", "Ascend Hardware (2)", "Stream 2"]


@pytest.mark.row("system-timeline", 47)
def test_a_pinned_lane_is_copied_to_the_top_with_process_and_card(page: TimelinePage, tree: QWidget) -> None:
    tp.move(tree, PIN_X, tp.Y["Stream 2"])
    tp.click(tree, PIN_X, tp.Y["Stream 2"])
    assert [page.body.trees[True].title(r) for r in page.state.pinned_rows.rows] == [
        "Stream 2_Ascend Hardware (2)_Card 0"
    ]
    assert titles(page)[-1] == "Stream 2"
    assert page.body.canvases[True].height() == 20
    image = page.body.canvases[True].render_now()
    assert image.pixelColor(380, 4) == page.body.canvas.render_now().pixelColor(380, 130)
    tp.click(page.body.canvases[True], 300, 10)
    assert page.state.selected is not None
    assert page.state.selected.name == "MatMul"


@pytest.mark.row("system-timeline", 47)
def test_pinned_lanes_are_ordered_by_drag(page: TimelinePage) -> None:
    lanes = [tp.unit(page, t) for t in ("Thread 12", "Stream 2", "python3 (1)")]
    page.state.set_open([lanes[2]], False)
    page.state.pin(lanes, True)
    pinned = page.body.trees[True]
    assert [pinned.title(r) for r in page.state.pinned_rows.rows] == [
        "Thread 12_python3 (1)_Card 0", "Stream 2_Ascend Hardware (2)_Card 0", "Card 0_python3 (1)",
    ]  # fmt: skip
    tp.drag(pinned, [(60, 10), (60, 30), (60, 58)])
    assert page.state.arrangement.pinned == [lanes[1].key, lanes[2].key, lanes[0].key]
    tp.drag(pinned, [(60, 50), (60, 30), (60, 2)])
    assert page.state.arrangement.pinned == [lanes[0].key, lanes[1].key, lanes[2].key]


@pytest.mark.row("system-timeline", 47)
def test_many_pinned_lanes_scroll_on_their_own(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [tp.at(i, i + 10, "x", {**tp.HOST, "tid": i, "thread": f"T{i:02}"}) for i in range(30)]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    page.state.pin([tp.unit(page, f"T{i:02}") for i in range(10)], True)
    assert page.body.canvases[True].height() == 100
    tp.wheel(page.body.canvases[True], 100, 50, -120)
    assert (page.body.areas[True].scroll, page.body.area.scroll) == (60, 0)


def test_the_card_row_stays_at_the_top(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [tp.at(i, i + 10, "x", {**tp.HOST, "tid": i, "thread": f"T{i:02}"}) for i in range(60)]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    page.body.area.set_scroll(400)
    sticky = page.body.area.sticky()
    assert sticky is not None
    assert sticky.kind == "card"
    assert page.body.area.row_at(10) is sticky


def test_expand_all_and_collapse_all_work_below_the_lane(page: TimelinePage) -> None:
    page.state.select_lanes([tp.unit(page, "python3 (1)").key])
    page.body.verbs.open_below(False)
    assert titles(page) == ["Card 0", "python3 (1)", "Ascend Hardware (2)", "Stream 2"]
    page.body.verbs.open_below(True)
    row = tp.row(page, "Thread 11")
    assert row is not None
    assert row.kind == "lane"


@pytest.mark.row("system-timeline", 30)
def test_the_tooltip_of_a_card_has_its_path_and_the_raw_time_of_zero(
    page: TimelinePage, tree: QWidget, qtbot: QtBot
) -> None:
    page.state.context.store.card("0").source_folder = Path("/data/rank0_ascend_pt")
    tp.move(tree, 60, tp.Y["card"])
    qtbot.waitUntil(page.body.tooltip.isVisible, timeout=2000)
    tip = page.body.tooltip.tip
    assert tip is not None
    assert tip.lines == [
        ("Path", str(Path("/data/rank0_ascend_pt"))),
        ("Raw time at 0", "1,700,000,000,000,000,000 ns"),
    ]


@pytest.mark.row("system-timeline", 30)
def test_the_tooltip_of_a_group_lists_its_ranks(
    page: TimelinePage, tree: QWidget, qtbot: QtBot, tmp_path: Path
) -> None:
    side = tmp_path / "profiler_metadata.json"
    side.write_text('{"parallel_group_info": {"Stream 2": {"global_ranks": [0, 1, 2, 3]}}}')
    source = Source("trace_json", "text", (tmp_path / "trace_view.json",), (("profiler_metadata", side),))
    store = page.state.context.store
    store.put(replace(store.card("0"), source=source))
    tp.move(tree, 60, tp.Y["Stream 2"])
    qtbot.waitUntil(page.body.tooltip.isVisible, timeout=2000)
    assert page.body.tooltip.tip is not None
    assert ("Ranks", "0, 1, 2, 3") in page.body.tooltip.tip.lines


def test_the_border_of_the_tree_can_be_dragged(page: TimelinePage, tree: QWidget) -> None:
    tp.drag(tree, [(249, 200), (280, 200), (300, 200)])
    assert page.body.tree_width == 300
    assert page.body.canvas.x() == 300


def test_cards_without_events_say_why_the_chart_is_empty(qtbot: QtBot, tmp_path: Path) -> None:
    plain_build.build(tmp_path / "0", slices=[])
    page = tp.make(qtbot, [tp.card(tmp_path / "0")])
    page.body.arrange()
    assert not page.body.nothing_yet.isHidden()
    assert page.body.nothing_yet.title.text() == "These cards have no timeline"
    assert page.body.nothing_yet.button.isHidden()
