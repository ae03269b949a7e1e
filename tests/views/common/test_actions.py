"""Keys of commands: given, chosen by the user, owned."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from insight_desktop.views.common import actions
from insight_desktop.views.common.actions import Action

OPEN = Action("open", "Open", "File", "Ctrl+O")
FIT = Action("fit", "Fit", "Timeline", "F")
LEFT = Action("left", "Left", "Timeline", "Left")


def press(key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, keys)


@pytest.mark.usefixtures("qapp")
def test_keys_are_given_until_the_user_chooses_others_and_come_back() -> None:
    assert (OPEN.now, actions.keys_of("x", "")) == ("Ctrl+O", "")
    actions.set_keys("open", "ctrl+shift+K")
    assert OPEN.now == "Ctrl+Shift+K"
    actions.set_keys("open", "")
    assert OPEN.now == ""
    actions.set_keys("open", None)
    assert OPEN.now == "Ctrl+O"


@pytest.mark.usefixtures("qapp")
def test_keys_have_one_owner_by_what_holds_now() -> None:
    table = (OPEN, FIT)
    assert actions.owner(table, "ctrl+o") is OPEN
    assert actions.owner(table, "Ctrl+O", but="open") is None
    actions.set_keys("open", "G")
    assert actions.owner(table, "Ctrl+O") is None
    assert actions.owner(table, "G") is OPEN
    assert actions.owner(table, "") is None


def test_a_pressed_key_reads_as_the_given_key_of_its_command(qapp: QApplication) -> None:
    table = (FIT, LEFT)
    event = press(Qt.Key.Key_F)
    assert actions.as_given(event, table) is event
    actions.set_keys("fit", "Ctrl+J")
    found = actions.as_given(press(Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier), table)
    assert found is not None
    assert (found.key(), found.modifiers()) == (Qt.Key.Key_F, Qt.KeyboardModifier.NoModifier)
    assert actions.as_given(press(Qt.Key.Key_F), table) is None
    # The keypad's arrow is the arrow.
    actions.set_keys("left", "Z")
    assert actions.as_given(press(Qt.Key.Key_Left, Qt.KeyboardModifier.KeypadModifier), table) is None


@pytest.mark.usefixtures("qapp")
def test_damaged_settings_are_no_choice() -> None:
    from insight_desktop.views.common import settings

    settings.write(actions.SETTING, "{not json")
    assert actions.chosen() == {}
    assert FIT.now == "F"
