"""Kernel E2E Time: how long each stage of dispatching a kernel took, from the Python call to the launch."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.chains import ROLES, Chains, chains
from insight_desktop.errors import BadArgument

Path = Literal["ALL", "ACLOP", "ACLNN"]
Ints = npt.NDArray[np.int64]

NORMAL, FALLBACK, INCOMPLETE = 0, 1, 2
STATUS = ("normal", "fallback", "incomplete")
NOTES = (
    "", "no launch: the end of the dequeue is used", "times are not in order", "missing launch", "missing CANN API",
    "missing dequeue", "missing enqueue", "missing Python call",
)  # fmt: skip
ROLE_TITLES = {
    "python": "PythonCall", "op": "PythonOp", "enqueue": "Enqueue", "dequeue": "Dequeue", "api": "CANN API",
    "launch": "Launch", "task": "Hardware Task",
}  # fmt: skip
LEVELS = ("chain", "launch", "cann", "python")  # what a row is: see kernel_e2e
STAGES = ("prepare_ns", "python_ns", "enqueue_ns", "queue_ns", "pipeline2_ns", "launch_ns", "e2e_ns")
NONE = np.iinfo(np.int64).min  # a figure that is not defined

_SCHEMA = pa.schema(
    [
        ("id", pa.int64()), ("parent", pa.int64()), ("level", pa.string()), ("path", pa.string()),
        ("name", pa.large_string()), *((stage, pa.int64()) for stage in STAGES), ("status", pa.string()),
        ("note", pa.string()), ("ts_ns", pa.int64()),
    ]
)  # fmt: skip
_DETAIL = pa.schema(
    [
        ("role", pa.string()), ("slice_id", pa.int64()), ("name", pa.large_string()), ("ts_ns", pa.int64()),
        ("dur_ns", pa.int64()), ("missing", pa.string()),
    ]
)  # fmt: skip
_RATE = pa.schema(
    [("rows", pa.int64()), *((name, pa.int64()) for name in STATUS), ("match_percent", pa.float64())]
)  # fmt: skip

_KEPT = 8
_lock = threading.Lock()
_trees: weakref.WeakKeyDictionary[Capture, OrderedDict[tuple[str, int | None, int | None], Tree]]
_trees = weakref.WeakKeyDictionary()


def kernel_e2e(
    store: Store,
    *,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    path: Path = "ALL",
    operator: str = "",
) -> pa.Table:
    """Dispatch chains as a tree: id, parent, level, path, name, the stages in ns, status, note, ts_ns.

    Stages: prepare_ns, python_ns, enqueue_ns, queue_ns, pipeline2_ns, launch_ns, e2e_ns; null where not defined. level is
    `python` (all rows below one Python call), `cann` (all launches of one CANN call), `launch` (one of them) or `chain` (a
    chain that shares neither). Rows stand below their parent; those of the top by e2e_ns, longest first. operator keeps
    the rows of the top whose name contains it. A range keeps the chains that overlap it, whole. status is normal,
    fallback (no launch) or incomplete, of a parent the worst below it; note says why. ts_ns is the first known start.
    """
    capture = store.capture(store.card(card).name)
    tree, rows = _wanted(capture, path, operator, from_ns, to_ns)
    return _table(capture, tree, rows)


def kernel_e2e_rate(
    store: Store,
    *,
    card: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    path: Path = "ALL",
    operator: str = "",
) -> pa.Table:
    """One row: rows, normal, fallback, incomplete (of the top, after the filters) and match_percent = normal / rows.

    match_percent has two decimals, null without rows. Arguments as for kernel_e2e.
    """
    capture = store.capture(store.card(card).name)
    tree, rows = _wanted(capture, path, operator, from_ns, to_ns)
    status = tree.status[rows[tree.parent[rows] < 0]]
    counts = np.bincount(status, minlength=3).tolist()
    percent = round(100 * counts[NORMAL] / len(status), 2) if len(status) else None
    row = {"rows": len(status), **dict(zip(STATUS, counts, strict=True)), "match_percent": percent}
    return pa.Table.from_pylist([row], _RATE)


def kernel_e2e_details(store: Store, *, id: int, card: str | None = None) -> pa.Table:
    """The slices of a row of kernel_e2e in role order: role, slice_id, name, ts_ns, dur_ns, missing.

    role is PythonCall, PythonOp, Enqueue, Dequeue, CANN API, Launch or Hardware Task; a parent lists each slice below it
    once. missing is true text only where a role has no slice: why. Raises BadArgument for an unknown id.
    """
    capture = store.capture(store.card(card).name)
    found = chains(capture)
    members = _members(found, id)
    rows = []
    for role in ROLES:
        ids = np.unique(found.ids[role][members])
        ids = ids[ids >= 0]
        for one in ids[np.argsort(np.asarray(capture.slice_start)[ids], kind="stable")].tolist():
            start, end = int(capture.slice_start[one]), int(capture.slice_end[one])
            name = capture.text(int(capture.slice_name[one]))
            rows.append(
                {"role": ROLE_TITLES[role], "slice_id": one, "name": name, "ts_ns": start, "dur_ns": end - start}
            )
        if not len(ids):
            rows.append({"role": ROLE_TITLES[role], "missing": _why(role, bool(found.aclnn[members[0]]))})
    return pa.Table.from_pylist(rows, _DETAIL)


def _why(role: str, aclnn: bool) -> str:
    """Why a role may have no slice."""
    return {
        "python": "No <built-in …> call encloses the operator or the enqueue: collect with Python stacks.",
        "op": "No operator (aten::, npu::, vllm::) encloses the enqueue.",
        "enqueue": "No async_task_queue link leads to the dequeue.",
        "dequeue": "No dequeue encloses the CANN call on its thread.",
        "api": "No aclnn call encloses the launch." if aclnn else "No aclopCompileAndExecute call was found.",
        "launch": "No HostToDevice link leads to the task." if aclnn else "No launch lies inside the CANN call.",
        "task": "No HostToDevice link leads from the launch.",
    }[role]


def _members(found: Chains, number: int) -> Ints:
    """Chains of a row: its own one, those of its CANN call, or those of its Python call."""
    count = len(found)
    kind, first = divmod(number, count) if count else (3, 0)
    if not 0 <= kind <= 2:
        raise BadArgument(f"There is no dispatch chain {number}.", fix="Take an id from system.timeline.kernel_e2e.")
    if kind == 0:
        return np.array([first])
    same = found.ids["api" if kind == 1 else "python"]
    return np.flatnonzero(same == same[first]) if same[first] >= 0 else np.array([first])


@dataclass(frozen=True, eq=False)
class Tree:
    """Rows in display order; `parent` is the position of the parent, -1 for the top.

    `figures` has the columns STAGES, `name` string ids (-1 none), `chain` the first chain of a row.
    """

    id: Ints
    parent: Ints
    level: Array
    chain: Ints
    name: Array
    figures: Ints
    status: Array
    note: Array
    ts: Ints
    aclnn: Array


def _wanted(capture: Capture, path: str, operator: str, from_ns: int | None, to_ns: int | None) -> tuple[Tree, Ints]:
    """The tree and the positions of the rows that pass the filter of the top."""
    if path not in ("ALL", "ACLOP", "ACLNN"):
        raise BadArgument(f"There is no path {path!r}.", fix="Use ALL, ACLOP or ACLNN.")
    if from_ns is not None and to_ns is not None and from_ns > to_ns:
        raise BadArgument("The range ends before it begins.", fix="Give from_ns at or before to_ns.")
    key = (path, from_ns, to_ns)
    with _lock:
        held = _trees.setdefault(capture, OrderedDict())
        tree = held.get(key)
        if tree is None:
            tree = held[key] = build(capture, _chosen(capture, chains(capture), *key))
            while len(held) > _KEPT:
                held.popitem(last=False)
        held.move_to_end(key)
    rows = np.arange(len(tree.id))
    if operator.strip():
        names, at = np.unique(tree.name, return_inverse=True)
        texts = capture.strings.take(pa.array(names, mask=names < 0))
        match = pc.match_substring(texts, operator.strip(), ignore_case=True).fill_null(False)
        passes = np.asarray(match.to_numpy(zero_copy_only=False), np.bool_)[at]
        rows = rows[passes[_top_of(tree)]]
    return tree, rows


def _top_of(tree: Tree) -> Ints:
    """Position of the row of the top that each row is below."""
    top = np.where(tree.parent < 0, np.arange(len(tree.parent)), tree.parent)
    return top[top]  # three levels at most


def _chosen(capture: Capture, found: Chains, path: str, from_ns: int | None, to_ns: int | None) -> Ints:
    keep = np.ones(len(found), np.bool_)
    if path != "ALL":
        keep = found.aclnn == (path == "ACLNN")
    if from_ns is not None or to_ns is not None:
        low, high = _span(capture, found)
        keep &= (high >= (from_ns if from_ns is not None else NONE)) & (
            low <= (to_ns if to_ns is not None else -NONE - 1)
        )
    return np.flatnonzero(keep)


def _span(capture: Capture, found: Chains) -> tuple[Ints, Ints]:
    """First start and last end of the known slices of each chain."""
    low = np.full(len(found), np.iinfo(np.int64).max)
    high = np.full(len(found), NONE)
    for ids in found.ids.values():
        known = ids >= 0
        low[known] = np.minimum(low[known], np.asarray(capture.slice_start)[ids[known]])
        high[known] = np.maximum(high[known], np.asarray(capture.slice_end)[ids[known]])
    return low, high


class _Stages:
    """Figures of single chains."""

    def __init__(self, capture: Capture, found: Chains, chosen: Ints) -> None:
        self.start: dict[str, Ints] = {}
        self.end: dict[str, Ints] = {}
        self.has: dict[str, Array] = {}
        for role in ROLES:
            ids = found.ids[role][chosen]
            self.has[role] = ids >= 0
            for kept, column in ((self.start, capture.slice_start), (self.end, capture.slice_end)):
                kept[role] = np.where(ids >= 0, np.asarray(column)[np.maximum(ids, 0)], 0) if len(ids) else ids
        self.status, self.note = self._status(found.aclnn[chosen])
        self.figures = self._figures()

    def _figures(self) -> Ints:
        start, end, has = self.start, self.end, self.has
        last = np.where(has["launch"], end["launch"], end["dequeue"])
        has_last = has["launch"] | has["dequeue"]
        columns = (
            _between(start["python"], start["enqueue"], has["python"] & has["enqueue"]),
            _between(start["python"], end["python"], has["python"]),
            _between(start["enqueue"], end["enqueue"], has["enqueue"]),
            _between(end["enqueue"], start["dequeue"], has["enqueue"] & has["dequeue"]),
            _between(start["dequeue"], last, has["dequeue"]),
            _between(start["launch"], end["launch"], has["launch"]),
            _between(start["python"], last, has["python"] & has_last),
        )
        return np.stack(columns, axis=1)

    def _status(self, aclnn: Array) -> tuple[Array, Array]:
        start, end, has = self.start, self.end, self.has
        last = np.where(has["launch"], end["launch"], end["dequeue"])
        ordered = (start["python"] <= start["enqueue"]) & (start["enqueue"] <= end["enqueue"])
        ordered &= (end["enqueue"] <= start["dequeue"]) & (start["dequeue"] <= last)
        note = np.where(has["launch"], 0, NOTES.index("no launch: the end of the dequeue is used"))
        note[~ordered] = NOTES.index("times are not in order")
        # The chain is followed from the device to the host: the first gap on that way is the one that is told.
        for role, text in (
            ("python", "Python call"),
            ("enqueue", "enqueue"),
            ("dequeue", "dequeue"),
            ("api", "CANN API"),
        ):
            note[~has[role]] = NOTES.index(f"missing {text}")
        note[~has["launch"] & ~has["dequeue"] & aclnn] = NOTES.index("missing launch")
        status = np.select([note == 0, note == 1], [NORMAL, FALLBACK], INCOMPLETE)
        return status, note


def _between(a: Ints, b: Ints, known: Array) -> Ints:
    """b − a where both are known and in order, else NONE."""
    return np.where(known & (b >= a), b - a, NONE)


def build(capture: Capture, chosen: Ints) -> Tree:
    """The tree over some chains."""
    found = chains(capture)
    stages = _Stages(capture, found, chosen)
    count, total = len(chosen), len(found)
    ids = {role: found.ids[role][chosen] for role in ROLES}
    cann = _groups(ids["api"], np.arange(count))  # rows below the top level: one per chain, or per shared CANN call
    unit_first = cann.first
    python = _groups(ids["python"][unit_first], np.arange(len(unit_first)))
    # Rows: chains (position 0 …), CANN parents, Python parents.
    many, shared = np.flatnonzero(cann.size > 1), np.flatnonzero(python.size > 1)
    cann_row = np.full(len(cann.size), -1, np.int64)
    cann_row[many] = count + np.arange(len(many))
    python_row = np.full(len(python.size), -1, np.int64)
    python_row[shared] = count + len(many) + np.arange(len(shared))
    of_unit = python_row[python.of]
    chain_parent = np.where(cann_row[cann.of] >= 0, cann_row[cann.of], of_unit[cann.of])
    parent = np.concatenate([chain_parent, of_unit[many], np.full(len(shared), -1)]).astype(np.int64)
    first = np.concatenate([np.arange(count), unit_first[many], unit_first[python.first[shared]]])
    level = np.repeat([0, 2, 3], [count, len(many), len(shared)])
    level[:count][cann_row[cann.of] >= 0] = 1
    blocks = [_leaf_figures(stages, level[:count]), _cann_figures(stages, cann, many)]
    blocks.append(_python_figures(stages, ids, python.of[cann.of], len(python.size))[shared])
    status, note = _worst(stages, [cann.of, python.of[cann.of]], [many, shared])
    name = _names(capture, ids, first, level, parent)
    low, _ = _span(capture, found)
    row_id = chosen[first] + total * np.select([level == 2, level == 3], [1, 2], 0)
    figures = np.concatenate(blocks)
    order = _display_order(figures[:, -1], parent, _when(stages, level, first))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    parent = np.where(parent >= 0, place[np.maximum(parent, 0)], -1)[order] if len(order) else parent
    return Tree(
        row_id[order], parent, level[order], chosen[first][order], name[order], figures[order], status[order],
        note[order], low[chosen[first]][order], found.aclnn[chosen[first]][order],
    )  # fmt: skip


@dataclass(frozen=True)
class _Groups:
    """Group of each item, first item and size of each group; items with key -1 stand alone."""

    of: Ints
    first: Ints
    size: Ints


def _groups(key: Ints, items: Ints) -> _Groups:
    alone = np.where(key >= 0, key, -1 - items)
    _, first, of, size = np.unique(alone, return_index=True, return_inverse=True, return_counts=True)
    return _Groups(of.astype(np.int64), first.astype(np.int64), size.astype(np.int64))


def _leaf_figures(stages: _Stages, level: Array) -> Ints:
    figures = stages.figures.copy()
    figures[np.ix_(level == 1, range(4))] = NONE  # what the launches of one CANN call share stands on their parent
    return figures


def _cann_figures(stages: _Stages, cann: _Groups, many: Ints) -> Ints:
    figures = stages.figures[cann.first[many]]
    for column in (4, 5):
        figures[:, column] = _sums(stages.figures[:, column], cann.of, len(cann.size))[many]
    figures[:, 6] = _longest(stages.figures[:, 6], cann.of, len(cann.size))[many]
    return figures


def _python_figures(stages: _Stages, ids: dict[str, Ints], group: Ints, groups: int) -> Ints:
    """Figures of Python calls: each pair of enqueue and dequeue counts once."""
    figures = np.full((groups, len(STAGES)), NONE, np.int64)
    figures[:, 1] = _longest(stages.figures[:, 1], group, groups)
    known = stages.has["enqueue"] & stages.has["python"]
    earliest = np.full(groups, np.iinfo(np.int64).max)
    np.minimum.at(earliest, group[known], stages.start["enqueue"][known])
    begin = np.full(groups, NONE)
    begin[group] = np.where(stages.has["python"], stages.start["python"], NONE)
    told = (earliest < np.iinfo(np.int64).max) & (begin != NONE)
    figures[:, 0] = np.where(told & (earliest >= begin), earliest - np.where(told, begin, 0), NONE)
    pairs = np.stack([group, ids["enqueue"], ids["dequeue"]], axis=1)
    once = np.unique(pairs, axis=0, return_index=True)[1] if len(pairs) else np.empty(0, np.int64)
    for column in (2, 3):
        figures[:, column] = _sums(stages.figures[once, column], group[once], groups)
    for column in (4, 5):
        figures[:, column] = _sums(stages.figures[:, column], group, groups)
    figures[:, 6] = _longest(stages.figures[:, 6], group, groups)
    return figures


def _sums(values: Ints, group: Ints, groups: int) -> Ints:
    """Sum per group, NONE without a defined value."""
    known = values != NONE
    out = np.zeros(groups, np.int64)
    np.add.at(out, group[known], values[known])
    out[np.bincount(group[known], minlength=groups) == 0] = NONE
    return out


def _longest(values: Ints, group: Ints, groups: int) -> Ints:
    out = np.full(groups, NONE)
    np.maximum.at(out, group, values)
    return out


def _worst(stages: _Stages, groups: list[Ints], kept: list[Ints]) -> tuple[Array, Array]:
    """Status and note of the chains, then of parents: the worst below, with the note of the first chain that has it."""
    status, note = [stages.status], [stages.note]
    for group, rows in zip(groups, kept, strict=True):
        order = np.lexsort((-stages.status, group))
        first = order[np.unique(group[order], return_index=True)[1]]
        status.append(stages.status[first][rows])
        note.append(stages.note[first][rows])
    return np.concatenate(status), np.concatenate(note)


_NAMED_BY = {  # per kind of row: which role's name is shown, the first that is known
    "top": ("python", "op", "api", "launch", "task"),
    "branch": ("op", "api", "launch", "task", "dequeue", "enqueue"),
    "launch": ("task", "launch", "api", "op", "dequeue", "enqueue"),
}


def _names(capture: Capture, ids: dict[str, Ints], first: Ints, level: Array, parent: Ints) -> Array:
    """String id of each row's name."""
    name = np.full(len(first), -1, np.int64)
    kinds = {"top": (parent < 0), "branch": (parent >= 0) & (level != 1), "launch": (parent >= 0) & (level == 1)}
    for kind, mine in kinds.items():
        for role in _NAMED_BY[kind]:
            slice_id = ids[role][first]
            take = mine & (name < 0) & (slice_id >= 0)
            name[take] = np.asarray(capture.slice_name)[slice_id[take]]
    return name


