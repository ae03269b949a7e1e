"""The Memory page: curves of a card's memory, what was allocated when, static graphs, two cards compared."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QSplitter, QStackedWidget, QToolTip, QWidget

from insight_desktop.errors import InsightError
from insight_desktop.views.common import fonts, parts, theme
from insight_desktop.views.common.card_selector import CardSelector
from insight_desktop.views.common.chart import Chart
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.common.empty_page import EmptyPage
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.common.select import Select
from insight_desktop.views.system import memory_curves, memory_load, memory_texts
from insight_desktop.views.system.memory_details import MemoryDetails
from insight_desktop.views.system.memory_marks import MarkSelect
from insight_desktop.views.system.memory_peaks import PeakStrip

GROUPS = ("overall", "stream", "component")
LEAST_CURVES, LEAST_TABLE = 110, 150  # heights below which nobody can read them; a panel below the page gives way


class MemoryPage(Page):
    """One card's memory over time, or a card (comparison) against another one (baseline)."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.facts: dict[str, Any] = {}
        self._pending: dict[str, Any] | None = None  # a state that waits for its data
        self._build_bar()
        self._build_body()
        self.load = memory_load.Loader(self)
        self._connect()
        self.retranslate()

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build_bar(self) -> None:
        self.cards = CardSelector()
        self.group_label, self.graph_label = parts.label(), parts.label()
        self.mark_label, self.base_label = parts.label(), parts.label()
        self.group_box, self.graph_box, self.base_box = Select(), Select(), Select()
        for box in (self.group_box, self.graph_box, self.base_box):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMaximumWidth(220)
            box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            box.setMinimumWidth(64)
        for group in GROUPS:
            self.group_box.addItem(group, group)
        self.help_button = parts.icon_button("question")
        self.help_button.clicked.connect(lambda: show_help(self.help_button))
        self.marks = MarkSelect()
        self.whole_button = parts.button("", "magnifying-glass-minus", flat=True, click=self.restore_ranges)
        self.export_button = parts.button("", "download-simple")
        self.bar = QWidget()
        self.bar.setObjectName("surface")
        self.bar.setProperty("edge", "bottom")
        self.bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        parts.keep_height(self.bar, 38)
        row = parts.columns(self.bar, margins=(12, 0, 12, 0), gap=6)
        row.addWidget(self.cards)
        pairs: tuple[tuple[QLabel, QWidget], ...] = (
            (self.group_label, self.group_box), (self.graph_label, self.graph_box),
            (self.mark_label, self.marks), (self.base_label, self.base_box),
        )  # fmt: skip
        for label, chooser in pairs:
            row.addSpacing(2)
            row.addWidget(label)
            row.addWidget(chooser)
            label.setBuddy(chooser)
            if chooser is self.group_box:
                row.addWidget(self.help_button)
        row.addStretch(1)
        row.addWidget(self.whole_button)
        row.addWidget(self.export_button)

    def _build_body(self) -> None:
        self.peaks = PeakStrip()
        self.chart = Chart(
            x=memory_curves.time_axis(), y=memory_curves.value_axis(), brush=True, overview=True, collapsible=True
        )
        self.peak_help = self.chart.add_button("question", lambda: show_help(self.peak_help))
        self.static_chart = Chart(
            x=memory_curves.node_axis(), y=memory_curves.value_axis(), brush=True, collapsible=True
        )
        self.details = MemoryDetails()
        for chart in (self.chart, self.static_chart):
            chart.plot.setMinimumHeight(fonts.scaled(LEAST_CURVES))
        self.details.body.setMinimumHeight(fonts.scaled(LEAST_TABLE))
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setHandleWidth(10)
        self.splitter.setObjectName("panels")
        for widget, factor in ((self.chart, 1), (self.static_chart, 1), (self.details, 1)):
            self.splitter.addWidget(widget)
            self.splitter.setStretchFactor(self.splitter.count() - 1, factor)
            self.splitter.setCollapsible(self.splitter.count() - 1, False)
        inside = QWidget()
        inside.setObjectName("frame")
        inner = parts.rows(inside, margins=(12, 12, 12, 12), gap=10)
        inner.addWidget(self.peaks)
        inner.addWidget(self.splitter, 1)
        self._rest = QWidget()  # takes the room when both panels are collapsed
        inner.addWidget(self._rest)
        self._rest.hide()
        self.empty = EmptyPage("cpu")
        self.content = parts.scrolling(inside)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.content)
        self.stack.addWidget(self.empty)
        column = parts.rows(self)
        column.addWidget(self.bar)
        column.addWidget(self.stack, 1)
        self.static_chart.hide()
        self.show_content(False)

    def show_content(self, shown: bool) -> None:
        """Charts and table, or the page that says why there are none; choices that mean nothing there are hidden."""
        self.stack.setCurrentWidget(self.content if shown else self.empty)
        for widget in (self.group_label, self.group_box, self.help_button, self.whole_button, self.export_button):
            widget.setVisible(shown)
        if not shown:
            for widget in (self.graph_label, self.graph_box, self.mark_label, self.marks):
                widget.hide()

    def _connect(self) -> None:
        load = self.load
        self.cards.card_changed.connect(load.choose_card)
        self.group_box.currentIndexChanged.connect(lambda _i: load.choose_group())
        self.graph_box.currentIndexChanged.connect(lambda _i: load.choose_graph())
        self.base_box.currentIndexChanged.connect(lambda _i: load.choose_base())
        self.marks.hidden_changed.connect(lambda _names: load.show_marks())
        self.export_button.clicked.connect(self.chart.export_dialog)
        self.chart.range_changed.connect(load.range_changed)
        self.chart.cursor_moved.connect(self._tell_cursor)
        self.static_chart.range_changed.connect(lambda _range: load.ask_rows())
        self.peaks.time_wanted.connect(self._show_time)
        details = self.details
        details.only_inside_changed.connect(lambda _on: load.ask_rows())
        details.range_dropped.connect(self.restore_ranges)
        details.reset_wanted.connect(details.reset_all)
        details.search_wanted.connect(load.ask_rows)
        details.slice_wanted.connect(load.find_slice)
        details.row_hovered.connect(self._emphasise)
        details.rows_changed.connect(lambda _shown, _all: self.tell_status())
        details.refused.connect(lambda text: self.context.message.emit("warning", text, ""))
        for failed in (self.chart.failed, self.static_chart.failed, *(t.failed for t in details.tables)):
            failed.connect(lambda error: self.context.message.emit("error", error.message, error.fix))
        for panel in (self.chart, self.details):
            panel.collapsed_changed.connect(lambda _on: self._fill_rest())
        for signal in (
            self.chart.range_changed, self.chart.view_changed, self.chart.hidden_changed,
            self.cards.card_changed, self.group_box.currentIndexChanged, self.base_box.currentIndexChanged,
            self.graph_box.currentIndexChanged, details.only_inside_changed, self.marks.hidden_changed,
        ):  # fmt: skip
            signal.connect(lambda *_: self.context.view_changed.emit())
        self.context.store_changed.connect(self.refresh)
        self.context.card_selected.connect(self._card_clicked)
        self.context.compare_changed.connect(self.load.compared)
        self.context.language_changed.connect(self.retranslate)
        theme.notifier.changed.connect(self._restyle)
        changed = getattr(self.context, "flags_changed", None)
        if changed is not None:
            changed.connect(load.show_marks)

    def retranslate(self) -> None:
        """All texts in the current language."""
        self.cards.retranslate()
        for label, text in (
            (self.group_label, tr("Group By")),
            (self.graph_label, tr("Graph ID")),
            (self.mark_label, tr("Area Mark")),
            (self.base_label, tr("Compare with")),
        ):
            label.setText(text)
        for box, text in (
            (self.group_box, tr("Group By")),
            (self.graph_box, tr("Graph ID")),
            (self.base_box, tr("Compare with")),
        ):
            box.setAccessibleName(text)
        for i in range(self.group_box.count()):
            self.group_box.setItemText(i, memory_texts.group_title(str(self.group_box.itemData(i))))
        parts.set_tip(self.help_button, memory_texts.group_help())
        parts.set_tip(self.peak_help, memory_texts.peak_help())
        self.whole_button.setText(tr("Whole range"))
        self.export_button.setText(tr("Export…"))
        self.chart.set_axes(memory_curves.time_axis(), memory_curves.value_axis())
        self.static_chart.set_axes(memory_curves.node_axis(), memory_curves.value_axis())
        self.load.retranslate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.load.shown()
        self.tell_status()

    # ---- what is chosen ----------------------------------------------------------------------------------------------

    @property
    def card(self) -> str | None:
        """The card that is shown; the comparison while two are compared."""
        return self.cards.card

    @property
    def base(self) -> str | None:
        """The baseline while two cards are compared."""
        found = self.base_box.currentData()
        return str(found) if found else None

    @property
    def group(self) -> str:
        """overall, stream or component."""
        return str(self.group_box.currentData() or "overall")

    @property
    def graph(self) -> str | None:
        """The static graph."""
        found = self.graph_box.currentData()
        return str(found) if found is not None else None

    @property
    def is_static(self) -> bool:
        """The card has static graphs."""
        return self.facts.get("memory_type") == "static"

    def refresh(self) -> None:
        """Take over the cards of the store; what is shown stays when its card is unchanged."""
        self.load.refresh()

    def _card_clicked(self, name: str) -> None:
        if self.base is None and self.cards.choose(name):
            self.load.choose_card(name)

    def restore_ranges(self) -> None:
        """Whole axes, no interval."""
        self.chart.restore()
        self.static_chart.restore()

    # ---- small reactions ---------------------------------------------------------------------------------------------

    def _show_time(self, ms: float) -> None:
        low, high = self.chart.plot.whole
        half = (high - low) / 20
        self.chart.zoom_to(ms - half, ms + half)
        self.chart.plot.move_cursor(ms)
        self.chart.plot.setFocus()

    def _emphasise(self, row: int) -> None:
        """The moments of a row of allocations on the curve of allocated memory."""
        if row < 0 or self.base is not None or self.group != "overall":
            self.chart.emphasise("Operators Allocated", ())
            return
        found = self.details.operators.row(row)
        times = [found[c] for c in ("alloc_ms", "release_ms") if found.get(c) is not None]
        self.chart.emphasise("Operators Allocated", times)

    def _tell_cursor(self, ms: float | None) -> None:
        self.context.cursor.emit("" if ms is None else memory_texts.clock(ms))

    def _restyle(self) -> None:
        self.load.show_peaks()

    def _fill_rest(self) -> None:
        self._rest.setVisible(self.chart.is_collapsed and self.details.is_collapsed)

    def tell_status(self) -> None:
        """What is selected and how much it is, in the status bar."""
        if self.isVisible():
            self.context.status.emit(memory_load.status_texts(self))

    def jump_to(self, found: pa.Table) -> None:
        """Go to a slice in the Timeline."""
        row = found.to_pylist()[0]
        end = row["ts_ns"] + row["dur_ns"]
        self.context.jump.emit(Jump(row["card"], slice_id=row["id"], start_ns=row["ts_ns"], end_ns=end))

    def not_found(self, error: InsightError) -> None:
        """There is no slice behind an allocation."""
        self.context.message.emit("warning", tr("Failed to find slice in timeline"), error.fix)

    # ---- session -----------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        if self._pending is not None:
            return self._pending
        return {
            "card": self.card,
            "base": self.base,
            "group": self.group,
            "graph": self.graph,
            "curve": self.chart.view_state(),
            "static": self.static_chart.view_state(),
            "only_inside": self.details.only_inside.isChecked(),
            "table": self.details.operators.view_state(),
            "hidden_marks": sorted(self.marks.hidden),
            "collapsed": [self.chart.is_collapsed, self.details.is_collapsed],
            "sizes": self.splitter.sizes(),
        }

    def restore_state(self, state: dict[str, Any]) -> None:
        if not isinstance(state, dict) or not state:
            return
        self._pending = state
        self.load.refresh()

    def apply_pending(self) -> None:
        """The data are there: bring back zoom, range, filters and panels."""
        state, self._pending = self._pending, None
        if state is None:
            return
        self.details.only_inside.setChecked(bool(state.get("only_inside")))
        if isinstance(state.get("table"), dict):
            self.details.operators.restore_state(state["table"])
        if isinstance(state.get("curve"), dict):
            self.chart.restore_state(state["curve"])
        self.marks.set_hidden(frozenset(str(n) for n in state.get("hidden_marks") or ()))
        collapsed = state.get("collapsed") or [False, False]
        self.chart.set_collapsed(bool(collapsed[0]))
        self.details.set_collapsed(bool(collapsed[-1]))
        sizes = state.get("sizes")
        if isinstance(sizes, list) and len(sizes) == self.splitter.count() and sum(sizes) > 0:
            self.splitter.setSizes([int(s) for s in sizes])

    @property
    def pending(self) -> dict[str, Any] | None:
        """A state that waits for its data."""
        return self._pending


def show_help(button: QWidget) -> None:
    """Show the tooltip of a help button at once, also for those who press it by key."""
    QToolTip.showText(button.mapToGlobal(button.rect().bottomLeft()), button.toolTip(), button)


TAB = Tab("system.memory", "Memory", MemoryPage)
