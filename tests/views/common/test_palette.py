"""The command palette: what fits, in which order, and what Enter does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from insight_desktop.views.common.palette import Entry, Palette, ranked, recent, score


def entries(ran: list[str]) -> list[Entry]:
    rows = [
        ("open_folder", "Open folder", "File", "Ctrl+O"),
        ("open_session", "Open session", "File", ""),
        ("fit", "Fit the selected slice to the screen", "Timeline", "F"),
        ("start", "Start page", "Go", "Ctrl+Home"),
    ]
    return [Entry(*row, lambda name=row[0]: ran.append(name)) for row in rows]


@pytest.mark.parametrize(
    ("wanted", "text", "fits"),
    [("", "Open", True), ("of", "Open folder", True), ("fo", "Open folder", True), ("fq", "Open folder", False)],
)
def test_letters_fit_in_their_order(wanted: str, text: str, fits: bool) -> None:
    assert (score(wanted, text) is not None) == fits


def test_whole_words_come_before_scattered_letters() -> None:
    found = ranked(entries([]), "se")
    assert [e.id for e in found][:2] == ["open_session", "fit"]  # session and selected begin a word; "screen" does not
    assert [e.id for e in ranked(entries([]), "file open")] == ["open_folder", "open_session"]


def test_enter_runs_the_best_and_it_comes_first_the_next_time(qtbot: QtBot) -> None:
    ran: list[str] = []
    palette = Palette(entries(ran))
    qtbot.addWidget(palette)
    qtbot.keyClicks(palette.field, "start")
    assert palette.texts()[0] == "Start page"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert (ran, recent()) == (["start"], ["start"])
    again = Palette(entries(ran))
    qtbot.addWidget(again)
    assert again.texts() == ["Start page", "Open folder", "Open session", "Fit the selected slice to the screen"]


def test_arrow_keys_go_round_and_nothing_runs_without_a_line(qtbot: QtBot) -> None:
    ran: list[str] = []
    palette = Palette(entries(ran))
    qtbot.addWidget(palette)
    qtbot.keyClick(palette.field, Qt.Key.Key_Up)
    assert palette.list.currentRow() == 3
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    assert palette.list.currentRow() == 0
    palette.field.setText("zzz")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert ran == []
