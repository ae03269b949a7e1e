"""The health of the links: effective bandwidth of every link against the median of its transport, slow ones first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox, QSplitter, QWidget

from insight_desktop.engine.system import communication as queries
from insight_desktop.engine.system import communication_links as rules
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts, theme
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.heat_colours import diverging
from insight_desktop.views.common.heat_data import Cells
from insight_desktop.views.common.heat_map import HeatMap
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system.communication_choice import Choice
from insight_desktop.views.system.communication_matrix import Links, no_links
from insight_desktop.views.system.communication_table import TableBox

_SPREAD = 0.5  # of the median on both sides: the ends of the colours
COLUMNS = (
    ColumnSpec("src", QT_TRANSLATE_NOOP("insight", "Src Rank Id"), kind="id"),
    ColumnSpec("dst", QT_TRANSLATE_NOOP("insight", "Dst Rank Id"), kind="id"),
    ColumnSpec("transport", QT_TRANSLATE_NOOP("insight", "Transport Type"), width=110),
    ColumnSpec("bandwidth_gbs", QT_TRANSLATE_NOOP("insight", "Bandwidth"), unit="GB/s", kind="number", decimals=4),
    ColumnSpec("median_gbs", QT_TRANSLATE_NOOP("insight", "Median of the transport"), unit="GB/s", kind="number", decimals=4),
    ColumnSpec(
        "ratio", QT_TRANSLATE_NOOP("insight", "Share of the median"), kind="percent", decimals=1,
        tooltip=QT_TRANSLATE_NOOP("insight", "Bandwidth / median bandwidth of all links of the transport"),
    ),
    ColumnSpec(
        "peer_ratio", QT_TRANSLATE_NOOP("insight", "Speed against peers"), kind="percent", decimals=1,
        tooltip=QT_TRANSLATE_NOOP(
            "insight", "Time that links of the same transport in groups of the same name need for the same bytes / own time"
        ),
    ),
    ColumnSpec("size_mb", QT_TRANSLATE_NOOP("insight", "Transit Size"), unit="MB", kind="number", decimals=4),
    ColumnSpec("transit_ms", QT_TRANSLATE_NOOP("insight", "Transit Time"), unit="ms", kind="number", decimals=4),
    ColumnSpec("state", QT_TRANSLATE_NOOP("insight", "State"), width=100),
)  # fmt: skip


class LinkPanel(QSplitter):
    """Map and table of the links of a job in one step.

    Signals:
        shown: rows of slow links and the number of all links.
        link_chosen: source and destination.
    """

    shown = Signal(object, int)
    link_chosen = Signal(int, int)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.context = context
        self._asker = Asker(context, self)
        self.choice: Choice | None = None
        self.rows: pa.Table | None = None
        self.links = no_links()
        self.heat = HeatMap()
        self.table = ArrowTable(columns=COLUMNS)
        self.box = TableBox(context, self.table)
        self.only_group = QCheckBox()
        self.box.head_row.insertWidget(3, self.only_group)
        self.rule = parts.label(level=2)
        self.rule.setWordWrap(True)
        self.rule.setContentsMargins(10, 4, 10, 6)
        column = self.box.layout()
        assert column is not None
        column.insertWidget(2, self.rule)  # type: ignore[attr-defined]
        self.addWidget(self.heat)
        self.addWidget(self.box)
        self.setSizes([480, 640])
        self.setChildrenCollapsible(False)
        self.setHandleWidth(10)
        self.setObjectName("panels")
        self.only_group.toggled.connect(lambda _on: self._ask())
        self.heat.cell_clicked.connect(self._cell_clicked)
        self.table.current_row_changed.connect(self._row_chosen)
        self.heat.exported.connect(lambda path: context.message.emit("success", tr("Exported: {0}").format(path), ""))
        self.heat.failed.connect(lambda error: context.message.emit("error", error.message, error.fix))
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        step = tr("Step {0}").format(self.choice.step) if self.choice is not None else ""
        self.heat.set_title(tr("Link health"), step)
        self.only_group.setText(tr("This group only"))
        self.box.set_title(tr("Links, slowest first"))
        self.rule.setText(
            tr("Slow: below {0} of the speed of its peers, with at least {1} MB moved.").format(
                number_text.percent(rules.SLOW, 0), number_text.number(rules.LEAST_MB, 0)
            )
        )

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            if self.rows is not None:
                self._show(self.rows)
        super().changeEvent(event)

    def show_choice(self, choice: Choice) -> None:
        """Ask for the links of the step, unless they are there."""
        same = self.choice is not None and (self.choice.cluster, self.choice.step) == (choice.cluster, choice.step)
        grouped = self.only_group.isChecked() and self.choice is not None and self.choice.group != choice.group
        self.choice = choice
        self.retranslate()
        if not same or grouped or self.rows is None:
            self._ask()

    def forget(self) -> None:
        """The data are others: the next choice is asked for."""
        self.rows = None

    def _ask(self) -> None:
        choice = self.choice
        if choice is None:
            return
        if self.rows is None:
            self.box.wait()
            self.heat.set_empty(tr("Loading…"))
        group = choice.group.label if self.only_group.isChecked() else None
        self._asker.ask(
            queries.link_health,
            then=self._show,
            failed=self._failed,
            cluster=choice.cluster,
            step=choice.step,
            group=group,
        )

    def _failed(self, error: InsightError) -> None:
        self.rows = None
        self.box.show_error(error)
        self.heat.set_empty(say(error.message), say(error.fix))
        self.shown.emit([], 0)

    def _show(self, table: pa.Table) -> None:
        self.rows = table
        state = pc.if_else(table["is_slow"], tr("slow"), tr("normal"))
        self.box.show_table(table.append_column("state", state))
        self.links = Links(table, ())
        values = self.links.matrix(np.asarray(table["peer_ratio"].to_numpy(), np.float64), inner=True)
        names = [str(rank) for rank in self.links.ranks]
        cells = Cells(
            values * 100, names, names, tr("Speed against peers"), "%", 1, False, tr("Dst Rank Id"), tr("Src Rank Id"),
            tip=self._tip, rows_up=True, clamp=True, strong="low",
        )  # fmt: skip
        self.heat.set_cells(
            cells,
            colours=lambda: diverging().reversed(),
            ends=((1 - _SPREAD) * 100, (1 + _SPREAD) * 100),
            keep_window=True,
        )
        slow = table.filter(table["is_slow"]).slice(0, 100).to_pylist()
        self.shown.emit(slow, table.num_rows)

    def slow_count(self) -> int:
        """Number of slow links."""
        return int(pc.sum(self.rows["is_slow"]).as_py() or 0) if self.rows is not None else 0

    def _tip(self, row: int, column: int) -> list[ReadoutLine]:
        src, dst = self.links.ranks[column], self.links.ranks[row]
        at = self.links.rows_of(src, dst)
        head = ReadoutLine(self.heat.area.colour_of(row, column), f"{src} -> {dst}", "")
        if not len(at) or self.rows is None:
            return [head, ReadoutLine(None, tr("no link"), "")]
        link: dict[str, Any] = self.rows.slice(int(at[0]), 1).to_pylist()[0]
        colour: QColor | None = theme.token("error") if link["is_slow"] else None
        return [
            head,
            ReadoutLine(None, tr("Transport Type"), link["transport"]),
            ReadoutLine(None, tr("Bandwidth"), f"{number_text.number(link['bandwidth_gbs'], 4)} GB/s"),
            ReadoutLine(None, tr("Median of the transport"), f"{number_text.number(link['median_gbs'], 4)} GB/s"),
            ReadoutLine(colour, tr("Speed against peers"), number_text.percent(link["peer_ratio"], 1)),
            ReadoutLine(None, tr("Transit Size"), f"{number_text.number(link['size_mb'], 4)} MB"),
            ReadoutLine(None, tr("Transit Time"), f"{number_text.number(link['transit_ms'], 4)} ms"),
        ]

    def _cell_clicked(self, row: int, column: int) -> None:
        pair = self.links.ranks[column], self.links.ranks[row]
        at = self.links.rows_of(*pair)
        if len(at):
            self.table.select_row(int(at[0]))
            self.link_chosen.emit(*pair)

    def _row_chosen(self, row: int) -> None:
        if row < 0 or self.rows is None:
            return
        src, dst = (int(self.rows[name][row].as_py()) for name in ("src", "dst"))
        if src in self.links.ranks and dst in self.links.ranks:
            self.heat.select(self.links.ranks.index(dst), self.links.ranks.index(src))
