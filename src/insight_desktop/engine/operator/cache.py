"""Named queries of the page Cache: hits and misses of the L2 cache lines."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.operator import cache_files
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
    cache_files.ensure(main)
    rows = main.table("operator_cache")
    if not rows.num_rows:
        fix = "Collect with msprof op --aic-metrics=L2Cache on a chip that offers it."
        raise main.nothing("cache records", fix, blocks.CACHE_LINES)
    count, ratio, ranges = (
        ("hits", "hit_ratio", "hit_ranges") if kind == "hit" else ("misses", "miss_ratio", "miss_ranges")
    )
    place = np.asarray(rows["row"])
    empty = pa.scalar([], pa.list_(pa.uint64()))
    return pa.table(
        {
            "x": pa.array(place % COLUMNS),
            "y": pa.array(place // COLUMNS),
            "id": rows["id"],
            "count": rows[count],
            "percent": pc.round(pc.multiply(rows[ratio], 100.0), 1),
            "ranges": pc.coalesce(rows[ranges], empty),
        }
    )
