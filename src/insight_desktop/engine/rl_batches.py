"""Micro batches of a reinforcement learning task: forward and backward passes from the slices inside it.

Two state machines: Megatron marks forward and backward passes by name, FSDP shows them in the calls of its framework.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

from insight_desktop.engine.rl_config import BACKWARD, FORWARD

MARKER = "marker"  # end of a backward pass of FSDP


@dataclass(frozen=True)
class Pass:
    """One slice or micro batch: kind (FP, BP or MARKER), raw start and end in ns, and the id of the (first) slice."""

    kind: str
    start_ns: int
    end_ns: int
    slice_id: int = -1

    def holds(self, other: Pass) -> bool:
        """True when the other lies completely inside."""
        return other.start_ns >= self.start_ns and other.end_ns <= self.end_ns


def megatron(slices: Iterable[Pass]) -> list[Pass]:
    """Micro batches of slices in the order of (start, longer first).

    Backward slices inside a forward pass (recomputation registers them) tell how many backward slices the matching
    backward micro batch is made of; those are merged. The counts wait in the order of the forward passes.
    """
    machine = _Megatron()
    for each in slices:
        machine.take(each)
    return machine.end()


class _Megatron:
    def __init__(self) -> None:
        self._open: Pass | None = None
        self._counts: deque[int] = deque()
        self._count = 0
        self._done: list[Pass] = []

    def take(self, new: Pass) -> None:
        """Next slice."""
        if self._open is None:
            if new.kind == FORWARD:
                self._open, self._count = new, 0
        elif self._open.kind == FORWARD:
            self._in_forward(self._open, new)
        else:
            self._in_backward(self._open, new)

    def end(self) -> list[Pass]:
        """All micro batches."""
        if self._open is not None:
            self._done.append(self._open)
        return self._done

    def _in_forward(self, held: Pass, new: Pass) -> None:
        if held.holds(new):
            self._count += new.kind == BACKWARD
            return
        self._done.append(held)
        self._counts.append(self._count)
        self._count = self._counts.popleft() if new.kind == BACKWARD else 0
        self._open = new

    def _in_backward(self, held: Pass, new: Pass) -> None:
        if new.kind == BACKWARD and self._count > 1:
            self._open, self._count = replace(held, end_ns=new.end_ns), self._count - 1
            return
        self._done.append(held)
        if new.kind == BACKWARD:
            self._count = self._counts.popleft() if self._counts else 0
        else:
            self._count = 0
        self._open = new


def fsdp(slices: Iterable[Pass]) -> list[Pass]:
    """Micro batches of FSDP from its forward calls, the autograd engine's calls and the markers after them.

    A backward pass goes on over all calls of the engine until the next forward pass, or ends with the first marker that
    begins after it.
    """
    held: Pass | None = None
    after = False  # a backward pass ended with a marker: communication
    done: list[Pass] = []
    for new in slices:
        if held is None or after:
            if new.kind == FORWARD or (after and new.kind == BACKWARD):
                held, after = new, False
            continue
        if held.kind == FORWARD:
            if new.kind == BACKWARD or (new.kind == FORWARD and new.start_ns >= held.end_ns):
                done.append(held)
                held = new
        elif new.kind == FORWARD:
            done.append(held)
            held = new
        else:
            ends = new.kind == MARKER and new.start_ns > held.end_ns
            held = replace(held, end_ns=max(held.end_ns, new.end_ns) if new.kind == MARKER else new.end_ns)
            if ends:
                done.append(held)
                after = True
    if held is not None and not after:
        done.append(held)
    return done
