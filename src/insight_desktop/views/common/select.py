"""A select whose entry ends in dots when there is no room for it; the tooltip then has all of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QToolTip

_SLACK = 4  # pixels of the arrow's field that stay empty: styles let texts run into them


class Select(QComboBox):
    """A select of fixed entries. Styles cut a long entry in the middle of a letter; this one ends in dots."""

    def fill(self, entries: Sequence[tuple[str, str]], wanted: Any) -> None:
        """Offer entries as (text, key) without a signal; the wanted key is chosen, else the first."""
        with QSignalBlocker(self):
            self.clear()
            for text, key in entries:
                self.addItem(text, key)
            self.setCurrentIndex(max(0, self.findData(wanted)) if entries else -1)

    def shown_text(self) -> str:
        """The entry as it is painted."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        room = field.width() + _SLACK - (0 if option.currentIcon.isNull() else option.iconSize.width() + 4)
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown_text()
        if shown == self.currentText():
            super().paintEvent(event)
            return
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = shown
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and not self.toolTip() and isinstance(event, QHelpEvent):
            if self.shown_text() != self.currentText():
                QToolTip.showText(event.globalPos(), self.currentText(), self)
            return True
        return super().event(event)
