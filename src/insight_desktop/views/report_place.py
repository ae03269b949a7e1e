"""Where the import report stands: a tab of the page's bottom panel, or a box of its own below pages without one."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFrame, QWidget
from shiboken6 import isValid

from insight_desktop.views.common import parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.import_panel import ImportPanel
from insight_desktop.views.timeline.bottom_panel import BottomPanel, PanelTabs
from insight_desktop.views.workspace import Workspace

TAB = "report"


class ReportPlace(QObject):
    """Owns the report and moves it to the page that is shown.

    Signals:
        shown: the report came on screen or left it.
    """

    shown = Signal(bool)

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.report = ImportPanel(workspace)
        self.panel: BottomPanel | None = None
        self.box = QFrame()
        self.box.setObjectName("surface")
        self._layout = parts.rows(self.box)
        head = QFrame()
        head.setObjectName("frame")
        head.setProperty("edge", "bottom")
        parts.keep_height(head, 31)
        self._head = parts.columns(head, margins=(0, 0, 6, 0), gap=4)
        self._layout.addWidget(head)
        self._layout.addWidget(self.report, 1)
        self.box.hide()
        self.report.close_wanted.connect(lambda: self.show(False))
        self.retranslate()

    def retranslate(self) -> None:
        """The head of the box in the current language."""
        parts.clear(self._head)
        tabs = PanelTabs()
        tabs.setObjectName("panel")
        tabs.setDrawBase(False)
        tabs.addTab(tr("Import report"))
        self._head.addWidget(tabs)
        self._head.addStretch(1)
        for button in self.report.head_buttons():
            self._head.addWidget(button)

    def move_to(self, page: QWidget | None) -> None:
        """Another page is shown: the report goes along, and stays on screen if it was."""
        found = getattr(page, "panel", None)
        panel = found if isinstance(found, BottomPanel) else None
        if panel is self.panel:
            return
        was_shown = self.is_shown()
        self._leave()
        if panel is not None:
            self.box.hide()
            self.panel = panel
            panel.add_panel(TAB, "Import report", self.report)
            panel.toggled.connect(self._tell)
            panel.tab_changed.connect(self._tell)
        if was_shown:
            self.show(True)

    def is_shown(self) -> bool:
        """Whether the report is on screen (or would be, if its window were)."""
        if self.panel is None:
            return not self.box.isHidden()
        return self.panel.is_open() and self.panel.current() == TAB

    def show(self, on: bool) -> None:
        """Bring the report on screen or close it; another tab of a bottom panel is left alone."""
        if self.panel is None:
            self.box.setVisible(on)
        elif on:
            self.panel.show_tab(TAB)
        elif self.is_shown():
            self.panel.set_open(False)
        self._tell()

    def _leave(self) -> None:
        if self.panel is None:
            return
        panel, self.panel = self.panel, None
        if isValid(panel):
            panel.toggled.disconnect(self._tell)
            panel.tab_changed.disconnect(self._tell)
            panel.remove_panel(TAB)
        self._layout.addWidget(self.report, 1)
        self.report.show()

    def _tell(self, _what: object = None) -> None:
        self.shown.emit(self.is_shown())
