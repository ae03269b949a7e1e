"""Micro batches from the flows of the framework, their numbers, and the lanes of a pipeline."""

from __future__ import annotations

import json
import sqlite3

import pytest

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import summary, summary_pipeline
from insight_desktop.errors import BadArgument, NoData

SPEC = "system-summary-communication"


def flows(order, *, operators=3):
    """Flows of micro batches; `order` lists `F<n>` and `B<n>` in time, each 100 long with so many operators of 10."""
    at = {text: 1000 + 100 * i for i, text in enumerate(order)}
    found = []
    for text, start in at.items():
        if text.startswith("F"):
            back = at["B" + text[1:]]
            for k in range(operators):
                begin, later = start + 30 * k, back + 30 * (operators - 1 - k)
                found.append((begin, begin + 10, later, later + 10))
    return found, at


@pytest.mark.row(SPEC, 24)
@pytest.mark.parametrize(
    "order",
    [
        ["F0", "F1", "F2", "F3", "B0", "B1", "B2", "B3"],
        ["F0", "B0", "F1", "B1", "F2", "B2", "F3", "B3"],
        ["F0", "F1", "B0", "F2", "B1", "F3", "B2", "B3"],
    ],
)
def test_four_micro_batches_of_a_plain_schedule(order):
    found, at = flows(order)
    batches = summary_pipeline.micro_batches(found)
    assert [(b.forward, b.backward) for b in batches] == [
        ((at[f"F{k}"], at[f"F{k}"] + 70), (at[f"B{k}"], at[f"B{k}"] + 70)) for k in range(4)
    ]
    assert summary_pipeline.labels(batches) == [0, 1, 2, 3]


@pytest.mark.row(SPEC, 24)
def test_two_chunks_of_an_interleaved_schedule_share_their_numbers():
    # Chunk 0 of micro batches 0 to 3, then chunk 1 (4 to 7); the backward passes begin with chunk 1.
    order = [f"F{k}" for k in range(8)] + [f"B{k}" for k in (4, 5, 6, 7, 0, 1, 2, 3)]
    batches = summary_pipeline.micro_batches(flows(order)[0])
    assert len(batches) == 8
    assert summary_pipeline.labels(batches) == [0, 1, 2, 3, 0, 1, 2, 3]


def test_backward_passes_that_fit_no_schedule_are_told():
    order = ["F0", "F1", "F2", "F3", "B3", "B0", "B1", "B2"]
    batches = summary_pipeline.micro_batches(flows(order, operators=1)[0])
    made = [summary_pipeline.MicroBatch((i, i), (b, b)) for i, b in enumerate((10, 11, 12, 9, 8))]
    assert batches
    with pytest.raises(BadArgument, match="do not fit"):
        summary_pipeline.labels(made)


def opened(folder):
    _, imports = import_paths([folder])
    return Store([StoreCard.of_import(item) for item in imports if item.status == "ready"])


