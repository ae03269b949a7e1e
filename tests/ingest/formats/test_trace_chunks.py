"""Containers and damage: what is kept, what is said, and that it stays linear."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path

import pytest
from tests.ingest.formats.trace_help import Read, read_bytes, read_files

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import trace_chunks


def x(name: str, ts: int = 1) -> str:
    return f'{{"ph":"X","name":"{name}","pid":1,"tid":1,"ts":{ts},"dur":1}}'


A, B, C = x("a"), x("b", 2), x("c", 3)


def names(read: Read) -> list[str]:
    return [row["name"] for row in read.slices]


@pytest.mark.parametrize(
    "text",
    [
        f"[{A},{B}]",
        f" \r\n[\r\n  {A} ,\r\n  {B}\r\n]\r\n",
        f"\ufeff[{A},{B}]",
        f'\ufeff{{"traceEvents":[{A},{B}]}}',
        f'{{"traceEvents": [{A},{B}], "displayTimeUnit": "ns", "otherData": {{"a": ["]"]}}}}',
        f'{{"meta": {{"traceEvents": [{C}]}}, "s": "\\"traceEvents\\": [", "traceEvents":[{A},{B}]}}',
        f'{{"list": [[{C}], 5, null, true], "n": -1.5e3, "traceEvents":[{A},{B}]}}',
        f'{{"traceEvents":null,"traceEvents":[{A},{B}]}}',
        f"{A}\n{B}\n",
        f"{A}\r\n{B}",
        f"{A}{B}",
        json.dumps([json.loads(A), json.loads(B)], indent=4),
    ],
)
def test_all_containers_give_the_same_events_without_an_issue(tmp_path: Path, text: str) -> None:
    read = read_bytes(tmp_path, text)
    assert names(read) == ["a", "b"]
    assert read.codes == {}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"[{A},{B},]", ["a", "b"]),
        (f"[{A} /* one, two {{ */, // three ]\n{B}]", ["a", "b"]),
        (f"// exported\n[{A},{B}]", ["a", "b"]),
        (f"[{A} {B}]", ["a", "b"]),
        (f"[{A},,{B}]", ["a", "b"]),
        ('[{"ph":"X","name":"a","ts":1,"dur":1,},' + B + "]", ["a", "b"]),
        ('[{"ph":"X",/* why */"name":"a","ts":1,"dur":1},' + B + "]", ["a", "b"]),
    ],
)
def test_commas_and_comments_too_many_are_tolerated(tmp_path: Path, text: str, kept: list[str]) -> None:
    assert names(read_bytes(tmp_path, text)) == kept


@pytest.mark.parametrize(
    ("text", "kept", "code"),
    [
        (f"[{A},{B}", ["a", "b"], "unclosed"),
        (f"[{A},{B},", ["a", "b"], "unclosed"),
        (f"[{A},{B[:-1]}", ["a"], "truncated"),
        (f"[{A},{B[:22]}", ["a"], "truncated"),
        (f'[{A},{{"ph":"X","name":"b\\', ["a"], "truncated"),
        (f'[{A},{{"ph":"X","name":"b","ts":12', ["a"], "truncated"),
        (f'[{A},{{"ph":"X","args":{{"k":[1,{{"z":2', ["a"], "truncated"),
        (f'{{"traceEvents":[{A},{B}', ["a", "b"], "unclosed"),
        (f'{{"traceEvents":[{A},{B}],"stack":{{"k":', ["a", "b"], "unclosed"),
        (f'[{A},{{"ph":"X","name":"x",tid":1}},{B}]', ["a", "b"], "damaged"),
        (f'[{A},{{"ph":"X","name":"x,"ts":2,"dur":1}},{B}]', ["a", "b"], "damaged"),
        (f'[{A},{{"ph":"X","name":"x}},{B},{C}]', ["a", "b", "c"], "damaged"),
        (f'[{A},{{"ph":"X","args":{{"k":1}},{B}]', ["a", "b"], "damaged"),
        (f'[{A},{{"ph":"X","args":{{"k":[1,2}}}},{B}]', ["a", "b"], "damaged"),
        (f'[{A},{{"ph":"X","name" "x"}},{B}]', ["a", "b"], "damaged"),
        (f"[{A}," + "\x00" * 500 + f"{B}]", ["a", "b"], "damaged"),
        (f"[{A},%%% log line %%%\n{B}]", ["a", "b"], "damaged"),
        (f"[{A}][{B}]", ["a", "b"], "trailing"),
        (f"[{A}],{B}", ["a", "b"], "trailing"),
        (f'{{"traceEvents":[{A}]}}{{"traceEvents":[{B}]}}', ["a", "b"], "trailing"),
        (f"[{A}]" + "\x00" * 100, ["a"], "trailing"),
        (f"[{A}]] garbage", ["a"], "trailing"),
        (f'x"}},{A},{B}]', ["a", "b"], "bad_head"),
        (f"log: started\n[{A},{B}]", ["a", "b"], "bad_head"),
        (f'{{"k": oops!, "traceEvents":[{A},{B}]}}', ["a", "b"], "damaged"),
        (f'{{"k: 1, "traceEvents":[{A},{B}]}}', ["a", "b"], "damaged"),
        (f'{{"k": {{"open": 1, "traceEvents":[{A},{B}]}}', ["a", "b"], "bad_head"),
        (f'[null,{A},5,"s",[],{B}]', ["a", "b"], "not_object"),
        (f'[{{"no":"phase"}},{A},{B}]', ["a", "b"], "no_phase"),
    ],
)
def test_whole_events_before_and_after_damage_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, kept: list[str], code: str
) -> None:
    for chunk, threads in ((1 << 20, 1), (64, 1), (64, 2)):
        monkeypatch.setattr(trace_chunks, "CHUNK_BYTES", chunk)
        read = read_bytes(tmp_path, text, threads=threads)
        assert names(read) == kept, chunk
        assert code in read.codes, chunk


def test_damage_is_reported_with_its_byte_and_what_is_kept(tmp_path: Path) -> None:
    text = f'[{A},{{"ph":"X","name":"x",tid":1}},{B}]'
    (issue,) = read_bytes(tmp_path, text).report.issues
    assert issue.where == f"trace.json byte {text.index('tid', len(A) + 2)}"
    assert "2 whole events" in issue.message


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ["empty"]),
        (b" \r\n ", ["empty"]),
        (b"[]", ["no trace events", "empty"]),
        (b'{"traceEvents":[]}', ["no trace events"]),
        (b'{"name":"pkg"}', ["no trace events", "traceEvents"]),
        (b'[{"a":1}]', ["no trace events"]),
        (b"[1,2]", ["no trace events"]),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", ["LFS", "JSON"]),
        (b"SQLite format 3\x00....", ["SQLite"]),
        (b"PK\x03\x04....", ["zip"]),
        (b"\x80\x04\x95....", ["pickle"]),
        ('[{"ph":"X"}]'.encode("utf-16"), ["UTF-16"]),
        ('[{"ph":"X"}]'.encode("utf-16-le"), ["UTF-16"]),
        (b"<html>no</html>", ["not JSON", "<html>"]),
        (b"\x01\x02\x03binary", ["not JSON", "01 02 03"]),
        (b"\x1f\x8bbroken", ["gzip"]),
        (b'{"traceEv', ["no trace events"]),
    ],
)
def test_a_file_without_events_is_refused_with_its_reason(tmp_path: Path, data: bytes, words: list[str]) -> None:
    with pytest.raises(BadFile) as error:
        read_bytes(tmp_path, data)
    for word in words:
        assert word in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"gone\.json"):
        read_files(tmp_path / "gone.json")


@pytest.mark.parametrize(
    "unit",
    [
        b'{"ph":"X","args":[',
        b'[{"ph":"X","a":[',
        b'{"a":',
        b"[",
        b'{"ph":"X","name":"',
        b'"',
        b"/*",
        b"//",
        b"\\",
        b"{",
        b'{"ph":"X"',
        b"\x00",
        b'{"ph":"X","args":{"a":1,"b":{',
        b'},{"',
        b'{"ph":"B","name":"n","ts":1},',
        b'{"ph":"E","name":"m","ts":1},',
        b'{"ph":"C","ts":1,"args":{"a":1}},{"ph":"C","ts":1,"args":{"b":1}},',
    ],
)
def test_hostile_input_stays_linear(tmp_path: Path, unit: bytes) -> None:
    data = b"[" + unit * (3_000_000 // len(unit))
    started = time.monotonic()
    with contextlib.suppress(BadFile):
        read_bytes(tmp_path, data, threads=2)
    assert time.monotonic() - started < 20


def test_an_event_larger_than_the_chunk_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_chunks, "CHUNK_BYTES", 1 << 12)
    big = json.dumps({"ph": "X", "name": "big", "ts": 1, "dur": 1, "args": {"s": '}, {"ph' * 40_000}})
    assert names(read_bytes(tmp_path, f"[{A}, {big}, {B}]", threads=2)) == ["a", "big", "b"]


def test_an_event_beyond_the_limit_is_skipped_and_the_next_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_chunks, "CHUNK_BYTES", 1 << 12)
    monkeypatch.setattr(trace_chunks, "MAX_EVENT_BYTES", 1 << 16)
    big = json.dumps({"ph": "X", "name": "big", "ts": 1, "dur": 1, "args": {"s": "x" * 400_000}})
    read = read_bytes(tmp_path, f"[{A}, {big}, {B}]")
    assert names(read) == ["a", "b"]


def test_large_keys_before_and_after_the_events_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_chunks, "CHUNK_BYTES", 1 << 12)
    junk = json.dumps({str(i): {"traceEvents": [], "ph": "X"} for i in range(60_000)})
    text = f'{{"before": {junk}, "traceEvents": [{A},{B}], "after": {junk}}}'
    for threads in (1, 2):
        read = read_bytes(tmp_path, text, threads=threads)
        assert names(read) == ["a", "b"]
        assert read.codes == {}
