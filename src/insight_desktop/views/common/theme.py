"""The look in one place: colours by token name, application palette and style sheet, dark and light.

Widgets ask `token("surface")` when they paint and repaint on `notifier.changed`; nothing keeps a colour of its own.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from insight_desktop.views.common import fonts, settings, tokens

Choice = Literal["dark", "light", "system"]
CHOICES: tuple[Choice, ...] = ("dark", "light", "system")


class Notifier(QObject):
    """Says that colours or text size changed; painted widgets repaint and drop cached pixmaps."""

    changed = Signal()


notifier = Notifier()


class _State:
    dark = True
    choice: Choice = "dark"
    safe = False
    started = False


# ---- questions -------------------------------------------------------------------------------------------------------


def is_dark() -> bool:
    """True while the dark theme is on."""
    return _State.dark


def choice() -> Choice:
    """What the user chose: `dark`, `light` or `system`."""
    return _State.choice


def is_safe() -> bool:
    """True while the colour-blind safe colours replace slice and series colours."""
    return _State.safe


def token(name: str) -> QColor:
    """Colour of a token such as `surface` or `text2` in the current theme; KeyError for an unknown name."""
    return QColor(_table()[name])


def hex_of(name: str) -> str:
    """The same as `#RRGGBB` text, for style sheets and rich text."""
    return _table()[name]


def series() -> list[QColor]:
    """Ten chart colours in their fixed order."""
    if _State.safe:
        return [QColor(c) for c in (tokens.SAFE_DARK if _State.dark else tokens.SAFE_LIGHT)]
    return [QColor(c) for c in (tokens.SERIES_DARK if _State.dark else tokens.SERIES_LIGHT)]


def meaning(name: str) -> QColor:
    """Colour of a fixed meaning such as `computing`, `communication`, `overlapped`, `free`, `bubble`."""
    return QColor(tokens.MEANINGS[name][0 if _State.dark else 1])


def slices() -> npt.NDArray[np.uint32]:
    """24 slice fills as 0xFFRRGGBB, index = name hash modulo 24."""
    return _packed(_State.dark, _State.safe)[0]


def inks() -> npt.NDArray[np.uint32]:
    """24 label inks as 0xFFRRGGBB, one for each fill of `slices`."""
    return _packed(_State.dark, _State.safe)[1]


def ink_for(fill: QColor) -> QColor:
    """Label ink with more contrast on any fill, for colours the user picked."""
    return QColor(tokens.ink_for(fill.name()))


# ---- changes ---------------------------------------------------------------------------------------------------------


def start(app: QApplication) -> None:
    """Give the application fonts, Fusion, and the remembered theme (dark at first)."""
    fonts.load()
    if not _State.started:
        _State.started = True
        app.setStyle("Fusion")
        app.styleHints().colorSchemeChanged.connect(_system_changed)
    remembered = settings.read("theme", "dark")
    _State.safe = settings.read_flag("safe_colours", default=False)
    set_theme(remembered if remembered in ("dark", "light", "system") else "dark", remember=False)  # type: ignore[arg-type]


def set_theme(name: Choice, *, remember: bool = True) -> None:
    """Switch at once: `dark`, `light`, or `system` to follow the desktop."""
    _State.choice = name
    if remember:
        settings.write("theme", name)
    schemes = {"dark": Qt.ColorScheme.Dark, "light": Qt.ColorScheme.Light, "system": Qt.ColorScheme.Unknown}
    hints = QGuiApplication.styleHints()
    hints.setColorScheme(schemes[name])  # the title bar belongs to the system; this is all that can be asked for
    _State.dark = hints.colorScheme() != Qt.ColorScheme.Light if name == "system" else name == "dark"
    apply()


def set_safe_colours(on: bool) -> None:
    """Colour-blind safe slice and series colours on or off."""
    _State.safe = on
    settings.write_flag("safe_colours", on)
    notifier.changed.emit()


def set_text_scale(percent: int) -> None:
    """Text size, 90 to 150 percent."""
    settings.write("text_scale", str(max(fonts.MIN_SCALE, min(fonts.MAX_SCALE, percent))))
    apply()


def apply() -> None:
    """Set palette, font and style sheet of the application from the current tokens.

    The sheet holds every colour and size; while it stays the same, Qt is spared its visit of all widgets. From one sheet to
    another it takes six times as long as from none, so the old one is dropped first.
    """
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return
    sheet = style_sheet()
    if sheet != app.styleSheet():
        app.setStyleSheet("")
        app.setFont(fonts.ui())
        app.setPalette(palette())
        app.setStyleSheet(sheet)
    notifier.changed.emit()


def _system_changed() -> None:
    if _State.choice == "system":
        dark = QGuiApplication.styleHints().colorScheme() != Qt.ColorScheme.Light
        if dark != _State.dark:
            _State.dark = dark
            apply()


# ---- palette and style sheet -----------------------------------------------------------------------------------------


def palette() -> QPalette:
    """The application palette of the current theme."""
    result = QPalette()
    role = QPalette.ColorRole
    roles = {
        role.Window: "window", role.Base: "surface", role.AlternateBase: "zebra", role.Button: "raised",
        role.Text: "text", role.WindowText: "text", role.ButtonText: "text", role.BrightText: "seltext",
        role.PlaceholderText: "text3", role.Highlight: "sel", role.HighlightedText: "seltext",
        role.ToolTipBase: "raised", role.ToolTipText: "text", role.Link: "accent", role.LinkVisited: "accent",
        role.Accent: "accentfill", role.Mid: "border", role.Midlight: "hover", role.Light: "hover",
        role.Dark: "strong", role.Shadow: "border",
    }  # fmt: skip
    for each, name in roles.items():
        result.setColor(each, token(name))
    for each in (role.Text, role.WindowText, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, each, token("text3"))
    result.setColor(QPalette.ColorGroup.Inactive, role.Highlight, token("selinactive"))
    result.setColor(QPalette.ColorGroup.Inactive, role.HighlightedText, token("text"))
    return result


def style_sheet() -> str:
    """The style sheet of the current theme, pixel sizes at the user's text size."""
    from insight_desktop.views.common import icons  # icons ask this module for colours

    text = files("insight_desktop.views.common").joinpath("theme.qss").read_text(encoding="utf-8")
    for name, colour in _table().items():
        text = text.replace("{" + name + "}", colour)
    text = text.replace("{icons}", _as_url(icons.image_folder()))
    for px in (11, 12, 13, 16, 18, 20, 22, 24, 26, 28, 30, 32):
        text = text.replace("{" + f"{px}px" + "}", f"{fonts.scaled(px)}px")
    return text


def _as_url(path: Path) -> str:
    return path.as_posix()


def _table() -> dict[str, str]:
    return tokens.DARK if _State.dark else tokens.LIGHT


@cache
def _packed(dark: bool, safe: bool) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    if safe:
        base = tokens.SAFE_DARK if dark else tokens.SAFE_LIGHT
        fills = tuple(base[i % len(base)] for i in range(24))
    else:
        fills = tokens.SLICES_DARK if dark else tokens.SLICES_LIGHT
    packed = np.array([0xFF000000 | int(c[1:], 16) for c in fills], dtype=np.uint32)
    ink = np.array([0xFF000000 | int(tokens.ink_for(c)[1:], 16) for c in fills], dtype=np.uint32)
    packed.flags.writeable = ink.flags.writeable = False
    return packed, ink
