"""Two states side by side: by call stack, category, segment, and in total."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.memory import snapshot_segments as sg
from insight_desktop.engine.memory import snapshot_stacks
from insight_desktop.engine.memory.snapshot_data import Device, Snapshot
from insight_desktop.engine.memory.snapshot_rows import block_categories, rows_table
from insight_desktop.engine.memory.snapshot_state import State, fragmentation_of, plain

Side = tuple[Snapshot, Device, State]
UNKNOWN = "unknown"

_I64, _TEXT = pa.int64(), pa.string()
_AMOUNTS = [
    (f"{what}_{when}", _I64)
    for what in ("bytes", "blocks")
    for when in ("before", "after", "difference")
]  # fmt: skip


def table(base: Side, card: Side, by: str) -> pa.Table:
    """The comparison that `snapshot.compare` promises."""
    if by == "segment":
        return _segments(base[2], card[2])
    if by == "totals":
        return _totals(base[2], card[2])
    keyed = _by_stack if by == "stack" else _by_category
    before, after = keyed(*base), keyed(*card)
    rows: list[tuple[Any, ...]] = []
    for key in before.keys() | after.keys():
        b, a = before.get(key, (0, 0)), after.get(key, (0, 0))
        rows.append((*key, b[0], a[0], a[0] - b[0], b[1], a[1], a[1] - b[1]))
    width = 2 if by == "stack" else 1
    rows.sort(key=lambda row: (-abs(row[width + 2]), -row[width + 1], row[:width]))
    names = [("where", _TEXT), ("text", _TEXT)] if by == "stack" else [("category", _TEXT)]
    return rows_table(rows, [*names, *_AMOUNTS])


def _by_stack(snapshot: Snapshot, device: Device, state: State) -> dict[tuple[str, ...], tuple[int, int]]:
    """(innermost frame, all frames) → (bytes, blocks): stacks are equal when their frames are, in any file."""
    ids = device.column("block_stack")[state.blocks]
    count, total, _ = snapshot_stacks.sums(ids, state.size, snapshot.stack_count)
    out: dict[tuple[str, ...], tuple[int, int]] = {}
    for stack in np.flatnonzero(count).tolist():
        key = (snapshot_stacks.label(snapshot, stack), snapshot_stacks.text(snapshot, stack))
        held = out.get(key, (0, 0))
        out[key] = (held[0] + int(total[stack]), held[1] + int(count[stack]))
    return out


def _by_category(snapshot: Snapshot, device: Device, state: State) -> dict[tuple[str, ...], tuple[int, int]]:
    out: dict[tuple[str, ...], tuple[int, int]] = defaultdict(lambda: (0, 0))
    texts = block_categories(device, state.blocks)
    for text in np.unique(texts).tolist():
        own = texts == text
        key = (snapshot.text(text) or UNKNOWN,)
        out[key] = (out[key][0] + int(state.size[own].sum()), out[key][1] + int(own.sum()))
    return dict(out)


def category_rows(snapshot: Snapshot, device: Device, state: State) -> pa.Table:
    """Live bytes and blocks by category, most bytes first."""
    found = sorted(_by_category(snapshot, device, state).items(), key=lambda item: -item[1][0])
    rows: list[tuple[Any, ...]] = [(key[0], blocks, size) for key, (size, blocks) in found]
    return rows_table(rows, [("category", _TEXT), ("blocks", _I64), ("bytes", _I64)])


def _segments(before: State, after: State) -> pa.Table:
    """Segments by (address, size): in the base only, in the card only, in both; with what is active in them."""
    sides = []
    for state in (before, after):
        figures = state.per_segment()
        sides.append({
            (int(a), int(s)): int(x)
            for a, s, x in zip(plain(state.base), state.segments[:, sg.SIZE], figures["active"], strict=True)
        })  # fmt: skip
    rows = []
    for address, size in sorted(sides[0].keys() | sides[1].keys()):
        b, a = sides[0].get((address, size)), sides[1].get((address, size))
        where = "both" if b is not None and a is not None else "before" if b is not None else "after"
        rows.append((address, size, where, b, a, (a or 0) - (b or 0)))
    return rows_table(
        rows,
        [("address", pa.uint64()), ("size_bytes", _I64), ("where", _TEXT), ("active_before", _I64), ("active_after", _I64),
         ("active_difference", _I64)],
    )  # fmt: skip


def _totals(before: State, after: State) -> pa.Table:
    rows = []
    figures = [fragmentation_of(state) for state in (before, after)]
    pairs = [
        ("reserved", before.reserved, after.reserved),
        ("active", before.active, after.active),
        ("allocated", before.allocated, after.allocated),
        ("blocks", len(before.blocks), len(after.blocks)),
        ("segments", len(before.segments), len(after.segments)),
        ("gaps", figures[0].gap_bytes, figures[1].gap_bytes),
        ("largest gap", figures[0].largest_gap_bytes, figures[1].largest_gap_bytes),
        ("lost to rounding", figures[0].internal_bytes, figures[1].internal_bytes),
        ("reclaimable", figures[0].reclaimable_bytes, figures[1].reclaimable_bytes),
    ]
    for name, b, a in pairs:
        rows.append((name, b, a, a - b))
    return rows_table(rows, [("name", _TEXT), ("before", _I64), ("after", _I64), ("difference", _I64)])
