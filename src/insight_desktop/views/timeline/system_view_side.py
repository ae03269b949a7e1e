"""The left column of the System View: time filter, view, card, whole slices, and the list of items with their help."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QListWidget, QListWidgetItem, QWidget

from insight_desktop.engine.store import StoreCard
from insight_desktop.views.common import fonts, number_text, parts
from insight_desktop.views.common.card_selector import CardSelector
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.timeline.system_view_parts import Item, TimeFilter, View

_ROW = 24
_ROOM = 300  # height below which there is no help
VIEWS: tuple[tuple[View, str], ...] = (
    ("stats", QT_TRANSLATE_NOOP("insight", "Stats System View")),
    ("expert", QT_TRANSLATE_NOOP("insight", "Expert System View")),
    ("events", QT_TRANSLATE_NOOP("insight", "Events View")),
)


class SideColumn(QWidget):
    """Choices of the System View.

    Signals:
        view_chosen: another list of items.
        item_chosen: id of an item.
        card_chosen: name of a card.
        whole_changed: the switch "Whole slices".
        filter_cleared: the user wants the whole data.
    """

    view_chosen = Signal(str)
    item_chosen = Signal(str)
    card_chosen = Signal(str)
    whole_changed = Signal(bool)
    filter_cleared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMaximumWidth(400)
        self.setMinimumWidth(220)
        self._filter: TimeFilter | None = None
        self._items: Sequence[Item] = ()
        self.filter_text = parts.label(level=2)
        self.filter_text.setWordWrap(True)
        self.filter_text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.clear_button = parts.button("", link=True, click=self.filter_cleared.emit)
        self.view_box = Select()
        self.cards = CardSelector()
        self.whole = QCheckBox()
        self.list = QListWidget()
        self.list.setMinimumHeight(fonts.scaled(_ROW))
        self.list.setViewportMargins(8, 2, 0, 2)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.help = parts.label(level=2)
        self.help.setWordWrap(True)
        self.help.setContentsMargins(10, 4, 10, 6)
        column = parts.rows(self)
        top = parts.rows(margins=(10, 6, 10, 6), gap=6)
        words = parts.columns(gap=6)
        words.addWidget(self.filter_text, 1)
        words.addWidget(self.clear_button)
        top.addLayout(words)
        for widget in (self.view_box, self.cards, self.whole):
            top.addWidget(widget)
        column.addLayout(top)
        column.addWidget(parts.line())
        column.addWidget(self.list, 1)
        self._foot = parts.line()
        column.addWidget(self._foot)
        column.addWidget(self.help)
        self.view_box.currentIndexChanged.connect(lambda at: self.view_chosen.emit(VIEWS[at][0]))
        self.list.currentRowChanged.connect(self._row_chosen)
        self.cards.card_changed.connect(self.card_chosen)
        self.whole.toggled.connect(self.whole_changed)
        self.retranslate()
        self.set_filter(None)

    # ---- what is chosen ----------------------------------------------------------------------------------------------

    @property
    def view(self) -> View:
        """The list that is shown."""
        return VIEWS[max(self.view_box.currentIndex(), 0)][0]

    def set_view(self, view: View) -> None:
        """Show another list; says nothing."""
        with QSignalBlocker(self.view_box):
            self.view_box.setCurrentIndex([v for v, _ in VIEWS].index(view))

    def set_items(self, items: Sequence[Item], current: str) -> None:
        """The items of a list; says nothing."""
        self._items = tuple(items)
        with QSignalBlocker(self.list):
            self.list.clear()
            for item in items:
                entry = QListWidgetItem(tr(item.title))
                entry.setToolTip(tr(item.help))
                entry.setSizeHint(QSize(0, fonts.scaled(_ROW)))
                self.list.addItem(entry)
            ids = [item.id for item in items]
            self.list.setCurrentRow(ids.index(current) if current in ids else 0)
        self._tell_help()

    @property
    def item(self) -> str:
        """Id of the chosen item; empty without items."""
        row = self.list.currentRow()
        return self._items[row].id if 0 <= row < len(self._items) else ""

    def set_cards(self, cards: Sequence[StoreCard], current: str | None) -> None:
        """The cards that can be chosen."""
        self.cards.set_cards(cards, current)

    def set_filter(self, found: TimeFilter | None) -> None:
        """Show the time filter; None for the whole data."""
        self._filter = found
        self.filter_text.setVisible(found is not None)
        self.clear_button.setVisible(found is not None)
        self.whole.setVisible(found is not None)
        if found is not None:
            start, end = number_text.ruler(found.start_ns), number_text.ruler(found.end_ns)
            self.filter_text.setText(tr("Time Filter: {a} to {b}").format(a=start, b=end))

    # ---- texts -------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low panel the help, which the items tell as tooltips too, leaves its room to what is above."""
        has_room = event.size().height() >= fonts.scaled(_ROOM)
        for widget in (self._foot, self.help):
            widget.setVisible(has_room)
        self.filter_text.setMinimumHeight(2 * self.filter_text.fontMetrics().lineSpacing() + 2)
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """All texts in the current language."""
        view, item = self.view, self.item
        with QSignalBlocker(self.view_box):
            self.view_box.clear()
            self.view_box.addItems([tr(title) for _, title in VIEWS])
        self.set_view(view)
        self.set_items(self._items, item)
        self.clear_button.setText(tr("Clear"))
        self.clear_button.setToolTip(tr("Show the whole data again"))
        self.whole.setText(tr("Whole slices"))
        self.whole.setToolTip(tr("Slices that are partly inside count with their full length"))
        self.view_box.setAccessibleName(tr("View"))
        self.list.setAccessibleName(tr("Tables"))
        self.set_filter(self._filter)

    def _row_chosen(self, row: int) -> None:
        if 0 <= row < len(self._items):
            self._tell_help()
            self.item_chosen.emit(self._items[row].id)

    def _tell_help(self) -> None:
        found = next((i for i in self._items if i.id == self.item), None)
        self.help.setText(tr(found.help) if found is not None else "")
