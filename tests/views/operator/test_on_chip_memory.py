"""The On-Chip Memory page: memories, status, blocks over lines, banks at a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from tests.support import operator_bins as bins

from insight_desktop.views.common.chart_axis import Axis
from insight_desktop.views.common.context import Context
from insight_desktop.views.operator import plan_chart
from insight_desktop.views.operator.on_chip_memory import TAB, OnChipPage, facts
from insight_desktop.views.operator.plan_chart import BytesAxis

SPEC, SYSTEM = "operator", "system-memory-operator-rl"


def row(*numbers: int) -> pytest.MarkDecorator:
    return pytest.mark.row(SPEC, *numbers)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))
    return tmp_path


def buffer(name: str, start: int, end: int, size: int, *offsets: int) -> dict[str, Any]:
    return {
        "alloc_time_in_ir": start, "buffer": name, "extent": 8 * size, "is_tmpbuf": False, "life_time_in_ir": [start, end],
        "offset": list(offsets) or [0], "source_location": f"k.py:{start}",
    }  # fmt: skip


def plan(*records: dict[str, Any]) -> bytes:
    return json.dumps({"Header": {"KernelName": "softmax"}, "Record": list(records)}).encode()


def record(scope: str, *buffers: dict[str, Any], status: str = "success", error: str = "") -> dict[str, Any]:
    return {"scope": scope, "status": status, "err_msg": error, "memory_info_array": list(buffers)}


# Example C1: addresses 0, 100, 300.
UB = record("UB", buffer("%1", 10, 20, 100), buffer("%2", 15, 30, 200), buffer("%3", 25, 40, 150))
L1 = record("L1", buffer("%4", 1, 9, 64), status="fail", error="l1 overflow, 1 bit too much")


def open_page(qtbot: QtBot, folder: Path, data: bytes) -> OnChipPage:
    store = bins.opened(bins.write(folder, data, "memory_info.json"))
    page = OnChipPage(Context(store))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    page.resize(1300, 800)
    page.show()
    qtbot.waitUntil(lambda: page.loaded is not None, timeout=20_000)
    return page


def badge(page: OnChipPage) -> str:
    item = page.badge_place.itemAt(0)
    assert item is not None
    return item.widget().accessibleName()


def test_tab_has_its_id() -> None:
    assert (TAB.id, TAB.title) == ("operator.on_chip_memory", "On-Chip Memory")


@row(58)
def test_head_tells_kernel_memories_and_how_the_compilation_went(qtbot: QtBot, home: Path) -> None:
    page = open_page(qtbot, home / "k", plan(UB, L1))
    assert page.name_label.full_text() == "Kernel Name: softmax"
    assert [page.scope_box.itemText(i) for i in range(page.scope_box.count())] == ["UB", "L1"]
    assert badge(page) == "Compile Success"
    assert not page.error_box.isVisible()
    page.scope_box.setCurrentIndex(1)
    qtbot.waitUntil(
        lambda: page.loaded is not None and page.loaded.scope is not None and page.loaded.scope["scope"] == "L1"
    )
    assert badge(page) == "Compile Failed"
    assert page.error_box.isVisible()
    assert (page.error_title.text(), page.error_text.text()) == ("Error Info", "l1 overflow, 1 bit too much")


@row(58)
def test_a_failure_without_a_message_shows_no_error_box(qtbot: QtBot, home: Path) -> None:
    page = open_page(qtbot, home / "k", plan(record("UB", buffer("%1", 1, 2, 32), status="fail")))
    assert badge(page) == "Compile Failed"
    assert not page.error_box.isVisible()


@row(56)
@pytest.mark.row(SYSTEM, 45)
def test_blocks_are_rectangles_from_their_addresses_upwards(qtbot: QtBot, home: Path) -> None:
    page = open_page(qtbot, home / "k", plan(UB))
    plot = page.chart.plan
    frame = plot.frame
    first, second, third = (plot.box(frame, block) for block in plot.rows)
    assert [block["address_bytes"] for block in plot.rows] == [0, 100, 300]
    assert (plot.unit, plot.y_axis.title, plot.x_axis.title) == (1, "Buffer Size", "Buffer Life")
    assert first.bottom() == pytest.approx(frame.plot.bottom())
    assert second.bottom() == pytest.approx(first.top())
    assert third.bottom() == pytest.approx(second.top())
    assert (first.right() - first.left()) * 1.5 == pytest.approx(second.right() - second.left())
    assert [colour.name() for colour in plot.colours_by_id.values()] == ["#0062dc", "#ff5432", "#279c6e"]
    tip = plan_chart.tip(plot.rows[2], plot.colours_by_id["30025"])
    assert [(line.name, line.value) for line in tip] == [
        ("ID", "30025"), ("Address", "0.29 KB"), ("Size", "0.15 KB"), ("Life", "[25, 40]"),
    ]  # fmt: skip


@row(56)
def test_a_block_that_lives_on_one_line_can_be_seen(qtbot: QtBot, home: Path) -> None:
    page = open_page(qtbot, home / "k", plan(record("UB", buffer("%1", 5, 5, 1), buffer("%2", 1, 900, 60_000))))
    box = page.chart.plan.box(page.chart.plan.frame, page.chart.plan.rows[0])
    assert (box.width(), box.height()) == (2, 4)


def test_axis_writes_the_unit_of_its_largest_value() -> None:
    assert plan_chart.unit_of(900) == (1, "B")
    assert plan_chart.unit_of(64 * 1024) == (1024, "KB")
    assert plan_chart.unit_of(3 << 20) == (1 << 20, "MB")
    assert BytesAxis("Buffer Size", unit="KB").tick_text(50.0, 50.0, 150.0) == "50.0 KB"
    assert isinstance(BytesAxis("Buffer Size"), Axis)


@row(57)
def test_a_click_chooses_block_and_time_and_shows_the_banks(qtbot: QtBot, home: Path) -> None:
    page = open_page(qtbot, home / "k", plan(UB))
    assert page.layout_stack.currentIndex() == 1
    assert page.layout_hint.texts()[0] == "Please click on the chart above to view memory layout"
    plot = page.chart.plan
    plot._clicked(plot.box(plot.frame, plot.rows[1]).center())
    assert page.block is not None
    assert page.block["buffer"] == "%2"
    assert page.time == 22
    assert page.time_label.text() == "Current Time: 22  ·  1 blocks, 0.20 KB"
    # 100 to 300: chunks 3 to 9 of 32 bytes in banks 3 to 9; the first begins at byte 4, the last holds 12 bytes.
    placed = [(cell.bank, cell.row, cell.left, cell.width) for cell, _ in page.banks.placed]
    assert [bank for bank, *_ in placed] == [3, 4, 5, 6, 7, 8, 9]
    assert placed[0] == (3, 0, 4 / 32, 28 / 32)
    assert placed[-1] == (9, 0, 0.0, 12 / 32)
    page.block_clicked(-1, 28.7)
    assert page.time == 28
    assert [living["buffer"] for living in page.living()] == ["%2", "%3"]
    assert page.block["buffer"] == "%2"  # only the time has changed


@row(57)
def test_banks_stand_in_16_groups_of_three(qtbot: QtBot, home: Path) -> None:
    # Example 24: address 70,000 is in bank 27, row 8.
    page = open_page(qtbot, home / "k", plan(record("UB", buffer("%1", 1, 9, 70_000), buffer("%2", 2, 9, 16))))
    page.block_clicked(1, 3.0)
    banks = page.banks
    cell = next(cell for cell, block in banks.placed if block == "700002")
    assert (cell.bank, cell.row) == (27, 8)
    box = banks.cell_box(cell)
    assert banks.bank_box(27).adjusted(-1, -1, 1, 1).contains(box)
    assert banks.bank_box(27).left() == banks.bank_box(11).left()
    assert banks.bank_box(27).top() > banks.bank_box(11).bottom()
    at = box.center()
    assert banks.block_at(at.x(), banks.bank_box(27).top() + 8.5 * banks.bank_box(27).height() / 128) == "700002"
    assert banks.grab().width() > 0


def test_detail_has_the_attributes_of_the_plan(qtbot: QtBot, home: Path) -> None:
    page = open_page(qtbot, home / "k", plan(record("UB", buffer("%1", 12, 40, 8192, 0, 8192))))
    assert len(page.chart.plan.rows) == 2
    page.block_clicked(1, 20.0)
    assert page.block is not None
    shown = {fact.title: fact.copied or fact.value for fact in facts(page.block)}
    assert (shown["Address"], shown["Size"], shown["Life"]) == ("8.00 KB", "8.00 KB", "[12, 40]")
    assert json.loads(shown["Attributes"]) == {
        "buffer": "%1", "offset": 8192, "virtualAddress": 8192, "sourceLocation": "k.py:12", "allocLine": 12, "tmpBuf": False,
    }  # fmt: skip


def test_what_is_chosen_comes_back_with_the_session(qtbot: QtBot, home: Path) -> None:
    page = open_page(qtbot, home / "k", plan(UB, L1))
    page.scope_box.setCurrentIndex(1)
    qtbot.waitUntil(
        lambda: page.loaded is not None and page.loaded.scope is not None and page.loaded.scope["scope"] == "L1"
    )
    page.block_clicked(0, 5.2)
    state = json.loads(json.dumps(page.view_state()))
    other = OnChipPage(Context(page.context.store))
    other.setProperty("keeps", other.context)
    qtbot.addWidget(other)
    other.restore_state(state)
    qtbot.waitUntil(lambda: other.time == 5, timeout=20_000)
    assert other.scope_box.currentText() == "L1"
    assert other.block is not None
