"""Writes a part of a trace as a snapshot of its own, which any viewer of snapshots opens."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np

from insight_desktop.engine.memory import snapshot_segments as sg
from insight_desktop.engine.memory.snapshot_data import Device, Snapshot, of_card
from insight_desktop.engine.memory.snapshot_state import State, plain, state_of
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument
from insight_desktop.schema_snapshot import OOM

Plain = dict[str, Any]
PROTOCOL = 4


def write_range(
    project: Store, *, card: str | None, device: int | None, path: str, first: int, last: int | None
) -> str:
    """Write the events first … last of a device, and the segments after the last one, as `.pickle` or `.json`.

    Returns:
        The path that was written.

    Raises:
        BadArgument: the range holds no event, or the file exists as a source of the card.
    """
    snapshot = of_card(project, card)
    chosen = snapshot.device(device)
    end = chosen.events - 1 if last is None else min(last, chosen.events - 1)
    if end < first:
        raise BadArgument("The visible range holds no event.", fix="Zoom out first.")
    target = Path(path)
    if target.suffix.lower() not in (".pickle", ".pkl", ".json"):
        target = target.with_name(target.name + ".pickle")
    sources = [file.resolve() for c in project.cards_of("memory") if c.source is not None for file in c.source.files]
    if target.resolve() in sources:
        raise BadArgument("The snapshot itself is never written.", fix="Choose another name.")
    content = part_of(snapshot, chosen, first, end)
    if target.suffix.lower() == ".json":
        target.write_text(json.dumps(content), encoding="utf-8")
    else:
        with target.open("wb") as file:
            pickle.dump(content, file, protocol=PROTOCOL)
    return str(target)


def part_of(snapshot: Snapshot, device: Device, first: int, last: int) -> Plain:
    """The events first … last of a device and its segments after the last one, in the shape of a snapshot."""
    frames = _Frames(snapshot)
    traces: list[list[Plain]] = [[] for _ in range(device.number + 1)]
    traces[device.number] = [_event(snapshot, device, e, frames) for e in range(first, last + 1)]
    content: Plain = {
        "segments": _segments(snapshot, device, state_of(device, last), frames),
        "device_traces": traces,
    }
    if snapshot.facts["settings"] is not None:
        content["allocator_settings"] = snapshot.facts["settings"]
    if snapshot.facts["annotations"] is not None:
        content["external_annotations"] = snapshot.facts["annotations"]
    return content


class _Frames:
    """Frames of stacks as lists that are shared between equal stacks."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._made: dict[int, list[Plain]] = {0: []}

    def of(self, stack: int) -> list[Plain]:
        if stack not in self._made:
            self._made[stack] = [
                {"filename": f.file, "line": f.line, "name": f.function} for f in self._snapshot.frames(stack)
            ]
        return self._made[stack]


def _event(snapshot: Snapshot, device: Device, e: int, frames: _Frames) -> Plain:
    code = int(device.action[e])
    address = int(device.column("address")[e])
    out: Plain = {
        "action": snapshot.actions[code], "device_free" if code == OOM else "addr": address,
        "size": int(device.column("size")[e]), "stream": int(device.column("stream")[e]),
        "frames": frames.of(int(device.column("stack")[e])),
    }  # fmt: skip
    time, pool = device.column("time"), device.column("pool")
    if len(time):
        out["time_us"] = int(time[e])
    if len(pool) and pool[e] >= 0:
        out["pool_id"] = tuple(snapshot.facts["pools"][int(pool[e])])
    for key, name in (("category", "category"), ("user_metadata", "metadata"), ("compile_context", "context")):
        column = device.column(name)
        if len(column) and column[e] >= 0:
            out[key] = snapshot.text(int(column[e]))
    return out


def _segments(snapshot: Snapshot, device: Device, state: State, frames: _Frames) -> list[Plain]:
    where, first, gap = state.gaps
    base, at, free = plain(state.base), plain(state.at), plain(first)
    stacks = device.column("block_stack")
    out = []
    for k, s in enumerate(state.segments):
        blocks: list[Plain] = [
            {
                "address": int(at[b]), "size": int(state.size[b]), "requested_size": int(state.requested[b]),
                "state": "active_pending_free" if state.pending[b] else "active_allocated",
                "frames": frames.of(int(stacks[state.blocks[b]])),
            }
            for b in np.flatnonzero(state.segment == k)
        ] + [
            {"address": int(free[g]), "size": int(gap[g]), "requested_size": 0, "state": "inactive", "frames": []}
            for g in np.flatnonzero(where == k)
        ]  # fmt: skip
        blocks.sort(key=lambda block: block["address"])
        pool = snapshot.facts["pools"][int(s[sg.POOL])] if 0 <= s[sg.POOL] < len(snapshot.facts["pools"]) else [0, 0]
        live = [b for b in blocks if b["state"] != "inactive"]
        out.append({
            "device": device.number, "address": int(base[k]), "total_size": int(s[sg.SIZE]), "stream": int(s[sg.STREAM]),
            "segment_type": "small" if s[sg.SMALL] else "large", "segment_pool_id": tuple(pool),
            "is_expandable": bool(s[sg.EXPANDABLE]), "frames": [], "active_size": sum(b["size"] for b in live),
            "allocated_size": sum(b["size"] for b in live if b["state"] == "active_allocated"),
            "requested_size": sum(b["requested_size"] for b in live), "blocks": blocks,
        })  # fmt: skip
    return out
