"""Lying bars with a name left, a share or count right, and a second bar for a baseline; longest on top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from insight_desktop.views.common import fonts, theme

_LINE, _AIR, _MOST = 19, 8, 5000


@dataclass(frozen=True)
class Bar:
    """One bar: name, value, its text, more words in grey, tooltip; the baseline's value when two are compared."""

    name: str
    value: float
    text: str
    quiet: str = ""
    tip: str = ""
    baseline: float | None = None


class ShareBars(QWidget):
    """The bars, sorted by value, at most 5000."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars: list[Bar] = []
        self.top = 100.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.notifier.changed.connect(self._fit)

    def show_bars(self, bars: Sequence[Bar], *, top: float | None = None) -> None:
        """Show bars; `top` is the value of a full bar, the largest one when None."""
        order = sorted(range(len(bars)), key=lambda i: (-bars[i].value, -i))
        self.bars = [bars[i] for i in order[:_MOST]]
        values = [v for bar in self.bars for v in (bar.value, bar.baseline or 0.0)]
        self.top = max(top or 0.0, *values, 1e-12) if values else 1.0
        self._fit()

    def line_height(self) -> float:
        """Height of a bar with its gap; two bars need more."""
        return fonts.scaled(_LINE) + (4 if any(bar.baseline is not None for bar in self.bars) else 0)

    def _fit(self) -> None:
        self.setMinimumHeight(round(len(self.bars) * self.line_height() + 2 * _AIR))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, self.minimumHeight())

    def columns(self, width: float, metrics: QFontMetricsF) -> tuple[float, float, float, float]:
        """Left end and width of the bars, right ends of the two texts behind them."""
        name = min(max((metrics.horizontalAdvance(b.name) for b in self.bars), default=0.0), width * 0.36)
        text = max((metrics.horizontalAdvance(b.text) for b in self.bars), default=0.0)
        quiet = max((metrics.horizontalAdvance(b.quiet) for b in self.bars), default=0.0)
        left = 12 + name + 12
        end = width - 12
        second = end - (quiet + 14 if quiet else 0)
        return left, max(20.0, second - text - 10 - left), second, end

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter, self.width(), self.height(), QRectF(event.rect()))

    def paint(self, painter: QPainter, width: float, height: float, part: QRectF | None = None) -> None:
        """The bars in any size."""
        painter.fillRect(QRectF(0, 0, width, height), theme.token("surface"))
        painter.setFont(fonts.ui())
        metrics = QFontMetricsF(painter.font())
        left, room, second, end = self.columns(width, metrics)
        high = self.line_height()
        middle = (metrics.ascent() - metrics.descent()) / 2
        first, last = theme.series()[0], theme.series()[2]
        for i, bar in enumerate(self.bars):
            y = _AIR + i * high
            if part is not None and not QRectF(0, y, width, high).intersects(part):
                continue
            base = y + high / 2 + middle
            painter.setPen(theme.token("text"))
            name = metrics.elidedText(bar.name, Qt.TextElideMode.ElideRight, left - 24)
            painter.drawText(QPointF(12, base), name)
            painter.fillRect(QRectF(left, y + 4, room, high - 8), theme.token("canvas"))
            length = room * max(0.0, bar.value) / self.top
            if bar.baseline is None:
                painter.fillRect(QRectF(left, y + 4, length, high - 8), first)
            else:
                half = (high - 8) / 2
                painter.fillRect(QRectF(left, y + 4, length, half - 0.5), first)
                other = room * max(0.0, bar.baseline) / self.top
                painter.fillRect(QRectF(left, y + 4 + half + 0.5, other, half - 0.5), last)
            painter.drawText(QPointF(second - metrics.horizontalAdvance(bar.text), base), bar.text)
            painter.setPen(theme.token("text2"))
            painter.drawText(QPointF(end - metrics.horizontalAdvance(bar.quiet), base), bar.quiet)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = int((event.pos().y() - _AIR) // self.line_height())
            text = self.bars[at].tip if 0 <= at < len(self.bars) else ""
            QToolTip.showText(event.globalPos(), text, self) if text else QToolTip.hideText()
            return True
        return super().event(event)
