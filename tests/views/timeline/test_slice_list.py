"""The Slice List: names of a range by hand, both settings of the switch, totals, slices of a name, jumps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support.waiting import settle

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.timeline.bottom_panel import BottomPanel
from insight_desktop.views.timeline.range_panel import RangeChoice
from insight_desktop.views.timeline.slice_list import SliceListPanel

MS = 1_000_000
# Range 5 to 20 ms. In it: step 5 (clipped) + 4 = 9 ms twice, inner 2 + 3 ms, overlapping the steps; other lane: step 10 ms.
LANE: dict[str, Any] = {"pid": 1, "process": "python3", "tid": 7, "thread": "Thread 7"}
OTHER: dict[str, Any] = {**LANE, "tid": 8, "thread": "Thread 8"}


def at(lane: dict[str, Any], name: str, start: int, end: int) -> dict[str, Any]:
    return {**lane, "name": name, "start_ns": start * MS, "end_ns": end * MS}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    slices = [
        at(LANE, "step", 0, 10),
        at(LANE, "inner", 2, 8),
        at(LANE, "step", 12, 16),
        at(LANE, "late", 30, 31),
        at(OTHER, "step", 8, 14),
    ]
    made = plain_build.build(tmp_path / "c", slices=slices)
    return Store([StoreCard("0", "0", 0, "", "text", made.folder)])


@pytest.fixture
def panel(qtbot: QtBot, store: Store) -> SliceListPanel:
    context = Context(store)
    made = SliceListPanel(context)
    made.setProperty("keeps", context)
    qtbot.addWidget(made)
    made.resize(1200, 320)
    made.show()
    return made


CHOICE = RangeChoice("0", 5 * MS, 20 * MS, (0, 1))


def show(qtbot: QtBot, panel: SliceListPanel) -> None:
    panel.show_range(CHOICE)
    qtbot.waitUntil(lambda: panel.found is not None and panel.pane.found is not None)


@pytest.mark.row("system-timeline", 65)
def test_a_slice_that_is_half_inside_counts_with_its_part_and_busy_joins_the_lanes(
    qtbot: QtBot, panel: SliceListPanel
) -> None:
    show(qtbot, panel)
    rows = {row["name"]: row for row in panel.table.table.to_pylist()}
    assert set(rows) == {"step", "inner"}
    step = rows["step"]
    # 5..10, 12..16 and 8..14: 5 + 4 + 6 ms; together 5..16. The inner one takes 3 of the first.
    assert (step["count"], step["sum_ns"], step["busy_ns"], step["self_ns"]) == (3, 15 * MS, 11 * MS, 12 * MS)
    assert (step["avg_ns"], step["min_ns"], step["max_ns"]) == (5 * MS, 4 * MS, 6 * MS)
    assert step["busy_ratio"] == pytest.approx(11 / 15)
    assert (rows["inner"]["count"], rows["inner"]["sum_ns"]) == (1, 3 * MS)
    texts = panel.totals.texts()
    # sum 18 ms, busy 5..16 = 11 ms of 15
    assert (texts["name"], texts["count"], texts["sum_ns"], texts["busy_ratio"]) == (
        "Totals: 2 names", "4", "18.000", "73.3",
    )  # fmt: skip
    assert panel.summary.text() == "2 lanes · 4 slices · sum 18.000 ms · busy 11.000 ms (73.3 %)"
    assert panel.title.text() == "Card 0 · 00:00.005.000.000 – 00:00.020.000.000"


@pytest.mark.row("system-timeline", 65)
def test_whole_slices_give_the_numbers_without_clipping(qtbot: QtBot, panel: SliceListPanel) -> None:
    show(qtbot, panel)
    with qtbot.waitSignal(panel.whole_changed):
        panel.whole.setChecked(True)
    qtbot.waitUntil(lambda: panel.found is not None and panel.found.totals["sum_ns"] == 26 * MS)
    rows = {row["name"]: row for row in panel.table.table.to_pylist()}
    assert (rows["step"]["sum_ns"], rows["inner"]["sum_ns"]) == (20 * MS, 6 * MS)


@pytest.mark.row("system-timeline", 65)
def test_a_filter_tells_how_much_is_left_and_no_busy_time_that_cannot_be_known(
    qtbot: QtBot, panel: SliceListPanel
) -> None:
    show(qtbot, panel)
    panel.table.set_filters({"name": "inn"})
    texts = panel.totals.texts()
    assert texts["name"] == "1 of 2 names · 1 of 4 slices"
    assert (texts["count"], texts["sum_ns"], texts["avg_ns"]) == ("1", "3.000", "3.000")
    assert "busy_ratio" not in texts


@pytest.mark.row("system-timeline", 66)
def test_the_slices_of_the_current_name_stand_longest_first_and_jump(qtbot: QtBot, panel: SliceListPanel) -> None:
    show(qtbot, panel)
    assert panel.pane.name == "step"
    table = panel.pane.table
    assert table.table.column("index").to_pylist() == [1, 2, 3]
    assert table.table.column("start_ns").to_pylist() == [8 * MS, 0, 12 * MS]
    assert table.table.column("dur_ns").to_pylist() == [6 * MS, 5 * MS, 4 * MS]
    table.select_row(1)
    with qtbot.waitSignal(panel.context.jump) as jumped:
        table.row_activated.emit(1)
    assert jumped.args == [Jump("0", slice_id=0, start_ns=0, end_ns=10 * MS, track=0)]
    panel.table.select_row(panel.table.table.column("name").to_pylist().index("inner"))
    qtbot.waitUntil(lambda: panel.pane.found is not None and panel.pane.found.name == "inner")
    assert panel.pane.table.table.column("dur_ns").to_pylist() == [3 * MS]


@pytest.mark.row("system-timeline", 66)
def test_a_stretch_of_the_histogram_selects_slices(qtbot: QtBot, panel: SliceListPanel) -> None:
    show(qtbot, panel)
    histogram = panel.pane.chart.series[0]
    assert (float(histogram.y.sum()), float(histogram.x[0])) == (3.0, 4.0)
    panel.pane.chart.range_changed.emit((4.5, 6.0))
    assert panel.pane.table.filters() == {"dur_ns": "4.500000..6.000000"}
    assert panel.pane.table.shown_table().column("dur_ns").to_pylist() == [6 * MS, 5 * MS]
    assert panel.pane.chart.subtitle.full_text() == "2 of 3 slices"
    panel.pane.chart.range_changed.emit(None)
    assert panel.pane.table.model().rowCount() == 3


@pytest.mark.row("system-timeline", 58)
def test_a_rectangle_takes_only_its_depth_rows(qtbot: QtBot, panel: SliceListPanel) -> None:
    panel.show_range(RangeChoice("0", 0, 40 * MS, (0,), (), 1, 1))
    qtbot.waitUntil(lambda: panel.found is not None)
    assert panel.table.table.column("name").to_pylist() == ["inner"]


@pytest.mark.row("system-timeline", 67)
def test_the_table_is_copied_with_headings_and_exact_numbers(qtbot: QtBot, panel: SliceListPanel) -> None:
    show(qtbot, panel)
    panel.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[:4] == ["Name", "Count", "Sum (ms)", "Self (ms)"]
    assert lines[1].split("\t")[:4] == ["step", "3", "15.000000", "12.000000"]


def test_a_range_without_slices_says_so_and_a_card_that_goes_takes_the_list_along(
    qtbot: QtBot, panel: SliceListPanel, store: Store
) -> None:
    assert panel._empty.texts()[0] == "No range selected"
    panel.show_range(RangeChoice("0", 50 * MS, 60 * MS, (0, 1)))
    qtbot.waitUntil(lambda: panel.found is not None)
    assert panel._empty.texts()[0] == "No slices in the range"
    store.remove("0")
    panel.context.store_changed.emit()
    assert panel.choice is None
    assert panel._empty.texts()[0] == "No range selected"


def test_nothing_is_asked_while_the_list_is_not_on_screen(qtbot: QtBot, store: Store) -> None:
    context = Context(store)
    bottom = BottomPanel(context)
    qtbot.addWidget(bottom)
    bottom.resize(1000, 300)
    bottom.show()
    assert bottom.show_range(CHOICE) == "slices"
    assert not bottom.is_built("slices")
    bottom.show_tab("slices")
    qtbot.waitUntil(lambda: bottom.slices.found is not None)
    bottom.show_tab("detail")
    bottom.show_range(RangeChoice("0", 0, 1 * MS, (0,)))
    settle(qtbot)
    assert bottom.slices.found is not None
    assert bottom.slices.found.totals["count"] == 4
    bottom.slices.whole.setChecked(True)
    assert bottom.ranges.whole.isChecked()
    assert bottom.show_range(RangeChoice("0", 0, MS, (), (0,))) == "selection"
