"""The Summary page: how the ranks of a job spend their time, and which of them the others wait for."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from insight_desktop.engine import cluster
from insight_desktop.engine.cluster_run import Status
from insight_desktop.engine.system import summary as queries
from insight_desktop.engine.system.summary_layout import FULL, PP_VIEW, Strategy
from insight_desktop.errors import InsightError, NoData
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.context import CommunicationPlace, Context, Jump
from insight_desktop.views.common.empty_page import EmptyPage
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.job_progress import JobProgress
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.system import summary_empty, summary_load, summary_says
from insight_desktop.views.system.summary_bar import SummaryBar
from insight_desktop.views.system.summary_findings import FindingsBox
from insight_desktop.views.system.summary_form import CONFIGURED, StrategyForm
from insight_desktop.views.system.summary_graph import MOST_FULL
from insight_desktop.views.system.summary_graph_layout import Group
from insight_desktop.views.system.summary_load import Figures, First, Layout
from insight_desktop.views.system.summary_lower import LowerTabs
from insight_desktop.views.system.summary_progress import AnalysisProgress
from insight_desktop.views.system.summary_slow import SlowBox
from insight_desktop.views.system.summary_upper import UpperTabs
from insight_desktop.views.system.summary_words import arguments

FEW_STEPS = 2


class SummaryPage(Page):
    """Facts and strategy on top; heat map, layout and experts beside what stands out; figures of the ranks below."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.bar, self.form = SummaryBar(context), StrategyForm()
        self.progress = AnalysisProgress(context)
        self.above, self.below = UpperTabs(context), LowerTabs(context)
        self.findings, self.slow = FindingsBox(), SlowBox()
        self.empty = EmptyPage("squares-four")
        self.waiting = JobProgress(context)
        self.rank = -1
        self.figures: Figures | None = None
        self._status: list[str] = []
        self._seen: tuple[Any, ...] = ()
        self._of: tuple[str | None, str | None] = (None, None)  # job and baseline whose figures stand on the page
        self._pending: dict[str, Any] | None = None
        self._build()
        self._connect()

    def _build(self) -> None:
        right = QSplitter(Qt.Orientation.Vertical)
        self.across, self.upright = QSplitter(Qt.Orientation.Horizontal), QSplitter(Qt.Orientation.Vertical)
        for splitter, first, second, sizes in (
            (right, self.findings, self.slow, [260, 190]), (self.across, self.above, right, [820, 620]),
            (self.upright, self.across, self.below, [460, 300]),
        ):  # fmt: skip
            splitter.setHandleWidth(10)
            splitter.setObjectName("panels")
            splitter.setChildrenCollapsible(False)
            splitter.addWidget(first)
            splitter.addWidget(second)
            splitter.setSizes(sizes)
        parts.keep_least_height(self.above, 230)
        parts.keep_least_height(self.below, 264)
        content = QWidget()
        parts.rows(content, margins=(12, 8, 12, 10)).addWidget(self.upright)
        self.stack = QStackedWidget()
        self.content = parts.scrolling(content)
        self.stack.addWidget(self.content)
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.waiting)
        whole = parts.rows(self)
        for widget in (self.bar, self.form, self.progress):
            whole.addWidget(widget)
        whole.addWidget(self.stack, 1)

    def _connect(self) -> None:
        context, graph, overview = self.context, self.above.graph, self.below.overview
        context.store_changed.connect(self.refresh)
        context.jobs_changed.connect(self.refresh)
        self.bar.step_changed.connect(self._step_changed)
        self.form.generated.connect(lambda _strategy: self._strategy_changed())
        self.form.refused.connect(lambda text, fix: context.message.emit("error", text, fix))
        self.progress.ended.connect(self._analysed)
        self.waiting.started.connect(self._again)
        graph.dimension_changed.connect(lambda _view: self._strategy_changed(keep_view=True))
        graph.element_clicked.connect(self._element_clicked)
        graph.group_clicked.connect(self._group_clicked)
        graph.communication_wanted.connect(self._communication_of)
        graph.timeline_wanted.connect(self.show_in_timeline)
        graph.told.connect(lambda level, text: context.message.emit(level, text, ""))
        overview.element_clicked.connect(self._element_clicked)
        overview.filters_changed.connect(context.view_changed)
        self.slow.element_clicked.connect(self._slow_clicked)
        self.slow.rank_clicked.connect(self.choose_rank)
        self.slow.rank_activated.connect(self.show_in_timeline)
        self.above.steps.rank_clicked.connect(self.choose_rank)
        self.above.steps.step_clicked.connect(self._step_clicked)
        self.above.steps.cell_activated.connect(self.show_step_in_timeline)
        self.above.told.connect(lambda level, text, fix: context.message.emit(level, text, fix))
        self.above.stragglers_found.connect(self._show_stragglers)
        self.below.timeline_wanted.connect(lambda: self.show_in_timeline(self.rank))
        self.below.communication_wanted.connect(self._communication_of_rank)
        self.below.jump.connect(context.jump)
        for tabs in (self.above, self.below):
            tabs.tab_changed.connect(context.view_changed)
        for splitter in (self.across, self.upright):
            splitter.splitterMoved.connect(lambda _at, _i: context.view_changed.emit())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "stack"):
            self._seen = ()
            self.refresh()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.context.status.emit(self._status)

    # ---- which job ---------------------------------------------------------------------------------------------------

    @property
    def job(self) -> str | None:
        """The job that is shown, None for the first."""
        return self.bar.jobs.job

    @property
    def base(self) -> str | None:
        """The job that it is compared with."""
        return self.bar.jobs.base

    @property
    def dimension(self) -> str:
        """The view of the layout."""
        return self.above.graph.dimension

    def refresh(self) -> None:
        """Ranks, jobs or language changed."""
        store = self.context.store
        members = tuple((m.name, m.source.kind) for m in store.members) or tuple((c.name, c.kind) for c in store.cards)
        seen = (self.job, self.base, members, store.extras)
        if not members and not store.extras:
            self._seen = ()
            self._show_empty()
            summary_empty.nothing_open(self.empty)
            return
        if seen == self._seen:
            self.below.show_rank(self.rank, self.bar.step, self.job)  # its card may have been read meanwhile
            if self.bar.has_cards != self._has_cards():
                self.bar.set_info(self.bar.info, has_cards=self._has_cards())
            return
        self._seen = seen
        self._ask_all()

    def _ask_all(self) -> None:
        if self.stack.currentWidget() is not self.content or (self.job, self.base) != self._of:
            self.progress.rest()
            self._wait()
        self.ask(cluster.start, then=lambda _s: self._begun(), failed=self._failed, name=self.job)
        self.ask(summary_load.first, then=self._show_first, failed=self._failed, cluster=self.job, base=self.base)
        self.ask(summary_load.info, then=self._show_info, failed=lambda _e: None, cluster=self.job, base=self.base)
        self.ask(queries.issues, then=self._show_issues, failed=lambda _e: None, cluster=self.job)

    def _begun(self) -> None:
        if self.stack.currentWidget() is self.waiting:
            self.waiting.watch(self.job)

    def _wait(self) -> None:
        """Until the first tables are there, only how far they are is shown."""
        self.form.setVisible(False)
        self.bar.setVisible(not self.bar.jobs.isHidden())
        self.stack.setCurrentWidget(self.waiting)

    def _analysed(self, status: Status) -> None:
        """The analysis ended: nothing more to do, or say why there is nothing."""
        if status.phase == "ready":
            return
        self._show_empty()
        if status.phase == "cancelled":
            summary_empty.stopped(self.empty, self._again)
        else:
            summary_empty.failed(self.empty, say(status.message), say(status.fix), self._again)

    def _again(self) -> None:
        self._seen = ()
        self.refresh()

    def _failed(self, error: InsightError) -> None:
        self.progress.rest()
        self.waiting.rest()
        self._seen = ()
        self._show_empty()
        if isinstance(error, NoData):
            summary_empty.no_cluster(self.empty, say(error.message), say(error.fix), self.context.store)
        else:
            summary_empty.failed(self.empty, say(error.message), say(error.fix), self._again)

    def _show_empty(self) -> None:
        self.form.setVisible(False)
        self.bar.setVisible(not self.bar.jobs.isHidden())
        self.stack.setCurrentWidget(self.empty)
        self._tell([])

    def _show_info(self, info: list[dict[str, Any]]) -> None:
        self.bar.set_info(info, has_cards=self._has_cards())

    def _has_cards(self) -> bool:
        """Some rank of the job has its timeline open."""
        return any(
            c.cluster == (self.job or cluster.names(self.context.store)[0])
            for c in self.context.store.cards_of("system")
        )

    def _show_issues(self, found: pa.Table) -> None:
        self.findings.put("data", summary_says.issues(found.to_pylist()))

    # ---- strategy and steps ------------------------------------------------------------------------------------------

    def _show_first(self, first: First) -> None:
        self.waiting.rest()
        self.progress.watch(self.job)
        self._of = self.job, self.base
        self.stack.setCurrentWidget(self.content)
        self.form.setVisible(True)
        self.bar.setVisible(True)
        self.bar.set_steps(first.steps, first.base_steps)
        key = summary_load.key_of(self.context.store, cluster=self.job)
        self.form.show_collected(key, first.collected, first.origin, first.devices)
        if self._pending is not None:
            state, self._pending = self._pending, None
            self._apply(state)
        elif len(first.steps) <= FEW_STEPS and self.form.is_set and self.above.tab == "steps" and self.rank < 0:
            self.above.show_tab("layout")  # a heat map of one column says less
        self.above.show_job(self.job, self.bar.step)
        self._strategy_changed()

    @property
    def strategy(self) -> Strategy | None:
        """The strategy in force; None while nobody said one."""
        return self.form.strategy if self.form.is_set else None

    def _strategy_changed(self, *, keep_view: bool = False) -> None:
        """Ask for the layout, then for all figures."""
        graph, strategy = self.above.graph, self.strategy
        if not keep_view and graph.strategy != self.form.strategy:
            graph.set_view(self.form.strategy, FULL if self.form.devices <= MOST_FULL or strategy is None else PP_VIEW)
        self.context.view_changed.emit()
        if strategy is None:
            graph.set_view(self.form.strategy, FULL)
            graph.show_note(
                tr("The sizes of the parallel dimensions are not in the data"),
                tr("Enter PP, TP, CP, DP and EP above and press Generate: the layout and its groups appear here."),
            )
            self.below.overview.set_groups([])
            self._ask_figures()
            return
        self.ask(
            summary_load.layout, then=self._show_layout, failed=self._no_layout, strategy=strategy,
            dimension=self.dimension, cluster=self.job,
        )  # fmt: skip

    def _no_layout(self, error: InsightError) -> None:
        self.above.graph.show_note(say(error.message), say(error.fix))
        self._ask_figures()

    def _show_layout(self, found: Layout) -> None:
        graph = self.above.graph
        graph.show_graph(found.elements, found.groups)
        self.above.steps.set_places(found.places, self.form.strategy.tp * self.form.strategy.cp)
        frames = [Group(f.kind, f.members) for kind in ("dp", "ep", "cp") for f in graph.area.graph.frames(kind)]
        self.below.overview.set_groups([*graph.area.graph.groups, *frames])
        self.below.pipeline.set_groups(
            [g.members for g in graph.area.graph.named("pp")] if self.dimension == FULL else []
        )
        self._ask_figures()

    def _step_changed(self) -> None:
        self.context.view_changed.emit()
        self._ask_figures()
        self.below.show_rank(self.rank, self.bar.step, self.job)
        self.above.show_step(self.bar.step)
        self.below.pipeline.show_step(self.bar.step, self.job)
        self._ask_waits()

    def _step_clicked(self, step: str) -> None:
        self.bar.choose_step(step)
        self._step_changed()

    def _ask_figures(self) -> None:
        if self.strategy is None and self.form.devices > MOST_FULL:
            self._figures_failed(InsightError(
                tr("The overview of more than {0} ranks needs the sizes of the parallel dimensions.").format(MOST_FULL),
                fix=tr("Enter them above and press Generate."),
            ))  # fmt: skip
            return
        self.ask(
            summary_load.figures, then=self._show_figures, failed=self._figures_failed, strategy=self.strategy,
            dimension=self.dimension, cluster=self.job, step=self.bar.step, base=self.base, base_step=self.bar.base_step,
        )  # fmt: skip
        if self.base is not None or self.strategy is None:
            self._asker.forget(queries.slow_ranks)
            self.findings.put("slow", [])
            why = tr("Not with a comparison.") if self.base is not None else tr("The parallel strategy is not known.")
            self.slow.show_no_slow(why)
            return
        given = arguments(self.strategy)
        self.ask(
            queries.slow_ranks, then=self._show_slow, failed=self._no_slow, step=self.bar.step, dimension=self.dimension,
            cluster=self.job, **given,
        )  # fmt: skip

    def _figures_failed(self, error: InsightError) -> None:
        self.figures = None
        self.findings.put("spread", [])
        self.below.overview.set_empty(say(error.message), say(error.fix))

    def _show_figures(self, figures: Figures) -> None:
        self.figures = figures
        graph = self.above.graph
        if self.strategy is not None:
            graph.show_figures(figures.found, figures.times, figures.base, figures.base_times)
        self.below.overview.show_rows(figures.found, self.dimension, figures.pairs, steps=self._summed)
        links = summary_says.Ways(self._spread_shown, self.choose_rank, self.show_in_timeline)
        self.findings.put("spread", summary_says.spreads(figures, links, self._summed))
        if self.rank < 0 and self.dimension == FULL and self.below.overview.current >= 0:
            self.choose_rank(self.below.overview.current)
        else:
            self._mark()

    @property
    def _summed(self) -> int:
        """How many steps the figures are sums of."""
        return 1 if self.bar.step is not None else max(1, self.bar.step_box.count() - 1)

    def _spread_shown(self, metric: str) -> None:
        """Colour the layout by a figure and order the ranks by it."""
        self.above.graph.choose_metric(metric)
        order = self.below.overview.order_box
        order.setCurrentIndex(max(0, order.findData(metric)))
        order.activated.emit(order.currentIndex())
        self.above.show_tab("layout" if self.strategy is not None else "steps")

    def _show_slow(self, found: pa.Table) -> None:
        self.slow.show_slow(found)
        ways = summary_says.Ways(self._spread_shown, self._slow_clicked, self.show_in_timeline)
        self.findings.put("slow", summary_says.slow(self.slow.slow_rows, ways, is_full=self.dimension == FULL))

    def _no_slow(self, error: InsightError) -> None:
        self.slow.show_no_slow(say(error.message))
        self.findings.put("slow", [])

    def _show_stragglers(self, found: pa.Table | None, why: str, columns: list[Any]) -> None:
        if found is None:
            self.slow.show_no_stragglers(why)
            self.findings.put("straggler", [])
            return
        self.slow.show_stragglers(found, columns)
        ways = summary_says.Ways(self._spread_shown, self.choose_rank, self.show_in_timeline)
        self.findings.put("straggler", summary_says.stragglers(found.to_pylist(), ways))

    # ---- selection ---------------------------------------------------------------------------------------------------

    def _element_clicked(self, index: int) -> None:
        if index < 0:
            self._tell_job()
        elif self.dimension == FULL:
            self.choose_rank(index)
        else:
            self.above.graph.area.select(index)
            self.below.overview.select(index)
            self._tell(
                [
                    self.above.graph.area.graph.names[index],
                    tr("ranks {0}").format(self.above.graph.area.graph.ranks[index]),
                ]
            )

    def choose_rank(self, rank: int) -> None:
        """Make a rank the active one everywhere."""
        self.rank = rank
        self._mark()
        self.below.show_rank(rank, self.bar.step, self.job)
        self._ask_waits()
        self._tell_rank()

    def _ask_waits(self) -> None:
        """Who waited for the active rank."""
        rank = self.rank
        if rank < 0:
            return
        self.ask(
            queries.straggler_waits, then=lambda found: self.slow.show_waits(rank, found),
            failed=lambda error: self.slow.show_waits(rank, None, say(error.message)), rank=rank, step=self.bar.step,
            cluster=self.job,
        )  # fmt: skip

    def _mark(self) -> None:
        self.above.steps.select_rank(self.rank)
        if self.dimension == FULL:
            if self.rank < len(self.above.graph.area.graph):
                self.above.graph.area.select(self.rank)
            self.below.overview.select(self.rank)

    def _slow_clicked(self, index: int) -> None:
        if self.strategy is not None:
            self.above.show_tab("layout")
        if self.dimension == FULL:
            self.choose_rank(index)
        self.above.graph.reveal(index)

    def _group_clicked(self, name: str, members: tuple[int, ...]) -> None:
        """A line or frame: only its members; pipelines show their lanes."""
        if name == "pp" and self.dimension == FULL:
            self.below.show_pipeline(members, self.bar.step, self.job)
        else:
            self.below.overview.choose_group(members)
            self.below.show_tab("overview")
        shown = ", ".join(map(str, members[:8])) + (" …" if len(members) > 8 else "")
        self._tell([name, tr("{0} members").format(number_text.count(len(members))), shown])

    def _tell_rank(self) -> None:
        figures = self.figures
        if figures is None or "rank" not in figures.found.column_names or self.rank < 0:
            return
        rows = {r["rank"]: r for r in figures.found.to_pylist()}
        row = rows.get(self.rank)
        names = self.above.graph.area.graph.names
        place = names[self.rank].replace("-", " · ") if self.dimension == FULL and self.rank < len(names) else ""
        self._tell(
            [x for x in (tr("Rank {0}").format(self.rank), place, *summary_says.rank_facts(row, self._summed)) if x]
        )

    def _tell_job(self) -> None:
        self._tell([tr("{0} ranks").format(number_text.count(self.form.devices))])

    def _tell(self, texts: list[str]) -> None:
        self._status = texts
        if self.isVisible():
            self.context.status.emit(texts)

    # ---- ways to other pages -----------------------------------------------------------------------------------------

    def show_in_timeline(self, rank: int) -> None:
        """Go to the card of a rank, or read it first."""
        store = self.context.store
        card = summary_load.card_of(store, rank, self.job)
        if card is not None:
            self.context.select_card(card.name)
            self.context.jump.emit(Jump(card.name))
            return
        member = summary_load.member_of(store, rank, self.job)
        if member is not None:
            self.context.parse_requested.emit([member])
            self.context.message.emit("info", tr("Rank {0} is being read for the Timeline.").format(rank), "")
        else:
            self.context.message.emit("warning", tr("Rank {0} has no timeline.").format(rank), tr("Open its data too."))

    def show_step_in_timeline(self, rank: int, step: str) -> None:
        """Go to a step of a rank, or to its card when the timeline does not mark the step."""
        card = summary_load.card_of(self.context.store, rank, self.job)
        if card is None:
            self.show_in_timeline(rank)
            return
        self.ask(
            summary_load.step_window, then=lambda found: self._jump_to(card.name, found),
            failed=lambda _error: self._jump_to(card.name, None), card=card.name, step=step,
        )  # fmt: skip

    def _jump_to(self, card: str, window: tuple[int, int] | None) -> None:
        self.context.select_card(card)
        start, end = window if window is not None else (None, None)
        self.context.jump.emit(Jump(card, start_ns=start, end_ns=end))

    def _communication_of(self, name: str, members: tuple[int, ...]) -> None:
        self.context.communication_wanted.emit(
            CommunicationPlace(cluster=self.job, step=self.bar.step, group=name, ranks=members)
        )

    def _communication_of_rank(self) -> None:
        self.context.communication_wanted.emit(CommunicationPlace(cluster=self.job, step=self.bar.step, rank=self.rank))

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Everything the user arranged."""
        if self._pending is not None:
            return self._pending
        return {
            "step": self.bar.step, "dimension": self.dimension, "rank": self.rank, "upper": self.above.tab,
            "lower": self.below.tab, "overview": self.below.overview.view_state(), "experts": self.above.experts.view_state(),
            "sizes": [self.across.sizes(), self.upright.sizes()], "configured": self.form.origin == CONFIGURED,
        }  # fmt: skip

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave, as soon as the job is there."""
        self._pending = dict(state)
        if self._seen:
            self._again()

    def _apply(self, state: dict[str, Any]) -> None:
        self.bar.choose_step(state.get("step"))
        if isinstance(state.get("rank"), int):
            self.rank = state["rank"]
        self.above.show_tab(str(state.get("upper") or "steps"))
        self.below.show_tab(str(state.get("lower") or "overview"))
        self.below.overview.restore_state(state.get("overview") or {})
        self.above.experts.restore_state(state.get("experts") or {})
        for splitter, sizes in zip((self.across, self.upright), state.get("sizes") or (), strict=False):
            if len(sizes) == 2 and sum(sizes) > 0:
                splitter.setSizes([int(s) for s in sizes])
        self.above.graph.set_view(self.form.strategy, str(state.get("dimension") or FULL))


TAB = Tab("system.summary", "Summary", SummaryPage)
