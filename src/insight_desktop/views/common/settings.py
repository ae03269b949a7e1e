"""What the user chose for the whole program: theme, language, text size, start option. Kept in one small INI file."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSettings

from insight_desktop.engine import places


def store() -> QSettings:
    """The settings file; opened per call, because `INSIGHT_HOME` may differ between two windows of one process."""
    return QSettings(str(places.settings_file()), QSettings.Format.IniFormat)


def read(name: str, default: str = "") -> str:
    value: Any = store().value(name, default)
    return value if isinstance(value, str) else str(value)


def write(name: str, value: str) -> None:
    settings = store()
    settings.setValue(name, value)
    settings.sync()


def read_flag(name: str, *, default: bool) -> bool:
    return read(name, "yes" if default else "no") == "yes"


def write_flag(name: str, value: bool) -> None:
    write(name, "yes" if value else "no")
