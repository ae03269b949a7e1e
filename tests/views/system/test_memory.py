"""The Memory page on the small run and on real data: figures, range and table, comparison, session, words."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from tests.support import memory_files
from tests.support.memory_files import FILES, STATIC_FILES, open_store

from insight_desktop.engine.store import Store
from insight_desktop.views.common import language
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.system import memory_load
from insight_desktop.views.system.memory import TAB, MemoryPage
from insight_desktop.views.system.memory_texts import clock

SPEC = "system-memory-operator-rl"
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
BASE = 1000000000
Real = Callable[[str], Path]


def row(*numbers: int) -> pytest.MarkDecorator:
    return pytest.mark.row(SPEC, *numbers)


class Flagged(Context):
    """A window whose Timeline has flags."""

    flags: list[Any]


def open_page(
    qtbot: QtBot, store: Store, *, state: dict[str, Any] | None = None, context: Context | None = None
) -> MemoryPage:
    page = MemoryPage(context or Context(store))
    qtbot.addWidget(page)
    page.resize(1300, 800)
    page.refresh()
    if state is not None:
        page.restore_state(state)
    page.show()
    return page


def wait_rows(qtbot: QtBot, table: ArrowTable, count: int) -> None:
    qtbot.waitUntil(lambda: table.model().rowCount() == count, timeout=10_000)


def column(table: ArrowTable, name: str) -> list[str]:
    at = [s.name for s in table.columns].index(name)
    model = table.model()
    return [model.data(model.index(r, at), Qt.ItemDataRole.DisplayRole) for r in range(model.rowCount())]


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> MemoryPage:
    found = open_page(qtbot, open_store(memory_files.write(tmp_path / "a_ascend_pt", FILES)))
    wait_rows(qtbot, found.details.operators, 5)
    qtbot.waitUntil(lambda: bool(found.peaks.texts()))
    return found


@pytest.fixture
def static(qtbot: QtBot, tmp_path: Path) -> MemoryPage:
    found = open_page(qtbot, open_store(memory_files.write(tmp_path / "s_ascend_pt", STATIC_FILES)))
    wait_rows(qtbot, found.details.static, 5)
    return found


def drag(qtbot: QtBot, page: MemoryPage, low: float, high: float) -> None:
    plot = page.chart.plot
    y = round(plot.frame.plot.center().y())
    first, last = (QPoint(round(plot.frame.x.px(v)), y) for v in (low, high))
    qtbot.mousePress(plot, LEFT, pos=first)
    qtbot.mouseMove(plot, last)
    qtbot.mouseRelease(plot, LEFT, pos=last)


def test_the_tab_is_called_memory() -> None:
    assert (TAB.id, TAB.title, TAB.page) == ("system.memory", "Memory", MemoryPage)


# ---- curves and figures ----------------------------------------------------------------------------------------------


@row(10)
def test_curves_stand_in_the_order_of_the_legend_with_their_points(page: MemoryPage) -> None:
    assert {s.name: list(zip(s.x.tolist(), s.y.tolist(), strict=True)) for s in page.chart.series} == {
        "Operators Allocated": [(0.101, 10), (0.15, 11.26), (0.2, 31.26)],
        "Operators Activated": [(0.101, 10), (0.15, 10), (0.2, 35.5)],
        "Operators Reserved": [(0.101, 20), (0.15, 22), (0.2, 42)],
        "App Reserved": [(0, 2000), (0.25, 2100)],
        "WORKSPACE Allocated": [(0.16, 3)],
        "WORKSPACE Reserved": [(0.16, 4)],
    }
    assert page.chart.note.text() == "6 samples, all drawn"


@row(11)
def test_the_peaks_stand_in_the_title_and_above_the_chart(page: MemoryPage) -> None:
    assert page.chart.subtitle.full_text() == (
        "Peak Memory Usage: Operator Allocated: 31.26MB | Operator Activated: 35.50MB | Operator Reserved: 42.00MB"
        " | APP Reserved: 2100.00MB | WORKSPACE Allocated: 3.00MB | WORKSPACE Reserved: 4.00MB"
    )
    assert page.peaks.texts()[:2] == ["Operators Allocated 31.26 MB 0.200 ms", "Operators Activated 35.50 MB 0.200 ms"]


@row(10)
def test_streams_have_their_own_curves_and_no_title(qtbot: QtBot, page: MemoryPage) -> None:
    page.group_box.setCurrentIndex(1)
    wait_rows(qtbot, page.details.operators, 4)
    names = [f"{w} of {s}" for s in ("777", "888") for w in ("Allocated", "Activated", "Reserved")]
    qtbot.waitUntil(lambda: [s.name for s in page.chart.series] == names)
    assert (page.chart.subtitle.full_text(), page.peak_help.isVisible()) == ("", False)


@row(27)
def test_components_have_curves_and_a_table_of_peaks(qtbot: QtBot, page: MemoryPage) -> None:
    page.group_box.setCurrentIndex(2)
    wait_rows(qtbot, page.details.components, 2)
    table = page.details.components
    assert page.details.table is table
    assert [column(table, n) for n in ("component", "peak_mb", "t_ms")] == [
        ["APP", "HCCL"],
        ["100.00", "300.00"],
        ["0.015", "0.020"],
    ]
    assert (page.details.only_inside.isVisible(), page.details.search.isVisible()) == (False, False)


@row(17)
@pytest.mark.parametrize(
    ("ms", "text"), [(3723004.567, "01:02:03.004.567"), (0.02, "00:00:00.000.020"), (90_000_000, "25:00:00.000.000"), (0, "00:00:00.000.000")]
)  # fmt: skip
def test_times_are_written_with_hours_that_go_on(ms: float, text: str) -> None:
    assert clock(ms) == text


@row(17)
def test_the_readout_tells_time_and_values(page: MemoryPage) -> None:
    page.chart.plot.move_cursor(0.2)
    assert [(line.name, line.value) for line in page.chart.plot.readout()] == [
        ("Time", "00:00:00.000.200"), ("Operators Allocated", "31.26 MB"), ("Operators Activated", "35.50 MB"),
        ("Operators Reserved", "42.00 MB"), ("App Reserved", "2,000.00 MB"),
    ]  # fmt: skip


@row(13)
def test_long_curves_are_sampled_and_asked_again_on_a_zoom(qtbot: QtBot, tmp_path: Path) -> None:
    head = FILES["memory_record.csv"].splitlines()[0]
    lines = [f"PTA+GE,{1000000 + i}.000\t,{i % 13}.0,20.0,10.0,777,NPU:0" for i in range(5000)]
    lines[2221] = "PTA+GE,1002221.000\t,99.0,20.0,10.0,777,NPU:0"
    folder = memory_files.write(tmp_path / "a_ascend_pt", {"memory_record.csv": "\n".join([head, *lines, ""])})
    page = open_page(qtbot, open_store(folder))
    qtbot.waitUntil(lambda: page.chart.note.text() == "peaks of 5,000 samples", timeout=10_000)
    curve = page.chart.plot.shown.series[0]
    assert float(curve.y[curve.x.tolist().index(2.221)]) == 99
    assert not page.chart.plot.frame.dots
    page.chart.zoom_to(2.0, 2.5)
    qtbot.waitUntil(lambda: page.chart.note.text().endswith("all drawn"))
    inside = [x for x in page.chart.plot.shown.series[0].x.tolist() if 2.0 <= x <= 2.5]
    assert (len(inside), page.chart.plot.frame.dots) == (501, True)


# ---- range and table -------------------------------------------------------------------------------------------------


@row(18)
def test_cells_are_those_of_the_file_with_na_and_unknown(page: MemoryPage) -> None:
    table = page.details.operators
    assert column(table, "name") == ["aten::empty", "aten::mm", "aten::mm", "cann::ReduceSum7", "Unknown"]
    assert column(table, "release_ms") == ["0.120", "N/A", "0.210", "0.160", "0.240"]
    assert column(table, "active_duration_ms") == ["0.101", "0.000", "0.015", "0.000", "0.010"]
    headings = [s.heading() for s in table.columns]
    assert headings == [
        "Name", "Size(KB)", "Allocation Time(ms)", "Release Time(ms)", "Active Release Time(ms)", "Duration(ms)",
        "Active Duration(ms)", "Allocation Total Allocated(MB)", "Allocation Total Reserved(MB)",
        "Allocation Total Active(MB)", "Release Total Allocated(MB)", "Release Total Reserved(MB)",
        "Release Total Active(MB)", "Stream", "Operation",
    ]  # fmt: skip


@row(19)
def test_what_is_not_released_sorts_as_the_latest(page: MemoryPage) -> None:
    table = page.details.operators
    table.sort_by("release_ms")
    assert column(table, "release_ms") == ["0.120", "0.160", "0.210", "0.240", "N/A"]
    table.sort_by("release_ms", descending=True)
    assert column(table, "release_ms") == ["N/A", "0.240", "0.210", "0.160", "0.120"]


@row(14, 20)
def test_a_drag_zooms_and_filters_the_table_by_both_rules(qtbot: QtBot, page: MemoryPage) -> None:
    table = page.details.operators
    drag(qtbot, page, 0.205, 0.22)
    wait_rows(qtbot, table, 2)
    assert column(table, "size_kb") == ["2,048.00", "1,024.00"]
    assert page.chart.view == pytest.approx((0.205, 0.22), abs=1e-3)
    assert "alive in 0.20" in page.details.interval.full_text()
    page.details.only_inside.setChecked(True)
    wait_rows(qtbot, table, 1)
    assert column(table, "size_kb") == ["1,024.00"]


@row(20)
@pytest.mark.parametrize(
    ("low", "high", "alive", "inside"),
    [(0.1, 0.13, ["512.50", "2,048.00"], ["512.50", "2,048.00"]), (0.17, 0.19, ["2,048.00"], [])],
)
def test_both_interval_rules(
    qtbot: QtBot, page: MemoryPage, low: float, high: float, alive: list[str], inside: list[str]
) -> None:
    table = page.details.operators
    page.chart.choose(low, high)
    wait_rows(qtbot, table, len(alive))
    assert column(table, "size_kb") == alive
    page.details.only_inside.setChecked(True)
    wait_rows(qtbot, table, len(inside))
    assert column(table, "size_kb") == inside


@row(15)
@pytest.mark.parametrize("way", ["right", "restore", "whole", "cross"])
def test_the_whole_range_comes_back(qtbot: QtBot, page: MemoryPage, way: str) -> None:
    drag(qtbot, page, 0.205, 0.22)
    wait_rows(qtbot, page.details.operators, 2)
    if way == "right":
        qtbot.mouseClick(page.chart.plot, RIGHT)
    else:
        button = {"restore": page.chart.restore_button, "whole": page.whole_button, "cross": page.details.drop}[way]
        qtbot.mouseClick(button, LEFT)
    wait_rows(qtbot, page.details.operators, 5)
    assert (page.chart.view, page.chart.chosen, page.details.interval.full_text()) == (None, None, "")


@row(21)
def test_column_filters_hold_together_and_include_their_bounds(page: MemoryPage) -> None:
    table = page.details.operators
    table.set_filters({"name": "MM"})
    assert column(table, "size_kb") == ["2,048.00", "1,024.00"]
    table.set_filters({"size_kb": "0.5..64"})
    assert column(table, "size_kb") == ["64.00", "0.50"]
    table.set_filters({"name": "a", "release_ms": "0.12..0.16"})
    assert column(table, "name") == ["aten::empty", "cann::ReduceSum7"]
    assert page.details.foot.text().startswith("2 of 5 rows")


@row(22)
def test_reset_clears_box_filters_and_order_but_not_the_zoom(qtbot: QtBot, page: MemoryPage) -> None:
    details = page.details
    page.chart.choose(0.1, 0.25)
    details.only_inside.setChecked(True)
    details.operators.set_filters({"name": "mm"})
    details.operators.sort_by("size_kb")
    qtbot.mouseClick(details.reset, LEFT)
    wait_rows(qtbot, details.operators, 5)
    assert (details.only_inside.isChecked(), details.operators.filters(), details.operators.sort) == (False, {}, None)
    assert page.chart.chosen == (0.1, 0.25)


def test_the_pointer_on_a_row_emphasises_its_moments(page: MemoryPage) -> None:
    page.details.row_hovered.emit(1)  # allocated at 0.101, never released
    assert page.chart.plot.emphasised == (("Operators Allocated", 0.101, 10.0),)
    page.details.row_hovered.emit(-1)
    assert page.chart.plot.emphasised == ()


@row(23)
def test_an_allocation_without_a_slice_says_so(qtbot: QtBot, page: MemoryPage) -> None:
    with qtbot.waitSignal(page.context.message) as told:
        page.details.operators.row_activated.emit(3)
    assert told.args is not None
    assert told.args[:2] == ["warning", "Failed to find slice in timeline"]


@row(23)
def test_show_in_timeline_jumps_to_the_slice(qtbot: QtBot, real: Real) -> None:
    page = open_page(qtbot, open_store(real("text_level1/rank0_ascend_pt")))
    wait_rows(qtbot, page.details.operators, 184)
    page.details.operators.select_row(2)  # aten::_convolution, 25009.5 KB at 128.778 ms
    with qtbot.waitSignal(page.context.jump) as told:
        qtbot.mouseClick(page.details.jump, LEFT)
    assert told.args is not None
    jump = told.args[0]
    assert isinstance(jump, Jump)
    assert jump.start_ns is not None
    assert jump.end_ns is not None
    assert jump.start_ns <= 1736408883573957920 + 128_778_000 <= jump.end_ns
    assert jump.slice_id is not None


@row(24)
def test_copying_puts_a_tab_behind_every_cell(qtbot: QtBot, page: MemoryPage) -> None:
    page.group_box.setCurrentIndex(2)
    wait_rows(qtbot, page.details.components, 2)
    qtbot.mouseClick(page.details.copy_button, LEFT)
    assert QGuiApplication.clipboard().text() == (
        "Component\tPeak Memory Reserved(MB)\tTimestamp(ms)\t\nAPP\t100.00\t0.015\t\nHCCL\t300.00\t0.020\t\n"
    )


@row(25)
def test_export_writes_all_rows_that_pass_the_filters(qtbot: QtBot, real: Real, tmp_path: Path) -> None:
    page = open_page(qtbot, open_store(real("upstream_unit/test_rank_0")))
    table = page.details.operators
    wait_rows(qtbot, table, 28)
    table.set_filters({"name": "cann::Graph_", "size_kb": "10..1000"})
    with qtbot.waitSignal(table.exported):
        table.export(tmp_path / "o.csv")
    with (tmp_path / "o.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert (len(rows), rows[0][:3], rows[0][-1]) == (16, ["Name", "Size(KB)", "Allocation Time(ms)"], "Stream")
    assert rows[1][:6] == ["cann::Graph_70", "192", "70.579", "70.616", "N/A", "0.037"]


# ---- marks -----------------------------------------------------------------------------------------------------------


@row(16)
def test_flags_of_the_timeline_are_bands_that_snap_to_samples_and_can_be_hidden(qtbot: QtBot, tmp_path: Path) -> None:
    store = open_store(memory_files.write(tmp_path / "a_ascend_pt", FILES))
    context = Flagged(store)
    name = store.cards[0].name
    context.flags = [
        SimpleNamespace(card=name, start_ns=BASE + 90_000, end_ns=BASE + 205_000, name="step 11", colour="#6A4BD0"),
        SimpleNamespace(card="other", start_ns=BASE, end_ns=BASE + 1, name="not ours", colour=""),
        SimpleNamespace(card=name, start_ns=BASE, end_ns=None, name="a moment", colour=""),
    ]
    page = open_page(qtbot, store, context=context)
    qtbot.waitUntil(lambda: len(page.chart.plot.bands) == 1)
    band = page.chart.plot.bands[0]
    assert (band.low, band.high, band.text, band.colour) == (0.101, 0.2, "step 11", "#6A4BD0")
    assert (page.marks.isVisible(), page.marks.text()) == (True, "1 of 1 shown")
    page.marks.menu_of_marks().actions()[1].setChecked(False)
    assert (page.chart.plot.bands, page.marks.text(), len(context.flags)) == ((), "0 of 1 shown", 3)


def test_without_flags_there_is_no_area_mark(page: MemoryPage) -> None:
    assert (page.marks.isVisible(), page.mark_label.isVisible()) == (False, False)


# ---- static graphs ---------------------------------------------------------------------------------------------------


@row(26)
def test_a_static_card_has_graphs_a_second_chart_and_its_own_table(qtbot: QtBot, static: MemoryPage) -> None:
    assert [static.graph_box.itemText(i) for i in range(static.graph_box.count())] == ["7", "8"]
    assert column(static.details.static, "name") == ["weight", "matmul_1", "relu_2", "empty_3", "Matmul_4"]
    assert column(static.details.static, "end_node") == ["4294967295", "3", "5", "5", "9"]
    size, total = static.static_chart.series
    assert list(zip(size.x.tolist(), size.y.tolist(), strict=True)) == [
        (0, 2),
        (1, 3),
        (3, 2.5),
        (5, 2),
        (6, 2.25),
        (9, 2),
        (10, 0),
    ]
    assert set(total.y.tolist()) == {10}
    assert (static.details.search.low.text(), static.details.search.high.text()) == ("0", "2048")


@row(26)
def test_static_filters_name_size_and_nodes(qtbot: QtBot, static: MemoryPage) -> None:
    search, table = static.details.search, static.details.static
    search.name.setText("MATMUL")
    qtbot.mouseClick(search.query, LEFT)
    wait_rows(qtbot, table, 2)
    search.name.clear()
    search.low.setText("300")
    search.high.setText("1500")
    qtbot.mouseClick(search.query, LEFT)
    qtbot.waitUntil(lambda: column(table, "name") == ["matmul_1", "relu_2"])
    qtbot.mouseClick(search.reset, LEFT)
    wait_rows(qtbot, table, 5)
    assert search.low.text() == "0"
    static.static_chart.choose(3, 5)
    qtbot.waitUntil(lambda: column(table, "name") == ["matmul_1", "relu_2", "empty_3"])


@row(26)
def test_a_smaller_maximum_is_refused(qtbot: QtBot, static: MemoryPage) -> None:
    search = static.details.search
    search.low.setText("10")
    search.high.setText("5")
    with qtbot.waitSignal(static.context.message) as told:
        qtbot.mouseClick(search.query, LEFT)
    assert told.args is not None
    assert told.args[1] == "The maximum size cannot be smaller than the minimum size."


@row(26)
def test_a_graph_without_total_has_no_chart_but_rows(qtbot: QtBot, static: MemoryPage) -> None:
    static.graph_box.setCurrentIndex(1)
    wait_rows(qtbot, static.details.static, 1)
    qtbot.waitUntil(lambda: static.static_chart.is_empty)


# ---- comparison ------------------------------------------------------------------------------------------------------


@pytest.fixture
def compared(qtbot: QtBot, real: Real) -> MemoryPage:
    store = open_store(real("text_level1/rank0_ascend_pt"), real("text_level1/rank1_ascend_pt"))
    found = open_page(qtbot, store)
    wait_rows(qtbot, found.details.operators, 184)
    found.cards.choose("1")
    found.load.choose_card("1")
    found.base_box.setCurrentIndex(found.base_box.findData("0"))
    wait_rows(qtbot, found.details.compared, 184)
    return found


@row(28)
def test_two_cards_are_compared_row_by_row(qtbot: QtBot, compared: MemoryPage) -> None:
    details = compared.details
    assert details.table is details.compared
    shown = [
        column(details.compared, n)[0] for n in ("name", "source", "size_kb", "alloc_ms", "release_ms", "duration_ms")
    ]
    assert shown == ["aten::_adaptive_avg_pool2d", "Difference", "0", "+2.792", "+2.966", "+0.174"]
    details.compared.row_activated.emit(0)
    assert column(details.compared, "source")[:4] == ["Difference", "Baseline", "Comparison", "Difference"]
    assert column(details.compared, "size_kb")[1:3] == ["1,352.00", "1,352.00"]
    qtbot.waitUntil(lambda: details.search.high.text() == "147456")
    assert details.search.low.text() == "-147456"


@row(28)
def test_curves_of_both_cards_have_their_own_lines_of_the_legend(qtbot: QtBot, compared: MemoryPage) -> None:
    words = ("Operators Allocated", "Operators Activated", "Operators Reserved", "App Reserved")
    qtbot.waitUntil(lambda: len(compared.chart.series) == 8)
    assert [(s.name, s.row, s.dashed) for s in compared.chart.series] == [
        *((f"{w} in Comparison", 0, False) for w in words), *((f"{w} in Baseline", 1, True) for w in words)
    ]  # fmt: skip
    assert not compared.peaks.isVisible()
    assert (compared.cards.rank_box.isEnabled(), compared.group_box.findData("stream")) == (False, -1)


@row(28)
def test_components_are_compared_and_the_end_brings_one_card_back(qtbot: QtBot, compared: MemoryPage) -> None:
    compared.group_box.setCurrentIndex(compared.group_box.findData("component"))
    qtbot.waitUntil(lambda: compared.details.compared.pairs == 2)
    assert column(compared.details.compared, "component") == ["APP", "HCCL"]
    assert column(compared.details.compared, "t_ms") == ["−3.388", "−3.388"]  # 79.74 − 83.128
    compared.base_box.setCurrentIndex(0)
    wait_rows(qtbot, compared.details.components, 2)
    assert (compared.cards.rank_box.isEnabled(), compared.group_box.findData("stream")) == (True, 1)


@row(28)
def test_the_search_of_a_comparison_is_on_the_difference(qtbot: QtBot, compared: MemoryPage) -> None:
    search = compared.details.search
    search.name.setText("CONV")
    qtbot.mouseClick(search.query, LEFT)
    wait_rows(qtbot, compared.details.compared, 33)
    search.low.setText("1")
    qtbot.mouseClick(search.query, LEFT)
    wait_rows(qtbot, compared.details.compared, 0)


# ---- cards, session, language, nothing -------------------------------------------------------------------------------


@row(29)
def test_a_click_in_the_tree_switches_the_page(qtbot: QtBot, real: Real) -> None:
    store = open_store(real("db_level1/rank0_ascend_pt"), real("db_level1/rank1_ascend_pt"))
    page = open_page(qtbot, store)
    wait_rows(qtbot, page.details.operators, 184)
    assert page.cards.host_box.isVisible()
    page.context.card_selected.emit(store.cards[1].name)
    qtbot.waitUntil(lambda: page.facts.get("card") == store.cards[1].name)
    assert page.card == store.cards[1].name


def test_a_card_that_becomes_ready_is_shown(qtbot: QtBot, tmp_path: Path) -> None:
    ready = open_store(memory_files.write(tmp_path / "a_ascend_pt", FILES))
    context = Context(Store())
    page = open_page(qtbot, context.store, context=context)
    assert page.stack.currentWidget() is page.empty
    context.store.put(ready.cards[0])
    context.store_changed.emit()
    wait_rows(qtbot, page.details.operators, 5)
    assert page.stack.currentWidget() is page.content


def test_the_state_comes_back_in_another_window(qtbot: QtBot, tmp_path: Path, page: MemoryPage) -> None:
    page.chart.zoom_to(0.05, 0.25)
    page.chart.choose(0.1, 0.13)
    page.details.operators.set_filters({"name": "aten"})
    page.details.operators.sort_by("size_kb", descending=True)
    page.chart.set_hidden(frozenset({"App Reserved"}))
    wait_rows(qtbot, page.details.operators, 2)
    state = json.loads(json.dumps(page.view_state()))
    other = open_page(qtbot, page.context.store, state=state)
    wait_rows(qtbot, other.details.operators, 2)
    again = other.view_state()
    assert {k: v for k, v in again.items() if k != "sizes"} == {k: v for k, v in state.items() if k != "sizes"}
    assert column(other.details.operators, "size_kb") == ["2,048.00", "512.50"]


def test_the_status_bar_says_what_is_selected(qtbot: QtBot, page: MemoryPage) -> None:
    told: list[list[str]] = []
    page.context.status.connect(told.append)
    page.chart.choose(0.1, 0.21)
    wait_rows(qtbot, page.details.operators, 4)
    qtbot.waitUntil(lambda: bool(told) and told[-1][0] == "Range 0.110 ms")
    assert told[-1][:4] == [
        "Range 0.110 ms", "4 allocations alive", "sum 3.563 MB", "peak in range 31.26 MB at 0.200 ms"
    ]  # fmt: skip


@pytest.fixture
def chinese() -> Iterator[None]:
    language.set_language("zh", remember=False)
    yield
    language.set_language("en", remember=False)


@row(46)
def test_the_page_speaks_chinese(qtbot: QtBot, page: MemoryPage, chinese: None) -> None:
    page.retranslate()
    page.details.retranslate()
    assert page.group_label.text() == "分组方式"
    assert [page.group_box.itemText(i) for i in range(3)] == ["全局", "流", "组件"]
    assert page.cards.rank_label.text() == "卡序号"
    assert page.chart.title == "内存分析"
    assert page.details.title.text() == "内存申请/释放详情"
    assert page.details.only_inside.text() == "只显示在选中区间内分配或释放的"
    assert (page.details.search.query.text(), page.details.reset.text()) == ("查询", "重置")
    assert page.details.jump.text() == "在时间线中显示"


@row(47)
def test_an_empty_project_shows_no_data(qtbot: QtBot) -> None:
    page = open_page(qtbot, Store())
    assert (page.stack.currentWidget() is page.empty, page.empty.title.text()) == (True, "No data")
    page.context.store_changed.emit()
    page.context.card_selected.emit("7")


def test_missing_files_are_named_with_the_switch_of_the_collector(qtbot: QtBot, tmp_path: Path) -> None:
    folder = memory_files.write(tmp_path / "a_ascend_pt", {"kernel_details.csv": "Name,Type\n"})
    page = open_page(qtbot, open_store(folder))
    qtbot.waitUntil(lambda: page.empty.title.text() == "Memory has nothing to show yet", timeout=10_000)
    assert "memory_record.csv" in page.empty.text.text()
    assert "profile_memory=True" in page.empty.code


def test_graph_and_range_of_a_static_card_come_back(qtbot: QtBot, static: MemoryPage) -> None:
    static.static_chart.choose(3, 5)
    state = json.loads(json.dumps(static.view_state()))
    other = open_page(qtbot, static.context.store, state=state)
    qtbot.waitUntil(lambda: other.static_chart.chosen == (3, 5))
    qtbot.waitUntil(lambda: column(other.details.static, "name") == ["matmul_1", "relu_2", "empty_3"])
    static.graph_box.setCurrentIndex(1)
    another = open_page(qtbot, static.context.store, state=static.view_state())
    qtbot.waitUntil(lambda: another.graph == "8")


def test_both_panels_can_be_collapsed(qtbot: QtBot, page: MemoryPage) -> None:
    qtbot.mouseClick(page.chart.caret, LEFT)
    qtbot.mouseClick(page.details.caret, LEFT)
    assert (page.chart.is_collapsed, page.details.is_collapsed) == (True, True)
    qtbot.mouseClick(page.chart.caret, LEFT)
    assert (page.chart.is_collapsed, page.view_state()["collapsed"]) == (False, [False, True])


def test_a_figure_leads_to_its_moment(qtbot: QtBot, page: MemoryPage) -> None:
    page.peaks.time_wanted.emit(0.2)
    assert page.chart.view == pytest.approx((0.1875, 0.2125))
    assert page.chart.plot.cursor_x == 0.2


def test_a_page_without_room_scrolls_instead_of_growing(qtbot: QtBot) -> None:
    page = MemoryPage(Context(Store()))
    qtbot.addWidget(page)
    assert page.minimumSizeHint().height() < 300


@pytest.mark.parametrize(
    ("is_db", "named"),
    [
        (False, ["memory_record.csv", "operator_memory.csv", "npu_module_mem.csv", "static_op_mem.csv"]),
        (True, ["MEMORY_RECORD", "OP_MEMORY", "NPU_MODULE_MEM"]),
    ],
)
def test_what_is_missing_is_named_as_it_is_called_in_the_data(is_db: bool, named: list[str]) -> None:
    rows = [
        {"table": table, "read": [], "missing": [], "rows": 0}
        for table in ("memory_record", "operator_memory", "module_memory", "static_memory", "app_memory")
    ]
    lines = [memory_load.file_line(row, is_db=is_db) for row in rows]
    assert [line.name for line in lines if line is not None] == named
