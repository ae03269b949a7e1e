"""The panel below the timeline: a row of tabs and what they show. What a tab shows is built when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QToolButton, QVBoxLayout, QWidget

from insight_desktop.views.common import fonts, icons
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.find_panel import FindPanel
from insight_desktop.views.timeline.range_panel import RangeChoice, RangePanel
from insight_desktop.views.timeline.search_results import Answer
from insight_desktop.views.timeline.slice_detail import SliceDetailPanel
from insight_desktop.views.timeline.slice_list import SliceListPanel
from insight_desktop.views.timeline.system_view import SystemView
from insight_desktop.views.timeline.system_view_parts import TimeFilter


class PanelTabs(QTabBar):
    """Tabs as wide as their bold text, so that nothing moves or is cut when another one is chosen."""

    def tabSizeHint(self, index: int) -> QSize:
        size = super().tabSizeHint(index)
        bold = QFontMetrics(fonts.ui(bold=True)).horizontalAdvance(self.tabText(index)) + 22
        return QSize(max(size.width(), bold), size.height())


NameColour = Callable[[str, str], QColor | None]  # of a card and a name


class BottomPanel(QWidget):
    """Tabs Slice Detail, Slice List, Selection, System View and Find; `add_panel` and `add_lazy` add more.

    Each panel may offer `copy()`, `view_state()` and `restore_state(state)`.

    Signals:
        toggled: the panel was opened or closed.
        tab_changed: id of the tab that is shown.
        summary_changed: figures of the selected range for the status bar, the first one bold; empty without a range.
        hit_chosen: row of the search's answer that was jumped to.
        filter_cleared: the time filter of the System View was cleared there.
        tables_changed: a panel was built, with tables of its own.
    """

    toggled = Signal(bool)
    tab_changed = Signal(str)
    summary_changed = Signal(list)
    hit_chosen = Signal(int)
    filter_cleared = Signal()
    tables_changed = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.setObjectName("frame")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._ids: list[str] = []
        self._titles: list[str] = []
        self._makers: dict[str, Callable[[], QWidget]] = {}  # panels that are not built yet
        self._states: dict[str, dict[str, Any]] = {}  # what panels remember that are not built yet
        self._choice: RangeChoice | None = None
        self._whole = False
        self.colour_of: NameColour | None = None  # of names in tables; None: the colour that names have everywhere
        self.tabs = PanelTabs()
        self.tabs.setObjectName("panel")
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
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
        self.add_lazy("detail", "Slice Detail", self._make_detail)
        self.add_lazy("slices", "Slice List", self._make_slices)
        self.add_lazy("selection", "Selection", self._make_ranges)
        self.add_lazy("system", "System View", self._make_system)
        self.add_lazy("find", "Find", self._make_find)
        self.tabs.currentChanged.connect(self._tab_chosen)
        self._translate()

    # ---- panels ------------------------------------------------------------------------------------------------------

    def add_panel(self, panel_id: str, title: str, panel: QWidget) -> None:
        """Add a tab; the title is English and translated here."""
        self._ids.append(panel_id)
        self._titles.append(title)
        self.stack.addWidget(panel)
        self.tabs.addTab(tr(title))

    def add_lazy(self, panel_id: str, title: str, make: Callable[[], QWidget]) -> None:
        """Add a tab whose panel is made when it is first shown or asked for."""
        self._makers[panel_id] = make
        self.add_panel(panel_id, title, QWidget())

    def panel(self, panel_id: str) -> QWidget:
        """The panel of a tab, made now if it was not yet."""
        at = self._ids.index(panel_id)
        make = self._makers.pop(panel_id, None)
        if make is not None:
            empty = self.stack.widget(at)
            was_shown = self.stack.currentIndex() == at
            made = make()
            if not made.objectName():  # all panels lie on the same ground
                made.setObjectName("surface")
                made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
            self.stack.insertWidget(at, made)
            if was_shown:
                self.stack.setCurrentIndex(at)
            if empty is not None:
                self.stack.removeWidget(empty)
                empty.deleteLater()
            restore = getattr(made, "restore_state", None)
            if restore is not None and panel_id in self._states:
                restore(self._states.pop(panel_id))
            self.tables_changed.emit()
        found = self.stack.widget(at)
        assert found is not None
        return found

    def recolour(self) -> None:
        """Names have other colours."""
        if self.is_built("slices"):
            self.slices.recolour()
        if self.is_built("detail"):
            self.detail.links.viewport().update()

    def has(self, panel_id: str) -> bool:
        """Whether there is such a tab."""
        return panel_id in self._ids

    def show_only_if(self, panel_id: str, shown: bool) -> None:
        """Show or hide a tab that makes no sense for some data; nothing for one that was taken out."""
        if not self.has(panel_id):
            return
        at = self._ids.index(panel_id)
        if self.tabs.isTabVisible(at) != shown:
            self.tabs.setTabVisible(at, shown)

    def is_built(self, panel_id: str) -> bool:
        """Whether the panel of a tab was made."""
        return panel_id in self._ids and panel_id not in self._makers

    @property
    def detail(self) -> SliceDetailPanel:
        """Slice Detail."""
        return cast(SliceDetailPanel, self.panel("detail"))

    @property
    def slices(self) -> SliceListPanel:
        """Slice List."""
        return cast(SliceListPanel, self.panel("slices"))

    @property
    def ranges(self) -> RangePanel:
        """Selection: figures of the lanes and counters of a range."""
        return cast(RangePanel, self.panel("selection"))

    @property
    def system(self) -> SystemView:
        """System View."""
        return cast(SystemView, self.panel("system"))

    @property
    def find_panel(self) -> FindPanel:
        """Find."""
        return cast(FindPanel, self.panel("find"))

    def _make_detail(self) -> QWidget:
        made = SliceDetailPanel(self.context)
        made.colour_of = self.colour_of
        return made

    def _make_slices(self) -> QWidget:
        made = SliceListPanel(self.context)
        made.colour_of = self.colour_of
        made.set_whole(self._whole)
        made.whole_changed.connect(self.set_whole)
        if self._choice is not None:
            made.show_range(self._choice)
        return made

    def _make_ranges(self) -> QWidget:
        made = RangePanel(self.context)
        made.whole.setChecked(self._whole)
        made.whole_changed.connect(self.set_whole)
        made.summary_changed.connect(self.summary_changed)
        return made

    def _make_system(self) -> QWidget:
        made = SystemView(self.context)
        made.filter_cleared.connect(self.filter_cleared)
        made.page_built.connect(self.tables_changed)
        return made

    def _make_find(self) -> QWidget:
        made = FindPanel(self.context)
        made.row_chosen.connect(self.hit_chosen)
        table = self._states.pop("find", None)
        if table is not None:
            made.table.restore_state(table)
        return made

    def remove_panel(self, panel_id: str) -> None:
        """Take a tab out; its panel is not deleted."""
        at = self._ids.index(panel_id)
        panel = self.stack.widget(at)
        assert panel is not None
        del self._ids[at], self._titles[at]
        self.stack.removeWidget(panel)
        panel.setParent(None)
        self._makers.pop(panel_id, None)
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

    def clear_slice(self) -> None:
        """No slice is selected."""
        if self.is_built("detail"):
            self.detail.clear()

    def show_instant(self, card: str, index: int) -> None:
        """Slice Detail of the index-th instant of a card."""
        self.detail.show_instant(card, index)
        self.show_tab("detail", open_panel=False)

    def show_answer(self, answer: Answer | None) -> None:
        """Open Find with the hits of the search bar."""
        self.find_panel.show_answer(answer)
        self.show_tab("find")

    def keep_answer(self, answer: Answer | None) -> None:
        """Show other hits in Find without opening it."""
        if answer is not None or self.is_built("find"):
            self.find_panel.show_answer(answer)

    def show_range(self, choice: RangeChoice) -> str:
        """Figures and slices of a range. Returns the id of the tab that tells most of it."""
        self._choice = choice
        self.ranges.show_choice(choice)
        if self.is_built("slices"):
            self.slices.show_range(choice)
        return "slices" if choice.tracks or not choice.series else "selection"

    def clear_range(self) -> None:
        """No range is selected. The Slice List keeps the last one, so that one can go through its slices."""
        if self.is_built("selection"):
            self.ranges.clear()

    def set_whole(self, whole: bool) -> None:
        """The switch "Whole slices" of Slice List and Selection."""
        self._whole = whole
        if self.is_built("slices"):
            self.slices.set_whole(whole)
        if self.is_built("selection"):
            self.ranges.whole.setChecked(whole)

    def show_events(self, card: str, tracks: Sequence[int], title: str = "") -> None:
        """Open the Events View with the slices of some lanes of a card."""
        self.system.show_events(card, tracks, title)
        self.show_tab("system")

    def set_time_filter(self, found: TimeFilter | None) -> None:
        """Limit the System View to a range of axis time and open it; None for the whole data."""
        if found is not None or self.is_built("system"):
            self.system.set_time_filter(found)
        if found is not None:
            self.show_tab("system")

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
        """Open, tab, switch and what the panels remember, for the session file."""
        panels = dict(self._states)
        for panel_id in self._ids:
            if self.is_built(panel_id):
                remember = getattr(self.panel(panel_id), "view_state", None)
                if remember is not None:
                    panels[panel_id] = remember()
        find = self.find_panel.table.view_state() if self.is_built("find") else panels.pop("find", None)
        found = {"open": self.is_open(), "tab": self.current(), "whole_slices": self._whole, "panels": panels}
        return found if find is None else {**found, "find": find}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave; unknown values are ignored."""
        panels = state.get("panels")
        self._states = {k: v for k, v in panels.items() if isinstance(v, dict)} if isinstance(panels, dict) else {}
        for panel_id in [i for i in self._states if self.is_built(i)]:
            kept = self._states.pop(panel_id)
            restore = getattr(self.panel(panel_id), "restore_state", None)
            if restore is not None:
                restore(kept)
        if isinstance(state.get("find"), dict):
            if self.is_built("find"):
                self.find_panel.table.restore_state(state["find"])
            else:
                self._states["find"] = state["find"]
        self.set_whole(bool(state.get("whole_slices", False)))
        is_open = bool(state.get("open", True))
        if state.get("tab") in self._ids:
            self.show_tab(state["tab"], open_panel=False)
        self.set_open(is_open)

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

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tab_chosen(self.tabs.currentIndex())

    def _tab_chosen(self, index: int) -> None:
        if not 0 <= index < self.stack.count():
            return
        self.stack.setCurrentIndex(index)
        if not self.isHidden():
            self.panel(self._ids[index])
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
    icons.fit(button, icons.BUTTON, 26)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
