"""A row of tools that fits into any width: what has no room moves into a menu at its end."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from insight_desktop.views.common import fonts, icons, parts
from insight_desktop.views.common.language import tr

_MARGIN, _GAP = 12, 4
_COMFORT = 130  # pixels that fields get beyond their least width before a button has to go


class ToolRow(QWidget):
    """Tools and fields from left to right.

    Args:
        widgets: everything, with how much of the spare room each takes; None stands for a stretch.
        leaving: buttons that may move into the menu, the first one first.
    """

    def __init__(
        self,
        widgets: Sequence[tuple[QWidget, int] | None],
        leaving: Sequence[QToolButton],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.leaving = list(leaving)
        self.more = QToolButton()
        icons.put(self.more, "dots-three")
        self.more.setAutoRaise(True)
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more.clicked.connect(self._pop)
        self.setObjectName("surface")
        self.setProperty("edge", "bottom")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        parts.keep_height(self, 38)
        self._row = parts.columns(self, margins=(_MARGIN, 0, _MARGIN, 0), gap=_GAP)
        self.widgets: list[QWidget] = []
        for entry in widgets:
            if entry is None:
                self._row.addStretch()
                continue
            self._row.addWidget(entry[0], entry[1])
            self.widgets.append(entry[0])
        self._row.addWidget(self.more)
        self.more.hide()
        self._translate()

    def insert(self, button: QToolButton) -> None:
        """Put another button before all others; it moves into the menu last."""
        self._row.insertWidget(0, button)
        self.widgets.insert(0, button)
        self.leaving.append(button)
        self.fit()

    def hidden(self) -> list[QToolButton]:
        """The buttons that are in the menu now."""
        return [button for button in self.leaving if button.isHidden()]

    def anchor(self, button: QToolButton) -> QWidget:
        """Where a popup of a button belongs: below it, or below the menu that holds it."""
        return self.more if button.isHidden() else button

    def fit(self) -> None:
        """Hide as many buttons as needed for the width of now."""
        room = self.width() - 2 * _MARGIN
        away = 0
        while away < len(self.leaving) and self._needed(away, comfortable=True) > room:
            away += 1
        for at, button in enumerate(self.leaving):
            button.setVisible(at >= away)
        self.more.setVisible(away > 0)

    def menu(self) -> QMenu:
        """The hidden buttons as entries."""
        menu = QMenu(self)
        for button in (widget for widget in self.widgets if widget in self.hidden()):
            if isinstance(button, QToolButton):
                action = QAction(button.icon(), button.toolTip(), menu)
                action.setEnabled(button.isEnabled())
                action.setCheckable(button.isCheckable())
                action.setChecked(button.isChecked())
                action.triggered.connect(lambda _=False, button=button: button.click())
                menu.addAction(action)
        return menu

    def minimumSizeHint(self) -> QSize:
        return QSize(self._needed(len(self.leaving)) + 2 * _MARGIN, self.height())

    def sizeHint(self) -> QSize:
        return QSize(self._needed(0) + 2 * _MARGIN, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _needed(self, away: int, *, comfortable: bool = False) -> int:
        """Width with so many buttons in the menu; fields are narrow, or as wide as is comfortable."""
        gone = self.leaving[:away]
        shown = [widget for widget in self.widgets if widget not in gone]
        if away:
            shown.append(self.more)
        least = sum(max(w.minimumSizeHint().width(), w.minimumWidth()) + _GAP for w in shown)
        return least + (fonts.scaled(_COMFORT) if comfortable else 0)

    def _pop(self) -> None:
        self.menu().popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def _translate(self) -> None:
        parts.set_tip(self.more, tr("More tools"))
