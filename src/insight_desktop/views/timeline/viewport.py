"""Which stretch of time is on screen, how it moves, and the way back.

Times are axis times: integer nanoseconds since the base of the project. The left edge is an integer plus a part of a
nanosecond, so that a pixel is exact at a span of 1 ns however far from zero the view is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from insight_desktop.engine.capture import Array
from insight_desktop.engine.timeline.gaps import AxisFold

ZOOM_STEP = 1.1236
PAN_STEP = 0.05
MIN_SPAN_NS = 1.0
MAX_ZOOM_OUT = 2.236
HISTORY_LIMIT = 10_000
BURST_MS = 300


@dataclass(frozen=True)
class View:
    """A stretch of the axis: left edge (`left_ns` + `left_part`, 0 ≤ part < 1) and length in ns.

    Without folded gaps a place on the axis is a time. With `fold` they differ: `first_ns` and `last_ns` are the times at
    the edges, `left_ns` and `right_ns` the places.
    """

    left_ns: int
    left_part: float
    span_ns: float
    fold: AxisFold | None = field(default=None, compare=False, repr=False)

    @property
    def right_ns(self) -> int:
        """The first whole nanosecond at or behind the right edge."""
        return self.left_ns + math.ceil(self.left_part + self.span_ns)

    def x_of(self, time_ns: int, width: int) -> float:
        """Pixel of a time; exact for any distance from zero because only a difference becomes a float."""
        return self.x_of_place(time_ns if self.fold is None else self.fold.place(time_ns), width)

    def x_of_place(self, place_ns: int, width: float) -> float:
        """Pixel of a place on the axis."""
        return (place_ns - self.left_ns - self.left_part) * width / self.span_ns

    def xs_of(self, times: Array, width: int) -> Array:
        """Pixels of many times."""
        places = times if self.fold is None else self.fold.to_axis(times)
        return ((places - self.left_ns).astype(np.float64) - self.left_part) * width / self.span_ns

    def time_at(self, x: float, width: int) -> int:
        """The nanosecond that is drawn at pixel x."""
        place = self.left_ns + math.floor(self.left_part + x * self.span_ns / max(width, 1))
        return place if self.fold is None else self.fold.time(place)

    @property
    def first_ns(self) -> int:
        """Time at the left edge."""
        return self.left_ns if self.fold is None else self.fold.time(self.left_ns)

    @property
    def last_ns(self) -> int:
        """Time at the right edge."""
        return self.right_ns if self.fold is None else self.fold.time(self.right_ns)

    def stretches(self) -> list[tuple[int, int]]:
        """The times on screen, from and to; several when gaps between them are folded."""
        if self.fold is None:
            return [(self.left_ns, self.right_ns)]
        first, last = self.first_ns, self.last_ns
        inside = (self.fold.to_ns > first) & (self.fold.from_ns < last)
        edges = [first]
        for low, high in zip(self.fold.from_ns[inside].tolist(), self.fold.to_ns[inside].tolist(), strict=True):
            edges += [max(low, first), min(high, last)]
        edges.append(last)
        return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b > a]

    def folded(self) -> list[tuple[int, int]]:
        """The folded gaps on screen, from and to."""
        if self.fold is None:
            return []
        first, last = self.first_ns, self.last_ns
        inside = (self.fold.to_ns >= first) & (self.fold.from_ns <= last)
        return list(zip(self.fold.from_ns[inside].tolist(), self.fold.to_ns[inside].tolist(), strict=True))

    def moved(self, by_ns: float) -> View:
        """The same span, shifted."""
        return _view(self.left_ns, self.left_part + by_ns, self.span_ns, self.fold)


def _view(left_ns: int, part: float, span_ns: float, fold: AxisFold | None = None) -> View:
    whole = math.floor(part)
    rest = part - whole
    if rest >= 1.0:  # -1e-20 floors to -1 and leaves a rest of exactly 1.0
        whole, rest = whole + 1, 0.0
    return View(left_ns + whole, rest, span_ns, fold)


class Viewport(QObject):
    """The visible stretch of time of a timeline, with undo and redo.

    Signals:
        changed: the view is another one.
        history_changed: undo or redo became possible or impossible.
    """

    changed = Signal()
    history_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.total_ns = 1
        self.view = View(0, 0.0, 1.0)
        self.fold: AxisFold | None = None
        self._undo: list[View] = []
        self._redo: list[View] = []
        self._burst = QTimer(self)
        self._burst.setSingleShot(True)
        self._burst.setInterval(BURST_MS)

    @property
    def span_ns(self) -> float:
        return self.view.span_ns

    @property
    def max_span_ns(self) -> float:
        return max(MIN_SPAN_NS, MAX_ZOOM_OUT * self.length_ns)

    @property
    def length_ns(self) -> int:
        """Length of the axis: that of the data without what is folded."""
        return max(1, self.total_ns - (self.fold.saved_ns if self.fold is not None else 0))

    @property
    def undo_count(self) -> int:
        return len(self._undo)

    @property
    def redo_count(self) -> int:
        return len(self._redo)

    def set_total(self, total_ns: int, *, keep: bool = False) -> None:
        """The length of the data. Shows all of it, or keeps the view where it can (`keep`)."""
        self.total_ns = max(1, int(total_ns))
        self._set(self.view if keep else View(0, 0.0, float(self.length_ns)))
        if not keep:
            self._forget()

    def set_fold(self, fold: AxisFold | None) -> None:
        """Fold other gaps, in axis time; the times at the edges of the view stay where they can."""

        def again(view: View) -> View:
            first, last = view.first_ns, view.last_ns
            left, right = (t if fold is None else fold.place(t) for t in (first, last))
            return View(left, 0.0, float(max(right - left, 1)), fold)

        was_whole = self.view.left_ns == 0 and self.view.span_ns >= self.length_ns
        self._undo, self._redo = [again(v) for v in self._undo], [again(v) for v in self._redo]
        view = again(self.view)
        self.fold = fold
        self.view = self._clamped(View(0, 0.0, float(self.length_ns)) if was_whole else view)
        self.changed.emit()

    def zoom(self, steps: float, at: float) -> None:
        """Zoom in (steps > 0) or out about `at`, the part of the width (0 left, 1 right) that stays where it is."""
        old = self.view
        beyond = (old.left_ns + old.left_part + at * old.span_ns) - self.length_ns
        if beyond > 0:  # a point behind the data would pull the view out of them
            at = max(0.0, at - beyond / old.span_ns)
        span = min(max(old.span_ns / ZOOM_STEP**steps, MIN_SPAN_NS), self.max_span_ns)
        self._move(_view(old.left_ns, old.left_part + at * (old.span_ns - span), span))

    def pan(self, by: float) -> None:
        """Move by a part of the visible span; positive shows later times."""
        self._move(self.view.moved(by * self.view.span_ns))

    def move_to(self, left_ns: int, left_part: float = 0.0) -> None:
        """Put the left edge at a place of the axis, with the same span."""
        self._move(_view(left_ns, left_part, self.view.span_ns))

    def show(self, start_ns: int, end_ns: int) -> None:
        """Show exactly [start, end); an empty stretch is centred and keeps the span."""
        if end_ns <= start_ns:
            self.centre(start_ns)
            return
        if self.fold is not None:
            start_ns, end_ns = self.fold.place(start_ns), self.fold.place(end_ns)
        self._move(View(start_ns, 0.0, float(max(end_ns - start_ns, 1))))

    def centre(self, time_ns: int) -> None:
        """Bring a time to the middle with the same span."""
        place = time_ns if self.fold is None else self.fold.place(time_ns)
        self._move(_view(place, -self.view.span_ns / 2, self.view.span_ns))

    def jump_to(self, start_ns: int, end_ns: int, least_ns: int) -> None:
        """Show a slice with nine of its lengths before and behind it; `least_ns` is the smallest length assumed."""
        length = max(end_ns - start_ns, 1)
        if length < least_ns:
            middle = (start_ns + end_ns) // 2
            start_ns, length = middle - least_ns // 2, least_ns
        self.show(max(0, start_ns - 9 * length), min(max(self.total_ns, start_ns + length), start_ns + 10 * length))

    def reset(self) -> None:
        """Show all data and forget the history; nothing happens while there is no history."""
        if self._undo or self._redo:
            self._set(View(0, 0.0, float(self.length_ns)))
            self._forget()

    def show_all(self) -> None:
        """Show all data; unlike `reset` this can be undone."""
        self._move(View(0, 0.0, float(self.length_ns)))

    def undo(self) -> None:
        """Back to the view before the last burst of movements."""
        self._step(self._undo, self._redo)

    def redo(self) -> None:
        """Forward again after an undo."""
        self._step(self._redo, self._undo)

    def settle(self) -> None:
        """End the burst: the next movement becomes an entry of its own."""
        self._burst.stop()

    def state(self) -> dict[str, float | int]:
        """JSON values for the session file; times where gaps are folded."""
        if self.fold is not None:
            return {"left_ns": self.view.first_ns, "left_part": 0.0, "span_ns": self.view.last_ns - self.view.first_ns}
        return {"left_ns": self.view.left_ns, "left_part": self.view.left_part, "span_ns": self.view.span_ns}

    def restore(self, state: dict[str, float | int]) -> None:
        """Bring back what `state` gave."""
        self._set(_view(int(state["left_ns"]), float(state.get("left_part", 0.0)), float(state["span_ns"])))
        self._forget()

    def _step(self, source: list[View], target: list[View]) -> None:
        self.settle()
        if source:
            target.append(self.view)
            self._set(source.pop())
            self.history_changed.emit()

    def _move(self, view: View) -> None:
        before = self.view
        after = self._clamped(view)
        if after == before:
            return
        if not self._burst.isActive():
            self._undo.append(before)
            del self._undo[:-HISTORY_LIMIT]
        self._redo.clear()
        self._burst.start()
        self._set(after)
        self.history_changed.emit()

    def _set(self, view: View) -> None:
        after = self._clamped(view)
        if after != self.view:
            self.view = after
            self.changed.emit()

    def _clamped(self, view: View) -> View:
        span = min(max(view.span_ns, MIN_SPAN_NS), self.max_span_ns)
        if view.left_ns < 0 or span >= self.length_ns:
            return View(0, 0.0, span, self.fold)
        # The distance to the end is computed in integers first: the sum of both would lose the part of a nanosecond.
        over = view.left_part + span - (self.length_ns - view.left_ns)
        if over > 0:
            return _view(view.left_ns, view.left_part - over, span, self.fold)
        return View(view.left_ns, view.left_part, span, self.fold)

    def _forget(self) -> None:
        self.settle()
        self._undo.clear()
        self._redo.clear()
        self.history_changed.emit()
