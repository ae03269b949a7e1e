from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage

STEP = 100_000
SCALE = 1008  # the strip reaches over the scroll bar


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    lane = {"pid": 3, "process": "Overlap Analysis", "sort": 3, "role": "overlap"}
    slices = [tp.at(i * STEP, (i + 1) * STEP, f"ProfilerStep#{i + 10}", tp.T11) for i in range(10)]
    slices += [tp.at(0, 250_000, "Computing", {**lane, "tid": 0, "thread": "Computing"})]
    slices += [tp.at(500_000, 1_000_000, "Communication", {**lane, "tid": 1, "thread": "Communication"})]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    page.body.minimap.renew(at_once=True)
    return page


@pytest.mark.row("system-timeline", 100)
def test_computing_is_above_and_communication_below(page: TimelinePage) -> None:
    found = page.body.minimap.overview
    assert found is not None
    assert found.lower is not None
    assert [round(float(v), 3) for v in found.upper[[0, 149, 150, 599]]] == [1.0, 1.0, 0.0, 0.0]
    assert [round(float(v), 3) for v in found.lower[[0, 299, 300, 599]]] == [0.0, 0.0, 1.0, 1.0]


@pytest.mark.row("system-timeline", 100)
def test_steps_are_named(page: TimelinePage) -> None:
    found = page.body.minimap.overview
    assert found is not None
    assert found.steps[0] == (0, 100_000, "10")
    assert len(found.steps) == 10
    assert page.body.corner.facts()[0] == "10 steps · 1.000 ms"


@pytest.mark.row("system-timeline", 100)
def test_dragging_the_window_moves_the_view(page: TimelinePage) -> None:
    page.state.viewport.show(200_000, 400_000)
    middle = 300_000 / 1_000_000 * SCALE
    tp.drag(page.body.minimap, [(middle, 20), (middle + 50, 20), (middle + 0.1 * SCALE, 20)])
    view = page.state.viewport.view
    assert view.left_ns == pytest.approx(300_000, abs=1_000)
    assert view.span_ns == 200_000


@pytest.mark.row("system-timeline", 100)
def test_dragging_an_edge_resizes_the_view(page: TimelinePage) -> None:
    page.state.viewport.show(200_000, 400_000)
    tp.drag(page.body.minimap, [(0.4 * SCALE, 20), (0.5 * SCALE, 20), (0.6 * SCALE, 20)])
    view = page.state.viewport.view
    assert view.left_ns == 200_000
    assert view.span_ns == pytest.approx(400_000, abs=1_000)
    tp.drag(page.body.minimap, [(0.2 * SCALE, 20), (0.1 * SCALE, 20)])
    view = page.state.viewport.view
    assert view.left_ns == pytest.approx(100_000, abs=1_000)
    assert view.span_ns == pytest.approx(500_000, abs=2_000)


@pytest.mark.row("system-timeline", 100)
def test_a_click_beside_the_window_centres_the_view_there(page: TimelinePage) -> None:
    page.state.viewport.show(200_000, 400_000)
    tp.click(page.body.minimap, 0.7 * SCALE, 20)
    assert page.state.viewport.view.left_ns == pytest.approx(600_000, abs=1_000)


@pytest.mark.row("system-timeline", 100)
def test_without_overlap_lanes_and_streams_all_lanes_are_summed_up(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(
        qtbot, tmp_path, slices=[tp.at(0, 500_000, "a", tp.T11), tp.at(900_000, 1_000_000, "b", tp.T12)]
    )
    page.body.minimap.renew(at_once=True)
    found = page.body.minimap.overview
    assert found is not None
    assert found.lower is None
    assert [float(v) for v in found.upper[[0, 299, 300, 539, 540]]] == [1.0, 1.0, 0.0, 0.0, 1.0]
