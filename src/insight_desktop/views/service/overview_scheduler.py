"""The scheduler: batches, queues, requests under way, cost of a step, and what another batch size would give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.service import scheduler
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ColumnSpec
from insight_desktop.views.common.chart import Axis, Series
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.service.overview_part import Part, Shown, TablePanel, chart, grid, numbers, time_axis

TYPE_COLOURS = {
    "prefill": "prefill",
    "decode": "decode",
    "mixed": "tail",
    "extend": "queue",
    "dummy": "frontend",
    "other": "bubble",
}
TYPE_TITLES = {
    "prefill": QT_TRANSLATE_NOOP("insight", "prefill"), "decode": QT_TRANSLATE_NOOP("insight", "decode"),
    "mixed": QT_TRANSLATE_NOOP("insight", "mixed"), "extend": QT_TRANSLATE_NOOP("insight", "extend"),
    "dummy": QT_TRANSLATE_NOOP("insight", "dummy"), "other": QT_TRANSLATE_NOOP("insight", "other"),
}  # fmt: skip
_WHAT_IF = (
    ColumnSpec("max_batch_size", QT_TRANSLATE_NOOP("insight", "Max batch size"), kind="count"),
    ColumnSpec("goodput_per_s", QT_TRANSLATE_NOOP("insight", "Goodput"), unit="req/s", kind="number", decimals=2),
    ColumnSpec("share", QT_TRANSLATE_NOOP("insight", "In SLO"), kind="percent", bar=True),
    ColumnSpec("ttft_p90_ns", "TTFT P90", unit="ms", kind="duration", decimals=1),
    ColumnSpec("tpot_p90_ns", "TPOT P90", unit="ms", kind="duration", decimals=2),
    ColumnSpec("tokens_per_s", QT_TRANSLATE_NOOP("insight", "Output"), unit="tok/s", kind="number", decimals=0),
    ColumnSpec("note", "", width=150),
)


class Scheduler(Part):
    """Charts over time share a range: choosing one limits the whole page to it."""

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.batch, self.tokens = chart(brush=True), chart(brush=True)
        self.queues, self.latency = chart(brush=True), chart()
        self.cost, self.rates = chart(), chart(brush=True)
        self.what_if = TablePanel(_WHAT_IF)
        self.advice = parts.label(level=2)
        self.advice.setWordWrap(True)
        inside = QWidget()
        grid(inside, [[self.batch, self.tokens], [self.queues, self.latency], [self.cost, self.rates], [self.what_if]])
        inside.setMinimumHeight(740)
        column = parts.rows(self)
        column.addWidget(parts.scrolling(inside), 1)
        words = parts.rows(margins=(10, 0, 10, 8))
        words.addWidget(self.advice)
        column.addLayout(words)
        self._ids: list[int | None] = []
        self._places: dict[str, Any] = {}
        for one in (self.batch, self.tokens, self.queues, self.rates):
            one.range_changed.connect(self._range)
        self.cost.point_clicked.connect(self._point)
        self.retranslate()

    def retranslate(self) -> None:
        if not hasattr(self, "size"):
            return
        self.batch.set_title(tr("Batch size"))
        self.tokens.set_title(tr("Scheduled tokens"))
        self.queues.set_title(tr("Queues"))
        self.latency.set_title(tr("Step latency"))
        self.cost.set_title(tr("Cost of a step"))
        self.rates.set_title(tr("Throughput over time"))
        self.what_if.set_title(tr("Max batch size: what if"), tr("replay of the arrivals with the fitted step"))

    def load(self, shown: Shown) -> None:
        window = shown.arguments()
        self.ask(scheduler.steps, self._steps, **window)
        self.ask(scheduler.concurrency, lambda t: self._levels("level", t), **window)
        self.ask(scheduler.queues, lambda t: self._levels("queues", t), **window)
        self.ask(scheduler.fit, self._fit, failed=lambda _e: self._fit(None), **window)
        self.ask(scheduler.throughput, self._rates, **window)
        self.ask(scheduler.advice, self._advise, card=shown.card)
        limits = {k: v for k, v in shown.limit_arguments().items() if k in ("ttft_ms", "tpot_ms", "e2e_ms")}
        self.ask(
            scheduler.what_if, self._replayed, card=shown.card, **limits,
            failed=lambda e: self.what_if.show_table(pa.Table.from_pylist([], _what_if_schema()), say(e.message)),
        )  # fmt: skip

    def _steps(self, table: pa.Table) -> None:
        self._places["steps"] = table
        start = self.seconds(pc.coalesce(table["schedule_start_ns"], table["execute_start_ns"]))
        if not table.num_rows:
            for one in (self.batch, self.tokens, self.latency, self.cost):
                one.set_empty(
                    tr("No steps"), tr("The run has no batchFrameworkProcessing, BatchSchedule or modelExec events.")
                )
            return
        self.batch.set_axes(time_axis(), Axis(tr("Requests"), from_zero=True, whole=True))
        prefill, decode = numbers(table["prefill_size"]), numbers(table["decode_size"])
        self.batch.set_series(
            [
                Series("total", tr("all"), start, numbers(table["batch_size"]), kind="step", decimals=0),
                Series("decode", tr("decode"), start, decode, kind="step", colour="decode", decimals=0),
                Series("prefill", tr("prefill"), start, prefill, kind="step", colour="queue", decimals=0),
            ]
        )  # fmt: skip
        self._tokens(table, start)
        self.latency.set_axes(time_axis(), Axis(tr("Step (ms)"), from_zero=True))
        self.latency.set_series(
            [
                Series("execute", tr("execution"), start, numbers(table["execute_ns"]) / 1e6, unit="ms", decimals=3),
                Series("schedule", tr("scheduling"), start, numbers(table["schedule_ns"]) / 1e6, unit="ms", decimals=3),
                Series("gap", tr("gap"), start, numbers(table["gap_ns"]) / 1e6, unit="ms", decimals=3, colour="bubble"),
            ]
        )  # fmt: skip
        self._draw_cost()

    def _tokens(self, table: pa.Table, start: Any) -> None:
        prefill, decode = numbers(table["prefill_tokens"]), numbers(table["decode_tokens"])
        if np.isnan(prefill).all():
            self.tokens.set_empty(
                tr("Tokens are not recorded"), tr("This collector does not write how many tokens a step computes.")
            )
            return
        self.tokens.set_axes(time_axis(), Axis(tr("Tokens"), from_zero=True))
        self.tokens.set_series(
            [
                Series("prefill", tr("prefill"), start, prefill, kind="step", colour="queue", decimals=0),
                Series("decode", tr("decode"), start, decode, kind="step", colour="decode", decimals=0),
            ]
        )  # fmt: skip

    def _levels(self, name: str, table: pa.Table) -> None:
        self._places[name] = table
        level, queues = self._places.get("level"), self._places.get("queues")
        if level is None or queues is None:
            return
        series = []
        if level.num_rows:
            series.append(
                Series(
                    "level",
                    tr("under way"),
                    self.seconds(level["ts_ns"]),
                    numbers(level["requests"]),
                    kind="step",
                    decimals=0,
                )
            )
        for queue in dict.fromkeys(queues["queue"].to_pylist()):
            mine = queues.filter(pc.equal(queues["queue"], queue))
            title = str(queue).lower() or tr("queue")
            series.append(
                Series(f"queue.{queue}", title, self.seconds(mine["ts_ns"]), numbers(mine["size"]), kind="step", decimals=0,
                       colour={"WAITING": "queue", "RUNNING": "decode", "SWAPPED": "stalled"}.get(str(queue), ""))
            )  # fmt: skip
        if not series:
            self.queues.set_empty(tr("No requests"), tr("Nothing tells when requests came and went."))
            return
        self.queues.set_axes(time_axis(), Axis(tr("Requests"), from_zero=True, whole=True))
        self.queues.set_series(series)

    def _rates(self, table: pa.Table) -> None:
        at = self.seconds(table["ts_ns"])
        self.rates.set_axes(time_axis(), Axis(tr("Tokens/s"), from_zero=True))
        self.rates.set_series(
            [
                Series("out", tr("output"), at, numbers(table["output_tokens_per_s"]), kind="step", colour="decode", decimals=0),
                Series("in", tr("prompts of arrivals"), at, numbers(table["input_tokens_per_s"]), kind="step", colour="queue", decimals=0),
            ]
        )  # fmt: skip

    def _fit(self, table: pa.Table | None) -> None:
        self._places["fit"] = None if table is None else table.to_pylist()[0]
        self._draw_cost()

    def _draw_cost(self) -> None:
        table, fit = self._places.get("steps"), self._places.get("fit")
        if table is None or not table.num_rows:
            return
        prefill, decode = numbers(table["prefill_tokens"]), numbers(table["decode_tokens"])
        by_tokens = not np.isnan(prefill).all()
        x = prefill + decode if by_tokens else numbers(table["batch_size"])
        y = numbers(table["execute_ns"]) / 1e6
        self._ids, series, at = [], [], 0
        kinds = np.array(table["type"].to_pylist(), object)
        self._places["cost"] = {}
        for kind in dict.fromkeys(kinds.tolist()):
            mine = np.flatnonzero((kinds == kind) & ~np.isnan(x) & ~np.isnan(y))
            self._places["cost"][kind] = [table["execute_id"][int(i)].as_py() for i in mine]
            series.append(
                Series(
                    kind,
                    tr(TYPE_TITLES[kind]),
                    x[mine],
                    y[mine],
                    kind="scatter",
                    unit="ms",
                    decimals=3,
                    colour=TYPE_COLOURS[kind],
                )
            )
            at += len(mine)
        self.cost.set_axes(
            Axis(tr("Scheduled tokens") if by_tokens else tr("Batch size")), Axis(tr("Execution (ms)"), from_zero=True)
        )
        if fit is not None and by_tokens:
            high = float(np.nanmax(prefill))
            typical = float(np.nanmean(numbers(table["decode_size"])))
            ends = np.array([0.0, max(high, 1.0)])
            line = (fit["base_ns"] + fit["per_prefill_token_ns"] * ends + fit["per_decode_ns"] * typical) / 1e6
            series.append(
                Series("fit", tr("fit"), ends + typical, line, colour="slo", unit="ms", decimals=3, dashed=True)
            )
            words = tr("{0} ms + {1} µs per prefill token + {2} ms per decoding request, R² {3}").format(
                number_text.number(fit["base_ns"] / 1e6, 2), number_text.number(fit["per_prefill_token_ns"] / 1e3, 1),
                number_text.number(fit["per_decode_ns"] / 1e6, 3), number_text.number(fit["r2"], 3),
            )  # fmt: skip
            self.cost.set_title(tr("Cost of a step"), words)
        else:
            self.cost.set_title(tr("Cost of a step"))
        self.cost.set_series(series)

    def _point(self, key: str, at: int) -> None:
        ids = self._places.get("cost", {}).get(key, [])
        if 0 <= at < len(ids) and ids[at] is not None:
            self.jump_to(ids[at])

    def _range(self, found: object) -> None:
        if isinstance(found, tuple):
            self.window_wanted.emit((self.stamp(found[0]), self.stamp(found[1])))

    def _advise(self, table: pa.Table) -> None:
        rows = table.to_pylist()
        self.advice.setText(" ".join(f"{say(r['finding'])} {say(r['detail'])}" for r in rows))
        self.advice.setVisible(bool(rows))

    def _replayed(self, table: pa.Table) -> None:
        rows = [{**r, "note": tr("largest seen") if r["current"] else ""} for r in table.to_pylist()]
        if rows:
            best = max(rows, key=lambda r: r["goodput_per_s"] or 0)
            best["note"] = (best["note"] + " · " if best["note"] else "") + tr("best goodput")
            words = tr("replay of {0} arrivals with the fitted step").format(number_text.count(rows[0]["requests"]))
            self.what_if.set_title(tr("Max batch size: what if"), words)
        self.what_if.show_table(pa.Table.from_pylist(rows, _what_if_schema()))


def _what_if_schema() -> pa.Schema:
    floats = ("goodput_per_s", "share", "ttft_p90_ns", "tpot_p90_ns", "tokens_per_s")
    return pa.schema([("max_batch_size", pa.int64()), *((n, pa.float64()) for n in floats), ("note", pa.string())])
