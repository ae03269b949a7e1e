"""The session files that were saved or opened last; kept in the settings."""

from __future__ import annotations

import json
import time
from pathlib import Path

from insight_desktop.views.common import settings
from insight_desktop.views.common.language import tr
from insight_desktop.views.recent_list import MOVED, NORMAL, Recent

KEY = "recent_sessions"
MOST = 10


def rows() -> list[Recent]:
    """Rows for the start page, the newest first."""
    found = []
    for path_text, opened_at in _entries():
        path = Path(path_text)
        state = NORMAL if path.exists() else MOVED
        found.append(Recent(path.stem, path, "session", tr("session"), opened_at, state, None, "bookmark-simple"))
    return found


def remember(path: Path) -> None:
    """Put a session at the top."""
    others = [entry for entry in _entries() if Path(entry[0]) != path]
    settings.write(KEY, json.dumps([(str(path), time.time()), *others][:MOST]))


def forget(path: Path) -> None:
    """Take a session off the list; the file stays."""
    settings.write(KEY, json.dumps([entry for entry in _entries() if Path(entry[0]) != path]))


def _entries() -> list[tuple[str, float]]:
    try:
        return [(str(path), float(at)) for path, at in json.loads(settings.read(KEY, "[]"))]
    except (ValueError, TypeError):
        return []
