"""The overview strip: the whole data in one line, computing above and communication below, and the window on it."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from insight_desktop import schema
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.timeline import raster
from insight_desktop.views.common import fonts, language, theme
from insight_desktop.views.common.ask import Background
from insight_desktop.views.timeline.state import TimelineState

HEIGHT = 40
_BARS = 600
_MOST_CARDS = 16
_MOST_STEPS = 2000
_EDGE = 5
_STEP_NAME = re.compile(r"^ProfilerStep\s*#\s*(\d+)$")
_COMMUNICATION = (schema.ROLE_GROUP, schema.ROLE_PLANE)


@dataclass(frozen=True)
class Overview:
    """Coverage 0–1 of the total in equal pieces; `lower` is None when there is no communication to tell apart."""

    upper: npt.NDArray[np.float32]
    lower: npt.NDArray[np.float32] | None
    steps: tuple[tuple[int, int, str], ...]  # start, end (axis ns), number


def overview(cards: list[tuple[Capture, npt.NDArray[np.int64]]], total_ns: int) -> Overview:
    """Summary of captures; each with the recorded time minus axis time of its lanes, by track."""
    upper, lower = np.zeros(_BARS, np.float32), np.zeros(_BARS, np.float32)
    found_lower = False
    for capture, shifts in cards[:_MOST_CARDS]:
        computing, communication, everything = _tracks(capture)
        found_lower |= len(communication) > 0
        shown = computing if len(communication) or len(computing) else everything
        upper += _density(capture, shown, shifts, total_ns)
        lower += _density(capture, communication, shifts, total_ns)
    count = max(1, min(len(cards), _MOST_CARDS))
    steps = next((found for found in (_steps(c, s) for c, s in cards[:_MOST_CARDS]) if found), ())
    upper /= np.float32(count)
    lower /= np.float32(count)
    return Overview(upper, lower if found_lower else None, steps)


def _tracks(capture: Capture) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Tracks of computing, of communication, and all."""
    rows = capture.tracks.select(["role", "process", "lane"]).to_pylist()
    overlap = [i for i, r in enumerate(rows) if r["role"] == schema.ROLE_OVERLAP or r["process"] == "Overlap Analysis"]
    computing = [i for i in overlap if rows[i]["lane"] == "Computing"]
    communication = [i for i in overlap if rows[i]["lane"] == "Communication"]
    if not computing and not communication:
        computing = [i for i, r in enumerate(rows) if r["role"] == schema.ROLE_STREAM]
        communication = [i for i, r in enumerate(rows) if r["role"] in _COMMUNICATION]
    return np.array(computing, np.int32), np.array(communication, np.int32), np.arange(len(rows), dtype=np.int32)


def _density(
    capture: Capture, tracks: npt.NDArray[np.int32], shifts: npt.NDArray[np.int64], total_ns: int
) -> npt.NDArray[np.float32]:
    """How busy any of some lanes is, each at its place on the axis."""
    out = np.zeros(_BARS, np.float32)
    own = shifts[tracks]
    for shift in np.unique(own).tolist():
        out = np.maximum(out, raster.busy_density(capture, tracks[own == shift], shift, shift + total_ns, _BARS))
    return out


def _steps(capture: Capture, shifts: npt.NDArray[np.int64]) -> tuple[tuple[int, int, str], ...]:
    """Slices named `ProfilerStep#n`, on the first track that has any."""
    named = np.flatnonzero(pc.starts_with(capture.strings, "ProfilerStep").to_numpy(zero_copy_only=False))
    texts = {int(i): m[1] for i in named if (m := _STEP_NAME.match(capture.text(int(i))))}
    if not texts:
        return ()
    ids = np.flatnonzero(np.isin(capture.slice_name, list(texts)))
    lanes = np.searchsorted(capture.lane_offset, ids, "right") - 1
    if not len(ids):
        return ()
    ids = ids[lanes == lanes[0]][:_MOST_STEPS]
    shift = int(shifts[int(capture.lane_track[lanes[0]])])
    return tuple(
        (int(capture.slice_start[i]) - shift, int(capture.slice_end[i]) - shift, texts[int(capture.slice_name[i])])
        for i in ids
    )


