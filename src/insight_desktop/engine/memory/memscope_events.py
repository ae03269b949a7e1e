"""Collects the rows of a MemScope dump: texts go to Parquet batch by batch, what pairing needs stays as columns in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from insight_desktop.ingest.formats.memscope import Columns
from insight_desktop.ingest.formats.memscope_attr import address, attributes, nanoseconds, whole
from insight_desktop.schema_memscope import MEMSCOPE

OTHER, MALLOC, FREE, ACCESS = 0, 1, 2, 3
NONE = np.iinfo(np.int64).min  # stands for "not told" in columns of whole numbers
_KINDS = {"MALLOC": MALLOC, "FREE": FREE, "ACCESS": ACCESS}
_NO_TEXT = ("N/A", "None", "null")
_DEPTH = 20
_BIGGEST = 1 << 60
_MOST_BYTES = 1 << 46  # no memory holds more; sums of larger sizes would leave 64 bits
_LATEST = 2**63 - 1
_TEXTS = ("event", "type", "name", "device", "ptr", "attr", "stack_py", "stack_c")
# column of Memory → key in Attr
_NUMBERS = {
    "size": "size", "allocation_id": "allocation_id", "total": "total", "used": "used", "process_used": "process_used",
    "device_used": "device_used",
}  # fmt: skip

# An object of texts without quotes and escapes in them: its pairs can be found by a pattern.
_PLAIN = r'^\{(?:"[A-Za-z_ ]+": ?"[^"\\]*"(?:, ?)?)*\}$'
_WHOLE = r"^-?[0-9]{1,17}$"
_HEX = r"^0x[0-9a-fA-F]{1,16}$"

I64 = npt.NDArray[np.int64]


class Words:
    """Distinct texts with running numbers."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def of(self, texts: pa.Array) -> npt.NDArray[np.int64]:
        """Numbers of many texts: each different one is looked up once."""
        coded = texts.dictionary_encode()
        known = np.array([self.number(text) for text in coded.dictionary.to_pylist()] or [0], np.int64)
        return np.asarray(known[np.asarray(coded.indices)])

    @property
    def texts(self) -> list[str]:
        return list(self.numbers)


@dataclass
class Rows:
    """MALLOC, FREE and ACCESS rows with a valid time, by time and ID: arrays of equal length.

    Attributes:
        event: row in memscope_event.
        kind: MALLOC, FREE or ACCESS.
        t: ns as recorded; device, type, owner, tags: numbers of words; address 0 where unknown.
        size, allocation_id, total, used, process_used, device_used: NONE where not told.
    """

    columns: dict[str, npt.NDArray[Any]]

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        try:
            return self.columns[name]
        except KeyError:
            raise AttributeError(name) from None

    def __len__(self) -> int:
        return len(self.columns["t"])

    def take(self, at: npt.NDArray[Any]) -> Rows:
        """Some rows, by mask or positions."""
        return Rows({name: values[at] for name, values in self.columns.items()})


_NARROW: dict[str, Any] = {"kind": np.uint8, "address": np.uint64}
_KEPT = (
    "event", "kind", "t", "id", "pid", "tid", "device", "type", "address", "owner", "tags", "stack_py", "stack_c", *_NUMBERS,
)  # fmt: skip


