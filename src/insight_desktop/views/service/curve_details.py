"""Table Data Details of the Curve page: figures of every line, and the rows of the curve."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QWidget

from insight_desktop.views.common import fonts, icons, number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.language import tr

_HEAD, _MOST_FIGURES = 34, 6
FIGURES = ("min", "mean", "p50", "p90", "p99", "max")
_TITLES = {"min": "Min", "mean": "Mean", "p50": "P50", "p90": "P90", "p99": "P99", "max": "Max"}


class RowTable(ArrowTable):
    """Rows of a curve with a way to the Timeline.

    Signals:
        timeline_wanted: a row of the Arrow table.
    """

    timeline_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(filter_row=True, parent=parent)
        self.leads_somewhere = False
        self.setProperty("edge", "none")
        self.row_activated.connect(self._go)

    def _go(self, row: int) -> None:
        if self.leads_somewhere and row >= 0:
            self.timeline_wanted.emit(row)

    def row_menu(self) -> QMenu:
        """The way to the Timeline, then copy and export."""
        menu = super().row_menu()
        first, at = menu.actions()[0], self.current_row()
        action = QAction(icons.icon("crosshair-simple"), tr("Find in Timeline"), menu)
        action.setObjectName("find_in_timeline")
        action.setEnabled(self.leads_somewhere and at >= 0)
        action.triggered.connect(lambda _checked=False: self._go(at))
        menu.insertAction(first, action)
        menu.insertSeparator(first)
        return menu


class FigureTable(ArrowTable):
    """Figures of the lines; as high as its rows, up to a few."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(filter_row=False, parent=parent)
        self.setProperty("edge", "none")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_figures(self, table: pa.Table, *, compares: bool) -> None:
        """Show rows line, run, count and the figures."""
        specs = [ColumnSpec("line", "Series", width=240)]
        if compares:
            specs.append(ColumnSpec("run", "Run", width=150))
        specs.append(ColumnSpec("count", "Values", kind="count"))
        specs += [ColumnSpec(name, _TITLES[name], kind="number", decimals=3, width=124) for name in FIGURES]
        self.set_columns(specs, table)
        self.fit()

    def fit(self) -> None:
        """Room for the rows."""
        rows = min(max(1, self.table.num_rows), _MOST_FIGURES)
        bar = self.horizontalScrollBar().sizeHint().height() if self.horizontalScrollBar().isVisible() else 0
        self.setFixedHeight(
            self.horizontalHeader().height() + rows * self.verticalHeader().defaultSectionSize() + bar + 3
        )


class CurveDetails(QFrame):
    """Figures above, rows below; collapsible.

    Signals:
        timeline_wanted: row of the shown rows.
        current_changed: row of the shown rows that became current, -1 for none.
        hovered: row of the shown rows under the mouse, -1 for none.
        run_chosen: True for the rows of the baseline.
        range_dropped: all rows are wanted again.
        collapsed_changed: True when only the head is left.
    """

    timeline_wanted = Signal(int)
    current_changed = Signal(int)
    hovered = Signal(int)
    run_chosen = Signal(bool)
    range_dropped = Signal()
    collapsed_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self.caret = parts.icon_button("caret-down", click=lambda: self.set_collapsed(not self.is_collapsed))
        self.title = parts.label(strong=True)
        self.range_text = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.range_text.setProperty("level", "2")
        self.drop = parts.button("", "x", flat=True, click=self.range_dropped.emit)
        self.base_button = parts.button("", flat=True)
        self.base_button.setCheckable(True)
        self.count = parts.label(level=2)
        self.find_button = parts.button("", "crosshair-simple", flat=True, click=self._find)
        self.export_button = parts.button("", "download-simple", flat=True)
        self.figures, self.rows = FigureTable(), RowTable()
        self.body = QWidget()
        self._build()
        self.retranslate()
        self.show_range("")
        self.base_button.hide()

    def _build(self) -> None:
        head = QWidget()
        parts.keep_height(head, _HEAD)
        row = parts.columns(head, margins=(6, 2, 6, 2), gap=8)
        for widget in (self.caret, self.title, self.range_text, self.drop, self.base_button, self.count):
            row.addWidget(widget, 1 if widget is self.range_text else 0)
        row.addWidget(self.find_button)
        row.addWidget(self.export_button)
        inner = parts.rows(self.body)
        inner.addWidget(self.figures)
        inner.addWidget(parts.line())
        inner.addWidget(self.rows, 1)
        column = parts.rows(self, margins=(1, 1, 1, 1))
        column.addWidget(head)
        column.addWidget(parts.line())
        column.addWidget(self.body, 1)
        self.rows.setMinimumHeight(fonts.scaled(96))
        self.export_button.clicked.connect(lambda: self.rows.export_dialog())
        self.rows.timeline_wanted.connect(self.timeline_wanted)
        self.rows.current_row_changed.connect(self._current)
        self.rows.rows_changed.connect(self._tell_count)
        self.base_button.toggled.connect(self.run_chosen)
        self.rows.entered.connect(self._entered)
        self.rows.viewport().installEventFilter(self)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(tr("Table Data Details"))
        self.find_button.setText(tr("Find in Timeline"))
        self.export_button.setText(tr("Export…"))
        self.base_button.setText(tr("Rows of the baseline"))
        parts.set_tip(self.caret, tr("Collapse or expand"))
        parts.set_tip(self.drop, tr("All rows"), "Esc")
        self.figures.setAccessibleName(tr("Figures of the lines"))
        self.rows.setAccessibleName(tr("Rows of the curve"))
        self._tell_count(self.rows.model().rowCount(), self.rows.table.num_rows)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def show_rows(self, table: pa.Table, specs: Sequence[ColumnSpec], *, leads: bool) -> None:
        """Show rows; `leads` when they have a place in the Timeline."""
        self.rows.leads_somewhere = leads
        if tuple(specs) == tuple(self.rows.columns):
            self.rows.show_table(table)
        else:
            self.rows.set_columns(specs, table)
        self.rows.scrollToTop()
        self._current(self.rows.current_row())

    def show_range(self, text: str) -> None:
        """Say which part of the curve the rows are of; empty for all."""
        self.range_text.set_text(text)
        self.drop.setVisible(bool(text))

    def _tell_count(self, shown: int, every: int) -> None:
        text = tr("{0} of {1} rows") if shown != every else tr("{0} rows")
        self.count.setText(text.format(number_text.count(shown), number_text.count(every)))

    def _current(self, row: int) -> None:
        self.find_button.setEnabled(self.rows.leads_somewhere and row >= 0)
        self.current_changed.emit(row)

    def _find(self) -> None:
        row = self.rows.current_row()
        if row >= 0:
            self.timeline_wanted.emit(row)

    def _entered(self, index: QModelIndex) -> None:
        find = getattr(self.rows.model(), "source_row", None)
        self.hovered.emit(find(index.row()) if callable(find) else -1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.hovered.emit(-1)
        return super().eventFilter(watched, event)

    # ---- folding -----------------------------------------------------------------------------------------------------

    def set_collapsed(self, collapsed: bool) -> None:
        """Leave only the head, or bring the tables back."""
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