class Minimap(QWidget):
    """Drag the window to move the view, its edges to resize it; a click elsewhere centres it there.

    Signals:
        steps_found: number of steps in the data.
        wheel_turned: a wheel event for the chart below.
    """

    steps_found = Signal(int)
    wheel_turned = Signal(object)

    def __init__(self, state: TimelineState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.overview: Overview | None = None
        self._background = Background(self)
        self._grab = ""
        self._grab_at = 0.0
        self._image: QImage | None = None
        self.fit()
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Overview of the whole time"))
        state.viewport.changed.connect(self.update)

    def fit(self) -> None:
        """Grow with the text size."""
        self.setFixedHeight(fonts.scaled(HEIGHT))

    def renew(self, *, at_once: bool = False) -> None:
        """The data changed: summarise them anew."""
        store = self.state.context.store
        cards = [(o.capture, store.shifts_ns(o.name)) for o in self.state.cards.values() if o.capture is not None]
        total = self.state.viewport.total_ns
        if at_once:
            self._show(overview(cards, total))
            return
        self._background.run(
            "overview",
            lambda: overview(cards, total),
            then=self._show,
            failed=lambda error: self.state.context.message.emit("error", error.message, error.fix),
        )

    def restyle(self) -> None:
        self._image = None
        self.update()

    def _show(self, found: Overview) -> None:
        self.overview = found
        self._image = None
        self.steps_found.emit(len(found.steps))
        self.update()

    # ---- geometry ----------------------------------------------------------------------------------------------------

    def x_of(self, time_ns: float) -> float:
        return time_ns / self.state.viewport.total_ns * self.width()

    def time_at(self, x: float) -> int:
        return round(x / max(self.width(), 1) * self.state.viewport.total_ns)

    def window_rect(self) -> QRectF:
        """The frame of the view; never narrower than can be grabbed."""
        view = self.state.viewport.view
        left, right = self.x_of(view.first_ns), min(self.x_of(view.last_ns), float(self.width()))
        if right - left < 6:
            middle = (left + right) / 2
            left, right = middle - 3, middle + 3
        return QRectF(left, 0, right - left, self.height() - 1)

    # ---- painting ----------------------------------------------------------------------------------------------------

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self._image = None

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._image is None:
            ratio = self.devicePixelRatioF()
            self._image = QImage(round(self.width() * ratio), round(self.height() * ratio), QImage.Format.Format_RGB32)
            self._image.setDevicePixelRatio(ratio)
            inner = QPainter(self._image)
            self._ground(inner)
            inner.end()
        painter.drawImage(0, 0, self._image)
        rect = self.window_rect()
        colour = theme.token("focus")
        if rect.width() < self.width() - 1:
            shade = theme.token("canvas")
            shade.setAlphaF(0.45)
            painter.fillRect(QRectF(0, 0, rect.left(), self.height() - 1), shade)
            painter.fillRect(QRectF(rect.right(), 0, self.width() - rect.right(), self.height() - 1), shade)
        tint = theme.token("focus")
        tint.setAlphaF(0.12)
        painter.fillRect(rect, tint)
        painter.setPen(QPen(colour, 1))
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def _ground(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), theme.token("canvas"))
        found, bottom = self.overview, self.height() - 1
        if found is not None:
            head = fonts.scaled(14) if found.steps else 4
            split = bottom - 12 if found.lower is not None else bottom
            upper = theme.meaning("computing") if found.lower is not None else theme.token("strong")
            for values, base, room, colour in (
                (found.upper, split, split - head, upper),
                (found.lower, bottom, 10, theme.meaning("communication")),
            ):
                if values is None:
                    continue
                colour.setAlphaF(0.55)
                width = self.width() / len(values)
                for i in np.flatnonzero(values > 0).tolist():
                    height = max(1.0, float(values[i]) * room)
                    painter.fillRect(QRectF(i * width, base - height, width, height), colour)
            self._step_names(painter, found)
        painter.fillRect(0, bottom, self.width(), 1, theme.token("border"))

    def _step_names(self, painter: QPainter, found: Overview) -> None:
        font = fonts.ui(11)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        taken = -1.0
        for start, _, number in found.steps:
            x = self.x_of(start)
            if x < taken:
                continue
            text = language.tr("step {0}").format(number)
            painter.setPen(theme.token("border"))
            painter.drawLine(QPointF(round(x), 0), QPointF(round(x), self.height() - 1))
            painter.setPen(theme.token("text2"))
            painter.drawText(QPointF(round(x) + 4, 1 + metrics.ascent()), text)
            taken = x + metrics.horizontalAdvance(text) + 12

    # ---- mouse -------------------------------------------------------------------------------------------------------

    def _zone(self, x: float) -> str:
        rect = self.window_rect()
        if abs(x - rect.left()) <= _EDGE and abs(x - rect.left()) <= abs(x - rect.right()):
            return "left"
        if abs(x - rect.right()) <= _EDGE:
            return "right"
        return "move" if rect.left() < x < rect.right() else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        x = event.position().x()
        self._grab = self._zone(x)
        self.state.viewport.settle()
        if not self._grab:
            self.state.viewport.centre(self.time_at(x))
            self._grab = "move"
        self._grab_at = x - self.x_of(self.state.viewport.view.first_ns)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if not self._grab:
            self.setCursor(
                Qt.CursorShape.SizeHorCursor if self._zone(x) in ("left", "right") else Qt.CursorShape.ArrowCursor
            )
            return
        viewport = self.state.viewport
        at = min(max(self.time_at(x), 0), viewport.total_ns)
        view = viewport.view
        if self._grab == "move":
            left = self.time_at(x - self._grab_at)
            viewport.move_to(left if view.fold is None else view.fold.place(left))
        elif self._grab == "left":
            viewport.show(min(at, view.last_ns - 1), view.last_ns)
        else:
            viewport.show(view.first_ns, max(at, view.first_ns + 1))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._grab = ""

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.wheel_turned.emit(event)
