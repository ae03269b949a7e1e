"""The Cache page of a kernel: hits and misses of the L2 cache lines as two maps, and the lines as a table."""

from __future__ import annotations

from functools import partial
from typing import Any

import pyarrow.compute as pc
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSplitter, QStackedWidget, QToolButton, QWidget

from insight_desktop.engine.operator.cache import COLUMNS
from insight_desktop.errors import InsightError
from insight_desktop.views.common import fonts, icons, number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.context import Context, SourcePlace
from insight_desktop.views.common.empty_page import EmptyPage
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.heat_map import HeatMap
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Tab
from insight_desktop.views.operator import cache_maps
from insight_desktop.views.operator.cache_maps import KINDS, Kind, Loaded
from insight_desktop.views.operator.kernel_page import KernelPage

_COLUMNS = (
    ColumnSpec("id", "Cacheline ID", kind="id", width=110),
    ColumnSpec("hits", "Hit events", kind="count", width=100),
    ColumnSpec("hit_share", "Hit share", kind="percent", width=116, bar=True),
    ColumnSpec("misses", "Miss events", kind="count", width=100),
    ColumnSpec("miss_share", "Miss share", kind="percent", width=116, bar=True),
    ColumnSpec("ranges", "Instruction ranges", kind="count", width=140),
)