def trace(folder, order):
    events = [
        {"ph": "X", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": "0.9", "dur": 2, "args": {}},
        {"ph": "X", "name": "hcom_send__1_2_1", "pid": 3, "tid": 1, "ts": "1.15", "dur": 0.02, "args": {}},
        {"ph": "X", "name": "hcom_receive__1_2_1", "pid": 3, "tid": 1, "ts": "1.25", "dur": 0.02, "args": {}},
        {"ph": "X", "name": "hcom_batchSendRecv__1_3_1", "pid": 3, "tid": 1, "ts": "9.0", "dur": 0.02, "args": {}},
    ]
    for i, (start, end, back, back_end) in enumerate(flows(order)[0]):
        for pid, begin, until in ((1, start, end), (2, back, back_end)):
            text = f"{begin / 1000:.3f}"
            events.append(
                {
                    "ph": "X",
                    "name": f"op{i}",
                    "pid": pid,
                    "tid": 5,
                    "ts": text,
                    "dur": (until - begin) / 1000,
                    "args": {},
                }
            )
            events.append(
                {"ph": "s" if pid == 1 else "f", "bp": "e", "name": "fwdbwd", "cat": "fwdbwd", "id": i, "pid": pid, "tid": 5, "ts": text}
            )  # fmt: skip
    output = folder / "rank_0_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    (output / "trace_view.json").write_text(json.dumps(events))
    (output.parent / "profiler_info_0.json").write_text("{}")
    return folder


@pytest.mark.row(SPEC, 24)
def test_lanes_of_a_rank_come_from_the_flows_of_its_trace(tmp_path):
    store = opened(trace(tmp_path, ["F0", "F1", "B0", "B1"]))
    found = summary.pipeline(store).to_pylist()
    assert [(r["rank"], r["lane"], r["name"], r["kind"], r["start_ns"], r["duration_ns"]) for r in found] == [
        (0, "fp_bp", "FP0", "FP", 1000, 70),
        (0, "fp_bp", "FP1", "FP", 1100, 70),
        (0, "fp_bp", "BP0", "BP", 1200, 70),
        (0, "fp_bp", "BP1", "BP", 1300, 70),
        (0, "p2p", "hcom_send__1_2_1", "SEND", 1150, 20),
        (0, "p2p", "hcom_receive__1_2_1", "RECV", 1250, 20),
        (0, "p2p", "hcom_batchSendRecv__1_3_1", "BATCH_SEND_RECV", 9000, 20),
    ]
    inside = summary.pipeline(store, step="1", ranks="(0, 4)")
    assert inside.num_rows == 6  # the last transfer lies outside the step
    with pytest.raises(NoData, match="No open rank"):
        summary.pipeline(store, ranks="(4, 5)")


@pytest.mark.row(SPEC, 24)
def test_tasks_of_a_database_are_taken_as_they_are(tmp_path):
    path = tmp_path / "ascend_pytorch_profiler_3.db"
    with sqlite3.connect(path) as base:
        base.executescript(
            """CREATE TABLE STRING_IDS (id INTEGER, value TEXT);
            INSERT INTO STRING_IDS VALUES (1, 'hcom_send__1'), (2, 'hcom_receive__1'), (3, 'a_0_1_7'), (4, 'hcom_allReduce__1');
            CREATE TABLE COMMUNICATION_OP (opName INTEGER, startNs INTEGER, endNs INTEGER, opConnectionId INTEGER);
            INSERT INTO COMMUNICATION_OP VALUES (1, 500, 600, 3), (2, 700, 760, 3), (2, 800, 810, NULL), (4, 10, 20, 3);
            CREATE TABLE StepTaskInfo (name TEXT, startNs INTEGER, endNs INTEGER, type INTEGER);
            INSERT INTO StepTaskInfo VALUES ('forward_step', 100, 200, 0), ('backward', 300, 450, 1), ('warm up', 50, 60, 7);"""
        )
    card = StoreCard("3", "3", 0, "", "db", tmp_path, source=_source(path))
    rows = summary_pipeline.paired(summary_pipeline.of_card(Store(), card, None))
    assert [(r["lane"], r["name"], r["kind"], r["start_ns"], r["duration_ns"], r["connection"]) for r in rows] == [
        ("fp_bp", "warm up", "type 7", 50, 10, None),
        ("fp_bp", "forward_step", "FP", 100, 100, None),
        ("fp_bp", "backward", "BP", 300, 150, None),
        ("p2p", "hcom_send__1", "SEND", 500, 100, "a_0_1_7"),
        ("p2p", "hcom_receive__1", "RECV", 700, 60, "a_0_1_7"),
        ("p2p", "hcom_receive__1", "RECV", 800, 10, None),
    ]
    assert {r["rank"] for r in rows} == {3}


def _source(path):
    from insight_desktop.ingest.sources import Source

    return Source("profiler_db", "db", (path,))


@pytest.mark.row(SPEC, 23)
def test_communication_of_a_rank_is_split_by_what_runs_beside_it(tmp_path):
    events = [
        {"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "Overlap Analysis"}},
        {"ph": "X", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": "100", "dur": 100, "args": {}},
        {"ph": "X", "name": "Computing", "pid": 9, "tid": 1, "ts": "100", "dur": 30, "args": {}},
        {"ph": "X", "name": "Communication", "pid": 9, "tid": 2, "ts": "110", "dur": 40.9, "args": {}},
        {"ph": "X", "name": "Communication(Not Overlapped)", "pid": 9, "tid": 3, "ts": "130", "dur": 20.9, "args": {}},
        {"ph": "X", "name": "Communication", "pid": 9, "tid": 2, "ts": "300", "dur": 5, "args": {}},
        {"ph": "X", "name": "Communication(Not Overlapped)", "pid": 9, "tid": 3, "ts": "300", "dur": 5, "args": {}},
    ]
    output = tmp_path / "rank_2_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    (output / "trace_view.json").write_text(json.dumps(events))
    (output.parent / "profiler_info_2.json").write_text("{}")
    store = opened(tmp_path)
    assert summary.communication_detail(store, rank=2).to_pylist() == [{"not_overlapped_us": 25, "overlapped_us": 20}]
    assert summary.communication_detail(store, rank=2, step="1").to_pylist() == [
        {"not_overlapped_us": 20, "overlapped_us": 20}
    ]
    with pytest.raises(NoData, match="Rank 5 is not open"):
        summary.communication_detail(store, rank=5)
