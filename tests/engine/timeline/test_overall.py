"""Overall Metrics: one kernel per rule read from files, communication groups by hand, real cards against their exports."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.support.memory_files import open_store
from tests.support.plain_build import build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import timeline
from insight_desktop.engine.timeline.overall_kernels import path_of
from insight_desktop.errors import BadArgument

COMPUTING, COMMUNICATION = "Computing Time", "Communication(Not Overlapped) Time"
HEADER = (
    "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,Input Shapes,Input Data Types,Input Formats,"
    "Output Shapes,Output Data Types,Output Formats,aicore_time(us),aiv_vec_time(us)"
)
# name, type, µs, aicore_time, aiv_vec_time, operators around the start of its link (outer first), thread (2 = backward)
KERNELS: list[tuple[str, str, int, str, str, tuple[str, ...], int]] = [
    ("paged", "PagedAttentionMask", 1, "1", "0", ("aten::mm",), 1),
    ("aclnnInplaceCopy_TensorMoveAiCore_TensorMove", "TensorMove", 2, "0", "1", (), 1),
    ("fa", "FlashAttentionScore", 3, "5", "0", ("npu::npu_fusion_attention", "aten::bmm"), 1),
    ("fag", "Muls", 4, "0", "2", ("npu::npu_fusion_attention_grad",), 2),
    ("mm", "MatMulV2", 5, "1", "0", ("AddmmBackward0", "aten::mm"), 2),
    ("mmv", "TransData", 6, "0", "1", ("aten::linear", "aten::addmm"), 1),
    ("conv", "Conv2D", 7, "2", "0", ("aten::conv2d", "aten::convolution"), 1),
    ("convb", "TransData", 8, "0", "2", ("aten::convolution",), 2),
    ("convw", "Conv2DBackpropFilter", 9, "2", "0", ("aten::convolution_backward",), 1),
    ("fs", "FlashAttentionScoreGrad", 10, "0", "1", ("aten::add",), 1),
    ("ci", "Conv2DBackpropInput", 11, "0", "1", (), 1),
    ("bmm", "BatchMatMulV2", 12, "0", "1", (), 1),
    ("oc", "Foo", 13, "1", "1", (), 1),
    ("ca", "Cast", 14, "0", "1", (), 1),
    ("add", "Add", 15, "0.0", "1", (), 1),
    ("dsa", "DSAStateless", 16, "N/A", "N/A", ("aten::mm",), 1),
]
EXPECTED = {
    "": (136, 16),
    "Conv": (35, 4), "Conv > Backward": (28, 3), "Conv > Backward > Cube": (20, 2), "Conv > Backward > Vector": (8, 1),
    "Conv > Forward": (7, 1), "Conv > Forward > Cube": (7, 1),
    "Flash Attention": (17, 3), "Flash Attention > Backward": (14, 2), "Flash Attention > Backward > Cube": (10, 1),
    "Flash Attention > Backward > Vector": (4, 1), "Flash Attention > Forward": (3, 1),
    "Flash Attention > Forward > Cube": (3, 1),
    "Matmul": (23, 3), "Matmul > Cube": (17, 2), "Matmul > Vector": (6, 1),
    "Other Cube": (13, 1), "Other Vector": (29, 2), "Other Vector > No Trans": (15, 1), "Other Vector > Trans": (14, 1),
    "Paged Attention": (1, 1), "SDMA": (2, 1), "SDMA > Tensor Move": (2, 1),
    "Other": (16, None),
}  # fmt: skip


def row(*numbers: int) -> pytest.MarkDecorator:
    return pytest.mark.row("system-timeline", *numbers)


def write_run(folder: Path) -> Path:
    """A card whose kernels follow each other on one stream, each called by its operators on a host thread."""
    python, device, overlap = 100, 1024, 1056
    events: list[dict[str, Any]] = [
        {"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}}
        for pid, name in ((python, "Python"), (device, "Ascend Hardware"), (overlap, "Overlap Analysis"))
    ]
    events += [{"ph": "M", "name": "thread_name", "pid": device, "tid": 2, "args": {"name": "Stream 2"}}]
    events += [{"ph": "M", "name": "thread_name", "pid": overlap, "tid": 0, "args": {"name": "Computing"}}]
    lines = [HEADER]
    for i, (name, kind, length, cube, vector, operators, tid) in enumerate(KERNELS):
        host, start = 1000 + i * 100, 1050 + i * 100
        for depth, operator in enumerate(operators):
            events.append(_x(operator, python, tid, host + depth, 50 - 2 * depth, cat="cpu_op"))
        events.append(_x("launch", python, tid, host + 10, 1, cat="cpu_op"))
        events.append(_x(name, device, 2, start, length))
        events.append(_x("Computing", overlap, 0, start, length))
        ends = {"cat": "async_npu", "name": "async_npu", "id": str(start)}
        events.append({"ph": "s", "pid": python, "tid": tid, "ts": str(host + 10), **ends})
        events.append({"ph": "f", "bp": "e", "pid": device, "tid": 2, "ts": str(start), **ends})
        lines.append(f"{name},{kind},AI_CORE,{start}.000\t,{length}.0,0,1,,,,,,,{cube},{vector}")
    link = {"cat": "fwdbwd", "name": "fwdbwd", "id": "7", "pid": python}
    events.append({"ph": "s", "tid": 1, "ts": "1000", **link})
    events.append({"ph": "f", "bp": "e", "tid": 2, "ts": "1301", **link})
    out = folder / "ASCEND_PROFILER_OUTPUT"
    out.mkdir(parents=True)
    (out / "trace_view.json").write_text(json.dumps(events), encoding="utf-8")
    (out / "kernel_details.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def _x(name: str, pid: int, tid: int, ts: float, dur: float, **more: str) -> dict[str, Any]:
    return {"ph": "X", "name": name, "pid": pid, "tid": tid, "ts": str(ts), "dur": dur, "args": {}, **more}


def tree(store: Store, top: str = COMPUTING, **arguments: Any) -> dict[str, tuple[int, int | None]]:
    return {
        r["path"].removeprefix(top).removeprefix(" > "): (r["total_ns"], r["count"])
        for r in timeline.overall_metrics(store, **arguments).to_pylist()
        if r["path"].startswith(top)
    }


@row(71)
def test_one_kernel_per_rule(tmp_path: Path) -> None:
    store = open_store(write_run(tmp_path / "run"))
    found = tree(store)
    assert found == {path: (us * 1000, count) for path, (us, count) in EXPECTED.items()}
    order = list(found)
    assert order.index("Conv") < order.index("Conv > Backward") < order.index("Flash Attention") < order.index("Other")


@row(71)
def test_details_of_a_kind_list_its_kernels_with_their_slices(tmp_path: Path) -> None:
    store = open_store(write_run(tmp_path / "run"))
    found = timeline.overall_details(store, path=f"{COMPUTING} > Conv > Backward").to_pylist()
    assert [(r["name"], r["dur_ns"]) for r in found] == [("ci", 11000), ("convw", 9000), ("convb", 8000)]
    shown = {r["id"]: r["name"] for r in timeline.slices(store).to_pylist()}
    assert [shown[r["id"]] for r in found] == ["ci", "convw", "convb"]
    found = timeline.overall_details(store, path=f"{COMPUTING} > Other").to_pylist()
    assert [(r["name"], r["dur_ns"]) for r in found] == [("dsa", 16000)]
    with pytest.raises(BadArgument, match="Conv > Sideways"):
        timeline.overall_details(store, path=f"{COMPUTING} > Conv > Sideways")
    with pytest.raises(BadArgument, match="no row 'Idle'"):
        timeline.overall_details(store, path="Idle")


@row(56, 71)
def test_kernels_are_cut_to_the_range(tmp_path: Path) -> None:
    store = open_store(write_run(tmp_path / "run"))
    # kernels 5 (mmv: 1550 to 1556 µs) and 6 (conv: 1650 to 1657 µs)
    found = tree(store, from_ns=1_552_000, to_ns=1_653_000)
    assert found[""] == (7000, 2)
    assert found["Matmul > Vector"] == (4000, 1)
    assert found["Conv > Forward > Cube"] == (3000, 1)
    assert "Other" not in found
    found = tree(store, from_ns=1_552_000, to_ns=1_653_000, whole=True)
    assert (found[""], found["Conv > Forward > Cube"]) == ((13000, 2), (7000, 1))


@row(71)
def test_an_operator_of_another_thread_is_not_the_api_of_a_kernel(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    path = next(folder.rglob("trace_view.json"))
    events = json.loads(path.read_text(encoding="utf-8"))
    # aten::mm on a third thread for the whole run, and a queue call of that name on the kernels' own thread
    events += [
        _x("aten::mm", 100, 3, 900, 5000, cat="cpu_op"),
        _x("Dequeue@aten::mm", 100, 1, 900, 5000, cat="dequeue"),
    ]
    path.write_text(json.dumps(events), encoding="utf-8")
    assert tree(open_store(folder)) == {key: (us * 1000, count) for key, (us, count) in EXPECTED.items()}


@row(71)
def test_rules_compare_in_lower_case_and_in_their_order() -> None:
    assert path_of("PAGEDATTENTION", "x", "aten::mm", on_backward=False, cube=True) == "Paged Attention"
    assert (
        path_of("x", "x", "xformers_flash_bwd", on_backward=False, cube=False) == "Flash Attention > Backward > Vector"
    )
    assert path_of("Conv3DV2", "x", "", on_backward=True, cube=False) == "Conv > Forward > Cube"
    assert path_of("x", "x", "aten::conv1d", on_backward=False, cube=False) == "Conv > Forward > Vector"
    assert path_of("MatMul", "x", "aten::matmul", on_backward=False, cube=False) == "Matmul > Vector"
    assert path_of("TransposeD", "x", "", on_backward=False, cube=False) == "Other Vector > Trans"


@pytest.fixture
def groups(tmp_path: Path) -> Store:
    """Uncovered [0, 100] and [200, 300]; two groups; plane 0 has a handshake of RDMA, plane 1 only waits."""

    def s(process: str, tid: str, lane: str, role: str, name: str, start: int, end: int) -> dict[str, Any]:
        return {
            "pid": process, "process": process, "tid": tid, "thread": lane, "name": name, "start_ns": start, "end_ns": end,
            "role": role,
        }  # fmt: skip

    tasks = [
        ("RDMASend", 0),
        ("RDMASend", 10),
        ("Notify_Wait", 20),
        ("Memcpy", 30),
        ("Notify_Wait", 40),
        ("Notify_Wait", 50),
    ]
    uncovered = "Communication(Not Overlapped)"
    build(
        tmp_path / "0",
        slices=[
            s("Overlap Analysis", "2", uncovered, "overlap", uncovered, 0, 100),
            s("Overlap Analysis", "2", uncovered, "overlap", uncovered, 200, 300),
            s("HCCL", "0", "dp:Group 0", "group", "allReduce", 20, 120), s("HCCL", "0", "dp:Group 0", "group", "allGather", 150, 260),
            s("HCCL", "0", "dp:Group 0", "group", "hidden", 130, 140),
            *(s("HCCL", "1", "Plane 0", "plane", name, start, start + 10) for name, start in tasks),
            s("HCCL", "2", "Plane 1", "plane", "Notify_Wait", 60, 190), s("HCCL", "2", "Plane 1", "plane", "notify_wait", 210, 250),
            s("HCCL", "3", "tp:Group 1", "group", "send", 250, 310),
        ],
    )  # fmt: skip
    return Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])


@row(72)
def test_uncovered_time_of_groups_with_wait_and_transmit(groups: Store) -> None:
    # dp: [20, 100] + [200, 260] = 140; plane 0 waits at 50 only (20 and 40 belong to the handshake), plane 1 [60, 100]
    assert tree(groups, COMMUNICATION) == {
        "": (200, 2),
        "dp:Group 0": (140, 2), "dp:Group 0 > Transmit Time": (130, None), "dp:Group 0 > Wait Time": (10, 1),
        "tp:Group 1": (50, 1), "tp:Group 1 > Transmit Time": (50, None), "tp:Group 1 > Wait Time": (0, 0),
    }  # fmt: skip


@row(72, 56)
def test_groups_are_cut_to_the_range(groups: Store) -> None:
    found = tree(groups, COMMUNICATION, from_ns=55, to_ns=230)
    assert found == {
        "": (75, 2),
        "dp:Group 0": (75, 2), "dp:Group 0 > Transmit Time": (70, None), "dp:Group 0 > Wait Time": (5, 1),
        "tp:Group 1": (0, 0), "tp:Group 1 > Transmit Time": (0, None), "tp:Group 1 > Wait Time": (0, 0),
    }  # fmt: skip
    whole = tree(groups, COMMUNICATION, from_ns=55, to_ns=230, whole=True)
    assert (whole[""], whole["dp:Group 0"]) == ((200, 2), (140, 2))


@row(72)
@pytest.mark.parametrize(
    ("tasks", "waiting"),
    [
        ("RDMASend RDMASend Notify_Wait", 0),
        ("RDMASend Notify_Wait", 1),
        ("RDMASend Memcpy Notify_Wait", 1),
        ("RDMASend RDMASend Notify_Wait RDMASend Notify_Wait", 0),
        ("RDMASend RDMASend Notify_Wait Notify_Wait", 1),
        ("RDMASend RDMASend Notify_Wait Memcpy Notify_Wait Memcpy Notify_Wait", 1),
        ("RDMASend RDMASend Memcpy Memcpy Notify_Wait", 1),
        ("Notify_Wait Notify_Wait Notify_Wait_2", 2),
    ],
)
def test_waits_of_the_rdma_handshake_do_not_count(tmp_path: Path, tasks: str, waiting: int) -> None:
    def s(process: str, tid: str, lane: str, role: str, name: str, start: int, end: int) -> dict[str, Any]:
        return {"pid": process, "process": process, "tid": tid, "thread": lane, "name": name, "start_ns": start, "end_ns": end, "role": role}  # fmt: skip

    uncovered = "Communication(Not Overlapped)"
    build(
        tmp_path / "0",
        slices=[
            s("Overlap Analysis", "2", uncovered, "overlap", uncovered, 0, 1000), s("HCCL", "0", "G", "group", "op", 0, 1000),
            *(s("HCCL", "1", "P", "plane", name, i * 10, i * 10 + 10) for i, name in enumerate(tasks.split())),
        ],
    )  # fmt: skip
    store = Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])
    found = tree(store, COMMUNICATION)
    assert found["G > Wait Time"] == (10 * waiting, waiting)
    assert found["G > Transmit Time"] == (1000 - 10 * waiting, None)


@row(72)
def test_details_of_groups_have_their_uncovered_time(groups: Store) -> None:
    found = timeline.overall_details(groups, path=f"{COMMUNICATION} > dp:Group 0").to_pylist()
    assert [(r["name"], r["ts_ns"], r["dur_ns"], r["whole_ns"]) for r in found] == [
        ("allReduce", 20, 80, 100), ("allGather", 150, 60, 110),
    ]  # fmt: skip
    found = timeline.overall_details(groups, path=f"{COMMUNICATION} > dp:Group 0 > Wait Time").to_pylist()
    assert [(r["name"], r["ts_ns"], r["dur_ns"]) for r in found] == [("Notify_Wait", 50, 10)]


@row(70)
def test_level_one_with_missing_kinds_as_nothing(groups: Store) -> None:
    found = {r["path"]: r for r in timeline.overall_metrics(groups).to_pylist() if not r["parent"]}
    assert list(found) == [COMPUTING, COMMUNICATION, "Free Time", "E2E Time"]
    assert [(r["total_ns"], r["ratio"], r["count"]) for r in found.values()] == [
        (0, 0.0, 0), (200, 1.0, 2), (0, 0.0, None), (200, 1.0, None),
    ]  # fmt: skip
    assert (found[COMMUNICATION]["avg_ns"], found[COMMUNICATION]["max_ns"], found[COMMUNICATION]["min_ns"]) == (
        100.0,
        100,
        100,
    )
    found = timeline.overall_details(groups, path="E2E Time", sort="ts_ns", descending=False).to_pylist()
    assert [(r["ts_ns"], r["dur_ns"]) for r in found] == [(0, 100), (200, 100)]


def test_a_card_without_the_analysis_has_no_rows(tmp_path: Path) -> None:
    build(tmp_path / "0", slices=[{"pid": 1, "tid": 1, "name": "a", "start_ns": 0, "end_ns": 1}])
    assert timeline.overall_metrics(Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])).num_rows == 0


@row(71)
def test_real_kernels_by_kind(real: Callable[[str], Path]) -> None:
    found = tree(open_store(real("text_level2/rank0_ascend_pt")))
    leaves = {path: found[path] for path in found if path and not any(p.startswith(f"{path} > ") for p in found)}
    assert leaves == {
        "Conv > Forward > Cube": (721854, 5), "Conv > Forward > Vector": (387947, 15), "Conv > Backward > Cube": (1106863, 9),
        "Conv > Backward > Vector": (850371, 37), "Matmul > Cube": (1011159, 9), "Matmul > Vector": (70701, 5),
        "Other Vector > Trans": (469406, 25), "Other Vector > No Trans": (3666904, 69), "SDMA > Tensor Move": (577350, 11),
        "Other": (5685, None),
    }  # fmt: skip
    assert found["Conv"] == (3067035, 66)
    assert sum(total for total, _ in leaves.values()) == found[""][0] == 8868240


@row(71)
def test_real_kernels_without_counters_end_in_other(real: Callable[[str], Path]) -> None:
    store = open_store(real("text_level2/rank0_ascend_pt"))
    found = timeline.overall_details(store, path=f"{COMPUTING} > Other").to_pylist()
    # The row has 25 ns more: kernel_details.csv and the overlap analysis round differently.
    assert (len(found), sum(r["dur_ns"] for r in found)) == (2, 5660)
    assert all(r["id"] is not None for r in found)


@row(70)
@pytest.mark.parametrize(
    "card", ["text_level1/rank0_ascend_pt", "text_level1/rank1_ascend_pt", "text_level2/rank0_ascend_pt"]
)
def test_real_traces_agree_with_the_step_trace(real: Callable[[str], Path], card: str) -> None:
    folder = real(card)
    with next(folder.rglob("step_trace_time.csv")).open(encoding="utf-8") as file:
        steps = list(csv.DictReader(file))
    names = ("Computing", "Communication(Not Overlapped)", "Free")
    assert level_one(open_store(folder))[:3] == [round(sum(float(s[n]) for s in steps) * 1000) for n in names]


@row(70)
@pytest.mark.parametrize(
    "card",
    [
        "db_level0/rank0_ascend_pt",
        "db_level1/rank0_ascend_pt",
        "db_level1/rank1_ascend_pt",
        "db_level2/rank0_ascend_pt",
    ],
)
def test_real_databases_agree_with_their_analysis(real: Callable[[str], Path], card: str) -> None:
    folder = real(card)
    path = next(folder.rglob("analysis.db"))
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as database:
        sums = database.execute(
            "SELECT sum(computing), sum(communication_not_overlapped), sum(free) FROM StepTraceTime"
        ).fetchone()
    found = level_one(open_store(folder))
    assert found[:3] == [round(us * 1000) for us in sums]
    assert found[3] == sum(found[:3])


def level_one(store: Store) -> list[int]:
    return [r["total_ns"] for r in timeline.overall_metrics(store).to_pylist() if not r["parent"]]
