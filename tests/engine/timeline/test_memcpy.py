"""Copies by stream and kind, from the arguments of a trace and from the table of a database."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.support.memory_files import open_store

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import timeline
from insight_desktop.errors import BadArgument

pytestmark = pytest.mark.row("system-timeline", 75)
MIB = 1 << 20


def copy(
    stream: int, ts: float, dur: float, operation: str | None, size: object, *, name: str = "MEMCPY_ASYNC"
) -> dict[str, Any]:
    args = {"operation": operation, "size(B)": size} if operation else {"Task Id": 1}
    return {"ph": "X", "name": name, "pid": 1024, "tid": stream, "ts": str(ts), "dur": dur, "args": args}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    events = [
        {"ph": "M", "name": "process_name", "pid": 1024, "args": {"name": "Ascend Hardware"}},
        {"ph": "M", "name": "process_name", "pid": 100, "args": {"name": "Python"}},
        *({"ph": "M", "name": "thread_name", "pid": 1024, "tid": t, "args": {"name": f"Stream {t}"}} for t in (2, 10)),
        copy(2, 10, 4, "host to device", MIB),
        copy(2, 20, 2, "host to device", 3 * MIB),
        copy(2, 30, 1, "device to device", 512),
        copy(10, 40, 8, "device to host", "256"),
        copy(10, 60, 8, None, 0),
        copy(10, 70, 8, "device to host", "N/A"),
        copy(10, 80, 5, "device to host", 9, name="SDMA"),
        {**copy(1, 5, 1, "host to device", 7), "pid": 100},
    ]  # fmt: skip
    path = tmp_path / "trace_view.json"
    path.write_text(json.dumps(events), encoding="utf-8")
    return open_store(path)


def figures(store: Store, **arguments: Any) -> dict[str, tuple[Any, ...]]:
    return {
        r["path"]: (r["total_ns"], r["total_bytes"], r["count"])
        for r in timeline.memcpy(store, **arguments).to_pylist()
    }


def test_copies_of_a_trace_by_stream_and_kind(store: Store) -> None:
    assert figures(store) == {
        "Stream 2": (7000, 4 * MIB + 512, 3), "Stream 2 > device to device": (1000, 512, 1),
        "Stream 2 > host to device": (6000, 4 * MIB, 2), "Stream 10": (8000, 256, 1),
        "Stream 10 > device to host": (8000, 256, 1),
    }  # fmt: skip
    found = timeline.memcpy(store).to_pylist()
    assert [r["category"] for r in found] == [
        "Stream 2",
        "device to device",
        "host to device",
        "Stream 10",
        "device to host",
    ]
    assert {k: v for k, v in found[2].items() if k[:3] in ("avg", "min", "max")} == {
        "avg_ns": 3000.0, "min_ns": 2000, "max_ns": 4000, "avg_bytes": 2.0 * MIB, "min_bytes": MIB, "max_bytes": 3 * MIB,
    }  # fmt: skip


@pytest.mark.row("system-timeline", 56)
def test_a_range_cuts_times_and_whole_copies_lie_inside(store: Store) -> None:
    assert figures(store, from_ns=12_000, to_ns=30_500) == {
        "Stream 2": (4500, 4 * MIB + 512, 3), "Stream 2 > device to device": (500, 512, 1),
        "Stream 2 > host to device": (4000, 4 * MIB, 2),
    }  # fmt: skip
    assert figures(store, from_ns=12_000, to_ns=30_500, whole=True) == {
        "Stream 2": (2000, 3 * MIB, 1), "Stream 2 > host to device": (2000, 3 * MIB, 1),
    }  # fmt: skip


def test_details_of_a_path(store: Store) -> None:
    found = timeline.memcpy_details(store, path="Stream 2").to_pylist()
    assert [(r["operation"], r["ts_ns"], r["dur_ns"], r["size_bytes"]) for r in found] == [
        ("host to device", 10_000, 4000, MIB), ("host to device", 20_000, 2000, 3 * MIB), ("device to device", 30_000, 1000, 512),
    ]  # fmt: skip
    found = timeline.memcpy_details(store, path="Stream 2 > host to device", sort="size_bytes", limit=1).to_pylist()
    assert [r["size_bytes"] for r in found] == [3 * MIB]
    shown = {r["id"]: r["ts_ns"] for r in timeline.slices(store, name="MEMCPY_ASYNC").to_pylist()}
    assert shown[found[0]["id"]] == 20_000
    with pytest.raises(BadArgument, match="Stream 3"):
        timeline.memcpy_details(store, path="Stream 3")


def test_real_copies_of_a_trace(real: Callable[[str], Path]) -> None:
    folder = real("text_level2/rank0_ascend_pt")
    events = json.loads(next(folder.rglob("trace_view.json")).read_text(encoding="utf-8"))
    copies = [e for e in events if e.get("name") == "MEMCPY_ASYNC" and e["tid"] == 2]
    found = figures(open_store(folder))
    assert found["Stream 2"] == (861_937, sum(e["args"]["data size(Byte)"] for e in copies), len(copies))
    assert found["Stream 2 > host to device"] == (830_857, 19_267_840, 2)


def test_copies_of_a_database_are_limited_to_the_device(real: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "rank0_ascend_pt"
    shutil.copytree(real("db_level2/rank0_ascend_pt"), folder)
    path = next(folder.rglob("ascend_pytorch_profiler_0.db"))
    path.chmod(0o644)
    with closing(sqlite3.connect(path)) as database, database:
        name = database.execute("SELECT id FROM STRING_IDS WHERE value = 'MEMCPY_ASYNC'").fetchone()[0]
        tasks = database.execute(
            "SELECT globalTaskId, streamId, endNs - startNs FROM TASK WHERE taskType = ? ORDER BY startNs", (name,)
        ).fetchall()
        database.execute("CREATE TABLE MEMCPY_INFO (globalTaskId INTEGER, size INTEGER, memcpyOperation INTEGER)")
        rows = [(task, 100 + i, 1 if i % 2 else 3) for i, (task, _, _) in enumerate(tasks)]
        database.executemany("INSERT INTO MEMCPY_INFO VALUES (?, ?, ?)", rows)
        columns = "startNs, endNs, connectionId, globalPid, taskType, contextId, streamId, taskId, modelId"
        database.execute(
            f"INSERT INTO TASK ({columns}, deviceId, globalTaskId) SELECT {columns}, 1, -5 FROM TASK WHERE globalTaskId = ?",
            (tasks[0][0],),
        )
        database.execute("INSERT INTO MEMCPY_INFO VALUES (-5, 77777, 1)")
    expected: dict[str, tuple[int, int, int]] = {}
    for i, (_, stream, length) in enumerate(tasks):
        kind = "host to device" if i % 2 else "device to device"
        for key in (f"Stream {stream}", f"Stream {stream} > {kind}"):
            before = expected.get(key, (0, 0, 0))
            expected[key] = (before[0] + length, before[1] + 100 + i, before[2] + 1)
    assert figures(open_store(folder)) == expected


def test_a_database_without_the_table_has_no_copies(real: Callable[[str], Path]) -> None:
    assert timeline.memcpy(open_store(real("db_level1/rank0_ascend_pt"))).num_rows == 0
