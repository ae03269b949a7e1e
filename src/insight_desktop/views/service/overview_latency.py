"""Distributions side by side: how many requests are faster than a value, with limits and percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.service import requests
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.chart import Axis, Band, Chart, RefLine, Series
from insight_desktop.views.common.language import tr
from insight_desktop.views.service.overview_kpis import SECONDS_FROM
from insight_desktop.views.service.overview_part import Part, Shown, chart, numbers, without_frame

METRICS = ("ttft", "tpot", "e2e", "queue")
TITLES = {"ttft": "TTFT", "tpot": "TPOT", "e2e": "E2E", "itl": "ITL", "queue": "Queue", "normalized": "E2E ÷ tokens",
          "prefill": "Prefill", "decode": "Decode", "stall": "Stalled",
          "recorded_ttft": "TTFT recorded", "recorded_e2e": "E2E recorded", "recorded_queue": "Queue recorded"}  # fmt: skip
_APART = 0.13  # of the axis between words of percentiles
_SHOWN = 0.985  # of the samples, beyond which only the limit widens the axis
_MARKS = (("P50", 0.5), ("P90", 0.9), ("P99", 0.99), ("P99.9", 0.999))


class LatencyCurves(Part):
    """Four curves.

    Signals:
        percentile_wanted: metric and percentile (0 to 100) whose request is wanted.
    """

    percentile_wanted = Signal(str, float)

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.charts: dict[str, Chart] = {}
        self._tables: dict[tuple[str, str], pa.Table] = {}
        self._goodput: dict[str, dict[str, Any]] = {}
        row = parts.columns(self, margins=(4, 2, 4, 4), gap=0)
        for metric in METRICS:
            one = without_frame(chart(least=150))
            one.point_clicked.connect(lambda key, at, metric=metric: self._clicked(metric, key, at))
            self.charts[metric] = one
            if row.count():
                row.addWidget(parts.line(standing=True))
            row.addWidget(one, 1)

    def load(self, shown: Shown) -> None:
        self._tables = {}
        self._goodput = {}
        self.ask(requests.goodput, self._met, **shown.arguments(), **shown.limit_arguments())
        for metric in METRICS:
            self.ask(
                requests.cdf, partial(self._arrived, "this", metric), key=f"this.{metric}", metric=metric,
                points=1500, **shown.arguments(),
            )  # fmt: skip
            if shown.base is not None:
                self.ask(
                    requests.cdf, partial(self._arrived, "base", metric), key=f"base.{metric}", metric=metric,
                    points=800, card=shown.base,
                )  # fmt: skip

    def _met(self, table: pa.Table) -> None:
        self._goodput = {one["limit"]: one for one in table.to_pylist()}
        for metric in METRICS:
            self._draw(metric)

    def _arrived(self, side: str, metric: str, table: pa.Table) -> None:
        self._tables[side, metric] = table
        self._draw(metric)

    def _draw(self, metric: str) -> None:
        table, one = self._tables.get(("this", metric)), self.charts[metric]
        if table is None or self.shown is None:
            return
        title = tr(TITLES[metric])
        if not table.num_rows:
            one.set_empty(tr("No values of {0}").format(title), tr("No ended request has one."))
            return
        values, share = numbers(table["value_ns"]), numbers(table["share"]) * 100
        limit = dict(self.shown.limits).get(metric)
        in_seconds = float(np.interp(90, share, values)) >= SECONDS_FROM
        unit, divisor = (tr("s"), 1e9) if in_seconds else ("ms", 1e6)
        one.set_axes(Axis(f"{title} ({unit})", name=title), Axis(name=tr("Requests"), from_zero=True, reaches=100.0))
        x = values / divisor
        high = float(np.interp(_SHOWN * 100, share, x)) if len(x) > 3 else float(x[-1])
        high = max(high, float(x[0]) * 1.0001, limit * 1e6 / divisor * 1.15 if limit else 0.0) * 1.02
        series = [
            Series("this", tr("this run"), np.r_[x[0], x], np.r_[0.0, share], unit="%", decimals=1, colour="prefill")
        ]
        base = self._tables.get(("base", metric))
        if base is not None and base.num_rows and self.shown.base is not None:
            series.append(
                Series("base", tr("baseline {0}").format(self.shown.base), numbers(base["value_ns"]) / divisor,
                       numbers(base["share"]) * 100, unit="%", decimals=1, colour="frontend", dashed=True)
            )  # fmt: skip
        places = [float(np.interp(q * 100, share, x)) for _, q in _MARKS]
        tags, last = [], -high
        for (name, _), place in zip(_MARKS, places, strict=True):
            is_free = place - last > _APART * high and place <= high
            tags.append(name if is_free else "")
            last = place if is_free else last
        marks = Series("marks", tr("percentiles"), np.array(places), np.array([q * 100 for _, q in _MARKS]), kind="scatter",
                       unit="%", decimals=1, colour="prefill", labels=[n for n, _ in _MARKS], tags=tags)  # fmt: skip
        lowest = min(float(x[0]), float(x[0]) if high - x[0] < x[0] else 0.0)
        one.set_series([*series, marks], limits=(lowest if lowest > 0.5 * high else 0.0, high))
        self._limit(one, metric, limit, divisor, unit, high)

    def _limit(self, one: Chart, metric: str, limit: float | None, divisor: float, unit: str, high: float) -> None:
        if limit is None:
            one.set_lines(())
            one.set_bands(())
            return
        at = limit * 1e6 / divisor
        met = self._goodput.get(metric, {}).get("share")
        words = f"SLO {number_text.number(at, 0 if unit == 'ms' else 2)} {unit}"
        if met is not None:
            words += "\n" + tr("{0} inside").format(number_text.percent(met))
        one.set_lines([RefLine(at, words, axis="x", colour="slo", at_foot=True)])
        one.set_bands([Band(at, max(high, at), colour="errbg")])

    def _clicked(self, metric: str, key: str, at: int) -> None:
        if key == "marks":
            self.percentile_wanted.emit(metric, _MARKS[at][1] * 100)
        elif key == "this":
            found = self.charts[metric].series[0].y
            if at < len(found):
                self.percentile_wanted.emit(metric, float(min(100.0, max(0.0, found[at]))))


def percentile_words(metric: str, percentile: float) -> str:
    """`TTFT P90`."""
    text = f"{percentile:.1f}".removesuffix(".0")
    return f"{tr(TITLES[metric])} P{text}"


def titles(metrics: Sequence[str]) -> list[tuple[str, str]]:
    """(title in the current language, metric)."""
    return [(tr(TITLES[m]), m) for m in metrics]
