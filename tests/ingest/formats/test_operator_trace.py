"""Timeline of a kernel: flags, links, lanes, counters, times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.support import operator_bins as bins

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import operator_trace
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

SPEC = "operator"


def read(tmp_path: Path, events: list[dict[str, Any]] | str, report: Report | None = None) -> dict[str, pa.Table]:
    """All tables of a trace.json."""
    text = events if isinstance(events, str) else json.dumps({"profilingType": "op", "traceEvents": events})
    path = bins.write(tmp_path, text.encode(), "trace.json")
    found: dict[str, list[pa.RecordBatch]] = {}
    for table, batch in operator_trace.read(Source("operator_trace", "simulation", (path,)), report or Report()):
        found.setdefault(table, []).append(batch)
    return {name: pa.Table.from_batches(batches) for name, batches in found.items()}


def named(found: dict[str, pa.Table], table: str = "slice") -> list[tuple[str, str, int, int]]:
    """(lane, name, start, end) of each slice by start."""
    texts = found["string"]["value"].to_pylist()
    lanes = found["track"]["tid"].to_pylist()
    rows = found[table].to_pylist() if table in found else []
    return sorted(
        ((lanes[r["track"]], texts[r["name"]], r["start_ns"], r["end_ns"]) for r in rows), key=lambda r: (r[2], r[1])
    )


def x(name: str, **more: Any) -> dict[str, Any]:
    return {"ph": "X", "name": name, "pid": "c0", "tid": "MTE2", "ts": 1.0, "dur": 1.0} | more


@pytest.mark.row(SPEC, 8)
def test_profiling_type_before_the_first_array_makes_an_operator_trace() -> None:
    assert operator_trace.sniff("a.json", b'{"profilingType":"op","traceEvents":[]}')
    assert operator_trace.sniff("a.json", b'{"displayTimeUnit":"ns", "profilingType" : "op", "traceEvents":[]}')
    assert not operator_trace.sniff("a.json", b'{"traceEvents":[{"profilingType":"op"}]}')
    assert not operator_trace.sniff("a.json", b'{"profilingType":"system","traceEvents":[]}')
    assert not operator_trace.sniff("a.json", b'[{"ph":"X","profilingType":"op"}]')


@pytest.mark.row(SPEC, 49, 50)
@pytest.mark.example(SPEC, 21)
def test_small_kernel_has_its_slices_and_one_link(tmp_path: Path) -> None:
    found = read(tmp_path, bins.trace()["traceEvents"])
    assert named(found) == [
        ("MTE2", "MOV_OUT_TO_UB", 10, 410),
        ("VECTOR", "WAIT_FLAG", 20, 430),
        ("MTE2", "SET_FLAG", 410, 411),
        ("VECTOR", "VADD", 432, 482),
    ]
    link = found["link"].to_pylist()
    texts = found["string"]["value"].to_pylist()
    names = [texts[r["name"]] for r in found["slice"].to_pylist()]
    assert [(names[r["from_serial"]], names[r["to_serial"]], texts[r["category"]]) for r in link] == [
        ("SET_FLAG", "WAIT_FLAG", "MTE2ToVECTOR")
    ]


@pytest.mark.row(SPEC, 49)
def test_begin_and_end_pair_by_family_and_id_in_any_order(tmp_path: Path) -> None:
    events = [
        {"ph": "E", "name": "WAIT_INTRA_BLOCK", "id": "intra_0", "ts": 5.0},
        {"ph": "B", "name": "SET_INTRA_BLOCKI", "id": "intra_0", "pid": "c0", "tid": "FIXP", "ts": 1.0},
        {"ph": "B", "name": "wait_event", "id": "intra_0", "pid": "c1", "tid": "MTE2", "ts": 2.0},
        {"ph": "E", "name": "set_event", "id": "intra_0", "ts": 1.5},
        {"ph": "B", "name": "Custom", "id": "z", "pid": "c0", "tid": "FIXP", "ts": 1.0},
        {"ph": "E", "name": "Custom", "id": "z", "pid": "c0", "tid": "FIXP", "ts": 9.0},
        {"ph": "B", "name": "SET_FLAG", "id": "alone", "pid": "c0", "tid": "FIXP", "ts": 1.0},
    ]
    report = Report()
    assert named(read(tmp_path, events, report)) == [
        ("FIXP", "SET_INTRA_BLOCKI", 1000, 1500),
        ("MTE2", "wait_event", 2000, 5000),
    ]
    told = {issue.code: issue.count for issue in report.issues}
    assert told["operator_trace.flag_alone"] == 1
    assert told["operator_trace.other_begin_end"] == 2


def test_end_before_its_begin_has_no_length(tmp_path: Path) -> None:
    events = [
        {"ph": "B", "name": "SET_FLAG", "id": "a", "pid": "c0", "tid": "MTE1", "ts": 4.0},
        {"ph": "E", "name": "SET_FLAG", "id": "a", "ts": 3.0},
    ]
    found = read(tmp_path, events)
    assert named(found) == [("MTE1", "SET_FLAG", 4000, 4000)]


@pytest.mark.row(SPEC, 50)
def test_flow_without_flags_is_bound_by_time_and_f_is_ignored(tmp_path: Path) -> None:
    flow = {"name": "flow", "cat": "k", "id": 7, "pid": "c0"}
    events = [
        x("INIT", ts=1.0, dur=2.0),
        x("COMMIT", tid="CUBE", ts=4.0, dur=2.0),
        {"ph": "s", "tid": "MTE2", "ts": 3.0, **flow},
        {"ph": "t", "tid": "CUBE", "ts": 4.0, **flow},
        {"ph": "f", "tid": "CUBE", "ts": 5.0, **flow},
    ]
    found = read(tmp_path, events)
    assert [(r["phase"], r["ts_ns"]) for r in found["flow"].to_pylist()] == [(115, 3000), (102, 4000)]
    assert "link" not in found


def test_end_is_the_rounded_sum_of_start_and_duration(tmp_path: Path) -> None:
    # 1 cycle of 1650 MHz is 0.606 ns: 0.4 + 0.4 ns end at 1 ns, although both round to 0.
    found = named(read(tmp_path, [x("A", ts=0.0004, dur=0.0004), x("B", ts=10.0006, dur=0.0006)]))
    assert found == [("MTE2", "A", 0, 1), ("MTE2", "B", 10001, 10001)]


def test_slices_need_a_pid_and_a_tid(tmp_path: Path) -> None:
    report = Report()
    events = [
        x("kept", pid=10, tid=3),
        x("no pid", pid=""),
        {"ph": "X", "name": "no tid", "pid": "c0", "ts": 1, "dur": 1},
    ]
    assert named(read(tmp_path, events, report)) == [("3", "kept", 1000, 2000)]
    assert [(i.code, i.count) for i in report.issues] == [("operator_trace.no_lane", 2)]


def test_numeric_process_gets_its_name_from_the_metadata(tmp_path: Path) -> None:
    events = [x("A", pid=10, tid=3), {"ph": "M", "name": "process_name", "pid": 10, "args": {"name": "SCALAR"}}]
    track = read(tmp_path, events)["track"].to_pylist()[0]
    assert (track["pid"], track["process"], track["tid"]) == ("10", "SCALAR", "3")


@pytest.mark.row(SPEC, 48)
def test_pipes_without_metadata_have_their_order(tmp_path: Path) -> None:
    pipes = ["MTE3", "VECTOR", "MTE2", "FIXP", "CUBE", "MTE1", "FLOWCTRL", "SCALAR", "CACHEMISS", "NEW"]
    tracks = read(tmp_path, [x("A", tid=pipe) for pipe in pipes])["track"].to_pylist()
    order = {row["tid"]: row["thread_sort"] for row in tracks}
    assert order == {
        "SCALAR": 1, "FLOWCTRL": 2, "MTE1": 3, "CUBE": 4, "FIXP": 5, "MTE2": 6, "VECTOR": 7, "MTE3": 8, "CACHEMISS": 9,
        "NEW": 0,
    }  # fmt: skip


def test_metadata_wins_over_the_order_of_pipes(tmp_path: Path) -> None:
    events = [x("A", tid="CUBE"), {"ph": "M", "name": "thread_sort_index", "pid": "c0", "tid": "CUBE", "args": {"sort_index": 77}}]  # fmt: skip
    assert read(tmp_path, events)["track"]["thread_sort"].to_pylist() == [77]


@pytest.mark.row(SPEC, 53)
def test_counters_keep_their_unit_and_drop_time_zero(tmp_path: Path) -> None:
    events = [
        x("A"),
        *[
            {"ph": "C", "pid": "MTE Throughput", "name": "GM_TO_L1", "ts": stamp, "args": {"throughput(MB/s)": value}}
            for stamp, value in ((0, 5.0), (1.5, 7.25), (2.5, 0))
        ],
        {"ph": "C", "pid": "MTE Throughput", "name": "GM_TO_UB", "id": "b", "ts": 1, "args": {"throughput(MB/s)": 1}},
    ]
    found = read(tmp_path, events)
    assert [(r["series"], r["ts_ns"], r["value"]) for r in found["counter"].to_pylist()] == [
        (0, 1500, 7.25),
        (0, 2500, 0.0),
        (1, 1000, 1.0),
    ]
    lines = [(r["process"], r["counter"], r["unit"]) for r in found["series"].to_pylist()]
    assert lines == [("MTE Throughput", "GM_TO_L1", "MB/s"), ("MTE Throughput", "GM_TO_UB[b]", "MB/s")]


@pytest.mark.row(SPEC, 54)
def test_group_of_an_instruction_is_kept(tmp_path: Path) -> None:
    found = read(tmp_path, [x("A", group_id="i1"), x("B", ts=1.5, group_id="i1")])
    groups = found["slice"]["group"].to_pylist()
    assert groups[0] == groups[1] != -1


def test_missing_duration_is_zero(tmp_path: Path) -> None:
    found = read(tmp_path, [{"ph": "X", "name": "A", "pid": "c0", "tid": "MTE2", "ts": 1.0}])
    assert named(found) == [("MTE2", "A", 1000, 1000)]


def test_trace_without_events_is_an_empty_timeline_and_text_is_refused(tmp_path: Path) -> None:
    assert "slice" not in read(tmp_path, [])
    with pytest.raises(BadFile):
        read(tmp_path, "no trace at all")


def test_details_lie_where_they_are_in_the_bin(tmp_path: Path) -> None:
    data = bins.sample()
    path = bins.write(tmp_path, data)
    store = bins.opened(path)
    from insight_desktop.engine.operator import timeline

    row = timeline.slices(store, name="VADD").to_pylist()[0]
    assert json.loads(row["args"]) == {"code": f"{bins.PATH}:22", "pc_addr": "0x1134e008"}


def test_many_flags_and_links_find_each_other(tmp_path: Path) -> None:
    count = 2000
    events: list[dict[str, Any]] = []
    for i in range(count):
        ident, core = f"core{i % 3}_{i // 3}", f"core{i % 3}"
        for name, lane, begin in (("SET_FLAG", "MTE2", i * 1.0), ("WAIT_FLAG", "VECTOR", i * 1.0 + 0.2)):
            home = {"name": name, "id": ident, "pid": core, "tid": lane}
            events += [{"ph": "B", "ts": begin, **home}, {"ph": "E", "ts": begin + 0.1, **home}]
        flow = {"name": "flow", "cat": "MTE2ToVECTOR", "id": ident}
        events.append({"ph": "t", "pid": core, "tid": "VECTOR", "ts": i * 1.0 + 0.3, **flow})
        events.append({"ph": "s", "pid": "elsewhere", "tid": "MTE2", "ts": i * 1.0 + 0.1, **flow})
    found = read(tmp_path, events)
    assert found["slice"].num_rows == 2 * count
    starts = found["slice"]["start_ns"].to_pylist()
    pairs = [(starts[r["from_serial"]], starts[r["to_serial"]]) for r in found["link"].to_pylist()]
    assert sorted(pairs) == [(1000 * i, 1000 * i + 200) for i in range(count)]


@pytest.mark.row(SPEC, 48)
def test_colours_of_the_trace_are_kept_by_lane_and_name(tmp_path: Path) -> None:
    events = [
        x("MOV", cname="thread_state_iowait"),
        x("MOV", cname="good", ts=3.0),  # the first one counts
        x("MOV", cname="startup", tid="SCALAR"),
        x("BAR"),
        x("ADD", cname=""),
        x("NOP", cname=None),
        {"ph": "B", "name": "SET_FLAG", "id": "1", "pid": "c0", "tid": "MTE2", "ts": 5.0, "cname": "black"},
        {"ph": "E", "name": "SET_FLAG", "id": "1", "ts": 6.0},
    ]
    report = Report()
    assert read(tmp_path, events, report)["slice"].num_rows == 7
    assert report.facts["slice_colours"] == [
        ["thread_state_iowait", "c0", "MTE2", ["MOV"]],
        ["startup", "c0", "SCALAR", ["MOV"]],
        ["black", "c0", "MTE2", ["SET_FLAG"]],
    ]


def test_a_trace_without_colours_tells_none(tmp_path: Path) -> None:
    report = Report()
    read(tmp_path, [x("MOV")], report)
    assert "slice_colours" not in report.facts
