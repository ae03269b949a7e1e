"""Selects and number fields: long entries end in dots, short ones are whole, texts keep their distance from the edge."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDoubleSpinBox, QLineEdit
from pytestqt.qtbot import QtBot

from insight_desktop.views.common import parts
from insight_desktop.views.common.card_selector import CutLine, SearchBox
from insight_desktop.views.common.select import Select

pytestmark = pytest.mark.usefixtures("look")
LONG = "(0, 1, … 15):17522688603477080586"


@pytest.mark.parametrize("kind", [Select, SearchBox])
def test_a_long_entry_ends_in_dots_and_a_short_one_is_whole(qtbot: QtBot, kind: type[Select] | type[SearchBox]) -> None:
    box = kind()
    qtbot.addWidget(box)
    box.addItems([LONG, "Card 0"])
    box.resize(120, 26)
    box.show()
    line = box.lineEdit()
    shown = box.shown_text if isinstance(box, Select) else line.shown_text if isinstance(line, CutLine) else str
    assert shown().endswith("…")
    assert shown()[:-1] == LONG[: len(shown()) - 1]
    box.setCurrentIndex(1)
    assert shown() == "Card 0"


def test_a_select_as_wide_as_its_entries_cuts_none(qtbot: QtBot) -> None:
    box = Select()
    qtbot.addWidget(box)
    box.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToContents)
    box.addItem("Card 0")
    box.resize(box.sizeHint())
    box.show()
    assert box.shown_text() == "Card 0"


@pytest.mark.parametrize("plain", [False, True])
def test_a_number_field_shows_its_number_apart_from_the_edge(qtbot: QtBot, plain: bool) -> None:
    field = QDoubleSpinBox()
    qtbot.addWidget(field)
    parts.pad(field, plain=plain)
    field.setSuffix(" ms")
    field.setDecimals(0)
    field.setMaximum(1000)
    field.setValue(500)
    field.setFixedWidth(72 if plain else 96)
    field.show()
    inner = field.findChild(QLineEdit)
    assert inner is not None
    margins = inner.textMargins()
    room = inner.width() - margins.left() - margins.right()
    assert inner.fontMetrics().horizontalAdvance(field.text()) <= room
    assert inner.x() + margins.left() >= 6
