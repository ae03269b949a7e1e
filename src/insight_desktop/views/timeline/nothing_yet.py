"""What stands in the timeline as long as no card was read: why it is empty and the way out."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from insight_desktop.engine.capture import Capture
from insight_desktop.views.common import parts
from insight_desktop.views.common.language import tr

_WIDEST = 460


def has_events(captures: Iterable[Capture | None]) -> bool:
    """False when no card has anything to draw (cards without a trace are cards all the same)."""
    names = ("slices", "derived_slices", "instants", "counters")
    return any(c is not None and any(c.manifest.counts.get(n) for n in names) for c in captures)


class NothingYet(QFrame):
    """Title, explanation, button.

    Signals:
        read_wanted: all cards are to be read.
    """

    read_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.title = parts.label(role="title")
        self.text = parts.label(role="explain")
        self.text.setWordWrap(True)
        self.text.setFixedWidth(_WIDEST)
        self.button = parts.button("", "play", default=True, click=self.read_wanted.emit)
        column = parts.rows(self, margins=(24, 0, 24, 40), gap=12)
        column.addStretch(1)
        for widget in (self.title, self.text, self.button):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self._has_cards = False
        self._translate()

    def explain(self, *, has_cards: bool) -> None:
        """Say why the chart is empty: cards were read but hold no events, or none was read."""
        if has_cards != self._has_cards:
            self._has_cards = has_cards
            self._translate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _translate(self) -> None:
        self.button.setVisible(not self._has_cards)
        if self._has_cards:
            self.title.setText(tr("These cards have no timeline"))
            self.text.setText(
                tr(
                    "Their folders hold tables only: there is no trace_view.json, no msprof*.json and no profiler database "
                    "with events. Memory and Operator show the tables. For a timeline collect with export to text or db; "
                    "if there is raw data, run the collector's analyse() or msprof --export=on first."
                )
            )
        else:
            self.title.setText(tr("No card has been read yet"))
            self.text.setText(
                tr(
                    "There are many cards, so each is read when you ask for it: with ▷ in its row of the data panel, or all."
                )
            )
        self.text.setFixedHeight(self.text.heightForWidth(_WIDEST))
        self.button.setText(tr("Read all cards"))
