"""The context that pages of one project get. It ends with them, so nothing of theirs is called afterwards."""

from __future__ import annotations

from PySide6.QtCore import QObject

from insight_desktop.views.common.context import Context


class PageContext(Context):
    """Shares store, current card and running imports with the window's context; signals pass through.

    The window's news go to the pages; what pages tell goes to the window. A page that makes another card the current
    one tells everybody.
    """

    def __init__(self, whole: Context, parent: QObject | None = None) -> None:
        self._whole = whole
        super().__init__(whole.store, parent)
        self.reading = whole.reading
        for name in ("store_changed", "theme_changed", "language_changed", "card_selected"):
            getattr(whole, name).connect(getattr(self, name))
        for name in ("status", "cursor", "message", "view_changed", "parse_requested"):
            getattr(self, name).connect(getattr(whole, name))

    @property
    def card(self) -> str | None:
        """Name of the current card."""
        return self._whole.card

    @card.setter
    def card(self, name: str | None) -> None:
        if name is not None and name != self._whole.card:  # the base class begins with None
            self._whole.card = name
            self._whole.card_selected.emit(name)

    def select_card(self, name: str) -> None:
        """Make a card the current one of all pages."""
        self._whole.select_card(name)
