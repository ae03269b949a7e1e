"""Writes MemScope dumps row by row, for tests."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

COLUMNS = (
    "ID", "Event", "Event Type", "Name", "Timestamp(ns)", "Process Id", "Thread Id", "Device Id", "Ptr", "Attr",
    "Call Stack(Python)", "Call Stack(C)",
)  # fmt: skip
T0 = 1_754_448_082_000_000_000


def row(
    number: int, event: str, kind: str, t: int, *, device: str = "0", ptr: Any = "N/A", name: str = "N/A", pid: int = 7,
    attr: dict[str, Any] | str | None = None, py: str = "", c: str = "",
) -> tuple[Any, ...]:  # fmt: skip
    """One row at T0 + t; texts of `attr` are written as they are."""
    text = attr if isinstance(attr, str) else json.dumps(attr) if attr else ""
    address = f"0x{ptr:016x}" if isinstance(ptr, int) else ptr
    return (number, event, kind, name, T0 + t, pid, pid, device, address, text, py, c)


def malloc(number: int, t: int, ptr: int, size: int, *, kind: str = "PTA", device: str = "0", pid: int = 7, py: str = "", **more: Any) -> tuple[Any, ...]:  # fmt: skip
    """A MALLOC whose other attributes are texts."""
    attr = {"size": str(size), **{k: str(v) for k, v in more.items()}}
    return row(number, "MALLOC", kind, t, device=device, ptr=ptr, pid=pid, attr=attr, py=py)


def free(number: int, t: int, ptr: int, *, kind: str = "PTA", device: str = "0", pid: int = 7, **more: Any) -> tuple[Any, ...]:  # fmt: skip
    """A FREE."""
    return row(number, "FREE", kind, t, device=device, ptr=ptr, pid=pid, attr={k: str(v) for k, v in more.items()})


def access(number: int, t: int, ptr: int, allocation_id: int, *, pid: int = 7) -> tuple[Any, ...]:
    """An ACCESS of a block."""
    return row(number, "ACCESS", "READ", t, ptr=ptr, pid=pid, attr={"type": "PTA", "allocation_id": str(allocation_id)})


def write_db(
    path: Path, rows: Iterable[Sequence[Any]], *, table: str = "memscope_dump", columns: Sequence[str] = COLUMNS,
    traces: dict[str, list[tuple[Any, ...]]] | None = None,
) -> Path:  # fmt: skip
    """Write a database with the columns in this order; traces: table → rows (name, start, end, tid, pid)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    names = ", ".join(f'"{name}"' for name in columns)
    at = [COLUMNS.index(name) if name in COLUMNS else -1 for name in columns]
    with sqlite3.connect(path) as db:
        db.execute(f"CREATE TABLE {table} ({names})")
        marks = ", ".join("?" * len(columns))
        db.executemany(
            f"INSERT INTO {table} VALUES ({marks})", [tuple(r[i] if i >= 0 else "more" for i in at) for r in rows]
        )
        for name, calls in (traces or {}).items():
            db.execute(
                f'CREATE TABLE {name} (FuncInfo TEXT, "StartTime(ns)" TEXT, "EndTime(ns)" TEXT, "Thread Id" INTEGER, '
                '"Process Id" INTEGER)'
            )
            db.executemany(f"INSERT INTO {name} VALUES (?, ?, ?, ?, ?)", calls)
    db.close()
    return path
