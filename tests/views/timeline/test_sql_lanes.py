from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.errors import BadArgument
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.sql_panel import SqlPanel


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


def result(page: TimelinePage, text: str) -> pa.Table:
    return page.context.store.sql(text)


@pytest.mark.row("system-timeline", 101)
def test_rows_of_a_query_become_a_lane_whose_slices_lead_to_the_data(page: TimelinePage) -> None:
    found = result(page, "SELECT card, id, name, ts_ns, dur_ns FROM slice WHERE name = 'inner'")
    unit = page.state.sql_lanes.add(found)
    assert unit is not None
    row = page.state.rows.of(unit.key)
    assert row is not None
    assert (row.kind, row.y, unit.title) == ("lane", 22, "Query 1")
    page.body.canvas.render_now()
    hit = page.body.canvas.gestures.hit(tp.QPointF(200, 32))
    assert hit is not None
    assert hit.selected is not None
    assert (hit.selected.name, hit.selected.id) == ("inner", 1)
    frame = page.body.canvas.maker.frame
    assert frame is not None
    assert {label.text for label in frame.labels if label.y == 23} == {"inner"}
    tp.click(page.body.canvas, 550, 32)
    assert page.state.selected is not None
    assert page.state.selected.id == 2
    page.state.select_lanes([unit.key])
    page.commands.run("remove_query_lane")
    assert page.state.unit(unit.key) is None


def test_rows_without_ids_tell_their_facts(page: TimelinePage) -> None:
    unit = page.state.sql_lanes.add(pa.table({"name": ["x"], "from_ns": [tp.T0 + 100_000], "to_ns": [tp.T0 + 300_000]}))
    assert unit is not None
    hit = page.body.canvas.gestures.hit(tp.QPointF(200, 32))
    assert hit is not None
    assert (hit.selected, hit.own) == (None, 0)
    assert page.state.sql_lanes.facts(unit, 0) == ("x", tp.T0 + 100_000, tp.T0 + 300_000)


def test_a_result_without_time_is_refused_with_a_reason(page: TimelinePage) -> None:
    with pytest.raises(BadArgument, match="no time"):
        page.state.sql_lanes.add(pa.table({"name": ["x"]}))
    with pytest.raises(BadArgument, match="No row"):
        page.state.sql_lanes.add(pa.table({"name": ["x"], "ts_ns": pa.array([None], pa.int64())}))


def test_the_panel_draws_its_result(page: TimelinePage, qtbot: QtBot) -> None:
    panel = SqlPanel(page.state)
    qtbot.addWidget(panel)
    assert not panel.lane_button.isEnabled()
    panel.set_text("SELECT name, ts_ns, dur_ns FROM slice WHERE dur_ns > 0")
    panel.run()
    qtbot.waitUntil(lambda: panel.result is not None)
    panel.lane_button.click()
    assert "Query 1" in panel.note.text()
    assert len(page.state.sql_lanes.lanes) == 1
    drawn = next(iter(page.state.sql_lanes.lanes.values()))[0]
    assert (len(drawn.slice_start), len(drawn.lane_row)) == (5, 3)  # MatMul overlaps an inner inside the outer


@pytest.mark.row("system-timeline", 62)
def test_a_lane_of_a_query_comes_back_with_what_was_arranged(qtbot: QtBot, page: TimelinePage, tmp_path: Path) -> None:
    panel = SqlPanel(page.state)
    qtbot.addWidget(panel)
    panel.set_text("SELECT card, id, name, ts_ns, dur_ns FROM slice WHERE name = 'inner'")
    panel.run()
    qtbot.waitUntil(lambda: panel.result is not None)
    panel.as_lane()
    kept = page.view_state()
    assert kept["queries"] == [{"title": "Query 1", "text": panel.editor.toPlainText(), "key": "0/#query 1"}]
    (tmp_path / "again").mkdir()
    again = tp.basic_page(qtbot, tmp_path / "again")
    again.restore_state(kept)
    qtbot.waitUntil(lambda: bool(again.state.sql_lanes.lanes))
    unit = tp.unit(again, "Query 1")
    assert again.state.rows.of(unit.key) is not None
    assert again.view_state()["queries"] == kept["queries"]
    again.state.sql_lanes.remove()
    assert again.view_state()["queries"] == []


@pytest.mark.row("system-timeline", 62)
def test_a_pinned_lane_of_a_query_is_pinned_after_a_restart(qtbot: QtBot, page: TimelinePage, tmp_path: Path) -> None:
    state = page.state
    for name in ("outer", "inner"):
        text = f"SELECT card, id, name, ts_ns, dur_ns FROM slice WHERE name = '{name}'"
        unit = state.sql_lanes.add(result(page, text), text=text)
    assert unit is not None
    state.sql_lanes.remove(["0/#query 1"])
    state.pin([tp.unit(page, "Stream 2"), tp.unit(page, "Query 2")], True)
    kept = json.loads(json.dumps(page.view_state()))
    (tmp_path / "again").mkdir()
    again = tp.basic_page(qtbot, tmp_path / "again")
    again.restore_state(kept)
    again.state.replant()  # as other lanes do that come before the answer
    assert again.view_state()["queries"] == kept["queries"]
    qtbot.waitUntil(lambda: bool(again.state.sql_lanes.lanes))
    pinned = [row.unit.title for row in again.state.pinned_rows.rows if row.unit is not None]
    assert pinned == ["Stream 2", "Query 2"]
    later = again.state.sql_lanes.add(result(again, "SELECT name, ts_ns, dur_ns FROM slice"))
    assert later is not None
    assert later.title == "Query 3"


def test_the_pin_of_a_lane_whose_query_fails_goes(qtbot: QtBot, page: TimelinePage) -> None:
    page.restore_state(
        {"pinned": ["0/#query 1"], "queries": [{"title": "Old", "text": "SELECT x", "key": "0/#query 1"}]}
    )
    assert page.state.arrangement.pinned == ["0/#query 1"]
    qtbot.waitUntil(lambda: page.state.arrangement.pinned == [])
