"""The band of training steps below the time axis: from ProfilerStep marks, else from the period that was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import steps
from insight_desktop.views.common import fonts, number_text, theme
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.state import TimelineState
from insight_desktop.views.timeline.step_ruler import card_of_steps

HEIGHT = 18
_PADDING = 6
_LEAST = 3.0  # pixels below which steps are drawn as one block


@dataclass(frozen=True, eq=False)
class Marks:
    """Steps of a card on the axis, in order; `exact` tells marks of the data from a period that was found."""

    card: str
    number: Any
    start: Any
    end: Any
    exact: bool


def marks(store: Store, *, card: str) -> Marks:
    """Steps of a card with the offsets of their lanes."""
    found: pa.Table = steps.steps(store, card=card)
    capture = store.capture(card)
    ids = found["id"].to_numpy()
    lanes = np.searchsorted(np.asarray(capture.lane_offset), ids, "right") - 1
    tracks = np.asarray(capture.lane_track)[lanes] if len(ids) else ids
    start, end = (store.axis_ns(card, found[name].to_numpy(), tracks) for name in ("from_ns", "to_ns"))
    exact = found.num_rows > 0 and found["source"][0].as_py() == "ProfilerStep"
    return Marks(card, found["step"].to_numpy(), start, end, exact)


class StepBand(QWidget):
    """Steps of the current card. A click shows a step alone; the card follows the selection.

    Signals:
        shown_changed: there are steps to be shown now, or no longer.
        wheel_turned: a wheel event for the chart below.
    """

    shown_changed = Signal()
    wheel_turned = Signal(object)

    def __init__(self, state: TimelineState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.marks: Marks | None = None
        self.is_wanted = True  # False: the data have no steps, and none are guessed
        self._asker = Asker(state.context, self)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        state.viewport.changed.connect(self.update)
        state.selection_changed.connect(self._follow)
        state.context.card_selected.connect(self._follow)
        self.retranslate()

    def retranslate(self) -> None:
        self.setAccessibleName(tr("Steps"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    @property
    def wanted_height(self) -> int:
        """0 without steps."""
        return fonts.scaled(HEIGHT) if self.is_wanted and self.marks is not None and len(self.marks.start) else 0

    def renew(self, *, at_once: bool = False) -> None:
        """The data or offsets changed."""
        card = card_of_steps(self.state)
        if card is None:
            self._asker.forget(marks)
            self._take(None)
        elif at_once:
            self._take(marks(self.state.context.store, card=card))
        else:
            self._asker.ask(marks, card=card, then=self._take, failed=lambda _error: self._take(None))

    def _follow(self) -> None:
        card = card_of_steps(self.state)
        if card is not None and (self.marks is None or self.marks.card != card):
            self.renew()

    def _take(self, found: Marks | None) -> None:
        had, self.marks = self.wanted_height, found
        if had != self.wanted_height:
            self.shown_changed.emit()
        self.update()

    def step_at(self, x: float) -> int | None:
        """Place in `marks` of the step at a pixel."""
        if self.marks is None or not len(self.marks.start):
            return None
        time_ns = self.state.viewport.view.time_at(x, self.width())
        at = int(np.searchsorted(self.marks.start, time_ns, "right")) - 1
        return at if at >= 0 and time_ns < self.marks.end[at] else None

    def title(self, at: int) -> str:
        """How a step is called; periods that were found are marked as such."""
        assert self.marks is not None
        text = tr("Step {0}").format(self.marks.number[at])
        return text if self.marks.exact else f"≈ {text}"

    def blocks(self) -> list[tuple[float, float, int, int]]:
        """What is drawn: left and right pixel, first step and number of steps in the block."""
        found, view, width = self.marks, self.state.viewport.view, self.width()
        if found is None:
            return []
        first = max(0, int(np.searchsorted(found.start, view.first_ns, "right")) - 1)
        last = int(np.searchsorted(found.start, view.last_ns, "left"))
        starts, ends = view.xs_of(found.start[first:last], width), view.xs_of(found.end[first:last], width)
        out: list[tuple[float, float, int, int]] = []
        for at, (x0, x1) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True), first):
            if x1 < 0:
                continue
            if out and x1 - x0 < _LEAST and out[-1][1] - out[-1][0] < 20 and x0 - out[-1][1] < 1:
                out[-1] = (out[-1][0], x1, out[-1][2], out[-1][3] + 1)
            else:
                out.append((max(x0, -1.0), min(x1, width + 1.0), at, 1))
        return out

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.token("surface"))
        font = fonts.ui(11)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        for x0, x1, at, count in self.blocks():
            box = QRectF(x0, 1, max(x1 - x0, 1.0), self.height() - 3)
            painter.fillRect(box, theme.token("hover" if at % 2 else "raised"))
            painter.fillRect(QRectF(round(x0), 0, 1, self.height() - 1), theme.token("strong"))
            if count > 1:
                continue
            painter.setPen(theme.token("text2"))
            inside = box.adjusted(_PADDING, 0, -_PADDING, 0)
            for text in self._texts(at):
                if metrics.horizontalAdvance(text) <= inside.width():
                    painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
                    break
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.token("border"))
        painter.end()

    def _texts(self, at: int) -> tuple[str, str, str]:
        """What a step says, longest first."""
        assert self.marks is not None
        length = number_text.duration(int(self.marks.end[at] - self.marks.start[at]))
        return f"{self.title(at)} · {length}", self.title(at), str(self.marks.number[at])

    def tip(self, at: int) -> str:
        """Title, length, start, and where the step is known from."""
        assert self.marks is not None
        start = number_text.ruler(int(self.marks.start[at]))
        source = tr("marked by ProfilerStep") if self.marks.exact else tr("period found in the data")
        keys = tr("Ctrl+→ and Ctrl+← go from step to step")
        return f"{self._texts(at)[0]}\n{tr('Start')}: {start}\n{source}\n{keys}"

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self.step_at(event.position().x())
        text = self.tip(at) if at is not None else ""
        if text != self.toolTip():
            self.setToolTip(text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = self.step_at(event.position().x())
        if event.button() == Qt.MouseButton.LeftButton and at is not None and self.marks is not None:
            self.state.viewport.settle()
            self.state.viewport.show(int(self.marks.start[at]), int(self.marks.end[at]))

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.wheel_turned.emit(event)
