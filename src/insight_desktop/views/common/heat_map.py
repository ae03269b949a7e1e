"""A matrix of values as colours, up to thousands by thousands of cells, with legend, range, readout, zoom and export."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGridLayout, QScrollBar, QWidget

from insight_desktop.views.common import number_text, parts, theme
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.chart_legend import Entry, Legend
from insight_desktop.views.common.heat_area import HeatArea, Window
from insight_desktop.views.common.heat_colours import HOT, Colours
from insight_desktop.views.common.heat_data import Cells
from insight_desktop.views.common.heat_scale import ColourBar, RangeFields
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec, Kind

_STEPS = 1000  # of a scroll bar per cell


class HeatMap(ChartBox):
    """Cells with their legend in the head.

    Signals:
        cell_clicked, cell_activated: row and column that were clicked, double-clicked or entered.
        row_clicked, column_clicked: a label was clicked.
        menu_wanted: row, column, global position of a right click.
        range_changed: ends of the colours that the user set.
        refused: why a typed range was not taken.
    """

    cell_clicked = Signal(int, int)
    cell_activated = Signal(int, int)
    row_clicked = Signal(int)
    column_clicked = Signal(int)
    menu_wanted = Signal(int, int, QPoint)
    range_changed = Signal(float, float)
    refused = Signal(str)

    def __init__(self, title: str = "", *, fields: bool = False, clamp_fields: bool = False, wheel_zooms: bool = False,
                 collapsible: bool = False, parent: QWidget | None = None) -> None:  # fmt: skip
        """`fields` adds two fields for the range; `clamp_fields` brings typed ends inside the values."""
        super().__init__(title, collapsible=collapsible, parent=parent)
        self.area = HeatArea()
        self.area.wheel_zooms = wheel_zooms
        self.bar = ColourBar()
        self.legend = Legend()
        self.fields = RangeFields(clamp=clamp_fields)
        self._has_fields = fields
        self._ends = (0.0, 0.0)
        self._colour_source: Any = None
        at = self.head_row.indexOf(self.note)
        for i, widget in enumerate((self.fields, self.legend, self.bar)):
            self.head_row.insertWidget(at + i, widget)
        self.across, self.down = QScrollBar(Qt.Orientation.Horizontal), QScrollBar(Qt.Orientation.Vertical)
        grid = QGridLayout(self.content)
        grid.setContentsMargins(2, 2, 2, 2)
        grid.setSpacing(0)
        grid.addWidget(self.area, 0, 0)
        grid.addWidget(self.down, 0, 1)
        grid.addWidget(self.across, 1, 0)
        self.fit_button = self.add_button("corners-out", self.area.fit)
        for name in ("cell_clicked", "cell_activated", "row_clicked", "column_clicked", "menu_wanted"):
            getattr(self.area, name).connect(getattr(self, name))
        self.area.window_changed.connect(self._show_bars)
        self.across.valueChanged.connect(lambda _at: self._scrolled())
        self.down.valueChanged.connect(lambda _at: self._scrolled())
        self.bar.range_changed.connect(self.set_range)
        self.fields.range_changed.connect(self.set_range)
        self.fields.refused.connect(self.refused)
        theme.notifier.changed.connect(self._theme_changed)
        self._show_scale()
        self._show_bars()
        self.retranslate()

    def retranslate(self) -> None:
        super().retranslate()
        if hasattr(self, "fit_button"):
            parts.set_tip(self.fit_button, tr("Show everything"))

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def set_cells(
        self, cells: Cells, *, colours: Colours | Any = HOT, ends: tuple[float, float] | None = None, keep_window: bool = False,
    ) -> None:  # fmt: skip
        """Show another matrix.

        Args:
            cells: the values and their words.
            colours: of numbers; a function without arguments for colours that follow the theme.
            ends: of the colours; the smallest and the largest value when None.
            keep_window: stay at the same place when the matrix has the same size.
        """
        self._colour_source = colours
        self._ends = ends or cells.extent()
        self.area.show_cells(cells, self._colours(), *self._ends, keep_window=keep_window)
        self.set_empty(None)
        self._show_scale()
        self._show_bars()
        self._describe()

    def _colours(self) -> Colours:
        found = self._colour_source or HOT
        return found if isinstance(found, Colours) else found()

    def set_range(self, low: float, high: float) -> None:
        """Colour only values between two ends, and stretch the colours between them."""
        self.area.set_range(low, high)
        self._show_scale()
        self.range_changed.emit(low, high)

    @property
    def cells(self) -> Cells:
        """What is shown."""
        return self.area.cells

    @property
    def range(self) -> tuple[float, float]:
        """Ends of the colours in force."""
        return self.area.low, self.area.high

    def select(self, row: int, column: int = -1) -> None:
        """Frame a cell, a row or a column and bring it into view; says nothing."""
        self.area.select(row, column)

    def _show_scale(self) -> None:
        cells = self.area.cells
        has_numbers = bool(cells.values.size) and not cells.classes
        self.bar.setVisible(has_numbers)
        self.fields.setVisible(has_numbers and self._has_fields)
        self.legend.setVisible(bool(cells.classes))
        if has_numbers:
            chosen = (self.area.low, self.area.high)
            low, high = self._ends
            self.bar.show_range(
                self.area.colours, low, high, chosen, unit=cells.unit, decimals=cells.decimals, signed=cells.signed
            )
            self.fields.show_range(low, high, chosen, decimals=cells.decimals)
        if cells.classes:
            self.legend.show_entries(self.entries())

    def _theme_changed(self) -> None:
        self.area.colours = self._colours()
        self._show_scale()

    # ---- moving ------------------------------------------------------------------------------------------------------

    def _show_bars(self) -> None:
        rows, columns = self.area.cells.values.shape
        w = self.area.window_
        for bar, start, shown, whole in ((self.across, w.left, w.columns, columns), (self.down, w.top, w.rows, rows)):
            with QSignalBlocker(bar):
                bar.setRange(0, max(0, round((whole - shown) * _STEPS)))
                bar.setPageStep(max(1, round(shown * _STEPS)))
                bar.setSingleStep(_STEPS)
                bar.setValue(round(start * _STEPS))
            bar.setVisible(shown < whole)
        self.fit_button.setEnabled(not self.area.is_fitted)

    def _scrolled(self) -> None:
        w = self.area.window_
        self.area.show_window(Window(self.across.value() / _STEPS, self.down.value() / _STEPS, w.columns, w.rows))

    # ---- export ------------------------------------------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        return [Entry(str(i), name, colour) for i, (name, colour) in enumerate(self.area.cells.classes)]

    @property
    def picture_size(self) -> QSize:
        return QSize(max(640, self.area.width()), max(420, self.area.height()) + 40)

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        top = 0.0
        if self.area.cells.values.size and not self.area.cells.classes:
            legend = self.bar.sizeHint()
            painter.save()
            painter.translate(width - legend.width() - 10, 2)
            self.bar.paint(painter, legend.width())
            painter.restore()
            top = legend.height() + 6.0
        painter.translate(0, top)
        self.area.paint(painter, QSize(round(width), round(height - top)))
        painter.translate(0, -top)

    def numbers(self) -> tuple[pa.Table, list[ColumnSpec]]:
        """One line per cell that has a value: row, column, value."""
        cells = self.area.cells
        rows, columns = np.nonzero(~np.isnan(cells.values))
        values: pa.Array
        if cells.classes or cells.texts is not None:
            values = pa.array([cells.text_of(int(r), int(c)) for r, c in zip(rows, columns, strict=True)], pa.string())
        else:
            values = pa.array(cells.values[rows, columns])
        table = pa.table(
            {
                "row": pa.array([cells.row_names[int(r)] for r in rows], pa.string()),
                "column": pa.array([cells.column_names[int(c)] for c in columns], pa.string()),
                "value": values,
            }
        )
        kind: Kind = "text" if pa.types.is_string(values.type) else "number"
        specs = [
            ColumnSpec("row", cells.row_title or tr("Row")),
            ColumnSpec("column", cells.column_title or tr("Column")),
            ColumnSpec("value", cells.title or self.title, unit=cells.unit, kind=kind, decimals=cells.decimals),
        ]  # fmt: skip
        return table, specs

    def summary(self) -> str:
        """Title, size and ends."""
        if not hasattr(self, "area") or not self.area.cells.values.size:
            return self.title
        rows, columns = self.area.cells.values.shape
        low, high = self.area.cells.extent()
        cells = self.area.cells
        ends = (
            ""
            if cells.classes
            else f", {number_text.number(low, cells.decimals)} … {number_text.number(high, cells.decimals)} {cells.unit}"
        )
        return tr("{0}: {1} rows, {2} columns").format(self.title, rows, columns) + ends.rstrip()
