"""A card offset and a lane offset together: everything that shows or takes times agrees with what is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support import timeline_page as tp

from insight_desktop.engine.timeline import gaps
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline import (
    chosen,
    flow_lines,
    minimap,
    search_results,
    slice_facts,
    slice_list_name,
    times,
)
from insight_desktop.views.timeline.flame_panel import FlamePanel
from insight_desktop.views.timeline.range_panel import RangeChoice, range_figures
from insight_desktop.views.timeline.state import TimeRange
from insight_desktop.views.timeline.system_view_parts import timed

CARD, LANE = 50_000, -200_000  # the card goes 50 µs to the left, its device 200 µs to the right of its recorded time


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    # Two cards, so that the base of the axis does not follow the moved one; the links join host and device.
    slices = [*tp.basic(), tp.at(700_000, 750_000, "launch", tp.T12)]
    plain_build.build(tmp_path / "c0", slices=slices, links=[(1, 4, "async_npu"), (6, 5, "async_npu")])
    plain_build.build(tmp_path / "c1", slices=tp.basic())
    made = tp.make(qtbot, [tp.card(tmp_path / f"c{n}", str(n)) for n in range(2)])
    made.state.set_offset("0", CARD)
    made.state.set_lane_offset(unit(made, "Ascend Hardware (2)"), LANE)
    return made


def unit(page: TimelinePage, title: str) -> tp.Unit:
    return next(u for u in page.state.cards["0"].units.values() if u.title == title)


def test_the_store_knows_the_offsets_of_lanes(page: TimelinePage) -> None:
    store = page.context.store
    device = unit(page, "Stream 2").track
    host = unit(page, "Thread 11").track
    assert (store.shift_ns("0", device), store.shift_ns("0", host), store.shift_ns("0")) == (
        tp.T0 + LANE,
        tp.T0 + CARD,
        tp.T0 + CARD,
    )
    page.state.set_offset("0", 70_000)
    assert store.shift_ns("0", device) == tp.T0 + 70_000


def test_search_and_tables_give_the_times_that_are_drawn(page: TimelinePage) -> None:
    store = page.context.store
    # MatMul is recorded at 200 µs and drawn at 400; the first inner is recorded at 100 and drawn at 50.
    found = search_results.answer(store, question=search_results.Question("MatMul", "0")).table
    assert found["start_ns"].to_pylist() == [400_000]
    assert (
        search_results.answer(store, question=search_results.Question("inner", "0")).table["start_ns"][0].as_py()
        == 50_000
    )
    detail = slice_facts.detail(store, card="0", slice_id=page.state.slice("0", found["id"][0].as_py()).id)  # type: ignore[union-attr]
    assert detail["start_ns"] - detail["shift_ns"] == 400_000
    assert timed(store, "0", found.drop_columns("start_ns"))["start_ns"].to_pylist() == [400_000]
    device = unit(page, "Stream 2").track
    assert device is not None
    choice = RangeChoice("0", tp.T0, tp.T0 + 1_000_000, (device,))
    named = slice_list_name.slices_of(store, choice=choice, whole=True, name="MatMul")
    assert named.table["start_ns"].to_pylist() == [400_000]


def test_a_range_means_the_recorded_time_of_its_lanes(page: TimelinePage) -> None:
    state = page.state
    device, host = unit(page, "Stream 2"), unit(page, "Thread 11")
    part = times.part_of(state, TimeRange(400_000, 600_000, "0", (device.key,)))
    assert (part.from_ns - tp.T0, part.to_ns - tp.T0, part.left_out) == (200_000, 400_000, 0)
    both = TimeRange(400_000, 600_000, "0", (host.key, unit(page, "Thread 12").key, device.key))
    part = times.part_of(state, both)
    assert (part.from_ns - tp.T0, part.tracks, part.left_out) == (
        450_000,
        (host.track, unit(page, "Thread 12").track),
        1,
    )
    state.set_range(TimeRange(400_000, 600_000, "0", (device.key,)))
    found = chosen.chosen(state)
    assert found is not None
    assert (found.from_ns, found.to_ns) == (tp.T0 + 200_000, tp.T0 + 400_000)
    choice = page.panel.slices.choice
    assert choice is not None
    assert (choice.start_ns - tp.T0, choice.end_ns - tp.T0) == (450_000, 650_000)  # recorded time of the card


def test_figures_of_a_range_take_every_lane_at_its_own_offset(page: TimelinePage) -> None:
    state = page.state
    keys = tuple(unit(page, title).key for title in ("Thread 11", "Stream 2"))
    told: list[str] = []
    page.context.message.connect(lambda _level, text, _fix: told.append(text))
    # MatMul, recorded at 200–400 µs, is drawn at 400–600; on the host 450–650 µs are meant: outer, and inner from 500 to 600.
    state.set_range(TimeRange(400_000, 600_000, "0", keys))
    choice = page.panel.ranges.choice
    assert choice is not None
    lanes, _ = range_figures(page.context.store, choice=choice, whole=False)
    assert [(r["slices"], r["sum_ns"], r["busy_ns"]) for r in lanes.to_pylist()] == [
        (2, 300_000, 200_000),
        (1, 200_000, 200_000),
        (3, 500_000, 200_000),
    ]
    assert page.panel.ranges.choice == page.panel.slices.choice
    assert told == []


def test_the_overview_shows_moved_lanes_where_they_are(page: TimelinePage) -> None:
    state, total = page.state, page.state.viewport.total_ns
    cards = [(state.cards["0"].capture, page.context.store.shifts_ns("0"))]
    found = minimap.overview(cards, total)  # type: ignore[arg-type]
    busy = [i * total / len(found.upper) for i, value in enumerate(found.upper) if value > 0.5]
    # The streams work at 200–400 and 600–800 µs, drawn 200 µs later.
    assert round(min(busy), -4) == 400_000
    assert round(max(busy), -4) == 1_000_000


def test_links_of_a_category_end_where_their_slices_are_drawn(page: TimelinePage) -> None:
    state = page.state
    page.body.verbs.open_everything(True)
    state.modes.set_flow_categories(["async_npu"])
    wish = page.body.canvas.flows.wish(1000, 500, 1.0)
    assert wish is not None
    places = next(p for p in wish.cards if p.capture is state.capture("0"))
    view = state.viewport.view
    ends = sorted(round(x1) for _, _, x1, _ in flow_lines.curves(wish, places, "async_npu").tolist())
    assert ends == sorted(round(view.x_of(t, 1000)) for t in (400_000, 800_000))
    state.viewport.show(790_000, 810_000)  # only the end of the second link is in the window, at its drawn time
    wish = page.body.canvas.flows.wish(1000, 500, 1.0)
    assert wish is not None
    assert len(flow_lines.curves(wish, places, "async_npu")) == 1


def test_flags_of_a_lane_go_with_it(page: TimelinePage) -> None:
    state = page.state
    state.set_range(TimeRange(400_000, 600_000, "0", (unit(page, "Stream 2").key,)))
    flag = state.flags.create(None)
    assert flag is not None
    assert (flag.start_ns - tp.T0, state.flags.span(flag)) == (200_000, (400_000, 600_000))
    state.set_lane_offset(unit(page, "Ascend Hardware (2)"), 0)
    assert state.flags.span(flag) == (200_000, 400_000)


def test_folded_gaps_and_gaps_between_slices_follow_the_lanes(page: TimelinePage) -> None:
    store = page.context.store
    found = gaps.fold(store, cards=["0"], longer_than_ns=100_000)
    assert [found.from_ns[0] - tp.T0, found.to_ns[0] - tp.T0] == [600_000, 800_000]
    inner = next(i for i in range(7) if page.state.slice("0", i).name == "inner")  # type: ignore[union-attr]
    matmul = next(i for i in range(7) if page.state.slice("0", i).name == "MatMul")  # type: ignore[union-attr]
    # inner is drawn at 50–250, MatMul at 400.
    assert gaps.between(store, first=("0", inner), second=("0", matmul)) == 150_000


def test_depth_rows_of_a_range_hold_for_flame_graph_and_export(page: TimelinePage, qtbot: QtBot) -> None:
    page.state.set_range(TimeRange(0, 900_000, "0", (unit(page, "Thread 11").key,), rows=(1, 1)))
    part = chosen.chosen(page.state)
    assert part is not None
    assert part.rows == (1, 1)
    panel = FlamePanel(page.state)
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitUntil(lambda: panel.chart.table is not None and panel.chart.table.num_rows > 0)
    assert panel.chart.table is not None
    assert panel.chart.table["name"].to_pylist() == ["inner"]
