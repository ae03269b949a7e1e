"""The window as people use it: open, drop, add, rename, delete, read, fail, come back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot
from tests.views.conftest import FakeFinder, FakeReader, make_card

from insight_desktop.engine.project import ProjectList
from insight_desktop.ingest.report import Issue
from insight_desktop.ingest.sources import Card, Ignored, Source
from insight_desktop.views import main_window as main_window_module
from insight_desktop.views import tabs
from insight_desktop.views.app import make_window, reopen_last
from insight_desktop.views.cards import row_of
from insight_desktop.views.common import language, settings
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.dialogs import QuestionDialog
from insight_desktop.views.main_window import MainWindow


class PlainPage(Page):
    """A page that remembers one number."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.zoom = 1
        self.refreshed = 0

    def refresh(self) -> None:
        self.refreshed += 1

    def view_state(self) -> dict[str, Any]:
        return {"zoom": self.zoom}

    def restore_state(self, state: dict[str, Any]) -> None:
        self.zoom = state.get("zoom", 1)


@pytest.fixture
def make(
    qtbot: QtBot, look: None, reader: FakeReader, finder: FakeFinder, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], MainWindow]]:
    monkeypatch.setattr(tabs, "TABS", (Tab("system.timeline", "Timeline", PlainPage),))
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


@pytest.fixture
def window(make: Callable[[], MainWindow]) -> MainWindow:
    return make()


def run_of(finder: FakeFinder, folder: Path, ranks: list[int], **more: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    finder.found[folder] = [make_card(folder, rank, **more) for rank in ranks]
    return folder


def opened(qtbot: QtBot, window: MainWindow, name: str) -> None:
    qtbot.waitUntil(lambda: window.workspace.current is not None and window.workspace.current.name == name)


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    left, none, copy = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(400, 300), copy, data, left, none)
    window.dragEnterEvent(enter)
    assert enter.isAccepted()
    window.dropEvent(QDropEvent(QPointF(400, 300), copy, data, left, none))


# ---- start ----------------------------------------------------------------------------------------------------------


def test_window_starts_with_the_start_page_and_nothing_that_cannot_be_used(window: MainWindow) -> None:
    assert window.stack.currentWidget() is window.start_page
    assert window.windowTitle() == "Insight Desktop"
    assert not window.data_panel.isVisible()
    assert not window.actions_.by_id["save_session"].isEnabled()
    assert not window.rail.buttons["report"].isEnabled()
    assert window.status.texts()[0] == "Ready"


def test_typed_path_that_is_missing_is_told_below_the_box(window: MainWindow) -> None:
    start = window.start_page
    start.path.setText('"/no/such/run"')
    start.open_button.click()
    assert start.path_hint.text() == "/no/such/run does not exist."
    assert not start.path_hint.isHidden()


def test_pasted_path_in_quotes_opens(qtbot: QtBot, window: MainWindow, finder: FakeFinder, tmp_path: Path) -> None:
    run = run_of(finder, tmp_path / "my run", [0])
    window.start_page.path.setText(f"'{run}/'")
    window.start_page.open_button.click()
    opened(qtbot, window, "my run")
    assert window.windowTitle() == "my run — Insight Desktop"


# ---- opening --------------------------------------------------------------------------------------------------------


@pytest.mark.row("system-timeline", 2)
def test_dropped_folder_becomes_a_project(qtbot: QtBot, window: MainWindow, finder: FakeFinder, tmp_path: Path) -> None:
    run = run_of(finder, tmp_path / "run_a", [0, 1])
    drop(window, run)
    opened(qtbot, window, "run_a")
    assert window.data_panel.row_texts() == ["run_a", "  Card 0", "  Card 1"]
    assert window.tab_row.titles() == ["Timeline"]


@pytest.mark.row("system-timeline", 2)
def test_several_dropped_folders_are_one_project(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, tmp_path: Path
) -> None:
    drop(window, run_of(finder, tmp_path / "a", [0]), run_of(finder, tmp_path / "b", [1]))
    opened(qtbot, window, "a")
    assert window.data_panel.row_texts() == ["a", "  Card 0", "  Card 1"]


