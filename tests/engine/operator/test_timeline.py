"""Queries of the operator's Timeline."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support import operator_bins as bins

from insight_desktop.engine.operator import timeline
from insight_desktop.engine.system import timeline as system
from insight_desktop.engine.timeline.lanes import card_tree

SPEC = "operator"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))


@pytest.mark.row(SPEC, 48)
@pytest.mark.example(SPEC, 21)
def test_lanes_and_slices_of_the_small_kernel(tmp_path: Path) -> None:
    store = bins.opened(bins.write(tmp_path / "add", bins.sample()))
    lanes = timeline.lanes(store).to_pylist()
    assert [(r["card"], r["process"], r["lane"], r["rows"], r["slices"]) for r in lanes] == [
        ("add", bins.CORE, "MTE2", 1, 2),
        ("add", bins.CORE, "VECTOR", 1, 2),
    ]
    found = [(r["name"], r["ts_ns"], r["dur_ns"], r["row"]) for r in timeline.slices(store).to_pylist()]
    assert found == [
        ("MOV_OUT_TO_UB", 10, 400, 0),
        ("WAIT_FLAG", 20, 410, 0),
        ("SET_FLAG", 410, 1, 0),
        ("VADD", 432, 50, 0),
    ]
    assert [
        (r["category"], r["from_name"], r["from_ts_ns"], r["to_name"]) for r in timeline.flows(store).to_pylist()
    ] == [("MTE2ToVECTOR", "SET_FLAG", 410, "WAIT_FLAG")]
    assert system.lanes(store).num_rows == 0


def test_bin_and_trace_stand_side_by_side(tmp_path: Path) -> None:
    import json

    trace = bins.write(tmp_path / "core1", json.dumps(bins.trace()).encode(), "trace.json")
    store = bins.opened(bins.write(tmp_path / "add", bins.sample(trace=None)), trace)
    assert {r["card"] for r in timeline.slices(store).to_pylist()} == {"trace"}
    first = timeline.of_kernels(store)
    assert timeline.of_kernels(store) is first
    store.remove("add")
    assert timeline.of_kernels(store) is not first


def test_critical_path_goes_from_wait_to_set(tmp_path: Path) -> None:
    store = bins.opened(bins.write(tmp_path / "add", bins.sample()))
    found = timeline.critical_path(store).to_pylist()
    # VADD (432 to 482) began 2 ns after its WAIT (430), which was released by the SET (411) behind MOV (10 to 410).
    assert [(r["name"], r["own_ns"], r["gap_ns"], r["via"]) for r in found] == [
        ("MOV_OUT_TO_UB", 400, 0, ""),
        ("SET_FLAG", 1, 0, "lane"),
        ("WAIT_FLAG", 19, 0, "link"),
        ("VADD", 50, 2, "lane"),
    ]
    assert sum(r["own_ns"] + r["gap_ns"] for r in found) == 482 - 10


@pytest.mark.row(SPEC, 53)
def test_counters_stand_below_their_own_process(tmp_path: Path) -> None:
    trace = bins.trace()
    trace["traceEvents"].append(
        {"ph": "C", "pid": "MTE Throughput", "name": "GM_TO_UB", "ts": 1.5, "args": {"throughput(MB/s)": 7.0}}
    )
    store = timeline.of_kernels(bins.opened(bins.write(tmp_path / "add", bins.sample(trace=trace))))
    tree = card_tree(store.capture("add"), store.card("add"))
    assert [(node.title, [child.title for child in node.children]) for node in tree.children] == [
        (bins.CORE, ["MTE2", "VECTOR"]),
        ("MTE Throughput", ["GM_TO_UB (MB/s)"]),
    ]
