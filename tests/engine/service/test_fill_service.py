"""Edge cases of the specification (section 11), by their numbers; times in ms after T0."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.service_run import T0, event, run_of, trace

from insight_desktop.engine.service import curve, forward, kv, overview, requests, scheduler, tables
from insight_desktop.engine.service.fill_events import read_run
from insight_desktop.engine.store import Store
from insight_desktop.ingest.formats.service_values import rate
from insight_desktop.ingest.report import Report
from insight_desktop.schema_service import PARTS

Events = list[dict[str, Any]]


def by_rid(store: Store) -> dict[str, dict[str, Any]]:
    return {one["rid"]: one for one in requests.list(store).to_pylist()}


def step(at: float, items: list[dict[str, Any]] | list[str], length: float = 8.0, **more: Any) -> Events:
    """A scheduling of 0.2 ms and its execution."""
    return [
        event("batchFrameworkProcessing", at, "Schedule(2)", until=at + 0.2, res_list=items, **more),
        event("modelExec", at + 0.3, "Execute(3)", until=at + 0.3 + length, res_list=items, **more),
    ]


def item(rid: str, iteration: int, tokens: int, computed: int, prompt: int = 32) -> dict[str, Any]:
    kind = int(computed >= prompt)
    return {"rid": rid, "iter": iteration, "type": kind, "num_scheduled_tokens": tokens, "num_prompt_tokens": prompt, "num_computed_tokens": computed}  # fmt: skip


def simple(rid: str = "a", *, at: float = 1.0) -> Events:
    """A request that takes 10 ms and gives one token."""
    return [
        event("httpReq", at, res_list=rid), event("Enqueue", at + 0.5, "Schedule(2)", res_list=rid, status="waiting"),
        *step(at + 1, [item(rid, 0, 32, 0)]), event("detokenize", at + 9.8, res_list=[rid]),
        event("httpRes", at + 10, res_list=rid),
    ]  # fmt: skip


@pytest.mark.row("service", 34)
def test_1_unfinished_request_has_no_recorded_zeros(real: Callable[[str], Path]) -> None:
    store = run_of(real("service/mindie_new"))
    row = tables.rows(store, table="request_data", where="http_rid=900").to_pylist()[0]
    assert (row["start_time(ms)"] > 1e14, row["first_token_latency(ms)"]) == (True, 0.0)
    lost = by_rid(store)["900"]
    assert (lost["recorded_ttft_ns"], lost["recorded_queue_ns"], lost["differs"]) == (None, None, [])


@pytest.mark.row("service", 34)
def test_2_request_that_came_before_the_collection(tmp_path: Path) -> None:
    late = [event("detokenize", 3.0, res_list=["old"]), event("httpRes", 6.0, res_list="old")]
    store = run_of(trace(tmp_path, [*late, *simple("new", at=4.0)]))
    found = by_rid(store)
    assert (found["old"]["state"], found["old"]["ttft_ns"], found["old"]["arrive_ns"]) == ("no_arrival", None, None)
    level = [((r["ts_ns"] - T0) / 1e6, r["requests"]) for r in scheduler.concurrency(store).to_pylist()]
    assert level == [(3.0, 1), (4.0, 2), (6.0, 1), (14.0, 0)]


@pytest.mark.row("service", 34)
def test_3_one_token_has_no_time_per_token_and_meets_any_limit_of_it(tmp_path: Path) -> None:
    store = run_of(trace(tmp_path, simple()))
    assert by_rid(store)["a"]["tpot_ns"] is None
    assert requests.percentiles(store, metric="tpot")["count"].to_pylist() == [0]
    assert requests.goodput(store, tpot_ms=0.001)["met"].to_pylist()[0] == 1


@pytest.mark.row("service", 34)
def test_4_odd_names_of_requests_and_names_joined_by_commas(tmp_path: Path) -> None:
    events = [
        *simple("x{y"),
        *simple("p:q", at=20.0),
        event("detokenize", 60, res_list="b,c"),
        event("httpReq", 50, res_list="b, c,"),
    ]
    assert set(by_rid(run_of(trace(tmp_path, events)))) == {"x{y", "p:q", "b", "c"}


@pytest.mark.row("service", 34)
@pytest.mark.parametrize(
    ("listed", "rids"),
    [
        ("[{'rid': '100', 'iter': 0}]", {"100"}), ("['0']", {"0"}), ("[]", set()), ("nan", set()),
        ('[{"rid": "q", "iter": 0}]', {"q"}), ({"rid": ["a", "b"]}, {"a", "b"}), ([[{"rid": "m"}], [{"rid": "n"}]], {"m", "n"}),
        ([7], {"7"}), (["007"], {"7"}), (None, set()),
    ],
)  # fmt: skip
def test_5_all_ways_to_list_requests(tmp_path: Path, listed: Any, rids: set[str]) -> None:
    events = [event("modelExec", 1, "Execute(2)", until=2, res_list=listed)]
    assert set(requests.list(run_of(trace(tmp_path, events)))["rid"].to_pylist()) == rids


@pytest.mark.row("service", 3, 34)
def test_6_damaged_events_leave_the_others(tmp_path: Path) -> None:
    folder = trace(tmp_path, [])
    start = T0 // 1000
    text = (
        f'[{{"name":"httpReq","ph":"I","ts":"{start + 1000}","dur":0,"pid":1,"tid":"Engine(1)","args":{{"res_list":"a","x":NaN}}}},'
        f'{{"name":"detokenize","ph":"I","ts":{start + 5000},"dur":0,"pid":1,"tid":"Engine(1)","args":{{"res_list":["a"],"y":Infinity}}}},'
        f'{{"name":"httpRes","ph":"I","ts":{start + 6000},"dur":0,"pid":1,"tid":"Engine(1)","args":{{"res_list":"a"}}}},'
        f'{{"name":"modelExec","ph":"X","ts":{start + 2000},"pid":1,"tid":"Execute(2)","args":{{"res_list":["a"]}}}},'
        f'{{"name":"flow_a","ph":"i","ts":{start + 2000},"id":"a","cat":"a","pid":1,"tid":"Engine(1)"}},'
        f'{{"name":"flow_b","ph":"X","ts":{start + 2000},"id":"b","cat":"b","pid":1,"tid":"Engine(1)"}},'
        f'{{"name":"lone","ph":"I","ts":{start + 2500},"args":{{}}}}]'
    )
    (folder / "chrome_tracing.json").write_text(text, encoding="utf-8")
    store = run_of(folder)
    assert by_rid(store)["a"]["ttft_ns"] == 4_000_000
    assert scheduler.steps(store).num_rows == 0  # an execution without an end is no step
    capture = store.capture("run_0")
    names = {capture.text(int(n)) for n in capture.slice_name}
    assert not {n for n in names if n.startswith("flow_")}


@pytest.mark.row("service", 34)
def test_7_clocks_that_disagree_count_as_no_time(tmp_path: Path) -> None:
    events = [*simple(), event("Dequeue", 0.2, "Schedule(2)", pid=9, res_list="a", status="waiting")]
    events = [e for e in events if e["name"] != "Enqueue"] + [event("Enqueue", 0.1, "Schedule(2)", pid=9, res_list="a", status="waiting")]  # fmt: skip
    store = run_of(trace(tmp_path, events))
    row = by_rid(store)["a"]
    assert "clamped" in row["flags"]
    assert (row["queue_ns"], row["part_frontend_ns"], row["part_queue_ns"]) == (100_000, 0, 0)
    assert sum(row[f"part_{p}_ns"] for p in PARTS) == row["e2e_ns"]
    assert overview.kpis(store)["clamped"].to_pylist() == [1]


@pytest.mark.row("service", 34)
@pytest.mark.example("service", 14, 15)
def test_8_shares_of_the_cache_are_brought_into_range(tmp_path: Path) -> None:
    assert (rate(85.0), rate(0.8), rate("nan"), rate(None)) == (0.85, 0.8, None, None)
    folder = trace(tmp_path, simple())
    rows = "rid,name,start_time,device_kvcache_left,kvcache_usage_rate\n" + "".join(
        f"1,{name},2025-08-11 20:16:12,{left},{share}\n"
        for name, left, share in (("Allocate", 1978, -0.000506), ("Free", 1977, 0), ("AppendSlot", 1976, 0.000506), ("AppendSlot", 1975, 0.001012))
    )  # fmt: skip
    (folder / "kvcache.csv").write_text(rows, encoding="utf-8")
    counters = [
        {"name": "KVCache", "ph": "C", "ts": T0 // 1000 + at, "pid": 1, "tid": "KVCache", "args": {"Device Block": 0}}
        for at in (1000, 2000, 3000, 4000)
    ]
    (folder / "chrome_tracing.json").write_text(json.dumps([*simple(), *counters]), encoding="utf-8")
    found = kv.usage(run_of(folder))
    assert [round(v, 6) for v in found["rate"].to_pylist()] == [0, 0, 0.000506, 0.001012]
    assert found["raw_rate"].to_pylist()[0] == -0.000506


@pytest.mark.row("service", 34)
def test_9_first_token_comes_after_the_last_part_of_the_prompt(real: Callable[[str], Path]) -> None:
    found = requests.batches(run_of(real("service/g1")), rid="B").to_pylist()
    assert [b["kind"] for b in found] == ["prefill", "prefill", "decode"]
    assert by_rid(run_of(real("service/g1")))["B"]["ttft_ns"] == pytest.approx(37_500_000, abs=1000)


@pytest.mark.row("service", 34)
def test_9_without_token_events_the_end_of_the_prompt_counts(tmp_path: Path) -> None:
    events = [
        event("httpReq", 1.0, res_list="a"),
        *step(2, [item("a", 0, 16, 0)]),
        *step(12, [item("a", 1, 16, 16)]),
        *step(22, [item("a", 2, 1, 32)]),
    ]
    store = run_of(trace(tmp_path, [*events, event("httpRes", 31, res_list="a")]))
    assert by_rid(store)["a"]["ttft_ns"] == pytest.approx(19_300_000)
    assert overview.kpis(store)["token_source"].to_pylist() == ["step"]


@pytest.mark.row("service", 34)
@pytest.mark.parametrize("evidence", ["waiting", "running", "computed", "swapped"])
def test_10_preemption_by_each_kind_of_evidence_alone(tmp_path: Path, evidence: str) -> None:
    def queue(name: str, at: float, scope: str) -> dict[str, Any]:
        return event(name, at, "Schedule(2)", res_list=["a"], **{"scope#QueueName": scope})

    resumed = item("a", 2, 33, 0 if evidence == "computed" else 32)
    events = [
        event("httpReq", 1.0, res_list="a"), queue("Enqueue", 1.5, "WAITING"), *step(2, [item("a", 0, 32, 0)]),
        queue("Dequeue", 2.1, "WAITING"), event("detokenize", 10.5, res_list=["a"]),
        *step(11, [item("a", 1, 1, 32)], 0.5), *step(12, [item("b", 0, 32, 0)]),
        *step(22, [resumed]), event("detokenize", 31, res_list=["a"]), event("httpRes", 31.5, res_list="a"),
    ]  # fmt: skip
    more = {
        "waiting": [queue("Enqueue", 12.15, "WAITING"), queue("Dequeue", 22.1, "WAITING")],
        "running": [queue("Dequeue", 12.15, "RUNNING")], "computed": [], "swapped": [queue("Enqueue", 12.15, "SWAPPED")],
    }[evidence]  # fmt: skip
    row = by_rid(run_of(trace(tmp_path, events + more)))["a"]
    begin, end = {
        "waiting": (12.15, 22.1),
        "running": (12.15, 22.0),
        "computed": (11.8, 22.0),
        "swapped": (12.15, 22.0),
    }[evidence]
    assert (row["preemptions"], row["recomputed"]) == (1, 33)
    stalls = kv.preemptions(run_of(trace(tmp_path, events + more))).to_pylist()
    assert [((s["start_ns"] - T0) / 1e6, (s["end_ns"] - T0) / 1e6) for s in stalls] == [(begin, end)]
    assert row["ttft_ns"] == 9_500_000  # not moved to the token after coming back


@pytest.mark.row("service", 34)
def test_10_leaving_the_running_queue_at_the_end_is_no_preemption(tmp_path: Path) -> None:
    done = event("Dequeue", 10.9, "Schedule(2)", res_list=["a"], **{"scope#QueueName": "running"})
    assert by_rid(run_of(trace(tmp_path, [*simple(), done])))["a"]["preemptions"] == 0


@pytest.mark.row("service", 34)
def test_states_of_requests_tell_queue_and_preemption(tmp_path: Path) -> None:
    def state(name: str, at: float) -> dict[str, Any]:
        return event(name, at, "RequestState", res_list="a")

    events = [
        event("httpReq", 1.0, "Request", res_list="a"), state("WAITING", 1.5), state("RUNNING", 2.1),
        event("BatchSchedule", 2, "BatchSchedule", until=2.2, res_list=[{"rid": "a", "iter": 0}]),
        event("modelExec", 2.3, "modelExec", until=10, res_list=[{"rid": "a", "iter": 0}]), state("WAITING", 12.0),
        event("BatchSchedule", 22, "BatchSchedule", until=22.2, res_list=[{"rid": "a", "iter": 1}]), state("RUNNING", 22.1),
        event("modelExec", 22.3, "modelExec", until=30, res_list=[{"rid": "a", "iter": 1}]),
        event("httpRes", 31, "Request", res_list="a"), state("END", 31.1),
    ]  # fmt: skip
    store = run_of(trace(tmp_path, events))
    row = by_rid(store)["a"]
    assert (row["queue_ns"], row["preemptions"], row["stall_ns"]) == (600_000, 1, 10_100_000)
    assert overview.kpis(store)["generation"].to_pylist() == ["mindie_old"]


@pytest.mark.row("service", 34)
def test_13_spellings_of_no_data_parallel_rank(real: Callable[[str], Path]) -> None:
    assert scheduler.steps(run_of(real("service/mindie_new")))["dp"].to_pylist() == [None] * 18
    assert set(forward.passes(run_of(real("service/mindie_new")))["dp"].to_pylist()) == {0, 1}
    assert set(scheduler.steps(run_of(real("service/g1")))["dp"].to_pylist()) == {0}


@pytest.mark.row("service", 34)
def test_15_view_that_is_listed_but_missing_falls_back_to_its_table(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    db = sqlite3.connect(folder / "profiler.db")
    db.executescript(
        """CREATE TABLE data_table (id INTEGER PRIMARY KEY, name, view_name);
        INSERT INTO data_table VALUES (1, 'request_data', 'request_data'), (2, 'coordinator_info', 'coordinator_info'), (3, 'gone', 'gone');
        CREATE TABLE request (http_rid, "start_time(ms)"); CREATE VIEW request_data AS SELECT * FROM request;
        CREATE TABLE batch (name); CREATE TABLE coordinator (time, address, node_type, add_count, end_count, running_count);
        INSERT INTO coordinator VALUES ('2025-08-11 20:16:10', 'a', 'decode', 1, 0, 1);"""
    )  # fmt: skip
    db.commit()
    db.close()
    rows = {r["name"]: r for r in tables.list(run_of(folder)).to_pylist()}
    assert {n: (r["rows"], bool(r["error"])) for n, r in rows.items()} == {
        "request_data": (0, False), "coordinator_info": (1, False), "gone": (0, True),
    }  # fmt: skip


@pytest.mark.row("service", 1, 34)
@pytest.mark.parametrize("name", ["g1", "vllm"])
def test_16_trace_alone_and_database_alone_work(real: Callable[[str], Path], tmp_path: Path, name: str) -> None:
    found = []
    for file in ("profiler.db", "chrome_tracing.json"):
        folder = tmp_path / file / name
        folder.mkdir(parents=True)
        shutil.copy(real(f"service/{name}/{file}"), folder)
        found.append(run_of(folder))
    figures = ["rid", "ttft_ns", "tpot_ns", "e2e_ns", "queue_ns", "n_in", "n_out", "preemptions"]
    assert requests.list(found[0]).select(figures).equals(requests.list(found[1]).select(figures))
    assert [r["section"] for r in curve.list(found[1]).to_pylist()] == ["derived"] * 10
    assert tables.list(found[1]).num_rows == 0


@pytest.mark.row("service", 34)
def test_16_database_with_events_only_has_a_timeline_and_no_recorded_curves(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    db = sqlite3.connect(folder / "profiler.db")
    db.executescript(
        f"""CREATE TABLE slice (id INTEGER PRIMARY KEY, timestamp, duration, name, track_id, args, end_time);
        CREATE TABLE thread (track_id, tid, pid, thread_name, thread_sort_index); INSERT INTO thread VALUES (1, 'Kernel(1)', '7', 'Kernel(1)', 0);
        CREATE TABLE data_table (id, name, view_name); INSERT INTO slice VALUES (1, {T0}, 5000, 'MatMul', 1, '{{}}', {T0 + 5000});"""
    )  # fmt: skip
    db.commit()
    db.close()
    store = run_of(folder)
    assert len(store.capture("run_0").slice_start) == 1
    assert [r for r in curve.list(store).to_pylist() if r["drawable"]] == []


@pytest.mark.row("service", 34)
def test_17_generated_curves_keep_to_their_lane(tmp_path: Path) -> None:
    events = [event("x", a, f"Execute({lane})", until=a + 1) for lane in (1, 2) for a in (1.0, 3.0, 6.0)]
    store = run_of(trace(tmp_path, [*events, *simple(at=10)]))
    capture = store.capture("run_0")
    first = next(i for i, n in enumerate(capture.slice_name) if capture.text(int(n)) == "x")
    assert curve.generated(store, slice=first).num_rows == 3
    assert curve.generated(store, slice=first, kind="bubble")["duration"].to_pylist() == [1_000_000, 2_000_000]


@pytest.mark.row("service", 34)
def test_22_text_of_the_batch_size_is_no_number_of_tokens(real: Callable[[str], Path]) -> None:
    assert scheduler.steps(run_of(real("service/g1/raw")))["batch_size"].to_pylist() == [1, 2, 3, 1]


@pytest.mark.row("service", 34)
def test_23_process_that_two_hosts_share_is_told(real: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    shutil.copy(real("service/g1/chrome_tracing.json"), folder)
    text = (
        real("service/g1/forward.csv")
        .read_text(encoding="utf-8")
        .replace("node-a,17549145720", "node-b,17549145720", 1)
    )
    assert "node-b" in text
    (folder / "forward.csv").write_text(text, encoding="utf-8")
    issues = run_of(folder).reports[0].issues  # type: ignore[attr-defined]
    assert [i.code for i in issues if i.code == "service.merged_pid"] == ["service.merged_pid"]


@pytest.mark.row("service", 34)
def test_24_streamed_answers_end_with_the_last(real: Callable[[str], Path]) -> None:
    store = run_of(real("service/sgl"))
    assert [r["e2e_ns"] for r in requests.list(store).to_pylist()] == pytest.approx(
        [94_090_250, 83_130_250, 62_650_250], abs=1000
    )
    assert set(scheduler.steps(store)["type"].to_pylist()) == {"prefill", "decode"}
    assert scheduler.steps(store)["prefill_tokens"].to_pylist() == [None] * 10


@pytest.mark.row("service", 21)
def test_events_parsed_in_bulk_and_one_by_one_are_the_same(real: Callable[[str], Path]) -> None:
    for name in ("g1", "vllm", "mindie_new", "sgl", "vllm/raw"):
        store = run_of(real(f"service/{name}"))
        capture = store.capture(store.every_card[0].name)
        one, all_at_once = (read_run(capture, Report(), bulk=bulk) for bulk in (False, True))
        assert one.requests.names == all_at_once.requests.names
        for event_name, group in one.groups.items():
            other = all_at_once.groups[event_name]
            assert group.item_event.tolist() == other.item_event.tolist(), event_name
            assert group.item_request.tolist() == other.item_request.tolist()
            for key, values in group.items.items():
                assert values.tolist() == pytest.approx(other.items[key].tolist(), nan_ok=True), key
            for key, values in group.numbers.items():
                assert values.tolist() == pytest.approx(other.numbers[key].tolist(), nan_ok=True), key
            for key, values in group.texts.items():
                assert values.tolist() == other.texts[key].tolist(), key


@pytest.mark.row("service", 2, 6)
def test_sources_are_never_written(real: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(real("service/vllm"), folder)
    for place in [*folder.rglob("*"), folder]:
        place.chmod(0o555 if place.is_dir() else 0o444)
    before = {
        p: (hashlib.sha256(p.read_bytes()).hexdigest(), p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file()
    }
    for path in (folder, folder / "raw"):
        assert requests.list(run_of(path)).num_rows == 12
    after = {
        p: (hashlib.sha256(p.read_bytes()).hexdigest(), p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file()
    }
    assert before == after
    for place in [folder, *folder.rglob("*")]:
        place.chmod(0o755)


@pytest.mark.row("service", 6)
def test_rows_that_wait_in_the_log_of_a_database_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    db = sqlite3.connect(folder / "profiler.db")
    db.executescript("PRAGMA journal_mode=WAL; CREATE TABLE request (http_rid); CREATE TABLE batch (name);")
    db.execute("INSERT INTO request VALUES ('w')")
    db.commit()
    try:
        assert (folder / "profiler.db-wal").stat().st_size > 0
        assert tables.rows(run_of(folder), table="request")["http_rid"].to_pylist() == ["w"]
    finally:
        db.close()


@pytest.mark.row("service", 32)
def test_result_files_alone_give_requests_batches_and_bubbles(real: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for file in real("service/g1").glob("*.csv"):
        shutil.copy(file, folder)
    store = run_of(folder)
    found = by_rid(store)
    assert [found[r]["e2e_ns"] / 1e6 for r in "ABC"] == pytest.approx([46.0, 49.0, 27.0], abs=1.0)
    assert "recorded_only" in found["A"]["flags"]
    assert [found[r]["queue_ns"] / 1e6 for r in "ABC"] == [0.67, 2.67, 8.67]
    assert scheduler.steps(store)["batch_size"].to_pylist() == [1, 2, 3, 1]
    assert kv.summary(store)["peak"].to_pylist() == [pytest.approx(0.7)]
    assert forward.bubbles(store)["bubble_share"].to_pylist() == pytest.approx([0.1963], abs=0.001)
    assert [r["name"] for r in tables.list(store).to_pylist()] == [
        "request_data",
        "batch_info",
        "kvcache_usage",
        "forward_info",
    ]


@pytest.mark.row("service", 18)
def test_absurd_numbers_count_as_none(tmp_path: Path) -> None:
    items = [
        {"rid": "a", "iter": 1e300, "type": 0, "num_scheduled_tokens": -1e18},
        {"rid": float("nan")},
        {"rid": None},
    ]
    events = [*simple(), *step(40, items, dp_rank="1e300")]
    events.append(event("httpRes", 50.0, res_list="a", **{"recvTokenSize=": 1e300, "replyTokenSize=": "x"}))
    folder = trace(tmp_path, events)
    rows = "http_rid,start_time(ms),execution_time(ms),queue_wait_time(ms)\na,1e300,1e300,nan\nb,-5,x,1e30\n"
    (folder / "request.csv").write_text(rows, encoding="utf-8")
    found = by_rid(run_of(folder))
    assert (found["a"]["n_in"], found["a"]["recorded_e2e_ns"], found["a"]["recorded_queue_ns"]) == (32, None, None)
    assert scheduler.steps(run_of(folder))["dp"].to_pylist() == [None, None]


def test_steps_without_requests_are_no_reason_to_fail(tmp_path: Path) -> None:
    queue = event("Dequeue", 3.0, "Schedule(2)", res_list=["a"], status="running")
    store = run_of(
        trace(
            tmp_path,
            [
                event("modelExec", 1, "Execute(3)", until=2),
                event("BatchSchedule", 0.5, "Schedule(2)", until=0.9),
                queue,
            ],
        )
    )
    assert scheduler.steps(store)["batch_size"].to_pylist() == [0]
    assert by_rid(store)["a"]["state"] == "no_arrival"


@pytest.mark.row("service", 11, 20)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("timestamp,QueueSize=,status\n2025-08-11 20:16:12:002000,3,WAITING\n2025-08-11 20:16:12:001000,1.0,running\n",
         [("RUNNING", 1.0), ("WAITING", 3.0)]),
        ("timestamp,WAITING,PENDING,RUNNING\n2025-08-11 20:16:12:001000,2,,1\n", [("WAITING", 2.0), ("RUNNING", 1.0)]),
        ("hostuid,pid,start_datetime,waiting,running,swapped\nh,7,2025-08-11 20:16:12:001000,1,,\n", [("WAITING", 1.0)]),
    ],
)  # fmt: skip
def test_queues_come_from_the_recorded_table_of_any_shape(
    tmp_path: Path, text: str, expected: list[tuple[str, float]]
) -> None:
    folder = trace(tmp_path, [event("httpReq", 1.0, res_list="a")])
    (folder / "request_status.csv").write_text(text, encoding="utf-8")
    assert [(r["queue"], r["size"]) for r in scheduler.queues(run_of(folder)).to_pylist()] == expected


@pytest.mark.row("service", 29)
def test_old_transfers_tell_their_rank_by_their_lane(tmp_path: Path) -> None:
    from insight_desktop.engine.service import pd

    pull = event("PullKVCache", 3.0, "Decode Device rank_3", pid="PullKVCache", until=4.0, res_list="a")
    row = pd.pulls(run_of(trace(tmp_path, [event("httpReq", 1.0, res_list="a"), pull]))).to_pylist()[0]
    assert (row["rank"], row["duration_ns"]) == ("3", 1_000_000)
