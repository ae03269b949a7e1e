"""Banners under the tab row: what changed, what it means, what helps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from insight_desktop.views.common import parts
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr

ICONS = {
    "error": ("x-circle", "error"),
    "warning": ("warning", "warn"),
    "info": ("info", "accent"),
    "success": ("check-circle", "ok"),
}
MAX_BANNERS = 3
SUCCESS_MS = 4_000


@dataclass(frozen=True)
class Remedy:
    """A button of a banner."""

    text: str
    icon: str
    act: Callable[[], None]


class Banner(QFrame):
    """One message: fact in bold, consequence and remedy below, at most two buttons, copy, close."""

    def __init__(
        self, level: str, text: str, fix: str = "", remedies: tuple[Remedy, ...] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.level, self.text, self.fix = level, text, fix
        shown, helps = say(text), say(fix)  # the copy for a report stays in the language of the log
        self.setProperty("banner", level)
        layout = parts.columns(self, margins=(12, 7, 10, 7), gap=8)
        icon, colour = ICONS.get(level, ICONS["info"])
        layout.addWidget(parts.IconLabel(icon, colour, 16))
        words = parts.rows(gap=1)
        fact = parts.label(shown, strong=bool(fix) or level == "error")
        fact.setWordWrap(True)
        words.addWidget(fact)
        if fix:
            remedy = parts.label(helps)
            remedy.setWordWrap(True)
            words.addWidget(remedy)
        layout.addLayout(words, 1)
        for each in remedies[:2]:
            layout.addWidget(parts.button(each.text, each.icon, click=each.act))
        if level in ("error", "warning"):
            copy = parts.icon_button("copy", tr("Copy this message"), click=self._copy)
            layout.addWidget(copy)
        layout.addWidget(parts.icon_button("x", tr("Close"), click=self.close_banner))
        self.setAccessibleName(f"{shown} {helps}".strip())

    def close_banner(self) -> None:
        self.hide()
        self.deleteLater()

    def _copy(self) -> None:
        QApplication.clipboard().setText(f"{self.text}\n{self.fix}".strip())


class Banners(QWidget):
    """The stack of banners; equal messages are shown once, the newest on top, the oldest leaves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = parts.rows(self)
        self.hide()

    def show_message(self, level: str, text: str, fix: str = "", remedies: tuple[Remedy, ...] = ()) -> Banner:
        """Show a message; a success leaves by itself."""
        for old in self.banners():
            if (old.level, old.text) == (level, text):
                old.close_banner()
        banner = Banner(level, text, fix, remedies)
        banner.destroyed.connect(self._one_left)
        self._layout.insertWidget(0, banner)
        banner.show()
        for old in self.banners()[MAX_BANNERS:]:
            old.close_banner()
        self.show()
        if level == "success":
            QTimer.singleShot(SUCCESS_MS, banner, banner.close_banner)
        return banner

    def banners(self) -> list[Banner]:
        """Those that are shown, the newest first."""
        items = [self._layout.itemAt(i) for i in range(self._layout.count())]
        found = [item.widget() for item in items if item is not None]
        return [b for b in found if isinstance(b, Banner) and not b.isHidden()]

    def clear(self) -> None:
        for banner in self.banners():
            banner.close_banner()

    def _one_left(self) -> None:
        try:
            self.setVisible(bool(self.banners()))
        except RuntimeError:  # the window is being taken apart
            return

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.clear()  # their texts belong to the other language
        super().changeEvent(event)
