"""Writes the simulated job as the database output of the Ascend PyTorch profiler."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from sample_data.make_text import info
from sample_data.simulate import GROUP, Rank, overlap

NONE = 4294967295
SCHEMA = """
create table STRING_IDS (id INTEGER PRIMARY KEY, value TEXT);
create table META_DATA (name TEXT, value TEXT);
create table SESSION_TIME_INFO (startTimeNs INTEGER, endTimeNs INTEGER);
create table NPU_INFO (id INTEGER, name TEXT);
create table HOST_INFO (hostUid TEXT, hostName TEXT);
create table RANK_DEVICE_MAP (rankId INTEGER, deviceId INTEGER);
create table ENUM_API_TYPE (id INTEGER PRIMARY KEY, name TEXT);
create table ENUM_HCCL_DATA_TYPE (id INTEGER PRIMARY KEY, name TEXT);
create table ENUM_HCCL_LINK_TYPE (id INTEGER PRIMARY KEY, name TEXT);
create table ENUM_HCCL_TRANSPORT_TYPE (id INTEGER PRIMARY KEY, name TEXT);
create table TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER, globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER);
create table COMPUTE_TASK_INFO (name INTEGER, globalTaskId INTEGER PRIMARY KEY, blockNum INTEGER, mixBlockNum INTEGER, taskType INTEGER, opType INTEGER, inputFormats INTEGER, inputDataTypes INTEGER, inputShapes INTEGER, outputFormats INTEGER, outputDataTypes INTEGER, outputShapes INTEGER, attrInfo INTEGER, opState INTEGER, hf32Eligible INTEGER);
create table COMMUNICATION_OP (opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, groupName INTEGER, opId INTEGER PRIMARY KEY, relay INTEGER, retry INTEGER, dataType INTEGER, algType INTEGER, count NUMERIC, opType INTEGER, deviceId INTEGER);
create table COMMUNICATION_TASK_INFO (name INTEGER, globalTaskId INTEGER, taskType INTEGER, planeId INTEGER, groupName INTEGER, notifyId INTEGER, rdmaType INTEGER, srcRank INTEGER, dstRank INTEGER, transportType INTEGER, size INTEGER, dataType INTEGER, linkType INTEGER, opId INTEGER, isMaster INTEGER, bandwidth NUMERIC);
create table CANN_API (startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER, name INTEGER);
create table PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER, sequenceNumber INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER, inputShapes INTEGER, callchainId INTEGER, type INTEGER);
create table CONNECTION_IDS (id INTEGER, connectionId INTEGER);
create table PYTORCH_CALLCHAINS (id INTEGER, stack INTEGER, stackDepth INTEGER);
create table STEP_TIME (id INTEGER, startNs INTEGER, endNs INTEGER);
create table OVERLAP_ANALYSIS (id INTEGER PRIMARY KEY, deviceId INTEGER, startNs NUMERIC, endNs NUMERIC, type INTEGER);
create table AICORE_FREQ (deviceId INTEGER, timestampNs NUMERIC, freq INTEGER);
create table HBM (deviceId INTEGER, timestampNs INTEGER, bandwidth NUMERIC, hbmId INTEGER, type INTEGER);
create table NPU_MEM (type INTEGER, ddr NUMERIC, hbm NUMERIC, timestampNs INTEGER, deviceId INTEGER);
create table CPU_USAGE (timestampNs NUMERIC, cpuId NUMERIC, usage NUMERIC);
"""
ENUMS = {
    "ENUM_API_TYPE": {
        20000: "acl",
        15000: "model",
        10000: "node",
        5500: "communication",
        5000: "runtime",
        50001: "op",
        50002: "queue",
        50003: "trace",
        50004: "mstx",
    },
    "ENUM_HCCL_DATA_TYPE": {4: "FP32", 255: "RESERVED"},
    "ENUM_HCCL_LINK_TYPE": {0: "ON_CHIP", 1: "HCCS", 2: "PCIE", 3: "ROCE"},
    "ENUM_HCCL_TRANSPORT_TYPE": {0: "SDMA", 1: "RDMA", 2: "LOCAL"},
}
API_TYPES = {"acl": 20000, "node": 10000, "communication": 5500}


def write(root: Path, ranks: list[Rank]) -> None:
    """One `*_ascend_pt` folder per rank."""
    for rank in ranks:
        folder = root / f"node-1_{rank.pid}_20260101080000{rank.rank:03d}_ascend_pt"
        output = folder / "ASCEND_PROFILER_OUTPUT"
        output.mkdir(parents=True, exist_ok=True)
        info(rank, folder, "db")
        path = output / f"ascend_pytorch_profiler_{rank.rank}.db"
        path.unlink(missing_ok=True)
        db = sqlite3.connect(path)
        db.executescript("pragma page_size=1024; pragma journal_mode=off;" + SCHEMA)
        _Writer(db, rank).write()
        db.commit()
        db.close()


class _Writer:
    def __init__(self, db: sqlite3.Connection, rank: Rank) -> None:
        self.db, self.rank = db, rank
        self.strings: dict[str, int] = {}

    def s(self, text: str) -> int:
        return self.strings.setdefault(text, len(self.strings))

    def insert(self, table: str, rows: list[tuple[object, ...]]) -> None:
        if rows:
            self.db.executemany(f"insert into {table} values ({','.join('?' * len(rows[0]))})", rows)

    def write(self) -> None:
        rank = self.rank
        groups = json.dumps({GROUP: {"group_name": "dp", "group_rank": rank.rank, "global_ranks": [0, 1]}})
        self.insert("META_DATA", [("SCHEMA_VERSION", "1.1.0"), ("parallel_group_info", groups)])
        self.insert("SESSION_TIME_INFO", [(rank.steps[0][1] - 50_000, rank.steps[-1][2] + 50_000)])
        self.insert("NPU_INFO", [(rank.rank, "Ascend910B4")])
        self.insert("HOST_INFO", [("3538958389648580163", "node-1")])
        self.insert("RANK_DEVICE_MAP", [(rank.rank, rank.rank)])
        for table, values in ENUMS.items():
            self.insert(table, list(values.items()))
        self.insert("STEP_TIME", list(rank.steps))
        self._host()
        self._device()
        self._counters()
        self.insert("STRING_IDS", [(i, text) for text, i in self.strings.items()])

    def _host(self) -> None:
        rank, api, chains, connections = self.rank, [], [], []
        queue = 5 << 28
        pairs = {id(f): (queue + 5_000 + i) for i, (f, _) in enumerate(rank.forward_backward)}
        pairs |= {id(b): (queue + 5_000 + i) for i, (_, b) in enumerate(rank.forward_backward)}
        for i, op in enumerate(rank.ops):
            own = (
                [queue + op.connection]
                if op.connection and op.kind != "op"
                else [op.connection]
                if op.connection
                else []
            )
            own += [pairs[id(op)]] if id(op) in pairs else []
            connections += [(i, c) for c in own]
            chain = i if op.stack else None
            chains += [(i, self.s(frame), depth) for depth, frame in enumerate(op.stack)]
            shapes = self.s(op.shapes.replace(";", ";\r\n")) if op.shapes else None
            dtypes = self.s(";\r\n".join("c10::BFloat16" for _ in op.shapes.split(";"))) if op.shapes else None
            framework = op.kind == "op"
            api.append(
                (
                    str(op.start),
                    str(op.end),
                    self._tid(op.tid),
                    i if own else None,
                    self.s(op.name),
                    op.sequence if framework else None,
                    0 if framework else None,
                    dtypes,
                    shapes,
                    chain,
                    50001 if framework else 50002,
                )
            )
        for frame in rank.frames:
            api.append(
                (
                    str(frame.start),
                    str(frame.end),
                    self._tid(frame.tid),
                    None,
                    self.s(frame.name),
                    None,
                    None,
                    None,
                    None,
                    None,
                    50003,
                )
            )
        self.insert("PYTORCH_API", api)
        self.insert("CONNECTION_IDS", connections)
        self.insert("PYTORCH_CALLCHAINS", chains)
        # One CANN row per connection carries it; the enclosing acl call has a number of its own.
        calls = [
            (
                c.start,
                c.end,
                API_TYPES[c.kind],
                self._tid(c.tid),
                c.connection if c.kind != "acl" else 900_000 + (c.connection or 0),
                self.s(c.name.split("@")[1]),
            )
            for c in rank.api
        ]
        self.insert("CANN_API", calls)

    def _device(self) -> None:
        rank, tasks, compute, comm_tasks = self.rank, [], [], []
        op_ids = {c.name: i for i, c in enumerate(rank.comm)}
        group = self.s(GROUP)
        for number, t in enumerate([*rank.tasks, *rank.comm_tasks]):
            stream = t.tid + int(str(t.extra.get("plane", 0)))
            tasks.append(
                (
                    t.start,
                    t.end,
                    rank.rank,
                    t.connection,
                    number,
                    rank.pid,
                    self.s(t.kind),
                    NONE,
                    stream,
                    number % 65_536,
                    NONE,
                )
            )
            if t.tid == 2:
                n, shapes = self.s("N/A"), self.s(f'"{t.shapes}"' if t.shapes else "N/A")
                compute.append(
                    (
                        self.s(t.name),
                        number,
                        24,
                        0,
                        self.s(t.kind),
                        self.s(str(t.extra["type"])),
                        self.s("ND"),
                        self.s("DT_BF16"),
                        shapes,
                        self.s("ND"),
                        self.s("DT_BF16"),
                        n,
                        n,
                        self.s("dynamic"),
                        self.s("NO"),
                    )
                )
            else:
                bandwidth = 8_388_608 * 1_000_000_000 // (t.end - t.start)
                comm_tasks.append(
                    (
                        self.s(t.name),
                        number,
                        self.s(t.name),
                        t.extra["plane"],
                        group,
                        9_223_372_036_854_775_807,
                        65535,
                        rank.rank,
                        1 - rank.rank,
                        0,
                        8_388_608,
                        4,
                        1,
                        op_ids[str(t.extra["op"])],
                        1,
                        bandwidth,
                    )
                )
        self.insert("TASK", tasks)
        self.insert("COMPUTE_TASK_INFO", compute)
        self.insert("COMMUNICATION_TASK_INFO", comm_tasks)
        ops = [
            (
                self.s(c.name),
                c.start,
                c.end,
                c.connection,
                group,
                i,
                0,
                0,
                4,
                self.s("MESH-RING"),
                4_194_304,
                self.s("hcom_allReduce_"),
                rank.rank,
            )
            for i, c in enumerate(rank.comm)
        ]
        self.insert("COMMUNICATION_OP", ops)
        rows = [(None, rank.rank, a, b, kind) for kind, spans in enumerate(overlap(rank).values()) for a, b in spans]
        self.insert("OVERLAP_ANALYSIS", rows)

    def _counters(self) -> None:
        rank = self.rank
        app = self.s("app")
        for process, counter, _, at, value in rank.counters:
            if process == "HBM":
                self.insert("HBM", [(rank.rank, at, int(value * 1_000_000), 0, self.s(counter.split("/")[1].lower()))])
            elif process == "NPU MEM":
                self.insert("NPU_MEM", [(app, 0, int(value * 1024), at, rank.rank)])
            elif process == "AI Core Freq":
                self.insert("AICORE_FREQ", [(rank.rank, at, int(value))])
            else:
                self.insert("CPU_USAGE", [(at, 0, value)])

    def _tid(self, tid: int) -> int:
        return self.rank.pid << 32 | tid
