"""The Details page of a kernel: what it is, what bounds it, how its cores, pipes and memory were used."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QSplitter, QStackedWidget, QWidget

from insight_desktop.engine.store import StoreCard
from insight_desktop.errors import InsightError
from insight_desktop.views.common import fonts, parts
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.empty_page import EmptyPage
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Tab
from insight_desktop.views.common.select import Select
from insight_desktop.views.operator import details_export, details_load, details_texts
from insight_desktop.views.operator.compute_panel import ComputePanel
from insight_desktop.views.operator.core_map import CoreMap
from insight_desktop.views.operator.details_load import Loaded
from insight_desktop.views.operator.facts_strip import FactsStrip
from insight_desktop.views.operator.findings_panel import AdviceLines, FindingsPanel
from insight_desktop.views.operator.kernel_page import KernelPage
from insight_desktop.views.operator.memory_panel import MemoryPanel, MemoryTables
from insight_desktop.views.operator.ranking_table import RankingPanel
from insight_desktop.views.operator.roofline_chart import RooflineChart
from insight_desktop.views.operator.small_panels import BlocksPanel, SimtPanel, StallsPanel

NARROW = 1080  # px below which panels stand below each other
TOP, MIDDLE = 290, 440


class DetailsPage(KernelPage):
    """One kernel, alone or against a baseline."""

    loaded: Loaded | None

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._pending: dict[str, Any] | None = None
        self._blocks = Asker(context, self)  # its questions must not supersede those of the whole kernel
        self._build_bar()
        self._build_body()
        self._connect()
        self.retranslate()

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build_bar(self) -> None:
        self.base_box = Select()
        self.base_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.base_box.setMaximumWidth(220)
        self.base_label = parts.label()
        self.base_label.setBuddy(self.base_box)
        self.facts = FactsStrip()
        self.export_button = parts.button("", "download-simple", click=lambda: details_export.dialog(self))
        self.bar = QWidget()
        self.bar.setObjectName("surface")
        self.bar.setProperty("edge", "bottom")
        self.bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = parts.columns(self.bar, margins=(0, 0, 12, 0), gap=8)
        row.addSpacing(4)
        row.addWidget(self.kernel_box)
        row.addWidget(self.facts, 1)
        for widget in (self.base_label, self.base_box, self.export_button):
            row.addWidget(widget)
        self.bar.setMinimumHeight(fonts.scaled(44))

    def _build_body(self) -> None:
        self.findings, self.ranking = FindingsPanel(), RankingPanel()
        self.cores, self.roofline = CoreMap(), RooflineChart()
        self.core_advice, self.roof_advice = AdviceLines(), AdviceLines()
        self.memory, self.compute = MemoryPanel(), ComputePanel()
        self.tables, self.stalls, self.simt, self.blocks = MemoryTables(), StallsPanel(), SimtPanel(), BlocksPanel()
        for chart, advice in ((self.cores, self.core_advice), (self.roofline, self.roof_advice)):
            layout = chart.layout()
            assert layout is not None
            layout.addWidget(advice)
        self.top = self._split(self.cores, self.roofline, (58, 42), TOP)
        self.middle = self._split(self.memory, self.compute, (50, 50), MIDDLE)
        inside = QWidget()
        inside.setObjectName("frame")
        self._column = parts.rows(inside, margins=(12, 12, 12, 12), gap=10)
        for widget in (self.findings, self.ranking, self.top, self.middle, self.tables, self.stalls, self.simt, self.blocks):  # fmt: skip
            self._column.addWidget(widget)
        self._column.addStretch(1)
        self.content = parts.scrolling(inside)
        self.empty = EmptyPage("cpu")
        self.stack = QStackedWidget()
        self.stack.addWidget(self.content)
        self.stack.addWidget(self.empty)
        column = parts.rows(self)
        column.addWidget(self.bar)
        column.addWidget(self.stack, 1)

    def _split(self, left: QWidget, right: QWidget, shares: tuple[int, int], height: int) -> QSplitter:
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setObjectName("panels")
        splitter.setHandleWidth(10)
        for i, widget in enumerate((left, right)):
            splitter.addWidget(widget)
            splitter.setStretchFactor(i, shares[i])
            splitter.setCollapsible(i, False)
            widget.setMinimumHeight(fonts.scaled(height))
        return splitter

    def _connect(self) -> None:
        self.follow_kernels()
        self.base_box.currentIndexChanged.connect(lambda _i: self._ask())
        self.findings.section_wanted.connect(self.show_section)
        self.ranking.kernel_wanted.connect(self.choose)
        self.cores.metric_changed.connect(lambda _m: self._show_cores())
        self.cores.core_chosen.connect(self._core_chosen)
        self.memory.block_changed.connect(self._show_tables)
        for panel in (self.memory, self.compute):
            panel.block_wanted.connect(self._ask_block)
        self.middle.splitterMoved.connect(lambda *_: self._fit_diagram())
        for signal in (self.memory.block_changed, self.memory.shown_changed, self.compute.block_changed, self.cores.metric_changed):  # fmt: skip
            signal.connect(lambda *_: self.context.view_changed.emit())
        for chart in (self.cores, self.roofline, self.memory):
            chart.failed.connect(lambda error: self.context.message.emit("error", error.message, error.fix))
        self.context.compare_changed.connect(self._compared)
        self.context.language_changed.connect(self.retranslate)

    def retranslate(self) -> None:
        """All texts in the current language."""
        self.base_label.setText(tr("Baseline"))
        self.base_box.setAccessibleName(tr("Baseline"))
        self.kernel_box.setAccessibleName(tr("Kernel"))
        self.export_button.setText(tr("Export…"))
        for panel in (self.findings, self.ranking, self.memory, self.compute, self.tables, self.stalls, self.simt,
                      self.blocks, self.cores, self.roofline):  # fmt: skip
            panel.retranslate()
        self.cores.set_title(tr("Core Occupancy"), self._core_words())
        self.roofline.set_title(tr("Roofline"))
        if self.base_box.count():
            self.base_box.setItemText(0, tr("none"))
        if self.loaded is not None:
            self._show(self.loaded)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wanted = Qt.Orientation.Vertical if self.width() < fonts.scaled(NARROW) else Qt.Orientation.Horizontal
        for splitter in (self.top, self.middle):
            if splitter.orientation() != wanted:
                splitter.setOrientation(wanted)
        self._fit_diagram()

    def _fit_diagram(self) -> None:
        """The diagram is as high as its drawing needs at the width it has."""
        high = self.memory.height_for(self.memory.width())
        several = 2 if self.middle.orientation() == Qt.Orientation.Vertical else 1
        self.memory.setMinimumHeight(high)
        self.compute.setMinimumHeight(min(high, fonts.scaled(320)))
        self.middle.setFixedHeight(high if several == 1 else high + fonts.scaled(420))

    # ---- what is chosen ----------------------------------------------------------------------------------------------

    @property
    def baseline(self) -> str | None:
        """The kernel it is compared with."""
        found = self.base_box.currentData()
        return str(found) if found else None

    def kernels(self) -> list[StoreCard]:
        """Kernels that can be compared: those of the project and the baseline of another one."""
        return [card for card in self.context.store.cards_of("operator") if card.kind == self.KIND]

    def refresh(self) -> None:
        """Take over the kernels of the store, and what each of them can be compared with."""
        self.fill_kernels()
        cards = self.kernels()
        base = self.baseline or self.context.baseline
        self.base_box.blockSignals(True)
        self.base_box.clear()
        self.base_box.addItem(tr("none"), "")
        for card in cards:
            if card.name != self._card:
                self.base_box.addItem(card.alias or card.name, card.name)
        self.base_box.setCurrentIndex(max(0, self.base_box.findData(base or "")))
        self.base_box.blockSignals(False)
        for widget in (self.base_label, self.base_box):
            widget.setVisible(len(cards) > 1)
        self._ask()

    def _other_kernel(self) -> None:
        self.refresh()

    def _compared(self) -> None:
        """Baseline and comparison were chosen in the data panel."""
        known = [card.name for card in self.kernels()]
        if self.context.comparison in known and self.context.comparison is not None:
            self._card = self.context.comparison
        if self.context.baseline in known or self.context.baseline is None:
            self.base_box.blockSignals(True)
            self.base_box.setCurrentIndex(max(0, self.base_box.findData(self.context.baseline or "")))
            self.base_box.blockSignals(False)
            self.refresh()

    # ---- data --------------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        if self._card is None:
            self.loaded = None
            self.facts.show_facts(())
            details_texts.nothing_open(self.empty)
            self.stack.setCurrentWidget(self.empty)
            return
        self.ask(details_load.load, then=self._show, failed=self._failed, card=self._card, baseline=self.baseline)

    def _ask_block(self, block: str) -> None:
        """The figures of one of very many blocks."""
        if self.loaded is not None:
            self._blocks.ask(
                details_load.add_block, then=self._block_came, failed=self._failed, loaded=self.loaded, block=block
            )

    def _block_came(self, loaded: Loaded) -> None:
        if loaded is self.loaded:
            self.memory.show_loaded(loaded)
            self.compute.show_loaded(loaded)
            self._show_tables()

    def _failed(self, error: InsightError) -> None:
        self.empty.show_content(error.message, error.fix)
        self.stack.setCurrentWidget(self.empty)

    def _show(self, loaded: Loaded) -> None:
        self.loaded = loaded
        if loaded.is_empty:
            self.facts.show_facts(())
            details_texts.no_figures(self.empty, loaded, self.context.tab_wanted.emit)
            self.stack.setCurrentWidget(self.empty)
            self._tell()
            return
        self.stack.setCurrentWidget(self.content)
        self.facts.show_facts(details_texts.facts(loaded), details_texts.important(loaded))
        self.findings.show_rows(loaded.of("bounds"), loaded.of("advice", section="base_info"))
        self.ranking.show_rows(loaded.of("operators"), loaded.card)
        self._name_kernels(loaded)
        self._show_cores()
        self.roofline.setVisible("roofline" not in loaded.missing)
        if "roofline" not in loaded.missing:
            self.roofline.show_rows(loaded.of("roofline"))
        self.roof_advice.show_texts([row["text"] for row in loaded.of("advice", section="roofline")])
        self.memory.show_loaded(loaded)
        self._fit_diagram()
        self.compute.show_loaded(loaded)
        self._show_tables()
        self.stalls.show_loaded(loaded)
        self.simt.show_rows(loaded.of("simt"))
        self.blocks.show_rows(loaded.of("block_durations"))
        self._apply_pending()
        self._tell()

    def _name_kernels(self, loaded: Loaded) -> None:
        """Cards are named by their folders; the selects add what the kernels are called."""
        names = {row["card"]: row["name"] for row in loaded.of("operators")}
        for box in (self.kernel_box, self.base_box):
            for i in range(box.count()):
                card = str(box.itemData(i) or "")
                if names.get(card, card) != card:
                    box.setItemText(i, f"{box.itemText(i).split(' · ')[0]} · {names[card]}")

    def _show_cores(self) -> None:
        loaded = self.loaded
        if loaded is None:
            return
        name = f"core_load.{self.cores.shown_metric}"
        self.cores.setVisible(name not in loaded.missing)
        self.top.setVisible(name not in loaded.missing or "roofline" not in loaded.missing)
        self.cores.show_rows(loaded.of(name))
        self.cores.set_title(tr("Core Occupancy"), self._core_words())
        self.core_advice.show_texts([row["text"] for row in loaded.of("advice", section="core_load")])

    def _core_words(self) -> str:
        used = sum(bool(held) for _, held in self.cores.area.cards)
        return tr("{0} cores").format(used) if used else ""

    def _show_tables(self) -> None:
        if self.loaded is not None:
            self.tables.show_block(self.loaded, self.memory.block_box.block)

    def _core_chosen(self, at: int) -> None:
        """The other panels show the block of a core."""
        if 0 <= at < len(self.cores.area.cards):
            shown, held = self.cores.area.cards[at]
            block = str(next((row["core"] for row in held.values()), shown))
            self.memory.block_box.choose(block)
            self.compute.block_box.choose(block)

    def show_section(self, section: str) -> None:
        """Bring the part of the page into view where figures stand."""
        target: dict[str, QWidget] = {
            "roofline": self.roofline, "core_load": self.cores, "compute": self.compute, "memory_graph": self.memory,
            "memory_table": self.tables, "stalls": self.stalls,
        }  # fmt: skip
        widget = target.get(section)
        if widget is not None:
            QTimer.singleShot(0, lambda: self.content.ensureWidgetVisible(widget, 0, 40))

    def _tell(self) -> None:
        if self.isVisible() and self.loaded is not None:
            self.context.status.emit(details_texts.status(self.loaded))

    # ---- session -----------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        if self._pending is not None:
            return self._pending
        return {
            "card": self._card,
            "baseline": self.baseline,
            "metric": self.cores.shown_metric,
            "memory_block": self.memory.block_box.block,
            "compute_block": self.compute.block_box.block,
            "figure": self.memory.figure,
            "roofline_tab": self.roofline.tab,
            "all_findings": self.findings.is_open,
            "scroll": self.content.verticalScrollBar().value(),
        }

    def restore_state(self, state: dict[str, Any]) -> None:
        if not isinstance(state, dict) or not state:
            return
        self._pending = state
        if isinstance(state.get("card"), str):
            self._card = state["card"]
        self.refresh()

    def _apply_pending(self) -> None:
        state, self._pending = self._pending, None
        if state is None:
            return
        self.cores.set_metric(str(state.get("metric")))
        self.memory.block_box.choose(str(state.get("memory_block")))
        self.compute.block_box.choose(str(state.get("compute_block")))
        self.memory.shown_box.setCurrentIndex(1 if state.get("figure") == "request" else 0)
        if state.get("roofline_tab") in self.roofline.tab_buttons:
            self.roofline.show_tab(str(state["roofline_tab"]))
        if state.get("all_findings") and not self.findings.is_open:
            self.findings.toggle()
        base = state.get("baseline")
        if base and base != self.baseline and self.base_box.findData(base) >= 0:
            self.base_box.setCurrentIndex(self.base_box.findData(base))
        scroll = state.get("scroll")
        if isinstance(scroll, int):
            QTimer.singleShot(0, lambda: self.content.verticalScrollBar().setValue(scroll))


TAB = Tab("operator.details", "Details", DetailsPage)
