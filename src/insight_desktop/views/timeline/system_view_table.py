"""One item of the System View on screen: head, table with totals, details of the current row, or why there is nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLineEdit, QSplitter, QStackedWidget, QWidget

from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts, theme
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.common.empty_page import EmptyPage
from insight_desktop.views.common.engine_text import category, say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.totals_row import TotalsRow
from insight_desktop.views.common.tree_table import TreeTable
from insight_desktop.views.timeline.system_view_parts import GO, Answer, Item, Question, jump_of

_CATEGORY = "category"
_SEARCHED = ("name", "category", "comm", "type", "origin")


class JumpTable(ArrowTable):
    """Copies and exports leave out the column that only leads to the Timeline."""

    def shown_columns(self) -> list[ColumnSpec]:
        return [spec for spec in super().shown_columns() if spec.name != GO]


class JumpTree(TreeTable):
    """As JumpTable."""

    def shown_columns(self) -> list[ColumnSpec]:
        return [spec for spec in super().shown_columns() if spec.name != GO]


class ItemPage(QWidget):
    """Asks for an item and shows the answer; asks nothing before `show_answer_to` is called.

    Signals:
        details_built: the table of details was shown for the first time.
    """

    details_built = Signal()

    def __init__(self, context: Context, item: Item, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.item = item
        self.asked: Question | None = None
        self.answer: Answer | None = None
        self.error: InsightError | None = None
        self.lane = ""  # title of the lane whose events are shown
        self._query: Callable[..., Answer] = item.load
        self._asker = Asker(context, self)
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.table: ArrowTable = (
            JumpTree(item.columns, open_levels=item.open_levels) if item.tree else JumpTable(columns=item.columns)
        )
        self.table.setProperty("edge", "none")
        self.totals = TotalsRow(self.table, item.totals, self)
        self.totals.hide()
        self.details: DetailsPane | None = None
        self._empty: EmptyPage | None = None
        self._build()
        self._connect()
        if item.sort:
            self.table.sort_by(item.sort, descending=True)
        self.retranslate()

    def _build(self) -> None:
        self.title, self.count, self.rule = parts.label(strong=True), parts.label(level=2), parts.label(level=2)
        self.rule.setWordWrap(True)
        self.rule.setContentsMargins(12, 0, 12, 4)
        self.rule.setVisible(self.item.rule is not None)
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(220)
        self.searched = next((s.name for s in self.item.columns if s.name in _SEARCHED), "")
        self.search.setVisible(bool(self.searched))
        self.open_button = parts.icon_button("caret-double-down", click=lambda: self._open_all(True))
        self.close_button = parts.icon_button("caret-double-up", click=lambda: self._open_all(False))
        for button in (self.open_button, self.close_button):
            button.setVisible(self.item.tree is not None)
        head = parts.columns(margins=(12, 4, 8, 4), gap=8)
        head.addWidget(self.title)
        head.addWidget(self.count)
        head.addStretch(1)
        head.addWidget(self.search)
        head.addWidget(self.open_button)
        head.addWidget(self.close_button)
        tables = QWidget()
        column = parts.rows(tables)
        column.addWidget(self.table, 1)
        column.addWidget(self.totals)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(tables)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.splitter)
        outer = parts.rows(self)
        outer.addLayout(head)
        outer.addWidget(self.rule)
        outer.addWidget(self.stack, 1)

    def _connect(self) -> None:
        self.table.row_activated.connect(self._jump)
        self.table.current_row_changed.connect(self._row_chosen)
        self.table.rows_changed.connect(lambda _shown, _all: self._tell_count())
        self.table.failed.connect(self._tell_error)
        self.search.textEdited.connect(self._search)
        if self.item.ink is not None:
            self.table.model().ink = self._ink  # type: ignore[attr-defined]

    @property
    def empty(self) -> EmptyPage:
        """What stands in place of the table; built when it is first needed."""
        if self._empty is None:
            self._empty = EmptyPage("table")
            self.stack.addWidget(self._empty)
        return self._empty

    # ---- asking ------------------------------------------------------------------------------------------------------

    def show_answer_to(self, asked: Question, lane: str = "") -> None:
        """Ask about a card; nothing is asked twice."""
        if asked == self.asked and (self.answer is not None or self.error is None):
            return
        self.asked, self.lane = asked, lane
        self._tell_title()
        self.count.setText(tr("Computing…"))
        self._asker.ask(self._query, asked=asked, then=self._show, failed=self._show_error)

    def show_nothing(self) -> None:
        """There is no card, or no lane was chosen."""
        self._asker.forget(self._query)
        self.asked, self.lane, self.error = None, "", None
        self.answer = Answer(self.table.table.slice(0, 0))
        self.retranslate()

    def forget(self) -> None:
        """The data changed: the next question is asked anew."""
        self.asked = None

    def copy(self) -> None:
        """Put the table as shown on the clipboard."""
        if self.answer is not None:
            self.table.copy(selected_only=False)

    def view_state(self) -> dict[str, Any]:
        """Arrangement of the table."""
        return self.table.view_state()

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave."""
        self.table.restore_state(state)

    # ---- answers -----------------------------------------------------------------------------------------------------

    def _show(self, answer: Answer) -> None:
        self.answer, self.error = answer, None
        table, item = _said(answer.table), self.item
        columns = tuple(spec for spec in item.columns if spec.name in table.column_names)
        if columns and item.tree and isinstance(self.table, TreeTable):
            self.table.show_tree(table, *item.tree)
        elif columns:
            if columns != tuple(self.table.columns):
                sort = self.table.sort
                self.table.set_columns(columns, table)
                if sort is not None and any(spec.name == sort.column for spec in columns):
                    self.table.sort_by(sort.column, descending=sort.descending)
            else:
                self.table.show_table(table)
        self.totals.renew()
        if self.details is not None:
            self.details.clear()
        self._say()

    def _show_error(self, error: InsightError) -> None:
        self.answer, self.error = None, error
        self._say()

    def _say(self) -> None:
        """Table or empty page, with all texts in the current language."""
        has_rows = self.answer is not None and self.answer.table.num_rows > 0
        is_table = has_rows or (self.answer is None and self.error is None)
        self.stack.setCurrentWidget(self.splitter if is_table else self.empty)
        self._tell_count()
        if self.error is not None:
            self.empty.show_content(say(self.error.message), say(self.error.fix), code=self._code())
        elif self.answer is not None and not has_rows:
            self._say_empty(self.answer)

    def _say_empty(self, answer: Answer) -> None:
        missing, asked = self.item.missing, self.asked
        is_limited = asked is not None and (asked.from_ns is not None or asked.to_ns is not None)
        if answer.checked:
            looked = tr("{n} {what} of this card were looked at.").format(
                n=number_text.count(answer.checked), what=tr(answer.what)
            )
            rule = self.item.rule() if self.item.rule is not None else ""
            self.empty.show_content(tr("Nothing found"), f"{looked} {rule}".strip())
        elif is_limited and answer.checked is None:
            text = tr("Nothing of it touches the time filter. Clear the filter to see the whole data.")
            self.empty.show_content(tr("Nothing in the time filter"), text)
        elif self.item.view == "events" and asked is not None and asked.tracks:
            self.empty.show_content(tr("No slices"), tr("The lane has no slices."))
        else:
            self.empty.show_content(tr(missing.title), tr(missing.text), code=missing.code)

    def _code(self) -> str:
        return self.item.missing.code

    def _tell_count(self) -> None:
        if self.answer is None:
            if self.error is not None:
                self.count.setText("")
            return
        rows, every = self.table.shown_rows(), self.answer.table.num_rows
        text = tr("Total {n} items").format(n=number_text.count(every))
        if rows is not None and len(rows) != every and not self.item.tree:
            text = tr("{n} of {m} items").format(n=number_text.count(len(rows)), m=number_text.count(every))
        self.count.setText(" · ".join(part for part in (text if every else "", self.answer.note) if part))

    # ---- what the user does ------------------------------------------------------------------------------------------

    def _row_chosen(self, row: int) -> None:
        if self.item.details is None or self.asked is None or not 0 <= row < self.table.table.num_rows:
            return
        if self.details is None:
            self.details = DetailsPane(self.context, self.item)
            self.splitter.addWidget(self.details)
            self.splitter.setStretchFactor(0, 3)
            self.splitter.setStretchFactor(1, 2)
            self.splitter.setSizes([720, 440])
            self.details_built.emit()
        self.details.show_row(self.asked, self.table.row(row))

    def _jump(self, row: int) -> None:
        if self.asked is None:
            return
        found = self.table.row(row)
        if self.item.view == "expert":
            found["id"] = found.get("slice_id")
            if found["id"] is None and self.item.id == "ai_core_frequency":
                self._jump_to_counter(found["name"])
                return
        to = jump_of(self.asked.card, found) if "ts_ns" in found else None
        if to is not None:
            self.context.jump.emit(to)

    def _jump_to_counter(self, name: str) -> None:
        """A counter has no slice: its lane is sought by name."""
        if self.asked is not None:
            counters = self.context.store.capture(self.asked.card).series.column("counter").to_pylist()
            self.context.jump.emit(Jump(self.asked.card, series=counters.index(name)))

    def _search(self, text: str) -> None:
        filters = {k: v for k, v in self.table.filters().items() if k != self.searched}
        self.table.set_filters({**filters, self.searched: text} if text.strip() else filters)

    def _open_all(self, is_open: bool) -> None:
        if isinstance(self.table, TreeTable):
            self.table.open_all(is_open)

    def _ink(self, column: str, _row: int, value: Any) -> QColor | None:
        name = self.item.ink(column, value) if self.item.ink is not None else None
        return theme.token(name) if name else None

    def _tell_error(self, error: InsightError) -> None:
        self.context.message.emit("error", error.message, error.fix)

    # ---- texts -------------------------------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            if self.asked is not None:  # some cells are texts of the window
                asked, self.asked = self.asked, None
                self.show_answer_to(asked, self.lane)
        super().changeEvent(event)

    def _tell_title(self) -> None:
        title = tr(self.item.title)
        self.title.setText(f"{title} · {self.lane}" if self.lane else title)

    def retranslate(self) -> None:
        """All texts in the current language."""
        title = tr(self.item.title)
        self._tell_title()
        self.rule.setText(self.item.rule() if self.item.rule is not None else "")
        self.search.setPlaceholderText(tr("Search names"))
        self.search.setAccessibleName(tr("Search names"))
        self.table.setAccessibleName(title)
        parts.set_tip(self.open_button, tr("Expand all"))
        parts.set_tip(self.close_button, tr("Collapse all"))
        if self.answer is not None and self.answer.table.num_rows and _CATEGORY in self.answer.table.column_names:
            self._show(self.answer)
        self._say()


