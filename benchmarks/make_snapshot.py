"""Writes memory snapshots of any length, event by event, without holding them in memory."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

MIB = 1 << 20
SIZES = (40, 512, 3000, 61440, 716800, 2 * MIB, 5 * MIB, 12 * MIB)
_LIVE = 1500  # blocks that live at a time
_STREAM = 1001
_STACKS = 60
_BASE = 0x12C041200000


def write(path: Path, events: int) -> Path:
    """A pickle (protocol 4) of one device with about `events` events; an existing file is used again."""
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        _Writer(file).write(events)
    part.rename(path)
    return path


class _Writer:
    """Writes opcodes; texts and stacks are put into the memo once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._memo: dict[str, int] = {}
        self._count = 0
        self._stacks: dict[int, int] = {}

    def _text(self, value: str) -> bytes:
        if value in self._memo:
            return self._get(self._memo[value])
        data = value.encode()
        self._memo[value] = self._count
        self._count += 1
        return b"\x8c" + bytes([len(data)]) + data + b"\x94"

    @staticmethod
    def _get(index: int) -> bytes:
        return b"h" + bytes([index]) if index < 256 else b"j" + struct.pack("<I", index)

    @staticmethod
    def _int(value: int) -> bytes:
        if 0 <= value < 256:
            return b"K" + bytes([value])
        if 0 <= value < 65536:
            return b"M" + struct.pack("<H", value)
        if -(2**31) <= value < 2**31:
            return b"J" + struct.pack("<i", value)
        data = value.to_bytes((value.bit_length() + 8) // 8, "little", signed=True)
        return b"\x8a" + bytes([len(data)]) + data

    def _dict(self, *parts: Callable[[], bytes] | str) -> bytes:
        """Keys and values in turn; values are made in order, because every text counts in the memo."""
        self._count += 1
        out = [b"}\x94("]
        for part in parts:
            out.append(self._text(part) if isinstance(part, str) else part())
        return b"".join([*out, b"u"])

    def _whole(self, value: int) -> Callable[[], bytes]:
        return lambda: self._int(value)

    def _word(self, value: str) -> Callable[[], bytes]:
        return lambda: self._text(value)

    def _stack(self, number: int) -> bytes:
        """A list of frames, the first time in full."""
        if number in self._stacks:
            return self._get(self._stacks[number])
        self._stacks[number] = self._count
        self._count += 1
        out = [b"]\x94("]
        for depth in range(12):
            out.append(self._dict(
                "filename", self._word(f"/app/m{depth}.py"), "line", self._whole(10 * number + depth),
                "name", self._word(f"layer{number % 7}"),
            ))  # fmt: skip
        return b"".join([*out, b"e"])

    def write(self, events: int) -> None:
        """The whole pickle."""
        put = self._file.write
        put(b"\x80\x04}\x94(")
        self._count += 1
        put(self._text("device_traces") + b"]\x94]\x94")
        self._count += 2
        live = self._events(put, events)
        put(b"a" + self._text("segments") + b"]\x94(")
        self._count += 1
        for address, (size, requested) in sorted(live.items()):
            put(self._dict(
                "device", self._whole(0), "address", self._whole(address), "total_size", self._whole(size),
                "stream", self._whole(_STREAM), "segment_type", self._word("large"),
                "blocks", lambda a=address, s=size, r=requested: b"](" + self._block(a, s, r) + b"e",
            ))  # fmt: skip
        put(b"eu.")

    def _block(self, address: int, size: int, requested: int) -> bytes:
        return self._dict(
            "address", self._whole(address), "size", self._whole(size), "requested_size", self._whole(requested),
            "state", self._word("active_allocated"),
        )  # fmt: skip

    def _events(self, put: Callable[[bytes], int], events: int) -> dict[int, tuple[int, int]]:
        """The trace; returns what lives at its end: address → (size, requested)."""
        rnd = random.Random(5)
        live: dict[int, tuple[int, int]] = {}
        order: list[int] = []
        slots = list(range(2 * _LIVE))
        done = 0
        put(b"(")
        while done < events:
            if len(order) < _LIVE // 2 or (len(order) < _LIVE and rnd.random() < 0.5):
                slot, requested = slots.pop(rnd.randrange(len(slots))), rnd.choice(SIZES)
                address = _BASE + slot * 16 * MIB
                size = max(512, -(-requested // 512) * 512)
                live[address] = (size, requested)
                order.append(address)
                batch = [("segment_alloc", size), ("alloc", requested)]
            else:
                address = order.pop(rnd.randrange(len(order)))
                size, requested = live.pop(address)
                slots.append((address - _BASE) // (16 * MIB))
                batch = [("free_requested", requested), ("free_completed", requested), ("segment_free", size)]
            number = rnd.randrange(_STACKS)
            for action, amount in batch:
                put(self._dict(
                    "action", self._word(action), "addr", self._whole(address), "size", self._whole(amount),
                    "stream", self._whole(_STREAM), "frames", lambda n=number: self._stack(n),
                ))  # fmt: skip
                done += 1
                if done % 1000 == 0:
                    put(b"e(")
        put(b"e")
        return live
