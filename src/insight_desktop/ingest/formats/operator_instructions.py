"""Instructions and source lines of an operator bin, in batches: the blocks may have some hundred MB.

Every value is kept as the list over the cores that was written; which element counts for a core is decided by readers.
The schema's metadata hold the columns with their type codes, the cores and whether the old format without codes was used.
"""

from __future__ import annotations

import json
import mmap
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from insight_desktop.ingest.formats import operator_records as records
from insight_desktop.ingest.formats.operator_blocks import Block
from insight_desktop.ingest.formats.operator_columns import Group
from insight_desktop.ingest.formats.operator_json import address, number, ranges
from insight_desktop.ingest.formats.trace_bytes import Array

SKIP, INT, FLOAT, TEXT, PERCENT, TRACKS, DETAILS = 0, 1, 2, 3, 4, 5, 100
MAX_COLUMNS = 200
MAX_INSTRUCTIONS = 1_000_000
_THREADS = 2
ADDRESS, LINE, RANGES, FILE = "\0address", "\0line", "\0ranges", "\0file"

_OLD_INSTRUCTIONS = {
    "Address": TEXT, "Source": TEXT, "AscendC Inner Code": TEXT, "Pipe": TEXT, "Cycles": INT,
    "Instructions Executed": INT, "RealStallCycles": INT, "TheoreticalStallCycles": INT,
}  # fmt: skip
_OLD_LINES = {"Cycles": INT, "Instructions Executed": INT}
_TYPES = {INT: pa.list_(pa.int64()), FLOAT: pa.list_(pa.float64()), PERCENT: pa.list_(pa.float64())}


@dataclass
class Shape:
    """What a table of instructions or lines looks like.

    Attributes:
        columns: type code by column, as the file orders them.
        cores: names of the cores; empty in a block of lines that names none.
        old: the file has no type codes.
        left_out: columns beyond MAX_COLUMNS.
        bad: records that could not be read, so far.
        cut: records beyond the limit were left out.
    """

    columns: dict[str, int]
    cores: list[str]
    old: bool
    left_out: int = 0
    bad: int = 0
    cut: bool = False
    _own: tuple[pa.Field, ...] = field(default=(), repr=False)

    @property
    def schema(self) -> pa.Schema:
        fields = [pa.field(name, _TYPES.get(code, pa.string())) for name, code in self.columns.items()]
        facts = {"columns": list(self.columns.items()), "cores": self.cores, "old": self.old}
        return pa.schema([*self._own, *fields], {b"shape": json.dumps(facts).encode("utf-8", "replace")})


@contextmanager
def _bytes_of(path: Path) -> Iterator[tuple[Array, Any]]:
    with path.open("rb") as file:
        pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        data = np.frombuffer(pages, np.uint8)
        try:
            yield data, pages
        finally:
            del data  # the map itself goes when nobody looks at it any more


