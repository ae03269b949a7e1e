"""Words of the MemScope page: boxes of the treemap, stacks of a block, the status bar."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from insight_desktop.engine.memory import memscope as queries
from insight_desktop.engine.store import Store
from insight_desktop.views.common import number_text
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.treemap import Box

_MB = 1 << 20


def boxes(found: pa.Table) -> list[Box]:
    """Rows of `memory.memscope.breakdown` as boxes of a treemap."""
    return [
        Box(row["node"], row["parent"], f"{say(row['name'])}: {_whole_mb(row['size_bytes'])}", row["size_bytes"], _tip(row))
        for row in found.to_pylist()
    ]  # fmt: skip


def status(device: str, kind: str, facts: dict[str, Any], blocks: int) -> list[str]:
    """Texts of the status bar about a pool.

    Args:
        device, kind: the pool.
        facts: its row of `memory.memscope.devices`.
        blocks: rows of the table.
    """
    told = [f"{kind} · {tr('Device {name}').format(name=device)}"]
    if facts["peak_bytes"]:
        peak, left = _mb(facts["peak_bytes"]), _mb(facts["never_freed_bytes"])
        told.append(tr("Peak {size} at {time}").format(size=peak, time=f"{facts['peak_ns'] / 1e6:,.3f} ms"))
        told.append(tr("{count} never freed, {size}").format(count=f"{facts['never_freed']:,}", size=left))
    return [*told, tr("{count} blocks").format(count=number_text.count(blocks))]


def stacks_of(store: Store, *, card: str | None, block_id: int) -> dict[str, str]:
    """Call stacks of a block by title."""
    found = queries.block_stacks(store, card=card, block_id=block_id).to_pylist()[0]
    return {
        tr("Call Stack (Python) of the malloc"): found["malloc_python"], tr("Call Stack (C) of the malloc"): found["malloc_c"],
        tr("Call Stack (Python) of the free"): found["free_python"], tr("Call Stack (C) of the free"): found["free_c"],
    }  # fmt: skip


def _mb(size: int) -> str:
    return number_text.bytes_text(size, decimals=3)


def _whole_mb(size: int) -> str:
    whole = int(size / _MB + 0.5)
    return f"{whole:,} MB" if whole else f"{size:,} B"


def _tip(row: dict[str, Any]) -> str:
    return "\n".join((
        f"{row['owner']}", f"{row['size_bytes']:,} B ({_mb(row['size_bytes'])})",
        f"{tr('Share of parent')}: {number_text.percent(row['ratio'])}", f"{tr('Blocks')}: {row['blocks']:,}",
    ))  # fmt: skip
