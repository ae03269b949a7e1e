"""What stands out in a job: sentences with reasons and the ways to their evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.language import tr

_ICONS = {
    "warn": ("warning", "warn"), "wait": ("hourglass", "warn"), "info": ("info", "accent"), "ok": ("check-circle", "ok"),
    "error": ("x-circle", "error"),
}  # fmt: skip
ORDER = ("data", "spread", "slow", "straggler", "step")


@dataclass(frozen=True)
class Link:
    """Words that lead somewhere."""

    text: str
    do: Callable[[], None]


@dataclass(frozen=True)
class Finding:
    """One sentence, why we say so, and links; `level` is `warn`, `wait`, `info`, `ok` or `error`."""

    text: str
    why: str = ""
    level: str = "info"
    links: tuple[Link, ...] = ()


class FindingsBox(QFrame):
    """Findings below each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self._found: dict[str, list[Finding]] = {}
        self.title = parts.label(strong=True)
        self.chip = QLabel()
        self.chip.setProperty("chip", "plain")
        parts.keep_height(self.chip, 20)
        self.copy_button = parts.button("", "copy", flat=True, click=self.copy)
        head = QWidget()
        head.setObjectName("surface")
        parts.keep_height(head, 30)
        row = parts.columns(head, margins=(10, 0, 6, 0), gap=8)
        row.addWidget(self.title)
        row.addWidget(self.chip)
        row.addStretch(1)
        row.addWidget(self.copy_button)
        inside = QWidget()
        inside.setObjectName("surface")
        self._column = parts.rows(inside)
        self.scroll_area = parts.scrolling(inside)
        column = parts.rows(self, margins=(1, 1, 1, 1))
        column.addWidget(head)
        column.addWidget(parts.line())
        column.addWidget(self.scroll_area, 1)
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(tr("What stands out"))
        self.copy_button.setText(tr("Copy as text"))
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def put(self, key: str, findings: Sequence[Finding]) -> None:
        """The findings of a key of ORDER; none takes them away."""
        self._found[key] = list(findings)
        self._show()

    def clear(self) -> None:
        """Nothing is known."""
        self._found.clear()
        self._show()

    def findings(self) -> list[Finding]:
        """All findings in order: warnings first."""
        found = [f for key in ORDER for f in self._found.get(key, ())]
        return sorted(found, key=lambda f: f.level == "ok")

    def as_text(self) -> str:
        """Every finding with its reason."""
        return "".join(f"{f.text}\n{f.why}\n\n" if f.why else f"{f.text}\n\n" for f in self.findings())

    def copy(self) -> None:
        """Put the text on the clipboard."""
        QGuiApplication.clipboard().setText(self.as_text())

    def _show(self) -> None:
        parts.clear(self._column)
        found = self.findings()
        for i, finding in enumerate(found):
            if i:
                self._column.addWidget(parts.line())
            self._column.addWidget(_block(finding))
        self._column.addStretch(1)
        self.chip.setText(number_text.count(len(found)))
        self.chip.setVisible(bool(found))
        self.copy_button.setEnabled(bool(found))


def _block(finding: Finding) -> QWidget:
    block = QWidget()
    row = parts.columns(block, margins=(10, 8, 10, 8), gap=10)
    row.addWidget(parts.IconLabel(*_ICONS[finding.level]), 0, Qt.AlignmentFlag.AlignTop)
    column = parts.rows(gap=3)
    for text, level, strong in ((finding.text, 1, True), (finding.why, 2, False)):
        if text:
            label = parts.label(text, level=level, strong=strong)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(label)
    if finding.links:
        links = parts.columns(gap=14)
        for link in finding.links:
            links.addWidget(parts.button(link.text, link=True, click=link.do))
        links.addStretch(1)
        column.addLayout(links)
    row.addLayout(column, 1)
    return block
