"""The rail: one button per area, at the left edge of the window."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QToolButton, QWidget

from insight_desktop.views.common import fonts, icons, parts, theme

WIDTH = 44
_MARGINS = 8


class Rail(QFrame):
    """Buttons of 36 px with icons of 20 px; a pressed button tells its id.

    Signals:
        pressed: id of the button.
    """

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("frame")
        self.setProperty("edge", "right")
        theme.notifier.changed.connect(self._fit)
        self._fit()
        self._layout = parts.rows(self, margins=(3, 6, 4, 6), gap=4)
        self._layout.addStretch(1)
        self.buttons: dict[str, QToolButton] = {}
        self._top = 0

    def add(self, name: str, icon: str, *, checkable: bool = False, bottom: bool = False) -> QToolButton:
        """Add a button at the end of the upper or the lower group."""
        button = QToolButton()
        button.setObjectName("rail")
        icons.put(button, icon)
        icons.fit(button, icons.RAIL, 36)
        button.setCheckable(checkable)
        button.clicked.connect(lambda _=False: self.pressed.emit(name))
        if bottom:
            self._layout.addWidget(button)
        else:
            self._layout.insertWidget(self._top, button)
            self._top += 1
        self.buttons[name] = button
        return button

    def _fit(self) -> None:
        self.setFixedWidth(fonts.scaled(WIDTH - _MARGINS) + _MARGINS)

    def set_tip(self, name: str, tip: str, keys: str = "") -> None:
        parts.set_tip(self.buttons[name], tip, keys)
