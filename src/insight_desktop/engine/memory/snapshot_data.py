"""Read access to a snapshot in a capture: memory-mapped columns per device, call stacks, blocks in each size mode."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.engine.memory import snapshot_pair as sp
from insight_desktop.engine.memory import snapshot_segments as sg
from insight_desktop.engine.memory.blocks import Blocks
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadArgument, NoData
from insight_desktop.ingest.formats import snapshot_layout as sl
from insight_desktop.schema_snapshot import COLUMNS, EXACT, PENDING_BEFORE, PREEXISTING

Array = npt.NDArray[Any]
SizeMode = Literal["estimate", "requested", "upstream"]
SIZE_MODES: tuple[SizeMode, ...] = ("estimate", "requested", "upstream")


@dataclass(frozen=True)
class Frame:
    """One frame of a call stack; `fx` is the FX node that stands for it, empty without."""

    file: str
    line: int
    function: str
    fx: str = ""

    @property
    def text(self) -> str:
        """`file:line function`, as the viewers write it."""
        return f"{self.file}:{self.line} {self.function}" if self.file else self.function


@dataclass(frozen=True)
class Totals:
    """Totals after every event, and before the first."""

    allocated: Array
    active: Array
    allocated_before: int
    active_before: int


class Device:
    """One device of a snapshot."""

    def __init__(self, folder: Path, facts: dict[str, Any]) -> None:
        self._folder, self.facts = folder, facts
        self.number = int(facts["device"])
        self.events, self.blocks = int(facts["events"]), int(facts["blocks"])
        self._columns: dict[str, Array] = {}
        self._totals: dict[str, Totals] = {}
        self._lock = threading.Lock()

    def column(self, name: str) -> Array:
        """A column file of `schema_snapshot.COLUMNS`; empty when it is not there."""
        found = self._columns.get(name)
        if found is None:
            path = self._folder / f"snapshot_d{self.number}_{name}.bin"
            size = path.stat().st_size if path.exists() else 0
            found = np.asarray(np.memmap(path, COLUMNS[name], "r")) if size else np.empty(0, COLUMNS[name])
            self._columns[name] = found
        return found

    @property
    def action(self) -> Array:
        """Codes of the actions, one per event."""
        return self.column("action")

    @cached_property
    def dump(self) -> Array:
        """Segments at the dump, columns of `snapshot_segments`."""
        return self.column("dump_segment").reshape(-1, sg.WIDTH)

    @cached_property
    def segment_events(self) -> Array:
        """Indices of the events that change segments."""
        return np.flatnonzero(sg.is_segment_event(self.action))

    @cached_property
    def _checkpoints(self) -> sg.Checkpoints:
        return sg.Checkpoints.of(self.column("segment_checkpoint").reshape(-1, sg.WIDTH + 1))

    @cached_property
    def segment_pools(self) -> Array:
        """Memory pool of every segment event."""
        pools: Array = np.load(self._folder / f"snapshot_d{self.number}_segment_pool.npy")
        return pools

    def segments_at(self, event: int) -> Array:
        """Segments after an event (-1: before the first), columns of `snapshot_segments`."""
        return sg.state_at(
            self._checkpoints, self.segment_events, self.action, self.column("address"), self.column("size"),
            self.column("stream"), self.segment_pools, event,
        )  # fmt: skip

    def sizes(self, mode: SizeMode = "estimate") -> Array:
        """Bytes of every block in a size mode."""
        if mode == "estimate":
            return self.column("block_size")
        requested = self.column("block_requested")
        if mode == "requested":
            return requested
        if mode != "upstream":
            raise BadArgument(f"There is no size mode {mode!r}.", fix=f"One of {', '.join(SIZE_MODES)}.")
        return np.where((self.column("block_flags") & EXACT) > 0, self.column("block_size"), requested)

    def totals(self, mode: SizeMode = "estimate") -> Totals:
        """Allocated and active bytes after every event in a size mode."""
        facts = self.facts
        if mode == "estimate":
            return Totals(
                self.column("allocated"), self.column("active"), facts["allocated_before"], facts["active_before"]
            )
        with self._lock:
            if mode not in self._totals:
                flags = self.column("block_flags")
                start = np.where((flags & PREEXISTING) > 0, -1, self.column("block_start"))
                pending = np.where((flags & PENDING_BEFORE) > 0, -1, self.column("block_pending"))
                allocated, active = np.zeros(self.events, np.int64), np.zeros(self.events, np.int64)
                first = sp.totals(
                    start, pending, self.column("block_end"), self.sizes(mode), self.events, allocated, active
                )
                self._totals[mode] = Totals(allocated, active, int(first[0]), int(first[1]))
            return self._totals[mode]

    def alive(self, event: int) -> Array:
        """Blocks that live after an event, ids ascending; -1 asks for those before the first event."""
        start, end = self.column("block_start"), self.column("block_end")
        if event < 0:
            return np.flatnonzero((self.column("block_flags") & PREEXISTING) > 0)
        known = int(np.searchsorted(start, event, "right"))
        return np.flatnonzero(end[:known] > event)

    def block_events(self, rows: Array) -> tuple[Array, Array, Array]:
        """Events of alloc, free_requested and free_completed of some blocks, -1 for what did not happen in the trace."""
        flags = self.column("block_flags")[rows]
        start, pending, end = (self.column(f"block_{name}")[rows] for name in ("start", "pending", "end"))
        action, block = self.action, self.column("block")
        known_start = ((flags & PREEXISTING) == 0) & (start < self.events)
        alloc = np.where(known_start, start, -1)
        own = np.zeros(len(rows), bool)
        inside = end < self.events
        own[inside] = block[end[inside]] == rows[inside]
        completed = np.where(own, end, -1)
        asked = np.zeros(len(rows), bool)
        waits = pending < self.events
        asked[waits] = (block[pending[waits]] == rows[waits]) & (action[pending[waits]] != 6)
        return alloc, np.where(asked, pending, -1), completed

    def chart(self, mode: SizeMode = "estimate") -> Blocks:
        """The blocks for the block chart; x is the event index."""
        totals = self.totals(mode)
        events = np.arange(self.events, dtype=np.int64)
        last = max(self.events - 1, 1)
        if not self.events:  # a dump without a trace: everything lives all the time
            events = np.array([0], np.int64)
            active = np.array([totals.active_before])
            reserved = np.array([self.facts["reserved"]])
        else:
            active, reserved = totals.active, self.column("reserved")
        end = self.column("block_end")
        return Blocks(
            self.column("block_start"), end if self.events else end + 2, self.sizes(mode), self.column("block_hash"),
            events, active, 0, last, events, np.maximum(reserved, active),
        )  # fmt: skip


class Snapshot:
    """A snapshot in the folder of a capture.

    Raises:
        NoData: the capture holds no snapshot.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / "snapshot.json"
        if not path.exists():
            raise NoData("This card holds no memory snapshot.", fix="Open a .pickle or .pkl file of PyTorch.")
        self.folder = folder
        self.facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        self.actions: list[str] = self.facts["actions"]
        self.devices = {int(f["device"]): Device(folder, f) for f in self.facts["devices"]}

    def device(self, number: int | None = None) -> Device:
        """A device; without a number the one with the longest trace."""
        if number is None:
            return max(self.devices.values(), key=lambda d: (d.events, d.blocks, -d.number))
        found = self.devices.get(number)
        if found is None:
            raise BadArgument(
                f"The snapshot has no device {number}.", fix=f"Devices: {', '.join(map(str, self.devices))}."
            )
        return found

    def pool_text(self, row: int) -> str:
        """Id of a memory pool as text; `0, 0` is the default pool."""
        pools = self.facts["pools"]
        return ", ".join(map(str, pools[row])) if 0 <= row < len(pools) else "0, 0"

    def is_private(self, row: int) -> bool:
        """Whether a memory pool is a private one."""
        pools = self.facts["pools"]
        return 0 <= row < len(pools) and pools[row] != [0, 0]

    @cached_property
    def texts(self) -> pa.LargeStringArray:
        """All texts of the file."""
        with pa.memory_map(str(self.folder / "snapshot_texts.arrow")) as file:
            return pa.ipc.open_file(file).read_all().column("value").combine_chunks()

    def text(self, row: int) -> str:
        """One text; empty for -1."""
        return str(self.texts[row].as_py()) if row >= 0 else ""

    @cached_property
    def _stacks(self) -> tuple[Array, Array, Array]:
        return tuple(np.load(self.folder / f"snapshot_{n}.npy") for n in ("stacks", "stack_frames", "frames"))

    @property
    def stack_count(self) -> int:
        """Number of stacks, the empty one (0) included."""
        return len(self._stacks[0])

    def frames(self, stack: int) -> list[Frame]:
        """Frames of a stack, innermost first; none for 0."""
        stacks, items, frames = self._stacks
        if not 0 < stack < len(stacks):
            return []
        at, count = (int(x) for x in stacks[stack])
        return [self._frame(frames[row]) for row in items[at : at + count]]

    def _frame(self, row: Array) -> Frame:
        fx = " ".join(filter(None, (self.text(int(row[k])) for k in (sl.F_OP, sl.F_NODE, sl.F_TARGET))))
        return Frame(self.text(int(row[sl.F_FILE])), int(row[sl.F_LINE]), self.text(int(row[sl.F_NAME])), fx)


