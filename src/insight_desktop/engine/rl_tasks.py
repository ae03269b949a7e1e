"""Tasks of a reinforcement learning run in a capture: marked ranges with the names of a configuration."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.engine import rl_batches
from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.rl_batches import MARKER, Pass
from insight_desktop.engine.rl_config import BACKWARD, FORWARD, RlConfig, RlTask, configs
from insight_desktop.engine.timeline.kept import kept

FSDP_FORWARD, FSDP_BACKWARD, FSDP_END = (
    "FullyShardedDataParallel.forward", "autograd::engine", "Enqueue@record_event",
)  # fmt: skip
_NO_MARKS = ("Python", "CANN")  # host processes of a text trace that hold no marks


@dataclass(frozen=True)
class Found:
    """A task of a card: its configuration, raw times in ns, the slice, and its micro batches."""

    task: RlTask
    start_ns: int
    end_ns: int
    slice_id: int
    batches: tuple[Pass, ...] = ()


def has_tasks(capture: Capture) -> bool:
    """True when the capture holds a task of any configuration."""
    return bool(names_in(capture))


def names_in(capture: Capture) -> frozenset[str]:
    """Names of tasks that the capture holds."""
    known = sorted({name for config in configs()[0] for name in config.names})
    return kept(capture, ("rl names", tuple(known)), lambda: _names_in(capture, known), len)


def chosen(names: frozenset[str]) -> RlConfig | None:
    """The first configuration all of whose tasks occur, else the first of which any occurs."""
    found = configs()[0]
    whole = (config for config in found if config.names <= names)
    some = (config for config in found if config.names & names)
    return next(whole, next(some, None))


def tasks(capture: Capture, config: RlConfig, *, is_fsdp: bool, is_db: bool) -> list[Found]:
    """Tasks of a card by start, the longer one first where they start together, with their micro batches.

    Args:
        config: whose tasks are looked for.
        is_fsdp: micro batches come from the calls of the framework (databases only) instead of marks.
        is_db: the card was read from a database.
    """
    by_name = {task.name: task for task in config.tasks}
    ids = _slices(capture, frozenset(by_name), marks(capture))
    start, end = _times(capture, ids)
    names = _texts(capture, ids)
    found = [Found(by_name[name], int(a), int(b), int(i)) for name, a, b, i in zip(names, start, end, ids, strict=True)]
    found.sort(key=lambda task: (task.start_ns, -task.end_ns))
    held: dict[tuple[tuple[str, str], ...], _Passes] = {}
    for i, task in enumerate(found):
        batches = task.task.batches
        if not batches:
            continue
        if batches not in held:
            held[batches] = _Passes(_fsdp_passes(capture) if is_fsdp and is_db else _marked_passes(capture, batches))
        machine = rl_batches.fsdp if is_fsdp and is_db else rl_batches.megatron
        found[i] = replace(task, batches=tuple(machine(held[batches].inside(task.start_ns, task.end_ns))))
    return found


def is_fsdp(capture: Capture) -> bool:
    """True when a framework call of the card has a name like the forward pass of FSDP."""
    wanted = np.asarray(pc.match_substring(capture.strings, FSDP_FORWARD).to_numpy(zero_copy_only=False), np.bool_)
    return bool(wanted.any() and wanted[np.asarray(capture.slice_name)].any())


def marks(capture: Capture) -> Array:
    """Which lanes hold marks: those of MSTX, and host processes of text traces besides Python and CANN."""
    lines = capture.tracks.select(["role", "process", "process_label", "device"]).to_pylist()
    return np.array(
        [
            (line["role"] == schema.ROLE_MSTX and line["device"] < 0)
            or (line["process_label"] == "CPU" and line["process"] not in _NO_MARKS)
            for line in lines
        ],
        np.bool_,
    )


def _names_in(capture: Capture, known: list[str]) -> frozenset[str]:
    is_known = pc.is_in(capture.strings, value_set=pa.array(known, pa.large_string()))
    if not pc.any(is_known).as_py():
        return frozenset()
    return frozenset(_texts(capture, _slices(capture, frozenset(known), marks(capture))))


def _slices(capture: Capture, names: frozenset[str], on: Array, *, top_only: bool = False) -> Array:
    """Ids of slices of these names on some tracks, in order of their lanes."""
    is_name = pc.is_in(capture.strings, value_set=pa.array(sorted(names), pa.large_string()))
    return _slices_of(capture, np.asarray(is_name.to_numpy(zero_copy_only=False), np.bool_), on, top_only=top_only)


def _slices_of(capture: Capture, is_name: Array, on: Array, *, top_only: bool = False) -> Array:
    if not is_name.any():
        return np.empty(0, np.int64)
    ids = np.flatnonzero(is_name[np.asarray(capture.slice_name)])
    lanes = np.searchsorted(np.asarray(capture.lane_offset), ids, "right") - 1
    keep = on[np.asarray(capture.lane_track)[lanes]]
    if top_only:
        keep &= np.asarray(capture.lane_row)[lanes] == 0
    return ids[keep]


def _times(capture: Capture, ids: Array) -> tuple[Array, Array]:
    return np.asarray(capture.slice_start)[ids], np.asarray(capture.slice_end)[ids]


def _texts(capture: Capture, ids: Array) -> list[str]:
    return list(capture.strings.take(pa.array(np.asarray(capture.slice_name)[ids])).to_pylist())


def _passes(capture: Capture, ids: Array, kind: str) -> list[Pass]:
    start, end = _times(capture, ids)
    return [Pass(kind, int(a), int(b), int(i)) for a, b, i in zip(start, end, ids, strict=True)]


def _in_order(passes: list[Pass]) -> list[Pass]:
    return sorted(passes, key=lambda each: (each.start_ns, -each.end_ns))


class _Passes:
    """Passes of a card in order, and those inside a range."""

    def __init__(self, passes: list[Pass]) -> None:
        self._passes = passes
        self._starts = [each.start_ns for each in passes]

    def inside(self, start_ns: int, end_ns: int) -> list[Pass]:
        """Passes that lie completely in [start_ns, end_ns]."""
        first, last = bisect_left(self._starts, start_ns), bisect_right(self._starts, end_ns)
        return [each for each in self._passes[first:last] if each.end_ns <= end_ns]


def _marked_passes(capture: Capture, batches: tuple[tuple[str, str], ...]) -> list[Pass]:
    """Marked forward and backward passes; a name that is given for both kinds counts as the first."""
    kinds = dict(reversed(batches))
    on = marks(capture)
    found: list[Pass] = []
    for kind in (FORWARD, BACKWARD):
        names = frozenset(name for name, each in kinds.items() if each == kind)
        found += _passes(capture, _slices(capture, names, on), kind) if names else []
    return _in_order(found)


def _fsdp_passes(capture: Capture) -> list[Pass]:
    every = np.array([line != schema.ROLE_PYTHON_STACK for line in capture.tracks["role"].to_pylist()], np.bool_)
    begins = pc.starts_with(capture.strings, FSDP_BACKWARD).to_numpy(zero_copy_only=False)
    found = _passes(capture, _slices(capture, frozenset([FSDP_FORWARD]), every), FORWARD)
    found += _passes(capture, _slices_of(capture, np.asarray(begins, np.bool_), every, top_only=True), BACKWARD)
    found += _passes(capture, _slices(capture, frozenset([FSDP_END]), every, top_only=True), MARKER)
    return _in_order(found)
