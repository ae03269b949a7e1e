"""Bytes of a trace file in order, plain or gzip."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import BinaryIO

from insight_desktop.errors import BadFile

_PIECE = 1 << 20


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
            waiting = self._unpacker.unconsumed_tail or self._unpacker.unused_data
            if self._unpacker.eof:
                waiting = waiting.lstrip(b"\x00") or self._next_packed().lstrip(b"\x00")
                if not waiting:
                    self._ended = True
                    break
                self._unpacker = zlib.decompressobj(31)
            elif not waiting:
                waiting = self._next_packed()
                if not waiting:
                    self._ended = True
                    self.problem = "the gzip data end early"
            try:
                data = self._unpacker.decompress(waiting, min(len(target) - got, 4 * _PIECE))
            except zlib.error as error:
                self._ended = True
                self.problem = f"the gzip data are damaged near packed byte {self.done_bytes} ({error})"
                break
            target[got : got + len(data)] = data
            got += len(data)
        return got

    def _next_packed(self) -> bytes:
        buffer = bytearray(_PIECE)
        count = self._read_raw(memoryview(buffer))
        self.done_bytes += count
        return bytes(buffer[:count])
