from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.engine.timeline.gaps import AxisFold
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline import folding
from insight_desktop.views.timeline.viewport import View

# Two bursts of a device with 800 µs between them.
SLICES = [tp.at(0, 100_000, "a", tp.S2), tp.at(900_000, 1_000_000, "b", tp.S2)]


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    made = tp.basic_page(qtbot, tmp_path, slices=SLICES)
    made.state.folding.toggle()
    qtbot.waitUntil(lambda: made.state.viewport.fold is not None)
    return made


def test_the_axis_is_shorter_by_the_gap_and_its_times_stay_true(page: TimelinePage) -> None:
    viewport = page.state.viewport
    assert (viewport.length_ns, viewport.total_ns, viewport.span_ns) == (200_000, 1_000_000, 200_000)
    view = viewport.view
    assert [view.x_of(t, 1000) for t in (0, 50_000, 100_000, 900_000, 950_000)] == [0, 250, 500, 500, 750]
    assert [view.time_at(x, 1000) for x in (0, 250, 499, 500, 750)] == [0, 50_000, 99_800, 900_000, 950_000]
    assert view.stretches() == [(0, 100_000), (900_000, 1_000_000)]
    ticks = [t for t, _ in page.body.ruler.ticks()]
    assert ticks
    assert not [t for t in ticks if 100_000 < t < 900_000]
    assert max(ticks) == 1_000_000


def test_slices_stand_side_by_side_with_their_labels(page: TimelinePage) -> None:
    canvas = page.body.canvas
    canvas.render_now()
    frame = canvas.maker.frame
    assert frame is not None
    assert sorted((label.text, round(label.x0), round(label.x1)) for label in frame.labels) == [
        ("a", 0, 500),
        ("b", 500, 1000),
    ]
    row = tp.row(page, "Stream 2")
    assert row is not None
    line = frame.array[row.y + 10 - frame.request.y0]
    ground = np.uint32(frame.request.style.ground)
    assert not (line == ground).any()


def test_a_mark_tells_the_length_of_its_gap(page: TimelinePage) -> None:
    assert page.state.folding.gap_at(502, 1000) == (100_000, 900_000)
    assert page.state.folding.gap_at(520, 1000) is None
    assert folding.gap_lines((100_000, 900_000))[0] == ("Duration", "800.000 µs")
    assert folding.gap_lines((100_000, 900_000))[1][1].endswith("100.000")


def test_zoom_undo_and_switching_off_keep_the_times(page: TimelinePage, qtbot: QtBot) -> None:
    viewport = page.state.viewport
    viewport.show(900_000, 950_000)
    assert (viewport.view.left_ns, viewport.view.first_ns, viewport.span_ns) == (100_000, 900_000, 50_000)
    page.body.tap("G")
    assert viewport.fold is None
    assert (viewport.view.left_ns, viewport.span_ns) == (900_000, 50_000)
    viewport.undo()
    assert (viewport.view.left_ns, viewport.span_ns) == (0, 1_000_000)
    del qtbot


def test_a_click_finds_the_slice_that_is_drawn_there(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 750, tp.row(page, "Stream 2").y + 10)  # type: ignore[union-attr]
    assert page.state.selected is not None
    assert page.state.selected.name == "b"


def test_folding_is_remembered(page: TimelinePage, qtbot: QtBot) -> None:
    kept = page.state.as_dict()
    assert kept["fold"] == 10_000
    page.state.folding.set(None)
    assert page.state.viewport.fold is None
    page.state.restore(kept)
    qtbot.waitUntil(lambda: page.state.viewport.fold is not None)
    assert page.state.viewport.length_ns == 200_000


def test_scalar_places_agree_with_those_of_arrays() -> None:
    fold = AxisFold(np.array([10, 100]), np.array([30, 500]), 4)
    times = list(range(0, 600, 3))
    assert [fold.place(t) for t in times] == fold.to_axis(np.array(times)).tolist()
    # 10→30 and 100→500 shrink to 4 each: 16 and 396 are saved.
    assert [fold.place(t) for t in (9, 10, 20, 30, 100, 300, 500)] == [9, 10, 12, 14, 84, 86, 88]
    assert [fold.time(p) for p in (9, 10, 12, 14, 84, 86, 88)] == [9, 10, 20, 30, 100, 300, 500]


def test_only_the_longest_gaps_are_folded() -> None:
    view = View(0, 0.0, 100.0, AxisFold(np.array([10]), np.array([60]), 0))
    assert (view.right_ns, view.last_ns, view.folded()) == (100, 150, [(10, 60)])
