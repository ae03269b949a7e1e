"""Tables with rows below rows: opening, sorting among brothers, filters that keep what stands above."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.common.tree_table import TreeTable

COLUMNS = (ColumnSpec("name", "Name"), ColumnSpec("n", "N", kind="count"))
ROWS = pa.table(
    {
        "name": ["a", "a1", "a2", "deep", "b"],
        "key": ["a", "a/1", "a/2", "a/2/deep", "b"],
        "parent": ["", "a", "a", "a/2", ""],
        "n": [3, 1, 2, 2, 9],
    }
)


@pytest.fixture
def tree(qtbot: QtBot) -> TreeTable:
    made = TreeTable(COLUMNS, open_levels=1)
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    made.show_tree(ROWS, "key", "parent")
    return made


def names(tree: TreeTable) -> list[str]:
    model = tree.model()
    return [str(model.data(model.index(row, 0))).strip() for row in range(model.rowCount())]


def test_rows_above_the_given_level_start_open_and_carry_a_caret(tree: TreeTable) -> None:
    assert names(tree) == ["▾ a", "a1", "▸ a2", "b"]
    assert [tree.level(row) for row in range(5)] == [0, 1, 1, 2, 0]


def test_a_click_on_the_caret_or_an_arrow_key_opens_and_closes(qtbot: QtBot, tree: TreeTable) -> None:
    tree.select_row(2)
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert names(tree) == ["▾ a", "a1", "▾ a2", "deep", "b"]
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert names(tree) == ["▾ a", "a1", "▸ a2", "b"]
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert tree.current_row() == 0
    tree.clicked.emit(tree.model().index(0, 0))
    assert names(tree) == ["▸ a", "b"]
    tree.open_all(True)
    assert len(names(tree)) == 5
    tree.open_all(False)
    assert names(tree) == ["▸ a", "b"]


def test_sorting_keeps_children_below_their_parent(tree: TreeTable) -> None:
    tree.open_all(True)
    tree.sort_by("n", descending=True)
    assert names(tree) == ["b", "▾ a", "▾ a2", "deep", "a1"]


def test_a_filter_shows_what_matches_with_everything_above_it(tree: TreeTable) -> None:
    tree.set_filters({"name": "deep"})
    assert names(tree) == ["▾ a", "▾ a2", "deep"]
    tree.set_filters({})
    assert len(names(tree)) == 4


def test_a_filter_from_outside_holds_beside_the_filter_row(tree: TreeTable) -> None:
    tree.set_passing(lambda table: np.asarray(table.column("n")) == 2)
    assert names(tree) == ["▾ a", "▾ a2", "deep"]
    tree.set_filters({"name": "a2"})
    assert names(tree) == ["▾ a", "▾ a2"]
    tree.set_passing(None)
    tree.set_filters({})
    assert len(names(tree)) == 4


def test_what_was_opened_stays_open_when_the_rows_are_renewed(tree: TreeTable) -> None:
    tree.set_open(2, True)
    tree.show_tree(ROWS.slice(0, 4), "key", "parent")
    assert names(tree) == ["▾ a", "a1", "▾ a2", "deep"]


def test_copies_hold_plain_names(qtbot: QtBot, tree: TreeTable) -> None:
    from PySide6.QtGui import QGuiApplication

    tree.copy(selected_only=False)
    assert QGuiApplication.clipboard().text().splitlines() == ["Name\tN", "a\t3", "a1\t1", "a2\t2", "b\t9"]
