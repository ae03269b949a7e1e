"""English and Simplified Chinese, switched at once.

Texts are written in English and pass `tr(...)` (this module's or a widget's own). The catalogue has one context:
equal English texts have one Chinese text wherever they stand.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal

from insight_desktop.views.common import settings

CONTEXT = "insight"
CATALOGUE = Path(__file__).resolve().parent.parent / "translations" / "zh_CN.qm"

Language = Literal["en", "zh"]


class Notifier(QObject):
    """Says that the language changed; widgets set their texts again."""

    changed = Signal()


notifier = Notifier()


class _Catalogue(QTranslator):
    """Looks every text up in the one context, whatever class asks."""

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str:  # noqa: ARG002
        # A missing text must come back as None (a null string): "" would blank the English original.
        return super().translate(CONTEXT, text, None, n) or None  # type: ignore[return-value]


class _State:
    language: Language = "en"
    catalogues: ClassVar[list[QTranslator]] = []


def tr(text: str) -> str:
    """The text in the current language; values come in later with `.format(...)`.

    Where one English word has two meanings, `word||which` is the text: what follows the bars is never shown.
    """
    found: str = QCoreApplication.translate(CONTEXT, text)
    return found.partition("||")[0] if found == text else found


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: ARG001
    """Marks a text for the catalogue and gives it back; the collector of texts knows this name."""
    return text


def current() -> Language:
    """`en` or `zh`."""
    return _State.language


def start() -> None:
    """Bring back the remembered language; the first time, the one of the desktop."""
    system = "zh" if QLocale.system().language() == QLocale.Language.Chinese else "en"
    set_language("zh" if settings.read("language", system) == "zh" else "en", remember=False)


def set_language(language: Language, *, remember: bool = True) -> None:
    """Switch all texts at once; widgets receive LanguageChange events."""
    if remember:
        settings.write("language", language)
    _State.language = language
    while _State.catalogues:
        QCoreApplication.removeTranslator(_State.catalogues.pop())
    if language == "zh":
        # Texts of Qt itself (file dialogs, menus of text fields) come first: the newest catalogue is asked first.
        qt = QTranslator()
        if qt.load(str(Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)) / "qtbase_zh_CN.qm")):
            _State.catalogues.append(qt)
        own = _Catalogue()
        if own.load(str(CATALOGUE)):
            _State.catalogues.append(own)
        for catalogue in _State.catalogues:
            QCoreApplication.installTranslator(catalogue)
    notifier.changed.emit()
