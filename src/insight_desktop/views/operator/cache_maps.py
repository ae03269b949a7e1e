"""The two maps of the Cache page: what they show of the cache lines, their colours and readouts, and the rows of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from insight_desktop.engine.operator import cache
from insight_desktop.engine.operator.cache import COLUMNS
from insight_desktop.engine.operator.code import code_of
from insight_desktop.engine.operator.profiles import kernel
from insight_desktop.engine.store import Store
from insight_desktop.views.common import number_text, theme
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.heat_colours import Colours, sequential
from insight_desktop.views.common.heat_data import Cells
from insight_desktop.views.common.language import tr

Kind = Literal["hit", "miss"]
KINDS: tuple[Kind, ...] = ("hit", "miss")
_STOPS = ("#90EE90", "#FFFF00", "#FF0000")  # above the grey of the theme


@dataclass(frozen=True)
class Loaded:
    """Cache lines of a kernel: rows of both maps in the order of the file, and whether instructions can be shown."""

    card: str
    rows: dict[str, list[dict[str, Any]]]
    has_cores: bool

    @property
    def count(self) -> int:
        return len(self.rows["hit"])


def load(store: Store, *, card: str) -> Loaded:
    """Both maps of a kernel. Raises NoData when it has no cache records."""
    rows: dict[str, list[dict[str, Any]]] = {
        kind: cache.cells(store, kind=kind, card=card).to_pylist() for kind in KINDS
    }
    return Loaded(card, rows, bool(code_of(kernel(store, card)).cores))


def colours() -> Colours:
    """Grey of the theme, light green, yellow, red; colour-blind safe ones where the user chose those."""
    return sequential() if theme.is_safe() else Colours.of(theme.hex_of("hover"), *_STOPS)


def cells(loaded: Loaded, kind: Kind) -> Cells:
    """A map: 128 columns, the first line of cells at the bottom; records without a value leave a hole."""
    rows = loaded.rows[kind]
    high = max(1, -(-len(rows) // COLUMNS))
    values = np.full((high, COLUMNS), np.nan)
    for row in rows:
        if row["percent"] is not None:
            values[row["y"], row["x"]] = row["percent"]
    return Cells(
        values, [str(i) for i in range(high)], [str(i) for i in range(COLUMNS)], title=tr("Proportion of events"),
        unit="%", decimals=1, tip=lambda row, column: tip(loaded, kind, row, column), rows_up=True, clamp=True,
    )  # fmt: skip


def record(loaded: Loaded, kind: Kind, row: int, column: int) -> dict[str, Any] | None:
    """The record of a cell; None beyond the last one."""
    at = row * COLUMNS + column
    return loaded.rows[kind][at] if 0 <= at < loaded.count and row >= 0 and column >= 0 else None


def tip(loaded: Loaded, kind: Kind, row: int, column: int) -> Sequence[ReadoutLine]:
    """Lines of the readout of a cell."""
    found = record(loaded, kind, row, column)
    if found is None:
        return ()
    lines = [ReadoutLine(None, tr("Cacheline ID"), str(found["id"]))]
    if found["percent"] is None:
        return [*lines, ReadoutLine(None, tr("Number of events"), number_text.NOT_COLLECTED)]
    return [
        *lines,
        ReadoutLine(None, tr("Number of events"), str(found["count"])),
        ReadoutLine(None, tr("Proportion of events"), f"{number_text.number(found['percent'])} %"),
    ]


def table(loaded: Loaded) -> pa.Table:
    """A row per cache line: row, id, hits, hit_share, misses, miss_share, ranges (how many ranges of instructions)."""
    hit, miss = loaded.rows["hit"], loaded.rows["miss"]
    share = [[None if r["percent"] is None else r["percent"] / 100 for r in rows] for rows in (hit, miss)]
    return pa.table(
        {
            "row": pa.array(range(len(hit)), pa.int64()),
            "id": pa.array([r["id"] for r in hit], pa.int64()),
            "hits": pa.array([r["count"] for r in hit], pa.int64()),
            "hit_share": pa.array(share[0], pa.float64()),
            "misses": pa.array([r["count"] for r in miss], pa.int64()),
            "miss_share": pa.array(share[1], pa.float64()),
            "ranges": pa.array(
                [(len(a["ranges"]) + len(b["ranges"])) // 2 for a, b in zip(hit, miss, strict=True)], pa.int64()
            ),
        }
    )


def ranges(loaded: Loaded, kind: Kind, row: int, column: int) -> list[int]:
    """Addresses of the instructions of a cell, first and last of each range one after the other; empty for none."""
    found = record(loaded, kind, row, column)
    return [int(address) for address in found["ranges"]] if found is not None and loaded.has_cores else []
