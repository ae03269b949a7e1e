from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline import links, menu


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    """inner (100–300 µs) launches MatMul and outer on the stream; outer of the host launches inner."""
    return tp.basic_page(qtbot, tmp_path, links=[(1, 4, "HostToDevice"), (1, 5, "async_npu"), (0, 1, "fwdbwd")])


@pytest.mark.row("system-timeline", 87)
def test_all_links_of_the_selected_slice_are_drawn_in_both_directions(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 150, tp.Y["inner"])
    found = page.body.canvas.linked
    assert sorted((link.category, link.source.name, link.target.name) for link in found) == [
        ("HostToDevice", "inner", "MatMul"), ("async_npu", "inner", "outer"), ("fwdbwd", "outer", "inner"),
    ]  # fmt: skip
    tips = sorted((tip.x(), tip.y()) for _, tip in links.curves(page.body.area, found, 1000))
    # Targets: inner at 100 µs on depth row 1 (y 74), MatMul at 200 µs and outer at 600 µs on Stream 2 (y 136).
    assert tips == [(100.0, 74.0), (200.0, 136.0), (600.0, 136.0)]


@pytest.mark.row("system-timeline", 87)
def test_the_arrow_is_painted_at_the_target(page: TimelinePage) -> None:
    before = page.body.canvas.render_now()
    tp.click(page.body.canvas, 150, tp.Y["inner"])
    image = page.body.canvas.render_now()
    assert image.pixelColor(596, 136).lightness() > 200
    assert before.pixelColor(596, 136).lightness() < 40


@pytest.mark.row("system-timeline", 87)
def test_a_link_ends_on_the_preview_of_a_closed_process_and_hides_when_both_are_closed(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 150, tp.Y["inner"])
    found = [link for link in page.body.canvas.linked if link.category == "HostToDevice"]
    page.state.set_open([tp.unit(page, "Ascend Hardware (2)")], False)
    assert [(t.x(), t.y()) for _, t in links.curves(page.body.area, found, 1000)] == [(200.0, 115.0)]
    page.state.set_open([tp.unit(page, "python3 (1)")], False)
    assert links.curves(page.body.area, found, 1000) == []


@pytest.mark.row("system-timeline", 87)
def test_the_menu_lists_where_the_links_lead_and_goes_there(page: TimelinePage) -> None:
    tp.click(page.body.canvas, 150, tp.Y["inner"])
    made = menu.build(page.body.verbs, page.body)
    top = next(m for m in made.findChildren(QMenu) if m.title() == "Jump to linked slice")
    parts = {m.title(): [a.text() for a in m.actions()] for m in top.findChildren(QMenu)}
    assert parts == {"From": ["outer (fwdbwd)"], "To": ["MatMul (HostToDevice)", "outer (async_npu)"]}
    action = next(a for a in top.findChildren(QAction) if a.text() == "MatMul (HostToDevice)")
    action.trigger()
    assert page.state.selected is not None
    assert page.state.selected.name == "MatMul"


@pytest.mark.row("system-timeline", 87)
def test_keys_follow_a_chain_from_the_host_through_the_queue_to_the_device_and_back(
    qtbot: QtBot, tmp_path: Path
) -> None:
    slices = [
        tp.at(0, 20_000, "Enqueue", tp.T12),
        tp.at(50_000, 300_000, "Dequeue", tp.T11),
        tp.at(100_000, 150_000, "launch", tp.T11),
        tp.at(400_000, 500_000, "MatMul", tp.S2),
    ]
    page = tp.basic_page(qtbot, tmp_path, slices=slices, links=[(0, 1, "async_task_queue"), (2, 3, "HostToDevice")])
    state = page.state
    enqueue = next(s for s in (state.slice("0", i) for i in range(4)) if s is not None and s.name == "Enqueue")
    page.go_to(enqueue)
    seen = []
    for code in [Qt.Key.Key_BracketRight] * 4 + [Qt.Key.Key_BracketLeft] * 4:
        tp.key(page.body, code)
        assert state.selected is not None
        seen.append(state.selected.name)
    assert seen == ["Dequeue", "launch", "MatMul", "MatMul", "launch", "Dequeue", "Enqueue", "Enqueue"]


@pytest.mark.row("system-timeline", 87)
def test_a_slice_with_very_many_links_keeps_the_window_quick(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [tp.at(0, 900_000, "hub", tp.T11)]
    slices += [tp.at(1_000 + 300 * i, 1_200 + 300 * i, "k", tp.S2) for i in range(3000)]
    page = tp.basic_page(qtbot, tmp_path, slices=slices, links=[(0, i, "HostToDevice") for i in range(1, 3001)])
    tp.click(page.body.canvas, 150, tp.Y["outer"])
    canvas = page.body.canvas
    assert page.state.selected is not None
    assert page.state.selected.name == "hub"
    assert len(canvas.linked) == links.MOST == 150
    made = menu.build(page.body.verbs, page.body)
    part = next(m for m in made.findChildren(QMenu) if m.title() == "To")
    assert len(part.actions()) == 31
    assert (part.actions()[-1].text(), part.actions()[-1].isEnabled()) == ("… 2,970 more: see Slice Detail", False)
    page.state.viewport.show(400_000, 410_000)  # the 34 kernels that begin here are linked one by one
    qtbot.waitUntil(lambda: sum(400_000 <= x.target.start_ns - tp.T0 <= 410_000 for x in canvas.linked) == 34)
