"""Idle gaps that are folded out of the axis: all devices wait, so nothing of them is lost; hatched marks stand for them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import gaps
from insight_desktop.engine.timeline.gaps import AxisFold
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, theme
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.viewport import View

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import TimelineState

MARK = 8  # width of a mark in pixels
MOST = 200  # gaps that are folded at once, the longest ones
PART = 0.01  # gaps longer than this part of the visible time are folded


def on_axis(store: Store, *, longer_than_ns: int) -> AxisFold:
    """The gaps of all cards on the axis of the project."""
    found = gaps.fold(store, longer_than_ns=longer_than_ns, most=MOST)
    base = store.base_ns
    return replace(found, from_ns=found.from_ns - base, to_ns=found.to_ns - base)


class Folding(QObject):
    """Whether gaps are folded, and which; they are found off the window's thread."""

    def __init__(self, state: TimelineState) -> None:
        super().__init__(state)
        self.state = state
        self.longer_than_ns: int | None = None
        self._tells = False
        self._asker = Asker(state.context, self)
        state.context.store_changed.connect(self.renew)

    @property
    def is_on(self) -> bool:
        return self.longer_than_ns is not None

    def toggle(self) -> None:
        """Fold the gaps that are long for what is on screen, or show all time again."""
        longer = (
            None if self.is_on else max(1, round(min(self.state.viewport.span_ns, self.state.viewport.total_ns) * PART))
        )
        self._tells = longer is not None
        self.set(longer)
        self.state.context.view_changed.emit()

    def set(self, longer_than_ns: int | None) -> None:
        """Fold gaps longer than this; None shows all time."""
        if longer_than_ns == self.longer_than_ns:
            return
        self.longer_than_ns = longer_than_ns
        self.renew()

    def renew(self) -> None:
        """The data or their offsets changed."""
        if self.longer_than_ns is None:
            self._asker.forget(on_axis)
            self._take(None)
            return
        self._asker.ask(on_axis, longer_than_ns=self.longer_than_ns, then=self._take, failed=self._failed)

    def _take(self, found: AxisFold | None) -> None:
        viewport = self.state.viewport
        if found is None and viewport.fold is None:
            return
        viewport.set_fold(found if found is not None and len(found.from_ns) else None)
        self.state.modes.changed.emit()
        if found is None or not self._tells:
            return
        self._tells = False
        if len(found.from_ns):
            text = tr("{n} idle gaps folded, {time} in all").format(
                n=number_text.count(len(found.from_ns)),
                time=number_text.duration(int((found.to_ns - found.from_ns).sum())),
            )
        else:
            longer = number_text.duration(self.longer_than_ns or 0)
            text = tr("No idle gap of all devices is longer than {0}.").format(longer)
        self.state.context.status.emit([text])

    def _failed(self, error: InsightError) -> None:
        self.longer_than_ns = None
        self.state.context.message.emit("warning", error.message, error.fix)

    def gap_at(self, x: float, width: int) -> tuple[int, int] | None:
        """The folded gap whose mark is at a pixel."""
        view = self.state.viewport.view
        near = [(abs(at - x), gap) for at, gap in places(view, width) if abs(at - x) <= MARK / 2]
        return min(near)[1] if near else None


def places(view: View, width: int) -> list[tuple[float, tuple[int, int]]]:
    """Pixel and times of the folded gaps on screen."""
    return [(view.x_of(gap[0], width), gap) for gap in view.folded()]


def gap_lines(gap: tuple[int, int]) -> list[tuple[str, str]]:
    """What a tooltip says about a folded gap: length, start, end."""
    return [
        (tr("Duration"), number_text.duration(gap[1] - gap[0])),
        (tr("Start"), number_text.ruler(gap[0])),
        (tr("End"), number_text.ruler(gap[1])),
    ]


def paint(painter: QPainter, view: View, width: int, top: int, height: int) -> None:
    """Hatched marks; where they would touch each other only lines."""
    found = [at for at, _ in places(view, width) if -MARK < at < width + MARK]
    ground, edge = theme.token("surface"), theme.token("strong")
    hatch = QBrush(theme.token("text3"), Qt.BrushStyle.BDiagPattern)
    for i, at in enumerate(found):
        near = min((abs(at - other) for other in found[max(0, i - 1) : i + 2] if other is not at), default=float(width))
        half = MARK / 2 if near >= MARK + 2 else 1.0
        box = QRectF(round(at) - half, top, 2 * half, height)
        painter.fillRect(box, ground)
        if half > 1:
            painter.fillRect(box, hatch)
            painter.fillRect(QRectF(box.left(), top, 1, height), edge)
        painter.fillRect(QRectF(box.right() - 1, top, 1, height), edge)
