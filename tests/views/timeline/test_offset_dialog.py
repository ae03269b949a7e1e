import pytest
from pytestqt.qtbot import QtBot

from insight_desktop.views.timeline.offset_dialog import OffsetDialog, parsed


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("300000000", 300_000_000),
        (" -5 ", -5),
        ("−1,000", -1000),
        ("2592000000000000", 2_592_000_000_000_000),
        ("2592000000000001", None),
        ("1.5", None),
        ("", None),
        ("abc", None),
    ],
)
def test_an_offset_is_a_whole_number_of_ns_within_30_days(text: str, ns: int | None) -> None:
    assert parsed(text) == ns


def test_align_to_start_fills_in_the_lead_of_the_card(qtbot: QtBot) -> None:
    dialog = OffsetDialog("Card 1", 0, 12_345)
    qtbot.addWidget(dialog)
    dialog.align.click()
    assert dialog.offset_ns() == 12_345
    dialog.field.setText("soon")
    assert dialog.hint.property("state") == "error"
