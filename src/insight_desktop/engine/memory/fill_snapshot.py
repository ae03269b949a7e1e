"""Fills the capture of a memory snapshot: column files for the pages and Parquet tables (`schema_snapshot`)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.engine.load_options import EventRange
from insight_desktop.engine.memory import snapshot_pair as sp
from insight_desktop.engine.memory import snapshot_segments as sg
from insight_desktop.engine.memory.blocks import address_hash
from insight_desktop.engine.memory.snapshot_range import SegmentEvents, cut_blocks
from insight_desktop.engine.memory.snapshot_tables import write_tables
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import snapshot_pickle
from insight_desktop.ingest.formats.snapshot_extract import SEGMENT_COLUMNS
from insight_desktop.ingest.formats.snapshot_reader import EVENT_TYPES
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source
from insight_desktop.schema_snapshot import (
    ACTIONS,
    ANOMALIES,
    COLUMNS,
    EXACT,
    NEVER_FREED,
    OOM,
    OTHER,
    PENDING_BEFORE,
    PREEXISTING,
    SEGMENT_ALLOC,
    SEGMENT_FREE,
    SEGMENT_MAP,
    SEGMENT_UNMAP,
)

Array = npt.NDArray[Any]
_LARGEST = 1 << 48
_S = {name: place for place, name in enumerate(SEGMENT_COLUMNS)}


class Parts:
    """What the reader left in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.facts: dict[str, Any] = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
        self.segments: Array = np.load(folder / "segments.npy")
        self.blocks: Array = np.load(folder / "blocks.npy")
        self.pairs: Array = np.load(folder / "pairs.npy")
        with pa.memory_map(str(folder / "texts.arrow")) as file:
            self.texts: list[str] = pa.ipc.open_file(file).read_all().column("value").to_pylist()

    def column(self, name: str) -> Array:
        """A column of all events; empty when the file does not have it."""
        path = self.folder / f"event_{name}.bin"
        if not path.exists() or not path.stat().st_size:
            return np.empty(0, EVENT_TYPES[name])
        return np.memmap(path, EVENT_TYPES[name], "r")

    def default_pool(self) -> int:
        """Row of the pair (0, 0), -1 when no pool has it."""
        found = np.flatnonzero((self.pairs == 0).all(axis=1))
        return int(found[0]) if len(found) else -1


def fill(folder: Path, source: Source, report: Report) -> None:
    """Read the snapshot and write its tables into the folder of a capture.

    Raises:
        BadFile: the snapshot is refused, damaged, or no snapshot.
    """
    path, wanted = source.files[0], EventRange.of(source)
    scratch = folder / "snapshot_parts"
    scratch.mkdir()
    try:
        snapshot_pickle.parse(path, scratch, report)
        parts = Parts(scratch)
        codes, names = _actions(parts)
        devices = _devices(parts)
        if not devices:
            raise BadFile(f"{path.name}: neither segments nor events.", fix="Record while memory is in use.")
        _check_range(wanted, parts, path)
        found = []
        for place, device in enumerate(devices):
            report.checkpoint(place, len(devices), path.name)
            found.append(_Device(device, parts, codes, folder, wanted or EventRange()).write())
        facts = {
            "snapshot": {
                "devices": [device.facts for device in found],
                "actions": names,
                "texts": "snapshot_texts.arrow",
                "pools": parts.pairs.tolist(),
                "default_pool": parts.default_pool(),
                "settings": parts.facts["settings"],
                "annotations": parts.facts["annotations"],
                "protocol": parts.facts["protocol"],
                "other_keys": parts.facts["other_keys"],
                "size_bytes": path.stat().st_size,
                "range": wanted.text if wanted else "",
            }
        }
        (folder / "snapshot.json").write_text(json.dumps(facts["snapshot"]), encoding="utf-8")
        for name in ("texts.arrow", "frames.npy", "stacks.npy", "stack_frames.npy"):
            shutil.copyfile(scratch / name, folder / f"snapshot_{name}")
        write_tables(folder, parts.facts, report)
        _say(path, parts, found, report)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _actions(parts: Parts) -> tuple[Array, list[str]]:
    """Code of every text as an action, and the names of all codes; unknown actions keep their text."""
    used = np.unique(parts.column("action"))
    codes = np.full(len(parts.texts) + 1, OTHER, np.uint8)  # the last place is for events without a text
    names = list(ACTIONS)
    for row in used[used >= 0].tolist():
        text = parts.texts[row]
        if text not in names and len(names) < 255:
            names.append(text)
        codes[row] = names.index(text) if text in names else 254
    if (len(used) and used[0] < 0) or len(names) == OTHER:
        names.append("")
    return codes, names


