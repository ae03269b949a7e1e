"""Turns the row dicts of `plain_build` into a reader's stream, so that both builders can be fed with the same data."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from insight_desktop import schema

Rows = list[dict[str, Any]]
NONE = float("nan")


def stream(
    *,
    slices: Rows = (),
    instants: Rows = (),
    counters: Rows = (),
    flows: Rows = (),
    links: list[tuple[int, int, str]] = (),
    size: int = 1000,
    seed: int | None = None,
) -> Iterator[tuple[str, pa.RecordBatch]]:  # type: ignore[assignment]
    """Batches of at most `size` rows.

    slices, instants, counters, links: as for plain_build.build; slices may also have group_id;
    flows: pid, tid, ts_ns, phase (s, t, f), cat, id and optionally bp.
    seed: gives tracks and series ids in a shuffled order, as readers do that meet them in any order.
    """
    strings: dict[str, int] = {}
    tracks: dict[tuple[Any, ...], dict[str, Any]] = {}
    series: dict[tuple[str, ...], int] = {}

    def intern(text: str | None) -> int:
        return strings.setdefault(text, len(strings)) if text else -1

    def key(e: dict[str, Any]) -> tuple[Any, ...]:
        return (str(e["pid"]), str(e["tid"]), e.get("group", ""), e.get("lane", e.get("thread", str(e["tid"]))))

    every = [*slices, *instants, *flows]
    if seed is not None:
        random.Random(seed).shuffle(every)
    for e in every:
        tracks.setdefault(key(e), {"id": len(tracks), **e})

    def track(e: dict[str, Any]) -> int:
        return int(tracks[key(e)]["id"])

    for at in range(0, len(slices), size):
        part = slices[at : at + size]
        yield "slice", schema.batch(
            "slice", track=[track(e) for e in part], start_ns=[e["start_ns"] for e in part], end_ns=[e["end_ns"] for e in part],
            name=[intern(e["name"]) for e in part], category=[intern(e.get("cat")) for e in part], flags=[e.get("flags", 0) for e in part],
            args_at=[e.get("args_at", -1) for e in part], args_len=[e.get("args_len", 0) for e in part], group=[intern(e.get("group_id")) for e in part],
        )  # fmt: skip
    if instants:
        yield "instant", schema.batch("instant", track=[track(e) for e in instants], ts_ns=[e["ts_ns"] for e in instants], name=[intern(e["name"]) for e in instants], category=[-1] * len(instants), args_at=[-1] * len(instants), args_len=[0] * len(instants))  # fmt: skip
    if counters:
        number = [
            series.setdefault((c.get("metrics", "NPU Metrics"), c["process"], c["counter"], c["series"]), len(series))
            for c in counters
        ]
        yield "counter", schema.batch("counter", series=number, ts_ns=[c["ts_ns"] for c in counters], value=[NONE if c["value"] is None else c["value"] for c in counters])  # fmt: skip
    if flows:
        yield "flow", schema.batch("flow", track=[track(f) for f in flows], ts_ns=[f["ts_ns"] for f in flows], phase=[ord(f["phase"]) for f in flows], category=[intern(f["cat"]) for f in flows], id=[f["id"] for f in flows], enclosing=[f.get("bp") == "e" for f in flows])  # fmt: skip
    if links:
        yield "link", schema.batch("link", category=[intern(c) for _, _, c in links], id=list(range(len(links))), from_serial=[a for a, _, _ in links], to_serial=[b for _, b, _ in links])  # fmt: skip
    yield "string", schema.batch("string", value=list(strings))
    rows = sorted(tracks.values(), key=lambda t: t["id"])
    yield "track", schema.batch(
        "track", pid=[str(t["pid"]) for t in rows], process=[t.get("process", str(t["pid"])) for t in rows], process_label=[t.get("label", "") for t in rows],
        process_sort=[float(s) if (s := t.get("sort", 0)) is not None else None for t in rows], tid=[str(t["tid"]) for t in rows],
        thread=[t.get("thread", str(t["tid"])) for t in rows], thread_sort=[None] * len(rows), group=[t.get("group", "") for t in rows],
        lane=[t.get("lane", t.get("thread", str(t["tid"]))) for t in rows], lane_sort=[t.get("lane_sort", 0) for t in rows], role=[t.get("role", "thread") for t in rows], device=[-1] * len(rows),
    )  # fmt: skip
    keys = list(series)
    yield "series", schema.batch("series", pid=[k[1] for k in keys], process=[k[1] for k in keys], process_label=["NPU"] * len(keys), process_sort=[0.0] * len(keys), metrics=[k[0] for k in keys], counter=[k[2] for k in keys], series=[k[3] for k in keys], unit=[""] * len(keys), order=list(range(len(keys))), device=[-1] * len(keys))  # fmt: skip
