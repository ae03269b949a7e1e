"""From scanned pieces to the batches of the stream: local ids become global ones, names are decoded once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numba import njit

from insight_desktop import schema
from insight_desktop.ingest.formats import trace_layout as ts
from insight_desktop.ingest.formats.trace_bytes import BARE, Array
from insight_desktop.ingest.formats.trace_names import Metadata
from insight_desktop.ingest.formats.trace_pairs import Marks
from insight_desktop.ingest.formats.trace_text import decode, string_text, unescape
from insight_desktop.ingest.formats.trace_worker import Block, Piece, Tables

Batch = tuple[str, pa.RecordBatch]

# Columns of the marks.
_MARK_COLUMNS = {
    "phase": ts.M_PHASE,
    "ts": ts.M_TS,
    "track": ts.M_TRACK,
    "pid": ts.M_PID,
    "name": ts.M_NAME,
    "category": ts.M_CATEGORY,
    "id": ts.M_ID,
    "id_kind": ts.M_ID_KIND,
    "scope": ts.M_SCOPE,
    "args_at": ts.M_ARGS_AT,
    "args_len": ts.M_ARGS_LEN,
}
_COLOUR = "colour"  # of the marks, where colours are kept
_MARK_TYPES = {"phase": np.uint8, "id_kind": np.uint8, "args_len": np.int32}


@njit(nogil=True, cache=True)
def _close_gaps(series, stamp, value, first, lane, opened, next_open, head, seen, ticket, out_at):  # type: ignore[no-untyped-def]
    """Where a counter event lacks a line that its lane has, the line ends: (series, time) of those gaps, and the ticket.

    Keeps a list of the running lines per lane; a line leaves it when it ends, so the work stays linear.
    """
    n = len(series)
    gap_series = np.empty(len(out_at), np.int32)
    gap_ts = np.empty(len(out_at), np.int64)
    gaps = 0
    i = 0
    while i < n:
        j = i + 1
        while j < n and not first[j]:
            j += 1
        ticket += 1
        home = lane[series[i]]
        for k in range(i, j):
            seen[series[k]] = ticket
        before = -1
        s = head[home]
        while s >= 0:
            after = next_open[s]
            if seen[s] != ticket:
                gap_series[gaps] = s
                gap_ts[gaps] = stamp[i]
                out_at[gaps] = i
                gaps += 1
                opened[s] = 0
                if before < 0:
                    head[home] = after
                else:
                    next_open[before] = after
            else:
                before = s
            s = after
        for k in range(i, j):
            if not opened[series[k]] and value[k] == value[k]:
                opened[series[k]] = 1
                next_open[series[k]] = head[home]
                head[home] = series[k]
        i = j
    return gap_series[:gaps], gap_ts[:gaps], ticket


def _grown(array: Array, size: int, fill: int) -> Array:
    if size <= len(array):
        return array
    larger = np.full(max(size, 2 * len(array)), fill, array.dtype)
    larger[: len(array)] = array
    return larger


def _batch(table: str, *columns: Array) -> Batch:
    """A batch of fresh arrays: the columns are copied or changed in type, never shared with a block."""
    fields = schema.STREAM[table].schema
    arrays = []
    for f, column in zip(fields, columns, strict=True):
        own = column.astype(f.type.to_pandas_dtype(), copy=column.base is not None)
        arrays.append(pa.array(own, f.type))
    return table, pa.record_batch(arrays, schema=fields)


class Rows:
    """Numbers texts, lanes and series in the order of the source and turns pieces into batches."""

    def __init__(self, *, copy_args: bool, colours: bool = False) -> None:
        self.meta = Metadata()
        self.colours: dict[tuple[int, int], int] | None = (
            {} if colours else None
        )  # (lane, name) → text of the first colour
        self.texts: list[str] = []
        self.lanes: list[tuple[int, int, int, int]] = []  # kind, pid, tid, category or 1 for the Python stack
        self.series: list[tuple[int, int, int, int]] = []  # pid, counter, split, key
        self.last_ns = 0
        self.first_epoch_ns = -1
        self.args_bytes = 0
        self._copy_args = copy_args
        self._text_ids: dict[str, int] = {}
        self._lane_ids: dict[tuple[int, int, int, int], int] = {}
        self._series_ids: dict[tuple[int, int, int, int], int] = {}
        self._lane_of: dict[tuple[int, int, int], int] = {}
        self._series_lane: Array = np.zeros(64, np.int32)
        self._opened: Array = np.zeros(64, np.uint8)
        self._next_open: Array = np.zeros(64, np.int64)
        self._head: Array = np.full(64, -1, np.int64)
        self._seen: Array = np.zeros(64, np.int64)
        self._ticket = 0
        self._marks: list[dict[str, Array]] = []

    def text_id(self, text: str) -> int:
        """Number of a text."""
        found = self._text_ids.get(text)
        if found is None:
            found = self._text_ids[text] = len(self.texts)
            self.texts.append(text)
        return found

    def batches(self, piece: Piece) -> Iterator[Batch]:
        """Batches of one piece; nothing of it is needed afterwards."""
        tables = piece.tables
        self._learn_texts(tables, piece)
        self._learn_keys(tables, piece)
        stats = piece.stats
        offset = self.args_bytes
        for pid, tid, name, args in piece.metas:
            texts = tables.text_ids
            self.meta.add(
                self.texts[texts[name]], self.texts[texts[pid]], self.texts[texts[tid]], args
            )  # fmt: skip
        block = piece.block
        if stats[ts.N_SLICE]:
            yield self._slices(tables, block, offset)
        if stats[ts.N_INSTANT]:
            yield self._instants(tables, block, offset)
        if stats[ts.N_FLOW]:
            yield self._flows(tables, block)
        if stats[ts.N_VALUE]:
            yield self._values(tables, block)
        if stats[ts.N_MARK]:
            self._keep_marks(tables, block, offset)
        if len(piece.args):
            self.args_bytes += len(piece.args)
            data = pa.array([piece.args.tobytes()], pa.large_binary())
            yield "args", pa.record_batch([data], schema=schema.STREAM["args"].schema)

    def _learn_texts(self, tables: Tables, piece: Piece) -> None:
        first, count = tables.known_texts, piece.text_count
        if count <= first:
            return
        tables.text_ids = _grown(tables.text_ids, count + 1, -1)
        tables.link_ids = _grown(tables.link_ids, count + 1, -1)
        arena = piece.texts.arena
        rows = piece.texts.ids.reshape(-1, 4)[first:count]
        low, high = int(rows[:, 1].min()), int((rows[:, 1] + rows[:, 2]).max())
        new = arena[low:high].tobytes()
        # Traces with an id per event have a million texts; nearly all are ASCII and decoded at once.
        plain_text = new.decode("ascii") if new.isascii() else ""
        for local, (_, at, size, kind) in enumerate(rows.tolist(), first):
            if plain_text or not size:
                text = plain_text[at - low : at - low + size]
                text = unescape(text) if kind != BARE and "\\" in text else text
            else:
                raw = new[at - low : at - low + size]
                text = decode(raw) if kind == BARE else string_text(raw)
            number = self.text_id(text)
            tables.text_ids[local] = number
            plain = text.isascii() and text.isdigit() and len(text) < 20 and (text[0] != "0" or text == "0")
            tables.link_ids[local] = int(text) if plain and int(text) < 1 << 63 else -1 - number
        tables.text_ids[count:] = -1
        tables.known_texts = count

    def _learn_keys(self, tables: Tables, piece: Piece) -> None:
        first, count = tables.known_keys, piece.key_count
        if count <= first:
            return
        tables.key_ids = _grown(tables.key_ids, count, -1)
        texts = tables.text_ids
        for local, (kind, a, b, c, d) in enumerate(piece.keys.rows.reshape(-1, 5)[first:count].tolist(), first):
            if kind == ts.SERIES:
                tables.key_ids[local] = self._series_id(
                    (int(texts[a]), int(texts[b]), int(texts[c]) if c >= 0 else -1, int(texts[d]))
                )
                continue
            extra = c if kind == ts.THREAD else (int(texts[c]) if c >= 0 else -1)
            tables.key_ids[local] = self.lane_id((kind, int(texts[a]), int(texts[b]), extra))
        tables.known_keys = count

    def lane_id(self, key: tuple[int, int, int, int]) -> int:
        """Number of a lane: (kind, pid, tid, category or 1 for the Python stack)."""
        found = self._lane_ids.get(key)
        if found is None:
            found = self._lane_ids[key] = len(self.lanes)
            self.lanes.append(key)
        return found

    def _series_id(self, key: tuple[int, int, int, int]) -> int:
        found = self._series_ids.get(key)
        if found is not None:
            return found
        found = self._series_ids[key] = len(self.series)
        self.series.append(key)
        lane = self._lane_of.setdefault(key[:3], len(self._lane_of))
        size = found + 1
        self._series_lane = _grown(self._series_lane, size, 0)
        self._opened = _grown(self._opened, size, 0)
        self._next_open = _grown(self._next_open, size, 0)
        self._head = _grown(self._head, size, -1)
        self._seen = _grown(self._seen, size, 0)
        self._series_lane[found] = lane
        return found

    def _names(self, tables: Tables, ids: Array) -> Array:
        """Global text ids; -1 stays (the cell behind the known ones is -1)."""
        return tables.text_ids[ids]

    def _at(self, at: Array, offset: int) -> Array:
        return np.where(at >= 0, at + offset, -1) if self._copy_args else at

    def _note(self, stamps: Array) -> None:
        self.last_ns = max(self.last_ns, int(stamps.max()))

    def _slices(self, tables: Tables, block: Block, offset: int) -> Batch:
        def column(index: int) -> Array:
            return block.column(index, ts.N_SLICE)

        self._note(column(ts.S_END))
        lanes, names = tables.key_ids[column(ts.S_TRACK)], self._names(tables, column(ts.S_NAME))
        if self.colours is not None:
            self.note_colours(lanes, names, self._names(tables, column(ts.S_CNAME)))
        return _batch(
            "slice",
            lanes,
            column(ts.S_START),
            column(ts.S_END),
            names,
            self._names(tables, column(ts.S_CATEGORY)),
            column(ts.S_FLAGS),
            self._at(column(ts.S_ARGS_AT), offset),
            column(ts.S_ARGS_LEN),
            self._names(tables, column(ts.S_GROUP)),
        )

    def note_colours(self, lanes: Array, names: Array, colours: Array) -> None:
        """Keep which colour the slices of a name have on a lane; the first one counts."""
        if self.colours is None:
            return
        given = np.flatnonzero(colours >= 0)
        key = lanes[given].astype(np.int64) << 32 | names[given]
        _, first = np.unique(key, return_index=True)
        for at in given[np.sort(first)].tolist():
            self.colours.setdefault((int(lanes[at]), int(names[at])), int(colours[at]))

    def _instants(self, tables: Tables, block: Block, offset: int) -> Batch:
        def column(index: int) -> Array:
            return block.column(index, ts.N_INSTANT)

        self._note(column(ts.I_TS))
        return _batch(
            "instant",
            tables.key_ids[column(ts.I_TRACK)],
            column(ts.I_TS),
            self._names(tables, column(ts.I_NAME)),
            self._names(tables, column(ts.I_CATEGORY)),
            self._at(column(ts.I_ARGS_AT), offset),
            column(ts.I_ARGS_LEN),
        )

    def _links(self, tables: Tables, ids: Array) -> Array:
        return np.where(ids >= 0, ids, tables.link_ids[np.maximum(-1 - ids, 0)])

    def _flows(self, tables: Tables, block: Block) -> Batch:
        def column(index: int) -> Array:
            return block.column(index, ts.N_FLOW)

        return _batch(
            "flow",
            tables.key_ids[column(ts.W_TRACK)],
            column(ts.W_TS),
            column(ts.W_PHASE),
            self._names(tables, column(ts.W_CATEGORY)),
            self._links(tables, column(ts.W_ID)),
            column(ts.W_ENCLOSING),
        )

    def _values(self, tables: Tables, block: Block) -> Batch:
        series = tables.key_ids[block.column(ts.V_SERIES, ts.N_VALUE)]
        stamps = block.column(ts.V_TS, ts.N_VALUE)
        values = block.out.floats[ts.V_VALUE, : len(series)]
        self._note(stamps)
        room = np.empty(len(series) + len(self.series), np.int64)  # each line that ends was begun before or in here
        gap_series, gap_ts, self._ticket = _close_gaps(
            series, stamps, values, block.column(ts.V_FIRST, ts.N_VALUE), self._series_lane, self._opened,
            self._next_open, self._head, self._seen, self._ticket, room,
        )  # fmt: skip
        if len(gap_series):
            at = room[: len(gap_series)]
            series = np.insert(series, at, gap_series)
            stamps = np.insert(stamps, at, gap_ts)
            values = np.insert(values, at, np.nan)
        return _batch("counter", series, stamps, values)

    def _keep_marks(self, tables: Tables, block: Block, offset: int) -> None:
        columns = {name: block.column(index, ts.N_MARK) for name, index in _MARK_COLUMNS.items()}
        columns["track"] = tables.key_ids[columns["track"]]
        if self.colours is not None:
            columns[_COLOUR] = block.column(ts.M_CNAME, ts.N_MARK)
        for name in ("pid", "name", "category", "scope", *([_COLOUR] if self.colours is not None else [])):
            columns[name] = self._names(tables, columns[name])
        columns["id"] = self._links(tables, columns["id"])
        columns["args_at"] = self._at(columns["args_at"], offset)
        self._note(columns["ts"])
        self._marks.append({name: c.astype(_MARK_TYPES.get(name, c.dtype)) for name, c in columns.items()})

    def marks(self) -> Marks | None:
        """All begins, ends and points that wait for pairing."""
        if not self._marks:
            return None
        return Marks({name: np.concatenate([m[name] for m in self._marks]) for name in self._marks[0]})

    def lane_names(self) -> list[tuple[int, str, str, str]]:
        """The lanes with texts, as trace_names.track_batch wants them."""
        return [
            (kind, self.texts[pid], self.texts[tid], str(extra) if kind == ts.THREAD else self._text(extra))
            for kind, pid, tid, extra in self.lanes
        ]

    def series_names(self) -> list[tuple[str, str, str, str]]:
        """The series with texts, as trace_names.series_batch wants them."""
        return [(self.texts[a], self.texts[b], self._text(c), self.texts[d]) for a, b, c, d in self.series]

    def _text(self, number: int) -> str:
        return self.texts[number] if number >= 0 else ""
