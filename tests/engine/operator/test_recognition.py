"""What is found of kernels in files and folders, and which pages they call for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support import operator_bins as bins

from insight_desktop.engine import scene
from insight_desktop.engine.load import import_paths
from insight_desktop.errors import BadFile
from insight_desktop.ingest.discover import discover
from insight_desktop.views import path_check

SPEC = "operator"
PLAN = {"Header": {"KernelName": "k"}, "Record": [{"scope": "UB", "status": "success", "memory_info_array": []}]}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))


@pytest.mark.row(SPEC, 6)
def test_pages_follow_what_is_there(tmp_path: Path) -> None:
    trace = bins.write(tmp_path / "sim", json.dumps(bins.trace()).encode(), "trace.json")
    file = bins.write(tmp_path / "add", bins.sample())
    plan = bins.write(tmp_path / "plan", json.dumps(PLAN).encode(), "memory_info.json")
    assert scene.tabs(discover([trace])) == ["operator.timeline"]
    assert scene.tabs(discover([file])) == ["operator.timeline", "operator.source", "operator.details"]
    assert scene.tabs(discover([plan])) == ["operator.on_chip_memory"]
    store = bins.opened(file)
    told = scene.told([store.capture(card.name) for card in store.every_card])
    assert scene.tabs(discover([file]), told) == [
        "operator.timeline",
        "operator.source",
        "operator.details",
        "operator.cache",
    ]


def test_simulator_folder_gives_a_card_per_core_and_one_for_the_bin(tmp_path: Path) -> None:
    folder = tmp_path / "OPPROF_2026_X" / "simulator"
    bins.write(folder, bins.sample())
    for name in (".", "core0.veccore0", "core1.veccore0"):
        bins.write(folder / name, json.dumps(bins.trace()).encode(), "trace.json")
    (folder / "core0.veccore0" / "core0_code_exe.csv").write_text("code,call_count,cycles,running_time(us)\n")
    found = discover([tmp_path / "OPPROF_2026_X"])
    assert sorted((card.name, card.kinds[0]) for card in found.cards) == [
        ("OPPROF_2026_X", "operator"),
        ("OPPROF_2026_X trace", "simulation"),
        ("core0.veccore0", "simulation"),
        ("core1.veccore0", "simulation"),
    ]
    assert {card.area for card in found.cards} == {"operator"}


@pytest.mark.row(SPEC, 2)
def test_bin_is_recognised_under_any_name(tmp_path: Path) -> None:
    other = bins.write(tmp_path, bins.sample(), "kernel.dat")
    assert [card.source().format for card in discover([other]).cards] == ["operator_bin"]
    first = bins.write(tmp_path, bins.block(bins.INSTRUCTIONS, bins.instructions(), version=0), "simulated.bin")
    assert [card.source().format for card in discover([first]).cards] == ["operator_bin"]
    with pytest.raises(BadFile):
        discover([bins.write(tmp_path, bytes(range(200)), "noise.bin")])


@pytest.mark.row(SPEC, 8)
def test_trace_of_another_profiling_type_is_no_kernel(tmp_path: Path) -> None:
    other = {"profilingType": "system", "traceEvents": bins.trace()["traceEvents"]}
    path = bins.write(tmp_path, json.dumps(other).encode(), "trace.json")
    assert [card.source().format for card in discover([path]).cards] == ["trace_json"]


@pytest.mark.row(SPEC, 7)
def test_bin_above_ten_gigabytes_is_asked_about(tmp_path: Path) -> None:
    path = bins.write(tmp_path, bins.sample())
    assert path_check.check([path]) == []
    with path.open("r+b") as file:
        file.truncate((10 << 30) + 1)  # a sparse file
    assert [(p.code, p.passable) for p in path_check.check([path])] == [(path_check.TOO_LARGE, True)]


def test_many_kernels_are_read_at_once(tmp_path: Path) -> None:
    for number in range(4):
        bins.write(tmp_path / f"run{number}", bins.sample())
    _, cards = import_paths([tmp_path], lazy_above=2)
    assert [item.status for item in cards] == ["ready"] * 4
