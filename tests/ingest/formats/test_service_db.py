"""Databases of serving runs as timelines."""

from __future__ import annotations

import itertools
import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.service_run import T0, run_of

from insight_desktop.errors import BadFile
from insight_desktop.ingest.discover import discover
from insight_desktop.ingest.formats import service_db, service_raw
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

PARSED = """CREATE TABLE slice (id INTEGER PRIMARY KEY, timestamp INTEGER, duration INTEGER, name TEXT, track_id INTEGER, args TEXT, end_time INTEGER);
CREATE TABLE thread (track_id INTEGER PRIMARY KEY, tid TEXT, pid TEXT, thread_name TEXT, thread_sort_index INTEGER);
CREATE TABLE process (pid TEXT PRIMARY KEY, process_name TEXT, label TEXT, process_sort_index INTEGER);
CREATE TABLE counter (id INTEGER PRIMARY KEY, name TEXT, pid TEXT, timestamp INTEGER, cat TEXT, args TEXT);
CREATE TABLE flow (id INTEGER PRIMARY KEY, flow_id TEXT, name TEXT, cat TEXT, track_id INTEGER, timestamp INTEGER, type TEXT);"""


def database(path: Path, sql: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path)
    db.executescript(sql)
    db.commit()
    db.close()
    return path


def lanes(path: Path, kind: str | None = None) -> list[tuple[str, str, str, int]]:
    store = run_of(path, kind)
    tracks = store.capture(store.every_card[0].name).tracks.to_pylist()
    return [(t["process"], t["pid"], t["thread"], t["slices"]) for t in tracks]


@pytest.mark.row("service", 1, 7)
@pytest.mark.example("service", 1)
@pytest.mark.parametrize("kind", ["service_db", "service"])
def test_lanes_and_counters_of_the_first_example(real: Callable[[str], Path], kind: str) -> None:
    assert lanes(real("service/g1"), kind) == [
        ("schedule", "1001", "Engine(11)", 10), ("schedule", "1001", "Execute(13)", 4), ("schedule", "1001", "Schedule(12)", 13),
        ("forward", "1002", "Execute(21)", 8),
    ]  # fmt: skip
    store = run_of(real("service/g1"), kind)
    capture = store.capture("g1_0")
    assert {t["process_label"] for t in capture.tracks.to_pylist()} == {"node-a,dp0"}
    assert len(capture.slice_start) == 35
    assert [(s["counter"], s["series"]) for s in capture.series.to_pylist()] == [
        ("Schedule.KVCache-dp0", "Device Block")
    ]
    assert capture.counter_value.tolist() == [8, 5, 3, 0, 0, 6, 0]


@pytest.mark.row("service", 8)
@pytest.mark.example("service", 1)
@pytest.mark.parametrize("kind", ["service_db", "service"])
def test_chain_of_a_request_links_its_events_in_time(real: Callable[[str], Path], kind: str) -> None:
    store = run_of(real("service/g1"), kind)
    capture = store.capture("g1_0")
    drawn = Counter(capture.text(int(c)) for c in capture.link_category)
    assert drawn == {"A": 16, "B": 15, "C": 8}  # one less than points: 17, 16, 9
    of_a = [i for i in range(len(capture.link_from)) if capture.text(int(capture.link_category[i])) == "A"]
    path = sorted(
        (int(capture.slice_start[capture.link_from[i]]), int(capture.slice_start[capture.link_to[i]])) for i in of_a
    )
    assert path[0] == (T0 + 1_000_000, T0 + 1_500_000)
    assert all(a[1] <= b[0] or a[1] == b[0] for a, b in itertools.pairwise(path))
    assert path[-1][1] == T0 + 47_500_000


@pytest.mark.row("service", 8)
@pytest.mark.example("service", 10)
def test_chains_of_the_second_example(real: Callable[[str], Path]) -> None:
    capture = run_of(real("service/g2")).capture("g2_0")
    assert len(capture.slice_start) == 27
    assert Counter(capture.text(int(c)) for c in capture.link_category) == {"D": 13, "E": 17}
    assert capture.counter_value.tolist() == [1, 2, 2, 2, 2]


@pytest.mark.row("service", 33)
@pytest.mark.parametrize("name", ["g1", "g2", "vllm", "sgl", "mindie_new"])
def test_raw_databases_give_the_lanes_of_the_analysed_run(real: Callable[[str], Path], name: str) -> None:
    assert lanes(real(f"service/{name}/raw")) == lanes(real(f"service/{name}"))
    raw, parsed = (run_of(real(f"service/{place}")) for place in (f"{name}/raw", name))
    counts = [s.capture(s.every_card[0].name).manifest.counts for s in (raw, parsed)]
    assert counts[0]["links"] == counts[1]["links"]


