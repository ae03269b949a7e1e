"""The table view: headings, cells, sorting by clicks, filter row, copies, exports, and a million rows."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionHeader, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from insight_desktop.views.common import fonts
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec

COLUMNS = [
    ColumnSpec("name", "Name"),
    ColumnSpec("n", "Count", kind="count"),
    ColumnSpec("dur_ns", "Sum", "ms", kind="duration"),
    ColumnSpec("off_ns", "Distance", kind="offset"),
    ColumnSpec("to", "Linked slice", kind="link"),
]
TABLE = pa.table(
    {
        "name": ["MatMulV2", "SwiGlu", "FlashAttentionScore", "RmsNorm"],
        "n": pa.array([1204, 1, 1, 2], pa.int64()),
        "dur_ns": pa.array([7_582_000_009, 419_000, 2_971_000, None], pa.int64()),
        "off_ns": pa.array([-221_032, 39_682, 0, 412_774], pa.int64()),
        "to": ["a", "b", "c", "d"],
        "hidden": [1, 2, 3, 4],
    }
)


@pytest.fixture
def table(qtbot: QtBot) -> ArrowTable:
    found = ArrowTable(TABLE, COLUMNS)
    qtbot.addWidget(found)
    found.resize(700, 240)
    found.show()
    return found


def _texts(table: ArrowTable, column: int) -> list[str]:
    model = table.model()
    return [model.index(r, column).data() for r in range(model.rowCount())]


def test_headings_have_units_and_cells_one_unit_and_fixed_decimals(table: ArrowTable) -> None:
    model = table.model()
    heads = [model.headerData(i, Qt.Orientation.Horizontal) for i in range(model.columnCount())]
    assert heads == ["Name", "Count", "Sum (ms)", "Distance (µs)", "Linked slice"]
    assert _texts(table, 1) == ["1,204", "1", "1", "2"]
    assert _texts(table, 2) == ["7,582.000", "0.419", "2.971", "–"]
    assert _texts(table, 3) == ["−221.032", "+39.682", "0.000", "+412.774"]
    assert model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole) == "7,582,000,009 ns"
    right, left = (model.index(0, c).data(Qt.ItemDataRole.TextAlignmentRole) for c in (2, 0))
    assert right & int(Qt.AlignmentFlag.AlignRight)
    assert left & int(Qt.AlignmentFlag.AlignLeft)


def test_the_model_obeys_the_rules_of_qt(qtbot: QtBot, table: ArrowTable) -> None:
    tester = QAbstractItemModelTester(table.model(), QAbstractItemModelTester.FailureReportingMode.Fatal)
    table.sort_by("n")
    table.set_filters({"name": "a"})
    table.show_table(TABLE.slice(1, 2))
    assert tester is not None


def test_a_heading_sorts_up_then_down_then_not(qtbot: QtBot, table: ArrowTable) -> None:
    header = table.horizontalHeader()
    orders = []
    for _ in range(3):
        at = header.sectionViewportPosition(2) + 20
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at, 12))
        orders.append(_texts(table, 0))
    assert orders == [
        ["SwiGlu", "FlashAttentionScore", "MatMulV2", "RmsNorm"],
        ["MatMulV2", "FlashAttentionScore", "SwiGlu", "RmsNorm"],
        ["MatMulV2", "SwiGlu", "FlashAttentionScore", "RmsNorm"],
    ]


def test_typing_into_the_filter_row_filters_after_a_moment(qtbot: QtBot, table: ArrowTable) -> None:
    header = table.horizontalHeader()
    with qtbot.waitSignal(table.rows_changed) as told:
        qtbot.keyClicks(header.field("dur_ns"), "> 0.5")
    assert told.args == [2, 4]
    assert _texts(table, 0) == ["MatMulV2", "FlashAttentionScore"]
    assert header.field("dur_ns").property("state") == "active"
    table.set_filters({"dur_ns": "> x"})
    assert header.field("dur_ns").property("state") == "error"
    assert "Write a number" in header.field("dur_ns").toolTip()
    assert _texts(table, 0) == ["MatMulV2", "FlashAttentionScore"]
    qtbot.keyClick(header.field("dur_ns"), Qt.Key.Key_Escape)
    assert table.model().rowCount() == 4


def test_the_current_row_stays_current_when_the_order_changes(table: ArrowTable) -> None:
    table.select_row(1)
    table.sort_by("name")
    assert table.current_row() == 1
    assert table.currentIndex().row() == 3


def test_rows_are_activated_by_enter_double_click_and_links_by_a_click(qtbot: QtBot, table: ArrowTable) -> None:
    rows: list[int] = []
    table.row_activated.connect(rows.append)
    table.sort_by("name")
    table.select_row(3)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    link = table.visualRect(table.model().index(0, 4)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=link)
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=link)
    name = table.visualRect(table.model().index(1, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=name)
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=name)
    assert rows == [3, 2, 0]


@pytest.mark.row("system-timeline", 67)
def test_ctrl_c_copies_what_is_seen(qtbot: QtBot, table: ArrowTable) -> None:
    table.set_filters({"n": "1..2"})
    table.sort_by("dur_ns", descending=True)
    table.setColumnHidden(3, True)
    table.setColumnHidden(4, True)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == (
        "Name\tCount\tSum (ms)\nFlashAttentionScore\t1\t2.971000\nSwiGlu\t1\t0.419000\nRmsNorm\t2\t\n"
    )
    table.selectRow(0)
    table.selectionModel().select(
        table.model().index(2, 0),
        table.selectionModel().SelectionFlag.Select | table.selectionModel().SelectionFlag.Rows,
    )
    table.copy("markdown")
    assert QGuiApplication.clipboard().text().splitlines()[2:] == [
        "| FlashAttentionScore | 1 | 2.971000 |",
        "| RmsNorm | 2 |  |",
    ]


@pytest.mark.row("system-timeline", 103)
def test_exports_follow_the_view_or_hold_all_rows(qtbot: QtBot, table: ArrowTable, tmp_path: Path) -> None:
    table.set_filters({"name": "swi"})
    for name, all_rows in (("seen.csv", False), ("all.csv", True)):
        with qtbot.waitSignal(table.exported):
            table.export(tmp_path / name, all_rows=all_rows)
    read = {
        name: list(csv.DictReader((tmp_path / name).open(encoding="utf-8-sig", newline="")))
        for name in ("seen.csv", "all.csv")
    }
    assert [r["Sum (ms)"] for r in read["seen.csv"]] == ["0.419000"]
    assert [r["Sum (ms)"] for r in read["all.csv"]] == ["7582.000009", "0.419000", "2.971000", ""]
    with qtbot.waitSignal(table.failed) as told:
        table.export(tmp_path / "none" / "x.csv")
    assert "cannot be written" in str(told.args[0])


def test_a_table_without_columns_takes_units_from_its_names(qtbot: QtBot) -> None:
    table = ArrowTable(pa.table({"dur_ns": [1_000_000], "size_bytes": [1 << 20], "busy_ratio": [0.5], "name": ["x"]}))
    qtbot.addWidget(table)
    assert [c.heading() for c in table.columns] == ["dur (ms)", "size (MiB)", "busy (%)", "name"]
    assert [_texts(table, i)[0] for i in range(4)] == ["1.000", "1.0", "50.0", "x"]


def test_state_is_remembered(qtbot: QtBot, table: ArrowTable) -> None:
    table.set_filters({"name": "m"})
    table.sort_by("n", descending=True)
    table.setColumnHidden(1, True)
    other = ArrowTable(TABLE, COLUMNS)
    qtbot.addWidget(other)
    other.restore_state({**table.view_state(), "more": 1})
    assert other.view_state() == {"sort": ["n", True], "filters": {"name": "m"}, "hidden": ["n"]}
    assert _texts(other, 0) == ["MatMulV2", "RmsNorm"]


def test_filters_and_order_stay_when_new_data_of_the_same_kind_come(table: ArrowTable) -> None:
    table.set_filters({"name": "l"})
    table.sort_by("name")
    table.show_table(pa.concat_tables([TABLE, TABLE]))
    assert _texts(table, 0) == ["FlashAttentionScore"] * 2 + ["MatMulV2"] * 2 + ["SwiGlu"] * 2


@pytest.mark.slow
def test_a_million_rows_show_sort_and_filter_within_150_ms(qtbot: QtBot) -> None:
    rng = np.random.default_rng(7)
    n = 1_000_000
    names = pa.array([f"aten::op_{i}" for i in range(3_000)])
    big = pa.table({"name": names.take(pa.array(rng.integers(0, 3_000, n))), "dur_ns": rng.integers(0, 10**9, n)})
    table = ArrowTable(columns=[ColumnSpec("name", "Name"), ColumnSpec("dur_ns", "Duration", kind="duration")])
    qtbot.addWidget(table)
    table.resize(600, 400)
    table.show()

    def seconds(act: Callable[[], object]) -> float:
        start = time.process_time()
        with qtbot.waitSignal(table.rows_changed):
            act()
        table.grab()
        return time.process_time() - start

    assert seconds(lambda: table.show_table(big)) < 0.15
    actions = {
        "sort": lambda: table.sort_by("dur_ns"),
        "sort names": lambda: table.sort_by("name", descending=True),
        "filter": lambda: table.set_filters({"name": "op_12"}),
    }
    for name, act in actions.items():
        best = 1.0
        for _ in range(3):  # processor time: other programs on the machine do not count
            best = min(best, seconds(act))
        assert best < 0.15, name


def test_a_column_of_buttons_has_no_filter_field(qtbot):
    from insight_desktop.views.common.table_header import FilterHeader

    header = FilterHeader()
    qtbot.addWidget(header)
    header.set_columns([ColumnSpec("name"), ColumnSpec("details", kind="link", filters=False)])
    assert [header.field(name).isHidden() for name in ("name", "details")] == [False, True]
    header.show_filters(False)
    header.show_filters(True)
    assert [header.field(name).isHidden() for name in ("name", "details")] == [False, True]


@pytest.mark.usefixtures("look")
def test_headings_are_cut_by_the_width_of_the_letters_they_are_written_in(table: ArrowTable) -> None:
    """A heading measured in lighter letters than it is painted in loses its beginning where it stands on the right."""
    header = table.horizontalHeader()
    field = header.findChildren(QLineEdit)[0]
    assert (header.fontInfo().weight(), field.fontInfo().weight()) == (600, 400)


def test_cells_stand_below_their_headings(qtbot):
    table = ArrowTable(pa.table({"name": ["aten::mm"], "count": [7]}))
    qtbot.addWidget(table)
    table.resize(400, 200)
    table.show()
    header = table.horizontalHeader()
    for section in (0, 1):
        head = QStyleOptionHeader()
        header.initStyleOption(head)
        head.section, head.rect = section, QRect(0, 0, 120, 26)
        cell = QStyleOptionViewItem()
        table.initViewItemOption(cell)
        index = table.model().index(0, section)
        table.itemDelegate().initStyleOption(cell, index)
        cell.rect = QRect(0, 0, 120, 24)
        cell.widget = table
        above = header.style().subElementRect(QStyle.SubElement.SE_HeaderLabel, head, header)
        below = table.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, cell, table)
        margin = table.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, table) + 1
        assert below.left() + margin == above.left()


def test_units_of_headings_and_words_of_filters_are_not_cut(qtbot):
    specs = (ColumnSpec("n", "Sum (A)", kind="duration", width=40), ColumnSpec("m", "In", kind="count", width=40))
    table = ArrowTable(pa.table({"n": [1], "m": [2]}), specs)
    qtbot.addWidget(table)
    table.show()
    bold = QFontMetrics(fonts.ui(bold=True))
    assert table.columnWidth(0) >= bold.horizontalAdvance("Sum (A) (ms)") + 20
    for name in ("n", "m"):
        field = table.horizontalHeader().field(name)
        assert field.fontMetrics().horizontalAdvance(field.placeholderText()) + 8 <= field.width()
