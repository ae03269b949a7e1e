"""Cache records of a capture; large blocks of them are read when they are first asked for."""

from __future__ import annotations

import threading
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from insight_desktop.engine.operator.profiles import Profile
from insight_desktop.errors import Cancelled
from insight_desktop.ingest.formats import operator_blocks as blocks
from insight_desktop.ingest.formats import operator_details, operator_records
from insight_desktop.ingest.formats.operator_columns import Group
from insight_desktop.schema_operator import TABLES

EAGER_BYTES = 8 << 20
_SCHEMA = TABLES["operator_cache"].schema
_lock = threading.Lock()


def ensure(profile: Profile) -> None:
    """Read the cache records of a kernel into its capture, if they were left out when it was opened."""
    target = profile.card.folder / "operator_cache.parquet"
    found = [row for row in profile.rows("operator_container") if row["type"] == blocks.CACHE_LINES]
    path = profile.path
    if target.exists() or not found or path is None or not path.exists() or found[0]["size_bytes"] <= EAGER_BYTES:
        return
    with _lock:
        if not target.exists():
            _write(target, path, found[0]["at_bytes"], found[0]["size_bytes"])


def _write(target: Path, path: Path, start: int, size: int) -> None:
    data = np.memmap(path, np.uint8, "r")
    members = operator_records.members(data, start, start + size)
    count = 0
    with NamedTemporaryFile(dir=target.parent, prefix=target.stem, delete=False) as file:
        try:
            with pq.ParquetWriter(file, _SCHEMA) as writer:
                for spans, _ in operator_records.item_groups(data, members.get("Cacheline Records")):
                    batch = _quick(data, spans, count)
                    if batch is None:
                        records, _bad = operator_records.parse_items(data, spans)
                        batch = _batch([operator_details.cache_row(count + i, r) for i, r in enumerate(records)])
                    writer.write_batch(batch)
                    count += batch.num_rows
        except (Cancelled, OSError, pa.ArrowException):
            file.close()
            Path(file.name).unlink()
            raise
    Path(file.name).replace(target)


def _quick(data: np.ndarray[Any, Any], spans: np.ndarray[Any, Any], first: int) -> pa.RecordBatch | None:
    """The records by column; None when one of them is unusual."""
    group = Group.of(data, spans, ("Cacheline Id", "Hit", "Miss"))
    ids = group.numbers("Cacheline Id", whole=True) if group is not None else None
    if group is None or ids is None or len(ids.values) != len(spans):
        return None
    columns: list[Any] = [pa.array(np.arange(first, first + len(spans))), ids.values]
    ranges = []
    for member in ("Hit", "Miss"):
        side = group.inside(member, ("Value", "Address Range"))
        values = side.numbers("Value", whole=False) if side is not None else None
        where = side.pairs("Address Range") if side is not None else None
        if values is None or where is None or (np.diff(np.asarray(values.offsets)) != 2).any():
            return None
        pairs = np.asarray(values.values).reshape(-1, 2)
        columns += [pa.array(pairs[:, 0].astype(np.int64)), pa.array(np.ascontiguousarray(pairs[:, 1]))]
        ranges.append(where)
    return pa.record_batch([*columns, *ranges], schema=_SCHEMA)


def _batch(rows: list[dict[str, Any]]) -> pa.RecordBatch:
    columns = [pa.array([row.get(field.name) for row in rows], field.type) for field in _SCHEMA]
    return pa.record_batch(columns, schema=_SCHEMA)
