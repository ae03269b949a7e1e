"""The search bar: match modes, places, ends, messages, and what it tells others."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.support.waiting import settle

from insight_desktop.engine.store import Store
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.timeline.search_bar import SearchBar
from insight_desktop.views.timeline.search_results import Question, answer


@pytest.fixture
def bar(qtbot: QtBot, two_cards: Store) -> SearchBar:
    context = Context(two_cards)
    context.card = "Card 1"
    found = SearchBar(context)
    qtbot.addWidget(found)
    found.resize(1000, 38)
    found.show()
    return found


def _search(qtbot: QtBot, bar: SearchBar, text: str, **options: Any) -> list[str]:
    with qtbot.waitSignal(bar.answer_changed):
        bar.search(text, **options)
    return [] if bar.answer is None else bar.answer.table.column("name").to_pylist()


@pytest.mark.row("system-timeline", 90)
@pytest.mark.parametrize(
    ("text", "options", "names"),
    [
        ("ADD", {}, ["aten::add", "aten::add_", "AddN", "xadd"]),
        ("Add", {"case": True}, ["AddN"]),
        ("ATEN::ADD", {"match": "name"}, ["aten::add"]),
        ("ATEN::ADD", {"match": "name", "case": True}, []),
        ("add", {"match": "word"}, ["aten::add"]),
        ("^a.*d_?$", {"match": "regex"}, ["aten::add", "aten::add_"]),
        ("^A", {"match": "regex", "case": True}, ["AddN"]),
        ("%_", {}, ["100%_done"]),
        ("_", {}, ["aten::add_", "100%_done"]),
        ("a%d", {}, []),
        ("  xadd  ", {}, ["xadd"]),
    ],
)
def test_match_modes_and_literal_wildcards(
    qtbot: QtBot, bar: SearchBar, text: str, options: dict[str, Any], names: list[str]
) -> None:
    assert _search(qtbot, bar, text, card="Card 0", **options) == names


@pytest.mark.row("system-timeline", 90)
def test_the_current_card_comes_first_and_all_last(bar: SearchBar) -> None:
    assert [bar.cards.itemText(i) for i in range(bar.cards.count())] == ["Card 1", "Card 0", "ALL"]
    assert bar.cards.currentText() == "Card 1"


def test_cards_that_come_later_do_not_select_all(qtbot: QtBot, two_cards: Store) -> None:
    context = Context(Store())
    bar = SearchBar(context)
    qtbot.addWidget(bar)
    assert bar.cards.currentText() == "ALL"
    for card in two_cards.cards:
        context.store.put(card)
    context.store_changed.emit()
    assert bar.cards.currentText() == "Card 0"
    bar.cards.setCurrentIndex(2)
    bar.cards.activated.emit(2)
    context.store_changed.emit()
    assert bar.cards.currentText() == "ALL"


@pytest.mark.row("system-timeline", 90)
def test_hits_of_all_cards_are_in_the_order_of_the_axis(two_cards: Store) -> None:
    two_cards.card("Card 1").offset_ns = -10
    found = answer(two_cards, question=Question("aten")).table
    assert found.select(["card", "name", "start_ns"]).to_pylist() == [
        {"card": "Card 0", "name": "aten::add", "start_ns": 0},
        {"card": "Card 0", "name": "aten::add_", "start_ns": 1_000_000},
        {"card": "Card 1", "name": "aten::add", "start_ns": 1_000_010},
    ]
    assert found.column("lane").to_pylist() == ["Thread 7"] * 3


@pytest.mark.row("system-timeline", 90)
def test_enter_goes_to_the_first_hit_and_on_without_wrapping(qtbot: QtBot, bar: SearchBar) -> None:
    jumps: list[Jump] = []
    bar.hit_selected.connect(jumps.append)
    bar.cards.setCurrentIndex(bar.cards.findData("Card 0"))
    qtbot.keyClicks(bar.field, "add")
    with qtbot.waitSignal(bar.answer_changed):
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert (bar.place.text(), bar.total.text()) == ("1", "/ 4")
    assert (bar.previous.isEnabled(), bar.next.isEnabled()) == (False, True)
    for _ in range(5):
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.place.text() == "4"
    assert (bar.previous.isEnabled(), bar.next.isEnabled()) == (True, False)
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.place.text() == "3"
    assert [j.slice_id for j in jumps] == [0, 1, 2, 4, 2]
    assert jumps[-1] == Jump("Card 0", slice_id=2, start_ns=2_000_000, end_ns=2_500_000, track=0)


@pytest.mark.row("system-timeline", 90)
def test_the_number_can_be_typed(qtbot: QtBot, bar: SearchBar) -> None:
    _search(qtbot, bar, "add", card="Card 0")
    bar.place.setText("3")
    qtbot.keyClick(bar.place, Qt.Key.Key_Return)
    assert bar.at == 2
    bar.place.setText("9")
    qtbot.keyClick(bar.place, Qt.Key.Key_Return)
    assert (bar.at, bar.place.text()) == (2, "3")


@pytest.mark.row("system-timeline", 90)
def test_typing_dims_after_a_moment_without_jumping(qtbot: QtBot, bar: SearchBar) -> None:
    jumps: list[Jump] = []
    bar.hit_selected.connect(jumps.append)
    with qtbot.waitSignal(bar.matches_changed) as told:
        qtbot.keyClicks(bar.field, "xadd")
    assert {card: len(ids) for card, ids in told.args[0].items()} == {"Card 0": 1, "Card 1": 0}
    assert jumps == []
    with qtbot.waitSignal(bar.matches_changed) as told:
        bar.clear()
    assert told.args[0] is None
    assert bar.field.text() == ""


@pytest.mark.row("system-timeline", 90)
def test_nothing_found_and_wrong_expressions_are_said_in_place(qtbot: QtBot, bar: SearchBar) -> None:
    assert _search(qtbot, bar, "no such name") == []
    assert bar.note.text() == "Nothing found"
    assert not bar.next.isEnabled()
    assert _search(qtbot, bar, "(", match="regex") == []
    assert "cannot be read" in bar.note.text()
    assert bar.field.property("state") == "error"
    assert _search(qtbot, bar, "add", card="Card 0") != []
    assert bar.note.text() == ""
    assert bar.field.property("state") == ""


def test_the_text_is_at_most_200_characters(bar: SearchBar) -> None:
    assert bar.field.maxLength() == 200


def test_instants_are_found_behind_the_slices(qtbot: QtBot, bar: SearchBar) -> None:
    jumps: list[Jump] = []
    bar.hit_selected.connect(jumps.append)
    assert _search(qtbot, bar, "marker", card="Card 1") == ["add marker"]
    assert jumps[0].slice_id == 1
    assert jumps[0].start_ns == 4_000_000


def test_the_newest_question_wins(qtbot: QtBot, bar: SearchBar) -> None:
    bar.search("aten", card="Card 0")
    bar.search("xadd", card="Card 0")
    qtbot.waitUntil(lambda: bar.answer is not None)
    settle(qtbot)
    assert bar.answer is not None
    assert bar.answer.question.text == "xadd"


def test_a_search_comes_back_without_a_jump(qtbot: QtBot, bar: SearchBar, two_cards: Store) -> None:
    _search(qtbot, bar, "^A", match="regex", case=True, card="Card 0")
    other = SearchBar(bar.context)
    qtbot.addWidget(other)
    with qtbot.assertNotEmitted(other.hit_selected), qtbot.waitSignal(other.matches_changed) as told:
        other.restore_state({**bar.view_state(), "more": 1})
    assert told.args[0]["Card 0"] == bar.answer.matches["Card 0"] if bar.answer else False
    assert other.view_state() == {"text": "^A", "match": "regex", "case": True}


def test_every_part_has_an_accessible_name(bar: SearchBar) -> None:
    parts = (bar.cards, bar.modes, bar.field, bar.case, bar.place, bar.previous, bar.next, bar.open_in_find)
    assert all(part.accessibleName() for part in parts)
