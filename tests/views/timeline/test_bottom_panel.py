"""The bottom panel, the figures of a range, and the table of hits."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QTranslator
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from insight_desktop.engine.store import Store
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.timeline.bottom_panel import BottomPanel
from insight_desktop.views.timeline.search_results import Question, answer

MS = 1_000_000


@pytest.fixture
def panel(qtbot: QtBot, two_cards: Store) -> BottomPanel:
    found = BottomPanel(Context(two_cards))
    qtbot.addWidget(found)
    found.resize(1000, 260)
    found.show()
    return found


def test_tabs_open_close_and_are_remembered(qtbot: QtBot, panel: BottomPanel, two_cards: Store) -> None:
    assert [panel.tabs.tabText(i) for i in range(panel.tabs.count())] == [
        "Slice Detail", "Slice List", "Selection", "System View", "Find",
    ]  # fmt: skip
    panel.show_tab("selection")
    qtbot.keyClick(panel, Qt.Key.Key_Q)
    assert not panel.is_open()
    state = panel.view_state()
    other = BottomPanel(Context(two_cards))
    qtbot.addWidget(other)
    other.restore_state(state)
    assert (other.current(), other.is_open()) == ("selection", False)
    other.restore_state({"tab": "gone", "open": True})
    assert (other.current(), other.is_open()) == ("selection", True)


def test_q_closes_the_panel_from_inside_its_tables_too(qtbot: QtBot, panel: BottomPanel, two_cards: Store) -> None:
    panel.show_answer(answer(two_cards, question=Question("aten")))
    panel.find_panel.table.setFocus()
    qtbot.keyClick(panel.find_panel.table, Qt.Key.Key_Q)
    assert not panel.is_open()
    panel.toggle()
    qtbot.keyClick(panel.detail.args.tree, Qt.Key.Key_Q)
    assert not panel.is_open()


def test_a_range_shows_lanes_totals_and_the_status_texts(qtbot: QtBot, panel: BottomPanel) -> None:
    with qtbot.waitSignal(panel.ranges.summary_changed) as told:
        panel.ranges.show_range("Card 0", [0], [], MS // 4, 2 * MS + MS // 4)
    # 0.25 + 0.5 + 0.25 ms of three slices in 2 ms; idle 0.5 ms twice.
    assert told.args[0] == [
        "Range 2.000 ms", "1 lane", "3 slices", "sum 1.000 ms", "busy 1.000 ms (50.0 %)", "longest gap 500.000 µs",
    ]  # fmt: skip
    assert panel.ranges.lanes.table.column("sum_ns").to_pylist() == [MS]
    assert panel.ranges.title.text() == "00:00.000.250.000 – 00:00.002.250.000 · Card 0"


def test_whole_slices_use_full_lengths(qtbot: QtBot, panel: BottomPanel) -> None:
    with qtbot.waitSignal(panel.ranges.summary_changed):
        panel.ranges.show_range("Card 0", [0], [], MS // 4, 2 * MS + MS // 4)
    with qtbot.waitSignal(panel.ranges.summary_changed) as told:
        panel.ranges.whole.setChecked(True)
    assert told.args[0][2:4] == ["3 slices", "sum 1.500 ms"]


@pytest.mark.row("system-timeline", 102)
def test_counters_of_a_range_have_extremes_mean_and_integral(qtbot: QtBot, panel: BottomPanel) -> None:
    with qtbot.waitSignal(panel.ranges.summary_changed):
        panel.ranges.show_range("Card 0", [], [0], MS, 4 * MS)
    # 2 for 1 ms, then 4 for 2 ms.
    row = panel.ranges.counters.row(0)
    assert (row["min"], row["max"], row["delta"], row["values"]) == (2.0, 4.0, 2.0, 1)
    assert row["mean"] == pytest.approx(10 / 3)
    assert row["integral"] == pytest.approx(0.010)
    panel.ranges.copy()
    assert "Read\tGB/s\t\t1\t2\t4\t3.33" in QGuiApplication.clipboard().text()


def test_no_range_explains_what_to_do(qtbot: QtBot, panel: BottomPanel) -> None:
    with qtbot.waitSignal(panel.ranges.summary_changed) as told:
        panel.ranges.clear()
    assert told.args[0] == []
    assert panel.ranges._empty.texts()[0] == "No range selected"


@pytest.mark.row("system-timeline", 86)
def test_find_lists_the_hits_longest_first_and_rows_jump(qtbot: QtBot, panel: BottomPanel, two_cards: Store) -> None:
    jumps: list[Jump] = []
    panel.context.jump.connect(jumps.append)
    panel.show_answer(answer(two_cards, question=Question("aten")))
    assert panel.current() == "find"
    shown = panel.find_panel.table.shown_table().to_pylist()
    assert [(r["card"], r["name"], r["dur_ns"]) for r in shown] == [
        ("Card 1", "aten::add", 2 * MS), ("Card 0", "aten::add", MS // 2), ("Card 0", "aten::add_", MS // 2),
    ]  # fmt: skip
    panel.find_panel.table.selectRow(0)
    qtbot.keyClick(panel.find_panel.table, Qt.Key.Key_Return)
    assert jumps == [Jump("Card 1", slice_id=0, start_ns=MS, end_ns=3 * MS, track=0)]


def test_an_answer_without_hits_says_what_was_searched(panel: BottomPanel, two_cards: Store) -> None:
    panel.show_answer(answer(two_cards, question=Question("zzz")))
    assert panel.find_panel._empty.texts() == ("Nothing found", "No name on the chosen cards matches “zzz”.")


class _Marks(QTranslator):
    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str:
        return f"«{text}»"


def test_another_language_changes_all_texts_at_once(qtbot: QtBot, panel: BottomPanel, two_cards: Store) -> None:
    panel.show_slice("Card 0", 0)
    panel.show_answer(answer(two_cards, question=Question("zzz")))
    qtbot.waitUntil(lambda: bool(panel.detail.facts.facts))
    marks = _Marks()
    QCoreApplication.installTranslator(marks)
    try:
        qtbot.waitUntil(lambda: panel.tabs.tabText(0) == "«Slice Detail»")
        links = panel.detail.links.model()
        assert links.headerData(4, Qt.Orientation.Horizontal) == "«Distance» (µs)"
        assert "«Wall Duration»" in panel.detail.facts.toPlainText()
        assert panel.ranges.whole.text() == "«Whole slices»"
        assert panel.find_panel._empty.texts()[0] == "«Nothing found»"
        assert panel.close_button.accessibleName() == "«Close panel»"
    finally:
        QCoreApplication.removeTranslator(marks)
    qtbot.waitUntil(lambda: panel.tabs.tabText(0) == "Slice Detail")


def test_data_that_go_away_empty_the_panels(qtbot: QtBot, panel: BottomPanel, two_cards: Store) -> None:
    panel.show_slice("Card 1", 0)
    panel.ranges.show_range("Card 1", [0], [], 0, MS)
    qtbot.waitUntil(lambda: bool(panel.detail.facts.facts))
    two_cards.remove("Card 1")
    panel.context.store_changed.emit()
    assert panel.detail.shown is None
    assert panel.ranges.choice is None
