"""Offsets and alignments of cards and lanes; merged and same-named lanes. Places as in tests.support.timeline_page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline import menu
from insight_desktop.views.timeline.verbs import Verbs


def axis(page: TimelinePage, card: str, slice_id: int) -> tuple[int, int]:
    """Where a slice stands on the axis."""
    found = page.state.slice(card, slice_id)
    assert found is not None
    shift = page.state.shift_of(found)
    return found.start_ns - shift, found.end_ns - shift


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


@pytest.fixture
def three(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    """Three cards: MatMul at 200 µs twice, at 250 µs twice, and one card without it."""
    lanes: list[list[dict[str, Any]]] = [
        [tp.at(200_000, 300_000, "MatMul", tp.S2), tp.at(400_000, 500_000, "MatMul", tp.S2), tp.at(0, 900_000, "step", tp.T11)],
        [tp.at(250_000, 300_000, "MatMul", tp.S2), tp.at(470_000, 500_000, "MatMul", tp.S2), tp.at(10_000, 900_000, "step", tp.T11)],
        [tp.at(0, 10, "Add", tp.S2), tp.at(0, 900_000, "step", tp.T11)],
    ]  # fmt: skip
    for number, slices in enumerate(lanes):
        plain_build.build(tmp_path / f"c{number}", slices=slices)
    return tp.make(qtbot, [tp.card(tmp_path / f"c{n}", str(n)) for n in range(3)])


@pytest.mark.row("system-timeline", 54)
def test_l_makes_starts_equal_and_r_ends_for_the_lane_of_the_slice_only(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 550, tp.Y["inner"])  # inner [500, 600) µs on the host
    page.body.verbs.set_base_slice()
    tp.click(page.body.canvas, 300, tp.Y["Stream 2"])  # MatMul [200, 400) µs on the device
    tp.key(page.body.canvas, Qt.Key.Key_L)
    assert axis(page, "0", 4) == (500_000, 700_000)
    assert axis(page, "0", 1) == (100_000, 300_000)
    tp.key(page.body.canvas, Qt.Key.Key_R)
    assert axis(page, "0", 4) == (400_000, 600_000)
    assert axis(page, "0", 5) == (800_000, 1_000_000)


@pytest.mark.row("system-timeline", 52)
def test_the_offset_of_a_lane_moves_it_to_the_left_and_that_of_the_card_overwrites_it(page: TimelinePage) -> None:
    page.state.set_lane_offset(tp.unit(page, "Ascend Hardware (2)"), 150_000)
    assert axis(page, "0", 4) == (50_000, 250_000)
    assert axis(page, "0", 1) == (100_000, 300_000)
    hit = page.body.canvas.gestures.hit(tp.QPointF(100, tp.Y["Stream 2"]))
    assert hit is not None
    assert hit.selected is not None
    assert hit.selected.name == "MatMul"
    page.state.set_offset("0", 20_000)
    assert axis(page, "0", 4) == (180_000, 380_000)


@pytest.mark.row("system-timeline", 55)
def test_time_alignment_moves_the_kth_of_the_name_and_lists_cards_without_it(three: TimelinePage) -> None:
    said: list[tuple[str, str, str]] = []
    three.context.message.connect(lambda *texts: said.append(texts))
    chosen = three.state.slice("0", _id(three, "0", 1))
    three.state.select(chosen)
    three.body.verbs.alignment.time_align("start")
    assert axis(three, "1", _id(three, "1", 1)) == (400_000, 430_000)
    assert axis(three, "0", _id(three, "0", 1)) == (400_000, 500_000)
    assert said == [
        (
            "warning",
            "1 cards aligned by MatMul, number 2 of its name.",
            "Card 2 has no slice of this name. They stay where they are.",
        )
    ]


def _id(page: TimelinePage, card: str, number: int) -> int:
    """Id of the number-th MatMul of a card."""
    capture = page.state.capture(card)
    assert capture is not None
    names = [capture.text(int(n)) for n in capture.slice_name]
    return [i for i, name in enumerate(names) if name == "MatMul"][number]


@pytest.mark.row("system-timeline", 53)
def test_recover_sets_all_offsets_to_zero_and_clears_the_benchmark(three: TimelinePage) -> None:
    three.state.set_offset("1", 5_000)
    three.state.set_lane_offset(tp.unit(three, "Ascend Hardware (2)"), 7_000)
    three.state.select(three.state.slice("0", _id(three, "0", 0)))
    three.body.verbs.set_base_slice()
    three.body.verbs.alignment.recover()
    assert [card.offset_ns for card in three.context.store.cards] == [0, 0, 0]
    assert three.state.lane_offsets == {}
    assert three.state.modes.lead is None


@pytest.mark.row("system-timeline", 62)
def test_offsets_of_lanes_survive_a_restart(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path)
    page.state.set_lane_offset(tp.unit(page, "Ascend Hardware (2)"), 150_000)
    again = tp.make(qtbot, [tp.card(tmp_path / "c0")])
    again.restore_state(page.view_state())
    assert axis(again, "0", 4) == (50_000, 250_000)


# ---- merged lanes ----------------------------------------------------------------------------------------------------


@pytest.fixture
def streams(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    """Streams 2 and 3: [200, 400) and [300, 500) µs overlap, [600, 800) follows; a host thread."""
    third = {**tp.DEVICE, "tid": 3, "thread": "Stream 3"}
    slices = [
        tp.at(0, 1_000_000, "step", tp.T11),
        tp.at(200_000, 400_000, "MatMul", tp.S2),
        tp.at(600_000, 800_000, "Add", tp.S2),
        tp.at(300_000, 500_000, "Copy", third),
    ]
    return tp.basic_page(qtbot, tmp_path, slices=slices)


@pytest.mark.row("system-timeline", 49)
def test_merged_streams_are_one_lane_with_its_own_depth(streams: TimelinePage) -> None:
    state = streams.state
    state.select_lanes([tp.unit(streams, "Stream 2").key, tp.unit(streams, "Stream 3").key])
    streams.body.verbs.merge()
    made = tp.unit(streams, "Stream Merged (2, 3)")
    row = state.rows.of(made.key)
    assert row is not None
    assert row.height == 40
    copy = streams.body.canvas.gestures.hit(tp.QPointF(450, row.y + 30))
    assert copy is not None
    assert copy.selected is not None
    assert (copy.selected.name, state.depth_of(copy.selected)) == ("Copy", 1)
    streams.go_to(copy.selected)
    assert state.selected == copy.selected
    state.viewport.show_all()
    picture = streams.body.canvas.render_now()
    inside, outside = (picture.pixelColor(round(x), row.y + 30 - streams.body.area.scroll) for x in (450, 990))
    assert inside != outside
    state.unmerge([made])
    assert state.rows.of(tp.unit(streams, "Stream 3").key) is not None


@pytest.mark.row("system-timeline", 49)
def test_only_streams_of_one_card_are_merged(streams: TimelinePage) -> None:
    said: list[str] = []
    streams.context.message.connect(lambda _level, text, _fix: said.append(text))
    streams.state.select_lanes([tp.unit(streams, "Stream 2").key, tp.unit(streams, "Thread 11").key])
    streams.body.verbs.merge()
    assert said == ["Only streams can be merged; Thread 11 is none."]
    assert streams.state.merges.groups == []


@pytest.mark.row("system-timeline", 62)
def test_merged_lanes_survive_a_restart(qtbot: QtBot, tmp_path: Path, streams: TimelinePage) -> None:
    streams.state.merge([tp.unit(streams, "Stream 2"), tp.unit(streams, "Stream 3")])
    again = tp.make(qtbot, [tp.card(tmp_path / "c0")])
    again.restore_state(streams.view_state())
    assert tp.unit(again, "Stream Merged (2, 3)").depth_rows == 2


# ---- pins ------------------------------------------------------------------------------------------------------------


@pytest.mark.row("system-timeline", 48)
def test_lanes_of_the_same_name_are_pinned_on_all_cards_up_to_100(three: TimelinePage, monkeypatch: Any) -> None:
    three.state.select_lanes([tp.unit(three, "Stream 2").key])
    assert "Pin Same-named Lane (Stream 2)" in [a.text() for a in menu.build(three.body.verbs, three).actions()]
    three.body.verbs.pin_same_named(True)
    assert len(three.state.arrangement.pinned) == 3
    three.body.verbs.pin_same_named(False)
    assert three.state.arrangement.pinned == []
    said: list[str] = []
    three.context.message.connect(lambda _level, text, _fix: said.append(text))
    monkeypatch.setattr("insight_desktop.views.timeline.verbs.PIN_LIMIT", 2)
    three.body.verbs.pin_same_named(True)
    assert len(three.state.arrangement.pinned) == 2
    assert said == ["At most 2 lanes can be pinned."]
    assert isinstance(three.body.verbs, Verbs)


# ---- cards that do not overlap ---------------------------------------------------------------------------------------


@pytest.mark.row("system-timeline", 53)
def test_cards_that_do_not_overlap_begin_together_until_recorded_time_is_wanted(qtbot: QtBot, tmp_path: Path) -> None:
    for number, start in enumerate((0, 50_000_000)):
        plain_build.build(tmp_path / f"c{number}", slices=[tp.at(start, start + 1_000_000, "step", tp.T11)])
    cards = [tp.card(tmp_path / f"c{n}", str(n)) for n in range(2)]
    page = tp.make(qtbot, cards)
    assert [axis(page, card, 0) for card in ("0", "1")] == [(0, 1_000_000), (0, 1_000_000)]
    assert page.state.viewport.total_ns == 1_000_000
    page.body.verbs.alignment.recover()
    assert axis(page, "1", 0) == (50_000_000, 51_000_000)
    assert page.state.viewport.view.span_ns == 51_000_000
    again = tp.make(qtbot, cards)
    again.restore_state(page.view_state())
    assert axis(again, "1", 0) == (50_000_000, 51_000_000)
