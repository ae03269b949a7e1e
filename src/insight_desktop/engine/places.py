"""Where settings, projects, autosaves, captures and logs live. Nothing is created here; who writes makes the folder.

`INSIGHT_HOME` puts everything below one folder; `INSIGHT_CACHE` (set by `use_cache`, and so by `--cache DIR`) moves the
captures alone. Environment variables, because worker processes inherit them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import platformdirs

_NAME = "insight-desktop"


def _from_environment(variable: str) -> Path | None:
    text = os.environ.get(variable, "").strip()
    return Path(text).expanduser().absolute() if text else None


def _place(kind: str, usual: Callable[..., Path]) -> Path:
    home = _from_environment("INSIGHT_HOME")
    return home / kind if home else _usual(usual)


@lru_cache
def _usual(ask: Callable[..., Path]) -> Path:
    # Settings are read hundreds of times while a page is built; the platform's answer does not change meanwhile.
    return ask(_NAME, appauthor=False)


def config_dir() -> Path:
    """Settings."""
    return _place("config", platformdirs.user_config_path)


def data_dir() -> Path:
    """Project list and autosaved sessions: what the user would miss."""
    return _place("data", platformdirs.user_data_path)


def cache_dir() -> Path:
    """Captures and other things that can be made again."""
    return _from_environment("INSIGHT_CACHE") or _place("cache", platformdirs.user_cache_path)


def log_dir() -> Path:
    """Log files."""
    return _place("log", platformdirs.user_log_path)


def use_cache(folder: str | Path | None) -> None:
    """Put the cache into this folder, for this process and its workers; None goes back to the usual place."""
    if folder is None:
        os.environ.pop("INSIGHT_CACHE", None)
    else:
        os.environ["INSIGHT_CACHE"] = str(Path(folder).expanduser().absolute())


def settings_file() -> Path:
    """Settings of the window."""
    return config_dir() / "settings.ini"


def projects_file() -> Path:
    """The project list."""
    return data_dir() / "projects.json"


def autosave_dir() -> Path:
    """One autosaved session per project."""
    return data_dir() / "autosave"


def captures_dir() -> Path:
    """Parsed sources."""
    return cache_dir() / "captures"


def spill_dir() -> Path:
    """Temporary files of queries that do not fit into memory."""
    return cache_dir() / "spill"


def kernels_dir() -> Path:
    """Compiled kernels, for installations that cannot be written."""
    return cache_dir() / "kernels"
