"""The Snapshot page on a recorded allocator and on the real files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from tests.support import snapshot_files as sf

from insight_desktop.engine.load_options import EventRange
from insight_desktop.engine.store import Store
from insight_desktop.views.common import language, theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.memory import snapshot_panels as tabs
from insight_desktop.views.memory import snapshot_part as part
from insight_desktop.views.memory import snapshot_verbs as verbs
from insight_desktop.views.memory.snapshot import SnapshotPage
from insight_desktop.views.memory.snapshot_detail import Item
from insight_desktop.views.memory.snapshot_map import packed

row = pytest.mark.row
EXPANDABLE = "snapshot/snapshot_expandable.pkl"


def shown(qtbot: QtBot, store: Store, size: tuple[int, int] = (1300, 900)) -> SnapshotPage:
    theme.set_theme("dark", remember=False)
    page = SnapshotPage(Context(store))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    page.resize(*size)
    page.show()
    if store.every_card:
        settled(qtbot, page)
    return page


def settled(qtbot: QtBot, page: SnapshotPage, kind: str = "event") -> None:
    """Chart, map and details show the moment of the page."""

    def done() -> bool:
        state, content = page.panels.map.area.state, page.detail.content
        return (
            page.opened is not None
            and state is not None
            and state.event == page.event_index
            and (page.item is None or (content is not None and content.item == page.item))
        )

    qtbot.waitUntil(done)


def table(qtbot: QtBot, page: SnapshotPage, number: int) -> list[dict[str, Any]]:
    page.panels.bar.setCurrentIndex(number)
    widget = page.panels.tables[number]
    qtbot.waitUntil(lambda: widget.table.num_rows > 0)
    found: list[dict[str, Any]] = widget.table.to_pylist()
    return found


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> SnapshotPage:
    return shown(qtbot, sf.opened(sf.written(tmp_path, sf.made(n=400, timed=True)), tmp_path / "capture"))


@pytest.fixture
def real_page(qtbot: QtBot, real: Callable[[str], Path], tmp_path: Path) -> SnapshotPage:
    return shown(qtbot, sf.opened(real(EXPANDABLE), tmp_path / "capture"))


def test_the_page_opens_at_the_peak_with_its_allocator_and_its_event(real_page: SnapshotPage) -> None:
    page = real_page
    assert page.event_index == 7430
    assert page.chart.title_label.text() == "Active memory"
    assert page.chart.subtitle.full_text() == "3,219 blocks · events 0 – 8,091"
    assert page.panels.map.title == "Allocator after event 7,430"
    assert [value.text() for value in page.panels.kpis.values] == [
        "614.000 MiB", "570.107 MiB", "43.893 MiB", "13.937 MiB", "0 B", "68.2 %",
    ]  # fmt: skip
    assert page.detail.title.full_text() == "Event 7,430   alloc · stream 1276474240"
    assert page.bar.card_box.isHidden()


@row("memory", 29)
@pytest.mark.example("memory", "W12")
def test_chips_follow_the_visible_range_and_the_size_mode(real_page: SnapshotPage, qtbot: QtBot) -> None:
    page = real_page
    qtbot.waitUntil(lambda: page.bar.chips[0].text() == "Unreleased 306,851.500 KB")
    page.chart.zoom_to(100, 1000)
    qtbot.waitUntil(lambda: page.bar.chips[0].text() == "Unreleased 108,473.000 KB")
    assert [chip.text() for chip in page.bar.chips[1:]] == ["Largest 9,216.500 KB", "Smallest 0.500 KB"]
    page.bar.mode_box.setCurrentIndex(page.bar.mode_box.findData("upstream"))
    qtbot.waitUntil(lambda: page.bar.chips[0].text() == "Unreleased 108,400.086 KB")


@row("memory", 37)
def test_detail_hides_small_blocks_but_the_peak_stays(page: SnapshotPage) -> None:
    top = page.chart.block_plot.frame.y.high
    for value in (1, 40, 80):
        page.bar.slider.setValue(value)
        assert page.chart.block_plot.frame.y.high == top
    assert page.chart.block_plot.least > 0
    page.bar.slider.setValue(100)
    assert page.chart.block_plot.least == 0


@row("memory", 13)
def test_a_click_on_a_block_chooses_it_everywhere(page: SnapshotPage, qtbot: QtBot) -> None:
    plot = page.chart.block_plot
    page.grab()
    ids = plot._ids
    assert ids is not None
    ys, xs = np.nonzero(ids >= 0)
    k = len(xs) // 2
    frame, block = plot.frame.plot, int(ids[ys[k], xs[k]])
    at = QPointF(frame.left() + xs[k] + 0.5, frame.top() + ys[k] + 0.5)
    QTest.mouseMove(plot, at.toPoint())
    assert plot.block_under(at) == block
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert page.item == Item("block", block)
    settled(qtbot, page)
    assert page.chart.block_plot.chosen_block == block
    assert page.panels.map.area.block == block
    assert page.detail.content is not None
    assert page.detail.content.title.startswith(f"Block {block}")
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=QPointF(at.x(), frame.top() + 1).toPoint())
    settled(qtbot, page)
    assert page.item is not None
    assert page.item.kind == "event"


@row("memory", 32)
def test_a_block_tells_its_events_sizes_and_stacks(real_page: SnapshotPage, qtbot: QtBot) -> None:
    page = real_page
    assert page.opened is not None
    block = int(page.opened.device.column("block")[1])
    page.show_item(Item("block", block))
    settled(qtbot, page)
    content = page.detail.content
    assert content is not None
    facts = {fact.title: fact.value for fact in content.facts}
    assert facts["Address"] == "0x12d3053c4000"
    assert facts["Size"] == "40.000 MiB (41,943,552 B)"
    assert facts["Requested"] == "40.000 MiB (41,943,040 B)"
    assert facts["Alloc event"] == "1"
    assert facts["Free requested event"] == "–"
    assert content.stacks[0].lines[0].function == "train_one_step"
    found = json.loads(page.detail.as_json())
    assert found["facts"]["Lost to rounding"] == "512 B"


@row("memory", 31)
def test_tabs_of_the_details_close_like_tabs(page: SnapshotPage, qtbot: QtBot) -> None:
    for event in (10, 20, 30):
        page.go_to_event(event)
        settled(qtbot, page)
    tabs_of = page.detail
    assert [item.number for item in tabs_of.items][1:] == [10, 20, 30]
    tabs_of.close_tab(3)
    settled(qtbot, page)
    assert page.item == Item("event", 20)
    tabs_of.close_others(1)
    assert [item.number for item in tabs_of.items] == [10]
    assert len(tabs_of.tab_menu(0).actions()) == 4


@row("memory", 30)
def test_the_search_counts_and_steps_through_its_hits(real_page: SnapshotPage, qtbot: QtBot) -> None:
    page = real_page
    panel = page.panels.events
    panel.action_box.setCurrentIndex(panel.action_box.findData("segment_map"))
    qtbot.waitUntil(lambda: len(panel.list.hits) == 45)
    panel.step(1)
    settled(qtbot, page)
    assert page.event_index == 0  # behind the last hit comes the first one
    assert panel.counter.text() == "1 of 45"
    panel.step(-1)
    settled(qtbot, page)
    assert panel.counter.text() == "45 of 45"
    panel.action_box.setCurrentIndex(0)
    panel.search.setText("0x12d3053c4000")
    qtbot.waitUntil(lambda: panel.is_searching and 0 < len(panel.list.hits) < 45)
    assert panel.list.hits[0] == 1


def test_keys_scrub_through_the_events(page: SnapshotPage, qtbot: QtBot) -> None:
    page.go_to_event(50)
    events = page.panels.events.list
    for key, wanted in ((Qt.Key.Key_Down, 51), (Qt.Key.Key_Up, 50), (Qt.Key.Key_Home, 0), (Qt.Key.Key_End, 399)):
        QTest.keyClick(events, key)
        assert page.event_index == min(wanted, events.count - 1)
    settled(qtbot, page)
    assert page.panels.map.area.state is not None
    assert page.panels.map.area.state.event == events.count - 1


@row("memory", 28)
@pytest.mark.example("memory", "W11")
def test_segments_are_packed_into_lines() -> None:
    places, width, lines = packed([100, 200, 300, 500], [0, 1, 2, 3])
    assert [(p.line, p.x) for p in places] == [(0, 20), (0, 140), (1, 20), (2, 20)]
    assert (width, lines) == (540, 3)


@row("memory", 28)
@pytest.mark.example("memory", "W11")
def test_segments_of_the_first_real_file_take_28_lines(
    qtbot: QtBot, real: Callable[[str], Path], tmp_path: Path
) -> None:
    page = shown(qtbot, sf.opened(real("snapshot/snapshot_1768383987920985470.pkl"), tmp_path / "capture"))
    page.go_to_event(9699)
    settled(qtbot, page)
    area = page.panels.map.area
    counts = [sum(p.line == line for p in area._places) for line in range(area._lines)]
    assert counts == [9, 9, 9, 1, *[1] * 24]
    assert area._units == 21390950


def test_a_click_on_the_map_chooses_blocks_and_segments(page: SnapshotPage, qtbot: QtBot) -> None:
    area = page.panels.map.area
    state = area.state
    assert state is not None
    hits = {}
    for x in range(8, area.viewport().width() - 8, 2):
        found = area.hit(QPointF(x, 10))
        if found is not None:
            hits[found[1] >= 0] = QPointF(x, 10)
    assert area.words(hits[True])
    QTest.mouseClick(area.viewport(), Qt.MouseButton.LeftButton, pos=hits[True].toPoint())
    assert page.item is not None
    assert page.item.kind == "block"
    QTest.mouseClick(area.viewport(), Qt.MouseButton.LeftButton, pos=hits[False].toPoint())
    assert page.item.kind == "segment"
    settled(qtbot, page)
    assert page.detail.content is not None
    assert "Segment size" in {fact.title for fact in page.detail.content.facts}


@row("memory", 39)
def test_tables_are_asked_when_they_are_seen_and_their_links_lead_on(real_page: SnapshotPage, qtbot: QtBot) -> None:
    page = real_page
    assert len(table(qtbot, page, tabs.BLOCKS)) == 3219
    leaks = table(qtbot, page, tabs.LEAKS)
    assert [r["blocks"] for r in leaks] == [3, 161, 161]
    page.panels.tables[tabs.LEAKS].select_row(0)
    assert len(page.chart.block_plot.found) == 3
    page.panels.link.emit(f"event:{leaks[0]['first_event']}")
    assert page.event_index == 1
    assert len(table(qtbot, page, tabs.SEGMENTS)) == 2
    assert {r["kind"] for r in table(qtbot, page, tabs.SAVINGS)} >= {"long life", "fragmentation"}
    assert table(qtbot, page, tabs.TREE)[0]["name"] == "all"
    assert len(table(qtbot, page, tabs.POOLS)) == 2
    assert sum(r["bytes"] for r in table(qtbot, page, tabs.STACKS)) == 597800960


@row("memory", 40)
def test_two_moments_are_compared_from_the_shown_event(real_page: SnapshotPage, qtbot: QtBot) -> None:
    page = real_page
    page.go_to_event(0)
    page.compare_from_here()
    page.go_to_event(8091)
    settled(qtbot, page)
    widget = page.panels.tables[tabs.COMPARE]
    qtbot.waitUntil(lambda: widget.table.num_rows > 1 and sum(widget.table["bytes_after"].to_pylist()) == 408698880)
    assert sum(widget.table["bytes_before"].to_pylist()) == 94482944
    page.panels.by_box.setCurrentIndex(page.panels.by_box.findData("totals"))
    qtbot.waitUntil(lambda: "name" in widget.table.column_names)


@row("memory", 35, 36)
def test_other_charts_and_what_is_missing_for_them(page: SnapshotPage, qtbot: QtBot) -> None:
    said: list[tuple[str, str, str]] = []
    page.context.message.connect(lambda *words: said.append(words))
    page.bar.chart_box.setCurrentIndex(page.bar.chart_box.findData("segments"))
    qtbot.waitUntil(lambda: page.opened is not None and page.opened.chart.kind == "segments")
    assert page.chart.title_label.text() == "Cached segments"
    page.bar.chart_box.setCurrentIndex(page.bar.chart_box.findData("pools"))
    qtbot.waitUntil(lambda: bool(said))
    assert "no private memory pools" in said[0][1]
    assert page.bar.chart_box.currentData() == "active"


@row("memory", 43, 44)
def test_time_axis_and_colours_of_categories(qtbot: QtBot, tmp_path: Path) -> None:
    content = sf.made(n=300, timed=True)
    for k, e in enumerate(content["device_traces"][0]):
        e["category"] = "weight" if k < 150 else "gradient"
    us = [e["time_us"] for e in content["device_traces"][0]]
    content["external_annotations"] = [
        {"name": "forward", "stage": "START", "device": 0, "time_us": us[30]},
        {"name": "forward", "stage": "END", "device": 0, "time_us": us[90]},
    ]
    page = shown(qtbot, sf.opened(sf.written(tmp_path, content), tmp_path / "capture"))
    page.colour_box.setCurrentIndex(page.colour_box.findData("category"))
    qtbot.waitUntil(lambda: {"weight", "gradient"} <= {entry.text for entry in page.chart.entries()})
    assert [(b.low, b.high, b.text) for b in page.chart.plot.bands] == [(30.0, 90.0, "forward")]
    page.go_to_event(5)
    QTest.keyClick(page.chart.block_plot, Qt.Key.Key_Right)
    assert page.event_index == 6
    page.bar.chart_box.setCurrentIndex(page.bar.chart_box.findData("time"))
    qtbot.waitUntil(lambda: page.opened is not None and page.opened.chart.kind == "time")
    page.go_to_event(120)
    assert page.opened is not None
    marker = page.chart.block_plot.marker
    assert marker is not None
    assert marker.at == page.opened.chart.times[120]
    page.chart.zoom_to(float(page.opened.chart.times[10]), float(page.opened.chart.times[40]))
    assert page.visible_range == (10, 40)


@row("memory", 36)
def test_a_pool_shows_its_blocks_inside_its_envelope(qtbot: QtBot, tmp_path: Path) -> None:
    mine = sf.segment(0, 2 * sf.MIB, (0, sf.MIB, sf.MIB, "active_allocated"), segment_pool_id=(0, 1))
    trace = [sf.event("segment_alloc", 0, 2 * sf.MIB), sf.event("alloc", 0, sf.MIB), *[sf.event("x")] * 20]
    path = sf.written(tmp_path, {"segments": [mine], "device_traces": [trace]})
    page = shown(qtbot, sf.opened(path, tmp_path / "capture"))
    page.bar.chart_box.setCurrentIndex(page.bar.chart_box.findData("pools"))
    qtbot.waitUntil(lambda: page.opened is not None and page.opened.chart.kind == "pools")
    page.grab()
    ids = page.chart.block_plot._ids
    assert ids is not None
    assert set(np.unique(ids[:, -1]).tolist()) == {-1, 0, 1}
    assert page.block_of(1) == 0
    assert page.chart.block_plot.facts(0)[0].value == "0, 1"


@row("memory", 33, 42)
def test_an_oom_comes_first_with_its_verdict(qtbot: QtBot, tmp_path: Path) -> None:
    content = sf.made(n=100)
    oom = {"action": "oom", "device_free": sf.MIB, "size": 800 * sf.MIB, "stream": 1001, "frames": []}
    content["device_traces"][0].insert(40, oom)
    page = shown(qtbot, sf.opened(sf.written(tmp_path, content), tmp_path / "capture"))
    assert page.event_index == 40
    assert page.detail.content is not None
    assert page.detail.content.verdict is not None
    assert page.detail.content.verdict[0] == "Out of memory: the device was full"
    assert not page.detail.verdict.isHidden()
    assert [(m.at, m.is_bad) for m in page.chart.block_plot.marks] == [(40, True)]
    assert table(qtbot, page, tabs.OOM)[0]["verdict"] == "true shortage"


@row("memory", 47)
def test_what_was_repaired_is_said(qtbot: QtBot, tmp_path: Path) -> None:
    trace = [sf.event("alloc", 4096, 512), sf.event("alloc", 4096, 512)]
    dump = sf.segment(0, 2 * sf.MIB, (4096, 512, 512, "active_allocated"))
    page = shown(
        qtbot,
        sf.opened(sf.written(tmp_path, {"segments": [dump], "device_traces": [trace]}), tmp_path / "capture"),
    )
    assert page.bar.quality.text() == "1 inconsistencies repaired"
    page.bar.quality.click()
    assert table(qtbot, page, tabs.QUALITY)[0]["count"] == 1


@row("memory", 50)
def test_details_and_the_visible_range_are_exported(page: SnapshotPage, qtbot: QtBot, tmp_path: Path) -> None:
    said: list[str] = []
    page.context.message.connect(lambda level, text, _fix: said.append(f"{level} {text}"))
    verbs.export_details(page, tmp_path / "one.json")
    assert json.loads((tmp_path / "one.json").read_text())["title"].startswith("Event ")
    page.chart.zoom_to(100, 200)
    verbs.export_range(page, str(tmp_path / "part.pickle"))
    qtbot.waitUntil(lambda: len(said) == 2)
    part = sf.filled(tmp_path / "part.pickle", tmp_path / "part")
    assert part.device().events == 101
    page.chart.export(tmp_path / "chart.png")
    page.panels.map.export(tmp_path / "map.svg")
    assert (tmp_path / "chart.png").stat().st_size > 2000
    assert (tmp_path / "map.svg").stat().st_size > 500
    assert len(verbs.export_menu(page).actions()) == 4


def test_a_session_brings_event_zoom_and_choices_back(page: SnapshotPage, qtbot: QtBot) -> None:
    page.go_to_event(77)
    page.chart.zoom_to(50, 150)
    page.bar.mode_box.setCurrentIndex(page.bar.mode_box.findData("requested"))
    qtbot.waitUntil(lambda: page.mode == "requested")
    settled(qtbot, page)
    state = json.loads(json.dumps(page.view_state()))
    other = shown(qtbot, page.context.store)
    other.restore_state(state)
    qtbot.waitUntil(lambda: other.opened is not None and other.event_index == 77)
    assert other.chart.plot.view == (50.0, 150.0)
    assert other.mode == "requested"


@row("memory", 48)
def test_without_a_snapshot_the_page_says_how_to_get_one(qtbot: QtBot) -> None:
    page = shown(qtbot, Store())
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.empty)


def test_a_dump_without_a_trace_is_a_flat_chart(qtbot: QtBot, tmp_path: Path) -> None:
    dump = sf.segment(0, 2 * sf.MIB, (4096, sf.MIB, sf.MIB, "active_allocated"))
    page = shown(qtbot, sf.opened(sf.written(tmp_path, [dump]), tmp_path / "capture"))
    page.grab()
    assert page.panels.events.list.count == 0
    assert page.panels.map.title == "Allocator before the first event"
    ids = page.chart.block_plot._ids
    assert ids is not None
    assert (ids[-1] == 0).all()


@row("memory", 51)
@pytest.mark.parametrize("size", [(900, 560), (1240, 640), (2560, 1400)])
def test_the_page_stands_in_both_languages_and_at_every_size(page: SnapshotPage, qtbot: QtBot, size: tuple[int, int]) -> None:  # fmt: skip
    page.resize(*size)
    language.set_language("zh")
    try:
        page.bar.retranslate()
        page.retranslate()
        page.grab()
        assert page.minimumSizeHint().width() <= 900
        assert page.width() == size[0]
    finally:
        language.set_language("en")


@row("memory", 50)
def test_a_part_of_the_events_is_asked_for_and_named_and_all_can_be_had_again(
    page: SnapshotPage, qtbot: QtBot, tmp_path: Path
) -> None:
    asked: list[tuple[str, str, str]] = []
    page.context.option_wanted.connect(lambda *told: asked.append(told))
    assert page.bar.part.text() in ("All events", "")
    assert [a.isEnabled() for a in part.menu(page).actions() if a.text()] == [False, True, False]
    page.chart.zoom_to(10, 40)
    qtbot.waitUntil(lambda: page.visible_range == (10, 40))
    part.read_visible(page)
    assert asked == [("one", "events", "10:40")]
    sf.opened(tmp_path / "mem.pickle", tmp_path / "part", store=page.context.store, events="10:40")
    page.context.store_changed.emit()
    qtbot.waitUntil(lambda: page.opened is not None and page.opened.device.events == 31)
    settled(qtbot, page)
    whole = part.whole(page.opened.device)  # type: ignore[union-attr]
    assert part.said(page.opened.device) == f"events 10 – 40 of {whole}"  # type: ignore[union-attr]
    assert page.chart.subtitle.full_text().endswith("events 0 – 30")
    page.chart.zoom_to(5, 9)
    qtbot.waitUntil(lambda: page.visible_range == (5, 9))
    part.read_visible(page)
    assert [a.isEnabled() for a in part.menu(page).actions() if a.text()] == [True, True, True]
    part.menu(page).actions()[-1].trigger()
    assert asked[1:] == [("one", "events", "15:19"), ("one", "events", "")]


def test_the_question_for_a_part_takes_only_events_that_are_there(qtbot: QtBot) -> None:
    dialog = part.PartDialog(10, 40, 5000)
    qtbot.addWidget(dialog)
    assert dialog.part() == EventRange(10, 40)
    for first, last, wanted in (("1,000", "4 999", EventRange(1000, None)), ("0", "99999", EventRange()), ("5", "4", None),
                                ("5000", "6000", None), ("", "7", None), ("-1", "7", None), ("a", "b", None)):  # fmt: skip
        dialog.first.setText(first)
        dialog.last.setText(last)
        assert dialog.part() == wanted
