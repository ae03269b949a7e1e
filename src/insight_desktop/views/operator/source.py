"""The Source page of a kernel: code with what its lines cost, instructions, and how both belong together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QMenu, QSplitter, QStackedWidget, QWidget

from insight_desktop.engine.operator.code import INNER_CODE, Spans
from insight_desktop.errors import InsightError
from insight_desktop.views.common import fonts, parts
from insight_desktop.views.common.card_selector import SearchBox
from insight_desktop.views.common.context import Context, SourcePlace
from insight_desktop.views.common.empty_page import EmptyPage, Offer
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Tab
from insight_desktop.views.common.select import Select
from insight_desktop.views.common.totals_row import TotalsRow
from insight_desktop.views.operator import source_load, source_texts
from insight_desktop.views.operator.kernel_page import KernelPage
from insight_desktop.views.operator.source_code import CodeView
from insight_desktop.views.operator.source_load import Loaded
from insight_desktop.views.operator.source_model import CodeModel
from insight_desktop.views.operator.source_search import SearchBar
from insight_desktop.views.operator.source_table import InstructionTable
from insight_desktop.views.operator.source_way import TimelineWay


class SourcePage(KernelPage):
    """One core of one kernel."""

    loaded: Loaded | None

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.mapped: dict[str, Path] = {}  # path in the profile → file that the user chose
        self.cache_line: int | None = None  # the page shows the instructions of a cell of the Cache page
        self._wanted_core: str | None = None
        self._wanted_file: str | None = None
        self._pending: dict[str, Any] | None = None
        self._error: InsightError | None = None  # why nothing is shown
        self._place: SourcePlace | None = None  # where to go when the kernel is there
        self._build_bar()
        self._build_body()
        self.way = TimelineWay(context, self, self.model, self.table)
        self._connect()
        self.retranslate()

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build_bar(self) -> None:
        self.core_box, self.file_box = Select(), SearchBox()
        self.core_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.core_box.setMinimumWidth(fonts.scaled(110))
        self.file_box.setMaximumWidth(fonts.scaled(300))
        self.core_label, self.file_label = parts.label(), parts.label()
        self.map_button = parts.button("", "folder-open", click=self.ask_folder)
        self.only = QCheckBox()
        self.hot_button = parts.button("", "fire", flat=True, click=self.next_hot)
        self.find_button = parts.icon_button("magnifying-glass", click=self.open_search)
        self.columns_button = parts.button("", "columns", flat=True, click=self._pop_columns)
        self.export_button = parts.button("", "download-simple", click=lambda: self.table.export_dialog())
        self.bar = QWidget()
        self.bar.setObjectName("surface")
        self.bar.setProperty("edge", "bottom")
        self.bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = parts.columns(self.bar, margins=(10, 0, 12, 0), gap=8)
        choices: list[QWidget] = [
            self.kernel_box,
            self.core_label,
            self.core_box,
            self.file_label,
            self.file_box,
            self.map_button,
        ]
        views: list[QWidget] = [self.only, self.find_button, self.hot_button, self.columns_button, self.export_button]
        for widget in choices:
            row.addWidget(widget)
        row.addStretch(1)
        for widget in views:
            row.addWidget(widget)
        parts.keep_height(self.bar, 38)

    def _build_body(self) -> None:
        self.model = CodeModel(self)
        self.view, self.search_bar, self.table = CodeView(self.model), SearchBar(), InstructionTable()
        self.search = self.search_bar  # what the window's Find goes to, by `open_search`
        self.totals = TotalsRow(self.table, {})
        self.code_empty, self.table_empty, self.empty = (
            EmptyPage("code"),
            EmptyPage("list-numbers"),
            EmptyPage("cpu"),
        )
        self.search_bar.hide()
        self.lines_note = parts.label(level=2)
        self.lines_note.setWordWrap(True)
        self.lines_note.setContentsMargins(10, 6, 10, 6)
        self.code_stack = _stack(self.view, self.code_empty)
        left, right = QWidget(), QWidget()
        column = parts.rows(left)
        column.addWidget(self.search_bar)
        column.addWidget(self.lines_note)
        column.addWidget(self.code_stack, 1)
        self.line_label, self.count_label = parts.label(strong=True), parts.YieldingLabel()
        self.count_label.setProperty("level", "2")
        self.cut_label = parts.label(state="error")
        self.cut_label.hide()
        head = QWidget()
        head.setObjectName("surface")
        head.setProperty("edge", "bottom")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        parts.keep_height(head, 34)
        row = parts.columns(head, margins=(10, 0, 10, 0), gap=10)
        row.addWidget(self.line_label)
        row.addWidget(self.count_label)
        row.addStretch(1)
        row.addWidget(self.cut_label)
        listed = QWidget()
        inner = parts.rows(listed)
        inner.addWidget(self.table, 1)
        inner.addWidget(self.totals)
        self.table_stack = _stack(listed, self.table_empty)
        column = parts.rows(right)
        column.addWidget(head)
        column.addWidget(self.table_stack, 1)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for i, widget in enumerate((left, right)):
            widget.setMinimumWidth(50)
            self.splitter.addWidget(widget)
            self.splitter.setStretchFactor(i, 1)
            self.splitter.setCollapsible(i, False)
        self.splitter.setSizes([600, 400])
        self.stack = _stack(self.splitter, self.empty)
        column = parts.rows(self)
        column.addWidget(self.bar)
        column.addWidget(self.stack, 1)

    def _connect(self) -> None:
        self.follow_kernels()
        self.core_box.currentIndexChanged.connect(lambda _i: self._core_chosen())
        self.file_box.currentIndexChanged.connect(lambda _i: self._file_chosen())
        self.only.toggled.connect(self._only_toggled)
        self.model.line_clicked.connect(self.line_chosen)
        self.table.instruction_clicked.connect(self.instruction_chosen)
        self.table.failed.connect(lambda error: self.context.message.emit("error", error.message, error.fix))
        self.table.rows_changed.connect(lambda *_: self._tell_totals())
        self.search_bar.changed.connect(self._show_matches)
        self.search_bar.closed.connect(self.view.text.setFocus)
        self.search_bar.within_wanted.connect(self._search_within)
        self.context.source_wanted.connect(self.jump)
        self.context.language_changed.connect(self.retranslate)

    def retranslate(self) -> None:
        """All texts in the current language."""
        self.core_label.setText(tr("Core"))
        self.file_label.setText(tr("Source||code"))
        for box, name in (
            (self.kernel_box, tr("Kernel")),
            (self.core_box, tr("Core")),
            (self.file_box, tr("Source||code")),
        ):
            box.setAccessibleName(name)
        self.only.setText(tr("Only Related Instructions"))
        self.hot_button.setText(tr("Next hot line"))
        parts.set_tip(self.hot_button, tr("Next hot line"))
        self.columns_button.setText(tr("Columns"))
        self.export_button.setText(tr("Export…"))
        parts.set_tip(self.find_button, tr("Search the code"), "Ctrl+F")
        self.map_button.setText(tr("Map sources…"))
        parts.set_tip(self.map_button, tr("Take missing source files from a folder of yours"))
        self.table.setAccessibleName(tr("Instructions"))
        self.table.set_empty_text(tr("There are no instructions."))
        self.view.text.setAccessibleName(tr("Source code"))
        self.view.attributes.setAccessibleName(tr("Attributes of the lines"))
        if self.loaded is not None:
            self._show_states(self.loaded)
        elif self._error is not None:
            self._failed(self._error)
        self._tell()

    # ---- what is chosen ----------------------------------------------------------------------------------------------

    def _other_kernel(self) -> None:
        self._forget_line()
        self._ask()

    def _core_chosen(self) -> None:
        self._wanted_core = self.core_box.currentData()
        self._ask()
        self.context.view_changed.emit()

    def _file_chosen(self) -> None:
        """Another source clears the selected line."""
        self._wanted_file = self.file_box.currentData()
        self._forget_line()
        self._ask()
        self.context.view_changed.emit()

    def _forget_line(self) -> None:
        self.model.selected, self.cache_line = -1, None
        self.table.set_related(None)

    # ---- data --------------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        if self._card is None:
            self.loaded = None
            self.empty.show_content(
                tr("No kernel is open"), tr("Open a visualize_data.bin of msprof op or its simulator.")
            )
            self.stack.setCurrentWidget(self.empty)
            return
        if self.loaded is None:
            self.empty.show_content(tr("Reading the source…"), tr("A large file is read when its code is asked for."))
            self.stack.setCurrentWidget(self.empty)
        self.ask(
            source_load.load, then=self._show, failed=self._failed, card=self._card, core=self._wanted_core,
            file=self._wanted_file, mapped=dict(self.mapped),
        )  # fmt: skip

    def _failed(self, error: InsightError) -> None:
        self._error = error
        self.empty.show_content(say(error.message), say(error.fix))
        self.stack.setCurrentWidget(self.empty)

    def _show(self, loaded: Loaded) -> None:
        kept = self.model.selected if self.loaded is not None and self.loaded.file == loaded.file else -1
        self.loaded, self._error = loaded, None
        self.stack.setCurrentWidget(self.splitter)
        self.core_box.blockSignals(True)
        self.core_box.clear()
        for core in loaded.cores:
            self.core_box.addItem(core, core)
        self.core_box.setCurrentIndex(self.core_box.findData(loaded.core))
        self.core_box.blockSignals(False)
        self.core_box.setEnabled(bool(loaded.cores))
        texts = source_texts.short_names(loaded.files)
        self.file_box.fill([(texts[path], path) for path in loaded.files], loaded.file)
        self.file_box.setEnabled(bool(loaded.files))
        self.file_box.setToolTip(loaded.file or "")
        self.model.show(loaded)
        self.view.renew()
        self.table.show_loaded(loaded)
        self.search_bar.set_lines(loaded.lines)
        self._show_states(loaded)
        if kept > 0:
            self.line_chosen(kept, centre=False)
        self._apply_pending()
        self._go_to_place()
        self._tell()

    def _show_states(self, loaded: Loaded) -> None:
        """What is missing stands where it would be."""
        self.map_button.setVisible(bool(loaded.missing))
        title, text, fix = source_texts.no_code(loaded)
        if title:
            offers = [Offer(tr("Map sources to a folder…"), "folder-open", self.ask_folder)] if loaded.missing else []
            self.code_empty.show_content(title, text, offers=offers, note=fix)
        self.code_stack.setCurrentIndex(1 if title else 0)
        lines = loaded.problems.get("lines")
        self.lines_note.setVisible(lines is not None and not title)
        self.lines_note.setText(f"{say(lines.message)} {say(lines.fix)}" if lines is not None else "")
        error = loaded.problems.get("instructions")
        if error is not None:
            self.table_empty.show_content(say(error.message), say(error.fix))
        self.table_stack.setCurrentIndex(1 if error is not None else 0)
        self.cut_label.setVisible(loaded.is_cut)
        self.cut_label.setText(tr("Only display the first {0} Instructions").format(1_000_000))
        self.hot_button.setEnabled(bool(len(loaded.heat)) and bool(loaded.heat.any()))

    # ---- linking -----------------------------------------------------------------------------------------------------

    def line_chosen(self, line: int, *, centre: bool = True) -> None:
        """A line of code: its instructions are marked, the first one comes into view."""
        loaded = self.loaded
        if loaded is None:
            return
        self.cache_line = None
        self.model.select(line, centre=centre)
        self._mark_line(line, scroll=True)

    def _mark_line(self, line: int, *, scroll: bool) -> None:
        loaded = self.loaded
        if loaded is None or loaded.instructions is None:
            return
        row = self.model.record(line - 1)
        ranges = loaded.line_table["ranges"][row].as_py() if row >= 0 and loaded.line_table is not None else []
        self.table.set_related(loaded.code.related(Spans.of(ranges)), scroll=scroll)
        self._tell()
        self.context.view_changed.emit()

    def instruction_chosen(self, place: int) -> None:
        """An instruction: the line that it was made from, and the other instructions of that line."""
        loaded = self.loaded
        if loaded is None:
            return
        self.cache_line = None
        line = loaded.code.line_of(place, loaded.file) if loaded.file is not None else -1
        self.model.select(line, centre=True)
        if self.model.selected > 0:
            self._mark_line(line, scroll=False)
        else:
            self.table.set_related(None)
            self._tell()
        self._tell_instruction(place)

    def show_ranges(self, ranges: list[int], cache_line: int | None) -> None:
        """Mark the instructions in ranges of addresses (first and last one after the other), such as those of a cache line."""
        loaded = self.loaded
        if loaded is None or loaded.instructions is None:
            return
        self.model.select(-1)
        self.cache_line = cache_line
        self.table.set_related(loaded.code.related(Spans.of(ranges)), scroll=True)
        self._tell()

    def jump(self, place: SourcePlace) -> None:
        """Go to instructions or a line of a kernel."""
        self._place = place
        if place.card != self._card or self.loaded is None or self.loaded.card != place.card:
            self._card = place.card
            self.refresh()
        else:
            self._go_to_place()

    def _go_to_place(self) -> None:
        place, loaded = self._place, self.loaded
        if place is None or loaded is None or loaded.card != place.card:
            return
        if place.file is not None and place.file != loaded.file and place.file in loaded.files:
            self._wanted_file = place.file
            self._ask()
            return
        self._place = None
        if place.line is not None and place.file in (None, loaded.file):
            self.line_chosen(place.line)
            self._bring_address(place)
        elif place.ranges:
            self.show_ranges(list(place.ranges), place.cache_line)

    def _bring_address(self, place: SourcePlace) -> None:
        """The instruction itself comes into view, when the place tells which one of the line it is."""
        loaded = self.loaded
        if loaded is not None and loaded.instructions is not None and place.ranges:
            hits = np.flatnonzero(loaded.code.related(Spans.of(list(place.ranges))))
            if len(hits):
                self.table.select_row(int(hits[0]))

    def next_hot(self) -> None:
        """The line that costs most; then the next one after the selected line in that order."""
        order = self.model.hottest()
        if order:
            at = order.index(self.model.selected) + 1 if self.model.selected in order else 0
            self.line_chosen(order[at % len(order)])

    def _only_toggled(self, on: bool) -> None:
        self.table.set_only(on)
        self.context.view_changed.emit()

    # ---- words -------------------------------------------------------------------------------------------------------

    def _tell(self) -> None:
        """The head over the table, and the status bar."""
        loaded, related = self.loaded, self.table.related
        count = int(np.count_nonzero(related)) if related is not None else 0
        if self.cache_line is not None:
            head = tr("Cacheline ID:{0}").format(self.cache_line)
        else:
            head = tr("Line : {0}").format(self.model.selected if self.model.selected > 0 else "")
        self.line_label.setText(head)
        text = tr("Related Instructions Count : {0}").format(count)
        if loaded is not None and related is not None and count and loaded.instructions is not None:
            text += source_texts.addresses(loaded.instructions, related)
        self.count_label.set_text(text)
        self._tell_totals()
        if self.isVisible() and loaded is not None:
            self.context.status.emit(source_texts.status(loaded, self.model.selected, related, self.cache_line))

    def _tell_instruction(self, place: int) -> None:
        loaded = self.loaded
        if self.isVisible() and loaded is not None and loaded.instructions is not None:
            inner = loaded.code.instructions
            code = ""
            if inner is not None and INNER_CODE in inner.columns:
                code = loaded.code.instruction_values(INNER_CODE, 0)[place].as_py() or ""
            self.context.status.emit(source_texts.instruction_status(loaded, place, code))

    def _tell_totals(self) -> None:
        if self.loaded is not None and self.loaded.instructions is not None:
            words, values = source_texts.totals(self.loaded, self.table.related, self.table.shown_rows())
            self.totals.set_values(values, words)

    # ---- search ------------------------------------------------------------------------------------------------------

    def open_search(self) -> None:
        """The bar above the code, with the selected text in its field."""
        text = self.view.text.selected_text() if self.view.text.selected_span() is not None else ""
        self.search_bar.open_bar(text if "\n" not in text else "")

    def _show_matches(self) -> None:
        bar = self.search_bar
        self.model.set_matches(bar.matches, bar.at)
        if bar.current is not None:
            self.model.bring_in(bar.current.line, centre=True)

    def _search_within(self, on: bool) -> None:
        span = self.view.text.selected_span() if on else None
        self.search_bar.set_within((span[0][0], span[1][0]) if span is not None else None)

    # ---- sources of the user -----------------------------------------------------------------------------------------

    def ask_folder(self) -> None:
        """Let the user choose a folder that holds the sources whose text is missing."""
        folder = QFileDialog.getExistingDirectory(self, tr("Folder with the source files"))
        if folder:
            self.map_folder(Path(folder))

    def map_folder(self, folder: Path) -> None:
        """Take missing sources from a folder; nothing outside it is opened."""
        if self.loaded is not None:
            self.ask(source_load.match_folder, then=self._take_mapped, folder=folder, missing=list(self.loaded.missing))

    def _take_mapped(self, found: dict[str, Path]) -> None:
        if not found:
            text = tr("No file of the folder fits the sources of this kernel.")
            self.context.message.emit("warning", text, tr("Choose the folder that the kernel was compiled in."))
            return
        self.mapped.update(found)
        if self.loaded is not None and self.loaded.file not in found and not self.loaded.lines:
            self._wanted_file = next(iter(found))
        self._ask()
        self.context.view_changed.emit()

    def _pop_columns(self) -> None:
        self.columns_menu().popup(self.columns_button.mapToGlobal(QPoint(0, self.columns_button.height())))

    def columns_menu(self) -> QMenu:
        """Which columns of the instructions are shown."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown = self.table.shown_columns()
        for i, spec in enumerate(self.table.columns):
            action = menu.addAction(spec.heading())
            action.setCheckable(True)
            action.setChecked(not self.table.isColumnHidden(i))
            action.setEnabled(len(shown) > 1 or not action.isChecked())
            action.toggled.connect(lambda on, at=i: self.table.setColumnHidden(at, not on))
        return menu

    # ---- session -----------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        if self._pending is not None:
            return self._pending
        return {
            "card": self._card,
            "core": self._wanted_core,
            "file": self._wanted_file,
            "line": self.model.selected,
            "top": self.model.top,
            "only": self.only.isChecked(),
            "mapped": {path: str(file) for path, file in self.mapped.items()},
            "table": self.table.view_state(),
            "sizes": self.splitter.sizes(),
        }

    def restore_state(self, state: dict[str, Any]) -> None:
        if not isinstance(state, dict) or not state:
            return
        self._pending = state
        for name, key in (("_card", "card"), ("_wanted_core", "core"), ("_wanted_file", "file")):
            if isinstance(state.get(key), str):
                setattr(self, name, state[key])
        mapped = state.get("mapped")
        if isinstance(mapped, dict):
            self.mapped = {str(k): Path(v) for k, v in mapped.items() if isinstance(v, str)}
        self.refresh()

    def _apply_pending(self) -> None:
        state, self._pending = self._pending, None
        if state is None:
            return
        if isinstance(state.get("table"), dict):
            self.table.restore_state(state["table"])
        sizes = state.get("sizes")
        if isinstance(sizes, list) and len(sizes) == 2:
            self.splitter.setSizes([int(size) for size in sizes])
        line = state.get("line")
        if isinstance(line, int) and line > 0:
            self.line_chosen(line)
        if isinstance(state.get("top"), int):
            self.model.set_top(state["top"])
        self.only.setChecked(bool(state.get("only")))


def _stack(*widgets: QWidget) -> QStackedWidget:
    made = QStackedWidget()
    for widget in widgets:
        made.addWidget(widget)
    return made


TAB = Tab("operator.source", "Source", SourcePage)
