"""The Snapshot page: who held memory when, the allocator at any event, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from insight_desktop.engine.memory.snapshot_data import cards_in
from insight_desktop.errors import InsightError
from insight_desktop.schema_snapshot import OOM
from insight_desktop.views.common import number_text, parts, theme
from insight_desktop.views.common.chart_axis import Axis
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.empty_page import EmptyPage
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.common.select import Select
from insight_desktop.views.memory import snapshot_facts, snapshot_load, snapshot_panels, snapshot_part
from insight_desktop.views.memory import snapshot_texts as texts
from insight_desktop.views.memory import snapshot_verbs as verbs
from insight_desktop.views.memory.block_chart import BlockChart, Inside, Mark
from insight_desktop.views.memory.snapshot_bar import STEPS, SnapshotBar, choose, fill
from insight_desktop.views.memory.snapshot_detail import Content, Detail, Item
from insight_desktop.views.memory.snapshot_load import Asked, Opened
from insight_desktop.views.memory.snapshot_panels import SnapshotPanels

_GIB, _MIB = 1 << 30, 1 << 20
_SETTLE_MS = 300  # after a zoom chips and tables follow


class SnapshotPage(Page):
    """One device of a snapshot."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.opened: Opened | None = None
        self.event_index = -1
        self.item: Item | None = None
        self._state: dict[str, Any] = {}  # waits for its data
        self._range: tuple[int, int] | None = None
        self._hidden = 0
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._range_settled)
        self.bar = SnapshotBar()
        self.bar.export.clicked.connect(self._export_menu)
        self.bar.part.clicked.connect(lambda: snapshot_part.show_menu(self))
        self._build_body()
        self._connect()
        self.retranslate()
        QTimer.singleShot(0, self.refresh)

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build_body(self) -> None:
        self.chart = BlockChart(unit=_MIB)
        self.colour_box = Select()
        for key, name in texts.COLOURS:
            self.colour_box.addItem(name, key)
        self.chart.head_row.insertWidget(self.chart.head_row.indexOf(self.chart.legend), self.colour_box)
        self.panels = SnapshotPanels()
        self.detail = Detail()
        self.bottom = QSplitter(Qt.Orientation.Horizontal)
        self.bottom.addWidget(self.panels)
        self.bottom.addWidget(self.detail)
        self.bottom.setStretchFactor(0, 2)
        self.bottom.setStretchFactor(1, 1)
        self.bottom.setSizes([940, 480])
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(self.chart)
        self.splitter.addWidget(self.bottom)
        self.splitter.setSizes([420, 380])
        for splitter in (self.bottom, self.splitter):
            splitter.setHandleWidth(10)
            splitter.setObjectName("panels")
            splitter.setChildrenCollapsible(False)
        self.chart.setMinimumHeight(220)
        self.bottom.setMinimumHeight(240)
        self.detail.setMinimumWidth(260)
        inside = QWidget()
        inside.setObjectName("frame")
        parts.rows(inside, margins=(12, 12, 12, 12)).addWidget(self.splitter, 1)
        self.empty = EmptyPage("stack")
        self.content = parts.scrolling(inside)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.content)
        self.stack.addWidget(self.empty)
        column = parts.rows(self)
        column.addWidget(self.bar)
        column.addWidget(self.stack, 1)

    def _connect(self) -> None:
        context, panels, detail = self.context, self.panels, self.detail
        context.store_changed.connect(self.refresh)
        context.card_selected.connect(self._card_clicked)
        bar = self.bar
        bar.card_box.currentIndexChanged.connect(lambda _i: self._card_chosen())
        for box in (bar.device_box, bar.chart_box, bar.mode_box):
            box.currentIndexChanged.connect(lambda _i, box=box: self._ask_opened(keep=box is bar.mode_box))
        self.colour_box.currentIndexChanged.connect(lambda _i: self._ask_opened(keep=True))
        bar.slider.valueChanged.connect(lambda _v: self._show_detail())
        bar.quality.clicked.connect(lambda: panels.bar.setCurrentIndex(snapshot_panels.QUALITY))
        bar.peak.clicked.connect(self.go_to_peak)
        bar.compare.clicked.connect(self.compare_from_here)
        bar.reset.clicked.connect(self.reset_view)
        plot = self.chart.block_plot
        plot.facts = self._readout
        plot.stepped.connect(lambda by: self.go_to_event(self._inside(self.event_index + by)))
        self.chart.view_changed.connect(self._view_moved)
        self.chart.block_clicked.connect(self._chart_clicked)
        self.chart.block_menu.connect(self._row_menu)
        self.chart.cursor_moved.connect(self._tell_cursor)
        panels.events.list.event_chosen.connect(self.go_to_event)
        panels.events.search_wanted.connect(self._search)
        panels.map.area.block_chosen.connect(lambda b: self.show_item(Item("block", b)))
        panels.map.area.segment_chosen.connect(lambda base: self.show_item(Item("segment", base)))
        panels.wanted.connect(self._ask_table)
        panels.link.connect(self._follow)
        panels.row_chosen.connect(self._table_row)
        panels.tab_changed.connect(context.view_changed.emit)
        detail.wanted.connect(self.show_item)
        detail.link.connect(self._follow)
        detail.every_changed.connect(lambda _on: self._ask_item())
        for part in (self.chart, panels.map, panels):
            part.failed.connect(lambda error: context.message.emit("error", say(error.message), say(error.fix)))
            part.exported.connect(self.exported)
        theme.notifier.changed.connect(self._restyle)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.bar.retranslate()
        for k, (_, name) in enumerate(texts.COLOURS):
            self.colour_box.setItemText(k, tr(name))
        self.colour_box.setAccessibleName(tr("Colour of blocks"))
        self.panels.retranslate()
        if self.opened is not None:
            self._titles()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "stack"):
            self.retranslate()
            self._ask_opened(keep=True)
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell()

    # ---- what is chosen ----------------------------------------------------------------------------------------------

    @property
    def card(self) -> str | None:
        """The snapshot that is shown."""
        found = self.bar.card_box.currentData()
        return str(found) if found else None

    @property
    def visible_range(self) -> tuple[int, int] | None:
        """First and last visible event; None when all are visible."""
        return self._range

    @property
    def mode(self) -> Any:
        """How block sizes are counted."""
        return self.bar.mode_box.currentData() or "estimate"

    def refresh(self) -> None:
        """Snapshots came or went; what is shown stays when its snapshot is unchanged."""
        found = cards_in(self.context.store)
        wanted = self._state.get("card") or self.card or self.context.card
        fill(self.bar.card_box, [(card.alias or card.name, card.name) for card in found], wanted)
        self.bar.show_cards(len(found) > 1)
        fill(self.panels.base_box, [(tr("this snapshot"), ""), *((c.alias or c.name, c.name) for c in found if c.name != self.card)], self.panels.base_box.currentData())  # fmt: skip
        if not found:
            self._say_empty(tr("No memory snapshot is read yet"), tr("Open a .pickle, .pkl or .json file that torch.cuda.memory._dump_snapshot or torch_npu.npu.memory._dump_snapshot wrote."),
                            code="torch.cuda.memory._record_memory_history(max_entries=1000000)\ntorch.cuda.memory._dump_snapshot('snapshot.pickle')")  # fmt: skip
        elif self.opened is None or self.opened.card != self.card or self.opened.snapshot.folder not in {c.folder for c in found}:  # fmt: skip
            self._card_chosen()

    def _card_clicked(self, name: str) -> None:
        at = self.bar.card_box.findData(name)
        if at >= 0:
            self.bar.card_box.setCurrentIndex(at)

    def _card_chosen(self) -> None:
        if self.card is None:
            return
        fill(self.bar.device_box, [], None)
        self.detail.clear()
        self.item = None
        self._ask_opened(keep=False)

    def _ask_opened(self, *, keep: bool) -> None:
        if self.card is None:
            return
        device = self._state.get("device", self.bar.device_box.currentData())
        kind = self._state.get("chart") or self.bar.chart_box.currentData()
        mode = self._state.get("mode") or self.mode
        self.ask(
            snapshot_load.opened, then=lambda found: self._show(found, keep), failed=self._failed, card=self.card,
            device=device, kind=kind, mode=mode, colour=self.colour_box.currentData(),
        )  # fmt: skip

    def _show(self, found: Opened, keep: bool) -> None:
        same = self.opened is not None and self.opened.card == found.card and self.opened.device is found.device
        self.opened = found
        self.stack.setCurrentWidget(self.content)
        state, self._state = self._state, {}
        entries = [(str(d.number), d.number) for d in found.snapshot.devices.values()]
        fill(self.bar.device_box, entries, found.device.number)
        choose(self.bar.chart_box, found.chart.kind)
        if state.get("mode"):
            choose(self.bar.mode_box, state["mode"])
        if found.error is not None:
            self.context.message.emit("info", say(found.error.message), say(found.error.fix))
        self._titles()
        self.chart.show_blocks(found.chart.blocks, (tr("Active"), tr("Reserved")), keep_view=keep and same)
        self.chart.block_plot.set_hashes(found.hashes)
        self.chart.show_colours(found.legend)
        self.chart.set_bands(texts.bands(found.bands, found.chart.x_of))
        self.chart.block_plot.set_insets([Inside(i.row, i.blocks) for i in found.chart.insets])
        self.chart.block_plot.set_marks(
            [Mark(found.chart.x_of(m["event"]), m["kind"], m["kind"] == "oom") for m in found.flags]
        )
        self._show_detail()
        panels = self.panels
        if not same:
            panels.events.list.show_events(found.snapshot, found.device)
            used = np.unique(found.device.action).tolist()
            panels.events.show_actions([found.snapshot.actions[code] for code in used])
        count = sum(n for d in found.snapshot.devices.values() for n, _ in d.facts["anomalies"].values())
        self.bar.show_quality(count)
        self.bar.show_part(found.device)
        panels.bar.setTabVisible(snapshot_panels.OOM, found.device.facts["oom_events"] > 0)
        panels.bar.setTabVisible(snapshot_panels.SETTINGS, found.snapshot.facts["settings"] is not None)
        panels.bar.setTabVisible(snapshot_panels.MARKS, bool(found.marks))
        self._range_settled()
        self._restore(state, same)

    def _restore(self, state: dict[str, Any], same: bool) -> None:
        view = state.get("view")
        if isinstance(view, list) and len(view) == 2:
            self.chart.zoom_to(float(view[0]), float(view[1]))
        if isinstance(state.get("tab"), int):
            self.panels.bar.setCurrentIndex(max(0, min(state["tab"], self.panels.bar.count() - 1)))
        if isinstance(state.get("detail"), int):
            self.bar.slider.setValue(state["detail"])
        found = self.opened
        assert found is not None
        wanted = state.get("event", self.event_index if same else self._first_event(found))
        self.go_to_event(min(max(int(wanted), -1), found.device.events - 1), show=not same)

    @staticmethod
    def _first_event(found: Opened) -> int:
        """The first out-of-memory event, else the peak."""
        oom = np.flatnonzero(found.device.action == OOM)
        return int(oom[0]) if len(oom) else int(found.device.facts["peak_active_event"])

    def _titles(self) -> None:
        found = self.opened
        assert found is not None
        name = tr(dict(texts.CHARTS)[found.chart.kind])
        what = tr("{0} segments") if found.chart.kind == "segments" else tr("{0} blocks")
        last = number_text.count(max(found.device.events - 1, 0))
        events = tr("events 0 – {0}").format(last)
        said = f"{what.format(number_text.count(len(found.chart.blocks)))} · {events}"
        top = max(found.chart.blocks.peak[1], found.device.facts["peak_reserved"])
        unit, word = (_GIB, "GiB") if top >= 4 * _GIB else (_MIB, "MiB") if top >= 4 * _MIB else (1024, "KiB")
        self.chart.block_plot.unit = unit
        title = tr("Cached segments ({0})") if found.chart.kind == "segments" else tr("Active memory ({0})")
        self.chart.set_axes(
            Axis(tr("Time"), kind="ruler", least=1000.0)
            if found.chart.kind == "time"
            else Axis(tr("Event index"), exact=lambda v: number_text.count(round(v)), name=tr("Event"), least=1.0),
            Axis(title.format(word), from_zero=True),
        )
        self.chart.set_title(name, said)

    # ---- chart -------------------------------------------------------------------------------------------------------

    def _show_detail(self) -> None:
        """The slider: the largest n blocks are drawn in colour, the rest as a neutral band."""
        if self.opened is None:
            return
        sizes = self.opened.sizes
        count = len(sizes)
        part = self.bar.slider.value() / STEPS
        shown = count if part >= 1 else max(1, round(count**part))
        least = int(sizes[min(shown, count) - 1]) if count and shown < count else 0
        self.chart.block_plot.set_least(least)
        what = tr("{0} segments") if self.opened.chart.kind == "segments" else tr("{0} blocks")
        self.bar.detail_text.setText(what.format(number_text.count(int((sizes >= least).sum()))))

    def _readout(self, row: int) -> Sequence[ReadoutLine]:
        return [] if self.opened is None else verbs.readout(self.opened, row, self.chart.block_plot.inset_of(row))

    def block_of(self, row: int) -> int:
        """Block id of a row of the chart, -1 for none."""
        if self.opened is None or row < 0 or self.opened.chart.kind == "segments":
            return -1
        inset = self.chart.block_plot.inset_of(row)
        chart = self.opened.chart
        return int(chart.insets[inset[0]].ids[inset[1]] if inset is not None else chart.ids[row])

    def _chart_clicked(self, row: int, at: float) -> None:
        found = self.opened
        if found is None:
            return
        block = self.block_of(row)
        self.chart.block_plot.choose_block(row)
        event = min(found.chart.event_at(at), found.device.events - 1)
        if block >= 0:
            self.go_to_event(event, show=False)
            self.show_item(Item("block", block))
        elif row >= 0 and found.chart.kind == "segments":
            self.go_to_event(event, show=False)
            self.show_item(snapshot_facts.segment_item(int(found.chart.addresses[row])))
        else:
            self.go_to_event(event)

    def _row_menu(self, row: int, at: QPoint) -> None:
        menu = verbs.block_menu(self, row)
        if menu is not None:
            menu.exec(at)

    def show_address(self, address: int) -> None:
        """Outline every block that had this address, and list its events."""
        found = self.opened
        if found is None:
            return
        rows = np.flatnonzero(found.chart.addresses == np.uint64(address))
        self.chart.block_plot.set_found(rows.tolist())
        self.panels.bar.setCurrentIndex(snapshot_panels.MAP)
        self.panels.events.search.setText(texts.address(address))

    def _view_moved(self, view: tuple[float, float] | None) -> None:
        found = self.opened
        self._range = None
        if view is not None and found is not None:
            first, last = found.chart.events_between(*view)
            self._range = first, min(last, found.device.events - 1)
        self._settle.start()
        self.context.view_changed.emit()

    def _range_settled(self) -> None:
        found = self.opened
        if found is None:
            return
        self.ask(
            snapshot_load.chips, then=self._show_chips, card=found.card, device=found.device.number, mode=self.mode, range_=self._range,
        )  # fmt: skip
        self.panels.outdate(*range(1, snapshot_panels.QUALITY + 1))

    def _show_chips(self, row: dict[str, Any]) -> None:
        self.bar.show_chips(row)
        self._tell()

    def _inside(self, event: int) -> int:
        last = self.opened.device.events - 1 if self.opened is not None else -1
        return min(max(event, min(0, last)), last)

    def go_to_peak(self) -> None:
        """Show the allocator at the true peak of the size mode."""
        if self.opened is not None:
            totals = self.opened.device.totals(self.mode)
            self.go_to_event(int(totals.active.argmax()) if self.opened.device.events else -1)

    def reset_view(self) -> None:
        """Everything visible, nothing outlined."""
        self.chart.restore()
        self.chart.block_plot.set_found(())
        self.chart.block_plot.choose_block(-1)
        self.panels.map.area.reset()

    # ---- moments -----------------------------------------------------------------------------------------------------

    def go_to_event(self, event: int, *, show: bool = True) -> None:
        """Show the allocator after an event everywhere; with `show` its details too."""
        found = self.opened
        if found is None:
            return
        self.event_index = event
        if event >= 0:
            code = int(found.device.action[event])
            action = found.snapshot.actions[code]
            place = tr("event {0}").format(number_text.count(event))
            text = f"{action} · {place}"
            at = found.chart.x_of(event)
            self.chart.block_plot.set_marker(Mark(at, text, code == OOM))
            view = self.chart.plot.visible
            if not view[0] <= at <= view[1]:
                half = (view[1] - view[0]) / 2
                self.chart.zoom_to(at - half, at + half)
        else:
            self.chart.block_plot.set_marker(None)
        self.panels.events.list.set_current(event)
        self.panels.events.tell()
        self.ask(
            snapshot_load.moment, then=self._show_moment, card=found.card, device=found.device.number, event=event, mode=self.mode,
        )  # fmt: skip
        self.panels.outdate(snapshot_panels.SEGMENTS, snapshot_panels.POOLS, snapshot_panels.COMPARE)
        if "alive" in (self.panels.of_box.currentData(), self.panels.tree_of_box.currentData()):
            self.panels.outdate(snapshot_panels.STACKS, snapshot_panels.TREE)
        if show and event >= 0:
            self.show_item(Item("event", event))
        elif self.item is not None:
            self._ask_item()
        self.context.view_changed.emit()

    def _show_moment(self, answer: tuple[Any, Any]) -> None:
        state, figures = answer
        self.panels.map.area.show_state(state)
        self.panels.kpis.show_state(state, figures)
        event = tr("before the first event") if state.event < 0 else tr("after event {0}").format(number_text.count(state.event))  # fmt: skip
        self.panels.map.set_title(
            tr("Allocator {0}").format(event), tr("{0} segments").format(number_text.count(len(state.segments)))
        )

    # ---- items -------------------------------------------------------------------------------------------------------

    def show_item(self, item: Item) -> None:
        """Show an event, block or segment in the detail panel, chart and map."""
        self.item = item
        area = self.panels.map.area
        if item.kind == "block":
            area.choose(item.number)
            self._choose_row(item.number)
        elif item.kind == "segment":
            area.choose_segment(item.number)
        elif self.opened is not None:
            area.choose(int(self.opened.device.column("block")[item.number]))
            self.chart.block_plot.choose_block(-1)
        self._ask_item()

    def _choose_row(self, block: int) -> None:
        found = self.opened
        if found is None or found.chart.kind == "segments":
            return
        rows = np.flatnonzero(found.chart.ids == block) if found.chart.kind == "pools" else np.array([block])
        self.chart.block_plot.choose_block(int(rows[0]) if block >= 0 and len(rows) else -1)

    def _ask_item(self) -> None:
        found = self.opened
        if found is not None and self.item is not None:
            self.ask(
                snapshot_facts.content_of, then=self._show_item, card=found.card, device=found.device.number, item=self.item,
                mode=self.mode, every=self.detail.every, event=self.event_index,
            )  # fmt: skip

    def _show_item(self, content: Content) -> None:
        self.detail.show_content(content)
        self._tell()

    def _follow(self, link: str) -> None:
        kind, _, number = link.partition(":")
        if kind == "event":
            self.go_to_event(int(number))
        elif kind == "block":
            self.show_item(Item("block", int(number)))
            self.chart.locate(self.chart.block_plot.chosen_block)
        else:
            self.show_address(int(number))

    def _table_row(self, number: int, row: dict[str, Any]) -> None:
        found = self.opened
        if found is None:
            return
        if number == snapshot_panels.BLOCKS:
            self.show_item(Item("block", int(row["block"])))
        elif number == snapshot_panels.EVENTS:
            self.go_to_event(int(row["event"]))
        elif number == snapshot_panels.SEGMENTS:
            self.show_item(snapshot_facts.segment_item(int(row["address"])))
        else:
            rows = np.flatnonzero(found.device.column("block_stack") == int(row["stack"]))
            if found.chart.kind == "active":
                self.chart.block_plot.set_found(rows.tolist())

    # ---- tables and search -------------------------------------------------------------------------------------------

    def _ask_table(self, number: int) -> None:
        found = self.opened
        if found is None or number == snapshot_panels.MAP:
            return
        panels = self.panels
        box = panels.tree_of_box if number == snapshot_panels.TREE else panels.of_box
        base = panels.base_box.currentData() or None
        asked = Asked(
            found.card, found.device.number, self.mode, self.event_index, self._range, str(box.currentData()),
            str(panels.by_box.currentData()), base,
            min(panels.base_event.value(), found.device.events - 1) if base is None else None, panels.unreleased.isChecked(),
        )  # fmt: skip
        self.ask(
            snapshot_load.table, then=lambda answer: panels.show_table(*answer), failed=self.told, number=number, asked=asked,
        )  # fmt: skip

    def compare_from_here(self) -> None:
        """The shown event becomes the base."""
        self.panels.base_event.setValue(self.event_index)
        self.panels.bar.setCurrentIndex(snapshot_panels.COMPARE)

    def _search(self, text: str, action: str) -> None:
        found = self.opened
        if found is None:
            return
        if not text and not action:
            self.panels.events.show_hits(np.empty(0, np.int64))
            self.chart.block_plot.set_found(())
            return
        self.ask(
            snapshot_load.found, then=self._show_hits, failed=self.told, card=found.card, device=found.device.number,
            text=text, action=action,
        )  # fmt: skip

    def _show_hits(self, events: Any) -> None:
        self.panels.events.show_hits(events)
        found = self.opened
        if found is not None and found.chart.kind == "active":
            blocks = found.device.column("block")[events[:20_000]]
            self.chart.block_plot.set_found(np.unique(blocks[blocks >= 0]).tolist())

    # ---- export ------------------------------------------------------------------------------------------------------

    def _export_menu(self) -> None:
        button = self.bar.export
        verbs.export_menu(self).exec(button.mapToGlobal(QPoint(0, button.height())))

    def exported(self, path: str) -> None:
        """Say that a file was written."""
        self.context.message.emit("success", tr("Exported: {0}").format(path), "")

    # ---- words -------------------------------------------------------------------------------------------------------

    def _restyle(self) -> None:
        self.chart.block_plot.renew()

    def _failed(self, error: InsightError) -> None:
        self._say_empty(say(error.message), say(error.fix))

    def told(self, error: InsightError) -> None:
        """Say what could not be done."""
        self.context.message.emit("warning", say(error.message), say(error.fix))

    def _say_empty(self, title: str, text: str, *, code: str = "") -> None:
        self.empty.show_content(title, text, code=code)
        self.stack.setCurrentWidget(self.empty)

    def _tell_cursor(self, at: float | None) -> None:
        found = self.opened
        event = "" if at is None or found is None else number_text.count(found.chart.event_at(at))
        self.context.cursor.emit(tr("event {0}").format(event) if event else "")

    def _tell(self) -> None:
        """What is selected, in the status bar."""
        if not self.isVisible() or self.opened is None:
            return
        content = self.detail.content
        if content is None:
            facts = self.opened.device.facts
            self.context.status.emit([self.opened.card, tr("peak {0}").format(texts.size(facts["peak_active"]))])
            return
        self.context.status.emit(
            [content.title, content.subtitle, *(f"{tr(f.title)} {f.value}" for f in content.facts[:4])]
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_R and not event.modifiers():
            self.reset_view()
            return
        super().keyPressEvent(event)

    # ---- session -----------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        if self.opened is None:
            return self._state
        return {
            "card": self.card, "device": self.opened.device.number, "chart": self.opened.chart.kind, "mode": self.mode,
            "view": list(self.chart.plot.view) if self.chart.plot.view else None, "event": self.event_index,
            "tab": self.panels.current, "detail": self.bar.slider.value(),
        }  # fmt: skip

    def restore_state(self, state: dict[str, Any]) -> None:
        if isinstance(state, dict) and state:
            self._state = state
            self.opened = None
            self.refresh()


TAB = Tab("memory.snapshot", "Snapshot", SnapshotPage)
