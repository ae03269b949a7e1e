"""The operator's Timeline: the Timeline page over the kernels of the project, with their critical path."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from insight_desktop.views.common import icons
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Tab
from insight_desktop.views.operator.critical_panel import CriticalPanel
from insight_desktop.views.operator.kernel_context import KernelContext
from insight_desktop.views.system.timeline import TimelinePage

CRITICAL = "critical"


class OperatorTimelinePage(TimelinePage):
    """Pipes of the cores over time. There is no System View: its figures are those of a whole training job."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        self.inner = inner = KernelContext(context)
        super().__init__(inner, parent)
        inner.setParent(self)
        self.body.steps.is_wanted = False
        for panel in ("system", "free", "compare"):
            self.panel.remove_panel(panel)
        self.panel.add_lazy(CRITICAL, "Critical Path", lambda: CriticalPanel(self.state))
        self.sync_button.clicked.connect(self.toggle_sync)
        self.path_button.clicked.connect(lambda: self.panel.show_tab(CRITICAL))
        self.state.filter_changed.connect(self._show_sync)
        self.state.rows_changed.connect(self._show_sync)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.inner.want_traces()

    def _build(self) -> None:
        super()._build()
        self.sync_button, self.path_button = self._tool("arrows-left-right"), self._tool("path")
        self.sync_button.setCheckable(True)
        for button in (self.path_button, self.sync_button):
            self.tools.insert(button)

    def retranslate(self) -> None:
        super().retranslate()
        self._show_sync()
        for button, text in ((self.path_button, tr("Critical Path")), (self.sync_button, self._sync_text())):
            button.setToolTip(text)
            button.setAccessibleName(text)
            button.setText(tr("Critical Path") if button is self.path_button else "SET/WAIT")
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            icons.put(button, "path" if button is self.path_button else "arrows-left-right")

    def toggle_sync(self) -> None:
        """Take SET and WAIT with their links out of the chart, or bring them back."""
        self.body.verbs.toggle_sync()
        self._show_sync()

    def _sync_text(self) -> str:
        return tr("Show SET/WAIT events") if self.body.verbs.hides_sync() else tr("Hide SET/WAIT events")

    def _show_sync(self) -> None:
        """The button tells what holds; without SET and WAIT there are no links to choose."""
        hidden = self.body.verbs.hides_sync()
        self.sync_button.setChecked(hidden)
        self.sync_button.setToolTip(self._sync_text())
        self.flows_button.setEnabled(not hidden)

    def restore_state(self, state: dict[str, Any]) -> None:
        super().restore_state(state)
        self._show_sync()


TAB = Tab("operator.timeline", "Timeline", OperatorTimelinePage)
