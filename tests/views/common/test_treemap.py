from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from insight_desktop.views.common import theme
from insight_desktop.views.common.treemap import Box, Treemap, squares

TREE = [
    Box(0, -1, "HAL: 256 MB", 256, "the whole"),
    Box(1, 0, "PTA: 192 MB", 192),
    Box(2, 1, "model: 128 MB", 128),
    Box(3, 1, "ops: 64 MB", 64),
    Box(4, 0, "ATB: 32 MB", 32),
    Box(5, 0, "tiny", 0.01),
]


@pytest.fixture
def shown(qtbot: QtBot) -> Treemap:
    theme.set_theme("light", remember=False)
    box = Treemap("Breakdown")
    qtbot.addWidget(box)
    box.resize(800, 434)
    box.show()
    box.show_boxes(TREE)
    return box


def test_rectangles_have_the_areas_of_their_values_and_fill_the_whole() -> None:
    found = squares([6, 6, 4, 3, 2, 2, 1], QRectF(0, 0, 600, 400))
    areas = [round(r.width() * r.height()) for r in found]
    assert areas == [60000, 60000, 40000, 30000, 20000, 20000, 10000]
    # The published example: two squares of 6 on top of each other at the left, 3 wide in a field of 6 x 4.
    assert (found[0].width(), found[0].height()) == (300.0, 200.0)
    assert all(
        not found[i].adjusted(1, 1, -1, -1).intersects(found[j].adjusted(1, 1, -1, -1))
        for i in range(7)
        for j in range(i)
    )


def test_nothing_and_zero_get_empty_rectangles() -> None:
    assert squares([], QRectF(0, 0, 9, 9)) == []
    assert [r.isEmpty() for r in squares([0, 0], QRectF(0, 0, 9, 9))] == [True, True]
    assert [r.isEmpty() for r in squares([5, 0], QRectF(0, 0, 9, 9))] == [False, True]


def test_boxes_lie_inside_their_parents_and_small_ones_are_left_out(shown: Treemap) -> None:
    found = {node: (level, rect) for node, level, rect in shown.area.places(792, 392)}
    assert {node: level for node, (level, _) in found.items()} == {1: 0, 2: 1, 3: 1, 4: 0}
    assert found[1][1].contains(found[2][1])
    area = {node: rect.width() * rect.height() for node, (_, rect) in found.items()}
    assert 1.9 < area[2] / area[3] < 2.15


def test_a_click_goes_down_and_the_path_leads_up(shown: Treemap) -> None:
    place = next(rect for node, _, rect in shown.area.places(shown.area.width(), shown.area.height()) if node == 1)
    at = QPointF(place.left() + 8, place.top() + 8).toPoint()
    QTest.mouseClick(shown.area, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert [shown.area.boxes[n].name for n in shown.area.path()] == ["HAL: 256 MB", "PTA: 192 MB"]
    assert {node for node, _, _ in shown.area.places(792, 392)} == {2, 3}
    buttons = [shown.path_row.itemAt(i).widget() for i in range(shown.path_row.count())]
    buttons[0].click()
    assert shown.area.path() == [0]


def test_keys_go_along_down_and_up(shown: Treemap) -> None:
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(shown.area, key)
    assert shown.area.path() == [0, 1]
    QTest.keyClick(shown.area, Qt.Key.Key_Right)
    assert shown.area.current == 2
    QTest.keyClick(shown.area, Qt.Key.Key_Backspace)
    assert shown.area.path() == [0]


def test_other_data_keep_the_place_where_the_names_are_there(shown: Treemap) -> None:
    shown.area.go_to(1)
    shown.show_boxes([Box(7, -1, "HAL: 1 MB", 9), Box(8, 7, "PTA: 192 MB", 5), Box(9, 8, "model: 128 MB", 5)])
    assert shown.area.shown == 8
    shown.show_boxes([Box(7, -1, "HAL: 1 MB", 9), Box(8, 7, "other", 5)])
    assert shown.area.shown == 7
