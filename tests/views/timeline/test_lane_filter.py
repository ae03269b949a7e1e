from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.lane_filter import LaneFilterMenu


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    for number in range(2):
        plain_build.build(tmp_path / f"c{number}", slices=tp.basic())
    return tp.make(qtbot, [tp.card(tmp_path / f"c{n}", str(n)) for n in range(2)])


def titles(page: TimelinePage) -> list[str]:
    return [row.unit.title for row in page.state.rows.rows if row.unit is not None]


@pytest.mark.row("system-timeline", 91)
def test_cards_and_lanes_are_filtered_together_and_clear_shows_all(page: TimelinePage) -> None:
    every = titles(page)
    menu = LaneFilterMenu(page.state, page)
    menu.list.item(1).setCheckState(Qt.CheckState.Checked)
    assert titles(page) == ["1"]
    menu.mode.setCurrentIndex(1)
    names = [menu.list.item(i).text() for i in range(menu.list.count())]
    assert names == ["Ascend Hardware", "Stream 2", "Thread 11", "Thread 12", "python3"]
    menu.list.item(0).setCheckState(Qt.CheckState.Checked)
    assert titles(page) == ["1", "Ascend Hardware (2)", "Stream 2"]
    menu.clear()
    assert titles(page)[: len(every) - 1] == every[:-1]
    menu.close()


def test_what_is_filtered_away_is_no_longer_selected(page: TimelinePage) -> None:
    state = page.state
    state.select(state.slice("0", 4))
    page.body.canvas._selected()
    state.filter_lanes({"1"}, set())
    assert state.selected is None
    assert page.body.canvas.linked == []
    state.filter_lanes(set(), set())
    lane = next(u for u in state.cards["0"].units.values() if u.title == "Thread 11")
    state.select_span(0, 100_000, "0", (lane.key,))
    state.modes.lock()
    state.filter_lanes(set(), {"Stream 2"})
    assert (state.range, state.modes.locked, state.lanes) == (None, None, [])
    state.filter_lanes(set(), set())
    state.select(state.slice("0", 4))
    state.filter_lanes(set(), {"Stream 2"})
    assert state.selected is not None
