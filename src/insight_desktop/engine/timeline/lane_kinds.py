"""Which side of a card a lane belongs to: the device's clock or the host's; lanes of one clock are moved together."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.timeline.search import lanes_of

LaneKind = Literal["device", "host"]

_DEVICE_ROLES = (schema.ROLE_STREAM, schema.ROLE_GROUP, schema.ROLE_PLANE, schema.ROLE_OVERLAP)
_DEVICE_PROCESSES = ("Ascend Hardware", "Communication", "HCCL", "CCU", "Overlap Analysis")


def track_kinds(capture: Capture) -> list[LaneKind]:
    """Kind of every track, in display order."""
    return [_kind(row) for row in capture.tracks.select(["process", "process_label", "role"]).to_pylist()]


def tracks_of_kind(capture: Capture, kind: LaneKind) -> Array:
    """One truth value per track: is it of the kind."""
    return np.array([found == kind for found in track_kinds(capture)], np.bool_)


def moving_together(capture: Capture, track: int) -> list[int]:
    """Tracks that an offset of this one moves too, itself included.

    A device lane moves all device lanes of the same device, a host lane all lanes of its process.
    """
    rows = capture.tracks.select(["process", "process_label", "role", "pid", "device"]).to_pylist()
    kind, own = _kind(rows[track]), rows[track]
    keys = ("device",) if kind == "device" else ("pid", "process")
    return [i for i, row in enumerate(rows) if _kind(row) == kind and all(row[key] == own[key] for key in keys)]


def named(capture: Capture, name: str, tracks: Array | None = None) -> Array:
    """Ids of the slices of that whole name, by start, then id; only those of the wanted tracks (one truth value each)."""
    number = int(pc.index(capture.strings, name).as_py())
    if number < 0:
        return np.empty(0, np.int64)
    ids = np.flatnonzero(np.asarray(capture.slice_name) == number)
    if tracks is not None:
        ids = ids[tracks[np.asarray(capture.lane_track)[lanes_of(capture, ids)]]]
    return ids[np.argsort(np.asarray(capture.slice_start)[ids], kind="stable")]


def track_of(capture: Capture, slice_id: int) -> int:
    """Track of one slice."""
    return int(capture.lane_track[capture.lane_of(slice_id)])


def title(row: dict[str, Any]) -> str:
    """Titles of process, thread, group and lane without repeats: names the same lane on another card.

    Numbers of processes and threads are left out; they differ from run to run.
    """
    parts = (row["process"], row["thread"], row["group"], row["lane"])
    return " › ".join(dict.fromkeys(part for part in parts if part))


def _kind(row: dict[str, Any]) -> LaneKind:
    if row["role"] in _DEVICE_ROLES or row["process"] in _DEVICE_PROCESSES:
        return "device"
    return "device" if (row["process_label"] or "").upper().startswith(("NPU", "GPU")) else "host"
