"""Rooflines: performance over arithmetic intensity, both logarithmic, with roofs, points and their legends."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QButtonGroup, QComboBox, QSizePolicy, QToolTip, QWidget

from insight_desktop.engine.operator import numbers, rooflines
from insight_desktop.views.common import fonts, parts, theme
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.chart_legend import Entry, Legend
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.common.table_columns import ColumnSpec

Row = Mapping[str, Any]
_DOT = 8.0  # radius on which a point is hit; it is drawn 5 px wide
_LONG, _KEPT = 30, 28


class RooflineArea(QWidget):
    """The painted chart of one title."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []
        self.on: frozenset[str] = frozenset()
        self.units_on: frozenset[str] = frozenset()
        self.setMouseTracking(True)
        self.setMinimumSize(280, 180)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.notifier.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(420, 240)

    def names(self) -> list[str]:
        """Transfers in the order in which they come."""
        return list(dict.fromkeys(str(row["bw_name"]) for row in self.drawn()))

    def units(self) -> list[str]:
        """Units in the order in which they come."""
        return list(dict.fromkeys(str(row["computility_name"]) for row in self.drawn()))

    def drawn(self) -> list[Row]:
        """The entries whose numbers are above 0."""
        return [row for row in self.rows if row["turning_x"] is not None]

    def visible(self) -> list[Row]:
        """The entries that both legends leave on."""
        return [r for r in self.drawn() if r["bw_name"] in self.on and r["computility_name"] in self.units_on]

    def colour(self, row: Row) -> QColor:
        """Colour of an entry, by its transfer."""
        colours = theme.series()
        return colours[self.names().index(str(row["bw_name"])) % len(colours)]

    # ---- geometry ----------------------------------------------------------------------------------------------------

    def ranges(self) -> tuple[float, float, float, float]:
        """Ends of the axes as powers of ten: x from, to, y from, to."""
        found = self.drawn()
        low = math.log10(found[0]["low"]) if found else -1.0
        right = math.log10(found[0]["max_x"]) if found else 2.0
        top = max([row["computility_tops"] for row in found] + [row["performance_tops"] for row in found], default=10.0)
        return low, right, low, math.floor(math.log10(top)) + 1.0

    def plot(self, width: float, height: float) -> QRectF:
        """Where the chart is drawn."""
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        left = metrics.horizontalAdvance("10,000") + metrics.height() + 12
        return QRectF(
            left,
            10,
            max(40.0, width - left - 10 - metrics.horizontalAdvance("1,000") / 2),
            max(40.0, height - 10 - 2 * metrics.height() - 12),
        )

    def at(self, plot: QRectF, x: float, y: float) -> QPointF:
        """A point of the chart in the widget."""
        x0, x1, y0, y1 = self.ranges()
        return QPointF(
            plot.left() + (math.log10(x) - x0) / (x1 - x0) * plot.width(),
            plot.bottom() - (math.log10(y) - y0) / (y1 - y0) * plot.height(),
        )

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter, self.width(), self.height())

    def paint(self, painter: QPainter, width: float, height: float) -> None:
        """The chart in any size."""
        painter.fillRect(QRectF(0, 0, width, height), theme.token("canvas"))
        painter.setFont(fonts.ui(fonts.SMALL))
        plot = self.plot(width, height)
        self._paint_axes(painter, plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.save()
        painter.setClipRect(plot.adjusted(0, -6, 1, 1))
        shown = self.visible()
        for row in shown:
            self._paint_roof(painter, plot, row)
        painter.restore()
        self._paint_peak(painter, plot)
        for row in shown:
            self._paint_point(painter, plot, row)

    def _paint_axes(self, painter: QPainter, plot: QRectF) -> None:
        metrics = QFontMetricsF(painter.font())
        x0, x1, y0, y1 = self.ranges()
        for power in range(round(x0), round(x1) + 1):
            x = round(plot.left() + (power - x0) / (x1 - x0) * plot.width()) + 0.5
            painter.setPen(QPen(theme.token("grid"), 1))
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            painter.setPen(theme.token("text2"))
            text = _power(power)
            at = QPointF(x - metrics.horizontalAdvance(text) / 2, plot.bottom() + 3 + metrics.ascent())
            painter.drawText(at, text)
        step = max(1, math.ceil((y1 - y0) / max(1.0, plot.height() / 24)))
        for power in range(round(y0), round(y1) + 1, step):
            y = round(plot.bottom() - (power - y0) / (y1 - y0) * plot.height()) + 0.5
            painter.setPen(QPen(theme.token("grid"), 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(theme.token("text2"))
            text = _power(power)
            at = QPointF(plot.left() - 6 - metrics.horizontalAdvance(text), y + metrics.ascent() / 2 - 1)
            painter.drawText(at, text)
        painter.setPen(QPen(theme.token("strong"), 1))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())
        painter.drawLine(plot.bottomLeft(), plot.topLeft())
        painter.setPen(theme.token("text2"))
        title = tr("Arithmetic intensity (Ops/Byte)")
        x = plot.center().x() - metrics.horizontalAdvance(title) / 2
        painter.drawText(QPointF(x, plot.bottom() + 5 + metrics.height() + metrics.ascent()), title)
        painter.save()
        title = tr("Performance (TOps/s)")
        painter.translate(metrics.ascent() + 2, plot.center().y() + metrics.horizontalAdvance(title) / 2)
        painter.rotate(-90)
        painter.drawText(QPointF(0, 0), title)
        painter.restore()

    def _paint_roof(self, painter: QPainter, plot: QRectF, row: Row) -> None:
        points = [
            self.at(plot, row["start_x"], row["start_y"]),
            self.at(plot, row["turning_x"], row["computility_tops"]),
            self.at(plot, row["max_x"], row["computility_tops"]),
        ]
        painter.setPen(QPen(self.colour(row), 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))

    def _paint_peak(self, painter: QPainter, plot: QRectF) -> None:
        """What the flat part stands for, when it is the same for all."""
        shown = self.visible()
        if len(self.units()) != 1 or not shown:
            return
        row = shown[0]
        text = f"{shortened(row['computility_name'])} · {numbers.decimal_text(row['computility_tops'], 3)} TOps/s"
        metrics = QFontMetricsF(painter.font())
        y = self.at(plot, row["max_x"], row["computility_tops"]).y()
        painter.setPen(theme.token("text"))
        above = y - 5 if y - plot.top() > metrics.height() else y + metrics.ascent() + 4
        painter.drawText(QPointF(plot.right() - metrics.horizontalAdvance(text) - 4, above), text)

    def _paint_point(self, painter: QPainter, plot: QRectF, row: Row) -> None:
        at, colour = self.at(plot, row["intensity"], row["performance_tops"]), self.colour(row)
        hollow = row["ratio"] is None
        painter.setPen(QPen(colour, 2) if hollow else QPen(theme.token("canvas"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush if hollow else colour)
        painter.drawEllipse(at, 5, 5)
        metrics = QFontMetricsF(painter.font())
        text = "NA" if hollow else f"{100 * row['ratio']:.1f} %"
        if hollow or len(self.visible()) <= 4:
            painter.setPen(theme.token("text2" if hollow else "text"))
            right = at.x() + 9 + metrics.horizontalAdvance(text) <= plot.right()
            x = at.x() + 9 if right and not hollow else at.x() - 9 - metrics.horizontalAdvance(text)
            painter.drawText(QPointF(x, at.y() + metrics.ascent() + 2), text)

    # ---- tips --------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tip_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), text, self) if text else QToolTip.hideText()
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hit = bool(self.tip_at(event.position()))
        self.setCursor(Qt.CursorShape.PointingHandCursor if hit else Qt.CursorShape.ArrowCursor)

    def tip_at(self, place: QPointF) -> str:
        """The figures of the point, or the name of the roof, under the mouse."""
        plot = self.plot(self.width(), self.height())
        for row in self.visible():
            at = self.at(plot, row["intensity"], row["performance_tops"])
            if math.hypot(at.x() - place.x(), at.y() - place.y()) <= _DOT:
                return point_tip(row)
        for row in self.visible():
            turn = self.at(plot, row["turning_x"], row["computility_tops"])
            if place.x() >= turn.x() and abs(place.y() - turn.y()) <= 4:
                return str(row["computility_name"])
        return ""


def point_tip(row: Row) -> str:
    """The figures of a point."""
    ratio = "NA" if row["ratio"] is None else f"{numbers.decimal_text(row['ratio'] * 100, 3)}%"
    facts = (
        (tr("Bandwidth"), f"{numbers.decimal_text(row['bw_tbps'], 3)}TB/s"),
        (tr("Arithmetic Intensity"), f"{numbers.decimal_text(row['intensity'], 3)}Ops/Byte"),
        (tr("Performance"), f"{numbers.decimal_text(row['performance_tops'], 3)}TOps/s"),
        (tr("Performance Ratio"), ratio),
    )
    head = f"{row['bw_name']}({row['computility_name']})"
    return "\n".join([head, *(f"{name}: {value}" for name, value in facts)])


def shortened(name: str) -> str:
    """A name that a legend has room for."""
    return f"{name[:_KEPT]}..." if len(name) > _LONG else name


def _power(power: int) -> str:
    return f"{10**power:,}" if power >= 0 else f"{10.0**power:.{-power}f}"


class RooflineChart(ChartBox):
    """Rooflines in their panel: a button per tab, a select when a tab has several charts, legends."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.area = RooflineArea()
        self._rows: list[Row] = []
        self._hidden: dict[int, tuple[frozenset[str], frozenset[str]]] = {}
        column = parts.rows(self.content)
        self.legend, self.unit_legend = Legend(), Legend()
        self.chart_box = Select()
        self.chart_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.tab_buttons: dict[str, parts.Segment] = {}
        self._group = QButtonGroup(self)
        at = self.head_row.indexOf(self.subtitle)
        segments = parts.columns(gap=0)
        for tab in rooflines.TABS:
            button = parts.Segment()
            self._group.addButton(button)
            self.tab_buttons[tab] = button
            segments.addWidget(button)
            button.clicked.connect(lambda _on=False, tab=tab: self.show_tab(tab))
        parts.join(self.tab_buttons.values())
        self.head_row.insertLayout(at, segments)
        self.head_row.insertWidget(at + 1, self.chart_box)
        row = parts.columns(margins=(10, 4, 10, 0), gap=10)
        row.addWidget(self.legend, 1)
        column.addLayout(row)
        column.addWidget(self.unit_legend)
        column.addWidget(self.area, 1)
        self.chart_box.currentIndexChanged.connect(lambda _i: self._show_chart())
        theme.notifier.changed.connect(self._fill_legends)
        self.legend.hidden_changed.connect(self._hide_names)
        self.unit_legend.hidden_changed.connect(self._hide_units)
        self._say_tabs()

    def retranslate(self) -> None:
        super().retranslate()
        if hasattr(self, "tab_buttons"):
            self._say_tabs()
            self.area.update()

    def _say_tabs(self) -> None:
        texts = {"Memory Unit": tr("Memory Unit"), "Memory Transfer": tr("Memory Transfer"), "Pipeline": tr("Pipeline")}
        for tab, button in self.tab_buttons.items():
            button.setText(texts[tab])
        self.chart_box.setAccessibleName(tr("Roofline"))

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show rows of `operator.details.roofline`; the first tab that has a chart."""
        self._rows = list(rows)
        self._hidden.clear()
        self.set_empty(None)
        current = self.tab
        held = {str(row["tab"]) for row in rows}
        self.show_tab(current if current in held else next((t for t in self.tab_buttons if t in held), "Memory Unit"))

    @property
    def tab(self) -> str:
        """Name of the tab that is shown."""
        return next((tab for tab, button in self.tab_buttons.items() if button.isChecked()), "Memory Unit")

    def show_tab(self, tab: str) -> None:
        """Show the charts of a tab."""
        self.tab_buttons[tab].setChecked(True)
        titles: dict[int, str] = {}
        for row in self._rows:
            if row["tab"] == tab:
                titles[row["chart"]] = str(row["title"])
        self.chart_box.blockSignals(True)
        self.chart_box.clear()
        for chart, title in titles.items():
            self.chart_box.addItem(title, chart)
        self.chart_box.blockSignals(False)
        self.chart_box.setVisible(len(titles) > 1)
        self._show_chart()

    def _show_chart(self) -> None:
        chart = self.chart_box.currentData()
        rows = [row for row in self._rows if row["chart"] == chart and row["bw_name"]] if chart is not None else []
        if not rows:
            self.area.rows = []
            self.set_empty(tr("No roofline here"), tr("The collector wrote none of this kind for the kernel."))
            return
        self.area.rows = rows
        names, units = self.area.names(), self.area.units()
        off, units_off = self._hidden.get(chart, (frozenset(names[1:]), frozenset()))
        self.area.on, self.area.units_on = frozenset(names) - off, frozenset(units) - units_off
        self.set_empty(None)
        self._fill_legends()
        self.area.update()

    def _fill_legends(self) -> None:
        area = self.area
        first = {str(row["bw_name"]): row for row in reversed(area.drawn())}
        entries = [
            Entry(name, f"{name} {numbers.decimal_text(first[name]['bw_tbps'], 3)} TB/s", area.colour(first[name]))
            for name in area.names()
        ]
        self.legend.show_entries(entries, frozenset(area.names()) - area.on)
        several = len(area.units()) > 1
        units = [Entry(unit, shortened(unit), theme.token("text2")) for unit in area.units()] if several else []
        self.unit_legend.show_entries(units, frozenset(area.units()) - area.units_on)
        self.unit_legend.setVisible(several)

    def _hide_names(self, keys: frozenset[str]) -> None:
        self.area.on = frozenset(self.area.names()) - keys
        self._keep()

    def _hide_units(self, keys: frozenset[str]) -> None:
        self.area.units_on = frozenset(self.area.units()) - keys
        self._keep()

    def _keep(self) -> None:
        chart = self.chart_box.currentData()
        area = self.area
        self._hidden[chart] = frozenset(area.names()) - area.on, frozenset(area.units()) - area.units_on
        area.update()
        self._describe()

    def entries(self) -> list[Entry]:
        return [
            Entry(name, name, self.area.colour(row)) for row in self.area.visible() for name in [str(row["bw_name"])]
        ]

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        self.area.paint(painter, width, height)

    def numbers(self) -> tuple[pa.Table, list[ColumnSpec]]:
        names = ("bw_name", "bw_tbps", "computility_name", "computility_tops", "intensity", "performance_tops", "ratio")
        table = pa.table({name: pa.array([row.get(name) for row in self.area.rows]) for name in names})
        kinds = {"bw_name": "text", "computility_name": "text"}
        return table, [ColumnSpec(n, n, kind=kinds.get(n, "number")) for n in names]  # type: ignore[arg-type]

    def summary(self) -> str:
        texts = [
            f"{row['bw_name']} {'NA' if row['ratio'] is None else format(row['ratio'], '.1%')}"
            for row in self.area.drawn()
        ]
        return f"{self.title}: {', '.join(texts)}"
