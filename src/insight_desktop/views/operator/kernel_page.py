"""A page that shows one kernel of several: which one, and what happens when another one is chosen."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.store import StoreCard
from insight_desktop.views.common.card_selector import SearchBox
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.page import Page


class KernelPage(Page):
    """Subclasses place `kernel_box`, call `follow_kernels` when they are built, and fill themselves in `_ask`.

    Attributes:
        KIND: kind of the cards that are offered.
        loaded: what is shown, None for nothing.
    """

    KIND = "operator"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.kernel_box = SearchBox()
        self.loaded: Any = None
        self._card: str | None = None

    def follow_kernels(self) -> None:
        """Listen to the select, the store and the cards that are chosen elsewhere."""
        self.kernel_box.currentIndexChanged.connect(lambda _i: self._kernel_chosen())
        self.context.store_changed.connect(self.refresh)
        self.context.card_selected.connect(self._card_clicked)

    @property
    def card(self) -> str | None:
        """The kernel that is shown."""
        return self._card

    def own_cards(self) -> list[StoreCard]:
        """Kernels of the project; a baseline of another project is none of them."""
        return [c for c in self.context.store.cards_of("operator") if c.kind == self.KIND and not c.guest]

    def refresh(self) -> None:
        """Take over the kernels of the store; the chosen one stays where it is there."""
        self.fill_kernels()
        self._ask()

    def fill_kernels(self) -> None:
        """Offer the kernels of the store."""
        cards = self.own_cards()
        names = [card.name for card in cards]
        self._card = next((n for n in (self._card, self.context.card) if n in names), None) or self._first(names)
        self.kernel_box.fill([(card.alias or card.name, card.name) for card in cards], self._card)
        self.kernel_box.setVisible(len(cards) > 1)

    def choose(self, name: str) -> None:
        """Show another kernel; unknown names change nothing."""
        at = self.kernel_box.findData(name)
        if at >= 0:
            self.kernel_box.setCurrentIndex(at)

    def retranslate(self) -> None:
        """All texts in the current language."""

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.loaded is None:
            self.refresh()
        self._tell()

    # ---- what subclasses give ----------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Ask for what is shown of the chosen kernel, or say why there is none."""

    def _other_kernel(self) -> None:
        """Another kernel was chosen."""
        self._ask()

    def _first(self, names: list[str]) -> str | None:
        """The kernel that is shown first."""
        return names[0] if names else None

    def _tell(self) -> None:
        """Status bar."""

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _kernel_chosen(self) -> None:
        found = self.kernel_box.currentData()
        if found is not None and str(found) != self._card:
            self._card = str(found)
            self.context.select_card(self._card)
            self._other_kernel()
            self.context.view_changed.emit()

    def _card_clicked(self, name: str) -> None:
        if name != self._card:
            self.choose(name)
