"""Jobs of several ranks for tests: real folders opened as text or as databases, and small made ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard

STEP_HEAD = (
    "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
    "Communication(Not Overlapped and Exclude Receive),Preparing"
)


def open_cluster(*paths: Path, kind: str = "text") -> Store:
    """The ranks of a folder, and the finished analysis beside them; kind `db` takes analysis.db instead of the text files."""
    found, imports = import_paths(list(paths))
    cards = [StoreCard.of_import(item) for item in imports if item.status == "ready"]
    if kind == "db":
        cards = [replace(c, kind="db", source=replace(c.source, kind="db")) for c in cards if c.source is not None]
    store = Store(cards)
    store.extras = tuple(found.extras)
    return store


def operator(
    start_us: float = 1.0, elapse: float = 0.0, transit: float = 0.0, wait: float = 0.0, sync: float = 0.0, idle: float = 0.0,
    links: Mapping[str, tuple[float, float, Mapping[str, Sequence[float]]]] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """One operator of communication.json; links are (size, time, packets) by transport."""
    return {
        "Communication Time Info": {
            "Start Timestamp(us)": start_us,
            "Elapse Time(ms)": elapse,
            "Transit Time(ms)": transit,
            "Wait Time(ms)": wait,
            "Synchronization Time(ms)": sync,
            "Idle Time(ms)": idle,
        },
        "Communication Bandwidth Info": {
            transport: {
                "Transit Size(MB)": size,
                "Transit Time(ms)": time,
                "Bandwidth(GB/s)": round(size / time, 4) if time else 0,
                "Large Packet Ratio": 0,
                "Size Distribution": dict(packets),
            }
            for transport, (size, time, packets) in (links or {}).items()
        },
    }


def link(size: float, time: float, transport: str = "HCCS", name: str = "") -> dict[str, Any]:
    """One link of communication_matrix.json."""
    return {
        "Transport Type": transport, "Transit Size(MB)": size, "Transit Time(ms)": time,
        "Bandwidth(GB/s)": round(size / time, 4) if time else 0, "Op Name": name,
    }  # fmt: skip


def write_rank(
    folder: Path, rank: int, *, collective: Mapping[str, Any] | None = None, p2p: Mapping[str, Any] | None = None,
    links: Mapping[str, Any] | None = None, steps: Sequence[Sequence[float | str]] = (), step: str = "step1",
    groups: Mapping[str, Any] | None = None, sizes: Mapping[str, int] | None = None,
) -> Path:  # fmt: skip
    """Write one rank as a collector lays it out; the rows of `steps` follow STEP_HEAD without its first column."""
    card = folder / f"rank_{rank}_ascend_pt"
    output = card / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True, exist_ok=True)
    (card / f"profiler_info_{rank}.json").write_text("{}")
    if groups is not None or sizes is not None:
        (card / "profiler_metadata.json").write_text(
            json.dumps({"distributed_args": {**(sizes or {}), "rank": rank}, "parallel_group_info": groups or {}})
        )
    if collective is not None or p2p is not None:
        content = {step: {"p2p": p2p or {}, "collective": collective or {}}}
        (output / "communication.json").write_text(json.dumps(content))
    if links is not None:
        (output / "communication_matrix.json").write_text(json.dumps({step: {"collective": links}}))
    if steps:
        lines = [STEP_HEAD, *(f"{rank}," + ",".join(map(str, cells)) for cells in steps)]
        (output / "step_trace_time.csv").write_text("\n".join(lines) + "\n")
    return card
