"""The Diagnosis page: what costs a job, or one of its cards, the most time per step, and what to try."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from insight_desktop.engine import cluster
from insight_desktop.engine.store import StoreCard
from insight_desktop.engine.system import diagnosis as queries
from insight_desktop.errors import Cancelled, InsightError
from insight_desktop.views.common import fonts, number_text, parts
from insight_desktop.views.common.card_selector import SearchBox, label_of
from insight_desktop.views.common.context import CommunicationPlace, Context, Jump
from insight_desktop.views.common.empty_page import EmptyPage, FileLine
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.job_progress import JobProgress
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.system.diagnosis_cards import FindingCard, cost_text, severity_text

JOB = "job"
_WIDTH = 1120
_TITLES = {
    "system.timeline": "Timeline", "system.memory": "Memory", "system.operator": "Operator", "system.summary": "Summary",
    "system.communication": "Communication",
}  # fmt: skip


class DiagnosisPage(Page):
    """Findings below each other, the costliest first, each with the way to its figures."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.scope: str | None = None  # JOB, name of a card, or None for what fits
        self.found: pa.Table | None = None
        self.cards: list[FindingCard] = []
        self._entries: list[tuple[str, str]] = []
        self.scope_label, self.scope_box = parts.label(level=2), SearchBox()
        self.scope_label.setBuddy(self.scope_box)
        self.copy_button = parts.button("", "copy", flat=True, click=self.copy)
        self.headline, self.lead = parts.label(role="title", strong=True), parts.label(level=2)
        for label in (self.headline, self.lead):
            label.setWordWrap(True)
        self.progress = JobProgress(context)
        self.empty = EmptyPage("magnifying-glass")
        self.stack = QStackedWidget()
        self._build()
        self.scope_box.activated.connect(self._scope_chosen)
        self.progress.started.connect(self.refresh)
        context.jobs_changed.connect(self.refresh)
        context.store_changed.connect(self.refresh)
        self.retranslate()

    def _build(self) -> None:
        bar = QWidget()
        bar.setObjectName("surface")
        bar.setProperty("edge", "bottom")
        parts.keep_height(bar, 40)
        row = parts.columns(bar, margins=(12, 0, 12, 0), gap=8)
        row.addWidget(self.scope_label)
        row.addWidget(self.scope_box)
        row.addStretch(1)
        row.addWidget(self.copy_button)
        middle = QWidget()
        middle.setMaximumWidth(fonts.scaled(_WIDTH))
        column = parts.rows(middle, gap=10)
        column.addWidget(self.headline)
        column.addWidget(self.lead)
        column.addSpacing(6)
        self._column = parts.rows(gap=10)
        column.addLayout(self._column)
        column.addStretch(1)
        inside = QWidget()
        inside.setObjectName("surface")
        outer = parts.columns(inside, margins=(20, 18, 20, 18), gap=0)
        outer.addStretch(1)
        outer.addWidget(middle, 100)
        outer.addStretch(1)
        self.list = parts.scrolling(inside)
        for page in (self.list, self.progress, self.empty):
            self.stack.addWidget(page)
        whole = parts.rows(self)
        whole.addWidget(bar)
        whole.addWidget(self.stack, 1)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.scope_label.setText(tr("Diagnosis of"))
        self.scope_box.setAccessibleName(tr("Diagnosis of"))
        self.copy_button.setText(tr("Copy as text"))
        self._fill_scopes()
        if self.found is not None:
            self._show(self.found)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ---- what is judged ----------------------------------------------------------------------------------------------

    @property
    def job(self) -> str | None:
        """The job that is shown; None for the first."""
        return self.context.job if self.context.job in cluster.names(self.context.store) else None

    def _cards(self) -> list[StoreCard]:
        return [card for card in self.context.store.cards_of("system") if not card.guest]

    def _scopes(self) -> list[tuple[str, str]]:
        """Entries of the select: the whole job when it has several ranks, then the cards that are open."""
        found: list[tuple[str, str]] = []
        if cluster.has_several_ranks(self.context.store, self.job):
            found.append((tr("Whole job"), JOB))
        return found + [(tr("Card {0}").format(label_of(card)), card.name) for card in self._cards()]

    def _fill_scopes(self) -> None:
        self._entries = self._scopes()
        keys = [key for _, key in self._entries]
        if self.scope not in keys:
            self.scope = None
        self.scope_box.fill(self._entries, self.current)

    @property
    def current(self) -> str | None:
        """JOB or the name of a card; None when there is neither."""
        keys = [key for _, key in self._entries]
        if self.scope in keys:
            return self.scope
        if JOB in keys:
            return JOB
        return self.context.card if self.context.card in keys else (keys[0] if keys else None)

    def _scope_chosen(self, at: int) -> None:
        self.scope = self.scope_box.itemData(at)
        self.context.view_changed.emit()
        self.refresh()

    # ---- asking ------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        self._fill_scopes()
        current = self.current
        if current is None:
            self._show_empty(tr("No card is open"), tr("Read the cards in the data panel first."))
            return
        if current == JOB:
            self.progress.watch(self.job)
            if self.found is None or cluster.status(self.context.store, self.job).is_running:
                self.stack.setCurrentWidget(self.progress)
            self.ask(queries.findings, then=self._show, failed=self._failed, cluster=self.job)
        else:
            self.ask(queries.findings, then=self._show, failed=self._failed, card=current)

    def _failed(self, error: InsightError) -> None:
        self.found = None
        if isinstance(error, Cancelled):
            return  # the progress says so, and offers to begin anew
        self._show_empty(say(error.message), say(error.fix))

    def _show_empty(self, title: str, text: str) -> None:
        self.copy_button.setEnabled(False)
        files = [
            FileLine("step_trace_time.csv", tr("times of the steps of every rank"), "unneeded", ""),
            FileLine("communication.json", tr("operators between the ranks"), "unneeded", ""),
            FileLine("trace_view.json", tr("timeline with overlap analysis"), "unneeded", ""),
        ]
        self.empty.show_content(title, text, files=files)
        self.stack.setCurrentWidget(self.empty)

    def _show(self, found: pa.Table) -> None:
        self.found = found
        self.stack.setCurrentWidget(self.list)
        rows = found.to_pylist()
        costly = [row for row in rows if row["cost_ms_per_step"] is not None]
        name = next((text for text, key in self._entries if key == self.current), "")
        if costly:
            first = costly[0]
            step = first["cost_ms_per_step"] / first["share"] if first["share"] else None
            head = tr("{0}: a step takes {1}").format(name, cost_text(step)) if step else name
            self.headline.setText(head)
            self.lead.setText(
                tr(
                    "{0} findings, the costliest first. Costs overlap: waiting for a slow rank is also communication."
                ).format(number_text.count(len(rows)))
            )
        else:
            self.headline.setText(tr("{0}: nothing stands out").format(name))
            self.lead.setText(tr("No rule found anything that takes a noticeable part of a step."))
        parts.clear(self._column)
        self.cards = [FindingCard(row, self._ways(row)) for row in rows]
        for card in self.cards:
            self._column.addWidget(card)
        self.copy_button.setEnabled(bool(rows))
        self.context.status.emit([self.headline.text(), *(say(row["text"]) for row in rows[:1])])

    # ---- ways --------------------------------------------------------------------------------------------------------

    def _ways(self, row: dict[str, Any]) -> list[tuple[str, Callable[[], None]]]:
        """Links of a finding: its place first, then the tab of its figures."""
        given = json.loads(row["arguments"])
        ways: list[tuple[str, Callable[[], None]]] = []
        card = given.get("card")
        if "op" in given and given.get("group"):
            place = CommunicationPlace(
                cluster=self.job, step=given.get("step"), group=given["group"], op=given["op"], rank=given.get("rank")
            )
            ways.append((tr("Show the operator on all ranks"), lambda: self.context.communication_wanted.emit(place)))
        if card is not None and ("start_ns" in given or "slice_id" in given):
            jump = Jump(card, given.get("slice_id"), given.get("start_ns"), given.get("end_ns"))
            ways.append((tr("Show in Timeline"), lambda: self._jump(jump)))
        elif "rank" in given and (open_card := self._card_of(given["rank"])) is not None:
            ways.append((tr("Timeline of rank {0}").format(given["rank"]), lambda: self._jump(Jump(open_card.name))))
            ways.append((tr("Diagnosis of this rank"), lambda: self._choose(open_card.name)))
        elif "rank" in given and (unread := self._member_of(given["rank"])) is not None:
            ways.append(
                (tr("Read rank {0}").format(given["rank"]), lambda: self.context.parse_requested.emit([unread]))
            )
        if row["tab"] in _TITLES and row["tab"] != "system.timeline":
            text = tr("Open {0}").format(tr(_TITLES[row["tab"]]))
            ways.append((text, lambda: self._open(row["tab"], card)))
        return ways

    def _card_of(self, rank: int) -> StoreCard | None:
        name = cluster.names(self.context.store)[0] if self.job is None else self.job
        return next((c for c in self._cards() if c.rank == str(rank) and c.cluster == name), None)

    def _member_of(self, rank: int) -> str | None:
        """Name of the card of a rank that is not read."""
        name = cluster.names(self.context.store)[0] if self.job is None else self.job
        found = (m.name for m in self.context.store.members if m.rank == str(rank) and m.cluster == name)
        return next(found, None)

    def _jump(self, to: Jump) -> None:
        self.context.select_card(to.card)
        self.context.jump.emit(to)

    def _open(self, tab: str, card: str | None) -> None:
        if card is not None:
            self.context.select_card(card)
        self.context.tab_wanted.emit(tab)

    def _choose(self, card: str) -> None:
        self.scope = card
        self.context.view_changed.emit()
        self.refresh()

    # ---- text and state ----------------------------------------------------------------------------------------------

    def as_text(self) -> str:
        """All findings with their proof and advice."""
        lines = [self.headline.text(), ""]
        for row in self.found.to_pylist() if self.found is not None else []:
            cost = "" if row["cost_ms_per_step"] is None else f" {cost_text(row['cost_ms_per_step'])}"
            lines += [f"[{severity_text(row['severity'])}{cost}] {say(row['text'])}", f"  {say(row['evidence'])}"]
            lines += [f"  {say(row['advice'])}", ""]
        return "\n".join(lines)

    def copy(self) -> None:
        """Put the text on the clipboard."""
        QGuiApplication.clipboard().setText(self.as_text())

    def view_state(self) -> dict[str, Any]:
        return {"scope": self.scope}

    def restore_state(self, state: dict[str, Any]) -> None:
        scope = state.get("scope")
        self.scope = scope if isinstance(scope, str) else None
        self.refresh()


TAB = Tab("system.diagnosis", "Diagnosis", DiagnosisPage)
