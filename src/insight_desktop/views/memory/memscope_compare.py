"""What lives in a MemScope dump against another one of the project."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from insight_desktop.engine.memory import memscope as queries
from insight_desktop.engine.store import Store
from insight_desktop.errors import NoData
from insight_desktop.views.common import parts
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.common.totals_row import TotalsRow
from insight_desktop.views.memory.memscope_columns import COMPARED

_RULES = {
    "end": QT_TRANSLATE_NOOP("insight", "Alive at the end"),
    "peak": QT_TRANSLATE_NOOP("insight", "Alive at the peak"),
}
_BY = {
    "owner": QT_TRANSLATE_NOOP("insight", "by owner"),
    "stack": QT_TRANSLATE_NOOP("insight", "by call stack"),
    "type": QT_TRANSLATE_NOOP("insight", "by type"),
}


def collector_rows(store: Store, card: str) -> pa.Table | None:
    """What the collector itself compared; None without a file of it."""
    try:
        return queries.compare_file(store, card=card)
    except NoData:
        return None


class MemscopeCompare(QWidget):
    """Choices and the table of differences.

    Signals:
        wanted: another baseline, rule or grouping; the page asks again.
    """

    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = parts.label(level=2)
        self.base_box, self.rule_box, self.by_box = Select(), Select(), Select()
        self.table = ArrowTable(columns=COMPARED)
        self.totals = TotalsRow(self.table, {"delta_bytes": "sum", "size_bytes": "sum", "base_bytes": "sum"})
        row = parts.columns(margins=(8, 4, 8, 4), gap=8)
        row.addWidget(self.label)
        for box, texts in ((self.base_box, {}), (self.rule_box, _RULES), (self.by_box, _BY)):
            for key in texts:
                box.addItem(key, key)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.currentIndexChanged.connect(lambda _i: self.wanted.emit())
            row.addWidget(box)
        row.addStretch(1)
        column = parts.rows(self)
        column.addLayout(row)
        column.addWidget(self.table, 1)
        column.addWidget(self.totals)
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.label.setText(tr("Compare with"))
        for box, texts in ((self.rule_box, _RULES), (self.by_box, _BY)):
            for i, text in enumerate(texts.values()):
                box.setItemText(i, tr(text))
        for box, name in (
            (self.base_box, tr("Baseline")),
            (self.rule_box, tr("Which blocks")),
            (self.by_box, tr("Group By")),
        ):
            box.setAccessibleName(name)
        self.table.set_empty_text(tr("Both dumps hold the same."))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "table"):
            self.retranslate()
        super().changeEvent(event)

    def show_bases(self, names: list[tuple[str, str]]) -> None:
        """Other dumps as (text, name); the chosen one stays where it is there."""
        before = self.base_box.currentData()
        self.base_box.blockSignals(True)
        self.base_box.clear()
        for text, name in names:
            self.base_box.addItem(text, name)
        self.base_box.setCurrentIndex(max(0, self.base_box.findData(before)) if names else -1)
        self.base_box.blockSignals(False)

    @property
    def choice(self) -> dict[str, Any] | None:
        """Arguments of `memory.memscope.compare`; None without another dump."""
        base = self.base_box.currentData()
        if base is None:
            return None
        return {"base": str(base), "rule": self.rule_box.currentData(), "by": self.by_box.currentData()}

    def show_rows(self, found: pa.Table) -> None:
        """The answer."""
        self.table.show_table(found)
