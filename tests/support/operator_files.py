"""Kernel files for tests of the Operator queries, and stores over them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard

HEADER = (
    "Device_id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,Input Shapes,Input Data Types,"
    "Input Formats,Output Shapes,Output Data Types,Output Formats"
)


# The fixture that the specification prints; the last row is too short.
FIXTURE = """\
Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats,aicore_time(us),aic_mac_ratio,cube_utilization(%)
0,mm_a,MatMul,AI_CORE,2000.1239\t,10.006,0.0,24,\"\"\"16,16;16,16\"\"\",FLOAT16;FLOAT16,ND;ND,\"\"\"16,16\"\"\",FLOAT16,ND,9.5,0.51,66.3
0,mm_b,MatMul,AI_CORE,2011.000\t,20.003,0.872,24,\"\"\"16,16;16,16\"\"\",FLOAT16;FLOAT16,ND;ND,\"\"\"16,16\"\"\",FLOAT16,ND,19.0,0.62,70.1
0,cast_a,Cast,AI_VECTOR_CORE,2040.000\t,3.336,8.996,8,\"\"\"\"\"\",FLOAT,ND,\"\"\"16\"\"\",FLOAT16,ND,0,0,0
0,cast_a,Cast,AI_VECTOR_CORE,2050.000\t,1.117,6.664,8,\"\"\"16\"\"\",FLOAT,ND,\"\"\"16\"\"\",FLOAT16,ND,0,0,0
0,cast_c,Cast,AI_CPU,2060.000\t,50.5,8.886,1,\"\"\"16\"\"\",FLOAT,ND,\"\"\"16\"\"\",FLOAT16,ND,0,0,0
0,hcom_allReduce__1_0,hcom_allReduce_,HCCL,2120.000\t,100.25,0,0,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A
0,hcom_allReduce__1_1,hcom_allReduce_,HCCL,2230.000\t,99.75,0,0,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A
0,broken,MatMul,AI_CORE,2400.000\t,999,0,24,x
"""


def open_store(*paths: Path) -> Store:
    """The ready cards of an import."""
    _, imports = import_paths(list(paths))
    return Store([StoreCard.of_import(item) for item in imports if item.status == "ready"])


def fixture_store(folder: Path) -> Store:
    """The printed kernel fixture as the only card."""
    return text_store(folder, FIXTURE)


def line(
    name: str = "op", type: str = "Add", core: str = "AI_CORE", start: object = 1, duration: object = 1, *,
    wait: object = 0, shape: str = "16", device: object = 0, pmu: Iterable[object] = (),
) -> str:  # fmt: skip
    """One row below HEADER; a shape gets its quotes."""
    shapes = f'"""{shape}"""'
    cells = [device, name, type, core, start, duration, wait, 8, shapes, "FLOAT", "ND", shapes, "FLOAT", "ND", *pmu]
    return ",".join(str(cell) for cell in cells)


def kernel_store(folder: Path, rows: Iterable[str], *, pmu: Iterable[str] = ()) -> Store:
    """A card whose kernel file has these rows."""
    text = "\n".join([",".join([HEADER, *pmu]), *rows]) + "\n"
    return text_store(folder, text)


def text_store(folder: Path, text: str, rank: int = 0) -> Store:
    """A card whose kernel file is this text."""
    return open_store(write(folder, text, rank))


def write(folder: Path, text: str, rank: int = 0) -> Path:
    """Write a kernel file as a collector lays it out; returns the folder of the card."""
    output = folder / f"rank{rank}_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True, exist_ok=True)
    (output / "kernel_details.csv").write_bytes(text.encode())
    (output.parent / f"profiler_info_{rank}.json").write_text("{}")
    return output.parent
