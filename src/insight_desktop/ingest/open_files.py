"""Opening the user's files without ever changing them: read-only SQLite, fingerprints, text decoding."""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import json
import os
import shutil
import sqlite3
import stat
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

import orjson

from insight_desktop.errors import BadFile

csv.field_size_limit((1 << 31) - 1)  # a cell may hold a whole call stack; the default of 128 KiB is an error
SQLITE_MAGIC = b"SQLite format 3\x00"
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
# What sqlite3 raises for damaged files; damaged names inside an error text come as UnicodeDecodeError.
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError, OverflowError)
_EDGE_BYTES = 64 * 1024
_COPY_AGAIN = "Copy the file again from where it was recorded, or export the data again."
_UNPACK = "Unpack it and open what is inside."
# First bytes of what stands in for data now and then: what it is, and what to do.
_STAND_INS: tuple[tuple[bytes, str, str], ...] = (
    (b"version https://git-lfs", "a Git LFS pointer: the data were not downloaded", "Fetch the file with `git lfs pull` and open it again."),
    (b"\x1f\x8b", "gzip data", _UNPACK),
    (b"PK\x03\x04", "a zip archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "zstd data", _UNPACK),
    (b"\xfd7zXZ\x00", "xz data", _UNPACK),
    (b"BZh", "bzip2 data", _UNPACK),
    (SQLITE_MAGIC, "an SQLite database", "Give the file its original name ending in .db."),
    (b"<!doctype", "an HTML page, as a server sends it in place of a file", "Download the file itself."),
    (b"<html", "an HTML page, as a server sends it in place of a file", "Download the file itself."),
)  # fmt: skip


@dataclass(frozen=True)
class SqliteFile:
    """An SQLite file that may be read.

    Attributes:
        path: the file that the user named.
        uri: for sqlite3 (`uri=True`) and ADBC; never writes beside the data.
        missing_bytes: how much shorter the file is than its header says; 0 when it is whole.
        copied: true when rows lived in a `-wal` or a hot journal, so that a private copy is read.
    """

    path: Path
    uri: str
    missing_bytes: int = 0
    copied: bool = False

    def connect(self) -> sqlite3.Connection:
        """A connection whose texts are decoded leniently (see `decode_text`).

        Raises BadFile when SQLite cannot read the schema.
        """
        try:
            connection = sqlite3.connect(self.uri, uri=True, check_same_thread=False)
            connection.text_factory = decode_text
            if self.missing_bytes:
                # Lets SQLite look at a file that is shorter than its header says, so that whole pages can be saved.
                connection.execute("PRAGMA writable_schema=ON")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except SQLITE_ERRORS as error:
            raise explain_sqlite(error, self.path, self.missing_bytes) from error
        return connection


def explain_sqlite(error: Exception, path: Path, missing_bytes: int = 0) -> BadFile:
    """What an SQLite error means for the user."""
    text = str(error)
    if missing_bytes:
        return truncated(path, missing_bytes)
    if "locked" in text or "busy" in text:
        return BadFile(f"{path.name} is locked by another program.", fix="Close the program that writes it.")
    if isinstance(error, UnicodeDecodeError):
        text = "names that are no text"
    if isinstance(error, UnicodeDecodeError) or "malformed" in text or "not a database" in text or "corrupt" in text:
        return BadFile(f"The database {path.name} is damaged ({text}).", fix=_COPY_AGAIN)
    return BadFile(f"The database {path.name} cannot be read ({text}).", fix=_COPY_AGAIN)


def truncated(path: Path, missing: int) -> BadFile:
    """The error for a database that is shorter than its header says and of which nothing can be used."""
    return BadFile(
        f"The database {path.name} is truncated: its last {missing:,} bytes are missing, nothing of it can be used.",
        fix=_COPY_AGAIN,
    )


@contextmanager
def open_sqlite(path: Path, scratch: Path | None = None, *, allow_truncated: bool = False) -> Iterator[SqliteFile]:
    """Open an SQLite file for reading only; nothing appears beside it and no lock is taken or waited for.

    A file with rows in a `-wal` or with a hot `-journal` is copied, together with that file, into a folder below
    `scratch` (the system's temporary folder when None), which is removed afterwards.

    Args:
        path: the database.
        scratch: where copies may be made.
        allow_truncated: hand on a file that is shorter than its header says (see `SqliteFile.missing_bytes`).

    Raises BadFile when the file is missing, empty, unreadable, no SQLite file, or truncated.
    """
    real = Path(os.path.realpath(path))
    head = read_head(real, 100, shown=path)
    _check_magic(path, head)
    sidecar = _sidecar(real)
    if sidecar is None:
        missing = _missing_bytes(head, real.stat().st_size)
        if missing and not allow_truncated:
            raise truncated(path, missing)
        yield SqliteFile(path, _uri(real, "mode=ro&immutable=1"), missing)
        return
    if scratch is not None:
        scratch.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="sqlite-", dir=scratch))
    try:
        copy = folder / real.name
        _copy(real, copy)
        _copy(sidecar, folder / sidecar.name)
        yield SqliteFile(path, _uri(copy, "mode=rw"), 0, copied=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stand_in(head: bytes) -> tuple[str, str]:
    """(what it is, what to do) for the first bytes of a pointer, an archive, a page or a file of another kind."""
    start = head[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    for magic, what, fix in _STAND_INS:
        if head.startswith(magic) or (magic[:1] == b"<" and start.lower().startswith(magic)):
            return what, fix
    return "", ""


def read_head(path: Path, size: int, *, shown: Path | None = None) -> bytes:
    """The first bytes of a file; raises BadFile when it is missing or may not be read."""
    name = shown or path
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe or device would make us wait
            raise BadFile(f"{name} is not a regular file.")
        with path.open("rb") as file:
            return file.read(size)
    except FileNotFoundError as error:
        raise BadFile(f"{name} does not exist.") from error
    except PermissionError as error:
        raise BadFile(f"No permission to read {name}.", fix="Change the rights of the file or its folder.") from error
    except OSError as error:
        raise BadFile(f"{name} cannot be read ({error.strerror or error}).") from error


def _check_magic(path: Path, head: bytes) -> None:
    if not head:
        raise BadFile(f"{path.name} is empty (0 bytes).", fix=_COPY_AGAIN)
    if head.startswith(SQLITE_MAGIC) and len(head) == 100:
        return
    if head.startswith(SQLITE_MAGIC[: len(head)]):
        raise BadFile(f"The database {path.name} is truncated: it has {len(head)} bytes only.", fix=_COPY_AGAIN)
    if not any(head):
        raise BadFile(
            f"{path.name} is not an SQLite database: it begins with zero bytes only, as after an interrupted copy.",
            fix=_COPY_AGAIN,
        )
    first = head[:16]
    shown = first.decode("ascii") if all(32 <= b < 127 for b in first) else first.hex(" ")
    what, fix = stand_in(head)
    if what:
        raise BadFile(f"{path.name} is not an SQLite database but {what} (it begins with “{shown}”).", fix=fix)
    raise BadFile(
        f"{path.name} is not an SQLite database: it begins with “{shown}”. It may be encrypted or of another format.",
        fix=_COPY_AGAIN,
    )


def _missing_bytes(head: bytes, size: int) -> int:
    page_size, pages = struct.unpack(">H", head[16:18])[0], struct.unpack(">I", head[28:32])[0]
    if head[24:28] != head[92:96]:  # written by an SQLite that does not keep the page count
        return 0
    return max(0, (65536 if page_size == 1 else page_size) * pages - size)


def _sidecar(real: Path) -> Path | None:
    """The file beside a database that holds rows (`-wal`) or undoes a broken write (`-journal`)."""
    wal, journal = Path(f"{real}-wal"), Path(f"{real}-journal")
    try:
        if wal.is_file() and wal.stat().st_size:
            return wal
        if journal.is_file() and read_head(journal, 8) == _JOURNAL_MAGIC:
            return journal
    except OSError:
        pass  # a side file that cannot be looked at is left alone; the database itself is still whole pages
    return None


def _copy(source: Path, target: Path) -> None:
    try:
        shutil.copyfile(source, target)
        target.chmod(0o600)
    except OSError as error:
        raise BadFile(
            f"{source.name} has to be copied before it can be read, which failed ({error.strerror or error}).",
            fix="Free some space in the cache folder, or close the program that writes the file.",
        ) from error


def _uri(path: Path, options: str) -> str:
    text = quote_from_bytes(os.fsencode(path.as_posix()), safe="/:")
    return f"file:{'' if text.startswith('/') else '/'}{text}?{options}"


def fingerprint(path: Path) -> dict[str, object]:
    """Facts that tell whether a file is still the same: size, mtime_ns, hash of its first and last 64 KiB.

    Raises BadFile when it cannot be read.
    """
    try:
        facts = path.stat()
        digest = hashlib.blake2b(digest_size=16)
        with path.open("rb") as file:
            digest.update(file.read(_EDGE_BYTES))
            if facts.st_size > _EDGE_BYTES:
                file.seek(max(_EDGE_BYTES, facts.st_size - _EDGE_BYTES))
                digest.update(file.read(_EDGE_BYTES))
    except OSError as error:
        raise BadFile(f"{path} cannot be read ({error.strerror or error}).") from error
    return {"size": facts.st_size, "mtime_ns": facts.st_mtime_ns, "hash": digest.hexdigest()}


def decode_text(raw: bytes) -> str:
    """UTF-8, else GB18030, else UTF-8 with replacement characters; never fails."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        pass
    try:
        return raw.decode("gb18030")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace")


def plain_text(raw: bytes) -> str:
    """Text of a small file whatever tool saved it: without byte order mark, from UTF-16, else as `decode_text`."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", "replace")
    return decode_text(raw.removeprefix(codecs.BOM_UTF8))


def parse_json(raw: bytes) -> Any:
    """Content of a JSON file; byte order marks, UTF-16, NaN and Infinity, which are no JSON, are accepted.

    Raises ValueError.
    """
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        pass
    text = plain_text(raw)
    try:
        found = json.loads(text, strict=False)
        if "\\ud" in text.lower():  # halves of surrogate pairs, which no text column takes
            found = json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
        return found
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def csv_rows(path: Path, *, most_bytes: int = -1) -> list[list[str]]:
    """Rows of a small csv, or those in its first bytes: with `,`, `;` or tabs between the cells, as `plain_text`.

    Raises OSError and csv.Error.
    """
    with path.open("rb") as file:
        text = plain_text(file.read(most_bytes)).replace("\0", "").lstrip("\r\n")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=lambda c: (head.count(c), c == ","))
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
