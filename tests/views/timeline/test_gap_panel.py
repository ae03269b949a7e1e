"""Why a device was free: what is asked, the causes with their evidence, and where they lead."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.gap_panel import Gap, GapPanel, gap_of
from insight_desktop.views.timeline.state import TimeRange


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    """MatMul 200–400 µs, outer 600–800 µs on the device; the host copies at 400–500 µs."""
    slices = [*tp.basic(), tp.at(400_000, 500_000, "aclrtMemcpy", tp.T12)]
    free = {**tp.DEVICE, "pid": 3, "process": "Overlap Analysis", "sort": 2, "role": "overlap", "tid": 4}
    slices.append(tp.at(400_000, 600_000, "Free", {**free, "thread": "Free"}))
    return tp.basic_page(qtbot, tmp_path, slices=slices)


@pytest.fixture
def panel(qtbot: QtBot, page: TimelinePage) -> GapPanel:
    page.panel.show_tab("free")
    found = page.panel.panel("free")
    assert isinstance(found, GapPanel)
    qtbot.waitUntil(lambda: found.gaps.table.num_rows > 0)
    return found


def test_the_idle_stretches_of_the_device_are_listed(panel: GapPanel) -> None:
    rows = panel.gaps.table.select(["start_ns", "dur_ns"]).to_pylist()
    assert rows == [{"start_ns": 400_000, "dur_ns": 200_000}]


def test_a_free_slice_a_gap_before_a_slice_and_a_range_are_asked_about(page: TimelinePage) -> None:
    state = page.state
    free = next(i for i in range(8) if state.slice("0", i).name == "Free")  # type: ignore[union-attr]
    state.select(state.slice("0", free))
    gap = Gap("0", tp.T0 + 400_000, tp.T0 + 600_000)
    assert gap_of(state) == gap
    device = next(i for i in range(8) if state.slice("0", i).start_ns == tp.T0 + 600_000)  # type: ignore[union-attr]
    state.select(state.slice("0", device))
    assert gap_of(state) == gap
    state.select(state.slice("0", device - 1))  # the first of its lane
    assert gap_of(state) is None
    state.set_range(TimeRange(400_000, 500_000, "0", (tp.unit(page, "Stream 2").key,)))
    assert gap_of(state) == Gap("0", tp.T0 + 400_000, tp.T0 + 500_000)


def test_causes_add_up_and_their_slices_are_selected(qtbot: QtBot, page: TimelinePage, panel: GapPanel) -> None:
    panel.gaps.select_row(0)
    qtbot.waitUntil(lambda: panel.causes.table.num_rows > 0)
    rows = panel.causes.table.to_pylist()
    assert panel.title.text() == "Why are 200.000 µs free at 00:00.000.400.000 on Card 0?"
    assert sum(r["share_ns"] or 0 for r in rows) == 200_000
    copy = next(n for n, r in enumerate(rows) if r["name"] == "aclrtMemcpy")
    assert (rows[copy]["cause"], rows[copy]["share_ns"], rows[copy]["share_ratio"]) == ("Memory copy", 100_000, 0.5)
    panel.causes.row_activated.emit(copy)
    assert page.state.selected is not None
    assert page.state.selected.name == "aclrtMemcpy"
