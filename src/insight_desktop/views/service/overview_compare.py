"""Two runs compared: figures, latencies over each other, spans, and all runs as points."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.service import compare, overview, requests
from insight_desktop.engine.service.metrics import METRICS
from insight_desktop.views.common import parts
from insight_desktop.views.common.arrow_table import ColumnSpec
from insight_desktop.views.common.chart import Axis, Series
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.service.overview_latency import TITLES
from insight_desktop.views.service.overview_part import Part, Shown, TablePanel, chart, grid, numbers

FIGURES = {
    "done": QT_TRANSLATE_NOOP("insight", "Requests done"), "running": QT_TRANSLATE_NOOP("insight", "Unfinished requests"),
    "duration": QT_TRANSLATE_NOOP("insight", "Duration"), "requests_per_s": QT_TRANSLATE_NOOP("insight", "Throughput"),
    "output_tokens_per_s": QT_TRANSLATE_NOOP("insight", "Output tokens"), "total_tokens_per_s": QT_TRANSLATE_NOOP("insight", "All tokens"),
    "peak_output_tokens_per_s": QT_TRANSLATE_NOOP("insight", "Output tokens of the best second"),
    "peak_concurrency": QT_TRANSLATE_NOOP("insight", "Most requests under way"), "mean_concurrency": QT_TRANSLATE_NOOP("insight", "Requests under way, mean"),
    "kv_peak": QT_TRANSLATE_NOOP("insight", "KV peak"), "kv_mean": QT_TRANSLATE_NOOP("insight", "KV mean"),
    "kv_above_90": QT_TRANSLATE_NOOP("insight", "KV time at 90 % and more"), "preemptions": QT_TRANSLATE_NOOP("insight", "Preemptions"),
    "stall": QT_TRANSLATE_NOOP("insight", "Stall time"), "mean_batch_size": QT_TRANSLATE_NOOP("insight", "Batch size, mean"),
    "busy": QT_TRANSLATE_NOOP("insight", "Engine busy"), "hit_rate": QT_TRANSLATE_NOOP("insight", "Cache hits"),
}  # fmt: skip
_VERDICTS = {1: QT_TRANSLATE_NOOP("insight", "better ▲"), -1: QT_TRANSLATE_NOOP("insight", "worse ▼"), 0: ""}
_COLUMNS = (
    ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Figure"), width=190),
    ColumnSpec("unit", QT_TRANSLATE_NOOP("insight", "Unit"), width=60),
    ColumnSpec("comparison", QT_TRANSLATE_NOOP("insight", "This run"), kind="number", decimals=3),
    ColumnSpec("baseline", QT_TRANSLATE_NOOP("insight", "Baseline"), kind="number", decimals=3),
    ColumnSpec("difference", QT_TRANSLATE_NOOP("insight", "Difference"), kind="number", decimals=3),
    ColumnSpec("ratio_percent", QT_TRANSLATE_NOOP("insight", "Change"), unit="%", kind="number", decimals=2),
    ColumnSpec("verdict", QT_TRANSLATE_NOOP("insight", "Verdict"), width=90),
)
_SPANS = (
    ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Span"), width=190),
    *(
        ColumnSpec(f"{side}_{key}", f"{title} {key.upper()}", unit="ms", kind="number", decimals=2)
        for key in ("avg", "p50", "p90")
        for side, title in (("golden", "Golden"), ("input", "Input"), ("diff", "DIFF"))
    ),
    *(
        ColumnSpec(f"rdiff_{key}_percent", f"RDIFF {key.upper()}", unit="%", kind="number", decimals=2)
        for key in ("avg", "p50", "p90")
    ),
)


class Comparison(Part):
    """Figures of both runs, their distributions, their spans."""

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.figures, self.spans = TablePanel(_COLUMNS), TablePanel(_SPANS)
        self.curves, self.points = chart(), chart()
        self.metric_box = Select()
        self.curves.head_row.insertWidget(1, self.metric_box)
        self._tables: dict[str, pa.Table] = {}
        inside = QWidget()
        grid(inside, [[self.figures, self.curves], [self.spans, self.points]])
        inside.setMinimumHeight(420)
        parts.rows(self).addWidget(parts.scrolling(inside))
        self.metric_box.activated.connect(lambda _at: self._ask_curves())
        self.retranslate()

    def retranslate(self) -> None:
        if not hasattr(self, "points"):
            return
        self.figures.set_title(tr("Figures"))
        self.spans.set_title(tr("Spans"), tr("Input − Golden; Golden is the baseline"))
        self.curves.set_title(tr("Distribution"))
        self.points.set_title(tr("All runs"), tr("per user against per card"))
        at = max(0, self.metric_box.currentIndex())
        self.metric_box.clear()
        for metric in METRICS:
            self.metric_box.addItem(tr(TITLES[metric]), metric)
        self.metric_box.setCurrentIndex(at)

    def load(self, shown: Shown) -> None:
        self.ask(overview.pareto, self._pareto)
        if shown.base is None or shown.card == "*":
            text = tr("Choose a run above to compare with.") if shown.card != "*" else tr("Choose one run to compare.")
            for panel in (self.figures, self.spans):
                panel.show_table(
                    pa.schema(
                        [(c.name, pa.string() if c.is_text else pa.float64()) for c in panel.table.columns]
                    ).empty_table(),
                    text,
                )
            self.curves.set_empty(tr("No comparison"), text)
            return
        self.ask(compare.rows, self._rows, card=shown.card, base=shown.base)
        self.ask(compare.spans, self.spans.show_table, card=shown.card, base=shown.base)
        self._ask_curves()

    def _ask_curves(self) -> None:
        shown = self.shown
        if shown is None or shown.base is None or shown.card == "*":
            return
        self._tables = {}
        metric = str(self.metric_box.currentData() or "ttft")
        for side, card in (("this", shown.card), ("base", shown.base)):
            self.ask(requests.cdf, partial(self._curve, side), key=side, metric=metric, card=card, points=800)

    def _curve(self, side: str, table: pa.Table) -> None:
        self._tables[side] = table
        if len(self._tables) < 2 or self.shown is None:
            return
        title = self.metric_box.currentText()
        series = []
        for key, name, colour in (
            ("this", tr("this run"), "prefill"),
            ("base", tr("baseline {0}").format(self.shown.base), "frontend"),
        ):
            found = self._tables[key]
            if found.num_rows:
                series.append(Series(key, name, numbers(found["value_ns"]) / 1e6, numbers(found["share"]) * 100, unit="%", decimals=1,
                                     colour=colour, dashed=key == "base"))  # fmt: skip
        if not series:
            self.curves.set_empty(tr("No values of {0}").format(title), tr("No ended request has one."))
            return
        self.curves.set_axes(Axis(f"{title} (ms)", name=title), Axis(tr("Requests (%)"), from_zero=True))
        high = max(float(np.interp(99.0, s.y, s.x)) for s in series) * 1.3
        self.curves.set_series(series, limits=(0.0, high))

    def _rows(self, table: pa.Table) -> None:
        rows = [
            {**row, "name": figure_title(row["figure"]), "verdict": tr(_VERDICTS[row["better"]])}
            for row in table.to_pylist()
        ]
        floats = ("comparison", "baseline", "difference", "ratio_percent")
        kinds = [
            ("name", pa.string()),
            *((n, pa.float64()) for n in floats),
            ("unit", pa.string()),
            ("verdict", pa.string()),
        ]
        self.figures.show_table(pa.Table.from_pylist(rows, pa.schema(kinds)))

    def _pareto(self, table: pa.Table) -> None:
        x, y = numbers(table["tokens_per_s_per_user"]), numbers(table["tokens_per_s_per_card"])
        keep = ~np.isnan(x) & ~np.isnan(y)
        if not keep.any():
            self.points.set_empty(tr("No run to place"), tr("No run has ended requests with several tokens."))
            return
        names = np.array(table["card"].to_pylist(), object)[keep].tolist()
        self.points.set_axes(Axis(tr("Per user (tok/s)")), Axis(tr("Per card (tok/s)"), from_zero=True))
        self.points.set_series(
            [Series("runs", tr("runs"), x[keep], y[keep], kind="scatter", decimals=2, labels=names, tags=names)]
        )


def figure_title(name: str) -> str:
    """Title of a figure in the current language: `ttft_p90` is TTFT P90."""
    if name in FIGURES:
        return tr(FIGURES[name])
    metric, _, kind = name.partition("_")
    return f"{tr(TITLES[metric])} {tr('Mean') if kind == 'mean' else kind.upper()}"
