"""What bounds the kernel, in sentences with their figures, and what the collector advises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from insight_desktop.views.common import engine_text, parts
from insight_desktop.views.common.language import tr

Row = Mapping[str, Any]
_FIRST = 3  # sentences that are seen before the panel is opened
_ICONS = {"warning": ("warning", "warn"), "info": ("info", "accent"), "advice": ("lightbulb", "text2")}


class FindingsPanel(QFrame):
    """The verdict in bold, then sentences; each leads to the part of the page where its figures stand.

    Signals:
        section_wanted: name of a section.
    """

    section_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self._rows: list[Row] = []
        self.is_open = False
        column = parts.rows(self, margins=(1, 1, 1, 1))
        head = parts.columns(margins=(10, 2, 6, 2), gap=8)
        self.title = parts.label(strong=True)
        self.subtitle = parts.label(level=2)
        self.more_button = parts.button("", flat=True, click=self.toggle)
        self.copy_button = parts.icon_button("copy", click=self.copy_text)
        head.addWidget(self.title)
        head.addWidget(self.subtitle, 1)
        head.addWidget(self.more_button)
        head.addWidget(self.copy_button)
        column.addLayout(head)
        column.addWidget(parts.line())
        self._list = parts.rows(margins=(10, 4, 10, 6), gap=1)
        column.addLayout(self._list)
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(tr("What bounds this kernel"))
        self.subtitle.setText(tr("from roofline, pipes, core balance, conflicts and stalls"))
        parts.set_tip(self.copy_button, tr("Copy as text"))
        self._fill()

    def show_rows(self, findings: Sequence[Row], advice: Sequence[Row]) -> None:
        """Show rows of `operator.details.bounds` and of the collector's advice that no panel shows."""
        self._rows = [*findings, *({**row, "severity": "advice", "kind": "advice"} for row in advice)]
        self.setVisible(bool(self._rows))
        self._fill()

    def toggle(self) -> None:
        """All sentences, or the first ones."""
        self.is_open = not self.is_open
        self._fill()

    def texts(self) -> list[str]:
        """All sentences in the current language."""
        return [engine_text.say(str(row["text"])) for row in self._rows]

    def copy_text(self) -> None:
        """Put the sentences on the clipboard."""
        QGuiApplication.clipboard().setText("".join(f"{text}\n" for text in self.texts()))

    def _fill(self) -> None:
        parts.clear(self._list)
        shown = self._rows if self.is_open else self._rows[:_FIRST]
        for row, text in zip(shown, self.texts(), strict=False):
            self._list.addWidget(self._line(row, text))
        rest = len(self._rows) - _FIRST
        self.more_button.setVisible(rest > 0)
        self.more_button.setText(tr("Less") if self.is_open else tr("{0} more").format(rest))

    def _line(self, row: Row, text: str) -> QWidget:
        line = QWidget()
        columns = parts.columns(line, gap=8)
        icon, colour = _ICONS[str(row["severity"])]
        columns.addWidget(parts.IconLabel(icon, colour), 0, Qt.AlignmentFlag.AlignTop)
        words = QLabel(text)
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words.setProperty("strong", "true" if row["kind"] == "verdict" else "false")
        columns.addWidget(words, 1)
        section = row.get("section")
        if section:
            link = parts.button(tr("Show"), link=True, click=lambda: self.section_wanted.emit(str(section)))
            link.setAccessibleName(tr("Show the figures of: {0}").format(text))
            columns.addWidget(link, 0, Qt.AlignmentFlag.AlignTop)
        return line


class AdviceLines(QWidget):
    """Sentences of the collector below a panel, each with a warning sign."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._list = parts.rows(self, margins=(10, 4, 10, 6), gap=1)
        self.texts: list[str] = []
        self.hide()

    def show_texts(self, texts: Sequence[str]) -> None:
        """Show these sentences; nothing at all without any."""
        self.texts = list(dict.fromkeys(texts))
        parts.clear(self._list)
        for text in self.texts:
            line = QWidget()
            columns = parts.columns(line, gap=8)
            columns.addWidget(parts.IconLabel("warning", "warn"), 0, Qt.AlignmentFlag.AlignTop)
            words = QLabel(engine_text.say(text))
            words.setTextFormat(Qt.TextFormat.PlainText)
            words.setWordWrap(True)
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            columns.addWidget(words, 1)
            self._list.addWidget(line)
        self.setVisible(bool(self.texts))
