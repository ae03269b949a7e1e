"""Named queries of the page Cache: hits and misses of the L2 cache lines."""

from __future__ import annotations

from typing import Literal

import pyarrow as pa

from insight_desktop.engine.operator.profiles import kernel
from insight_desktop.engine.store import Store
from insight_desktop.ingest.formats import operator_blocks as blocks

COLUMNS = 128  # cells of a row of the map


def cells(store: Store, *, kind: Literal["hit", "miss"] = "hit", card: str | None = None) -> pa.Table:
    """Cells of a map: x, y, id, count, percent, ranges; record i is at x = i mod 128, y = i div 128 (upwards).

    percent is the share of the events with one decimal; ranges are the first and last addresses of the instructions.
    Records without a proper value leave a hole: count and percent are null.
    """
    main = kernel(store, card)
    rows = main.rows("operator_cache")
    if not rows:
        fix = "Collect with msprof op --aic-metrics=L2Cache on a chip that offers it."
        raise main.nothing("cache records", fix, blocks.CACHE_LINES)
    count, ratio, ranges = (
        ("hits", "hit_ratio", "hit_ranges") if kind == "hit" else ("misses", "miss_ratio", "miss_ranges")
    )
    out = [
        {
            "x": row["row"] % COLUMNS,
            "y": row["row"] // COLUMNS,
            "id": row["id"],
            "count": row[count],
            "percent": None if row[ratio] is None else round(row[ratio] * 100, 1),
            "ranges": row[ranges] or [],
        }
        for row in rows
    ]
    columns = [
        ("x", pa.int64()), ("y", pa.int64()), ("id", pa.int64()), ("count", pa.int64()), ("percent", pa.float64()),
        ("ranges", pa.list_(pa.uint64())),
    ]  # fmt: skip
    return pa.Table.from_pylist(out, pa.schema(columns))
