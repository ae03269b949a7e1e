"""Call stacks of a MemScope dump: their texts, and a call tree that is weighted by the bytes of blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.kept import kept

NO_STACK = "(no stack)"
SCHEMA = pa.schema(
    [
        ("node", pa.int64()), ("parent", pa.int64()), ("depth", pa.int32()), ("name", pa.string()), ("x0", pa.float64()),
        ("x1", pa.float64()), ("size_bytes", pa.int64()), ("self_bytes", pa.int64()), ("blocks", pa.int64()),
        ("largest_block", pa.int64()),
    ]
)  # fmt: skip


def texts(store: Store, card: str) -> list[str]:
    """All distinct stacks of a dump by number."""

    def read() -> list[str]:
        found = store.sql("SELECT text FROM memscope_stack WHERE card = $card ORDER BY stack", card=card)
        return list(found["text"].to_pylist())

    return kept(store.capture(card), "memscope stacks", read, lambda held: sum(map(len, held)) + 64 * len(held))


def as_texts(numbers: pa.ChunkedArray, words: list[str]) -> pa.Array:
    """Stacks of rows as a dictionary column, empty for -1."""
    at = pc.if_else(pc.less(numbers, 0), len(words), numbers).cast(pa.int32())
    at = at.combine_chunks() if isinstance(at, pa.ChunkedArray) else at
    return pa.DictionaryArray.from_arrays(at, pa.array([*words, ""], pa.string()))


def frames(text: str) -> list[str]:
    """Functions of a stack, outermost first."""
    return [line.strip() for line in reversed(text.strip().splitlines()) if line.strip()]


def tree(blocks: pa.Table, column: str, words: list[str]) -> pa.Table:
    """Columns of SCHEMA by depth, then from left to right; neighbours by bytes.

    Args:
        blocks: with size_bytes, block_id and the column of the stack.
        column: stack_py or stack_c.
        words: the stacks by number.
    """
    nodes: list[dict[str, Any]] = []
    children: dict[tuple[int, str], int] = {}
    stack = blocks[column].to_numpy()
    size, ids = blocks["size_bytes"].to_numpy(), blocks["block_id"].to_numpy()
    for number in np.unique(stack).tolist():
        mine = stack == number
        total, count = int(size[mine].sum()), int(mine.sum())
        largest = int(np.flatnonzero(mine)[np.argmax(size[mine])])
        parent = -1
        for name in frames(words[number]) if number >= 0 else [NO_STACK]:
            at = children.setdefault((parent, name), len(nodes))
            if at == len(nodes):
                depth = nodes[parent]["depth"] + 1 if parent >= 0 else 0
                nodes.append({"parent": parent, "depth": depth, "name": name, "size_bytes": 0, "self_bytes": 0, "blocks": 0, "largest": -1})  # fmt: skip
            node = nodes[at]
            node["size_bytes"] += total
            node["blocks"] += count
            if node["largest"] < 0 or size[largest] > size[node["largest"]]:
                node["largest"] = largest
            parent = at
        if parent >= 0:
            nodes[parent]["self_bytes"] += total
    return _placed(nodes, int(size.sum()) if len(size) else 0, ids)


def _placed(nodes: list[dict[str, Any]], whole: int, ids: Any) -> pa.Table:
    below: dict[int, list[int]] = {}
    for at, node in enumerate(nodes):
        below.setdefault(node["parent"], []).append(at)
    place: dict[int, float] = {}
    order: list[int] = []
    level = [(-1, 0.0)]
    while level:
        following = []
        for parent, left in level:
            for at in sorted(below.get(parent, ()), key=lambda i: (-nodes[i]["size_bytes"], nodes[i]["name"])):
                place[at] = left
                following.append((at, left))
                order.append(at)
                left += nodes[at]["size_bytes"] / whole if whole else 0.0
        level = following
    number = {at: i for i, at in enumerate(order)}
    rows = [
        {
            "node": number[at], "parent": number.get(nodes[at]["parent"], -1), "depth": nodes[at]["depth"],
            "name": nodes[at]["name"], "x0": place[at],
            "x1": place[at] + (nodes[at]["size_bytes"] / whole if whole else 0.0), "size_bytes": nodes[at]["size_bytes"],
            "self_bytes": nodes[at]["self_bytes"], "blocks": nodes[at]["blocks"], "largest_block": int(ids[nodes[at]["largest"]]),
        }
        for at in order
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, SCHEMA)
