"""Small ftrace files as the converter writes them: the same events as a database and as JSON.

Two CPUs, a Python process (python:100, its queue thread acl_thread:101), swapper and an unnamed kernel thread; times in ns
from an uptime of 1000 s. The figures that follow from it stand in SUMMARY.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

BASE = 1_000_000_000_000
Event = tuple[str, str, str, int, int, dict[str, Any]]  # process, thread, name, start, duration, args


def _switch(cpu: int, at: int, prev: str, state: str, after: str) -> Event:
    (prev_comm, prev_pid), (next_comm, next_pid) = (t.rsplit(":", 1) for t in (prev, after))
    args = {
        "prev_comm": prev_comm, "prev_pid": prev_pid, "prev_prio": "120", "prev_state": state, "next_comm": next_comm,
        "next_pid": next_pid, "next_prio": "120",
    }  # fmt: skip
    return ("CPU Scheduling", f"CPU {cpu}", "sched_switch", at, 0, args)


def _state(task: str, name: str, start: int, duration: int, cpu: int) -> Event:
    return ("Process Scheduling", task, name, start, duration, {"cpu": str(cpu)})


def _on_cpu(cpu: int, task: str, start: int, duration: int) -> Event:
    pid = task.rsplit(":", 1)[1]
    return ("CPU Scheduling", f"CPU {cpu}", task, start, duration, {"host_pid": pid, "end_state": "S", "prio": "120"})


EVENTS: list[Event] = [
    _on_cpu(0, "python:100", 0, 400),
    _switch(0, 400, "python:100", "R+", "acl_thread:101"),
    _on_cpu(0, "acl_thread:101", 400, 200),
    _switch(0, 600, "acl_thread:101", "S", "swapper/0:0"),
    _switch(0, 700, "swapper/0:0", "R", "python:100"),
    _on_cpu(1, "python:100", 900, 100),
    _switch(1, 1000, "python:100", "S", "swapper/1:0"),
    (
        "CPU Scheduling",
        "CPU 0",
        "irq",
        100,
        30,
        {"irq": "58", "name": "nvme0q1", "ret": "handled", "task": "python:100"},
    ),
    (
        "CPU Scheduling",
        "CPU 0",
        "irq",
        200,
        20,
        {"irq": "58", "name": "nvme0q1", "ret": "handled", "task": "python:100"},
    ),
    ("CPU Scheduling", "CPU 0", "softirq", 130, 15, {"vec": "1", "action": "TIMER", "task": "python:100"}),
    ("CPU Scheduling", "CPU 1", "softirq", 1200, 40, {"vec": "1", "action": "TIMER", "task": "<idle>:0"}),
    ("CPU Scheduling", "CPU 1", "irq", 1250, 9, {"irq": "7", "name": "x", "ret": "handled", "task": "kworker/1:2:77"}),
    ("CPU Scheduling", "CPU 1", "softirq", 950, 5, {"vec": "3", "action": "NET_RX", "task": "nginx: worker:300"}),
    _state("python:100", "Running", 0, 400, 0),
    _state("python:100", "Runnable", 400, 300, 0),
    _state("python:100", "Running", 900, 100, 1),
    _state("python:100", "Sleeping", 1000, 500, 1),
    _state("acl_thread:101", "Sleeping", 0, 350, 0),
    _state("acl_thread:101", "Runnable", 350, 50, 0),
    _state("acl_thread:101", "Running", 400, 200, 0),
    _state("acl_thread:101", "Unknown", 600, 10, 0),
]

# cpu, comm, pid, runnable, running, sleeping, switches, involuntary, soft irqs, their ns, hard irqs, their ns
SUMMARY: list[tuple[Any, ...]] = [
    (0, "python", "100", 300, 400, 0, 1, 1, 1, 15, 2, 50),
    (0, "acl_thread", "101", 50, 200, 350, 1, 0, 0, 0, 0, 0),
    (1, "python", "100", 0, 100, 500, 1, 0, 0, 0, 0, 0),
    (1, "nginx: worker", "300", 0, 0, 0, 0, 0, 1, 5, 0, 0),
]

_TABLES = (
    "process(pid TEXT PRIMARY KEY, process_name TEXT, label TEXT, process_sort_index INTEGER, parentPid TEXT DEFAULT '0')",
    "thread(track_id INTEGER PRIMARY KEY, tid TEXT, pid TEXT, thread_name TEXT, thread_sort_index INTEGER)",
    "slice(id INTEGER PRIMARY KEY, timestamp INTEGER, duration INTEGER, name TEXT, depth INTEGER, track_id INTEGER, "
    "cat TEXT, args TEXT, cname TEXT, end_time INTEGER, flag_id TEXT)",
    "counter(id INTEGER PRIMARY KEY, name TEXT, pid TEXT, timestamp INTEGER, cat TEXT, args TEXT)",
    "flow(id INTEGER PRIMARY KEY, flow_id TEXT, name TEXT, cat TEXT, track_id INTEGER, timestamp INTEGER, type TEXT)",
)


def write_db(path: Path, events: list[Event] = EVENTS, *, counters: bool = False, flows: bool = False) -> Path:
    """A database of these events."""
    db = sqlite3.connect(path)
    for table in _TABLES:
        db.execute(f"CREATE TABLE {table}")
    tracks: dict[tuple[str, str], int] = {}
    for process, thread, *_ in events:
        tracks.setdefault((process, thread), len(tracks) + 1)
    db.executemany(
        "INSERT INTO process VALUES (?, ?, '', ?, '0')", [("Process Scheduling", "Process Scheduling", 2), ("CPU Scheduling", "CPU Scheduling", 1)]
    )  # fmt: skip
    db.executemany("INSERT INTO thread VALUES (?, ?, ?, ?, ?)", [(n, t, p, t, n) for (p, t), n in tracks.items()])
    db.executemany(
        "INSERT INTO slice VALUES (?, ?, ?, ?, NULL, ?, '', ?, NULL, ?, '')",
        [
            (
                i,
                BASE + at,
                length,
                name,
                tracks[process, thread],
                json.dumps(args) if args else None,
                BASE + at + length,
            )
            for i, (process, thread, name, at, length, args) in enumerate(events)
        ],
    )
    if counters:
        db.executemany(
            "INSERT INTO counter VALUES (?, 'load', 'CPU Scheduling', ?, '', ?)",
            [(1, BASE + 5, '{"1m": 2.5}'), (2, BASE + 9, '{"1m": 3, "x": null}')],
        )
    if flows:
        first, second = list(tracks.values())[:2]
        db.executemany(
            "INSERT INTO flow VALUES (?, ?, 'wake', 'wakeup', ?, ?, ?)",
            [(1, "7", first, BASE, "s"), (2, "7", second, BASE + 900, "f")],
        )
    db.commit()
    db.close()
    return path


def write_json(path: Path, events: list[Event] = EVENTS) -> Path:
    """The events as Chrome JSON: times are texts of µs with three decimals, names of lanes are odd metadata."""
    rows: list[dict[str, Any]] = [{"ph": "M", "name": "CPU 0", "pid": "CPU Scheduling", "tid": "CPU 0"}]
    for process, thread, name, at, length, args in events:
        stamp, span = BASE + at, f"{length // 1000}.{length % 1000:03d}"
        row = {"ph": "X", "name": name, "pid": process, "tid": thread, "ts": f"{stamp // 1000}.{stamp % 1000:03d}"}
        rows.append({**row, "dur": span, "args": args})
    path.write_text(json.dumps(rows))
    return path
