from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.support.service_run import T0, run_of

from insight_desktop.engine.service import curve, curve_rows
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, NoData


@pytest.fixture
def g1(real: Callable[[str], Path]) -> Store:
    return run_of(real("service/g1"))


def lines(store: Store, name: str, **more: object) -> list[list[object]]:
    table = curve.data(store, name=name, **more)  # type: ignore[arg-type]
    return [[row[c] for c in ("x", *table.column_names[3:])] for row in table.to_pylist()]


@pytest.mark.row("service", 11)
def test_all_curves_are_listed_and_the_first_that_can_be_drawn_opens(g1: Store) -> None:
    rows = [r for r in curve.list(g1).to_pylist() if r["section"] == "recorded"]
    assert [r["name"] for r in rows] == [
        "Request_Status_curve", "Batch_Size_curve", "Batch_Token_curve", "Kvcache_Usage_Percent_curve",
        "Prefill_Generate_Speed_Latency_curve", "First_Token_Latency_curve", "Request_Latency_curve",
        "Decode_Generate_Speed_Latency_curve",
    ]  # fmt: skip
    assert [r["error"] for r in rows] == ["no such column: status", *[""] * 7]
    assert [r["name"] for r in rows if r["first"]] == ["Batch_Size_curve"]


@pytest.mark.row("service", 11)
@pytest.mark.example("service", 8)
def test_recorded_curves_of_the_first_example(g1: Store) -> None:
    assert lines(g1, "Batch_Token_curve") == [
        ["0", 32.0, 32.0, 0.0], ["1", 33.0, 32.0, 1.0], ["2", 33.0, 32.0, 1.0], ["3", 1.0, 0.0, 1.0],
    ]  # fmt: skip
    speed = curve.data(g1, name="Decode_Generate_Speed_Latency_curve").to_pylist()[0]
    assert (speed["avg(tokens/s)"], speed["p50(tokens/s)"]) == (132.9246, 141.4474)
    assert curve.data(g1, name="Prefill_Generate_Speed_Latency_curve").to_pylist()[0]["p50(tokens/s)"] == 130.719
    latency = curve.data(g1, name="Request_Latency_curve").to_pylist()
    assert [round(r["avg(ms)"] * 1000, 2) for r in latency] == [46450, 36955, 40786.8]
    assert (latency[1]["p90(ms)"], latency[2]["p99(ms)"]) == (44.551, 48.4102)


@pytest.mark.row("service", 12)
def test_batch_numbers_and_texts_lead_to_times(g1: Store) -> None:
    times = curve.data(g1, name="Batch_Token_curve")["x_ns"].to_pylist()
    assert [round((t - T0) / 1e6, 3) for t in times] == [2.0, 13.0, 29.0, 48.0]
    first = curve.data(g1, name="First_Token_Latency_curve")["x_ns"].to_pylist()
    assert [(t - T0) / 1e6 for t in first] == [1.0]


@pytest.mark.row("service", 34)
def test_times_of_whole_seconds_that_repeat_are_no_times(g1: Store) -> None:
    found = curve.data(g1, name="Kvcache_Usage_Percent_curve")
    assert found["x_ns"].to_pylist() == [None] * found.num_rows
    assert found["kvcache_usage_percent"].to_pylist() == [20.0, 50.0, 70.0, 40.0, 30.0, 40.0, 0.0]


@pytest.mark.row("service", 15)
@pytest.mark.example("service", 9)
def test_curves_generated_from_slices(g1: Store) -> None:
    capture = g1.capture("g1_0")
    exec_id = next(i for i in range(35) if capture.text(int(capture.slice_name[i])) == "modelExec")
    durations = curve.generated(g1, slice=exec_id, kind="duration").to_pylist()
    assert [(r["startTime"], r["avg_duration"], r["duration"]) for r in durations] == [
        (1_300_000, 13_250_000, 10_000_000), (12_300_000, 13_250_000, 15_000_000),
        (28_300_000, 13_250_000, 18_000_000), (47_300_000, 13_250_000, 10_000_000),
    ]  # fmt: skip
    bubbles = curve.generated(g1, slice=exec_id, kind="bubble").to_pylist()
    assert [(r["startTime"], r["duration"], r["avg_duration"]) for r in bubbles] == [
        (11_300_000, 1_000_000, 1_000_000), (27_300_000, 1_000_000, 1_000_000), (46_300_000, 1_000_000, 1_000_000),
    ]  # fmt: skip
    assert (int(capture.slice_start[bubbles[0]["slice_id"]]) - T0) / 1e6 == 13.3  # the slice behind the gap
    with pytest.raises(BadArgument, match="no slice"):
        curve.generated(g1, slice=35)


