"""The lower panel of the Memory page: allocations, static operators, components, or their differences between two cards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit, QStackedWidget, QWidget

from insight_desktop.views.common import fonts, icons, number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.compare_table import CompareTable
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system.memory_texts import COMPONENTS, OPERATION, OPERATORS, STATIC

_HEAD = 34
_LIMITS = (-2_147_483_648, 4_294_967_295)


class RowsTable(ArrowTable):
    """Rows whose button column stays out of copies and exports."""

    def shown_columns(self) -> list[ColumnSpec]:
        return [spec for spec in super().shown_columns() if spec.name != OPERATION]


class SearchRow(QWidget):
    """Name, Min Size(KB), Max Size(KB), Query, Reset: the filters of static graphs and of comparisons.

    Signals:
        wanted: after Query, Enter or Reset.
        refused: why the fields cannot be used.
    """

    wanted = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._prefill: tuple[int | None, int | None] = (None, None)
        self.name, self.low, self.high = QLineEdit(), QLineEdit(), QLineEdit()
        self._labels = [parts.label() for _ in range(3)]
        self.query = parts.button("", click=self._ask)
        self.reset = parts.button("", click=self.restore)
        row = parts.columns(self, margins=(10, 5, 10, 5), gap=6)
        for label, field in zip(self._labels, (self.name, self.low, self.high), strict=True):
            row.addWidget(label)
            row.addWidget(field)
            field.setMaximumWidth(240 if field is self.name else 120)
            field.returnPressed.connect(self._ask)
            label.setBuddy(field)
        row.addWidget(self.query)
        row.addWidget(self.reset)
        row.addStretch(1)
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        for label, text in zip(self._labels, (tr("Name"), tr("Min Size(KB)"), tr("Max Size(KB)")), strict=True):
            label.setText(text)
        self.query.setText(tr("Query"))
        self.reset.setText(tr("Reset"))

    def prefill(self, low: int | None, high: int | None) -> None:
        """Bounds of the data, which Reset writes again."""
        self._prefill = low, high
        self._write(low, high)

    def _write(self, low: int | None, high: int | None) -> None:
        self.low.setText("" if low is None else str(low))
        self.high.setText("" if high is None else str(high))

    def restore(self) -> None:
        """No name, the bounds of the data."""
        self.name.clear()
        self._write(*self._prefill)
        self.wanted.emit()

    def _ask(self) -> None:
        try:
            low, high = self.bounds()
        except ValueError:
            self.refused.emit(tr("The sizes must be whole numbers."))
            return
        if low is not None and high is not None and high < low:
            self.refused.emit(tr("The maximum size cannot be smaller than the minimum size."))
            return
        self.wanted.emit()

    def bounds(self) -> tuple[int | None, int | None]:
        """Smallest and largest size; ValueError when one is not a whole number."""
        found = []
        for field in (self.low, self.high):
            text = field.text().strip()
            found.append(max(_LIMITS[0], min(_LIMITS[1], int(text))) if text else None)
        return found[0], found[1]

    def filters(self) -> dict[str, Any]:
        """What is asked for: name, low, high; bounds that are those of the data filter nothing."""
        try:
            low, high = self.bounds()
        except ValueError:
            low, high = None, None
        first, last = self._prefill
        return {
            "name": self.name.text().strip() or None,
            "low": None if low is None or (first is not None and low <= first) else low,
            "high": None if high is None or (last is not None and high >= last) else high,
        }


class MemoryDetails(QFrame):
    """Head, filters, table and a line of sums.

    Signals:
        only_inside_changed: the check box of the interval rule.
        range_dropped: the cross behind the interval.
        reset_wanted: Reset: check box, filters, order.
        search_wanted: the fields of the search row were used.
        slice_wanted: row of the table of allocations to show in the Timeline.
        row_hovered: row of the table of allocations under the mouse, -1 for none.
        collapsed_changed: True when only the head is left.
        refused: why a field cannot be used.
        rows_changed: (shown, all) of the visible table.
    """

    only_inside_changed = Signal(bool)
    range_dropped = Signal()
    reset_wanted = Signal()
    search_wanted = Signal()
    slice_wanted = Signal(int)
    row_hovered = Signal(int)
    collapsed_changed = Signal(bool)
    refused = Signal(str)
    rows_changed = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self.operators, self.static = RowsTable(columns=OPERATORS), ArrowTable(columns=STATIC, filter_row=False)
        self.components = ArrowTable(columns=COMPONENTS, filter_row=False)
        self.compared = CompareTable()
        self.search = SearchRow()
        self.stack = QStackedWidget()
        self._build_head()
        self.all_operators = 0  # of the card, whatever the interval
        self.foot = parts.label(strong=True)
        self.foot.setContentsMargins(10, 4, 10, 5)
        column = parts.rows(self, margins=(1, 1, 1, 1))
        column.addWidget(self.head)
        self.body = QWidget()
        inner = parts.rows(self.body)
        inner.addWidget(parts.line())
        inner.addWidget(self.search)
        inner.addWidget(self.stack, 1)
        inner.addWidget(parts.line())
        inner.addWidget(self.foot)
        column.addWidget(self.body, 1)
        for table in self.tables:
            table.setProperty("edge", "none")
            self.stack.addWidget(table)
            table.rows_changed.connect(lambda _shown, _all, table=table: self._tell(table))
        self._connect()
        self.body.setMinimumHeight(150)
        self.show_table(self.operators)
        self.retranslate()

    @property
    def tables(self) -> tuple[ArrowTable, ...]:
        """All tables of the panel."""
        return self.operators, self.static, self.components, self.compared

    @property
    def table(self) -> ArrowTable:
        """The visible table."""
        found = self.stack.currentWidget()
        return found if isinstance(found, ArrowTable) else self.operators

    def _build_head(self) -> None:
        self.caret = parts.icon_button("caret-down", click=lambda: self.set_collapsed(not self.is_collapsed))
        self.title = parts.label(strong=True)
        self.interval = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.interval.setProperty("level", "2")
        self.drop = parts.icon_button("x", click=self.range_dropped.emit)
        self.only_inside = QCheckBox()
        self.jump = parts.button("", "arrow-square-out", flat=True, click=self._jump)
        self.reset = parts.button("", flat=True, click=self.reset_wanted.emit)
        self.copy_button = parts.icon_button("copy", click=self.copy)
        self.export_button = parts.icon_button("download-simple", click=lambda: self.table.export_dialog())
        self.head = QWidget()
        self.head.setObjectName("surface")
        parts.keep_least_height(self.head, _HEAD)
        row = parts.columns(self.head, margins=(6, 2, 6, 2), gap=8)
        for widget in (self.caret, self.title, self.drop):
            row.addWidget(widget)
        row.addWidget(self.interval, 1)
        for button in (self.only_inside, self.jump, self.reset, self.copy_button, self.export_button):
            row.addWidget(button)

    def _connect(self) -> None:
        self.only_inside.toggled.connect(self.only_inside_changed)
        self.search.wanted.connect(self.search_wanted)
        self.search.refused.connect(self.refused)
        self.operators.row_activated.connect(self.slice_wanted)
        self.operators.current_row_changed.connect(lambda row: self.jump.setEnabled(row >= 0))
        self.operators.entered.connect(self._entered)
        self.operators.viewport().installEventFilter(self)
        self.jump.setEnabled(False)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(tr("Memory Allocation/Release Details"))
        self.only_inside.setText(tr("Only show allocated or released within the selected interval"))
        self.jump.setText(tr("Show in Timeline"))
        self.reset.setText(tr("Reset"))
        parts.set_tip(self.drop, tr("Drop the interval"))
        parts.set_tip(self.caret, tr("Collapse or expand"))
        parts.set_tip(self.copy_button, tr("Copy table"))
        parts.set_tip(self.export_button, tr("Export table"))
        self.search.retranslate()
        self._tell(self.table)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def show_table(self, table: ArrowTable, *, searchable: bool = False) -> None:
        """Show one of the tables, with or without the search row."""
        self.stack.setCurrentWidget(table)
        self.search.setVisible(searchable)
        has_rule = table is self.operators or (table is self.compared and searchable)
        self.only_inside.setVisible(has_rule)
        self.jump.setVisible(table is self.operators)
        self.reset.setVisible(table is self.operators)
        self._tell(table)

    def show_operators(self, found: pa.Table) -> None:
        """Allocations as `system.memory.operators` gives them."""
        text = pa.array([tr("Show in Timeline")])
        caption = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int8()), found.num_rows), text)
        self.operators.show_table(found.append_column(OPERATION, caption))
        self.operators.scrollToTop()

    def show_pairs(self, found: pa.Table, columns: Sequence[ColumnSpec], times: Collection[str]) -> None:
        """Differences between two cards."""
        self.compared.show_pairs(found, columns, times=times)

    def show_interval(self, text: str) -> None:
        """The chosen interval; empty for none."""
        self.interval.set_text(text)
        self.drop.setVisible(bool(text))

    def reset_all(self) -> None:
        """Clear check box, column filters and order."""
        self.only_inside.setChecked(False)
        self.operators.set_filters({})
        self.operators.sort_by(None)

    def set_collapsed(self, collapsed: bool) -> None:
        """Leave only the head, or bring the table back."""
        if collapsed == self.is_collapsed:
            return
        self.body.setVisible(not collapsed)
        self.setMaximumHeight(fonts.scaled(_HEAD) + 2 if collapsed else 16_777_215)
        icons.put(self.caret, "caret-right" if collapsed else "caret-down")
        self.collapsed_changed.emit(collapsed)

    @property
    def is_collapsed(self) -> bool:
        """Only the head is left."""
        return self.body.isHidden()

    # ---- sums, copying -----------------------------------------------------------------------------------------------

    def _tell(self, table: ArrowTable) -> None:
        """The line of sums; where it belongs to another table than the visible one nothing changes."""
        if table is not self.table:
            return
        shown = table.model().rowCount()
        every = self.compared.pairs if table is self.compared else table.table.num_rows
        if table is self.operators:
            every = max(every, self.all_operators)
        if table is self.compared:
            text = tr("{0} differences").format(number_text.count(every))
        else:
            text = tr("{0} of {1} rows").format(number_text.count(shown), number_text.count(every))
        if table is self.operators and shown:
            total = number_text.number(self.sum_kb(), 1)
            sum_text = tr("Size sum {0} KB").format(total)
            text = f"{text}    {sum_text}"
        self.foot.setText(text)
        self.rows_changed.emit(shown, every)

    def sum_kb(self) -> float:
        """Sum of the sizes of the rows of allocations that pass the filters."""
        table = self.operators
        column = table.shown_table().column("size_kb") if "size_kb" in table.table.column_names else None
        return float(pc.sum(column).as_py() or 0.0) if column is not None else 0.0

    def copy(self) -> None:
        """Put what is shown on the clipboard: every title and cell followed by a tab."""
        QGuiApplication.clipboard().setText(page_text(self.table))

    # ---- rows --------------------------------------------------------------------------------------------------------

    def _jump(self) -> None:
        row = self.operators.current_row()
        if row >= 0:
            self.slice_wanted.emit(row)

    def _entered(self, index: QModelIndex) -> None:
        rows = self.operators.model()
        source = getattr(rows, "source_row", None)
        self.row_hovered.emit(source(index.row()) if callable(source) else -1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.row_hovered.emit(-1)
        return super().eventFilter(watched, event)


def page_text(table: ArrowTable) -> str:
    """What a table shows as text: a tab behind every cell, cells with tab, line end or quote in quotes."""
    specs = table.shown_columns()
    model = table.model()
    places = {spec.name: i for i, spec in enumerate(table.columns)}
    lines = ["".join(f"{_copied(s.heading())}\t" for s in specs)]
    for row in range(model.rowCount()):
        cells = (
            str(model.data(model.index(row, places[s.name]), Qt.ItemDataRole.DisplayRole) or "").replace(",", "")
            if not s.is_text
            else str(model.data(model.index(row, places[s.name]), Qt.ItemDataRole.DisplayRole) or "")
            for s in specs
        )
        lines.append("".join(f"{_copied(cell)}\t" for cell in cells))
    return "".join(f"{line}\n" for line in lines)


def _copied(text: str) -> str:
    if any(c in text for c in '\t\n"'):
        return '"' + text.replace('"', '""') + '"'
    return text.replace(number_text.MINUS, "-")
