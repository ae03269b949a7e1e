"""Baseline and comparison: chosen in the data panel, shown in Timeline, Memory and Operator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from tests.views.test_reading import write_trace

from insight_desktop.views.app import make_window
from insight_desktop.views.cards import CardRow, ProjectRow
from insight_desktop.views.data_tree import node_of
from insight_desktop.views.main_window import MainWindow
from insight_desktop.views.system.timeline import TimelinePage


@pytest.fixture
def window(qtbot: QtBot, look: None, tmp_path: Path) -> Iterator[MainWindow]:
    """Project `old` (ranks 0 and 1) was opened, project `new` (ranks 0 and 1) is open."""
    for name in ("old", "new"):
        for rank in range(2):
            write_trace(tmp_path / name, rank)
    made = make_window()
    made.resize(1600, 900)
    made.show()
    for name in ("old", "new"):
        made.opening.open_paths([tmp_path / name])
        qtbot.waitUntil(lambda name=name: is_open(made, name), timeout=60_000)  # type: ignore[misc]
    yield made
    made.close()
    made.deleteLater()


def is_open(window: MainWindow, name: str) -> bool:
    current = window.workspace.current
    if current is None or current.name != name or current.busy:
        return False
    return len(window.context.store.cards) == 2 and "system.timeline" in window.pages


def card(window: MainWindow, project: str, name: str) -> tuple[ProjectRow, CardRow]:
    found = window.workspace.project(project)
    assert found is not None
    row = found.card(name)
    assert row is not None
    return found, row


def menu(window: MainWindow, project: str, name: str) -> QMenu:
    """Context menu of a card in the data panel."""
    panel = window.data_panel
    for index in panel._indexes():
        node = node_of(index)
        if node is not None and node.card is not None and (node.project.name, node.card.name) == (project, name):
            found = panel.menu_for(index)
            assert found is not None
            return found
    raise AssertionError(f"no row of card {name} of {project}")


def choose(window: MainWindow, project: str, name: str, text: str) -> None:
    next(a for a in menu(window, project, name).actions() if a.text() == text).trigger()


def state_of(window: MainWindow, project: str, name: str) -> dict[str, bool]:
    """Items of the menu that are about comparing, and whether they can be chosen."""
    words = ("baseline", "comparison")
    items = menu(window, project, name).actions()
    return {a.text(): a.isEnabled() for a in items if any(f"as {word}" in a.text() for word in words)}


def timeline(window: MainWindow) -> TimelinePage:
    page = window.pages["system.timeline"]
    assert isinstance(page, TimelinePage)
    return page


def names(window: MainWindow) -> list[str]:
    return [c.name for c in window.context.store.cards]


@pytest.mark.row("system-timeline", 10)
def test_baseline_of_another_project_is_a_card_of_its_own_at_the_end(qtbot: QtBot, window: MainWindow) -> None:
    choose(window, "old", "0", "Set as baseline data")
    qtbot.waitUntil(lambda: "Baseline_0" in names(window), timeout=30_000)
    assert names(window) == ["0", "1", "Baseline_0"]
    state = timeline(window).state
    assert list(state.cards) == ["0", "1", "Baseline_0"]
    assert state.capture("Baseline_0") is not None
    assert window.context.store.card("Baseline_0").rank is None  # no rank of this job
    window.tab_row.choose("system.operator")
    bar = window.pages["system.operator"].bar  # type: ignore[attr-defined]
    assert [bar.cards.rank_box.itemData(i) for i in range(bar.cards.rank_box.count())] == ["0", "1", "Baseline_0"]


@pytest.mark.row("system-timeline", 10)
def test_removed_baseline_takes_its_pins_flags_and_selector_entries_along(qtbot: QtBot, window: MainWindow) -> None:
    choose(window, "old", "1", "Set as baseline data")
    qtbot.waitUntil(lambda: "Baseline_1" in names(window), timeout=30_000)
    state = timeline(window).state
    lane = next(u for u in state.cards["Baseline_1"].unit.walk() if u.is_lane)
    state.pin([lane, state.cards["0"].unit], True)
    state.flags.add_range(0, 1000, "Baseline_1", (lane.key,))
    kept = state.flags.add_single(500)
    window.workspace.select_card("Baseline_1")
    choose(window, "old", "1", "Unset as baseline data")
    assert names(window) == ["0", "1"]
    assert list(state.cards) == ["0", "1"]
    assert state.arrangement.pinned == ["0"]
    assert state.flags.all == [kept]
    assert window.context.card == "0"
    assert window.context.baseline is None


@pytest.mark.row("system-timeline", 10)
def test_baseline_of_the_same_project_adds_nothing(window: MainWindow) -> None:
    choose(window, "new", "0", "Set as baseline data")
    choose(window, "new", "1", "Set as comparison data")
    assert names(window) == ["0", "1"]
    assert (window.context.baseline, window.context.comparison) == ("0", "1")
    assert state_of(window, "new", "0") == {"Unset as baseline data": True, "Set as comparison data": True}
    assert state_of(window, "new", "1") == {"Set as baseline data": True, "Unset as comparison data": True}
    assert state_of(window, "old", "1") == {"Set as baseline data": True, "Set as comparison data": False}
    choose(window, "new", "1", "End the comparison")
    assert (window.context.baseline, window.context.comparison) == (None, None)


def test_both_cards_stand_in_memory_and_operator(qtbot: QtBot, window: MainWindow) -> None:
    choose(window, "old", "0", "Set as baseline data")
    choose(window, "new", "1", "Set as comparison data")
    qtbot.waitUntil(lambda: window.context.baseline == "Baseline_0", timeout=30_000)
    window.tab_row.choose("system.operator")
    bar = window.pages["system.operator"].bar  # type: ignore[attr-defined]
    assert (bar.card, bar.base, bar.base_box.currentText()) == ("1", "Baseline_0", "Baseline_0")
    window.tab_row.choose("system.memory")
    memory = window.pages["system.memory"]
    assert (memory.card, memory.base, memory.base_box.currentText()) == ("1", "Baseline_0", "Baseline_0")  # type: ignore[attr-defined]
    window.workspace.comparing.clear()
    assert (bar.base, memory.base) == (None, None)  # type: ignore[attr-defined]


def test_new_baseline_replaces_the_former_one(qtbot: QtBot, window: MainWindow) -> None:
    choose(window, "old", "0", "Set as baseline data")
    qtbot.waitUntil(lambda: "Baseline_0" in names(window), timeout=30_000)
    choose(window, "old", "1", "Set as baseline data")
    qtbot.waitUntil(lambda: "Baseline_1" in names(window), timeout=30_000)
    assert names(window) == ["0", "1", "Baseline_1"]


def test_another_project_ends_the_comparison(qtbot: QtBot, window: MainWindow) -> None:
    choose(window, "old", "0", "Set as baseline data")
    choose(window, "new", "1", "Set as comparison data")
    qtbot.waitUntil(lambda: "Baseline_0" in names(window), timeout=30_000)
    window.workspace.switch("old")
    qtbot.waitUntil(lambda: is_open(window, "old"), timeout=30_000)
    assert names(window) == ["0", "1"]
    assert (window.context.baseline, window.context.comparison) == (None, None)


def test_compared_project_is_neither_renamed_nor_deleted(qtbot: QtBot, window: MainWindow) -> None:
    said: list[tuple[str, str, str]] = []
    window.context.message.connect(lambda *words: said.append(words))
    choose(window, "old", "0", "Set as baseline data")
    assert window.workspace.rename("old", "older") == "old is being compared."
    window.workspace.delete_projects(["old"])
    assert window.workspace.project("old") is not None
    assert said == [("warning", "old is being compared.", "Unset baseline and comparison first.")]
    window.workspace.comparing.clear()
    window.workspace.delete_projects(["old"])
    assert window.workspace.project("old") is None


def test_cards_of_a_project_that_is_not_open_can_be_listed(qtbot: QtBot, window: MainWindow) -> None:
    project = window.workspace.project("old")
    assert project is not None
    project.cards = project.found = None
    window.data_panel.rebuild()
    at = next(i for i in window.data_panel._indexes() if (n := node_of(i)) is not None and n.project is project)
    listed = window.data_panel.menu_for(at)
    assert listed is not None
    next(a for a in listed.actions() if a.text() == "List its cards").trigger()
    qtbot.waitUntil(lambda: project.cards is not None, timeout=30_000)
    assert [row.name for row in project.cards or []] == ["0", "1"]
    assert window.workspace.current is not None
    assert window.workspace.current.name == "new"
