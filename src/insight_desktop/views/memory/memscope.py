"""The MemScope page: which blocks lived when, who owns them, what stays, and what the program did meanwhile."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from insight_desktop.engine.load_options import PAIRING, Pairing
from insight_desktop.engine.memory import memscope as queries
from insight_desktop.engine.memory.blocks import Blocks
from insight_desktop.engine.memory.memscope_chart import chart_blocks
from insight_desktop.engine.store import Store
from insight_desktop.errors import InsightError
from insight_desktop.views.common import parts
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.empty_page import EmptyPage
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.common.select import Select
from insight_desktop.views.common.treemap import Treemap
from insight_desktop.views.memory import memscope_panels, memscope_quality, memscope_texts
from insight_desktop.views.memory import memscope_verbs as verbs
from insight_desktop.views.memory.call_flame import CallFlame
from insight_desktop.views.memory.memscope_charts import MemscopeCharts
from insight_desktop.views.memory.memscope_compare import collector_rows
from insight_desktop.views.memory.memscope_dialog import ThresholdDialog
from insight_desktop.views.memory.memscope_panels import MemscopePanels, clock

PINNED = "HOST_PINNED"
_SETTLE_MS = 300  # after a zoom the tables follow


def open_dump(store: Store, *, card: str | None) -> dict[str, Any]:
    """What the page needs of a dump before a pool is chosen."""
    found = queries.chosen(store, card)
    name = found.name
    return {
        "card": name, "folder": found.folder, "pairing": Pairing.of(found.source) if found.source else Pairing(), "facts": queries.facts(store, card=name).to_pylist()[0],
        "devices": queries.devices(store, card=name).to_pylist(), "threads": queries.threads(store, card=name).to_pylist(),
        "quality": queries.quality(store, card=name), "markers": queries.markers(store, card=name).to_pylist(),
        "collector": collector_rows(store, name),
    }  # fmt: skip


class MemscopePage(Page):
    """One dump: a pool of a device over time, with everything that hangs on a time, a range or a block."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.dump: dict[str, Any] = {}
        self.thresholds: dict[str, int | bool] = {}
        self.marker: float | None = None
        self.pinned: tuple[float, dict[str, int]] | None = None  # time A and its sizes by owner
        self.pin_wanted = False  # A is pinned when the owners of the marked time are there
        self._state: dict[str, Any] = {}  # waits for its dump
        self._range: tuple[float, float] | None = None
        self._shown: tuple[str, str, str] | None = None
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._ask_range)
        self._build()
        self._connect()
        self.retranslate()
        QTimer.singleShot(0, self.refresh)

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.card_box, self.device_box, self.type_box = Select(), Select(), Select()
        self.labels = {box: parts.label(level=2) for box in (self.card_box, self.device_box, self.type_box)}
        self.threshold_button = parts.button("", "funnel", click=self.choose_thresholds)
        self.peak_button = parts.button("", "chart-line-up", flat=True, click=self.go_to_peak)
        self.pin_button = parts.button("", "push-pin", flat=True, click=self.pin)
        self.quality_button = parts.button("", "warning", flat=True, click=self._show_quality)
        self.bar = QWidget()
        self.bar.setObjectName("surface")
        self.bar.setProperty("edge", "bottom")
        self.bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        parts.keep_height(self.bar, 38)
        row = parts.columns(self.bar, margins=(12, 0, 12, 0), gap=6)
        for box, label in self.labels.items():
            box.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToContents)
            box.setMaximumWidth(240)
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
            row.addSpacing(6)
        row.addStretch(1)
        for button in (self.quality_button, self.peak_button, self.pin_button, self.threshold_button):
            row.addWidget(button)
        self.flame = CallFlame()
        self.charts = MemscopeCharts()
        self.treemap = Treemap(collapsible=True)
        self.panels = MemscopePanels()
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setHandleWidth(10)
        self.splitter.setObjectName("panels")
        self.splitter.setChildrenCollapsible(False)
        for widget, least in ((self.flame, 130), (self.charts, 260), (self.treemap, 120), (self.panels, 260)):
            parts.keep_least_height(widget, least)
            self.splitter.addWidget(widget)
        self.splitter.setSizes([130, 300, 160, 340])
        inside = QWidget()
        parts.rows(inside, margins=(12, 12, 12, 12), gap=10).addWidget(self.splitter, 1)
        self.empty = EmptyPage("cpu")
        self.content = parts.scrolling(inside)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.content)
        self.stack.addWidget(self.empty)
        column = parts.rows(self)
        column.addWidget(self.bar)
        column.addWidget(self.stack, 1)

    def _connect(self) -> None:
        context = self.context
        context.store_changed.connect(self.refresh)
        context.card_selected.connect(self._card_clicked)
        self.card_box.currentIndexChanged.connect(lambda _i: self._ask_dump())
        self.device_box.currentIndexChanged.connect(lambda _i: self._device_chosen())
        self.type_box.currentIndexChanged.connect(lambda _i: self._pool_chosen())
        self.flame.thread_changed.connect(lambda _track: self._ask_thread())
        self.flame.area.wanted.connect(self._ask_calls)
        self.flame.area.view_changed.connect(self._flame_moved)
        self.flame.area.time_chosen.connect(self.set_marker)
        self.charts.view_changed.connect(self._chart_moved)
        self.charts.time_chosen.connect(self.set_marker)
        self.charts.block_chosen.connect(self.panels.select_block)
        self.charts.menu_wanted.connect(self._ask_menu)
        self.charts.choices.changed.connect(self._choices_changed)
        self.charts.choices.stepped.connect(self._ask_step)
        self.charts.cursor_moved.connect(self._tell_cursor)
        self.charts.bar.currentChanged.connect(lambda _i: context.view_changed.emit())
        self.panels.block_chosen.connect(self._block_chosen)
        self.panels.time_wanted.connect(self.go_to)
        self.panels.stacks_wanted.connect(self._ask_stacks)
        self.panels.tab_changed.connect(self._tab_changed)
        self.panels.compare.wanted.connect(self._ask_compare)
        self.panels.pairing.wanted.connect(self._pairing_wanted)
        tables = (
            self.panels.blocks,
            self.panels.events,
            self.panels.leaks,
            self.panels.owners,
            self.panels.stacks,
            self.panels.compare.table,
            self.panels.collector,
        )
        for part in (self.flame, *self.charts.charts, self.treemap, *tables, self.panels.quality):
            part.failed.connect(lambda error: context.message.emit("error", say(error.message), say(error.fix)))
            part.exported.connect(lambda path: context.message.emit("success", tr("Exported: {0}").format(path), ""))

    def retranslate(self) -> None:
        """Texts in the current language."""
        for box, text in ((self.card_box, tr("Dump")), (self.device_box, tr("Device ID")), (self.type_box, tr("Type"))):
            self.labels[box].setText(text)
            box.setAccessibleName(text)
        self.threshold_button.setText(tr("Inefficient blocks…"))
        self.peak_button.setText(tr("Go to peak"))
        self.pin_button.setText(tr("Pin A"))
        parts.set_tip(self.quality_button, tr("Shows which rows, and lets rows without a partner count"))
        parts.set_tip(self.pin_button, tr("Remember the marked time; Owners then show the difference to it"))
        parts.set_tip(self.threshold_button, tr("Tag blocks that are allocated early, freed late or idle for long"))
        self.charts.retranslate()
        self.flame.retranslate()
        self._titles()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "stack"):
            self.retranslate()
            self._ask_dump()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell()

    # ---- what is chosen ----------------------------------------------------------------------------------------------

    @property
    def card(self) -> str | None:
        """The dump that is shown."""
        found = self.card_box.currentData()
        return str(found) if found else None

    @property
    def pool(self) -> tuple[str, str]:
        """Device and type."""
        return str(self.device_box.currentData() or ""), str(self.type_box.currentData() or "")

    def refresh(self) -> None:
        """Dumps came or went; what is shown stays when its dump is unchanged."""
        cards = [card for card in self.context.store.cards_of("memory") if card.kind == queries.FORMAT]
        wanted = self._state.get("card") or self.card or self.context.card
        self.card_box.fill([(card.alias or card.name, card.name) for card in cards], wanted)
        for widget in (self.labels[self.card_box], self.card_box):
            widget.setVisible(len(cards) > 1)
        self.panels.compare.show_bases([(c.alias or c.name, c.name) for c in cards if c.name != self.card])
        self.panels.bar.setTabVisible(memscope_panels.COMPARISON, len(cards) > 1)
        if not cards:
            self._say_empty(
                tr("No MemScope dump is read yet"),
                tr("Open a memscope_dump_*.db or .csv file, or wait until it is read."),
            )
        elif self.dump.get("card") != self.card:
            self._ask_dump()
        elif self.dump["folder"] not in {card.folder for card in cards if card.name == self.card}:
            self._state = self.view_state()  # read again with another option: the view stays
            self.pinned = None
            self.pin_button.setText(tr("Pin A"))
            self._ask_dump()
        else:
            self._show_pairing()

    def _card_clicked(self, name: str) -> None:
        at = self.card_box.findData(name)
        if at >= 0:
            self.card_box.setCurrentIndex(at)

    def _ask_dump(self) -> None:
        if self.card is not None:
            self.ask(open_dump, then=self._show_dump, failed=self._failed, card=self.card)

    def _show_dump(self, dump: dict[str, Any]) -> None:
        self.dump, self._shown = dump, None
        others = [c for c in self.context.store.cards_of("memory") if c.kind == queries.FORMAT and c.name != self.card]
        self.panels.compare.show_bases([(c.alias or c.name, c.name) for c in others])
        self._ask_compare()
        self.stack.setCurrentWidget(self.content)
        devices = list(dict.fromkeys(row["device"] for row in dump["devices"]))
        names = [(tr("Host memory") + " (cpu)" if d == "cpu" else d, d) for d in devices]
        self.device_box.fill(names, self._state.get("device") or self.pool[0])
        self.quality_button.setVisible(dump["quality"].num_rows > 0)
        self.quality_button.setText(memscope_quality.badge(dump["quality"]))
        self.panels.show_quality(dump["quality"])
        self._show_pairing()
        self.panels.show_collector(dump["collector"])
        self.flame.setVisible(bool(dump["threads"]))
        self.flame.show_threads(dump["threads"])
        self._ask_thread()
        if not devices:
            self._say_empty(
                tr("This dump has no allocation events"), tr("Collect with the events alloc and free to see blocks and curves."),
                code="msmemscope --events=alloc,free --level=0 python train.py",
            )  # fmt: skip
            return
        self._device_chosen()

    def _show_pairing(self) -> None:
        cards = self.context.store.cards_of("memory")
        own = any(card.name == self.card and not card.guest for card in cards)
        self.panels.pairing.show_pairing(self.dump["pairing"], possible=own and self.card not in self.context.reading)

    def _pairing_wanted(self, text: str) -> None:
        if self.card is not None:
            self.context.option_wanted.emit(self.card, PAIRING, text)

    def _device_chosen(self) -> None:
        device = self.pool[0]
        types = [row["type"] for row in self.dump.get("devices", ()) if row["device"] == device]
        self.type_box.fill([(t, t) for t in types], self._state.get("type") or self.pool[1])
        self._pool_chosen()

    def _pool_chosen(self) -> None:
        if not all(self.pool) or not self.dump:
            return
        state, self._state = self._state, {}
        if isinstance(state.get("thresholds"), dict):
            self.thresholds = {str(k): v for k, v in state["thresholds"].items() if isinstance(v, int)}
        self._show_thresholds()
        if "colour" in state:
            self.charts.choices.choose(colour=str(state["colour"]), sizes=_pair(state.get("sizes")))
        view = state.get("view")
        self._range = (float(view[0]), float(view[1])) if isinstance(view, list) and len(view) == 2 else None
        if isinstance(state.get("chart"), int):
            self.charts.bar.setCurrentIndex(max(0, min(state["chart"], 1)))
        if isinstance(state.get("tab"), int):
            self.panels.bar.setCurrentIndex(max(0, min(state["tab"], self.panels.bar.count() - 1)))
        for widget in (self.treemap, self.threshold_button):
            widget.setVisible(self.pool[1] != PINNED)
        self.panels.bar.setTabVisible(memscope_panels.OWNERS, self.pool[1] != PINNED)
        self.marker = None
        self._titles()
        device, kind = self.pool
        self.ask(queries.curve, then=self._show_curve, failed=self._failed, device=device, kind=kind, card=self.card)
        self.ask(chart_blocks, then=self._show_lives, failed=self._failed, card=self.card, device=device, kind=kind)
        self._ask_range()
        self._ask_owners(None)
        self._ask_stacks()

    def _titles(self) -> None:
        self.treemap.set_title(tr("Memory Details Disassembly Diagram"))

    # ---- curve and range ---------------------------------------------------------------------------------------------

    def _show_curve(self, found: pa.Table) -> None:
        if not self.dump:
            return
        facts, view = self.dump["facts"], self._range  # new data show everything, which the charts tell
        self.charts.show_curve(found, facts["span_ns"], self._pool_facts()["peak_bytes"], self.dump["markers"])
        self._zoom_to(view)
        self._tell()

    def _show_lives(self, found: tuple[Blocks, Any]) -> None:
        view = self._range
        self.charts.show_blocks(*found)
        verbs.ask_look(self)
        self._zoom_to(view)

    def _zoom_to(self, view: tuple[float, float] | None) -> None:
        if view is not None:
            self.charts.set_view(*view)

    def _pool_facts(self) -> dict[str, Any]:
        return next(
            (r for r in self.dump.get("devices", ()) if (r["device"], r["type"]) == self.pool),
            {"peak_bytes": 0, "peak_ns": 0},
        )

    def _chart_moved(self, view: tuple[float, float] | None) -> None:
        if not self.dump:  # the curve of a dump that is no longer chosen
            return
        whole = (0.0, float(self.dump["facts"]["span_ns"]))
        self._range = view
        self.flame.area.set_view(*(self._range or whole), tell=False)
        self._settle.start()
        self.context.view_changed.emit()

    def _flame_moved(self, low: float, high: float) -> None:
        self.charts.set_view(low, high)
        if self.charts.blocks.block_plot.blocks is None:  # the charts follow when their data come
            self._chart_moved((low, high))

    def _ask_range(self) -> None:
        device, kind = self.pool
        if not self.dump or not kind:
            return
        bounds = {} if self._range is None else {"from_ns": int(self._range[0]), "to_ns": int(self._range[1])}
        common = {"card": self.card, "device": device}
        self.ask(
            queries.blocks, then=self._show_blocks, failed=self.told, kind=kind, **common, **bounds, **self.thresholds,
            **verbs.limits(self),
        )  # fmt: skip
        self.ask(queries.events, then=self.panels.show_events, failed=self.told, **common, **bounds)
        self.ask(queries.leaks, then=self.panels.leaks.show_table, failed=self.told, kind=kind, **common, **bounds)

    def _show_blocks(self, found: pa.Table) -> None:
        self.panels.show_blocks(found)
        self._tell()

    # ---- time --------------------------------------------------------------------------------------------------------

    def set_marker(self, ns: float) -> None:
        """Mark a time in all charts and take apart what lives there."""
        if not self.dump:
            return
        self.marker = min(max(ns, 0.0), float(self.dump["facts"]["span_ns"]))
        self.flame.area.set_marker(self.marker)
        self.charts.set_marker(self.marker)
        self._ask_owners(int(self.marker))
        if self.panels.rule_box.currentData() == "alive":
            self._ask_stacks()
        self._tell()

    def go_to(self, ns: float) -> None:
        """Show the surroundings of a time and mark it."""
        low, high = self._range or (0.0, float(self.dump["facts"]["span_ns"]))
        if not low <= ns <= high:
            self.charts.set_view(ns - (high - low) / 2, ns + (high - low) / 2)
        self.set_marker(ns)

    def go_to_peak(self) -> None:
        """Mark the first time at which the pool was largest."""
        self.go_to(float(self._pool_facts()["peak_ns"]))

    def pin(self) -> None:
        """Remember what lives at the marked time (the peak without one) as A."""
        at = self.marker if self.marker is not None else float(self._pool_facts()["peak_ns"])
        table = self.panels.owners.table
        sizes = (
            {}
            if not table.num_rows
            else dict(zip(table["owner"].to_pylist(), table["size_bytes"].to_pylist(), strict=True))
        )
        self.pinned = (at, sizes)
        self.pin_button.setText(tr("A: {time}").format(time=f"{at / 1e6:,.3f} ms"))
        self._ask_owners(int(at))

    def _ask_owners(self, at_ns: int | None) -> None:
        device, kind = self.pool
        if kind == PINNED:
            return
        self.ask(
            queries.breakdown,
            then=self._show_owners,
            failed=self._no_owners,
            device=device,
            kind=kind,
            at_ns=at_ns,
            card=self.card,
        )

    def _show_owners(self, found: pa.Table) -> None:
        self.treemap.show_boxes(memscope_texts.boxes(found))
        at = self.marker if self.marker is not None else self._pool_facts()["peak_ns"]
        self.treemap.set_title(
            tr("Memory Details Disassembly Diagram"), tr("Current Time: {time}").format(time=clock(int(at)))
        )
        self.panels.show_owners(found, self.pinned[1] if self.pinned is not None else None)
        if self.pin_wanted:
            self.pin_wanted = False
            self.pin()

    def _no_owners(self, error: InsightError) -> None:
        self.treemap.set_empty(say(error.message), say(error.fix))

    def _ask_stacks(self) -> None:
        device, kind = self.pool
        if not self.dump or not kind:
            return
        rule = self.panels.rule_box.currentData()
        low = self.marker if rule == "alive" and self.marker is not None else (self._range or (0.0, 0.0))[0]
        bounds = {"from_ns": int(low)}
        if self._range is not None:
            bounds["to_ns"] = int(self._range[1])
        self.ask(
            queries.stacks, then=self.panels.show_stacks, failed=self.told, device=device, kind=kind, card=self.card,
            rule=rule, side=self.panels.side_box.currentData(), **bounds,
        )  # fmt: skip

    def _ask_compare(self) -> None:
        choice = self.panels.compare.choice
        if choice is not None and self.panels.bar.currentIndex() == memscope_panels.COMPARISON:
            self.ask(queries.compare, then=self.panels.compare.show_rows, failed=self.told, card=self.card, **choice)

    # ---- functions ---------------------------------------------------------------------------------------------------

    def _ask_thread(self) -> None:
        track = self.flame.track
        row = next((t for t in self.dump.get("threads", ()) if t["track"] == track), None)
        if row is None:
            return
        self.flame.area.show_thread((0.0, float(self.dump["facts"]["span_ns"])), row["depth"])
        self.ask(
            queries.functions, then=lambda found: self.flame.show_functions(found["name"].to_pylist()), failed=self.told,
            track=track, card=self.card,
        )  # fmt: skip

    def _ask_calls(self, low: float, high: float, px: int) -> None:
        self.ask(
            queries.calls, then=lambda found: self.flame.area.show_calls(found, low, high), failed=self.told,
            track=self.flame.track, from_ns=int(low), to_ns=int(high), px=px, card=self.card,
        )  # fmt: skip

    # ---- blocks ------------------------------------------------------------------------------------------------------

    def _block_chosen(self, block_id: int) -> None:
        row = self.panels.blocks.current_row()
        if row < 0:
            return
        self.charts.choose_block(block_id)
        self.ask(
            memscope_texts.stacks_of, then=self.panels.show_words, failed=self.told, card=self.card, block_id=block_id
        )

    def _ask_menu(self, block_id: int, at: QPoint) -> None:
        self.ask(
            verbs.open_block, then=lambda block: verbs.block_menu(self, block).popup(at), failed=self.told, card=self.card,
            block_id=block_id,
        )  # fmt: skip

    def _ask_step(self, way: int) -> None:
        if self.charts.chosen_id >= 0:
            self.ask(
                verbs.open_block, then=lambda block: verbs.step(self, block, way), failed=self.told, card=self.card,
                block_id=self.charts.chosen_id,
            )  # fmt: skip

    def _choices_changed(self) -> None:
        self.thresholds = {k: v for k, v in self.thresholds.items() if k != "only_tagged"}
        if self.charts.choices.only_tagged:
            self.thresholds["only_tagged"] = True
        verbs.ask_look(self)
        self._settle.start()
        self.context.view_changed.emit()

    def choose_thresholds(self) -> None:
        """Ask which blocks count as inefficient."""
        dialog = ThresholdDialog(self.thresholds, self)
        if dialog.exec():
            self.set_thresholds(dialog.values)

    def set_thresholds(self, values: dict[str, int | bool]) -> None:
        """Tag (and filter) blocks by these thresholds."""
        self.thresholds = values
        self._show_thresholds()
        verbs.ask_look(self)
        self._show_tab(memscope_panels.BLOCKS)
        self._ask_range()
        self.context.view_changed.emit()

    def _show_thresholds(self) -> None:
        possible = any(value for key, value in self.thresholds.items() if key != "only_tagged")
        self.charts.choices.show_only_tagged(only=bool(self.thresholds.get("only_tagged")), possible=possible)

    # ---- words -------------------------------------------------------------------------------------------------------

    def _show_tab(self, at: int) -> None:
        self.panels.bar.setCurrentIndex(at)

    def _show_quality(self) -> None:
        self.stack.setCurrentWidget(self.content)  # also where no row counts: then some may be let count here
        self._show_tab(memscope_panels.QUALITY)

    def _tab_changed(self) -> None:
        self._ask_compare()
        self.context.view_changed.emit()

    def _failed(self, error: InsightError) -> None:
        self._say_empty(say(error.message), say(error.fix))

    def told(self, error: InsightError) -> None:
        """Say what could not be answered."""
        self.context.message.emit("warning", say(error.message), say(error.fix))

    def _say_empty(self, title: str, text: str, *, code: str = "") -> None:
        self.empty.show_content(title, text, code=code)
        self.stack.setCurrentWidget(self.empty)
        self._tell()

    def _tell_cursor(self, ns: float | None) -> None:
        self.context.cursor.emit("" if ns is None else clock(int(ns)))

    def _tell(self) -> None:
        if not self.isVisible() or not self.dump:
            return
        blocks = self.panels.blocks.table.num_rows
        self.context.status.emit(memscope_texts.status(*self.pool, self._pool_facts(), blocks))

    # ---- session -----------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        if self._state:
            return self._state
        return {
            "card": self.card, "device": self.pool[0], "type": self.pool[1], "thresholds": dict(self.thresholds),
            "view": list(self._range) if self._range is not None else None, "tab": self.panels.bar.currentIndex(), "chart": self.charts.bar.currentIndex(), "colour": self.charts.choices.colour, "sizes": list(self.charts.choices.sizes),
        }  # fmt: skip

    def restore_state(self, state: dict[str, Any]) -> None:
        self._state = dict(state)
        self.dump = {}
        self.refresh()


def _pair(value: Any) -> tuple[int | None, int | None]:
    """Two sizes of a session, None where they are none."""
    if not isinstance(value, list) or len(value) != 2:
        return None, None
    least, most = (part if isinstance(part, int) and not isinstance(part, bool) else None for part in value)
    return least, most


TAB = Tab("memory.memscope", "MemScope", MemscopePage)
