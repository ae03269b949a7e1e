"""Choices of the block chart, and what a block offers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from tests.support.memscope_files import T0, access, free, malloc, write_db
from tests.views.memory.test_memscope import ids, make

from insight_desktop.engine.memory import blocks as bl
from insight_desktop.views.memory import memscope_panels, memscope_verbs
from insight_desktop.views.memory.memscope import MemscopePage
from insight_desktop.views.memory.memscope_bar import size_of


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> MemscopePage:
    """Three blocks over 1000 ns: one with accesses, two of one address."""
    rows = [
        malloc(0, 0, 0x10, 2 << 20, allocation_id=1, owner="PTA@model@weight"), access(1, 600, 0x10, 1),
        access(2, 700, 0x10, 1), free(3, 800, 0x10), malloc(4, 100, 0x20, 1 << 20, owner="PTA@ops@aten"), free(5, 300, 0x20),
        malloc(6, 900, 0x20, 512), free(7, 1000, 0x99),
    ]  # fmt: skip
    found = make(qtbot, write_db(tmp_path / "memscope_dump_1.db", rows))
    qtbot.waitUntil(lambda: found.charts._look is not None and len(found.charts._look.numbers) == 3)
    return found


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("512", 512),
        ("1.5 MB", 1_572_864),
        ("2kib", 2048),
        ("1 G", 1 << 30),
        ("", None),
        ("-5", None),
        ("9" * 40, 1 << 50),
    ],
)
def test_sizes_are_typed_with_units(text: str, size: int | None) -> None:
    assert size_of(text) == size


def test_sizes_filter_the_chart_and_the_table(page: MemscopePage, qtbot: QtBot) -> None:
    page.charts.choices.choose(sizes=(1024, 1 << 20))
    qtbot.waitUntil(lambda: ids(page) == [1])
    plot = page.charts.blocks.block_plot
    qtbot.waitUntil(lambda: plot.passing is not None and plot.passing.tolist() == [False, True, False])
    page.grab()
    assert plot._ids is not None
    assert set(np.unique(plot._ids).tolist()) <= {bl.EMPTY, bl.HIDDEN, 1}
    assert page.view_state()["sizes"] == [1024, 1 << 20]
    page.charts.choices.choose(sizes=(None, None))
    qtbot.waitUntil(lambda: ids(page) == [0, 1, 2] and plot.passing is None)


@pytest.mark.row("memory", 16)
def test_only_inefficient_blocks_can_be_shown_in_the_chart(page: MemscopePage, qtbot: QtBot) -> None:
    assert not page.charts.choices.only_box.isEnabled()
    page.set_thresholds({"early_ns": 500})
    page.charts.choices.only_box.click()
    plot = page.charts.blocks.block_plot
    qtbot.waitUntil(lambda: plot.passing is not None and plot.passing.tolist() == [True, False, False])
    qtbot.waitUntil(lambda: ids(page) == [0])
    assert page.thresholds == {"early_ns": 500, "only_tagged": True}
    page.set_thresholds({})
    assert not page.charts.choices.only_box.isChecked()


def test_colours_follow_owners_and_are_named(page: MemscopePage, qtbot: QtBot) -> None:
    page.charts.choices.choose(colour="owner2")
    chart = page.charts.blocks
    qtbot.waitUntil(lambda: [e.text for e in chart._colours] == ["PTA@model", "PTA@ops", "none"])
    assert chart.block_plot.blocks is not None
    assert chart.block_plot.blocks.hash.tolist() == [0, 1, 2]
    assert page.view_state()["colour"] == "owner2"


@pytest.mark.row("memory", 22)
def test_a_block_offers_its_times_and_its_address(page: MemscopePage, qtbot: QtBot) -> None:
    block = memscope_verbs.open_block(page.context.store, card=page.card, block_id=0)
    menu = memscope_verbs.block_menu(page, block)
    verbs = {action.text(): action for action in menu.actions() if action.text()}
    verbs["Copy address"].trigger()
    assert QGuiApplication.clipboard().text() == "0x0000000000000010"
    verbs["Mark the first and last access"].trigger()
    assert [m.at for m in page.charts.blocks.block_plot.marks] == [600, 700]
    verbs["Go to the free event"].trigger()
    qtbot.waitUntil(lambda: page.panels.events.current_row() == 3)
    assert page.marker == 800
    assert page.panels.bar.currentIndex() == memscope_panels.EVENTS
    verbs["Pin A at its malloc"].trigger()
    qtbot.waitUntil(lambda: page.pinned is not None and page.pinned[0] == 0)
    assert page.pinned is not None
    assert page.pinned[1]["PTA@model@weight"] == 2 << 20


@pytest.mark.row("memory", 22)
def test_all_lifetimes_of_an_address_are_listed(page: MemscopePage, qtbot: QtBot) -> None:
    page.charts.set_view(850, 1000)
    qtbot.waitUntil(lambda: ids(page) == [2])
    memscope_verbs.filter_address(page, "0x0000000000000020", everywhere=True)
    qtbot.waitUntil(lambda: page.panels.blocks.shown_table()["block_id"].to_pylist() == [1, 2])


def test_the_events_of_a_block_are_stepped_through(page: MemscopePage, qtbot: QtBot) -> None:
    page.charts._clicked(0, 650.0)
    qtbot.waitUntil(lambda: page.panels.blocks.current_row() == 0)
    page.charts.choices.after_button.click()
    qtbot.waitUntil(lambda: page.marker == 700)
    page.charts.choices.after_button.click()
    qtbot.waitUntil(lambda: page.marker == 800)
    page.charts.choices.before_button.click()
    qtbot.waitUntil(lambda: page.marker == 700)
    assert page.panels.events.row(page.panels.events.current_row())["id"] == 2


def test_a_time_of_another_century_and_absurd_sizes_are_drawn_without_failing(qtbot: QtBot, tmp_path: Path) -> None:
    rows = [
        malloc(0, 0, 0x10, 1 << 20), malloc(1, 5 - T0, 0x20, 1 << 20), *(malloc(i, i, i << 8, (1 << 60) - 1) for i in range(2, 40)),
    ]  # fmt: skip
    found = make(qtbot, write_db(tmp_path / "memscope_dump_1.db", rows))
    qtbot.waitUntil(lambda: bool(found.charts.curve.series))
    # The block of 1970 lives when the axis begins, which is the time of the other.
    assert found.charts.curve.series[0].y.tolist() == [2.0, 2.0]
    assert found.dump["facts"]["span_ns"] == 39
    assert [(r["reason"], r["rows"]) for r in found.dump["quality"].to_pylist()] == [("zero_size_malloc", 38)]
