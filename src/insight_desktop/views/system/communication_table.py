"""A table in a box with a head, as all tables of the Communication page: counts, columns, copy, export, links by column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QSizePolicy, QWidget

from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.compare_table import CompareTable
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.common.totals_row import Rule, TotalsRow

HEAD = 34


class LinkTable(ArrowTable):
    """A table whose link cells tell their column. Copies and files leave the links out: they are buttons, not data.

    Signals: link_clicked with the column and the row of the Arrow table.
    """

    link_clicked = Signal(str, int)

    def __init__(
        self, columns: Sequence[ColumnSpec] = (), *, filter_row: bool = True, parent: QWidget | None = None
    ) -> None:
        self.link_words: Callable[[str, int], str] | None = None
        super().__init__(columns=columns, filter_row=filter_row, parent=parent)
        self.setProperty("edge", "none")
        self._model.words = self._link_text

    def _link_text(self, column: str, row: int, _value: Any) -> str | None:
        spec = next((s for s in self.columns if s.name == column), None)
        if spec is None or spec.filters or spec.kind != "link":
            return None
        return self.link_words(column, row) if self.link_words is not None else None

    def set_ink(self, ink: Callable[[str, int, Any], QColor | None] | None) -> None:
        """Colours of single cells."""
        self._model.ink = ink

    def _clicked(self, index: QModelIndex) -> None:
        spec = self._model.specs[index.column()]
        if spec.kind == "link":
            self.link_clicked.emit(spec.name, self._model.source_row(index.row()))

    def shown_columns(self) -> list[ColumnSpec]:
        return [s for s in super().shown_columns() if s.kind != "link" or s.filters]


class TableBox(QFrame):
    """Title, quiet words, counts and buttons above a table, totals below it."""

    def __init__(
        self,
        context: Context,
        table: ArrowTable,
        *,
        totals: dict[str, Rule] | None = None,
        closable: Callable[[], None] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self.context, self.table = context, table
        table.setProperty("edge", "none")
        self.title = parts.label(strong=True)
        self.about = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.about.setProperty("level", "2")
        self.hint = parts.icon_button("info")
        self.hint.hide()
        self.chip = QLabel()
        self.chip.setProperty("chip", "plain")
        self.chip.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        parts.keep_height(self.chip, 20)
        self.chip.hide()
        self.columns_button = parts.icon_button("columns", click=self._columns_under_button)
        self.copy_button = parts.icon_button("copy", click=self.copy)
        self.export_button = parts.icon_button("download-simple", click=table.export_dialog)
        self.close_button = parts.icon_button("x", click=closable)
        self.close_button.setVisible(closable is not None)
        self.head = QWidget()
        self.head.setObjectName("surface")
        parts.keep_height(self.head, HEAD)
        self.head_row = parts.columns(self.head, margins=(10, 0, 6, 0), gap=6)
        self.head_row.addWidget(self.title)
        self.head_row.addWidget(self.hint)
        self.head_row.addWidget(self.about, 1)
        for widget in (self.chip, self.columns_button, self.copy_button, self.export_button, self.close_button):
            self.head_row.addWidget(widget)
        column = parts.rows(self, margins=(1, 1, 1, 1))
        column.addWidget(self.head)
        column.addWidget(parts.line())
        column.addWidget(table, 1)
        self.totals: TotalsRow | None = None
        if totals is not None:
            self.totals = TotalsRow(table, totals)
            column.addWidget(self.totals)
        table.rows_changed.connect(lambda _shown, _all: self._count())
        table.exported.connect(lambda path: context.message.emit("success", tr("Exported: {0}").format(path), ""))
        table.failed.connect(lambda error: context.message.emit("error", error.message, error.fix))
        self.retranslate()
        self._count()

    def retranslate(self) -> None:
        """Texts in the current language."""
        parts.set_tip(self.columns_button, tr("Columns"))
        parts.set_tip(self.copy_button, tr("Copy table"))
        parts.set_tip(self.export_button, tr("Export…"))
        parts.set_tip(self.close_button, tr("Close"))
        self._count()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def set_title(self, title: str, about: str = "", hint: str = "") -> None:
        """Title, quiet words behind it, and an explanation behind an icon."""
        self.title.setText(title)
        self.about.set_text(about)
        self.hint.setVisible(bool(hint))
        parts.set_tip(self.hint, hint)
        self.table.setAccessibleName(title)

    def show_table(self, table: pa.Table, *, empty: str = "") -> None:
        """Rows, and the words that stand there without any."""
        self.table.set_empty_text(empty)
        self.table.show_table(table)

    def show_error(self, error: InsightError) -> None:
        """No rows, and why."""
        self.table.set_empty_text(f"{say(error.message)} {say(error.fix)}".strip())
        self.table.show_table(self.table.table.slice(0, 0))

    def wait(self) -> None:
        """Rows are on their way."""
        if not self.table.table.num_rows:
            self.table.set_empty_text(tr("Loading…"))

    def copy(self) -> None:
        """Put the rows as shown on the clipboard."""
        self.table.copy(selected_only=False)

    def _count(self) -> None:
        every, shown = self.table.table.num_rows, self.table.model().rowCount()
        if isinstance(self.table, CompareTable):  # the sides below a difference are no rows of their own
            every = shown = self.table.pairs
        self.chip.setText(
            (tr("1 row") if every == 1 else tr("{0} rows").format(number_text.count(every)))
            if shown >= every
            else tr("{0} of {1} rows").format(number_text.count(shown), number_text.count(every))
        )
        self.chip.setVisible(every > 0)
        for button in (self.columns_button, self.copy_button, self.export_button):
            button.setEnabled(every > 0)

    # ---- columns -----------------------------------------------------------------------------------------------------

    def columns_menu(self) -> QMenu:
        """Which columns are shown."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        hidden = set(self.table.view_state()["hidden"])
        for spec in self.table.columns:
            action = QAction(spec.heading(), menu, checkable=True, checked=spec.name not in hidden)
            action.setEnabled(spec.name in hidden or len(hidden) + 1 < len(self.table.columns))
            action.toggled.connect(lambda on, name=spec.name: self._toggle(name, on))
            menu.addAction(action)
        return menu

    def _toggle(self, name: str, shown: bool) -> None:
        state = self.table.view_state()
        hidden = set(state["hidden"]) ^ {name} if (name in state["hidden"]) == shown else set(state["hidden"])
        self.table.restore_state({**state, "hidden": sorted(hidden)})

    def _columns_under_button(self) -> None:
        self.columns_menu().exec(self.columns_button.mapToGlobal(QPoint(0, self.columns_button.height())))