@pytest.mark.row("system-timeline", 3)
def test_data_added_with_plus_join_the_project(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    run, more = run_of(finder, tmp_path / "run", [0]), run_of(finder, tmp_path / "more", [7])
    window.opening.open_paths([run])
    opened(qtbot, window, "run")
    reader.ready("0")
    window.opening.open_paths([more], add_to="run")
    qtbot.waitUntil(lambda: len(window.workspace.current.cards or []) == 2)  # type: ignore[union-attr]
    assert window.data_panel.row_texts() == ["run", "  Card 0", "  Card 7"]
    assert reader.started == ["0:db", "7:db"]
    assert [p.name for p in window.workspace.projects] == ["run"]


def test_path_that_is_open_already_is_switched_to(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, tmp_path: Path
) -> None:
    first, second = run_of(finder, tmp_path / "first", [0]), run_of(finder, tmp_path / "second", [1])
    window.opening.open_paths([first])
    opened(qtbot, window, "first")
    window.opening.open_paths([second])
    opened(qtbot, window, "second")
    window.opening.open_paths([first])
    opened(qtbot, window, "first")
    assert sorted(p.name for p in window.workspace.projects) == ["first", "second"]


@pytest.mark.row("system-timeline", 4)
def test_problem_paths_are_listed_and_the_others_open(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(finder, tmp_path / "run", [0])
    seen: list[list[str]] = []

    def answer(dialog: Any) -> int:
        table = dialog.table
        seen.append([table.item(r, 1).text() for r in range(table.rowCount())])
        assert dialog.continue_button is not None
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr("insight_desktop.views.opening.ProblemsDialog.exec", answer)
    window.opening.open_paths([run, tmp_path / "gone"])
    opened(qtbot, window, "run")
    assert seen == [["does not exist"]]


@pytest.mark.row("system-timeline", 4)
def test_import_stops_when_the_problems_are_not_accepted(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[bool] = []

    def answer(dialog: Any) -> int:
        offered.append(dialog.continue_button is not None)
        return QDialog.DialogCode.Rejected

    monkeypatch.setattr("insight_desktop.views.opening.ProblemsDialog.exec", answer)
    window.opening.open_paths([tmp_path / "gone"])
    qtbot.waitUntil(lambda: bool(offered))
    assert offered == [False]  # a missing path alone cannot be continued with
    assert window.workspace.projects == []


def test_nothing_to_open_is_a_banner_with_a_remedy(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.opening.open_paths([tmp_path])
    qtbot.waitUntil(lambda: bool(window.banners.banners()))
    banner = window.banners.banners()[0]
    assert (banner.level, banner.text) == ("error", "Nothing here can be opened.")
    assert banner.fix == "Choose a profiler output folder."


# ---- the tree -------------------------------------------------------------------------------------------------------


@pytest.mark.row("system-timeline", 6)
def test_ranks_are_sorted_by_number_with_their_path_as_tooltip(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, tmp_path: Path
) -> None:
    from insight_desktop.views.data_tree import node_of, tip_of

    run = run_of(finder, tmp_path / "run", [10, 2, 0, 11, 1, 3, 9, 4, 8, 5, 7, 6])
    window.opening.open_paths([run])
    opened(qtbot, window, "run")
    assert window.data_panel.row_texts()[1:] == [f"  Card {n}" for n in range(12)]
    node = node_of(window.data_panel.index_of("10"))
    assert node is not None
    assert tip_of(node).splitlines()[1] == str(run / "rank_10_ascend_pt" / "ascend_pytorch_profiler_10.db")


@pytest.mark.row("system-timeline", 6)
def test_long_names_are_cut_in_the_middle_and_keep_their_tail(qtbot: QtBot, look: None) -> None:
    from PySide6.QtGui import QFontMetrics

    from insight_desktop.views.common import fonts
    from insight_desktop.views.data_tree import _elide

    metrics = QFontMetrics(fonts.ui())
    name = "qwen2_72b_pretraining_with_a_very_long_name_run_0042"
    cut = _elide(name, metrics, 160)
    assert metrics.horizontalAdvance(cut) <= 160
    head, tail = cut.split("…")
    assert name.startswith(head)
    assert name.endswith(tail)
    assert 40 <= metrics.horizontalAdvance(tail) <= 64  # 40 % of the room


def test_hosts_stand_between_project_and_cards(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, tmp_path: Path
) -> None:
    run = run_of(finder, tmp_path / "run", [0, 1], host="node-1")
    finder.found[run] += [make_card(run, rank, host="node-2") for rank in (2, 3)]
    window.opening.open_paths([run])
    opened(qtbot, window, "run")
    assert window.data_panel.row_texts() == [
        "run", "  node-1", "    Card 0", "    Card 1", "  node-2", "    Card 2", "    Card 3",
    ]  # fmt: skip


@pytest.mark.row("system-timeline", 7)
def test_name_that_is_taken_or_empty_is_refused(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        window.opening.open_paths([run_of(finder, tmp_path / name, [0])])
        opened(qtbot, window, name)
    window.data_panel.tree.renamed.emit("second", "first")
    assert window.banners.banners()[0].text == "There is already a project named first."
    window.data_panel.tree.renamed.emit("second", "  ")
    assert window.banners.banners()[0].text == "A project needs a name."
    window.data_panel.tree.renamed.emit("second", "third")
    assert sorted(p.name for p in window.workspace.projects) == ["first", "third"]
    assert window.windowTitle() == "third — Insight Desktop"


@pytest.mark.row("system-timeline", 7)
def test_deleting_asks_first_and_leaves_the_raw_files(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(finder, tmp_path / "run", [0, 1])
    window.opening.open_paths([run])
    opened(qtbot, window, "run")
    asked: list[str] = []

    def refuse(dialog: QuestionDialog) -> int:
        asked.append(dialog.windowTitle())
        return QDialog.DialogCode.Rejected

    monkeypatch.setattr(QuestionDialog, "exec", refuse)
    window.opening.ask_delete([], ["1"])
    assert asked == ["Delete card 1 from the project?"]
    assert len(window.workspace.current.cards or []) == 2  # type: ignore[union-attr]
    monkeypatch.setattr(QuestionDialog, "exec", lambda _dialog: QDialog.DialogCode.Accepted)
    window.opening.ask_delete([], ["1"])
    assert window.data_panel.row_texts() == ["run", "  Card 0"]
    window.opening.ask_delete(["run"], [])
    assert window.data_panel.row_texts() == []
    assert window.stack.currentWidget() is window.start_page
    assert (run / "rank_1_ascend_pt" / "ascend_pytorch_profiler_1.db").read_bytes() == b"x" * 1000


@pytest.mark.row("system-timeline", 7)
def test_several_projects_are_deleted_at_once(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        window.opening.open_paths([run_of(finder, tmp_path / name, [0])])
        opened(qtbot, window, name)
    panel = window.data_panel
    panel.set_editing(True)
    assert sorted(panel.checked()[0]) == ["a", "b", "c"]  # everything is checked at first
    index = next(i for i in panel._indexes() if panel.row_texts()[0] and i.row() == 1 and not i.parent().isValid())
    kept = panel.model.itemFromIndex(index)
    kept.setCheckState(Qt.CheckState.Unchecked)
    name = window.workspace.projects[1].name
    monkeypatch.setattr(QuestionDialog, "exec", lambda _dialog: QDialog.DialogCode.Accepted)
    panel.delete_button.click()
    assert [p.name for p in window.workspace.projects] == [name]


@pytest.mark.row("system-timeline", 8)
def test_projects_are_there_at_the_next_start(
    qtbot: QtBot, make: Callable[[], MainWindow], finder: FakeFinder, tmp_path: Path
) -> None:
    first = make()
    first.opening.open_paths([run_of(finder, tmp_path / "run", [0, 1])])
    opened(qtbot, first, "run")
    first.close()
    second = make()
    assert [p.name for p in second.workspace.projects] == ["run"]
    assert second.workspace.current is None
    recent = second.opening.recent()[0]
    assert (recent.name, recent.facts, recent.state) == ("run", "2 cards · db · 2.0 KiB", "")
    second.opening.open_recent(recent)
    opened(qtbot, second, "run")


def test_recent_project_whose_data_moved_is_relinked(
    qtbot: QtBot, make: Callable[[], MainWindow], finder: FakeFinder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = run_of(finder, tmp_path / "old", [0])
    first = make()
    first.opening.open_paths([old])
    opened(qtbot, first, "old")
    first.close()
    moved = tmp_path / "new"
    old.rename(moved)
    finder.found[moved] = [make_card(moved, 0)]
    second = make()
    recent = second.opening.recent()[0]
    assert recent.state == "moved"
    monkeypatch.setattr(second.opening, "relink_answers", lambda _name, missing: dict.fromkeys(missing, moved))
    second.opening.open_recent(recent)
    opened(qtbot, second, "old")
    assert second.workspace.current.paths == [moved]  # type: ignore[union-attr]


# ---- reading --------------------------------------------------------------------------------------------------------


@pytest.mark.row("system-timeline", 14)
def test_progress_is_in_the_row_and_a_failure_stays_on_its_card(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    from insight_desktop.views.data_tree import state_word

    window.opening.open_paths([run_of(finder, tmp_path / "run", [0, 1, 2, 3])])
    opened(qtbot, window, "run")
    project = window.workspace.current
    assert project is not None
    cards = project.cards or []
    reader.reading("0", 470, 1000)
    qtbot.waitUntil(lambda: cards[0].status == "reading")
    assert [state_word(c) for c in cards] == ["47 %", "waiting", "waiting", "waiting"]
    assert window.data_panel.progress.title.text() == "Importing 4 cards"
    reader.fail("2", "Not a SQLite database: the first 16 bytes are zeros.", "Copy the file again.")
    reader.ready("0")
    qtbot.waitUntil(lambda: cards[0].status == "ready" and cards[2].status == "failed")
    assert window.context.card == "0"  # usable while the others are read
    assert window.report.isHidden() is False
    assert window.banners.banners()[0].text == "Card 2: Not a SQLite database: the first 16 bytes are zeros."
    for name in ("1", "3"):
        reader.ready(name)
    qtbot.waitUntil(lambda: not project.busy)
    assert [c.status for c in cards] == ["ready", "ready", "failed", "ready"]
    assert window.data_panel.progress.isHidden()


def test_event_loop_turns_while_files_are_looked_at(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, tmp_path: Path
) -> None:
    import threading

    asked: list[str] = []
    real = window.workspace._discover

    def slow(paths: list[Path]) -> Any:
        asked.append(threading.current_thread().name)
        return real(paths)

    window.workspace._discover = slow
    window.opening.open_paths([run_of(finder, tmp_path / "run", [0])])
    opened(qtbot, window, "run")
    assert len(asked) == 1
    assert asked[0].startswith("work")


@pytest.mark.row("system-timeline", 14)
def test_failed_card_is_read_from_its_other_kind(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    window.opening.open_paths([run_of(finder, tmp_path / "run", [0], kinds=("db", "text"))])
    opened(qtbot, window, "run")
    reader.fail("0", "Damaged.", "Use the text output.")
    qtbot.waitUntil(lambda: bool(window.banners.banners()))
    window.workspace.set_kind("0", "text")
    assert reader.started == ["0:db", "0:text"]
    reader.ready("0")
    card = window.workspace.current.cards[0]  # type: ignore[union-attr, index]
    qtbot.waitUntil(lambda: card.status == "ready")
    assert card.path.name == "trace_view.json"


@pytest.mark.row("system-timeline", 15)
def test_seventeen_cards_are_read_only_when_asked(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    window.opening.open_paths([run_of(finder, tmp_path / "run", list(range(17)))])
    opened(qtbot, window, "run")
    progress = window.data_panel.progress
    assert reader.started == []
    assert not progress.isHidden()
    assert not progress.start.isHidden()
    assert progress.start.text() == "Start global analysis"
    window.data_panel.tree.play.emit("5")
    assert reader.started == ["5:db"]
    reader.ready("5")
    qtbot.waitUntil(lambda: window.context.card == "5")
    progress.start.click()
    assert len(reader.started) == 17
    for number in range(17):
        if number != 5:
            reader.ready(str(number))
    qtbot.waitUntil(lambda: not window.workspace.current.busy)  # type: ignore[union-attr]
    assert progress.isHidden()


def test_sixteen_cards_are_read_at_once(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    window.opening.open_paths([run_of(finder, tmp_path / "run", list(range(16)))])
    opened(qtbot, window, "run")
    assert len(reader.started) == 16


def test_cancelled_import_can_be_asked_for_again(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    window.opening.open_paths([run_of(finder, tmp_path / "run", [0, 1])])
    opened(qtbot, window, "run")
    reader.ready("0")
    qtbot.waitUntil(lambda: window.context.card == "0")
    window.data_panel.progress.stop.click()
    cards = window.workspace.current.cards or []  # type: ignore[union-attr]
    assert [c.status for c in cards] == ["ready", "idle"]
    window.workspace.read(["1"])
    assert reader.started == ["0:db", "1:db", "1:db"]


def test_report_lists_the_worst_first_and_says_what_to_do(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    run = run_of(finder, tmp_path / "run", [0, 1, 2], kinds=("db", "text"))
    finder.ignored = [Ignored(run / "host.log", "no profiling data")]
    window.opening.open_paths([run])
    opened(qtbot, window, "run")
    reader.ready("0", 12)
    reader.ready("1", 7, (Issue("trace_json.bad_ts", "warning", "trace_view.json", "1 event without ts was left out"),))
    reader.fail("2", "Not a SQLite database", "Copy the file again.")
    qtbot.waitUntil(lambda: not window.workspace.current.busy)  # type: ignore[union-attr]
    window.show_report(True)
    report = window.report
    assert report.chip_texts() == ["2 ready", "1 failed", "1 note"]
    model = report.model
    shown = [[model.index(r, c).data() for c in (0, 1, 3, 6)] for r in range(model.rowCount())]
    assert shown == [
        ["2", "failed", "–", "Not a SQLite database"],
        ["1", "with notes", "7", "1 event without ts was left out"],
        ["0", "ready", "12", ""],
        ["2 of 3", "1 failed", "19", ""],
    ]
    assert report.pane.title.text() == "Card 2 could not be read"
    assert "Copy the file again." in report.pane.remedy.text()
    report.show_view("ignored")
    assert [model.index(0, c).data() for c in (0, 1)] == ["host.log", "no profiling data"]
    report.show_view("issues")
    assert model.index(0, 4).data() == "1 event without ts was left out"


def test_report_is_never_written_into_the_data(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, tmp_path: Path
) -> None:
    run = run_of(finder, tmp_path / "run", [0])
    window.opening.open_paths([run])
    opened(qtbot, window, "run")
    before = sorted(p.name for p in run.rglob("*"))
    window.report.save_report(run / "report.json")
    assert sorted(p.name for p in run.rglob("*")) == before
    assert window.banners.banners()[0].text == "The report was not written into the data folder."
    window.report.save_report(tmp_path / "report.json")
    assert '"project": "run"' in (tmp_path / "report.json").read_text()


# ---- language, help -------------------------------------------------------------------------------------------------


@pytest.mark.row("system-timeline", 13)
def test_language_switches_at_once_and_is_remembered(qtbot: QtBot, window: MainWindow) -> None:
    language.set_language("zh")
    qtbot.waitUntil(lambda: window.menuBar().actions()[0].text() == "文件(&F)", timeout=1000)
    assert window.start_page.title.text() == "打开性能数据"
    assert settings.read("language") == "zh"
    language.set_language("en", remember=False)
    qtbot.waitUntil(lambda: window.menuBar().actions()[0].text() == "&File", timeout=1000)
    language.start()  # what the next start does
    assert language.current() == "zh"
    qtbot.waitUntil(lambda: window.menuBar().actions()[0].text() == "文件(&F)", timeout=1000)


@pytest.mark.row("system-timeline", 13)
def test_start_page_has_no_english_label_in_chinese(qtbot: QtBot, window: MainWindow) -> None:
    language.set_language("zh", remember=False)
    qtbot.waitUntil(lambda: window.start_page.title.text() == "打开性能数据", timeout=1000)
    shown = [w.text() for w in window.start_page.findChildren(QLabel) if w.isVisible() and w.text()]
    plain = [t for t in shown if t.isascii() and any(c.isalpha() for c in t)]
    allowed = {
        ".json .json.gz",
        ".db",
        ".bin",
        ".pickle .pkl",
        ".csv",
        ".insight",
        "Ctrl",
        "Shift",
        "P",
        "O",
        "W",
        "S",
        "A",
        "D",
        "F",
        "trace_view, msprof, chrome_tracing",
    }
    assert [t for t in plain if t not in allowed] == []


@pytest.mark.row("system-timeline", 17)
@pytest.mark.row("system-timeline", 104)
def test_shortcut_sheet_lists_the_registered_commands_and_the_timeline(window: MainWindow) -> None:
    from insight_desktop.views.dialogs import KeysDialog

    texts = KeysDialog(window.actions_.key_groups(), window).texts()
    for line in ("Ctrl+O: Open folder", "Ctrl+B: Data panel", "?: Keyboard shortcuts", "F6: Next area of the window"):
        assert line in texts
    assert any(text.startswith("W / S: ") for text in texts)


@pytest.mark.row("system-timeline", 104)
def test_question_mark_opens_the_shortcut_sheet(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(main_window_module.KeysDialog, "exec", lambda dialog: shown.append(dialog.windowTitle()))
    window.activateWindow()
    qtbot.keyClicks(window, "?")
    window.actions_.by_id["keys"].trigger()
    assert "Keyboard shortcuts" in shown


@pytest.mark.row("system-timeline", 17)
def test_about_shows_version_and_licences(window: MainWindow) -> None:
    import insight_desktop
    from insight_desktop.views.dialogs import AboutDialog

    text = AboutDialog(window).text()
    assert f"Version {insight_desktop.__version__}" in text
    assert "PySide6" in text
    assert "LGPL" in text


@pytest.mark.row("system-timeline", 17)
def test_log_folder_opens(window: MainWindow, insight_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened_urls: list[str] = []
    monkeypatch.setattr(
        main_window_module.QDesktopServices, "openUrl", lambda url: opened_urls.append(url.toLocalFile())
    )
    window.actions_.by_id["log_folder"].trigger()
    assert opened_urls == [str(insight_home / "log")]
    assert (insight_home / "log").is_dir()


# ---- state ----------------------------------------------------------------------------------------------------------


def page_of(window: MainWindow) -> PlainPage:
    page = window.pages["system.timeline"]
    assert isinstance(page, PlainPage)
    return page


@pytest.mark.row("system-timeline", 62)
def test_everything_arranged_comes_back_after_a_restart(
    qtbot: QtBot, make: Callable[[], MainWindow], finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    run = run_of(finder, tmp_path / "run", [0, 1])
    first = make()
    first.opening.open_paths([run])
    opened(qtbot, first, "run")
    for name in ("0", "1"):
        reader.ready(name)
    qtbot.waitUntil(lambda: first.sessions._of is not None)
    page_of(first).zoom = 42
    first.show_report(True)
    first.splitter.setSizes([300, 1250])
    width = first.splitter.sizes()[0]
    first.close()
    second = make()
    second.workspace.switch("run")
    opened(qtbot, second, "run")
    for name in ("0", "1"):
        reader.ready(name)
    qtbot.waitUntil(lambda: second.sessions._of is not None)
    assert page_of(second).zoom == 42
    assert second.report_place.is_shown()
    assert second.splitter.sizes()[0] == width


@pytest.mark.row("system-timeline", 61)
def test_each_project_has_its_own_view(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    for name in ("a", "b"):
        window.opening.open_paths([run_of(finder, tmp_path / name, [0])])
        opened(qtbot, window, name)
        reader.ready("0")
        qtbot.waitUntil(lambda: window.sessions._of is window.workspace.current)
        page_of(window).zoom = {"a": 5, "b": 9}[name]
    window.workspace.switch("a")
    qtbot.waitUntil(lambda: window.sessions._of is window.workspace.current and window.workspace.current.name == "a")  # type: ignore[union-attr]
    assert page_of(window).zoom == 5
    window.workspace.switch("b")
    qtbot.waitUntil(lambda: window.sessions._of is window.workspace.current and window.workspace.current.name == "b")  # type: ignore[union-attr]
    assert page_of(window).zoom == 9


def test_dropped_session_opens_first_then_the_data_are_added(
    qtbot: QtBot, make: Callable[[], MainWindow], finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    run, more = run_of(finder, tmp_path / "run", [0]), run_of(finder, tmp_path / "more", [4])
    first = make()
    first.opening.open_paths([run])
    opened(qtbot, first, "run")
    reader.ready("0")
    qtbot.waitUntil(lambda: first.sessions._of is not None)
    page_of(first).zoom = 7
    saved = tmp_path / "notes" / "bad-link.insight"
    assert first.sessions.save(saved)
    first.workspace.delete_projects(["run"])
    drop(first, more, saved)
    opened(qtbot, first, "run")
    qtbot.waitUntil(lambda: len(first.workspace.current.cards or []) == 2)  # type: ignore[union-attr]
    for name in ("0", "4"):
        reader.ready(name)
    qtbot.waitUntil(lambda: first.sessions._of is not None)
    assert page_of(first).zoom == 7
    assert first.data_panel.row_texts() == ["run", "  Card 0", "  Card 4"]


def test_last_project_is_opened_at_the_start_when_wanted(
    qtbot: QtBot, make: Callable[[], MainWindow], finder: FakeFinder, tmp_path: Path
) -> None:
    first = make()
    first.opening.open_paths([run_of(finder, tmp_path / "run", [0])])
    opened(qtbot, first, "run")
    first.close()
    second = make()
    reopen_last(second)
    opened(qtbot, second, "run")


def test_unhandled_error_becomes_a_banner(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    import threading

    from insight_desktop.views.app import catch_errors

    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    catch_errors(window)
    sys.excepthook(ValueError, ValueError("odd"), None)
    assert window.banners.banners()[0].text == "Something went wrong inside the program: ValueError: odd"


def test_a_part_of_a_snapshot_is_read_and_kept_and_a_failed_part_is_read_whole_again(
    qtbot: QtBot, window: MainWindow, finder: FakeFinder, reader: FakeReader, tmp_path: Path
) -> None:
    path = tmp_path / "mem.pickle"
    path.write_bytes(b"\x80\x04.")
    source = Source("snapshot_pickle", "snapshot", (path,))
    finder.found[path] = [Card("mem", None, None, "", "", path, (source,))]
    window.opening.open_paths([path])
    opened(qtbot, window, "mem.pickle")
    card = window.workspace.current.cards[0]  # type: ignore[union-attr, index]
    reader.ready("mem")
    qtbot.waitUntil(lambda: card.status == "ready")
    window.context.option_wanted.emit("mem", "events", "5:90")
    assert reader.started == ["mem:snapshot", "mem:snapshot"]
    assert card.source.sources[0].options == (("events", "5:90"),)
    kept = ProjectList().named("mem.pickle")
    assert kept is not None
    assert [choice.options for choice in kept.choices.values()] == [{"events": "5:90"}]
    assert row_of("mem", finder.found[path][0], kept).source.sources[0].option("events") == "5:90"
    reader.fail("mem", "No such events.", "Read all events.")
    qtbot.waitUntil(lambda: card.status == "failed")
    window.workspace.reread("mem")
    assert card.source.sources[0].options == ()
