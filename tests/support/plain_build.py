"""Builds a capture from Python lists, row by row: the oracle of `engine.build` and the maker of small test captures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.engine.capture import PEAK_BLOCKS, Capture, Manifest, write_column, write_ipc

Rows = list[dict[str, Any]]


def rows_of(intervals: list[tuple[int, int]]) -> list[int]:
    """Depth row of each interval, given in (start, longer first, file) order: the first row that is free."""
    busy: list[int] = []
    out = []
    for start, end in intervals:
        row = next((r for r, last in enumerate(busy) if last <= start), len(busy))
        if row == len(busy):
            busy.append(end)
        busy[row] = end
        out.append(row)
    return out


def union(intervals: list[tuple[int, int]]) -> int:
    """Length of the union of intervals."""
    total, reach = 0, None
    for start, end in sorted(intervals):
        begin = start if reach is None or start > reach else reach
        total += max(0, end - begin)
        reach = end if reach is None else max(reach, end)
    return total


def build(
    folder: Path, *, slices: Rows, instants: Rows = (), counters: Rows = (), links: list[tuple[int, int, str]] = ()
) -> Capture:  # type: ignore[assignment]
    """Write a capture.

    slices: dicts with pid, tid, name, start_ns, end_ns and optionally process, thread, lane, group, role, cat, flags, sort;
    instants: pid, tid, name, ts_ns; counters: process, counter, series, ts_ns, value, metrics;
    links: (index in slices, index in slices, category).
    """
    folder.mkdir(parents=True, exist_ok=True)
    strings: dict[str, int] = {}

    def intern(text: str) -> int:
        return strings.setdefault(text, len(strings))

    def key(e: dict[str, Any]) -> tuple[Any, ...]:
        return (
            e.get("sort", 0),
            e.get("process", str(e["pid"])),
            str(e["pid"]),
            e.get("thread", str(e["tid"])),
            str(e["tid"]),
            e.get("group", ""),
            e.get("lane", e.get("thread", str(e["tid"]))),
        )

    keys = sorted({key(e) for e in [*slices, *instants]})
    tracks: list[dict[str, Any]] = []
    new_id: dict[int, int] = {}
    columns: dict[str, list[Any]] = {
        n: [] for n in ("start", "end", "name", "category", "flags", "args_at", "args_len")
    }
    lane_offset, lane_track, lane_row, track_lane, instant_offset = [0], [], [], [0], [0]
    inst: list[tuple[int, int]] = []
    for t, k in enumerate(keys):
        mine = sorted(
            (i for i, e in enumerate(slices) if key(e) == k),
            key=lambda i: (slices[i]["start_ns"], -slices[i]["end_ns"], i),
        )
        spans = [(slices[i]["start_ns"], slices[i]["end_ns"]) for i in mine]
        depth = rows_of(spans)
        for row in range(max(depth, default=-1) + 1):
            for i in [i for i, d in zip(mine, depth, strict=True) if d == row]:
                e = slices[i]
                new_id[i] = len(columns["start"])
                for name, value in (
                    ("start", e["start_ns"]),
                    ("end", e["end_ns"]),
                    ("name", intern(e["name"])),
                    ("category", intern(e["cat"]) if e.get("cat") else -1),
                    ("flags", e.get("flags", 0)),
                    ("args_at", -1),
                    ("args_len", 0),
                ):
                    columns[name].append(value)
            lane_offset.append(len(columns["start"]))
            lane_track.append(t)
            lane_row.append(row)
        track_lane.append(len(lane_track))
        points = sorted((e["ts_ns"], intern(e["name"])) for e in instants if key(e) == k)
        inst += points
        instant_offset.append(len(inst))
        stamps = [s for span in spans for s in span] + [p[0] for p in points]
        first = next(e for e in [*slices, *instants] if key(e) == k)
        tracks.append(
            {
                "pid": k[2], "process": k[1], "process_label": first.get("label", ""), "process_sort": float(k[0]), "tid": k[4],
                "thread": k[3], "thread_sort": None, "group": k[5], "lane": k[6], "lane_sort": 0, "role": first.get("role", "thread"),
                "device": -1, "slices": len(mine), "instants": len(points), "rows": max(depth, default=-1) + 1,
                "sum_ns": sum(b - a for a, b in spans), "busy_ns": union(spans), "first_ns": min(stamps), "last_ns": max(stamps),
            }
        )  # fmt: skip
    for name, values in columns.items():
        write_column(folder, f"slice_{name}", np.array(values))
    for name, values in (
        ("lane_offset", lane_offset),
        ("lane_track", lane_track),
        ("lane_row", lane_row),
        ("track_lane", track_lane),
        ("instant_offset", instant_offset),
    ):
        write_column(folder, name, np.array(values))
    write_column(folder, "instant_ts", np.array([p[0] for p in inst]))
    write_column(folder, "instant_name", np.array([p[1] for p in inst]))
    for name, value in (("category", -1), ("args_at", -1), ("args_len", 0)):
        write_column(folder, f"instant_{name}", np.full(len(inst), value))
    _counters(folder, list(counters))
    pairs = sorted((new_id[a], new_id[b], intern(c)) for a, b, c in links)
    for name, at in (("from", 0), ("to", 1), ("category", 2)):
        write_column(folder, f"link_{name}", np.array([p[at] for p in pairs]))
    write_column(folder, "link_id", np.arange(len(pairs)))
    write_column(folder, "link_by_to", np.argsort(np.array([p[1] for p in pairs]), kind="stable"))
    write_column(folder, "string_hash", np.array([_hash(s) for s in strings], np.uint64))
    write_ipc(folder, "strings", pa.table({"value": pa.array(list(strings), pa.large_string())}))
    fields = [
        *schema.STREAM["track"].schema,
        *(pa.field(n, pa.int64()) for n in ("slices", "instants", "rows", "sum_ns", "busy_ns", "first_ns", "last_ns")),
    ]
    write_ipc(folder, "tracks", pa.Table.from_pylist(tracks, pa.schema(fields)))
    every = [s for e in slices for s in (e["start_ns"], e["end_ns"])] + [e["ts_ns"] for e in [*instants, *counters]]
    low, high = min(every, default=0), max(every, default=0)
    Manifest(
        source={"format": "plain", "kind": "text", "files": []},
        counts={"slices": len(slices), "instants": len(inst), "counters": len(counters), "flow_starts": len(pairs), "flow_ends": len(pairs), "links": len(pairs)},
        processes=list(dict.fromkeys(t["process"] for t in tracks)), start_ns=low, end_ns=high, view_start_ns=low, view_span_ns=high - low,
    ).write(folder)  # fmt: skip
    return Capture(folder)


def _counters(folder: Path, counters: Rows) -> None:
    keys = list(
        dict.fromkeys((c.get("metrics", "NPU Metrics"), c["process"], c["counter"], c["series"]) for c in counters)
    )
    rows, offset, stamps, values = [], [0], [], []
    peaks: dict[int, tuple[list[float], list[float], list[int]]] = {b: ([], [], [0]) for b in PEAK_BLOCKS}
    for order, k in enumerate(keys):
        mine = sorted(
            (c["ts_ns"], float("nan") if c["value"] is None else c["value"])
            for c in counters
            if (c.get("metrics", "NPU Metrics"), c["process"], c["counter"], c["series"]) == k
        )
        line = [v for _, v in mine]
        stamps += [t for t, _ in mine]
        values += line
        offset.append(len(stamps))
        for b, (low, high, at) in peaks.items():
            for i in range(0, len(line), b):
                low.append(np.nanmin(line[i : i + b]))
                high.append(np.nanmax(line[i : i + b]))
            at.append(len(low))
        rows.append(
            {
                "pid": k[1], "process": k[1], "process_label": "NPU", "process_sort": 0.0, "metrics": k[0], "counter": k[2], "series": k[3],
                "unit": "", "order": order, "device": -1, "points": len(mine), "first_ns": mine[0][0], "last_ns": mine[-1][0],
                "min": float(np.nanmin(line)), "max": float(np.nanmax(line)),
            }
        )  # fmt: skip
    write_column(folder, "counter_ts", np.array(stamps))
    write_column(folder, "counter_value", np.array(values))
    write_column(folder, "series_offset", np.array(offset))
    for b, (low, high, at) in peaks.items():
        write_column(folder, f"peak_{b}_min", np.array(low))
        write_column(folder, f"peak_{b}_max", np.array(high))
        write_column(folder, f"peak_{b}_offset", np.array(at))
    kinds = {
        "points": pa.int64(),
        "first_ns": pa.int64(),
        "last_ns": pa.int64(),
        "min": pa.float64(),
        "max": pa.float64(),
    }
    fields = [*schema.STREAM["series"].schema, *(pa.field(n, t) for n, t in kinds.items())]
    write_ipc(folder, "series", pa.Table.from_pylist(rows, pa.schema(fields)))


def _hash(name: str) -> int:
    """Colour hash: FNV-1a 64 of the name with digit runs as # and a middle dot behind, folded."""
    import re

    h = 14695981039346656037
    for byte in (re.sub(r"[0-9]+", "#", name) + "·").encode():
        h = ((h ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return h ^ (h >> 29)
