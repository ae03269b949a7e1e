"""The RL page: which role of a reinforcement learning run works when, on every card, and how long the cards wait."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QPainter, QShowEvent
from PySide6.QtWidgets import QMenu, QSplitter, QStackedWidget, QWidget

from insight_desktop.engine.rl_config import config_file
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import rl as queries
from insight_desktop.errors import InsightError
from insight_desktop.views.common import icons, number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.chart_legend import Entry, Legend
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.common.empty_page import EmptyPage, Offer
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system.rl_area import RlArea, role_colour

_LEAST, _MOST, _PER_CARD, _AROUND = 200, 800, 50, 200  # px of the chart
_BUBBLES = (
    ColumnSpec("label", "Card"),
    ColumnSpec("host", "Host"),
    ColumnSpec("tasks", "Tasks", kind="number", decimals=0),
    ColumnSpec("span_ms", "Span", unit="ms", kind="number", decimals=3, tooltip="From the first start of a task to the last end"),
    ColumnSpec("busy_ms", "Busy", unit="ms", kind="number", decimals=3, tooltip="Union of the tasks"),
    ColumnSpec("bubble_ms", "Bubble", unit="ms", kind="number", decimals=3, tooltip="Span − busy: the card has no task"),
    ColumnSpec("bubble_ratio", "Bubble ratio", kind="percent", decimals=2, bar=True),
)  # fmt: skip
_NODES = (
    ColumnSpec("card", "Card"),
    ColumnSpec("host", "Host"),
    ColumnSpec("rank", "Rank"),
    ColumnSpec("node_type", "Node Type"),
    ColumnSpec("name", "Name"),
    ColumnSpec("role", "Stage Type"),
    ColumnSpec("start_ns", "Start Time", unit="ns", kind="number", decimals=0),
    ColumnSpec("dur_ns", "Duration", unit="ns", kind="number", decimals=0),
)


class RlChart(ChartBox):
    """The chart with its head: legend of the roles, zoom, back, reset, and where the axis begins."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.area = RlArea()
        self.legend = Legend()
        self.roles: list[str] = []
        super().__init__(parent=parent)
        self.head_row.insertWidget(3, self.legend)
        self.relative = self.add_button("arrow-line-left", self._origin_changed, checkable=True)
        self.zoom_button = self.add_button("magnifying-glass-plus", self._tool_changed, checkable=True)
        self.back_button = self.add_button("arrow-u-up-left", self.area.back)
        self.reset_button = self.add_button("arrow-counter-clockwise", self.area.reset)
        parts.rows(self.content).addWidget(self.area)
        self.area.zoomed.connect(self._fit_buttons)
        self.legend.hidden_changed.connect(
            lambda keys: self.area.hide_roles(frozenset(self.roles.index(key) for key in keys if key in self.roles))
        )
        self.retranslate()
        self._fit_buttons()

    def show_tasks(self, tasks: pa.Table, bubbles: pa.Table, low_ns: int) -> None:
        """Show the tables of `system.rl`."""
        self._low = low_ns
        self.roles = sorted(set(tasks["role"].to_pylist()))
        lines = bubbles.to_pylist()
        labels = [row_label(line) for line in lines]
        tips = [
            "\n".join((
                f"{tr('Host')}: {line['host'] or '—'}", f"{tr('Rank')}: {line['rank']}",
                f"{tr('Bubble')}: {number_text.number(line['bubble_ms'], 3)} ms "
                f"({number_text.percent(line['bubble_ratio'], 2)})",
            ))
            for line in lines
        ]  # fmt: skip
        self.area.show_nodes(tasks, self.roles, labels, tips)
        self.legend.show_entries(self.entries())
        self.area.hide_roles(frozenset())
        self._origin_changed()
        height = min(_MOST, max(_LEAST, len(lines) * _PER_CARD + _AROUND))
        self.setMinimumHeight(min(height, 320))
        self._describe()

    def retranslate(self) -> None:
        super().retranslate()
        self.set_title(tr("Task Trace Timeline"))
        if hasattr(self, "reset_button"):
            parts.set_tip(self.relative, tr("Count from the first task"))
            parts.set_tip(self.zoom_button, tr("Zoom to a stretch that you drag"))
            parts.set_tip(self.back_button, tr("Zoom back"))
            parts.set_tip(self.reset_button, tr("Show everything"))

    def entries(self) -> list[Entry]:
        return [Entry(role, role, role_colour(number)) for number, role in enumerate(self.roles)]

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        self.area.paint_into(painter, width, height)

    @property
    def picture_size(self) -> QSize:
        rows = len(self.area.labels) * self.area.row_height + self.area.axis_height
        return QSize(max(800, self.area.width()), max(200, rows) + 40)

    def numbers(self) -> tuple[pa.Table, tuple[ColumnSpec, ...]]:
        return self.area.table, _NODES

    def summary(self) -> str:
        return tr("{title}: {cards} cards, {nodes} tasks and micro batches").format(
            title=self.title, cards=len(self.area.labels), nodes=len(self.area.nodes)
        )

    def _origin_changed(self) -> None:
        self.area.origin_ns = getattr(self, "_low", 0) if self.relative.isChecked() else 0
        self.area.viewport().update()

    def _tool_changed(self) -> None:
        self.area.zoom_tool = self.zoom_button.isChecked()
        shape = Qt.CursorShape.CrossCursor if self.area.zoom_tool else Qt.CursorShape.ArrowCursor
        self.area.viewport().setCursor(shape)

    def _fit_buttons(self) -> None:
        self.back_button.setEnabled(bool(self.area.before))
        self.reset_button.setEnabled(self.area.view != self.area.whole)


