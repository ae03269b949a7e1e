"""The memory files of a small run that the examples are computed from, and a project made of them."""

from __future__ import annotations

from pathlib import Path

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard

RECORD = """\
Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type
APP,1000000.000\t,0.0,2000.0,0.0,,NPU:0
PTA,1000100.700\t,10.0,20.0,10.0,777,NPU:0
PTA+GE,1000100.700\t,10.0,20.0,10.0,777,NPU:0
GE,1000150.0004\t,1.256,2.0,0.0,,NPU:0
PTA+GE,1000150.0004\t,11.256,22.0,10.0,,NPU:0
WORKSPACE,1000160.000\t,3.0,4.0,3.0,777,NPU:0
PTA,1000200.250\t,30.0,40.0,35.5,888,NPU:0
PTA+GE,1000200.250\t,31.256,42.0,35.5,888,NPU:0
APP,1000250.000\t,0.0,2100.0,0.0,,NPU:0
PTA+GE,1000300.000\t,99.0,99.0,99.0,777,NPU:1
PTA,1000310.000\t,1.0,1.0
"""
OPERATOR = """\
Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type
aten::empty,512.5,1000020.000\t,1000120.000\t,1000121.000\t,100.000,101.000,10.5,20.0,10.5,10.0,20.0,10.0,777,NPU:0
aten::mm,2048.0,1000100.700\t,\t,\t,,,12.0,20.0,12.0,,,,777,NPU:0
aten::mm,1024.0,1000200.250\t,1000210.250\t,1000215.000\t,10.000,14.750,31.256,42.0,35.5,30.256,42.0,34.5,888,NPU:0
cann::ReduceSum7,64.0,1000150.000\t,1000160.000\t,\t,10.000,,1.256,2.0,,1.0,2.0,,,NPU:0
,0.5,1000230.000\t,1000240.000\t,1000240.000\t,10.000,10.000,1.0,2.0,1.0,1.0,2.0,1.0,777,NPU:0
aten::other,8.0,1000400.000\t,1000410.000\t,1000410.000\t,10.000,10.000,1.0,2.0,1.0,1.0,2.0,1.0,777,NPU:1
"""
MODULE = """\
Component,Timestamp(us),Total Reserved(KB),Device
HCCL,1000010.000\t,51200.0,NPU:0
HCCL,1000020.000\t,307200.0,NPU:0
HCCL,1000030.000\t,307200.0,NPU:0
APP,1000015.000\t,102400.0,NPU:0
SLOG,1000012.000\t,102399.9,NPU:0
"""
STATIC = """\
Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index End,Size(KB)
host,TOTAL,0,7,0,4294967295,10240
host,weight,0,7,0,4294967295,2048
host,matmul_1,0,7,1,3,1024
host,relu_2,0,7,3,5,512
host,empty_3,0,7,4,5,0
host,Matmul_4,0,7,6,9,256
host,other,0,8,0,2,128
"""
FILES = {"memory_record.csv": RECORD, "operator_memory.csv": OPERATOR, "npu_module_mem.csv": MODULE}
STATIC_FILES = {**FILES, "static_op_mem.csv": STATIC}


def write(folder: Path, files: dict[str, str]) -> Path:
    """A folder of one card as the framework's profiler leaves it."""
    out = folder / "ASCEND_PROFILER_OUTPUT"
    out.mkdir(parents=True)
    for name, text in files.items():
        (out / name).write_text(text, encoding="utf-8")
    return folder


def open_store(*paths: Path, kinds: dict[str, str] | None = None) -> Store:
    """The project that the window would have with these paths."""
    _, items = import_paths(list(paths), kinds=kinds)
    return Store([StoreCard.of_import(item) for item in items])
