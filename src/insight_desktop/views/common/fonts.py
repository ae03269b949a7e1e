"""Inter for text and JetBrains Mono for code and paths, with figures of equal width."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from PySide6.QtGui import QFont, QFontDatabase

from insight_desktop.views.common import settings

UI_FAMILIES = ("Inter", "Microsoft YaHei UI", "PingFang SC", "Noto Sans CJK SC", "Source Han Sans SC", "sans-serif")
MONO_FAMILIES = ("JetBrains Mono", "Noto Sans Mono CJK SC", "monospace")

SMALL = 11  # slice labels, heads, axis numbers, status bar
BODY = 12  # body and tables
EXPLAIN = 13  # explanation text
TITLE = 18  # key figures, titles of empty pages
START = 20  # title of the start page

MIN_SCALE, MAX_SCALE = 90, 150  # percent

_loaded = False


def load() -> None:
    """Register the bundled fonts once; needs a QGuiApplication."""
    global _loaded
    if _loaded:
        return
    for package in ("fontpkg_inter", "fontpkg_jetbrains_mono"):
        for entry in files(package).joinpath("files").iterdir():
            if entry.name.endswith(".ttf") and "Italic" not in entry.name:
                QFontDatabase.addApplicationFontFromData(entry.read_bytes())
    _loaded = True


def scale() -> int:
    """User's text size in percent, 90 to 150."""
    text = settings.read("text_scale", "100")
    return max(MIN_SCALE, min(MAX_SCALE, int(text))) if text.isdigit() else 100


def scaled(px: int) -> int:
    """Pixels at the user's text size."""
    return round(px * scale() / 100)


def _font(families: tuple[str, ...], px: int, bold: bool) -> QFont:
    return QFont(_made(families, scaled(px), bold))


@cache
def _made(families: tuple[str, ...], pixels: int, bold: bool) -> QFont:
    font = QFont()
    font.setFamilies(list(families))
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    font.setFeature(QFont.Tag("tnum"), 1)
    font.setFeature(QFont.Tag("calt"), 0)  # `->` in names stays two characters
    return font


def ui(px: int = BODY, *, bold: bool = False) -> QFont:
    """Font for text, `px` at 100 %."""
    return _font(UI_FAMILIES, px, bold)


def mono(px: int = BODY, *, bold: bool = False) -> QFont:
    """Font for code, addresses and paths."""
    return _font(MONO_FAMILIES, px, bold)
