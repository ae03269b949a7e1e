"""Named queries of the page On-Chip Memory: memories of a compiled kernel and the blocks that live in them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.operator.profiles import kernel
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument

_LAST = (1 << 64) - 1


def scopes(store: Store, *, card: str | None = None) -> pa.Table:
    """The memories in the order of the file: row, kernel, scope, status, error; status fail is a failed compilation."""
    return kernel(store, card, "on_chip").table("operator_on_chip_scope")


def blocks(
    store: Store,
    *,
    scope: str | None = None,
    from_line: int | None = None,
    to_line: int | None = None,
    card: str | None = None,
) -> pa.Table:
    """Blocks of a memory: row, scope, id, buffer, address_bytes, size_bytes, start_line, end_line, alloc_line, is_tmpbuf,
    offset_bytes, source_location.

    Addresses are simulated by a first-fit allocator. With lines only blocks that live all the way from from_line to
    to_line are given; lines are those of the intermediate representation. Without a scope the first one.
    """
    main = kernel(store, card, "on_chip")
    known = main.table("operator_on_chip_scope")["scope"].to_pylist()
    chosen = scope if scope is not None else (known[0] if known else "")
    if scope is not None and scope not in known:
        raise BadArgument(f"There is no memory {scope!r}.", fix=f"Memories: {', '.join(known) or 'none'}.")
    low, high = 0 if from_line is None else from_line, _LAST if to_line is None else to_line
    if low > high:
        raise BadArgument(
            "Invalid range: start timestamp is greater than end time.", fix="Give the smaller line first."
        )
    found = main.table("operator_on_chip_block")
    found = found.filter(pc.equal(found["scope"], chosen))
    if from_line is None and to_line is None:
        return found
    # A block covers the range; an open end is the life of the block itself.
    keep = pc.and_(
        pc.less_equal(found["start_line"], low if from_line is not None else found["start_line"]),
        pc.greater_equal(found["end_line"], high if to_line is not None else found["end_line"]),
    )
    return found.filter(keep)


def peak(store: Store, *, scope: str | None = None, card: str | None = None) -> pa.Table:
    """Bytes in use over the lines of a memory: line, used_bytes; one row per line where that changes."""
    found = blocks(store, scope=scope, card=card).to_pylist()
    lines = sorted({line for row in found for line in (row["start_line"], row["end_line"] + 1)})
    used = dict.fromkeys(lines, 0)
    for row in found:
        used[row["start_line"]] += row["size_bytes"]
        used[row["end_line"] + 1] -= row["size_bytes"]
    out, total = [], 0
    for line in lines:
        total += used[line]
        out.append({"line": line, "used_bytes": total})
    return pa.Table.from_pylist(out, pa.schema([("line", pa.int64()), ("used_bytes", pa.int64())]))
