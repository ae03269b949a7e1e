"""SQL over the open cards: results, jumps, errors that help, history."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.sql_panel import SqlPanel, columns_of, history, plain


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


@pytest.fixture
def panel(qtbot: QtBot, page: TimelinePage) -> SqlPanel:
    page.panel.show_tab("sql")
    found = page.panel.panel("sql")
    assert isinstance(found, SqlPanel)
    qtbot.waitUntil(lambda: bool(found.tables))
    return found


def ask(qtbot: QtBot, panel: SqlPanel, text: str) -> None:
    panel.set_text(text)
    qtbot.keyClick(panel.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: panel.note.text() != "Running…")


@pytest.mark.row("system-timeline", 101)
def test_a_query_runs_with_ctrl_enter_and_its_rows_jump(qtbot: QtBot, page: TimelinePage, panel: SqlPanel) -> None:
    ask(qtbot, panel, "SELECT card, id, name, dur_ns FROM slice WHERE name = 'inner' ORDER BY dur_ns")
    assert panel.table.table.to_pylist() == [
        {"card": "0", "id": 2, "name": "inner", "dur_ns": 100_000},
        {"card": "0", "id": 1, "name": "inner", "dur_ns": 200_000},
    ]
    assert panel.note.text().startswith("2 rows in ")
    panel.table.row_activated.emit(1)
    assert page.state.selected is not None
    assert (page.state.selected.id, page.state.selected.start_ns) == (1, tp.T0 + 100_000)


@pytest.mark.row("system-timeline", 101)
def test_a_row_with_a_time_moves_the_view(qtbot: QtBot, page: TimelinePage, panel: SqlPanel) -> None:
    ask(qtbot, panel, "SELECT min(ts_ns) + 200000 AS ts_ns, 100000 AS dur_ns FROM slice")
    panel.table.row_activated.emit(0)
    assert (page.state.viewport.view.left_ns, page.state.viewport.span_ns) == (200_000, 100_000)


@pytest.mark.row("system-timeline", 101)
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("DELETE FROM slice", "Only one SELECT can be run.\nWrite a single query that begins with SELECT or WITH."),
        ("SELECT nonsense FROM slice", "The query failed: "),
        ("SELEC 1", "The SQL cannot be read: "),
        ("", "Only one SELECT can be run."),
    ],
)
def test_what_cannot_be_run_is_told_and_not_remembered(qtbot: QtBot, panel: SqlPanel, text: str, told: str) -> None:
    ask(qtbot, panel, text)
    assert panel.note.text().startswith(told)
    assert panel.note.property("state") == "error"
    assert history() == []


def test_history_and_tables_fill_the_editor(qtbot: QtBot, panel: SqlPanel) -> None:
    ask(qtbot, panel, "SELECT 1 AS one")
    ask(qtbot, panel, "SELECT 2 AS two")
    assert history() == ["SELECT 2 AS two", "SELECT 1 AS one"]
    next(a for a in panel.past_menu().actions() if a.text() == "SELECT 1 AS one").trigger()
    assert panel.editor.toPlainText() == "SELECT 1 AS one"
    assert [name for name, _ in panel.tables["link"]] == ["card", "category", "link_id", "from_id", "to_id"]
    panel.editor.clear()
    part = next(a.menu() for a in panel.tables_menu().actions() if a.text() == "lane")
    assert part is not None
    part.actions()[1].trigger()  # type: ignore[attr-defined]
    assert panel.editor.toPlainText() == "card"


def test_results_get_columns_that_a_table_can_show() -> None:
    from decimal import Decimal

    one, two = pa.array([1]), pa.array([[1, 2]])
    found = plain(pa.table([one, one, two, pa.array([Decimal(7)])], names=["a", "a", "list", "sum_ns"]))
    assert found.to_pylist() == [{"a": 1, "a (2)": 1, "list": "[1, 2]", "sum_ns": 7}]
    assert [c.kind for c in columns_of(found)] == ["number", "number", "text", "duration"]
    assert [c.kind for c in columns_of(pa.table({"ts_ns": [1], "id": [2], "name": ["x"]}))] == ["stamp", "id", "link"]
