"""The totals below a table follow its filters."""

from __future__ import annotations

import pyarrow as pa
from pytestqt.qtbot import QtBot

from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.common.totals_row import TotalsRow

COLUMNS = (
    ColumnSpec("name", "Name"),
    ColumnSpec("count", "Count", kind="count"),
    ColumnSpec("dur_ns", "Duration", "ms", kind="duration"),
)


def test_sums_smallest_and_largest_of_the_shown_rows(qtbot: QtBot) -> None:
    table = ArrowTable(columns=COLUMNS)
    qtbot.addWidget(table)
    totals = TotalsRow(table, {"count": "sum", "dur_ns": "max"})
    qtbot.addWidget(totals)
    table.show_table(pa.table({"name": ["a", "b", "ab"], "count": [1, 2, 4], "dur_ns": [10**6, 3 * 10**6, 2 * 10**6]}))
    assert totals.texts() == {"name": "Totals of 3 rows", "count": "7", "dur_ns": "3.000"}
    table.set_filters({"name": "a"})
    assert totals.texts() == {"name": "Totals of 2 of 3 rows", "count": "5", "dur_ns": "2.000"}
    totals.set_values({"count": 99}, "All that is known")
    assert totals.texts() == {"name": "All that is known", "count": "99", "dur_ns": "2.000"}


def test_without_rows_there_are_no_totals(qtbot: QtBot) -> None:
    table = ArrowTable(columns=COLUMNS)
    qtbot.addWidget(table)
    totals = TotalsRow(table, {"count": "sum"})
    qtbot.addWidget(totals)
    totals.renew()
    assert totals.isHidden()
    assert totals.values == {"count": None}
