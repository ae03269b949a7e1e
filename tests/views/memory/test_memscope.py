from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from tests.support.memscope_files import T0, access, free, malloc, row, write_db

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.memory import memscope as queries
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.views.common import language, theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.memory import memscope_panels
from insight_desktop.views.memory.memscope import MemscopePage
from insight_desktop.views.memory.memscope_dialog import ThresholdDialog
from insight_desktop.views.memory.memscope_panels import clock

Real = Callable[[str], Path]


def make(qtbot: QtBot, *paths: Path) -> MemscopePage:
    theme.set_theme("dark", remember=False)
    _, items = import_paths(list(paths), fresh=True)
    page = MemscopePage(Context(Store([StoreCard.of_import(item) for item in items])))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    page.resize(1300, 950)
    page.show()
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.empty or all(is_there(page)))
    return page


def is_there(page: MemscopePage) -> tuple[bool, ...]:
    """Table, blocks and curve come one by one."""
    charts = page.charts
    return page.panels.blocks.table.num_rows > 0, charts.blocks.block_plot.blocks is not None, bool(charts.curve.series)


def ids(page: MemscopePage) -> list[int]:
    return list(page.panels.blocks.table["block_id"].to_pylist())


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> MemscopePage:
    """Three blocks over 1000 ns: one early, one never freed, one with a tag of the collector."""
    rows = [
        malloc(0, 0, 0x10, 2 << 20, allocation_id=1, owner="PTA@model@weight", py="train.py(1): main\n"),
        access(1, 600, 0x10, 1), free(2, 800, 0x10, allocation_id=1),
        malloc(3, 100, 0x20, 1 << 20, allocation_id=2, owner="PTA@ops@aten", inefficient_type="early_allocation"),
        malloc(4, 900, 0x30, 512), row(5, "SYSTEM", "STOP_TRACE", 1000, device="N/A"), free(6, 950, 0x99),
    ]  # fmt: skip
    calls = [
        ("train.py(1): main", str(T0), str(T0 + 1000), 7, 7),
        ("train.py(9): step", str(T0 + 200), str(T0 + 700), 7, 7),
    ]
    return make(qtbot, write_db(tmp_path / "memscope_dump_1.db", rows, traces={"python_trace_7": calls}))


def test_curve_blocks_and_quality_of_the_only_dump_come_at_once(page: MemscopePage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: bool(page.charts.curve.series))
    assert page.charts.curve.series[0].y.tolist() == [2.0, 3.0, 1.0, 1.00048828125, 1.00048828125]
    assert ids(page) == [0, 1, 2]
    assert page.panels.blocks.row(1)["free_ns"] is None
    assert page.panels.blocks.row(1)["ptr"] == "0x0000000000000020"
    assert page.quality_button.text() == "1 rows ignored"
    assert page.panels.quality.row(0)["text"] == "FREE without a MALLOC"
    assert not page.card_box.isVisible()


@pytest.mark.row("memory", 22)
def test_a_time_is_marked_in_all_charts_and_taken_apart(page: MemscopePage, qtbot: QtBot) -> None:
    page.set_marker(50)
    qtbot.waitUntil(lambda: "000us 050ns" in page.treemap.subtitle.full_text())
    assert page.flame.area.marker == 50
    names = [box.name for box in page.treemap.area.boxes.values()]
    assert names == ["Process Total Memory Allocation: 2 MB", "PTA Reserved: 2 MB", "PTA Model: 2 MB", "Weight: 2 MB"]
    page.set_marker(150)
    qtbot.waitUntil(lambda: "PTA Operator: 1 MB" in [box.name for box in page.treemap.area.boxes.values()])


@pytest.mark.row("memory", 22)
def test_the_visible_range_filters_the_tables_and_the_flame_graph_follows(page: MemscopePage, qtbot: QtBot) -> None:
    page.charts.blocks.zoom_to(850, 1000)
    qtbot.waitUntil(lambda: ids(page) == [1, 2])
    assert page.flame.area.view == pytest.approx((850, 1000))
    assert page.panels.events.table["id"].to_pylist() == [4, 5, 6][:0] or {4, 6} <= set(
        page.panels.events.table["id"].to_pylist()
    )
    page.flame.area.set_view(0, 1000)
    qtbot.waitUntil(lambda: ids(page) == [0, 1, 2])


@pytest.mark.row("memory", 22)
def test_a_range_stays_when_data_come_later(page: MemscopePage, qtbot: QtBot) -> None:
    charts, dump = page.charts, page.dump
    page.dump = {}
    blocks, ids_, curve = charts.blocks.block_plot.blocks, charts.ids, charts.curve.series
    assert blocks is not None
    assert curve
    charts.blocks.block_plot.blocks = None
    for chart in charts.charts:
        chart.set_series([])
    page.dump = dump
    page.flame.area.set_view(850, 1000)  # moved before the charts had anything to show
    page._show_lives((blocks, ids_))
    device, kind = page.pool
    page._show_curve(queries.curve(page.context.store, card=page.card or "", device=device, kind=kind))
    qtbot.waitUntil(lambda: ids(page) == [1, 2])
    assert [chart.plot.view for chart in charts.charts] == [(850, 1000), (850, 1000)]