_held_lock = threading.Lock()
_held: dict[Path, tuple[int, Snapshot]] = {}
_KEEP = 8


def opened(folder: Path) -> Snapshot:
    """The snapshot of a capture folder; the last few stay open, so that their totals are computed once."""
    stamp = (folder / "snapshot.json").stat().st_mtime_ns if (folder / "snapshot.json").exists() else 0
    with _held_lock:
        known = _held.pop(folder, None)
        if known is None or known[0] != stamp:
            known = (stamp, Snapshot(folder))
        _held[folder] = known
        while len(_held) > _KEEP:
            del _held[next(iter(_held))]
        return known[1]


def cards_in(project: Store) -> list[StoreCard]:
    """The cards of a project that are snapshots."""
    return [card for card in project.cards_of("memory") if card.kind == "snapshot"]


def of_card(project: Store, card: str | None) -> Snapshot:
    """The snapshot of a card; of the only one when none is named. Raises BadArgument or NoData."""
    found = cards_in(project)
    if card is None and len(found) == 1:
        return opened(found[0].folder)
    if card is None and not found:
        raise NoData("No memory snapshot is open.", fix="Open a .pickle or .pkl file that PyTorch wrote.")
    if card is None:
        raise BadArgument("Several snapshots are open.", fix=f"Choose one: {', '.join(c.name for c in found)}.")
    return opened(project.card(card, "memory").folder)
