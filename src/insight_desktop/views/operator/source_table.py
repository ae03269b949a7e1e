"""The table of instructions: numeric sorting and filters, related ones marked, cells of bars, stalls and registers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QGuiApplication, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from insight_desktop.engine.operator import registers
from insight_desktop.engine.operator.code import CYCLES, EXECUTED, GPR_STATUS
from insight_desktop.ingest.formats import operator_instructions as layout
from insight_desktop.views.common import fonts, theme
from insight_desktop.views.common.arrow_model import ArrowModel
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.operator import source_cells
from insight_desktop.views.operator.source_load import Loaded

Mask = npt.NDArray[np.bool_]
Index = QModelIndex | QPersistentModelIndex
NUMBER, ADDRESS = "number", "Address"
_PIPES = {
    "SCALAR": "frontend", "FLOWCTRL": "preparing", "MTE1": "#D9C34A", "MTE2": "communication", "MTE3": "bubble",
    "CUBE": "computing", "FIXP": "overlapped", "VECTOR": "active", "CACHEMISS": "stalled",
}  # fmt: skip
_OLIVE = ("#D9C34A", "#8F7400")
_RAW = "\0raw."  # texts behind columns that show and sort something else


class InstructionTable(ArrowTable):
    """Instructions of a core.

    Signals:
        instruction_clicked: place of an instruction (0 first) that was clicked or moved to.
    """

    instruction_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.related: Mask | None = None
        self.most_cycles = 1.0
        self.codes: dict[str, int] = {}
        self.tracks: list[list[registers.Track | None]] = []
        self._only = False
        self.ways: Callable[[QMenu], None] | None = None  # adds entries to the menu of the rows
        super().__init__(parent=parent)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setItemDelegate(_Cells(self))
        self.setProperty("edge", "none")
        self.set_swatch(_swatch)
        self._model.words = self._words
        self.clicked.connect(self._instruction_clicked)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def show_loaded(self, loaded: Loaded) -> None:
        """Instructions of another core or kernel."""
        found = loaded.instructions
        if found is None:
            self.related = None
            self.codes, self.tracks = {}, []
            self.set_columns((), pa.table({}))
            return
        self.codes = dict(loaded.code.instruction_columns())
        if self.related is not None and len(self.related) != found.num_rows:
            self.related = None
        most = pc.max(found[CYCLES]).as_py() if CYCLES in found.column_names and found.num_rows else None
        self.most_cycles = max(float(most or 0), 1.0)
        statuses = found[GPR_STATUS].to_pylist() if self.codes.get(GPR_STATUS) == layout.TRACKS else []
        self.tracks = registers.tracks(statuses)
        self.set_columns(self._specs(found), shown(found, self.codes))

    def _specs(self, found: pa.Table) -> list[ColumnSpec]:
        """Columns as the collector orders them, with the widths that their kinds have."""
        metrics = QFontMetricsF(fonts.ui(bold=True))
        specs = [ColumnSpec(NUMBER, "#", kind="id", width=52, filters=False)]
        for name, code in self.codes.items():
            if name not in found.column_names:
                continue
            wide = source_cells.width_of(name, code, metrics)
            if name == ADDRESS:
                specs.append(ColumnSpec(name, kind="address", width=104, missing_as="low"))
            elif code == layout.TRACKS:
                most = max((len(tracks) for tracks in self.tracks), default=0)
                specs.append(ColumnSpec(name, width=max((most + 1) * source_cells.TRACK, 100), filters=False))
            elif code == layout.DETAILS:
                specs.append(ColumnSpec(name, width=wide, filters=False))
            elif code == layout.TEXT:
                specs.append(ColumnSpec(name, width=200 if name == "Source" else 98 if name == "Pipe" else wide))
            else:
                specs.append(ColumnSpec(name, kind="number", width=wide, missing=source_cells.NA, missing_as="low"))  # fmt: skip
        return specs

    def set_related(self, related: Mask | None, *, scroll: bool = False) -> None:
        """Mark instructions, by place; None for no line. With `scroll` the first of them comes into view."""
        self.related = related
        if self._only:
            self._apply_only()
        if scroll:
            self.bring_in()
        self.viewport().update()

    def row_menu(self) -> QMenu:
        """The context menu of the rows, with the ways to other pages."""
        menu = super().row_menu()
        if self.ways is not None:
            self.ways(menu)
        return menu

    def bring_in(self) -> None:
        """Scroll to the first related instruction of those that are shown, in their order."""
        related, rows = self.related, self._model.rows
        if related is None or len(related) != self.table.num_rows:
            return
        hits = np.flatnonzero(related if rows is None else related[rows])
        if not len(hits):
            return
        index = self._model.index(int(hits[0]), 0)
        if not self.viewport().rect().contains(self.visualRect(index).center()):
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)

    def set_only(self, only: bool) -> None:
        """Show related instructions only; they keep their numbers."""
        self._only = only
        self._apply_only()

    def _apply_only(self) -> None:
        if not self._only:
            self.set_passing(None)
            return
        related = self.related

        def passing(table: pa.Table) -> Mask | None:
            if related is None or len(related) != table.num_rows:
                return np.zeros(table.num_rows, np.bool_)
            return related

        self.set_passing(passing)

    def _cycle_sort(self, section: int) -> None:
        spec = self.columns[section]
        if self.codes.get(spec.name) not in (layout.TRACKS, layout.DETAILS):
            super()._cycle_sort(section)

    def _instruction_clicked(self, index: QModelIndex) -> None:
        self.instruction_clicked.emit(self._model.source_row(index.row()))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        moved = current.isValid() and previous.isValid() and current.row() != previous.row()
        if moved and self.hasFocus() and QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self.instruction_clicked.emit(self._model.source_row(current.row()))

    def _words(self, name: str, row: int, value: Any) -> str | None:
        code = self.codes.get(name)
        if name == ADDRESS and value is None:  # what is no number is shown as it was written
            return self.table[f"{_RAW}{name}"][row].as_py() or ""
        if code in (layout.DETAILS, layout.TRACKS):
            return ""
        if code == layout.PERCENT and value is not None:
            return source_cells.text_of(value, code)
        return None

    def viewportEvent(self, event: Any) -> bool:
        if isinstance(event, QHelpEvent):
            index = self.indexAt(event.pos())
            if index.isValid():
                spec = self.columns[index.column()]
                code, row = self.codes.get(spec.name), self._model.source_row(index.row())
                if code == layout.DETAILS:
                    text = source_cells.stall_tip(self._model.value(index.row(), index.column()))
                    QToolTip.showText(event.globalPos(), text, self)
                    return True
                if code == layout.TRACKS and row < len(self.tracks):
                    x = event.pos().x() - self.visualRect(index).left()
                    QToolTip.showText(event.globalPos(), source_cells.track_at(x, self.tracks[row]), self)
                    return True
        return bool(super().viewportEvent(event))


class _Cells(QStyledItemDelegate):
    """Cells with the ground of related rows and what stands for a number."""

    def __init__(self, table: InstructionTable) -> None:
        super().__init__(table)
        self.table = table

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, ArrowModel):
            return
        table, spec = self.table, model.specs[index.column()]
        place = model.source_row(index.row())
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if table.related is not None and place < len(table.related) and table.related[place] and not selected:
            ground = theme.token("sel")
            ground.setAlphaF(0.62)
            painter.fillRect(option.rect, ground)
        code = table.codes.get(spec.name)
        box = QRectF(option.rect)
        value = model.value(index.row(), index.column()) if code in (layout.DETAILS, layout.PERCENT) or spec.name == CYCLES else None  # fmt: skip
        if spec.name == CYCLES and value is not None:
            percent = source_cells.cycles_percent(float(value), table.most_cycles)
            super().paint(painter, option, index)
            source_cells.paint_amount(painter, box, percent, spec.cell(value))
            return
        super().paint(painter, option, index)
        painter.save()
        painter.setFont(fonts.ui())
        if code == layout.PERCENT and value is not None:
            source_cells.paint_percent(painter, box, value, source_cells.text_of(value, code), on_selection=selected)
        elif code == layout.DETAILS:
            source_cells.paint_stall(painter, box, value, on_selection=selected)
        elif code == layout.TRACKS and place < len(table.tracks):
            source_cells.paint_tracks(painter, box, table.tracks[place])
        painter.restore()

    def initStyleOption(self, option: QStyleOptionViewItem, index: Any) -> None:
        super().initStyleOption(option, index)
        option.decorationSize = option.decorationSize.__class__(fonts.scaled(9), fonts.scaled(9))
        model = index.model()
        if isinstance(model, ArrowModel):
            name = model.specs[index.column()].name
            if self.table.codes.get(name) == layout.PERCENT and model.value(index.row(), index.column()) is not None:
                option.text = ""
            if name in (ADDRESS, "Source"):
                option.font = fonts.mono()


def shown(found: pa.Table, codes: dict[str, int]) -> pa.Table:
    """The columns of the table: addresses as numbers, values below 0 as missing."""
    columns: dict[str, Any] = {NUMBER: found[NUMBER]}
    for name, code in codes.items():
        if name not in found.column_names:
            continue
        column = found[name]
        if name == ADDRESS:
            columns[name] = found["address_value"]
            columns[f"{_RAW}{name}"] = column
        elif code in (layout.INT, layout.FLOAT, layout.PERCENT):
            columns[name] = pc.if_else(pc.less(column, 0), pa.scalar(None, column.type), column)
        else:
            columns[name] = column
    return pa.table(columns)


def summary(table: pa.Table, rows: npt.NDArray[Any] | None) -> dict[str, float]:
    """Sums of executions and cycles over some rows."""
    out: dict[str, float] = {}
    for name in (EXECUTED, CYCLES):
        if name in table.column_names:
            column = table[name] if rows is None else table[name].take(pa.array(rows))
            out[name] = pc.sum(column).as_py() or 0
    return out


def _swatch(column: str, value: Any) -> QColor | None:
    """Squares before the pipes."""
    if column != "Pipe" or not value:
        return None
    kind = next((k for k in _PIPES if str(value).upper().startswith(k)), "")
    if str(value).upper().startswith("RV"):
        kind = "VECTOR"
    if kind == "MTE1":
        return QColor(_OLIVE[0 if theme.is_dark() else 1])
    return theme.meaning(_PIPES[kind]) if kind else theme.meaning("free")
