from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from insight_desktop.views.common import fonts, parts, theme


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


def test_parts_of_a_page_need_more_height_with_larger_texts(qtbot: QtBot, insight_home) -> None:
    part = QWidget()
    qtbot.addWidget(part)
    parts.keep_least_height(part, 240)
    assert (part.minimumHeight(), part.maximumHeight()) == (240, 16_777_215)
    theme.set_text_scale(150)
    assert part.minimumHeight() == 360
    theme.set_text_scale(100)


def test_a_yielding_label_takes_its_room_and_never_more_than_there_is(qtbot: QtBot) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    row = parts.columns(box)
    name, rest = parts.YieldingLabel("a name of some length " * 20), parts.ElidedLabel("facts")
    row.addWidget(name)
    row.addWidget(rest, 1)
    assert box.minimumSizeHint().width() < 100
    box.resize(400, 30)
    box.show()
    qtbot.waitExposed(box)
    assert name.width() <= 400
    assert "…" in name.text()
    name.set_text("short")
    qtbot.waitUntil(lambda: name.text() == "short" and rest.width() > 300)


@pytest.mark.usefixtures("look")
def test_joined_segments_have_one_outline_and_do_not_move_when_chosen(qtbot: QtBot) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    row = parts.columns(box, gap=0)
    segments = [parts.Segment(text) for text in ("Bandwidth", "Transit Size", "Transport Type")]
    for segment in segments:
        row.addWidget(segment)
    parts.join(segments)
    box.show()
    assert [s.property("segment") for s in segments] == ["first", "middle", "last"]
    before = [s.sizeHint().width() for s in segments]
    segments[1].setChecked(True)
    assert [s.sizeHint().width() for s in segments] == before


@pytest.mark.usefixtures("look")
def test_a_chip_that_gets_its_look_later_has_room_for_its_edges(qtbot: QtBot) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    label.setText("target 95 %")
    label.show()
    plain = label.sizeHint().width()
    parts.set_state(label, chip="ok")
    assert label.sizeHint().width() >= plain + 12


@pytest.mark.usefixtures("look")
def test_icons_grow_with_the_text(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    button, label = parts.icon_button("copy", "Copy"), parts.IconLabel("warning")
    qtbot.addWidget(button)
    qtbot.addWidget(label)
    assert (button.width(), button.iconSize().width(), label.width()) == (26, 16, 14)
    monkeypatch.setattr(fonts, "scale", lambda: 150)
    theme.notifier.changed.emit()
    assert (button.width(), button.iconSize().width(), label.width()) == (39, 24, 21)
    monkeypatch.undo()
    theme.notifier.changed.emit()
    assert button.width() == 26
