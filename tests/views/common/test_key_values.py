"""Lists of names and values."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from insight_desktop.views.common import theme
from insight_desktop.views.common.key_values import Fact, KeyValues


def test_values_are_shown_as_text_and_copied_exactly(qtbot: QtBot) -> None:
    values = KeyValues()
    qtbot.addWidget(values)
    values.set_facts(
        [
            Fact("Name", "<b>a & b</b>", strong=True),
            Fact("Wall Duration", "1.199 ms", "1,199,286 ns", copied="1199286 ns"),
        ]
    )
    text = values.toPlainText()
    assert "<b>a & b</b>" in text
    assert "1.199 ms 1,199,286 ns" in text
    values.copy_all()
    assert QGuiApplication.clipboard().text() == "Name\t<b>a & b</b>\nWall Duration\t1199286 ns\n"


def test_colours_follow_the_theme_at_once(qtbot: QtBot) -> None:
    values = KeyValues()
    qtbot.addWidget(values)
    values.set_facts([Fact("State", "x", state="warn")])
    for name, colour in (("light", "#8a5c00"), ("dark", "#e3ae43")):
        theme.set_theme(name, remember=False)
        assert colour in values.toHtml().lower()


def test_links_tell_where_they_lead(qtbot: QtBot) -> None:
    values = KeyValues()
    qtbot.addWidget(values)
    values.set_facts([Fact("Card", "Card 1", link="card:1")])
    with qtbot.waitSignal(values.link_clicked) as told:
        values.anchorClicked.emit("card:1")
    assert told.args == ["card:1"]