@dataclass
class Collector:
    """Takes batches and writes memscope_event.parquet.

    Args:
        folder: where the table goes.
        origin_ns: first valid time of the file; times in tables count from there.
    """

    folder: Path
    origin_ns: int
    devices: Words = field(default_factory=Words)
    types: Words = field(default_factory=Words)
    owners: Words = field(default_factory=Words)
    tags: Words = field(default_factory=Words)
    stacks: Words = field(default_factory=Words)
    quality: Counter[str] = field(default_factory=Counter)
    events: int = 0
    last_ns: int = 0

    def __post_init__(self) -> None:
        self._parts: dict[str, list[npt.NDArray[Any]]] = {name: [] for name in _KEPT}
        self._seen = 0
        texts = ["event", "type", "name", "device"]
        self._writer = pq.ParquetWriter(
            self.folder / "memscope_event.parquet",
            MEMSCOPE["memscope_event"].schema,
            compression="lz4",
            use_dictionary=texts,
        )

    def take(self, batch: Columns) -> None:
        """Add one batch of the reader."""
        t, is_good = _times(batch["ts"])
        first, self._seen = self._seen, self._seen + len(t)
        numbers = first + np.arange(len(t))
        if not is_good.all():
            self.quality["invalid_time"] += int((~is_good).sum())
            good = np.flatnonzero(is_good)
            batch = {key: _some(values, good) for key, values in batch.items()}
            t, numbers = t[good], numbers[good]
        if not len(t):
            return
        self.last_ns = max(self.last_ns, int(t.max()))
        texts = {key: _strings(batch[key]) for key in _TEXTS}
        found = self._columns(batch, texts, t, numbers)
        self._write(texts, found, t)
        mine = np.flatnonzero(found["kind"] != OTHER)
        found["event"] = self.events + np.arange(len(t))
        for name in _KEPT:
            self._parts[name].append(found[name][mine])
        self.events += len(t)

    def finish(self) -> Rows:
        """Close the table; all MALLOC, FREE and ACCESS rows by (time, ID), the order of the file where both are equal."""
        self._writer.close()
        columns = {
            name: np.concatenate(parts) if parts else np.empty(0, _NARROW.get(name, np.int64))
            for name, parts in self._parts.items()
        }
        self._parts.clear()
        order = np.lexsort((columns["id"], columns["t"]))
        return Rows({name: values[order] for name, values in columns.items()})

    def _columns(self, batch: Columns, texts: dict[str, pa.Array], t: I64, numbers: I64) -> dict[str, npt.NDArray[Any]]:
        count = len(t)
        events = pc.utf8_trim_whitespace(texts["event"])
        kinds = np.full(count, OTHER, np.uint8)
        for event, kind in _KINDS.items():
            kinds[np.asarray(pc.equal(events, event))] = kind
        out: dict[str, npt.NDArray[Any]] = {"t": t, "kind": kinds, "id": _wholes(batch["id"], numbers)}
        for name in ("pid", "tid"):
            out[name] = _wholes(batch[name], np.zeros(count, np.int64))
        out["device"] = self.devices.of(_known(texts["device"]))
        out["type"] = self.types.of(_known(texts["type"]))
        in_play = kinds != OTHER
        out["address"], out["has_address"] = _addresses(texts["ptr"])
        out["address"][~in_play] = 0
        out["has_address"] &= in_play
        for name in ("stack_py", "stack_c"):
            out[name] = self._stacks(_known(texts[name]))
        out.update(self._attributes(texts["attr"], kinds))
        return out

    def _attributes(self, texts: pa.Array, kinds: npt.NDArray[np.uint8]) -> dict[str, npt.NDArray[Any]]:
        """Numbers, owners and tags of the rows in play; plain objects are taken apart a column at a time."""
        count = len(texts)
        out: dict[str, npt.NDArray[Any]] = {name: np.full(count, NONE, np.int64) for name in _NUMBERS}
        out["owner"], out["tags"] = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
        is_plain = np.asarray(pc.match_substring_regex(texts, _PLAIN))
        plain = np.flatnonzero((kinds != OTHER) & is_plain)
        if len(plain):
            self._of_plain(texts.take(pa.array(plain)), plain, kinds[plain] == MALLOC, out)
        for i in np.flatnonzero((kinds != OTHER) & ~is_plain).tolist():
            found = attributes(texts[i].as_py())
            for name, key in _NUMBERS.items():
                number = whole(found.get(key))
                if number is not None and abs(number) < _BIGGEST:
                    out[name][i] = number
            if kinds[i] == MALLOC:
                out["owner"][i] = self._owner(found.get("owner", ""))
                out["tags"][i] = self._tag(found.get("inefficient_type") or found.get("inefficient") or "")
        for name in _NUMBERS:
            if name != "allocation_id":
                out[name][np.abs(out[name]) > _MOST_BYTES] = NONE
        return out

    def _of_plain(
        self, texts: pa.Array, at: I64, is_malloc: npt.NDArray[np.bool_], out: dict[str, npt.NDArray[Any]]
    ) -> None:
        pairs = _Pairs(texts)
        for name, key in _NUMBERS.items():
            values = pairs.values(key)
            if values is None:
                continue
            fits = np.asarray(pc.fill_null(pc.match_substring_regex(values, _WHOLE), False))
            numbers = pc.cast(pc.if_else(pa.array(fits), values, None), pa.int64())
            out[name][at] = np.where(fits, np.asarray(pc.fill_null(numbers, 0)), NONE)
            for i in np.flatnonzero(~fits & np.asarray(values.is_valid())).tolist():
                number = whole(values[i].as_py())
                if number is not None and abs(number) < _BIGGEST:
                    out[name][at[i]] = number
        for name, keys, take in (
            ("owner", ("owner",), self._owner),
            ("tags", ("inefficient_type", "inefficient"), self._tag),
        ):
            for key in reversed(keys):
                values = pairs.values(key)
                if values is None:
                    continue
                coded = pc.fill_null(values, "").dictionary_encode()
                known = np.array([take(text) for text in coded.dictionary.to_pylist()] or [-1], np.int64)
                numbers_of = np.where(is_malloc, known[np.asarray(coded.indices)], -1)
                out[name][at] = np.where(numbers_of >= 0, numbers_of, out[name][at])

    def _owner(self, path: str) -> int:
        return self.owners.number(self._cut(path)) if path and path not in _NO_TEXT else -1

    def _tag(self, kind: str) -> int:
        return self.tags.number(kind) if kind and kind not in _NO_TEXT else -1

    def _cut(self, path: str) -> str:
        levels = path.split("@")
        if len(levels) <= _DEPTH:
            return path
        self.quality["owner_too_deep"] += 1
        return "@".join(levels[:_DEPTH])

    def _stacks(self, texts: pa.Array) -> I64:
        is_none = np.asarray(pc.equal(texts, ""))
        out = np.full(len(texts), -1, np.int64)
        if not is_none.all():
            out[~is_none] = self.stacks.of(texts.filter(pa.array(~is_none)))
        return out

    def _write(self, texts: dict[str, pa.Array], found: dict[str, npt.NDArray[Any]], t: I64) -> None:
        size, device = found["size"], _known(texts["device"])
        columns: dict[str, Any] = {
            **texts,
            "id": found["id"],
            "type": _known(texts["type"]),
            "name": pc.replace_substring_regex(_known(texts["name"]), '^"(.*)"$', r"\1"),
            "t_ns": t - self.origin_ns,
            "pid": found["pid"],
            "tid": found["tid"],
            "device": pc.if_else(pc.equal(device, ""), "N/A", device),
            "address": pa.array(found["address"], mask=~found["has_address"]),
            "size_bytes": pa.array(np.abs(size), mask=size == NONE),
            "stack_py": found["stack_py"].astype(np.int32),
            "stack_c": found["stack_c"].astype(np.int32),
        }
        schema = MEMSCOPE["memscope_event"].schema
        arrays = [
            columns[f.name] if isinstance(columns[f.name], pa.Array) else pa.array(columns[f.name], f.type)
            for f in schema
        ]
        self._writer.write_table(pa.table(arrays, schema=schema), 256 * 1024)


