"""How kernels were dispatched: Python call → operator → queue → CANN call → launch → device task, found again from slices.

Two paths. ACLOP begins at each `aclopCompileAndExecute` call, one chain per launch inside it; ACLNN begins at each device
task named `aclnn…` and goes back through its launch. Host threads are told by their thread id alone, because exports pack
the process id of CANN threads with other numbers.
"""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.timeline import links
from insight_desktop.engine.timeline.enclosing import shortest
from insight_desktop.engine.timeline.search import tracks_of

ROLES = ("python", "op", "enqueue", "dequeue", "api", "launch", "task")
HOST_TO_DEVICE, QUEUE = "HostToDevice", "async_task_queue"
_PIECE = 1 << 22

_lock = threading.Lock()
_made: weakref.WeakKeyDictionary[Capture, Chains] = weakref.WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Chains:
    """Dispatch chains as arrays of one length: slice ids, -1 for what was not found.

    Attributes:
        aclnn: true for the ACLNN path, false for ACLOP.
        ids: slice ids by role of ROLES.
    """

    aclnn: Array
    ids: dict[str, Array]

    def __len__(self) -> int:
        return len(self.aclnn)


def chains(capture: Capture) -> Chains:
    """All chains of a capture, ACLOP by time of the CANN call, then ACLNN by time of the task; kept with the capture."""
    with _lock:
        found = _made.get(capture)
        if found is None:
            found = _made[capture] = _recover(_Slices(capture))
        return found


class _Slices:
    """Slices of a capture by what they mean."""

    def __init__(self, capture: Capture) -> None:
        self.capture = capture
        self.start, self.end = np.asarray(capture.slice_start), np.asarray(capture.slice_end)
        tracks = capture.tracks.select(["tid", "role", "group", "process"]).to_pylist()
        tids = {tid: n for n, tid in enumerate(dict.fromkeys(t["tid"] for t in tracks))}
        self._thread = np.array([tids[t["tid"]] for t in tracks], np.int64)
        self._host = np.array([t["role"] in links.HOST_ROLES for t in tracks], np.bool_)
        self._cann = self._host & np.array([t["group"] == "CANN" or t["process"] == "CANN" for t in tracks], np.bool_)
        self._stream = np.array([t["role"] == schema.ROLE_STREAM for t in tracks], np.bool_)
        self._names = capture.strings

    def named(self, tracks: Array, *begins: str, holds: str = "") -> Array:
        """Ids of the slices of some tracks whose name begins with, or holds, a text."""
        masks = [_begins(self._names, text) for text in begins] + ([_holds(self._names, holds)] if holds else [])
        mask = np.logical_or.reduce(masks)
        ids = _where(self.capture.slice_name, mask)
        return ids[tracks[tracks_of(self.capture, ids)]] if len(ids) else ids

    def host(self, *begins: str) -> Array:
        return self.named(self._host, *begins)

    def cann(self, *begins: str, holds: str = "") -> Array:
        return self.named(self._cann, *begins, holds=holds)

    def tasks(self) -> Array:
        return self.named(self._stream, "aclnn")

    def outer(self, candidates: Array, ids: Array) -> Array:
        """The shortest of the candidates that encloses each slice on its thread; -1 where the id is -1 or none does."""
        out = np.full(len(ids), -1, np.int64)
        known = np.flatnonzero(ids >= 0)
        if len(known) and len(candidates):
            inner = self._times(ids[known])
            found = shortest(*self._times(candidates), inner)
            out[known] = np.where(found >= 0, candidates[found], -1)
        return out

    def _times(self, ids: Array) -> tuple[Array, Array, Array]:
        return self.start[ids], self.end[ids], self._thread[tracks_of(self.capture, ids)]


def _recover(slices: _Slices) -> Chains:
    launches = np.sort(slices.cann("launch", "Node@launch"))
    dequeues = slices.host("Dequeue")
    calls, ops = slices.host("<built-in"), slices.host("aten::", "npu::", "vllm::")
    source, target, launch_of = _launch_links(slices, launches)
    parts = [
        _aclop(slices, launches, _task_of(slices, launch_of, target)),
        _aclnn(slices, source, target, launch_of),
    ]
    ids: dict[str, Array] = {
        role: np.concatenate([part[role] for part in parts]) for role in ("api", "launch", "task", "inner")
    }
    aclnn = np.repeat([False, True], [len(part["api"]) for part in parts])
    inner = np.where(ids["api"] >= 0, ids["api"], ids.pop("inner"))
    ids["dequeue"] = slices.outer(dequeues, inner)
    ids["enqueue"] = _enqueue_of(slices, ids["dequeue"])
    ids["op"] = slices.outer(ops, ids["enqueue"])
    of_op = slices.outer(calls, ids["op"])
    ids["python"] = np.where(of_op >= 0, of_op, slices.outer(calls, ids["enqueue"]))
    return Chains(aclnn, {role: ids[role] for role in ROLES})


