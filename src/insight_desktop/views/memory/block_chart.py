"""The block chart: lives of blocks stacked in order of allocation, painted pixel by pixel from an image of block ids.

It is a chart like the others (zoom, range, overview, export); in place of curves it shows what `engine.memory.blocks`
rasters. Hovered and chosen blocks are drawn over the image in vector form, so that they are seen at every zoom.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.memory import blocks as bl
from insight_desktop.engine.memory.blocks import Blocks
from insight_desktop.views.common import chart_paint, chart_readout, fonts, theme, tokens
from insight_desktop.views.common.chart import Chart
from insight_desktop.views.common.chart_axis import Axis
from insight_desktop.views.common.chart_data import Sample, Series
from insight_desktop.views.common.chart_legend import Entry
from insight_desktop.views.common.chart_paint import Frame
from insight_desktop.views.common.chart_plot import ChartPlot
from insight_desktop.views.common.chart_readout import ReadoutLine

TOTAL, RESERVED = "total", "reserved"
_AT_ONCE = 40_000  # blocks; images of more take longer than a frame: they are made on the pool, and the last one is shown meanwhile
_BUCKETS = 2000
_MOST_HIGHLIGHTED = 2000
_CATCH = 6  # px: how far a block smaller than that may be from the mouse

Facts = Callable[[int], Sequence[ReadoutLine]]


@dataclass(frozen=True)
class Mark:
    """A flag on the axis: place, words, whether it is bad news."""

    at: float
    text: str
    is_bad: bool = False


@dataclass(frozen=True)
class _Key:
    """What an image depends on."""

    t0: float
    t1: float
    top: float
    width: int
    height: int
    chosen: int
    least: int
    dark: bool


@dataclass(frozen=True)
class Inside:
    """Blocks that are stacked inside one row of the chart, such as those of a memory pool inside its envelope."""

    row: int
    blocks: Blocks


class BlockPlot(ChartPlot):
    """The plot of a block chart.

    Signals:
        block_hovered: id under the mouse, -1 for none.
        block_clicked: (id or -1, place on the axis).
        block_menu: (id, global position).
        stepped: −1 or 1, an arrow key was pressed.
    """

    block_hovered = Signal(int)
    block_clicked = Signal(int, float)
    block_menu = Signal(int, object)
    stepped = Signal(int)

    def __init__(self, x_axis: Axis, y_axis: Axis, unit: int, parent: QWidget | None = None) -> None:
        super().__init__(x_axis, y_axis, brush=True, parent=parent)
        self.unit = unit  # bytes that are 1 on the axis of values
        self.blocks: Blocks | None = None
        self.least = 0
        self.passing: npt.NDArray[np.bool_] | None = None
        self.chosen_block = bl.EMPTY
        self.hovered = bl.EMPTY
        self.found: tuple[int, ...] = ()
        self.marks: tuple[Mark, ...] = ()
        self.marker: Mark | None = None
        self.facts: Facts = lambda _row: ()
        self.colours_of: npt.NDArray[np.uint32] | None = None
        self.insets: tuple[Inside, ...] = ()
        self._ids: npt.NDArray[np.int64] | None = None
        self._image: tuple[_Key, QImage] | None = None
        self._wanted: _Key | None = None

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def show_blocks(self, blocks: Blocks, names: tuple[str, str], *, keep_view: bool = False) -> None:
        """Other blocks; `names` are the words for the total and for the reserved line."""
        self.blocks, self._image, self._ids, self._wanted = blocks, None, None, None
        self.insets, self.passing = (), None
        self.hovered = bl.EMPTY
        if self.chosen_block >= len(blocks):
            self.chosen_block = bl.EMPTY
        curves = [(TOTAL, names[0], blocks.curve_t, blocks.curve_v, "")]
        if len(blocks.reserved_t):
            curves.append((RESERVED, names[1], blocks.reserved_t, blocks.reserved_v, "reserved"))

        def series(low: float, high: float, count: int) -> list[Series]:
            return [
                Series(key, name, *_peaks(t, v, low, high, count, self.unit), kind="step", colour=colour, decimals=3)
                for key, name, t, v, colour in curves
            ]

        def sampler(low: float, high: float, pixels: int, answer: Callable[[Sample], None]) -> None:
            shown = tuple(series(low, high, 2 * pixels))
            points = sum(_before(t, high) - _before(t, low) for _, _, t, _, _ in curves)
            answer(Sample(shown, points, points))

        limits = (float(blocks.first), float(max(blocks.last, blocks.first + 1)))
        self.show_series(series(*limits, _BUCKETS), sampler=sampler, limits=limits, keep_view=keep_view)

    def choose_block(self, row: int) -> None:
        """Make a block stand out; EMPTY for none."""
        if row != self.chosen_block:
            self.chosen_block = row
            self.renew()

    def set_insets(self, insets: Sequence[Inside]) -> None:
        """Stack blocks inside rows; their ids follow those of the chart."""
        self.insets = tuple(insets)
        self._image = None
        self.renew()

    def inset_of(self, row: int) -> tuple[int, int] | None:
        """(number of the inset, row inside it) of an id beyond those of the chart; None for others."""
        at = row - (len(self.blocks) if self.blocks is not None else 0)
        if at < 0:
            return None
        for number, inset in enumerate(self.insets):
            if at < len(inset.blocks):
                return number, at
            at -= len(inset.blocks)
        return None

    def set_hashes(self, hashes: npt.NDArray[np.uint32]) -> None:
        """Colour the blocks by other numbers (remainder by the number of colours)."""
        if self.blocks is not None:
            self.blocks = replace(self.blocks, hash=hashes)
            self._image = self._wanted = None
            self.renew()

    def set_least(self, size: int) -> None:
        """Show blocks below a size as a neutral band."""
        if size != self.least:
            self.least = size
            self.renew()

    def set_passing(self, passing: npt.NDArray[np.bool_] | None) -> None:
        """Show only these blocks, the others as a neutral band; None for all."""
        self.passing = passing
        if self.blocks is not None:
            self.blocks = replace(self.blocks)  # an image that is under way shows others
        self._image = self._wanted = None
        self.renew()

    def set_found(self, rows: Sequence[int]) -> None:
        """Outline the blocks that a search found."""
        self.found = tuple(rows[:_MOST_HIGHLIGHTED])
        self.update()

    def set_marks(self, marks: Sequence[Mark]) -> None:
        """Flags of the axis."""
        self.marks = tuple(marks)
        self.update()

    def set_marker(self, marker: Mark | None) -> None:
        """The moment that other panels show."""
        self.marker = marker
        self.update()

    # ---- image -------------------------------------------------------------------------------------------------------

    def frame_of(self, width: float, height: float) -> Frame:
        frame = super().frame_of(width, height)
        return replace(frame, series=tuple(s for s in frame.series if s.key != TOTAL), dots=False)

    def _from_zero(self, shown: Sequence[Series]) -> bool:  # noqa: ARG002 - blocks stand on zero
        return True

    def paint_ground(self, painter: QPainter, frame: Frame) -> None:
        def under() -> None:
            if self.blocks is not None and len(self.blocks):
                self._paint_image(painter, frame)

        chart_paint.ground(painter, frame, under)

    def _key(self, frame: Frame, ratio: float) -> _Key:
        plot = frame.plot
        return _Key(
            frame.x.low, frame.x.high, frame.y.high * self.unit, max(1, round(plot.width() * ratio)),
            max(1, round(plot.height() * ratio)), self.chosen_block, self.least, theme.is_dark(),
        )  # fmt: skip

    def _paint_image(self, painter: QPainter, frame: Frame) -> None:
        ratio = painter.device().devicePixelRatioF() if painter.device() is not None else 1.0
        key = self._key(frame, ratio)
        on_screen = frame.width == self.width() and frame.height == self.height()
        blocks = self.blocks
        assert blocks is not None
        if not on_screen or len(blocks) <= _AT_ONCE:
            if self._image is None or self._image[0] != key:
                ids, image = self._made(blocks, key)
                if not on_screen:
                    painter.drawImage(frame.plot, image)
                    return
                self._keep(key, ids, image)
        elif self._wanted != key and (self._image is None or self._image[0] != key):
            self._wanted = key
            self._work.run(
                "image",
                lambda: (key, *self._made(blocks, key)),
                then=lambda found: self._arrived(blocks, *found),
                failed=lambda _error: None,
            )
        if self._image is not None:
            old, image = self._image
            # Meanwhile the last image, where its stretch lies now.
            left, right = frame.x.px(old.t0), frame.x.px(old.t1)
            top = frame.y.px(old.top / self.unit)
            painter.drawImage(QRectF(left, top, right - left, frame.plot.bottom() - top), image)

    def _made(self, blocks: Blocks, key: _Key) -> tuple[npt.NDArray[np.int64], QImage]:
        ids = bl.raster(blocks, key.t0, key.t1, key.width, key.height, key.top, min_size=key.least)
        hashes = blocks.hash
        insets, passing = self.insets, self.passing
        if passing is not None and len(passing) == len(blocks):
            ids = np.where((ids >= 0) & ~passing[np.maximum(ids, 0)], bl.HIDDEN, ids)
        shown = ids
        if insets:
            first = len(blocks)
            for inset in insets:
                bl.put_inside(
                    ids, blocks, inset.row, inset.blocks, first, (key.t0, key.t1), key.top, min_size=key.least
                )
                first += len(inset.blocks)
            hashes = np.concatenate([hashes, *(inset.blocks.hash for inset in insets)])
            shown = np.where(np.isin(ids, [inset.row for inset in insets]), bl.HIDDEN, ids)
        colours = theme.slices() if self.colours_of is None else self.colours_of
        hidden = theme.token("raised").rgba()
        pixels = bl.paint(
            shown, hashes, colours, hidden, selected=key.chosen, dimmed=_dimmed(colours, theme.token("canvas"))
        )
        image = QImage(pixels.data, key.width, key.height, 4 * key.width, QImage.Format.Format_ARGB32).copy()
        return ids, image

    def _keep(self, key: _Key, ids: npt.NDArray[np.int64], image: QImage) -> None:
        self._image, self._ids = (key, image), ids

    def _arrived(self, blocks: Blocks, key: _Key, ids: npt.NDArray[np.int64], image: QImage) -> None:
        if blocks is self.blocks:
            self._keep(key, ids, image)
            self.renew()

    @property
    def is_settled(self) -> bool:
        """The image shows the view as it is now."""
        return self._image is not None and self._image[0] == self._key(self.frame, self.devicePixelRatioF())

    # ---- what moves --------------------------------------------------------------------------------------------------

    def _paint_moving(self, painter: QPainter, frame: Frame) -> None:
        chosen = self._moving or self.chosen
        painter.save()
        painter.setClipRect(frame.plot)
        for row in self.found:
            self._outline(painter, frame, row, theme.token("warn"), 1)
        if self.chosen_block >= 0:
            self._outline(painter, frame, self.chosen_block, _frame_colour(), 2)
        if self.hovered >= 0 and self.hovered != self.chosen_block:
            self._outline(painter, frame, self.hovered, _frame_colour(), 1)
        painter.restore()
        if chosen is not None:
            chart_paint.brush(painter, frame, *chosen)
        for mark in self.marks:
            self._flag(painter, frame, mark, short=True)
        if self.marker is not None:
            self._flag(painter, frame, self.marker, short=False)
        if self.hasFocus():
            painter.setPen(QPen(theme.token("focus"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))
        if self._mouse is not None and self.hovered >= 0:
            lines = self.facts(self.hovered)
            if lines:
                chart_readout.paint(painter, lines, self._mouse, QRectF(self.rect()))

    def _outline(self, painter: QPainter, frame: Frame, row: int, colour: QColor, width: int) -> None:
        """A block over its life, at least one pixel wide and high."""
        if self.blocks is None or not 0 <= row < len(self.blocks):
            return
        times, heights = bl.path_of(self.blocks, row)
        size = int(self.blocks.size[row]) / self.unit
        end = min(float(self.blocks.end[row]), frame.x.high)
        lower: list[QPointF] = []
        xs = [frame.x.px(min(max(t, frame.x.low), frame.x.high)) for t in [*times.tolist(), end]]
        for k, height in enumerate((heights / self.unit).tolist()):
            right = max(xs[k + 1], xs[k] + 1) if k == len(heights) - 1 else xs[k + 1]
            lower += [QPointF(xs[k], height), QPointF(right, height)]
        up = [QPointF(p.x(), min(frame.y.px(p.y() + size), frame.y.px(p.y()) - 1)) for p in lower]
        down = [QPointF(p.x(), frame.y.px(p.y())) for p in lower]
        painter.setPen(QPen(colour, width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolygon(QPolygonF([*down, *up[::-1]]))

    def _flag(self, painter: QPainter, frame: Frame, mark: Mark, *, short: bool) -> None:
        if not frame.x.low <= mark.at <= frame.x.high:
            return
        x = round(frame.x.px(mark.at)) + 0.5
        fill = theme.token("error" if mark.is_bad else "accent")
        plot = frame.plot
        if short:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            top = plot.top() - 1
            painter.drawPolygon(QPolygonF([QPointF(x - 4, top - 7), QPointF(x + 4, top - 7), QPointF(x, top)]))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            return
        painter.setPen(QPen(_frame_colour(), 1))
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
        font = fonts.ui(fonts.SMALL, bold=True)
        metrics = QFontMetricsF(font)
        width, height = metrics.horizontalAdvance(mark.text) + 12, metrics.height() + 2
        left = x if x + width <= plot.right() else x - width
        box = QRectF(left, plot.top() - chart_paint.HEAD + 1, width, height)
        painter.fillRect(box, fill)
        painter.setFont(font)
        painter.setPen(theme.ink_for(fill))
        painter.drawText(QPointF(box.left() + 6, box.top() + 1 + metrics.ascent()), mark.text)

    # ---- mouse -------------------------------------------------------------------------------------------------------

    def block_under(self, at: QPointF) -> int:
        """Id of the block at a place of the widget; small ones are caught from a few pixels away when they are alone there."""
        if self._ids is None or self._image is None or not self.frame.plot.contains(at):
            return bl.EMPTY
        plot, ratio = self.frame.plot, self._image[0].width / max(1.0, self.frame.plot.width())
        x = min(int((at.x() - plot.left()) * ratio), self._ids.shape[1] - 1)
        y = min(int((at.y() - plot.top()) * ratio), self._ids.shape[0] - 1)
        row = int(self._ids[y, x])
        if row >= 0:
            return row
        reach = int(_CATCH * ratio)
        near = self._ids[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
        found = np.unique(near[near >= 0])
        return int(found[0]) if len(found) == 1 and row == bl.EMPTY else bl.EMPTY

    def _hover(self, at: QPointF) -> None:
        row = self.block_under(at)
        inside = self.frame.plot.contains(at)
        place = self._x_at(at.x()) if inside else None
        if place != self.cursor_x:
            self.cursor_x = place
            self.cursor_moved.emit(place)
        if row != self.hovered:
            self.hovered = row
            self.block_hovered.emit(row)
        self.update()

    def move_cursor(self, x: float | None) -> None:
        """The crosshair is not drawn; its place is told."""
        if x is None and self.hovered >= 0:
            self.hovered = bl.EMPTY
            self.block_hovered.emit(bl.EMPTY)
        if x != self.cursor_x:
            self.cursor_x = x
            self.cursor_moved.emit(x)
        self.update()

    def _clicked(self, at: QPointF) -> None:
        if self.frame.plot.contains(at):
            self.block_clicked.emit(self.block_under(at), self._x_at(at.x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and not event.modifiers():
            self.stepped.emit(1 if event.key() == Qt.Key.Key_Right else -1)
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.RightButton:
            row = self.block_under(event.position())
            if row >= 0:
                self.block_menu.emit(row, event.globalPosition().toPoint())
                return
        if event.button() == Qt.MouseButton.MiddleButton:
            self.restore()
            return
        super().mouseReleaseEvent(event)


class BlockChart(Chart):
    """A block chart with head, legend, overview and export.

    Signals:
        block_hovered, block_clicked, block_menu: as of the plot.
    """

    block_hovered = Signal(int)
    block_clicked = Signal(int, float)
    block_menu = Signal(int, object)

    def __init__(self, title: str = "", *, x: Axis | None = None, y: Axis | None = None, unit: int = 1 << 20, parent: QWidget | None = None) -> None:  # fmt: skip
        self._colours: list[Entry] = []
        self.block_plot = BlockPlot(x or Axis(), y or Axis(from_zero=True), unit)
        super().__init__(title, plot=self.block_plot, overview=True, parent=parent)
        self.block_plot.block_hovered.connect(self.block_hovered)
        self.block_plot.block_clicked.connect(self.block_clicked)
        self.block_plot.block_menu.connect(self.block_menu)

    def show_blocks(self, blocks: Blocks, names: tuple[str, str], *, keep_view: bool = False) -> None:
        """Show other blocks; `names` are the words for the total and for the reserved line."""
        self.block_plot.show_blocks(blocks, names, keep_view=keep_view)
        self._show_legend()
        self.set_empty(None)
        if self.overview is not None:
            self.overview.renew()
        self.restore_button.setEnabled(self._is_moved())

    def entries(self) -> list[Entry]:
        return [*(entry for entry in super().entries() if entry.key != TOTAL), *self._colours]

    def show_colours(self, colours: Sequence[tuple[str, int]]) -> None:
        """Name colours in the legend: words and the number that was given for them."""
        palette = theme.slices()
        self._colours = [
            Entry(f"colour {k}", name, QColor.fromRgb(int(palette[number % len(palette)])))
            for k, (name, number) in enumerate(colours)
        ]
        self._show_legend()

    def _tell_sample(self, points: int, drawn: int) -> None:  # noqa: ARG002 - every block is drawn
        self.set_note("")

    def locate(self, row: int) -> None:
        """Zoom to the life of a block, so that it takes about a third of the width."""
        blocks = self.block_plot.blocks
        if blocks is None or not 0 <= row < len(blocks):
            return
        start, end = float(blocks.start[row]), float(min(blocks.end[row], blocks.last))
        life = max(end - start, (blocks.last - blocks.first) / 80 * 0.35, 1.0)
        middle = (start + end) / 2
        self.plot.zoom_to(middle - life / 0.7, middle + life / 0.7)
        self.block_plot.choose_block(row)


def _frame_colour() -> QColor:
    """Ink of frames around what is chosen."""
    return QColor(tokens.INK_WHITE if theme.is_dark() else tokens.INK_DARK)


def _peaks(t: npt.NDArray[np.int64], v: npt.NDArray[np.int64], low: float, high: float, count: int, unit: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:  # fmt: skip
    """Highest values of buckets of neighbouring points of a stretch, with the points around it."""
    first = max(0, _before(t, low) - 1)
    last = min(len(t), _before(t, high) + 1)
    times, values = t[first:last], v[first:last]
    if len(times) > 2 * count:
        starts = np.linspace(0, len(times), count, endpoint=False).astype(np.int64)
        values = np.maximum.reduceat(values, starts)
        times = times[starts]
    if not len(times):
        return np.array([low, high]), np.zeros(2)
    x = np.append(times, max(high, float(times[-1]))).astype(np.float64)
    return x, np.append(values, values[-1]).astype(np.float64) / unit


def _before(t: npt.NDArray[np.int64], place: float) -> int:
    """How many times are not after a place; a whole number as key, because any other makes a copy of all times."""
    return int(np.searchsorted(t, np.int64(np.floor(place)), "right"))


def _dimmed(colours: npt.NDArray[np.uint32], ground: QColor) -> npt.NDArray[np.uint32]:
    """Colours that fade towards the ground, for blocks that are not chosen."""
    out = np.zeros_like(colours)
    for shift, base in ((16, ground.red()), (8, ground.green()), (0, ground.blue())):
        channel = (colours >> np.uint32(shift)) & np.uint32(255)
        out |= ((channel * 0.5 + base * 0.5).astype(np.uint32)) << np.uint32(shift)
    return out | np.uint32(0xFF000000)
