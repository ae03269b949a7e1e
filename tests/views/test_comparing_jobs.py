"""Baseline and comparison among jobs: chosen in the data panel, shown on the pages of whole jobs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from tests.support.cluster_files import operator, write_rank
from tests.support.communication_page import cells

from insight_desktop.views.app import make_window
from insight_desktop.views.common.context import CommunicationPlace
from insight_desktop.views.data_tree import node_of
from insight_desktop.views.main_window import MainWindow
from insight_desktop.views.system.communication import CommunicationPage

TIMES = {"old": 2.0, "new": 3.0}


@pytest.fixture
def window(qtbot: QtBot, look: None, tmp_path: Path) -> Iterator[MainWindow]:
    """Project `old` with one job was opened, project `new` with one job is open on its Communication page."""
    for name, elapse in TIMES.items():
        for rank in range(2):
            write_rank(tmp_path / name, rank, collective={"hcom_allReduce__1_1_1@7": operator(elapse=elapse)})
    made = make_window()
    made.resize(1500, 900)
    made.show()
    for name in TIMES:
        made.opening.open_paths([tmp_path / name])
        qtbot.waitUntil(lambda name=name: is_open(made, name), timeout=60_000)  # type: ignore[misc]
    made.tab_row.choose("system.communication")
    qtbot.waitUntil(lambda: page(made).choice is not None, timeout=60_000)
    yield made
    made.close()
    made.deleteLater()


def is_open(window: MainWindow, name: str) -> bool:
    current = window.workspace.current
    return current is not None and current.name == name and not current.busy


def page(window: MainWindow) -> CommunicationPage:
    found = window.pages["system.communication"]
    assert isinstance(found, CommunicationPage)
    return found


def menu(window: MainWindow, project: str, text: str = "") -> QMenu:
    """Context menu of the row of a project, or of a job in it."""
    panel = window.data_panel
    for index in panel._indexes():
        node = node_of(index)
        wanted = "cluster" if text else "project"
        if node is not None and (node.kind, node.project.name, node.text) == (wanted, project, text):
            found = panel.menu_for(index)
            assert found is not None
            return found
    raise AssertionError(f"no row of {project}")


def choose(window: MainWindow, text: str, project: str, job: str = "") -> None:
    next(a for a in menu(window, project, job).actions() if a.text() == text).trigger()


@pytest.mark.row("system-timeline", 11)
@pytest.mark.row("system-summary-communication", 36)
def test_a_job_of_another_project_is_the_baseline_without_being_read(qtbot: QtBot, window: MainWindow) -> None:
    heard: list[bool] = []
    window.context.jobs_changed.connect(lambda: heard.append(True))
    choose(window, "Set as baseline data", "old")
    choose(window, "Set as comparison data", "new")
    assert heard
    assert window.context.base_job == "Baseline_old"
    shown = page(window)
    qtbot.waitUntil(lambda: shown.durations.compared.pairs == 2, timeout=60_000)
    assert [row["elapse_ms"] for row in shown.durations.rows()] == [1.0, 1.0]
    shown.durations.compared.toggle(0)
    assert [row[2] for row in cells(shown.durations.compared, 3, 3)] == ["+1.0000", "2.0000", "3.0000"]
    choose(window, "Unset as baseline data", "old")
    qtbot.waitUntil(lambda: shown.choice is not None and not shown.choice.is_compared, timeout=60_000)
    assert [member.name for member in window.context.store.members] == ["0", "1"]


@pytest.mark.row("system-timeline", 92)
@pytest.mark.row("system-summary-communication", 35)
def test_what_another_page_wants_to_see_brings_the_page_to_the_front(qtbot: QtBot, window: MainWindow) -> None:
    window.tab_row.choose("system.summary")
    place = CommunicationPlace(group="(0, 1):7", step="1", op="hcom_allReduce__1_1_1", rank=1)
    window._page_context.communication_wanted.emit(place)
    assert window.tab_row.current == "system.communication"
    shown = page(window)
    qtbot.waitUntil(lambda: shown.choice is not None and shown.choice.op == "hcom_allReduce__1_1_1", timeout=60_000)
    qtbot.waitUntil(lambda: shown.thumbnails.area.selected >= 0, timeout=60_000)
    assert shown.thumbnails.area.bars.rank_of(shown.thumbnails.area.selected) == 1


def test_only_jobs_of_the_open_project_can_be_the_comparison(window: MainWindow) -> None:
    items = {a.text(): a.isEnabled() for a in menu(window, "old").actions()}
    assert items["Set as baseline data"]
    assert not items["Set as comparison data"]


def test_another_project_ends_the_comparison(qtbot: QtBot, window: MainWindow) -> None:
    choose(window, "Set as baseline data", "old")
    window.workspace.switch("old")
    qtbot.waitUntil(lambda: is_open(window, "old"), timeout=60_000)
    assert window.context.base_job is None
    assert window.workspace.comparing_jobs.baseline is None


def test_jobs_of_one_project_have_rows_of_their_own(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.opening.open_paths([tmp_path])
    qtbot.waitUntil(lambda: is_open(window, tmp_path.name), timeout=60_000)
    choose(window, "Set as baseline data", tmp_path.name, "old")
    choose(window, "Set as comparison data", tmp_path.name, "new")
    assert (window.context.job, window.context.base_job) == ("new", "old")
    window.context.choose_jobs("new")
    assert window.workspace.comparing_jobs.baseline is None