def database(path: Path, sql: str) -> Path:
    folder = path / "run"
    folder.mkdir()
    db = sqlite3.connect(folder / "profiler.db")
    db.executescript("CREATE TABLE request (http_rid TEXT); CREATE TABLE batch (name TEXT);" + sql)
    db.commit()
    db.close()
    return folder


@pytest.mark.row("service", 12)
def test_many_points_keep_the_extremes_of_every_line(tmp_path: Path) -> None:
    rows = ",".join(f"({i}, {(i * 7919) % 5000}, {-((i * 31) % 977)})" for i in range(5000))
    store = run_of(database(tmp_path, f"CREATE TABLE t (x, a, b); INSERT INTO t VALUES {rows}; CREATE VIEW big_curve AS SELECT * FROM t;"))  # fmt: skip
    found = curve.data(store, name="big_curve")
    assert found.num_rows <= 2000 * 2
    assert (max(found["a"].to_pylist()), min(found["b"].to_pylist())) == (4999, -976)
    row = found["row"].to_pylist()
    assert row == sorted(row)


@pytest.mark.row("service", 14)
@pytest.mark.example("service", 23, 25)
def test_range_of_x_and_order_of_the_table(tmp_path: Path) -> None:
    values = "('2025-08-11 06:06:41.877116', 380.25), ('2025-08-11 06:06:41.877487', 393.5)"
    store = run_of(database(tmp_path, f"CREATE TABLE t (time, p50); INSERT INTO t VALUES {values}; CREATE VIEW firstTokenLatency_by_ts_curve AS SELECT * FROM t;"))  # fmt: skip
    name, start = "firstTokenLatency_by_ts_curve", "2025-08-11 06:06:41.877110"
    assert curve.count(store, name=name, start=start, end="2025-08-11 06:06:41.877480")["rows"].to_pylist() == [1]
    found = curve.rows(store, name=name, start=start, end="2025-08-11 06:06:41.877489", sort="p50", descending=True)
    assert found["p50"].to_pylist() == [393.5, 380.25]
    with pytest.raises(BadArgument, match="Page size invalid!"):
        curve.rows(store, name=name, size=0)
    with pytest.raises(BadArgument, match="Current page invalid!"):
        curve.rows(store, name=name, size=50, page=0)


@pytest.mark.example("service", 24)
def test_rows_that_repeat_the_one_before_are_left_out(tmp_path: Path) -> None:
    sql = "CREATE TABLE t (x, y); INSERT INTO t VALUES ('mmm1','ggg2'),('mmm3','ggg4'),('mmm3','ggg4'); CREATE VIEW a_curve AS SELECT * FROM t;"  # fmt: skip
    assert [r[0] for r in lines(run_of(database(tmp_path, sql)), "a_curve")] == ["mmm1", "mmm3"]


@pytest.mark.row("service", 34)
def test_odd_views_do_not_stop_the_others(tmp_path: Path) -> None:
    sql = """CREATE TABLE t (x, y); CREATE VIEW one_curve AS SELECT x FROM t; CREATE VIEW empty_curve AS SELECT * FROM t;
    CREATE TABLE u ("a ""b" , "ü %"); INSERT INTO u VALUES (1, NULL), (2, '3.5'), (3, 'nan');
    CREATE VIEW "odd ""name"" ü_curve" AS SELECT * FROM u; CREATE VIEW broken_curve AS SELECT z FROM t;"""
    store = run_of(database(tmp_path, sql))
    rows = {r["name"]: r for r in curve.list(store).to_pylist() if r["section"] == "recorded"}
    assert {n: r["drawable"] for n, r in rows.items()} == {
        "one_curve": False, "empty_curve": False, 'odd "name" ü_curve': True, "broken_curve": False,
    }  # fmt: skip
    assert curve.data(store, name='odd "name" ü_curve')["ü %"].to_pylist() == [None, 3.5, None]
    assert curve.data(store, name='odd "name" ü_curve', missing_as_zero=True)["ü %"].to_pylist() == [0.0, 3.5, 0.0]
    with pytest.raises(NoData, match="no such column: z"):
        curve.data(store, name="broken_curve")
    with pytest.raises(BadArgument, match="no curve"):
        curve.data(store, name="missing_curve")


