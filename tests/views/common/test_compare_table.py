"""Differences between two cards, with both sides below them."""

from __future__ import annotations

import pyarrow as pa
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from insight_desktop.engine import compare
from insight_desktop.views.common import theme
from insight_desktop.views.common.compare_table import CompareTable
from insight_desktop.views.common.table_columns import ColumnSpec

COLUMNS = (
    ColumnSpec("name", "Name"),
    ColumnSpec("size", "Size", kind="number"),
    ColumnSpec("t_ms", "Time", kind="number", missing="N/A"),
)


@pytest.fixture
def table(qtbot: QtBot) -> CompareTable:
    ours = pa.table({"name": ["a", "b"], "size": [10.0, 5.0], "t_ms": pa.array([1.5, None], pa.float64())})
    base = pa.table({"name": ["a", "c"], "size": [4.0, 7.0], "t_ms": [2.5, 3.0]})
    found = CompareTable()
    qtbot.addWidget(found)
    found.show_pairs(compare.keyed(ours, base, ["name"], ["size", "t_ms"]), COLUMNS, times=("t_ms",))
    return found


def rows(table: CompareTable) -> list[list[str]]:
    model = table.model()
    return [
        [model.data(model.index(r, c), Qt.ItemDataRole.DisplayRole) for c in range(model.columnCount())]
        for r in range(model.rowCount())
    ]


def test_rows_are_signed_differences(table: CompareTable) -> None:
    assert rows(table) == [
        ["a", "Difference", "+6", "−1", "See More"],
        ["b", "Difference", "+5", "0", "See More"],
        ["c", "Difference", "−7", "−3", "See More"],
    ]


def test_see_more_opens_baseline_then_comparison(table: CompareTable) -> None:
    table.toggle(0)
    table.toggle(1)
    assert rows(table) == [
        ["a", "Difference", "+6", "−1", "See Less"],
        ["a", "Baseline", "4", "2.5", ""],
        ["a", "Comparison", "10", "1.5", ""],
        ["b", "Difference", "+5", "0", "See Less"],
        ["b", "Baseline", "0", "NA", ""],
        ["b", "Comparison", "5", "N/A", ""],
        ["c", "Difference", "−7", "−3", "See More"],
    ]
    table.toggle(0)
    assert len(rows(table)) == 5


def test_order_is_that_of_the_differences_and_sides_stay_below(table: CompareTable) -> None:
    table.toggle(2)
    table.sort_by("size")
    assert [r[:2] for r in rows(table)] == [
        ["c", "Difference"], ["c", "Baseline"], ["c", "Comparison"], ["b", "Difference"], ["a", "Difference"]
    ]  # fmt: skip


def test_more_is_green_less_is_red_and_nothing_is_plain(table: CompareTable) -> None:
    model = table.model()
    colours = [model.data(model.index(r, c), Qt.ItemDataRole.ForegroundRole) for r, c in ((0, 2), (2, 2), (1, 3))]
    assert colours == [theme.token("ok"), theme.token("error"), None]
