"""Looks at paths before an import: what is missing, unreadable, odd or very large. Runs off the window's thread."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlparse

MAX_ENTRIES = 1_000_000
MAX_PATH = 4096
GB = 1024**3
SIZE_LIMITS = {".csv": 2 * GB, ".json": 10 * GB, ".bin": 10 * GB, ".db": 10 * GB}

NAME_CONFLICT, UNSAFE, TOO_LARGE, KNOWN, TOO_LONG, MISSING, NOT_REGULAR, OTHER = 1, 2, 3, 4, 5, 6, 7, -1

# Codes with which the import may go on all the same.
PASSABLE = {NAME_CONFLICT, TOO_LARGE}


@dataclass(frozen=True)
class Problem:
    """One offending path: result code, what is wrong with it (a key of the import check dialog), a figure for the text."""

    path: Path
    code: int
    what: str
    value: str = ""

    @property
    def passable(self) -> bool:
        return self.code in PASSABLE


def clean_path(text: str) -> str:
    """A typed or pasted path: without blanks, quotes, `file://` and trailing separators; `~` is the home folder."""
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1].strip()
    if text.lower().startswith("file://"):
        parsed = urlparse(text)
        text = unquote(parsed.path)
        if parsed.netloc and parsed.netloc != "localhost":
            text = f"//{parsed.netloc}{text}"
        if os.name == "nt" and len(text) > 2 and text[0] == "/" and text[2] == ":":
            text = text[1:]
    if text.startswith("~"):
        text = str(Path(text).expanduser())
    bare = text.rstrip("/\\" if os.name == "nt" else "/")
    return bare or text[:1]


def check(paths: Iterable[Path]) -> list[Problem]:
    """Every offending path, breadth first, at most a million entries are looked at."""
    found: list[Problem] = []
    for path in paths:
        problem = _check_root(path)
        if problem is not None:
            found.append(problem)
        else:
            found.extend(_check_below(path))
    return found


def _check_root(path: Path) -> Problem | None:
    text = str(path)
    if len(text) > MAX_PATH:
        return Problem(path, TOO_LONG, "too long", str(len(text)))
    odd = next((c for c in text if unicodedata.category(c) == "Cc"), None)
    if odd is not None:
        return Problem(path, UNSAFE, "odd character", f"U+{ord(odd):04X}")
    try:
        if not path.exists():
            return Problem(path, MISSING, "missing")
        if not os.access(path, os.R_OK):
            return Problem(path, UNSAFE, "unreadable")
        if not (path.is_dir() or path.is_file()):
            return Problem(path, NOT_REGULAR, "not regular")
    except OSError as error:
        return Problem(path, OTHER, "other", error.strerror or str(error))
    return None


def _check_below(root: Path) -> list[Problem]:
    if root.is_file():
        problem = _check_file(root, _size(root))
        return [problem] if problem else []
    found: list[Problem] = []
    folders = deque([root])
    seen = 0
    while folders and seen < MAX_ENTRIES:
        try:
            entries = list(os.scandir(folders.popleft()))
        except OSError:
            continue  # discovery lists folders that cannot be opened in the import report
        for entry in entries:
            seen += 1
            try:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(Path(entry.path))
                elif entry.is_file(follow_symlinks=False) and Path(entry.name).suffix.lower() in SIZE_LIMITS:
                    problem = _check_file(Path(entry.path), entry.stat(follow_symlinks=False).st_size)
                    if problem:
                        found.append(problem)
            except OSError:
                continue
    return found


def _check_file(path: Path, size: int) -> Problem | None:
    limit = SIZE_LIMITS.get(path.suffix.lower())
    if limit is not None and size > limit:
        return Problem(path, TOO_LARGE, "large", str(size))
    return None


def _size(path: Path) -> int:
    try:
        info = path.stat()
    except OSError:
        return 0
    return info.st_size if stat.S_ISREG(info.st_mode) else 0
