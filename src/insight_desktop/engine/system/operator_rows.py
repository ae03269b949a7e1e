"""The kernels of one card in memory, as columns of numbers and numbered texts, kept while the project is open.

Only what grouping, filters and sorting need is held (about 50 bytes per kernel); the rest stays in the Parquet file and
is read for the rows that are shown.
"""

from __future__ import annotations

import re
import threading
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from insight_desktop import schema
from insight_desktop.engine import tables
from insight_desktop.engine.store import Store

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Key = Literal["name", "type", "shape", "core"]

NO_TIME = np.iinfo(np.int64).min  # stands for a missing start or wait
_COLUMN: dict[Key, str] = {"name": "name", "type": "type", "shape": "input_shapes", "core": "core"}
_HELD = ("row", "device", "start_ns", "duration_ns", "duration_ps", "wait_ns", "is_communication", *_COLUMN.values())
_FEW = 2000  # up to so many rows are sought, from more on whole columns are read
_KEPT_CARDS = 8  # loaded cards per project; the least recently used one goes

_guard = threading.Lock()
_loaded: weakref.WeakKeyDictionary[Store, OrderedDict[str, tuple[tuple[int, int], Kernels]]]
_loaded = weakref.WeakKeyDictionary()


@dataclass(frozen=True)
class Texts:
    """A text column: `words[codes[i]]` is the text of row i; absent texts are empty."""

    codes: Codes
    words: tuple[str, ...]

    def at(self, positions: npt.NDArray[Any]) -> pa.Array:
        """The texts of some rows."""
        return pa.array(self.words, pa.string()).take(pa.array(self.codes[positions]))

    def containing(self, text: str) -> Flags:
        """Rows whose text contains another one; case and blanks around it do not matter, every character means itself."""
        wanted = text.strip().casefold()
        return self._where([wanted in word.casefold() for word in self.words])

    def equal(self, text: str) -> Flags:
        """Rows of exactly this text."""
        return self._where([word == text for word in self.words])

    def rank(self) -> Codes:
        """Place of each row's text in the order of the texts: numbers inside compare by value, case does not matter."""
        order = sorted(range(len(self.words)), key=lambda i: _natural(self.words[i]))
        place = np.empty(max(len(order), 1), np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        return place[self.codes]

    def _where(self, chosen: list[bool]) -> Flags:
        return np.array(chosen or [False], np.bool_)[self.codes]


@dataclass
class Kernels:
    """The kernels of one card's device in the order of the files; arrays are of equal length.

    Attributes:
        card: name of the card.
        path: the Parquet table.
        row: number of each kernel in the table.
        start_ns, wait_ns: NO_TIME where the source has none.
        ticks, ticks_per_us: durations for sums, in ns, or in ps where the source has more than three decimals of µs.
        device: the device that is shown, None when no row tells it.
        device_from: what told the device.
        other_devices: rows that were left out, because they belong to other devices.
        pmu: headers of the PMU columns, alphabetically.
        made: results of grouping, kept by their names.
    """

    card: str
    path: Path
    row: Ints
    start_ns: Ints
    duration_ns: Ints
    ticks: Ints
    ticks_per_us: int
    wait_ns: Ints
    is_communication: Flags
    text: dict[Key, Texts]
    device: int | None = None
    device_from: str = ""
    other_devices: int = 0
    pmu: tuple[str, ...] = ()
    made: dict[Any, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.row)

    @property
    def has_shapes(self) -> bool:
        """True when some computing kernel tells its input shapes (level l1)."""
        shapes = self.text["shape"]
        told = np.array([word not in ("", "N/A") for word in shapes.words] or [False], np.bool_)
        return bool((told[shapes.codes] & ~self.is_communication).any())

    def rank(self, key: Key) -> Codes:
        """Place of each row's text in the order of the texts; made once."""
        name = ("rank", key)
        if name not in self.made:
            self.made[name] = self.text[key].rank()
        found: Codes = self.made[name]
        return found

    def column(self, name: str) -> pa.Array:
        """A column of the table for all kernels, in their order; nulls where the table has no such column."""
        held = pq.read_schema(self.path).names
        if name not in held:
            return pa.nulls(len(self), pa.string())
        column = pq.read_table(self.path, columns=[name], memory_map=True).column(0)
        if len(column) != len(self):
            column = column.take(pa.array(self.row))
        whole = column.combine_chunks()
        return pa.concat_arrays(whole.chunks) if isinstance(whole, pa.ChunkedArray) else whole


def read(opened: Store, kernels: Kernels, columns: Sequence[str], positions: Ints) -> pa.Table:
    """Columns of the table for some kernels, in the order of the positions; columns that it does not have are left out."""
    held = pq.read_schema(kernels.path)
    present = [c for c in columns if c in held.names]
    if not present:
        return pa.table({})
    if len(positions) > _FEW:
        whole = pq.read_table(kernels.path, columns=present, memory_map=True)
        return whole.take(pa.array(kernels.row[positions]))
    names = ", ".join('"' + c.replace('"', '""') + '"' for c in ["row", *present])
    file = str(kernels.path).replace("'", "''")
    wanted = kernels.row[positions]
    found = opened.sql(
        f"SELECT {names} FROM read_parquet('{file}') WHERE row IN (SELECT unnest($rows))", rows=wanted.tolist()
    )
    at = pc.index_in(pa.array(wanted), pa.array(np.asarray(found.column("row"))))
    return found.select(present).take(at)


def kernels(opened: Store, card: str | None) -> Kernels:
    """The kernels of a card; read at the first question. Raises BadArgument for an unknown card."""
    chosen = opened.card(card)
    tables.ensure(opened, "kernel", [chosen.name])
    path = chosen.folder / "kernel.parquet"
    facts = path.stat()
    stamp = (facts.st_ino, facts.st_mtime_ns)
    with _guard:
        held = _loaded.setdefault(opened, OrderedDict())
        if chosen.name in held and held[chosen.name][0] == stamp and held[chosen.name][1].path == path:
            held.move_to_end(chosen.name)
            return held[chosen.name][1]
    made = _load(chosen.name, path, chosen.device)
    with _guard:
        held[chosen.name] = stamp, made
        while len(held) > _KEPT_CARDS:
            held.popitem(last=False)
    return made


def base_ns(opened: Store, loaded: Kernels) -> int:
    """Raw time that the starts count from: that of the Timeline; without one, the first kernel of the card."""
    if opened.full_range() != (0, 0):
        return opened.base_ns
    known = loaded.start_ns[loaded.start_ns != NO_TIME]
    return int(known.min()) if len(known) else 0


def _load(card: str, path: Path, device: int | None) -> Kernels:
    names = pq.read_schema(path).names
    table = pq.read_table(
        path, columns=[c for c in _HELD if c in names], memory_map=True, read_dictionary=list(_COLUMN.values())
    )
    declared = set(schema.TABLES["kernel"].schema.names)
    pmu = sorted((n for n in names if n not in declared and not n.startswith("pmu:")), key=str.casefold)
    chosen, told, keep = _device(table.column("device"), device)
    left_out = 0
    if keep is not None:
        left_out = table.num_rows - int(keep.sum())
        table = table.filter(pa.array(keep))
    communication = np.asarray(pc.fill_null(table.column("is_communication"), False))
    text = {key: _texts(table.column(column)) for key, column in _COLUMN.items()}
    text["type"] = _types(text["type"], text["name"], communication)
    ns = _ints(table, "duration_ns", 0)
    ticks, per_us = _ticks(table, ns)
    return Kernels(
        card=card, path=path, row=_ints(table, "row"), start_ns=_ints(table, "start_ns"), duration_ns=ns, ticks=ticks,
        ticks_per_us=per_us, wait_ns=_ints(table, "wait_ns"), is_communication=communication, text=text, device=chosen,
        device_from=told, other_devices=left_out, pmu=tuple(pmu),
    )  # fmt: skip


def _ticks(table: pa.Table, ns: Ints) -> tuple[Ints, int]:
    """Durations in the finest unit that the source has, and how many of it make a µs."""
    if "duration_ps" not in table.column_names or table.column("duration_ps").null_count == table.num_rows:
        return ns, 1000
    ps = table.column("duration_ps")
    return np.where(np.asarray(ps.is_null()), ns * 1000, np.asarray(pc.fill_null(ps, 0), np.int64)), 1_000_000


def _device(column: pa.ChunkedArray, device: int | None) -> tuple[int | None, str, Flags | None]:
    """The device whose rows are shown, what told it, and its rows (None for all of them).

    Rows without a device belong to the card. When no row is of the card's device, the first row tells it.
    """
    held = pc.drop_null(pc.unique(column)).to_pylist()
    if not held:
        return device, "card" if device is not None else "", None
    told = "card"
    if device not in held:
        told, device = "first row of the kernels", held[0]
    if held == [device]:
        return device, told, None
    return device, told, np.asarray(pc.fill_null(pc.equal(column, device), True))


def _ints(table: pa.Table, name: str, missing: int = NO_TIME) -> Ints:
    return np.asarray(pc.fill_null(table.column(name), missing), np.int64)


def _texts(column: pa.ChunkedArray) -> Texts:
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(column)
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = pa.concat_arrays(whole.chunks) if whole.num_chunks else pa.array([], column.type)
    words = ["" if word is None else str(word) for word in whole.dictionary.to_pylist()]
    codes = np.asarray(pc.fill_null(whole.indices, len(words)), np.int32)
    return _merged(codes, [*words, ""])


def _merged(codes: Codes, words: list[str]) -> Texts:
    """Equal words share a number."""
    number: dict[str, int] = {}
    new = np.array([number.setdefault(word, len(number)) for word in words], np.int32)
    return Texts(new[codes], tuple(number))


def _types(types: Texts, names: Texts, communication: Flags) -> Texts:
    """Types; a communication operator without one has the part of its name before `__`."""
    empty = types.equal("") & communication
    if not empty.any():
        return types
    codes = types.codes.copy()
    codes[empty] = names.codes[empty] + len(types.words)
    return _merged(codes, [*types.words, *(name.partition("__")[0] for name in names.words)])


def _natural(text: str) -> tuple[Any, ...]:
    parts = re.split(r"(\d+)", text.casefold())
    return tuple((1, int(p), "") if p.isdecimal() else (0, 0, p) for p in parts), text
