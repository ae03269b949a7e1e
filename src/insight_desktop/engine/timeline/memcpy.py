"""Copies of memory by stream and kind, with the bytes that they move."""

from __future__ import annotations

import logging
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import details, layers, slice_list, slice_sets
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.engine.timeline.slice_sets import I64
from insight_desktop.errors import BadArgument, InsightError
from insight_desktop.ingest.formats.profiler_db_identity import enumeration
from insight_desktop.ingest.formats.profiler_db_tables import open_database
from insight_desktop.ingest.open_files import SQLITE_ERRORS, open_sqlite
from insight_desktop.ingest.report import Report

SEPARATOR = " > "
SCHEMA = pa.schema(
    [
        ("category", pa.string()), ("parent", pa.string()), ("path", pa.string()), ("total_ns", pa.int64()),
        ("total_bytes", pa.int64()), ("count", pa.int64()), ("avg_ns", pa.float64()), ("min_ns", pa.int64()),
        ("max_ns", pa.int64()), ("avg_bytes", pa.float64()), ("min_bytes", pa.int64()), ("max_bytes", pa.int64()),
    ]
)  # fmt: skip
DETAILS_SCHEMA = pa.schema(
    [
        ("id", pa.int64()), ("name", pa.large_string()), ("operation", pa.string()), ("ts_ns", pa.int64()),
        ("dur_ns", pa.int64()), ("whole_ns", pa.int64()), ("size_bytes", pa.int64()), ("track", pa.int32()),
        ("row", pa.int32()),
    ]
)  # fmt: skip
_COPY = "MEMCPY_ASYNC"
_OPERATION_KEYS = ("operation", "memcpy direction")  # of which version of the collector wrote the trace
_SIZE_KEYS = ("size(B)", "data size(Byte)")
_UNKNOWN = "other"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Copies:
    """Copies of a card by start: slice ids, bytes, numbers of their kind and of their lane."""

    ids: I64
    size: I64
    kind: I64
    kinds: tuple[str, ...]
    track: I64

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a in (self.ids, self.size, self.kind, self.track))


def memcpy(
    store: Store,
    *,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
) -> pa.Table:
    """Copies as a tree of stream and kind: category, parent, path, total_ns, total_bytes, count, then avg, min, max of both.

    Columns behind count: avg_ns, min_ns, max_ns, avg_bytes, min_bytes, max_bytes. Only copies of the card's device whose
    kind and size the data tell (profiler level 2). What touches [from_ns, to_ns] counts with the time inside and all its
    bytes; with `whole` only copies that lie completely inside count. Children stand behind their stream, by name.
    """
    chosen = store.card(card).name
    capture = store.capture(chosen)
    copies = _copies(store, chosen)
    at, length = _in_range(capture, copies, from_ns, to_ns, whole)
    titles = capture.tracks.column("lane")
    rows = []
    for track in np.unique(copies.track[at]).tolist():
        stream, title = copies.track[at] == track, str(titles[track].as_py())
        rows.append(_row(title, "", length[stream], copies.size[at[stream]]))
        kinds = np.unique(copies.kind[at[stream]]).tolist()
        for kind in sorted(kinds, key=lambda k: copies.kinds[k]):
            mine = stream & (copies.kind[at] == kind)
            rows.append(_row(copies.kinds[kind], title, length[mine], copies.size[at[mine]]))
    return pa.Table.from_pylist(rows, SCHEMA)


def memcpy_details(
    store: Store,
    *,
    path: str | None = None,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    whole: bool = False,
    name: str | None = None,
    sort: str = "dur_ns",
    descending: bool = True,
    offset: int = 0,
    limit: int | None = None,
) -> pa.Table:
    """Copies below a path of `memcpy`, longest first: id, name, operation, ts_ns, dur_ns, whole_ns, size_bytes, track, row.

    All copies without a path. dur_ns is the part inside the range. sort is a column of the result. Raises BadArgument for
    a path that is not there.
    """
    chosen = store.card(card).name
    capture = store.capture(chosen)
    copies = _copies(store, chosen)
    at, length = _in_range(capture, copies, from_ns, to_ns, whole)
    if path is not None:
        keep = _below(capture, copies, path)[at]
        at, length = at[keep], length[keep]
    plain = slice_list.slice_rows(capture, copies.ids[at], length, np.arange(len(at)))
    columns = {
        **dict(zip(plain.column_names, plain.columns, strict=True)),
        "operation": pa.array(copies.kinds, pa.string()).take(pa.array(copies.kind[at])),
        "size_bytes": pa.array(copies.size[at]),
    }
    table = pa.table([columns[f.name] for f in DETAILS_SCHEMA], schema=DETAILS_SCHEMA)
    table = slice_list.sorted_table(slice_list.containing(table, name), sort, descending)
    return table.take(pa.array(slice_list.page(np.arange(table.num_rows), offset, limit)))


def _row(category: str, parent: str, length: I64, size: I64) -> dict[str, Any]:
    return {
        "category": category, "parent": parent, "path": f"{parent}{SEPARATOR}{category}" if parent else category,
        "total_ns": int(length.sum()), "total_bytes": int(size.sum()), "count": len(length),
        "avg_ns": float(length.sum() / len(length)), "min_ns": int(length.min()), "max_ns": int(length.max()),
        "avg_bytes": float(size.sum() / len(size)), "min_bytes": int(size.min()), "max_bytes": int(size.max()),
    }  # fmt: skip


