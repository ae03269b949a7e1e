from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support import timeline_page as tp

from insight_desktop.views.common import theme
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.colouring import ColourMenu, heat, slots

SLICES = [
    tp.at(0, 100_000, "add", tp.T11, cat="cpu_op"),
    tp.at(200_000, 300_000, "mul", tp.T11, cat="cpu_op"),
    tp.at(0, 100_000, "note", tp.T12, cat="user_annotation"),
    *[tp.at(i * 100_000, i * 100_000 + 10_000 * (i + 1), "MatMul", tp.S2) for i in range(5)],
]


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    for number in range(2):
        plain_build.build(tmp_path / f"c{number}", slices=SLICES)
    return tp.make(qtbot, [tp.card(tmp_path / f"c{n}", str(n)) for n in range(2)])


def fills(page: TimelinePage, lane: str, xs: tuple[int, ...]) -> list[int]:
    canvas = page.body.canvas
    canvas.render_now()
    frame, row = canvas.maker.frame, tp.row(page, lane)
    assert frame is not None
    assert row is not None
    return [int(frame.array[row.y + 10 - frame.request.y0, round(x * frame.pixels / 1000)]) for x in xs]


def by(page: TimelinePage, qtbot: QtBot, mode: str) -> None:
    with qtbot.waitSignal(page.state.colouring.changed):
        page.state.colouring.set_mode(mode)


def test_slices_of_one_type_have_one_colour_and_the_legend_tells_it(page: TimelinePage, qtbot: QtBot) -> None:
    by(page, qtbot, "type")
    page.state.viewport.show(0, 1_000_000)
    one, two = fills(page, "Thread 11", (50, 250))
    other = fills(page, "Thread 12", (50,))[0]
    assert one == two != other
    legend = {text: colour.rgb() for colour, text in page.state.colouring.legend()}
    assert legend["cpu_op"] == one
    assert legend["user_annotation"] == other
    assert sorted(legend) == ["Ascend Hardware", "cpu_op", "python3", "user_annotation"]


def test_each_card_has_a_colour(page: TimelinePage, qtbot: QtBot) -> None:
    by(page, qtbot, "card")
    page.state.viewport.show(0, 1_000_000)
    assert set(fills(page, "Thread 11", (50, 250))) == {theme.series()[0].rgb()}
    assert [text for _, text in page.state.colouring.legend()] == ["Card 0", "Card 1"]


def test_durations_are_coloured_by_their_tenth_of_the_name(page: TimelinePage, qtbot: QtBot) -> None:
    by(page, qtbot, "duration")
    page.state.viewport.show(0, 1_000_000)
    # 10, 20, 30, 40, 50 µs: the tenths are parted at 10, 10, 10, 20, 20, 30, 30, 40, 40.
    shades = fills(page, "Stream 2", (5, 105, 205, 305, 405))
    assert shades == [int(heat()[k]) for k in (0, 3, 5, 7, 9)]


def test_the_mode_is_remembered_and_the_menu_switches_it(page: TimelinePage, qtbot: QtBot) -> None:
    menu = ColourMenu(page.state.colouring, page)
    assert menu.list.isHidden()
    with qtbot.waitSignal(page.state.colouring.changed):
        menu.buttons["type"].setChecked(True)
    assert menu.list.count() == 4
    kept = page.state.as_dict()
    assert kept["colour_by"] == "type"
    page.state.colouring.set_mode("name")
    assert page.state.colouring.of("0") is None
    page.state.restore(kept)
    assert page.state.colouring.mode == "type"
    menu.close()


def test_labels_get_different_places_as_long_as_there_are_enough() -> None:
    found = slots([f"type {i}" for i in range(24)], 24)
    assert sorted(found.values()) == list(range(24))
