"""Commands that work on whatever is shown: the palette and other keys, in the real window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support import timeline_page as tp
from tests.views.conftest import FakeFinder, FakeReader

from insight_desktop.engine.store import Store
from insight_desktop.views import window_commands
from insight_desktop.views.app import make_window
from insight_desktop.views.common import actions
from insight_desktop.views.main_window import MainWindow
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.window_actions import table


@pytest.fixture
def window(look: None, reader: FakeReader, finder: FakeFinder) -> Iterator[MainWindow]:
    made = make_window(reader=reader, find=finder)
    made.resize(1600, 900)
    made.show()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path, window: MainWindow) -> TimelinePage:
    """A Timeline page that stands in the window."""
    plain_build.build(tmp_path / "c0", slices=tp.basic())
    window.context.store = Store([tp.card(tmp_path / "c0")])
    made = TimelinePage(window.context)
    window.pages[window_commands.TIMELINE] = made
    window.stack.addWidget(made)
    window.stack.setCurrentWidget(made)
    made.refresh()
    return made


def test_every_key_belongs_to_one_command() -> None:
    given = [a.keys and actions.plain(a.keys) for a in table()]
    used = [keys for keys in given if keys]
    assert [keys for keys in used if used.count(keys) > 1] == []
    assert len({a.id for a in table()}) == len(table())


def test_the_palette_offers_the_menus_and_submenus_that_can_be_used(window: MainWindow) -> None:
    found = {e.id: e for e in window_commands.entries(window)}
    assert (found["open_folder"].text, found["open_folder"].group, found["open_folder"].keys) == (
        "Open folder",
        "File",
        "Ctrl+O",
    )
    assert "save_session" not in found  # no project is open
    assert "timeline.F" not in found  # there is no Timeline yet
    light = next(e for e in found.values() if e.text == "Light")
    assert light.group == "View › Theme"


def test_find_puts_the_cursor_where_the_typed_text_goes(qtbot: QtBot, window: MainWindow, page: TimelinePage) -> None:
    page.body.canvas.setFocus()
    qtbot.keyClick(page.body.canvas, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    typed = window.focusWidget()
    assert typed is page.search.field
    qtbot.keyClicks(typed, "inner")
    assert page.search.field.text() == "inner"
    page.body.canvas.setFocus()
    window.find_text()
    assert page.search.field.selectedText() == "inner"


def test_the_palette_does_what_the_keys_of_the_timeline_do(window: MainWindow, page: TimelinePage) -> None:
    page.state.select(page.state.slice("0", 4))  # MatMul, 200 to 400 µs
    found = {e.id: e for e in window_commands.entries(window)}
    assert found["timeline.F"].text == "Fit the selected slice to the screen"
    found["timeline.F"].run()
    assert (page.state.viewport.view.left_ns, page.state.viewport.span_ns) == (200_000, 200_000)
    found["timeline.Backspace"].run()
    assert page.state.viewport.span_ns == 1_000_000


def test_other_keys_hold_at_once_in_menus_and_timeline(window: MainWindow, page: TimelinePage) -> None:
    actions.set_keys("open_folder", "Ctrl+Alt+K")
    assert window.actions_.by_id["open_folder"].shortcut().toString() == "Ctrl+Alt+K"
    page.state.select(page.state.slice("0", 4))
    actions.set_keys("timeline.F", "Y")
    tp.key(page.body, Qt.Key.Key_F)
    assert page.state.viewport.span_ns == 1_000_000
    tp.key(page.body, Qt.Key.Key_Y)
    assert page.state.viewport.span_ns == 200_000
    sheet = [line for _, lines in window.actions_.key_groups() for line in lines]
    assert ("Y", "Fit the selected slice to the screen") in sheet
    assert ("Ctrl+Alt+K", "Open folder") in sheet
    actions.set_keys("timeline.S", "Shift+S")
    assert ("W / Shift+S", "Zoom in / out around the mouse") in [
        line for _, lines in window.actions_.key_groups() for line in lines
    ]


def test_a_closed_window_does_not_listen_for_keys_any_more(window: MainWindow, qtbot: QtBot) -> None:
    other = make_window()
    other.close()
    other.deleteLater()
    qtbot.wait(20)
    actions.set_keys("open_folder", "Ctrl+Alt+J")
    assert window.actions_.by_id["open_folder"].shortcut().toString() == "Ctrl+Alt+J"


def test_shift_f10_opens_the_menu_of_what_has_the_focus(window: MainWindow, qtbot: QtBot) -> None:
    asked: list[str] = []
    field = window.data_panel.filter
    field.contextMenuEvent = lambda event: asked.append(event.reason().name)  # type: ignore[method-assign]
    field.setFocus()
    window.actions_.by_id["context_menu"].trigger()
    assert asked == ["Keyboard"]
    assert window.actions_.by_id["context_menu"].shortcut().toString() == "Shift+F10"
