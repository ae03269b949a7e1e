"""A selection of lanes and time as a file: Chrome JSON that opens anywhere, Parquet, Arrow or CSV."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from insight_desktop import schema
from insight_desktop.engine import export as tables
from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import details, export_json
from insight_desktop.engine.timeline.slice_sets import bounds, pick
from insight_desktop.errors import BadArgument, NoData

SUFFIXES = (".json", ".json.gz", ".parquet", ".arrow", ".csv")
SCHEMA = pa.schema(
    [
        ("card", pa.string()), ("id", pa.int64()), ("process", pa.string()), ("pid", pa.string()),
        ("thread", pa.string()), ("tid", pa.string()), ("lane", pa.string()), ("row", pa.int32()),
        ("name", pa.large_string()), ("category", pa.large_string()), ("ts_ns", pa.int64()), ("dur_ns", pa.int64()),
        ("unfinished", pa.bool_()), ("args", pa.large_string()),
    ]
)  # fmt: skip
_PIECE = 50_000  # rows made at a time


@dataclass(frozen=True)
class Selection:
    """What is exported.

    Attributes:
        card: name of the card.
        tracks: lanes, as track numbers; all when None.
        from_ns, to_ns: range in raw ns, None for open.
        whole: slices keep their length; otherwise they are cut to the range.
        series: counter series that go along (Chrome JSON only).
        rows: first and last depth row; all when None.
    """

    card: str
    tracks: tuple[int, ...] | None = None
    from_ns: int | None = None
    to_ns: int | None = None
    whole: bool = False
    series: tuple[int, ...] = ()
    rows: tuple[int, int] | None = None

    def facts(self, card: StoreCard, capture: Capture) -> dict[str, Any]:
        """What the file tells about itself."""
        files = [Path(f["path"]).name for f in capture.manifest.source.get("files", [])]
        return {
            "card": self.card, "rank": card.rank, "device": card.device, "host": card.host, "files": files,
            "from_ns": self.from_ns, "to_ns": self.to_ns, "cut_to_range": not self.whole,
        }  # fmt: skip


@dataclass(frozen=True)
class Exported:
    """What was written: slices and instants, links with both ends (Chrome JSON), and why arguments are missing."""

    rows: int
    links: int
    args_note: str


def export(store: Store, selection: Selection, path: Path) -> Exported:
    """Write a selection; the suffix of the path tells the format (SUFFIXES).

    The file appears under its name when it is whole. Arguments are kept as the source wrote them; when the source is not
    there any more they are left out and the note tells so. Raises BadArgument for another suffix, or when the path is
    one of the files that were read.
    """
    suffix = next((s for s in sorted(SUFFIXES, key=len, reverse=True) if path.name.lower().endswith(s)), None)
    if suffix is None:
        raise BadArgument(f"{path.name} has no known ending.", fix=f"Use one of {', '.join(SUFFIXES)}.")
    card, capture = store.card(selection.card), store.capture(selection.card)
    _refuse_sources(capture, path)
    rows = _Rows(card, capture, selection)
    with _whole_file(path) as out:
        if suffix.startswith(".json"):
            links = _chrome(rows, out, suffix.endswith(".gz"))
        else:
            links = 0
            _table(rows, out, suffix)
    return Exported(rows.count, links, rows.args_note)


def selected(store: Store, selection: Selection) -> pa.Table:
    """The slices and instants of a selection as one table: columns of SCHEMA, lane by lane, by start."""
    rows = _Rows(store.card(selection.card), store.capture(selection.card), selection)
    return pa.Table.from_batches(rows.batches(), SCHEMA)


class _Rows:
    """The slices and instants of a selection, made piece by piece."""

    def __init__(self, card: StoreCard, capture: Capture, selection: Selection) -> None:
        self.card, self.capture, self.selection = card, capture, selection
        self.args_note = ""
        low, high = selection.rows or (0, None)
        picked = pick(
            capture,
            selection.tracks,
            selection.from_ns,
            selection.to_ns,
            whole=selection.whole,
            row_lo=low,
            row_hi=high,
        )
        points = _instants(capture, selection)
        points = points if low == 0 else points[:0]  # instants stand in the top row
        stamps = np.asarray(capture.instant_ts)[points]
        count = len(capture.slice_start)
        self.slices = len(picked)
        self.ids = np.concatenate([picked.ids, points + count])
        self.start = np.concatenate([picked.start, stamps])
        self.end = np.concatenate([picked.end, stamps])
        lane = np.repeat(picked.lanes, np.diff(picked.offset))
        owners = np.searchsorted(np.asarray(capture.instant_offset), points, "right") - 1
        self.track = np.concatenate([np.asarray(capture.lane_track)[lane], owners]).astype(np.int64)
        self.row = np.concatenate([np.asarray(capture.lane_row)[lane], np.zeros(len(points), np.int32)])

    @property
    def count(self) -> int:
        return len(self.ids)

    def args(self, ids: Array) -> list[str | None]:
        """Arguments as JSON text; a source that is gone is told once."""
        if self.args_note:
            return [None] * len(ids)
        try:
            return details.args_text(self.card, self.capture, ids)
        except NoData as error:
            self.args_note = str(error)
            return [None] * len(ids)

    def column(self, name: str, ids: Array) -> Array:
        """Values of slices and instants in a column that both have."""
        capture, count = self.capture, len(self.capture.slice_start)
        out = np.full(len(ids), -1, np.int64)
        for point in (False, True):
            mine = (ids >= count) == point
            held = capture.column(f"{'instant' if point else 'slice'}_{name}")
            if len(held):
                out[mine] = np.asarray(held)[ids[mine] - (count if point else 0)]
        return out

    def unfinished(self, ids: Array) -> Array:
        flags = np.zeros(len(ids), np.uint8)
        mine = ids < len(self.capture.slice_start)
        if len(self.capture.slice_flags):
            flags[mine] = np.asarray(self.capture.slice_flags)[ids[mine]]
        return flags

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Record batches of SCHEMA."""
        tracks = self.capture.tracks
        for first in range(0, self.count, _PIECE):
            piece = slice(first, min(first + _PIECE, self.count))
            ids, owner = self.ids[piece], pa.array(self.track[piece])
            category = self.column("category", ids)
            flags = self.unfinished(ids)
            columns = {
                **{n: tracks[n].combine_chunks().take(owner) for n in ("process", "pid", "thread", "tid", "lane")},
                "card": pa.repeat(pa.scalar(self.card.name), len(ids)),
                "id": pa.array(ids),
                "row": pa.array(self.row[piece]),
                "name": self.capture.strings.take(pa.array(self.column("name", ids))),
                "category": self.capture.strings.take(pa.array(category, mask=category < 0)),
                "ts_ns": pa.array(self.start[piece]),
                "dur_ns": pa.array(self.end[piece] - self.start[piece]),
                "unfinished": pa.array((flags & schema.UNFINISHED) != 0),
                "args": pa.array(self.args(ids), pa.large_string()),
            }
            yield pa.record_batch([columns[n] for n in SCHEMA.names], schema=SCHEMA)


