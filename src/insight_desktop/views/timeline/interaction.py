"""What the mouse does in the chart: click, range by drag, edges, pan, box zoom, wheel; and what lies below a point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QWheelEvent

from insight_desktop.engine.timeline import raster
from insight_desktop.views.common.context import RequestPlace
from insight_desktop.views.timeline import paint, snap
from insight_desktop.views.timeline.layout import Row, Unit, heights
from insight_desktop.views.timeline.state import Hover, Selected, TimeRange

if TYPE_CHECKING:
    from insight_desktop.views.timeline.canvas import Canvas

SLACK = 2  # pixels beside a slice that still count as on it
LEAST_HIT = 3
DRAG_FROM = 2
EDGE = 2
_NOTCH = 120  # eighths of a degree of one wheel notch
_AUTO_SCROLL_MS = 30


@dataclass(frozen=True)
class Hit:
    """What lies below a point of the chart; `selected` is the slice or instant there, if any.

    `own` is the slice of a lane that a query made; its row may stand for no slice of the data.
    """

    row: Row
    unit: Unit
    time_ns: int
    selected: Selected | None
    own: int | None = None


class Gestures:
    """Turns mouse events of one canvas into verbs of the state."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.area = canvas.area
        self.state = canvas.state
        self.inside = False
        self.at = QPointF(0, 0)
        self.box: tuple[float, float] | None = None
        self._mode = ""
        self._press = QPointF(0, 0)
        self._anchor_ns = 0
        self._anchor_row: Row | None = None
        self._pressed_range: TimeRange | None = None
        self._last_x = 0.0
        self._keys = Qt.KeyboardModifier.NoModifier
        self._scroller = QTimer(canvas)
        self._scroller.setInterval(_AUTO_SCROLL_MS)
        self._scroller.timeout.connect(self._auto_scroll)

    @property
    def is_dragging(self) -> bool:
        """Whether a button is held for a drag."""
        return bool(self._mode)

    # ---- what is where -----------------------------------------------------------------------------------------------

    def hit(self, at: QPointF) -> Hit | None:
        """The row and the slice or instant at a point of the canvas."""
        row = self.area.row_at(at.y())
        if row is None or row.unit is None:
            return None
        time_ns = self.state.viewport.view.time_at(at.x(), self.canvas.width())
        if row.unit.figures:
            return Hit(row, row.unit, time_ns, None)
        if row.unit.own is not None:
            own = self._own(row, row.unit, at, time_ns)
            chosen = self.state.sql_lanes.selected(row.unit, own) if own is not None else None
            return Hit(row, row.unit, time_ns, chosen, own)
        return Hit(row, row.unit, time_ns, self._slice(row, row.unit, at, time_ns))

    def _own(self, row: Row, unit: Unit, at: QPointF, time_ns: int) -> int | None:
        """The slice of a lane that a query made."""
        slack = self.state.viewport.span_ns / max(self.canvas.width(), 1) * (LEAST_HIT / 2 + SLACK)
        depth = min(max(int((at.y() + self.area.scroll - row.y) // heights.row), 0), max(unit.depth_rows - 1, 0))
        return raster.slice_at(unit.own, depth, time_ns + self.state.shift_ns(unit.card, unit), slack)

    def _slice(self, row: Row, unit: Unit, at: QPointF, time_ns: int) -> Selected | None:
        merged = self.state.merges.of(unit)
        alone = self.state.filter.drawn_alone(unit.card) if merged is None else None
        capture = merged or alone or self.state.capture(unit.card)
        track = 0 if merged is not None else unit.track
        if capture is None or track is None or row.kind not in ("lane", "folded"):
            return None
        shift = self.state.shift_ns(unit.card, unit)
        slack = self.state.viewport.span_ns / max(self.canvas.width(), 1) * (LEAST_HIT / 2 + SLACK)
        inside = at.y() + self.area.scroll - row.y
        depth = (
            int(inside // heights.row)
            if row.kind == "lane"
            else int((inside - 2) * unit.depth_rows / (heights.folded - 4))
        )
        depth = min(max(depth, 0), max(unit.depth_rows - 1, 0))
        if depth == 0:
            # A mark is drawn above the rest, so it is hit before it; half its width is its reach.
            reach = slack / (LEAST_HIT / 2 + SLACK) * paint.CHEVRON / 2
            found = raster.instant_at(capture, track, time_ns + shift, reach)
            if found is not None:
                if merged is not None:
                    found = int(merged.to_base([found + len(merged.ids)])[0]) - len(merged.base.slice_start)
                return self.state.instant(unit.card, found, unit.track if unit.track is not None else unit.tracks[0])
        lane = int(capture.track_lane[track]) + depth
        if lane >= int(capture.track_lane[track + 1]):
            return None
        found = raster.slice_at(capture, lane, time_ns + shift, slack)
        if found is not None and merged is not None:
            found = int(merged.to_base([found])[0])
        elif found is not None and alone is not None:
            found = int(alone.ids[found])
        return self.state.slice(unit.card, found) if found is not None else None

    def edge_at(self, at: QPointF) -> str:
        """`start` or `end` when the point is on an edge of the range."""
        found = self.state.range
        if found is None or self.state.modes.locked is not None:
            return ""
        view, width = self.state.viewport.view, self.canvas.width()
        for name, time_ns in (("start", found.start_ns), ("end", found.end_ns)):
            if abs(view.x_of(time_ns, width) - at.x()) <= EDGE + 1:
                return name
        return ""

    # ---- mouse -------------------------------------------------------------------------------------------------------

    def press(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self.at = self._press = event.position()
        self._last_x = self._press.x()
        self.canvas.tip_wanted.emit(None, QPoint())
        keys = event.modifiers()
        edge = self.edge_at(self._press)
        hand = self.state.pan_mode and not edge and not keys & Qt.KeyboardModifier.AltModifier
        if hand or keys & Qt.KeyboardModifier.ControlModifier:
            self._mode = "hand" if hand else "pan"
            self.canvas.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif keys & Qt.KeyboardModifier.AltModifier:
            self._mode = "box"
        elif edge:
            self._mode = edge
            found = self.state.range
            assert found is not None
            self._anchor_ns = found.end_ns if edge == "start" else found.start_ns
        else:
            self._mode = "click"
            self._pressed_range = self.state.range
            self._anchor_ns = self._snapped(self._press, keys)
            self._anchor_row = self.area.row_at(self._press.y())
            row = self._anchor_row
            if self.state.modes.locked is not None:
                return
            if row is not None and row.unit is not None and row.kind != "hidden":
                self.state.select_lanes([row.unit.key])
            self.state.set_range(None)

    def move(self, event: QMouseEvent) -> None:
        self.at, self._keys = event.position(), event.modifiers()
        if event.buttons() & Qt.MouseButton.LeftButton and self._mode:
            self._drag()
            return
        self.hover()
        edge = bool(self.edge_at(self.at))
        idle = Qt.CursorShape.OpenHandCursor if self.state.pan_mode else Qt.CursorShape.ArrowCursor
        self.canvas.setCursor(Qt.CursorShape.SizeHorCursor if edge else idle)

    def release(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self.at = event.position()
        mode, self._mode = self._mode, ""
        self._scroller.stop()
        self.canvas.unsetCursor()
        if mode in ("click", "hand") and (self.at - self._press).manhattanLength() < DRAG_FROM:
            self._click()
        elif mode == "box" and self.box is not None:
            (left, right), self.box = sorted(self.box), None
            if right - left >= DRAG_FROM:
                self.state.viewport.settle()
                self.state.viewport.show(self._time(left), self._time(right))
        self.canvas.update()
        self.hover()

    def leave(self) -> None:
        self.inside = False
        self.canvas.tip_wanted.emit(None, QPoint())
        self.state.set_hover(Hover())
        self.state.context.cursor.emit("")

    def right_click(self, at: QPoint) -> None:
        """Selects the lane below the mouse unless it is selected already or a range is."""
        row = self.area.row_at(at.y())
        if (
            row is not None
            and row.unit is not None
            and self.state.range is None
            and row.unit.key not in self.state.lanes
        ):
            self.state.select_lanes([row.unit.key])
        self.canvas.tip_wanted.emit(None, QPoint())

    def wheel(self, event: QWheelEvent) -> None:
        """Wheel: lanes; Ctrl: zoom; Shift or sideways: pan. Trackpads give pixels."""
        pixels, angle, keys = event.pixelDelta(), event.angleDelta(), event.modifiers()
        width = max(self.canvas.width(), 1)
        if keys & Qt.KeyboardModifier.ControlModifier:
            steps = (angle.y() or angle.x()) / _NOTCH
            self.state.viewport.zoom(steps, min(max(event.position().x() / width, 0.0), 1.0))
        elif keys & Qt.KeyboardModifier.ShiftModifier:
            self.state.viewport.pan(-(angle.y() or angle.x()) / _NOTCH * 0.05)
        elif abs(pixels.x() or angle.x()) > abs(pixels.y() or angle.y()):
            moved = pixels.x() / width if pixels.x() else angle.x() / _NOTCH * 0.05
            self.state.viewport.pan(-moved)
        else:
            self.area.set_scroll(self.area.scroll - round(pixels.y() or angle.y() / _NOTCH * 60))
        self.hover()
        event.accept()

    def hover(self) -> None:
        """Tell the state and the tooltip what is below the mouse."""
        if not 0 <= self.at.x() < self.canvas.width():
            return
        found = self.hit(self.at)
        time_ns = self._time(self.at.x())
        chosen = found.selected if found is not None else None
        self.state.set_hover(
            Hover(
                time_ns,
                found.unit.key if found else None,
                chosen.card if chosen else None,
                chosen.name_id if chosen else None,
            )
        )
        self.canvas.tip_wanted.emit(found, self.at.toPoint())

    # ---- drags -------------------------------------------------------------------------------------------------------

    def _drag(self) -> None:
        away = (self.at - self._press).manhattanLength()
        if self._mode in ("pan", "hand"):
            self.state.viewport.pan((self._last_x - self.at.x()) / max(self.canvas.width(), 1))
            self._last_x = self.at.x()
        elif self._mode == "box":
            self.box = (self._press.x(), min(max(self.at.x(), 0.0), float(self.canvas.width())))
            self.canvas.update()
        elif self._mode in ("start", "end"):
            self._set_edge()
        elif self.state.modes.locked is None and (self._mode == "range" or away >= DRAG_FROM):
            self._mode = "range"
            self._set_range()
            if not 0 <= self.at.y() < self.canvas.height():
                self._scroller.start()
            else:
                self._scroller.stop()
        time_ns = self._time(min(max(self.at.x(), 0.0), float(self.canvas.width())))
        self.state.set_hover(Hover(time_ns))

    def _set_edge(self) -> None:
        found = self.state.range
        if found is not None:
            a, b = sorted((self._anchor_ns, self._clamped(self._snapped(self.at, self._keys))))
            if b > a:
                self.state.flags.move((found.start_ns, found.end_ns, found.card), (a, b))
                self.state.set_range(TimeRange(a, b, found.card, found.keys, found.rows))

    def _set_range(self) -> None:
        inside = QPointF(min(max(self.at.x(), 0.0), self.canvas.width()), self.at.y())
        a, b = sorted((self._clamped(self._anchor_ns), self._clamped(self._snapped(inside, self._keys))))
        units = self._covered()
        if b <= a or not units:
            self.state.set_range(None)
            return
        keys = tuple(unit.key for unit in units)
        self.state.set_range(TimeRange(a, b, units[0].card, keys, self._depth_rows(units)))
        self.state.select_lanes(keys)

    def _covered(self) -> list[Unit]:
        """Lanes of one card between the row of the press and the row of the mouse; the card of the press counts."""
        first = self._anchor_row
        if first is None or first.unit is None:
            return []
        y = self.at.y() + self.area.scroll
        low, high = (first.y, y) if y >= first.y else (y, first.y + first.height)
        rows = self.area.rows.window(int(low), int(max(high, low + 1)) + 1)
        found: dict[str, Unit] = {}
        for row in rows:
            if row.unit is None or row.kind == "hidden" or row.unit.is_card or row.unit.card != first.unit.card:
                continue
            # A closed group stands for its lanes; of an open one the lanes have rows of their own.
            units = [row.unit] if row.unit.is_lane or self.state.is_open(row.unit) else list(row.unit.walk())
            found.update((unit.key, unit) for unit in units if unit.is_lane)
        return list(found.values())

    def _depth_rows(self, units: list[Unit]) -> tuple[int, int] | None:
        """In slice selection mode: the depth rows that a drag inside one open lane covers."""
        row = self._anchor_row
        if not self.state.modes.depth_mode or len(units) != 1 or row is None or row.kind != "lane":
            return None
        last = max(units[0].depth_rows - 1, 0)
        ends = sorted(int((y + self.area.scroll - row.y) // heights.row) for y in (self._press.y(), self.at.y()))
        return min(max(ends[0], 0), last), min(max(ends[1], 0), last)

    def _snapped(self, at: QPointF, keys: Qt.KeyboardModifier) -> int:
        """The time at a point, or the edge of a slice of the row below it that is close; Alt keeps the time."""
        time_ns = self._time(at.x())
        row = self.area.row_at(at.y())
        if keys & Qt.KeyboardModifier.AltModifier or row is None or row.unit is None or row.kind != "lane":
            return time_ns
        unit = row.unit
        capture = self.state.merges.drawn(unit) or self.state.capture(unit.card)
        if capture is None:
            return time_ns
        first = int(capture.track_lane[unit.track]) if unit.track is not None else 0
        depth = min(max(int((at.y() + self.area.scroll - row.y) // heights.row), 0), max(unit.depth_rows - 1, 0))
        reach = self.state.viewport.span_ns / max(self.canvas.width(), 1) * snap.REACH_PX
        shift = self.state.shift_ns(unit.card, unit)
        if first + depth >= len(capture.lane_offset) - 1:
            return time_ns
        found = snap.nearest_edge(capture, [first + depth], time_ns + shift, reach)
        return time_ns if found is None else found - shift

    def _auto_scroll(self) -> None:
        over = self.at.y() - self.canvas.height() if self.at.y() >= self.canvas.height() else min(self.at.y(), 0.0)
        self.area.set_scroll(self.area.scroll + max(-40, min(40, round(over / 2) or (1 if over > 0 else -1))))
        self._set_range()

    def _click(self) -> None:
        found = self.hit(self.at)
        self.state.select(found.selected if found is not None else None)
        rid = self.state.sql_lanes.rid(found.unit, found.own) if found is not None and found.own is not None else None
        if rid is not None and found is not None:
            self.state.context.request_chosen.emit(RequestPlace(found.unit.card, rid))

    def _time(self, x: float) -> int:
        return self.state.viewport.view.time_at(x, self.canvas.width())

    def _clamped(self, time_ns: int) -> int:
        return min(max(time_ns, 0), self.state.viewport.total_ns)
