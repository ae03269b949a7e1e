"""A first-fit allocator that replays the life of blocks: addresses of a plan are simulated, not read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


class Allocator:
    """Memory that grows at the top; free pieces are taken in the order of their addresses."""

    def __init__(self) -> None:
        self._free: list[tuple[int, int]] = []  # address, size; ascending, never touching
        self.top = 0

    def alloc(self, size: int) -> int:
        """Address of a new block: in the first free piece that is large enough, else at the top. Size 0 gives 0."""
        if size <= 0:
            return 0
        for i, (address, room) in enumerate(self._free):
            if room >= size:
                if room == size:
                    del self._free[i]
                else:
                    self._free[i] = address + size, room - size
                return address
        address = self.top
        self.top += size
        return address

    def free(self, address: int, size: int) -> None:
        """Give a block back; it joins its free neighbours, and the top sinks when nothing lies above."""
        if size <= 0:
            return
        i = bisect_left(self._free, (address, 0))
        if i < len(self._free) and address + size >= self._free[i][0]:
            size = max(size, sum(self._free.pop(i)) - address)
        if i and sum(self._free[i - 1]) >= address:
            i -= 1
            before, held = self._free.pop(i)
            address, size = before, max(held, address + size - before)
        if address + size >= self.top:
            self.top = address
        else:
            self._free.insert(i, (address, size))


def replay(blocks: Sequence[tuple[int, int, int]]) -> list[int]:
    """Addresses of blocks (start, end, size): in order of time, at equal times frees first.

    A block that ends where it starts is allocated and freed at once.
    """
    events: list[tuple[int, int, int, int]] = []  # time, 0 free or 1 allocate or 2 free at once, order, block
    for i, (start, end, _) in enumerate(blocks):
        events.append((start, 1, i, i))
        if end > start:
            events.append((end, 0, i, i))
    memory = Allocator()
    address = [0] * len(blocks)
    for _, what, _, i in sorted(events):
        start, end, size = blocks[i]
        if what == 0:
            memory.free(address[i], size)
            continue
        address[i] = memory.alloc(size)
        if end <= start:
            memory.free(address[i], size)
    return address
