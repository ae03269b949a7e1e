"""The table of all pages: a view over an Arrow table with sorting, a filter row, copying and export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from insight_desktop.errors import BadArgument
from insight_desktop.views.common import fonts, icons, theme
from insight_desktop.views.common.arrow_model import ArrowModel, Index
from insight_desktop.views.common.ask import Background
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec, specs_of
from insight_desktop.views.common.table_header import FilterHeader
from insight_desktop.views.common.table_rows import Rows, Sort, filter_mask, rows_of
from insight_desktop.views.common.table_text import as_text, write_file

__all__ = ["ArrowTable", "ColumnSpec", "Sort"]

# Smaller tables are filtered and sorted at once; larger ones on the pool, so that the window never waits.
AT_ONCE_ROWS = 50_000
_ROW_HEIGHT = 24
_SAMPLE_ROWS = 200
_HEAD_AIR = 26  # px: both paddings of a heading and the least room of a sort arrow
_WIDTHS = (56, 360)
_WIDEST = 560
_COMMAND = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class ArrowTable(QTableView):
    """Rows of an Arrow table. Columns are those of `columns`, or all columns of the table when there are none.

    Signals:
        row_activated: row of the Arrow table that was double-clicked, entered, or clicked on a link cell.
        current_row_changed: row of the Arrow table that became current, -1 for none.
        rows_changed: (shown, all) after another table, filter or order.
        failed: an InsightError of an export or copy.
        exported: path of a file that was written.
    """

    row_activated = Signal(int)
    current_row_changed = Signal(int)
    rows_changed = Signal(int, int)
    failed = Signal(object)
    exported = Signal(str)

    def __init__(
        self,
        table: pa.Table | None = None,
        columns: Sequence[ColumnSpec] = (),
        *,
        filter_row: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._given = tuple(columns)
        self._sort: Sort | None = None
        self._empty_text = ""
        self._passing: Callable[[pa.Table], npt.NDArray[np.bool_] | None] | None = None
        self._sized_by_user = False
        self._model = ArrowModel()
        self._work = Background(self)
        self._header = FilterHeader(self)
        self.setHorizontalHeader(self._header)
        self.setModel(self._model)
        self.setItemDelegate(_CellDelegate(self))
        self._set_up()
        self._header.show_filters(filter_row)
        self.show_table(table if table is not None else _no_rows(self._given))

    def _set_up(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(fonts.scaled(_ROW_HEIGHT))
        self.verticalHeader().setMinimumSectionSize(fonts.scaled(20))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setMouseTracking(True)
        self._header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._header.customContextMenuRequested.connect(self._column_menu)
        self._header.sectionClicked.connect(self._cycle_sort)
        self._header.filters_changed.connect(lambda _filters: self._arrange())
        self._header.leave_downwards.connect(self._enter_rows)
        self._header.sectionResized.connect(self._column_resized)
        self.horizontalScrollBar().valueChanged.connect(lambda _at: self._header.place_fields())
        self.customContextMenuRequested.connect(self._row_menu)
        self.doubleClicked.connect(self._double_clicked)
        self.clicked.connect(self._clicked)
        theme.notifier.changed.connect(self._theme_changed)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def show_table(self, table: pa.Table) -> None:
        """Show another table; filters and order stay when the columns are the same."""
        specs = self._given or tuple(specs_of(table.column_names, _numeric(table)))
        if specs != tuple(self._model.specs):
            self._sort = None
            self._model.set_table(table, specs)
            self._header.set_columns(specs)
            self._show_sort_mark()
            self._fit_columns()
            self._arrange()
            return
        had_rows = self._model.table.num_rows > 0
        self._model.set_table(table, specs, None)
        if not had_rows:
            self._fit_columns()
        self._arrange()

    def set_columns(self, columns: Sequence[ColumnSpec], table: pa.Table) -> None:
        """Other columns together with their table."""
        self._given = tuple(columns)
        self.show_table(table)

    def set_empty_text(self, text: str) -> None:
        """What stands in the middle while there are no rows; already in the current language."""
        self._empty_text = text
        self.viewport().update()

    def set_swatch(self, colour: Callable[[str, Any], QColor | None] | None) -> None:
        """Small coloured squares before cells: `colour(column, value)`, None for no square."""
        self._model.swatch = colour
        self._fit_columns()

    @property
    def table(self) -> pa.Table:
        """The whole Arrow table."""
        return self._model.table

    @property
    def columns(self) -> Sequence[ColumnSpec]:
        """The columns, in their own order."""
        return self._model.specs

    def row(self, source: int) -> dict[str, Any]:
        """A row of the Arrow table as values by column name."""
        return dict(self._model.table.slice(source, 1).to_pylist()[0])

    def current_row(self) -> int:
        """The current row of the Arrow table, -1 for none."""
        index = self.currentIndex()
        return self._model.source_row(index.row()) if index.isValid() else -1

    def select_row(self, source: int) -> None:
        """Make a row of the Arrow table current and bring it into view; -1 selects nothing."""
        shown = self._model.shown_row(source)
        if shown < 0:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
            return
        self.selectRow(shown)
        self.scrollTo(self._model.index(shown, 0))

    def shown_table(self, *, all_rows: bool = False) -> pa.Table:
        """The rows as filtered and sorted (or all, in their own order) with the visible columns as the user sees them."""
        names = [s.name for s in self.shown_columns()]
        table = self._model.table.select(names)
        return table if all_rows or self._model.rows is None else table.take(pa.array(self._model.rows))

    def shown_rows(self) -> Rows | None:
        """Rows of the Arrow table that are shown, in their order; None for all in their own."""
        return self._model.rows

    def shown_columns(self) -> list[ColumnSpec]:
        """The visible columns in the order of the screen."""
        order = (self._header.logicalIndex(i) for i in range(self._header.count()))
        return [self._model.specs[i] for i in order if not self._header.isSectionHidden(i)]

    # ---- sorting and filtering ---------------------------------------------------------------------------------------

    def sort_by(self, column: str | None, *, descending: bool = False) -> None:
        """Sort by a column; None for the table's own order."""
        self._sort = Sort(column, descending) if column is not None else None
        self._show_sort_mark()
        self._arrange()

    @property
    def sort(self) -> Sort | None:
        """The order, None for the table's own."""
        return self._sort

    def filters(self) -> dict[str, str]:
        """What is typed into the filter row, by column name."""
        return self._header.filters()

    def set_filters(self, filters: dict[str, str]) -> None:
        """Fill the filter row."""
        self._header.set_filters(filters)

    def set_passing(self, passing: Callable[[pa.Table], npt.NDArray[np.bool_] | None] | None) -> None:
        """A filter from outside: `passing(table)` tells which rows pass, None for all; holds beside the filter row."""
        if passing is not None or self._passing is not None:
            self._passing = passing
            self._arrange()

    def show_filter_row(self, shown: bool) -> None:
        """Show or hide the filter row."""
        self._header.show_filters(shown)
        self._arrange()

    def view_state(self) -> dict[str, Any]:
        """Order, filters and hidden columns, for the session file."""
        hidden = [s.name for i, s in enumerate(self._model.specs) if self._header.isSectionHidden(i)]
        sort = [self._sort.column, self._sort.descending] if self._sort else None
        return {"sort": sort, "filters": self.filters(), "hidden": hidden}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave; columns that are gone are ignored."""
        names = [s.name for s in self._model.specs]
        for i, name in enumerate(names):
            self.setColumnHidden(i, name in state.get("hidden", ()))
        self._header.set_filters({k: v for k, v in state.get("filters", {}).items() if k in names})
        sort = state.get("sort")
        if sort and sort[0] in names:
            self.sort_by(sort[0], descending=bool(sort[1]))

    def _cycle_sort(self, section: int) -> None:
        name = self._model.specs[section].name
        if self._sort is None or self._sort.column != name:
            self.sort_by(name)
        elif not self._sort.descending:
            self.sort_by(name, descending=True)
        else:
            self.sort_by(None)

    def _show_sort_mark(self) -> None:
        if self._sort is None:
            self._header.setSortIndicatorShown(False)
            return
        section = [s.name for s in self._model.specs].index(self._sort.column)
        down = Qt.SortOrder.DescendingOrder if self._sort.descending else Qt.SortOrder.AscendingOrder
        self._header.setSortIndicator(section, down)
        self._header.setSortIndicatorShown(True)

    def _arrange(self) -> None:
        """Filter and sort; the current row stays current."""
        table, filters, sort = self._model.table, self._header.filters(), self._sort
        specs = {s.name: s for s in self._model.specs}
        if not self._check_filters(filters):
            return
        passing = self._passing

        def arranged() -> Rows | None:
            rows, mask = rows_of(table, specs, filters, sort), passing(table) if passing is not None else None
            return rows if mask is None else np.flatnonzero(mask) if rows is None else rows[mask[rows]]

        if not filters and sort is None and passing is None:
            self._work.drop("rows")
            self._show_rows(table, None)
        elif table.num_rows <= AT_ONCE_ROWS:
            self._work.drop("rows")
            self._show_rows(table, arranged())
        else:
            self._work.run(
                "rows",
                arranged,
                then=lambda rows: self._show_rows(table, rows),
                failed=self.failed.emit,
            )

    def _check_filters(self, filters: dict[str, str]) -> bool:
        """Mark the first filter that cannot be read; True when all can."""
        specs = {s.name: s for s in self._model.specs}
        for name, text in filters.items():
            try:
                filter_mask(self._model.table.column(name).slice(0, 0), specs[name], text)
            except BadArgument as error:
                self._header.show_error(name, str(error))
                return False
        self._header.show_error(None)
        return True

    def _show_rows(self, table: pa.Table, rows: Rows | None) -> None:
        if table is not self._model.table:
            return
        current = self.current_row()
        if rows is not None or self._model.rows is not None:
            self._model.set_rows(rows)
            if current >= 0:
                self.select_row(current)
        self.rows_changed.emit(self._model.rowCount(), table.num_rows)
        self.viewport().update()

    # ---- copy and export ---------------------------------------------------------------------------------------------

    def copy(self, style: str = "tsv", *, all_rows: bool = False, selected_only: bool = True) -> None:
        """Put rows on the clipboard with headings: the selected ones, or all shown ones when none is selected.

        Args:
            style: tsv, csv or markdown.
            all_rows: every row of the table, filtered out or not.
            selected_only: False for all shown rows whatever is selected.
        """
        specs, table = self.shown_columns(), self.shown_table(all_rows=all_rows)
        selected = self._selected_rows() if selected_only and not all_rows else []
        if selected:
            table = table.take(pa.array(selected))
        if table.num_rows <= AT_ONCE_ROWS:
            QGuiApplication.clipboard().setText(as_text(table, specs, style))
        else:
            self._work.run(
                "copy",
                lambda: as_text(table, specs, style),
                then=QGuiApplication.clipboard().setText,
                failed=self.failed.emit,
            )

    def _selected_rows(self) -> list[int]:
        """Shown rows that are selected; by ranges, because a million rows may be."""
        chosen = self.selectionModel().selection()
        ranges = sorted((r.top(), r.bottom()) for r in (chosen.at(i) for i in range(chosen.count())))
        return list(dict.fromkeys(row for top, bottom in ranges for row in range(top, bottom + 1)))

    def export(self, path: Path, *, all_rows: bool = False) -> None:
        """Write what is seen (or all rows) to a file on the pool; `exported` or `failed` follows."""
        specs, table = self.shown_columns(), self.shown_table(all_rows=all_rows)
        self._work.run(
            f"export {path}",
            lambda: write_file(path, table, specs),
            then=lambda _rows: self.exported.emit(str(path)),
            failed=self.failed.emit,
        )

    def export_dialog(self, *, all_rows: bool = False) -> None:
        """Ask for a file and export to it."""
        kinds = tr("CSV (*.csv);;Tab-separated (*.tsv);;Markdown (*.md);;Arrow (*.arrow);;Parquet (*.parquet)")
        name, kind = QFileDialog.getSaveFileName(self, tr("Export table"), "", kinds)
        if name:
            path = Path(name)
            if not path.suffix:
                path = path.with_suffix(kind.rsplit("*", 1)[1].rstrip(")"))
            self.export(path, all_rows=all_rows)

    def copy_cell(self) -> None:
        """Put the exact value of the current cell on the clipboard."""
        index = self.currentIndex()
        if index.isValid():
            QGuiApplication.clipboard().setText(self._model.data(index, Qt.ItemDataRole.ToolTipRole) or "")

    # ---- menus -------------------------------------------------------------------------------------------------------

    def _row_menu(self, at: QPoint) -> None:
        self.row_menu().exec(self.viewport().mapToGlobal(at))

    def row_menu(self) -> QMenu:
        """The context menu of the rows."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        entries: tuple[tuple[str, str, Callable[[], object]] | None, ...] = (
            ("copy", tr("Copy rows"), self.copy),
            ("", tr("Copy cell"), self.copy_cell),
            ("", tr("Copy rows as CSV"), lambda: self.copy("csv")),
            ("", tr("Copy rows as Markdown"), lambda: self.copy("markdown")),
            ("", tr("Copy table"), lambda: self.copy(selected_only=False)),
            ("", tr("Copy table without filters"), lambda: self.copy(all_rows=True)),
            None,
            ("download-simple", tr("Export…"), self.export_dialog),
            ("", tr("Export all rows…"), lambda: self.export_dialog(all_rows=True)),
        )
        for entry in entries:
            if entry is None:
                menu.addSeparator()
                continue
            action = QAction(entry[1], menu)
            if entry[0]:
                action.setIcon(icons.icon(entry[0]))
            action.triggered.connect(lambda _checked=False, do=entry[2]: do())
            menu.addAction(action)
        return menu

    def _column_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown = self.shown_columns()
        for i, spec in enumerate(self._model.specs):
            action = QAction(spec.heading(), menu, checkable=True, checked=not self._header.isSectionHidden(i))
            action.setEnabled(len(shown) > 1 or not action.isChecked())
            action.toggled.connect(lambda on, column=i: self._show_column(column, on))
            menu.addAction(action)
        menu.exec(self._header.mapToGlobal(at))

    def _show_column(self, column: int, shown: bool) -> None:
        self.setColumnHidden(column, not shown)
        self._header.place_fields()

    # ---- events ------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._activate(self.currentIndex())
        elif event.text().isprintable() and event.text().strip() and not event.modifiers() & _COMMAND:
            # Letters are keys of the page. Qt's type-ahead would read every row of a large table.
            event.ignore()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._header.retranslate()
            self._model.headings_changed()
        super().changeEvent(event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.row() != previous.row():
            self.current_row_changed.emit(self.current_row())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._model.rowCount() or not (self._empty_text or self._model.table.num_rows):
            return
        text = self._empty_text if not self._model.table.num_rows else tr("No row passes the filters.")
        with QPainter(self.viewport()) as painter:
            painter.setPen(theme.token("text3"))
            area = self.viewport().rect().adjusted(16, 8, -16, -8)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap), text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stretch()

    def sizeHint(self) -> QSize:
        return QSize(480, 200)

    def _clicked(self, index: QModelIndex) -> None:
        if self._model.specs[index.column()].kind == "link":
            self._activate(index)

    def _double_clicked(self, index: QModelIndex) -> None:
        # On a link the first click has gone there already.
        if self._model.specs[index.column()].kind != "link":
            self._activate(index)

    def _activate(self, index: QModelIndex) -> None:
        self.row_activated.emit(self._model.source_row(index.row()))

    def _enter_rows(self) -> None:
        if self._model.rowCount():
            self.setFocus()
            if not self.currentIndex().isValid():
                self.selectRow(0)

    def _theme_changed(self) -> None:
        self.verticalHeader().setDefaultSectionSize(fonts.scaled(_ROW_HEIGHT))
        self.viewport().update()

    def _fit_columns(self) -> None:
        """First widths: the heading and a sample of the cells, within limits; the first text takes what is left."""
        head, body = fonts.ui(bold=True), self.fontMetrics()
        metrics = type(body)(head)
        rows = range(min(self._model.rowCount(), _SAMPLE_ROWS))
        for i, spec in enumerate(self._model.specs):
            titled = metrics.horizontalAdvance(spec.heading()) + _HEAD_AIR
            if spec.width:  # names may be cut, units of numbers may not
                least = max(0 if spec.is_text else titled, self._header.field_width(i))
                self.setColumnWidth(i, max(fonts.scaled(spec.width), least))
                continue
            longest = max((body.horizontalAdvance(spec.cell(self._model.value(r, i))) for r in rows), default=0)
            swatch = 18 if self._model.swatch is not None and spec.is_text else 0
            width = max(longest + 26 + swatch, titled + 8, fonts.scaled(_WIDTHS[0]))
            self.setColumnWidth(i, max(min(width, fonts.scaled(_WIDTHS[1])), self._header.field_width(i)))
        self._sized_by_user = False
        self._stretch()

    def _stretch(self) -> None:
        """Give what is left of the width to the first text column, until the user sets widths."""
        texts = [i for i, s in enumerate(self._model.specs) if s.is_text and not self._header.isSectionHidden(i)]
        specs = self._model.specs  # buttons need no more than their words
        texts = [i for i in texts if specs[i].filters or specs[i].kind != "link"] or texts
        texts.sort(key=lambda i: self._model.specs[i].width > 0)
        if self._sized_by_user or not texts:
            return
        left = self.viewport().width() - self._header.length()
        smallest = fonts.scaled(self._model.specs[texts[0]].width or _WIDTHS[0] * 2)
        width = self.columnWidth(texts[0])
        if left > 0 or (left < 0 and width > smallest):
            # Numbers far from their names are hard to read, so the column does not grow without end.
            wanted = min(width + left, max(width, fonts.scaled(_WIDEST)))
            self._header.resizeSection(texts[0], max(wanted, min(width, smallest)))

    def _column_resized(self, _column: int, _old: int, _new: int) -> None:
        if QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            self._sized_by_user = True


class _CellDelegate(QStyledItemDelegate):
    """Cells without a focus frame, with small squares for swatches and bars for shares."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        model = index.model()
        if not isinstance(model, ArrowModel) or not model.specs[index.column()].bar:
            return
        share = model.value(index.row(), index.column())
        if share is not None and share > 0:
            room = option.rect.adjusted(4, 0, -4, 0)
            length = max(1, round(min(share, 1.0) * room.width()))
            painter.fillRect(room.left(), room.bottom() - 4, length, 3, theme.token("accent"))

    def initStyleOption(self, option: QStyleOptionViewItem, index: Any) -> None:
        super().initStyleOption(option, index)
        option.decorationSize = QSize(fonts.scaled(9), fonts.scaled(9))
        link = index.data(Qt.ItemDataRole.ForegroundRole)
        if isinstance(link, QColor):
            option.palette.setColor(option.palette.ColorRole.Text, link)


def _no_rows(columns: Sequence[ColumnSpec]) -> pa.Table:
    return pa.table({c.name: pa.array([], pa.string() if c.is_text else pa.int64()) for c in columns})


def _numeric(table: pa.Table) -> set[str]:
    return {f.name for f in table.schema if pa.types.is_integer(f.type) or pa.types.is_floating(f.type)}
