"""What every page and panel shares: the opened data, the selection, and the ways to say something to the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from insight_desktop.engine.store import Store


@dataclass(frozen=True)
class Jump:
    """A place to go to: a slice of a card (by id), or a time range, optionally on a lane, or a counter series."""

    card: str
    slice_id: int | None = None
    start_ns: int | None = None
    end_ns: int | None = None
    track: int | None = None
    series: int | None = None


class Context(QObject):
    """One per window. Pages listen to its signals; they never reach for each other.

    Signals:
        store_changed: cards were added, removed or re-read; `store` is up to date.
        theme_changed, language_changed: repaint or retranslate.
        status: list of texts for the status bar, the first one bold.
        cursor: time text at the mouse for the right end of the status bar.
        message: (level `error|warning|info|success`, text, fix) for a banner.
        jump: a Jump; the timeline goes there.
        events_wanted: (card, positions of lanes, title): the Events View of the Timeline shows their slices.
        card_selected: name of the card that became current.
        view_changed: something the session file keeps has changed.
        parse_requested: names of cards that the user wants read now; an empty list means all.
        flags_changed: `flags` is another list.
    """

    store_changed = Signal()
    theme_changed = Signal()
    language_changed = Signal()
    status = Signal(list)
    cursor = Signal(str)
    message = Signal(str, str, str)
    jump = Signal(object)
    events_wanted = Signal(str, list, str)
    card_selected = Signal(str)
    view_changed = Signal()
    parse_requested = Signal(list)
    flags_changed = Signal()

    def __init__(self, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store = store
        self.card: str | None = None  # the current card
        self.flags: list[
            Any
        ] = []  # flags of the timeline: name, start_ns, end_ns (None: one time), colour, card (None: axis)
        self.reading: dict[str, Any] = {}  # card name → engine.load.CardImport while it is read or failed

    def select_card(self, name: str) -> None:
        """Make a card the current one of all pages."""
        if name != self.card:
            self.card = name
            self.card_selected.emit(name)
