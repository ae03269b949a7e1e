"""Makes small profiler databases from lists and reads them back as plain rows."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pyarrow as pa

from insight_desktop.ingest.formats import profiler_db
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

NONE = 4294967295
T0 = 1761000000000000000
TID = (77 << 32) | 78

COLUMNS = {
    "STRING_IDS": "id INTEGER PRIMARY KEY, value TEXT",
    "TASK": "startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER, "
    "globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER",
    "COMPUTE_TASK_INFO": "name INTEGER, globalTaskId INTEGER PRIMARY KEY, blockDim INTEGER, mixBlockDim INTEGER, "
    "taskType INTEGER, opType INTEGER",
    "COMMUNICATION_SCHEDULE_TASK_INFO": "name INTEGER, globalTaskId INTEGER PRIMARY KEY, taskType INTEGER, opType INTEGER",
    "COMMUNICATION_TASK_INFO": "name INTEGER, globalTaskId INTEGER, taskType INTEGER, planeId INTEGER, "
    "groupName INTEGER, notifyId INTEGER, rdmaType INTEGER, srcRank INTEGER, dstRank INTEGER, transportType INTEGER, "
    "size INTEGER, dataType INTEGER, linkType INTEGER, opId INTEGER",
    "COMMUNICATION_OP": "opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, groupName INTEGER, "
    "opId INTEGER PRIMARY KEY, relay INTEGER, retry INTEGER, dataType INTEGER, algType INTEGER, count NUMERIC, opType INTEGER",
    "CANN_API": "startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER PRIMARY KEY, name INTEGER",
    "PYTORCH_API": "startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER, "
    "sequenceNumber INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER, inputShapes INTEGER, callchainId INTEGER, type INTEGER",
    "CONNECTION_IDS": "id INTEGER, connectionId INTEGER",
    "MSTX_EVENTS": "startNs INTEGER, endNs INTEGER, eventType INTEGER, rangeId INTEGER, category INTEGER, "
    "message INTEGER, globalTid INTEGER, endGlobalTid INTEGER, domainId INTEGER, connectionId INTEGER",
    "OSRT_API": "name INTEGER, globalTid INTEGER, startNs INTEGER, endNs INTEGER",
    "GC_RECORD": "startNs INTEGER, endNs INTEGER, globalTid INTEGER",
    "CCU": "deviceId INTEGER, globalTaskId INTEGER, name INTEGER, startNs INTEGER, endNs INTEGER, args INTEGER",
    "META_DATA": "name TEXT, value TEXT",
    "RANK_DEVICE_MAP": "rankId INTEGER, deviceId INTEGER",
    "NPU_INFO": "id INTEGER, name TEXT",
    "HOST_INFO": "hostUid TEXT, hostName TEXT",
    "SESSION_TIME_INFO": "startTimeNs INTEGER, endTimeNs INTEGER",
    "MEMCPY_INFO": "globalTaskId NUMERIC PRIMARY KEY, size NUMERIC, memcpyOperation INTEGER",
    "TASK_PMU_INFO": "globalTaskId INTEGER, name INTEGER, value NUMERIC",
    "PYTORCH_CALLCHAINS": "id INTEGER, stack INTEGER, stackDepth INTEGER",
    "OVERLAP_ANALYSIS": "id INTEGER PRIMARY KEY, deviceId INTEGER, startNs NUMERIC, endNs NUMERIC, type INTEGER",
}
STRINGS = {1: "AI_CORE", 3: "opA", 4: "opB"}


def task(
    start: int, end: Any, number: int, *, device: Any = 0, stream: Any = 2, connection: Any = NONE, kind: Any = 1
) -> tuple[Any, ...]:
    """A row of TASK; times count from T0."""
    stop = T0 + end if isinstance(end, int) else end
    return (T0 + start, stop, device, connection, number, 77, kind, NONE, stream, number, NONE)


def make_db(path: Path, *, columns: dict[str, str] | None = None, **tables: list[tuple[Any, ...]]) -> Path:
    """Write a database; STRING_IDS has STRINGS unless it is given."""
    tables.setdefault("STRING_IDS", list(STRINGS.items()))
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path)
    for name, rows in tables.items():
        db.execute(f'CREATE TABLE "{name}" ({(columns or {}).get(name) or COLUMNS[name]})')
        for row in rows:
            db.execute(f'INSERT INTO "{name}" VALUES ({",".join("?" * len(row))})', row)
    db.commit()
    db.close()
    return path


class Got:
    """Everything a reading yields, as lists of dicts."""

    def __init__(self, path: Path) -> None:
        self.report = Report()
        parts: dict[str, list[pa.RecordBatch]] = {}
        for name, batch in profiler_db.read(Source("profiler_db", "db", (path,)), self.report):
            parts.setdefault(name, []).append(batch)
        self.tables = {name: [row for batch in batches for row in batch.to_pylist()] for name, batches in parts.items()}
        self.strings = [row["value"] for row in self.tables.get("string", [])]
        self.tracks = self.tables.get("track", [])
        self.slices = [
            {
                **row,
                "text": self.strings[row["name"]],
                **{k: self.tracks[row["track"]][k] for k in ("process", "thread", "lane", "role", "device")},
            }
            for row in self.tables.get("slice", [])
        ]
        self.codes = [issue.code for issue in self.report.issues]

    def lane(self, title: str) -> list[dict[str, Any]]:
        """Slices of the lanes with this title."""
        return [row for row in self.slices if row["lane"] == title]

    def named(self, title: str) -> list[tuple[str, int, int]]:
        """(name, start − T0, duration) of the slices of a lane."""
        return [(row["text"], row["start_ns"] - T0, row["end_ns"] - row["start_ns"]) for row in self.lane(title)]

    def display(self) -> list[tuple[str, str, str, str]]:
        """(process, thread, group, lane) in display order."""
        order = sorted(self.tracks, key=lambda t: (t["process_sort"], t["thread_sort"], t["lane_sort"]))
        return [(t["process"], t["thread"], t["group"], t["lane"]) for t in order]

    def links(self, category: str) -> list[tuple[str, str, int]]:
        """(source name, target name, id) of the links of a category."""
        found = [row for row in self.tables.get("link", []) if self.strings[row["category"]] == category]
        return [
            (self.slices[row["from_serial"]]["text"], self.slices[row["to_serial"]]["text"], row["id"]) for row in found
        ]

    def counters(self) -> dict[tuple[str, str, str, str], list[tuple[int, float]]]:
        """(group, lane, series, unit) → (time, value) in display order of the lanes."""
        series = self.tables.get("series", [])
        out: dict[tuple[str, str, str, str], list[tuple[int, float]]] = {}
        for number in sorted(range(len(series)), key=lambda n: (series[n]["process_sort"], series[n]["order"])):
            row = series[number]
            key = (row["process"], row["counter"], row["series"], row["unit"])
            out[key] = [(v["ts_ns"], v["value"]) for v in self.tables["counter"] if v["series"] == number]
        return out


def folder_state(folder: Path) -> list[tuple[str, int, int, bytes]]:
    """Names, sizes, times and contents of a folder, to see that nothing was touched."""
    return [
        (f.name, f.stat().st_size, f.stat().st_mtime_ns, f.read_bytes())
        for f in sorted(folder.iterdir())
        if f.is_file()
    ]