class Instructions:
    """The instructions of a block, as batches.

    `shape` is known after `open`; `batches` gives columns ADDRESS (uint64, null for none) and those of the shape.
    """

    def __init__(self, path: Path, block: Block) -> None:
        self._path, self._block = path, block
        with _bytes_of(path) as (data, _):
            end = block.start + block.size
            self._at = records.around(data, block.start, end, "Instructions", "Instructions Dtype")
            typed = records.value(data, self._at.get("Instructions Dtype"))
            cores = records.value(data, self._at.get("Cores"))
        self.shape = _shape(typed, "Instructions", cores, _OLD_INSTRUCTIONS, tracks=True)
        self.shape._own = (pa.field(ADDRESS, pa.uint64()),)
        self.is_readable = "Instructions" in self._at

    def batches(self) -> Iterator[tuple[pa.RecordBatch, int]]:
        """(batch, byte of the file behind it) in the order of the file; the first 1,000,000 instructions."""
        with _bytes_of(self._path) as (data, pages), ThreadPoolExecutor(_THREADS, "instructions") as threads:
            waiting: deque[tuple[Future[tuple[pa.RecordBatch, int]], int]] = deque()
            for spans, behind in self._groups(data):
                waiting.append((threads.submit(self._batch, data, spans), behind))
                if len(waiting) > 2 * _THREADS:
                    yield self._done(*waiting.popleft(), pages)
            while waiting:
                yield self._done(*waiting.popleft(), pages)

    def _groups(self, data: Array) -> Iterator[tuple[Array, int]]:
        kept = 0
        for spans, behind in records.item_groups(data, self._at.get("Instructions")):
            if kept >= MAX_INSTRUCTIONS:
                self.shape.cut = True
                return
            if kept + len(spans) > MAX_INSTRUCTIONS:
                spans, self.shape.cut = spans[: MAX_INSTRUCTIONS - kept], True
            kept += len(spans)
            yield spans, behind

    def _done(self, future: Future[tuple[pa.RecordBatch, int]], behind: int, pages: Any) -> tuple[pa.RecordBatch, int]:
        batch, bad = future.result()
        self.shape.bad += bad
        _forget(pages, self._block.start, behind)
        return batch, behind

    def _batch(self, data: Array, spans: Array) -> tuple[pa.RecordBatch, int]:
        """The records of a group, and how many cannot be read: by column where they are plain, else one by one."""
        shape = self.shape
        names = list(dict.fromkeys(("Address", *shape.columns)))
        group = Group.of(data, spans, names)
        if group is not None:
            try:
                where = group.addresses("Address")
                if where is None:
                    where = pa.array([address(v) for v in group.values("Address")], pa.uint64())
                columns = [_column_of(group, name, code) for name, code in shape.columns.items()]
                return pa.record_batch([where, *columns], schema=shape.schema), 0
            except ValueError:  # a value is no JSON: its record is left out
                pass
        found, bad = records.parse_items(data, spans)
        where = pa.array([address(row.get("Address")) for row in found], pa.uint64())
        columns = [_column(found, name, code) for name, code in shape.columns.items()]
        return pa.record_batch([where, *columns], schema=shape.schema), bad


class Lines:
    """The source lines of a block, as batches with FILE, LINE, RANGES (first and last address of each, flat) and columns."""

    def __init__(self, path: Path, block: Block) -> None:
        self._path, self._block = path, block
        with _bytes_of(path) as (data, _):
            self._at = records.members(data, block.start, block.start + block.size)
            typed = records.value(data, self._at.get("Files Dtype"))
            cores = records.value(data, self._at.get("Cores"))
        self.shape = _shape(typed, "Lines", cores, _OLD_LINES, tracks=False)
        self.shape._own = (
            pa.field(FILE, pa.string()), pa.field(LINE, pa.int64()), pa.field(RANGES, pa.list_(pa.uint64())),
        )  # fmt: skip
        self.is_readable = "Files" in self._at

    def batches(self) -> Iterator[tuple[pa.RecordBatch, int]]:
        """(batch, byte of the file behind it) in the order of the file."""
        with _bytes_of(self._path) as (data, pages):
            for files, _ in records.item_groups(data, self._at.get("Files")):
                for start, end in files.tolist():
                    inside = records.members(data, start, end)
                    name = records.value(data, inside.get("Source"))
                    if not isinstance(name, str):
                        self.shape.bad += 1
                        continue
                    yield from self._of_file(data, pages, name, inside.get("Lines"))

    def _of_file(
        self, data: Array, pages: Any, name: str, place: tuple[int, int] | None
    ) -> Iterator[tuple[pa.RecordBatch, int]]:
        shape = self.shape
        for spans, behind in records.item_groups(data, place):
            found, bad = records.parse_items(data, spans)
            kept = [row for row in found if _is_line(row, old=shape.old)]
            shape.bad += bad + len(found) - len(kept)
            own = [
                pa.array([_clean(name)] * len(kept), pa.string()),
                pa.array([row["Line"] for row in kept], pa.int64()),
                pa.array([ranges(row.get("Address Range")) for row in kept], pa.list_(pa.uint64())),
            ]
            columns = [_column(kept, column, code) for column, code in shape.columns.items()]
            yield pa.record_batch([*own, *columns], schema=shape.schema), behind
            _forget(pages, self._block.start, behind)


