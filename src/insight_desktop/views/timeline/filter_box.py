"""The filter of the toolbar: one line that dims what does not pass and filters the tables below."""

from __future__ import annotations

import json
import re

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QMenu, QWidget

from insight_desktop.errors import BadArgument, InsightError
from insight_desktop.views.common import fonts, icons, number_text, parts, settings, theme
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.filter_state import TimelineFilter

HISTORY = "filter_history"
TYPING_MS = 250
_KEPT = 20
_EXAMPLES = ("MatMul", "/^aten::.*_$/", "dur>1ms", "args:shape", "rank:0-3", 'lane:"Stream 2"', "cat:cpu_op", "-Notify")


def history() -> list[str]:
    """Filters that were used, newest first."""
    try:
        found = json.loads(settings.read(HISTORY, "[]"))
    except ValueError:
        return []
    return [str(line) for line in found] if isinstance(found, list) else []


class FilterBox(QWidget):
    """Type a filter; Enter keeps it in the history, Escape clears it.

    Signals:
        left: Escape in an empty field; the focus belongs to the timeline.
    """

    left = Signal()

    def __init__(self, held: TimelineFilter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.held = held
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._typing.timeout.connect(self.apply)
        self.field = _Field()
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(72)
        self.field.setMaximumWidth(420)
        self.field.textEdited.connect(lambda _text: self._typing.start())
        self.field.textChanged.connect(self._text_changed)
        self.field.returnPressed.connect(self.enter)
        self.field.installEventFilter(self)
        self.past = parts.icon_button("caret-down", click=self._show_menu)
        self.note = QLabel()
        self.note.setProperty("level", "2")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.bubble: QLabel | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(self.past)
        row.addWidget(self.note)
        held.changed.connect(self._show_count)
        held.failed.connect(self.show_error)
        self.retranslate()
        self._show_count()

    def focus(self) -> None:
        """Put the cursor into the field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def set_text(self, text: str) -> None:
        """Filter as if the text were typed and entered."""
        self.field.setText(text)
        self.enter()

    def apply(self) -> None:
        """Let the filter hold; an error is shown where it is."""
        self._typing.stop()
        try:
            self.held.set_text(self.field.text())
        except BadArgument as error:
            self.show_error(error)
        else:
            self._show_error("", None)

    def enter(self) -> None:
        """Apply and remember in the history."""
        self.apply()
        text = self.field.text().strip()
        if text and self.field.wrong is None:
            settings.write(HISTORY, json.dumps([text, *(t for t in history() if t != text)][:_KEPT]))

    def clear(self) -> None:
        """Let everything pass."""
        self.field.clear()
        self.apply()

    def show_error(self, error: InsightError) -> None:
        """Mark the character that cannot be read and say why."""
        found = re.search(r"at character (\d+)", error.message)
        self._show_error(f"{error.message}\n{error.fix}".strip(), int(found[1]) - 1 if found else 0)

    def menu(self) -> QMenu:
        """The filters that were used, then an example of every term."""
        menu = QMenu(self)
        for title, lines in ((tr("Used before"), history()), (tr("Examples"), _EXAMPLES)):
            if lines:
                menu.addSection(title)
            for line in lines:
                action = menu.addAction(line.replace("&", "&&"))
                action.triggered.connect(lambda _=False, line=line: self.set_text(line))
        return menu

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.field.setPlaceholderText(tr("Filter"))
        self.field.setAccessibleName(tr("Filter of drawing and tables"))
        self.field.setToolTip(
            tr("Filter drawing and tables: words, /regex/, args:text, dur>1ms, rank:0-7, lane:…, cat:…, -not")
            + " (Ctrl+Shift+F)"
        )
        parts.set_tip(self.past, tr("Filters used before"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self._show_count()
        super().changeEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        if self.bubble is not None:
            self.bubble.hide()
        super().hideEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                if self.field.text():
                    self.clear()
                else:
                    self.left.emit()
                return True
            if event.key() == Qt.Key.Key_Down:
                self._show_menu()
                return True
        return super().eventFilter(watched, event)

    def _show_menu(self) -> None:
        self.menu().popup(self.field.mapToGlobal(QPoint(0, self.field.height())))

    def _text_changed(self, text: str) -> None:
        self._show_error("", None)
        if not text:
            self.apply()

    def _show_error(self, text: str, at: int | None) -> None:
        self.field.set_wrong(at)
        parts.set_state(self.field, state="error" if text else "")
        if self.bubble is None and text:
            self.bubble = QLabel(self.window())
            self.bubble.setObjectName("tip")
            self.bubble.setTextFormat(Qt.TextFormat.PlainText)
            self.bubble.setAutoFillBackground(True)
            self.bubble.setMargin(6)
            self.bubble.setFrameShape(QLabel.Shape.Box)
        if self.bubble is not None:
            self.bubble.setText(text)
            self.bubble.setVisible(bool(text))
            if text:
                parts.set_state(self.bubble, state="error")
                self.bubble.adjustSize()
                place = self.field.mapTo(self.window(), QPoint(0, self.field.height() + 4))
                left = max(0, min(place.x(), self.window().width() - self.bubble.width() - 4))
                self.bubble.move(left, place.y())
                self.bubble.raise_()

    def _show_count(self) -> None:
        found = self.held.found
        self.note.setVisible(found is not None)
        if found is not None:
            self.note.setText(number_text.count(found.slices))
            text = tr("{n} of {all} slices pass the filter")
            self.note.setToolTip(
                text.format(n=number_text.count(found.slices), all=number_text.count(found.all_slices))
            )
        parts.set_state(self.field, active="true" if found is not None else "false")


class _Field(QLineEdit):
    """A line that can show where it cannot be read."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: int | None = None
        funnel = self.addAction(icons.icon("funnel-simple"), QLineEdit.ActionPosition.LeadingPosition)
        icons.put(funnel, "funnel-simple")

    def set_wrong(self, at: int | None) -> None:
        """Underline from a character on; None for nothing."""
        self.wrong = at
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.wrong is None:
            return
        metrics, text = self.fontMetrics(), self.text()
        zero = self.cursorRect().center().x() - metrics.horizontalAdvance(text[: self.cursorPosition()])
        left = zero + metrics.horizontalAdvance(text[: self.wrong])
        right = max(zero + metrics.horizontalAdvance(text), left + fonts.scaled(6))
        y = self.height() / 2 + metrics.height() / 2 + 1
        wave = [QPointF(x, y + (0 if i % 2 else 2)) for i, x in enumerate(range(left, right + 1, 2))]
        painter = QPainter(self)
        painter.setPen(QPen(theme.token("error"), 1))
        painter.drawPolyline(QPolygonF(wave))
        painter.end()
