"""Converted ftrace databases: lanes, slices, arguments, counters, links, and what is wrong with them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from tests.support.ftrace_files import BASE, EVENTS, write_db
from tests.support.operator_files import open_store

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.system import timeline
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import ftrace_db
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source


def test_lanes_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    store = open_store(write_db(tmp_path / "ftrace_data.db"))
    assert [(r["process"], r["lane"], r["slices"], r["rows"]) for r in timeline.lanes(store).to_pylist()] == [
        ("CPU Scheduling", "CPU 0", 8, 2),
        ("CPU Scheduling", "CPU 1", 5, 2),
        ("Process Scheduling", "python:100", 4, 1),
        ("Process Scheduling", "acl_thread:101", 4, 1),
    ]


def test_slices_keep_their_times_to_the_ns_and_their_arguments(tmp_path: Path) -> None:
    store = open_store(write_db(tmp_path / "ftrace_data.db"))
    found = timeline.slices(store).to_pylist()
    assert sorted((r["name"], r["ts_ns"], r["dur_ns"]) for r in found) == sorted(
        (name, BASE + at, length) for _, _, name, at, length, _ in EVENTS
    )
    irq = next(r for r in found if r["name"] == "irq")
    assert irq["args"] == '{"irq": "58", "name": "nvme0q1", "ret": "handled", "task": "python:100"}'


def test_counters_and_links_are_read(tmp_path: Path) -> None:
    store = open_store(write_db(tmp_path / "ftrace_data.db", counters=True, flows=True))
    assert [tuple(r.values())[1:] for r in timeline.counters(store).to_pylist()] == [
        ("CPU Scheduling", "load", "1m", BASE + 5, 2.5),
        ("CPU Scheduling", "load", "1m", BASE + 9, 3.0),
    ]
    assert [tuple(r.values()) for r in timeline.flows(store).to_pylist()] == [
        ("wakeup", "7", "python:100", BASE, "python:100", BASE + 900)
    ]


def test_rows_with_bad_times_are_told(tmp_path: Path) -> None:
    path = write_db(tmp_path / "ftrace_data.db")
    with sqlite3.connect(path) as db:
        db.execute("UPDATE slice SET timestamp = NULL WHERE id = 0")
        db.execute("UPDATE slice SET duration = NULL, end_time = NULL WHERE id = 1")
        db.execute("UPDATE slice SET duration = NULL WHERE id = 2")  # the end is still there
    db.close()
    _, (item,) = import_paths([path])
    assert {i["code"]: i["count"] for i in item.issues} == {"ftrace_db.no_start": 1, "ftrace_db.no_end": 1}
    assert item.counts["slices"] == len(EVENTS) - 1
    assert item.tables["slice"] == len(EVENTS)


def test_only_the_slice_table_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "ftrace_data.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE slice (timestamp INTEGER, duration INTEGER, name TEXT, track_id INTEGER)")
        db.execute("INSERT INTO slice VALUES (5, 10, 'a', 3)")
    db.close()
    store = open_store(path)
    assert [(r["name"], r["ts_ns"], r["dur_ns"], r["lane"]) for r in timeline.slices(store).to_pylist()] == [
        ("a", 5, 10, "3")
    ]


def test_a_database_without_slices_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ftrace_data.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE process (pid TEXT)")
    db.close()
    with pytest.raises(BadFile, match="no table slice with times"):
        list(ftrace_db.read(Source("ftrace_db", "ftrace", (path,)), Report()))


@pytest.mark.parametrize(
    ("name", "head", "found"),
    [
        ("ftrace_data.db", b"", True),
        ("ftrace_data12.db", b"", True),
        ("ftrace_datax.db", b"", False),
        ("x.db", b"SQLite format 3\0 track_id thread_sort_index process_sort_index", True),
        ("x.db", b"SQLite format 3\0 track_id", False),
    ],
)
def test_sniff_knows_names_and_tables(name: str, head: bytes, found: bool) -> None:
    assert ftrace_db.sniff(name, head) is found


def test_the_source_is_not_changed(tmp_path: Path) -> None:
    path = write_db(tmp_path / "ftrace_data.db")
    before = path.read_bytes()
    open_store(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["ftrace_data.db"]