def _when(stages: _Stages, level: Array, first: Ints) -> Ints:
    """When a row happens beside the others below its parent: launches by their start, all others by their enqueue."""
    out = np.zeros(len(first), np.int64)
    for role in ("task", "launch", "api", "dequeue", "enqueue"):
        known = stages.has[role][first] & ((level != 1) | (role in ("task", "launch")))
        out[known] = stages.start[role][first[known]]
    return out


def _display_order(e2e: Ints, parent: Ints, start: Ints) -> Ints:
    """Positions of the rows: the top by e2e, longest first, everything below its parent by time."""
    rows = np.arange(len(parent))
    top_first = np.lexsort((start, -np.maximum(e2e, -1), parent >= 0))
    rank = np.empty(len(rows), np.int64)
    rank[top_first] = rows
    one_up = np.where(parent < 0, rows, parent)
    top = one_up[one_up] if len(rows) else one_up
    middle = np.where(parent < 0, rows, np.where(parent[one_up] < 0, rows, one_up)) if len(rows) else rows
    depth = (one_up != rows).astype(np.int64) + (top != one_up)
    order = np.lexsort((rows, start, depth > 1, middle, start[middle], depth > 0, rank[top]))
    return order.astype(np.int64)


def _table(capture: Capture, tree: Tree, rows: Ints) -> pa.Table:
    parent = tree.parent[rows]
    name = tree.name[rows]
    figures = tree.figures[rows]
    columns = [
        pa.array(tree.id[rows]),
        pa.array(tree.id[np.maximum(parent, 0)] if len(tree.id) else parent, mask=parent < 0),
        pa.array(LEVELS).take(pa.array(tree.level[rows])),
        pa.array(["ACLOP", "ACLNN"]).take(pa.array(tree.aclnn[rows].astype(np.int8))),
        capture.strings.take(pa.array(name, mask=name < 0)).cast(pa.large_string()),
        *(pa.array(figures[:, i], mask=figures[:, i] == NONE) for i in range(len(STAGES))),
        pa.array(STATUS).take(pa.array(tree.status[rows])),
        pa.array(NOTES).take(pa.array(tree.note[rows])),
        pa.array(tree.ts[rows]),
    ]
    return pa.table(columns, schema=_SCHEMA)
