"""Slices of an instruction: by address, by line, by name, on the wanted core, on the trace beside the kernel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support import operator_bins as bins

from insight_desktop.engine.operator import instruction_slices, timeline
from insight_desktop.engine.store import Store


def x(name: str, at: int, core: str = "core0.veccore0", pipe: str = "MTE2", **args: Any) -> dict[str, Any]:
    return {"ph": "X", "name": name, "pid": core, "tid": pipe, "ts": float(at), "dur": 1.0, "args": args}


EVENTS = [
    x("MOV", 0, pc_addr="0x10", code="/a.cpp:3\n/main.cpp:9"),
    x("MOV", 2, pc_addr="0x18", code="/b.h:1\n/a.cpp:4"),
    x("ADD", 4, pipe="VECTOR", pc_addr="0x20", code="/a.cpp:4"),
    x("MOV", 6, "core1.veccore0", pc_addr="0x10", code="/a.cpp:3"),
    x("BAR", 8),
    x("BAR", 10, pipe="SCALAR"),
]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))
    text = json.dumps({"profilingType": "op", "traceEvents": EVENTS}).encode()
    return timeline.of_kernels(bins.opened(bins.write(tmp_path / "k", text, "trace.json")))


def found(store: Store, **asked: Any) -> tuple[str, list[tuple[str, int]]]:
    """How they were found, and (process, start in µs) of each."""
    (card,) = store.every_card
    result = instruction_slices.find(store, card=card.name, **asked)
    capture = store.capture(card.name)
    processes = capture.tracks["process"].to_pylist()
    return result.how, [
        (processes[int(capture.lane_track[capture.lane_of(i)])], int(capture.slice_start[i]) // 1000)
        for i in result.ids.tolist()
    ]


def test_an_address_counts_before_line_and_name(store: Store) -> None:
    both = [("core0.veccore0", 0), ("core1.veccore0", 6)]
    assert found(store, ranges=(0x10, 0x10), file="/a.cpp", line=4, name="ADD") == ("address", both)
    assert found(store, ranges=(0x18, 0x20)) == ("address", [("core0.veccore0", 2), ("core0.veccore0", 4)])


def test_a_core_of_the_trace_limits_what_is_found(store: Store) -> None:
    assert found(store, ranges=(0x10, 0x10), core="core1.veccore0") == ("address", [("core1.veccore0", 6)])
    assert found(store, ranges=(0x18, 0x18), core="core1.veccore0") == ("address", [("core0.veccore0", 2)])


def test_a_line_is_found_anywhere_in_the_call_stack(store: Store) -> None:
    lines = [("core0.veccore0", 2), ("core0.veccore0", 4)]
    assert found(store, ranges=(0x99, 0x99), file="/a.cpp", line=4) == ("line", lines)
    assert found(store, file="/a.cpp", line=4, name="ADD") == ("line", [("core0.veccore0", 4)])
    assert found(store, file="/main.cpp", line=9) == ("line", [("core0.veccore0", 0)])


def test_a_name_is_the_last_resort_and_keeps_to_its_pipe(store: Store) -> None:
    assert found(store, name="BAR", pipe="SCALAR") == ("name", [("core0.veccore0", 10)])
    assert found(store, name="BAR", pipe="CUBE") == ("name", [("core0.veccore0", 8), ("core0.veccore0", 10)])
    assert found(store, ranges=(0x99, 0x99), file="/c.cpp", line=1) == ("", [])


def test_addresses_of_another_build_are_not_those_of_the_kernel(store: Store) -> None:
    (card,) = store.every_card
    result = instruction_slices.find(
        store, card="kernel on board", others=[card.name], ranges=(0x18, 0x18), file="/a.cpp", line=3, name="MOV"
    )
    capture = store.capture(card.name)
    assert (result.card, result.how) == (card.name, "line")
    assert [int(capture.slice_start[i]) for i in result.ids.tolist()] == [0, 6_000]
