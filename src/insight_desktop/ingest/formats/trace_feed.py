"""Bytes of a trace file in order, plain or gzip."""

from __future__ import annotations

import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from insight_desktop.errors import BadFile

_PIECE = 1 << 20
_STEP = 1 << 14  # packed bytes unpacked at once: what is before damage in them is searched byte by byte


class Feed:
    """Reads one file from front to back; gzip (several members too) is unpacked.

    Attributes:
        done_bytes: bytes of the file read so far (packed ones for gzip).
        problem: why reading ended before the file's end; empty when it did not.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done_bytes = 0
        self.problem = ""
        try:
            self._file: BinaryIO = path.open("rb", buffering=0)
            head = self._file.read(2)
            self._file.seek(0)
        except OSError as error:
            raise BadFile(
                f"{path.name} cannot be read: {error.strerror}.", fix="Check the path and your permission to read it."
            ) from error
        self.packed = head == b"\x1f\x8b"
        self._unpacker = zlib.decompressobj(31)
        self._waiting = memoryview(b"")  # packed bytes read but not yet unpacked
        self._ended = False

    def close(self) -> None:
        self._file.close()

    def read_into(self, target: memoryview) -> int:
        """Fill target as far as the data reach; returns bytes written, less than asked only at the end."""
        if self.packed:
            return self._unpack_into(target)
        got = 0
        while got < len(target):
            count = self._read_raw(target[got:])
            if count == 0:
                break
            got += count
        self.done_bytes += got
        return got

    def _read_raw(self, target: memoryview) -> int:
        try:
            return self._file.readinto(target) or 0  # type: ignore[attr-defined]
        except OSError as error:
            self.problem = f"reading stopped: {error.strerror}"
            return 0

    def _unpack_into(self, target: memoryview) -> int:
        got = 0
        while got < len(target) and not self._ended:
            if self._unpacker.eof and not self._next_member():
                break
            step = self._unpacker.unconsumed_tail
            if not step:
                if not self._waiting:
                    self._waiting = memoryview(self._next_packed())
                step, self._waiting = bytes(self._waiting[:_STEP]), self._waiting[_STEP:]
            if not step:
                self._ended = True
                self.problem = "the gzip data end early"
            before = self._unpacker.copy()
            try:
                data = self._unpacker.decompress(step, len(target) - got)
            except zlib.error as error:
                data = self._before_damage(before, step, len(target) - got)
                self._ended = True
                at = self.done_bytes - len(self._waiting)
                self.problem = f"the gzip data are damaged near packed byte {at} ({error})"
            target[got : got + len(data)] = data
            got += len(data)
        return got

    def _next_member(self) -> bool:
        """Begin the next member behind an ended one; false at the end of the file."""
        rest = (self._unpacker.unused_data + bytes(self._waiting)).lstrip(b"\x00")
        while not rest:
            rest = self._next_packed()
            if not rest:
                self._ended = True
                return False
            rest = rest.lstrip(b"\x00")
        self._waiting = memoryview(rest)
        self._unpacker = zlib.decompressobj(31)
        return True

    @staticmethod
    def _before_damage(unpacker: Any, step: bytes, room: int) -> bytes:
        """What can be unpacked of a piece in which the damage lies; zlib drops all of it when it fails."""
        found = bytearray()
        with suppress(zlib.error):
            for at in range(len(step)):
                if len(found) == room:
                    break
                found += unpacker.decompress(step[at : at + 1], room - len(found))
        return bytes(found)

    def _next_packed(self) -> bytes:
        buffer = bytearray(_PIECE)
        count = self._read_raw(memoryview(buffer))
        self.done_bytes += count
        return bytes(buffer[:count])
