"""What the Details page shows of a kernel, asked off the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from insight_desktop.engine.operator import details
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, InsightError, NoData

Row = dict[str, Any]
MOST_BLOCKS = 64  # figures of more blocks are asked for when they are chosen
METRICS: tuple[details.Metric, ...] = ("cycles", "throughput", "hit_rate", "simt")


@dataclass
class Loaded:
    """Rows of the queries by name, and why a query has none.

    Attributes:
        card, baseline: what was asked for.
        rows: by query; those of `core_load` by `core_load.<metric>`.
        missing: the error of a query without data.
        only: blocks whose figures are here; None for all.
    """

    card: str
    baseline: str | None
    rows: dict[str, list[Row]] = field(default_factory=dict)
    missing: dict[str, InsightError] = field(default_factory=dict)
    only: set[str] | None = None

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
        return [str(row["block_id"]) for row in self.rows.get("block_ids", []) if row["query"] == name]

    def lacks(self, block: str | None) -> bool:
        """True when the figures of a block are not here."""
        return self.only is not None and block is not None and block not in self.only


def load(store: Store, *, card: str, baseline: str | None = None, every: bool = False) -> Loaded:
    """The figures of a kernel, compared with a baseline when one is named.

    Figures of blocks are those of all, or of the first one where there are more than 64 (unless `every` is set);
    `add_block` brings others.
    """
    found = Loaded(card, baseline)
    pair = {"card": card, "baseline": baseline}
    _ask(found, store, "block_ids", details.block_ids, card=card)
    names = {str(row["block_id"]) for row in found.rows["block_ids"]}
    if len(names) > MOST_BLOCKS and not every:
        found.only = set()
    _ask(found, store, "base_info", details.base_info, **pair)
    _ask(found, store, "block_durations", details.block_durations, card=card)
    for metric in METRICS:
        _ask(found, store, f"core_load.{metric}", details.core_load, **pair, metric=metric)
    _ask(found, store, "simt", details.simt, card=card)
    _ask(found, store, "roofline", details.roofline, card=card)
    _ask(found, store, "stalls", details.stalls, **pair)
    _ask(found, store, "bounds", details.bounds, card=card)
    if found.only is None:
        for name, query in _BY_BLOCK.items():
            _ask(found, store, name, query, **pair)
        _ask(found, store, "advice", details.advice, card=card)
    else:
        for section in ("base_info", "core_load", "roofline", "compute"):
            found.rows.setdefault("advice", []).extend(details.advice(store, card=card, section=section).to_pylist())
        for block in {found.blocks(name)[0] for name in _BY_BLOCK if found.blocks(name)}:
            add_block(store, loaded=found, block=block)
    found.rows["operators"] = details.operators(store).to_pylist()
    return found


def add_block(store: Store, *, loaded: Loaded, block: str) -> Loaded:
    """Bring the figures of one more block."""
    if loaded.only is None or block in loaded.only:
        return loaded
    pair = {"card": loaded.card, "baseline": loaded.baseline, "block": block}
    for name, query in _BY_BLOCK.items():
        _ask(loaded, store, name, query, **pair)
    loaded.rows.setdefault("advice", []).extend(details.advice(store, card=loaded.card, block=block).to_pylist())
    loaded.only.add(block)
    return loaded


_BY_BLOCK: dict[str, Callable[..., pa.Table]] = {
    "compute": details.compute,
    "memory_paths": details.memory_paths,
    "memory_units": details.memory_units,
    "memory_tables": details.memory_tables,
}


def _ask(found: Loaded, store: Store, name: str, query: Callable[..., pa.Table], **arguments: Any) -> None:
    try:
        found.rows.setdefault(name, []).extend(query(store, **arguments).to_pylist())
    except (NoData, BadArgument) as error:
        found.missing[name] = error
