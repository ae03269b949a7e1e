"""Computing Detail and Communication Detail of one rank: time by core, and the kernels behind it."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import operator as kernels
from insight_desktop.engine.system import summary as queries
from insight_desktop.errors import InsightError, NoData
from insight_desktop.views.common import parts
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.common.empty_text import EmptyText
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system.operator_columns import StartSpec
from insight_desktop.views.system.summary_table import TableBox

_HEAD = (
    ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Name"), width=260),
    ColumnSpec("type", QT_TRANSLATE_NOOP("insight", "Type"), width=130),
    StartSpec("start_ms", QT_TRANSLATE_NOOP("insight", "Start Time"), unit="ms", kind="number", decimals=2),
    ColumnSpec("duration_us", QT_TRANSLATE_NOOP("insight", "Duration"), unit="µs", kind="number", decimals=3),
    ColumnSpec("wait_us", QT_TRANSLATE_NOOP("insight", "Wait Time"), unit="µs", kind="number", decimals=3),
)
_MORE = (
    ColumnSpec("block_num", QT_TRANSLATE_NOOP("insight", "Block Num"), kind="count"),
    ColumnSpec("input_shapes", QT_TRANSLATE_NOOP("insight", "Input Shapes"), width=150),
    ColumnSpec("input_types", QT_TRANSLATE_NOOP("insight", "Input Data Types"), width=120),
    ColumnSpec("input_formats", QT_TRANSLATE_NOOP("insight", "Input Formats"), width=110),
    ColumnSpec("output_shapes", QT_TRANSLATE_NOOP("insight", "Output Shapes"), width=130),
    ColumnSpec("output_types", QT_TRANSLATE_NOOP("insight", "Output Data Types"), width=120),
    ColumnSpec("output_formats", QT_TRANSLATE_NOOP("insight", "Output Formats"), width=110),
)
DETAILS = "details"


def communication(store: Store, *, rank: int, step: str | None, cluster: str | None) -> pa.Table:
    """Communication of a rank by what runs beside it: from its timeline, else from its step times, whole µs cut off."""
    try:
        return queries.communication_detail(store, rank=rank, step=step, cluster=cluster)
    except NoData:
        rows = queries.overview(store, step=step, cluster=cluster).to_pylist()
        row = next((r for r in rows if r["rank"] == rank), None)
        if row is None:
            raise
        uncovered = row["communication_not_overlapped_us"]
        return pa.table(
            {
                "not_overlapped_us": pa.array([int(uncovered)], pa.int64()),
                "overlapped_us": pa.array([int(max(row["communication_us"] - uncovered, 0.0))], pa.int64()),
            }
        )


class RankDetail(QWidget):
    """A summary of one rank at the left, the kernels of the chosen line at the right.

    Signals: timeline_wanted with a Jump.
    """

    timeline_wanted = Signal(object)

    def __init__(self, context: Context, *, of_communication: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.communication = of_communication
        self.context = context
        self._asker = Asker(context, self)
        self.rank, self.step, self.card = -1, "", ""
        self.cluster: str | None = None
        self.parts_box, self.kernel_box = TableBox(filter_row=False), TableBox()
        self.empty = EmptyText()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(10)
        self.splitter.setObjectName("panels")
        self.splitter.addWidget(self.parts_box)
        self.splitter.addWidget(self.kernel_box)
        self.splitter.setSizes([420, 900])
        self.stack = QStackedWidget()
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.empty)
        parts.rows(self).addWidget(self.stack)
        self.parts_box.table.current_row_changed.connect(self._part_chosen)
        self.kernel_box.table.row_activated.connect(self._kernel_activated)

    @property
    def title(self) -> str:
        """Title with the rank."""
        text = tr("Communication Detail") if self.communication else tr("Computing Detail")
        of = tr("Rank {0}").format(self.rank)
        return f"{text} ({of})" if self.rank >= 0 else text

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and self.card:
            self.show_rank(self.rank, self.card, self.step or None, self.cluster)
        super().changeEvent(event)

    def show_nothing(self, title: str, text: str = "") -> None:
        """Words in place of the tables."""
        self.card = ""
        self.empty.set_texts(title, text)
        self.stack.setCurrentWidget(self.empty)

    def show_rank(self, rank: int, card: str, step: str | None, cluster: str | None) -> None:
        """Another rank, whose timeline is open as a card."""
        self.rank, self.step, self.card, self.cluster = rank, step or "", card, cluster
        query = communication if self.communication else queries.computing_detail
        self._asker.ask(query, then=self._show_parts, failed=self._failed, rank=rank, step=step, cluster=cluster)

    def _failed(self, error: InsightError) -> None:
        self.show_nothing(say(error.message), say(error.fix))

    def _show_parts(self, found: pa.Table) -> None:
        self.stack.setCurrentWidget(self.splitter)
        self.parts_box.set_texts(self.title, tr("Step {0}").format(self.step) if self.step else tr("all steps"))
        if self.communication:
            columns = [
                ColumnSpec("name", tr("Name"), width=130),
                ColumnSpec("not_overlapped_us", tr("Communication(Not Overlapped) Durations"), unit="µs", kind="count"),
                ColumnSpec("overlapped_us", tr("Communication(Overlapped) Durations"), unit="µs", kind="count"),
            ]
        else:
            columns = [
                ColumnSpec("core", tr("Accelerator Core"), width=160),
                ColumnSpec("duration_us", tr("Accelerator Core Durations"), unit="µs", kind="count"),
                ColumnSpec("kernels", tr("Kernels"), kind="count"),
            ]
        if self.communication:
            found = found.add_column(0, "name", pa.array([tr("Communication")] * found.num_rows, pa.string()))
        self.parts_box.show_rows(found, columns)
        self.parts_box.table.select_row(0 if found.num_rows else -1)
        if found.num_rows:
            self._part_chosen(0)

    def _part_chosen(self, row: int) -> None:
        table = self.parts_box.table.table
        if not 0 <= row < table.num_rows or not self.card:
            return
        of: dict[str, Any] = {"group_by": "communication"} if self.communication else {}
        if not self.communication:
            of["of_core"] = self.parts_box.table.row(row)["core"]
        self._asker.ask(kernels.details, then=self._show_kernels, failed=self._no_kernels, card=self.card, **of)

    def _show_kernels(self, found: pa.Table) -> None:
        row = self.parts_box.table.current_row()
        core = self.parts_box.table.row(row)["core"] if not self.communication and row >= 0 else tr("Communication")
        self.kernel_box.set_texts(tr("Details"), str(core), tr("No kernels"))
        columns = [c for c in (*_HEAD, *_MORE) if c.name in found.column_names]
        self.kernel_box.show_rows(found, columns)

    def _no_kernels(self, error: InsightError) -> None:
        self.kernel_box.set_texts(tr("Details"), "", say(error.message))
        self.kernel_box.show_rows(pa.table({"name": pa.array([], pa.string())}), _HEAD[:1])

    def _kernel_activated(self, row: int) -> None:
        found = self.kernel_box.table.row(row)
        self._asker.ask(
            kernels.slices_of, then=self._jump, failed=lambda _error: None, card=self.card, row=found["row"], limit=1
        )

    def _jump(self, found: pa.Table) -> None:
        if found.num_rows:
            row = found.to_pylist()[0]
            self.timeline_wanted.emit(Jump(row["card"], slice_id=row["slice_id"]))
