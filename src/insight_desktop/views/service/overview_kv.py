"""The KV cache: usage over time with preemptions, blocks taken and given back, hit rates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.service import kv
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ColumnSpec
from insight_desktop.views.common.chart import Axis, RefLine, Series
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.service.overview_part import Part, Shown, TablePanel, chart, grid, numbers, time_axis

_COLUMNS = (
    ColumnSpec("rid", QT_TRANSLATE_NOOP("insight", "Request"), kind="link", width=120),
    ColumnSpec("at", QT_TRANSLATE_NOOP("insight", "Preempted at"), unit="s", kind="duration"),
    ColumnSpec("stall_ns", QT_TRANSLATE_NOOP("insight", "Stall"), unit="ms", kind="duration"),
    ColumnSpec("recomputed", QT_TRANSLATE_NOOP("insight", "Recomputed tokens"), kind="count"),
    ColumnSpec("step", QT_TRANSLATE_NOOP("insight", "After step"), kind="id"),
)
_FULL = 90.0


class Cache(Part):
    """Usage and what it costs."""

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.usage, self.change = chart(brush=True), chart()
        self.waiting, self.hits = chart(), chart()
        self.preemptions = TablePanel(_COLUMNS)
        self.words = parts.label(level=2)
        self._usage: pa.Table | None = None
        self._stalls: pa.Table | None = None
        inside = QWidget()
        grid(inside, [[self.usage], [self.change, self.preemptions], [self.waiting, self.hits]])
        inside.setMinimumHeight(560)
        column = parts.rows(self)
        head = parts.rows(margins=(12, 8, 12, 0))
        head.addWidget(self.words)
        column.addLayout(head)
        column.addWidget(parts.scrolling(inside), 1)
        self.usage.range_changed.connect(self._range)
        self.usage.point_clicked.connect(self._marker)
        self.preemptions.activated.connect(lambda at: self.request_wanted.emit(self.preemptions.row(at)["rid"]))
        self.retranslate()

    def retranslate(self) -> None:
        if not hasattr(self, "usage"):
            return
        self.usage.set_title(tr("Usage of the KV cache"))
        self.change.set_title(tr("Blocks taken and given back"))
        self.waiting.set_title(tr("Usage against the waiting queue"))
        self.hits.set_title(tr("Cached share of prompts"))
        self.preemptions.set_title(tr("Preemptions"))

    def load(self, shown: Shown) -> None:
        window = shown.arguments()
        self.ask(kv.usage, self._arrived, **window)
        self.ask(kv.preemptions, self._preempted, **window)
        self.ask(kv.summary, self._summed, **window)
        self.ask(kv.against_waiting, self._against, card=shown.card)
        self.ask(kv.hit_rates, self._hits, card=shown.card, failed=self.empties(self.hits))

    def _arrived(self, table: pa.Table) -> None:
        self._usage = table
        if not table.num_rows:
            for one in (self.usage, self.change, self.waiting):
                one.set_empty(
                    tr("The cache is not recorded"),
                    tr("The run has neither a table kvcache nor a counter of free blocks."),
                )
            return
        self._draw()
        self.change.set_axes(time_axis(), Axis(tr("Blocks"), from_zero=True, whole=True))
        at, change = self.seconds(table["ts_ns"]), numbers(table["change"])
        self.change.set_series(
            [
                Series("taken", tr("taken"), at, np.maximum(change, 0), kind="step", colour="queue", decimals=0),
                Series("given", tr("given back"), at, np.minimum(change, 0), kind="step", colour="decode", decimals=0),
            ]
        )  # fmt: skip

    def _draw(self) -> None:
        table = self._usage
        if table is None or not table.num_rows:
            return
        series = []
        for key in dict.fromkeys(zip(table["pid"].to_pylist(), table["dp"].to_pylist(), strict=True)):
            pid, dp = key
            mine = table.filter(
                pc.and_(pc.equal(table["pid"], pid), pc.equal(pc.fill_null(table["dp"], -1), -1 if dp is None else dp))
            )
            name = f"dp{dp}" if dp is not None else tr("process {0}").format(pid)
            series.append(
                Series(
                    f"{pid}.{dp}",
                    name,
                    self.seconds(mine["ts_ns"]),
                    numbers(mine["rate"]) * 100,
                    kind="step",
                    unit="%",
                    decimals=1,
                )
            )
        if self._stalls is not None and self._stalls.num_rows:
            at = self.seconds(self._stalls["start_ns"])
            rids = self._stalls["rid"].to_pylist()
            series.append(
                Series(
                    "preempted",
                    tr("preemptions"),
                    at,
                    np.full(len(at), 100.0),
                    kind="scatter",
                    colour="stalled",
                    labels=rids,
                )
            )
        self.usage.set_axes(time_axis(), Axis(tr("Used (%)"), from_zero=True))
        self.usage.set_series(series)
        self.usage.set_lines([RefLine(_FULL, "90 %", colour="queue")])

    def _preempted(self, table: pa.Table) -> None:
        self._stalls = table
        zero = self.shown.zero_ns if self.shown is not None else 0
        self.preemptions.set_title(
            tr("Preemptions"), tr("{0} · double click: the request").format(number_text.count(table.num_rows))
        )
        self.preemptions.show_table(
            table.append_column("at", pc.subtract(table["start_ns"], zero)), tr("No request was preempted.")
        )
        self._draw()

    def _summed(self, table: pa.Table) -> None:
        row = table.to_pylist()[0]
        texts = []
        if row["peak"] is not None:
            texts.append(tr("Peak {0}, mean {1} over time, {2} of the time at 90 % and more.").format(
                number_text.percent(row["peak"]), number_text.percent(row["mean"]), number_text.percent(row["above_90"])))  # fmt: skip
            texts.append(tr("Capacity {0} blocks.").format(number_text.number(row["total_blocks"], 0)))
        if row["estimated"]:
            texts.append(tr("The capacity is estimated: the highest number of free blocks seen."))
        if row["preemptions"]:
            texts.append(tr("{0} preemptions of {1} requests cost {2} and {3} tokens again.").format(
                number_text.count(row["preemptions"]), number_text.count(row["preempted"]), number_text.duration(row["stall_ns"]),
                number_text.count(row["recomputed_tokens"])))  # fmt: skip
        self.words.setText(" ".join(texts))
        self.words.setVisible(bool(texts))

    def _against(self, table: pa.Table) -> None:
        if not table.num_rows:
            self.waiting.set_empty(tr("No sizes of queues"), tr("The run does not record them."))
            return
        self.waiting.set_axes(Axis(tr("Used (%)")), Axis(tr("Waiting requests"), from_zero=True, whole=True))
        self.waiting.set_series(
            [
                Series(
                    "samples",
                    tr("samples"),
                    numbers(table["rate"]) * 100,
                    numbers(table["waiting"]),
                    kind="scatter",
                    decimals=0,
                )
            ]
        )

    def _hits(self, table: pa.Table) -> None:
        self.hits.set_axes(Axis(tr("Cached share (%)")), Axis(tr("Requests"), from_zero=True, whole=True))
        low, high = numbers(table["from"]) * 100, numbers(table["to"]) * 100
        self.hits.set_series(
            [Series("hits", tr("requests"), low, numbers(table["count"]), kind="bars", x_end=high, decimals=0)]
        )

    def _marker(self, key: str, at: int) -> None:
        if key == "preempted" and self._stalls is not None and 0 <= at < self._stalls.num_rows:
            self.request_wanted.emit(self._stalls["rid"][at].as_py())

    def _range(self, found: object) -> None:
        if isinstance(found, tuple):
            self.window_wanted.emit((self.stamp(found[0]), self.stamp(found[1])))
