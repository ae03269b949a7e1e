"""The curve of a MemScope pool in a range of time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa


def padded(found: pa.Table, low: int, high: int) -> pa.Table:
    """Points of a range of time, which begins and ends with one: the last value before it, 0 when there is none."""
    t = found["t_ns"].to_numpy()
    first, last = int(np.searchsorted(t, low, "left")), int(np.searchsorted(t, high, "right"))
    inside = found.slice(first, last - first)
    parts = [inside]
    if not inside.num_rows or int(inside["t_ns"][0].as_py()) > low:
        parts.insert(0, _edge(found, first - 1, low))
    if high > low and (not inside.num_rows or int(inside["t_ns"][-1].as_py()) < high):
        parts.append(_edge(found, last - 1, high))
    return pa.concat_tables(parts).combine_chunks()


def _edge(found: pa.Table, at: int, t_ns: int) -> pa.Table:
    row: dict[str, Any] = found.slice(at, 1).to_pylist()[0] if at >= 0 else dict.fromkeys(found.schema.names)
    row["t_ns"], row["allocated_bytes"] = t_ns, row["allocated_bytes"] or 0
    return pa.Table.from_pylist([row], found.schema)
