"""What stands where nothing is to be shown: one sentence what is missing, one what to do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget


class EmptyText(QWidget):
    """A title and an explanation in the middle of a panel."""

    def __init__(self, title: str = "", text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title, self._text = QLabel(), QLabel()
        self._title.setProperty("strong", "true")
        self._title.setProperty("level", "1")
        self._text.setProperty("level", "2")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 12, 24, 12)
        layout.setSpacing(6)
        layout.addStretch(1)
        for label in (self._title, self._text):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            layout.addWidget(label)
        layout.addStretch(1)
        self.set_texts(title, text)

    def set_texts(self, title: str, text: str = "") -> None:
        """Other texts, already in the current language."""
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))

    def texts(self) -> tuple[str, str]:
        """Title and explanation."""
        return self._title.text(), self._text.text()
