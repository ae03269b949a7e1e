"""What lives at a time, taken apart by owner: the tree behind the memory breakdown of a MemScope dump."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt
import pyarrow as pa

DEPTH = 20
ROOT = "HAL"
UNATTRIBUTED = "unattributed"
_WITH = {"PTA": ("ATB", "PTA_WORKSPACE"), "MINDSPORE": ("ATB", "PTA_WORKSPACE")}
_NAMES = {
    "HAL": "Process Total Memory Allocation", "CANN": "CANN Total Memory Allocation", "ATB": "ATB Reserved",
    "MINDSPORE": "MindSpore Reserved", "PTA": "PTA Reserved", "PTA_WORKSPACE": "PTA Workspace", "PTA@ops": "PTA Operator",
    "PTA@ops@aten": "ATEN", "PTA@model": "PTA Model", UNATTRIBUTED: "Unattributed",
}  # fmt: skip
_ENDINGS = {"optimizer_state": "Optimizer", "weight": "Weight", "gradient": "Gradient"}

SCHEMA = pa.schema(
    [
        ("node", pa.int64()), ("parent", pa.int64()), ("depth", pa.int32()), ("owner", pa.string()), ("name", pa.string()),
        ("size_bytes", pa.int64()), ("ratio", pa.float64()), ("blocks", pa.int64()), ("largest_bytes", pa.int64()),
    ]
)  # fmt: skip


def types_shown(kind: str) -> tuple[str, ...]:
    """Pools whose owners are shown with a pool: those of its workspace too."""
    return (kind, *_WITH.get(kind, ()))


def display_name(owner: str) -> str:
    """Name of a path as it is shown: a known word, else its last level."""
    if owner in _NAMES:
        return _NAMES[owner]
    last = owner.rpartition("@")[2]
    return _ENDINGS.get(last, last) if "@" in owner else last


def tree(owners: list[str], types: list[str], sizes: npt.NDArray[np.int64], kind: str) -> pa.Table:
    """Columns of SCHEMA, parents before children, children by size.

    Args:
        owners, types, sizes: owner path, pool and bytes of every block of the device that lives at the time.
        kind: the chosen pool; its owners (and those of its workspaces) give the nodes, all blocks of an owner count.
    """
    wanted = types_shown(kind)
    shown: set[str] = set()
    for owner, pool in zip(owners, types, strict=True):
        if owner and pool in wanted:
            levels = owner.split("@")[:DEPTH]
            shown.update("@".join(levels[:n]) for n in range(1, len(levels) + 1))
    size: dict[str, int] = defaultdict(int)
    count: dict[str, int] = defaultdict(int)
    largest: dict[str, int] = defaultdict(int)
    known = {path: [p for p in _prefixes(path) if p in shown] for path in set(owners) if path}
    hal = 0
    for owner, pool, n in zip(owners, types, sizes.tolist(), strict=True):
        hal += n if pool == ROOT else 0
        for path in known.get(owner, ()):
            size[path] += n
            count[path] += 1
            largest[path] = max(largest[path], n)
    first = sorted((path for path in shown if "@" not in path), key=lambda p: (-size[p], p))
    whole = hal or sum(size[path] for path in first)
    lines = [_line(0, -1, 0, ROOT, whole, whole, len(owners), max(sizes.tolist(), default=0))]
    _add_children(lines, 0, first, shown, (size, count, largest))
    rest = whole - sum(size[path] for path in first)
    if first and hal and rest > 0:
        lines.append(_line(len(lines), 0, 1, UNATTRIBUTED, rest, whole, 0, 0))
    return pa.Table.from_pylist(lines, SCHEMA)


Sums = tuple[dict[str, int], dict[str, int], dict[str, int]]


def _add_children(lines: list[dict[str, object]], parent: int, paths: list[str], shown: set[str], sums: Sums) -> None:
    size, count, largest = sums
    for path in paths:
        node, depth = len(lines), path.count("@") + 1
        above = lines[parent]["size_bytes"]
        assert isinstance(above, int)
        lines.append(_line(node, parent, depth, path, size[path], above, count[path], largest[path]))
        below = [p for p in shown if p.startswith(path + "@") and "@" not in p[len(path) + 1 :]]
        _add_children(lines, node, sorted(below, key=lambda p: (-size[p], p)), shown, sums)


def _line(
    node: int, parent: int, depth: int, owner: str, size: int, above: int, blocks: int, largest: int
) -> dict[str, object]:
    return {
        "node": node, "parent": parent, "depth": depth, "owner": owner, "name": display_name(owner), "size_bytes": size,
        "ratio": size / above if above else 0.0, "blocks": blocks, "largest_bytes": largest,
    }  # fmt: skip


def _prefixes(path: str) -> list[str]:
    levels = path.split("@")[:DEPTH]
    return ["@".join(levels[:n]) for n in range(1, len(levels) + 1)]
