"""The recorded tables of a serving run below the Timeline: a list of them, and the rows of the chosen one."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QListWidget, QListWidgetItem, QSplitter, QWidget

from insight_desktop.engine.service import curve_rows, tables
from insight_desktop.engine.store import Store
from insight_desktop.errors import InsightError
from insight_desktop.views.common import icons, language, number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.card_selector import fill_cards
from insight_desktop.views.common.context import RequestPlace
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.timeline.state import TimelineState

_ROLE = Qt.ItemDataRole.UserRole
_RID = ("http_rid", "rid")  # columns that name a request


def listed(store: Store, *, card: str) -> list[dict[str, Any]]:
    """Tables of a run in their order."""
    return list(tables.list(store, card=card).to_pylist())


def rows(store: Store, *, card: str, name: str) -> pa.Table:
    """All rows of a table; columns that hold numbers only are numbers."""
    found = tables.whole(store, table=name, card=card)
    return pa.table({column: curve_rows.typed(found[column]) for column in found.column_names})


class ServiceTablesPanel(QWidget):
    """Run, tables on the left, rows on the right."""

    def __init__(self, state: TimelineState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.cards = Select()
        self.cards.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.list = QListWidget()
        self.words = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.words.setProperty("level", "2")
        self.export_button = parts.button("", "download-simple", flat=True, click=lambda: self.table.export_dialog())
        self.table = ArrowTable()
        self.table.setProperty("edge", "none")
        self._asker = Asker(state.context, self)
        self._shown: str | None = None
        self._tables: list[dict[str, Any]] = []
        self._wanted = ""
        self._build()
        self.cards.currentIndexChanged.connect(lambda _at: self._ask())
        self.list.currentItemChanged.connect(lambda item, _old: self._show(item))
        self.table.rows_changed.connect(lambda _shown, _all: self._tell())
        self.table.row_activated.connect(self._activated)
        state.context.store_changed.connect(self.refresh)
        self.retranslate()
        self.refresh()

    def _build(self) -> None:
        left = QWidget()
        column = parts.rows(left)
        column.addWidget(self.cards)
        column.addWidget(self.list, 1)
        right = QWidget()
        head = parts.columns(margins=(10, 3, 6, 3))
        head.addWidget(self.words, 1)
        head.addWidget(self.export_button)
        inner = parts.rows(right)
        inner.addLayout(head)
        inner.addWidget(parts.line())
        inner.addWidget(self.table, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(left)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([190, 900])
        parts.rows(self).addWidget(splitter)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.cards.setAccessibleName(tr("Rank ID"))
        self.list.setAccessibleName(tr("Service tables"))
        self.table.setAccessibleName(tr("Rows of the table"))
        self.export_button.setText(tr("Export…"))
        self._fill()
        self._tell()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "table"):
            self.retranslate()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    # ---- what is listed ----------------------------------------------------------------------------------------------

    @property
    def card(self) -> str | None:
        """The run whose tables are listed."""
        found = self.cards.currentData()
        return str(found) if found is not None else None

    @property
    def name(self) -> str:
        """The chosen table; empty for none."""
        item = self.list.currentItem()
        return str(item.data(_ROLE)) if item is not None else ""

    def refresh(self) -> None:
        """The runs there are now."""
        context = self.state.context
        fill_cards(self.cards, context.store.cards_of("service"), self.card or context.card)
        self._shown = None
        if self.isVisible():
            self._ask()

    def _ask(self) -> None:
        card = self.card
        if card is not None and card != self._shown:
            self._shown = card
            self._asker.ask(listed, card=card, then=self._take, failed=self._failed)

    def _take(self, found: list[dict[str, Any]]) -> None:
        self._tables = found
        self._fill()
        if not found:
            self._clear(tr("This run has no recorded tables."))

    def _fill(self) -> None:
        """The list; the chosen table stays chosen."""
        name = self.name or self._wanted
        with QSignalBlocker(self.list):
            self.list.clear()
            for one in self._tables:
                item = QListWidgetItem(one["name"], self.list)
                item.setData(_ROLE, one["name"])
                chinese = language.current() == "zh"
                words = (one["description_zh"] if chinese else "") or one["description_en"]
                if one["error"]:
                    item.setIcon(icons.icon("warning", "warn"))
                    words = tr("Cannot be read: {0}").format(one["error"])
                item.setToolTip(words)
        names = [one["name"] for one in self._tables]
        if names:
            self.list.setCurrentRow(names.index(name) if name in names else 0)

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is not None and self.card is not None:
            self._wanted = str(item.data(_ROLE))
            self._asker.ask(rows, card=self.card, name=self._wanted, then=self._take_rows, failed=self._failed)

    def _take_rows(self, found: pa.Table) -> None:
        self.table.set_empty_text(tr("No rows"))
        self.table.show_table(found)
        self.table.scrollToTop()
        self._tell()

    def _failed(self, error: InsightError) -> None:
        self._clear(f"{say(error.message)} {say(error.fix)}")

    def _clear(self, text: str) -> None:
        self.table.set_empty_text(text)
        self.table.show_table(pa.table({"": pa.array([], pa.string())}))
        self._tell()

    def _tell(self) -> None:
        shown, every = self.table.model().rowCount(), self.table.table.num_rows
        text = tr("{0} of {1} rows").format(number_text.count(shown), number_text.count(every))
        self.words.set_text(f"{self.name}  ·  {text}" if self.name else "")

    def _activated(self, row: int) -> None:
        """A double click on a row with a request follows it."""
        values = self.table.row(row)
        rid = next((values[name] for name in _RID if values.get(name) not in (None, "")), None)
        if rid is not None and self.card is not None:
            self.state.context.request_chosen.emit(RequestPlace(self.card, str(rid)))

    # ---- session -----------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Table and its order, for the session file."""
        return {"name": self.name or self._wanted, "table": self.table.view_state()}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave."""
        self._wanted = str(state.get("name") or "")
        self._fill()
