"""Area Mark: ranges that were flagged in the Timeline, as bands over the curves; each can be hidden on this page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QWidget, QWidgetAction

from insight_desktop.views.common.chart_data import Array, Band
from insight_desktop.views.common.language import tr


@dataclass(frozen=True)
class Mark:
    """A flagged range of a card: what it is called, its ends in ms of the memory axis, its colour (#RRGGBB or empty)."""

    name: str
    low: float
    high: float
    colour: str = ""


def marks_of(context: Any, card: str, base_ns: int) -> list[Mark]:
    """The flagged ranges of a card, from `context.flags` when the window has any.

    A flag has `card`, `start_ns` and `end_ns` (raw ns, no end for a single time), `name`, `colour`.
    """
    found = []
    flags: Iterable[Any] = getattr(context, "flags", None) or ()
    for flag in flags:
        end = getattr(flag, "end_ns", None)
        if getattr(flag, "card", None) not in (card, None) or end is None:
            continue
        low, high = ((int(ns) - base_ns) / 1e6 for ns in (flag.start_ns, end))
        found.append(Mark(str(getattr(flag, "name", "")), low, high, str(getattr(flag, "colour", "") or "")))
    return found


def bands_of(marks: Sequence[Mark], hidden: frozenset[str], samples: Array) -> list[Band]:
    """Bands of the visible marks, their edges at the nearest samples (ms, ascending)."""
    return [
        Band(snapped(m.low, samples), snapped(m.high, samples), m.name, m.colour) for m in marks if m.name not in hidden
    ]


def snapped(value: float, samples: Array) -> float:
    """The sample nearest to a time, the earlier of two; the time itself without samples."""
    if not len(samples):
        return value
    at = min(int(np.searchsorted(samples, value)), len(samples) - 1)
    if at > 0 and value - samples[at - 1] <= samples[at] - value:
        at -= 1
    return float(samples[at])


class MarkSelect(QPushButton):
    """A button with a menu of marks, each with a check mark, and a field to search them.

    Signals:
        hidden_changed: names of the marks that are off.
    """

    hidden_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._marks: list[Mark] = []
        self._hidden: frozenset[str] = frozenset()
        self.clicked.connect(self._open)
        self._tell()

    @property
    def hidden(self) -> frozenset[str]:
        """Names of the marks that are off."""
        return self._hidden

    def set_marks(self, marks: Sequence[Mark]) -> None:
        """The marks there are; new ones are on."""
        self._marks = list(marks)
        self._hidden = self._hidden & {m.name for m in marks}
        self.setVisible(bool(marks))
        self._tell()

    def set_hidden(self, names: frozenset[str]) -> None:
        """Switch these off and the others on."""
        if names != self._hidden:
            self._hidden = names
            self._tell()
            self.hidden_changed.emit(names)

    def menu_of_marks(self) -> QMenu:
        """The menu, with a field that keeps the names that contain what is typed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        field = QLineEdit()
        field.setPlaceholderText(tr("Search"))
        first = QWidgetAction(menu)
        first.setDefaultWidget(field)
        menu.addAction(first)
        actions = []
        for mark in self._marks:
            action = QAction(mark.name, menu, checkable=True, checked=mark.name not in self._hidden)
            action.toggled.connect(lambda on, name=mark.name: self._switch(name, on))
            menu.addAction(action)
            actions.append(action)

        def keep(text: str) -> None:
            for action in actions:
                action.setVisible(text.strip().lower() in action.text().lower())

        field.textChanged.connect(keep)
        return menu

    def _switch(self, name: str, on: bool) -> None:
        self.set_hidden(self._hidden - {name} if on else self._hidden | {name})

    def _open(self) -> None:
        self.menu_of_marks().exec(self.mapToGlobal(QPoint(0, self.height())))

    def _tell(self) -> None:
        shown = len(self._marks) - len(self._hidden)
        self.setText(tr("{0} of {1} shown").format(shown, len(self._marks)))
        self.setAccessibleName(f"{tr('Area Mark')}: {self.text()}")

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._tell()
        super().changeEvent(event)
