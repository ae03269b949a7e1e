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
    seen = []
    for width in range(600, 1700, 50):
        cards = strip_of(qtbot, width)
        shown = [not w.isHidden() for w in cards[0].yielding]
        if not seen or seen[-1] != shown:
            seen.append(shown)
        for card in cards:
            assert all(w.isHidden() or w.geometry().right() <= card.width() for w in card.yielding)
    assert seen == [[False, False], [False, True], [True, True]]


def test_a_card_says_everything_in_its_tooltip(qtbot: QtBot) -> None:
    assert strip_of(qtbot, 600)[0].toolTip() == "PTA 0 peak\n1,187.98 MB\nat 160.053 ms"