@pytest.mark.row("service", 1)
def test_folders_become_numbered_runs(real: Callable[[str], Path], tmp_path: Path) -> None:
    for place in ("a/test_data", "b/test_data"):
        (tmp_path / place).mkdir(parents=True)
        shutil.copy(real("service/g1/profiler.db"), tmp_path / place)
    (tmp_path / "a/test_data/mmmm.text").write_text("x", encoding="utf-8")
    found = discover([tmp_path])
    assert [c.name for c in found.cards] == ["test_data_0", "test_data_1"]
    assert [c.sources[0].files[0].name for c in discover([tmp_path / "a"]).cards] == ["profiler.db"]


@pytest.mark.example("service", 27)
@pytest.mark.row("service", 1)
def test_folder_with_one_database_and_a_text_is_one_run(real: Callable[[str], Path], tmp_path: Path) -> None:
    shutil.copy(real("service/g1/profiler.db"), tmp_path)
    (tmp_path / "mmmm.text").write_text("x", encoding="utf-8")
    assert [[s.files for s in c.sources] for c in discover([tmp_path]).cards] == [[(tmp_path / "profiler.db",)]]


@pytest.mark.row("service", 2)
def test_parsed_set_takes_the_rows_of_its_siblings_once(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    rows = f"INSERT INTO slice VALUES (1, {T0}, 10, 'httpReq', 1, '{{\"res_list\": \"a\"}}', {T0 + 10});"
    lane = "INSERT INTO thread VALUES (1, 'Engine(1)', '7', 'Engine(1)', 0); INSERT INTO process VALUES ('7', 'schedule', 'h,dp0', 0);"
    flow = f"INSERT INTO flow VALUES (1, 'a', 'flow_a', 'a', {{}}, {T0}, 's');"
    database(
        folder / "ms_service_parsed.db",
        PARSED + lane + rows + "CREATE TABLE request (http_rid); CREATE TABLE batch (name);",
    )
    database(folder / "ms_service_h-7.db", PARSED + lane + rows + flow.format(1))
    second = rows.replace("httpReq", "forward").replace(", 1, '", ", 2, '")
    database(
        folder / "ms_service_h-8.db",
        PARSED + "INSERT INTO thread VALUES (2, 'Execute(2)', '8', 'Execute(2)', 0);" + second + flow.format(2),
    )
    assert [[f.name for f in s.files] for c in discover([folder]).cards for s in c.sources] == [
        ["ms_service_parsed.db", "ms_service_h-7.db", "ms_service_h-8.db"]
    ]
    assert sorted(row[1:] for row in lanes(folder)) == [("7", "Engine(1)", 1), ("8", "Execute(2)", 1)]
    assert run_of(folder).capture("set_0").manifest.counts["links"] == 1  # the points of both meet


def raw(path: Path, host: str, pid: int, rows: list[tuple[int, int, str, str, dict[str, Any]]]) -> Path:
    sql = f"CREATE TABLE Meta (name TEXT, value TEXT, slice TEXT); INSERT INTO Meta VALUES ('hostname', '{host}', ''), ('dpRankId', '1', '');"
    sql += "CREATE TABLE slice (id INTEGER PRIMARY KEY, timestamp INTEGER, duration INTEGER, name TEXT, track_id INTEGER, cat TEXT, args TEXT, end_time INTEGER, flag_id TEXT, pid INTEGER, tid INTEGER);"
    for start, length, name, domain, args in rows:
        text = json.dumps(args).replace("'", "''")
        sql += f"INSERT INTO slice (timestamp, duration, name, cat, args, pid, tid) VALUES ({start}, {length}, '{name}', '{domain}', '{text}', {pid}, 5);"
    return database(path / f"ms_service_{host}-{pid}.db", sql)


@pytest.mark.row("service", 33, 34)
def test_equal_numbers_of_processes_on_two_hosts_are_two_processes(tmp_path: Path) -> None:
    for host in ("x", "y"):
        raw(tmp_path / "raw", host, 9, [(T0, 0, "httpReq", "Engine", {"rid": f"{host}1"})])
    assert [(p, t) for _, p, t, _ in lanes(tmp_path / "raw")] == [("9@x", "Engine(5)"), ("9@y", "Engine(5)")]


@pytest.mark.row("service", 33)
def test_late_names_of_a_request_join_its_chain(tmp_path: Path) -> None:
    rows: list[tuple[int, int, str, str, dict[str, Any]]] = [
        (T0, 0, "httpReq", "Engine", {"rid": "cmpl-1"}), (T0 + 10, 0, "Enqueue", "Schedule", {"rid": "cmpl-1-0a1b2c3d"}),
        (T0 + 20, 0, "detokenize", "Engine", {"rid": ["cmpl-1-0a1b2c3d"]}), (T0 + 30, 0, "Meta", "Meta", {}),
        (T0 + 40, 0, "x", "expert_hot_1", {}), (T0 + 50, 5, "send", "PDSplit", {}),
    ]  # fmt: skip
    raw(tmp_path / "raw", "h", 9, rows)
    store = run_of(tmp_path / "raw")
    capture = store.capture("raw_0")
    assert {capture.text(int(c)) for c in capture.link_category} == {"cmpl-1"}
    assert len(capture.link_from) == 2
    assert [t for _, _, t, _ in lanes(tmp_path / "raw")] == ["Engine(5)", "PDCommunication(5)", "Schedule(5)"]


@pytest.mark.row("service", 33)
def test_old_layout_with_carets_and_renamed_requests(tmp_path: Path) -> None:
    messages = [
        ("{^name^:^httpReq^,^domain^:^Request^,^rid^:^5^}", T0, T0), ("^from^:^5^,^to^:^77^", T0 + 1, T0 + 1),
        ("^name^:^BatchSchedule^,^domain^:^BatchSchedule^,^rid^:[{^rid^:77,^iter^:0}]", T0 + 10, T0 + 20),
    ]  # fmt: skip
    sql = "CREATE TABLE Mstx (message, flag, markId, timestamp, endTimestamp, pid, tid);"
    sql += "".join(f"INSERT INTO Mstx VALUES ('{m}', 1, {i}, {a}, {b}, 9, 4);" for i, (m, a, b) in enumerate(messages))
    database(tmp_path / "raw" / "ms_service_h-9.db", sql)
    assert sorted(t for _, _, t, _ in lanes(tmp_path / "raw")) == ["BatchSchedule(4)", "Request"]
    capture = run_of(tmp_path / "raw").capture("raw_0")
    assert [capture.text(int(c)) for c in capture.link_category] == ["77"]
    assert capture.slice_end.max() == T0 + 20


def test_rows_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    sql = (
        PARSED
        + f"""INSERT INTO slice VALUES (1, NULL, 5, 'a', 1, '', NULL), (2, {T0}, -5, 'b', 1, 'x', NULL), (3, {T0}, 5, NULL, 99, NULL, NULL);
    INSERT INTO counter VALUES (1, 'c', '7', {T0}, '', '{{"v": "1.5", "w": null}}'), (2, 'c', '7', {T0}, '', 'nonsense');
    CREATE TABLE data_table (id, name, view_name);"""
    )
    path = database(tmp_path / "run" / "profiler.db", sql)
    assert [t for _, _, t, _ in lanes(path.parent)] == ["Track 1", "Track 99"]
    codes = {i.code: i.count for i in run_of(path.parent).reports[0].issues}  # type: ignore[attr-defined]
    assert (codes["service_db.no_start"], codes["service_db.negative"], codes["service_db.no_thread"]) == (1, 1, 2)


def test_other_database_and_damaged_one_are_refused_with_a_reason(tmp_path: Path) -> None:
    other = database(tmp_path / "profiler.db", "CREATE TABLE bookmarks (x)")
    with pytest.raises(BadFile, match="none of the tables of a serving run"):
        list(service_db.read(Source("service_db", "service_db", (other,)), Report()))
    broken = tmp_path / "ms_service_h-1.db"
    broken.write_bytes(b"not a database at all, whatever its name says")
    with pytest.raises(BadFile, match="not an SQLite database"):
        list(service_db.read(Source("service_db", "service_db", (broken,)), Report()))


def test_files_are_known_by_name_and_by_their_tables(real: Callable[[str], Path]) -> None:
    head = real("service/g1/raw/ms_service_node-a-1001.db").read_bytes()[:4096]
    assert service_db.sniff("x/profiler.db", b"")
    assert service_db.sniff("anything.db", real("service/g1/profiler.db").read_bytes()[:65536])
    assert service_db.sniff("anything.db", head)
    assert not service_db.sniff("trace.json", b"[")
    assert service_raw.read is not None
