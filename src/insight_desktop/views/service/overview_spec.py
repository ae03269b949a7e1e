"""Speculative decoding: how many drafted tokens were accepted, by position, request and time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.service import spec
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ColumnSpec
from insight_desktop.views.common.chart import Axis, Series
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.service.overview_part import Part, Shown, TablePanel, chart, grid, numbers, time_axis

_COLUMNS = (
    ColumnSpec("rid", QT_TRANSLATE_NOOP("insight", "Request"), kind="link", width=120),
    ColumnSpec("steps", QT_TRANSLATE_NOOP("insight", "Steps"), kind="count"),
    ColumnSpec("drafted", QT_TRANSLATE_NOOP("insight", "Drafted"), kind="count"),
    ColumnSpec("accepted", QT_TRANSLATE_NOOP("insight", "Accepted"), kind="count"),
    ColumnSpec("ratio", QT_TRANSLATE_NOOP("insight", "Accepted share"), kind="percent", bar=True),
    ColumnSpec("mean_accepted_length", QT_TRANSLATE_NOOP("insight", "Tokens per step"), kind="number", decimals=2),
)


class Speculation(Part):
    """Shares of accepted drafts."""

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.positions, self.time = chart(), chart()
        self.requests = TablePanel(_COLUMNS)
        self.words = parts.label(level=2)
        inside = QWidget()
        grid(inside, [[self.positions, self.requests], [self.time]])
        column = parts.rows(self)
        head = parts.rows(margins=(12, 8, 12, 0))
        head.addWidget(self.words)
        column.addLayout(head)
        column.addWidget(inside, 1)
        self.requests.activated.connect(lambda at: self.request_wanted.emit(self.requests.row(at)["rid"]))
        self.retranslate()

    def retranslate(self) -> None:
        if not hasattr(self, "positions"):
            return
        self.positions.set_title(tr("Accepted drafts by position"))
        self.time.set_title(tr("Accepted drafts over time"))
        self.requests.set_title(tr("Accepted drafts by request"))

    def load(self, shown: Shown) -> None:
        failed = self.empties(self.positions, self.time)
        self.ask(spec.summary, self._summed, card=shown.card, failed=failed)
        self.ask(spec.positions, self._by_position, card=shown.card, failed=failed)
        self.ask(spec.over_time, self._over_time, card=shown.card, failed=failed)
        self.ask(spec.by_request, self.requests.show_table, card=shown.card, failed=failed)

    def _summed(self, table: pa.Table) -> None:
        row = table.to_pylist()[0]
        self.words.setText(tr("{0} of {1} drafted tokens were accepted; a step gives {2} tokens.").format(
            number_text.percent(row["ratio"]), number_text.count(row["drafted"]), number_text.number(row["mean_accepted_length"], 2)))  # fmt: skip

    def _by_position(self, table: pa.Table) -> None:
        self.positions.set_axes(Axis(tr("Position in the draft")), Axis(tr("Accepted (%)"), from_zero=True))
        x = numbers(table["position"])
        self.positions.set_series(
            [
                Series(
                    "ratio",
                    tr("accepted"),
                    x - 0.4,
                    numbers(table["ratio"]) * 100,
                    kind="bars",
                    x_end=x + 0.4,
                    unit="%",
                    decimals=2,
                )
            ]
        )

    def _over_time(self, table: pa.Table) -> None:
        self.time.set_axes(time_axis(), Axis(tr("Accepted (%)"), from_zero=True))
        at = self.seconds(table["execute_start_ns"])
        keep = ~np.isnan(at)
        self.time.set_series(
            [Series("ratio", tr("accepted"), at[keep], numbers(table["ratio"])[keep] * 100, unit="%", decimals=1)]
        )
