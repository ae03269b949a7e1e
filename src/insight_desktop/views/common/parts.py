"""Small widgets and layouts that many panels need, so that spaces and names are the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from insight_desktop.views.common import fonts, icons, theme


def rows(
    owner: QWidget | None = None, *, margins: tuple[int, int, int, int] = (0, 0, 0, 0), gap: int = 0
) -> QVBoxLayout:
    """A vertical layout without surprises."""
    return _spaced(QVBoxLayout(owner) if owner is not None else QVBoxLayout(), margins, gap)


def columns(
    owner: QWidget | None = None, *, margins: tuple[int, int, int, int] = (0, 0, 0, 0), gap: int = 8
) -> QHBoxLayout:
    """A horizontal layout without surprises."""
    return _spaced(QHBoxLayout(owner) if owner is not None else QHBoxLayout(), margins, gap)


def _spaced(layout: Any, margins: tuple[int, int, int, int], gap: int) -> Any:
    layout.setContentsMargins(*margins)
    layout.setSpacing(gap)
    return layout


def label(text: str = "", *, level: int = 1, strong: bool = False, role: str = "", state: str = "") -> QLabel:
    """A label of the first, second or third level; roles `title`, `start`, `explain`, `small`."""
    result = QLabel(text)
    result.setProperty("level", str(level))
    result.setProperty("strong", "true" if strong else "false")
    if role:
        result.setProperty("role", role)
    if state:
        result.setProperty("state", state)
    result.setTextFormat(Qt.TextFormat.PlainText)
    return result


def set_state(widget: QWidget, **properties: str) -> None:
    """Change properties that the style sheet looks at, and have it look again."""
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    if isinstance(widget, QLabel):  # other properties, other margins: frames take them over in this event only
        QApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
        widget.setIndent(widget.indent())
    widget.updateGeometry()


def button(
    text: str,
    icon: str = "",
    *,
    default: bool = False,
    flat: bool = False,
    link: bool = False,
    click: Callable[[], None] | None = None,
) -> QPushButton:
    """A push button; `default` is the blue one, `link` looks like a link."""
    result = QPushButton(text)
    if icon:
        icons.put(result, icon, "#FFFFFF" if default else "text")
        icons.fit(result, icons.BUTTON)
    result.setDefault(default)
    result.setAutoDefault(default)
    if flat:
        result.setProperty("flat", "true")
    if link:
        result.setProperty("link", "true")
        result.setCursor(Qt.CursorShape.PointingHandCursor)
    if click is not None:
        result.clicked.connect(lambda _=False: click())
    return result


class Segment(QPushButton):
    """One of several choices joined in a box; its width has room for the bold text, so that choosing moves nothing."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setCheckable(True)
        self.setAutoDefault(False)
        self.setProperty("segment", "only")

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        plain, bold = self.fontMetrics(), QFontMetrics(fonts.ui(bold=True))
        spare = hint.width() - plain.horizontalAdvance(self.text())
        return QSize(max(hint.width(), spare + bold.horizontalAdvance(self.text())), hint.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


def join(segments: Iterable[Segment]) -> None:
    """Give segments that stand side by side one outline: round at the two ends only."""
    found = list(segments)
    for at, segment in enumerate(found):
        ends = (at == 0, at == len(found) - 1)
        place = {(True, True): "only", (True, False): "first", (False, True): "last"}.get(ends, "middle")
        set_state(segment, segment=place)


def icon_button(
    icon: str, tip: str = "", *, size: int = icons.BUTTON, click: Callable[[], None] | None = None
) -> QToolButton:
    """A flat button with an icon only; its tip is its accessible name."""
    result = QToolButton()
    icons.put(result, icon)
    icons.fit(result, size, 26)
    set_tip(result, tip)
    if click is not None:
        result.clicked.connect(lambda _=False: click())
    return result


def pad(field: QAbstractSpinBox, *, plain: bool = False) -> None:
    """Give the text of a number field the distance from the edge that other fields have; `plain` shows no arrows.

    The style sheet does not reach the inner field, and lets it vanish when Qt is told to leave the arrows out.
    """
    field.lineEdit().setTextMargins(6, 0, 2, 0)
    if plain:
        field.setProperty("plain", "true")


def set_tip(widget: QWidget, tip: str, keys: str = "") -> None:
    """Tooltip with its key, and the accessible name."""
    shown = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText) if keys else ""
    widget.setToolTip(f"{tip} ({shown})" if shown else tip)
    widget.setAccessibleName(tip)