def _check_range(wanted: EventRange | None, parts: Parts, path: Path) -> None:
    """Refuse a range that holds no event of any device."""
    longest = max((sum(int(count) for _, count in runs) for runs in parts.facts["devices"]), default=0)
    if wanted is not None and wanted.first >= longest:
        raise BadFile(
            f"{path.name} has no event {wanted.first:,}: its longest trace has {longest:,} events.",
            fix="Choose an earlier range, or read all events.",
        )


def _devices(parts: Parts) -> list[int]:
    """Devices with events or segments, numbered as in the file."""
    with_events = {k for k, runs in enumerate(parts.facts["devices"]) if runs}
    return sorted(with_events | {int(d) for d in np.unique(parts.segments[:, _S["device"]])})


class _Device:
    """One device: its trace and its dump, paired and written."""

    def __init__(self, device: int, parts: Parts, codes: Array, folder: Path, wanted: EventRange) -> None:
        self.device, self.folder, self._parts = device, folder, parts
        runs = parts.facts["devices"][device] if device < len(parts.facts["devices"]) else []
        self._runs = [(int(first), int(count)) for first, count in runs]
        self.n = sum(count for _, count in self._runs)
        self.action = codes[self._events("action")]
        self.address = self._events("address")
        self.size, self.bad_sizes = _sane(self._events("size"))
        self.stream, self.stack = self._events("stream"), self._events("stack")
        self.anomalies = np.zeros((len(ANOMALIES), 2), np.int64)
        self.unrecorded = 0  # blocks of the whole file from before its recording
        self.first, self.end = wanted.within(self.n)
        self.facts: dict[str, Any] = {
            "device": device, "events": self.end - self.first, "first_event": self.first, "whole_events": self.n,
        }  # fmt: skip
        mine = np.flatnonzero(parts.segments[:, _S["device"]] == device)
        self.dump = parts.segments[mine]
        self.dump = self.dump[np.argsort(self.dump[:, _S["address"]].view(np.uint64), kind="stable")]
        held = parts.blocks[np.isin(parts.blocks[:, 0], mine)]
        for table, columns in ((self.dump, (_S["size"],)), (held, (2, 3))):
            for column in columns:
                table[:, column], bad = _sane(table[:, column])
                self.bad_sizes += bad
        self.live = held[held[:, 4] >= 0]
        self.live_stream = parts.segments[self.live[:, 0], _S["stream"]]

    def _events(self, name: str) -> Array:
        whole = self._parts.column(name)
        if not len(whole):
            return whole
        pieces = [whole[first : first + count] for first, count in self._runs]
        return pieces[0] if len(pieces) == 1 else np.concatenate([*pieces, whole[:0]])

    def write(self) -> _Device:
        """Pair, sum up, write the column files, and fill `facts`."""
        n = self.n
        pool = self._events("pool")
        block_of = np.full(n, -1, np.int32)
        table, keys, used, values = sp.pair(
            self.action, self.address, self.size, self.stream, self.stack, pool, block_of, self.anomalies
        )
        matched = np.zeros(len(table), np.uint8)
        dump = np.column_stack([self.live[:, 1:6], self.live_stream]).astype(np.int64)
        extra = sp.match_dump(table, keys, used, values, dump, n, matched, self.anomalies)
        del keys, used, values
        ends = self._segment_ends()
        sp.close_lost(table, matched, ends, len(self.dump) > 0 or len(ends) > 0, n, self.anomalies)
        blocks = sp.finish(table, extra, block_of, n)
        self._write_segments(pool)
        self._write_blocks(blocks, block_of)
        self._write_events()
        return self

    def _segment_ends(self) -> Array:
        gone = np.flatnonzero((self.action == SEGMENT_FREE) | (self.action == SEGMENT_UNMAP))
        address = self.address[gone].astype(np.int64)
        return np.column_stack([gone, address, address + self.size[gone]]).astype(np.int64)

    def _put(self, name: str, values: Array) -> None:
        values.astype(COLUMNS[name], copy=False).tofile(self.folder / f"snapshot_d{self.device}_{name}.bin")

    def _write_events(self) -> None:
        part = slice(self.first, self.end)
        action = self.action[part]
        self._put("action", action)
        for name in (
            "address",
            "size",
            "stream",
            "stack",
            "time",
            "context",
            "metadata",
            "category",
            "forward",
            "pool",
        ):
            values = self.size if name == "size" else self._events(name)
            if len(values):
                self._put(name, values[part])
        oom = np.flatnonzero(action == OOM)
        self.facts |= {"oom": oom[:10_000].tolist(), "oom_events": len(oom)}
        self.facts["has_time"] = bool(len(self._events("time")))

    def _write_segments(self, pool: Array) -> None:
        events = np.flatnonzero(sg.is_segment_event(self.action))
        default = self._parts.default_pool()
        d = self.dump
        table = np.column_stack([
            d[:, _S["address"]], d[:, _S["size"]], d[:, _S["stream"]], np.full(len(d), -1), d[:, _S["pool"]],
            d[:, _S["small"]], d[:, _S["expandable"]],
        ]).astype(np.int64)  # fmt: skip
        owner = np.searchsorted(table[:, sg.ADDRESS].view(np.uint64), self.address[events], "right") - 1
        pools = np.where(owner >= 0, table[owner, sg.POOL], default) if len(table) else np.full(len(events), default)
        if len(pool):
            pools = np.where(pool[events] >= 0, pool[events], pools)
        pools = pools.astype(np.int64)
        first, missing = sg.before_first(table, events, self.action, self.address, self.size, self.stream, pools)
        self.anomalies[6] += missing
        moves = SegmentEvents(events, self.action, self.address, self.size, self.stream, pools)
        self._write_segment_part(first, table, moves)
        changes = np.zeros(self.n, np.int64)
        signs = np.isin(self.action[events], (SEGMENT_ALLOC, SEGMENT_MAP)) * 2 - 1
        changes[events] = signs * self.size[events]
        before = int(table[:, sg.SIZE].sum()) - int(changes.sum())
        whole = before + np.cumsum(changes)
        before = int(whole[self.first - 1]) if self.first else before
        reserved = whole[self.first : self.end]
        self._put("reserved", reserved)
        self.facts |= {
            "reserved_before": before,
            "reserved": int(reserved[-1]) if len(reserved) else before,
            "peak_reserved": int(max(reserved.max(initial=before), before)),
            "peak_reserved_event": int(reserved.argmax()) if len(reserved) and reserved.max() >= before else -1,
        }

    def _write_segment_part(self, first: Array, dump: Array, moves: SegmentEvents) -> None:
        if self.end < self.n:
            dump = moves.replay(first, self.end)
        if self.first:
            first = moves.replay(first, self.first)
        m = moves.part(self.first, self.end)
        self._put("dump_segment", dump)
        points = sg.checkpoints(first, m.events, m.action, m.address, m.size, m.stream, m.pool, len(dump))
        self._put("segment_checkpoint", points)
        np.save(self.folder / f"snapshot_d{self.device}_segment_pool.npy", m.pool)
        self.facts |= {"segments": len(dump), "segments_before": len(first)}

    def _write_blocks(self, blocks: Array, block_of: Array) -> None:
        requested, exact = blocks[:, sp.REQUESTED], (blocks[:, sp.FLAGS] & EXACT) > 0
        pad = sp.detect_pad(blocks[:, sp.ADDRESS], blocks[:, sp.SIZE], requested, exact)
        size = np.where(exact, blocks[:, sp.SIZE], sp.estimated(requested, pad))
        self.unrecorded = int(((blocks[:, sp.FLAGS] & PREEXISTING) > 0).sum())
        blocks, size, block_of = cut_blocks(blocks, size, block_of, self.n, self.first, self.end)
        self._put("block", block_of)
        n, flags = self.end - self.first, blocks[:, sp.FLAGS]
        before = (flags & PREEXISTING) > 0
        allocated, active = np.zeros(n, np.int64), np.zeros(n, np.int64)
        start = np.where(before, -1, blocks[:, sp.START])
        pending = np.where((flags & PENDING_BEFORE) > 0, -1, blocks[:, sp.PENDING])
        first = sp.totals(start, pending, blocks[:, sp.END], size, n, allocated, active)
        for name, column in (("start", sp.START), ("pending", sp.PENDING), ("end", sp.END), ("address", sp.ADDRESS),
                             ("requested", sp.REQUESTED), ("stream", sp.STREAM), ("stack", sp.STACK), ("flags", sp.FLAGS),
                             ("pool", sp.POOL)):  # fmt: skip
            values = blocks[:, column]
            self._put(f"block_{name}", values.view(np.uint64) if name == "address" else values)
        self._put("block_size", size)
        self._put("block_hash", address_hash(blocks[:, sp.ADDRESS].view(np.uint64)))
        self._put("allocated", allocated)
        self._put("active", active)
        low = np.flatnonzero(allocated < 0)
        if len(low):
            self.anomalies[7] += (len(low), int(low[0]) + self.first)
        known = self.anomalies[:, 1]
        inside = (known >= self.first) & (known < self.end)
        self.anomalies[:, 1] = np.where(inside, known - self.first, -1)
        top = int(active.max(initial=int(first[1])))
        self.facts |= {
            "blocks": len(blocks),
            "preexisting": int(before.sum()),
            "unreleased": int((((flags & NEVER_FREED) > 0) & ~before).sum()),
            "pad": pad,
            "allocated_before": int(first[0]),
            "active_before": int(first[1]),
            "allocated": int(allocated[-1]) if n else int(first[0]),
            "active": int(active[-1]) if n else int(first[1]),
            "peak_allocated": int(allocated.max(initial=int(first[0]))),
            "peak_active": top,
            "peak_active_event": int(active.argmax()) if n and top > int(first[1]) else -1,
            "anomalies": {k: self.anomalies[p].tolist() for p, k in enumerate(ANOMALIES) if self.anomalies[p, 0]},
        }


