"""The Pipeline Parallelism Chart: which pipeline is shown, its lanes, and the way into the Timeline."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from insight_desktop.engine.system import summary as queries
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.card_selector import SearchBox
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.chart_legend import Entry, Legend
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system.summary_lanes import Lanes, PipelineArea
from insight_desktop.views.system.summary_words import group_text

MOST_RANKS = 64  # lanes that are asked for at once without a pipeline


class PipelinePanel(ChartBox):
    """Lanes of one pipeline.

    Signals: jump with a Jump to a pass in the Timeline.
    """

    jump = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        self.area = PipelineArea()
        self.found: pa.Table | None = None
        super().__init__(parent=parent)
        self.title_label.hide()  # the tab says it; exported pictures carry it
        self._asker = Asker(context, self)
        self.group_label, self.group_box = parts.label(level=2), SearchBox()
        self.group_label.setBuddy(self.group_box)
        self.group_box.setMinimumWidth(130)
        self.legend = Legend()
        self.step: str | None = None
        self.job: str | None = None
        at = self.head_row.indexOf(self.note)
        for i, widget in enumerate((self.legend, self.group_label, self.group_box)):
            self.head_row.insertWidget(at + i, widget)
        self.fit_button = self.add_button("corners-out", self.area.restore)
        scrolling = QScrollArea()
        scrolling.setWidget(self.area)
        scrolling.setWidgetResizable(True)
        scrolling.setFrameShape(QFrame.Shape.NoFrame)
        parts.rows(self.content, margins=(2, 2, 2, 2)).addWidget(scrolling)
        self.group_box.activated.connect(lambda _at: self.ask())
        self.area.bar_activated.connect(self._activated)
        self.retranslate()
        self.set_groups([])

    def retranslate(self) -> None:
        """Texts in the current language."""
        super().retranslate()
        if hasattr(self, "group_label"):
            self.group_label.setText(tr("Rank Group"))
            self.group_box.setAccessibleName(tr("Rank Group"))
            parts.set_tip(self.fit_button, tr("Show everything"))
            self.set_title(tr("Pipeline Parallelism Chart"))
            if self.found is None:
                self._say_nothing()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.area.update()

    def _say_nothing(self) -> None:
        self.set_empty(
            tr("No pipeline is chosen"), tr("Choose a group of ranks here, or click a PP line in the parallel layout.")
        )

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def set_groups(self, groups: Sequence[tuple[int, ...]]) -> None:
        """Pipelines that can be chosen."""
        current = str(self.group_box.currentData() or "")
        entries = [("–", ""), *((group_text(g), group_text(g)) for g in sorted(set(groups)))]
        self.group_box.fill(entries, current)

    def show_group(self, members: tuple[int, ...], step: str | None, job: str | None) -> None:
        """The lanes of these ranks."""
        text = group_text(members)
        if self.group_box.findData(text) < 0:
            self.group_box.addItem(text, text)
        self.group_box.setCurrentIndex(self.group_box.findData(text))
        self.show_step(step, job)

    def show_step(self, step: str | None, job: str | None) -> None:
        """Another step or job of the chosen pipeline."""
        self.step, self.job = step, job
        self.ask()

    def ask(self) -> None:
        """Ask for the chosen pipeline."""
        ranks = str(self.group_box.currentData() or "")
        if not ranks:
            self._asker.forget(queries.pipeline)
            self.found = None
            self._say_nothing()
            return
        self._asker.ask(
            queries.pipeline, then=self._show, failed=self._failed, ranks=ranks, step=self.step, cluster=self.job
        )

    def _failed(self, error: InsightError) -> None:
        self.found = None
        self.legend.show_entries([])
        self.set_empty(say(error.message), say(error.fix))

    def _show(self, found: pa.Table) -> None:
        self.found = found
        lanes = Lanes.of(found)
        self.area.show_lanes(lanes)
        self.legend.show_entries(self.entries())
        self.set_title(
            tr("Pipeline Parallelism Chart"),
            tr("{0} ranks, {1} bars").format(number_text.count(len(lanes.ranks)), number_text.count(len(lanes.names))),
        )
        self.set_empty(None)

    def _activated(self, bar: int) -> None:
        lanes = self.area.lanes
        start = lanes.base_ns + int(lanes.start[bar])
        self.jump.emit(Jump(lanes.cards[int(lanes.row[bar])], start_ns=start, end_ns=start + int(lanes.length[bar])))

    # ---- export ------------------------------------------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        lanes = self.area.lanes
        return [Entry(kind, kind, lanes.colour(i)) for i, kind in enumerate(lanes.kinds)]

    @property
    def picture_size(self) -> QSize:
        return self.area.size()

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        del width, height
        self.area.paint(painter)

    def numbers(self) -> tuple[pa.Table, list[ColumnSpec]]:
        found = self.found if self.found is not None else pa.table({"rank": pa.array([], pa.int32())})
        names = [n for n in ("rank", "lane", "name", "kind", "start_ns", "duration_ns") if n in found.column_names]
        texts = ("lane", "name", "kind")
        return found.select(names), [ColumnSpec(n, n, kind="text" if n in texts else "id") for n in names]
