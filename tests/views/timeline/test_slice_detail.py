"""Slice Detail against a small capture whose numbers are worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support.waiting import settle

from insight_desktop import schema
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.timeline.slice_detail import SliceDetailPanel
from insight_desktop.views.timeline.slice_facts import facts_of, linked_slices

T0 = 1_695_115_378_725_001_230
ARGS = {
    "Input Shapes": '"4096,1024"',
    "count": 16777216,
    "connection_id": "88214",
    "Call stack": "a.py(1): f;\r\nb.py(2): g",
    "links": [{"rank": 3, "bytes": 10}, {"rank": 1, "bytes": 20}],
    "nested": {"a": {"b": 1}},
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """One card: linear encloses matmul (with args) and mm; matmul is linked from launch and to two kernels."""
    thread: dict[str, Any] = {"pid": 1, "process": "python3", "tid": 7, "thread": "Thread 7"}
    stream: dict[str, Any] = {"pid": 2, "process": "Ascend Hardware", "tid": 3, "thread": "Stream 3"}
    slices = [
        {**thread, "name": "linear", "start_ns": T0, "end_ns": T0 + 1_199_286},
        {**thread, "name": "matmul", "start_ns": T0 + 100_000, "end_ns": T0 + 600_000, "cat": "cpu_op"},
        {**thread, "name": "matmul", "start_ns": T0 + 700_000, "end_ns": T0 + 800_009},
        {**stream, "name": "MatMulV2", "start_ns": T0 + 139_682, "end_ns": T0 + 900_000},
        {**stream, "name": "Add", "start_ns": T0 + 900_000, "end_ns": T0 + 900_000, "flags": schema.CLAMPED},
        {**stream, "name": "Send", "start_ns": T0 + 950_000, "end_ns": T0 + 1_199_286, "flags": schema.UNFINISHED},
    ]
    links = [(1, 3, "async_npu"), (1, 4, "HostToDevice"), (0, 1, "fwdbwd")]
    instants = [{**thread, "name": "marker", "ts_ns": T0 + 5}]
    capture = plain_build.build(tmp_path / "card0", slices=slices, instants=instants, links=links)
    source = tmp_path / "trace_view.json"
    source.write_text("[" + json.dumps(ARGS) + "]", encoding="utf-8")
    _set_args(capture.folder, source, _ids(capture.folder, T0 + 100_000))
    return Store([StoreCard("Card 0", "0", 0, "", "text", capture.folder, source_folder=tmp_path)])


def _ids(folder: Path, start: int) -> int:
    return int(np.flatnonzero(np.fromfile(folder / "slice_start.bin", "<i8") == start)[0])


def _set_args(folder: Path, source: Path, at: int) -> None:
    places, lengths = (
        np.fromfile(folder / "slice_args_at.bin", "<i8"),
        np.fromfile(folder / "slice_args_len.bin", "<i4"),
    )
    places[at], lengths[at] = 1, source.stat().st_size - 2
    places.tofile(folder / "slice_args_at.bin")
    lengths.tofile(folder / "slice_args_len.bin")
    manifest = json.loads((folder / "manifest.json").read_text())
    stat = source.stat()
    manifest["args"] = {"mode": "file"}
    manifest["source"]["files"] = [
        {"path": str(source), "size": stat.st_size, "mtime_ns": stat.st_mtime_ns, "fingerprint": ""}
    ]
    (folder / "manifest.json").write_text(json.dumps(manifest))


def _id(store: Store, name: str, start: int | None = None) -> int:
    capture = store.capture("Card 0")
    hits = [i for i, n in enumerate(capture.slice_name) if capture.text(int(n)) == name]
    return next(i for i in hits if start is None or capture.slice_start[i] == start)


@pytest.fixture
def shown(qtbot: QtBot, store: Store) -> Callable[..., SliceDetailPanel]:
    def show(name: str, start: int | None = None) -> SliceDetailPanel:
        panel = SliceDetailPanel(Context(store))
        qtbot.addWidget(panel)
        panel.resize(1200, 300)
        panel.show_slice("Card 0", _id(store, name, start))
        qtbot.waitUntil(lambda: bool(panel.facts.facts) and panel.shown is not None)
        settle(qtbot)  # links and args come by themselves
        return panel

    return show


def _facts(panel: SliceDetailPanel) -> dict[str, str]:
    return {f.title: f"{f.value} {f.quiet}".strip() for f in panel.facts.facts}


@pytest.mark.row("system-timeline", 63)
def test_all_facts_of_a_slice_exact_to_the_nanosecond(shown: Callable[..., SliceDetailPanel]) -> None:
    facts = _facts(shown("linear"))
    assert facts["Name"] == "linear"
    assert facts["Start"] == "00:00.000.000.000"
    assert facts["End"] == "00:00.001.199.286"
    assert facts["Wall Duration"] == "1.199 ms 1,199,286 ns"
    # 1,199,286 − 500,000 − 100,009
    assert facts["Self Time"] == "599.277 µs 599,277 ns"
    assert facts["Start (Raw Timestamp)"].startswith("1,695,115,378,725,001,230 ns ")
    assert facts["End (Raw Timestamp)"].startswith("1,695,115,378,726,200,516 ns ")
    assert facts["Lane"] == "python3 › Thread 7 · Card 0"
    assert facts["Same name"] == "the only one of this name on the card"
    assert "Category" not in facts
    assert "State" not in facts


@pytest.mark.row("system-timeline", 63)
def test_rank_among_its_name_category_shapes_and_no_self_time_without_a_child(
    shown: Callable[..., SliceDetailPanel],
) -> None:
    facts = _facts(shown("matmul", T0 + 100_000))
    assert facts["Same name"] == "1 of 2, longest first longer than 100 % of the others"
    assert facts["Category"] == "cpu_op"
    assert facts["Input Shapes"] == '"4096,1024"'
    assert facts["Start"] == "00:00.000.100.000"
    assert "Self Time" not in facts


@pytest.mark.row("system-timeline", 63)
def test_offsets_move_the_axis_time_and_not_the_raw_one(qtbot: QtBot, store: Store) -> None:
    store.card("Card 0").offset_ns = -300
    panel = SliceDetailPanel(Context(store))
    qtbot.addWidget(panel)
    panel.show_slice("Card 0", _id(store, "linear"))
    qtbot.waitUntil(lambda: bool(panel.facts.facts))
    base = store.base_ns
    assert _facts(panel)["Start (Raw Timestamp)"].startswith("1,695,115,378,725,001,230 ns")
    assert _facts(panel)["Start"] == f"00:00.000.000.{T0 - base + 300:03d}"


def test_repaired_and_unfinished_slices_say_so(shown: Callable[..., SliceDetailPanel]) -> None:
    assert _facts(shown("Add"))["State"].startswith("Repaired:")
    assert _facts(shown("Send"))["State"].startswith("Never ended:")


@pytest.mark.row("system-timeline", 64)
def test_args_are_a_tree_with_call_stack_lines_and_tables(qtbot: QtBot, shown: Callable[..., SliceDetailPanel]) -> None:
    panel = shown("matmul", T0 + 100_000)
    tree = panel.args.tree
    rows = {tree.topLevelItem(i).text(0): tree.topLevelItem(i) for i in range(tree.topLevelItemCount())}
    assert list(rows) == ["Input Shapes", "count", "connection_id", "Call stack", "links", "nested"]
    assert rows["count"].text(1) == "16777216"
    assert rows["connection_id"].text(1) == '"88214"'
    stack = rows["Call stack"]
    assert [stack.child(i).text(0) for i in range(stack.childCount())] == ["a.py(1): f", "b.py(2): g"]
    assert rows["nested"].child(0).child(0).text(1) == "1"
    rows["nested"].setExpanded(False)
    table = tree.itemWidget(rows["links"].child(0), 0)
    assert isinstance(table, ArrowTable)
    table.sort_by("rank")
    assert table.shown_table().to_pydict() == {"rank": [1, 3], "bytes": [20, 10]}
    tree.setCurrentItem(rows["connection_id"])
    panel.args.copy_value()
    assert QGuiApplication.clipboard().text() == "88214"
    panel.args.copy_json()
    assert json.loads(QGuiApplication.clipboard().text()) == ARGS


def test_args_of_a_moved_source_say_how_to_get_them_back(
    qtbot: QtBot, store: Store, shown: Callable[..., SliceDetailPanel], tmp_path: Path
) -> None:
    (tmp_path / "trace_view.json").unlink()
    panel = shown("matmul", T0 + 100_000)
    assert "moved or changed" in panel.args.message
    assert "Relink" in panel.args.message
    assert _facts(panel)["Wall Duration"] == "500.000 µs 500,000 ns"


@pytest.mark.row("system-timeline", 87)
def test_linked_slices_have_direction_category_lane_and_distance(store: Store) -> None:
    found = linked_slices(store, card="Card 0", slice_id=_id(store, "matmul", T0 + 100_000))
    assert found.drop_columns(["slice_id", "hash"]).to_pylist() == [
        {"direction": "from", "name": "linear", "category": "fwdbwd", "lane": "Thread 7", "distance_ns": -100_000},
        {"direction": "to", "name": "MatMulV2", "category": "async_npu", "lane": "Stream 3", "distance_ns": 39_682},
        {"direction": "to", "name": "Add", "category": "HostToDevice", "lane": "Stream 3", "distance_ns": 800_000},
    ]


@pytest.mark.row("system-timeline", 87)
def test_enter_on_a_linked_slice_jumps_there(
    qtbot: QtBot, store: Store, shown: Callable[..., SliceDetailPanel]
) -> None:
    panel = shown("matmul", T0 + 100_000)
    jumps: list[Jump] = []
    panel.context.jump.connect(jumps.append)
    panel.links.select_row(1)
    qtbot.keyClick(panel.links, Qt.Key.Key_Return)
    assert jumps == [Jump("Card 0", slice_id=_id(store, "MatMulV2"))]


def test_an_instant_is_shown_with_its_time_only(qtbot: QtBot, store: Store) -> None:
    panel = SliceDetailPanel(Context(store))
    qtbot.addWidget(panel)
    panel.show_instant("Card 0", 0)
    qtbot.waitUntil(lambda: bool(panel.facts.facts))
    facts = _facts(panel)
    assert facts["Name"] == "marker"
    assert facts["Start"] == "00:00.000.000.005"
    assert "Wall Duration" not in facts
    assert panel.shown == ("Card 0", 6)


def test_the_newest_slice_wins_and_clear_drops_answers(qtbot: QtBot, store: Store) -> None:
    panel = SliceDetailPanel(Context(store))
    qtbot.addWidget(panel)
    panel.show_slice("Card 0", _id(store, "linear"))
    panel.show_slice("Card 0", _id(store, "Add"))
    qtbot.waitUntil(lambda: bool(panel.facts.facts))
    settle(qtbot)
    assert _facts(panel)["Name"] == "Add"
    panel.show_slice("Card 0", _id(store, "linear"))
    panel.clear()
    settle(qtbot)
    assert panel.shown is None
    assert _facts(panel)["Name"] == "Add"


def test_copies_hold_exact_numbers(shown: Callable[..., SliceDetailPanel]) -> None:
    panel = shown("matmul", T0 + 100_000)
    panel.copy()
    text = QGuiApplication.clipboard().text()
    assert "Wall Duration\t500000 ns\n" in text
    assert f"Start (Raw Timestamp)\t{T0 + 100_000} ns\n" in text
    assert "→ to\tMatMulV2\tasync_npu\tStream 3\t39.682\n" in text


def test_a_slice_that_is_not_there_is_explained_in_the_panel(qtbot: QtBot, store: Store) -> None:
    panel = SliceDetailPanel(Context(store))
    qtbot.addWidget(panel)
    banners: list[Any] = []
    panel.context.message.connect(lambda *m: banners.append(m))
    panel.show_slice("Card 0", 99)
    qtbot.waitUntil(lambda: panel._error is not None)
    assert "has no slice 99" in panel._empty.texts()[0]


def test_facts_of_a_raw_clock_have_no_date() -> None:
    found = {
        "kind": "slice", "name": "x", "category": "", "start_ns": 5, "end_ns": 14, "duration_ns": 9, "self_ns": None,
        "path": ["p", "t"], "card_title": "c", "shift_ns": 5, "rank": None, "args": [],
    }  # fmt: skip
    by_title = {f.title: f for f in facts_of(found)}
    assert by_title["Wall Duration"].value == "9 ns"
    assert by_title["Wall Duration"].quiet == ""
    assert by_title["Start (Raw Timestamp)"].quiet == ""
