"""The import dialog: search by path, choose in the tree, confirm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from insight_desktop.views.common import settings
from insight_desktop.views.import_dialog import ImportDialog


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("run_2", "run_10", "run_1"):
        (tmp_path / "data" / name).mkdir(parents=True)
    (tmp_path / "data" / "a.json").write_text("[]")
    return tmp_path / "data"


@pytest.fixture
def dialog(qtbot: QtBot, look: None, tree: Path) -> Iterator[ImportDialog]:
    result = ImportDialog(None, tree.parent)
    qtbot.addWidget(result)
    result.show()
    qtbot.waitUntil(lambda: result.selected() == [tree.parent])
    yield result
    result.close()


@pytest.mark.row("system-timeline", 1)
def test_enter_finds_the_typed_path_and_confirm_needs_a_selection(
    qtbot: QtBot, dialog: ImportDialog, tree: Path
) -> None:
    dialog.path.setFocus()
    dialog.path.clear()
    qtbot.keyClicks(dialog.path, f"  {tree / 'run_2'}/ ")
    assert dialog.selected() == []
    assert not dialog.confirm_button.isEnabled()
    qtbot.keyClick(dialog.path, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.selected() == [tree / "run_2"])
    assert dialog.path.text() == str(tree / "run_2")
    assert dialog.confirm_button.isEnabled()
    dialog.confirm_button.click()
    assert dialog.result() == ImportDialog.DialogCode.Accepted
    assert settings.read("last_import_path") == str(tree / "run_2")


@pytest.mark.row("system-timeline", 1)
def test_missing_path_turns_the_hint_red(qtbot: QtBot, dialog: ImportDialog, tree: Path) -> None:
    dialog.path.setFocus()
    dialog.path.clear()
    qtbot.keyClicks(dialog.path, str(tree / "none"))
    qtbot.keyClick(dialog.path, Qt.Key.Key_Return)
    assert dialog.hint.text() == f"{tree / 'none'} does not exist."
    assert dialog.hint.property("state") == "error"
    assert not dialog.confirm_button.isEnabled()


def test_counter_counts_to_4096(dialog: ImportDialog) -> None:
    dialog.path.setText("/data/prof")
    assert dialog.counter.text() == "10 / 4096"
    assert dialog.path.maxLength() == 4096


def test_click_copies_the_path_to_the_box(qtbot: QtBot, dialog: ImportDialog, tree: Path) -> None:
    index = dialog.sorted.mapFromSource(dialog.files.index(str(tree)))
    dialog.tree.setCurrentIndex(index)
    dialog._clicked(index)
    assert dialog.path.text() == str(tree)
    assert dialog.selected() == [tree]


def test_folders_come_first_and_numbers_count(qtbot: QtBot, dialog: ImportDialog, tree: Path) -> None:
    dialog.locate(tree / "run_1")
    qtbot.waitUntil(lambda: dialog.selected() == [tree / "run_1"])

    def names() -> list[str]:
        parent = dialog.sorted.mapFromSource(dialog.files.index(str(tree)))
        return [dialog.sorted.index(i, 0, parent).data() for i in range(dialog.sorted.rowCount(parent))]

    qtbot.waitUntil(lambda: names() == ["run_1", "run_2", "run_10", "a.json"])


def test_typing_replaces_the_remembered_path(qtbot: QtBot, dialog: ImportDialog, tree: Path) -> None:
    qtbot.waitUntil(lambda: dialog.path.selectedText() == str(tree.parent))
