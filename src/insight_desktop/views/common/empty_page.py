"""What a page shows when its data are missing: what is missing and why, the files it reads, what to change next time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from insight_desktop.views.common import fonts, icons, parts, theme
from insight_desktop.views.common.language import tr

WIDTH = 780
State = Literal["found", "missing", "unneeded"]
_ICONS = {"found": ("check-circle", "ok"), "missing": ("x-circle", "error"), "unneeded": ("minus-circle", "text3")}


@dataclass(frozen=True)
class FileLine:
    """One file that a page reads: its name, what it gives, whether it is there, and words for that."""

    name: str
    gives: str
    state: State
    status: str


@dataclass(frozen=True)
class Offer:
    """A button: text, icon, what it does. The first one of a page is the default."""

    text: str
    icon: str
    do: Callable[[], None]


class EmptyPage(QScrollArea):
    """Title, reason, files, the line of the collector to change, at most three buttons, and what they will not give."""

    def __init__(self, icon: str = "tray", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self._code = ""
        self.buttons: list[QWidget] = []
        inside = QWidget()
        inside.setObjectName("surface")
        self.setWidget(inside)
        outer = parts.columns(inside, margins=(24, 24, 24, 24), gap=0)
        middle = QWidget()
        middle.setMaximumWidth(fonts.scaled(WIDTH))
        self._column = parts.rows(middle, gap=14)
        outer.addStretch(1)
        outer.addWidget(middle, 100)
        outer.addStretch(1)
        self._build_head(icon)
        self._files_box, self._files = self._box(tr("What this page reads"))
        self._code_box, code = self._box(tr("To get it in the next run"), copy=True)
        self._code_label = QLabel()
        self._code_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._code_label.setTextFormat(Qt.TextFormat.PlainText)
        self._code_label.setContentsMargins(14, 10, 14, 10)
        self._code_label.setObjectName("raised")
        ground = QWidget()
        ground.setObjectName("raised")
        ground.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        parts.rows(ground).addWidget(self._code_label)
        code.addWidget(parts.line())
        code.addWidget(ground)
        self._row = parts.columns(gap=8)
        self.note = parts.label(level=2)
        self.note.setWordWrap(True)
        self._column.insertStretch(0, 1)
        for item in (self._files_box, self._code_box):
            self._column.addWidget(item)
        self._column.addLayout(self._row)
        self._column.addWidget(self.note)
        self._column.addStretch(2)
        theme.notifier.changed.connect(self._restyle)
        self._restyle()

    def _build_head(self, icon: str) -> None:
        head = parts.columns(gap=12)
        frame = QFrame()
        frame.setObjectName("box")
        frame.setFixedSize(48, 48)
        parts.columns(frame, margins=(13, 13, 13, 13)).addWidget(parts.IconLabel(icon, "text2", 22))
        self.title = parts.label(role="title", strong=True)
        self.title.setWordWrap(True)
        self.text = parts.label(level=2, role="explain")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words = parts.rows(gap=4)
        words.addWidget(self.title)
        words.addWidget(self.text)
        head.addWidget(frame, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        self._column.addLayout(head)

    def _box(self, title: str, *, copy: bool = False) -> tuple[QFrame, QVBoxLayout]:
        box = QFrame()
        box.setObjectName("box")
        column = parts.rows(box, margins=(1, 1, 1, 1))
        head = parts.columns(margins=(10, 4, 8, 4))
        label = parts.label(title, strong=True)
        label.setMinimumHeight(24)
        head.addWidget(label, 1)
        if copy:
            self._copy_label = label
            self.copy_button = parts.button(tr("Copy"), "copy", flat=True, click=self.copy_code)
            head.addWidget(self.copy_button)
        else:
            self._files_label = label
        inner = parts.rows()
        column.addLayout(head)
        column.addLayout(inner)
        return box, inner

    def show_content(
        self,
        title: str,
        text: str,
        *,
        files: Sequence[FileLine] = (),
        code: str = "",
        offers: Sequence[Offer] = (),
        note: str = "",
    ) -> None:
        """Say what is missing; all texts in the current language.

        Args:
            title: what is missing.
            text: why, one paragraph.
            files: what the page reads.
            code: the line of the collector to change for the next run.
            offers: at most three buttons, the repair first.
            note: what that will not give.
        """
        self.title.setText(title)
        self.text.setText(text)
        self._show_files(files)
        self._code = code
        self._code_label.setText(code)
        self._code_box.setVisible(bool(code))
        self._files_label.setText(tr("What this page reads"))
        self._copy_label.setText(tr("To get it in the next run"))
        self.copy_button.setText(tr("Copy"))
        self._show_offers(offers[:3])
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.setAccessibleName(f"{title}. {text}")

    def _show_files(self, files: Sequence[FileLine]) -> None:
        parts.clear(self._files)
        self._files_box.setVisible(bool(files))
        for line in files:
            row = QWidget()
            row.setMinimumHeight(fonts.scaled(36))
            columns = parts.columns(row, margins=(14, 0, 14, 0), gap=10)
            columns.addWidget(parts.IconLabel(*_ICONS[line.state], icons.BUTTON))
            name = parts.label(line.name)
            name.setFont(fonts.mono())
            name.setMinimumWidth(fonts.scaled(170))
            state = {"missing": "error"}.get(line.state, "")
            status = parts.label(line.status, level=2, state=state)
            columns.addWidget(name)
            columns.addWidget(parts.ElidedLabel(line.gives, Qt.TextElideMode.ElideRight), 1)
            columns.addWidget(status)
            self._files.addWidget(parts.line())
            self._files.addWidget(row)

    def _show_offers(self, offers: Sequence[Offer]) -> None:
        parts.clear(self._row)
        self.buttons = []
        for i, offer in enumerate(offers):
            button = parts.button(offer.text, offer.icon, default=i == 0, click=offer.do)
            self.buttons.append(button)
            self._row.addWidget(button)
        self._row.addStretch(1)

    def copy_code(self) -> None:
        """Put the line of the collector on the clipboard."""
        QGuiApplication.clipboard().setText(self._code)

    @property
    def code(self) -> str:
        """The line of the collector."""
        return self._code

    def _restyle(self) -> None:
        self._code_label.setFont(fonts.mono())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._restyle()
        super().changeEvent(event)
