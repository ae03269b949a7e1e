"""One request in depth: why it took so long, its waterfall, and the batches that held it."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QSplitter, QWidget

from insight_desktop.engine.service import requests
from insight_desktop.views.common import fonts, number_text, parts, theme
from insight_desktop.views.common.arrow_table import ColumnSpec
from insight_desktop.views.common.ask import Background
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.service.overview_part import Shown, TablePanel
from insight_desktop.views.service.overview_waterfall import Segment, paint_segments, segments_of

CAUSES = {
    "frontend": QT_TRANSLATE_NOOP("insight", "Frontend"), "queue": QT_TRANSLATE_NOOP("insight", "Queue"),
    "prefill": QT_TRANSLATE_NOOP("insight", "Own prefill"),
    "prefill_of_others": QT_TRANSLATE_NOOP("insight", "Prefill of others"),
    "scheduling": QT_TRANSLATE_NOOP("insight", "Between batches"), "kv_transfer": QT_TRANSLATE_NOOP("insight", "KV transfer"),
    "preemption": QT_TRANSLATE_NOOP("insight", "Preemption"),
    "decode_interference": QT_TRANSLATE_NOOP("insight", "Decode interference"),
    "decode": QT_TRANSLATE_NOOP("insight", "Own decode"), "tail": QT_TRANSLATE_NOOP("insight", "Tail"),
}  # fmt: skip
_CAUSE_COLUMNS = (
    ColumnSpec("cause", QT_TRANSLATE_NOOP("insight", "Cause"), width=120),
    ColumnSpec("ms", QT_TRANSLATE_NOOP("insight", "Time"), unit="ms", kind="number", decimals=3),
    ColumnSpec("share", QT_TRANSLATE_NOOP("insight", "Share"), kind="percent", bar=True),
    ColumnSpec("typical_ms", QT_TRANSLATE_NOOP("insight", "Median of all"), unit="ms", kind="number", decimals=3),
    ColumnSpec("detail", QT_TRANSLATE_NOOP("insight", "Detail"), width=170),
)
_BATCH_COLUMNS = (
    ColumnSpec("step", QT_TRANSLATE_NOOP("insight", "Step"), kind="id"),
    ColumnSpec("kind", QT_TRANSLATE_NOOP("insight", "As"), width=76),
    ColumnSpec("at", QT_TRANSLATE_NOOP("insight", "Start"), unit="s", kind="duration"),
    ColumnSpec("execute_ns", QT_TRANSLATE_NOOP("insight", "Execution"), unit="ms", kind="duration"),
    ColumnSpec("tokens", QT_TRANSLATE_NOOP("insight", "Tokens"), kind="count"),
    ColumnSpec("batch_size", QT_TRANSLATE_NOOP("insight", "Batch"), kind="count"),
    ColumnSpec("prefill_tokens", QT_TRANSLATE_NOOP("insight", "Prefill tokens"), kind="count"),
    ColumnSpec("type", QT_TRANSLATE_NOOP("insight", "Type"), width=64),
)


class _Bar(QWidget):
    """The waterfall of one request over the whole width."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.segments: list[Segment] = []
        parts.keep_height(self, 34)
        parts.repaint_on_theme(self)

    def show_segments(self, segments: list[Segment]) -> None:
        self.segments = segments
        self.update()

    def paintEvent(self, _event: Any) -> None:
        longest = max((end for _, _, end in self.segments), default=1)
        with QPainter(self) as painter:
            area = QRectF(10, 0, self.width() - 20, self.height() * 0.6)
            paint_segments(painter, area, self.segments, max(1, longest))
            painter.setPen(theme.token("text3"))
            painter.setFont(fonts.ui(fonts.SMALL))
            below = QRectF(10, self.height() * 0.5, self.width() - 20, self.height() * 0.5)
            painter.drawText(below, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), "0")
            painter.drawText(
                below, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), number_text.duration(longest)
            )


