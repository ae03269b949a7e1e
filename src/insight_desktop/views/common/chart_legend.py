"""Legends of charts: a click hides an entry, Alt-click leaves only it; colours stay. Long legends scroll."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from insight_desktop.views.common import fonts, parts, theme
from insight_desktop.views.common.language import tr

_LINE = 22
_SWATCH = 13
_WIDEST = 280
_GAP = 14
_LEAST_ENTRY = 72  # px of a lying entry with its swatch
_LEAST_ROOM = 300  # px that a lying legend takes from the words beside it; longer ones cut names, then scroll


@dataclass(frozen=True)
class Entry:
    """One entry: key, text, colour, dashed for a baseline, `value` at the right of standing legends, line."""

    key: str
    text: str
    colour: QColor
    dashed: bool = False
    value: str = ""
    row: int = 0


class EntryButton(QAbstractButton):
    """A swatch and a name; grey and hollow when hidden."""

    alone_wanted = Signal()

    def __init__(self, entry: Entry, *, wide: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry = entry
        self._wide = wide
        self.setCheckable(True)
        self.setChecked(True)
        self.setText(entry.text)
        self.setAccessibleName(" ".join(x for x in (entry.text, entry.value) if x))
        self.setToolTip(f"{self.accessibleName()}\n{tr('Click hides, Alt-click shows only this')}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if wide:  # a narrow legend cuts names, never the values behind them
            self.setMinimumWidth(60)
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        else:
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(fonts.ui(fonts.SMALL))
        value = metrics.horizontalAdvance(self.entry.value) + 14 if self.entry.value else 0
        return QSize(
            _SWATCH + 9 + min(_WIDEST, metrics.horizontalAdvance(self.entry.text)) + value, fonts.scaled(_LINE)
        )

    def minimumSizeHint(self) -> QSize:
        """In a legend with little room names are cut before entries are pushed out of sight."""
        hint = self.sizeHint()
        return QSize(min(hint.width(), fonts.scaled(_LEAST_ENTRY)), hint.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and self.rect().contains(event.position().toPoint()):
            self.setDown(False)
            self.alone_wanted.emit()
            return
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.alone_wanted.emit() if event.modifiers() & Qt.KeyboardModifier.AltModifier else self.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            font = fonts.ui(fonts.SMALL)
            painter.setFont(font)
            metrics = QFontMetrics(font)
            middle = self.height() / 2
            colour = self.entry.colour if self.isChecked() else theme.token("text3")
            if not self.isChecked():
                painter.setPen(QPen(colour, 1))
                painter.drawRect(QRectF(0.5, middle - 2, _SWATCH - 2, 4))
            elif self.entry.dashed:
                painter.fillRect(QRectF(0, middle - 1.5, 5, 3), colour)
                painter.fillRect(QRectF(8, middle - 1.5, 5, 3), colour)
            else:
                painter.fillRect(QRectF(0, middle - 1.5, _SWATCH, 3), colour)
            base = int(middle + (metrics.ascent() - metrics.descent()) / 2)
            end = self.width()
            if self.entry.value:
                painter.setPen(theme.token("text2" if self.isChecked() else "text3"))
                end -= metrics.horizontalAdvance(self.entry.value) + 2
                painter.drawText(QPoint(end, base), self.entry.value)
                end -= 8
            painter.setPen(theme.token("text" if self.isChecked() else "text3"))
            room = end - _SWATCH - 6
            text = metrics.elidedText(self.entry.text, Qt.TextElideMode.ElideMiddle, room)
            painter.drawText(QPoint(_SWATCH + 6, base), text)
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.drawRect(QRectF(-0.5, 1.5, self.width(), self.height() - 3))


class Legend(QScrollArea):
    """Entries in lines (or standing, one below the other).

    Signals: hidden_changed with the keys of all hidden entries.
    """

    hidden_changed = Signal(object)

    def __init__(self, *, standing: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._standing = standing
        self._buttons: list[EntryButton] = []
        self._inside = QWidget()
        ground = "canvas" if standing else "surface"
        self._inside.setObjectName(ground)
        self._inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.setObjectName(ground)
        self.setWidget(self._inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(off)
        if not standing:
            self.setVerticalScrollBarPolicy(off)
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Legend"))
        theme.notifier.changed.connect(self._repaint)

    def show_entries(self, entries: Sequence[Entry], hidden: frozenset[str] = frozenset()) -> None:
        """Other entries; those in `hidden` are off."""
        focused = next((b.entry.key for b in self._buttons if b.hasFocus()), None)
        parts.clear(self._column)
        self._buttons = []
        lines: dict[int, list[Entry]] = {}
        for entry in entries:
            lines.setdefault(entry.row, []).append(entry)
        for _, line in sorted(lines.items()):
            row = None if self._standing else parts.columns(gap=_GAP)
            if row is not None:
                row.addStretch(1)
            for entry in line:
                button = self._button(entry, entry.key not in hidden)
                (self._column if row is None else row).addWidget(button)
                if entry.key == focused:
                    button.setFocus()
            if row is not None:
                self._column.addLayout(row)
        if self._standing:
            self._column.addStretch(1)
        else:
            self.setFixedHeight(fonts.scaled(_LINE) * max(1, len(lines)))
            self.setMinimumWidth(min(self._needed(lines), fonts.scaled(_LEAST_ROOM)))
        self.updateGeometry()

    def _needed(self, lines: dict[int, list[Entry]]) -> int:
        """Width of the longest line."""
        widths = {b.entry.key: b.sizeHint().width() for b in self._buttons}
        return max((sum(widths[e.key] + _GAP for e in line) for line in lines.values()), default=0)

    def _button(self, entry: Entry, shown: bool) -> EntryButton:
        button = EntryButton(entry, wide=self._standing, parent=self._inside)
        button.show()  # layouts leave room for it at once, not when the event loop gets to it
        button.setChecked(shown)
        button.toggled.connect(lambda _on: self.hidden_changed.emit(self.hidden()))
        button.alone_wanted.connect(lambda key=entry.key: self.show_only(key))
        self._buttons.append(button)
        return button

    def hidden(self) -> frozenset[str]:
        """Keys of the hidden entries."""
        return frozenset(b.entry.key for b in self._buttons if not b.isChecked())

    def set_hidden(self, keys: frozenset[str]) -> None:
        """Hide these entries and show the others; says so once."""
        before = self.hidden()
        for button in self._buttons:
            button.blockSignals(True)
            button.setChecked(button.entry.key not in keys)
            button.blockSignals(False)
            button.update()
        if self.hidden() != before:
            self.hidden_changed.emit(self.hidden())

    def show_only(self, key: str) -> None:
        """Hide all but one; once more brings all back."""
        others = frozenset(b.entry.key for b in self._buttons if b.entry.key != key)
        self.set_hidden(frozenset() if self.hidden() == others else others)

    def entries(self) -> list[Entry]:
        """All entries, in order."""
        return [b.entry for b in self._buttons]

    def button(self, key: str) -> EntryButton:
        """The button of an entry."""
        return next(b for b in self._buttons if b.entry.key == key)

    def sizeHint(self) -> QSize:
        inner = self._inside.sizeHint()
        return QSize(inner.width() + (12 if self._standing else 0), inner.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, fonts.scaled(_LINE))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._standing:
            super().wheelEvent(event)
            return
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - (event.angleDelta().y() or event.angleDelta().x()))
        event.accept()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
        super().changeEvent(event)

    def _repaint(self) -> None:
        for button in self._buttons:
            button.update()
