"""The Operator page: where the device time goes, by type, operator, shape and communication."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QFileDialog, QSplitter, QStackedWidget, QWidget

from insight_desktop.engine.system import operator as queries
from insight_desktop.engine.system import operator_export
from insight_desktop.engine.system.operator_groups import Group, is_communication
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.ask import Background
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.common.empty_page import EmptyPage
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.system import operator_empty, operator_findings
from insight_desktop.views.system.operator_bar import OperatorBar
from insight_desktop.views.system.operator_columns import OWN_COLUMNS
from insight_desktop.views.system.operator_findings import Findings, Link
from insight_desktop.views.system.operator_focus import SINGLE, Focus
from insight_desktop.views.system.operator_insights import OperatorInsights
from insight_desktop.views.system.operator_tables import OperatorTables

_CHARTS_PART = 0.3  # of the height is left to the charts when a drill-down opens


class OperatorPage(Page):
    """Findings, shares and other views of one card's kernels, and their tables."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._work = Background(self)
        self.bar = OperatorBar()
        self.findings = Findings()
        self.insights = OperatorInsights(context)
        self.tables = OperatorTables(context)
        self.empty = EmptyPage("cube")
        self.facts: dict[str, Any] = {}
        self._status: list[str] = []
        self._upper: int | None = None  # height of the charts before the drill-down was opened
        self._shown: tuple[Any, ...] = ()  # what was asked for last
        self._pair: tuple[str, str] | None = None  # the cards that are compared on all pages
        self._pending: dict[str, Any] | None = None  # a state that waits for its cards
        self._build()
        self._connect()

    def _build(self) -> None:
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setHandleWidth(10)
        self.splitter.setObjectName("panels")
        self.splitter.setChildrenCollapsible(False)
        self.insights.setMinimumHeight(190)  # a lower one would clip the pies
        self.splitter.addWidget(self.insights)
        self.splitter.addWidget(self.tables)
        self.splitter.setSizes([330, 400])
        content = QWidget()
        column = parts.rows(content, margins=(12, 10, 12, 10), gap=10)
        column.addWidget(self.findings)
        column.addWidget(self.splitter, 1)
        self.stack = QStackedWidget()
        self.content = parts.scrolling(content)
        self.stack.addWidget(self.content)
        self.stack.addWidget(self.empty)
        whole = parts.rows(self)
        whole.addWidget(self.bar)
        whole.addWidget(self.stack, 1)

    def _connect(self) -> None:
        context, insights, tables = self.context, self.insights, self.tables
        context.store_changed.connect(self.refresh)
        context.card_selected.connect(self._card_clicked)
        context.compare_changed.connect(self._compared)
        self.bar.card_changed.connect(self._card_chosen)
        self.bar.changed.connect(self._changed)
        self.bar.export_wanted.connect(self.export_dialog)
        insights.row_chosen.connect(self._row_chosen)
        insights.core_chosen.connect(lambda core: tables.filter_by("core", core))
        insights.details_wanted.connect(self._details_of)
        insights.timeline_wanted.connect(self.show_in_timeline)
        insights.tab_changed.connect(context.view_changed)
        tables.timeline_wanted.connect(self.show_in_timeline)
        tables.focus_changed.connect(self._focus_changed)
        tables.rows_changed.connect(self._rows_changed)
        tables.drill_changed.connect(self._drill_changed)
        tables.told.connect(self._tell)
        self.splitter.splitterMoved.connect(lambda _at, _i: context.view_changed.emit())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "splitter"):
            self.bar.retranslate()
            self._shown = ()
            self.refresh()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.context.status.emit(self._status)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """The cards or the selection changed."""
        cards = self.context.store.cards_of("system")
        if self.bar.card is None and self.context.card is not None:
            self.bar.set_cards(cards, self.context.card)
        else:
            self.bar.set_cards(cards, None)
        if self._pending is not None and cards:
            state, self._pending = self._pending, None
            self._apply(state)
        self._take_compared()
        if not cards:
            self._shown = ()
            self._show_empty()
            name = self.context.card
            if name is None:
                operator_empty.nothing_open(self.empty)
            else:
                operator_empty.not_read(self.empty, name, lambda: self.context.parse_requested.emit([name]))
            return
        self._changed()

    def _show_empty(self) -> None:
        self.bar.export_button.setEnabled(False)
        self.stack.setCurrentWidget(self.empty)
        self._tell([])

    def _card_clicked(self, name: str) -> None:
        """A click in the data manager."""
        if self.bar.choose_card(name):
            self._changed()

    def _compared(self) -> None:
        """Baseline and comparison were chosen in the data manager, or dropped there."""
        if self._take_compared():
            self._changed()

    def _take_compared(self) -> bool:
        """Take over the two cards that are compared everywhere, once; False when they are the same as before."""
        base, card = self.context.baseline, self.context.comparison
        pair = (base, card) if base is not None and card is not None else None
        if pair == self._pair:
            return False
        self._pair = pair
        if card is not None and pair is not None:
            self.bar.set_cards(self.context.store.cards_of("system"), card)
            self.bar.choose_card(card)
        self.bar.set_base(base if pair is not None else None)
        return True

    def _card_chosen(self, name: str) -> None:
        if self.context.card != name:
            self.context.card = name
            self.context.card_selected.emit(name)
        self.bar.set_base(self.bar.base)
        self._changed()

    def _changed(self) -> None:
        """Ask for everything that card, group, top and baseline decide, unless it is there."""
        card = self.bar.card
        if card is None:
            return
        found = self.context.store.card(card)
        wants = (card, str(found.folder), self.bar.group, self.bar.top, self.bar.base)
        if wants == self._shown:
            return
        is_new = self._shown[:2] != wants[:2]
        self._shown = wants
        self.context.view_changed.emit()
        if is_new:
            self.facts = {}
            self.findings.clear()
        self.ask(queries.facts, then=self._show_facts, failed=self._failed, card=card)

    def _failed(self, error: InsightError) -> None:
        self._shown = ()
        self._show_empty()
        operator_empty.failed(self.empty, say(error.message), say(error.fix), self._changed)

    def _show_facts(self, table: pa.Table) -> None:
        self.facts = table.to_pylist()[0]
        card = self.context.store.card(self.facts["card"])
        if not self.facts["computing"] and not self.facts["communication"]:
            self._show_empty()
            jump = Jump(card.name)
            operator_empty.no_kernels(self.empty, card, self.facts, lambda: self.context.jump.emit(jump))
            return
        self.bar.export_button.setEnabled(True)
        self.stack.setCurrentWidget(self.content)
        group, top, base = self.bar.group, self.bar.top, self.bar.base
        self.tables.set_facts(self.facts)
        self.tables.show_group(card.name, group, top, base)
        self.insights.like = "type_shape" if self.facts["level"] == "l1" else "name"
        self.insights.show_group(card.name, group, top, base)
        self._ask_findings()

    # ---- findings ----------------------------------------------------------------------------------------------------

    def _ask_findings(self) -> None:
        card, group = self.bar.card, self.bar.group
        by_group: Group = "type" if group == "name" else group  # single kernels say little: their types do
        if by_group == "type" and self.facts["level"] == "l0":
            by_group = "name"  # level 0 has no types
        self.ask(queries.pareto, then=lambda t: self._found_largest(t, by_group), card=card, group_by=by_group)
        if self.bar.base is None:
            self._asker.forget(queries.compare)
            self.findings.put("difference", None)
        else:
            self.ask(
                queries.compare, then=lambda t: self._found_difference(t, group), card=card, base=self.bar.base,
                group_by=group, top=-1,
            )  # fmt: skip
        like = "communication_type" if is_communication(group) else self.insights.like
        self.ask(queries.outliers, then=self._found_unusual, card=card, group_by=like)
        if is_communication(group) or self.bar.base is not None or not self.facts["pipe_columns"]:
            self._asker.forget(queries.pipe_ratios)
            self.findings.put("bound", None)
        else:
            self.ask(
                queries.pipe_ratios, then=lambda t: self._found_bound(t, by_group), card=card, group_by=by_group, top=-1
            )
        note = None
        if self.facts["message"]:
            note = operator_findings.Finding(self.facts["message"], self.facts["fix"], "info")
        elif self.facts["skipped_rows"]:
            skipped = self.facts["skipped_rows"]
            text = tr("1 damaged row of the kernel file was left out.")
            if skipped > 1:
                text = tr("{0} damaged rows of the kernel file were left out.").format(number_text.count(skipped))
            note = operator_findings.Finding(text, tr("It has fewer fields than the header."), "warn")
        self.findings.put("note", note)

    def _found_largest(self, table: pa.Table, group: Group) -> None:
        # Groups of a card without types take the same time as those by name.
        if group == self.bar.group or (self.bar.group, group) == ("type", "name"):
            self.tables.set_total(operator_findings.total_us(table))
        links = []
        if table.num_rows:
            focus = Focus.of_row(table.slice(0, 1).to_pylist()[0], group)
            links = [
                Link(tr("Durations"), lambda: self._show_durations(focus)),
                Link(tr("Show in Timeline"), lambda: self.show_in_timeline(focus)),
            ]
        self.findings.put("largest", operator_findings.largest(table, group), tuple(links))
        if not self._status:
            self._tell_card()

    def _found_difference(self, table: pa.Table, group: Group) -> None:
        links = (Link(tr("Differences"), lambda: self.insights.show_tab("differences")),)
        self.findings.put("difference", operator_findings.difference(table, group), links)

    def _found_unusual(self, table: pa.Table) -> None:
        rows = table.to_pylist()
        links = []
        if rows:
            worst = Focus(rows[0]["name"], row=rows[0]["row"])
            links = [
                Link(tr("Outliers"), lambda: self.insights.show_tab("outliers")),
                Link(tr("Show in Timeline"), lambda: self.show_in_timeline(worst)),
            ]
        self.findings.put("unusual", operator_findings.unusual(rows), tuple(links))

    def _found_bound(self, table: pa.Table, group: Group) -> None:
        links = (Link(tr("Pipes"), lambda: self.insights.show_tab("pipes")),)
        self.findings.put("bound", operator_findings.bound(table.to_pylist(), group), links)

    def _show_durations(self, focus: Focus) -> None:
        self.tables.select(focus)
        self.insights.set_focus(focus)
        self.insights.show_tab("durations")

    # ---- selection ---------------------------------------------------------------------------------------------------

    def _row_chosen(self, place: int) -> None:
        """A piece or bar was clicked; with Ctrl its longest slice is shown in the Timeline."""
        if place < 0:
            return
        self.tables.select_row(place)
        if QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier and self.bar.base is None:
            self.show_in_timeline(self.tables.focus)

    def _drill_changed(self) -> None:
        """An open drill-down gets room from the charts, and gives it back."""
        upper, lower = self.splitter.sizes()
        if self.tables.opened is not None and self._upper is None:
            self._upper = upper
            least = max(round((upper + lower) * _CHARTS_PART), self.insights.minimumHeight())
            if upper > least:
                self.splitter.setSizes([least, upper + lower - least])
        elif self.tables.opened is None and self._upper is not None:
            self.splitter.setSizes([self._upper, max(1, upper + lower - self._upper)])
            self._upper = None
        QTimer.singleShot(0, self.tables, self.tables.show_current)
        self.context.view_changed.emit()

    def _details_of(self, place: int) -> None:
        self.tables.select_row(place)
        focus = self.tables.focus
        if focus is not None and focus.row is None:
            self.tables.open_drill(focus)
        elif focus is not None:
            self.tables.main.table.setFocus()

    def _focus_changed(self, focus: Focus | None) -> None:
        self.insights.set_focus(focus)
        self.insights.shares.emphasise(self.tables.main.table.current_row())
        row = self.tables.row()
        if focus is None:
            self._tell_card()
            return
        facts = [focus.label]
        if self.bar.base is not None:
            lead = "duration_us" if "duration_us" in row else "sum_us"
            facts.append(tr("difference {0} µs").format(number_text.signed(row[lead], 3)))
        elif "count" in row:
            count = row["count"]
            facts.append(tr("1 call") if count == 1 else tr("{0} calls").format(number_text.count(count)))
            facts.append(tr("sum {0} µs").format(number_text.number(row["sum_us"], 3)))
            facts.append(tr("average {0} µs").format(number_text.number(row["avg_us"], 3)))
            if row.get("share_ratio") is not None:
                facts.append(tr("{0} of the time").format(number_text.percent(row["share_ratio"], 2)))
        else:
            facts.append(f"{number_text.number(row['duration_us'], 3)} µs")
            if row.get("wait_us") is not None:
                facts.append(tr("waited {0} µs").format(number_text.number(row["wait_us"], 3)))
        self._tell(facts)

    def _rows_changed(self, rows: int) -> None:
        self.bar.set_has_rows(rows > 0)

    def _tell_card(self) -> None:
        if not self.facts:
            return
        facts = self.facts
        self._tell(
            [
                tr("Card {0}").format(self.bar.cards.label_of(facts["card"])),
                tr("{0} computing kernels").format(number_text.count(facts["computing"])),
                tr("{0} communication operators").format(number_text.count(facts["communication"])),
                *([tr("device {0}").format(facts["device"])] if facts["device"] is not None else []),
                *facts["files_read"][:1],
            ]
        )

    def _tell(self, texts: list[str]) -> None:
        self._status = texts
        if self.isVisible():
            self.context.status.emit(texts)

    # ---- Timeline ----------------------------------------------------------------------------------------------------

    def show_in_timeline(self, focus: Focus | None) -> None:
        """Go to the longest slice of a group, or to the one of a kernel."""
        card = self.bar.card
        if focus is None or card is None:
            return
        arguments: dict[str, Any] = {"row": focus.row} if focus.row is not None else dict(focus.texts())
        if focus.row is None:
            arguments["group_by"] = "communication" if focus.communication else "name"
        self.ask(
            queries.slices_of, then=lambda table: self._jump(table, focus), failed=self._no_slice, card=card, limit=1,
            **arguments,
        )  # fmt: skip

    def _jump(self, table: pa.Table, focus: Focus) -> None:
        if not table.num_rows:
            self._no_slice(InsightError(
                tr("The Timeline has no slice of {0}.").format(focus.label),
                fix=tr("The trace of this card may be missing, shorter than its kernel file, or collected apart from it."),
            ))  # fmt: skip
            return
        found = table.to_pylist()[0]
        self.context.jump.emit(Jump(found["card"], slice_id=found["slice_id"]))

    def _no_slice(self, error: InsightError) -> None:
        self.context.message.emit("warning", error.message, error.fix)

    # ---- export ------------------------------------------------------------------------------------------------------

    def export_table(self, *, all_rows: bool = False) -> pa.Table:
        """The main table under the column names of the file: as shown, or all its rows and columns."""
        view, group, compared = self.tables.main.table, self.bar.group, self.bar.base is not None
        if all_rows:
            names = [c.name for c in view.columns]
            table = view.table.select(names)
        else:
            table = view.shown_table()
        table = table.drop_columns([c for c in OWN_COLUMNS if c in table.column_names])
        return operator_export.renamed(table, group, single=group == "communication" if compared else group in SINGLE)

    def file_name(self) -> str:
        """The name that the save dialog begins with."""
        card = self.context.store.card(self.bar.card)
        return operator_export.file_name(self.bar.group, card.rank or card.name)

    def export_dialog(self, all_rows: bool = False) -> None:
        """Ask for a file and write the main table to it."""
        name, _ = QFileDialog.getSaveFileName(self, tr("Export"), self.file_name(), tr("CSV (*.csv)"))
        if name:
            self.export(Path(name), all_rows=all_rows)

    def export(self, path: Path, *, all_rows: bool = False) -> None:
        """Write the main table to a csv file, off the window's thread."""
        table = self.export_table(all_rows=all_rows)
        target = path if path.suffix else path.with_suffix(".csv")
        self._work.run(
            "export",
            lambda: operator_export.write_csv(table, target),
            then=lambda _none: self.context.message.emit(
                "success", tr("Export Successful."), tr("File path: {0}").format(target)
            ),
            failed=lambda error: self.context.message.emit("error", error.message, error.fix),
        )

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Everything the user arranged."""
        if self._pending is not None:
            return self._pending
        return {
            "bar": self.bar.view_state(),
            "insights": self.insights.view_state(),
            "tables": self.tables.view_state(),
            "sizes": self.splitter.sizes(),
            "charts": self._upper,
        }

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave, as soon as its cards are there."""
        if self.context.store.cards_of("system"):
            self._apply(state)
            self._changed()
        else:
            self._pending = dict(state)

    def _apply(self, state: dict[str, Any]) -> None:
        self._shown = ()
        self.bar.restore_state(state.get("bar") or {})
        self.tables.restore_state(state.get("tables") or {})
        self.insights.restore_state(state.get("insights") or {})
        sizes = state.get("sizes") or []
        if len(sizes) == 2 and sum(sizes) > 0:
            self.splitter.setSizes([int(size) for size in sizes])
        self._upper = int(state["charts"]) if state.get("charts") else None


TAB = Tab("system.operator", "Operator", OperatorPage)
