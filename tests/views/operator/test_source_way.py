"""From the Source page to the Timeline: menus and keys, what they ask for, and why they cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from tests.support import operator_bins as bins

from insight_desktop.views.common.context import Context, InstructionPlace
from insight_desktop.views.operator.source import SourcePage


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))
    return tmp_path


def opened(qtbot: QtBot, folder: Path, data: bytes) -> tuple[SourcePage, list[InstructionPlace]]:
    page = SourcePage(Context(bins.opened(bins.write(folder / "add", data))))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    page.resize(1400, 700)
    page.show()
    qtbot.waitUntil(lambda: page.loaded is not None, timeout=20_000)
    wanted: list[InstructionPlace] = []
    page.context.instruction_wanted.connect(wanted.append)
    return page, wanted


def test_an_instruction_leads_to_its_slices_by_menu_and_enter(qtbot: QtBot, home: Path) -> None:
    page, wanted = opened(qtbot, home, bins.sample())
    vadd = InstructionPlace(
        "add", (0x1134E008, 0x1134E008), file=bins.PATH, line=22, name="VADD", pipe="VECTOR", core=bins.CORE
    )
    page.table.select_row(1)
    menu = page.table.row_menu()
    assert (menu.actions()[0].text(), menu.actions()[0].isEnabled()) == ("Show in Timeline", True)
    menu.actions()[0].trigger()
    assert wanted == [vadd]
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert wanted == [vadd, vadd]


def test_a_line_leads_to_the_slices_of_its_instructions(qtbot: QtBot, home: Path) -> None:
    page, wanted = opened(qtbot, home, bins.sample())
    line = InstructionPlace("add", (0x1134E000, 0x1134E008), file=bins.PATH, line=22, core=bins.CORE)
    menu = page.way.menu(22)
    menu.actions()[0].trigger()
    page.line_chosen(22)
    qtbot.keyClick(page.view.text, Qt.Key.Key_Return)
    assert wanted == [line, line]
    without = page.way.menu(1).actions()[0]
    assert (without.isEnabled(), without.toolTip()) == (False, "No instruction was made of this line.")


def test_the_menu_of_the_code_is_that_of_the_line_at_the_mouse(qtbot: QtBot, home: Path) -> None:
    page, _ = opened(qtbot, home, bins.sample())
    asked: list[int] = []
    page.model.menu_wanted.disconnect()
    page.model.menu_wanted.connect(lambda line, _at: asked.append(line))
    page.model.set_top(0)
    at = QPoint(200, page.model.y_of(4) + 5)
    QApplication.sendEvent(page.view.text, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, at))
    assert asked == [5]
    assert page.model.selected == 5


def test_a_kernel_without_lanes_says_what_is_missing(qtbot: QtBot, home: Path) -> None:
    parts = [
        bins.block(bins.SOURCE, bins.TEXT.encode(), bins.PATH),
        bins.block(bins.LINES, bins.lines()),
        bins.block(bins.INSTRUCTIONS, bins.instructions()),
        bins.block(bins.BASE, bins.base()),
    ]
    page, wanted = opened(qtbot, home, b"".join(parts))
    said: list[str] = []
    page.context.message.connect(lambda _level, text, _fix: said.append(text))
    page.table.select_row(0)
    reason = "The kernel has no instructions over time: collect it with the simulator of msprof op."
    action = page.table.row_menu().actions()[0]
    assert (action.isEnabled(), action.toolTip()) == (False, reason)
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert (wanted, said) == ([], [reason])
