"""The On-Chip Memory page: the plan of a compiled kernel, replayed, and the banks at one line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFrame, QSplitter, QStackedWidget, QWidget

from insight_desktop.engine.operator import on_chip_memory
from insight_desktop.engine.operator.banks import BYTES
from insight_desktop.engine.store import Store
from insight_desktop.errors import InsightError
from insight_desktop.views.common import fonts, number_text, parts
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.empty_page import EmptyPage
from insight_desktop.views.common.empty_text import EmptyText
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.key_values import Fact, KeyValues
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Tab
from insight_desktop.views.common.select import Select
from insight_desktop.views.operator.bank_map import BankMap
from insight_desktop.views.operator.kernel_page import KernelPage
from insight_desktop.views.operator.plan_chart import PlanChart, kilobytes

Row = Mapping[str, Any]
_FAILED = "fail"


@dataclass(frozen=True)
class Loaded:
    """The plan of a kernel: its memories, the blocks of the chosen one, and (line, bytes in use)."""

    card: str
    scopes: Sequence[Row]
    scope: Row | None
    rows: Sequence[Row]
    used: Sequence[tuple[int, int]]


def load(store: Store, *, card: str, scope: str | None = None) -> Loaded:
    """The memories of a kernel and the blocks of one of them, the first one when unknown."""
    scopes = on_chip_memory.scopes(store, card=card).to_pylist()
    chosen = next((row for row in scopes if row["scope"] == scope), scopes[0] if scopes else None)
    if chosen is None:
        return Loaded(card, scopes, None, (), ())
    name = chosen["scope"]
    rows = on_chip_memory.blocks(store, card=card, scope=name).to_pylist()
    used = [(row["line"], row["used_bytes"]) for row in on_chip_memory.peak(store, card=card, scope=name).to_pylist()]
    return Loaded(card, scopes, chosen, rows, used)


class OnChipPage(KernelPage):
    """One memory of one kernel."""

    KIND = "on_chip"
    loaded: Loaded | None

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.time: int | None = None
        self._wanted_scope: str | None = None
        self._pending: dict[str, Any] | None = None
        self._error: InsightError | None = None  # why nothing is shown
        self._build_bar()
        self._build_body()
        self._connect()
        self.retranslate()

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build_bar(self) -> None:
        self.scope_box = Select()
        self.scope_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.name_label, self.scope_label = parts.YieldingLabel(), parts.label()
        self.badge_place = parts.columns()
        self.summary = parts.YieldingLabel()
        self.summary.setProperty("level", "2")
        self.bar = QWidget()
        self.bar.setObjectName("surface")
        self.bar.setProperty("edge", "bottom")
        self.bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        parts.keep_height(self.bar, 38)
        row = parts.columns(self.bar, margins=(12, 0, 12, 0), gap=10)
        for widget in (self.kernel_box, self.name_label, self.scope_label, self.scope_box):
            row.addWidget(widget)
        row.addLayout(self.badge_place)
        row.addStretch(1)
        row.addWidget(self.summary)

    def _build_body(self) -> None:
        self.error_box = QFrame()
        self.error_box.setProperty("banner", "error")
        inner = parts.columns(self.error_box, margins=(12, 8, 12, 8), gap=8)
        inner.addWidget(parts.IconLabel("x-circle", "error"), 0, Qt.AlignmentFlag.AlignTop)
        words = parts.rows(gap=2)
        self.error_title, self.error_text = parts.label(strong=True, state="error"), parts.label()
        self.error_text.setWordWrap(True)
        self.error_text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words.addWidget(self.error_title)
        words.addWidget(self.error_text)
        inner.addLayout(words, 1)
        self.chart, self.detail, self.banks = PlanChart(), KeyValues(), BankMap()
        self.detail_title, self.layout_title, self.time_label = (
            parts.label(strong=True), parts.label(strong=True), parts.label(level=2),
        )  # fmt: skip
        self.detail_hint, self.layout_hint = EmptyText(), EmptyText()
        self.detail_stack = _stack(self.detail, self.detail_hint)
        self.layout_stack = _stack(self.banks, self.layout_hint)
        side = _panel(self.detail_title, None, self.detail_stack)
        side.setMinimumWidth(fonts.scaled(220))
        lower = _panel(self.layout_title, self.time_label, self.layout_stack)
        self.upper = _splitter(Qt.Orientation.Horizontal, self.chart, side, (75, 25))
        self.chart.setMinimumHeight(fonts.scaled(200))
        lower.setMinimumHeight(fonts.scaled(240))
        self.halves = _splitter(Qt.Orientation.Vertical, self.upper, lower, (55, 45))
        inside = QWidget()
        inside.setObjectName("frame")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = parts.rows(inside, margins=(12, 12, 12, 12), gap=10)
        column.addWidget(self.error_box)
        column.addWidget(self.halves, 1)
        self.empty = EmptyPage("stack")
        self.stack = _stack(inside, self.empty)
        column = parts.rows(self)
        column.addWidget(self.bar)
        column.addWidget(self.stack, 1)

    def _connect(self) -> None:
        self.follow_kernels()
        self.scope_box.currentIndexChanged.connect(lambda _i: self._scope_chosen())
        self.chart.block_clicked.connect(self.block_clicked)
        self.chart.failed.connect(lambda error: self.context.message.emit("error", error.message, error.fix))
        self.banks.block_clicked.connect(self._bank_clicked)
        self.context.language_changed.connect(self.retranslate)

    def retranslate(self) -> None:
        """All texts in the current language."""
        self.scope_label.setText(tr("Scope Type"))
        self.scope_box.setAccessibleName(tr("Scope Type"))
        self.kernel_box.setAccessibleName(tr("Kernel"))
        self.error_title.setText(tr("Error Info"))
        self.chart.set_title(tr("Memory Block Graph"))
        self.detail_title.setText(tr("Slice Detail"))
        self.layout_title.setText(tr("Memory Layout"))
        self.detail_hint.set_texts(tr("No block selected"), tr("Click a block of the chart."))
        self.layout_hint.set_texts(tr("Please click on the chart above to view memory layout"))
        self.detail.setAccessibleName(tr("Slice Detail"))
        self.banks.setAccessibleName(tr("Memory Layout"))
        if self.loaded is not None:
            self._show_head(self.loaded)
            self.chart.show_rows(self.loaded.rows, self.loaded.used, keep_view=True)
            self._show_block()
            self._show_time()
        elif self._error is not None:
            self._failed(self._error)

    # ---- what is chosen ----------------------------------------------------------------------------------------------

    def _other_kernel(self) -> None:
        self._wanted_scope = None
        self._ask()

    def _scope_chosen(self) -> None:
        self._wanted_scope = self.scope_box.currentData()
        self._ask()
        self.context.view_changed.emit()

    def _ask(self) -> None:
        if self._card is None:
            self.loaded = None
            self.empty.show_content(
                tr("No plan of on-chip memory is open"), tr("Open the memory_info.json that the Triton compiler wrote.")
            )
            self.stack.setCurrentIndex(1)
            return
        self.ask(load, then=self._show, failed=self._failed, card=self._card, scope=self._wanted_scope)

    def _failed(self, error: InsightError) -> None:
        self.loaded = None
        self._error = error
        self.empty.show_content(say(error.message), say(error.fix))
        self.stack.setCurrentIndex(1)

    def _show(self, loaded: Loaded) -> None:
        before = self.loaded
        same = before is not None and (before.card, before.scope) == (loaded.card, loaded.scope)
        self.loaded, self._error = loaded, None
        self.stack.setCurrentIndex(0)
        self.scope_box.blockSignals(True)
        self.scope_box.clear()
        for row in loaded.scopes:
            self.scope_box.addItem(row["scope"], row["scope"])
        self.scope_box.setCurrentIndex(
            self.scope_box.findData(loaded.scope["scope"]) if loaded.scope is not None else -1
        )
        self.scope_box.blockSignals(False)
        self._show_head(loaded)
        self.chart.show_rows(loaded.rows, loaded.used, keep_view=same)
        if not same:
            self.time = None
            self.chart.plan.choose_block(-1)
        self._apply_pending()
        self._show_block()
        self._show_time()
        self._tell()

    def _show_head(self, loaded: Loaded) -> None:
        scope = loaded.scope
        self.name_label.set_text(tr("Kernel Name: {0}").format(scope["kernel"] if scope is not None else ""))
        parts.clear(self.badge_place)
        if scope is not None:
            failed = scope["status"] == _FAILED
            text = tr("Compile Failed") if failed else tr("Compile Success")
            self.badge_place.addWidget(
                parts.Chip(text, "x-circle" if failed else "check-circle", "error" if failed else "ok")
            )
        error = scope["error"] if scope is not None else ""
        self.error_text.setText(error or "")
        self.error_box.setVisible(bool(error))
        most = max(loaded.used, key=lambda pair: pair[1], default=(0, 0))
        top = max((row["address_bytes"] + row["size_bytes"] for row in loaded.rows), default=0)
        words = tr("{0} blocks · at most {1} in use, at line {2} · highest address {3}").format(
            number_text.count(len(loaded.rows)), kilobytes(most[1]), most[0], kilobytes(top)
        )
        self.summary.set_text(words if loaded.rows else "")

    # ---- block and time ----------------------------------------------------------------------------------------------

    @property
    def block(self) -> Row | None:
        """The chosen block."""
        at = self.chart.plan.chosen_block
        return self.loaded.rows[at] if self.loaded is not None and 0 <= at < len(self.loaded.rows) else None

    def block_clicked(self, at: int, place: float) -> None:
        """A click on the chart: the block, if there is one, and the line below it."""
        if at >= 0:
            self.chart.plan.choose_block(at)
        self.time = floor(place)
        self._show_block()
        self._show_time()
        self._tell()
        self.context.view_changed.emit()

    def _bank_clicked(self, block: str) -> None:
        if self.loaded is not None:
            at = next((i for i, row in enumerate(self.loaded.rows) if str(row["id"]) == block), -1)
            self.chart.plan.choose_block(at)
            self._show_block()
            self._tell()

    def _show_block(self) -> None:
        row = self.block
        self.detail_stack.setCurrentIndex(0 if row is not None else 1)
        self.banks.choose(str(row["id"]) if row is not None else "")
        if row is not None:
            self.detail.set_facts(facts(row))

    def living(self) -> list[Row]:
        """Blocks that live at the chosen line."""
        if self.loaded is None or self.time is None:
            return []
        return [row for row in self.loaded.rows if row["start_line"] <= self.time <= row["end_line"]]

    def _show_time(self) -> None:
        self.chart.plan.set_time(self.time)
        self.layout_stack.setCurrentIndex(0 if self.time is not None else 1)
        if self.time is None:
            self.time_label.setText("")
            return
        living = self.living()
        text = tr("Current Time: {0}").format(self.time)
        used = sum(row["size_bytes"] for row in living)
        text += "  ·  " + tr("{0} blocks, {1}").format(len(living), kilobytes(used))
        beyond = [row for row in living if row["address_bytes"] + row["size_bytes"] > BYTES]
        if beyond:
            text += "  ·  " + tr("{0} reach beyond the last bank").format(len(beyond))
        self.time_label.setText(text)
        self.banks.show_rows(living, self.chart.plan.colours_by_id)

    def _tell(self) -> None:
        if not self.isVisible() or self.loaded is None:
            return
        row = self.block
        if row is None:
            self.context.status.emit([self.loaded.card, self.summary.full_text()])
            return
        life = f"[{row['start_line']}, {row['end_line']}]"
        self.context.status.emit(
            [
                row["buffer"] or str(row["id"]),
                kilobytes(row["size_bytes"]),
                tr("Life {0}").format(life),
                row["source_location"],
            ]
        )

    # ---- session -----------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        if self._pending is not None:
            return self._pending
        return {
            "card": self._card, "scope": self._wanted_scope, "time": self.time, "block": self.chart.plan.chosen_block,
            "upper": self.upper.sizes(), "halves": self.halves.sizes(),
        }  # fmt: skip

    def restore_state(self, state: dict[str, Any]) -> None:
        if not isinstance(state, dict) or not state:
            return
        self._pending = state
        for name, key in (("_card", "card"), ("_wanted_scope", "scope")):
            if isinstance(state.get(key), str):
                setattr(self, name, state[key])
        self.refresh()

    def _apply_pending(self) -> None:
        state, self._pending = self._pending, None
        if state is None:
            return
        if isinstance(state.get("time"), int):
            self.time = state["time"]
        if isinstance(state.get("block"), int) and self.loaded is not None and state["block"] < len(self.loaded.rows):
            self.chart.plan.choose_block(state["block"])
        for splitter, key in ((self.upper, "upper"), (self.halves, "halves")):
            sizes = state.get(key)
            if isinstance(sizes, list) and len(sizes) == 2:
                splitter.setSizes([int(size) for size in sizes])


def facts(row: Row) -> list[Fact]:
    """What Slice Detail says about a block; its attributes as the plan has them."""
    attributes = {
        "buffer": row["buffer"], "offset": row["offset_bytes"], "virtualAddress": row["address_bytes"],
        "sourceLocation": row["source_location"], "allocLine": row["alloc_line"], "tmpBuf": row["is_tmpbuf"],
    }  # fmt: skip
    text = json.dumps(attributes, ensure_ascii=False, indent=2)
    return [
        Fact("ID", str(row["id"]), strong=True),
        Fact("Address", kilobytes(row["address_bytes"]), f"{number_text.count(row['address_bytes'])} B"),
        Fact("Size", kilobytes(row["size_bytes"]), f"{number_text.count(row['size_bytes'])} B"),
        Fact("Life", f"[{row['start_line']}, {row['end_line']}]"),
        Fact("Attributes", text.replace("\n  ", "\n\u00a0\u00a0"), copied=text),
    ]


def _stack(*widgets: QWidget) -> QStackedWidget:
    made = QStackedWidget()
    for widget in widgets:
        made.addWidget(widget)
    return made


def _panel(title: QWidget, words: QWidget | None, body: QWidget) -> QFrame:
    made = QFrame()
    made.setObjectName("box")
    column = parts.rows(made, margins=(1, 1, 1, 1))
    head = QWidget()
    head.setObjectName("surface")
    parts.keep_height(head, 34)
    row = parts.columns(head, margins=(10, 2, 6, 2), gap=10)
    row.addWidget(title)
    if words is not None:
        row.addWidget(words)
    row.addStretch(1)
    column.addWidget(head)
    column.addWidget(parts.line())
    column.addWidget(body, 1)
    return made


def _splitter(way: Qt.Orientation, first: QWidget, second: QWidget, shares: tuple[int, int]) -> QSplitter:
    made = QSplitter(way)
    made.setObjectName("panels")
    made.setHandleWidth(10)
    for i, widget in enumerate((first, second)):
        made.addWidget(widget)
        made.setStretchFactor(i, shares[i])
    made.setChildrenCollapsible(False)
    made.setSizes([share * 10 for share in shares])
    return made


TAB = Tab("operator.on_chip_memory", "On-Chip Memory", OnChipPage)
