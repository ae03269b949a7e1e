"""A box with a head and a table: title, quiet facts, number of rows, copy and export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFileDialog, QFrame, QLabel, QSizePolicy, QWidget

from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.compare_table import CompareTable
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.common.totals_row import Rule, TotalsRow

HEAD = 30


class TableBox(QFrame):
    """A table in a box; `rules` give a row of totals below it."""

    def __init__(
        self,
        columns: Sequence[ColumnSpec] = (),
        *,
        table: ArrowTable | None = None,
        rules: Mapping[str, Rule] | None = None,
        filter_row: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self.table = table or ArrowTable(columns=columns, filter_row=filter_row)
        self.table.setProperty("edge", "none")
        self.title = parts.label(strong=True)
        self.about = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.about.setProperty("level", "2")
        self.chip = QLabel()
        self.chip.setProperty("chip", "plain")
        self.chip.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        parts.keep_height(self.chip, 20)
        self.copy_button = parts.icon_button("copy", click=self.copy)
        self.export_button = parts.icon_button("download-simple", click=self.export_dialog)
        self.head = QWidget()
        self.head.setObjectName("surface")
        parts.keep_height(self.head, HEAD)
        self.head_row = parts.columns(self.head, margins=(10, 0, 6, 0), gap=6)
        self.head_row.addWidget(self.title)
        self.head_row.addWidget(self.about, 1)
        for widget in (self.chip, self.copy_button, self.export_button):
            self.head_row.addWidget(widget)
        column = parts.rows(self, margins=(1, 1, 1, 1))
        column.addWidget(self.head)
        column.addWidget(parts.line())
        column.addWidget(self.table, 1)
        self.totals: TotalsRow | None = None
        if rules is not None:
            self.totals = TotalsRow(self.table, rules)
            column.addWidget(self.totals)
        self.table.rows_changed.connect(lambda _shown, _all: self._show_counts())
        self.retranslate()

    def set_texts(self, title: str, about: str = "", empty: str = "") -> None:
        """Title, quiet words behind it, and what stands in place of rows."""
        self.title.setText(title)
        self.about.set_text(about)
        self.table.set_empty_text(empty)
        self.table.setAccessibleName(title)

    def retranslate(self) -> None:
        """Texts in the current language."""
        parts.set_tip(self.copy_button, tr("Copy table"))
        parts.set_tip(self.export_button, tr("Export table…"))
        self._show_counts()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def show_rows(self, table: pa.Table, columns: Sequence[ColumnSpec] | None = None) -> None:
        """Other rows, with other columns when given."""
        if columns is None:
            self.table.show_table(table)
        else:
            self.table.set_columns(columns, table)

    def _show_counts(self) -> None:
        every, shown = self.table.table.num_rows, self.table.model().rowCount()
        self.chip.setText(tr("{0} of {1} rows").format(number_text.count(shown), number_text.count(every)))
        self.chip.setVisible(every > 0 and not isinstance(self.table, CompareTable))  # its rows open and close
        for button in (self.copy_button, self.export_button):
            button.setEnabled(every > 0)

    def copy(self) -> None:
        """Put the rows and columns as shown on the clipboard, separated by tabs."""
        self.table.copy(selected_only=False)

    def export_dialog(self) -> None:
        """Ask for a file and write the rows as shown to it."""
        name, _ = QFileDialog.getSaveFileName(self, tr("Export table"), "", tr("CSV (*.csv)"))
        if name:
            path = Path(name)
            self.table.export(path if path.suffix else path.with_suffix(".csv"))
