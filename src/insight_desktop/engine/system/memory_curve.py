"""Curves of a card's memory: which records are points of which line, peaks, what is drawn of a window."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Array
from insight_desktop.engine.rounding import half_away
from insight_desktop.engine.system import memory_sample, memory_tables
from insight_desktop.engine.system.memory_time import CardMemory

Group = Literal["overall", "stream", "component"]
GROUPS: tuple[Group, ...] = ("overall", "stream", "component")
APP, WORKSPACE = "APP", "WORKSPACE"
_BOTH = ("PTA+GE", "TorchNPU+GE", "MindSpore+GE")
_SINGLE = ("PTA", "TorchNPU", "MindSpore", "GE")  # newer collectors call PTA TorchNPU
_VALUES = ("allocated_mb", "active_mb", "reserved_mb")
_WORDS = ("Allocated", "Activated", "Reserved")
_TITLES = {"Operators": "Operator", "App": "APP"}  # how the title of peaks calls them
POINT = pa.schema(
    [("series", pa.dictionary(pa.int32(), pa.string())), ("ts_ns", pa.int64()), ("value_mb", pa.float64()), ("t_ms", pa.float64())]
)  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One line: its legend, which records are its points (positions in the curve), their values in MB."""

    legend: str
    rows: Array
    values: Array


@dataclass(frozen=True)
class Curve:
    """The lines of a group over one time axis; a record carries values for the lines of its component only."""

    ts_ns: Array
    lines: tuple[Line, ...]

    @property
    def nbytes(self) -> int:
        return int(self.ts_ns.nbytes + sum(line.rows.nbytes + line.values.nbytes for line in self.lines))


@dataclass(frozen=True)
class Notes:
    """What a table of points says of itself.

    Attributes:
        legends: all lines in order, also those without a point in the window.
        rows: records in the window.
        shown: records that are drawn; fewer than rows when they are sampled.
    """

    legends: tuple[str, ...]
    rows: int
    shown: int

    @property
    def is_sampled(self) -> bool:
        return self.shown < self.rows


def of(memory: CardMemory, group: Group) -> Curve:
    """The curve of a group; kept, so that a zoom costs little."""
    key = ("curve", group, *memory.key("memory_record", "app_memory"))
    return memory_tables.kept.get(key, lambda: _make(memory, group), lambda found: found.nbytes)


def points(curve: Curve, memory: CardMemory, start: int | None, stop: int | None, limit: int) -> pa.Table:
    """Points of a window, line by line in time order: series, ts_ns, value_mb, t_ms; `notes` reads the rest.

    Args:
        curve: of the card.
        memory: the card.
        start, stop: raw ns, both inside; None for no bound.
        limit: windows with more records are sampled to about twice as many per line; 0 for all records.
    """
    first = 0 if start is None else int(np.searchsorted(curve.ts_ns, start))
    last = len(curve.ts_ns) if stop is None else int(np.searchsorted(curve.ts_ns, stop, "right"))
    drawn = memory_sample.keep(first, last, [(line.rows, line.values) for line in curve.lines], limit)
    wanted = np.zeros(max(0, last - first), np.bool_)
    wanted[drawn - first] = True
    parts: list[tuple[Array, Array]] = []
    for line in curve.lines:
        a, b = np.searchsorted(line.rows, (first, max(first, last)))
        mine = wanted[line.rows[a:b] - first]
        parts.append((curve.ts_ns[line.rows[a:b][mine]], line.values[a:b][mine]))
    legends = [line.legend for line in curve.lines]
    return _noted(_long(legends, parts, memory), Notes(tuple(legends), max(0, last - first), len(drawn)))


def merged(parts: Sequence[tuple[pa.Table, pa.Array]], facts: Notes) -> pa.Table:
    """Several tables of points as one, their lines under new legends (one array of texts per table)."""
    made = []
    for found, legends in parts:
        chunks = [pa.DictionaryArray.from_arrays(c.indices, legends) for c in found["series"].chunks]
        made.append(found.set_column(0, "series", pa.chunked_array(chunks, POINT.field("series").type)))
    whole = pa.concat_tables([m.replace_schema_metadata() for m in made]).unify_dictionaries()
    return _noted(whole, facts)


