"""All links of a category, on cards whose places are known: 1 px is 1,000 ns."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline import flow_lines
from insight_desktop.views.timeline.flow_menu import FlowMenu, categories

LINKS = [(1, 4, "async_npu"), (2, 5, "async_npu"), (1, 4, "HostToDevice")]


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path, links=LINKS)


def lines(page: TimelinePage, category: str) -> list[list[float]]:
    canvas = page.body.canvas
    page.state.modes.flow_categories = [category]
    wish = canvas.flows.wish(canvas.width(), canvas.height(), 1.0)
    assert wish is not None
    return [row for places in wish.cards for row in flow_lines.curves(wish, places, category).tolist()]


@pytest.mark.row("system-timeline", 88)
def test_every_link_of_a_category_goes_from_its_source_to_the_start_of_its_target(page: TimelinePage) -> None:
    # inner [100, 300) → MatMul at 200 overlap, so the line leaves at the start; inner [500, 600) → outer at 600.
    assert lines(page, "async_npu") == [[100.0, 74.0, 200.0, 136.0], [600.0, 74.0, 600.0, 136.0]]
    assert lines(page, "HostToDevice") == [[100.0, 74.0, 200.0, 136.0]]


@pytest.mark.row("system-timeline", 88)
def test_lines_end_on_the_preview_of_a_closed_unit_and_need_the_card_open(page: TimelinePage) -> None:
    page.state.set_open([tp.unit(page, "Ascend Hardware (2)")], False)
    assert lines(page, "HostToDevice") == [[100.0, 74.0, 200.0, 115.0]]
    page.state.set_open([tp.unit(page, "python3 (1)")], False)
    assert lines(page, "HostToDevice") == []


@pytest.mark.row("system-timeline", 88)
def test_a_locked_selection_keeps_links_with_an_end_inside(page: TimelinePage) -> None:
    y = tp.Y["inner"]
    tp.drag(page.body.canvas, [(450, y), (500, y), (700, y)])
    page.state.modes.lock()
    assert lines(page, "async_npu") == [[600.0, 74.0, 600.0, 136.0]]


@pytest.mark.row("system-timeline", 88)
def test_the_popover_lists_categories_and_draws_at_most_ten(page: TimelinePage, monkeypatch: Any) -> None:
    assert categories(page.state) == {"HostToDevice": 1, "async_npu": 2}
    menu = FlowMenu(page.state, page)
    menu.check_all(True)
    assert page.state.modes.flow_categories == ["HostToDevice", "async_npu"]
    assert page.body.canvas.flows.layer is not None
    assert page.body.canvas.flows.layer.lines == 3
    menu.field.setText("npu")
    menu.check_all(False)
    assert page.state.modes.flow_categories == ["HostToDevice"]
    monkeypatch.setattr("insight_desktop.views.timeline.flow_menu.MOST_CATEGORIES", 1)
    menu.field.setText("")
    menu.check_all(True)
    assert page.state.modes.flow_categories == ["HostToDevice"]
    assert menu.hint.text() == "At most 1 categories are drawn: the first 1 of the list."
    menu.close()


@pytest.mark.row("system-timeline", 88)
def test_fifty_thousand_links_are_thinned(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [tp.at(i * 20, i * 20 + 10, "op", tp.T11) for i in range(50_000)]
    slices += [tp.at(i * 20 + 5, i * 20 + 15, "task", tp.S2) for i in range(50_000)]
    page = tp.basic_page(qtbot, tmp_path, slices=slices, links=[(i, 50_000 + i, "async_npu") for i in range(50_000)])
    canvas = page.body.canvas
    page.state.modes.set_flow_categories(["async_npu"])
    began = time.thread_time()
    canvas.renew_flows()
    assert time.thread_time() - began < 1.0
    assert canvas.flows.layer is not None
    assert 0 < canvas.flows.layer.lines <= 1000  # two pieces of the window per link at most
