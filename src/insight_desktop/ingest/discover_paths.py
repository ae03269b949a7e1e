"""Paths as people give them (quoted, `file://`, `~`) and as they can be shown (odd bytes, line breaks)."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes

from insight_desktop.errors import BadArgument, BadFile

_QUOTES = ("''", '""', "``", "“”", "‘’", "«»")
_DIGITS = re.compile(r"(\d+)")
_WINDOWS_DRIVE = re.compile(r"^/[A-Za-z]:")


def shown(path: str | Path) -> str:
    """A path or name as printable text: bytes that are not UTF-8 and control characters appear as escapes."""
    text = os.fsencode(str(path)).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that orders digits by value: `rank_2` before `rank_10`."""
    parts = _DIGITS.split(text)
    return tuple((1, int(p), p) if i % 2 else (0, 0, p.casefold()) for i, p in enumerate(parts) if p)


def clean_path(given: str | Path) -> Path:
    """The existing absolute path that was meant.

    The text is tried as it stands first, so a folder whose name really holds quotes, blanks or percent signs opens;
    then without blanks and quotes around it, as a `file://` address, and with `~` for the home folder.

    Raises BadArgument for an empty path, BadFile when nothing is there (with the nearest folder that exists).
    """
    text = str(given)
    if not text.strip():
        raise BadArgument("No path was given.", fix="Choose a profiling folder or a trace file.")
    if "\0" in text:
        raise BadArgument(f"The path {shown(text)} holds a zero byte.", fix="Choose the file or folder again.")
    tried = list(dict.fromkeys(_meanings(text)))
    denied: OSError | None = None
    for candidate in tried:
        path = Path(os.path.abspath(candidate))  # noqa: PTH100 - Path.absolute keeps "..", resolve follows links
        try:
            path.stat()
        except PermissionError as error:
            denied = error
        except OSError:
            continue
        else:
            return path
    if denied is not None:
        raise BadFile(
            f"{shown(text)} cannot be reached: access to a folder on the way is denied.",
            fix="Ask the owner for read permission, or copy the data to a folder that you can read.",
        )
    raise _missing(Path(os.path.abspath(tried[-1])))  # noqa: PTH100 - as above


def _meanings(text: str) -> list[str]:
    found = [text]
    for _ in range(2):  # 'file:///x y' in quotes: the quotes go first, then the address is read
        text = text.strip()
        if len(text) > 1 and text[0] + text[-1] in _QUOTES:
            text = text[1:-1]
        found.append(text)
    if text[:5].lower() == "file:":
        rest = text[5:]
        if rest.startswith("//"):
            rest = rest[2:]
            host, slash, tail = rest.partition("/")
            if slash and host.lower() in ("", "localhost"):
                rest = "/" + tail
        text = os.fsdecode(unquote_to_bytes(rest.encode("utf-8", "surrogateescape")))
        if os.name == "nt" and _WINDOWS_DRIVE.match(text):
            text = text[1:]
        found.append(text)
    if text.startswith("~"):
        found.append(os.path.expanduser(text))  # noqa: PTH111 - Path.expanduser raises for an unknown user
    return [one for one in found if one]


def _missing(path: Path) -> BadFile:
    try:
        path.stat()
    except OSError as error:
        if error.errno == 36 or getattr(error, "winerror", 0) == 206:  # ENAMETOOLONG
            return BadFile("The path is longer than the system allows.", fix="Move the data to a shorter path.")
    nearest = path
    while nearest != nearest.parent and not nearest.exists():
        nearest = nearest.parent
    if path.is_symlink():
        return BadFile(
            f"{shown(path)} is a symbolic link to something that does not exist.", fix="Open the target itself."
        )
    return BadFile(
        f"{shown(path)} does not exist.",
        fix=f"The nearest folder that exists is {shown(nearest)}. Check the spelling, or whether a drive is mounted.",
    )