def _noted(table: pa.Table, facts: Notes) -> pa.Table:
    return table.replace_schema_metadata({b"insight_notes": json.dumps(asdict(facts)).encode()})


def notes(table: pa.Table) -> Notes:
    """Legends and counts of a table that a curve query gave."""
    facts: dict[str, Any] = json.loads((table.schema.metadata or {}).get(b"insight_notes", b"{}"))
    return Notes(tuple(facts.get("legends", ())), int(facts.get("rows", 0)), int(facts.get("shown", 0)))


def peaks(curve: Curve, memory: CardMemory) -> pa.Table:
    """Largest value of every line and its first time: series, peak_mb, ts_ns, t_ms."""
    held = [line for line in curve.lines if len(line.values)]
    at = [int(np.argmax(line.values)) for line in held]
    stamps = np.array([curve.ts_ns[line.rows[i]] for line, i in zip(held, at, strict=True)], np.int64)
    return pa.table(
        {
            "series": pa.array([line.legend for line in held], pa.string()),
            "peak_mb": pa.array([float(line.values[i]) for line, i in zip(held, at, strict=True)], pa.float64()),
            "ts_ns": stamps,
            "t_ms": memory.ms(stamps),
        }
    )


def title(found: pa.Table, group: Group) -> str:
    """The line above the chart from the table of `peaks`; empty for streams and without peaks."""
    if group == "stream" or not found.num_rows:
        return ""
    parts = []
    for row in found.select(["series", "peak_mb"]).to_pylist():
        word, _, rest = row["series"].partition(" ")
        parts.append(f"{_TITLES.get(word, word)} {rest}: {row['peak_mb']:.2f}MB")
    return f"Peak Memory Usage: {' | '.join(parts)}"


@dataclass(frozen=True)
class Summary:
    """The records of a card: first and last raw time (None without any), how many, names of their components."""

    first_ns: int | None
    last_ns: int | None
    records: int
    components: frozenset[str]


def summary(memory: CardMemory) -> Summary:
    """What the records of a card are."""
    held = _kept_records(memory)
    first, last = (int(held.ts_ns[0]), int(held.ts_ns[-1])) if len(held.ts_ns) else (None, None)
    return Summary(first, last, held.count, held.names)


def groups(memory: CardMemory) -> list[str]:
    """Groupings that have points."""
    return [group for group in GROUPS if len(of(memory, group).ts_ns)]


def _long(legends: Sequence[str], parts: Sequence[tuple[Array, Array]], memory: CardMemory) -> pa.Table:
    stamps = np.concatenate([p[0] for p in parts]) if parts else np.empty(0, np.int64)
    values = np.concatenate([p[1] for p in parts]) if parts else np.empty(0, np.float64)
    numbers = np.repeat(np.arange(len(parts), dtype=np.int32), [len(p[0]) for p in parts])
    series = pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int32()), pa.array(legends, pa.string()))
    return pa.table([series, pa.array(stamps), pa.array(values), pa.array(memory.ms(stamps))], schema=POINT)


@dataclass(frozen=True)
class _Records:
    """The records of the device in time order; names and count are those of memory_record alone."""

    ts_ns: Array
    component: Array
    components: dict[str, int]
    stream: Array
    streams: dict[str, int]
    values: dict[str, Array]
    names: frozenset[str]
    count: int

    @property
    def is_ge_only(self) -> bool:
        """Only then graph engine records stand for all operators."""
        return self.names == {"GE"}

    @property
    def has_streams(self) -> bool:
        """Only then the collector recorded what streams still use."""
        return bool(np.any(self.stream != self.streams.get("", -1)))

    def of(self, *components: str) -> Array:
        """Positions of the records of these components."""
        codes = [self.components[c] for c in components if c in self.components]
        return np.flatnonzero(np.isin(self.component, codes)) if codes else np.empty(0, np.int64)

    @property
    def nbytes(self) -> int:
        arrays = (self.ts_ns, self.component, self.stream, *self.values.values())
        return int(sum(a.nbytes for a in arrays))


