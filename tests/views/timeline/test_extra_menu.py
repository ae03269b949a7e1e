"""What the context menu offers for a selection beside the items of the lanes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline import extra_menu, menu
from insight_desktop.views.timeline.state import TimeRange


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


def commands(page: TimelinePage) -> list[str]:
    made = QMenu()
    extra_menu.add(made, page.state)
    parts = [a.menu() for a in made.actions() if a.menu() is not None]
    return [a.objectName() for a in parts[0].actions()] if parts else []  # type: ignore[attr-defined]


def test_items_follow_what_is_selected(page: TimelinePage) -> None:
    assert commands(page) == ["fold_gaps", "colour_by"]
    page.state.select_lanes([tp.unit(page, "Thread 11").key])
    assert commands(page) == ["flame_graph", "export_selection", "fold_gaps", "colour_by"]
    page.state.select(page.state.slice("0", 4))
    assert commands(page) == ["flame_graph", "why_free", "all_of_name", "export_selection", "fold_gaps", "colour_by"]
    page.state.set_range(TimeRange(0, 10, "0", (tp.unit(page, "Thread 11").key,)))
    assert commands(page) == ["flame_graph", "why_free", "export_selection", "fold_gaps", "colour_by"]


def test_an_item_opens_its_tab(page: TimelinePage) -> None:
    page.state.select(page.state.slice("0", 4))
    built = menu.build(page.body.verbs, page)
    part = next(a.menu() for a in built.actions() if a.text() == "Analyse")
    assert part is not None
    next(a for a in part.actions() if a.objectName() == "why_free").trigger()  # type: ignore[attr-defined]
    assert (page.panel.current(), page.panel.is_open()) == ("free", True)


def test_every_item_is_a_command_of_the_page(page: TimelinePage) -> None:
    assert [item[0] for item in extra_menu.ITEMS if item[0] not in page.commands.by_id] == []
