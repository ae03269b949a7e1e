"""A memory snapshot of a small training run: a leak in every step, a larger batch in the last one, and an out-of-memory event."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

MIB = 1 << 20
STEPS, LAYERS = 8, 10
DEVICE_BYTES = 736 * MIB
_STREAM = 0
_FILES = {
    "forward": "model.py",
    "backward": "autograd.py",
    "step": "optimizer.py",
    "train": "train.py",
    "log": "metrics.py",
}

Plain = dict[str, Any]


class Run:
    """A caching allocator and the events it writes."""

    def __init__(self) -> None:
        self.random = random.Random(20)
        self.trace: list[Plain] = []
        self.notes: list[Plain] = []
        self.us = 1_754_900_000_000_000
        self.segments: dict[int, int] = {}
        self.holes: dict[int, int] = {}
        self.live: dict[int, tuple[int, int, list[Plain]]] = {}
        self.next = 0x7F2A00000000
        self.step = 0
        self.stacks: dict[tuple[str, ...], list[Plain]] = {}

    def frames(self, *names: str) -> list[Plain]:
        """A call stack, innermost first; equal ones are one object, as in real files."""
        if names not in self.stacks:
            self.stacks[names] = [
                {"filename": f"/home/user/job/{_FILES[n.split('_')[0]]}", "line": 20 + 7 * len(n), "name": n}
                for n in names
            ]
        return self.stacks[names]

    def event(self, action: str, address: int, size: int, frames: list[Plain], category: str) -> None:
        self.us += self.random.randint(2, 40)
        self.trace.append({
            "action": action, "addr": address, "size": size, "stream": _STREAM, "frames": frames, "time_us": self.us,
            "compile_context": "N/A", "user_metadata": f"step {self.step}", "category": category,
        })  # fmt: skip

    def note(self, name: str, stage: str) -> None:
        self.notes.append({"name": name, "stage": stage, "device": 0, "time_us": self.us + 1})

    def allocate(self, requested: int, category: str, *names: str) -> int:
        """Best fit; 0 when the device is full."""
        frames = self.frames(*names)
        size = max(512, -(-requested // 512) * 512)
        fits = [(room, at) for at, room in self.holes.items() if room >= size]
        if not fits:
            grown = 2 * MIB if size <= MIB else 20 * MIB if size < 10 * MIB else -(-size // (2 * MIB)) * 2 * MIB
            if sum(self.segments.values()) + grown > DEVICE_BYTES:
                free = DEVICE_BYTES - sum(self.segments.values())
                self.event("oom", 0, requested, frames, category)
                self.trace[-1]["device_free"] = free
                del self.trace[-1]["addr"]
                return 0
            at, self.next = self.next, self.next + grown + 2 * MIB
            self.segments[at] = self.holes[at] = grown
            self.event("segment_alloc", at, grown, frames, category)
            fits = [(grown, at)]
        room, at = min(fits)
        del self.holes[at]
        if room > size:
            self.holes[at + size] = room - size
        self.live[at] = (size, requested, frames)
        self.event("alloc", at, requested, frames, category)
        return at

    def free(self, address: int, category: str, *names: str) -> None:
        if not address:
            return
        size, requested, _ = self.live.pop(address)
        for action in ("free_requested", "free_completed"):
            self.event(action, address, requested, self.frames(*names), category)
        self.holes[address] = size
        for at in sorted(self.holes):  # join with the neighbours of the same segment
            after = at + self.holes.get(at, 0)
            if at in self.holes and after in self.holes and after not in self.segments:
                self.holes[at] += self.holes.pop(after)

    def dump(self) -> Plain:
        """The file's content."""
        segments = []
        for at, size in sorted(self.segments.items()):
            blocks = [
                {"address": a, "size": s, "requested_size": r, "state": "active_allocated", "frames": f}
                for a, (s, r, f) in self.live.items() if at <= a < at + size
            ] + [
                {"address": a, "size": s, "requested_size": 0, "state": "inactive", "frames": []}
                for a, s in self.holes.items() if at <= a < at + size
            ]  # fmt: skip
            blocks.sort(key=lambda b: b["address"])
            used = [b for b in blocks if b["state"] != "inactive"]
            segments.append({
                "device": 0, "address": at, "total_size": size, "stream": _STREAM,
                "segment_type": "small" if size <= 2 * MIB else "large", "segment_pool_id": (0, 0), "is_expandable": False,
                "allocated_size": sum(b["size"] for b in used), "active_size": sum(b["size"] for b in used),
                "requested_size": sum(b["requested_size"] for b in used), "frames": [], "blocks": blocks,
            })  # fmt: skip
        settings = {"PYTORCH_CUDA_ALLOC_CONF": "", "max_split_size": -1, "expandable_segments": False, "trace_alloc_max_entries": 100000}  # fmt: skip
        return {"segments": segments, "device_traces": [self.trace], "allocator_settings": settings, "external_annotations": self.notes}  # fmt: skip


def train() -> Plain:
    """Weights, then steps of forward, backward and optimizer; each step keeps one tensor that it should not."""
    run = Run()
    sizes = [(3 + 2 * (layer % 5)) * MIB + 4096 * layer for layer in range(LAYERS)]
    for size in sizes:
        run.allocate(size, "parameter", "forward_init", "train_main")
    gradients: list[int] = []
    for run.step in range(1, STEPS + 1):
        batch = 4 if run.step == STEPS else 2
        run.note("forward", "START")
        kept = []
        for layer, size in enumerate(sizes):
            scratch = run.allocate(size // 2 + 700, "temporary", f"forward_{layer}", "train_step", "train_main")
            kept.append(run.allocate(size * batch + 100, "activation", f"forward_{layer}", "train_step", "train_main"))
            run.free(scratch, "temporary", f"forward_{layer}", "train_step", "train_main")
        run.note("forward", "END")
        run.allocate(6 * MIB + 12, "other", "log_loss", "train_step", "train_main")  # kept in a list for ever
        run.note("backward", "START")
        first = not gradients
        for layer in range(LAYERS - 1, -1, -1):
            if first:
                gradients.append(
                    run.allocate(sizes[layer], "gradient", f"backward_{layer}", "train_step", "train_main")
                )
            scratch = run.allocate(sizes[layer], "temporary", f"backward_{layer}", "train_step", "train_main")
            run.free(scratch, "temporary", f"backward_{layer}", "train_step", "train_main")
            run.free(kept[layer], "activation", f"backward_{layer}", "train_step", "train_main")
        run.note("backward", "END")
        if first:
            for size in sizes:
                for _ in range(2):
                    run.allocate(size, "optimizer state", "step_init_state", "train_step", "train_main")
    return run.dump()


def write(folder: Path) -> None:
    """Write `snapshot.pickle`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "snapshot.pickle").write_bytes(pickle.dumps(train(), protocol=4))
