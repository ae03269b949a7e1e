"""How far the analysis of a job is, in place of a page that waits for it: words, bar, stop and start again."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from insight_desktop.engine import cluster
from insight_desktop.engine.cluster_run import Status
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr

_PULSE_MS = 200


class JobProgress(QWidget):
    """Watches one job until its analysis is there.

    Signals:
        started: the user began a stopped analysis again.
    """

    started = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.context = context
        self.job: str | None = None
        self.title, self.text = parts.label(role="title", strong=True), parts.label(level=2)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.button = parts.button("", click=self._pressed)
        self._is_stopped = False
        middle = QWidget()
        middle.setMaximumWidth(560)
        column = parts.rows(middle, gap=10)
        for widget in (self.title, self.bar, self.text):
            column.addWidget(widget)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        whole = parts.rows(self, margins=(24, 24, 24, 24))
        whole.addStretch(1)
        row = parts.columns()
        row.addStretch(1)
        row.addWidget(middle, 10)
        row.addStretch(1)
        whole.addLayout(row)
        whole.addStretch(2)
        self._pulse = QTimer(self)
        self._pulse.setInterval(_PULSE_MS)
        self._pulse.timeout.connect(self.renew)
        self._show(Status("quick"))

    def watch(self, job: str | None) -> None:
        """Show how far a job is, from now on."""
        self.job = job
        self._pulse.start()
        self.renew()

    def rest(self) -> None:
        """Nobody waits any more."""
        self._pulse.stop()

    @property
    def is_stopped(self) -> bool:
        """The user stopped the analysis."""
        return self._is_stopped

    def renew(self) -> None:
        """Look at the analysis now."""
        try:
            self._show(cluster.status(self.context.store, self.job))
        except InsightError:
            self.rest()  # the job is gone; the page hears of it too

    def _show(self, status: Status) -> None:
        self._is_stopped = status.phase == "cancelled"
        self.title.setText(
            tr("The analysis of the job was stopped") if self._is_stopped else tr("Reading the data of the job…")
        )
        self.bar.setRange(0, 1000 if status.total_bytes else 0)
        self.bar.setValue(round(status.share * 1000))
        self.bar.setVisible(not self._is_stopped)
        words = [say(status.what)] if status.what else []
        if status.total_bytes:
            done, whole = (number_text.bytes_text(b) for b in (status.done_bytes, status.total_bytes))
            words.append(tr("{0} of {1}").format(done, whole))
        self.text.setText(" · ".join(words))
        self.text.setVisible(not self._is_stopped)
        self.button.setText(tr("Start again") if self._is_stopped else tr("Stop"))

    def _pressed(self) -> None:
        if self._is_stopped:
            cluster.start(self.context.store, self.job)
            self.started.emit()
        else:
            cluster.cancel(self.context.store, self.job)
        self.renew()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_pulse"):
            self.renew()
        super().changeEvent(event)
