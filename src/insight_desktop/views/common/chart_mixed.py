"""Bars of categories beside each other or stacked, with lines over them on an axis of their own; thousands of categories scroll."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QScrollBar, QWidget

from insight_desktop.views.common import number_text, parts, theme
from insight_desktop.views.common.chart_axis import Axis
from insight_desktop.views.common.chart_bars import Bars
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.chart_legend import Entry, Legend
from insight_desktop.views.common.chart_mixed_area import MixedArea
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec

__all__ = ["Bars", "MixedChart"]


class MixedChart(ChartBox):
    """Bars and lines with legend. The wheel scrolls, Ctrl-wheel makes the categories wider or narrower.

    Signals:
        clicked: key of a series, position of a category.
        hidden_changed: keys of the hidden series.
    """

    clicked = Signal(str, int)
    hidden_changed = Signal(object)

    def __init__(
        self, title: str = "", *, stacked: bool = False, collapsible: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(title, collapsible=collapsible, parent=parent)
        self.area = MixedArea(stacked=stacked)
        self.legend = Legend()
        self.scroll_bar = QScrollBar(Qt.Orientation.Horizontal)
        self.head_row.insertWidget(self.head_row.indexOf(self.note), self.legend)
        self.restore_button = self.add_button("arrow-counter-clockwise", self.restore)
        column = parts.rows(self.content, margins=(2, 2, 2, 2))
        column.addWidget(self.area, 1)
        column.addWidget(self.scroll_bar)
        self.area.clicked.connect(self.clicked)
        self.area.window_changed.connect(self._show_window)
        self.scroll_bar.valueChanged.connect(lambda at: self.area.scroll_to(at / 100))
        self.legend.hidden_changed.connect(self._hide)
        theme.notifier.changed.connect(self._show_legend)
        self.retranslate()

    def retranslate(self) -> None:
        super().retranslate()
        if hasattr(self, "restore_button"):
            parts.set_tip(self.restore_button, tr("Restore: widths and place as at first"))

    def set_data(
        self,
        names: Sequence[str],
        bars: Sequence[Bars],
        lines: Sequence[Bars] = (),
        *,
        left: Axis | None = None,
        right: Axis | None = None,
        unit: str = "",
        decimals: int = 3,
        line_unit: str = "",
        line_decimals: int = 4,
    ) -> None:
        """Show other categories.

        Args:
            names: categories in order.
            bars: series of bars, one value per category each (NaN for none).
            lines: series of lines on the right axis.
            left: axis of the bars.
            right: axis of the lines.
            unit: of the bars, for the readout.
            decimals: of the bars.
            line_unit: of the lines.
            line_decimals: of the lines.
        """
        self.area.set_data(names, bars, lines, left or Axis(), right or Axis())
        self.area.units = (unit, decimals), (line_unit, line_decimals)
        self.set_empty(None)
        self._show_legend()

    def set_current(self, at: int) -> None:
        """Mark a category and bring it into view; -1 marks none."""
        self.area.set_marked(at)

    def restore(self) -> None:
        """All widths and the place as at first."""
        self.area.restore()

    def entries(self) -> list[Entry]:
        return [Entry(s.key, s.name, self.area.colour(s)) for s in (*self.area.bars, *self.area.lines)]

    def _show_window(self) -> None:
        first, shown, count = self.area.in_view()
        self.scroll_bar.blockSignals(True)
        self.scroll_bar.setRange(0, max(0, round((count - shown) * 100)))
        self.scroll_bar.setPageStep(max(1, round(shown * 100)))
        self.scroll_bar.setSingleStep(100)
        self.scroll_bar.setValue(round(first * 100))
        self.scroll_bar.blockSignals(False)
        self.scroll_bar.setVisible(shown < count)

    def _show_legend(self) -> None:
        self.legend.show_entries(self.entries(), self.area.hidden)
        self._describe()

    def _hide(self, keys: frozenset[str]) -> None:
        self.area.set_hidden(keys)
        self._describe()
        self.hidden_changed.emit(keys)

    @property
    def picture_size(self) -> QSize:
        return QSize(max(640, self.area.width()), max(320, self.area.height()) + 40)

    def summary(self) -> str:
        """Title and the largest categories of the first series."""
        area = self.area
        shown = area.shown_bars()
        if not shown or not area.names:
            return self.title
        values = [float(v) for v in shown[0].values]
        largest = sorted(range(len(values)), key=lambda at: -(values[at] if values[at] == values[at] else 0.0))[:3]
        unit, decimals = area.units[0]
        texts = [f"{area.names[at]} {number_text.number(values[at], decimals)} {unit}".strip() for at in largest]
        return f"{self.title}: {', '.join(texts)}"

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        self.area.paint(painter, width, height)

    def numbers(self) -> tuple[pa.Table, list[ColumnSpec]]:
        area = self.area
        columns = {"name": pa.array(area.names, pa.string())}
        specs = [ColumnSpec("name", tr("Name"))]
        for i, series in enumerate((*area.shown_bars(), *area.shown_lines())):
            columns[f"y{i}"] = pa.array([float(v) for v in series.values], pa.float64(), from_pandas=True)
            unit = area.units[1 if series in area.lines else 0][0]
            specs.append(ColumnSpec(f"y{i}", series.name, unit=unit, kind="number"))
        return pa.table(columns), specs

    def colour_of(self, key: str) -> QColor:
        """Colour of a series."""
        return next(self.area.colour(s) for s in (*self.area.bars, *self.area.lines) if s.key == key)
