"""The tab Critical Path below the operator's Timeline: the chain of instructions that the end waited for."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QWidget

from insight_desktop.engine.operator import timeline
from insight_desktop.engine.store import Store
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Jump
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.timeline.state import TimelineState

_MOST_DRAWN = 2000  # frames in the chart; the table has all
_VIA = {
    "": QT_TRANSLATE_NOOP("insight", "first"),
    "lane": QT_TRANSLATE_NOOP("insight", "behind it on the pipe"),
    "link": QT_TRANSLATE_NOOP("insight", "released by SET"),
}
_COLUMNS = (
    ColumnSpec("order", "#", kind="id", width=56),
    ColumnSpec("name", "Instruction", kind="link", width=240),
    ColumnSpec("process", "Core", width=140),
    ColumnSpec("thread", "Pipe", width=100),
    ColumnSpec("start_ns", "Start Time", kind="time", width=160),
    ColumnSpec("dur_ns", "Duration", "ns", kind="duration", width=104),
    ColumnSpec("own_ns", "On the path", "ns", kind="duration", width=124,
               tooltip="Part of the duration after the step before it had ended."),
    ColumnSpec("gap_ns", "Gap before", "ns", kind="duration", width=110),
    ColumnSpec("share", "Share", kind="percent", width=84, bar=True),
    ColumnSpec("how", "Follows", width=150),
)  # fmt: skip


def path_of(store: Store, *, card: str) -> pa.Table:
    """The chain of a card with axis times, shares and how each step follows."""
    found = timeline.critical_path(store, card=card)
    shift = store.shift_ns(card)
    whole = (pc.sum(found["own_ns"]).as_py() or 0) + (pc.sum(found["gap_ns"]).as_py() or 0)
    own = found["own_ns"].to_numpy()
    found = found.append_column("start_ns", pa.array(found["ts_ns"].to_numpy() - shift, pa.int64()))
    return found.append_column("share", pa.array(own / max(whole, 1), pa.float64()))


class CriticalPanel(QWidget):
    """Choice of the kernel, what the path consists of, and its steps; shown in the chart while the tab is in front.

    Signals:
        shown: the chain is in the chart, or no longer.
    """

    shown = Signal(bool)

    def __init__(self, state: TimelineState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.card_box = Select()
        self.card_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.summary = parts.YieldingLabel()
        self.table = ArrowTable(columns=_COLUMNS)
        self._found: pa.Table | None = None
        self._error: InsightError | None = None
        self._asker = Asker(state.context, self)
        bar = parts.columns(margins=(8, 4, 8, 4), gap=10)
        bar.addWidget(self.card_box)
        bar.addWidget(self.summary)
        bar.addStretch(1)
        column = parts.rows(self)
        column.addLayout(bar)
        column.addWidget(self.table, 1)
        self.card_box.currentIndexChanged.connect(lambda _i: self._ask())
        self.table.row_activated.connect(self._go)
        self.table.current_row_changed.connect(
            lambda row: self._go(row) if row >= 0 and self.table.hasFocus() else None
        )
        state.context.store_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Take over the kernels that have a timeline."""
        kept = self.card_box.currentData()
        names = [n for n, opened in self.state.cards.items() if opened.capture is not None]
        self.card_box.blockSignals(True)
        self.card_box.clear()
        for name in names:
            self.card_box.addItem(self.state.card_title(name), name)
        wanted = next((n for n in (kept, self.state.context.card) if n in names), None)
        self.card_box.setCurrentIndex(max(0, self.card_box.findData(wanted)) if names else -1)
        self.card_box.blockSignals(False)
        self.card_box.setVisible(len(names) > 1)
        self._translate()
        self._ask()

    def _ask(self) -> None:
        card = self.card_box.currentData()
        if card is not None:
            self._asker.ask(path_of, card=str(card), then=self._show, failed=self._failed)

    def _failed(self, error: InsightError) -> None:
        self._error, self._found = error, None
        self._translate()

    def _show(self, found: pa.Table) -> None:
        self._found, self._error = found, None
        self._translate()
        self._draw()

    def _translate(self) -> None:
        self.card_box.setAccessibleName(tr("Kernel"))
        self.table.setAccessibleName(tr("Critical Path"))
        found = self._found
        if found is None:
            self.table.set_empty_text(
                f"{say(self._error.message)} {say(self._error.fix)}".strip()
                if self._error is not None
                else tr("There are no instructions.")
            )
            self.summary.set_text("")
            return
        words = [tr(_VIA.get(via, via)) for via in found["via"].to_pylist()]
        self.table.show_table(found.append_column("how", pa.array(words, pa.string())))
        self.summary.set_text(summary(found))

    def _draw(self) -> None:
        """Frame the steps in the chart; of very long paths those that take most."""
        if self._found is None or not self.isVisible() or not self._found.num_rows:
            return
        ids, own = self._found["id"].to_numpy(), self._found["own_ns"].to_numpy()
        if len(ids) > _MOST_DRAWN:
            kept = sorted((-own).argsort(kind="stable")[:_MOST_DRAWN].tolist())
            ids = ids[kept]
        self.state.context.chain_shown.emit(str(self.card_box.currentData()), [int(i) for i in ids])
        self.shown.emit(True)

    def _go(self, row: int) -> None:
        found: dict[str, Any] = self.table.row(row)
        self.state.context.jump.emit(Jump(found["card"], slice_id=found["id"]))

    def copy(self) -> None:
        """The table on the clipboard."""
        self.table.copy(selected_only=False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.state.context.chain_shown.emit("", [])
        self.shown.emit(False)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)


def summary(found: pa.Table) -> str:
    """Length of the path, and which pipes it spent most of it on."""
    if not found.num_rows:
        return ""
    whole = (pc.sum(found["own_ns"]).as_py() or 0) + (pc.sum(found["gap_ns"]).as_py() or 0)
    by_pipe = found.group_by("thread").aggregate([("own_ns", "sum")]).sort_by([("own_ns_sum", "descending")])
    shares = [
        f"{pipe} {number_text.percent(own / max(whole, 1), 0)}"
        for pipe, own in zip(by_pipe["thread"].to_pylist()[:4], by_pipe["own_ns_sum"].to_pylist()[:4], strict=True)
    ]
    gaps = pc.sum(found["gap_ns"]).as_py() or 0
    shares.append(tr("gaps {0}").format(number_text.percent(gaps / max(whole, 1), 0)))
    return tr("{0} steps, {1}: {2}").format(
        number_text.count(found.num_rows), number_text.duration(whole), ", ".join(shares)
    )