def _sane(sizes: Array) -> tuple[Array, int]:
    """Sizes that no memory has count as 0; and how many there were."""
    bad = (sizes < 0) | (sizes > _LARGEST)
    count = int(bad.sum())
    return (np.where(bad, 0, sizes) if count else sizes), count


_SENTENCES = {
    "alloc_without_block": "blocks were allocated and never freed in the trace, but do not live at the dump: their frees were lost.",
    "alloc_of_live_address": "allocations of an address that lives already: the free between them was lost; the older block ends there.",
    "free_of_unknown": "frees of addresses that do not live: left out, or the block begins again after them.",
    "double_free": "second frees of a block: left out.",
    "state_differs": "blocks whose state at the dump differs from the trace: the dump counts.",
    "survivors_unknown": "blocks are not freed in the trace, and the file tells nothing of the segments at its end: shown as survivors.",
    "segment_missing": "segments that the trace takes are not there at the dump.",
    "negative_total": "events after which the totals would be negative.",
}  # fmt: skip


def _say(path: Path, parts: Parts, devices: list[_Device], report: Report) -> None:
    """Issues for the import report."""
    for d in devices:
        if d.end - d.first < d.n:
            part = f"events {d.first:,} to {d.end - 1:,}" if d.end > d.first else "no events"
            report.issue(
                "snapshot_pickle.part", "info", f"{path.name}, device {d.device}",
                f"Only a part was read: {part} of {d.n:,}.", fix="Read all events to see the rest.",
            )  # fmt: skip
    for key, text in (("bad_fields", "fields of events with a value of the wrong kind were left out."),
                      ("bad_frames", "entries of call stacks that are no frames were left out."),
                      ("bad_segments", "entries of segments or blocks that are no dictionaries were left out."),
                      ("bad_events", "entries of the traces without an action were left out.")):  # fmt: skip
        count = int(parts.facts[key])
        if count:
            report.issue(f"snapshot_pickle.{key}", "warning", path.name, f"{count:,} {text}", count=count)
    for device in devices:
        where = f"{path.name}, device {device.device}"
        if device.bad_sizes:
            report.issue(
                "snapshot_pickle.bad_size", "warning", where,
                f"{device.bad_sizes:,} sizes below 0 or beyond any memory count as 0.", count=device.bad_sizes,
            )  # fmt: skip
        for kind, (count, event) in device.facts["anomalies"].items():
            at = f" First at event {event:,}." if event >= 0 else ""
            report.issue(f"snapshot_pickle.{kind}", "warning", where, f"{count:,} {_SENTENCES[kind]}{at}", count=count)
    settings = parts.facts["settings"] or {}
    overflowed = settings.get("trace_alloc_overflowed")
    if any(overflowed) if isinstance(overflowed, list) else overflowed:
        report.issue(
            "snapshot_pickle.overflow", "warning", path.name,
            "The ring buffer of the recording overflowed: events were lost, blocks from before recording have no stack.",
            fix="Record with a larger max_entries, or dump earlier.",
        )  # fmt: skip
    elif any(device.unrecorded for device in devices):
        count = sum(device.unrecorded for device in devices)
        report.issue(
            "snapshot_pickle.preexisting",
            "info",
            path.name,
            f"{count:,} blocks lived before recording began; they have no stack.",
        )
