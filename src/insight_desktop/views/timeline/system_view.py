"""System View: statistics, advice and events of one card, as tables beside a list of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from insight_desktop.engine.store import StoreCard
from insight_desktop.engine.timeline import layers
from insight_desktop.errors import InsightError
from insight_desktop.views.common import parts
from insight_desktop.views.common.context import Context
from insight_desktop.views.timeline.system_view_advice import EXPERT
from insight_desktop.views.timeline.system_view_items import EVENTS, STATS, is_ftrace
from insight_desktop.views.timeline.system_view_parts import Item, Question, TimeFilter, View
from insight_desktop.views.timeline.system_view_side import SideColumn
from insight_desktop.views.timeline.system_view_table import ItemPage
from insight_desktop.views.timeline.times import shift_of_tracks

ITEMS: dict[str, Item] = {item.id: item for item in (*STATS, *EXPERT, EVENTS)}


class SystemView(QWidget):
    """The list at the left chooses a table at the right. Tables are built and asked for when they are first shown.

    Signals:
        filter_cleared: the user wants the whole data instead of the time filter.
        page_built: a table was shown for the first time.
    """

    filter_cleared = Signal()
    page_built = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.filter: TimeFilter | None = None
        self.pages: dict[str, ItemPage] = {}
        self._chosen: dict[View, str] = {"stats": STATS[0].id, "expert": EXPERT[0].id, "events": EVENTS.id}
        self._events: tuple[str, tuple[int, ...], str] | None = None  # card, lanes, title
        self._ftrace: dict[str, bool] = {}
        self._states: dict[str, Any] = {}
        self.side = SideColumn()
        self.stack = QStackedWidget()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.side)
        self.splitter.addWidget(self.stack)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setCollapsible(1, False)
        self.splitter.setSizes([290, 900])
        parts.rows(self).addWidget(self.splitter)
        self.side.view_chosen.connect(lambda _view: self._fill())
        self.side.item_chosen.connect(self._item_chosen)
        self.side.card_chosen.connect(self._card_chosen)
        self.side.whole_changed.connect(lambda _on: self._ask())
        self.side.filter_cleared.connect(self._clear_filter)
        context.store_changed.connect(self._store_changed)
        context.card_selected.connect(self._card_selected)
        self._fill()

    # ---- what is shown -----------------------------------------------------------------------------------------------

    @property
    def page(self) -> ItemPage | None:
        """The table on screen."""
        found = self.stack.currentWidget()
        return found if isinstance(found, ItemPage) else None

    def show_item(self, item_id: str) -> None:
        """Show an item of any view."""
        item = ITEMS[item_id]
        self._chosen[item.view] = item_id
        self.side.set_view(item.view)
        self._fill()

    def show_events(self, card: str, tracks: Sequence[int], title: str = "") -> None:
        """The Events View of some lanes (positions in the capture) of a card."""
        self._events = (card, tuple(tracks), title)
        self.show_item(EVENTS.id)

    def set_time_filter(self, found: TimeFilter | None) -> None:
        """Limit all tables to a stretch of axis time; None for the whole data."""
        self.filter = found
        self.side.set_filter(found)
        self._ask()

    def copy(self) -> None:
        """Put the table on screen on the clipboard."""
        if self.page is not None:
            self.page.copy()

    def view_state(self) -> dict[str, Any]:
        """View, items, card and how the tables are arranged."""
        tables = {**self._states, **{name: page.view_state() for name, page in self.pages.items()}}
        return {
            "view": self.side.view, "items": dict(self._chosen), "card": self.side.cards.card, "tables": tables,
            "whole_slices": self.side.whole.isChecked(), "sizes": self.splitter.sizes(),
        }  # fmt: skip

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave; unknown values are ignored."""
        tables = state.get("tables")
        self._states = dict(tables) if isinstance(tables, dict) else {}
        for name, page in self.pages.items():
            if isinstance(self._states.get(name), dict):
                page.restore_state(self._states.pop(name))
        for view, item_id in dict(state.get("items", {})).items():
            if item_id in ITEMS and ITEMS[item_id].view == view:
                self._chosen[ITEMS[item_id].view] = item_id
        self.side.whole.setChecked(bool(state.get("whole_slices", False)))
        if state.get("sizes"):
            self.splitter.setSizes([int(size) for size in state["sizes"]])
        if isinstance(state.get("card"), str):
            self.side.cards.choose(state["card"])
        if state.get("view") in self._chosen:
            self.side.set_view(state["view"])
        self._fill()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fill()

    # ---- choices -----------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """The list of the view, the cards that fit, and the chosen table."""
        view = self.side.view
        items = self._items(view)
        self.side.set_items(items, self._chosen[view])
        self._chosen[view] = self.side.item or self._chosen[view]
        self._fill_cards()
        self._show_page()

    def _items(self, view: View) -> list[Item]:
        if view == "expert":
            return list(EXPERT)
        if view == "events":
            return [EVENTS]
        has = {self._is_ftrace(card) for card in self.context.store.cards} or {False}
        return [item for item in STATS if item.ftrace in has]

    def _fill_cards(self) -> None:
        item = ITEMS[self._chosen[self.side.view]]
        self.side.cards.setVisible(item.view != "events")
        self.side.set_cards(
            [c for c in self.context.store.cards if self._is_ftrace(c) == item.ftrace], self.context.card
        )

    def _is_ftrace(self, card: StoreCard) -> bool:
        if card.name not in self._ftrace:
            try:
                self._ftrace[card.name] = is_ftrace(self.context.store, card.name)
            except InsightError:  # the capture is gone; the table says what is wrong with it
                return False
        return self._ftrace[card.name]

    def _item_chosen(self, item_id: str) -> None:
        self._chosen[self.side.view] = item_id
        self._fill_cards()
        self._show_page()
        self.context.view_changed.emit()

    def _card_chosen(self, card: str) -> None:
        self.context.select_card(card)
        self._ask()

    def _card_selected(self, card: str) -> None:
        if self.side.cards.choose(card):
            self._ask()

    def _show_page(self) -> None:
        item_id = self._chosen[self.side.view]
        if not self.isVisible() and item_id not in self.pages:
            return
        if item_id not in self.pages:
            page = ItemPage(self.context, ITEMS[item_id])
            if isinstance(self._states.get(item_id), dict):
                page.restore_state(self._states.pop(item_id))
            self.pages[item_id] = page
            page.details_built.connect(self.page_built)
            self.stack.addWidget(page)
            self.page_built.emit()
        self.stack.setCurrentWidget(self.pages[item_id])
        self._ask()

    def _clear_filter(self) -> None:
        self.set_time_filter(None)
        self.filter_cleared.emit()

    # ---- asking ------------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        page = self.page
        if page is None or not self.isVisible():
            return
        card: str | None = self.side.cards.card
        tracks: tuple[int, ...] = ()
        title = ""
        if page.item.view == "events":
            card, tracks, title = self._events or (None, (), "")
        if card is None or all(c.name != card for c in self.context.store.cards):
            page.show_nothing()
            return
        low = high = None
        if self.filter is not None:
            shift = shift_of_tracks(self.context.store, card, tracks or self._lanes_of(card, page.item))
            low, high = self.filter.start_ns + shift, self.filter.end_ns + shift
        whole = self.side.whole.isChecked() and self.filter is not None
        page.show_answer_to(Question(card, low, high, whole, tracks), title)

    def _lanes_of(self, card: str, item: Item) -> tuple[int, ...]:
        """The lanes that an item counts, where lanes of the card were moved against it."""
        if not self.context.store.card(card).lane_offsets or item.view != "stats":
            return ()
        view: layers.View = next((v for v in get_args(layers.View) if item.id.startswith(v)), "ascend_hw")
        return layers.tracks_of(self.context.store, card, view)

    def _store_changed(self) -> None:
        self._ftrace.clear()
        for page in self.pages.values():
            page.forget()
        self._fill()
