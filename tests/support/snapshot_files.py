"""Memory snapshots for tests: an allocator that records what it does, and files written from plain dictionaries."""

from __future__ import annotations

import pickle
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from insight_desktop.engine.memory import fill_snapshot
from insight_desktop.engine.memory.snapshot_data import Snapshot
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

MIB = 1 << 20
SIZES = (40, 512, 3000, 61440, 716800, 2 * MIB, 5 * MIB, 12 * MIB)


@dataclass
class _Segment:
    address: int
    size: int
    kind: str
    holes: list[list[int]] = field(default_factory=list)  # [address, size]

    def give_back(self, address: int, size: int) -> None:
        """Add a hole and join it with its neighbours."""
        joined: list[list[int]] = []
        for hole in sorted([*self.holes, [address, size]]):
            if joined and joined[-1][0] + joined[-1][1] == hole[0]:
                joined[-1][1] += hole[1]
            else:
                joined.append(list(hole))
        self.holes = joined


class Allocator:
    """A caching allocator in miniature: best fit, segments of 2 and 20 MiB, large blocks split when 1 MiB is left."""

    def __init__(self, seed: int, pad: int, *, expandable: bool, timed: bool) -> None:
        self.random = random.Random(seed)
        self.pad, self.expandable, self.timed = pad, expandable, timed
        self.trace: list[dict[str, Any]] = []
        self.segments: list[_Segment] = []
        self.live: dict[int, tuple[int, int, _Segment, list[dict[str, Any]]]] = {}
        self.us = 1_700_000_000_000_000
        self.next = {"small": 0x12C041200000, "large": 0x12C300000000}
        self.stacks = [
            [{"filename": f"/app/m{i}.py", "line": 10 + i, "name": f"layer{i}"}, {"filename": "/app/train.py", "line": 42, "name": "train_step"}]
            for i in range(6)
        ]  # fmt: skip

    def record(self, action: str, address: int, size: int, frames: list[dict[str, Any]]) -> None:
        self.us += self.random.randint(1, 50)
        event = {"action": action, "addr": address, "size": size, "stream": 1001, "frames": frames}
        self.trace.append({**event, "time_us": self.us} if self.timed else event)

    def grow(self, kind: str, need: int, *, recorded: bool) -> None:
        size = 2 * MIB if kind == "small" else 20 * MIB if need < 10 * MIB else -(-need // (2 * MIB)) * 2 * MIB
        address = self.next[kind]
        self.next[kind] += size
        if recorded:
            self.record("segment_map" if self.expandable else "segment_alloc", address, size, self.stacks[0])
        same = next((s for s in self.segments if self.expandable and s.kind == kind), None)
        if same is None:
            self.segments.append(_Segment(address, size, kind, [[address, size]]))
        else:
            same.size += size
            same.give_back(address, size)

    def allocate(self, requested: int, *, recorded: bool = True) -> None:
        size = max(512, -(-(requested + self.pad) // 512) * 512)
        kind = "small" if size <= MIB else "large"
        fits = [(h[1], h[0], s, h) for s in self.segments if s.kind == kind for h in s.holes if h[1] >= size]
        if not fits:
            self.grow(kind, size, recorded=recorded)
            fits = [(h[1], h[0], s, h) for s in self.segments if s.kind == kind for h in s.holes if h[1] >= size]
        room, address, segment, hole = min(fits, key=lambda fit: fit[:2])
        segment.holes.remove(hole)
        taken = size if kind == "small" or self.expandable or room - size > MIB else room
        if room > taken:
            segment.give_back(address + taken, room - taken)
        self.live[address] = (taken, requested, segment, self.random.choice(self.stacks))
        if recorded:
            self.record("alloc", address, requested, self.live[address][3])

    def free(self, address: int) -> None:
        taken, requested, segment, frames = self.live.pop(address)
        self.record("free_requested", address, requested, frames)
        self.record("free_completed", address, requested, frames)
        segment.give_back(address, taken)

    def dump(self, device: int) -> dict[str, Any]:
        segments = []
        for s in sorted(self.segments, key=lambda s: s.address):
            blocks = [
                {"address": a, "size": b[0], "requested_size": b[1], "state": "active_allocated", "frames": b[3]}
                for a, b in self.live.items() if b[2] is s
            ] + [
                {"address": a, "size": z, "requested_size": 0, "state": "inactive", "frames": []} for a, z in s.holes
            ]  # fmt: skip
            blocks.sort(key=lambda b: b["address"])
            used = sum(b["size"] for b in blocks if b["state"] != "inactive")
            segments.append({
                "device": device, "address": s.address, "total_size": s.size, "stream": 1001, "segment_type": s.kind,
                "allocated_size": used, "active_size": used, "requested_size": sum(b["requested_size"] for b in blocks),
                "is_expandable": self.expandable, "segment_pool_id": (0, 0), "frames": [], "blocks": blocks,
            })  # fmt: skip
        return {"segments": segments, "device_traces": [self.trace if k == device else [] for k in range(8)]}


def made(n: int = 200, seed: int = 7, pad: int = 32, *, expandable: bool = False, preexisting: int = 5, device: int = 0, timed: bool = False) -> dict[str, Any]:  # fmt: skip
    """A snapshot of about n events of an allocator that takes and frees at random."""
    it = Allocator(seed, pad, expandable=expandable, timed=timed)
    for _ in range(preexisting):
        it.allocate(it.random.choice(SIZES), recorded=False)
    while len(it.trace) < n:
        if it.live and it.random.random() < 0.48:
            it.free(it.random.choice(list(it.live)))
        else:
            it.allocate(it.random.choice(SIZES))
    return it.dump(device)


def event(action: str, address: int = 0, size: int = 0, stream: int = 0, **more: Any) -> dict[str, Any]:
    """One event."""
    return {"action": action, "addr": address, "size": size, "stream": stream, **more}


def segment(address: int, size: int, *blocks: tuple[int, int, int, str], **more: Any) -> dict[str, Any]:
    """One segment; blocks are (address, size, requested, state)."""
    listed = [{"address": a, "size": s, "requested_size": r, "state": state, "frames": []} for a, s, r, state in blocks]
    facts = {"device": 0, "address": address, "total_size": size, "stream": 0, "segment_type": "small", "segment_pool_id": (0, 0), "is_expandable": False, "frames": [], "blocks": listed}  # fmt: skip
    return {**facts, **more}


def written(folder: Path, content: Any, name: str = "mem.pickle", protocol: int = 4) -> Path:
    """A pickle file."""
    path = folder / name
    path.write_bytes(pickle.dumps(content, protocol=protocol))
    return path


def filled(path: Path, folder: Path, report: Report | None = None, events: str = "") -> Snapshot:
    """The snapshot of a file, written into a folder as in a capture."""
    folder.mkdir(parents=True, exist_ok=True)
    options = (("events", events),) if events else ()
    fill_snapshot.fill(folder, Source("snapshot_pickle", "snapshot", (path,), options=options), report or Report())
    return Snapshot(folder)


def opened(path: Path, folder: Path, name: str = "one", store: Store | None = None, events: str = "") -> Store:
    """A store with the snapshot of a file; with a store, one more card in it."""
    filled(path, folder, events=events)
    target = store or Store()
    target.put(StoreCard(name, None, None, "", "snapshot", folder))
    return target
