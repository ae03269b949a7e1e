"""How far the analysis of a job is, with a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from insight_desktop.engine import cluster
from insight_desktop.engine.cluster_run import Status
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.language import tr

_EVERY_MS = 250


class AnalysisProgress(QWidget):
    """A strip that is shown while a job is analysed.

    Signals: ended with the Status when the analysis is ready, failed or was stopped.
    """

    ended = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.job: str | None = None
        self.status = Status("idle")
        self.setObjectName("surface")
        self.setProperty("edge", "bottom")
        self.words = parts.label()
        self.quiet = parts.label(level=2)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(180, 4)
        self.cancel_button = parts.button("", "x", flat=True, click=self.cancel)
        row = parts.columns(self, margins=(12, 3, 12, 3), gap=10)
        for widget in (self.words, self.bar, self.quiet):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.cancel_button)
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.look)
        self.hide()
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.cancel_button.setText(tr("Stop"))
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def watch(self, job: str | None) -> None:
        """Follow the analysis of a job until it ends."""
        self.job = job
        self.status = Status("idle")
        self._timer.start()
        self.look()

    def rest(self) -> None:
        """Follow nothing."""
        self._timer.stop()
        self.hide()

    def cancel(self) -> None:
        """Stop the analysis."""
        cluster.cancel(self.context.store, self.job)
        self.look()

    def look(self) -> None:
        """Ask how far it is."""
        try:
            self.status = cluster.status(self.context.store, self.job)
        except InsightError:
            self.rest()
            return
        self._show()
        if self.status.phase in ("ready", "failed", "cancelled"):
            self._timer.stop()
            self.ended.emit(self.status)

    def _show(self) -> None:
        status = self.status
        self.setVisible(status.is_running)
        self.words.setText(tr("The ranks are being analysed: {0}").format(number_text.percent(status.share, 0)))
        self.bar.setValue(round(status.share * 1000))
        megabytes = f"{status.done_bytes / 1e6:,.1f} / {status.total_bytes / 1e6:,.1f} MB"
        self.quiet.setText(" · ".join(x for x in (status.what, megabytes if status.total_bytes else "") if x))
