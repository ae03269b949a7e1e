"""Commands of the window that work on whatever page is shown: the palette, other keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from insight_desktop.views.common.language import tr
from insight_desktop.views.common.palette import Entry, Palette
from insight_desktop.views.dialogs import KeysDialog, SettingsDialog
from insight_desktop.views.dialogs_keys import ChangeKeysDialog
from insight_desktop.views.reading import CardReader
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.window_actions import COMMANDS, table, timeline_actions

if TYPE_CHECKING:
    from insight_desktop.views.main_window import MainWindow

TIMELINE, KERNELS = "system.timeline", "operator.timeline"
OF_THE_TIMELINE = ("export_selection", "flame_graph", "why_free", "compare_cards", "sql")


def entries(window: MainWindow) -> list[Entry]:
    """What the palette offers now: every command of the menus that can be used, then the keys of the timeline."""
    actions, names = window.actions_, {c: tr(menu) for c, menu, *_ in COMMANDS}
    found = [
        _entry(command, actions.by_id[command], names[command])
        for command, *_ in COMMANDS
        if command in actions.by_id and command != "palette" and actions.by_id[command].isEnabled()
    ]
    known = set(actions.by_id.values())
    for title, menu in actions.menus.items():
        found += [_entry(f"{title}.{a.text()}", a, group) for a, group in _below(menu, tr(title)) if a not in known]
    page = timeline(window)
    if page is not None:
        found += [Entry(a.id, tr(a.text), tr(a.group), a.now, _tap(window, a.keys)) for a in timeline_actions()]
        titles = [(i, page.panel.tabs.tabText(i)) for i in range(page.panel.tabs.count())]
        found += [Entry(f"tab.{text}", text, tr("Bottom panel"), "", _show(window, at)) for at, text in titles]
    return found


def show_palette(window: MainWindow) -> None:
    """Open the palette."""
    Palette(entries(window), window).exec()


def focus_filter(window: MainWindow) -> None:
    """Put the cursor into the filter of the Timeline."""
    window.tab_row.choose(timeline_tab(window))
    page = timeline(window)
    if page is not None:
        page.filter_box.focus()


def handlers(window: MainWindow) -> dict[str, Callable[[], None]]:
    """The commands of the menus that the Timeline page does, and the menu of what has the focus."""

    def run(command: str) -> None:
        window.tab_row.choose(timeline_tab(window))
        page = timeline(window)
        if page is not None:
            page.commands.run(command)

    return {"context_menu": show_context_menu, **{command: partial(run, command) for command in OF_THE_TIMELINE}}


def show_context_menu() -> None:
    """What the menu key does, for keyboards without one: the context menu of what has the focus."""
    focus = QApplication.focusWidget()
    if focus is not None:
        place: QRect = focus.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        at = place.center()
        asked = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, focus.mapToGlobal(at))
        QApplication.sendEvent(focus, asked)


def show_keys(window: MainWindow, sheet: type[KeysDialog] = KeysDialog) -> None:
    """The sheet of all keys, from which they can be changed."""
    dialog = sheet(window.actions_.key_groups(), window)
    dialog.add_verb(tr("Change keys…"), lambda: ChangeKeysDialog(table(), dialog).exec())
    dialog.exec()


def timeline_tab(window: MainWindow) -> str:
    """The Timeline in front; else that of the cards, or that of the kernels when there is no other."""
    known = window.tab_row.ids()
    return KERNELS if KERNELS in known and (window.tab_row.current == KERNELS or TIMELINE not in known) else TIMELINE


def timeline(window: MainWindow) -> TimelinePage | None:
    """The Timeline page that commands go to, once it has been shown."""
    page = window.pages.get(timeline_tab(window))
    return page if isinstance(page, TimelinePage) else None


def _entry(command: str, action: QAction, group: str) -> Entry:
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.PortableText)
    return Entry(command, action.text().rstrip("…"), group, keys, action.trigger)


def show_settings(window: MainWindow, make: Callable[[MainWindow], SettingsDialog]) -> None:
    """The settings; another limit of the cache holds at once."""
    dialog = make(window)
    reader = window.workspace.reader
    if isinstance(reader, CardReader):
        dialog.cache_limit_changed.connect(reader.set_cache_limit)
        dialog.cache_limit_changed.connect(lambda _gb: window.refresh_cache())
    dialog.exec()


def _below(menu: QMenu, path: str) -> Iterator[tuple[QAction, str]]:
    """The actions of a menu and its submenus, each with the names of the menus above it."""
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            yield from _below(below, f"{path} › {below.title()}")
        elif action.text() and action.isEnabled():
            yield action, path


def _tap(window: MainWindow, keys: str) -> Callable[[], None]:
    def run() -> None:
        window.tab_row.choose(timeline_tab(window))
        page = timeline(window)
        if page is not None:
            page.body.setFocus()
            page.body.tap(keys)

    return run


def _show(window: MainWindow, tab: int) -> Callable[[], None]:
    def run() -> None:
        window.tab_row.choose(timeline_tab(window))
        page = timeline(window)
        if page is not None:
            page.panel.tabs.setCurrentIndex(tab)
            page.panel.set_open(True)

    return run


def first_focus(area: QWidget) -> QWidget | None:
    """The first widget of an area that Tab reaches."""
    if area.focusPolicy() & Qt.FocusPolicy.TabFocus and area.isEnabled():
        return area
    for child in area.findChildren(QWidget):
        if child.isVisible() and child.isEnabled() and child.focusPolicy() & Qt.FocusPolicy.TabFocus:
            return child
    return None
