"""Phosphor icons in the colours of the theme.

`icon("folder-open")` gives an icon for now; `put(button, "folder-open")` also renews it when the theme changes.
"""

from __future__ import annotations

import os
import tempfile
import weakref
from pathlib import Path
from typing import Any, Protocol

import qtawesome
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPixmap

from insight_desktop.views.common import fonts, theme

ROW, BUTTON, RAIL = 14, 16, 20  # pixels at 100 %


class TakesIcon(Protocol):
    """A button, an action, anything with `setIcon`."""

    def setIcon(self, icon: QIcon, /) -> None: ...


_cache: dict[tuple[str, str, str], QIcon] = {}
_pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}
_MOST_PIXMAPS = 500
_worn: weakref.WeakKeyDictionary[Any, tuple[str, str]] = weakref.WeakKeyDictionary()
_sized: weakref.WeakKeyDictionary[Any, tuple[int, int]] = weakref.WeakKeyDictionary()


def icon(name: str, colour: str = "text2") -> QIcon:
    """Icon `ph.<name>` in the colour of a token (or `#RRGGBB`), cached per theme."""
    paint = colour if colour.startswith("#") else theme.hex_of(colour)
    key = (name, paint, theme.hex_of("text3"))
    if key not in _cache:
        on = theme.hex_of("seltext") if colour == "text2" else paint
        _cache[key] = qtawesome.icon(
            f"ph.{name}", color=paint, color_disabled=theme.hex_of("text3"), color_selected=on, color_active=paint
        )
    return _cache[key]


def pixmap(name: str, colour: str = "text2", size: int = ROW, ratio: float = 1.0) -> QPixmap:
    """The icon as pixmap of `size` logical pixels for a screen with this device pixel ratio."""
    paint = colour if colour.startswith("#") else theme.hex_of(colour)
    key = (name, paint, size, ratio)
    found = _pixmaps.get(key)
    if found is None:  # the engine of the icons draws the glyph anew each time, in a millisecond
        if len(_pixmaps) > _MOST_PIXMAPS:
            _pixmaps.clear()
        found = _pixmaps[key] = icon(name, colour).pixmap(QSize(size, size), ratio)
    return found


def put(wearer: TakesIcon, name: str, colour: str = "text2") -> None:
    """Set an icon and keep it in step with the theme."""
    wearer.setIcon(icon(name, colour))
    _worn[wearer] = (name, colour)
    if hasattr(wearer, "setIconSize") and wearer not in _sized:
        fit(wearer, BUTTON)


def fit(wearer: Any, pixels: int, box: int = 0) -> None:
    """Keep the icon of a button, and the button itself when `box` is given, in step with the text size."""
    _sized[wearer] = (pixels, box)
    _resize(wearer, pixels, box)


def _resize(wearer: Any, pixels: int, box: int) -> None:
    side = fonts.scaled(pixels)
    wearer.setIconSize(QSize(side, side))
    if box:
        wearer.setFixedSize(QSize(fonts.scaled(box), fonts.scaled(box)))


def image_folder() -> Path:
    """Folder with the few images that a style sheet can only load from files; drawn anew for each theme."""
    owner = os.environ.get("USER") or os.environ.get("USERNAME") or "user"
    folder = Path(tempfile.gettempdir()) / f"insight-desktop-{owner}" / ("dark" if theme.is_dark() else "light")
    images = {
        "caret-down": ("caret-down", "text2"), "caret-up": ("caret-up", "text2"), "check": ("check", "#FFFFFF"),
        "minus": ("minus", "#FFFFFF"), "menu-check": ("check", "text"),
        "branch-closed": ("caret-right", "text2"), "branch-open": ("caret-down", "text2"),
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    for name, (source, colour) in images.items():
        for suffix, ratio in (("", 1.0), ("@2x", 2.0)):
            target = folder / f"{name}{suffix}.png"
            if not target.exists():
                image = pixmap(source, colour, 12, ratio).toImage()
                part = folder / f".{name}{suffix}.{os.getpid()}.png"
                image.save(str(part))
                part.replace(target)  # two windows may draw at once
    return folder


def _renew() -> None:
    for wearer, (name, colour) in list(_worn.items()):
        try:
            wearer.setIcon(icon(name, colour))
        except RuntimeError:  # the C++ side is gone before the Python side
            _worn.pop(wearer, None)
    for wearer, (pixels, box) in list(_sized.items()):
        try:
            _resize(wearer, pixels, box)
        except RuntimeError:
            _sized.pop(wearer, None)


theme.notifier.changed.connect(_renew, Qt.ConnectionType.DirectConnection)
