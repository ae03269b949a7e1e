"""Host Name and Rank ID."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from insight_desktop.engine.store import StoreCard
from insight_desktop.views.common.card_selector import CardSelector, SearchBox, label_of

SPEC = "system-memory-operator-rl"


def card(name: str, rank: str | None, host: str = "", device: int | None = None, alias: str = "") -> StoreCard:
    return StoreCard(name, rank, device, host, "db", Path("x"), alias=alias)


HOSTS = [card("0", "0", "node-a"), card("1", "1", "node-a"), card("8", "8", "node-b")]


@pytest.fixture
def selector(qtbot: QtBot) -> CardSelector:
    found = CardSelector()
    qtbot.addWidget(found)
    found.show()
    return found


def ranks(selector: CardSelector) -> list[str]:
    return [selector.rank_box.itemText(i) for i in range(selector.rank_box.count())]


def test_an_entry_is_the_name_of_the_user_or_the_rank_or_the_device() -> None:
    assert [label_of(c) for c in (card("a", "3"), card("b", None, device=5), card("c", None), card("d", "1", alias="x"))] == [
        "3", "5", "c", "x"
    ]  # fmt: skip


@pytest.mark.row(SPEC, 29)
def test_the_host_select_is_there_only_when_a_card_knows_its_host(selector: CardSelector) -> None:
    selector.set_cards([card("0", "0"), card("1", "1")])
    assert (selector.host_box.isVisible(), ranks(selector)) == (False, ["0", "1"])
    selector.set_cards(HOSTS)
    assert (selector.host_box.isVisible(), ranks(selector)) == (True, ["0", "1"])


@pytest.mark.row(SPEC, 29)
def test_another_host_selects_its_first_card(qtbot: QtBot, selector: CardSelector) -> None:
    selector.set_cards(HOSTS)
    with qtbot.waitSignal(selector.card_changed) as told:
        selector.host_box.setCurrentIndex(1)
    assert (told.args, ranks(selector)) == (["8"], ["8"])


@pytest.mark.row(SPEC, 29)
def test_a_click_in_the_tree_switches_host_and_card(selector: CardSelector) -> None:
    selector.set_cards(HOSTS)
    assert selector.choose("8")
    assert (selector.host_box.currentText(), selector.rank_box.currentText(), selector.card) == ("node-b", "8", "8")
    assert not selector.choose("8")
    assert not selector.choose("99")


def test_the_chosen_card_stays_when_cards_come(selector: CardSelector) -> None:
    selector.set_cards([card("1", "1")])
    selector.set_cards([card("0", "0"), card("1", "1")])
    assert selector.card == "1"


def test_half_a_name_chooses_nothing(qtbot: QtBot, selector: CardSelector) -> None:
    selector.set_cards([card("10", "10"), card("11", "11")])
    qtbot.keyClicks(selector.rank_box.lineEdit(), "zz")
    selector.rank_box.lineEdit().editingFinished.emit()
    assert (selector.card, selector.rank_box.currentText()) == ("10", "10")


def test_equal_ranks_are_told_apart_by_their_names(selector: CardSelector) -> None:
    selector.set_cards([card("a/0", "0"), card("b/0", "0")])
    assert ranks(selector) == ["a/0", "b/0"]


def test_a_comparison_locks_both(selector: CardSelector) -> None:
    selector.set_cards(HOSTS)
    selector.lock(True, "Two cards are compared.")
    assert (selector.host_box.isEnabled(), selector.rank_box.isEnabled()) == (False, False)


def test_a_long_entry_shows_its_beginning_also_when_it_is_renamed(qtbot: QtBot) -> None:
    box = SearchBox()
    qtbot.addWidget(box)
    box.fill([("matmul", "a"), ("add", "b")], "a")
    box.setItemText(0, "matmul · matmul_leakyrelu_9c2e_1_mix_aic")
    assert (box.currentText()[:6], box.lineEdit().cursorPosition()) == ("matmul", 0)