def _is_line(row: dict[str, Any], *, old: bool) -> bool:
    line = row.get("Line")
    known = isinstance(line, int) and not isinstance(line, bool) and abs(line) < 1 << 63
    return known and (not old or all(name in row for name in ("Address Range", *_OLD_LINES)))


def _shape(typed: Any, part: str, cores: Any, old: dict[str, int], *, tracks: bool) -> Shape:
    names = [_clean(c) if isinstance(c, str) else str(c) for c in cores] if isinstance(cores, list) else []
    codes = typed.get(part) if isinstance(typed, dict) else None
    if not isinstance(codes, dict):
        return Shape(dict(old), names, old=True)
    known = {INT, FLOAT, TEXT, PERCENT, DETAILS} | ({TRACKS} if tracks else set())
    columns = {
        _clean(name): code
        for name, code in codes.items()
        if isinstance(code, int)
        and not isinstance(code, bool)
        and code in known
        and name not in ("Line", "Address Range")
    }
    kept = dict(list(columns.items())[:MAX_COLUMNS])
    return Shape(kept, names, old=False, left_out=len(columns) - len(kept))


def _column_of(group: Group, name: str, code: int) -> pa.Array:
    """A column of a group; values that are not plain are read one by one."""
    if code == TEXT:
        found = group.texts(name)
    elif code in (INT, FLOAT, PERCENT):
        found = group.numbers(name, whole=code == INT)
    else:
        found = None
    return found if found is not None else _of_values(group.values(name), code)


def _column(rows: list[dict[str, Any]], name: str, code: int) -> pa.Array:
    return _of_values([row.get(name) for row in rows], code)


def _of_values(values: list[Any], code: int) -> pa.Array:
    if code == TEXT:
        return pa.array([_text(v) for v in values], pa.string())
    if code in (TRACKS, DETAILS):
        return pa.array([None if v is None else orjson.dumps(_one(v, code)).decode() for v in values], pa.string())
    lists = [v if isinstance(v, list) or v is None else [v] for v in values]
    try:
        return pa.array(lists, _TYPES[code])
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, TypeError):
        clean = _whole if code == INT else _real
        return pa.array([None if v is None else [clean(item) for item in v] for v in lists], _TYPES[code])


def _text(given: Any) -> str | None:
    if isinstance(given, list):
        given = given[0] if given else None
    if given is None:
        return None
    return _clean(given) if isinstance(given, str) else ""


def _clean(given: str) -> str:
    return given.encode("utf-8", "replace").decode("utf-8")


def _one(given: Any, code: int) -> Any:
    """A value that is not told per core; of a list of details the first."""
    return given[0] if code == DETAILS and isinstance(given, list) and given else given


def _whole(item: Any) -> int:
    if isinstance(item, bool) or not isinstance(item, int | float):
        return 0
    exact = int(item) if isinstance(item, int) or item.is_integer() else 0
    return max(-(1 << 63), min((1 << 63) - 1, exact))


def _real(item: Any) -> float:
    return number(item) or 0.0


def _forget(pages: Any, start: int, end: int) -> None:
    """Let go of the pages that were read, where the system can be told; the memory stays that of one group."""
    if hasattr(mmap, "MADV_DONTNEED"):
        low, high = (p // mmap.PAGESIZE * mmap.PAGESIZE for p in (start, end))
        if high > low:
            pages.madvise(mmap.MADV_DONTNEED, low, high - low)
