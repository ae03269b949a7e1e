"""A box with a head and a table: title, quiet facts, and the buttons that every table of the Operator page has."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QPushButton, QSizePolicy, QWidget

from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system.operator_columns import DETAILS, OperatorTable, counters

HEAD = 34


class TablePanel(QFrame):
    """A table in a box.

    Signals:
        copied: number of rows that went to the clipboard.
        closed: the user closed the panel.
        timeline_wanted: the button was pressed.
    """

    copied = Signal(int)
    closed = Signal()
    timeline_wanted = Signal()

    def __init__(
        self,
        columns: Sequence[ColumnSpec] = (),
        *,
        drills: bool = False,
        jumps: bool = True,
        closable: bool = False,
        has_button: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self.table = OperatorTable(columns, drills=drills, jumps=jumps)
        self.title = parts.label(strong=True)
        self.about = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.about.setProperty("level", "2")
        self.hint = parts.icon_button("info")
        self.hint.hide()
        self.chip = QLabel()
        self.chip.setProperty("chip", "plain")
        parts.keep_height(self.chip, 20)
        self.chip.hide()
        self.chip.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.timeline_button = timeline_button(self.timeline_wanted.emit)
        self.timeline_button.setVisible(has_button)
        self.columns_button = parts.icon_button("columns", click=self._columns_under_button)
        self.copy_button = parts.icon_button("copy", click=self.copy)
        self.close_button = parts.icon_button("x", click=self.closed.emit)
        self.close_button.setVisible(closable)
        head = QWidget()
        head.setObjectName("surface")
        parts.keep_height(head, HEAD)
        self.head_row = parts.columns(head, margins=(10, 0, 6, 0), gap=6)
        self.head_row.addWidget(self.title)
        self.head_row.addWidget(self.hint)
        self.head_row.addWidget(self.about, 1)
        for widget in (
            self.chip,
            self.timeline_button,
            self.columns_button,
            self.copy_button,
            self.close_button,
        ):
            self.head_row.addWidget(widget)
        column = parts.rows(self, margins=(1, 1, 1, 1))
        column.addWidget(head)
        column.addWidget(parts.line())
        column.addWidget(self.table, 1)
        self.table.rows_changed.connect(lambda _shown, _all: self.show_counts())
        self.table.current_row_changed.connect(lambda _row: self._enable())
        self.words: Callable[[int, int], str] = lambda shown, every: tr("{0} of {1} rows").format(
            number_text.count(shown), number_text.count(every)
        )
        self.retranslate()
        self._enable()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.timeline_button.setText(tr("Show in Timeline"))
        parts.set_tip(self.columns_button, tr("Columns"))
        parts.set_tip(self.copy_button, tr("Copy table"))
        parts.set_tip(self.close_button, tr("Close"))
        self.show_counts()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def show_counts(self) -> None:
        """How many rows pass the filters."""
        every = self.table.table.num_rows
        self.chip.setText(self.words(self.table.model().rowCount(), every))
        self.chip.setVisible(every > 0)
        self._enable()

    def set_hint(self, text: str) -> None:
        """An explanation behind an icon; empty for none."""
        self.hint.setVisible(bool(text))
        parts.set_tip(self.hint, text)

    def _enable(self) -> None:
        has_rows = self.table.table.num_rows > 0
        for button in (self.columns_button, self.copy_button):
            button.setEnabled(has_rows)
        self.timeline_button.setEnabled(self.table.current_row() >= 0)

    def copy(self) -> None:
        """Put the rows as shown on the clipboard."""
        self.table.copy(selected_only=False)
        self.copied.emit(self.table.model().rowCount())

    # ---- columns -----------------------------------------------------------------------------------------------------

    def hidden(self) -> set[str]:
        """Names of the hidden columns."""
        found: list[str] = self.table.view_state()["hidden"]
        return set(found)

    def set_hidden(self, names: set[str]) -> None:
        """Hide these columns and show the others; one always stays."""
        known = [c.name for c in self.table.columns]
        if set(known) - names:
            self.table.restore_state({**self.table.view_state(), "hidden": sorted(names & set(known))})

    def columns_menu(self) -> QMenu:
        """Which columns are shown; all counters at once where there are any."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        hidden = self.hidden()
        counted = set(counters(self.table.columns))
        if counted:
            for text, names in (
                (tr("Show all counters"), hidden - counted),
                (tr("Hide all counters"), hidden | counted),
            ):
                action = menu.addAction(text)
                action.triggered.connect(lambda _checked=False, names=names: self.set_hidden(names))
            menu.addSeparator()
        for spec in self.table.columns:
            if spec.name == DETAILS:
                continue
            action = QAction(spec.heading(), menu, checkable=True, checked=spec.name not in hidden)
            action.toggled.connect(lambda on, name=spec.name: self._toggle(name, on))
            menu.addAction(action)
        return menu

    def _toggle(self, name: str, shown: bool) -> None:
        self.set_hidden(self.hidden() - {name} if shown else self.hidden() | {name})

    def _columns_under_button(self) -> None:
        self.columns_menu().exec(self.columns_button.mapToGlobal(QPoint(0, self.columns_button.height())))


def timeline_button(click: Callable[[], None]) -> QPushButton:
    """The way to the Timeline, the same in every panel."""
    button = parts.button("", "crosshair-simple", flat=True, click=click)
    button.setText(tr("Show in Timeline"))
    return button
