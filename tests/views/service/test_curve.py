from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support.service_run import run_of
from tests.support.timeline_page import basic, card, drag, send_mouse

from insight_desktop.engine.store import Store
from insight_desktop.views.common import language, theme
from insight_desktop.views.common.context import Context, CurvePlace, Jump, RequestPlace
from insight_desktop.views.service.curve import CurvePage
from insight_desktop.views.service.overview import OverviewPage

SPEC, MEMORY = "service", "system-memory-operator-rl"
MODEL_EXEC = "generated:modelExec_{}_curve"


def page_of(qtbot: QtBot, store: Store, *, width: int = 1300, height: int = 760) -> CurvePage:
    """A shown page over serving runs, with its first curve drawn."""
    theme.set_theme("dark", remember=False)
    page = CurvePage(Context(store))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    page.resize(width, height)
    page.show()
    page.refresh()
    if store.cards_of("service"):
        settled(qtbot, page)
    return page


def settled(qtbot: QtBot, page: CurvePage, name: str | None = None) -> None:
    """Wait until the chosen curve (or that of a name) is there."""

    def ready() -> bool:
        if page.listed is None or (page.loaded is None and page._failure is None):
            return False
        return name is None or (page.bar.curve == name and (page.loaded is None or page.loaded.curve.name == name))

    qtbot.waitUntil(ready)


def show(qtbot: QtBot, page: CurvePage, name: str) -> None:
    page.show_curve(name)
    settled(qtbot, page, name)


def cells(page: CurvePage) -> list[dict[str, Any]]:
    return list(page.details.rows.shown_table().to_pylist())


def joined(*stores: Store) -> Store:
    return Store([card for store in stores for card in store.cards_of("service")])


@pytest.fixture
def g1(real: Callable[[str], Path]) -> Store:
    return run_of(real("service/g1"))


@pytest.fixture
def vllm(real: Callable[[str], Path]) -> Store:
    return run_of(real("service/vllm"))


