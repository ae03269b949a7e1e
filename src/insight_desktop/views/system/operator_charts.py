"""Charts of the Operator page: Pareto, durations over time and their spread, shapes, pipes, differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from insight_desktop.engine.system.operator_groups import KEYS, Group
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.chart import Axis, Chart, RefLine, Series
from insight_desktop.views.common.chart_bars import BarChart, Bars
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system.operator_focus import Focus
from insight_desktop.views.system.operator_panel import TablePanel

_MOST_SHAPES = 5  # with a colour of their own; the others share the last one
_MOST_BARS = 30
_MOST_GROUPS = 300  # of the Pareto chart; the rest is thinner than a pixel
_LEGEND, _PER_LINE = 18, 3  # characters of a shape in the legend; entries per line
_CLASS_COLOURS = {"A": "accent", "B": "communication", "C": "free"}
_HALF = 0.36


def labels_of(table: pa.Table, group: Group, *, short: bool = False) -> list[str]:
    """One line per group; short ones leave the core out where the rest already tells groups apart."""
    keys = [key for key in KEYS[group] if key in table.column_names]
    rows = table.select(keys).to_pylist()
    full = [" · ".join(str(row[key]) for key in keys if row[key]) or "–" for row in rows]
    if not short:
        return full
    first = [str(row[keys[0]]) or "–" for row in rows]
    return first if len(set(first)) == len(first) else full


class ParetoChart(Chart):
    """Groups by share of the time, coloured by class, with the cumulative share.

    Signals: group_clicked with the place of a group.
    """

    group_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._places: dict[str, list[int]] = {}
        self.point_clicked.connect(self._clicked)

    def show_groups(self, table: pa.Table, group: Group) -> None:
        """Rows of the query `pareto`."""
        self.set_title(tr("Pareto (ABC)"), tr("share of each group, largest first"))
        every = np.array(table["class"].to_pylist(), dtype=object)
        whole, table = table.num_rows, table.slice(0, _MOST_GROUPS)
        classes = every[:_MOST_GROUPS]
        share = np.asarray(table["share_ratio"], np.float64)
        names = labels_of(table, group, short=True)
        self.set_axes(
            Axis("", kind="category", labels=names, name=tr("Operator"), least=1.0),
            Axis(tr("Share (%)"), kind="percent", from_zero=True),
        )
        series = []
        self._places = {}
        for name, colour in _CLASS_COLOURS.items():
            places = np.flatnonzero(classes == name).astype(np.float64)
            if len(places):
                self._places[name] = [int(p) for p in places]
                title = tr("Class {0} ({1})").format(name, number_text.count(int((every == name).sum())))
                series.append(
                    Series(name, title, places - _HALF, share[classes == name], "bars", colour, x_end=places + _HALF,
                           labels=[names[int(p)] for p in places])
                )  # fmt: skip
        everything = np.arange(table.num_rows, dtype=np.float64)
        cumulative = np.asarray(table["cumulative_ratio"], np.float64)
        series.append(Series("cumulative", tr("Cumulative"), everything, cumulative, "line", "decode", labels=names))
        self.set_series(series)
        self.set_lines([RefLine(0.8, "80 %", colour="text3"), RefLine(0.95, "95 %", colour="text3")])
        self.set_note(
            tr("first {0} of {1}").format(_MOST_GROUPS, number_text.count(whole)) if whole > _MOST_GROUPS else ""
        )
        if not table.num_rows:
            self.set_empty(tr("No operators in this group"), tr("Choose another group, or another card."))

    def _clicked(self, key: str, at: int) -> None:
        places = self._places.get(key)
        self.group_clicked.emit(places[at] if places is not None else at)


class DurationCharts(QSplitter):
    """Durations of one operator over time, coloured by shape, and how they are spread.

    Signals: timeline_wanted with the Focus of a kernel.
    """

    timeline_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.scatter, self.histogram = Chart(), Chart(legend=False)
        self.setHandleWidth(10)
        self.setObjectName("panels")
        self.setChildrenCollapsible(False)
        self.addWidget(self.scatter)
        self.addWidget(self.histogram)
        self.setSizes([700, 400])
        self._rows: dict[str, list[int]] = {}
        self._chosen: Focus | None = None
        self.button = self.scatter.add_button("crosshair-simple", lambda: self.timeline_wanted.emit(self._chosen))
        self.retranslate()
        self.scatter.point_clicked.connect(self._clicked)

    def retranslate(self) -> None:
        """Texts in the current language."""
        parts.set_tip(self.button, tr("Show in Timeline"))

    def show_points(self, focus: Focus, table: pa.Table) -> None:
        """Rows of the query `durations`."""
        self.scatter.set_title(tr("Durations"), focus.label)
        self.scatter.set_axes(
            Axis(tr("Start Time (ms)"), name=tr("Start Time")), Axis(tr("Duration (µs)"), from_zero=True)
        )
        start, duration = np.asarray(table["start_ms"], np.float64), np.asarray(table["duration_us"], np.float64)
        shapes = np.array(table["shape"].to_pylist(), dtype=object)
        rows = np.asarray(table["row"])
        names = table["name"].to_pylist()
        common = [v["values"] for v in pc.value_counts(table["shape"]).to_pylist()]
        common.sort(key=lambda text: -int((shapes == text).sum()))
        series: list[Series] = []
        self._rows = {}
        for i, shape in enumerate([*common[:_MOST_SHAPES], None]):
            mine = shapes == shape if shape is not None else ~np.isin(shapes, common[:_MOST_SHAPES])
            at = np.flatnonzero(mine)
            if not len(at):
                continue
            key = str(i)
            self._rows[key] = rows[at].tolist()
            title = tr("Other shapes") if shape is None else shape if shape not in ("", "N/A") else tr("No shape")
            series.append(
                Series(key, _short(title, _LEGEND), start[at], duration[at], "scatter", "free" if shape is None else "",
                       unit="µs", decimals=3, row=len(series) // _PER_LINE, labels=[names[a] for a in at])
            )  # fmt: skip
        self.scatter.set_series(series)
        self.scatter.set_note(tr("{0} calls").format(number_text.count(table.num_rows)))
        self._chosen = focus if table.num_rows else None
        self.button.setEnabled(self._chosen is not None)
        if not table.num_rows:
            self.scatter.set_empty(tr("No times"), tr("The kernels of this operator have no start time."))

    def show_histogram(self, table: pa.Table) -> None:
        """Rows of the query `duration_histogram`."""
        self.histogram.set_title(tr("Spread of durations"))
        self.histogram.set_axes(
            Axis(tr("Duration (µs)"), name=tr("Duration")), Axis(tr("Calls"), from_zero=True, whole=True)
        )
        low, high = np.asarray(table["from_us"], np.float64), np.asarray(table["to_us"], np.float64)
        if len(low) == 1 and low[0] == high[0]:  # all the same: a bar needs some width
            high = high + max(high[0] * 0.01, 0.001)
        counts = np.asarray(table["count"], np.float64)
        labels = [f"{number_text.number(a, 3)} – {number_text.number(b, 3)} µs" for a, b in zip(low, high, strict=True)]
        self.histogram.set_series(
            [Series("count", tr("Calls"), low, counts, "bars", "accent", decimals=0, x_end=high, labels=labels)]
        )

    def clear(self, title: str, text: str = "") -> None:
        """Words instead of charts."""
        self._chosen = None
        self.button.setEnabled(False)
        for chart in (self.scatter, self.histogram):
            chart.set_series([])
            chart.set_empty(title, text)

    def _clicked(self, key: str, at: int) -> None:
        rows = self._rows.get(key)
        if rows is not None and at < len(rows):
            self.timeline_wanted.emit(Focus(row=rows[at]))


_SHAPE_COLUMNS = (
    ColumnSpec("shape", QT_TRANSLATE_NOOP("insight", "Input Shapes"), width=220),
    ColumnSpec("core", QT_TRANSLATE_NOOP("insight", "Accelerator Core"), width=130),
    ColumnSpec("count", QT_TRANSLATE_NOOP("insight", "Count"), kind="count"),
    ColumnSpec("sum_us", QT_TRANSLATE_NOOP("insight", "Total Time"), unit="µs", kind="number", decimals=3),
    ColumnSpec("avg_us", QT_TRANSLATE_NOOP("insight", "Avg Time"), unit="µs", kind="number", decimals=3),
    ColumnSpec("min_us", QT_TRANSLATE_NOOP("insight", "Min Time"), unit="µs", kind="number", decimals=3),
    ColumnSpec("max_us", QT_TRANSLATE_NOOP("insight", "Max Time"), unit="µs", kind="number", decimals=3),
    ColumnSpec("elements", QT_TRANSLATE_NOOP("insight", "Elements"), kind="count"),
    ColumnSpec("ns_per_element", QT_TRANSLATE_NOOP("insight", "Time per element"), unit="ns", kind="number", decimals=4),
    ColumnSpec(
        "ratio_to_cheapest", QT_TRANSLATE_NOOP("insight", "Against the cheapest"), unit="×", kind="number", decimals=2,
        tooltip=QT_TRANSLATE_NOOP("insight", "Time per element against the shape where it is smallest"),
    ),
)  # fmt: skip


class ShapesView(QSplitter):
    """One operator by input shape: figures and bars of the average.

    Signals: timeline_wanted with the Focus of a shape.
    """

    timeline_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.panel, self.bars = TablePanel(_SHAPE_COLUMNS), BarChart(lying=True)
        self.setHandleWidth(10)
        self.setObjectName("panels")
        self.setChildrenCollapsible(False)
        self.addWidget(self.panel)
        self.addWidget(self.bars)
        self.setSizes([860, 340])
        self._focus: Focus | None = None
        table = self.panel.table
        for signal in (table.timeline_wanted, table.row_activated):
            signal.connect(lambda row: self.timeline_wanted.emit(self._focus_of(row)))
        self.panel.timeline_wanted.connect(lambda: self.timeline_wanted.emit(self._focus_of(table.current_row())))
        self.bars.clicked.connect(lambda _key, at: table.select_row(at))

    def _focus_of(self, row: int) -> Focus | None:
        if self._focus is None or not 0 <= row < self.panel.table.table.num_rows:
            return None
        found = self.panel.table.row(row)
        return replace(self._focus, core=found["core"], shape=found["shape"], row=None)

    def show_shapes(self, focus: Focus, table: pa.Table) -> None:
        """Rows of the query `shape_sensitivity`."""
        self._focus = focus
        self.panel.title.setText(tr("By input shape"))
        self.panel.about.set_text(next(iter(focus.operator.values())))
        self.panel.table.show_table(table)
        self.panel.show_counts()
        first = table.slice(0, _MOST_BARS)
        names = [_short(shape) or "–" for shape in first["shape"].to_pylist()]
        self.bars.set_title(tr("Average by shape"), tr("largest total first"))
        averages = first["avg_us"].to_pylist()
        self.bars.set_bars(
            names,
            [Bars("avg", tr("Avg Time"), averages, "accent")],
            axis=Axis(tr("Avg Time (µs)")),
            unit="µs",
            decimals=3,
        )

    def clear(self, text: str) -> None:
        """Words instead of figures."""
        self._focus = None
        self.panel.title.setText(tr("By input shape"))
        self.panel.about.set_text("")
        self.panel.table.set_empty_text(text)
        self.panel.table.show_table(self.panel.table.table.slice(0, 0))
        self.bars.set_bars([], [])
        self.bars.set_empty(tr("Average by shape"), text)


class PipesChart(BarChart):
    """Busy shares of the pipes of each group, stacked; the name tells which one bounds it.

    Signals: group_clicked with the place of a group.
    """

    group_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(lying=True, parent=parent)
        self.clicked.connect(lambda _key, at: self.group_clicked.emit(at))

    def show_pipes(self, table: pa.Table, group: Group) -> None:
        """Rows of the query `pipe_ratios`."""
        self.set_title(
            tr("Pipes"),
            tr("share of the time in which each is busy, stacked; they work side by side, so sums pass 100 %"),
        )
        fixed = {*KEYS[group], "count", "sum_us", "bound_by", "bound_kind", "bound_ratio"}
        pipes = [name for name in table.column_names if name not in fixed]
        values = {name: [v or 0.0 for v in table[name].to_pylist()] for name in pipes}
        used = [name for name in pipes if any(values[name])]
        names = labels_of(table, group, short=True)
        bounds = [b.removesuffix("_ratio") if b else "" for b in table["bound_by"].to_pylist()]
        shown = [f"{n}  [{b}]" if b else n for n, b in zip(names, bounds, strict=True)]
        bars = [Bars(n, n.removesuffix("_ratio"), [v * 100 for v in values[n]]) for n in used]
        self.set_bars(shown, bars, axis=Axis(tr("Busy (% of the duration)")), unit="%", decimals=1)


class DifferenceChart(BarChart):
    """Differences of the total time, largest first.

    Signals: row_clicked with the place of a row.
    """

    row_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(lying=True, parent=parent)
        self._places: list[int] = []
        self.clicked.connect(lambda _key, at: self.row_clicked.emit(self._places[at]))

    def show_differences(self, table: pa.Table, group: Group) -> None:
        """Rows of the query `compare`: the largest ones either way."""
        column = "duration_us" if group == "communication" else "sum_us"
        value = np.asarray(table[column], np.float64)
        order = np.argsort(-np.abs(value), kind="stable")[:_MOST_BARS]
        order = order[np.argsort(-value[order], kind="stable")]
        self._places = order.tolist()
        names = labels_of(table.take(pa.array(order)), group, short=True)
        self.set_title(tr("Difference of the total time"), tr("comparison minus baseline, largest first"))
        more = [max(v, 0.0) for v in value[order].tolist()]
        less = [min(v, 0.0) for v in value[order].tolist()]
        bars = [Bars("more", tr("longer"), more, "ok"), Bars("less", tr("shorter"), less, "error")]
        self.set_bars(names, bars, axis=Axis(tr("Difference (µs)")), unit="µs", decimals=3)
        if not table.num_rows:
            self.set_empty(tr("No operators in this group"), tr("Choose another group, or another card."))


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
