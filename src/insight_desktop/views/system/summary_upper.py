"""The upper left of the Summary page: rank × step, parallel layout, experts."""

from __future__ import annotations

import pyarrow as pa
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from insight_desktop.engine.system import summary as queries
from insight_desktop.errors import InsightError
from insight_desktop.views.common import parts
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system.summary_experts import ExpertPanel
from insight_desktop.views.system.summary_graph import GraphPanel
from insight_desktop.views.system.summary_steps import StepHeat
from insight_desktop.views.system.summary_words import figure

TABS = {
    "steps": QT_TRANSLATE_NOOP("insight", "Rank × step"),
    "layout": QT_TRANSLATE_NOOP("insight", "Parallel layout"),
    "experts": QT_TRANSLATE_NOOP("insight", "Expert load"),
}
_MOST_STRAGGLERS = 100
_STRAGGLERS = (
    ColumnSpec("rank", QT_TRANSLATE_NOOP("insight", "Rank ID"), kind="id", width=64),
    ColumnSpec("cost_ms_per_step", QT_TRANSLATE_NOOP("insight", "Cost per step"), unit="ms", kind="number", decimals=3),
    ColumnSpec("times", QT_TRANSLATE_NOOP("insight", "Came last"), kind="count"),
    ColumnSpec("share", QT_TRANSLATE_NOOP("insight", "Share"), kind="percent", decimals=1),
    ColumnSpec("waiters", QT_TRANSLATE_NOOP("insight", "Ranks that waited"), kind="count"),
    ColumnSpec("cause_text", QT_TRANSLATE_NOOP("insight", "More of"), width=110),
    ColumnSpec("cause_us", QT_TRANSLATE_NOOP("insight", "By"), unit="µs", kind="number", decimals=3),
    ColumnSpec("worst_waiter", QT_TRANSLATE_NOOP("insight", "Longest waiter"), kind="id"),
    ColumnSpec("worst_wait_ms", QT_TRANSLATE_NOOP("insight", "Longest wait"), unit="ms", kind="number", decimals=3),
    ColumnSpec("worst_op", QT_TRANSLATE_NOOP("insight", "In operator"), width=200),
    ColumnSpec("worst_group", QT_TRANSLATE_NOOP("insight", "Communication Group"), width=150),
    ColumnSpec("worst_step", QT_TRANSLATE_NOOP("insight", "Step||training"), width=60),
    ColumnSpec("skew_us", QT_TRANSLATE_NOOP("insight", "Clock ahead by"), unit="µs", kind="number", decimals=3),
)


class UpperTabs(QWidget):
    """Three views over one job.

    Signals:
        tab_changed: another view is shown.
        told: (level, message, what to do) for a banner.
        stragglers_found: rows of `stragglers` (None without), why not, columns.
    """

    tab_changed = Signal()
    told = Signal(str, str, str)
    stragglers_found = Signal(object, str, object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asker = Asker(context, self)
        self.job: str | None = None
        self.bar = QTabBar()
        self.bar.setObjectName("panel")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.steps, self.graph, self.experts = StepHeat(context), GraphPanel(), ExpertPanel(context)
        self.stack = QStackedWidget()
        for view in (self.steps, self.graph, self.experts):
            self.stack.addWidget(view)
            self.bar.addTab("")
        column = parts.rows(self)
        column.addWidget(self.bar)
        column.addWidget(self.stack, 1)
        self.bar.currentChanged.connect(self._changed)
        self.experts.told.connect(self.told)
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        for i, text in enumerate(TABS.values()):
            self.bar.setTabText(i, tr(text))

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
        self.tab_changed.emit()

    def show_job(self, job: str | None, step: str | None) -> None:
        """Another job."""
        self.job = job
        self.steps.show_job(job)
        self.experts.show_job(job)
        self.show_step(step)

    def show_step(self, step: str | None) -> None:
        """Another step."""
        self._asker.ask(
            queries.stragglers, then=self._show_stragglers, failed=self._no_stragglers, step=step, cluster=self.job,
            top=_MOST_STRAGGLERS,
        )  # fmt: skip

    def _show_stragglers(self, found: pa.Table) -> None:
        causes = [figure(c) if c else "–" for c in found["cause"].to_pylist()]
        shown = found.append_column("cause_text", pa.array(causes, pa.string()))
        self.stragglers_found.emit(shown, "", list(_STRAGGLERS))

    def _no_stragglers(self, error: InsightError) -> None:
        self.stragglers_found.emit(None, " ".join(x for x in (say(error.message), say(error.fix)) if x), [])
