"""Ftrace Task Summary: how long each task ran, waited and slept on each CPU, its context switches and interrupts.

States come from the lanes of `Process Scheduling` (`comm:pid`, the CPU from the arguments), switches and interrupts from
the lanes `CPU n` of `CPU Scheduling`. Idle and kernel threads (swapper, migration, kworker) are left out.
"""

from __future__ import annotations

import re
import threading
import weakref
from dataclasses import dataclass

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.details import args_text
from insight_desktop.engine.timeline.search import tracks_of
from insight_desktop.errors import BadArgument, NoData

CPU_PROCESS, TASK_PROCESS = "CPU Scheduling", "Process Scheduling"
STATES = ("Runnable", "Running", "Sleeping")
KERNEL_THREADS = re.compile(r"migration|swapper|kworker|<idle>")

RUNNABLE, RUNNING, SLEEPING, SWITCH, FORCED, SOFT_IRQ, HARD_IRQ = range(7)
_SCHEMA = pa.schema(
    [
        ("cpu", pa.int64()), ("comm", pa.string()), ("pid", pa.string()), ("runnable_ns", pa.int64()),
        ("running_ns", pa.int64()), ("sleeping_ns", pa.int64()), ("context_switches", pa.int64()),
        ("involuntary_switches", pa.int64()), ("soft_irqs", pa.int64()), ("soft_irq_ns", pa.int64()),
        ("hard_irqs", pa.int64()), ("hard_irq_ns", pa.int64()),
    ]
)  # fmt: skip
_CPU = re.compile(r'"cpu"\s*:\s*"?(\d{1,9})\b')
_LANE = re.compile(r"CPU\s*(\d{1,9})")
_PIECE = 1 << 18
_FAR = (1 << 63) - 1

_lock = threading.Lock()
_made: weakref.WeakKeyDictionary[Capture, Marks] = weakref.WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Marks:
    """What happened to which task on which CPU: `tasks[task]` is (cpu, comm, pid), `kind` one of RUNNABLE … HARD_IRQ."""

    tasks: list[tuple[int, str, str]]
    task: Array
    kind: Array
    start: Array
    end: Array


def ftrace_summary(
    store: Store, *, card: str | None = None, from_ns: int | None = None, to_ns: int | None = None, whole: bool = False
) -> pa.Table:
    """Tasks per CPU: cpu, comm, pid, runnable_ns, running_ns, sleeping_ns, context_switches, involuntary_switches, soft_irqs,
    soft_irq_ns, hard_irqs, hard_irq_ns; by running time, longest first.

    A switch belongs to the task that leaves the CPU, and is involuntary when the task could have gone on (state R). An
    interrupt belongs to the task that it interrupted. In a range, durations count for the part inside (with whole their
    full length) and everything that overlaps it is counted. Raises NoData for a card without scheduling lanes.
    """
    if from_ns is not None and to_ns is not None and from_ns > to_ns:
        raise BadArgument("The range ends before it begins.", fix="Give from_ns at or before to_ns.")
    chosen = store.card(card)
    marks = _marks(chosen, store.capture(chosen.name))
    low, high = (-_FAR if from_ns is None else from_ns), (_FAR if to_ns is None else to_ns)
    keep = (marks.end >= low) & (marks.start <= high)
    task, kind = marks.task[keep], marks.kind[keep]
    start, end = marks.start[keep], marks.end[keep]
    length = end - start if whole else np.minimum(end, high) - np.maximum(start, low)
    count = len(marks.tasks)
    cell = task * 7 + kind
    flat = np.zeros(count * 7, np.int64)
    np.add.at(flat, cell, length)
    sums = flat.reshape(count, 7)
    counts = np.bincount(cell, minlength=count * 7).reshape(count, 7)
    switches = counts[:, SWITCH] + counts[:, FORCED]
    there = np.flatnonzero(counts.sum(axis=1))
    order = there[np.lexsort((there, -sums[there, RUNNING]))]
    columns = [
        pa.array([marks.tasks[i][0] for i in order], pa.int64()),
        pa.array([marks.tasks[i][1] for i in order], pa.string()),
        pa.array([marks.tasks[i][2] for i in order], pa.string()),
        *(pa.array(sums[order, k]) for k in (RUNNABLE, RUNNING, SLEEPING)),
        pa.array(switches[order]),
        pa.array(counts[order, FORCED]),
        *(pa.array(part[order, k]) for k in (SOFT_IRQ, HARD_IRQ) for part in (counts, sums)),
    ]
    table = pa.table([column.cast(f.type) for column, f in zip(columns, _SCHEMA, strict=True)], schema=_SCHEMA)
    unknown = pa.array(np.asarray(table["cpu"]) < 0)
    return table.set_column(0, _SCHEMA.field(0), pc.if_else(unknown, None, table["cpu"]))


def _marks(card: StoreCard, capture: Capture) -> Marks:
    """All marks of a capture; kept with it."""
    with _lock:
        if capture not in _made:
            _made[capture] = _Reading(card, capture).marks()
        return _made[capture]


