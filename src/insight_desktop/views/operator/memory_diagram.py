"""The memory diagram: boxes, transfers coloured by their share of the peak, rates; fitted to the room there is."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from insight_desktop.views.common import fonts, parts, theme
from insight_desktop.views.common.chart_box import HEAD, ChartBox
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.operator import operator_colours
from insight_desktop.views.operator.memory_shapes import Arrow, Box, Shape, shape

Row = Mapping[str, Any]
_LEGEND = 64  # px at the right for the scale of the peak
_NEAR = 7  # px around an arrow that count as on it
_AIR = 6
_TALL = 1.55  # how much a drawing may be stretched in height, so that labels between its lines have room


@dataclass(frozen=True)
class Content:
    """What a diagram shows.

    Attributes:
        name: of the diagram.
        known: the chip has a diagram of its own.
        soc: chip family, for the note.
        paths: rows of `operator.details.memory_paths` of a block.
        units: rows of `operator.details.memory_units` of the block.
        shown: `bandwidth` or `request`.
    """

    name: str = "mix"
    known: bool = True
    soc: str = ""
    paths: Sequence[Row] = ()
    units: Sequence[Row] = ()
    shown: str = "bandwidth"

    def row(self, path: int) -> Row | None:
        return next((row for row in self.paths if row["path"] == path), None)

    def unit(self, name: str) -> Row | None:
        return next((row for row in self.units if row["unit"] == name), None)

    @property
    def left_over(self) -> list[Row]:
        """Transfers that the diagram has no arrow for."""
        drawn = shape(self.name).paths
        return [row for row in self.paths if row["path"] not in drawn]


class DiagramArea(QWidget):
    """The painted diagram."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = Content()
        self.setMouseTracking(True)
        self.setMinimumSize(320, 180)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.notifier.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(640, 400)

    # ---- geometry ----------------------------------------------------------------------------------------------------

    def factors(self, width: float, height: float) -> tuple[float, float]:
        """How canvas pixels become those of the widget; never stretched more than a quarter against each other."""
        held = shape(self.content.name)
        x = max(0.1, (width - _LEGEND - 2 * _AIR) / held.width)
        y = max(0.1, (height - 2 * _AIR - self._note_height()) / held.height)
        return min(x, 1.3 * y), min(y, _TALL * x)

    def place(self, box: Box, x: float, y: float) -> QRectF:
        """A box in the widget."""
        return QRectF(_AIR + box.x * x, _AIR + box.y * y, box.width * x, box.height * y)

    def point(self, at: tuple[float, float], x: float, y: float) -> QPointF:
        """A point in the widget."""
        return QPointF(_AIR + at[0] * x, _AIR + at[1] * y)

    def _note_height(self) -> float:
        return fonts.scaled(18) * len(self.notes())

    def notes(self) -> list[str]:
        """Lines below the diagram: an unknown chip, transfers without an arrow."""
        lines = []
        if not self.content.known:
            lines.append(tr("Unknown chip {0}: generic diagram").format(self.content.soc or "–"))
        left = self.content.left_over
        if left:
            listed = ", ".join(f"{row['arrow']} {self.label(row)}" for row in left)
            lines.append(tr("Not drawn: {0}").format(listed))
        return lines

    def label(self, row: Row) -> str:
        """Text of a transfer."""
        return str(row["request_text" if self.content.shown == "request" else "bandwidth_text"])

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter, self.width(), self.height())

    def paint(self, painter: QPainter, width: float, height: float) -> None:
        """The diagram in any size."""
        painter.fillRect(QRectF(0, 0, width, height), theme.token("canvas"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        held: Shape = shape(self.content.name)
        x, y = self.factors(width, height)
        for box in held.boxes:
            self._paint_box(painter, box, self.place(box, x, y))
        arrows = sorted(held.arrows, key=lambda a: self._percent(a) is not None)
        for arrow in arrows:
            self._paint_arrow(painter, arrow, x, y)
        for arrow in held.arrows:
            self._paint_label(painter, arrow, x, y)
        self._paint_scale(painter, width, _AIR + held.height * y)
        painter.setPen(theme.token("text2"))
        painter.setFont(fonts.ui(fonts.SMALL))
        top = _AIR + held.height * y
        for i, line in enumerate(self.notes()):
            room = QRectF(_AIR, top + i * fonts.scaled(18), width - 2 * _AIR, fonts.scaled(18))
            shown = QFontMetricsF(painter.font()).elidedText(line, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_box(self, painter: QPainter, box: Box, place: QRectF) -> None:
        if box.kind == "group":
            painter.setPen(QPen(theme.token("strong"), 1))
            painter.setBrush(theme.token("surface"))
            painter.drawRoundedRect(place, 3, 3)
            return
        fill = operator_colours.box(box.kind)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(place, 2, 2)
        lines = self.box_lines(box)
        painter.setPen(QColor("#FFFFFF"))
        font = fonts.ui(fonts.SMALL)
        metrics = QFontMetricsF(font)
        wrapped = [part for line in lines for part in _wrapped(line, metrics, place.width() - 4)]
        if max(metrics.horizontalAdvance(part) for part in wrapped) > place.width() - 2:
            font = fonts.ui(fonts.SMALL - 2)
            metrics = QFontMetricsF(font)
        step = min(metrics.height() + 1, place.height() / max(1, len(wrapped)))
        painter.setFont(font)
        top = place.top() + (place.height() - step * len(wrapped)) * 0.48
        for i, line in enumerate(wrapped):
            room = QRectF(place.left() - 20, top + i * step, place.width() + 40, step)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, line)

    def box_lines(self, box: Box) -> list[str]:
        """Words in a box."""
        if not box.unit:
            return [box.text]
        row = self.content.unit(box.unit)
        text = str(row["text"]) if row is not None else "NA"
        lines = [box.text]
        if box.unit == "L2":
            lines += [tr("Hit Rate:"), text]
        else:
            lines.append(tr("Ratio: {0}").format(text))
        if row is not None and row["baseline"] is not None:
            lines.append(f"({row['baseline']})")
        return lines

    def _percent(self, arrow: Arrow) -> float | None:
        row = self.content.row(arrow.path)
        return row["peak_percent"] if row is not None else None

    def _paint_arrow(self, painter: QPainter, arrow: Arrow, x: float, y: float) -> None:
        percent = self._percent(arrow)
        colour = operator_colours.peak(percent)
        if percent is not None and percent < 8 and theme.is_dark():
            colour = colour.lighter(170)  # the lowest stop is nearly black on a dark ground
        painter.setPen(QPen(colour, 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        points = [self.point(p, x, y) for p in arrow.points]
        painter.drawPolyline(QPolygonF(points))
        if not arrow.has_head:
            return
        end, before = points[-1], points[-2]
        dx, dy = end.x() - before.x(), end.y() - before.y()
        length = (dx * dx + dy * dy) ** 0.5 or 1.0
        ux, uy = dx / length, dy / length
        back = QPointF(end.x() - 7 * ux, end.y() - 7 * uy)
        head = [
            end,
            QPointF(back.x() - 3.6 * uy, back.y() + 3.6 * ux),
            QPointF(back.x() + 3.6 * uy, back.y() - 3.6 * ux),
        ]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF(head))

    def _paint_label(self, painter: QPainter, arrow: Arrow, x: float, y: float) -> None:
        row = self.content.row(arrow.path)
        if arrow.label is None or row is None:
            return
        font = fonts.ui(fonts.SMALL)
        metrics = QFontMetricsF(font)
        text = self.label(row)
        at = self.label_at(arrow, x, y, metrics)
        width = metrics.horizontalAdvance(text)
        room = QRectF(at.x() - width / 2 - 2, at.y() - metrics.height() / 2, width + 4, metrics.height())
        ground = QColor(theme.token("surface"))
        ground.setAlpha(200)
        painter.fillRect(room, ground)
        painter.setFont(font)
        painter.setPen(theme.token("text"))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

    def label_at(self, arrow: Arrow, x: float, y: float, metrics: QFontMetricsF) -> QPointF:
        """Middle of a label: at the side that the drawing names, as far away as the letters need."""
        assert arrow.label is not None
        (ax, ay), (bx, by) = arrow.points[0], arrow.points[-1]
        at = self.point(arrow.label, x, y)
        row = self.content.row(arrow.path)
        half = metrics.horizontalAdvance(self.label(row)) / 2 if row is not None else 0
        if len(arrow.points) == 2 and ay == by:
            away = metrics.height() / 2 + 3
            line = self.point((ax, ay), x, y).y()
            at.setY(line + away if arrow.label[1] > ay else line - away)
        elif len(arrow.points) == 2 and ax == bx:
            line = self.point((ax, ay), x, y).x()
            at.setX(line + half + 5 if arrow.label[0] > ax else line - half - 5)
        return at

    def _paint_scale(self, painter: QPainter, width: float, bottom: float) -> None:
        """The scale of the peak, 100 on top."""
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        top = _AIR + metrics.height() + 6
        bar = QRectF(width - _LEGEND + 16, top, 12, max(40.0, min(bottom - top - 8, 380.0)))
        gradient = QLinearGradient(bar.bottomLeft(), bar.topLeft())
        for percent in (0, 20, 40, 60, 80, 100):
            gradient.setColorAt(percent / 100, operator_colours.peak(percent))
        painter.setPen(QPen(theme.token("border"), 1))
        painter.setBrush(gradient)
        painter.drawRect(bar)
        painter.setFont(fonts.ui(fonts.SMALL))
        painter.setPen(theme.token("text2"))
        painter.drawText(QPointF(bar.left() - 12, _AIR + metrics.ascent()), tr("Peak(%)"))
        for percent in (0, 20, 40, 60, 80, 100):
            at = bar.bottom() - bar.height() * percent / 100
            painter.drawText(QPointF(bar.right() + 4, at + metrics.ascent() / 2 - 1), str(percent))

    # ---- tips --------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tip_at(QPointF(event.pos()))
            if text:
                QToolTip.showText(event.globalPos(), text, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def tip_at(self, at: QPointF) -> str:
        """How a rate is computed, or the figures of the transfer under the mouse."""
        held = shape(self.content.name)
        x, y = self.factors(self.width(), self.height())
        for box in held.boxes:
            if box.unit and self.place(box, x, y).contains(at):
                return formula(box.unit, self.content.unit(box.unit))
        near = min(held.arrows, key=lambda a: _distance(a, at, self, x, y))
        if _distance(near, at, self, x, y) > _NEAR:
            return ""
        row = self.content.row(near.path)
        return transfer_tip(row) if row is not None else ""


class MemoryDiagram(ChartBox):
    """The diagram in its panel, with export and copy."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.area = DiagramArea()
        parts.rows(self.content).addWidget(self.area)

    def height_for(self, width: int) -> int:
        """Height of the panel at which the drawing fills a width, within limits that can be read and seen whole."""
        held = shape(self.area.content.name)
        dense = 1.5 if "A5" in self.area.content.name and held.height > 400 else 1.0
        drawn = dense * (width - _LEGEND - 2 * _AIR) / held.width * held.height + 2 * _AIR + fonts.scaled(HEAD) + 8
        drawn += fonts.scaled(18) * len(self.area.notes())
        return round(min(max(drawn, fonts.scaled(260)), fonts.scaled(560 if dense > 1 else 520)))

    def show_content(self, content: Content) -> None:
        """Show another block."""
        self.area.content = content
        self.area.update()
        self.set_empty(None)

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        self.area.paint(painter, width, height)

    def numbers(self) -> tuple[pa.Table, list[ColumnSpec]]:
        rows = [dict(row) for row in self.area.content.paths]
        names = ("arrow", "request", "bandwidth_gbps", "peak_percent")
        table = pa.table({name: pa.array([row.get(name) for row in rows]) for name in names})
        specs = [
            ColumnSpec("arrow", tr("Transfer")), ColumnSpec("request", tr("Num of Request")),
            ColumnSpec("bandwidth_gbps", tr("Bandwidth(GB/s)")), ColumnSpec("peak_percent", tr("Peak(%)"), kind="number"),
        ]  # fmt: skip
        return table, specs

    def summary(self) -> str:
        content = self.area.content
        rates = [f"{row['unit']} {row['text']}" for row in content.units if row["text"] != "NA"]
        return f"{self.title}: {', '.join(rates)}"


def formula(unit: str, row: Row | None) -> str:
    """How the rate in a box is computed, with its figures."""
    texts = {
        "L2": tr("L2 Cache Hit Rate = L2 Cache Total Hit / (L2 Cache Total Hit + L2 Cache Total Miss)"),
        "Cube": tr("Cube Ratio = Cube Cycle / Total Cycle"),
    }
    text = texts.get(unit, tr("Vector Ratio = Vector Cycle / Total Cycle"))
    if row is not None and row["part"] is not None and row["total"] is not None:
        text += f"\n{row['part']} / {row['total']} = {row['text']}"
    return text


def transfer_tip(row: Row) -> str:
    """The figures of a transfer."""
    peak = row["peak_percent"]
    facts = [
        (tr("Bandwidth(GB/s)"), row["bandwidth_gbps"]),
        (tr("Num of Request"), row["request"]),
        (tr("Peak(%)"), "NA" if peak is None else f"{peak:g}"),
    ]
    if row["bandwidth_diff"] is not None:
        facts.append((tr("Baseline"), f"{row['baseline_bandwidth']}, {row['baseline_request']}"))
        facts.append((tr("Difference"), f"{row['bandwidth_diff']}, {row['request_diff']}"))
    return "\n".join([str(row["arrow"]), *(f"{name}: {value}" for name, value in facts)])


def _wrapped(text: str, metrics: QFontMetricsF, room: float) -> list[str]:
    """A text on as many lines as its words need."""
    lines: list[str] = []
    for word in text.split():
        if lines and metrics.horizontalAdvance(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def _distance(arrow: Arrow, at: QPointF, area: DiagramArea, x: float, y: float) -> float:
    """Pixels from a place to the nearest stretch of an arrow."""
    points = [area.point(p, x, y) for p in arrow.points]
    found = []
    for a, b in itertools.pairwise(points):
        left, right = sorted((a.x(), b.x()))
        top, bottom = sorted((a.y(), b.y()))
        dx = max(left - at.x(), 0.0, at.x() - right)
        dy = max(top - at.y(), 0.0, at.y() - bottom)
        found.append((dx * dx + dy * dy) ** 0.5)
    return min(found)
