"""The lower part of the Summary page: overview of all ranks, pipelines, and details of the active rank."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from insight_desktop.views.common import parts
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.system import summary_load
from insight_desktop.views.system.summary_details import RankDetail
from insight_desktop.views.system.summary_overview import Overview
from insight_desktop.views.system.summary_pipeline import PipelinePanel

TABS = {
    "overview": QT_TRANSLATE_NOOP("insight", "Computation/Communication Overview"),
    "pipeline": QT_TRANSLATE_NOOP("insight", "Pipeline Parallelism Chart"),
    "computing": QT_TRANSLATE_NOOP("insight", "Computing Detail"),
    "communication": QT_TRANSLATE_NOOP("insight", "Communication Detail"),
}


class LowerTabs(QWidget):
    """Four views; the buttons at the right lead to other pages of the active rank.

    Signals:
        tab_changed: another view is shown.
        timeline_wanted, communication_wanted: the buttons.
        jump: a Jump into the Timeline.
    """

    tab_changed = Signal()
    timeline_wanted = Signal()
    communication_wanted = Signal()
    jump = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.rank = -1
        self.step: str | None = None
        self.job: str | None = None
        self._asked: dict[str, tuple[Any, ...]] = {}  # what each detail shows
        self.bar = QTabBar()
        self.bar.setObjectName("panel")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.overview, self.pipeline = Overview(), PipelinePanel(context)
        self.computing = RankDetail(context, of_communication=False)
        self.communication = RankDetail(context, of_communication=True)
        self.stack = QStackedWidget()
        for view in (self.overview, self.pipeline, self.computing, self.communication):
            self.stack.addWidget(view)
            self.bar.addTab("")
        self.rank_label = parts.label(level=2)
        self.timeline_button = parts.button("", link=True, click=self.timeline_wanted.emit)
        self.communication_button = parts.button("", link=True, click=self.communication_wanted.emit)
        head = parts.columns(gap=12)
        head.addWidget(self.bar)
        head.addStretch(1)
        for widget in (self.rank_label, self.timeline_button, self.communication_button):
            head.addWidget(widget)
        column = parts.rows(self, gap=4)
        column.addLayout(head)
        column.addWidget(self.stack, 1)
        self.bar.currentChanged.connect(self._changed)
        for detail in (self.computing, self.communication):
            detail.timeline_wanted.connect(self.jump)
        self.pipeline.jump.connect(self.jump)
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        for i, text in enumerate(TABS.values()):
            self.bar.setTabText(i, tr(text))
        self.timeline_button.setText(tr("Show in Timeline"))
        self.communication_button.setText(tr("Show in Communication"))
        self._show_rank()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    @property
    def tab(self) -> str:
        """The view that is shown."""
        return list(TABS)[max(0, self.bar.currentIndex())]

    def show_tab(self, name: str) -> None:
        """Show a view."""
        if name in TABS:
            self.bar.setCurrentIndex(list(TABS).index(name))

    def _changed(self, at: int) -> None:
        self.stack.setCurrentIndex(at)
        self._ask()
        self.tab_changed.emit()

    def show_rank(self, rank: int, step: str | None, job: str | None) -> None:
        """Another active rank, step or job."""
        self.rank, self.step, self.job = rank, step, job
        self._show_rank()
        self._ask()

    def _show_rank(self) -> None:
        self.rank_label.setText(tr("Rank {0}").format(self.rank))
        for widget in (self.rank_label, self.timeline_button, self.communication_button):
            widget.setVisible(self.rank >= 0)

    def _ask(self) -> None:
        """Only the detail that is seen asks."""
        name = self.tab
        if name not in ("computing", "communication") or self.rank < 0:
            return
        detail = self.computing if name == "computing" else self.communication
        card = summary_load.card_of(self.context.store, self.rank, self.job)
        wanted = (self.rank, self.step, self.job, card.name if card else None)
        if self._asked.get(name) == wanted:
            return
        self._asked[name] = wanted
        if card is None:
            detail.show_nothing(
                tr("The timeline of rank {0} is not read").format(self.rank),
                tr("Its kernels come from there. Show in Timeline reads it."),
            )
            return
        detail.show_rank(self.rank, card.name, self.step, self.job)

    def show_pipeline(self, members: tuple[int, ...], step: str | None, job: str | None) -> None:
        """The lanes of a pipeline."""
        self.pipeline.show_group(members, step, job)
        self.show_tab("pipeline")