class _Pairs:
    """Keys and values of plain objects: nothing is escaped, so that four quotes in a row are those of a pair."""

    def __init__(self, texts: pa.Array) -> None:
        offsets = np.frombuffer(texts.buffers()[1], np.int32)[texts.offset :][: len(texts) + 1]
        self._count = len(texts)
        self._bytes = np.frombuffer(texts.buffers()[2] or b"", np.uint8)[: offsets[-1]]
        quotes = np.flatnonzero(self._bytes[offsets[0] :] == ord('"')) + offsets[0]
        self._key, key_end, self._value, self._value_end = quotes.reshape(-1, 4).T
        self._row = np.searchsorted(offsets, self._key, "right") - 1
        self._key_length = key_end - self._key - 1

    def values(self, key: str) -> pa.Array | None:
        """Values of a key, null where it is not there, the first where it is there twice; None when no object has it."""
        word = key.encode()
        mine = np.flatnonzero(self._key_length == len(word))
        for i, byte in enumerate(word, 1):
            mine = mine[self._bytes[self._key[mine] + i] == byte]
        if not len(mine):
            return None
        mine = mine[np.diff(self._row[mine], prepend=-1) != 0]
        row, start = self._row[mine], self._value[mine] + 1
        lengths = np.zeros(self._count, np.int64)
        lengths[row] = self._value_end[mine] - start
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        taken = np.arange(offsets[-1]) + np.repeat(start - offsets[row], lengths[row])
        is_there = np.zeros(self._count, np.bool_)
        is_there[row] = True
        return pa.StringArray.from_buffers(
            self._count, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(self._bytes[taken]),
            pa.py_buffer(np.packbits(is_there, bitorder="little")),
        )  # fmt: skip


