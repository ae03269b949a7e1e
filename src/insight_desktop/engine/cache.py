"""The per-user cache of captures: found by what the source is, written whole or not at all, shared by all windows.

Below the root lie `<key>/` (captures), `<key>.lock` (held while one is written), `<key>.<owner>.….pin` (there while one
is open; `<owner>.owner` is held by its process), `tmp-<key>-…` (being written) and `old-<key>-…` (being deleted).
Locks are those of the operating system: when a process dies they are free, and what it left half-written is swept by
the next one.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from insight_desktop.engine import fillers, places
from insight_desktop.engine.capture import FORMAT_VERSION, Manifest
from insight_desktop.errors import BadFile, InsightError
from insight_desktop.ingest.sources import Source

LIMIT_BYTES = 50 * 1000**3
_POLL_S = 0.05
_GRACE_S = 60  # captures used this recently stay: their window may be about to open them
_LOOK_AGAIN_S = 5.0  # how long the room of all captures is known once it was counted: there may be thousands of them
_FULL = {errno.ENOSPC, errno.EDQUOT}


def capture_key(source: Source) -> str:
    """Name of the capture of a source: changes with path, size or time of any file, with the format and its version, and with
    the options of the source.
    """
    files = [("", path) for path in source.files]
    # Rows of a database may still lie in its write-ahead log.
    files += [("wal", log) for log in (path.with_name(path.name + "-wal") for path in source.files) if log.exists()]
    facts: list[object] = [source.format, source.kind, FORMAT_VERSION, fillers.version(source)]
    for role, path in (*files, *source.extras):
        size, mtime_ns = -1, -1
        with suppress(OSError):
            stat = path.stat()
            size, mtime_ns = stat.st_size, stat.st_mtime_ns
        facts.append([role, os.path.realpath(path), size, mtime_ns])
    if source.options:
        facts.append(sorted(source.options))
    return hashlib.blake2b(json.dumps(facts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def default_root() -> Path:
    """Where captures lie when nothing else is asked for."""
    return places.captures_dir()


class Cache:
    """Captures on disk.

    Args:
        root: folder of the cache; made when it is not there.
        limit_bytes: when all captures together are larger, those not used for longest go, never an open one or
            one that was used in the last minute.
    """

    def __init__(self, root: Path | None = None, limit_bytes: int = LIMIT_BYTES) -> None:
        self.root = Path(root) if root is not None else default_root()
        self.limit_bytes = limit_bytes
        self._sizes: dict[str, tuple[int, int]] = {}  # folder time and bytes per capture
        self._room, self._looked = 0, -_LOOK_AGAIN_S  # bytes of all captures, and when they were counted
        self._owner: _Lock | None = None  # held as long as this object lives; all its pins hang on it
        try:
            self.root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _trouble(error, self.root) from error
        self.sweep()

    def find(self, key: str) -> Path | None:
        """Folder of a whole capture, marked as used now; None when there is none."""
        folder = self.root / key
        try:
            Manifest.read(folder)
            os.utime(folder / "manifest.json")
        except BadFile:
            return None
        except OSError:
            pass  # a cache that can only be read is still good to read
        return folder

    @contextmanager
    def create(
        self, key: str, *, fresh: bool = False, waiting: Callable[[], None] | None = None
    ) -> Iterator[Path | None]:
        """Write a capture: yields an empty folder that becomes the capture when the block ends without an error.

        Yields None when the capture is there already, e.g. because another process wrote it meanwhile.

        Args:
            key: from `capture_key`.
            fresh: write it although it is there; the old one is replaced at the end.
            waiting: called again and again while another process writes the same capture; may raise.

        Raises:
            InsightError: disk full or not writable; nothing is left behind.
        """
        try:
            lock = _Lock(self.root / f"{key}.lock")
            while not lock.take():
                if waiting is not None:
                    waiting()
                time.sleep(_POLL_S)
        except OSError as error:
            raise _trouble(error, self.root) from error
        try:
            if not fresh and self.find(key) is not None:
                yield None
                return
            folder = self.root / f"tmp-{key}-{uuid.uuid4().hex[:8]}"
            try:
                folder.mkdir()
                yield folder
                Manifest.read(folder)
                self._replace(folder, key)
            except OSError as error:
                raise _trouble(error, self.root) from error
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            lock.release()
        self._room += self._size(key)
        if self._room > self.limit_bytes or time.monotonic() - self._looked > _LOOK_AGAIN_S:
            self.evict(keep=key)

    def _replace(self, folder: Path, key: str) -> None:
        final = self.root / key
        if final.exists():
            self._discard(key)
        folder.rename(final)
        self._sizes.pop(key, None)

    def _discard(self, key: str) -> None:
        """Take a capture out of sight at once, then delete it; windows that have it mapped keep their view."""
        aside = self.root / f"old-{key}-{uuid.uuid4().hex[:8]}"
        with suppress(FileNotFoundError):
            (self.root / key).rename(aside)
        self._sizes.pop(key, None)
        shutil.rmtree(aside, ignore_errors=True)

    def drop(self, key: str) -> None:
        """Delete a capture, so that the data are read anew."""
        self._discard(key)

    def pin(self, key: str) -> Pin:
        """Keep a capture while it is open; released by `Pin.release`, by `with`, or when the process ends."""
        if self._owner is None:
            self._owner = _Lock(self.root / f"{os.getpid()}-{uuid.uuid4().hex[:8]}.owner")
            with suppress(OSError):  # a cache that can only be read never evicts
                self._owner.take()
        return Pin(self.root / f"{key}.{self._owner.name}.{uuid.uuid4().hex[:8]}.pin")

    def is_pinned(self, key: str) -> bool:
        """True while any process has the capture open."""
        pinned = False
        for path in self.root.glob(f"{key}.*.pin"):
            owner = self.root / f"{path.name.split('.')[1]}.owner"
            lock = _Lock(owner)
            with suppress(OSError):
                if owner.exists() and not lock.take():
                    pinned = True
                    continue
                lock.release(delete=True)  # its process is gone
                path.unlink(missing_ok=True)
        return pinned

    def keys(self) -> list[str]:
        """All whole captures, least recently used first."""
        found = []
        for folder in self.root.iterdir():
            with suppress(OSError):
                found.append(((folder / "manifest.json").stat().st_mtime_ns, folder.name))
        return [key for _, key in sorted(found) if not key.startswith(("tmp-", "old-"))]

    def size(self) -> int:
        """Bytes of all captures."""
        return sum(self._size(key) for key in self.keys())

    def _size(self, key: str) -> int:
        folder = self.root / key
        with suppress(OSError):
            # Pages add tables to a capture; that changes the time of its folder.
            time_ns = folder.stat().st_mtime_ns
            known = self._sizes.get(key)
            if known is None or known[0] != time_ns:
                self._sizes[key] = (time_ns, sum(path.stat().st_size for path in folder.iterdir()))
            return self._sizes[key][1]
        return 0

    def evict(self, keep: str = "") -> list[str]:
        """Delete captures, least recently used first, until the limit holds; open ones and `keep` stay."""
        keys = self.keys()
        total = sum(self._size(key) for key in keys)
        gone = []
        for key in keys:
            if total <= self.limit_bytes:
                break
            if key == keep or self._is_recent(key) or self.is_pinned(key):
                continue
            total -= self._size(key)
            self._discard(key)
            gone.append(key)
        self._room, self._looked = total, time.monotonic()
        return gone

    def _is_recent(self, key: str) -> bool:
        with suppress(OSError):
            return time.time() - (self.root / key / "manifest.json").stat().st_mtime < _GRACE_S
        return False

    def sweep(self) -> None:
        """Remove what processes that died left behind."""
        for folder in [*self.root.glob("tmp-*"), *self.root.glob("old-*")]:
            key = folder.name.split("-")[1]
            lock = _Lock(self.root / f"{key}.lock")
            with suppress(OSError):
                if lock.take():
                    shutil.rmtree(folder, ignore_errors=True)
                    lock.release()
        for path in self.root.glob("*.owner"):
            owner = _Lock(path)
            with suppress(OSError):
                # A young one may have been made by a process that is about to lock it.
                if time.time() - path.stat().st_mtime > _GRACE_S and owner.take():
                    for pin in self.root.glob(f"*.{owner.name}.*.pin"):
                        pin.unlink(missing_ok=True)
                    owner.release(delete=True)


class Pin:
    """Holds a capture in the cache while it is open: a file beside it, valid as long as the owner's lock is held."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with suppress(OSError):
            path.touch()

    def release(self) -> None:
        """Let the capture go."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def __enter__(self) -> Pin:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class _Lock:
    """An exclusive lock on a file, freed by the operating system when the process ends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    @property
    def name(self) -> str:
        return self._path.stem

    def take(self) -> bool:
        """Take the lock; False when somebody else has it."""
        file = self._path.open("a+b")
        if _lock_file(file):
            # The file may have been deleted between opening and locking; such a lock would bind nobody.
            with suppress(OSError):
                if os.path.samestat(os.fstat(file.fileno()), self._path.stat()):
                    self._file = file
                    return True
        file.close()
        return False

    def release(self, *, delete: bool = False) -> None:
        """Give the lock back."""
        if self._file is None:
            return
        if delete:
            with suppress(OSError):
                self._path.unlink()
        self._file.close()
        self._file = None


def _lock_file(file: BinaryIO) -> bool:
    try:
        import fcntl
    except ImportError:
        return _lock_file_windows(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lock_file_windows(file: BinaryIO) -> bool:
    import msvcrt

    try:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return False
    return True


def _trouble(error: OSError, root: Path) -> InsightError:
    if error.errno in _FULL:
        return InsightError(
            f"The disk that holds {root} is full; the half-written capture was removed.",
            fix="Free some space, lower the cache limit in the settings, or choose another folder with --cache.",
        )
    return InsightError(
        f"The cache folder {root} cannot be written ({error.strerror or error}).",
        fix="Choose another folder with --cache or INSIGHT_HOME.",
    )
