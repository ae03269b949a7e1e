"""The filter language: what each term keeps, and where a line cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.support.plain_build import build

from insight_desktop import schema
from insight_desktop.engine import queries
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import filter as filters
from insight_desktop.errors import BadArgument

HOST = {"pid": 5, "process": "Python", "tid": 51, "thread": "Thread 51", "cat": "cpu_op"}
STREAM = {"pid": 9, "process": "Ascend Hardware", "role": schema.ROLE_STREAM, "sort": 1}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    capture = build(
        tmp_path / "c",
        slices=[
            {**HOST, "name": "aten::matmul", "start_ns": 0, "end_ns": 2_000_000},  # 0
            {**HOST, "name": "aten::add", "start_ns": 3_000_000, "end_ns": 4_000_000},  # 1
            {**HOST, "name": "Add 100%_x", "start_ns": 5_000_000, "end_ns": 5_020_000, "cat": "user"},  # 2
            {**STREAM, "tid": 2, "thread": "Stream 2", "name": "MatMul", "start_ns": 0, "end_ns": 20_001},  # 3
            {**STREAM, "tid": 21, "thread": "Stream 21", "name": "Add", "start_ns": 100, "end_ns": 120},  # 4
        ],
        instants=[
            {"pid": 5, "process": "Python", "tid": 51, "thread": "Thread 51", "name": "add mark", "ts_ns": 7}
        ],  # 5
    )
    return Store([StoreCard("rank_3", "3", 3, "", "text", capture.folder)])


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", [0, 1, 2, 3, 4, 5]),
        ("add", [1, 2, 4, 5]),
        ("ADD aten", [1]),
        ("add -aten", [2, 4, 5]),
        ('"add mark"', [5]),
        ("100%_", [2]),
        ("100__", []),
        ("/^(add|mat)/", [2, 3, 4, 5]),
        (r"/add$/ -/^aten/", [4]),
        (r"/a(?=ten::m)/", [0]),
        (r"/100%_x|\/none/", [2]),
        ("dur>1ms", [0]),
        ("dur>=1ms", [0, 1]),
        ("dur <= 20us", [2, 4, 5]),
        ("dur<=20µs dur>0", [2, 4]),
        ("-dur<=20us", [0, 1, 3]),
        ("dur=20", [4]),
        ("dur>=0.02ms dur<0.00003s", [2, 3]),
        ("dur>19.5", [0, 1, 2, 3, 4]),
        ("dur<20.5", [4, 5]),
        ("dur=0.5", []),
        ("rank:0-7", [0, 1, 2, 3, 4, 5]),
        ("rank:0,3", [0, 1, 2, 3, 4, 5]),
        ("rank:4-7", []),
        ("rank:4-7,rank_3", [0, 1, 2, 3, 4, 5]),
        ("-rank:3", []),
        ("lane:Stream 2", [3]),
        ("lane:stream", [3, 4]),
        ('lane:"ascend hardware"', [3, 4]),
        ("lane:Stream 2 matmul", [3]),
        ("lane:Thread add", [1, 2, 5]),
        ("-lane:Stream", [0, 1, 2, 5]),
        ("cat:cpu_op", [0, 1]),
        ("cat:CPU", []),
        ("-cat:cpu_op", [2, 3, 4, 5]),
        ("add cat:cpu_op dur>1us -rank:7", [1]),
        ("args:x", []),
        ("-args:x mat", [0, 3]),
        ("a:b", []),
    ],
)
def test_a_line_keeps_these_slices(store: Store, text: str, ids: list[int]) -> None:
    found = filters.of_card(store, "rank_3", text)
    assert np.flatnonzero(found.keep(np.arange(6))).tolist() == ids
    assert sorted(found.ids().tolist()) == ids
    assert np.flatnonzero(found.slice_mask()).tolist() == [i for i in ids if i < 5]


@pytest.mark.parametrize(
    ("text", "character", "what"),
    [
        ("add -", 5, "nothing stands behind the minus"),
        ("add - x", 5, "nothing stands behind the minus"),
        ("/add", 1, "no / at its end"),
        ("x //", 3, "the expression is empty"),
        ("/a(/", 3, "the expression cannot be read"),
        ("/a/b", 4, "a space is missing behind the expression"),
        ('x "add', 3, "the quotation mark is not closed"),
        ('x ""', 3, "the quotation marks hold nothing"),
        ("dur>", 4, "a duration is expected"),
        ("dur>fast", 4, "a duration is expected"),
        ("x dur>1h", 8, "'h' is not a unit of time"),
        ("dur>1ms,", 8, "a space is missing behind the duration"),
        ("-dur=5", 1, "an exact duration has no opposite"),
        ("rank:", 6, "a value is missing behind rank:"),
        ("lane: 2", 6, "a value is missing behind lane:"),
        ("rank:7-0", 6, "run backwards"),
        ("rank:1,,2", 8, "a rank is missing"),
    ],
)
def test_a_line_that_cannot_be_read_tells_the_character(text: str, character: int, what: str) -> None:
    with pytest.raises(BadArgument) as told:
        filters.parse(text)
    assert f"at character {character}: " in told.value.message
    assert what in told.value.message
    assert "dur>1ms" in told.value.fix


def test_merged_spans_of_a_frame_are_judged_by_name_and_duration(store: Store) -> None:
    found = filters.of_card(store, "rank_3", "mat dur<1ms")
    names = np.asarray(store.capture("rank_3").slice_name)
    spans = found.spans(names[[0, 3, 4]], np.array([0, 0, 0]), np.array([2_000_000, 20_001, 20]))
    assert spans.tolist() == [False, True, False]
    assert (found.min_ns, found.max_ns, found.exact_spans) == (None, 999_999, True)
    assert not filters.of_card(store, "rank_3", "cat:x").exact_spans


def test_a_filter_is_made_once_per_card_and_text(store: Store) -> None:
    assert filters.of_card(store, "rank_3", "mat") is filters.of_card(store, "rank_3", "mat")


def test_a_table_is_filtered_by_the_columns_it_has() -> None:
    table = pa.table({"name": ["Add", "MatMul", None], "duration_ns": [5, 5000, 7000], "card": ["0", "1", "2"]})
    found, unasked = filters.table_mask("-mul dur>1us rank:0-2 lane:x", table)
    assert found.tolist() == [False, False, True]
    assert [term.text for term in unasked] == ["x"]


@pytest.mark.parametrize("packed", [False, True])
def test_arguments_are_searched_in_the_source(tmp_path: Path, packed: bool) -> None:
    events = [
        {"ph": "X", "pid": 1, "tid": 1, "ts": str(i), "dur": 0.5, "name": "op", "args": args}
        for i, args in enumerate([{"Shape": "2,3"}, {"shape": "4"}, {}, {"other": "Größe"}])
    ]
    path = tmp_path / ("trace_view.json.gz" if packed else "trace_view.json")
    data = json.dumps(events, ensure_ascii=False).encode()
    if packed:
        import gzip

        data = gzip.compress(data)
    path.write_bytes(data)
    _, imports = import_paths([path])
    store = Store([StoreCard.of_import(imports[0])])
    name = store.cards[0].name
    every = np.arange(4)
    for text, ids in (
        ("args:shape", [0, 1]),
        ("args:SHAPE -args:2,3", [1]),
        ("args:größe", [3]),
        ("-args:shape", [2, 3]),
    ):
        found = filters.of_card(store, name, text)
        assert np.flatnonzero(found.keep(every)).tolist() == ids, text


def test_the_query_gives_the_rows_that_pass(store: Store) -> None:
    found = queries.run(store, "system.timeline.filtered", {"text": "add dur>=20", "limit": "2"})
    assert [(row["id"], row["lane"], row["ts_ns"]) for row in found.to_pylist()] == [
        (4, "Stream 21", 100),
        (1, "Thread 51", 3_000_000),
    ]
