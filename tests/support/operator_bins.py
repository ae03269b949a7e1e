"""Operator files for tests: a writer of its own, and one small kernel whose figures are known by heart."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

from insight_desktop.engine import load
from insight_desktop.engine.store import Store, StoreCard

(SOURCE, TRACE, LINES, INSTRUCTIONS, BASE, GRAPH, TABLE, MEMORY, MEMORY_TABLE) = range(1, 10)
CORES, ROOFLINE, CACHE, STALLS = 12, 13, 14, 15
PATH = "/demo/add_custom.cpp"
CORE = "core0.veccore0"
TEXT = "// demo\n" * 20 + "void Compute() {\n    Add(z, x, y, n);\n}\n"


def block(kind: int, payload: Any, path: str = "", version: int = 0x5A) -> bytes:
    """One block; text and dicts become JSON as the collector writes it."""
    body = payload if isinstance(payload, bytes) else json.dumps(payload, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()  # fmt: skip
    padding = -len(body) % 4
    head = struct.pack("<QBBBB", len(body) + padding, kind, padding, version, 0x5A)
    name = path.encode().ljust(4096, b"\0") if kind == SOURCE else b""
    return head + name + body + b"\0" * padding


def base(**changes: Any) -> dict[str, Any]:
    """Payload of type 5."""
    rows = [{"value": ["0", "vector", "11.75"]}, {"value": ["1", "vector", "12.20"]}]
    return {
        "name": "add_custom", "soc": "Ascend910B4", "op_type": "vector", "block_dim": "2", "mix_block_dim": "0",
        "duration": 12.5, "device_id": "0", "pid": "4242", "advice": [],
        "block_detail": {"head_name": ["Block ID", "Core Type", "Duration (μs)"], "size": [3, 3], "row": rows},
    } | changes  # fmt: skip


def trace() -> dict[str, Any]:
    """Payload of type 2: two instructions, a pair of flags, their link."""
    events: list[dict[str, Any]] = [
        {"ph": "M", "name": "process_name", "pid": CORE, "args": {"name": CORE}},
        {"ph": "M", "name": "process_sort_index", "pid": CORE, "args": {"sort_index": 2}},
        {"ph": "X", "name": "MOV_OUT_TO_UB", "pid": CORE, "tid": "MTE2", "ts": 0.010, "dur": 0.400,
         "args": {"code": f"{PATH}:22", "pc_addr": "0x1134e000"}},
    ]  # fmt: skip
    for name, lane, begin, end in (("SET_FLAG", "MTE2", 0.410, 0.411), ("WAIT_FLAG", "VECTOR", 0.020, 0.430)):
        for phase, stamp in (("B", begin), ("E", end)):
            events.append({"ph": phase, "name": name, "pid": CORE, "tid": lane, "ts": stamp, "id": f"{CORE}_0"})
    flow = {"name": "flow", "cat": "MTE2ToVECTOR", "id": f"{CORE}_0", "pid": CORE}
    events += [{"ph": "s", "tid": "MTE2", "ts": 0.411, **flow}, {"ph": "t", "tid": "VECTOR", "ts": 0.430, **flow}]
    events.append(
        {"ph": "X", "name": "VADD", "pid": CORE, "tid": "VECTOR", "ts": 0.432, "dur": 0.05,
         "args": {"code": f"{PATH}:22", "pc_addr": "0x1134e008"}}
    )  # fmt: skip
    return {"displayTimeUnit": "ns", "profilingType": "op", "schemaVersion": 1, "traceEvents": events}


def lines() -> dict[str, Any]:
    """Payload of type 3."""
    codes = {"Address Range": 0, "Cycles": 1, "Instructions Executed": 1, "Line": 1}
    line = {"Line": 22, "Address Range": [["0x1134e000", "0x1134e008"]], "Cycles": [450], "Instructions Executed": [2]}
    return {"Cores": [CORE], "Files Dtype": {"Lines": codes}, "Files": [{"Source": PATH, "Lines": [line]}]}


def instruction(address: str, pipe: str, text: str, cycles: int, hit: float) -> dict[str, Any]:
    """One record of type 4."""
    return {
        "Address": address, "AscendC Inner Code": f"{PATH}:22", "Cycles": [cycles], "Instructions Executed": [1],
        "Pipe": pipe, "Source": text, "L2Cache Hit Rate": [hit],
    }  # fmt: skip


def instructions() -> dict[str, Any]:
    """Payload of type 4."""
    codes = {"Address": 3, "AscendC Inner Code": 3, "Cycles": 1, "Instructions Executed": 1, "Pipe": 3, "Source": 3, "L2Cache Hit Rate": 4}  # fmt: skip
    found = [
        instruction("0x1134e000", "MTE2", "MOV_OUT_TO_UB", 400, 90.0),
        instruction("0x1134e008", "VECTOR", "VADD", 50, -1.0),
    ]
    return {"Cores": [CORE], "Instructions Dtype": {"Instructions": codes}, "Instructions": found}


def roofline() -> dict[str, Any]:
    """Payload of type 13."""
    unit = {"computility_name": "Vec_FP32(100.000000%)", "computility": 4.224}
    entries = [
        {"bw_name": "GM Read + Write", "bw": 0.8, "point": [0.5, 0.3], "ratio": "0.750000", **unit},
        {"bw_name": "L2 Read + Write", "bw": 4.0, "point": [0.25, 0.3], "ratio": "0.300000", **unit},
    ]
    return {"advice": "memory bound", "multiple_rooflines": [{"title": "GM/L2", "rooflines": entries}]}


def cache() -> dict[str, Any]:
    """Payload of type 14."""
    return {
        "Cacheline Records": [
            {
                "Cacheline Id": i,
                "Hit": {"Value": [i, round(i / 255, 4)], "Address Range": [["0x1134e000", "0x1134e000"]]},
                "Miss": {"Value": [255 - i, round(1 - i / 255, 4)], "Address Range": []},
            }
            for i in range(256)
        ]
    }


def stalls() -> dict[str, Any]:
    """Payload of type 15."""
    names = ("IBuf_Empty", "Nop_Cycles", "Scoreboard_Not_Ready", "Register_bank_conflict", "Resource_conflict", "Warp_Level_Sync", "Divergence_Stack_Spill", "Others")  # fmt: skip
    return {"top_stall_reason_table": dict(zip(names, (3, 0, 9, 0, 1, 4, 0, 2), strict=True))}


def graph() -> dict[str, Any]:
    """Payload of type 6."""
    rows = [
        {"block_id": str(b), "block_type": "vector", "name": "Vector All Active", "unit": 3, "value": 8.0 + b, "origin_value": 1600.0 + b}
        for b in (0, 1)
    ]  # fmt: skip
    return {"advice": [], "subblock_detail": rows}


def table() -> dict[str, Any]:
    """Payload of type 7."""
    rows = [
        {"block_id": str(b), "block_type": "vector", "name": name, "unit": unit, "value": value}
        for b in (0, 1)
        for name, unit, value in (("Vector FP32", 1, "640"), ("Vector Wait", 0, "1.25"), ("Vector Compute Data Size", 2, "40960"))
    ]  # fmt: skip
    return {"advice": [], "subblock_detail": rows}


def memory(**changes: Any) -> dict[str, Any]:
    """Payload of type 8; changes go into every block."""
    units = [
        {"memory_path": p, "bandwidth": bandwidth, "request": request, "peak_ratio": peak, "display": 1}
        for p, bandwidth, request, peak in (
            (0, "2.50", "1000", "NA"), (1, "1.25", "500", "NA"), (12, "5.00", "1000", "4.23"), (13, "2.50", "500", "2.81"),
            (14, "5.00", "640", "NA"), (15, "5.00", "640", "NA"),
        )
    ]  # fmt: skip
    entry = {
        "op_type": "vector", "soc": "910B", "advice": ["aivector compute usage lower than 20%"], "memory_unit": units,
        "L2cache": {"hit": "900", "miss": "100", "total_request": "1000", "hit_ratio": "90.000000"},
        "Vector": {"cycle": 1600, "total_cycles": 20000, "ratio": 8.0},
    } | changes  # fmt: skip
    return {"core_memory_map": [{"core_no": str(b), **entry} for b in (0, 1)]}


def memory_table() -> dict[str, Any]:
    """Payload of type 9."""
    tables = [
        {"table_name": "Cache", "header_name": ["", "hit", "miss", "total", "hit rate(%)"], "size": [1, 4],
         "row": [{"name": "L2 Cache Total", "value": ["900", "100", "1000", "90.000000"]}]},
        {"table_name": "Pipe", "header_name": ["", "instructions", "cycle", "wait cycles", "active rate(%)"], "size": [1, 4],
         "row": [{"name": "MTE2", "value": ["16", "1475", "0", "7.375000"]}]},
    ]  # fmt: skip
    return {
        "table_per_block": [
            {"block_id": str(b), "table_op_type": "vector", "advice": [], "table_detail": tables} for b in (0, 1)
        ]
    }


def core_load() -> dict[str, Any]:
    """Payload of type 12."""
    cores = [
        {"core_id": b, "core_detail": [{"subcore_id": "0", "subcore_type": "vector", "cycles": str(20000 + 500 * b), "throughput": "262144", "L2cache_hit_rate": str(90 + b)}]}
        for b in (0, 1)
    ]  # fmt: skip
    return {"soc": "Ascend910B4", "op_type": "vector", "advice": "", "op_detail": cores}


PAYLOADS: dict[int, Any] = {
    LINES: lines, INSTRUCTIONS: instructions, STALLS: stalls, BASE: base, GRAPH: graph, TABLE: table, MEMORY: memory,
    MEMORY_TABLE: memory_table, CORES: core_load, ROOFLINE: roofline, TRACE: trace, CACHE: cache,
}  # fmt: skip


def sample(**changes: Any) -> bytes:
    """The small kernel: 13 blocks. `changes` give payloads by the name of their function; None leaves one out."""
    parts = [block(SOURCE, TEXT.encode(), PATH)]
    for kind, make in PAYLOADS.items():
        payload = changes.get(make.__name__, make())
        if payload is not None:
            parts.append(block(kind, payload, version=0 if kind == INSTRUCTIONS else 0x5A))
    return b"".join(parts)


def write(folder: Path, data: bytes, name: str = "visualize_data.bin") -> Path:
    """A file of that content."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(data)
    return path


def opened(*paths: Path) -> Store:
    """A store of imported files; an import that fails raises its reason."""
    _, imports = load.import_paths(list(paths), fresh=True)
    failed = [item for item in imports if item.status != "ready"]
    assert [item.message for item in failed] == []
    return Store([StoreCard.of_import(item) for item in imports])
