from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.common import theme
from insight_desktop.views.system.timeline import TimelinePage


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


def test_tools_without_room_move_into_a_menu_that_does_the_same(page: TimelinePage) -> None:
    page.resize(1600, 700)
    page.tools.fit()
    assert page.tools.hidden() == []
    assert page.tools.more.isHidden()
    page.resize(620, 400)
    page.tools.fit()
    assert page.tools.hidden()[0] is page.hand_button
    assert page.tools.anchor(page.hand_button) is page.tools.more
    menu = page.tools.menu()
    next(a for a in menu.actions() if a.text().startswith("Drag pans")).trigger()
    assert page.state.pan_mode


@pytest.mark.parametrize("percent", [100, 150])
def test_the_page_fits_into_a_small_window_at_any_text_size(page: TimelinePage, percent: int) -> None:
    try:
        theme.set_text_scale(percent)
        page.restyle()
        assert page.minimumSizeHint().width() <= 756  # 800 pixels without the rail at the left
        assert page.minimumSizeHint().height() <= 360
        head = page.body.head()
        assert head == round(40 * percent / 100) + round(24 * percent / 100) + round(18 * percent / 100)
    finally:
        theme.set_text_scale(100)
