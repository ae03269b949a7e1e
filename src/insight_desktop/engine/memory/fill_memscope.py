"""Fills the capture of a MemScope dump: `schema_memscope.MEMSCOPE` from the rows of its event table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.load_options import Pairing
from insight_desktop.engine.memory import memscope_blocks
from insight_desktop.engine.memory.memscope_blocks import Paired
from insight_desktop.engine.memory.memscope_events import NONE, Collector, Rows
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import memscope, memscope_compare
from insight_desktop.ingest.formats.memscope_times import DAY_NS, TimeRange
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source
from insight_desktop.schema_memscope import MEMSCOPE

HIDDEN, UNKNOWN = ("host",), ("", "N/A")
_IGNORED = (
    "orphan_free", "duplicate_malloc", "zero_size_malloc", "free_without_device", "malloc_without_device", "invalid_time",
)  # fmt: skip
_HARMLESS = ("negative_malloc", "access_outside", "owner_too_deep", "block_before_tracing", "implicit_free")
_SENTENCES = {
    "block_before_tracing": "FREE rows without a MALLOC before count as ends of blocks from before tracing, as you chose.",
    "implicit_free": "MALLOC rows of blocks that live already end these blocks and begin new ones, as you chose.",
    "orphan_free": "FREE rows without a MALLOC before were left out of blocks and curves.",
    "duplicate_malloc": "MALLOC rows of blocks that live already were left out of blocks and curves.",
    "zero_size_malloc": "MALLOC rows without a size were left out of blocks and curves.",
    "negative_malloc": "MALLOC rows with a negative size count with its absolute value.",
    "free_without_device": "FREE rows without a device that fit no block, or several, were left out.",
    "malloc_without_device": "MALLOC rows without a device were left out of blocks and curves.",
    "invalid_time": "Rows without a valid time were left out.",
    "used_differs": "Rows tell another pool size than the running sum; rows may be missing from the file.",
    "access_outside": "Accesses before the MALLOC or after the FREE of their block count for none.",
    "owner_too_deep": "Owner paths with more than 20 levels were cut.",
}


def fill(folder: Path, source: Source, report: Report) -> None:
    """Write the tables of a dump.

    Raises BadFile when there is no event table, a column is missing, or no row has a valid time.
    """
    path = source.files[0]
    calls = Capture(folder)
    times = memscope.time_range(source, report)
    spans = [stamp for stamp in (times.first, times.last) if stamp is not None]
    if calls.manifest.counts.get("slices"):
        spans += _span_of_calls(calls)
    if not spans:
        next(memscope.events(source, report), None)  # says what is missing where that is the reason
        raise BadFile(f"No row of {path.name} has a valid time.", fix="Collect the data again, or open another dump.")
    origin, end = min(spans), max(spans)
    _tell_outliers(times, path.name, report)
    collector = Collector(folder, origin)
    columns: frozenset[str] = frozenset()
    for found in memscope.events(source, report):
        columns = found.columns
        for batch in found.batches:
            collector.take(batch)
    rows = collector.finish()
    report.checkpoint(path.stat().st_size, path.stat().st_size, "pairing blocks")
    paired = memscope_blocks.pair(
        rows,
        hidden=frozenset(n for text, n in collector.devices.numbers.items() if text in HIDDEN),
        unknown=frozenset(n for text, n in collector.devices.numbers.items() if text in UNKNOWN),
        origin_ns=origin,
        end_ns=end,
        pairing=Pairing.of(source),
    )
    _write_blocks(folder, rows, paired, collector)
    _write_curves(folder, rows, paired, collector)
    _write(
        folder, "memscope_stack", {"stack": list(range(len(collector.stacks.texts))), "text": collector.stacks.texts}
    )
    threads = calls.tracks.num_rows if calls.manifest.counts.get("slices") else 0
    facts = {
        "start_ns": [origin], "span_ns": [max(1, end - origin)], "events": [collector.events],
        "has_owners": [bool(collector.owners.numbers)], "has_stacks": [bool({"stack_py", "stack_c"} & columns)],
        "threads": [threads],
    }  # fmt: skip
    _write(folder, "memscope_fact", facts)
    _write_quality(folder, rows, paired, collector, report, path.name)
    _write_compared(folder, source, report)
    report.add("table.memscope_event", collector.events)
    report.add("table.memscope_block", len(paired.blocks))
    if not len(paired.blocks):
        report.issue(
            "memscope.no_blocks", "warning", path.name, f"{path.name} has no allocation events; its charts stay empty.",
            fix="Collect with the events alloc and free.",
        )  # fmt: skip


def _tell_outliers(times: TimeRange, where: str, report: Report) -> None:
    if times.outliers:
        report.issue(
            "memscope.far_time", "warning", where,
            f"Rows more than a day away from all others, e.g. at {times.outlier_ns} ns, lie outside the time axis; "
            "they stay in the event table.", count=times.outliers,
        )  # fmt: skip


def _span_of_calls(calls: Capture) -> list[int]:
    """First and last time of the Python traces; of their bulk where others lie more than a day away."""
    whole = calls.manifest
    first, last = whole.view_start_ns, whole.view_start_ns + whole.view_span_ns
    return [
        first if first - whole.start_ns > DAY_NS else whole.start_ns,
        last if whole.end_ns - last > DAY_NS else whole.end_ns,
    ]


def _write(folder: Path, table: str, columns: dict[str, Any]) -> None:
    schema = MEMSCOPE[table].schema
    arrays = [
        columns[f.name] if isinstance(columns[f.name], pa.Array) else pa.array(columns[f.name], f.type) for f in schema
    ]
    pq.write_table(
        pa.table(arrays, schema=schema), folder / f"{table}.parquet", compression="lz4", row_group_size=128 * 1024
    )


def _told(values: Any, origin: int = 0) -> pa.Array:
    """Whole numbers with null for NONE, less an origin."""
    return pa.array(np.where(values == NONE, 0, values - origin), pa.int64(), mask=values == NONE)


def _words(words: list[str], numbers: Any) -> pa.Array:
    """Texts by number, empty for -1."""
    texts = pa.array([*words, ""], pa.string())
    return texts.take(pa.array(np.where(numbers < 0, len(words), numbers)))


def _write_blocks(folder: Path, rows: Rows, paired: Paired, collector: Collector) -> None:
    blocks, origin = paired.blocks, collector.origin_ns
    row, has_malloc, freed = blocks.row, blocks.malloc >= 0, blocks.free >= 0
    ends = np.where(freed, blocks.free, row)
    known = rows.allocation_id[row]
    attr = pq.read_table(folder / "memscope_event.parquet", columns=["attr"])["attr"].take(pa.array(rows.event[row]))
    _write(folder, "memscope_block", {
        "block_id": np.arange(len(blocks)), "device": _words(collector.devices.texts, blocks.device),
        "type": _words(collector.types.texts, rows.type[row]), "address": rows.address[row], "size_bytes": blocks.size,
        "alloc_ns": blocks.start - origin, "free_ns": blocks.end - origin, "never_freed": blocks.never_freed,
        "owner": _words(collector.owners.texts, rows.owner[row]), "pid": rows.pid[ends], "tid": rows.tid[ends],
        "allocation_id": np.where(known == NONE, 0, known), "first_access_ns": _told(blocks.first, origin),
        "last_access_ns": _told(blocks.last, origin), "accesses": blocks.accesses, "max_gap_ns": blocks.gap,
        "collector_tags": _words(collector.tags.texts, rows.tags[row]), "attr": attr.combine_chunks(),
        "alloc_event": np.where(has_malloc, rows.event[row], -1), "free_event": np.where(freed, rows.event[ends], -1),
        "stack_py": np.where(has_malloc, rows.stack_py[row], -1), "stack_c": np.where(has_malloc, rows.stack_c[row], -1),
    })  # fmt: skip


def _write_curves(folder: Path, rows: Rows, paired: Paired, collector: Collector) -> None:
    devices, types = collector.devices.texts, collector.types.texts
    curves = sorted(paired.curves, key=lambda c: (devices[c.device], types[c.type]))
    none = np.empty(0, np.int64)
    at, t, allocated = (
        np.concatenate([getattr(c, name) for c in curves]) if curves else none for name in ("rows", "t", "allocated")
    )
    told = at >= 0  # others are sums of blocks from before tracing
    first_id = min(int(rows.id.min(initial=0)), 0)
    counts = [len(c.rows) for c in curves]
    _write(folder, "memscope_curve", {
        "device": _words(devices, np.repeat([c.device for c in curves], counts).astype(np.int64)),
        "type": _words(types, np.repeat([c.type for c in curves], counts).astype(np.int64)),
        "t_ns": t - collector.origin_ns, "id": np.where(told, rows.id[at], first_id - 1), "allocated_bytes": allocated,
        **{
            f"{name}_bytes": _told(np.where(told, rows.columns[column][at], NONE))
            for name, column in (("reserved", "total"), ("process_used", "process_used"), ("device_used", "device_used"))
        },
    })  # fmt: skip


def _write_quality(folder: Path, rows: Rows, paired: Paired, collector: Collector, report: Report, where: str) -> None:
    devices, types = [*collector.devices.texts, ""], [*collector.types.texts, ""]
    points = {(c.device, c.type): int((c.rows >= 0).sum()) for c in paired.curves}
    lines = [
        {
            "reason": reason, "device": devices[device], "type": types[kind], "rows": count,
            "of": points.get((device, kind), 0) if reason == "used_differs" else len(rows), "ignored": reason in _IGNORED,
        }
        for (reason, device, kind), count in sorted(paired.quality.items())
    ]  # fmt: skip
    lines += [
        {"reason": r, "device": "", "type": "", "rows": n, "of": collector.events, "ignored": r in _IGNORED}
        for r, n in sorted(collector.quality.items())
        if n
    ]
    totals: Counter[str] = Counter()
    for line in lines:
        totals[str(line["reason"])] += int(line["rows"])  # type: ignore[call-overload]
    for reason, count in totals.items():
        severity = "info" if reason in _HARMLESS else "warning"
        report.issue(f"memscope.{reason}", severity, where, _SENTENCES[reason], count=count)  # type: ignore[arg-type]
    table = pa.Table.from_pylist(lines, MEMSCOPE["memscope_quality"].schema)
    pq.write_table(table, folder / "memscope_quality.parquet", compression="lz4")


def _write_compared(folder: Path, source: Source, report: Report) -> None:
    """What the collector itself compared; a table without rows when no such file is there."""
    files = [file for role, file in source.extras if role == "memscope_compare"]
    rows = [row for file in files for row in memscope_compare.read_rows(file, report)]
    names = MEMSCOPE["memscope_compare"].schema.names
    _write(folder, "memscope_compare", {name: [row[name] for row in rows] for name in names})
