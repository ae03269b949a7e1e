"""The transports and packets of an operator of one rank: a chart of packets per transport, and the table of bandwidths."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import communication as queries
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.chart_axis import Axis
from insight_desktop.views.common.chart_mixed import Bars, MixedChart
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.tree_table import TreeTable
from insight_desktop.views.system import communication_columns as columns
from insight_desktop.views.system.communication_choice import Choice
from insight_desktop.views.system.communication_table import TableBox

CHARTS = ("SDMA", "HCCS", "PCIE", "RDMA", "SIO")
_ALWAYS = ("HCCS", "PCIE", "RDMA", "SIO")  # drawn empty when the transport is listed without packets


def load(store: Store, *, choice: Choice, rank: int) -> tuple[pa.Table, pa.Table]:
    """Transports and packets of the operator of a choice on a rank."""
    arguments = {**choice.arguments(), "op": choice.op, "rank": rank}
    return queries.bandwidth(store, **arguments), queries.packets(store, **arguments)


def size_text(megabytes: float) -> str:
    """A packet size with at most four decimals.

    >>> size_text(0.000096)
    '0.0001'
    """
    return number_text.number(float(number_text.number(megabytes, 4).replace(",", "")))


class BandwidthPage(QWidget):
    """Bandwidth analysis of an operator of a rank.

    Signals:
        back: the user wants the page that he came from.
    """

    back = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._asker = Asker(context, self)
        self.choice: Choice | None = None
        self.rank = -1
        self._packets: dict[str, list[dict[str, Any]]] = {}
        self._listed: list[str] = []
        self.back_button = parts.button("", "arrow-left", flat=True, click=self.back.emit)
        self.title = parts.label(strong=True)
        self.about = parts.ElidedLabel()
        self.about.setProperty("level", "2")
        head = parts.columns(gap=8)
        for widget in (self.back_button, self.title):
            head.addWidget(widget)
        head.addWidget(self.about, 1)
        self.section = parts.label(strong=True)
        inside = QWidget()
        self.charts = {
            name: MixedChart(parent=inside) for name in CHARTS
        }  # a chart that is not shown goes with the page too
        for chart in self.charts.values():
            chart.setMinimumHeight(190)
            chart.exported.connect(lambda path: context.message.emit("success", tr("Exported: {0}").format(path), ""))
            chart.failed.connect(lambda error: context.message.emit("error", error.message, error.fix))
        self.grid = QGridLayout()
        self.grid.setSpacing(10)
        self.table = TreeTable(columns.TRANSPORTS, open_levels=1)
        self.table_box = TableBox(context, self.table)
        self.table_box.setMinimumHeight(230)
        column = parts.rows(inside, margins=(0, 0, 0, 0), gap=10)
        column.addWidget(self.section)
        column.addLayout(self.grid, 3)
        column.addWidget(self.table_box, 2)
        whole = parts.rows(self, margins=(12, 8, 12, 10), gap=8)
        whole.addLayout(head)
        whole.addWidget(parts.scrolling(inside), 1)
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.back_button.setText(tr("Back"))
        self.section.setText(tr("Packet Distribution"))
        self.table_box.set_title(tr("Bandwidth Analysis"))
        if self.choice is not None:
            self.title.setText(f"{self.choice.op}(RankId {self.rank})")
            self.about.set_text(tr("Step {0} · {1}").format(self.choice.step, self.choice.group.short))
        self._show_charts()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "table_box"):
            self.retranslate()
        super().changeEvent(event)

    def show_rank(self, choice: Choice, rank: int) -> None:
        """Ask for the packets of a rank."""
        self.choice, self.rank = choice, rank
        self._packets, self._listed = {}, []
        self.table_box.show_table(self.table.table.slice(0, 0))
        self.table_box.wait()
        self.retranslate()
        self._asker.ask(load, then=self._show, failed=self._failed, choice=choice, rank=rank)

    def _failed(self, error: InsightError) -> None:
        self.table_box.show_error(error)
        self.section.setText(say(error.message))

    def _show(self, found: tuple[pa.Table, pa.Table]) -> None:
        transports, packets = found
        self._listed = transports["transport"].to_pylist()
        self._packets = {}
        for row in packets.to_pylist():
            self._packets.setdefault(row["transport"], []).append(row)
        self.table.set_empty_text(tr("This rank has no bandwidths of this operator."))
        self.table.show_tree(transports, "transport", "parent")
        self._show_charts()

    def shown_charts(self) -> list[str]:
        """Transports that have a chart: those with packets, and those that are listed without any."""
        return [t for t in CHARTS if self._packets.get(t) or (t in self._listed and t in _ALWAYS)]

    def _show_charts(self) -> None:
        shown = self.shown_charts()
        for chart in self.charts.values():
            self.grid.removeWidget(chart)
            chart.hide()
        for i, name in enumerate(shown):
            chart = self.charts[name]
            self.grid.addWidget(chart, i // 2, i % 2)
            chart.set_title(name)
            rows = self._packets.get(name, [])
            if not rows:
                chart.set_empty(tr("No packets over {0}").format(name))
            else:
                chart.set_data(
                    [size_text(row["packet_mb"]) for row in rows],
                    [Bars("count", tr("Packet Number"), [row["count"] for row in rows])],
                    [Bars("speed", tr("Bandwidth"), [row["bandwidth_gbs"] for row in rows])],
                    left=Axis(tr("Packet Number")), right=Axis(tr("Bandwidth (GB/s)")), decimals=0, line_unit="GB/s",
                )  # fmt: skip
                chart.set_title(name, tr("by Packet Size(MB)"))
            chart.show()
        self.section.setVisible(bool(shown) or not self._listed)
