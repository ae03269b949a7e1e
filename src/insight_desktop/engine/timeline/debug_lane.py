"""Results of SQL on the timeline: rows that lead somewhere, and rows that become a lane in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.build_text import string_hashes
from insight_desktop.engine.capture import Array, Capture, dtype_of
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import depth, mipmap
from insight_desktop.engine.timeline.search import tracks_of
from insight_desktop.errors import BadArgument

_START, _END, _DURATION = ("ts_ns", "start_ns", "from_ns"), ("end_ns", "to_ns"), ("dur_ns", "duration_ns")
FIX = "Select card and id, or ts_ns with dur_ns (or end_ns), and name for the titles."


@dataclass(frozen=True)
class Jump:
    """Where a row leads: a slice or instant of a card, or a stretch of raw time of a card.

    Attributes:
        card: name of the card.
        slice_id: id of the slice or instant; None for a stretch of time.
        track: lane of the slice; None for a stretch of time.
        from_ns, to_ns: raw time.
    """

    card: str
    slice_id: int | None
    track: int | None
    from_ns: int
    to_ns: int


@dataclass(frozen=True)
class DebugLane:
    """A lane that is not in a capture, in the form of one: slices sorted by (depth row, start).

    Attributes:
        card: card whose offset the times follow; None for the first one.
        start, end: raw ns.
        name: positions in `names`.
        names: the titles.
        row_offset: slices of depth row r are [row_offset[r], row_offset[r + 1]).
        table_row: row of the result that each slice stands for.
        skipped: rows without a time, or that end before they start.
    """

    card: str | None
    start: Array
    end: Array
    name: Array
    names: pa.LargeStringArray
    row_offset: Array
    table_row: Array
    skipped: int

    @property
    def rows(self) -> int:
        """Number of depth rows."""
        return len(self.row_offset) - 1

    def hashes(self) -> Array:
        """Colour hash of each of the names, as in a capture: equal names have equal colours everywhere."""
        return string_hashes(self.names)


def can_jump(table: pa.Table) -> bool:
    """Whether the rows of a result lead somewhere: they have card and id, or a time."""
    names = set(table.column_names)
    return {"card", "id"} <= names or _first(names, _START) is not None


def jump(store: Store, table: pa.Table, row: int) -> Jump | None:
    """Where a row of a result leads; None when its cells are empty or name nothing that is open.

    Rows with card and id lead to the slice or instant; others with a time to that stretch of time, on the card of the row
    or the first one.
    """
    cells = {name: table[name][row].as_py() for name in table.column_names}
    known = {card.name for card in store.cards}
    card, slice_id = cells.get("card"), cells.get("id")
    if card is not None and card not in known:
        return None
    if card is not None and isinstance(slice_id, int):
        return _slice(store, card, slice_id)
    names = set(cells)
    begin = cells.get(_first(names, _START) or "")
    if not isinstance(begin, int) or not known:
        return None
    length, end = cells.get(_first(names, _DURATION) or ""), cells.get(_first(names, _END) or "")
    stop = begin + length if isinstance(length, int) else end if isinstance(end, int) else begin
    return Jump(card or store.cards[0].name, None, None, begin, max(begin, stop))


def sql_lane(table: pa.Table) -> DebugLane:
    """A lane from the rows of a result.

    A time is needed: ts_ns (or start_ns, from_ns) with dur_ns (or duration_ns) or end_ns (or to_ns); without an end the
    slices have no length. name gives the titles; without it they are the row numbers. Rows of several cards cannot be
    one lane. Raises BadArgument with the columns that are missing.
    """
    names = set(table.column_names)
    begin = _first(names, _START)
    if begin is None:
        raise BadArgument("The result has no time, so it cannot be a lane.", fix=FIX)
    start, known = _numbers(table, begin)
    end = start
    length, stop = _first(names, _DURATION), _first(names, _END)
    if length is not None or stop is not None:
        values, valid = _numbers(table, length or stop or "")
        end = start + values if length is not None else values
        known &= valid
    known &= end >= start
    at = np.flatnonzero(known)
    order = depth.order(start[at], end[at])
    at = at if order is None else at[order]
    start, end = np.ascontiguousarray(start[at]), np.ascontiguousarray(end[at])
    rows = np.zeros(len(at), np.int32)
    if len(at):
        depth.assign_rows(start, end, rows)
    place = np.lexsort((np.arange(len(at)), rows))
    titles, texts = _titles(table, at[place])
    count = int(rows.max()) + 1 if len(at) else 0
    offset = np.searchsorted(rows[place], np.arange(count + 1))
    card = _card(table, at) if "card" in names else None
    return DebugLane(card, start[place], end[place], titles, texts, offset, at[place], table.num_rows - len(at))


def _slice(store: Store, card: str, slice_id: int) -> Jump | None:
    capture = store.capture(card)
    count = len(capture.slice_start)
    if 0 <= slice_id < count:
        track = int(tracks_of(capture, np.array([slice_id]))[0])
        return Jump(card, slice_id, track, int(capture.slice_start[slice_id]), int(capture.slice_end[slice_id]))
    point = slice_id - count
    if 0 <= point < len(capture.instant_ts):
        stamp = int(capture.instant_ts[point])
        return Jump(card, slice_id, int(np.searchsorted(capture.instant_offset, point, "right")) - 1, stamp, stamp)
    return None


def _first(names: set[str], wanted: tuple[str, ...]) -> str | None:
    return next((name for name in wanted if name in names), None)


def _numbers(table: pa.Table, name: str) -> tuple[Array, Array]:
    """A column as whole ns (0 where it is empty) and which rows have a value. Raises BadArgument for other types."""
    column = table[name].combine_chunks()
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_decimal(kind) or pa.types.is_floating(kind)):
        raise BadArgument(f"Column {name} holds {kind}, not times in ns.", fix="Cast it to BIGINT.")
    if pa.types.is_floating(kind):
        column = pc.if_else(pc.is_finite(column), pc.round(column), pa.scalar(None, kind))
    try:
        whole = column.cast(pa.int64())
    except pa.ArrowInvalid as error:
        raise BadArgument(f"Column {name} holds numbers beyond 64 bits.", fix="Cast it to BIGINT.") from error
    return whole.fill_null(0).to_numpy(zero_copy_only=False), np.asarray(
        whole.is_valid().to_numpy(zero_copy_only=False)
    )


def _titles(table: pa.Table, rows: Array) -> tuple[Array, pa.LargeStringArray]:
    if "name" in table.column_names:
        texts = table["name"].combine_chunks().take(pa.array(rows))
        texts = texts.dictionary_decode() if pa.types.is_dictionary(texts.type) else texts
        texts = texts.cast(pa.large_string()).fill_null("")
    else:
        texts = pa.array(rows).cast(pa.large_string())
    codes = texts.dictionary_encode()
    return codes.indices.to_numpy().astype(np.int32), codes.dictionary


def _card(table: pa.Table, rows: Array) -> str | None:
    found = pc.unique(table["card"].combine_chunks().take(pa.array(rows)).drop_null()).to_pylist()
    if len(found) > 1:
        raise BadArgument(
            "The result holds several cards, so it cannot be one lane.", fix="Add WHERE card = … to the query."
        )
    return str(found[0]) if found else None


class LaneCapture(Capture):
    """A lane of query rows as a capture in memory, with one track: painters draw it as any other.

    Attributes:
        lane: the rows it was made from.
    """

    def __init__(self, lane: DebugLane, title: str, base: Capture) -> None:
        self.lane = lane
        self.folder = base.folder
        rows = lane.rows
        self._columns = {
            "slice_start": lane.start,
            "slice_end": lane.end,
            "slice_name": lane.name,
            "string_hash": lane.hashes(),
            "lane_offset": np.asarray(lane.row_offset, np.int64),
            "lane_track": np.zeros(rows, np.int32),
            "lane_row": np.arange(rows, dtype=np.int32),
            "track_lane": np.array([0, rows], np.int64),
            "instant_offset": np.zeros(2, np.int64),
        }
        shifts = []
        for level in mipmap.levels(lane.start, lane.end, lane.name, self._columns["lane_offset"]):
            shifts.append(level.shift)
            for part in ("start", "end", "name", "offset"):
                self._columns[f"mip_{level.shift}_{part}"] = np.array(getattr(level, part))
        self.manifest = replace(base.manifest, mip_shifts=shifts)
        whole = {"thread": title, "lane": title, "rows": rows, "slices": len(lane.start), "role": ""}
        row = dict.fromkeys(base.tracks.column_names) | whole
        self.__dict__["strings"] = lane.names
        self.__dict__["tracks"] = pa.Table.from_pylist([row], base.tracks.schema)
        self.__dict__["series"] = base.series.slice(0, 0)

    def column(self, name: str) -> Array:
        """A column as of `Capture.column`; what a lane of rows does not have is empty."""
        if name not in self._columns:
            self._columns[name] = np.empty(0, dtype_of(name))
        return self._columns[name]
