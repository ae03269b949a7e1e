"""A/B of two cards, and the jumps from slice to slice and from step to step."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.compare_panel import ComparePanel
from insight_desktop.views.timeline.state import TimeRange


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    """Card 1 is card 0 with a MatMul that takes 300 µs longer, and without the second inner; steps on both."""
    steps = [tp.at(n * 500_000, n * 500_000 + 500_000, f"ProfilerStep#{n}", tp.T12) for n in range(2)]
    plain_build.build(tmp_path / "c0", slices=[*tp.basic(), *steps])
    other = [s for s in tp.basic() if s["start_ns"] != tp.T0 + 500_000 and s["name"] != "MatMul"]
    plain_build.build(tmp_path / "c1", slices=[*other, tp.at(50_000, 550_000, "MatMul", tp.S2), *steps])
    return tp.make(qtbot, [tp.card(tmp_path / "c0", "0"), tp.card(tmp_path / "c1", "1")])


@pytest.fixture
def panel(qtbot: QtBot, page: TimelinePage) -> ComparePanel:
    page.panel.show_tab("compare")
    found = page.panel.panel("compare")
    assert isinstance(found, ComparePanel)
    qtbot.waitUntil(lambda: found.names.table.num_rows > 0)
    return found


def test_names_stand_by_the_size_of_their_difference(panel: ComparePanel) -> None:
    rows = panel.names.table.select(["name", "base_count", "count", "base_sum_ns", "sum_ns", "delta_ns"]).to_pylist()
    assert [tuple(r.values()) for r in rows[:2]] == [
        ("MatMul", 1, 1, 200_000, 500_000, 300_000),
        ("inner", 2, 1, 300_000, 200_000, -100_000),
    ]
    assert {r["delta_ns"] for r in rows[2:]} == {0}


def test_the_slices_of_a_name_are_matched_and_lead_to_both_cards(
    qtbot: QtBot, page: TimelinePage, panel: ComparePanel
) -> None:
    panel.names.select_row(1)
    qtbot.waitUntil(lambda: panel.slices.table.num_rows == 2)
    rows = panel.slices.table.select(["ordinal", "base_dur_ns", "dur_ns", "delta_ns"]).to_pylist()
    assert [tuple(r.values()) for r in rows] == [(1, 200_000, 200_000, 0), (2, 100_000, None, None)]
    panel.slices.setCurrentIndex(panel.slices.model().index(0, 3))  # the time of B
    panel.slices.row_activated.emit(0)
    assert page.state.selected is not None
    assert (page.state.selected.card, page.state.selected.name) == ("1", "inner")
    panel.slices.setCurrentIndex(panel.slices.model().index(0, 2))  # the time of A
    panel.slices.row_activated.emit(0)
    assert page.state.selected.card == "0"
    panel.slices.setCurrentIndex(panel.slices.model().index(1, 3))  # B has none, so A is shown
    panel.slices.row_activated.emit(1)
    assert (page.state.selected.card, page.state.selected.start_ns) == ("0", tp.T0 + 500_000)


def test_sides_are_swapped_and_the_range_alone_is_compared(
    qtbot: QtBot, page: TimelinePage, panel: ComparePanel
) -> None:
    panel.swap.click()
    qtbot.waitUntil(lambda: panel.names.table["delta_ns"][0].as_py() == -300_000)
    page.state.set_range(TimeRange(0, 100_000, "0", (tp.unit(page, "Stream 2").key,)))
    panel.only_range.setChecked(True)
    # 50 µs of MatMul of card 1 (A now) lie in the range, none of card 0
    qtbot.waitUntil(lambda: panel.names.table["delta_ns"][0].as_py() == -50_000)


def test_one_card_cannot_be_compared(qtbot: QtBot, page: TimelinePage, panel: ComparePanel) -> None:
    panel.choose("0", "0")
    assert panel.names.table.num_rows == 0
    assert panel.note.text() == "Open two cards, and choose one for A and one for B."


def selected(page: TimelinePage) -> tuple[str, int]:
    assert page.state.selected is not None
    return page.state.selected.card, page.state.selected.start_ns - tp.T0


def test_keys_go_to_the_next_of_the_name_and_to_the_other_card(qtbot: QtBot, page: TimelinePage) -> None:
    page.state.select(page.state.slice("0", 1))  # the first inner
    tp.key(page.body, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: selected(page) == ("0", 500_000))
    tp.key(page.body, Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: selected(page) == ("0", 100_000))
    tp.key(page.body, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: selected(page) == ("1", 100_000))
    tp.key(page.body, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: selected(page) == ("0", 100_000))


def test_keys_go_from_step_to_step(qtbot: QtBot, page: TimelinePage) -> None:
    page.state.viewport.show(100_000, 200_000)
    tp.key(page.body, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: (page.state.viewport.view.left_ns, page.state.viewport.span_ns) == (500_000, 500_000))
    with qtbot.waitSignal(page.context.status) as told:
        tp.key(page.body, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert told.args[0] == ["There is no further step."]
    tp.key(page.body, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.state.viewport.view.left_ns == 0)


def test_from_the_whole_data_the_first_or_the_last_step_comes(qtbot: QtBot, page: TimelinePage) -> None:
    view = page.state.viewport
    assert view.span_ns >= view.total_ns
    tp.key(page.body, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: (view.view.left_ns, view.span_ns) == (0, 500_000))
    view.reset()
    tp.key(page.body, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: (view.view.left_ns, view.span_ns) == (500_000, 500_000))


def test_all_of_a_name_are_shown_and_listed(qtbot: QtBot, page: TimelinePage) -> None:
    page.state.select(page.state.slice("0", 1))
    with qtbot.waitSignal(page.search.answer_changed):
        page.commands.run("all_of_name")
    assert page.panel.current() == "find"
    assert page.search.answer is not None
    assert page.search.answer.table.num_rows == 2
    assert selected(page) == ("0", 100_000)
