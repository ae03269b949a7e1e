"""Every command of the window: text, key, menu. Menus, tooltips and the shortcut sheet come from this one list."""

from __future__ import annotations

import contextlib
import importlib
import re
from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu
from shiboken6 import isValid

from insight_desktop.views.common import actions, icons, language, theme
from insight_desktop.views.common.actions import Action
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr

FILE = QT_TRANSLATE_NOOP("insight", "File")
EDIT = QT_TRANSLATE_NOOP("insight", "Edit")
VIEW = QT_TRANSLATE_NOOP("insight", "View")
GO = QT_TRANSLATE_NOOP("insight", "Go")
ANALYSE = QT_TRANSLATE_NOOP("insight", "Analyse")
WINDOW = QT_TRANSLATE_NOOP("insight", "Window")
HELP = QT_TRANSLATE_NOOP("insight", "Help")
MENUS = (FILE, EDIT, VIEW, GO, ANALYSE, WINDOW, HELP)

# id, menu, text, keys, icon; an empty text is a separator.
COMMANDS: tuple[tuple[str, str, str, str, str], ...] = (
    ("open_folder", FILE, QT_TRANSLATE_NOOP("insight", "Open folder…"), "Ctrl+O", "folder-open"),
    ("open_file", FILE, QT_TRANSLATE_NOOP("insight", "Open file…"), "Ctrl+Shift+O", "file"),
    ("import_data", FILE, QT_TRANSLATE_NOOP("insight", "Import…"), "Ctrl+I", "tree-structure"),
    ("add_data", FILE, QT_TRANSLATE_NOOP("insight", "Add data to this project…"), "Ctrl+Shift+I", "plus"),
    ("", FILE, "", "", ""),
    ("open_session", FILE, QT_TRANSLATE_NOOP("insight", "Open session…"), "", "bookmark-simple"),
    ("save_session", FILE, QT_TRANSLATE_NOOP("insight", "Save session"), "Ctrl+S", "floppy-disk"),
    ("save_session_as", FILE, QT_TRANSLATE_NOOP("insight", "Save session as…"), "Ctrl+Shift+S", ""),
    ("", FILE, "", "", ""),
    ("export_selection", FILE, QT_TRANSLATE_NOOP("insight", "Export selection…"), "Ctrl+E", "download-simple"),
    ("", FILE, "", "", ""),
    ("close_project", FILE, QT_TRANSLATE_NOOP("insight", "Close project"), "Ctrl+W", ""),
    ("quit", FILE, QT_TRANSLATE_NOOP("insight", "Quit"), "Ctrl+Q", ""),
    ("palette", EDIT, QT_TRANSLATE_NOOP("insight", "Command palette…"), "Ctrl+Shift+P", ""),
    ("find", EDIT, QT_TRANSLATE_NOOP("insight", "Find…"), "Ctrl+F", "magnifying-glass"),
    ("filter", EDIT, QT_TRANSLATE_NOOP("insight", "Filter…"), "Ctrl+Shift+F", "funnel-simple"),
    ("context_menu", EDIT, QT_TRANSLATE_NOOP("insight", "Context menu"), "Shift+F10", ""),
    ("", EDIT, "", "", ""),
    ("settings", EDIT, QT_TRANSLATE_NOOP("insight", "Settings…"), "Ctrl+,", "gear-six"),
    ("data_panel", VIEW, QT_TRANSLATE_NOOP("insight", "Data panel"), "Ctrl+B", "tree-structure"),
    ("import_report", VIEW, QT_TRANSLATE_NOOP("insight", "Import report"), "Ctrl+R", "shield-check"),
    ("", VIEW, "", "", ""),
    ("start_page", GO, QT_TRANSLATE_NOOP("insight", "Start page"), "Ctrl+Home", ""),
    ("next_card", GO, QT_TRANSLATE_NOOP("insight", "Next card"), "Ctrl+Down", ""),
    ("previous_card", GO, QT_TRANSLATE_NOOP("insight", "Previous card"), "Ctrl+Up", ""),
    ("next_area", GO, QT_TRANSLATE_NOOP("insight", "Next area of the window"), "F6", ""),
    ("previous_area", GO, QT_TRANSLATE_NOOP("insight", "Previous area of the window"), "Shift+F6", ""),
    ("read_all", ANALYSE, QT_TRANSLATE_NOOP("insight", "Start global analysis"), "", "play"),
    ("read_again", ANALYSE, QT_TRANSLATE_NOOP("insight", "Read the current card again"), "", "arrow-clockwise"),
    ("cancel_import", ANALYSE, QT_TRANSLATE_NOOP("insight", "Stop the import"), "", "x"),
    ("", ANALYSE, "", "", ""),
    ("flame_graph", ANALYSE, QT_TRANSLATE_NOOP("insight", "Flame graph of the selection"), "", ""),
    ("why_free", ANALYSE, QT_TRANSLATE_NOOP("insight", "Why is this time free?"), "", ""),
    ("compare_cards", ANALYSE, QT_TRANSLATE_NOOP("insight", "Compare two cards (A/B)"), "", ""),
    ("sql", ANALYSE, QT_TRANSLATE_NOOP("insight", "SQL"), "", ""),
    ("full_screen", WINDOW, QT_TRANSLATE_NOOP("insight", "Full screen"), "F11", ""),
    ("minimise", WINDOW, QT_TRANSLATE_NOOP("insight", "Minimise"), "Ctrl+M", ""),
    ("keys", HELP, QT_TRANSLATE_NOOP("insight", "Keyboard shortcuts"), "?", "keyboard"),
    ("log_folder", HELP, QT_TRANSLATE_NOOP("insight", "Open log folder"), "", "folder-open"),
    ("about", HELP, QT_TRANSLATE_NOOP("insight", "About Insight Desktop"), "", "info"),
)
CHECKABLE = ("data_panel", "import_report", "full_screen")

