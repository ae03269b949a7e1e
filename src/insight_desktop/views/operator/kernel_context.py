"""The context of the operator's Timeline: the window's, with a store whose timeline cards are the kernels."""

from __future__ import annotations

from PySide6.QtCore import QObject

from insight_desktop.engine.operator import timeline
from insight_desktop.views.common.context import Context
from insight_desktop.views.operator.deferred_traces import DeferredTraces


class KernelContext(Context):
    """Passes the window's news on and what the page tells back; flags, jumps and comparisons are its own."""

    def __init__(self, outer: Context, parent: QObject | None = None) -> None:
        super().__init__(timeline.of_kernels(outer.store, wait=False), parent)
        self.outer = outer
        self.traces = DeferredTraces(self)
        self.traces.changed.connect(self._renew)
        self._take_over()
        outer.store_changed.connect(self._renew)
        outer.card_selected.connect(self._card_clicked)
        for name in ("theme_changed", "language_changed", "card_forgotten"):
            getattr(outer, name).connect(getattr(self, name))
        for name in ("status", "cursor", "message", "view_changed", "parse_requested", "tab_wanted", "source_wanted"):
            getattr(self, name).connect(getattr(outer, name))
        self.card_selected.connect(outer.select_card)

    def want_traces(self) -> None:
        """The page is seen: large traces that were left out are read now."""
        self.traces.want(self.outer.store)
        if self.traces.reading:
            self._renew()

    def _renew(self) -> None:
        self._take_over()
        self.store_changed.emit()

    def _take_over(self) -> None:
        """The store of the kernels, and those of the cards being read that are kernels."""
        self.store = timeline.of_kernels(self.outer.store, wait=False)
        reading = (*self.outer.reading.items(), *self.traces.reading.items())
        self.reading = {n: f for n, f in reading if getattr(getattr(f, "card", None), "area", "") == "operator"}
        if self.outer.card in {card.name for card in self.store.cards}:
            self.card = self.outer.card

    def _card_clicked(self, name: str) -> None:
        if name in {card.name for card in self.store.cards}:
            self.select_card(name)
