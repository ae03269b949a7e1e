"""What stands in the timeline as long as no card was read: why it is empty and the way out."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from insight_desktop.views.common import parts
from insight_desktop.views.common.language import tr

_WIDEST = 460


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
        self._translate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _translate(self) -> None:
        self.title.setText(tr("No card has been read yet"))
        self.text.setText(
            tr(
                "There are many cards, so each is read when you ask for it: with ▷ in its row of the data panel, or all."
            )
        )
        self.text.setFixedHeight(self.text.heightForWidth(_WIDEST))
        self.button.setText(tr("Read all cards"))
