"""The csv files of the Operator page."""

from __future__ import annotations

import stat

import pytest
from tests.support.operator_files import fixture_store, kernel_store, line, open_store, write

from insight_desktop.engine.system import operator, operator_export
from insight_desktop.errors import InsightError

SPEC = "system-memory-operator-rl"


def text(table, folder):
    path = folder / "out.csv"
    operator_export.write_csv(table, path)
    return path.read_bytes().decode()


@pytest.mark.example(SPEC, "O9")
@pytest.mark.row(SPEC, 37)
def test_operator_types_as_file(tmp_path):
    lines = text(operator.export(fixture_store(tmp_path), top=-1), tmp_path).split("\n")
    assert lines[0] == "opType,accCore,count,totalTime,avgTime,maxTime,minTime"
    assert lines[1] == "Cast,AI_CPU,1,50.500,50.500,50.500,50.500"
    assert lines[2:] == [
        "MatMul,AI_CORE,2,30.010,15.000,20.000,10.010",
        "Cast,AI_VECTOR_CORE,2,4.450,2.230,3.340,1.120",
        "",
    ]


@pytest.mark.row(SPEC, 37)
def test_heads_of_the_other_groups(tmp_path):
    store = fixture_store(tmp_path)
    for group, head, first in (
        ("name_shape", "opName,inputShape,accCore,count,totalTime,avgTime,maxTime,minTime", 'cast_c,"16",AI_CPU,1,50.500,50.500,50.500,50.500'),
        ("communication_type", "opType,count,totalTime,avgTime,maxTime,minTime", "hcom_allReduce_,2,200.000,100.000,100.250,99.750"),
        ("communication", "name,type,startTime,duration,waitTime", "hcom_allReduce__1_0,hcom_allReduce_,0.12,100.250,0.000"),
        (
            "name",
            "name,type,accCore,startTime,duration,waitTime,blockDim,inputShape,inputType,inputFormat,outputShape,outputType,outputFormat,aic_mac_ratio,aicore_time(us),cube_utilization(%)",
            'cast_c,Cast,AI_CPU,0.06,50.500,8.886,1,"16",FLOAT,ND,"16",FLOAT16,ND,0.0,0.0,0.0',
        ),
    ):  # fmt: skip
        assert text(operator.export(store, group_by=group, top=-1), tmp_path).split("\n")[:2] == [head, first]


@pytest.mark.row(SPEC, 37)
def test_formulas_get_a_backslash_and_commas_quotes(tmp_path):
    names = ["=x", "+1", "-1", "@a", "a,b", 'say ""hi""']
    rows = [line(f'"{name}"', duration=10 - i) for i, name in enumerate(names)]
    store = kernel_store(tmp_path, rows)
    out = text(operator.export(store, group_by="name_shape"), tmp_path).split("\n")[1:-1]
    assert [row.rsplit(",", 7)[0] for row in out] == ["\\=x", "\\+1", "\\-1", "\\@a", '"a,b"', '"say ""hi"""']
    assert out[0].split(",")[1] == '"16"'


@pytest.mark.row(SPEC, 37)
def test_file_name_mode_and_limit(tmp_path):
    assert (
        operator_export.file_name("type", "0", 1700000000) == "operator_detail_group_by_Operator_Type_0_1700000000.csv"
    )
    assert "/" not in operator_export.file_name("name", "a/b: c")
    table = operator.export(fixture_store(tmp_path))
    path = tmp_path / "made.csv"
    operator_export.write_csv(table, path)
    assert stat.S_IMODE(path.stat().st_mode) & 0o137 == 0
    with pytest.raises(InsightError, match="maximum limit"):
        operator_export.write_csv(table, tmp_path / "big.csv", limit_bytes=100)
    with pytest.raises(InsightError, match="cannot be written"):
        operator_export.write_csv(table, tmp_path / "no folder" / "x.csv")
    operator_export.write_csv(table, tmp_path / "stopped.csv", cancelled=lambda: True)
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == ["made.csv"]


@pytest.mark.row(SPEC, 37)
def test_export_follows_filter_and_sorting_of_the_page(tmp_path):
    store = fixture_store(tmp_path)
    table = operator.export(store, group_by="name", top=-1, type="cast", sort="duration_us", descending=False)
    assert table["duration"].to_pylist() == [1.117, 3.336, 50.5]


@pytest.mark.row(SPEC, 37, 38)
def test_comparison_exports_differences(tmp_path):
    head = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim"
    for rank, us in ((0, 2.5), (1, 2)):
        write(tmp_path, f"{head}\nx,Add,AI_CORE,1,{us},0,1\nhcom__1,hcom_,HCCL,5,{us},0,0\n", rank)
    store = open_store(tmp_path)
    out = text(operator.export(store, card="1", base="0"), tmp_path)
    assert out == "opType,accCore,count,totalTime,avgTime,maxTime,minTime\nAdd,AI_CORE,0,-0.500,-0.500,-0.500,-0.500\n"
    out = text(operator.export(store, card="1", base="0", group_by="communication"), tmp_path)
    assert out == "name,type,startTime,duration,waitTime\nhcom__1,hcom_,0.00,-0.500,0.000\n"


@pytest.mark.row(SPEC, 37)
def test_level0_file_keeps_the_whole_head(tmp_path):
    head = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim"
    write(tmp_path, f"{head}\nx,N/A,N/A,0,2,0,1\n")
    out = text(operator.export(open_store(tmp_path), group_by="name"), tmp_path)
    assert out.split("\n")[0].endswith("blockDim,inputShape,inputType,inputFormat,outputShape,outputType,outputFormat")
    assert out.split("\n")[1] == "x,N/A,N/A,NA,2.000,0.000,,,,,,,"
