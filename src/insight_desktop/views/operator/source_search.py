"""Search in the source code: where a text occurs, and the bar above the code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QToolButton, QWidget

from insight_desktop.views.common import fonts, icons, parts
from insight_desktop.views.common.language import tr

_MOST = 100_000  # places that are counted


class Match(NamedTuple):
    """A place: line from 0, first and last + 1 character."""

    line: int
    start: int
    end: int


def find(
    lines: Sequence[str],
    text: str,
    *,
    case: bool = False,
    word: bool = False,
    regex: bool = False,
    within: tuple[int, int] | None = None,
) -> list[Match]:
    """All places of a text from top to bottom.

    Args:
        lines: the code.
        text: what is looked for; nothing is found for an empty text.
        case: capital letters count.
        word: only whole words.
        regex: `text` is a regular expression. Raises re.error when it cannot be read.
        within: first and last line (from 0) to look in.
    """
    if not text:
        return []
    pattern = text if regex else re.escape(text)
    if word:
        pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
    wanted = re.compile(pattern, 0 if case else re.IGNORECASE)
    first, last = within if within is not None else (0, len(lines) - 1)
    found: list[Match] = []
    for number in range(max(first, 0), min(last, len(lines) - 1) + 1):
        for match in wanted.finditer(lines[number]):
            if match.end() > match.start():
                found.append(Match(number, match.start(), match.end()))
        if len(found) >= _MOST:
            break
    return found


class SearchBar(QFrame):
    """Field, switches, place among the matches.

    Signals:
        changed: other matches, or another one of them is the current one.
        closed: the bar was closed.
        within_wanted: the switch for the selection was turned; answer with `set_within`.
    """

    changed = Signal()
    closed = Signal()
    within_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setProperty("edge", "bottom")
        self.matches: list[Match] = []
        self.at = -1
        self._lines: Sequence[str] = ()
        self._within: tuple[int, int] | None = None
        self._asked: tuple[object, ...] | None = None
        self.field = QLineEdit()
        self.field.addAction(icons.icon("magnifying-glass"), QLineEdit.ActionPosition.LeadingPosition)
        self.field.setMaximumWidth(fonts.scaled(320))
        self.case, self.word, self.regex, self.within = (_switch(t) for t in ("Aa", "ab", ".*", ""))
        icons.put(self.within, "selection")
        self.place = parts.label(level=2)
        self.place.setMinimumWidth(fonts.scaled(64))
        self.previous = parts.icon_button("arrow-up", click=lambda: self.step(-1))
        self.next = parts.icon_button("arrow-down", click=lambda: self.step(1))
        self.close_button = parts.icon_button("x", click=self.close_bar)
        row = parts.columns(self, margins=(10, 4, 10, 4), gap=4)
        row.addWidget(self.field, 1)
        for widget in (self.case, self.word, self.regex, self.within, self.place, self.previous, self.next):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.close_button)
        parts.keep_height(self, 48)
        self.field.installEventFilter(self)
        self.field.textChanged.connect(lambda text: self.search() if not text else self._tell())
        for switch in (self.case, self.word, self.regex):
            switch.toggled.connect(lambda _on: self.search())
        self.within.toggled.connect(self.within_wanted)
        self.retranslate()
        self._tell()

    # ---- searching ---------------------------------------------------------------------------------------------------

    def set_lines(self, lines: Sequence[str]) -> None:
        """Other code; what was found is looked for in it again."""
        self._lines = lines
        self._asked = None
        if self.isVisible():
            self.search()
        else:
            self.matches, self.at = [], -1

    def set_within(self, lines: tuple[int, int] | None) -> None:
        """Look only in these lines (from 0, both included), or everywhere; switches the button."""
        self._within = lines
        self.within.blockSignals(True)
        self.within.setChecked(lines is not None)
        self.within.blockSignals(False)
        self.search()

    def enter(self) -> None:
        """Enter: look, or go to the next match when nothing has changed."""
        if self._asked == self._question():
            self.step(1)
        else:
            self.search()

    def search(self) -> None:
        """Look for what is typed; the first match becomes the current one."""
        self._asked = self._question()
        try:
            self.matches = find(
                self._lines, self.field.text(), case=self.case.isChecked(), word=self.word.isChecked(),
                regex=self.regex.isChecked(), within=self._within,
            )  # fmt: skip
        except re.error:
            self.matches = []
        self.at = 0 if self.matches else -1
        self._tell()
        self.changed.emit()

    def step(self, by: int) -> None:
        """The next or previous match, around the end."""
        if self._asked != self._question():
            self.search()
        elif self.matches:
            self.at = (self.at + by) % len(self.matches)
            self._tell()
            self.changed.emit()

    @property
    def current(self) -> Match | None:
        """The current match."""
        return self.matches[self.at] if 0 <= self.at < len(self.matches) else None

    def _question(self) -> tuple[object, ...]:
        switches = (self.case.isChecked(), self.word.isChecked(), self.regex.isChecked())
        return (self.field.text(), *switches, self._within, id(self._lines))

    def _tell(self) -> None:
        if self.matches:
            text = tr("{0} of {1}").format(self.at + 1, len(self.matches))
        else:
            is_asked = bool(self.field.text()) and self._asked == self._question()
            text = tr("No Result") if is_asked else ""
        self.place.setText(text)
        for button in (self.previous, self.next):
            button.setEnabled(bool(self.matches))

    # ---- opening -----------------------------------------------------------------------------------------------------

    def open_bar(self, text: str = "") -> None:
        """Show the bar with the cursor in its field."""
        self.show()
        if text:
            self.field.setText(text)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        if self.field.text():
            self.search()

    def close_bar(self) -> None:
        """Hide the bar and forget the matches."""
        self.hide()
        self.matches, self.at, self._asked, self._within = [], -1, None, None
        self.within.blockSignals(True)
        self.within.setChecked(False)
        self.within.blockSignals(False)
        self._tell()
        self.changed.emit()
        self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                self.step(-1) if back else self.enter()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
        return super().eventFilter(watched, event)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.field.setPlaceholderText(tr("Search the code"))
        self.field.setAccessibleName(tr("Search the code"))
        for widget, text, keys in (
            (self.case, tr("Match case"), ""),
            (self.word, tr("Whole word"), ""),
            (self.regex, tr("Regular expression"), ""),
            (self.within, tr("Find in selection"), ""),
            (self.previous, tr("Previous match"), "Shift+Return"),
            (self.next, tr("Next match"), "Return"),
            (self.close_button, tr("Close"), "Esc"),
        ):
            parts.set_tip(widget, text, keys)
        self._tell()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)


def _switch(text: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setCheckable(True)
    button.setAutoRaise(True)
    button.setFixedSize(fonts.scaled(28), fonts.scaled(26))
    return button
