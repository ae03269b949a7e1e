"""A capture: one parsed source in the per-user cache, as column files that are mapped, not loaded.

A capture is a folder. `manifest.json` is written last, so a folder without it is not a capture. Everything below is
little-endian and can be read with numpy or pyarrow alone; N slices, L lanes, T tracks, S series, P counter values,
I instants, K links. Slices are sorted by (track in display order, depth row, start); a lane is one depth row of a
track; a slice's id is its position. Times are int64 ns as recorded.

| file                         | type      | length | meaning                                                        |
|------------------------------|-----------|--------|----------------------------------------------------------------|
| slice_start, slice_end       | int64     | N      | interval                                                       |
| slice_name, slice_category   | int32     | N      | row of strings.arrow; category -1 none                         |
| slice_flags                  | uint8     | N      | schema.UNFINISHED, ASYNC, CLAMPED                              |
| slice_args_at, slice_args_len| int64, int32 | N   | where the details are: see `args` in the manifest              |
| lane_offset                  | int64     | L+1    | slices of lane l are [lane_offset[l], lane_offset[l+1])        |
| lane_track, lane_row         | int32     | L      | track and depth row (0 = top) of a lane                        |
| track_lane                   | int64     | T+1    | lanes of track t are [track_lane[t], track_lane[t+1])          |
| mip_<k>_start, _end          | int64     | M_k    | level of detail: runs shorter than 2^k ns merged               |
| mip_<k>_name                 | int32     | M_k    | name of the longest slice of the run                           |
| mip_<k>_offset               | int64     | L+1    | as lane_offset, for the level                                  |
| instant_ts                   | int64     | I      | sorted inside the track                                        |
| instant_name, instant_category, instant_args_len | int32 | I | as slice                                                    |
| instant_args_at              | int64     | I      | as slice                                                       |
| instant_offset               | int64     | T+1    | instants of track t                                            |
| counter_ts, counter_value    | int64, float64 | P | sorted inside the series; NaN = gap                            |
| series_offset                | int64     | S+1    | values of series s                                             |
| peak_<b>_min, _max           | float64   | Q_b    | extremes of each b values of a series (b = 64, 4096)           |
| peak_<b>_offset              | int64     | S+1    | as series_offset, for the blocks                               |
| link_from, link_to           | int64     | K      | slice ids, sorted by link_from                                 |
| link_category, link_id       | int32, int64 | K   | as schema `flow`                                               |
| link_by_to                   | int64     | K      | permutation that sorts the links by link_to                    |
| string_hash                  | uint64    | strings| colour hash of the name's family (digits folded)               |
| strings.arrow                | Arrow IPC |        | column value                                                   |
| tracks.arrow, series.arrow   | Arrow IPC | T, S   | stream columns of schema plus totals (TRACK_TOTALS, SERIES_TOTALS) |
| args.zst, args_block         | zstd, int64 | blocks+1 | details of unseekable sources, 256 KiB blocks               |
| <table>.parquet              | Parquet   |        | tables that are asked by SQL                                   |
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.errors import BadFile

FORMAT_VERSION = 2
ARGS_BLOCK = 256 * 1024
PEAK_BLOCKS = (64, 4096)

DTYPES: dict[str, str] = {
    "slice_start": "<i8", "slice_end": "<i8", "slice_name": "<i4", "slice_category": "<i4", "slice_flags": "|u1",
    "slice_args_at": "<i8", "slice_args_len": "<i4", "lane_offset": "<i8", "lane_track": "<i4", "lane_row": "<i4",
    "track_lane": "<i8", "instant_ts": "<i8", "instant_name": "<i4", "instant_category": "<i4",
    "instant_args_at": "<i8", "instant_args_len": "<i4", "instant_offset": "<i8", "counter_ts": "<i8",
    "counter_value": "<f8", "series_offset": "<i8", "link_from": "<i8", "link_to": "<i8", "link_category": "<i4",
    "link_id": "<i8", "link_by_to": "<i8", "string_hash": "<u8", "args_block": "<i8",
}  # fmt: skip
_SUFFIX_DTYPES = {"start": "<i8", "end": "<i8", "name": "<i4", "offset": "<i8", "min": "<f8", "max": "<f8"}

TRACK_TOTALS = ("slices", "instants", "rows", "sum_ns", "busy_ns", "first_ns", "last_ns")
SERIES_TOTALS = ("points", "first_ns", "last_ns", "min", "max")

Array = npt.NDArray[Any]


def dtype_of(name: str) -> str:
    """Type of a column file; mip_* and peak_* files go by their last word."""
    return DTYPES[name] if name in DTYPES else _SUFFIX_DTYPES[name.rsplit("_", 1)[1]]


@dataclass
class Manifest:
    """What a capture is: where it came from, what it holds, what was wrong with it.

    Attributes:
        source: `{"format", "kind", "files": [{"path", "size", "mtime_ns", "fingerprint"}]}`.
        args: where details are: `{"mode": "file"}` (args_at = byte in the source files laid end to end;
            below -1: byte -2 - args_at of the stream in args.zst, for details that stand nowhere in the source),
            `{"mode": "blocks"}` (args_at = byte in the stream that args.zst holds in blocks of ARGS_BLOCK) or
            `{"mode": "db", "tables": [names]}` (args_at = rowid, args_len = -(1 + index of the table)).
        counts: slices (of the source), derived_slices (computed by the reader), instants, counters, flow_starts, flow_ends,
            links.
        tables: rows read per table of the source.
        processes: names in display order.
        issues: as report.Issue.as_dict.
        view_start_ns, view_span_ns: the data without outliers, for the first view.
    """

    source: dict[str, Any] = field(default_factory=dict)
    args: dict[str, Any] = field(default_factory=lambda: {"mode": "none"})
    counts: dict[str, int] = field(default_factory=dict)
    tables: dict[str, int] = field(default_factory=dict)
    processes: list[str] = field(default_factory=list)
    issues: list[dict[str, Any]] = field(default_factory=list)
    start_ns: int = 0
    end_ns: int = 0
    view_start_ns: int = 0
    view_span_ns: int = 0
    mip_shifts: list[int] = field(default_factory=list)
    seconds: float = 0.0
    peak_rss_mb: float = 0.0
    extra: dict[str, Any] = field(default_factory=dict)
    format_version: int = FORMAT_VERSION

    def write(self, folder: Path) -> None:
        """Write manifest.json; from here on the folder is a capture."""
        (folder / "manifest.json").write_text(json.dumps(vars(self)), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Read manifest.json; raises BadFile when the folder holds no whole capture of this version."""
        try:
            facts = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BadFile(f"No whole capture in {folder}.", fix="Read the data again.") from error
        if not isinstance(facts, dict) or facts.get("format_version") != FORMAT_VERSION:
            raise BadFile(f"The capture in {folder} is of another version.", fix="Read the data again.")
        return cls(**facts)