def _below(capture: Capture, copies: _Copies, path: str) -> Any:
    """Which copies stand below a path."""
    stream, _, kind = path.partition(SEPARATOR)
    titles = capture.tracks.column("lane").to_pylist()
    keep = np.isin(copies.track, [i for i, title in enumerate(titles) if title == stream])
    if kind:
        keep &= np.isin(copies.kind, [i for i, text in enumerate(copies.kinds) if text == kind])
    if not keep.any():
        raise BadArgument(f"There is no row {path!r}.", fix="Use a path of memcpy.")
    return keep


def _in_range(
    capture: Capture, copies: _Copies, from_ns: int | None, to_ns: int | None, whole: bool
) -> tuple[I64, I64]:
    """Positions of the copies that count, and how much of them does."""
    low, high = slice_sets.bounds(from_ns, to_ns)
    start, end = np.asarray(capture.slice_start)[copies.ids], np.asarray(capture.slice_end)[copies.ids]
    if whole:
        at = np.flatnonzero((start >= low) & (end <= high))
        return at, (end - start)[at]
    at = np.flatnonzero((end >= low) & (start <= high))
    return at, np.minimum(end[at], high) - np.maximum(start[at], low)


def _copies(store: Store, card: str) -> _Copies:
    """The copies of a card's device; read once."""
    chosen, capture = store.card(card), store.capture(card)

    def make() -> _Copies:
        picked = slice_sets.pick(capture, layers.tracks_of(store, card, "ascend_hw"))
        found = _from_table(chosen, capture, picked.ids) if chosen.kind == "db" else None
        ids, size, words = found or _from_args(chosen, capture, picked)
        order = np.argsort(np.asarray(capture.slice_start)[ids], kind="stable")
        kinds = tuple(sorted(set(words)))
        number = {word: i for i, word in enumerate(kinds)}
        lane = np.searchsorted(np.asarray(capture.lane_offset), ids, "right") - 1
        track = np.asarray(capture.lane_track)[lane].astype(np.int64)
        kind = np.array([number[word] for word in words], np.int64)
        return _Copies(ids[order], size[order], kind[order], kinds, track[order])

    return kept(capture, "copies", make, lambda made: made.nbytes)


def _from_args(card: StoreCard, capture: Capture, picked: slice_sets.Picked) -> tuple[I64, I64, list[str]]:
    """Slices of copies whose arguments tell kind and size."""
    names = [int(i) for i in np.unique(picked.name) if capture.text(int(i)) == _COPY]
    ids = picked.ids[np.isin(picked.name, names)]
    found, size, words = [], [], []
    for at, text in zip(ids.tolist(), details.args_text(card, capture, ids), strict=True):
        args = _object(text)
        operation = next((args[key] for key in _OPERATION_KEYS if key in args), None)
        moved = next((args[key] for key in _SIZE_KEYS if key in args), None)
        if operation is None or moved is None:
            continue
        try:
            size.append(int(moved))
        except (TypeError, ValueError):
            continue  # N/A: the collector could not tell
        found.append(at)
        words.append(str(operation))
    return np.array(found, np.int64), np.array(size, np.int64), words


def _object(text: str | None) -> dict[str, Any]:
    try:
        found = orjson.loads(text or "{}")
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _from_table(card: StoreCard, capture: Capture, ids: I64) -> tuple[I64, I64, list[str]] | None:
    """Tasks that MEMCPY_INFO knows; None when slices cannot be told by the rows of TASK."""
    held = capture.manifest.args.get("tables", [])
    if card.source is None or "TASK" not in held:
        return None
    try:
        with (
            open_sqlite(card.source.files[0], allow_truncated=True) as file,
            closing(open_database(file, Report())) as database,
        ):
            if "MEMCPY_INFO" not in database.tables or "TASK" not in database.tables:
                return np.empty(0, np.int64), np.empty(0, np.int64), []
            if not database.tables["TASK"].has_rowid:
                return None
            names = enumeration(database, "ENUM_MEMCPY_OPERATION")
            rows = database.small.execute(
                "SELECT t._rowid_, m.size, m.memcpyOperation FROM TASK t JOIN MEMCPY_INFO m"
                " ON m.globalTaskId = t.globalTaskId"
            ).fetchall()
    except (InsightError, OSError, *SQLITE_ERRORS):  # the import has told what is wrong with the file
        logger.info("no copies from %s", card.source.files[0], exc_info=True)
        return None
    info = {row: (size, kind) for row, size, kind in rows if isinstance(size, int)}
    length = np.asarray(capture.slice_args_len)[ids]
    rowid = np.asarray(capture.slice_args_at)[ids]
    at = np.flatnonzero((length == -1 - held.index("TASK")) & np.isin(rowid, np.array(list(info), np.int64)))
    chosen = [info[row] for row in rowid[at].tolist()]
    words = [str(names.get(kind, _UNKNOWN if kind is None else kind)) for _, kind in chosen]
    return ids[at], np.array([size for size, _ in chosen], np.int64), words
