"""Named queries of PyTorch memory snapshots: totals, events, blocks, the allocator at an event, leaks, comparison.

An event is an index into the device's trace; what is said of it holds after it, -1 is before the first. Sizes follow
`mode`: estimate (as the allocator takes them, the default), requested, or upstream (exact for survivors, else requested).
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.engine.memory import (
    snapshot_advice,
    snapshot_compare,
    snapshot_pools,
    snapshot_rows,
    snapshot_stacks,
)
from insight_desktop.engine.memory.snapshot_data import Device, SizeMode, cards_in, of_card
from insight_desktop.engine.memory.snapshot_state import fragmentation_of, state_of
from insight_desktop.engine.memory.snapshot_tables import block_columns, event_columns, flat_settings
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument

Array = npt.NDArray[Any]
StackOf = Literal["alive", "allocated", "unreleased", "peak"]
CompareBy = Literal["stack", "category", "segment", "totals"]


def summary(store: Store, *, card: str | None = None) -> pa.Table:
    """Totals per device, in the sizes of the allocator.

    Columns: card, device, events, segments, reserved_bytes, allocated_bytes, active_bytes (all three at the end),
    peak_active_bytes, peak_event (-1 before the first event), peak_reserved_bytes, blocks, preexisting, unreleased,
    pad_bytes, oom_events, anomalies.
    """
    chosen = [c.name for c in cards_in(store)] if card is None else [card]
    if not chosen:
        of_card(store, None)
    rows = []
    for name in chosen:
        for device in of_card(store, name).devices.values():
            rows.append(snapshot_rows.summary_row(name, device))
    return pa.Table.from_pylist(rows, snapshot_rows.SUMMARY)


def events(store: Store, *, card: str | None = None, device: int | None = None, action: str | None = None, address: str | None = None, first: int | None = None, last: int | None = None, stack: str | None = None) -> pa.Table:  # fmt: skip
    """Events of a device in their order, the totals after each.

    Args:
        store: opened data.
        card: snapshot.
        device: device number; the one with the longest trace when left out.
        action: exactly this action.
        address: part of an address, hexadecimal with or without 0x, or decimal.
        first: from this event on.
        last: up to this event, inclusive.
        stack: part of a frame of the call stack, any case.

    Columns: those of `snapshot_event` without device.
    """
    snapshot = of_card(store, card)
    chosen = snapshot.device(device)
    rows = snapshot_rows.range_of(chosen.events, first, last)
    if action is not None:
        codes = [k for k, name in enumerate(snapshot.actions) if name == action]
        rows = rows[np.isin(chosen.action[rows], codes)]
    if address is not None:
        rows = rows[snapshot_rows.has_address(chosen.column("address")[rows], address)]
    if stack is not None:
        rows = rows[snapshot_rows.with_stacks(chosen.column("stack")[rows], snapshot_stacks.matching(snapshot, stack))]
    columns = event_columns(chosen, snapshot, rows)
    del columns["device"]
    return pa.table(columns)


def blocks(store: Store, *, card: str | None = None, device: int | None = None, alive_at: int | None = None, first: int | None = None, last: int | None = None, unreleased: bool = False, mode: SizeMode = "estimate", address: str | None = None, stack: str | None = None) -> pa.Table:  # fmt: skip
    """Blocks of a device in order of their start.

    Args:
        store: opened data.
        card: snapshot.
        device: device number; the one with the longest trace when left out.
        alive_at: only blocks that live after this event.
        first: first event of a range; blocks whose life touches it are kept.
        last: last event of the range, inclusive.
        unreleased: only blocks allocated in the range and not freed at its end.
        mode: block sizes.
        address: part of an address, hexadecimal or decimal.
        stack: part of a frame of the call stack, any case.

    Columns: those of `snapshot_block` without device, then state at the end (allocated, pending, freed), category,
    and where (innermost frame of the program).
    """
    snapshot = of_card(store, card)
    chosen = snapshot.device(device)
    if alive_at is not None:
        rows = chosen.alive(alive_at)
    elif first is None and last is None and not unreleased:
        rows = np.arange(chosen.blocks)
    else:
        begin, end = first or 0, chosen.events - 1 if last is None else last
        find = snapshot_advice.unreleased if unreleased else snapshot_advice.overlapping
        rows = find(chosen, begin, end)
    if address is not None:
        rows = rows[snapshot_rows.has_address(chosen.column("block_address")[rows], address)]
    if stack is not None:
        rows = rows[
            snapshot_rows.with_stacks(chosen.column("block_stack")[rows], snapshot_stacks.matching(snapshot, stack))
        ]
    columns = block_columns(chosen, rows)
    del columns["device"]
    columns["size_bytes"] = chosen.sizes(mode)[rows]
    return pa.table({**columns, **snapshot_rows.block_extras(snapshot, chosen, rows)})


def unreleased(store: Store, *, card: str | None = None, device: int | None = None, first: int | None = None, last: int | None = None, mode: SizeMode = "estimate") -> pa.Table:  # fmt: skip
    """Blocks allocated in a range and not freed at its end, summed up: one row.

    Columns: first, last, blocks, total_kb, max_kb, min_kb (each block rounded to three decimals before it is added up).
    """
    chosen = of_card(store, card).device(device)
    begin, end = first or 0, chosen.events - 1 if last is None else last
    rows = snapshot_advice.unreleased(chosen, begin, end)
    kb = snapshot_rows.kilobytes(chosen.sizes(mode)[rows])
    total = round(float(kb.sum()), 3)
    return pa.table({
        "first": [begin], "last": [end], "blocks": [len(rows)], "total_kb": [total],
        "max_kb": [float(kb.max(initial=0.0))], "min_kb": [float(kb.min()) if len(kb) else 0.0],
    })  # fmt: skip


def curve(store: Store, *, card: str | None = None, device: int | None = None, mode: SizeMode = "estimate") -> pa.Table:
    """Totals after every event.

    Columns: event (-1 for before the first), allocated_bytes, active_bytes, reserved_bytes.
    """
    chosen = of_card(store, card).device(device)
    totals = chosen.totals(mode)
    first = [totals.allocated_before], [totals.active_before], [chosen.facts["reserved_before"]]
    held = totals.allocated, totals.active, chosen.column("reserved")
    names = ("allocated_bytes", "active_bytes", "reserved_bytes")
    columns = {n: np.concatenate([np.array(a, np.int64), b]) for n, a, b in zip(names, first, held, strict=True)}
    return pa.table({"event": np.arange(-1, chosen.events), **columns})


def state(store: Store, *, event: int, card: str | None = None, device: int | None = None, mode: SizeMode = "estimate") -> pa.Table:  # fmt: skip
    """What every byte of the segments is after an event: blocks and gaps in order of addresses.

    Columns: segment (address), address, size_bytes, state (allocated, pending, free), requested_bytes, block, stack
    (innermost frame of the program), stream.
    """
    snapshot = of_card(store, card)
    chosen = snapshot.device(device)
    return snapshot_rows.state_rows(snapshot, chosen, state_of(chosen, _event(chosen, event), mode))


def segments(store: Store, *, event: int, card: str | None = None, device: int | None = None, mode: SizeMode = "estimate") -> pa.Table:  # fmt: skip
    """Segments after an event, in order of addresses.

    Columns: address, size_bytes, stream, event (of its allocation or first mapping, null before the first event), pool, kind,
    expandable, blocks, allocated_bytes, active_bytes, gaps, gap_bytes, largest_gap_bytes.
    """
    snapshot = of_card(store, card)
    chosen = snapshot.device(device)
    return snapshot_rows.segment_rows(snapshot, state_of(chosen, _event(chosen, event), mode))


def fragmentation(store: Store, *, event: int | None = None, card: str | None = None, device: int | None = None, mode: SizeMode = "estimate") -> pa.Table:  # fmt: skip
    """How scattered the free memory is after an event (the last one when left out): one row.

    Columns: event, segments, blocks, reserved_bytes, active_bytes, allocated_bytes, gaps, gap_bytes, largest_gap_bytes,
    external (1 − largest gap / all gaps), viewer (Σ gap² / (Σ segment)²), internal_bytes (lost to rounding),
    reclaimable_bytes (wholly free segments), inactive_split_bytes (gaps of segments in use).
    """
    chosen = of_card(store, card).device(device)
    at = chosen.events - 1 if event is None else _event(chosen, event)
    found = state_of(chosen, at, mode)
    facts = {
        "event": at, "segments": len(found.segments), "blocks": len(found.blocks), "reserved_bytes": found.reserved,
        "active_bytes": found.active, "allocated_bytes": found.allocated,
    }  # fmt: skip
    return pa.table({k: [v] for k, v in {**facts, **asdict(fragmentation_of(found))}.items()})


def pools(store: Store, *, event: int | None = None, card: str | None = None, device: int | None = None, mode: SizeMode = "estimate") -> pa.Table:  # fmt: skip
    """Per memory pool, stream and kind of segment after an event (the last one when left out).

    Columns: pool, private, stream, kind, segments, reserved_bytes, allocated_bytes, active_bytes, gaps, gap_bytes,
    largest_gap_bytes, peak_reserved_bytes, peak_event (-1 before the first).
    """
    snapshot = of_card(store, card)
    chosen = snapshot.device(device)
    at = chosen.events - 1 if event is None else _event(chosen, event)
    return snapshot_pools.table(snapshot, chosen, state_of(chosen, at, mode))


def oom(store: Store, *, card: str | None = None, device: int | None = None, mode: SizeMode = "estimate") -> pa.Table:
    """Out-of-memory events and why they happened.

    Columns: event, requested_bytes, device_free_bytes, reserved_bytes, active_bytes, gap_bytes, reclaimable_bytes,
    largest_gap_bytes (of the right stream and kind), largest_elsewhere_bytes, verdict, stack (innermost frame).
    """
    snapshot = of_card(store, card)
    chosen = snapshot.device(device)
    rows = []
    for event in snapshot_advice.oom_events(chosen)[:1000].tolist():
        found = snapshot_advice.out_of_memory(chosen, event, mode)
        rows.append((
            event, found.requested, found.device_free, found.reserved, found.active, found.gap_bytes, found.reclaimable,
            found.largest_gap, found.largest_elsewhere, found.verdict,
            snapshot_stacks.label(snapshot, int(chosen.column("stack")[event])),
        ))  # fmt: skip
    return snapshot_rows.rows_table(rows, snapshot_rows.OOM_ROWS)


def leaks(store: Store, *, card: str | None = None, device: int | None = None, first: int | None = None, last: int | None = None, mode: SizeMode = "estimate") -> pa.Table:  # fmt: skip
    """Stacks with blocks allocated in a range and not freed at its end, most bytes first.

    A confidence of high, medium or low says how much speaks for a leak: the share of allocations that stay, and in how many of
    eight equal parts of the range new ones were added.

    Columns: stack, where (innermost frame), file, line, blocks, bytes, allocations, unreleased_ratio, growing, first_event,
    last_event, largest_bytes, confidence, why.
    """
    snapshot = of_card(store, card)
    chosen = snapshot.device(device)
    end = chosen.events - 1 if last is None else last
    rows = []
    for leak in snapshot_advice.leaks(chosen, first or 0, end, mode):
        frames = snapshot_stacks.shown(snapshot.frames(leak.stack))
        rows.append((
            leak.stack, snapshot_stacks.label(snapshot, leak.stack), frames[0].file if frames else "",
            frames[0].line if frames else 0, leak.blocks, leak.bytes, leak.allocations, leak.ratio, leak.growing, leak.first,
            leak.last, leak.largest, leak.confidence, leak.why,
        ))  # fmt: skip
    return snapshot_rows.rows_table(rows, snapshot_rows.LEAK_ROWS)


def savings(store: Store, *, card: str | None = None, device: int | None = None, mode: SizeMode = "estimate") -> pa.Table:  # fmt: skip
    """What would free the most at the peak: long lives, unused tails, free segments, fragmentation; largest cost first.

    Columns: kind, where, stack, block (largest one, null without), bytes, cost (bytes × events), why.
    """
    snapshot = of_card(store, card)
    rows = [
        (s.kind, snapshot_stacks.label(snapshot, s.stack) if s.stack or s.block >= 0 else "", s.stack,
         s.block if s.block >= 0 else None, s.bytes, s.cost, s.why)
        for s in snapshot_advice.savings(snapshot.device(device), mode)
    ]  # fmt: skip
    return snapshot_rows.rows_table(rows, snapshot_rows.SAVING_ROWS)


def waiting(store: Store, *, card: str | None = None, device: int | None = None, mode: SizeMode = "estimate") -> pa.Table:  # fmt: skip
    """Blocks that waited for their streams between free_requested and free_completed, by bytes × events waited.

    Columns: block, address, size_bytes, stream, free_requested_event, events (how long), where.
    """
    snapshot = of_card(store, card)
    chosen = snapshot.device(device)
    rows = snapshot_advice.waiting(chosen, mode)
    pending = chosen.column("block_pending")[rows]
    end = np.minimum(chosen.column("block_end")[rows], chosen.events)
    names = [snapshot_stacks.label(snapshot, int(s)) for s in chosen.column("block_stack")[rows]]
    return pa.table({
        "block": rows, "address": chosen.column("block_address")[rows], "size_bytes": chosen.sizes(mode)[rows],
        "stream": chosen.column("block_stream")[rows], "free_requested_event": pending, "events": end - pending,
        "where": pa.array(names, pa.string()),
    })  # fmt: skip


def stacks(store: Store, *, card: str | None = None, device: int | None = None, of: StackOf = "peak", event: int | None = None, first: int | None = None, last: int | None = None, mode: SizeMode = "estimate", search: str | None = None) -> pa.Table:  # fmt: skip
    """Blocks summed up by call stack, most bytes first.

    Args:
        store: opened data.
        card: snapshot.
        device: device number; the one with the longest trace when left out.
        of: blocks alive after `event`, allocated in the range, unreleased at its end, or alive at the true peak.
        event: for `alive`; the last one when left out.
        first: first event of the range.
        last: last event of the range.
        mode: block sizes.
        search: part of a frame, any case.

    Columns: stack, where, blocks, bytes, largest_bytes, ratio (of all bytes), text (all frames).
    """
    snapshot = of_card(store, card)
    chosen = snapshot.device(device)
    rows = snapshot_rows.chosen_blocks(chosen, of, event, first, last, mode)
    return snapshot_rows.stack_rows(snapshot, chosen, rows, mode, search)


def stack_tree(store: Store, *, card: str | None = None, device: int | None = None, of: StackOf = "peak", event: int | None = None, first: int | None = None, last: int | None = None, mode: SizeMode = "estimate", every: bool = False) -> pa.Table:  # fmt: skip
    """The same blocks as a tree of calls, outermost frame first: the flame graph.

    `every` keeps the frames of the interpreter.

    Columns: id, parent (-1 root), depth, name, file, line, bytes, self_bytes, blocks.
    """
    snapshot = of_card(store, card)
    chosen = snapshot.device(device)
    rows = snapshot_rows.chosen_blocks(chosen, of, event, first, last, mode)
    ids = chosen.column("block_stack")[rows]
    count, total, _ = snapshot_stacks.sums(ids, chosen.sizes(mode)[rows], snapshot.stack_count)
    used = {int(s): (int(total[s]), int(count[s])) for s in np.unique(ids)}
    return snapshot_stacks.tree(snapshot, used, every=every)


def frames(store: Store, *, stack: int, card: str | None = None, every: bool = True) -> pa.Table:
    """Frames of one call stack, innermost first.

    Columns: depth, function, file, line, fx, repeats (runs of three and more equal frames are one row), interpreter.
    """
    found = snapshot_stacks.shown(of_card(store, card).frames(stack), every=every)
    rows = [
        (depth, frame.function, frame.file, frame.line, frame.fx, times, snapshot_stacks.is_interpreter(frame))
        for depth, (frame, times) in enumerate(snapshot_stacks.repeated(found))
    ]
    return snapshot_rows.rows_table(rows, snapshot_rows.FRAME_ROWS)


def compare(store: Store, *, base: str | None = None, card: str | None = None, device: int | None = None, event: int | None = None, base_event: int | None = None, by: CompareBy = "stack", mode: SizeMode = "estimate") -> pa.Table:  # fmt: skip
    """Two snapshots, or two events of one, side by side; difference = card − base, largest change first.

    Args:
        store: opened data.
        base: snapshot to compare with; the same one when left out.
        card: snapshot under test.
        device: device number; each one's longest trace when left out, and that of the base when it has no such device.
        event: state of the snapshot under test; the last event when left out.
        base_event: state of the base; its last event, or before its first when both are one snapshot.
        by: call stack, category, segment (address and size), or totals.
        mode: block sizes.

    Columns: key columns, then before, after and difference of bytes and blocks (segments: where they are).
    """
    ours = of_card(store, card)
    theirs = ours if base is None else of_card(store, base)
    mine = ours.device(device)
    other = theirs.device(device if device in theirs.devices else None)
    after = mine.events - 1 if event is None else _event(mine, event)
    if base_event is None:
        base_event = -1 if theirs is ours else other.events - 1
    before = state_of(other, _event(other, base_event), mode)
    return snapshot_compare.table((theirs, other, before), (ours, mine, state_of(mine, after, mode)), by)


def settings(store: Store, *, card: str | None = None) -> pa.Table:
    """Settings of the allocator as recorded. Columns: name, value. Empty when the file has none."""
    snapshot = of_card(store, card)
    rows = flat_settings(snapshot.facts["settings"]) if snapshot.facts["settings"] else []
    return snapshot_rows.rows_table(rows, [("name", pa.string()), ("value", pa.string())])


def notes(store: Store, *, card: str | None = None, device: int | None = None) -> pa.Table:
    """Annotations of the recording with the event at their time.

    Columns: name, stage, device, time_us, event (null when the trace has no times).
    """
    snapshot = of_card(store, card)
    return snapshot_rows.annotation_rows(snapshot, snapshot.device(device))


def marks(store: Store, *, card: str | None = None, device: int | None = None) -> pa.Table:
    """Events to be marked on the axis: oom, snapshot, unknown actions, annotations, user metadata that changes.

    Columns: event, kind, text.
    """
    snapshot = of_card(store, card)
    return snapshot_rows.mark_rows(snapshot, snapshot.device(device))


def categories(store: Store, *, card: str | None = None, device: int | None = None, event: int | None = None, mode: SizeMode = "estimate") -> pa.Table:  # fmt: skip
    """Live bytes by the category that the recording gave (unknown where it gave none).

    Columns: category, blocks, bytes.
    """
    snapshot = of_card(store, card)
    chosen = snapshot.device(device)
    at = chosen.events - 1 if event is None else _event(chosen, event)
    return snapshot_compare.category_rows(snapshot, chosen, state_of(chosen, at, mode))


def anomalies(store: Store, *, card: str | None = None) -> pa.Table:
    """What the trace and the dump disagree about. Columns: device, kind, count, first_event (null for the dump)."""
    rows = [
        (device.number, kind, count, first if first >= 0 else None)
        for device in of_card(store, card).devices.values()
        for kind, (count, first) in device.facts["anomalies"].items()
    ]
    return snapshot_rows.rows_table(rows, snapshot_rows.ANOMALY_ROWS)


def find(store: Store, *, text: str, card: str | None = None, device: int | None = None, action: str | None = None) -> pa.Table:  # fmt: skip
    """Events whose address contains a text (hexadecimal or decimal), or whose stack has it in a frame; in order.

    `action` keeps those of exactly that action. Columns: event.
    """
    snapshot = of_card(store, card)
    chosen = snapshot.device(device)
    rows = np.arange(chosen.events)
    if action:
        rows = rows[np.isin(chosen.action, [k for k, name in enumerate(snapshot.actions) if name == action])]
    wanted = text.strip()
    if wanted:
        hits = snapshot_rows.with_stacks(chosen.column("stack")[rows], snapshot_stacks.matching(snapshot, wanted))
        if re.fullmatch(r"(0x)?[0-9a-fA-F]+", wanted):
            hits |= snapshot_rows.has_address(chosen.column("address")[rows], wanted)
        rows = rows[hits]
    return pa.table({"event": rows})


def _event(device: Device, event: int) -> int:
    if not -1 <= event < max(device.events, 1):
        raise BadArgument(f"There is no event {event}.", fix=f"Events are -1 to {device.events - 1}.")
    return min(event, device.events - 1)
