"""What the user chose for the whole program: theme, language, text size, start option. Kept in one small INI file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings, QStandardPaths

FILE_NAME = "settings.ini"


def _folder() -> Path:
    """The settings folder; `INSIGHT_HOME` wins, so that tests and portable set-ups keep everything below one folder."""
    home = os.environ.get("INSIGHT_HOME")
    if home:
        return Path(home) / "config"
    base = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    return Path(base) / "insight-desktop"


def store() -> QSettings:
    """The settings file; opened per call, because `INSIGHT_HOME` may differ between two windows of one process."""
    return QSettings(str(_folder() / FILE_NAME), QSettings.Format.IniFormat)


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
