"""A safe look at a folder tree: names and sizes only, no way out through links, no loops, no stop at a locked folder."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from insight_desktop.ingest.discover_paths import natural_key, shown
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Ignored

MAX_DEPTH = 8  # folder levels below the chosen one that are searched
DEEPEST = 64  # levels that are searched when the first MAX_DEPTH hold nothing
MAX_ENTRIES = 1_000_000
MAX_IGNORED = 500

_RAW_IN_PROF = re.compile(r"^(device_\d+|host|mindstudio_profiler_log|sqlite|data)$")
_NEVER_DATA = {".git", ".svn", ".hg", "__pycache__", "node_modules"}

Key = tuple[int, int] | str


@dataclass(frozen=True)
class File:
    """One regular file: size, identity (device and inode), and whether a symbolic link led to it."""

    path: Path
    size: int
    key: Key
    is_link: bool = False


@dataclass
class Folder:
    """One folder that was read.

    Attributes:
        files, folders: by name, in natural order.
        raw: names of sub-folders with unprocessed collector data, not entered.
        root: the chosen folder it lies in.
    """

    path: Path
    depth: int
    root: Path
    parent: Folder | None = None
    files: dict[str, File] = field(default_factory=dict)
    folders: dict[str, Folder] = field(default_factory=dict)
    raw: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.path.name


class Walk:
    """The folders below the chosen ones, in breadth-first natural order.

    Links are followed when their target stays inside a chosen folder; a folder is read once, however many links lead
    to it, and the real one comes before its links.
    """

    def __init__(
        self,
        report: Report,
        roots: Sequence[Path],
        *,
        max_depth: int = MAX_DEPTH,
        max_entries: int = MAX_ENTRIES,
    ) -> None:
        self.report = report
        self.folders: list[Folder] = []
        self.ignored: list[Ignored] = []
        self.too_deep: list[Folder] = []
        self._more_ignored = 0
        self._real_roots = [os.path.realpath(root) for root in roots]
        self._seen: set[Key] = set()
        self._left = max_entries
        self._max_entries = max_entries
        self._max_depth = max_depth
        self._queue: deque[Folder] = deque()
        self._links: deque[Folder] = deque()
        for root in roots:
            self._queue.append(Folder(root, 0, root))
            self._run()

    def go_deeper(self) -> None:
        """Read the folders that lie below the usual depth too."""
        self._max_depth = DEEPEST
        self._queue.extend(self.too_deep)
        self.too_deep = []
        self._run()

    def ignore(self, path: Path, reason: str) -> None:
        """List a file or folder as left out; the list is capped, the rest is counted."""
        if len(self.ignored) < MAX_IGNORED:
            self.ignored.append(Ignored(path, reason))
        else:
            self._more_ignored += 1

    @property
    def more_ignored(self) -> int:
        """How many were left out beyond the list."""
        return self._more_ignored

    def _run(self) -> None:
        while self._queue or self._links:
            folder = self._queue.popleft() if self._queue else self._links.popleft()
            if folder.depth > self._max_depth:
                self.too_deep.append(folder)
            elif self._left > 0:
                self._read(folder)

    def _read(self, folder: Folder) -> None:
        try:
            key = _key(folder.path, folder.path.stat())
            if key in self._seen:
                if folder.parent is not None:
                    self.ignore(folder.path, "the same folder was read already (link or loop)")
                return
            self._seen.add(key)
            with os.scandir(folder.path) as scan:
                entries = sorted(scan, key=lambda entry: natural_key(entry.name))
        except OSError as error:
            self._failed(folder.path, error)
            return
        self.folders.append(folder)
        if folder.parent is not None:
            folder.parent.folders[folder.name] = folder
        for entry in entries:
            self._left -= 1
            if self._left <= 0:
                self.report.issue(
                    "discover.too_many",
                    "warning",
                    shown(folder.path),
                    f"More than {self._max_entries:,} files and folders: the rest was not looked at.",
                    fix="Open a folder closer to the data.",
                )
                return
            try:
                self._entry(folder, entry)
            except OSError as error:
                self._failed(Path(entry.path), error)

    def _entry(self, folder: Folder, entry: os.DirEntry[str]) -> None:
        path = Path(entry.path)
        link = entry.is_symlink()
        if link and not self._inside(path):
            reason = "symbolic link that leaves the opened folder; open its target itself to read it"
            self.ignore(path, reason if path.exists() else "symbolic link to something that does not exist")
            return
        if entry.is_dir():
            if entry.name in _NEVER_DATA:
                return
            if entry.name == "FRAMEWORK" or (folder.name.startswith("PROF_") and _RAW_IN_PROF.match(entry.name)):
                folder.raw.append(entry.name)
                return
            child = Folder(path, folder.depth + 1, folder.root, folder)
            (self._links if link else self._queue).append(child)
        elif entry.is_file():
            info = entry.stat()
            folder.files[entry.name] = File(path, info.st_size, _key(path, info), link)
        else:
            self.ignore(path, "neither a file nor a folder (pipe, socket or device)")

    def _inside(self, path: Path) -> bool:
        target = os.path.realpath(path)
        return path.exists() and any(
            target == r or target.startswith(r.rstrip(os.sep) + os.sep) for r in self._real_roots
        )

    def _failed(self, path: Path, error: OSError) -> None:
        if isinstance(error, PermissionError):
            no_permission(self.report, path)
        elif isinstance(error, FileNotFoundError):
            self.report.issue(
                "discover.vanished", "warning", shown(path), f"{shown(path)} disappeared while it was looked at."
            )
        else:
            self.report.issue(
                "discover.unreadable",
                "warning",
                shown(path),
                f"{shown(path)} cannot be read: {error.strerror or error}. The rest is kept.",
            )


def no_permission(report: Report, path: Path) -> None:
    """Record that a file or folder may not be read."""
    report.issue(
        "discover.no_permission",
        "warning",
        shown(path),
        f"No permission to read {shown(path)}: access denied. It was left out, the rest is kept.",
        fix="Ask the owner for read permission and open the folder again.",
    )


def _key(path: Path, info: os.stat_result) -> Key:
    return (info.st_dev, info.st_ino) if info.st_ino else os.path.realpath(path)
