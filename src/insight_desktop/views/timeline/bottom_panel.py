"""The panel below the timeline: a row of tabs and what they show."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QToolButton, QVBoxLayout, QWidget

from insight_desktop.views.common import fonts, icons
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.find_panel import FindPanel
from insight_desktop.views.timeline.range_panel import RangePanel
from insight_desktop.views.timeline.search_results import Answer
from insight_desktop.views.timeline.slice_detail import SliceDetailPanel


class PanelTabs(QTabBar):
    """Tabs as wide as their bold text, so that nothing moves or is cut when another one is chosen."""

    def tabSizeHint(self, index: int) -> QSize:
        size = super().tabSizeHint(index)
        bold = QFontMetrics(fonts.ui(bold=True)).horizontalAdvance(self.tabText(index)) + 22
        return QSize(max(size.width(), bold), size.height())


class BottomPanel(QWidget):
    """Tabs Slice Detail, Selection and Find; `add_panel` adds more. Each panel may offer `copy()`.

    Signals:
        toggled: the panel was opened or closed.
        tab_changed: id of the tab that is shown.
    """

    toggled = Signal(bool)
    tab_changed = Signal(str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.setObjectName("frame")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._ids: list[str] = []
        self._titles: list[str] = []
        self.tabs = PanelTabs()
        self.tabs.setObjectName("panel")
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.currentChanged.connect(self._tab_chosen)
        self.stack = QStackedWidget()
        self.copy_button, self.close_button = _tool("copy"), _tool("x")
        self.copy_button.clicked.connect(self._copy)
        self.close_button.clicked.connect(lambda: self.set_open(False))
        row = QHBoxLayout()
        row.setContentsMargins(4, 0, 6, 0)
        row.setSpacing(4)
        row.addWidget(self.tabs)
        row.addStretch(1)
        row.addWidget(self.copy_button)
        row.addWidget(self.close_button)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(row)
        box.addWidget(self.stack, 1)
        self.detail, self.ranges, self.find_panel = SliceDetailPanel(context), RangePanel(context), FindPanel(context)
        self.add_panel("detail", "Slice Detail", self.detail)
        self.add_panel("selection", "Selection", self.ranges)
        self.add_panel("find", "Find", self.find_panel)
        self._translate()

    def add_panel(self, panel_id: str, title: str, panel: QWidget) -> None:
        """Add a tab; the title is English and translated here."""
        self._ids.append(panel_id)
        self._titles.append(title)
        self.stack.addWidget(panel)
        self.tabs.addTab(tr(title))

    def remove_panel(self, panel_id: str) -> None:
        """Take a tab out; its panel is not deleted."""
        at = self._ids.index(panel_id)
        panel = self.stack.widget(at)
        assert panel is not None
        del self._ids[at], self._titles[at]
        self.stack.removeWidget(panel)
        panel.setParent(None)
        self.tabs.removeTab(at)

    def current(self) -> str:
        """Id of the tab that is shown."""
        return self._ids[self.tabs.currentIndex()]

    def show_tab(self, panel_id: str, *, open_panel: bool = True) -> None:
        """Bring a tab to the front, by default opening the panel."""
        self.tabs.setCurrentIndex(self._ids.index(panel_id))
        if open_panel:
            self.set_open(True)

    def show_slice(self, card: str, slice_id: int) -> None:
        """Slice Detail of a slice; the panel keeps closed if it is."""
        self.detail.show_slice(card, slice_id)
        self.show_tab("detail", open_panel=False)

    def show_instant(self, card: str, index: int) -> None:
        """Slice Detail of the index-th instant of a card."""
        self.detail.show_instant(card, index)
        self.show_tab("detail", open_panel=False)

    def show_answer(self, answer: Answer | None) -> None:
        """Open Find with the hits of the search bar."""
        self.find_panel.show_answer(answer)
        self.show_tab("find")

    def is_open(self) -> bool:
        """Whether the panel is on screen (or would be, if its window were)."""
        return not self.isHidden()

    def set_open(self, is_open: bool) -> None:
        """Open or close the panel."""
        if is_open != self.is_open():
            self.setVisible(is_open)
            self.toggled.emit(is_open)
            self.context.view_changed.emit()

    def toggle(self) -> None:
        """Q: open or close."""
        self.set_open(not self.is_open())

    def view_state(self) -> dict[str, Any]:
        """Open, tab, switch and the arrangement of the hits, for the session file."""
        return {
            "open": self.is_open(),
            "tab": self.current(),
            "whole_slices": self.ranges.whole.isChecked(),
            "find": self.find_panel.table.view_state(),
        }

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave; unknown values are ignored."""
        if state.get("tab") in self._ids:
            self.show_tab(state["tab"], open_panel=False)
        self.ranges.whole.setChecked(bool(state.get("whole_slices", False)))
        if isinstance(state.get("find"), dict):
            self.find_panel.table.restore_state(state["find"])
        self.set_open(bool(state.get("open", True)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Q and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.toggle()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(800, 260)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, 90)

    def _tab_chosen(self, index: int) -> None:
        if 0 <= index < self.stack.count():
            self.stack.setCurrentIndex(index)
            self.copy_button.setVisible(hasattr(self.stack.widget(index), "copy"))
            self.tab_changed.emit(self._ids[index])

    def _copy(self) -> None:
        copy = getattr(self.stack.currentWidget(), "copy", None)
        if copy is not None:
            copy()

    def _translate(self) -> None:
        self.setAccessibleName(tr("Bottom panel"))
        for i, title in enumerate(self._titles):
            self.tabs.setTabText(i, tr(title))
        self.tabs.setAccessibleName(tr("Tabs of the bottom panel"))
        for button, text in ((self.copy_button, tr("Copy what the tab shows")), (self.close_button, tr("Close panel"))):
            button.setAccessibleName(text)
            button.setToolTip(f"{text} (Q)" if button is self.close_button else text)


def _tool(icon: str) -> QToolButton:
    button = QToolButton()
    icons.put(button, icon)
    button.setIconSize(QSize(icons.BUTTON, icons.BUTTON))
    button.setFixedSize(QSize(26, 26))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
