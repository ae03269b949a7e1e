"""The chart: legend, crosshair, readout, zoom, range, overview, export, summary, keys, three million points."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from insight_desktop.views.common import theme
from insight_desktop.views.common.chart import Axis, Band, Chart, RefLine, Sample, Series
from insight_desktop.views.common.chart_paint import stepped

SPEC = "system-memory-operator-rl"
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


def curves() -> list[Series]:
    x = np.arange(11.0) * 10
    return [
        Series("a", "Allocated", x, x * 2, colour="allocated", unit="MB", decimals=2),
        Series("b", "Reserved", x[2:6], np.full(4, 300.0), "step", unit="MB", decimals=2),
    ]


@pytest.fixture
def chart(qtbot: QtBot) -> Chart:
    found = Chart("Memory", x=Axis("Time (ms)", name="Time"), y=Axis("MB"), brush=True, overview=True)
    qtbot.addWidget(found)
    found.resize(800, 400)
    found.set_series(curves())
    found.show()
    return found


def at(chart: Chart, x: float) -> QPoint:
    frame = chart.plot.frame
    return QPoint(round(frame.x.px(x)), round(frame.plot.center().y()))


def drag(qtbot: QtBot, chart: Chart, low: float, high: float, shift: bool = False) -> None:
    keys = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    qtbot.mousePress(chart.plot, LEFT, keys, at(chart, low))
    move(chart, at(chart, high), LEFT)
    qtbot.mouseRelease(chart.plot, LEFT, keys, at(chart, high))


def move(chart: Chart, to: QPoint, button: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    event = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(to), QPointF(chart.plot.mapToGlobal(to)), Qt.MouseButton.NoButton,
        button, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(chart.plot, event)


# ---- legend ----------------------------------------------------------------------------------------------------------


def test_a_click_on_the_legend_hides_and_colours_stay(qtbot: QtBot, chart: Chart) -> None:
    before = chart.plot.colours()
    qtbot.mouseClick(chart.legend.button("a"), LEFT)
    assert (chart.hidden, [s.key for s in chart.plot.frame.shown]) == (frozenset({"a"}), ["b"])
    assert chart.plot.colours() == before
    qtbot.mouseClick(chart.legend.button("a"), LEFT)
    assert chart.hidden == frozenset()


def test_alt_click_leaves_one_and_once_more_all(qtbot: QtBot, chart: Chart) -> None:
    alt = Qt.KeyboardModifier.AltModifier
    qtbot.mouseClick(chart.legend.button("b"), LEFT, alt)
    assert chart.hidden == frozenset({"a"})
    qtbot.mouseClick(chart.legend.button("b"), LEFT, alt)
    assert chart.hidden == frozenset()


def test_baselines_stand_on_a_second_line_and_are_dashed(chart: Chart) -> None:
    chart.set_series([*curves(), Series("c", "Baseline", np.arange(3.0), np.arange(3.0), dashed=True, row=1)])
    assert [(e.row, e.dashed) for e in chart.entries()] == [(0, False), (0, False), (1, True)]
    assert chart.legend.height() == 44


# ---- crosshair and readout -------------------------------------------------------------------------------------------


def readout(chart: Chart) -> list[tuple[str, str]]:
    return [(line.name, line.value) for line in chart.plot.readout()]


def test_the_readout_tells_the_place_and_every_visible_series(chart: Chart) -> None:
    move(chart, at(chart, 31))
    assert readout(chart) == [("Time", "30"), ("Allocated", "60.00 MB"), ("Reserved", "300.00 MB")]


def test_a_curve_that_has_not_begun_or_has_ended_says_nothing(chart: Chart) -> None:
    move(chart, at(chart, 10))
    assert readout(chart) == [("Time", "10"), ("Allocated", "20.00 MB")]
    move(chart, at(chart, 90))
    assert readout(chart) == [("Time", "90"), ("Allocated", "180.00 MB")]


def test_hidden_series_are_not_told(chart: Chart) -> None:
    chart.set_hidden(frozenset({"a"}))
    move(chart, at(chart, 30))
    assert readout(chart) == [("Time", "30"), ("Reserved", "300.00 MB")]


def test_arrows_move_the_crosshair_from_point_to_point(qtbot: QtBot, chart: Chart) -> None:
    for key, place in ((Qt.Key.Key_Right, 0), (Qt.Key.Key_Right, 10), (Qt.Key.Key_Left, 0), (Qt.Key.Key_End, 100)):
        qtbot.keyClick(chart.plot, key)
        assert chart.plot.cursor_x == place


def test_leaving_takes_the_crosshair_away(chart: Chart) -> None:
    move(chart, at(chart, 30))
    QApplication.sendEvent(chart.plot, QEvent(QEvent.Type.Leave))
    assert chart.plot.cursor_x is None


# ---- zoom and range --------------------------------------------------------------------------------------------------


@pytest.mark.row(SPEC, 14)
def test_a_drag_zooms_and_chooses_the_range(qtbot: QtBot, chart: Chart) -> None:
    with qtbot.waitSignal(chart.range_changed) as told:
        drag(qtbot, chart, 20, 60)
    assert told.args is not None
    assert told.args[0] == pytest.approx((20, 60), abs=0.2)
    assert chart.view == pytest.approx((20, 60), abs=0.2)
    assert chart.restore_button.isEnabled()


def test_a_drag_with_shift_chooses_without_zooming(qtbot: QtBot, chart: Chart) -> None:
    drag(qtbot, chart, 20, 60, shift=True)
    assert (chart.view, chart.chosen) == (None, pytest.approx((20, 60), abs=0.2))


def test_handles_move_the_ends_of_the_range(qtbot: QtBot, chart: Chart) -> None:
    chart.choose(20, 60)
    drag(qtbot, chart, 60, 80)
    assert (chart.view, chart.chosen) == (None, pytest.approx((20, 80), abs=0.2))


@pytest.mark.row(SPEC, 15)
@pytest.mark.parametrize("way", ["button", "right", "double", "key"])
def test_everything_comes_back_by_button_right_click_double_click_and_key(qtbot: QtBot, chart: Chart, way: str) -> None:
    drag(qtbot, chart, 20, 60)
    if way == "button":
        qtbot.mouseClick(chart.restore_button, LEFT)
    elif way == "right":
        qtbot.mouseClick(chart.plot, RIGHT, pos=at(chart, 40))
    elif way == "double":
        qtbot.mouseDClick(chart.plot, LEFT, pos=at(chart, 40))
    else:
        qtbot.keyClick(chart.plot, Qt.Key.Key_Backspace)
    assert (chart.view, chart.chosen) == (None, None)
    assert not chart.restore_button.isEnabled()


@pytest.mark.row(SPEC, 15)
def test_a_locked_chart_ignores_drags_until_it_is_unlocked(qtbot: QtBot, chart: Chart) -> None:
    qtbot.mouseClick(chart.zoom_button, LEFT)
    drag(qtbot, chart, 20, 60)
    assert (chart.locked, chart.view, chart.chosen) == (True, None, None)
    qtbot.mouseClick(chart.plot, RIGHT, pos=at(chart, 40))
    assert (chart.locked, chart.zoom_button.isChecked()) == (False, True)


def test_a_click_is_no_drag(qtbot: QtBot, chart: Chart) -> None:
    qtbot.mouseClick(chart.plot, LEFT, pos=at(chart, 40))
    assert (chart.view, chart.chosen) == (None, None)


def test_keys_zoom_and_pan(qtbot: QtBot, chart: Chart) -> None:
    qtbot.keyClick(chart.plot, Qt.Key.Key_W)
    assert chart.view == (25, 75)
    qtbot.keyClick(chart.plot, Qt.Key.Key_D)
    assert chart.view == (37.5, 87.5)
    qtbot.keyClick(chart.plot, Qt.Key.Key_S)
    assert chart.view is not None
    assert chart.view[1] == 100


def test_the_view_stays_inside_the_data(chart: Chart) -> None:
    chart.zoom_to(-50, 30)
    assert chart.view == (0, 30)


def test_the_frame_of_the_overview_moves_view_and_range_together(qtbot: QtBot, chart: Chart) -> None:
    drag(qtbot, chart, 20, 60)
    strip = chart.overview
    assert strip is not None
    middle = round(strip.scale.px(40))
    qtbot.mousePress(strip, LEFT, pos=QPoint(middle, 15))
    qtbot.mouseMove(strip, QPoint(round(strip.scale.px(60)), 15))
    qtbot.mouseRelease(strip, LEFT, pos=QPoint(round(strip.scale.px(60)), 15))
    assert chart.view == pytest.approx((40, 80), abs=0.5)
    assert chart.chosen == chart.view


# ---- what is drawn ---------------------------------------------------------------------------------------------------


@pytest.mark.row(SPEC, 13)
def test_the_note_tells_whether_everything_is_drawn_and_dots_come_with_few_points(chart: Chart) -> None:
    assert (chart.note.text(), chart.plot.frame.dots) == ("15 samples, all drawn", True)
    x = np.arange(5000.0)
    chart.set_series([Series("a", "A", x, np.sin(x))])
    assert (chart.note.text(), chart.plot.frame.dots) == ("peaks of 5,000 samples", False)
    chart.zoom_to(100, 400)
    assert (chart.note.text(), chart.plot.frame.dots) == ("303 samples, all drawn", True)


@pytest.mark.row(SPEC, 13)
def test_a_sampler_is_asked_on_every_zoom_and_only_the_newest_answer_counts(chart: Chart) -> None:
    asked: list[tuple[float, float, Callable[[Sample], None]]] = []
    chart.set_series(curves(), sampler=lambda low, high, _px, answer: asked.append((low, high, answer)))
    chart.zoom_to(20, 60)
    chart.zoom_to(30, 40)
    assert [(low, high) for low, high, _ in asked] == [(0, 100), (20, 60), (30, 40)]
    asked[2][2](Sample(tuple(curves()), 15, 15))
    asked[1][2](Sample((), 7, 3))
    assert chart.plot.shown.points == 15


def test_points_are_emphasised_where_they_are_exactly(chart: Chart) -> None:
    chart.emphasise("a", [30, 41])
    assert chart.plot.emphasised == (("a", 30.0, 60.0),)
    chart.emphasise("a", [])
    assert chart.plot.emphasised == ()


def test_steps_hold_until_the_next_point() -> None:
    x, y = stepped(np.array([0.0, 1.0, 2.0]), np.array([5.0, 6.0, 7.0]))
    assert (x.tolist(), y.tolist()) == ([0, 1, 1, 2, 2], [5, 5, 6, 6, 7])


def test_bands_lines_and_both_themes_are_painted(chart: Chart) -> None:
    chart.set_bands([Band(20, 60, "step 11", "app_reserved")])
    chart.set_lines([RefLine(150, "SLO 150 MB"), RefLine(50, "now", axis="x")])
    pictures = []
    for name in ("dark", "light"):
        theme.set_theme(name, remember=False)  # type: ignore[arg-type]
        pictures.append(chart.plot.grab().toImage())
    theme.set_theme("dark", remember=False)
    assert pictures[0] != pictures[1]


def test_the_name_of_a_band_stands_over_the_curves(chart: Chart) -> None:
    """A curve along the top of the chart must not cross it out: whatever its colour, the name looks the same."""
    x = np.arange(2000.0) / 20
    chart.resize(800, 240)
    chart.set_bands([Band(20, 60, "backward", "app_reserved")])
    pictures = []
    for colour in ("allocated", "active"):
        chart.set_series([Series("a", "A", x, np.where(np.arange(2000) % 2, 300.0, 0.0), colour=colour)])
        pictures.append(chart.plot.grab().toImage())
    frame = chart.plot.frame
    assert frame.y.px(300) < frame.plot.top() + 8
    name = (round(frame.x.px(20)) + 1, round(frame.plot.top()) + 1, 40, 10)
    assert pictures[0].copy(*name) == pictures[1].copy(*name)
    assert pictures[0] != pictures[1]


def test_a_scatter_point_and_a_bar_can_be_clicked(qtbot: QtBot, chart: Chart) -> None:
    chart.set_series([Series("p", "P", np.array([10.0, 90.0, 50.0]), np.array([1.0, 9.0, 5.0]), "scatter")])
    frame = chart.plot.frame
    place = QPoint(round(frame.x.px(90)), round(frame.y.px(9)))
    with qtbot.waitSignal(chart.point_clicked) as told:
        qtbot.mouseClick(chart.plot, LEFT, pos=place)
    assert told.args == ["p", 1]
    chart.set_series([Series("h", "H", np.array([0.0, 10.0]), np.array([3.0, 4.0]), "bars")])
    with qtbot.waitSignal(chart.point_clicked) as told:
        qtbot.mouseClick(chart.plot, LEFT, pos=at(chart, 14))
    assert told.args == ["h", 1]


def test_without_data_words_stand_there(chart: Chart) -> None:
    chart.set_empty("No records", "They come with profile_memory=True.")
    assert chart.is_empty
    assert chart.accessibleName() == "Memory: No records They come with profile_memory=True."
    chart.set_series(curves())
    assert not chart.is_empty


def test_the_summary_is_one_line(chart: Chart) -> None:
    text = "Memory: Time (ms) 0 – 100; Allocated 0.00 – 200.00 MB; Reserved 300.00 – 300.00 MB"
    assert (chart.summary(), chart.accessibleName()) == (text, text)


def test_a_collapsed_chart_is_only_its_head(qtbot: QtBot) -> None:
    found = Chart("Memory", collapsible=True)
    qtbot.addWidget(found)
    qtbot.mouseClick(found.caret, LEFT)
    assert (found.is_collapsed, found.maximumHeight()) == (True, 36)


# ---- state and export ------------------------------------------------------------------------------------------------


def test_state_comes_back(qtbot: QtBot, chart: Chart) -> None:
    chart.zoom_to(10, 50)
    chart.choose(20, 30)
    chart.set_hidden(frozenset({"b"}))
    state = chart.view_state()
    assert state == {"view": [10, 50], "range": [20, 30], "hidden": ["b"], "locked": False}
    other = Chart("Memory", brush=True)
    qtbot.addWidget(other)
    other.set_series(curves())
    other.restore_state(state)
    assert other.view_state() == state


def test_numbers_are_exported_with_one_row_per_place(chart: Chart, tmp_path: Path) -> None:
    chart.zoom_to(10, 30)
    chart.export(tmp_path / "c.csv")
    with (tmp_path / "c.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["Time (ms)", "Allocated (MB)", "Reserved (MB)"],
        ["10", "20", ""],
        ["20", "40", "300"],
        ["30", "60", "300"],
    ]


def test_several_points_at_one_place_take_several_rows(chart: Chart) -> None:
    chart.set_series([Series("a", "A", np.array([1.0, 1.0, 2.0]), np.array([5.0, 6.0, 7.0]))])
    table, _ = chart.numbers()
    assert table.to_pydict() == {"x": [1, 1, 2], "y0": [5, 6, 7]}


def test_pictures_are_exported_as_png_and_svg(qtbot: QtBot, chart: Chart, tmp_path: Path) -> None:
    chart.export(tmp_path / "c.png")
    chart.export(tmp_path / "c.svg")
    image = QImage(str(tmp_path / "c.png"))
    assert (image.width(), image.isNull()) == (2 * chart.picture_size.width(), False)
    text = (tmp_path / "c.svg").read_text(encoding="utf-8")
    assert "Allocated" in text
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c.png", "c.svg"]


def test_an_unknown_kind_of_file_is_refused(qtbot: QtBot, chart: Chart, tmp_path: Path) -> None:
    with qtbot.waitSignal(chart.failed) as told:
        chart.export(tmp_path / "c.bmp")
    assert told.args is not None
    assert told.args[0].fix == "Use .png, .svg or .csv."


def test_numbers_and_picture_go_to_the_clipboard(chart: Chart) -> None:
    chart.zoom_to(90, 100)
    chart.copy_numbers()
    assert QGuiApplication.clipboard().text().splitlines() == [
        "Time (ms)\tAllocated (MB)\tReserved (MB)", "90\t180\t", "100\t200\t"
    ]  # fmt: skip
    chart.copy_image()
    assert not QGuiApplication.clipboard().image().isNull()


@pytest.mark.slow
def test_three_million_points_are_drawn_in_two_seconds_and_zoomed_in_a_fifth(qtbot: QtBot, chart: Chart) -> None:
    count = 3_000_000
    x, y = np.arange(count) * 1e-3, np.sin(np.arange(count) * 1e-4)
    start = time.process_time()
    chart.set_series([Series("a", "A", x, y)])
    qtbot.waitUntil(lambda: chart.plot.shown.points == count, timeout=10_000)
    chart.plot.grab()
    first = time.process_time() - start
    start = time.process_time()
    chart.zoom_to(1000, 1100)
    qtbot.waitUntil(lambda: chart.plot.shown.points < count, timeout=10_000)
    chart.plot.grab()
    zoom = time.process_time() - start
    # The limits are 2 s and 0.2 s, in processor time.
    assert (first < 4, zoom < 0.8) == (True, True)


def test_a_legend_of_two_lines_is_seen_whole(qtbot: QtBot, chart: Chart) -> None:
    assert chart.head.height() == 34
    x = np.arange(3.0)
    chart.set_series([Series(str(row), f"line {row}", x, x, row=row) for row in (0, 1)])
    qtbot.waitUntil(lambda: chart.head.height() > 34)
    assert chart.legend.height() == 44  # two lines of 22
    assert chart.head.rect().contains(chart.legend.geometry())
