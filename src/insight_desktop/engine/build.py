"""Builds a capture from a reader's stream: columns are spilled while it runs, then ordered, linked and summed up.

Memory stays bounded: while the stream runs only the batch at hand, the strings and the ends of links are held;
afterwards a few columns at a time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import zstandard

from insight_desktop import schema
from insight_desktop.engine import build_text
from insight_desktop.engine.build_issues import report_defects, report_links, report_outliers
from insight_desktop.engine.build_links import Ends, write_links
from insight_desktop.engine.build_points import Points, write_counters, write_instants
from insight_desktop.engine.build_ranges import Bursts, find_range
from insight_desktop.engine.build_slices import Slices, SliceWriter
from insight_desktop.engine.build_source import describe, peak_rss_mb, plain_facts
from insight_desktop.engine.build_spool import Spool, create, write_at
from insight_desktop.engine.capture import (
    ARGS_BLOCK,
    DTYPES,
    SERIES_TOTALS,
    TRACK_TOTALS,
    Capture,
    Manifest,
    write_column,
    write_ipc,
)
from insight_desktop.engine.timeline import depth, mipmap
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

I64 = npt.NDArray[np.int64]
Rows = list[dict[str, Any]]


def build_capture(
    folder: Path,
    stream: Iterable[tuple[str, pa.RecordBatch]],
    source: Source,
    report: Report,
    *,
    threads: int = 1,
) -> Capture:
    """Write all files of `engine.capture` into a folder, the manifest last.

    Args:
        folder: made when it is not there; has to be empty.
        stream: batches of `schema.STREAM` tables in the order of the source.
        source: what is read (for the manifest).
        report: gets issues of the whole (overlaps, outliers, links without a partner); its counts go to the manifest.
        threads: workers of the finishing stage.

    Raises:
        Cancelled: when the report says so; the folder then holds no capture.
    """
    began = time.perf_counter()
    folder.mkdir(parents=True, exist_ok=True)
    builder = _Builder(folder, source, report, max(1, threads))
    try:
        for table, batch in stream:
            builder.take(table, batch)
        builder.finish(began)
    finally:
        builder.clean_up()
    return Capture(folder)


class _Builder:
    """State of one build."""

    def __init__(self, folder: Path, source: Source, report: Report, threads: int) -> None:
        self._folder, self._source, self._report, self._threads = folder, source, report, threads
        self._spools = {name: Spool(folder, name) for name in ("slice", "instant", "counter", "flow", "link")}
        self._held: dict[str, list[pa.RecordBatch]] = {"string": [], "track": [], "series": []}
        self._args = _ArgsBlocks(folder)

    def take(self, table: str, batch: pa.RecordBatch) -> None:
        """Add one batch of the stream."""
        if table in self._spools:
            self._spools[table].append(batch)
        elif table in self._held:
            self._held[table].append(batch)
        elif table == "args":
            self._args.append(batch)
        else:
            raise KeyError(f"unknown stream table {table}")

    def clean_up(self) -> None:
        """Remove the temporary column files."""
        for spool in self._spools.values():
            spool.delete()
        self._args.close()

    def _checkpoint(self, what: str) -> None:
        size = self._source.size_bytes
        self._report.checkpoint(size, size, what)

    def finish(self, began: float) -> None:
        """Order, link and sum up; the manifest comes last."""
        for spool in self._spools.values():
            spool.close()
        self._checkpoint("sorting slices")
        texts = build_text.write_strings(self._folder, self._held.pop("string"))
        used = _used(self._spools["slice"], "track") | _used(self._spools["instant"], "track")
        written_on = _used(self._spools["flow"], "track")
        all_tracks = _rows(self._held.pop("track"), "track", used | written_on)
        tracks, track_rank = _in_order(all_tracks, build_text.track_key, used)
        used = _used(self._spools["counter"], "series")
        series, series_rank = _in_order(_rows(self._held.pop("series"), "series", used), build_text.series_key, used)
        ends = Ends(self._spools["flow"], all_tracks, track_rank)
        args_mode = self._args_mode()
        writer = SliceWriter(
            self._folder, self._spools["slice"], track_rank, tracks, ends.by_track(), keep_ids=self._spools["link"].rows > 0
        )  # fmt: skip
        slices = writer.write(self._threads)
        del writer
        self._checkpoint("links")
        links = write_links(self._folder, ends, slices, self._spools["link"])
        del ends
        slices.hits.clear()
        self._checkpoint("level of detail")
        shifts = self._write_levels(slices.lane_offset)
        instants = write_instants(self._folder, self._spools["instant"], track_rank, self._threads)
        counters = write_counters(self._folder, self._spools["counter"], series_rank, self._threads)
        tracks, series = self._write_tables(tracks, series, slices, instants, counters)
        span = find_range(Bursts.joined([*slices.bursts, *instants.bursts, *counters.bursts]))
        where = self._source.files[0].name if self._source.files else ""
        report_defects(self._report, where, slices, texts, tracks)
        report_outliers(self._report, where, span, texts, series)
        report_links(self._report, where, links)
        tables = {k.removeprefix("table."): n for k, n in self._report.counts.items() if k.startswith("table.")}
        self.clean_up()
        Manifest(
            source=describe(self._source),
            args=args_mode,
            counts=self._counts(links.count),
            tables=tables,
            processes=build_text.process_names([*tracks, *series]),
            issues=[issue.as_dict() for issue in self._report.issues],
            start_ns=span.start_ns,
            end_ns=span.end_ns,
            view_start_ns=span.view_start_ns,
            view_span_ns=span.view_end_ns - span.view_start_ns,
            mip_shifts=shifts,
            seconds=round(time.perf_counter() - began, 3),
            peak_rss_mb=peak_rss_mb(),
            extra=plain_facts(self._report.facts),
        ).write(self._folder)

    def _counts(self, links: int) -> dict[str, int]:
        derived = self._report.facts.get("derived_slices", 0)
        derived = derived if isinstance(derived, int) else 0  # lanes that a reader computes are no data of the source
        return {
            "slices": self._spools["slice"].rows - derived,
            "derived_slices": derived,
            "instants": self._spools["instant"].rows,
            "counters": self._report.counts.get("counters", self._spools["counter"].rows),
            "flow_starts": self._report.counts.get("flow_starts", 0),
            "flow_ends": self._report.counts.get("flow_ends", 0),
            "links": links,
        }

    def _args_mode(self) -> dict[str, Any]:
        has_stream = self._args.finish()
        if self._report.facts.get("args_joined"):
            return {"mode": "file", "joined": True}
        if has_stream:
            return {"mode": "blocks"}
        tables = self._report.facts.get("args_tables")
        if isinstance(tables, list | tuple):
            return {"mode": "db", "tables": [str(t) for t in tables]}
        known = any(
            s.rows and (s.column("args_at") >= 0).any() for s in (self._spools["slice"], self._spools["instant"])
        )
        return {"mode": "file" if known else "none"}

    def _write_levels(self, lane_offset: I64) -> list[int]:
        """Write the mip pyramid; returns the shifts of its levels."""
        count = self._spools["slice"].rows
        if not count:
            return []
        start, end, name = (
            np.asarray(np.memmap(self._folder / f"{file}.bin", DTYPES[file], "c"))
            for file in ("slice_start", "slice_end", "slice_name")
        )
        shifts = []
        for level in mipmap.levels(start, end, name, lane_offset, threads=self._threads):
            shifts.append(level.shift)
            for column, values in (
                ("start", level.start),
                ("end", level.end),
                ("name", level.name),
                ("offset", level.offset),
            ):
                file = f"mip_{level.shift}_{column}"
                create(self._folder, file, values.dtype.str, 0)
                write_at(self._folder, file, 0, values)
        return shifts

    def _write_tables(
        self, tracks: Rows, series: Rows, slices: Slices, instants: Points, counters: Points
    ) -> tuple[Rows, Rows]:
        """Write tracks.arrow and series.arrow with their totals."""
        of = {name: slices.stats[:, i].tolist() for i, name in enumerate(depth.STATS)}
        slice_count = np.diff(slices.lane_offset[slices.track_lane]).tolist()
        instant_count = np.diff(instants.offset).tolist()
        for t, track in enumerate(tracks):
            stamps = [*((of["first_ns"][t], of["last_ns"][t]) if slice_count[t] else ()), *((int(instants.first_ns[t]), int(instants.last_ns[t])) if instant_count[t] else ())]  # fmt: skip
            values = (slice_count[t], instant_count[t], of["rows"][t], of["sum_ns"][t], of["busy_ns"][t], min(stamps, default=0), max(stamps, default=0))  # fmt: skip
            track.update(zip(TRACK_TOTALS, values, strict=True))
        points = np.diff(counters.offset).tolist()
        for s, row in enumerate(series):
            line = (points[s], int(counters.first_ns[s]), int(counters.last_ns[s]), float(counters.low[s]), float(counters.high[s]))  # fmt: skip
            row.update(zip(SERIES_TOTALS, line, strict=True))
        write_ipc(self._folder, "tracks", _table("track", tracks, dict.fromkeys(TRACK_TOTALS, pa.int64())))
        kinds = {name: pa.float64() if name in ("min", "max") else pa.int64() for name in SERIES_TOTALS}
        write_ipc(self._folder, "series", _table("series", series, kinds))
        return tracks, series


def _table(name: str, rows: Rows, totals: dict[str, pa.DataType]) -> pa.Table:
    fields = [*schema.STREAM[name].schema, *(pa.field(n, t) for n, t in totals.items())]
    return pa.Table.from_pylist(rows, pa.schema(fields))


def _used(spool: Spool, column: str) -> set[int]:
    return set(np.unique(spool.column(column)).tolist()) if spool.rows else set()


def _rows(batches: list[pa.RecordBatch], table: str, used: set[int]) -> Rows:
    """Rows of the track or series table by id; ids that were used but never described get a row, so no event is lost."""
    rows: Rows = pa.Table.from_batches(batches, schema.STREAM[table].schema).to_pylist()
    for number in range(len(rows), max(used, default=-1) + 1):
        rows.append({f.name: _unknown(f, number) for f in schema.STREAM[table].schema})
    return rows


def _in_order(rows: Rows, key: Any, used: set[int]) -> tuple[Rows, I64]:
    """The rows that hold something in display order, and the display place of every id, -1 for the others."""
    order = sorted(sorted(used), key=lambda i: key(rows[i]))
    rank = np.full(len(rows), -1, np.int64)
    rank[order] = np.arange(len(order))
    return [rows[i] for i in order], rank


def _unknown(column: pa.Field, number: int) -> Any:
    if pa.types.is_floating(column.type):
        return None
    if pa.types.is_integer(column.type):
        return 0
    return {"role": schema.ROLE_OTHER, "thread": f"unnamed {number}", "counter": f"unnamed {number}"}.get(
        column.name, "?"
    )


class _ArgsBlocks:
    """Details of unseekable sources: one stream of bytes, compressed in blocks of ARGS_BLOCK."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pending = bytearray()
        self._ends = [0]
        self._compressor = zstandard.ZstdCompressor(level=3)
        self._file: Any = None

    def append(self, batch: pa.RecordBatch) -> None:
        """Add the pieces of a batch."""
        if self._file is None:
            self._file = (self._folder / "args.zst").open("wb")
        for piece in batch.column(0):
            self._pending += piece.as_buffer() or b""
            while len(self._pending) >= ARGS_BLOCK:
                self._flush(ARGS_BLOCK)

    def _flush(self, size: int) -> None:
        packed = self._compressor.compress(bytes(self._pending[:size]))
        del self._pending[:size]
        self._file.write(packed)
        self._ends.append(self._ends[-1] + len(packed))

    def finish(self) -> bool:
        """Write the rest; True when there were any details."""
        if self._file is None:
            return False
        if self._pending:
            self._flush(len(self._pending))
        self.close()
        write_column(self._folder, "args_block", np.array(self._ends, np.int64))
        return True

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
