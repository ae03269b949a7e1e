"""Where a block lies in the banks of on-chip memory: 16 groups of three banks, chunks of 32 bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

CHUNK, GROUPS, ROWS, BANKS = 32, 16, 128, 48
BYTES = BANKS * ROWS * CHUNK  # 192 KiB


@dataclass(frozen=True)
class Cell:
    """A part of a row of a bank; left and width are parts of the row's width, 0 to 1."""

    bank: int
    row: int
    left: float
    width: float


def place(address: int) -> tuple[int, int]:
    """(bank, row) of an address."""
    chunk = address // CHUNK
    return chunk % GROUPS + GROUPS * (chunk // (GROUPS * ROWS)), chunk % (GROUPS * ROWS) // GROUPS


def cells(address: int, size: int) -> Iterator[Cell]:
    """The cells of a block; what lies beyond the last bank is left out."""
    end = min(address + size, BYTES)
    at = max(0, address)
    while at < end:
        stop = min(end, (at // CHUNK + 1) * CHUNK)
        bank, row = place(at)
        yield Cell(bank, row, at % CHUNK / CHUNK, (stop - at) / CHUNK)
        at = stop
