from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from insight_desktop.views.timeline.viewport import View, Viewport


@pytest.fixture
def viewport(qtbot: QtBot) -> Viewport:
    made = Viewport()
    made.set_total(1_000_000)
    return made


def test_the_first_view_is_all_of_the_data(viewport: Viewport) -> None:
    assert viewport.view == View(0, 0.0, 1_000_000.0)


@pytest.mark.row("system-timeline", 32)
def test_one_step_in_divides_the_span_and_keeps_the_point(viewport: Viewport) -> None:
    viewport.zoom(1, 0.25)
    assert viewport.span_ns == pytest.approx(889_996.4400142399)  # 1,000,000 / 1.1236
    assert viewport.view.x_of(250_000, 1000) == pytest.approx(250.0)


@pytest.mark.row("system-timeline", 32)
def test_zooming_out_ends_at_2_236_times_the_total(viewport: Viewport) -> None:
    viewport.zoom(-100, 0.5)
    assert viewport.view == View(0, 0.0, 2_236_000.0)


@pytest.mark.row("system-timeline", 32)
def test_zooming_in_ends_at_one_nanosecond(viewport: Viewport) -> None:
    viewport.zoom(1000, 0.5)
    assert viewport.span_ns == 1.0


def test_a_point_behind_the_data_counts_as_their_end(viewport: Viewport) -> None:
    viewport.zoom(-100, 0.0)
    viewport.settle()
    viewport.zoom(3, 0.9)
    # The view is wider than the data until 2,236,000 / 1.1236^7; so it stays at the left edge.
    assert viewport.view.left_ns == 0


@pytest.mark.row("system-timeline", 33)
def test_panning_moves_five_percent_and_stays_inside_the_data(viewport: Viewport) -> None:
    viewport.show(200_000, 300_000)
    viewport.pan(0.05)
    assert (viewport.view.left_ns, viewport.view.span_ns) == (205_000, 100_000.0)
    viewport.pan(-10)
    assert viewport.view.left_ns == 0
    viewport.pan(100)
    assert viewport.view.left_ns == 900_000


@pytest.mark.row("system-timeline", 37)
def test_three_zooms_take_three_undos(viewport: Viewport) -> None:
    views = [viewport.view]
    for _ in range(3):
        viewport.zoom(1, 0.5)
        viewport.settle()
        views.append(viewport.view)
    assert viewport.undo_count == 3
    for expected in (views[2], views[1], views[0]):
        viewport.undo()
        assert viewport.view == expected
    assert viewport.undo_count == 0


@pytest.mark.row("system-timeline", 37)
def test_a_burst_of_steps_is_one_entry(viewport: Viewport) -> None:
    for _ in range(5):
        viewport.zoom(1, 0.5)
    assert viewport.undo_count == 1
    viewport.undo()
    assert viewport.view == View(0, 0.0, 1_000_000.0)


@pytest.mark.row("system-timeline", 37)
def test_movements_further_apart_than_300_ms_are_entries_of_their_own(viewport: Viewport, qtbot: QtBot) -> None:
    viewport.zoom(1, 0.5)
    qtbot.wait(350)
    viewport.zoom(1, 0.5)
    assert viewport.undo_count == 2


@pytest.mark.row("system-timeline", 38)
def test_redo_brings_back_what_undo_took_and_a_new_movement_ends_it(viewport: Viewport) -> None:
    viewport.show(100, 200)
    viewport.undo()
    viewport.redo()
    assert viewport.view == View(100, 0.0, 100.0)
    viewport.undo()
    viewport.show(300, 400)
    assert viewport.redo_count == 0


@pytest.mark.row("system-timeline", 37)
def test_reset_shows_all_and_forgets_the_history(viewport: Viewport) -> None:
    viewport.show(100, 200)
    viewport.reset()
    assert viewport.view == View(0, 0.0, 1_000_000.0)
    assert (viewport.undo_count, viewport.redo_count) == (0, 0)


def test_one_nanosecond_is_exact_on_epoch_stamps(qtbot: QtBot) -> None:
    viewport = Viewport()
    viewport.set_total(1_754_914_573_267_881_032)
    viewport.show(1_754_914_573_267_881_000, 1_754_914_573_267_881_010)
    view = viewport.view
    assert [view.x_of(1_754_914_573_267_881_000 + i, 1000) for i in range(3)] == [0.0, 100.0, 200.0]
    assert view.time_at(199.9, 1000) == 1_754_914_573_267_881_001
    viewport.zoom(1, 0.0)
    assert viewport.view.left_ns == 1_754_914_573_267_881_000
    viewport.pan(0.05)  # 0.445 ns: less than one, so it only shows in the part
    assert viewport.view.left_part == pytest.approx(0.444998, abs=1e-6)


def test_a_jump_shows_nine_lengths_on_both_sides(viewport: Viewport) -> None:
    viewport.jump_to(500_000, 501_000, 1)
    assert (viewport.view.left_ns, viewport.view.span_ns) == (491_000, 19_000.0)


def test_a_jump_to_no_length_does_not_end_at_19_nanoseconds(viewport: Viewport) -> None:
    viewport.jump_to(500_000, 500_000, 100)
    assert (viewport.view.left_ns, viewport.view.span_ns) == (499_050, 1_900.0)


def test_an_empty_stretch_is_centred_with_the_same_span(viewport: Viewport) -> None:
    viewport.show(0, 1000)
    viewport.show(5000, 5000)
    assert (viewport.view.left_ns, viewport.view.span_ns) == (4500, 1000.0)


def test_the_state_comes_back(viewport: Viewport) -> None:
    viewport.zoom(3, 0.3)
    other = Viewport()
    other.set_total(1_000_000)
    other.restore(viewport.state())
    assert other.view == viewport.view
