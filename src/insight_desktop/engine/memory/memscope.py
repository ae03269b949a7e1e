"""Named queries of a MemScope dump: events, blocks with tags, curves, breakdown by owner, leak suspects, stacks, quality.

Times are ns since the first valid time of the file (`facts.start_ns`). `kind` is the pool: PTA, HAL, HOST_PINNED, …
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.memory import (
    memscope_calls,
    memscope_curve,
    memscope_leaks,
    memscope_owners,
    memscope_stacks,
    memscope_tags,
)
from insight_desktop.engine.memory.memscope_tags import Threshold
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadArgument, NoData

FORMAT = "memscope"
_NONE = np.iinfo(np.int64).min
_COMPARED = pa.schema(
    [
        ("device", pa.string()), ("type", pa.string()), ("group", pa.string()), ("base_blocks", pa.int64()),
        ("blocks", pa.int64()), ("delta_blocks", pa.int64()), ("base_bytes", pa.int64()), ("size_bytes", pa.int64()),
        ("delta_bytes", pa.int64()),
    ]
)  # fmt: skip
_LEAKS = pa.schema(
    [
        ("rule", pa.string()), ("device", pa.string()), ("type", pa.string()), ("group", pa.string()), ("blocks", pa.int64()),
        ("size_bytes", pa.int64()), ("largest_bytes", pa.int64()), ("first_alloc_ns", pa.int64()),
        ("last_alloc_ns", pa.int64()), ("blocks_per_step", pa.float64()), ("stack", pa.int64()),
    ]
)  # fmt: skip


def facts(store: Store, *, card: str | None = None) -> pa.Table:
    """The whole file, one row: start_ns (as recorded), span_ns, events, has_owners, has_stacks, threads."""
    name = chosen(store, card).name
    return store.sql("SELECT * EXCLUDE (card) FROM memscope_fact WHERE card = $card", card=name)


def devices(store: Store, *, card: str | None = None) -> pa.Table:
    """Pools of every device: device, type, blocks, points, peak_bytes, peak_ns, end_bytes, never_freed, never_freed_bytes."""
    name = chosen(store, card).name
    return store.sql(
        """
        WITH point AS (
          SELECT device, type, count(*) AS points, max(allocated_bytes) AS peak_bytes, last(allocated_bytes) AS end_bytes
          FROM memscope_curve WHERE card = $card GROUP BY ALL
        ), top AS (
          SELECT c.device, c.type, min(c.t_ns) AS peak_ns FROM memscope_curve c JOIN point p
          ON c.device = p.device AND c.type = p.type AND c.allocated_bytes = p.peak_bytes WHERE c.card = $card GROUP BY ALL
        ), block AS (
          SELECT device, type, count(*) AS blocks, count(*) FILTER (never_freed) AS never_freed,
                 coalesce(sum(size_bytes) FILTER (never_freed), 0)::BIGINT AS never_freed_bytes
          FROM memscope_block WHERE card = $card GROUP BY ALL
        )
        SELECT device, type, blocks, points, peak_bytes, peak_ns, end_bytes, never_freed, never_freed_bytes
        FROM block JOIN point USING (device, type) JOIN top USING (device, type)
        ORDER BY device = 'cpu', try_cast(device AS INTEGER), device, type <> 'PTA', type""",
        card=name,
    )


def events(
    store: Store,
    *,
    card: str | None = None,
    device: str | None = None,
    type: str | None = None,
    event: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
) -> pa.Table:
    """Rows of the event table by ID: id, event, type, name, t_ns, pid, tid, device, ptr, address, size_bytes, attr, row,
    call_stack_python, call_stack_c.

    Args:
        device, type, event: only rows with these values.
        from_ns, to_ns: only rows in this range, bounds included.
    """
    name = chosen(store, card).name
    found = store.sql(
        """
        SELECT id, event, type, name, t_ns, pid, tid, device, ptr, address, size_bytes, attr, row, stack_py, stack_c
        FROM (SELECT *, row_number() OVER () - 1 AS row FROM memscope_event WHERE card = $card)
        WHERE ($device IS NULL OR device = $device) AND ($type IS NULL OR type = $type)
          AND ($event IS NULL OR event = $event) AND ($low IS NULL OR t_ns >= $low) AND ($high IS NULL OR t_ns <= $high)
        ORDER BY id, t_ns, row""",
        card=name, device=device, type=type, event=event, low=from_ns, high=to_ns,
    )  # fmt: skip
    texts = memscope_stacks.texts(store, name)
    for column, title in (("stack_py", "call_stack_python"), ("stack_c", "call_stack_c")):
        found = found.append_column(title, memscope_stacks.as_texts(found[column], texts))
    return found.drop_columns(["stack_py", "stack_c"])


def blocks(
    store: Store,
    *,
    device: str | None = None,
    kind: str | None = None,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    inside: bool = False,
    min_bytes: int | None = None,
    max_bytes: int | None = None,
    early_ns: int = 0,
    early_percent: int = 0,
    late_ns: int = 0,
    late_percent: int = 0,
    idle_ns: int = 0,
    idle_percent: int = 0,
    only_tagged: bool = False,
) -> pa.Table:
    """Blocks by start: block_id, address, size_bytes, alloc_ns, free_ns, owner, first_access_ns, last_access_ns, tags,
    max_gap_ns, accesses, life_ns, never_freed, device, type, pid, tid, allocation_id, collector_tags, attr, alloc_event,
    free_event, stack_py, stack_c.

    free_ns of a block that was never freed is the end of the data. alloc_event is -1 for a block from before tracing, whose
    alloc_ns is the start of the data, and free_event where no FREE ended a block: see `pairing` of an import. tags holds
    early-alloc, late-free, idle, separated by commas: a time above `*_ns` or above `*_percent` of the life; 0 switches a part
    off, 100 % too.

    Args:
        device, kind: only blocks of these.
        from_ns, to_ns: only blocks that live in this range; with `inside` those whose MALLOC or FREE is in it.
        min_bytes, max_bytes: only blocks of these sizes.
        only_tagged: only blocks with a tag.
    """
    name = chosen(store, card).name
    rule = (
        """((alloc_ns BETWEEN $low AND $high AND alloc_event >= 0) OR (free_ns BETWEEN $low AND $high AND NOT never_freed))"""
        if inside
        else "alloc_ns <= $high AND free_ns >= $low"
    )
    found = store.sql(
        f"""
        SELECT block_id, address, size_bytes, alloc_ns, free_ns, owner, first_access_ns, last_access_ns, '' AS tags,
               max_gap_ns, accesses, free_ns - alloc_ns AS life_ns, never_freed, device, type, pid, tid, allocation_id,
               collector_tags, attr, alloc_event, free_event, stack_py, stack_c
        FROM memscope_block
        WHERE card = $card AND ($device IS NULL OR device = $device) AND ($kind IS NULL OR type = $kind)
          AND size_bytes BETWEEN $least AND $most AND {rule}
        ORDER BY block_id""",
        card=name, device=device, kind=kind, least=min_bytes or 0, most=2**62 if max_bytes is None else max_bytes,
        low=-(2**62) if from_ns is None else from_ns, high=2**62 if to_ns is None else to_ns,
    )  # fmt: skip
    thresholds = tuple(
        _threshold(*pair) for pair in ((early_ns, early_percent), (late_ns, late_percent), (idle_ns, idle_percent))
    )
    tags = _tags(found, *thresholds)
    found = found.set_column(found.schema.get_field_index("tags"), "tags", tags)
    return found.filter(pc.not_equal(found["tags"], "")) if only_tagged else found


def curve(
    store: Store,
    *,
    device: str,
    kind: str,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
) -> pa.Table:
    """Bytes of a pool over time: t_ns, allocated_bytes, reserved_bytes, process_used_bytes, device_used_bytes.

    A value holds until the next point. The range (the whole data without one) begins and ends with a point: the last value
    before it, 0 when there is none.
    """
    name = chosen(store, card).name
    found = store.sql(
        """SELECT t_ns, allocated_bytes, reserved_bytes, process_used_bytes, device_used_bytes FROM memscope_curve
           WHERE card = $card AND device = $device AND type = $kind ORDER BY t_ns, id""",
        card=name, device=device, kind=kind,
    )  # fmt: skip
    if not found.num_rows:
        raise _no_pool(store, name, device, kind)
    low = 0 if from_ns is None else from_ns
    high = _span(store, name) if to_ns is None else to_ns
    if high < low:
        raise BadArgument(f"The range ends ({high}) before it starts ({low}).", fix="Exchange the two times.")
    return memscope_curve.padded(found, low, high)


def breakdown(
    store: Store, *, device: str, at_ns: int | None = None, kind: str = "PTA", card: str | None = None
) -> pa.Table:
    """What lives at a time, by owner: node, parent (-1 root), depth, owner, name, size_bytes, ratio, blocks, largest_bytes.

    The root is what the driver gave to the process (HAL), else the sum of the first level; ratio (0–1) is the share of the
    parent. Without `at_ns` the time of the pool's peak. Pages of host memory and files without owners raise NoData.
    """
    name = chosen(store, card).name
    if kind == "HOST_PINNED":
        raise NoData("Pinned host memory has no owners.", fix="Choose another type.")
    if at_ns is None:
        at_ns = _peak(store, name, device, kind)
    found = store.sql(
        """SELECT owner, type, size_bytes FROM memscope_block WHERE card = $card AND device = $device
           AND alloc_ns <= $at AND (free_ns > $at OR never_freed)""",
        card=name, device=device, at=at_ns,
    )  # fmt: skip
    made = memscope_owners.tree(
        found["owner"].to_pylist(), found["type"].to_pylist(), found["size_bytes"].to_numpy(), kind
    )
    if made.num_rows == 1:
        raise NoData(
            "There is no owner of what lives at this time.",
            fix="Collect at least the events alloc and free with analysis=decompose.",
        )
    return made


def leaks(
    store: Store,
    *,
    card: str | None = None,
    device: str | None = None,
    kind: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    by: Literal["stack", "owner"] = "stack",
) -> pa.Table:
    """Leak suspects by bytes: rule, device, type, group, blocks, size_bytes, largest_bytes, first_alloc_ns, last_alloc_ns,
    blocks_per_step, stack.

    Rules: `step` (allocated in one step, alive when the next one ends; the first step does not count), `three marks` (HAL
    blocks between the first two of three marks that live at the third), `growth` (bytes per step as size_bytes, over at
    least four steps), `unreleased` (allocated in the range and not freed in it). Blocks from before tracing are no suspects.

    Args:
        by: blocks of one call stack (of the owner where none was collected) or of one owner path are a group.
        from_ns, to_ns: range of `unreleased`; the whole data without them.
    """
    name = chosen(store, card).name
    found = store.sql(
        """SELECT device, type, size_bytes, alloc_ns, free_ns, never_freed, owner, stack_py, stack_c FROM memscope_block
           WHERE card = $card AND ($device IS NULL OR device = $device) AND ($kind IS NULL OR type = $kind)
             AND alloc_event >= 0
           ORDER BY block_id""",
        card=name, device=device, kind=kind,
    )  # fmt: skip
    low, high = 0 if from_ns is None else from_ns, _span(store, name) if to_ns is None else to_ns
    steps = memscope_leaks.steps(_markers(store, name))
    rows = []
    for rule, mask in _suspects(store, name, found, steps, low, high).items():
        rows += _grouped(found.filter(pa.array(mask)), rule, by, len(steps), memscope_stacks.texts(store, name))
    rows += _growths(store, name, steps, device, kind)
    rows.sort(key=lambda row: (-row["size_bytes"], row["rule"], row["group"]))
    return pa.Table.from_pylist(rows, _LEAKS)


def compare(
    store: Store,
    *,
    base: str,
    card: str | None = None,
    device: str | None = None,
    kind: str | None = None,
    rule: Literal["end", "peak"] = "end",
    by: Literal["type", "owner", "stack"] = "owner",
) -> pa.Table:
    """What lives in a dump against another one: device, type, group, base_blocks, blocks, delta_blocks, base_bytes,
    size_bytes, delta_bytes; what grew most comes first.

    Args:
        base: the dump that is compared with.
        rule: blocks that live at the end, or at the peak of each pool.
        by: blocks of a pool, of an owner path, or of one call stack are a group.
    """
    name = chosen(store, card).name
    chosen(store, base)
    sides = [_living(store, each, device, kind, rule, by) for each in (base, name)]
    rows: list[dict[str, Any]] = []
    for key in dict.fromkeys([*sides[0], *sides[1]]):
        before, after = (side.get(key, (0, 0)) for side in sides)
        rows.append({
            "device": key[0], "type": key[1], "group": key[2], "base_blocks": before[0], "blocks": after[0],
            "delta_blocks": after[0] - before[0], "base_bytes": before[1], "size_bytes": after[1],
            "delta_bytes": after[1] - before[1],
        })  # fmt: skip
    rows.sort(key=lambda row: (-row["delta_bytes"], -row["size_bytes"], row["device"], row["type"], row["group"]))
    return pa.Table.from_pylist(rows, _COMPARED)


def stacks(
    store: Store,
    *,
    device: str,
    kind: str,
    card: str | None = None,
    rule: Literal["peak", "alive", "allocated", "unreleased"] = "peak",
    from_ns: int | None = None,
    to_ns: int | None = None,
    side: Literal["python", "c"] = "python",
) -> pa.Table:
    """Call tree weighted by bytes: node, parent, depth, name, x0, x1, size_bytes, self_bytes, blocks, largest_block.

    x0 and x1 (0–1) are the place in a flame graph, outermost function at depth 0. Blocks: alive at the pool's peak, alive at
    `from_ns`, allocated in the range, or allocated in it and not freed there.
    """
    name = chosen(store, card).name
    found = blocks(store, device=device, kind=kind, card=name)
    start, end, never = (found[c].to_numpy(zero_copy_only=False) for c in ("alloc_ns", "free_ns", "never_freed"))
    recorded = found["alloc_event"].to_numpy() >= 0
    low, high = 0 if from_ns is None else from_ns, _span(store, name) if to_ns is None else to_ns
    at = _peak(store, name, device, kind) if rule == "peak" else low
    masks = {
        "peak": (start <= at) & ((end > at) | never), "alive": (start <= at) & ((end > at) | never),
        "allocated": recorded & (start >= low) & (start <= high),
        "unreleased": recorded & memscope_leaks.unreleased(start, end, never, low, high),
    }  # fmt: skip
    kept = found.filter(pa.array(masks[rule]))
    return memscope_stacks.tree(kept, "stack_py" if side == "python" else "stack_c", memscope_stacks.texts(store, name))


def block_stacks(store: Store, *, block_id: int, card: str | None = None) -> pa.Table:
    """Call stacks of a block, one row: malloc_python, malloc_c, free_python, free_c; empty where there is none."""
    name = chosen(store, card).name
    found = store.sql(
        "SELECT alloc_event, free_event FROM memscope_block WHERE card = $card AND block_id = $id",
        card=name,
        id=block_id,
    ).to_pylist()
    if not found:
        raise BadArgument(f"There is no block {block_id}.", fix="Take a block_id of the query blocks.")
    rows = store.sql(
        """SELECT row, stack_py, stack_c FROM (SELECT stack_py, stack_c, row_number() OVER () - 1 AS row
           FROM memscope_event WHERE card = $card) WHERE row IN ($malloc, $free)""",
        card=name, malloc=found[0]["alloc_event"], free=found[0]["free_event"],
    ).to_pylist()  # fmt: skip
    texts = [*memscope_stacks.texts(store, name), ""]
    words = {row["row"]: (texts[row["stack_py"]], texts[row["stack_c"]]) for row in rows}
    malloc, free = (words.get(found[0][event], ("", "")) for event in ("alloc_event", "free_event"))
    return pa.table(
        {"malloc_python": [malloc[0]], "malloc_c": [malloc[1]], "free_python": [free[0]], "free_c": [free[1]]}
    )


def block_events(store: Store, *, block_id: int, card: str | None = None) -> pa.Table:
    """MALLOC, accesses and FREE of a block in their order: row (of the event table), id, event, type, t_ns.

    Accesses are those of its process, device and address inside its life.
    """
    name = chosen(store, card).name
    return store.sql(
        """
        WITH block AS (SELECT * FROM memscope_block WHERE card = $card AND block_id = $id)
        SELECT e.row, e.id, e.event, e.type, e.t_ns
        FROM (SELECT *, row_number() OVER () - 1 AS row FROM memscope_event WHERE card = $card) e, block b
        WHERE e.row IN (b.alloc_event, b.free_event)
           OR (e.event = 'ACCESS' AND e.address = b.address AND e.pid = b.pid AND e.device = b.device
               AND e.t_ns BETWEEN b.alloc_ns AND b.free_ns)
        ORDER BY e.t_ns, e.event <> 'MALLOC', e.event = 'FREE', e.id""",
        card=name, id=block_id,
    )  # fmt: skip


def markers(store: Store, *, card: str | None = None) -> pa.Table:
    """Events that mark times: id, event, type, name, t_ns, device, attr; MSTX, SYSTEM, SNAPSHOT, OOM_DETAIL, CLEAN_UP."""
    return store.sql(
        """SELECT id, event, type, name, t_ns, device, attr FROM memscope_event WHERE card = $card
           AND event NOT IN ('MALLOC', 'FREE', 'ACCESS', 'OP_LAUNCH', 'KERNEL_LAUNCH') ORDER BY t_ns, id""",
        card=chosen(store, card).name,
    )


def threads(store: Store, *, card: str | None = None) -> pa.Table:
    """Threads of the Python traces: track, pid, tid, functions, depth (rows of the deepest stack)."""
    tracks = store.capture(chosen(store, card).name).tracks
    return pa.table({
        "track": pa.array(range(tracks.num_rows), pa.int64()), "pid": tracks["pid"], "tid": tracks["tid"],
        "functions": tracks["slices"].cast(pa.int64()), "depth": tracks["rows"].cast(pa.int64()),
    })  # fmt: skip


def calls(
    store: Store,
    *,
    track: int = 0,
    from_ns: int | None = None,
    to_ns: int | None = None,
    px: int = 1000,
    card: str | None = None,
) -> pa.Table:
    """What a flame graph of a thread draws over time: depth, x0, x1, name, start_ns, end_ns, functions, is_open.

    x0 and x1 are pixels of a picture `px` wide. A function of a pixel or more stands alone; shorter neighbours whose pixels
    touch are one line (`functions` of them, the name of the longest). is_open: its start or end is not in the data.
    """
    name = chosen(store, card).name
    origin = int(facts(store, card=name)["start_ns"][0].as_py())
    low, high = 0 if from_ns is None else from_ns, _span(store, name) if to_ns is None else to_ns
    return memscope_calls.calls(store.capture(name), track, low + origin, high + origin, px, origin)


def functions(store: Store, *, track: int = 0, card: str | None = None) -> pa.Table:
    """Functions of a thread by time: name, count, sum_ns, self_ns, max_ns, first_ns, last_ns."""
    name = chosen(store, card).name
    origin = int(facts(store, card=name)["start_ns"][0].as_py())
    return memscope_calls.functions(store.capture(name), track, origin)


def quality(store: Store, *, card: str | None = None) -> pa.Table:
    """What was wrong with the rows: reason, device, type, rows, of, ignored (the rows are in no curve).

    block_before_tracing and implicit_free are rows that count because the user wants it: see `pairing` of an import.
    """
    return store.sql(
        "SELECT * EXCLUDE (card) FROM memscope_quality WHERE card = $card ORDER BY ignored DESC, reason, device, type",
        card=chosen(store, card).name,
    )


def compare_file(store: Store, *, card: str | None = None) -> pa.Table:
    """The collector's own comparison: file, event, name, device, base_bytes, compare_bytes, allocated_bytes, diff_bytes.

    Rows as in the files `memory_compare_*.csv` that lie beside the dump. Raises NoData without any.
    """
    name = chosen(store, card).name
    found = store.sql("SELECT * EXCLUDE (card) FROM memscope_compare WHERE card = $card", card=name)
    if not found.num_rows:
        raise NoData("No comparison by the collector lies beside this dump.", fix="Put memory_compare_*.csv beside it.")
    return found


def chosen(store: Store, card: str | None) -> StoreCard:
    """The dump of that name, or the only one. Raises NoData without any, BadArgument when that is not clear."""
    cards = [c for c in store.cards_of("memory") if c.kind == "memscope"]
    if card is None and len(cards) == 1:
        return cards[0]
    if not cards:
        raise NoData("No MemScope dump is open.", fix="Open a memscope_dump_*.db or .csv file.")
    found = next((c for c in cards if c.name == card), None)
    if found is None:
        told = f"There is no MemScope dump {card!r}." if card is not None else "Several MemScope dumps are open."
        raise BadArgument(told, fix=f"Choose one with card: {', '.join(c.name for c in cards)}.")
    return found


# ---- inside


def _living(
    store: Store, name: str, device: str | None, kind: str | None, rule: str, by: str
) -> dict[tuple[str, str, str], tuple[int, int]]:
    """Blocks and bytes per (device, type, group) of what lives at the end, or at the peak of each pool."""
    found: dict[tuple[str, str, str], tuple[int, int]] = {}
    texts = memscope_stacks.texts(store, name)
    for pool in devices(store, card=name).to_pylist():
        if device not in (None, pool["device"]) or kind not in (None, pool["type"]):
            continue
        lives = "never_freed" if rule == "end" else "alloc_ns <= $at AND (free_ns > $at OR never_freed)"
        given = {} if rule == "end" else {"at": pool["peak_ns"]}
        rows = store.sql(
            f"""SELECT owner, stack_py, stack_c, size_bytes FROM memscope_block
                WHERE card = $card AND device = $device AND type = $kind AND {lives}""",
            card=name, device=pool["device"], kind=pool["type"], **given,
        )  # fmt: skip
        for owner, py, c, size in zip(*(rows[n].to_pylist() for n in rows.schema.names), strict=True):
            stack = py if py >= 0 else c
            group = {
                "type": pool["type"], "owner": owner or "(no owner)",
                "stack": texts[stack].split("\n", 1)[0] if stack >= 0 else memscope_stacks.NO_STACK,
            }[by]  # fmt: skip
            count, total = found.get((pool["device"], pool["type"], group), (0, 0))
            found[pool["device"], pool["type"], group] = count + 1, total + size
    return found


def _threshold(ns: int, percent: int) -> Threshold:
    if not 0 <= ns <= memscope_tags.MOST_NS or not 0 <= percent <= 100:
        raise BadArgument(
            f"A threshold of {ns} ns or {percent} % is not possible.", fix="Use 0 to 10¹² ns and 0 to 100 %."
        )
    return Threshold(ns, percent)


def _tags(found: pa.Table, early: Threshold, late: Threshold, idle: Threshold) -> pa.Array:
    columns = {
        name: pc.fill_null(found[name], _NONE).to_numpy()
        for name in ("alloc_ns", "free_ns", "first_access_ns", "last_access_ns", "max_gap_ns")
    }
    recorded = found["alloc_event"].to_numpy() >= 0
    masks = memscope_tags.tags(*columns.values(), none=_NONE, recorded=recorded, early=early, late=late, idle=idle)
    out = pa.array([""] * found.num_rows, pa.string()) if found.num_rows else pa.array([], pa.string())
    for tag, mask in masks.items():
        if mask.any():
            joined = pc.if_else(pc.equal(out, ""), tag, pc.binary_join_element_wise(out, tag, ","))
            out = pc.if_else(pa.array(mask), joined, out)
    return out


def _span(store: Store, name: str) -> int:
    found = store.sql("SELECT span_ns FROM memscope_fact WHERE card = $card", card=name)
    return int(found["span_ns"][0].as_py()) if found.num_rows else 1


def _peak(store: Store, name: str, device: str, kind: str) -> int:
    found = store.sql(
        """SELECT t_ns FROM memscope_curve WHERE card = $card AND device = $device AND type = $kind
           ORDER BY allocated_bytes DESC, t_ns LIMIT 1""",
        card=name, device=device, kind=kind,
    )  # fmt: skip
    if not found.num_rows:
        raise _no_pool(store, name, device, kind)
    return int(found["t_ns"][0].as_py())


def _no_pool(store: Store, name: str, device: str, kind: str) -> NoData:
    known = [f"{row['device']} {row['type']}" for row in devices(store, card=name).to_pylist()]
    return NoData(
        f"Device {device} has no allocation of type {kind}.",
        fix=f"There are: {', '.join(known)}." if known else "Collect with the events alloc and free.",
    )


def _markers(store: Store, name: str) -> list[dict[str, Any]]:
    return store.sql(
        "SELECT type, name, t_ns, pid, tid FROM memscope_event WHERE card = $card AND event = 'MSTX' ORDER BY t_ns, id",
        card=name,
    ).to_pylist()


def _suspects(
    store: Store, name: str, found: pa.Table, steps: list[memscope_leaks.Step], low: int, high: int
) -> dict[str, Any]:
    start, end, never = (found[c].to_numpy(zero_copy_only=False) for c in ("alloc_ns", "free_ns", "never_freed"))
    is_hal = np.array(pc.equal(found["type"], "HAL").to_pylist(), np.bool_)
    marks = [m["t_ns"] for m in _markers(store, name) if m["type"] == "Mark"]
    return {
        memscope_leaks.STEP: memscope_leaks.step_leaks(start, end, never, steps),
        memscope_leaks.MARKS: memscope_leaks.mark_leaks(start, end, never, is_hal, marks),
        memscope_leaks.UNRELEASED: memscope_leaks.unreleased(start, end, never, low, high),
    }


def _grouped(found: pa.Table, rule: str, by: str, steps: int, texts: list[str]) -> list[dict[str, Any]]:
    groups: dict[tuple[str, str, str, int], list[tuple[int, int]]] = {}
    columns = ("device", "type", "owner", "stack_py", "stack_c", "size_bytes", "alloc_ns")
    for device, pool, owner, py, c, size, start in zip(*(found[n].to_pylist() for n in columns), strict=True):
        stack = (py if py >= 0 else c) if by == "stack" else -1
        group = texts[stack].split("\n", 1)[0] if stack >= 0 else owner or "(no owner)"
        groups.setdefault((device, pool, group, stack), []).append((size, start))
    return [
        {
            "rule": rule, "device": device, "type": pool, "group": group, "blocks": len(held),
            "size_bytes": sum(size for size, _ in held), "largest_bytes": max(size for size, _ in held),
            "first_alloc_ns": min(t for _, t in held), "last_alloc_ns": max(t for _, t in held),
            "blocks_per_step": len(held) / steps if steps else None, "stack": stack,
        }
        for (device, pool, group, stack), held in groups.items()
    ]  # fmt: skip


def _growths(
    store: Store, name: str, steps: list[memscope_leaks.Step], device: str | None, kind: str | None
) -> list[dict[str, Any]]:
    if not steps:
        return []
    out = []
    for pool in devices(store, card=name).to_pylist():
        if device not in (None, pool["device"]) or kind not in (None, pool["type"]):
            continue
        points = curve(store, device=pool["device"], kind=pool["type"], card=name)
        at = np.searchsorted(points["t_ns"].to_numpy(), [s.end_ns for s in steps], "right") - 1
        values = points["allocated_bytes"].to_numpy()[np.maximum(at, 0)].tolist()
        slope = memscope_leaks.growth(values)
        if slope is not None:
            out.append({
                "rule": memscope_leaks.GROWTH, "device": pool["device"], "type": pool["type"],
                "group": f"{pool['type']} at the ends of {len(steps)} steps", "blocks": 0, "size_bytes": round(slope),
                "largest_bytes": 0, "first_alloc_ns": steps[0].end_ns, "last_alloc_ns": steps[-1].end_ns,
                "blocks_per_step": None, "stack": -1,
            })  # fmt: skip
    return out
