"""What the user chose for the whole program: theme, language, text size, start option. Kept in one small INI file."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSettings

from insight_desktop.engine import places


def store() -> QSettings:
    """The settings file; opened per call, because `INSIGHT_HOME` may differ between two windows of one process."""
    return QSettings(str(places.settings_file()), QSettings.Format.IniFormat)


_known: dict[tuple[str, str], str | None] = {}  # (file, name) → text; fonts ask for their size in every cell of a table


def read(name: str, default: str = "") -> str:
    key = (str(places.settings_file()), name)
    if key not in _known:
        value: Any = store().value(name)
        _known[key] = None if value is None else str(value)
    found = _known[key]
    return default if found is None else found


def write(name: str, value: str) -> None:
    settings = store()
    settings.setValue(name, value)
    settings.sync()
    _known[str(places.settings_file()), name] = value


def read_flag(name: str, *, default: bool) -> bool:
    return read(name, "yes" if default else "no") == "yes"


def write_flag(name: str, value: bool) -> None:
    write(name, "yes" if value else "no")
