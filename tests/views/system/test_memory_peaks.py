from __future__ import annotations

from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from insight_desktop.views.system.memory_peaks import Peak, PeakStrip, _Card


def strip_of(qtbot: QtBot, width: int) -> list[_Card]:
    strip = PeakStrip()
    qtbot.addWidget(strip)
    strip.resize(width, 58)
    strip.show()
    strip.show_peaks([Peak(f"PTA {i}", 1187.98, 160.053, QColor("red")) for i in range(7)])
    qtbot.wait(20)
    return strip.findChildren(_Card)


def test_narrow_cards_leave_out_the_unit_then_the_time_never_half_of_it(qtbot: QtBot) -> None:
    for width, shown in ((1600, [True, True]), (980, [False, True]), (600, [False, False])):
        cards = strip_of(qtbot, width)
        assert len(cards) == 7
        assert [not w.isHidden() for w in cards[0].yielding] == shown, width


def test_a_card_says_everything_in_its_tooltip(qtbot: QtBot) -> None:
    assert strip_of(qtbot, 600)[0].toolTip() == "PTA 0 peak\n1,187.98 MB\nat 160.053 ms"
