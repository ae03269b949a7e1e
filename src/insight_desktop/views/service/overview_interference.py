"""Interference: tokens that came late because their batch also did prefill."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.service import interference
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ColumnSpec
from insight_desktop.views.common.chart import Axis, RefLine, Series
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.service.overview_part import Part, Shown, TablePanel, chart, grid, numbers, time_axis

_COLUMNS = (
    ColumnSpec("step", QT_TRANSLATE_NOOP("insight", "Step"), kind="id"),
    ColumnSpec("at", QT_TRANSLATE_NOOP("insight", "Start"), unit="s", kind="duration"),
    ColumnSpec("execute_ns", QT_TRANSLATE_NOOP("insight", "Execution"), unit="ms", kind="duration"),
    ColumnSpec("batch_size", QT_TRANSLATE_NOOP("insight", "Batch"), kind="count"),
    ColumnSpec("prefill_tokens", QT_TRANSLATE_NOOP("insight", "Prefill tokens"), kind="count"),
    ColumnSpec("delayed", QT_TRANSLATE_NOOP("insight", "Delayed requests"), kind="count"),
    ColumnSpec("excess_ns", QT_TRANSLATE_NOOP("insight", "Excess"), unit="ms", kind="duration"),
    ColumnSpec("type", QT_TRANSLATE_NOOP("insight", "Type"), width=80),
)


class Interference(Part):
    """Distributions of both kinds of tokens, over time, and the steps that cost most."""

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.kinds, self.time = chart(), chart(brush=True)
        self.worst = TablePanel(_COLUMNS)
        self.words = parts.label(level=2)
        self.words.setWordWrap(True)
        self._rids: dict[str, list[str]] = {}
        inside = QWidget()
        grid(inside, [[self.kinds, self.worst], [self.time]])
        inside.setMinimumHeight(380)
        column = parts.rows(self)
        head = parts.rows(margins=(12, 8, 12, 0))
        head.addWidget(self.words)
        column.addLayout(head)
        column.addWidget(parts.scrolling(inside), 1)
        self.worst.activated.connect(self._step)
        self.time.range_changed.connect(self._range)
        self.time.point_clicked.connect(self._point)
        self.retranslate()

    def retranslate(self) -> None:
        if not hasattr(self, "kinds"):
            return
        self.kinds.set_title(tr("Time between tokens"), tr("with and without prefill in the batch"))
        self.time.set_title(tr("Time between tokens over time"))
        self.worst.set_title(tr("Steps that delay others most"), tr("double click: show in Timeline"))

    def load(self, shown: Shown) -> None:
        window = shown.arguments()
        self.ask(interference.summary, self._summed, **window)
        self.ask(interference.distributions, self._distributions, **window)
        self.ask(interference.samples, self._samples, **window)
        self.ask(interference.worst_steps, self._worst, **window)

    def _summed(self, table: pa.Table) -> None:
        row = table.to_pylist()[0]
        if row["ratio"] is None:
            text = tr("There are no tokens of both kinds: {0} with prefill beside them, {1} without, {2} unknown.").format(
                number_text.count(row["mixed"]), number_text.count(row["pure"]), number_text.count(row["unknown"]))  # fmt: skip
        else:
            text = tr("Tokens from batches with prefill take {0} times as long ({1} against {2} in the median). {3} of all tokens; {4} in all.").format(
                number_text.number(row["ratio"], 2), number_text.duration(row["mixed_p50_ns"]), number_text.duration(row["pure_p50_ns"]),
                number_text.percent(row["share"]), number_text.duration(row["excess_ns"]))  # fmt: skip
            self.kinds.set_lines([
                RefLine(row["pure_p50_ns"] / 1e6, tr("pure P50"), axis="x", colour="decode"),
                RefLine(row["mixed_p50_ns"] / 1e6, tr("mixed P50"), axis="x", colour="queue"),
            ])  # fmt: skip
        self.words.setText(text)

    def _distributions(self, table: pa.Table) -> None:
        if not table.num_rows:
            self.kinds.set_empty(
                tr("No gaps between tokens"), tr("No ended request has two tokens whose steps are known.")
            )
            return
        low, high = numbers(table["from_ns"]) / 1e6, numbers(table["to_ns"]) / 1e6
        middle = (low + high) / 2
        self.kinds.set_axes(Axis("ITL (ms)", name="ITL"), Axis(tr("Tokens (%)"), from_zero=True))
        series = []
        for key, name, colour in (("pure", tr("pure decode"), "decode"), ("mixed", tr("with prefill"), "queue")):
            count = numbers(table[key])
            share = count / max(1.0, count.sum()) * 100
            series.append(Series(key, name, middle, share, kind="line", colour=colour, unit="%", decimals=2))
        self.kinds.set_series(series)

    def _samples(self, table: pa.Table) -> None:
        if not table.num_rows:
            self.time.set_empty(tr("No gaps between tokens"), tr("No ended request has two tokens."))
            return
        mixed = np.array([m is True for m in table["mixed"].to_pylist()], bool)
        at, length = self.seconds(table["ts_ns"]), numbers(table["itl_ns"]) / 1e6
        rids = np.array(table["rid"].to_pylist(), object)
        series = []
        self._rids = {}
        for key, name, mask, colour in (
            ("pure", tr("pure decode"), ~mixed, "decode"),
            ("mixed", tr("with prefill"), mixed, "queue"),
        ):
            self._rids[key] = rids[mask].tolist()
            series.append(
                Series(
                    key,
                    name,
                    at[mask],
                    length[mask],
                    kind="scatter",
                    unit="ms",
                    decimals=3,
                    colour=colour,
                    labels=self._rids[key],
                )
            )
        self.time.set_axes(time_axis(), Axis("ITL (ms)", from_zero=True))
        self.time.set_series(series)

    def _worst(self, table: pa.Table) -> None:
        zero = self.shown.zero_ns if self.shown is not None else 0
        self.worst.show_table(
            table.append_column("at", pc.subtract(table["execute_start_ns"], zero)),
            tr("No step delayed tokens of others."),
        )

    def _step(self, at: int) -> None:
        self.jump_to(self.worst.row(at)["execute_id"])

    def _point(self, key: str, at: int) -> None:
        found = self._rids.get(key, [])
        if 0 <= at < len(found):
            self.request_wanted.emit(found[at])

    def _range(self, found: object) -> None:
        if isinstance(found, tuple):
            self.window_wanted.emit((self.stamp(found[0]), self.stamp(found[1])))
