"""Everything that the Details page shows of a kernel, asked at once off the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from insight_desktop.engine.operator import details
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, InsightError, NoData

Row = dict[str, Any]
METRICS: tuple[details.Metric, ...] = ("cycles", "throughput", "hit_rate", "simt")


@dataclass
class Loaded:
    """Rows of the queries by name, and why a query has none.

    Attributes:
        card, baseline: what was asked for.
        rows: by query; those of `core_load` by `core_load.<metric>`.
        missing: the error of a query without data.
    """

    card: str
    baseline: str | None
    rows: dict[str, list[Row]] = field(default_factory=dict)
    missing: dict[str, InsightError] = field(default_factory=dict)

    def of(self, name: str, **wanted: Any) -> list[Row]:
        """Rows of a query whose columns have these values."""
        found = self.rows.get(name, [])
        return [row for row in found if all(row[key] == value for key, value in wanted.items())]

    @property
    def is_empty(self) -> bool:
        """The bin holds nothing that this page shows, e.g. that of a simulator."""
        shown = ("base_info", "core_load.cycles", "roofline", "compute", "memory_units", "memory_tables", "stalls")
        return not any(self.rows.get(name) for name in shown)

    def blocks(self, name: str) -> list[str]:
        """Block ids of a query, numbers ascending, NA first."""
        found = {str(row["block_id"]) for row in self.rows.get(name, [])}
        return sorted(found, key=lambda b: (b.isdigit(), int(b) if b.isdigit() else 0, b))


def load(store: Store, *, card: str, baseline: str | None = None) -> Loaded:
    """All figures of a kernel, compared with a baseline when one is named."""
    found = Loaded(card, baseline)
    pair = {"card": card, "baseline": baseline}
    questions: list[tuple[str, Callable[..., pa.Table], dict[str, Any]]] = [
        ("base_info", details.base_info, pair),
        ("block_durations", details.block_durations, {"card": card}),
        *((f"core_load.{metric}", details.core_load, {**pair, "metric": metric}) for metric in METRICS),
        ("simt", details.simt, {"card": card}),
        ("roofline", details.roofline, {"card": card}),
        ("compute", details.compute, pair),
        ("memory_paths", details.memory_paths, pair),
        ("memory_units", details.memory_units, pair),
        ("memory_tables", details.memory_tables, pair),
        ("stalls", details.stalls, pair),
        ("advice", details.advice, {"card": card}),
        ("bounds", details.bounds, {"card": card}),
    ]
    for name, query, arguments in questions:
        try:
            found.rows[name] = query(store, **arguments).to_pylist()
        except (NoData, BadArgument) as error:
            found.missing[name] = error
    found.rows["operators"] = details.operators(store).to_pylist()
    return found
