"""Small tables of the Details page: as high as their rows, with the collector's texts as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from insight_desktop.engine.operator import numbers
from insight_desktop.views.common import fonts, icons, parts, theme
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec

Row = Mapping[str, Any]
_ROW, _HEAD = 24, 28
NAME = "\0name"
_AT_ONCE = 3  # tables that are filled in one go


class PlainTable(ArrowTable):
    """An ArrowTable without filters that is as high as its content, up to a number of rows."""

    def __init__(self, most_rows: int = 16, parent: QWidget | None = None) -> None:
        self._most = most_rows
        self._differences: set[str] = set()
        super().__init__(filter_row=False, parent=parent)
        self._model.ink = self._ink
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        theme.notifier.changed.connect(self.fit)

    def show_cells(self, head: str, columns: Sequence[str], rows: Sequence[Sequence[str | None]]) -> None:
        """Show texts; columns that hold numbers are aligned right, `rows` begin with their name."""
        names = [NAME, *(f"c{i}" for i in range(len(columns)))]
        data = {n: pa.array([row[i] for row in rows], pa.string()) for i, n in enumerate(names)}
        longest = max((str(row[0] or "") for row in rows), key=len, default="")
        wide = QFontMetrics(fonts.ui()).horizontalAdvance(max((longest, head), key=len)) + 28
        specs = [ColumnSpec(NAME, head, width=round(min(wide, 300) * 100 / fonts.scale()))]
        for i, title in enumerate(columns):
            values = data[names[i + 1]].to_pylist()
            known = [numbers.to_number(v) for v in values if v not in (None, "", "NA", "-")]
            if known and None not in known:
                data[names[i + 1]] = pa.array([numbers.to_number(v) for v in values], pa.float64())
                missing = next((v for v in values if v in ("NA", "-")), " ")
                specs.append(ColumnSpec(names[i + 1], title, kind="number", missing=missing or " "))
            else:
                specs.append(ColumnSpec(names[i + 1], title))
        self._differences = {spec.name for spec in specs if spec.title == tr("Difference")}
        self.set_columns(specs, pa.table(data))
        self.fit()

    def _ink(self, column: str, row: int, value: Any) -> QColor | None:
        """Differences: green from 0 on, red below."""
        del row
        if column not in self._differences or not isinstance(value, float):
            return None
        return theme.token("ok" if value >= 0 else "error")

    def fit(self) -> None:
        """As high as the rows that there are."""
        rows = min(self._most, max(1, self.model().rowCount()))
        bar = self.horizontalScrollBar().sizeHint().height() if self.horizontalScrollBar().maximum() > 0 else 0
        self.setFixedHeight(fonts.scaled(_HEAD) + rows * fonts.scaled(_ROW) + 4 + bar)

    def sizeHint(self) -> QSize:
        return QSize(320, self.height())


class TablesGrid(QWidget):
    """Tables below each other in as many columns as fit; widgets are used again for the next block."""

    def __init__(self, least_width: int = 430, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._least = least_width
        self._row = parts.columns(self, margins=(10, 8, 10, 10), gap=10)
        self._columns: list[Any] = []
        self.tables: list[PlainTable] = []
        self._shown = 0
        self._count = 0
        self._found: list[tuple[str, Sequence[str], Sequence[Sequence[str | None]]]] = []
        self._filled = 0
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._fill_some)

    def set_least(self, width: int) -> None:
        """Another least width of a column."""
        self._least = width

    def show_tables(self, found: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str | None]]]]) -> None:
        """Show (heading of the names, headings, rows) of each table."""
        self._found = list(found)
        self._filled = 0
        for table in self.tables[len(found) :]:
            table.hide()
        self._fill_some()

    def _fill_some(self) -> None:
        """Fill a few tables; the others follow when the window has had its turn."""
        for at in range(self._filled, min(self._filled + _AT_ONCE, len(self._found))):
            if at == len(self.tables):
                self.tables.append(PlainTable(parent=self))
                self.tables[at].setProperty("edge", "box")
                self.tables[at].hide()
            head, columns, rows = self._found[at]
            self.tables[at].show_cells(head, columns, rows)
            self.tables[at].setAccessibleName(head)
            self._filled = at + 1
        if self._filled < len(self._found):
            self._later.start()
        else:
            self._shown = len(self._found)
            self._arrange(force=True)

    def is_filled(self) -> bool:
        """Whether all tables are there."""
        return self._filled == len(self._found) == self._shown

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._arrange(force=False)

    def _arrange(self, *, force: bool) -> None:
        """Fill columns from the left, each next table into the shortest one."""
        count = max(1, min(4, self._shown, self.width() // fonts.scaled(self._least)))
        if count == self._count and not force:
            return
        self._count = count
        for column in self._columns:  # the tables stay, only their places go
            while column.count():
                column.takeAt(0)
            self._row.removeItem(column)
        for table in self.tables:
            table.hide()
        heights = [0] * count
        self._columns = [parts.rows(gap=10) for _ in range(count)]
        for column in self._columns:
            self._row.addLayout(column, 1)
        for table in self.tables[: self._shown]:
            at = heights.index(min(heights))
            self._columns[at].addWidget(table)
            heights[at] += table.height() + 10
            table.show()
        for column in self._columns:
            column.addStretch(1)


def heading(text: str) -> str:
    """Heading of a memory table in the current language."""
    known = {
        "hit": tr("Hit"), "miss": tr("Miss"), "total": tr("Total"), "hit rate(%)": tr("Hit Rate(%)"),
        "requests": tr("Requests"), "throughput(GB/s)": tr("Throughput(GB/s)"), "peak(%)": tr("Peak(%)"),
        "instructions": tr("Instructions"), "cycle": tr("Cycle"), "wait cycles": tr("Wait Cycles"),
        "active rate(%)": tr("Active Rate(%)"), "active bw(GB/s)": tr("Active Bw(GB/s)"), "time(us)": tr("Time(us)"),
    }  # fmt: skip
    return known.get(text, text[:1].upper() + text[1:])


class Panel(QFrame):
    """A panel with a head that closes it: title, quiet words, and room for selects."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        column = parts.rows(self, margins=(1, 1, 1, 1))
        self.head = QWidget()
        self.head.setObjectName("surface")
        parts.keep_height(self.head, 34)
        self.head_row = parts.columns(self.head, margins=(6, 2, 6, 2), gap=8)
        self.caret = parts.icon_button("caret-down", click=lambda: self.set_collapsed(not self.is_collapsed))
        self.title = parts.label(strong=True)
        self.subtitle = parts.label(level=2)
        self.head_row.addWidget(self.caret)
        self.head_row.addWidget(self.title)
        self.head_row.addWidget(self.subtitle)
        self.head_row.addStretch(1)
        self.body = QWidget()
        self.inner = parts.rows(self.body)
        column.addWidget(self.head)
        column.addWidget(parts.line())
        column.addWidget(self.body, 1)

    def set_title(self, title: str, subtitle: str = "") -> None:
        """Texts in the current language."""
        self.title.setText(title)
        self.subtitle.setText(subtitle)
        parts.set_tip(self.caret, tr("Collapse or expand"))

    @property
    def is_collapsed(self) -> bool:
        """Only the head is left."""
        return self.body.isHidden()

    def set_collapsed(self, collapsed: bool) -> None:
        """Leave only the head, or bring the rest back."""
        self.body.setVisible(not collapsed)

        icons.put(self.caret, "caret-right" if collapsed else "caret-down")
