from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from insight_desktop.views.common import parts, theme


def test_bars_grow_with_the_text_and_forget_widgets_that_are_gone(qtbot: QtBot, insight_home) -> None:
    bar, gone = QWidget(), QWidget()
    qtbot.addWidget(bar)
    parts.keep_height(bar, 38)
    parts.keep_height(gone, 38)
    gone.deleteLater()
    qtbot.wait(10)
    try:
        theme.set_text_scale(150)
        assert (bar.minimumHeight(), bar.maximumHeight()) == (57, 57)
    finally:
        theme.set_text_scale(100)
    assert bar.height() == 38 or bar.maximumHeight() == 38
