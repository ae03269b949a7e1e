from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from tests.support.plain_build import build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.views.common import language, theme
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.system.rl import RlPage
from insight_desktop.views.system.rl_area import role_colour, short_label

MS = 1_000_000
MARKS = {"pid": "9", "tid": "1", "process": "rollout", "label": "CPU"}


def mark(name: str, start: int, end: int, tid: str = "1") -> dict[str, Any]:
    return {**MARKS, "tid": tid, "name": name, "start_ns": start * MS, "end_ns": end * MS}


SLICES = [
    mark("generate_sequences", 1000, 1400),
    mark("update_actor", 1500, 1800),
    mark("TransformerBlock", 1510, 1600, "2"),
    mark("TransformerLayer", 1610, 1700, "2"),
]


def card(folder: Path, rank: int, slices: list[dict[str, Any]]) -> StoreCard:
    build(folder / str(rank), slices=slices)
    return StoreCard(str(rank), str(rank), rank, "node", "text", folder / str(rank))


def make(qtbot: QtBot, cards: list[StoreCard]) -> RlPage:
    theme.set_theme("dark", remember=False)
    page = RlPage(Context(Store(cards)))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    page.resize(1200, 700)
    page.show()
    qtbot.waitUntil(lambda: len(page.chart.area.labels) == len(cards) or page.stack.currentIndex() == 1)
    return page


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> RlPage:
    return make(qtbot, [card(tmp_path, 0, SLICES), card(tmp_path, 1, SLICES[:1])])


def jumps(page: RlPage) -> list[Jump]:
    found: list[Jump] = []
    page.context.jump.connect(found.append)
    return found


@pytest.mark.row("system-memory-operator-rl", 42)
def test_head_rows_and_bubbles_say_what_was_recognised(page: RlPage) -> None:
    assert [label.text() for label in page.fact_labels.values()] == ["verl", "GRPO", "Megatron"]
    assert page.chart.area.labels == ["Host 1 Rank 1", "Host 1 Rank 0"][::-1]
    assert [entry.text for entry in page.chart.entries()] == ["Actor", "ActorRollout"]
    assert page.bubbles.row(0)["bubble_ms"] == 100.0
    assert page.bubbles.row(0)["bubble_ratio"] == 0.125
    assert page.bubbles.row(1)["bubble_ms"] == 0.0


@pytest.mark.row("system-memory-operator-rl", 42)
def test_tasks_and_micro_batches_are_drawn_in_the_colour_of_their_role_at_their_height(page: RlPage) -> None:
    area = page.chart.area
    task, batch = area.box_of(0), area.box_of(2)
    assert (round(task.height() / area.row_height, 2), round(batch.height() / area.row_height, 2)) == (0.8, 0.6)
    picture = area.viewport().grab().toImage()
    middle = batch.center()
    assert picture.pixelColor(QPoint(int(batch.left()) + 3, int(middle.y()))).name() == role_colour(0).name()
    assert [area.name(i) for i in range(4)] == ["generate_sequences", "update_actor", "FP", "BP"]
    assert area.node_at(middle) == 2
    assert area.node_at(task.center()) == 0


@pytest.mark.row("system-memory-operator-rl", 42)
def test_the_tooltip_names_the_seven_facts(page: RlPage) -> None:
    assert page.chart.area.tip(1) == (
        "Name: update_actor\nNode Type: Task\nStage Type: Actor\nHost: node\nRank: 0\n"
        "Start Time (ms): 1,500.000\nDuration (ms): 300.000"
    )


@pytest.mark.row("system-memory-operator-rl", 42)
def test_a_double_click_and_return_lead_to_the_slice_in_the_timeline(page: RlPage) -> None:
    area, found = page.chart.area, jumps(page)
    at = area.box_of(1).topLeft() + QPointF(2, 2)
    QTest.mouseDClick(area.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at.toPoint())
    area.setFocus()
    QTest.keyClick(area, Qt.Key.Key_Right)
    QTest.keyClick(area, Qt.Key.Key_Return)
    assert [(j.card, j.start_ns, j.end_ns) for j in found] == [
        ("0", 1500 * MS, 1800 * MS),
        ("0", 1510 * MS, 1600 * MS),
    ]


@pytest.mark.row("system-memory-operator-rl", 42)
def test_zoom_keys_wheel_and_buttons_change_the_time_and_go_back(page: RlPage) -> None:
    area = page.chart.area
    assert area.view == (1000.0 * MS, 1800.0 * MS)
    area.zoom(0.5)
    assert area.view == (1200.0 * MS, 1600.0 * MS)
    assert area.horizontalScrollBar().maximum() > 0
    area.pan(0.5)
    assert area.view == (1400.0 * MS, 1800.0 * MS)
    area.zoom(0.5)
    page.chart.back_button.click()
    assert area.view == (1400.0 * MS, 1800.0 * MS)
    page.chart.reset_button.click()
    assert area.view == (1000.0 * MS, 1800.0 * MS)
    page.chart.zoom_button.click()
    left, right = (QPointF(area.scale().px(v * MS), 10).toPoint() for v in (1500, 1600))
    QTest.mousePress(area.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, left)
    QTest.mouseMove(area.viewport(), right)
    QTest.mouseRelease(area.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, right)
    assert area.view == pytest.approx((1500.0 * MS, 1600.0 * MS), abs=2 * MS)


@pytest.mark.row("system-memory-operator-rl", 43)
def test_a_card_that_was_read_later_becomes_a_row(page: RlPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.context.store.put(card(tmp_path, 2, SLICES))
    page.refresh_button.click()
    qtbot.waitUntil(lambda: len(page.chart.area.labels) == 3)


def test_hidden_roles_are_neither_drawn_nor_found(page: RlPage) -> None:
    page.chart.legend.hidden_changed.emit(frozenset(["ActorRollout"]))
    assert page.chart.area.node_at(page.chart.area.box_of(0).center()) == -1


def test_the_axis_can_count_from_the_first_task(page: RlPage) -> None:
    page.chart.relative.click()
    assert "Start Time (ms): 500.000" in page.chart.area.tip(1)


def test_without_tasks_the_page_says_how_to_mark_them(qtbot: QtBot, tmp_path: Path) -> None:
    page = make(qtbot, [card(tmp_path, 0, [mark("forward", 0, 10)])])
    qtbot.waitUntil(lambda: page.stack.currentIndex() == 1)
    assert page.empty.title.text() == "No card has tasks of a reinforcement learning run."
    assert "mstx.range_start" in page.empty.code


def test_state_comes_back(page: RlPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.chart.area.zoom(0.5)
    state = page.view_state()
    again = make(qtbot, [card(tmp_path / "again", 0, SLICES)])
    again.restore_state(state)
    qtbot.waitUntil(lambda: again.chart.area.view == (1200.0 * MS, 1600.0 * MS))
    again.restore_state({"view": "nonsense"})


@pytest.mark.row("system-memory-operator-rl", 42)
def test_long_labels_keep_their_head_and_tail() -> None:
    assert short_label("Host 1 Rank 0") == "Host 1 Rank 0"
    assert short_label("Host 12 Rank 123456") == "Host 12 Rank …3456"


def test_words_follow_the_language(page: RlPage, qtbot: QtBot) -> None:
    try:
        language.set_language("zh", remember=False)
        qtbot.waitUntil(lambda: page.titles["framework"].text() == "框架:")
        assert page.refresh_button.text() == "刷新"
    finally:
        language.set_language("en", remember=False)
