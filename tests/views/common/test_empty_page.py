"""What stands in place of a page without data."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from insight_desktop.views.common.empty_page import EmptyPage, FileLine, Offer


def test_it_says_what_why_which_files_and_what_to_change(qtbot: QtBot) -> None:
    page = EmptyPage()
    qtbot.addWidget(page)
    done: list[str] = []
    page.show_content(
        "Memory has nothing to show yet",
        "The collector did not record memory.",
        files=[FileLine("memory_record.csv", "totals", "missing", "missing on all cards")],
        code="profile_memory=True",
        offers=[Offer(f"Do {i}", "plus", lambda i=i: done.append(str(i))) for i in range(4)],
        note="Old runs stay empty.",
    )
    page.show()
    texts = {label.text() for label in page.findChildren(QLabel)}
    assert {
        "Memory has nothing to show yet",
        "memory_record.csv",
        "missing on all cards",
        "Old runs stay empty.",
    } <= texts
    assert len(page.buttons) == 3
    qtbot.mouseClick(page.buttons[0], Qt.MouseButton.LeftButton)
    page.copy_code()
    assert (done, QGuiApplication.clipboard().text()) == (["0"], "profile_memory=True")


def test_parts_without_content_are_hidden(qtbot: QtBot) -> None:
    page = EmptyPage()
    qtbot.addWidget(page)
    page.show_content("No data", "Open something.")
    page.show()
    assert (page.copy_button.isVisible(), page.note.isVisible(), page.buttons) == (False, False, [])