THEMES: tuple[tuple[theme.Choice, str], ...] = (
    ("dark", QT_TRANSLATE_NOOP("insight", "Dark")),
    ("light", QT_TRANSLATE_NOOP("insight", "Light")),
    ("system", QT_TRANSLATE_NOOP("insight", "As the system")),
)
LANGUAGES: tuple[tuple[language.Language, str], ...] = (("en", "English"), ("zh", "简体中文"))
SIZES = (90, 100, 110, 125, 150)


class Actions:
    """The commands of a window, in its menu bar.

    Args:
        window: gets the actions and the menu bar.
        handlers: what each command does, by id; a command without one is left out.
    """

    def __init__(self, window: QMainWindow, handlers: dict[str, Callable[[], Any]]) -> None:
        self._window = window
        self._texts: list[tuple[QAction, str]] = []
        self._choices: list[tuple[QAction, Callable[[], bool]]] = []
        self._menus: list[tuple[QMenu, str]] = []
        self.by_id: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}
        for name in MENUS:
            menu = window.menuBar().addMenu(name)
            self.menus[name] = menu
            self._menus.append((menu, name))
        for command, menu_name, text, keys, icon in COMMANDS:
            if not command:
                self.menus[menu_name].addSeparator()
            elif command in handlers:
                self.menus[menu_name].addAction(self._make(command, text, keys, icon, handlers[command]))
        self._add_choices()
        self.retranslate()
        actions.notifier.changed.connect(self.renew_keys)
        window.destroyed.connect(self._let_go)

    def _let_go(self) -> None:
        # The notifier outlives the window, and this object is no QObject that Qt would disconnect by itself.
        with contextlib.suppress(RuntimeError):
            actions.notifier.changed.disconnect(self.renew_keys)

    def renew_keys(self) -> None:
        """Take over the keys that the user chose."""
        for action in table():
            if action.id in self.by_id and isValid(self.by_id[action.id]):
                self.by_id[action.id].setShortcut(QKeySequence(action.now))

    def _make(self, command: str, text: str, keys: str, icon: str, act: Callable[[], Any]) -> QAction:
        action = QAction(self._window)
        action.setShortcut(QKeySequence(actions.keys_of(command, keys)))
        if icon:
            icons.put(action, icon)
        action.setCheckable(command in CHECKABLE)
        action.triggered.connect(lambda _=False: act())
        self._texts.append((action, text))
        self.by_id[command] = action
        return action

    def _add_choices(self) -> None:
        self.recent_menu = QMenu(self._window)
        before = self.by_id.get("open_session")
        if before is not None:
            self.menus[FILE].insertMenu(before, self.recent_menu)
        self._menus.append((self.recent_menu, QT_TRANSLATE_NOOP("insight", "Recent")))
        for title, entries in (
            (
                QT_TRANSLATE_NOOP("insight", "Theme"),
                [(t, lambda v=v: theme.set_theme(v), lambda v=v: theme.choice() == v) for v, t in THEMES],
            ),
            (
                QT_TRANSLATE_NOOP("insight", "Language"),
                [(t, lambda v=v: language.set_language(v), lambda v=v: language.current() == v) for v, t in LANGUAGES],
            ),
            (
                QT_TRANSLATE_NOOP("insight", "Text size"),
                [(f"{v} %", lambda v=v: theme.set_text_scale(v), lambda v=v: _scale() == v) for v in SIZES],
            ),
        ):
            menu = self.menus[VIEW].addMenu(title)
            self._menus.append((menu, title))
            group = QActionGroup(menu)
            for text, act, is_on in entries:
                action = menu.addAction(text)
                action.setCheckable(True)
                group.addAction(action)
                action.triggered.connect(lambda _=False, act=act: act())
                self._texts.append((action, text))
                self._choices.append((action, is_on))
            menu.aboutToShow.connect(self.refresh_choices)
        safe = self.menus[VIEW].addAction("")
        safe.setCheckable(True)
        safe.triggered.connect(theme.set_safe_colours)
        self._texts.append((safe, QT_TRANSLATE_NOOP("insight", "Colours for colour-blind eyes")))
        self._choices.append((safe, theme.is_safe))
        self.menus[VIEW].aboutToShow.connect(self.refresh_choices)

    def refresh_choices(self) -> None:
        for action, is_on in self._choices:
            action.setChecked(is_on())

    def retranslate(self) -> None:
        for action, text in self._texts:
            action.setText(tr(text))
        for menu, text in self._menus:
            menu.setTitle(_with_letter(tr(text), text) if text in MENUS else tr(text))

    def enable(self, **states: bool) -> None:
        """Switch commands on and off by id."""
        for command, on in states.items():
            if command in self.by_id:
                self.by_id[command].setEnabled(on)

    def key_groups(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """For the shortcut sheet: the commands that have keys, by menu, then the keys of the timeline."""
        groups: list[tuple[str, list[tuple[str, str]]]] = []
        for menu in MENUS:
            keys = [
                (self.by_id[c].shortcut().toString(QKeySequence.SequenceFormat.NativeText), tr(text).rstrip("…"))
                for c, m, text, _, _ in COMMANDS
                if m == menu and c in self.by_id and not self.by_id[c].shortcut().isEmpty()
            ]
            if keys:
                groups.append((tr(menu), keys))
        return groups + timeline_keys()


def table() -> list[Action]:
    """All commands that can have keys: those of the menus, then those of the timeline."""
    menus = [Action(c, text.rstrip("…"), menu, keys) for c, menu, text, keys, _ in COMMANDS if c]
    return [*menus, *timeline_actions()]


def timeline_actions() -> tuple[Action, ...]:
    """The keys of the timeline, one by one."""
    found: tuple[Action, ...] = importlib.import_module("insight_desktop.views.timeline.keys").actions()
    return found


def timeline_keys() -> list[tuple[str, list[tuple[str, str]]]]:
    """Keys that the timeline offers, in its groups, as they hold now."""
    moved = {a.keys: a.now for a in timeline_actions() if a.id in actions.chosen()}
    groups: dict[str, list[tuple[str, str]]] = {}
    for entry in importlib.import_module("insight_desktop.views.timeline.keys").KEYS:
        group = entry[2] if len(entry) > 2 else QT_TRANSLATE_NOOP("insight", "Timeline")
        shown = re.sub(r"[^/, ]+", lambda word: _moved(word.group(), moved), entry[0])
        groups.setdefault(tr(group), []).append((shown, tr(entry[1])))
    return list(groups.items())


def _moved(word: str, moved: dict[str, str]) -> str:
    """A word of the list of keys, or the key that the user chose instead."""
    return moved.get(actions.plain(word), word) or "–" if moved else word


def _scale() -> int:
    from insight_desktop.views.common import fonts

    return fonts.scale()


def _with_letter(shown: str, name: str) -> str:
    """Title of a menu that Alt with a letter opens: the first of its English name, in every language."""
    return f"&{shown}" if shown == name else f"{shown}(&{name[0]})"