class _Reading:
    """Reads what a summary needs, once."""

    def __init__(self, card: StoreCard, capture: Capture) -> None:
        self._card, self._capture = card, capture
        self._tracks = capture.tracks.select(["process", "pid", "lane"]).to_pylist()
        self._on_cpu = np.array([CPU_PROCESS in (t["process"], t["pid"]) for t in self._tracks], np.bool_)
        self._of_task = np.array([TASK_PROCESS in (t["process"], t["pid"]) for t in self._tracks], np.bool_)
        self._cpus = [int(found[1]) if (found := _LANE.search(t["lane"])) else -1 for t in self._tracks]
        self._tasks: dict[tuple[int, str, str], int] = {}
        self._parts: list[tuple[Array, Array, Array]] = []  # slice ids, task, kind

    def marks(self) -> Marks:
        if not (self._on_cpu.any() or self._of_task.any()):
            raise NoData(
                f"Card {self._card.name} has no lanes of the operating system's scheduler.",
                fix="Record an ftrace, convert it, and add ftrace_data.db to the project.",
            )
        for kind, state in enumerate(STATES):
            self._states(state, kind)
        self._switches()
        self._interrupts("softirq", SOFT_IRQ)
        self._interrupts("irq", HARD_IRQ)
        ids = np.concatenate([part[0] for part in self._parts])
        return Marks(
            list(self._tasks),
            np.concatenate([part[1] for part in self._parts]).astype(np.int64),
            np.concatenate([part[2] for part in self._parts]).astype(np.int64),
            np.asarray(self._capture.slice_start)[ids],
            np.asarray(self._capture.slice_end)[ids],
        )

    def _task(self, cpu: int, comm: str, pid: str) -> int:
        """Number of a task on a CPU, -1 for idle and kernel threads."""
        key = (cpu, comm, pid)
        number = self._tasks.get(key)
        if number is None:
            number = -1 if KERNEL_THREADS.search(comm) else self._tasks.setdefault(key, len(self._tasks))
        return number

    def _slices(self, name: str, tracks: Array) -> tuple[Array, Array]:
        """Ids and tracks of the slices of one name on some tracks."""
        number = int(pc.index(self._capture.strings, name).as_py())
        if number < 0:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        ids = np.flatnonzero(np.asarray(self._capture.slice_name) == number)
        track = tracks_of(self._capture, ids)
        return ids[tracks[track]], track[tracks[track]]

    def _texts(self, ids: Array) -> list[str | None]:
        """Arguments of slices; read in the order of the source, so that each packed block is opened once."""
        out: list[str | None] = [None] * len(ids)
        places = np.asarray(self._capture.slice_args_at)
        order = np.argsort(places[ids], kind="stable") if len(places) else np.arange(len(ids))
        for first in range(0, len(ids), _PIECE):
            part = order[first : first + _PIECE]
            for at, text in zip(part.tolist(), args_text(self._card, self._capture, ids[part]), strict=True):
                out[at] = text
        return out

    def _add(self, ids: Array, task: Array, kind: Array) -> None:
        keep = task >= 0
        self._parts.append((ids[keep], task[keep], kind[keep]))

    def _states(self, state: str, kind: int) -> None:
        ids, track = self._slices(state, self._of_task)
        names = [_comm_pid(t["lane"]) for t in self._tracks]
        cpus: dict[str | None, int] = {None: -1}
        known: dict[tuple[int, int], int] = {}
        task = np.empty(len(ids), np.int64)
        for i, (text, at) in enumerate(zip(self._texts(ids), track.tolist(), strict=True)):
            cpu = cpus.get(text)
            if cpu is None:
                found = _CPU.search(text or "")
                cpu = cpus[text] = int(found[1]) if found else -1
            if (cpu, at) not in known:
                known[cpu, at] = self._task(cpu, *names[at])
            task[i] = known[cpu, at]
        self._add(ids, task, np.full(len(ids), kind))

    def _switches(self) -> None:
        ids, track = self._slices("sched_switch", self._on_cpu)
        task, kind = np.full(len(ids), -1, np.int64), np.full(len(ids), SWITCH)
        for i, (text, at) in enumerate(zip(self._texts(ids), track.tolist(), strict=True)):
            args = _read(text)
            if "prev_comm" in args:
                task[i] = self._task(self._cpus[at], str(args["prev_comm"]), str(args.get("prev_pid", "")))
                kind[i] = FORCED if str(args.get("prev_state", "")).startswith("R") else SWITCH
        self._add(ids, task, kind)

    def _interrupts(self, name: str, kind: int) -> None:
        ids, track = self._slices(name, self._on_cpu)
        task = np.full(len(ids), -1, np.int64)
        for i, (text, at) in enumerate(zip(self._texts(ids), track.tolist(), strict=True)):
            found = _read(text).get("task")
            if isinstance(found, str):
                task[i] = self._task(self._cpus[at], *_comm_pid(found))
        self._add(ids, task, np.full(len(ids), kind))


def _comm_pid(title: str) -> tuple[str, str]:
    """Name and id of `comm:pid`; the name may hold colons."""
    comm, colon, pid = title.rpartition(":")
    return (comm, pid) if colon else (title, "")


def _read(text: str | None) -> dict[str, object]:
    try:
        found = orjson.loads(text) if text else {}
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}
