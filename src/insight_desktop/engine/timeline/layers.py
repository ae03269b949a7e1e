"""Layers of a card: which lanes are the Python API, the CANN API, the device's tasks, communication, the overlap analysis."""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from insight_desktop import schema
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import slice_sets
from insight_desktop.engine.timeline.slice_sets import I64
from insight_desktop.errors import InsightError
from insight_desktop.ingest.open_files import SQLITE_ERRORS, open_sqlite
from insight_desktop.ingest.sources import Source

View = Literal["python_api", "cann_api", "ascend_hw", "communication", "overlap"]
COMPUTING, COMMUNICATION, UNCOVERED, FREE = (
    "Computing", "Communication", "Communication(Not Overlapped)", "Free",
)  # fmt: skip
_PROCESSES = {
    "python_api": ("Python",), "cann_api": ("CANN",), "ascend_hw": ("Ascend Hardware",),
    "communication": ("HCCL", COMMUNICATION),
}  # fmt: skip
_DEVICE = re.compile(r" \(NPU [^()]*\)$")
_TABLES = {"python_api": "PYTORCH_API", "cann_api": "CANN_API"}

logger = logging.getLogger(__name__)


def tracks_of(store: Store, card: str, view: View) -> tuple[int, ...]:
    """Lanes of a layer in display order.

    Text traces name the layers by their processes; databases by the lanes that their tables fill. Lanes of other devices
    are left out, and so are host lanes of database processes that own no task of the device.
    """
    chosen, capture = store.card(card), store.capture(card)
    lines = capture.tracks.select(["pid", "process", "group", "lane", "role", "device"]).to_pylist()
    table = _TABLES.get(view) if chosen.kind == "db" else None
    if table is not None:
        mine = [i for i in range(len(lines)) if _table_of(capture, i) == table]
    else:
        mine = [i for i, line in enumerate(lines) if _belongs(line, view)]
    if view in ("python_api", "cann_api"):
        return tuple(_of_owners(mine, lines, chosen) if chosen.kind == "db" else mine)
    return tuple(_of_device(mine, lines, chosen))


def overlap_slices(
    store: Store, card: str, from_ns: int | None = None, to_ns: int | None = None, *, whole: bool = False
) -> dict[str, tuple[I64, I64, I64]]:
    """Ids, starts and ends, as counted, of the overlap analysis by kind (COMPUTING, COMMUNICATION, UNCOVERED, FREE).

    The kind is the name of the slice: lanes of some traces have no title. Empty for a card without the analysis.
    """
    capture = store.capture(card)
    picked = slice_sets.pick(capture, tracks_of(store, card, "overlap"), from_ns, to_ns, whole=whole)
    names = {capture.text(int(i)): int(i) for i in np.flatnonzero(np.bincount(picked.name))}
    out = {}
    for kind in (COMPUTING, COMMUNICATION, UNCOVERED, FREE):
        mine = picked.name == names.get(kind, -1)
        out[kind] = picked.ids[mine], picked.start[mine], picked.end[mine]
    return out


def group_planes(store: Store, card: str) -> list[tuple[int, tuple[int, ...]]]:
    """Lanes of communication groups in display order, each with the lanes of its planes.

    Databases tell the group in the thread id of a plane (`91_0`); in traces the planes follow their group by thread id.
    """
    capture = store.capture(card)
    lines = capture.tracks.select(["pid", "tid", "role"]).to_pylist()
    groups: list[tuple[int, list[int]]] = []
    at: dict[tuple[str, str], int] = {}
    mine = [
        t for t in tracks_of(store, card, "communication") if lines[t]["role"] in (schema.ROLE_GROUP, schema.ROLE_PLANE)
    ]
    for track in sorted(mine, key=lambda t: (lines[t]["pid"], _number(lines[t]["tid"]))):
        pid, tid = lines[track]["pid"], lines[track]["tid"]
        if lines[track]["role"] == schema.ROLE_GROUP:
            at[pid, tid] = len(groups)
            groups.append((track, []))
            continue
        before = at.get((pid, tid.rpartition("_")[0]))
        if before is None and groups and "_" not in tid and lines[groups[-1][0]]["pid"] == pid:
            before = len(groups) - 1
        if before is not None:
            groups[before][1].append(track)
    return [(group, tuple(planes)) for group, planes in sorted(groups)]


def _belongs(line: dict[str, Any], view: View) -> bool:
    if view == "overlap":
        return bool(line["role"] == schema.ROLE_OVERLAP)
    return layer_name(line["process"]) in _PROCESSES[view]


def layer_name(process: str) -> str:
    """Name of a process without the device that databases of several devices put behind it."""
    return _DEVICE.sub("", process)


def _table_of(capture: Capture, track: int) -> str:
    """Table of the database that fills a lane; empty when its slices tell none."""
    at = int(capture.lane_offset[int(capture.track_lane[track])])
    tables = capture.manifest.args.get("tables", [])
    if at >= len(capture.slice_args_len) or not tables:
        return ""
    code = -1 - int(capture.slice_args_len[at])
    return str(tables[code]) if 0 <= code < len(tables) else ""


def _of_device(mine: list[int], lines: list[dict[str, Any]], card: StoreCard) -> list[int]:
    """Without the lanes of other devices; all when the card's device has none."""
    if card.device is None or all(lines[i]["device"] != card.device for i in mine):
        return mine
    return [i for i in mine if lines[i]["device"] in (card.device, -1)]


def _of_owners(mine: list[int], lines: list[dict[str, Any]], card: StoreCard) -> list[int]:
    """Lanes of the processes that own tasks of the device; all when none of them does."""
    owners = _owners(card.source, card.device) if card.source is not None else frozenset()
    kept = [i for i in mine if lines[i]["pid"] in owners]
    return kept or mine


@lru_cache(maxsize=64)
def _owners(source: Source, device: int | None) -> frozenset[str]:
    """Ids of the processes with tasks on a device, as texts."""
    try:
        with open_sqlite(source.files[0], allow_truncated=True) as file:
            connection = file.connect()
            try:
                of_device = "" if device is None else "WHERE deviceId = ?"
                found = connection.execute(
                    f"SELECT DISTINCT globalPid FROM TASK {of_device}", () if device is None else (device,)
                ).fetchall()
            finally:
                connection.close()
    except (InsightError, OSError, *SQLITE_ERRORS):  # the import has told what is wrong with the file
        logger.info("no owners of tasks from %s", source.files[0], exc_info=True)
        return frozenset()
    return frozenset(str(row[0]) for row in found if row[0] is not None)


def _number(tid: str) -> tuple[int, ...]:
    parts = tid.split("_")
    return tuple(int(p) if p.isdecimal() else 0 for p in parts)
