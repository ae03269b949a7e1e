"""The upper half of the Operator page: shares, Pareto, durations, outliers, shapes, pipes; or the differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QSignalBlocker, Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from insight_desktop.engine.system import operator as queries
from insight_desktop.engine.system.operator_groups import Group, is_communication
from insight_desktop.errors import InsightError, NoData
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system.operator_charts import (
    DifferenceChart,
    DurationCharts,
    ParetoChart,
    PipesChart,
    ShapesView,
)
from insight_desktop.views.system.operator_columns import StartSpec
from insight_desktop.views.system.operator_focus import Focus
from insight_desktop.views.system.operator_panel import TablePanel
from insight_desktop.views.system.operator_shares import OperatorShares

TABS: dict[str, str] = {
    "shares": QT_TRANSLATE_NOOP("insight", "Shares"),
    "differences": QT_TRANSLATE_NOOP("insight", "Differences"),
    "pareto": QT_TRANSLATE_NOOP("insight", "Pareto (ABC)"),
    "durations": QT_TRANSLATE_NOOP("insight", "Durations"),
    "outliers": QT_TRANSLATE_NOOP("insight", "Outliers"),
    "shapes": QT_TRANSLATE_NOOP("insight", "Shapes"),
    "pipes": QT_TRANSLATE_NOOP("insight", "Pipes"),
}
_QUERIES: dict[str, tuple[Callable[..., Any], ...]] = {
    "shares": (queries.share,), "differences": (queries.compare,), "pareto": (queries.pareto,),
    "durations": (queries.durations, queries.duration_histogram), "outliers": (queries.outliers,),
    "shapes": (queries.shape_sensitivity,), "pipes": (queries.pipe_ratios,),
}  # fmt: skip
_PIPES_TOP = 40
_OUTLIER_COLUMNS = (
    ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Name"), width=260),
    ColumnSpec("type", QT_TRANSLATE_NOOP("insight", "Type"), width=150),
    ColumnSpec("core", QT_TRANSLATE_NOOP("insight", "Accelerator Core"), width=140),
    ColumnSpec("shape", QT_TRANSLATE_NOOP("insight", "Input Shapes"), width=160),
    StartSpec("start_ms", QT_TRANSLATE_NOOP("insight", "Start Time"), unit="ms", kind="number", decimals=2),
    ColumnSpec("duration_us", QT_TRANSLATE_NOOP("insight", "Duration"), unit="µs", kind="number", decimals=3),
    ColumnSpec("median_us", QT_TRANSLATE_NOOP("insight", "Median"), unit="µs", kind="number", decimals=3),
    ColumnSpec("factor", QT_TRANSLATE_NOOP("insight", "Factor"), unit="×", kind="number", decimals=2),
    ColumnSpec(
        "cost_us", QT_TRANSLATE_NOOP("insight", "Cost"), unit="µs", kind="number", decimals=3,
        tooltip=QT_TRANSLATE_NOOP("insight", "Duration above the median of its group"),
    ),
    ColumnSpec("count", QT_TRANSLATE_NOOP("insight", "Calls"), kind="count"),
)  # fmt: skip


class OperatorInsights(QWidget):
    """Tabs over one card, group and focus. Only the visible tab asks.

    Signals:
        row_chosen: place of a row of the main table.
        core_chosen: name of a core.
        timeline_wanted: a Focus that the Timeline shall show.
        details_wanted: place of a row of the main table whose kernels shall be listed.
        tab_changed: another tab is shown.
    """

    row_chosen = Signal(int)
    core_chosen = Signal(str)
    timeline_wanted = Signal(object)
    details_wanted = Signal(int)
    tab_changed = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._asker = Asker(context, self)
        self.bar = QTabBar()
        self.bar.setObjectName("panel")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.stack = QStackedWidget()
        self.shares, self.differences, self.pareto = OperatorShares(), DifferenceChart(), ParetoChart()
        self.durations, self.outliers, self.shapes = DurationCharts(), TablePanel(_OUTLIER_COLUMNS), ShapesView()
        self.pipes = PipesChart()
        self._views: dict[str, QWidget] = {
            "shares": self.shares, "differences": self.differences, "pareto": self.pareto, "durations": self.durations,
            "outliers": self.outliers, "shapes": self.shapes, "pipes": self.pipes,
        }  # fmt: skip
        self._keys: list[str] = []
        self._asked: dict[str, tuple[Any, ...]] = {}  # what each tab shows or waits for
        self.card: str | None = None
        self.group: Group = "type"
        self.top = 15
        self.base: str | None = None
        self.focus: Focus | None = None
        self.like: Group = "type_shape"  # kernels of such a group are alike; outliers stick out of it
        self._difference: pa.Table | None = None
        column = parts.rows(self)
        column.addWidget(self.bar)
        column.addWidget(self.stack, 1)
        for view in self._views.values():
            self.stack.addWidget(view)
        self._connect()
        self._fill_tabs("shares")

    def _connect(self) -> None:
        self.bar.currentChanged.connect(lambda _at: self._tab_chosen())
        self.shares.item_clicked.connect(self.row_chosen)
        self.shares.core_clicked.connect(self.core_chosen)
        self.shares.details_wanted.connect(self.details_wanted)
        self.pareto.group_clicked.connect(self.row_chosen)
        self.pipes.group_clicked.connect(self.row_chosen)
        self.differences.row_clicked.connect(self.row_chosen)
        for view in (self.shares, self.durations, self.shapes):
            view.timeline_wanted.connect(self.timeline_wanted)
        table = self.outliers.table
        for signal in (table.timeline_wanted, table.row_activated):
            signal.connect(lambda row: self.timeline_wanted.emit(self._outlier(row)))
        self.outliers.timeline_wanted.connect(lambda: self.timeline_wanted.emit(self._outlier(table.current_row())))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            for i, key in enumerate(self._keys):
                self.bar.setTabText(i, tr(TABS[key]))
            self.durations.retranslate()
            self._asked.clear()
            self.renew()
        super().changeEvent(event)

    # ---- tabs --------------------------------------------------------------------------------------------------------

    @property
    def tab(self) -> str:
        """Key of the visible tab."""
        at = self.bar.currentIndex()
        return self._keys[at] if 0 <= at < len(self._keys) else ""

    def show_tab(self, key: str) -> None:
        """Show a tab, if there is one of that key now."""
        if key in self._keys:
            self.bar.setCurrentIndex(self._keys.index(key))

    def _fill_tabs(self, current: str) -> None:
        keys = [key for key in TABS if key != ("shares" if self.base is not None else "differences")]
        if keys == self._keys:
            return
        with QSignalBlocker(self.bar):
            while self.bar.count():
                self.bar.removeTab(0)
            for key in keys:
                self.bar.addTab(tr(TABS[key]))
            self._keys = keys
            self.bar.setCurrentIndex(keys.index(current) if current in keys else 0)
        self.stack.setCurrentWidget(self._views[self.tab])

    def _tab_chosen(self) -> None:
        if self.tab:
            self.stack.setCurrentWidget(self._views[self.tab])
            self.renew()
            self.tab_changed.emit()

    # ---- asking ------------------------------------------------------------------------------------------------------

    def show_group(self, card: str, group: Group, top: int, base: str | None) -> None:
        """Another card, group, number of rows or baseline."""
        self.card, self.group, self.top, self.base = card, group, top, base
        self._asked.clear()
        self._fill_tabs(self.tab)
        self.renew()

    def set_focus(self, focus: Focus | None) -> None:
        """Another operator is current in the main table."""
        self.focus = focus
        self.renew()

    def renew(self) -> None:
        """Ask for what the visible tab shows, unless it is there."""
        if self.card is None or not self.tab:
            return
        key = self.tab
        wants = (self.card, self.group, self.top, self.base, *((self.focus,) if key in ("durations", "shapes") else ()))
        if self._asked.get(key) == wants:
            return
        self._asked[key] = wants
        for query in _QUERIES[key]:
            self._asker.forget(query)  # words may take the place of an answer that is under way
        getattr(self, f"_ask_{key}")()

    def _ask(self, query: Callable[..., Any], then: Callable[[Any], None], **arguments: Any) -> None:
        self._asker.ask(query, then=then, card=self.card, **arguments)

    def _ask_shares(self) -> None:
        group = self.group
        self._ask(queries.share, lambda t: self.shares.show_shares(group, t), group_by=group, top=self.top)

    def _ask_differences(self) -> None:
        group = self.group
        self._ask(
            queries.compare, lambda t: self.differences.show_differences(t, group), base=self.base, group_by=group,
            top=self.top,
        )  # fmt: skip

    def _ask_pareto(self) -> None:
        group = self.group
        self._ask(queries.pareto, lambda t: self.pareto.show_groups(t, group), group_by=group)

    def _ask_durations(self) -> None:
        focus = self.focus
        if focus is None:
            self.durations.clear(tr("No operator is chosen"), tr("Choose a row of the table below."))
            return
        texts = focus.texts()
        self._ask(queries.durations, lambda t: self.durations.show_points(focus, t), **texts)
        self._ask(queries.duration_histogram, self.durations.show_histogram, **texts)

    def _ask_outliers(self) -> None:
        self.outliers.title.setText(tr("Outliers"))
        self.outliers.about.set_text(
            tr("above median + 3 · 1.4826 · MAD and 1.5 × median of their like; costliest first")
        )
        self.outliers.table.set_empty_text(tr("Loading…"))
        group = "communication_type" if is_communication(self.group) else self.like
        self._ask(queries.outliers, self._show_outliers, group_by=group)

    def _show_outliers(self, table: pa.Table) -> None:
        self.outliers.table.set_empty_text(
            tr("No kernel takes far longer than its like. Checked in groups of 8 or more calls.")
        )
        self.outliers.table.show_table(table)
        cost = number_text.number(sum(table["cost_us"].to_pylist()), 3)
        self.outliers.words = lambda shown, every: tr("{0} of {1} rows · cost {2} µs").format(
            number_text.count(shown), number_text.count(every), cost
        )
        self.outliers.show_counts()

    def _outlier(self, row: int) -> Focus | None:
        if not 0 <= row < self.outliers.table.table.num_rows:
            return None
        found = self.outliers.table.row(row)
        return Focus(found["name"], row=found["row"], communication=is_communication(self.group))

    def _ask_shapes(self) -> None:
        focus = self.focus
        if focus is None:
            self.shapes.clear(tr("Choose a row of the table below."))
        elif focus.communication:
            self.shapes.clear(tr("Communication operators have no input shapes. Choose a computing group."))
        else:
            self._ask(queries.shape_sensitivity, lambda t: self.shapes.show_shapes(focus, t), **focus.operator)

    def _ask_pipes(self) -> None:
        group = self.group
        if is_communication(group):
            self._no_pipes(NoData(tr("Communication operators use no pipes."), fix=tr("Choose a computing group.")))
            return
        self._asker.ask(
            queries.pipe_ratios, then=lambda t: self.pipes.show_pipes(t, group), failed=self._no_pipes, card=self.card,
            group_by=group, top=_PIPES_TOP if self.top < 0 else self.top,
        )  # fmt: skip

    def _no_pipes(self, error: InsightError) -> None:
        self.pipes.set_title(tr("Pipes"))
        self.pipes.set_bars([], [])
        self.pipes.set_empty(say(error.message), say(error.fix))

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Tab, hidden parts, order and filters of the outliers."""
        return {
            "tab": self.tab,
            "shares": self.shares.view_state(),
            "outliers": self.outliers.table.view_state(),
            "shapes": self.shapes.panel.table.view_state(),
            "pipes_hidden": sorted(self.pipes.area.hidden),
        }

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave."""
        self.shares.restore_state(state.get("shares") or {})
        self.outliers.table.restore_state(state.get("outliers") or {})
        self.shapes.panel.table.restore_state(state.get("shapes") or {})
        self.pipes.area.hidden = frozenset(str(key) for key in state.get("pipes_hidden") or ())
        self.show_tab(str(state.get("tab") or ""))
