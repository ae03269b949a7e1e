"""All kernels of a project side by side."""

from __future__ import annotations

import pyarrow as pa

from insight_desktop.engine.operator import numbers
from insight_desktop.engine.operator.bounds import best_roof, verdict
from insight_desktop.engine.operator.profiles import Profile, Row, kernels
from insight_desktop.engine.store import Store

_COLUMNS = pa.schema(
    [
        ("card", pa.string()), ("name", pa.string()), ("duration_us", pa.float64()), ("share_percent", pa.float64()),
        ("op_type", pa.string()), ("soc", pa.string()), ("block_dim", pa.string()), ("bound", pa.string()),
        ("roof_percent", pa.float64()), ("cube_percent", pa.float64()), ("vector_percent", pa.float64()),
        ("l2_hit_percent", pa.float64()),
    ]
)  # fmt: skip


def operators(store: Store) -> pa.Table:
    """Every opened kernel, the longest first: card, name, duration_us, share_percent, op_type, soc, block_dim, bound,
    roof_percent, cube_percent, vector_percent, l2_hit_percent.

    share is that of the durations of all; bound is memory, compute, latency or empty without a roofline; cube and vector
    are the mean shares of the cycles in which the units computed; null where a figure was not collected.
    """
    rows = [_row(one) for one in kernels(store)]
    total = sum(row["duration_us"] or 0.0 for row in rows)
    for row in rows:
        row["share_percent"] = 100 * row["duration_us"] / total if total and row["duration_us"] is not None else None
    rows.sort(key=lambda row: -(row["duration_us"] if row["duration_us"] is not None else -1.0))
    return pa.Table.from_pylist(rows, _COLUMNS)


def _row(one: Profile) -> Row:
    base = (one.rows("operator_base") or [{}])[0]
    blocks = one.rows("operator_memory_block")
    roof = best_roof(one)
    vector = [row[name] for row in blocks for name in ("vector_ratio", "vector1_ratio")]
    hits = [row["l2_hit"] for row in blocks]
    total = sum(numbers.to_number(row["l2_total"]) or 0 for row in blocks)
    return {
        "card": one.name,
        "name": base.get("name") or one.name,
        "duration_us": numbers.to_number(base.get("duration_us")),
        "op_type": base.get("op_type", ""),
        "soc": base.get("soc", ""),
        "block_dim": base.get("block_dim", ""),
        "bound": verdict(one),
        "roof_percent": None if roof is None else 100 * roof["ratio"],
        "cube_percent": _mean([row["cube_ratio"] for row in blocks]),
        "vector_percent": _mean(vector),
        "l2_hit_percent": 100 * sum(numbers.to_number(h) or 0 for h in hits) / total if total else None,
    }


def _mean(texts: list[str | None]) -> float | None:
    found = [value for text in texts if (value := numbers.to_number(text)) is not None]
    return sum(found) / len(found) if found else None