def _launch_links(slices: _Slices, launches: Array) -> tuple[Array, Array, Array]:
    """Links from host to device: source, target, and the launch that the source is or lies in (-1 none)."""
    capture = slices.capture
    rows = links.rows_of(capture, HOST_TO_DEVICE)
    source, target = np.asarray(capture.link_from)[rows], np.asarray(capture.link_to)[rows]
    is_launch = _members(launches, source)
    inside = slices.outer(launches, np.where(is_launch, -1, source))
    return source, target, np.where(is_launch, source, inside)


def _task_of(slices: _Slices, launch_of: Array, target: Array) -> dict[str, Array]:
    """The earliest task of every launch that has one, sorted by launch."""
    known = launch_of >= 0
    launch, task = launch_of[known], target[known]
    order = np.lexsort((slices.start[task], launch))
    first, at = np.unique(launch[order], return_index=True)
    return {"launch": first, "task": task[order][at]}


def _aclop(slices: _Slices, launches: Array, tasks: dict[str, Array]) -> dict[str, Array]:
    apis = slices.cann(holds="aclopCompileAndExecute")
    apis = apis[np.argsort(slices.start[apis], kind="stable")]
    api_of = slices.outer(apis, launches)
    inside = api_of >= 0
    api, launch = api_of[inside], launches[inside]
    alone = apis[~_members(np.sort(api), apis)]
    api, launch = np.concatenate([api, alone]), np.concatenate([launch, np.full(len(alone), -1, np.int64)])
    order = np.lexsort((slices.start[np.maximum(launch, 0)] if len(launch) else launch, api, slices.start[api]))
    api, launch = api[order], launch[order]
    task = _looked_up(tasks["launch"], tasks["task"], launch)
    return {"api": api, "launch": launch, "task": task, "inner": api}


def _aclnn(slices: _Slices, source: Array, target: Array, launch_of: Array) -> dict[str, Array]:
    tasks = slices.tasks()
    tasks = tasks[np.argsort(slices.start[tasks], kind="stable")]
    apis = slices.cann("aclnn", "AscendCL@aclnn")
    order = np.lexsort((source, target))
    first, at = np.unique(target[order], return_index=True)
    origin = _looked_up(first, source[order][at], tasks)
    launch = _looked_up(first, launch_of[order][at], tasks)
    inner = np.where(launch >= 0, launch, origin)
    return {"api": slices.outer(apis, inner), "launch": launch, "task": tasks, "inner": inner}


def _enqueue_of(slices: _Slices, dequeue: Array) -> Array:
    """The source of the queue link of each dequeue."""
    capture = slices.capture
    rows = links.rows_of(capture, QUEUE)
    source, target = np.asarray(capture.link_from)[rows], np.asarray(capture.link_to)[rows]
    enqueues = np.sort(slices.host("Enqueue"))
    keep = _members(enqueues, source)
    source, target = source[keep], target[keep]
    order = np.lexsort((source, target))
    first, at = np.unique(target[order], return_index=True)
    return _looked_up(first, source[order][at], dequeue)


def _members(values: Array, wanted: Array) -> Array:
    """Which of the wanted are among sorted values."""
    if not len(values):
        return np.zeros(len(wanted), np.bool_)
    at = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
    return np.asarray(values[at] == wanted)


def _looked_up(keys: Array, values: Array, wanted: Array) -> Array:
    """The value of each wanted key, -1 for unknown ones; keys are sorted."""
    if not len(keys):
        return np.full(len(wanted), -1, np.int64)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, values[at], -1)


def _begins(names: Any, text: str) -> Array:
    return np.asarray(pc.starts_with(names, text).to_numpy(zero_copy_only=False), np.bool_)


def _holds(names: Any, text: str) -> Array:
    return np.asarray(pc.match_substring(names, text).to_numpy(zero_copy_only=False), np.bool_)


def _where(column: Array, mask: Array) -> Array:
    """Positions of names in the mask, piece by piece, so that memory stays small."""
    if not mask.any():
        return np.empty(0, np.int64)
    parts = [np.flatnonzero(mask[np.asarray(column[i : i + _PIECE])]) + i for i in range(0, len(column), _PIECE)]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)