class RequestDetail(QFrame):
    """The panel beside the table.

    Signals:
        closed: the user closed it.
        jump_wanted: a Jump to a batch.
    """

    closed = Signal()
    jump_wanted = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self.context = context
        self.work = Background(self)
        self.shown: Shown | None = None
        self.rid = ""
        self._card = ""
        self.title, self.sentence = parts.label(strong=True), parts.label(level=2)
        self.sentence.setWordWrap(True)
        self.close_button = parts.icon_button("x", click=self.closed.emit)
        self.timeline_button = parts.icon_button("crosshair-simple", click=self._whole)
        self._stretch: tuple[int, int] | None = None
        self.bar = _Bar()
        self.causes, self.batches = TablePanel(_CAUSE_COLUMNS), TablePanel(_BATCH_COLUMNS)
        for panel in (self.causes, self.batches):
            panel.setObjectName("surface")
        self.setMinimumWidth(fonts.scaled(300))
        head = QWidget()
        parts.keep_height(head, 30)
        row = parts.columns(head, margins=(10, 0, 4, 0))
        row.addWidget(self.title)
        row.addStretch(1)
        row.addWidget(self.timeline_button)
        row.addWidget(self.close_button)
        tables = QSplitter(Qt.Orientation.Vertical)
        tables.setChildrenCollapsible(False)
        tables.addWidget(self.causes)
        tables.addWidget(self.batches)
        words = parts.rows(margins=(10, 6, 10, 2))
        words.addWidget(self.sentence)
        column = parts.rows(self, margins=(1, 1, 1, 1))
        column.addWidget(head)
        column.addWidget(parts.line())
        column.addLayout(words)
        column.addWidget(self.bar)
        column.addWidget(tables, 1)
        self.batches.activated.connect(self._batch)

    def show_request(self, shown: Shown, row: dict[str, Any], stalls: list[tuple[int, int]]) -> None:
        """Show a row of `service.requests.list`."""
        self.shown, self.rid = shown, row["rid"]
        self._card = row["card"]
        parts.set_tip(self.close_button, tr("Close"))
        parts.set_tip(self.timeline_button, tr("Show in Timeline"))
        begin, length = row["start_ns"], row["e2e_ns"]
        self._stretch = (begin, begin + (length or 1_000_000)) if begin is not None else None
        self.title.setText(tr("Request {0}").format(self.rid))
        self.bar.show_segments(segments_of(row, stalls))
        self.causes.set_title(tr("Why it took {0}").format(number_text.duration(row["e2e_ns"])))
        self.batches.set_title(tr("Batches"), tr("double click: show in Timeline"))
        arguments = {"rid": self.rid, "card": self._card}
        self._ask(requests.reasons, self._reasons, **arguments)
        self._ask(requests.batches, self._steps, **arguments)

    def _ask(self, query: Any, then: Any, **arguments: Any) -> None:
        store = self.context.store
        self.work.run(
            query.__name__, lambda: query(store, **arguments), then=then,
            failed=lambda error: self.context.message.emit("error", error.message, error.fix),
        )  # fmt: skip

    def _reasons(self, table: pa.Table) -> None:
        rows = sorted(table.to_pylist(), key=lambda r: -r["ms"])
        rows = [row for row in rows if row["ms"] > 0]
        self.sentence.setText(reason_sentence(rows))
        shown = [{**row, "cause": tr(CAUSES[row["cause"]]), "detail": say(row["detail"])} for row in rows]
        self.causes.show_table(pa.Table.from_pylist(shown, table.schema), tr("It has no time yet."))

    def _steps(self, table: pa.Table) -> None:
        zero = self.shown.zero_ns if self.shown is not None else 0
        start = pa.compute.subtract(table["execute_start_ns"], zero)
        self.batches.set_title(
            tr("Batches"), tr("{0} · double click: show in Timeline").format(number_text.count(table.num_rows))
        )
        self.batches.show_table(table.append_column("at", start), tr("No batch lists this request."))

    def _whole(self) -> None:
        """The request from its arrival to its end, its events marked."""
        if self._stretch is not None:
            self.jump_wanted.emit(Jump(self._card, start_ns=self._stretch[0], end_ns=self._stretch[1]))

    def _batch(self, at: int) -> None:
        row = self.batches.row(at)
        if row["execute_id"] is not None:
            self.jump_wanted.emit(Jump(self._card, slice_id=row["execute_id"]))
        elif row["schedule_start_ns"] is not None:
            self.jump_wanted.emit(
                Jump(self._card, start_ns=row["schedule_start_ns"], end_ns=row["schedule_start_ns"] + 1_000_000)
            )


def reason_sentence(rows: list[dict[str, Any]]) -> str:
    """The two largest causes in words."""
    if not rows:
        return ""
    first = rows[0]
    text = tr("{0} of its time: {1} ({2} ms).").format(
        number_text.percent(first["share"]), tr(CAUSES[first["cause"]]).lower(), number_text.number(first["ms"], 1)
    )
    if len(rows) > 1 and (rows[1]["share"] or 0) >= 0.05:
        second = rows[1]
        text += " " + tr("Then {0} ({1} ms).").format(
            tr(CAUSES[second["cause"]]).lower(), number_text.number(second["ms"], 1)
        )
    return text
