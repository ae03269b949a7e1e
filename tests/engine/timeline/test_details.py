"""Slice details: exact times, self time, place among its namesakes, arguments from file, blocks and database."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.ingest.formats.profiler_db_maker import make_db, task
from tests.support.plain_build import build

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import details
from insight_desktop.errors import NoData

E = 1_736_412_474_714_258_990


def event(name: str, ts: str, dur: float, **args: Any) -> dict[str, Any]:
    return {"ph": "X", "pid": 1, "tid": 2, "name": name, "ts": ts, "dur": dur, "args": args}


EVENTS = [
    event("a", "1736412474714258.990", 0.123, **{"z": 1, "b": [{"x": 1}], "a": "Größe", "n": 2**70}),
    event("b", "1736412474714260.001", 5, **{"Call stack": "one;\r\ntwo"}),
    {"ph": "i", "pid": 1, "tid": 2, "name": "mark", "ts": "1736412474714261.000", "args": {"k": "v"}},
]


def opened(path: Path) -> Store:
    _, imports = import_paths([path])
    assert [item.message for item in imports if item.status != "ready"] == []
    return Store([StoreCard.of_import(item) for item in imports])


def ids(store: Store) -> dict[str, int]:
    capture = store.capture(store.cards[0].name)
    names = [*capture.slice_name, *capture.instant_name]
    return {capture.text(int(n)): i for i, n in enumerate(names)}


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "trace_view.json"
    path.parent.mkdir()
    path.write_text(json.dumps(EVENTS, ensure_ascii=False), encoding="utf-8")
    return path


def plain(folder: Path, *rows: tuple[str, int, int]) -> tuple[Store, dict[str, int]]:
    build(folder, slices=[{"pid": 1, "tid": 1, "name": n, "start_ns": a, "end_ns": b} for n, a, b in rows])
    store = Store([StoreCard("0", "0", 0, "", "text", folder)])
    return store, ids(store)


@pytest.mark.row("system-timeline", 63)
def test_times_are_exact_to_a_nanosecond(trace: Path) -> None:
    store = opened(trace)
    found = details.slice_detail(store, store.cards[0].name, ids(store)["a"])
    assert (found["start_ns"], found["end_ns"], found["duration_ns"]) == (E, E + 123, 123)
    assert (found["name"], found["path"], found["pid"], found["tid"], found["row"]) == ("a", ["1", "2"], "1", "2", 0)


@pytest.mark.row("system-timeline", 63)
def test_self_time_leaves_out_children_one_row_deeper_that_lie_inside(tmp_path: Path) -> None:
    # [0, 100) holds b [10, 40) and c [50, 60); d [20, 30) lies two rows deeper; e [90, 120) only overlaps.
    store, at = plain(tmp_path, ("a", 0, 100), ("b", 10, 40), ("d", 20, 30), ("c", 50, 60), ("e", 90, 120))
    got = {name: details.slice_detail(store, "0", at[name])["self_ns"] for name in "abcde"}
    assert got == {"a": 60, "b": 20, "c": None, "d": None, "e": None}


@pytest.mark.row("system-timeline", 63)
def test_place_among_its_namesakes(tmp_path: Path) -> None:
    store, _ = plain(
        tmp_path, ("x", 0, 10), ("x", 20, 50), ("x", 60, 80), ("x", 90, 110), ("x", 200, 300), ("y", 400, 500)
    )
    ranks = [details.slice_detail(store, "0", i)["rank"] for i in range(6)]
    assert [(r["position"], r["of"], r["percentile"]) for r in ranks] == [
        (5, 5, 0.0),
        (2, 5, 75.0),
        (3, 5, 25.0),
        (3, 5, 25.0),
        (1, 5, 100.0),
        (1, 1, None),
    ]


@pytest.mark.row("system-timeline", 64)
def test_arguments_keep_the_order_of_the_source(trace: Path) -> None:
    store = opened(trace)
    card = store.cards[0].name
    found = details.slice_detail(store, card, ids(store)["a"])
    assert [key for key, _ in found["args"]] == ["z", "b", "a", "n"]
    assert dict(found["args"])["b"] == [{"x": 1}]
    assert dict(found["args"])["a"] == "Größe"
    assert float(dict(found["args"])["n"]) == 2.0**70
    assert details.slice_detail(store, card, ids(store)["b"])["args"] == [("Call stack", "one;\r\ntwo")]
    mark = details.slice_detail(store, card, ids(store)["mark"])
    assert (mark["kind"], mark["args"], mark["duration_ns"], mark["rank"]) == ("instant", [("k", "v")], 0, None)


def test_arguments_of_a_compressed_source_come_from_the_cache(trace: Path) -> None:
    big = [*EVENTS, *(event(f"e{i}", str(1736412474714300 + i), 0.5, text="x" * 900, i=i) for i in range(700))]
    packed = trace.parent / "trace_view.json.gz"
    packed.write_bytes(gzip.compress(json.dumps(big).encode()))
    trace.unlink()
    store = opened(packed)
    packed.unlink()
    card, at = store.cards[0], ids(store)
    texts = details.args_text(card, store.capture(card.name), np.array([at["a"], at["e699"], at["mark"]]))
    assert [json.loads(t or "") for t in texts] == [EVENTS[0]["args"], {"text": "x" * 900, "i": 699}, {"k": "v"}]
    every = details.args_text(card, store.capture(card.name), np.array([at[f"e{i}"] for i in range(700)]))
    assert [json.loads(t or "")["i"] for t in every] == list(range(700))


def test_a_changed_source_gives_a_note_and_never_wrong_bytes(trace: Path) -> None:
    store = opened(trace)
    card = store.cards[0].name
    content = trace.read_bytes()
    os.utime(trace, (1, 1))
    assert details.slice_detail(store, card, ids(store)["b"])["args"] != []  # same bytes, other time
    trace.write_bytes(content.replace(b"one", b"two"))
    found = details.slice_detail(store, card, ids(store)["b"])
    assert found["args"] == []
    assert "moved or changed" in found["args_note"]
    assert "Relink" in found["args_note"]
    trace.unlink()
    assert "moved or changed" in details.slice_detail(store, card, ids(store)["b"])["args_note"]


def test_a_moved_source_is_found_below_the_folder_of_the_card(trace: Path, tmp_path: Path) -> None:
    store = opened(trace)
    shutil.move(trace.parent, tmp_path / "elsewhere")
    card = store.cards[0]
    store.put(StoreCard(card.name, card.rank, None, "", card.kind, card.folder, source_folder=tmp_path / "elsewhere"))
    assert details.slice_detail(store, card.name, ids(store)["b"])["args"] == [("Call stack", "one;\r\ntwo")]


def test_slices_without_arguments_have_none(tmp_path: Path) -> None:
    store, _ = plain(tmp_path, ("a", 0, 1))
    found = details.slice_detail(store, "0", 0)
    assert (found["args"], found["args_note"]) == ([], "")


def test_unknown_slice_is_told(tmp_path: Path) -> None:
    store, _ = plain(tmp_path, ("a", 0, 1))
    with pytest.raises(NoData):
        details.slice_detail(store, "0", 1)


@pytest.mark.row("system-timeline", 63)
def test_details_of_a_database_come_from_its_rows(real: Callable[[str], Path]) -> None:
    store = opened(real("db_level2"))
    capture = store.capture("0")
    conv = next(i for i in range(len(capture.slice_name)) if capture.text(int(capture.slice_name[i])) == "Conv2D")
    args = dict(details.slice_detail(store, "0", conv)["args"])
    assert args["connectionId"] == 319
    assert args["Call stack"].split(";")[0].endswith("conv.py(456): _conv_forward")


def test_arguments_nested_deeper_than_python_goes_are_shown_as_text(tmp_path: Path) -> None:
    deep = '{"a":' * 10_000 + "1" + "}" * 10_000
    path = tmp_path / "trace_view.json"
    path.write_text(f'[{{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":{deep}}}]')
    store = opened(path)
    assert details.slice_detail(store, store.cards[0].name, 0)["args"] == [("args", deep)]


def test_a_damaged_page_of_a_database_costs_the_details_of_its_rows_only(tmp_path: Path) -> None:
    """A page is made unreadable after the import; the file keeps its size, time and edges."""
    path = make_db(tmp_path / "ascend_pytorch_profiler_0.db", TASK=[task(i * 10, i * 10 + 5, i) for i in range(9000)])
    store = opened(path)
    name = store.cards[0].name
    facts, content = path.stat(), bytearray(path.read_bytes())
    page = len(content) // 4096 // 2 * 4096
    content[page : page + 4096] = bytes([0xFF]) * 4096
    path.write_bytes(content)
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    found = details.args_text(store.card(name), store.capture(name), np.arange(9000))
    lost = sum(text is None for text in found)
    assert 30 < lost < 200
