"""A list of names and values: values wrap, can be selected and copied, and keep their exact text in the copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QEvent, QMimeData, QUrl, Signal
from PySide6.QtGui import QGuiApplication, QTextOption
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from insight_desktop.views.common import fonts, theme
from insight_desktop.views.common.language import tr

_LONGEST = 4_000  # characters on screen; copies hold all of them
_UNBROKEN = 30  # characters
_JOINER = "\u2060"  # forbids a line break, has no width


@dataclass(frozen=True)
class Fact:
    """One line.

    Attributes:
        title: English name, translated by the list.
        value: text of the value, already in the current language.
        quiet: text behind the value in the third level (the exact number).
        copied: what the copy holds instead of `value quiet`.
        strong: the value is written in bold.
        state: `error`, `warn`, `ok` colour the value; empty for none.
        link: makes the value clickable; `link_clicked` sends it.
    """

    title: str
    value: str
    quiet: str = ""
    copied: str = ""
    strong: bool = False
    state: str = ""
    link: str = ""


class KeyValues(QTextBrowser):
    """Names left, values right, one line each unless they are long.

    Signals:
        link_clicked: the `link` of a fact.
    """

    link_clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts: Sequence[Fact] = ()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("edge", "none")
        self.setOpenLinks(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(8)
        self.anchorClicked.connect(self._clicked)
        theme.notifier.changed.connect(self._draw)

    def set_facts(self, facts: Sequence[Fact]) -> None:
        """Show these lines."""
        self._facts = tuple(facts)
        self._draw()

    @property
    def facts(self) -> Sequence[Fact]:
        """The lines that are shown."""
        return self._facts

    def as_text(self) -> str:
        """`name<tab>value` lines with exact values."""
        lines = ((tr(f.title), f.copied or " ".join(x for x in (f.value, f.quiet) if x)) for f in self._facts)
        return "".join(f"{title}\t{value}\n" for title, value in lines)

    def copy_all(self) -> None:
        """Put all lines on the clipboard."""
        QGuiApplication.clipboard().setText(self.as_text())

    def createMimeDataFromSelection(self) -> QMimeData:
        # Plain text only: colours of the theme have no place in other documents.
        data = QMimeData()
        data.setText(self.textCursor().selection().toPlainText().replace(_JOINER, ""))
        return data

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._draw()
        super().changeEvent(event)

    def _draw(self) -> None:
        at = self.verticalScrollBar().value()
        names = "".join(self._row(fact) for fact in self._facts)
        size = fonts.scaled(fonts.BODY)
        self.setHtml(f'<table width="100%" cellspacing="0" cellpadding="0" style="font-size:{size}px">{names}</table>')
        self.verticalScrollBar().setValue(at)

    def _row(self, fact: Fact) -> str:
        colour = theme.hex_of(fact.state) if fact.state else theme.hex_of("text")
        value = _lines(fact.value)
        if fact.strong:
            value = f"<b>{value}</b>"
        if fact.link:
            value = (
                f'<a href="{escape(fact.link)}" style="color:{theme.hex_of("accent")};text-decoration:none">{value}</a>'
            )
        quiet = f' <span style="color:{theme.hex_of("text3")}">{_unbroken(fact.quiet)}</span>' if fact.quiet else ""
        return (
            f'<tr><td style="white-space:nowrap;color:{theme.hex_of("text2")};padding:1px 12px 2px 0">{_lines(tr(fact.title))}</td>'
            f'<td width="100%" style="color:{colour};padding:1px 0 2px 0">{value}{quiet}</td></tr>'
        )

    def _clicked(self, url: QUrl) -> None:
        self.link_clicked.emit(url.toString())


def _unbroken(text: str) -> str:
    """Short additions (a date, an exact number) go to the next line as a whole."""
    shown = _lines(text)
    return shown if len(text) > _UNBROKEN else shown.replace(" ", "&nbsp;").replace("-", f"-{_JOINER}")


def _lines(text: str) -> str:
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return escape(text).replace("\r\n", "\n").replace("\n", "<br>")
