"""Copies whose size does not fit the hardware, in traces."""

from __future__ import annotations

import json

import pytest

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import communication, communication_tasks

SPEC = "system-summary-communication"


def task(name, ts, size, transport="SDMA", link="HCCS"):
    args = {"task type": name, "transport type": transport, "size(Byte)": size, "link type": link}
    return {"ph": "X", "name": name, "pid": 7, "tid": 1, "ts": str(ts), "dur": 2, "args": args}


def opened(folder, tasks):
    events = [
        {"ph": "M", "name": "process_name", "pid": 7, "args": {"name": "Communication"}},
        {"ph": "M", "name": "thread_name", "pid": 7, "tid": 0, "args": {"name": "Group 91 Communication"}},
        {"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "Plane 0"}},
        {"ph": "X", "name": "hcom_allReduce__91_0_1", "pid": 7, "tid": 0, "ts": "100", "dur": 50, "args": {}},
        {"ph": "X", "name": "hcom_allReduce__91_1_1", "pid": 7, "tid": 0, "ts": "200", "dur": 50, "args": {}},
        *tasks,
    ]
    output = folder / "rank_3_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    (output / "trace_view.json").write_text(json.dumps(events))
    (output.parent / "profiler_info_3.json").write_text("{}")
    _, imports = import_paths([folder])
    return Store([StoreCard.of_import(item) for item in imports])


FINE = [
    task("Memcpy", 101, 790, transport="RDMA"),
    task("Memcpy", 105, 9247, link="ON_CHIP"),
    task("Memcpy", 110, 256),
    task("Reduce_Inline", 115, 1024),
]


@pytest.mark.example(SPEC, "W19")
@pytest.mark.row(SPEC, 34)
def test_copies_that_fit_are_not_reported(tmp_path):
    assert communication.alignments(opened(tmp_path, FINE)).num_rows == 0


@pytest.mark.example(SPEC, "W19")
@pytest.mark.row(SPEC, 34)
def test_operator_with_a_copy_that_does_not_fit_is_reported_once(tmp_path):
    tasks = [*FINE, task("Memcpy", 120, 1026), task("Reduce_Inline", 125, 1026), task("Memcpy", 210, 1536)]
    assert communication.alignments(opened(tmp_path, tasks)).to_pylist() == [
        {"rank": 3, "name": "hcom_allReduce__91_0_1", "tasks": 2, "size_bytes": 1026}
    ]


@pytest.mark.parametrize(
    ("size", "transport", "link", "bad"),
    [
        (790, "RDMA", "HCCS", False),
        (9247, "SDMA", "ON_CHIP", False),
        (256, "SDMA", "HCCS", False),
        (1024, "SDMA", "HCCS", False),
        (1026, "SDMA", "HCCS", True),
    ],
)
def test_rule_of_alignment(size, transport, link, bad):
    assert communication_tasks.violates(size, transport, link) is bad


@pytest.mark.parametrize("name", ["text_level2", "db_level1"])
def test_real_ranks_answer(real, name):
    _, imports = import_paths([real(name)])
    found = communication.alignments(Store([StoreCard.of_import(item) for item in imports if item.status == "ready"]))
    assert found.column_names == ["rank", "name", "tasks", "size_bytes"]
    assert all(row["size_bytes"] % 512 for row in found.to_pylist())
