from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp


@pytest.mark.row("system-timeline", 35)
def test_with_the_hand_a_drag_pans_and_a_click_still_selects(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path)
    page.state.viewport.show(200_000, 400_000)
    page.hand_button.click()
    tp.drag(page.body.canvas, [(500, tp.Y["Stream 2"]), (400, tp.Y["Stream 2"])])
    assert page.state.range is None
    assert page.state.viewport.view.left_ns > 200_000
    page.hand_button.click()
    assert not page.state.pan_mode


def test_an_offset_moves_the_card_to_the_left(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path)
    before = page.state.shift_ns("0")
    page.state.set_offset("0", 5_000)
    assert page.state.shift_ns("0") - before == 5_000
