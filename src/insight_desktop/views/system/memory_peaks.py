"""The row of figures above the curves: the peak of each curve and when it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from insight_desktop.views.common import fonts, number_text, parts, theme
from insight_desktop.views.common.language import tr

MOST = 7
_ROOMY = 4
HEIGHT = 58
GAP = 5


@dataclass(frozen=True)
class Peak:
    """A curve's largest value: legend, MB, time in ms, colour."""

    legend: str
    mb: float
    t_ms: float
    colour: QColor


class _Swatch(QWidget):
    def __init__(self, colour: QColor) -> None:
        super().__init__()
        self._colour = colour
        self.setFixedSize(14, 12)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(QRectF(0, 4, 13, 3), self._colour)


class _Card(QWidget):
    """A card whose time and then its unit give way when there is no room: half a number would be read wrongly."""

    def __init__(self) -> None:
        super().__init__()
        self.keep: QWidget | None = None
        self.yielding: list[QWidget] = []  # the first one goes first

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        layout = self.layout()
        if self.keep is None or layout is None:
            return
        margins = layout.contentsMargins()
        room = self.width() - margins.left() - margins.right() - self.keep.sizeHint().width()
        for at, widget in enumerate(self.yielding):
            rest = sum(w.sizeHint().width() + GAP for w in self.yielding[at:])
            widget.setVisible(rest <= room)


class PeakStrip(QFrame):
    """Peaks side by side in one box; a click on a time goes there.

    Signals:
        time_wanted: ms of a peak.
    """

    time_wanted = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(fonts.scaled(HEIGHT))
        self._row = parts.columns(self, margins=(1, 1, 1, 1), gap=0)
        self._peaks: tuple[Peak, ...] = ()
        theme.notifier.changed.connect(self._resize)

    def _resize(self) -> None:
        self.setFixedHeight(fonts.scaled(HEIGHT))

    def show_peaks(self, peaks: Sequence[Peak]) -> None:
        """Show the peaks; hidden without any or with too many (streams)."""
        self._peaks = tuple(peaks)
        parts.clear(self._row)
        if not 0 < len(peaks) <= MOST:
            self.hide()
            return
        for i, peak in enumerate(peaks):
            if i:
                self._row.addWidget(parts.line(standing=True))
            self._row.addWidget(self._card(peak), 1)
        gap = self._gap()
        if gap is not None and len(peaks) <= MOST - 2:
            self._row.addWidget(parts.line(standing=True))
            self._row.addWidget(self._gap_card(*gap), 1)
        self.show()

    def texts(self) -> list[str]:
        """What the cards say, for tests and reading aloud."""
        return [f"{p.legend} {number_text.number(p.mb, 2)} MB {number_text.number(p.t_ms, 3)} ms" for p in self._peaks]

    def _card(self, peak: Peak) -> QWidget:
        title = tr("{0} peak").format(peak.legend)
        card, head, foot = self._frame(title, number_text.number(peak.mb, 2), "MB")
        head.insertWidget(0, _Swatch(peak.colour))
        time = number_text.number(peak.t_ms, 3)
        text = tr("{0} ms").format(time) if self._is_tight else tr("at {0} ms").format(time)
        link = parts.button(text, link=True, click=lambda: self.time_wanted.emit(peak.t_ms))
        link.setToolTip(tr("Show this time in the chart"))
        foot.addWidget(link, 0, Qt.AlignmentFlag.AlignBottom)
        card.yielding.insert(0, link)  # a figure without its unit says less than one without its time
        card.setToolTip(f"{title}\n{number_text.number(peak.mb, 2)} MB\n{tr('at {0} ms').format(time)}")
        card.setAccessibleName(f"{title} {number_text.number(peak.mb, 2)} MB {text}")
        return card

    @property
    def _is_tight(self) -> bool:
        """Many cards: figures in the size of the text."""
        return len(self._peaks) > _ROOMY

    def _gap(self) -> tuple[float, float] | None:
        """Difference of the peaks of reserved and allocated memory, and its part of the reserved one."""
        by_name = {p.legend: p.mb for p in self._peaks}
        reserved, allocated = by_name.get("Operators Reserved"), by_name.get("Operators Allocated")
        if not reserved or allocated is None:
            return None
        return reserved - allocated, (reserved - allocated) / reserved

    def _gap_card(self, mb: float, ratio: float) -> QWidget:
        title = tr("Reserved but not allocated, at peak")
        card, _head, foot = self._frame(title, number_text.number(mb, 2), "MB")
        foot.addWidget(parts.label(number_text.percent(ratio), level=2), 0, Qt.AlignmentFlag.AlignBottom)
        card.setToolTip(tr("Peak of Operators Reserved minus peak of Operators Allocated"))
        return card

    def _frame(self, title: str, value: str, unit: str) -> tuple[_Card, QHBoxLayout, QHBoxLayout]:
        card = _Card()
        card.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        card.setMinimumWidth(40)
        column = parts.rows(card, margins=(12, 6, 10, 5), gap=1)
        head, foot = parts.columns(gap=5), parts.columns(gap=GAP)
        name = parts.ElidedLabel(title, Qt.TextElideMode.ElideRight)
        name.setProperty("level", "2")
        head.addWidget(name, 1)
        number = parts.label(value, role="" if self._is_tight else "title", strong=True)
        foot.addWidget(number, 0, Qt.AlignmentFlag.AlignBottom)
        small = parts.label(unit, level=2)
        foot.addWidget(small, 0, Qt.AlignmentFlag.AlignBottom)
        foot.addStretch(1)
        card.keep, card.yielding = number, [small]
        column.addLayout(head)
        column.addLayout(foot)
        return card, head, foot

    def sizeHint(self) -> QSize:
        return QSize(600, fonts.scaled(HEIGHT))
