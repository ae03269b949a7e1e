"""Selections written to files and read again."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support.plain_build import build

from insight_desktop import schema
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import timeline
from insight_desktop.engine.timeline.export import Selection, export, selected
from insight_desktop.errors import BadArgument

T = 1_736_412_474_652_651_507  # a time whose last digits a double would lose
HOST = {"pid": 5, "process": "Python", "tid": 51, "thread": "Thread 51", "label": "CPU"}
STACK = {**HOST, "lane": "Python Stack 51", "role": schema.ROLE_PYTHON_STACK}
STREAM = {"pid": 9, "process": "Ascend Hardware", "tid": 2, "thread": "Stream 2", "role": schema.ROLE_STREAM, "sort": 1}
SLICES: list[dict[str, Any]] = [
    {**HOST, "name": 'a "quoted"', "start_ns": T, "end_ns": T + 100, "cat": "cpu_op"},
    {**HOST, "name": "b", "start_ns": T + 10, "end_ns": T + 60},
    {**HOST, "name": "point", "start_ns": T + 60, "end_ns": T + 60},
    {**STACK, "name": "f.py(3): main", "start_ns": T + 1, "end_ns": T + 90},
    {**STREAM, "name": "größe", "start_ns": T + 200, "end_ns": T + 1207},
]
INSTANTS = [{"pid": 5, "process": "Python", "tid": 51, "thread": "Thread 51", "name": "mark", "ts_ns": T + 77}]
COUNTERS = [{"process": "HBM", "counter": "Read", "series": "MB/s", "ts_ns": T + 3, "value": 2.5}]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    folder = build(
        tmp_path / "c", slices=SLICES, instants=INSTANTS, counters=COUNTERS, links=[(1, 4, "HostToDevice")]
    ).folder
    return Store([StoreCard("0", "0", 0, "", "text", folder)])


def opened(path: Path) -> Store:
    _, imports = import_paths([path])
    return Store([StoreCard.of_import(item) for item in imports if item.capture is not None])


def seen(store: Store) -> Counter[tuple[Any, ...]]:
    columns = ("process", "thread", "tid", "lane", "name", "ts_ns", "dur_ns", "row", "args")
    return Counter(tuple(row[c] for c in columns) for row in timeline.slices(store).to_pylist())


@pytest.mark.row("system-timeline", 103)
@pytest.mark.parametrize("ending", ["json", "json.gz"])
def test_a_written_trace_holds_the_same_slices_when_read_again(store: Store, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"part.{ending}"
    done = export(store, Selection("0", series=(0,)), path)
    assert (done.rows, done.links, done.args_note) == (6, 1, "")
    again = opened(path)
    assert seen(again) == seen(store)
    assert timeline.flows(again).to_pylist() == [
        {"category": "HostToDevice", "id": "0", "from_name": "b", "from_ts_ns": T + 10, "to_name": "größe", "to_ts_ns": T + 200}
    ]  # fmt: skip
    assert [(r["counter"], r["ts_ns"], r["value"]) for r in timeline.counters(again).to_pylist()] == [
        ("Read", T + 3, 2.5)
    ]
    held = path.read_bytes()
    text = gzip.decompress(held).decode() if ending == "json.gz" else held.decode()
    assert '"ts":1736412474652651.507,"dur":0.100' in text
    assert json.loads(text)["otherData"]["card"] == "0"
    assert [p.name for p in tmp_path.iterdir() if p.name.endswith(".part")] == []


def test_a_range_cuts_slices_or_keeps_them_whole(store: Store) -> None:
    tracks = (0,)  # the main lane of the thread; its Python stack is a lane of its own
    assert store.capture("0").tracks.column("lane").to_pylist() == ["Python Stack 51", "Thread 51", "Stream 2"]
    cut = selected(store, Selection("0", (1,), T + 50, T + 80)).to_pylist()
    assert [(r["name"], r["ts_ns"] - T, r["dur_ns"], r["row"], r["lane"]) for r in cut] == [
        ('a "quoted"', 50, 30, 0, "Thread 51"),
        ("b", 50, 10, 1, "Thread 51"),
        ("point", 60, 0, 1, "Thread 51"),
        ("mark", 77, 0, 0, "Thread 51"),
    ]
    whole = selected(store, Selection("0", tracks, T + 50, T + 80, whole=True)).to_pylist()
    assert [(r["name"], r["ts_ns"] - T, r["dur_ns"]) for r in whole] == [("f.py(3): main", 1, 89)]


@pytest.mark.row("system-timeline", 103)
def test_tables_hold_exact_numbers(store: Store, tmp_path: Path) -> None:
    for ending in ("parquet", "arrow", "csv"):
        assert export(store, Selection("0"), tmp_path / f"x.{ending}").rows == 6
    parquet = pq.read_table(tmp_path / "x.parquet")
    arrow = pa.ipc.open_file(tmp_path / "x.arrow").read_all()
    assert parquet.to_pylist() == arrow.to_pylist()
    assert parquet.slice(4, 1).to_pylist() == [
        {
            "card": "0", "id": 4, "process": "Ascend Hardware", "pid": "9", "thread": "Stream 2", "tid": "2", "lane": "Stream 2",
            "row": 0, "name": "größe", "category": None, "ts_ns": T + 200, "dur_ns": 1007, "unfinished": False, "args": None,
        }
    ]  # fmt: skip
    assert json.loads(arrow.schema.metadata[b"insight"])["cut_to_range"] is True
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert (lines[1]["name"], lines[1]["ts_ns"], lines[1]["category"]) == ('a "quoted"', str(T), "cpu_op")


def test_lanes_with_equal_ids_stay_apart(tmp_path: Path) -> None:
    slices = [
        {"pid": 1, "process": "Host", "tid": 7, "thread": "Thread 7", "name": "op", "start_ns": 1000, "end_ns": 9000},
        {"pid": 1, "process": "Host", "tid": 7, "thread": "Thread 7", "group": "CANN", "lane": "Runtime", "name": "api", "start_ns": 500, "end_ns": 2000},
        {"pid": 1, "process": "Device", "tid": 7, "thread": "Stream 7", "name": "k", "start_ns": 3000, "end_ns": 4000},
    ]  # fmt: skip
    made = Store([StoreCard("0", "0", 0, "", "db", build(tmp_path / "c", slices=slices).folder)])
    export(made, Selection("0"), tmp_path / "t.json")
    found = timeline.slices(opened(tmp_path / "t.json")).to_pylist()
    assert [(r["process"], r["lane"], r["name"], r["row"], r["ts_ns"], r["dur_ns"]) for r in found] == [
        ("Host", "7 Runtime", "api", 0, 500, 1500),
        ("Host", "Thread 7", "op", 0, 1000, 8000),
        ("Device", "Stream 7", "k", 0, 3000, 1000),
    ]


def test_asynchronous_slices_stay_asynchronous(tmp_path: Path) -> None:
    events = [
        {"ph": ph, "pid": 1, "tid": 1, "cat": "io", "id": i, "name": "read", "ts": ts}
        for ph, i, ts in (("b", 1, 10), ("b", 2, 15), ("e", 1, 30), ("e", 2, 40))
    ]
    (tmp_path / "in.json").write_text(json.dumps(events))
    first = opened(tmp_path / "in.json")
    export(first, Selection(first.cards[0].name), tmp_path / "out.json")
    again = opened(tmp_path / "out.json")
    assert seen(again) == seen(first)
    assert [(r["ts_ns"], r["dur_ns"]) for r in timeline.slices(again).to_pylist()] == [
        (10_000, 20_000),
        (15_000, 25_000),
    ]


def test_a_real_trace_with_arguments_comes_back(real: Callable[[str], Path], tmp_path: Path) -> None:
    _, imports = import_paths([real("text_level2")])
    first = Store([StoreCard.of_import(imports[0])])
    done = export(first, Selection(first.cards[0].name), tmp_path / "trace_view.json")
    again = opened(tmp_path / "trace_view.json")
    assert seen(again) == seen(first)
    assert done.rows == 4811
    links = [Counter(tuple(row.values()) for row in timeline.flows(s).to_pylist()) for s in (first, again)]
    assert links[1] <= links[0]  # none leads elsewhere
    assert links[1].total() == done.links


def test_wrong_places_are_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(BadArgument, match="no known ending"):
        export(store, Selection("0"), tmp_path / "x.xlsx")
    source = tmp_path / "in.json"
    source.write_text('[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"a"}]')
    opened_store = opened(source)
    with pytest.raises(BadArgument, match=r"in\.json is one of the files that were read"):
        export(opened_store, Selection(opened_store.cards[0].name), source)
    assert source.read_text().startswith('[{"ph":"X"')
