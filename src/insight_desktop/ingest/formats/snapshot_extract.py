"""From the tables of the opcode machine to files: devices, segments and blocks at the dump, stacks, texts, settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from numba import njit

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import snapshot_layout as sl
from insight_desktop.ingest.formats.snapshot_reader import Machine

Array = npt.NDArray[Any]

# Columns of segments.npy and blocks.npy.
SEGMENT_COLUMNS = (
    "device", "address", "size", "stream", "small", "pool", "expandable", "stack", "allocated", "active", "requested",
)  # fmt: skip
BLOCK_COLUMNS = ("segment", "address", "size", "requested", "state", "stack")
INACTIVE, PENDING, ALLOCATED = -1, 0, 1
_STATES = {"active_allocated": ALLOCATED, "active_pending_free": PENDING, "active_awaiting_free": PENDING}
_SEGMENT_KEYS = (
    "device", "address", "total_size", "stream", "segment_type", "segment_pool_id", "is_expandable", "frames",
    "allocated_size", "active_size", "requested_size", "blocks",
)  # fmt: skip
_BLOCK_KEYS = ("address", "size", "requested_size", "state", "frames", "history")
_HISTORY_KEYS = ("addr", "real_size", "frames")
_NO = "no key segments/device_traces: this is no memory snapshot."
_FIX = "Open the file that torch.cuda.memory._dump_snapshot or torch_npu.npu.memory._dump_snapshot wrote."


@njit(nogil=True, cache=True)
def _tabulate(lists, slots, nodes, runs, pool, strs, out, tags, owner):  # type: ignore[no-untyped-def]
    """Values of the wanted keys of every dictionary in some lists; returns how many were found."""
    row = 0
    for place in range(lists.size):
        run = nodes[lists[place], sl.N_FIRST]
        while run >= 0:
            at = runs[run, 0]
            for k in range(at, at + runs[run, 1] if at >= 0 else at):
                node = pool[k, 1]
                if pool[k, 0] != sl.DICT or nodes[node, sl.N_KIND] != sl.IS_DICT:
                    continue
                inner = nodes[node, sl.N_FIRST]
                while inner >= 0:
                    begin = runs[inner, 0]
                    for i in range(begin, begin + runs[inner, 1], 2):
                        slot = strs[pool[i, 1], sl.S_SLOT] if pool[i, 0] == sl.STR else -1
                        if slot >= 0 and slots[slot] >= 0:
                            out[row, slots[slot]] = pool[i + 1, 1]
                            tags[row, slots[slot]] = pool[i + 1, 0]
                    inner = runs[inner, 2]
                owner[row] = place
                row += 1
            run = runs[run, 2]
    return row


class Rows:
    """Dictionaries of some lists as columns; `owner` says which list each came from.

    Args:
        m: machine after `load`.
        lists: nodes of the lists.
        keys: wanted keys.
    """

    def __init__(self, m: Machine, lists: Array, keys: tuple[str, ...]) -> None:
        slots = np.full(len(sl.KEYS), -1, np.int64)
        for place, key in enumerate(keys):
            slots[sl.SLOT[key]] = place
        count = int(m.nodes[lists, sl.N_COUNT].sum())
        values = np.zeros((count, len(keys)), np.int64)
        tags = np.full((count, len(keys)), -1, np.int8)
        owner = np.zeros(count, np.int64)
        rows = int(_tabulate(lists.astype(np.int64), slots, m.nodes, m.runs, m.pool, m.strs, values, tags, owner))
        self.bad = count - rows
        self._m, self._keys = m, keys
        self.values, self.tags, self.owner = values[:rows], tags[:rows], owner[:rows]

    def __len__(self) -> int:
        return len(self.values)

    def numbers(self, key: str, default: int = -1) -> Array:
        """Whole numbers (booleans count as 0 and 1); the default where a value is missing or no number."""
        values, tags = self._column(key)
        out = np.where((tags == sl.INT) | (tags == sl.UINT), values, default)
        return np.where(tags == sl.TRUE, 1, np.where(tags == sl.FALSE, 0, out))

    def texts(self, key: str) -> Array:
        """Rows of texts, -1 where there is none."""
        values, tags = self._column(key)
        return np.where(tags == sl.STR, values, -1)

    def stacks(self, key: str) -> Array:
        """Stack ids, 0 where there is none."""
        values, tags = self._column(key)
        nodes = np.where(tags == sl.LIST, values, 0)
        kinds = self._m.nodes[nodes, sl.N_KIND]
        return np.where((tags == sl.LIST) & (kinds == sl.IS_STACK), self._m.nodes[nodes, sl.N_FIRST], 0)

    def lists(self, key: str) -> Array:
        """Nodes of lists, -1 where there is none."""
        values, tags = self._column(key)
        nodes = np.where(tags == sl.LIST, values, 0)
        return np.where((tags == sl.LIST) & (self._m.nodes[nodes, sl.N_KIND] == sl.IS_LIST), nodes, -1)

    def pairs(self, key: str) -> Array:
        """Rows of pairs (memory pool ids), -1 where there is none."""
        values, tags = self._column(key)
        return np.where(tags == sl.PAIR, values, -1)

    def _column(self, key: str) -> tuple[Array, Array]:
        place = self._keys.index(key)
        return self.values[:, place], self.tags[:, place]


def extract(m: Machine, root: tuple[int, int], folder: Path) -> None:
    """Write what the pickle holds besides its events into a folder.

    Raises:
        BadFile: the content is no memory snapshot.
    """
    tag, node = root
    top = m.mapping(tag, node)
    if tag == sl.LIST and m.nodes[node, sl.N_KIND] == sl.IS_LIST and m.nodes[node, sl.N_COUNT]:
        top = {"segments": root}  # very old files: the list of segments alone
    if not ({"segments", "device_traces"} & set(top)):
        raise BadFile(_NO, fix=_FIX)
    for key in ("segments", "device_traces"):
        if key in top and (top[key][0] != sl.LIST or m.nodes[top[key][1], sl.N_KIND] != sl.IS_LIST):
            raise BadFile(f"{key} is no list: this is no memory snapshot.", fix=_FIX)
    segments, blocks, bad = _segments(m, top.get("segments"))
    if "device_traces" not in top and not len(segments):
        raise BadFile(_NO, fix=_FIX)
    traces, lost = _traces(m, top.get("device_traces"))
    np.save(folder / "segments.npy", segments)
    np.save(folder / "blocks.npy", blocks)
    _write_stacks(m, folder)
    facts = {
        "devices": traces,
        "protocol": int(m.st[sl.PROTOCOL]),
        "settings": m.plain(*top["allocator_settings"]) if "allocator_settings" in top else None,
        "annotations": m.plain(*top["external_annotations"]) if "external_annotations" in top else None,
        "other_keys": sorted(set(top) - {"segments", "device_traces", "allocator_settings", "external_annotations"}),
        "bad_fields": int(m.st[sl.BAD_FIELDS]),
        "bad_frames": int(m.st[sl.BAD_FRAMES]),
        "bad_segments": bad,
        "bad_events": lost,
        "events": m.events.rows,
    }
    (folder / "facts.json").write_text(json.dumps(facts), encoding="utf-8")


def _traces(m: Machine, at: tuple[int, int] | None) -> tuple[list[list[tuple[int, int]]], int]:
    """Per device the runs of its events, and how many other things stood among them."""
    devices, lost = [], 0
    for tag, node in m.items(at[1]) if at else []:
        if tag == sl.LIST and m.nodes[node, sl.N_KIND] in (sl.IS_LIST, sl.IS_STACK):
            runs, other = m.event_runs(node) if m.nodes[node, sl.N_KIND] == sl.IS_LIST else ([], 0)
            devices.append(runs)
            lost += other
        else:
            devices.append([])
            lost += tag != sl.NONE
    return devices, lost


def _segments(m: Machine, at: tuple[int, int] | None) -> tuple[Array, Array, int]:
    """Segments and their blocks at the dump; and how many entries could not be used."""
    if at is None:
        return np.zeros((0, len(SEGMENT_COLUMNS)), np.int64), np.zeros((0, len(BLOCK_COLUMNS)), np.int64), 0
    rows = Rows(m, np.array([at[1]]), _SEGMENT_KEYS)
    types = rows.texts("segment_type")
    small = {int(t) for t in set(types.tolist()) if t >= 0 and m.text(int(t)) == "small"}
    table = np.column_stack([
        rows.numbers("device", 0), rows.numbers("address", 0), rows.numbers("total_size", 0), rows.numbers("stream", 0),
        np.isin(types, list(small)).astype(np.int64), rows.pairs("segment_pool_id"), rows.numbers("is_expandable", 0),
        rows.stacks("frames"), rows.numbers("allocated_size"), rows.numbers("active_size"), rows.numbers("requested_size"),
    ]).astype(np.int64)  # fmt: skip
    blocks, bad = _blocks(m, rows.lists("blocks"), table[:, 1])
    return table, blocks, bad + rows.bad


def _blocks(m: Machine, lists: Array, addresses: Array) -> tuple[Array, int]:
    """Blocks of all segments; old files give them no addresses, but they tile their segment."""
    given = np.flatnonzero(lists >= 0)
    rows = Rows(m, lists[given], _BLOCK_KEYS)
    segment = given[rows.owner]
    sizes = rows.numbers("size", 0)
    states = rows.texts("state")
    state = np.full(len(rows), INACTIVE, np.int64)
    for text in set(states.tolist()) - {-1}:
        state[states == text] = _STATES.get(m.text(int(text)), INACTIVE)
    before = np.concatenate([[0], np.cumsum(sizes)])[: len(sizes)]
    first = np.searchsorted(rows.owner, rows.owner, "left")
    tiled = addresses[segment] + before - before[first] if len(rows) else before
    where = np.where(rows.tags[:, 0] == -1, tiled, rows.numbers("address", 0))
    requested, stacks = rows.numbers("requested_size"), rows.stacks("frames").astype(np.int64)
    histories = rows.lists("history")
    old = np.flatnonzero((histories >= 0) & (requested < 0))
    if len(old):
        past = Rows(m, histories[old], _HISTORY_KEYS)
        newest, at = np.unique(past.owner, return_index=True)
        requested[old[newest]], stacks[old[newest]] = past.numbers("real_size")[at], past.stacks("frames")[at]
    requested = np.where(requested < 0, sizes, requested)
    return np.column_stack([segment, where, sizes, requested, state, stacks]).astype(np.int64), rows.bad


def _write_stacks(m: Machine, folder: Path) -> None:
    """texts.arrow (value), frames.npy, stacks.npy (at, count), stack_frames.npy, pairs.npy."""
    values = [m.text(row) for row in range(int(m.st[sl.STRS]))]
    table = pa.table({"value": pa.array(values, pa.large_string())})
    with pa.OSFile(str(folder / "texts.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    np.save(folder / "frames.npy", m.frames[: m.st[sl.FRAMES], : sl.F_HASH])
    np.save(folder / "stacks.npy", m.stacks[: m.st[sl.STACKS], : sl.K_HASH])
    np.save(folder / "stack_frames.npy", m.sframes[: m.st[sl.SFRAMES]])
    np.save(folder / "pairs.npy", m.pairs[: m.st[sl.PAIRS]])
