"""Heat maps: colours, ends, thinned labels, selection, zoom, pooling of cells that share a pixel, speed."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPixmap

from insight_desktop.views.common import heat_colours
from insight_desktop.views.common.heat_area import Window, label_step, pooled
from insight_desktop.views.common.heat_data import Cells
from insight_desktop.views.common.heat_map import HeatMap

SPEC = "system-summary-communication"
NAN = float("nan")

pytestmark = pytest.mark.usefixtures("look")


def matrix(values, **more):
    array = np.array(values, float)
    rows, columns = array.shape
    return Cells(
        array, [str(i) for i in range(rows)], [str(i) for i in range(columns)], "Bandwidth", row_title="Rank",
        column_title="Step", **more,
    )  # fmt: skip


@pytest.fixture
def shown(qtbot):
    def make(cells, size=(600, 400), **more):
        found = HeatMap("Map")
        qtbot.addWidget(found)
        found.resize(*size)
        found.show()
        found.set_cells(cells, **more)
        return found

    return make


@pytest.mark.example(SPEC, "W21")
@pytest.mark.row(SPEC, 17)
@pytest.mark.parametrize(
    ("ratio", "rgb"),
    [(0, (1, 119, 255)), (0.25, (150, 208, 248)), (0.5, (217, 216, 199)), (0.75, (238, 157, 121)), (1, (248, 45, 24))],
)
def test_colours_run_in_three_straight_pieces_rounded_half_up(ratio, rgb):
    assert heat_colours.HOT.at(ratio).getRgb()[:3] == rgb


def test_one_value_alone_has_the_colour_of_alike_ones(shown):
    found = shown(matrix([[278.75, NAN]]))
    assert found.area.colour_of(0, 0) == QColor("#eac299")
    assert found.area.colour_of(0, 1) is None


def test_values_outside_the_range_have_no_colour_unless_clamped(shown):
    found = shown(matrix([[1.0, 2.0, 3.0]]))
    found.set_range(1.5, 3.0)
    assert [found.area.colour_of(0, c) is None for c in range(3)] == [True, False, False]
    clamped = shown(matrix([[1.0, 2.0, 3.0]], clamp=True), ends=(1.5, 3.0))
    assert clamped.area.colour_of(0, 0) == QColor("#0177ff")


def test_low_is_red_with_cold_colours(shown):
    found = shown(matrix([[1.0, 3.0]]), colours=heat_colours.COLD)
    assert [found.area.colour_of(0, c).name() for c in (0, 1)] == ["#f82d18", "#0177ff"]


def test_classes_have_their_own_colours_and_no_bar(shown):
    classes = [("HCCS", QColor("#f82d18")), ("RDMA", QColor("#c7eef5"))]
    found = shown(matrix([[0, 1, NAN]], classes=classes))
    assert [found.area.colour_of(0, c) for c in (0, 1)] == [c for _, c in classes]
    assert found.cells.text_of(0, 1) == "RDMA"
    assert found.bar.isHidden()
    assert [e.text for e in found.entries()] == ["HCCS", "RDMA"]


def test_rows_can_stand_upwards(shown):
    plain, upward = shown(matrix([[1.0], [2.0]])), shown(matrix([[1.0], [2.0]], rows_up=True))
    assert plain.area.cell_box(0, 0).top() < plain.area.cell_box(1, 0).top()
    assert upward.area.cell_box(0, 0).top() > upward.area.cell_box(1, 0).top()
    assert upward.area.cell_at(upward.area.cell_box(1, 0).center()) == (1, 0)


@pytest.mark.parametrize(("cell", "room", "step"), [(20.0, 18.0, 1), (4.0, 18.0, 5), (0.4, 18.0, 50), (0.3, 18.0, 64)])
def test_labels_are_thinned_to_round_steps(cell, room, step):
    assert label_step(cell, room) == step


def test_of_cells_that_share_a_pixel_the_strongest_is_drawn():
    values = np.array([[1.0, 9.0, -7.0, 2.0, NAN, 3.0]])
    assert pooled(values, 3, 10, "high", 0.0).tolist() == [[9.0, 2.0, 3.0]]
    assert pooled(values, 3, 10, "low", 0.0).tolist() == [[1.0, -7.0, 3.0]]
    assert pooled(values, 3, 10, "far", 0.0).tolist() == [[9.0, -7.0, 3.0]]
    assert pooled(values, 6, 10, "high", 0.0) is values


def test_a_click_selects_and_tells_the_cell(shown, qtbot):
    found = shown(matrix(np.arange(12.0).reshape(3, 4)))
    told = []
    found.cell_clicked.connect(lambda r, c: told.append((r, c)))
    found.row_clicked.connect(lambda r: told.append(r))
    at = found.area.cell_box(2, 1).center()
    qtbot.mouseClick(found.area, Qt.MouseButton.LeftButton, pos=at.toPoint())
    qtbot.mouseClick(
        found.area, Qt.MouseButton.LeftButton, pos=QPointF(8, found.area.cell_box(1, 0).center().y()).toPoint()
    )
    assert told == [(2, 1), 1]
    assert found.area.selected == (1, -1)


def test_arrow_keys_move_the_selection(shown, qtbot):
    found = shown(matrix(np.arange(12.0).reshape(3, 4)))
    found.select(1, 1)
    qtbot.keyClick(found.area, Qt.Key.Key_Right)
    qtbot.keyClick(found.area, Qt.Key.Key_Down)
    assert found.area.selected == (2, 2)


def test_zoom_keeps_the_place_and_scroll_bars_follow(shown):
    found = shown(matrix(np.zeros((100, 100))))
    assert (found.across.isVisible(), found.down.isVisible()) == (False, False)
    found.area.zoom(4)
    assert (found.area.window_.columns, found.area.window_.left) == (25.0, 37.5)
    assert found.across.isVisible()
    found.down.setValue(0)
    assert found.area.window_.top == 0.0
    found.area.show_window(Window(1000, -5, 10, 10))
    assert (found.area.window_.left, found.area.window_.top) == (90.0, 0.0)
    found.area.fit()
    assert found.area.is_fitted


def test_selecting_a_row_far_away_brings_it_into_view(shown):
    found = shown(matrix(np.zeros((1000, 3))))
    found.area.zoom(20)
    found.select(990)
    window = found.area.window_
    assert window.top <= 990 <= window.top + window.rows


def test_typed_ranges_are_checked(shown, qtbot):
    found = HeatMap("Map", fields=True, clamp_fields=True)
    qtbot.addWidget(found)
    found.set_cells(matrix([[1.0, 5.0]]))
    told, ranges = [], []
    found.refused.connect(told.append)
    found.range_changed.connect(lambda a, b: ranges.append((a, b)))
    found.fields.low_field.setText("4")
    found.fields.high_field.setText("2")
    found.fields.apply()
    assert told == ["The lower bound is above the upper bound."]
    assert ranges == []
    found.fields.low_field.setText("2")
    found.fields.high_field.setText("900")
    found.fields.apply()
    assert ranges == [(2.0, 5.0)]
    found.fields.low_field.setText("x")
    found.fields.apply()
    assert told[-1] == "The visible range needs two numbers."


def test_numbers_are_one_line_per_cell_with_a_value(shown):
    table, specs = shown(matrix([[1.5, NAN], [NAN, 2.5]])).numbers()
    assert table.to_pylist() == [{"row": "0", "column": "0", "value": 1.5}, {"row": "1", "column": "1", "value": 2.5}]
    assert [s.title for s in specs] == ["Rank", "Step", "Bandwidth"]


@pytest.mark.row(SPEC, 37)
def test_a_thousand_by_a_thousand_cells_are_painted_in_time(shown):
    values = np.random.default_rng(1).random((1024, 1024))
    found = shown(matrix(values), size=(1400, 900))
    found.grab()
    begin = time.thread_time()
    for _ in range(3):
        found.area.renew()
        found.area.render(QPixmap(found.area.size()))
    assert (time.thread_time() - begin) / 3 < 0.2
