"""Numbers for names, tracks and series of a profiler database, looked up for whole columns at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.ingest.formats.profiler_db_tables import NULL, Database, Ints
from insight_desktop.ingest.open_files import decode_text

Numbers = npt.NDArray[np.int32]
NO_NAME = "(no name)"
_MAX_GAP = 1 << 20  # ids further apart than this get lookup arrays of their own
_PIECE_ROWS = 256 * 1024


class IdMap:
    """Maps int64 keys to the position of their first appearance; -1 for unknown keys.

    Ids of these databases come in a few dense ranges, which are looked up in arrays; anything else is searched.
    """

    def __init__(self, keys: Ints) -> None:
        order = np.argsort(keys, kind="stable") if len(keys) and (np.diff(keys) < 0).any() else np.arange(len(keys))
        sorted_keys = keys[order]
        first = np.ones(len(keys), bool)
        first[1:] = sorted_keys[1:] != sorted_keys[:-1]
        self._keys, self._positions = sorted_keys[first], order[first]
        self._segments: list[tuple[int, Numbers]] = []
        self._count = len(self._keys)
        self._dense = self._build_segments()
        if self._dense:
            self._keys = self._positions = np.empty(0, np.int64)

    def _build_segments(self) -> bool:
        keys = self._keys
        if not len(keys):
            return True
        cuts = np.flatnonzero(keys[1:].astype(np.float64) - keys[:-1].astype(np.float64) > _MAX_GAP) + 1
        bounds = [0, *cuts.tolist(), len(keys)]
        if len(bounds) > 10:
            return False
        spans = [int(keys[b - 1]) - int(keys[a]) + 1 for a, b in pairwise(bounds)]
        if sum(spans) > 16 * len(keys) + 4 * _MAX_GAP:
            return False
        for (a, b), span in zip(pairwise(bounds), spans, strict=True):
            table = np.full(span, -1, np.int32)
            table[keys[a:b] - keys[a]] = self._positions[a:b]
            self._segments.append((int(keys[a]), table))
        return True

    def __len__(self) -> int:
        return self._count

    def get(self, keys: Ints) -> Numbers:
        """Position of each key, -1 where it is unknown."""
        out = np.full(len(keys), -1, np.int32)
        if not len(keys) or not self._count:
            return out
        if not self._dense:
            at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            hit = self._keys[at] == keys
            out[hit] = self._positions[at[hit]]
            return out
        low, high = int(keys.min()), int(keys.max())
        for base, table in self._segments:
            if base <= low and high < base + len(table):
                return table[keys - base]
            if high < base or low >= base + len(table):
                continue
            inside = (keys >= base) & (keys < base + len(table))
            out[inside] = table[keys[inside] - base]
        return out


class Codes:
    """Gives out running numbers for int64 values when they first appear; meant for few distinct values."""

    def __init__(self) -> None:
        self._keys = np.empty(0, np.int64)
        self._codes = np.empty(0, np.int64)

    def of(self, values: Ints) -> Ints:
        """The code of each value; new values get the next codes."""
        if not len(values):
            return np.empty(0, np.int64)
        same = bool((values == values[0]).all())
        wanted = values[:1] if same else values
        at = self._find(wanted)
        for step in (len(wanted) // 1000 + 1, 1):  # a sample knows nearly all values, the rest is few
            fresh = wanted[::step][at[::step] < 0]
            if len(fresh):
                self._learn(np.unique(fresh))
                at = self._find(wanted)
        codes = self._codes[at]
        return np.full(len(values), codes[0], np.int64) if same else codes

    def _find(self, values: Ints) -> Ints:
        """Positions in the sorted keys, -1 for unknown values."""
        if not len(self._keys):
            return np.full(len(values), -1, np.int64)
        at = np.minimum(np.searchsorted(self._keys, values), len(self._keys) - 1)
        return np.where(self._keys[at] == values, at, -1)

    def _learn(self, fresh: Ints) -> None:
        keys = np.concatenate([self._keys, fresh])
        codes = np.concatenate([self._codes, np.arange(len(self._keys), len(keys))])
        order = np.argsort(keys, kind="stable")
        self._keys, self._codes = keys[order], codes[order]


class Keys:
    """Numbers for things that are named by some int64 columns together: one `make` call for each new combination."""

    def __init__(self, make: Callable[..., int], width: int) -> None:
        self._make = make
        self._columns = [Codes() for _ in range(width)]
        self._pairs = [Codes() for _ in range(width - 1)]
        self._numbers = np.empty(0, np.int32)

    def of(self, *columns: Ints) -> Numbers:
        """The number of each row's combination."""
        if not len(columns[0]):
            return np.empty(0, np.int32)
        parts = [codes.of(column) for codes, column in zip(self._columns, columns, strict=True)]
        key = parts[0]
        for codes, part in zip(self._pairs, parts[1:], strict=True):
            key = codes.of(key * (1 << 31) + part)
        highest = int(key.max())
        if highest >= len(self._numbers):
            grown = np.full(2 * highest + 8, -1, np.int32)
            grown[: len(self._numbers)] = self._numbers
            self._numbers = grown
        numbers = self._numbers[key]
        fresh = np.flatnonzero(numbers < 0)
        if len(fresh):
            new, first = np.unique(key[fresh], return_index=True)
            for code, row in zip(new.tolist(), fresh[first].tolist(), strict=True):
                self._numbers[code] = self._make(*(int(column[row]) for column in columns))
            numbers = self._numbers[key]
        return numbers


