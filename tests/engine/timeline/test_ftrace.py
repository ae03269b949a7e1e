"""Ftrace Task Summary of the small trace of tests.support.ftrace_files, and beside profiling data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.ftrace_files import BASE, SUMMARY, write_db, write_json
from tests.support.operator_files import open_store
from tests.support.plain_build import build

from insight_desktop.engine import scene
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.ftrace import ftrace_summary
from insight_desktop.errors import BadArgument, NoData


def rows(store: Store, **more: Any) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in ftrace_summary(store, **more).to_pylist()]


@pytest.mark.row("system-timeline", 77)
@pytest.mark.parametrize("made", [write_db, write_json], ids=["db", "json"])
def test_times_switches_and_interrupts_per_cpu_and_task(tmp_path: Path, made: Callable[[Path], Path]) -> None:
    store = open_store(made(tmp_path / f"ftrace_data.{'db' if made is write_db else 'json'}"))
    assert [card.kind for card in store.cards] == ["ftrace"]
    assert rows(store) == SUMMARY


@pytest.mark.row("system-timeline", 77)
def test_columns_say_their_units(tmp_path: Path) -> None:
    assert ftrace_summary(open_store(write_db(tmp_path / "ftrace_data.db"))).column_names == [
        "cpu", "comm", "pid", "runnable_ns", "running_ns", "sleeping_ns", "context_switches", "involuntary_switches",
        "soft_irqs", "soft_irq_ns", "hard_irqs", "hard_irq_ns",
    ]  # fmt: skip


@pytest.mark.row("system-timeline", 77)
def test_a_range_clips_durations_and_counts_what_it_overlaps(tmp_path: Path) -> None:
    store = open_store(write_db(tmp_path / "ftrace_data.db"))
    # 390…450: python runs 390…400 and waits 400…450, acl_thread waits 390…400 and runs 400…450, one switch at 400.
    part = {"from_ns": BASE + 390, "to_ns": BASE + 450}
    assert rows(store, **part) == [
        (0, "acl_thread", "101", 10, 50, 0, 0, 0, 0, 0, 0, 0),
        (0, "python", "100", 50, 10, 0, 1, 1, 0, 0, 0, 0),
    ]
    assert rows(store, whole=True, **part)[0][3:6] == (300, 400, 0)
    assert rows(store, from_ns=BASE + 5000) == []
    with pytest.raises(BadArgument, match="ends before it begins"):
        ftrace_summary(store, from_ns=2, to_ns=1)


@pytest.mark.row("system-timeline", 3)
def test_an_ftrace_joins_profiling_data_as_a_card(tmp_path: Path, real: Callable[[str], Path]) -> None:
    found, imports = import_paths([real("text_level2"), write_db(tmp_path / "ftrace_data.db")])
    store = Store([StoreCard.of_import(item) for item in imports])
    assert [(card.name, card.kind) for card in store.cards] == [("0", "text"), ("ftrace_data", "ftrace")]
    assert rows(store, card="ftrace_data") == SUMMARY
    assert "system.memory" in scene.tabs(found)
    # An uptime beside epoch times: both begin together at axis zero.
    base, spans = store.base_ns, {c.name: store.capture(c.name).manifest.view_start_ns for c in store.cards}
    offsets = store.default_offsets()
    assert {name: start - base - offsets[name] for name, start in spans.items()} == {"0": 0, "ftrace_data": 0}


def test_an_ftrace_alone_is_a_timeline_without_memory_and_operators(tmp_path: Path) -> None:
    found, _ = import_paths([write_db(tmp_path / "ftrace_data.db")])
    assert (scene.scene(found), scene.tabs(found)) == ("trace", ["system.timeline"])


def test_a_card_without_scheduling_lanes_says_what_is_needed(tmp_path: Path) -> None:
    build(tmp_path, slices=[{"pid": 1, "tid": 1, "name": "Running", "start_ns": 0, "end_ns": 5}])
    store = Store([StoreCard("0", "0", 0, "", "text", tmp_path)])
    with pytest.raises(NoData, match="no lanes of the operating system's scheduler"):
        ftrace_summary(store)
