"""Forward passes of the cards: bubbles, durations, differences between data parallel ranks."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.service import forward
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ColumnSpec
from insight_desktop.views.common.chart import Axis, Series
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.service.overview_part import Part, Shown, TablePanel, chart, grid, numbers, time_axis

_COLUMNS = (
    ColumnSpec("pid", QT_TRANSLATE_NOOP("insight", "Process"), width=90),
    ColumnSpec("host", QT_TRANSLATE_NOOP("insight", "Host"), width=110),
    ColumnSpec("dp", "DP", kind="id"),
    ColumnSpec("passes", QT_TRANSLATE_NOOP("insight", "Passes"), kind="count"),
    ColumnSpec("forward_ns", QT_TRANSLATE_NOOP("insight", "Forward"), unit="ms", kind="duration"),
    ColumnSpec("mean_ns", QT_TRANSLATE_NOOP("insight", "Mean"), unit="ms", kind="duration"),
    ColumnSpec("bubble_ns", QT_TRANSLATE_NOOP("insight", "Bubbles"), unit="ms", kind="duration"),
    ColumnSpec("max_bubble_ns", QT_TRANSLATE_NOOP("insight", "Longest bubble"), unit="ms", kind="duration"),
    ColumnSpec("bubble_share", QT_TRANSLATE_NOOP("insight", "Bubble share"), kind="percent", bar=True),
    ColumnSpec("overlaps", QT_TRANSLATE_NOOP("insight", "Overlaps"), kind="count"),
)


class Forwards(Part):
    """Per card: how long forward passes take and how long the card waits between them."""

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.duration, self.bubble, self.iteration = chart(brush=True), chart(brush=True), chart()
        self.cards = TablePanel(_COLUMNS)
        self.words = parts.label(level=2)
        self._first: dict[str, tuple[int, int]] = {}
        self._ids: dict[str, list[int]] = {}
        inside = QWidget()
        grid(inside, [[self.cards], [self.duration, self.bubble], [self.iteration]])
        inside.setMinimumHeight(560)
        column = parts.rows(self)
        head = parts.rows(margins=(12, 8, 12, 0))
        head.addWidget(self.words)
        column.addLayout(head)
        column.addWidget(parts.scrolling(inside), 1)
        self.cards.activated.connect(self._card)
        for one in (self.duration, self.bubble):
            one.range_changed.connect(self._range)
            one.point_clicked.connect(self._point)
        self.retranslate()

    def retranslate(self) -> None:
        if not hasattr(self, "duration"):
            return
        self.duration.set_title(tr("Forward passes"))
        self.bubble.set_title(tr("Bubbles"), tr("from the end of a pass to the next of the card"))
        self.iteration.set_title(tr("Forward passes by iteration"))
        self.cards.set_title(tr("Cards"), tr("double click: show in Timeline"))

    def load(self, shown: Shown) -> None:
        window = shown.arguments()
        self.ask(forward.passes, self._passes, **window)
        self.ask(forward.bubbles, lambda t: self.cards.show_table(t, tr("No forward passes are recorded.")), **window)
        self.ask(forward.imbalance, self._uneven, **window)

    def _passes(self, table: pa.Table) -> None:
        if not table.num_rows:
            for one in (self.duration, self.bubble, self.iteration):
                one.set_empty(
                    tr("No forward passes are recorded"),
                    tr("SGLang writes none; other runs need the probe of the model."),
                )
            return
        durations, bubbles, by_iteration = [], [], []
        self._first, self._ids = {}, {}
        for pid in dict.fromkeys(table["pid"].to_pylist()):
            mine = table.filter(pc.equal(table["pid"], pid))
            dp = mine["dp"][0].as_py()
            name = f"{pid} · dp{dp}" if dp is not None else str(pid)
            at = self.seconds(mine["start_ns"])
            length = numbers(mine["duration_ns"]) / 1e6
            durations.append(Series(pid, name, at, length, unit="ms", decimals=3))
            bubbles.append(Series(pid, name, at, numbers(mine["bubble_ns"]) / 1e6, unit="ms", decimals=3))
            by_iteration.append(Series(pid, name, numbers(mine["iteration"]), length, unit="ms", decimals=3))
            self._first[pid] = mine["start_ns"][0].as_py(), mine["end_ns"][0].as_py()
            self._ids[pid] = mine["slice_id"].to_pylist()
        for one, series, title in (
            (self.duration, durations, tr("Duration (ms)")),
            (self.bubble, bubbles, tr("Bubble (ms)")),
        ):
            one.set_axes(time_axis(), Axis(title, from_zero=True))
            one.set_series(series)
        self.iteration.set_axes(Axis(tr("Iteration")), Axis(tr("Duration (ms)"), from_zero=True))
        self.iteration.set_series(by_iteration)

    def _uneven(self, table: pa.Table) -> None:
        row = table.to_pylist()[0]
        text = ""
        if row["steps"]:
            text = tr("Of {0} steps on several cards the slowest took {1} times the mean ({2} at P99); process {3} was it {4} times.").format(
                number_text.count(row["steps"]), number_text.number(row["mean"], 3), number_text.number(row["p99"], 3), row["slowest"],
                number_text.count(row["slowest_steps"]))  # fmt: skip
        self.words.setText(text)
        self.words.setVisible(bool(text))

    def _card(self, at: int) -> None:
        found = self._first.get(self.cards.row(at)["pid"])
        if found is not None:
            self.jump_to(None, *found)

    def _point(self, key: str, at: int) -> None:
        ids = self._ids.get(key, [])
        if 0 <= at < len(ids):
            self.jump_to(ids[at])

    def _range(self, found: object) -> None:
        if isinstance(found, tuple):
            self.window_wanted.emit((self.stamp(found[0]), self.stamp(found[1])))
