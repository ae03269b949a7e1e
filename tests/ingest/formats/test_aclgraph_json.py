"""Debug files of captured graphs: waits fitted to their records, links, and the real file worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.operator_files import open_store

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import timeline
from insight_desktop.ingest.formats import aclgraph_json

PID = "7 aclGraph"


def write(path: Path, **streams: list[tuple[str, float]]) -> Path:
    """Streams with (name, start in µs); every task takes 9.5 µs, as the writer makes them up."""
    rows = [
        {"name": name, "pid": PID, "tid": stream, "ts": at, "dur": 9.5, "ph": "X", "args": {"Model Id": 1}}
        for stream, tasks in streams.items()
        for name, at in tasks
    ]
    path.write_text(json.dumps(rows))
    return path


def times(store: Store) -> dict[str, tuple[int, int]]:
    return {r["name"]: (r["ts_ns"], r["ts_ns"] + r["dur_ns"]) for r in timeline.slices(store).to_pylist()}


def test_a_wait_ends_with_its_record_and_moves_what_follows(tmp_path: Path) -> None:
    store = open_store(
        write(
            tmp_path / "graph.json",
            stream1=[("a", 0), ("EVENT_WAIT_5", 10), ("b", 20), ("c", 30)],
            stream2=[("x", 0), ("y", 10), ("z", 20), ("EVENT_RECORD_5", 30), ("w", 40)],
        )
    )
    assert times(store) == {
        "a": (0, 9_500), "EVENT_WAIT_5": (10_000, 39_500), "b": (40_000, 49_500), "c": (50_000, 59_500),
        "x": (0, 9_500), "y": (10_000, 19_500), "z": (20_000, 29_500), "EVENT_RECORD_5": (30_000, 39_500),
        "w": (40_000, 49_500),
    }  # fmt: skip
    assert [tuple(r.values()) for r in timeline.flows(store).to_pylist()] == [
        ("record_wait", "0", "EVENT_RECORD_5", 30_000, "EVENT_WAIT_5", 10_000)
    ]


def test_a_wait_behind_its_record_keeps_its_times(tmp_path: Path) -> None:
    streams: dict[str, Any] = {
        "stream1": [("EVENT_RECORD_5", 0)],
        "stream2": [("x", 0), ("EVENT_WAIT_5", 10), ("y", 20)],
    }
    store = open_store(write(tmp_path / "graph.json", **streams))
    assert times(store)["EVENT_WAIT_5"] == (10_000, 19_500)
    assert times(store)["y"] == (20_000, 29_500)
    assert timeline.flows(store).num_rows == 1


def test_waits_are_taken_in_the_order_in_which_they_depend_on_each_other(tmp_path: Path) -> None:
    # The wait of stream1 needs the record of stream2, which is moved by the wait of stream2 for stream3.
    store = open_store(
        write(
            tmp_path / "graph.json",
            stream1=[("EVENT_WAIT_1", 0), ("end", 10)],
            stream2=[("EVENT_WAIT_2", 0), ("EVENT_RECORD_1", 10)],
            stream3=[("x", 0), ("EVENT_RECORD_2", 100)],
        )
    )
    found = times(store)
    assert found["EVENT_WAIT_2"] == (0, 109_500)
    assert found["EVENT_RECORD_1"] == (110_000, 119_500)
    assert found["EVENT_WAIT_1"] == (0, 119_500)
    assert found["end"] == (120_000, 129_500)


def test_waits_in_a_ring_keep_their_times_and_are_told(tmp_path: Path) -> None:
    path = write(
        tmp_path / "graph.json",
        stream1=[("EVENT_WAIT_1", 0), ("EVENT_RECORD_2", 10)],
        stream2=[("EVENT_WAIT_2", 0), ("EVENT_RECORD_1", 10)],
    )
    _, (item,) = import_paths([path])
    assert {i["code"]: i["count"] for i in item.issues} == {
        "aclgraph_json.waits_fitted": 2,
        "aclgraph_json.waits_in_a_ring": 2,
    }
    assert times(open_store(path))["EVENT_WAIT_1"] == (0, 9_500)


def test_an_event_that_is_used_again_is_paired_in_order(tmp_path: Path) -> None:
    path = write(
        tmp_path / "graph.json",
        stream1=[("EVENT_RECORD_5", 0), ("EVENT_RECORD_5", 50)],
        stream2=[("EVENT_WAIT_5", 0), ("EVENT_WAIT_5", 10), ("EVENT_WAIT_5", 90)],
    )
    assert [(r["from_ts_ns"], r["to_ts_ns"]) for r in timeline.flows(open_store(path)).to_pylist()] == [
        (0, 0),
        (50_000, 10_000),
    ]


def test_the_real_file_is_fitted_as_worked_out_by_hand(real: Callable[[str], Path]) -> None:
    store = open_store(real("aclgraph_debug/graph_debug.json"))
    found = timeline.flows(store, category="record_wait").to_pylist()
    # Stream 162 waits at 110 µs for a record at 740 µs and moves by 630 µs; its record (140 µs) lets stream 161 wait
    # 20 µs longer, whose record (770 µs) lets stream 162 wait 10 µs more, whose record (180 + 640 µs) ends at 829.5 µs.
    assert [(r["from_name"][-3:], r["from_ts_ns"], r["to_ts_ns"]) for r in found] == [
        ("016", 0, 0), ("088", 200_000, 1_040_000), ("144", 740_000, 110_000), ("160", 770_000, 750_000),
        ("168", 790_000, 780_000), ("184", 820_000, 800_000),
    ]  # fmt: skip
    by_name = {r["name"]: r["ts_ns"] + r["dur_ns"] for r in timeline.slices(store).to_pylist()}
    assert by_name["EVENT_WAIT_20627656278184"] == by_name["EVENT_RECORD_20627656278184"] == 829_500
    args = next(r["args"] for r in timeline.slices(store, name="EVENT_WAIT_20627656278240").to_pylist())
    assert json.loads(args) == {"Model Id": 1, "Stream Id": 165, "Task Id": 0}


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b'[\n{"name":"a","pid":"1993459 aclGraph","tid":"stream165"', True),
        (b'[{"name":"a","pid":"1993459 aclgraph"', False),
        (b'[{"name":"a","pid":5},{"pid":"1 aclGraph"}]', False),
    ],
)
def test_sniff_looks_at_the_first_event(head: bytes, found: bool) -> None:
    assert aclgraph_json.sniff("x.json", head) is found