def _some(values: Sequence[Any] | pa.Array, at: I64) -> Sequence[Any] | pa.Array:
    return values.take(pa.array(at)) if isinstance(values, pa.Array) else [values[i] for i in at.tolist()]


def _listed(values: Sequence[Any] | pa.Array) -> Sequence[Any]:
    return values.to_pylist() if isinstance(values, pa.Array) else values


def _addresses(texts: pa.Array) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
    """Addresses, 0 where there is none, and where there is one; all `0x…` at once, each different other text once."""
    has = np.array(pc.match_substring_regex(texts, _HEX))
    out = np.zeros(len(texts), np.uint64)
    out[has] = _hexadecimal(texts.filter(pa.array(has)))
    others = np.flatnonzero(~has)
    coded = texts.take(pa.array(others)).dictionary_encode()
    known = [address(text) for text in coded.dictionary.to_pylist()] or [None]
    at = np.asarray(coded.indices)
    out[others] = np.array([k or 0 for k in known], np.uint64)[at]
    has[others] = np.array([k is not None for k in known], np.bool_)[at]
    return out, has


def _hexadecimal(texts: pa.Array) -> npt.NDArray[np.uint64]:
    """Numbers of texts that fit _HEX."""
    digits = pc.ascii_lpad(pc.utf8_slice_codeunits(texts, 2), 16, "0")
    bytes_of = digits.cast(pa.binary()).cast(pa.binary(16)).buffers()[1]
    joined = np.frombuffer(bytes_of, np.uint8, 16 * len(texts)).reshape(-1, 16)
    nibbles = (joined & 15) + np.where(joined > 57, 9, 0).astype(np.uint8)
    return ((nibbles[:, ::2] << 4 | nibbles[:, 1::2]).copy().view(">u8").reshape(-1)).astype(np.uint64)


def _times(values: Sequence[Any] | pa.Array) -> tuple[I64, npt.NDArray[np.bool_]]:
    """Times, and which of them can be one."""
    plain = _plain(values)
    if plain is not None:
        return plain, (plain > 0) & (plain < _LATEST)
    found = [nanoseconds(value) for value in _listed(values)]
    return np.array([f or 0 for f in found], np.int64), np.array([f is not None for f in found], np.bool_)


def _wholes(values: Sequence[Any] | pa.Array, otherwise: I64) -> I64:
    """Whole numbers; other cells give what stands at their place in `otherwise`."""
    plain = _plain(values)
    if plain is not None:
        return plain
    found = [whole(value) for value in _listed(values)]
    return np.array(
        [_fits(f if f is not None else o) for f, o in zip(found, otherwise.tolist(), strict=True)], np.int64
    )


def _plain(values: Sequence[Any] | pa.Array) -> I64 | None:
    """The values when all are integers of 64 bits."""
    try:
        found = values if isinstance(values, pa.Array) else pa.array(values)
    except (pa.ArrowException, OverflowError):
        return None
    return found.to_numpy() if found.type == pa.int64() and not found.null_count else None


def _strings(values: Sequence[Any] | pa.Array) -> pa.Array:
    """Cells as texts, empty for null."""
    if isinstance(values, pa.Array):
        return pc.fill_null(values.cast(pa.string()), "")
    try:
        found = pa.array(values, pa.string())
    except (pa.ArrowException, TypeError):
        found = pa.array(["" if v is None else v if isinstance(v, str) else str(v) for v in values], pa.string())
    return pc.fill_null(found, "")


def _known(texts: pa.Array) -> pa.Array:
    """Texts, empty where they say that there is none."""
    return pc.if_else(pc.is_in(texts, value_set=pa.array(_NO_TEXT)), "", texts)


def _fits(number: int) -> int:
    return min(max(number, -(2**62)), 2**62)
