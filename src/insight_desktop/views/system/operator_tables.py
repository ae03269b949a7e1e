"""The main table of the Operator page and, below it, the kernels or the two sides of its current row."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from insight_desktop.engine import compare as sides
from insight_desktop.engine.system import operator as queries
from insight_desktop.engine.system.operator_groups import Group, is_communication
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system import operator_columns as columns
from insight_desktop.views.system.operator_bar import TITLES
from insight_desktop.views.system.operator_focus import SINGLE, Focus
from insight_desktop.views.system.operator_panel import TablePanel

_HEIGHTS = (240, 260)


class OperatorTables(QSplitter):
    """The main table with its drill-down.

    Signals:
        focus_changed: a Focus (or None) that became current in the main table.
        timeline_wanted: a Focus that the Timeline shall show.
        rows_changed: number of rows of the main table.
        drill_changed: the drill-down was opened or closed.
        told: texts for the status bar.
    """

    focus_changed = Signal(object)
    timeline_wanted = Signal(object)
    rows_changed = Signal(int)
    drill_changed = Signal()
    told = Signal(list)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.context = context
        self._asker = Asker(context, self)
        self.main = TablePanel(drills=True)
        self.drill = TablePanel(closable=True)
        self.group: Group = "type"
        self.top = 15
        self.card: str | None = None
        self.base: str | None = None
        self.facts: dict[str, Any] = {}
        self.total_us: float | None = None
        self._states: dict[str, dict[str, Any]] = {}  # order, filters and hidden columns of each kind of table
        self._drill_states: dict[str, dict[str, Any]] = {}
        self._kind = self._drill_kind = ""
        self._is_waiting = False  # the table is that of an older question
        self.opened: Focus | None = None  # what the drill-down lists
        self._wanted: Focus | None = None  # what shall be current when the rows are there
        self.main.words = self._counts
        self.addWidget(self.main)
        self.addWidget(self.drill)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(10)
        self.setObjectName("panels")
        self.setSizes(list(_HEIGHTS))
        self.main.setMinimumHeight(120)
        self.drill.setMinimumHeight(150)
        self.drill.hide()
        self._connect()

    def _connect(self) -> None:
        main, drill = self.main, self.drill
        main.table.current_row_changed.connect(self._current_changed)
        main.table.details_wanted.connect(self._details_wanted)
        main.table.timeline_wanted.connect(lambda row: self.timeline_wanted.emit(self._focus_of(row)))
        main.timeline_wanted.connect(lambda: self.timeline_wanted.emit(self.focus))
        drill.table.timeline_wanted.connect(lambda row: self.timeline_wanted.emit(self._kernel_of(row)))
        drill.table.row_activated.connect(lambda row: self.timeline_wanted.emit(self._kernel_of(row)))
        drill.timeline_wanted.connect(lambda: self.timeline_wanted.emit(self._kernel_of(drill.table.current_row())))
        drill.table.current_row_changed.connect(self._kernel_changed)
        drill.closed.connect(self.close_drill)
        for panel in (main, drill):
            panel.table.exported.connect(
                lambda path: self.context.message.emit("success", tr("Exported: {0}").format(path), "")
            )
            panel.table.failed.connect(self._failed)
            panel.copied.connect(
                lambda rows: self.told.emit([tr("Copied"), tr("{0} rows").format(number_text.count(rows))])
            )

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._titles()
        super().changeEvent(event)

    # ---- asking ------------------------------------------------------------------------------------------------------

    def show_group(self, card: str, group: Group, top: int, base: str | None) -> None:
        """Ask for the rows of a group; another card, group or top closes the drill-down."""
        if (card, group, top, base) != (self.card, self.group, self.top, self.base):
            self.close_drill()
        if (card, group) != (self.card, self.group):
            self.total_us = None
        self._is_waiting = True
        self.card, self.group, self.top, self.base = card, group, top, base
        self._titles()
        # Kernels of a database come with wait times that are computed once, before the first rows are there.
        self.main.table.set_empty_text(tr("Loading kernels and wait times…"))
        for query in (queries.statistics, queries.details, queries.compare):
            self._asker.forget(query)
        common = {"card": card, "top": top}
        if base is not None:
            self._asker.ask(queries.compare, then=self._show_difference, failed=self._empty, base=base, group_by=group,
                            **common)  # fmt: skip
        elif group in SINGLE:
            self._asker.ask(queries.details, then=self._show_rows, failed=self._empty, group_by=group, **common)
        else:
            self._asker.ask(
                queries.statistics, then=self._show_statistics, failed=self._empty, group_by=group, **common
            )

    def set_facts(self, facts: dict[str, Any]) -> None:
        """What the card has, for hints and for words where there are no rows."""
        self.facts = facts
        self._titles()

    def set_total(self, total_us: float) -> None:
        """Time of all operators of the group that was asked for; the share of each row is told of it."""
        self.total_us = total_us
        if self._kind == f"{self.group}|" and self.group not in SINGLE and not self._is_waiting:
            table = self.main.table.table.drop_columns([columns.SHARE, columns.DETAILS])
            self._show_statistics(table)

    def _show_statistics(self, table: pa.Table) -> None:
        self._show(columns.with_links(table, self.total_us), columns.statistic_columns(self.group))

    def _show_rows(self, table: pa.Table) -> None:
        self._show(table, columns.detail_columns(table))

    def _show_difference(self, table: pa.Table) -> None:
        lead = "duration_us" if self.group == "communication" else "sum_us"
        self._show(columns.with_changes(table, lead), columns.compare_columns(self.group))

    def _empty(self, error: InsightError) -> None:
        self.main.table.set_empty_text(f"{say(error.message)} {say(error.fix)}".strip())
        self.main.table.show_table(self.main.table.table.slice(0, 0))
        self._is_waiting = False
        self.rows_changed.emit(0)

    def _show(self, table: pa.Table, specs: list[ColumnSpec]) -> None:
        view, kept = self.main.table, self._wanted or self.focus
        self._is_waiting = False
        kind = f"{self.group}|{'compare' if self.base else ''}"
        if self._kind and self._kind != kind:
            self._states[self._kind] = view.view_state()
        view.comparing = self.base is not None
        self.main.timeline_button.setVisible(self.base is None)
        view.set_columns(specs, table)
        if self._kind != kind:
            self._kind = kind
            view.restore_state(self._states.get(kind, {}))
            if kind not in self._states:
                view.sort_by(None)
        view.set_empty_text(self._why_empty())
        self._wanted = None
        self.main.show_counts()
        if kept is not None:
            self.select(kept)
        if self.focus is None and table.num_rows:
            self.select_row(0)
        self.rows_changed.emit(table.num_rows)

    def _why_empty(self) -> str:
        if self.top == 0:
            return tr("Top is 0: nothing is listed.")
        if is_communication(self.group):
            return tr("This card has no communication operators.")
        if self.facts.get("communication") and not self.facts.get("computing"):
            return tr("This card has communication operators only: choose a communication group.")
        return tr("This card has no computing operators.")

    def _failed(self, error: InsightError) -> None:
        self.context.message.emit("error", error.message, error.fix)

    # ---- titles ------------------------------------------------------------------------------------------------------

    def _titles(self) -> None:
        self.main.title.setText(tr("Operator Details"))
        title = tr(TITLES.get(self.group, "Computing Operator Type"))
        if self.base is not None:
            about = tr("{0}: card {1} minus card {2}").format(title, self._called(self.card), self._called(self.base))
        else:
            about = title
        self.main.about.set_text(about)
        raw = bool(self.facts.get("is_db") and self.facts.get("pmu_columns"))
        hint = tr(
            "Counters are as the database has them: times in ns, sizes in bytes, bandwidth in Byte/s, frequency in MHz."
        )
        self.main.set_hint(hint if raw and self.group == "name" and self.base is None else "")
        computing = self.opened is not None and not self.opened.communication
        self.drill.set_hint(hint if raw and computing and self.base is None else "")
        if self.opened is not None:
            both = tr("Both sides of {0}") if self.base else tr("Kernels of {0}")
            self.drill.title.setText(both.format(self.opened.label))

    def _called(self, name: str | None) -> str:
        return next((c.alias or c.rank or c.name for c in self.context.store.cards if c.name == name), name or "")

    def _counts(self, shown: int, every: int) -> str:
        view = self.main.table
        if columns.SHARE in [c.name for c in view.shown_columns()]:
            share = sum(value or 0.0 for value in view.shown_table()[columns.SHARE].to_pylist())
            return tr("{0} of {1} rows · {2} of the time").format(
                number_text.count(shown), number_text.count(every), number_text.percent(share)
            )
        return tr("{0} of {1} rows").format(number_text.count(shown), number_text.count(every))

    # ---- what is current ---------------------------------------------------------------------------------------------

    @property
    def focus(self) -> Focus | None:
        """The current row of the main table."""
        return self._focus_of(self.main.table.current_row())

    def _focus_of(self, row: int) -> Focus | None:
        if not 0 <= row < self.main.table.table.num_rows:
            return None
        return Focus.of_row(self.main.table.row(row), self.group)

    def _kernel_of(self, row: int) -> Focus | None:
        if self.opened is None or self.base is not None or not 0 <= row < self.drill.table.table.num_rows:
            return None
        found = self.drill.table.row(row)
        return Focus(found["name"], found["type"], found.get("core"), None, found["row"], self.opened.communication)

    def row(self) -> dict[str, Any]:
        """Values of the current row of the main table."""
        at = self.main.table.current_row()
        return self.main.table.row(at) if 0 <= at < self.main.table.table.num_rows else {}

    def select_row(self, at: int) -> None:
        """Make a row of the main table current, by its place in the query's order."""
        self.main.table.select_row(at)

    def show_current(self) -> None:
        """Bring the current row into view, after heights changed."""
        self.main.table.scrollTo(self.main.table.currentIndex())

    def select(self, focus: Focus) -> None:
        """Make the row of a group (or kernel) current, when the table has it."""
        wanted = focus.texts() if focus.row is None else {"row": focus.row}
        table = self.main.table.table
        if any(key not in table.column_names for key in wanted):
            return
        here: Any = None
        for key, value in wanted.items():
            same = pc.equal(table[key], value)
            here = same if here is None else pc.and_(here, same)
        found = pc.index(here, True).as_py() if here is not None else -1
        if found >= 0:
            self.select_row(found)

    def filter_by(self, column: str, text: str) -> None:
        """Filter the main table by a text, or drop that filter when it is on."""
        filters = self.main.table.filters()
        if filters.get(column) == text:
            filters.pop(column)
        else:
            filters[column] = text
        self.main.table.set_filters(filters)

    def _current_changed(self, _row: int) -> None:
        focus = self.focus
        self.focus_changed.emit(focus)
        if self.opened is not None and focus is not None and focus != self.opened:
            self.open_drill(focus)

    def _kernel_changed(self, _row: int) -> None:
        at = self.drill.table.current_row()
        if self._kernel_of(at) is None:
            return
        found = self.drill.table.row(at)
        facts = [f"{tr('Duration')} {number_text.number(found['duration_us'], 3)} µs"]
        if found["start_ms"] is not None:
            facts.append(f"{tr('Start Time')} {number_text.number(found['start_ms'], 2)} ms")
        if found["wait_us"] is not None:
            facts.append(f"{tr('Wait Time')} {number_text.number(found['wait_us'], 3)} µs")
        self.told.emit([found["name"], *facts])

    # ---- drill-down --------------------------------------------------------------------------------------------------

    def _details_wanted(self, row: int) -> None:
        focus = self._focus_of(row)
        if focus is None:
            return
        if self.base is None and focus.row is not None:  # single kernels have nothing below them
            self.timeline_wanted.emit(focus)
        elif focus == self.opened:
            self.close_drill()
        else:
            self.select_row(row)
            self.open_drill(focus)

    def open_drill(self, focus: Focus) -> None:
        """List all kernels of a group, or both sides of a difference."""
        self.opened = focus
        self.drill.show()
        self._titles()
        if self.base is not None:
            self._show_sides()
        else:
            group = "communication" if focus.communication else "name"
            self.drill.table.set_empty_text(tr("Loading kernels and wait times…"))
            texts: dict[str, Any] = {f"of_{key}": text for key, text in focus.texts().items()}
            self._asker.forget(queries.details)
            self._asker.ask(queries.details, then=self._show_kernels, card=self.card, group_by=group, top=-1, **texts)
        self.drill_changed.emit()

    def close_drill(self) -> None:
        """Close the drill-down."""
        if self.opened is not None:
            self.opened = None
            self._asker.forget(queries.details)
            self.drill.hide()
            self.drill_changed.emit()

    def _show_kernels(self, table: pa.Table) -> None:
        if self.opened is None:
            return
        kind = "communication" if self.opened.communication else "computing"
        self._show_drill(table, columns.detail_columns(table), kind)

    def _show_sides(self) -> None:
        at = self.main.table.current_row()
        if at < 0:
            return
        two = [sides.side(self.main.table.table, which, [at]) for which in ("baseline", "comparison")]
        dropped = [c for c in columns.OWN_COLUMNS if c in two[0].column_names]
        table = pa.concat_tables([t.drop_columns(dropped) for t in two], promote_options="permissive")
        table = columns.with_source(table, [tr("Baseline"), tr("Comparison")])
        self._show_drill(table, columns.side_columns(self.group), f"{self.group}|compare")

    def _show_drill(self, table: pa.Table, specs: list[ColumnSpec], kind: str) -> None:
        view = self.drill.table
        if self._drill_kind and self._drill_kind != kind:
            self._drill_states[self._drill_kind] = view.view_state()
        self.drill.timeline_button.setVisible(self.base is None)
        view.set_columns(specs, table)
        if self._drill_kind != kind:
            self._drill_kind = kind
            view.restore_state(self._drill_states.get(kind, {}))
            if kind not in self._drill_states:
                view.sort_by(None)
        self.drill.show_counts()

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Order, filters and columns of every kind of table, current row, drill-down, heights."""
        if self._kind:
            self._states[self._kind] = self.main.table.view_state()
        if self._drill_kind:
            self._drill_states[self._drill_kind] = self.drill.table.view_state()
        focus = self.focus
        return {
            "tables": dict(self._states),
            "drill_tables": dict(self._drill_states),
            "focus": dict(vars(focus)) if focus is not None else None,
            "drill": dict(vars(self.opened)) if self.opened is not None else None,
            "sizes": self.sizes() if self.opened is not None else [],
        }

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave, as soon as the rows are there."""
        self._states = {str(k): dict(v) for k, v in (state.get("tables") or {}).items()}
        self._drill_states = {str(k): dict(v) for k, v in (state.get("drill_tables") or {}).items()}
        self._kind = self._drill_kind = ""
        self._wanted = _focus(state.get("focus"))
        opened = _focus(state.get("drill"))
        sizes = state.get("sizes") or []
        if len(sizes) == 2 and sum(sizes) > 0:
            self.setSizes([int(size) for size in sizes])
        if opened is not None:
            self._open_when_there(opened)

    def _open_when_there(self, focus: Focus) -> None:
        def once(rows: int) -> None:
            self.rows_changed.disconnect(once)
            if rows and self.focus is not None:
                self.open_drill(self.focus if self.base is not None else focus)

        self.rows_changed.connect(once)


def _focus(kept: Any) -> Focus | None:
    try:
        return Focus(**kept) if isinstance(kept, dict) else None
    except TypeError:  # a session of another version
        return None