@pytest.mark.row("memory", 16)
def test_thresholds_tag_and_filter(page: MemscopePage, qtbot: QtBot) -> None:
    page.set_thresholds({"early_ns": 500})
    qtbot.waitUntil(lambda: page.panels.blocks.row(0)["tags"] == "early-alloc")
    page.set_thresholds({"early_ns": 500, "only_tagged": True})
    qtbot.waitUntil(lambda: ids(page) == [0])


@pytest.mark.row("memory", 16)
def test_the_dialog_gives_only_thresholds_that_are_on(qtbot: QtBot) -> None:
    dialog = ThresholdDialog({"early_ns": 350, "idle_percent": 20})
    qtbot.addWidget(dialog)
    assert dialog.values == {"early_ns": 350, "idle_percent": 20}
    dialog.fields["early_ns"].setText("0")
    dialog.fields["late_ns"].setText("9999999999999")
    dialog.only.setChecked(True)
    assert dialog.values == {"late_ns": 10**12, "idle_percent": 20, "only_tagged": True}


@pytest.mark.row("memory", 32)
def test_a_chosen_block_shows_its_facts_and_both_stacks(page: MemscopePage, qtbot: QtBot) -> None:
    page.panels.blocks.select_row(0)
    qtbot.waitUntil(lambda: "train.py(1): main" in page.panels.text.toPlainText())
    facts = {fact.title: fact.value for fact in page.panels.details.facts}
    assert (facts["Address"], facts["Owner"], facts["Life"]) == ("0x0000000000000010", "PTA@model@weight", "800 ns")
    assert facts["First access"] == "0s 000ms 000us 600ns"
    page.panels.blocks.select_row(1)
    qtbot.waitUntil(lambda: {f.title: f.value for f in page.panels.details.facts}["Free"] == "never freed")
    assert {f.title: f.value for f in page.panels.details.facts}["Collector tags"] == "early_allocation"


@pytest.mark.row("memory", 20)
def test_call_stacks_follow_the_rule(page: MemscopePage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.panels.stacks.table.num_rows == 2)
    assert [(r["name"], r["size_bytes"]) for r in page.panels.stacks.table.to_pylist()] == [
        ("train.py(1): main", 2 << 20),
        ("(no stack)", 1 << 20),
    ]
    page.panels.rule_box.setCurrentIndex(page.panels.rule_box.findData("unreleased"))
    qtbot.waitUntil(lambda: page.panels.stacks.table["name"].to_pylist() == ["(no stack)"])


@pytest.mark.row("memory", 19)
def test_functions_are_drawn_found_and_explained(page: MemscopePage, qtbot: QtBot) -> None:
    area = page.flame.area
    qtbot.waitUntil(lambda: area.table.num_rows == 2)
    box = area._box(1, area.scale(area.viewport().width()), 0.0)
    assert area.call_at(box.center()) == 1
    assert area.tip(1) == "train.py(9): step\nStart: 0.000 ms\nDuration: 500 ns\nDepth: 1"
    qtbot.waitUntil(lambda: page.flame.search.count() == 3)
    page.flame.search.setEditText("STEP")
    assert area.found == {"train.py(9): step"}
    spot = QPointF(area.scale(area.viewport().width()).px(500), 5).toPoint()
    QTest.mouseClick(area.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)
    assert page.marker == pytest.approx(500, abs=2)


def test_a_pinned_time_gives_differences(page: MemscopePage, qtbot: QtBot) -> None:
    page.set_marker(50)
    qtbot.waitUntil(lambda: page.panels.owners.table.num_rows == 4)
    page.pin()
    page.set_marker(850)
    wanted = {"PTA": -(1 << 20), "PTA@ops": 1 << 20}

    def differences() -> dict[str, Any]:
        rows = page.panels.owners.table.to_pylist()
        return {r["owner"]: r["delta_bytes"] for r in rows if r["owner"] in wanted}

    qtbot.waitUntil(lambda: differences() == wanted)


@pytest.mark.row("memory", 23)
def test_pinned_host_memory_has_neither_thresholds_nor_owners(qtbot: QtBot, real: Real) -> None:
    page = make(qtbot, real("upstream_unit/memscope/host_pinned"))
    assert not page.threshold_button.isVisible()
    assert not page.treemap.isVisible()
    assert not page.panels.bar.isTabVisible(memscope_panels.OWNERS)
    assert not page.flame.isVisible()


def test_a_dump_without_allocations_says_what_to_collect(qtbot: QtBot, tmp_path: Path) -> None:
    page = make(qtbot, write_db(tmp_path / "memscope_dump_1.db", [row(0, "SYSTEM", "START_TRACE", 0, device="N/A")]))
    assert page.empty.title.text() == "This dump has no allocation events"
    assert "--events=alloc,free" in page.empty.code


