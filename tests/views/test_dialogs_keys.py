"""Commands get other keys; keys of other commands are refused."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence
from pytestqt.qtbot import QtBot

from insight_desktop.views.common import actions
from insight_desktop.views.common.actions import Action
from insight_desktop.views.dialogs_keys import ChangeKeysDialog

TABLE = (
    Action("open_folder", "Open folder", "File", "Ctrl+O"),
    Action("timeline.F", "Fit", "Timeline", "F"),
    Action("about", "About", "Help", ""),
)


def test_keys_are_taken_refused_and_given_back(qtbot: QtBot) -> None:
    dialog = ChangeKeysDialog(TABLE)
    qtbot.addWidget(dialog)
    dialog.choose("timeline.F")
    dialog.use()
    assert dialog.note.text() == "Press the new keys in the field first."
    dialog.field.setKeySequence(QKeySequence("Ctrl+O"))
    dialog.use()
    assert dialog.note.text() == "Ctrl+O belongs to “Open folder”. Choose other keys, or take them from it first."
    assert TABLE[1].now == "F"
    dialog.field.setKeySequence(QKeySequence("G"))
    dialog.use()
    item = dialog.table.item(1, 1)
    assert item is not None
    assert (TABLE[1].now, item.text(), dialog.note.text()) == ("G", "G", "Fit: G")
    # F is free now and may be taken; then it cannot be given back.
    dialog.choose("about")
    dialog.field.setKeySequence(QKeySequence("F"))
    dialog.use()
    dialog.choose("timeline.F")
    dialog.back.click()
    assert dialog.note.text() == "F belongs to “About”. Choose other keys, or take them from it first."
    dialog.reset()
    assert (actions.chosen(), [a.now for a in TABLE]) == ({}, ["Ctrl+O", "F", ""])


def test_a_command_can_be_without_keys_and_the_list_can_be_filtered(qtbot: QtBot) -> None:
    dialog = ChangeKeysDialog(TABLE)
    qtbot.addWidget(dialog)
    dialog.choose("open_folder")
    dialog.free.click()
    assert (TABLE[0].now, dialog.note.text()) == ("", "Open folder has no key now.")
    dialog.search.setText("help")
    assert [dialog.table.isRowHidden(row) for row in range(3)] == [True, True, False]