class CachePage(KernelPage):
    """Hit and Miss side by side; the same cell is selected in both."""

    loaded: Loaded | None

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.enlarged: Kind | None = None
        self.selected: tuple[int, int] = (-1, -1)  # row and column of the maps
        self._pending: dict[str, Any] | None = None
        self._error: InsightError | None = None  # why nothing is shown
        self.maps: dict[Kind, HeatMap] = {kind: HeatMap(wheel_zooms=True) for kind in KINDS}
        self.buttons: dict[Kind, QToolButton] = {}
        self._build()
        self._connect()
        self.retranslate()

    def _build(self) -> None:
        self.summary = parts.YieldingLabel()
        self.summary.setProperty("level", "2")
        self.source_button = parts.button("", "code", click=lambda: self.show_source(self._kind_of_selected()))
        bar = QWidget()
        bar.setObjectName("surface")
        bar.setProperty("edge", "bottom")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        parts.keep_height(bar, 38)
        row = parts.columns(bar, margins=(12, 0, 12, 0), gap=10)
        row.addWidget(self.kernel_box)
        row.addWidget(self.summary)
        row.addStretch(1)
        row.addWidget(self.source_button)
        self.pair = QSplitter(Qt.Orientation.Horizontal)
        self.pair.setObjectName("panels")
        self.pair.setHandleWidth(10)
        for kind, heat in self.maps.items():
            self.pair.addWidget(heat)
            self.buttons[kind] = heat.add_button("arrows-out", partial(self.enlarge, kind))
        self.pair.setChildrenCollapsible(False)
        self.table = ArrowTable(columns=_COLUMNS)
        self.table.setMinimumHeight(fonts.scaled(110))
        self.parts = QSplitter(Qt.Orientation.Vertical)
        self.parts.setObjectName("panels")
        self.parts.setHandleWidth(10)
        self.parts.addWidget(self.pair)
        self.parts.addWidget(self.table)
        self.parts.setStretchFactor(0, 3)
        self.parts.setStretchFactor(1, 1)
        self.parts.setChildrenCollapsible(False)
        self.parts.setSizes([560, 200])
        inside = QWidget()
        inside.setObjectName("frame")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        parts.rows(inside, margins=(12, 12, 12, 12)).addWidget(self.parts)
        self.empty = EmptyPage("squares-four")
        self.stack = QStackedWidget()
        self.stack.addWidget(inside)
        self.stack.addWidget(self.empty)
        column = parts.rows(self)
        column.addWidget(bar)
        column.addWidget(self.stack, 1)

    def _connect(self) -> None:
        for kind, heat in self.maps.items():
            heat.cell_clicked.connect(self.select)
            heat.cell_activated.connect(lambda *_, kind=kind: self.enlarge(kind))
            heat.menu_wanted.connect(lambda row, column, at, kind=kind: self._pop_menu(kind, row, column, at))
            heat.failed.connect(lambda error: self.context.message.emit("error", error.message, error.fix))
        self.follow_kernels()
        self.table.current_row_changed.connect(self._row_chosen)
        self.table.row_activated.connect(lambda _row: self.show_source(self._kind_of_selected()))
        self.context.language_changed.connect(self.retranslate)

    def retranslate(self) -> None:
        """All texts in the current language."""
        self.kernel_box.setAccessibleName(tr("Kernel"))
        self.source_button.setText(tr("Show Instructions In Source"))
        self.table.setAccessibleName(tr("Cache lines"))
        for kind, heat in self.maps.items():
            heat.set_title(tr("Hit") if kind == "hit" else tr("Miss"), tr("Proportion of events(%)"))
            large = self.enlarged == kind
            parts.set_tip(self.buttons[kind], tr("Show both maps") if large else tr("Enlarge"))
            icons.put(self.buttons[kind], "x" if large else "arrows-out")
        if self.loaded is not None:
            self._show_maps(self.loaded)
        elif self._error is not None:
            self._failed(self._error)

    # ---- data --------------------------------------------------------------------------------------------------------

    def _first(self, names: list[str]) -> str | None:
        """Kernels with cache records come first."""
        store = self.context.store
        told = [n for n in names if "operator.cache" in store.capture(n).manifest.extra.get("tabs", ())]
        return super()._first(told or names)

    def _other_kernel(self) -> None:
        self.selected = (-1, -1)
        self._ask()

    def _ask(self) -> None:
        if self._card is None:
            self.loaded = None
            self.empty.show_content(
                tr("No kernel is open"), tr("Open a visualize_data.bin of msprof op or its simulator.")
            )
            self.stack.setCurrentIndex(1)
            return
        self.ask(cache_maps.load, then=self._show, failed=self._failed, card=self._card)

    def _failed(self, error: InsightError) -> None:
        self.loaded = None
        self._error = error
        self.empty.show_content(say(error.message), say(error.fix))
        self.stack.setCurrentIndex(1)

    def _show(self, loaded: Loaded) -> None:
        self.loaded, self._error = loaded, None
        self.stack.setCurrentIndex(0)
        self.table.show_table(cache_maps.table(loaded))
        self._show_maps(loaded)
        self._apply_pending()
        self._tell()

    def _show_maps(self, loaded: Loaded) -> None:
        for kind, heat in self.maps.items():
            heat.set_cells(
                cache_maps.cells(loaded, kind), colours=cache_maps.colours, ends=(0.0, 100.0), keep_window=True
            )
            heat.select(*self.selected)
        found = self.table.table
        hits, misses = (pc.sum(found[name]).as_py() or 0 for name in ("hits", "misses"))
        rate = number_text.percent(hits / (hits + misses) if hits + misses else None)
        self.summary.set_text(
            tr("{0} cache lines · {1} hit events · {2} miss events · hit rate {3}").format(
                number_text.count(loaded.count), number_text.count(hits), number_text.count(misses), rate
            )
        )
        self._show_button()

    # ---- cells -------------------------------------------------------------------------------------------------------

    def select(self, row: int, column: int) -> None:
        """Select a cell in both maps and in the table."""
        self.selected = (row, column)
        for heat in self.maps.values():
            heat.select(row, column)
        at = row * COLUMNS + column
        if row >= 0 and self.table.current_row() != at and self.loaded is not None and at < self.loaded.count:
            self.table.select_row(at)
        self._show_button()
        self._tell()
        self.context.view_changed.emit()

    def _row_chosen(self, row: int) -> None:
        if row >= 0 and self.table.hasFocus():
            self.select(row // COLUMNS, row % COLUMNS)

    def _kind_of_selected(self) -> Kind:
        """The map whose cell has instructions: the enlarged one, else that of the hits, else that of the misses."""
        order: tuple[Kind, ...] = (self.enlarged, *KINDS) if self.enlarged is not None else KINDS
        return next((kind for kind in order if self._ranges(kind, *self.selected)), order[0])

    def _ranges(self, kind: Kind, row: int, column: int) -> list[int]:
        return cache_maps.ranges(self.loaded, kind, row, column) if self.loaded is not None else []

    def _show_button(self) -> None:
        self.source_button.setEnabled(any(self._ranges(kind, *self.selected) for kind in KINDS))

    def menu(self, kind: Kind, row: int, column: int) -> QMenu:
        """The context menu of a cell."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        action = QAction(tr("Show Instructions In Source"), menu)
        action.setEnabled(bool(self._ranges(kind, row, column)))
        action.triggered.connect(lambda _=False: self._go(kind, row, column))
        menu.addAction(action)
        return menu

    def _pop_menu(self, kind: Kind, row: int, column: int, at: QPoint) -> None:
        self.select(row, column)
        self.menu(kind, row, column).popup(at)

    def show_source(self, kind: Kind) -> None:
        """Show the instructions of the selected cell on the Source page."""
        self._go(kind, *self.selected)

    def _go(self, kind: Kind, row: int, column: int) -> None:
        found = self._ranges(kind, row, column)
        loaded = self.loaded
        if loaded is None or not found:
            return
        record = cache_maps.record(loaded, kind, row, column)
        assert record is not None
        self.context.source_wanted.emit(SourcePlace(loaded.card, tuple(found), int(record["id"])))

    def enlarge(self, kind: Kind) -> None:
        """Give a map the whole page, or show both again."""
        self.enlarged = None if self.enlarged == kind else kind
        for other, heat in self.maps.items():
            heat.setVisible(self.enlarged in (None, other))
        self.table.setVisible(self.enlarged is None)
        self.retranslate()
        self.context.view_changed.emit()

    def _tell(self) -> None:
        loaded = self.loaded
        if not self.isVisible() or loaded is None:
            return
        row, column = self.selected
        if cache_maps.record(loaded, "hit", row, column) is None:
            self.context.status.emit([loaded.card, self.summary.full_text()])
            return
        words = []
        for kind in KINDS:
            found = cache_maps.record(loaded, kind, row, column)
            if found is not None and found["percent"] is not None:
                title = tr("Hit") if kind == "hit" else tr("Miss")
                words.append(f"{title} {number_text.count(found['count'])} ({number_text.number(found['percent'])} %)")
        first = cache_maps.record(loaded, "hit", row, column)
        assert first is not None
        self.context.status.emit([tr("Cacheline {0}").format(first["id"]), *words])

    # ---- session -----------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        if self._pending is not None:
            return self._pending
        return {
            "card": self._card, "selected": list(self.selected), "enlarged": self.enlarged, "sizes": self.parts.sizes(),
            "table": self.table.view_state(),
        }  # fmt: skip

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
        if isinstance(state.get("table"), dict):
            self.table.restore_state(state["table"])
        if state.get("enlarged") in KINDS and self.enlarged != state["enlarged"]:
            self.enlarge(state["enlarged"])
        selected = state.get("selected")
        if isinstance(selected, list) and len(selected) == 2 and all(isinstance(v, int) for v in selected):
            self.select(*selected)
        sizes = state.get("sizes")
        if isinstance(sizes, list) and len(sizes) == 2 and self.enlarged is None:
            self.parts.setSizes([int(size) for size in sizes])


TAB = Tab("operator.cache", "Cache", CachePage)
