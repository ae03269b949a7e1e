"""The legend of a heat map: a bar of colours with two handles, and fields for its ends."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from insight_desktop.views.common import fonts, number_text, parts, theme
from insight_desktop.views.common.heat_colours import HOT, Colours
from insight_desktop.views.common.language import tr

_BAR = 11  # px
_WIDTH = 150
_HANDLE = 4


class ColourBar(QWidget):
    """Colours between two ends with their numbers; the handles narrow the range.

    Signals: range_changed with both ends when a handle was moved.
    """

    range_changed = Signal(float, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.colours: Colours = HOT
        self.low = self.high = 0.0  # the values there are
        self.chosen = (0.0, 0.0)  # the range in force
        self.unit, self.decimals = "", 3
        self.signed = False
        self._held = -1
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.notifier.changed.connect(self.update)

    def show_range(
        self, colours: Colours, low: float, high: float, chosen: tuple[float, float] | None = None,
        *, unit: str = "", decimals: int = 3, signed: bool = False,
    ) -> None:  # fmt: skip
        """Other ends; `chosen` is the part that is coloured, the whole when None."""
        self.colours, self.low, self.high = colours, low, high
        self.chosen = chosen or (low, high)
        self.unit, self.decimals, self.signed = unit, decimals, signed
        first, last = self.texts()
        self.setAccessibleName(tr("Colours from {0} to {1} {2}").format(first, last, unit).strip())
        self.updateGeometry()
        self.update()

    def texts(self) -> tuple[str, str]:
        """The numbers at both ends of the range in force."""
        say = number_text.signed if self.signed else number_text.number
        return say(self.chosen[0], self.decimals), say(self.chosen[1], self.decimals)

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        first, last = self.texts()
        both = metrics.horizontalAdvance(f"{first}   {last} {self.unit}")
        return QSize(round(max(fonts.scaled(_WIDTH), both + 8)), round(_BAR + metrics.height() + 3))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def bar(self) -> QRectF:
        """Where the colours are."""
        return QRectF(_HANDLE, 1, max(10.0, self.width() - 2 * _HANDLE), _BAR)

    def px(self, value: float) -> float:
        """Place of a value."""
        bar = self.bar()
        part = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return bar.left() + min(max(part, 0.0), 1.0) * bar.width()

    def value(self, px: float) -> float:
        """Value at a place."""
        bar = self.bar()
        part = min(max((px - bar.left()) / bar.width(), 0.0), 1.0)
        return self.low + part * (self.high - self.low)

    def paint(self, painter: QPainter, width: float, *, handles: bool = False) -> None:
        """The bar with its numbers in any width."""
        bar = QRectF(_HANDLE, 1, max(10.0, width - 2 * _HANDLE), _BAR)
        painter.fillRect(bar, theme.token("raised"))
        ends = (bar.left(), bar.right())
        if self.high > self.low and handles:
            ends = (self.px(self.chosen[0]), self.px(self.chosen[1]))
        filled = QRectF(ends[0], bar.top(), max(1.0, ends[1] - ends[0]), bar.height())
        if self.chosen[0] >= self.chosen[1]:
            painter.fillRect(filled, self.colours.middle())
        else:
            row = np.ascontiguousarray(self.colours.packed(np.linspace(0, 1, 128)))
            painter.drawImage(filled, QImage(row.data, 128, 1, 512, QImage.Format.Format_ARGB32))
        if self.high > self.low and handles:
            painter.setPen(QPen(theme.token("text"), 1))
            painter.setBrush(theme.token("raised"))
            for at in ends:
                painter.drawRect(QRectF(at - 2.5, 0.5, 5, _BAR + 1))
        painter.setFont(fonts.ui(fonts.SMALL))
        painter.setPen(theme.token("text2"))
        metrics = QFontMetricsF(painter.font())
        first, last = self.texts()
        last = f"{last} {self.unit}".strip()
        base = _BAR + 3 + metrics.ascent()
        painter.drawText(QPointF(0, base), first)
        painter.drawText(QPointF(width - metrics.horizontalAdvance(last), base), last)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter, self.width(), handles=True)
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.high > self.low:
            at = event.position().x()
            first, last = (self.px(v) for v in self.chosen)
            self._held = 0 if abs(at - first) < abs(at - last) or at < first else 1
            self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held >= 0:
            self._put(self._held, self.value(event.position().x()))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        if self._held >= 0:
            self._held = -1
            self.range_changed.emit(*self.chosen)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self.chosen = (self.low, self.high)
        self.update()
        self.range_changed.emit(*self.chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None or self.high <= self.low:
            super().keyPressEvent(event)
            return
        end = 0 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        self._put(end, self.chosen[end] + step * (self.high - self.low) / 50)
        self.range_changed.emit(*self.chosen)

    def _put(self, end: int, value: float) -> None:
        low, high = self.chosen
        value = min(max(value, self.low), self.high)
        self.chosen = (min(value, high), high) if end == 0 else (low, max(value, low))
        self.updateGeometry()
        self.update()


class RangeFields(QWidget):
    """Two fields for the ends of a range; Enter or the button applies them.

    Signals:
        range_changed: both ends, when they were applied.
        refused: why the typed range was not taken.
    """

    range_changed = Signal(float, float)
    refused = Signal(str)

    def __init__(self, *, clamp: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clamp = clamp
        self.low = self.high = 0.0
        self.decimals = 3
        self.low_field, self.high_field = QLineEdit(), QLineEdit()
        self.apply_button = parts.button("", click=self.apply)
        self.title = parts.label(level=2)
        row = parts.columns(self, gap=4)
        row.addWidget(self.title)
        for i, field in enumerate((self.low_field, self.high_field)):
            if i:
                row.addWidget(parts.label("–", level=2))
            field.setFixedWidth(fonts.scaled(92))
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
            field.returnPressed.connect(self.apply)
            row.addWidget(field)
        row.addWidget(self.apply_button)
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(tr("Visible Range"))
        self.apply_button.setText(tr("Confirm"))
        self.low_field.setAccessibleName(tr("Lower bound"))
        self.high_field.setAccessibleName(tr("Upper bound"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def show_range(
        self, low: float, high: float, chosen: tuple[float, float] | None = None, *, decimals: int = 3
    ) -> None:
        """The values there are, and the range in force."""
        self.low, self.high, self.decimals = low, high, decimals
        first, last = chosen or (low, high)
        self.low_field.setText(self._text(first))
        self.high_field.setText(self._text(last))

    def _text(self, value: float) -> str:
        return f"{value:.{self.decimals}f}" if math.isfinite(value) else ""

    def apply(self) -> None:
        """Take what is typed; a range that is none is refused and nothing changes."""
        try:
            low, high = (float(f.text().replace(",", "").replace("−", "-")) for f in (self.low_field, self.high_field))
        except ValueError:
            self.refused.emit(tr("The visible range needs two numbers."))
            return
        if not (math.isfinite(low) and math.isfinite(high)) or low > high:
            self.refused.emit(tr("The lower bound is above the upper bound."))
            return
        # Fields show rounded numbers: the ends themselves stay what they are.
        if self.low_field.text() == self._text(self.low):
            low = self.low
        if self.high_field.text() == self._text(self.high):
            high = self.high
        if self._clamp:
            low, high = (min(max(v, self.low), self.high) for v in (low, high))
            self.low_field.setText(self._text(low))
            self.high_field.setText(self._text(high))
        self.range_changed.emit(low, high)