class Capture:
    """Read access to a capture. Column files are memory maps; opening costs no reading.

    `capture.column("slice_start")` gives any file of the table above; the common ones are attributes too.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = Manifest.read(folder)
        self._columns: dict[str, Array] = {}

    def column(self, name: str) -> Array:
        """A column file as a read-only array; empty when the file is not there."""
        found = self._columns.get(name)
        if found is None:
            path = self.folder / f"{name}.bin"
            size = path.stat().st_size if path.exists() else 0
            found = np.memmap(path, dtype_of(name), "r") if size else np.empty(0, dtype_of(name))
            self._columns[name] = found
        return found

    def __getattr__(self, name: str) -> Array:
        if name in DTYPES:
            return self.column(name)
        raise AttributeError(name)

    @cached_property
    def strings(self) -> pa.LargeStringArray:
        """All names; index with the ids of slice_name and so on."""
        return _ipc(self.folder / "strings.arrow").column("value").combine_chunks()

    @cached_property
    def tracks(self) -> pa.Table:
        """One row per track in display order: stream columns plus TRACK_TOTALS."""
        return _ipc(self.folder / "tracks.arrow")

    @cached_property
    def series(self) -> pa.Table:
        """One row per counter series in display order: stream columns plus SERIES_TOTALS."""
        return _ipc(self.folder / "series.arrow")

    def text(self, string_id: int) -> str:
        """The text of a string id; empty for -1."""
        return str(self.strings[string_id].as_py()) if string_id >= 0 else ""

    def link_text(self, link_id: int) -> str:
        """The id of a link as written in the source."""
        return str(link_id) if link_id >= 0 else self.text(-1 - link_id)

    def lane_of(self, slice_id: int) -> int:
        """The lane (depth row of a track) that holds a slice."""
        return int(np.searchsorted(self.lane_offset, slice_id, "right")) - 1

    @property
    def size_bytes(self) -> int:
        return sum(path.stat().st_size for path in self.folder.iterdir())


def _ipc(path: Path) -> pa.Table:
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def write_column(folder: Path, name: str, values: Array) -> None:
    """Write (or append to) a column file in its declared type."""
    with (folder / f"{name}.bin").open("ab") as file:
        np.ascontiguousarray(values, dtype_of(name)).tofile(file)


def write_ipc(folder: Path, name: str, table: pa.Table) -> None:
    """Write a small table as an uncompressed Arrow file, so that it can be mapped."""
    with pa.OSFile(str(folder / f"{name}.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
