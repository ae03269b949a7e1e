"""The lower half of the MemScope page: blocks, events, leak suspects, call stacks, owners, and what was wrong with the data."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QPlainTextEdit, QSplitter, QStackedWidget, QTabBar, QWidget

from insight_desktop.engine.memory.memscope_tags import EARLY, IDLE, LATE
from insight_desktop.ingest.formats.memscope_attr import attributes
from insight_desktop.views.common import fonts, number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.key_values import Fact, KeyValues
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.common.totals_row import TotalsRow
from insight_desktop.views.common.tree_table import TreeTable
from insight_desktop.views.memory import memscope_columns as columns
from insight_desktop.views.memory import memscope_quality
from insight_desktop.views.memory.memscope_compare import MemscopeCompare
from insight_desktop.views.memory.memscope_quality import PairingBoxes

BLOCKS, EVENTS, LEAKS, STACKS, OWNERS, QUALITY, COMPARISON, COLLECTOR = range(8)
_TITLES = (
    QT_TRANSLATE_NOOP("insight", "Block View"),
    QT_TRANSLATE_NOOP("insight", "Event View"),
    QT_TRANSLATE_NOOP("insight", "Leak suspects"),
    QT_TRANSLATE_NOOP("insight", "Call stacks"),
    QT_TRANSLATE_NOOP("insight", "Owners"),
    QT_TRANSLATE_NOOP("insight", "Data quality"),
    QT_TRANSLATE_NOOP("insight", "Comparison"),
    QT_TRANSLATE_NOOP("insight", "Collector's comparison"),
)
_RULES = {
    "peak": QT_TRANSLATE_NOOP("insight", "Alive at the peak"),
    "alive": QT_TRANSLATE_NOOP("insight", "Alive at the marked time"),
    "allocated": QT_TRANSLATE_NOOP("insight", "Allocated in the range"),
    "unreleased": QT_TRANSLATE_NOOP("insight", "Not released in the range"),
}
_SIDES = {
    "python": QT_TRANSLATE_NOOP("insight", "Python stacks"),
    "c": QT_TRANSLATE_NOOP("insight", "C stacks"),
}
_TAG_TEXTS = {
    EARLY: QT_TRANSLATE_NOOP("insight", "early-alloc"),
    LATE: QT_TRANSLATE_NOOP("insight", "late-free"),
    IDLE: QT_TRANSLATE_NOOP("insight", "idle"),
}


class MemscopePanels(QWidget):
    """Tabs of tables with the details of the chosen row beside them.

    Signals:
        block_chosen: block_id of a row of the blocks, -1 for none.
        time_wanted: ns of an event, or of the first allocation of a suspect, that was activated.
        stacks_wanted: another rule or side of the call stacks.
        tab_changed: another tab.
    """

    block_chosen = Signal(int)
    time_wanted = Signal(float)
    stacks_wanted = Signal()
    tab_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.blocks, self.events = ArrowTable(columns=columns.BLOCKS), ArrowTable(columns=columns.EVENTS)
        self.leaks, self.quality = ArrowTable(columns=columns.LEAKS), ArrowTable(columns=columns.QUALITY)
        self.stacks = TreeTable(columns.STACKS, open_levels=2)
        self.owners = TreeTable(columns.OWNERS, open_levels=3, filter_row=False)
        self.pairing = PairingBoxes()
        self.compare, self.collector = MemscopeCompare(), ArrowTable(columns=columns.COLLECTOR)
        self.block_totals = TotalsRow(self.blocks, {"size_bytes": "sum"})
        self.leak_totals = TotalsRow(self.leaks, {"blocks": "sum"})
        self.details, self.text = KeyValues(), QPlainTextEdit()
        self.words: dict[str, str] = {}  # call stacks of the chosen row
        self.wanted_event = -1  # row of the event table that was gone to
        self._build()
        self.blocks.current_row_changed.connect(self._block_row)
        self.events.current_row_changed.connect(self._event_row)
        self.events.row_activated.connect(lambda row: self.time_wanted.emit(float(self.events.row(row)["t_ns"])))
        self.blocks.row_activated.connect(
            lambda row: self.time_wanted.emit(float(self.blocks.row(row)["alloc_ns"] or 0))
        )
        self.leaks.row_activated.connect(
            lambda row: self.time_wanted.emit(float(self.leaks.row(row)["first_alloc_ns"]))
        )
        self.bar.currentChanged.connect(self._tab)
        for box in (self.rule_box, self.side_box):
            box.currentIndexChanged.connect(lambda _i: self.stacks_wanted.emit())
        self.retranslate()

    def _build(self) -> None:
        self.bar = QTabBar()
        self.bar.setObjectName("panel")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.stack = QStackedWidget()
        self.rule_box, self.side_box = Select(), Select()
        for box, texts in ((self.rule_box, _RULES), (self.side_box, _SIDES)):
            for key in texts:
                box.addItem(key, key)
        chooser = QWidget()
        row = parts.columns(chooser, margins=(8, 4, 8, 4), gap=8)
        row.addWidget(self.rule_box)
        row.addWidget(self.side_box)
        row.addStretch(1)
        for widgets in (
            (self.blocks, self.block_totals), (self.events,), (self.leaks, self.leak_totals), (chooser, self.stacks),
            (self.owners,), (self.pairing, self.quality), (self.compare,), (self.collector,),
        ):  # fmt: skip
            self.bar.addTab("")
            page = QWidget()
            column = parts.rows(page)
            for widget in widgets:
                column.addWidget(widget, 1 if isinstance(widget, ArrowTable | MemscopeCompare) else 0)
            self.stack.addWidget(page)
        self.text.setReadOnly(True)
        self.text.setFont(fonts.mono(fonts.SMALL))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.side = QWidget()
        side = parts.rows(self.side, gap=4)
        self.hint = parts.label(level=3)
        self.hint.setWordWrap(True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hint.setContentsMargins(16, 16, 16, 16)
        side.addWidget(self.hint, 1)
        side.addWidget(self.details, 3)
        side.addWidget(self.text, 2)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(8)
        self.splitter.addWidget(self.stack)
        self.splitter.addWidget(self.side)
        self.splitter.setSizes([900, 340])
        self.splitter.setChildrenCollapsible(False)
        column = parts.rows(self)
        column.addWidget(self.bar)
        column.addWidget(self.splitter, 1)

    def retranslate(self) -> None:
        """Texts in the current language."""
        for at, title in enumerate(_TITLES):
            self.bar.setTabText(at, tr(title))
        for box, texts, name in (
            (self.rule_box, _RULES, tr("Which blocks")),
            (self.side_box, _SIDES, tr("Which stacks")),
        ):
            box.setAccessibleName(name)
            for i, text in enumerate(texts.values()):
                box.setItemText(i, tr(text))
        self.blocks.set_empty_text(tr("No block lives in this range."))
        self.events.set_empty_text(tr("No event in this range."))
        self.leaks.set_empty_text(tr("No leak suspects: everything was freed."))
        self.owners.set_empty_text(tr("Click a time in the chart to see what lives there."))
        self.stacks.set_empty_text(tr("No call stacks: collect with call_stack=python or c."))
        self.quality.set_empty_text(tr("All rows are consistent."))
        self._say_nothing()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "splitter"):
            self.retranslate()
        super().changeEvent(event)

    # ---- data --------------------------------------------------------------------------------------------------------

    def show_blocks(self, found: pa.Table) -> None:
        """Rows of `memory.memscope.blocks`."""
        self.blocks.show_table(with_addresses(found))

    def show_events(self, found: pa.Table) -> None:
        """Rows of `memory.memscope.events`."""
        self.events.show_table(found)
        self.select_event()

    def select_event(self) -> None:
        """Choose the event that was gone to, where it is shown."""
        table = self.events.table
        at = pc.index(table["row"], self.wanted_event).as_py() if "row" in table.column_names else -1
        if at >= 0:
            self.events.select_row(at)

    def show_quality(self, found: pa.Table) -> None:
        """Rows of `memory.memscope.quality`."""
        self.quality.show_table(memscope_quality.in_words(found))

    def show_collector(self, found: pa.Table | None) -> None:
        """Rows of `memory.memscope.compare_file`; without any their tab is not there."""
        self.bar.setTabVisible(COLLECTOR, found is not None)
        if found is not None:
            told = found["allocated_bytes"].null_count < found.num_rows
            shown = [spec for spec in columns.COLLECTOR if told or spec.name != "allocated_bytes"]
            self.collector.set_columns(shown, found)

    def show_owners(self, found: pa.Table, pinned: dict[str, int] | None) -> None:
        """Rows of `memory.memscope.breakdown`; with sizes of the pinned time by owner path the difference to it."""
        size = found["size_bytes"].to_pylist()
        delta = [
            None if pinned is None else n - pinned.get(path, 0)
            for n, path in zip(size, found["owner"].to_pylist(), strict=True)
        ]
        self.owners.show_tree(found.append_column("delta_bytes", pa.array(delta, pa.int64())), "node", "parent")

    def show_stacks(self, found: pa.Table) -> None:
        """Rows of `memory.memscope.stacks`."""
        ratio = pc.subtract(found["x1"], found["x0"])
        self.stacks.show_tree(found.append_column("ratio", ratio), "node", "parent")

    def select_block(self, block_id: int) -> None:
        """Choose the row of a block, where it is shown."""
        ids = self.blocks.table["block_id"] if "block_id" in self.blocks.table.column_names else None
        at = pc.index(ids, block_id).as_py() if ids is not None else -1
        if at >= 0:
            self.wanted_event = -1
            self.blocks.select_row(at)

    # ---- details -----------------------------------------------------------------------------------------------------

    def _tab(self, at: int) -> None:
        self.stack.setCurrentIndex(at)
        self.side.setVisible(at in (BLOCKS, EVENTS))
        self.tab_changed.emit()

    def _block_row(self, row: int) -> None:
        if row < 0:
            return
        found = self.blocks.row(row)
        self.show_block(found)
        self.block_chosen.emit(found["block_id"])

    def _event_row(self, row: int) -> None:
        if row >= 0:
            self._show_event(self.events.row(row))

    def show_block(self, found: dict[str, Any]) -> None:
        """Everything about a block."""
        never = found["never_freed"]
        since, until = _bounds(found)
        facts = [
            Fact("ID", str(found["block_id"]), strong=True),
            Fact("Address", found["ptr"]),
            Fact("Size", number_text.bytes_text(found["size_bytes"], decimals=3), f"{found['size_bytes']:,} B"),
            Fact("Event Type", found["type"]),
            Fact("Device ID", found["device"]),
            Fact("Owner", found["owner"] or "-"),
            Fact("Malloc", *since),
            Fact("Free", *until, state="warn" if never else ""),
            Fact("Life", ("≥ " if found["alloc_event"] < 0 else "") + number_text.duration(found["life_ns"]), f"{found['life_ns']:,} ns"),
            Fact("First access", _time(found["first_access_ns"])),
            Fact("Last access", _time(found["last_access_ns"])),
            Fact("Longest time between accesses", number_text.duration(found["max_gap_ns"]) if found["accesses"] > 1 else "-"),
            Fact("Accesses", f"{found['accesses']:,}"),
            Fact("Tags", ", ".join(tr(_TAG_TEXTS[t]) for t in found["tags"].split(",") if t in _TAG_TEXTS) or "-"),
            Fact("Collector tags", found["collector_tags"] or "-"),
            Fact("Process ID", str(found["pid"])),
            Fact("Thread ID", str(found["tid"])),
            *(Fact(key, value) for key, value in attributes(found["attr"]).items() if key not in ("size", "owner")),
        ]  # fmt: skip
        self.details.set_facts(facts)
        self._show_side("")

    def _show_side(self, hint: str) -> None:
        """Facts and call stack, or what to do to see them."""
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        self.details.setVisible(not hint)
        self.text.setVisible(not hint)

    def show_words(self, words: dict[str, str]) -> None:
        """Call stacks of the chosen row, by title."""
        self.words = words
        told = [f"{title}\n{text.strip()}" for title, text in words.items() if text.strip()]
        self.text.setPlainText("\n\n".join(told) or tr("No call stack was collected for this row."))

    def _show_event(self, found: dict[str, Any]) -> None:
        self._show_side("")
        self.details.set_facts([
            Fact("ID", str(found["id"]), strong=True), Fact("Event", found["event"]), Fact("Event Type", found["type"]),
            Fact("Name", found["name"] or "-"), Fact("Timestamp", clock(found["t_ns"]), f"{found['t_ns']:,} ns"),
            Fact("Device ID", found["device"]), Fact("Address", found["ptr"]), Fact("Process ID", str(found["pid"])),
            Fact("Thread ID", str(found["tid"])), *(Fact(k, v) for k, v in attributes(found["attr"]).items()),
        ])  # fmt: skip
        self.show_words({
            tr("Call Stack (Python)"): found["call_stack_python"] or "", tr("Call Stack (C)"): found["call_stack_c"] or "",
        })  # fmt: skip

    def _say_nothing(self) -> None:
        if self.blocks.current_row() < 0 and self.events.current_row() < 0:
            self.details.set_facts([])
            self.text.clear()
            self._show_side(tr("Choose a block or an event to see everything about it."))


def with_addresses(found: pa.Table) -> pa.Table:
    """Blocks with their addresses as texts, without an alloc time where they are from before tracing, and without a free time
    where they were never freed.
    """
    texts = pa.array([f"0x{value:016x}" for value in found["address"].to_pylist()], pa.string())
    freed = pc.if_else(found["never_freed"], None, found["free_ns"])
    began = pc.if_else(pc.less(found["alloc_event"], 0), None, found["alloc_ns"])
    for name, values in (("free_ns", freed), ("alloc_ns", began)):
        found = found.set_column(found.schema.get_field_index(name), name, values)
    return found.append_column("ptr", texts)


def _bounds(found: dict[str, Any]) -> tuple[tuple[str, str], tuple[str, str]]:
    """Start and end of a block: text, and what is written beside it."""
    start, end = found["alloc_ns"], found["free_ns"]
    since = (tr("before tracing"), "") if start is None else (clock(start), f"{start:,} ns")
    if end is None:
        return since, (tr("never freed"), "")
    told = f"{end:,} ns"
    return since, (
        clock(end),
        told if found["free_event"] >= 0 else f"{told} · " + tr("by the next MALLOC of its address"),
    )


def clock(ns: int) -> str:
    """A time as `2s 611ms 081us 130ns`.

    >>> clock(2611081130)
    '2s 611ms 081us 130ns'
    """
    whole, ns = divmod(abs(int(ns)), 1000)
    whole, us = divmod(whole, 1000)
    seconds, ms = divmod(whole, 1000)
    return f"{seconds}s {ms:03d}ms {us:03d}us {ns:03d}ns"


def _time(ns: int | None) -> str:
    return "-" if ns is None else clock(ns)
