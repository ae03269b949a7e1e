"""Attributes of events: from the details of slices to columns.

Details are JSON objects. Where all of one kind of event look alike, pyarrow parses them in bulk; anything unusual
(NaN, other types, text forms of lists) is read one by one. Both ways give the same columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj
import zstandard

from insight_desktop.engine.capture import ARGS_BLOCK, Capture
from insight_desktop.ingest.formats.service_json import object_of
from insight_desktop.ingest.formats.service_rids import RequestNames, canonical
from insight_desktop.ingest.formats.service_values import items_of, number

Array = npt.NDArray[Any]

NUMBERS = ("QueueSize=", "recvTokenSize=", "replyTokenSize=", "hitRate=")
TEXTS = (
    "scope#QueueName", "status", "batch_type", "batchType", "endFlag", "stream", "dp_rank", "dp", "rank", "block_tables",
)  # fmt: skip
ITEM_NUMBERS = (
    "iter", "type", "num_scheduled_tokens", "num_prompt_tokens", "num_computed_tokens",
    "num_spec_output_tokens", "num_spec_accepted_tokens",
)  # fmt: skip
_BULK_ROWS = 2000  # fewer are read one by one
_SAMPLE = 48
_CHUNK = 200_000
_MOST = 2**31 - 1


class Requests:
    """Names of requests and their codes."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._codes: dict[str, int] = {}

    def code(self, rid: str) -> int:
        """The code of a name."""
        found = self._codes.get(rid)
        if found is None:
            found = self._codes[rid] = len(self.names)
            self.names.append(rid)
        return found

    def joined(self, first: Sequence[int]) -> Array:
        """The code of the first name of every request, by the code of a name; `first` are codes of first names."""
        known = RequestNames(self.names[code] for code in first)
        found = [self.code(known.canonical(name)) for name in list(self.names)]
        return np.array(found, np.int32)


@dataclass
class Attributes:
    """Columns of some events.

    Attributes:
        numbers: by key, NaN where there is none.
        texts: by key, None where there is none.
        event: position of the event that lists each request.
        request: code of each listed request.
        items: numbers of the listed requests by key of ITEM_NUMBERS, NaN where not told.
        bad: events whose details are no JSON.
    """

    numbers: dict[str, Array]
    texts: dict[str, Array]
    event: Array
    request: Array
    items: dict[str, Array]
    bad: int = 0


class Details:
    """The details of a capture's slices and instants as bytes."""

    def __init__(self, capture: Capture) -> None:
        mode = capture.manifest.args.get("mode")
        self._files: list[tuple[int, memoryview]] = []
        self._whole: memoryview | None = None
        if mode == "file":
            at = 0
            for file in capture.manifest.source["files"]:
                path = Path(file["path"])
                size = path.stat().st_size
                if size:
                    self._files.append((at, np.memmap(path, np.uint8, "r").data))
                at += size
        elif mode == "blocks":
            self._whole = memoryview(_unpacked(capture))

    def texts(self, at: Array, length: Array) -> list[bytes]:
        """The details at these places; empty where there are none."""
        out = []
        for begin, count in zip(at.tolist(), length.tolist(), strict=True):
            if begin < 0 or count <= 0:
                out.append(b"")
            elif self._whole is not None:
                out.append(bytes(self._whole[begin : begin + count]))
            else:
                out.append(self._of_files(begin, count))
        return out

    def _of_files(self, begin: int, count: int) -> bytes:
        for at, view in reversed(self._files):
            if begin >= at:
                return bytes(view[begin - at : begin - at + count])
        return b""


def _unpacked(capture: Capture) -> bytes:
    ends = capture.args_block
    packed = (capture.folder / "args.zst").read_bytes() if len(ends) else b""
    reader = zstandard.ZstdDecompressor()
    return b"".join(reader.decompress(packed[int(a) : int(b)], max_output_size=ARGS_BLOCK) for a, b in pairwise(ends))


def attributes(texts: list[bytes], requests: Requests, *, bulk: bool | None = None) -> Attributes:
    """Columns from the details of events of one kind.

    Args:
        texts: JSON objects.
        requests: gives codes to the names.
        bulk: parse all at once where that is possible; by their number when None.
    """
    found = _all(texts, requests, bulk)
    for values in (*found.numbers.values(), *found.items.values()):
        values[~(np.abs(values) < _MOST)] = np.nan  # no count of anything; NaN stays NaN
    return found