def test_several_dumps_are_chosen_by_name_and_state_comes_back(
    page: MemscopePage, qtbot: QtBot, tmp_path: Path
) -> None:
    page.set_thresholds({"early_ns": 500})
    page.charts.curve.zoom_to(100, 500)
    qtbot.waitUntil(lambda: page.view_state()["view"] is not None)
    state = page.view_state()
    paths = [tmp_path / "memscope_dump_1.db", write_db(tmp_path / "memscope_dump_2.db", [malloc(0, 0, 1, 8)])]
    again = make(qtbot, *paths)
    assert again.card_box.isVisible()
    again.restore_state({**state, "card": "memscope_dump_1"})
    qtbot.waitUntil(lambda: not again._state and again.view_state()["view"] == pytest.approx([100, 500]))
    assert again.thresholds == {"early_ns": 500}


@pytest.mark.row("memory", 51)
def test_words_follow_the_language(page: MemscopePage, qtbot: QtBot) -> None:
    try:
        language.set_language("zh", remember=False)
        qtbot.waitUntil(lambda: page.flame.title == "调用栈火焰图")
        assert page.treemap.title == "内存详情拆解图"
        assert [page.panels.bar.tabText(i) for i in (0, 1)] == ["内存块视图", "内存事件视图"]
    finally:
        language.set_language("en", remember=False)


def test_clock_pads_its_parts() -> None:
    assert clock(2611081130) == "2s 611ms 081us 130ns"
    assert clock(13350166480) == "13s 350ms 166us 480ns"


@pytest.mark.row("memory", 10)
@pytest.mark.row("memory", 22)
def test_a_click_on_a_block_chooses_it_everywhere(page: MemscopePage, qtbot: QtBot) -> None:
    plot = page.charts.blocks.block_plot
    qtbot.waitUntil(lambda: plot.blocks is not None and len(plot.blocks) == 3)
    page.charts._clicked(1, 500.0)
    qtbot.waitUntil(lambda: page.panels.blocks.current_row() == 1)
    assert page.marker == 500
    assert plot.chosen_block == 1
    page.panels.blocks.select_row(2)
    qtbot.waitUntil(lambda: plot.chosen_block == 2)
    words = [(line.name, line.value) for line in page.charts._facts(1)]
    assert words == [("Block", "#1"), ("Size", "1.000 MiB"), ("Life", "900 ns · never freed")]


@pytest.mark.row("memory", 22)
def test_both_charts_show_the_same_stretch(page: MemscopePage, qtbot: QtBot) -> None:
    page.charts.curve.zoom_to(100, 500)
    assert page.charts.blocks.view == pytest.approx((100, 500))
    page.charts.blocks.restore()
    assert page.charts.curve.view is None


def test_another_dump_can_be_compared_with(page: MemscopePage, qtbot: QtBot, tmp_path: Path) -> None:
    assert not page.panels.bar.isTabVisible(memscope_panels.COMPARISON)
    other = write_db(tmp_path / "memscope_dump_2.db", [malloc(0, 0, 0x10, 1 << 20, owner="PTA@ops@aten")])
    both = make(qtbot, tmp_path / "memscope_dump_1.db", other)
    assert both.panels.bar.isTabVisible(memscope_panels.COMPARISON)
    both.panels.bar.setCurrentIndex(memscope_panels.COMPARISON)
    table = both.panels.compare.table
    qtbot.waitUntil(lambda: table.table.num_rows == 2)
    assert [(r["group"], r["delta_bytes"]) for r in table.table.to_pylist()] == [
        ("(no owner)", 512),
        ("PTA@ops@aten", 0),
    ]
    both.panels.compare.by_box.setCurrentIndex(both.panels.compare.by_box.findData("type"))
    qtbot.waitUntil(lambda: table.table["group"].to_pylist() == ["PTA"])


def test_the_comparison_of_the_collector_has_a_tab_only_where_it_is_there(
    page: MemscopePage, qtbot: QtBot, tmp_path: Path
) -> None:
    assert not page.panels.bar.isTabVisible(memscope_panels.COLLECTOR)
    folder = tmp_path / "compared"
    dump = write_db(folder / "memscope_dump_1.db", [malloc(0, 0, 0x10, 512), free(1, 9, 0x10)])
    (folder / "memory_compare_1.csv").write_text(
        ",,,Base,Compare\nEvent,Name,Device Id,Allocated Memory(byte),Allocated Memory(byte),Diff Memory(byte)\n"
        "OP_LAUNCH,add,0,512,1024,512\nKERNEL_LAUNCH,Mul,0,N/A,2048,2048\n"
    )
    other = make(qtbot, dump)
    qtbot.waitUntil(lambda: other.panels.bar.isTabVisible(memscope_panels.COLLECTOR))
    assert [other.panels.collector.row(i)["diff_bytes"] for i in (0, 1)] == [512, 2048]
    assert other.panels.bar.tabText(memscope_panels.COLLECTOR) == "Collector's comparison"
