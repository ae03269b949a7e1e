"""The row of tabs by scene, with the search slot at its right end."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QLabel, QTabBar, QWidget

from insight_desktop.views.common import fonts, parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Tab
from insight_desktop.views.tabs import LABELS, grouped

HEIGHT = 34
SEARCH_WIDTH = 270


class _Bar(QTabBar):
    """Tabs whose width is that of their bold text, so that nothing moves when another one is chosen."""

    def tabSizeHint(self, index: int) -> QSize:
        width = QFontMetrics(fonts.ui(bold=True)).horizontalAdvance(self.tabText(index)) + 26
        return QSize(width, HEIGHT)


class TabRow(QFrame):
    """One tab bar per area, each behind its label.

    Signals:
        chosen: id of a tab.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("frame")
        self.setProperty("edge", "bottom")
        parts.keep_height(self, HEIGHT + 1)
        outer = parts.columns(self, margins=(10, 0, 8, 1), gap=6)
        self._groups = parts.columns(gap=4)
        outer.addLayout(self._groups)
        outer.addStretch(1)
        self._slot = parts.columns(gap=4)
        outer.addLayout(self._slot)
        self._tabs: list[Tab] = []
        self._bars: list[tuple[_Bar, tuple[Tab, ...]]] = []
        self._labels: list[tuple[QLabel, str]] = []
        self.current = ""

    def set_tabs(self, tabs: list[Tab]) -> None:
        """Show these tabs; the current one stays if it is among them, else the first one is chosen."""
        if [t.id for t in tabs] != [t.id for t in self._tabs]:
            self._tabs = tabs
            self._rebuild()
        if self.current not in [t.id for t in tabs]:
            self.choose(tabs[0].id if tabs else "")

    def ids(self) -> list[str]:
        """Ids of the tabs from left to right."""
        return [tab.id for tab in self._tabs]

    def titles(self) -> list[str]:
        """Texts of the tabs from left to right."""
        return [bar.tabText(i) for bar, _ in self._bars for i in range(bar.count())]

    def choose(self, tab_id: str) -> None:
        self.current = tab_id
        for bar, tabs in self._bars:
            ids = [t.id for t in tabs]
            bar.blockSignals(True)
            if tab_id in ids:
                bar.setCurrentIndex(ids.index(tab_id))
            bar.blockSignals(False)
            # A tab bar always has a current tab; one whose tabs are all behind the chosen one looks as if it had none.
            parts.set_state(bar, chosen="true" if tab_id in ids else "false")
        self.chosen.emit(tab_id)

    def set_search(self, widget: QWidget | None) -> None:
        """Put a page's search box into the slot; the page keeps owning it."""
        while self._slot.count():
            item = self._slot.takeAt(0)
            old = item.widget() if item is not None else None
            if old is not None and old is not widget:
                old.hide()
                old.setParent(None)
        if widget is not None:
            widget.setMaximumWidth(fonts.scaled(SEARCH_WIDTH + 60))
            self._slot.addWidget(widget)
            widget.show()

    def _rebuild(self) -> None:
        parts.clear(self._groups)
        self._bars, self._labels = [], []
        for group in grouped(self._tabs):
            label = parts.label(tr(group.label), level=3)
            label.setContentsMargins(0, 0, 4, 0)
            self._groups.addWidget(label)
            self._labels.append((label, group.label))
            bar = _Bar()
            bar.setObjectName("pages")
            bar.setDrawBase(False)
            bar.setExpanding(False)
            parts.keep_height(bar, HEIGHT)
            for tab in group.tabs:
                bar.addTab(_text(tab))
            bar.tabBarClicked.connect(lambda i, tabs=group.tabs: self.choose(tabs[i].id) if i >= 0 else None)
            bar.currentChanged.connect(lambda i, tabs=group.tabs: self.choose(tabs[i].id) if i >= 0 else None)
            self._bars.append((bar, group.tabs))
            self._groups.addWidget(bar)

    def retranslate(self) -> None:
        for label, text in self._labels:
            label.setText(tr(text))
        for bar, tabs in self._bars:
            for i, tab in enumerate(tabs):
                bar.setTabText(i, _text(tab))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)


def _text(tab: Tab) -> str:
    return tr(LABELS.get(tab.id, tab.title))