def _instants(capture: Capture, selection: Selection) -> Array:
    """Positions of the instants of a selection."""
    low, high = bounds(selection.from_ns, selection.to_ns)
    stamps = np.asarray(capture.instant_ts)
    keep = (stamps >= low) & (stamps <= high)
    if selection.tracks is not None and len(stamps):
        wanted = np.zeros(len(capture.track_lane) - 1, np.bool_)
        wanted[list(selection.tracks)] = True
        keep &= np.repeat(wanted, np.diff(np.asarray(capture.instant_offset)))
    return np.flatnonzero(keep)


def _table(rows: _Rows, out: BinaryIO, suffix: str) -> None:
    facts = {b"insight": json.dumps(rows.selection.facts(rows.card, rows.capture), ensure_ascii=False).encode()}
    kind = SCHEMA.with_metadata(facts)
    if suffix == ".csv":
        # The text of a file has one heading, so the pieces are joined first.
        tables.write(pa.Table.from_batches(rows.batches(), SCHEMA), "csv", out)
    elif suffix == ".parquet":
        with pq.ParquetWriter(out, kind) as parquet:
            for batch in rows.batches():
                parquet.write_batch(batch)
    else:
        with pa.ipc.new_file(out, kind) as arrow:
            for batch in rows.batches():
                arrow.write_batch(batch.replace_schema_metadata(facts))


def _chrome(rows: _Rows, out: BinaryIO, packed: bool) -> int:
    capture = rows.capture
    names = export_json.Names(capture.tracks.to_pylist(), np.unique(rows.track).tolist())
    facts = rows.selection.facts(rows.card, capture)
    target = cast(BinaryIO, gzip.GzipFile(fileobj=out, mode="wb", compresslevel=6, mtime=0)) if packed else out
    try:
        target.write(export_json.head(facts))
        pieces = export_json.Pieces(target)
        pieces.write(names.metadata())
        for first in range(0, rows.count, _PIECE):
            piece = slice(first, min(first + _PIECE, rows.count))
            ids = rows.ids[piece]
            count = max(0, min(rows.slices - first, len(ids)))
            pieces.write(
                export_json.events(
                    names, capture, rows.track[piece], ids, rows.start[piece], rows.end[piece],
                    rows.column("name", ids), rows.column("category", ids), rows.unfinished(ids), rows.args(ids), count,
                )
            )  # fmt: skip
        links, texts = export_json.flows(names, capture, rows.track[: rows.slices], rows.ids[: rows.slices], rows.start)
        pieces.write(texts)
        pieces.write(_counters(rows))
        target.write(b"\n]}\n")
    finally:
        if packed:
            target.close()
    return links


def _counters(rows: _Rows) -> Iterator[str]:
    low, high = bounds(rows.selection.from_ns, rows.selection.to_ns)
    lines = rows.capture.series
    for number in rows.selection.series:
        a, b = int(rows.capture.series_offset[number]), int(rows.capture.series_offset[number + 1])
        stamps, values = np.asarray(rows.capture.counter_ts[a:b]), np.asarray(rows.capture.counter_value[a:b])
        keep = (stamps >= low) & (stamps <= high) & np.isfinite(values)
        line = lines.slice(number, 1).to_pylist()[0]
        yield from export_json.counters(line, stamps[keep].tolist(), values[keep].tolist())


def _refuse_sources(capture: Capture, path: Path) -> None:
    for facts in capture.manifest.source.get("files", []):
        if Path(facts["path"]).resolve() == path.resolve():
            raise BadArgument(f"{path.name} is one of the files that were read.", fix="Choose another name.")


@contextmanager
def _whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its name when all of it is written."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as out:
            yield out
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
