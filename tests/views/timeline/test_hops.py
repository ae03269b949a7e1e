"""Chains of links go on at the same collective of another card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support import timeline_page as tp

from insight_desktop.views.common import language
from insight_desktop.views.system.timeline import TimelinePage

GROUP: dict[str, Any] = {
    "pid": 3, "process": "Communication", "sort": 2, "tid": 0, "thread": "Group dp Communication", "role": "group",
}  # fmt: skip


def slices(late: int) -> list[dict[str, Any]]:
    """Ids: launch 0, allreduce 1 and 2."""
    return [
        tp.at(late, late + 10_000, "launch", tp.T11),
        tp.at(late + 100_000, late + 150_000, "allreduce", GROUP),
        tp.at(late + 300_000, late + 380_000, "allreduce", GROUP),
    ]


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    """On both cards the launch leads to the second collective; card 1 is 50 µs later."""
    for name, late in (("0", 0), ("1", 50_000)):
        plain_build.build(tmp_path / name, slices=slices(late), links=[(0, 2, "HostToDevice")])
    return tp.make(qtbot, [tp.card(tmp_path / name, name) for name in ("0", "1")])


def place(page: TimelinePage) -> tuple[str, int] | None:
    chosen = page.state.selected
    return None if chosen is None else (chosen.card, chosen.id)


def tap(page: TimelinePage, code: Qt.Key) -> None:
    tp.key(page.body, code)


@pytest.mark.row("system-timeline", 87)
def test_a_chain_goes_on_at_the_collective_of_the_next_card_and_back(page: TimelinePage, qtbot: QtBot) -> None:
    told: list[list[str]] = []
    page.context.status.connect(told.append)
    launch = page.state.slice("0", 0)
    assert launch is not None
    page.go_to(launch)
    tap(page, Qt.Key.Key_BracketRight)
    assert place(page) == ("0", 2)
    tap(page, Qt.Key.Key_BracketRight)
    qtbot.waitUntil(lambda: place(page) == ("1", 2))
    assert told[-1] == ["The same collective on Card 1: allreduce"]
    tap(page, Qt.Key.Key_BracketRight)
    assert told[-1] == ["There is no further link."]
    assert place(page) == ("1", 2)
    tap(page, Qt.Key.Key_BracketLeft)
    assert place(page) == ("0", 2)
    assert told[-1] == ["The same collective on Card 0: allreduce"]
    tap(page, Qt.Key.Key_BracketLeft)
    assert place(page) == ("0", 0)
    assert told[-1] != ["There is no further link."]


@pytest.mark.row("system-timeline", 87)
def test_a_collective_that_was_selected_by_hand_leads_back_along_its_own_links(
    page: TimelinePage, qtbot: QtBot
) -> None:
    page.state.select(page.state.slice("1", 2))
    tap(page, Qt.Key.Key_BracketLeft)
    assert place(page) == ("1", 0)
    page.state.select(page.state.slice("1", 1))  # no link arrives here: the card before has it too
    tap(page, Qt.Key.Key_BracketLeft)
    qtbot.waitUntil(lambda: place(page) == ("0", 1))
    told: list[list[str]] = []
    page.context.status.connect(told.append)
    tap(page, Qt.Key.Key_BracketLeft)
    assert told[-1] == ["There is no further link."]
    assert place(page) == ("0", 1)


def test_the_words_of_a_hop_are_chinese_in_a_chinese_window(page: TimelinePage, qtbot: QtBot) -> None:
    told: list[list[str]] = []
    page.context.status.connect(told.append)
    language.set_language("zh", remember=False)
    try:
        page.state.select(page.state.slice("0", 1))
        tap(page, Qt.Key.Key_BracketRight)
        qtbot.waitUntil(lambda: place(page) == ("1", 1))
        qtbot.waitUntil(lambda: ["卡 1 上的同一集合通信：allreduce"] in told)
    finally:
        language.set_language("en", remember=False)
