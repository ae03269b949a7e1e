"""Mouse and keys on the chart of the basic capture: 1 px is 1,000 ns, rows as in tests.support.timeline_page."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.state import TimeRange
from insight_desktop.views.timeline.viewport import View

ALT, CTRL, SHIFT = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


@pytest.fixture
def chart(page: TimelinePage) -> QWidget:
    return page.body.canvas


def view(page: TimelinePage) -> View:
    return page.state.viewport.view


# ---- keys ------------------------------------------------------------------------------------------------------------


@pytest.mark.row("system-timeline", 32)
def test_w_zooms_in_around_the_mouse_and_s_out_again(page: TimelinePage, chart: QWidget) -> None:
    tp.move(chart, 250, 50)
    page.body.canvas.gestures.inside = True
    tp.key(chart, Qt.Key.Key_W)
    assert view(page).span_ns == pytest.approx(889_996.4400142399)  # 1,000,000 / 1.1236
    assert view(page).x_of(250_000, 1000) == pytest.approx(250.0)
    tp.key(chart, Qt.Key.Key_S)
    assert view(page).span_ns == pytest.approx(1_000_000.0)


@pytest.mark.row("system-timeline", 33)
def test_a_and_d_and_the_arrows_pan_five_percent(page: TimelinePage, chart: QWidget) -> None:
    page.state.viewport.show(400_000, 500_000)
    for code, left in (
        (Qt.Key.Key_D, 405_000),
        (Qt.Key.Key_Right, 410_000),
        (Qt.Key.Key_A, 405_000),
        (Qt.Key.Key_Left, 400_000),
    ):
        tp.key(chart, code)
        assert view(page).left_ns == left


@pytest.mark.row("system-timeline", 33)
def test_up_and_down_scroll_the_lanes_by_20_pixels(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [tp.at(i, i + 10, "x", {**tp.HOST, "tid": i, "thread": f"T{i}"}) for i in range(100)]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    chart = page.body.canvas
    tp.key(chart, Qt.Key.Key_Down)
    tp.key(chart, Qt.Key.Key_Down)
    assert page.body.area.scroll == 40
    tp.key(chart, Qt.Key.Key_Up)
    assert page.body.area.scroll == 20


@pytest.mark.row("system-timeline", 33)
def test_a_held_key_goes_on(page: TimelinePage, chart: QWidget, qtbot: QtBot) -> None:
    page.state.viewport.show(0, 1_000)
    qtbot.keyPress(chart, Qt.Key.Key_D)
    qtbot.waitUntil(lambda: view(page).left_ns > 100)  # more than two steps of 50
    qtbot.keyRelease(chart, Qt.Key.Key_D)
    held = view(page).left_ns
    qtbot.wait(60)
    assert view(page).left_ns == held


@pytest.mark.row("system-timeline", 37)
def test_backspace_goes_back_and_ctrl_0_shows_everything(page: TimelinePage, chart: QWidget) -> None:
    for steps in (1, 2, 3):
        page.state.viewport.zoom(steps, 0.5)
        page.state.viewport.settle()
    tp.key(chart, Qt.Key.Key_Backspace)
    tp.key(chart, Qt.Key.Key_Backspace)
    assert view(page).span_ns == pytest.approx(1_000_000 / 1.1236)
    tp.key(chart, Qt.Key.Key_0, CTRL)
    assert view(page) == View(0, 0.0, 1_000_000.0)
    assert not page.undo_button.isEnabled()


@pytest.mark.row("system-timeline", 38)
def test_shift_backspace_redoes(page: TimelinePage, chart: QWidget) -> None:
    page.state.viewport.show(100, 200)
    tp.key(chart, Qt.Key.Key_Backspace)
    tp.key(chart, Qt.Key.Key_Backspace, SHIFT)
    assert view(page) == View(100, 0.0, 100.0)


@pytest.mark.row("system-timeline", 40)
def test_shift_z_shows_the_range_and_f_the_slice(page: TimelinePage, chart: QWidget) -> None:
    tp.drag(chart, [(200, tp.Y["inner"]), (300, tp.Y["inner"]), (450, tp.Y["inner"])])
    tp.key(chart, Qt.Key.Key_Z, SHIFT)
    assert view(page) == View(200_000, 0.0, 250_000.0)
    page.state.viewport.reset()
    tp.click(chart, 300, tp.Y["Stream 2"])
    tp.key(chart, Qt.Key.Key_F)
    assert view(page) == View(200_000, 0.0, 200_000.0)


@pytest.mark.row("system-timeline", 40)
def test_fit_to_screen_of_a_slice_without_length_centres_it(page: TimelinePage, chart: QWidget) -> None:
    tp.click(chart, 250, tp.Y["zero"])
    page.state.viewport.show(200_000, 300_000)
    page.state.viewport.pan(0.2)
    page.body.verbs.fit()
    assert view(page) == View(200_000, 0.0, 100_000.0)


def test_dot_and_comma_step_through_the_depth_row(page: TimelinePage, chart: QWidget) -> None:
    tp.click(chart, 150, tp.Y["inner"])
    assert page.state.selected is not None
    assert page.state.selected.id == 1
    for code, expected in ((Qt.Key.Key_Period, 2), (Qt.Key.Key_Period, 2), (Qt.Key.Key_Comma, 1)):
        tp.key(chart, code)
        assert page.state.selected.id == expected


def test_escape_drops_slice_and_range(page: TimelinePage, chart: QWidget) -> None:
    tp.click(chart, 150, tp.Y["inner"])
    tp.key(chart, Qt.Key.Key_R)
    found = page.state.range
    assert found is not None
    assert (found.start_ns, found.end_ns) == (100_000, 300_000)
    tp.key(chart, Qt.Key.Key_Escape)
    assert (page.state.selected, page.state.range) == (None, None)


# ---- wheel -----------------------------------------------------------------------------------------------------------


@pytest.mark.row("system-timeline", 34)
def test_ctrl_wheel_zooms_around_the_mouse(page: TimelinePage, chart: QWidget) -> None:
    tp.wheel(chart, 750, 50, 120, CTRL)
    assert view(page).span_ns == pytest.approx(889_996.4400142399)
    assert view(page).x_of(750_000, 1000) == pytest.approx(750.0)


@pytest.mark.row("system-timeline", 34)
def test_shift_wheel_pans_five_percent_per_notch(page: TimelinePage, chart: QWidget) -> None:
    page.state.viewport.show(400_000, 500_000)
    tp.wheel(chart, 500, 50, -120, SHIFT)
    assert view(page).left_ns == 405_000


@pytest.mark.row("system-timeline", 34)
def test_the_wheel_alone_scrolls_the_lanes(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [tp.at(i, i + 10, "x", {**tp.HOST, "tid": i, "thread": f"T{i}"}) for i in range(100)]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    before = page.state.viewport.view
    tp.wheel(page.body.canvas, 500, 100, -120)
    assert page.body.area.scroll == 60
    assert page.state.viewport.view == before


# ---- drags -----------------------------------------------------------------------------------------------------------


@pytest.mark.row("system-timeline", 35)
def test_ctrl_drag_pans_and_selects_nothing(page: TimelinePage, chart: QWidget) -> None:
    page.state.viewport.show(400_000, 500_000)
    tp.drag(chart, [(500, 50), (450, 50), (400, 50)], CTRL)
    assert view(page).left_ns == 410_000
    assert page.state.range is None


@pytest.mark.row("system-timeline", 36)
def test_alt_drag_zooms_into_the_box(page: TimelinePage, chart: QWidget) -> None:
    tp.drag(chart, [(600, 50), (300, 90)], ALT)
    assert view(page) == View(300_000, 0.0, 300_000.0)
    tp.key(chart, Qt.Key.Key_Backspace)
    assert view(page) == View(0, 0.0, 1_000_000.0)


@pytest.mark.row("system-timeline", 39)
def test_a_drag_selects_time_and_lanes(page: TimelinePage, chart: QWidget) -> None:
    tp.drag(chart, [(100, tp.Y["inner"]), (200, tp.Y["inner"]), (400, tp.Y["Stream 2"])])
    found = page.state.range
    assert found is not None
    assert (found.start_ns, found.end_ns, found.card) == (100_000, 400_000, "0")
    assert [page.state.unit(k).title for k in found.keys] == ["Thread 11", "Thread 12", "Stream 2"]  # type: ignore[union-attr]
    assert page.state.lanes == list(found.keys)


@pytest.mark.row("system-timeline", 39)
def test_lanes_of_another_card_are_left_out(qtbot: QtBot, tmp_path: Path) -> None:
    for name in ("0", "1"):
        plain_build.build(tmp_path / name, slices=tp.basic())
    page = tp.make(qtbot, [tp.card(tmp_path / "0"), tp.card(tmp_path / "1", "1")])
    page.state.set_open([page.state.cards["1"].unit], True)
    tp.drag(page.body.canvas, [(100, tp.Y["Stream 2"]), (300, 200), (400, 280)])
    found = page.state.range
    assert found is not None
    assert found.card == "0"
    assert [page.state.unit(k).title for k in found.keys] == ["Stream 2"]  # type: ignore[union-attr]


@pytest.mark.row("system-timeline", 39)
def test_the_edges_of_a_range_can_be_dragged(page: TimelinePage, chart: QWidget) -> None:
    tp.drag(chart, [(100, tp.Y["inner"]), (200, tp.Y["inner"]), (400, tp.Y["inner"])])
    tp.drag(chart, [(401, 120), (500, 120), (600, 120)])
    assert page.state.range is not None
    assert (page.state.range.start_ns, page.state.range.end_ns) == (100_000, 600_000)
    tp.drag(chart, [(100, 120), (50, 120)])
    assert (page.state.range.start_ns, page.state.range.end_ns) == (50_000, 600_000)


@pytest.mark.row("system-timeline", 39)
def test_a_range_ends_at_the_end_of_the_data(page: TimelinePage, chart: QWidget) -> None:
    page.state.viewport.zoom(-20, 0.0)
    tp.drag(chart, [(100, tp.Y["inner"]), (300, tp.Y["inner"]), (990, tp.Y["inner"])])
    assert page.state.range is not None
    assert page.state.range.end_ns == 1_000_000


@pytest.mark.row("system-timeline", 39)
def test_a_press_drops_the_range(page: TimelinePage, chart: QWidget) -> None:
    page.state.set_range(TimeRange(1, 2_000, "0", (tp.unit(page, "Stream 2").key,)))
    tp.click(chart, 700, tp.Y["inner"])
    assert page.state.range is None


def test_a_drag_below_the_chart_scrolls_on(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [tp.at(i, i + 10, "x", {**tp.HOST, "tid": i, "thread": f"T{i}"}) for i in range(100)]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    chart = page.body.canvas
    left = Qt.MouseButton.LeftButton
    tp.send_mouse(chart, tp.QEvent.Type.MouseButtonPress, 100, 60, button=left, held=left)
    tp.move(chart, 300, chart.height() + 40, held=left)
    qtbot.waitUntil(lambda: page.body.area.scroll > 60, timeout=3000)
    tp.send_mouse(chart, tp.QEvent.Type.MouseButtonRelease, 300, chart.height() + 40, button=left)


# ---- clicks ----------------------------------------------------------------------------------------------------------


def test_a_click_selects_the_slice_and_a_click_beside_it_nothing(page: TimelinePage, chart: QWidget) -> None:
    tp.click(chart, 700, tp.Y["Stream 2"])
    assert page.state.selected is not None
    assert (page.state.selected.name, page.state.selected.id) == ("outer", 5)
    assert page.state.lanes == [tp.unit(page, "Stream 2").key]
    tp.click(chart, 500, tp.Y["Stream 2"])
    assert page.state.selected is None


def test_a_slice_is_hit_two_pixels_beside_it(page: TimelinePage, chart: QWidget) -> None:
    tp.click(chart, 402, tp.Y["Stream 2"])
    assert page.state.selected is not None
    tp.click(chart, 406, tp.Y["Stream 2"])
    assert page.state.selected is None


@pytest.mark.row("system-timeline", 25)
def test_a_chevron_can_be_clicked(page: TimelinePage, chart: QWidget) -> None:
    tp.click(chart, 252, tp.Y["zero"])
    assert page.state.selected is not None
    assert (page.state.selected.name, page.state.selected.start_ns) == ("zero", tp.T0 + 250_000)


def test_an_instant_can_be_clicked(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path, instants=[{**tp.S2, "name": "mark", "ts_ns": tp.T0 + 500_000}])
    tp.click(page.body.canvas, 503, tp.Y["Stream 2"])
    assert page.state.selected is not None
    assert (page.state.selected.kind, page.state.selected.name) == ("instant", "mark")


def test_the_selected_slice_is_told_to_screen_readers(page: TimelinePage, chart: QWidget) -> None:
    tp.click(chart, 300, tp.Y["Stream 2"])
    assert chart.accessibleDescription() == "MatMul, 200.000 µs, Stream 2 · Card 0"


# ---- hover -----------------------------------------------------------------------------------------------------------


@pytest.mark.row("system-timeline", 28)
def test_the_cursor_line_crosses_all_lanes_and_its_time_stands_on_the_axis(page: TimelinePage, chart: QWidget) -> None:
    tp.move(chart, 450, tp.Y["Stream 2"])
    assert page.state.hover.time_ns == 450_000
    image = page.body.canvas.render_now()
    ground = image.pixelColor(451, 115)
    assert all(image.pixelColor(450, y) != image.pixelColor(451, y) for y in (30, 94, 115, 136, 300))
    ruler = page.body.ruler.grab().toImage()
    assert ruler.pixelColor(455, 4).name() == "#1f6fd0"
    assert ground.name() == "#16181b"


@pytest.mark.row("system-timeline", 28)
def test_the_tooltip_of_a_slice_says_name_duration_start_and_lane(
    page: TimelinePage, chart: QWidget, qtbot: QtBot
) -> None:
    tp.move(chart, 300, tp.Y["Stream 2"])
    qtbot.waitUntil(page.body.tooltip.isVisible, timeout=2000)
    tip = page.body.tooltip.tip
    assert tip is not None
    assert tip.title == "MatMul"
    assert tip.lines == [("Duration", "200.000 µs"), ("Start", "00:00.000.200.000"), ("Lane", "Stream 2 · Card 0")]
    box, mouse = page.body.tooltip.geometry(), chart.mapTo(page.body, QPoint(300, tp.Y["Stream 2"]))
    assert (box.left() - mouse.x(), box.top() - mouse.y()) == (12, 12)
    tp.move(chart, 500, tp.Y["Stream 2"])
    assert not page.body.tooltip.isVisible()


@pytest.mark.row("system-timeline", 28)
def test_the_tooltip_tells_how_a_slice_compares_with_its_name(page: TimelinePage, chart: QWidget, qtbot: QtBot) -> None:
    tp.move(chart, 150, tp.Y["inner"])  # 200 µs; the other one has 100 µs
    qtbot.waitUntil(page.body.tooltip.isVisible, timeout=2000)
    qtbot.waitUntil(
        lambda: (
            page.body.tooltip.tip is not None and page.body.tooltip.tip.quiet == [("Longer than", "100 % of its name")]
        ),
        timeout=3000,
    )


@pytest.mark.row("system-timeline", 26)
def test_the_tooltip_of_a_counter_gives_each_series_its_value(qtbot: QtBot, tmp_path: Path) -> None:
    counters = [
        {"process": "HBM", "counter": "Bandwidth", "series": s, "ts_ns": tp.T0 + t, "value": v}
        for s, t, v in (("read", 0, 10.0), ("read", 500_000, 20.5), ("write", 0, 7.0))
    ]
    page = tp.basic_page(qtbot, tmp_path, counters=counters)
    row = next(r for r in page.state.rows.rows if r.kind == "counter")
    tp.move(page.body.canvas, 700, row.y + 20)
    qtbot.waitUntil(page.body.tooltip.isVisible, timeout=2000)
    assert page.body.tooltip.tip is not None
    assert page.body.tooltip.tip.lines == [("read", "20.500"), ("write", "7")]