@pytest.mark.row(SPEC, 11)
@pytest.mark.row(MEMORY, 44)
def test_the_first_curve_that_can_be_drawn_opens_and_broken_ones_stay_flagged(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    assert page.bar.curve == "Batch_Size_curve"
    box = page.bar.curve_box
    texts = [box.itemText(i) for i in range(box.count())]
    assert texts[:3] == ["Recorded", "Request_Status_curve", "Batch_Size_curve"]
    assert "no such column: status" in str(box.itemData(1, Qt.ItemDataRole.ToolTipRole))
    assert not box.itemIcon(1).isNull()
    assert "Derived from events" in texts


@pytest.mark.row(SPEC, 11)
def test_an_unreadable_curve_says_why_and_leads_to_its_replacement(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    show(qtbot, page, "Request_Status_curve")
    assert page.chart.is_empty
    assert page.chart.empty.texts()[0] == "Request_Status_curve cannot be read: no such column: status."
    assert not page.instead.isHidden()
    page.instead.click()
    settled(qtbot, page, "Queues")
    assert not page.chart.is_empty
    assert page.instead.isHidden()


@pytest.mark.row(SPEC, 12)
@pytest.mark.row(MEMORY, 44)
def test_x_is_a_category_axis_and_every_column_a_line(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    show(qtbot, page, "Batch_Token_curve")
    names = ["total_scheduled_tokens", "prefill_scheduled_tokens", "decode_scheduled_tokens"]
    assert [s.name for s in page.chart.series] == names
    assert page.chart.series[0].y.tolist() == [32.0, 33.0, 33.0, 1.0]
    axis = page.chart.plot.x_axis
    assert (axis.kind, list(axis.labels), axis.title) == ("category", ["0", "1", "2", "3"], "batch_id")
    page.bar.mode_box.setCurrentIndex(1)  # real time
    axis = page.chart.plot.x_axis
    assert axis.kind == "ruler"
    assert [round(x / 1e6, 3) for x in page.chart.series[0].x.tolist()] == [1.0, 12.0, 28.0, 47.0]


@pytest.mark.row(SPEC, 12)
def test_the_legend_hides_a_line(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    page.chart.legend.button("total_batch_size").click()
    assert page.chart.hidden == frozenset({"total_batch_size"})


@pytest.mark.row(SPEC, 12)
def test_times_that_repeat_are_shown_by_row_with_a_note(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    page.bar.mode_box.setCurrentIndex(1)
    show(qtbot, page, "Kvcache_Usage_Percent_curve")
    assert page.mode == "index"
    assert page.note.text() == "Times repeat: shown by row"
    assert page.chart.series[0].x.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert page.chart.series[0].y.tolist() == [20.0, 50.0, 70.0, 40.0, 30.0, 40.0, 0.0]


def zoom(page: CurvePage, first: float, last: float) -> None:
    """Drag over a stretch of the chart."""
    plot = page.chart.plot
    frame = plot.frame
    y = frame.plot.center().y()
    drag(plot, [(frame.x.px(first), y), (frame.x.px((first + last) / 2), y), (frame.x.px(last), y)])


@pytest.mark.row(SPEC, 13)
@pytest.mark.row(SPEC, 14)
def test_a_drag_zooms_filters_the_table_and_undo_and_restore_bring_all_back(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    assert not page.undo_button.isEnabled()
    zoom(page, 0.6, 2.4)
    assert [row["batch_id"] for row in cells(page)] == [1, 2]
    assert page.details.range_text.full_text() == "1 – 2"
    assert [row["count"] for row in page.details.figures.table.to_pylist()] == [2, 2, 2]
    qtbot.waitUntil(page.undo_button.isEnabled)
    zoom(page, 0.8, 1.2)
    assert [row["batch_id"] for row in cells(page)] == [1]
    page.undo_button.click()
    assert [row["batch_id"] for row in cells(page)] == [1, 2]
    page.undo_button.click()
    assert [row["batch_id"] for row in cells(page)] == [0, 1, 2, 3]
    assert page.chart.view is None
    assert not page.undo_button.isEnabled()
    zoom(page, 0.6, 2.4)
    plot = page.chart.plot
    middle = QPointF(plot.frame.plot.center())
    send_mouse(plot, QEvent.Type.MouseButtonRelease, middle.x(), middle.y(), button=Qt.MouseButton.RightButton)
    assert page.chart.chosen is None
    assert len(cells(page)) == 4


@pytest.mark.row(SPEC, 13)
def test_a_locked_chart_does_not_zoom(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    page.chart.zoom_button.click()
    zoom(page, 0.6, 2.4)
    assert page.chart.view is None
    page.chart.restore()
    assert not page.chart.locked


@pytest.mark.row(SPEC, 14)
def test_columns_of_numbers_sort_by_value_and_filter(qtbot: QtBot, vllm: Store) -> None:
    page = page_of(qtbot, vllm)
    rows = page.details.rows
    rows.sort_by("batch_id", descending=True)
    assert [row["batch_id"] for row in cells(page)[:2]] == [110, 109]
    rows.set_filters({"prefill_batch_size": "> 1"})
    assert {row["prefill_batch_size"] for row in cells(page)} == {2}
    show(qtbot, page, "Batch_Token_curve")
    assert page.details.rows.sort is None
    assert page.details.rows.filters() == {}


@pytest.mark.row(SPEC, 15)
@pytest.mark.example(SPEC, 9)
def test_curves_of_slices_are_listed_under_generated_and_lead_to_their_slices(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    capture = g1.capture("g1_0")
    slice_id = next(i for i in range(35) if capture.text(int(capture.slice_name[i])) == "modelExec")
    track = int(capture.lane_track[capture.lane_of(slice_id)])
    page.context.curve_wanted.emit(CurvePlace("g1_0", slice_id=slice_id))
    settled(qtbot, page, f"generated:modelExec_{track}_curve")
    assert page.bar.curve_box.currentText() == f"modelExec_{track}_curve"
    assert [s.name for s in page.chart.series] == ["avg_duration (ms)", "duration (ms)"]
    assert page.chart.series[1].y.tolist() == [10.0, 15.0, 18.0, 10.0]
    assert [row["startTime"] for row in cells(page)] == [1_300_000, 12_300_000, 28_300_000, 47_300_000]
    page.context.curve_wanted.emit(CurvePlace("g1_0", slice_id=slice_id, kind="bubble"))
    settled(qtbot, page, f"generated:modelExec_bubble_{track}_curve")
    assert [(r["startTime"], r["duration"]) for r in cells(page)] == [
        (11_300_000, 1_000_000), (27_300_000, 1_000_000), (46_300_000, 1_000_000),
    ]  # fmt: skip
    with qtbot.waitSignal(page.context.jump) as heard:
        page.find_in_timeline(0)
    jump = heard.args[0]
    assert capture.text(int(capture.slice_name[jump.slice_id])) == "modelExec"
    assert int(capture.slice_start[jump.slice_id]) - g1.base_ns == 12_300_000
    page.remove(page.bar.curve)
    settled(qtbot, page, "Batch_Size_curve")


@pytest.mark.row(SPEC, 16)
def test_rows_of_batches_and_times_lead_to_the_step(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    show(qtbot, page, "Batch_Token_curve")
    capture = g1.capture("g1_0")
    with qtbot.waitSignal(page.context.jump) as heard:
        page.details.rows.row_activated.emit(2)
    assert int(capture.slice_start[heard.args[0].slice_id]) - g1.base_ns == 28_300_000
    show(qtbot, page, "Step latency")
    with qtbot.waitSignal(page.context.jump) as heard:
        page.find_in_timeline(1)
    assert int(capture.slice_start[heard.args[0].slice_id]) - g1.base_ns == 12_300_000
    show(qtbot, page, "Kvcache_Usage_Percent_curve")
    page.details.rows.select_row(0)
    assert not page.details.find_button.isEnabled()


@pytest.mark.row(SPEC, 17)
def test_the_description_follows_the_language(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    english = page.description.full_text()
    assert english.startswith("Curve Description: The number of requests per batch")
    try:
        language.set_language("zh", remember=False)
        page.retranslate()
        assert "batch包含的请求数量" in page.description.full_text()
    finally:
        language.set_language("en", remember=False)
    page.retranslate()
    assert page.description.full_text() == english


@pytest.mark.row(SPEC, 31)
def test_two_runs_are_drawn_together_from_their_starts(
    qtbot: QtBot, real: Callable[[str], Path], g1: Store, vllm: Store
) -> None:
    page = page_of(qtbot, joined(g1, vllm))
    page.bar.base_box.setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.loaded is not None and page.loaded.base is not None)
    assert [s.key for s in page.chart.series] == [
        "total_batch_size", "prefill_batch_size", "decode_batch_size",
        "base:total_batch_size", "base:prefill_batch_size", "base:decode_batch_size",
    ]  # fmt: skip
    assert [s.dashed for s in page.chart.series] == [False, False, False, True, True, True]
    found = [(r["line"], r["run"], r["count"]) for r in page.details.figures.table.to_pylist()]
    assert found[:2] == [("total_batch_size", "g1_0", 4), ("total_batch_size", "vllm_0", 111)]
    page.details.base_button.click()
    assert len(cells(page)) == 111
    page.bar.mode_box.setCurrentIndex(1)
    assert page.chart.series[0].x[0] == pytest.approx(1e6, abs=1000)
    page.bar.card_box.setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.loaded is not None and page.loaded.curve.card == "vllm_0")
    assert page.bar.curve == "Batch_Size_curve"


def with_curve(folder: Path, real: Callable[[str], Path], statements: list[str]) -> Store:
    """The first example with other views."""
    place = folder / "g1"
    place.mkdir()
    with (
        sqlite3.connect(place / "profiler.db") as copy,
        sqlite3.connect(f"file:{real('service/g1/profiler.db')}?immutable=1", uri=True) as source,
    ):
        source.backup(copy)
        for statement in statements:
            copy.execute(statement)
    copy.close()
    return run_of(place)


@pytest.mark.row(SPEC, 12)
@pytest.mark.row(MEMORY, 44)
def test_missing_values_are_gaps_or_zeros_as_wanted(tmp_path: Path, real: Callable[[str], Path], qtbot: QtBot) -> None:
    rows = "(1, 5), (2, NULL), (3, 7), (4, 7), (5, 9)"
    store = with_curve(
        tmp_path, real,
        ["CREATE TABLE t (n, v)", f"INSERT INTO t VALUES {rows}", "CREATE VIEW \"a b'ü_curve\" AS SELECT n, v FROM t"],
    )  # fmt: skip
    page = page_of(qtbot, store)
    show(qtbot, page, "a b'ü_curve")
    series = page.chart.series[0]
    assert series.gaps is False or len(series.y) == 5
    assert series.y.tolist()[0] == 5
    assert page.details.rows.shown_table()["v"].to_pylist() == [5, None, 7, 7, 9]
    page.bar.options["zeros"].setChecked(True)
    assert page.chart.series[0].y.tolist() == [5, 0, 7, 7, 9]
    assert page.details.rows.shown_table()["v"].to_pylist() == [5, 0, 7, 7, 9]


@pytest.mark.row(SPEC, 34)
def test_a_view_of_one_column_and_one_without_rows_say_so(
    tmp_path: Path, real: Callable[[str], Path], qtbot: QtBot
) -> None:
    store = with_curve(
        tmp_path, real,
        ["CREATE VIEW one_curve AS SELECT 1 AS n", "CREATE VIEW none_curve AS SELECT 1 AS n, 2 AS v WHERE 0"],
    )  # fmt: skip
    page = page_of(qtbot, store)
    for name in ("one_curve", "none_curve"):
        show(qtbot, page, name)
        assert page.chart.empty.texts()[0] == "This curve has no rows."


@pytest.mark.row(SPEC, 12)
def test_thousands_of_rows_keep_their_extremes(tmp_path: Path, real: Callable[[str], Path], qtbot: QtBot) -> None:
    fill = (
        "INSERT INTO t WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 4999) "
        "SELECT i, CASE i WHEN 3333 THEN 1000 WHEN 44 THEN -5 ELSE i % 7 END FROM c"
    )
    store = with_curve(tmp_path, real, ["CREATE TABLE t (n, v)", fill, "CREATE VIEW many_curve AS SELECT n, v FROM t"])
    page = page_of(qtbot, store)
    show(qtbot, page, "many_curve")
    drawn = page.chart.plot.shown.series[0]
    assert len(drawn.x) <= 2000
    assert (drawn.y.max(), drawn.y.min()) == (1000, -5)
    assert page.details.rows.table.num_rows == 5000


@pytest.mark.row(SPEC, 12)
def test_logarithmic_values_are_told_as_they_are(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    show(qtbot, page, "Batch_Token_curve")
    page.bar.options["log"].setChecked(True)
    assert page.chart.series[0].y.tolist()[3] == 0.0
    page.chart.plot.move_cursor(0)
    assert [line.value for line in page.chart.plot.readout()[1:3]] == ["32", "32"]


@pytest.mark.row(SPEC, 15)
def test_curve_axis_and_generated_curves_come_back_with_the_session(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    capture = g1.capture("g1_0")
    slice_id = next(i for i in range(35) if capture.text(int(capture.slice_name[i])) == "forward")
    page.jump(CurvePlace("g1_0", slice_id=slice_id))
    qtbot.waitUntil(lambda: page.loaded is not None and page.loaded.curve.section == "generated")
    name = page.bar.curve
    page.bar.options["zeros"].setChecked(True)
    state = page.view_state()
    again = page_of(qtbot, g1)
    again.restore_state(state)
    settled(qtbot, again, name)
    durations = [row["duration"] for row in cells(again)]
    assert durations == pytest.approx([7_500_000, 12_500_000, 15_500_000, 7_500_000], abs=1000)
    assert again.bar.is_on("zeros")


def test_without_a_run_the_page_names_what_it_reads(qtbot: QtBot) -> None:
    page = page_of(qtbot, Store())
    assert page.stack.currentWidget() is page.empty
    assert page.empty.title.text() == "No serving run is open"


@pytest.mark.row(SPEC, 36)
def test_a_request_of_the_overview_is_followed_in_the_timeline(qtbot: QtBot, g1: Store) -> None:
    page = OverviewPage(Context(g1))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    page.resize(1400, 800)
    page.show()
    page.context.request_wanted.emit(RequestPlace("g1_0", "B"))
    page.refresh()
    qtbot.waitUntil(lambda: page.requests.current() == "B")
    with qtbot.waitSignal(page.context.request_chosen) as heard:
        page.requests.jump_wanted.emit(Jump("g1_0", slice_id=0))
    assert heard.args[0] == RequestPlace("g1_0", "B")


@pytest.mark.row(SPEC, 36)
def test_in_step_with_the_timeline_a_zoom_tells_its_stretch(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    show(qtbot, page, "Concurrency")
    page.bar.options["sync"].setChecked(True)
    heard: list[tuple[str, int, int]] = []
    page.context.stretch_wanted.connect(lambda card, low, high: heard.append((card, low, high)))
    page.chart.zoom_to(10e6, 20e6)
    assert heard[-1] == ("g1_0", g1.base_ns + 10_000_000, g1.base_ns + 20_000_000)
    heard.clear()
    page.context.stretch_shown.emit(15_000_000, 30_000_000)
    assert page.chart.view == (15e6, 30e6)
    assert heard == []
    page.bar.options["sync"].setChecked(False)
    page.context.stretch_shown.emit(1_000_000, 2_000_000)
    assert page.chart.view == (15e6, 30e6)


@pytest.mark.row(SPEC, 14)
def test_a_row_marks_its_point_and_a_point_its_row(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    page.details.rows.select_row(2)
    assert [(x, y) for _, x, y in page.chart.plot.emphasised] == [(2.0, 3.0)]
    page.chart.point_clicked.emit("total_batch_size", 1)
    assert page.details.rows.current_row() == 1


@pytest.mark.row(SPEC, 19)
def test_times_of_another_zone_are_moved_with_a_note(tmp_path: Path, real: Callable[[str], Path], qtbot: QtBot) -> None:
    moved = "substr(timestamp, 1, 11) || '12' || substr(timestamp, 14)"  # 20:16 in Shanghai is 12:16 in UTC
    store = with_curve(tmp_path, real, [f"UPDATE first_token_latency SET timestamp = {moved}"])
    page = page_of(qtbot, store)
    page.bar.mode_box.setCurrentIndex(1)
    show(qtbot, page, "First_Token_Latency_curve")
    assert page.note.text() == "Recorded -8 h off the events: aligned"
    assert [x / 1e6 for x in page.chart.series[0].x.tolist()] == [0.0]


@pytest.mark.row(SPEC, 5)
def test_only_serving_runs_are_offered(tmp_path: Path, qtbot: QtBot, g1: Store) -> None:
    plain_build.build(tmp_path / "c0", slices=basic())
    page = page_of(qtbot, Store([*g1.cards_of("service"), card(tmp_path / "c0")]))
    assert [page.bar.card_box.itemText(i) for i in range(page.bar.card_box.count())] == ["g1_0"]
    assert page.bar.base_box.isHidden()


@pytest.mark.row(SPEC, 12)
def test_lines_that_were_put_at_the_right_are_remembered(qtbot: QtBot, g1: Store) -> None:
    page = page_of(qtbot, g1)
    show(qtbot, page, "Queues")
    assert page.chart.plot.frame.right is None
    lines = [a.text() for a in page.bar.right_menu.actions()]
    assert len(lines) > 1
    page.bar.right_menu.actions()[0].setChecked(True)
    assert [s.name for s in page.chart.series if s.right] == [lines[0]]
    kept = page.view_state()
    assert kept["right"] == {"Queues": [lines[0]]}
    again = page_of(qtbot, g1)
    again.restore_state(kept)
    settled(qtbot, again, "Queues")
    assert [s.name for s in again.chart.series if s.right] == [lines[0]]
