"""Source lines and instructions of a kernel, and how they belong together."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.operator import instruction_files
from insight_desktop.engine.operator.instruction_files import Stored
from insight_desktop.engine.operator.profiles import Profile
from insight_desktop.ingest.formats import operator_blocks as blocks
from insight_desktop.ingest.formats import operator_instructions as layout
from insight_desktop.ingest.report import Report

Array = npt.NDArray[Any]
EXECUTED, CYCLES, REAL_STALLS = "Instructions Executed", "Cycles", "RealStallCycles"
ALL_SAMPLES, NOT_ISSUED = "Stall Sampling(All Samples)", "Stall Sampling(Not Issue)"
INNER_CODE, GPR_STATUS = "AscendC Inner Code", "GPR Status"
_LINE_FIRST = (EXECUTED, CYCLES, ALL_SAMPLES, NOT_ISSUED)
_INSTRUCTION_FIRST = ("Address", "Pipe", "Source", EXECUTED)
_INSTRUCTION_LAST = (CYCLES, REAL_STALLS)
_OLD_SHOWN = ("Address", "Pipe", "Source", EXECUTED, CYCLES)
_KEPT = 4  # kernels whose code stays in memory (as memory maps)


@dataclass(frozen=True)
class Spans:
    """Ranges of instructions, merged for searching: starts ascending, the largest end so far beside each."""

    starts: Array
    ends: Array

    @classmethod
    def of(cls, flat: Any) -> Spans:
        """From first and last addresses one after the other."""
        pairs = np.asarray(flat if flat is not None else [], np.uint64).reshape(-1, 2)
        pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
        return cls(pairs[:, 0], np.maximum.accumulate(pairs[:, 1]))

    def holds(self, address: Array) -> npt.NDArray[np.bool_]:
        """Which addresses lie in a range; both ends belong to it."""
        if not len(self.starts):
            return np.zeros(len(address), bool)
        at = np.searchsorted(self.starts, address, "right") - 1
        return (at >= 0) & (self.ends[np.maximum(at, 0)] >= address)


class Code:
    """The two tables of one kernel.

    Instructions have places: 0 first, by address where the file has type codes, else as in the file.
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.instructions = _stored(profile, blocks.INSTRUCTIONS)
        self.lines = _stored(profile, blocks.LINES)
        capture = profile.card.folder
        self.version = _version(profile)
        self._folder = capture
        self._order, self.address, self.has_address = self._places()
        self._by_file: dict[str, LineTable] = {}

    @property
    def cores(self) -> list[str]:
        """Names of the cores, as the instructions tell them."""
        return self.instructions.cores if self.instructions is not None else []

    @property
    def count(self) -> int:
        """How many instructions there are."""
        return len(self._order)

    def core_index(self, core: str | None) -> int:
        """Place of a core in the values; 0 for an unknown one."""
        return self.cores.index(core) if core in self.cores else 0

    def instruction_columns(self) -> list[tuple[str, int]]:
        """Columns of the instructions with their type codes, in display order."""
        if self.instructions is None:
            return []
        known = self.instructions.columns
        if self.instructions.is_old:
            return [(name, known[name]) for name in _OLD_SHOWN]
        hidden = {INNER_CODE, *_INSTRUCTION_FIRST, *_INSTRUCTION_LAST}
        names = [n for n in _INSTRUCTION_FIRST if n in known]
        names += sorted(n for n in known if n not in hidden)
        names += [n for n in _INSTRUCTION_LAST if n in known]
        return [(name, known[name]) for name in names]

    def line_columns(self) -> list[tuple[str, int]]:
        """Columns of the source lines with their type codes, in display order."""
        if self.lines is None:
            return []
        known = self.lines.columns
        if self.lines.is_old:
            return [(n, known.get(n, layout.DETAILS)) for n in _LINE_FIRST]
        names = [n for n in _LINE_FIRST if n in known] + sorted(n for n in known if n not in _LINE_FIRST)
        return [(name, known[name]) for name in names]

    def instruction_values(self, name: str, core: int) -> pa.Array:
        """A column for a core, by place: whole numbers, floats or texts; −1 where the value is negative (not available)."""
        if self.instructions is None or name not in self.instructions.columns:
            return pa.nulls(self.count)
        return _values(self.instructions.table[name], core).take(pa.array(self._order))

    def lines_of(self, path: str) -> LineTable:
        """The records of a source file."""
        found = self._by_file.get(path)
        if found is None:
            found = self._by_file[path] = LineTable(self.lines, path)
        return found

    def related(self, spans: Spans) -> npt.NDArray[np.bool_]:
        """Which instructions (by place) lie in ranges."""
        return spans.holds(self.address) & self.has_address

    def line_of(self, place: int, path: str) -> int:
        """Source line of an instruction in a file; −1 when there is none.

        What the instruction itself names is used where the collector vouches for it (version 0); otherwise the last
        record in the file whose ranges hold the address.
        """
        if not 0 <= place < self.count or self.instructions is None:
            return -1
        if self.version == 0 and INNER_CODE in self.instructions.columns:
            inner = self.instructions.table[INNER_CODE][int(self._order[place])].as_py() or ""
            file, _, line = inner.rpartition(":")  # paths may hold colons
            if file == path and line.isdecimal() and int(line) > 0:
                return int(line)
        if not self.has_address[place]:
            return -1
        return self.lines_of(path).line_of(int(self.address[place]))

    def _places(self) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
        if self.instructions is None:
            return np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, bool)
        column = self.instructions.table[layout.ADDRESS].combine_chunks()
        known = np.asarray(pc.is_valid(column))
        address = np.asarray(column.fill_null(0))
        order = np.arange(len(address))
        if not self.instructions.is_old and (np.diff(address.astype(np.float64)) < 0).any():
            order = np.argsort(address, kind="stable")
        return order, address[order], known[order]


