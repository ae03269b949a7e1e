"""The csv fixtures of the Memory and Operator pages: small files in which every rule of reading occurs."""

from __future__ import annotations

from pathlib import Path

from insight_desktop.ingest.discover_names import card_role
from insight_desktop.ingest.sources import Source

FILES = {
    "memory_record.csv": (
        "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\n"
        "APP,1000000.000\t,0.0,2000.0,0.0,,NPU:0\n"
        "PTA,1000100.700\t,10.0,20.0,10.0,777,NPU:0\n"
        "PTA+GE,1000100.700\t,10.0,20.0,10.0,777,NPU:0\n"
        "GE,1000150.0004\t,1.256,2.0,0.0,,NPU:0\n"
        "PTA+GE,1000150.0004\t,11.256,22.0,10.0,,NPU:0\n"
        "WORKSPACE,1000160.000\t,3.0,4.0,3.0,777,NPU:0\n"
        "PTA,1000200.250\t,30.0,40.0,35.5,888,NPU:0\n"
        "PTA+GE,1000200.250\t,31.256,42.0,35.5,888,NPU:0\n"
        "APP,1000250.000\t,0.0,2100.0,0.0,,NPU:0\n"
        "PTA+GE,1000300.000\t,99.0,99.0,99.0,777,NPU:1\n"
        "PTA,1000310.000\t,1.0,1.0\n"
    ),
    "operator_memory.csv": (
        "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type\n"
        "aten::empty,512.5,1000020.000\t,1000120.000\t,1000121.000\t,100.000,101.000,10.5,20.0,10.5,10.0,20.0,10.0,777,NPU:0\n"
        "aten::mm,2048.0,1000100.700\t,\t,\t,,,12.0,20.0,12.0,,,,777,NPU:0\n"
        "aten::mm,1024.0,1000200.250\t,1000210.250\t,1000215.000\t,10.000,14.750,31.256,42.0,35.5,30.256,42.0,34.5,888,NPU:0\n"
        "cann::ReduceSum7,64.0,1000150.000\t,1000160.000\t,\t,10.000,,1.256,2.0,,1.0,2.0,,,NPU:0\n"
        ",0.5,1000230.000\t,1000240.000\t,1000240.000\t,10.000,10.000,1.0,2.0,1.0,1.0,2.0,1.0,777,NPU:0\n"
        "aten::other,8.0,1000400.000\t,1000410.000\t,1000410.000\t,10.000,10.000,1.0,2.0,1.0,1.0,2.0,1.0,777,NPU:1\n"
    ),
    "npu_module_mem.csv": (
        "Component,Timestamp(us),Total Reserved(KB),Device\n"
        "HCCL,1000010.000\t,51200.0,NPU:0\n"
        "HCCL,1000020.000\t,307200.0,NPU:0\n"
        "HCCL,1000030.000\t,307200.0,NPU:0\n"
        "APP,1000015.000\t,102400.0,NPU:0\n"
        "SLOG,1000012.000\t,102399.9,NPU:0\n"
    ),
    "static_op_mem.csv": (
        "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index End,Size(KB)\n"
        "host,TOTAL,0,7,0,4294967295,10240\n"
        "host,weight,0,7,0,4294967295,2048\n"
        "host,matmul_1,0,7,1,3,1024\n"
        "host,relu_2,0,7,3,5,512\n"
        "host,empty_3,0,7,4,5,0\n"
        "host,Matmul_4,0,7,6,9,256\n"
        "host,other,0,8,0,2,128\n"
    ),
    "kernel_details.csv": (
        "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats,aicore_time(us),aic_mac_ratio,cube_utilization(%)\n"
        '0,mm_a,MatMul,AI_CORE,2000.1239\t,10.006,0.0,24,"""16,16;16,16""",FLOAT16;FLOAT16,ND;ND,"""16,16""",FLOAT16,ND,9.5,0.51,66.3\n'
        '0,mm_b,MatMul,AI_CORE,2011.000\t,20.003,0.872,24,"""16,16;16,16""",FLOAT16;FLOAT16,ND;ND,"""16,16""",FLOAT16,ND,19.0,0.62,70.1\n'
        '0,cast_a,Cast,AI_VECTOR_CORE,2040.000\t,3.336,8.996,8,"""""",FLOAT,ND,"""16""",FLOAT16,ND,0,0,0\n'
        '0,cast_a,Cast,AI_VECTOR_CORE,2050.000\t,1.117,6.664,8,"""16""",FLOAT,ND,"""16""",FLOAT16,ND,0,0,0\n'
        '0,cast_c,Cast,AI_CPU,2060.000\t,50.5,8.886,1,"""16""",FLOAT,ND,"""16""",FLOAT16,ND,0,0,0\n'
        "0,hcom_allReduce__1_0,hcom_allReduce_,HCCL,2120.000\t,100.25,0,0,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A\n"
        "0,hcom_allReduce__1_1,hcom_allReduce_,HCCL,2230.000\t,99.75,0,0,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A\n"
        "0,broken,MatMul,AI_CORE,2400.000\t,999,0,24,x\n"
    ),
}


def write(folder: Path, *names: str, **texts: str) -> Source:
    """Write fixtures (all when none is named) and further files (`kernel_details="…"`) into an output folder.

    Returns the source of the card: a text source without a trace.
    """
    output = folder / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True, exist_ok=True)
    if not texts and not names:
        names = tuple(FILES)
    for name, text in [*((name, FILES[name]) for name in names), *((f"{k}.csv", v) for k, v in texts.items())]:
        (output / name).write_bytes(text.encode())
    return source(output)


def source(folder: Path) -> Source:
    """The text source of a folder of csv files."""
    extras = tuple((card_role(path.name) or "", path) for path in sorted(folder.glob("*.csv")))
    return Source("rank_text", "text", tuple(path for _, path in extras), extras)
