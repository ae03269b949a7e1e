"""Streams of one captured graph are merged when their card opens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp
from tests.support.operator_files import open_store

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.tooltip import row_tip

MERGED = "Stream Merged (161, 162, 163, 164, 165)"


@pytest.fixture
def page(qtbot: QtBot, real: Callable[[str], Path]) -> TimelinePage:
    return tp.make(qtbot, open_store(real("aclgraph_debug/graph_debug.json")).cards)


def titles(page: TimelinePage) -> list[str]:
    return [u.title for opened in page.state.cards.values() for u in opened.unit.walk() if u.is_lane]


@pytest.mark.row("system-timeline", 50)
def test_streams_of_one_model_are_merged_at_load_and_say_why(qtbot: QtBot, page: TimelinePage) -> None:
    qtbot.waitUntil(lambda: MERGED in titles(page), timeout=20_000)
    unit = tp.unit(page, MERGED)
    assert [member.title for member in unit.members] == [f"stream{n}" for n in (161, 162, 163, 164, 165)]
    assert not [title for title in titles(page) if title in ("stream161", "stream165")]
    tip = row_tip(page.state, unit)
    assert tip is not None
    assert tip.lines[-1] == ("Merged because", "their tasks belong to one captured graph")
    assert unit.node.label == "one graph"


@pytest.mark.row("system-timeline", 50)
def test_unmerged_streams_stay_apart_also_after_a_restart(qtbot: QtBot, page: TimelinePage) -> None:
    qtbot.waitUntil(lambda: MERGED in titles(page), timeout=20_000)
    page.state.unmerge([tp.unit(page, MERGED)])
    page.refresh()
    kept = page.view_state()
    again = tp.make(qtbot, page.context.store.cards)
    again.restore_state(kept)
    again.refresh()
    # Whatever was asked before the state came back is answered after this question.
    done: list[bool] = []
    again.guests.run("last", lambda: True, then=done.append, failed=lambda _error: None)
    qtbot.waitUntil(lambda: bool(done), timeout=20_000)
    assert MERGED not in titles(again)
    assert "stream161" in titles(again)


@pytest.mark.row("system-timeline", 50)
def test_merged_graph_comes_back_after_a_restart(qtbot: QtBot, page: TimelinePage) -> None:
    qtbot.waitUntil(lambda: MERGED in titles(page), timeout=20_000)
    again = tp.make(qtbot, page.context.store.cards)
    again.restore_state(page.view_state())
    assert titles(again).count(MERGED) == 1
    assert tp.unit(again, MERGED).node.label == "one graph"
