"""Ranks and groups that the others wait for: the slow elements by their groups, and the stragglers step by step."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QStackedWidget, QTabBar, QWidget

from insight_desktop.views.common import parts
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system.summary_table import TableBox

WAITS = {
    "dp_us": QT_TRANSLATE_NOOP("insight", "DP-Average communication time difference"),
    "cp_us": QT_TRANSLATE_NOOP("insight", "CP-Average communication time difference"),
    "tp_us": QT_TRANSLATE_NOOP("insight", "TP-Communication time difference"),
}
LABEL = "label"
_WAIT_COLUMNS = (
    ColumnSpec("waiter", QT_TRANSLATE_NOOP("insight", "Rank ID"), kind="id", width=70),
    ColumnSpec("wait_ms", QT_TRANSLATE_NOOP("insight", "Waited"), unit="ms", kind="number", decimals=3),
    ColumnSpec("times", QT_TRANSLATE_NOOP("insight", "Times"), kind="count"),
    ColumnSpec("longest_ms", QT_TRANSLATE_NOOP("insight", "Longest wait"), unit="ms", kind="number", decimals=3),
    ColumnSpec("op", QT_TRANSLATE_NOOP("insight", "In operator"), width=200),
    ColumnSpec("group", QT_TRANSLATE_NOOP("insight", "Communication Group"), width=150),
    ColumnSpec("step", QT_TRANSLATE_NOOP("insight", "Step||training"), width=60),
)


class SlowBox(QFrame):
    """Tabs over the two lists.

    Signals:
        element_clicked: index of a slow element.
        rank_clicked: rank of a straggler.
        rank_activated: the same, double-clicked.
    """

    element_clicked = Signal(int)
    rank_clicked = Signal(int)
    rank_activated = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs = QTabBar()
        self.tabs.setObjectName("panel")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.slow, self.stragglers = TableBox(filter_row=False), TableBox(filter_row=False)
        self.waits = TableBox(_WAIT_COLUMNS, filter_row=False)
        self.stack = QStackedWidget()
        self.slow_rows: list[dict[str, Any]] = []
        self.straggler_rows: list[dict[str, Any]] = []
        column = parts.rows(self)
        column.addWidget(self.tabs)
        column.addWidget(self.stack, 1)
        for box in (self.slow, self.stragglers, self.waits):
            self.stack.addWidget(box)
            self.tabs.addTab("")
        self.tabs.currentChanged.connect(self.stack.setCurrentIndex)
        self.slow.table.current_row_changed.connect(self._slow_chosen)
        self.stragglers.table.current_row_changed.connect(lambda row: self._rank(row, self.rank_clicked))
        self.stragglers.table.row_activated.connect(lambda row: self._rank(row, self.rank_activated))
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.tabs.setTabText(0, tr("Slow ranks and groups"))
        self.tabs.setTabText(1, tr("Stragglers"))
        self.tabs.setTabText(2, tr("Who waited"))
        self.stragglers.set_texts(
            tr("Stragglers"), tr("ranks by the time that others waited for them"), tr("No rank makes others wait.")
        )

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def show_slow(self, found: pa.Table) -> None:
        """Rows of `slow_ranks`."""
        self.slow_rows = found.to_pylist()
        waits = [n for n in WAITS if n in found.column_names and found[n].null_count < found.num_rows]
        is_rank = "tp_us" in waits
        title = tr("Top 3 Slow Ranks") if is_rank else tr("Top 3 Slow Groups")
        labels = [label_of(row) for row in self.slow_rows]
        shown = found.append_column(LABEL, pa.array(labels, pa.string()))
        columns = [ColumnSpec(LABEL, title, width=min(190, max(124, 30 + 7 * max(map(len, labels), default=0))))]
        columns += [ColumnSpec(n, tr(WAITS[n]), unit="µs", kind="number", decimals=3) for n in waits]
        if len(waits) > 1:
            columns.append(ColumnSpec("total_us", tr("Total"), unit="µs", kind="number", decimals=3))
        self.slow.set_texts(
            title, tr("shortest communication: the others wait for them"), tr("There is no obviously slow card.")
        )
        self.slow.show_rows(shown, columns)

    def show_no_slow(self, why: str) -> None:
        """There is no list: why."""
        self.slow_rows = []
        self.slow.set_texts(tr("Top 3 Slow Groups"), "", why)
        self.slow.show_rows(pa.table({LABEL: pa.array([], pa.string())}), [ColumnSpec(LABEL, tr("Name"))])

    def show_stragglers(self, found: pa.Table, columns: list[ColumnSpec]) -> None:
        """Ranks with their evidence."""
        self.straggler_rows = found.to_pylist()
        self.stragglers.show_rows(found, columns)

    def show_no_stragglers(self, why: str) -> None:
        """There is no list: why."""
        self.straggler_rows = []
        self.stragglers.set_texts(tr("Stragglers"), "", why)
        self.stragglers.show_rows(pa.table({LABEL: pa.array([], pa.string())}), [ColumnSpec(LABEL, tr("Rank ID"))])

    def show_waits(self, rank: int, found: pa.Table | None, why: str = "") -> None:
        """Rows of `straggler_waits`: who waited for a rank; None with the reason why there are none."""
        title = tr("Who waited for rank {0}").format(rank) if rank >= 0 else tr("Who waited")
        self.waits.set_texts(title, "", why or tr("Nobody waited for this rank."))
        self.waits.show_rows(found if found is not None else pa.table({c.name: pa.array([]) for c in _WAIT_COLUMNS}))

    def _slow_chosen(self, row: int) -> None:
        if 0 <= row < len(self.slow_rows):
            self.element_clicked.emit(self.slow_rows[row]["index"])

    def _rank(self, row: int, signal: Any) -> None:
        if 0 <= row < len(self.straggler_rows):
            signal.emit(int(self.straggler_rows[row]["rank"]))


def label_of(row: dict[str, Any]) -> str:
    """`dp1-pp1 number(3)`."""
    return tr("{0} number({1})").format(row["name"], row["index"]).strip()
