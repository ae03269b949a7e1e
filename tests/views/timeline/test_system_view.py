"""System View: items and their tables on real cards against the printed figures, filters, jumps, what is said without data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from tests.support import plain_build, timeline_page
from tests.support.memory_files import open_store

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.views.common import language
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.timeline.state import TimeRange
from insight_desktop.views.timeline.system_view import SystemView
from insight_desktop.views.timeline.system_view_items import STATS
from insight_desktop.views.timeline.system_view_parts import TimeFilter
from insight_desktop.views.timeline.system_view_side import SideColumn
from insight_desktop.views.timeline.system_view_table import ItemPage

MS = 1_000_000
PYTHON: dict[str, Any] = {"pid": 1, "process": "Python", "tid": 7, "thread": "Thread 7", "cat": "cpu_op"}
OVERLAP: dict[str, Any] = {"pid": 3, "process": "Overlap Analysis", "role": "overlap", "sort": 2}
STREAM: dict[str, Any] = {
    "pid": 2,
    "process": "Ascend Hardware",
    "tid": 2,
    "thread": "Stream 2",
    "role": "stream",
    "sort": 1,
}
ROW = pytest.mark.row


def at(lane: dict[str, Any], name: str, start: int, end: int) -> dict[str, Any]:
    return {**lane, "name": name, "start_ns": start * MS, "end_ns": end * MS}


@pytest.fixture
def small(tmp_path: Path) -> Store:
    """Overlap analysis of 10 ms: computing 0–4, communication not overlapped 4–7, free 7–10; operators beside it."""
    lanes = [
        {**OVERLAP, "tid": i, "thread": name}
        for i, name in enumerate(("Computing", "Communication(Not Overlapped)", "Free"))
    ]
    slices = [
        at(PYTHON, "aten::gelu", 0, 2), at(PYTHON, "aten::add", 2, 3), at(PYTHON, "aten::add", 4, 9),
        at(STREAM, "MatMul", 0, 4),
        at(lanes[0], "Computing", 0, 4), at(lanes[1], "Communication(Not Overlapped)", 4, 7), at(lanes[2], "Free", 7, 10),
    ]  # fmt: skip
    counters = [
        {"process": "AI Core Freq", "counter": "AI Core Freq", "series": "MHz", "ts_ns": t * MS, "value": v, "metrics": "NPU Metrics"}
        for t, v in ((0, 1000.0), (5, 930.0))
    ]  # fmt: skip
    made = plain_build.build(tmp_path / "c", slices=slices, counters=counters)
    return Store([StoreCard("0", "0", 0, "", "text", made.folder)])


def shown(qtbot: QtBot, store: Store) -> SystemView:
    context = Context(store)
    made = SystemView(context)
    made.setProperty("keeps", context)
    qtbot.addWidget(made)
    made.resize(1300, 420)
    made.show()
    return made


def answered(qtbot: QtBot, view: SystemView, item: str) -> ItemPage:
    view.show_item(item)
    page = view.page
    assert page is not None
    assert page.item.id == item
    qtbot.waitUntil(lambda: page.answer is not None or page.error is not None)
    return page


def row_of(page: ItemPage, column: str, value: str) -> dict[str, Any]:
    return next(row for row in page.table.table.to_pylist() if row[column] == value)


def test_the_lists_stand_in_the_order_that_users_know(qtbot: QtBot, small: Store) -> None:
    view = shown(qtbot, small)
    titles = [view.side.list.item(i).text() for i in range(view.side.list.count())]
    assert titles == [
        "Overall Metrics", "Python API Summary", "Python API Trace", "CANN API Summary", "CANN API Trace",
        "Ascend HardWare Task Summary", "Ascend HardWare Task Trace", "Communication Summary", "Communication Trace",
        "Overlap Analysis", "Kernel E2E Time", "Kernel Details", "Operator Details", "Memcpy Overall",
    ]  # fmt: skip
    assert STATS[-1].title == "Ftrace Task Summary"
    view.side.view_box.setCurrentIndex(1)
    titles = [view.side.list.item(i).text() for i in range(view.side.list.count())]
    assert titles == [
        "Expert Analysis", "Affinity API", "Affinity Optimizer", "AICPU Operators", "ACLNN Operators", "Operators Fusion",
        "Operators Dispatch",
    ]  # fmt: skip


@ROW("system-timeline", 70)
def test_overall_metrics_are_a_tree_and_only_the_shown_table_is_built(qtbot: QtBot, small: Store) -> None:
    view = shown(qtbot, small)
    page = answered(qtbot, view, "overall")
    assert set(view.pages) == {"overall"}
    figures = {row["category"]: (row["total_ns"], row["ratio"]) for row in page.table.table.to_pylist()}
    assert figures == {
        "Computing Time": (4 * MS, 0.4), "Communication(Not Overlapped) Time": (3 * MS, 0.3), "Free Time": (3 * MS, 0.3),
        "E2E Time": (10 * MS, 1.0),
    }  # fmt: skip


@ROW("system-timeline", 56)
def test_the_time_filter_clips_and_whole_slices_count_in_full(qtbot: QtBot, small: Store) -> None:
    view = shown(qtbot, small)
    page = answered(qtbot, view, "python_api")
    view.set_time_filter(TimeFilter(1 * MS, 6 * MS))
    qtbot.waitUntil(lambda: row_of(page, "name", "aten::gelu")["total_ns"] == MS)
    assert view.side.filter_text.text() == "Time Filter: 00:00.001.000.000 to 00:00.006.000.000"
    assert row_of(page, "name", "aten::add")["total_ns"] == 3 * MS  # 1 ms whole, and 2 of 5 ms
    view.side.whole.setChecked(True)
    qtbot.waitUntil(lambda: row_of(page, "name", "aten::add")["total_ns"] == 6 * MS)
    with qtbot.waitSignal(view.filter_cleared):
        view.side.clear_button.click()
    assert view.side.filter_text.isHidden()
    view.set_time_filter(TimeFilter(20 * MS, 30 * MS))
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.empty)
    assert page.empty.title.text() == "Nothing in the time filter"


@ROW("system-timeline", 68)
def test_summaries_agree_with_the_printed_figures(qtbot: QtBot, real: Callable[[str], Path]) -> None:
    view = shown(qtbot, open_store(real("text_level2/rank0_ascend_pt")))
    page = answered(qtbot, view, "overlap")
    free = row_of(page, "name", "Free")
    assert (free["total_ns"], free["count"], round(free["ratio"], 4)) == (25_032_619, 90, 0.1928)
    page = answered(qtbot, view, "hardware")
    wait = row_of(page, "name", "Notify Wait")
    assert (wait["total_ns"], wait["count"], round(wait["ratio"], 4)) == (134_458_002, 112, 0.5197)
    assert page.totals.texts()["total_ns"] == "258,713.482"
    page.search.setText("sdma")
    page.search.textEdited.emit("sdma")
    assert page.table.shown_table().column("name").to_pylist() == ["SDMA"]
    assert round(page.table.shown_table().column("ratio")[0].as_py(), 4) == 0.1106  # of the whole layer


@ROW("system-timeline", 71)
def test_kinds_of_computing_open_their_kernels_at_the_right(qtbot: QtBot, real: Callable[[str], Path]) -> None:
    view = shown(qtbot, open_store(real("text_level2/rank0_ascend_pt")))
    page = answered(qtbot, view, "overall")
    rows = page.table.table.to_pylist()
    at_cube = next(i for i, row in enumerate(rows) if row["path"].endswith("Backward > Cube"))
    assert (rows[at_cube]["total_ns"], rows[at_cube]["count"]) == (1_106_863, 9)
    page.table.open_all(True)
    page.table.select_row(at_cube)
    qtbot.waitUntil(lambda: page.details is not None and page.details.table.table.num_rows == 9)
    details = page.details
    assert details is not None
    longest = details.table.row(0)
    assert (longest["name"], longest["dur_ns"]) == ("Conv2DBackpropFilter10", 327_667)
    assert details.totals.texts()["dur_ns"] == "1,106,863"
    with qtbot.waitSignal(view.context.jump) as jumped:
        details.table.row_activated.emit(0)
    jump = jumped.args[0]
    assert jump.card == page.asked.card  # type: ignore[union-attr]
    capture = view.context.store.capture(jump.card)
    assert capture.text(int(capture.slice_name[jump.slice_id])) == "Conv2DBackpropFilter10"
    page.table.select_row(0)  # level 1 has no details
    assert details.isHidden()


@ROW("system-timeline", 69)
def test_a_trace_lists_single_slices_and_its_word_leads_to_the_timeline(qtbot: QtBot, small: Store) -> None:
    view = shown(qtbot, small)
    page = answered(qtbot, view, "python_trace")
    assert page.table.table.column("dur_ns").to_pylist() == [5 * MS, 2 * MS, MS]
    assert [spec.name for spec in page.table.columns] == ["name", "start_ns", "dur_ns", "go"]
    with qtbot.waitSignal(view.context.jump) as jumped:
        page.table.clicked.emit(page.table.model().index(0, 3))
    assert (jumped.args[0].start_ns, jumped.args[0].end_ns) == (4 * MS, 9 * MS)
    page.copy()
    assert QGuiApplication.clipboard().text().splitlines()[0] == "Name\tStart Time\tDuration (µs)"


@ROW("system-timeline", 74)
@ROW("system-timeline", 75)
@ROW("system-timeline", 76)
def test_types_copies_and_chains_of_a_real_card_open_their_rows(qtbot: QtBot, real: Callable[[str], Path]) -> None:
    view = shown(qtbot, open_store(real("text_level2/rank0_ascend_pt")))
    page = answered(qtbot, view, "operators")
    page.table.select_row(next(i for i, r in enumerate(page.table.table.to_pylist()) if r["type"] == "Conv2D"))
    qtbot.waitUntil(lambda: page.details is not None and page.details.table.table.num_rows == 5)
    page = answered(qtbot, view, "memcpy")
    copies = row_of(page, "category", "Stream 3")
    assert (copies["total_ns"], copies["total_bytes"], copies["count"]) == (4_640, 512, 2)
    page = answered(qtbot, view, "kernel_e2e")
    assert "Match Rate" in page.count.text()
    page.table.select_row(0)
    qtbot.waitUntil(lambda: page.details is not None and page.details.table.table.num_rows > 0)
    assert page.details is not None
    assert page.details.table.table.column("role")[0].as_py() == "PythonCall"


@ROW("system-timeline", 73)
def test_kernels_show_the_columns_that_the_card_has(qtbot: QtBot, real: Callable[[str], Path]) -> None:
    view = shown(qtbot, open_store(real("text_level2/rank0_ascend_pt")))
    page = answered(qtbot, view, "kernels")
    assert [spec.heading() for spec in page.table.columns][:6] == [
        "Name", "Type", "Accelerator Core", "Start Time", "Duration (µs)", "Wait Time (µs)",
    ]  # fmt: skip
    assert page.table.sort is not None
    assert page.table.sort.column == "dur_ns"
    page.table.set_filters({"input_shapes": "9216"})
    assert page.table.model().rowCount() > 0
    assert "of 191 items" in page.count.text()


@ROW("system-timeline", 78)
def test_a_frequency_that_drops_by_seven_percent_is_a_problem_and_leads_to_its_counter(
    qtbot: QtBot, small: Store
) -> None:
    view = shown(qtbot, small)
    page = answered(qtbot, view, "ai_core_frequency")
    assert "more than 5 %" in page.rule.text()
    row = page.table.row(0)
    assert (row["finding"], row["value"]) == ("Problem", 7)
    with qtbot.waitSignal(view.context.jump) as jumped:
        page.table.row_activated.emit(0)
    assert jumped.args == [Jump("0", series=0)]


def test_advisors_say_what_they_looked_at_and_what_is_missing(qtbot: QtBot, small: Store) -> None:
    view = shown(qtbot, small)
    page = answered(qtbot, view, "affinity_api")
    assert row_of(page, "name", "aten::gelu")["replacement"] == "torch_npu.fast_gelu"
    page = answered(qtbot, view, "dispatch")
    assert page.empty.title.text() == "Nothing found"
    assert page.empty.text.text() == (
        "3 host calls of this card were looked at. Host calls named …aclopCompileAndExecute, when there are 20 or more of them."
    )
    page = answered(qtbot, view, "memcpy")
    assert page.empty.title.text() == "This card has no details of copies"
    assert "ProfilerLevel.Level2" in page.empty.code


@ROW("system-timeline", 85)
def test_the_events_of_a_lane_have_the_columns_of_its_kind(qtbot: QtBot, small: Store) -> None:
    view = shown(qtbot, small)
    view.side.view_box.setCurrentIndex(2)
    assert view.page is not None
    assert view.page.empty.title.text() == "No lane chosen"
    tracks = small.capture("0").tracks.column("process").to_pylist()
    for process, columns in (
        ("Python", ["name", "start_ns", "dur_ns", "tid", "pid", "go"]),
        ("Ascend Hardware", ["name", "start_ns", "dur_ns", "stream", "rank", "go"]),
        ("Overlap Analysis", ["name", "start_ns", "dur_ns", "analysis_type", "rank", "go"]),
    ):
        mine = [i for i, name in enumerate(tracks) if name == process]
        view.show_events("0", mine, process)
        page = view.page
        qtbot.waitUntil(lambda page=page, columns=columns: [s.name for s in page.table.columns] == columns)  # type: ignore[misc]
        assert page.title.text() == f"Events View · {process}"


def test_choices_come_back_with_the_session(qtbot: QtBot, small: Store) -> None:
    view = shown(qtbot, small)
    page = answered(qtbot, view, "python_api")
    page.table.sort_by("name")
    state = view.view_state()
    other = shown(qtbot, small)
    other.restore_state(state)
    page = other.page  # type: ignore[assignment]
    assert page is not None
    assert (page.item.id, page.table.sort and page.table.sort.column) == ("python_api", "name")


def test_without_any_card_nothing_is_asked(qtbot: QtBot) -> None:
    view = shown(qtbot, Store())
    assert view.page is not None
    assert view.page.asked is None


@ROW("system-timeline", 56)
def test_an_analysis_of_a_range_opens_the_view_limited_to_it_and_clearing_ends_it(qtbot: QtBot, tmp_path: Path) -> None:
    made = plain_build.build(tmp_path / "c", slices=timeline_page.basic())
    page = timeline_page.make(qtbot, [timeline_page.card(made.folder)])
    assert not page.panel.is_built("system")
    page.state.modes.analyse(TimeRange(100_000, 700_000, "0", ()))
    assert page.panel.current() == "system"
    view = page.panel.system
    assert view.filter == TimeFilter(100_000, 700_000)
    view.side.clear_button.click()
    assert page.state.modes.analysis is None
    assert view.filter is None
    page.context.events_wanted.emit("0", [0], "Thread 11")
    assert view.page is not None
    qtbot.waitUntil(lambda: view.page is not None and view.page.table.table.num_rows == 3)
    assert view.page.title.text() == "Events View · Thread 11"


@ROW("system-timeline", 65)
def test_a_range_in_the_timeline_opens_the_slice_list_and_a_slice_its_details(qtbot: QtBot, tmp_path: Path) -> None:
    made = plain_build.build(tmp_path / "c", slices=timeline_page.basic())
    page = timeline_page.make(qtbot, [timeline_page.card(made.folder)])
    unit = page.state.unit_of_track("0", 0)
    assert unit is not None
    page.state.set_range(TimeRange(0, 300_000, "0", (unit.key,)))
    assert page.panel.current() == "slices"
    page.panel.set_open(True)
    qtbot.waitUntil(lambda: page.panel.slices.found is not None)
    figures = {r["name"]: r["sum_ns"] for r in page.panel.slices.table.table.to_pylist()}
    assert figures == {"outer": 300_000, "inner": 200_000}
    page.state.select(page.state.slice("0", 1))
    assert page.panel.current() == "detail"
    assert page.panel.slices.found is not None  # one can go on through the slices of the range


def test_categories_of_overall_metrics_are_said_in_the_language_of_the_window(qtbot: QtBot, small: Store) -> None:
    page = answered(qtbot, shown(qtbot, small), "overall")
    assert page.table.table.column("category").to_pylist()[0] == "Computing Time"
    language.set_language("zh", remember=False)
    try:
        page.retranslate()
        names = page.table.table.column("category").to_pylist()
        assert (names[0], names[-1]) == ("计算时间", "端到端时间")
        assert page.table.table.column("path").to_pylist()[0] == "Computing Time"  # what names the row stays
    finally:
        language.set_language("en", remember=False)


def test_in_a_low_panel_the_time_filter_is_readable(qtbot: QtBot) -> None:
    side = SideColumn()
    qtbot.addWidget(side)
    side.set_items(STATS, STATS[0].id)
    side.set_filter(TimeFilter(0, 50_000_000_000))
    side.resize(270, 240)
    side.show()
    text = side.filter_text
    assert text.height() >= text.heightForWidth(text.width())
    assert side.cards.height() >= side.cards.minimumSizeHint().height()
    assert not side.help.isVisible()
    side.resize(270, 420)
    assert side.help.isVisible()
