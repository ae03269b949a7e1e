"""Find: all hits of the search as a table whose rows jump."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from insight_desktop.views.common import number_text
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.common.empty_text import EmptyText
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.search_results import Answer

_COLUMNS = (
    ColumnSpec("name", "Name", kind="link"),
    ColumnSpec("card", "Card", width=110),
    ColumnSpec("lane", "Lane", width=220),
    ColumnSpec("start_ns", "Start Time", kind="time", width=150),
    ColumnSpec("dur_ns", "Duration", "µs", kind="duration", width=130),
)


class FindPanel(QStackedWidget):
    """Shows the answer of the search bar.

    Signals:
        row_chosen: row of the answer that was jumped to.
    """

    row_chosen = Signal(int)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.answer: Answer | None = None
        self._empty = EmptyText()
        self.table = ArrowTable(columns=_COLUMNS)
        self.table.setProperty("edge", "none")
        self.table.row_activated.connect(self._jump)
        self.table.sort_by("dur_ns", descending=True)
        self.addWidget(self._empty)
        self.addWidget(self.table)
        self._translate()

    def show_answer(self, answer: Answer | None) -> None:
        """Show the hits; None for no search."""
        self.answer = answer
        if answer is not None and answer.table.num_rows:
            self.table.show_table(answer.table)
            self.setCurrentWidget(self.table)
        else:
            self.setCurrentWidget(self._empty)
        self._translate()

    def copy(self) -> None:
        """Put the hits as shown on the clipboard."""
        if self.answer is not None:
            self.table.copy(selected_only=False)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _jump(self, row: int) -> None:
        if self.answer is not None:
            self.context.jump.emit(jump_to(self.answer, row))
            self.row_chosen.emit(row)

    def _translate(self) -> None:
        hits = self.answer.table.num_rows if self.answer is not None else 0
        self.table.setAccessibleName(tr("{n} hits").format(n=number_text.count(hits)))
        if self.answer is None:
            self._empty.set_texts(tr("Nothing searched yet"), tr("Type a name into the search and press Enter."))
        elif not hits:
            text = tr("No name on the chosen cards matches “{text}”.").format(text=self.answer.question.text)
            self._empty.set_texts(tr("Nothing found"), text)


def jump_to(answer: Answer, row: int) -> Jump:
    """Where a hit is: its id, its track and its raw times."""
    hit = answer.table.slice(row, 1).to_pylist()[0]
    start = hit["ts_ns"]
    return Jump(hit["card"], slice_id=hit["id"], start_ns=start, end_ns=start + hit["dur_ns"], track=hit["track"])