def line(*, standing: bool = False) -> QFrame:
    """A one pixel separator."""
    result = QFrame()
    result.setObjectName("standing" if standing else "line")
    return result


def clear(layout: QLayout) -> None:
    """Remove and delete everything in a layout."""
    while layout.count():
        item = layout.takeAt(0)
        if item is None:
            continue
        widget = item.widget()
        inner = item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear(inner)


def key_caps(keys: str) -> QWidget:
    """Keys as little caps: `Ctrl+O`, or several for a set of keys `W S A D`."""
    result = QWidget()
    layout = columns(result, gap=2)
    for part in keys.replace("+", " ").split() if keys != "+" else ["+"]:
        cap = QLabel(part)
        cap.setProperty("key", "true")
        layout.addWidget(cap)
    result.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return result


def stretch(layout: QBoxLayout, factor: int = 1) -> None:
    layout.addStretch(factor)


class IconLabel(QWidget):
    """An icon of the theme, painted so that it follows the theme by itself."""

    def __init__(self, name: str, colour: str = "text2", size: int = icons.ROW, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._colour, self._size = name, colour, size
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.notifier.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFixedSize(fonts.scaled(self._size), fonts.scaled(self._size))
        self.update()

    def set_icon(self, name: str, colour: str) -> None:
        self._name, self._colour = name, colour
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        icons.icon(self._name, self._colour).paint(painter, self.rect())
        painter.end()


class ElidedLabel(QLabel):
    """A label that elides (in the middle for paths) instead of pushing its neighbours away; the tooltip has it all."""

    def __init__(
        self, text: str = "", mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._full = text
        self._mode = mode
        self.least = 0  # pixels below which a cut text says nothing any more, so that none is shown
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        self._full = text
        self.setToolTip(text)
        self.setText(text)
        self._elide()

    def full_text(self) -> str:
        return self._full

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._elide()

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def _elide(self) -> None:
        margins = self.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        if room < fonts.scaled(self.least) and QFontMetrics(self.font()).horizontalAdvance(self._full) > room:
            self.setText("")
            return
        self.setText(QFontMetrics(self.font()).elidedText(self._full, self._mode, max(room, 10)))


class YieldingLabel(ElidedLabel):
    """As wide as its text while there is room, elided when there is not; it never widens the window."""

    def __init__(
        self, text: str = "", mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle, parent: QWidget | None = None
    ) -> None:
        super().__init__(text, mode, parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def set_text(self, text: str) -> None:
        super().set_text(text)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        margins = self.contentsMargins()
        width = QFontMetrics(self.font()).horizontalAdvance(self._full) + margins.left() + margins.right() + 2
        return QSize(width, super().sizeHint().height())


class Chip(QFrame):
    """A small coloured box with icon and words: `9 ready`."""

    def __init__(self, text: str, icon: str, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("chip", kind)
        layout = columns(self, margins=(6, 0, 7, 0), gap=5)
        keep_height(self, 24)
        colour = {"ok": "ok", "warn": "warn", "error": "error", "info": "accent"}.get(kind, "text2")
        layout.addWidget(IconLabel(icon, colour))
        words = label(text)
        words.setProperty("state", {"ok": "ok", "warn": "warning", "error": "error"}.get(kind, ""))
        layout.addWidget(words)
        self.setAccessibleName(text)


def repaint_on_theme(widget: QWidget) -> None:
    """Have a painted widget repaint when the theme changes."""
    theme.notifier.changed.connect(widget.update)


def scrolling(inside: QWidget) -> QScrollArea:
    """A page that scrolls when its panels have less room than they need, instead of making the window grow."""
    area = QScrollArea()
    inside.setObjectName(inside.objectName() or "surface")
    area.setObjectName(inside.objectName())
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inside)
    return area


class _Height(QObject):
    """Keeps the height of its parent, or its least height, in step with the text size."""

    def __init__(self, widget: QWidget, pixels: int, *, least: bool = False) -> None:
        super().__init__(widget)
        self._pixels = pixels
        self._set = widget.setMinimumHeight if least else widget.setFixedHeight
        theme.notifier.changed.connect(self.fit)
        self.fit()

    def fit(self) -> None:
        self._set(fonts.scaled(self._pixels))


def keep_height(widget: QWidget, pixels: int) -> None:
    """A bar of a fixed height at 100 % that grows and shrinks with the text size."""
    _Height(widget, pixels)


def keep_least_height(widget: QWidget, pixels: int) -> None:
    """A part that needs so much height at 100 %, and more with larger texts."""
    _Height(widget, pixels, least=True)
