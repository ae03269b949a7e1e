"""The plot of a chart: curves over an axis, crosshair, range and zoom, by mouse and by keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from insight_desktop.views.common import chart_paint, chart_readout, theme
from insight_desktop.views.common.ask import Background
from insight_desktop.views.common.chart_axis import Axis, Scale, padded
from insight_desktop.views.common.chart_data import (
    MOST_POINTS,
    Band,
    RefLine,
    Sample,
    Sampler,
    Series,
    colour_of,
    extent,
    nearest,
    raised,
    sample,
    tidy,
    values_extent,
)
from insight_desktop.views.common.chart_paint import Frame

# More points than this are thinned out on the pool, so that the window never waits for a zoom.
AT_ONCE_POINTS = 400_000
_EDGE = 5  # px around an edge that take hold of it
_CLICK = 4  # px: less is a click, not a drag
_NEAR = 12  # px: how far a scatter point may be from the mouse
Grab = Literal["", "zoom", "range", "low", "high", "move"]


class ChartPlot(QWidget):
    """Curves with a crosshair. A drag zooms in (and chooses the range when there is a brush).

    Signals:
        range_changed: (low, high) of the chosen range, or None.
        view_changed: (low, high) of the visible stretch, or None when all is visible.
        cursor_moved: place of the crosshair, or None.
        point_clicked: key of the series and position in it (points of scatter, bars, nearest of lines).
        place_clicked: place on the axis of every click inside the frame.
        lock_changed: True while dragging does nothing.
        sampled: how many points there are and how many are drawn.
        menu_wanted: global position of a context menu (by key; the right button restores).
    """

    range_changed = Signal(object)
    view_changed = Signal(object)
    cursor_moved = Signal(object)
    point_clicked = Signal(str, int)
    place_clicked = Signal(float)
    lock_changed = Signal(bool)
    sampled = Signal(int, int)
    menu_wanted = Signal(object)

    def __init__(self, x_axis: Axis, y_axis: Axis, *, brush: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.x_axis, self.y_axis = x_axis, y_axis
        self.right_axis: Axis | None = None  # of the series at the right
        self.has_brush = brush
        self.series: tuple[Series, ...] = ()
        self.hidden: frozenset[str] = frozenset()
        self.bands: tuple[Band, ...] = ()
        self.lines: tuple[RefLine, ...] = ()
        self.chosen: tuple[float, float] | None = None
        self.view: tuple[float, float] | None = None  # None: everything
        self.locked = False
        self.cursor_x: float | None = None
        self.shown = Sample((), 0, 0)
        self._sampler: Sampler | None = None
        self._extent: tuple[float, float] = (0.0, 1.0)
        self._marks: tuple[tuple[str, float, float], ...] = ()
        self._mouse: QPointF | None = None
        self._hit: tuple[str, int] | None = None  # scatter point under the mouse
        self._grab: Grab = ""
        self._grabbed_at = 0.0
        self._moving: tuple[float, float] | None = None  # the range while it is dragged
        self._picture: QPixmap | None = None
        self._frame: Frame | None = None
        self._asked = 0
        self._work = Background(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 90)
        theme.notifier.changed.connect(self.renew)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def show_series(
        self,
        series: Sequence[Series],
        *,
        sampler: Sampler | None = None,
        limits: tuple[float, float] | None = None,
        keep_view: bool = False,
    ) -> None:
        """Other data; zoom and range go back to everything unless they are kept.

        Args:
            series: the curves; whole ones, or those of a first look when there is a sampler.
            sampler: is asked for the points of a stretch now and on every zoom, and answers when it can.
            limits: the whole axis; that of the points when None.
            keep_view: zoom and range stay.
        """
        self.series = tuple(tidy(s) for s in series)
        self._sampler = sampler
        self._extent = limits or extent(self.series) or (0.0, 1.0)
        if self.x_axis.kind == "category":
            self._extent = (-0.5, max(1, len(self.x_axis.labels)) - 0.5)
        elif self._extent[0] >= self._extent[1]:
            self._extent = padded(*self._extent)
        self._marks, self._hit = (), None
        if not keep_view:
            self.view, self.chosen = None, None
        self._resample()

    def set_axes(self, x_axis: Axis, y_axis: Axis, right: Axis | None = None) -> None:
        """Other axes (another language, other units); `right` is that of the series with `right`."""
        self.x_axis, self.y_axis, self.right_axis = x_axis, y_axis, right
        self.renew()

    def set_hidden(self, keys: frozenset[str]) -> None:
        """Hide these series; the others keep their colours."""
        self.hidden = keys
        self.renew()

    def set_bands(self, bands: Sequence[Band]) -> None:
        self.bands = tuple(bands)
        self.renew()

    def set_lines(self, lines: Sequence[RefLine]) -> None:
        self.lines = tuple(lines)
        self.renew()

    def emphasise(self, key: str, places: Sequence[float]) -> None:
        """Rings around the drawn points of a series at exactly these places; none for an empty list."""
        wanted = set(places)
        found: list[tuple[str, float, float]] = []
        for s in self.shown.series if wanted else ():
            if s.key == key and key not in self.hidden:
                at = np.flatnonzero(np.isin(s.x, list(wanted)))
                found += [(key, float(s.x[i]), float(s.y[i])) for i in at.tolist()]
        if tuple(found) != self._marks:
            self._marks = tuple(found)
            self.update()

    @property
    def emphasised(self) -> tuple[tuple[str, float, float], ...]:
        """What `emphasise` found: key, x, y."""
        return self._marks

    @property
    def whole(self) -> tuple[float, float]:
        """The whole axis."""
        return self._extent

    @property
    def visible(self) -> tuple[float, float]:
        """The visible stretch."""
        return self.view or self._extent

    def colours(self) -> dict[str, QColor]:
        """Colours of all series; hidden ones keep theirs."""
        return {s.key: colour_of(s.colour, i) for i, s in enumerate(self.series)}

    def visible_series(self) -> list[Series]:
        """Whole series that are not hidden."""
        return [s for s in self.series if s.key not in self.hidden]

    # ---- zoom and range ----------------------------------------------------------------------------------------------

    def zoom_to(self, low: float, high: float) -> None:
        """Show a stretch, inside the data and not shorter than the axis allows; nothing happens while there are no data."""
        if not self.series:
            return
        whole = self._extent
        least = max(self.x_axis.least, (whole[1] - whole[0]) * 1e-9)
        low, high = max(whole[0], min(low, high)), min(whole[1], max(low, high))
        if high - low < least:
            middle = min(max((low + high) / 2, whole[0] + least / 2), whole[1] - least / 2)
            low, high = middle - least / 2, middle + least / 2
        view = None if (low, high) == whole else (low, high)
        if view != self.view:
            self.view = view
            self._resample()
            self.view_changed.emit(view)

    def choose(self, low: float | None, high: float | None = None) -> None:
        """Choose a range; None for none."""
        chosen = None if low is None or high is None else (min(low, high), max(low, high))
        if chosen != self.chosen:
            self.chosen = chosen
            self.update()
            self.range_changed.emit(chosen)

    def restore(self) -> None:
        """Everything is visible, no range, dragging works again."""
        self.set_locked(False)
        if self.view is not None:
            self.zoom_to(*self._extent)
        self.choose(None)

    def set_locked(self, locked: bool) -> None:
        """Locked: dragging does nothing."""
        if locked != self.locked:
            self.locked = locked
            self.lock_changed.emit(locked)

    # ---- picture -----------------------------------------------------------------------------------------------------

    def _resample(self) -> None:
        low, high = self.visible
        series = self.series
        if self._sampler is not None:
            self._asked += 1
            number = self._asked
            self._sampler(low, high, max(200, self.width()), lambda found: self._answer(number, found))
            self.renew()
        elif sum(len(s.x) for s in series) <= AT_ONCE_POINTS:
            self._work.drop("sample")
            self._take(sample(series, low, high, MOST_POINTS))
        else:
            self._work.run(
                "sample",
                lambda: sample(series, low, high, MOST_POINTS),
                then=self._take,
                failed=lambda _error: None,
            )
            self.renew()

    def _answer(self, number: int, found: Sample) -> None:
        if number == self._asked:
            self._take(found)

    def _take(self, found: Sample) -> None:
        self.shown = replace(found, series=tuple(tidy(s) for s in found.series))
        self.sampled.emit(found.points, found.drawn)
        self.renew()

    def renew(self) -> None:
        """Paint anew: data, theme or size changed."""
        self._picture = self._frame = None
        self.update()

    @property
    def frame(self) -> Frame:
        """The picture as it stands now."""
        if self._frame is None:
            self._frame = self.frame_of(self.width(), self.height())
        return self._frame

    def frame_of(self, width: float, height: float) -> Frame:
        """The picture in another size."""
        low, high = self.visible
        shown = [s for s in self.shown.series if s.key not in self.hidden]
        sides = self.right_axis is not None and any(s.right for s in shown)
        left = [s for s in shown if not (sides and s.right)]
        marks = [line.value for line in self.lines if line.axis == "y"]
        marks += [] if self.y_axis.reaches is None else [self.y_axis.reaches]
        y_low, y_high = self._ends(left, low, high, marks)
        if self.y_axis.kind == "category":
            y_low, y_high = -0.5, max(1, len(self.y_axis.labels)) - 0.5
        texts = chart_paint.y_texts(self.y_axis, y_low, y_high, height)
        plot = chart_paint.plot_rect(width, height, texts, has_x=bool(self.x_axis.title), has_y=bool(self.y_axis.title))
        right = None
        if self.right_axis is not None and sides:
            ends = self._ends([s for s in shown if s.right], low, high, ())
            plot = chart_paint.with_right(plot, self.right_axis, *ends, height)
            right = Scale(*ends, plot.bottom(), plot.top())
        return Frame(
            width, height, plot,
            Scale(low, high, plot.left(), plot.right()), Scale(y_low, y_high, plot.bottom(), plot.top()),
            self.x_axis, self.y_axis, self.shown.series, self.colours(), self.hidden, self.bands, self.lines,
            dots=self.shown.is_whole and self.shown.points < MOST_POINTS, right=right,
            right_axis=self.right_axis if sides else None, has_left=bool(left) or not sides,
        )  # fmt: skip

    def _ends(self, series: Sequence[Series], low: float, high: float, marks: Sequence[float]) -> tuple[float, float]:
        """Lowest and highest value of an axis, for what is visible of its series."""
        values = values_extent([self._inside(s, low, high) for s in series]) or (0.0, 1.0)
        return padded(min([values[0], *marks]), max([values[1], *marks]), from_zero=self._from_zero(series))

    def _from_zero(self, shown: Sequence[Series]) -> bool:
        return self.y_axis.from_zero or any(s.kind in ("bars", "area") for s in shown)

    @staticmethod
    def _inside(series: Series, low: float, high: float) -> Series:
        """Only what is visible decides how high the plot is; neighbours outside would squeeze it."""
        keep = (series.x >= low) & (series.x <= high)
        if series.kind == "bars" or not keep.any():
            return series
        return replace(series, x=series.x[keep], y=series.y[keep], labels=None)

    def paintEvent(self, _event: QPaintEvent) -> None:
        frame = self.frame
        if self._picture is None:
            ratio = self.devicePixelRatioF()
            self._picture = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
            self._picture.setDevicePixelRatio(ratio)
            with QPainter(self._picture) as inner:
                self.paint_ground(inner, frame)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)
            self._paint_moving(painter, frame)

    def paint_ground(self, painter: QPainter, frame: Frame) -> None:
        """Everything that does not move with the mouse; plots of another kind add to it."""
        chart_paint.ground(painter, frame)

    def _paint_moving(self, painter: QPainter, frame: Frame) -> None:
        chosen = self._moving or self.chosen
        if chosen is not None:
            chart_paint.brush(painter, frame, *chosen)
        if self._marks:
            chart_paint.spots(painter, frame, self._marks, ring=True)
        if self.hasFocus():
            painter.setPen(QPen(theme.token("focus"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))
        if self._hit is not None:
            self._paint_hit(painter, frame, *self._hit)
        elif self.cursor_x is not None and frame.x.low <= self.cursor_x <= frame.x.high:
            points = self.points_at_cursor()
            if points:
                chart_paint.crosshair(painter, frame, self.cursor_x)
                on_lines = [(p.series.key, self.cursor_x, p.height) for p in points if p.series.is_line]
                chart_paint.spots(painter, frame, on_lines)
                self._paint_readout(painter, frame, self.readout(points))

    def _paint_hit(self, painter: QPainter, frame: Frame, key: str, index: int) -> None:
        series = next(s for s in self.shown.series if s.key == key)
        x, y = float(series.x[index]), float(series.y[index])
        chart_paint.spots(painter, frame, [(key, x, y)], ring=True)
        at = [chart_readout.At(series, index, x, y, y)]
        lines = chart_readout.lines_of(self.x_axis, x, at, frame.colours)  # type: ignore[arg-type]
        chart_readout.paint(painter, lines, QPointF(frame.x.px(x), frame.scale_of(series).px(y)), QRectF(self.rect()))

    def _paint_readout(self, painter: QPainter, frame: Frame, lines: Sequence[chart_readout.ReadoutLine]) -> None:
        at = self._mouse or QPointF(frame.x.px(self.cursor_x or 0.0), frame.plot.center().y())
        chart_readout.paint(painter, lines, at, QRectF(self.rect()))

    # ---- readout -----------------------------------------------------------------------------------------------------

    def points_at_cursor(self) -> list[chart_readout.At]:
        """The points that the readout tells."""
        if self.cursor_x is None:
            return []
        return chart_readout.points_at(self._readable(), self.cursor_x)

    def readout(self, points: Sequence[chart_readout.At] | None = None) -> list[chart_readout.ReadoutLine]:
        """Lines of the readout at the crosshair; the first is the place."""
        if self.cursor_x is None:
            return []
        found = self.points_at_cursor() if points is None else points
        if self.y_axis.kind == "log":
            found = [replace(point, y=float(raised(np.asarray(point.y)))) for point in found]
        return chart_readout.lines_of(self.x_axis, self.cursor_x, found, self.colours())

    def _readable(self) -> list[Series]:
        """Exact values come from whole series; with a sampler from the points that it gave."""
        source = self.shown.series if self._sampler is not None else self.series
        return [s for s in source if s.key not in self.hidden]

    def move_cursor(self, x: float | None) -> None:
        """Put the crosshair on the point nearest to a place; None takes it away."""
        if x is not None and not self._crosses():
            x = None
        if x is not None:
            places = [float(s.x[nearest(s, x)]) for s in self._readable() if s.is_line and len(s.x)]
            if places:
                wanted = x
                x = min(places, key=lambda at: abs(at - wanted))
        if x != self.cursor_x:
            self.cursor_x = x
            self.cursor_moved.emit(x)
        self.update()

    def _crosses(self) -> bool:
        return any(s.kind != "scatter" for s in self.visible_series())

    def _step_cursor(self, direction: int) -> None:
        """To the next point of any visible series."""
        low, high = self.visible
        best: float | None = None
        at = self.cursor_x if self.cursor_x is not None else (low if direction > 0 else high)
        for s in self._readable():
            if not s.is_line:
                continue
            if direction > 0:
                i = int(np.searchsorted(s.x, at, "right" if self.cursor_x is not None else "left"))
                if i < len(s.x) and (best is None or s.x[i] < best):
                    best = float(s.x[i])
            else:
                i = int(np.searchsorted(s.x, at, "left" if self.cursor_x is not None else "right")) - 1
                if i >= 0 and (best is None or s.x[i] > best):
                    best = float(s.x[i])
        if best is None:
            return
        self._mouse = None
        self.move_cursor(best)
        if not low <= best <= high:
            half = (high - low) / 2
            start = min(max(best - half, self._extent[0]), self._extent[1] - 2 * half)
            self.zoom_to(start, start + 2 * half)

    # ---- mouse -------------------------------------------------------------------------------------------------------

    def _x_at(self, px: float) -> float:
        frame = self.frame
        return frame.x.value(min(max(px, frame.plot.left()), frame.plot.right()))

    def _edge_at(self, px: float) -> Grab:
        if self.chosen is None or not self.has_brush:
            return ""
        low, high = (self.frame.x.px(v) for v in self.chosen)
        if abs(px - low) <= _EDGE and abs(px - low) <= abs(px - high):
            return "low"
        return "high" if abs(px - high) <= _EDGE else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self.frame.plot.adjusted(-6, -20, 6, 6).contains(
            event.position()
        ):
            return
        self._grabbed_at = event.position().x()
        edge = self._edge_at(self._grabbed_at)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._grab = edge or ("range" if shift and self.has_brush else "zoom")
        if self.locked and self._grab in ("zoom", "range"):
            self._grab = ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        self._mouse = event.position()
        if not self._grab:
            self.setCursor(Qt.CursorShape.SizeHorCursor if self._edge_at(x) else Qt.CursorShape.ArrowCursor)
            self._hover(event.position())
            return
        if self._grab in ("low", "high") and self.chosen is not None:
            other = self.chosen[1] if self._grab == "low" else self.chosen[0]
            self._moving = (min(self._x_at(x), other), max(self._x_at(x), other))
        elif abs(x - self._grabbed_at) >= _CLICK:
            ends = self._x_at(self._grabbed_at), self._x_at(x)
            self._moving = (min(ends), max(ends))
        self.move_cursor(self._x_at(x))

    def _hover(self, at: QPointF) -> None:
        inside = self.frame.plot.contains(at)
        self._hit = self._point_at(at) if inside else None
        self.move_cursor(self._x_at(at.x()) if inside else None)

    def _point_at(self, at: QPointF) -> tuple[str, int] | None:
        """The point of a scatter near the mouse."""
        best: tuple[float, str, int] | None = None
        for s in self.frame.shown:
            if s.kind != "scatter" or not len(s.x):
                continue
            px, py = chart_paint.points_of(self.frame.x, self.frame.scale_of(s), s.x, s.y)
            away = (px - at.x()) ** 2 + (py - at.y()) ** 2
            i = int(np.argmin(away))
            if away[i] <= _NEAR**2 and (best is None or away[i] < best[0]):
                best = float(away[i]), s.key, i
        return (best[1], best[2]) if best else None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.RightButton:
            self.restore()
            return
        grab, moved, self._grab, self._moving = self._grab, self._moving, "", None
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if moved is None:
            self._clicked(event.position())
            return
        if grab == "zoom":
            self.zoom_to(*moved)
        if self.has_brush:
            self.choose(*moved)
        self.update()

    def _clicked(self, at: QPointF) -> None:
        hit = self._point_at(at)
        if self.frame.plot.contains(at):
            self.place_clicked.emit(self._x_at(at.x()))
        if hit is None and self.frame.plot.contains(at):
            x = self._x_at(at.x())
            points = chart_readout.points_at(self._readable(), x)
            near = [p for p in points if p.series.kind == "bars" or self._is_near(p, at)]
            hit = (near[0].series.key, near[0].index) if near else None
        if hit is not None:
            self.point_clicked.emit(*hit)

    def _is_near(self, point: chart_readout.At, at: QPointF) -> bool:
        up = self.frame.scale_of(point.series).px(point.y)
        return (self.frame.x.px(point.x) - at.x()) ** 2 + (up - at.y()) ** 2 <= _NEAR**2

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.restore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        # The right button restores; the menu key still opens the menu.
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.menu_wanted.emit(self.mapToGlobal(self.rect().center()))
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.locked or not event.angleDelta().y():
            event.ignore()
            return
        event.accept()
        steps = event.angleDelta().y() / 120
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pan(-steps * 0.1)
        else:
            self.zoom_by(0.8**steps, self._x_at(event.position().x()))

    def zoom_by(self, factor: float, at: float | None = None) -> None:
        """Show `factor` of the visible stretch, with the place `at` where it was."""
        low, high = self.visible
        middle = (low + high) / 2 if at is None else at
        self.zoom_to(middle - (middle - low) * factor, middle + (high - middle) * factor)

    def pan(self, part: float) -> None:
        """Move by a part of the visible stretch."""
        low, high = self.visible
        span = high - low
        start = min(max(low + part * span, self._extent[0]), self._extent[1] - span)
        self.zoom_to(start, start + span)

    def leaveEvent(self, event: object) -> None:
        self._mouse = self._hit = None
        self.move_cursor(None)
        super().leaveEvent(event)  # type: ignore[arg-type]

    # ---- keys --------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        low, high = self.visible
        actions = {
            Qt.Key.Key_Left: lambda: self._step_cursor(-1),
            Qt.Key.Key_Right: lambda: self._step_cursor(1),
            Qt.Key.Key_Home: lambda: self.move_cursor(low),
            Qt.Key.Key_End: lambda: self.move_cursor(high),
            Qt.Key.Key_W: lambda: self.zoom_by(0.5, self.cursor_x),
            Qt.Key.Key_Plus: lambda: self.zoom_by(0.5, self.cursor_x),
            Qt.Key.Key_S: lambda: self.zoom_by(2.0, self.cursor_x),
            Qt.Key.Key_Minus: lambda: self.zoom_by(2.0, self.cursor_x),
            Qt.Key.Key_A: lambda: self.pan(-0.25),
            Qt.Key.Key_D: lambda: self.pan(0.25),
            Qt.Key.Key_Escape: lambda: self.choose(None),
            Qt.Key.Key_Backspace: self.restore,
        }
        action = actions.get(Qt.Key(event.key()))
        if action is None or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().keyPressEvent(event)
            return
        action()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.renew()

    def sizeHint(self) -> QSize:
        return QSize(640, 260)
