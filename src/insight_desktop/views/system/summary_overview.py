"""Computation/Communication Overview: how ranks or elements spend their time, as stacked bars with ratios, and as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QEvent, QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QStackedWidget, QWidget

from insight_desktop.engine import compare
from insight_desktop.engine.system import summary_rows
from insight_desktop.engine.system.summary_layout import FULL
from insight_desktop.views.common import fonts, number_text, parts
from insight_desktop.views.common.card_selector import SearchBox
from insight_desktop.views.common.chart_axis import Axis
from insight_desktop.views.common.chart_bars import Bars
from insight_desktop.views.common.chart_mixed import MixedChart
from insight_desktop.views.common.compare_table import CompareTable
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system.summary_graph_layout import Group
from insight_desktop.views.system.summary_table import TableBox
from insight_desktop.views.system.summary_words import (
    FOLDED_BARS,
    FOLDED_HIDDEN,
    RATIOS,
    STACK,
    figure,
    group_text,
    spec,
)

_SUMS = (*STACK, "communication_us", "computing_us", "communication_not_overlapped_exclude_receive_us", "e2e_us")
_TEXT_COLUMNS = ("rank", "index", "name", "ranks")


class Overview(QWidget):
    """Filters, chart and table over the rows of `overview`, `folded_overview` or a comparison.

    Signals:
        element_clicked: rank or index of a bar or row.
        filters_changed: group, order or top are others.
    """

    element_clicked = Signal(int)
    filters_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dimension: str = FULL
        self.found = pa.table({})  # rows before group, order and top
        self.shown = pa.table({})  # rows in the order of the bars
        self.pairs: pa.Table | None = None  # a comparison
        self.steps = 1
        self.current = -1  # rank or index
        self.group_label, self.group_box = parts.label(level=2), SearchBox()
        self.order_label, self.order_box = parts.label(level=2), Select()
        self.top_label, self.top_box = parts.label(level=2), Select()
        self.chart = MixedChart(stacked=True)
        self.chart.title_label.hide()  # the tab says it; exported pictures carry it
        self.table = TableBox(rules=dict.fromkeys(_SUMS, "sum"))
        self.pair_table = CompareTable()
        self.pair_box = TableBox(table=self.pair_table)
        self.stack = QStackedWidget()
        for widget in (self.chart, self.table, self.pair_box):
            self.stack.addWidget(widget)
        self._build()
        self._connect()
        self.retranslate()

    def _build(self) -> None:
        self.filters = QWidget()
        row = parts.columns(self.filters, margins=(0, 0, 0, 4), gap=6)
        for label, box in (
            (self.group_label, self.group_box), (self.order_label, self.order_box), (self.top_label, self.top_box),
        ):  # fmt: skip
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
            if box is not self.group_box:
                box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.group_box.setMinimumWidth(130)
        self.top_box.setMinimumWidth(fonts.scaled(112))
        row.addStretch(1)
        self.view_box = Select()
        row.addWidget(self.view_box)
        column = parts.rows(self)
        column.addWidget(self.filters)
        column.addWidget(self.stack, 1)

    def _connect(self) -> None:
        self.group_box.activated.connect(lambda _at: self._filtered())
        self.order_box.activated.connect(lambda _at: self._filtered())
        self.top_box.activated.connect(lambda _at: self._filtered())
        self.view_box.activated.connect(lambda _at: self._show_view())
        self.chart.clicked.connect(lambda _key, at: self._clicked(at))
        self.table.table.current_row_changed.connect(self._row_chosen)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.group_label.setText(tr("Rank Group"))
        self.order_label.setText(tr("Order By"))
        self.top_label.setText(tr("Top"))
        for label, box in (
            (self.group_label, self.group_box),
            (self.order_label, self.order_box),
            (self.top_label, self.top_box),
        ):
            box.setAccessibleName(label.text())
        at = self.view_box.currentIndex()
        with QSignalBlocker(self.view_box):
            self.view_box.clear()
            self.view_box.addItems([tr("Chart"), tr("Table")])
            self.view_box.setCurrentIndex(max(0, at))
        self.view_box.setAccessibleName(tr("Show as"))
        self._fill_orders()
        self._fill_tops()
        if self.found.num_rows:
            self.show_rows(self.found, self.dimension, self.pairs, steps=self.steps)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ---- filters -----------------------------------------------------------------------------------------------------

    def set_groups(self, groups: Iterable[Group], *, only: str | None = None) -> None:
        """Groups that can be chosen: every distinct list of members; `only` keeps those of one name."""
        found = sorted({g.members for g in groups if only is None or g.name == only}, key=lambda m: (m[0], len(m), m))
        current = self.group
        entries = [(tr("All"), ""), *((group_text(members), group_text(members)) for members in found)]
        self.group_box.fill(entries, group_text(current) if current else "")

    @property
    def group(self) -> tuple[int, ...]:
        """Members of the chosen group, empty for all."""
        text = str(self.group_box.currentData() or "")
        return summary_rows.members_of(text) if text else ()

    def choose_group(self, members: Sequence[int]) -> None:
        """Show exactly these; added when the select does not have them. Empty for all."""
        text = group_text(tuple(members)) if members else ""
        at = self.group_box.findData(text)
        with QSignalBlocker(self.group_box):
            if at < 0:
                self.group_box.addItem(text, text)
                at = self.group_box.count() - 1
            self.group_box.setCurrentIndex(at)
        self._filtered()

    @property
    def order(self) -> str:
        """Column that orders, empty for ranks upwards."""
        return str(self.order_box.currentData() or "")

    @property
    def top(self) -> int | None:
        """How many at most, None for all."""
        found = self.top_box.currentData()
        return int(found) if found else None

    def _fill_orders(self) -> None:
        current = self.order
        with QSignalBlocker(self.order_box):
            self.order_box.clear()
            self.order_box.addItem(tr("Rank ID") if self.dimension == FULL else tr("Index"), "")
            for name in self._charted():
                self.order_box.addItem(figure(name), name)
            self.order_box.setCurrentIndex(max(0, self.order_box.findData(current)))

    def _fill_tops(self) -> None:
        count, current = self._members().num_rows, self.top
        with QSignalBlocker(self.top_box):
            self.top_box.clear()
            size = 1
            while size < count:
                self.top_box.addItem(str(size), size)
                size *= 2
            self.top_box.addItem(tr("{0} (All)").format(number_text.count(count)), 0)
            at = self.top_box.findData(current) if current else -1
            self.top_box.setCurrentIndex(at if at >= 0 else self.top_box.count() - 1)

    def _charted(self) -> list[str]:
        names = [*STACK, *RATIOS] if self.dimension == FULL else list(FOLDED_BARS)
        return [n for n in names if n in self.found.column_names]

    def _filtered(self) -> None:
        self._fill_tops()
        self._arrange()
        self.filters_changed.emit()

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def show_rows(self, found: pa.Table, dimension: str, pairs: pa.Table | None = None, *, steps: int = 1) -> None:
        """Rows of all elements, sums of so many steps; `pairs` of `overview_compare` plots the differences instead."""
        self.dimension, self.pairs, self.steps = dimension, pairs, steps
        self.found = compare.side(pairs, "difference") if pairs is not None else found
        self._fill_orders()
        self._fill_tops()
        self._arrange()

    def set_empty(self, title: str, text: str = "") -> None:
        """Words in place of chart and table."""
        self.found = self.shown = pa.table({})
        self.pairs = None
        self.chart.set_empty(title, text)
        self.table.show_rows(pa.table({}), ())
        self.stack.setCurrentWidget(self.chart)

    @property
    def key(self) -> str:
        """Column that names the elements."""
        return "rank" if self.dimension == FULL else "index"

    def _members(self) -> pa.Table:
        """All rows, or exactly those of the group."""
        group = self.group
        if not group or not self.found.num_columns:
            return self.found
        if self.key == "rank":
            return summary_rows.with_members(self.found, group)
        return self.found.filter(pc.is_in(self.found["index"], pa.array(group, pa.int32())))

    def _arrange(self) -> None:
        rows = self._members()
        if not rows.num_columns:
            return
        order = self.order if self.order in rows.column_names else self.key
        self.shown = summary_rows.ordered(rows, order, self.top) if rows.num_rows else rows
        self._show_chart()
        self._show_table()
        self._show_view()
        if self.current not in self._keys():
            self.current = self._keys()[0] if self._keys() else -1
        self.select(self.current)

    def _keys(self) -> list[int]:
        found: list[int] = self.shown[self.key].to_pylist() if self.key in self.shown.column_names else []
        return found

    def _show_chart(self) -> None:
        names = [str(k) for k in self._keys()]
        colours = STACK if self.dimension == FULL else FOLDED_BARS
        bars = [Bars(n, figure(n), self._values(n), c) for n, c in colours.items() if n in self.shown.column_names]
        lines = [Bars(n, figure(n), self._values(n), c) for n, c in RATIOS.items() if n in self.shown.column_names]
        if self.dimension != FULL:
            lines = []
        unit = tr("Time (µs)")
        self.chart.set_data(
            names, bars, lines, left=Axis(unit), right=Axis(tr("Ratio (%)")), unit="µs", decimals=3, line_unit="%",
            line_decimals=3,
        )  # fmt: skip
        if self.dimension != FULL and self.chart.legend.hidden() != FOLDED_HIDDEN:
            self.chart.legend.set_hidden(FOLDED_HIDDEN)
        about = tr("{0} of {1} shown").format(number_text.count(len(names)), number_text.count(self.found.num_rows))
        if self.steps > 1:
            about += " · " + tr("sum of {0} steps").format(number_text.count(self.steps))
        if self.pairs is not None:
            about = tr("comparison − baseline") + " · " + about
        self.chart.set_title(tr("Computation/Communication Overview"), about)
        if not names:
            self.chart.set_empty(tr("No rank has step times here"), tr("Choose another step or group."))

    def _values(self, name: str) -> list[float]:
        values: list[float] = self.shown[name].fill_null(0.0).to_pylist()
        return values

    def _show_table(self) -> None:
        title = tr("Computation/Communication Overview")
        figures = [n for n in self.shown.column_names if n not in _TEXT_COLUMNS and not n.startswith("in_")]
        head = ColumnSpec(self.key, tr("Rank ID") if self.key == "rank" else tr("Index"), kind="id", width=80)
        if self.pairs is not None:
            at = (
                pc.index_in(self.shown[self.key], self.pairs[self.key])
                if self.shown.num_rows
                else pa.array([], pa.int32())
            )
            taken = self.pairs.take(at.drop_null())
            self.pair_table.show_pairs(taken, [head, *map(spec, figures)])
            self.pair_box.set_texts(title, tr("comparison − baseline"))
            return
        texts = [
            ColumnSpec(n, t, width=w)
            for n, t, w in (("name", tr("Name"), 120), ("ranks", tr("Included Ranks"), 110))
            if n in self.shown.column_names
        ]
        self.table.set_texts(title, "", tr("No rank has step times here"))
        self.table.show_rows(self.shown, [head, *texts, *map(spec, figures)])

    def _show_view(self) -> None:
        is_table = self.view_box.currentIndex() == 1
        table = self.pair_box if self.pairs is not None else self.table
        self.stack.setCurrentWidget(table if is_table and not self.chart.is_empty else self.chart)

    def show_as(self, view: str) -> None:
        """`chart` or `table`."""
        self.view_box.setCurrentIndex(1 if view == "table" else 0)
        self._show_view()

    # ---- selection ---------------------------------------------------------------------------------------------------

    def select(self, element: int) -> None:
        """Mark the bar and row of a rank or index; says nothing."""
        self.current = element
        keys = self._keys()
        at = keys.index(element) if element in keys else -1
        self.chart.set_current(at)
        if self.table.table.table.num_rows == len(keys):
            with QSignalBlocker(self.table.table):
                self.table.table.select_row(at)

    def _clicked(self, at: int) -> None:
        keys = self._keys()
        if 0 <= at < len(keys):
            self.select(keys[at])
            self.element_clicked.emit(keys[at])

    def _row_chosen(self, row: int) -> None:
        keys = self._keys()
        if 0 <= row < len(keys) and keys[row] != self.current:
            self.current = keys[row]
            self.chart.set_current(row)
            self.element_clicked.emit(self.current)

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Group, order, top, and whether the table is shown."""
        return {
            "group": list(self.group), "order": self.order, "top": self.top,
            "view": "table" if self.view_box.currentIndex() == 1 else "chart",
        }  # fmt: skip

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave."""
        self.show_as(str(state.get("view") or "chart"))
        for box, value in ((self.order_box, state.get("order")), (self.top_box, state.get("top"))):
            at = box.findData(value) if value else -1
            if at >= 0:
                box.setCurrentIndex(at)
        group = state.get("group")
        if isinstance(group, list) and all(isinstance(r, int) for r in group):
            self.choose_group(group)
