"""Data quality of the MemScope page: boxes that let rows without a partner count, and what a dump read that way shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.support.memscope_files import access, free, malloc, row, write_db

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.load_options import Pairing
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.views.common import language, theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.memory import memscope_panels
from insight_desktop.views.memory import memscope_verbs as verbs
from insight_desktop.views.memory.memscope import MemscopePage

# 0x30 was there before (512 KiB until 300); the block at 0x20 is taken anew at 500.
ROWS = [
    malloc(0, 0, 0x10, 1 << 20, allocation_id=1, owner="PTA@model"), access(1, 100, 0x30, 9),
    malloc(2, 200, 0x20, 1 << 20, owner="PTA@ops"), free(3, 300, 0x30, size=1 << 19, allocation_id=9),
    malloc(4, 500, 0x20, 3 << 20, owner="PTA@ops"), free(5, 800, 0x10), free(6, 900, 0x20),
    row(7, "SYSTEM", "STOP_TRACE", 1000, device="N/A"),
]  # fmt: skip


def put(store: Store, path: Path, pairing: str = "", **more: Any) -> None:
    _, (item,) = import_paths([path], options={"pairing": pairing} if pairing else None)
    card = StoreCard.of_import(item)
    store.put(StoreCard(**{**vars(card), **more}))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_db(tmp_path / "memscope_dump_1.db", ROWS)


@pytest.fixture
def page(qtbot: QtBot, path: Path) -> Iterator[MemscopePage]:
    theme.set_theme("dark", remember=False)
    store = Store()
    put(store, path)
    page = MemscopePage(Context(store))
    qtbot.addWidget(page)
    page.resize(1300, 950)
    page.show()
    shown(page, qtbot, 2)
    yield page
    language.set_language("en", remember=False)


def shown(page: MemscopePage, qtbot: QtBot, blocks: int) -> None:
    charts = page.charts
    qtbot.waitUntil(lambda: page.panels.blocks.table.num_rows == blocks)
    qtbot.waitUntil(
        lambda: charts.blocks.block_plot.blocks is not None and len(charts.blocks.block_plot.blocks) == blocks
    )
    qtbot.waitUntil(lambda: bool(charts.curve.series))


def reread(page: MemscopePage, qtbot: QtBot, path: Path, pairing: str, blocks: int) -> None:
    """What the window does when an option is wanted."""
    put(page.context.store, path, pairing)
    page.context.store_changed.emit()
    qtbot.waitUntil(lambda: page.dump.get("pairing") == Pairing.parse(pairing) if pairing else Pairing())
    shown(page, qtbot, blocks)


def test_boxes_are_off_by_default_and_ask_for_the_dump_to_be_read_again(page: MemscopePage, qtbot: QtBot) -> None:
    asked: list[tuple[str, ...]] = []
    page.context.option_wanted.connect(lambda *told: asked.append(told))
    assert page.quality_button.text() == "2 rows ignored"
    qtbot.mouseClick(page.quality_button, Qt.MouseButton.LeftButton)
    assert page.panels.bar.currentIndex() == memscope_panels.QUALITY
    boxes = page.panels.pairing
    assert boxes.isVisible()
    assert boxes.pairing == Pairing()
    boxes.before.click()
    assert asked == [("memscope_dump_1", "pairing", "before-tracing")]
    assert not boxes.before.isEnabled()  # until the dump is there
    page.context.store_changed.emit()  # it could not be read
    assert boxes.before.isEnabled()
    assert boxes.pairing == Pairing()
    boxes.implicit.click()
    assert asked[1:] == [("memscope_dump_1", "pairing", "implicit-free")]


@pytest.mark.row("memory", 47)
def test_a_dump_that_was_read_again_shows_blocks_curve_and_badge_anew(
    page: MemscopePage, qtbot: QtBot, path: Path
) -> None:
    assert page.charts.curve.series[0].y.tolist() == [1.0, 2.0, 1.0, 0.0, 0.0]
    page._show_quality()
    page.charts.blocks.zoom_to(100, 1000)
    qtbot.waitUntil(lambda: page._range is not None)
    reread(page, qtbot, path, "before-tracing,implicit-free", 4)
    assert page.charts.curve.series[0].y.tolist() == [0.5, 1.5, 2.5, 2.0, 4.0, 3.0, 0.0, 0.0]
    assert page.panels.blocks.table["size_bytes"].to_pylist() == [1 << 19, 1 << 20, 1 << 20, 3 << 20]
    assert page.quality_button.text() == "Notes on the data"
    told = [(page.panels.quality.row(k)["text"], page.panels.quality.row(k)["effect"]) for k in range(2)]
    assert told == [
        ("FREE of a block from before tracing", "the block lives from the start of the data"),
        ("MALLOC that ends the block on its address", "one block ends, another one begins"),
    ]
    assert page.panels.pairing.pairing == Pairing(True, True)
    assert page.panels.pairing.before.isEnabled()
    assert page.panels.bar.currentIndex() == memscope_panels.QUALITY  # the view stays
    assert page._range == pytest.approx((100, 1000))
    assert page._pool_facts()["peak_bytes"] == 4 << 20


def test_a_block_from_before_tracing_has_no_malloc_to_go_to(page: MemscopePage, qtbot: QtBot, path: Path) -> None:
    reread(page, qtbot, path, "before-tracing,implicit-free", 4)
    table = page.panels.blocks
    assert [table.row(k)["alloc_ns"] for k in range(4)] == [None, 0, 200, 500]
    table.select_row(0)
    facts = {fact.title: (fact.value, fact.quiet) for fact in page.panels.details.facts}
    assert facts["Malloc"] == ("before tracing", "")
    assert facts["Free"] == ("0s 000ms 000us 300ns", "300 ns")
    assert facts["Life"][0].startswith("≥ ")
    assert facts["Accesses"][0] == "1"
    table.row_activated.emit(0)  # goes to the start of the data
    assert page.marker == 0
    table.select_row(2)
    facts = {fact.title: (fact.value, fact.quiet) for fact in page.panels.details.facts}
    assert facts["Free"] == ("0s 000ms 000us 500ns", "500 ns · by the next MALLOC of its address")
    enabled = []
    for block in (0, 2):
        found = verbs.open_block(page.context.store, card=page.card, block_id=block)
        menu = verbs.block_menu(page, found)
        enabled.append({a.text(): a.isEnabled() for a in menu.actions() if a.text()})
    names = ("Go to the alloc event", "Go to the free event", "Pin A at its malloc", "Mark its free (B)")
    assert [enabled[0][name] for name in names] == [False, True, False, True]
    assert [enabled[1][name] for name in names] == [True, False, True, True]


def test_a_dump_without_any_block_leads_to_the_boxes(qtbot: QtBot, tmp_path: Path) -> None:
    path = write_db(tmp_path / "memscope_dump_2.db", [free(0, 0, 0x10, size=8), row(1, "SYSTEM", "STOP_TRACE", 10)])
    store = Store()
    put(store, path)
    page = MemscopePage(Context(store))
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.empty and page.quality_button.isVisible())
    qtbot.mouseClick(page.quality_button, Qt.MouseButton.LeftButton)
    assert page.panels.pairing.before.isVisible()
    reread(page, qtbot, path, "before-tracing", 1)
    assert page.stack.currentWidget() is page.content
    assert page.pool == ("0", "PTA")


def test_the_card_of_another_project_is_not_read_again_from_here(page: MemscopePage, qtbot: QtBot, path: Path) -> None:
    put(page.context.store, path, guest=True)
    page.context.store_changed.emit()
    assert not page.panels.pairing.before.isEnabled()


def test_boxes_speak_chinese(page: MemscopePage, qtbot: QtBot) -> None:
    language.set_language("zh", remember=False)
    qtbot.waitUntil(lambda: page.panels.pairing.before.text() == "采集前已存在的内存块")
    assert page.panels.pairing.implicit.text() == "隐式释放"
    assert "项目会保留该选择" in page.panels.pairing.before.toolTip()
