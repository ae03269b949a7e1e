"""Rank × step: how far every rank is from the others in every step, for thousands of ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QButtonGroup, QComboBox, QMenu, QWidget

from insight_desktop.errors import InsightError
from insight_desktop.views.common import heat_colours, number_text, parts
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.heat_data import Cells
from insight_desktop.views.common.heat_map import HeatMap
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.system import summary_step_data as data

METRICS = {
    "computing_us": QT_TRANSLATE_NOOP("insight", "Computing"),
    "communication_us": QT_TRANSLATE_NOOP("insight", "Communication"),
    "free_us": QT_TRANSLATE_NOOP("insight", "Free"),
    "e2e_us": QT_TRANSLATE_NOOP("insight", "Step time"),
}
MORE = {
    "communication_not_overlapped_us": QT_TRANSLATE_NOOP("insight", "Communication(Not Overlapped)"),
    "preparing_us": QT_TRANSLATE_NOOP("insight", "Preparing"),
    "late_us": QT_TRANSLATE_NOOP("insight", "Late at collective operators"),
    "waited_us": QT_TRANSLATE_NOOP("insight", "Waited for others"),
    "caused_us": QT_TRANSLATE_NOOP("insight", "Made others wait"),
    "skew_us": QT_TRANSLATE_NOOP("insight", "Clock ahead of the others"),
}
_ABSOLUTE = ("late_us", "waited_us", "caused_us", "skew_us")  # their medians are often 0: told in µs, not in percent
_MOST_LINES = 40  # more of them would cover the cells
_SIGMAS = 8.0  # standard deviations from the median to the end of the colours
_LEAST_PERCENT, _LEAST_US = 2.0, 1.0  # ends of the colours are never closer than this


class StepHeat(QWidget):
    """The heat map with its choice of figure.

    Signals:
        rank_clicked: rank whose row was clicked.
        cell_activated: rank and step that were double-clicked.
        step_clicked: step whose column was clicked.
    """

    rank_clicked = Signal(int)
    cell_activated = Signal(int, str)
    step_clicked = Signal(str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asker = Asker(context, self)
        self.job: str | None = None
        self.found: data.StepMatrix | None = None
        self.places: list[str] = []  # of each rank in the parallel dimensions
        self.block = 0  # ranks that stand together in the innermost dimensions
        self.metric_name = "computing_us"
        self.map = HeatMap()
        self.group = QButtonGroup(self)
        self.buttons: dict[str, parts.Segment] = {}
        segments = QWidget()
        row = parts.columns(segments, gap=0)
        for name in METRICS:
            button = parts.Segment()
            button.clicked.connect(lambda _on=False, name=name: self.choose(name))
            self.group.addButton(button)
            self.buttons[name] = button
            row.addWidget(button)
        parts.join(self.buttons.values())
        self.more_box = Select()
        self.more_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContentsOnFirstShow)
        self.more_box.setMaximumWidth(150)
        self.more_box.activated.connect(lambda _at: self.choose(str(self.more_box.currentData() or "computing_us")))
        self.map.title_label.hide()  # the tab says it; exported pictures carry it
        self.map.head_row.insertWidget(1, segments)
        self.map.head_row.insertWidget(2, self.more_box)
        parts.rows(self).addWidget(self.map)
        self.map.cell_clicked.connect(lambda r, _c: self._row(r, self.rank_clicked))
        self.map.row_clicked.connect(lambda r: self._row(r, self.rank_clicked))
        self.map.cell_activated.connect(self._activated)
        self.map.column_clicked.connect(self._column)
        self.map.menu_wanted.connect(lambda r, c, at: self.menu(r, c).exec(at))
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        for name, text in METRICS.items():
            self.buttons[name].setText(tr(text))
            self.buttons[name].setChecked(name == self.metric_name)
        with QSignalBlocker(self.more_box):
            self.more_box.clear()
            self.more_box.addItem(tr("More figures"), "")
            for name, text in MORE.items():
                self.more_box.addItem(tr(text), name)
            self.more_box.setCurrentIndex(max(0, self.more_box.findData(self.metric_name)))
        self.more_box.setAccessibleName(tr("More figures"))
        self.map.set_title(tr("Rank × step"), tr("against the median of each step"))
        if self.found is not None:
            self._show()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def set_places(self, places: list[str], block: int) -> None:
        """Where the ranks stand in the parallel dimensions, and how many stand together in the innermost ones."""
        if (places, block) != (self.places, self.block):
            self.places, self.block = places, block
            self._show()

    def _row_lines(self) -> list[int]:
        """Rows before which another group of ranks begins."""
        ranks = self.found.ranks if self.found is not None else []
        if self.block < 2:
            return []
        found = [row for row in range(1, len(ranks)) if ranks[row] // self.block != ranks[row - 1] // self.block]
        return found if len(found) <= _MOST_LINES else []

    def choose(self, name: str) -> None:
        """Another figure."""
        self.metric_name = name
        self.group.setExclusive(False)
        for key, button in self.buttons.items():
            button.setChecked(key == name)
        self.group.setExclusive(name in self.buttons)
        with QSignalBlocker(self.more_box):
            self.more_box.setCurrentIndex(max(0, self.more_box.findData(name)))
        self.ask()

    def show_job(self, job: str | None) -> None:
        """Another job."""
        self.job, self.found = job, None
        self.ask()

    def ask(self) -> None:
        """Ask for the figure in force."""
        self._asker.ask(data.matrix, then=self._take, failed=self._failed, cluster=self.job, metric=self.metric_name)

    def _failed(self, error: InsightError) -> None:
        self.found = None
        self.map.set_empty(say(error.message), say(error.fix))

    def _take(self, found: data.StepMatrix) -> None:
        self.found = found
        self._show()

    def _show(self) -> None:
        found = self.found
        if found is None:
            return
        if not found.ranks or not found.steps:
            self.map.set_empty(tr("No rank has step times"), tr("Collect with a schedule to get steps."))
            return
        is_absolute = found.metric in _ABSOLUTE
        shown = found.deviation if is_absolute else found.percent
        known = np.abs(shown[np.isfinite(shown)])
        # Ordinary noise must sink into the ground, and a few extreme cells must not make everything else look alike.
        least = _LEAST_US if is_absolute else _LEAST_PERCENT
        noise = _SIGMAS * 1.4826 * float(np.median(known)) if known.size else 0.0
        largest = float(known.max()) if known.size else 0.0
        end = max(least, min(largest, noise) if noise > 0 else largest)
        cells = Cells(
            shown, [str(r) for r in found.ranks], found.steps, self.title_of(found.metric), "µs" if is_absolute else "%", 1,
            True, tr("Rank ID"), tr("Step||training"), tip=self.tip, clamp=True, strong="far", most_labels=0,
            row_lines=self._row_lines(),
        )  # fmt: skip
        keep = self.map.cells.values.shape == shown.shape
        self.map.set_cells(cells, colours=heat_colours.diverging, ends=(-end, end), keep_window=keep)

    def tip(self, row: int, column: int) -> list[ReadoutLine]:
        """The readout of a rank in a step."""
        found = self.found
        assert found is not None
        value, median = float(found.values[row, column]), float(found.medians[column])
        percent = float(found.percent[row, column])
        difference = f"{number_text.signed(float(found.deviation[row, column]) / 1000, 3)} ms"
        if not np.isnan(percent) and found.metric not in _ABSOLUTE:
            difference = f"{difference} ({number_text.signed(percent, 1)} %)"
        head = " · ".join((tr("Rank {0}").format(found.ranks[row]), tr("Step {0}").format(found.steps[column])))
        rank = found.ranks[row]
        place = self.places[rank].replace("-", " · ") if rank < len(self.places) else ""
        if np.isnan(value):
            return [ReadoutLine(None, head, place), ReadoutLine(None, tr("no step times"), "–")]
        return [
            ReadoutLine(None, head, place),
            ReadoutLine(None, self.title_of(found.metric), f"{number_text.number(value / 1000, 3)} ms"),
            ReadoutLine(
                None, tr("Median of {0} ranks").format(number_text.count(len(found.ranks))),
                f"{number_text.number(median / 1000, 3)} ms",
            ),
            ReadoutLine(self.map.area.colour_of(row, column), tr("Difference"), difference),
        ]  # fmt: skip

    def menu(self, row: int, column: int) -> QMenu:
        """What can be done with a rank in a step."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        words = "".join(f"{x.name}\t{x.value}\n" for x in self.tip(row, column))
        for text, do in (
            (tr("Show in Timeline"), lambda: self._activated(row, column)),
            (tr("Show only this step"), lambda: self._column(column)),
            (tr("Copy"), lambda: QGuiApplication.clipboard().setText(words)),
        ):
            action = menu.addAction(text)
            action.triggered.connect(lambda _checked=False, do=do: do())
        return menu

    @staticmethod
    def title_of(metric: str) -> str:
        """Words for a figure."""
        return tr({**METRICS, **MORE}[metric])

    def select_rank(self, rank: int) -> None:
        """Frame the row of a rank; says nothing."""
        if self.found is not None and rank in self.found.ranks:
            self.map.select(self.found.ranks.index(rank))

    def _row(self, row: int, signal: Any) -> None:
        if self.found is not None and 0 <= row < len(self.found.ranks):
            signal.emit(self.found.ranks[row])

    def _activated(self, row: int, column: int) -> None:
        if self.found is not None:
            self.cell_activated.emit(self.found.ranks[row], self.found.steps[column])

    def _column(self, column: int) -> None:
        if self.found is not None and 0 <= column < len(self.found.steps):
            self.step_clicked.emit(self.found.steps[column])
