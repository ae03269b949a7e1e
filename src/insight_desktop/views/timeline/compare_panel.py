"""A/B: two cards name by name, the largest difference first, and their slices of a name side by side."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QSplitter, QWidget

from insight_desktop.engine.timeline.card_compare import compare, matched_slices
from insight_desktop.errors import InsightError
from insight_desktop.views.common import parts
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Jump
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.timeline.state import TimelineState

_NAME_COLUMNS = (
    ColumnSpec("name", "Name", width=220),
    ColumnSpec("base_count", "Count (A)", kind="count", width=78),
    ColumnSpec("count", "Count (B)", kind="count", width=78),
    ColumnSpec("base_sum_ns", "Sum (A)", "ms", kind="duration", width=96),
    ColumnSpec("sum_ns", "Sum (B)", "ms", kind="duration", width=96),
    ColumnSpec(
        "delta_ns", "B − A", "ms", kind="offset", width=96, tooltip="Nested and overlapping slices are added up"
    ),
)
_SLICE_COLUMNS = (
    ColumnSpec("lane", "Lane", width=150),
    ColumnSpec("ordinal", "No.", kind="count", width=60),
    ColumnSpec("base_dur_ns", "Duration (A)", "µs", kind="duration", width=112),
    ColumnSpec("dur_ns", "Duration (B)", "µs", kind="duration", width=112),
    ColumnSpec("delta_ns", "B − A", "µs", kind="offset", width=96),
)


class ComparePanel(QWidget):
    """Choose A and B; a name shows its slices, a double click on a time of A or B goes there."""

    def __init__(self, state: TimelineState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.name: str | None = None
        self._asker = Asker(state.context, self)
        self.base, self.card = Select(), Select()
        for choice in (self.base, self.card):
            choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            choice.activated.connect(lambda _i: self.refresh())
        self.only_range = QCheckBox()
        self.only_range.toggled.connect(lambda _on: self.refresh())
        self.swap = parts.icon_button("arrows-left-right", click=self._swap)
        self.a_label, self.b_label, self.note = QLabel("A"), QLabel("B"), QLabel()
        self.note.setProperty("level", "2")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.names = ArrowTable(columns=_NAME_COLUMNS)
        self.slices = ArrowTable(columns=_SLICE_COLUMNS, filter_row=False)
        self.names.current_row_changed.connect(self._name_chosen)
        self.slices.row_activated.connect(self._jump)
        head = parts.columns(margins=(12, 4, 12, 4), gap=8)
        for widget in (self.a_label, self.base, self.swap, self.b_label, self.card, self.only_range):
            head.addWidget(widget)
        head.addWidget(self.note, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        for table in (self.names, self.slices):
            table.setProperty("edge", "none")
            split.addWidget(table)
        split.setSizes([720, 580])
        box = parts.rows(self)
        box.addLayout(head)
        box.addWidget(split, 1)
        state.context.store_changed.connect(self._store_changed)
        state.range_changed.connect(self._range_changed)
        self._fill()
        self._translate()

    def choose(self, base: str, card: str) -> None:
        """Compare `card` (B) with `base` (A)."""
        self.base.setCurrentIndex(max(self.base.findData(base), 0))
        self.card.setCurrentIndex(max(self.card.findData(card), 0))
        self.refresh()

    def refresh(self) -> None:
        """Ask for the table of names."""
        base, card = self.base.currentData(), self.card.currentData()
        self.name = None
        self.slices.show_table(self.slices.table.slice(0, 0))
        if base is None or card is None or base == card:
            self.names.show_table(self.names.table.slice(0, 0))
            self.note.setText(tr("Open two cards, and choose one for A and one for B."))
            return
        self.note.setText("")
        low, high = self._range(card)
        self._asker.ask(compare, base=base, card=card, from_ns=low, to_ns=high, then=self.names.show_table, failed=self._failed)  # fmt: skip

    def copy(self) -> None:
        """Put the table of names on the clipboard."""
        self.names.copy(selected_only=False)

    def view_state(self) -> dict[str, Any]:
        """Which cards, for the session file."""
        return {"base": self.base.currentData(), "card": self.card.currentData(), "range": self.only_range.isChecked()}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave; cards that are gone are passed over."""
        self.only_range.setChecked(bool(state.get("range", False)))
        for box, key in ((self.base, "base"), (self.card, "card")):
            if box.findData(state.get(key)) >= 0:
                box.setCurrentIndex(box.findData(state.get(key)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.names.table.num_rows:
            self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            self._fill()
        super().changeEvent(event)

    def _range(self, card: str) -> tuple[int | None, int | None]:
        """The selected stretch of the axis in raw time of a card."""
        found = self.state.range
        if found is None or not self.only_range.isChecked():
            return None, None
        shift = self.state.shift_ns(card)
        return found.start_ns + shift, found.end_ns + shift

    def _range_changed(self) -> None:
        if self.only_range.isChecked() and self.isVisible():
            self.refresh()

    def _name_chosen(self, row: int) -> None:
        if row >= 0:
            self.name = str(self.names.row(row)["name"])
            base, card = self.base.currentData(), self.card.currentData()
            self._asker.ask(matched_slices, base=base, card=card, name=self.name, then=self._show_slices)

    def _show_slices(self, found: pa.Table) -> None:
        self.slices.show_table(found)

    def _jump(self, row: int) -> None:
        """To the slice of A from its duration, else to that of B; to the other one when there is only one."""
        found = self.slices.row(row)
        column = self.slices.columns[max(self.slices.currentIndex().column(), 0)].name
        sides = [(self.card.currentData(), found["id"]), (self.base.currentData(), found["base_id"])]
        if column == "base_dur_ns":
            sides.reverse()
        card, slice_id = next(side for side in sides if side[1] is not None)
        self.state.context.jump.emit(Jump(card, slice_id=slice_id))

    def _swap(self) -> None:
        self.choose(self.card.currentData(), self.base.currentData())

    def _store_changed(self) -> None:
        self._fill()
        if self.isVisible():
            self.refresh()

    def _fill(self) -> None:
        names = [card.name for card in self.state.context.store.cards]
        for number, box in enumerate((self.base, self.card)):
            kept = box.currentData()
            box.clear()
            for name in names:
                box.addItem(self.state.card_title(name), name)
            box.setCurrentIndex(names.index(kept) if kept in names else min(number, len(names) - 1))

    def _failed(self, error: InsightError) -> None:
        self.note.setText(f"{error.message} {error.fix}".strip())

    def _translate(self) -> None:
        self.base.setAccessibleName(tr("Card A (base)"))
        self.card.setAccessibleName(tr("Card B"))
        parts.set_tip(self.swap, tr("Swap A and B"))
        self.only_range.setText(tr("Selected range only"))
        self.names.setAccessibleName(tr("Names of both cards"))
        self.slices.setAccessibleName(tr("Slices of the name on both cards"))
        self.slices.set_empty_text(tr("Choose a name: its slices on A and B stand here side by side."))
