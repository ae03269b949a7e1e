"""The chart of all pages: curves, points and bars over an axis.

```python
chart = Chart("Memory over time", x=Axis("Time (ms)", name="Time"), y=Axis("Memory usage (MB)"), brush=True, overview=True)
chart.set_series([Series("a", "Allocated", x, y, unit="MB", decimals=2)])
chart.range_changed.connect(filter_the_table)  # (low, high) or None
```

Millions of points are fine: what is visible is thinned out to the peaks of 1000 buckets, anew on every zoom.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from insight_desktop.views.common import chart_export, chart_paint, icons, number_text, parts, theme
from insight_desktop.views.common.chart_axis import Axis
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.chart_data import (
    Band,
    RefLine,
    Sample,
    Sampler,
    Series,
    colour_of,
    powers,
    values_extent,
)
from insight_desktop.views.common.chart_legend import Entry, Legend
from insight_desktop.views.common.chart_overview import ChartOverview
from insight_desktop.views.common.chart_plot import ChartPlot
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec

__all__ = ["Axis", "Band", "Chart", "RefLine", "Sample", "Sampler", "Series"]


class Chart(ChartBox):
    """Curves (line, step, area), points and bars with legend, crosshair, zoom and range.

    Mouse: drag zooms in (with a brush it also chooses the range), Shift-drag chooses the range only, its handles move it,
    wheel zooms, double click or right click restores. Keys: arrows move the crosshair, W S zoom, A D pan, Esc drops the
    range, Backspace restores.

    Signals:
        range_changed: (low, high) of the chosen range, or None.
        view_changed: (low, high) of the visible stretch, or None when everything is visible.
        cursor_moved: place of the crosshair, or None.
        point_clicked: key of a series and position in it.
        hidden_changed: keys of the hidden series.
    """

    range_changed = Signal(object)
    view_changed = Signal(object)
    cursor_moved = Signal(object)
    point_clicked = Signal(str, int)
    hidden_changed = Signal(object)

    def __init__(
        self,
        title: str = "",
        *,
        x: Axis | None = None,
        y: Axis | None = None,
        brush: bool = False,
        overview: bool = False,
        legend: bool = True,
        collapsible: bool = False,
        plot: ChartPlot | None = None,
        parent: QWidget | None = None,
    ) -> None:
        self.plot = plot or ChartPlot(x or Axis(), y or Axis(), brush=brush)
        self.legend = Legend()
        self.overview = ChartOverview(self.plot) if overview else None
        self._has_legend = legend
        super().__init__(title, collapsible=collapsible, parent=parent)
        self.head_row.insertWidget(self.head_row.indexOf(self.note), self.legend)
        self.legend.setVisible(legend)
        self.zoom_button = self.add_button("magnifying-glass-plus", self._toggle_lock, checkable=True)
        self.zoom_button.setChecked(True)
        self.restore_button = self.add_button("arrow-counter-clockwise", self.restore)
        column = parts.rows(self.content, margins=(4, 2, 4, 2))
        column.addWidget(self.plot, 1)
        if self.overview is not None:
            column.addWidget(self.overview)
        self._connect()
        self.retranslate()
        theme.notifier.changed.connect(self._show_legend)

    def _connect(self) -> None:
        plot = self.plot
        plot.range_changed.connect(self._range_moved)
        plot.view_changed.connect(self._view_moved)
        plot.cursor_moved.connect(self.cursor_moved)
        plot.point_clicked.connect(self.point_clicked)
        plot.sampled.connect(self._tell_sample)
        plot.lock_changed.connect(self._locked)
        plot.menu_wanted.connect(self.show_menu)
        self.legend.hidden_changed.connect(self._hide)

    def retranslate(self) -> None:
        super().retranslate()
        if not hasattr(self, "restore_button"):
            return
        parts.set_tip(self.restore_button, tr("Restore: whole range, no selection"), "Backspace")
        parts.set_tip(self.zoom_button, tr("Drag zooms in; off locks the chart"))
        self._tell_sample(self.plot.shown.points, self.plot.shown.drawn)

    # ---- data --------------------------------------------------------------------------------------------------------

    def set_series(
        self,
        series: Sequence[Series],
        *,
        sampler: Sampler | None = None,
        limits: tuple[float, float] | None = None,
        keep_view: bool = False,
    ) -> None:
        """Show other data.

        Args:
            series: whole curves; with a sampler those of a first look (their keys, names and colours).
            sampler: asked `(low, high, pixels, answer)` for the points of a stretch, now and on every zoom; it calls
                `answer(sample)` when it has them, e.g. from `Page.ask`. Only the newest answer counts.
            limits: the whole axis; that of the points when None.
            keep_view: zoom and range stay.
        """
        known = {s.key for s in series}
        self.plot.hidden = frozenset(k for k in self.plot.hidden if k in known)
        self.plot.show_series(series, sampler=sampler, limits=limits, keep_view=keep_view)
        self._show_legend()
        self.set_empty(None)
        if self.overview is not None:
            self.overview.renew()
        self.restore_button.setEnabled(self._is_moved())

    def set_axes(self, x: Axis, y: Axis, right: Axis | None = None) -> None:
        """Other axes, e.g. in another language; `right` is that of the series with `right`."""
        self.plot.set_axes(x, y, right)

    def set_bands(self, bands: Sequence[Band]) -> None:
        """Coloured stretches behind the curves."""
        self.plot.set_bands(bands)

    def set_lines(self, lines: Sequence[RefLine]) -> None:
        """Reference lines with their words."""
        self.plot.set_lines(lines)

    def emphasise(self, key: str, places: Sequence[float]) -> None:
        """Rings around the drawn points of a series at exactly these places."""
        self.plot.emphasise(key, places)

    @property
    def series(self) -> tuple[Series, ...]:
        """All series, whole."""
        return self.plot.series

    @property
    def hidden(self) -> frozenset[str]:
        """Keys of the hidden series."""
        return self.plot.hidden

    def set_hidden(self, keys: frozenset[str]) -> None:
        """Hide these series and show the others."""
        self.legend.set_hidden(keys)

    # ---- zoom and range ----------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> tuple[float, float] | None:
        """The chosen range."""
        return self.plot.chosen

    def choose(self, low: float | None, high: float | None = None) -> None:
        """Choose a range; None for none."""
        self.plot.choose(low, high)

    @property
    def view(self) -> tuple[float, float] | None:
        """The visible stretch; None when everything is visible."""
        return self.plot.view

    def zoom_to(self, low: float, high: float) -> None:
        """Show a stretch."""
        self.plot.zoom_to(low, high)

    def restore(self) -> None:
        """Whole range, no selection, not locked."""
        self.plot.restore()

    @property
    def locked(self) -> bool:
        """Dragging does nothing."""
        return self.plot.locked

    def set_locked(self, locked: bool) -> None:
        """Lock or unlock dragging."""
        self.plot.set_locked(locked)

    def _toggle_lock(self) -> None:
        self.plot.set_locked(not self.plot.locked)

    def _locked(self, locked: bool) -> None:
        self.zoom_button.setChecked(not locked)
        icons.put(self.zoom_button, "lock-simple" if locked else "magnifying-glass-plus")

    def _is_moved(self) -> bool:
        return self.plot.view is not None or self.plot.chosen is not None

    def _range_moved(self, found: object) -> None:
        self.restore_button.setEnabled(self._is_moved())
        self.range_changed.emit(found)

    def _view_moved(self, found: object) -> None:
        self.restore_button.setEnabled(self._is_moved())
        self.view_changed.emit(found)

    # ---- legend and note ---------------------------------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        """Entries of the legend."""
        return [
            Entry(s.key, self._legend_name(s), colour_of(s.colour, i), s.dashed, row=s.row)
            for i, s in enumerate(self.plot.series)
        ]

    def _legend_name(self, series: Series) -> str:
        """A series of the second axis says so."""
        has_right = series.right and self.plot.right_axis is not None
        return tr("{0} (right axis)").format(series.name) if has_right else series.name

    def _show_legend(self) -> None:
        if not self._has_legend:
            return
        self.legend.show_entries(self.entries(), self.plot.hidden)
        self._describe()

    def _hide(self, keys: frozenset[str]) -> None:
        self.plot.set_hidden(keys)
        if self.overview is not None:
            self.overview.renew()
        self.hidden_changed.emit(keys)
        self._describe()

    def _tell_sample(self, points: int, drawn: int) -> None:
        if not points or not any(s.is_line for s in self.plot.series):
            self.set_note("")
        elif drawn < points:
            self.set_note(tr("peaks of {0} samples").format(number_text.count(points)))
            self.note.setToolTip(tr("{0} points are drawn. Zooming in shows all.").format(number_text.count(drawn)))
        else:
            self.set_note(tr("{0} samples, all drawn").format(number_text.count(points)))
            self.note.setToolTip("")

    # ---- state, summary, export --------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Zoom, range, hidden series and lock, for the session file."""
        return {
            "view": list(self.plot.view) if self.plot.view else None,
            "range": list(self.plot.chosen) if self.plot.chosen else None,
            "hidden": sorted(self.plot.hidden),
            "locked": self.plot.locked,
        }

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave, once the data are there."""
        self.set_hidden(frozenset(str(k) for k in state.get("hidden") or ()))
        view, chosen = state.get("view"), state.get("range")
        if view:
            self.plot.zoom_to(float(view[0]), float(view[1]))
        self.plot.choose(*((float(chosen[0]), float(chosen[1])) if chosen else (None,)))
        self.plot.set_locked(bool(state.get("locked")))

    def summary(self) -> str:
        """Title, span of the axis, and each visible series with its smallest and largest value."""
        axis = self.plot.x_axis
        low, high = self.plot.whole
        texts = [f"{self.title}: {axis.title} {axis.exact_text(low)} – {axis.exact_text(high)}"]
        for s in self._told_series():
            values = values_extent([s])
            if values is not None:
                ends = " – ".join(number_text.number(v, s.decimals) for v in values)
                texts.append(f"{s.name} {ends} {s.unit}".strip())
        return "; ".join(texts)

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        frame = self.plot.frame_of(width, height)
        self.plot.paint_ground(painter, frame)
        if self.plot.chosen is not None:
            chart_paint.brush(painter, frame, *self.plot.chosen)

    def numbers(self) -> tuple[pa.Table, list[ColumnSpec]]:
        return chart_export.table_of(self._told_series(), self.plot.x_axis, *self.plot.visible)

    def _told_series(self) -> list[Series]:
        """Visible series with the values that they stand for."""
        shown = self.plot.visible_series()
        return [powers(s) for s in shown] if self.plot.y_axis.kind == "log" else shown
