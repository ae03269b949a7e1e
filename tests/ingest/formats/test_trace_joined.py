"""Details of begin and end events are one object; the end's value holds where both have a key."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support.operator_files import open_store

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import args_search, details
from insight_desktop.ingest.formats.trace_joined import joined


def event(ph: str, name: str, ts: int, args: Any = None) -> dict[str, Any]:
    more = {} if args is None else {"args": args}
    return {"ph": ph, "name": name, "pid": 1, "tid": 1, "ts": ts, **more}


EVENTS = [
    event("B", "both", 0, {"Input": [1, {"x": "ä}"}], "state": "begun"}),
    event("E", "both", 10, {"state": "done", "bytes": 7}),
    event("B", "begin only", 20, {"a": 1}),
    event("E", "begin only", 30),
    event("B", "end only", 40),
    event("E", "end only", 50, {"b": 2}),
    event("B", "empty", 60, {}),
    event("E", "empty", 70, {"c": 3}),
    event("X", "whole", 80, {"d": 4}) | {"dur": 1},
    event("B", "second", 90, {"e": 5}),
    event("E", "second", 95, {"f": 6}),
]
ARGS = {
    "both": {"Input": [1, {"x": "ä}"}], "state": "done", "bytes": 7},
    "begin only": {"a": 1},
    "end only": {"b": 2},
    "empty": {"c": 3},
    "whole": {"d": 4},
    "second": {"e": 5, "f": 6},
}


def texts(store: Store) -> dict[str, Any]:
    card = store.cards[0]
    capture = store.capture(card.name)
    ids = np.arange(len(capture.slice_start))
    found = details.args_text(card, capture, ids)
    return {capture.text(int(capture.slice_name[i])): json.loads(text or "null") for i, text in enumerate(found)}


def test_a_slice_has_the_details_of_its_begin_and_of_its_end(tmp_path: Path) -> None:
    (tmp_path / "trace_view.json").write_text(json.dumps(EVENTS, ensure_ascii=False), encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    store = open_store(tmp_path / "trace_view.json")
    assert texts(store) == ARGS
    assert sorted(tmp_path.iterdir()) == before


def test_joined_details_are_found_by_the_filter_of_arguments(tmp_path: Path) -> None:
    (tmp_path / "trace_view.json").write_text(json.dumps(EVENTS))
    store = open_store(tmp_path / "trace_view.json")
    card = store.cards[0]
    capture = store.capture(card.name)
    ids = np.arange(len(capture.slice_start))
    for wanted, names in (("bytes", ["both"]), ('"D"', ["whole"]), ('"f"', ["second"]), ("begun", ["both"])):
        hit = args_search.contains(card, capture, ids, wanted)
        assert [capture.text(int(capture.slice_name[i])) for i in ids[hit]] == names


def test_a_packed_trace_keeps_the_details_of_the_begin(tmp_path: Path) -> None:
    (tmp_path / "trace_view.json.gz").write_bytes(gzip.compress(json.dumps(EVENTS).encode()))
    found = texts(open_store(tmp_path / "trace_view.json.gz"))
    assert found["both"]["state"] == "begun"
    assert found["end only"] == {"b": 2}


@pytest.mark.parametrize(
    ("one", "two", "wanted"),
    [
        (b'{"a":1}', b'{"b":2}', b'{"a":1,"b":2}'),
        (b' { "a":1 } ', b"{}", b'{"a":1}'),
        (b"{}", b"{}", b"{}"),
        (b'"text"', b'{"b":2}', b'"text"'),
        (b'{"a":1}', b"", b'{"a":1}'),
    ],
)
def test_objects_are_joined_and_anything_else_is_left_as_it_is(one: bytes, two: bytes, wanted: bytes) -> None:
    assert joined(one, two) == wanted