def _said(table: pa.Table) -> pa.Table:
    """The table with its categories in the current language; the columns that name rows stay as they are."""
    if _CATEGORY not in table.column_names:
        return table
    said = pa.array([category(text) for text in table.column(_CATEGORY).to_pylist()], pa.string())
    return table.set_column(table.column_names.index(_CATEGORY), _CATEGORY, said)


class DetailsPane(QWidget):
    """The table at the right: what the current row of an item adds up. A click on a row jumps."""

    def __init__(self, context: Context, item: Item, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        assert item.details is not None
        self.context = context
        self.spec = item.details
        self.asked: Question | None = None
        self.row: dict[str, Any] = {}
        self.label = next((c.name for c in item.columns if c.is_text), "")
        self._is_chain = item.id == "kernel_e2e"
        self._query = item.details.load
        self._asker = Asker(context, self)
        self.title, self.count = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight), parts.label(level=2)
        self.title.setProperty("strong", "true")
        self.table = JumpTable(columns=item.details.columns)
        self.table.setProperty("edge", "none")
        self.table.clicked.connect(lambda _index: self._jump(self.table.current_row()))
        self.table.row_activated.connect(self._jump)
        self.table.rows_changed.connect(lambda _shown, _all: self._tell_count())
        if item.id != "kernel_e2e":
            self.table.sort_by("dur_ns", descending=True)
        is_sum = item.id != "kernel_e2e"  # the slices of a chain stand one inside the other
        self.totals = TotalsRow(self.table, {"dur_ns": "sum", "size_bytes": "sum"} if is_sum else {}, self)
        head = parts.columns(margins=(12, 4, 8, 4), gap=8)
        head.addWidget(self.title, 1)
        head.addWidget(self.count)
        head.addWidget(parts.icon_button("x", tr("Close details"), click=self.clear))
        column = parts.rows(self)
        column.addLayout(head)
        column.addWidget(self.table, 1)
        column.addWidget(self.totals)
        self.setMinimumWidth(220)

    def show_row(self, asked: Question, row: dict[str, Any]) -> None:
        """Show what a row of the item adds up; rows without details close the pane."""
        if not self.spec.applies(row):
            self.clear()
            return
        self.asked, self.row = asked, row
        self.title.set_text(str(row.get(self.label) or tr(self.spec.title)))
        self.show()
        self._asker.ask(self._query, asked=asked, row=row, then=self._show, failed=self._show_error)

    def clear(self) -> None:
        """Nothing is chosen."""
        self._asker.forget(self._query)
        self.hide()
        if self._is_chain:
            self.context.chain_shown.emit("", [])

    def _show(self, found: pa.Table) -> None:
        if self._is_chain and self.asked is not None:
            ids = found.column("id").drop_null().to_pylist()
            self.context.chain_shown.emit(self.asked.card, ids)
        columns = tuple(spec for spec in self.spec.columns if spec.name in found.column_names)
        if columns != tuple(self.table.columns):
            sort = self.table.sort
            self.table.set_columns(columns, found)
            if sort is not None and any(c.name == sort.column for c in columns):
                self.table.sort_by(sort.column, descending=sort.descending)
        else:
            self.table.show_table(found)
        self.table.set_empty_text(tr("The row has no slices of its own."))
        self.table.setAccessibleName(tr(self.spec.title))

    def _show_error(self, error: InsightError) -> None:
        self.table.show_table(self.table.table.slice(0, 0))
        self.table.set_empty_text(f"{error.message} {error.fix}".strip())

    def _tell_count(self) -> None:
        rows, every = self.table.shown_rows(), self.table.table.num_rows
        shown = every if rows is None else len(rows)
        text = tr("{n} of {m} items").format(n=number_text.count(shown), m=number_text.count(every))
        self.count.setText(tr("Total {n} items").format(n=number_text.count(every)) if shown == every else text)

    def _jump(self, row: int) -> None:
        if row < 0 or self.asked is None:
            return
        to = jump_of(self.asked.card, self.table.row(row))
        if to is not None:
            self.context.jump.emit(to)
