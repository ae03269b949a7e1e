"""A Timeline page over a small capture whose places on screen are known: 1,000 px show 1,000,000 ns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from tests.support import plain_build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.views.common import theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.layout import Row, Unit

T0 = 1_700_000_000_000_000_000
CHART = 1000  # pixels of the chart's width

HOST: dict[str, Any] = {"pid": 1, "process": "python3", "sort": 0, "label": "CPU"}
DEVICE: dict[str, Any] = {"pid": 2, "process": "Ascend Hardware", "sort": 1, "label": "NPU", "role": "stream"}
T11: dict[str, Any] = {**HOST, "tid": 11, "thread": "Thread 11"}
T12: dict[str, Any] = {**HOST, "tid": 12, "thread": "Thread 12"}
S2: dict[str, Any] = {**DEVICE, "tid": 2, "thread": "Stream 2"}

# Rows of the tree with everything open, in pixels from the top:
# card 0–22, python3 22–44, Thread 11 44–84 (two depth rows), Thread 12 84–104, Ascend Hardware 104–126, Stream 2 126–146
Y = {"card": 10, "python3": 33, "outer": 54, "inner": 74, "zero": 94, "Ascend Hardware": 115, "Stream 2": 136}


def at(start: int, end: int, name: str, lane: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A slice at axis times."""
    return {**lane, "name": name, "start_ns": T0 + start, "end_ns": T0 + end, **more}


def basic() -> list[dict[str, Any]]:
    """Six slices on three lanes; ids in the capture: outer 0, inner 1 and 2, zero 3, MatMul 4, outer 5."""
    return [
        at(0, 1_000_000, "outer", T11),
        at(100_000, 300_000, "inner", T11),
        at(500_000, 600_000, "inner", T11),
        at(250_000, 250_000, "zero", T12),
        at(200_000, 400_000, "MatMul", S2),
        at(600_000, 800_000, "outer", S2),
    ]


def card(folder: Path, name: str = "0", **facts: Any) -> StoreCard:
    """A card over the capture in a folder."""
    return StoreCard(name, name if name.isdigit() else None, 0, facts.pop("host", ""), "text", folder, **facts)


def make(qtbot: QtBot, cards: list[StoreCard], *, height: int = 700) -> TimelinePage:
    """A shown page that paints at once; its chart is 1,000 px wide."""
    theme.set_theme("dark", remember=False)
    page = TimelinePage(Context(Store(cards)))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    for canvas in page.body.canvases.values():
        canvas.synchronous = True
    page._closed_by_hand = True
    page.resize(CHART + 250 + 8, height)
    page.show()
    page.refresh()
    return page


def basic_page(qtbot: QtBot, folder: Path, **more: Any) -> TimelinePage:
    """The page of the basic capture."""
    plain_build.build(folder / "c0", slices=more.pop("slices", basic()), **more)
    return make(qtbot, [card(folder / "c0")])


def unit(page: TimelinePage, title: str) -> Unit:
    """The unit of a title."""
    return next(u for opened in page.state.cards.values() for u in opened.units.values() if u.title == title)


def row(page: TimelinePage, title: str) -> Row | None:
    """The row of a unit in the main area; None when it is not shown."""
    return page.state.rows.of(unit(page, title).key)


def send_mouse(
    widget: QWidget,
    kind: QEvent.Type,
    x: float,
    y: float,
    *,
    button: Qt.MouseButton = Qt.MouseButton.NoButton,
    held: Qt.MouseButton = Qt.MouseButton.NoButton,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """One mouse event."""
    place = QPointF(x, y)
    QApplication.sendEvent(widget, QMouseEvent(kind, place, QPointF(widget.mapToGlobal(place)), button, held, keys))


def move(widget: QWidget, x: float, y: float, **more: Any) -> None:
    send_mouse(widget, QEvent.Type.MouseMove, x, y, **more)


def drag(
    widget: QWidget, way: list[tuple[float, float]], keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """Press at the first place, move over the others, release at the last one."""
    left = Qt.MouseButton.LeftButton
    send_mouse(widget, QEvent.Type.MouseButtonPress, *way[0], button=left, held=left, keys=keys)
    for place in way[1:]:
        send_mouse(widget, QEvent.Type.MouseMove, *place, held=left, keys=keys)
    send_mouse(widget, QEvent.Type.MouseButtonRelease, *way[-1], button=left, keys=keys)


def click(widget: QWidget, x: float, y: float, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    drag(widget, [(x, y)], keys)


def wheel(
    widget: QWidget, x: float, y: float, angle: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """Turn the wheel; 120 is one notch away from the user."""
    place = QPointF(x, y)
    event = QWheelEvent(
        place, QPointF(widget.mapToGlobal(place)), QPoint(), QPoint(0, angle), Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def key(widget: QWidget, code: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Tap a key."""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, code, keys))
