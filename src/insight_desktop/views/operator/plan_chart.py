"""The blocks of an on-chip memory over the lines of the program: one rectangle per block, from its address upwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from insight_desktop.views.common import chart_paint, chart_readout, theme
from insight_desktop.views.common.chart import Chart
from insight_desktop.views.common.chart_axis import Axis, Scale
from insight_desktop.views.common.chart_data import Series
from insight_desktop.views.common.chart_paint import Frame
from insight_desktop.views.common.chart_plot import ChartPlot
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.operator.source_cells import twelve

Row = Mapping[str, Any]
USED = "used"
_LEAST = (2.0, 4.0)  # px: a block is at least that wide and high
_UNITS = ((1 << 20, "MB"), (1 << 10, "KB"), (1, "B"))


@dataclass(frozen=True)
class BytesAxis(Axis):
    """An axis of bytes in the unit that suits its largest value; values are given in that unit."""

    unit: str = "KB"

    def tick_text(self, value: float, step: float, span: float) -> str:  # noqa: ARG002
        return "0" if value == 0 else f"{value:.0f} B" if self.unit == "B" else f"{value:.1f} {self.unit}"


def unit_of(most: float) -> tuple[int, str]:
    """Bytes of a unit and its name, for values up to `most`."""
    return next(found for found in _UNITS if most >= found[0] or found[0] == 1)


def kilobytes(value: int) -> str:
    """Bytes as KB with two decimals."""
    return f"{value / 1024:.2f} KB"


def colours_of(rows: Sequence[Row]) -> dict[str, QColor]:
    """A colour per id, by the place of its first appearance."""
    return {key: twelve(i) for i, key in enumerate(dict.fromkeys(str(row["id"]) for row in rows))}


def tip(row: Row, colour: QColor) -> list[ReadoutLine]:
    """Readout of a block."""
    return [
        ReadoutLine(colour, "ID", str(row["id"])),
        ReadoutLine(None, tr("Address"), kilobytes(row["address_bytes"])),
        ReadoutLine(None, tr("Size"), kilobytes(row["size_bytes"])),
        ReadoutLine(None, tr("Life"), f"[{row['start_line']}, {row['end_line']}]"),
    ]


class PlanPlot(ChartPlot):
    """Signals:
    block_clicked: place of a block among the rows (−1 for none) and the clicked line.
    """

    block_clicked = Signal(int, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Axis(), Axis(from_zero=True), parent=parent)
        self.rows: Sequence[Row] = ()
        self.colours_by_id: dict[str, QColor] = {}
        self.unit = 1
        self.top = 1.0
        self.chosen_block = -1
        self.time: int | None = None
        self._hovered = -1

    def show_rows(self, rows: Sequence[Row], used: Sequence[tuple[int, int]], *, keep_view: bool = False) -> None:
        """Other blocks, and (line, bytes in use) where that changes."""
        self.rows, self.colours_by_id = rows, colours_of(rows)
        self._hovered = -1
        if self.chosen_block >= len(rows):
            self.chosen_block = -1
        most = max((row["address_bytes"] + row["size_bytes"] for row in rows), default=0)
        self.unit, name = unit_of(most)
        self.top = max(most / self.unit, 1e-9)
        self.set_axes(Axis(tr("Buffer Life"), name=tr("Line")), BytesAxis(tr("Buffer Size"), from_zero=True, unit=name))
        x = np.array([line for line, _ in used], np.float64)
        y = np.array([size / self.unit for _, size in used], np.float64)
        lines = [value for row in rows for value in (row["start_line"], row["end_line"])]
        low, high = (min(lines), max(lines)) if lines else (0, 1)
        curve = Series(USED, tr("In use"), x, y, kind="step", unit=name, colour="frontend", decimals=1)
        room = max((high - low) * 0.02, 0.5)
        self.show_series([curve] if len(x) else [], limits=(low - room, high + room), keep_view=keep_view)

    def choose_block(self, at: int) -> None:
        """Make a block stand out; −1 for none."""
        self.chosen_block = at
        self.renew()

    def set_time(self, line: int | None) -> None:
        """The line whose memory is shown below."""
        self.time = line
        self.update()

    def box(self, frame: Frame, row: Row) -> QRectF:
        """Rectangle of a block."""
        left, right = frame.x.px(row["start_line"]), frame.x.px(row["end_line"])
        bottom = frame.y.px(row["address_bytes"] / self.unit)
        top = frame.y.px((row["address_bytes"] + row["size_bytes"]) / self.unit)
        return QRectF(left, min(top, bottom - _LEAST[1]), max(right - left, _LEAST[0]), max(bottom - top, _LEAST[1]))

    def block_at(self, at: QPointF) -> int:
        """Place of the block at a point, the last one drawn first; −1 for none."""
        frame = self.frame
        if not frame.plot.contains(at):
            return -1
        return next((i for i in range(len(self.rows) - 1, -1, -1) if self.box(frame, self.rows[i]).contains(at)), -1)

    # ---- painting ----------------------------------------------------------------------------------------------------

    def frame_of(self, width: float, height: float) -> Frame:
        frame = super().frame_of(width, height)
        high = self.top * 1.06
        texts = chart_paint.y_texts(self.y_axis, 0.0, high, height)
        plot = chart_paint.plot_rect(width, height, texts, has_x=bool(self.x_axis.title), has_y=bool(self.y_axis.title))
        return replace(
            frame, plot=plot, x=Scale(frame.x.low, frame.x.high, plot.left(), plot.right()),
            y=Scale(0.0, high, plot.bottom(), plot.top()), dots=False,
        )  # fmt: skip

    def paint_ground(self, painter: QPainter, frame: Frame) -> None:
        chart_paint.ground(painter, frame, lambda: self._paint_blocks(painter, frame))

    def _paint_blocks(self, painter: QPainter, frame: Frame) -> None:
        edge = QColor(0, 0, 0, 77)
        for i, row in enumerate(self.rows):
            box = self.box(frame, row)
            if box.right() < frame.plot.left() or box.left() > frame.plot.right():
                continue
            fill = QColor(self.colours_by_id[str(row["id"])])
            fill.setAlphaF(0.85 if self.chosen_block in (-1, i) else 0.45)
            painter.fillRect(box, fill)
            painter.setPen(QPen(edge, 1))
            painter.drawRect(box)

    def _paint_moving(self, painter: QPainter, frame: Frame) -> None:
        painter.save()
        painter.setClipRect(frame.plot)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for at, width in ((self._hovered, 1), (self.chosen_block, 2)):
            if 0 <= at < len(self.rows):
                painter.setPen(QPen(theme.token("text"), width))
                painter.drawRect(self.box(frame, self.rows[at]))
        if self.time is not None and frame.x.low <= self.time <= frame.x.high:
            x = round(frame.x.px(self.time)) + 0.5
            painter.setPen(QPen(theme.token("focus"), 1))
            painter.drawLine(QPointF(x, frame.plot.top()), QPointF(x, frame.plot.bottom()))
        if self._mouse is not None and frame.plot.contains(self._mouse):
            painter.setPen(QPen(theme.token("strong"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(self._mouse.x(), frame.plot.top()), QPointF(self._mouse.x(), frame.plot.bottom()))
            painter.drawLine(QPointF(frame.plot.left(), self._mouse.y()), QPointF(frame.plot.right(), self._mouse.y()))
        painter.restore()
        if self._moving is not None:
            chart_paint.brush(painter, frame, *self._moving)
        if self._mouse is None or not frame.plot.contains(self._mouse):
            return
        chart_readout.paint(painter, self._lines(frame), self._mouse, QRectF(self.rect()))

    def _lines(self, frame: Frame) -> list[ReadoutLine]:
        assert self._mouse is not None
        if 0 <= self._hovered < len(self.rows):
            row = self.rows[self._hovered]
            return tip(row, self.colours_by_id[str(row["id"])])
        line = int(np.floor(frame.x.value(self._mouse.x())))
        place = frame.y.value(self._mouse.y()) * self.unit
        return [
            ReadoutLine(None, tr("Line"), str(line)),
            ReadoutLine(None, tr("Address"), kilobytes(max(0, round(place)))),
        ]

    # ---- mouse -------------------------------------------------------------------------------------------------------

    def _hover(self, at: QPointF) -> None:
        self._hovered = self.block_at(at)
        self.update()

    def leaveEvent(self, event: object) -> None:
        super().leaveEvent(event)
        self._hovered = -1
        self.update()

    def _clicked(self, at: QPointF) -> None:
        if self.frame.plot.contains(at):
            self.block_clicked.emit(self.block_at(at), self._x_at(at.x()))


class PlanChart(Chart):
    """The plot with its head and export.

    Signals:
        block_clicked: as of the plot.
    """

    block_clicked = Signal(int, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.plan = PlanPlot()
        super().__init__(plot=self.plan, parent=parent)
        self.plan.block_clicked.connect(self.block_clicked)

    def show_rows(self, rows: Sequence[Row], used: Sequence[tuple[int, int]], *, keep_view: bool = False) -> None:
        """Show other blocks."""
        self.plan.show_rows(rows, used, keep_view=keep_view)
        self._show_legend()
        self.set_empty(None if rows else tr("No blocks"), tr("The plan of this memory has no block."))

    def _tell_sample(self, points: int, drawn: int) -> None:  # noqa: ARG002
        """Blocks are drawn whole; how many points the curve has says nothing."""
        self.note.hide()

    def numbers(self) -> tuple[pa.Table, list[ColumnSpec]]:
        """One line per block."""
        names = ("id", "buffer", "address_bytes", "size_bytes", "start_line", "end_line", "source_location")
        data = {name: [row.get(name) for row in self.plan.rows] for name in names}
        specs = [
            ColumnSpec("id", "ID"), ColumnSpec("buffer", "Buffer"), ColumnSpec("address_bytes", "Address", "B", kind="bytes", decimals=0),
            ColumnSpec("size_bytes", "Size", "B", kind="bytes", decimals=0), ColumnSpec("start_line", "First line", kind="id"),
            ColumnSpec("end_line", "Last line", kind="id"), ColumnSpec("source_location", "Source"),
        ]  # fmt: skip
        return pa.table(data), specs
