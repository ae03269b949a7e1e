"""Writes a large operator profile: small pages, instructions of 24 cores, a trace."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from sample_data import make_bin, simulate_kernel
from sample_data.make_bin import HEADER, INSTRUCTIONS, MARK, TRACE

CORES = 24
PIPES = (("MTE2", "MOV_OUT_TO_UB"), ("VECTOR", "VADD"), ("SCALAR", "ADD"), ("MTE3", "MOV_UB_TO_OUT"))


def write(path: Path, instruction_mb: int, trace_mb: int) -> Path:
    """Write a file unless it is there."""
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    small = [b for b in make_bin.blocks_of(simulate_kernel.add()) if b[0] not in (INSTRUCTIONS, TRACE)]
    with path.open("wb") as file:
        file.write(make_bin.join(small))
        for kind, version, pieces in (
            (INSTRUCTIONS, 0, _instructions(instruction_mb)),
            (TRACE, MARK, _trace(trace_mb)),
        ):
            at = file.tell()
            file.write(bytes(HEADER.size))
            for piece in pieces:
                file.write(piece)
            size = file.tell() - at - HEADER.size
            padding = -size % 4
            file.write(bytes(padding))
            file.seek(at)
            file.write(HEADER.pack(size + padding, kind, padding, version, MARK))
            file.seek(0, 2)
    return path


def _instructions(megabytes: int) -> Iterator[bytes]:
    rng = random.Random(3)
    cores = [f"core{i}.veccore0" for i in range(CORES)]
    yield b'{"Cores":' + json.dumps(cores).encode() + b',"Instructions":['
    written = number = 0
    while written < megabytes << 20:
        pipe, name = PIPES[number % 4]
        record = {
            "Address": f"0x{0x11340000 + 8 * number:x}",
            "AscendC Inner Code": f"{simulate_kernel.ADD_PATH}:{number % 70 + 1}",
            "Cycles": [rng.randrange(4000) for _ in cores],
            "Instructions Executed": [rng.randrange(64) for _ in cores],
            "Pipe": pipe,
            "Process Bytes": [rng.randrange(-1, 4096)],
            "Source": f"{name} XD:X{number % 32},XN:X{number % 7}",
            "Vector Utilization Percentage": [rng.randrange(1000) / 10],
        }
        raw = (b"," if number else b"") + json.dumps(record, separators=(",", ":")).encode()
        written, number = written + len(raw), number + 1
        yield raw
    codes = {"Address": 3, "AscendC Inner Code": 3, "Cycles": 1, "Instructions Executed": 1, "Pipe": 3, "Process Bytes": 1, "Source": 3, "Vector Utilization Percentage": 4}  # fmt: skip
    yield b'],"Instructions Dtype":' + json.dumps({"Instructions": codes}).encode() + b"}"


def _trace(megabytes: int) -> Iterator[bytes]:
    rng = random.Random(5)
    yield b'{"displayTimeUnit":"ns","profilingType":"op","schemaVersion":2,"traceEvents":['
    written = number = 0
    now = 0.0
    while written < megabytes << 20:
        pipe, name = PIPES[number // CORES % 4]
        now += 0.5 if number % (4 * CORES) == 0 else 0.0
        raw = (
            f'{"," if number else ""}{{"ph":"X","name":"{name}","cname":"startup","pid":"core{number % CORES}.veccore0",'
            f'"tid":"{pipe}","ts":{now:.6f},"dur":{rng.random() * 0.4:.6f},"args":{{"code":"{simulate_kernel.ADD_PATH}:'
            f'{number % 70 + 1}","detail":"{name} X1,X2","pc_addr":"0x{0x11340000 + 8 * (number % 4000):x}"}}}}'
        ).encode()
        written, number = written + len(raw), number + 1
        yield raw
    yield b"]}"
