"""The Communication page: links, operators and times of the ranks of a group, who is waited for, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QTabBar, QWidget

from insight_desktop.engine.system import communication_jumps as jumps
from insight_desktop.errors import InsightError
from insight_desktop.views.common import parts
from insight_desktop.views.common.context import CommunicationPlace, Context, Jump
from insight_desktop.views.common.empty_page import EmptyPage
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.job_progress import JobProgress
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.system import communication_choice as choices
from insight_desktop.views.system import communication_empty, communication_findings
from insight_desktop.views.system.communication_advice import AdvicePanel
from insight_desktop.views.system.communication_bandwidth import BandwidthPage
from insight_desktop.views.system.communication_bar import CommunicationBar
from insight_desktop.views.system.communication_choice import Choice, Offers
from insight_desktop.views.system.communication_durations import DurationPanel, TimeChart
from insight_desktop.views.system.communication_links import LinkPanel
from insight_desktop.views.system.communication_matrix import MatrixPanel
from insight_desktop.views.system.communication_slow import Slow, SlowPanel
from insight_desktop.views.system.communication_thumbnails import ThumbnailPanel
from insight_desktop.views.system.operator_findings import Findings, Link

TABS = {
    "durations": QT_TRANSLATE_NOOP("insight", "Data Analysis of Communication Time"),
    "chart": QT_TRANSLATE_NOOP("insight", "Visualized Communication Time"),
    "slow": QT_TRANSLATE_NOOP("insight", "Slow Rank List"),
    "links": QT_TRANSLATE_NOOP("insight", "Link health"),
    "advice": QT_TRANSLATE_NOOP("insight", "Advice"),
}


class CommunicationPage(Page):
    """One group of a job in one step, alone or against another job."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.bar = CommunicationBar(context)
        self.findings = Findings(communication_findings.ORDER)
        self.matrix, self.thumbnails = MatrixPanel(context), ThumbnailPanel(context)
        self.durations, self.chart = DurationPanel(context), TimeChart()
        self.slow, self.links, self.advice = SlowPanel(context), LinkPanel(context), AdvicePanel(context)
        self.bandwidth = BandwidthPage(context)
        self.empty, self.progress = EmptyPage("share-network"), JobProgress(context)
        self.offers: Offers | None = None
        self.choice: Choice | None = None
        self._wanted: CommunicationPlace | None = None  # waits for the offers
        self._state: dict[str, Any] = {}  # waits for the offers
        self._status: list[str] = []
        self._found: dict[str, Callable[[], None]] = {}  # says each finding again in another language
        self._build()
        self._connect()

    def _build(self) -> None:
        self.upper = QSplitter(Qt.Orientation.Horizontal)
        self.upper.addWidget(self.matrix)
        self.upper.addWidget(self.thumbnails)
        self.upper.setSizes([430, 570])
        self.tabs = QTabBar()
        self.tabs.setObjectName("panel")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.lower_stack = QStackedWidget()
        for text, widget in zip(
            TABS.values(), (self.durations, self.chart, self.slow, self.links, self.advice), strict=True
        ):
            self.tabs.addTab(tr(text))
            self.lower_stack.addWidget(widget)
        lower = QWidget()
        column = parts.rows(lower)
        column.addWidget(self.tabs)
        column.addWidget(self.lower_stack, 1)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(self.upper)
        self.splitter.addWidget(lower)
        self.splitter.setSizes([420, 320])
        parts.keep_least_height(self.upper, 240)
        parts.keep_least_height(lower, 200)
        for splitter in (self.upper, self.splitter):
            splitter.setHandleWidth(10)
            splitter.setObjectName("panels")
            splitter.setChildrenCollapsible(False)
        content = QWidget()
        inside = parts.rows(content, margins=(12, 10, 12, 10), gap=10)
        inside.addWidget(self.findings)
        inside.addWidget(self.splitter, 1)
        self.content = parts.scrolling(content)
        self.stack = QStackedWidget()
        for widget in (self.content, self.bandwidth, self.progress, self.empty):
            self.stack.addWidget(widget)
        whole = parts.rows(self)
        whole.addWidget(self.bar)
        whole.addWidget(self.stack, 1)

    def _connect(self) -> None:
        context, bar = self.context, self.bar
        context.store_changed.connect(self.refresh)
        context.jobs_changed.connect(self._jobs_changed)
        context.communication_wanted.connect(self.jump)
        bar.place_changed.connect(lambda: self._place_changed())
        bar.op_changed.connect(self._show_choice)
        self.progress.started.connect(self.refresh)
        self.matrix.link_chosen.connect(self._link_chosen)
        self.matrix.changed.connect(context.view_changed)
        self.thumbnails.timeline_wanted.connect(self.to_timeline)
        self.thumbnails.bar_chosen.connect(self._bar_chosen)
        self.durations.shown.connect(self._rows_shown)
        self.durations.rank_chosen.connect(self.chart.select_rank)
        self.durations.packets_wanted.connect(self.show_packets)
        self.durations.timeline_wanted.connect(self.to_timeline)
        self.durations.operator_wanted.connect(self.show_operator)
        self.chart.clicked.connect(lambda _key, at: self.durations.select_rank(self.chart.ranks[at]))
        for chart in (self.chart, self.thumbnails):
            chart.exported.connect(lambda path: context.message.emit("success", tr("Exported: {0}").format(path), ""))
            chart.failed.connect(lambda error: context.message.emit("error", error.message, error.fix))
        self.slow.shown.connect(self._found_slow)
        self.slow.highlight_wanted.connect(self._highlight)
        self.links.shown.connect(self._found_links)
        self.links.link_chosen.connect(self._link_chosen)
        self.advice.bandwidths_shown.connect(self._found_bandwidths)
        self.advice.small_shown.connect(self._found_small)
        self.bandwidth.back.connect(lambda: self._show_page(self.content))
        self.tabs.currentChanged.connect(self._tab_chosen)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "tabs"):
            self.bar.retranslate()
            self.matrix.retranslate()
            for at, text in enumerate(TABS.values()):
                self.tabs.setTabText(at, tr(text))
            for say_again in list(self._found.values()):
                say_again()
            if self.offers is None:
                self.refresh()
            elif self.choice is not None:
                self.matrix.show_choice(self.choice)
                self._tell_choice()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.context.status.emit(self._status)

    def _show_page(self, page: QWidget) -> None:
        if page is not self.progress:
            self.progress.rest()
        self.stack.setCurrentWidget(page)

    # ---- offers ------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """The data changed, or the job that is shown."""
        store = self.context.store
        if not (store.cards_of("system") or store.members or store.extras):
            self.offers = self.choice = None
            self._tell([])
            communication_empty.nothing_open(self.empty)
            self._show_page(self.empty)
            return
        if self.offers is None:
            self._show_page(self.progress)
            self.progress.watch(self.bar.jobs.job)
        self.ask(
            choices.offers,
            then=self._show_offers,
            failed=self._failed,
            cluster=self.bar.jobs.job,
            base=self.bar.jobs.base,
        )

    def _jobs_changed(self) -> None:
        self.offers = None
        self.refresh()

    def _failed(self, error: InsightError) -> None:
        self.offers = self.choice = None
        self._tell([])
        communication_empty.failed(self.empty, say(error.message), say(error.fix), self.context.store, self.refresh)
        self._show_page(self.empty)

    def _show_offers(self, offers: Offers) -> None:
        if self.offers == offers:
            self.thumbnails.renew_jump()
            self.advice.cards_changed()
            self._apply_wanted()
            return
        is_other_job = self.offers is None or self.offers.key != offers.key
        self.offers = offers
        state = self._state.get("bar") or {}
        self.bar.set_offers(offers, step=state.get("step"), base_step=state.get("base_step"), group=state.get("group"))
        if is_other_job:
            self.findings.clear()
            self._found.clear()
            self.links.forget()
        self._put("note", lambda: communication_findings.notes(offers.issues))
        if self.stack.currentWidget() is not self.bandwidth:
            self._show_page(self.content)
        if not self._apply_wanted():
            self._place_changed(op=state.get("op"), links=(self._state.get("matrix") or {}).get("op"))
        self._state = {}

    def _place_changed(self, op: str | None = None, links: str | None = None, rank: int | None = None) -> None:
        """Another step or group: its operators first."""
        choice = self.bar.choice()
        if choice is None:
            return

        def named(found: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
            self.bar.set_operators(found[0], op)
            self.matrix.set_operators(found[1], links)
            self._show_choice(find=(rank, op) if rank is not None and op is not None else None)

        self.ask(choices.operators, then=named, failed=self._failed, choice=choice)

    def _show_choice(self, find: tuple[int, str] | None = None) -> None:
        """Everything that step, group and operator decide."""
        choice = self.bar.choice()
        if choice is None:
            return
        is_other_place = self.choice is None or replace(self.choice, op="") != replace(choice, op="")
        self.choice = choice
        self.thumbnails.show_choice(choice, find=find)
        self.durations.show_choice(choice)
        self.advice.show_choice(choice)
        self.slow.show_choice(choice)
        self.links.show_choice(choice)
        if is_other_place or not self.matrix.links.table.num_rows:
            self.matrix.show_choice(choice)
        if self.stack.currentWidget() is self.bandwidth:
            self.bandwidth.show_rank(choice, self.bandwidth.rank)
        self._tell_choice()
        self.context.view_changed.emit()

    # ---- findings ----------------------------------------------------------------------------------------------------

    def _put(self, key: str, find: Callable[[], Any], links: Callable[[], tuple[Link, ...]] = tuple) -> None:
        """Say a finding, now and after a change of the language."""

        def say_it() -> None:
            self.findings.put(key, find(), links())

        self._found[key] = say_it
        say_it()

    def _link_to(self, tab: str) -> Callable[[], tuple[Link, ...]]:
        return lambda: (Link(tr(TABS[tab]), lambda: self.show_tab(tab)),)

    def _found_slow(self, slow: Slow | None) -> None:
        choice = self.choice
        if choice is None:
            return
        has_ranks = slow is not None and bool(slow.ranks)
        links = self._link_to("slow") if has_ranks else tuple
        self._put("slow", lambda: communication_findings.slow_rank(slow, choice), links)

    def _found_links(self, rows: list[dict[str, Any]], count: int) -> None:
        slow = self.links.slow_count()
        self._put("link", lambda: communication_findings.slow_link(rows, slow, count), self._link_to("links"))

    def _found_bandwidths(self, rows: list[dict[str, Any]]) -> None:
        self._put("bandwidth", lambda: communication_findings.bandwidth(rows), self._link_to("advice"))

    def _found_small(self, rows: list[dict[str, Any]]) -> None:
        self._put("packets", lambda: communication_findings.small_packets(rows), self._link_to("advice"))

    # ---- selection ---------------------------------------------------------------------------------------------------

    def show_tab(self, key: str) -> None:
        """Show one of the lower tabs."""
        self.tabs.setCurrentIndex(list(TABS).index(key))

    def _tab_chosen(self, at: int) -> None:
        self.lower_stack.setCurrentIndex(at)
        self.context.view_changed.emit()

    def _rows_shown(self) -> None:
        if self.choice is not None:
            self.chart.show_rows(self.durations.rows(), self.choice)

    def show_packets(self, rank: int) -> None:
        """The bandwidth analysis of a rank."""
        if self.choice is not None:
            self.bandwidth.show_rank(self.choice, rank)
            self._show_page(self.bandwidth)

    def show_operator(self, rank: int, name: str) -> None:
        """Show one operator alone, the bar of a rank marked."""
        if self.bar.op_box.isEnabled() and self.bar.set_op(name):
            self._show_choice(find=(rank, name))
        else:
            self.thumbnails.bring(rank, name)

    def _highlight(self, rank: int, name: str, fastest: int) -> None:
        self.thumbnails.bring(rank, name, around=fastest)

    def _bar_chosen(self, rank: int, name: str) -> None:  # noqa: ARG002
        self.durations.select_rank(rank)
        self._tell(self.thumbnails.facts())

    def _link_chosen(self, src: int, dst: int) -> None:
        self.matrix.select_link(src, dst)
        facts = self.matrix.facts(src, dst)
        if facts:
            self._tell(facts)

    def _tell_choice(self) -> None:
        choice = self.choice
        if choice is not None:
            ranks = tr("{0} ranks").format(len(choice.group.ranks))
            self._tell([choice.group.short, ranks, tr("Step {0}").format(choice.step), choice.op])

    def _tell(self, facts: list[str]) -> None:
        self._status = facts
        if self.isVisible():
            self.context.status.emit(facts)

    # ---- jumps -------------------------------------------------------------------------------------------------------

    def to_timeline(self, rank: int, name: str, start_ns: int | None, side: int = 0) -> None:
        """Show an operator of a rank in the Timeline."""
        choice = self.choice
        if choice is None:
            return
        self.ask(
            jumps.slice_of, then=lambda found: self.context.jump.emit(Jump(found[0], slice_id=found[1])),
            rank=rank, name=name, start_ns=start_ns, cluster=choice.base if side else choice.cluster,
        )  # fmt: skip

    def jump(self, place: CommunicationPlace) -> None:
        """Show an operator of the Timeline, or a group."""
        if place.slice_id is not None and place.card is not None:
            self.ask(jumps.operator_of, then=self._place_found, card=place.card, slice_id=place.slice_id)
            return
        self._wanted = place
        if place.cluster is not None and self.offers is not None and place.cluster != self.offers.cluster:
            self.context.choose_jobs(place.cluster)
        elif self.offers is not None:
            self._apply_wanted()

    def _place_found(self, found: jumps.Place) -> None:
        self.jump(CommunicationPlace(None, None, found.cluster, found.step, found.group, (), found.name, found.rank))

    def _apply_wanted(self) -> bool:
        """Go where a jump wants to, when the offers are there; True when there was one."""
        place, offers = self._wanted, self.offers
        if place is None or offers is None:
            return False
        if place.cluster is not None and place.cluster != offers.cluster:
            return False
        self._wanted = None
        group = choices.matching(offers.groups, place) or offers.groups[0]
        self.bar.set_place(step=place.step, group=group.label)
        if self.stack.currentWidget() is not self.content:
            self._show_page(self.content)
        self._place_changed(op=place.op, rank=place.rank)
        return True

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Everything the user arranged."""
        if self.offers is None:
            return self._state
        return {
            "bar": self.bar.view_state(), "matrix": self.matrix.view_state(), "durations": self.durations.view_state(),
            "tab": list(TABS)[self.tabs.currentIndex()], "sizes": self.splitter.sizes(), "upper": self.upper.sizes(),
            "hidden": sorted(self.chart.area.hidden),
        }  # fmt: skip

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave, as soon as the job is there; unknown entries are ignored."""
        self.matrix.restore_state(state.get("matrix") or {})
        self.durations.restore_state(state.get("durations") or {})
        if state.get("tab") in TABS:
            self.show_tab(state["tab"])
        for splitter, key in ((self.splitter, "sizes"), (self.upper, "upper")):
            sizes = state.get(key) or []
            if len(sizes) == 2 and sum(sizes) > 0:
                splitter.setSizes([int(size) for size in sizes])
        self.chart.area.set_hidden(frozenset(map(str, state.get("hidden") or ())))
        if self.offers is None:
            self._state = dict(state)
        elif state.get("bar"):
            bar = state["bar"]
            self.bar.set_place(step=bar.get("step"), group=bar.get("group"))
            self._place_changed(op=bar.get("op"), links=(state.get("matrix") or {}).get("op"))


TAB = Tab("system.communication", "Communication", CommunicationPage)
