"""The flame graph of the selection: boxes, figures, zoom, search, copies and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.errors import BadArgument
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.flame_panel import FlamePanel
from insight_desktop.views.timeline.state import TimeRange


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


@pytest.fixture
def panel(qtbot: QtBot, page: TimelinePage) -> FlamePanel:
    """The flame graph of 0 to 1 ms on Thread 11 (outer with two inner) and Stream 2 (MatMul, outer)."""
    keys = (tp.unit(page, "Thread 11").key, tp.unit(page, "Stream 2").key)
    page.state.set_range(TimeRange(0, 1_000_000, "0", keys))
    page.panel.show_tab("flame")
    found = page.panel.panel("flame")
    assert isinstance(found, FlamePanel)
    qtbot.waitUntil(lambda: found.chart.table.num_rows > 0, timeout=60_000)  # the first time it is compiled
    found.chart.setFixedSize(1400, 100)
    return found


def test_equal_stacks_are_one_box_with_sum_self_and_count(panel: FlamePanel) -> None:
    rows = panel.chart.table.select(["name", "depth", "sum_ns", "self_ns", "count"]).to_pylist()
    # outer: 1,000 µs of Thread 11 and 200 µs of Stream 2; its children take 300 µs
    assert [tuple(r.values()) for r in rows] == [
        ("outer", 0, 1_200_000, 900_000, 2),
        ("MatMul", 0, 200_000, 200_000, 1),
        ("inner", 1, 300_000, 300_000, 2),
    ]
    assert panel.title.text() == "00:00.000.000.000 – 00:00.001.000.000 · Card 0 · 2 lanes"
    assert panel.chart.text_of(2) == (
        "inner\nSum 300.000 µs\nSelf 300.000 µs\n2 slices\n21.4 % of all\n25.0 % of outer"
    )


def test_a_click_makes_a_box_as_wide_as_the_picture_and_a_second_click_all(qtbot: QtBot, panel: FlamePanel) -> None:
    # 1,400 px show 1,400 µs: outer up to 1,200, then MatMul; inner below outer up to 300.
    assert [panel.chart.node_at(QPoint(x, y)) for x, y in ((1199, 5), (1201, 5), (299, 25), (301, 25))] == [0, 1, 2, -1]
    qtbot.mouseClick(panel.chart, Qt.MouseButton.LeftButton, pos=QPoint(100, 25))
    assert panel.chart.root == 2
    assert [panel.chart.node_at(QPoint(x, y)) for x, y in ((1390, 5), (1390, 25))] == [0, 2]
    qtbot.mouseClick(panel.chart, Qt.MouseButton.LeftButton, pos=QPoint(700, 25))
    assert panel.chart.root == -1


def test_keys_walk_and_zoom(qtbot: QtBot, panel: FlamePanel) -> None:
    chart = panel.chart
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down):
        qtbot.keyClick(chart, key)
    assert chart.node == 2
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert chart.root == 2
    qtbot.keyClick(chart, Qt.Key.Key_Backspace)
    assert chart.root == 0
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert chart.node == 1


def test_search_and_filter_dim_and_tell_their_share(qtbot: QtBot, page: TimelinePage, panel: FlamePanel) -> None:
    panel.search.setText("INNER")
    assert panel.chart.light is not None
    assert panel.chart.light.tolist() == [False, False, True]
    assert panel.found.text() == "1 boxes, 21.4 % of the time"
    panel.search.setText("e")  # outer holds inner, which does not count twice
    assert panel.found.text() == "2 boxes, 85.7 % of the time"
    panel.search.clear()
    assert panel.chart.light is None
    with qtbot.waitSignal(page.state.filter_changed):
        page.filter_box.set_text("MatMul")
    assert np.flatnonzero(panel.chart.light).tolist() == [1]


def test_the_tree_is_copied_as_folded_stacks_and_written_as_pictures(panel: FlamePanel, tmp_path: Path) -> None:
    page_text = "outer 900000\nMatMul 200000\nouter;inner 300000\n"
    panel.copy()
    assert QGuiApplication.clipboard().text() == page_text
    panel.export(tmp_path / "a.folded")
    assert (tmp_path / "a.folded").read_text() == page_text
    panel.export(tmp_path / "a.png")
    assert QImage(str(tmp_path / "a.png")).width() == 2800
    panel.export(tmp_path / "a.svg")
    assert "MatMul" in (tmp_path / "a.svg").read_text()
    with pytest.raises(BadArgument):
        panel.export(tmp_path / "a.bmp")


def test_the_longest_slice_of_a_box_is_selected(page: TimelinePage, panel: FlamePanel) -> None:
    panel.chart.slice_wanted.emit(2)
    chosen = page.state.selected
    assert chosen is not None
    assert (chosen.id, chosen.end_ns - chosen.start_ns) == (1, 200_000)


def test_without_a_selection_it_says_what_to_do(qtbot: QtBot, page: TimelinePage, panel: FlamePanel) -> None:
    page.state.set_range(None)
    page.state.select_lanes([])
    qtbot.waitUntil(lambda: panel._stack.currentIndex() == 0)
    assert panel._empty.texts()[0] == "Nothing selected"
