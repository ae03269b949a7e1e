"""What the window says by itself: damage after an import, recents that changed, the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.views.conftest import FakeFinder, FakeReader, make_card

from insight_desktop.ingest.report import Issue
from insight_desktop.views import tabs
from insight_desktop.views.app import make_window
from insight_desktop.views.common import language, settings
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.dialogs import SettingsDialog
from insight_desktop.views.main_window import MainWindow
from insight_desktop.views.reading import CardReader
from insight_desktop.views.status_bar import decimal_bytes


class Leaf(Page):
    """A page that remembers one number."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.number = 0

    def refresh(self) -> None:
        return

    def view_state(self) -> dict[str, Any]:
        return {"number": self.number}

    def restore_state(self, state: dict[str, Any]) -> None:
        self.number = state["number"]


@pytest.fixture
def make(
    qtbot: QtBot, look: None, reader: FakeReader, finder: FakeFinder, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], MainWindow]]:
    monkeypatch.setattr(tabs, "TABS", (Tab("system.timeline", "Timeline", Leaf), Tab("system.memory", "Memory", Leaf)))
    windows: list[MainWindow] = []

    def build() -> MainWindow:
        window = make_window(reader=reader, find=finder)
        window.resize(1600, 900)
        window.show()
        windows.append(window)
        return window

    yield build
    for window in windows:
        window.close()
        window.deleteLater()


def read(qtbot: QtBot, window: MainWindow, finder: FakeFinder, folder: Path, count: int) -> None:
    folder.mkdir(exist_ok=True)
    finder.found[folder] = [make_card(folder, rank) for rank in range(count)]
    window.opening.open_paths([folder])
    qtbot.waitUntil(lambda: window.workspace.current is not None and bool(window.workspace.current.cards))


CUT = Issue("trace_json.truncated", "warning", "a.json", "a.json ends early.", fix="Copy it again.")


def test_a_card_that_ends_early_is_told_in_a_banner(
    qtbot: QtBot, make: Callable[[], MainWindow], finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    window = make()
    read(qtbot, window, finder, tmp_path / "run", 2)
    reader.ready("0")
    reader.ready("1", issues=(CUT,))
    qtbot.waitUntil(lambda: bool(window.banners.banners()))
    banner = window.banners.banners()[0]
    assert (banner.level, banner.text, banner.fix) == ("warning", "Card 1: a.json ends early.", "Copy it again.")


def test_several_damaged_cards_share_one_banner(
    qtbot: QtBot, make: Callable[[], MainWindow], finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    window = make()
    read(qtbot, window, finder, tmp_path / "run", 3)
    for name in ("0", "1", "2"):
        reader.ready(name, issues=() if name == "1" else (CUT,))
    qtbot.waitUntil(lambda: bool(window.banners.banners()))
    assert [banner.text for banner in window.banners.banners()] == ["2 cards are not complete: 0, 2."]


def test_harmless_notes_have_no_banner(
    qtbot: QtBot, make: Callable[[], MainWindow], finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    window = make()
    read(qtbot, window, finder, tmp_path / "run", 1)
    reader.ready("0", issues=(Issue("trace_json.bad_ts", "warning", "a.json", "One event has no ts."),))
    qtbot.waitUntil(lambda: window.sessions._of is not None)
    assert window.banners.banners() == []


def test_a_recent_project_whose_files_changed_says_so(
    qtbot: QtBot, make: Callable[[], MainWindow], finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    window = make()
    read(qtbot, window, finder, tmp_path / "run", 1)
    reader.ready("0")
    qtbot.waitUntil(lambda: window.sessions._of is not None)
    assert window.opening.recent()[0].state == ""
    file = next((tmp_path / "run").rglob("*.db"))
    file.write_bytes(b"longer than before" * 100)
    assert window.opening.recent()[0].state == "changed"


def test_pages_that_were_not_shown_again_keep_what_was_arranged(
    qtbot: QtBot, make: Callable[[], MainWindow], finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    first = make()
    read(qtbot, first, finder, tmp_path / "run", 1)
    reader.ready("0")
    qtbot.waitUntil(lambda: first.sessions._of is not None)
    first.tab_row.choose("system.memory")
    first.pages["system.memory"].number = 7  # type: ignore[attr-defined]
    first.tab_row.choose("system.timeline")
    first.close()
    for _ in range(2):  # twice: the second time it was not looked at in between
        again = make()
        again.workspace.switch("run")
        qtbot.waitUntil(lambda again=again: again.workspace.current is not None)
        reader.ready("0")
        qtbot.waitUntil(lambda again=again: again.sessions._of is not None)
        assert "system.memory" not in again.pages
        state = again.view_state()["system.memory"]
        again.close()
    assert state == {"number": 7}
    last = make()
    last.workspace.switch("run")
    qtbot.waitUntil(lambda: last.workspace.current is not None)
    reader.ready("0")
    qtbot.waitUntil(lambda: last.sessions._of is not None)
    last.tab_row.choose("system.memory")
    assert last.pages["system.memory"].number == 7  # type: ignore[attr-defined]


def test_the_cache_is_named_when_it_is_known_and_has_room_at_once(make: Callable[[], MainWindow]) -> None:
    bar = make().status
    assert bar._cache.isHidden()
    bar.set_cache(1_400_000_000, 50_000_000_000)
    assert bar._cache.text() == "Cache 1.4 GB of 50 GB"
    assert bar._cache.width() >= bar._cache.fontMetrics().horizontalAdvance("Cache 1.4 GB of 50 GB")


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (256_000, "256 KB"), (1_400_000_000, "1.4 GB"), (2_000_000_000_000, "2 TB")],
)
def test_sizes_of_the_cache_are_decimal(size: int, text: str) -> None:
    assert decimal_bytes(size) == text


def test_the_cache_limit_is_kept(qtbot: QtBot, look: None, insight_home: Path) -> None:
    dialog = SettingsDialog()
    qtbot.addWidget(dialog)
    assert dialog.cache_box.value() == 50
    reader = CardReader()
    dialog.cache_limit_changed.connect(reader.set_cache_limit)
    dialog.cache_box.setValue(20)
    assert reader.cache.limit_bytes == 20_000_000_000
    assert settings.read("cache_limit_gb") == "20"
    reader.close()


def test_the_settings_dialog_changes_its_own_language(qtbot: QtBot, look: None) -> None:
    dialog = SettingsDialog()
    qtbot.addWidget(dialog)
    dialog.language_box.setCurrentIndex(1)
    qtbot.waitUntil(lambda: dialog.windowTitle() == "设置")
    assert dialog.theme_box.itemText(0) == "深色"
    language.set_language("en", remember=False)


def test_the_card_that_was_chosen_comes_back_whatever_pages_remember(
    qtbot: QtBot, make: Callable[[], MainWindow], finder: FakeFinder, reader: FakeReader, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    window = make()
    read(qtbot, window, finder, tmp_path / "run", 2)
    for name in ("0", "1"):
        reader.ready(name)
    qtbot.waitUntil(lambda: window.sessions._of is not None)
    monkeypatch.setattr(type(window.context.store), "cards", property(lambda _self: window.workspace.current.cards))
    window.workspace.select_card("1")
    state = window.view_state()
    page = window.pages["system.timeline"]
    monkeypatch.setattr(page, "restore_state", lambda _state: window.workspace.select_card("0"))
    window.restore_state(state)
    assert window.context.card == "1"
    monkeypatch.undo()
