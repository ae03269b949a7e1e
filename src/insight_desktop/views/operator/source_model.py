"""What the panes of the code share: the lines, where they are scrolled to, what is selected and found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QScrollBar

from insight_desktop.views.common import fonts
from insight_desktop.views.operator import source_tokens
from insight_desktop.views.operator.source_load import Loaded
from insight_desktop.views.operator.source_search import Match

HEAD, ROW = 27, 20
_WHEEL = 3  # lines of one step of the wheel


class CodeModel(QObject):
    """Signals:
    changed: repaint.
    scrolled: another line is at the top.
    line_clicked: a line (1 first) was clicked or moved to.
    line_entered: Enter was pressed on a line (1 first).
    menu_wanted: the context menu of a line (1 first), at a place on screen.
    """

    changed = Signal()
    scrolled = Signal()
    line_clicked = Signal(int)
    line_entered = Signal(int)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.loaded: Loaded | None = None
        self.lines: Sequence[str] = ()
        self.python = False
        self.selected = -1  # line, 1 first
        self.matches: Sequence[Match] = ()
        self.match_at = -1
        self.top = 0  # pixels above the first visible one
        self.height = 0  # of the part of the panes below their heads
        self._inside: list[bool] = []
        self._by_line: dict[int, list[int]] = {}

    # ---- data --------------------------------------------------------------------------------------------------------

    def show(self, loaded: Loaded | None) -> None:
        """Other code."""
        same = self.loaded is not None and loaded is not None and self.loaded.file == loaded.file
        self.loaded = loaded
        self.lines = loaded.lines if loaded is not None else ()
        self.python = source_tokens.is_python(loaded.file or "") if loaded is not None else False
        self._inside = [False] * len(self.lines) if self.python else source_tokens.comment_starts(self.lines)
        if not same:
            self.selected, self.top = -1, 0
        self.set_matches((), -1)
        self.set_top(self.top)

    def tokens(self, line: int) -> tuple[source_tokens.Token, ...]:
        """What is coloured in a line (from 0)."""
        return source_tokens.tokens(self.lines[line], python=self.python, inside=self._inside[line])

    def heat(self, line: int) -> float:
        """Part of the largest value of a line (from 0); 0 for none."""
        found = self.loaded.heat if self.loaded is not None else np.zeros(0)
        return float(found[line]) if line < len(found) else 0.0

    def record(self, line: int) -> int:
        """Row of the table of lines for a line (from 0); −1 for none."""
        return self.loaded.figures.get(line + 1, -1) if self.loaded is not None else -1

    def set_matches(self, matches: Sequence[Match], at: int) -> None:
        """Places that a search found, and the current one of them."""
        self.matches, self.match_at = matches, at
        self._by_line = {}
        for i, match in enumerate(matches):
            self._by_line.setdefault(match.line, []).append(i)
        self.changed.emit()

    def matches_of(self, line: int) -> list[int]:
        """Places in a line (from 0)."""
        return self._by_line.get(line, [])

    def hottest(self) -> list[int]:
        """Lines (1 first) with figures, the hottest one first."""
        found = self.loaded.heat if self.loaded is not None else np.zeros(0)
        order = np.argsort(-found, kind="stable")
        return [int(i) + 1 for i in order if found[i] > 0]

    # ---- places ------------------------------------------------------------------------------------------------------

    @property
    def row_height(self) -> int:
        return fonts.scaled(ROW)

    @property
    def head_height(self) -> int:
        return fonts.scaled(HEAD)

    @property
    def total_height(self) -> int:
        return len(self.lines) * self.row_height

    @property
    def most_top(self) -> int:
        """As far as one can scroll."""
        return max(0, self.total_height - self.height)

    def visible(self) -> range:
        """Lines on screen, from 0."""
        first = self.top // self.row_height
        last = (self.top + max(self.height, 1) - 1) // self.row_height + 1
        return range(first, min(last, len(self.lines)))

    def y_of(self, line: int) -> int:
        """Top of a line (from 0) in a pane, its head included."""
        return self.head_height + line * self.row_height - self.top

    def line_at(self, y: float) -> int:
        """Line (from 0) at a height of a pane; −1 beyond the code."""
        line = (int(y) - self.head_height + self.top) // self.row_height
        return line if y >= self.head_height and 0 <= line < len(self.lines) else -1

    def set_top(self, top: int) -> None:
        """Scroll."""
        self.top = max(0, min(top, self.most_top))
        self.scrolled.emit()
        self.changed.emit()

    def set_height(self, height: int) -> None:
        """The panes have another height."""
        if height != self.height:
            self.height = height
            self.set_top(self.top)

    def select(self, line: int, *, centre: bool = False) -> None:
        """Mark a line (1 first, −1 for none) and bring it into view."""
        self.selected = line if 1 <= line <= len(self.lines) else -1
        if self.selected > 0:
            self.bring_in(line - 1, centre=centre)
        self.changed.emit()

    def bring_in(self, line: int, *, centre: bool = False) -> None:
        """Scroll as little as needed, or to the middle, to show a line (from 0)."""
        top, high = line * self.row_height, self.row_height
        if centre and not self.top + high <= top <= self.top + self.height - 2 * high:
            self.set_top(top - (self.height - high) // 2)
        elif top < self.top:
            self.set_top(top)
        elif top + high > self.top + self.height:
            self.set_top(top + high - self.height)

    def click(self, line: int) -> None:
        """A line (from 0) was clicked."""
        if 0 <= line < len(self.lines):
            self.select(line + 1)
            self.line_clicked.emit(line + 1)

    def move(self, by: int) -> None:
        """Select the line that many lines below."""
        if self.lines:
            start = self.selected - 1 if self.selected > 0 else self.top // self.row_height - (by > 0)
            self.click(max(0, min(start + by, len(self.lines) - 1)))


def wheel(model: CodeModel, event: QWheelEvent, across: QScrollBar | None) -> None:
    """Scroll with the wheel; sideways with Shift or a sideways wheel."""
    dx, dy = event.angleDelta().x(), event.angleDelta().y()
    if across is not None and (dx or event.modifiers() & Qt.KeyboardModifier.ShiftModifier):
        across.setValue(across.value() - (dx or dy) // 2)
    elif dy:
        model.set_top(model.top - round(dy / 120 * _WHEEL * model.row_height))
    event.accept()
