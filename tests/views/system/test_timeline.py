"""The Timeline page as a whole: jumps, status bar, panels, what comes back after a restart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot
from tests.support import plain_build, plain_trace
from tests.support import timeline_page as tp

from insight_desktop.ingest.report import Progress
from insight_desktop.views.common.context import Jump
from insight_desktop.views.system.timeline import TAB, TimelinePage
from insight_desktop.views.timeline.paint import reading_text
from insight_desktop.views.timeline.viewport import View


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


def test_the_tab_is_called_timeline() -> None:
    assert (TAB.id, TAB.title, TAB.page) == ("system.timeline", "Timeline", TimelinePage)


# ---- jumps -----------------------------------------------------------------------------------------------------------


@pytest.mark.row("system-timeline", 59)
def test_a_jump_opens_what_is_closed_centres_and_selects(page: TimelinePage) -> None:
    page.state.set_open([tp.unit(page, "python3 (1)"), tp.unit(page, "Thread 11")], False)
    page.state.hide([tp.unit(page, "Thread 11")])
    page.context.jump.emit(Jump("0", slice_id=2))  # inner, 500–600 µs
    assert page.state.selected is not None
    assert (page.state.selected.name, page.state.selected.start_ns) == ("inner", tp.T0 + 500_000)
    row = tp.row(page, "Thread 11")
    assert row is not None
    assert row.kind == "lane"
    # [500 − 9 × 100, 500 + 10 × 100] µs, cut to the data
    assert page.state.viewport.view == View(0, 0.0, 1_000_000.0)


@pytest.mark.row("system-timeline", 59)
def test_the_view_of_a_jump_is_nineteen_lengths(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [*tp.basic(), tp.at(850_000, 851_000, "short", tp.S2)]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    page.context.jump.emit(Jump("0", slice_id=6))
    assert page.state.viewport.view == View(841_000, 0.0, 19_000.0)
    page.state.viewport.undo()
    assert page.state.viewport.view == View(0, 0.0, 1_000_000.0)


@pytest.mark.row("system-timeline", 59)
def test_a_jump_scrolls_the_depth_row_into_view(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [tp.at(i * 100, i * 100 + 50, "x", {**tp.HOST, "tid": i, "thread": f"T{i:03}"}) for i in range(200)]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    page.context.jump.emit(Jump("0", slice_id=150))
    row, area = tp.row(page, "T150"), page.body.area
    assert row is not None
    assert area.scroll == row.y - (area.height - 20) // 2


@pytest.mark.row("system-timeline", 59)
def test_a_jump_to_a_slice_without_length_keeps_a_sensible_span(page: TimelinePage) -> None:
    page.context.jump.emit(Jump("0", slice_id=3))
    assert page.state.viewport.span_ns == 1900.0  # nineteen times 1/10,000 of the view


@pytest.mark.row("system-timeline", 59)
def test_a_jump_to_a_stretch_of_time_shows_just_that(page: TimelinePage) -> None:
    page.context.jump.emit(
        Jump("0", start_ns=tp.T0 + 200_000, end_ns=tp.T0 + 300_000, track=tp.unit(page, "Stream 2").track)
    )
    assert page.state.viewport.view == View(200_000, 0.0, 100_000.0)
    assert page.state.lanes == [tp.unit(page, "Stream 2").key]


@pytest.mark.row("system-timeline", 59)
def test_a_jump_that_leads_nowhere_says_so(page: TimelinePage) -> None:
    heard: list[tuple[str, str]] = []
    page.context.message.connect(lambda level, text, fix: heard.append((level, text)))
    page.context.jump.emit(Jump("gone", slice_id=1))
    page.context.jump.emit(Jump("0", slice_id=10_000))
    assert heard == [("warning", "Jump target not found.")] * 2


# ---- status, panels, toolbar -----------------------------------------------------------------------------------------


def test_the_status_bar_tells_about_the_selected_slice(page: TimelinePage, qtbot: QtBot) -> None:
    heard: list[list[str]] = []
    page.context.status.connect(heard.append)
    tp.click(page.body.canvas, 550, tp.Y["inner"])
    expected = [
        "inner",
        "100.000 µs",
        "lane Thread 11 · Card 0",
        "2 of this name, sum 300.000 µs",
        "gap before 200.000 µs",
    ]
    qtbot.waitUntil(lambda: heard[-1:] == [expected], timeout=3000)


def test_the_status_bar_tells_about_the_range(page: TimelinePage, qtbot: QtBot) -> None:
    heard: list[list[str]] = []
    page.context.status.connect(heard.append)
    tp.drag(page.body.canvas, [(300, tp.Y["Stream 2"]), (500, tp.Y["Stream 2"]), (700, tp.Y["Stream 2"])])
    expected = [
        "Range 400.000 µs",
        "1 lane",
        "2 slices",
        "sum 200.000 µs",
        "busy 200.000 µs (50.0 %)",
        "longest gap 200.000 µs",
    ]
    qtbot.waitUntil(lambda: heard[-1:] == [expected], timeout=3000)


def test_the_panel_opens_by_itself_until_it_is_closed_by_hand(page: TimelinePage) -> None:
    page._closed_by_hand = False
    tp.click(page.body.canvas, 300, tp.Y["Stream 2"])
    assert page.panel.is_open()
    page.toggle_panel()
    tp.click(page.body.canvas, 700, tp.Y["Stream 2"])
    assert not page.panel.is_open()


def test_every_button_of_the_toolbar_has_a_name_and_does_something(page: TimelinePage) -> None:
    page.state.viewport.show(100_000, 200_000)
    own = [b for b in vars(page).values() if isinstance(b, QToolButton)]
    assert len(own) == 12
    for button in [*own, page.body.corner.expand, page.body.corner.collapse]:
        assert button.accessibleName()
        assert button.toolTip()
    page.in_button.click()
    assert page.state.viewport.span_ns == pytest.approx(100_000 / 1.1236)
    page.state.viewport.settle()
    page.whole_button.click()
    assert page.state.viewport.view == View(0, 0.0, 1_000_000.0)
    page.undo_button.click()
    assert page.state.viewport.span_ns == pytest.approx(100_000 / 1.1236)
    page.redo_button.click()
    assert page.state.viewport.view == View(0, 0.0, 1_000_000.0)
    assert page.chip.text() == "1.0 ms"


def test_the_buttons_zoom_about_the_middle_of_the_range(page: TimelinePage) -> None:
    tp.drag(page.body.canvas, [(100, tp.Y["inner"]), (200, tp.Y["inner"]), (300, tp.Y["inner"])])
    page.in_button.click()
    assert page.state.viewport.view.x_of(200_000, 1000) == pytest.approx(200.0)


# ---- cards -----------------------------------------------------------------------------------------------------------


def test_the_axis_begins_at_the_earliest_card_and_follows_offsets(qtbot: QtBot, tmp_path: Path) -> None:
    plain_build.build(tmp_path / "0", slices=tp.basic())
    plain_build.build(tmp_path / "1", slices=[tp.at(300_000, 500_000, "late", tp.S2)])
    page = tp.make(qtbot, [tp.card(tmp_path / "0"), tp.card(tmp_path / "1", "1", offset_ns=100_000)])
    page.state.set_open([page.state.cards["1"].unit], True)
    tp.click(page.body.canvas, 250, 200)
    assert page.state.selected is not None
    assert page.state.selected.name == "late"  # drawn 100 µs further left, at 200–400 µs
    tp.click(page.body.canvas, 450, 200)
    assert page.state.selected is None


def test_a_card_that_is_being_read_or_failed_says_so_in_its_row(page: TimelinePage) -> None:
    density = np.array([0, 4, 2, 1])
    page.context.reading["1"] = SimpleNamespace(
        status="reading", progress=Progress(40, 100), preview=SimpleNamespace(density=density, start_ns=0, end_ns=9)
    )
    page.context.reading["2"] = SimpleNamespace(
        status="failed", message="Card 2: trace_view.json is empty.", fix="Copy the file again."
    )
    page.context.reading["3"] = SimpleNamespace(status="waiting")
    page.context.store_changed.emit()
    rows = [r for r in page.state.rows.rows if r.kind == "reading"]
    assert [reading_text(page.context.reading[r.unit.card]) for r in rows if r.unit] == [
        ("Being read · 40 %", False),
        ("Card 2: trace_view.json is empty. Copy the file again.", True),
        ("Waiting to be read", False),
    ]
    image = page.body.canvas.render_now()
    # The first 400 px are read: four pieces of 100 px, nothing in the first one, most in the second.
    shades = [image.pixelColor(x, rows[0].y + 15).lightness() for x in (150, 250, 350)]
    assert shades == sorted(shades, reverse=True)
    assert shades[0] > shades[2]


def test_the_row_of_a_card_gives_way_to_its_lanes_when_it_is_read(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.make(qtbot, [])
    page.context.reading["0"] = SimpleNamespace(status="reading", progress=None)
    page.context.store_changed.emit()
    assert [r.kind for r in page.state.rows.rows] == ["reading"]
    plain_build.build(tmp_path / "c", slices=tp.basic())
    page.context.store.put(tp.card(tmp_path / "c"))
    page.context.reading.clear()
    page.context.store_changed.emit()
    assert len(page.state.rows.rows) == 6
    assert page.state.viewport.view == View(0, 0.0, 1_000_000.0)


@pytest.mark.row("system-timeline", 62)
def test_a_state_waits_for_its_card_to_be_read(page: TimelinePage, qtbot: QtBot, tmp_path: Path) -> None:
    page.state.viewport.show(100_000, 200_000)
    kept = json.loads(json.dumps(page.view_state()))
    again = tp.make(qtbot, [])
    again.context.reading["0"] = SimpleNamespace(status="reading", progress=None)
    again.restore_state(kept)
    assert again.view_state() == kept
    again.context.store.put(tp.card(tmp_path / "c0"))
    again.context.reading.clear()
    again.context.store_changed.emit()
    assert again.state.viewport.view == View(100_000, 0.0, 100_000.0)


@pytest.mark.row("system-timeline", 31)
def test_an_alias_is_shown_and_survives_a_restart(page: TimelinePage, qtbot: QtBot, tmp_path: Path) -> None:
    page.state.set_alias("0", "  good run ")
    kept = json.loads(json.dumps(page.view_state()))
    again = tp.make(qtbot, [tp.card(tmp_path / "c0")])
    again.restore_state(kept)
    assert again.state.alias("0") == "good run"
    assert ("good run", True) in again.body.tree._fact_texts(again.state.cards["0"].unit)


# ---- what is remembered ----------------------------------------------------------------------------------------------


@pytest.mark.row("system-timeline", 61)
@pytest.mark.row("system-timeline", 62)
def test_everything_that_was_arranged_comes_back(page: TimelinePage, qtbot: QtBot, tmp_path: Path) -> None:
    page.state.viewport.show(123_456, 234_567)
    page.state.set_open([tp.unit(page, "Thread 11")], False)
    page.state.hide([tp.unit(page, "Thread 12")])
    page.state.pin([tp.unit(page, "Stream 2")], True)
    page.body.set_tree_width(300)
    page.context.store.set_offset("0", 7)
    page.state.select(page.state.slice("0", 4))
    kept: dict[str, Any] = json.loads(json.dumps(page.view_state()))

    again = tp.make(qtbot, [tp.card(tmp_path / "c0")])
    again.restore_state(kept)
    assert again.state.viewport.view == View(123_456, 0.0, 111_111.0)
    assert [(r.kind, r.count) for r in again.state.rows.rows if r.kind in ("folded", "hidden")] == [
        ("folded", 0),
        ("hidden", 1),
    ]
    assert again.state.arrangement.pinned == [tp.unit(again, "Stream 2").key]
    assert again.body.tree_width == 300
    assert again.context.store.card("0").offset_ns == 7
    assert again.state.selected is not None
    assert again.state.selected.name == "MatMul"


@pytest.mark.row("system-timeline", 62)
def test_a_range_comes_back(page: TimelinePage, qtbot: QtBot, tmp_path: Path) -> None:
    tp.drag(page.body.canvas, [(300, tp.Y["Stream 2"]), (500, tp.Y["Stream 2"]), (700, tp.Y["Stream 2"])])
    kept = json.loads(json.dumps(page.view_state()))
    again = tp.make(qtbot, [tp.card(tmp_path / "c0")])
    again.restore_state(kept)
    assert again.state.range == page.state.range


def test_a_state_of_other_cards_is_passed_over(page: TimelinePage) -> None:
    page.restore_state({"selection": {"card": "x", "kind": "slice", "id": 1, "track": 0}, "range": {"start_ns": 0, "end_ns": 1, "card": "x", "keys": []}, "pinned": ["x/1"], "unknown": 1})  # fmt: skip
    assert (page.state.selected, page.state.range) == (None, None)


def test_removing_a_card_drops_what_was_selected_on_it(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 300, tp.Y["Stream 2"])
    page.context.store.remove("0")
    page.context.store_changed.emit()
    assert page.state.selected is None
    assert page.state.rows.rows == []
    page.body.canvas.render_now()


# ---- real data -------------------------------------------------------------------------------------------------------


def test_a_real_card_is_drawn_to_the_last_slice(qtbot: QtBot, tmp_path: Path, real: Callable[[str], Path]) -> None:
    found = plain_trace.events(real("text_level2/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"))
    slices = plain_trace.slices(found)
    plain_build.build(tmp_path / "c", slices=slices)
    page = tp.make(qtbot, [tp.card(tmp_path / "c")])
    page.body.verbs.open_everything(True)
    first = min(s["start_ns"] for s in slices)
    assert page.state.base_ns == first
    assert page.state.viewport.total_ns == max(s["end_ns"] for s in slices) - first
    capture = page.state.capture("0")
    assert capture is not None
    for slice_id in (0, 1234, len(slices) - 1):
        page.context.jump.emit(Jump("0", slice_id=slice_id))
        page.body.canvas.render_now()
        chosen = page.state.selected
        assert chosen is not None
        view = page.state.viewport.view
        x = view.x_of((chosen.start_ns + chosen.end_ns) // 2 - first, 1000)
        row = page.state.row_of("0", chosen.track)
        assert row is not None
        hit = page.body.canvas.gestures.hit(tp.QPointF(x, row.y - page.body.area.scroll + chosen.lane * 20 + 10))
        assert hit is not None
        assert hit.selected == chosen
