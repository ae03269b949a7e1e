"""Zooms of a chart that can be taken back: what was visible and chosen before each of them."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from insight_desktop.views.common.chart import Chart

Stretch = tuple[float, float]
_MOST = 50


class ZoomHistory(QObject):
    """Remembers zoom and range of a chart together: a drag changes both and counts once.

    Signals:
        changed: there is more, less or nothing to take back.
    """

    changed = Signal()

    def __init__(self, chart: Chart, parent: QObject) -> None:
        super().__init__(parent)
        self.chart = chart
        self._past: list[tuple[Stretch | None, Stretch | None]] = []
        self._now: tuple[Stretch | None, Stretch | None] = (None, None)
        self._settled = QTimer(self, singleShot=True, interval=0)
        self._settled.timeout.connect(self._remember)
        chart.view_changed.connect(lambda _view: self._settled.start())
        chart.range_changed.connect(lambda _range: self._settled.start())

    @property
    def can_undo(self) -> bool:
        """Whether there is a zoom to take back."""
        return bool(self._past)

    def clear(self) -> None:
        """Other data: nothing can be taken back."""
        self._settled.stop()
        self._past.clear()
        self._now = (self.chart.view, self.chart.chosen)
        self.changed.emit()

    def undo(self) -> None:
        """Zoom and range as they were before the last zoom."""
        self._remember()
        if not self._past:
            return
        view, chosen = self._now = self._past.pop()
        self.chart.zoom_to(*(view or self.chart.plot.whole))
        self.chart.choose(*(chosen or (None,)))
        self.changed.emit()

    def _remember(self) -> None:
        self._settled.stop()
        now = (self.chart.view, self.chart.chosen)
        if now != self._now:
            self._past = [*self._past[-_MOST:], self._now]
            self._now = now
            self.changed.emit()