def _all(texts: list[bytes], requests: Requests, bulk: bool | None) -> Attributes:
    parts = []
    for begin in range(0, len(texts), _CHUNK):
        chunk = texts[begin : begin + _CHUNK]
        found = None
        if bulk or (bulk is None and len(chunk) >= _BULK_ROWS):
            found = _in_bulk(chunk, requests)
        parts.append(found or _one_by_one(chunk, requests))
    if not parts:
        return _one_by_one([], requests)
    if len(parts) == 1:
        return parts[0]
    offsets = np.arange(len(parts)) * _CHUNK
    return Attributes(
        {key: np.concatenate([p.numbers[key] for p in parts]) for key in NUMBERS},
        {key: np.concatenate([p.texts[key] for p in parts]) for key in TEXTS},
        np.concatenate([p.event + o for p, o in zip(parts, offsets, strict=True)]),
        np.concatenate([p.request for p in parts]),
        {key: np.concatenate([p.items[key] for p in parts]) for key in ITEM_NUMBERS},
        sum(p.bad for p in parts),
    )


# ---- one by one


@dataclass
class _Rows:
    event: list[int] = field(default_factory=list)
    request: list[int] = field(default_factory=list)
    items: list[tuple[float | None, ...]] = field(default_factory=list)


def _one_by_one(texts: list[bytes], requests: Requests) -> Attributes:
    numbers = {key: np.full(len(texts), np.nan) for key in NUMBERS}
    words: dict[str, Array] = {key: np.full(len(texts), None, object) for key in TEXTS}
    rows, bad = _Rows(), 0
    for i, text in enumerate(texts):
        found = _parsed(text)
        if found is None:
            bad += bool(text)
            continue
        for key in NUMBERS:
            if key in found:
                value = number(found[key])
                numbers[key][i] = np.nan if value is None else value
        for key in TEXTS:
            if found.get(key) is not None:
                words[key][i] = _word(found[key])
        for item in items_of(found.get("res_list", found.get("rid"))):
            rows.event.append(i)
            rows.request.append(requests.code(item.rid))
            rows.items.append(
                (item.iteration, item.kind, item.scheduled, item.prompt, item.computed, item.spec, item.accepted)
            )
    table = np.array(rows.items, np.float64).reshape(len(rows.items), len(ITEM_NUMBERS))
    return Attributes(
        numbers, words, np.array(rows.event, np.int64), np.array(rows.request, np.int32),
        {key: table[:, i].copy() for i, key in enumerate(ITEM_NUMBERS)}, bad,
    )  # fmt: skip


def _parsed(text: bytes) -> dict[str, Any] | None:
    return object_of(text) if text else None


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else orjson.dumps(value).decode() if isinstance(value, list | dict) else str(value)  # fmt: skip


# ---- in bulk


def _in_bulk(texts: list[bytes], requests: Requests) -> Attributes | None:
    """As `_one_by_one`; None when the events do not look alike."""
    shapes = np.array([_shape(text) for text in texts], np.int8)
    if (shapes < 0).any():
        return None
    numbers = {key: np.full(len(texts), np.nan) for key in NUMBERS}
    words: dict[str, Array] = {key: np.full(len(texts), None, object) for key in TEXTS}
    found: list[tuple[Array, Array, dict[str, Array]]] = []
    for shape in np.unique(shapes):
        place = np.flatnonzero(shapes == shape)
        chosen = [texts[i] for i in place.tolist()]
        table = _table(chosen, int(shape))
        if table is None:
            return None
        for key in NUMBERS:
            numbers[key][place] = np.asarray(table[key].to_numpy(zero_copy_only=False), np.float64)
        for key in TEXTS:
            words[key][place] = _texts(table[key])
        part = _items(table, int(shape), requests)
        if part is None:
            return None
        found.append((place[part[0]], part[1], part[2]))
    event = np.concatenate([part[0] for part in found])
    order = np.argsort(event, kind="stable")
    return Attributes(
        numbers, words, event[order], np.concatenate([part[1] for part in found])[order],
        {key: np.concatenate([part[2][key] for part in found])[order] for key in ITEM_NUMBERS},
    )  # fmt: skip


_KEYS = (b'"res_list":', b'"rid":')
_NONE, _TEXT, _NAMES, _OBJECTS = range(4)
_OTHER_KEY = 4  # added where the second key lists them


