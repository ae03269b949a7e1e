"""Call stacks of a snapshot: as text, without the frames of the interpreter, searched, summed up, and as a tree."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.engine.memory.snapshot_data import Frame, Snapshot

Array = npt.NDArray[Any]

NO_STACK = "no stack"
_HIDDEN = re.compile(
    r"unwind::unwind|CapturedTraceback::gather|gather_with_cpp|^_start$|__libc_start_main|PyEval_|PyObject_|PyFunction_"
)
_HIDDEN_FILES = re.compile(
    r"core/boxing|/Register|/Redispatch|pythonrun\.c|Modules/main\.c|Objects/call\.c|Objects/methodobject\.c"
    r"|pycore_ceval\.h|ceval\.c|cpython/abstract\.h"
)


def is_interpreter(frame: Frame) -> bool:
    """True for frames of the interpreter and the dispatcher, which say nothing about the program."""
    return bool(_HIDDEN.search(frame.function) or _HIDDEN_FILES.search(frame.file))


def shown(frames: list[Frame], *, every: bool = False) -> list[Frame]:
    """The frames that a reader wants; all of them with `every`, or when nothing else would be left."""
    kept = [frame for frame in frames if not is_interpreter(frame)]
    return frames if every or not kept else kept


def repeated(frames: list[Frame]) -> list[tuple[Frame, int]]:
    """(frame, times): runs of three and more equal frames become one; shorter runs stay as they are."""
    out: list[tuple[Frame, int]] = []
    k = 0
    while k < len(frames):
        end = k
        while end < len(frames) and frames[end] == frames[k]:
            end += 1
        out += [(frames[k], end - k)] if end - k >= 3 else [(frames[k], 1)] * (end - k)
        k = end
    return out


def label(snapshot: Snapshot, stack: int) -> str:
    """The innermost frame of the program in one line: function, file name and line."""
    frames = shown(snapshot.frames(stack))
    if not frames:
        return NO_STACK
    frame = frames[0]
    name = frame.file.replace("\\", "/").rsplit("/", 1)[-1]
    return f"{frame.function} {name}:{frame.line}" if name else frame.function


def text(snapshot: Snapshot, stack: int, *, every: bool = True) -> str:
    """All frames, innermost first, one a line."""
    return "\n".join(frame.text for frame in shown(snapshot.frames(stack), every=every))


def matching(snapshot: Snapshot, wanted: str) -> Array:
    """Ids of the stacks with a frame that contains a text (function, file or `file:line`), any case."""
    needle = wanted.casefold()
    found = [
        stack
        for stack in range(1, snapshot.stack_count)
        if any(needle in frame.text.casefold() or needle in frame.fx.casefold() for frame in snapshot.frames(stack))
    ]
    return np.array(found, np.int64)


def sums(stacks: Array, sizes: Array, count: int) -> tuple[Array, Array, Array]:
    """Blocks, bytes and largest block per stack id."""
    largest = np.zeros(count, np.int64)
    np.maximum.at(largest, stacks, sizes)
    total = np.zeros(count, np.int64)
    np.add.at(total, stacks, sizes)
    return np.bincount(stacks, minlength=count), total, largest


def tree(snapshot: Snapshot, bytes_by_stack: dict[int, tuple[int, int]], *, every: bool = False) -> pa.Table:
    """The stacks as a tree, outermost frame first: rows in depth-first order, largest child first.

    Args:
        snapshot: whose stacks.
        bytes_by_stack: stack id → (bytes, blocks).
        every: with the frames of the interpreter.

    Returns:
        id, parent (-1 root), depth, name, file, line, bytes, self_bytes, blocks.
    """
    nodes: list[dict[str, Any]] = [_node("all", -1, 0)]
    children: dict[tuple[int, str, int, str], int] = {}
    for stack, (size, blocks) in bytes_by_stack.items():
        place = 0
        frames = shown(snapshot.frames(stack), every=every)[::-1] or [Frame("", 0, NO_STACK)]
        nodes[0]["bytes"] += size
        nodes[0]["blocks"] += blocks
        for frame in frames:
            key = (place, frame.file, frame.line, frame.function)
            if key not in children:
                children[key] = len(nodes)
                nodes.append(_node(frame.function, place, nodes[place]["depth"] + 1, frame.file, frame.line))
            place = children[key]
            nodes[place]["bytes"] += size
            nodes[place]["blocks"] += blocks
        nodes[place]["self_bytes"] += size
    return _depth_first(nodes)


def _node(name: str, parent: int, depth: int, file: str = "", line: int = 0) -> dict[str, Any]:
    return {"parent": parent, "depth": depth, "name": name, "file": file, "line": line, "bytes": 0, "self_bytes": 0, "blocks": 0}  # fmt: skip


_TREE = pa.schema(
    [("id", pa.int64()), ("parent", pa.int64()), ("depth", pa.int32()), ("name", pa.string()), ("file", pa.string()),
     ("line", pa.int64()), ("bytes", pa.int64()), ("self_bytes", pa.int64()), ("blocks", pa.int64())]
)  # fmt: skip


def _depth_first(nodes: list[dict[str, Any]]) -> pa.Table:
    below: dict[int, list[int]] = {}
    for row, node in enumerate(nodes[1:], 1):
        below.setdefault(node["parent"], []).append(row)
    order, waiting = [], [0]
    while waiting:
        row = waiting.pop()
        order.append(row)
        waiting += sorted(below.get(row, ()), key=lambda r: nodes[r]["bytes"])
    new = {row: place for place, row in enumerate(order)}
    rows = [{"id": new[row], **nodes[row], "parent": new.get(nodes[row]["parent"], -1)} for row in order]
    return pa.Table.from_pylist(rows, _TREE)