def _make(memory: CardMemory, group: Group) -> Curve:
    records = _kept_records(memory)
    lines = {"overall": _overall, "stream": _streams, "component": _components}[group](records)
    used = np.zeros(len(records.ts_ns), np.bool_)
    for line in lines:
        used[line.rows] = True
    place = np.cumsum(used) - 1
    return Curve(records.ts_ns[used], tuple(Line(a.legend, place[a.rows], a.values) for a in lines))


def _kept_records(memory: CardMemory) -> _Records:
    key = ("records", *memory.key("memory_record", "app_memory"))
    return memory_tables.kept.get(key, lambda: _records(memory), lambda found: found.nbytes)


def _records(memory: CardMemory) -> _Records:
    table = memory.rows("memory_record", ["component", "ts_ns", *_VALUES, "stream"])
    app = memory.rows("app_memory")
    rows = table.num_rows
    table = table.filter(table["ts_ns"].is_valid())
    app = app.filter(app["ts_ns"].is_valid())
    stamps = np.concatenate([np.asarray(t["ts_ns"], np.int64) for t in (table, app)])
    order = np.argsort(stamps, kind="stable")
    component, components = _codes(table["component"])
    stream, streams = _codes(table["stream"])
    if app.num_rows:
        component = np.r_[component, np.full(app.num_rows, components.setdefault(APP, len(components)))]
        stream = np.r_[stream, np.full(app.num_rows, streams.setdefault("", len(streams)))]
    values = {}
    for name in _VALUES:
        numbers = table[name].to_numpy()  # null is NaN: the file has no value, which is a gap and not 0
        added = app[name].to_numpy() if name in app.column_names else np.full(app.num_rows, np.nan)
        values[name] = half_away(np.concatenate([numbers, added]), 2)[order]
    names = frozenset(pc.unique(table["component"]).to_pylist())
    return _Records(stamps[order], component[order], components, stream[order], streams, values, names, rows)


def _codes(column: pa.ChunkedArray) -> tuple[Array, dict[str, int]]:
    """A number per row and the number of each text; null is the empty text."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    chunks = column.unify_dictionaries().chunks
    if not chunks:
        return np.empty(0, np.int32), {}
    texts = {text or "": number for number, text in enumerate(chunks[0].dictionary.to_pylist())}
    blank = texts.setdefault("", len(chunks[0].dictionary))
    codes = [pc.fill_null(chunk.indices, blank).to_numpy(zero_copy_only=False) for chunk in chunks]
    return np.concatenate(codes).astype(np.int32), texts


def _lines(records: _Records, rows: Array, legends: Sequence[str | None]) -> list[Line]:
    """Allocated, activated and reserved of some records; a legend of None leaves the line out."""
    lines = []
    for legend, name in zip(legends, _VALUES, strict=True):
        if legend and len(rows) and (name != "active_mb" or records.has_streams):
            values = records.values[name][rows]
            known = ~np.isnan(values)
            if not known.any():  # the component never has this figure, as GE has none for streams: its line is 0
                values, known = np.zeros(len(rows)), ~known
            lines.append(Line(legend, rows, values) if known.all() else Line(legend, rows[known], values[known]))
    return lines


def _overall(records: _Records) -> list[Line]:
    rows = records.of(*_BOTH)
    if records.is_ge_only:
        rows = records.of("GE")
    lines = _lines(records, rows, [f"Operators {word}" for word in _WORDS])
    lines += _lines(records, records.of(APP), (None, None, "App Reserved"))
    return lines + _lines(records, records.of(WORKSPACE), ("WORKSPACE Allocated", None, "WORKSPACE Reserved"))


def _streams(records: _Records) -> list[Line]:
    rows = records.of(*_BOTH)
    streams = records.stream[rows]
    names = {number: text for text, number in records.streams.items()}
    codes, first = np.unique(streams, return_index=True)
    lines: list[Line] = []
    for code in codes[np.argsort(first)]:
        if name := names[int(code)]:
            lines += _lines(records, rows[streams == code], [f"{word} of {name}" for word in _WORDS])
    return lines


def _components(records: _Records) -> list[Line]:
    lines: list[Line] = []
    for name in _SINGLE:
        lines += _lines(records, records.of(name), [f"{name} {word}" for word in _WORDS])
    return lines + _lines(records, records.of(APP), (None, None, "App Reserved"))
