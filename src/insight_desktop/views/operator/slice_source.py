"""Where an instruction of the Timeline comes from: the line that its arguments name, or its address."""

from __future__ import annotations

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import details
from insight_desktop.errors import InsightError
from insight_desktop.views.common.context import SourcePlace


def place_of(store: Store, *, card: str, slice_id: int) -> SourcePlace | None:
    """What the Source page shows for a slice; None when its arguments name neither a line nor an address."""
    try:
        pairs = dict(details.args_pairs(store.card(card), store.capture(card), slice_id))
    except InsightError:
        return None  # Slice Detail says why its arguments cannot be read
    return place(card, str(pairs.get("code") or ""), str(pairs.get("pc_addr") or ""))


def place(card: str, code: str, address: str) -> SourcePlace | None:
    """From the arguments `code` (a call stack of `file:line`, innermost first) and `pc_addr`."""
    file, _, line = next((text.strip() for text in code.splitlines() if text.strip()), "").rpartition(":")
    try:
        at = int(address, 16)
    except ValueError:
        at = -1
    ranges = (at, at) if 0 <= at < 1 << 64 else ()
    if file and line.isdecimal() and int(line) > 0:
        return SourcePlace(card, ranges, file=file, line=int(line))
    return SourcePlace(card, ranges) if ranges else None
