"""Kernels of the trace reader against plain Python."""

from __future__ import annotations

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ingest.formats.trace_help import read_bytes

from insight_desktop.ingest.formats import trace_layout as layout
from insight_desktop.ingest.formats.trace_kernels import BLANK, OBJECT, TEXT, VALUE, structure
from insight_desktop.ingest.formats.trace_vector import PADDING
from insight_desktop.ingest.formats.trace_worker import Tables

BEHIND = (b'"}, :]x1' * PADDING)[:PADDING]  # what lies behind a text must not matter
TABLES = Tables()
STRING_REST = re.compile(rb'(?:[^"\\]|\\.)*"', re.DOTALL)

texts = st.text(st.sampled_from('ab"\\ é,:{}[]/\n'), max_size=80)
values: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
spacings = st.sampled_from([(",", ":"), (", ", ": "), (" ,\n", " :\t"), (",  ", ":\r\n")])


def end_of(what: int, raw: bytes) -> int:
    data = np.frombuffer(raw + BEHIND, np.uint8)
    return int(structure(what, data.copy(), 0, len(raw), TABLES.scratch, np.zeros(3, np.int64)))


@settings(deadline=None)
@given(st.lists(st.sampled_from([b'"', b"\\", b"a", b"b" * 31, b"c" * 64]), max_size=12).map(b"".join))
def test_a_string_ends_at_its_first_bare_quote(raw: bytes) -> None:
    found = STRING_REST.match(raw)

    assert end_of(TEXT, raw) == (found.end() - 1 if found else -1)


@settings(deadline=None)
@given(values, spacings)
def test_a_value_ends_where_it_was_written_to(value: Any, spacing: tuple[str, str]) -> None:
    raw = json.dumps(value, separators=spacing, ensure_ascii=False).encode()

    assert end_of(VALUE, raw + b",") == len(raw)


@settings(deadline=None)
@given(st.dictionaries(texts, values, max_size=5), st.data())
def test_a_value_cut_short_asks_for_more_bytes(value: dict[str, Any], data: st.DataObject) -> None:
    raw = json.dumps(value).encode()
    cut = data.draw(st.integers(1, len(raw) - 1))

    assert end_of(VALUE, raw[:cut]) == -1


@pytest.mark.parametrize(
    ("raw", "at"),
    [
        (b'{"a": 1 "b": 2}', 8),
        (b'{"a", "b"}', 4),
        (b"{1: 2}", 1),
        (b'["a" "b"]', 5),
        (b'["a": 1]', 4),
        (b'{"a": }', 6),
        (b'{"a": {"b": 1]}', 13),
        (b'{"a": "x, "b": "y"}', 11),
        (b'{"a": 1,, "b": 2}', 8),
    ],
)
def test_a_wrong_token_is_seen_where_it_stands(raw: bytes, at: int) -> None:
    assert end_of(VALUE, raw) == -2 - at


@settings(deadline=None)
@given(st.text(st.sampled_from("azAZ019_+-."), min_size=1, max_size=90), st.sampled_from(b",]} /:@[`{\x00\xe9\"'"))
def test_a_word_ends_at_the_first_byte_that_none_holds(word: str, behind: int) -> None:
    assert end_of(VALUE, word.encode() + bytes([behind])) == len(word)


def test_blanks_and_comments_are_passed_over() -> None:
    assert end_of(BLANK, b" \t\r\n// note\n/* more */ 1") == 23


@pytest.mark.parametrize(
    "name",
    [
        "ph",
        "ts",
        "dur",
        "pid",
        "tid",
        "name",
        "cat",
        "id",
        "args",
        "bp",
        "group_id",
        "id2",
        "scope",
        "bind_id",
        "flow_in",
        "flow_out",
    ],
)
def test_each_field_is_found_by_its_whole_name_only(name: str) -> None:
    place = {"ph": layout.F_PH, "ts": layout.F_TS, "dur": layout.F_DUR, "pid": layout.F_PID, "tid": layout.F_TID, "name": layout.F_NAME, "cat": layout.F_CAT, "id": layout.F_ID, "args": layout.F_ARGS, "bp": layout.F_BP, "group_id": layout.F_GROUP, "id2": layout.F_ID2, "scope": layout.F_SCOPE, "bind_id": layout.F_BIND, "flow_in": layout.F_FLOW_IN, "flow_out": layout.F_FLOW_OUT}[name]  # fmt: skip
    others = {
        f"{name}x": 1,
        name[:-1]: 1,
        name.upper(): 1,
        f"x{name[1:]}": 1,
        f"{name}\x00": 1,
    }
    others.pop("id", None)  # id2 without its last letter

    def found(event: dict[str, Any]) -> list[int]:
        assert end_of(OBJECT, json.dumps(event, ensure_ascii=False).encode()) > 0
        return [i for i in range(layout.FIELDS) if TABLES.scratch.fields[3 * i + 2]]

    assert found(others) == []
    assert found({**others, name: 1}) == [place]


digits = st.text(st.sampled_from("0123456789"), min_size=1, max_size=22)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(digits, digits | st.none()), min_size=1, max_size=40))
def test_times_are_exact_whatever_their_digits(tmp_path_factory: pytest.TempPathFactory, parts: list[Any]) -> None:
    stamps = [whole if rest is None else f"{whole}.{rest}" for whole, rest in parts]
    events = [{"ph": "i", "name": "n", "pid": 1, "tid": 1, "ts": stamp} for stamp in stamps]
    folder: Path = tmp_path_factory.mktemp("times")

    read = read_bytes(folder, json.dumps(events).encode())

    expected = [int((Decimal(stamp) * 1000).quantize(Decimal(1), ROUND_HALF_UP)) for stamp in stamps]
    assert [row["ts_ns"] for row in read.instants] == [ns if ns < 2**63 else 0 for ns in expected]


def test_a_stray_bracket_inside_the_array_ends_the_reading_and_is_told(tmp_path: Path) -> None:
    event = '{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 5, "dur": 1}'
    torn = f'{{"traceEvents": [{event}, ]"name": "b", "ph": "X"}}, {event}]'

    read = read_bytes(tmp_path, torn)

    assert [row["start_ns"] for row in read.slices] == [5000, 5000]
    assert read.codes