class LineTable:
    """The records of one source file, in the order of the file."""

    def __init__(self, stored: Stored | None, path: str) -> None:
        if stored is None:
            self.table = pa.table({layout.LINE: pa.array([], pa.int64())})
        else:
            self.table = stored.table.filter(pc.equal(stored.table[layout.FILE], path))
        self._stored = stored
        self.number = np.asarray(self.table[layout.LINE])

    def shown(self, core: int) -> Array:
        """Rows that are shown for a core, ascending by line: of several records of one line the last."""
        rows = np.arange(len(self.number))
        if self._stored is not None and self._stored.is_old:
            rows = rows[self._has_values(core)]
        last: dict[int, int] = {int(self.number[row]): int(row) for row in rows}
        return np.array([last[line] for line in sorted(last)], np.int64)

    def _has_values(self, core: int) -> npt.NDArray[np.bool_]:
        """In the old format a line needs both values of the core, and one of them above 0."""
        keep = np.ones(len(self.number), bool)
        some = np.zeros(len(self.number), bool)
        for name in (EXECUTED, CYCLES):
            column = self.table[name].combine_chunks()
            lengths = np.asarray(pc.fill_null(pc.list_value_length(column), 0))
            keep &= lengths > core
            some |= np.asarray(pc.fill_null(_values(column, core), 0)) != 0
        return keep & some

    def values(self, name: str, core: int, rows: Array) -> pa.Array:
        """A column for a core at some rows."""
        if self._stored is None or name not in self._stored.columns:
            return pa.nulls(len(rows))
        return _values(self.table[name], core).take(pa.array(rows))

    def spans(self, line: int, core: int) -> Spans:
        """Ranges of the record that is shown for a line."""
        rows = self.shown(core)
        found = rows[self.number[rows] == line] if len(rows) else rows
        return Spans.of(self.table[layout.RANGES][int(found[0])].as_py() if len(found) else [])

    def line_of(self, address: int) -> int:
        """Line of the last record whose ranges hold an address; −1 without one."""
        if not len(self.number):
            return -1
        ranges = self.table[layout.RANGES].combine_chunks()
        flat = np.asarray(ranges.values).reshape(-1, 2)
        ends = np.asarray(ranges.offsets) // 2
        inside = (flat[:, 0] <= np.uint64(address)) & (np.uint64(address) <= flat[:, 1])
        hits = np.flatnonzero(inside[ends[0] : ends[-1]])
        if not len(hits):
            return -1
        row = int(np.searchsorted(ends - ends[0], hits[-1], "right")) - 1
        return int(self.number[row])


_lock = threading.Lock()
_codes: OrderedDict[tuple[Any, int], Code] = OrderedDict()


def code_of(profile: Profile) -> Code:
    """The code of a kernel; large files are read when this is asked for the first time."""
    with _lock:
        key = (profile.card.folder, (profile.card.folder / "manifest.json").stat().st_mtime_ns)
        held = _codes.pop(key, None) or Code(profile)
        _codes[key] = held
        while len(_codes) > _KEPT:
            _codes.popitem(last=False)
        return held


def _stored(profile: Profile, kind: int) -> Stored | None:
    folder = profile.card.folder
    found = instruction_files.read(folder, kind)
    if found is not None:
        return found
    rows = [r for r in profile.rows("operator_container") if r["type"] == kind and r["size_bytes"]]
    path = profile.path
    if not rows or path is None or not path.exists():
        return None
    row = rows[0]
    block = blocks.Block(row["number"], 0, kind, row["version"], row["at_bytes"], row["size_bytes"])
    instruction_files.write(folder, path, block, Report())
    return instruction_files.read(folder, kind)


def _version(profile: Profile) -> int:
    rows = [r["version"] for r in profile.rows("operator_container") if r["type"] == blocks.INSTRUCTIONS]
    version = int(rows[-1]) if rows else blocks.NO_VERSION
    return version - 256 if version > 127 else version


def _values(column: pa.ChunkedArray | pa.Array, core: int) -> pa.Array:
    """The values of a core: its element, else the first one; negative ones become −1."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(column, pa.ChunkedArray):
        column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    if not pa.types.is_list(column.type):
        return column
    offsets = np.asarray(column.offsets)
    lengths = np.diff(offsets)
    at = offsets[:-1] + np.where(lengths > core, core, 0)
    missing = (lengths == 0) | np.asarray(pc.is_null(column))
    if not len(column.values):
        return pa.nulls(len(column), column.type.value_type)
    found = column.values.take(pa.array(np.minimum(at, len(column.values) - 1)))
    numbers = np.asarray(found.fill_null(0))
    numbers = np.where(numbers < 0, -1, numbers).astype(numbers.dtype)
    return pa.array(numbers, column.type.value_type, mask=missing | np.asarray(pc.is_null(found)))
