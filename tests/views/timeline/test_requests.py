"""Serving runs on the Timeline: lanes, followed requests, the requests of a slice, curves of slices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support.service_run import T0, event, run_of, trace
from tests.support.timeline_page import CHART, basic_page, click, key

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.views.common import language, theme
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.context import Context, CurvePlace, RequestPlace
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline import args_values, menu, tooltip
from insight_desktop.views.timeline.requests_panel import RequestsPanel
from insight_desktop.views.timeline.service_tables_panel import ServiceTablesPanel

SPEC = "service"


def page_of(qtbot: QtBot, store: Store) -> TimelinePage:
    """A shown page over serving runs with their requests as lanes."""
    theme.set_theme("dark", remember=False)
    page = TimelinePage(Context(store))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    for canvas in page.body.canvases.values():
        canvas.synchronous = True
    page.resize(CHART + 258, 800)
    page.show()
    page.refresh()
    page.state.request_lanes.look()
    names = [card.name for card in store.cards_of("service")]
    qtbot.waitUntil(lambda: all(page.state.request_lanes.is_shown(name) for name in names))
    qtbot.waitUntil(lambda: all(name in page.state.request_lanes.figures for name in names))
    return page


@pytest.fixture
def g1(real: Callable[[str], Path]) -> Store:
    return run_of(real("service/g1"))


@pytest.fixture
def page(qtbot: QtBot, g1: Store) -> TimelinePage:
    return page_of(qtbot, g1)


def slice_of(store: Store, name: str, turn: int = 0) -> int:
    capture = store.capture("g1_0")
    found = [i for i in range(len(capture.slice_start)) if capture.text(int(capture.slice_name[i])) == name]
    return found[turn]


def select(page: TimelinePage, number: int) -> None:
    page.state.select(page.state.slice("g1_0", number))


def followed(qtbot: QtBot, page: TimelinePage, rid: str) -> None:
    page.context.request_chosen.emit(RequestPlace("g1_0", rid))
    qtbot.waitUntil(lambda: len(page.state.trail.ids) > 0)


@pytest.mark.row(SPEC, 7)
def test_processes_have_their_lanes_and_counters_and_the_requests_stand_below(page: TimelinePage) -> None:
    card = page.state.cards["g1_0"].unit
    tree = {child.title: [lane.title for lane in child.children] for child in card.children}
    assert tree == {
        "schedule (1001)": ["Engine(11)", "Execute(13)", "Schedule(12)", "Schedule.KVCache-dp0"],
        "forward (1002)": ["Execute(21)"],
        "Derived from events": ["Concurrency", "Queues", "KV usage", "Batch tokens"],
        "Requests by time": [],
    }
    assert [child.node.label for child in card.children[:2]] == ["node-a,dp0", "node-a,dp0"]


@pytest.mark.row(SPEC, 7)
def test_counters_of_a_run_are_outlines(page: TimelinePage) -> None:
    canvas = page.body.canvas
    request = canvas.bands.request(canvas.area, 1000, 1.0, 0)
    assert [band.outline for band in request.bands if band.kind == "counter"] == [True] * 5
    canvas.render_now()


@pytest.mark.row(SPEC, 7)
def test_counters_of_the_events_tell_their_values(page: TimelinePage) -> None:
    units = {unit.title: unit for unit in page.state.cards["g1_0"].units.values()}
    tip = tooltip.counter_tip(page.state, units["KV usage"], 29_000_000)  # in the third step: 7 of 10 blocks
    assert tip is not None
    assert tip.lines == [("usage (%)", "70")]
    tip = tooltip.counter_tip(page.state, units["Concurrency"], 25_000_000)
    assert tip is not None
    assert tip.lines == [("requests", "3")]
    row = page.state.rows.of(units["KV usage"].key)
    assert row is not None
    page.body.area.bring_in(row.y, row.height)
    click(page.body.canvas, 500, row.y - page.body.area.scroll + 10)
    assert page.state.selected is None


@pytest.mark.row(SPEC, 24)
def test_requests_are_packed_into_lanes_by_the_parts_of_their_time(page: TimelinePage) -> None:
    lane, table, _ = page.state.sql_lanes.lanes[page.state.request_lanes.key("g1_0")]
    rows = [(r["rid"], r["name"], r["row"], round(r["dur_ns"] / 1e6, 2)) for r in table.to_pylist()]
    assert rows == [
        ("A", "frontend", 0, 0.5), ("A", "queue", 0, 0.67), ("A", "prefill", 0, 10.33), ("A", "decode", 0, 35.0),
        ("B", "frontend", 1, 0.5), ("B", "queue", 1, 2.67), ("B", "prefill", 1, 34.33), ("B", "decode", 1, 11.0),
        ("C", "frontend", 2, 0.5), ("C", "queue", 2, 8.67), ("C", "prefill", 2, 18.33),
    ]  # fmt: skip
    assert lane.colours.palette[2] == theme.meaning("prefill").rgb()


@pytest.mark.row(SPEC, 8)
def test_a_request_is_followed_by_time_and_everything_else_is_dimmed(qtbot: QtBot, page: TimelinePage) -> None:
    for rid, points in (("A", 17), ("B", 16), ("C", 9)):
        page.context.request_chosen.emit(RequestPlace("g1_0", rid))
        qtbot.waitUntil(
            lambda rid=rid: page.state.trail.place == RequestPlace("g1_0", rid) and page.body.chain.ids != []
        )
        qtbot.waitUntil(lambda points=points: len(page.body.chain.ids) == points)
    starts = [one.start_ns for one in page.body.chain.slices()]
    assert starts == sorted(starts)
    light = page.state.filter.light("g1_0")
    assert light is not None
    assert light.passing is not None
    assert len(light.passing.ids) == 9
    page.body.canvas.render_now()
    key(page.body.canvas, Qt.Key.Key_Escape)
    assert page.state.trail.place is None
    assert page.state.filter.light("g1_0") is None


@pytest.mark.row(SPEC, 8)
def test_brackets_go_through_the_events_of_the_followed_request(qtbot: QtBot, page: TimelinePage) -> None:
    followed(qtbot, page, "C")
    page.body.follow(1)
    assert page.state.selected is not None
    assert (page.state.selected.name, page.state.selected.start_ns - T0) == (
        "httpReq",
        pytest.approx(20_000_000, abs=1000),
    )
    page.body.follow(1)
    assert page.state.selected.name == "Enqueue"
    page.body.follow(-1)
    page.body.follow(-1)
    assert page.state.selected.name == "httpReq"


@pytest.mark.row(SPEC, 8)
def test_the_list_of_requests_is_searched_and_chooses(qtbot: QtBot, page: TimelinePage) -> None:
    page.panel.show_tab("requests")
    panel = page.panel.panel("requests")
    assert isinstance(panel, RequestsPanel)
    qtbot.waitUntil(lambda: panel.table.table.num_rows == 3)
    first = panel.table.row(0)
    assert (first["rid"], first["arrive_at"], first["n_in"]) == ("A", 0, 32)
    panel.field.setText("b")
    assert panel.table.shown_table()["rid"].to_pylist() == ["B"]
    panel.field.returnPressed.emit()
    qtbot.waitUntil(lambda: len(page.body.chain.ids) == 16)
    assert "following B: 16 events" in panel.words.full_text()
    with qtbot.waitSignal(page.context.request_wanted) as heard:
        panel.overview_button.click()
    assert heard.args[0] == RequestPlace("g1_0", "B")
    panel.clear_button.click()
    assert page.body.chain.ids == []


@pytest.mark.row(SPEC, 9)
def test_a_slice_lists_its_requests_and_leads_to_their_rows(qtbot: QtBot, page: TimelinePage, g1: Store) -> None:
    select(page, slice_of(g1, "modelExec", 2))
    detail = page.panel.detail
    qtbot.waitUntil(lambda: any(k == "res_list" for k, _ in detail.args.pairs))
    tables = detail.args.tree.findChildren(ArrowTable)
    assert [t.table["rid"].to_pylist() for t in tables] == [["A", "B", "C"]]
    assert tables[0].table["num_scheduled_tokens"].to_pylist() == [1, 16, 16]
    tables[0].sort_by("num_computed_tokens", descending=True)
    assert tables[0].shown_table()["rid"].to_pylist() == ["A", "B", "C"]
    tables[0].select_row(1)
    tables[0].row_activated.emit(1)
    assert detail.right.currentWidget() is detail.request
    qtbot.waitUntil(lambda: "first_token_latency" in detail.request.facts.as_text())
    text = detail.request.facts.as_text()
    assert "48.50025" in text  # as it was recorded
    assert "37.5 ms" in text or "37.500" in text  # as the events have it
    qtbot.waitUntil(lambda: len(page.body.chain.ids) == 16)
    with qtbot.waitSignal(page.context.request_wanted) as heard:
        detail.request.button.click()
    assert heard.args[0] == RequestPlace("g1_0", "B")
    select(page, slice_of(g1, "modelExec", 0))
    assert detail.right.currentWidget() is detail.links


@pytest.mark.row(SPEC, 34)
def test_lists_of_requests_are_read_in_every_form() -> None:
    def rids(value: Any) -> list[str] | None:
        table = args_values.requests_table(value)
        return None if table is None else [str(v) for v in table["rid"].to_pylist()]

    assert rids("A") == ["A"]
    assert rids("A, B") == ["A", "B"]
    assert rids("[{'rid': '100', 'iter': 0}]") == ["100"]
    assert rids("['0']") == ["0"]
    assert rids({"rid": ["1", "2"]}) == ["1", "2"]
    assert rids([{"rid": "a", "iter": 1}, {"rid": "b", "type": 0}]) == ["a", "b"]
    assert rids("[]") is None
    assert rids(None) is None


@pytest.mark.row(SPEC, 36)
def test_a_bar_of_a_request_follows_it(qtbot: QtBot, page: TimelinePage) -> None:
    key_ = page.state.request_lanes.key("g1_0")
    row = page.state.rows.of(key_)
    assert row is not None
    page.body.area.bring_in(row.y, row.height)
    view = page.state.viewport.view
    x = view.x_of(24_000_000, page.body.canvas.width())  # 25 ms after T0: all three wait or run
    click(page.body.canvas, x, row.y - page.body.area.scroll + 30)
    assert page.state.trail.place == RequestPlace("g1_0", "B")


@pytest.mark.row(SPEC, 15)
def test_the_menu_of_a_slice_offers_its_curves(qtbot: QtBot, page: TimelinePage, g1: Store) -> None:
    number = slice_of(g1, "modelExec")
    select(page, number)
    made = menu.build(page.body.verbs, page)
    actions = {action.objectName(): action for action in made.actions()}
    assert actions["durations"].text() == "Generate Duration Line Chart By Block"
    assert actions["bubbles"].text() == "Generate Bubble Line Chart By Block"
    assert not actions["kernels"].isEnabled()
    assert "analyse" not in actions
    with qtbot.waitSignal(page.context.curve_wanted) as heard:
        actions["bubbles"].trigger()
    assert heard.args[0] == CurvePlace("g1_0", slice_id=number, kind="bubble")
    actions["requests"].trigger()
    assert not page.state.request_lanes.is_shown("g1_0")
    page.body.verbs.service.toggle_requests()
    qtbot.waitUntil(lambda: page.state.request_lanes.is_shown("g1_0"))


def test_a_late_name_of_a_request_leads_to_its_first_one(qtbot: QtBot, page: TimelinePage) -> None:
    page.context.request_chosen.emit(RequestPlace("g1_0", "A-0123abcd"))
    qtbot.waitUntil(lambda: page.state.trail.place == RequestPlace("g1_0", "A"))


def test_a_request_without_links_is_followed_without_events(qtbot: QtBot, tmp_path: Path) -> None:
    store = run_of(trace(tmp_path, [event("httpReq", 1.0, res_list="r"), event("httpRes", 3.0, res_list="r")]))
    made = page_of(qtbot, store)
    name = store.cards_of("service")[0].name
    made.context.request_chosen.emit(RequestPlace(name, "r"))
    qtbot.waitUntil(lambda: made.state.trail.place == RequestPlace(name, "r"))
    assert made.body.chain.ids == []
    made.context.request_chosen.emit(RequestPlace(name, "unknown"))
    qtbot.waitUntil(lambda: made.state.trail.place is None)


@pytest.mark.row(SPEC, 10)
def test_recorded_tables_are_listed_in_their_order_with_filter_and_sorting(qtbot: QtBot, page: TimelinePage) -> None:
    page.panel.show_tab("service_tables")
    assert not page.panel.tabs.isTabVisible(page.panel._ids.index("system"))  # it has nothing to say of a serving run
    panel = page.panel.panel("service_tables")
    assert isinstance(panel, ServiceTablesPanel)
    qtbot.waitUntil(lambda: panel.table.table.num_rows > 0)
    names = [panel.list.item(i).text() for i in range(panel.list.count())]
    assert len(names) == 4
    assert set(names) == {"request_data", "batch_info", "kvcache_usage", "forward_info"}
    assert all(panel.list.item(i).toolTip() for i in range(4))
    panel.list.setCurrentRow(names.index("request_data"))
    qtbot.waitUntil(lambda: "http_rid" in panel.table.table.column_names)
    panel.table.sort_by("execution_time(ms)", descending=True)
    assert panel.table.shown_table()["http_rid"].to_pylist() == ["B", "A", "C"]
    panel.table.set_filters({"http_rid": "b"})
    assert panel.table.shown_table()["execution_time(ms)"].to_pylist() == [49]
    panel.table.row_activated.emit(panel.table.shown_rows()[0])
    qtbot.waitUntil(lambda: len(page.body.chain.ids) == 16)


@pytest.mark.row(SPEC, 36)
def test_the_menu_leads_to_the_kernels_below_a_slice(qtbot: QtBot, tmp_path: Path, g1: Store) -> None:
    lane = {"pid": 1002, "process": "Ascend Hardware", "tid": 1, "thread": "Stream 1", "role": "stream"}
    kernel = {**lane, "name": "MatMul", "start_ns": T0 + 4_000_000, "end_ns": T0 + 5_000_000}
    plain_build.build(tmp_path / "c0", slices=[kernel])
    made = page_of(qtbot, Store([*g1.cards_of("service"), StoreCard("0", "0", 0, "", "text", tmp_path / "c0")]))
    assert made.panel.tabs.isTabVisible(made.panel._ids.index("system"))
    number = slice_of(g1, "forward")
    made.state.reveal(made.state.unit_of_track("g1_0", made.state.slice("g1_0", number).track))  # type: ignore[union-attr, arg-type]
    select(made, number)
    actions = {action.objectName(): action for action in menu.build(made.body.verbs, made).actions()}
    assert actions["kernels"].isEnabled()
    with qtbot.waitSignal(made.context.jump) as heard:
        actions["kernels"].trigger()
    assert (heard.args[0].card, heard.args[0].track) == ("0", 0)
    assert heard.args[0].start_ns == T0 + 4_000_000


def test_another_language_makes_new_trees_only_of_runs(qtbot: QtBot, page: TimelinePage, tmp_path: Path) -> None:
    plain = basic_page(qtbot, tmp_path)
    before, run = plain.state.cards["0"], page.state.cards["g1_0"]
    language.set_language("zh", remember=False)
    try:
        for each in (plain, page):
            each.context.language_changed.emit()
        assert plain.state.cards["0"] is before
        assert page.state.cards["g1_0"] is not run
        assert page.state.unit(page.state.request_lanes.key("g1_0")) is not None
        titles = [child.title for child in page.state.cards["g1_0"].unit.children]
        assert "Requests by time" not in titles
        assert "Derived from events" not in titles
    finally:
        language.set_language("en", remember=False)


@pytest.mark.row(SPEC, 24)
def test_the_order_of_the_requests_is_chosen_in_the_menu_and_remembered(
    page: TimelinePage, qtbot: QtBot, g1: Store
) -> None:
    key_of = page.state.request_lanes.key("g1_0")
    page.state.select_lanes([key_of])
    built = menu.build(page.body.verbs, page)
    order = next(a.menu() for a in built.actions() if a.text() == "Sort requests by")
    assert [(a.text(), a.isChecked()) for a in order.actions()] == [
        ("Arrival", True),
        ("Duration", False),
        ("TTFT", False),
        ("Waiting time", False),
        ("Name", False),
    ]
    order.actions()[2].trigger()

    def rows(of: TimelinePage) -> dict[str, int]:
        return {r["rid"]: r["row"] for r in of.state.sql_lanes.lanes[key_of][1].to_pylist()}

    qtbot.waitUntil(lambda: rows(page) == {"B": 0, "C": 1, "A": 2})
    assert page.state.unit(key_of) is not None
    assert page.state.sql_lanes.lanes[key_of][2] == "Requests: TTFT"
    kept = page.view_state()
    assert kept["request_sort"] == "ttft"
    again = page_of(qtbot, g1)
    again.restore_state(kept)
    qtbot.waitUntil(lambda: rows(again) == {"B": 0, "C": 1, "A": 2})
