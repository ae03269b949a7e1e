"""One latency in depth: histogram, percentiles, against lengths, over time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from insight_desktop.engine.service import requests
from insight_desktop.engine.service.metrics import METRICS, RECORDED
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ColumnSpec
from insight_desktop.views.common.chart import Axis, Series
from insight_desktop.views.common.heat_colours import sequential
from insight_desktop.views.common.heat_data import Cells
from insight_desktop.views.common.heat_map import HeatMap
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.service.overview_latency import TITLES
from insight_desktop.views.service.overview_part import Part, Shown, TablePanel, chart, grid, numbers

_PERCENTILES = {"p25_ns": 25.0, "p50_ns": 50.0, "p75_ns": 75.0, "p90_ns": 90.0, "p95_ns": 95.0, "p99_ns": 99.0, "p999_ns": 99.9,
                "min_ns": 0.0, "max_ns": 100.0}  # fmt: skip
_NAMES = {"mean_ns": QT_TRANSLATE_NOOP("insight", "Mean"), "std_ns": QT_TRANSLATE_NOOP("insight", "Standard deviation"),
          "min_ns": "Min", "p25_ns": "P25", "p50_ns": "P50", "p75_ns": "P75", "p90_ns": "P90", "p95_ns": "P95",
          "p99_ns": "P99", "p999_ns": "P99.9", "max_ns": "Max"}  # fmt: skip
_COLUMNS = (
    ColumnSpec("figure", QT_TRANSLATE_NOOP("insight", "Figure"), width=120),
    ColumnSpec("value", QT_TRANSLATE_NOOP("insight", "This run"), unit="ms", kind="number", decimals=3),
    ColumnSpec("base", QT_TRANSLATE_NOOP("insight", "Baseline"), unit="ms", kind="number", decimals=3),
    ColumnSpec("change", QT_TRANSLATE_NOOP("insight", "Difference"), unit="ms", kind="number", decimals=3),
)
TITLES_OF = {"normalized": QT_TRANSLATE_NOOP("insight", "E2E ÷ tokens"), "prefill": QT_TRANSLATE_NOOP("insight", "Prefill"),
             "decode": QT_TRANSLATE_NOOP("insight", "Decode"), "stall": QT_TRANSLATE_NOOP("insight", "Stalled")}  # fmt: skip

HEAT_COLUMNS, HEAT_ROWS = 60, 24  # the engine's ranges of time and of latency; empty cells come in no row of its answer


class Distributions(Part):
    """Signals: percentile_wanted with metric and percentile."""

    percentile_wanted = Signal(str, float)

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.metric_box, self.log_box = Select(), QCheckBox()
        self.label = parts.label()
        self.histogram, self.scatter = chart(), chart()
        self.heat = HeatMap()
        self.heat.setMinimumHeight(170)
        self.table = TablePanel(_COLUMNS)
        self._figures: dict[str, dict[str, Any]] = {}
        self._rids: list[str] = []
        self._keys: list[str] = []
        bar = parts.columns(margins=(10, 8, 10, 0))
        for widget in (self.label, self.metric_box, self.log_box):
            bar.addWidget(widget)
        bar.addStretch(1)
        inside = QWidget()
        grid(inside, [[self.histogram, self.table], [self.scatter, self.heat]])
        column = parts.rows(self)
        column.addLayout(bar)
        column.addWidget(inside, 1)
        self.retranslate()
        self.metric_box.activated.connect(lambda _at: self._again())
        self.log_box.toggled.connect(lambda _on: self._again())
        self.table.activated.connect(self._row)
        self.scatter.point_clicked.connect(self._point)

    def retranslate(self) -> None:
        self.label.setText(tr("Metric"))
        self.log_box.setText(tr("Logarithmic bins"))
        current = self.chosen_metric
        self.metric_box.clear()
        for metric in (*METRICS, *RECORDED):
            self.metric_box.addItem(tr(TITLES[metric]), metric)
        self.metric_box.setCurrentIndex(max(0, self.metric_box.findData(current)))

    @property
    def chosen_metric(self) -> str:
        """The metric that is shown."""
        return str(self.metric_box.currentData() or "ttft")

    def choose(self, metric: str) -> None:
        """Show another metric."""
        self.metric_box.setCurrentIndex(max(0, self.metric_box.findData(metric)))
        self._again()

    def _again(self) -> None:
        if self.shown is not None and self.isVisible():
            self.load(self.shown)

    def load(self, shown: Shown) -> None:
        metric = self.chosen_metric
        self._figures = {}
        self.ask(
            requests.histogram, self._bars, metric=metric, bins=70, log=self.log_box.isChecked(), **shown.arguments(),
            failed=self.empties(self.histogram),
        )  # fmt: skip
        self.ask(
            requests.percentiles,
            lambda t: self._percentiles("value", t),
            key="this",
            metric=metric,
            **shown.arguments(),
        )
        if shown.base is not None:
            self.ask(
                requests.percentiles, lambda t: self._percentiles("base", t), key="base", metric=metric, card=shown.base
            )
        against = "n_in" if metric.removeprefix("recorded_") in ("ttft", "queue", "prefill") else "n_out"
        if metric == "itl":
            self.scatter.set_title(tr("Against length"))
            self.scatter.set_empty(tr("Gaps between tokens have no length"), tr("Choose a metric of requests."))
        else:
            self.ask(
                requests.scatter, lambda t: self._points(t, against), metric=metric, against=against, **shown.arguments(),
                failed=self.empties(self.scatter),
            )  # fmt: skip
        self.ask(
            requests.heat, self._over_time, metric=metric, columns=HEAT_COLUMNS, rows=HEAT_ROWS, **shown.arguments(),
            failed=self.empties(self.heat),
        )  # fmt: skip

    def _bars(self, table: pa.Table) -> None:
        title = tr(TITLES[self.chosen_metric])
        self.histogram.set_title(tr("{0}: distribution").format(title))
        if not table.num_rows:
            self.histogram.set_empty(tr("No values of {0}").format(title), tr("No ended request has one."))
            return
        self.histogram.set_axes(
            Axis(f"{title} (ms)", name=title), Axis(tr("Samples||values"), from_zero=True, whole=True)
        )
        low, high = numbers(table["from_ns"]) / 1e6, numbers(table["to_ns"]) / 1e6
        self.histogram.set_series(
            [Series("count", tr("samples"), low, numbers(table["count"]), kind="bars", x_end=high, decimals=0)]
        )

    def _percentiles(self, side: str, table: pa.Table) -> None:
        row = table.to_pylist()[0]
        self._figures[side] = row
        ours, base = self._figures.get("value", {}), self._figures.get("base", {})
        rows = []
        for key, name in _NAMES.items():
            a, b = ours.get(key), base.get(key)
            rows.append(
                {
                    "figure": tr(name), "value": None if a is None else a / 1e6, "base": None if b is None else b / 1e6,
                    "change": None if a is None or b is None else (a - b) / 1e6,
                }
            )  # fmt: skip
        self._keys = list(_NAMES)
        kinds = [("figure", pa.string()), ("value", pa.float64()), ("base", pa.float64()), ("change", pa.float64())]
        words = tr("{0} samples · double click: the nearest request").format(number_text.count(ours.get("count", 0)))
        self.table.set_title(tr("{0}: percentiles").format(tr(TITLES[self.chosen_metric])), words)
        self.table.show_table(pa.Table.from_pylist(rows, pa.schema(kinds)))
        for name in ("base", "change"):
            at = [c.name for c in self.table.table.columns].index(name)
            self.table.table.setColumnHidden(at, not base)

    def _row(self, at: int) -> None:
        found = _PERCENTILES.get(self._keys[at]) if 0 <= at < len(self._keys) else None
        if found is not None:
            self.percentile_wanted.emit(self.chosen_metric, found)

    def _points(self, table: pa.Table, against: str) -> None:
        title = tr(TITLES[self.chosen_metric])
        x_title = tr("Prompt length (tokens)") if against == "n_in" else tr("Answer length (tokens)")
        self.scatter.set_title(tr("{0} against length").format(title))
        self.scatter.set_axes(Axis(x_title), Axis(f"{title} (ms)", from_zero=True))
        self._rids = table["rid"].to_pylist()
        if not self._rids:
            self.scatter.set_empty(tr("No values of {0}").format(title), tr("No ended request has one."))
            return
        points = Series("requests", tr("requests"), numbers(table["x"]), numbers(table["value_ns"]) / 1e6, kind="scatter",
                        unit="ms", decimals=3, labels=self._rids)  # fmt: skip
        self.scatter.set_series([points])

    def _point(self, key: str, at: int) -> None:
        if key == "requests" and 0 <= at < len(self._rids):
            self.request_wanted.emit(self._rids[at])

    def _over_time(self, table: pa.Table) -> None:
        title = tr(TITLES[self.chosen_metric])
        self.heat.set_title(tr("{0} over time").format(title))
        if not table.num_rows:
            self.heat.set_empty(tr("No values of {0}").format(title), tr("No ended request has one."))
            return
        times = _even(numbers(table["time_ns"]), HEAT_COLUMNS)
        rows = np.exp(_even(np.log(numbers(table["from_ns"])), HEAT_ROWS))
        values = np.full((len(rows), len(times)), np.nan)
        at = _nearest(np.log(rows), np.log(numbers(table["from_ns"]))), _nearest(times, numbers(table["time_ns"]))
        values[at] = numbers(table["count"])
        zero = self.shown.zero_ns if self.shown is not None else 0
        decimals = 2 if len(times) < 2 or times[1] - times[0] < 1e8 else 1
        cells = Cells(
            values, [f"{number_text.number(v / 1e6, 1)} ms" for v in rows], [f"{(t - zero) / 1e9:,.{decimals}f}" for t in times],
            title=tr("samples"), decimals=0, row_title=title, column_title=tr("Time (s)"), rows_up=True, most_labels=0,
        )  # fmt: skip
        self.heat.set_cells(cells, colours=sequential, ends=(0.0, max(float(np.nanmax(values)), 1.0)))


def _even(starts: npt.NDArray[np.float64], count: int) -> npt.NDArray[np.float64]:
    """All the bins of which some have something in them: the first and the last always do."""
    low, high = float(starts.min()), float(starts.max())
    return np.linspace(low, high, count) if high > low else np.array([low])


def _nearest(bins: npt.NDArray[np.float64], starts: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    step = bins[1] - bins[0] if len(bins) > 1 else 1.0
    return np.rint((starts - bins[0]) / step).astype(np.int64)
