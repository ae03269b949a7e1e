"""Which job a page of whole jobs shows, and which it is compared with; hidden while there is one only."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker
from PySide6.QtWidgets import QComboBox, QWidget

from insight_desktop.engine import cluster
from insight_desktop.views.common import parts
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select


class JobSelector(QWidget):
    """Selects of cluster and baseline cluster; `context.jobs_changed` tells what was chosen."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.job_label, self.base_label = parts.label(level=2), parts.label(level=2)
        self.job_box, self.base_box = Select(), Select()
        row = parts.columns(self, gap=6)
        for label, box in ((self.job_label, self.job_box), (self.base_label, self.base_box)):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMaximumWidth(240)
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
            box.activated.connect(lambda _at: self._chosen())
        context.store_changed.connect(self.fill)
        context.jobs_changed.connect(self.fill)
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.job_label.setText(tr("Cluster"))
        self.base_label.setText(tr("Compare with"))
        self.job_box.setAccessibleName(tr("Cluster"))
        self.base_box.setAccessibleName(tr("Compare with"))
        self.fill()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def names(self) -> list[str]:
        """The jobs that are open."""
        return cluster.names(self.context.store)

    @property
    def job(self) -> str | None:
        """The job that is shown: the chosen one while it is open, else None for the first."""
        return self.context.job if self.context.job in self.names() else None

    @property
    def base(self) -> str | None:
        """The job that it is compared with, None without comparison."""
        found = self.context.base_job
        shown = self.job or self.names()[0]
        return found if found in self.names() and found != shown else None

    def fill(self) -> None:
        """The jobs or the choice changed."""
        names = self.names()
        shown = self.job or names[0]
        with QSignalBlocker(self.job_box):
            self.job_box.clear()
            for name in names:
                self.job_box.addItem(name or tr("Open data"), name)
            self.job_box.setCurrentIndex(names.index(shown))
        with QSignalBlocker(self.base_box):
            self.base_box.clear()
            self.base_box.addItem(tr("No comparison"), None)
            for name in names:
                if name != shown:
                    self.base_box.addItem(name or tr("Open data"), name)
            self.base_box.setCurrentIndex(max(0, self.base_box.findData(self.base)))
        self.setVisible(len(names) > 1)

    def _chosen(self) -> None:
        self.context.choose_jobs(self.job_box.currentData(), self.base_box.currentData())
