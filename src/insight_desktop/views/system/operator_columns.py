"""Columns of the Operator tables: titles, units and texts of cells, and the table that colours differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QPalette
from PySide6.QtWidgets import QMenu, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from insight_desktop.engine.system.operator_groups import KEYS, Group, is_communication
from insight_desktop.views.common import icons, number_text, theme
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system.operator_focus import SINGLE

DETAILS = "operation"  # the column of links
CHANGE, SOURCE, SHARE = "change", "source", "share_ratio"
OWN_COLUMNS = (DETAILS, CHANGE, SOURCE, SHARE)  # made by the page; files leave them out
DIFFERENCES = ("count", "sum_us", "avg_us", "max_us", "min_us", "start_ms", "duration_us", "wait_us")
_COLOURED = ("count", "sum_us", "duration_us")

_TEXTS: dict[str, ColumnSpec] = {
    "name": ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Name"), width=260),
    "type": ColumnSpec("type", QT_TRANSLATE_NOOP("insight", "Type"), width=190),
    "core": ColumnSpec("core", QT_TRANSLATE_NOOP("insight", "Accelerator Core"), width=150),
    "shape": ColumnSpec("shape", QT_TRANSLATE_NOOP("insight", "Shape"), width=300),
}
_FIGURES = (
    ColumnSpec("count", QT_TRANSLATE_NOOP("insight", "Count"), kind="count"),
    ColumnSpec("sum_us", QT_TRANSLATE_NOOP("insight", "Total Time"), unit="µs", kind="number", decimals=3),
    ColumnSpec("avg_us", QT_TRANSLATE_NOOP("insight", "Avg Time"), unit="µs", kind="number", decimals=3),
    ColumnSpec("max_us", QT_TRANSLATE_NOOP("insight", "Max Time"), unit="µs", kind="number", decimals=3),
    ColumnSpec("min_us", QT_TRANSLATE_NOOP("insight", "Min Time"), unit="µs", kind="number", decimals=3),
)
_SHARE = ColumnSpec(
    SHARE, QT_TRANSLATE_NOOP("insight", "Share"), kind="percent", decimals=2,
    tooltip=QT_TRANSLATE_NOOP("insight", "Share of the time of all operators of this group"),
)  # fmt: skip
_OPERATION = ColumnSpec(DETAILS, QT_TRANSLATE_NOOP("insight", "Operation"), kind="link", width=96, filters=False)
_SOURCE = ColumnSpec(SOURCE, QT_TRANSLATE_NOOP("insight", "Source"), width=100)
_CHANGE = ColumnSpec(CHANGE, QT_TRANSLATE_NOOP("insight", "Change"), width=150)
_MORE = {
    "block_num": QT_TRANSLATE_NOOP("insight", "Block Num"), "input_shapes": QT_TRANSLATE_NOOP("insight", "Input Shapes"),
    "input_types": QT_TRANSLATE_NOOP("insight", "Input Data Types"), "input_formats": QT_TRANSLATE_NOOP("insight", "Input Formats"),
    "output_shapes": QT_TRANSLATE_NOOP("insight", "Output Shapes"), "output_types": QT_TRANSLATE_NOOP("insight", "Output Data Types"),
    "output_formats": QT_TRANSLATE_NOOP("insight", "Output Formats"),
}  # fmt: skip


class StartSpec(ColumnSpec):
    """Starts: one that the file does not tell reads NA."""

    def cell(self, value: Any) -> str:
        return number_text.IMPOSSIBLE if value is None else super().cell(value)


class PmuSpec(ColumnSpec):
    """Counters under the names of the file: what was not counted reads N/A."""

    def heading(self) -> str:
        return self.name

    def cell(self, value: Any) -> str:
        return number_text.NOT_COLLECTED if value is None else super().cell(value)


_START = StartSpec("start_ms", QT_TRANSLATE_NOOP("insight", "Start Time"), unit="ms", kind="number", decimals=2)
_DURATION = ColumnSpec("duration_us", QT_TRANSLATE_NOOP("insight", "Duration"), unit="µs", kind="number", decimals=3)
_WAIT = ColumnSpec("wait_us", QT_TRANSLATE_NOOP("insight", "Wait Time"), unit="µs", kind="number", decimals=3)
_HELD = ("row", "name", "type", "core", "start_ms", "duration_us", "wait_us", "start_ns", "duration_ns", "wait_ns")


def statistic_columns(group: Group) -> list[ColumnSpec]:
    """Columns of the table of groups."""
    count, total, *rest = _FIGURES
    return [*(_TEXTS[key] for key in KEYS[group]), count, total, _SHARE, *rest, _OPERATION]


def detail_columns(table: pa.Table) -> list[ColumnSpec]:
    """Columns of a table of single kernels; shapes and counters where it has them."""
    names = table.column_names
    found = [_TEXTS[key] for key in ("name", "type", "core") if key in names]
    found += [_START, _DURATION, _WAIT]
    for name in names:
        if name in _MORE:
            kind = "count" if name == "block_num" else "text"
            found.append(ColumnSpec(name, _MORE[name], kind=kind))  # type: ignore[arg-type]
        elif name not in _HELD and name not in OWN_COLUMNS:
            numeric = pa.types.is_floating(table.schema.field(name).type)
            found.append(PmuSpec(name, name, kind="number" if numeric else "text"))
    return found


def counters(columns: Sequence[ColumnSpec]) -> list[str]:
    """Names of the counter columns."""
    return [c.name for c in columns if isinstance(c, PmuSpec)]


def compare_columns(group: Group) -> list[ColumnSpec]:
    """Columns of the table of differences: keys, Source, figures, what changed."""
    first, *keys = [_TEXTS[key] for key in KEYS[group]]
    figures = (_START, _DURATION, _WAIT) if group in SINGLE and is_communication(group) else _FIGURES
    return [first, _SOURCE, *keys, *(_signed(c) for c in figures), _CHANGE, _OPERATION]


def side_columns(group: Group) -> list[ColumnSpec]:
    """Columns of the two rows behind a difference."""
    return [
        _SOURCE
        if c.name == SOURCE
        else ColumnSpec(c.name, c.title, c.unit, "number", c.decimals)
        if c.name in DIFFERENCES
        else c
        for c in compare_columns(group)
        if c.name not in (CHANGE, DETAILS)
    ]


class SignedSpec(ColumnSpec):
    """Differences, always with their sign."""

    def cell(self, value: Any) -> str:
        return super().cell(value) if value is None else number_text.signed(value, self.shown_decimals)


def _signed(spec: ColumnSpec) -> ColumnSpec:
    return SignedSpec(spec.name, spec.title, spec.unit, spec.kind, spec.decimals, spec.width)


def with_links(table: pa.Table, total_us: float | None) -> pa.Table:
    """A statistic table with the share of each group in a total (unknown yet: null) and the column of links."""
    share = pc.divide(table["sum_us"], total_us) if total_us else pa.nulls(table.num_rows, pa.float64())
    return _constant(table.append_column(SHARE, share), DETAILS, tr("Details"))


def with_changes(table: pa.Table, lead: str) -> pa.Table:
    """A table of differences with Source and, in words, what changed."""
    ours, other = table["in_comparison"].to_pylist(), table["in_baseline"].to_pylist()
    words = []
    for value, here, there in zip(table[lead].to_pylist(), ours, other, strict=True):
        if here and there:
            words.append(tr("longer") if value > 0 else tr("shorter") if value < 0 else tr("equal"))
        else:
            words.append(tr("only in comparison") if here else tr("only in baseline"))
    table = table.append_column(CHANGE, pa.array(words, pa.string()))
    return _constant(_constant(table, SOURCE, tr("Difference")), DETAILS, tr("Details"))


def with_source(table: pa.Table, texts: list[str]) -> pa.Table:
    """A table whose rows tell where they come from."""
    return table.append_column(SOURCE, pa.array(texts, pa.string()))


def _constant(table: pa.Table, name: str, text: str) -> pa.Table:
    return table.append_column(name, pa.repeat(pa.scalar(text, pa.string()), table.num_rows))


class OperatorTable(ArrowTable):
    """A table of kernels or groups. Files and copies leave out the links; differences have a colour.

    Signals:
        timeline_wanted: row of the Arrow table that the Timeline shall show.
        details_wanted: row of the Arrow table whose kernels shall be listed.
    """

    timeline_wanted = Signal(int)
    details_wanted = Signal(int)

    def __init__(
        self,
        columns: Sequence[ColumnSpec] = (),
        *,
        drills: bool = False,
        jumps: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(columns=columns, parent=parent)
        self._drills, self._jumps = drills, jumps
        self.comparing = False
        self.setProperty("edge", "none")
        self.setItemDelegate(_Differences(self))
        if drills:
            self.row_activated.connect(self.details_wanted)

    def shown_columns(self) -> list[ColumnSpec]:
        """Without the links: they are buttons, not data."""
        return [c for c in super().shown_columns() if c.name != DETAILS]

    def row_menu(self) -> QMenu:
        """Ways to the kernels and to the Timeline, then copy and export."""
        menu = super().row_menu()
        first = menu.actions()[0]
        at = self.current_row()
        offers = []
        if self._jumps and not self.comparing:
            offers.append(("crosshair-simple", tr("Show in Timeline"), self.timeline_wanted))
        if self._drills:
            offers.append(("list-bullets", tr("Details"), self.details_wanted))
        for icon, text, signal in offers:
            action = QAction(icons.icon(icon), text, menu)
            action.setEnabled(at >= 0)
            action.triggered.connect(lambda _checked=False, signal=signal: signal.emit(at))
            menu.insertAction(first, action)
        if offers:
            menu.insertSeparator(first)
        return menu


class _Differences(QStyledItemDelegate):
    """Colours of links and of differences: not below zero `ok`, below zero `error`; the sign says the same."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        table = self.parent()
        if not isinstance(table, OperatorTable):
            return
        spec = table.columns[index.column()]
        colour = ""
        if spec.kind == "link":
            colour = "accent"
        elif table.comparing and spec.name in _COLOURED:
            value = index.data(Qt.ItemDataRole.UserRole)
            colour = "" if value is None else "ok" if value >= 0 else "error"
        if colour:
            option.palette.setColor(QPalette.ColorRole.Text, theme.token(colour))
