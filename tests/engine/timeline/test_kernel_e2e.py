"""Kernel E2E Time: chains of both paths, figures worked out by hand, gaps, filters, the counts of the real runs."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support.plain_build import build

from insight_desktop import schema
from insight_desktop.engine.build import build_capture
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.chains import ROLES, chains
from insight_desktop.engine.timeline.enclosing import shortest
from insight_desktop.engine.timeline.kernel_e2e import kernel_e2e, kernel_e2e_details, kernel_e2e_rate
from insight_desktop.errors import BadArgument
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

MAIN, QUEUE = 11, 22


class Trace:
    """Slices and links of a small run; db lanes by default, text lanes with `text`."""

    def __init__(self, text: bool = False) -> None:
        self.text = text
        self.slices: list[dict[str, Any]] = []
        self.links: list[tuple[int, int, str]] = []

    def add(self, kind: str, name: str, start: int, end: int) -> int:
        pid: Any = 5
        more: dict[str, Any] = {}
        if kind == "python":
            more = {"tid": MAIN, "lane": f"Python Stack {MAIN}", "role": "python_stack"}
        elif kind in ("op", "queue"):
            more = {"tid": MAIN if kind == "op" else QUEUE, "lane": "PyTorch"}
        elif kind == "cann":
            more = {"tid": QUEUE, "lane": "acl", "group": "CANN"}
            if self.text:  # the exporter packs the process id, and writes the layer in front of the name
                pid, more = (5 << 10) | (7 << 5) | 31, {"tid": QUEUE, "process": "CANN"}
                name = f"{'Node' if name == 'launch' else 'AscendCL'}@{name}"
        else:
            pid, more = "Ascend Hardware", {"tid": kind, "role": "stream"}
        self.slices.append({"pid": pid, "name": name, "start_ns": start, "end_ns": end, **more})
        return len(self.slices) - 1

    def link(self, source: int, target: int, category: str) -> None:
        self.links.append((source, target, category))

    def store(self, folder: Path) -> Store:
        build(folder, slices=self.slices, links=self.links)
        return Store([StoreCard("0", "0", 0, "", "text" if self.text else "db", folder)])


def aclnn(trace: Trace, at: int, *, without: tuple[str, ...] = ()) -> None:
    """One ACLNN kernel: python at+0…100, enqueue 30…40, dequeue 50…90, call 55…85, launch 60…70, task 200…260."""
    if "python" not in without:
        trace.add("python", "<built-in method relu>", at, at + 100)
    trace.add("op", "aten::relu", at + 10, at + 90)
    enqueue = trace.add("op", "Enqueue", at + 30, at + 40)
    dequeue = trace.add("queue", "Dequeue@aclnnRelu", at + 50, at + 90) if "dequeue" not in without else -1
    if "api" not in without:
        trace.add("cann", "aclnnRelu", at + 55, at + 85)
    launch = trace.add("cann", "launch", at + 60, at + 70) if "launch" not in without else -1
    task = trace.add("Stream 1", "aclnnRelu_Relu_Relu", at + 200, at + 260)
    if "enqueue" not in without and dequeue >= 0:
        trace.link(enqueue, dequeue, "async_task_queue")
    if launch >= 0:
        trace.link(launch, task, "HostToDevice")


STAGES = ("prepare_ns", "python_ns", "enqueue_ns", "queue_ns", "pipeline2_ns", "launch_ns", "e2e_ns")


def figures(row: dict[str, Any]) -> list[int | None]:
    return [row[stage] for stage in STAGES]


@pytest.mark.row("system-timeline", 76)
@pytest.mark.parametrize("text", [False, True], ids=["db", "text"])
def test_a_whole_aclnn_chain_has_every_stage(tmp_path: Path, text: bool) -> None:
    trace = Trace(text)
    aclnn(trace, 1000)
    (row,) = kernel_e2e(trace.store(tmp_path)).to_pylist()
    assert figures(row) == [30, 100, 10, 10, 20, 10, 70]
    assert (row["status"], row["note"], row["path"], row["level"]) == ("normal", "", "ACLNN", "chain")
    assert (row["name"], row["parent"], row["ts_ns"]) == ("<built-in method relu>", None, 1000)


@pytest.mark.row("system-timeline", 76)
@pytest.mark.parametrize(
    ("without", "note", "known"),
    [
        ("launch", "missing launch", [None] * 7),
        ("api", "missing CANN API", [30, 100, 10, 10, 20, 10, 70]),
        ("dequeue", "missing dequeue", [None, None, None, None, None, 10, None]),
        ("enqueue", "missing enqueue", [None, None, None, None, 20, 10, None]),
        ("python", "missing Python call", [None, None, 10, 10, 20, 10, None]),
    ],
)
def test_a_missing_link_of_the_chain_is_told(tmp_path: Path, without: str, note: str, known: list[int | None]) -> None:
    trace = Trace()
    aclnn(trace, 1000, without=(without,))
    store = trace.store(tmp_path)
    (row,) = kernel_e2e(store).to_pylist()
    assert (row["status"], row["note"]) == ("incomplete", note)
    assert figures(row) == known
    assert kernel_e2e_rate(store).to_pylist() == [
        {"rows": 1, "normal": 0, "fallback": 0, "incomplete": 1, "match_percent": 0.0}
    ]


def aclop(trace: Trace, *, launches: int) -> None:
    """Python 0…1000, enqueue 100…110, dequeue 200…500, call 210…400, launches at 220 + 40 k for 10 + k ns."""
    trace.add("python", "<built-in method conv2d>", 0, 1000)
    trace.add("op", "aten::_convolution", 50, 900)
    enqueue = trace.add("op", "Enqueue", 100, 110)
    dequeue = trace.add("queue", "Dequeue@Conv2D", 200, 500)
    trace.link(enqueue, dequeue, "async_task_queue")
    trace.add("cann", "aclopCompileAndExecute", 210, 400)
    for k in range(launches):
        launch = trace.add("cann", "launch", 220 + 40 * k, 230 + 41 * k)
        task = trace.add("Stream 1", f"Conv2D_{k}", 2000 + 100 * k, 2050 + 100 * k)
        trace.link(launch, task, "HostToDevice")


@pytest.mark.row("system-timeline", 76)
def test_launches_of_one_call_are_leaves_below_it(tmp_path: Path) -> None:
    trace = Trace()
    aclop(trace, launches=3)
    rows = kernel_e2e(trace.store(tmp_path)).to_pylist()
    assert [(r["level"], r["name"], r["parent"]) for r in rows] == [
        ("cann", "<built-in method conv2d>", None),
        ("launch", "Conv2D_0", 3),
        ("launch", "Conv2D_1", 3),
        ("launch", "Conv2D_2", 3),
    ]
    # Pipeline2 from the dequeue's start at 200 to the launches' ends 230, 271, 312; E2E from 0.
    assert figures(rows[0]) == [100, 1000, 10, 90, 30 + 71 + 112, 10 + 11 + 12, 312]
    assert [figures(row)[:4] for row in rows[1:]] == [[None] * 4] * 3
    assert [figures(row)[4:] for row in rows[1:]] == [[30, 10, 230], [71, 11, 271], [112, 12, 312]]


@pytest.mark.row("system-timeline", 76)
def test_without_a_launch_the_end_of_the_dequeue_is_used(tmp_path: Path) -> None:
    trace = Trace()
    aclop(trace, launches=0)
    (row,) = kernel_e2e(trace.store(tmp_path)).to_pylist()
    assert figures(row) == [100, 1000, 10, 90, 300, None, 500]
    assert (row["status"], row["note"]) == ("fallback", "no launch: the end of the dequeue is used")


@pytest.mark.row("system-timeline", 76)
def test_below_a_python_call_each_enqueue_counts_once(tmp_path: Path) -> None:
    trace = Trace()
    aclop(trace, launches=2)
    # A second operator below the same Python call: enqueue 300…320, dequeue 600…700, launch 640…650.
    trace.add("op", "aten::relu", 290, 330)
    enqueue = trace.add("op", "Enqueue", 300, 320)
    dequeue = trace.add("queue", "Dequeue@aclnnRelu", 600, 700)
    trace.link(enqueue, dequeue, "async_task_queue")
    trace.add("cann", "aclnnRelu", 610, 690)
    launch = trace.add("cann", "launch", 640, 650)
    trace.link(launch, trace.add("Stream 1", "aclnnRelu_Relu", 3000, 3010), "HostToDevice")
    store = trace.store(tmp_path)
    rows = kernel_e2e(store).to_pylist()
    assert [(r["id"], r["parent"], r["level"], r["name"]) for r in rows] == [
        (6, None, "python", "<built-in method conv2d>"),
        (3, 6, "cann", "aten::_convolution"),
        (0, 3, "launch", "Conv2D_0"),
        (1, 3, "launch", "Conv2D_1"),
        (2, 6, "chain", "aten::relu"),
    ]
    assert figures(rows[0]) == [100, 1000, 10 + 20, 90 + 280, 30 + 71 + 50, 10 + 11 + 10, 650]
    assert figures(rows[4]) == [300, 1000, 20, 280, 50, 10, 650]
    assert {r["path"]: r["level"] for r in kernel_e2e(store, path="ACLNN").to_pylist()} == {"ACLNN": "chain"}
    assert [r["level"] for r in kernel_e2e(store, path="ACLOP").to_pylist()] == ["cann", "launch", "launch"]


@pytest.mark.row("system-timeline", 76)
def test_a_parent_takes_the_worst_status_below_it_and_its_note(tmp_path: Path) -> None:
    trace = Trace()
    aclop(trace, launches=2)
    launch = next(s for s in trace.slices if s["name"] == "launch")
    launch["start_ns"], launch["end_ns"] = 215, 225
    dequeue = next(s for s in trace.slices if s["name"].startswith("Dequeue"))
    dequeue["start_ns"] = 105  # begins before the enqueue (100…110) ended
    rows = kernel_e2e(trace.store(tmp_path)).to_pylist()
    assert [(r["status"], r["note"]) for r in rows] == [("incomplete", "times are not in order")] * 3
    assert rows[0]["queue_ns"] is None


@pytest.mark.row("system-timeline", 76)
def test_filters_of_name_and_range_choose_the_rows_of_the_rate(tmp_path: Path) -> None:
    trace = Trace()
    aclnn(trace, 1000)
    aclnn(trace, 5000, without=("python",))
    store = trace.store(tmp_path)
    assert [r["name"] for r in kernel_e2e(store).to_pylist()] == ["<built-in method relu>", "aten::relu"]
    assert kernel_e2e_rate(store)["match_percent"].to_pylist() == [50.0]
    assert kernel_e2e(store, operator="BUILT-IN")["ts_ns"].to_pylist() == [1000]
    assert kernel_e2e(store, operator="built%in").num_rows == 0
    assert kernel_e2e(store, from_ns=1261)["ts_ns"].to_pylist() == [5010]
    assert kernel_e2e(store, from_ns=1260)["ts_ns"].to_pylist() == [1000, 5010]  # touching counts
    assert kernel_e2e_rate(store, operator="nothing").to_pylist()[0]["match_percent"] is None


@pytest.mark.row("system-timeline", 76)
def test_details_list_the_slices_by_role_or_say_why_one_is_missing(tmp_path: Path) -> None:
    trace = Trace()
    aclnn(trace, 1000, without=("python",))
    store = trace.store(tmp_path)
    rows = kernel_e2e_details(store, id=0).to_pylist()
    assert [r["role"] for r in rows] == [
        "PythonCall", "PythonOp", "Enqueue", "Dequeue", "CANN API", "Launch", "Hardware Task",
    ]  # fmt: skip
    assert rows[0]["slice_id"] is None
    assert "Python stacks" in rows[0]["missing"]
    assert [(r["name"], r["ts_ns"], r["dur_ns"]) for r in rows[1:]] == [
        ("aten::relu", 1010, 80), ("Enqueue", 1030, 10), ("Dequeue@aclnnRelu", 1050, 40), ("aclnnRelu", 1055, 30),
        ("launch", 1060, 10), ("aclnnRelu_Relu_Relu", 1200, 60),
    ]  # fmt: skip
    assert store.capture("0").text(int(store.capture("0").slice_name[rows[5]["slice_id"]])) == "launch"
    for unknown in (-1, 3, 99):
        with pytest.raises(BadArgument, match="no dispatch chain"):
            kernel_e2e_details(store, id=unknown)


def test_a_card_without_dispatch_has_an_empty_table(tmp_path: Path) -> None:
    build(tmp_path, slices=[{"pid": 1, "tid": 1, "name": "a", "start_ns": 0, "end_ns": 5}])
    store = Store([StoreCard("0", "0", 0, "", "text", tmp_path)])
    assert kernel_e2e(store).num_rows == 0
    assert kernel_e2e_rate(store).to_pylist()[0]["match_percent"] is None


def test_enclosing_takes_the_shortest_one_of_the_thread_with_both_ends_included() -> None:
    starts, ends = np.array([0, 10, 10, 40, 0]), np.array([100, 50, 30, 60, 8])
    threads = np.array([0, 0, 0, 0, 1])
    inner = (
        np.array([10, 10, 31, 45, 0, 0, 0]),
        np.array([30, 31, 50, 60, 8, 100, 101]),
        np.array([0, 0, 0, 0, 1, 0, 0]),
    )
    assert shortest(starts, ends, threads, inner).tolist() == [2, 1, 1, 3, 4, 0, -1]


def test_enclosing_agrees_with_a_plain_search() -> None:
    rng = np.random.default_rng(7)
    starts, threads = rng.integers(0, 300, 200), rng.integers(0, 3, 200)
    ends = starts + rng.integers(0, 90, 200)
    inner_start, inner_thread = rng.integers(0, 320, 400), rng.integers(0, 4, 400)
    inner_end = inner_start + rng.integers(0, 20, 400)
    found = shortest(starts, ends, threads, (inner_start, inner_end, inner_thread))
    for k, at in enumerate(found.tolist()):
        fits = [
            (ends[i] - starts[i])
            for i in range(200)
            if threads[i] == inner_thread[k] and starts[i] <= inner_start[k] and ends[i] >= inner_end[k]
        ]
        assert (at < 0 and not fits) or (ends[at] - starts[at] == min(fits) and threads[at] == inner_thread[k])


@pytest.mark.row("system-timeline", 76)
@pytest.mark.parametrize("kind", ["text", "db"])
def test_the_real_run_has_a_chain_per_compute_task(real: Callable[[str], Path], kind: str) -> None:
    # 187 compute tasks (TASK joined to COMPUTE_TASK_INFO); 19 aclopCompileAndExecute calls; Python stacks of one thread.
    _, imports = import_paths([real(f"{kind}_level2")])
    store = Store([StoreCard.of_import(item) for item in imports])
    found = chains(store.capture("0"))
    assert len(found) == 187
    assert {role: int((found.ids[role] >= 0).sum()) for role in ROLES} == {
        "python": 66, "op": 187, "enqueue": 187, "dequeue": 187, "api": 187, "launch": 187, "task": 187,
    }  # fmt: skip
    apis = found.ids["api"][~found.aclnn]
    assert len(np.unique(apis)) == 19
    assert kernel_e2e_rate(store, card="0", path="ACLOP").to_pylist()[0]["rows"] == 19


def test_a_hundred_thousand_kernels_are_quick(tmp_path: Path) -> None:
    store = Store([StoreCard("0", "0", 0, "", "db", _many(tmp_path, 100_000))])
    shortest(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64), (np.zeros(1, np.int64),) * 3)
    began = time.process_time()
    assert kernel_e2e(store).num_rows == 100_000
    first = time.process_time() - began
    began = time.process_time()
    kernel_e2e(store, operator="relu")
    again = time.process_time() - began
    assert (first < 4.0, again < 0.6) == (True, True)  # measured 0.8 s and 0.1 s on an idle machine


def _many(folder: Path, count: int) -> Path:
    """A capture of `count` chains, written directly: one lane per role."""
    build_capture(folder / "many", _stream(count), Source("plain", "db", ()), Report())
    return folder / "many"


def _stream(count: int) -> Any:
    lanes = [
        ("11", "Python", "python_stack", "", "<built-in relu>", 0, 100), ("11", "PyTorch", "thread", "", "aten::relu", 10, 90),
        ("11", "Queue", "thread", "", "Enqueue", 30, 40), ("22", "PyTorch", "thread", "", "Dequeue@aclnnRelu", 50, 90),
        ("22", "acl", "thread", "CANN", "aclnnRelu", 55, 85), ("22", "node", "thread", "CANN", "launch", 60, 70),
        ("S1", "Stream 1", "stream", "", "aclnnRelu_Relu", 100, 160),
    ]  # fmt: skip
    at = np.arange(count, dtype=np.int64) * 1000
    none = np.full(count, -1)
    for number, lane in enumerate(lanes):
        yield "slice", schema.batch("slice", track=none * 0 + number, start_ns=at + lane[5], end_ns=at + lane[6], name=none * 0 + number, category=none, flags=none * 0, args_at=none, args_len=none * 0, group=none)  # fmt: skip
    serial = np.arange(count, dtype=np.int64)
    for category, source, target in ((7, 2, 3), (8, 5, 6)):
        yield "link", schema.batch("link", category=none * 0 + category, id=serial, from_serial=serial + source * count, to_serial=serial + target * count)  # fmt: skip
    yield "string", schema.batch("string", value=[*(lane[4] for lane in lanes), "async_task_queue", "HostToDevice"])
    rows = len(lanes)
    yield "track", schema.batch("track", pid=["5"] * rows, process=["5"] * rows, process_label=[""] * rows, process_sort=[0.0] * rows, tid=[lane[0] for lane in lanes], thread=[lane[0] for lane in lanes], thread_sort=[None] * rows, group=[lane[3] for lane in lanes], lane=[lane[1] for lane in lanes], lane_sort=[0] * rows, role=[lane[2] for lane in lanes], device=[-1] * rows)  # fmt: skip
    yield "series", schema.batch("series", **{c.name: [] for c in schema.STREAM["series"].columns})


@pytest.mark.row("system-timeline", 76)
def test_the_real_database_agrees_with_plain_loops_over_its_tables(real: Callable[[str], Path]) -> None:
    path = real("db_level2")
    (file,) = path.rglob("ascend_pytorch_profiler_0.db")
    _, imports = import_paths([path])
    store = Store([StoreCard.of_import(item) for item in imports])
    rows = [row for row in kernel_e2e(store, card="0").to_pylist() if row["level"] in ("chain", "launch")]
    got = sorted((row["pipeline2_ns"], row["launch_ns"], row["e2e_ns"] or 0, row["status"]) for row in rows)
    assert got == sorted(_plain_chains(file))


def _plain_chains(file: Path) -> list[tuple[int, int, int, str]]:
    """Pipeline2, launch and E2E time and status of each compute task, by nested loops."""
    with sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True) as db:
        names = dict(db.execute("SELECT id, value FROM STRING_IDS"))
        apis = [
            (a, b, tid, c, names[n])
            for a, b, tid, c, n in db.execute("SELECT startNs, endNs, globalTid, connectionId, name FROM CANN_API")
        ]
        python = [
            (int(a), int(b), tid, c, names[n])
            for a, b, tid, c, n in db.execute("SELECT startNs, endNs, globalTid, connectionId, name FROM PYTORCH_API")
        ]
        of_id = db.execute("SELECT id, connectionId FROM CONNECTION_IDS").fetchall()
        connections = [
            c for (c,) in db.execute("SELECT connectionId FROM TASK JOIN COMPUTE_TASK_INFO USING (globalTaskId)")
        ]
    enqueue_of = {c: row for row in python if row[4] == "Enqueue" for i, c in of_id if i == row[3]}

    def around(rows: list[tuple[int, int, int, Any, str]], one: tuple[int, int, int, Any, str]) -> Any:
        fits = [r for r in rows if r[2] == one[2] and r[0] <= one[0] and r[1] >= one[1]]
        return min(fits, key=lambda r: r[1] - r[0], default=None)

    dequeues = [r for r in python if r[4].startswith("Dequeue")]
    ops = [r for r in python if r[4].startswith(("aten::", "npu::"))]
    calls = [r for r in python if r[4].startswith("<built-in")]
    out = []
    for connection in connections:
        launch = next(r for r in apis if r[3] == connection and r[4] == "launch")
        dequeue = around(dequeues, launch)
        enqueue = next(enqueue_of[c] for i, c in of_id if i == dequeue[3] and c in enqueue_of)
        op = around(ops, enqueue)
        call = (around(calls, op) if op else None) or around(calls, enqueue)
        e2e = launch[1] - call[0] if call else 0
        status = "normal" if call and call[0] <= enqueue[0] <= enqueue[1] <= dequeue[0] <= launch[1] else "incomplete"
        out.append((launch[1] - dequeue[0], launch[1] - launch[0], e2e, status))
    return out