def _shape(text: bytes) -> int:
    """How an event lists its requests: not at all, a text, a list of texts, a list of objects; -1 in another way."""
    at = text.find(_KEYS[0])
    key = _KEYS[0]
    if at < 0:
        at, key = text.find(_KEYS[1]), _KEYS[1]
        if at < 0:
            return _NONE
    other = 0 if key == _KEYS[0] else _OTHER_KEY
    head = text[at + len(key) : at + len(key) + 4].replace(b" ", b"")
    if head.startswith(b'"'):
        return -1 if len(head) > 1 and head[1:2] in b"[{" else _TEXT + other
    if head.startswith(b"[{"):
        return _OBJECTS + other
    return _NAMES + other if head.startswith(b'["') else -1


def _table(texts: list[bytes], shape: int) -> pa.Table | None:
    samples = [_parsed(text) for text in texts[:: max(1, len(texts) // _SAMPLE)]]
    fields = []
    for key in (*NUMBERS, *TEXTS):
        kinds = {type(s[key]) for s in samples if s is not None and s.get(key) is not None}
        if kinds <= {int, float}:
            fields.append(pa.field(key, pa.float64() if key in NUMBERS or kinds else pa.string()))
        elif kinds == {str}:
            fields.append(pa.field(key, pa.string()))
        elif kinds == {bool}:
            fields.append(pa.field(key, pa.bool_()))
        else:
            return None
    name, shape = ("rid" if shape >= _OTHER_KEY else "res_list"), shape % _OTHER_KEY
    if shape == _TEXT:
        fields.append(pa.field(name, pa.string()))
    elif shape == _NAMES:
        fields.append(pa.field(name, pa.list_(pa.string())))
    elif shape == _OBJECTS:
        entry = pa.struct([("rid", pa.string()), *((key, pa.float64()) for key in ITEM_NUMBERS)])
        fields.append(pa.field(name, pa.list_(entry)))
    joined = b"\n".join(texts)
    if joined.count(b"\n") != len(texts) - 1:
        return None
    try:
        table = pj.read_json(
            pa.BufferReader(joined),
            pj.ReadOptions(block_size=16 << 20),
            pj.ParseOptions(explicit_schema=pa.schema(fields), unexpected_field_behavior="ignore"),
        )
    except pa.ArrowInvalid:
        return None
    if table.num_rows != len(texts):
        return None
    if name == "rid":
        table = table.rename_columns(["res_list" if c == "rid" else c for c in table.column_names])
    for key in NUMBERS:
        column = table[key]
        if pa.types.is_string(column.type):
            try:
                column = pc.cast(column, pa.float64())
            except pa.ArrowInvalid:
                return None
            table = table.set_column(table.column_names.index(key), key, column)
        elif pa.types.is_boolean(column.type):
            return None
    return table


def _texts(column: pa.ChunkedArray) -> Array:
    """Texts as `_word` writes them; None for nothing."""
    coded = column.combine_chunks().dictionary_encode()
    values = [None if v is None else _word(int(v) if isinstance(v, float) and v == int(v) else v) for v in coded.dictionary.to_pylist()]  # fmt: skip
    table = np.array([*values, None], object)
    indices = pc.fill_null(coded.indices, len(values)).to_numpy(zero_copy_only=False)
    return np.asarray(table[indices], object)


def _items(table: pa.Table, shape: int, requests: Requests) -> tuple[Array, Array, dict[str, Array]] | None:
    nothing, shape = np.empty(0, np.int64), shape % _OTHER_KEY
    if shape == _NONE:
        return nothing, nothing.astype(np.int32), {key: np.empty(0) for key in ITEM_NUMBERS}
    column = table["res_list"].combine_chunks()
    if shape == _TEXT:
        event, names, entries = np.arange(len(column)), column, None
    else:
        lengths = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
        event = np.repeat(np.arange(len(column)), lengths)
        flat = column.flatten()
        names, entries = (flat, None) if shape == _NAMES else (flat.field("rid"), flat)
    coded = names.dictionary_encode()
    words = coded.dictionary.to_pylist()
    if any(w is None or "," in w or not w.strip() or w.startswith(("[", "{")) or w.lower() == "nan" for w in words):
        return None
    if coded.null_count:
        return None
    codes = np.array([requests.code(canonical(w.strip())) for w in words] or [0], np.int32)
    request = codes[coded.indices.to_numpy()]
    numbers = {}
    for key in ITEM_NUMBERS:
        values = None if entries is None else entries.field(key)
        numbers[key] = (
            np.full(len(event), np.nan)
            if values is None
            else np.asarray(values.to_numpy(zero_copy_only=False), np.float64)
        )
    return event, request, numbers
