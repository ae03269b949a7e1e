"""Which registers are in use at each instruction, as tracks: a register keeps its track as long as it lives."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

BEGIN, END, IN_USE = 0, 1, 2
SPACE, READ, WRITE, READ_WRITE, USED = range(5)


@dataclass(frozen=True)
class Track:
    """A register at one instruction.

    Attributes:
        name: of the register.
        state: 0 nothing, 1 read, 2 written, 3 both, 4 in use.
        progress: BEGIN, END or IN_USE.
        length: how many instructions it lives.
    """

    name: str
    state: int
    progress: int
    length: int


def tracks(status: Iterable[str | None]) -> list[list[Track | None]]:
    """Tracks of each instruction, in the order of the addresses; None is a free track.

    Args:
        status: JSON text of `GPR Status` of each instruction.
    """
    out: list[list[Track | None]] = []
    living: dict[str, tuple[int, int, int]] = {}  # slot, instructions left, length
    taken: set[int] = set()
    for text in status:
        found: dict[int, Track] = {}
        for entry in _entries(text):
            name, state = _text(entry.get("regIndex")), _count(entry.get("regStatus"))
            if name in living:
                slot, left, length = living[name]
                left -= 1
                progress = END if left <= 0 else IN_USE
            else:
                slot = next(i for i in range(len(taken) + 1) if i not in taken)
                taken.add(slot)
                length = _count(entry.get("survivalTime"))
                left, progress = length - 1, BEGIN
            living[name] = slot, left, length
            found[slot] = Track(name, state, progress, length)
        out.append([found.get(slot) for slot in range(max(found, default=-1) + 1)])
        for name in [name for name, (_, left, _) in living.items() if left <= 0]:
            taken.discard(living.pop(name)[0])
    return out


def _entries(text: str | None) -> list[dict[str, Any]]:
    if not text:
        return []
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(value)
