"""The chain of instructions that a kernel's end waited for: along the pipes, and from WAIT back to its SET."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from insight_desktop.engine.capture import Array, Capture

LANE, LINK = "lane", "link"
_ASIDE = {"USERMARK", "CACHEMISS", "ALL"}  # lanes that repeat or mark what the pipes do

COLUMNS: dict[str, pa.DataType] = {
    "order": pa.int64(), "card": pa.string(), "process": pa.string(), "thread": pa.string(), "name": pa.string(),
    "ts_ns": pa.int64(), "dur_ns": pa.int64(), "own_ns": pa.int64(), "gap_ns": pa.int64(), "via": pa.string(),
    "id": pa.int64(),
}  # fmt: skip


@dataclass(frozen=True)
class Step:
    """One slice of the chain.

    Attributes:
        id: the slice.
        own_ns: its part after the slice before it had ended.
        gap_ns: time between both in which neither ran.
        via: how it follows: `lane` behind it on the pipe, `link` released by it, empty for the first.
    """

    id: int
    own_ns: int
    gap_ns: int
    via: str


class _Pipes:
    """Slices by the pipe they ran on, ascending by their ends."""

    def __init__(self, capture: Capture) -> None:
        self.capture = capture
        self.start, self.end = np.asarray(capture.slice_start), np.asarray(capture.slice_end)
        self.lane_track = np.asarray(capture.lane_track)
        self.offsets = np.asarray(capture.lane_offset)
        self._sorted: dict[int, tuple[Array, Array]] = {}

    def track_of(self, slice_id: int) -> int:
        return int(self.lane_track[np.searchsorted(self.offsets, slice_id, "right") - 1])

    def ids_of(self, track: int) -> Array:
        """All slices of a pipe."""
        lanes = np.flatnonzero(self.lane_track == track)
        parts = [np.arange(self.offsets[lane], self.offsets[lane + 1]) for lane in lanes]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def before(self, slice_id: int, passed: set[int]) -> int:
        """The slice of the same pipe that ended last before one began; -1 for none."""
        track = self.track_of(slice_id)
        held = self._sorted.get(track)
        if held is None:
            ids = self.ids_of(track)
            ids = ids[np.lexsort((self.start[ids], self.end[ids]))]
            held = self._sorted[track] = ids, self.end[ids]
        ids, ends = held
        at = int(np.searchsorted(ends, self.start[slice_id], "right")) - 1
        while at >= 0 and (int(ids[at]) in passed or int(ids[at]) == slice_id):
            at -= 1
        return int(ids[at]) if at >= 0 else -1


def steps(capture: Capture) -> list[Step]:
    """The chain that ends with the last instruction, in the order of time.

    An instruction follows the one before it on its pipe. One that is linked follows the slice at the other end of the
    link when that ended after it had begun: a WAIT is released by its SET.
    """
    pipes = _Pipes(capture)
    names = capture.tracks["lane"].to_pylist()
    counted = [track for track, name in enumerate(names) if (name or "") not in _ASIDE]
    last = max(
        (int(ids[np.lexsort((pipes.start[ids], pipes.end[ids]))[-1]]) for t in counted if len(ids := pipes.ids_of(t))),
        key=lambda i: (int(pipes.end[i]), int(pipes.start[i])),
        default=-1,
    )
    sources = _sources(capture, pipes)
    found: list[Step] = []
    passed: set[int] = set()
    while last >= 0:
        passed.add(last)
        start, end = int(pipes.start[last]), int(pipes.end[last])
        behind, via = pipes.before(last, passed), LANE
        released = sources.get(last, -1)
        if released >= 0 and released not in passed:
            arrived = int(pipes.end[released])
            if start < arrived <= end or (behind < 0 and arrived <= start):
                behind, via = released, LINK
        if behind < 0:
            found.append(Step(last, end - start, 0, ""))
            break
        before = int(pipes.end[behind])
        found.append(Step(last, end - max(start, before), max(0, start - before), via))
        last = behind
    return found[::-1]


def _sources(capture: Capture, pipes: _Pipes) -> dict[int, int]:
    """For the target of links the source that ended last."""
    out: dict[int, int] = {}
    for source, target in zip(
        np.asarray(capture.link_from).tolist(), np.asarray(capture.link_to).tolist(), strict=True
    ):
        known = out.get(target)
        if known is None or pipes.end[source] > pipes.end[known]:
            out[target] = source
    return out


def table(capture: Capture, card: str) -> pa.Table:
    """The chain as rows: COLUMNS."""
    found = steps(capture)
    ids = np.array([step.id for step in found], np.int64)
    lanes = np.searchsorted(np.asarray(capture.lane_offset), ids, "right") - 1
    track = pa.array(np.asarray(capture.lane_track)[lanes].astype(np.int64))
    start, end = np.asarray(capture.slice_start)[ids], np.asarray(capture.slice_end)[ids]
    named = capture.tracks["thread"].to_pylist(), capture.tracks["lane"].to_pylist()
    pipes = pa.array([thread or lane for thread, lane in zip(*named, strict=True)], pa.string())
    names, at = np.unique(np.asarray(capture.slice_name)[ids], return_inverse=True)
    texts = pa.array([capture.text(int(name)) for name in names], pa.string())
    columns = {
        "order": pa.array(np.arange(1, len(ids) + 1)),
        "card": pa.array([card] * len(ids), pa.string()),
        "process": capture.tracks["process"].combine_chunks().cast(pa.string()).take(track),
        "thread": pipes.take(track),
        "name": texts.take(pa.array(at.astype(np.int64))),
        "ts_ns": pa.array(start, pa.int64()),
        "dur_ns": pa.array(end - start, pa.int64()),
        "own_ns": pa.array([step.own_ns for step in found], pa.int64()),
        "gap_ns": pa.array([step.gap_ns for step in found], pa.int64()),
        "via": pa.array([step.via for step in found], pa.string()),
        "id": pa.array(ids),
    }
    return pa.table(columns, pa.schema(list(COLUMNS.items())))
