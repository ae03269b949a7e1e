"""Slices of the Timeline that one instruction or source line of a kernel gave: by address, else by line, else by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from insight_desktop.engine.capture import Capture, Manifest
from insight_desktop.engine.operator import deferred
from insight_desktop.engine.operator.code import Spans
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import details
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.errors import BadFile

ADDRESS, LINE, NAME = "address", "line", "name"
_CHUNK = 1 << 16

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Origins:
    """Where the slices of a capture come from: address per slice, and a position in `stacks` (-1 for none)."""

    address: npt.NDArray[np.uint64]
    has_address: Mask
    stack: npt.NDArray[np.int32]
    stacks: tuple[frozenset[str], ...]

    @property
    def nbytes(self) -> int:
        return int(self.address.nbytes + self.has_address.nbytes + self.stack.nbytes) + 200 * len(self.stacks)


@dataclass(frozen=True, eq=False)
class Found:
    """Slices of an instruction: their card, ids in order of time, and what they were found by (empty for nothing)."""

    card: str
    ids: npt.NDArray[np.int64]
    how: str


def has_lanes(store: Store, card: StoreCard) -> bool:
    """Whether a kernel, or a simulator's trace beside it, has instructions over time."""
    if deferred.is_deferred(card) or any(other.kind == "simulation" for other in store.cards_of("operator")):
        return True
    try:
        return Manifest.read(card.folder).counts.get("slices", 0) > 0
    except BadFile:
        return False


def find(
    store: Store,
    *,
    card: str,
    others: Sequence[str] = (),
    ranges: Sequence[int] = (),
    file: str | None = None,
    line: int | None = None,
    name: str = "",
    pipe: str = "",
    core: str | None = None,
) -> Found:
    """Slices of an instruction of a kernel on its own lanes, else on those of other cards.

    Args:
        store: the kernels with their timelines (`timeline.of_kernels`).
        card, others: the kernel, then traces of a simulator in which its source lines and names may be.
        ranges: first and last address of each range, one after the other.
        file, line: where it was written.
        name, pipe: what it is called, and the lane that it ran on.
        core: where slices of this process are among those found, only they count.

    Raises:
        NoData: the file with the arguments of the slices is gone or has changed.
    """
    known = [one.name for one in store.every_card]
    for at, owner in enumerate(one for one in (card, *others) if one in known):
        capture = store.capture(owner)
        places = ranges if at == 0 and owner == card else ()  # addresses of another build are others
        mask, how = _matches(store.card(owner), capture, places, f"{file}:{line}" if file and line else "", name, pipe)
        if how:
            ids = np.flatnonzero(_of_core(capture, mask, core))
            return Found(owner, ids[np.argsort(np.asarray(capture.slice_start)[ids], kind="stable")], how)
    return Found(card, np.zeros(0, np.int64), "")


def _matches(
    card: StoreCard, capture: Capture, ranges: Sequence[int], place: str, name: str, pipe: str
) -> tuple[Mask, str]:
    named = _named(capture, name, pipe)
    if ranges or place:
        origins = _origins(card, capture)
        mask = Spans.of(list(ranges)).holds(origins.address) & origins.has_address
        if mask.any():
            return mask, ADDRESS
        stacks = np.array([place in stack for stack in origins.stacks] + [False], bool)
        mask = stacks[origins.stack]
        if mask.any():
            return (mask & named, LINE) if (mask & named).any() else (mask, LINE)
    return named, NAME if named.any() else ""


def _named(capture: Capture, name: str, pipe: str) -> Mask:
    """Slices of a name, on lanes that are called like the pipe where there are such lanes."""
    count = len(capture.slice_start)
    if not name:
        return np.zeros(count, bool)
    ids = np.flatnonzero(np.array([text == name for text in capture.strings.to_pylist()], bool))
    mask = np.isin(np.asarray(capture.slice_name), ids)
    lanes = np.array(
        [pipe in (t["tid"], t["thread"]) for t in capture.tracks.select(["tid", "thread"]).to_pylist()], bool
    )
    on_pipe = mask & lanes[_tracks(capture)] if pipe and count else mask
    return on_pipe if on_pipe.any() else mask


def _of_core(capture: Capture, mask: Mask, core: str | None) -> Mask:
    of_core = np.array([process == core for process in capture.tracks["process"].to_pylist()], bool)
    own = mask & of_core[_tracks(capture)] if len(of_core) else mask
    return own if own.any() else mask


def _tracks(capture: Capture) -> npt.NDArray[Any]:
    """Track of every slice."""
    return np.repeat(np.asarray(capture.lane_track), np.diff(np.asarray(capture.lane_offset)))


def _origins(card: StoreCard, capture: Capture) -> Origins:
    return kept(capture, "origins of slices", lambda: _read(card, capture), lambda found: found.nbytes)


def _read(card: StoreCard, capture: Capture) -> Origins:
    count = len(capture.slice_start)
    address, has_address = np.zeros(count, np.uint64), np.zeros(count, bool)
    stack, stacks = np.full(count, -1, np.int32), dict[str, int]()
    for first in range(0, count, _CHUNK):
        ids = np.arange(first, min(count, first + _CHUNK))
        for at, text in zip(ids.tolist(), details.args_text(card, capture, ids), strict=True):
            args = _args(text)
            number = _address(args.get("pc_addr"))
            if number is not None:
                address[at], has_address[at] = number, True
            code = args.get("code")
            if isinstance(code, str) and code.strip():
                stack[at] = stacks.setdefault(code, len(stacks))
    lines = tuple(frozenset(part.strip() for part in code.splitlines() if part.strip()) for code in stacks)
    return Origins(address, has_address, stack, lines)


def _args(text: str | None) -> dict[str, Any]:
    try:
        found = orjson.loads(text) if text else None
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _address(text: Any) -> int | None:
    try:
        number = int(text, 16) if isinstance(text, str) else -1
    except ValueError:
        return None
    return number if 0 <= number < 1 << 64 else None
