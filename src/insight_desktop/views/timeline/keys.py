"""Keys of the timeline: the list for the shortcut sheet, and movement that goes on while a key is held."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent

from insight_desktop.views.common.actions import Action, plain
from insight_desktop.views.timeline.viewport import PAN_STEP, Viewport

KEYS: tuple[tuple[str, str], ...] = (
    ("W / S", "Zoom in / out around the mouse"),
    ("A / D, ← / →", "Pan by 5 % of the view"),
    ("↑ / ↓", "Scroll the lanes"),
    ("Ctrl+wheel", "Zoom around the mouse"),
    ("Shift+wheel", "Pan"),
    ("Ctrl+drag", "Pan with the mouse"),
    ("H", "Drag pans instead of selecting, or no longer"),
    ("Alt+drag", "Zoom into a box"),
    ("Backspace", "Undo the last zoom or pan"),
    ("Shift+Backspace", "Redo"),
    ("Ctrl+0", "Whole data, forget the history"),
    ("Shift+Z", "Zoom into the selected range"),
    ("F", "Fit the selected slice to the screen"),
    (". / ,", "Next / previous slice of the lane"),
    ("R", "Select the range of the selected slice; with a base slice: align the ends"),
    ("L", "Align the start of the selected slice with the base slice"),
    ("] / [", "Follow the links of the selected slice forward / back"),
    ("M", "Dim everything outside the selected slice, or no longer"),
    ("K", "Flag the range, the slice or the time at the mouse"),
    ("Shift+K", "Marker List"),
    ("Ctrl+→ / Ctrl+←", "Next / previous step"),
    ("G", "Fold idle gaps out of the time axis, or show all time"),
    ("C", "Colour slices by name, type, card or duration"),
    ("N / Shift+N", "Next / previous slice of this name"),
    ("B", "Matching slice of the other card (A/B)"),
    ("Q", "Show or hide the bottom panel"),
    ("Esc", "Clear the selection"),
    ("Ctrl+F", "Search"),
)
_OF_THE_WINDOW = ("Ctrl+F",)  # in the list for the sheet; the key belongs to a command of the window
TICK_MS = 16
STEP_PX = 20
_FIRST_MS = 220  # a held key goes on after this long, so that a tap is exactly one step
_STEPS_PER_SECOND = 24.0

_MOVES: dict[int, tuple[str, float]] = {
    Qt.Key.Key_W: ("zoom", 1),
    Qt.Key.Key_S: ("zoom", -1),
    Qt.Key.Key_A: ("pan", -1),
    Qt.Key.Key_Left: ("pan", -1),
    Qt.Key.Key_D: ("pan", 1),
    Qt.Key.Key_Right: ("pan", 1),
    Qt.Key.Key_Up: ("scroll", -1),
    Qt.Key.Key_Down: ("scroll", 1),
}


@cache
def actions() -> tuple[Action, ...]:
    """One action per key of KEYS, mouse gestures left out."""
    found: dict[str, Action] = {}
    for entry in KEYS:
        group = entry[2] if len(entry) > 2 else "Timeline"
        texts = alternatives(entry[0], entry[1])
        for key, text in zip(re.split(r" / |, ", entry[0]), texts, strict=True):
            given = plain(key.strip())
            if given and not re.search("wheel|drag|click", key) and given not in _OF_THE_WINDOW:
                found.setdefault(given, Action(f"timeline.{given}", text, group, given))
    return tuple(found.values())


def alternatives(keys: str, text: str) -> list[str]:
    """What each of several keys does: `W / S` and `Zoom in / out here` give `Zoom in here` and `Zoom out here`."""
    count = len(re.split(r" / |, ", keys))
    words = text.split(" ")
    if count != 2 or words.count("/") != 1:
        return [text] * count
    at = words.index("/")
    both = [" ".join(words[:at] + words[at + 2 :]), " ".join(words[: at - 1] + words[at + 1 :])]
    return [part[:1].upper() + part[1:] for part in both]


class HeldKeys(QObject):
    """Moves the view once when a key goes down, and every frame while it stays down."""

    def __init__(
        self,
        viewport: Viewport,
        place: Callable[[], float],
        scroll: Callable[[int], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._viewport = viewport
        self._place = place
        self._scroll = scroll
        self._held: dict[int, int] = {}
        self._clock = QElapsedTimer()
        self._clock.start()
        self._last = 0
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    def press(self, event: QKeyEvent) -> bool:
        """Take a key event; True when it is one of the moving keys."""
        key = event.key()
        held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
        if key not in _MOVES or event.modifiers() & held or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            return False
        if not event.isAutoRepeat():
            self._move(key, 1.0)
            self._held[key] = self._clock.elapsed()
            self._last = self._clock.elapsed()
            self._timer.start()
        return True

    def release(self, event: QKeyEvent) -> bool:
        """Take a key release; True when the key was held."""
        if event.isAutoRepeat() or event.key() not in self._held:
            return False
        del self._held[event.key()]
        if not self._held:
            self._timer.stop()
        return True

    def let_go(self) -> None:
        """The window lost the focus: no key is held any longer."""
        self._held.clear()
        self._timer.stop()

    def _tick(self) -> None:
        now = self._clock.elapsed()
        steps = (now - self._last) / 1000 * _STEPS_PER_SECOND
        self._last = now
        for key, since in self._held.items():
            if now - since >= _FIRST_MS:
                self._move(key, steps)

    def _move(self, key: int, steps: float) -> None:
        verb, sign = _MOVES[key]
        if verb == "zoom":
            self._viewport.zoom(sign * steps, self._place())
        elif verb == "pan":
            self._viewport.pan(sign * steps * PAN_STEP)
        else:
            self._scroll(round(sign * steps * STEP_PX))
