"""Memory workload: the diagram of a block with its selects, and the tables of memory and pipes below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from insight_desktop.views.common import parts
from insight_desktop.views.common.empty_text import EmptyText
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.operator.compute_panel import BlockBox
from insight_desktop.views.operator.details_load import Loaded, Row
from insight_desktop.views.operator.findings_panel import AdviceLines
from insight_desktop.views.operator.memory_diagram import Content, MemoryDiagram
from insight_desktop.views.operator.plain_tables import Panel, TablesGrid, heading

SHOWN = ("bandwidth", "request")
MAX_ROWS = 1000


class MemoryPanel(MemoryDiagram):
    """The diagram with the selects of block and figure.

    Signals:
        block_changed: another block is shown.
        block_wanted: a block whose figures are not here was chosen.
        shown_changed: bandwidth or request.
    """

    block_changed = Signal()
    block_wanted = Signal(str)
    shown_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._loaded: Loaded | None = None
        self.block_box = BlockBox()
        self.shown_box = Select()
        for name in SHOWN:
            self.shown_box.addItem(name, name)
        self.help_button = parts.icon_button("question")
        at = self.head_row.indexOf(self.note)
        for widget in (self.help_button, self.shown_box, self.block_box):
            self.head_row.insertWidget(at, widget)
        self.block_box.currentIndexChanged.connect(lambda _i: self._block_chosen())
        self.shown_box.currentIndexChanged.connect(lambda _i: self._figure_chosen())
        self.retranslate()

    def retranslate(self) -> None:
        super().retranslate()
        if not hasattr(self, "shown_box"):
            return
        self.set_title(tr("Memory Workload Analysis"), tr("arrow colour: peak (%)"))
        for i, text in enumerate((tr("Bandwidth(GB/s)"), tr("Num of Request"))):
            self.shown_box.setItemText(i, text)
        self.shown_box.setAccessibleName(tr("Show As"))
        parts.set_tip(self.help_button, tr("Bandwidth = Data / Operator Task Duration"))
        if self._loaded is not None:
            self.show_loaded(self._loaded)

    @property
    def figure(self) -> str:
        """`bandwidth` or `request`."""
        return str(self.shown_box.currentData() or "bandwidth")

    def show_loaded(self, loaded: Loaded) -> None:
        """Show a kernel."""
        self._loaded = loaded
        self.block_box.fill(loaded.blocks("memory_units"))
        if not loaded.lacks(self.block_box.block):
            self._show()
        elif self.block_box.block is not None:
            self.block_wanted.emit(self.block_box.block)

    def _block_chosen(self) -> None:
        if self._loaded is not None and self.block_box.block is not None and self._loaded.lacks(self.block_box.block):
            self.block_wanted.emit(self.block_box.block)
            return
        self._show()
        self.block_changed.emit()

    def _figure_chosen(self) -> None:
        self._show()
        self.shown_changed.emit()

    def _show(self) -> None:
        loaded, block = self._loaded, self.block_box.block
        if loaded is None:
            return
        if block is None:
            error = loaded.missing.get("memory_units")
            self.set_empty(tr("No memory workload"), str(error) if error is not None else "")
            return
        units = loaded.of("memory_units", block_id=block)
        first = units[0]
        paths = [row for row in loaded.of("memory_paths", block_id=block) if row["request"] is not None]
        self.show_content(
            Content(
                first["diagram"], first["known"], first["soc"], paths, units, self.figure
            )
        )  # fmt: skip


class MemoryTables(Panel):
    """Advice and tables of the block that the diagram shows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.advice, self.grid, self.empty = AdviceLines(), TablesGrid(), EmptyText()
        for widget in (self.advice, self.grid, self.empty):
            self.inner.addWidget(widget)
        self._loaded: Loaded | None = None
        self._block: str | None = None
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.set_title(tr("Memory and pipe tables"))
        if self._loaded is not None:
            self.show_block(self._loaded, self._block)

    def show_block(self, loaded: Loaded, block: str | None) -> None:
        """Show the tables of a block."""
        self._loaded, self._block = loaded, block
        known = loaded.blocks("memory_tables")
        chosen = block if block in known else (known[0] if known else None)
        if loaded.lacks(chosen):
            return  # its figures are on their way
        self.set_title(tr("Memory and pipe tables"), tr("Block {0}").format(chosen) if chosen is not None else "")
        rows = loaded.of("memory_tables", block_id=chosen) if chosen is not None else []
        self.grid.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        if not rows:
            error = loaded.missing.get("memory_tables")
            self.empty.set_texts(tr("No memory tables"), str(error) if error is not None else "")
        advice = loaded.of("advice", section="memory_table", block_id=chosen)
        self.advice.show_texts([row["text"] for row in advice])
        compared = loaded.baseline is not None
        self.grid.set_least(700 if compared else 430)
        self.grid.show_tables(tables_of(rows, compared=compared))


def tables_of(rows: Sequence[Row], *, compared: bool) -> list[tuple[str, list[str], list[list[str | None]]]]:
    """The tables of a block, 1000 rows in all."""
    found: list[tuple[str, list[str], list[list[str | None]]]] = []
    left = MAX_ROWS
    for number in dict.fromkeys(row["table_number"] for row in rows):
        own = [row for row in rows if row["table_number"] == number]
        columns = list(dict.fromkeys((row["column"], row["head"]) for row in own))
        heads: list[str] = []
        for _, head in columns:
            heads += [heading(head), tr("Baseline"), tr("Difference")] if compared else [heading(head)]
        cells: list[list[str | None]] = []
        for line in dict.fromkeys(row["row"] for row in own):
            values = {row["column"]: row for row in own if row["row"] == line}
            name = next(iter(values.values()))["name"]
            if name is None:
                continue  # a table of headings only
            texts: list[str | None] = [name]
            for column, _ in columns:
                row = values.get(column)
                value = row["value"] if row is not None else None
                texts += [value, (row["baseline"] if row else None) or "-", (row["diff"] if row else None) or "-"] if compared else [value]  # fmt: skip
            cells.append(texts)
        found.append((str(own[0]["table"]), heads, cells[:left]))
        left -= len(found[-1][2])
        if left <= 0:
            break
    return found