def test_derived_curves_fill_in_for_those_that_cannot_be_read(g1: Store) -> None:
    found = curve.data(g1, name="Queues")
    assert found.column_names[3:] == ["waiting", "running"]
    assert found["waiting"].to_pylist()[:3] == [1.0, 1.0, 0.0]
    assert curve.data(g1, name="Concurrency")["requests"].to_pylist() == [1, 2, 3, 1, 0]
    assert [r["max"] for r in curve.statistics(g1, name="Batch size").to_pylist()] == [3, 2, 1]


@pytest.mark.row("service", 19)
def test_table_of_another_time_zone_is_moved_to_the_events(tmp_path: Path) -> None:
    sql = f"""CREATE TABLE slice (id INTEGER PRIMARY KEY, timestamp, duration, name, track_id, args, end_time);
    CREATE TABLE thread (track_id, tid, pid, thread_name, thread_sort_index); INSERT INTO thread VALUES (1, 'Engine(1)', '7', 'Engine(1)', 0);
    INSERT INTO slice VALUES (1, {T0}, 0, 'httpReq', 1, '{{"res_list": "a"}}', {T0});
    CREATE TABLE first_token_latency (timestamp, p50); INSERT INTO first_token_latency VALUES ('2025-08-11 12:16:12:001000', 1.0);
    CREATE VIEW First_Token_Latency_curve AS SELECT * FROM first_token_latency;"""
    store = run_of(database(tmp_path, sql))
    assert curve.data(store, name="First_Token_Latency_curve")["x_ns"].to_pylist() == [T0 + 1_000_000]


def test_thinning_keeps_the_first_lowest_and_highest_of_every_bucket() -> None:
    import pyarrow as pa

    table = pa.table({"#row": np.arange(6), "x": np.arange(6), "y": [5.0, None, 1.0, 9.0, 9.0, 2.0]})
    assert curve_rows.thinned(table, 2)["#row"].to_pylist() == [0, 2, 4, 5] or curve_rows.thinned(table, 2)["#row"].to_pylist() == [0, 2, 3, 5]  # fmt: skip


@pytest.mark.row("service", 11)
@pytest.mark.example("service", 22)
def test_old_view_of_first_tokens_is_listed_with_its_columns(tmp_path: Path) -> None:
    sql = """CREATE TABLE t (time, avg, p99, p90, p50); INSERT INTO t VALUES ('2025-08-11 06:06:41.877116', '1.5', 2, 3, 4);
    CREATE VIEW firstTokenLatency_by_ts_curve AS SELECT * FROM t;"""
    row = next(r for r in curve.list(run_of(database(tmp_path, sql))).to_pylist() if r["section"] == "recorded")
    assert (row["name"], row["columns"][0], row["columns"][-1], len(row["columns"]), row["first"]) == (
        "firstTokenLatency_by_ts_curve", "time", "p50", 5, True,
    )  # fmt: skip


@pytest.mark.row("service", 15, 16)
@pytest.mark.example("service", 26)
@pytest.mark.parametrize("name", ["rank@device:0-name.1_", "rank device", "rank$device", "a--b", "prepare input", ""])
def test_curves_of_slices_take_any_name(tmp_path: Path, name: str) -> None:
    from tests.support.service_run import event, trace

    events = [event(name, a, "Execute(1)", until=a + 1) for a in (1.0, 3.0)]
    store = run_of(trace(tmp_path, [*events, event("httpReq", 0.5, res_list="r")]))
    capture = store.capture("run_0")
    at = next(i for i in range(len(capture.slice_start)) if capture.slice_end[i] > capture.slice_start[i])
    found = curve.generated(store, slice=at)
    assert found["slice_id"].to_pylist() == [at, at + 1]
    assert [int(capture.slice_start[i]) for i in found["slice_id"].to_pylist()] == [T0 + 1_000_000, T0 + 3_000_000]
