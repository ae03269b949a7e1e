"""The keys of commands: which ones the user chose instead of the given ones, and who has a key already."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence

from insight_desktop.views.common import settings

SETTING = "keys"
_SIGNS = {"←": "Left", "→": "Right", "↑": "Up", "↓": "Down"}


@dataclass(frozen=True)
class Action:
    """A command that can have a key.

    Attributes:
        id: name in the settings.
        text: English text.
        group: English name of its menu.
        keys: given keys as text, such as `Ctrl+O`; empty for none.
    """

    id: str
    text: str
    group: str
    keys: str

    @property
    def now(self) -> str:
        """The keys that hold now."""
        return keys_of(self.id, self.keys)


class Notifier(QObject):
    """Says that a command got other keys."""

    changed = Signal()


notifier = Notifier()


def plain(keys: str) -> str:
    """Keys in the one spelling that is compared and stored: arrows by name, modifiers in Qt's order."""
    return QKeySequence(_SIGNS.get(keys, keys)).toString(QKeySequence.SequenceFormat.PortableText)


def chosen() -> dict[str, str]:
    """What the user chose: id → keys; empty keys take the key away."""
    try:
        found = json.loads(settings.read(SETTING, "{}"))
    except ValueError:
        return {}
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}


def keys_of(action_id: str, given: str) -> str:
    """The keys of a command: those of the user, else the given ones."""
    return chosen().get(action_id, plain(given) if given else "")


def set_keys(action_id: str, keys: str | None) -> None:
    """Give a command other keys; None brings the given ones back."""
    known = chosen()
    known.pop(action_id, None)
    if keys is not None:
        known[action_id] = plain(keys) if keys else ""
    _keep(known)


def reset() -> None:
    """All commands have their given keys again."""
    _keep({})


def _keep(known: dict[str, str]) -> None:
    settings.write(SETTING, json.dumps(known))
    notifier.changed.emit()


def owner(actions: Iterable[Action], keys: str, but: str = "") -> Action | None:
    """The command that has these keys now, apart from the one with the id `but`."""
    wanted = plain(keys)
    return next((a for a in actions if wanted and a.now == wanted and a.id != but), None)


def pressed(event: QKeyEvent) -> str:
    """Keys of an event in the spelling of `plain`."""
    keys = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.GroupSwitchModifier)
    return QKeySequence(keys.value | event.key()).toString(QKeySequence.SequenceFormat.PortableText)


def event_of(keys: str, kind: QEvent.Type = QEvent.Type.KeyPress, *, repeat: bool = False) -> QKeyEvent:
    """The event of one key combination."""
    combination = QKeySequence(plain(keys))[0]  # type: ignore[index]
    return QKeyEvent(kind, combination.key(), combination.keyboardModifiers(), "", repeat)


def as_given(event: QKeyEvent, actions: Sequence[Action]) -> QKeyEvent | None:
    """The event as if no keys had been changed; None when the key was taken away from its command.

    Args:
        event: what was pressed or released.
        actions: the commands that the receiver knows by their given keys.
    """
    known = chosen()
    if not known:
        return event
    keys = pressed(event)
    for action in actions:
        if known.get(action.id) == keys and keys:
            return event_of(action.keys, event.type(), repeat=event.isAutoRepeat())
    return None if any(a.id in known and plain(a.keys) == keys for a in actions) else event