class Names:
    """Interned names: ids of STRING_IDS and texts of our own get running numbers when first used."""

    def __init__(self, database: Database) -> None:
        ids, values = [np.empty(0, np.int64)], []
        for batch in database.texts():
            ids.append(np.asarray(batch.column(0)))
            values.append(batch.column(1).cast(pa.large_binary()))
        encoded = pa.chunked_array(values, pa.large_binary()).dictionary_encode().combine_chunks() if values else None
        if isinstance(encoded, pa.ChunkedArray):
            encoded = encoded.chunk(0)
        self._texts = encoded.dictionary if encoded is not None else pa.array([], pa.large_binary())
        self._codes = np.asarray(encoded.indices) if encoded is not None else np.empty(0, np.int32)
        self._map = IdMap(np.concatenate(ids))
        self._extra: list[str] = []
        self._text_code: dict[str, int] = {}
        self._number = np.full(len(self._texts), -1, np.int32)
        self._used: list[Ints] = []
        self._count = 0

    def numbers(self, ids: Ints) -> Numbers:
        """Running number of the name of each id; an unknown id is named by itself, NULL by `(no name)`."""
        at = self._map.get(ids)
        codes = np.full(len(ids), -1, np.int64)
        known = at >= 0
        codes[known] = self._codes[at[known]]
        if not known.all():
            missing, inverse = np.unique(ids[~known], return_inverse=True)
            texts = [NO_NAME if i == NULL else str(i) for i in missing.tolist()]
            codes[~known] = self._text_codes(texts)[inverse]
        return self._number_codes(codes)

    def number(self, text: str) -> int:
        """Running number of a text of our own."""
        return int(self._number_codes(self._text_codes([text]))[0])

    def text(self, string_id: int) -> str | None:
        """The text of an id of STRING_IDS; None when it is unknown."""
        at = int(self._map.get(np.array([string_id], np.int64))[0])
        return decode_text(self._texts[int(self._codes[at])].as_py()) if at >= 0 else None

    def label(self, string_id: int) -> str:
        """As `text`; the bare number for an unknown id."""
        text = self.text(string_id)
        return str(string_id) if text is None else text

    def ids_that_begin(self, prefix: str) -> Callable[[Ints], npt.NDArray[np.bool_]]:
        """A test for columns of ids: does the name begin with the prefix."""
        begins = np.zeros(len(self._texts), bool)
        if len(self._texts):
            begins = np.asarray(pc.starts_with(self._texts, pattern=prefix.encode()), dtype=bool)

        def test(ids: Ints) -> npt.NDArray[np.bool_]:
            at = self._map.get(ids)
            out = np.zeros(len(ids), bool)
            out[at >= 0] = begins[self._codes[at[at >= 0]]]
            return out

        return test

    def _text_codes(self, texts: list[str]) -> Ints:
        """Codes of texts of our own; a text that STRING_IDS holds too has the code that it has there."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._text_code]
        if fresh:
            stored = pc.index_in(pa.array([text.encode() for text in fresh], pa.large_binary()), value_set=self._texts)
            for text, at in zip(fresh, stored.to_pylist(), strict=True):
                if at is None:
                    at = len(self._texts) + len(self._extra)
                    self._extra.append(text)
                self._text_code[text] = at
        return np.array([self._text_code[text] for text in texts], np.int64)

    def _number_codes(self, codes: Ints) -> Numbers:
        size = len(self._texts) + len(self._extra)
        if size > len(self._number):
            grown = np.full(max(size, 2 * len(self._number)), -1, np.int32)
            grown[: len(self._number)] = self._number
            self._number = grown
        numbers = self._number[codes]
        fresh = numbers < 0
        if fresh.any():
            seen = np.zeros(len(self._number), bool)
            seen[codes[fresh]] = True
            new = np.flatnonzero(seen)
            self._number[new] = np.arange(self._count, self._count + len(new))
            self._count += len(new)
            self._used.append(new)
            numbers = self._number[codes]
        return numbers

    def batches(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The `string` table: used names only, in the order of their numbers."""
        used = np.concatenate(self._used) if self._used else np.empty(0, np.int64)
        for at in range(0, len(used), _PIECE_ROWS):
            piece = used[at : at + _PIECE_ROWS]
            stored = piece < len(self._texts)
            values = _decode(self._texts.take(pa.array(piece[stored])))
            if not stored.all():
                texts = iter(values.to_pylist())
                values = pa.array(
                    [next(texts) if s else self._extra[c - len(self._texts)] for c, s in zip(piece.tolist(), stored.tolist(), strict=True)],
                    pa.large_string(),
                )  # fmt: skip
            yield "string", pa.record_batch([values], schema=schema.STREAM["string"].schema)


def _decode(values: pa.Array) -> pa.Array:
    try:
        return values.cast(pa.large_string())
    except pa.ArrowInvalid:
        return pa.array([decode_text(value) for value in values.to_pylist()], pa.large_string())


class Registry:
    """Rows of the `track` or `series` table, numbered when first asked for; their texts may be completed at the end."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self._number: dict[Hashable, int] = {}

    def number(self, key: Hashable, **columns: Any) -> int:
        """The number of the row with this key; made from `columns` when it is new."""
        found = self._number.get(key)
        if found is None:
            found = self._number[key] = len(self.rows)
            self.rows.append(columns)
        return found
