"""Large files of a finished analysis, one communication group at a time: parsed as a whole they take many times their size."""

from __future__ import annotations

import itertools
import json
import mmap
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats.cluster_rank import Rows, items, load_json, table
from insight_desktop.ingest.open_files import decode_text

SMALL_BYTES = 16 << 20  # below that a file is parsed at once
CHUNK_ROWS = 100_000
# Keys of the outermost object: `(0, 1)`, `(2,)`, and `p2p` of older exports. Nothing inside has such a key with an object behind it.
_KEY = re.compile(rb'"(?:\(\s*\d+(?:\s*,\s*\d+)*\s*,?\s*\)|p2p)"\s*:\s*(?=\{)')


def entries(path: Path, *, small: int = SMALL_BYTES) -> Iterator[tuple[str, Any]]:
    """Entries of the outermost object of a JSON file, in order.

    Args:
        path: `cluster_communication.json` or its matrix.
        small: size up to which the file is parsed at once.

    Raises ValueError for a file that is no JSON.
    """
    if path.stat().st_size <= small:
        yield from items(load_json(path))
        return
    done = 0
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as raw:
        starts = [match.start() for match in _KEY.finditer(raw)]
        for begin, end in itertools.pairwise([*starts, len(raw)]):
            found = _parsed(raw[begin:end], is_last=end == len(raw))
            if found is None:  # split at a wrong place: the rest of the file is taken as a whole
                starts = []
                break
            yield from found.items()
            done += len(found)
    if not starts:
        yield from list(items(load_json(path)))[done:]


def _parsed(piece: bytes, *, is_last: bool) -> Mapping[str, Any] | None:
    """The entry of a piece that begins with its key; None when it is no whole entry."""
    text = piece.rstrip()
    whole = b"{" + (text if is_last else text.removesuffix(b",") + b"}")
    try:
        found = orjson.loads(whole)
    except orjson.JSONDecodeError:
        try:
            found = json.loads(decode_text(whole))  # NaN and Infinity, which are no JSON, are accepted
        except ValueError:
            return None
    return found if isinstance(found, dict) and len(found) == 1 else None


class Growing:
    """Tables that grow by rows; rows become Arrow while they come, because as Python objects they take far more memory."""

    def __init__(self, *names: str) -> None:
        self.rows: dict[str, Rows] = {name: [] for name in names}
        self._parts: dict[str, list[pa.Table]] = {name: [] for name in names}

    def settle(self, *, least: int = CHUNK_ROWS) -> None:
        """Turn lists of at least so many rows into Arrow."""
        for name, rows in self.rows.items():
            if len(rows) >= least:
                self._parts[name].append(table(schema.CLUSTER[name], rows))
                rows.clear()

    def tables(self) -> dict[str, pa.Table]:
        """Everything."""
        self.settle(least=1)
        return {
            name: pa.concat_tables(parts) if parts else schema.CLUSTER[name].schema.empty_table()
            for name, parts in self._parts.items()
        }
