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
# column of Memory → key in Attr
_NUMBERS = {
    "size": "size", "allocation_id": "allocation_id", "total": "total", "used": "used", "process_used": "process_used",
    "device_used": "device_used",
}  # fmt: skip

I64 = npt.NDArray[np.int64]


class Words:
    """Distinct texts with running numbers."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

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
        stamps = [nanoseconds(value) for value in batch["ts"]]
        good = [i for i, stamp in enumerate(stamps) if stamp is not None]
        self.quality["invalid_time"] += len(stamps) - len(good)
        first, self._seen = self._seen, self._seen + len(stamps)
        if len(good) < len(stamps):
            batch = {key: [values[i] for i in good] for key, values in batch.items()}
        if not good:
            return
        t = np.array([stamps[i] for i in good], np.int64)
        self.last_ns = max(self.last_ns, int(t.max()))
        found = self._columns(batch, t, [first + i for i in good])
        self._write(batch, found, t)
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

    def _columns(self, batch: Columns, t: I64, numbers: list[int]) -> dict[str, npt.NDArray[Any]]:
        count = len(t)
        kinds = np.array([_KINDS.get(str(e).strip(), OTHER) for e in batch["event"]], np.uint8)
        out: dict[str, npt.NDArray[Any]] = {"t": t, "kind": kinds}
        ids = [whole(value) for value in batch["id"]]
        out["id"] = np.array([_fits(n if n is not None else numbers[i]) for i, n in enumerate(ids)], np.int64)
        for name in ("pid", "tid"):
            out[name] = np.array([_fits(whole(value) or 0) for value in batch[name]], np.int64)
        out["device"] = np.array([self.devices.number(_text(v)) for v in batch["device"]], np.int64)
        out["type"] = np.array([self.types.number(_text(v)) for v in batch["type"]], np.int64)
        found = [address(v) for v in batch["ptr"]]
        out["address"] = np.array([a or 0 for a in found], np.uint64)
        out["has_address"] = np.array([a is not None for a in found], np.bool_)
        for name in ("stack_py", "stack_c"):
            out[name] = np.array([self._stack(v) for v in batch[name]], np.int64)
        out.update(self._attributes(batch["attr"], kinds, count))
        return out

    def _attributes(
        self, texts: Sequence[Any], kinds: npt.NDArray[np.uint8], count: int
    ) -> dict[str, npt.NDArray[Any]]:
        out: dict[str, npt.NDArray[Any]] = {name: np.full(count, NONE, np.int64) for name in _NUMBERS}
        owner, tags = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
        for i in np.flatnonzero(kinds != OTHER).tolist():
            found = attributes(_text(texts[i], keep=True))
            for name, key in _NUMBERS.items():
                number = whole(found.get(key))
                if number is not None and abs(number) < _BIGGEST:
                    out[name][i] = number
            if kinds[i] != MALLOC:
                continue
            path = found.get("owner", "")
            if path and path not in _NO_TEXT:
                owner[i] = self.owners.number(self._cut(path))
            kind = found.get("inefficient_type") or found.get("inefficient") or ""
            if kind and kind not in _NO_TEXT:
                tags[i] = self.tags.number(kind)
        return {**out, "owner": owner, "tags": tags}

    def _cut(self, path: str) -> str:
        levels = path.split("@")
        if len(levels) <= _DEPTH:
            return path
        self.quality["owner_too_deep"] += 1
        return "@".join(levels[:_DEPTH])

    def _stack(self, value: Any) -> int:
        text = _text(value)
        return self.stacks.number(text) if text else -1

    def _write(self, batch: Columns, found: dict[str, npt.NDArray[Any]], t: I64) -> None:
        size = found["size"]
        columns: dict[str, Any] = {
            "id": found["id"],
            "event": [str(v or "") for v in batch["event"]],
            "type": [_text(v) for v in batch["type"]],
            "name": [_text(v).removeprefix('"').removesuffix('"') for v in batch["name"]],
            "t_ns": t - self.origin_ns,
            "pid": found["pid"],
            "tid": found["tid"],
            "device": [_text(v) or "N/A" for v in batch["device"]],
            "ptr": [str(v) if v is not None else "" for v in batch["ptr"]],
            "address": pa.array(found["address"], mask=~found["has_address"]),
            "size_bytes": pa.array(np.abs(size), mask=size == NONE),
            "attr": [_text(v, keep=True) for v in batch["attr"]],
            "stack_py": found["stack_py"].astype(np.int32),
            "stack_c": found["stack_c"].astype(np.int32),
        }
        schema = MEMSCOPE["memscope_event"].schema
        arrays = [
            pa.array(columns[f.name], f.type) if not isinstance(columns[f.name], pa.Array) else columns[f.name]
            for f in schema
        ]
        self._writer.write_table(pa.table(arrays, schema=schema), 256 * 1024)


def _text(value: Any, *, keep: bool = False) -> str:
    """A cell as text; N/A is empty unless it is kept."""
    text = "" if value is None else value if isinstance(value, str) else str(value)
    return text if keep or text not in _NO_TEXT else ""


def _fits(number: int) -> int:
    return min(max(number, -(2**62)), 2**62)
