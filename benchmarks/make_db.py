"""Writes a profiler database of any size: host calls, framework operators with call chains, device tasks with PMU values."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

from sample_data.make_db import ENUMS, NONE, SCHEMA

START_NS = 1_767_254_400_000_000_000
PID, HOST_TID, QUEUE_TID = 52_000, 52_000 << 32 | 52_000, 52_000 << 32 | 52_391
MORE = "create table TASK_PMU_INFO (globalTaskId INTEGER, name INTEGER, value NUMERIC);"
BATCH = 20_000


def write(path: Path, megabytes: float, seed: int = 5) -> Path:
    """Write (once) a database of about that size; returns the path."""
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    rnd = random.Random(seed)
    db = sqlite3.connect(part)
    db.executescript("pragma journal_mode=off; pragma synchronous=off;" + SCHEMA + MORE)
    db.executemany(
        "insert into STRING_IDS values (?, ?)", [(i, f"operator_{i}_{'x' * rnd.randint(4, 40)}") for i in range(20_000)]
    )
    for table, values in ENUMS.items():
        db.executemany(f"insert into {table} values (?, ?)", list(values.items()))
    db.execute("insert into META_DATA values ('SCHEMA_VERSION', '1.1.0')")
    db.execute("insert into RANK_DEVICE_MAP values (0, 0)")
    first, device, host = 1, START_NS, START_NS
    while part.stat().st_size < megabytes * 0.95e6:
        device, host = _tasks(db, rnd, first, device), _calls(db, rnd, first, host)
        first += BATCH
        db.commit()
    db.close()
    part.rename(path)
    return path


def _tasks(db: sqlite3.Connection, rnd: random.Random, first: int, at: int) -> int:
    tasks, compute, pmu = [], [], []
    for number in range(first, first + BATCH):
        at += rnd.randint(50, 2_000)
        length = rnd.randint(1_000, 60_000)
        tasks.append(
            (
                at,
                at + length,
                0,
                number,
                number,
                PID,
                rnd.randint(0, 30),
                NONE,
                rnd.choice((2, 4, 5, 6)),
                number % 65_536,
                NONE,
            )
        )
        if rnd.random() < 0.6:
            compute.append(
                (rnd.randint(0, 19_999), number, 24, 0, 5, 6, 8, 9, rnd.randint(0, 19_999), 8, 9, 10, 7, 11, 12)
            )
            pmu += [(number, 370 + k, rnd.random() * 100) for k in range(4)]
        at += length
    db.executemany(f"insert into TASK values ({','.join('?' * 11)})", tasks)
    db.executemany(f"insert into COMPUTE_TASK_INFO values ({','.join('?' * 15)})", compute)
    db.executemany("insert into TASK_PMU_INFO values (?, ?, ?)", pmu)
    return at


def _calls(db: sqlite3.Connection, rnd: random.Random, first: int, at: int) -> int:
    calls, api, ids = [], [], []
    for number in range(first, first + BATCH):
        at += rnd.randint(1_000, 9_000)
        calls += [
            (at, at + rnd.randint(3_000, 6_000), 20_000, QUEUE_TID, 900_000_000 + number, rnd.randint(0, 19_999)),
            (at + 500, at + 2_500, 10_000, QUEUE_TID, number, rnd.randint(0, 19_999)),
        ]
        for k in range(3):
            begin = at + k * 300
            api.append(
                (
                    str(begin),
                    str(begin + rnd.randint(200, 90_000)),
                    HOST_TID,
                    number if k == 0 else None,
                    rnd.randint(0, 19_999),
                    None,
                    None,
                    None,
                    None,
                    None,
                    50_001,
                )
            )
        ids.append((number, number))
    db.executemany(f"insert into CANN_API values ({','.join('?' * 6)})", calls)
    db.executemany(f"insert into PYTORCH_API values ({','.join('?' * 11)})", api)
    db.executemany("insert into CONNECTION_IDS values (?, ?)", ids)
    return at
