"""Times per rank: the table with the operators of a rank beside it, two jobs compared, and the chart in the table's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from insight_desktop.engine.system import communication as queries
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.chart_axis import Axis
from insight_desktop.views.common.chart_mixed import Bars, MixedChart
from insight_desktop.views.common.compare_table import CompareTable
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system import communication_columns as columns
from insight_desktop.views.system import communication_compare
from insight_desktop.views.system.communication_choice import Choice
from insight_desktop.views.system.communication_table import LinkTable, TableBox

_BARS = ("elapse_ms", "transit_ms", "sync_ms", "wait_ms")
_LINES = ("sync_ratio", "wait_ratio")
_VALUES = tuple(spec.name for spec in columns.FIGURES)


class RankCompare(CompareTable):
    """Differences per rank; the sides below them lead to the operators of their job."""

    def _words(self, column: str, row: int, value: Any) -> str | None:
        side, _pair = self._side(row)
        if column == "details" and side:
            return tr("Operators")
        if column in _VALUES and side == 0 and value is not None:
            return number_text.signed(value, 4)
        return super()._words(column, row, value)

    def side_of(self, row: int) -> tuple[int, int]:
        """0, 1, 2 for difference, baseline, comparison; and the number of the pair."""
        return self._side(row)


class DurationPanel(QSplitter):
    """The table of times and, beside it, the operators of one rank.

    Signals:
        rank_chosen: the rank of the current row.
        packets_wanted: rank whose packets shall be shown.
        timeline_wanted: rank, operator, start, side (1: baseline) that the Timeline shall show.
        operator_wanted: rank and operator that the thumbnails shall show.
        shown: other rows are there, or another order.
    """

    rank_chosen = Signal(int)
    packets_wanted = Signal(int)
    timeline_wanted = Signal(int, str, object, int)
    operator_wanted = Signal(int, str)
    shown = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.context = context
        self._asker = Asker(context, self)
        self.choice: Choice | None = None
        self.opened: tuple[int, int] | None = None  # rank and side whose operators are listed
        self.table, self.compared, self.operators = (
            LinkTable(columns.DURATIONS),
            RankCompare(),
            LinkTable(columns.OPERATORS),
        )
        self.table_box = TableBox(context, self.table, totals={})
        self.compare_box = TableBox(context, self.compared)
        self.operator_box = TableBox(context, self.operators, totals={}, closable=self.close_operators)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.table_box)
        self.stack.addWidget(self.compare_box)
        self.addWidget(self.stack)
        self.addWidget(self.operator_box)
        self.operator_box.hide()
        self.setChildrenCollapsible(False)
        self.setHandleWidth(10)
        self.setObjectName("panels")
        self.setSizes([600, 600])
        self.table.link_words = lambda column, _row: (
            tr("see more") if column == columns.PACKETS or self._has_operators else ""
        )
        self.operators.link_words = self._operator_words
        self.table.link_clicked.connect(self._link)
        self.table.row_activated.connect(lambda row: self.open_operators(self._rank(self.table, row)))
        self.table.current_row_changed.connect(self._row_chosen)
        self.table.rows_changed.connect(lambda _shown, _all: self._rows_changed())
        self.compared.row_activated.connect(self._side_activated)
        self.compared.rows_changed.connect(lambda _shown, _all: self.shown.emit())
        self.operators.link_clicked.connect(self._operator_link)
        self.operators.row_activated.connect(lambda row: self._operator_link(columns.THUMBNAIL, row))
        self.operators.rows_changed.connect(self._operators_changed)
        self.retranslate()

    @property
    def _has_operators(self) -> bool:
        return self.choice is not None and self.choice.is_total

    def retranslate(self) -> None:
        """Texts in the current language."""
        about = self.choice.text if self.choice is not None else ""
        for box in (self.table_box, self.compare_box):
            box.set_title(tr("Communication time per rank"), about)
        if self.opened is not None:
            self.operator_box.set_title(tr("Operators of rank {0}").format(self.opened[0]), self._side_text())

    def _side_text(self) -> str:
        if self.opened is None or self.choice is None or not self.choice.is_compared:
            return ""
        return tr("Baseline") if self.opened[1] else tr("Comparison")

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            means(self.table_box, self.table, "rank")
            self._operators_changed()
        super().changeEvent(event)

    # ---- rows --------------------------------------------------------------------------------------------------------

    def show_choice(self, choice: Choice) -> None:
        """Ask for the times of a choice; the operators of the open rank are asked anew."""
        self.choice = choice
        self.retranslate()
        self.stack.setCurrentWidget(self.compare_box if choice.is_compared else self.table_box)
        for query in (queries.durations, communication_compare.durations):
            self._asker.forget(query)
        if choice.is_compared:
            self.compare_box.wait()
            self._asker.ask(
                communication_compare.durations,
                then=self._show_pairs,
                failed=self.compare_box.show_error,
                choice=choice,
            )
        else:
            self.table_box.wait()
            self._asker.ask(
                queries.durations, then=self._show_rows, failed=self._failed, op=choice.op, **choice.arguments()
            )
        if not choice.is_total or (self.opened is not None and not choice.is_compared and self.opened[1]):
            self.close_operators()
        elif self.opened is not None:
            self.open_operators(*self.opened)

    def _failed(self, error: InsightError) -> None:
        self.table_box.show_error(error)
        self.shown.emit()

    def _show_rows(self, table: pa.Table) -> None:
        blank = pa.array([""] * table.num_rows, pa.string())
        table = table.append_column(columns.PACKETS, blank).append_column(columns.DETAILS, blank)
        choice = self.choice
        self.table_box.show_table(table, empty=_nothing(choice) if choice is not None else "")

    def _show_pairs(self, found: pa.Table) -> None:
        self.compared.set_empty_text(tr("Nothing to compare."))
        self.compared.show_pairs(found, columns.COMPARED)
        self.shown.emit()

    def _rows_changed(self) -> None:
        means(self.table_box, self.table, "rank")
        self.shown.emit()

    def _operators_changed(self) -> None:
        means(self.operator_box, self.operators, "name")

    @staticmethod
    def _rank(table: ArrowTable, row: int) -> int:
        return int(table.row(row)["rank"])

    def rows(self) -> list[dict[str, Any]]:
        """The rows as they are shown, filtered and in order; differences when two jobs are compared."""
        if self.choice is not None and self.choice.is_compared:
            shown = self.compared.shown_rows()
            order = (
                range(self.compared.pairs) if shown is None else [r for r in shown.tolist() if r < self.compared.pairs]
            )
            return list(self.compared.table.take(pa.array(list(order), pa.int64())).to_pylist())
        table, shown = self.table.table, self.table.shown_rows()
        return list((table if shown is None else table.take(pa.array(shown))).to_pylist())

    def select_rank(self, rank: int) -> None:
        """Make the row of a rank current."""
        ranks = self.table.table["rank"].to_pylist()
        if rank in ranks:
            self.table.select_row(ranks.index(rank))

    def _row_chosen(self, row: int) -> None:
        if row >= 0:
            self.rank_chosen.emit(self._rank(self.table, row))

    def _link(self, column: str, row: int) -> None:
        rank = self._rank(self.table, row)
        if column == columns.PACKETS:
            self.packets_wanted.emit(rank)
        elif self._has_operators:
            self.open_operators(rank)

    def _side_activated(self, row: int) -> None:
        side, pair = self.compared.side_of(row)
        if side:
            self.open_operators(self._rank(self.compared, pair), 1 if side == 1 else 0)

    # ---- operators of a rank -----------------------------------------------------------------------------------------

    def open_operators(self, rank: int, side: int = 0) -> None:
        """List the operators of a rank, of the baseline with side 1."""
        choice = self.choice
        if choice is None or not choice.is_total:
            return
        self.opened = (rank, side)
        self.operator_box.show()
        self.operator_box.wait()
        self.retranslate()
        self._asker.ask(
            communication_compare.rank_operators, then=self._show_operators, failed=self.operator_box.show_error,
            choice=choice, rank=rank, side=side,
        )  # fmt: skip

    def close_operators(self) -> None:
        """Close the list of operators."""
        self._asker.forget(communication_compare.rank_operators)
        self.opened = None
        self.operator_box.hide()

    def _show_operators(self, table: pa.Table) -> None:
        blank = pa.array([""] * table.num_rows, pa.string())
        table = table.append_column(columns.TIMELINE, blank).append_column(columns.THUMBNAIL, blank)
        self.operator_box.show_table(table, empty=tr("This rank has no operators in this step and group."))

    @staticmethod
    def _operator_words(column: str, _row: int) -> str:
        return tr("Show in Timeline") if column == columns.TIMELINE else tr("Show in Communication")

    def _operator_link(self, column: str, row: int) -> None:
        if self.opened is None:
            return
        rank, side = self.opened
        found = self.operators.row(row)
        if column == columns.TIMELINE:
            self.timeline_wanted.emit(rank, found["name"], found["start_ns"], side)
        else:
            self.operator_wanted.emit(rank, found["name"])

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Orders, filters, hidden columns and the open rank."""
        return {
            "table": self.table.view_state(), "operators": self.operators.view_state(),
            "opened": list(self.opened) if self.opened is not None else None,
        }  # fmt: skip

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave."""
        self.table.restore_state(state.get("table") or {})
        self.operators.restore_state(state.get("operators") or {})
        opened = state.get("opened")
        if isinstance(opened, list) and len(opened) == 2:
            self.opened = int(opened[0]), int(opened[1])


class TimeChart(MixedChart):
    """Times of the ranks as bars, ratios as lines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.ranks: tuple[int, ...] = ()
        self._rows: Sequence[dict[str, Any]] = ()
        self._choice: Choice | None = None

    def show_rows(self, rows: Sequence[dict[str, Any]], choice: Choice) -> None:
        """The rows of the table in its order; differences when two jobs are compared."""
        self._rows, self._choice = rows, choice
        self.ranks = tuple(row["rank"] for row in rows)
        titles = {spec.name: tr(spec.title) for spec in columns.FIGURES}
        self.set_title(tr("Visualized Communication Time"), choice.text)
        if not rows:
            self.set_empty(tr("No rows"), _nothing(choice))
            return
        self.set_data(
            [str(rank) for rank in self.ranks],
            [Bars(name, titles[name], [row[name] for row in rows]) for name in _BARS],
            [Bars(name, titles[name], [row[name] for row in rows]) for name in _LINES],
            left=Axis(tr("Time (ms)")), right=Axis(tr("Ratio")), unit="ms", decimals=4,
        )  # fmt: skip

    def show_error(self, error: InsightError) -> None:
        """No bars, and why."""
        self.set_empty(say(error.message), say(error.fix))

    def select_rank(self, rank: int) -> None:
        """Mark the bars of a rank."""
        self.set_current(self.ranks.index(rank) if rank in self.ranks else -1)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and getattr(self, "_choice", None) is not None:
            assert self._choice is not None
            self.show_rows(self._rows, self._choice)
        super().changeEvent(event)


def means(box: TableBox, table: ArrowTable, first: str) -> None:
    """The row below a table: the mean of every figure over the rows that are shown."""
    if box.totals is None:
        return
    shown = table.shown_rows()
    rows = table.table if shown is None else table.table.take(pa.array(shown))
    values: dict[str, Any] = {}
    if rows.num_rows:
        specs: dict[str, ColumnSpec] = {s.name: s for s in table.columns}
        values = {n: float(np.nanmean(rows[n].to_numpy())) for n in _VALUES if n in specs}
        values[first] = tr("Mean")
    box.totals.set_values(values, tr("Mean"))


def _nothing(choice: Choice) -> str:
    return tr("Step {0} has no operators of {1}.").format(choice.step, choice.group.short)