def row_label(line: dict[str, Any]) -> str:
    """Label of a row of `system.rl.bubbles`."""
    return tr("Host {host} Rank {rank}").format(host=line["host_number"], rank=line["rank"])


def ask_all(store: Store) -> tuple[pa.Table, pa.Table, dict[str, Any]]:
    """Tasks, bubbles and facts, so that the page changes at once."""
    return queries.tasks(store), queries.bubbles(store), queries.facts(store).to_pylist()[0]


class RlPage(Page):
    """Facts of the run, the chart of its tasks, and the idle time of every card."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.chart = RlChart()
        self.bubbles = ArrowTable(columns=_BUBBLES)
        self.empty = EmptyPage("robot")
        self._lines: list[dict[str, Any]] = []
        self._facts: dict[str, Any] = {}
        self._state: dict[str, Any] = {}
        self._build()
        context.store_changed.connect(self.refresh)
        self.chart.area.wanted.connect(self.show_in_timeline)
        self.chart.area.menu_wanted.connect(self._menu)
        self.chart.area.zoomed.connect(context.view_changed)
        self.chart.exported.connect(
            lambda path: context.message.emit("success", tr("Saved {path}.").format(path=path), "")
        )
        self.chart.failed.connect(lambda error: context.message.emit("error", say(error.message), say(error.fix)))
        self.bubbles.row_activated.connect(self._row_activated)
        QTimer.singleShot(0, self.refresh)

    def _build(self) -> None:
        self.fact_labels = {name: parts.label(strong=True) for name in ("framework", "algorithm", "backend")}
        self.titles = {name: parts.label(level=2) for name in self.fact_labels}
        self.bar = QWidget()
        self.bar.setObjectName("surface")
        self.bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        parts.keep_height(self.bar, 36)
        row = parts.columns(self.bar, margins=(12, 4, 12, 4), gap=6)
        for name, value in self.fact_labels.items():
            row.addWidget(self.titles[name])
            row.addWidget(value)
            row.addSpacing(14)
        row.addStretch(1)
        self.refresh_button = parts.button("", "arrow-clockwise", click=self.refresh)
        row.addWidget(self.refresh_button)
        self.note = parts.label(level=2)
        self.note.setWordWrap(True)
        self.note.hide()
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setHandleWidth(10)
        self.splitter.setObjectName("panels")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.chart)
        self.splitter.addWidget(self.bubbles)
        self.splitter.setStretchFactor(0, 1)
        self.bubbles.setMinimumHeight(120)
        content = QWidget()
        column = parts.rows(content, margins=(12, 10, 12, 10), gap=10)
        column.addWidget(self.note)
        column.addWidget(self.splitter, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(content)
        self.stack.addWidget(self.empty)
        whole = parts.rows(self)
        whole.addWidget(self.bar)
        whole.addWidget(parts.line())
        whole.addWidget(self.stack, 1)
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        titles = {"framework": tr("Framework"), "algorithm": tr("Algorithm"), "backend": tr("Backend")}
        for name, title in titles.items():
            self.titles[name].setText(f"{title}:")
        self.refresh_button.setText(tr("Refresh"))
        parts.set_tip(self.refresh_button, tr("Look again, when more cards were read"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "stack"):
            self.retranslate()
            self.refresh()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell()

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """The cards changed, or the user wants to look again."""
        self.ask(ask_all, then=self._show, failed=self._failed)

    def _show(self, found: tuple[pa.Table, pa.Table, dict[str, Any]]) -> None:
        tasks, bubbles, self._facts = found
        self._lines = bubbles.to_pylist()
        for name, label in self.fact_labels.items():
            label.setText(str(self._facts[name]) or tr("Unknown"))
        self.note.setText(say(self._facts["note"]))
        self.note.setVisible(bool(self._facts["note"]))
        self.chart.show_tasks(tasks, bubbles, self._facts["min_ns"])
        labels = pa.array([row_label(line) for line in self._lines], pa.string())
        self.bubbles.show_table(bubbles.append_column("label", labels))
        self.stack.setCurrentIndex(0)
        state, self._state = self._state, {}
        if state.get("view"):
            self.chart.area.set_view(*state["view"], remember=False)
        if "relative" in state:
            self.chart.relative.setChecked(bool(state["relative"]))
            self.chart._origin_changed()
        self._tell()

    def _failed(self, error: InsightError) -> None:
        self._lines, self._facts = [], {}
        for label in self.fact_labels.values():
            label.setText("—")
        unread = [name for name in self.context.reading if name]
        read_all = Offer(tr("Read all cards"), "play", lambda: self.context.parse_requested.emit([]))
        offers = [read_all] if unread else []
        self.empty.show_content(
            say(error.message), say(error.fix), code=example(), offers=offers,
            note=tr("Own task names go into {file}.").format(file=config_file()),
        )  # fmt: skip
        self.stack.setCurrentIndex(1)
        self._tell()

    def _tell(self) -> None:
        if not self.isVisible():
            return
        lines = self._lines
        bubble = sum(line["bubble_ms"] for line in lines)
        span = sum(line["span_ms"] for line in lines)
        told = [tr("{count} cards").format(count=len(lines))] if lines else []
        if span:
            told.append(tr("Bubble {ratio} of all cards' spans").format(ratio=number_text.percent(bubble / span)))
        self.context.status.emit(told)

    # ---- ways on -----------------------------------------------------------------------------------------------------

    def show_in_timeline(self, node: int) -> None:
        """Open the Timeline on the slice of a node."""
        line = self.chart.area.table.slice(node, 1).to_pylist()[0]
        start, end = line["start_ns"], line["start_ns"] + line["dur_ns"]
        self.context.jump.emit(Jump(line["card"], slice_id=line["id"], start_ns=start, end_ns=end))

    def _row_activated(self, row: int) -> None:
        """The first task of a card."""
        nodes = self.chart.area.nodes
        card = self._lines[row]["row"]
        self.show_in_timeline(int((nodes.row == card).nonzero()[0][0]))

    def _menu(self, node: int, at: QPoint) -> None:
        menu = self.chart.menu()
        first = menu.actions()[0]
        action = QAction(icons.icon("crosshair-simple"), tr("Show in Timeline"), menu)
        action.setEnabled(node >= 0)
        action.triggered.connect(lambda: self.show_in_timeline(node))
        menu.insertAction(first, action)
        menu.insertSeparator(first)
        QMenu.exec(menu.actions(), at)

    def view_state(self) -> dict[str, Any]:
        area = self.chart.area
        zoomed = list(area.view) if area.view != area.whole else None
        return {"view": zoomed, "relative": self.chart.relative.isChecked()} if self._lines else dict(self._state)

    def restore_state(self, state: dict[str, Any]) -> None:
        view = state.get("view")
        good = isinstance(view, list) and len(view) == 2 and all(isinstance(v, int | float) for v in view)
        self._state = {"view": view if good else None, "relative": bool(state.get("relative", False))}
        self.refresh()


def example() -> str:
    """How to mark a task, for the empty page."""
    return (
        "import mstx\n\n"
        'mark = mstx.range_start("update_actor", None)\n'
        "trainer.update_actor(batch)\n"
        "mstx.range_end(mark)"
    )


TAB = Tab("system.rl", "RL", RlPage)
