"""The lower half of the Snapshot page: the allocator at one event, and tables of everything else, as tabs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QSpinBox,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from insight_desktop.engine.memory.snapshot_state import Fragmentation, State
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.common.totals_row import TotalsRow
from insight_desktop.views.common.tree_table import TreeTable
from insight_desktop.views.memory import snapshot_columns as columns
from insight_desktop.views.memory import snapshot_texts as texts
from insight_desktop.views.memory.snapshot_events import EventList
from insight_desktop.views.memory.snapshot_map import StateMap
from insight_desktop.views.memory.stack_flame import StackFlame

MAP, BLOCKS, EVENTS, SEGMENTS, STACKS, TREE, LEAKS, SAVINGS, POOLS, WAITING, OOM, COMPARE, MARKS, SETTINGS, QUALITY = range(15)  # fmt: skip
_TITLES = (
    QT_TRANSLATE_NOOP("insight", "Allocator"), QT_TRANSLATE_NOOP("insight", "Block View"),
    QT_TRANSLATE_NOOP("insight", "Event View"), QT_TRANSLATE_NOOP("insight", "Segments"),
    QT_TRANSLATE_NOOP("insight", "Call stacks"), QT_TRANSLATE_NOOP("insight", "Call tree"),
    QT_TRANSLATE_NOOP("insight", "Leak suspects"), QT_TRANSLATE_NOOP("insight", "What frees most"),
    QT_TRANSLATE_NOOP("insight", "Pools and streams"), QT_TRANSLATE_NOOP("insight", "Waiting for streams"),
    QT_TRANSLATE_NOOP("insight", "Out of memory"), QT_TRANSLATE_NOOP("insight", "Compare"),
    QT_TRANSLATE_NOOP("insight", "Markers"), QT_TRANSLATE_NOOP("insight", "Settings"),
    QT_TRANSLATE_NOOP("insight", "Data quality"),
)  # fmt: skip
_OF = (
    ("peak", QT_TRANSLATE_NOOP("insight", "Alive at the peak")),
    ("alive", QT_TRANSLATE_NOOP("insight", "Alive after the event")),
    ("allocated", QT_TRANSLATE_NOOP("insight", "Allocated in the range")),
    ("unreleased", QT_TRANSLATE_NOOP("insight", "Not released in the range")),
)
_BY = (
    ("stack", QT_TRANSLATE_NOOP("insight", "Call stack")), ("category", QT_TRANSLATE_NOOP("insight", "Category")),
    ("segment", QT_TRANSLATE_NOOP("insight", "Segment")), ("totals", QT_TRANSLATE_NOOP("insight", "Totals")),
)  # fmt: skip
_KPIS = (
    QT_TRANSLATE_NOOP("insight", "Reserved"), QT_TRANSLATE_NOOP("insight", "Active"), QT_TRANSLATE_NOOP("insight", "Gaps"),
    QT_TRANSLATE_NOOP("insight", "Largest gap"), QT_TRANSLATE_NOOP("insight", "Reclaimable"),
    QT_TRANSLATE_NOOP("insight", "Fragmentation"),
)  # fmt: skip
_LINKS = {
    "alloc_event": "event", "free_requested_event": "event", "free_completed_event": "event", "first_event": "event",
    "last_event": "event", "peak_event": "event", "event": "event", "block": "block",
}  # fmt: skip
_TYPING_MS = 250


class Kpis(QFrame):
    """The numbers below the map."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setMinimumWidth(200)
        self.names = [parts.label(level=2) for _ in _KPIS]
        self.values = [parts.label(strong=True) for _ in _KPIS]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(10, 6, 10, 6)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(1)
        self._across = 0
        self._place(len(_KPIS))

    def _place(self, across: int) -> None:
        """So many numbers side by side, the others below."""
        if across == self._across:
            return
        self._across = across
        for k, (name, value) in enumerate(zip(self.names, self.values, strict=True)):
            row, column = 2 * (k // across), k % across
            self._grid.addWidget(name, row, column)
            self._grid.addWidget(value, row + 1, column)
        for column in range(len(_KPIS)):
            self._grid.setColumnStretch(column, 1 if column < across else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        widest = max(w.sizeHint().width() for w in (*self.names, *self.values)) + 12
        room = self.width() - 20
        self._place(next((n for n in (len(_KPIS), len(_KPIS) // 2) if room >= widest * n), 2))

    def show_state(self, state: State, figures: Fragmentation) -> None:
        """Numbers of a moment."""
        sizes = (state.reserved, state.active, figures.gap_bytes, figures.largest_gap_bytes, figures.reclaimable_bytes)
        for value, size in zip(self.values, sizes, strict=False):
            value.setText(number_text.bytes_text(size, decimals=3))
            value.setToolTip(f"{number_text.count(size)} B")
        last = self.values[-1]
        last.setText(number_text.percent(figures.external))
        last.setToolTip(
            tr("1 − largest gap / all gaps. Σ gap² / (Σ segment)²: {0}. Lost to rounding: {1} B.").format(
                number_text.number(figures.viewer, 6), number_text.count(figures.internal_bytes)
            )
        )

        self._fit()

    def retranslate(self) -> None:
        """Texts in the current language."""
        for label, name in zip(self.names, _KPIS, strict=True):
            label.setText(tr(name))
        self._fit()


class SearchField(QLineEdit):
    """Enter goes to the next hit, Shift+Enter to the previous one."""

    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            return
        super().keyPressEvent(event)


class EventPanel(QFrame):
    """The event list with its search.

    Signals:
        search_wanted: (text, action) was changed.
    """

    search_wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self.title = parts.label(strong=True)
        self.search = SearchField()
        self.search.setClearButtonEnabled(True)
        self.action_box = Select()
        self.action_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.action_box.setMinimumContentsLength(8)
        self.counter = parts.label(level=2)
        self.up = parts.icon_button("caret-up", click=lambda: self.step(-1))
        self.down = parts.icon_button("caret-down", click=lambda: self.step(1))
        self.list = EventList()
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self._ask)
        self.search.textChanged.connect(lambda _text: self._typing.start())
        self.search.stepped.connect(self.step)
        self.action_box.currentIndexChanged.connect(lambda _i: self._ask())
        self.list.event_chosen.connect(lambda _e: self.tell())
        head, tools = QWidget(), QWidget()
        for bar, height in ((head, 34), (tools, 32)):
            bar.setObjectName("surface")
            parts.keep_height(bar, height)
        row = parts.columns(head, margins=(10, 2, 6, 2), gap=6)
        row.addWidget(self.title)
        row.addStretch(1)
        row.addWidget(self.counter)
        row.addWidget(self.up)
        row.addWidget(self.down)
        row = parts.columns(tools, margins=(8, 0, 8, 4), gap=6)
        row.addWidget(self.search, 1)
        row.addWidget(self.action_box)
        column = parts.rows(self, margins=(1, 1, 1, 1))
        column.addWidget(head)
        column.addWidget(tools)
        column.addWidget(parts.line())
        column.addWidget(self.list, 1)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(tr("Events"))
        self.search.setPlaceholderText(tr("address, stack"))
        self.search.setAccessibleName(tr("Search events by address or call stack"))
        self.action_box.setAccessibleName(tr("Action"))
        parts.set_tip(self.up, tr("Previous hit"), "Shift+Enter")
        parts.set_tip(self.down, tr("Next hit"), "Enter")
        if self.action_box.count():
            self.action_box.setItemText(0, tr("all"))

    def show_actions(self, names: list[str]) -> None:
        """Actions that can be chosen."""
        self.action_box.blockSignals(True)
        self.action_box.clear()
        self.action_box.addItem(tr("all"), "")
        for name in names:
            self.action_box.addItem(name, name)
        self.action_box.blockSignals(False)
        self.search.blockSignals(True)
        self.search.clear()
        self.search.blockSignals(False)

    @property
    def is_searching(self) -> bool:
        """A text or an action is asked for."""
        return bool(self.search.text().strip() or self.action_box.currentData())

    def _ask(self) -> None:
        self.search_wanted.emit(self.search.text().strip(), str(self.action_box.currentData() or ""))

    def show_hits(self, events: Any) -> None:
        """What the search found."""
        self.list.set_hits(np.asarray(events, np.int64))
        self.tell()

    def step(self, by: int) -> None:
        """To the next or previous hit; without a search to the next or previous event."""
        hits, current = self.list.hits, self.list.current
        if self.is_searching:
            if not len(hits):
                return
            if by > 0:
                at = int(np.searchsorted(hits, current, "right")) % len(hits)
            else:
                at = (int(np.searchsorted(hits, current, "left")) - 1) % len(hits)
            wanted = int(hits[at])
        else:
            wanted = min(max(current + by, 0), self.list.count - 1)
        if wanted != current and self.list.count:
            self.list.set_current(wanted)
            self.list.event_chosen.emit(wanted)
        self.tell()

    def tell(self) -> None:
        """Hit n of m, or event n of m."""
        hits, current = self.list.hits, self.list.current
        if self.is_searching:
            at = int(np.searchsorted(hits, current))
            place = number_text.count(at + 1) if at < len(hits) and hits[at] == current else number_text.MISSING
            self.counter.setText(tr("{0} of {1}").format(place, number_text.count(len(hits))))
        else:
            place = number_text.count(current) if current >= 0 else number_text.MISSING
            self.counter.setText(tr("{0} of {1}").format(place, number_text.count(self.list.count)))


class SnapshotPanels(QWidget):
    """Tabs; tables are asked for when they are seen.

    Signals:
        wanted: number of a tab whose table is out of date and seen.
        link: `event:<n>` or `block:<n>` of a cell that was activated.
        compare_changed: other base or grouping.
        failed, exported: of the tables.
    """

    wanted = Signal(int)
    link = Signal(str)
    row_chosen = Signal(int, object)
    failed = Signal(object)
    exported = Signal(str)
    tab_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = QTabBar()
        self.bar.setObjectName("panel")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.setUsesScrollButtons(True)
        self.stack = QStackedWidget()
        self.events = EventPanel()
        self.map = StateMap()
        self.kpis = Kpis()
        self.flame = StackFlame()
        self.tables: dict[int, ArrowTable | TreeTable] = {}
        self._fresh: set[int] = set()
        self.of_box, self.by_box, self.base_box = Select(), Select(), Select()
        self.tree_of_box = Select()
        self.base_event = QSpinBox()
        parts.pad(self.base_event)
        self.base_event.setRange(-1, 2_000_000_000)
        self.base_event.setKeyboardTracking(False)
        self.base_label, self.event_label = parts.label(), parts.label()
        self.unreleased = parts.button("", "funnel-simple", flat=True)
        self.unreleased.setCheckable(True)
        self._build()
        self._connect()

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(10)
        split.setObjectName("panels")
        split.setChildrenCollapsible(False)
        right = QFrame()
        column = parts.rows(right)
        column.addWidget(self.map, 1)
        column.addWidget(self.kpis)
        for side, least in ((self.events, 240), (right, 240)):
            side.setMinimumWidth(least)
            split.addWidget(side)
        split.setSizes([380, 560])
        split.setStretchFactor(1, 1)
        self.splitter = split
        self.stack.addWidget(split)
        plain: dict[int, Any] = {
            BLOCKS: columns.BLOCKS, EVENTS: columns.EVENTS, SEGMENTS: columns.SEGMENTS, STACKS: columns.STACKS,
            LEAKS: columns.LEAKS, SAVINGS: columns.SAVINGS, POOLS: columns.POOLS, WAITING: columns.WAITING,
            OOM: columns.OOM, COMPARE: columns.COMPARE["stack"], MARKS: columns.MARKS, SETTINGS: columns.SETTINGS,
            QUALITY: columns.QUALITY,
        }  # fmt: skip
        heads: dict[int, list[QWidget]] = {
            BLOCKS: [self.unreleased], STACKS: [self.of_box], TREE: [self.tree_of_box],
            COMPARE: [self.base_label, self.base_box, self.event_label, self.base_event, self.by_box],
        }  # fmt: skip
        for number in range(1, len(_TITLES)):
            table: ArrowTable | TreeTable
            table = TreeTable(columns.TREE, open_levels=4) if number == TREE else ArrowTable(columns=plain[number])
            self.tables[number] = table
            frame: QWidget = QFrame()
            frame.setObjectName("box")
            inner = parts.rows(frame, margins=(1, 1, 1, 1))
            if number in heads:
                head = QWidget()
                head.setObjectName("surface")
                parts.keep_height(head, 34)
                row = parts.columns(head, margins=(8, 2, 8, 2), gap=8)
                for widget in heads[number]:
                    row.addWidget(widget)
                row.addStretch(1)
                inner.addWidget(head)
                inner.addWidget(parts.line())
            inner.addWidget(self._with_flame(table) if number == TREE else table, 1)
            if isinstance(table, ArrowTable) and number in (BLOCKS, STACKS, LEAKS):
                rules: dict[str, Any] = {"size_bytes": "sum"} if number == BLOCKS else {"blocks": "sum", "bytes": "sum"}
                inner.addWidget(TotalsRow(table, rules))
            self.stack.addWidget(frame)
        for title in _TITLES:
            self.bar.addTab(title)
        column = parts.rows(self, gap=6)
        column.addWidget(self.bar)
        column.addWidget(self.stack, 1)

    def _with_flame(self, table: QWidget) -> QSplitter:
        """The flame graph of the call tree above its table."""
        both = QSplitter(Qt.Orientation.Vertical)
        both.setChildrenCollapsible(False)
        for widget, least in ((self.flame, 60), (table, 90)):
            widget.setMinimumHeight(least)
            both.addWidget(widget)
        both.setSizes([180, 160])
        return both

    def _connect(self) -> None:
        self.flame.chosen.connect(lambda node: self.tables[TREE].select_row(node))
        self.bar.currentChanged.connect(self._tab_chosen)
        for number, table in self.tables.items():
            table.failed.connect(self.failed)
            table.exported.connect(self.exported)
            if isinstance(table, ArrowTable):
                table.clicked.connect(lambda index, number=number: self._clicked(number, index))
                table.current_row_changed.connect(lambda row, number=number: self._row(number, row))
        for number, boxes in ((STACKS, (self.of_box,)), (TREE, (self.tree_of_box,)), (COMPARE, (self.base_box, self.by_box))):  # fmt: skip
            for box in boxes:
                box.currentIndexChanged.connect(lambda _i, number=number: self.outdate(number))
        self.base_event.valueChanged.connect(lambda _n: self.outdate(COMPARE))
        self.unreleased.toggled.connect(lambda _on: self.outdate(BLOCKS))
        for box, entries in ((self.of_box, _OF), (self.tree_of_box, _OF), (self.by_box, _BY)):
            for key, text in entries:
                box.addItem(text, key)

    def retranslate(self) -> None:
        """Texts in the current language."""
        for number, title in enumerate(_TITLES):
            self.bar.setTabText(number, tr(title))
        for box, entries in ((self.of_box, _OF), (self.tree_of_box, _OF), (self.by_box, _BY)):
            for k, (_, text) in enumerate(entries):
                box.setItemText(k, tr(text))
        self.unreleased.setText(tr("Only blocks not released in the range"))
        self.base_label.setText(tr("Base"))
        self.event_label.setText(tr("after event"))
        self.base_event.setSpecialValueText(tr("before the first event"))
        self.base_box.setAccessibleName(tr("Base"))
        self.base_event.setAccessibleName(tr("Event of the base"))
        self.events.retranslate()
        self.kpis.retranslate()
        words = {
            OOM: tr("No out-of-memory event in this trace."), WAITING: tr("No block waited for its stream."),
            LEAKS: tr("Every block of the range was freed in it."), SETTINGS: tr("The recording holds no settings."),
            MARKS: tr("No markers in this trace."), QUALITY: tr("Trace and dump agree: nothing was repaired."),
        }  # fmt: skip
        for number, text in words.items():
            table = self.tables[number]
            if isinstance(table, ArrowTable):
                table.set_empty_text(text)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and self.tables:
            self.retranslate()
        super().changeEvent(event)

    # ---- what is seen ------------------------------------------------------------------------------------------------

    @property
    def current(self) -> int:
        """The tab that is seen."""
        return self.bar.currentIndex()

    def outdate(self, *numbers: int) -> None:
        """These tables no longer fit; the one that is seen is asked for at once."""
        self._fresh -= set(numbers)
        if self.current in numbers:
            self._want()

    def _want(self) -> None:
        number = self.current
        if number not in self._fresh:
            self._fresh.add(number)
            self.wanted.emit(number)

    def _tab_chosen(self, number: int) -> None:
        self.stack.setCurrentIndex(number)
        self._want()
        self.tab_changed.emit()

    def show_table(self, number: int, table: pa.Table) -> None:
        """The answer for a tab."""
        if number == QUALITY:
            kinds = [texts.anomaly(k) for k in table["kind"].to_pylist()]
            table = table.set_column(table.column_names.index("kind"), "kind", pa.array(kinds, pa.string()))
        if number != SETTINGS:
            table = texts.worded(table)
        if number == COMPARE:
            widget = self.tables[COMPARE]
            assert isinstance(widget, ArrowTable)
            widget.set_columns(columns.COMPARE[str(self.by_box.currentData())], table)
            return
        shown = self.tables[number]
        if isinstance(shown, TreeTable):
            shown.show_tree(table, "id", "parent")
            self.flame.show_tree(table)
        else:
            shown.show_table(table)

    def _cell(self, number: int, row: int, name: str) -> int | None:
        table = self.tables[number]
        assert isinstance(table, ArrowTable)
        value = table.row(row).get(name)
        return int(value) if isinstance(value, int) else None

    def _clicked(self, number: int, index: Any) -> None:
        table = self.tables[number]
        assert isinstance(table, ArrowTable)
        spec = table.columns[index.column()]
        if spec.kind != "link" or spec.name not in _LINKS:
            return
        value = self._cell(number, table.current_row(), spec.name)
        if value is not None and value >= 0:
            self.link.emit(f"{_LINKS[spec.name]}:{value}")

    def _row(self, number: int, row: int) -> None:
        if row >= 0 and number in (BLOCKS, EVENTS, SEGMENTS, STACKS, LEAKS):
            table = self.tables[number]
            assert isinstance(table, ArrowTable)
            self.row_chosen.emit(number, table.row(row))
