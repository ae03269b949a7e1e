from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.service_run import T0, event, run_of, trace

from insight_desktop.engine.service import pd, requests, scheduler
from insight_desktop.errors import NoData


def names(pid: int, label: str) -> dict[str, Any]:
    return {"name": "process_labels", "ph": "M", "pid": pid, "args": {"labels": label}}


def separated() -> list[dict[str, Any]]:
    """One request: prefill on host p (pid 1), decode on host d (pid 2)."""
    return [
        names(1, "host-p"), names(2, "host-d"),
        event("httpReq", 1.0, "Request", 1, res_list="r"), event("receiveReq", 1.2, "PDCommunication(5)", 1, res_list="r"),
        event("Enqueue", 1.5, "Schedule(2)", 1, status="waiting", res_list="r"),
        event("BatchSchedule", 2.0, "Schedule(2)", 1, until=2.2, batch_type="Prefill", res_list=[{"rid": "r", "iter": 0}]),
        event("Dequeue", 2.1, "Schedule(2)", 1, status="waiting", res_list="r"),
        event("modelExec", 2.3, "ModelExecute(3)", 1, until=12.0, batch_type="Prefill", res_list=[{"rid": "r", "iter": 0}]),
        event("prefillRes", 12.1, "PDCommunication(5)", 1, res_list="r"),
        event("sendReqToD", 12.2, "PDCommunication(5)", 1, res_list="r"),
        event("sendReqToDSucc", 12.5, "PDCommunication(5)", 1, res_list="r"),
        event("PullKVCache", 13.0, "PullKVCache(6)", 2, until=16.63425, res_list="r", rank="0"),
        event("Enqueue", 17.0, "Schedule(2)", 2, status="waiting", res_list="r"),
        event("BatchSchedule", 17.5, "Schedule(2)", 2, until=17.6, batch_type="Other", res_list=[{"rid": "r", "iter": 1}]),
        event("Dequeue", 17.55, "Schedule(2)", 2, status="waiting", res_list="r"),
        event("modelExec", 18.0, "ModelExecute(3)", 2, until=28.0, batch_type="Other", res_list=[{"rid": "r", "iter": 1}]),
        event("sendResponse", 12.05, "Engine(4)", 1, until=12.08, endFlag=False, res_list="r"),
        event("sendResponse", 28.1, "Engine(4)", 2, until=28.2, endFlag=True, res_list="r"),
        event("decodeRes", 28.3, "PDCommunication(5)", 2, res_list="r"),
        event("DecodeEnd", 28.4, "Request", 2, res_list="r", **{"replyTokenSize=": 2}),
    ]  # fmt: skip


@pytest.mark.row("service", 29, 34)
def test_roles_and_stages_of_two_nodes(tmp_path: Path) -> None:
    store = run_of(trace(tmp_path, separated()))
    assert {r["pid"]: (r["role"], r["host"]) for r in pd.nodes(store).to_pylist()} == {"1": ("prefill", "host-p"), "2": ("decode", "host-d")}  # fmt: skip
    row = pd.stages(store).to_pylist()[0]
    assert [row[f"{s}_wait_ns"] for s in ("send", "transfer", "prefill", "decode")] == [
        11_000_000,
        300_000,
        0,
        16_200_000,
    ]
    assert row["cross_host"]


@pytest.mark.row("service", 34)
def test_second_queue_on_the_decode_node_is_no_preemption(tmp_path: Path) -> None:
    row = requests.list(run_of(trace(tmp_path, separated()))).to_pylist()[0]
    assert (row["preemptions"], row["state"], row["flags"]) == (0, "done", ["cross_host"])
    assert (row["prefill_host"], row["decode_host"]) == ("host-p", "host-d")
    assert scheduler.steps(run_of(trace(tmp_path, separated())))["type"].to_pylist() == ["prefill", "decode"]  # by role
    assert [row[f"{p}_ns"] / 1e6 for p in ("part_frontend", "queue", "ttft")] == pytest.approx([0.5, 0.6, 11.08])


@pytest.mark.row("service", 29)
@pytest.mark.example("service", 18)
def test_length_of_a_transfer(tmp_path: Path) -> None:
    row = pd.pulls(run_of(trace(tmp_path, separated()))).to_pylist()[0]
    assert (row["rid"], row["rank"], row["duration_ns"] / 1e6) == ("r", "0", 3.63425)
    assert (row["start_ns"] - T0) / 1e6 == 13.0


def test_transfer_is_a_cause(tmp_path: Path) -> None:
    causes = {r["cause"]: r["ms"] for r in requests.reasons(run_of(trace(tmp_path, separated())), rid="r").to_pylist()}
    assert causes["kv_transfer"] == pytest.approx(3.63425)


@pytest.mark.row("service", 29)
@pytest.mark.example("service", 21)
def test_running_requests_of_a_node_are_summed_up_anew() -> None:
    add_p, end_p = [1, 1, 0, 0, 0], [0, 1, 1, 0, 0]
    add_d, end_d, wrong = [0, 1, 1, 0, 0], [0, 0, 1, 0, 1], [0, 1, 1, 0, 0]
    rows = [(i * 5, "P:1", "prefill", add_p[i], end_p[i], 0) for i in range(5)]
    rows += [(i * 5, "D:1", "decode", add_d[i], end_d[i], wrong[i]) for i in range(5)]
    found = pd.running(rows).to_pylist()
    assert [r["running"] for r in found if r["node_type"] == "decode"] == [0, 1, 1, 1, 0]
    assert [r["recorded_running"] for r in found if r["node_type"] == "decode"] == [0, 1, 1, 0, 0]
    assert [r["running"] for r in found if r["node_type"] == "prefill"] == [1, 1, 0, 0, 0]


def test_run_on_one_node_has_no_stages(real: Callable[[str], Path]) -> None:
    store = run_of(real("service/g1"))
    with pytest.raises(NoData, match="no events between"):
        pd.stages(store)
    with pytest.raises(NoData, match="no data of a coordinator"):
        pd.coordinator(store)
    assert {r["role"] for r in pd.nodes(store).to_pylist()} == {"mixed"}
