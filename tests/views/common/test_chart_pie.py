"""Shares: percentages, hidden pieces, clicks, keys, what is exported."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from insight_desktop.views.common.chart_pie import Piece, PieChart

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def pie(qtbot: QtBot) -> PieChart:
    found = PieChart("Share by type")
    qtbot.addWidget(found)
    found.resize(600, 300)
    found.set_pieces([Piece("m", "MatMul", 50), Piece("c", "Cast", 30), Piece("o", "Others", 20)], unit="µs")
    found.show()
    return found


def at(pie: PieChart, degrees: float) -> QPoint:
    circle = pie.area._circle(pie.area.width(), pie.area.height())
    radius = circle.width() / 2 * 0.8
    turn = math.radians(degrees)
    return QPoint(
        round(circle.center().x() + radius * math.sin(turn)), round(circle.center().y() - radius * math.cos(turn))
    )


def test_legend_says_the_percentages(pie: PieChart) -> None:
    assert [(e.text, e.value) for e in pie.entries()] == [
        ("MatMul", "50.0 %"),
        ("Cast", "30.0 %"),
        ("Others", "20.0 %"),
    ]


def test_pieces_go_clockwise_from_the_top(pie: PieChart) -> None:
    assert [(p.key, start, length) for p, start, length in pie.area.angles()] == [
        ("m", 0, 180), ("c", 180, pytest.approx(108)), ("o", pytest.approx(288), pytest.approx(72))
    ]  # fmt: skip


def test_hidden_pieces_leave_the_rest_as_the_whole(qtbot: QtBot, pie: PieChart) -> None:
    qtbot.mouseClick(pie.legend.button("m"), LEFT)
    shares = {p.key: pie.area.share(p) for p in pie.area.shown()}
    assert shares == {"c": pytest.approx(0.6), "o": pytest.approx(0.4)}


def test_a_given_total_is_the_whole(pie: PieChart) -> None:
    pie.set_pieces([Piece("m", "MatMul", 50)], total=200)
    assert pie.entries()[0].value == "25.0 %"


def test_a_click_tells_the_piece(qtbot: QtBot, pie: PieChart) -> None:
    with qtbot.waitSignal(pie.clicked) as told:
        qtbot.mouseClick(pie.area, LEFT, pos=at(pie, 200))
    assert told.args == ["c"]


def test_arrows_go_round_and_enter_chooses(qtbot: QtBot, pie: PieChart) -> None:
    qtbot.keyClick(pie.area, Qt.Key.Key_Right)
    qtbot.keyClick(pie.area, Qt.Key.Key_Left)
    assert pie.area.current == "o"
    with qtbot.waitSignal(pie.clicked) as told:
        qtbot.keyClick(pie.area, Qt.Key.Key_Return)
    assert told.args == ["o"]


def test_summary_and_numbers(pie: PieChart) -> None:
    assert pie.summary() == "Share by type: MatMul 50.0 %, Cast 30.0 %, Others 20.0 %"
    assert pie.numbers()[0].to_pydict() == {
        "name": ["MatMul", "Cast", "Others"], "value": [50, 30, 20], "share": [0.5, 0.3, 0.2]
    }  # fmt: skip


def test_one_piece_alone_is_a_whole_ring(pie: PieChart) -> None:
    pie.set_pieces([Piece("m", "MatMul", 5), Piece("z", "Zero", 0)])
    assert [(p.key, length) for p, _, length in pie.area.angles()] == [("m", 360)]
    assert not pie.area.grab().isNull()


def test_a_narrow_legend_cuts_names_and_never_values(qtbot):
    from PySide6.QtGui import QColor

    from insight_desktop.views.common.chart_legend import Entry, Legend

    legend = Legend(standing=True)
    qtbot.addWidget(legend)
    legend.resize(140, 80)
    legend.show_entries([Entry("a", "AI_VECTOR_CORE_OF_A_LONG_NAME", QColor("red"), value="65.4 %")])
    legend.show()
    qtbot.waitExposed(legend)
    assert legend.button("a").width() <= legend.viewport().width()
