"""Begins and ends: on threads by name, asynchronous by category, id and name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.formats.trace_help import Read, read_bytes

from insight_desktop.ingest.formats import trace_json

UNFINISHED, ASYNC = 1, 2


def read(folder: Path, *events: tuple[Any, ...], **more: Any) -> Read:
    """Events as (phase, name, time, extra fields)."""
    rows = []
    for ph, name, ts, *extra in events:
        row = {"ph": ph, "ts": ts, "pid": 1, "tid": 1, **(extra[0] if extra else {})}
        if name is not None:
            row["name"] = name
        rows.append(row)
    return read_bytes(folder, json.dumps(rows), **more)


def test_begin_and_end_nest_by_name(tmp_path: Path) -> None:
    r = read(tmp_path, ("B", "o", 0), ("B", "i", 10), ("E", "i", 20), ("E", "o", 30))
    assert r.times() == {"o": (0, 30000, 0), "i": (10000, 10000, 0)}
    assert r.codes == {}


def test_an_end_cuts_what_is_above_its_begin(tmp_path: Path) -> None:
    r = read(tmp_path, ("B", "o", 0), ("B", "m", 10), ("B", "lost", 20), ("E", "m", 30), ("E", "o", 40))
    assert r.times() == {"o": (0, 40000, 0), "m": (10000, 20000, 0), "lost": (20000, 10000, UNFINISHED)}
    assert r.codes == {"unfinished": 1}


def test_an_unknown_end_is_ignored_and_counted(tmp_path: Path) -> None:
    r = read(tmp_path, ("B", "a", 0), ("E", "other", 5), ("E", "a", 9), ("E", "a", 10))
    assert r.times() == {"a": (0, 9000, 0)}
    assert r.codes == {"unmatched_end": 2}


@pytest.mark.parametrize("name", [None, ""])
def test_a_nameless_end_closes_the_top(tmp_path: Path, name: str | None) -> None:
    r = read(tmp_path, ("B", "o", 0), ("B", "i", 1), ("E", name, 2), ("E", name, 3), ("E", name, 4))
    assert r.times() == {"o": (0, 3000, 0), "i": (1000, 1000, 0)}
    assert r.codes == {"unmatched_end": 1}


def test_pairs_go_by_time_not_by_place_in_the_file(tmp_path: Path) -> None:
    r = read(tmp_path, ("E", "a", 30), ("B", "a", 10), ("E", "b", 25), ("B", "b", 15))
    assert r.times() == {"a": (10000, 20000, 0), "b": (15000, 10000, 0)}


def test_equal_stamps_go_by_place_in_the_file(tmp_path: Path) -> None:
    r = read(tmp_path, ("B", "a", 5), ("E", "a", 5), ("B", "b", 5), ("E", "b", 7))
    assert r.times() == {"a": (5000, 0, 0), "b": (5000, 2000, 0)}


def test_begins_of_one_name_pair_from_the_inside(tmp_path: Path) -> None:
    r = read(tmp_path, ("B", "r", 0), ("B", "r", 1), ("E", "r", 2), ("E", "r", 5))
    assert sorted((s["start_ns"], s["end_ns"]) for s in r.slices) == [(0, 5000), (1000, 2000)]


def test_threads_do_not_close_each_other(tmp_path: Path) -> None:
    r = read(tmp_path, ("B", "a", 0), ("E", "a", 5, {"tid": 2}), ("X", "x", 1, {"dur": 8}))
    assert r.times()["a"] == (0, 9000, UNFINISHED)
    assert r.codes == {"unfinished": 1, "unmatched_end": 1}


def test_an_open_begin_lasts_to_the_end_of_all_data(tmp_path: Path) -> None:
    r = read(tmp_path, ("B", "a", 10), ("i", "p", 40), ("X", "x", 20, {"dur": 5}))
    assert r.times()["a"] == (10000, 30000, UNFINISHED)


def test_details_of_the_end_serve_a_begin_without_any(tmp_path: Path) -> None:
    r = read(tmp_path, ("B", "a", 0), ("E", "a", 5, {"args": {"k": 1}}))
    row = r.slices[0]
    assert json.loads(trace_json.details((tmp_path / "trace.json",), row["args_at"], row["args_len"])) == {"k": 1}


def test_ten_thousand_open_begins_are_linear(tmp_path: Path) -> None:
    events = [("B", f"n{i % 7}", i) for i in range(10_000)] + [("E", "none", 10_000 + i) for i in range(10_000)]
    r = read(tmp_path, *events)
    assert len(r.slices) == 10_000
    assert r.codes == {"unfinished": 10_000, "unmatched_end": 10_000}


H = {"cat": "h", "id": 1}


def test_nested_async_events_pair_by_name(tmp_path: Path) -> None:
    r = read(
        tmp_path, ("b", "req", 0, H), ("b", "rd", 2, H), ("b", "wr", 3, H), ("n", "mark", 4, H), ("e", "rd", 5, H),
        ("e", "wr", 7, H), ("e", "req", 10, H),
    )  # fmt: skip
    assert r.times() == {"req": (0, 10000, ASYNC), "rd": (2000, 3000, ASYNC), "wr": (3000, 4000, ASYNC)}
    assert [(i["name"], i["ts_ns"], i["lane"], i["role"]) for i in r.instants] == [("mark", 4000, "h", "async")]
    assert {(s["pid"], s["tid"], s["lane"], s["role"]) for s in r.slices} == {("1", "1", "h", "async")}


def test_local_ids_belong_to_their_process_and_global_ones_to_all(tmp_path: Path) -> None:
    local, wide = {"cat": "c", "id2": {"local": "1"}}, {"cat": "c", "id2": {"global": "g"}}
    r = read(
        tmp_path, ("b", "a", 0, local), ("b", "a", 1, {**local, "pid": 2}), ("e", "a", 4, local),
        ("e", "a", 7, {**local, "pid": 2}), ("b", "g", 10, wide), ("e", "g", 30, {**wide, "pid": 2}),
    )  # fmt: skip
    assert sorted((s["pid"], s["start_ns"], s["end_ns"]) for s in r.slices) == [
        ("1", 0, 4000), ("1", 10000, 30000), ("2", 1000, 7000),
    ]  # fmt: skip


def test_a_plain_id_prefers_its_own_process_and_else_takes_another(tmp_path: Path) -> None:
    two = {**H, "pid": 2}
    r = read(tmp_path, ("b", "a", 0, H), ("b", "a", 1, two), ("e", "a", 4, H), ("e", "a", 7, two))
    assert sorted((s["pid"], s["start_ns"], s["end_ns"]) for s in r.slices) == [("1", 0, 4000), ("2", 1000, 7000)]
    r = read(tmp_path, ("b", "a", 0, H), ("e", "a", 7, two))
    assert r.times() == {"a": (0, 7000, ASYNC)}


def test_async_ids_compare_as_text(tmp_path: Path) -> None:
    r = read(tmp_path, ("b", "a", 0, {"cat": "h", "id": 16}), ("e", "a", 4, {"cat": "h", "id": "16"}))
    assert r.times() == {"a": (0, 4000, ASYNC)}
    r = read(tmp_path, ("b", "a", 0, {"cat": "h", "id": "0x1"}), ("e", "a", 4, {"cat": "h", "id": "0x01"}))
    assert r.codes == {"unfinished": 1, "unmatched_end": 1}


def test_an_async_begin_without_end_is_unfinished_and_an_end_alone_is_counted(tmp_path: Path) -> None:
    r = read(tmp_path, ("b", "a", 0, H), ("e", "z", 3, {**H, "id": 9}), ("X", "x", 5, {"dur": 1}))
    assert r.times()["a"] == (0, 6000, UNFINISHED | ASYNC)
    assert r.codes == {"unfinished": 1, "unmatched_end": 1}


def test_async_categories_and_legacy_phases_do_not_mix(tmp_path: Path) -> None:
    r = read(tmp_path, ("b", "a", 0, H), ("e", "a", 4, {**H, "cat": "other"}), ("F", "a", 5, H))
    assert r.codes == {"unfinished": 1, "unmatched_end": 2}


def test_legacy_async_phases_make_one_slice_with_its_steps_as_points(tmp_path: Path) -> None:
    r = read(tmp_path, ("S", "old", 0, H), ("T", "old", 3, H), ("p", "old", 4, H), ("F", "old", 8, H))
    assert r.times() == {"old": (0, 8000, ASYNC)}
    assert [i["ts_ns"] for i in r.instants] == [3000, 4000]


def test_an_async_event_without_an_id_pairs_inside_its_process(tmp_path: Path) -> None:
    r = read(tmp_path, ("b", "a", 0, {"cat": "c"}), ("e", "a", 2, {"cat": "c"}))
    assert r.times() == {"a": (0, 2000, ASYNC)}


def test_the_scope_is_part_of_the_id(tmp_path: Path) -> None:
    one, two = {"cat": "c", "id": 1, "scope": "s1"}, {"cat": "c", "id": 1, "scope": "s2"}
    r = read(tmp_path, ("b", "x", 0, one), ("b", "x", 2, two), ("e", "x", 5, one), ("e", "x", 9, two))
    assert sorted((s["start_ns"], s["end_ns"]) for s in r.slices) == [(0, 5000), (2000, 9000)]
    assert r.codes == {}


def test_slices_that_are_ends_of_links_themselves(tmp_path: Path) -> None:
    r = read(
        tmp_path,
        ("X", "a", 0, {"dur": 5, "bind_id": "0x7", "flow_out": True}),
        ("X", "b", 9, {"dur": 5, "bind_id": "0x7", "flow_in": True, "flow_out": True}),
        ("X", "c", 20, {"dur": 5, "bind_id": 8, "flow_in": True, "flow_out": False}),
        ("X", "none", 30, {"dur": 5, "bind_id": "0x7", "flow_in": False}),
        ("X", "plain", 40, {"dur": 5, "bind_id": None, "flow_in": True}),
    )
    ends = [(f["id"], chr(f["phase"]), f["ts_ns"], f["category"]) for f in r.flows]
    assert ends == [("0x7", "s", 0, None), ("0x7", "t", 9000, None), ("8", "f", 20000, None)]
    assert len(r.slices) == 5


def test_links_take_global_ids_and_count_local_ones(tmp_path: Path) -> None:
    wide, local = {"cat": "c", "id2": {"global": "g"}}, {"cat": "c", "id2": {"local": "1"}}
    r = read(tmp_path, ("s", "l", 0, wide), ("f", "l", 5, wide), ("s", "l", 1, local), ("X", "x", 0, {"dur": 9}))
    assert [(f["id"], f["ts_ns"]) for f in r.flows] == [("g", 0), ("g", 5000)]
    assert r.codes == {"flow_without_id": 1}
